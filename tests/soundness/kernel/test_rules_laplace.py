"""The couplings of two-sided noise: [LapGen], also null."""

from __future__ import annotations

import pytest

from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.check import INVALID
from synth.trusted.program import syntax as ir
from tests.support.handmade import (
    COST,
    DROPPED,
    NOISY,
    PAID,
    Data,
    accepted,
    certificate,
    check_text,
    edited,
    refusals,
    rejected,
    rule,
)

NOISE_ALONE = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def noise_alone(x: int, eps: float) -> int:
        y = laplace(x, scale=1 / eps)
        return y - x
    """,
    rule("Skip"),
    rule("Skip"),
    rule("LapGen", k="null"),
    rule("Return"),
)


SCALED = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def scaled(x: int, eps: float) -> int:
        z = laplace(0, scale=1 / eps)
        y = laplace(x, scale=max(1, z))
        return y
    """


# --- LapGen -----------------------------------------------------------------------------------


def test_lap_gen_accepts_a_paid_shift() -> None:
    accepted(NOISY)


def test_lap_gen_accepts_more_than_it_takes() -> None:
    """A larger distance than needed, and a larger bound."""
    larger = edited(NOISY, "derivation.2", within="2.0", amount="3")
    accepted(edited(edited(larger, "costs.cost#0", bound="3"), "proved", epsilon="(* 4.0 |eps<>|)"))


def test_lap_gen_accepts_a_sum_of_distances() -> None:
    """The cost is the distance itself, so it is a Real."""
    summed = edited(NOISY, "derivation.2", amount="distance", within=DROPPED)
    accepted(edited(summed, "costs", **{"cost#0": {"sort": "Real", "weight": "|eps<>|", "bound": "1.0"}}))


def test_lap_gen_accepts_no_cost_where_nothing_moves() -> None:
    """k = e<2> - e<1> is null."""
    free = edited(NOISE_ALONE, "derivation.2", rule="LapGen", k="(- |x<2>| |x<1>|)")
    accepted(free)


