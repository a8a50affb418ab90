"""What a run over mechanisms has to say, and how a format hears of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from synth.trusted.errors import ProgramError, SynthError
from synth.views.results import PROVED, REFUTED, UNKNOWN, Result

_MODULES = {
    "full": "full",
    "concise": "concise",
    "json": "json_object",
    "jsonl": "json_lines",
    "sarif": "sarif",
    "github": "github",
    "junit": "junit",
    "markdown": "markdown",
}

NAMES = tuple(_MODULES)
FOR_PEOPLE = ("full", "concise")


@dataclass(frozen=True)
class Run:
    """All that a run found out.

    ``errors`` say what can't be read or written, ``plain`` has one for each function of which nothing is
    stated, ``empty`` names the files without a mechanism, and ``status`` is the exit status.
    """

    results: Sequence[Result]
    errors: Sequence[SynthError] = ()
    plain: Sequence[ProgramError] = ()
    empty: Sequence[str] = ()
    status: int = 0

    @property
    def refused(self) -> tuple[ProgramError, ...]:
        """The errors about programs."""
        return tuple(item for item in self.errors if isinstance(item, ProgramError))

    def summary(self) -> str:
        """How many mechanisms there were, with which verdicts, and what was left out."""
        counts = Counter(item.verdict for item in self.results)
        parts = [f"{counts[name]} {name}" for name in (PROVED, REFUTED, UNKNOWN) if counts[name]]
        unread = {(item.path, item.function) for item in self.refused}
        said = [": ".join([_counted(len(self.results), "mechanism"), *([", ".join(parts)] if parts else [])])]
        said += [f"{len(unread)} can't be read"] if unread else []
        said += [f"{_counted(len(self.empty), 'file')} without a mechanism"] if self.empty else []
        return "; ".join(said)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Format(Protocol):
    """Prints on standard output; errors stand on standard error besides, in every format."""

    def result(self, item: Result) -> None:
        """A mechanism is done."""

    def error(self, error: SynthError) -> None:
        """Something can't be read or written."""

    def end(self, run: Run) -> None:
        """All is done."""


class AtTheEnd:
    """A format that is one document: it waits until all is done."""

    def result(self, item: Result) -> None:
        """Wait."""

    def error(self, error: SynthError) -> None:
        """Wait."""


def format_named(name: str, with_files: bool) -> Format:
    """Return the format of that name; ``with_files`` says that the mechanisms are of several files."""
    made = import_module(f"synth.views.formats.{_MODULES[name]}").Shown
    return cast(Format, made(with_files) if name in FOR_PEOPLE else made())
