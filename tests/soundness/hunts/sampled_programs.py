"""Random programs that draw: sums with noise, helpers, lists, ``None``, integers where reals are meant.

All their numbers are multiples of small powers of two, so floats are exact.
"""

from __future__ import annotations

import random
import re
from textwrap import indent

HEAD = """from synth.lang import *

WIDTH = 2
HALF = 0.5


def scaled(x: float, by=1):
    return x * by


def noisy(x, s=1):
    return x + laplace(0, s)


def declared(x: float):
    y = laplace(x, 1)
    if y > 1:
        return y - 1
    return y


def doubled(x):
    if x < 0:
        return 0
    else:
        x *= 2
    return x


def positive(x):
    if x > 1:
        return None
    return x


def pair(x):
    return x, laplace(x, 1)


def last(out):
    return out[-1] if len(out) > 0 else 0


def push(out, x):
    out.append(x)
    return len(out)


def grow(out, k):
    for j in range(k):
        if j > 2:
            return j
        out.append(j)
        out.append(k)
    return k


def total(out):
    s = 0
    for o in out:
        s += o
    return s


def made(k, x):
    r = []
    for j in range(k):
        r.append(x + j)
    return r


def around(out):
    return laplace(out, 2)


def shown(x):
    return [x, 1]


@mechanism()
def first(v: list[float], x: float):
    return v[0] if len(v) > 0 else x


@mechanism()
def f(q: list[int], v: list[float], n: int, t: float, e: float, flag: bool):
"""
START = """a = 1
k = 0
b = {zero}
x = {start}
m = positive(n)
w = flag
out, xs, ys, zs = [], [{start}], [0.5], []
{block}
{block}
return {last}
"""
"""The body of ``f``."""

