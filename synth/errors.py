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
    """A program file that can't be read; says where and which construct (exit status 4)."""

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place}: {self.message}"


@dataclass
class TemplateError(SynthError):
    """A template file that can't be read, or whose coupling is unsound (exit status 4)."""


@dataclass
class CertificateError(SynthError):
    """A certificate file that can't be read or written (exit status 4)."""


@dataclass
class UsageError(SynthError):
    """A wrong use of the command line (exit status 2)."""
