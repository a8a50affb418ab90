"""The couplings of draws: [LapGen], [LapNull], [OneLapGen], [OneLapNull] and [Case]."""

from __future__ import annotations

from handmade import COST, DROPPED, Data, accepted, certificate, edited, refusals, rejected, rule

PAID: Data = {"within": "1.0", "cost": "cost#0", "amount": "1"}
NOISY = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def noisy(x: int, eps: float) -> int:
        y = laplace(x, scale=1 / eps)
        return y
    """,
    rule("Skip"),
    rule("Skip"),
    rule("LapGen", k="0", **PAID),
    rule("Return"),
    epsilon="|eps<>|",
    costs=COST,
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
    rule("LapNull"),
    rule("Return"),
)
ONE_SIDED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def one_sided(x: int, eps: float) -> int:
        y = exponential(x, scale=1 / eps)
        return 0
    """,
    rule("Skip"),
    rule("Skip"),
    rule("OneLapGen", k="1", within="2.0", cost="cost#0", amount="2"),
    rule("Return"),
    epsilon="(* 2.0 |eps<>|)",
    costs={"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "2"}},
)
ONE_SIDED_ALONE = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def one_sided_alone(x: int, eps: float) -> int:
        y = exponential(x, scale=1 / eps)
        return 1 if y >= x else 0
    """,
    rule("Skip"),
    rule("Skip"),
    rule("OneLapNull"),
    rule("Return"),
)
SIGN = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def sign(x: int, eps: float) -> int:
        y = laplace(x, scale=2 / eps)
        return 1 if y > 0 else 0
    """,
    rule("Skip"),
    rule("Skip"),
    rule(
        "Case",
        rule("LapGen", k="1", within="2.0", cost="cost#0", amount="1"),
        rule("LapGen", k="(- 1)", within="2.0", cost="cost#0", amount="1"),
        when=["(= 1 |next#return..0|)"],
    ),
    rule("Return"),
    epsilon="|eps<>|",
    costs=COST,
    events={"next#return..0": "Int"},
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
    """k = e<2> - e<1> is [LapNull]."""
    free = edited(NOISE_ALONE, "derivation.2", rule="LapGen", k="(- |x<2>| |x<1>|)")
    accepted(free)


