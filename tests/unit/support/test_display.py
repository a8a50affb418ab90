"""What others wrote is shown in visible letters, in one line: nothing erases a verdict, or forges one."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.support.display import MAX_LETTERS, is_plain, json_text, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb: valid", r"a\nb: valid"),
        ("a\r\x1b[2K\x9b1A", r"a\r\x1b[2K\x9b1A"),
        ("a\x0b\x0c\x1c\x85\u2028\u2029b", r"a\x0b\x0c\x1c\x85\u2028\u2029b"),
        ("\u202einvalid\u2069\u200f", r"\u202einvalid\u2069\u200f"),
        ("a\u200b\u200d\ufeff\u00ad\u2060b", r"a\u200b\u200d\ufeff\xad\u2060b"),
        ("\u3164\u115f\u2800\ufe0f", r"\u3164\u115f\u2800\ufe0f"),
        ("\U000e0041\U0001f600", "\\U000e0041\U0001f600"),
        ("\udcff", r"\udcff"),
        ("\u0338a, 1\u0338", r"\u0338a, 1\u0338"),
        ("::error::x", r"\x3a:error::x"),
        ("  ::error::x", r"  \x3a:error::x"),
        (" \n::error::x", r" \n::error::x"),
        (":" * 5_000, r"\x3a" + ":" * 4_999),
        ("a ##[error]x", r"a #\x23[error]x"),
        ("e\u0301, ⟨1⟩ ≤ ε·2, \\n 'a' f.py::g", "e\u0301, ⟨1⟩ ≤ ε·2, \\n 'a' f.py::g"),
        ("", ""),
    ],
)
def test_what_is_shown(text: str, expected: str) -> None:
    assert shown(text) == expected
    assert is_plain(text) == (text == expected)


ANY = st.characters(codec=None) | st.sampled_from(":# \n\r\x1b\x85\u2028\u0301a")


@given(st.text(ANY, max_size=40))
def test_one_line_of_visible_letters(text: str) -> None:
    found = shown(text)
    assert found.isprintable() and not found.lstrip().startswith("::") and "##" not in found
    assert shown(found) == found


def test_a_long_text_is_cut() -> None:
    found = shown("x" * 5_000, MAX_LETTERS)
    assert len(found) < MAX_LETTERS + 20 and found.endswith("… (5,000 letters)")
    assert shown("x" * 5_000) == "x" * 5_000


def test_json_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    content = {"\x9b2K\u202e": ["a\u2028b\x7f", "\U000e0101", "\udc80", "⟨1⟩", "::error::"]}
    for encoding in ("utf-8", "ascii"):
        monkeypatch.setattr(type(sys.stdout), "encoding", encoding, raising=False)
        text = json_text(content)
        assert json.loads(text) == content and is_plain(text.replace("\n", " "))
