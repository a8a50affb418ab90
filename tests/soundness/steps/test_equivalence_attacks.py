"""Pairs of programs with different distributions, or less safety, that look alike: the step refuses each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import without_obligations
from synth.trusted.steps.equivalence import check_equivalent
from synth.trusted.steps.equivalence_codes import Different
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": absolute_distance(1), "q": linf_distance(1)}, requires="eps > 0")
def f(x: int, q: list[int], n: int, r: float, eps: float):
"""

PAIRS = {
    "0 times an entry that there may not be": (
        "return laplace(n + 0 * q[n], 1)",
        "return laplace(n, 1)",
    ),
    "0 times a quotient that may have no value": (
        "return laplace(n + 0.0 * (r / x), 1.0)",
        "return laplace(n + 0.0, 1.0)",
    ),
    "a factor that was 0": (
        """
        k = 0
        for v in q:
            k = k + v
        return laplace(n + k * x, 1)
        """,
        """
        k = 0
        for v in q:
            k = k + v
        return laplace(n, 1)
        """,
    ),
    "equal to an input on another way": (
        """
        k = 0
        for v in q:
            k = k + v
        if k == n:
            k = k + 0 * x
        return laplace(k * k, 1)
        """,
        """
        k = 0
        for v in q:
            k = k + v
        if k == n:
            k = k + 0 * x
        return laplace(n * n, 1)
        """,
    ),
    "equal to an input before it is changed": (
        """
        k = 0
        for v in q:
            k = k + v
        if k == n:
            k = k + 1
            return laplace(k * k, 1)
        return 0
        """,
        """
        k = 0
        for v in q:
            k = k + v
        if k == n:
            k = k + 1
            return laplace(n * n, 1)
        return 0
        """,
    ),
    "equal to an input in an earlier round": (
        """
        k = 0
        for v in q:
            k = k + v
            if k == n:
                k = k + 1
        return laplace(k * k, 1)
        """,
        """
        k = 0
        for v in q:
            k = k + v
            if k == n:
                k = k + 1
        return laplace(n * n, 1)
        """,
    ),
    "not equal to an input": (
        """
        k = 0
        for v in q:
            k = k + v
        if k != n:
            return laplace(k * k, 1)
        return 0
        """,
        """
        k = 0
        for v in q:
            k = k + v
        if k != n:
            return laplace(n * n, 1)
        return 0
        """,
    ),
    "another size of noise": (
        "z = laplace(r, 2.0); return z",
        "z = laplace(r / eps, 2.0 / eps); return z",
    ),
    "noise of another size, not its centre": (
        "z = laplace(r, 2.0); return z / eps",
        "z = laplace(r, 2.0 / eps); return z",
    ),
    "noise times a factor of unknown sign": (
        "z = exponential(r, 2.0); return n * z",
        "z = exponential(n * r, n * 2.0); return z",
    ),
    "noise around a multiple, by a factor of unknown sign": (
        "return exponential(n * r, 2.0)",
        "z = exponential(r, 2.0 / n); return n * z",
    ),
    "noise around a multiple, by a factor that may be 0": (
        "assert n >= 0; return laplace(n * r, 2.0)",
        "assert n >= 0; z = laplace(r, 2.0 / n if n != 0 else 2.0); return n * z",
    ),
    "noise around a multiple, of the same scale": (
        "return laplace(eps * r, 2.0)",
        "z = laplace(r, 2.0); return eps * z",
    ),
    "noise around a multiple, not multiplied": (
        "return laplace(eps * r, 2.0)",
        "return laplace(r, 2.0 / eps)",
    ),
    "noise around a multiple of integers": (
        "assert n > 0; return laplace(n * x, 2.0)",
        "assert n > 0; z = laplace(x, 2.0 / n); return n * z",
    ),
    "noise of integers at another size": (
        "assert n > 0; z = laplace(x, 1.0); return z * n",
        "assert n > 0; z = laplace(x * n, 1.0 * n); return z",
    ),
    "noise over a number that may be 0": (
        "z = laplace(r, 2.0); w = z if n == 0 else z / n; return w",
        "z = laplace(r / n, 2.0 / n); return z",
    ),
    "which draw counts is chosen by its value": (
        "u = laplace(0, 1); return u",
        "u = laplace(0, 1); v = laplace(0, 1); return u if u > 0 else v",
    ),
    "which draw counts is chosen by its value, in a branch": (
        "u = laplace(0, 1); return u",
        """
        u = laplace(0, 1)
        v = laplace(0, 1)
        if u > 0:
            return u
        return v
        """,
    ),
    "drawn again until it is positive": (
        "u = laplace(0, 1); return u",
        """
        u = laplace(0, 1)
        if u <= 0:
            u = laplace(0, 1)
        return u
        """,
    ),
    "private data choose which draw is used twice": (
        "u = laplace(0, 1); v = laplace(0, 1); return u, v",
        "u = laplace(0, 1); v = laplace(0, 1); w = u if x > 0 else v; return w, v",
    ),
    "noise used twice": (
        "u = laplace(0, 1); v = laplace(0, 1); return u + v",
        "u = laplace(0, 1); return u + u",
    ),
    "one draw for two sides that are both made": (
        """
        a = 0
        if x > 0:
            a = laplace(0, 1)
        b = laplace(0, 1)
        return a + b
        """,
        """
        z = laplace(0, 1)
        a = z if x > 0 else 0
        return a + z
        """,
    ),
    "draws that depend on each other, in the other order": (
        "a = laplace(0, 1); b = laplace(a, 1); return a, b",
        "b = laplace(0, 1); a = laplace(b, 1); return a, b",
    ),
    "one draw for all iterations": (
        """
        s = 0
        for i in range(2):
            s = s + laplace(0, 1)
        return s
        """,
        """
        s = 0
        z = laplace(0, 1)
        for i in range(2):
            s = s + z
        return s
        """,
    ),
    "another scale from the second iteration on": (
        """
        s = 0
        k = 1
        for i in range(2):
            s = s + laplace(0, 1)
            k = 2
        return s
        """,
        """
        s = 0
        k = 1
        for i in range(2):
            s = s + laplace(0, k)
            k = 2
        return s
        """,
    ),
    "another value in the second iteration": (
        """
        y = 0
        for i in range(2):
            y = x
        return y
        """,
        """
        y = 0
        for i in range(2):
            y = x if i == 0 else y + x
        return y
        """,
    ),
    "equal on entry, not kept": (
        """
        a = 0
        b = 0
        for i in range(len(q)):
            a = a + 1
        return a
        """,
        """
        a = 0
        b = 0
        for i in range(len(q)):
            a = a + 1
            b = b + 2
        return b
        """,
    ),
    "equal on entry and after one iteration": (
        """
        a = 0
        b = 0
        c = 0
        for i in range(len(q)):
            c = b
            b = a
            a = 1
        return 0
        """,
        """
        a = 0
        b = 0
        c = 0
        for i in range(len(q)):
            c = b
            b = a
            a = 1
        return c
        """,
    ),
    "exchanged in each iteration": (
        """
        a = 0
        b = 1
        for i in range(len(q)):
            c = a
            a = b
            b = c
        return a
        """,
        """
        a = 1
        b = 0
        for i in range(len(q)):
            c = a
            a = b
            b = c
        return a
        """,
    ),
    "a renamed variable is read under its old name": (
        """
        y = 0
        out = 0
        for i in range(2):
            y = laplace(0, 1)
        for i in range(2):
            y = laplace(0, 1)
            out = y
        return out
        """,
        """
        y = 0
        z = 0
        out = 0
        for i in range(2):
            y = laplace(0, 1)
        for i in range(2):
            z = laplace(0, 1)
            out = y
        return out
        """,
    ),
    "a value remembered too long": (
        """
        best = 0
        noisy = []
        for i in range(3):
            noisy.append(laplace(0, 1))
        for i in range(3):
            if noisy[i] > noisy[best]:
                best = i
        return best
        """,
        """
        best = 0
        noisy = []
        for i in range(3):
            noisy.append(laplace(0, 1))
        top = noisy[best]
        for i in range(3):
            if noisy[i] > top:
                best = i
                if i < 2:
                    top = noisy[best]
        return best
        """,
    ),
    "another exit": (
        """
        s = 0
        for i in range(2):
            for j in range(2):
                if laplace(0, 1) > 0:
                    break
            s = s + 1
        return s
        """,
        """
        s = 0
        for i in range(2):
            for j in range(2):
                if laplace(0, 1) > 0:
                    return s
            s = s + 1
        return s
        """,
    ),
    "endless instead of an end": (
        "return 0",
        """
        y = 0
        while True:
            y = y + 1
        return 0
        """,
    ),
    "endless for one input only": (
        "y = laplace(x, 1); return y",
        """
        y = laplace(x, 1)
        while x == 7:
            y = y + 1
        return y
        """,
    ),
    "an iteration more": (
        """
        s = 0
        for i in range(len(q)):
            s = s + laplace(q[i], 1)
        return s
        """,
        """
        s = 0
        for i in range(len(q)):
            s = s + laplace(q[i], 1)
        s = s + laplace(0, 1)
        return s
        """,
    ),
    "sides exchanged behind a draw": (
        """
        if x > 0:
            a = laplace(0, 1)
        else:
            a = laplace(0, 2)
        return a
        """,
        """
        if x > 0:
            a = laplace(0, 2)
        else:
            a = laplace(0, 1)
        return a
        """,
    ),
    "chosen after ways that met": (
        """
        a = 1
        if x > 0:
            a = 2
        b = laplace(0, 1)
        if x > 1:
            a = 3
        return a, b
        """,
        """
        a = 1
        if x > 1:
            a = 3
        b = laplace(0, 1)
        if x > 0:
            a = 2
        return a, b
        """,
    ),
    "appended in another order": (
        "out = []; a = laplace(0, 1); out.append(a); out.append(x); return out",
        "out = []; a = laplace(0, 1); out.append(x); out.append(a); return out",
    ),
    "a list emptied": (
        "out = []; a = laplace(0, 1); out.append(a); out.append(x); return out",
        "out = []; a = laplace(0, 1); out.append(a); out = []; out.append(x); return out",
    ),
    "an assertion dropped": ("assert n > 0; return laplace(0, 1)", "return laplace(0, 1)"),
    "another assertion": ("assert n > 0; return laplace(0, 1)", "assert n > 1; return laplace(0, 1)"),
    "an assertion behind the return": (
        """
        y = laplace(0, 1)
        assert n > 0
        return y
        """,
        """
        y = laplace(0, 1)
        if x > 0:
            return y
        assert n > 0
        return y
        """,
    ),
    "an obligation on one way only": (
        "return 10 // n",
        """
        if x > 0:
            return 10 // n
        return 0
        """,
    ),
    "an obligation in a loop that may not run": (
        "y = 10 // n; return 0",
        """
        y = 0
        for i in range(len(q)):
            y = 10 // n
        return 0
        """,
    ),
    "integers instead of reals": ("return laplace(x + 0.5, 1)", "y = laplace(x, 1); return y + 0.5"),
    "another sign": ("y = laplace(0.0, 1); return r - -y", "y = laplace(0.0, 1); return r - y"),
    "another side": ("y = exponential(0.0, 1); return r * -y", "y = exponential(0.0, 1); return r * y"),
    "a sign too few": ("y = exponential(0.0, 1); return -r * -y", "y = exponential(0.0, 1); return -(r * y)"),
    "a size of another scale": (
        "assert r > 0; y = exponential(0.0, 2); return r * y",
        "assert r > 0; y = exponential(0.0, r); return y",
    ),
    "a centre that is left out": ("return exponential(r, 1)", "return exponential(0.0, 1)"),
    "a centre that is taken off": ("return exponential(r, 1)", "return exponential(0.0, 1) - r"),
    "the divisor times the number": ("assert r > 0; return x * (1 / r)", "assert r > 0; return r / x"),
    "one-sided noise": ("return laplace(x, 1)", "return exponential(x, 1)"),
    "another family": ("return laplace(r, 1)", "return gaussian(r, 1)"),
    "another chance": ("return bernoulli(0.25)", "return bernoulli(0.75)"),
    "another negation": ("return bernoulli(0.25)", "b = bernoulli(0.25); return not b"),
    "divided by another number": (
        "assert n > 1; y = laplace(r / n, 1); return y",
        "assert n > 1; y = laplace(r, n); return y / (n + 1)",
    ),
    "rounded away": ("return laplace(r, 1)", "y = laplace(r, 1); return floor(y) + 0.0"),
}


