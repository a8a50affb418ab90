"""From JSON to values of declared types: the schema of a document is its dataclasses.

An int is a natural number, a Fraction a numeral, and an annotated type says by itself how it is read.  A
record has the fields of its class that have no default, maybe those that have one, and no others.  All else
is refused, with its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import cache, partial
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from synth.trusted.json_reader import Json
from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm, Term, read
from synth.trusted.reasons import Reason

SCHEMA = "Schema"
NO_MASS: Term = "0.0"
NUMERAL = re.compile("-?[0-9]{1,1300}(/[1-9][0-9]{0,1299})?")


def decode(kind: Any, data: Json, place: str) -> Any:
    """The value of a type that a JSON value stands for.  Raises Rejected."""
    inner = get_args(kind)
    if kind in _SCALARS:
        return _SCALARS[kind](data, place)
    if get_origin(kind) is Annotated:
        return inner[1](data, place)
    if type(None) in inner:
        return None if data is None else decode(inner[0], data, place)
    if get_origin(kind) is Mapping:
        return {key: decode(inner[1], item, inside(place, key)) for key, item in members(data, place).items()}
    if get_origin(kind) is not tuple:
        return kind.decoded(data, place) if hasattr(kind, "decoded") else record(kind, data, place)
    if not isinstance(data, list) or (len(data) != len(inner) and inner[-1] is not ...):
        raise refused(place, Code.NOT_A_LIST())
    kinds = inner[:1] * len(data) if inner[-1] is ... else inner
    items = enumerate(zip(kinds, data, strict=True))
    return tuple(decode(each, item, f"{place}.{number}") for number, (each, item) in items)


def record(kind: Any, data: Json, place: str, **known: object) -> Any:
    """A dataclass from an object that has its fields but for those that are ``known``."""
    open_ = {item.name: item for item in fields(kind) if item.name not in known}
    needed = {name for name, item in open_.items() if (item.default, item.default_factory) == (MISSING,) * 2}
    given, hints = members(data, place), _hints(kind)
    odd = (given.keys() - open_.keys()) | (needed - given.keys())
    if odd:
        raise refused(place, Code.WRONG_FIELDS(fields=", ".join(sorted(odd))))
    found = {
        name: decode(_if_given(hints[name], name in needed), item, inside(place, name))
        for name, item in given.items()
    }
    return kind(**known, **found)


_hints = cache(partial(get_type_hints, include_extras=True))
"""The types of a dataclass's fields, by name."""


def _if_given(kind: Any, needed: bool) -> Any:
    """The type of a field; one that may be left out is no null where it is there."""
    return kind if needed or type(None) not in get_args(kind) else get_args(kind)[0]


def inside(place: str, name: str) -> str:
    """The place of a member."""
    return f"{place}.{name}" if place else name


def members(data: Json, place: str) -> Mapping[str, Json]:
    """The members of an object.  Raises Rejected."""
    if not isinstance(data, dict):
        raise refused(place, Code.NOT_AN_OBJECT())
    return data


def refused(place: str, why: Reason) -> Rejected:
    """That a document doesn't follow the schema."""
    return Rejected(SCHEMA, place or "certificate", why)


def _text(data: Json, place: str) -> str:
    if not isinstance(data, str):
        raise refused(place, Code.NOT_A_STRING())
    return data


def _natural(data: Json, place: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or data < 0:
        raise refused(place, Code.NOT_A_NATURAL())
    return data


def _numeral(data: Json, place: str) -> Fraction:
    text = _text(data, place)
    if NUMERAL.fullmatch(text) is None:
        raise refused(place, Code.NOT_A_NUMERAL())
    return Fraction(text)


def _term(data: Json, place: str) -> Term:
    try:
        return read(_text(data, place))
    except BadTerm as error:
        raise refused(place, error.why) from None


def _mass(data: Json, place: str) -> Term:
    return NO_MASS if data == "0" else _term(data, place)


Formula = Annotated[Term, _term]
"""A term as SMT-LIB text."""

Mass = Annotated[Term, _mass]
"""A δ; "0" stands for none."""

_SCALARS = {str: _text, int: _natural, Fraction: _numeral}
