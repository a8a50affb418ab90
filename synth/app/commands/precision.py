"""``synth precision``: what a proved ε becomes in finite precision, in a process that can be killed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import ROUND_CEILING
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.app.document_files import read_document
from synth.app.finite_precision import (
    BOUNDED,
    UNBOUNDED,
    UNKNOWN,
    Answer,
    NotProved,
    Request,
    answer,
)
from synth.app.limited import Limits
from synth.app.numerals import read_number
from synth.support.display import MAX_LETTERS, shown
from synth.support.files import write_output
from synth.support.floats import estimate
from synth.trusted.errors import UsageError
from synth.views.formats.json_object import print_results

if TYPE_CHECKING:
    from rich.table import Table

    from synth.precision import Bound, Interval, Scaling

STATUS = {BOUNDED: 0, UNBOUNDED: 1, UNKNOWN: 3, "invalid": 1, "incomplete": 3}
"""Exit statuses by verdict: ``unbounded`` is without rounding, ``unknown`` where conditions fail."""


@dataclass(frozen=True)
class Options:
    """What the command line said; numbers are still text."""

    certificate: Path
    settings: tuple[str, ...]
    sensitivity: str | None
    query_error: str
    format: str
    range: tuple[str, str]
    grid: tuple[str, ...]
    bits: tuple[int, ...]
    bias: str | None
    noise_error: str | None
    log_error: str
    planar: bool
    plot: Path | None
    limits: Limits
    json: bool


def run(options: Options) -> int:
    """Compute and print; the exit status.  Raises CertificateError, UsageError, UnfinishedError."""
    request = _request(options)
    if options.plot is not None:
        _check_plot(request)

    found = answer(options.certificate, request, options.limits)
    if not isinstance(found, Answer):
        return _print_not_proved(options, found)
    if options.json:
        print_results([_document(options.certificate, found)], STATUS[found.verdict])
    else:
        _print(options.certificate, found)
    if options.plot is not None:
        _write_plot(options.plot, found)
    return STATUS[found.verdict]


def _check_plot(request: Request) -> None:
    """Raises UsageError where no plot can be drawn, before anything is computed."""
    from synth.views.drawing import check_can_draw

    if not request.cells:
        raise UsageError("--plot shows ε' against the grid: give some with --grid")
    check_can_draw("--plot")


# --- what is asked --------------------------------------------------------------------------


def _request(options: Options) -> Request:
    from synth.app.assignments import read_assignments
    from synth.precision import Format, Implementation

    cells = tuple(dict.fromkeys(read_number(item, "--grid") for item in options.grid))
    sensitivity = _optional(options.sensitivity, "--sensitivity")
    implementation = Implementation(
        format=Format.read(options.format),
        low=read_number(options.range[0], "--range"),
        high=read_number(options.range[1], "--range"),
        cell=cells[0] if cells else None,
        bias=_optional(options.bias, "--uniform-bias"),
        noise_error=_optional(options.noise_error, "--noise-error"),
        log_error=read_number(options.log_error, "--log-error"),
        query_error=read_number(options.query_error, "--query-error"),
        planar=options.planar,
    )
    bits = tuple(dict.fromkeys(options.bits)) or (implementation.format.bits,)
    return Request(
        read_document(options.certificate),
        read_assignments(options.settings, "--set"),
        sensitivity,
        replace(implementation, format=implementation.format.with_bits(bits[0])).checked(),
        cells,
        bits,
    )


def _optional(text: str | None, option: str) -> Fraction | None:
    return None if text is None else read_number(text, option)


# --- what is written ------------------------------------------------------------------------


def _write_plot(path: Path, found: Answer) -> None:
    from synth.views.precision.curve import svg
    from synth.views.precision.document import curves

    title = f"{found.mechanism}: ε′ in finite precision"
    write_output(path, svg(title, estimate(found.bound.exact_epsilon), curves(found.table)))


def _document(path: Path, found: Answer) -> dict[str, Any]:
    from synth.views.precision.document import (
        bound_document,
        entry_document,
        noise_document,
        scaling_document,
    )

    return {
        "certificate": str(path),
        "mechanism": found.mechanism,
        "verdict": found.verdict,
        "epsilon": found.epsilon,
        "proved": noise_document(found.noise),
        "bound": bound_document(found.bound),
        "table": [entry_document(item) for item in found.table],
        "example": None if found.example is None else scaling_document(found.example),
        "example_is_this_mechanism": found.is_own_example,
    }


def _print_not_proved(options: Options, found: NotProved) -> int:
    if options.json:
        print_results([{"certificate": str(options.certificate), **asdict(found)}], STATUS[found.verdict])
    else:
        print(shown(f"{options.certificate}: {found.verdict}"))
        print(shown(f"  [{found.rule}] at {found.place}: {found.reason}", MAX_LETTERS))
    return STATUS[found.verdict]


# --- for people -----------------------------------------------------------------------------


def _print(path: Path, found: Answer) -> None:
    from synth.views.console.results import console, write

    target, item = console(), found.bound.implementation
    write(target, shown(f"{path}: valid; {found.mechanism} is {found.epsilon}-private in exact reals"))
    given = (
        f"ε = {found.noise.epsilon}, Δ = {found.noise.sensitivity}, noise of scale b = {found.noise.scale}"
    )
    place = f"[{item.low}, {item.high}]{'²' if item.planar else ''}"
    grid = "no rounding" if item.cell is None else f"rounded to cells of width L = {_exact(item.cell)}"
    noise = "planar noise, " if item.planar else ""
    write(target, f"  {given}", f"  in {item.format.name}: {noise}results in {place}, {grid}", "")
    for line in _verdict(found):
        write(target, shown(f"  {line}"))
    if found.bound.shift is not None:
        write(target, "", *_indented(_constants(found.bound)))
    write(target, "", *_indented(_conditions(found.bound)))
    if len(found.table) > 1:
        write(target, "", *_indented(_grid(found.table)))
        for line in sorted({entry.reason for entry in found.table if entry.reason}):
            write(target, shown(f"  –: {line}"))


def _indented(table: Table) -> Iterator[Any]:
    from rich.padding import Padding

    yield Padding(table, (0, 0, 0, 2), expand=False)


def _verdict(found: Answer) -> Iterator[str]:
    epsilon, printed = found.bound.epsilon, found.bound.printed_epsilon
    if found.example is not None:
        yield "no ε': without rounding R is not defined, and Theorem 4.5 gives none"
        own = "no ε holds: this is an instance of Example 1.1, enumerated here"
        yield own if found.is_own_example else "no ε holds in general: Example 1.1 has none, enumerated here"
        yield from _example_lines(found.example)
    elif epsilon is None:
        yield f"no ε': {found.bound.reason}"
    else:
        yield f"ε' = {_decimal(epsilon)}, in {_ends(epsilon)} (Theorem 4.5)"
        if printed is not None:
            yield f"the paper's own formula, with a larger R: {_decimal(printed)}"


def _example_lines(example: Scaling) -> Iterator[str]:
    left, right = example.probabilities()
    digits = example.digits()
    yield (
        f"  noise of scale 1 with {example.fraction_bits} fractional bits, times 2^{example.scale_bits}, "
        f"for {2**example.generator_bits} uniform numbers"
    )
    yield f"  answer {example.left}: every result ends in the digits {digits[0]}"
    yield f"  answer {example.right}: every result ends in the digits {digits[1]}"
    yield f"  of {len(example.outcomes)} possible results {example.common} are common to both answers"
    yield f"  the results of the first answer have probability {left} for it, and {right} for the second"


def _constants(found: Bound) -> Table:
    from synth.views.console.results import line_of, plain_table

    table = plain_table("", "value", "")
    for name, value, says in _constant_rows(found):
        table.add_row(*map(line_of, (name, value, says)))
    return table


def _constant_rows(found: Bound) -> Iterator[tuple[str, str, str]]:
    from synth.precision import Interval

    item, moved = found.implementation, found.shift
    assert moved is not None
    if item.query_error:
        yield "Δ'", _decimal(Interval.exactly(found.sensitivity)), "of the computed query: Δ + 2·δf"
        yield "ε", _decimal(Interval.exactly(found.exact_epsilon)), "at that sensitivity"
    yield "δ0", _exact(item.generator_bias), "bias of the uniform generator"
    if moved.factor is not None:
        yield "k", _decimal(moved.factor), "2b·exp((diam + δt)/b)"
    means = "ring of mass δ0, and arc of 2π·δ0" if item.planar else "k·δ0"
    yield "", _decimal(moved.generator), f"what the bias moves: {means}"
    yield (
        "",
        _decimal(moved.noise),
        "error of the noise function" + (" as stated" if item.noise_error else ""),
    )
    yield "", _decimal(moved.addition), f"rounding of the sum in {item.format.name}"
    yield "δt", _decimal(moved.total), "the three together"
    if found.robustness is not None and found.printed_robustness is not None:
        yield (
            "R",
            _decimal(found.robustness),
            f"by its definition; the paper prints {_decimal(found.printed_robustness)}",
        )


def _conditions(found: Bound) -> Table:
    from synth.views.console.results import line_of, plain_table

    table = plain_table("condition", "status", "")
    for item in found.conditions:
        table.add_row(*map(line_of, (item.name, item.status, item.says)))
    return table


def _grid(entries: Sequence[Bound]) -> Table:
    """Rows by L, columns by format."""
    from synth.views.console.results import line_of, plain_table

    formats = list(dict.fromkeys(item.implementation.format for item in entries))
    table = plain_table("L", *(f"ε' in {item.name}" for item in formats))
    for cell in dict.fromkeys(item.implementation.cell for item in entries):
        row = [item for item in entries if item.implementation.cell == cell]
        assert cell is not None
        values = ["–" if item.epsilon is None else _decimal(item.epsilon) for item in row]
        table.add_row(*map(line_of, (_exact(cell), *values)))
    return table


def _exact(number: Fraction) -> str:
    from synth.precision.bound import power_text

    return power_text(number)


def _decimal(interval: Interval) -> str:
    """The upper end, rounded up."""
    from synth.precision.enclosures import decimal_text

    return decimal_text(interval.high, 9, ROUND_CEILING)


def _ends(interval: Interval) -> str:
    low, high = interval.floats()
    return f"[{low!r}, {high!r}]"
