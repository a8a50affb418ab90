"""Entries of arrays that are assigned: what is read is what numpy computes, on the same inputs."""

from __future__ import annotations

import numpy as np
import pytest

from synth.trusted.core.reader import read_core
from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import read_bound
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text
from tests.support.proving import assert_bound, prove_apart
from tests.support.typed_runs import ObligationFailed, Run, run_python
from tests.support.well_formed import check
from tests.unit.trusted.frontend.test_arrays import (
    HEAD,
    INPUTS,
    SIGNATURE,
    assert_same,
    exact,
    flat,
    noise,
    read,
)

ONCE = [
    "c = np.zeros(3)\nc[1] = t\nreturn c",
    "c = a.copy()\nc[0] += t\nc[-1] = 7\nreturn c, a",
    "a[0] = t\nreturn a",
    "c = np.zeros(len(a), dtype=int)\nc[0] = t\nc[-1] += 2.75\nreturn c",
    "c = a > 0\nc[0] = 2\nreturn c",
    "c = np.zeros(2)\nc[0] = n > 1\nreturn c",
    "c = a * 1\nc[c > t] = 0\nreturn c",
    "c = k * 1\nc[c < 0] *= -1\nc[a > 0] += 1\nreturn c",
    "c = a * 1\nc[a > 0] = b[a > 0]\nreturn c",
    "c = np.zeros(6)\nc[1:3] = t\nc[4:] = [1, n]\nc[:1] -= 2\nreturn c",
    "c = np.zeros(6)\nc[:len(a)] = a\nc[-2:] += c[:2]\nreturn c",
    "c = np.arange(5)\nc[1:4] *= 2\nc[2:2] = 9\nc[3:1] = 8\nreturn c",
    "c = np.zeros(4, dtype=int)\nc[1:3] = [t, 2.5]\nreturn c",
    "c = np.zeros(3)\nx = t\nc[1] = x\nx = 9.0\nreturn x, c",
    "c = np.zeros(3)\ni = n\nc[i] = 1\ni = 0\nreturn i, c",
    "c = np.zeros(3)\nc[n] = c[n] + 2\nc[n] += c[0]\nreturn c",
    "c = np.zeros(3)\nfor i in range(3):\n    d = np.ones(2)\n    d[0] = i\n    c[i] = d.sum()\nreturn c",
    "c = a * 1\nfor i in range(len(c)):\n    c[i] = c[i] * 2 + t\nreturn c",
    "c = a * 1\nfor i in range(len(a)):\n    if a[i] > t:\n        c[i] = 0\nreturn c",
    "c = a * 1\nfor i, v in enumerate(c):\n    c[i] = v + i\nreturn c",
    "c = a * 1\nfor i, (v, w) in enumerate(zip(c, b)):\n    c[i] += v * w\nreturn c",
    "c = a * 1\nfor i, (v, w) in enumerate(zip(c * 2, c)):\n    c[i] += v * w\nreturn c",
    "c = a * 1\nfor i, v in enumerate((c * 2)[::-1]):\n    c[i] = v\nreturn c",
    "c = np.zeros(len(a), dtype=int)\nfor i in range(len(a)):\n    c[i] = a[i]\nif n > 5:\n    return a\n"
    "c[0] = 2.75\nreturn c",
    "c = a * 1\nfor i in range(len(a)):\n    c[i] += t\nreturn c, c",
    "c = np.zeros(n)\nif n > 1:\n    c[1] = t\nd = c * 1\nfor i in range(n):\n    d[i] = c[i]\nreturn d",
    "c = np.zeros(n)\nif t > 0:\n    c = np.ones(n + 1)\nreturn len(c), c + 1",
    "c = np.zeros(n)\nfor i in range(2):\n    c = c[1:]\nreturn len(c), c + 1",
    "c = a[a > 0]\nif n > 1:\n    c = c * 2\nreturn len(c), c",
    "c = a * 1\nc.sort()\nreturn c[0], c[-1], c",
    "c = np.append(a, t)\nc.sort()\nd = np.diff(c)\nreturn d",
    "c = k * 1\nc.fill(2.5)\nreturn c",
    "c = a * 1\nif n > 1:\n    c.sort()\n    c[0] = t\nreturn c",
    "c = np.zeros(n + 2)\nfor i in range(1, n):\n    c[i] = i\nreturn c",
    "c = np.zeros(len(a))\nfor i in range(len(a)):\n    if a[i] < 0:\n        break\n    c[i] = 3\nreturn c",
    "c = a * 1\nfor i in range(len(a)):\n    if a[i] < 0:\n        continue\n    c[i] = 3\nreturn c",
    "c = np.ones(len(a))\nfor i in range(len(a)):\n    c[i] = 9\n    if a[i] < 1:\n        break\nelse:\n"
    "    n = 7\nreturn n, c",
    "c = np.zeros(len(a))\nd = np.ones(len(a), dtype=int)\nfor i in range(len(a)):\n    c[i] = d[i] + t\n"
    "    d[i] = a[i]\n    c[i] += d[i]\nreturn c, d",
    "c = np.zeros(3)\nfor i in range(3):\n    for j in range(n):\n        c[i] += j\nreturn c",
    "c = np.zeros(3)\nfor j in range(n):\n    for i in range(3):\n        c[i] += j * i\nreturn c",
    "c = np.zeros(3)\ni = 0\nwhile i < 3:\n    c[i] = i + t\n    i += 1\nreturn c",
    "c = np.zeros(3)\nfor v in a:\n    c[int(abs(v)) % 3] += 1\nreturn c",
    "if n > 0:\n    c = a + 1\nelse:\n    c = b\nreturn c",
    "c = a\nfor i in range(n):\n    c = c * 2 - c[0]\nreturn c",
    "c = a * 1\nif n > 1:\n    c[0] = 9\nreturn c",
    "if n > 1:\n    a[0] = 9\nreturn a",
    "if n > 1:\n    a = a[:1]\nreturn len(a), a",
    "c = np.zeros(2)\nd = np.ones(2)\nfor i in range(n):\n    c, d = d + 1, c * 2\nreturn c, d",
    "a = a + 0\nfor i in range(n):\n    a[0] += 1\n    a = a * 2\nreturn a",
    "c = np.zeros(2, dtype=int)\nfor v in a:\n    c[1] = v\nreturn c",
    "s = 0.0\nfor v in a:\n    c = np.zeros(2)\n    c[0] = v\n    if v > 0:\n        c[1] = 3\n"
    "    s += c.sum()\nreturn s",
    "c = np.zeros(3)\nfor i in range(2, -1, -1):\n    c[i] = i\nreturn c",
]


