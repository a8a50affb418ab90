"""Scales that depend on what a loop counts: costs by a potential, and facts about the counter."""

from __future__ import annotations

import json

import pytest

from synth.trusted.kernel.check import INVALID
from tests.support.handmade import (
    DROPPED,
    Data,
    accepted,
    certificate,
    check_text,
    edited,
    program_edited,
    refusals,
    rejected,
    rule,
    seq,
)
from tests.support.proving import proof_of

LEFT = "(- |n<>| |i%2<1>|)"
ROOT = "(|sqrt:Real| (to_real |n<>|))"
REST = f"(|sqrt:Real| (to_real {LEFT}))"
NEXT = "(|sqrt:Real| (to_real (- |n<>| (+ |i%2<1>| 1))))"
BEFORE = "(|sqrt:Real| (to_real (- |n<>| (- |i%2<1>| 1))))"
INSIDE = ["(<= 0 |i%2<1>|)", "(<= (+ |i%2<1>| 1) |n<>|)"]
COUNTED = ["(<= 1 |i%2<1>|)", "(<= |i%2<1>| |n<>|)"]
PROGRAM = """
    @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1")
    def root(q: Callable[[int], float], n: int, eps: float) -> list[float]:
        out = []
        for i in range(n):
            out.append(laplace(q(i), scale=sqrt(n - i) / eps))
        return out
    """
DRAW: Data = rule("LapGen", k="0.0", within="1.0", cost="cost#0", amount=f"(- {REST} {NEXT})", given=INSIDE)
STEP: Data = rule("Assn", facts=[f"(<= {REST} {BEFORE})"], given=COUNTED)
LOOP: Data = rule(
    "While",
    seq(
        rule("Cond", seq(rule("Exit")), seq()),
        rule("Assn"),
        rule("Skip"),
        rule("Skip"),
        rule("Skip"),
        DRAW,
        rule("Append"),
        STEP,
    ),
    equal=["i%2", "len(out)"],
    invariant=["(<= 0 |i%2<1>|)", "(<= |i%2<1>| |n<>|)", f"(<= |cost#0| (- {ROOT} {REST}))"],
)
FALLING = certificate(
    PROGRAM,
    rule("New"),
    rule("Assn"),
    rule("Block", seq(LOOP)),
    rule("Return"),
    epsilon=f"(* 2.0 |eps<>| {ROOT})",
    costs={"cost#0": {"sort": "Real", "weight": "(* 2.0 |eps<>|)", "bound": ROOT}},
    safety={"0": "(<= 0 |i%2<1>|)"},
)
AT_LOOP = "derivation.2.0.0"
AT_DRAW = f"{AT_LOOP}.0.5"


def test_a_sum_of_reciprocal_roots_is_paid_by_a_potential() -> None:
    """1/√n + … + 1/√1 ≤ 2√n."""
    accepted(FALLING)


