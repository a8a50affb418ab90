"""The certificate file: its schema, version 2, and its way into memory.  Nothing in it is believed.

All formulas are SMT-LIB terms; ``|x<1>|`` is a variable in run 1, ``|x<>|`` a public input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, get_args

from synth.trusted.json_reader import Json, unprintable
from synth.trusted.kernel.decoding import NO_MASS, Formula, Mass, decode, members, record, refused
from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import INT, REAL, Term
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification, specification_of
from synth.trusted.program.line_numbers import numbers_in, numbers_of
from synth.trusted.reasons import Reason
from synth.trusted.steps.rewriting import Fuse, SameNoise, Step

FORMAT, VERSION = "synth coupling proof", 2
COMPOSE = "Compose"

_RULE = re.compile("[A-Za-z][A-Za-z-]{0,29}")


@dataclass(frozen=True)
class Node:
    """One application of a rule: its own fields, its premises, and its path in the certificate."""

    rule: str
    fields: Mapping[str, Json]
    premises: tuple[Node, ...]
    place: str

    @classmethod
    def decoded(cls, data: Json, place: str) -> Node:
        """The node that an object stands for.  Raises Rejected."""
        fields = dict(members(data, place))
        rule, premises = fields.pop("rule", None), fields.pop("premises", [])
        if not isinstance(rule, str) or _RULE.fullmatch(rule) is None:
            raise refused(f"{place}.rule", Code.NOT_A_RULE_NAME())
        if not isinstance(premises, list):
            raise refused(f"{place}.premises", Code.NOT_A_LIST())
        inner = (cls.decoded(item, f"{place}.{number}") for number, item in enumerate(premises))
        return cls(rule, fields, tuple(inner), place)

    def reject(self, why: Reason) -> Rejected:
        return Rejected(self.rule, self.place, why)

    def only(self, fields: frozenset[str]) -> None:
        """Raises Rejected for a field that the rule doesn't have."""
        odd = self.fields.keys() - fields - {"line"}
        if odd:
            raise self.reject(Code.UNKNOWN_FIELDS(fields=", ".join(sorted(odd))))

    def term(self, field: str) -> Term:
        """A field that is a term.  Raises Rejected."""
        found: Term = self.value(Formula, field)
        return found

    def terms(self, field: str) -> tuple[Term, ...]:
        """A field that lists terms, empty if left out.  Raises Rejected."""
        return self.listed(Formula, field)

    def names(self, field: str) -> tuple[str, ...]:
        """A field that lists names, empty if left out.  Raises Rejected."""
        return self.listed(str, field)

    def payment(self, field: str) -> tuple[str, Term]:
        """A field that is a pair of a cost and an amount.  Raises Rejected."""
        found: tuple[str, Term] = self.value(tuple[str, Formula], field)
        return found

    def interval(self, field: str) -> tuple[Term, Term]:
        """A field that is a pair of a lower and an upper end.  Raises Rejected."""
        found: tuple[Term, Term] = self.value(tuple[Formula, Formula], field)
        return found

    def value(self, kind: Any, field: str) -> Any:
        """A field of a type.  Raises Rejected."""
        if field not in self.fields:
            raise refused(self.place, Code.MISSING_FIELD(field=field))
        return decode(kind, self.fields[field], f"{self.place}.{field}")

    def listed(self, kind: Any, field: str) -> tuple[Any, ...]:
        """A field that lists values of a type, empty if left out.  Raises Rejected."""
        found: tuple[Any, ...] = self.value(tuple[kind, ...], field) if field in self.fields else ()
        return found


def at(rule: str, place: str) -> Node:
    """A node for what a rule asks for that no field or premise says more of."""
    return Node(rule, {}, (), place)


@dataclass(frozen=True)
class Order:
    """Which of the two runs has the larger entries of a monotone parameter: run 2, if ``upward``."""

    source: str
    upward: bool

    @classmethod
    def decoded(cls, data: Json, place: str) -> Order:
        """The order that a pair stands for.  Raises Rejected."""
        match data:
            case [str(source), bool(upward)]:
                return cls(source, upward)
        raise refused(place, Code.NOT_AN_ORDER())

    @property
    def holds(self) -> Term:
        """That this is the order of the two inputs."""
        symbol = f"|{self.source}#upward|"
        return symbol if self.upward else ("not", symbol)


