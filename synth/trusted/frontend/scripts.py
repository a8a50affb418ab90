"""What of a file runs only where the file is a script: an import and a mechanism never come there."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from synth.trusted.frontend.bound_names import names_bound
from synth.trusted.frontend.evaluated import is_special
from synth.trusted.frontend.nodes import nodes

_NAME = "__name__"


def main_guard(tree: ast.Module) -> ast.If | None:
    """The last statement, if it is ``if __name__ == "__main__":`` without another branch, and means that."""
    match tree.body:
        case [*_, ast.If(test=test, orelse=[]) as guard] if is_main_guard(test):
            return None if any(_gives_a_name(node) for node in nodes(tree)) else guard
        case _:
            return None


def is_main_guard(test: ast.expr) -> bool:
    """Whether a condition is ``__name__ == "__main__"``."""
    match test:
        case ast.Compare(
            left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]
        ):
            return True
        case _:
            return False


def of_script(tree: ast.Module, mechanisms: Collection[str]) -> list[ast.stmt]:
    """The statements that only run where the file is a script.

    They are the block behind the ``__main__`` guard, and the bodies of functions without decorators, other
    than ``mechanisms``, that nothing else names: neither code nor a text that isn't a docstring.
    """
    guard = main_guard(tree)
    if guard is None:
        return []
    bound = [name for node in tree.body for name in names_bound(node)]
    plain = {
        item.name: item
        for item in tree.body
        if isinstance(item, ast.FunctionDef)
        and not (item.decorator_list or is_special(item.name))
        and bound.count(item.name) == 1
    }
    own = dict.fromkeys(_reached(guard.body, plain.keys() - set(mechanisms), plain))
    while True:
        inside = [*guard.body, *(part for name in own for part in plain[name].body)]
        named = set(_names(tree.body, {id(part) for part in inside}))
        kept = dict.fromkeys(_reached(guard.body, own.keys() - named, plain))
        if kept == own:
            return inside
        own = kept


def _reached(
    body: Iterable[ast.stmt], names: Collection[str], plain: dict[str, ast.FunctionDef]
) -> Iterator[str]:
    """Give those of these functions that the statements name, or the bodies of such functions."""
    left = set(names)
    bodies = [*body]
    while bodies:
        found = left & set(_names([bodies.pop()], set()))
        left -= found
        yield from found
        bodies += [part for name in found for part in plain[name].body]


def _names(body: Iterable[ast.AST], without: Collection[int]) -> Iterator[str]:
    """Give the names in these nodes, but for some statements, and all words of their texts.

    Not those of docstrings, nor the names that definitions of functions bind.
    """
    for node in body:
        match node:
            case _ if id(node) in without:
                continue
            case ast.Expr(value=ast.Constant(value=str())):
                continue
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield from (*name.split("."), other or name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case ast.Constant(value=str(text)):
                yield from re.findall(r"\w+", text)
        yield from _names(ast.iter_child_nodes(node), without)


def _gives_a_name(node: ast.AST) -> bool:
    """Whether a node may say what ``__name__`` is."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) | ast.Constant(value=name):
            return name == _NAME
        case _:
            return _NAME in names_bound(node)
