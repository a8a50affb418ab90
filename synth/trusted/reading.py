"""What the reader of Python makes of a text, and whether that is just a given core program.

That a proof is about the Python text, and not only about the core program, rests on this and on the reader.
"""

from __future__ import annotations

from synth.trusted.core.comparison import same_program
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir


def program_in(text: str, name: str, lines: tuple[int, ...] = ()) -> ir.Mechanism | None:
    """Return the mechanism of that name in a text, whose lines have these numbers; None without one.

    Raises ProgramError.
    """
    found = [item for item in read_source(text, "program", lines) if item.name == name]
    return found[0] if len(found) == 1 else None


def is_reading(core: ir.Mechanism, read: ir.Mechanism) -> bool:
    """Return whether what was read of a text is exactly the core program."""
    return same_program(core, read)
