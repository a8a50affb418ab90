"""Arrays of two dimensions: what is read is what numpy computes, on the same inputs."""

from __future__ import annotations

from typing import Any

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


@pytest.mark.parametrize("text", NUMBERS)
def test_it_is_what_numpy_computes(text: str) -> None:
    assert_same(body_of(text))


RETURNED = [
    "m = np.zeros((2, 3))\nm[1, 0] = t\nreturn m",
    "m = np.full((n + 1, 2), t)\nreturn m + 1",
    "m = np.zeros((2, 2))\nfor i in range(n):\n    m[i % 2, 1] += i\nreturn m * 2",
]


@pytest.mark.parametrize("text", RETURNED)
def test_what_is_returned_has_its_size(text: str) -> None:
    mechanism = read(body_of(text))
    for inputs in INPUTS:
        typed = {
            name: [exact(item) for item in value] if isinstance(value, list) else exact(value)
            for name, value in inputs.items()
        }
        expected: Any = run_python(
            f"{HEAD}@mechanism\n{SIGNATURE}{body_of(text)}\n", "f", inputs, noise(), {}
        )
        found = flat(Run(mechanism, typed, noise()).output())
        assert found == pytest.approx([*expected.shape, *flat(expected)])


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
    "m = np.zeros((2, 3))\nr = m[0]\nr[1] = 1\nreturn m": "'r' and 'm' are one array",
    "m = np.zeros((2, 3))\nr = m[0]\nm[0, 1] = 1\nreturn r": "'r' and 'm' are one array",
    "m = np.zeros((2, 3))\nfor r in m:\n    r[1] = 1\nreturn m": "'r' and 'm' are one array",
    "m = np.zeros((2, 3))\nc = m\nc[0, 1] = 1\nreturn m": "'c' and 'm' are one array",
    "m = np.zeros((2, 3))\nv = m.ravel()\nv[1] = 1\nreturn m": "'v' and 'm' are one array",
    "m = np.zeros((2, 3))\nc = d = m\nreturn m": "two names for an array",
    "m = np.zeros((2, 3))\nfor r in m:\n    m[0, 1] = t\nreturn m": "'r' and 'm' are one array",
    "m = np.ones((2, 3))\nfor r in m:\n    pass\nm[0, 1] = t\nreturn r[0]": "'r' and 'm' are one array",
    "m = np.zeros((2, 3))\nm[0] = 1\nreturn m": "an assignment to an entry of an array of two dimensions",
    "m = np.zeros((2, 3))\nreturn m + a": "an array of one dimension beside one of two",
    "m = np.zeros((2, 3))\nreturn m[:, 0]": "is not supported",
    "m = np.zeros((2, 3))\nreturn m[0, 1, 2]": "has two indices",
    "m = np.zeros((2, 3))\nreturn m.T": "'T' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn m.sum(axis=0)": "'sum' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn np.argmax(m)": "'argmax' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn np.append(m, t)": "'append' of an array of two dimensions is not supported",
    "m = np.zeros((2, 3))\nreturn np.bincount(m)": "'bincount' of an array of two dimensions",
    "m = np.zeros((2, 3))\nreturn np.random.laplace(m, 1)": "a sampler that is given an array of two",
    "m = np.zeros((2, 3))\nif m:\n    return 1\nreturn 0": "an array has no truth value",
    "m = np.zeros((2, 3))\nm[True, 0] = 1\nreturn m": "an index must be an integer",
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
