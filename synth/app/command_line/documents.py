"""Commands about certificates: check, export, precision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from synth.app.command_line.group import Command
from synth.app.command_line.options import (
    AS_JSON,
    FILE,
    MEMORY_OF_DOCUMENT,
    TIMEOUT_OF_DOCUMENT,
    claim_options,
)
from synth.trusted.errors import UsageError

if TYPE_CHECKING:
    from synth.app.stated import Stated


@click.command(cls=Command)
@click.argument("certificate", metavar="CERTIFICATE.json", type=FILE)
@click.option(
    "--solver",
    type=click.Choice(["cvc5", "z3", "both"]),
    help="Who shows the side conditions; left out, either of them.",
)
@TIMEOUT_OF_DOCUMENT
@MEMORY_OF_DOCUMENT
@claim_options("Hold it against this")
@click.option(
    "--program",
    metavar="FILE[::NAME]",
    help="It must be about what this file says of its mechanism, or of this one.",
)
@click.option("--spec", type=FILE, metavar="SPEC.toml", help="What is stated beside the code of that file.")
@click.option(
    "--show-program", is_flag=True, help="Print the core program of a proof, and what its steps make of it."
)
@click.option(
    "--rocq", is_flag=True, help="Have Rocq accept it, too: state and prove it from first principles."
)
@click.option("--coqchk", is_flag=True, help="With --rocq: have Rocq's checker read what was compiled.")
@AS_JSON
def check(
    *,
    certificate: Path,
    solver: str | None,
    timeout: float | None,
    memory: int,
    stated: Stated,
    program: str | None,
    spec: Path | None,
    show_program: bool,
    rocq: bool,
    coqchk: bool,
    as_json: bool,
) -> int:
    """Check a certificate with a small kernel that shares nothing with the search.

    A witness against a claim is checked by computing its probabilities again, by another method.  It
    is invalid where the claim is neither the program's own nor that of the command line.

    Exit status: 0 valid, 1 invalid, 3 incomplete (a solver gave up, or a limit was reached), 4 no
    certificate.
    """
    from synth.app.checking import Question
    from synth.app.commands import check as command
    from synth.app.limited import Limits
    from synth.app.limited_check import read_program
    from synth.app.specifications import Beside, aim

    if coqchk and not rocq:
        raise UsageError("--coqchk goes with --rocq, whose compiled files it reads")
    solvers = ("cvc5", "z3") if solver == "both" else (solver or "either",)
    if program is None and spec is not None:
        raise UsageError("--spec goes with --program, whose functions it is about")
    expected_program = None if program is None else read_program(aim(program, Beside(spec))[0])
    question = Question(solvers, stated, expected_program, show_program)
    return command.run(
        certificate, question, as_json, Limits(timeout, memory), command.ByRocq(coqchk) if rocq else None
    )


@click.command(cls=Command)
@click.argument("certificate", metavar="CERTIFICATE.json", type=FILE)
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "latex", "html", "smtlib", "graph", "rocq"]),
    required=True,
    help="What to make of it.",
)
@click.option("--output", type=FILE, metavar="PATH", help="Write here; for smtlib a new folder.")
@click.option("--proofs", is_flag=True, help="With smtlib: add cvc5's proof objects.")
@click.option("--brief", is_flag=True, help="With text and latex: leave out the derivation.")
@TIMEOUT_OF_DOCUMENT
@MEMORY_OF_DOCUMENT
def export(
    *,
    certificate: Path,
    form: str,
    output: Path | None,
    proofs: bool,
    brief: bool,
    timeout: float | None,
    memory: int,
) -> int:
    """Write a certificate as what people and other tools read; it is not checked.

    Html is a page that needs no network, of a proof or of a witness. Rocq is a file that states and proves
    from first principles what the certificate says of its core program.

    Text, LaTeX, html, rocq and graph (control flow and dependencies of the program, as networkx's node-link
    JSON) go to standard output if there is no --output, SMT-LIB into the folder MECHANISM.smtlib.

    With --proofs the time is an hour by the clock, if there is no --timeout.

    Exit status: 0 written, 2 wrong usage, 3 a limit was reached, 4 no certificate.
    """
    from synth.app.commands import export as command
    from synth.app.limited import Limits

    return command.run(command.Options(certificate, form, output, proofs, Limits(timeout, memory), brief))


@click.command(cls=Command)
@click.argument("certificate", metavar="CERTIFICATE.json", type=FILE)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="The value of a public parameter; repeatable.",
)
@click.option(
    "--range",
    "bounds",
    nargs=2,
    required=True,
    metavar="LOW HIGH",
    help="Results outside become ∞; in the plane, of both coordinates.",
)
@click.option(
    "--grid",
    multiple=True,
    metavar="L",
    help="Width of the cells to which results are rounded; several make a table. Left out: no rounding.",
)
@click.option(
    "--format",
    "shape",
    default="float64",
    show_default=True,
    metavar="FORMAT",
    help="Numbers: float64, float32, or fixed:D with D fractional bits.",
)
@click.option(
    "--bits",
    type=int,
    multiple=True,
    metavar="N",
    help="Fractional (fixed) or significant (float) bits instead of the format's; several make a table.",
)
@click.option(
    "--uniform-bias",
    "bias",
    metavar="δ0",
    help="How far a uniform number is from an ideal one. Left out: 2^-bits, the spacing of the numbers.",
)
@click.option(
    "--noise-error",
    metavar="δn",
    help="Error of the computed noise, before it is added. Left out: that of the inverse-CDF Laplace.",
)
@click.option(
    "--log-error",
    default="1",
    show_default=True,
    metavar="ULPS",
    help="Error of the logarithm in that Laplace, in units in the last place.",
)
@click.option("--query-error", default="0", show_default=True, metavar="δf", help="Error of the true answer.")
@click.option(
    "--sensitivity",
    metavar="Δ",
    help="How far adjacent answers are apart. Left out: as the adjacency says, or at most ε times the scale.",
)
@click.option("--planar", is_flag=True, help="The noise is planar Laplace of that scale, in two dimensions.")
@click.option("--plot", type=FILE, metavar="OUT.svg", help="Write a plot of ε' against the grid.")
@TIMEOUT_OF_DOCUMENT
@MEMORY_OF_DOCUMENT
@AS_JSON
def precision(
    *,
    certificate: Path,
    settings: tuple[str, ...],
    bounds: tuple[str, str],
    grid: tuple[str, ...],
    shape: str,
    bits: tuple[int, ...],
    bias: str | None,
    noise_error: str | None,
    log_error: str,
    query_error: str,
    sensitivity: str | None,
    planar: bool,
    plot: Path | None,
    timeout: float | None,
    memory: int,
    as_json: bool,
) -> int:
    """What a proved ε becomes when Laplace noise is computed with finite precision.

    ε' is that of Theorem 4.5 of Gazeau, Miller & Palamidessi (2013), rigorously enclosed; its
    conditions are checked or listed as assumed. Numbers may be written 0.125, 1/8, 1e-9 or 2^-53.

    Exit status: 0 there is an ε', 1 an invalid certificate or no rounding (so no ε), 2 wrong usage,
    3 a condition fails or a limit was reached, 4 no certificate, or a mechanism that the theorem doesn't
    cover.
    """
    from synth.app.commands import precision as command
    from synth.app.limited import Limits

    return command.run(
        command.Options(
            certificate,
            settings,
            sensitivity,
            query_error,
            shape,
            bounds,
            grid,
            bits,
            bias,
            noise_error,
            log_error,
            planar,
            plot,
            Limits(timeout, memory),
            as_json,
        )
    )
