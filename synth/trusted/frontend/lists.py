"""Lists as people use them: where a new list goes, and what is added to one."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import (
    arithmetic,
    comprehensions,
    fixed_lists,
    gumbel_lists,
    iterables,
    iterations,
    layout,
    loops,
    ranges,
    sampling,
    shapes,
    store,
    values,
    vectors,
)
from synth.trusted.frontend.context import Context, Scope
from synth.trusted.frontend.values import ArrayValue, ListLiteral, ListValue, MatrixValue, TupleValue
from synth.trusted.frontend.vocabulary import NOISES
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import finish_block


def made_in_place(context: Context, target: ast.expr, node: ast.expr) -> bool:
    """Make the list of a comprehension in the variable itself, if nothing in it mentions the variable."""
    match target, node:
        case ast.Name(id=name), ast.ListComp() if not mentions(node, name):
            if name in context.scope.bindings or gumbel_lists.applies(context, node):
                return False
            variable = store.variable_name(context, target)
            store.new_list(context, variable, target, name)
            comprehensions.append_to(context, variable, node)
            return True
    return False


def renewed(context: Context, node: ast.stmt, target: ast.expr, value: values.Value) -> bool:
    """Let a variable that had another list before stand for a new list that nothing else refers to.

    At the top level of a function the name means the new list from here on; elsewhere the entries are copied.
    """
    match target, value:
        case ast.Name(id=name), ListValue(made, fresh=True) if not store.assigned_once(context, name):
            pass
        case _:
            return False
    if _at_top(context, node):
        context.scope.bindings[name] = ListValue(made)
        context.scope.renewed.add(name)
        return True
    variable = store.variable_name(context, target)
    store.check_free(context, target, value)
    if vectors.is_drawn(context, made):  # into the variable itself
        return False
    store.new_list(context, variable, target, name)
    loops.copy_into(context, variable, target, iterables.over(context, target, value))
    return True


def second_name(context: Context, node: ast.stmt, target: ast.expr, value: values.Value) -> bool:
    """Let a name be another one of a list, which is made nowhere else, for the rest of its function."""
    match target, value:
        case ast.Name(id=name), ListValue(made, fresh=False) if _at_top(context, node):
            if not store.assigned_once(context, name) or context.scope.local(name) == made:
                return False
            context.scope.bindings[name] = value
            context.shared.setdefault(made, context.source.place(node))
            return True
    return False


def replace(context: Context, node: ast.stmt, target: ast.expr, old: str, new: values.Value) -> None:
    """Let a list have the entries of a new one, which nothing else refers to, for all that refer to it."""
    if not isinstance(new, ListValue):
        message = "an entry is assigned by a second name of the list: use one name"
        raise context.error(node, Refusal.ALIASING, message)
    scope = context.scope
    match target:
        case ast.Name(id=name) if old not in context.shared and _at_top(context, node):
            if name not in scope.bindings or name in scope.renewed:
                scope.bindings[name] = ListValue(new.name)
                scope.renewed.add(name)
                return
    store.empty(context, old, target)
    loops.copy_into(context, old, target, iterables.over(context, target, new))


def told(context: Context, owner: ast.expr, whole: ListValue, entry: values.Value) -> values.Value:
    """An entry; True or False as the number that equals it, in a list of numbers that is only returned.

    Python's own truth value is no number of numpy's, so nobody may add it to others or make an array of it.
    """
    match owner, entry:
        case ast.Name(id=name), values.ScalarValue(ir.Constant(value, ir.Sort.BOOL)):
            shown = context.inference.entries(whole.name)
            numbers = any(
                isinstance(item, ir.ScalarShape) and item.sort is not ir.Sort.BOOL for item in shown
            )
            if numbers and _is_only_returned(context.scope, name):
                return values.ScalarValue(builders.integer(int(value)))
    return entry


def _is_only_returned(scope: Scope, name: str) -> bool:
    """Whether a mechanism itself makes a list, appends to it and returns it, and no more."""
    if scope.function is None or scope.caller is not None:
        return False
    above = {
        id(child): part for part in ast.walk(scope.function.node) for child in ast.iter_child_nodes(part)
    }

    def is_harmless(node: ast.Name) -> bool:
        match above[id(node)]:
            case ast.Return() | ast.Assign(targets=[ast.Name()], value=ast.List(elts=[])):
                return True
            case ast.Attribute(attr="append") as method:
                call = above[id(method)]
                return isinstance(call, ast.Call) and isinstance(above[id(call)], ast.Expr)
        return False

    found = (part for part in ast.walk(scope.function.node) if isinstance(part, ast.Name) and part.id == name)
    return all(map(is_harmless, found))


def _at_top(context: Context, node: ast.stmt) -> bool:
    """Whether a statement is in no branch and no loop of its function."""
    function = context.scope.function
    return function is not None and any(node is part for part in function.node.body)


def extend(
    context: Context, name: str | None, owner: str, node: ast.expr, operator: type[ast.stmt] | None = None
) -> None:
    """Append what an iterable gives; ``name`` is the variable that has the list.

    Where it is computed from the list, all of it is computed before.  ``xs = xs + e`` takes lists
    only, and ``xs += e`` no array: that would be a sum.
    """
    if sampling.distribution_of(context, node) in NOISES:  # run, it would take the list in, as in any sum
        raise context.error(node, Refusal.NOISE_AROUND_LIST, "noise around a list can't be part of a sum")
    match node:
        case ast.ListComp() if name is not None and not _refers(context, node, owner):
            comprehensions.append_to(context, owner, node)
            return
    iterable: iterations.Iterable | None = None
    if operator is ast.Assign:
        value = context.expression(context, node)
        if not isinstance(value, ListLiteral | ListValue):
            kind = shapes.describe_value(value)
            raise context.error(node, Refusal.WRONG_TYPE, f"{kind} can't be added to a list")
    elif isinstance(node, ast.Call) and iterables.is_iterator(context, node):
        iterable = iterables.iterable(context, node)
    else:
        value = context.expression(context, node)
        if operator is ast.AugAssign and isinstance(value, ArrayValue | MatrixValue):
            message = "an array that is added to a list gives an array: use extend"
            raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    if iterable is None:
        if isinstance(value, ListLiteral | TupleValue):
            store.append_all(context, owner, value.items, node)
            return
        if isinstance(value, ListValue) and value.name == owner:
            value = loops.collect(context, node, iterables.over(context, node, value))
        iterable = iterables.over(context, node, value)
    loops.copy_into(context, owner, node, iterable)


def unpacked(context: Context, node: ast.List) -> ListValue:
    """``[*xs, y]``: a new list, to which each part is appended in turn; of ``xs`` what a loop runs over."""
    if context.where:
        message = f"a list in {context.where} is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_LIST, message)
    name = context.temporary("list")
    store.make_list(context, name, (), node)
    for part in node.elts:
        if isinstance(part, ast.Starred):
            loops.copy_into(context, name, part.value, iterables.iterable(context, part.value))
        else:
            store.append(context, name, context.expression(context, part), part)
    return ListValue(name, fresh=True)


def mentions(node: ast.AST, name: str) -> bool:
    """Whether a name occurs in an expression."""
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _refers(context: Context, node: ast.AST, owner: str) -> bool:
    """Whether a name in an expression stands for that list, or for something that may hold it."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            bound = context.scope.bindings.get(part.id)
            local = context.scope.local(part.id)
            known = () if bound is None else tuple(layout.lists_in(bound))
            if owner in known or (local is not None and context.list_name(local) == owner):
                return True
    return False


