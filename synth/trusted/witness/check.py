"""``synth check`` on a witness: adjacency, the claim's value, and the probabilities by another method.

The program is read as everywhere; nothing else is shared with the search.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from fractions import Fraction
from typing import Any

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.claim import NO_CLAIM, Claim, with_claim
from synth.trusted.frontend.reader import read_source
from synth.trusted.json_reader import DECIMALS, read_json, unprintable
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import specification_of
from synth.trusted.program.builders import MAX_BITS
from synth.trusted.program.line_numbers import numbers_in, numbers_of
from synth.trusted.reasons import Coded, Reason
from synth.trusted.witness.backward import Backward, Fineness, Range, TargetOutput, Wanted
from synth.trusted.witness.boxes import Incomplete, Scope, Undefined, bounded, evaluate, number
from synth.trusted.witness.chances import NEVER, Chance, exponential, of_fraction
from synth.trusted.witness.codes import Code
from synth.trusted.witness.functions import DOWN, UP
from synth.trusted.witness.implied import implied_delta
from synth.trusted.witness.values import Box, Infinity, Number, Truth, Value, box

VALID, INVALID, INCOMPLETE = "valid", "invalid", "incomplete"
_WIDTHS = tuple(Fraction(1, 2**bits) for bits in (1, 2, 4, 6, 8, 12, 24, 48))

_NUMERAL = re.compile(r"[-+]?[0-9]+(?:/0*[1-9][0-9]*|(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?)")
"""Exponents have three digits at the most."""

Entries = dict[tuple[int, ...], Value]


@dataclass(frozen=True)
class Found:
    """What was computed again: the claim's value at the parameters, probabilities, what ε must be at least.

    The latter is infinite where no ε is enough.
    """

    epsilon: Number
    delta: Number
    left: Chance
    right: Chance
    least: Decimal


@dataclass(frozen=True)
class Verdict:
    """``verdict`` is valid, invalid or incomplete (too hard for this method); ``why`` it is not valid."""

    verdict: str
    why: Reason | None = None
    found: Found | None = None

    @property
    def reason(self) -> str | None:
        """The text."""
        return None if self.why is None else str(self.why)

    @property
    def code(self) -> Coded | None:
        """What is wrong, or that it is too hard."""
        return None if self.why is None else self.why.code


class _Bad(Exception):
    """The witness is wrong."""

    def __init__(self, why: Reason) -> None:
        super().__init__(why)
        self.why = why


def read_witness(text: str) -> dict[str, Any] | None:
    """The document, if it is a witness against a claim.  Raises JsonError."""
    if '"witness"' not in text:
        return None
    document: Any = read_json(text, DECIMALS)
    if not isinstance(document, dict) or document.get("kind") != "witness":
        return None
    return document


def mechanism_of(document: Mapping[str, Any]) -> ir.Mechanism:
    """The mechanism that a document is about, with the program's own claim.  Raises ProgramError."""
    name, text = document.get("mechanism"), document.get("program")
    if not isinstance(name, str) or not isinstance(text, str):
        raise ProgramError(
            "the document has no program with the name of a mechanism",
            "the program",
            code=Refusal.NO_MECHANISM,
        )
    try:
        lines = numbers_of(document["lines"], text) if "lines" in document else ()
    except ValueError as error:
        message = f"'lines' of the document: {error}"
        raise ProgramError(message, "the program", code=Refusal.FILE_UNREADABLE) from None
    try:
        given = specification_of(document["specification"]) if "specification" in document else None
    except ValueError as error:
        message = f"'specification' of the document: {error}"
        raise ProgramError(message, "the program", code=Refusal.FILE_UNREADABLE) from None
    specified = {} if given is None else {name: given}
    found = [item for item in read_source(text, "the program", lines, specified) if item.name == name]
    if not found:
        raise ProgramError(f"no mechanism '{name}' in the program", "the program", code=Refusal.NO_MECHANISM)
    return found[0]


def unread_of(document: Mapping[str, Any]) -> tuple[int, ...]:
    """The lines of the file that the document says aren't read; none where that is no list of lines."""
    try:
        return numbers_in(document.get("unread", []))
    except ValueError:
        return ()


def claim_of(document: Mapping[str, Any]) -> Claim:
    """The claim that a document states, None for the program's own.  Raises ProgramError."""
    bounds = {name: document.get(name) for name in vars(NO_CLAIM)}
    for text in bounds.values():
        if not isinstance(text, str | None):
            raise ProgramError(
                "the claim of the document is no text", "the program", code=Refusal.WRONG_CLAIM
            )
    return Claim(**bounds)