def read(text: str) -> ir.Mechanism:
    """The mechanism of these statements; those of one line are parted by semicolons."""
    lines = text.strip("\n").splitlines() if "\n" in text else text.split("; ")
    margin = len(lines[0]) - len(lines[0].lstrip())
    return mechanism(HEAD + "\n".join("    " + line[margin:] for line in lines) + "\n")


def is_refused(first: ir.Mechanism, second: ir.Mechanism) -> bool:
    try:
        check_equivalent(first, second)
    except Different:
        return True
    return False


def test_a_size_is_positive_where_the_program_asks_for_it() -> None:
    """Without the obligation nothing says so; with it, [Safe] has to show it."""
    first, second = map(read, ("y = exponential(0.0, 1); return r * y", "y = exponential(0.0, r); return y"))
    assert is_refused(first, replace(second, body=without_obligations(second.body)))
    assert not is_refused(first, second)


@pytest.mark.parametrize("name", PAIRS)
def test_refused(name: str) -> None:
    first, second = map(read, PAIRS[name])
    second = replace(second, lists=first.lists, output=first.output)
    check_equivalent(first, first)
    check_equivalent(second, second)
    assert is_refused(first, second)


def test_a_draw_without_the_obligation_that_its_scale_is_positive() -> None:
    first, second = read("return x"), read("z = laplace(0, n); return x")
    check_equivalent(first, second)
    bare = replace(second, body=without_obligations(second.body))
    assert is_refused(first, bare)


