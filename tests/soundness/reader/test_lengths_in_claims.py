"""The length of a list of which a record may be missing is private: no claim may be made of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.claim import read_bound, read_claim
from synth.trusted.program import syntax as ir
from tests.support.refuting import mechanism

TYPES = ("list[int]", "list[tuple[int, float]]")


def noise(kind: str, metric: str) -> ir.Mechanism:
    return mechanism(f"""
@mechanism(adjacent={{"rows": {metric}}}, requires="eps > 0")
def f(rows: {kind}, eps: float):
    return laplace(0, 1 / eps)
""")


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("read", [read_claim, read_bound])
def test_no_claim_speaks_of_a_length_that_is_private(
    kind: str, read: Callable[[ir.Mechanism, str], ir.Expression]
) -> None:
    of = noise(kind, "add_remove_distance()")
    with pytest.raises(ProgramError, match="the length of 'rows' is private") as refused:
        read(of, "eps*len(rows)")
    assert refused.value.code is Refusal.PRIVATE_SPECIFICATION


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("read", [read_claim, read_bound])
def test_a_claim_may_speak_of_a_length_that_both_runs_have(
    kind: str, read: Callable[[ir.Mechanism, str], ir.Expression]
) -> None:
    of = noise(kind, "change_one_distance()")
    assert any(isinstance(part, ir.Length) for part in ir.subexpressions(read(of, "eps*len(rows)")))
