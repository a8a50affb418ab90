"""What the reader of Python makes of a text, and whether that is just a given core program.

That a proof is about the Python text, and not only about the core program, rests on this and on the reader.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from synth.trusted.core.comparison import same_program
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification

TEXT = "program"
"""What errors call the text of a document, whose file isn't known."""


def program_in(
    text: str, name: str, lines: tuple[int, ...] = (), specification: Specification | None = None
) -> ir.Mechanism | None:
    """Return the mechanism of that name in a text, whose lines have these numbers; None without one.

    The specification is what is stated of it beside the text.  Raises ProgramError.

    What was read of a text is kept for the next one who asks, as long as few others are read in between.
    """
    found = _read(text, name, lines, specification)
    if found is None:
        return None
    return replace(found, variables={**found.variables}, lists={**found.lists})  # the rest can't be changed


@lru_cache(maxsize=4)
def _read(
    text: str, name: str, lines: tuple[int, ...], specification: Specification | None
) -> ir.Mechanism | None:
    specified = {} if specification is None else {name: specification}
    found = [item for item in read_source(text, TEXT, lines, specified) if item.name == name]
    return found[0] if len(found) == 1 else None


def is_reading(core: ir.Mechanism, read: ir.Mechanism) -> bool:
    """Return whether what was read of a text is exactly the core program."""
    return same_program(core, read)
