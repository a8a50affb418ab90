"""``synth bench``: runs held against what is expected of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from synth.app.benchmark.counts import Growth, grown
from synth.app.benchmark.expectations import Expectation, find_list, read_list
from synth.app.benchmark.measuring import Measured
from synth.app.benchmark.verdicts import CLASSES, CORRECT, Phases, row_for
from synth.trusted.errors import UsageError
from tests import ROOT
from tests.unit.app.invocation import FALSE, PROVED, Invocation, Run, Write, invoke

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


@dataclass(frozen=True)
class Report:
    """What is written and printed of the list."""

    run: Invocation
    table: str

    @property
    def rows(self) -> dict[str, dict[str, Any]]:
        return {row["mechanism"]: row for row in self.run.results()}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The list is run once: each of its programs has a process of its own, which loads everything."""
    folder = tmp_path_factory.mktemp("listed")
    for name, text in (("noisy.py", PROVED), ("low.py", FALSE), ("expected.toml", LIST)):
        (folder / name).write_text(text, encoding="utf-8")
    table = folder / "table.md"
    done = invoke("bench", folder / "expected.toml", "--workers", "3", "--json", "--markdown", table)
    return Report(done, table.read_text(encoding="utf-8"))


def test_outcomes_and_totals(report: Report) -> None:
    done, rows = report.run, report.rows
    assert done.status == 4
    assert list(rows) == ["noisy", "too_little", "gone"]
    assert {name: row["outcome"] for name, row in rows.items()} == {
        "noisy": "correct proof",
        "too_little": "correct refutation",
        "gone": "error",
    }
    assert rows["gone"]["reason"].endswith("gone.py: no such file")
    assert all(row["seconds"] > 0 and row["megabytes"] > 5 for row in rows.values())
    totals = json.loads(done.out)["totals"]
    counts = {name: totals[name] for name in CLASSES if totals[name]}
    assert counts == {"correct proof": 1, "correct refutation": 1, "error": 1}
    assert "| `noisy` | `eps` | correct proof |" in report.table
    assert "| `too_little` |  | correct refutation (false claim `eps/2`) |" in report.table


def test_where_the_time_went(report: Report) -> None:
    rows = report.rows
    proof, refutation, error = rows["noisy"], rows["too_little"], rows["gone"]
    for row in (proof, refutation):
        spent = row["phases"]
        assert set(spent) == {f.name for f in fields(Phases)}
        assert all(seconds >= 0 for seconds in spent.values())
        assert sum(spent.values()) == pytest.approx(row["seconds"], abs=0.02)
        assert row["calls"] == sum(row["solver_calls"].values())
        assert row["certificate_bytes"] > 500
    assert proof["phases"]["kernel"] > 0 and proof["phases"]["search"] > 0
    assert proof["phases"]["refutation"] == 0 < refutation["phases"]["refutation"]
    assert proof["solver_calls"]["cvc5"] > 0 and proof["synthesis_to_checking"] > 0
    assert proof["synthesis_to_checking"] * proof["checking"] == pytest.approx(1, rel=0.1)
    assert refutation["checking"] is None
    assert (error["phases"], error["calls"], error["certificate_bytes"]) == (None, None, None)


def test_a_wrong_proof_is_found(run: Run, write: Write, listed: Path) -> None:
    write("expected.toml", LIST.replace('"eps/2"', '"eps"').replace("(2*eps + eps)/3", "2*eps"))
    done = run("bench", listed, "--filter", "*o*")
    assert done.status == 1
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["mechanism", "noisy", "too_little", "gone"]
    assert "wrong proof" in lines[1] and "expected: proved 2*eps" in lines[1]
    assert "wrong proof" in lines[2] and "expected: refuted eps" in lines[2]
    assert lines[-3].startswith(
        "3 programs: 0 correct proofs, 0 correct refutations, 2 wrong proofs, 0 unknown, 1 error;"
    )
    assert [line.rpartition("::")[2] for line in lines[-2:]] == ["noisy", "too_little"]
    assert all(line.startswith("wrong proof: ") for line in lines[-2:])


def test_filters(run: Run, listed: Path) -> None:
    done = run("bench", listed, "--filter", "nothing*")
    assert (done.status, done.err) == (2, f"synth: error: no program of {listed} matches 'nothing*'\n")


