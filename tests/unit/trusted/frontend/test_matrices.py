"""Arrays of two dimensions: what is read is what numpy computes, on the same inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.proving import assert_bound, prove_apart
from tests.support.typed_runs import ObligationFailed, Run, run_python
from tests.unit.trusted.frontend.test_array_updates import body_of
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

NUMBERS = [
    "m = np.zeros((2, 3))\nreturn len(m), m.size, m.ndim, m.shape",
    "m = np.ones((2, 3))\nm[1, 2] = t\nm[0][1] += 2\nreturn m[1, 2], m[1][2], m[0, 1], m[-1, -1], m.sum()",
    "m = np.zeros((2, 3), dtype=int)\nm[0, 0] = 2.75\nreturn m[0, 0], m.max(), m.mean()",
    "m = np.zeros((n + 1, 3))\nm[n, 2] = t\nm[0, n] += 1\nreturn m[n, 2], m[0, n], m.shape[0], m.size",
    "m = np.full((2, 2), t)\nc = m * 2 - m\nreturn c[1, 1], (m > 0)[0, 0], (-m)[1, 0], np.abs(m).sum()",
    "m = np.full((2, 2), t)\nm += 1\nm *= m\nreturn m[1, 1], np.clip(m, 0, 1)[0, 0], np.exp(m * 0).sum()",
    "m = np.zeros((2, 3))\nfor i in range(2):\n    for j in range(3):\n        m[i, j] = i * 10 + j\n"
    "return m[0, 2], m[1, 0], m[1].sum(), m[1, 2]",
    "m = np.zeros((2, 3))\nfor i in range(2):\n    for j in range(3):\n        m[i][j] += i * 10 + j\n"
    "s = 0.0\nfor row in m:\n    s = s * 2 + row[1] + row.sum()\nreturn s",
    "m = np.zeros((5, 7))\nfor i in range(5):\n    m[i, i + 1] = t * i\n    m[4, 0] -= 1\nreturn m[3, 4]",
    "m = np.zeros((2, 3))\nfor v in a:\n    m[int(abs(v)) % 2, 1] += v\nreturn m[0, 1], m[1, 1]",
    "m = np.ones((2, 3))\nc = m.copy()\nc[0, 0] = 9\nd = np.zeros_like(m)\nreturn m[0, 0], c[0, 0], d[1, 2]",
    "m = np.ones((2, 2))\nif n > 1:\n    m[1, 0] = t\nelse:\n    m = m * 3\nreturn m[1, 0], m[0, 0]",
    "m = np.ones((2, 3)) * t\nv = m.ravel()\nreturn v[1], v[5], len(v), m.flatten().sum()",
    "m = np.ones((2, 3))\nr, c = m.shape\nreturn r * 10 + c",
    "k = np.zeros((2, 3))\nfor i, row in enumerate(k):\n    t += i + row[0] + a[0]\nreturn t",
]


FILLED = """m = np.zeros((2, 3))
for i in range(2):
    for j in range(3):
        m[i, j] = (i * 7 + j * 5) % 4 - t
