"""Whether a typed program keeps the promises of the IR."""

from __future__ import annotations

from fractions import Fraction

from synth.trusted.program import syntax as ir

_TYPES = {ir.Sort.BOOL: bool, ir.Sort.INT: int, ir.Sort.REAL: Fraction}
_ARITY = {
    ir.Operator.NEGATE: 1,
    ir.Operator.NOT: 1,
    ir.Operator.TO_REAL: 1,
    ir.Operator.ABSOLUTE: 1,
    ir.Operator.EXPONENTIAL: 1,
    ir.Operator.LOGARITHM: 1,
    ir.Operator.SQUARE_ROOT: 1,
    ir.Operator.ROUND: 1,
    ir.Operator.FLOOR: 1,
    ir.Operator.CEILING: 1,
    ir.Operator.TRUNCATE: 1,
    ir.Operator.IF: 3,
}
_TO_INTEGER = (ir.Operator.ROUND, ir.Operator.FLOOR, ir.Operator.CEILING, ir.Operator.TRUNCATE)
_REAL = (ir.Operator.DIVIDE, ir.Operator.EXPONENTIAL, ir.Operator.LOGARITHM, ir.Operator.SQUARE_ROOT)


def check(mechanism: ir.Mechanism) -> None:
    """Assert that sorts, names, labels and numbers are right."""
    _Checker(mechanism).body(mechanism.body, ())
    found = list(ir.statements(mechanism.body))
    sites = [part.site for part in found if isinstance(part, ir.Draw)]
    branches = [part.branch for part in found if isinstance(part, ir.If)]
    loops = [part.loop for part in found if isinstance(part, ir.Loop)]
    for numbers in (sites, branches, loops):
        assert numbers == list(range(len(numbers)))
    targets = {part.target for part in found if isinstance(part, ir.Assign | ir.Draw)}
    assert targets == set(mechanism.variables)
    assert {part.target for part in found if isinstance(part, ir.NewList)} == set(mechanism.lists)
    returns = [part for part in found if isinstance(part, ir.Return)]
    shapes = {
        (tuple(v.sort for v in part.values), tuple(mechanism.lists[name] for name in part.lists))
        for part in returns
    }
    assert len(shapes) <= 1


class _Checker:
    def __init__(self, mechanism: ir.Mechanism) -> None:
        self.mechanism = mechanism
        self.parameters = {parameter.name: parameter for parameter in mechanism.parameters}
        assert not self.parameters.keys() & mechanism.variables.keys()

    def body(self, body: tuple[ir.Statement, ...], labels: tuple[str, ...]) -> None:
        for statement in body:
            self.statement(statement, labels)

    def statement(self, statement: ir.Statement, labels: tuple[str, ...]) -> None:
        match statement:
            case ir.Assign(target, value):
                self.expression(value)
                assert self.mechanism.variables[target] is value.sort
            case ir.Draw(target=target, arguments=(center, scale), sort=sort):
                self.expression(center)
                self.expression(scale)
                assert self.mechanism.variables[target] is sort is center.sort
                assert sort is not ir.Sort.BOOL
                assert scale.sort is ir.Sort.REAL
            case ir.Append(target, values):
                for value in values:
                    self.expression(value)
                sorts = tuple(value.sort for value in values)
                assert self.mechanism.lists[target].components == sorts
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                self.condition(condition)
                assert then or otherwise
                self.body(then, labels)
                self.body(otherwise, labels)
            case ir.Block(label, body):
                assert label not in labels
                assert any(isinstance(p, ir.Exit) and p.label == label for p in ir.statements(body))
                self.body(body, (*labels, label))
            case ir.Loop():
                self.loop(statement, labels)
            case ir.Exit(label):
                assert label in labels
            case ir.Obligation(condition=condition) | ir.Assume(condition=condition):
                self.condition(condition)
            case ir.Return(values):
                for value in values:
                    self.expression(value)

    def loop(self, loop: ir.Loop, labels: tuple[str, ...]) -> None:
        self.body(loop.body, labels)
        assert (loop.counter is None) == (loop.count is None)
        if loop.count is None:
            return
        self.expression(loop.count)
        changed = {
            part.target
            for part in ir.statements(loop.body)
            if isinstance(part, ir.Assign | ir.Draw | ir.Append | ir.NewList)
        }
        for part in ir.subexpressions(loop.count):
            assert not isinstance(part, ir.Variable) or part.name not in changed
            assert not isinstance(part, ir.Length) or part.sequence not in changed

    def condition(self, condition: ir.Expression) -> None:
        self.expression(condition)
        assert condition.sort is ir.Sort.BOOL

    def expression(self, expression: ir.Expression) -> None:
        for part in ir.subexpressions(expression):
            self.node(part)

    def node(self, part: ir.Expression) -> None:
        match part:
            case ir.Constant(value, sort):
                assert type(value) is _TYPES[sort]
            case ir.Variable(name, sort):
                if name in self.parameters:
                    assert self.parameters[name].kind is ir.ParameterKind.SCALAR
                    assert self.parameters[name].sort is sort
                else:
                    assert self.mechanism.variables[name] is sort
            case ir.Length(name):
                assert name in self.mechanism.lists or name in self.parameters
            case ir.Read(source, index, sort):
                parameter = self.parameters[source]
                assert (parameter.arity, parameter.sort) == (len(index), sort)
                assert all(position.sort is ir.Sort.INT for position in index)
            case ir.Element(source, position, component, sort):
                assert self.mechanism.lists[source].components[component] is sort
                assert position.sort is ir.Sort.INT
            case ir.Operation(operator, operands, sort):
                _operation(operator, tuple(operand.sort for operand in operands), sort)


def _operation(operator: ir.Operator, operands: tuple[ir.Sort, ...], result: ir.Sort) -> None:
    if operator in (ir.Operator.AND, ir.Operator.OR, ir.Operator.NOT):
        assert set(operands) == {result} == {ir.Sort.BOOL}
        assert len(operands) >= 2 or operator is ir.Operator.NOT
        return
    assert len(operands) == _ARITY.get(operator, 2)
    if operator is ir.Operator.IF:
        assert operands == (ir.Sort.BOOL, result, result)
    elif operator is ir.Operator.TO_REAL:
        assert (operands, result) == ((ir.Sort.INT,), ir.Sort.REAL)
    elif operator in _TO_INTEGER:
        assert (operands, result) == ((ir.Sort.REAL,), ir.Sort.INT)
    elif operator in _REAL:
        assert {*operands, result} == {ir.Sort.REAL}
    elif operator is ir.Operator.EQUAL:
        assert result is ir.Sort.BOOL
        assert len(set(operands)) == 1
    elif operator in (ir.Operator.LESS, ir.Operator.LESS_EQUAL):
        assert result is ir.Sort.BOOL
        assert len(set(operands)) == 1
        assert ir.Sort.BOOL not in operands
    else:
        assert set(operands) == {result}
        assert result is not ir.Sort.BOOL
        if operator in (ir.Operator.FLOOR_DIVIDE, ir.Operator.MODULO):
            assert result is ir.Sort.INT
