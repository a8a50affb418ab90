"""Strategies: per sampling site and guard, by how much run 2's draw is shifted.

A strategy is data.  The concrete runs, the coupled product and the report all read the same
objects, so that they can't disagree about what a coupling is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from synth.bounds.scales import opaque_parts
from synth.prover.costs.cases import CaseKey, Share
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names
from synth.trusted.program.symbols import Event, Upward


@dataclass(frozen=True)
class GuardPredicate:
    """What a site's guard looks at: a boolean event, or how ``expression`` compares to an integer one.

    A mechanism that also publishes branches is no less private than its proof says, and dropping them again
    is post-processing.
    """

    event: Event | Upward
    expression: ir.Expression | None = None


@dataclass(frozen=True)
class Condition:
    """A guard predicate with its value: True/False, or the sign -1, 0, 1 of ``expression - event``."""

    predicate: GuardPredicate
    value: bool | int


@dataclass(frozen=True)
class Shift:
    """The shift k in v⟨2⟩ = v⟨1⟩ + k, known before the draw.

    k = (e⟨2⟩ − e⟨1⟩ if ``null``) + Σ factor·unit + Σ sign·(x⟨2⟩ − x⟨1⟩ for x in ``differences``)
    + Σ sign·(the change of the one entry that differs, for sequences in ``changes``), with units
    over public parameters.
    """

    null: bool = False
    units: tuple[tuple[Fraction, ir.Expression], ...] = ()
    differences: tuple[tuple[int, ir.Expression], ...] = ()
    changes: tuple[tuple[int, str], ...] = ()

    @property
    def is_null(self) -> bool:
        """Whether this is the null coupling: same noise, free."""
        return self.null and not (self.units or self.differences or self.changes)


@dataclass(frozen=True)
class Interval:
    """Run 1's draw from ``low`` to ``high`` becomes run 2's from its ``low`` to its ``high``.

    What lies beside it is moved along with the ends ([LapInt]; Barthe et al. 2016, *Advanced probabilistic
    couplings*).  The ends are expressions of the program, of the draw's sort, known before the draw; ``gap``
    is a number over public parameters that is not larger than the width in run 1 (of integers, their number).
    """

    low: ir.Expression
    high: ir.Expression
    gap: ir.Expression
    is_null = False


@dataclass(frozen=True)
class Case:
    """Under all ``conditions``, the draws are coupled by ``coupling``.

    ``bound`` is the most that one use of the case moves the noise, as factor and unit: the
    distance \\|k + e⟨1⟩ − e⟨2⟩\\| stays at or below factor·unit.  It is None where the distance is
    summed up as it comes.
    """

    conditions: tuple[Condition, ...]
    coupling: Shift | Interval
    bound: tuple[Fraction, ir.Expression] | None

    def expressions(self) -> Iterator[ir.Expression]:
        """What it speaks of, in the state before the draw."""
        for condition in self.conditions:
            if condition.predicate.expression is not None:
                yield condition.predicate.expression
        match self.coupling:
            case Interval(low=low, high=high):
                yield from (low, high)
            case Shift(differences=differences):
                yield from (expression for _, expression in differences)


@dataclass(frozen=True)
class Added:
    """What an entry of a sequence adds to a sum, as a function of its index, which is called ``counter``."""

    source: str
    counter: str
    increment: ir.Expression


@dataclass(frozen=True)
class Tail:
    """Run 1's noise is taken to be below ``limit``, with ``both`` also above -``limit``.

    With ``changed`` only where its index is the one at which the entries of its sequence differ; with
    ``added`` only where the entries that differ add unlike numbers to what is protected.
    """

    limit: ir.Expression
    both: bool
    changed: ir.Read | None = None
    added: Added | None = None


@dataclass(frozen=True)
class Strategy:
    """The branches published and the cases per sampling site; the first that holds is used.

    ``tails`` are given up at some sites: what lies there is lost, at the price of a delta.  ``contraction``
    says by how much the intervals of a site are narrower in run 2, at the most.  Of noise that is equal to
    a variable that it is ``apart`` from nothing is said: that has chance 0.
    """

    observable_branches: frozenset[int]
    cases: dict[int, tuple[Case, ...]]
    tails: Mapping[int, Tail] = field(default_factory=dict)
    contraction: Mapping[int, tuple[Fraction, ir.Expression]] = field(default_factory=dict)
    apart: Mapping[int, tuple[ir.Variable, ...]] = field(default_factory=dict)

    def asked(self) -> dict[int, frozenset[str]]:
        """The variables that couplings speak of, by the site at which they do."""
        return {
            site: frozenset(name for item in self._expressions(site, cases) for name in names(item))
            for site, cases in self.cases.items()
        }

    def _expressions(self, site: int, cases: tuple[Case, ...]) -> Iterator[ir.Expression]:
        for case in cases:
            yield from case.expressions()
        tail = self.tails.get(site)
        if tail is not None and tail.changed is not None:
            yield from tail.changed.index
        if tail is not None and tail.added is not None:
            yield tail.added.increment

    def has_intervals(self) -> bool:
        """Whether some draw is coupled by intervals."""
        return any(isinstance(case.coupling, Interval) for cases in self.cases.values() for case in cases)

    def gap(self, site: int) -> ir.Expression | None:
        """How wide the intervals of a site are in run 2; None if it has none, or unlike ones."""
        gaps = {case.coupling.gap for case in self.cases[site] if isinstance(case.coupling, Interval)}
        if len(gaps) != 1 or site not in self.contraction:
            return None
        factor, unit = self.contraction[site]
        lost = builders.arithmetic(ir.Operator.MULTIPLY, ir.Constant(factor, ir.Sort.REAL), unit)
        return builders.subtract(gaps.pop(), lost)

    def opaque_definitions(self) -> dict[str, ir.Expression]:
        """What the variables of prices mean that come from tails and intervals and are no parameters."""
        intervals = [case.coupling for cases in self.cases.values() for case in cases]
        numbers = [item.gap for item in intervals if isinstance(item, Interval)]
        numbers += [tail.limit for tail in self.tails.values()]
        return {name: part for number in numbers for name, part in opaque_parts(number).items()}

    def with_bounds(self, bounds: Mapping[CaseKey, tuple[Fraction, ir.Expression]]) -> Strategy:
        """The same couplings, with what one use of a case costs at the most, by site and number."""
        cases = {
            site: tuple(replace(case, bound=bounds.get((site, number))) for number, case in enumerate(cases))
            for site, cases in self.cases.items()
        }
        contraction = {site: bound for (site, number), bound in bounds.items() if number == Share.CONTRACTION}
        return replace(self, cases=cases, contraction=contraction)
