"""Parameters that callers leave out: sources of draws that a default makes, and what is None then."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection

from synth.trusted.errors import Refusal
from synth.trusted.frontend import sources
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.values import NoneValue, SourceValue, Value
from synth.trusted.frontend.vocabulary import Known, Role

_PLAIN = (ast.Constant, ast.Name)


def is_source(look: Callable[[ast.expr], Known | None], node: ast.expr) -> bool:
    """Whether a default makes a source of draws, and does nothing else: ``default_rng()``.

    Whether it has a seed is asked where it is used.
    """
    if not isinstance(node, ast.Call):
        return False
    made = look(node.func)
    given = (*node.args, *(word.value for word in node.keywords))
    return (
        made is not None and made.role is Role.GENERATOR and all(isinstance(item, _PLAIN) for item in given)
    )


def values_of(module: Module, function: Function, stated: Collection[str]) -> dict[str, Value]:
    """The parameters whose type is none that inputs have, and which have these values where a call leaves
    them out; not those of which something is ``stated`` beside the file.

    Raises ProgramError for a source with a seed.
    """
    found: dict[str, Value] = {}
    for argument, default in function.defaults:
        if argument.arg not in stated:
            value = _value(module, argument.annotation, default)
            if value is not None:
                found[argument.arg] = value
    return found


def _value(module: Module, annotation: ast.expr | None, default: ast.expr) -> Value | None:
    kind = sources.of_type(module, annotation)
    if isinstance(default, ast.Constant) and default.value is None:
        return NoneValue() if annotation is None or kind or _is_optional(annotation) else None
    if annotation is not None and kind is None and not _is_optional(annotation):
        return None
    if isinstance(default, ast.Call) and is_source(module.known, default):
        return _made(module, default)
    known = module.known(default)
    if known is not None and known.role is Role.SOURCE:
        return SourceValue(known.name, kind=known.kind)
    return sources.of_module(module, known)


def _made(module: Module, node: ast.Call) -> SourceValue | None:
    """The source that a call makes.  Raises ProgramError for a seed."""
    for item in (*node.args, *(word.value for word in node.keywords)):
        if not _is_none(item):
            raise module.source.error(item, Refusal.KNOWN_SEED, sources.seeded(item))
    made = module.known(node.func)
    return None if made is None else SourceValue(made.name, kind=made.kind)


def _is_optional(annotation: ast.expr) -> bool:
    """Whether a type says that there may be None: ``Optional[T]``, ``Union[T, None]``, ``T | None``."""
    match annotation:
        case ast.Constant(value=str(text)):
            try:
                return _is_optional(ast.parse(text, mode="eval").body)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return False
        case ast.Subscript(value=ast.Name(id=head) | ast.Attribute(attr=head), slice=inner):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return head == "Optional" or (head == "Union" and any(map(_is_none, parts)))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_none(right) or _is_none(left) or _is_optional(left)
        case _:
            return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
