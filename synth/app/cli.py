"""The command line.  Only what a command needs is imported, and solvers in its workers only."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from synth.app.statuses import INTERRUPTED, WRONG_USAGE, status_of
from synth.app.streams import ReaderGone, encodable, secure
from synth.support.display import MAX_LETTERS, shown
from synth.trusted.errors import OutputError, SynthError, UsageError
from synth.views.formats.run import NAMES, Run, format_named

if TYPE_CHECKING:
    from synth.app.specifications import Beside

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Command(click.Command):
    """A command whose help can be shown in any encoding."""

    def get_help(self, ctx: click.Context) -> str:
        """The help."""
        return encodable(super().get_help(ctx))


class _Configured(_Command):
    """A command whose options stand in pyproject.toml where the command line leaves them out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, with the file's options as defaults.  Raises UsageError."""
        if not ctx.resilient_parsing and not {*ctx.help_option_names, "--isolated"} & {*args}:
            from synth.app.configuration import of_folder

            ctx.default_map = of_folder(Path.cwd())
        rest = super().parse_args(ctx, args)
        given = {name for name in ctx.params if ctx.get_parameter_source(name) is _COMMAND_LINE}
        for name, others in _GIVES_WAY.items():
            if name not in given and others & given:
                ctx.params[name] = () if name == "targets" else None
        return rest


_COMMAND_LINE = click.core.ParameterSource.COMMANDLINE
_GIVES_WAY = {
    "targets": {"spec"},
    "spec": {"types", "adjacent", "requires", "fixed", "facts"},
    "form": {"as_json"},
    "workers": {"cluster"},
}
"""What pyproject.toml says of a parameter doesn't count beside one of these on the command line."""


class _Commands(_Command, click.Group):
    """The group of all commands; turns every error into one message and an exit status."""

    command_class = _Command

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit."""
        secure()
        arguments = list(sys.argv[1:] if args is None else args)
        try:
            status = self._status(arguments, complete_var, extra)
            sys.stdout.flush()
        except (KeyboardInterrupt, click.Abort):
            status = INTERRUPTED
        except ReaderGone as error:
            status = status_of(error)
        except OutputError as error:
            status = _said(error)
        sys.exit(status or 0)

    def _status(self, arguments: list[str], complete_var: str | None, extra: dict[str, Any]) -> int | None:
        """The exit status of a command, which is run.  Raises OutputError, Abort."""
        as_json, refused = "--json" in arguments, list[SynthError]()
        try:
            status: int | None = super().main(
                arguments, "synth", complete_var, standalone_mode=False, **extra
            )
            return status
        except click.exceptions.Exit as error:
            return error.exit_code
        except (OutputError, click.Abort):
            raise
        except SynthError as error:
            refused = [error]
            status = _wrong_usage(error, as_json) if isinstance(error, UsageError) else _said(error, as_json)
        except click.ClickException as error:
            status = _wrong_usage(error, as_json)
        except Exception as error:
            from synth.app.defects import defect

            status = _said(defect(error))
        if as_json:
            format_named("json", False).end(Run((), refused, status=status))
        return status


def _said(error: SynthError, as_json: bool = True) -> int:
    """Print an error; its exit status."""
    from synth.views.console.errors import error_text

    print(error_text(error, with_source=not as_json), file=sys.stderr, flush=True)
    return status_of(error)


def _wrong_usage(error: click.ClickException | UsageError, as_json: bool) -> int:
    """Print what is wrong, and where there is help; the exit status."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        print(error.format_message(), file=sys.stderr)
        return WRONG_USAGE
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    print(shown(f"synth: error: {_sentence(message)}", MAX_LETTERS), file=sys.stderr)
    context = getattr(error, "ctx", None)
    if context is not None and not as_json:
        print(f"try '{context.command_path} --help'", file=sys.stderr)
    return WRONG_USAGE


def _sentence(message: str) -> str:
    """A message of click's in the style of ours: lower case, no full stop."""
    message = " ".join(message.split()).removesuffix(".").replace(". Did you", "; did you")
    first, _, rest = message.partition(" ")
    return f"{first[:1].lower()}{first[1:]} {rest}".strip() if first.isalpha() else message


class _Seconds(click.ParamType[float]):
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


