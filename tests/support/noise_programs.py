"""Random small mechanisms with noise: one to three sampling sites, and a parameter ``eps`` for all scales.

They claim nothing.  Each scale is a rational multiple of 1/eps, so a loss is a multiple of eps; only coins
of fixed chances add to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_SCALES = ("1 / eps", "1 / eps", "2 / eps", "4 / eps", "1 / (2 * eps)", "3 / (2 * eps)")
_NUMBER_METRICS = ("absolute_distance(1)", "absolute_distance(1)", "absolute_distance(2)")
_METRICS = (
    "linf_distance(1)",
    "linf_distance(1)",
    "linf_distance(2)",
    "change_one_distance(1)",
    "l1_distance(1)",
    "linf_distance(1, monotone=True)",
)
_FAMILY_METRICS = ("linf_distance(1)", "linf_distance(1, monotone=True)")
_HELPERS = {
    "noisy": "def noisy(value, scale):\n    return laplace(value, scale)\n",
    "clip": "def clip(value):\n    return min(max(value, 0), 2)\n",
    "above": "def above(value, limit, scale):\n    return laplace(value, scale) >= limit\n",
    "nonzero": "def nonzero(value):\n    if value > 0:\n        return 1\n    return 0\n",
}
_MAX_SITES = 3


@dataclass
class _Writer:
    """Writes one body.

    ``data`` are expressions of private data at hand, ``released`` are locals that hold noise, ``written``
    all locals that were written to; ``sites`` counts the draws in the text.
    """

    rng: random.Random
    sort: str
    kind: str
    output: str
    data: tuple[str, ...]
    released: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    sites: int = 0
    looping: bool = False

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    # --- expressions ------------------------------------------------------------------------

    def secret(self) -> str:
        """A number computed from private data."""
        item = self.pick(*self.data)
        if self.chance(0.6):
            return item
        options = [f"2 * {item}", f"abs({item})", f"max({item}, t)", f"min({item}, 1)", f"-{item}"]
        options += [f"min(max({item}, 0), 2)", f"{item} + t", f"(1 if {item} > t else 0)", f"{item} / 2"]
        return self.pick(*options, f"clip({item})", f"nonzero({item})")

    def known(self) -> str:
        """A number on which the runs may well agree."""
        return self.pick(*self.released, *self.released, "t", "0", "count")

    def noise(self, center: str | None = None) -> str:
        """A draw around private data, now and then around something else."""
        self.sites += 1
        if center is None:
            center = self.secret() if self.chance(0.85) else self.known()
        scale = self.pick(*_SCALES)
        if self.chance(0.12):
            return f"exponential({center}, {scale})"
        if self.chance(0.12):
            return f"noisy({center}, {scale})"
        return f"laplace({center}, {scale})"

    def coin(self) -> str:
        """A draw of a truth value."""
        self.sites += 1
        roll = self.rng.random()
        if roll < 0.4:
            return f"bernoulli({self.pick('0.5', '0.25')})"
        if roll < 0.8:
            return f"randomized_response({self.secret()} > t, {self.pick('eps', 'eps / 2')})"
        return f"above({self.secret()}, t, {self.pick(*_SCALES)})"

    def comparison(self) -> str:
        """A comparison of noise, rarely one of private data."""
        if self.chance(0.06):
            return f"{self.secret()} > {self.known()}"
        left = self.pick(*self.released) if self.released else "t"
        right = self.secret() if self.chance(0.12) else self.pick(*self.released, "t", "t", "0", "best")
        return f"{left} {self.pick('>=', '>', '<')} {right}"

    def condition(self) -> str:
        """What a branch may ask."""
        roll = self.rng.random()
        if roll < 0.1:
            return "on"
        if roll < 0.2 and self.sites < _MAX_SITES:
            return self.coin()
        if roll < 0.35:
            return f"{self.comparison()} {self.pick('and', 'or')} {self.pick('on', 'count < 2', 'not seen')}"
        return self.comparison()

    def value(self) -> str:
        """What may be stored or appended."""
        if self.sites < _MAX_SITES and self.chance(0.35):
            return self.noise()
        if self.chance(0.05):
            return self.secret()
        return self.pick(*self.released, *self.released, "1", "count")

    def result(self) -> str:
        """One of the locals that were written last, or two, or what they say."""
        known = list(dict.fromkeys(self.written[-3:] + self.released[-1:])) or ["count"]
        numbers = [name for name in known if name != "seen"] or ["count"]
        match self.output:
            case "list":
                return "out"
            case "pair":
                return f"({self.pick(*numbers)}, {self.pick(*known)})"
            case "bit":
                name = self.pick(*known)
                return "seen" if name == "seen" else f"{name} > {self.pick('t', '0')}"
        return self.pick(*numbers)

    # --- statements -------------------------------------------------------------------------

    def draw(self) -> list[str]:
        """A local that gets noise."""
        name = "c" if self.looping else self.pick("a", "b")
        if self.looping and self.chance(0.1):
            lines = [f"total = total + {self.pick(*self.data)}", f"c = {self.noise('total')}"]
        else:
            lines = [f"{name} = {self.noise()}"]
        if name not in self.released:
            self.released.append(name)
        return lines

    def effect(self) -> str:
        """A statement that leaves a trace."""
        if self.output == "list" and self.chance(0.6):
            return f"out.append({self.value()})"
        name = self.pick("count", "seen", "best")
        self.written.append(name)
        return {"count": "count += 1", "seen": "seen = True"}.get(name) or f"best = {self.value()}"

    def leaving(self) -> list[str]:
        """A way out of the branch, or none."""
        if self.chance(0.75):
            return []
        if not self.looping:
            return [f"return {self.result()}"]
        return [self.pick("break", "break", f"return {self.result()}")]

    def branch(self, depth: int = 0) -> list[str]:
        lines = [f"if {self.condition()}:", *_indented(self.inside(depth))]
        if self.chance(0.4):
            lines += ["else:", *_indented(self.inside(depth))]
        return lines

    def inside(self, depth: int) -> list[str]:
        lines = [self.effect()]
        if depth < 1 and self.chance(0.2):
            lines += self.branch(depth + 1)
        return lines + self.leaving()

    def straight(self) -> list[str]:
        """One or two draws and a branch."""
        lines = self.draw()
        if self.sites < _MAX_SITES and self.chance(0.35):
            lines += self.draw()
        if self.chance(0.6):
            lines += self.branch()
        return lines

    def loop(self) -> list[str]:
        """A loop over the queries, with a draw and a branch."""
        before, released = self.data, list(self.released)
        head, step, item = self.head()
        self.looping, self.data = True, (item,)
        lines = self.draw() if self.sites < _MAX_SITES else []
        if self.chance(0.85):
            lines += self.branch()
        if self.output == "list" and self.chance(0.3):
            lines.append(f"out.append({self.value()})")
        self.looping, self.data, self.released = False, before, released
        return [*head, *_indented([*lines, *step] or ["pass"])]

    def head(self) -> tuple[list[str], list[str], str]:
        """The lines that open a loop, those that end its body, and the entry that it is at."""
        size, entry = ("n", "q(i)") if self.kind == "family" else ("len(q)", "q[i]")
        form = self.rng.randrange(4 if self.kind == "list" else 2)
        if form == 0:
            more = self.pick("", "", " and count < 2", " and not seen")
            return ["i = 0", f"while i < {size}{more}:"], ["i += 1"], entry
        if form == 1:
            return [f"for i in range({size}):"], [], entry
        if form == 2:
            return ["for i, x in enumerate(q):"], [], "x"
        return ["for x in q:"], [], "x"


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def random_mechanism(rng: random.Random) -> str:
    """A mechanism ``m`` that draws noise at one to three places, without an import line."""
    while True:
        text = "".join(f"{line}\n" for line in _lines(rng))
        if any(f"{name}(" in text for name in ("laplace", "exponential")):
            return text


def _lines(rng: random.Random) -> Iterator[str]:
    kind, sort = rng.choice(("number", "list", "list", "list", "family")), rng.choice(("int", "int", "float"))
    output = rng.choice(("number", "number", "list", "list", "pair", "bit"))
    data = {"number": ("q",), "list": ("q[0]", "q[len(q) - 1]"), "family": ("q(0)",)}[kind]
    writer = _Writer(rng, sort, kind, output, data)
    body = _body(writer)
    for name in sorted(_words("\n".join(body)) & _HELPERS.keys()):
        yield from (*_HELPERS[name].splitlines(), "")
    metrics = {"number": _NUMBER_METRICS, "list": _METRICS, "family": _FAMILY_METRICS}[kind]
    sizes = {"number": "", "list": " and len(q) > 0", "family": " and n > 0"}[kind]
    yield f'@mechanism(adjacent={{"q": {rng.choice(metrics)}}}, requires="eps > 0{sizes}")'
    yield f"def m({', '.join(_parameters(kind, sort, body))}):"
    yield from _indented(body)


def _parameters(kind: str, sort: str, body: Sequence[str]) -> Iterator[str]:
    yield {"number": f"q: {sort}", "list": f"q: list[{sort}]", "family": f"q: Callable[[int], {sort}]"}[kind]
    words = _words("\n".join(body))
    if kind == "family":
        yield "n: int"
    if "t" in words:
        yield f"t: {sort}"
    if "on" in words:
        yield "on: bool"
    yield "eps: float"


def _body(writer: _Writer) -> list[str]:
    rng = writer.rng
    if writer.kind == "number":
        parts = [writer.straight() for _ in range(rng.choice((1, 1, 2)))]
    else:
        shape = rng.choice(
            ("loop", "loop", "draw, loop", "draw, loop", "two loops", "straight", "loop, draw")
        )
        makers = {"loop": writer.loop, "two loops": writer.loop, "draw": writer.draw}
        makers["straight"] = writer.straight
        names = ["loop", "loop"] if shape == "two loops" else shape.split(", ")
        parts = [makers[name]() for name in names]
    lines = [line for part in parts for line in part]
    if writer.output == "list" and not any("append" in line for line in lines):
        lines.append(f"out.append({writer.value()})")
    lines.append(f"return {writer.result()}")
    return [*_initial(lines), *lines]


def _initial(lines: Sequence[str]) -> Iterator[str]:
    """First values of the locals that the lines use."""
    words = _words("\n".join(lines))
    values = {"out": "[]", "count": "0", "seen": "False", "best": "0", "total": "0"}
    return (f"{name} = {value}" for name, value in values.items() if name in words)


def _words(text: str) -> set[str]:
    spaced = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text)
    return set(spaced.split())
