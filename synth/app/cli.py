"""The command line.  Only what a command needs is imported, and solvers in its workers only."""

from __future__ import annotations

import click

from synth.app.command_line.claims import prove, refute, repair, watch
from synth.app.command_line.documents import check, export, precision
from synth.app.command_line.group import CONTEXT, CommandGroup
from synth.app.command_line.house import bench, explain, templates
from synth.app.command_line.programs import lifting, probability, show


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from synth.app.commands import version

        version.show(ctx.meta.get(_VERBOSE, False))
        ctx.exit()


def _verbose(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    ctx.meta[_VERBOSE] = wanted


_VERBOSE = "synth.verbose"


@click.group(cls=CommandGroup, context_settings=CONTEXT)
@click.option("--version", is_flag=True, expose_value=False, callback=_version, help="Show the version.")
@click.option(
    "--verbose",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_verbose,
    help="With --version: also tools, extras, and what a verdict rests on.",
)
def main() -> None:
    """Finds coupling proofs of differential privacy for randomized programs."""


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print what a shell needs to complete synth's commands and options.

    Into the shell that runs: eval "$(synth completion bash)", or synth completion fish | source.
    """
    from synth.app.commands import completion as command

    return command.run(main, shell)


_CLAIMS = (prove, watch, refute, repair)
_DOCUMENTS = (check, export, precision)
_PROGRAMS = (probability, show, lifting)
_HOUSE = (explain, templates, bench)

for _command in (*_CLAIMS, *_DOCUMENTS, *_PROGRAMS, *_HOUSE):
    main.add_command(_command)
