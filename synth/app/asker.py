"""Who asks: messages name options as they are given there."""

from __future__ import annotations

from enum import Enum


class Asker(Enum):
    """The command line, or a program that calls the library; the value is what it is called in messages."""

    COMMAND_LINE = "command line"
    CALL = "call"

    def option(self, name: str) -> str:
        """An option as it is written there: ``--epsilon``, or ``epsilon``."""
        return f"--{name}" if self is Asker.COMMAND_LINE else name
