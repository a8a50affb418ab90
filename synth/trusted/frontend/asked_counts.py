"""Dicts that count, of which keys are asked for that aren't written out, as lists of what is counted.

``d = Counter()``, ``d[k] += e`` and, later, ``d[x]`` is ``p = []``, ``p.append((k, e))`` and
``sum((e for k, e in p if k == x), 0)``: what was added under a key that equals x, in its order.  So is
``d = defaultdict(float)``, with ``0.0``; and ``d = Counter(xs)`` is ``p = [(k, 1) for k in xs]``.  Nothing
else is asked of the dict, so nobody learns which keys it has.

What ``Counter()`` and ``defaultdict(int)`` count is an integer that is written out: a key that isn't there
would be told from others by its type.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from typing import cast

from synth.trusted.frontend.counted_dicts import PLAIN
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.scoping import assigned
from synth.trusted.frontend.vocabulary import Known, Role

_COUNTER, _DEFAULT = (Known(Role.CLASS_TOOL, name) for name in ("Counter", "defaultdict"))
_ZEROS = {"int": "0", "float": "0.0"}
_PYTHONS = ("sum", *_ZEROS)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal, ast.Try, ast.Match)
_ASKED = (ast.Name, ast.Constant, ast.Tuple, ast.expr_context)
"""What a key that is asked for is made of: it doesn't matter how often it is evaluated."""


class Key(ast.Tuple):
    """A key alone, of which it is asked that it is one: it has a hash."""


@dataclass(frozen=True)
class _Made:
    """A dict where it is made, by a call: its name, its type of numbers, and what it counts at once."""

    statement: ast.stmt
    called: ast.expr
    name: str
    zero: str
    counted: ast.expr | None = None


def with_lists(module: Module, function: Function) -> Function:
    """Return the function with such dicts as lists; the same object if it has none."""
    if not any(_made(module, statement) for statement in function.node.body):
        return function
    if not all(map(module.means_pythons, _PYTHONS)):
        return function
    node = _with_lists(module, function.node)
    return function if node is function.node else replace(function, node=node, assigned=assigned(node))


def _with_lists(module: Module, node: ast.FunctionDef) -> ast.FunctionDef:
    for statement in node.body:
        made = _made(module, statement)
        found = None if made is None else _with_list(node, made)
        if found is not None:
            return _with_lists(module, found)
    return node


def counted_lists(module: Module, function: Function) -> Iterator[str]:
    """Give the parameters of which such dicts count the entries: lists, or else the function is another."""
    for statement in function.node.body:
        made = _made(module, statement)
        if made is not None and isinstance(made.counted, ast.Name):
            yield made.counted.id


def _made(module: Module, statement: ast.stmt) -> _Made | None:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=called, keywords=[]) as call)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=called, keywords=[]) as call)
        ):
            known = module.known(called)
        case _:
            return None
    made = _Made(statement, called, name, "0")
    match call.args:
        case [] if known == _COUNTER:
            return made
        case [ast.Name() | ast.ListComp() as counted] if known == _COUNTER:
            return replace(made, counted=counted)
        case [ast.Name(id="int" | "float" as kind)] if known == _DEFAULT:
            return replace(made, zero=_ZEROS[kind])
        case _:
            return None


def _with_list(node: ast.FunctionDef, made: _Made) -> ast.FunctionDef | None:
    """The definition with the dict as a list; None if more is asked of it, or only what is written out."""
    parts = [part for item in node.body for part in ast.walk(item)]
    stored = Counter(part.id for part in _names(parts) if not isinstance(part.ctx, ast.Load))
    local = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)} | stored.keys()
    own = {item.arg for item in ast.iter_child_nodes(node.args) if isinstance(item, ast.arg)}
    if any(isinstance(part, _SCOPES) for part in parts) or stored[made.name] != 1:
        return None
    if local & {*_PYTHONS, *(part.id for part in _names(ast.walk(made.called)))}:
        return None
    if any(isinstance(part, ast.arg) and part.arg == made.name for part in ast.walk(node)):
        return None
    if isinstance(made.counted, ast.Name) and not _is_list(parts, made.counted.id, own, stored):
        return None
    asking = _Asking(made, _written(parts, local))
    found = copy(node)
    found.body = [asking.statement(statement) for statement in node.body]
    uses = sum(part.id == made.name for part in _names(parts))
    return found if asking.asked and uses == 1 + asking.counts + asking.reads else None


def _is_list(parts: Sequence[ast.AST], name: str, given: set[str], stored: Mapping[str, int]) -> bool:
    """Whether a name is a parameter, or a variable that is assigned comprehensions of lists alone."""
    made = sum(
        isinstance(part, ast.Assign)
        and isinstance(part.value, ast.ListComp)
        and any(isinstance(target, ast.Name) and target.id == name for target in part.targets)
        for part in parts
    )
    return made == stored.get(name, 0) and (made > 0 or name in given)