def body_of(text: str) -> str:
    return text.replace("\n", "\n    ")


@pytest.mark.parametrize("text", ONCE)
def test_it_is_what_numpy_computes(text: str) -> None:
    assert_same(body_of(text))


REFUSED = {
    "c = a\nc[0] = 1\nreturn a": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = a[1:]\na[0] = 1\nreturn c": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = a.T\nc[:1] = 1\nreturn a": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = a[a.size // 2:]\nc[c > 0] = 1\nreturn a": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = a\nfor i in range(len(a)):\n    c[i] = 1\nreturn a": (
        "aliasing",
        "'c' and 'a' are one array: use 'a.copy()'",
    ),
    "c = a\ni = 0\nwhile i < n:\n    a[i] = 1\n    i += 1\nreturn c": (
        "aliasing",
        "'c' and 'a' are one array: use 'a.copy()'",
    ),
    "c = a\nif n > 1:\n    a[0] = 1\nreturn c": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "if n > 1:\n    c = a\nelse:\n    c = b\nif n > 2:\n    c += 1\nreturn a": (
        "aliasing",
        "'c' and 'a' are one array: use 'a.copy()'",
    ),
    "c = np.zeros(2)\nd = c if n > 1 else a\nd[0] = 1\nreturn c": (
        "mixed-types",
        "a value that is an array or an array is not supported",
    ),
    "c = a\nc.sort()\nreturn a": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = a[1:]\na.fill(0)\nreturn c": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = a * 1\nfor v in c:\n    c.sort()\nreturn c": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over it",
    ),
    "c = a * 1\nfor v in c:\n    c[0] = v\nreturn c": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over it",
    ),
    "c = a * 1\nfor i, v in enumerate(c):\n    c[0] = v\nreturn c": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over it",
    ),
    "c = a * 1\nfor v in c[1:]:\n    c[0] = v\nreturn c": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over it",
    ),
    "c = a * 1\nfor i in range(3):\n    for v, w in zip(c, b):\n        c[0] = v\nreturn c": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over it",
    ),
    "c = a * 1\nfor i, v in enumerate(c[::-1]):\n    c[i] = v\nreturn c": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over a part of it",
    ),
    "c = a * 1\nfor i, (v, w) in enumerate(zip(c, c[::-1])):\n    c[i] = v + w\nreturn c": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over a part of it",
    ),
    "for i, v in enumerate(np.flip(a)):\n    a[i] = v\nreturn a": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over a part of it",
    ),
    "for i, v in enumerate(a.T):\n    a[i] = v\nreturn a": (
        "list-changed-in-loop",
        "the array is changed while a loop runs over a part of it",
    ),
    "if n > 1:\n    c = np.zeros(2, dtype=int)\nelse:\n    c = np.zeros(2)\nc[0] = 0.5\nreturn c": (
        "mixed-types",
        "entries of several types, or an array and something else, under one name: use astype",
    ),
    "c = np.zeros(2)\nif n > 1:\n    c = 1.0\nreturn c": (
        "mixed-types",
        "variable 'c' is both an array and a number",
    ),
    "c = k * 1\nc[k > 0] += 0.5\nreturn c": (
        "wrong-type",
        "an array of integers can't hold reals: use astype",
    ),
    "c = k * 1\nc[1:] /= 2\nreturn c": ("wrong-type", "an array of integers can't hold reals: use astype"),
    "c = a * 1\nc[a > 0] = a\nreturn c": (
        "unsupported-array",
        "an array that is assigned to selected entries is not supported: use np.where",
    ),
    "c = a * 1\nc[a > 0] = b[b > 0]\nreturn c": (
        "unsupported-array",
        "an array that is assigned to selected entries is not supported: use np.where",
    ),
    "c = a * 1\nc[k] = 1\nreturn c": (
        "unsupported-array",
        "an array of integers is not supported as an index",
    ),
    "c = a * 1\nc[n > 1] = 1\nreturn c": ("wrong-type", "an index must be an integer: use int(...)"),
    "c = a * 1\nc[::2] = 1\nreturn c": (
        "unsupported-array",
        "an assignment to a slice with a step is not supported",
    ),
    "c = a * 1\nc[0] = a\nreturn c": ("wrong-type", "an array is used as a number"),
    "c = a * 1\nc[0][0] = 1\nreturn c": ("unsupported-construct", "this assignment is not supported"),
    "c = a * 1\nc[0] = c[1] = 1\nreturn c": ("unsupported-construct", "this assignment is not supported"),
    "c = [t, t]\nc[:1] = [1]\nreturn c": (
        "unsupported-construct",
        "an assignment to a slice is not supported",
    ),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str) -> None:
    code, message = REFUSED[text]
    with pytest.raises(ProgramError) as caught:
        read(body_of(text))
    assert (caught.value.code.id, caught.value.message) == (code, message)