class _ExportFormat(click.Choice[str]):
    """A format that exists; those that are planned are refused with a message of their own."""

    later = ("rocq",)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The format.  Raises BadParameter."""
        if value in self.later:
            self.fail(f"{value} comes later; there are {', '.join(self.choices)}", param, ctx)
        return str(super().convert(value, param, ctx))


_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, and nothing else.")
_FILE = click.Path(path_type=Path)
_Function = TypeVar("_Function", bound=Callable[..., Any])


def _beside(command: _Function) -> _Function:
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


_SPECIFICATION = (
    click.option(
        "--spec", type=_FILE, metavar="SPEC.toml", help="What is stated of functions beside their code."
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
_TIMEOUT_OF_DOCUMENT = click.option(
    "--timeout",
    type=_Seconds(),
    metavar="S",
    help="Seconds by the clock; left out, 10 s of processor time, and 1 s per kB past 10 kB.",
)
_MEMORY_OF_DOCUMENT = click.option(
    "--memory",
    type=click.IntRange(min=64, max=1 << 20),
    default=1024,
    show_default=True,
    metavar="MIB",
    help="Memory beyond that of the checker itself.",
)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from synth.app.commands import version

        version.show(ctx.meta.get(_VERBOSE, False))
        ctx.exit()


def _verbose(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    ctx.meta[_VERBOSE] = wanted


_VERBOSE = "synth.verbose"


@click.group(cls=_Commands, context_settings=_CONTEXT)
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


@main.command(cls=_Configured)
@click.argument("targets", metavar="FILE|DIR[::NAME]|-", nargs=-1)
@_beside
@click.option("--epsilon", metavar="E", help="Claim this instead of what the program claims.")
@click.option("--delta", metavar="D", help="Claim this δ instead of what the program claims.")
@click.option(
    "--timeout", type=_Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds per mechanism."
)
@click.option(
    "--template",
    "templates",
    type=_FILE,
    multiple=True,
    metavar="FILE",
    help="Couplings of your own; repeatable.",
)
@click.option(
    "--certificate",
    type=_FILE,
    metavar="OUT.json",
    help="Write the proof (or witness) here; several go into a folder.",
)
@click.option(
    "--report", type=_FILE, metavar="DIR", help="Write a page for each mechanism here, and index.html."
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
@_JSON
def prove(
    *,
    targets: tuple[str, ...],
    beside: Beside,
    epsilon: str | None,
    delta: str | None,
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
    from synth.app.commands import prove as command
    from synth.app.jobs import Options
    from synth.app.specifications import aim_at_all

    if as_json and form not in (None, "json"):
        raise UsageError(f"--json is short for --output-format json, and doesn't go with {form}")
    aimed, epsilon, delta = aim_at_all(targets, beside, epsilon, delta)
    proof = Options(epsilon, delta, timeout, templates, bracket, workers, not no_cache, cluster)
    form = "json" if as_json else form
    return command.run(command.Options(aimed, proof, certificate, report, form, if_any, explain))


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", metavar="[FILE|DIR[::NAME]]... [OPTION]...", nargs=-1, type=click.UNPROCESSED)
def watch(arguments: tuple[str, ...]) -> int:
    """Prove now, and each time that a file is saved, until Ctrl-C.

    Targets and options are those of prove, which is run. Mechanisms that didn't change come from the
    cache, and are checked again.
    """
    from synth.app.commands import watch as command
    from synth.app.targets import parse_target

    with prove.make_context("synth prove", [*arguments]) as context:
        given = context.params
    named = [*given["targets"], *given["templates"], *([given["spec"]] if given["spec"] else [])]
    if not named or "-" in named:
        raise UsageError("which files are watched? FILE|DIR[::NAME], or paths in [tool.synth]")
    return command.run(arguments, [parse_target(str(item)).path for item in named])


@main.command()
@click.argument("certificate", metavar="CERTIFICATE.json", type=_FILE)
@click.option(
    "--solver",
    type=click.Choice(["cvc5", "z3", "both"]),
    help="Who shows the side conditions; left out, either of them.",
)
@_TIMEOUT_OF_DOCUMENT
@_MEMORY_OF_DOCUMENT
@click.option("--epsilon", metavar="E", help="Hold it against this claim instead of the program's.")
@click.option("--delta", metavar="D", help="Hold it against this δ instead of the program's.")
@click.option(
    "--program",
    metavar="FILE[::NAME]",
    help="It must be about what this file says of its mechanism, or of this one.",
)
@click.option("--spec", type=_FILE, metavar="SPEC.toml", help="What is stated beside the code of that file.")
@click.option(
    "--show-program", is_flag=True, help="Print the core program of a proof, and what its steps make of it."
)
@_JSON
def check(
    *,
    certificate: Path,
    solver: str | None,
    timeout: float | None,
    memory: int,
    epsilon: str | None,
    delta: str | None,
    program: str | None,
    spec: Path | None,
    show_program: bool,
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

    solvers = ("cvc5", "z3") if solver == "both" else (solver or "either",)
    if program is None and spec is not None:
        raise UsageError("--spec goes with --program, whose functions it is about")
    expected_program = None if program is None else read_program(aim(program, Beside(spec))[0])
    question = Question(solvers, epsilon, delta, expected_program, show_program=show_program)
    return command.run(certificate, question, as_json, Limits(timeout, memory))


@main.command()
@click.argument("certificate", metavar="CERTIFICATE.json", type=_FILE)
@click.option(
    "--to",
    "form",
    type=_ExportFormat(["text", "latex", "html", "smtlib", "graph"]),
    required=True,
    help="What to make of it.",
)
@click.option("--output", type=_FILE, metavar="PATH", help="Write here; for smtlib a new folder.")
@click.option("--proofs", is_flag=True, help="With smtlib: add cvc5's proof objects.")
@click.option("--brief", is_flag=True, help="With text and latex: leave out the derivation.")
@_TIMEOUT_OF_DOCUMENT
@_MEMORY_OF_DOCUMENT
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

    Html is a page that needs no network, of a proof or of a witness.

    Text, LaTeX, html and graph (control flow and dependencies of the program, as networkx's node-link
    JSON) go to standard output if there is no --output, SMT-LIB into the folder MECHANISM.smtlib.

    With --proofs the time is an hour by the clock, if there is no --timeout.

    Exit status: 0 written, 2 wrong usage, 3 a limit was reached, 4 no certificate.
    """
    from synth.app.commands import export as command
    from synth.app.limited import Limits

    return command.run(command.Options(certificate, form, output, proofs, Limits(timeout, memory), brief))


