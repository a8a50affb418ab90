"""Random small programs with branches on a private number and on noise."""

from __future__ import annotations

import random


class _Writer:
    """Writes programs with branches on x, on noise, and up to three draws."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.draws = 3

    def expression(self) -> str:
        name = self.rng.choice("abc")
        return self.rng.choice(
            [name, "0", "1", "2", "x", f"{name} + 1", f"-{name}", f"{name} if x > 1 else 2"]
        )

    def condition(self) -> str:
        if self.rng.random() < 0.75:
            return self.rng.choice(["x > 0", "x <= 1", "x == 1", "x > 0 and x < 3", "not x > 1"])
        return self.rng.choice(["a > 1", "b == x", "c <= 0"])

    def block(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.rng.randint(1, 3)):
            kind = self.rng.random()
            if kind < 0.3:
                lines.append(f"{self.rng.choice('abc')} = {self.expression()}")
            elif kind < 0.55 and self.draws:
                self.draws -= 1
                noise = self.rng.choice(["laplace", "laplace", "exponential"])
                lines.append(
                    f"{self.rng.choice('abc')} = {noise}({self.expression()}, {self.rng.choice('112')})"
                )
            elif kind < 0.85 and depth:
                lines += [f"if {self.condition()}:", *_indented(self.block(depth - 1))]
                if self.rng.random() < 0.6:
                    lines += ["else:", *_indented(self.block(depth - 1))]
            elif kind < 0.95 and depth < 2:
                return [*lines, f"return {self.expression()}"]
        return lines or ["a = a"]

    def program(self) -> str:
        lines = ["a = 0", "b = 1", "c = 2", *self.block(2), f"return {self.expression()}"]
        head = '@mechanism(adjacent={"x": absolute_distance(1)})\ndef f(x: int) -> int:\n'
        return head + "\n".join(_indented(lines)) + "\n"


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def branching_program(rng: random.Random) -> str:
    """A mechanism ``f``, without an import line."""
    return _Writer(rng).program()
