"""Two coupled executions as pictures and sentences, draw by draw."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

from synth.support.floats import estimate
from synth.trusted.core.expressions import Value
from synth.trusted.core.interpreter import Output
from synth.trusted.core.laws import Law
from synth.trusted.program import syntax as ir
from synth.views.certificate import coupled_executions as runs
from synth.views.certificate.coupled_executions import CoupledDraw, CoupledExecution, Inputs
from synth.views.certificate.couplings import Couplings
from synth.views.certificate.draws import INTERVAL
from synth.views.certificate.names import Names
from synth.views.certificate.steps import Reading
from synth.views.certificate.term_values import NotComputed, rational
from synth.views.certificate.wording import loop_variables
from synth.views.html import model
from synth.views.html.words import when_words
from synth.views.results import Site

Pair = tuple[Inputs, Inputs]

_INPUTS, _NOISES, _OUTPUTS = 24, 16, 4
_WORK, _FAILURE = 6000, 20
"""Moments that are run at the most, and as how many an execution counts that fails."""
_MOST_DRAWS, _GOOD_DRAWS = 14, 5
_SPREAD = 6
_OUTCOMES = 20
_VARIABLES = 6
_VALUES = 6
_WIDTH, _EDGE, _FOOT = 92, 56, 46
_TOP, _SCALE, _LINE = 16.0, 204.0, 36.0
"""Where the scale of a chart begins and ends, and the height of a truth value's line."""

_CURVE_WIDTH, _CURVE_HEIGHT, _POINTS = 300.0, 46.0, 60


# --- which executions -----------------------------------------------------------------------


def chosen(reading: Reading, inputs: Iterable[Pair]) -> tuple[CoupledExecution, ...]:
    """Return executions on one pair of inputs that end in different outputs; none where none is computed.

    That pair is taken on which most couplings are used, and the executions are short.
    """
    best: tuple[tuple[int, ...], list[CoupledExecution]] = ((), [])
    rng, work = Random(0), 0
    for pair in islice(inputs, _INPUTS):
        found, more = _by_output(reading, pair, rng)
        if found:
            best = max(best, (_interest(found), found), key=lambda item: item[0])
        work += more
        if work > _WORK:
            break
    return tuple(sorted(best[1], key=_order))


def _by_output(reading: Reading, pair: Pair, rng: Random) -> tuple[list[CoupledExecution], int]:
    """The executions on these inputs that use most couplings, one for each output; how much was run."""
    found: dict[str, CoupledExecution] = {}
    work = 0
    for _ in range(_NOISES):
        try:
            execution = runs.coupled_execution(reading, pair, noise(rng))
        except NotComputed:
            work += _FAILURE
            continue
        work += sum(1 + len(item.outcomes) for item in execution.draws)
        if 0 < len(execution.draws) <= _MOST_DRAWS:
            key = str(execution.output)
            if key not in found or _used(execution) > _used(found[key]):
                found[key] = execution
    return sorted(found.values(), key=_used, reverse=True)[:_OUTPUTS], work


def noise(rng: Random) -> runs.Pick:
    """Return a source of noise of run 1: small steps around the centre."""

    def pick(site: runs.Draw, center: Value, scale: Value, law: Law | None) -> Value:
        if law is not None:
            values = [item for item in islice(law.candidates(_SPREAD), _OUTCOMES) if law.chance(item) != 0]
            return rng.choice(values)
        step = rng.randint(-_SPREAD, _SPREAD)
        noise: Any = Fraction(step, 2) if site.sort is ir.Sort.REAL else step
        drawn: Value = center + (abs(noise) if site.distribution == "exponential" else noise)
        return drawn

    return pick


def _used(execution: CoupledExecution) -> int:
    """How many couplings are used, and whether something moves."""
    cases = {(item.step.line, None if item.leaf is None else item.leaf.place) for item in execution.draws}
    paying = {item.step.line for item in execution.draws if item.cost}
    return 2 * len(cases) + 2 * len(paying) + any(item.k != 0 for item in execution.draws)


