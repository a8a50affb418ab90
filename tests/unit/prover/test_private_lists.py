"""Which lists have a private length: those to which private data decide what is appended."""

from __future__ import annotations

from textwrap import indent

import pytest

from synth.prover.normal_form.streams import private_lists
from tests.support.proving import from_text

HEAD = """@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def f(q: list[int], eps: float) -> int:
"""

PUBLIC = {
    "a copy": "xs = [v for v in q]",
    "a copy of a copy": "ys = [2 * v for v in q]\nxs = [v for v in ys]",
    "noise around a copy": "ys = [v for v in q]\nxs = [laplace(v, 1/eps) for v in ys]",
    "left by a public test": """xs = []
for i in range(len(q)):
    if i == 3:
        break
    xs.append(q[i])""",
}
PRIVATE = {
    "filtered": "xs = [v for v in q if v > 3]",
    "a copy of what is filtered": "ys = [v for v in q if v > 3]\nxs = [0 for v in ys]",
    "left early": "xs = []\nfor v in q:\n    if v > 3:\n        break\n    xs.append(v)",
    "as long as what is left early": """ys = []
for v in q:
    if v > 3:
        break
    ys.append(v)
xs = [1 for v in ys]""",
}


def _lists(body: str) -> frozenset[str]:
    return private_lists(from_text(HEAD + indent(body + "\nreturn sum(xs)\n", "    ")))


@pytest.mark.parametrize("body", PUBLIC.values(), ids=PUBLIC)
def test_entries_may_be_private_where_the_length_is_not(body: str) -> None:
    assert not _lists(body)


@pytest.mark.parametrize("body", PRIVATE.values(), ids=PRIVATE)
def test_length_is_private(body: str) -> None:
    assert "xs" in _lists(body)
