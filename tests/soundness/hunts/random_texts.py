"""Programs of one of several grammars, as the reader reads them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir


def read_random(
    rng: random.Random, grammars: Sequence[Callable[[random.Random], str]]
) -> tuple[str, ir.Mechanism] | None:
    """Make a text of a grammar, and read it; None if the reader refuses it."""
    text = rng.choice(grammars)(rng)
    if not text.startswith("from"):
        text = f"from synth.lang import *\n\n\n{text}"
    try:
        (of,) = read_source(text, "hunt.py")
    except ProgramError:
        return None
    return text, of
