"""``synth probability``: the outputs of a mechanism on an input, or on two side by side."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from synth.commands.alone import alone
from synth.errors import SynthError, UsageError
from synth.report.witness import output_text
from synth.targets import parse_target, read_target
from synth.workers import Channel

if TYPE_CHECKING:
    from synth.language.syntax import Mechanism
    from synth.refute.table import Line

_GRACE = 5.0
_MOST_LINES = 40
_NEGLIGIBLE = 1e-6


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str
    inputs: tuple[str, ...]
    neighbour: tuple[str, ...]
    timeout: float
    json: bool


@dataclass(frozen=True)
class Table:
    """The outputs; ``adjacent`` says whether the two inputs are (None if there is one)."""

    adjacent: bool | None
    lines: tuple[Line, ...]


def run(options: Options) -> int:
    """Compute and print; the exit status.  Raises UsageError, ProgramError."""
    mechanism = _mechanism(options.target)
    inputs = _inputs(mechanism, options)
    table = _computed(mechanism, inputs, options.timeout)
    if options.json:
        print(json.dumps({"results": [_json(mechanism, inputs, table)]}, indent=2))
    else:
        _print(table)
    return 0


def _mechanism(text: str) -> Mechanism:
    programs = read_target(parse_target(text))
    if programs.errors:
        raise programs.errors[0]
    if len(programs.mechanisms) > 1:
        names = ", ".join(item.name for item in programs.mechanisms[:8])
        raise UsageError(f"which mechanism? {text}::NAME, with one of {names}")
    return programs.mechanisms[0]


def _inputs(mechanism: Mechanism, options: Options) -> list[dict[str, Any]]:
    from synth.refute.assignments import check_names, complete, read_assignments
    from synth.refute.inputs import is_admissible, lengths

    values = read_assignments(options.inputs, "--input")
    found = [complete(mechanism, values, "--input")]
    if options.neighbour:
        changes = read_assignments(options.neighbour, "--neighbour")
        check_names(changes, mechanism.parameters, "--neighbour")
        found.append(complete(mechanism, {**values, **changes}, "--neighbour"))
        if lengths(mechanism, found[0]) != lengths(mechanism, found[1]):
            raise UsageError("--neighbour: sequences have other lengths than in --input")
    for item in found:
        if not is_admissible(mechanism, item):
            raise UsageError("the input does not satisfy 'requires'")
    return found


def _computed(mechanism: Mechanism, inputs: Sequence[dict[str, Any]], seconds: float) -> Table:
    def work(channel: Channel) -> Table:
        channel.stage("computing probabilities")
        from synth.refute.arithmetic import UndefinedError
        from synth.refute.execution import OutOfTimeError
        from synth.refute.inputs import is_adjacent
        from synth.refute.table import distribution

        try:
            lines = distribution(mechanism, inputs, time.monotonic() + seconds)
        except UndefinedError as error:
            raise UsageError(f"the mechanism is not defined on this input: {error}") from None
        except OutOfTimeError:
            raise SynthError(f"not done within {seconds:g} s") from None
        return Table(is_adjacent(mechanism, *inputs) if len(inputs) == 2 else None, lines)

    return alone(work, mechanism.name, seconds + _GRACE)


def _json(mechanism: Mechanism, inputs: Sequence[dict[str, Any]], table: Table) -> dict[str, Any]:
    from synth.refute.inputs import written

    plain = [{name: written(value) for name, value in item.items()} for item in inputs]
    return {
        "mechanism": mechanism.name,
        "input": plain[0],
        "neighbour": plain[1] if len(plain) > 1 else None,
        "adjacent": table.adjacent,
        "outputs": [asdict(line) for line in table.lines],
        "rest": _rest(table),
    }


def _rest(table: Table) -> list[float]:
    """What outputs that are not listed have at the most, per input."""
    sides = range(1 if table.adjacent is None else 2)
    return [max(0.0, 1.0 - sum(line.probabilities[side][0] for line in table.lines)) for side in sides]


def _print(table: Table) -> None:
    from rich.text import Text

    from synth.report.console import console, plain_table, write

    headers = ("output", "probability") if table.adjacent is None else ("output", "left", "right", "loss")
    rows = plain_table(*headers)
    for line in table.lines[:_MOST_LINES]:
        cells = [output_text(line.output), *(_interval(*item) for item in line.probabilities)]
        if line.loss is not None:
            cells.append(_interval(*line.loss))
        rows.add_row(*map(Text, cells))
    write(console(), rows)
    if len(table.lines) > _MOST_LINES:
        print(f"and {len(table.lines) - _MOST_LINES} less likely outputs (--json has them)")
    if max(_rest(table)) > _NEGLIGIBLE:
        print(f"outputs that are not listed: at most {', '.join(f'{item:.3g}' for item in _rest(table))}")
    if table.adjacent is False:
        print("the two inputs are not adjacent")


def _interval(low: float | None, high: float | None) -> str:
    """One number where the ends agree in six digits."""
    if low is None or high is None:
        return f"{'-inf' if low is None else f'{low:.6g}'} to {'inf' if high is None else f'{high:.6g}'}"
    if abs(high - low) <= 1e-6 * abs(high):
        return f"{(low + high) / 2:.6g}"
    return f"{low:.6g} to {high:.6g}"
