"""Generators: who runs over a mechanism that is one sees the values that it yields, as in a list of them.

The same is seen only if each run comes to its end: what was yielded before is seen, whatever comes behind.
What runs over a generator in the program does its work in the place of each ``yield``.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import caught
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.obstacles import ObstructedError
from synth.trusted.frontend.scoping import assigned, own_nodes
from synth.trusted.program import syntax as ir

_AROUND = (ast.Try, ast.TryStar, ast.With)
YIELDED = "yielded%"
"""The list of what a generator yields: a name that no program has."""


def as_list(module: Module, function: Function) -> Function:
    """Return a generator as the function that gives a list of what it yields; another function as it is.

    Raises ObstructedError.
    """
    if not yields(function):
        return function
    try:
        check(module, function)
    except ProgramError as error:
        raise ObstructedError([error]) from None
    node = copy.deepcopy(function.node)
    start = _located(ast.Assign([ast.Name(YIELDED, ast.Store())], ast.List([], ast.Load())), node)
    body = [_Collecting().visit(statement) for statement in node.body]
    first = 1 if ast.get_docstring(node) is not None else 0
    node.body = [*body[:first], start, *body[first:], _located(ast.Return(_list()), node)]
    return replace(function, node=node, assigned=assigned(node))


def yields(function: Function) -> bool:
    """Whether a function is a generator."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function.node))


def check(module: Module, function: Function) -> None:
    """Refuse a generator in which its user may raise, or that returns a value.  Raises ProgramError."""
    for node in own_nodes(function.node):
        if isinstance(node, ast.stmt) and (isinstance(node, _AROUND) or caught.was_in_try(node)):
            message = "a generator with 'try' or 'with' is not supported: who runs over it may raise there"
            raise module.source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
        if isinstance(node, ast.Return) and not _is_none(node.value):
            message = "a generator that returns a value is not supported"
            raise module.source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)


def is_list_of(function: Function) -> bool:
    """Whether a function gives a list of what a generator yields."""
    return YIELDED in function.assigned


def check_ends(module: Module, function: Function, body: tuple[ir.Statement, ...]) -> None:
    """Refuse a generator of which a run may raise, or have no end.  Raises ObstructedError."""
    if not is_list_of(function):
        return
    for part in ir.statements(body):
        if isinstance(part, ir.Assume) or (isinstance(part, ir.Loop) and part.counter is None):
            message = "a run of a generator may not come to its end here, and what it yielded before is seen"
            raise ObstructedError([module.source.error(part.span, Refusal.UNSUPPORTED_CONSTRUCT, message)])


def _is_none(node: ast.expr | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


class _Collecting(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        match node.value:
            case ast.Yield(value=value):
                append = ast.Attribute(_list(), "append", ast.Load())
                call = ast.Call(append, [value or ast.Constant(None)], [])
                return _located(ast.Expr(call), node)
            case _:
                return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        return _located(ast.Return(_list()), node)


def _list() -> ast.Name:
    return ast.Name(YIELDED, ast.Load())


def _located(made: ast.stmt, node: ast.stmt) -> ast.stmt:
    return ast.fix_missing_locations(ast.copy_location(made, node))
