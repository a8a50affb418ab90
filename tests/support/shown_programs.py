"""Programs that show something beside what they return: prints, logs, warnings, messages of exceptions.

What they show are numbers that are equal and written in different ways (``1``, ``1.0``, ``True``, ``-0.0``):
public ones, private ones, and noise.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

HEAD = """import logging
import math
import warnings
import numpy as np
from synth.lang import *
"""

PUBLIC = {"n": "int", "t": "float", "b": "bool"}
PRIVATE = {"x": "int", "y": "float", "q": "list[int]"}

_METRICS = {"x": "absolute_distance(1)", "y": "absolute_distance(1)", "q": "change_one_distance()"}
_NUMBERS = ("0", "1", "2", "-1", "0.0", "1.0", "-1.0", "True", "False", "np.float64(1)", "np.int64(1)")
_VALUES: dict[str, tuple[Any, ...]] = {
    "int": (0, 1, 2, -1),
    "float": (0.0, 1.0, -1.0, 0.5),
    "bool": (False, True),
}
_SPELLINGS = (
    ("0", "0.0", "False", "-0.0", "np.float64(0)", "np.int64(0)", "(1 - 1)"),
    ("1", "1.0", "True", "np.float64(1)", "np.int64(1)", "(2 / 2)"),
    ("2", "2.0", "np.float64(2)", "(4 // 2)"),
)
"""Numbers in the ways in which they are written."""

_NOISE = ("laplace", "laplace", "gaussian", "exponential")
_FUNCTIONS = (
    *("int", "float", "bool", "abs", "round", "math.floor"),
    *("np.abs", "np.float64", "np.floor", "np.sign"),
)
_MOST = 5


def program(rng: random.Random) -> str:
    """A program; ``f`` has the public parameters and some of the private ones."""
    private = sorted(rng.sample(list(PRIVATE), rng.randint(1, 2)))
    adjacent = ", ".join(f"'{name}': {_METRICS[name]}" for name in private)
    given = ", ".join(
        f"{name}: {kind}" for name, kind in ({**PRIVATE, **PUBLIC}).items() if name in {*PUBLIC, *private}
    )
    lines = [f"@mechanism(adjacent={{{adjacent}}})", f"def f({given}):"]
    return HEAD + "\n".join([*lines, *(f"    {line}" for line in _Body(rng, private).lines())]) + "\n"


class _Body:
    """The statements of a function that is being written."""

    def __init__(self, rng: random.Random, private: Sequence[str]) -> None:
        self.rng = rng
        self.public = ["n", "t", "b"]
        self.told = [name if name != "q" else "q[0]" for name in private if name != "q" or rng.random() < 0.3]
        self.told += ["len(q)"] if "q" in private else []
        self.noise: list[str] = []
        self.fresh = 0
        self.last = ""

    def lines(self) -> list[str]:
        """A few statements, and what is returned."""
        made = [self._draw()] if self.rng.random() < 0.8 else []
        for _ in range(self.rng.randint(2, _MOST)):
            made += self.rng.choice(
                [self._assigned, self._assigned, self._shows, self._shows, self._branch, self._loop]
            )()
        kept = self.rng.choice(
            [*self.noise, *self.public[3:], *self.noise, "None", self._number(self.public)]
        )
        if self.rng.random() < 0.4:
            made, kept = (
                [*made, *self._assigned(self.rng.choice([self._equal(), self._nothing()]))],
                self.last,
            )
        made += self._shows([kept]) if self.rng.random() < 0.6 else []
        return [*made, f"return {kept}"]

    def _draw(self) -> str:
        name = self._new("e")
        center = self.rng.choice([*self.told, *self.public, "0"])
        self.noise.append(name)
        return f"{name} = {self.rng.choice(_NOISE)}({center}, {self.rng.choice('12')})"

    def _new(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def _assigned(self, number: str = "") -> list[str]:
        pool, self.last = self._pool(), self._new("v")
        made = f"{self.last} = {number or self._number(pool)}"
        (self.public if pool is self.public else self.noise).append(self.last)
        return [made]

    def _pool(self) -> list[str]:
        return self.public if self.rng.random() < 0.7 else [*self.public, *self.noise, *self.told]

    def _number(self, pool: Sequence[str], depth: int = 0) -> str:
        def part() -> str:
            return self._number(pool, depth + 1)

        simple = self.rng.choice([*pool, *pool, *_NUMBERS])
        if depth > 1:
            return simple
        forms: list[Callable[[], str]] = [
            lambda: simple,
            lambda: f"({part()} {self.rng.choice(['+', '-', '*', '/', '//', '%'])} {part()})",
            lambda: f"-{simple}",
            lambda: (
                lambda: f"{self.rng.choice(_FUNCTIONS)}({part()})",
                self._equal,
                self._nothing,
            ),
            lambda: f"{self.rng.choice(['min', 'max'])}({part()}, {part()})",
            lambda: f"({part()} if {self._test(pool)} else {part()})",
            lambda: f"({part()} {self.rng.choice(['and', 'or'])} {part()})",
            lambda: f"sum([{part()}, {part()}])",
            lambda: f"np.{self.rng.choice(['sum', 'max', 'mean'])}([{part()}, {part()}])",
            lambda: f"[{part()}, {part()}][{self.rng.choice(['0', '1', '-1', 'int(b)'])}]",
            lambda: f"({self._test(pool)})",
        ]
        return self.rng.choice(forms)()

    def _equal(self) -> str:
        """One number, of which private data or noise may decide the type."""
        one, other = self.rng.choices(self.rng.choice(_SPELLINGS), k=2)
        test = self._test([*self.told, *self.noise] or self.public)
        return self.rng.choice([f"({one} if {test} else {other})", f"[{one}, {other}][int({test})]"])

    def _nothing(self) -> str:
        """A zero, of which private data or noise may decide the sign or the type."""
        one = self.rng.choice([*self.told, *self.noise, *self.public])
        zero = self.rng.choice(_SPELLINGS[0])
        return self.rng.choice(
            [f"({one} * {zero})", f"({one} - {one})", f"({zero} * -{one})", f"({zero} / 2)"]
        )

    def _test(self, pool: Sequence[str]) -> str:
        one, other = (self.rng.choice([*pool, *pool, "0", "1"]) for _ in range(2))
        return f"{one} {self.rng.choice(['<', '<=', '>', '==', '!='])} {other}"

    def _shows(self, what: Sequence[str] = ()) -> list[str]:
        value = self.rng.choice(what or [*self.public, *self.public[3:], self._number(self._pool(), 1)])
        forms = [
            f"print({value})",
            f"print({value}, n)",
            f"print(f'{{{value}}}')",
            f"print(f'{{{value}!r}}')",
            f"print(f'{{{value}:.1f}}')",
            f"print(f'{{{value}:g}}')",
            f"print('%s' % {value})",
            f"print('{{}}'.format({value}))",
            f"print(str({value}) + '!')",
            f"print([{value}])",
            f"print(({value}, 1))",
            f"print(type({value}))",
            f"logging.warning('%s', {value})",
            f"warnings.warn(f'{{{value}}}')",
        ]
        return [self.rng.choice(forms)]

    def _branch(self) -> list[str]:
        pool = self._pool()
        ends = [*self._shows(), "return None", f"raise ValueError({self._number(self._pool(), 2)})"]
        if self.public[3:] and self.rng.random() < 0.5:
            name = self.rng.choice(self.public[3:])
            return [f"if {self._test(pool)}:", f"    {name} = {self._number(self.public, 1)}"]
        return [f"if {self._test(pool)}:", f"    {self.rng.choice(ends)}"]

    def _loop(self) -> list[str]:
        name = self._new("v")
        start = self.rng.choice(_NUMBERS)
        grows = f"    {name} = {name} {self.rng.choice('+*-')} {self._number(self.public, 2)}"
        shown = [f"    {line}" for line in self._shows([name])] if self.rng.random() < 0.3 else []
        self.public.append(name)
        return [
            f"{name} = {start}",
            f"for i in range({self.rng.choice(['2', 'n', 'len([n, t])'])}):",
            grows,
            *shown,
        ]


def inputs(text: str, rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """Give so many inputs of a program that have the same public parameters, and as many entries."""
    kinds = {**PRIVATE, **PUBLIC}
    names = [name for name in kinds if f"{name}: {kinds[name]}" in text]
    public = {name: rng.choice(_VALUES[kind]) for name, kind in PUBLIC.items()}
    length = rng.randint(1, 3)
    for _ in range(count):
        private = {
            "x": rng.choice(_VALUES["int"]),
            "y": rng.choice(_VALUES["float"]),
            "q": [rng.choice(_VALUES["int"]) for _ in range(length)],
        }
        yield {name: ({**private, **public})[name] for name in names}
