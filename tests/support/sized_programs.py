"""Random programs without noise whose loops and lists have sizes that are plain numbers.

``finite_programs`` runs them; they are written for what is unrolled: nested loops that are left early, lists
that are read at many places, early returns, helpers with returns of their own, parameters that are assigned.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

HELPERS = {
    "either_way": """
def either_way(b: bool, c: bool) -> bool:
    for t in range(2):
        if bernoulli(0.25):
            return b
        if c:
            break
    return not b
""",
    "counted": """
def counted(b: bool, size: int) -> int:
    total = 0
    for t in range(size):
        if randomized_response(b, log(2)):
            total += t + 1
    return total
""",
    "looked_up": """
def looked_up(place: int, b: bool) -> int:
    for t in range(3):
        if t < place:
            continue
        return t if b else -t
    return 7
""",
}
METRICS = {
    "a": ("discrete_distance()",),
    "b": ("discrete_distance()",),
    "x": ("absolute_distance(1)", "discrete_distance()"),
    "q": (
        "linf_distance(1)",
        "linf_distance(1, monotone=True)",
        "l1_distance(1)",
        "change_one_distance(1)",
        "linf_distance(2)",
    ),
    "s": ("linf_distance(1)", "change_one_distance(1)"),
}
SORTS = {"a": "bool", "b": "bool", "x": "int", "q": "list[int]", "s": "list[bool]", "n": "int"}
RESULTS = ("bit", "bit", "number", "number", "pair", "list", "list", "optional", "nested", "pairs", "real")


@dataclass
class _Writer:
    """``lengths`` are the lists' lengths, None where they are not known; ``indices`` the loops' variables."""

    rng: random.Random
    inputs: Sequence[str]
    output: str
    most: float
    helpers: set[str] = field(default_factory=set)
    draws: float = 0
    rounds: int = 1
    indices: list[str] = field(default_factory=list)
    lengths: dict[str, int | None] = field(default_factory=dict)
    returns: int = 0
    names: int = 0

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def often(self, probability: float) -> bool:
        return self.rng.random() < probability

    # --- expressions ------------------------------------------------------------------------

    def bit(self, private: float = 0.35) -> str:
        if self.often(private):
            return self.secret()
        options = ["u", "v", "not u", "u != v", "k > 0", "k == m", "m < 2", "u and v", "k <= m", "True"]
        options += [f"{name} == {self.pick('0', '1')}" for name in self.indices]
        if "n" in self.inputs:
            options += ["n > 1", "k == n", "k < n"]
        return self.rng.choice(options)

    def secret(self) -> str:
        options: list[str] = []
        for name in self.inputs:
            options += {
                "a": ["a", "a", "not a"],
                "b": ["b", "a != b"],
                "x": ["x > 0", "x == 1", "x <= k", "x == m", "x + k > m", "x // 2 == 0"],
                "q": ["q[0] > 0", "q[1] == 1", "q[0] < q[1]", "q[0] == k", *self._entries("q", " > 0")],
                "s": ["s[0]", "s[1]", "s[0] == s[1]", *self._entries("s", "")],
                "n": [],
            }[name]
        return self.rng.choice(options)

    def _entries(self, name: str, rest: str) -> list[str]:
        return [f"{name}[{index}]{rest}" for index in self.indices if not index.startswith("e")]

    def number(self) -> str:
        options = ["k", "m", "0", "1", "2", "k + m", "k - 1", "1 - m", "2 * k", f"k if {self.bit()} else m"]
        options += self.indices * 2
        for name, length in self.lengths.items():
            options.append(f"len({name})")
            if length:
                options += [f"{name}[{self.rng.randrange(-length, length)}]"] * 2
        if "x" in self.inputs and self.often(0.3):
            options += ["x", "min(max(x, 0), 2)"]
        if "n" in self.inputs:
            options += ["n"]
        return self.rng.choice(options)

    def chance(self) -> str:
        if self.often(0.3):
            return self.pick("0.5", "0.25", "1 / 3", "0.9")
        if self.often(0.1):
            return f"{self.pick('0', '1')} if {self.bit()} else 0.5"
        return f"{self.pick('0.25', '2 / 3')} if {self.bit(0.7)} else {self.pick('0.75', '1 / 3')}"

    def draw_bit(self) -> str:
        self.draws += self.rounds
        if self.often(0.45):
            return f"bernoulli({self.chance()})"
        if self.often(0.7):
            return f"randomized_response({self.bit(0.8)}, {self.pick('log(2)', 'log(3)')})"
        self.draws += self.rounds
        self.helpers.add("either_way")
        return f"either_way({self.bit(0.7)}, {self.bit()})"

    def draw_number(self) -> str:
        self.draws += 1.5 * self.rounds
        if self.often(0.15):
            self.draws += self.rounds
            self.helpers.add("counted")
            return f"counted({self.bit(0.8)}, 2)"
        if "n" in self.inputs and self.often(0.4):
            return self.pick("uniform_int(0, n)", "uniform_int(1, n + 1)", "uniform_int(-n, 0)")
        if self.often(0.7):
            return f"uniform_int({self.pick('0', '-1')}, {self.pick('0', '1', '2')})"
        return f"choice({self.pick('2', '3')}, lambda r: log(2) if r == {self.pick('k', 'm', '1')} else 0)"

    def drawn(self, truth: bool) -> str:
        if self.draws + self.rounds > self.most:
            return self.bit() if truth else self.number()
        return self.draw_bit() if truth else self.draw_number()

    # --- statements -------------------------------------------------------------------------

    def simple(self) -> list[str]:
        truth = self.often(0.5)
        name = self.pick("u", "v") if truth else self.pick("k", "m")
        if self.often(0.55):
            return [f"{name} = {self.drawn(truth)}"]
        if self.often(0.15):
            return [self.pick("k, m = m, k", "u, v = v, not u", "k, u = m, k > 1")]
        if self.often(0.15) and "a" in self.inputs:
            return [f"a = {self.pick('not a', 'a and u', self.drawn(True))}"]
        if self.often(0.15) and "x" in self.inputs:
            return [f"x = {self.pick('x + 1', 'x - k', 'm')}"]
        if self.often(0.15):
            self.helpers.add("looked_up")
            return [f"{name} = looked_up({self.pick('0', '1', '2', 'k')}, {self.bit()}){' > 0' * truth}"]
        if not truth and self.often(0.4):
            return [f"{name} {self.pick('+=', '-=')} {self.number()}"]
        return [f"{name} = {self.bit() if truth else self.number()}"]

    def listed(self) -> list[str]:
        """A statement about the lists temp and ys."""
        name = self.pick("temp", "ys")
        length = self.lengths[name]
        if self.often(0.25):
            items = [self.number() for _ in range(self.rng.randint(0, 2))]
            self.lengths[name] = None if self.indices else len(items)
            return [f"{name} = [{', '.join(items)}]"]
        self.lengths[name] = None if length is None or self.indices else length + 1
        item = self.drawn(False) if self.often(0.5) else self.number()
        return [self.pick(f"{name}.append({item})", f"{name} += [{item}]")]

    def block(self, size: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(size):
            roll = self.rng.random()
            if roll < 0.35 or depth > 2:
                lines += self.simple()
            elif roll < 0.55:
                lines += self.branch(depth)
            elif roll < 0.72:
                lines += self.loop(depth)
            elif roll < 0.86:
                lines += self.listed()
            elif roll < 0.93 and self.returns < 2:
                self.returns += 1
                lines += [f"if {self.bit(0.2)}:", f"    return {self.result()}"]
            else:
                lines += self.simple()
        return lines

    def branch(self, depth: int) -> list[str]:
        condition = self.drawn(True) if self.often(0.3) else self.bit()
        before = dict(self.lengths)
        then = self.block(self.rng.randint(1, 2), depth + 1)
        after, self.lengths = self.lengths, before
        otherwise = self.block(self.rng.randint(1, 2), depth + 1) if self.often(0.6) else []
        self.lengths = {
            name: length if after[name] == length else None for name, length in self.lengths.items()
        }
        lines = [f"if {condition}:", *indented(then)]
        return [*lines, "else:", *indented(otherwise)] if otherwise else lines

    def loop(self, depth: int) -> list[str]:
        self.names += 1
        rounds = self.rng.randint(1, 2 if depth else 3)
        form = self.rng.randrange(6)
        index, old = f"{'e' if form == 4 else 'i'}{self.names}", self.rounds
        if index == "i1":
            index = "returned"
        head, before, end = f"for {index} in range({rounds}):", [], []
        fixed: dict[str, int | None] | None = None
        if form == 1:
            before, head = [f"{index} = 0"], f"while {index} < {rounds}:"
        elif form == 2:
            head = self.pick(f"for {index} in range(1, -1, -1):", f"for {index} in range(0, 3, 2):")
            rounds = 2
        elif form == 3:
            before, head = [f"size = {rounds}"], f"for {index} in range(size):"
        elif form == 4:
            known = [name for name, length in self.lengths.items() if length]
            if known:
                name = self.rng.choice(known)
                rounds, head = self.lengths[name] or 0, f"for {index} in {name}:"
                fixed, self.lengths = self.lengths, {}
        self.indices.append(index)
        self.rounds *= rounds
        if fixed is not None:  # no list may change while one is gone through
            lines = [line for _ in range(2) for line in self.simple()]
            self.lengths = fixed
        else:
            start = dict(self.lengths)
            lines = self.block(self.rng.randint(1, 3), depth + 1)
            self.lengths = {n: x if start[n] == x else None for n, x in self.lengths.items()}
        self.indices.pop()
        if self.often(0.3):
            leave = "break" if form == 1 else self.pick("break", "continue")
            place = self.rng.randrange(len(lines) + 1)
            while place < len(lines) and lines[place].startswith((" ", "else")):
                place += 1
            lines[place:place] = [f"if {self.bit(0.2)}:", f"    {leave}"]
        if form == 1:
            lines.append(f"{index} += 1")
        if self.often(0.15):
            end += ["else:", f"    {self.simple()[0]}"]
        self.rounds = old
        return [*before, head, *indented(lines), *end]

    def result(self) -> str:
        bit, number = self.pick("u", "v", self.bit(0.05)), self.pick("k", "m", self.number())
        match self.output:
            case "bit":
                return bit
            case "number":
                return number
            case "pair":
                return f"({bit}, {number})"
            case "nested":
                return f"(({bit}, {number}), {self.pick('u', 'k')} == {self.pick('v', 'm')})"
            case "optional":
                return self.pick("None", number, number)
            case "real":
                return self.pick("0.5", "z", f"z + {number}", f"{number}")
            case "pairs":
                return f"[({bit}, {number}), (u, m)]"
            case _:
                return self.pick("temp", "temp", "ys")


def indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def sized_program(rng: random.Random, most: float = 5) -> str:
    """A program with one mechanism, ``m``, that draws about ``most`` times at the most and claims nothing."""
    options = (["a"], ["a", "b"], ["x"], ["q"], ["s"], ["a", "n"], ["x", "n"], ["a", "x"])
    inputs = rng.choice(options)
    output = rng.choice(RESULTS)
    writer = _Writer(rng, inputs, output, most)
    writer.lengths = {"temp": 0, "ys": 2}
    lines = ["u = False", "v = True", "k = 0", "m = 1", "z = 1.5", "temp = []", "ys = [1, 2]"]
    lines += [f"u = {writer.drawn(True)}", *([f"k = {writer.drawn(False)}"] if writer.often(0.6) else [])]
    lines += writer.block(rng.randint(1, 3), 0)
    lines.append(f"return {writer.result()}")
    declared = [f'"{name}": {rng.choice(METRICS[name])}' for name in inputs if name in METRICS]
    needs = [f"len({name}) == 2" for name in inputs if name in "qs"] + ["n >= 0"] * ("n" in inputs)
    return "".join(
        (
            "from synth.lang import *\nfrom math import log\n",
            *(HELPERS[name] + "\n" for name in sorted(writer.helpers)),
            f'@mechanism(adjacent={{{", ".join(declared)}}}, requires="{" and ".join(needs) or "True"}")\n',
            f"def m({', '.join(f'{name}: {SORTS[name]}' for name in inputs)}):\n",
            *(f"    {line}\n" for line in lines),
        )
    )
