"""Commands about what programs do: probability, show, lifting."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from synth.app.command_line.group import Command
from synth.app.command_line.options import AS_JSON, FILE, Seconds, beside_options

if TYPE_CHECKING:
    from synth.app.specifications import Beside


@click.command(cls=Command)
@click.argument("target", metavar="FILE[::NAME]", required=False)
@beside_options
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=VALUE", help="The value of a parameter; repeatable."
)
@click.option(
    "--neighbour", multiple=True, metavar="NAME=VALUE", help="What differs in a second input; repeatable."
)
@click.option(
    "--timeout", type=Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds at the most."
)
@click.option("--plot", type=FILE, metavar="OUT.svg", help="Write a plot of the probabilities and losses.")
@AS_JSON
def probability(
    *,
    target: str | None,
    beside: Beside,
    inputs: tuple[str, ...],
    neighbour: tuple[str, ...],
    timeout: float,
    plot: Path | None,
    as_json: bool,
) -> int:
    """The probability of each output on an input, or on two side by side with the loss.

    Exit status: 0 done, 2 wrong usage, 3 a limit was reached, 4 a program that can't be read.
    """
    from synth.app.commands import probability as command
    from synth.app.specifications import aim

    aimed, _ = aim(target, beside)
    return command.run(command.Options(aimed, inputs, neighbour, timeout, as_json, plot))


@click.command(cls=Command)
@click.argument("target", metavar="FILE::NAME", required=False)
@beside_options
@click.option(
    "--timeout", type=Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds at the most."
)
@AS_JSON
def show(*, target: str | None, beside: Beside, timeout: float, as_json: bool) -> int:
    """A mechanism's text, and the core program that the reader makes of it.

    Exit status: 0 done, 4 a program that can't be read, 2 wrong usage.
    """
    from synth.app.commands import show as command
    from synth.app.specifications import aim

    aimed, _ = aim(target, beside)
    return command.run(command.Options(aimed, timeout, as_json))


@click.command(cls=Command)
@click.argument("target", metavar="FILE::NAME|DISTRIBUTIONS.json", required=False)
@beside_options
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=VALUE", help="The value of a parameter; repeatable."
)
@click.option(
    "--neighbour", multiple=True, metavar="NAME=VALUE", help="What differs in the second input; repeatable."
)
@click.option("--epsilon", metavar="E", help="The ε (in nats); left out, what the program claims.")
@click.option("--delta", metavar="D", help="The δ; left out, what the program claims, or 0.")
@click.option(
    "--timeout", type=Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds at the most."
)
@AS_JSON
def lifting(
    *,
    target: str | None,
    beside: Beside,
    inputs: tuple[str, ...],
    neighbour: tuple[str, ...],
    epsilon: str | None,
    delta: str | None,
    timeout: float,
    as_json: bool,
) -> int:
    """Decide if two finite distributions are related by an (ε, δ)-lifting of a relation.

    They are the outputs of a mechanism on two inputs, with equality, or those of a JSON file. Yes
    comes with a coupling, no with a set of values whose probability is too large.

    Exit status: 0 related, 1 not related, 2 wrong usage, 3 undecided, 4 a file that can't be read.
    """
    from synth.app.commands import lifting as command
    from synth.app.specifications import aim
    from synth.app.stated import Stated
    from synth.app.targets import Target

    aimed: str | Target
    stated = Stated(epsilon, delta)
    if target is not None and "::" not in target and Path(target).suffix.lower() == ".json":
        aimed = target
    else:
        aimed, stated = aim(target, beside, stated)
    return command.run(command.Options(aimed, inputs, neighbour, stated, timeout, as_json))
