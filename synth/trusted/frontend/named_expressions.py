"""Assignment expressions: ``(x := e)``.

What a statement has read of a variable before it assigns it would be read again behind the assignment, so
that is refused: the name stands nowhere before in the statement, but in the value itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import flattening, shapes, store, targets, values
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.scoping import captured
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.values import Value


def evaluate(context: Context, node: ast.NamedExpr) -> Value:
    """The value, which the variable has from here on."""
    if context.where:
        message = f"an assignment expression in {context.where} is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    assert isinstance(node.target, ast.Name)
    name = node.target.id
    function = context.scope.function
    if function is not None and name in captured(function.node):
        message = f"'{name}' is assigned in an expression, and used in a nested function"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    value = context.expression(context, node.value)
    if not isinstance(value, values.ScalarValue | values.OptionalValue | values.NoneValue):
        kind = shapes.describe_value(value)
        message = f"{kind} in an assignment expression is not supported: assign it in a statement before"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    if not _is_draw(context, value):
        value = context.save(value, node)
    targets.assign(context, node.target, value)
    variable = store.variable_name(context, node.target)
    shape = context.inference.shape(variable)
    assert shape is not None
    context.changed_lists += [flat for flat, _ in flattening.components(variable, shape)]
    same = shape == shapes.shape_of(value)
    return context.expression(context, _loaded(context, node)) if same else value


def _is_draw(context: Context, value: Value) -> bool:
    """Whether a value was drawn just now, so that the draw itself may go to the variable."""
    return any(getattr(part, "name", "") in context.unnamed_draws for part in flattening.expressions(value))


def _loaded(context: Context, node: ast.NamedExpr) -> ast.Name:
    assert isinstance(node.target, ast.Name)
    return ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)


def check_order(source: Source, node: ast.stmt) -> None:
    """Refuse an assignment expression behind another use of its name in a statement.  Raises ProgramError."""
    for error in _misplaced(source, node):
        raise error


def _misplaced(source: Source, node: ast.stmt) -> Iterator[ProgramError]:
    parts = list(_own_parts(node))
    names = [part for part in parts if isinstance(part, ast.Name)]
    for part in parts:
        if not isinstance(part, ast.NamedExpr):
            continue
        own = {id(inner) for inner in ast.walk(part)}
        for name in names:
            before = (name.lineno, name.col_offset) < (part.lineno, part.col_offset)
            if before and id(name) not in own and name.id == part.target.id:
                message = f"'{name.id}' is used before it is assigned in one statement: assign it before"
                yield source.error(part, Refusal.UNSUPPORTED_CONSTRUCT, message)


def _own_parts(node: ast.stmt) -> Iterator[ast.AST]:
    """A statement and its parts, without the statements inside of it."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += (child for child in ast.iter_child_nodes(part) if not isinstance(child, ast.stmt))
