"""What ``synth prove --explain`` adds to a verdict: the argument of a proof, a witness as calls."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from synth.app.exporting import TEXT, document
from synth.app.limited import Limits
from synth.support.display import shown
from synth.trusted.errors import SynthError
from synth.views.console.calls import call_lines
from synth.views.results import PROVED, REFUTED, Result


def explanation(result: Result) -> str:
    """Return the argument that ``synth export --to text`` writes, or how to see a witness at work."""
    if result.verdict == PROVED and result.proof is not None:
        try:
            return document(Path(result.file), result.proof, TEXT, Limits()).rstrip("\n")
        except SynthError as error:
            return shown(f"no argument is written: {error}")
    if result.verdict == REFUTED and result.witness is not None:
        return "\n".join(map(shown, _calls(result, result.witness)))
    return ""


def _calls(result: Result, witness: Mapping[str, Any]) -> list[str]:
    target = None if result.specification else f"{result.file}::{result.mechanism}"
    return list(call_lines(result.mechanism, witness.get("inputs") or witness, witness["parameters"], target))
