"""A real number that coins choose between whole ones is an integer, and then the same as a real.

``y = float(bit) * c + (1.0 - c) * d`` with coins c and d is ``n = bit if c == 1 else d`` and then
``y = float(n)``.  So the coins can become one draw of n.
"""

from __future__ import annotations

from dataclasses import replace

from synth.prover.normal_form.known_names import made_of
from synth.trusted.normal_form.decision_trees import Fork, Intractable, Leaf, Tree, tree_of
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, names, with_blocks
from synth.trusted.program.linear_forms import linear

_OPERATORS = frozenset((ir.Operator.ADD, ir.Operator.SUBTRACT, ir.Operator.MULTIPLY, ir.Operator.NEGATE))


MAX_CHOICES = 6
"""In one expression, of which each may double what is written."""


def with_whole_numbers(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with integers in place of such numbers, where they are assigned."""
    drawn = {item.target for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose)}
    decided = made_of(mechanism.body, drawn)
    variables = dict(mechanism.variables)

    def inside(body: Body) -> Body:
        return tuple(part for item in body for part in changed(item))

    def changed(statement: ir.Statement) -> Body:
        match statement:
            case ir.Assign(value=ir.Operation(sort=ir.Sort.REAL) as value) if names(value) & decided:
                whole = _whole(value)
            case _:
                return (with_blocks(statement, inside),)
        if whole is None or not names(whole) & drawn:
            return (statement,)
        number = ir.Variable(f"whole%new{len(variables)}", ir.Sort.INT)
        variables[number.name] = number.sort
        real = replace(statement, value=builders.convert(number, ir.Sort.REAL))
        return ir.Assign(number.name, whole, statement.span), real

    body = inside(mechanism.body)
    return (
        mechanism if variables == mechanism.variables else replace(mechanism, body=body, variables=variables)
    )


def _whole(value: ir.Expression) -> ir.Expression | None:
    """The integer that a real number is, where few choices decide it; None where that is not evident."""
    parts = ir.subexpressions(value)
    choices = sum(isinstance(part, ir.Operation) and part.operator is ir.Operator.IF for part in parts)
    try:
        return _chosen(tree_of(value)) if 0 < choices <= MAX_CHOICES else None
    except Intractable:
        return None


def _chosen(tree: Tree) -> ir.Expression:
    match tree:
        case Leaf(value=value):
            return linear(_integer(value)).expression()
        case Fork(atom=atom, then=then, otherwise=otherwise):
            return builders.choose(atom, _chosen(then), _chosen(otherwise))


def _integer(value: ir.Expression) -> ir.Expression:
    """Raises Intractable for what is not made of integers."""
    match value:
        case ir.Constant(value=number) if number == int(number):
            return builders.integer(int(number))
        case ir.Operation(ir.Operator.TO_REAL, (inner,)):
            return inner
        case ir.Operation(operator, operands) if operator in _OPERATORS:
            return ir.Operation(operator, tuple(map(_integer, operands)), ir.Sort.INT)
        case _:
            raise Intractable
