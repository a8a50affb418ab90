"""``synth templates``: every coupling with its verdict."""

from __future__ import annotations

import pytest

from tests.unit.app.invocation import Run, Write

UNSOUND = """
extends = "exponential"

[[couplings]]
name = "below"
k = "k"
relation = "v2 == v1 + k"
requirement = "true"
distance = "abs(k + center1 - center2)"
source = "wrong: run 2 may fall below its support"
"""


def test_the_bundled_templates_are_sound(run: Run) -> None:
    done = run("templates", "--json")
    assert (done.status, done.err) == (0, "")
    couplings = {(row["distribution"], row["coupling"]) for row in done.results()}
    assert couplings == {
        ("laplace", "shift"),
        ("laplace", "null"),
        ("exponential", "shift"),
        ("exponential", "null"),
        ("gaussian", "shift"),
        ("gaussian", "null"),
    }
    assert all(row["sound"] for row in done.results())
    table = run("templates")
    assert table.status == 0
    assert table.out.count(" sound ") == 6


def test_an_unsound_coupling_is_shown_with_its_counterexample(run: Run, write: Write) -> None:
    path = write("wrong.toml", UNSOUND)
    done = run("templates", path, "--json")
    assert done.status == 1
    (row,) = [row for row in done.results() if not row["sound"]]
    assert (row["distribution"], row["coupling"], row["file"]) == ("exponential", "below", str(path))
    assert row["violated"] and row["counterexample"]
    people = run("templates", path)
    assert people.status == 1
    assert "UNSOUND" in people.out
    assert f"{path}: coupling below of exponential is not sound" in people.out


@pytest.mark.parametrize("content", ["", "name = 3", "extends = 'nothing'", "what = ["])
def test_a_malformed_file_is_refused(run: Run, write: Write, content: str) -> None:
    path = write("odd.toml", content)
    done = run("templates", path, "--json")
    assert (done.status, done.results()) == (4, [])
    assert done.err.startswith(f"synth: error: {path}: ")
