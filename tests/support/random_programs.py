"""Random programs of the language, for tests that compare two ways of running them."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

ATOMS = ("a", "b", "n", "t", "len(q)", "len(xs)", "0", "1", "2", "-1", "step(a)", "pick(m, b)")
NOISE = ("laplace(0, 1)", "laplace(a, 2)", "exponential(b, scale=1)", "noisy(n)")
HELPERS = """
from synth.lang import *

def step(x):
    if x > 3:
        return 0
    x += 1
    return x

def pick(value, otherwise):
    return otherwise if value is None else value

def noisy(x, by=1):
    y = x + laplace(0, by)
    if y > 2:
        return y - 1
    return y

def push(out, x):
    out.append(x)
    return len(out)

def upto(k):
    made = []
    for j in range(k):
        if j == 3:
            break
        made.append(j)
    return made

"""


@cache
def numbers(depth: int = 2) -> SearchStrategy[str]:
    """Integer expressions."""
    atoms = st.sampled_from(ATOMS)
    if depth == 0:
        return atoms
    inner = numbers(depth - 1)
    return st.one_of(
        atoms,
        st.sampled_from(NOISE),
        st.builds("({} + {})".format, inner, inner),
        st.builds("({} - {})".format, inner, atoms),
        st.builds("({} * {})".format, inner, st.sampled_from(("2", "len(q)", "-1"))),
        st.builds("({} // {})".format, inner, inner),
        st.builds("({} % {})".format, inner, st.sampled_from(("2", "3", "b"))),
        st.builds("({} if {} else {})".format, inner, conditions(depth - 1), inner),
        st.builds("{}({}, {})".format, st.sampled_from(("min", "max")), inner, inner),
        st.builds("q[{}]".format, st.sampled_from(("0", "-1", "a", "b"))),
        st.builds("xs[{}]".format, st.sampled_from(("0", "-1", "a"))),
        st.builds("push(xs, {})".format, inner),
        st.builds("abs({})".format, inner),
        st.builds("int(bool({}))".format, conditions(depth - 1)),
    )


@cache
def conditions(depth: int = 2) -> SearchStrategy[str]:
    """Truth values."""
    comparison = st.builds(
        "{} {} {}".format,
        numbers(max(0, depth - 1)),
        st.sampled_from(("<", "<=", ">", ">=", "==", "!=")),
        numbers(max(0, depth - 1)),
    )
    tests = st.sampled_from(("m is None", "m is not None", "m == b", "flag", "n != m", "a", "xs"))
    if depth == 0:
        return st.one_of(comparison, tests)
    inner = conditions(depth - 1)
    return st.one_of(
        comparison,
        tests,
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("(not {})".format, inner),
        st.builds("(0 <= {} < {} <= {})".format, *[numbers(depth - 1)] * 3),
    )


SIMPLE = st.one_of(
    st.builds("a = {}".format, numbers()),
    st.builds("b = {}".format, numbers()),
    st.builds("a += {}".format, numbers(1)),
    # Not "n -= laplace(...)": the draw takes n in with the opposite noise.
    st.builds("n -= {}".format, st.sampled_from(ATOMS)),
    st.builds("a, b = {}, {}".format, numbers(1), numbers(1)),
    st.builds("m = {}".format, st.one_of(st.just("None"), numbers(1))),
    st.builds("m, a = b, {}".format, numbers(1)),
    st.builds("flag = bool({})".format, conditions(1)),
    st.builds("out.append({})".format, st.sampled_from(("m", "a", "flag", "(m, b)", "None"))),
    st.builds("xs += [{}, {}]".format, numbers(1), numbers(1)),
    st.builds("xs = [{}, len(xs)]".format, numbers(1)),
    st.builds("return {}".format, st.sampled_from(("a", "m", "(a, b)", "out", "xs", "(m, xs)"))),
)
IN_LOOP = st.one_of(SIMPLE, st.sampled_from(("break", "continue")))
LOOPS = (
    "for x in q:\n    a = a + x",
    "for i, x in enumerate(q, 2):\n    b = i - x",
    "for i in range(max(a, -4), 5):\n    b = i",
    "for i in range(4, -3, -2):\n    a = i",
    "for x in upto(4):\n    a = x",
    "for (i, x) in enumerate(xs):\n    a = i * x",
    "k = 0\nwhile k < 3:\n    k += 1",
    "k = 0\nwhile k < 4 and laplace(a, 1) < 3:\n    k += 1",
    "k = 0\nwhile True:\n    k += 1\n    if k > 3:\n        break",
)


@st.composite
def blocks(draw: DrawFn, depth: int, loop: bool = False) -> str:
    """Some statements."""
    simple = IN_LOOP if loop else SIMPLE
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.integers(0, 3)) if depth else 0
        if kind <= 1:
            parts.append(draw(simple))
        elif kind == 2:
            parts.append(draw(_branches(depth, loop)))
        else:
            parts.append(draw(_loops(depth)))
    return "\n".join(parts)


@st.composite
def _branches(draw: DrawFn, depth: int, loop: bool) -> str:
    text = f"if {draw(conditions(1))}:\n{indent(draw(blocks(depth - 1, loop)))}"
    if draw(st.booleans()):
        text += f"\nelse:\n{indent(draw(blocks(depth - 1, loop)))}"
    return text


@st.composite
def _loops(draw: DrawFn, depth: int) -> str:
    head = draw(st.sampled_from(LOOPS))
    body = draw(blocks(depth - 1, True))
    if "in enumerate(xs)" in head:
        # The list that a loop runs over is left alone in it.
        body = "a = a + x"
    text = f"{head}\n{indent(body)}"
    if draw(st.booleans()):
        text += f"\nelse:\n{indent(draw(SIMPLE))}"
    return text


def indent(text: str) -> str:
    """The text four columns further right."""
    return "\n".join(f"    {line}" for line in text.splitlines())


@st.composite
def programs(draw: DrawFn) -> str:
    """A program with one mechanism ``f(q, t, n)``."""
    start = "a = b = 0\nm = None\nflag = False\nout, xs = [], [1]"
    body = indent(f"{start}\n{draw(blocks(2))}\nreturn a, m, out")
    return f"{HELPERS}@mechanism\ndef f(q: list[int], t: int, n: int):\n{body}\n"
