"""Standard output and standard error as no letter, no full disk and no closed pipe can break them.

A letter that the encoding of a stream doesn't have is written in ASCII.  What standard output doesn't take is
an OutputError: a verdict that nobody can read is none.  Standard error may be lost.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from contextlib import suppress
from select import select
from typing import TYPE_CHECKING, TextIO

from synth.trusted.errors import OutputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

NOTATION = "synth.notation"
"""The name of the error handler that writes letters in ASCII."""

_IN_ASCII = {
    "⟨": "<", "⟩": ">", "′": "'", "²": "^2", "√": "sqrt", "≤": "<=", "≥": ">=", "≠": "!=", "−": "-", "–": "-",
    "·": "*", "…": "...", "∞": "inf", "∈": "in", "⊆": "<=", "∧": "and", "∨": "or", "¬": "not ", "⊤": "true",
    "⊥": "false", "⊢": "|-", "→": "->", "⇒": "=>", "⟹": "=>", "←": "<-",
    "ε": "epsilon", "δ": "delta", "Δ": "Delta", "μ": "mu", "π": "pi", "σ": "sigma", "Σ": "Sum", "τ": "tau",
    **{digit: f"_{number}" for number, digit in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}  # fmt: skip


class ReaderGone(OutputError):
    """Nobody reads standard output any more, as after ``head``; there is nothing to say about that."""


def notation(error: UnicodeError) -> tuple[str, int]:
    """Letters that can't be encoded: a common symbol by its name, others as Python escapes them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(_IN_ASCII.get(letter) or ascii(letter)[1:-1] for letter in letters), error.end


codecs.register_error(NOTATION, notation)


def encodable(text: str) -> str:
    """The text as standard output can show it."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, NOTATION).decode(encoding)


class OutputStream(io.FileIO):
    """Where bytes go; says once that they can't, and then drops them, so that the process can end."""

    lost = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write; wait if there is no room yet.  Raises OutputError."""
        while not self.lost:
            try:
                written = super().write(data)
            except OSError as error:
                self.lost = True
                raise _lost(error) from None
            if written is not None:
                return written
            select([], [self], [])
        return len(memoryview(data).cast("B"))


class ErrorStream(OutputStream):
    """Where messages go, if anywhere: what is wrong also shows in the exit status."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, or not."""
        with suppress(OutputError):
            return super().write(data)
        return len(memoryview(data).cast("B"))


def _lost(error: OSError) -> OutputError:
    if error.errno == errno.EPIPE:
        return ReaderGone("nobody reads the output")
    reason = "standard output is closed" if error.errno == errno.EBADF else error.strerror
    return OutputError(f"the output can't be written: {reason}")


def secure() -> None:
    """Put safe streams in the place of those that Python started with; others stay."""
    for descriptor, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        _occupy(descriptor, mode)
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text(OutputStream(1, "w", closefd=False), sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text(ErrorStream(2, "w", closefd=False), sys.stderr)


def _occupy(descriptor: int, mode: int) -> None:
    """Keep a file from getting the number of a closed stream.  Nothing can be written to such an output."""
    try:
        os.fstat(descriptor)
    except OSError:
        os.open(os.devnull, mode)  # gets the lowest number that is free


def _text(raw: io.FileIO, before: TextIO | None) -> TextIO:
    encoding = "utf-8" if before is None else before.encoding
    by_line = raw.fileno() == 2 or raw.isatty()
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, NOTATION, line_buffering=by_line)
