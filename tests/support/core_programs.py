"""Random core texts: blocks and exits, lists of several components, early returns, samples of records.

They need not be what the reader makes of any Python text: what is trusted holds of all core programs.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from textwrap import indent

LISTS = {"xs": ("int",), "ys": ("int", "bool"), "zs": ("bool",)}
_RETURNS = ("a", "a, d", "a, xs", "xs", "ys", "b, ys", "len(xs), a", "xs, ys", "d, zs")
_BEFORE = ("a = 0", "b = p", "d = False", "e = c", "xs = []", "ys = []", "zs = []")
_PARAMETERS = "x: int, p: int, c: bool, q: sequence(int)"
_HEAD = "@adjacent(x=absolute_distance(1.0), q=linf_distance(1.0))\n@requires(0 <= p and p <= 2)\n"
_SAMPLED = (
    "@adjacent(present=change_one_distance(1.0), col=linf_distance(0.0))\n"
    "@requires(0 <= p and (p <= 2 and (len(col) == len(present) and (0.0 <= r and r <= 1.0))))\n"
)

Rows = list[str]


def core_text(rng: random.Random) -> str:
    """A program ``m`` of ``x``, ``p`` from 0 to 2, ``c`` and ``q``."""
    writer = _Writer(rng)
    body = writer.block(2, rng.randint(3, 7))
    for rows in (*writer.pairs(), *writer.flagged()):
        body[writer.place(body) : 0] = rows
    return writer.program(_HEAD, _PARAMETERS, body)


def safe_text(rng: random.Random) -> str:
    """The same, with obligations, of which many hold."""
    writer = _Writer(rng, asks=True)
    return writer.program(_HEAD, _PARAMETERS, writer.block(2, rng.randint(2, 6)))


def sample_text(rng: random.Random) -> str:
    """A program that takes each record of ``col`` that is ``present`` with some chance, or nearly so."""
    writer = _Writer(rng, draws=1, loops=1, ends=False)
    return writer.program(_SAMPLED, f"present: sequence(bool), col: sequence(int), r: real, {_PARAMETERS}",
                          [*writer.block(1, rng.randint(0, 2)), *writer.sample(),
                           *writer.block(1, rng.randint(0, 2))])  # fmt: skip


def _inside(rows: Iterable[str]) -> Rows:
    return [indent(row, "    ") for row in rows]


class _Writer:
    """``counters`` can be read, ``labels`` can be left; ``asks`` says that obligations are written."""

    def __init__(
        self, rng: random.Random, draws: int = 2, loops: int = 2, ends: bool = True, asks: bool = False
    ) -> None:
        self.rng, self.draws, self.loops, self.ends, self.asks = rng, draws, loops, ends, asks
        self.returned = rng.choice(_RETURNS)
        self.counters: Rows = []
        self.labels: Rows = []
        self.names: dict[str, str] = {**dict.fromkeys("abk", "int"), **dict.fromkeys("de", "bool")}

    def program(self, head: str, parameters: str, body: Rows) -> str:
        lists = {name: f"list({', '.join(sorts)})" for name, sorts in LISTS.items()}
        declared = [f"{name}: {sort}" for name, sort in {**self.names, **lists}.items()]
        rows = [*declared, *_BEFORE, *body, f"return {self.returned}"]
        return f"{head}def m({parameters}):\n" + "\n".join(_inside(rows)) + "\n"

    def place(self, body: Rows) -> int:
        """Between two statements."""
        ends = [place for place, row in enumerate(body) if not row.startswith((" ", "else"))]
        return self.rng.choice([*ends, len(body)])

    def fresh(self, hint: str, sort: str = "int") -> str:
        name = f"{hint}{len(self.names)}"
        self.names[name] = sort
        return name

    # --- expressions ----------------------------------------------------------------------------

    def number(self, depth: int = 1) -> str:
        rng, roll = self.rng, self.rng.random()
        if depth and roll < 0.4:
            one, other = self.number(depth - 1), self.number(depth - 1)
            forms = ("({} + {})", "({} - {})", "({} * {})", "min({}, {})", "max({}, {})")
            chosen = f"({one} if {self.condition(depth - 1)} else {other})"
            return rng.choice((*(form.format(one, other) for form in forms), f"({one} % 3)", chosen))
        if roll < 0.5:
            return f"len({rng.choice(list(LISTS))})"
        options: Rows = ["0", "1", "2", *"aabbxp", *self.counters * 3]
        return rng.choice(options)

    def condition(self, depth: int = 1) -> str:
        rng, roll = self.rng, self.rng.random()
        if depth and roll < 0.25:
            one, other = self.condition(depth - 1), self.condition(depth - 1)
            return rng.choice((f"({one} and {other})", f"({one} or {other})", f"(not {one})"))
        if roll < 0.5:
            return rng.choice("dec")
        return f"({self.number(0)} {rng.choice(('<', '<=', '=='))} {self.number(0)})"

    # --- statements -----------------------------------------------------------------------------

    def block(self, depth: int, length: int) -> Rows:
        return [row for _ in range(length) for row in self.statement(depth)]

    def inner(self, depth: int) -> Rows:
        return _inside(self.block(depth - 1, self.rng.randint(1, 3)))

    def statement(self, depth: int) -> Rows:
        rng, roll = self.rng, self.rng.random()
        if self.asks and rng.random() < 0.25:
            return self.obligation()
        if roll < 0.25 and self.draws > 0:
            return self.draw()
        if roll < 0.4 and depth:
            otherwise = ["else:", *self.inner(depth)] if rng.random() < 0.4 else []
            return [f"if {self.condition()}:", *self.inner(depth), *otherwise]
        if roll < 0.48 and depth:
            return self.within("B", depth)
        if roll < 0.54 and self.labels:
            return [f"if {self.condition()}:", f"    leave({rng.choice(self.labels)})"]
        if roll < 0.7 and depth and self.loops > 0:
            self.loops -= 1
            return self.counted(depth) if rng.random() < 0.5 else self.summed()
        if roll < 0.82:
            return self.append()
        if roll < 0.9:
            ends = [f"if {self.condition()}:", f"    return {self.returned}"], [f"assert {self.condition()}"]
            return rng.choice(ends) if self.ends else [f"{rng.choice(list(LISTS))} = []"]
        return [
            rng.choice((f"{rng.choice('ab')} = {self.number(2)}", f"{rng.choice('de')} = {self.condition()}"))
        ]

    def draw(self) -> Rows:
        rng, name, coin = self.rng, self.rng.choice("ab"), self.rng.choice("de")
        self.draws -= 1
        chance = rng.choice(("0.5", "0.25", f"(0.75 if {self.condition()} else 0.5)"))
        laws = (
            f"{name} = uniform_int(0, {rng.choice('12')})",
            f"{coin} = bernoulli({chance})",
            f'{name} = outcomes("mixture", lambda o: {{o == 0: 0.5, (o == 1 or o == 3): 0.25}})',
            f"{name} = laplace({self.number()}, 1.0)",
        )
        return [rng.choices(laws, (4, 4, 2, 1))[0]]

    def append(self) -> Rows:
        name = self.rng.choice(list(LISTS))
        values = (self.number() if sort == "int" else self.condition() for sort in LISTS[name])
        return [f"{name}.append({', '.join(values)})"]

    def within(self, hint: str, depth: int) -> Rows:
        label = f"{hint}{len(self.names)}"
        if label in self.labels:
            return self.append()
        self.labels.append(label)
        rows = self.inner(depth)
        self.labels.pop()
        return [f"with block({label}):", *rows]

    def counted(self, depth: int) -> Rows:
        """A loop that counts up; what is in it may leave it."""
        index = self.fresh("i")
        self.counters.append(index)
        self.labels.append(f"L{index}")
        rows = self.block(depth - 1, self.rng.randint(1, 3))
        self.counters.pop()
        self.labels.pop()
        return self.looped(index, self.rng.choice(("2", "2", "p", "len(q)", "1")), rows)

    def looped(
        self, index: str, end: str, rows: Rows, behind: Iterable[str] = (), otherwise: str = ""
    ) -> Rows:
        head = [f"if {end} <= {index}{otherwise}:", f"    leave(L{index})"]
        loop = ["while True:", *_inside([*head, *rows, f"{index} = {index} + 1", *behind])]
        return [f"{index} = 0", f"with block(L{index}):", *_inside(loop)]

    def summed(self) -> Rows:
        """A loop over a list, that adds up something of its own."""
        rng, index, total = self.rng, self.fresh("j"), self.fresh("s")
        name = rng.choice(list(LISTS))
        entry = {"xs": f"xs[{index}]", "ys": f"ys[{index}][0]", "zs": f"(1 if zs[{index}] else {total})"}[
            name
        ]
        rows = [f"{total} = {rng.choice((f'{total} + {entry}', f'2 * {total} - {entry}'))}"]
        if rng.random() < 0.5:
            more = (f"{total} = {total} + {rng.choice('xab')}", f"zs.append({total} < 2)")
            rows.append(rng.choice((*more, *more, f"a = a + {total}")))
        if rng.random() < 0.3:
            rows = [f"if {rng.choice(('c', f'{total} < 2', self.condition()))}:", *_inside(rows)]
        return [f"{total} = 0", *self.looped(index, f"len({name})", rows), f"a = a + {total}"]

    def pairs(self) -> list[Rows]:
        """Two one-sided draws of which the difference is read, or a uniform one in a sum modulo its size."""
        rng, found = self.rng, []
        if rng.random() < 0.3:
            u, v = self.fresh("u"), self.fresh("v")
            read = rng.choice((f"{u} - {v}", f"({v} - {u}) % 3", f"({u} - {v}) + a", f"{u} + {v}", f"{u}"))
            draws = [f"{name} = exponential({self.number(0)}, 1.0)" for name in (u, v)]
            found.append([*draws, f"k = {read}"])
        if rng.random() < 0.4:
            w, (low, high) = self.fresh("w"), rng.choice((("0", "2"), ("1", "3"), ("0", "p"), ("0", "1")))
            size = rng.choice(("3", "2", "(p + 1)"))
            one = self.number(0)
            sums = f"({one} + {w}) % {size}", f"({one} - {w}) % {size}", f"({w} + {w}) % {size}"
            found.append([f"{w} = uniform_int({low}, {high})", f"k = {rng.choice(sums)}"])
        return found

    def flagged(self) -> list[Rows]:
        """A loop that a flag leaves, at the end of a round or at its head; sometimes it nearly does."""
        rng = self.rng
        if rng.random() < 0.6:
            return []
        index, flag = self.fresh("n"), self.fresh("g", "bool")
        self.draws = max(self.draws, 1)
        if rng.random() < 0.15:
            self.counters.append(index)
        sets = [
            f"if {self.condition()}:",
            f"    {flag} = {rng.choice(('True', 'True', 'True', 'd', 'not d'))}",
        ]
        rows = [
            *self.draw(),
            *sets,
            *(self.append() if rng.random() < 0.5 else [f"a = a + {self.number(0)}"]),
        ]
        end = rng.choice(("2", "2", "p", "len(q)", "len(xs)"))
        if rng.random() < 0.5:
            loop = self.looped(index, end, rows, behind=(f"if {flag}:", f"    leave(L{index})"))
        else:
            loop = self.looped(index, end, rows, otherwise=f" or {flag}")
        start = f"{flag} = {rng.choice(('False',) * 6 + ('c',))}"
        found = [loop[0], start, *loop[1:]] if rng.random() < 0.9 else [start, *loop]
        ends = ([], [f"d = {flag}"], [f"a = {index}"], [f"a = {index}"], [f"if {flag}:", "    b = 1"])
        return [[*found, *rng.choice(ends)]]

    def obligation(self) -> Rows:
        rng, known = self.rng, self.condition()
        index, name = rng.choice(["a", "b", "0", *self.counters]), rng.choice(list(LISTS))
        asked = rng.choice((known, known, self.condition()))
        end = rng.choice(("<", "<", "<="))
        return rng.choice(
            (
                [f"if {known}:", f'    ensure({asked}, "index")'],
                [f"if (0 <= {index} and {index} < len({name})):",
                 f'    ensure(0 <= {index} and {index} {end} len({name}), "index")'],
                ["xs.append(1)", 'ensure(0 < len(xs), "index")'],
                [f'ensure(0 <= {rng.choice(["a", "b", *self.counters * 2])}, "scale")'],
                [f"a = {self.number()} % 3", f'ensure(0 <= a and a {end} {rng.choice("23")}, "scale")'],
            )
        )  # fmt: skip

    # --- samples --------------------------------------------------------------------------------

    def sample(self) -> Rows:
        """A loop over records, of which a coin decides whether they are taken; sometimes it nearly does."""
        rng, index = self.rng, "i"
        self.names |= {index: "int", "t": "int", "g": "bool", "h": "real"}
        start = [] if rng.random() < 0.8 else ["g = False", "t = 0"]
        asked = ["if present[i]:", *_inside(self.record())]
        if rng.random() < 0.06:
            asked += ["else:", "    a = a + 1"]
        if rng.random() < 0.2:
            asked = [*self.append(), *asked]
        rows = self.looped(index, rng.choice(("len(present)",) * 4 + ("1",)), asked)
        if rng.random() < 0.06:
            rows = self.looped(self.fresh("n"), "2", rows)
        late = rng.choice((["if g:", "    a = a + 7"], ["a = a + t"])) if rng.random() < 0.06 else []
        return [*start, "h = r / 2.0", *rows, *late]

    def record(self) -> Rows:
        """What is done with a record."""
        rng = self.rng
        before = (
            [rng.choice(("t = col[i]", "t = a", "t = col[i] * 2", "a = a + 1"))] if rng.random() < 0.5 else []
        )
        chance = rng.choice(("r", "r", "0.25", "h", "1.0 - r"))
        toss = f"g = bernoulli({chance})"
        actions = (
            ["a = a + 1"], ["a = a + col[i]"], ["xs.append(col[i])"], ["b = a"],
            ["if a < 1:", "    leave(Li)"], ["if e:", f"    return {self.returned}"],
        )  # fmt: skip
        taken = [*rng.choice(actions), *([rng.choice(("a = a + t", "xs.append(t)"))] if before else [])]
        heads = rng.choice(
            ("g", "g", f"g and {self.condition()}", f"{self.condition()} and g", "g or c", "not g")
        )
        forms = (
            [*before, toss, f"if {heads}:", *_inside(taken)],
            [*before, "with block(C):", *_inside([toss, "if not g:", "    leave(C)", *taken])],
            [*before, f"if {self.condition()}:", *_inside([toss, "if g:", *_inside(taken)])],
        )
        return [*rng.choice(forms), *(self.append() if rng.random() < 0.06 else [])]
