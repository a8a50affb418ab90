"""What stubs import, for those who write one.  A stub is read and never run: the reader looks at the names.

Docs: ``docs/language.md``, "Samplers of libraries".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

source = object
"""The type of a parameter that is a source of draws, or None."""


def floating(function: F) -> F:
    """Mark a function whose real one computes in floating point, other than its model."""
    return function


def draws(function: F) -> F:
    """Mark a sampler of one number whose real one has ``size``, and takes arrays."""
    return function


def entrywise(function: F) -> F:
    """Mark a function of numbers whose real one takes arrays, too, entry by entry."""
    return function


def leaving(function: F) -> F:
    """Mark a decorator that leaves a function what it is; its keywords are flags."""
    return function


def in_place(function: F) -> F:
    """Mark a function that puts what its model gives into its only argument, and gives nothing."""
    return function


def legacy(function: F) -> F:
    """Mark a function that the module and a ``RandomState`` have, and a ``Generator`` lacks."""
    return function


def modern(function: F) -> F:
    """Mark a function that only a ``Generator`` has."""
    return function


def method(function: F) -> F:
    """Mark a function that arrays have as a method, and the module lacks."""
    return function


def shown(condition: bool) -> None:
    """State what a call must fulfil; it is shown where the function is used."""
    raise _not_run("shown")


def sought(value: float) -> None:
    """State that a list is searched for a value, so that it must ascend: it has sums of weights.

    The value is a uniform draw, or made of one.
    """
    raise _not_run("sought")


def untried() -> None:
    """State that a call may raise for more reasons than its model says, so that it stands in no ``try``."""
    raise _not_run("untried")


def generator(kind: str = "", *takes: str) -> type:
    """Make a type of sources of draws, whose methods are the functions of the stub.

    Its ``kind`` is its name, or "bits" for one without methods that draw.  It ``takes`` kinds of sources,
    "None", its argument by a name that ends with "=", and "function" says that it is no type itself.
    """
    raise _not_run("generator")


def cosine(x: float) -> float:
    """Compute a cosine, of pi times a uniform draw."""
    raise _not_run("cosine")


def uniform() -> float:
    """Draw uniformly from 0 to 1."""
    raise _not_run("uniform")


def sign(x: float) -> float:
    """Return the sign of a uniform draw around 0."""
    raise _not_run("sign")


def __getattr__(name: str) -> Any:
    """What makes arrays is known to the reader only."""
    if name.startswith("_"):
        raise AttributeError(name)
    raise _not_run(name)


def _not_run(name: str) -> NotImplementedError:
    return NotImplementedError(f"'{name}' is for stubs, which are read and not run")
