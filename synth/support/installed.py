"""Versions of installed packages by the names of their folders: what parses metadata takes long to load."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from functools import cache

_FOLDER = re.compile(r"(?P<name>[\w.]+)-(?P<version>[^-_]+)\.dist-info")


def version(name: str) -> str:
    """Return the version of an installed package, as :func:`importlib.metadata.version` does.

    Raises ModuleNotFoundError, and its PackageNotFoundError.
    """
    found = _listed(tuple(sys.path)).get(_normalized(name))
    if found is not None:
        return found
    from importlib.metadata import version as stated

    return stated(name)


@cache
def _listed(folders: tuple[str, ...]) -> dict[str, str]:
    """The versions by normalized names; the first folder counts.

    Spelling: Python Packaging User Guide, "Recording installed projects".
    """
    found: dict[str, str] = {}
    for folder in folders:
        with suppress(OSError):
            for item in map(_FOLDER.fullmatch, os.listdir(folder or ".")):
                if item is not None:
                    found.setdefault(_normalized(item["name"]), item["version"])
    return found


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()
