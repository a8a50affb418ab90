"""What stubs import: how a model of a library function is marked.  Readers of a stub only look at the names.

A stub is run in tests only, with the samplers of :mod:`synth.lang` as its noise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def floating(function: F) -> F:
    """Mark a function whose real one computes in floating point, other than its model."""
    return function


def draws(function: F) -> F:
    """Mark a sampler of one number whose real one has ``size``, and takes lists."""
    return function


def shown(condition: bool) -> None:
    """State what a call must fulfil; it is shown where the function is used."""
    if not condition:
        raise ValueError("the arguments are outside of what the stub is a model for")
