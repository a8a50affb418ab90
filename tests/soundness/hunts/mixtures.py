"""Random programs that mix noise, numbers of any size and truth values, and their chance of True."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from synth.trusted.program import syntax as ir
from tests.support.typed_runs import Run

INT, REAL, BOOL = "int", "float", "bool"
SIZES = ("1e-400", "-1e-400", "1e400", "-1e400", "1e-5", "1/3", "-2")
REACH = 12
"""Noise on integers further out is left out: a hundred-thousandth of it."""

CELLS = 100
"""Noise on the reals is cut in so many parts that are equally likely."""

Point = tuple[Any, float]
"""An outcome and its probability."""


@dataclass
class Writer:
    """Writes one program ``f``; ``draws`` are the outcomes of its draws, in order."""

    rng: random.Random
    names: dict[str, list[str]] = field(default_factory=dict)
    draws: list[Sequence[Point]] = field(default_factory=list)
    reals: int = 0

    def text(self) -> str:
        """The program."""
        rng = self.rng
        sort = rng.choice((INT, INT, INT, REAL))
        self.names = {INT: ["n"], REAL: ["c", "d", "c"], BOOL: ["b"]}
        self.names[sort].append("x")
        lines = [self.drawn(f"v{number}", sort) for number in range(rng.choice((1, 1, 2)))]
        if rng.random() < 0.2:
            self.draws.append(((True, 0.25), (False, 0.75)))
            self.names[BOOL].append("coin")
            lines.append("coin = bernoulli(1 / 4)")
        if rng.random() < 0.3:
            lines += ["out = []", *(f"out.append({self.value(BOOL, 2)})" for _ in range(2))]
            self.names[BOOL] += ["out[0]", "out[1]"] * 2
        for number in range(rng.randint(1, 3)):
            kind = rng.choice((INT, REAL, BOOL, BOOL))
            lines.append(f"w{number} = {self.value(kind, rng.randint(1, 3))}")
            self.names[kind] += [f"w{number}"] * 3
        if rng.random() < 0.6:
            lines += [f"if {self.value(BOOL, 2)}:", f"    return {self.value(BOOL, 2)}"]
        lines.append(f"return {self.value(BOOL, 2)}")
        head = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="d != 0", epsilon=0)'
        declared = f"def f(x: {sort}, n: int, b: bool, c: float, d: float) -> bool:"
        return "\n".join(
            ("from synth.lang import *", "", "", head, declared, *(f"    {line}" for line in lines), "")
        )

    def drawn(self, name: str, sort: str) -> str:
        """Noise of scale 1, around the private number or 0; on the reals at most once."""
        kind = INT if self.reals or (sort == INT and self.rng.random() < 0.85) else REAL
        law = self.rng.choice(("laplace", "laplace", "exponential"))
        center = "x" if kind == sort and self.rng.random() < 0.6 else {INT: "0", REAL: "0.0"}[kind]
        self.draws.append(_points(law, kind))
        self.reals += kind == REAL
        self.names[kind] += [name] * 5
        if kind == INT:
            self.names[REAL] += [name] * 3
        return f"{name} = {law}({center}, 1)"

    def value(self, sort: str, depth: int) -> str:
        """An expression."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            literals = {INT: ("0", "0", "-2"), REAL: ("0.5", "1e-9", "0.0"), BOOL: ("True", "False")}[sort]
            return rng.choice((*literals, *self.names[sort]))
        if sort == REAL and rng.random() < 0.3:
            name = rng.choice(self.names[REAL])
            return rng.choice((f"(c * {name})", f"({name} * -c)", f"({name} / d)", f"({name} / -d)"))
        one, two = (self.value(sort, depth - 1) for _ in range(2))
        choice = f"({one} if {self.value(BOOL, depth - 1)} else {two})"
        if sort == BOOL:
            return rng.choice((self.compared(depth), self.compared(depth), choice, choice,
                               f"(not {one})", f"({one} and {two})", f"({one} or {two})"))  # fmt: skip
        same = (
            f"min({one}, {two})",
            f"max({one}, {two})",
            f"abs({one})",
            f"({one} + {two})",
            f"({one} - {two})",
        )
        if sort == INT:
            more = (f"({one} // 2)", f"({one} % 3)", f"(2 * {one})", f"int({self.value(BOOL, depth - 1)})")
        else:
            more = (f"({rng.choice('cd')} * {one})", f"({one} / d)", f"({one} * -c)", f"({one} / -3)",
                    f"({one} + {self.value(INT, 1)})", f"({one} * {self.value(BOOL, 1)})")  # fmt: skip
        return rng.choice((*same, *more, choice, choice))

    def compared(self, depth: int) -> str:
        """A comparison, now and then of equal things."""
        rng = self.rng
        one, two = (self.value(rng.choice((INT, REAL)), depth - 1) for _ in range(2))
        two = rng.choice((one, two, two, two, "0", "0", "0.0"))
        order = rng.choice(("<", "<=", ">", ">=", "==", "!="))
        if rng.random() < 0.15:
            return f"({self.value(BOOL, depth - 1)} {rng.choice(('==', '!='))} {self.value(BOOL, depth - 1)})"
        return f"({one} {order} {two})"


def _points(law: str, kind: str) -> Sequence[Point]:
    """What noise around 0 adds."""
    if kind == REAL:
        middles = [(2 * cell + 1) / (2 * CELLS) for cell in range(CELLS)]
        return [(Fraction(_quantile(law, middle)), 1 / CELLS) for middle in middles]
    values = range(0 if law == "exponential" else -REACH, REACH + 1)
    weights = [math.exp(-abs(value)) for value in values]
    return [(value, weight / math.fsum(weights)) for value, weight in zip(values, weights, strict=True)]


def _quantile(law: str, share: float) -> float:
    if law == "exponential":
        return -math.log(1 - share)
    return math.log(2 * share) if share < 0.5 else -math.log(2 - 2 * share)


class _Drawn(Run):
    def chosen(self, statement: ir.Choose) -> Any:
        return next(self.noise)


def chance(of: ir.Mechanism, inputs: dict[str, Any], draws: Sequence[Sequence[Point]]) -> float:
    """The chance of True; of noise on the reals as a mean over its parts."""
    return math.fsum(_true(of, inputs, draws))


def _true(of: ir.Mechanism, inputs: dict[str, Any], draws: Sequence[Sequence[Point]]) -> Iterator[float]:
    for points in product(*draws):
        if _Drawn(of, inputs, iter([value for value, _ in points])).output() == (True,):
            yield math.prod(weight for _, weight in points)
