"""Core text of a few statements, or of functions, in a program."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from synth.trusted.core.parsing import read_tree
from synth.trusted.core.read_expressions import CoreError, Scope
from synth.trusted.core.read_statements import StatementReader
from synth.trusted.program import syntax as ir


def read_statements(text: str, of: ir.Mechanism) -> tuple[ir.Statement, ...]:
    """Return statements of a program's body, as written; their numbers begin at 0.  Raises CoreError."""
    return read_tree(text, lambda lines, tree: StatementReader(lines).body(tree.body, _scope(of), ()))


def read_function(
    text: str, of: ir.Mechanism, sorts: Sequence[ir.Sort]
) -> tuple[tuple[ir.Variable, ...], tuple[ir.Expression, ...]]:
    """Return the variables of a lambda, of these sorts, and its values: those of a tuple, or one.

    Raises CoreError.
    """

    def read(lines: list[str], tree: ast.Module) -> tuple[tuple[ir.Variable, ...], tuple[ir.Expression, ...]]:
        match tree.body:
            case [ast.Expr(value=ast.Lambda() as node)]:
                pass
            case _:
                raise CoreError("something else than one lambda", 1, 1)
        reader, scope = StatementReader(lines), _scope(of)
        found, value = reader.function(node, {*scope.scalars, *scope.arrays, *scope.lists})
        if len(found) != len(sorts):
            raise reader.refuse(node, f"{len(found)} variables, where {len(sorts)} are needed")
        known = dict(zip(found, sorts, strict=True))
        items = value.elts if isinstance(value, ast.Tuple) else [value]
        values = (reader.expression(item, scope.knowing(known)) for item in items)
        return tuple(ir.Variable(name, sort) for name, sort in known.items()), tuple(values)

    return read_tree(text, read)


def _scope(of: ir.Mechanism) -> Scope:
    """What names mean in the body of a program."""
    scalars = {item.name: item.sort for item in of.visible if item.kind is ir.ParameterKind.SCALAR}
    arrays = {item.name: item for item in of.visible if item.kind is not ir.ParameterKind.SCALAR}
    return Scope({**scalars, **of.variables}, arrays, of.lists, assigned=of.variables.keys())
