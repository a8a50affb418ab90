"""What comes from a cluster is data: no pickle of it may name anything that could run.

Dask unpickles parts of what it receives, whatever serializers are asked for.  A pickle does something only
by a name that it looks up, and Python reports each look-up to its audit hooks, which may refuse it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

_HARMLESS = frozenset(
    {
        ("builtins", "bytes"),  # the type of an answer
        ("builtins", "int"),
        ("collections", "defaultdict"),
        ("collections", "deque"),
        ("distributed.core", "Status"),
        ("distributed.scheduler", "KilledWorker"),
        ("distributed.scheduler", "WorkerState"),
    }
)
"""What an honest cluster names: types of values, and that a task's workers were lost."""


class Refused(Exception):
    """A pickle named something that may not be loaded."""


@dataclass(eq=False)
class Guard:
    """In force for all threads but ``trusted``, those that ran before; at the end for those ``left`` over.

    ``refused`` is the first name that was.
    """

    trusted: frozenset[threading.Thread]
    left: frozenset[threading.Thread] | None = None
    refused: str | None = None

    def check(self, module: str, name: str) -> None:
        """Raises Refused."""
        thread = threading.current_thread()
        free = thread in self.trusted if self.left is None else thread not in self.left
        if not free and (module, name) not in _HARMLESS:
            self.refused = self.refused or f"{module}.{name}"
            raise Refused(f"a pickle names {module}.{name}")


_guards: list[Guard] = []


@contextmanager
def only_data() -> Iterator[Guard]:
    """Threads that are started until the end unpickle nothing but values, as long as they live."""
    _install()
    guard = Guard(frozenset(threading.enumerate()))
    _guards.append(guard)
    try:
        yield guard
    finally:
        guard.left = frozenset(threading.enumerate()) - guard.trusted


@cache
def _install() -> None:
    """Once, and for good: a hook can't be removed."""
    sys.addaudithook(_audit)


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if event == "pickle.find_class":
        for guard in _guards:
            guard.check(str(arguments[0]), str(arguments[1]))
