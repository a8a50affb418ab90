"""Random small programs that make a list, in which loops over it compute something; draws are coins."""

from __future__ import annotations

import random
from textwrap import indent

_NUMBERS = ("a", "b", "n")
_HEAD = """from synth.lang import *


@mechanism(adjacent={"x": linf_distance(1)}, requires="len(x) <= 2")
def m(x: list[int], k: int, c: bool):
    a = 0
    b = k
    n = 0
    ys = []
"""


def list_program(rng: random.Random) -> str:
    """A program with one mechanism, ``m``."""
    middle = [_producer(rng)]
    for _ in range(rng.randint(0, 2)):
        middle.insert(rng.randint(0, len(middle)), _between(rng))
    middle += [_reader(rng) for _ in range(rng.randint(1, 2))]
    body = "\n".join(["xs = []", *middle])
    if rng.random() < 0.25:
        body = f"for r in range(2):\n{indent(body, '    ')}"
    end = rng.choice(("return a, b, n", "return a, len(xs)", "return b, ys", "return n, ys", "return a"))
    if body.startswith("for") and "xs" in end:
        end = "return a"
    return _HEAD + indent(f"{body}\n{end}\n", "    ")


def _value(rng: random.Random, *more: str) -> str:
    one, other = (rng.choice((*_NUMBERS, "k", "1", *more, *more)) for _ in range(2))
    return rng.choice((one, f"{one} + {other}", f"{one} - {other}", f"max({one}, {other})"))


def _condition(rng: random.Random, *more: str) -> str:
    return rng.choice(("c", f"{_value(rng, *more)} > {rng.choice(('0', '1', 'k'))}"))


def _assigned(rng: random.Random, *more: str) -> str:
    return f"{rng.choice(_NUMBERS)} = {_value(rng, *more)}"


def _producer(rng: random.Random) -> str:
    entry = _value(rng, "v", "v", "v") if rng.random() < 0.9 else "v + len(xs)"
    lines = [f"xs.append({entry})"]
    if rng.random() < 0.6:
        lines = [f"if {_condition(rng, 'v')}:", f"    {lines[0]}"]
    if rng.random() < 0.3:
        lines.append(_assigned(rng, "v"))
    if rng.random() < 0.2:
        lines.insert(0, f"if {_condition(rng, 'v')}:\n    {rng.choice(('break', 'continue'))}")
    if rng.random() < 0.2:
        lines += ["if bernoulli(1/2):", "    xs.append(k)"]
    return "for v in x:\n" + indent("\n".join(lines), "    ")


def _between(rng: random.Random) -> str:
    return rng.choice(
        (
            _assigned(rng),
            f"{rng.choice(_NUMBERS)} = 0",
            f"if {_condition(rng)}:\n    return {rng.choice(('a', 'b', 'n', 'k'))}, 0, 0",
            f"if {_condition(rng)}:\n    {_assigned(rng)}",
            "ys = []",
            "n = len(xs)",
            "n = 1 if bernoulli(1/2) else 0",
        )
    )


def _reader(rng: random.Random) -> str:
    head, names = rng.choice(
        (
            ("for v in xs:", ("v",)),
            ("for w in xs:", ("w",)),
            ("for i, w in enumerate(xs):", ("i", "w")),
            ("for i in range(len(xs)):", ("i", "xs[i]")),
        )
    )
    lines = [_assigned(rng, *names), f"ys.append({_value(rng, *names)})"]
    lines = rng.sample(lines, rng.randint(1, 2)) if rng.random() < 0.3 else lines[:1]
    if rng.random() < 0.4:
        lines = [f"if {_condition(rng, *names)}:", *(f"    {line}" for line in lines)]
    if rng.random() < 0.25:
        inner = rng.choice(("for j in range(2):", "for u in x:", "for u in xs:", "while n < k:"))
        lines = [inner, *(f"    {line}" for line in lines)]
    if rng.random() < 0.15:
        lines.append(f"if {_condition(rng, *names)}:\n    {rng.choice(('break', 'continue'))}")
    if rng.random() < 0.25:
        lines.append("a = a + 1 if bernoulli(1/2) else a")
    return f"{head}\n" + indent("\n".join(lines), "    ")
