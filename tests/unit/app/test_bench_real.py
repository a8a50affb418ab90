"""``synth bench --suite real``: what is read, and what the verdicts are worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synth.app.benchmark.measuring import Measured
from synth.app.benchmark.real import in_the_way, real_row, summary
from synth.app.benchmark.truths import Truth, find_truths, read_truths
from synth.app.commands.bench_real import markdown
from synth.trusted.errors import UsageError
from tests.unit.app.invocation import Run

PRIVACY = """
[[mechanism]]
function = "noisy.py::count"
types = { n = "int" }
adjacent = { n = "absolute_distance(1)" }
epsilon = "1"
"""
TRUTHS = """
[[mechanism]]
function = "noisy.py::count"
origin = "book"
holds = true
least = "1/2"
"""


def _truth(holds: bool = True, least: str | None = None, origin: str = "book") -> Truth:
    return Truth(Path("suite"), "noisy.py::count", origin, "eps", holds, least)


def _proved(verdict: str, epsilon: str | None = None) -> Measured:
    result = {"verdict": verdict, "epsilon": epsilon, "reason": None}
    return Measured(0, json.dumps({"results": [result], "errors": []}), "", 1.0, 50.0)


def _refused(*messages: str) -> Measured:
    errors = [
        {"code": "unsupported-construct", "message": text, "file": "noisy.py", "line": 3, "column": 5}
        for text in messages
    ]
    return Measured(4, json.dumps({"results": [], "errors": errors}), "", 0.5, 50.0)


@pytest.mark.parametrize(
    ("truth", "measured", "outcome"),
    [
        (_truth(), _proved("proved", "eps"), "correct proof"),
        (_truth(least="eps"), _proved("proved", "eps"), "correct proof"),
        (_truth(least="eps/2"), _proved("proved", "eps"), "correct proof"),
        (_truth(least="eps"), _proved("proved", "eps/2"), "wrong proof"),
        (_truth(holds=False), _proved("proved", "eps"), "wrong proof"),
        (_truth(), _proved("refuted"), "wrong alarm"),
        (_truth(holds=False), _proved("refuted"), "correct refutation"),
        (_truth(), _proved("unknown"), "unknown"),
        (_truth(), _refused("a lambda is not supported"), "not read"),
        (_truth(), Measured(-11, "", "", 1.0, 50.0), "error"),
        (_truth(), Measured(2, "[]", "synth: error: no such option", 1.0, 50.0), "error"),
    ],
)
def test_outcomes(truth: Truth, measured: Measured, outcome: str) -> None:
    assert real_row(truth, measured).outcome == outcome


def test_what_ended_without_a_verdict_says_why() -> None:
    row = real_row(_truth(), Measured(2, "", "synth: error: no such option", 1.0, 50.0))
    assert row.reason == "synth: error: no such option"


def test_obstacles_are_counted_once_for_each_function() -> None:
    rows = [
        real_row(_truth(), _refused("a lambda", "a lambda", "a slice")),
        real_row(_truth(), _refused("a slice")),
        real_row(_truth(), _proved("proved", "eps")),
    ]
    assert in_the_way(rows) == [("a slice", 2, 1), ("a lambda", 1, 0)]


def test_names_of_a_function_are_no_part_of_an_obstacle() -> None:
    first = real_row(_truth(), _refused("the type 'str' of 'x' is not supported"))
    second = real_row(
        _truth(), _refused("the type 'str' of 'y' is not supported", "no function 'count' in /a/b.py")
    )
    assert in_the_way([first, second]) == [
        ("the type 'str' of '…' is not supported", 2, 1),
        ("no function '…'", 1, 0),
    ]


def test_the_summary_counts_true_and_false_claims_of_what_is_read() -> None:
    rows = [
        real_row(_truth(), _proved("proved", "eps")),
        real_row(_truth(), _proved("unknown")),
        real_row(_truth(holds=False, origin="library"), _proved("refuted")),
        real_row(_truth(holds=False), _refused("a slice")),
    ]
    assert summary(rows).startswith(
        "4 mechanisms of 2 origins: 3 read; 1 of 2 true claims proved, 1 of 1 false claims refuted, 0 wrong"
    )
    assert "| `noisy.py::count` | `eps` | no | not read | 1 |" in markdown(rows)


def test_a_suite_is_read(tmp_path: Path) -> None:
    (tmp_path / "privacy.toml").write_text(PRIVACY)
    (tmp_path / "truth.toml").write_text(TRUTHS)
    assert read_truths(tmp_path) == (Truth(tmp_path, "noisy.py::count", "book", "1", True, "1/2"),)


@pytest.mark.parametrize(
    ("privacy", "truths", "message"),
    [
        (PRIVACY, TRUTHS.replace("count", "total"), "nothing is said of noisy.py::count"),
        (PRIVACY, TRUTHS.replace("true", '"yes"'), "holds must be true or false"),
        (PRIVACY, TRUTHS.replace('origin = "book"', ""), "a mechanism has no origin"),
        (PRIVACY, "", "there is no [[mechanism]] in it"),
        ("[[", TRUTHS, "not a TOML file"),
    ],
)
def test_a_suite_that_is_none(tmp_path: Path, privacy: str, truths: str, message: str) -> None:
    (tmp_path / "privacy.toml").write_text(privacy)
    (tmp_path / "truth.toml").write_text(truths)
    with pytest.raises(UsageError, match=message.replace("[", r"\[").replace("]", r"\]")):
        read_truths(tmp_path)


def test_a_suite_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.toml: can't be read"):
        read_truths(tmp_path)
    with pytest.raises(UsageError, match="name the folder to run"):
        find_truths(tmp_path)


NOISY = """
import numpy as np


