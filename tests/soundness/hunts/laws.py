"""Chances that are computed at check time, against those of the definition of the core language.

The check of witnesses has to enclose the chance of each output.  The law of the output that [Lift] is about
has to give exactly that.  Of a program in parts, what the parts publish one after the other has to be what
the whole returns.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf
from typing import Any

from synth.prover.normal_form.pipeline import canonical
from synth.trusted.core.exponential_numbers import Irrational, Number, enclosure
from synth.trusted.core.expressions import Inexact, Value, evaluate, start
from synth.trusted.core.interpreter import Distribution, Output, Undefined, Violated
from synth.trusted.normal_form.decision_trees import Intractable
from synth.trusted.normal_form.output_distribution import OutputLaw, output_law
from synth.trusted.normal_form.sequential_parts import NoCut, column, parts
from synth.trusted.program import syntax as ir
from synth.trusted.witness.backward import Backward, Fineness, TargetOutput
from synth.trusted.witness.boxes import Incomplete
from synth.trusted.witness.boxes import Undefined as WitnessUndefined
from synth.trusted.witness.values import Truth
from tests.support.branching_programs import branching_program
from tests.support.finite_programs import any_program
from tests.support.looping_programs import looping_program
from tests.support.noise_programs import random_mechanism
from tests.support.sized_programs import sized_program

from . import defined_laws
from .hunting import Broken, Try, about
from .inputs import inputs_of
from .random_texts import read_random

GRAMMARS = (branching_program, looping_program, any_program, any_program, sized_program, random_mechanism)
OUTPUTS = 6
"""Of one program, whose chances are computed again."""

Rows = tuple[tuple[Value, ...], ...]
DIGITS = 30
COARSE = Fineness(Fraction(1), Decimal("1e-9"), inf)


def attempt(case: str) -> Iterator[Try]:
    """One program, and what is computed of it."""
    rng = random.Random(case)
    read = read_random(rng, GRAMMARS)
    if read is None:
        yield Try("refused", reached=False)
        return
    text, of = read
    inputs = inputs_of(of, rng, 2, tables=True)
    if inputs is None:
        yield Try("no inputs found", reached=False)
        return
    with about(text):
        law = defined_laws.law(of, inputs)
        if law is None or any(isinstance(outcome, Violated | Undefined) for outcome in law.outcomes):
            yield Try("no law, or an error", reached=False)
            return
        shown = f"{text}\n{inputs}"
        yield from _witnessed(of, inputs, law, rng, shown)
        yield from _lifted(of, inputs, law, shown)
        yield from _in_parts(canonical(of), inputs, law, rng, shown)


# --- the check of witnesses -----------------------------------------------------------------


def _witnessed(
    of: ir.Mechanism, inputs: Mapping[str, Any], law: Distribution, rng: random.Random, shown: str
) -> Iterator[Try]:
    scalars, entries, lengths = _as_witness(of, inputs)
    left = law.beyond + law.unfinished
    found = sorted(law.outputs.items(), key=str)
    for output, chance in rng.sample(found, min(OUTPUTS, len(found))):
        wish = _wished(output)
        if wish is None:
            continue
        engine = Backward(of, wish, entries, lengths, COARSE)
        try:
            enclosed = engine.chance(scalars)
        except (Incomplete, WitnessUndefined) as error:
            if isinstance(error, WitnessUndefined):
                raise Broken(
                    f"undefined for the check of witnesses, not by definition: {error}", shown
                ) from None
            yield Try("witness: incomplete", reached=False)
            continue
        if Fraction(enclosed.high) < _low(chance) or Fraction(enclosed.low) > _high(chance + left):
            raise Broken(f"{output} has the chance {_float(chance)} and is in {enclosed}", shown)
        yield Try("witness: enclosed")


def _as_witness(
    of: ir.Mechanism, inputs: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
    scalars: dict[str, Any] = {}
    entries: dict[str, Any] = {}
    for item in of.parameters:
        if item.kind is ir.ParameterKind.SCALAR:
            scalars[item.name] = _truth(inputs[item.name])
        else:
            entries[item.name] = dict(_table(inputs[item.name], item.arity, ()))
    sequences = [item.name for item in of.parameters if item.kind is ir.ParameterKind.SEQUENCE]
    return scalars, entries, {name: len(inputs[name]) for name in sequences}


def _table(content: Any, arity: int, place: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Any]]:
    if arity == 0:
        yield place, _truth(content)
        return
    for index, item in enumerate(content):
        yield from _table(item, arity - 1, (*place, index))


def _truth(value: Any) -> Any:
    return Truth(value) if isinstance(value, bool) else value


def _wished(output: Output) -> TargetOutput | None:
    """The output as the check is asked for it; None if it has no rational numbers."""
    try:
        return TargetOutput(_plain(output.values), tuple(tuple(map(_plain, rows)) for rows in output.lists))
    except Inexact:
        return None


def _plain(row: tuple[Value, ...]) -> tuple[int | Fraction, ...]:
    if any(isinstance(value, Irrational) for value in row):
        raise Inexact
    return tuple(int(value) if isinstance(value, bool) else value for value in row)


# --- the law of the output ------------------------------------------------------------------


def _lifted(of: ir.Mechanism, inputs: Mapping[str, Any], law: Distribution, shown: str) -> Iterator[Try]:
    try:
        found = output_law(canonical(of))
    except Intractable:
        return
    try:
        total: Number = Fraction(0)
        for output, chance in law.outputs.items():
            stated = _stated(found, of, inputs, output)
            total = total + stated
            if not _within(stated, chance, law):
                raise Broken(f"{output} has the chance {_float(chance)}, not {_float(stated)}", shown)
        if not _within(total, sum(law.outputs.values()), law):
            raise Broken(f"the outputs have the chance {_float(total)}", shown)
    except Inexact:
        yield Try("lift: no such numbers", reached=False)
        return
    yield Try("lift: the same law")


def _stated(found: OutputLaw, of: ir.Mechanism, inputs: Mapping[str, Any], output: Output) -> Number:
    """The chance that the law states; lists are unrolled to values."""
    state = start(of, defined_laws.given(of, inputs))
    values = [*output.values, *(value for rows in output.lists for row in rows for value in row)]
    if len(values) != len(found.values):
        raise Inexact
    for variable, value in zip(found.values, values, strict=True):
        state = state.assign(variable.name, value)
    here = [evaluate(chance, state) for condition, chance in found.outcomes if evaluate(condition, state)]
    if len(here) > 1:
        raise Broken(f"{output} has two chances", "")
    return here[0] if here else 0


def _within(stated: Number, chance: Number, law: Distribution) -> bool:
    return chance <= stated <= chance + law.beyond + law.unfinished


# --- parts ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Published:
    """What the parts have published so far."""

    values: tuple[tuple[str, Value], ...] = ()
    lists: tuple[tuple[str, Rows], ...] = ()


def _in_parts(
    of: ir.Mechanism, inputs: Mapping[str, Any], law: Distribution, rng: random.Random, shown: str
) -> Iterator[Try]:
    if len(of.body) < 2:
        return
    cuts = sorted(rng.sample(range(1, len(of.body)), min(rng.choice((1, 1, 2)), len(of.body) - 1)))
    try:
        pieces = parts(of, cuts)
    except NoCut:
        return
    left: Number = Fraction(0)
    ends: dict[Output, Number] = defaultdict(Fraction)
    waiting: dict[_Published, Number] = {_Published(): Fraction(1)}
    for piece in pieces:
        after: dict[_Published, Number] = defaultdict(Fraction)
        for published, chance in waiting.items():
            found = defined_laws.law(piece, {**inputs, **_handed_on(of, published)})
            if found is None:
                return
            left = left + chance * (1 - sum(found.outputs.values()))
            for output, share in found.outputs.items():
                if piece is pieces[-1]:
                    ends[_whole(of, piece, published, output)] += chance * share
                else:
                    after[_behind(piece, published, output)] += chance * share
        waiting = dict(after)
    for output in {*ends, *law.outputs}:
        one, other = ends.get(output, 0), law.outputs.get(output, 0)
        if one > other + law.beyond + law.unfinished or other > one + left:
            raise Broken(f"cut at {cuts}, {output} has the chance {_float(one)}, not {_float(other)}", shown)
    yield Try("parts: the same law")


def _handed_on(of: ir.Mechanism, published: _Published) -> dict[str, Any]:
    """Published values and lists as parameters of the next part."""
    found: dict[str, Any] = dict(published.values)
    for name, rows in published.lists:
        for place in range(len(of.lists[name].components)):
            found[column(name, place)] = tuple(row[place] for row in rows)
    return found


def _behind(piece: ir.Mechanism, before: _Published, output: Output) -> _Published:
    """What is published behind a part that is not the last; it ends in the only return."""
    end = piece.body[-1]
    assert isinstance(end, ir.Return)
    values = dict(before.values)
    for item, value in zip(end.values, output.values, strict=True):
        assert isinstance(item, ir.Variable)
        values[item.name] = value
    return _Published(tuple(sorted(values.items())), _grown(end.lists, before, output))


def _grown(names: Sequence[str], before: _Published, output: Output) -> tuple[tuple[str, Rows], ...]:
    """Published lists, with what a part has appended to them."""
    lists = dict(before.lists)
    for name, rows in zip(names, output.lists, strict=True):
        lists[name] = lists.get(name, ()) + rows
    return tuple(sorted(lists.items()))


def _whole(of: ir.Mechanism, piece: ir.Mechanism, before: _Published, output: Output) -> Output:
    """The output of the whole, of which the last part returns what is its own."""
    (names,), (own,) = (
        {item.lists for item in ir.statements(one.body) if isinstance(item, ir.Return)} for one in (of, piece)
    )
    lists = dict(_grown(own, before, output))
    return Output(output.values, tuple(lists[name] for name in names))


# --- numbers --------------------------------------------------------------------------------


def _low(number: Number) -> Fraction:
    return enclosure(number, DIGITS)[0]


def _high(number: Number) -> Fraction:
    return enclosure(number, DIGITS)[1]


def _float(number: Number) -> float:
    return float(_low(number))
