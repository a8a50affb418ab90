"""Concrete execution of a mechanism: one run, whose draws and events an observer decides and sees.

Statements are compiled to closures once and run often; numbers are exact (int or Fraction).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Protocol

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, names
from synth.trusted.program.weights import weighed

Number = bool | int | Fraction
RETURN = "%return"
MAX_CANDIDATES = 500
MAX_EXPONENT = 100


class Aborted(Exception):
    """The run can't go on: an obligation or assertion fails, or it takes too many steps."""


class Observer(Protocol):
    """Decides draws, and sees everything that may be published.

    A draw's arguments come unevaluated, since run 2 has no use for its scale.
    """

    def draw(self, run: Run, site: ir.Draw, arguments: Arguments) -> Number: ...

    def choose(self, run: Run, site: ir.Choose, law: CompiledLaw) -> Number: ...

    def branch(self, number: int, taken: bool) -> None: ...

    def append(self, statement: ir.Append, values: tuple[Number, ...]) -> None: ...

    def finish(self, values: tuple[Number, ...]) -> None: ...


@dataclass
class Run:
    """The state of one run."""

    values: dict[str, Number]
    sequences: Mapping[str, Mapping[tuple[int, ...], Number] | Callable[[tuple[int, ...]], Number]]
    lengths: Mapping[str, int]
    observer: Observer
    lists: dict[str, list[tuple[Number, ...]]] = field(default_factory=dict)
    steps: int = 20000


class Silent:
    """An observer for evaluating expressions outside of any run."""

    def draw(self, run: Run, site: ir.Draw, arguments: Arguments) -> Number:
        raise Aborted

    def choose(self, run: Run, site: ir.Choose, law: CompiledLaw) -> Number:
        raise Aborted

    def branch(self, number: int, taken: bool) -> None:
        pass

    def append(self, statement: ir.Append, values: tuple[Number, ...]) -> None:
        pass

    def finish(self, values: tuple[Number, ...]) -> None:
        pass


Evaluate = Callable[[Run], Number]
Arguments = tuple[Evaluate, ...]
Execute = Callable[[Run], str | None]


def _exact(value: float) -> Fraction:
    if not math.isfinite(value):
        raise Aborted
    return Fraction(value).limit_denominator(10**6)


def _divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise Aborted
    both = isinstance(left, int) and isinstance(right, int)
    quotient = Fraction(left, right) if both else Fraction(left) / right
    return int(quotient) if quotient.denominator == 1 else quotient


def _power(base: Number, exponent: Number) -> Number:
    if Fraction(exponent).denominator == 1 and abs(int(exponent)) <= MAX_EXPONENT:
        return Fraction(base) ** int(exponent)
    return _exact(float(base) ** float(exponent))


def _guarded(function: Callable[..., Number]) -> Callable[..., Number]:
    def call(*arguments: Number) -> Number:
        try:
            return function(*arguments)
        except (ZeroDivisionError, ValueError, OverflowError):
            raise Aborted from None

    return call


_FUNCTIONS: dict[ir.Operator, Callable[..., Number]] = {
    ir.Operator.ADD: operator.add,
    ir.Operator.SUBTRACT: operator.sub,
    ir.Operator.MULTIPLY: operator.mul,
    ir.Operator.DIVIDE: _divide,
    ir.Operator.FLOOR_DIVIDE: _guarded(operator.floordiv),
    ir.Operator.MODULO: _guarded(operator.mod),
    ir.Operator.NEGATE: operator.neg,
    ir.Operator.POWER: _guarded(_power),
    ir.Operator.EQUAL: operator.eq,
    ir.Operator.LESS: operator.lt,
    ir.Operator.LESS_EQUAL: operator.le,
    ir.Operator.NOT: operator.not_,
    ir.Operator.TO_REAL: lambda value: value,
    ir.Operator.ABSOLUTE: abs,
    ir.Operator.MINIMUM: min,
    ir.Operator.MAXIMUM: max,
    ir.Operator.EXPONENTIAL: _guarded(lambda value: _exact(math.exp(value))),
    ir.Operator.LOGARITHM: _guarded(lambda value: _exact(math.log(value))),
    ir.Operator.SQUARE_ROOT: _guarded(lambda value: _exact(math.sqrt(value))),
    ir.Operator.ROUND: round,
    ir.Operator.FLOOR: math.floor,
    ir.Operator.CEILING: math.ceil,
    ir.Operator.TRUNCATE: int,
}


