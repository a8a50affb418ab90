"""What runs that end without output show: the texts of assertions and raises.

Nobody sees these texts, as a proof assumes where they may tell more than public data.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import STUB


def telling_lines(mechanism: ir.Mechanism) -> list[int]:
    """The lines of assertions and raises that may tell more than public data; preconditions are none."""
    ends = {item.span.line for item in ir.statements(mechanism.body) if isinstance(item, ir.Assume)}
    if not ends:
        return []
    public = frozenset(item.name for item in mechanism.parameters if item.metric is None)
    found = list(_endings(ast.parse(mechanism.source), mechanism.name, public))
    own = _lines(mechanism, found)
    telling = _lines(mechanism, (item for item in found if item.tells))
    files = () if mechanism.specification is None else mechanism.specification.files
    others = (ast.parse(text) for name, text in files if not name.startswith(STUB))
    if any(item.tells for tree in others for item in _endings(tree)):
        telling |= ends - own  # what another file raises has the place of the call
    return sorted(ends & telling)


@dataclass(frozen=True)
class _Ending:
    """An assertion or a raise: the lines of the text that may stand for it, and if it tells more."""

    lines: tuple[int, ...]
    tells: bool


def _lines(mechanism: ir.Mechanism, items: Iterable[_Ending]) -> set[int]:
    """The lines of these in the file."""
    lines = {line for item in items for line in item.lines}
    return {mechanism.lines[line - 1] for line in lines} if mechanism.lines else lines


def _endings(
    tree: ast.Module, mechanism: str = "", parameters: frozenset[str] = frozenset()
) -> Iterator[_Ending]:
    """Give the assertions and raises of a text.

    These ``parameters`` of the mechanism are public, and what Python has, where nothing else has the name.
    """
    public = (parameters | vars(builtins).keys()) - set(_bound(tree, mechanism))
    for node in ast.walk(tree):
        match node:
            case ast.Raise(exc=raised, cause=cause):
                given = [*raised.args, *raised.keywords] if isinstance(raised, ast.Call) else []
                kind = raised.func if isinstance(raised, ast.Call) else raised
                chosen = [] if kind is None or isinstance(kind, ast.Name | ast.Attribute) else [kind]
                shown = [*given, *chosen, *([] if cause is None else [cause])]
                yield _Ending((node.lineno,), not _names(*shown) <= public)
            case ast.Assert(test=test, msg=message):
                shown = [] if message is None else [message]
                yield _Ending((node.lineno, test.lineno), not _names(*shown) <= public)


def _bound(tree: ast.Module, mechanism: str) -> Iterator[str]:
    """Give the names that a text gives to something, but for the parameters of a mechanism."""
    own = {
        id(part)
        for item in tree.body
        if isinstance(item, ast.FunctionDef) and item.name == mechanism
        for part in ast.walk(item.args)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                yield name
            case (
                ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name))
            ):
                yield name
            case ast.arg(arg=name) if id(node) not in own:
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0]


def _names(*nodes: ast.AST) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}
