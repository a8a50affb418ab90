"""Decorators of the user that give back the function that they are given, as it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from synth.trusted.frontend.module import Module
from synth.trusted.frontend.vocabulary import Known, Role

LEAVING = Known(Role.CLASS_TOOL, "leaving")
"""What a decorator is that changes no more than how a function is described."""

_DESCRIBING = frozenset({"__doc__", "__name__", "__qualname__"})
_PURE = (ast.Name, ast.Attribute, ast.Constant, ast.BoolOp, ast.UnaryOp, ast.Compare)
_PARTS = (ast.expr_context, ast.boolop, ast.unaryop, ast.cmpop)


def look(module: Module, node: ast.expr) -> Known | None:
    """What an expression in the head of a class or function stands for."""
    return LEAVING if _leaves(module, node) else module.known(node)


def _leaves(module: Module, decorator: ast.expr) -> bool:
    """``@f`` with a function that returns its argument, or ``@f(…)`` with one that makes such a function."""
    match decorator:
        case ast.Call(func=called, args=args, keywords=[]) if all(map(_is_pure, args)):
            maker = _function(module, called)
            match _statements(maker):
                case [ast.FunctionDef(name=name) as made, ast.Return(value=ast.Name(id=given))] if (
                    given == name
                ):
                    return _returns_its_argument(made)
        case ast.Name() | ast.Attribute():
            found = _function(module, decorator)
            return found is not None and _returns_its_argument(found)
    return False


def _function(module: Module, node: ast.expr) -> ast.FunctionDef | None:
    if not isinstance(node, ast.Name | ast.Attribute) or module.obstacle(node) is not None:
        return None
    known = module.known(node)
    if isinstance(node, ast.Name) and node.id in module.functions:
        function = module.functions[node.id]
    elif known is not None and known.role is Role.OWN:
        other = module.other_function(known)
        if other is None:
            return None
        function = other
    else:
        return None
    return function.node


def _statements(function: ast.FunctionDef | None) -> Sequence[ast.stmt]:
    """The body without its docstring; nothing of what is decorated itself."""
    if function is None or function.decorator_list:
        return []
    return [item for item in function.body if not _is_text(item)]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _returns_its_argument(function: ast.FunctionDef) -> bool:
    match function.args:
        case ast.arguments(
            posonlyargs=[], args=[ast.arg(arg=name)], vararg=None, kwonlyargs=[], kwarg=None, defaults=[]
        ):
            pass
        case _:
            return False
    match _statements(function):
        case [*describing, ast.Return(value=ast.Name(id=given))] if given == name:
            return all(_describes(item, name) for item in describing)
        case _:
            return False


def _describes(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            return _is_pure(test) and all(_describes(item, name) for item in (*body, *orelse))
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)], value=value):
            return owner == name and attribute in _DESCRIBING and _is_pure(value)
        case _:
            return isinstance(node, ast.Pass)


def _is_pure(node: ast.expr) -> bool:
    return all(isinstance(part, (*_PURE, *_PARTS)) for part in ast.walk(node))