@dataclass(frozen=True)
class Cost:
    """A ghost counter: what one unit of it costs, in nats and in mass, and how far it may go.

    With an ``order`` it goes so far in that order of the two inputs, and in the other one stays 0.  One with
    a ``square`` costs neither: it counts uses of real Gaussian noise, each unit (distance/sigma)² = square.
    """

    sort: str
    weight: Formula
    bound: Formula
    delta: Mass = NO_MASS
    order: Order | None = None
    square: Term | None = None

    @classmethod
    def decoded(cls, data: Json, place: str) -> Cost:
        """The cost that an object stands for; what counts squares has no weight.  Raises Rejected."""
        if "square" in members(data, place):
            counted = record(_Squares, data, place)
            if counted.sort not in (INT, REAL):
                raise refused(place, Code.COST_WITHOUT_SORT())
            return cls(counted.sort, NO_MASS, counted.bound, square=counted.square)
        found: Cost = record(cls, data, place, square=None)
        if found.sort not in (INT, REAL):
            raise refused(place, Code.COST_WITHOUT_SORT())
        if found.order is not None and found.delta != NO_MASS:
            raise refused(place, Code.COST_WITH_ORDER())
        return found

    @property
    def most(self) -> Term:
        """The bound, with what it is in the other order."""
        zero = "0" if self.sort == INT else "0.0"
        return self.bound if self.order is None else ("ite", self.order.holds, self.bound, zero)


@dataclass(frozen=True)
class _Squares:
    """What a document says of a cost that counts squares."""

    sort: str
    square: Formula
    bound: Formula


def _notion(data: Json, place: str) -> ir.Notion:
    for notion in ir.Notion:
        if data == notion.value:
            return notion
    raise refused(place, Code.NO_SUCH_NOTION())


@dataclass(frozen=True)
class Gaussian:
    """All uses of noise whose squares are summed up: Σ (distance/scale)² is at most ``square``.

    ``epsilon`` and ``delta`` are what that costs.  With a ``notion`` it costs nothing there: a claim of that
    notion is held against the square itself.  A part of a program says only its square, and the notion: the
    whole pays for all parts at once.
    """

    square: Formula
    epsilon: Mass = NO_MASS
    delta: Mass = NO_MASS
    notion: Annotated[ir.Notion | None, _notion] = None


_TEXT = re.compile(r"program\.text|program\.specification\.files\.[ -~]+|core|steps\.[0-9]+\.(program|text)")
"""What has line ends."""

_STEPS: dict[str, type] = {item.rule: item for item in get_args(Step)}


def _runs(data: Json, _: str) -> Json:
    """As it is: which lines it stands for depends on the text."""
    return data


def _specification(data: Json, place: str) -> Specification:
    try:
        return specification_of(data)
    except ValueError as error:
        raise refused(place, Code.NO_SPECIFICATION(error=str(error))) from None


def _unread(data: Json, place: str) -> tuple[int, ...]:
    try:
        return numbers_in(data)
    except ValueError:
        raise refused(place, Code.NOT_THE_LINES()) from None


def _squares(data: Json, place: str) -> Gaussian:
    """The noise of a part: the whole pays for it."""
    found: Gaussian = record(Gaussian, data, place, epsilon=NO_MASS, delta=NO_MASS)
    return found


def _true(data: Json, place: str) -> bool:
    if data is not True:
        raise refused(place, Code.NOT_TRUE())
    return True


def _parts(data: Json, place: str) -> tuple[Part, ...]:
    found: tuple[Part, ...] = decode(tuple[Part, ...], data, place)
    return found


def _step(data: Json, place: str) -> Step:
    match data:
        case {"step": str(name)} if name in _STEPS:
            fields = {key: item for key, item in members(data, place).items() if key != "step"}
            found: Step = record(_STEPS[name], fields, place)
            return found
    raise refused(place, Code.NOT_A_STEP())


def _steps(data: Json, place: str) -> tuple[Step, ...]:
    found: tuple[Step, ...] = decode(tuple[Annotated[Step, _step], ...], data, place)
    return found


@dataclass(frozen=True)
class Program:
    """The text of a program, or what the mechanism needs of it.

    Then ``lines`` has the number in the file of each of its lines.  ``unread`` are lines of the file of which
    nothing is believed.
    """

    text: str
    sha256: str
    mechanism: str
    lines: Annotated[tuple[int, ...], _runs] = ()
    specification: Annotated[Specification | None, _specification] = None
    unread: Annotated[tuple[int, ...], _unread] = ()

    @classmethod
    def decoded(cls, data: Json, place: str) -> Program:
        """The program that an object stands for.  Raises Rejected."""
        found: Program = record(cls, data, place)
        if "lines" not in members(data, place):
            return found
        try:
            return replace(found, lines=numbers_of(found.lines, found.text))
        except ValueError:
            raise refused(f"{place}.lines", Code.NOT_THE_LINES()) from None


