"""A list of which only the length is asked is a number; one that is looked at, or returned, is a list."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.frontend.reader import read_source

HEAD = """\
from synth.lang import add_remove_distance, laplace, linf_distance, mechanism


@mechanism(adjacent={"xs": linf_distance(1)}, requires="eps > 0")
def f(xs: list[int], n: int, eps: float):
"""


def core(body: str) -> str:
    """The core program of a function with this body."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    (found,) = read_source(HEAD + lines, "p.py")
    return write_core(found)


COUNTED = {
    "a comprehension": "return laplace(len([x for x in xs if x > n]), 1 / eps)",
    "a list of draws": """
large = []
for x in xs:
    y = laplace(x, 1 / eps)
    if y > n:
        large.append(y)
return len(large)
""",
    "a list that is emptied": """
rounds = 0
found = []
for x in xs:
    found.append(x)
    if len(found) > 3:
        found = []
        rounds += 1
return laplace(rounds, 1 / eps)
""",
    "a test of whether there is one": """
found = [x for x in xs if x > n]
return laplace(1 if found else 0, 1 / eps)
""",
}


@pytest.mark.parametrize("body", COUNTED.values(), ids=COUNTED)
def test_only_the_length_is_asked(body: str) -> None:
    assert ": list(" not in core(body)


LOOKED_AT = {
    "an entry": "large = [x for x in xs if x > n]\nreturn laplace(large[0] + len(large), 1 / eps)",
    "a sum": "large = [x for x in xs if x > n]\nreturn laplace(sum(large) + len(large), 1 / eps)",
    "a list that is returned": "ys = [laplace(x, 1 / eps) for x in xs]\nreturn ys",
    "one beside its length": "ys = [laplace(x, 1 / eps) for x in xs]\nreturn ys, len(ys)",
}


@pytest.mark.parametrize("body", LOOKED_AT.values(), ids=LOOKED_AT)
def test_entries_are_asked(body: str) -> None:
    assert ": list(" in core(body)
