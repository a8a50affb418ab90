"""Python's functions and methods that look through an iterable: their models in the stub of ``builtins``.

Which model is used is decided here: one that ends early is needed only where something happens on the way.
"""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arguments, closures, found_again, inlining
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.stubs import BUILTINS
from synth.trusted.frontend.values import ListLiteral, ListValue, ParameterValue, ScalarValue, Value
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import syntax as ir

METHODS = {"index": "_index", "count": "_count"}
"""Methods of lists that have a value, and change nothing."""

_EXTREMES = ("max", "min")


def model(context: Context, node: ast.Call, function: Function) -> Function:
    """The model of a function for this call."""
    stub = function.module.stub
    if stub is not None and stub.module == BUILTINS and function.name in ("any", "all"):
        if not context.module.samples(node) and not has_effects(context, node):
            return _model(context, f"_{function.name}")
    if stub is not None and stub.module == BUILTINS and function.name == "next":
        match node.args:
            case [ast.GeneratorExp(), default] if not context.module.samples(default):
                if not has_effects(context, default):
                    return function
        message = "'next' needs a generator expression and a default: next((x for x in xs if x > 0), 0)"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    return function


def extreme(context: Context, node: ast.Call, name: str) -> Value:
    """``max`` or ``min`` of one iterable."""
    bound = arguments.bind(context.source, node, name, ("iterable", "default", "key"), ("default", "key"))
    iterable = bound["iterable"]
    if "key" in bound:
        whole = _by_index(context, bound["key"], iterable)
        if whole is None or "default" in bound:
            given = dict(zip(bound, context.ordered(list(bound.values())), strict=True))
            if "default" in bound:
                return _of(context, node, f"_{name}_by_or", given)
            if is_list(given["iterable"]):
                entries = {"entries": given["iterable"], "key": given["key"]}
                return _of(context, node, f"_{name}_of_list_by", entries)
            return _of(context, node, f"_{name}_by", given)
        return _of(context, node, f"_index_of_{name}", {"numbers": context.expression(context, whole)})
    given = dict(zip(bound, context.ordered(list(bound.values())), strict=True))
    value = given["iterable"]
    if "default" in bound:
        return _of(context, node, f"_{name}_or", given)
    if isinstance(value, ScalarValue):
        raise context.error(node, Refusal.WRONG_CALL, f"{name} takes at least 2 arguments, not 1")
    if is_list(value):
        return _of(context, node, f"_{name}", {"numbers": value})
    return _of(context, node, name, {"iterable": value})


def method(context: Context, node: ast.Call, owner: Value, name: str) -> Value:
    """A method of a list that changes nothing."""
    (argument,) = arguments.positional(context.source, node, f"'{name}'", 1, 1)
    function = context.scope.function
    looked_for = function and found_again.extreme(function.node, node)
    match looked_for or argument, node.func:
        case (
            ast.Call(func=ast.Name(id=extremal) as called, args=[ast.Name(id=inner)], keywords=[]),
            ast.Attribute(value=ast.Name(id=outer)),
        ) if name == "index" and inner == outer and extremal in _EXTREMES:
            if _is_python(context, called):
                return _of(context, node, f"_index_of_{extremal}", {"numbers": owner})
    value = context.expression(context, argument)
    return _of(context, node, METHODS[name], {"entries": owner, "value": value})


def contains(context: Context, node: ast.Compare, entries: Value, value: Value) -> ir.Expression:
    """``value in entries``."""
    found = _of(context, node, "_contains", {"entries": entries, "value": value})
    return context.truth(found, node)


def is_list(value: Value) -> bool:
    """Whether a value is a list, or a parameter that is a sequence."""
    match value:
        case ListValue() | ListLiteral():
            return True
        case ParameterValue(parameter):
            return parameter.kind is ir.ParameterKind.SEQUENCE
        case _:
            return False


def _is_python(context: Context, called: ast.Name) -> bool:
    """Whether a name is that of a function of Python itself."""
    return context.module.known(called) == Known(Role.FUNCTION, called.id) and not is_local(context, called)


def _by_index(context: Context, key: ast.expr, iterable: ast.expr) -> ast.Name | None:
    """The list ``xs`` in ``range(len(xs))`` and ``lambda i: xs[i]``."""
    match key, iterable:
        case (
            ast.Lambda(
                args=ast.arguments(args=[ast.arg(arg=bound)], defaults=[], posonlyargs=[], kwonlyargs=[]),
                body=ast.Subscript(value=ast.Name(id=one) as found, slice=ast.Name(id=index)),
            ),
            ast.Call(
                func=ast.Name(id="range") as outer,
                args=[ast.Call(func=ast.Name(id="len") as inner, args=[ast.Name(id=other)], keywords=[])],
                keywords=[],
            ),
        ) if bound == index and one == other != bound:
            if _is_python(context, outer) and _is_python(context, inner):
                return found
    return None


def has_effects(context: Context, node: ast.expr) -> bool:
    """Whether something may be drawn, changed or shown where an expression is evaluated."""
    if context.module.calls(node) or closures.may_do_more(context, node):
        return True
    return any(
        isinstance(part, ast.NamedExpr)
        or (isinstance(part, ast.Attribute) and part.attr == "pop")
        or context.module.is_property(part)
        or (isinstance(part, ast.Call) and _has_held_function(context, part))
        for part in ast.walk(node)
    )


def _has_held_function(context: Context, node: ast.Call) -> bool:
    """Whether what an object holds, as a method of it, may be called, or given to what is called."""
    parts = (node.func, *node.args, *(word.value for word in node.keywords))
    return any(isinstance(part, ast.Attribute) and context.module.known(part) is None for part in parts)


def model_of(context: Context, node: ast.expr, name: str, given: dict[str, Value]) -> Value:
    """The value of a model, given its arguments."""
    return _of(context, node, name, given)


def _of(context: Context, node: ast.expr, name: str, given: dict[str, Value]) -> Value:
    return inlining.applied(context, node, _model(context, name), given)


def _model(context: Context, name: str) -> Function:
    return context.module.library.function(f"{BUILTINS}.{name}")