def count(n):
    return n + np.random.laplace(scale=1.0)


def guarded(n):
    with open("n"):
        return n + np.random.laplace(scale=1.0)
"""


def test_a_suite_is_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY)
    for name, text in (("privacy.toml", PRIVACY), ("truth.toml", TRUTHS.replace('"1/2"', '"1"'))):
        (tmp_path / name).write_text(text + text.replace("count", "guarded"))
    done = run("bench", tmp_path, "--suite", "real", "--workers", "2", "--json")
    assert done.status == 0
    printed = json.loads(done.out)
    proved, unread = printed["results"]
    assert (proved["function"], proved["outcome"], proved["epsilon"]) == (
        "noisy.py::count",
        "correct proof",
        "1",
    )
    assert unread["outcome"] == "not read"
    assert [(item["line"], item["code"]) for item in unread["obstacles"]] == [(10, "unsupported-construct")]
    assert printed["totals"]["correct proof"] == printed["totals"]["not read"] == 1


DECORATED = """
from synth.lang import *


@mechanism(adjacent={"n": absolute_distance(1)}, epsilon="1")
def count(n: int) -> int:
    return laplace(n, 1)
"""


def test_a_suite_with_decorators_is_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(DECORATED)
    (tmp_path / "truth.toml").write_text(TRUTHS.replace('"1/2"', '"1"') + 'theirs = "proved, 3 s"\n')
    table = tmp_path / "table.md"
    done = run("bench", tmp_path, "--suite", "public", "--json", "--markdown", table)
    assert done.status == 0
    (row,) = json.loads(done.out)["results"]
    assert (row["claim"], row["outcome"], row["theirs"]) == ("1", "correct proof", "proved, 3 s")
    assert "| `noisy.py::count` | `1` | yes | proved | " in table.read_text()


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (DECORATED.replace('epsilon="1"', ""), "noisy.py::count is no mechanism with a claim"),
        ("def", "can't be read"),
    ],
)
def test_a_suite_with_decorators_that_is_none(tmp_path: Path, program: str, message: str) -> None:
    (tmp_path / "noisy.py").write_text(program)
    (tmp_path / "truth.toml").write_text(TRUTHS)
    with pytest.raises(UsageError, match=message):
        read_truths(tmp_path)
