"""A strict JSON reader for untrusted text: objects, arrays, strings, integers, true, false, null.

Refused, with line and column: duplicate keys, floats, NaN, integers that need more than 30 digits, lone
surrogates, control characters in strings, keys that can't be printed, text after the value, too much text or
nesting.  Witnesses may hold decimal numbers, which stay exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Union

MAX_TEXT_BYTES = 8_000_000
MAX_DEPTH = 420

Json = Union[None, bool, int, Decimal, str, "list[Json]", "dict[str, Json]"]

INTEGERS = r"-?(?:0|[1-9][0-9]{0,29})(?![0-9.eE])"
DECIMALS = r"-?(?:0|[1-9][0-9]{0,399})(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?(?![0-9.eE])"
"""Which numbers there may be."""

_TOKENS = {
    numbers: re.compile(
        r"""[ \t\n\r]*(?:(?P<mark>[\[\]{},:])"""
        r"""|(?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")"""
        rf"""|(?P<number>{numbers})|(?P<word>true|false|null)\b)"""
    )
    for numbers in (INTEGERS, DECIMALS)
}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_PLAIN = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None}


@dataclass
class JsonError(Exception):
    """Text that is no strict JSON; line and column count from 1."""

    message: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


def read_json(text: str, numbers: str = INTEGERS) -> Json:
    """The value that the text stands for.  Raises JsonError."""
    reader = _Reader(text, numbers)
    if len(text) > MAX_TEXT_BYTES:
        raise reader.error(f"more than {MAX_TEXT_BYTES:,} characters", 0)
    value = reader.value(0)
    rest = text[reader.place :].lstrip(" \t\n\r")
    if rest:
        raise reader.error("text after the value", len(text) - len(rest))
    return value


def unprintable(value: Json, place: str) -> Iterator[str]:
    """The places of strings that hold what can't be printed."""
    match value:
        case str() if not value.isprintable():
            yield place
        case list():
            for number, item in enumerate(value):
                yield from unprintable(item, f"{place}.{number}")
        case dict():
            for key, item in value.items():
                yield from unprintable(item, f"{place}.{key}" if place else key)


@dataclass
class _Reader:
    text: str
    numbers: str
    place: int = 0

    def error(self, message: str, place: int) -> JsonError:
        before = self.text[:place]
        return JsonError(message, before.count("\n") + 1, place - before.rfind("\n"))

    def token(self) -> tuple[str, str]:
        """Kind and text of the next token.  Raises JsonError."""
        found = _TOKENS[self.numbers].match(self.text, self.place)
        if found is None or found.lastgroup is None:
            start = len(self.text) - len(self.text[self.place :].lstrip(" \t\n\r"))
            what = "the text ends too early" if start == len(self.text) else "no token of strict JSON"
            raise self.error(what, start)
        self.place = found.end()
        return found.lastgroup, found[found.lastgroup]

    def peek(self) -> str:
        """The next token's text, not taken."""
        start = self.place
        _, text = self.token()
        self.place = start
        return text

    def value(self, depth: int) -> Json:
        if depth >= MAX_DEPTH:
            raise self.error(f"nested more than {MAX_DEPTH} deep", self.place)
        kind, text = self.token()
        match kind, text:
            case "string", _:
                return self.string(text)
            case "number", _:
                return int(text) if text.lstrip("-").isdigit() else Decimal(text)
            case "word", _:
                return _WORDS[text]
            case _, "[":
                return self.array(depth)
            case _, "{":
                return self.object(depth)
            case _:
                raise self.error(f"'{text}' where a value is expected", self.place - 1)

    def string(self, quoted: str) -> str:
        result = _ESCAPE.sub(
            lambda found: chr(int(found[1], 16)) if found[1] else _PLAIN.get(found[2], found[2]), quoted[1:-1]
        )
        try:
            return result.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise self.error("a lone surrogate in a string", self.place - len(quoted)) from None

    def array(self, depth: int) -> Json:
        items: list[Json] = []
        if self.peek() == "]":
            self.token()
            return items
        while True:
            items.append(self.value(depth + 1))
            if self.mark(",]") == "]":
                return items

    def object(self, depth: int) -> Json:
        members: dict[str, Json] = {}
        if self.peek() == "}":
            self.token()
            return members
        while True:
            kind, text = self.token()
            if kind != "string":
                raise self.error("a key must be a string", self.place - len(text))
            key = self.string(text)
            if not key.isprintable():
                raise self.error("a key with what can't be printed", self.place - len(text))
            if key in members:
                raise self.error(f"the key '{key}' occurs twice", self.place - len(text))
            self.mark(":")
            members[key] = self.value(depth + 1)
            if self.mark(",}") == "}":
                return members

    def mark(self, allowed: str) -> str:
        _, text = self.token()
        if text not in allowed:
            raise self.error(f"'{text}' where one of '{allowed}' is expected", self.place - len(text))
        return text
