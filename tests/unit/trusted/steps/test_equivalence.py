"""What the step "same noise" accepts: what the rewritings make of programs, and the like by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from synth.prover.normal_form.pipeline import PASSES, rewritten
from synth.trusted.frontend.reader import read_program
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.steps import terms
from synth.trusted.steps.equivalence import check_equivalent
from synth.trusted.steps.equivalence_codes import Code, Different
from tests import ROOT
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": absolute_distance(1), "q": linf_distance(1)}, requires="eps > 0")
def f(x: int, q: list[int], n: int, r: float, eps: float):
"""
KEEPING_NOISE = PASSES[:-1]
FOLDERS = (
    "benchmarks/programs",
    "benchmarks/refuted",
    "tests/completeness/programs",
    "tests/soundness/programs",
)

PARTS = 4
"""Of a folder, each a test of its own."""

PAIRS = {
    "what is equal to an input, by that": (
        """
        k = 0
        for v in q:
            k = k + v
        if k == n:
            return laplace(k * k, 1) / (2 + k)
        return laplace(x, 2)
        """,
        """
        k = 0
        for v in q:
            k = k + v
        if k == n:
            return laplace(n * n, 1) / (2 + n)
        return laplace(x, 2)
        """,
    ),
    "a dead draw": ("return x", "z = laplace(x, 1); return x"),
    "a dead draw less": ("z = laplace(x, 1); return x", "return x"),
    "a test as a branch": (
        "b = laplace(x, 1) > 0; return b",
        """
        b = False
        y = laplace(x, 1)
        if y > 0:
            b = True
        return b
        """,
    ),
    "drawn before the branch": (
        """
        y = 5
        if x > 0:
            y = laplace(x, 1)
        return y
        """,
        """
        y = 5
        z = laplace(x if x > 0 else 0, 1)
        if x > 0:
            y = z
        return y
        """,
    ),
    "one draw for both sides": (
        """
        if x > 0:
            y = laplace(x, 1)
        else:
            y = laplace(2, 1)
        return y
        """,
        "return laplace(x if x > 0 else 2, 1)",
    ),
    "returns joined": (
        """
        y = laplace(x, 1)
        if y > 0:
            return y
        return 0
        """,
        """
        y = laplace(x, 1)
        if y <= 0:
            y = 0
        return y
        """,
    ),
    "another name in each loop": (
        """
        s = 0
        for i in range(2):
            y = laplace(0, 1)
            s = s + y
        for i in range(2):
            y = laplace(0, 2)
            s = s + y
        return s
        """,
        """
        s = 0
        for i in range(2):
            a = laplace(0, 1)
            s = s + a
        for j in range(2):
            b = laplace(0, 2)
            s = s + b
        return s
        """,
    ),
    "an exit as a condition": (
        """
        s = 0
        for i in range(len(q)):
            if q[i] > 3:
                continue
            s = s + laplace(q[i], 1)
        return s
        """,
        """
        s = 0
        for i in range(len(q)):
            if q[i] <= 3:
                s = s + laplace(q[i], 1)
        return s
        """,
    ),
    "a sharper obligation": (
        "y = 10 // n if x > 0 else 0; return 0",
        "z = 10 // n; y = z if x > 0 else 0; return 0",
    ),
    "endless alike": (
        """
        y = 0
        while True:
            y = y + 1
        return 0
        """,
        """
        y = 0
        while True:
            y = y - 1
        return 1
        """,
    ),
    "a factor of 0 and a term of 0": (
        "return laplace((r + 0.0) * 1.0 + 0.0 * eps, 1.0) + 0 * n",
        "return laplace(r, 1.0)",
    ),
    "two assertions for one": (
        "assert n > 0 and n < 9; return laplace(n, 1)",
        """
        assert n > 0
        assert n < 9
        return laplace(n, 1)
        """,
    ),
    "noise drawn at the size that it is used at": (
        "z = laplace(r, 2.0); return n + z / eps",
        "z = laplace(r / eps, 2.0 / eps); return n + z",
    ),
    "noise drawn at its size, by two factors": (
        "z = gaussian(r, 2.0); return (eps * z) / eps",
        "z = gaussian((eps * r) / eps, (eps * 2.0) / eps); return z",
    ),
    "standard noise drawn at its size": (
        "z = laplace(0.0, 1.0); return 4 * z / eps",
        "z = laplace(0.0, 4.0 / eps); return z",
    ),
}