def _interest(found: Sequence[CoupledExecution]) -> tuple[int, ...]:
    """What is worth looking at comes last."""
    left, right = found[0].inputs
    differs = any(not callable(left[name]) and left[name] != right[name] for name in left)
    length = max(len(item.draws) for item in found)
    return (
        int(differs),
        max(map(_used, found)),
        min(len(found), 3),
        -abs(length - _GOOD_DRAWS),
        -_weight(left),
    )


def _weight(inputs: Inputs) -> int:
    """How large the numbers are."""
    entries = [item for value in inputs.values() for item in (value if isinstance(value, tuple) else ())]
    return int(min(sum(abs(_size(item)) for item in entries), 1e6))


def _order(execution: CoupledExecution) -> tuple[Any, ...]:
    output = execution.output
    return tuple(_size(item) for item in output.values), str(output)


# --- pictures -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pictures:
    """Draws the executions of one proof; ``sites`` are the rows of its table."""

    reading: Reading
    sites: tuple[Site, ...]
    written: Callable[[Output], str]

    def of(self, execution: CoupledExecution) -> model.PairOfRuns:
        """One execution."""
        moments = tuple(self._moments(execution))
        costs = [item.cost for item in execution.draws]
        known = None if None in costs else sum(item for item in costs if item is not None)
        return model.PairOfRuns(
            output=self.written(execution.output),
            inputs=input_rows(self.reading.mechanism, execution.inputs),
            moments=moments,
            chart=self._chart(execution),
            total="" if known is None else number(known),
        )

    def _moments(self, execution: CoupledExecution) -> Iterator[model.Moment]:
        paying = [place for place, item in enumerate(execution.draws) if self._marks_output(item)]
        first, last = (paying[0], paying[-1]) if paying else (None, None)
        for place, item in enumerate(execution.draws):
            phase = ""
            if first is not None and last is not None and len(execution.draws) > 1:
                phase = "before" if place < first else "after" if place > last else "at"
            yield self._moment(execution, place, item, phase)

    def _marks_output(self, item: CoupledDraw) -> bool:
        """Whether this draw is coupled as the output wants it: not the last, usual case of its site."""
        couplings = item.step.couplings if item.leaf is not None else ()
        if len(couplings) < 2:
            return False
        return not item.is_null

    def _moment(self, execution: CoupledExecution, place: int, item: CoupledDraw, phase: str) -> model.Moment:
        site, case = self._row(item)
        statement = item.step.statement
        assert isinstance(statement, ir.Draw | ir.Choose)
        names = Couplings(item.reading).names
        return model.Moment(
            number=place + 1,
            line=statement.span.line,
            where=self._where(item),
            draw=site.draw if site is not None else names.variable(statement.target),
            site=self._site(item),
            kind=_kind(item),
            when="" if case is None else when_words(case),
            k=signed(item.k),
            words=tuple(_words(item)),
            phase=phase,
            values=(value_text(item.values[0]), value_text(item.values[1])),
            curves=_curves(item),
            then=tuple(_then(item)),
            chances=None if item.chances is None else (_size(item.chances[0]), _size(item.chances[1])),
            state=tuple(islice(_state(item), _VARIABLES)),
            ledger=self._ledger(execution, place),
        )

    def _row(self, item: CoupledDraw) -> tuple[Site | None, str | None]:
        """The site's row, and when the case applies that is used."""
        line = item.step.line
        site = next((row for place, row in enumerate(self.sites) if place == self._place(item)), None)
        if site is None or item.leaf is None or len(item.step.couplings) < 2 or line is None:
            return site, None
        draw = item.step.statement
        assert isinstance(draw, ir.Draw)
        used = Couplings(item.reading).coupling(draw, item.leaf)
        fitting = [case.when for case in site.cases if (case.coupling, case.k, case.cost) == used]
        return site, " or ".join(fitting) if fitting else None

    def _place(self, item: CoupledDraw) -> int | None:
        return self._places.get((id(item.reading), item.step.node.place))

    @cached_property
    def _places(self) -> Mapping[tuple[int, str], int]:
        """The rows of sites by reading and place of the certificate."""
        found: dict[tuple[int, str], int] = {}
        place = 0
        for part in self.reading.parts or (self.reading,):
            if part.law is not None:
                place += 1
            for step in Couplings(part).draws:
                found[id(part), step.node.place] = place
                place += 1
        return found

    def _site(self, item: CoupledDraw) -> int:
        return self._place(item) or 0

    def _where(self, item: CoupledDraw) -> str:
        """The values of the loop variables, if the draw is in a loop."""
        names = Couplings(item.reading).names
        known = item.state.values
        inside = _loops_around(item.reading.mechanism, item.step.statement)
        shown = [
            f"{names.variable(name)} = {value_text(known[name])}"
            for name in dict.fromkeys(loop_variables(names))
            if name in known and name in inside
        ]
        return ", ".join(shown)

    # --- the ledger -------------------------------------------------------------------------

    def _ledger(self, execution: CoupledExecution, place: int) -> model.Ledger | None:
        costs = [item.cost for item in execution.draws]
        if execution.budget is None or None in costs:
            return None
        paid = [item or 0.0 for item in costs]
        most = max(execution.budget, sum(paid)) or 1.0
        segments, x = [], 0.0
        for number_, cost in enumerate(paid[: place + 1]):
            if cost:
                width = 100 * cost / most
                site = self._site(execution.draws[number_])
                segments.append(model.Segment(round(x, 2), round(width, 2), site, number_ == place))
                x += width
        return model.Ledger(
            segments=tuple(segments),
            limit=round(100 * execution.budget / most, 2),
            paid=number(sum(paid[: place + 1])),
            bound=number(execution.budget),
            now=number(paid[place]),
        )

    # --- the chart --------------------------------------------------------------------------

    def _chart(self, execution: CoupledExecution) -> model.Chart | None:
        if not execution.draws:
            return None
        y, marks, height = _axis([value for item in execution.draws for value in item.values])
        columns = tuple(
            model.Column(
                number=place + 1,
                x=_EDGE + _WIDTH * place + _WIDTH / 2,
                left=y(item.values[0]),
                right=y(item.values[1]),
                label=self._label(item),
                k=signed(item.k),
                kind=_kind(item),
                site=self._site(item),
            )
            for place, item in enumerate(execution.draws)
        )
        return model.Chart(_EDGE + _WIDTH * len(execution.draws) + 8, height + _FOOT, columns, marks)

    def _label(self, item: CoupledDraw) -> str:
        statement = item.step.statement
        assert isinstance(statement, ir.Draw | ir.Choose)
        names = Couplings(item.reading).names
        name = "noise" if names.is_hidden(statement.target) else names.variable(statement.target)
        name = name.rpartition(".")[2]  # without the function that it is in
        where = self._where(item).rpartition(", ")[2]
        full = f"{name}, {where}" if where else name
        return full if len(full) <= _LABEL else f"{full[: _LABEL - 1]}…"


