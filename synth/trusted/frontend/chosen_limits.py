"""``np.where(b, u < p, u < q)`` as ``u < np.where(b, p, q)``: each entry of u is compared once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import replace

from synth.trusted.frontend.evaluated import locals_of
from synth.trusted.frontend.module import Function, Module

_WHERE = "numpy._by_entry.where"
_SAMPLERS = frozenset({"rand", "random", "random_sample", "ranf", "sample", "uniform"})


class OfDraws(ast.Compare):
    """A comparison of a name that must stand for an array of uniform draws: lists are compared as a whole."""


def merged(module: Module, function: Function) -> Function:
    """Return the function with such comparisons of uniform draws; the same object if it has none."""
    drawn = {name for node in ast.walk(function.node) for name in _drawn(node)}
    merging = _Merging(module, locals_of(function.node), frozenset(drawn))
    if not any(merging.merged(node) for node in ast.walk(function.node) if isinstance(node, ast.Call)):
        return function
    node = copy(function.node)
    node.body = [merging.visit(deepcopy(statement)) for statement in node.body]
    return replace(function, node=node)


def _drawn(node: ast.AST) -> Iterator[str]:
    """The name that something is assigned to which is called as uniform draws are."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)),
        ) if called in _SAMPLERS:
            yield name


class _Merging(ast.NodeTransformer):
    """``hidden`` are names that no import has, ``drawn`` those that may be uniform draws."""

    def __init__(self, module: Module, hidden: frozenset[str], drawn: frozenset[str]) -> None:
        self.module, self.hidden, self.drawn = module, hidden, drawn

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return self.merged(node) or node

    def merged(self, node: ast.Call) -> ast.Compare | None:
        """The one comparison that a call is; None of another call."""
        match node:
            case ast.Call(
                func=called,
                args=[
                    condition,
                    ast.Compare(left=one, ops=[operator], comparators=[limit]),
                    ast.Compare(left=two, ops=[same], comparators=[other]),
                ],
                keywords=[],
            ) if type(operator) is type(same) and self._is_where(called):
                pass
            case _:
                return None
        if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
            return None
        if self._is_one(one, two):
            chosen = ast.copy_location(ast.Call(called, [condition, limit, other], []), node)
            return ast.copy_location(OfDraws(one, [operator], [chosen]), node)
        if self._is_one(limit, other):
            chosen = ast.copy_location(ast.Call(called, [condition, one, two], []), node)
            return ast.copy_location(OfDraws(chosen, [operator], [limit]), node)
        return None

    def _is_where(self, called: ast.expr) -> bool:
        known, root = self.module.known(called), called
        while isinstance(root, ast.Attribute):
            root = root.value
        hidden = isinstance(root, ast.Name) and root.id in self.hidden
        return known is not None and known.name == _WHERE and not hidden

    def _is_one(self, one: ast.expr, two: ast.expr) -> bool:
        """Whether two expressions are one name of draws."""
        names = isinstance(one, ast.Name) and isinstance(two, ast.Name) and one.id == two.id
        return names and isinstance(one, ast.Name) and one.id in self.drawn