def _names(parts: Iterable[ast.AST]) -> Iterator[ast.Name]:
    return (part for part in parts if isinstance(part, ast.Name))


def _written(parts: Sequence[ast.AST], local: set[str]) -> set[str]:
    """The variables that only loops bind, over what the file says or an object has."""
    bound, other = set[str](), {part.arg for part in parts if isinstance(part, ast.arg)}
    for part in parts:
        match part:
            case ast.For(target=target, iter=whole) | ast.comprehension(target=target, iter=whole):
                of_data = any(name.id in local - {"self"} for name in _names(ast.walk(whole)))
                (other if of_data else bound).update(name.id for name in _names(ast.walk(target)))
            case ast.Assign(targets=targets):
                other |= {name.id for item in targets for name in _names(ast.walk(item))}
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
                other |= {name.id for name in _names(ast.walk(target))}
    return bound - other


@dataclass
class _Asking(ast.NodeTransformer):
    """Writes what is counted into a list, and what is asked as a sum; tells how many there are of each."""

    made: _Made
    written: set[str]
    counts: int = 0
    reads: int = 0
    asked: bool = False

    def statement(self, statement: ast.stmt) -> ast.stmt:
        """What stands for a statement of the function."""
        if statement is not self.made.statement:
            return cast(ast.stmt, self.visit(deepcopy(statement)))
        if self.made.counted is None:
            return self._from(statement, "LIST = []")
        each = _key(ast.copy_location(ast.Name(self._hidden("key"), ast.Load()), statement))
        text = "LIST = [(COUNTED, 1) for KEY in WHOLE]"
        return self._from(statement, text, COUNTED=each, WHOLE=self.made.counted)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        match node:
            case ast.AugAssign(
                target=ast.Subscript(value=ast.Name(id=name), slice=key), op=ast.Add(), value=added
            ) if name == self.made.name and _is_made_of(key, PLAIN) and self._may_count(added):
                self.counts += 1
                number = "ADDED" if self.made.zero == "0" else "float(0) + ADDED"
                text = f"LIST.append((COUNTED, {number}))"
                return self._from(node, text, COUNTED=_key(key), ADDED=added)
        return self.generic_visit(node)

    def _may_count(self, added: ast.expr) -> bool:
        """Whether it may be added: an integer that is written out, or what computes a number."""
        if any(part.id == self.made.name for part in _names(ast.walk(added))):
            return False
        return self.made.zero == "0.0" or (isinstance(added, ast.Constant) and type(added.value) is int)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Load()) if name == self.made.name:
                return self._asked(node, key)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"),
                args=[key, ast.Constant(value=given)],
                keywords=[],
            ) if name == self.made.name and repr(given) == self.made.zero:
                return self._asked(node, key)
        return self.generic_visit(node)

    def _asked(self, node: ast.expr, key: ast.expr) -> ast.expr:
        if not _is_made_of(key, _ASKED):
            return node
        self.reads += 1
        self.asked |= any(part.id not in self.written for part in _names(ast.walk(key)))
        place = ast.copy_location(ast.Expr(node), node)
        zero = "0" if self.made.zero == "0" else "float(0)"
        text = f"sum((ADDED_ONE for KEY, ADDED_ONE in LIST if KEY == ASKED), {zero})"
        found = self._from(place, text, ASKED=_key(key))
        assert isinstance(found, ast.Expr)
        return found.value

    def _hidden(self, name: str) -> str:
        return f"{self.made.name}%{name}"

    def _from(self, place: ast.stmt, text: str, **given: ast.expr) -> ast.stmt:
        """The statement of a text, which stands where another one stands."""
        names = {"LIST": "counts", "KEY": "key", "ADDED_ONE": "added"}
        hidden = {short: self._hidden(name) for short, name in names.items()}
        (statement,) = ast.parse(text).body
        for part in ast.walk(statement):
            if isinstance(part, ast.stmt | ast.expr):
                ast.copy_location(part, place)
            if isinstance(part, ast.Name):
                part.id = hidden.get(part.id, part.id)
        return cast(ast.stmt, _Filled(given).visit(statement))


@dataclass
class _Filled(ast.NodeTransformer):
    """With expressions in the place of some names."""

    given: dict[str, ast.expr]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return deepcopy(self.given[node.id]) if node.id in self.given else node


def _key(key: ast.expr) -> Key:
    return ast.copy_location(Key([key], ast.Load()), key)


def _is_made_of(key: ast.expr, kinds: tuple[type[ast.AST], ...]) -> bool:
    return all(isinstance(part, kinds) for part in ast.walk(key))
