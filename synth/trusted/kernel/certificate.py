"""The certificate file: its schema, version 2, and its way into memory.  Nothing in it is believed.

All formulas are SMT-LIB terms; ``|x<1>|`` is a variable in run 1, ``|x<>|`` a public input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from synth.trusted.json_reader import Json, unprintable
from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import INT, REAL, BadTerm, Term, read
from synth.trusted.program.beside import Specification, specification_of
from synth.trusted.program.line_numbers import numbers_in, numbers_of
from synth.trusted.reasons import Reason
from synth.trusted.steps.rewriting import Fuse, Rate, SameNoise, Step

FORMAT, VERSION = "synth coupling proof", 2
SCHEMA, COMPOSE = "Schema", "Compose"
NO_MASS: Term = "0.0"

T = TypeVar("T")


@dataclass(frozen=True)
class Node:
    """One application of a rule: its own fields, its premises, and its path in the certificate."""

    rule: str
    fields: Mapping[str, Json]
    premises: tuple[Node, ...]
    place: str

    def reject(self, why: Reason) -> Rejected:
        return Rejected(self.rule, self.place, why)

    def only(self, fields: frozenset[str]) -> None:
        """Raises Rejected for a field that the rule doesn't have."""
        odd = self.fields.keys() - fields - {"line"}
        if odd:
            raise self.reject(Code.UNKNOWN_FIELDS(fields=", ".join(sorted(odd))))

    def term(self, field: str) -> Term:
        """A field that is a term.  Raises Rejected."""
        return _term(_get(self.fields, field, self.place), f"{self.place}.{field}")

    def terms(self, field: str) -> tuple[Term, ...]:
        """A field that lists terms, empty if left out.  Raises Rejected."""
        items = _list(self.fields.get(field, []), f"{self.place}.{field}")
        return tuple(_term(item, f"{self.place}.{field}") for item in items)

    def names(self, field: str) -> tuple[str, ...]:
        """A field that lists names, empty if left out.  Raises Rejected."""
        items = _list(self.fields.get(field, []), f"{self.place}.{field}")
        return tuple(_text(item, f"{self.place}.{field}") for item in items)


@dataclass(frozen=True)
class Order:
    """Which of the two runs has the larger entries of a monotone parameter: run 2, if ``upward``."""

    source: str
    upward: bool

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
    weight: Term
    bound: Term
    delta: Term
    order: Order | None = None
    square: Term | None = None

    @property
    def most(self) -> Term:
        """The bound, with what it is in the other order."""
        zero = "0" if self.sort == INT else "0.0"
        return self.bound if self.order is None else ("ite", self.order.holds, self.bound, zero)


@dataclass(frozen=True)
class Gaussian:
    """All uses of real Gaussian noise: Σ (distance/sigma)² is at most ``square``, and what that costs.

    A part of a program says only its square: the whole pays for all parts at once.
    """

    square: Term
    epsilon: Term = NO_MASS
    delta: Term = NO_MASS


@dataclass(frozen=True)
class Certificate:
    """What a certificate file says.

    ``text`` is a program's, or what the mechanism needs of it; then ``lines`` has the number in the file
    of each of its lines. ``core`` is the text of the core program, which is judged. ``epsilon`` is the
    bound proved, in nats, ``delta`` goes with it; ``claim_epsilon`` and ``claim_delta`` are what was
    claimed, in Python's syntax. ``events`` are the ghosts that hold what run 1 publishes next;
    ``entries`` what holds of each pair of entries of a private list; ``safety`` the invariants of single
    runs, by loop. A program that is proved in ``parts`` has ``cuts`` between them, and no derivation of
    its own ([Compose]). A part may have ``given`` facts about what was published before. Without
    ``gaussian`` no real Gaussian noise is moved. ``by_state`` numbers obligations of the program that are
    shown of what is known where control comes to them, also if they are about public inputs alone;
    ``factors`` are numbers of which it is said what a product with them is. ``steps`` lead from the core
    program to the one that the derivation is about.
    """

    tools: Mapping[str, str]
    text: str
    digest: str
    mechanism: str
    core: str
    claim_epsilon: str | None
    claim_delta: str | None
    epsilon: Term
    delta: Term
    costs: Mapping[str, Cost]
    events: Mapping[str, str]
    entries: Mapping[str, Term]
    safety: Mapping[str, Term]
    derivation: Node
    cuts: tuple[int, ...] = ()
    parts: tuple[Certificate, ...] = ()
    given: tuple[Term, ...] = ()
    gaussian: Gaussian | None = None
    by_state: tuple[int, ...] = ()
    factors: tuple[Fraction, ...] = ()
    lines: tuple[int, ...] = ()
    specification: Specification | None = None
    unread: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()


