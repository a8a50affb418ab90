"""Attributes that hold a list, a function or an object: which one it is must be seen from the text.

So such an attribute is assigned before the object is made, wherever control goes, and nothing else later.
"""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import shapes
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    ArrayValue,
    DictValue,
    FunctionValue,
    ListValue,
    LoggerValue,
    MatrixValue,
    ObjectValue,
    ParameterValue,
    RecordsValue,
    Value,
)

REFERENCES = (
    *(ArrayValue, MatrixValue, DictValue, ListValue, ParameterValue, RecordsValue),
    *(ObjectValue, FunctionValue, LoggerValue),
)
_SOMETIMES = (
    ast.IfExp,
    ast.BoolOp,
    ast.Compare,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
"""Expressions of which a part may not be evaluated, or several times."""


def refer(context: Context, owner: ObjectValue, name: str, value: Value, node: Located) -> None:
    """Let an attribute be a list, a function or an object.  Raises ProgramError."""
    variable = f"{owner.place}.{name}"
    known = context.references.get(variable)
    if known is not None:
        if known != value:
            message = (
                f"the attribute '{name}' is given {shapes.describe_value(value)} again: make a new object"
            )
            raise context.error(node, Refusal.ALIASING, message)
        return
    if isinstance(value, FunctionValue) and value.free is not None and value.free() != ({}, {}):
        message = f"the attribute '{name}' is a function that uses variables around it: pass them to it"
        raise context.error(node, Refusal.ALIASING, message)
    if context.inference.shape(variable) is not None or not is_certain(context, owner, name, node):
        message = (
            f"the attribute '{name}' is {shapes.describe_value(value)}, and not assigned once, in '__init__'"
        )
        raise context.error(node, Refusal.ALIASING, message)
    if isinstance(value, ListValue):
        context.shared.setdefault(value.name, context.source.place(node))
    context.references[variable] = value


def is_certain(context: Context, owner: ObjectValue, name: str, node: Located) -> bool:
    """Whether control comes here whenever such an object is made, and before it is made."""
    number = owner.place.rpartition("%")[2]
    if any(item.name == name for item in owner.kind.fields):
        return True
    scope = context.scope
    while scope.function is not None and scope.caller is not None:
        if not _is_always_run(context, scope.function, node):
            return False
        own = next((item.arg for item in scope.function.parameters), "")
        if scope.function.node.name == "__post_init__" and scope.bindings.get(own) == owner:
            return True
        if scope.label == f"return%{number}":
            return scope.function.node.name == "__init__"
        node = scope.path[-1]
        scope = scope.caller
    return False


def _is_always_run(context: Context, function: Function, node: Located) -> bool:
    """Whether a call of the function evaluates a node once."""
    body: list[ast.stmt] | None = function.node.body
    while body is not None:
        body, statement = _within(context, body, node)
        if body is None and statement is not None:
            plain = isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return)
            unsure = (part for part in ast.walk(statement) if isinstance(part, _SOMETIMES))
            return plain and not any(inner is node for part in unsure for inner in ast.walk(part))
    return False


def _within(
    context: Context, body: list[ast.stmt], node: Located
) -> tuple[list[ast.stmt] | None, ast.stmt | None]:
    """The statement of a node, or the body of its branch if that is always taken; none behind a return."""
    for statement in body:
        mine = any(part is node for part in ast.walk(statement))
        if mine and isinstance(statement, ast.If) and statement in context.decided:
            for branch in (statement.body, statement.orelse):
                if any(part is node for item in branch for part in ast.walk(item)):
                    return branch, None
        if mine:
            return None, statement
        if any(isinstance(part, ast.Return | ast.While | ast.Try) for part in ast.walk(statement)):
            return None, None
    return None, None
