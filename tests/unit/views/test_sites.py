"""The table of couplings: conditions merged, shifts and costs as a person would write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from synth.trusted.kernel.check import parse
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import read
from synth.views.certificate.couplings import Couplings
from synth.views.certificate.guards import Guards
from synth.views.certificate.plain import Plain
from synth.views.certificate.plain_names import PlainNames
from synth.views.certificate.steps import reading
from synth.views.results import Site, SiteCase
from tests.unit.views.exporting import Json, edited, golden_reading

NULL, STAY, UP = (("null", "0", "0"), ("shift", "0", "eps"), ("shift", "1", "eps"))
LESS, EQUAL, MORE = (
    "(< |i<1>| |next#return..0|)",
    "(= |i<1>| |next#return..0|)",
    "(< |next#return..0| |i<1>|)",
)
TAKEN, OTHER = "|next#branch.1.0|", "(not |next#branch.1.0|)"
PAIRS = [f"(and {sign} {branch})" for sign in (LESS, EQUAL, MORE) for branch in (TAKEN, OTHER)]


def _guards(*whens: str) -> Guards:
    found = golden_reading("above_threshold")
    known = {**found.known, "|next#return..0|": ((), "Int")}
    events = {**found.certificate.events, "next#return..0": "Int"}
    names = PlainNames(found.mechanism, replace(found.certificate, events=events))
    return Guards(tuple(map(read, whens)), Plain(names, known, frozenset({"i"})))


@pytest.mark.parametrize(
    ("couplings", "conditions"),
    [
        ([NULL] * 6, ["always"]),
        ([NULL, NULL, UP, UP, NULL, NULL], ["i != b", "i = b"]),
        ([UP, UP, UP, UP, NULL, NULL], ["i <= b", "i > b"]),
        ([NULL, UP] * 3, ["line 16: condition true next", "line 16: condition false next"]),
        (
            [NULL, NULL, UP, STAY, NULL, NULL],
            ["i != b", "i = b and line 16: condition true next", "i = b and line 16: condition false next"],
        ),
    ],
)
def test_conditions_are_merged(couplings: list[tuple[str, str, str]], conditions: list[str]) -> None:
    """The last case applies where no other does, so it has no condition of its own."""
    assert [row.when for row in _guards(*PAIRS[:-1]).rows(couplings)] == conditions


def test_the_first_case_that_holds_counts() -> None:
    rows = _guards(TAKEN, EQUAL).rows([UP, STAY, NULL])
    assert [(row.when, row.coupling) for row in rows] == [
        ("line 16: condition true next", UP),
        ("line 16: condition false next and i = b", STAY),
        ("line 16: condition false next and i != b", NULL),
    ]


def test_conditions_that_are_no_questions_are_written_as_they_are() -> None:
    rows = _guards("(<= 3 |i<1>|)", TAKEN).rows([UP, STAY, NULL])
    assert [row.when for row in rows] == ["i >= 3", "line 16: condition true next", "otherwise"]


# --- shifts and costs -----------------------------------------------------------------------


def _sites(name: str, edit: Callable[[Json], object]) -> tuple[Site, ...]:
    return Couplings(reading(parse(edited(name, edit)))).sites()


def _answer(**fields: object) -> tuple[SiteCase, ...]:
    """The cases of the draw around q[i], with one rule for all cases."""

    def edit(data: Json) -> None:
        (node,) = (item for item in _nodes(data["derivation"]) if item.get("line") == 15)
        node.clear()
        node.update(line=15, **fields)

    return _sites("above_threshold", edit)[1].cases


def _nodes(node: Json) -> Iterator[Json]:
    yield node
    for inner in node.get("premises", []):
        yield from _nodes(inner)


ENTRY = "(- (|q[]<2>| |i<2>|) (|q[]<1>| |i<1>|))"
DIFFERENCE = "q[i]⟨2⟩ - q[i]⟨1⟩"


@pytest.mark.parametrize(
    ("k", "shift", "distance"),
    [
        (ENTRY, DIFFERENCE, "0"),
        ("0", "0", DIFFERENCE),
        ("1", "1", f"{DIFFERENCE} - 1"),
        ("(- 2)", "-2", f"{DIFFERENCE} + 2"),
        (f"(+ {ENTRY} 1)", f"{DIFFERENCE} + 1", "1"),
        (
            "(+ (- |threshold<2>| |threshold<1>|) 1)",
            "threshold⟨2⟩ - threshold⟨1⟩ + 1",
            f"{DIFFERENCE} - threshold⟨2⟩ + threshold⟨1⟩ - 1",
        ),
        ("(- |len(q)|)", "-len(q)", f"{DIFFERENCE} + len(q)"),
        ("(+ (- |t<2>| |t<1>|) 1)", "1", f"{DIFFERENCE} - 1"),
    ],
)
def test_shifts_and_distances(k: str, shift: str, distance: str) -> None:
    (case,) = _answer(rule="LapGen", k=k, cost="cost#0", amount="distance")
    assert case == SiteCase("always", "shift", shift, f"eps/2*abs({distance})")


def test_what_one_use_costs() -> None:
    site = Couplings(golden_reading("above_threshold")).sites()[0]
    assert site.draw == "threshold = laplace(t, 2/eps)"
    assert site.cases == (SiteCase("always", "shift", "1", "eps/2"),)
    (three,) = _answer(rule="LapGen", k="1", cost="cost#0", within="1.0", amount="3")
    assert three == SiteCase("always", "shift", "1", "3*eps/2")
    assert _answer(rule="LapGen", k="null") == (SiteCase("always", "null", DIFFERENCE, "0"),)
    (lossy,) = Couplings(golden_reading("gaussian_integers")).sites()
    assert [case.cost for case in lossy.cases] == ["(1/2, 1/200000)"]


def test_incomplete_rules_are_refused() -> None:
    with pytest.raises(Rejected):
        _answer(rule="LapGen", k="1", cost="cost#7", within="1.0", amount="1")
    with pytest.raises(Rejected):
        _answer(rule="LapGen", cost="cost#0", within="1.0", amount="1")