_LABEL = 15


def _loops_around(mechanism: ir.Mechanism, statement: ir.Statement) -> frozenset[str]:
    """What is assigned in the loops around a statement."""

    def search(body: tuple[ir.Statement, ...], names: frozenset[str]) -> frozenset[str] | None:
        for item in body:
            if item is statement:
                return names
            inner = names
            if isinstance(item, ir.Loop):
                inner = names | {
                    part.target for part in ir.statements(item.body) if isinstance(part, ir.Assign)
                }
            for part in ir.blocks(item):
                found = search(part, inner)
                if found is not None:
                    return found
        return None

    return search(mechanism.body, frozenset()) or frozenset()


def _axis(
    values: Sequence[Value],
) -> tuple[Callable[[Value], float], tuple[tuple[float, str], ...], float]:
    """Where values stand, with marks, and the height of both.

    Numbers stand on a scale, truth values on two lines of their own below it.
    """
    numbers = [_size(value) for value in values if not isinstance(value, bool)]
    height = _SCALE if numbers else _TOP
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 0.0)
    margin = (high - low) * 0.08 or 1.0
    low, high = low - margin, high + margin
    truths = {True: height + 0.5 * _LINE, False: height + 1.5 * _LINE} if len(numbers) < len(values) else {}

    def on_scale(size: float) -> float:
        return round(_TOP + (height - _TOP) * (high - size) / (high - low), 1)

    def y(value: Value) -> float:
        return truths[value] if isinstance(value, bool) else on_scale(_size(value))

    marks = [(on_scale(mark), number(mark)) for mark in _marks(low, high)] if numbers else []
    marks += [(place, str(value)) for value, place in truths.items()]
    return y, tuple(marks), height + len(truths) * _LINE


