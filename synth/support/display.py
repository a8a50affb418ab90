"""Texts that others wrote, as they may be shown: on a terminal, in a log, in a message."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any
from unicodedata import category

MAX_LETTERS = 1_000
"""Letters of a message; more would push out of sight what stands before it."""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""What Unicode calls letters, signs or marks, and nobody sees."""

_COMMANDS = "::", "##"
"""How commands to a CI begin: at the start of a line, or anywhere."""


def shown(text: str, longest: int | None = None) -> str:
    """The text in one line of visible letters; all others are escaped as Python escapes them.

    So no line end, escape sequence, change of direction or mark without a letter gets out, and no command to
    a CI (``::error::``, ``##[error]``).  Beyond ``longest`` letters the text is cut.
    """
    if longest is not None and len(text) > longest:
        text = f"{text[:longest]}… ({len(text):,} letters)"
    start, everywhere = _COMMANDS
    rest = text.lstrip(" ")
    if rest.startswith(start):
        return text[: -len(rest)] + r"\x3a" + _with_escapes(rest[1:], _escaped).replace(everywhere, r"#\x23")
    return visible(text).replace(everywhere, r"#\x23")


def visible(text: str) -> str:
    """The text in one line of visible letters, where no CI reads it."""
    return _with_escapes(text, _escaped)


def is_plain(text: str) -> bool:
    """Whether the text is shown as it is."""
    return shown(text) == text


def json_text(content: Any) -> str:
    """JSON for standard output, with visible letters only."""
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    written = json.dumps(content, indent=2, ensure_ascii=not is_unicode)
    return "\n".join(_with_escapes(line, _escaped_in_json) for line in written.split("\n"))


def _with_escapes(text: str, escaped: Callable[[str], str]) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        letter if _is_visible(letter, text[max(0, place - 2) : place]) else escaped(letter)
        for place, letter in enumerate(text)
    )


def _is_visible(letter: str, before: str) -> bool:
    """Whether a letter has a place and a look of its own; a mark has, behind a letter."""
    if not letter.isprintable() or letter in _BLANK:
        return False
    if letter.isascii() or not category(letter).startswith("M"):
        return True
    kinds = [category(item)[0] for item in before]
    return "L" in kinds and kinds[-1] in "LM"


def _escaped(letter: str) -> str:
    return letter.encode("ascii", "backslashreplace").decode() if ord(letter) > 0x7F else repr(letter)[1:-1]


def _escaped_in_json(letter: str) -> str:
    return json.dumps(letter)[1:-1]
