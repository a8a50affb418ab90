"""Options that several commands have."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click


class Seconds(click.ParamType[float]):
    """A positive number of seconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number.  Raises BadParameter."""
        try:
            seconds = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        if math.isnan(seconds) or math.isinf(seconds) or seconds <= 0:
            self.fail(f"{value} is not a positive number of seconds", param, ctx)
        return seconds


AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, and nothing else.")
FILE = click.Path(path_type=Path)
_Function = TypeVar("_Function", bound=Callable[..., Any])


def beside_options(command: _Function) -> _Function:
    """Options that state of a function what a decorator would state; the command gets them as ``beside``."""

    @wraps(command)
    def run(
        *,
        spec: Path | None,
        types: tuple[str, ...],
        adjacent: tuple[str, ...],
        requires: str | None,
        fixed: tuple[str, ...],
        facts: tuple[str, ...],
        **options: Any,
    ) -> Any:
        from synth.app.specifications import Beside

        return command(beside=Beside(spec, types, adjacent, fixed, requires, facts), **options)

    for option in reversed(_SPECIFICATION):
        run = option(run)
    return cast(_Function, run)


def claim_options(what: str) -> Callable[[_Function], _Function]:
    """Options that claim something, with help that begins with ``what``, as ``stated``."""

    def with_options(command: _Function) -> _Function:
        @wraps(command)
        def run(
            *, epsilon: str | None, delta: str | None, gdp: str | None, zcdp: str | None, **options: Any
        ) -> Any:
            from synth.app.stated import Stated

            return command(stated=Stated(epsilon, delta, gdp, zcdp), **options)

        for name, metavar, of in reversed(_BOUNDS):
            run = click.option(name, metavar=metavar, help=f"{what}{of}.")(run)
        return cast(_Function, run)

    return with_options


_BOUNDS = (
    ("--epsilon", "E", " instead of what the program claims"),
    ("--delta", "D", ": this δ"),
    ("--gdp", "MU", ": Gaussian differential privacy with this μ"),
    ("--zcdp", "RHO", ": zero-concentrated differential privacy with this ρ"),
)

_SPECIFICATION = (
    click.option(
        "--spec", type=FILE, metavar="SPEC.toml", help="What is stated of functions beside their code."
    ),
    click.option(
        "--type", "types", multiple=True, metavar="NAME=TYPE", help="The type of a parameter; repeatable."
    ),
    click.option("--adjacent", multiple=True, metavar="NAME=METRIC", help="A private parameter; repeatable."),
    click.option("--requires", metavar="E", help="What holds of the parameters."),
    click.option(
        "--fixed", multiple=True, metavar="NAME=VALUE", help="The claim is for this value; repeatable."
    ),
    click.option(
        "--fact", "facts", multiple=True, metavar="E", help="What is assumed of functions; repeatable."
    ),
)

# Limits of the work on a document.
TIMEOUT_OF_DOCUMENT = click.option(
    "--timeout",
    type=Seconds(),
    metavar="S",
    help="Seconds by the clock; left out, 10 s of processor time, and 1 s per kB past 10 kB.",
)
MEMORY_OF_DOCUMENT = click.option(
    "--memory",
    type=click.IntRange(min=64, max=1 << 20),
    default=1024,
    show_default=True,
    metavar="MIB",
    help="Memory beyond that of the checker itself.",
)