def _marks(low: float, high: float) -> list[float]:
    """Round numbers on an axis, about four."""
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
    first = math.ceil(low / step)
    return [place * step for place in range(first, math.floor(high / step) + 1)]


def _kind(item: CoupledDraw) -> str:
    if item.leaf is None:
        return "equal"
    if item.leaf.rule == INTERVAL:
        return "interval"
    return "null" if item.is_null else "shift"


# --- words ----------------------------------------------------------------------------------


def _words(item: CoupledDraw) -> Iterator[str]:
    first, second = map(value_text, item.values)
    if item.centers is None:
        chances = [] if item.chances is None else list(map(value_text, item.chances))
        match chances:
            case [one, two] if one == two:
                yield f"Both runs draw {first}, with the same probability {one}."
            case [one, two]:
                yield f"Both runs draw {first}. Its probability is {one} in run 1, and {two} in run 2."
            case _:
                yield f"Both runs draw {first}."
        yield _cost(item)
        return
    one, two = map(value_text, item.centers)
    apart = item.centers[1] - item.centers[0]
    kind = _kind(item)
    if kind == "null" and apart == 0:
        yield f"Both runs have the centre {one} and draw the same noise: {first}."
    elif kind == "null":
        yield f"The same noise in both runs: run 2's draw moves with its centre, from {first} to {second}."
    elif item.k == 0 and apart == 0:
        yield f"Both runs have the centre {one}, and draw the same value: {first}."
    elif item.k == 0:
        yield (
            f"Run 2 draws the same value, {first}. Its centre is {two} instead of {one},"
            " so its noise is another one."
        )
    else:
        yield f"Run 1 draws {first}. Run 2's noise is chosen so that it draws {second}: k = {signed(item.k)}."
    yield _cost(item)


def _cost(item: CoupledDraw) -> str:
    if item.cost is None:
        return "What this costs stands in the table of couplings."
    if item.cost == 0:
        return "This costs nothing."
    unit = "of (distance/sigma)²" if item.squared else "nats"
    if item.centers is None or item.scale is None or item.squared:
        return f"This costs {number(item.cost)} {unit}."
    moved = abs(item.k - (item.centers[1] - item.centers[0]))
    ratio = _size(moved) / _size(item.scale)
    if abs(ratio - item.cost) < 1e-9:
        return (
            f"The noise moves by {value_text(moved)} at scale {value_text(item.scale)}:"
            f" that costs {value_text(moved)}/{value_text(item.scale)} = {number(item.cost)} nats."
        )
    return (
        f"The noise moves by {value_text(moved)} at scale {value_text(item.scale)}; the proof pays"
        f" {number(item.cost)} nats, which is enough for the largest distance that is possible here."
    )


def _then(item: CoupledDraw) -> Iterator[str]:
    """What both runs publish next."""
    names, seen = Couplings(item.reading).names, set()
    observable = {branch.branch for branch in item.reading.observable_branches()}
    for moment in item.outcomes:
        match moment.statement:
            case ir.If(branch=branch, span=span) if branch in observable and not _heads_loop(names, span):
                truth = "true" if moment.values[0] else "false"
                said = f"Line {span.line}: the condition is {truth} in both runs."
            case ir.Append(target=target, span=span) if target in _returned(item.reading.mechanism):
                shown = ", ".join(map(value_text, moment.values))
                said = f"Line {span.line}: both runs append {shown} to {names.variable(target)}."
            case _:
                continue
        if said not in seen:
            seen.add(said)
            yield said


def _state(item: CoupledDraw) -> Iterator[model.InputRow]:
    """The user's scalars in both runs before the next draw; those that no loop counts."""
    if item.after is None:
        return
    names = Couplings(item.reading).names
    left, right = (state.values for state in item.after)
    skipped = {*names.hidden, *loop_variables(names)}
    for name in item.reading.mechanism.variables:
        if name in left and name in right and name not in skipped and "%" not in name and "." not in name:
            yield model.InputRow(names.variable(name), (_entry(left[name], right[name]),), False)


