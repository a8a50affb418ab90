"""Names of their own for variables of separate loops: only where nothing else mentions them."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.proving import prove_apart

HEADER = """
from synth.lang import *


@mechanism(adjacent={"s": discrete_distance(), "q": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def shape(s: bool, q: int, eps: float) -> int:
"""
LOOPS = """
while True:
    {x} = 0
    if {x} == 0:
        break
while True:
    {x} = {value}
    if {test}:
        break
"""
READERS = {
    "a for loop": """
{r} = 0
for {i} in range(2):
    {r} = {x}
return {r}
""",
    "a while loop": """
{r} = 0
{i} = 0
while {i} < 2:
    {i} += 1
    {r} = {x}
return {r}
""",
    "a loop that returns": """
while True:
    return {x}
""",
    "a branch in a loop": """
{r} = 0
for {i} in range(2):
    if {x} > 0:
        {r} = {r} + {x}
return {r}
""",
}
VALUES = {"1 if s else 0": None, "1": "0", "laplace(q, scale=1 / eps)": "eps"}
CASES = [
    (reader, value)
    for reader in READERS
    for value in VALUES
    if (reader, "laplace" in value) != ("a loop that returns", True)  # unknown, with one loop or two
]
NAMES = [{"x": "x", "r": "r", "i": "i"}, {"x": "seen", "r": "a", "i": "x"}]


def shape(reader: str, value: str, names: dict[str, str]) -> ir.Mechanism:
    test = "{x} >= 0" if "laplace" not in value else "{x} < 0 or {x} >= 0"
    loops = LOOPS.replace("{test}", test).replace("{value}", value)
    body = (loops + READERS[reader]).format(**names)
    return read_source(HEADER + indent(body, "    "), "shape.py")[0]


@pytest.mark.parametrize(("reader", "value"), CASES)
def test_a_third_loop_reads_what_two_loops_assign(reader: str, value: str) -> None:
    """What is public or noised is proved at its least bound, what is told is not."""
    names = NAMES[list(READERS).index(reader) % 2]
    found = prove_apart(shape(reader, value, names))
    wanted = VALUES[value]
    assert (found.verdict, found.epsilon) == (("unknown", None) if wanted is None else ("proved", wanted))


def test_loops_that_do_not_share_their_values_have_names_of_their_own() -> None:
    body = """
    a = 0
    for i in range(3):
        x = laplace(q, scale=1 / eps)
        a = a + x
    for i in range(3):
        x = laplace(q, scale=1 / eps)
        a = a + 2 * x
    return a
    """
    program = canonical(read_source(HEADER + dedent(body).replace("\n", "\n    "), "shape.py")[0])
    assert {"x%in0", "x%in1"} <= program.variables.keys()