@refusals(
    NOISY,
    {
        "of an assignment": ("derivation.0", {"rule": "LapGen"}, "LapGen", "derivation.0", "Obligation here"),
        "a premise": (
            "derivation.2",
            {"premises": [rule("LapGen", k="null")]},
            "LapGen",
            "derivation.2",
            "takes no premises",
        ),
        "no k": ("derivation.2", {"k": DROPPED}, "Schema", "derivation.2", "'k' is missing"),
        "k of another sort": ("derivation.2", {"k": "0.0"}, "LapGen", "derivation.2", "of sort Real"),
        "k mentions the draw": ("derivation.2", {"k": "|y<1>|"}, "LapGen", "derivation.2", "the draw itself"),
        "k mentions the other draw": (
            "derivation.2",
            {"k": "(* 0 |y<2>|)"},
            "LapGen",
            "derivation.2",
            "|y<2>| is the draw itself",
        ),
        "k mentions nothing known": (
            "derivation.2",
            {"k": "|z<1>|"},
            "LapGen",
            "derivation.2",
            "means nothing here",
        ),
        "k leads elsewhere": (
            "derivation.2",
            {"k": "1", "within": "2.0", "amount": "2"},
            "Return",
            "derivation.3",
            "both runs publish the same",
        ),
        "no cost": (
            "derivation.2",
            {"cost": DROPPED, "within": DROPPED, "amount": DROPPED},
            "LapGen",
            "derivation.2",
            "moves nothing",
        ),
        "an unknown cost": (
            "derivation.2",
            {"cost": "cost#1"},
            "LapGen",
            "derivation.2",
            "no cost is called",
        ),
        "no distance": ("derivation.2", {"within": DROPPED}, "Schema", "derivation.2", "'within' is missing"),
        "too small a distance": (
            "derivation.2",
            {"within": "0.5"},
            "LapGen",
            "derivation.2",
            "the distance stays within",
        ),
        "a private distance": (
            "derivation.2",
            {"within": "(to_real (+ 1 (- |x<1>| |x<1>|)))"},
            "LapGen",
            "derivation.2",
            "no function of the public inputs",
        ),
        "nothing paid": ("derivation.2", {"amount": "0"}, "LapGen", "derivation.2", "the amount pays"),
        "a negative amount": (
            "derivation.2",
            {"amount": "(- 1)"},
            "LapGen",
            "derivation.2",
            "the amount pays",
        ),
        "an amount of another sort": (
            "derivation.2",
            {"amount": "1.0"},
            "LapGen",
            "derivation.2",
            "of sort Real",
        ),
        "a private amount": (
            "derivation.2",
            {"amount": "(+ 1 (* 0 |x<1>|))"},
            "LapGen",
            "derivation.2",
            "no function of the public inputs",
        ),
        "distances in whole numbers": (
            "derivation.2",
            {"amount": "distance"},
            "LapGen",
            "derivation.2",
            "that sums distances is a Real",
        ),
        "too small a weight": (
            "costs.cost#0",
            {"weight": "(* 0.9 |eps<>|)"},
            "LapGen",
            "derivation.2",
            "the amount pays",
        ),
        "too small a weight per distance": (
            "",
            {
                "derivation": edited(NOISY, "derivation.2", amount="distance", within=DROPPED)["derivation"],
                "costs": {"cost#0": {"sort": "Real", "weight": "(* 0.9 |eps<>|)", "bound": "1.0"}},
            },
            "LapGen",
            "derivation.2",
            "one unit of distance",
        ),
        "an unknown field": ("derivation.2", {"shift": "0"}, "LapGen", "derivation.2", "unknown: shift"),
    },
)
def test_lap_gen_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_lap_gen_refuses_a_random_scale() -> None:
    rules = [rule("Skip"), rule("Skip"), rule("LapGen", k="null"), rule("Skip")]
    rules += [rule("LapGen", k="0", **PAID), rule("Return")]
    data = certificate(SCALED, *rules, epsilon="|eps<>|", costs=COST)
    rejected(data, "LapGen", "derivation.4", "the scale is no function of the public inputs")


PRIVATE_SCALES = {
    "a private number": "y = laplace(0, scale=x)",
    "a private number beside public ones": "y = laplace(x, scale=1 / eps + max(x, 0))",
    "a private number that has a name": "z = max(x, 1)\n    y = laplace(x, scale=z / eps)",
    "half of one": "z = 1 + x / 2\n    y = laplace(x, scale=z / eps)",
    "real noise": "y = laplace(x * 1.0, scale=1 + abs(x))",
}


@pytest.mark.parametrize("shift", [{"k": "null"}, {"k": "0", **PAID}], ids=["null", "paid"])
@pytest.mark.parametrize("body", PRIVATE_SCALES.values(), ids=PRIVATE_SCALES)
def test_lap_gen_refuses_a_private_scale(body: str, shift: dict[str, str]) -> None:
    """The reader lets it through, so that such claims are refuted; only the kernel stands before a proof."""
    text = (
        '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
        f"def scaled(x: int, eps: float) -> float:\n    {body}\n    return y\n"
    )
    (read,) = read_source(f"from synth.lang import *\n{text}", "p.py")
    coupling = rule("LapGen", **shift)
    rules = [coupling if isinstance(item, ir.Draw) else rule(_RULES[type(item)]) for item in read.body]
    place = next(at for at, item in enumerate(read.body) if isinstance(item, ir.Draw))
    data = certificate(text, *rules, epsilon="|eps<>|", costs=COST)
    rejected(data, "LapGen", f"derivation.{place}", "the scale is no function of the public inputs")


_RULES = {ir.Obligation: "Skip", ir.Assign: "Assn", ir.Return: "Return"}


# --- null ----------------------------------------------------------------------------------


