"""Functions as values: nested definitions, lambdas, functions of the file by their names, and partial calls.

A name that a nested function doesn't bind stands for what it stands for where the function is defined, at the
time of the call.  Default values, and what ``partial`` is given, are computed once.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from synth.trusted.errors import Refusal
from synth.trusted.frontend import caught, fixed_lists, flattening, shapes, store, targets, values
from synth.trusted.frontend.array_changes import is_changed_in_place
from synth.trusted.frontend.context import Context, Scope, is_local
from synth.trusted.frontend.evaluated import check_head
from synth.trusted.frontend.evaluated_types import check_evaluated
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.scoping import assigned, free_names
from synth.trusted.frontend.values import ArrayValue, FunctionValue, ListLiteral, ListValue, Value
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import syntax as ir

PARTIAL = "functools.partial"


def define(context: Context, node: ast.FunctionDef) -> None:
    """``def f(…): …`` in a function."""
    if node.decorator_list:
        message = "a decorator of a nested function is not supported"
        raise context.error(node.decorator_list[0], Refusal.UNSUPPORTED_DECORATOR, message)
    parameters = ast.arguments(
        node.args.posonlyargs, node.args.args, node.args.vararg, node.args.kwonlyargs, [], node.args.kwarg, []
    )
    given = (part.annotation for part in ast.walk(node.args) if isinstance(part, ast.arg))
    annotations = [item for item in (*given, node.returns) if item is not None]
    if annotations:
        caught.check_unread(context, node, "an annotation")
    if context.module.names.get("annotations") != Known(Role.TYPE, "annotations"):  # of __future__
        check_evaluated(context, annotations)
    head = ast.FunctionDef(node.name, parameters, [], [], node.returns)
    check_head(context.source, head, lambda default: False)
    targets.bind_function(context, node, node.name, _made(context, node, node.name, node))


def of_lambda(context: Context, node: ast.Lambda) -> Value:
    """``lambda x: e``."""
    if context.where:
        raise context.error(
            node, Refusal.UNSUPPORTED_CONSTRUCT, f"a lambda in {context.where} is not supported"
        )
    return _made(context, node, "lambda", _definition(context, node))


def _definition(context: Context, node: ast.Lambda) -> ast.FunctionDef:
    """The function that returns what a lambda does, the same in each pass."""
    known = context.module.lambdas
    if node not in known:
        returned = ast.copy_location(ast.Return(node.body), node.body)
        known[node] = ast.copy_location(ast.FunctionDef("lambda", node.args, [returned], [], None), node)
    return known[node]


def _made(
    context: Context, node: ast.expr | ast.stmt, name: str, definition: ast.FunctionDef
) -> FunctionValue:
    known = context.module.nested
    if definition not in known:
        known[definition] = Function(name, definition, None, assigned(definition), context.module)
    function = known[definition]
    enclosing = context.scope
    return FunctionValue(
        function,
        partial(_free, context, enclosing, function),
        context.source,
        defaults=_defaults(context, definition),
    )


def _defaults(context: Context, node: ast.FunctionDef) -> dict[str, Value]:
    """The default values, which are computed where the function is defined."""
    given = node.args
    names = [item.arg for item in (*given.posonlyargs, *given.args)]
    late = names[len(names) - len(given.defaults) :]
    pairs = list(zip(late, given.defaults, strict=True))
    pairs += [
        (item.arg, default)
        for item, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        if default is not None
    ]
    found = context.ordered([default for _, default in pairs])
    return {name: _kept(context, value, default) for (name, default), value in zip(pairs, found, strict=True)}


def _kept(context: Context, value: Value, node: ast.expr) -> Value:
    """A value that later assignments don't change.  Raises ProgramError for one that they may."""
    match value:
        case ListLiteral():
            made = store.materialise(context, value, node)
            assert isinstance(made, ListValue)
            return ListValue(made.name)
        case ListValue(name, fresh=True):
            return ListValue(name)
        case values.ParameterValue(ir.Parameter(name=name)) | values.RecordsValue(name=name):
            context.shared.setdefault(name, context.source.place(node))
            return value
        case FunctionValue() | values.ObjectValue():
            return value
        case values.ScalarValue() | values.NoneValue() | values.OptionalValue() | values.SourceValue():
            return (
                value
                if all(map(context.is_fixed, flattening.expressions(value)))
                else context.save(value, node)
            )
        case values.TupleValue(items):
            return replace(value, items=tuple(_kept(context, item, node) for item in items))
        case _:
            kind = shapes.describe_value(value)
            message = f"{kind} that is given to a function beforehand is not supported"
            raise context.error(node, Refusal.UNSUPPORTED_CALL, message)


def _free(context: Context, enclosing: Scope, function: Function) -> tuple[dict[str, Value], dict[str, str]]:
    """What the names that a nested function doesn't bind stand for now."""
    bindings: dict[str, Value] = {}
    renamed: dict[str, str] = {}
    for name in sorted(free_names(function.node)):
        local = enclosing.local(name)
        if name in enclosing.bindings:
            bindings[name] = _steady(context, enclosing, function, name, enclosing.bindings[name])
        elif local is not None:
            outer, context.scope = context.scope, enclosing
            try:
                if fixed_lists.is_fixed_list(context, name):
                    bindings[name] = fixed_lists.read(
                        context, name, ast.copy_location(ast.Name(name), function.node)
                    )
                else:
                    _check_whole(context, function, name)
                    renamed[name] = local
            finally:
                context.scope = outer
    return bindings, renamed


