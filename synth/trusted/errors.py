"""Errors that a user sees: one clear message each, never a traceback."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SynthError(Exception):
    """Base of all errors with a message for the user.

    ``message`` is one sentence.  An error of just this class says that something isn't supported.
    """

    message: str

    def __str__(self) -> str:
        return self.message


@dataclass
class ProgramError(SynthError):
    """A program file that can't be read; says where and which construct.

    Mend the program at ``path``, ``line`` and ``column``, or write it as docs/language.md has it.
    """

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place}: {self.message}"


@dataclass
class TemplateError(SynthError):
    """A template file that can't be read, or whose coupling is unsound.

    Mend the file; ``synth templates FILE`` says which condition fails, and for which values.
    """


@dataclass
class CertificateError(SynthError):
    """A certificate file that can't be read.

    Get the document again from who made it; nothing is known of what it says.
    """


@dataclass
class UsageError(SynthError):
    """A wrong use of the command line or of the library.

    Mend the command or the call; the message names the option.
    """


@dataclass
class OutputError(SynthError):
    """Output that can't be written.

    Make room or write elsewhere; verdicts stand, whether they could be written or not.
    """


@dataclass
class UnfinishedError(SynthError):
    """Work that did not come to its end: it took too long, or too much memory.

    Give it more time, or ask for less.
    """


@dataclass
class InternalError(SynthError):
    """A defect of synth itself, with Python's traceback for who mends it.

    Report it, with the command or the call and its files.
    """

    traceback: str = ""
