"""Real Python against what is read of it: the law of the output, over few ways in which draws may fall.

What runs before each verdict (``synth/validation``) may not call a program misread that isn't.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_what_can_be
from synth.validation import comparison
from synth.validation.comparison import Comparison, Kind
from tests.support.real_programs.whole import program
from tests.support.real_runs import Misread, compare

from .hunting import Broken, Try

BATCH = 3
"""Programs of a case."""

INPUTS = 6


def attempt(case: str) -> Iterator[Try]:
    """Some programs, each on some inputs."""
    rng = random.Random(case)
    for _ in range(BATCH):
        yield compared(program(rng), rng)


def compared(text: str, rng: random.Random, run: str | None = None) -> Try:
    """One program, with another text to ``run`` if there is one.  Raises Broken."""
    try:
        kind = compare(text, rng, INPUTS, run)
    except Misread as error:
        raise Broken(str(error), text) from None
    found = validated(text, run)
    if found is not None and found.kind is Kind.DIFFERENT:
        raise Broken(f"by the naive interpreter: {found.why}", text)
    return Try(kind, reached=kind == "same")


def validated(text: str, run: str | None = None) -> Comparison | None:
    """What is said of a program before a verdict, of ``run`` if there is one; None if it isn't read."""
    try:
        mechanisms, _ = read_what_can_be(text, "hunted.py")
    except ProgramError:
        return None
    found = next((item for item in mechanisms if item.name == "f"), None)
    return None if found is None else comparison.compare(replace(found, source=run or found.source))