def combined(
    context: Context, node: ast.BinOp, operator: ast.operator, left: values.Value, right: values.Value
) -> values.Value:
    """``left operator right`` where one of them may be a list: a new list."""
    match operator, left, right:
        case ast.Add(), ListLiteral(first), ListLiteral(second):
            return ListLiteral((*first, *second))
        case ast.Add(), ListLiteral() | ListValue(), ListLiteral() | ListValue():
            name = context.temporary("list")
            store.make_list(context, name, (), node)
            for part, place in ((left, node.left), (right, node.right)):
                loops.copy_into(context, name, place, iterables.over(context, place, part))
            return ListValue(name, fresh=True)
        case ast.Mult(), ListLiteral(items), values.ScalarValue(times):
            return _repeated(context, node, items, times, node.right)
        case ast.Mult(), values.ScalarValue(times), ListLiteral(items):
            return _repeated(context, node, items, times, node.left)
        case _:
            return arithmetic.binary(context, node, operator, left, right)


def _repeated(
    context: Context,
    node: ast.BinOp,
    items: tuple[values.Value, ...],
    times: ir.Expression,
    place: ast.expr,
) -> values.Value:
    """A display, so many times; none if the number is negative."""
    if times.sort is ir.Sort.REAL:
        raise context.error(place, Refusal.WRONG_TYPE, "a list is repeated a whole number of times")
    arithmetic.check_number(context, place, times)
    times = builders.numeric(times)
    if isinstance(times, ir.Constant) and len(items) * times.value <= fixed_lists.MOST:
        return ListLiteral(items * int(times.value))
    saved = [context.save(item, node) for item in items]
    number = ranges.end(context, values.ScalarValue(times), place, "times")
    steps = ranges.steps(context, builders.ZERO, number, 1)
    name = context.temporary("list")
    store.make_list(context, name, (), node)

    def each(entry: iterations.Entry) -> None:
        for item in saved:
            store.append(context, name, item, node)

    label = iterations.exit_label(context)
    context.body.extend(finish_block(label, iterations.run(context, node, node, steps, each, label)))
    return ListValue(name, fresh=True)