RULES: dict[str, tuple[str, ...]] = {
    "zero": ("0", "0.0"),
    "start": ("1", "n", "t", "e", "0.5"),
    "last": ("a, m, out", "xs", "x, ys, a", "b, zs", "(w, m), x"),
    "name": ("a", "b", "x"),
    "list": ("xs", "ys", "zs"),
    "scale": ("1", "WIDTH", "HALF", "e"),
    "number": (
        *("a", "b", "x", "n", "t", "e", "WIDTH", "HALF", "1", "2", "0.5", "-1", "True", "len(q)", "len(xs)"),
        *(
            "last(xs)",
            "last(ys)",
            "q[0]",
            "q[-1]",
            "v[0]",
            "v[n]",
            "xs[-1]",
            "ys[n]",
            "first(q, n)",
            "noisy(n)",
            "noisy(t)",
            "total(xs)",
            "total(q)",
            "2 * n",
            "n ** 2",
        ),
        *("{noise}", "{noise}", "{noise}", "{sum}", "{sum}", "{sum}", "({test})"),
        *("({number} * {factor})", "{number} // {divisor}", "{number} % {divisor}", "({number} / {half})"),
        *("({number} if {test} else {number})", "({number} and {number})", "({number} or {number})"),
        *("min({number}, {number})", "max({number}, {number})", "max(0, {number})", "first(q, {number})"),
        *("{rounding}({number})", "noisy({number})", "noisy({number}, s={scale})", "declared({number})"),
        *("doubled({number})", "scaled({number}, by=2)", "push({list}, {number})", "grow({list}, 2)"),
        *("uniform_int(-1, 2)", "bernoulli({chance})", "choice({count}, lambda i: {weight})"),
        "exponential_mechanism(3, lambda i: {weight}, 1, sensitivity=2)",
    ),
    "sum": (
        *("a + x", "b - n", "({number} + {number})", "({number} - {number})", "({number} + {noise})"),
        *("({noise} + {number})", "({number} - {noise})", "({number} + {noise} - {number})", "-({noise})"),
        *(
            "(len(xs) + laplace(push(xs, {number}), 1))",
            "(xs[-1] + laplace(scale=push(xs, 1), center=total(xs)))",
        ),
        *("({number} + ({noise} - {number}))", "({number} + noisy({number}))", "({noise} + {noise} + t)"),
    ),
    "noise": (
        *(
            "laplace(a, 1)",
            "laplace(first(q, n), WIDTH)",
            "gaussian(total(xs), 1)",
            "laplace({number}, {scale})",
            "exponential({number}, 1)",
        ),
        *("laplace(scale={scale}, center={number})", "gaussian({number}, sigma=2)", "laplace({sum}, 1)"),
    ),
    "factor": ("2", "HALF", "-1", "len(q)"),
    "divisor": ("2", "3", "HALF", "-2"),
    "half": ("2", "HALF", "-4"),
    "rounding": ("abs", "int", "round", "floor", "ceil", "float", "bool", "-", "+"),
    "chance": ("0.5", "HALF", "0.25 if a > 0 else 1"),
    "count": ("2", "3", "len(xs)"),
    "weight": ("i * a", "xs[i]", "scaled(i)", "q[i] if i < len(q) else x"),
    "comparison": ("<", "<=", ">", ">=", "==", "!="),
    "test": (
        *("w", "flag", "a > 0", "m is None", "m is not None", "m == a", "xs", "ys", "q", "not w", "m"),
        *("{number} {comparison} {number}", "{number} < {number} <= {number}", "not {test}", "{number}"),
        *("({test} and {test})", "({test} or {test})", "m is not None and m {comparison} {number}"),
    ),
    "optional": (
        "None",
        "m",
        "positive(a)",
        "{number}",
        "positive({number})",
        "None if {test} else {number}",
    ),
    "vector": ("q", "v", "xs", "ys", "[{number}, {number}]"),
    "display": ("[]", "list()", "[{number}]", "[{number}, {number}]", "shown({number})"),
    "added": ("{display}", "{display}", "{display}", "[{noise}]", "laplace([{number}], 1)"),
    "entry": ("m", "a", "x", "(a, x)", "(m, b)", "w", "None"),
    "result": (
        *("a", "x", "m", "out", "xs", "w", "None", "(a, ys)", "(m, xs)", "[a, x]", "shown(a)", "noisy(a), x"),
        *("laplace(q, 1)", "around(ys)", "(around(xs), a)", "{number}", "({number}, {noise})"),
    ),
    "line": (
        *("pass", "b += 1", "out.append({entry})", "a, b = b, a", "return {result}"),
        *("{name} = {number}", "{name} = {noise}", "{name} = {sum}", "{name} = a = {number}"),
        *(
            "{name} += {number}",
            "{name} -= {number}",
            "{name} += {noise}",
            "{name} -= {noise}",
            "{name} *= 2",
        ),
        *("a, b = {number}, {number}", "x, (a, b) = {number}, (b, x)", "a, x = pair({number})"),
        *("m = {optional}", "x: float = {number}", "w = bool({test})", "p = ({number}, {number})\nb = p[-1]"),
        *("{list}.append({number})", "push({list}, {number})", "{number}", "assert push(xs, {number}) > 0"),
        *("{list} += {added}", "{list} += [{number}]", "xs = xs + {display}", "{list} = {display}"),
        *("u = made(n, {number})\nb = last(u)", "{list}, a = [{number}], {number}", "assert {test}"),
        *("{list} = laplace({vector}, {scale})", "{list} = around(q)", "zs = exponential({vector}, 1)"),
        "ys = ys + [{noise}]",
    ),
    "loop": (
        *(
            "for z in q:",
            "for z in v:\n    x = x + z",
            "for i in range(n):\n    b = i",
            "for z in made(3, x):",
        ),
        *("for z in xs:\n    b = b + z", "for i, z in enumerate(ys, 1):\n    a = i\n    x = z"),
        *("while k < 5:\n    k += 1", "for i in range(len(xs), -1, -1):\n    b = i"),
        *("for z in laplace(v, 1):\n    b = z", "for z in [a, x]:\n    b = z"),
    ),
    "leave": ("break", "continue", "return {result}"),
    "block": (
        *("a = 2", "{line}", "{line}", "{line}\n{line}", "{line}\n{line}", "{line}\n{block}"),
        *("if {test}:\n    {block}", "if {test}:\n    {block}\nelse:\n    {block}"),
        "if {test}:\n    {block}\nelif {test}:\n    {block}",
        *("{loop}\n    {block}", "{loop}\n    {block}\n    if {test}:\n        {leave}"),
        "{loop}\n    if {test}:\n        {leave}\n    {block}\nelse:\n    {line}",
    ),
}
"""What a kind of text may be.  Where it stands alone in a line, it is as far to the right as its place."""

DEPTH = 5
_PLACE = re.compile(r"(?m)(^ *)?\{(\w+)\}")
_LEAVES = {kind: tuple(item for item in items if "{" not in item) for kind, items in RULES.items()}


def sampled_program(rng: random.Random) -> str:
    """The text of a file; ``f`` is the mechanism that it is about."""
    return HEAD + indent(_filled(START, DEPTH, rng), "    ")


def _filled(template: str, depth: int, rng: random.Random) -> str:
    def text(place: re.Match[str]) -> str:
        leaves = _LEAVES[place[2]] if depth <= 0 else ()
        return indent(_filled(rng.choice(leaves or RULES[place[2]]), depth - 1, rng), place[1] or "")

    return _PLACE.sub(text, template)
