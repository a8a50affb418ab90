"""What a page shows beside a result: coupled runs, the derivation, the distributions of a witness.

This reads documents and runs programs, so it belongs into a process with limits.
"""

from __future__ import annotations

import base64
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from synth.app.example_inputs import example_inputs
from synth.app.probabilities import Table, loss_ends
from synth.support.floats import estimate
from synth.trusted.errors import SynthError, UsageError
from synth.trusted.program import syntax as ir
from synth.views.certificate.term_values import rational
from synth.views.console.witness import floor_text, output_text
from synth.views.html import model
from synth.views.html.pages import Extras, witness_inputs
from synth.views.html.pictures import Pictures, chosen, flat_text, input_rows, number
from synth.views.results import Site

if TYPE_CHECKING:
    from synth.trusted.core.interpreter import Output
    from synth.views.certificate.steps import Reading
    from synth.views.plots import Plot

WITHOUT_RUNS = "No example runs are shown: none of the small inputs that were tried could be run here."
TOO_LONG = "No example runs are shown: working them out took too long."
WITHOUT_NOISE = "The program draws no noise: both runs return the same, whatever the private data are."
BY_CHANCES = "There are no draws to follow: the probabilities of the outputs themselves are compared."
WITHOUT_PLOT = "For a plot of the distributions, install matplotlib (pip install matplotlib)."
NO_LAWS = "The distributions of all outputs could not be computed here; the output above is enough."

_SECONDS = 3.0
_BARS, _ROWS, _PAIRS = 16, 40, 12
_SIDES = "left input", "right input"
_PROBABILITIES = "probability_left", "probability_right"


def of_proof(document: str, sites: Sequence[Site], with_runs: bool = True) -> Extras:
    """Return the coupled runs, if they are wanted, and the derivation of a certificate.

    Raises Rejected, Unreadable.
    """
    from synth.trusted.kernel.check import parse
    from synth.views.certificate.steps import reading
    from synth.views.certificate.text import text

    source = reading(parse(document))
    if not with_runs:
        return Extras(without_runs=TOO_LONG, derivation=text(source))
    every = source.of_every_record()
    pictures = Pictures(every, tuple(sites), lambda output: _written(every.mechanism, output))
    runs = tuple(map(pictures.of, chosen(every, example_inputs(every.mechanism))))
    without = "" if runs else _without_runs(source)
    squares = source.certificate.gaussian is not None
    unit = "in μ²" if squares else "nats"
    return Extras(
        runs=runs,
        without_runs=without,
        unit=unit,
        derivation=text(source),
        distributions=None if every.law is None or every is not source else _compared(source.mechanism),
    )


def _compared(mechanism: ir.Mechanism) -> model.Distributions | None:
    """The laws of the output on the two adjacent inputs with most outputs; None where none are computed."""
    best: tuple[Table, list[dict[str, Any]]] | None = None
    for left, right in islice(example_inputs(mechanism), _PAIRS):
        if all(callable(value) or value == right[name] for name, value in left.items()):
            continue
        try:
            table = _distributions(mechanism, [dict(left), dict(right)])
        except (SynthError, KeyError, TypeError, ValueError):
            continue
        if best is None or len(table.lines) > len(best[0].lines):
            best = table, [dict(left), dict(right)]
    if best is None:
        return None
    table, inputs = best
    plot, remark = _plot(mechanism, inputs, table)
    rows = tuple(_row(line, "") for line in table.lines[:_ROWS])
    return model.Distributions(input_rows(mechanism, (inputs[0], inputs[1])), rows, plot, remark)


def _written(mechanism: ir.Mechanism, output: Output) -> str:
    """The output as a user would write it; as it is, where a part of the program returns something else."""
    from synth.refuter.exact.events import Event
    from synth.refuter.exact.outputs import readable

    values = tuple(map(rational, output.values))
    lists = tuple(tuple(tuple(map(rational, row)) for row in rows) for rows in output.lists)
    try:
        return output_text(readable(mechanism, Event(values, lists)))
    except (LookupError, TypeError, ValueError, StopIteration):
        return flat_text(output)


def _without_runs(source: Reading) -> str:
    if source.law is not None:
        return BY_CHANCES
    draws = any(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(source.mechanism.body))
    return WITHOUT_RUNS if draws else WITHOUT_NOISE


def of_witness(mechanism: ir.Mechanism | None, witness: Mapping[str, Any]) -> Extras:
    """Return the distributions on the two inputs of a witness, as far as they can be computed.

    Raises KeyError, TypeError, ValueError for a witness of another form, before anything is computed.
    """
    _refutation(witness, None, None, NO_LAWS)
    table: Table | None = None
    plot, remark = None, NO_LAWS
    if mechanism is not None:
        try:
            inputs = [_inputs(mechanism, witness, side) for side in ("left", "right")]
            table = _distributions(mechanism, inputs)
            plot, remark = _plot(mechanism, inputs, table)
        except (SynthError, KeyError, TypeError, ValueError):
            pass
    if plot is None and table is None:
        plot, remark = _plot_of_output(witness), NO_LAWS
    return Extras(refutation=_refutation(witness, table, plot, remark))


