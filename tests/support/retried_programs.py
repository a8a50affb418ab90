"""Random small programs with a loop that tosses coins until it is left."""

from __future__ import annotations

import random
from textwrap import indent

_NUMBERS = ("a", "b", "n")
_VALUES = ("0", "1", "x", "k", "a", "b", "n", "a + 1", "b - n", "n + x", "min(a, b)")
_CONDITIONS = ("a > 0", "b == n", "c", "n < k", "x > 0", "u", "u and a == 1")
_HEAD = """@mechanism(adjacent={"x": absolute_distance(1)})
def m(x: int, k: int, c: bool):
    a = 0
    b = k
    n = 1
    u = False
    xs = []
"""


def retried_program(rng: random.Random) -> str:
    """A program with one mechanism, ``m``, without an import line."""
    before, behind = (_body(rng, 1, False) if rng.random() < 0.5 else "" for _ in range(2))
    end = rng.choice(("return a", "return b, n", "return n", "return a, xs"))
    return (
        _HEAD + indent("\n".join(part for part in (before, _loop(rng), behind, end) if part), "    ") + "\n"
    )


def _loop(rng: random.Random) -> str:
    """A loop that tests last, or one with the same statements before it and inside of it."""
    if rng.random() < 0.35:
        again = _body(rng, 1, False)
        head = rng.choice(("a > 0", "u", "b == n", "not u"))
        return f"{again}\nwhile {head}:\n{indent(again, '    ')}"
    test = f"if {rng.choice(('a > 0', 'u', 'b == n'))}:\n    {rng.choice(('break', 'return b', 'return a'))}"
    return f"while True:\n{indent(_body(rng, 2, True) + chr(10) + test, '    ')}"


def _body(rng: random.Random, depth: int, inside: bool) -> str:
    return "\n".join(_statement(rng, depth, inside) for _ in range(rng.randint(1, 3)))


def _statement(rng: random.Random, depth: int, inside: bool) -> str:
    value, name = rng.choice(_VALUES), rng.choice(_NUMBERS)
    options = [
        f"{name} = {value}",
        f"u = bernoulli(1/{rng.choice((2, 3))})",
        f"u = bernoulli(1/{rng.choice((2, 3))})",
        f"{name} = uniform_int(0, {rng.choice((1, 2))})",
        f"xs.append({value})",
        "xs = []",
    ]
    options += [rng.choice(("break", "continue", f"return {value}"))] if inside else []
    if depth and rng.random() < 0.25:
        return f"if {rng.choice(_CONDITIONS)}:\n{indent(_body(rng, depth - 1, inside), '    ')}"
    return rng.choice(options)
