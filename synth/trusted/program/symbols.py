"""What proofs speak of and programs have no name for: upcoming outputs, costs, and what was read of inputs.

Certificates write each as a text in the form that ``str`` gives; nothing else takes these texts apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

_EVENT = re.compile(r"next#(branch|append|return)\.(.*)\.(0|[1-9][0-9]{0,8})", re.DOTALL)
_COST = re.compile("cost#(0|[1-9][0-9]{0,8}|nats)")


class Kind(Enum):
    """How something is published: by the way that a branch goes, an appended entry, the returned value."""

    BRANCH = "branch"
    APPEND = "append"
    RETURN = "return"


@dataclass(frozen=True)
class Event:
    """What run 1 will publish next at a branch, of a list's entries, or on return; its ghost is a prophecy.

    ``source`` is the number of the branch or the name of the list; ``component`` counts the flat components
    of an entry, or of the returned value.
    """

    kind: Kind
    source: str
    component: int = 0

    def __str__(self) -> str:
        return f"next#{self.kind.value}.{self.source}.{self.component}"


@dataclass(frozen=True)
class Upward:
    """Whether the monotone sequence is the larger one in run 2; known from the start."""

    sequence: str

    def __str__(self) -> str:
        return f"{self.sequence}#upward"


@dataclass(frozen=True)
class Cost:
    """A counter of payments; without a number it counts nats of Gaussian noise in one sum."""

    number: int | None

    def __str__(self) -> str:
        return f"cost#{'nats' if self.number is None else self.number}"


@dataclass(frozen=True)
class Spent:
    """By how much the entries of a sequence, read so far, differ in sum."""

    sequence: str

    def __str__(self) -> str:
        return f"{self.sequence}#spent"


@dataclass(frozen=True)
class Latest:
    """The last index at which a sequence was read."""

    sequence: str

    def __str__(self) -> str:
        return f"{self.sequence}#latest"


@dataclass(frozen=True)
class Version:
    """Tells the entries of a list from those that it had before it was emptied, or grew."""

    list: str

    def __str__(self) -> str:
        return f"{self.list}#version"


Ghost = Event | Cost | Spent | Latest | Version
"""A name of the proof, with one value for both runs."""

Name = str | Ghost
"""A variable of the program (or the length of a local list), or a ghost."""


def read_event(text: str) -> Event | None:
    """The event that is written so; None if it is none."""
    found = _EVENT.fullmatch(text)
    return Event(Kind(found[1]), found[2], int(found[3])) if found else None


def read_cost(text: str) -> Cost | None:
    """The cost that is written so; None if it is none."""
    found = _COST.fullmatch(text)
    return Cost(None if found[1] == "nats" else int(found[1])) if found else None


def named_cost(text: str) -> Cost:
    """The cost that is written so.  Raises KeyError if it is none."""
    found = read_cost(text)
    if found is None:
        raise KeyError(text)
    return found


def is_return(ghost: Ghost) -> bool:
    """Whether it is what will be returned: once, at the end, so that its value never changes before."""
    return isinstance(ghost, Event) and ghost.kind is Kind.RETURN