def check_witness(document: Mapping[str, Any], *, seconds: float = 60, claim: Claim | None = None) -> Verdict:
    """Check a witness document; raises nothing.

    Its fields: ``program`` (text), ``lines`` (where it stands in its file; may be left out), ``mechanism``
    (name), ``epsilon`` and ``delta``, or ``gdp``, or ``zcdp`` (the claim that it states; left out or None for
    the program's own) and ``witness`` (as ``synth refute --json`` gives it).  What must
    be refuted is ``claim``, where it differs from the program's own; left out, that of the document.
    """
    try:
        for place in unprintable({**document, "program": None}, ""):
            raise _Bad(Code.WITNESS_UNPRINTABLE(place=place))
        mechanism = with_claim(mechanism_of(document), claim_of(document) if claim is None else claim)
        return _checked(mechanism, _field(document, "witness", "the document"), time.monotonic() + seconds)
    except _Bad as error:
        return Verdict(INVALID, error.why)
    except ProgramError as error:
        return Verdict(INVALID, Code.WITNESS_PROGRAM_REFUSED(error=error.message))
    except Incomplete as error:
        return Verdict(INCOMPLETE, Code.WITNESS_TOO_HARD(problem=str(error)))
    except RecursionError:
        return Verdict(INCOMPLETE, Code.WITNESS_TOO_HARD(problem="nested too deeply for this method"))
    except (OverflowError, DecimalException):
        return Verdict(INCOMPLETE, Code.WITNESS_TOO_HARD(problem="a number too large for this method"))
    except Undefined as error:
        return Verdict(INVALID, Code.WITNESS_UNDEFINED(problem=str(error)))
    except ValueError:  # of what is compared part by part
        problem = "its outputs do not have the form of the program's"
        return Verdict(INVALID, Code.WITNESS_MALFORMED(problem=problem))
    except (KeyError, TypeError, AttributeError, IndexError, ZeroDivisionError) as error:
        return Verdict(INVALID, Code.WITNESS_MALFORMED(problem=f"{type(error).__name__}: {error}"))


def _checked(mechanism: ir.Mechanism, witness: Any, deadline: float) -> Verdict:
    if mechanism.facts:
        raise _Bad(Code.WITNESS_OF_FACTS())
    left, right = (_Input.of(mechanism, witness, side) for side in ("left", "right"))
    if not mechanism.is_claimed:
        raise _Bad(Code.WITNESS_WITHOUT_CLAIM())
    for run in (left, right):
        if run.value(mechanism.requires) is not Truth.TRUE:
            raise _Bad(Code.WITNESS_OUTSIDE_REQUIRES())
    _require_adjacent(mechanism, left, right)
    epsilon, delta = _claimed(mechanism, left, witness)
    wishes = [_wish(event) for event in _list(_field(witness, "events"), "'events'")]
    if not wishes or any(_overlap(one, two) for place, one in enumerate(wishes) for two in wishes[:place]):
        raise _Bad(Code.WITNESS_OUTPUTS_OVERLAP())
    return _compared(mechanism, (left, right), wishes, epsilon, delta, witness, deadline)


def _claimed(mechanism: ir.Mechanism, public: _Input, witness: Any) -> tuple[Number, Number]:
    """ε and δ at these parameters; of another notion, the pair that the witness names."""
    if mechanism.divergence is None:
        assert mechanism.epsilon is not None
        delta = 0 if mechanism.delta is None else number(public.value(mechanism.delta))
        return number(public.value(mechanism.epsilon)), delta
    epsilon = _numeral(_field(witness, "epsilon"))
    zcdp = mechanism.divergence.notion is ir.Notion.ZCDP
    order = _numeral(_field(witness, "order")) if zcdp else None
    bound = bounded(box(number(public.value(mechanism.divergence.bound))).high)
    if epsilon < 0 or bound <= 0 or (order is not None and order <= 1):
        problem = "a pair that follows from the claim has 0 <= epsilon, 0 < bound and 1 < order"
        raise _Bad(Code.WITNESS_MALFORMED(problem=problem))
    return epsilon, implied_delta(mechanism.divergence.notion, bound, epsilon, order)


