"""``synth --version``: the version, and on demand the tools, the extras and what a verdict rests on."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires, version

_FOR_DEVELOPERS = {"dev", "docs"}
_TRUST = """\
What "valid" rests on:
  the reader of Python with its stubs, the kernel, the checkers of steps (synth/trusted)
  z3 or cvc5: either one's "unsat" is taken; synth check --solver both asks both
  FLINT, for Gaussian noise with numbers for parameters
  this Python, whose parser reads programs
  exact arithmetic and exact sampling: ideal reals, unbounded integers
It rests on no search, no cache and none of the extras."""


def show(verbose: bool) -> None:
    """Print it.  Raises PackageNotFoundError where synth isn't installed."""
    print(f"synth {version('synth')}")
    if verbose:
        print(f"  Python        {platform.python_version()} ({platform.python_implementation()})")
        print(f"  system        {platform.system()} {platform.machine()}")
        print("\n".join(_lines()))
        print(_TRUST, flush=True)


def _lines() -> Iterator[str]:
    required, extras = _requirements(requires("synth") or ())
    for name in required:
        yield f"  {name:<13} {_version(name)}"
    yield "Extras:"
    for extra, names in extras.items():
        complete = all(map(_version, names))
        found = ", ".join(f"{name} {_version(name)}" for name in names)
        yield f"  {extra:<13} " + (found if complete else f"not installed: pip install {' '.join(names)}")


def _requirements(stated: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """The names of what is always needed, and of what each extra for users needs."""
    required = list[str]()
    extras = dict[str, list[str]]()
    for item in stated:
        name = re.split(r"[^\w.-]", item, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", item)
        if extra is None:
            required.append(name)
        elif extra[1] not in _FOR_DEVELOPERS:
            extras.setdefault(extra[1], []).append(name)
    return required, extras


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