def test_lap_null_accepts_what_depends_on_noise_alone() -> None:
    accepted(NOISE_ALONE)


def test_lap_null_accepts_an_unused_draw() -> None:
    """The same proof where the centres are public: the draws are equal."""
    text = NOISY["program"]["text"].split("\n\n\n")[1].replace("laplace(x", "laplace(0")
    accepted(certificate(text, rule("Skip"), rule("Skip"), rule("LapGen", k="null"), rule("Return")))


@refusals(
    NOISE_ALONE,
    {
        "of an obligation": (
            "derivation.1",
            {"rule": "LapGen", "k": "null"},
            "LapGen",
            "derivation.1",
            "Obligation here",
        ),
        "a shift": ("derivation.2", {"k": "0"}, "LapGen", "derivation.2", "moves nothing"),
        "a premise": (
            "derivation.2",
            {"premises": [rule("LapGen", k="null")]},
            "LapGen",
            "derivation.2",
            "takes no premises",
        ),
        "for one-sided noise": (
            "derivation.2",
            {"rule": "OneLapGen", "k": "null"},
            "OneLapGen",
            "derivation.2",
            "no coupling of two draws from laplace",
        ),
    },
)
def test_lap_null_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_lap_null_refuses_to_make_draws_equal() -> None:
    free = edited(
        NOISY,
        "derivation",
        premises=[*NOISY["derivation"]["premises"][:2], rule("LapGen", k="null"), rule("Return")],
    )
    rejected(free, "Return", "derivation.3", "both runs publish the same")


TWICE = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 0")
    def twice(x: float, n: int) -> tuple[float, float]:
        y = laplace(x, 1)
        z = laplace(x, 1)
        return y, z
    """,
    *(rule("LapGen", k="0.0", within="1.0", cost=f"cost#{place}", amount="1.0") for place in range(2)),
    rule("Return"),
    epsilon="2.0",
    costs={f"cost#{place}": {"sort": "Real", "weight": "1.0", "bound": "1.0"} for place in range(2)},
)
"""Two noisy values of one private number: 2 and no less."""

NO_LESS_THAN_ONE = (
    "0.0",
    "(- 1.0)",
    "(/ 0.0 0.0)",
    "(/ 1.0 0.0)",
    "(/ 1.0 (to_real |n<>|))",
    "(|/:Real,Real| 1.0 0.0)",
    "(|log:Real| 0.0)",
    "(|sqrt:Real| (- 1.0))",
    "(- (to_real |n<>|) (to_real |n<>|))",
    "(ite (= |n<>| 0) 1.0 0.0)",
    "(to_real (div 1 2))",
    "(to_real (mod 1 2))",
    "(to_real (to_int 0.9))",
    "distance",
)
"""Terms of which none is shown to be at least 1, and at most 0."""


def test_two_draws_cost_two() -> None:
    accepted(TWICE)


@pytest.mark.parametrize("term", NO_LESS_THAN_ONE)
def test_no_amount_makes_the_second_draw_free(term: str) -> None:
    free = edited(edited(TWICE, "derivation.1", cost="cost#0", amount=term), "proved", epsilon="1.0")
    assert check_text({**free, "costs": {"cost#0": TWICE["costs"]["cost#0"]}}).verdict == INVALID


@pytest.mark.parametrize("term", NO_LESS_THAN_ONE[:-1])
@pytest.mark.parametrize("field", ["bound", "weight"])
def test_no_price_makes_the_second_draw_free(field: str, term: str) -> None:
    free = edited(edited(TWICE, "costs.cost#1", **{field: term}), "proved", epsilon="1.0")
    assert check_text(free).verdict == INVALID


@pytest.mark.parametrize("term", NO_LESS_THAN_ONE[:-1])
def test_no_distance_makes_the_second_draw_free(term: str) -> None:
    free = edited(TWICE, "derivation.1", within=term, amount="0.0")
    assert check_text(free).verdict == INVALID
