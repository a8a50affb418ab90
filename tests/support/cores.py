"""Core programs, and steps from them, for certificates that are made by hand."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from synth.prover.certificate.writing import rewritten_fields
from synth.prover.rewritings import Told, recorded, recorded_of_every_record
from synth.trusted.errors import SynthError
from synth.trusted.normal_form.sampling import NotSampled
from synth.trusted.program.line_numbers import numbers_of


def fields_of(program: Any, sampled: bool = False) -> dict[str, Any]:
    """The fields that go with the part of a certificate that holds the program: its core program, and steps.

    The core program is empty if the text can't be read.  Where a sample is taken the steps are those of the
    program that takes every record; where that is refused, those of the program itself.
    """
    try:
        text = program["text"]
        lines = numbers_of(program["lines"], text) if "lines" in program else ()
        told = Told(text, program["mechanism"], lines)
        if sampled:
            with suppress(NotSampled):
                return rewritten_fields(recorded_of_every_record(told).rewriting, lines)
        return rewritten_fields(recorded(told), lines)
    except (SynthError, KeyError, TypeError, ValueError, AttributeError):
        return {"core": ""}


def with_core(data: dict[str, Any]) -> dict[str, Any]:
    """The certificate with the core program of its text, if it has none of its own."""
    if "core" in data or "program" not in data:
        return data
    return {**data, **fields_of(data["program"], "sampled" in data)}


def with_program(data: dict[str, Any], program: Any) -> dict[str, Any]:
    """The certificate about another program."""
    rest = {name: item for name, item in data.items() if name not in ("core", "steps")}
    return with_core({**rest, "program": program})
