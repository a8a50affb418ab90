"""Forged strategies: the clauses of the coupled product hold for right ones only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from pysmt.environment import pop_env, push_env
from pysmt.typing import INT

from synth.prover.costs.accounting import Account, Accounting
from synth.prover.horn.solvers import check_solution, solve_horn
from synth.prover.normal_form.structured_exits import normalize
from synth.prover.product.clause_builder import Unsupported
from synth.prover.product.product import Product
from synth.prover.product.strategy import Case, Condition, GuardPredicate, Shift, Strategy
from synth.prover.templates.loading import load_templates
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.symbols import Cost, Event, Kind
from tests.support.proving import from_text

ONE = ir.Constant(Fraction(1), ir.Sort.REAL)
STEP = ir.Constant(1, ir.Sort.INT)
NULL = Case((), Shift(null=True), None)
AGREE = Shift()
"""Both runs draw the same."""


def _paid(offset: Shift, most: Fraction | int = 1, conditions: tuple[Condition, ...] = ()) -> Case:
    return Case(conditions, offset, (Fraction(most), ONE))


@pytest.fixture(autouse=True)
def _own_terms() -> Iterator[None]:
    push_env()
    yield
    pop_env()


def _holds(
    mechanism: ir.Mechanism,
    cases: Sequence[tuple[Case, ...]],
    *,
    published: frozenset[int] = frozenset(),
    limit: int | None = 1,
    unpaid: frozenset[tuple[int, int]] = frozenset(),
) -> bool:
    """Whether the strategy (cases per site) is shown to cost at most ``limit`` counted uses."""
    mechanism = normalize(mechanism)
    analysis = Analysis(mechanism)
    sites = sorted(analysis.sites)
    assert len(sites) == len(cases)
    strategy = Strategy(published, dict(zip(sites, cases, strict=True)))
    accounts = {
        (site, number): Account(Cost(0), 1)
        for site, listed in strategy.cases.items()
        for number, case in enumerate(listed)
        if case.bound is not None and (site, number) not in unpaid
    }
    bounds = {} if limit is None else {Cost(0): ir.Constant(limit, ir.Sort.INT)}
    accounting = Accounting(accounts, bounds, {Cost(0): INT})
    system = Product(mechanism, analysis, strategy, load_templates(), accounting).system()
    solution = solve_horn(system, 10000)
    return solution is not None and not check_solution(system, solution)


def _branches(mechanism: ir.Mechanism) -> frozenset[int]:
    return frozenset(Analysis(normalize(mechanism)).branches)


CLOSE = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
RELEASE = from_text(CLOSE + "def f(x: int, eps: float) -> int:\n    return laplace(x, 1 / eps)")


def test_right_strategy() -> None:
    assert _holds(RELEASE, [(_paid(AGREE),)])


@pytest.mark.parametrize("factor", [1, -1, 2])
def test_wrong_shift(factor: int) -> None:
    """With any other shift the outputs differ."""
    offset = Shift(units=((Fraction(factor), STEP),))
    assert not _holds(RELEASE, [(_paid(offset, 9),)])


def test_null_is_no_coupling_of_private_centres() -> None:
    assert not _holds(RELEASE, [(NULL,)])


def test_nothing_paid() -> None:
    """A shift without an account must be free."""
    assert not _holds(RELEASE, [(_paid(AGREE),)], unpaid=frozenset({(0, 0)}))


def test_limit_too_low() -> None:
    assert not _holds(RELEASE, [(_paid(AGREE),)], limit=0)


def test_one_use_costs_more_than_stated() -> None:
    assert not _holds(RELEASE, [(_paid(AGREE, Fraction(1, 2)),)])


def test_limit_on_all_sites_together() -> None:
    twice = from_text(
        CLOSE
        + "def f(x: int, eps: float) -> tuple[int, int]:\n"
        + "    return laplace(x, 1 / eps), laplace(x, 1 / eps)"
    )
    assert not _holds(twice, [(_paid(AGREE),), (_paid(AGREE),)], limit=1)
    assert _holds(twice, [(_paid(AGREE),), (_paid(AGREE),)], limit=2)


def test_limit_in_a_loop() -> None:
    """No number bounds what n iterations pay."""
    loop = from_text(
        CLOSE
        + """def f(x: int, n: int, eps: float) -> list[int]:
    out = []
    for i in range(n):
        out.append(laplace(x, 1 / eps))
    return out"""
    )
    assert not _holds(loop, [(_paid(AGREE),)], limit=3)
    assert _holds(loop, [(_paid(AGREE),)], limit=None)


def test_shift_leaves_the_support() -> None:
    """One-sided noise can't be moved below its centre."""
    one_sided = from_text(CLOSE + "def f(x: int, eps: float) -> int:\n    return exponential(x, 1 / eps)")
    assert not _holds(one_sided, [(_paid(AGREE, 9),)])