NUMERAL = re.compile("-?[0-9]{1,1300}(/[1-9][0-9]{0,1299})?")
_TEXT = re.compile(r"program\.text|program\.specification\.files\.[ -~]+|core|steps\.[0-9]+\.(program|text)")
"""What has line ends."""

_DERIVED = {"proved", "costs", "events", "entries", "derivation"}


def read_certificate(data: Json) -> Certificate:
    """The certificate in a JSON value.  Raises Rejected where it doesn't follow the schema."""
    composed = isinstance(data, dict) and "parts" in data
    own = {"proved", "cuts", "parts"} if composed else _DERIVED
    own = own | _present(data, "gaussian", "by_state", "factors", "steps")
    match data:
        case {"format": "synth coupling proof", "version": int(found)} if (
            0 < found < VERSION and found is not True
        ):
            raise Rejected(SCHEMA, "format", Code.OLD_VERSION(found=found))
    known = {"format", "version", "tools", "program", "core", "claim", "safety"}
    top = _object(data, "certificate", known | own)
    for place in unprintable(data, ""):
        if _TEXT.fullmatch(place) is None:
            raise Rejected(SCHEMA, place, Code.UNPRINTABLE_TEXT())
    if top["format"] != FORMAT or isinstance(top["version"], bool) or top["version"] != VERSION:
        raise Rejected(SCHEMA, "format", Code.OTHER_FORMAT(format=FORMAT, version=VERSION))
    about = top["program"]
    known = {"text", "sha256", "mechanism"} | _present(about, "lines", "specification", "unread")
    program = _object(about, "program", known)
    claim = _object(top["claim"], "claim", {"epsilon", "delta"})
    proved = _object(top["proved"], "proved", {"epsilon", "delta"})
    numbers = _lines(program)
    whole = Certificate(
        tools=_members(top["tools"], "tools", _text),
        text=_text(program["text"], "program.text"),
        lines=numbers,
        specification=_specification(program),
        unread=_unread(program),
        digest=_text(program["sha256"], "program.sha256"),
        mechanism=_text(program["mechanism"], "program.mechanism"),
        core=_text(top["core"], "core"),
        claim_epsilon=_optional(claim["epsilon"], "claim.epsilon"),
        claim_delta=_optional(claim["delta"], "claim.delta"),
        epsilon=_term(proved["epsilon"], "proved.epsilon"),
        delta=_mass(proved["delta"], "proved.delta"),
        costs={},
        events={},
        entries={},
        safety=_members(top["safety"], "safety", _term),
        derivation=Node(COMPOSE, {}, (), "parts"),
        gaussian=_gaussian(top, "gaussian", {"epsilon", "delta"}),
        factors=tuple(_number(item, "factors") for item in _list(top.get("factors", []), "factors")),
        by_state=_naturals(top.get("by_state", []), "by_state"),
        steps=tuple(
            _step(item, f"steps.{place}", numbers)
            for place, item in enumerate(_list(top.get("steps", []), "steps"))
        ),
    )
    if not composed:
        return _derived(whole, top, "")
    cuts = _naturals(top["cuts"], "cuts")
    parts = _list(top["parts"], "parts")
    if len(parts) != len(cuts) + 1:
        raise Rejected(SCHEMA, "parts", Code.CUTS_WITHOUT_PARTS(cuts=len(cuts), parts=len(cuts) + 1))
    derived = tuple(_part(whole, item, f"parts.{place}") for place, item in enumerate(parts))
    return replace(whole, cuts=cuts, parts=derived)