@dataclass(frozen=True)
class Claim:
    """What was claimed, in Python's syntax."""

    epsilon: str | None
    delta: str | None
    gdp: str | None = None
    zcdp: str | None = None


@dataclass(frozen=True)
class Bounds:
    """What is proved, in nats, and the mass that goes with it."""

    epsilon: Formula
    delta: Mass


@dataclass(frozen=True, kw_only=True)
class Part:
    """What is derived of the program, or of a part of it.

    ``events`` are the ghosts that hold what run 1 publishes next; ``entries`` what holds of each pair of
    entries of a private list.  A part may have ``given`` facts about what was published before.  Without
    ``gaussian`` no real Gaussian noise is moved.  Of a part that is ``retried`` it is all about one round.
    """

    proved: Bounds
    costs: Mapping[str, Cost]
    events: Mapping[str, str]
    entries: Mapping[str, Formula]
    derivation: Node
    given: tuple[Formula, ...] = ()
    gaussian: Annotated[Gaussian | None, _squares] = None
    retried: Annotated[bool, _true] = False


@dataclass(frozen=True, kw_only=True)
class Certificate(Part):
    """What a certificate file says.

    ``core`` is the text of the core program, ``steps`` lead from it to the one that the derivation is about;
    ``safety`` are the invariants of single runs, by loop.  A program that is proved in ``parts`` has ``cuts``
    between them, and no derivation of its own ([Compose]).  ``by_state`` numbers obligations of the program
    that are shown of what is known where control comes to them, also if they are about public inputs alone;
    ``by_reals`` numbers those that are shown over the reals, each with what is given there;
    ``factors`` are numbers of which it is said what a product with them is, ``magnitudes`` terms over
    public numbers with which the sizes of factors are compared.  With ``sampled`` the core program takes a
    sample of its records: all but ``proved`` and the claim is about the program that takes every record, of
    which ``sampled`` is proved.
    """

    format: str
    version: int
    tools: Mapping[str, str]
    program: Program
    core: str
    claim: Claim
    safety: Mapping[str, Formula]
    gaussian: Gaussian | None = None
    cuts: tuple[int, ...] = ()
    parts: Annotated[tuple[Certificate, ...], _parts] = ()
    by_state: tuple[int, ...] = ()
    by_reals: tuple[tuple[int, tuple[Formula, ...]], ...] = ()
    factors: tuple[Fraction, ...] = ()
    magnitudes: tuple[Formula, ...] = ()
    sampled: Bounds | None = None
    steps: Annotated[tuple[Step, ...], _steps] = ()


def read_certificate(data: Json) -> Certificate:
    """The certificate in a JSON value.  Raises Rejected where it doesn't follow the schema."""
    match data:
        case {"format": "synth coupling proof", "version": int(found)} if (
            0 < found < VERSION and found is not True
        ):
            raise refused("format", Code.OLD_VERSION(found=found))
    for place in unprintable(data, ""):
        if _TEXT.fullmatch(place) is None:
            raise refused(place, Code.UNPRINTABLE_TEXT())
    composed = isinstance(data, dict) and "parts" in data
    nothing = Node(COMPOSE, {}, (), "parts")
    empty: dict[str, object] = {"costs": {}, "events": {}, "entries": {}, "derivation": nothing}
    known: dict[str, object] = empty if composed else {"cuts": (), "parts": ()}
    whole: Certificate = record(Certificate, data, "", given=(), retried=False, **known)
    if (whole.format, whole.version) != (FORMAT, VERSION):
        raise refused("format", Code.OTHER_FORMAT(format=FORMAT, version=VERSION))
    cuts = len(whole.cuts)
    if composed and len(whole.parts) != cuts + 1:
        raise refused("parts", Code.CUTS_WITHOUT_PARTS(cuts=cuts, parts=cuts + 1))
    alone = replace(whole, safety={}, cuts=(), parts=(), sampled=None)
    parts = tuple(replace(alone, **vars(part)) for part in whole.parts)
    steps = tuple(_in_file(step, whole.program.lines) for step in whole.steps)
    return replace(whole, parts=parts, steps=steps)


def _in_file(step: Step, lines: tuple[int, ...]) -> Step:
    """The step with the numbers in the file of the lines that it shows."""
    if not isinstance(step, SameNoise | Fuse) or not lines:
        return step
    shown = (lines[line - 1] if 0 < line <= len(lines) else line for line in step.lines)
    return replace(step, lines=tuple(shown))
