"""[Seq], [Skip], [Assn], [New], [Append], [Assert] and [Return]."""

from __future__ import annotations

from typing import Any

import pytest
from handmade import DROPPED, Data, accepted, certificate, edited, program, refusals, rejected, rule

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
PUBLISHED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def published(x: int, n: int) -> list[int]:
        out = []
        out.append(n)
        return out
    """,
    rule("New"),
    rule("Append"),
    rule("Return"),
)
KEPT = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def kept_private(x: int, n: int) -> bool:
        kept = []
        kept.append(x)
        y = kept[0]
        return y - x == 0
    """,
    rule("New"),
    rule("Append"),
    rule("Skip"),
    rule("Assn"),
    rule("Return"),
    entries={"kept": "(and (= |kept[0]<1>| |x#start<1>|) (= |kept[0]<2>| |x#start<2>|))"},
)
EMPTIED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def emptied(x: int, n: int) -> int:
        kept = []
        kept.append(x)
        kept = []
        return len(kept)
    """,
    rule("New"),
    rule("Append"),
    rule("New"),
    rule("Return"),
)
ASSERTED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def asserted(x: int, n: int) -> int:
        assert n > 0
        return 10 // n
    """,
    rule("Assert"),
    rule("Skip"),
    rule("Return"),
)


def program_edited(data: Data, old: str, new: str) -> Data:
    """The certificate with another program; its hash fits."""
    text = data["program"]["text"]
    assert old in text
    return {**data, "program": program(text.split("\n\n\n")[1].replace(old, new))}


# --- accepted ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [HALVED, PUBLISHED, KEPT, EMPTIED, ASSERTED], ids=lambda item: item["program"]["mechanism"]
)
def test_accepted(data: Data) -> None:
    accepted(data)


def test_assn_accepts_private_values() -> None:
    """And facts are not needed where nothing uses them."""
    accepted(edited(HALVED, "derivation.1", facts=DROPPED))


def test_append_accepts_no_invariant_where_none_is_used() -> None:
    unused = program_edited(KEPT, "y - x == 0", "n == 0")
    accepted(edited(unused, "", entries={}))


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
            "Real where Bool is needed",
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
    EMPTIED,
    {
        "of an append": ("derivation.1", {"rule": "New"}, "New", "derivation.1", "a Append here"),
        "a field": ("derivation.2", {"equal": []}, "New", "derivation.2", "unknown: equal"),
        "assignment instead": ("derivation.2", {"rule": "Assn"}, "Assn", "derivation.2", "a NewList here"),
    },
)
def test_new_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_new_refuses_what_the_old_list_held() -> None:
    """Entries of the list before say nothing of those after."""
    text = """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def renewed(x: int, n: int) -> int:
        kept = []
        kept.append(n)
        y = kept[0]
        kept = []
        kept.append(x)
        return kept[0] - y
    """
    names = ("New", "Append", "Skip", "Assn", "New", "Append", "Skip", "Return")
    rejected(certificate(text, *map(rule, names)), "Return", "derivation.7", "both runs publish the same")


@refusals(
    KEPT,
    {
        "of a new list": ("derivation.0", {"rule": "Append"}, "Append", "derivation.0", "a NewList here"),
        "a false invariant": (
            "entries",
            {"kept": "(= |kept[0]<1>| |kept[0]<2>|)"},
            "Append",
            "derivation.1",
            "the invariant of the list's entries",
        ),
        "no formula": ("entries", {"kept": "|kept[0]<1>|"}, "Append", "entries.kept", "not a formula"),
        "an unknown list": ("entries", {"list": "true"}, "Append", "entries.list", "no private list"),
        "an unknown component": (
            "entries",
            {"kept": "(= |kept[1]<1>| 0)"},
            "Append",
            "entries.kept",
            "means nothing",
        ),
        "a variable": (
            "entries",
            {"kept": "(= |kept[0]<1>| |y<1>|)"},
            "Append",
            "entries.kept",
            "means nothing",
        ),
        "a field": ("derivation.1", {"publish": True}, "Append", "derivation.1", "unknown: publish"),
        "too weak an invariant": ("entries", {"kept": "true"}, "Return", "derivation.4", "publish the same"),
    },
)
def test_append_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_append_refuses_to_publish_private_values() -> None:
    leaked = program_edited(PUBLISHED, "out.append(n)", "out.append(x)")
    rejected(leaked, "Append", "derivation.1", "both runs publish the same")


def test_append_refuses_entries_of_a_returned_list() -> None:
    given = edited(PUBLISHED, "", entries={"out": "true"})
    rejected(given, "Append", "entries.out", "no private list")


@refusals(
    ASSERTED,
    {
        "of an obligation": (
            "derivation.1",
            {"rule": "Assert"},
            "Assert",
            "derivation.1",
            "a Obligation here",
        ),
        "a field": ("derivation.0", {"facts": []}, "Assert", "derivation.0", "unknown: facts"),
    },
)
def test_assert_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_assert_refuses_private_facts() -> None:
    """Whether a run passes would be seen."""
    leaked = program_edited(ASSERTED, "assert n > 0", "assert n > 0 and x > 0")
    rejected(leaked, "Assert", "derivation.0", "both runs pass the assertion or neither does")


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


def test_return_refuses_lists_of_different_lengths() -> None:
    """A list that one run may have made longer."""
    data: Any = certificate(
        """
        @mechanism(adjacent={"x": absolute_distance(1)})
        def longer(x: int, n: int) -> list[int]:
            out = []
            for i in range(n):
                out.append(0)
            return out
        """,
        rule("New"),
        rule("Assn"),
        rule("Block", {"rule": "Seq", "premises": [rule("While", rule("Seq", *LONGER), equal=["i%2"])]}),
        rule("Return"),
        safety={"0": "true"},
    )
    rejected(data, "Return", "derivation.3", "out has one length")
    accepted(edited(data, "derivation.2.0.0", equal=["i%2", "len(out)"]))


LONGER = (
    rule("Cond", rule("Seq", rule("Exit")), {"rule": "Seq", "premises": []}),
    rule("Assn"),
    rule("Append"),
    rule("Assn"),
)
