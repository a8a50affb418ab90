"""Assignments to entries of lists."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arithmetic, entries, fixed_lists, lists, reductions, store, values
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.values import ListValue, ParameterValue, ScalarValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def assign(context: Context, node: ast.stmt, target: ast.expr, value: Value) -> None:
    """``xs[i] = e``; what is assigned has been evaluated before."""
    assert isinstance(target, ast.Subscript)
    if not isinstance(target.value, ast.Name):
        raise context.error(target, Refusal.UNSUPPORTED_CONSTRUCT, "this assignment is not supported")

    def place() -> Value:
        return ScalarValue(_index(context, target))

    value, index = context.in_turn([(target, lambda: value), (target, place)])
    _set(context, node, target, context.numeric(index, target), value)


def augment(context: Context, node: ast.AugAssign, target: ast.Subscript) -> None:
    """``xs[i] += e``: list and index are evaluated once, then the entry, then the other operand."""
    if not isinstance(target.value, ast.Name):
        raise context.error(target, Refusal.UNSUPPORTED_CONSTRUCT, "this assignment is not supported")
    if context.module.samples(node.value):
        message = "noise added in place to an entry is not supported: write xs[i] = xs[i] + ..."
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    whole = context.expression(context, target.value)

    def place() -> Value:
        return context.save(ScalarValue(_index(context, target)), target)

    def old() -> Value:
        return _entry(context, target, whole, index)

    (index_value,) = context.in_turn([(target, place)])
    index = context.numeric(index_value, target)
    before, added = context.in_turn(
        [(target, old), (node.value, lambda: context.expression(context, node.value))]
    )
    _set(context, node, target, index, arithmetic.binary(context, _whole(node), node.op, before, added))


def _whole(node: ast.AugAssign) -> ast.BinOp:
    return ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)


def _index(context: Context, target: ast.Subscript) -> ir.Expression:
    return context.integer(target.slice, "an index")


def _entry(context: Context, target: ast.Subscript, whole: Value, index: ir.Expression) -> Value:
    match whole:
        case values.ListLiteral(items):
            return fixed_lists.entry(context, target, items, index)
        case ListValue(name):
            return entries.entry(context, target, name, entries.checked(context, target, name, index))
        case _:
            raise _refused(context, target, whole)


def _set(context: Context, node: ast.stmt, target: ast.Subscript, index: ir.Expression, value: Value) -> None:
    assert isinstance(target.value, ast.Name)
    name = target.value.id
    if fixed_lists.is_fixed_list(context, name):
        fixed_lists.set_entry(context, target, name, index, value)
        return
    whole = context.expression(context, target.value)
    if not isinstance(whole, ListValue):
        raise _refused(context, target, whole)
    store.check_not_iterating(context, whole.name, target, "changed")
    entries.checked(context, target, whole.name, index)
    if isinstance(index, ir.Constant) and index.value < 0:
        index = builders.add(ir.Length(whole.name), index)
    given: dict[str, Value] = {"entries": whole, "place": ScalarValue(index), "value": value}
    lists.replace(
        context, node, target.value, whole.name, reductions.model_of(context, target, "_with_entry", given)
    )


def _refused(context: Context, target: ast.Subscript, whole: Value) -> Exception:
    shown = ast.unparse(target.value)
    if isinstance(whole, ParameterValue):
        message = f"the parameter '{shown}' can't be changed: use list({shown})"
        return context.error(target, Refusal.PARAMETER_REASSIGNED, message)
    kind = values.describe_value(whole)
    return context.error(
        target, Refusal.UNSUPPORTED_LIST, f"an assignment to an entry of {kind} is not supported"
    )
