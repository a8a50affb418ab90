"""Two executions that are coupled as a certificate says end alike, and pay no more than was proved."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest

from synth.app.example_inputs import example_inputs
from synth.views.certificate.coupled_executions import NotComputed, coupled_execution
from synth.views.html.pictures import chosen, noise
from tests.unit.views.exporting import golden, golden_reading, parse, reading

SLOW = ("exponential_by_noise", "rappor", "stable_count", "walk")
COUPLED = (
    "above_threshold",
    "gaussian_integers",
    *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW),
)


@pytest.mark.parametrize("name", COUPLED)
def test_the_costs_of_an_execution_are_within_the_bound(name: str) -> None:
    source, rng, many = golden_reading(name), Random(7), 0
    for inputs in islice(example_inputs(source.mechanism), 12):
        for _ in range(6):
            try:
                found = coupled_execution(source, inputs, noise(rng))
            except NotComputed:
                continue
            costs = [item.cost for item in found.draws]
            assert found.budget is not None
            if None not in costs:
                many += 1
                assert sum(item or 0 for item in costs) <= found.budget + 1e-9
    assert many > 20


def test_a_coupling_that_is_wrong_ends_in_different_outputs() -> None:
    """With the threshold too low, run 2 answers something else, and there is no picture."""
    wrong, changed = re.subn(r'"k": "[^"]*"', '"k": "(- 5)"', golden("above_threshold"), count=1)
    assert changed
    source = reading(parse(wrong))
    assert chosen(golden_reading("above_threshold"), example_inputs(source.mechanism))
    rng, refused = Random(7), 0
    for inputs in islice(example_inputs(source.mechanism), 24):
        try:
            coupled_execution(source, inputs, noise(rng))
        except NotComputed:
            refused += 1
    assert refused


def test_the_same_runs_are_chosen_in_each_process() -> None:
    first, second = (
        chosen(source, example_inputs(source.mechanism))
        for source in (golden_reading("above_threshold") for _ in range(2))
    )
    assert [item.output for item in first] == [item.output for item in second]
    assert len({str(item.output) for item in first}) == len(first) > 1
