"""What a specification beside the code says, as the arguments that a decorator would have."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TypeVar

from synth.trusted.errors import Refusal
from synth.trusted.frontend import vocabulary
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.source import Source, make_source, parse_expression
from synth.trusted.program.beside import TEXTS, Specification

_Node = TypeVar("_Node", ast.expr, ast.keyword)


def module_for(module: Module, given: Specification) -> Module:
    """The names of a file, and those of the language, for texts beside it."""
    names = {**module.names, **vocabulary.language_names()}
    names |= {name: known for name, known in vocabulary.builtin_names().items() if name not in names}
    return replace(module, source=make_source("", given.path), names=names)


def arguments(module: Module, given: Specification) -> dict[str, ast.expr]:
    """The arguments.  Raises ProgramError."""
    found: dict[str, ast.expr] = {}
    if given.adjacent:
        keys: list[ast.expr | None] = [literal(given, name, "adjacent", name) for name, _ in given.adjacent]
        values = [_metric(module, given, name, text) for name, text in given.adjacent]
        found["adjacent"] = _placed(ast.Dict(keys, values), given, "adjacent")
    for key in TEXTS:
        text = getattr(given, key)
        if text is not None:
            found[key] = literal(given, text, key)
    if given.facts:
        items: list[ast.expr] = [literal(given, text, "facts") for text in given.facts]
        found["facts"] = _placed(ast.List(items, ast.Load()), given, "facts")
    return found


def literal(given: Specification, text: str, key: str, name: str = "") -> ast.Constant:
    """A string literal at the place of a part of the specification."""
    node = ast.Constant(text)
    _placed(node, given, key, name)
    return node


def parsed(module: Module, given: Specification, text: str, key: str, name: str) -> tuple[Source, ast.expr]:
    """The expression that a part of the specification is, with its source.  Raises ProgramError."""
    node = literal(given, text, key, name)
    source = module.source.embedded(node, text)
    if not source.text:
        raise source.error(node, Refusal.WRONG_CLAIM, f"'{key}' of '{name}' is an empty string")
    return source, parse_expression(source)


def type_of(module: Module, given: Specification, name: str, text: str) -> ast.expr:
    """The type that is stated of a parameter.  Raises ProgramError."""
    _, node = parsed(module, given, text, "types", name)
    for part in ast.walk(node):
        if isinstance(part, ast.expr):
            _placed(part, given, "types", name)
    return node


def _metric(module: Module, given: Specification, name: str, text: str) -> ast.expr:
    """A metric, of which the bounds that are no strings become ones: these are read with their own places."""
    source, node = parsed(module, given, text, "adjacent", name)
    if isinstance(node, ast.Call):
        node.args = [_as_text(source, item) for item in node.args]
        for item in node.keywords:
            item.value = _as_text(source, item.value)
            _placed(item, given, "adjacent", name)
    for part in ast.walk(node):
        if isinstance(part, ast.expr):
            _placed(part, given, "adjacent", name)
    return node


def _as_text(source: Source, node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Starred) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bool)
    ):
        return node
    return ast.Constant(ast.get_source_segment(source.text, node) or ast.unparse(node))


def _placed(node: _Node, given: Specification, key: str, name: str = "") -> _Node:
    line, column = given.place(key, name)
    node.lineno = node.end_lineno = line
    node.col_offset = node.end_col_offset = column - 1
    return node
