"""Functions and indices of a line each: they mean what CPython and numpy make of them, or are refused."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from tests.support.table_runs import assert_as_python

HEADER = (
    "import numpy as np\nfrom enum import Enum\nfrom synth.lang import *\n\n"
    "NAMES = ('north', 'south', 'east')\nSIZES = (1, 2.5, 3)\nPAIRS = ((1, 'a'), (2, 'b'))\n"
    "MIXED = (1, 'a')\nLISTS = ([1], [2])\n\n\n"
    "class Colour(Enum):\n    RED = 1\n    BLUE = 2\n\n\n"
)
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "a name of several": "return NAMES[n % 3]",
    "a name that data choose": "return [NAMES[v % 2] for v in q]",
    "a number of several": "return SIZES[n % 3] + SIZES[len(q) % 2]",
    "one that isn't there": "return NAMES[len(q)] if n >= 0 else ''",
    "one of pairs": "a, b = PAIRS[n % 2]\nreturn b, a, n",
    "one of what is written out": "return (n, len(q), None)[n % 3]",
    "truth values and numbers": "return (True, n)[len(q) % 2] + 1",
    "divmod": "a, b = divmod(n, 3)\nreturn a, b, divmod(len(q), n - 1)",
    "divmod by 0": "return divmod(len(q), n)",
    "divmod of reals": "return divmod(n / 2, 2)",
    "str of a string": "return str(NAMES[n % 3]), str('x')",
    "str of a string that data choose": "s = 'a' if len(q) > 1 else 'b'\nreturn str(str(s)), n",
    "repeat a number": "return [int(v) for v in np.repeat(n, 3)], len(np.repeat(n, len(q)))",
    "repeat entries": "a = np.array([n, 7])\nreturn [int(v) for v in np.repeat(a, len(q))]",
    "infinities": "return bool(np.isposinf(n)), bool(np.isneginf(n / 2)), len(q), n",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_as_python(body: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    assert_as_python(HEADER + SIGNATURE + lines)


REFUSED = {
    "a number or a string": ("return MIXED[n]", Refusal.MIXED_TYPES),
    "one of several lists": ("return LISTS[n][0]", Refusal.UNSUPPORTED_LIST),
    "one of several functions": ("return (abs, len)[n](q)", Refusal.UNSUPPORTED_CALL),
    "an index that is no integer": ("return NAMES[n / 2]", Refusal.WRONG_TYPE),
    "str of a number": ("return str(n) == '1'", Refusal.UNSUPPORTED_CALL),
    "str of a member": ("return str(Colour.RED) == 'Colour.RED'", Refusal.UNSUPPORTED_CALL),
    "str of what may be None": (
        "s = 'None' if n > 0 else None\nreturn str(s) == 'None'",
        Refusal.UNSUPPORTED_CALL,
    ),
    "str of a list": ("return str(q) == '[]'", Refusal.UNSUPPORTED_CALL),
    "str of bytes": ("return str(b'a', 'utf-8')", None),
}


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(body: str, code: Refusal | None) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    with pytest.raises(ProgramError) as caught:
        read_source(HEADER + SIGNATURE + lines, "p.py")
    assert code is None or caught.value.code is code
