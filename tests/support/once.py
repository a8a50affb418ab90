"""What is computed once in a run of the tests, by whichever of its processes needs it first."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path

FOLDER = "SYNTH_TESTS_FOLDER"
"""The variable of the environment that has the folder of this run, which ends with it."""


def once_in_a_run(function: Callable[[str], str]) -> Callable[[str], str]:
    """The function of a text, whose values the processes of this run share: nothing outlives it."""

    @cache
    @wraps(function)
    def shared(argument: str) -> str:
        folder = os.environ.get(FOLDER)
        if folder is None:
            return function(argument)
        named = f"{function.__module__}.{function.__qualname__} {argument}"
        value = Path(folder, hashlib.sha256(named.encode()).hexdigest())
        with value.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # let go of by whoever ends, in whatever way
            if not value.exists():
                begun = value.with_suffix(".begun")
                begun.write_text(function(argument), encoding="utf-8")
                begun.replace(value)
        return value.read_text(encoding="utf-8")

    return shared
