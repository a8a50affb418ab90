"""What shards of one search come to together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from synth.app.documents import least
from synth.app.shards import Rivals, settled, shards_for
from synth.app.targets import read_mechanism
from synth.app.workers import Finished, JobCrashed, Outcome
from synth.trusted.frontend.claim import NO_CLAIM, Claim
from synth.views.results import PROVED, REFUTED, UNKNOWN, Result

NOTHING = JobCrashed("no coupling", 1.0)
CLAIM = Claim(epsilon="2*eps")


def _proof(epsilon: str, claim: Claim = NO_CLAIM, *, of_shard: bool = True) -> Finished[Result]:
    return Finished(Result("f", PROVED, epsilon, "0", claim, 1.0, of_shard=of_shard), 1.0)


REFUTATION = Finished(replace(_proof("eps", CLAIM).value, verdict=REFUTED, epsilon=None), 1.0)


def test_one_search_ends_with_what_it_has() -> None:
    for outcome in (NOTHING, REFUTATION, _proof("eps", of_shard=False)):
        assert settled({0: outcome}, 1) is outcome


@pytest.mark.parametrize(
    "ends_it", [REFUTATION, _proof("eps", of_shard=False), _proof("2*eps", CLAIM, of_shard=True)]
)
def test_what_ends_a_search(ends_it: Outcome[Result]) -> None:
    assert settled({1: ends_it}, 3) is ends_it
    assert settled({0: NOTHING, 2: ends_it}, 3) is ends_it


def test_without_a_claim_others_may_have_found_less() -> None:
    proof = _proof("2*eps")
    assert settled({0: proof}, 2) is None
    assert settled({0: proof, 1: NOTHING}, 2) is proof
    rivals = settled({1: _proof("eps"), 0: proof}, 2)
    assert isinstance(rivals, Rivals) and rivals.bounds == ("2*eps", "eps")
    assert rivals.least("eps").value.epsilon == "eps"
    assert rivals.least(None) is proof


def test_it_is_unknown_only_if_all_shards_are() -> None:
    unknown = Finished(replace(_proof("eps").value, verdict=UNKNOWN), 1.0)
    first = replace(NOTHING, reason="the first reason")
    assert settled({0: first, 2: NOTHING}, 3) is None
    assert settled({2: unknown, 0: first, 1: NOTHING}, 3) is first


def test_each_thread_has_a_shard() -> None:
    assert [shards_for(*item) for item in [(1, 2), (1, 1), (3, 8), (8, 3), (1, 100), (0, 2), (1, 0)]] == [
        2, 1, 2, 1, 16, 2, 1,
    ]  # fmt: skip


def test_the_least_bound(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text(
        "from synth.lang import *\n\n\n"
        '@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k >= 0")\n'
        "def f(q: list[int], k: int, eps: float) -> int:\n    return len(q)\n"
    )
    mechanism = read_mechanism(str(path))
    assert least(mechanism, ["2*eps", "eps", "eps*3/2"]) == "eps"
    assert least(mechanism, ["2*k*eps", "k*eps"]) == "k*eps"
    for bounds in (["len(q)*eps", "k*eps"], ["k*eps", "len(q)*eps"]):
        assert least(mechanism, bounds) == "k*eps"  # neither is known to be less