BRANCHING = from_text(
    CLOSE
    + """def f(x: int, t: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    z = 0
    if y > t:
        z = laplace(0, 1 / eps)
    return z"""
)


def test_steering_branch_must_be_published() -> None:
    """A branch that decides whether there is a draw can't part the runs."""
    with pytest.raises((AssertionError, Unsupported)):
        _holds(BRANCHING, [(NULL,), (NULL,)])
    assert not _holds(BRANCHING, [(_paid(AGREE),), (NULL,)], limit=0)
    assert _holds(BRANCHING, [(_paid(AGREE),), (NULL,)], published=_branches(BRANCHING))


def test_published_branch_must_agree() -> None:
    """With the same noise the runs may branch differently."""
    assert not _holds(BRANCHING, [(NULL,), (NULL,)], published=_branches(BRANCHING))


def test_guard_over_private_data() -> None:
    """A guard must be known to both runs."""
    feature = GuardPredicate(Event(Kind.RETURN, "", 0), ir.Variable("x", ir.Sort.INT))
    guarded = _paid(AGREE, 1, (Condition(feature, 0),))
    with pytest.raises(Unsupported):
        _holds(RELEASE, [(guarded, _paid(AGREE))])


def test_guard_over_the_output() -> None:
    """A guard may declare_prophecies the output, which run 2 must then give as well."""
    public = from_text(
        CLOSE
        + """def f(x: int, t: int, eps: float) -> bool:
    y = laplace(x, 1 / eps)
    return y > t"""
    )
    feature = GuardPredicate(Event(Kind.RETURN, "", 0))
    true, false = ((Condition(feature, value),) for value in (True, False))
    up = Shift(null=True, units=((Fraction(1), STEP),))
    down = Shift(null=True, units=((Fraction(-1), STEP),))
    assert _holds(public, [(_paid(up, 1, true), _paid(down, 1, false))])
    assert not _holds(public, [(_paid(down, 1, true), _paid(up, 1, false))])
    assert not _holds(public, [(_paid(up, 1, true), NULL)])


def test_shift_by_an_old_value() -> None:
    """A shift that mentions the draw's own target speaks of the value before the draw."""
    old = from_text(
        CLOSE
        + """def f(x: int, eps: float) -> int:
    y = x
    y = laplace(0, 1 / eps)
    return y - x"""
    )
    (draw,) = Analysis(normalize(old)).sites.values()
    follow = Shift(differences=((1, ir.Variable(draw.target, draw.sort)),))
    if draw.target == "y":
        assert _holds(old, [(_paid(follow),)])
        assert not _holds(old, [(_paid(follow),)], limit=0)
    else:
        with pytest.raises((KeyError, Unsupported)):
            _holds(old, [(_paid(follow),)])


def test_shift_by_the_draw_itself() -> None:
    """Without a value before the draw, a shift by it would need to know its own draw."""
    (draw,) = Analysis(normalize(RELEASE)).sites.values()
    itself = Shift(differences=((1, ir.Variable(draw.target, draw.sort)),))
    with pytest.raises((KeyError, Unsupported)):
        _holds(RELEASE, [(_paid(itself),)])


def test_shift_by_a_later_draw() -> None:
    """Nor may it know a draw that comes later."""
    two = from_text(
        CLOSE
        + """def f(x: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    z = laplace(0, 1 / eps)
    return y + z"""
    )
    later = Analysis(normalize(two)).sites[1]
    foreseeing = Shift(differences=((1, ir.Variable(later.target, later.sort)),))
    with pytest.raises((KeyError, Unsupported)):
        _holds(two, [(_paid(foreseeing),), (NULL,)])
