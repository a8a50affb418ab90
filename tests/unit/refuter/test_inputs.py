"""Adjacency, and values as they are written."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import pytest

from synth.app.assignments import complete, read_assignments
from synth.refuter.exact.inputs import is_adjacent, written
from synth.refuter.search.candidates import candidates, probes
from synth.trusted.errors import UsageError
from synth.trusted.program import syntax as ir
from tests.support.refuting import from_suite, mechanism


def family(metric: str, sort: str = "list[int]") -> ir.Mechanism:
    return mechanism(
        f'@mechanism(adjacent={{"q": {metric}}}, requires="eps > 0 and len(q) > 0")\n'
        f"def f(q: {sort}, b: int, eps: float) -> int:\n    return laplace(0, 1 / eps)\n"
    )


def near(of: ir.Mechanism, left: object, right: object, b: int = 2, eps: object = 1) -> bool:
    return is_adjacent(of, {"q": left, "b": b, "eps": eps}, {"q": right, "b": b, "eps": eps})  # type: ignore


def test_linf() -> None:
    of = family('linf_distance("b")')
    assert near(of, (0, 0), (2, -2))
    assert not near(of, (0, 0), (3, 0))
    assert not near(of, (0, 0), (0,))


def test_monotone() -> None:
    of = family("linf_distance(1, monotone=True)")
    assert near(of, (0, 0), (1, 0)) and near(of, (0, 0), (-1, -1))
    assert not near(of, (0, 0), (1, -1))


def test_l1() -> None:
    of = family('l1_distance("b")')
    assert near(of, (0, 0), (1, -1))
    assert not near(of, (0, 0), (2, 1))


def test_change_one() -> None:
    of = family('change_one_distance("b")')
    assert near(of, (0, 0), (0, 2))
    assert not near(of, (0, 0), (1, 1)) and not near(of, (0, 0), (3, 0))


def test_reals_are_compared_exactly() -> None:
    of = family("linf_distance(1)", "list[float]")
    assert near(of, (Fraction(1, 3),), (Fraction(4, 3),))
    assert not near(of, (Fraction(1, 3),), (Fraction(4, 3) + Fraction(1, 10**30),))


def test_a_distance_that_is_not_defined() -> None:
    of = family('linf_distance("1 / b")')
    assert near(of, (0,), (1,), b=1) and not near(of, (0,), (0,), b=0)


def test_requires_and_public_parameters() -> None:
    of = family("linf_distance(1)")
    assert not near(of, (0,), (1,), eps=0) and not near(of, (), ())
    assert not is_adjacent(of, {"q": (0,), "b": 1, "eps": 1}, {"q": (0,), "b": 2, "eps": 1})


@pytest.mark.parametrize(
    ("path", "name"),
    [("sums.py", "smart_sum"), ("vectors.py", "laplace_vector"), ("noisy_max.py", "exponential_by_noise")],
)
def test_candidates_are_adjacent(path: str, name: str) -> None:
    of = from_suite(f"benchmarks/programs/{path}", name)
    found = list(islice(candidates(of, {}), 60))
    assert len(found) == 60
    assert all(is_adjacent(of, pair.left, pair.right) for pair in (*found, *probes(of, {})))


def test_of_probes_all_entries_move_and_the_claim_is_large() -> None:
    found = list(probes(from_suite("benchmarks/public/dipaut.py", "num_range_leaking"), {}))
    assert {len(pair.left["q"]) for pair in found} == {10, 20}  # type: ignore[arg-type]
    assert all(
        abs(one - two) == 1
        for pair in found
        for one, two in zip(pair.left["q"], pair.right["q"], strict=True)  # type: ignore[arg-type]
    )
    assert found[0].left["eps"] == 8


def test_a_limit_where_a_loop_is_left_is_large_in_some_probe() -> None:
    of = from_suite("tests/completeness/programs/practice/sparse.py", "limit_without_a_share_of_the_noise")
    assert {pair.left["c"] for pair in probes(of, {})} == {1, 3}


def test_values_are_read_and_written() -> None:
    of = from_suite("benchmarks/programs/sums.py", "partial_sum_real")
    found = complete(of, read_assignments(["q=[1, 1/3, -2.5]", "b = 2", "eps=0.1"], "--input"), "--input")
    assert found == {"q": (1, Fraction(1, 3), Fraction(-5, 2)), "b": 2, "eps": Fraction(1, 10)}
    assert [written(item) for item in (found["q"], found["eps"])] == [[1, "1/3", -2.5], 0.1]


@pytest.mark.parametrize(
    "texts",
    [
        ["q"],
        ["q=[1"],
        ["q=open('x')"],
        ["q=[1]", "q=[2]"],
        ["p=1"],
        ["q=1", "b=1", "eps=1"],
        ["q=[1]"],
        ["q=1/0"],
    ],
)
def test_bad_values_are_usage_errors(texts: list[str]) -> None:
    of = from_suite("benchmarks/programs/sums.py", "partial_sum")
    with pytest.raises(UsageError):
        complete(of, read_assignments(texts, "--input"), "--input")
