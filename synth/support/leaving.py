"""The end of a process without taking apart what it has loaded, which takes a fifth of a short run."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable


def run_and_leave(work: Callable[[], object]) -> None:
    """Do work that ends by SystemExit, then all that was to be done at the exit, and end the process.

    Without SystemExit, or with one that holds a message, the process goes on.
    """
    try:
        work()
    except SystemExit as ended:
        if not isinstance(ended.code, int):
            raise
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended.code)
