"""How much a search may do: steps, which are the same on each machine, and time as the last resort."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_STEPS_PER_LOOK = 256
"""Steps between two looks at the clock."""


class OutOfTimeError(Exception):
    """The deadline is past, all steps are spent, or there are too many states."""


@dataclass
class Work:
    """The steps that were spent, at the most ``most``, until a time of ``time.monotonic``."""

    deadline: float = math.inf
    steps: int = 0
    most: float = math.inf
    looked: int = 0

    def spend(self, steps: int = 1) -> None:
        """Count steps.  Raises OutOfTimeError."""
        self.steps += steps
        if self.steps > self.most:
            raise OutOfTimeError
        if self.steps - self.looked >= _STEPS_PER_LOOK:
            self.looked = self.steps
            if self.is_over():
                raise OutOfTimeError

    def is_over(self) -> bool:
        """Whether the time is up, or all steps are spent."""
        return self.steps >= self.most or time.monotonic() >= self.deadline

    @contextmanager
    def within(self, steps: float) -> Iterator[None]:
        """Allow at most so many steps inside."""
        before, self.most = self.most, min(self.most, self.steps + steps)
        try:
            yield
        finally:
            self.most = before
