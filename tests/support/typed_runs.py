"""Runs typed programs, and the same programs under plain Python, on a given stream of noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from types import CodeType, MappingProxyType
from typing import Any

from synth.trusted.frontend.vocabulary import METRICS
from synth.trusted.program import syntax as ir

MAX_STEPS = 20_000


class ObligationFailed(Exception):
    """An obligation does not hold."""


class Stuck(Exception):
    """An assumption does not hold, or the run is too long."""


class _Left(Exception):
    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


class _Returned(Exception):
    def __init__(self, output: tuple[Any, ...]) -> None:
        super().__init__()
        self.output = output


_FUNCTIONS: dict[ir.Operator, Callable[..., Any]] = {
    ir.Operator.ADD: lambda a, b: a + b,
    ir.Operator.SUBTRACT: lambda a, b: a - b,
    ir.Operator.MULTIPLY: lambda a, b: a * b,
    ir.Operator.DIVIDE: lambda a, b: Fraction(a) / Fraction(b) if b else 0,
    ir.Operator.FLOOR_DIVIDE: lambda a, b: a // b if b else 0,
    ir.Operator.MODULO: lambda a, b: a % b if b else 0,
    ir.Operator.NEGATE: lambda a: -a,
    ir.Operator.POWER: lambda a, b: a**b if a or b >= 0 else 0,
    ir.Operator.EQUAL: lambda a, b: a == b,
    ir.Operator.LESS: lambda a, b: a < b,
    ir.Operator.LESS_EQUAL: lambda a, b: a <= b,
    ir.Operator.AND: lambda *all_: all(all_),
    ir.Operator.OR: lambda *any_: any(any_),
    ir.Operator.NOT: lambda a: not a,
    ir.Operator.IF: lambda a, b, c: b if a else c,
    ir.Operator.TO_REAL: lambda a: a,
    ir.Operator.ABSOLUTE: abs,
    ir.Operator.MINIMUM: min,
    ir.Operator.MAXIMUM: max,
    ir.Operator.ROUND: round,
    ir.Operator.FLOOR: math.floor,
    ir.Operator.CEILING: math.ceil,
    ir.Operator.TRUNCATE: int,
    ir.Operator.EXPONENTIAL: lambda a: Fraction(math.exp(a)),
    ir.Operator.LOGARITHM: lambda a: Fraction(math.log(a)) if a > 0 else 0,
    ir.Operator.SQUARE_ROOT: lambda a: Fraction(math.sqrt(a)) if a >= 0 else 0,
}


@dataclass
class Run:
    """One run of a mechanism."""

    mechanism: ir.Mechanism
    inputs: dict[str, Any]
    noise: Iterator[int]
    variables: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    steps: int = 0

    def output(self) -> tuple[Any, ...]:
        """Run, and give the flat output."""
        try:
            self._body(self.mechanism.body)
        except _Returned as returned:
            return returned.output
        raise AssertionError("a run ends without return")

    def _body(self, body: Sequence[ir.Statement]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: ir.Statement) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Stuck
        match statement:
            case ir.Assign(target, expression):
                self._set(target, self._value(expression), expression.sort)
            case ir.Draw(target=target, arguments=(center, _), sort=sort):
                assert center.sort is sort
                self._set(target, self._value(center) + self.drawn(statement), sort)
            case ir.Choose(target=target, sort=sort):
                self._set(target, self.chosen(statement), sort)
            case ir.NewList(target):
                self.lists[target] = []
            case ir.Append(target, expressions):
                components = self.mechanism.lists[target].components
                assert components == tuple(part.sort for part in expressions)
                self.lists[target].append(tuple(self._value(part) for part in expressions))
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                self._body(then if self._value(condition) else otherwise)
            case ir.Block(label, inner):
                self._block(label, inner)
            case ir.Loop():
                self._loop(statement)
            case ir.Exit(label):
                raise _Left(label)
            case ir.Obligation(condition=condition, kind=kind):
                if not self._value(condition):
                    raise ObligationFailed(kind)
            case ir.Assume(condition):
                if not self._value(condition):
                    raise Stuck
            case ir.Return(expressions, lists):
                scalars = tuple(self._value(part) for part in expressions)
                raise _Returned((*scalars, *(tuple(self.lists[name]) for name in lists)))

    def drawn(self, statement: ir.Draw) -> Any:
        """What a draw of noise adds to its centre."""
        return next(self.noise)

    def chosen(self, statement: ir.Choose) -> Any:
        """The value of a draw of finitely many values."""
        raise NotImplementedError

    def at(self, expression: ir.Expression, **values: Any) -> Any:
        """The value of an expression here, where some names stand for these values."""
        hidden, self.inputs = self.inputs, {**self.inputs, **values}
        try:
            return self._value(expression)
        finally:
            self.inputs = hidden

    def _set(self, target: str, value: Any, sort: ir.Sort) -> None:
        assert self.mechanism.variables[target] is sort
        assert isinstance(value, bool) == (sort is ir.Sort.BOOL)
        assert sort is not ir.Sort.INT or value == int(value)
        self.variables[target] = value

    def _block(self, label: str, body: Sequence[ir.Statement]) -> None:
        try:
            self._body(body)
        except _Left as left:
            if left.label != label:
                raise

    def _loop(self, loop: ir.Loop) -> None:
        count = self._value(loop.count) if loop.count is not None else None
        while True:
            self.steps += 1
            if self.steps > MAX_STEPS:
                raise Stuck
            if loop.counter is not None:
                assert count is not None
                assert 0 <= self.variables[loop.counter] <= count
            self._body(loop.body)

    def _value(self, expression: ir.Expression) -> Any:
        match expression:
            case ir.Constant(value):
                return value
            case ir.Variable(name, sort):
                if name in self.variables:
                    assert self.mechanism.variables[name] is sort
                    return self.variables[name]
                assert name not in self.mechanism.variables, f"{name} is unassigned"
                return self.inputs[name]
            case ir.Length(name):
                return len(self.lists[name] if name in self.lists else self.inputs[name])
            case ir.Read(source, index):
                return self._read(source, [self._value(part) for part in index])
            case ir.Element(source, position, component):
                place = self._value(position)
                entries = self.lists[source]
                return entries[place][component] if 0 <= place < len(entries) else 0
            case ir.Operation(operator, operands):
                return _FUNCTIONS[operator](*(self._value(part) for part in operands))

    def _read(self, source: str, index: list[int]) -> Any:
        data = self.inputs[source]
        if callable(data):
            return data(*index)
        return data[index[0]] if 0 <= index[0] < len(data) else 0


def run_python(
    source: str,
    name: str,
    inputs: dict[str, Any],
    noise: Iterator[int],
    samplers: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
) -> Any:
    """Run a function of a trusted program text under plain Python, with more samplers, or others."""

    def sampler(center: Any, scale: Any) -> Any:
        if scale <= 0:
            raise ValueError("scale")
        if isinstance(center, list):
            return [entry + next(noise) for entry in center]
        return center + next(noise)

    namespace: dict[str, Any] = {"laplace": sampler, "exponential": sampler, **samplers}
    namespace["mechanism"] = lambda *args, **_: args[0] if args else lambda function: function
    for metric in METRICS:
        namespace[metric] = lambda *args, **kwargs: None
    namespace["Callable"] = Callable
    exec(_compiled(source.replace("from synth.lang import *", "")), namespace)
    return namespace[name](**inputs)


@lru_cache(maxsize=64)
def _compiled(text: str) -> CodeType:
    """The code of a program, which is run for many inputs."""
    return compile(text, "<test>", "exec")