@main.command()
@click.argument("target", metavar="FILE[::NAME]", required=False)
@_beside
@click.option("--epsilon", metavar="E", help="Refute this claim instead of what the program claims.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Fix a public parameter; repeatable.",
)
@click.option(
    "--timeout", type=_Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds per mechanism."
)
@_JSON
def refute(
    *,
    target: str | None,
    beside: Beside,
    epsilon: str | None,
    settings: tuple[str, ...],
    timeout: float,
    as_json: bool,
) -> int:
    """Look for two adjacent inputs and an output on which a claim fails.

    Exit status: 0 a witness found, 3 none, 4 a program that can't be read, 2 wrong usage.
    """
    from synth.app.commands import refute as command
    from synth.app.specifications import aim

    aimed, epsilon, _ = aim(target, beside, epsilon)
    return command.run(command.Options(aimed, epsilon, settings, timeout, as_json))


@main.command()
@click.argument("target", metavar="FILE[::NAME]", required=False)
@_beside
@click.option("--epsilon", metavar="E", help="Make this provable instead of what the program claims.")
@click.option("--delta", metavar="D", help="Claim this δ instead of what the program claims.")
@click.option(
    "--timeout", type=_Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds per proof."
)
@click.option(
    "--certificate", type=_FILE, metavar="OUT.json", help="Write the proof here; several go into a folder."
)
@click.option("--write", is_flag=True, help="Change the file; left out, a patch is printed only.")
@_JSON
def repair(
    *,
    target: str | None,
    beside: Beside,
    epsilon: str | None,
    delta: str | None,
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

    aimed, epsilon, delta = aim(target, beside, epsilon, delta)
    return command.run(command.Options(aimed, Options(epsilon, delta, timeout), certificate, write, as_json))


@main.command()
@click.argument("target", metavar="FILE[::NAME]", required=False)
@_beside
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=VALUE", help="The value of a parameter; repeatable."
)
@click.option(
    "--neighbour", multiple=True, metavar="NAME=VALUE", help="What differs in a second input; repeatable."
)
@click.option(
    "--timeout", type=_Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds at the most."
)
@click.option("--plot", type=_FILE, metavar="OUT.svg", help="Write a plot of the probabilities and losses.")
@_JSON
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

    aimed, _, _ = aim(target, beside)
    return command.run(command.Options(aimed, inputs, neighbour, timeout, as_json, plot))


