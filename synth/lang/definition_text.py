"""The text of the file that a function was defined in, as it was then.

What is run must be what was imported: a file that is edited afterwards is read for its new code only when it
is imported again, like all of Python's.
"""

from __future__ import annotations

import inspect
import linecache
from types import FunctionType

_TEXTS = "synth·texts"
"""What the texts of a module's files are called among its names, by a name that hardly any program has."""


def remember(function: FunctionType) -> None:
    """Keep the text of a function's file as it is now, while the function is being defined."""
    path = function.__code__.co_filename
    linecache.checkcache(path)
    text = "".join(linecache.getlines(path, function.__globals__))
    function.__globals__.setdefault(_TEXTS, {})[path] = text


def text_of(function: FunctionType) -> str:
    """The text of a function's file.  Raises OSError if there is none."""
    known: dict[str, str] = function.__globals__.get(_TEXTS, {})
    text = known.get(function.__code__.co_filename)
    if text is None:  # nothing in that file was remembered: a cell of a notebook, say, with helpers only
        text = "".join(inspect.findsource(function)[0])
    if not text:
        raise OSError("no source")
    return text
