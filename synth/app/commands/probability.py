"""``synth probability``: prints and plots the outputs of a mechanism on an input, or on two."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.app.probabilities import Table, computed, loss_ends, rest
from synth.app.targets import Target, read_mechanism
from synth.support.files import write_output
from synth.trusted.errors import UsageError
from synth.views.console.witness import output_text
from synth.views.formats.json_object import print_results

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir

_MAX_LINES = 40
_NEGLIGIBLE = 1e-6


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str | Target
    inputs: tuple[str, ...]
    neighbour: tuple[str, ...]
    timeout: float
    json: bool
    plot: Path | None = None


def run(options: Options) -> int:
    """Compute and print; the exit status.  Raises UsageError, ProgramError."""
    _check_plot(options.plot)
    from synth.app.assignments import read_inputs

    mechanism = read_mechanism(options.target, options.timeout)
    inputs = read_inputs(mechanism, options.inputs, options.neighbour)
    table = computed(mechanism, inputs, options.timeout)
    if options.json:
        print_results([_json(mechanism, inputs, table)], 0)
    else:
        _print(table)
    if options.plot is not None:
        _write_plot(options.plot, mechanism, inputs, table)
    return 0


def _json(mechanism: ir.Mechanism, inputs: Sequence[dict[str, Any]], table: Table) -> dict[str, Any]:
    from synth.refuter.exact.label_texts import with_texts

    plain = [with_texts(mechanism, item) for item in inputs]
    return {
        "mechanism": mechanism.name,
        "input": plain[0],
        "neighbour": plain[1] if len(plain) > 1 else None,
        "adjacent": table.adjacent,
        "outputs": [asdict(line) for line in table.lines],
        "rest": rest(table),
    }


def _print(table: Table) -> None:
    from synth.views.console.results import console, line_of, plain_table, write

    headers = ("output", "probability") if table.adjacent is None else ("output", "left", "right", "loss")
    rows = plain_table(*headers)
    for line in table.lines[:_MAX_LINES]:
        cells = [output_text(line.output), *(_interval(*item) for item in line.probabilities)]
        loss = loss_ends(line)
        if loss is not None:
            cells.append(_interval(*loss))
        rows.add_row(*map(line_of, cells))
    write(console(), rows)
    if len(table.lines) > _MAX_LINES:
        print(f"and {len(table.lines) - _MAX_LINES} less likely outputs (--json has them)")
    if max(rest(table)) > _NEGLIGIBLE:
        print(f"outputs that are not listed: at most {', '.join(f'{item:.3g}' for item in rest(table))}")
    if table.adjacent is False:
        print("the two inputs are not adjacent")


def _interval(low: float, high: float) -> str:
    """One number where the ends agree in six digits, or are both next to 0."""
    if low == high or (low < 0 < high and high - low < _NEGLIGIBLE**2):
        return "0" if low < 0 < high else f"{low:.6g}"
    if abs(high - low) <= 1e-6 * abs(high) < math.inf:
        return f"{(low + high) / 2:.6g}"
    return f"{low:.6g} to {high:.6g}"


# --- the plot -------------------------------------------------------------------------------


def _check_plot(path: Path | None) -> None:
    """Raises UsageError where no plot can be drawn or written, before anything is computed."""
    if path is None:
        return
    from synth.views.drawing import check_can_draw

    if path.suffix.lower() != ".svg":
        raise UsageError(f"--plot {path}: plots are SVG files, named OUT.svg")
    if os.path.isdir(path):
        raise UsageError(f"--plot {path}: it is a folder")
    check_can_draw("--plot")


def _write_plot(path: Path, mechanism: ir.Mechanism, inputs: Sequence[dict[str, Any]], table: Table) -> None:
    """Raises OutputError."""
    from synth.app.probability_plots import plot_of
    from synth.views.plots import svg

    write_output(path, svg(plot_of(mechanism, inputs, table)))
