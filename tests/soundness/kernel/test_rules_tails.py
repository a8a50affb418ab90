"""Tails that are given up only where the runs differ: what may decide where, and what that costs."""

from __future__ import annotations

import json

import pytest

from synth.precision import checked_certificate, noised_real
from synth.trusted.errors import CertificateError
from tests.support.cores import with_core
from tests.support.handmade import DROPPED, Data, accepted, certificate, edited, refusals, rejected, rule, seq

PROGRAM = """
    @mechanism(adjacent={"q": change_one_distance(1)})
    def histogram(q: list[float]) -> list[float]:
        out = []
        for v in q:
            y = laplace(max(v, 0), scale=1)
            out.append(y if v > 0 and y > 11 else 0)
        return out
    """
CHANGED = "(= |v%2<1>| |q#changed|)"
DRAW: Data = rule(
    "LapGen",
    k="0.0",
    within="1.0",
    cost="cost#0",
    amount="1",
    tail=["above", "10.0", "cost#1"],
    tail_when=CHANGED,
)
LOOP: Data = rule(
    "While",
    seq(
        rule("Cond", seq(rule("Exit")), seq()),
        rule("Assn"),
        DRAW,
        rule("Append"),
        rule("Assn"),
    ),
    equal=["v%2", "len(out)"],
    invariant=[
        "(<= |cost#0| (ite (< |q#changed| |v%2<1>|) 1 0))",
        "(<= |cost#1| (ite (< |q#changed| |v%2<1>|) 1 0))",
    ],
)
COSTS: Data = {
    "cost#0": {"sort": "Int", "weight": "1.0", "bound": "1"},
    "cost#1": {"sort": "Int", "weight": "0.0", "bound": "1", "delta": "(/ 1.0 10000.0)"},
}
HISTOGRAM = edited(
    certificate(
        PROGRAM,
        rule("New"),
        rule("Assn"),
        rule("Block", seq(LOOP)),
        rule("Return"),
        epsilon="1.0",
        costs=COSTS,
        safety={"0": "(<= 0 |v%2<1>|)"},
    ),
    "proved",
    delta="(/ 1.0 10000.0)",
)
AT_DRAW = "derivation.2.0.0.0.2"
NO_EVENT = "inputs and on run 1's variables"


def test_a_tail_is_lost_once_where_an_entry_differs() -> None:
    accepted(HISTOGRAM)


@refusals(
    HISTOGRAM,
    {
        "the tail is lost everywhere, and counted once": (
            AT_DRAW,
            {"tail_when": DROPPED},
            "LapGen",
            AT_DRAW,
            "within its bound",
        ),
        "everywhere, in other words": (
            AT_DRAW,
            {"tail_when": "(= |q#changed| |q#changed|)"},
            "LapGen",
            AT_DRAW,
            "within its bound",
        ),
        "nowhere": (AT_DRAW, {"tail_when": "false"}, "Append", "derivation.2.0.0.0.3", "publish the same"),
        "at the entry behind": (
            AT_DRAW,
            {"tail_when": "(= |v%2<1>| (+ |q#changed| 1))"},
            "LapGen",
            AT_DRAW,
            "within its bound",
        ),
        "run 2 says where": (AT_DRAW, {"tail_when": "(= |v%2<2>| |q#changed|)"}, "LapGen", AT_DRAW, NO_EVENT),
        "a cost says where": (AT_DRAW, {"tail_when": "(= |cost#1| 0)"}, "LapGen", AT_DRAW, NO_EVENT),
        "the count of couplings says where": (
            AT_DRAW,
            {"tail_when": f"(and {CHANGED} (= |cost#0| 0))"},
            "LapGen",
            AT_DRAW,
            NO_EVENT,
        ),
        "the drawn value says where": (
            AT_DRAW,
            {"tail_when": f"(and {CHANGED} (< 0.0 |y<1>|))"},
            "LapGen",
            AT_DRAW,
            "the draw itself",
        ),
        "the drawn value of run 2": (AT_DRAW, {"tail_when": "(< 0.0 |y<2>|)"}, "LapGen", AT_DRAW, NO_EVENT),
        "no formula": (AT_DRAW, {"tail_when": "1.0"}, "LapGen", AT_DRAW, ""),
        "no tail": (AT_DRAW, {"tail": DROPPED}, "LapGen", AT_DRAW, "malformed"),
        "an unknown name": (AT_DRAW, {"tail_when": "|z<1>|"}, "LapGen", AT_DRAW, ""),
        "the mass is half of it": (
            "costs",
            {"cost#1": {**COSTS["cost#1"], "delta": "(/ 1.0 100000.0)"}},
            "LapGen",
            AT_DRAW,
            "the mass pays",
        ),
        "nothing is lost in all": (
            "costs",
            {"cost#1": {**COSTS["cost#1"], "bound": "0"}},
            "LapGen",
            AT_DRAW,
            "within its bound",
        ),
    },
)
def test_a_tail_given_up_somewhere_is_refused(data: Data, name: str, place: str, reason: str) -> None:
    """What decides where depends on no output, and each place where it holds counts."""
    rejected(data, name, place, reason)