def compile_expression(expression: ir.Expression) -> Evaluate:
    """A closure that evaluates the expression in a run.  Raises Aborted on undefined values."""
    match expression:
        case ir.Constant(value=value):
            return lambda run: value
        case ir.Variable(name=name):
            return lambda run: run.values[name]
        case ir.Length(sequence=sequence):
            return lambda run: len(run.lists[sequence]) if sequence in run.lists else run.lengths[sequence]
        case ir.Read(source=source, index=index):
            return _compile_read(source, tuple(compile_expression(item) for item in index))
        case ir.Element(source=source, index=index, component=component):
            return _compile_element(source, compile_expression(index), component)
        case ir.Operation(operator=symbol, operands=operands):
            return _compile_operation(symbol, operands)


def _compile_read(source: str, index: tuple[Evaluate, ...]) -> Evaluate:
    first, others = index[0], index[1:]

    def read(run: Run) -> Number:
        place = (int(first(run)), *[int(item(run)) for item in others]) if others else (int(first(run)),)
        content = run.sequences[source]
        try:
            return content(place) if callable(content) else content[place]
        except KeyError:
            raise Aborted from None

    return read


def _compile_element(source: str, index: Evaluate, component: int) -> Evaluate:
    def element(run: Run) -> Number:
        try:
            return run.lists[source][int(index(run))][component]
        except IndexError:
            raise Aborted from None

    return element


def _compile_operation(symbol: ir.Operator, operands: tuple[ir.Expression, ...]) -> Evaluate:
    parts = [compile_expression(item) for item in operands]
    if symbol is ir.Operator.AND:
        return lambda run: all(item(run) for item in parts)
    if symbol is ir.Operator.OR:
        return lambda run: any(item(run) for item in parts)
    if symbol is ir.Operator.IF:
        condition, then, otherwise = parts
        return lambda run: then(run) if condition(run) else otherwise(run)
    function = _FUNCTIONS[symbol]
    if len(parts) == 1:
        (only,) = parts
        return lambda run: function(only(run))
    if len(parts) == 2:
        return _compile_binary(function, operands, parts)
    if symbol in (ir.Operator.ADD, ir.Operator.MULTIPLY):
        return lambda run: reduce(function, (item(run) for item in parts))
    return lambda run: function(*(item(run) for item in parts))


def _compile_binary(
    function: Callable[..., Number], operands: tuple[ir.Expression, ...], compiled: Sequence[Evaluate]
) -> Evaluate:
    """Variables and constants, which most operands are, are looked up in place."""
    left, right = compiled
    match operands:
        case ir.Variable(name=one), ir.Variable(name=other):
            return lambda run: function(run.values[one], run.values[other])
        case ir.Variable(name=one), ir.Constant(value=number):
            return lambda run: function(run.values[one], number)
        case ir.Variable(name=one), _:
            return lambda run: function(run.values[one], right(run))
        case _, ir.Variable(name=other):
            return lambda run: function(left(run), run.values[other])
        case _, ir.Constant(value=number):
            return lambda run: function(left(run), number)
    return lambda run: function(left(run), right(run))


def compile_body(body: Body) -> Execute:
    """A closure that executes a body; it returns the label that it exits to, or None."""
    parts = [_compile_statement(statement) for statement in body]
    if len(parts) == 1:
        return parts[0]

    def execute(run: Run) -> str | None:
        for part in parts:
            label = part(run)
            if label is not None:
                return label
        return None

    return execute


def _compile_statement(statement: ir.Statement) -> Execute:
    match statement:
        case ir.Assign(target=target, value=value):
            evaluate = compile_expression(value)

            def assign(run: Run) -> None:
                run.values[target] = evaluate(run)

            return assign
        case ir.Draw():
            return _compile_draw(statement)
        case ir.Choose():
            return _compile_choose(statement)
        case ir.NewList(target=target):

            def new(run: Run) -> None:
                run.lists[target] = []

            return new
        case ir.Append():
            return _compile_append(statement)
        case ir.If():
            return _compile_if(statement)
        case ir.Block(label=label, body=body):
            inner = compile_body(body)

            def block(run: Run) -> str | None:
                left = inner(run)
                return None if left == label else left

            return block
        case ir.Loop(body=body):
            return _compile_loop(compile_body(body))
        case ir.Exit(label=label):
            return lambda run: label
        case ir.Return(values=values):
            return _compile_return([compile_expression(value) for value in values])
        case ir.Obligation(condition=condition) | ir.Assume(condition=condition):
            check = compile_expression(condition)

            def demand(run: Run) -> None:
                if not check(run):
                    raise Aborted

            return demand