@main.command()
@click.argument("target", metavar="FILE::NAME", required=False)
@_beside
@click.option(
    "--timeout", type=_Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds at the most."
)
@_JSON
def show(*, target: str | None, beside: Beside, timeout: float, as_json: bool) -> int:
    """A mechanism's text, and the core program that the reader makes of it.

    Exit status: 0 done, 4 a program that can't be read, 2 wrong usage.
    """
    from synth.app.commands import show as command
    from synth.app.specifications import aim

    aimed, _, _ = aim(target, beside)
    return command.run(command.Options(aimed, timeout, as_json))


@main.command()
@click.argument("target", metavar="FILE::NAME|DISTRIBUTIONS.json", required=False)
@_beside
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME=VALUE", help="The value of a parameter; repeatable."
)
@click.option(
    "--neighbour", multiple=True, metavar="NAME=VALUE", help="What differs in the second input; repeatable."
)
@click.option("--epsilon", metavar="E", help="The ε (in nats); left out, what the program claims.")
@click.option("--delta", metavar="D", help="The δ; left out, what the program claims, or 0.")
@click.option(
    "--timeout", type=_Seconds(), default=60.0, show_default="60", metavar="S", help="Seconds at the most."
)
@_JSON
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
    from synth.app.targets import Target

    aimed: str | Target
    if target is not None and "::" not in target and Path(target).suffix.lower() == ".json":
        aimed = target
    else:
        aimed, epsilon, delta = aim(target, beside, epsilon, delta)
    return command.run(command.Options(aimed, inputs, neighbour, epsilon, delta, timeout, as_json))


@main.command()
@click.argument("certificate", metavar="CERTIFICATE.json", type=_FILE)
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
@click.option("--plot", type=_FILE, metavar="OUT.svg", help="Write a plot of ε' against the grid.")
@_TIMEOUT_OF_DOCUMENT
@_MEMORY_OF_DOCUMENT
@_JSON
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


@main.command()
@click.argument("code", required=False, metavar="[CODE]")
@_JSON
def explain(code: str | None, as_json: bool) -> int:
    """Say what CODE means, why it matters for privacy, and what to do; without CODE, list all.

    Codes stand beside the reasons that other commands give.  Exit status: 2 if there is no such code.
    """
    from synth.app.commands import explain as command

    return command.run(code, as_json)


@main.command()
@click.argument("files", nargs=-1, type=_FILE, metavar="[FILE]...")
@_JSON
def templates(files: tuple[Path, ...], as_json: bool) -> int:
    """List the couplings of noise that proofs may use, each verified by a solver.

    With files, also those that they declare.  Exit status: 0 all sound, 1 some are not, 4 a file
    that can't be read.
    """
    from synth.app.commands import templates as command

    return command.run(files, as_json)


@main.command()
@click.argument("path", required=False, type=_FILE, metavar="[LIST]")
@click.option(
    "--suite",
    type=click.Choice(["usual", "real"]),
    default="usual",
    show_default=True,
    help="Programs of the language, or functions of public code as people write them.",
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
@click.option("--markdown", type=_FILE, metavar="PATH", help="Write the table to a Markdown file too.")
@_JSON
def bench(
    path: Path | None, suite: str, pattern: str | None, workers: int, markdown: Path | None, as_json: bool
) -> int:
    """Run all programs of LIST, each in a cold process, and compare with what it expects.

    Says of each what the verdict is worth, where the time went, and how often solvers were asked.  LIST
    is benchmarks/expected.toml of the checkout if left out.  Exit status: 1 if a proof, its bound or a
    refutation is wrong, 4 if a program can't be read, else 0.

    With --suite real LIST is a folder with privacy.toml and truth.toml, benchmarks/real if left out: says
    of each function whether it is read or what stands in the way, and whether the verdict is true.  What
    can't be read is then no error.
    """
    from synth.app.commands import bench as command

    options = command.Options(path, pattern, workers, as_json, markdown)
    if suite == "real":
        from synth.app.commands import bench_real

        return bench_real.run(options)
    return command.run(options)


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print what a shell needs to complete synth's commands and options.

    Into the shell that runs: eval "$(synth completion bash)", or synth completion fish | source.
    """
    from synth.app.commands import completion as command

    return command.run(main, shell)
