"""One JSON object (docs/json.md; ``schema.json`` beside this file)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from synth.support.display import json_text
from synth.trusted.errors import ProgramError
from synth.views.formats.run import AtTheEnd, Run

SCHEMA_VERSION = 1
"""Raised when a field changes its meaning or goes; new fields may come at any time."""


class Shown(AtTheEnd):
    """The object."""

    def end(self, run: Run) -> None:
        """Print it."""
        print(json_text(document(run)), flush=True)


def document(run: Run) -> dict[str, Any]:
    """Return the object of a run."""
    return head(run.status) | {
        "results": [item.json() for item in run.results],
        "errors": [refusal(item) for item in run.refused],
        "not_looked_at": [
            {"function": item.function, "file": item.path, "line": item.line} for item in run.plain
        ],
        "without_mechanism": list(run.empty),
    }


def print_results(results: Sequence[Mapping[str, Any]], status: int) -> None:
    """Print the object of a command that has nothing but results."""
    print(json_text(head(status) | {"results": results}), flush=True)


def head(status: int) -> dict[str, Any]:
    """What every object of synth begins with."""
    return {"schema_version": SCHEMA_VERSION, "exit_status": status}


def refusal(error: ProgramError) -> Mapping[str, Any]:
    """Why a program can't be read, and where that is."""
    return {
        "code": error.code.id,
        "message": error.message,
        "file": error.path,
        "line": error.line,
        "column": error.column,
        "mechanism": error.function,
    }
