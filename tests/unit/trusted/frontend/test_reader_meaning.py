"""Typed programs mean what the Python text means: both are run on the same noise."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from synth.trusted.frontend.reader import read_source
from tests.support.typed_runs import ObligationFailed, Run, Stuck, run_python
from tests.support.well_formed import check

HEADER = "from synth.lang import *\nfrom math import floor, ceil\n\n"

PROGRAMS: dict[str, str] = {
    "bits": """
@mechanism(adjacent={"q": linf_distance(1)})
def f(q: list[int], t: int, n: int):
    a, b = len(q) % 2, int(t > n)
    flip = laplace(t, 1) > n
    c = a ^ b
    c ^= flip
    return a ^ b, a & b, a | b, a ^ True, (t > n) ^ 1, flip ^ (t > n), c, 1 & a | 0
""",
    "above threshold": """
@mechanism(adjacent={"q": linf_distance(1)})
def f(q: list[int], t: int, n: int):
    threshold = laplace(t, scale=2)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4)
        if threshold <= answer and result == len(q):
            result = i
    return result
""",
    "early return and none": """
@mechanism
def f(q: list[int], t: int, n: int):
    for i, x in enumerate(q, 1):
        if x + laplace(0, 1) > t:
            return i
""",
    "numeric sparse vector": """
@mechanism
def f(q: list[int], t: int, n: int):
    out = []
    for x in q:
        v = laplace(x, 1)
        if v > t:
            out.append(v)
        else:
            out.append(None)
    return out
""",
    "vectors": """
@mechanism
def f(q: list[int], t: int, n: int):
    h = [t]
    for x in q:
        h.append(x - t)
        y = laplace(h, 2)
        h.append(y[0])
    for v in laplace(scale=1, center=h):
        n += v
    if n > t:
        y = exponential(q, 3)
    else:
        y = laplace([n, t, len(h)], 3)
    return laplace(q, 1), n, y, len(exponential(h, 1))
""",
    "shapes": """
@mechanism
def f(q: list[int], t: int, n: int):
    out: list = []
    m = None
    for x in q:
        if x > t:
            out.append((x, m))
            m = x
        elif x == t:
            out += [x, True]
        else:
            out = out + [m]
            out.append((m, (x > n, 0.5)))
    if n > 2:
        return out
    if n == 1:
        return None
    if n == 0:
        return (m, out)
    return m
""",
    "two lists in one place": """
@mechanism
def f(q: list[int], t: int, n: int):
    low, high = [], []
    for x in q:
        if x < t:
            low.append(x)
        else:
            high.append((x, x))
    if n > 0:
        return low, n
    return high, [1, None]
""",
    "nested loops": """
@mechanism
def f(q: list[int], t: int, n: int):
    total = 0
    for i in range(n, 8, 2):
        for j in range(5, t, -2):
            if j == i:
                break
            if (i + j) % 3 == 0:
                continue
            total += i * j
        else:
            total += 100
        while total > 50:
            total -= 7
            if total % 5 == 0:
                break
        else:
            total += 1
    return total
""",
    "helpers": """
STEP = 2
HALF = 1 / STEP

def sign(x):
    if x > 0:
        return 1
    elif x == 0:
        return None
    return -1

def shifted(v, by=STEP, *, twice=False):
    v += by
    if twice:
        v = v + by
    return v

def collect(xs, limit):
    found = []
    for x in xs:
        if x > limit:
            found.append(x)
    return found

def push(out, x):
    out.append(x)
    return len(out)

def nothing(x):
    x = x + 1

@mechanism
def f(q: list[int], t: int, n: int):
    found = collect(q, t)
    s = sign(n)
    a = shifted(n) + shifted(by=t, v=n, twice=n > t) * HALF
    b = len(found) + push(found, n) + push(found, laplace(t, 1))
    nothing(n)
    if s is None:
        return a, b, found
    return a, s + b, collect(found, 0)
""",
    "short circuit": """
@mechanism
def f(q: list[int], t: int, n: int):
    i = 0
    while i < len(q) and q[i] < t and laplace(q[i], 1) > n:
        i += 1
    x = 5 if n > t else laplace(n, 2)
    y = n or laplace(t, 1)
    z = n > 0 and t
    ok = 0 <= n < len(q) <= laplace(3, 1) or not q
    w = n and q[0] if q else 7
    return i, x, y, z, ok, w
""",
    "sums with noise": """
@mechanism
def f(q: list[int], t: int, n: int):
    a = n + laplace(t, 1) + 2
    b = laplace(0, 1) + laplace(n, 1) - n
    c = t - exponential(n, 1) - n
    d = 2 * (n + laplace(0, 1)) + laplace(0, 0.5)
    n += laplace(1, 1)
    e = 0.5 + laplace(n, 1)
    a, b = b, laplace(a, 1)
    g = h = laplace(b, 1)
    t = laplace(t, 1)
    u = t
    return a, b, c, d, e, g, h, t, u
""",
    "optional values": """
@mechanism
def f(q: list[int], t: int, n: int):
    best = None
    other = None
    for x in q:
        if best is None or x > best:
            other = best
            best = x
    pair = (best, n)
    same = best == other
    three = best == 3 or other != 2
    k = (pair[0], other) == (None, best)
    if pair[0] is not None and pair[0] > t:
        best = None
    if best:
        n = n + best
    return best, same, three, k, n
""",
    "numbers": """
