"""Random small programs about integers, with noise, coins, choices, branches, loops, lists; and their laws.

Most of them are not private at all.  They have a private number ``x``, and maybe a list ``q`` of two.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from synth.trusted.core.exponential_numbers import Number, enclosure
from synth.trusted.core.expressions import State, Value, start
from synth.trusted.core.interpreter import Drawing, Output, to_next_draw
from synth.trusted.core.laws import Noise, shares
from synth.trusted.program import syntax as ir

METRICS = (
    "linf_distance(1)",
    "linf_distance(1, monotone=True)",
    "l1_distance(1)",
    "l1_distance(2)",
    "change_one_distance(1)",
)
_SCORES = ("q[r] / 2", "-q[r] / 2", "(q[r] + r) / 2", "log(min(max(q[r], 0), 1) + 1)")
_SCORES_ALONE = ("x / 2", "(x if r == 0 else 1) / 2", "(x + r) / 2", "log(min(max(x, 0), 2) + 1 + r)")
_RETURNS = ("a", "b", "d", "a, b", "b, d", "a, ys", "ys", "len(ys)")

_LISTS = ("xs", "ys")


@dataclass
class _Writer:
    """``draws`` and ``loops`` are how many there may still be, ``counter`` is what a loop counts with."""

    rng: random.Random
    is_list: bool
    returned: str
    draws: int
    loops: int = 2
    counter: str = ""
    reads: bool = False

    def private(self) -> str:
        if not self.is_list:
            return "x"
        return self.rng.choice(["x", *([f"q[{self.counter}]"] * 3 if self.counter else ["q[0]", "q[1]"])])

    def number(self, private: float = 0.06) -> str:
        """A number, that is private with that chance."""
        rng = self.rng
        options = ["0", "1", "2", "a", "b", "a", "b", *([self.counter] * 2 if self.counter else [])]
        one, roll = self.private() if rng.random() < private else rng.choice(options), rng.random()
        if roll < 0.25:
            return f"{one} {rng.choice('++-')} {rng.choice(options)}"
        if roll < 0.3:
            return f"min(max({one}, 0), 1)"
        return f"(1 if {self.condition(private)} else 0)" if roll < 0.35 else one

    def condition(self, private: float = 0.06) -> str:
        rng = self.rng
        if rng.random() < 0.25:
            return rng.choice(("d", "not d"))
        one = self.private() if rng.random() < private else rng.choice("ab")
        return f"{one} {rng.choice(('>', '<=', '==', '<'))} {rng.choice(('0', '1', '2', 'a', 'b'))}"

    def draw(self) -> str:
        rng, name = self.rng, self.rng.choice("ab")
        self.draws -= 1
        match rng.randrange(11):
            case 0 | 1 | 2 | 3:
                return f"{name} = laplace({self.number(0.8)}, {rng.choice('112')})"
            case 4:
                return f"{name} = exponential({self.number(0.8)}, 1)"
            case 5:
                return f"{name} = uniform_int(0, {rng.choice('12')})"
            case 6:
                return f"d = bernoulli(1 / {rng.choice('24')})"
            case 7 | 8:
                return f"d = bernoulli(3 / 4 if {self.condition(0.8)} else 1 / {rng.choice('24')})"
            case 9:
                return f"d = randomized_response({self.condition(0.8)}, 1)"
        return f"{name} = choice(2, lambda r: {rng.choice(_SCORES if self.is_list else _SCORES_ALONE)})"

    def block(self, depth: int, length: int) -> Iterator[str]:
        for _ in range(length):
            yield from self.statement(depth)

    def inner(self, depth: int) -> list[str]:
        return [f"    {row}" for row in self.block(depth - 1, self.rng.randint(1, 3))]

    def entry(self) -> list[str]:
        """An entry is read of a list that may have it."""
        name, index = self.rng.choice(_LISTS), self.rng.choice("001")
        return [f"if len({name}) > {index}:", f"    {self.rng.choice('ab')} = {name}[{index}]"]

    def statement(self, depth: int) -> list[str]:
        rng, roll = self.rng, self.rng.random()
        if self.reads and depth and rng.random() < 0.25:
            rows = [f"{rng.choice(_LISTS)}.append({self.number()})"], [f"{rng.choice(_LISTS)} = []"]
            return self.entry() if rng.random() < 0.4 else rng.choices(rows, (4, 1))[0]
        if roll < 0.35 and self.draws > 0:
            return [self.draw()]
        if 0.5 < roll < 0.68 and depth:
            otherwise = ["else:", *self.inner(depth)] if rng.random() < 0.4 else []
            return [f"if {self.condition()}:", *self.inner(depth), *otherwise]
        if 0.68 < roll < 0.8 and depth and self.loops and not self.counter:
            self.loops -= 1
            return self.counted(depth) if rng.random() < 0.5 else self.retried(depth)
        if 0.8 < roll < 0.88:
            return [f"{rng.choice(('xs', 'ys', 'ys'))}.append({self.number()})"]
        if 0.88 < roll < 0.92 and depth < 2:
            return [f"return {self.returned}"]
        return [f"{rng.choice('ab')} = {self.number()}"]

    def counted(self, depth: int) -> list[str]:
        self.counter = "i"
        rows = ["for i in range(2):", *self.inner(depth)]
        self.counter = ""
        return rows

    def retried(self, depth: int) -> list[str]:
        self.draws -= 1
        coin = self.rng.choice(("bernoulli(1 / 2)", "bernoulli(3 / 4 if x > 0 else 1 / 2)", "a > 0"))
        return ["d = False", "while not d:", *self.inner(depth), f"    d = {coin}"]


def coupled_program(rng: random.Random, reads: bool = False) -> str:
    """A program with one mechanism, ``m``; with ``reads`` lists grow, are emptied, and read."""
    writer = _Writer(rng, rng.random() < 0.5, rng.choice(_RETURNS), rng.choice((1, 2, 2, 3)), reads=reads)
    adjacent, parameters, required = '"x": absolute_distance(1)', "x: int", ""
    if writer.is_list:
        adjacent += f', "q": {rng.choice(METRICS)}'
        parameters, required = "x: int, q: list[int]", ', requires="len(q) == 2"'
    rows = [writer.draw(), *writer.block(2, rng.randint(1, 4))]
    body = "".join(f"    {row}\n" for row in rows)
    return (
        f"from synth.lang import *\n\n\n@mechanism(adjacent={{{adjacent}}}{required})\ndef m({parameters}):\n"
        "    a = 0\n    b = 0\n    d = False\n    xs = []\n    ys = []\n"
        f"{body}    return {writer.returned}\n"
    )


# --- laws, in floating point ------------------------------------------------------------------

REACH, SMALLEST, ROUNDS = 9, 1e-11, 40
"""How far noise goes, what chance isn't looked at, and how many draws a run makes."""

