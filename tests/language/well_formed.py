"""Whether a typed program keeps the promises of the IR."""

from __future__ import annotations

from fractions import Fraction

from synth.trusted.program.syntax import (
    Append,
    Assign,
    Assume,
    Block,
    Constant,
    Draw,
    Element,
    Exit,
    Expression,
    If,
    Length,
    Loop,
    Mechanism,
    NewList,
    Obligation,
    Operation,
    Operator,
    ParameterKind,
    Read,
    Return,
    Sort,
    Statement,
    Variable,
    statements,
    subexpressions,
)

_TYPES = {Sort.BOOL: bool, Sort.INT: int, Sort.REAL: Fraction}
_ARITY = {
    Operator.NEGATE: 1,
    Operator.NOT: 1,
    Operator.TO_REAL: 1,
    Operator.ABSOLUTE: 1,
    Operator.EXPONENTIAL: 1,
    Operator.LOGARITHM: 1,
    Operator.SQUARE_ROOT: 1,
    Operator.ROUND: 1,
    Operator.FLOOR: 1,
    Operator.CEILING: 1,
    Operator.TRUNCATE: 1,
    Operator.IF: 3,
}
_TO_INTEGER = (Operator.ROUND, Operator.FLOOR, Operator.CEILING, Operator.TRUNCATE)
_REAL = (Operator.DIVIDE, Operator.EXPONENTIAL, Operator.LOGARITHM, Operator.SQUARE_ROOT)


def check(mechanism: Mechanism) -> None:
    """Assert that sorts, names, labels and numbers are right."""
    _Checker(mechanism).body(mechanism.body, ())
    found = list(statements(mechanism.body))
    sites = [part.site for part in found if isinstance(part, Draw)]
    branches = [part.branch for part in found if isinstance(part, If)]
    loops = [part.loop for part in found if isinstance(part, Loop)]
    for numbers in (sites, branches, loops):
        assert numbers == list(range(len(numbers)))
    targets = {part.target for part in found if isinstance(part, Assign | Draw)}
    assert targets == set(mechanism.variables)
    assert {part.target for part in found if isinstance(part, NewList)} == set(mechanism.lists)
    returns = [part for part in found if isinstance(part, Return)]
    shapes = {
        (tuple(v.sort for v in part.values), tuple(mechanism.lists[name] for name in part.lists))
        for part in returns
    }
    assert len(shapes) <= 1


class _Checker:
    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.parameters = {parameter.name: parameter for parameter in mechanism.parameters}
        assert not self.parameters.keys() & mechanism.variables.keys()

    def body(self, body: tuple[Statement, ...], labels: tuple[str, ...]) -> None:
        for statement in body:
            self.statement(statement, labels)

    def statement(self, statement: Statement, labels: tuple[str, ...]) -> None:
        match statement:
            case Assign(target, value):
                self.expression(value)
                assert self.mechanism.variables[target] is value.sort
            case Draw(target=target, arguments=(center, scale), sort=sort):
                self.expression(center)
                self.expression(scale)
                assert self.mechanism.variables[target] is sort is center.sort
                assert sort is not Sort.BOOL
                assert scale.sort is Sort.REAL
            case Append(target, values):
                for value in values:
                    self.expression(value)
                sorts = tuple(value.sort for value in values)
                assert self.mechanism.lists[target].components == sorts
            case If(condition=condition, then=then, otherwise=otherwise):
                self.condition(condition)
                assert then or otherwise
                self.body(then, labels)
                self.body(otherwise, labels)
            case Block(label, body):
                assert label not in labels
                assert any(isinstance(p, Exit) and p.label == label for p in statements(body))
                self.body(body, (*labels, label))
            case Loop():
                self.loop(statement, labels)
            case Exit(label):
                assert label in labels
            case Obligation(condition=condition) | Assume(condition=condition):
                self.condition(condition)
            case Return(values):
                for value in values:
                    self.expression(value)

    def loop(self, loop: Loop, labels: tuple[str, ...]) -> None:
        self.body(loop.body, labels)
        assert (loop.counter is None) == (loop.count is None)
        if loop.count is None:
            return
        self.expression(loop.count)
        changed = {
            part.target
            for part in statements(loop.body)
            if isinstance(part, Assign | Draw | Append | NewList)
        }
        for part in subexpressions(loop.count):
            assert not isinstance(part, Variable) or part.name not in changed
            assert not isinstance(part, Length) or part.sequence not in changed

    def condition(self, condition: Expression) -> None:
        self.expression(condition)
        assert condition.sort is Sort.BOOL

    def expression(self, expression: Expression) -> None:
        for part in subexpressions(expression):
            self.node(part)

    def node(self, part: Expression) -> None:
        match part:
            case Constant(value, sort):
                assert type(value) is _TYPES[sort]
            case Variable(name, sort):
                if name in self.parameters:
                    assert self.parameters[name].kind is ParameterKind.SCALAR
                    assert self.parameters[name].sort is sort
                else:
                    assert self.mechanism.variables[name] is sort
            case Length(name):
                assert name in self.mechanism.lists or name in self.parameters
            case Read(source, index, sort):
                parameter = self.parameters[source]
                assert (parameter.arity, parameter.sort) == (len(index), sort)
                assert all(position.sort is Sort.INT for position in index)
            case Element(source, position, component, sort):
                assert self.mechanism.lists[source].components[component] is sort
                assert position.sort is Sort.INT
            case Operation(operator, operands, sort):
                _operation(operator, tuple(operand.sort for operand in operands), sort)


def _operation(operator: Operator, operands: tuple[Sort, ...], result: Sort) -> None:
    if operator in (Operator.AND, Operator.OR, Operator.NOT):
        assert set(operands) == {result} == {Sort.BOOL}
        assert len(operands) >= 2 or operator is Operator.NOT
        return
    assert len(operands) == _ARITY.get(operator, 2)
    if operator is Operator.IF:
        assert operands == (Sort.BOOL, result, result)
    elif operator is Operator.TO_REAL:
        assert (operands, result) == ((Sort.INT,), Sort.REAL)
    elif operator in _TO_INTEGER:
        assert (operands, result) == ((Sort.REAL,), Sort.INT)
    elif operator in _REAL:
        assert {*operands, result} == {Sort.REAL}
    elif operator is Operator.EQUAL:
        assert result is Sort.BOOL
        assert len(set(operands)) == 1
    elif operator in (Operator.LESS, Operator.LESS_EQUAL):
        assert result is Sort.BOOL
        assert len(set(operands)) == 1
        assert Sort.BOOL not in operands
    else:
        assert set(operands) == {result}
        assert result is not Sort.BOOL
        if operator in (Operator.FLOOR_DIVIDE, Operator.MODULO):
            assert result is Sort.INT
