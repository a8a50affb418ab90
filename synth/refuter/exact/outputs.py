"""Outputs as a user would write them, from the flat form and the shapes that the reader found."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from synth.refuter.exact.events import Event
from synth.refuter.exact.label_texts import text_of
from synth.trusted.program import syntax as ir


class _Unreadable(Exception):
    """The shape of a part is not known: its tag is a range."""


def readable(mechanism: ir.Mechanism, event: Event) -> Any:
    """The output as JSON: a tuple is a list, a range is ``{"from": …, "to": …}``.

    Where the program returns truth values and numbers in one place, a truth value is 0 or 1.
    """
    flat = event.json()
    if mechanism.output is None:
        return flat
    try:
        return _Decoder(mechanism.output, flat["lists"]).whole(mechanism.output.values, flat["values"])
    except _Unreadable:
        return flat


@dataclass
class _Decoder:
    """Reads flat parts back.  Where several shapes are possible, a tag that counts them comes first."""

    layout: ir.Layout
    lists: list[list[list[Any]]]
    used: int = 0

    def whole(self, alternatives: ir.Alternatives, flat: list[Any]) -> Any:
        """The value of these flat parts.  Raises _Unreadable."""
        if len(alternatives) == 1:
            return self._value(alternatives[0], iter(flat))
        tag, *rest = flat
        if not isinstance(tag, int) or not 0 <= tag < len(alternatives):
            raise _Unreadable
        return self._value(alternatives[tag], iter(rest))

    def _value(self, shape: ir.Shape, parts: Iterator[Any]) -> Any:
        match shape:
            case ir.DictShape(items, keys):
                entries = (self._value(item, parts) for item in items)
                return {_plain(key): entry for key, entry in zip(keys, entries, strict=True)}
            case ir.TupleShape(items):
                return [self._value(item, parts) for item in items]
            case ir.NoneShape():
                return None
            case ir.ListShape():
                place, self.used = self.used, self.used + 1
                return [self.whole(self.layout.lists[place], row) for row in self.lists[place]]
            case ir.LabelShape(texts=texts):
                code = next(parts)
                return text_of(texts, code) if isinstance(code, int) else code
            case _:
                return next(parts)


def _plain(key: str) -> str:
    """A key without its quotes."""
    return str(ast.literal_eval(key)) if key.startswith(("'", '"')) else key
