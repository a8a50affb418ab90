"""Orders and signs at heads of loops are found, and only those that hold."""

from __future__ import annotations

import pytest

from synth.prover.horn.solvers import GaveUp, check_solution
from synth.prover.obligations import simple_invariants, single_run
from synth.prover.obligations.simple_invariants import solve_from_lengths, solve_from_simple
from synth.prover.obligations.single_run import SingleRun, shown_together
from synth.trusted.program import syntax as ir
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 1")
def f(x: int, n: int):
"""
MADE = "xs = []\nfor i in range(n):\n    xs.append(i + x)\n"

HOLDS = {
    "a length": f"{MADE}assert n > 0\nreturn 1 // len(xs)",
    "two lengths": (
        f"{MADE}ys = []\nfor j in range(n):\n    ys.append(j)\ns = 0\n"
        "for k in range(len(ys)):\n    s = s + xs[k]\nreturn s"
    ),
    "a number": "xs = []\nfor i in range(10):\n    xs.append(x)\nreturn xs[9]",
    "a sum": "s = 0.0\nfor i in range(n):\n    s = s + 2.5\nreturn 1 / s",
}
TAKEN = """k = 0
xs = list(range(n))
while {}:
    j = uniform_int(0, len(xs) - 1)
    xs.pop(j)
    k += 1
return {}"""
"""One entry after the other is taken from a list of n."""

FAILS = {
    "one too far": f"{MADE}s = 0\nfor k in range(n + 1):\n    s = s + xs[k]\nreturn s",
    "a number too far": "xs = []\nfor i in range(10):\n    xs.append(x)\nreturn xs[10]",
    "a sum that may be 0": "s = 0.0\nfor i in range(n):\n    s = s + x\nreturn 1 / s",
}


def obligations(of: ir.Mechanism) -> list[ir.Obligation]:
    return [item for item in ir.statements(of.body) if isinstance(item, ir.Obligation)]


def read(body: str) -> ir.Mechanism:
    rows = "\n".join(f"    {row}" for row in body.split("\n"))
    return mechanism(f"{HEAD}{rows}\n")


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_shown(name: str) -> None:
    of = read(HOLDS[name])
    system = SingleRun(of, obligations(of)).system()
    known = simple_invariants.simple_invariants(system)
    assert {clause.purpose.kind for clause in check_solution(system, known)} <= {"index"}
    found = solve_from_simple(system, 5000)
    assert found is not None and not check_solution(system, found)


@pytest.mark.parametrize("name", FAILS)
def test_what_fails_is_not(name: str) -> None:
    of = read(FAILS[name])
    assert solve_from_simple(SingleRun(of, obligations(of)).system(), 5000) is None


def test_they_are_taken_where_spacer_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(*_: object) -> None:
        raise GaveUp("no time")

    monkeypatch.setattr(single_run, "solve_horn", gives_up)
    of = read(HOLDS["a length"])
    assert shown_together(of, obligations(of), 5000) is not None


@pytest.mark.parametrize(
    ("condition", "result", "shown"),
    [("k < n", "0", True), ("k <= n", "0", False), ("k < n - 1", "xs[0]", True), ("k < n", "xs[0]", False)],
)
def test_a_list_has_as_many_entries_as_were_not_taken(condition: str, result: str, shown: bool) -> None:
    of = read(TAKEN.format(condition, result))
    system = SingleRun(of, obligations(of)).system()
    found = solve_from_lengths(system, 5000)
    assert (found is not None) == shown
    assert found is None or not check_solution(system, found)
