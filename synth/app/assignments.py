"""Values of parameters as a command line gives them: ``NAME=VALUE``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from synth.app.asker import Asker
from synth.refuter.exact.inputs import Datum, is_admissible, lengths, read_datum
from synth.refuter.exact.label_texts import with_codes
from synth.trusted.errors import ProgramError, Refusal, UsageError
from synth.trusted.frontend.source import Source, make_source, parse_expression
from synth.trusted.frontend.vocabulary import suggestion
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import is_parameter


def read_assignments(texts: Iterable[str], option: str) -> dict[str, object]:
    """Names and values; numbers, lists, True, False, fractions like 1/3, strings and members of Enums.

    Raises UsageError.
    """
    found: dict[str, object] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        name = name.strip()
        if not separator or not is_parameter(name):
            raise UsageError(f"{option} {text}: NAME=VALUE is needed")
        if name in found:
            raise UsageError(f"{option}: {name} is given twice")
        found[name] = _value(value.strip(), f"{option} {text}")
    return found


def _value(text: str, place: str) -> object:
    source = make_source(text, place)
    try:
        return _plain(source, parse_expression(source))
    except ProgramError as error:
        reason = "" if error.code is Refusal.SYNTAX_ERROR else f": {error.message}"
    except ValueError:
        reason = ""
    except ZeroDivisionError:
        reason = ": division by zero"
    raise UsageError(f"{place}: {text!r} is not a number, a bool, a string or a list{reason}")


def _plain(source: Source, node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=bool() as value):
            return value
        case ast.Constant(value=str() as text):
            return text
        case ast.Attribute(value=ast.Name(id=name), attr=member):
            return f"{name}.{member}"
        case ast.Constant(value=int() | float()):
            return source.number(node)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(source, operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _number(source, operand)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return Fraction(_number(source, left)) / _number(source, right)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_plain(source, item) for item in items]
    raise ValueError


def _number(source: Source, node: ast.expr) -> int | Fraction:
    value = _plain(source, node)
    if not isinstance(value, (int, Fraction)):
        raise ValueError
    return value


def data_of(parameters: Iterable[ir.Parameter], values: Mapping[str, object]) -> dict[str, Datum]:
    """The values that are given for these parameters.  Raises UsageError."""
    return {item.name: read_datum(item, values[item.name]) for item in parameters if item.name in values}


def check_names(values: Iterable[str], parameters: Iterable[ir.Parameter], option: str) -> None:
    """Raises UsageError for a name that no parameter has."""
    known = sorted({item.name for item in parameters})
    for name in values:
        if name not in known:
            raise UsageError(f"{option}: no such parameter '{name}'{suggestion(name, known)}")


def complete(mechanism: ir.Mechanism, values: Mapping[str, object], option: str) -> dict[str, Datum]:
    """A value for every parameter.  Raises UsageError."""
    check_names(values, mechanism.visible, option)
    found = data_of(mechanism.visible, with_codes(mechanism, values))
    missing = [item.name for item in mechanism.visible if item.name not in found]
    if missing:
        raise UsageError(f"{option}: no value for {', '.join(missing)}")
    return found


def read_inputs(
    mechanism: ir.Mechanism, inputs: Iterable[str], neighbour: Sequence[str]
) -> list[dict[str, Datum]]:
    """The input of ``--input``, and with ``--neighbour`` a second one that differs from it there.

    Both satisfy ``requires``, and have sequences of the same lengths.  Raises UsageError.
    """
    values = read_assignments(inputs, "--input")
    changes = read_assignments(neighbour, "--neighbour") if neighbour else None
    return complete_inputs(mechanism, values, changes, Asker.COMMAND_LINE)


def complete_inputs(
    mechanism: ir.Mechanism,
    values: Mapping[str, object],
    changes: Mapping[str, object] | None,
    asker: Asker,
) -> list[dict[str, Datum]]:
    """The input, and the neighbour that changes make of it, if they are given.

    Both satisfy ``requires``, and have sequences of the same lengths.  Raises UsageError.
    """
    given, changed = asker.option("input"), asker.option("neighbour")
    found = [complete(mechanism, values, given)]
    if changes is not None:
        check_names(changes, mechanism.parameters, changed)
        found.append(complete(mechanism, {**values, **changes}, changed))
        if lengths(mechanism, found[0]) != lengths(mechanism, found[1]):
            raise UsageError(f"{changed}: sequences have other lengths than in {given}")
    if not all(is_admissible(mechanism, item) for item in found):
        raise UsageError("the input does not satisfy 'requires'")
    return found