def _measured(verdict: str, epsilon: str | None) -> Measured:
    result = {"verdict": verdict, "epsilon": epsilon, "reason": None}
    return Measured(0, json.dumps({"results": [result]}), "", 1.0, 50.0)


@pytest.mark.parametrize(
    ("expected", "bound", "verdict", "epsilon", "outcome"),
    [
        ("proved", "eps*(1 + 6*c)/4", "proved", "(1 + 6*c)*eps/4", "correct proof"),
        ("proved", "len(q)*eps", "proved", "eps*len(q)", "correct proof"),
        ("proved", "eps", "proved", "2*eps", "weak proof"),
        ("proved", "eps", "proved", "eps + k*eps/n", "weak proof"),
        ("proved", "eps", "proved", "eps/2", "wrong proof"),
        ("proved", "eps", "proved", "(k - 1)*eps", "wrong proof"),
        ("proved", "eps", "proved", "log(1 + eps)", "wrong proof"),
        ("proved", "eps", "refuted", None, "wrong alarm"),
        ("proved", "eps", "unknown", "2*eps", "unknown"),
        ("refuted", "eps", "proved", "eps", "wrong proof"),
        ("refuted", "eps", "refuted", None, "correct refutation"),
        ("refuted", "eps", "unknown", None, "unknown"),
        ("unknown", None, "unknown", None, "unknown"),
    ],
)
def test_classes(expected: str, bound: str | None, verdict: str, epsilon: str | None, outcome: str) -> None:
    claim = bound if expected == "refuted" else None
    item = Expectation(Path("p.py"), "p", expected, None if claim else bound, claim)
    row = row_for(item, _measured(verdict, epsilon))
    assert row.outcome == outcome
    assert row.as_expected == (outcome in CORRECT or expected == outcome == "unknown")


def test_output_that_is_none_is_an_error() -> None:
    item = Expectation(Path("p.py"), "p", "proved", "eps", None)
    row = row_for(item, Measured(-11, "", "", 1.0, 50.0))
    assert (row.outcome, row.reason) == ("error", "ended with status -11 and no result")


def test_the_list_of_the_checkout_is_found_from_below() -> None:
    assert find_list(ROOT / "synth" / "prover") == ROOT / "benchmarks" / "expected.toml"
    assert len(read_list(find_list(ROOT))) > 30
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


@pytest.mark.parametrize(
    ("now", "found"),
    [
        ({"z3": 12}, []),
        ({"z3": 13}, [Growth("p.py::p", "z3", 10, 13)]),
        ({"z3": 5, "cvc5": 2}, []),
        ({"cvc5": 3}, [Growth("p.py::p", "cvc5", 0, 3)]),
    ],
    ids=["a fifth more", "more than a fifth", "two of a new kind", "three of a new kind"],
)
def test_growth_is_more_than_a_fifth(now: dict[str, int], found: list[Growth]) -> None:
    assert list(grown({"p.py::p": {"z3": 10}, "p.py::gone": {"z3": 1}}, {"p.py::p": now})) == found
    assert not list(grown({}, {"p.py::p": now}))


def test_counts_are_recorded_and_compared(run: Run, listed: Path, tmp_path: Path) -> None:
    counts = tmp_path / "counts.json"
    named = ("bench", listed, "--filter", "noisy", "--counts", counts)
    counts.write_text('{"other.py::other": {"z3": 7}}')
    assert run(*named, "--record").status == 0
    recorded = json.loads(counts.read_text())
    assert recorded["other.py::other"] == {"z3": 7}
    assert recorded["noisy.py::noisy"].keys() >= {"cvc5", "strategies", "runs"}
    recorded["noisy.py::noisy"]["runs"] //= 2
    counts.write_text(json.dumps(recorded))
    done = run(*named)
    assert done.status == 1
    assert done.out.splitlines()[-1].startswith("grown by a fifth: noisy.py::noisy: ")
    counts.write_text('{"p": 1}')
    assert run(*named).err == f"synth: error: {counts}: no counts, as bench --record writes them\n"
    assert run("bench", listed, "--record").status == 2