def _heads_loop(names: Names, span: ir.Span) -> bool:
    """Whether a branch is only the end of a ``for`` loop."""
    return names.mechanism.text_of_line(span.line).lstrip().startswith("for ")


def _returned(mechanism: ir.Mechanism) -> set[str]:
    ends = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Return))
    return {name for item in ends for name in item.lists}


# --- densities ------------------------------------------------------------------------------


def _curves(item: CoupledDraw) -> tuple[model.Curve, model.Curve] | None:
    """The two densities on one axis, 300 wide."""
    statement = item.step.statement
    if item.centers is None or item.scale is None or not isinstance(statement, ir.Draw):
        return None
    centers, values = [_size(c) for c in item.centers], [_size(v) for v in item.values]
    scale = _size(item.scale)
    density = _DENSITIES.get(statement.distribution)
    if density is None or not scale > 0:
        return None
    reach = 2.2 * scale
    low, high = min(*centers, *values) - reach / 2, max(*centers, *values) + reach / 2
    if high - low > 200 * scale:
        return None

    def x(value: float) -> float:
        return round(_CURVE_WIDTH * (value - low) / (high - low), 1)

    def curve(run: int) -> model.Curve:
        places = [low + (high - low) * step / _POINTS for step in range(_POINTS + 1)]
        places = sorted({*places, centers[run]})
        points = [
            f"{x(place)},{round(_CURVE_HEIGHT * (1 - density((place - centers[run]) / scale)) + 4, 1)}"
            for place in places
        ]
        foot = _CURVE_HEIGHT + 4
        path = f"M0,{foot} L{' L'.join(points)} L{_CURVE_WIDTH},{foot} Z"
        return model.Curve(
            path, x(centers[run]), x(values[run]), number(centers[run]), value_text(item.values[run])
        )

    return curve(0), curve(1)


_DENSITIES = {
    "laplace": lambda z: math.exp(-abs(z)),
    "exponential": lambda z: math.exp(-z) if z >= 0 else 0.0,
    "gaussian": lambda z: math.exp(-z * z / 2),
}
"""Densities at a distance from the centre in units of the scale, at most 1."""


# --- texts ----------------------------------------------------------------------------------


def _size(value: Any) -> float:
    return estimate(rational(value))


def number(value: float) -> str:
    """A number in few digits."""
    return f"{value:.4g}".replace("-", "−")


def value_text(value: Value) -> str:
    """A value of a run."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return str(value).replace("-", "−") if abs(value) < 10**12 else number(_size(value))
    return number(_size(value))


def signed(value: Value) -> str:
    """A difference with its sign; 0 without."""
    written = value_text(value)
    return written if written == "0" or written.startswith("−") else f"+{written}"


def flat_text(output: Output) -> str:
    """An output in short."""
    parts = [value_text(item) for item in output.values]
    for rows in output.lists:
        parts.append(f"[{', '.join(map(_row_text, rows))}]")
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def _row_text(row: tuple[Value, ...]) -> str:
    inner = ", ".join(map(value_text, row))
    return f"({inner})" if len(row) > 1 else inner


def input_rows(mechanism: ir.Mechanism, inputs: Pair) -> tuple[model.InputRow, ...]:
    """The parameters, those that differ first; of functions of one index some values."""
    rows = []
    for item in mechanism.visible:
        left, right = (given[item.name] for given in inputs)
        if isinstance(left, Value) and isinstance(right, Value):
            rows.append(model.InputRow(item.name, (_entry(left, right),), False))
        elif callable(left) and callable(right):
            if item.arity == 1 and item.metric is not None:
                entries = tuple(_entry(left(place), right(place)) for place in range(_VALUES))
                rows.append(model.InputRow(f"{item.name}(0…{_VALUES - 1})", entries, True))
        elif isinstance(left, Sequence) and isinstance(right, Sequence):
            rows.append(model.InputRow(item.name, tuple(map(_entry, left, right)), True))
    return tuple(sorted(rows, key=lambda row: not row.differs))


def _entry(left: Value, right: Value) -> model.Entry:
    return model.Entry(value_text(left), value_text(right))