@refusals(
    NOISY,
    {
        "of an assignment": ("derivation.0", {"rule": "LapGen"}, "LapGen", "derivation.0", "Obligation here"),
        "a premise": (
            "derivation.2",
            {"premises": [rule("LapNull")]},
            "LapGen",
            "derivation.2",
            "no coupling of two draws",
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
    rules = [rule(name) for name in ("Skip", "Skip", "LapNull", "Skip")]
    rules += [rule("LapGen", k="0", **PAID), rule("Return")]
    data = certificate(SCALED, *rules, epsilon="|eps<>|", costs=COST)
    rejected(data, "LapGen", "derivation.4", "the scale is no function of the public inputs")


# --- LapNull ----------------------------------------------------------------------------------


def test_lap_null_accepts_what_depends_on_noise_alone() -> None:
    accepted(NOISE_ALONE)


def test_lap_null_accepts_an_unused_draw() -> None:
    """The same proof where the centres are public: the draws are equal."""
    text = NOISY["program"]["text"].split("\n\n\n")[1].replace("laplace(x", "laplace(0")
    accepted(certificate(text, rule("Skip"), rule("Skip"), rule("LapNull"), rule("Return")))


@refusals(
    NOISE_ALONE,
    {
        "of an obligation": (
            "derivation.1",
            {"rule": "LapNull"},
            "LapNull",
            "derivation.1",
            "Obligation here",
        ),
        "a shift": ("derivation.2", {"k": "0"}, "LapNull", "derivation.2", "unknown: k"),
        "a premise": (
            "derivation.2",
            {"premises": [rule("LapNull")]},
            "LapNull",
            "derivation.2",
            "no coupling of two draws",
        ),
        "for one-sided noise": (
            "derivation.2",
            {"rule": "OneLapNull"},
            "OneLapNull",
            "derivation.2",
            "no coupling of two draws from laplace",
        ),
    },
)
def test_lap_null_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_lap_null_refuses_to_make_draws_equal() -> None:
    free = edited(
        NOISY, "derivation", premises=[*NOISY["derivation"]["premises"][:2], rule("LapNull"), rule("Return")]
    )
    rejected(free, "Return", "derivation.3", "both runs publish the same")


# --- OneLapGen --------------------------------------------------------------------------------


def test_one_lap_gen_accepts_a_shift_within_the_support() -> None:
    accepted(ONE_SIDED)


def test_one_lap_gen_accepts_a_larger_shift() -> None:
    larger = edited(ONE_SIDED, "derivation.2", k="2", within="3.0", amount="3")
    accepted(edited(edited(larger, "costs.cost#0", bound="3"), "proved", epsilon="(* 3.0 |eps<>|)"))


@refusals(
    ONE_SIDED,
    {
        "out of the support": (
            "derivation.2",
            {"k": "0", "within": "1.0"},
            "OneLapGen",
            "derivation.2",
            "0 <= k + e<1> - e<2>",
        ),
        "two-sided noise": ("derivation.2", {"rule": "LapGen"}, "LapGen", "derivation.2", "from exponential"),
        "k mentions the draw": (
            "derivation.2",
            {"k": "|y<2>|"},
            "OneLapGen",
            "derivation.2",
            "the draw itself",
        ),
        "too small a distance": (
            "derivation.2",
            {"within": "1.0"},
            "OneLapGen",
            "derivation.2",
            "stays within",
        ),
        "too little paid": ("derivation.2", {"amount": "1"}, "OneLapGen", "derivation.2", "the amount pays"),
        "no cost": (
            "derivation.2",
            {"cost": DROPPED},
            "OneLapGen",
            "derivation.2",
            "a coupling without cost moves nothing",
        ),
    },
)
def test_one_lap_gen_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


# --- OneLapNull -------------------------------------------------------------------------------


def test_one_lap_null_accepts_what_depends_on_noise_alone() -> None:
    """And knows the support: y >= x."""
    accepted(ONE_SIDED_ALONE)


@refusals(
    ONE_SIDED_ALONE,
    {
        "two-sided noise": (
            "derivation.2",
            {"rule": "LapNull"},
            "LapNull",
            "derivation.2",
            "from exponential",
        ),
        "a cost": ("derivation.2", {"cost": "cost#0"}, "OneLapNull", "derivation.2", "unknown: cost"),
        "a premise": (
            "derivation.2",
            {"premises": [rule("OneLapNull")]},
            "OneLapNull",
            "derivation.2",
            "no coupling of two draws",
        ),
    },
)
def test_one_lap_null_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


# --- Case -------------------------------------------------------------------------------------


def test_case_accepts_a_choice_by_what_is_returned() -> None:
    accepted(SIGN)


def test_case_accepts_a_choice_that_makes_no_difference() -> None:
    """The same coupling on both sides, chosen by a private value."""
    same = rule("Case", *[rule("LapGen", k="0", **PAID)] * 2, when=["(< |x<1>| |x<2>|)"])
    rules = NOISY["derivation"]["premises"]
    accepted(edited(NOISY, "derivation", premises=[*rules[:2], same, rules[3]]))


LEAVES = SIGN["derivation"]["premises"][2]["premises"]


@refusals(
    SIGN,
    {
        "a missing leaf": (
            "derivation.2",
            {"premises": LEAVES[:1]},
            "Case",
            "derivation.2",
            "a coupling for each",
        ),
        "a leaf too many": (
            "derivation.2",
            {"premises": [*LEAVES, rule("LapNull")]},
            "Case",
            "derivation.2",
            "a coupling for each",
        ),
        "no 'when'": (
            "derivation.2",
            {"when": DROPPED},
            "Case",
            "derivation.2",
            "a coupling for each 'when'",
        ),
        "swapped leaves": (
            "derivation.2",
            {"premises": LEAVES[::-1]},
            "Return",
            "derivation.3",
            "publish the same",
        ),
        "the draw chooses": (
            "derivation.2",
            {"when": ["(< 0 |y<1>|)"]},
            "Case",
            "derivation.2",
            "|y<1>| is the draw itself",
        ),
        "no truth value": (
            "derivation.2",
            {"when": ["1"]},
            "Case",
            "derivation.2",
            "Int where Bool is needed",
        ),
        "an unknown event": (
            "",
            {"events": {}},
            "Case",
            "derivation.2",
            "|next#return..0| means nothing here",
        ),
        "an event of another sort": (
            "events",
            {"next#return..0": "Bool"},
            "Case",
            "derivation.2",
            "can't be applied to Int Bool",
        ),
        "the wrong choice": (
            "derivation.2",
            {"when": ["(= 0 |next#return..0|)"]},
            "Return",
            "derivation.3",
            "both runs publish the same",
        ),
        "a case in a case": (
            "derivation.2.0",
            {"rule": "Case", "when": []},
            "Case",
            "derivation.2.0",
            "no coupling of two draws",
        ),
        "a leaf that doesn't pay": (
            "derivation.2.1",
            {"cost": DROPPED},
            "LapGen",
            "derivation.2.1",
            "a coupling without cost moves nothing",
        ),
        "of an obligation": ("derivation.0", {"rule": "Case"}, "Case", "derivation.0", "Obligation here"),
    },
)
def test_case_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)
