"""Errors that a user sees: one clear message each, never a traceback."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SynthError(Exception):
    """Base of all errors with a message for the user.  ``message`` is one sentence."""

    message: str

    def __str__(self) -> str:
        return self.message


@dataclass
class ProgramError(SynthError):
    """A program file that can't be read; says where and which construct."""

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place}: {self.message}"


@dataclass
class TemplateError(SynthError):
    """A template file that can't be read, or whose coupling is unsound."""


@dataclass
class CertificateError(SynthError):
    """A certificate file that can't be read."""


@dataclass
class UsageError(SynthError):
    """A wrong use of the command line."""


@dataclass
class OutputError(SynthError):
    """Output that can't be written."""


@dataclass
class UnfinishedError(SynthError):
    """Work that did not come to its end: it took too long, or too much memory."""


@dataclass
class InternalError(SynthError):
    """A defect of synth itself, with Python's traceback for who mends it."""

    traceback: str = ""