def test_a_draw_that_lost_its_obligation() -> None:
    of = read("return laplace(x, n)")
    assert is_refused(of, replace(of, body=without_obligations(of.body)))


def test_a_name_without_a_value() -> None:
    first, second = read("y = x; return 0"), read("y = x; return y")
    (_, returned) = second.body
    assert is_refused(replace(first, body=(returned,)), replace(second, body=(returned,)))


def test_a_name_without_a_value_in_a_draw_that_nobody_reads() -> None:
    first, second = read("return 0"), read("y = x; z = laplace(y, 1); return 0")
    check_equivalent(first, second)
    assert is_refused(first, replace(second, body=second.body[1:]))


def test_an_exit_from_no_block() -> None:
    of = read("return 0")
    assert is_refused(of, replace(of, body=(ir.Exit("nowhere", of.span),)))


@pytest.mark.parametrize("field", ["requires", "epsilon", "name", "parameters"])
def test_another_declaration(field: str) -> None:
    first = read("return laplace(x, 1)")
    others = {
        "requires": ir.Constant(True, ir.Sort.BOOL),
        "epsilon": ir.Constant(1, ir.Sort.REAL),
        "name": "g",
        "parameters": first.parameters[::-1],
    }
    assert is_refused(first, replace(first, **{field: others[field]}))
