"""Valuations: small admissible values of the public parameters, and the lengths that go with them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from synth.prover.testing.forgetting import window_sizes
from synth.prover.testing.interpreter import Aborted, Evaluate, Number, Run, Silent, compile_expression
from synth.prover.testing.loop_bounds import loop_limits
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import is_made_of, names

LENGTHS = (24, 2, 10, 1, 10, 3)
PER_EVENT = 6
"""How long the reference inputs are, at the least, for each event of a number that the program counts to."""
MAX_LENGTH = 240
INTERFACE_LENGTH = 2
SHORT, PER_WAY, MAX_ATTEMPTS = 3, 3, 900
"""Where public switches choose between draws: short inputs, so many for each draw, after so many tries."""
LARGER = (10, 100, 1000)
"""How much larger one number may be where ``requires`` allows none of the usual ones."""
LASTING = 8
"""How much larger budgets are, where no draw is reached with the usual ones."""
LIMITED, MAX_SEARCHED_LENGTH = 2, 8
"""Where ``requires`` limits the lengths, each of up to so many inputs, and how long these are."""
Way = tuple[tuple[ir.Expression, bool], ...]
"""Conditions, and which side of each."""
Units = tuple[tuple[Fraction, ir.Expression], ...]


@dataclass(frozen=True)
class Valuation:
    """Values of the public scalars, and one length for all sequences; costs are compared within one."""

    scalars: dict[str, Number]
    length: int
    shifts: dict[int, tuple[object, Number]] = field(default_factory=dict, compare=False)

    def shift(self, units: Units, lengths: dict[str, int]) -> Number:
        """Σ factor·unit at these parameters."""
        known = self.shifts.get(id(units))
        if known is None or known[0] is not units:
            run = public_run(self, lengths)
            total = sum((factor * compile_expression(unit)(run) for factor, unit in units), Fraction(0))
            value = int(total) if total.denominator == 1 else total
            known = self.shifts[id(units)] = (units, value)
        return known[1]

    def public(self, expression: ir.Expression, lengths: dict[str, int]) -> Number:
        """The value of a public expression at these parameters."""
        return self.shift(_unit(expression), lengths)


@cache
def _unit(expression: ir.Expression) -> Units:
    return ((Fraction(1), expression),)


def public_run(valuation: Valuation, lengths: dict[str, int]) -> Run:
    """A run in which only public parameters can be evaluated."""
    return Run(dict(valuation.scalars), {}, lengths, Silent())


def public_value(mechanism: ir.Mechanism, expression: ir.Expression, valuation: Valuation) -> Number:
    """The value of a public expression at a valuation.  Raises Aborted."""
    run = public_run(valuation, lengths_of(mechanism, valuation.length))
    return compile_expression(expression)(run)


def lengths_of(mechanism: ir.Mechanism, length: int) -> dict[str, int]:
    """The same length for every sequence parameter; what an earlier part hands on is short."""
    return {
        item.name: min(length, INTERFACE_LENGTH) if item.published else length
        for item in mechanism.parameters
        if item.kind is ir.ParameterKind.SEQUENCE
    }


def valuations(mechanism: ir.Mechanism, seed: int = 0) -> list[Valuation]:
    """Admissible values of the public scalars, small and varied; empty when none was found.

    The first has long sequences and is the one that costs are compared at: there, paying at every
    step is dearer than paying for what the parameters limit.  Where public switches choose between draws,
    more valuations follow, until each draw is within reach of some.
    """
    longest = min(max(LENGTHS[0], PER_EVENT * _counted_to(mechanism)), MAX_LENGTH)
    usual = (longest, *LENGTHS[1:])
    found = _find_valuations(mechanism, seed, usual, frozenset())
    found = found or _find_valuations(mechanism, seed, usual, frozenset(), LARGER)
    found = found or _find_valuations(mechanism, seed, usual, frozenset(), proper=True)
    if found or not any(isinstance(part, ir.Length) for part in ir.subexpressions(mechanism.requires)):
        return found
    tied, stated = _stated_lengths(mechanism)
    found = _find_valuations(mechanism, seed, usual, tied)
    for length in () if found else stated or range(MAX_SEARCHED_LENGTH, -1, -1):
        found += _find_valuations(mechanism, seed, (length,) * LIMITED, tied)
    return found


def with_large_budgets(mechanism: ir.Mechanism, usual: Sequence[Valuation]) -> list[Valuation]:
    """The same, with so much in what the program counts down from, or up to, that it lasts for a while."""
    budgets, requires = _budgets(mechanism), compile_expression(mechanism.requires)
    found = []
    for valuation in usual:
        scalars = {
            name: value * LASTING if name in budgets else value for name, value in valuation.scalars.items()
        }
        larger = Valuation(scalars, valuation.length)
        try:
            if requires(public_run(larger, lengths_of(mechanism, larger.length))):
                found.append(larger)
        except Aborted:
            continue
    return found if budgets else []


def _budgets(mechanism: ir.Mechanism) -> set[str]:
    """Real parameters that a variable is before a loop changes it; without such, that it is compared with."""
    everything = list(ir.statements(mechanism.body))
    scalars = {
        item.name
        for item in mechanism.parameters
        if item.metric is None and item.kind is ir.ParameterKind.SCALAR and item.sort is ir.Sort.REAL
    }
    changing = {
        item.target
        for loop in everything
        if isinstance(loop, ir.Loop)
        for item in ir.statements(loop.body)
        if isinstance(item, ir.Assign)
        and item.value.sort is ir.Sort.REAL
        and item.target in names(item.value)
    }
    first = {
        item.value.name
        for item in everything
        if isinstance(item, ir.Assign) and item.target in changing and isinstance(item.value, ir.Variable)
    }
    compared = (
        names(item.condition)
        for item in everything
        if isinstance(item, ir.If) and names(item.condition) & changing
    )
    return (first & scalars) or set().union(*compared) & scalars


def _stated_lengths(mechanism: ir.Mechanism) -> tuple[frozenset[str], tuple[int, ...]]:
    """The parameters and the numbers that ``requires`` says a length is equal to."""
    names, numbers = set(), set()
    for part in builders.conjuncts(mechanism.requires):
        match part:
            case ir.Operation(
                ir.Operator.EQUAL, (ir.Length(), ir.Variable(name)) | (ir.Variable(name), ir.Length())
            ):
                names.add(name)
            case ir.Operation(
                ir.Operator.EQUAL, (ir.Length(), ir.Constant(value)) | (ir.Constant(value), ir.Length())
            ):
                numbers.add(int(value))
    return frozenset(names), tuple(sorted(number for number in numbers if 0 <= number <= MAX_LENGTH))


def _find_valuations(
    mechanism: ir.Mechanism,
    seed: int,
    lengths: tuple[int, ...],
    tied: frozenset[str],
    larger: tuple[int, ...] = (),
    proper: bool = False,
) -> list[Valuation]:
    """Valuations of these lengths, one after the other; the parameters in ``tied`` are equal to the length.

    One number may be so much ``larger`` than usual, or real ones are mostly ``proper`` fractions.
    """
    rng = random.Random(seed)
    requires = compile_expression(mechanism.requires)
    scalars = [
        item for item in mechanism.parameters if item.kind is ir.ParameterKind.SCALAR and item.metric is None
    ]
    counting, windows = loop_limits(mechanism), window_sizes(mechanism)
    ways = _ways(mechanism.body, (), {item.name for item in scalars})
    marks = _marks([switch for way in ways for switch, _ in way])
    tests = {way: [(compile_expression(switch), side) for switch, side in way] for way in ways}
    reached = dict.fromkeys(ways, 0)
    found: list[Valuation] = []
    for attempt in range(MAX_ATTEMPTS):
        length = lengths[len(found)] if len(found) < len(lengths) else SHORT
        draw = _public if found else _typical
        values = {item.name: draw(item, rng, attempt) for item in scalars}
        if proper:
            values |= {item.name: _fraction(rng) for item in scalars if _is_fraction(item, rng)}
        if len(found) >= len(lengths):
            values |= {name: rng.choice(near) for name, near in marks.items() if rng.random() < 0.8}
            values |= _leaning(scalars, rng)
        if attempt < 200:
            values.update(dict.fromkeys(counting, length))
            values.update(dict.fromkeys(windows - counting, max(1, length // 2)))
        values.update(dict.fromkeys(tied, length))
        for changed in (values, *_enlarged(values, larger)):
            valuation = Valuation(changed, length)
            run = public_run(valuation, lengths_of(mechanism, length))
            new = None if valuation in found else _open_ways(run, requires, tests)
            if new is not None:
                break
        else:
            continue
        if len(found) < len(lengths) or any(reached[way] < PER_WAY for way in new):
            found.append(valuation)
            for way in new:
                reached[way] += 1
        if len(found) >= len(lengths) and all(times >= PER_WAY for times in reached.values()):
            break
    return found


def _enlarged(values: Mapping[str, Number], factors: tuple[int, ...]) -> Iterator[dict[str, Number]]:
    """The values with one of the numbers multiplied by one of the factors."""
    for factor in factors:
        for name, value in values.items():
            if not isinstance(value, bool):
                yield {**values, name: value * factor}


def _open_ways(
    run: Run, requires: Evaluate, tests: Mapping[Way, list[tuple[Evaluate, bool]]]
) -> list[Way] | None:
    """The ways that the parameters of a run take; None if the program does not allow them."""
    try:
        if not requires(run):
            return None
        return [way for way, test in tests.items() if all(bool(at(run)) == side for at, side in test)]
    except Aborted:
        return None


def _ways(body: Sequence[ir.Statement], way: Way, scalars: set[str]) -> tuple[Way, ...]:
    """The ways to draws, as far as they lead through conditions on public parameters alone, each once."""
    found: dict[Way, None] = {}
    for item in body:
        if isinstance(item, ir.Draw | ir.Choose) and way:
            found[way] = None
        public = isinstance(item, ir.If) and is_made_of(item.condition, scalars)
        for place, inner in enumerate(ir.blocks(item)):
            longer = (*way, (item.condition, place == 0)) if public and isinstance(item, ir.If) else way
            found |= dict.fromkeys(_ways(inner, longer, scalars))
    return tuple(found)


def _leaning(scalars: list[ir.Parameter], rng: random.Random) -> dict[str, Number]:
    """Truth values of which most are alike: of a long chain of switches only the last may be on."""
    share = rng.choice((0.1, 0.5, 0.9))
    return {item.name: rng.random() < share for item in scalars if item.sort is ir.Sort.BOOL}


def _counted_to(mechanism: ir.Mechanism) -> int:
    """The largest number that a condition compares a counter with; 0 if there is none."""
    everything = list(ir.statements(mechanism.body))
    counters = {
        item.target
        for item in everything
        if isinstance(item, ir.Assign) and _is_step(item.target, item.value)
    }
    found = 0
    for item in everything:
        if isinstance(item, ir.If):
            for part in ir.subexpressions(item.condition):
                match part:
                    case (
                        ir.Operation(operands=(ir.Variable(name=name), ir.Constant(value=int(value))))
                        | ir.Operation(operands=(ir.Constant(value=int(value)), ir.Variable(name=name)))
                    ) if name in counters:
                        found = max(found, abs(value))
    return found


def _is_step(target: str, value: ir.Expression) -> bool:
    """Whether a value is the old one, and a number more or less."""
    return (
        isinstance(value, ir.Operation)
        and value.operator in (ir.Operator.ADD, ir.Operator.SUBTRACT)
        and any(isinstance(part, ir.Variable) and part.name == target for part in value.operands)
        and any(isinstance(part, ir.Constant) for part in value.operands)
    )


def _marks(switches: list[ir.Expression]) -> dict[str, list[Number]]:
    """Per parameter that a switch compares with a number, values at and about it."""
    found: dict[str, list[Number]] = {}
    for switch in switches:
        for part in ir.subexpressions(switch):
            match part:
                case (
                    ir.Operation(operands=(ir.Variable(name=name), ir.Constant(value=value)))
                    | ir.Operation(operands=(ir.Constant(value=value), ir.Variable(name=name)))
                ) if not isinstance(value, bool):
                    found.setdefault(name, []).extend((value - 1, value, value + 1))
    return found


def _typical(parameter: ir.Parameter, rng: random.Random, attempt: int) -> Number:
    if parameter.sort is ir.Sort.INT and attempt < 200:
        return rng.choice((2, 3))
    if parameter.sort is ir.Sort.REAL and attempt < 200:
        return rng.choice((1, 1, Fraction(1, 2)))
    return _public(parameter, rng, attempt)


def _is_fraction(parameter: ir.Parameter, rng: random.Random) -> bool:
    return parameter.sort is ir.Sort.REAL and rng.random() < 0.8


def _fraction(rng: random.Random) -> Fraction:
    """A number between 0 and 1."""
    return Fraction(rng.randint(1, 15), 16)


def _public(parameter: ir.Parameter, rng: random.Random, attempt: int) -> Number:
    wide = 2 + attempt // 60
    match parameter.sort:
        case ir.Sort.BOOL:
            return rng.random() < 0.5
        case ir.Sort.INT:
            return rng.choice((1, 2, 3, 2, 0, 4, rng.randint(-1, wide + 2)))
        case ir.Sort.REAL:
            return rng.choice((1, 1, Fraction(1, 2), 2, 0, Fraction(rng.randint(-1, 4 * wide), 4)))
