"""What the reader simplifies has the same weights and outputs, and asks for no less."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from synth.trusted.core.comparison import same_program
from synth.trusted.core.reader import read_core
from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend import counted_lists, idle_statements, logarithms, proportions
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from tests.support.typed_runs import ObligationFailed, Run, Stuck

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
            [
                f"w = [x - u for x in {name}]",
                *chance.choice(((), (f"{name}.append(2.0)",), ("u = 3.0",), ("w.append(u)",))),
                f"return choice(len({chance.choice(('s', 'w', name))}), lambda r: w[r]), u",
            ],
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


@dataclass
class Chosen(Run):
    """A run in which draws of finitely many values give what is asked for, or else their first value."""

    wanted: tuple[Any, ...] = ()
    taken: list[tuple[Any, float, tuple[Any, ...]]] = field(default_factory=list)

    def chosen(self, statement: ir.Choose) -> Any:
        chances = dict(self.chances(statement))
        made = len(self.taken)
        value = self.wanted[made] if made < len(self.wanted) else next(iter(chances))
        self.taken.append((value, chances[value], tuple(chances)))
        return value

    def chances(self, statement: ir.Choose) -> Iterator[tuple[Any, float]]:
        """The values that a draw may have, and their chances, which add up to 1."""
        weights = dict(self.weights(statement))
        total = sum(weights.values())
        assert isinstance(statement.law, ir.Weights) or math.isclose(total, 1)
        for value, weight in weights.items():
            if weight > 0:
                yield value, float(weight / total)

    def weights(self, statement: ir.Choose) -> Iterator[tuple[Any, float]]:
        law = statement.law
        if isinstance(law, ir.Chances):
            for value in (False, True) if statement.sort is ir.Sort.BOOL else range(MOST):
                at = {statement.index: value}
                fitting = (p for test, p in law.outcomes if self.at(test, **at))
                yield value, self.at(next(fitting, builders.zero(ir.Sort.REAL)), **at)
            return
        count = self.at(law.count)
        for index in range(count):
            for demand in law.demands:
                if not self.at(demand.condition, **{statement.index: index}):
                    raise ObligationFailed(demand.kind)
            rate = self.at(law.rate)
            yield index, math.exp(float(self.at(law.score, **{statement.index: index}) * rate))


MOST = 20
"""No draw has a value from here on."""


def law(mechanism: ir.Mechanism, inputs: dict[str, Any]) -> dict[object, float] | None:
    """The chances of outputs; None if what is asked for fails in a run that may happen."""
    found: dict[object, float] = {}
    waiting: list[tuple[Any, ...]] = [()]
    while waiting:
        run = Chosen(mechanism, inputs, iter(()), wanted=waiting.pop())
        try:
            output = run.output()
        except (ObligationFailed, Stuck):
            return None
        chance = math.prod(p for _, p, _ in run.taken)
        found[output] = found.get(output, 0) + chance
        for place in range(len(run.wanted), len(run.taken)):
            before = tuple(value for value, _, _ in run.taken[:place])
            waiting += [(*before, other) for other in run.taken[place][2][1:]]
    return found


def alike(one: dict[object, float] | None, other: dict[object, float]) -> bool:
    return one is not None and all(
        math.isclose(one.get(output, 0), other.get(output, 0), abs_tol=1e-9) for output in one | other
    )


INPUTS = [
    {"s": [0], "t": [1], "k": 1},
    {"s": [1, -1], "t": [0, 2], "k": 2},
    {"s": [0, 1, 2], "t": [1, 0, 1], "k": 0},
]


def unsimplified(text: str, patch: pytest.MonkeyPatch) -> ir.Mechanism:
    with patch.context() as context:
        context.setattr(proportions, "simplified", _first)
        context.setattr(counted_lists, "counted", _same)
        context.setattr(idle_statements, "without_idle", _same)
        context.setattr(logarithms, "simplified", _first)
        (found,) = read_source(text, "p.py")
    return found


def _same(body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    return body


def _first(body: tuple[ir.Statement, ...], known: object) -> tuple[ir.Statement, ...]:
    return body


def differences(text: str, inputs_of: list[dict[str, Any]], patch: pytest.MonkeyPatch) -> Iterator[object]:
    """Where the simplified form of a program does something else; nothing for what isn't read."""
    try:
        (simple,) = read_source(text, "p.py")
        plain = unsimplified(text, patch)
    except ProgramError:
        return
    for inputs in inputs_of:
        assert same_program(read_core(write_core(simple)), simple)
        if not Chosen(simple, inputs, iter(())).at(simple.requires):
            continue
        one, other = law(plain, inputs), law(simple, inputs)
        if other is not None and not alike(one, other):
            yield text, inputs, one, other


@pytest.mark.parametrize("seed", range(60))
def test_the_same_weights_and_outputs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(differences(program(random.Random(seed)), INPUTS, monkeypatch))