Inputs = dict[str, Any]
Law = dict[Output, float]


class TooLong(Exception):
    """More states than may be looked at."""


def output_law(mechanism: ir.Mechanism, inputs: Inputs, most: int) -> tuple[Law, float]:
    """The chances of outputs, each a little too small at most, and what chance is left out.

    Raises TooLong after so many states, and what the interpreter raises.
    """
    begin, outputs, seen = start(mechanism, inputs), dict[Output, float](), 0.0
    waiting: dict[object, tuple[State, float]] = {begin.key(): (begin, 1.0)}
    for _ in range(ROUNDS):
        then: dict[object, tuple[State, float]] = {}
        most -= len(waiting)
        if most < 0:
            raise TooLong
        for state, chance in waiting.values():
            found, fuel = to_next_draw(state, 3000)
            if isinstance(found, Drawing):
                for value, share in _shares(found):
                    if chance * share > SMALLEST:
                        after = found.drawn(value)
                        known = then.get(after.key(), (after, 0.0))[1]
                        then[after.key()] = after, known + chance * share
            elif fuel:
                seen += chance
                if isinstance(found, Output):
                    outputs[found] = outputs.get(found, 0.0) + chance
        waiting = then
    return outputs, max(0.0, 1.0 - seen)


def _shares(drawing: Drawing) -> Iterator[tuple[Value, float]]:
    law = drawing.law
    if not isinstance(law, Noise):
        yield from ((value, _float(chance)) for value, chance in shares(law, REACH)[0])
        return
    ratio, one_sided = math.exp(-1 / _float(law.scale)), law.distribution == "exponential"
    first = 1 - ratio if one_sided else (1 - ratio) / (1 + ratio)
    center = math.floor(law.center)
    for step in range(0 if one_sided else -REACH, 2 * REACH if one_sided else REACH + 1):
        yield center + step, first * ratio ** abs(step)


def _float(number: Number) -> float:
    return float(enclosure(number, 20)[0])


def adjacent_pairs(mechanism: ir.Mechanism) -> Iterator[tuple[Inputs, Inputs]]:
    """Small adjacent inputs of a random program."""
    numbers = ((0, 0), (0, 1), (1, 0), (1, 2), (2, 1), (-1, 0))
    metrics = {item.name: item.metric for item in mechanism.parameters}
    moved = list(_moves(metrics["q"])) if "q" in metrics else [(0, 0)]
    for (one, other), move in product(numbers, moved):
        if one == other and not any(move):
            continue
        if "q" not in metrics:
            yield {"x": one}, {"x": other}
            continue
        for entries in product((0, 1), repeat=2):
            yield {"x": one, "q": entries}, {"x": other, "q": (entries[0] + move[0], entries[1] + move[1])}


def _moves(metric: ir.Metric | None) -> Iterator[tuple[int, int]]:
    assert isinstance(metric, ir.Metric) and isinstance(metric.bound, ir.Constant)
    most = int(metric.bound.value)
    for move in product(range(-most, most + 1), repeat=2):
        one, other = move
        spread = metric.kind is ir.MetricKind.L1 and abs(one) + abs(other) > most
        two = metric.kind is ir.MetricKind.CHANGE_ONE and one * other != 0
        mixed = metric.monotone and one * other < 0
        if not (spread or two or mixed):
            yield one, other
