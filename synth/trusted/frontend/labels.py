"""Labels: strings, and members of an Enum.  They are only compared, so each becomes an integer, its code.

Labels of one type are equal just if their codes are.  What is of two types is told apart by the types alone:
no code ever meets a number, a truth value, or the code of another type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

Given = int | float | str | tuple["Given", ...]
"""The value of a member of an Enum, as Python has it."""


@dataclass(frozen=True, eq=False)
class LabelType:
    """A type of labels: an Enum with its members, in order, and their values; or strings.

    The codes of members count them.  A string may be any, so its code is any integer.
    """

    name: str
    members: tuple[str, ...] = ()
    given: tuple[Given, ...] = ()

    @property
    def is_enumeration(self) -> bool:
        """Whether its labels are members of an Enum."""
        return self is not STRINGS


STRINGS = LabelType("str")


@dataclass
class Codes:
    """The codes of the strings that a mechanism mentions, in the order in which the reader comes to them.

    ``shown`` are the classes of which outputs have the names: Enums of keys, and dataclasses.
    """

    texts: list[str] = field(default_factory=list)
    shown: dict[str, object] = field(default_factory=dict)

    def code(self, text: str) -> int:
        """The code of a string."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def text(self, code: int) -> str:
        """The string of a code that :meth:`code` gave."""
        return self.texts[code]

    def texts_of(self, kind: LabelType) -> tuple[str, ...]:
        """How the labels of a type are shown, by their codes; of strings those that are mentioned."""
        if kind is STRINGS:
            return tuple(self.texts)
        return tuple(f"{kind.name}.{member}" for member in kind.members)

    def is_another(self, name: str, kind: object) -> bool:
        """Whether another class that outputs are of has the same name, as those of two files may."""
        return self.shown.setdefault(name, kind) is not kind


def consecutive(codes: Iterable[int]) -> tuple[int, int] | None:
    """The first and last of some codes, if none between them is missing."""
    found = sorted(set(codes))
    if not found or found != list(range(found[0], found[-1] + 1)):
        return None
    return found[0], found[-1]
