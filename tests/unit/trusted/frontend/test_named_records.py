"""Lists of named tuples: fields are components of records."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import pytest

from synth.refuter.record_lists import python_inputs
from synth.trusted.core.interpreter import Output, outcome
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from tests.unit.trusted.frontend.test_records import columns, mechanism

HEAD = "from collections import namedtuple\nfrom typing import NamedTuple\nfrom synth.lang import *\n\n\n"
CALLED = 'Trip = NamedTuple("Trip", [("km", int), ("zone", "int")])\n'
DEFINED = (
    "class Trip(NamedTuple):\n    km: int\n    zone: int = 1\n\n"
    "    def is_long(self, least):\n        return self.km > least\n\n"
    "    @property\n    def both(self):\n        return self.km + 10 * self.zone\n"
)
BODIES = [
    "return sum(1 for t in x if t.km > 1 and t.zone != 0)",
    "s = 0\nfor i, t in enumerate(x):\n    s = 7 * s + t.zone - t[0] + i\nreturn s",
    "return sum(km - 3 * zone for km, zone in x)",
    "return sum(t.km for t in x) * 10 + len(x)",
    "s = 0\nlast = Trip(1, 2)\nfor t in x:\n    if t == last:\n        s += 1\n    last = t\n"
    "return 100 * s + last.km",
]
METHODS = ["return sum(t.both for t in x if t.is_long(1))"]


def _text(kind: str, body: str, adjacent: str) -> str:
    stated = f'@mechanism(adjacent={{"x": {adjacent}}}, epsilon=0)'
    return f"{HEAD}{kind}\n\n{stated}\ndef f(x: list[Trip]):\n{indent(body, '    ')}\n"


@pytest.mark.parametrize("adjacent", ["add_remove_distance()", "change_one_distance()"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [*((kind, body) for kind in (CALLED, DEFINED) for body in BODIES), *((DEFINED, one) for one in METHODS)],
)
def test_fields_are_read_as_python_does(kind: str, body: str, adjacent: str) -> None:
    text = _text(kind, body, adjacent)
    names: dict[str, Any] = {}
    exec(compile(text, "test.py", "exec"), names)
    read = mechanism(text)
    for length in range(3):
        for inputs in columns(read, length, (0, 2)):
            (rows,) = python_inputs(read, inputs).values()
            expected = names["f"].__wrapped__([names["Trip"](*row) for row in rows])
            found = outcome(read, inputs, lambda site, law: 0)
            assert isinstance(found, Output) and list(found.values) == [expected], inputs


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ('Trip = namedtuple("Trip", "km zone")', "return 0", Refusal.UNSUPPORTED_TYPE),
        ("class Trip(NamedTuple):\n    km: int | None\n", "return 0", Refusal.UNSUPPORTED_TYPE),
        ("class Trip(NamedTuple):\n    km: list[int]\n", "return 0", Refusal.UNSUPPORTED_TYPE),
        (
            "class Trip(NamedTuple):\n    km: int\n\n    def __eq__(self, o):\n        return True\n",
            "return 0",
            Refusal.UNSUPPORTED_CONSTRUCT,
        ),
        (CALLED, "return x[0].km", Refusal.PRIVATE_POSITION),
        (CALLED, "return x", Refusal.UNSUPPORTED_OUTPUT),
        (CALLED, "s = 0\nfor t in x:\n    s += t.miles\nreturn s", Refusal.UNKNOWN_NAME),
        (CALLED, "for t in x:\n    t.km = 0\nreturn 0", Refusal.UNSUPPORTED_CONSTRUCT),
        (
            f"{CALLED}\n\ndef other():\n    Trip.km = 3\n",
            "return sum(t.km for t in x)",
            Refusal.UNSUPPORTED_CONSTRUCT,
        ),
    ],
)
def test_refused(kind: str, body: str, code: Refusal) -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(_text(kind, body, "add_remove_distance()"), "test.py")
    assert caught.value.code is code, caught.value
