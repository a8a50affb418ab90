"""Assignment to targets: names, and tuples of targets, which take the values one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import array_changes, array_names, arrays, matrices, shapes, store, values
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import ArrayValue, ListLiteral, MatrixValue, ScalarValue, Value
from synth.trusted.program import builders

_REBOUND = (ArrayValue, MatrixValue, values.UniformValue, values.SourceValue)
"""What a name stands for from its assignment to the next one."""


def assign(context: Context, target: ast.expr, value: Value) -> None:
    """Assign a value to a name or, by components, to a tuple of targets."""
    places = list(_places(context, target, value))
    if store.has_literal(value) and len(places) > 1:
        places = [(name, shown, context.save(item, node), node) for name, shown, item, node in places]
    if len(places) > 1:
        places = [(name, shown, _settled(context, item, node), node) for name, shown, item, node in places]
    moves: list[store.Move] = []
    for name, shown, item, node in places:
        if isinstance(item, ArrayValue | MatrixValue):
            assert isinstance(node, ast.Name)
            if isinstance(item, MatrixValue):
                matrices.bind(context, node, item)
            else:
                array_names.bind(context, node, item)
            continue
        if isinstance(item, values.UniformValue):
            _bind_draw(context, name, shown, item, node)
            continue
        if isinstance(item, values.FunctionValue | values.LoggerValue):
            bind_function(context, node, shown, item)
            continue
        if isinstance(item, values.SourceValue) and _is_straight(context, shown):
            context.scope.bindings[shown] = item
            continue
        moves.extend(store.store(context, name, item, node, shown))
    store.move(context, moves, target)


def _settled(context: Context, value: Value, node: Located) -> Value:
    """The value; an array in a form that stays true when other variables are assigned."""
    if isinstance(value, MatrixValue):
        return replace(value, flat=array_names.settled(context, value.flat, node))
    return array_names.settled(context, value, node) if isinstance(value, ArrayValue) else value


def _bind_draw(context: Context, name: str, shown: str, draw: values.UniformValue, node: Located) -> None:
    """Let a name stand for a uniform draw, where the text shows which one it is."""
    if not _is_straight(context, shown) or context.scope.renamed.get(shown):
        message = f"'{shown}' is a uniform draw that is assigned in several blocks: use one name for each"
        raise context.error(node, Refusal.UNIFORM_IN_FORMULA, message)
    context.scope.bindings[shown] = draw


def _is_straight(context: Context, name: str) -> bool:
    """Whether each use of a name is reached by the assignment that stands last before it."""
    function = context.scope.function
    return function is not None and array_changes.is_straight(function, name)


def bind_function(
    context: Context, node: Located, name: str, value: values.FunctionValue | values.LoggerValue
) -> None:
    """Let a name that is assigned once stand for a function or a logger."""
    function = context.scope.function
    parameters = () if function is None else function.parameters
    once = function is not None and function.assigned.get(name) == 1
    if not once or any(item.arg == name for item in parameters) or name in context.scope.renamed:
        message = f"'{name}' is {shapes.describe_value(value)} and something else: use one name for each"
        raise context.error(node, Refusal.ALIASING, message)
    context.scope.bindings[name] = value


def _places(context: Context, target: ast.expr, value: Value) -> Iterator[tuple[str, str, Value, ast.expr]]:
    match target:
        case ast.Name(id=name) if isinstance(value, ArrayValue | MatrixValue):
            yield "", name, value, target
        case ast.Name(id=name):
            if isinstance(context.scope.bindings.get(name), _REBOUND) and _is_straight(context, name):
                del context.scope.bindings[name]  # the name stands for another value from here on
            variable = store.variable_name(context, target)
            store.check_free(context, target, value)
            yield variable, name, value, target
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            for part, item in zip(targets, unpack(target, targets, value, context), strict=True):
                yield from _places(context, part, item)
        case _:
            raise context.error(target, Refusal.UNSUPPORTED_CONSTRUCT, "this assignment is not supported")


def unpack(target: ast.expr, targets: list[ast.expr], value: Value, context: Context) -> tuple[Value, ...]:
    """The values of a sequence, one for each target.  Raises ProgramError."""
    if isinstance(value, values.TupleValue | ListLiteral):
        if len(value.items) != len(targets):
            message = f"{len(value.items)} values can't be unpacked into {len(targets)} variables"
            raise context.error(target, Refusal.WRONG_TYPE, message)
        return value.items
    array = arrays.from_value(context, value, target)
    if array is None:
        kind = shapes.describe_value(value)
        raise context.error(
            target, Refusal.WRONG_TYPE, f"{kind} can't be unpacked into {len(targets)} variables"
        )
    return _entries(context, target, array, len(targets))


def _entries(context: Context, target: ast.expr, array: ArrayValue, number: int) -> tuple[Value, ...]:
    """The entries of an array, of which there are so many, which is shown."""
    array = arrays.filled(context, array, target) if array.mask is not None else array
    same = builders.equal(array.length, builders.integer(number))
    if same == builders.FALSE:
        message = f"an array of another length can't be unpacked into {number} variables"
        raise context.error(target, Refusal.WRONG_TYPE, message)
    context.require("domain", same, f"{number} entries are unpacked, and there are others", target)
    places = map(builders.integer, range(number))
    return tuple(ScalarValue(arrays.at(context, array, place)) for place in places)
