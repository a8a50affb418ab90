"""Sets that are written out: ``{"a", "b"}``, ``set(BRANCHES)``.  They are asked what they have, or sorted."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cmp_to_key

from synth.trusted.errors import Refusal
from synth.trusted.frontend import branching, dict_displays, dicts
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.labels import STRINGS
from synth.trusted.frontend.values import LabelValue, ListLiteral, ScalarValue, SetValue, TupleValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_MAKERS = ("set", "frozenset")


def display(context: Context, node: ast.Set) -> Value:
    """``{a, b}``."""
    return _made(context, node, context.ordered(node.elts))


def is_maker(context: Context, node: ast.Call) -> bool:
    """Whether a call makes a set, or sorts one."""
    match node:
        case ast.Call(func=ast.Name(id=name) as called, args=[_], keywords=[]) if name in _MAKERS:
            return dict_displays.is_python(context, called, name)
        case ast.Call(func=ast.Name(id="sorted") as called, args=[ast.Set() | ast.Name() | ast.Call()]):
            return (
                dict_displays.is_python(context, called, "sorted") and _sorted_set(context, node) is not None
            )
        case _:
            return False


def call(context: Context, node: ast.Call) -> Value:
    """``set(xs)`` of what is written out, or ``sorted(s)``."""
    assert isinstance(node.func, ast.Name)
    if node.func.id not in _MAKERS:
        found = _sorted_set(context, node)
        assert found is not None
        return _sorted(context, node, found)
    value = context.expression(context, node.args[0])
    if not isinstance(value, TupleValue | ListLiteral | SetValue):
        message = "a set of what isn't written out is not supported: data may decide what is in it"
        raise context.error(node, Refusal.PRIVATE_KEYS, message)
    return _made(context, node, value.items)


def _sorted_set(context: Context, node: ast.Call) -> SetValue | None:
    """The set that a call of ``sorted`` sorts; None if it sorts something else."""
    (given,) = node.args
    match given:
        case ast.Set():
            pass
        case ast.Call() if is_maker(context, given):
            pass
        case ast.Name(id=name) if isinstance(context.scope.bindings.get(name), SetValue):
            pass
        case _:
            return None
    found = context.expression(context, given)
    if node.keywords or not isinstance(found, SetValue):
        raise context.error(node, Refusal.UNSUPPORTED_CALL, "this call of 'sorted' of a set is not supported")
    return found


def _made(context: Context, node: ast.expr, items: Sequence[Value]) -> SetValue:
    """The set of some values; no two of it are equal."""
    found: list[Value] = []
    for item in items:
        if not dicts.is_constant(item):
            message = "a set of what isn't written out is not supported: data may decide what is in it"
            raise context.error(node, Refusal.PRIVATE_KEYS, message)
        if not any(branching.equality(context, node, item, other) == builders.TRUE for other in found):
            found.append(item)
    return SetValue(tuple(found))


def _sorted(context: Context, node: ast.expr, whole: SetValue) -> Value:
    """A new list, in order: of numbers, or of strings."""

    def compared(left: Value, right: Value) -> int:
        match left, right:
            case ScalarValue(ir.Constant(value=one)), ScalarValue(ir.Constant(value=other)):
                return -1 if one < other else 1
            case LabelValue(a, ir.Constant(value=one)), LabelValue(b, ir.Constant(value=other)) if (
                a is b is STRINGS
            ):
                texts = context.labels
                return -1 if texts.text(int(one)) < texts.text(int(other)) else 1
            case _:
                raise context.error(node, Refusal.WRONG_TYPE, "these can't be sorted")

    return ListLiteral(tuple(sorted(whole.items, key=cmp_to_key(compared))))