ANY = edited(
    certificate(
        """
        @mechanism(adjacent={"x": absolute_distance(1)})
        def m(x: float):
            return laplace(5 * x, scale=1)
        """,
        rule("LapGen", k="null", tail=["both", "0.0", "cost#1"]),
        rule("Return"),
        epsilon="(/ 1.0 1000.0)",
        costs={"cost#1": {"sort": "Int", "weight": "0.0", "bound": "1", "delta": "1.0"}},
    ),
    "proved",
    delta="1.0",
)


def test_finite_precision_takes_no_epsilon_that_stands_beside_a_delta() -> None:
    """The noise has the scale 1, and answers are 5 apart; with δ = 1 any ε is proved."""
    accepted(ANY)
    proof = checked_certificate(json.dumps(with_core(ANY)))
    with pytest.raises(CertificateError, match="a single epsilon"):
        noised_real(proof, {})


def one_sided(center: str, tail: list[str], delta: str, scale: str = "1") -> Data:
    """Something private is told where one-sided noise is above 10, which is given up."""
    program = f"""
        @mechanism(adjacent={{"x": absolute_distance(1)}})
        def m(x: float):
            y = exponential({center}, scale={scale})
            return x if y > 10 else 0.0
        """
    return edited(
        certificate(
            program,
            rule("OneLapGen", k="0.0" if "." in center else "0", within="0.0", tail=tail),
            rule("Return"),
            epsilon="0.0",
            costs={"cost#1": {"sort": "Int", "weight": "0.0", "bound": "1", "delta": delta}},
        ),
        "proved",
        delta=delta,
    )


ENOUGH, TOO_LITTLE = "(/ 1.0 22000.0)", "(/ 1.0 22100.0)"
"""exp(-10) is 1/22026.5."""


@pytest.mark.parametrize(
    "data",
    [
        one_sided("0.0", ["above", "10.0", "cost#1"], ENOUGH),
        one_sided("0", ["above", "9.5", "cost#1"], ENOUGH),
        one_sided("0.0", ["both", "10.0", "cost#1"], "(/ 1.0 11000.0)"),
        one_sided("0.0", ["above", "(- 1.0)", "cost#1"], "3.0"),
    ],
    ids=["reals", "integers", "twice", "below the centre"],
)
def test_a_tail_of_noise_with_one_side(data: Data) -> None:
    accepted(data)


@pytest.mark.parametrize(
    "data",
    [
        one_sided("0.0", ["above", "10.0", "cost#1"], TOO_LITTLE),
        one_sided("0", ["above", "9.5", "cost#1"], TOO_LITTLE),
        one_sided("0.0", ["both", "10.0", "cost#1"], ENOUGH),
        one_sided("0.0", ["above", "10.0", "cost#1"], ENOUGH, scale="2"),
        one_sided("0.0", ["above", "(- 1.0)", "cost#1"], "1.0"),
    ],
    ids=["reals", "integers", "twice", "a larger scale", "below the centre"],
)
def test_a_tail_of_noise_with_one_side_has_its_price(data: Data) -> None:
    rejected(data, "OneLapGen", "derivation.0", "the mass pays for the tail")
