"""Values in variables, component by component."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import flattening, infinities, layout, shapes, values
from synth.trusted.frontend.context import Context, mentions_list
from synth.trusted.frontend.shapes import MismatchError
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import ArrayValue, ListLiteral, ListValue, Value
from synth.trusted.program import syntax as ir

Move = tuple[str, ir.Expression]


def store(
    context: Context, name: str, value: Value, node: Located, shown: str, passing: bool = False
) -> list[Move]:
    """The assignments that put a value into a variable; lists in it are made at once.

    What stands beside a list display in a tuple is computed before: it may read the list that the variable
    had.  ``passing`` says that the variable only passes the result of a call on to the caller.
    """
    if isinstance(value, values.TupleValue) and has_literal(value):
        value = context.save(value, node)
    if isinstance(value, values.GeneratorValue):
        raise context.error(
            node, Refusal.UNSUPPORTED_LIST, "a generator in a variable is not supported: use a list"
        )
    if isinstance(value, ArrayValue):
        message = "an array can only be returned by the last statement of a function"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    if isinstance(value, values.ParameterValue):
        raise context.error(
            node, Refusal.ALIASING, f"aliasing the parameter '{value.parameter.name}' is not supported"
        )
    if isinstance(value, values.FunctionValue):
        raise context.error(node, Refusal.ALIASING, "a function is given back, or is one of several")
    if isinstance(value, values.RecordsValue):
        raise context.error(node, Refusal.ALIASING, f"aliasing the parameter '{value.name}' is not supported")
    objects = values.ObjectValue | values.EnumValue | values.ClassValue | values.DictValue
    objects |= values.SetValue | values.LoggerValue
    if isinstance(value, objects):
        message = f"{shapes.describe_value(value)} is given a second name, or is one of several"
        raise context.error(node, Refusal.ALIASING, message)
    try:
        shape = context.inference.add_shape(name, shapes.shape_of(value))
    except MismatchError:
        raise context.error(node, Refusal.MIXED_TYPES, _clash(context, name, value, shown)) from None
    _store_lists(context, name, value, node, shown if not passing else None)
    names = (flat for flat, _ in flattening.components(name, shape))
    return list(zip(names, flattening.flatten(value, shape), strict=True))


def new_list(context: Context, name: str, node: Located, shown: str) -> None:
    """Let a variable hold a list of its own."""
    store(context, name, ListLiteral(()), node, shown)


def move(context: Context, moves: Sequence[Move], node: Located | ir.Span) -> None:
    """Assign all at once: no assignment changes what another one reads."""
    span = context.source.place(node)
    if _retarget(context, moves, node):
        return
    written: set[str] = set()
    pending: list[Move] = []
    for name, expression in moves:
        if _mentions(expression, written):
            hidden = context.temporary("temp")
            context.emit(ir.Assign(hidden, expression, span))
            pending.append((name, ir.Variable(hidden, expression.sort)))
        else:
            pending.append((name, expression))
        written.add(name)
    for name, expression in pending:
        context.emit(ir.Assign(name, expression, span))


def make_list(context: Context, name: str, items: Sequence[Value], node: Located | ir.Span) -> None:
    """Empty a local list and append the values."""
    if any(_reads_list(context, name, item) for item in items):
        items = [context.save(item, node) for item in items]
    check_not_iterating(context, name, node, "reassigned")
    context.emit(ir.NewList(name, context.source.place(node)))
    for item in items:
        append(context, name, item, node)


def empty(context: Context, name: str, node: Located | ir.Span) -> None:
    """Take all entries out of a list, for all that refer to it."""
    make_list(context, name, (), node)
    context.emptied.add((name, context.source.place(node)))


def append(context: Context, name: str, value: Value, node: Located | ir.Span) -> None:
    """Append a value to a local list."""
    check_not_iterating(context, name, node, "changed")
    value = infinities.finite(context, value, node)
    if isinstance(value, values.SourceValue):
        raise context.error(node, Refusal.UNSUPPORTED_LIST, "a source of random numbers in a list")
    try:
        given = layout.alternatives_of(value)
        if any(map(shapes.has_list, given)):
            raise context.error(node, Refusal.LIST_OF_LISTS, "a list of lists is not supported")
        alternatives = context.inference.add_entries(name, given)
        context.inference.check_truth(given, alternatives)
        components = layout.encode(value, alternatives)
    except MismatchError:
        kind = shapes.describe_value(layout.unfit(value))
        raise context.error(
            node, Refusal.MIXED_TYPES, f"appending {kind} to this list is not supported"
        ) from None
    context.emit(ir.Append(name, components, context.source.place(node)))


def append_all(context: Context, name: str, items: Sequence[Value], node: Located) -> None:
    """Append several values, all computed before the list changes."""
    if len(items) > 1 and any(_reads_list(context, name, item) for item in items):
        items = [context.save(item, node) for item in items]
    for item in items:
        append(context, name, item, node)


def materialise(context: Context, value: Value, node: Located | ir.Span) -> Value:
    """The value with its list displays made into hidden lists."""
    match value:
        case ListLiteral(items):
            name = context.temporary("list")
            make_list(context, name, items, node)
            return ListValue(name, fresh=True)
        case values.NamedTupleValue(items, kind):
            return values.NamedTupleValue(tuple(materialise(context, item, node) for item in items), kind)
        case values.TupleValue(items):
            return replace(value, items=tuple(materialise(context, item, node) for item in items))
        case _:
            return value


def check_not_iterating(context: Context, name: str, node: Located | ir.Span, verb: str) -> None:
    """Refuse to touch a list while a loop runs over it."""
    if name in context.iterating:
        raise context.error(
            node, Refusal.LIST_CHANGED_IN_LOOP, f"the list is {verb} while a loop runs over it"
        )


def variable_name(context: Context, target: ast.Name) -> str:
    """The variable that an assignment to a name is to."""
    bound = context.scope.bindings.get(target.id)
    match bound:
        case values.ParameterValue() | values.RecordsValue():
            raise context.error(
                target, Refusal.PARAMETER_REASSIGNED, f"the parameter '{target.id}' can't be reassigned"
            )
        case values.ObjectValue():
            raise context.error(
                target, Refusal.ALIASING, f"'{target.id}' is an object; use another name for another value"
            )
        case ListValue(made) if target.id in context.scope.renewed:
            return made
        case ListValue():
            raise context.error(
                target, Refusal.PARAMETER_REASSIGNED, f"the list parameter '{target.id}' can't be reassigned"
            )
    name = context.scope.local(target.id)
    assert name is not None
    return name


def check_free(context: Context, target: ast.Name, value: Value) -> None:
    """Refuse to assign to a name that would go on standing for what it stands for.  Raises ProgramError."""
    bound = context.scope.bindings.get(target.id)
    renewed = target.id in context.scope.renewed and isinstance(value, ListLiteral | ListValue)
    if bound is not None and not renewed:
        one, other = shapes.describe_value(bound), shapes.describe_value(value)
        message = f"'{target.id}' is {one} and {other}: use one name for each"
        raise context.error(target, Refusal.MIXED_TYPES, message)


def _store_lists(context: Context, name: str, value: Value, node: Located, shown: str | None) -> None:
    match value:
        case ListLiteral(items):
            _alias(context, name, name, node)
            make_list(context, name, items, node)
        case ListValue(other) if other == name:
            _alias(context, name, name, node)
        case ListValue(other, fresh):
            if shown is not None and not (fresh and assigned_once(context, shown)):
                raise context.error(node, Refusal.ALIASING, "aliasing a list is not supported")
            _alias(context, name, other, node)
        case values.TupleValue(items):
            for place, item in enumerate(items):
                _store_lists(context, f"{name}.{place}", item, node, shown)
        case _:
            pass


def _alias(context: Context, name: str, other: str, node: Located) -> None:
    if context.aliases.setdefault(name, other) != other:
        raise context.error(node, Refusal.ALIASING, "aliasing a list is not supported")


def assigned_once(context: Context, shown: str) -> bool:
    """Whether a variable gets its value in one place only, and isn't given."""
    if shown in context.scope.bindings:
        return False
    function = context.scope.function
    return function is not None and function.assigned.get(shown) == 1