def _step(data: Json, place: str, numbers: tuple[int, ...]) -> Step:
    """A step to another program; its lines get their numbers in the file."""

    def shown(lines: Json) -> tuple[int, ...]:
        found = _naturals(lines, f"{place}.lines")
        return tuple(numbers[line - 1] if 0 < line <= len(numbers) else line for line in found)

    match data:
        case {"step": "SameNoise"}:
            item = _object(data, place, {"step", "program", "draws", "lines"})
            draws = tuple(
                None if draw is None else _natural(draw, f"{place}.draws")
                for draw in _list(item["draws"], f"{place}.draws")
            )
            return SameNoise(_text(item["program"], place), draws, shown(item["lines"]))
        case {"step": "Fuse"}:
            item = _object(data, place, {"step", "place", "length", "text", "sums", "lines"})
            return Fuse(
                _naturals(item["place"], f"{place}.place"),
                _natural(item["length"], f"{place}.length"),
                _text(item["text"], place),
                tuple(_sums(pair, f"{place}.sums") for pair in _list(item["sums"], f"{place}.sums")),
                shown(item["lines"]),
            )
        case {"step": "Rate"}:
            item = _object(data, place, {"step", "place", "law"})
            return Rate(_naturals(item["place"], f"{place}.place"), _text(item["law"], f"{place}.law"))
    raise Rejected(SCHEMA, place, Code.NOT_A_STEP())


def _sums(data: Json, place: str) -> tuple[str | None, str | None]:
    match data:
        case [(str() | None) as expected, (str() | None) as mass]:
            return expected, mass
    raise Rejected(SCHEMA, place, Code.NOT_A_STEP())


def _naturals(data: Json, place: str) -> tuple[int, ...]:
    return tuple(_natural(item, place) for item in _list(data, place))


def _part(whole: Certificate, data: Json, place: str) -> Certificate:
    fields = _object(data, place, _DERIVED | _present(data, "given", "gaussian"))
    given = _list(fields.get("given", []), f"{place}.given")
    known = tuple(_term(item, f"{place}.given") for item in given)
    gaussian = _gaussian(fields, f"{place}.gaussian", set())
    return replace(_derived(replace(whole, safety={}), fields, f"{place}."), given=known, gaussian=gaussian)


def _gaussian(data: Mapping[str, Json], place: str, paid: set[str]) -> Gaussian | None:
    """``gaussian``; of what it costs it may say these fields."""
    if "gaussian" not in data:
        return None
    inner = data["gaussian"]
    fields = _object(inner, place, {"square"} | (_present(inner, "epsilon", "delta") & paid))
    epsilon, delta = (_mass(fields.get(name, "0"), f"{place}.{name}") for name in ("epsilon", "delta"))
    return Gaussian(_term(fields["square"], f"{place}.square"), epsilon, delta)


def _derived(whole: Certificate, data: Mapping[str, Json], place: str) -> Certificate:
    """What is derived of the program, or of a part of it."""
    proved = _object(data["proved"], f"{place}proved", {"epsilon", "delta"})
    return replace(
        whole,
        epsilon=_term(proved["epsilon"], f"{place}proved.epsilon"),
        delta=_mass(proved["delta"], f"{place}proved.delta"),
        costs=_members(data["costs"], f"{place}costs", _cost),
        events=_members(data["events"], f"{place}events", _text),
        entries=_members(data["entries"], f"{place}entries", _term),
        derivation=_node(data["derivation"], f"{place}derivation"),
    )


def _lines(program: Mapping[str, Json]) -> tuple[int, ...]:
    """Where the lines of the program's text stand."""
    try:
        text = _text(program["text"], "program.text")
        return numbers_of(program["lines"], text) if "lines" in program else ()
    except ValueError:
        raise Rejected(SCHEMA, "program.lines", Code.NOT_THE_LINES()) from None


def _specification(program: Mapping[str, Json]) -> Specification | None:
    """What is stated beside the program's text."""
    try:
        return specification_of(program["specification"]) if "specification" in program else None
    except ValueError as error:
        raise Rejected(SCHEMA, "program.specification", Code.NO_SPECIFICATION(error=str(error))) from None


def _unread(program: Mapping[str, Json]) -> tuple[int, ...]:
    """The lines of the file that the document says aren't read."""
    try:
        return numbers_in(program.get("unread", []))
    except ValueError:
        raise Rejected(SCHEMA, "program.unread", Code.NOT_THE_LINES()) from None


