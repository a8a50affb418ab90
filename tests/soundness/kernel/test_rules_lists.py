"""[New] and [Append]."""

from __future__ import annotations

from typing import Any

import pytest

from synth.trusted.core.writer import write_as_written, write_core
from synth.trusted.kernel.check import INVALID
from tests.support.handmade import (
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
from tests.support.refuting import mechanism

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
        if n > 3:
            kept.append(x)
        return y - x == 0 and len(kept) < n
    """,
    rule("New"),
    rule("Append"),
    rule("Skip"),
    rule("Assn"),
    rule("Cond", seq(rule("Append")), seq()),
    rule("Return"),
    entries={"kept": "(and (= |kept[0]<1>| |x#start<1>|) (= |kept[0]<2>| |x#start<2>|))"},
)


EMPTIED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def emptied(x: int, n: int) -> list[int]:
        kept = []
        kept.append(n)
        if n > 3:
            return kept
        kept = []
        return kept
    """,
    rule("New"),
    rule("Append"),
    rule("Cond", seq(rule("Return")), seq()),
    rule("New"),
    rule("Return"),
)


@pytest.mark.parametrize("data", [PUBLISHED, KEPT, EMPTIED], ids=lambda item: item["program"]["mechanism"])
def test_accepted(data: Data) -> None:
    accepted(data)


def test_append_accepts_no_invariant_where_none_is_used() -> None:
    unused = program_edited(KEPT, "y - x == 0 and", "n == 0 and")
    accepted(edited(unused, "", entries={}))


@refusals(
    EMPTIED,
    {
        "of an append": ("derivation.1", {"rule": "New"}, "New", "derivation.1", "a Append here"),
        "a field": ("derivation.3", {"equal": []}, "New", "derivation.3", "unknown: equal"),
        "assignment instead": ("derivation.3", {"rule": "Assn"}, "Assn", "derivation.3", "a NewList here"),
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
        if n > 3:
            kept.append(x)
        return kept[0] - y + len(kept)
    """
    first = map(rule, ("New", "Append", "Skip", "Assn", "New", "Append"))
    branch = rule("Cond", seq(rule("Append")), seq())
    data = certificate(text, *first, branch, rule("Skip"), rule("Return"))
    rejected(data, "Return", "derivation.8", "both runs publish the same")


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
        "too weak an invariant": ("entries", {"kept": "true"}, "Return", "derivation.5", "publish the same"),
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


@pytest.mark.parametrize(
    ("entries", "place"),
    [
        ("(= |kept[0]<1>| 3)", None),
        ("(and (<= |kept#index| 1) (= |kept[0]<1>| 3))", None),
        ("(= |kept[0]<1>| 4)", "safety"),
        ("true", "safety"),
        ("|kept[0]<1>|", "entries.kept"),
        ("(= |kept[1]<1>| 3)", "entries.kept"),
    ],
)
def test_safe_knows_of_entries_what_each_append_shows(entries: str, place: str | None) -> None:
    data = certificate(
        """
        @mechanism(adjacent={"x": absolute_distance(1)})
        def divided(x: int, n: int) -> int:
            kept = []
            kept.append(3)
            if n > 3:
                kept.append(3)
            y = n // kept[0]
            return n + len(kept)
        """,
        *map(rule, ("New", "Append")),
        rule("Cond", seq(rule("Append")), seq()),
        *map(rule, ("Skip", "Skip", "Assn", "Return")),
        safety={"kept": entries},
    )
    if place is None:
        accepted(data)
    else:
        verdict = check_text(data)
        assert (verdict.verdict, verdict.place) == (INVALID, place), verdict


LONGER = (
    rule("Cond", rule("Seq", rule("Exit")), {"rule": "Seq", "premises": []}),
    rule("Assn"),
    rule("Append"),
    rule("Assn"),
)


FORETOLD = """
    @mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1/100")
    def foretold(x: int) -> bool:
        ys = []
        y = laplace(0.0, 1)
        ys.append(y)
        u = ys[0]
        return u > y or (u == y and x > 0)
    """


def test_what_is_read_outside_of_a_list_is_no_entry_to_come() -> None:
    """It tells whether x > 0.  Here t, which no run needs, is the entry that is not there yet.

    If t were u, the noise could be moved by half of what u is larger in run 2, as is said of the entries.
    So u would differ from y in run 2, on the side that gives what run 1 returns, whatever x is.
    """
    base = certificate(FORETOLD)
    core = mechanism(base["program"]["text"])
    early = write_as_written(core)
    for old, new in (
        ("    u: real\n", "    u: real\n    t: real\n"),
        ("    ys = []\n", "    ys = []\n    t = ys[0]\n"),
        ("    y = laplace", '    ensure(0.0 < 1.0, "scale")\n    y = laplace'),
    ):
        early = early.replace(old, new)
    apart, one, two = "(- |t<2>| |t<1>|)", "|ys[0]<1>|", "|ys[0]<2>|"
    above = f"(ite (and (< 0.0 {apart}) (< {apart} 0.01)) (* 0.5 {apart}) 0.005)"
    below = f"(ite (and (< (- 0.01) {apart}) (< {apart} 0.0)) (* 0.5 {apart}) (- 0.005))"
    larger, smaller = (f"(and (< {a} {b}) (< {b} (+ {a} 0.01)))" for a, b in ((one, two), (two, one)))
    moved = {
        "k": f"(ite |next#return..0| {above} {below})",
        "within": "0.01",
        "cost": "cost#0",
        "amount": "1",
    }
    rules = map(rule, ("Append", "Skip", "Assn", "Return"))
    data: Data = {
        **base,
        "core": write_core(core),
        "steps": [{"step": "SameNoise", "program": early, "draws": [0], "lines": [1] * 8}],
        "claim": {"epsilon": "1/100", "delta": None},
        "proved": {"epsilon": "0.01", "delta": "0"},
        "costs": {"cost#0": {"sort": "Int", "weight": "0.01", "bound": "1"}},
        "events": {"next#return..0": "Bool"},
        "entries": {"ys": f"(ite |next#return..0| {larger} {smaller})"},
        "derivation": seq(rule("New"), rule("Assn"), rule("Skip"), rule("LapGen", **moved), *rules),
    }
    rejected(data, "Return", "derivation.7", "both runs publish the same")
