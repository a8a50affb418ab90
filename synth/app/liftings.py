"""Whether an (ε, δ)-lifting relates two finite distributions, with what shows it, as plain data."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from synth.app.alone import alone
from synth.app.asker import Asker
from synth.app.probabilities import errors_for_users
from synth.app.workers import MAX_MEMORY_BYTES, Channel, restrict
from synth.trusted.errors import ProgramError, UsageError

if TYPE_CHECKING:
    from synth.liftings.distributions import Distributions
    from synth.liftings.flow import Interval, Lifting
    from synth.refuter.exact.inputs import Inputs
    from synth.refuter.exact.laws import Enclosure
    from synth.refuter.output_laws import OutputLaws
    from synth.trusted.program import syntax as ir

RELATED, NOT_RELATED, UNDECIDED = "related", "not related", "undecided"

_EXTENSION_S = 5.0
_MAX_FRACTION_BITS = 4_000
"""Bits of a fraction; one with more is given as an interval."""

A = TypeVar("A", str, int)


# --- two distributions ----------------------------------------------------------------------


def of_distributions(
    read: Callable[[], Distributions[A]],
    name: str,
    epsilon: str | None,
    delta: str | None,
    seconds: float,
    asker: Asker,
) -> dict[str, Any]:
    """The decision about two distributions, which are read in a process of their own; ε in nats.

    Raises UsageError, UnfinishedError, and what ``read`` raises.
    """
    if epsilon is None:
        raise UsageError(f"{asker.option('epsilon')} is needed")
    bounds = _bounds(epsilon, delta, asker)

    def work(channel: Channel) -> dict[str, Any]:
        channel.stage("reading it")
        restrict(seconds + _EXTENSION_S, MAX_MEMORY_BYTES)
        from synth.liftings.distributions import EQUALITY
        from synth.liftings.flow import Interval, decide_enclosed

        given = read()
        left, right = (
            {name: Interval.exactly(mass) for name, mass in masses.items()}
            for masses in (given.left, given.right)
        )
        channel.stage("looking for a flow")
        found = decide_enclosed(left, right, given.pairs, *_levels(nobody(), bounds, {}))
        relation = EQUALITY if given.is_equality else f"a relation of {len(given.pairs)} pairs"
        return {"relation": relation, **_said(bounds), **_decision(found, right, lambda value: value)}

    return alone(work, name, seconds)


def nobody() -> ir.Mechanism:
    """A mechanism without parameters, of which bounds are read."""
    from synth.trusted.program import builders
    from synth.trusted.program import syntax as ir

    return ir.Mechanism("", (), builders.TRUE, None, None, (), {}, {}, ir.Span(1, 1), "", "")


# --- a mechanism ----------------------------------------------------------------------------


def of_mechanism(
    mechanism: ir.Mechanism, read: Callable[[], Sequence[Inputs]], seconds: float, asker: Asker
) -> dict[str, Any]:
    """The decision about equality of a mechanism's outputs on two inputs, at the ε and δ that it claims.

    Raises UsageError, UnfinishedError, SynthError, and what ``read`` raises.
    """
    from synth.refuter.exact.label_texts import with_texts

    if mechanism.epsilon is None:
        raise UsageError(f"{asker.option('epsilon')} is needed: {mechanism.name} claims none")
    bounds = _Bounds.of(mechanism.epsilon, mechanism.delta)
    inputs = read()

    def work(channel: Channel) -> dict[str, Any]:
        channel.stage("computing probabilities")
        restrict(seconds + _EXTENSION_S, MAX_MEMORY_BYTES)
        return _compared(mechanism, inputs, bounds, seconds)

    decision = alone(work, mechanism.name, seconds + _EXTENSION_S)
    left, right = (with_texts(mechanism, item) for item in inputs)
    where = {"mechanism": mechanism.name, "input": left, "neighbour": right}
    return {**where, "relation": "equality", **_said(bounds), **decision}


def _compared(
    mechanism: ir.Mechanism, inputs: Sequence[Inputs], bounds: _Bounds, seconds: float
) -> dict[str, Any]:
    from synth.liftings.flow import Answer, Interval, decide_enclosed
    from synth.refuter.exact.inputs import is_adjacent
    from synth.refuter.output_laws import output_laws

    with errors_for_users(seconds):
        laws = output_laws(mechanism, inputs, time.monotonic() + seconds)
    elsewhere = len(laws.outputs)
    dropped_left, dropped_right = (_interval(item) for item in laws.dropped_mass)
    left = {place: _interval(masses[0]) for place, masses in enumerate(laws.masses)}
    right = {
        place: _interval(masses[1]).plus(Interval(Fraction(0), dropped_right.high))
        for place, masses in enumerate(laws.masses)
    }
    factor, delta = _levels(mechanism, bounds, inputs[0])
    pairs = [(place, place) for place in right]
    found = decide_enclosed({**left, elsewhere: dropped_left}, right, pairs, factor, delta)
    if found.answer is Answer.UNDECIDED:
        found = _decided_exactly(mechanism, inputs, laws, bounds) or found
    return {
        "adjacent": is_adjacent(mechanism, *inputs),
        **_decision(found, right, lambda place: laws.outputs[place]),
    }


def _decided_exactly(
    mechanism: ir.Mechanism, inputs: Sequence[Inputs], laws: OutputLaws, bounds: _Bounds
) -> Lifting[int, int] | None:
    """The decision by exact chances, which are checked against the enclosures; None where there are none."""
    from synth.liftings.chances import InexactError, chances, exact_value
    from synth.liftings.equality import decide_equality, interval
    from synth.trusted.core.exponential_numbers import Irrational, exponential
    from synth.trusted.program import syntax as ir

    if any(mass.high for mass in laws.dropped_mass):
        return None
    try:
        left, right = (chances(mechanism, item, laws.parts) for item in inputs)
        delta = exact_value(bounds.delta, mechanism, inputs[0])
        match bounds.epsilon:
            case ir.Operation(operator=ir.Operator.LOGARITHM, operands=(power,)):
                factor = exact_value(power, mechanism, inputs[0])
            case epsilon:
                exponent = exact_value(epsilon, mechanism, inputs[0])
                if isinstance(exponent, Irrational):
                    return None
                factor = exponential(exponent)
    except (InexactError, ZeroDivisionError):
        return None
    for masses, *sides in zip(laws.masses, left, right, strict=True):
        for mass, exact in zip(masses, map(interval, sides), strict=True):
            if exact.high < mass.low or exact.low > mass.high:
                return None  # this would be a defect of one of the two methods
    return decide_equality(dict(enumerate(left)), dict(enumerate(right)), factor, delta)


def _interval(enclosure: Enclosure) -> Interval:
    from synth.liftings.flow import Interval

    return Interval(enclosure.low, enclosure.high)


# --- ε and δ --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Bounds:
    epsilon: ir.Expression
    delta: ir.Expression

    @staticmethod
    def of(epsilon: ir.Expression, delta: ir.Expression | None) -> _Bounds:
        from synth.trusted.program import builders
        from synth.trusted.program import syntax as ir

        none = builders.convert(builders.integer(0), ir.Sort.REAL)
        return _Bounds(epsilon, none if delta is None else delta)


def _bounds(epsilon: str, delta: str | None, asker: Asker) -> _Bounds:
    """What is stated without a program.  Raises UsageError."""
    from synth.trusted.frontend.claim import read_bound

    def stated(text: str, what: str) -> ir.Expression:
        try:
            return read_bound(nobody(), text, what)
        except ProgramError as error:
            raise UsageError(f"{asker.option(what)} {text}: {error.message}") from None

    return _Bounds.of(stated(epsilon, "epsilon"), None if delta is None else stated(delta, "delta"))


def _said(bounds: _Bounds) -> dict[str, str]:
    from synth.trusted.program.printing import text

    return {"epsilon": text(bounds.epsilon), "delta": text(bounds.delta)}


def _levels(
    mechanism: ir.Mechanism, bounds: _Bounds, inputs: Inputs
) -> tuple[Callable[[int], Interval], Interval]:
    """e^ε with so many bits, and δ.  Raises UsageError."""
    from synth.liftings.flow import MAX_EPSILON, Interval, exponential
    from synth.trusted.program import syntax as ir

    delta = _at(mechanism, bounds.delta, inputs, "delta")
    match bounds.epsilon:
        case ir.Operation(operator=ir.Operator.LOGARITHM, operands=(power,)):
            factor = _at(mechanism, power, inputs, "exp(epsilon)")
            if factor.low < 1:
                raise UsageError("epsilon is negative")
            return lambda bits: factor, delta
    epsilon = _at(mechanism, bounds.epsilon, inputs, "epsilon")
    if epsilon.high > MAX_EPSILON:
        raise UsageError(f"epsilon is larger than {MAX_EPSILON:,}")
    return (
        lambda bits: Interval(exponential(epsilon.low, bits).low, exponential(epsilon.high, bits).high),
        delta,
    )


def _at(mechanism: ir.Mechanism, bound: ir.Expression, inputs: Inputs, what: str) -> Interval:
    """The value of a bound.  Raises UsageError."""
    from synth.liftings.flow import Interval
    from synth.refuter.exact.arithmetic import UndefinedError
    from synth.refuter.exact.inputs import public_value
    from synth.refuter.exact.laws import Enclosure

    try:
        value = public_value(mechanism, bound, inputs)
    except (UndefinedError, OverflowError) as error:
        raise UsageError(f"{what} is not defined: {error}") from None
    found = _interval(value) if isinstance(value, Enclosure) else Interval.exactly(Fraction(value))
    if found.low < 0:
        raise UsageError(f"{what} is negative")
    return found


# --- what is said ---------------------------------------------------------------------------


def _decision(
    found: Lifting[Any, Any], right: Mapping[Any, Interval], named: Callable[[Any], Any]
) -> dict[str, Any]:
    """The verdict with its evidence, as JSON; ``named`` gives values as they are shown."""
    from synth.liftings.flow import Answer, Interval, total

    verdict = {Answer.YES: RELATED, Answer.NO: NOT_RELATED, Answer.UNDECIDED: UNDECIDED}[found.answer]
    coupling, cut = None, None
    if found.answer is Answer.YES:
        coupling = [
            {
                "left": named(pair[0]),
                "right": named(pair[1]),
                "mass_left": _number(found.left[pair]),
                "mass_right": _number(found.right[pair]),
            }
            for pair in found.left
        ]
    if found.sides is not None:
        cut = {
            "left": [named(item) for item in sorted(found.violated)],
            "right": [named(item) for item in sorted(found.image)],
            "mass_left": _number(found.sides[0]),
            "mass_right": _number(total(right[item] for item in found.image)),
            "allowed": _number(found.sides[1]),
        }
    missing = None if found.answer is Answer.NO else _number(Interval.exactly(found.missing))
    return {"verdict": verdict, "coupling": coupling, "missing": missing, "cut": cut}


def _number(number: Interval) -> str | list[float]:
    """A number that is known as a fraction, another one between two floats."""
    from synth.precision.enclosures import Interval as Rounded

    low, high = number
    bits = low.numerator.bit_length() + low.denominator.bit_length()
    if low == high and bits <= _MAX_FRACTION_BITS:
        return str(low)
    return list(Rounded(low, high).floats())
