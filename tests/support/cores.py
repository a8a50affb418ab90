"""Core programs for certificates that are made by hand."""

from __future__ import annotations

from typing import Any

from synth.trusted.core.writer import write_core
from synth.trusted.errors import SynthError
from synth.trusted.program.line_numbers import numbers_of
from synth.trusted.reading import program_in


def core_of(program: Any) -> str:
    """The core program of the part of a certificate that holds the program; empty if that can't be read."""
    try:
        text = program["text"]
        lines = numbers_of(program["lines"], text) if "lines" in program else ()
        found = program_in(text, program["mechanism"], lines)
        return "" if found is None else write_core(found)
    except (SynthError, KeyError, TypeError, ValueError, AttributeError):
        return ""


def with_core(data: dict[str, Any]) -> dict[str, Any]:
    """The certificate with the core program of its text, if it has none of its own."""
    return data if "core" in data or "program" not in data else {**data, "core": core_of(data["program"])}
