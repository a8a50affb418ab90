"""Real Python against what is read of it: the law of the output, over few ways in which draws may fall.

What runs before each verdict (``synth/validation``) may not call a program misread that isn't.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from tests.support.real_programs.whole import program
from tests.support.real_runs import Misread, compare, read

from .hunting import Broken, Try
from .validated import hold_against_text

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
    found = read(text)
    if found is not None:
        hold_against_text(replace(found, source=run or text), text)
    return Try(kind, reached=kind == "same")
