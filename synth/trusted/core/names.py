"""Names of core programs: Python's identifiers, with marks for what no name of a user's program has."""

from __future__ import annotations

import re

_WRITTEN = str.maketrans({".": "·", "%": "‿", "[": "⁔", "]": "⁀"})
_READ = str.maketrans({"·": ".", "‿": "%", "⁔": "[", "⁀": "]"})
_NAME = re.compile(r"[^.%\[\]]([^\[\]]*)(\[[0-9]+\])?")


def written(name: str) -> str:
    """Return the identifier that stands for a name, such as ``best·0`` for ``best.0``."""
    return name.translate(_WRITTEN)


def read(identifier: str) -> str | None:
    """Return the name that an identifier stands for; None if it stands for none.

    Brackets end a name, and hold digits: ``out[0]`` is a column of a list.
    """
    name = identifier.translate(_READ)
    return name if _NAME.fullmatch(name) else None
