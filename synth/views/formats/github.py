"""Workflow commands of GitHub's actions: each is shown beside its line of a pull request.

The escapes are those of `the toolkit <https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts>`_.
"""

from __future__ import annotations

from synth.support.display import MAX_LETTERS, shown
from synth.trusted.errors import ProgramError, SynthError
from synth.views.formats.concise import summed_up
from synth.views.formats.run import Run
from synth.views.results import PROVED, REFUTED, Result


class Shown:
    """``::error`` for what is refuted or can't be read, ``::warning`` for what is unknown."""

    def result(self, item: Result) -> None:
        """Print a command, unless the mechanism is proved."""
        if item.verdict == PROVED:
            return
        kind = "error" if item.verdict == REFUTED else "warning"
        text = f"{item.mechanism}: {item.verdict}{summed_up(item)}"
        _print(kind, {"file": item.file, "line": item.reason_line or item.line, "title": "synth"}, text)

    def error(self, error: SynthError) -> None:
        """Print a command."""
        if not isinstance(error, ProgramError):
            return _print("error", {"title": "synth"}, error.message)
        place = {
            "file": error.path,
            "line": error.line,
            "col": error.column,
            "title": f"synth {error.code.id}",
        }
        return _print("error", place, error.message)

    def end(self, run: Run) -> None:
        """Print how many there were."""
        print(run.summary())


def _print(kind: str, properties: dict[str, str | int | None], text: str) -> None:
    listed = ",".join(
        f"{name}={_property(shown(str(it)))}" for name, it in properties.items() if it is not None
    )
    print(f"::{kind} {listed}::{_data(shown(text, MAX_LETTERS))}", flush=True)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
