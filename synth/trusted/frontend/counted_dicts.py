"""Dicts that count, as tallies: ``d = {}`` and ``d[k] = d.get(k, 0) + e`` as ``Counter()`` and ``d[k] += e``.

``if k in d: d[k] += 1``, ``else: d[k] = 1`` does the same, and so does ``d[k] += e`` behind ``if k not in d:
d[k] = 0``.  Nothing else is asked of the dict than ``d.get(k, 0)``, or ``d[k] if k in d else 0``: so nobody
learns which keys it has, and a key that it hasn't counts 0, as in a tally.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import cast

from synth.trusted.frontend.module import Function
from synth.trusted.frontend.scoping import assigned

_SUMS = ("D[K] = D.get(K, 0) + E", "D[K] = E + D.get(K, 0)")
_CASES = ("if K in D: D[K] += E\nelse: D[K] = E", "if K not in D: D[K] = E\nelse: D[K] += E")
_BEGIN, _ADD = "if K not in D: D[K] = 0", "D[K] += E"
_READS = ("D.get(K, 0)", "D[K] if K in D else 0")
PLAIN = (
    ast.Name,
    ast.Constant,
    ast.Tuple,
    ast.BinOp,
    ast.UnaryOp,
    ast.Subscript,
    ast.operator,
    ast.unaryop,
    ast.expr_context,
)
"""What it doesn't matter how often, and when, it is evaluated."""


class Tally(ast.Dict):
    """``{}``, of which keys that it hasn't count 0."""


def counting(function: Function) -> Function:
    """Return the function with such dicts as tallies; the same object if it has none."""
    body = function.node.body
    parameters = {item.arg for item in ast.walk(function.node.args) if isinstance(item, ast.arg)}
    scopes = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.Global | ast.Nonlocal
    if any(isinstance(node, scopes) for item in body for node in ast.walk(item)):
        return function
    for statement in body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[]))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict(keys=[]))
            ) if name not in parameters:
                body = _with_tally(body, statement, name) or body
    if body is function.node.body:
        return function
    node = copy(function.node)
    node.body = body
    return replace(function, node=node, assigned=assigned(node))


def _with_tally(body: list[ast.stmt], made: ast.stmt, name: str) -> list[ast.stmt] | None:
    """The statements with a dict as a tally; None if more is asked of the dict."""
    found, counter = list[ast.stmt](), _Counting(name)
    for statement in body:
        if statement is made:
            tally = copy(statement)
            tally.value = ast.copy_location(Tally([], []), statement.value)  # type: ignore[attr-defined]
            found.append(tally)
        elif _uses([statement], name):
            found += counter.statements([deepcopy(statement)])
        else:
            found.append(statement)
    is_tally = counter.counts and _uses(found, name) == 1 + counter.counts + counter.reads
    return found if is_tally else None


def _uses(body: Sequence[ast.AST], name: str) -> int:
    return sum(isinstance(node, ast.Name) and node.id == name for item in body for node in ast.walk(item))


@dataclass
class _Counting(ast.NodeTransformer):
    """Writes what counts as ``d[k] += e``, and reads as ``d.get(k, 0)``; tells how many there are of each."""

    name: str
    counts: int = 0
    reads: int = 0

    def statements(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements of a body."""
        begun = [behind for one, behind in pairwise(body) if self._begins(one, behind)]
        self.counts += len(begun)
        beginning = [one for one, behind in pairwise(body) if behind in begun]
        rest = [item for item in body if item not in beginning]
        return [cast(ast.stmt, item if item in begun else self.visit(item)) for item in rest]

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """The parts of a node, of which bodies are gone through in their order."""
        for part, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, part, self.statements(value))
            elif isinstance(value, list):
                setattr(
                    node, part, [self.visit(item) if isinstance(item, ast.AST) else item for item in value]
                )
            elif isinstance(value, ast.AST):
                setattr(node, part, self.visit(value))
        return node

    def visit(self, node: ast.AST) -> ast.AST:
        """A node as it is written for a tally."""
        for key in self._keys(node):
            for added in _added(node):
                is_one = isinstance(added, ast.Constant) and type(added.value) is int and added.value > 0
                forms = (*_SUMS, *_CASES) if is_one else _SUMS
                if _are_plain(self.name, key, added) and self._is(node, forms, key, added):
                    self.counts += 1
                    target = ast.Subscript(ast.Name(self.name, ast.Load()), key, ast.Store())
                    return _at(node, ast.AugAssign(target, ast.Add(), added))
            if self._is(node, _READS[:1], key) or (
                _are_plain(self.name, key) and self._is(node, _READS, key)
            ):
                self.reads += 1
                called = ast.Attribute(ast.Name(self.name, ast.Load()), "get", ast.Load())
                return _at(node, ast.Call(called, [cast(ast.expr, self.visit(key)), ast.Constant(0)], []))
        return self.generic_visit(node)

    def _begins(self, statement: ast.stmt, behind: ast.stmt) -> bool:
        """Whether that is ``if k not in d: d[k] = 0``, and ``d[k] += e``."""
        return isinstance(behind, ast.AugAssign) and any(
            _are_plain(self.name, key, behind.value)
            and self._is(statement, [_BEGIN], key)
            and self._is(behind, [_ADD], key, behind.value)
            for key in self._keys(statement)
        )

    def _keys(self, node: ast.AST) -> Iterator[ast.expr]:
        """The keys that are looked up in a statement, a call or a choice."""
        for part in ast.walk(node) if isinstance(node, ast.Assign | ast.If | ast.Call | ast.IfExp) else ():
            match part:
                case (
                    ast.Subscript(value=ast.Name(name), slice=key)
                    | ast.Call(func=ast.Attribute(value=ast.Name(name), attr="get"), args=[key, _])
                ) if name == self.name:
                    yield key

    def _is(self, node: ast.AST, forms: Sequence[str], key: ast.expr, added: ast.expr | None = None) -> bool:
        """Whether a node is one of these forms of the dict, that key, and what is added."""
        named = {"D": ast.Name(self.name, ast.Load()), "K": key, "E": added or key}
        texts = {ast.dump(ast.Name(letter, ast.Load())): ast.dump(part) for letter, part in named.items()}
        letters = "|".join(map(re.escape, texts))
        return any(
            re.sub(letters, lambda found: texts[found[0]], _dump(form)) == ast.dump(node) for form in forms
        )


@cache
def _dump(form: str) -> str:
    (statement,) = ast.parse(form).body
    return ast.dump(statement.value if isinstance(statement, ast.Expr) else statement)


def _added(node: ast.AST) -> Iterator[ast.expr]:
    """What may be added in a statement."""
    match node:
        case ast.Assign(value=ast.BinOp(left=left, right=right)):
            yield from (left, right)
        case ast.If():
            yield from (part.value for part in ast.walk(node) if isinstance(part, ast.AugAssign))


def _are_plain(name: str, *nodes: ast.expr) -> bool:
    """Whether expressions only compute, and don't mention the dict."""
    return not _uses(nodes, name) and all(
        isinstance(part, PLAIN) for node in nodes for part in ast.walk(node)
    )


def _at(place: ast.AST, made: ast.stmt | ast.expr) -> ast.AST:
    assert isinstance(place, ast.stmt | ast.expr)
    return ast.fix_missing_locations(ast.copy_location(made, place))
