"""Rewritings: each keeps the distribution of the output, and reads nothing that it has not assigned.

Distributions are enclosed by the refuter's engine; and they are those of the definition, exactly, where noise
is on integers and all chances are numbers that it computes with.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from synth.prover.normal_form.pipeline import PASSES
from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.work import OutOfTimeError
from synth.refuter.output_table import distribution
from synth.trusted.core.interpreter import Distribution
from synth.trusted.program import syntax as ir
from tests.support.branching_programs import branching_program
from tests.support.finite_programs import any_program
from tests.support.looping_programs import looping_program
from tests.support.noise_programs import random_mechanism
from tests.support.sized_programs import sized_program

from . import defined_laws
from .assigned import unassigned
from .hunting import Broken, Try, about
from .inputs import inputs_of
from .random_texts import read_random

GRAMMARS = (branching_program, looping_program, looping_program, any_program, sized_program, random_mechanism)
INPUTS = 2
SECONDS = 1.0
"""For one distribution."""

ROUNDING = 1e-9
Points = dict[str, tuple[float, float]]


def attempt(case: str) -> Iterator[Try]:
    """One program, and what each rewriting makes of it."""
    rng = random.Random(case)
    read = read_random(rng, GRAMMARS)
    if read is None:
        yield Try("refused", reached=False)
        return
    text, of = read
    with about(text):
        yield from compared(text, of, rng)


def compared(text: str, of: ir.Mechanism, rng: random.Random) -> Iterator[Try]:
    """Each rewriting that changes something.  Raises Broken."""
    if unassigned(of):
        raise Broken(f"the reader leaves {unassigned(of)} unassigned", text)
    places = [inputs for _ in range(INPUTS) if (inputs := inputs_of(of, rng, 2, tables=True)) is not None]
    known: list[Points | None] | None = None
    meaning = [defined_laws.law(of, inputs) for inputs in places]
    for rewrite in PASSES:
        form = rewrite(of)
        if form != of:
            lost = unassigned(form)
            if lost:
                raise Broken(f"{rewrite.__name__} leaves {lost} unassigned", text)
            before = known if known is not None else [_points(of, inputs) for inputs in places]
            after = [_points(form, inputs) for inputs in places]
            for inputs, one, other in zip(places, before, after, strict=True):
                _agree(f"{rewrite.__name__}, inputs {inputs}", text, one, other)
            comparable = any(one is not None for one in before)
            yield Try(rewrite.__name__ if comparable else f"{rewrite.__name__}: no distribution", comparable)
            means = [defined_laws.law(form, inputs) for inputs in places]
            yield from _agree_by_definition(rewrite.__name__, text, places, meaning, means)
            of, known, meaning = form, after, means


def _agree_by_definition(
    what: str,
    text: str,
    places: list[dict[str, Any]],
    before: list[Distribution | None],
    after: list[Distribution | None],
) -> Iterator[Try]:
    for inputs, one, other in zip(places, before, after, strict=True):
        try:
            found = defined_laws.compare(one, other)
        except defined_laws.Differ as error:
            raise Broken(f"{what}, inputs {inputs}, by definition: {error}", text) from None
        if found is not None:
            yield Try(f"{what}, by definition: {found}")


def _points(of: ir.Mechanism, inputs: dict[str, Any]) -> Points | None:
    """The chances of outputs; None where they aren't found in time, or an obligation fails."""
    try:
        lines = distribution(of, [inputs], time.monotonic() + SECONDS)
    except (UndefinedError, OutOfTimeError):
        return None
    return {repr(line.output): line.probabilities[0] for line in lines}


def _agree(what: str, text: str, one: Points | None, other: Points | None) -> None:
    if one is None or other is None:
        return
    # Outputs far out are put together, in ranges that need not be the same.
    listed = one.keys() & other.keys() if _grouped(one) or _grouped(other) else one.keys() | other.keys()
    for output in listed:
        (low, high), (least, most) = one.get(output, (0.0, 0.0)), other.get(output, (0.0, 0.0))
        if low > most + ROUNDING or least > high + ROUNDING:
            raise Broken(f"{what}: {output} has the chance {low}..{high}, then {least}..{most}", text)


def _grouped(points: Points) -> bool:
    """Whether some outputs are not listed each by itself."""
    return sum(low for low, _ in points.values()) < 1 - ROUNDING or any("'from'" in item for item in points)
