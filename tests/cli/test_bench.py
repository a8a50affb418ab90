"""``synth bench``: runs held against what is expected of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from invocation import FALSE, PROVED, Run, Write

from synth.benchmark.expectations import Expectation, find_list, read_list
from synth.benchmark.measuring import Measured
from synth.benchmark.verdicts import judged
from synth.errors import UsageError

LIST = """
[[mechanism]]
file = "noisy.py"
name = "noisy"
verdict = "proved"
epsilon = "(2*eps + eps)/3"

[[mechanism]]
file = "low.py"
name = "too_little"
verdict = "refuted"
claim = "eps/2"

[[mechanism]]
file = "gone.py"
name = "gone"
verdict = "proved"
epsilon = "eps"
"""


@pytest.fixture
def listed(write: Write) -> Path:
    write("noisy.py", PROVED)
    write("low.py", FALSE)
    return write("expected.toml", LIST)


def test_outcomes_and_totals(run: Run, listed: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.md"
    done = run("bench", listed, "--workers", "3", "--json", "--markdown", table)
    assert done.status == 4
    rows = {row["mechanism"]: row for row in done.results()}
    assert list(rows) == ["noisy", "too_little", "gone"]
    assert {name: row["outcome"] for name, row in rows.items()} == {
        "noisy": "correct",
        "too_little": "correct",
        "gone": "error",
    }
    assert rows["gone"]["reason"].endswith("gone.py: no such file")
    assert all(row["seconds"] > 0 and row["megabytes"] > 5 for row in rows.values())
    totals = json.loads(done.out)["totals"]
    assert (totals["correct"], totals["unknown"], totals["wrong"], totals["error"]) == (2, 0, 0, 1)
    assert "| `noisy` | proved | `eps` |" in table.read_text()


def test_a_wrong_proof_is_found(run: Run, write: Write, listed: Path) -> None:
    write("expected.toml", LIST.replace('"eps/2"', '"eps"').replace("(2*eps + eps)/3", "2*eps"))
    done = run("bench", listed, "--filter", "*o*")
    assert done.status == 1
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["mechanism", "noisy", "too_little", "gone"]
    assert "wrong" in lines[1] and "expected: proved 2*eps" in lines[1]
    assert "wrong" in lines[2] and "expected: refuted eps" in lines[2]
    assert lines[-1].startswith("3 programs: 0 correct, 0 unknown, 2 wrong, 1 error;")


def test_filters(run: Run, listed: Path) -> None:
    done = run("bench", listed, "--filter", "nothing*")
    assert (done.status, done.err) == (2, f"synth: error: no program of {listed} matches 'nothing*'\n")


def _measured(verdict: str, epsilon: str | None) -> Measured:
    result = {"verdict": verdict, "epsilon": epsilon, "reason": None}
    return Measured(0, json.dumps({"results": [result]}), "", 1.0, 50.0)


@pytest.mark.parametrize(
    ("expected", "bound", "verdict", "epsilon", "outcome"),
    [
        ("proved", "eps*(1 + 6*c)/4", "proved", "(1 + 6*c)*eps/4", "correct"),
        ("proved", "len(q)*eps", "proved", "eps*len(q)", "correct"),
        ("proved", "eps", "proved", "2*eps", "wrong"),
        ("proved", "eps", "refuted", None, "wrong"),
        ("proved", "eps", "unknown", "2*eps", "unknown"),
        ("refuted", "eps", "proved", "eps", "wrong"),
        ("refuted", "eps", "refuted", None, "correct"),
        ("refuted", "eps", "unknown", None, "unknown"),
        ("unknown", None, "unknown", None, "correct"),
    ],
)
def test_classes(expected: str, bound: str | None, verdict: str, epsilon: str | None, outcome: str) -> None:
    claim = bound if expected == "refuted" else None
    item = Expectation(Path("p.py"), "p", expected, None if claim else bound, claim)
    assert judged(item, _measured(verdict, epsilon)).outcome == outcome


def test_output_that_is_none_is_an_error() -> None:
    item = Expectation(Path("p.py"), "p", "proved", "eps", None)
    row = judged(item, Measured(-11, "", "", 1.0, 50.0))
    assert (row.outcome, row.reason) == ("error", "ended with status -11 and no result")


def test_the_list_of_the_checkout_is_found_from_below() -> None:
    root = Path(__file__).parents[2]
    assert find_list(root / "synth" / "logic") == root / "benchmarks" / "expected.toml"
    assert len(read_list(find_list(root))) > 30
    with pytest.raises(UsageError):
        find_list(Path("/"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "there is no [[mechanism]] in it"),
        ("[[mechanism]]\nname = 'f'\n", "mechanism 1: file or name is missing"),
        ("[[mechanism]]\nfile = 'f.py'\nname = 'f'\nverdict = 'maybe'\n", "mechanism 1: verdict must be"),
        ("[[mechanism]]\nfile = 3\n", "mechanism 1: file must be a string"),
    ],
)
def test_malformed_lists(run: Run, write: Write, content: str, problem: str) -> None:
    done = run("bench", write("list.toml", content))
    assert done.status == 2
    assert problem in done.err
