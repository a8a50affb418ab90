"""Named tuples that calls make: ``NamedTuple("P", [...])`` and ``namedtuple("P", "a b")``."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import evaluated
from synth.trusted.frontend.classes import Class, Field, Kind
from synth.trusted.frontend.field_types import Look
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.vocabulary import Known, Role


def read_named_tuple(source: Source, name: str, node: ast.Call, look: Look) -> Class | None:
    """The class that ``NamedTuple(…)`` or ``namedtuple(…)`` makes; None if the call is of something else.

    Raises ProgramError.
    """
    tool = look(node.func)
    match tool, node.args, node.keywords:
        case Known(Role.TYPE, "NamedTuple"), [ast.Constant(value=str()), fields], []:
            found = _typed_fields(source, fields)
        case Known(Role.CLASS_TOOL, "namedtuple"), [ast.Constant(value=str()), fields], []:
            names = _plain_names(fields)
            found = None if names is None else [Field(item, None) for item in names]
        case ((Known(Role.TYPE, "NamedTuple") | Known(Role.CLASS_TOOL, "namedtuple")), _, _):
            found = None
        case _:
            return None
    names = [item.name for item in found or ()]
    valid = all(item.isidentifier() and not item.startswith("_") for item in names)
    if found is None or not valid or len(set(names)) != len(names):
        raise source.error(node, Refusal.UNSUPPORTED_CALL, "this call of NamedTuple is not supported")
    return Class(name, Kind.TUPLE, (), tuple(found))


def _typed_fields(source: Source, node: ast.expr) -> list[Field] | None:
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    fields = []
    for item in node.elts:
        match item:
            case ast.Tuple(elts=[ast.Constant(value=str(name)), annotation]):
                evaluated.check_annotation(source, annotation)
                fields.append(Field(name, None, annotation=annotation))
            case _:
                return None
    return fields


def _plain_names(node: ast.expr) -> list[str] | None:
    match node:
        case ast.Constant(value=str(text)):
            return text.replace(",", " ").split()
        case ast.List(elts=items) | ast.Tuple(elts=items):
            names = [item.value for item in items if isinstance(item, ast.Constant)]
            texts = [name for name in names if isinstance(name, str)]
            return texts if len(texts) == len(items) else None
        case _:
            return None
