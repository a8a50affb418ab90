"""[Seq], [Skip], [Assn], [Assert] and [Return]."""

from __future__ import annotations

import pytest

from tests.support.handmade import (
    DROPPED,
    Data,
    accepted,
    certificate,
    edited,
    program_edited,
    refusals,
    rejected,
    rule,
)

HALVED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2")
    def halved(x: int, n: int, eps: float) -> float:
        half = eps / n
        other = x
        return half
    """,
    rule("Skip"),
    rule("Assn", facts=["(< |half<1>| |eps<>|)"]),
    rule("Assn"),
    rule("Return"),
)


ASSERTED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def asserted(x: int, n: int) -> int:
        m = n - 1
        assert m > 0
        return 10 // m
    """,
    rule("Assn"),
    rule("Assert"),
    rule("Skip"),
    rule("Return"),
)


# --- accepted ---------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [HALVED, ASSERTED], ids=lambda item: item["program"]["mechanism"])
def test_accepted(data: Data) -> None:
    accepted(data)


def test_assn_accepts_private_values() -> None:
    """And facts are not needed where nothing uses them."""
    accepted(edited(HALVED, "derivation.1", facts=DROPPED))


def test_return_accepts_equal_functions_of_private_values() -> None:
    accepted(program_edited(HALVED, "return half", "return half + (other - x)"))


# --- rejected ---------------------------------------------------------------------------------


SEQUENCE = HALVED["derivation"]["premises"]


@refusals(
    HALVED,
    {
        "missing premise": ("derivation", {"premises": SEQUENCE[:3]}, "Seq", "derivation", "4 statements"),
        "extra premise": (
            "derivation",
            {"premises": [*SEQUENCE, rule("Skip")]},
            "Seq",
            "derivation",
            "as many premises",
        ),
        "swapped premises": (
            "derivation",
            {"premises": [SEQUENCE[1], SEQUENCE[0], *SEQUENCE[2:]]},
            "Assn",
            "derivation.0",
            "a Obligation here",
        ),
        "another rule": ("derivation", {"rule": "Block"}, "Block", "derivation", "needs [Seq]"),
        "a field": ("derivation", {"facts": []}, "Seq", "derivation", "needs [Seq]"),
    },
)
def test_seq_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    HALVED,
    {
        "of an assignment": (
            "derivation.1",
            {"rule": "Skip", "facts": DROPPED},
            "Skip",
            "derivation.1",
            "a Assign here",
        ),
        "of a return": ("derivation.3", {"rule": "Skip"}, "Skip", "derivation.3", "a Return here"),
        "a field": ("derivation.0", {"facts": []}, "Skip", "derivation.0", "unknown: facts"),
    },
)
def test_skip_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    HALVED,
    {
        "of an obligation": ("derivation.0", {"rule": "Assn"}, "Assn", "derivation.0", "a Obligation here"),
        "a false fact": (
            "derivation.1",
            {"facts": ["(< |eps<>| |half<1>|)"]},
            "Assn",
            "derivation.1",
            "about public values",
        ),
        "a fact that may fail": (
            "derivation.1",
            {"facts": ["(< |half<1>| 1.0)"]},
            "Assn",
            "derivation.1",
            "a fact about public values",
        ),
        "a private fact": (
            "derivation.2",
            {"facts": ["(= |other<1>| |x<1>|)"]},
            "Assn",
            "derivation.2",
            "no function of the public inputs",
        ),
        "no formula": (
            "derivation.1",
            {"facts": ["|eps<>|"]},
            "Assn",
            "derivation.1",
            "not a formula",
        ),
        "an unknown symbol": (
            "derivation.1",
            {"facts": ["(< |h<1>| 1.0)"]},
            "Assn",
            "derivation.1",
            "means nothing",
        ),
        "mixed sorts": (
            "derivation.1",
            {"facts": ["(< |half<1>| 1)"]},
            "Assn",
            "derivation.1",
            "can't be applied to",
        ),
        "no list": ("derivation.1", {"facts": "true"}, "Schema", "derivation.1.facts", "not a list"),
        "an unknown field": ("derivation.1", {"k": "0"}, "Assn", "derivation.1", "unknown: k"),
    },
)
def test_assn_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    ASSERTED,
    {
        "of an obligation": (
            "derivation.2",
            {"rule": "Assert"},
            "Assert",
            "derivation.2",
            "a Obligation here",
        ),
        "a field": ("derivation.1", {"facts": []}, "Assert", "derivation.1", "unknown: facts"),
    },
)
def test_assert_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_assert_refuses_private_facts() -> None:
    """Whether a run passes would be seen; the reader refuses those that it knows to be private."""
    leaked = program_edited(ASSERTED, "assert m > 0", "assert x > 0")
    rejected(leaked, "Program", "program.text", "private data in an assert statement")


def test_assert_refuses_what_noise_decides_apart() -> None:
    text = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def asserted(x: int, eps: float) -> int:
        y = laplace(x, scale=1 / eps)
        assert y > 0
        return 0
    """
    data = certificate(
        text, rule("Skip"), rule("Skip"), rule("LapGen", k="null"), rule("Assert"), rule("Return")
    )
    rejected(data, "Assert", "derivation.3", "both runs pass the assertion or neither does")


@refusals(
    HALVED,
    {
        "of an assignment": ("derivation.2", {"rule": "Return"}, "Return", "derivation.2", "a Assign here"),
        "a field": ("derivation.3", {"equal": []}, "Return", "derivation.3", "unknown: equal"),
        "a cost beyond its bound": (
            "costs",
            {"cost#0": {"sort": "Int", "weight": "0.0", "bound": "(- 1)"}},
            "Return",
            "derivation.3",
            "the cost cost#0 is within its bound",
        ),
        "a bound of another sort": (
            "costs",
            {"cost#0": {"sort": "Int", "weight": "0.0", "bound": "1.0"}},
            "Return",
            "derivation.3",
            "Real where Int is needed",
        ),
        "a private bound": (
            "costs",
            {"cost#0": {"sort": "Int", "weight": "0.0", "bound": "|x<1>|"}},
            "Return",
            "derivation.3",
            "has no value here",
        ),
    },
)
def test_return_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@pytest.mark.parametrize("value", ["half + x", "half + other", "eps * (1 + other - other * x)"])
def test_return_refuses_private_values(value: str) -> None:
    leaked = program_edited(HALVED, "return half", f"return {value}")
    rejected(leaked, "Return", "derivation.3", "both runs publish the same")