def test_the_highest_price_may_be_counted() -> None:
    """1/scale is at most eps, as n - i >= 1; so n uses cost at most n*eps."""
    counted = edited(FALLING, AT_DRAW, amount="1")
    counted = edited(
        counted, AT_LOOP, invariant=["(<= 0 |i%2<1>|)", "(<= |cost#0| |i%2<1>|)", "(<= |i%2<1>| |n<>|)"]
    )
    counted = edited(counted, f"{AT_LOOP}.0.7", facts=DROPPED, given=DROPPED)
    counted = edited(counted, "costs", **{"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "|n<>|"}})
    accepted(edited(counted, "proved", epsilon="(* |eps<>| (to_real |n<>|))"))


@refusals(
    FALLING,
    {
        "half the weight": (
            "",
            {"costs": {"cost#0": {"sort": "Real", "weight": "|eps<>|", "bound": ROOT}}},
            "LapGen",
            AT_DRAW,
            "the amount pays",
        ),
        "half the bound": (
            "",
            {"costs": {"cost#0": {"sort": "Real", "weight": "(* 2.0 |eps<>|)", "bound": f"(/ {ROOT} 2.0)"}}},
            "Return",
            "derivation.3",
            "within its bound",
        ),
        "nothing is known of the counter": (
            AT_DRAW,
            {"given": DROPPED},
            "LapGen",
            AT_DRAW,
            "the amount pays",
        ),
        "the counter is said to be larger": (
            AT_DRAW,
            {"given": [*INSIDE, "(<= 1 |i%2<1>|)"]},
            "LapGen",
            AT_DRAW,
            "given",
        ),
        "false is said to be given": (AT_DRAW, {"given": ["false"]}, "LapGen", AT_DRAW, "given"),
        "given speaks of what is no counter": (
            AT_DRAW,
            {"given": [*INSIDE, "(= (|q[]<1>| |i%2<1>|) (|q[]<1>| |i%2<1>|))"]},
            "LapGen",
            AT_DRAW,
            "|q[]<1>|",
        ),
        "given speaks of the cost": (
            AT_DRAW,
            {"given": ["(<= |cost#0| 0.0)"]},
            "LapGen",
            AT_DRAW,
            "no function",
        ),
        "nothing is paid": (AT_DRAW, {"amount": "0.0"}, "LapGen", AT_DRAW, "the amount pays"),
        "each pays the last step": (AT_DRAW, {"amount": "1.0"}, "While", AT_LOOP, "kept by an iteration"),
        "that the potential goes on is forgotten": (
            f"{AT_LOOP}.0.7",
            {"facts": DROPPED},
            "While",
            AT_LOOP,
            "kept by an iteration",
        ),
        "the potential goes back": (
            f"{AT_LOOP}.0.7",
            {"facts": [f"(<= {BEFORE} {REST})"]},
            "Assn",
            f"{AT_LOOP}.0.7",
            "a fact about public values",
        ),
        "the counter is not known to agree": (
            AT_LOOP,
            {"equal": ["len(out)"]},
            "LapGen",
            AT_DRAW,
            "the scale is no function",
        ),
        "the invariant forgets the counter": (
            AT_LOOP,
            {"invariant": [f"(<= |cost#0| (- {ROOT} {REST}))"]},
            "LapGen",
            AT_DRAW,
            "given",
        ),
        "a tail": (
            AT_DRAW,
            {"tail": ["above", "1.0", "cost#0"]},
            "LapGen",
            AT_DRAW,
            "the scale is no function",
        ),
    },
)
def test_a_potential_that_does_not_pay_is_refused(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_another_scale_needs_another_potential() -> None:
    """1/√(n·m) is at most 1/√m, and 2/√m is not."""
    cheaper = program_edited(FALLING, "sqrt(n - i)", "sqrt(n * (n - i))")
    accepted(cheaper)
    dearer = program_edited(FALLING, "sqrt(n - i)", "sqrt(n - i) / 2")
    rejected(dearer, "LapGen", AT_DRAW, "the amount pays")


GUARDED = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def guarded(x: int, n: int, eps: float) -> int:
        y = 0
        if n > 5:
            y = n
        z = 0
        if n <= 5:
            z = laplace(x, scale=1 / eps)
        return z
    """


def test_what_is_given_on_one_way_is_known_on_that_way_only() -> None:
    """Else n >= 6 would hold where n <= 5, and with it everything."""
    forged = certificate(
        GUARDED,
        rule("Assn"),
        rule("Cond", seq(rule("Assn", given=["(<= 6 |n<>|)"], facts=["(<= 6 |n<>|)"])), seq()),
        rule("Assn"),
        rule(
            "Cond",
            seq(rule("Skip"), rule("Skip"), rule("LapGen", k="0", within="1.0", cost="cost#0", amount="1")),
            seq(),
        ),
        rule("Return"),
        costs={"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "0"}},
    )
    rejected(forged, "Return", "derivation.4", "within its bound")
    honest = edited(edited(forged, "costs.cost#0", bound="1"), "proved", epsilon="|eps<>|")
    accepted(honest)


PRICE = "(/ 1.0 (/ (* (|sqrt:Real| |a<>|) |b<>|) |a<>|))"
SIGNS = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="a > 0 and b > 0 and eps > 0")
    def signs(x: int, a: float, b: float, eps: float) -> int:
        s = sqrt(a) * b / a
        return laplace(x, scale=s)
    """


HEAD = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: float, eps: float) -> float:
    y = laplace(x, 1 / eps)
    return 1 / ("""


@pytest.mark.parametrize(("divisor", "other"), [("1 + exp(y)", "exp(y) - 1"), ("2 ** y", "2 ** y - 1")])
def test_exponentials_and_powers_are_positive(divisor: str, other: str) -> None:
    data = json.loads(proof_of(f"{HEAD}{divisor})\n"))
    accepted(data)
    data = program_edited({name: item for name, item in data.items() if name != "core"}, divisor, other)
    found = check_text(data)
    assert found.verdict == INVALID and "division by zero" in (found.reason or "")


def test_scales_have_the_signs_of_their_parts() -> None:
    data = certificate(
        SIGNS,
        rule("Skip"),
        rule("Skip"),
        rule("Assn"),
        rule("Skip"),
        rule("LapGen", k="0", within="1.0", cost="cost#0", amount="1"),
        rule("Return"),
        costs={
            "cost#0": {
                "sort": "Int",
                "weight": "(/ 1.0 (/ (* (|sqrt:Real| |a<>|) |b<>|) |a<>|))",
                "bound": "1",
            }
        },
        epsilon=PRICE,
    )
    accepted(data)
    rejected(
        program_edited(data, "b > 0", "(b > 0 or b < 0)"),
        "Forall-Eq",
        "costs.cost#0",
        "the weight is at least 0",
    )


DOUBLED = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="2*eps")
def doubled(x: float, n: int, eps: float) -> list[float]:
    out = []
    s = 1 / eps
    for _ in range(n):
        out.append(laplace(x, s))
        s = 2 * s
    return out
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s = 2 * s", "s = 1.9 * s"),
        ("s = 2 * s", "s = s / 2"),
        ("s = 2 * s", "s = 2 * s if n > 3 else s"),
        ("s = 1 / eps", "s = 1 / eps / 2"),
        ("laplace(x, s)", "laplace(x, s / 2)"),
        ('"eps > 0"', '"eps != 0"'),
    ],
)
def test_a_scale_that_is_carried_is_paid_by_how_its_reciprocal_falls(old: str, new: str) -> None:
    data = json.loads(proof_of(DOUBLED))
    accepted(data)
    changed = program_edited({name: item for name, item in data.items() if name != "core"}, old, new)
    assert check_text(changed).verdict == INVALID


COUNTED = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1")
def counted(x: float, n: int, eps: float) -> float:
    return laplace(x, 1 / eps) / (1 + log(n))
"""


@pytest.mark.parametrize(
    ("old", "new"), [("(1 + log(n))", "(1 - log(n))"), ("(1 + log(n))", "log(n)"), ("n >= 1", "n >= 0")]
)
def test_a_logarithm_of_a_count_is_not_negative(old: str, new: str) -> None:
    data = json.loads(proof_of(COUNTED))
    accepted(data)
    changed = program_edited({name: item for name, item in data.items() if name != "core"}, old, new)
    assert check_text(changed).verdict == INVALID


FILTER = """from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="budget >= 0", epsilon="budget")
def filtered(q: list[float], asked: list[float], budget: float) -> list[float]:
    spent = 0.0
    out = []
    for i in range(len(q)):
        if i < len(asked):
            e = asked[i]
            if e > 0 and spent + e <= budget:
                spent += e
                out.append(laplace(q[i], 1 / e))
    return out
"""


@pytest.fixture(scope="module")
def filtered() -> Data:
    data: Data = json.loads(proof_of(FILTER))
    accepted(data)
    return {name: item for name, item in data.items() if name != "core"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("spent + e <= budget", "e <= budget"),
        ("spent += e", "spent += e / 2"),
        ("spent += e", "spent = e"),
        ("laplace(q[i], 1 / e)", "laplace(q[i], 1 / (2 * e))"),
        ("laplace(q[i], 1 / e)", "laplace(2 * q[i], 1 / e)"),
    ],
)
def test_what_both_runs_read_pays_for_itself(filtered: Data, old: str, new: str) -> None:
    """A scale may be made of an entry of a public list: it is what it is in both runs, whatever it is."""
    assert check_text(program_edited(filtered, old, new)).verdict == INVALID


@pytest.mark.parametrize("share", ["max(q[i], 1)", "max(q[0], 1)", "asked[i] if q[i] > 0 else 2 * asked[i]"])
def test_what_private_data_decide_is_no_scale(filtered: Data, share: str) -> None:
    """Each run has its own, or may have."""
    private = program_edited(filtered, "e = asked[i]", f"e = {share}")
    found = check_text(private)
    assert found.verdict == INVALID and found.rule != "Safe"


ON_BOTH_SIDES = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def on_both_sides(x: float, size: Callable[[int], float], n: int, eps: float) -> float:
        s = max(size(n), 1)
        return laplace(x, s / eps)
    """
READ = certificate(
    ON_BOTH_SIDES,
    rule("Assn"),
    rule("Skip"),
    rule("Skip"),
    rule("LapGen", k="0.0", within="1.0", cost="cost#0", amount="1", given=["(<= 1.0 |s<1>|)"]),
    rule("Return"),
    costs={"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "1"}},
    epsilon="|eps<>|",
)


def test_a_value_of_a_public_function_is_a_scale() -> None:
    """It is at least 1 at the draw, so eps is enough for each value that it may have."""
    accepted(READ)
    at_draw = "derivation.3"
    rejected(edited(READ, at_draw, given=[]), "LapGen", at_draw, "the amount pays")
    rejected(edited(READ, at_draw, given=["(<= 2.0 |s<1>|)"]), "LapGen", at_draw, "given")
    rejected(edited(READ, "costs.cost#0", weight="|s<1>|"), "LapGen", at_draw, "has no value here")


def test_a_private_functions_value_is_no_scale() -> None:
    private = program_edited(
        READ, '"x": absolute_distance(1)', '"x": absolute_distance(1), "size": linf_distance(1)'
    )
    rejected(private, "LapGen", "derivation.3", "the scale is no function")


def test_gaussian_noise_has_no_such_scale() -> None:
    """Its pair of ε and δ is one for all draws."""
    normal = edited(READ, "derivation.3", rule="Norm")
    del normal["derivation"]["premises"][3]["given"]
    normal = program_edited(normal, "laplace(x, s / eps)", "gaussian(x, s / eps)")
    rejected(normal, "Norm", "derivation.3", "the scale is no function")
