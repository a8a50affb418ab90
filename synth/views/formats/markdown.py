"""A table in Markdown, for a comment on a pull request."""

from __future__ import annotations

from html import escape

from synth.support.display import shown
from synth.trusted.errors import ProgramError
from synth.views.console.results import claim_text
from synth.views.formats.concise import assumed, summed_up
from synth.views.formats.run import AtTheEnd, Run
from synth.views.results import PROVED, Result

_SPECIAL = r"\`*_{}[]()#+-.!|~$@"


class Shown(AtTheEnd):
    """The table, those that aren't proved first."""

    def end(self, run: Run) -> None:
        """Print it."""
        print(table(run), flush=True)


def table(run: Run) -> str:
    """Return a row for each mechanism and each refusal, below a summary."""
    ordered = sorted(run.results, key=lambda item: item.verdict == PROVED)
    rows = [*map(_row, ordered), *map(_refusal, run.refused)]
    lines = [f"**synth**: {literal(run.summary())}"]
    if rows:
        lines += ["", "| mechanism | verdict | claim | what is known | place |", "|---|---|---|---|---|"]
        lines += [f"| {' | '.join(map(literal, row))} |" for row in rows]
    return "\n".join(lines)


def _row(item: Result) -> tuple[str, ...]:
    known = "; ".join(filter(None, [summed_up(item).removeprefix(", "), assumed(item)]))
    return item.mechanism, item.verdict, claim_text(item.claim), known, _place(item.file, item.line)


def _refusal(error: ProgramError) -> tuple[str, ...]:
    known = f"{error.message} [{error.code.id}]"
    return error.function or error.path, "can't be read", "", known, _place(error.path, error.line)


def _place(path: str, line: int | None) -> str:
    return path if line is None else f"{path}:{line}"


def literal(text: str) -> str:
    """Return a text that Markdown shows letter by letter."""
    escaped = (f"\\{letter}" if letter in _SPECIAL else letter for letter in shown(text))
    return escape("".join(escaped), quote=False)