def _natural(data: Json, place: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or data < 0:
        raise Rejected(SCHEMA, place, Code.NOT_A_NATURAL())
    return data


def _number(data: Json, place: str) -> Fraction:
    """A numeral, such as 2, -1 or 1/2."""
    text = _text(data, place)
    if NUMERAL.fullmatch(text) is None:
        raise Rejected(SCHEMA, place, Code.NOT_A_NUMERAL())
    return Fraction(text)


_RULE = re.compile("[A-Za-z][A-Za-z-]{0,29}")


def _node(data: Json, place: str) -> Node:
    if not isinstance(data, dict):
        raise Rejected(SCHEMA, place, Code.NOT_AN_OBJECT())
    rule = _text(_get(data, "rule", place), f"{place}.rule")
    if _RULE.fullmatch(rule) is None:
        raise Rejected(SCHEMA, f"{place}.rule", Code.NOT_A_RULE_NAME())
    inner = _list(data.get("premises", []), f"{place}.premises")
    premises = tuple(_node(item, f"{place}.{number}") for number, item in enumerate(inner))
    fields = {key: item for key, item in data.items() if key not in ("rule", "premises")}
    return Node(rule, fields, premises, place)


def _cost(data: Json, place: str) -> Cost:
    if _present(data, "square"):
        return _counted_square(_object(data, place, {"sort", "square", "bound"}), place)
    item = _object(data, place, {"sort", "weight", "bound"} | _present(data, "delta", "order"))
    sort = _text(item["sort"], place)
    if sort not in (INT, REAL):
        raise Rejected(SCHEMA, place, Code.COST_WITHOUT_SORT())
    weight, bound = (_term(item[key], f"{place}.{key}") for key in ("weight", "bound"))
    delta = _mass(item.get("delta", "0"), f"{place}.delta")
    order = _order(item["order"], f"{place}.order") if "order" in item else None
    if order is not None and delta != NO_MASS:
        raise Rejected(SCHEMA, place, Code.COST_WITH_ORDER())
    return Cost(sort, weight, bound, delta, order)


def _counted_square(item: Mapping[str, Json], place: str) -> Cost:
    if item["sort"] != INT:
        raise Rejected(SCHEMA, place, Code.COST_OF_SQUARES())
    square, bound = (_term(item[key], f"{place}.{key}") for key in ("square", "bound"))
    return Cost(INT, NO_MASS, bound, NO_MASS, square=square)


def _order(data: Json, place: str) -> Order:
    match data:
        case [str(source), bool(upward)]:
            return Order(source, upward)
        case _:
            raise Rejected(SCHEMA, place, Code.NOT_AN_ORDER())


def _mass(data: Json, place: str) -> Term:
    """A δ; left out, or "0" for none."""
    found = _term(data, place)
    return NO_MASS if found == "0" else found


def _present(data: Json, *keys: str) -> set[str]:
    """Which of these an object has."""
    return set(keys) & data.keys() if isinstance(data, dict) else set()


def _object(data: Json, place: str, keys: set[str]) -> dict[str, Json]:
    if not isinstance(data, dict):
        raise Rejected(SCHEMA, place, Code.NOT_AN_OBJECT())
    if data.keys() != keys:
        odd = ", ".join(sorted(data.keys() ^ keys))
        raise Rejected(SCHEMA, place, Code.WRONG_FIELDS(fields=odd))
    return data


def _members(data: Json, place: str, read_one: Callable[[Json, str], T]) -> dict[str, T]:
    if not isinstance(data, dict):
        raise Rejected(SCHEMA, place, Code.NOT_AN_OBJECT())
    return {key: read_one(item, f"{place}.{key}") for key, item in data.items()}


def _get(data: Mapping[str, Json], key: str, place: str) -> Json:
    if key not in data:
        raise Rejected(SCHEMA, place, Code.MISSING_FIELD(field=key))
    return data[key]


def _list(data: Json, place: str) -> list[Json]:
    if not isinstance(data, list):
        raise Rejected(SCHEMA, place, Code.NOT_A_LIST())
    return data


def _text(data: Json, place: str) -> str:
    if not isinstance(data, str):
        raise Rejected(SCHEMA, place, Code.NOT_A_STRING())
    return data


def _optional(data: Json, place: str) -> str | None:
    return None if data is None else _text(data, place)


def _term(data: Json, place: str) -> Term:
    try:
        return read(_text(data, place))
    except BadTerm as error:
        raise Rejected(SCHEMA, place, error.why) from None