def read(text: str) -> ir.Mechanism:
    lines = text.strip("\n").splitlines() if "\n" in text else text.split("; ")
    margin = len(lines[0]) - len(lines[0].lstrip())
    return mechanism(HEAD + "\n".join("    " + line[margin:] for line in lines) + "\n")


@pytest.mark.parametrize("name", PAIRS)
def test_accepted(name: str) -> None:
    check_equivalent(*map(read, PAIRS[name]))


def _mechanisms(folder: str, part: int = 0, parts: int = 1) -> Iterator[ir.Mechanism]:
    """Those of every so-manieth file of a folder."""
    for path in sorted((ROOT / folder).rglob("*.py"))[part::parts]:
        yield from read_program(path).mechanisms


@pytest.mark.parametrize("folder", FOLDERS[:2])
def test_all_rewritings_that_keep_noise_at_once(folder: str) -> None:
    for of in _mechanisms(folder):
        form = of
        for rewrite in KEEPING_NOISE:
            form = rewrite(form)
        check_equivalent(of, form)


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("part", range(PARTS))
def test_each_rewriting_that_keeps_noise(folder: str, part: int) -> None:
    for of in _mechanisms(folder, part, PARTS):
        form = of
        for rewrite in KEEPING_NOISE:
            before, form = form, rewrite(form)
            if form != before:
                check_equivalent(before, form)
                check_equivalent(of, form)


def test_a_quotient_of_noise_on_reals() -> None:
    of = read("assert n > 0; return laplace(r / n, 1 / eps)")
    form = rewritten(of)
    assert any(isinstance(item, ir.Assign) and "unscaled" in repr(item.value) for item in form.body)
    check_equivalent(of, form)


def test_a_multiple_of_noise_on_reals() -> None:
    of = read("assert n > 0; return laplace(n * (r + x), n / eps)")
    form = rewritten(replace(of, requires=builders.less(builders.ZERO, ir.Variable("n", ir.Sort.INT))))
    assert any(isinstance(item, ir.Draw) and "unscaled" in item.target for item in form.body)
    check_equivalent(of, replace(form, requires=of.requires))


# --- time -----------------------------------------------------------------------------------


def _quiet(count: int) -> list[str]:
    sides = (("if x > {0}:", "    y = y + {0}", "else:", "    y = y - 1"),)
    lines = [line.format(place) for place in range(count) for side in sides for line in side]
    return ["y = 0", *lines, "return laplace(y, 1)"]


def _guarded(count: int) -> list[str]:
    lines = [line for place in range(count) for line in (f"if x > {place}:", "    y = laplace(y, 1)")]
    return ["y = 0", *lines, "return y"]


def _on_noise(count: int) -> list[str]:
    lines = [
        line
        for place in range(count)
        for line in (f"a = laplace(x, {place + 1})", "if a > 0:", "    y = y + laplace(x, 1)")
    ]
    return ["y = 0", *lines, "return y"]


def _with_returns(count: int) -> list[str]:
    lines = [line for place in range(count) for line in (f"if x > {place}:", f"    return {place}")]
    return ["y = laplace(x, 1)", *lines, "return y"]


def _with_loops(count: int) -> list[str]:
    lines = [line for place in range(count) for line in (f"if x > {place}:", "    for i in range(3):")]
    body = [part for line in lines for part in ((line, "        y = y + 1") if "for" in line else (line,))]
    return ["y = 0", *body, "return laplace(y, 1)"]


def _steps(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """The steps that a comparison takes."""
    made: list[terms.Terms] = []
    prepare = terms.Terms.__post_init__

    def noted(self: terms.Terms) -> None:
        made.append(self)
        prepare(self)

    of = read("\n".join(["", *("    " + line for line in lines)]))
    form = of
    for rewrite in KEEPING_NOISE:
        form = rewrite(form)
    with monkeypatch.context() as patched:
        patched.setattr(terms.Terms, "__post_init__", noted)
        check_equivalent(of, form)
    return made[0].steps


@pytest.mark.parametrize("family", [_quiet, _guarded, _on_noise, _with_returns, _with_loops])
def test_branches_one_after_the_other(
    family: Callable[[int], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = (_steps(family(count), monkeypatch) for count in (15, 30))
    assert many < 5 * few, "at most quadratic"
    assert many < 100_000


def test_a_limit_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    of = read("return laplace(x, 1)")
    monkeypatch.setattr(terms, "MAX_STEPS", 10)
    with pytest.raises(Different, match=re.escape("more than 10 steps")) as refused:
        check_equivalent(of, of)
    assert refused.value.why.code is Code.TOO_MANY_STEPS