def _compared(
    mechanism: ir.Mechanism,
    runs: tuple[_Input, _Input],
    wishes: list[TargetOutput],
    epsilon: Number,
    delta: Number,
    witness: Any,
    deadline: float,
) -> Verdict:
    """Probabilities as fine as it takes to decide."""
    factor, rest = _over(epsilon, exponential), _over(delta, of_fraction)
    claimed = [_ends(_field(witness, f"probability_{side}")) for side in ("left", "right")]
    stated = _field(witness, "epsilon_at_least")
    loss = Decimal("Infinity") if stated is None else _decimal(stated, "'epsilon_at_least'")
    negligible = max(max(claimed[0]), Decimal("1e-300")) / 10**2
    for width in _WIDTHS:
        one, two = (
            _total(mechanism, run, wishes, Fineness(width, negligible / share, deadline))
            for run, share in zip(
                runs, (Decimal(1), factor.high if rest.high == 0 else Decimal(1)), strict=True
            )
        )
        for found, (low, high) in zip((one, two), claimed, strict=True):
            if found.low > high or found.high < low:
                raise _Bad(Code.WITNESS_PROBABILITIES_WRONG())
        bound = two.times(factor).plus(rest)
        if one.low > bound.high:
            least, most = _losses(one, two, rest)
            if loss > most:
                raise _Bad(Code.WITNESS_LOSS_OVERSTATED())
            return Verdict(VALID, None, Found(epsilon, delta, one, two, least))
        if one.high <= bound.low:
            raise _Bad(Code.WITNESS_WITHIN_CLAIM())
        negligible = min(negligible / 10**3, max(one.high, Decimal("1e-300")) / 10**4)
    raise Incomplete("the probabilities are too close to the claim for this method")


def _losses(one: Chance, two: Chance, rest: Chance) -> tuple[Decimal, Decimal]:
    """At most ln((p1 − δ)/p2), where p1 surely is larger than δ; and at least ln(p1/p2)."""
    infinite, low = Decimal("Infinity"), DOWN.subtract(one.low, rest.high)
    least = infinite if two.high == 0 else DOWN.next_minus(DOWN.ln(DOWN.divide(low, two.high)))
    most = infinite if two.low == 0 else UP.next_plus(UP.ln(UP.divide(one.high, two.low)))
    return least, most


def _total(mechanism: ir.Mechanism, run: _Input, wishes: list[TargetOutput], fineness: Fineness) -> Chance:
    total = NEVER
    for wish in wishes:
        engine = Backward(mechanism, wish, run.entries, run.lengths, fineness)
        total = total.plus(engine.chance(run.scalars))
    return total


# --- what the document says -----------------------------------------------------------------


def _object(content: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        raise _Bad(Code.WITNESS_MALFORMED(problem=f"{what} is no object"))
    return content


def _field(content: Any, name: str, what: str = "'witness'") -> Any:
    """The field of that name of an object, which is called ``what``."""
    if name not in _object(content, what):
        raise _Bad(Code.WITNESS_MALFORMED(problem=f"{what} has no '{name}'"))
    return content[name]


def _list(content: Any, what: str) -> Sequence[Any]:
    if not isinstance(content, list | tuple):
        raise _Bad(Code.WITNESS_MALFORMED(problem=f"{what} is no list"))
    return content


def _decimal(content: Any, what: str) -> Decimal:
    if isinstance(content, bool) or not isinstance(content, int | float | Decimal):
        raise _Bad(Code.WITNESS_MALFORMED(problem=f"{what} is no number"))
    return Decimal(str(content))


def _ends(content: Any) -> tuple[Decimal, Decimal]:
    """The ends of an interval."""
    match _list(content, "a probability"):
        case [low, high]:
            return _decimal(low, "an end of a probability"), _decimal(high, "an end of a probability")
    raise _Bad(Code.WITNESS_MALFORMED(problem="a probability is no pair of numbers"))


@dataclass(frozen=True)
class _Input:
    """The values of all parameters in one run."""

    scalars: dict[str, Value]
    entries: dict[str, Entries]
    lengths: dict[str, int]

    @staticmethod
    def of(mechanism: ir.Mechanism, witness: Any, side: str) -> _Input:
        """From the fields of a witness."""
        given = {place: _object(_field(witness, place), f"'{place}'") for place in ("parameters", side)}
        scalars: dict[str, Value] = {}
        entries: dict[str, Entries] = {}
        for item in mechanism.parameters:
            place = "parameters" if item.metric is None else side
            content = _field(given[place], item.name, f"'{place}'")
            if item.kind is ir.ParameterKind.SCALAR:
                scalars[item.name] = _exact(item, content)
            else:
                entries[item.name] = dict(_entries(item, content, ()))
        sequences = [item.name for item in mechanism.parameters if item.kind is ir.ParameterKind.SEQUENCE]
        return _Input(scalars, entries, {name: len(entries[name]) for name in sequences})

    def value(self, expression: ir.Expression) -> Value:
        """The value of an expression over public parameters."""
        return evaluate(expression, Scope(self.scalars, {}, self.entries, self.lengths))


def _exact(parameter: ir.Parameter, content: Any) -> Value:
    if parameter.sort is ir.Sort.BOOL:
        if not isinstance(content, bool):
            raise _Bad(Code.WITNESS_VALUE_MALFORMED(name=parameter.name, kind="bool"))
        return Truth(content)
    found = _numeral(content)
    if parameter.sort is ir.Sort.INT and found.denominator != 1:
        raise _Bad(Code.WITNESS_VALUE_MALFORMED(name=parameter.name, kind="integer"))
    return int(found) if found.denominator == 1 else found


def _entries(
    parameter: ir.Parameter, content: Any, place: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], Value]]:
    if len(place) == parameter.arity:
        yield place, _exact(parameter, content)
        return
    if not isinstance(content, list | tuple):
        raise _Bad(Code.WITNESS_VALUE_MALFORMED(name=parameter.name, kind="list"))
    for index, item in enumerate(content):
        yield from _entries(parameter, item, (*place, index))


