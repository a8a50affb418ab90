"""Local names of labels that are written out, and of ranges: such a name means the same wherever it is read.

The name is assigned once, and nothing else is done to it than to read it.  So what it stands for is known.
"""

from __future__ import annotations

import ast

from synth.trusted.frontend import dicts
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.module_literals import only_reads
from synth.trusted.frontend.values import (
    GeneratorValue,
    LabelValue,
    ListLiteral,
    SetValue,
    TupleValue,
    Value,
)


def bind(context: Context, target: ast.expr, value: Value) -> bool:
    """Let a name stand for labels that are written out, or a range, if that is what an assignment does."""
    function = context.scope.function
    if function is None or not isinstance(target, ast.Name) or not _is_written_out(value):
        return False
    name = target.id
    bound = name in context.scope.bindings or name in context.scope.renamed
    if bound or any(item.arg == name for item in function.parameters):
        return False
    nodes = [part for part in ast.walk(function.node) if isinstance(part, ast.Name) and part.id == name]
    others = [node for node in nodes if node is not target]
    if any(not isinstance(node.ctx, ast.Load) for node in others):
        return False
    if isinstance(value, ListLiteral | SetValue):
        above = {id(child): node for node in ast.walk(function.node) for child in ast.iter_child_nodes(node)}
        if not all(only_reads(context.module, node, above) for node in others):
            return False
    context.scope.bindings[name] = value
    return True


def _is_written_out(value: Value) -> bool:
    match value:
        case SetValue() | GeneratorValue(bounds=(_, _)):
            return True
        case TupleValue(items) | ListLiteral(items):
            labels = any(isinstance(item, LabelValue) for item in items)
            return labels and len(items) <= dicts.MOST and all(map(dicts.is_constant, items))
        case LabelValue():
            return dicts.is_constant(value)
        case _:
            return False
