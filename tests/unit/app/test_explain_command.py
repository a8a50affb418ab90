"""``synth explain``: a code's meaning, why it matters, what to do."""

from __future__ import annotations

from synth.app.explanations import explanations
from tests.unit.app.invocation import Run


def test_a_code_is_explained(run: Run) -> None:
    done = run("explain", "private-scale")
    assert (done.status, done.err) == (0, "")
    for part in (
        "private-scale",
        "said when",
        "it matters",
        "what to do",
        "compute it from public parameters",
    ):
        assert part in done.out


def test_an_example_is_shown(run: Run) -> None:
    said = run("explain", "bound-misses-claim").out
    assert said.index("laplace(x, 1 / eps)") < said.index("laplace(x, 2 / eps)")


def test_all_are_listed(run: Run) -> None:
    done = run("explain")
    assert done.status == 0 and all(code in done.out for code in explanations())


def test_what_is_no_code_gets_the_closest(run: Run) -> None:
    done = run("explain", "private-scales")
    assert done.status == 2 and "did you mean 'private-scale'?" in done.err
    assert run("explain", "\x1b[2J").err.isprintable() or "\x1b" not in run("explain", "\x1b[2J").err


def test_for_programs(run: Run) -> None:
    (item,) = run("explain", "private-output", "--json").results()
    assert item["code"] == "private-output" and item["why"] and item["do"]
