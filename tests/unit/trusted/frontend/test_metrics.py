"""Which lists the metrics of vectors and records relate: just those of the definition."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from synth.refuter.exact.inputs import is_adjacent
from synth.refuter.record_lists import python_inputs
from synth.trusted.core.interpreter import Output, outcome
from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

List = tuple[Any, ...]
LONGER = ((2, 2, 2), (0, 1, 2), (2, 1, 2))


def mechanism(metric: str, parameters: str = "x: list[int]", body: str = "return 0") -> ir.Mechanism:
    """A mechanism with that metric for x."""
    head = f'@mechanism(adjacent={{"x": {metric}}})\ndef f({parameters}):\n    {body}\n'
    (found,) = read_source(f"from synth.lang import *\n\n\n{head}", "test.py")
    return found


def inputs(of: ir.Mechanism, length: int, entries: List) -> list[dict[str, List]]:
    """All inputs of the core program of that length."""
    ranges = [(False, True) if item.sort is ir.Sort.BOOL else entries for item in of.parameters]
    rows = product(*(product(values, repeat=length) for values in ranges))
    return [dict(zip((item.name for item in of.parameters), row, strict=True)) for row in rows]


def related(of: ir.Mechanism, length: int, entries: List) -> set[tuple[List, List]]:
    """The pairs of lists of the Python program that adjacent inputs of the core program stand for."""
    every = inputs(of, length, entries)
    pairs = ((one, other) for one in every for other in every if is_adjacent(of, one, other))
    return {(tuple(python_inputs(of, a)["x"]), tuple(python_inputs(of, b)["x"])) for a, b in pairs}


def changes(one: List, other: List) -> list[int]:
    """By how much entries differ, where they do."""
    return [abs(a - b) for a, b in zip(one, other, strict=True) if a != b]


@pytest.mark.parametrize(
    ("k", "each", "length"),
    [(1, 2, 2), (1, 0, 1), *(pytest.param(*case, marks=pytest.mark.slow) for case in LONGER)],
)
def test_few_entries_differ_by_a_little(k: int, each: int, length: int) -> None:
    of = mechanism(f"sparse_distance({k}, {each})")
    entries = (0, 1, 3)
    near = {
        (one, other)
        for one, other in product(product(range(-2, 6), repeat=length), repeat=2)
        if len(changes(one, other)) <= k and max(changes(one, other), default=0) <= each
    }
    found = related(of, length, entries)
    assert found <= near
    inside = {(u, v) for u, v in near if set(u) <= set(entries) and set(v) <= set(entries)}
    assert inside <= found


@pytest.mark.parametrize("k", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_few_records_are_others(k: int) -> None:
    of = mechanism(f"hamming_distance({k})")
    lists = list(product((0, 1, 5), repeat=2))
    near = {(u, v) for u in lists for v in lists if len(changes(u, v)) <= k}
    assert related(of, 2, (0, 1, 5)) == near


def test_names_of_one_metric() -> None:
    for one, other in (
        ("hamming_distance()", "change_one_distance()"),
        ("insert_delete_distance(2)", "add_remove_distance(2)"),
        ("insert_delete_distance()", "add_remove_distance()"),
    ):
        assert [item.metric for item in mechanism(one).parameters] == [
            item.metric for item in mechanism(other).parameters
        ]


def test_the_program_sees_what_a_witness_shows() -> None:
    of = mechanism("sparse_distance(1, 2)", body="return [v for v in x]")
    for given in inputs(of, 1, (0, 1, 7)):
        found = outcome(of, given, lambda _, law: 0)
        assert isinstance(found, Output)
        assert [row[0] for row in found.lists[0]] == python_inputs(of, given)["x"]


@pytest.mark.parametrize(
    ("metric", "parameters", "words"),
    [
        ("symmetric_distance(1)", "x: list[int]", "insert_delete_distance(k)"),
        ("l0_distance(1)", "x: list[int]", "sparse_distance(k, each)"),
        ("l01inf_distance(1)", "x: list[int]", "sparse_distance(k, each)"),
        ("sparse_distance(1)", "x: list[int]", "lacks the argument 'each'"),
        ("sparse_distance(1, -1)", "x: list[int]", "negative"),
        ("sparse_distance(-1, 1)", "x: list[int]", "negative"),
        ("sparse_distance(0.5, 1)", "x: list[int]", "must be an integer"),
        ("sparse_distance(1, 0.5)", "x: list[int]", "'each' must be one, too"),
        ("sparse_distance(1, 1)", "x: list[bool]", "a list of numbers"),
        ("sparse_distance(1, 1)", "x: list[str]", "a list of numbers"),
        ("sparse_distance(1, 1)", "x: list[tuple[int, int]]", "a list of numbers"),
        ("sparse_distance(1, 1)", "x: int", "for lists"),
        ("l2_distance(-1)", "x: list[float]", "negative"),
        ("l2_distance(1)", "x: float", "a sequence"),
        ("hamming_distance(1)", "x: int", "for lists"),
    ],
)
def test_what_is_no_metric_here_says_why(metric: str, parameters: str, words: str) -> None:
    with pytest.raises(ProgramError) as caught:
        mechanism(metric, parameters)
    assert words in caught.value.message, caught.value.message


def test_a_distance_that_is_a_parameter_is_not_negative() -> None:
    text = write_core(mechanism("sparse_distance(1, 'c')", "x: list[int], c: int"))
    assert "0 <= c" in text
