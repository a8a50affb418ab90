"""Enums that a program file defines: their members, in order, and the values of these."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import evaluated
from synth.trusted.frontend.classes import Class, Kind
from synth.trusted.frontend.field_types import Look
from synth.trusted.frontend.labels import Given, LabelType
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.vocabulary import Known, Role

_ENUM, _AUTO, _UNIQUE = (Known(Role.CLASS_TOOL, name) for name in ("Enum", "auto", "unique"))
_TAKEN = frozenset({"name", "value", "mro"})
"""Names that members can't have without another meaning."""

Refused = Callable[[ast.AST, str], ProgramError]


def read_class(source: Source, node: ast.ClassDef, look: Look) -> Class | None:
    """The Enum that a class definition is; None if it is another class.  Raises ProgramError."""
    if not any(look(base) == _ENUM for base in node.bases):
        return None
    refused = _refusal(source, node)
    if len(node.bases) != 1 or node.keywords:
        raise refused(node, "an Enum with another base class is not supported")
    for decorator in node.decorator_list:
        if look(decorator) != _UNIQUE:
            raise refused(decorator, f"the decorator '{ast.unparse(decorator)}' is not supported")
    return _made(source, node.name, list(_members(source, node, refused)), look, refused)


def read_call(source: Source, name: str, node: ast.Call, look: Look) -> Class | None:
    """The Enum that ``Enum("Name", "A B")`` makes; None if the call is of something else.

    Raises ProgramError.
    """
    if look(node.func) != _ENUM:
        return None
    refused = _refusal(source, node)
    match node.args, node.keywords:
        case [ast.Constant(value=str()), members], []:
            found = list(_listed(members, refused))
        case _:
            raise refused(node, "this call of Enum is not supported: give a name and the members")
    return _made(source, name, found, look, refused)


def _refusal(source: Source, node: ast.stmt | ast.expr) -> Refused:
    def refused(part: ast.AST, message: str) -> ProgramError:
        place = part if isinstance(part, ast.expr | ast.stmt) and hasattr(part, "lineno") else node
        return source.error(place, Refusal.UNSUPPORTED_CONSTRUCT, message)

    return refused


def _members(source: Source, node: ast.ClassDef, refused: Refused) -> Iterator[tuple[str, ast.expr]]:
    for statement in node.body:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
                evaluated.check_annotation(source, annotation)
                yield name, value
            case _:
                raise refused(statement, "an Enum with more than members is not supported")


def _listed(node: ast.expr, refused: Refused) -> Iterator[tuple[str, ast.expr]]:
    """The members in ``"A B"``, ``["A", "B"]``, ``[("A", 1), ("B", 2)]`` or ``{"A": 1, "B": 2}``."""
    match node:
        case ast.Constant(value=str(text)):
            names = text.replace(",", " ").split()
            yield from ((name, ast.Constant(place)) for place, name in enumerate(names, start=1))
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                yield _name_in(key, refused, node), value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            if len({isinstance(item, ast.Tuple | ast.List) for item in items}) > 1:
                raise refused(node, "names of members beside pairs are not supported")
            for place, item in enumerate(items, start=1):
                match item:
                    case ast.Tuple(elts=[key, value]) | ast.List(elts=[key, value]):
                        yield _name_in(key, refused, node), value
                    case _:
                        yield _name_in(item, refused, node), ast.Constant(place)
        case _:
            raise refused(node, "the members of an Enum must be written out")


def _name_in(node: ast.expr | None, refused: Refused, whole: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)) if text.isidentifier():
            return text
        case _:
            raise refused(node or whole, "the members of an Enum must be written out")


def _made(
    source: Source, name: str, members: Sequence[tuple[str, ast.expr]], look: Look, refused: Refused
) -> Class:
    names = [member for member, _ in members]
    for member, node in members:
        if member.startswith("_") or member in _TAKEN or names.count(member) > 1:
            raise refused(node, f"'{member}' can't be the name of a member")
    given: list[Given] = []
    for _, node in members:
        _check_numbers(source, node)
        value = _next(given, node, refused) if _is_auto(node, look) else _literal(node, refused)
        if value in given:
            raise refused(node, "two members of one value are one member: such names are not supported")
        given.append(value)
    if not given:
        raise refused(ast.Pass(), "an Enum without members is not supported")
    return Class(name, Kind.ENUM, labels=LabelType(name, tuple(names), tuple(given)))


def _check_numbers(source: Source, node: ast.expr) -> None:
    """Refuse numbers that are too large, or infinite.  Raises ProgramError."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, int | float):
            source.number(part)


def _is_auto(node: ast.expr, look: Look) -> bool:
    return isinstance(node, ast.Call) and look(node.func) == _AUTO and not node.args and not node.keywords


def _next(given: Sequence[Given], node: ast.expr, refused: Refused) -> int:
    """What ``auto()`` gives: one more than the value before, where that is the largest."""
    numbers = [value for value in given if isinstance(value, int) and not isinstance(value, bool)]
    if len(numbers) < len(given) or (numbers and numbers[-1] != max(numbers)):
        raise refused(node, "'auto' behind values that don't rise is not supported")
    return numbers[-1] + 1 if numbers else 1


def _literal(node: ast.expr, refused: Refused) -> Given:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        value = None
    parts = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, int | float | str) for part in parts):
        raise refused(node, "the value of a member must be a number, a string or a tuple of these")
    assert isinstance(value, int | float | str | tuple)
    return value
