"""What the annotation of an attribute in a class says of it: whether objects have it, or only the class."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from enum import Enum

from synth.trusted.frontend.vocabulary import Known, Role

Look = Callable[[ast.expr], Known | None]
"""What a name stands for where a class is defined."""

_OF_CLASS = Known(Role.TYPE, "ClassVar")
_OTHERS = ("ClassVar", "InitVar", "KW_ONLY")
"""Types, by their last names, that make something else than a field of what they annotate."""


class Meaning(Enum):
    """What is annotated: a field of the objects, a variable of the class, or what isn't clear."""

    FIELD = "field"
    OF_CLASS = "class"
    UNCLEAR = "unclear"


def meaning(annotation: ast.expr, look: Look) -> Meaning:
    """What a dataclass makes of an annotation; what special types in quotes are depends on the file."""
    head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    if look(head) == _OF_CLASS:
        return Meaning.OF_CLASS
    try:
        parts = [part for item in _with_quoted(annotation) for part in ast.walk(item)]
    except SyntaxError:
        return Meaning.UNCLEAR
    special = any(isinstance(part, ast.expr) and _is_special(part, look) for part in parts)
    return Meaning.UNCLEAR if special else Meaning.FIELD


def names_quoted(annotation: ast.expr) -> Iterator[str]:
    """Give the names in the quoted parts of an annotation."""
    try:
        parts = list(_with_quoted(annotation))[1:]
    except SyntaxError:
        return
    yield from (item.id for part in parts for item in ast.walk(part) if isinstance(item, ast.Name))


def _with_quoted(node: ast.expr) -> Iterator[ast.expr]:
    """Give an annotation, and what its quoted parts are.  Raises SyntaxError."""
    yield node
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from _with_quoted(ast.parse(part.value.strip(), mode="eval").body)


def _is_special(node: ast.expr, look: Look) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _OTHERS or look(node) == _OF_CLASS
        case _:
            return False
