"""Programs that answer questions about private data by draws of few values, and their exact losses."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.support.real_programs.whole import HEAD
from tests.support.real_runs import Program

_VALUES = (-1, 0, 1, 2)
_ANSWERS = (
    "int(random.random() < (0.25 if {c} else 0.5))",
    "int(({c}) if random.random() < 0.75 else not ({c}))",
    "int(random.choice([0, 1, int({c})]))",
    "np.random.binomial(1, 0.75 if {c} else 0.25)",
    "int(secrets.randbelow(4) < (3 if {c} else 1))",
    "(int({c}) + random.randint(0, 1)) % 2",
    "int(np.random.choice([0, 1], p=[0.25, 0.75])) if {c} else random.getrandbits(1)",
    "c.answer(int({c}))",
)
_OF_NUMBER = ("x > 0", "x > {n}", "x % 2 == 0", "abs(x) > 1", "x == {n}")
_OF_LIST = ("len(q) > {n}", "sum(q) > {n}", "any(v > {n} for v in q)", "max(q, default=0) > 0", "{n} in q")
_CLASS = """class Coin:
    def __init__(self, p):
        self.p = p
        self.used = 0
    def answer(self, truth):
        self.used += 1
        return truth if random.random() < self.p else 1 - truth
"""

Near = Callable[[], Iterator[tuple[dict[str, Any], dict[str, Any]]]]


@dataclass(frozen=True)
class Responses:
    """A program whose function ``f`` has a private parameter; ``near`` gives pairs of adjacent inputs."""

    text: str
    near: Near

    def violation(self, bound: Callable[[dict[str, Any]], float]) -> str | None:
        """A pair of inputs between which more is lost than is proved; None if there is none."""
        program = Program(self.text)
        for left, right in self.near():
            for one, other in ((left, right), (right, left)):
                found, beside = (program.law("f", inputs) for inputs in (one, other))
                most = max(
                    _log(chance / beside.get(key, 0)) if beside.get(key, 0) else math.inf
                    for key, chance in found.items()
                    if chance > 0
                )
                if most > bound(one) + 1e-6:
                    return f"{most} is lost between {one} and {other}"
        return None


def _log(ratio: float) -> float:
    return math.log(ratio) if ratio > 0 else -math.inf


def responses(rng: random.Random) -> Responses:
    """A program of one to three answers, of which later ones may depend on those before."""
    kind, metric, questions, near = rng.choice(_KINDS)
    lines = [f"@mechanism(adjacent={{'{kind[0]}': {metric}}})", f"def f({kind}):", "    c = Coin(0.75)"]
    names: list[str] = []
    for number in range(rng.randint(1, 3)):
        question = rng.choice(questions).format(n=rng.randint(-1, 2))
        if names and rng.random() < 0.5:
            question = f"({question}) {rng.choice(['and', 'or'])} {rng.choice(names)} > 0"
        names.append(f"r{number}")
        lines.append(f"    r{number} = {rng.choice(_ANSWERS).format(c=question)}")
        if len(names) > 1 and rng.random() < 0.2:
            lines += [f"    if {names[0]} > 0:", f"        return {names[-1]}"]
    result = rng.choice([f"({', '.join(names)},)", " + ".join(names), f"[{', '.join(names)}]", names[-1]])
    return Responses(HEAD + _CLASS + "\n".join([*lines, f"    return {result}", ""]), near)


def _numbers() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for value in range(-2, 3):
        yield {"x": value}, {"x": value + 1}


def _lists() -> Iterator[list[int]]:
    for size in range(3):
        yield from (list(values) for values in itertools.product(_VALUES, repeat=size))


def _with_another() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for q in _lists():
        for place in range(len(q)):
            for value in _VALUES:
                if value > q[place]:
                    yield {"q": q}, {"q": [*q[:place], value, *q[place + 1 :]]}


def _with_one_less() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for q in _lists():
        for place in range(len(q)):
            yield {"q": q}, {"q": [*q[:place], *q[place + 1 :]]}


_KINDS: tuple[tuple[str, str, tuple[str, ...], Near], ...] = (
    ("x: int", "absolute_distance(1)", _OF_NUMBER, _numbers),
    ("q: list[int]", "change_one_distance()", _OF_LIST, _with_another),
    ("q: list[int]", "add_remove_distance()", _OF_LIST, _with_one_less),
)
