"""Small changes of a pair of inputs."""

from __future__ import annotations

import random

from synth.refuter.exact.inputs import Pair, is_adjacent
from synth.refuter.search.moves import MAX_LENGTH, changed
from tests.support.refuting import mechanism

PROGRAM = mechanism(
    '@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps")\n'
    "def f(q: list[float], n: int, eps: float) -> list[bool]:\n"
    "    return [laplace(v, n / eps) > 0 for v in q]\n"
)


def _climbed(held: tuple[str, ...]) -> list[Pair]:
    rng = random.Random(5)
    pair = Pair({"q": (0, 1), "n": 1, "eps": 1}, {"q": (1, 0), "n": 1, "eps": 1})
    seen = []
    for _ in range(200):
        other = changed(PROGRAM, pair, rng, held)
        if other is not None:
            pair = other
            seen.append(pair)
    return seen


def test_pairs_stay_adjacent_and_lists_grow() -> None:
    seen = _climbed(())
    assert all(is_adjacent(PROGRAM, pair.left, pair.right) for pair in seen)
    lengths = {len(pair.left["q"]) for pair in seen if isinstance(pair.left["q"], tuple)}
    assert len(lengths) > 5 and max(lengths) <= MAX_LENGTH
    assert len({pair.left["eps"] for pair in seen}) > 2


def test_what_is_held_keeps_its_value() -> None:
    assert {pair.left["eps"] for pair in _climbed(("eps",))} == {1}
