"""Parameters that are objects of dataclasses or named tuples: their fields are public parameters."""

from __future__ import annotations

from itertools import count
from textwrap import indent
from typing import Any

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.typed_runs import Run, run_python
from tests.support.well_formed import check

HEAD = "from dataclasses import dataclass\nfrom typing import NamedTuple\nfrom synth.lang import *\n\n\n"
PARAMS = """@dataclass
class Params:
    eps: float
    many: int = 2
    on: bool = True

    def __post_init__(self):
        if self.eps <= 0:
            raise ValueError("eps")

    @property
    def scale(self):
        return self.many / self.eps

    def clamp(self, v):
        return min(max(v, 0), self.many)

"""
NAMED = PARAMS.replace("@dataclass\nclass Params:", "class Params(NamedTuple):").replace(
    '    def __post_init__(self):\n        if self.eps <= 0:\n            raise ValueError("eps")\n\n', ""
)
FROZEN = PARAMS.replace("@dataclass", "@dataclass(frozen=True)")
INHERITED = "@dataclass\nclass Base:\n    eps: float\n    many: int = 2\n\n\n" + PARAMS.replace(
    "class Params:\n    eps: float\n    many: int = 2\n", "class Params(Base):\n"
)
KINDS = {"data": PARAMS, "frozen": FROZEN, "named": NAMED, "inherited": INHERITED}
BODIES = {
    "attributes": "return q[0] + p.many if p.on else p.eps",
    "methods": "return [p.clamp(v) for v in q], p.scale",
    "passed on": "def g(o, v):\n    return o.clamp(v) * o.many\nreturn sum(g(p, v) for v in q)",
    "another name": "o = p\nreturn o.many + o.scale",
    "is there": "return p is None, 1 if p else 2",
    "draws": "return laplace(sum(p.clamp(v) for v in q), p.scale)",
}
REFUSED = {
    "changed": (PARAMS, "p.eps = 2.0\nreturn p.scale"),
    "changed by a function": (PARAMS, "def g(o):\n    o.many += 1\ng(p)\nreturn p.many"),
    "compared": (PARAMS, "return p == Params(1.0)"),
    "returned": (PARAMS, "return p"),
    "with attributes of its own": (
        PARAMS + "    def __getattribute__(self, name):\n        return 7\n",
        "return p.many",
    ),
    "with a property in the place of a field": (
        PARAMS.replace("    many: int = 2\n", "    many: int\n").replace("    on: bool = True\n", "")
        + "    @property\n    def many(self):\n        return 7\n",
        "return p.many",
    ),
    "with a property in the place of a field of its base": (
        "@dataclass\nclass Base:\n    eps: float\n    many: int = 2\n\n\n@dataclass\nclass Params(Base):\n"
        "    @property\n    def many(self):\n        return 7\n\n",
        "return p.many",
    ),
    "with a constant in the place of a field of its base": (
        "@dataclass\nclass Base:\n    eps: float\n    many: int = 2\n\n\n@dataclass\nclass Params(Base):\n"
        "    @staticmethod\n    def many():\n        return 7\n\n",
        "return p.many",
    ),
    "set on the class": (
        PARAMS + "def change():\n    Params.many = property(lambda self: 7)\n",
        "return p.many",
    ),
    "with a list in it": (PARAMS.replace("on: bool", "on: list[int]"), "return p.many"),
}


def _text(kind: str, body: str, name: str = "p") -> str:
    stated = (
        f'@mechanism(adjacent={{"q": linf_distance(1)}}, requires="{name}.eps > 0", epsilon="{name}.eps")'
    )
    return f"{HEAD}{kind}\n\n{stated}\ndef f(q: list[int], {name}: Params):\n{indent(body, '    ')}\n"


def _read(text: str) -> ir.Mechanism:
    (mechanism,) = read_source(text, "p.py")
    check(mechanism)
    return mechanism


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_means_what_python_makes_of_it(kind: str, body: str) -> None:
    mechanism = _read(_text(kind, body))
    forward: dict[Any, Any] = {}
    for q in ([1], [3, -2], [0, 5, 1]):
        for eps, many, on in ((1.0, 2, True), (0.5, 3, False)):
            text = _text(kind, body).replace("def f(", "def g_(")
            text += f"\ndef f(q):\n    return g_(q, Params({eps}, {many}, {on}))\n"
            expected = repr(run_python(text, "f", {"q": list(q)}, count(1)))
            given = {"q": q, "p.eps": eps, "p.many": many, "p.on": on}
            output = Run(mechanism, given, count(1)).output()
            assert forward.setdefault(expected, output) == output
    assert len(set(map(repr, forward.values()))) == len(forward)


@pytest.mark.parametrize(("kind", "body"), REFUSED.values(), ids=REFUSED)
def test_refused(kind: str, body: str) -> None:
    with pytest.raises(ProgramError):
        _read(_text(kind, body))


def test_claims_and_preconditions_name_fields() -> None:
    mechanism = _read(_text(PARAMS, BODIES["draws"]))
    assert [item.name for item in mechanism.parameters] == ["q", "p.eps", "p.many", "p.on"]
    assert mechanism.epsilon == ir.Variable("p.eps", ir.Sort.REAL)


def test_a_parameter_that_could_be_taken_for_those_of_init_is_refused() -> None:
    with pytest.raises(ProgramError) as caught:
        _read(_text(PARAMS, "return init.many", "init"))
    assert caught.value.code is Refusal.UNSUPPORTED_TYPE


def test_a_private_object_is_refused() -> None:
    text = _text(PARAMS, BODIES["attributes"]).replace('{"q": linf', '{"p": linf')
    with pytest.raises(ProgramError) as caught:
        _read(text)
    assert caught.value.code is Refusal.WRONG_ADJACENCY


@pytest.mark.parametrize(
    ("stated", "left_out"),
    [
        ("p.many == 2", "p.many != 2"),
        ("p.on", "not p.on"),
        ("2 == p.many and not p.on", "p.on"),
        ("p.eps == 2", "p.eps > 2"),
    ],
)
def test_what_is_stated_of_a_field_decides_what_is_read(stated: str, left_out: str) -> None:
    text = _text(PARAMS, f"if {left_out}:\n    return q['a']\nreturn len(q)")
    read = _read(text.replace('requires="', f'requires="{stated} and '))
    assert not any(isinstance(part, ir.If) for part in read.body)
    with pytest.raises(ProgramError):
        _read(text)
