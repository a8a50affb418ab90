"""``synth.assert_private``: a function is private, or the test that says so fails with the reason."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from synth.app.library import arguments
from synth.app.library.arguments import Expression, Target
from synth.integrations.command import PROVED, REFUTED, UNKNOWN, UNREADABLE, WRONG_USAGE, proved
from synth.trusted.errors import InternalError, UsageError


def assert_private(
    target: Target,
    *,
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    gdp: Expression | None = None,
    zcdp: Expression | None = None,
    adjacent: Mapping[str, str] | None = None,
    types: Mapping[str, str] | None = None,
    requires: str | None = None,
    spec: str | os.PathLike[str] | None = None,
    timeout: float = 60.0,
) -> None:
    """Assert that a mechanism is proved to be (ε, δ)-private; without a claim of its own or here, for some ε.

    Claimed may also be ``gdp``, the μ of Gaussian differential privacy, or ``zcdp``, the ρ of
    zero-concentrated differential privacy.

    Of a function without a decorator, ``adjacent``, ``types`` and ``requires`` state what a decorator would:
    ``{"ages": "change_one_distance()"}``; or ``spec``, a TOML file.  The function's file is read as it is
    now; nothing of it is called.

    Raises AssertionError with what ``synth prove`` prints if it is refuted, unknown or can't be read, and
    UsageError.
    """
    __tracebackhide__ = True
    specified = adjacent is not None or types is not None or requires is not None or spec is not None
    options = [f"--timeout={arguments.seconds(timeout)}"]
    claimed = arguments.stated(epsilon, delta, gdp, zcdp)
    options += [f"--{name}={bound}" for name, bound in claimed.bounds.items()]
    options += [f"--adjacent={text}" for text in _pairs(adjacent, "adjacent")]
    options += [f"--type={text}" for text in _pairs(types, "types")]
    options += [] if requires is None else [f"--requires={arguments.text(requires, 'requires')}"]
    options += [] if spec is None else [f"--spec={arguments.path(spec, 'spec')}"]
    said = proved(arguments.target(target, specified=specified), options)
    if said.status in (REFUTED, UNKNOWN, UNREADABLE):
        raise AssertionError(said.text)
    if said.status == WRONG_USAGE:
        raise UsageError(said.text.removeprefix("synth: error: "))
    if said.status != PROVED:
        raise InternalError(f"internal error: the command ended with status {said.status}\n{said.text}")


def _pairs(given: Mapping[str, str] | None, option: str) -> Iterable[str]:
    """``NAME=TEXT`` for each.  Raises UsageError."""
    if given is not None and not isinstance(given, Mapping):
        raise UsageError(f"{option} is a mapping from names of parameters to texts")
    return [
        f"{arguments.text(name, option)}={arguments.text(text, option)}"
        for name, text in (given or {}).items()
    ]