@mechanism
def f(q: list[int], t: int, n: int):
    flag = n > t
    total = flag + True + (n == 0)
    x = 0.25 * n
    r = (round(x), int(x), floor(x), ceil(x), abs(x), min(n, t, x), max(flag, 0))
    m = (n // 3, n % 3, -n // 3, x // 1, x % 2, n ** 2, t ** 3, n ** 0)
    y = False
    if n > 1:
        y = n
    return total, r, m, y, bool(n), float(n), -x, +n, not n
""",
    "divisions": """
@mechanism
def f(q: list[int], t: int, n: int):
    a = t / n if t > 0 else 1
    b = t // (n - 1)
    c = n > 1 or t % (n + 1) == 0
    return a, b, c, q[t]
""",
    "list entries": """
@mechanism
def f(q: list[int], t: int, n: int):
    out = []
    for x in q:
        if len(out) > 0:
            out.append(out[-1] + x)
        else:
            out.append(x)
    pairs = [(0, False)]
    for i, v in enumerate(out):
        pairs.append((v, v > t))
    total = 0
    for v, big in pairs:
        if big:
            total += v
    xs = [n, n + 1]
    xs = [xs[1], xs[0], len(xs)]
    xs += [xs[0], len(xs)]
    return total, xs, out[0] if out else None
""",
    "evaluation order": """
def push(out, x):
    out.append(x)
    return len(out)

def drawn(out, x):
    out.append(x)
    return laplace(x, 1)

@mechanism
def f(q: list[int], t: int, n: int):
    xs = [t]
    a = 0 < len(xs) < push(xs, 1) <= len(xs)
    b = len(xs) + 2 * laplace(push(xs, n), 1) + laplace(t, 1)
    c = laplace(push(xs, 2), push(xs, 3)) + len(xs) - drawn(xs, n)
    d = len(xs) - drawn(xs, 5) + laplace(0, 1) + len(xs)
    e = (len(xs), push(xs, 1) if n > 1 else 0, len(xs))
    g = xs[-1] + (push(xs, 7) and xs[-1])
    xs += [len(xs), push(xs, 8), len(xs)]
    xs[-1] if push(xs, n) else 0
    h = i = len(xs)
    return a, b, c, d, e, g, h, i, xs
""",
    "names": """
def max(choice):
    return -choice

@mechanism
def f(choice: Callable[[int], int], t: int, n: int):
    exp = choice(n)
    range = max(t)
    return exp, range
""",
    "callable": """
@mechanism
def f(score: Callable[[int, int], int], t: int, n: int):
    winner, best = 0, 0
    for r in range(n):
        noisy = score(r, t) + exponential(0, scale=2)
        if noisy > best or r == 0:
            winner, best = r, noisy
    return winner
""",
    "continue everywhere": """
@mechanism
def f(q: list[int], t: int, n: int):
    count = 0
    i = 0
    while True:
        i += 1
        if i > 6:
            break
        if i % 2:
            if i == t:
                return count
            continue
        for x in q:
            if x < i:
                continue
            if x == n:
                break
            count += x
    return count, i
""",
    "parameters reassigned": """
def twice(t):
    t = t * 2
    return t

@mechanism
def f(q: list[int], t: int, n: int):
    n = None if n > 1 else n
    for t in range(twice(t)):
        pass
    return n, t, twice(twice(t))
""",
}


def _inputs(source: str) -> list[dict[str, Any]]:
    tables: list[Any]
    tables = [[], [3], [1, 2], [2, 0, 5, 1], [4, 4, 3, -2, 6]]
    name = "q"
    if "score" in source:
        name, tables = "score", [lambda i, j: i * i - j, lambda i, j: (i * 7 + j) % 5]
    if "choice" in source:
        name, tables = "choice", [lambda i: i * i]
    return [
        {name: table, "t": t, "n": n}
        for table, t, n in itertools.product(tables, (-1, 0, 2, 5), (0, 1, 2, 4))
    ]


def _noise(seed: int) -> Any:
    return (((seed + 3) * (k + 1) * 7919 >> 3) % 7 - 3 for k in itertools.count())


def _freeze(value: Any) -> Any:
    """Outputs are different where ``==`` says so: a list is no tuple, but True is 1."""
    if isinstance(value, list):
        return ("list", *map(_freeze, value))
    if isinstance(value, tuple):
        return ("tuple", *map(_freeze, value))
    return value


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_same_outputs(source: str) -> None:
    """Equal Python outputs have equal flat outputs, and different ones different ones."""
    (mechanism,) = read_source(HEADER + source, "test.py")
    check(mechanism)
    forward: dict[Any, Any] = {}
    backward: dict[Any, Any] = {}
    compared = 0
    for seed, inputs in enumerate(_inputs(source)):
        try:
            expected = _freeze(run_python(HEADER + source, "f", inputs, _noise(seed)))
        except (IndexError, ZeroDivisionError):
            with pytest.raises(ObligationFailed):
                Run(mechanism, inputs, _noise(seed)).output()
            continue
        try:
            output = Run(mechanism, inputs, _noise(seed)).output()
        except ObligationFailed:
            # Only a negative variable index is fine in Python, and refused here.
            assert inputs["t"] < 0 and "q[t]" in source
            continue
        except Stuck:
            pytest.fail("the run does not end")
        assert forward.setdefault(expected, output) == output
        assert backward.setdefault(output, expected) == expected
        compared += 1
    assert compared > 5
