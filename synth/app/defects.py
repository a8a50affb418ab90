"""Exceptions that nobody expected, as errors with something to report."""

from __future__ import annotations

from pathlib import Path
from traceback import extract_tb, format_exception

from synth.trusted.errors import InternalError

_MAX_LETTERS = 200


def defect(error: BaseException) -> InternalError:
    """An exception in one line, with the place in synth's own code, and its traceback."""
    here = Path(__file__).parents[1]
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(here)]
    place = f" at {Path(frames[-1].filename).relative_to(here.parent)}:{frames[-1].lineno}" if frames else ""
    text = str(error)[:_MAX_LETTERS]
    text = text if text.isprintable() else repr(text)
    message = f"internal error{place} ({type(error).__name__}{': ' + text if text else ''})"
    return InternalError(message, "".join(format_exception(error)))
