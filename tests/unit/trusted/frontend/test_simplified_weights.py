"""What the reader simplifies has the same weights and outputs, and asks for no less."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend import counted_lists, logarithms, proportions
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.typed_runs import ObligationFailed, Run

HEAD = """\
import math
import random
import numpy as np
from synth.lang import choice, linf_distance, mechanism


@mechanism(adjacent={"s": linf_distance(1)}, requires="len(s) >= 1 and len(t) == len(s)")
def f(s: list[float], t: list[float], k: int):
"""
LISTS = ("a", "b")
SUMS = ("u", "v")
ENTRIES = ("math.exp(x)", "math.exp(x / 2)", "x", "1.0", "math.exp(x) * 2", "math.exp(x - u)", "v")


def program(chance: random.Random) -> str:
    """Lists, sums and shares that fit, or not quite."""
    lines = ["u = 1.0", "v = 1.0"]
    for name in LISTS:
        lines += made(chance, name, chance.choice(("s", "t")))
    for _ in range(chance.randint(1, 6)):
        lines += statement(chance, "")
    name = chance.choice(LISTS)
    lines += chance.choice(
        (
            [f"return np.random.choice(len({name}), p={name}), len(a), u"],
            [f"return random.choices(list(range(len(s))), weights={name})[0]"],
            [f"return choice(len(s), lambda r: {name}[r] - u * v), len({name})"],
            [f"p = [x / u for x in {name}]", "return np.random.choice(len(p), p=p)"],
            [f"u = sum({name})", f"p = [x / u for x in {name}]", "return np.random.choice(len(p), p=p)"],
        )
    )
    return HEAD + "".join(f"    {line}\n" for line in lines)


def made(chance: random.Random, name: str, source: str) -> list[str]:
    entry = chance.choice(ENTRIES)
    if chance.random() < 0.5:
        return [f"{name} = []", f"for x in {source}:", f"    {name}.append({entry})"]
    test = chance.choice(("x > 0", "x < 5"))
    return [f"{name} = []", f"for x in {source}:", f"    if {test}:", f"        {name}.append({entry})"]


def statement(chance: random.Random, indent: str) -> list[str]:
    name, total = chance.choice(LISTS), chance.choice(SUMS)
    start = chance.choice(("0.0", "0.0", "1.0"))
    found = chance.choice(
        (
            [f"{total} = {start}", f"for x in {name}:", f"    {total} += x"],
            [f"{total} = {start}", f"for i in range(len({name})):", f"    {total} = {total} + {name}[i]"],
            [f"{total} = {total} * 2"],
            [f"{name}.append(1.0)"],
            [f"for i in range(len({name})):", f"    {name}.append({total})", "    break"],
            [f"{total} = sum({name})"],
            ["if k > 1:", f"    {total} = 2.0"],
        )
    )
    return [f"{indent}{line}" for line in found]


class Chosen(Run):
    """A run that notes the probabilities of what is chosen, and chooses the last."""

    def chosen(self, statement: ir.Choose) -> Any:
        assert isinstance(statement.law, ir.Weights)
        count = self.at(statement.law.count)
        scores = []
        for index in range(count):
            for demand in statement.law.demands:
                if not self.at(demand.condition, **{statement.index: index}):
                    raise ObligationFailed(demand.kind)
            rate = self.at(statement.law.rate)
            scores.append(float(self.at(statement.law.score, **{statement.index: index}) * rate))
        weights = [math.exp(score - max(scores)) for score in scores]
        self.noted = [round(weight / sum(weights), 9) for weight in weights]
        return count - 1


def outcome(mechanism: ir.Mechanism, inputs: dict[str, Any]) -> object:
    run = Chosen(mechanism, inputs, iter(()))
    try:
        return run.output(), run.noted
    except ObligationFailed:
        return None


INPUTS = [
    {"s": [0], "t": [1], "k": 1},
    {"s": [1, -1], "t": [0, 2], "k": 2},
    {"s": [0, 1, 2], "t": [1, 0, 1], "k": 0},
]


def unsimplified(text: str, patch: pytest.MonkeyPatch) -> ir.Mechanism:
    with patch.context() as context:
        context.setattr(proportions, "simplified", _same)
        context.setattr(counted_lists, "counted", _same)
        context.setattr(logarithms, "simplified", _first)
        (found,) = read_source(text, "p.py")
    return found


def _same(body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    return body


def _first(body: tuple[ir.Statement, ...], parameters: frozenset[str]) -> tuple[ir.Statement, ...]:
    return body


def differences(seed: int, patch: pytest.MonkeyPatch) -> Iterator[object]:
    """Where the simplified form of a random program does something else; nothing for what isn't read."""
    text = program(random.Random(seed))
    try:
        (simple,) = read_source(text, "p.py")
        plain = unsimplified(text, patch)
    except ProgramError:
        return
    for inputs in INPUTS:
        one, other = outcome(plain, inputs), outcome(simple, inputs)
        if other is not None and one != other:
            yield text, inputs, one, other


@pytest.mark.parametrize("seed", range(60))
def test_the_same_weights_and_outputs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(differences(seed, monkeypatch))
