"""Samplers of libraries that draw many numbers: ``size=n``, and one draw for each entry of a list.

A stub has the sampler of one number.  Its other forms are programs, too: loops that append what it draws.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

SIZE = "size"


def with_size(node: ast.FunctionDef) -> ast.FunctionDef:
    """Return a sampler of one number that takes ``size``, behind its arguments by place."""
    if any(argument.arg == SIZE for argument in _parameters(node)):
        return node
    changed = deepcopy(node)
    argument = ast.copy_location(ast.arg(SIZE, None), node)
    changed.args.args.append(argument)
    changed.args.defaults.append(ast.copy_location(ast.Constant(None), node))
    return changed


def forms(node: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    """Give the sampler's other forms, each under the name that :func:`form` has for it."""
    for each in (None, *_names(node)):
        for sized in (True, False) if each is not None else (True,):
            yield _form(node, each, sized)


def form(name: str, each: str | None, sized: bool) -> str:
    """The name of a form: a draw for ``each`` entry of an argument, or as many as ``size`` says."""
    return f"{name}__each_{each}{'_sized' * sized}" if each else f"{name}__sized"


def _form(node: ast.FunctionDef, each: str | None, sized: bool) -> ast.FunctionDef:
    given = ", ".join(f"{name}={'entry__' if name == each else name}" for name in _names(node))
    over = f"entry__ in {each}" if each else f"entry__ in range({SIZE})"
    demand = f"    shown(len({each}) == {SIZE})\n" if each and sized else ""
    text = (
        f"def {form(node.name, each, sized)}():\n{demand}    entries__ = []\n    for {over}:\n"
        f"        entries__.append({node.name}({given}))\n    return entries__\n"
    )
    made = ast.parse(text).body[0]
    assert isinstance(made, ast.FunctionDef)
    for part in ast.walk(made):
        if isinstance(part, ast.expr | ast.stmt | ast.arg | ast.keyword):
            ast.copy_location(part, node)
    made.args = deepcopy(node.args)
    for argument in _parameters(made):
        argument.annotation = None
    return made


def _names(node: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in _parameters(node) if argument.arg != SIZE]


def _parameters(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
