"""Domains of private inputs: the core program is that of the nearest inputs inside, which are adjacent."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from synth.refuter.exact.inputs import is_adjacent
from synth.refuter.record_lists import inside, python_inputs
from synth.trusted.core.expressions import evaluate, start
from synth.trusted.core.interpreter import Output, outcome
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.views.assumptions import assumptions

VALUES = (-2, 0, 1, 3, 7)


def text(adjacent: str, requires: str, parameters: str, body: str = "return 0") -> str:
    return (
        "from synth.lang import *\n\n\n"
        f'@mechanism(adjacent={adjacent}, requires="{requires}", epsilon=0)\n'
        f"def f({parameters}):\n    {body}\n"
    )


def mechanism(of: str) -> ir.Mechanism:
    (found,) = read_source(of, "test.py")
    return found


def ran(of: ir.Mechanism, inputs: dict[str, Any]) -> Any:
    found = outcome(of, inputs, lambda site, law: 0)
    assert isinstance(found, Output)
    return found.values


@pytest.mark.parametrize(
    ("requires", "inside"),
    [
        ("0 <= x < k", (0, 1, 3)),
        ("k > x >= 0", (0, 1, 3)),
        ("x > -1 and x <= 2 * k - 5", (0, 1, 3)),
        ("x in range(k)", (0, 1, 3)),
        ("x in range(1, k + 4)", (1, 3, 7)),
        ("x in (1, 0, 2)", (0, 1, 2)),
        ("x in [0, 1]", (0, 1)),
        ("x >= 1 and k >= 2", (1, 3, 7)),
        ("x < k", (-2, 0, 1, 3)),
    ],
)
def test_a_number_inside_is_itself_and_others_are_the_nearest(requires: str, inside: tuple[int, ...]) -> None:
    """With k = 4."""
    of = mechanism(text('{"x": discrete_distance()}', requires, "x: int, k: int", "return x"))
    for x in VALUES:
        (found,) = ran(of, {"x": x, "k": 4})
        shown = python_inputs(of, {"x": x, "k": 4})["x"]
        assert found == shown == min(inside, key=lambda item: (abs(item - x), -item))
        assert (found == x) == (x in inside)


def test_an_assigned_parameter_has_its_domain() -> None:
    of = mechanism(text('{"x": discrete_distance()}', "0 <= x <= 3", "x: int", "x = x + 1; return x"))
    assert [ran(of, {"x": x}) for x in VALUES] == [(1,), (1,), (2,), (4,), (4,)]


@pytest.mark.parametrize("metric", ["linf_distance(2)", "l1_distance(2)", "change_one_distance(2)"])
def test_what_is_shown_of_adjacent_lists_is_adjacent(metric: str) -> None:
    body = "return sum(x) + 10 * x[0] if len(x) > 0 else 0"
    requires = "all(0 <= v <= 3 for v in x)"
    of = mechanism(text(f'{{"x": {metric}}}', requires, "x: list[int]", body))
    plain = mechanism(text(f'{{"x": {metric}}}', "True", "x: list[int]", body))
    for length in range(3):
        rows = list(product(VALUES, repeat=length))
        for one, other in product(rows, rows):
            if is_adjacent(of, {"x": one}, {"x": other}):
                left, right = (tuple(python_inputs(of, {"x": row})["x"]) for row in (one, other))
                assert is_adjacent(plain, {"x": left}, {"x": right})
                assert all(0 <= v <= 3 for v in (*left, *right))
                assert ran(of, {"x": one}) == ran(plain, {"x": left})


@pytest.mark.parametrize("metric", ["add_remove_distance()", "change_one_distance()", "linf_distance(2)"])
@pytest.mark.parametrize("kind", ["list[int]", "NDArray[np.int64]"])
def test_of_a_list_each_entry_is_meant(metric: str, kind: str) -> None:
    head = "import numpy as np\nfrom numpy.typing import NDArray\n"
    short, long = (
        mechanism(
            head + text(f'{{"x": {metric}}}', requires, f"x: {kind}, k: int", "return sum(v for v in x)")
        )
        for requires in ("k > 1 and 0 <= x < k", "k > 1 and all(0 <= v < k for v in x)")
    )
    assert (short.body, short.requires) == (long.body, long.requires)
    assert "inputs with 0 <= x < k" in assumptions(short)


@pytest.mark.parametrize("metric", ["add_remove_distance()", "change_one_distance()"])
def test_records_have_a_domain_in_each_component(metric: str) -> None:
    requires = "all(0 <= a < 2 and 1 <= b for a, b in rows)"
    body = "return sum(10 * a + b for a, b in rows)"
    of = mechanism(text(f'{{"rows": {metric}}}', requires, "rows: list[tuple[int, int]]", body))
    names = [item.name for item in of.parameters]
    ranges = [(False, True) if item.sort is ir.Sort.BOOL else VALUES[:4] for item in of.parameters]
    for row in product(*ranges):
        inputs = {name: (value,) for name, value in zip(names, row, strict=True)}
        rows = python_inputs(of, inputs)["rows"]
        assert all(0 <= a < 2 and b >= 1 for a, b in rows)
        assert ran(of, inputs) == (sum(10 * a + b for a, b in rows),)


def test_entries_are_among_numbers() -> None:
    body = "return sum(x)"
    one, other = (
        mechanism(text('{"x": change_one_distance()}', requires, "x: list[int]", body))
        for requires in ("all(v in (0, 1) for v in x)", "all(0 <= v <= 1 for v in x)")
    )
    assert (one.body, one.requires) == (other.body, other.requires)


def test_the_verdict_names_the_domain() -> None:
    of = mechanism(text('{"x": discrete_distance()}', "0 <= x < k and k > 1", "x: int, k: int"))
    assert "inputs with 0 <= x < k" in assumptions(of)


@pytest.mark.parametrize(
    ("requires", "words"),
    [
        ("x == 1", "only '<'"),
        ("x in (0, 2)", "consecutive integers"),
        ("x in (0, True)", "consecutive integers"),
        ("x in ()", "consecutive integers"),
        ("x in (0, k)", "consecutive integers"),
        ("x in range(0, 4, 2)", "consecutive integers"),
        ("x not in (0, 1)", "a sum or product"),
        ("y in (0, 1)", "consecutive integers"),
        ("q in (0, 1)", "all(v in"),
        ("all(v in (0, 2) for v in q)", "consecutive integers"),
        ("x in range(1)", "no two different inputs"),
        ("x < 0 or x > 3", "'x' is used in requires"),
        ("not x < 0", "'x' is used in requires"),
        ("0 <= k < x", "'x' is used in requires"),
        ("0 <= x < x", "'x' is used in requires"),
        ("x / 2 <= 1", "'x' is used in requires"),
        ("x <= 1 / k", "a sum or product"),
        ("0 <= x != k", "only '<'"),
        ("0 <= x and 1 <= x", "one side"),
        ("3 <= x <= 3", "no two different inputs"),
        ("2 < x < 4", "no two different inputs"),
        ("x <= 0.5", "must be an integer"),
        ("x <= y", "'x' is used in requires"),
        ("0 < y <= 1", "included"),
        ("all(v > 0 for v in q if v < 3)", ""),
        ("all(v != 0 for v in q)", "only '<'"),
        ("all(v >= 0 or v <= 3 for v in q)", "of each entry"),
        ("all(0 <= v <= v for v in q)", "of each entry"),
        ("any(v >= 0 for v in q)", ""),
        ("all(0 <= v for v, w in q)", "of each entry"),
    ],
)
def test_other_conditions_on_private_data_are_refused(requires: str, words: str) -> None:
    adjacent = '{"x": discrete_distance(), "y": absolute_distance(1), "q": change_one_distance()}'
    with pytest.raises(ProgramError) as caught:
        read_source(text(adjacent, requires, "x: int, y: float, q: list[int], k: int"), "test.py")
    assert words in caught.value.message, caught.value.message


def test_all_is_the_builtin() -> None:
    of = text('{"q": change_one_distance()}', "all(0 <= v for v in q)", "q: list[int]")
    own = of.replace("\n\n\n@", "\n\n\ndef all(q: int) -> bool:\n    return True\n\n\n@")
    with pytest.raises(ProgramError) as caught:
        read_source(own, "test.py")
    assert caught.value.code is not Refusal.READER_DEFECT


def test_an_empty_list_is_in_each_domain() -> None:
    """So there are adjacent inputs also where no value is inside."""
    of = mechanism(
        text('{"x": linf_distance(1)}', "all(0 <= v <= k for v in x)", "x: list[int], k: int", "return k")
    )
    assert of.requires == builders.TRUE


def test_a_component_of_truth_values_hides_a_public_parameter() -> None:
    stated = "all(0 <= a <= g for g, a in rows)"
    with pytest.raises(ProgramError) as caught:
        mechanism(
            text(
                '{"rows": change_one_distance()}', stated, "rows: list[tuple[bool, int]], g: int", "return 0"
            )
        )
    assert caught.value.code is Refusal.WRONG_REQUIRES


POSITIONS = ("0 <= places < len(x)", "all(0 <= i < len(x) for i in places)")


@pytest.mark.parametrize("requires", POSITIONS)
def test_entries_of_public_lists_have_domains(requires: str) -> None:
    body = "return sum(x[i] for i in places)"
    of = mechanism(text('{"x": l1_distance(1)}', requires, "x: list[int], places: list[int]", body))
    assert ran(of, {"x": (5, 6, 7), "places": (-1, 1, 9)}) == (18,)
    assert "places" in assumptions(of)
    assert inside(of, {"x": (5, 6, 7), "places": (-1, 1, 9)}) == {"x": (5, 6, 7), "places": (0, 1, 2)}
    assert [evaluate(of.requires, start(of, {"x": (), "places": row})) for row in ((), (0,))] == [True, False]


def test_a_private_length_is_no_bound() -> None:
    of = text('{"x": add_remove_distance()}', POSITIONS[0], "x: list[int], places: list[int]")
    with pytest.raises(ProgramError) as caught:
        mechanism(of)
    assert caught.value.code is Refusal.PRIVATE_SPECIFICATION


@pytest.mark.parametrize(("requires", "excluded"), [(POSITIONS[0], False), ("0 <= x <= 4", True)])
def test_only_a_domain_of_private_data_excludes_what_they_raise(requires: str, excluded: bool) -> None:
    """Without one, that a run raises is an output."""
    body = "assert len(x) > 0\n    if x[0] > 5:\n        raise ValueError\n    return 0"
    of = mechanism(text('{"x": l1_distance(1)}', requires, "x: list[int], places: list[int]", body))
    asked = [item.reason for item in ir.statements(of.body) if isinstance(item, ir.Obligation)]
    assert any("whether this is raised" in reason for reason in asked) == excluded