def _wish(event: Any) -> TargetOutput:
    lists = tuple(
        tuple(_row(row) for row in _list(rows, "a list of an output"))
        for rows in _list(_field(event, "lists", "an event"), "'lists'")
    )
    return TargetOutput(_row(_field(event, "values", "an event")), lists)


def _row(content: Any) -> tuple[Wanted, ...]:
    return tuple(map(_part, _list(content, "an entry of an output")))


def _part(content: Any) -> Wanted:
    if isinstance(content, Mapping):
        low, high = _field(content, "from", "a range"), _field(content, "to", "a range")
        return Range(
            Infinity.BELOW if low is None else _numeral(low),
            Infinity.ABOVE if high is None else _numeral(high),
        )
    return int(content) if isinstance(content, bool) else _numeral(content)


def _numeral(content: Any) -> Fraction:
    """A number within the limits that programs have, so that it takes no time to read it."""
    text = str(content)
    if _NUMERAL.fullmatch(text) is None:
        raise _Bad(Code.WITNESS_NUMBER_MALFORMED())
    found = Fraction(text) if len(text) <= MAX_BITS else None
    if found is None or max(found.numerator.bit_length(), found.denominator.bit_length()) > MAX_BITS:
        raise _Bad(Code.WITNESS_NUMBER_TOO_LARGE(bits=MAX_BITS))
    return found


def _overlap(one: TargetOutput, two: TargetOutput) -> bool:
    if [len(rows) for rows in one.lists] != [len(rows) for rows in two.lists]:
        return False
    parts = (
        [*wish.values, *(part for rows in wish.lists for row in rows for part in row)] for wish in (one, two)
    )
    return not any(_apart(left, right) for left, right in zip(*parts, strict=True))


def _apart(one: Wanted, two: Wanted) -> bool:
    if isinstance(one, Range) and isinstance(two, Range):
        return one.high <= two.low or two.high <= one.low
    if isinstance(one, Range):
        return _apart(two, one)
    return not two.low <= one < two.high if isinstance(two, Range) else one != two


def _distance(value: Value) -> Fraction:
    """Of truth values, which count as 0 and 1, or a bound of distances."""
    if isinstance(value, Box) or value is Truth.UNKNOWN:
        raise Incomplete("a distance that is not rational")
    return Fraction(value is Truth.TRUE if isinstance(value, Truth) else value)


def _over(value: Number, rising: Callable[[Fraction], Chance]) -> Chance:
    """A function that rises, at a number that may be irrational."""
    content = box(value)
    return Chance(rising(bounded(content.low)).low, rising(bounded(content.high)).high)


# --- adjacency ------------------------------------------------------------------------------


def _require_adjacent(mechanism: ir.Mechanism, left: _Input, right: _Input) -> None:
    """Raises _Bad unless private parameters differ only as their metrics allow."""
    for item in mechanism.parameters:
        if item.metric is None:
            continue  # both runs were given the same
        one = left.entries.get(item.name) or {(): left.scalars.get(item.name, 0)}
        two = right.entries.get(item.name) or {(): right.scalars.get(item.name, 0)}
        if one.keys() != two.keys():
            raise _Bad(Code.WITNESS_LENGTHS_DIFFER(name=item.name))
        if item.metric.kind is not ir.MetricKind.DISCRETE:
            steps = [_distance(two[place]) - _distance(one[place]) for place in one]
            if not _allowed(item, [step for step in steps if step], left):
                raise _Bad(Code.WITNESS_NOT_ADJACENT(name=item.name))


def _allowed(parameter: ir.Parameter, steps: list[Fraction], public: _Input) -> bool:
    metric = parameter.metric
    assert metric is not None
    if metric.kind is ir.MetricKind.CHANGE_ONE and len(steps) > 1:
        return False
    if metric.bound is None:
        return metric.kind is ir.MetricKind.CHANGE_ONE
    bound = _distance(public.value(metric.bound))
    if bound < 0:
        return False
    if metric.kind is ir.MetricKind.L1:
        return sum(map(abs, steps)) <= bound
    if metric.kind is ir.MetricKind.L2:
        return sum(step * step for step in steps) <= bound * bound
    if metric.monotone and min(steps, default=0) < 0 < max(steps, default=0):
        return False
    return all(abs(step) <= bound for step in steps)
