"""Annotations that Python evaluates within a run, those of nested functions: none may raise.

Whether control comes to the definition may tell of private data.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from synth.trusted.errors import Refusal
from synth.trusted.frontend import type_tests
from synth.trusted.frontend.context import Context, is_local
from synth.trusted.frontend.vocabulary import MAKER, TYPES_OF_VALUES, Role

_OF_PYTHON = ("int", "float", "bool", "str", "object", "list", "tuple", "dict", "set")
_OF_NUMPY = ("ndarray", "NDArray", *(f"numpy.{name}" for name in TYPES_OF_VALUES["numpy"]))
_OF_ONE = ("List", "Sequence", "Iterable", "Optional")
_WHOLE = (
    *("Any", "Callable", "Collection", "Dict", "Generator", "Hashable", "Iterable", "Iterator", "List"),
    *("Mapping", "NDArray", "Sequence", "Set", "Sized", "Tuple", "ndarray"),
)
"""Imported types that may be a part of another one; special forms may not: ``Literal | None`` raises."""


def check_evaluated(context: Context, annotations: Iterable[ast.expr]) -> None:
    """Refuse what may raise where it is evaluated.  Raises ProgramError."""
    for item in annotations:
        if not (isinstance(item, ast.Constant) or _is_type(context, item)):
            message = (
                "an annotation of a nested function that may raise when it is evaluated is not supported"
            )
            raise context.error(item, Refusal.UNSUPPORTED_TYPE, message)


def _is_type(context: Context, node: ast.expr) -> bool:
    match node:
        case ast.Name(id=name) if name in _OF_PYTHON:
            return type_tests.is_python(context, node) and not _is_assigned(context, name)
        case ast.Name(id=name) if name in context.module.aliases and not _is_hidden(context, node):
            return _is_type(context, context.module.aliases[name])
        case ast.Name() | ast.Attribute():
            return _is_imported(context, node)
        case ast.Subscript(value=ast.Name(id="list" | "tuple" | "dict" | "set") as head, slice=inner):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _is_type(context, head) and all(
                isinstance(part, ast.Constant) or _is_type(context, part) for part in parts
            )
        case ast.Subscript(value=ast.Name() as head, slice=ast.Tuple(elts=[ast.List(elts=inputs), result])):
            parts = [*inputs, result]
            return _is_one_of(context, head, ("Callable",)) and all(_is_type(context, part) for part in parts)
        case ast.Subscript(value=ast.Name() as head, slice=inner):
            return _is_one_of(context, head, _OF_ONE) and _is_type(context, inner)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            none = isinstance(right, ast.Constant) and right.value is None
            return _is_type(context, left) and (none or _is_type(context, right))
        case _:
            return False


def _is_imported(context: Context, node: ast.Name | ast.Attribute) -> bool:
    """Whether it stands for a type that an import brought, or for a class of the file."""
    known = context.module.known(node)
    if _is_hidden(context, node):
        return False
    if known is not None and MAKER in known.takes:  # a function: ``default_rng | None`` raises
        return False
    if isinstance(node, ast.Attribute):
        return known is not None and (known.role is Role.GENERATOR or known.name in _OF_NUMPY)
    plain = known is not None and (known.role is Role.GENERATOR or "." in known.name)
    return context.module.class_named(node) is not None or plain or _is_one_of(context, node, _WHOLE)


def _is_one_of(context: Context, node: ast.Name, names: Collection[str]) -> bool:
    """Whether it stands for one of these types of ``typing`` and the like."""
    known = None if _is_hidden(context, node) else context.module.known(node)
    return known is not None and known.role is Role.TYPE and known.name in names


def _is_hidden(context: Context, node: ast.Name | ast.Attribute) -> bool:
    """Whether a name may stand for something else than an import says."""
    first = next(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
    return is_local(context, node) or _is_assigned(context, first) or first in context.module.blocked


def _is_assigned(context: Context, name: str) -> bool:
    """Whether it is a variable of the function, assigned or not yet."""
    function = context.scope.function
    return function is not None and name in function.assigned
