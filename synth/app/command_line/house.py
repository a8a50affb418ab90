"""Commands about synth itself: explain, templates, bench."""

from __future__ import annotations

from pathlib import Path

import click

from synth.app.command_line.group import Command
from synth.app.command_line.options import AS_JSON, FILE
from synth.trusted.errors import UsageError


@click.command(cls=Command)
@click.argument("code", required=False, metavar="[CODE]")
@AS_JSON
def explain(code: str | None, as_json: bool) -> int:
    """Say what CODE means, why it matters for privacy, and what to do; without CODE, list all.

    Codes stand beside the reasons that other commands give.  Exit status: 2 if there is no such code.
    """
    from synth.app.commands import explain as command

    return command.run(code, as_json)


@click.command(cls=Command)
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE]...")
@AS_JSON
def templates(files: tuple[Path, ...], as_json: bool) -> int:
    """List the couplings of noise that proofs may use, each verified by a solver.

    With files, also those that they declare.  Exit status: 0 all sound, 1 some are not, 4 a file
    that can't be read.
    """
    from synth.app.commands import templates as command

    return command.run(files, as_json)


@click.command(cls=Command)
@click.argument("path", required=False, type=FILE, metavar="[LIST]")
@click.option(
    "--suite",
    type=click.Choice(["usual", "real", "public"]),
    default="usual",
    show_default=True,
    help="Programs of the language, functions of public code as people write them, or suites of other tools.",
)
@click.option("--filter", "pattern", metavar="GLOB", help="Only mechanisms or files with such a name.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Programs run at a time.",
)
@click.option("--markdown", type=FILE, metavar="PATH", help="Write the table to a Markdown file too.")
@click.option("--counts", type=FILE, metavar="PATH", help="Compare what proofs took with counts in a file.")
@click.option("--record", is_flag=True, help="Write the file of --counts instead.")
@AS_JSON
def bench(
    path: Path | None,
    *,
    suite: str,
    pattern: str | None,
    workers: int,
    markdown: Path | None,
    counts: Path | None,
    record: bool,
    as_json: bool,
) -> int:
    """Run all programs of LIST, each in a cold process, and compare with what it expects.

    Says of each what the verdict is worth, where the time went, and how often solvers were asked.  LIST
    is benchmarks/expected.toml of the checkout if left out.  Exit status: 1 if a proof, its bound or a
    refutation is wrong, 4 if a program can't be read, else 0.  With --counts also 1 if solvers were asked, or
    strategies and runs were tried, more than a fifth more often than the file says.

    With --suite real LIST is a folder with privacy.toml and truth.toml, benchmarks/real if left out: says
    of each function whether it is read or what stands in the way, and whether the verdict is true.  What
    can't be read is then no error.  With --suite public it is benchmarks/public, whose programs have
    decorators: those of other tools' suites, beside what these say.
    """
    from synth.app.commands import bench as command

    options = command.Options(path, pattern, workers, as_json, markdown, counts, record)
    if suite != "usual":
        if counts is not None or record:
            raise UsageError("--counts and --record go with the usual suite")
        from synth.app.benchmark.truths import PUBLIC, REAL
        from synth.app.commands import bench_real

        return bench_real.run(options, PUBLIC if suite == "public" else REAL)
    return command.run(options)