HELPERS = {
    "def g(v):\n    v[0] = 1\n    return 0": "'g' changes the array that it is given: use copy()",
    "def g(v):\n    w = v\n    w[0] = 1\n    return 0": "'w' and 'a' are one array: use 'a.copy()'",
    "def g(v):\n    for i in range(len(v)):\n        v[i] = 1\n    return 0": "'g' changes the array",
    "def g(v):\n    if len(v) > 1:\n        return v\n    return v + 1": "one of several statements returns",
    "def g(v):\n    if len(v) > 1:\n        return v[1:]\n    return v + 1": "one of several statements",
}


@pytest.mark.parametrize("helper", HELPERS)
def test_functions_change_no_arrays_of_others(helper: str) -> None:
    text = "w = g(a)\n    a[0] = 2\n    return w, a"
    with pytest.raises(ProgramError) as caught:
        read_source(f"{HEAD}{helper}\n\n\n@mechanism\n{SIGNATURE}{text}\n", "p.py")
    assert caught.value.message.startswith(HELPERS[helper])


GROWN = [
    "c = np.array([])\nfor v in a:\n    c = np.append(c, v * 2)\nreturn len(c), c",
    "c = np.append(np.array([]), a)\nreturn c.sum(), c",
    "c = np.array([])\nfor x, y in zip(a, b):\n    c = np.append(c, x - y)\nreturn c.argmax(), c.max()",
]


@pytest.mark.parametrize("text", GROWN)
def test_an_empty_array_may_grow(text: str) -> None:
    assert_same(body_of(text))


UNPACKED = [
    "x, y = xs[:2]\nreturn y - x",
    "x, y, z = a\nreturn x + y * z",
    "x, y, z = np.array([t, 2.0, 3]) * 2\nreturn x + y * z",
    "x, (y, z) = t, (a * 2)[:2]\nreturn x, z, y",
    "x, y = a[0], a[-1]\nx, y = np.array([y, x])\nreturn x, y",
]


