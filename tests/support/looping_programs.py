"""Random small programs of several loops that share their variables; some are mentioned in loops only.

Draws have few values, so that distributions are exact.
"""

from __future__ import annotations

import random

_NAMES = ("a", "b", "c", "d")
_COINS = ("bernoulli(0.25)", "bernoulli(3 / 4 if x > 0 else 1 / 4)", "uniform_int(0, 2) > 0")
_NUMBERS = ("uniform_int(0, 1)", "laplace(x, 1)", "uniform_int(0, 2)")


class _Writer:
    """``known`` are the variables that are assigned on every way to here."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.known: set[str] = set()
        self.loops = 0
        self.draws = 3

    def number(self) -> str:
        options = ["0", "1", "2", "x", *sorted(self.known) * 2]
        return self.rng.choice(
            [*options, f"{self.rng.choice(options)} + 1", f"x - {self.rng.choice(options)}"]
        )

    def condition(self) -> str:
        if self.draws and self.rng.random() < 0.3:
            self.draws -= 1
            return self.rng.choice(_COINS)
        return f"{self.number()} {self.rng.choice(('<', '>', '==', '<='))} {self.number()}"

    def assignment(self) -> str:
        value = self.number()
        if self.draws and self.rng.random() < 0.35:
            self.draws -= 1
            value = self.rng.choice(_NUMBERS)
        name = self.rng.choice(_NAMES)
        self.known.add(name)
        return f"{name} = {value}"

    def statements(self, most: int) -> list[str]:
        lines = []
        for _ in range(self.rng.randint(1, most)):
            if self.rng.random() < 0.3:
                lines.append(f"if {self.condition()}:")
                before = set(self.known)
                lines.append(f"    {self.assignment()}")
                then, self.known = self.known, set(before)
                if self.rng.random() < 0.5:
                    lines += ["else:", f"    {self.assignment()}"]
                self.known &= then
            elif self.rng.random() < 0.15:
                lines.append(f"out.append({self.number()})")
            else:
                lines.append(self.assignment())
        return lines

    def loop(self) -> list[str]:
        """At most a few rounds; the first form surely runs its body."""
        self.loops += 1
        index, form = f"i{self.loops}", self.rng.randrange(4)
        before = set(self.known)
        if form <= 1:
            body = self.statements(3)
            leave = f"if {index} > {self.rng.choice((0, 1))} or {self.condition()}:"
            return [f"{index} = 0", "while True:", *_indented([*body, f"{index} += 1", leave, "    break"])]
        head = f"for {index} in range({self.rng.choice(('1', '2', 'abs(x)'))}):"
        if form == 3:
            head = f"while {index} < 2:"
        body = self.statements(3)
        self.known = before
        first = [f"{index} = 0"] if form == 3 else []
        return [*first, head, *_indented([*body, *([f"{index} += 1"] if form == 3 else [])])]

    def program(self) -> str:
        lines = ["out = []"]
        for _ in range(self.rng.randint(2, 4)):
            lines += self.loop()
            if self.rng.random() < 0.25:
                lines += self.statements(1)
        if self.rng.random() < 0.6:
            # A last loop reads what earlier ones assigned, and nothing outside does.
            value = self.number()
            lines += ["for last in range(1):", f"    out.append({value})", "return out"]
        else:
            lines.append(f"return {self.rng.choice(('out', self.number(), f'({self.number()}, out)'))}")
        head = (
            'from synth.lang import *\n\n\n@mechanism(adjacent={"x": absolute_distance(1)})\ndef m(x: int):\n'
        )
        return head + "\n".join(_indented(lines)) + "\n"


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def looping_program(rng: random.Random) -> str:
    """A program with one mechanism, ``m``."""
    return _Writer(rng).program()
