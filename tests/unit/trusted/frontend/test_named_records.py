"""Lists of named tuples, and of objects of dataclasses: fields are components of records."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import pytest

from synth.refuter.record_lists import python_inputs
from synth.trusted.core.interpreter import Output, outcome
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from tests.unit.trusted.frontend.test_records import columns, mechanism

HEAD = (
    "from collections import namedtuple\nfrom dataclasses import dataclass\n"
    "from typing import NamedTuple\nfrom synth.lang import *\n\n\n"
)
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
DATA = DEFINED.replace("class Trip(NamedTuple)", "@dataclass(frozen=True)\nclass Trip")
INHERITED = "@dataclass\nclass Way:\n    km: int\n\n@dataclass\nclass Trip(Way):\n    zone: int = 1\n"
OF_DATA = [
    BODIES[0],
    "s = 0\nfor i, t in enumerate(x):\n    s = 7 * s + t.zone - t.km + i\nreturn s",
    "return max((t.km for t in x if t), default=-1) * 10 + len(x)",
    "s = 0\nfor t in x:\n    u = t\n    s += u.km if t is not None else 7\nreturn s",
    "far = [t for t in x if t.km > 1]\nif len(far) > 1:\n    return far[0].zone\n"
    "return sum(t.km + t.zone for t in far)",
    "return sum(i * t.km for i, t in enumerate(sorted(x, key=lambda t: -t.km)))",
    "pairs = []\nfor i, t in enumerate(x):\n    pairs.append((i, t))\nreturn sum(i + t.km for i, t in pairs)",
    "def far(trip, least):\n    return trip.km >= least\n\nreturn sum(far(t, t.zone) for t in x)",
]
METHODS = ["return sum(t.both for t in x if t.is_long(1))"]


def _text(kind: str, body: str, adjacent: str) -> str:
    stated = f'@mechanism(adjacent={{"x": {adjacent}}}, epsilon=0)'
    return f"{HEAD}{kind}\n\n{stated}\ndef f(x: list[Trip]):\n{indent(body, '    ')}\n"


@pytest.mark.parametrize("adjacent", ["add_remove_distance()", "change_one_distance()"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        *((kind, body) for kind in (CALLED, DEFINED) for body in BODIES),
        *((kind, one) for kind in (DEFINED, DATA) for one in METHODS),
        *((kind, one) for kind in (DATA, INHERITED) for one in OF_DATA),
    ],
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


AS_TUPLES = [
    "return sum(t[0] for t in x)",
    "return sum(km for km, zone in x)",
    "s = 0\nfor t in x:\n    a, b = t\n    s += a\nreturn s",
    "return sum(len(t) for t in x)",
    "return sum(1 for t in x if 3 in t)",
    "return sum(1 for t in x for part in t)",
    "return sum(1 for t in x if t == (1, 2))",
    "return sum(1 for t in x if t == t)",
    "return sum(1 for t in x if t < t)",
    "return sum(1 for t in x if t in (t,))",
    "return sum(1 for t in x if isinstance(t, tuple))",
    "return [km for km, zone in sorted(x)]",
    "return max(x, default=0)",
    "return sum(sum(t) for t in x)",
]
AS_VALUES = [
    "for t in x:\n    return t\nreturn 0",
    "for t in x:\n    return (t, 1)\nreturn 0",
    "for t in x:\n    return [t]\nreturn 0",
    "for t in x:\n    return {'a': t}\nreturn 0",
    "found = []\nfor t in x:\n    found.append(t)\nreturn found",
    "found = []\nfor t in x:\n    found.append((t, 1))\nreturn found",
    "found = [(1, 2)]\nfor t in x:\n    found.append(t)\nreturn sum(a for a, b in found)",
    "return sorted(x, key=lambda t: t.km)",
    "found = {}\nfor t in x:\n    found[t] = 1\nreturn len(found)",
    "last = None\nfor t in x:\n    last = t\nreturn 0 if last is None else 1",
    "last = (0, 1)\nfor t in x:\n    last = t\nreturn 0",
    "for t in x:\n    print(t)\nreturn 0",
    "s = 0\nfor t in x:\n    s += len(f'{t}')\nreturn s",
    "return sum(hash(t) % 2 for t in x)",
]
CHANGES = [
    "for t in x:\n    t.km = 0\nreturn sum(t.km for t in x)",
    "for t in x:\n    t.km += 1\nreturn sum(t.km for t in x)",
    "for t in x:\n    setattr(t, 'km', 0)\nreturn sum(t.km for t in x)",
    "for t in x:\n    t.__dict__['km'] = 0\nreturn sum(t.km for t in x)",
    "for t in x:\n    t.new()\nreturn sum(t.km for t in x)",
]


@pytest.mark.parametrize("adjacent", ["add_remove_distance()", "change_one_distance()"])
@pytest.mark.parametrize("body", [*AS_TUPLES, *AS_VALUES, *CHANGES])
def test_objects_are_no_tuples_and_stay_as_they_are(body: str, adjacent: str) -> None:
    kind = INHERITED + "\n    def new(self):\n        self.km = 0\n"
    with pytest.raises(ProgramError):
        read_source(_text(kind, body, adjacent), "test.py")


@pytest.mark.parametrize("special", ["__post_init__(self)", "__len__(self)", "__getattribute__(self, name)"])
@pytest.mark.parametrize("behind", ["", "\n\n@dataclass\nclass Trip(Way):\n    zone: int = 1\n"])
def test_special_methods_of_records_are_refused(special: str, behind: str) -> None:
    name = "Way" if behind else "Trip"
    kind = f"@dataclass\nclass {name}:\n    km: int\n\n    def {special}:\n        return 1\n{behind}"
    with pytest.raises(ProgramError):
        read_source(_text(kind, "return sum(t.km for t in x)", "add_remove_distance()"), "test.py")
