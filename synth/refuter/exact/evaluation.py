"""Expressions on states: closures that give a value, or say what noise leaves open.

Numbers are exact, as in ``search/interpreter.py``; what is irrational is enclosed by arb.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from synth.refuter.exact.arithmetic import OTHERS, PLAIN, UndefinedError, chooser, compared
from synth.refuter.exact.forms import Exact, Form, Value
from synth.refuter.exact.laws import Enclosure
from synth.refuter.exact.states import DroppedMass, PrecisionLoss, State, UndeterminedBranch
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import length_name

Evaluate = Callable[[State], Value]
Families = Mapping[str, Mapping[tuple[int, ...], Exact]]
"""The entries of each sequence parameter, and the results of each function parameter."""


@dataclass(frozen=True)
class Compiler:
    """Compiles expressions; ``families`` are those of the runs on each side."""

    families: tuple[Families, ...]
    lengths: Mapping[str, int]

    def compile(self, expression: ir.Expression) -> Evaluate:
        """A closure for the expression.

        It raises UndeterminedBranch, PrecisionLoss, DroppedMass, UndefinedError.
        """
        match expression:
            case ir.Constant(value=value):
                number = value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
                return lambda state: number
            case ir.Variable(name=name):
                return lambda state: state.values[name]
            case ir.Length(sequence=sequence) if sequence in self.lengths:
                length = self.lengths[sequence]
                return lambda state: length
            case ir.Length(sequence=sequence):
                counter = length_name(sequence)
                return lambda state: state.values[counter]
            case ir.Read(source=source, index=index):
                return self._read(source, [self.compile(item) for item in index])
            case ir.Element(source=source, index=place, component=component):
                return _element(source, self.compile(place), component)
            case ir.Operation(operator=symbol, operands=operands):
                return _operation(symbol, [self.compile(item) for item in operands])

    def _read(self, source: str, index: list[Evaluate]) -> Evaluate:
        sides = [family[source] for family in self.families]

        def read(state: State) -> Value:
            place = tuple(_integer(item(state)) for item in index)
            try:
                return sides[state.side][place]
            except KeyError:
                raise UndefinedError(
                    f"{source} is read at {place[0] if len(place) == 1 else place}"
                ) from None

        return read


def _element(source: str, index: Evaluate, component: int) -> Evaluate:
    def element(state: State) -> Value:
        try:
            return state.lists[source][_integer(index(state))][component]  # type: ignore[return-value]
        except IndexError:
            raise UndefinedError(f"{source} is read outside of its entries") from None

    return element


def _integer(value: Value) -> int:
    if isinstance(value, Form):
        raise PrecisionLoss(value)
    if isinstance(value, Enclosure):
        raise DroppedMass
    return int(value)


def _operation(symbol: ir.Operator, operands: list[Evaluate]) -> Evaluate:
    match symbol:
        case ir.Operator.AND:
            return _connective(operands, False)
        case ir.Operator.OR:
            return _connective(operands, True)
        case ir.Operator.IF:
            condition, then, otherwise = operands
            return lambda state: then(state) if condition(state) else otherwise(state)
        case ir.Operator.TO_REAL:
            return operands[0]
        case ir.Operator.LESS | ir.Operator.LESS_EQUAL | ir.Operator.EQUAL:
            return _comparison(symbol, *operands)
        case ir.Operator.MINIMUM | ir.Operator.MAXIMUM:
            choose = chooser(symbol is ir.Operator.MINIMUM)
            return lambda state: reduce(
                lambda one, two: choose(state, one, two), (f(state) for f in operands)
            )
    if len(operands) == 2:
        return _binary(PLAIN.get(symbol), OTHERS[symbol], *operands)
    if len(operands) == 1:
        return _unary(PLAIN.get(symbol), OTHERS[symbol], operands[0])
    other = OTHERS[symbol]
    return lambda state: reduce(lambda one, two: other(state, one, two), (item(state) for item in operands))


def _binary(
    plain: Callable[[Exact, Exact], Exact] | None,
    other: Callable[..., Value],
    left: Evaluate,
    right: Evaluate,
) -> Evaluate:
    def binary(state: State) -> Value:
        one, two = left(state), right(state)
        if plain is not None and type(one) is int and type(two) is int:
            return plain(one, two)
        return other(state, one, two)

    return binary


def _unary(plain: Callable[[Exact], Exact] | None, other: Callable[..., Value], only: Evaluate) -> Evaluate:
    def unary(state: State) -> Value:
        value = only(state)
        if plain is not None and type(value) is int:
            return plain(value)
        return other(state, value)

    return unary


def _connective(operands: list[Evaluate], decisive: bool) -> Evaluate:
    """``or`` if True is decisive, ``and`` if False is: one operand may decide what another leaves open."""

    def connected(state: State) -> Value:
        for place, item in enumerate(operands):
            try:
                if bool(item(state)) is decisive:
                    return decisive
            except UndeterminedBranch:
                if any(_decides(other, state, decisive) for other in operands[place + 1 :]):
                    return decisive
                raise
        return not decisive

    return connected


def _decides(item: Evaluate, state: State, decisive: bool) -> bool:
    try:
        return bool(item(state)) is decisive
    except (UndeterminedBranch, PrecisionLoss, DroppedMass, UndefinedError):
        return False


# --- comparisons ----------------------------------------------------------------------------

_RELATIONS = {
    ir.Operator.LESS: ("<", operator.lt),
    ir.Operator.LESS_EQUAL: ("<=", operator.le),
    ir.Operator.EQUAL: ("==", operator.eq),
}


def _comparison(symbol: ir.Operator, left: Evaluate, right: Evaluate) -> Evaluate:
    relation, plain = _RELATIONS[symbol]

    def compare(state: State) -> Value:
        one, two = left(state), right(state)
        if type(one) is int and type(two) is int:
            return bool(plain(one, two))
        return compared(state, relation, one, two)

    return compare