def _inputs(mechanism: ir.Mechanism, witness: Mapping[str, Any], side: str) -> dict[str, Any]:
    from synth.refuter.exact.inputs import read_datum

    return {
        item.name: read_datum(item, witness["parameters" if item.metric is None else side][item.name])
        for item in mechanism.parameters
    }


def _distributions(mechanism: ir.Mechanism, inputs: Sequence[dict[str, Any]]) -> Table:
    """Raises SynthError."""
    from synth.app.probabilities import claim_at_inputs, errors_for_users
    from synth.refuter.output_table import distribution

    with errors_for_users(_SECONDS):
        lines = distribution(mechanism, inputs, time.monotonic() + _SECONDS)
    return Table(True, lines, claim_at_inputs(mechanism, inputs[0]))


def _plot(mechanism: ir.Mechanism, inputs: Sequence[dict[str, Any]], table: Table) -> tuple[str | None, str]:
    """An image for a page, or why there is none."""
    from synth.app.probability_plots import plot_of
    from synth.views.drawing import check_can_draw

    try:
        check_can_draw("the plot")
    except UsageError:
        return None, WITHOUT_PLOT
    plot = plot_of(mechanism, inputs, table, _BARS)
    return _image(replace(plot, title="Probabilities of the outputs", sides=_SIDES)), ""


def _plot_of_output(witness: Mapping[str, Any]) -> str | None:
    """An image of the probabilities of the one output that is known.  Raises KeyError, ValueError."""
    from synth.views.drawing import check_can_draw
    from synth.views.plots import Bar, Plot

    try:
        check_can_draw("the plot")
    except UsageError:
        return None
    sides = tuple((float(low), float(high)) for low, high in map(witness.__getitem__, _PROBABILITIES))
    bar = Bar(output_text(witness["output"]), sides)
    return _image(Plot("Probability of the output", _SIDES, (bar,)))


def _image(plot: Plot) -> str:
    from synth.views.plots import svg

    return f"data:image/svg+xml;base64,{base64.b64encode(svg(plot).encode()).decode()}"


# --- the witness in words -------------------------------------------------------------------


def _refutation(
    witness: Mapping[str, Any], table: Table | None, plot: str | None, remark: str
) -> model.Refutation:
    """Raises KeyError, TypeError, ValueError for a witness of another form."""
    (left, left_high), (right_low, right) = witness["probability_left"], witness["probability_right"]
    claim, delta, least = float(witness["epsilon"]), float(witness["delta"] or 0), witness["epsilon_at_least"]
    output = output_text(witness["output"])
    at = ", ".join(f"{name} = {value}" for name, value in witness["parameters"].items())
    most = f"e^{number(claim)} = {number(math.exp(min(claim, 700)))}"
    if right <= 0:
        words = f"The output {output} is possible on the left input, and impossible on the right one."
    else:
        ratio, more = (
            floor_text(float(left) / float(right), 4),
            f", plus δ = {number(delta)}." if delta else ".",
        )
        words = (
            f"The output {output} is at least {ratio} times as likely on the left input as on the right one."
            f" The claim allows at most {most} times{more}"
        )
    beyond = least is not None and float(least) > claim >= 0
    return model.Refutation(
        at=at,
        inputs=witness_inputs(witness),
        output=output,
        left=_between(left, left_high),
        right=_between(right_low, right),
        claim=_claimed(witness.get("notion"), claim, delta),
        measure="ε that this δ needs" if delta else "privacy loss",
        loss="infinite: no ε is enough" if least is None else f"at least {floor_text(float(least), 6)} nats",
        words=words,
        share=round(100 * claim / float(least), 2) if beyond else None,
        table=() if table is None else tuple(_row(line, output) for line in table.lines[:_ROWS]),
        plot=plot,
        remark=remark,
    )


def _claimed(notion: str | None, epsilon: float, delta: float) -> str:
    """What the probabilities are held against; of another notion, what follows from the claim."""
    pair = f"ε = {number(epsilon)}" + (f", δ = {number(delta)}" if delta else "")
    return pair if notion is None else f"{pair}, which follows from the claim of {notion}"


def _row(line: Any, output: str) -> model.OutputRow:
    ends = loss_ends(line)
    left, right = (_between(*ends) for ends in line.probabilities)
    shown = output_text(line.output)
    return model.OutputRow(shown, left, right, "" if ends is None else _between(*ends), shown == output)


def _between(low: float, high: float) -> str:
    """A number with the digits that both ends have, or the two of them."""
    if math.isinf(low) and low == high:
        return "∞" if low > 0 else "−∞"
    low, high = (estimate(end) if math.isfinite(end) else end for end in (float(low), float(high)))
    if high <= 0 or abs(high - low) <= 1e-4 * abs(high):
        return number((low + high) / 2)
    return f"{number(max(low, 0.0) if high < 1e-6 else low)} to {number(high)}"