def _retarget(context: Context, moves: Sequence[Move], node: Located | ir.Span) -> bool:
    """Let a draw that was just made go to the variable itself, without a hidden one."""
    last = context.body[-1] if context.body else None
    if not isinstance(last, ir.Draw | ir.Choose) or not moves:
        return False
    name, expression = moves[-1]
    if last.target not in context.unnamed_draws or expression != ir.Variable(last.target, last.sort):
        return False
    flags = moves[:-1]
    if not all(isinstance(flag, ir.Constant) and flag_name != name for flag_name, flag in flags):
        return False
    context.body[-1] = replace(last, target=name)
    context.forget(last.target)
    for flag_name, flag in flags:
        context.emit(ir.Assign(flag_name, flag, context.source.place(node)))
    return True


def _mentions(expression: ir.Expression, names: set[str]) -> bool:
    return bool(names) and any(
        isinstance(part, ir.Variable) and part.name in names for part in ir.subexpressions(expression)
    )


def _reads_list(context: Context, name: str, value: Value) -> bool:
    return any(mentions_list(part, frozenset((name,))) for part in flattening.expressions(value))


def has_literal(value: Value) -> bool:
    match value:
        case ListLiteral():
            return True
        case values.TupleValue(items):
            return any(has_literal(item) for item in items)
        case _:
            return False


def _clash(context: Context, name: str, value: Value, shown: str) -> str:
    inference, kind = context.inference, shapes.describe_value(value)
    known = (found.get(name) for found in (inference.shapes, inference.shapes_before))
    others = (shapes.describe(shape) for shape in known if shape is not None)
    other = next((item for item in others if item != kind), "something else")
    return f"variable '{shown}' is both {other} and {kind}"