def _check_whole(context: Context, function: Function, name: str) -> None:
    """Refuse to assign entries of what another function has: it would go on with the old ones."""
    if is_changed_in_place(function, name):
        message = f"entries of '{name}' are assigned in a nested function: pass it as an argument"
        raise context.error(function.node, Refusal.UNSUPPORTED_LIST, message)


def _steady(context: Context, enclosing: Scope, function: Function, name: str, value: Value) -> Value:
    """A value that a name stands for wherever it is read; refused if it may stand for several."""
    outer = enclosing.function
    if outer is None or isinstance(value, values.ScalarValue | values.NoneValue):
        return value
    times = outer.assigned.get(name, 0) + any(item.arg == name for item in outer.parameters)
    changed = any(is_changed_in_place(each, name) for each in (outer, function))
    if times > 1 or (isinstance(value, ArrayValue) and changed):
        kind = shapes.describe_value(value)
        message = f"'{name}' is {kind} that changes, and is used in a nested function: pass it as an argument"
        raise context.error(function.node, Refusal.ALIASING, message)
    return value


def named(context: Context, node: ast.expr) -> FunctionValue | None:
    """The function of the file or of a stub that a name stands for; None if it stands for none."""
    if context.where:
        return None
    if isinstance(node, ast.Name) and node.id in context.module.functions:
        return FunctionValue(context.module.functions[node.id], source=context.source)
    known = context.module.known(node)
    if known is not None and known.role is Role.OWN:
        function = context.module.other_function(known)
        return None if function is None else FunctionValue(function)
    if known is not None and known.role is Role.STUB:
        return FunctionValue(context.module.library.function(known.name))
    if known is not None and known.role is Role.FUNCTION and known.name in ONE_ARGUMENT:
        return FunctionValue(_wrapped(context, node, known))
    return None


ONE_ARGUMENT = ("len", "abs", "round", "int", "float", "bool", "exp", "log", "sqrt", "floor", "ceil")
"""Primitives of the reader that may be called by another name, with one argument."""


def _wrapped(context: Context, node: ast.expr, known: Known) -> Function:
    """``lambda x: f(x)`` for a primitive, the same in each pass."""
    made = context.module.lambdas
    if node not in made:
        argument = ast.Name("x", ast.Load())
        returned = ast.Return(ast.Call(node, [argument], []))
        arguments = ast.arguments([ast.arg("x")], [], None, [], [], None, [])
        definition = ast.copy_location(ast.FunctionDef("lambda", arguments, [returned], [], None), node)
        made[node] = ast.fix_missing_locations(definition)
        context.module.nested[made[node]] = Function(
            known.name, made[node], None, assigned(made[node]), context.module
        )
    return context.module.nested[made[node]]


def partially(context: Context, node: ast.Call) -> Value:
    """``partial(f, …)``."""
    if not node.args or any(isinstance(item, ast.Starred) for item in node.args):
        raise context.error(node, Refusal.WRONG_CALL, "'partial' takes a function and arguments of it")
    if any(word.arg is None for word in node.keywords):
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, "a star expression is not supported")
    of, *rest = context.ordered([*node.args, *(word.value for word in node.keywords)])
    if not isinstance(of, FunctionValue):
        kind = shapes.describe_value(of)
        raise context.error(node, Refusal.WRONG_TYPE, f"'partial' of {kind} is not supported")
    nodes = [*node.args[1:], *(word.value for word in node.keywords)]
    kept = [_kept(context, value, item) for value, item in zip(rest, nodes, strict=True)]
    places = len(node.args) - 1
    words = {str(word.arg): value for word, value in zip(node.keywords, kept[places:], strict=True)}
    return of.with_arguments(tuple(kept[:places]), words)


def may_do_more(context: Context, node: ast.AST) -> bool:
    """Whether a function that is a value is named in a node, and may draw, or change something, if called."""
    for part in ast.walk(node):
        match part:
            case ast.Lambda(body=body):
                if not _only_computes(context, body):
                    return True
            case ast.Name(id=name) if isinstance(context.scope.bindings.get(name), FunctionValue):
                found = context.scope.bindings[name]
                assert isinstance(found, FunctionValue)
                if not all(_only_computes(context, item) for item in found.function.node.body):
                    return True
            case ast.Call(args=given, keywords=words):
                if any(_is_function(context, item) for item in (*given, *(word.value for word in words))):
                    return True
    return False


def _only_computes(context: Context, node: ast.AST) -> bool:
    """Whether a part of a function calls nothing but functions of numbers, and assigns nothing."""
    return not any(
        (isinstance(part, ast.stmt) and not isinstance(part, ast.Return | ast.If))
        or isinstance(part, ast.NamedExpr | ast.Lambda)
        or context.module.is_property(part)
        or (isinstance(part, ast.Call) and not _is_of_numbers(context, part.func))
        for part in ast.walk(node)
    )


def _is_of_numbers(context: Context, called: ast.expr) -> bool:
    known = context.module.known(called)
    plain = known is not None and known.role is Role.FUNCTION and known.name in (*ONE_ARGUMENT, "min", "max")
    return plain and not is_local(context, called)


def _is_function(context: Context, node: ast.expr) -> bool:
    if isinstance(node, ast.Name) and node.id in context.module.functions:
        return True
    known = context.module.known(node) if isinstance(node, ast.Name | ast.Attribute) else None
    return known is not None and known.role in (Role.STUB, Role.OWN)
