"""Draws are fresh: what is drawn twice, drawn into its own centre, read again, or only foreseen.

Each case says what a wrong treatment would claim.  Bounds are the least that couplings prove; None
is for programs that no ε covers, or none that the tool can state.
"""

from __future__ import annotations

import pytest

from tests.support.proving import assert_bound, from_text, prove_apart

CLOSE = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
ALL = '@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")\n'
SUMMED = '@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")\n'
SUMMED_FILLED = '@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) > 0")\n'
ONE = '@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")\n'
ONE_FILLED = '@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and len(q) > 0")\n'

CASES: dict[str, tuple[str, str | None, str]] = {
    # --- a draw into a variable that its own centre mentions ---
    "own centre": (
        CLOSE + "def f(x: int, eps: float) -> int:\n    x = laplace(x, 1 / eps)\n    return x",
        "eps",
        "0: taking the centre's x for the new x makes the centres agree",
    ),
    "own centre twice": (
        CLOSE
        + """def f(x: int, eps: float) -> int:
    x = laplace(x, 1 / eps)
    x = laplace(x, 1 / eps)
    return x""",
        "eps",
        "2*eps: the second draw is around a value that already agrees",
    ),
    "own centre, old value kept": (
        CLOSE
        + """def f(x: int, eps: float) -> tuple[int, int]:
    y = x
    y = laplace(y, 1 / eps)
    return y, y - x""",
        None,
        "eps: y - x is the noise, but together with y it gives x away",
    ),
    "own centre in a loop that may not run": (
        CLOSE
        + """def f(x: int, n: int, eps: float) -> int:
    for _ in range(n):
        x = laplace(x, 1 / eps)
    return x""",
        None,
        "eps: with n = 0 the exact x is returned",
    ),
    "own centre in a loop that runs": (
        CLOSE.replace("eps > 0", "eps > 0 and n > 0")
        + """def f(x: int, n: int, eps: float) -> int:
    x = laplace(x, 1 / eps)
    for _ in range(n):
        x = laplace(x, 1 / eps)
    return x""",
        "eps",
        "(1 + n)*eps: only the first draw is around private data",
    ),
    "augmented": (
        CLOSE + "def f(x: int, eps: float) -> int:\n    x += laplace(x, 1 / eps)\n    return x",
        "2*eps",
        "eps: x counts twice",
    ),
    # --- a variable drawn twice ---
    "drawn twice, both returned": (
        CLOSE
        + """def f(x: int, eps: float) -> tuple[int, int]:
    y = laplace(x, 1 / eps)
    z = y
    y = laplace(x, 1 / eps)
    return y, z""",
        "2*eps",
        "eps: z is the first draw, not the second",
    ),
    "drawn twice, the last returned": (
        CLOSE
        + """def f(x: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    y = laplace(x, 1 / eps)
    return y""",
        "eps",
        "2*eps: nobody sees the first draw",
    ),
    "redrawn on a condition": (
        CLOSE
        + """def f(x: int, t: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    if y < t:
        y = laplace(x, 1 / eps)
    return y""",
        "2*eps",
        "eps: to redraw when the first draw is low looks at both",
    ),
    # --- an old value that outlives its draw ---
    "old value compared later": (
        ALL
        + """def f(q: list[int], t: int, eps: float) -> list[bool]:
    out = []
    threshold = laplace(t, 2 / eps)
    for x in q:
        above = laplace(x, 4 / eps) >= threshold
        threshold = laplace(t, 2 / eps)
        out.append(above)
    return out""",
        "len(q)*eps/4",
        "eps/2 + ...: what is known of the first threshold does not hold of the next ones",
    ),
    "old value in the invariant": (
        ALL
        + """def f(q: list[int], eps: float) -> int:
    best = laplace(0, 2 / eps)
    winner = 0
    for i in range(len(q)):
        best = laplace(0, 2 / eps)
        if laplace(q[i], 2 / eps) > best:
            winner = i
    return winner""",
        "len(q)*eps/2",
        "eps: only a threshold that is drawn once makes the answers below it free",
    ),
    # --- noise used twice ---
    "one noise added twice": (
        CLOSE
        + """def f(x: int, eps: float) -> tuple[int, int]:
    noise = laplace(0, 1 / eps)
    return x + noise, x - noise""",
        None,
        "2*eps: the sum of both is 2*x",
    ),
    "one noise in two factors": (
        CLOSE
        + """def f(x: float, eps: float) -> tuple[float, float]:
    noise = laplace(0.0, 1 / eps)
    return x + noise, x + 2 * noise""",
        None,
        "eps or 2*eps: twice the first less the second is x",
    ),
    "one noise for two values": (
        ALL.replace("eps > 0", "eps > 0 and len(q) > 1")
        + """def f(q: list[int], eps: float) -> tuple[int, int]:
    noise = laplace(0, 1 / eps)
    return q[0] + noise, q[1] + noise""",
        None,
        "eps or 2*eps: the difference is exact",
    ),
    "the noise returned too": (
        CLOSE
        + """def f(x: int, eps: float) -> tuple[int, int]:
    noise = laplace(0, 1 / eps)
    return x + noise, noise""",
        None,
        "eps: the difference is x",
    ),
    # --- integers and reals ---
    "integer noise on a real": (
        CLOSE
        + """def f(x: float, eps: float) -> float:
    noise = laplace(0, 1 / eps)
    return x + noise""",
        None,
        "eps: the fraction of x stays visible",
    ),
    "noise in a sum with a real": (
        CLOSE + "def f(x: float, eps: float) -> float:\n    return x + laplace(0, 1 / eps)",
        "eps",
        "nothing: e + laplace(0, s) means laplace(e, s), so this noise is real",
    ),
    "real noise on an integer": (
        CLOSE + "def f(x: int, eps: float) -> float:\n    return x + laplace(0.0, 1 / eps)",
        "eps",
        "nothing",
    ),
    "integer noise on a rounded real": (
        CLOSE + "def f(x: float, eps: float) -> int:\n    return laplace(round(x), 1 / eps)",
        "2*eps",
        "eps: 0.5 and 1.5 are rounded to 0 and 2",
    ),
    "half a step of an integer": (
        CLOSE.replace("(1)", "(0.5)") + "def f(x: int, eps: float) -> int:\n    return laplace(x, 1 / eps)",
        "0",
        "nothing: integers at most 1/2 apart are equal",
    ),
    # --- entries read more than once ---
    "l1, two loops": (
        SUMMED
        + """def f(q: list[int], eps: float) -> tuple[list[int], list[int]]:
    a = []
    b = []
    for x in q:
        a.append(laplace(x, 1 / eps))
    for x in q:
        b.append(laplace(x, 1 / eps))
    return a, b""",
        "2*eps",
        "eps: the second loop spends the budget again",
    ),
    "l1, twice in one iteration": (
        SUMMED
        + """def f(q: list[int], eps: float) -> list[int]:
    out = []
    for x in q:
        out.append(laplace(x, 1 / eps))
        out.append(laplace(x, 1 / eps))
    return out""",
        "2*eps",
        "eps: both draws are around the same entry",
    ),
    "l1, read twice and added": (
        SUMMED
        + """def f(q: list[int], eps: float) -> int:
    total = 0
    for i in range(len(q)):
        total += q[i] + q[i]
    return laplace(total, 1 / eps)""",
        "2*eps",
        "eps: the second read is of the same entry",
    ),
    "l1, one entry again and again": (
        SUMMED_FILLED
        + """def f(q: list[int], n: int, eps: float) -> list[int]:
    out = []
    for i in range(n):
        out.append(laplace(q[0], 1 / eps))
    return out""",
        None,
        "eps: n draws around the same entry cost n*eps (and max(n, 0) is no bound that is tried)",
    ),
    "l1, from the end": (
        SUMMED
        + """def f(q: list[int], eps: float) -> list[int]:
    out = []
    for i in range(len(q)):
        out.append(laplace(q[len(q) - 1 - i], 1 / eps))
    return out""",
        "gap: len(q)*eps",
        "nothing: reads at falling indices are not added up; least is eps",
    ),
    "change one, two loops": (
        ONE
        + """def f(q: list[int], eps: float) -> tuple[list[int], list[int]]:
    a = []
    b = []
    for x in q:
        a.append(laplace(x, 1 / eps))
    for x in q:
        b.append(laplace(x, 1 / eps))
    return a, b""",
        "2*eps",
        "eps: the entry that differs is read in both loops",
    ),
    "change one, neighbours": (
        ONE
        + """def f(q: list[int], eps: float) -> list[int]:
    out = []
    for i in range(1, len(q)):
        out.append(laplace(q[i] - q[i - 1], 1 / eps))
    return out""",
        "2*eps",
        "eps: an entry is in two differences",
    ),
    "change one, the same entry again and again": (
        ONE_FILLED
        + """def f(q: list[int], n: int, eps: float) -> list[int]:
    out = []
    for i in range(n):
        out.append(laplace(q[0], 1 / eps))
    return out""",
        None,
        "eps: the first entry may be the one that differs, in each of n draws",
    ),
    "close entries, read twice": (
        ALL.replace("eps > 0", "eps > 0 and len(q) > 0")
        + """def f(q: list[int], eps: float) -> int:
    return laplace(q[0] - q[0] + q[0], 1 / eps)""",
        "eps",
        "3*eps: reads of one entry in one run are equal",
    ),
    # --- lists made in loops ---
    "a list emptied in each iteration": (
        CLOSE
        + """def f(x: int, n: int, eps: float) -> list[int]:
    out = []
    for i in range(n):
        out = []
        out.append(x)
        out = []
        out.append(laplace(x, 1 / eps))
    return out""",
        None,
        "eps: entries thrown away are published all the same, here the exact x",
    ),
    "an entry of the list before": (
        CLOSE
        + """def f(x: int, eps: float) -> int:
    xs = [laplace(x, 1 / eps)]
    y = xs[0]
    xs = [x]
    return xs[0]""",
        None,
        "eps: xs[0] is no longer the draw",
    ),
    "entries of a list made anew": (
        CLOSE
        + """def f(x: int, n: int, eps: float) -> list[int]:
    out = []
    for i in range(n):
        xs = [0]
        xs = [x]
        out.append(xs[0])
    return out""",
        None,
        "0: xs[0] is not the 0 of the list before",
    ),
    # --- prophecies ---
    "foreseen across loops": (
        ALL
        + """def f(q: list[int], t: int, eps: float) -> int:
    threshold = laplace(t, 2 / eps)
    found = -1
    for i in range(len(q)):
        if found < 0 and laplace(q[i], 4 / eps) >= threshold:
            found = i
    last = found
    for i in range(len(q)):
        last = i
    return found""",
        "eps",
        "nothing",
    ),
    "the winner of two loops": (
        ALL
        + """def f(q: list[int], eps: float) -> tuple[int, int]:
    first = 0
    best = 0
    for i in range(len(q)):
        noisy = laplace(q[i], 2 / eps)
        if i == 0 or noisy > best:
            first = i
            best = noisy
    second = 0
    for i in range(len(q)):
        noisy = laplace(q[i], 2 / eps)
        if i == 0 or noisy > best:
            second = i
            best = noisy
    return first, second""",
        "2*eps",
        "eps: the guard on the second winner is no guard on the first",
    ),
    # --- early returns ---
    "nested early return of one draw": (
        CLOSE
        + """def f(x: int, t: int, n: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    for i in range(n):
        for j in range(n):
            if y > t + j:
                return i
    return n""",
        "eps",
        "0: the return is steered by the draw",
    ),
    "nested early return of exact data": (
        CLOSE
        + """def f(x: int, t: int, n: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    for i in range(n):
        for j in range(n):
            if x > t + j:
                return y
    return y""",
        None,
        "0: least is eps, since y is returned either way, but the runs may return in different iterations",
    ),
    "nested early return that tells": (
        CLOSE
        + """def f(x: int, t: int, n: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    for i in range(n):
        for j in range(n):
            if x > t + j:
                return j
    return y""",
        None,
        "eps: which j it is tells x exactly",
    ),
    # --- weights that may be negative ---
    "a scale that is positive where it is used": (
        """@mechanism(adjacent={"x": absolute_distance(1)}, requires="s > 0")
def f(x: int, m: int, s: float) -> tuple[int, int]:
    a = laplace(x, s)
    b = 0
    if m > 0:
        b = laplace(x, m)
    return a, b""",
        None,
        "1/s + 1/m: for m = -1 that is less than the 1/s of the first draw",
    ),
    "a negative weight and a claim": (
        """@mechanism(
    adjacent={"x": absolute_distance(1)}, requires="s > 0 and (m < 0 or m > 0)", epsilon="1/s + 1/m"
)
def f(x: int, m: int, s: float) -> tuple[int, int]:
    a = laplace(x, s)
    b = 0
    if m > 0:
        b = laplace(x, m)
    return a, b""",
        None,
        "1/s + 1/m, which was once proved",
    ),
    # --- scales that depend on draws ---
    "a scale chosen by a released draw": (
        CLOSE
        + """def f(x: int, t: int, eps: float) -> tuple[int, int]:
    first = laplace(x, 2 / eps)
    scale = 2 / eps if first >= t else 1 / eps
    return first, laplace(x, scale)""",
        "3*eps/2",
        "eps: the worse scale counts",
    ),
    "a scale chosen by a hidden draw": (
        CLOSE
        + """def f(x: int, t: int, eps: float) -> int:
    first = laplace(x, 1 / eps)
    scale = 1 / eps if first > t else 2 / eps
    return laplace(0, scale)""",
        "eps",
        "0: the scale tells about the first draw",
    ),
    "a parameter assigned before its use": (
        CLOSE + "def f(x: int, eps: float) -> int:\n    eps = 2 * eps\n    return laplace(x, 1 / eps)",
        "gap: 2*eps",
        "eps: the scale is that of the new eps",
    ),
    "a budget kept by the program": (
        """@mechanism(adjacent={"x": absolute_distance(1)}, requires="budget > 0")
def f(x: int, n: int, budget: float) -> list[int]:
    spent = 0.0
    out = []
    each = budget / 3
    for i in range(n):
        if spent <= budget:
            out.append(laplace(x, 1 / each))
            spent = spent + each
    return out""",
        "gap: 4*budget/3",
        "budget: the test lets a fourth draw through",
    ),
    "a budget that is given back": (
        """@mechanism(adjacent={"x": absolute_distance(1)}, requires="budget > 0")
def f(x: int, n: int, budget: float) -> list[int]:
    spent = 0.0
    out = []
    each = budget / 3
    for i in range(n):
        if spent + each <= budget:
            out.append(laplace(x, 1 / each))
            spent = spent + each
        else:
            spent = 0.0
    return out""",
        None,
        "budget: what the program calls spent is less than what was paid",
    ),
    "a loop that counts noise down": (
        CLOSE
        + """def f(x: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    k = 0
    while y > 0:
        y -= 1
        k += 1
    return k""",
        "gap: eps",
        "0: the count is the draw",
    ),
    "a loop that counts exact data down": (
        CLOSE
        + """def f(x: int, eps: float) -> int:
    k = 0
    z = x
    while z > 0:
        z -= 1
        k += 1
    return k""",
        None,
        "0: the count is x",
    ),
    "a scale that shrinks in a loop": (
        CLOSE
        + """def f(x: int, n: int, eps: float) -> list[int]:
    out = []
    scale = 2 / eps
    for i in range(n):
        out.append(laplace(x, scale))
        scale = 1 / eps
    return out""",
        None,
        "n*eps/2: only the first draw has that scale",
    ),
}

GAP = "gap: "


SLOW = {
    "the winner of two loops",
    "a budget that is given back",
    "l1, read twice and added",
    "old value in the invariant",
}


def _cases() -> list[object]:
    marks = {name: [pytest.mark.slow] if name in SLOW else [] for name in CASES}
    return [pytest.param(*case, id=name, marks=marks[name]) for name, case in CASES.items()]


@pytest.mark.parametrize(("text", "expected", "wrong"), _cases())
def test_draws_are_fresh(text: str, expected: str | None, wrong: str) -> None:
    """The least bound, or no proof; where the tool falls short, that bound or no proof."""
    mechanism = from_text(text)
    outcome = prove_apart(mechanism)
    if expected is None:
        assert outcome.verdict == "unknown", f"{outcome}; wrong would be {wrong}"
    elif expected.startswith(GAP) and outcome.verdict == "unknown":
        return
    else:
        assert_bound(mechanism, outcome, expected.removeprefix(GAP))