"""

LINES = [
    *(
        f"return np.{name}(m, axis={axis})"
        for name in ("sum", "max", "min", "amax", "amin", "mean", "argmax", "argmin", "prod", "var")
        for axis in (0, 1, -1, -2)
    ),
    *(f"return (m > 0).{name}(axis={axis})" for name in ("any", "all", "sum") for axis in (0, 1)),
    "return m.sum(1)[1], m.max(0)[2], m[:, 1], m[1, :], m[:, -1], m[-1, :][n], m[:, n].sum()",
    "return m[m[:, 0] > 0, 1], m[np.array([True, False]), 2], m[np.array([1, 0, 1]), 1]",
]


@pytest.mark.parametrize("text", LINES)
def test_rows_and_columns_are_those_of_numpy(text: str) -> None:
    assert_sized(body_of(FILLED + text))


ONE_ROW = [
    "v = np.atleast_2d(a)\nreturn v.argmax(axis=1), np.amax(v, axis=1), v.sum(1), v.sum(axis=0), v[0]",
    "v = np.atleast_2d(a)\ns = 0.0\nfor c in v.T:\n    s = s * 2 + c[0]\nreturn s, v.T[0], v.T[0, 0]",
    "v = np.atleast_2d(a)\ns = np.zeros(1)\nfor i in range(a.shape[0]):\n    s = s + v[:, i]\nreturn s",
    "return a.item(0), k.item(-1), a[:1].item(), np.any(np.atleast_2d(a) > t, axis=1)",
    "ys = [t, 1.0]\nv = np.atleast_2d(ys)\nys.append(5.0)\nreturn v[0], v.shape, v.sum()",
]


@pytest.mark.parametrize("text", ONE_ROW)
def test_one_row_is_that_of_numpy(text: str) -> None:
    assert_sized(body_of(text))


@pytest.mark.parametrize("text", NUMBERS)
def test_it_is_what_numpy_computes(text: str) -> None:
    assert_same(body_of(text))


RETURNED = [
    "return np.atleast_2d(a)",
    "return np.atleast_2d(xs) * 2",
    "return np.atleast_2d(a[a > 0]) + t",
    "return np.atleast_2d(np.zeros((2, 3)))",
    "return np.atleast_2d(a) + b, b - np.atleast_2d(a), np.atleast_2d(a) * xs",
    "return np.atleast_2d(a) >= np.full((1, 1), t)",
    "return np.full((1, 1), t) - np.atleast_2d(a), np.full((1, 1), t) * np.ones((1, 1))",
    "m = np.ones((2, 3))\nm[1, 2] = t\nr = np.ones((1, 3))\nr[0, 1] = 7\nreturn m + r, r - m, m * [1, 2, 3]",
    "m = np.ones((2, 3))\nm[1, 2] = t\nm += [1, 2, 3]\nreturn np.maximum(m, [3, 1, 0]), m > [2, 2, 2]",
    "c = np.atleast_2d(a).T\nreturn c + 1, c.shape, c.T",
    "return np.atleast_2d(a).T[0]",
    "return np.array([t, 1.0]) + np.ones((1, 2)), [t, 2.0] * np.ones((1, 2))",
    "m = np.ones((1, 1))\nm += 2\nm *= np.full((1, 1), t)\nreturn m",
    "m = np.atleast_2d(a).copy()\nm[0, 0] = 5\nreturn m, a",
    "return np.cumsum(np.atleast_2d(a), axis=1), np.cumsum(np.atleast_2d(a).T, axis=0)",
    "m = np.atleast_2d(a + 1)\nm[:, 0] = t\nm[:, -1] = np.full(1, n)\nreturn m",
    "m = np.zeros((1, 3))\nfor i in range(3):\n    m[:, i] = i * t\n"
    "    m[np.full(1, i == n), i] = -1\nreturn m",
    "x = np.atleast_2d(a)\nr = (x > 0).astype(int)\nh = np.full(1, False)\ni = 0\ns = np.zeros(1)\n"
    "for c in (x > 0).T:\n    r[h, i] = -1\n    s = s + c\n"
    "    h = np.logical_or(h, s == n)\n    i = i + 1\nreturn r",
    "x = np.atleast_2d(a)\nr = np.zeros((1, len(a)))\nfor i in range(len(a)):\n    h = x[:, i] > t\n"
    "    r[h, i] = x[h, i]\nreturn r",
    "m = np.zeros((2, 3))\nm[1, 0] = t\nreturn m",
    "m = np.full((n + 1, 2), t)\nreturn m + 1",
    "m = np.zeros((2, 2))\nfor i in range(n):\n    m[i % 2, 1] += i\nreturn m * 2",
]


@pytest.mark.parametrize("text", RETURNED)
def test_what_is_returned_has_its_size(text: str) -> None:
    assert_sized(body_of(text))


def assert_sized(text: str) -> None:
    """Run what is read, and the same text under numpy."""
    mechanism = read(text)
    for inputs in INPUTS:
        typed = {
            name: [exact(item) for item in value] if isinstance(value, list) else exact(value)
            for name, value in inputs.items()
        }
        given = {
            name: np.array(value) if name in ("a", "b", "k") else value for name, value in inputs.items()
        }
        expected = run_python(f"{HEAD}@mechanism\n{SIGNATURE}{text}\n", "f", given, noise(), {})
        found = flat(Run(mechanism, typed, noise()).output())
        assert found == pytest.approx(sized(expected)), inputs


def sized(value: Any) -> list[float]:
    """What is returned: the numbers, sizes of matrices among them, and then the entries of arrays."""
    numbers: list[float] = []
    entries: list[float] = []
    for item in value if isinstance(value, tuple) else (value,):
        if not isinstance(item, np.ndarray):
            numbers += sized(item) if isinstance(item, tuple) else [float(item)]
            continue
        numbers += item.shape if item.ndim == 2 else ()
        entries += flat(item)
    return [*numbers, *entries]


def test_indices_are_shown_to_be_inside() -> None:
    """Else an entry of another row would be taken: the index 3 of the first of two rows of three."""
    mechanism = read(body_of("m = np.zeros((2, 3))\nreturn m[0, n + 1]"))
    typed: dict[str, Any] = {"a": [], "b": [], "k": [], "xs": [], "n": 2, "t": exact(0.5)}
    with pytest.raises(ObligationFailed):
        Run(mechanism, typed, noise()).output()


def test_shapes_have_to_be_equal() -> None:
    mechanism = read(body_of("return (np.zeros((2, n)) + np.zeros((n, 2)))[0, 0]"))
    typed: dict[str, Any] = {"a": [], "b": [], "k": [], "xs": [], "n": 3, "t": exact(0.5)}
    with pytest.raises(ObligationFailed):
        Run(mechanism, typed, noise()).output()


REFUSED = {
    "ys = [t, 1.0]\nys = ys + np.ones((1, 2))\nreturn ys": "",
    "ys = [t, 1.0]\nys += np.ones((1, 2))\nreturn ys": "",
    "t += 1\nm = np.zeros((1, 3))\nm.T[0, 0] = t\nreturn m": "an entry of an array of two dimensions",
    "m = np.zeros((1, 3))\nc = m.T\nm[0, 0] = t\nreturn c": "'c' and 'm' are one array",
    "ys = [t]\nreturn ys.item(0)": "",
    "m = np.zeros((2, 3))\nr = m[0]\nr[1] = 1\nreturn m": "'r' and 'm' are one array",
    "m = np.zeros((2, 3))\nr = m[0]\nm[0, 1] = 1\nreturn r": "'r' and 'm' are one array",
    "m = np.zeros((2, 3))\nfor r in m:\n    r[1] = 1\nreturn m": "'r' and 'm' are one array",
    "m = np.zeros((2, 3))\nc = m\nc[0, 1] = 1\nreturn m": "'c' and 'm' are one array",
    "m = np.zeros((2, 3))\nv = m.ravel()\nv[1] = 1\nreturn m": "'v' and 'm' are one array",
    "m = np.zeros((2, 3))\nc = d = m\nreturn m": "two names for an array",
    "m = np.zeros((2, 3))\nfor r in m:\n    m[0, 1] = t\nreturn m": "'r' and 'm' are one array",
    "m = np.ones((2, 3))\nfor r in m:\n    pass\nm[0, 1] = t\nreturn r[0]": "'r' and 'm' are one array",
    "m = np.zeros((2, 3))\nm[0] = 1\nreturn m": "an assignment to an entry of an array of two dimensions",
    "m = np.zeros((2, 3))\nreturn m[:, 0:1]": "this slice of an array is not supported",
    "m = np.zeros((2, 3))\nreturn m[:, :]": "this slice of an array is not supported",
    "m = np.zeros((2, 3))\nreturn m[1:, 0]": "this slice of an array is not supported",
    "m = np.zeros((2, 3))\nreturn m[:, None]": "",
    "m = np.zeros((2, 3))\nreturn m[:, True]": "an index must be an integer: use int(...)",
    "return a[:, 0]": "an array is used as an array of two dimensions",
    "m = np.zeros((2, 3))\nreturn m[np.array([0.5, 1]), 0]": "an array of reals is not supported",
    "m = np.zeros((2, 3))\nm[:, 0] = t\nreturn m": "only supported where there is one row",
    "m = np.zeros((2, 3))\nm[np.full(2, True), 0] = t\nreturn m": "only supported where there is one row",
    "m = np.zeros((1, 3))\nm[:, 0] += t\nreturn m": "a column that is changed in place is not supported",
    "m = np.zeros((1, 3))\nm[:, 1:] = t\nreturn m": "",
    "m = np.zeros((1, 3))\nm[:][0] = t\nreturn m": "",
    "m = np.zeros((1, 3))\nm[np.full(1, True)][0] = t\nreturn m": "",
    "m = np.zeros((1, 3))\nm[np.full(1, True), 0] = np.ones(1)\nreturn m": "use np.where",
    "m = np.zeros((1, 3))\nc = m[:, 0]\nm[0, 0] = 1\nreturn c": "'c' and 'm' are one array",
    "m = np.zeros((1, 3))\nc = m[:, 0]\nc[0] = 1\nreturn m": "'c' and 'm' are one array",
    "m = np.zeros((1, 3))\nc = m.T\nc[0, 0] = 1\nreturn m": "'c' and 'm' are one array",
    "m = np.zeros((1, 3))\nfor c in m.T:\n    m[0, 0] = 1\nreturn m": "'c' and 'm' are one array",
    "m = np.zeros((1, 3))\nfor c in m.T:\n    c[0] = 1\nreturn m": "'c' and 'm' are one array",
    "v = np.atleast_2d(a)\nv[0, 0] = 1\nreturn a": "'v' and 'a' are one array",
    "v = np.atleast_2d(a)\na[0] = 1\nreturn v": "'v' and 'a' are one array",
    "c = a + 1\nv = np.atleast_2d(c)\nc[0] = 1\nreturn v": "'v' and 'c' are one array",
    "c = a + 1\nv = np.atleast_2d(np.atleast_2d(c))\nc += 1\nreturn v": "'v' and 'c' are one array",
    "return np.atleast_2d(t)": "an array of a number is not supported",
    "return np.atleast_2d(arys=a)": "",
    "return np.atleast_2d(a, b)": "",
    "v = a\nv += np.atleast_2d(b)\nreturn v": "",
    "c = a + 1\nc += np.atleast_2d(b)\nreturn c": "an array can't hold one of another shape",
    "c = np.zeros(1)\nc += a\nreturn c": "an array can't hold one of another shape",
    "m = np.zeros((1, 1))\nm += np.ones((1, 3))\nreturn m": "can't hold one of another shape",
    "m = np.zeros((1, 3))\nm += np.ones((2, 3))\nreturn m": "can't hold one of another shape",
    "m = np.zeros((2, 3))\nreturn m.sum(axis=2)": "this axis",
    "m = np.zeros((2, 3))\nreturn m.sum(axis=n)": "this axis",
    "m = np.zeros((2, 3))\nreturn m.sum(axis=True)": "this axis",
    "m = np.zeros((2, 3))\nreturn m.sum(axis=(0, 1))": "this axis",
    "m = np.zeros((2, 3))\nreturn m.cumsum(axis=1)": "'cumsum' of several rows or columns",
    "m = np.zeros((1, 3))\nreturn m.cumsum()": "'cumsum' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn np.median(m, axis=0)": "",
    "m = np.zeros((2, 3))\nreturn m.item(0)": "'item' of an array of two dimensions is not supported",
    "m = np.zeros((1, 3))\nreturn m @ m.T": "",
    "m = np.zeros((1, 3))\nreturn m @ a": "'dot' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn m[0, 1, 2]": "has two indices",
    "m = np.zeros((2, 3))\nreturn m.T": "'T' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn np.argmax(m)": "'argmax' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn np.append(m, t)": "'append' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn np.bincount(m)": "'bincount' of an array of two dimensions",
    "m = np.zeros((2, 3))\nreturn np.random.laplace(m, 1)": "a sampler that is given an array of two",
    "m = np.zeros((2, 3))\nif m:\n    return 1\nreturn 0": "an array has no truth value",
    "m = np.zeros((2, 3))\nm[True, 0] = 1\nreturn m": "an index must be an integer: use int(...)",
    "return (n,), (n,), [t]": "a tuple of this form",
    "if n > 0:\n    m = np.zeros((2, 3))\nelse:\n    m = np.ones((3, 2))\nreturn m": "entries of several",
    "if n > 0:\n    m = np.zeros((2, 3))\nelse:\n    m = np.zeros(6)\nm = m + 1\nreturn m": "",
    "ys = [np.zeros((2, 3))]\nreturn ys": "is not supported",
    "return np.zeros((2, 3, 4))": "an array of several dimensions is not supported",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read(body_of(text))
    assert REFUSED[text] in caught.value.message


def test_functions_change_no_matrices_of_others() -> None:
    helper = "def g(v):\n    v[0, 0] = 1\n    return 0\n\n\n"
    text = "m = np.zeros((2, 3))\n    g(m)\n    return m"
    with pytest.raises(ProgramError, match="'g' changes the array of two dimensions"):
        read_source(f"{HEAD}{helper}@mechanism\n{SIGNATURE}{text}\n", "p.py")


def test_a_column_that_is_not_there_is_not_assigned() -> None:
    text = "m = np.zeros((1, 3))\nm[np.full(1, False), n] = t\nreturn m"
    mechanism = read(body_of(text))
    typed: dict[str, Any] = {"a": [], "b": [], "k": [], "xs": [], "n": 3, "t": exact(0.5)}
    with pytest.raises(ObligationFailed):
        Run(mechanism, typed, noise()).output()


@pytest.mark.parametrize(
    "text", ["return np.atleast_2d(a).max(axis=1)", "return np.atleast_2d(a).max(axis=0)[0]"]
)
def test_rows_without_entries_have_no_largest(text: str) -> None:
    mechanism = read(body_of(text))
    typed: dict[str, Any] = {"a": [], "b": [], "k": [], "xs": [], "n": 3, "t": exact(0.5)}
    with pytest.raises(ObligationFailed):
        Run(mechanism, typed, noise()).output()


@pytest.mark.parametrize("text", ["return np.atleast_2d(a) + b", "return np.maximum(b, np.atleast_2d(a))"])
def test_a_row_is_as_long_as_what_it_stands_beside(text: str) -> None:
    mechanism = read(body_of(text))
    typed: dict[str, Any] = {
        "a": [exact(1.0)],
        "b": [exact(1.0)] * 2,
        "k": [],
        "xs": [],
        "n": 3,
        "t": exact(0.5),
    }
    with pytest.raises(ObligationFailed):
        Run(mechanism, typed, noise()).output()


ROW = """
@mechanism(adjacent={"a": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def f(a: npt.NDArray[np.float64], eps: float):
    v = np.atleast_2d(a)
    return v + np.random.laplace(scale=SCALE, size=(1, a.shape[0]))
"""


def test_a_noisy_row_is_private() -> None:
    (mechanism,) = read_source(HEAD + ROW.replace("SCALE", "1 / eps"), "p.py")
    assert_bound(mechanism, prove_apart(mechanism), "eps")


LEAKS = [
    "v + np.random.laplace(scale=1 / eps, size=(1, 1))",
    "np.atleast_2d(a[a > 0]) * 0 + np.random.laplace(scale=1 / eps, size=(1, 1))",
    "v",
]


@pytest.mark.parametrize("leak", LEAKS)
def test_a_row_that_shows_more_than_its_noise_is_not_private(leak: str) -> None:
    """One draw for all entries, a number of entries that is private, and no noise."""
    text = ROW.replace("v + np.random.laplace(scale=SCALE, size=(1, a.shape[0]))", leak)
    (mechanism,) = read_source(HEAD + text, "p.py")
    assert prove_apart(mechanism).epsilon is None


@pytest.mark.slow
def test_the_index_of_the_largest_of_a_noisy_row_is_private() -> None:
    text = ROW.replace("change_one_distance", "linf_distance").replace("eps > 0", "len(a) >= 1 and eps > 0")
    text = text.replace("return v + np", "return np.argmax(v + np").replace(
        "shape[0]))", "shape[0])), axis=1)"
    )
    (mechanism,) = read_source(HEAD + text.replace("SCALE", "2 / eps"), "p.py")
    assert_bound(mechanism, prove_apart(mechanism), "eps")


TABLE = """
@mechanism(
    adjacent={"rows": add_remove_distance()},
    requires="all(0 <= g < 2 and 0 <= a < 2 for g, a in rows) and eps > 0",
)
def f(rows: list[tuple[int, int]], eps: float):
    table = np.zeros((2, 2))
    for g, a in rows:
        table[g, a] += 1
    return table + np.random.laplace(scale=1 / eps, size=table.shape)
"""


@pytest.mark.slow
def test_a_noisy_table_is_private() -> None:
    (mechanism,) = read_source(HEAD + TABLE, "p.py")
    assert_bound(mechanism, prove_apart(mechanism), "eps")
