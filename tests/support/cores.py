"""Core programs, and steps from them, for certificates that are made by hand."""

from __future__ import annotations

from typing import Any

from synth.prover.certificate.writing import rewritten_fields
from synth.trusted.errors import SynthError
from synth.trusted.program.line_numbers import numbers_of


def fields_of(program: Any) -> dict[str, Any]:
    """The fields that go with the part of a certificate that holds the program: its core program, and steps.

    The core program is empty if the text can't be read.
    """
    try:
        text = program["text"]
        lines = numbers_of(program["lines"], text) if "lines" in program else ()
        return {**rewritten_fields(text, program["mechanism"], lines)}
    except (SynthError, KeyError, TypeError, ValueError, AttributeError):
        return {"core": ""}


def with_core(data: dict[str, Any]) -> dict[str, Any]:
    """The certificate with the core program of its text, if it has none of its own."""
    return data if "core" in data or "program" not in data else {**data, **fields_of(data["program"])}


def with_program(data: dict[str, Any], program: Any) -> dict[str, Any]:
    """The certificate about another program."""
    rest = {name: item for name, item in data.items() if name not in ("core", "steps")}
    return with_core({**rest, "program": program})