ONE_OF = """\
import math
import random
import numpy as np
from synth.lang import choice, discrete_distance, mechanism


@mechanism(adjacent={"x": discrete_distance()}, requires="DOMAIN")
def f(x: int, n: int):
    p = 0.5
    q = 0.5 / (n - 1)
"""
DOMAINS = (
    "0 <= x < n and n >= 2",
    "0 <= x < n and n >= 2",
    "0 <= x < 3 and n >= 3",
    "0 <= x < n",
    "0 <= x <= n and n >= 1",
    "-1 <= x < n and n >= 2",
    "1 <= x < n and n >= 3",
)
MADE = (
    "w = [2 if i == x else 1 for i in range(§)]",
    "w = [p if i == x else q for i in range(n)]",
    "w = np.ones(§)\n    w[x] = 3",
    "w = np.full(§, q)\n    w[§] = p",
    "w = []\n    for i in range(§):\n        w.append(1 if x == i + § else 3)",
    "w = [3, 1, §]",
    "w = [p, 1 - p]",
    "w = [math.exp(1) if i == § else 1 for i in range(§)]\n    w[0] = 2",
    "w = [1 if i != x else § for i in (0, 1, 2)]",
    "w = [x if i == 1 else 1 for i in range(§)]",
)
CHANGED = (
    *[""] * 6,
    "p = 0.25",
    "x = §",
    "w.append(1)",
    "w = list(w)",
    "if x > 1:\n        w = [1, 2]",
    "w = w / np.sum(w)",
)
LISTS_WITHOUT = (
    "xs = [v for v in range(§) if v != x]",
    "xs = []\n    for v in range(§):\n        if v != x - §:\n            xs.append(v)",
    "xs = [v + 3 for v in range(§) if not v == §]",
    "xs = list(range(§))\n    xs.remove(x)",
    "xs = list(range(§))\n    xs.remove(§)\n    xs.remove(x)",
    "xs = [v for v in (§, 1, 2) if v != x]",
    "xs = [v for v in range(§) if v == x]",
    "xs = [v for v in range(§) if v != x and v != 1]",
)
ENDS = (
    "return random.choices(range(len(w)), weights=w)[0]",
    "return int(np.random.choice(len(w), p=w)), len(w)",
    "return choice(len(w), lambda r: math.log(w[r]))",
    "return choice(§, lambda r: math.log(w[r]) + r)",
    "return [x, 1 - x, §][random.choices(range(3), weights=w)[0]]",
    "return random.choice(xs), len(xs)",
    "return xs[random.randrange(§)], xs[0]",
    "return [v for v in xs]",
    "return sum(xs), [0] * len(xs)",
)


def one_of(chance: random.Random) -> str:
    """Weights of which one may be another one, and lists without one number, or not quite."""
    parts = [chance.choice(MADE), chance.choice(CHANGED), chance.choice(LISTS_WITHOUT), chance.choice(ENDS)]
    text = ONE_OF.replace("DOMAIN", chance.choice(DOMAINS))
    text += "".join(f"    {part}\n" for part in parts if part)
    while "§" in text:
        text = text.replace("§", chance.choice(("0", "1", "2", "3", "n", "n", "n")), 1)
    return text


ONE_OF_INPUTS = [{"x": x, "n": n} for n in (0, 1, 2, 3) for x in range(-1, 4)]


@pytest.mark.parametrize("part", range(12))
def test_a_draw_that_is_taken_apart_has_the_same_law(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(25 * part, 25 * part + 25):
        assert not list(differences(one_of(random.Random(seed)), ONE_OF_INPUTS, monkeypatch))


ENDS_OF_DRAWS = ("5 - i", "i + 1", "m", "n")
AGAIN = ("random.randrange(m)", "choice(m, lambda r: r)")
DRAWN_BELOW = """    i = random.randrange(4)
    m = END
    i = AGAIN
    if x == 1:
        if i >= ASKED:
            raise ValueError
    return 0
"""


@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("end", ENDS_OF_DRAWS[:2])
@pytest.mark.parametrize("asked", ENDS_OF_DRAWS)
def test_what_was_an_end_of_a_draw_is_asked_where_it_has_changed(
    again: str, end: str, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what is raised there, which tells x, is passed over."""
    body = DRAWN_BELOW.replace("AGAIN", again).replace("END", end).replace("ASKED", asked)
    text = ONE_OF.replace("DOMAIN", "0 <= x <= 1 and n >= 2") + body
    (mechanism,) = read_source(text, "p.py")
    assert (law(mechanism, {"x": 1, "n": 2}) is None) == (asked in ("5 - i", "n"))
    assert not list(differences(text, [{"x": x, "n": 2} for x in (0, 1)], monkeypatch))


SEVERAL = ("[3 if i == 0 else 2 if i == 1 else 1 for i in range(n)]", "[3, 2, 1, 1]")


@pytest.mark.parametrize("weights", SEVERAL)
def test_weights_of_which_several_are_left_stay_weights(
    weights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ONE_OF.replace("DOMAIN", "0 <= x < n and n >= 2")
    text += f"    w = {weights}\n    return random.choices(range(len(w)), weights=w)[0]\n"
    (mechanism,) = read_source(text, "p.py")
    (draw,) = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose))
    assert isinstance(draw.law, ir.Weights)
    assert not list(differences(text, ONE_OF_INPUTS, monkeypatch))


def test_what_is_asked_of_an_index_is_left_as_it_is_where_it_is_not_decided() -> None:
    """Else the entry of a list is no more asked for at the place where it is read, which rewritings need."""
    (mechanism,) = read_source(ONE_OF.replace("DOMAIN", "0 <= x < n and n >= 2") + BEST_OF_NOISY, "p.py")
    asked = [item.condition for item in ir.statements(mechanism.body) if isinstance(item, ir.Obligation)]
    ends = {
        part.sequence for whole in asked for part in ir.subexpressions(whole) if isinstance(part, ir.Length)
    }
    assert ends == {"noisy"}


BEST_OF_NOISY = """\
    noisy = []
    for i in range(n):
        noisy.append(x + random.randrange(2))
    best = 0
    for i in range(len(noisy)):
        if noisy[i] > noisy[best]:
            best = i
    return best
"""
