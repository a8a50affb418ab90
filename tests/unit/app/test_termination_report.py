"""What ``synth prove`` says about a bound where termination is observed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.app.invocation import Run, Write

TEXT = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: int, n: int, eps: float) -> int:
    y = laplace(x, scale=1 / eps)
    %s
    return y
"""

COUNTS = "while n > 0:\n        n -= 1"
WAITS = "while y < 1:\n        pass"
NORMAL = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=0.00001)
def normal(x: float) -> float:
    y = gaussian(x, 4)
    assert y > 0
    return y
"""


def test_programs_without_while_end(run: Run, write: Write) -> None:
    (result,) = run("prove", write("p.py", TEXT % "pass"), "--json").results()
    assert result["termination"] == {
        "observable": True,
        "reason": "every run ends",
        "line": None,
        "delta": "0",
    }
    assert "termination" not in run("prove", write("p.py", TEXT % "pass")).out


def test_a_while_that_ends(run: Run, write: Write) -> None:
    path = write("p.py", TEXT % COUNTS)
    (result,) = run("prove", path, "--json").results()
    assert result["verdict"] == "proved" and result["termination"]["observable"]
    assert "not observed" not in result["assumptions"]
    shown = run("prove", path).out
    assert "Every run ends, so the bound also holds where termination is observed." in shown


@pytest.mark.slow
def test_a_while_that_may_go_on_for_ever_is_flagged(run: Run, write: Write) -> None:
    path = write("p.py", TEXT % WAITS)
    (result,) = run("prove", path, "--json", "--timeout", "900").results()
    assert (result["verdict"], result["epsilon"], result["delta"]) == ("proved", "eps", "0")
    assert result["termination"] == {
        "observable": False,
        "reason": "the loop in line 7 may keep one run from an output, and not the other",
        "line": 7,
        "delta": "gap",
    }
    assert "whether a run terminates is not observed" in result["assumptions"]
    shown = run("prove", path).out
    assert "delta = gap, with gap = sup |Pr[M(x1) ends] - Pr[M(x2) ends]|" in shown


def test_the_gap_is_added_to_a_delta(run: Run, write: Write) -> None:
    (result,) = run("prove", write("p.py", NORMAL), "--json").results()
    assert (result["verdict"], result["termination"]["delta"]) == ("proved", "1/100000 + gap")
    assert "assertion in line 7" in result["termination"]["reason"]


@pytest.mark.slow
def test_a_leak_by_not_ending_is_not_proved(run: Run, write: Write) -> None:
    text = """
    from synth.lang import *


    @mechanism(adjacent={"x": discrete_distance()})
    def leaks(x: bool) -> int:
        while x:
            pass
        return 0
    """
    (result,) = run("prove", write("p.py", text), "--json").results()
    assert result["verdict"] == "unknown" and result["termination"] is None


def test_what_comes_from_the_cache_says_so_too(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path / "cache"))
    path = write("p.py", TEXT % COUNTS)
    (fresh,) = run("prove", path, "--json").results()
    (cached,) = run("prove", path, "--json").results()
    assert (fresh["cached"], cached["cached"]) == (False, True)
    for name in ("termination", "assumptions", "notes", "sites", "loops"):
        assert fresh[name] == cached[name]
