"""What theorems say of steps, Rocq proves of programs before and behind a step: each output is as likely."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from synth.app.rocq import ALLOWED
from synth.rocq.statement import program_text
from synth.trusted.core.reader import read_as_written
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.rewriting import Count, Linger, Pair, Sign, Step, Stream, taken

PROOFS = (Path(__file__).parent / "steps.v").read_text(encoding="utf-8")

COUNTED = """
@adjacent(x=linf_distance(1.0))
def f(x: sequence(int)) -> output(int):
    xs: list(int)
    i: int
    xs = []
    i = 0
    with block(B):
        while True:
            if len(x) <= i:
                leave(B)
            if 0 < x[i]:
                xs.append(i)
            i = i + 1
    return len(xs)
"""
LATE = """
@adjacent(x=absolute_distance(1.0))
def f(x: int, n: int) -> output(int):
    s: int
    i: int
    d: bool
    y: bool
    s = 0
    i = 0
    d = False
    with block(B):
        while True:
            if n <= i:
                leave(B)
            y = bernoulli(0.25)
            if y:
                s = s + x + i
                d = True
            i = i + 1
            if d:
                leave(B)
    return s
"""
EARLY = (
    LATE.replace("n <= i:", "n <= i or d:")
    .replace("            if d:\n                leave(B)\n", "")
    .replace(", n: int)", ")")
    .replace("    s = 0\n", "    n: int\n    n = exponential(0, 2.0)\n    s = 0\n", 1)
)
SIGNED = """
@adjacent(x=absolute_distance(1.0))
def f(x: real) -> output(real):
    c: bool
    e: real
    c = bernoulli(0.5)
    e = exponential(0.0, 1.0)
    return x + (e if c else -e)
"""
PAIRED = """
@adjacent(x=absolute_distance(1.0))
def f(x: int) -> output(int):
    a: int
    b: int
    y: int
    a = exponential(0, 1.0)
    b = exponential(x, 1.0)
    y = x + a - b
    return y
"""
STREAMED = """
@adjacent(x=linf_distance(1.0))
def f(x: sequence(int)) -> output(int):
    xs: list(int)
    i: int
    j: int
    s: int
    y: int
    c: bool
    xs = []
    i = 0
    with block(B):
        while True:
            if len(x) <= i:
                leave(B)
            y = laplace(x[i], 1.0)
            if 0 < y:
                xs.append(y)
            i = i + 1
    s = 0
    j = 0
    with block(C):
        while True:
            if len(xs) <= j:
                leave(C)
            c = bernoulli(0.25)
            if c:
                ensure(j < len(xs), "index")
                s = s + xs[j]
            j = j + 1
    return s
"""
STEPS: dict[str, tuple[str, Step]] = {
    "counted": (COUNTED, Count((0,))),
    "late": (LATE, Linger((3,))),
    "early": (EARLY, Linger((4,))),
    "signed": (SIGNED, Sign((0,))),
    "paired": (PAIRED, Pair((0,))),
    "streamed": (STREAMED, Stream((5,))),
}


def definitions() -> str:
    """Both programs of each step, as terms."""
    lines: list[str] = []
    for name, (text, step) in STEPS.items():
        of = read_as_written(text.strip() + "\n")
        before: ir.Mechanism = replace(of, body=renumber(of.body))
        after, _ = taken(before, step)
        lines += program_text(f"before_{name}", before)
        lines += program_text(f"after_{name}", after)
    return "\n".join(lines)


def whole() -> str:
    used = "From Coq Require Import Lia Lra.\nFrom synth Require Import Merged Streamed."
    return f"{used}\n{definitions()}\n{PROOFS}"


def compiled(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "Steps.v").write_text(text, encoding="utf-8")
    options = ["-q", "-w", "none", "-R", "theories", "synth"]
    return subprocess.run(["coqc", *options, "Steps.v"], cwd=folder, capture_output=True, text=True)


@pytest.mark.slow
def test_a_step_keeps_the_chances_of_all_outputs(folder: Path) -> None:
    done = compiled(folder, whole())
    assert done.returncode == 0, done.stderr
    assert PROOFS.count("Print Assumptions") == done.stdout.count("Axioms:") == len(STEPS)
    assert set(re.findall(r"^([\w.]+)(?= *:|$)", done.stdout, re.MULTILINE)) - {"Axioms"} <= ALLOWED


LIES = {
    "the counter is returned": ('Return [Item (IntVar "s")] []', 'Return [Item (IntVar "i")] []'),
    "nothing is counted behind an append": ('(Add (IntVar "xs.len") (IntConst 1))', '(IntVar "xs.len")'),
    "a biased coin": ("(RealConst (1 / 2))", "(RealConst (1 / 3))"),
    "another entry is added up": ('(Add (IntVar "s") (IntVar "y"))', '(Add (IntVar "s") (IntVar "i"))'),
    "each entry is added up": ('If 2 (BoolVar "c")', "If 2 (BoolConst true)"),
    "both numbers have one sign": ('(Sub (Add (IntVar "x")', '(Add (Add (IntVar "x")'),
}


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_nothing_is_proved_of_other_programs(folder: Path, lie: str) -> None:
    """Not where the proof speaks of the other programs, too."""
    true, false = LIES[lie]
    text = whole()
    assert true in text
    assert "Error" in compiled(folder, text.replace(true, false)).stderr
