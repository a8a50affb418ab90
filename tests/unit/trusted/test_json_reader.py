"""The kernel's JSON reader: what json.dumps writes is read back, all that isn't strict is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.trusted.json_reader import DECIMALS, MAX_DEPTH, MAX_TEXT_BYTES, JsonError, read_json
from synth.trusted.kernel.check import Unreadable, check

LARGEST = 10**30 - 1
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = TEXTS.filter(str.isprintable)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(VALUES, st.booleans(), st.sampled_from([None, 0, 1, "\t"]))
def test_reads_what_json_writes(value: Any, ascii_only: bool, indent: int | str | None) -> None:
    found = read_json(json.dumps(value, ensure_ascii=ascii_only, indent=indent))
    assert found == value
    assert repr(found) == repr(value), "1 is not true"


@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from('{}[]",:\\u09dDEe.+-tfn1\n \x01\ud83d')))
def test_accepts_nothing_that_json_refuses(text: str) -> None:
    try:
        found = read_json(text)
    except JsonError:
        return
    assert json.loads(text) == found


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_any_text_is_unreadable_or_invalid(text: str) -> None:
    with suppress(Unreadable):
        assert check(text).verdict == "invalid"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-0", 0),
        (" \t\r\n[ ] \n", []),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\/\\b\\f\\n\\r\\t\\"\\\\\\u0000"', '/\b\f\n\r\t"\\\0'),
        ('"\x7f\u2028"', "\x7f\u2028"),
        ("9" * 30, LARGEST),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, None),
        ('{"": {"": ""}}', {"": {"": ""}}),
    ],
    ids=[
        "minus 0",
        "blanks",
        "surrogates in pairs",
        "escapes",
        "delete",
        "30 digits",
        "deepest",
        "empty keys",
    ],
)
def test_reads(text: str, value: Any) -> None:
    assert read_json(text) == (json.loads(text) if value is None else value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ends too early"),
        ("   ", "ends too early"),
        ("\ufeff{}", "no token"),
        ('{"a": 1, "a": 1}', "'a' occurs twice"),
        ('{"a": 1, "\\u0061": 2}', "'a' occurs twice"),
        ("1.0", "no token"),
        ("1e3", "no token"),
        ("1E-3", "no token"),
        ("NaN", "no token"),
        ("Infinity", "no token"),
        ("-Infinity", "no token"),
        ("-", "no token"),
        ("+1", "no token"),
        ("01", "no token"),
        ("0x10", "text after the value"),
        ("1" * 31, "no token"),
        ("١", "no token"),
        ("[1,]", "where a value is expected"),
        ("[,1]", "where a value is expected"),
        ('{"a": 1,}', "a key must be a string"),
        ("{1: 2}", "a key must be a string"),
        ("{null: 2}", "a key must be a string"),
        ('{"a" 1}', "is expected"),
        ('{"a": }', "where a value is expected"),
        ("[1 2]", "is expected"),
        ("[1", "ends too early"),
        ('{"a": 1', "ends too early"),
        ("[1}", "is expected"),
        ("]", "where a value is expected"),
        ("True", "no token"),
        ("nul", "no token"),
        ("truefalse", "no token"),
        ("{} {}", "text after the value"),
        ("{} // done", "text after the value"),
        ("/* */ {}", "no token"),
        ("\xa0{}", "no token"),
        ("'a'", "no token"),
        ('"a', "no token"),
        ('"\n"', "no token"),
        ('"\x00"', "no token"),
        ('"\t"', "no token"),
        ('"\\x41"', "no token"),
        ('"\\u12"', "no token"),
        ('"\\u12g4"', "no token"),
        ('"\\ud83d"', "a lone surrogate"),
        ('"\\ude00\\ud83d"', "a lone surrogate"),
        ('"\ud83d"', "a lone surrogate"),
        ('{"\\ud83d": 1}', "a lone surrogate"),
        ("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2), "nested more than"),
        ("[" * 100_000, "nested more than"),
        ('{"a":' * 100_000, "nested more than"),
        (" " * (MAX_TEXT_BYTES + 1), "more than 8,000,000 characters"),
    ],
)
def test_refuses(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        read_json(text)
    assert message in caught.value.message


def test_errors_name_line_and_column() -> None:
    with pytest.raises(JsonError) as caught:
        read_json('{\n "a": 1,\n "b": 2.5}')
    assert (caught.value.line, caught.value.column) == (3, 7)
    assert str(caught.value).startswith("line 3, column 7: ")


@pytest.mark.parametrize("text", ["", "{", "\ufeff{}", '{"a": 1.5}', '{"version": 1, "version": 1}', "NaN"])
def test_unreadable_certificates(text: str) -> None:
    with pytest.raises(Unreadable):
        check(text)


@pytest.mark.parametrize("letter", ["\\n", "\\u001b", "\x7f", "\x9b", "\u202e", "\u200b", "\u2028", "\xa0"])
def test_keys_can_be_printed(letter: str) -> None:
    with pytest.raises(JsonError, match="a key with what can't be printed"):
        read_json(f'{{"a{letter}": 1}}')


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**300), 10**300))
def test_decimals_are_read_exactly_where_they_may_be(value: float | int) -> None:
    found = read_json(json.dumps(value), DECIMALS)
    assert found == Decimal(json.dumps(value))
    assert isinstance(found, int) == isinstance(value, int)


@pytest.mark.parametrize(
    "text", ["NaN", "-Infinity", "1e1000", "1.", ".5", "01.5", "1e+", f"1.{'1' * 401}", "1" * 401, "+1"]
)
def test_numbers_that_are_no_decimals(text: str) -> None:
    with pytest.raises(JsonError):
        read_json(text, DECIMALS)
