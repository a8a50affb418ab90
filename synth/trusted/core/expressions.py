"""The meaning of expressions of the core language: their values in a state."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from synth.trusted.core.exponential_numbers import Irrational, Number, divide, exponential, power
from synth.trusted.program import syntax as ir

Value = bool | Number
Row = tuple[Value, ...]
Given = Value | Sequence[Value] | Callable[..., Value]
"""What a parameter stands for: a scalar, the entries of a sequence, or a function of integers."""

_T = TypeVar("_T")

_MAX_POWER = 1000


class Inexact(Exception):
    """A number that is not computed with here."""


class Malformed(Exception):
    """This is no program, or no input or noise of it: a name without a value, a body without return."""


@dataclass(frozen=True)
class NoValue(Exception):
    """An expression has no value, or a draw no law; ``kind`` is that of an obligation that would say so."""

    kind: str


@dataclass(frozen=True)
class Frame:
    """Statements, and which of them is next.  Those of a block have its label, those of a loop repeat."""

    body: tuple[ir.Statement, ...]
    next: int = 0
    label: str | None = None
    repeats: bool = False


@dataclass(frozen=True)
class State:
    """What is left to do, the innermost last, and what names stand for."""

    frames: tuple[Frame, ...]
    values: Mapping[str, Value]
    lists: Mapping[str, tuple[Row, ...]]
    given: Mapping[str, Given]

    def assign(self, name: str, value: Value) -> State:
        """The state in which a variable has this value."""
        return replace(self, values={**self.values, name: value})

    def fill(self, name: str, rows: tuple[Row, ...]) -> State:
        """The state in which a list has these entries."""
        return replace(self, lists={**self.lists, name: rows})

    def enter(self, frame: Frame) -> State:
        """The state in which these statements come first."""
        return replace(self, frames=(*self.frames, frame))

    def key(self) -> object:
        """Equal for two states of one program on one input just if the states are."""
        places = tuple((id(frame.body), frame.next) for frame in self.frames)
        return places, frozenset(self.values.items()), frozenset(self.lists.items())


def start(mechanism: ir.Mechanism, inputs: Mapping[str, Given]) -> State:
    """The state in which a run begins.  Raises Malformed."""
    given = {item.name: _of_kind(item, known(inputs, item.name)) for item in mechanism.visible}
    scalars = {name: value for name, value in given.items() if isinstance(value, Value)}
    return State((Frame(mechanism.body),), scalars, {}, given)


def _of_kind(parameter: ir.Parameter, value: Given) -> Given:
    match parameter.kind, value:
        case ir.ParameterKind.SCALAR, _:
            return of_sort(value, parameter.sort)
        case ir.ParameterKind.SEQUENCE, Sequence():
            return tuple(of_sort(entry, parameter.sort) for entry in value)
        case ir.ParameterKind.FUNCTION, _ if callable(value):
            return value
        case _:
            raise Malformed(f"{value!r} is no {parameter.kind.value}")


def known(names: Mapping[str, _T], name: str) -> _T:
    """What a name stands for.  Raises Malformed."""
    if name not in names:
        raise Malformed(f"{name} has no value")
    return names[name]


# --- expressions ----------------------------------------------------------------------------


def evaluate(expression: ir.Expression, state: State) -> Value:
    """The value.  Of ``and``, ``or`` and ``if`` no more is evaluated than Python does.  Raises NoValue."""
    match expression:
        case ir.Constant(value=value, sort=sort):
            return of_sort(value, sort)
        case ir.Variable(name=name):
            return known(state.values, name)
        case ir.Length(sequence=name):
            return len(_sequence(state, name))
        case ir.Element(source=name, index=index, component=component):
            return _entry(known(state.lists, name), evaluate(index, state))[component]
        case ir.Read(source=name, index=indices, sort=sort):
            places, source = [evaluate(index, state) for index in indices], known(state.given, name)
            found = source(*places) if callable(source) else _entry(_sequence(state, name), places[0])
            return of_sort(found, sort)
        case ir.Operation(operator=ir.Operator.IF, operands=(condition, then, otherwise)):
            return evaluate(then if evaluate(condition, state) else otherwise, state)
        case ir.Operation(operator=ir.Operator.AND, operands=operands):
            return all(evaluate(operand, state) for operand in operands)
        case ir.Operation(operator=ir.Operator.OR, operands=operands):
            return any(evaluate(operand, state) for operand in operands)
        case ir.Operation(operator=symbol, operands=operands):
            return _MEANING[symbol](*(evaluate(operand, state) for operand in operands))


def of_sort(value: object, sort: ir.Sort) -> Value:
    """The value; an integer in place of a real is taken for one.  Raises Malformed for another type."""
    if isinstance(value, bool) == (sort is ir.Sort.BOOL) and isinstance(value, int):
        return Fraction(value) if sort is ir.Sort.REAL else value
    if isinstance(value, Fraction | Irrational) and sort is ir.Sort.REAL:
        return value
    raise Malformed(f"{value!r} is no {sort.value}")


def whole(value: Value) -> int:
    """The value, which is an integer.  Raises Malformed."""
    if not isinstance(value, int):
        raise Malformed(f"{value} is no integer")
    return value


def _sequence(state: State, name: str) -> Sequence[object]:
    found = state.lists.get(name, state.given.get(name))
    if not isinstance(found, tuple):
        raise Malformed(f"{name} is no list")
    return found


def _entry(rows: Sequence[_T], index: Value) -> _T:
    """Indices count from 0, never from the end."""
    if not 0 <= index < len(rows):
        raise NoValue("index")
    return rows[whole(index)]


def _divided(divide: Callable[[_T, _T], _T]) -> Callable[[_T, _T], _T]:
    def quotient(one: _T, other: _T) -> _T:
        if other == 0:
            raise NoValue("divisor")
        return divide(one, other)

    return quotient


def power_of(base: Number, exponent: Number) -> Number:
    """0 has no negative powers, numbers below 0 have whole ones only; 0 ** 0 is 1.

    Raises NoValue, and Inexact for what is irrational or too long to write.
    """
    below = math.floor(exponent)
    if (base == 0 and exponent < 0) or (base < 0 and exponent != below):
        raise NoValue("domain")
    if exponent == below and abs(below) <= _MAX_POWER:
        return power(base, below)
    if base in (0, 1):
        return base
    raise Inexact(f"{base} ** {exponent}")


def exponential_of(value: Number) -> Number:
    """e to that power.  Raises Inexact."""
    if isinstance(value, Irrational):
        raise Inexact(f"exp({value})")
    return exponential(value)


def _logarithm(value: Number) -> Number:
    if value <= 0:
        raise NoValue("domain")
    match value:
        case Irrational(top=((exponent, 1),), bottom=()):
            return exponent
        case 1:
            return Fraction(0)
    raise Inexact(f"log({value})")


def _square_root(value: Number) -> Number:
    if value < 0:
        raise NoValue("domain")
    if not isinstance(value, Irrational):
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        if root * root == value:
            return root
    raise Inexact(f"sqrt({value})")


_MEANING: dict[ir.Operator, Callable[..., Value]] = {
    ir.Operator.ADD: operator.add,
    ir.Operator.SUBTRACT: operator.sub,
    ir.Operator.MULTIPLY: operator.mul,
    ir.Operator.DIVIDE: _divided(divide),
    ir.Operator.FLOOR_DIVIDE: _divided(operator.floordiv),
    ir.Operator.MODULO: _divided(operator.mod),
    ir.Operator.NEGATE: operator.neg,
    ir.Operator.POWER: power_of,
    ir.Operator.EQUAL: operator.eq,
    ir.Operator.LESS: operator.lt,
    ir.Operator.LESS_EQUAL: operator.le,
    ir.Operator.NOT: operator.not_,
    ir.Operator.TO_REAL: Fraction,
    ir.Operator.ABSOLUTE: abs,
    ir.Operator.MINIMUM: min,
    ir.Operator.MAXIMUM: max,
    ir.Operator.EXPONENTIAL: exponential_of,
    ir.Operator.LOGARITHM: _logarithm,
    ir.Operator.SQUARE_ROOT: _square_root,
    ir.Operator.ROUND: round,
    ir.Operator.FLOOR: math.floor,
    ir.Operator.CEILING: math.ceil,
    ir.Operator.TRUNCATE: math.trunc,
}
"""Python's operators; ``round`` goes to the even neighbour from the middle, ``int`` towards 0."""
