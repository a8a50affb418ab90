"""Programs as large as they may be have a verdict, and a certificate that can be checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.app.alone import alone
from synth.trusted.errors import UnfinishedError
from tests.unit.app.invocation import Run, Write

HEAD = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def large(x: int, k: int, eps: float) -> int:
    y = laplace(x, scale=1 / eps)
    s = 0
"""

MAX_NESTED = 96
"""Branches within branches: the expressions in the innermost one are a hundred levels deep."""


def nested(depth: int) -> str:
    """Branches within branches."""
    branches = "".join(f"{' ' * (4 + level)}if y > k + {level}:\n" for level in range(depth))
    return f"{HEAD}{branches}{' ' * (4 + depth)}s = 1\n    return s\n"


def alternatives(number: int) -> str:
    """Branches that each follow from the last one's being left alone; in the syntax tree they are nested."""
    words = ("if", *["elif"] * (number - 1))
    return (
        HEAD
        + "".join(f"    {word} y > k - {n}:\n        s = {n}\n" for n, word in enumerate(words))
        + ("    return s\n")
    )


def one_after_the_other(statement: str, number: int) -> str:
    """The same kind of statement many times; ``N`` is its number."""
    return HEAD + "".join(statement.replace("N", str(n)) for n in range(number)) + "    return s + y\n"


def check_proved(run: Run, write: Write, tmp_path: Path, text: str) -> None:
    """The program has a proof that the kernel accepts, also in a process of its own."""
    target = tmp_path / "proof.json"
    done = run("prove", write("p.py", text), "--no-cache", "--certificate", target, "--timeout", "3000")
    assert done.out.startswith("large: proved, epsilon = eps"), done.out[:500]
    assert run("check", target, "--timeout", "3000").status == 0


@pytest.mark.parametrize("text", [nested(MAX_NESTED), alternatives(MAX_NESTED)], ids=["nested", "elif"])
def test_nested_branches(run: Run, write: Write, tmp_path: Path, text: str) -> None:
    check_proved(run, write, tmp_path, text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        one_after_the_other("    s = s + 1\n", 2000),
        one_after_the_other("    if y > N:\n        s = N\n", 1000),
    ],
    ids=["assignments", "branches"],
)
def test_many_statements(run: Run, write: Write, tmp_path: Path, text: str) -> None:
    check_proved(run, write, tmp_path, text)


@pytest.mark.parametrize(
    "text", [nested(MAX_NESTED + 1), alternatives(MAX_NESTED + 2)], ids=["nested", "elif"]
)
def test_deeper_ones_are_refused_with_their_place(run: Run, write: Write, text: str) -> None:
    done = run("prove", write("p.py", text))
    assert (done.status, done.out) == (4, "")
    assert "the program is nested too deeply (more than 100)" in done.err


def releases(number: int) -> str:
    """So many draws one after the other."""
    draws = "".join(f"    s = s + laplace(x, {number} / eps)\n" for _ in range(number))
    return f"{HEAD.replace('-> int', '-> float').replace('scale=1 / eps', '1 / eps')}{draws}    return s\n"


def test_more_draws_than_the_search_is_made_for(run: Run, write: Write) -> None:
    done = run("prove", write("p.py", releases(300)), "--json", "--no-cache")
    (result,) = done.results()
    assert (done.status, result["verdict"], result["code"]) == (3, "unknown", "too-many-draws")
    assert result["reason"] == "301 statements draw noise, and the search is for at most 250"


def test_workers_recurse_deeply() -> None:
    def deep(number: int) -> int:
        return 0 if number == 0 else max(1 + deep(item) for item in (number - 1,))

    assert alone(lambda channel: deep(5_000), "deep", 60) == 5_000
    with pytest.raises(UnfinishedError, match="nested too deeply"):
        alone(lambda channel: deep(50_000), "too deep", 60)
