"""Records of inputs, as the program makes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Record(tuple[Any, ...]):
    """A record, shown as the program makes one: as a tuple, or as a call of its class."""

    def __new__(cls, values: Iterable[Any], fields: tuple[str, ...] = ()) -> Record:
        """``fields`` are the name of the class, and those of its fields; none for a tuple."""
        made = super().__new__(cls, values)
        made.fields = fields
        return made

    fields: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the text of the record in Python."""
        if not self.fields:
            return super().__repr__()
        name, *parts = self.fields
        return f"{name}({', '.join(f'{part}={value!r}' for part, value in zip(parts, self, strict=True))})"
