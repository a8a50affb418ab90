"""Commands about claims: prove, watch, refute, repair."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from synth.app.command_line.group import Command, ConfiguredCommand
from synth.app.command_line.options import (
    AS_JSON,
    FILE,
    Seconds,
    beside_options,
    claim_options,
)
from synth.support.imports import quickly
from synth.trusted.errors import UsageError
from synth.views.formats.run import NAMES

if TYPE_CHECKING:
    from synth.app.specifications import Beside
    from synth.app.stated import Stated


@click.command(cls=ConfiguredCommand)
@click.argument("targets", metavar="FILE|DIR[::NAME]|-", nargs=-1)
@beside_options
@claim_options("Claim this")
@click.option(
    "--timeout", type=Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds per mechanism."
)
@click.option(
    "--template",
    "templates",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Couplings of your own; repeatable.",
)
@click.option(
    "--certificate",
    type=FILE,
    metavar="OUT.json",
    help="Write the proof (or witness) here; several go into a folder.",
)
@click.option(
    "--report", type=FILE, metavar="DIR", help="Write a page for each mechanism here, and index.html."
)
@click.option("--bracket", is_flag=True, help="Look for the largest epsilon that is necessary, too.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Mechanisms proved at a time.")
@click.option(
    "--cluster", metavar="ADDRESS", help="Prove on the workers of this Dask scheduler (extra: cluster)."
)
@click.option("--no-cache", is_flag=True, help="Use no verdict of an earlier run, and keep none.")
@click.option("--explain", is_flag=True, help="Print the argument of a proof; of a witness, calls to run.")
@click.option("--if-any", is_flag=True, help="It is no error that no file has a mechanism.")
@click.option("--isolated", is_flag=True, expose_value=False, help="Read no pyproject.toml.")
@click.option(
    "--output-format",
    "form",
    type=click.Choice(NAMES),
    help="How to print it; left out, full for one file, concise for several and for folders.",
)
@AS_JSON
def prove(
    *,
    targets: tuple[str, ...],
    beside: Beside,
    stated: Stated,
    timeout: float,
    templates: tuple[Path, ...],
    certificate: Path | None,
    report: Path | None,
    bracket: bool,
    workers: int | None,
    cluster: str | None,
    no_cache: bool,
    explain: bool,
    if_any: bool,
    form: str | None,
    as_json: bool,
) -> int:
    """Find a proof of each mechanism, and the least ε that it gives.

    A folder stands for all program files in it, - for standard input. A function without a
    decorator is a mechanism if --spec, or --adjacent and the like, state what is private in it; with
    --spec alone all functions are meant of which it states something. What is left out stands in
    [tool.synth] of the nearest pyproject.toml.

    Exit status: 0 proved, 1 refuted, 2 wrong usage, 3 unknown, 4 a program that can't be read.
    """
    with quickly():
        from synth.app.commands import prove as command
        from synth.app.jobs import Options
        from synth.app.session import Session
        from synth.app.specifications import aim_at_all

    if as_json and form not in (None, "json"):
        raise UsageError(f"--json is short for --output-format json, and doesn't go with {form}")
    aimed, stated = aim_at_all(targets, beside, stated)
    session = click.get_current_context().find_object(Session) or Session()
    proof = Options(
        stated, timeout, templates, bracket, workers, not no_cache, cluster, accepted=session.accepted
    )
    form = "json" if as_json else form
    options = command.Options(aimed, proof, certificate, report, form, if_any, explain, session.end)
    return command.run(options)


@click.command(cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", metavar="[FILE|DIR[::NAME]]... [OPTION]...", nargs=-1, type=click.UNPROCESSED)
def watch(arguments: tuple[str, ...]) -> int:
    """Prove now, and each time that a file is saved, until Ctrl-C.

    Targets and options are those of prove, which is run. Mechanisms that didn't change come from the
    cache.
    """
    from synth.app.commands import watch as command

    group = click.get_current_context().find_root().command
    return command.run(
        lambda session: group.main(["prove", *arguments], obj=session), lambda: _named(arguments)
    )


def _named(arguments: Sequence[str]) -> list[Path]:
    """The files and folders that arguments of prove name, or pyproject.toml for them.  Raises UsageError."""
    from synth.app.targets import parse_target

    with prove.make_context("synth prove", [*arguments]) as context:
        given = context.params
    named = [*given["targets"], *given["templates"], *([given["spec"]] if given["spec"] else [])]
    if not named or "-" in named:
        raise UsageError("which files are watched? FILE|DIR[::NAME], or paths in [tool.synth]")
    return [parse_target(str(item)).path for item in named]


@click.command(cls=Command)
@click.argument("target", metavar="FILE[::NAME]", required=False)
@beside_options
@claim_options("Refute this")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Fix a public parameter; repeatable.",
)
@click.option(
    "--timeout", type=Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds per mechanism."
)
@AS_JSON
def refute(
    *,
    target: str | None,
    beside: Beside,
    stated: Stated,
    settings: tuple[str, ...],
    timeout: float,
    as_json: bool,
) -> int:
    """Look for two adjacent inputs and an output on which a claim fails.

    Exit status: 0 a witness found, 3 none, 4 a program that can't be read, 2 wrong usage.
    """
    from synth.app.commands import refute as command
    from synth.app.specifications import aim

    aimed, stated = aim(target, beside, stated)
    return command.run(command.Options(aimed, stated, settings, timeout, as_json))


@click.command(cls=Command)
@click.argument("target", metavar="FILE[::NAME]", required=False)
@beside_options
@claim_options("Make this provable")
@click.option(
    "--timeout", type=Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds per proof."
)
@click.option(
    "--certificate", type=FILE, metavar="OUT.json", help="Write the proof here; several go into a folder."
)
@click.option("--write", is_flag=True, help="Change the file; left out, a patch is printed only.")
@AS_JSON
def repair(
    *,
    target: str | None,
    beside: Beside,
    stated: Stated,
    timeout: float,
    certificate: Path | None,
    write: bool,
    as_json: bool,
) -> int:
    """Find scales of noise with which the claim is proved, and print them as a patch.

    A scale may be left open, as in laplace(x, ...): then the noise is divided so that it is least.
    Else as few scales as possible are changed. What is printed has been proved.

    Exit status: 0 the claim is proved, 2 wrong usage, 3 no repair was found, 4 a file that can't be
    read.
    """
    from synth.app.commands import repair as command
    from synth.app.jobs import Options
    from synth.app.specifications import aim

    aimed, stated = aim(target, beside, stated)
    return command.run(command.Options(aimed, Options(stated, timeout), certificate, write, as_json))
