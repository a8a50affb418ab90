"""Numbers that no float holds: exact where they are exact, else an answer without an error of ours."""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from synth.app.assignments import read_assignments
from synth.app.cli import main
from synth.refuter.exact.inputs import written
from synth.refuter.search.search import refute
from synth.support.floats import estimate
from synth.trusted.errors import UsageError
from synth.trusted.logic.arithmetic.exponentials import exponential
from synth.trusted.program import syntax as ir
from tests.support.proving import assert_bound, claimed, from_text, prove_apart

HUGE = 10**400


def mechanism(result: str, parameters: str = "x: int, eps: float", distance: str = "1") -> ir.Mechanism:
    return from_text(
        f"""
        @mechanism(adjacent={{"x": absolute_distance("{distance}")}}, requires="eps > 0")
        def f({parameters}):
            {result}
        """
    )


REAL = "x: float, eps: float"
PROVED = {
    "integer scale": (mechanism("return laplace(x, 10**400)"), "1 / 10**400"),
    "public centre": (mechanism("return laplace(0, 10**400)"), "0"),
    "small scale": (mechanism("return laplace(x, 1e-300 / 10**300)", REAL), "10**600"),
    "centre": (mechanism("return laplace(x + 10**400, 1)"), "1"),
    "threshold": (mechanism("return laplace(x, 1) > 10**400", REAL), "1"),
    "distance": (mechanism("return laplace(x, 1 / eps)", distance="10**400"), "10**400 * eps"),
    "small distance": (mechanism("return laplace(x, 1 / eps)", REAL, "1 / 10**400"), "eps / 10**400"),
    "factor": (mechanism("return laplace(10**400 * x, 10**400 / eps)"), "eps"),
    "small rate": (mechanism("return randomized_response(x > 0, 1 / 10**400)"), "1 / 10**400"),
}


@pytest.mark.parametrize("case", PROVED)
def test_proved(case: str) -> None:
    of, epsilon = PROVED[case]
    assert_bound(of, prove_apart(of), epsilon)


@pytest.mark.parametrize(
    ("result", "parameters"),
    [
        ("return laplace(x, 10**400)", "x: int, eps: float"),
        ("return laplace(10**400 * x, 10**399)", REAL),
        ("return gaussian(10**400 * x, 1)", REAL),
    ],
)
def test_no_witness_is_no_error(result: str, parameters: str) -> None:
    refute(claimed(mechanism(result, parameters), "1 / 10**401"), seconds=0.2)


def test_a_witness_against_a_claim_that_no_float_holds() -> None:
    assert refute(claimed(mechanism("return laplace(x, 1)"), "1 / 10**400"), seconds=60) is not None


def test_a_large_output_is_told() -> None:
    of = claimed(mechanism("return 10**400 + 0.5 if laplace(x, 1) > 0 else 10**400 - 0.5", REAL), "1/2")
    found = refute(of, seconds=60)
    assert found is not None and found.output in (f"{2 * HUGE + 1}/2", f"{2 * HUGE - 1}/2")


@pytest.mark.parametrize("number", [0, 1, -1, Fraction(1, 3), HUGE, -HUGE, Fraction(1, HUGE), 1e300, -1e-200])
def test_estimates_keep_the_sign(number: Fraction | int | float) -> None:
    near = estimate(number)
    assert (near > 0) == (number > 0) and (near < 0) == (number < 0)
    assert abs(near) * abs(near) < float("inf") and (near * near > 0) == bool(number)


@pytest.mark.parametrize("x", [Fraction(1, HUGE), -Fraction(1, HUGE), Fraction(HUGE + 1, 3 * HUGE)])
def test_bounds_of_exponentials_stay_short(x: Fraction) -> None:
    low, high = exponential(x)
    assert low <= sum(x**power / factorial(power) for power in range(20)) <= high
    assert max(low.denominator, high.denominator) <= 10**1200


# --- the command line -----------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.mark.parametrize("body", ["laplace(0, 10**400)", "laplace(x, 1e-300)", "laplace(x, 1) > 10**400"])
def test_probability(body: str, tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    head = "from synth.lang import *\n\n\n@mechanism()\ndef f(x: float):\n"
    path.write_text(f"{head}    return {body}\n", encoding="utf-8")
    plot = tmp_path / "p.svg"
    done = run("probability", str(path), "--input", "x=1/3", "--neighbour", "x=1", "--plot", str(plot))
    assert done.exit_code in (0, 4)
    assert done.exit_code == 0 or "numbers that are larger than any float are not supported" in done.output


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.10000000000000000001", Fraction("0.10000000000000000001")),
        ("1e-400", Fraction(1, HUGE)),
        ("1_000.5", Fraction("1000.5")),
        (str(HUGE), HUGE),
        ("-1/3", Fraction(-1, 3)),
        ("[1, [2, True]]", [1, [2, True]]),
    ],
)
def test_values_are_exact(text: str, value: object) -> None:
    assert read_assignments([f"x={text}"], "--set") == {"x": value}


@pytest.mark.parametrize("text", ["1e400", "1e20000000", "1e-20000000", "9" * 5000, "[" * 3000, "1/0", "1j"])
def test_values_that_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--set x="):
        read_assignments([f"x={text}"], "--set")


def test_what_no_float_holds_is_written_as_a_fraction() -> None:
    assert written(Fraction(2 * HUGE + 1, 2)) == f"{2 * HUGE + 1}/2"
    assert written(Fraction(1, HUGE)) == f"1/{HUGE}"
    assert written(Fraction(1, 2)) == 0.5
