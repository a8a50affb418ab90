"""Arrays that np.empty makes: their entries are assigned before they are read, or the program is refused."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from tests.unit.trusted.frontend.test_arrays import assert_same, read

SAME = [
    "c = np.empty(len(a))\n    for i in range(len(a)):\n        c[i] = a[i] * 2\n    return c",
    "c = np.empty(2)\n    c[0] = t\n    c[1] = n\n    return c",
    "c = np.empty(2, dtype=int)\n    c[1] = 2.5\n    c[0] = c[1] + 1\n    return c",
    "c = np.empty_like(k)\n    c[:] = a\n    return c",
    "c = np.empty(len(a), bool)\n    for i, v in enumerate(a):\n        c[i] = v > 0\n    return c",
    "c = np.empty(len(a))\n    c.fill(t)\n    return c",
    "c = np.empty(3)\n    return len(c)",
    "c = np.empty(len(a))\n    c[:] = 0\n    c[0] = 1\n    return c",
]

READ_BEFORE = [
    "c = np.empty(3)\n    return c",
    "c = np.empty(3)\n    c[0] = 1\n    return c",
    "c = np.empty(n)\n    for i in range(n):\n        if i > 0:\n            c[i] = 1\n    return c",
    "c = np.empty(len(a))\n    for i in range(len(a)):\n        c[i] += 1\n    return c",
    "c = np.empty(len(a))\n    for i in range(len(a) - 1):\n        c[i] = 1\n    return c",
    "c = np.empty(n)\n    for i in range(n):\n        if t: break\n        c[i] = 1\n    return c",
    "c = np.empty(n)\n    for i in range(n):\n        if t: continue\n        c[i] = 1\n    return c",
    "c = np.empty(len(a)) * 0\n    return c",
    "c = np.empty(n)\n    c[1:] = 1\n    return c",
    "return np.empty_like(a).sum()",
    "return np.empty(3)[0]",
    "c = np.empty(3)\n    c[a > 0] = 1\n    return c",
    "c = np.empty(len(a))\n    for i in range(len(a)):\n        c[i] = 1 if i == 0 else c[i]\n    return c",
    "m = np.empty((2, 3))\n    m[0, 0] = 1\n    return m.sum()",
]


@pytest.mark.parametrize("text", SAME)
def test_entries_are_those_that_were_assigned(text: str) -> None:
    assert_same(text)


@pytest.mark.parametrize("text", READ_BEFORE)
def test_what_may_read_another_entry_is_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read(text)
    assert caught.value.message == "an entry of numpy.empty may be used before it is assigned"
