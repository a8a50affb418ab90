"""Assignments to entries of lists."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arguments,
    arithmetic,
    array_types,
    array_updates,
    dicts,
    entries,
    fixed_lists,
    inlining,
    iterables,
    lists,
    loops,
    reductions,
    sampling,
    shapes,
    store,
    values,
)
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.values import DictValue, ListValue, ParameterValue, ScalarValue, Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def assign(context: Context, node: ast.stmt, target: ast.expr, value: Value) -> None:
    """``xs[i] = e``; what is assigned has been evaluated before."""
    assert isinstance(target, ast.Subscript)
    if array_updates.of_array(context, target):
        array_updates.assign(context, target, value)
        return
    value, held = context.in_turn([(target, lambda: value), (target.value, lambda: _held(context, target))])
    if isinstance(held, DictValue):
        value, key = context.in_turn([(target, lambda: value), (target, lambda: _key(context, target))])
        dicts.put(context, target, held, key, value)
        return
    if array_updates.of_matrix(context, target):
        array_updates.assign_to_matrix(context, target, value)
        return
    _check(context, target, held)

    def place() -> Value:
        return ScalarValue(_index(context, target))

    value, index = context.in_turn([(target, lambda: value), (target, place)])
    _set(context, node, target, context.numeric(index, target), value, held)


def _held(context: Context, target: ast.Subscript) -> Value:
    """What an attribute holds, or a name that stands for a dict; None for what else an entry is of."""
    match target.value:
        case ast.Name(id=name) if isinstance(found := context.scope.bindings.get(name), DictValue):
            return found
        case ast.Attribute():
            return context.expression(context, target.value)
        case _:
            return values.NoneValue()


def _key(context: Context, target: ast.Subscript) -> Value:
    if isinstance(target.slice, ast.Slice):
        raise dicts.refused(context, target, "a slice of a dict")
    return context.expression(context, target.slice)


def _check(context: Context, target: ast.Subscript, held: Value) -> None:
    if isinstance(target.slice, ast.Slice):
        message = "an assignment to a slice is not supported"
        raise context.error(target, Refusal.UNSUPPORTED_CONSTRUCT, message)
    if isinstance(target.value, ast.Attribute) and not isinstance(held, ListValue):
        raise _refused(context, target, held)
    if not isinstance(target.value, ast.Name | ast.Attribute):
        raise context.error(target, Refusal.UNSUPPORTED_CONSTRUCT, "this assignment is not supported")


def augment(context: Context, node: ast.AugAssign, target: ast.Subscript) -> None:
    """``xs[i] += e``: list and index are evaluated once, then the entry, then the other operand."""
    held = _held(context, target)
    if isinstance(held, DictValue):
        dicts.augment(context, node, target, held, _key(context, target))
        return
    parts = [part for part in ast.walk(node.value) if isinstance(part, ast.expr)]
    own = any(sampling.distribution_of(context, part) is not None for part in parts)
    if array_updates.of_array(context, target) and not own:
        array_updates.augment(context, node, target)
        return
    if array_updates.of_matrix(context, target) and not own:
        array_updates.augment_matrix(context, node, target)
        return
    if context.module.samples(node.value):
        message = "noise added in place to an entry is not supported: write xs[i] = xs[i] + ..."
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    _check(context, target, held)
    array_types.check_power(context, _whole(node))
    whole = context.expression(context, target.value) if isinstance(target.value, ast.Name) else held

    def place() -> Value:
        return context.save(ScalarValue(_index(context, target)), target)

    def old() -> Value:
        return _entry(context, target, whole, index)

    (index_value,) = context.in_turn([(target, place)])
    index = context.numeric(index_value, target)
    before, added = context.in_turn(
        [(target, old), (node.value, lambda: context.expression(context, node.value))]
    )
    new = arithmetic.binary(context, _whole(node), node.op, before, added)
    _set(context, node, target, index, new, held)


CHANGES = ("pop", "insert", "remove", "clear", "sort")
"""Methods that change a list, besides append and extend."""


def change(context: Context, node: ast.Call, owner: ast.expr, name: str, method: str) -> None:
    """A statement that calls one of these methods."""
    store.check_not_iterating(context, name, node, "changed")
    whole = ListValue(name)
    if method == "pop":
        popped(context, node, whole)
    elif method == "sort":
        given_: dict[str, Value] = {"iterable": whole, "key": values.NoneValue()}
        given_["reverse"] = ScalarValue(_is_falling(context, node))
        _renew(context, owner, name, reductions.model_of(context, node, "sorted", given_))
    elif method == "clear":
        arguments.positional(context.source, node, "'clear'", 0, 0)
        store.empty(context, name, node)
    elif method == "insert":
        place, given = arguments.positional(context.source, node, "'insert'", 2, 2)
        index, value = context.ordered([place, given])
        number = context.save(ScalarValue(_cut(context, name, context.whole(index, place, "an index"))), node)
        arguments_ = {"entries": whole, "place": number, "value": value}
        _renew(context, owner, name, reductions.model_of(context, node, "_with_inserted", arguments_))
    else:
        (given,) = arguments.positional(context.source, node, "'remove'", 1, 1)
        value = context.expression(context, given)
        place_ = reductions.model_of(context, node, "_index", {"entries": whole, "value": value})
        _remove(context, node, name, place_)


def _is_falling(context: Context, node: ast.Call) -> ir.Constant:
    """Whether a list is sorted from its largest entry on, by ``reverse``, which is written out."""
    match node.args, node.keywords:
        case [], [ast.keyword(arg="reverse", value=ast.Constant(value=bool(falling)))]:
            return builders.TRUE if falling else builders.FALSE
    arguments.positional(context.source, node, "'sort'", 0, 0)
    return builders.FALSE


def in_place(context: Context, node: ast.Call, function: Function) -> None:
    """A statement that calls a function of a stub, which puts what its model gives into its argument."""
    (argument,) = arguments.positional(context.source, node, f"'{function.name}'", 1, 1)
    whole = context.expression(context, argument)
    given = {function.parameters[0].arg: whole}
    if isinstance(whole, values.ArrayValue):
        array_updates.by_function(context, node, argument, whole, function)
        return
    if not isinstance(whole, ListValue):
        raise _refused(context, argument, whole)
    store.check_not_iterating(context, whole.name, node, "changed")
    _renew(context, argument, whole.name, inlining.applied(context, node, function, given))


def popped(context: Context, node: ast.Call, whole: ListValue) -> Value:
    """``xs.pop()`` or ``xs.pop(i)``: the entry, which the list loses."""
    given = arguments.positional(context.source, node, "'pop'", 0, 1)
    store.check_not_iterating(context, whole.name, node, "changed")
    index = context.integer(given[0], "an index") if given else builders.integer(-1)
    index = entries.checked(context, node, whole.name, index)
    place = context.save(ScalarValue(index), node)
    result = context.save(entries.entry(context, node, whole.name, context.numeric(place, node)), node)
    _remove(context, node, whole.name, place)
    return result


def delete(context: Context, node: ast.stmt, target: ast.expr) -> None:
    """``del xs[i]``."""
    assert isinstance(target, ast.Subscript)
    whole = context.expression(context, target.value)
    if not isinstance(whole, ListValue):
        raise _refused(context, target, whole)
    store.check_not_iterating(context, whole.name, target, "changed")
    index = entries.checked(context, target, whole.name, _index(context, target))
    _remove(context, target, whole.name, context.save(ScalarValue(index), target))


def _remove(context: Context, node: ast.expr, name: str, place: Value) -> None:
    given: dict[str, Value] = {"entries": ListValue(name), "place": place}
    _renew(context, node, name, reductions.model_of(context, node, "_without_entry", given))


def _renew(context: Context, node: ast.expr, name: str, new: Value) -> None:
    """Let a list have other entries, for all that refer to it."""
    store.empty(context, name, node)
    loops.copy_into(context, name, node, iterables.over(context, node, new))


def _cut(context: Context, name: str, index: ir.Expression) -> ir.Expression:
    """Where ``insert`` puts an entry: ends are cut to the list."""
    length = ir.Length(name)
    above = builders.arithmetic(ir.Operator.MINIMUM, index, length)
    below = builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, builders.add(length, index))
    return builders.choose(builders.less(index, builders.ZERO), below, above)


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


def _set(
    context: Context,
    node: ast.stmt,
    target: ast.Subscript,
    index: ir.Expression,
    value: Value,
    held: Value,
) -> None:
    match target.value:
        case ast.Name(id=name) if fixed_lists.is_fixed_list(context, name):
            fixed_lists.set_entry(context, target, name, index, value)
            return
    whole = context.expression(context, target.value) if isinstance(target.value, ast.Name) else held
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


def _refused(context: Context, target: ast.expr, whole: Value) -> Exception:
    shown = ast.unparse(target.value if isinstance(target, ast.Subscript) else target)
    if isinstance(whole, ParameterValue):
        message = f"the parameter '{shown}' can't be changed: use list({shown})"
        return context.error(target, Refusal.PARAMETER_REASSIGNED, message)
    kind = shapes.describe_value(whole)
    return context.error(
        target, Refusal.UNSUPPORTED_LIST, f"an assignment to an entry of {kind} is not supported"
    )