def _compile_draw(statement: ir.Draw) -> Execute:
    arguments = tuple(compile_expression(argument) for argument in statement.arguments)
    target = statement.target

    def draw(run: Run) -> None:
        run.values[target] = run.observer.draw(run, statement, arguments)

    return draw


@dataclass(frozen=True)
class CompiledChances:
    """Which outcome a value is in a run, and where integers may be found that have a chance."""

    index: str
    conditions: tuple[Evaluate, ...]
    probabilities: tuple[Evaluate, ...]
    landmarks: tuple[Evaluate, ...]

    def outcome(self, run: Run, value: Number) -> int:
        """The number of the outcome; that after the last for none."""
        run.values[self.index] = value
        for place, condition in enumerate(self.conditions):
            if condition(run):
                return place
        return len(self.conditions)

    def probability(self, run: Run, outcome: int) -> Number:
        """The chance of an outcome."""
        return self.probabilities[outcome](run) if outcome < len(self.probabilities) else 0


@dataclass(frozen=True)
class CompiledWeights:
    """The scores of all indices in a run; ``logarithms`` says that they are logarithms of weights."""

    index: str
    count: Evaluate
    score: Evaluate
    rate: Evaluate
    logarithms: bool

    def scores(self, run: Run) -> tuple[Number, ...]:
        """Raises Aborted where there is nothing to choose from, or too much."""
        count = int(self.count(run))
        if not 1 <= count <= MAX_CANDIDATES:
            raise Aborted
        found = []
        for value in range(count):
            run.values[self.index] = value
            found.append(self.score(run))
        return tuple(found)


CompiledLaw = CompiledChances | CompiledWeights


def _compile_choose(statement: ir.Choose) -> Execute:
    law, target = _compile_law(statement), statement.target

    def choose(run: Run) -> None:
        run.values[target] = run.observer.choose(run, statement, law)

    return choose


def _compile_law(statement: ir.Choose) -> CompiledLaw:
    match statement.law:
        case ir.Chances(outcomes=outcomes):
            return CompiledChances(
                statement.index,
                tuple(compile_expression(condition) for condition, _ in outcomes),
                tuple(compile_expression(value) for _, value in outcomes),
                tuple(compile_expression(item) for item in _landmarks(statement, outcomes)),
            )
        case ir.Weights(count=count, score=score, rate=rate):
            logarithms = weighed(statement.law) is not None
            number, value, times = map(compile_expression, (count, score, rate))
            return CompiledWeights(statement.index, number, value, times, logarithms)


def _landmarks(
    statement: ir.Choose, outcomes: tuple[tuple[ir.Expression, ir.Expression], ...]
) -> list[ir.Expression]:
    """What the conditions compare with."""
    found: dict[ir.Expression, None] = {}
    for condition, _ in outcomes:
        for part in ir.subexpressions(condition):
            if isinstance(part, ir.Operation) and part.operands[0].sort is ir.Sort.INT:
                plain = [item for item in part.operands if statement.index not in names(item)]
                found.update(dict.fromkeys(plain))
    return list(found)


def _compile_append(statement: ir.Append) -> Execute:
    target, values = statement.target, [compile_expression(value) for value in statement.values]

    def append(run: Run) -> None:
        entry = tuple(value(run) for value in values)
        run.observer.append(statement, entry)
        run.lists[target].append(entry)

    return append


def _compile_if(statement: ir.If) -> Execute:
    condition = compile_expression(statement.condition)
    then, otherwise = compile_body(statement.then), compile_body(statement.otherwise)
    number = statement.branch

    def branch(run: Run) -> str | None:
        taken = bool(condition(run))
        run.observer.branch(number, taken)
        return then(run) if taken else otherwise(run)

    return branch


def _compile_loop(body: Execute) -> Execute:
    def loop(run: Run) -> str | None:
        while True:
            run.steps -= 1
            if run.steps < 0:
                raise Aborted
            label = body(run)
            if label is not None:
                return label

    return loop


def _compile_return(values: list[Evaluate]) -> Execute:
    def finish(run: Run) -> str:
        run.observer.finish(tuple(value(run) for value in values))
        return RETURN

    return finish