@pytest.mark.parametrize("body", UNPACKED)
def test_lists_and_arrays_are_unpacked(body: str) -> None:
    mechanism = read(body_of(body))
    for inputs in INPUTS[:1]:
        typed = {
            name: [exact(item) for item in value] if isinstance(value, list) else exact(value)
            for name, value in inputs.items()
        }
        given = {
            name: np.array(value) if name in ("a", "b", "k") else value for name, value in inputs.items()
        }
        python = run_python(f"{HEAD}@mechanism\n{SIGNATURE}{body_of(body)}\n", "f", given, noise(), {})
        assert flat(Run(mechanism, typed, noise()).output()) == pytest.approx(flat(python))
        if "[t," not in body:
            with pytest.raises(ObligationFailed):
                Run(mechanism, {**typed, "a": [], "xs": []}, noise()).output()


TUPLE = """
@mechanism(adjacent={"x": absolute_distance("hi[1] - hi[0]")}, requires="hi[0] < hi[1] and eps > 0")
def f(x: float, hi: tuple[float, int], eps: float) -> float:
    lower, upper = hi
    hi = (lower - 1, upper)
    return min(max(x, hi[0]), upper) + np.random.laplace(0, (upper - lower) / eps)
"""


def test_a_tuple_of_public_numbers_is_a_parameter() -> None:
    (mechanism,) = read_source(HEAD + TUPLE, "p.py")
    check(mechanism)
    assert [(item.name, item.sort) for item in mechanism.parameters[1:3]] == [
        ("hi[0]", ir.Sort.REAL),
        ("hi[1]", ir.Sort.INT),
    ]
    bound = read_bound(mechanism, "(hi[1] - hi[0])*eps")
    assert text(bound) == "(hi[1] - hi[0])*eps"
    assert write_core(read_core(write_core(mechanism))) == write_core(mechanism)


def test_a_private_tuple_is_refused() -> None:
    with pytest.raises(ProgramError, match="a private tuple"):
        read_source((HEAD + TUPLE).replace('"x": absolute', '"hi": absolute'), "p.py")


FUNCTIONS = [
    *("np.append(a, t)", "np.append(a, xs)", "np.append(a, n)", "np.append(k, [1, 2])", "np.append(k, 0.5)"),
    *("np.concatenate([a, b, k])", "np.hstack([a, a * 2])", "np.concatenate((a, b))", "np.sort(a)"),
    *("np.median(a)", "np.median(np.append(a, t))", "np.bincount(abs(k), minlength=6)", "np.linalg.norm(a)"),
    *("np.linalg.norm(a, ord=1)", "np.linalg.norm(a, 2)", "np.asanyarray(xs) * 2", "np.float32(n) / 2"),
    *("np.zeros(2, dtype=np.float32)", "np.zeros(2, dtype=k.dtype)", "a.astype(k.dtype)"),
    *("np.array(a, dtype='i8')", "np.array(k, dtype='f8') / 2", "a.astype('i4')", "np.zeros(2, dtype='?')"),
    *("np.array(a, dtype=np.int32)", "np.linalg.norm(np.concatenate([a, b]).astype(np.float32))"),
]


@pytest.mark.parametrize("expression", FUNCTIONS)
def test_functions_are_those_of_numpy(expression: str) -> None:
    assert_same(f"return {expression}")


PRIVATE = {
    "one-hot": (
        """
@mechanism(adjacent={"x": discrete_distance()}, requires="0 <= x < k and k >= 2 and eps > 0")
def f(x: int, k: int, eps: float):
    v = np.zeros(k)
    v[x] = 1
    return v + np.random.laplace(loc=0.0, scale=2 / eps, size=k)
""",
        "eps",
    ),
    "an element loop": (
        """
@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def f(q: npt.NDArray[np.float64], eps: float):
    noisy = np.array(q)
    for i in range(len(q)):
        noisy[i] += np.random.laplace(0, 1 / eps)
    return noisy
""",
        "eps",
    ),
    "a histogram": (
        """
@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0")
def f(data: list[int], eps: float):
    h = np.zeros(3)
    for v in data:
        if 0 <= v < 3:
            h[v] += 1
    return h + np.random.laplace(0, 2 / eps, size=3)
""",
        "eps",
    ),
    "a histogram of records": (
        """
@mechanism(adjacent={"data": add_remove_distance()}, requires="eps > 0 and all(0 <= v < 3 for v in data)")
def f(data: list[int], eps: float):
    h = np.zeros(3, dtype=int)
    for v in data:
        h[v] += 1
    return h + np.random.laplace(0, 1 / eps, size=h.shape)
""",
        "eps",
    ),
}


@pytest.mark.parametrize("name", PRIVATE)
def test_what_is_read_is_proved(name: str) -> None:
    program, bound = PRIVATE[name]
    (mechanism,) = read_source(HEAD + program, "p.py")
    assert_bound(mechanism, prove_apart(mechanism), bound)
