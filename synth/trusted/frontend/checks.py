"""Checks of a function before it is lowered: its constructs, and that variables are assigned."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import assignment
from synth.trusted.frontend.constructs import unsupported
from synth.trusted.frontend.evaluated import check_message
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.named_expressions import check_order
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.vocabulary import FUNCTIONS_OF_AN_INDEX, FUNCTIONS_WITH_KEYS


def check_function(module: Module, function: Function) -> None:
    """Refuse what the language lacks, once for each function.  Raises ProgramError."""
    if function.node in module.checked:
        return
    for _, error in obstacles(module, function):
        raise error
    module.checked.add(function.node)


def obstacles(module: Module, function: Function) -> Iterator[tuple[ast.AST, ProgramError]]:
    """Give what the language lacks in a function, with its node; or else a use before an assignment."""
    found = False
    for item in (*_flaws(module, function), *_lacking(module, function)):
        found = True
        yield item
    if not found:
        try:
            assignment.check(module.source, function)
        except ProgramError as error:
            yield function.node, error


def _flaws(module: Module, function: Function) -> Iterator[tuple[ast.AST, ProgramError]]:
    """What is wrong with the definition."""
    errors = [*module.flaws.get(function.name, ())]
    if function.name in module.blocked:
        errors.append(module.blocked[function.name])
    if function.decorator is not None:
        called = function.decorator.func if isinstance(function.decorator, ast.Call) else function.decorator
        hidden = module.obstacle(called)
        errors += [] if hidden is None else [hidden]
    for error in errors:
        yield function.node, error


def _lacking(module: Module, function: Function) -> Iterator[tuple[ast.AST, ProgramError]]:
    try:
        _check_parameters(module, function)
    except ProgramError as error:
        yield function.node, error
    for statement in function.node.body:
        yield from _lacking_below(module.source, statement)


def _lacking_below(source: Source, node: ast.AST) -> Iterator[tuple[ast.AST, ProgramError]]:
    """What the language lacks in a node; of an expression that it lacks, not also its parts."""
    try:
        _check_node(source, node)
        if isinstance(node, ast.Assert):
            check_message(source, node)
        if isinstance(node, ast.stmt):
            check_order(source, node)
    except ProgramError as error:
        yield node, error
        if isinstance(node, ast.expr):
            return
    for child in _children(node):
        yield from _lacking_below(source, child)


def check_expression(expression: ast.expr, source: Source) -> None:
    """Refuse what the language lacks in an expression outside functions."""
    for node in _nodes(expression):
        _check_node(source, node)


def _check_parameters(module: Module, function: Function) -> None:
    arguments = function.node.args
    for argument, star in ((arguments.vararg, "*"), (arguments.kwarg, "**")):
        if argument is not None:
            message = f"a parameter '{star}{argument.arg}' is not supported"
            raise module.source.error(argument, Refusal.UNSUPPORTED_CONSTRUCT, message)
    seen: set[str] = set()
    for parameter in function.parameters:
        if parameter.arg in seen:
            raise module.source.error(parameter, Refusal.DEFINED_TWICE, f"two parameters '{parameter.arg}'")
        seen.add(parameter.arg)


def _check_node(source: Source, node: ast.AST) -> None:
    message = unsupported(node)
    if message is not None:
        raise _error(source, node, message)


def _error(source: Source, node: ast.AST, message: str) -> ProgramError:
    assert isinstance(node, ast.expr | ast.stmt)
    return source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)


def _nodes(root: ast.AST) -> Iterator[ast.AST]:
    """The nodes that mean something to the reader, in source order."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(_children(node))))


def _arguments(call: ast.Call) -> Iterator[ast.AST]:
    yield call.func
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _of_lambda(node: ast.AST) -> Iterator[ast.AST]:
    """What of a function of an index is evaluated: its defaults and its body."""
    if isinstance(node, ast.Lambda):
        yield from node.args.defaults
        yield from (item for item in node.args.kw_defaults if item is not None)
        yield node.body
    else:
        yield node


def _of_function(node: ast.FunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """What the reader reads of a function within another."""
    yield from node.args.defaults
    yield from (item for item in node.args.kw_defaults if item is not None)
    yield from node.body if isinstance(node, ast.FunctionDef) else [node.body]


def _children(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return iter(())
        case ast.Expr(value=ast.Yield() as given):
            return ast.iter_child_nodes(given)
        case ast.AnnAssign(target=target, value=value):
            return iter((target, value) if value is not None else (target,))
        case ast.Assert(test=test):
            return iter((test,))
        case ast.Raise():
            return iter(())
        case ast.FunctionDef() | ast.Lambda():
            return _of_function(node)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in (
            *FUNCTIONS_OF_AN_INDEX,
            *FUNCTIONS_WITH_KEYS,
        ):
            return (part for item in _arguments(node) for part in _of_lambda(item))
        case _:
            return ast.iter_child_nodes(node)
