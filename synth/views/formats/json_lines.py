"""A JSON object in each line, as soon as it is known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from synth.trusted.errors import ProgramError, SynthError
from synth.views.formats.json_object import head, refusal
from synth.views.formats.run import Run
from synth.views.results import Result


class Shown:
    """Lines of the types ``result``, ``error`` and, at the end, ``end``."""

    def result(self, item: Result) -> None:
        """Print a result as ``--json`` has it."""
        _print({"type": "result", **item.json()})

    def error(self, error: SynthError) -> None:
        """Print why a program can't be read."""
        if isinstance(error, ProgramError):
            _print({"type": "error", **refusal(error)})

    def end(self, run: Run) -> None:
        """Print the exit status."""
        _print({"type": "end", **head(run.status)})


def _print(line: Mapping[str, Any]) -> None:
    print(json.dumps(line), flush=True)
