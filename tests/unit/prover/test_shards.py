"""Shards of a search: together they find what one search finds."""

from __future__ import annotations

from pathlib import Path

from synth.app.targets import read_mechanism
from synth.prover.prove import Proved, Unknown, prove
from synth.prover.search.shard import Shard
from synth.prover.templates.loading import load_templates
from synth.trusted.program import syntax as ir
from tests import ROOT

PUBLIC = ROOT / "benchmarks/public/dipaut.py"

TWO_DRAWS = """
from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def both(q: list[int], t: int, eps: float) -> int:
    noisy = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if answer >= noisy and result == len(q):
            result = i
    return result
"""


def _shards(mechanism: ir.Mechanism, count: int) -> list[tuple[Shard, Proved | Unknown]]:
    shards = [Shard(number, count) for number in range(count)]
    return [(shard, prove(mechanism, load_templates(()), shard=shard)) for shard in shards]


def test_what_one_search_finds_some_shard_finds() -> None:
    mechanism = read_mechanism(f"{PUBLIC}::m_range_2")  # whose first strategy is not the one
    found = _shards(mechanism, 2)
    assert all(shard.left for shard, _ in found)
    within = [isinstance(item, Proved) and item.checked.within_claim for _, item in found]
    assert any(within)


def test_the_first_strategy_is_that_of_the_first_shard(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text(TWO_DRAWS)
    mechanism = read_mechanism(str(path))
    (first, found), (second, _) = _shards(mechanism, 2)
    assert isinstance(found, Proved) and str(found.epsilon) == "eps"
    assert (first.left, second.left) == (False, True)  # the second left the first strategy to the first


def test_strategies_are_tried_in_turn() -> None:
    shards = [Shard(number, 3) for number in range(3)]
    taken = [[place for place in range(8) if shard.takes(place)] for shard in shards]
    assert taken == [[0, 3, 6], [1, 4, 7], [2, 5]]


def test_behind_a_proof_that_others_lack_nothing_is_left_to_them() -> None:
    shard = Shard(1, 2)
    assert shard.for_a_list() is shard
    shard.found()  # before anything was left: all have it
    assert shard.for_a_list() is shard and not shard.takes(0)
    shard.found()
    assert all(map(shard.for_a_list().takes, range(8)))
