"""What the library's functions return: frozen values, without any solver's objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn

from synth.app.library.notebooks import Displayed, Plot, frame_of, latex, plot_of_bound, plot_of_outputs
from synth.trusted.program import syntax as ir
from synth.views.expressions import Assumptions, expression, symbols
from synth.views.results import Invariant, Site, TerminationSensitive

if TYPE_CHECKING:
    import pandas
    import sympy

Value = bool | int | Fraction | tuple["Value", ...]
"""An exact value of a parameter; a sequence is a tuple, and so is a function: entry r is its value at r."""


@dataclass(frozen=True)
class Range:
    """Numbers from ``low``, which is included, to ``high``, which is not; None for no end."""

    low: int | Fraction | None
    high: int | Fraction | None


Output = bool | int | Fraction | None | Range | tuple["Output", ...]
"""An output, or a range of outputs in some places; a list or a tuple of the program is a tuple."""


@dataclass(frozen=True)
class Formula:
    """An expression over public parameters: as synth writes it, and typed (None if it can't be read back)."""

    text: str
    typed: ir.Expression | None = field(repr=False)


@dataclass(frozen=True, repr=False)
class Bound:
    """ε (in nats) and δ of a claim or of a proof, over the public parameters; ``str`` is in synth's notation.

    ``epsilon`` is None where only a δ is claimed; ``delta`` is 0 where none is.  Both are None where the
    bound is ``gdp`` (μ of Gaussian differential privacy) or ``zcdp`` (ρ of zero-concentrated differential
    privacy).
    """

    _epsilon: Formula | None
    _delta: Formula | None
    _assumptions: tuple[tuple[str, tuple[str, ...]], ...]
    _gdp: Formula | None = None
    _zcdp: Formula | None = None

    @cached_property
    def epsilon(self) -> sympy.Expr | None:
        """ε as a sympy expression."""
        return self._built(self._epsilon)

    @cached_property
    def delta(self) -> sympy.Expr | None:
        """δ as a sympy expression."""
        return self._built(self._delta)

    @cached_property
    def gdp(self) -> sympy.Expr | None:
        """μ as a sympy expression."""
        return self._built(self._gdp)

    @cached_property
    def zcdp(self) -> sympy.Expr | None:
        """ρ as a sympy expression."""
        return self._built(self._zcdp)

    @cached_property
    def symbols(self) -> dict[str, sympy.Symbol]:
        """The public parameters (``len(q)`` for a length), with what types and ``requires`` say of them."""
        return symbols(self._known)

    def __str__(self) -> str:
        for name, found in (("gdp", self._gdp), ("zcdp", self._zcdp)):
            if found is not None:
                return f"({name} = {found.text})"
        epsilon, delta = ("none" if item is None else item.text for item in (self._epsilon, self._delta))
        return f"({epsilon}, {delta})"

    def __repr__(self) -> str:
        return f"Bound{self}"

    def _repr_latex_(self) -> str | None:
        return latex(self)

    @property
    def _known(self) -> Assumptions:
        return dict(self._assumptions)

    def _built(self, formula: Formula | None) -> sympy.Expr | None:
        return None if formula is None or formula.typed is None else expression(formula.typed, self._known)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a mechanism; ``adjacent`` says what may differ between adjacent inputs, None if public.

    ``kind`` is ``scalar``, ``sequence`` or ``function``; ``sort``, that of the scalar, of the entries or of
    the values, is ``int``, ``real`` or ``bool``.
    """

    name: str
    kind: str
    sort: str
    adjacent: str | None


@dataclass(frozen=True)
class Mechanism(Displayed):
    """A mechanism of a program file, as it was read; a target for ``prove`` and the others, which read anew.

    ``requires`` is what is assumed of public parameters, ``facts`` what is assumed of functions.
    """

    name: str
    file: str
    line: int
    parameters: tuple[Parameter, ...]
    requires: str
    claim: Bound | None
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Reason:
    """Why there is no proof; ``line`` and ``column`` are the place in the program.

    ``code`` is the stable name of the reason (docs/codes.md), ``hints`` say what would help, after it was
    tried.
    """

    message: str
    line: int | None
    code: str | None
    hints: tuple[str, ...] = ()
    column: int | None = None

    @property
    def hint(self) -> str | None:
        """The first of the hints."""
        return self.hints[0] if self.hints else None

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


@dataclass(frozen=True)
class Witness:
    """Adjacent inputs, and outputs on which a claim fails: exact values, enclosed probabilities.

    ``parameters`` are the public ones, ``left`` and ``right`` the private ones of the two inputs.  The event
    is that the output is one that ``outputs`` name.  ``epsilon`` (in nats) and ``delta`` are what is claimed
    at these parameters, rounded up, or what follows from a claim of GDP or zCDP; ``epsilon_at_least`` is what
    any true ε with this δ must be at the least, infinite where none is enough.
    """

    parameters: Mapping[str, Value]
    left: Mapping[str, Value]
    right: Mapping[str, Value]
    outputs: tuple[Output, ...]
    probability_left: tuple[float, float]
    probability_right: tuple[float, float]
    epsilon: float
    delta: float
    epsilon_at_least: float


@dataclass(frozen=True)
class LowerBound:
    """An ε that is necessary (infinite where none is enough), with the inputs and outputs that show it."""

    epsilon_at_least: float
    parameters: Mapping[str, Value]
    left: Mapping[str, Value]
    right: Mapping[str, Value]
    outputs: tuple[Output, ...]


class _Verdict(Displayed):
    """What is neither true nor false by itself: ``if synth.prove(...)`` would hide what was found."""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"a result is neither true nor false: ask for {type(self).__name__}.verdict")


@dataclass(frozen=True)
class _About(_Verdict):
    """What a result is about: the mechanism, where it is, and the claim that it is held against (if any).

    ``claim_of`` is ``program`` or ``call``.
    """

    mechanism: str
    file: str = field(repr=False)
    line: int = field(repr=False)
    claim: Bound | None
    claim_of: str | None = field(repr=False)
    seconds: float = field(repr=False)
    cached: bool = field(repr=False)


@dataclass(frozen=True)
class Proved(_About):
    """A proof that the kernel has accepted.

    ``certificate`` is the document's text.  ``sites`` say how each draw is coupled, ``invariants`` what holds
    at the heads of loops.  ``claim_is_loose`` says that ``bound`` is below the claim.  ``termination`` is
    about observers that see whether a run ends, ``lower_bound`` what is necessary (only with ``bracket``).
    """

    verdict: ClassVar[Literal["proved"]] = "proved"
    bound: Bound
    certificate: str = field(repr=False)
    sites: tuple[Site, ...] = field(repr=False)
    invariants: tuple[Invariant, ...] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False)
    assumptions: str = field(repr=False)
    claim_is_loose: bool = field(repr=False)
    termination: TerminationSensitive | None = field(repr=False)
    lower_bound: LowerBound | None = field(repr=False)

    @property
    def epsilon(self) -> sympy.Expr | None:
        """The ε that is proved."""
        return self.bound.epsilon

    @property
    def delta(self) -> sympy.Expr | None:
        """The δ that is proved."""
        return self.bound.delta

    def plot_bound(
        self,
        parameter: str,
        *,
        between: tuple[float, float],
        values: Mapping[str, Value | float] | None = None,
    ) -> Plot:
        """Plot ε (in nats) over a public parameter, beside the claimed one if there is one.

        ``values`` are those of the other parameters.  Raises UsageError, also where matplotlib is missing.
        """
        return plot_of_bound(self.mechanism, self.bound, self.claim, parameter, between, values or {})


@dataclass(frozen=True)
class Refuted(_About):
    """A claim that a witness refutes.

    ``certificate`` is the witness's document; ``bound``, ``sites`` and ``invariants`` say what was proved
    instead, if anything was, ``reason`` why that is not the claim.
    """

    verdict: ClassVar[Literal["refuted"]] = "refuted"
    witness: Witness
    certificate: str = field(repr=False)
    bound: Bound | None
    reason: Reason | None
    sites: tuple[Site, ...] = field(default=(), repr=False)
    invariants: tuple[Invariant, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Unknown(_About):
    """Neither a proof nor a witness.

    ``bound``, ``sites`` and ``invariants`` are what was proved, where that isn't shown to be enough.
    """

    verdict: ClassVar[Literal["unknown"]] = "unknown"
    reason: Reason | None
    bound: Bound | None
    sites: tuple[Site, ...] = field(default=(), repr=False)
    invariants: tuple[Invariant, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Change:
    """What stands in the place of a scale, or of a hole ``...``; ``line`` is that of the old text."""

    line: int
    before: str
    after: str


@dataclass(frozen=True)
class Repair(_Verdict):
    """Scales with which a claim is proved, as changes of the file; or why none were found.

    ``proof`` is about ``text``, that of the file after the ``changes``; ``patch`` is a unified diff.
    ``before`` is the verdict on the file as it is, None if it has holes: what is ``proved`` already has no
    changes.  ``least_noise`` says that no other values of the changed scales have less noise, by the cost
    that is proved (docs/repair.md).
    """

    verdict: Literal["proved", "unknown"]
    mechanism: str
    file: str = field(repr=False)
    before: Literal["proved", "refuted", "unknown"] | None
    changes: tuple[Change, ...]
    least_noise: bool
    proof: Proved | None = field(repr=False)
    text: str = field(repr=False)
    patch: str = field(repr=False)
    reason: str | None


@dataclass(frozen=True)
class Recomputed:
    """The numbers of a witness as its check computed them anew, rounded outwards."""

    probability_left: tuple[float, float]
    probability_right: tuple[float, float]
    epsilon_at_least: float


@dataclass(frozen=True)
class Checked(_Verdict):
    """What the kernel says of a proof, or a second method of a witness.

    Unless ``verdict`` is ``valid``, the document shows nothing; ``rule`` and ``place`` say where it fails,
    ``reason`` why, ``code`` is the stable name of that (docs/codes.md).  ``sha256`` is that of the program's
    text in the document, ``line`` and ``header`` are the mechanism's first line in its file, ``stated`` its
    decorator, ``inputs`` what else is assumed of inputs, ``models`` of functions of libraries.  ``file`` and
    ``file_sha256`` are of the file that was found to hold the text, if one was given.  ``claim`` is what was
    compared with, ``claim_of`` whose it is: ``program``, ``call`` or ``document``.  ``facts`` are what the
    program's author assumes of its functions.
    """

    verdict: Literal["valid", "invalid", "incomplete"]
    kind: Literal["proof", "witness"] | None
    mechanism: str | None
    line: int | None
    header: str | None
    stated: str | None
    inputs: tuple[str, ...]
    models: tuple[str, ...]
    sha256: str | None
    file: str | None
    file_sha256: str | None
    bound: Bound | None
    claim: Bound | None
    claim_of: str | None
    rule: str | None
    place: str | None
    reason: str | None
    code: str | None
    conditions: int
    solvers: tuple[str, ...]
    facts: tuple[str, ...]
    recomputed: Recomputed | None
    seconds: float


@dataclass(frozen=True)
class OutputProbability:
    """An output, or a range of them: the enclosed probability per input, and the loss ln(p1/p2) in nats.

    With one input there is no loss; one that isn't bounded is infinite at that end.
    """

    output: Output
    probabilities: tuple[tuple[float, float], ...]
    loss: tuple[float, float] | None


@dataclass(frozen=True)
class Probabilities(Displayed):
    """The outputs on one input or two, the likeliest first; ``rest`` bounds what isn't listed, per input.

    ``adjacent`` says whether the two inputs are, None for one.
    """

    mechanism: str
    inputs: tuple[Mapping[str, Value], ...]
    adjacent: bool | None
    outputs: tuple[OutputProbability, ...]
    rest: tuple[float, ...]

    def to_frame(self) -> pandas.DataFrame:
        """Return the outputs as a data frame, with the ends of what encloses a number as two columns.

        Raises UsageError where pandas is missing.
        """
        return frame_of(self)

    def plot(self) -> Plot:
        """Plot the likeliest outputs, with the loss if there are two inputs.

        Raises UsageError where matplotlib is missing.
        """
        return plot_of_outputs(self)


@dataclass(frozen=True)
class CoupledPair:
    """Two related values with what the witnesses μL and μR of a lifting give them.

    A mass is a fraction, or two floats that enclose it.
    """

    left: Any
    right: Any
    mass_left: Fraction | tuple[float, float]
    mass_right: Fraction | tuple[float, float]


@dataclass(frozen=True)
class SeparatingSet:
    """A set X of left values, and the right ones R(X) to which they are related: μ1(X) > e^ε·μ2(R(X)) + δ.

    ``mass_left`` is μ1(X), ``mass_right`` is μ2(R(X)), ``allowed`` the right-hand side: each is a fraction,
    or two floats that enclose it.
    """

    left: tuple[Any, ...]
    right: tuple[Any, ...]
    mass_left: Fraction | tuple[float, float]
    mass_right: Fraction | tuple[float, float]
    allowed: Fraction | tuple[float, float]


@dataclass(frozen=True)
class Lifting(_Verdict):
    """Whether two finite distributions are related by the (ε, δ)-lifting of a relation; ``bound`` is (ε, δ).

    ``verdict`` is ``related``, with a ``coupling``; ``not related``, with a ``separating_set``; or
    ``undecided``.  ``missing`` is what the coupling leaves over on the left, at most δ; for ``undecided`` it
    is a δ that is enough.  ``mechanism``, ``inputs`` and ``adjacent`` (whether the two inputs are) are None
    for distributions that were given.
    """

    verdict: Literal["related", "not related", "undecided"]
    mechanism: str | None
    inputs: tuple[Mapping[str, Value], ...] | None
    adjacent: bool | None
    bound: Bound
    coupling: tuple[CoupledPair, ...] | None
    separating_set: SeparatingSet | None
    missing: Fraction | tuple[float, float] | None


@dataclass(frozen=True)
class Condition:
    """Something that the theorem about finite precision needs: ``checked``, ``assumed`` or ``failed``."""

    name: str
    status: Literal["checked", "assumed", "failed"]
    says: str


@dataclass(frozen=True)
class FinitePrecision(_Verdict):
    """What a proved ε becomes in one implementation; pairs of floats enclose a number.

    ``verdict`` is ``bounded``, with ε' in ``epsilon`` (nats); ``unknown``, with a ``reason``: a condition
    fails; or ``unbounded``: nothing is rounded, and the theorem gives nothing.  ``exact_epsilon`` is ε in
    exact reals and ``sensitivity`` Δ, both of the computed query, ``scale`` that of the noise, ``error`` is
    δt and ``robustness`` R (docs/precision.md).  The result rests on the ``conditions`` that are assumed.
    """

    verdict: Literal["bounded", "unknown", "unbounded"]
    mechanism: str
    epsilon: tuple[float, float] | None
    exact_epsilon: Fraction
    sensitivity: Fraction
    scale: Fraction
    error: tuple[float, float] | None
    robustness: tuple[float, float] | None
    conditions: tuple[Condition, ...]
    reason: str | None


@dataclass(frozen=True)
class Template(Displayed):
    """A coupling of a distribution that proofs may use; its formulas are as its file has them.

    If it isn't ``sound``: ``violated`` says which condition fails for draws of ``sort``, ``counterexample``
    for which values, if the solver gave some.  With a ``lemma`` that says what it costs, only the rest has
    been decided by a solver.
    """

    distribution: str
    coupling: str
    relation: str
    k: str
    requirement: str
    distance: str
    source: str
    file: str
    sound: bool
    sort: str | None
    violated: str | None
    counterexample: Mapping[str, str] | None
    lemma: str | None
