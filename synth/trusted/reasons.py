"""Reasons with stable codes: what is wrong, as a value; its text is made of a template at the end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Coded(Enum):
    """A table of codes: each member's value is the template of its text, with named arguments in braces.

    Called with these arguments, a member gives the reason.
    """

    @property
    def id(self) -> str:
        """The stable name that users see, such as ``tail-not-paid``."""
        return self.name.lower().replace("_", "-")

    def __call__(self, **arguments: str | int) -> Reason:
        return Reason(self, tuple(arguments.items()))


@dataclass(frozen=True)
class Reason:
    """A code with the arguments of its text; ``str`` gives the text."""

    code: Coded
    arguments: tuple[tuple[str, str | int], ...] = ()

    def __str__(self) -> str:
        return str(self.code.value).format(**dict(self.arguments))
