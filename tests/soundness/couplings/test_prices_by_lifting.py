"""What the kernel asks for draws of noise, against the definition of a lifting.

[Norm] has a price of ε and δ, a tail is given up for its mass.  The least δ that the kernel accepts is found
by asking it.  With that δ the truncated laws (`truncated.py`) are related, and with less they aren't.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product, takewhile

import pytest

from synth.liftings.flow import Answer
from synth.trusted.kernel.check import parse, side_conditions
from synth.trusted.kernel.rules.laplace import COUPLINGS
from synth.trusted.kernel.solvers import holds, script
from synth.trusted.logic.arithmetic.gaussian_divergence import enough, enough_of_integers
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.inputs import SORTS
from synth.trusted.logic.terms import REAL, Term, conjunction, number, substitute
from synth.trusted.program import syntax as ir
from tests.support.cores import with_core
from tests.support.handmade import Data, certificate, rule
from tests.support.truncated import (
    SCALES,
    TEMPLATES,
    Case,
    Pair,
    Use,
    allowed,
    cases,
    uses,
    width,
    wrong_cases,
)

by_lemma = pytest.mark.parametrize("case", cases(lemma=True))


def shown(goal: Term, values: Mapping[str, Fraction]) -> bool:
    """Whether a solver shows the kernel's side condition, with these numbers for its parameters."""
    exact = substitute(goal, {name: number(item, REAL) for name, item in values.items()})
    return holds(script(Condition("", "", Code.DISTANCE_NOT_PAID(), (), exact, None)), "z3")


KINDS = {ir.Sort.INT: "int", ir.Sort.REAL: "float"}


def _condition(text: str, draw: Data, cost: Data, code: Code) -> Term:
    """What the kernel asks for at the draw of a program that draws and returns."""
    data = certificate(text, rule("Skip"), draw, rule("Return"), costs={"cost#0": cost})
    (goal,) = (
        item.goal for item in side_conditions(parse(json.dumps(with_core(data)))) if item.says.code is code
    )
    return goal


NEAR = Fraction(1, 64)
TIGHT = 1 - 2 * NEAR
"""Prices are tight: at this part of a δ that the kernel refuses there is no lifting."""


def bracket(accepts: Callable[[Fraction], bool]) -> tuple[Fraction, Fraction]:
    """A δ that is refused, and one that is accepted, hardly larger; both 0 if that is accepted."""
    if accepts(Fraction(0)):
        return Fraction(0), Fraction(0)
    high = Fraction(8)
    assert accepts(high)
    while accepts(high / 2):
        high /= 2
    low = high / 2
    while high > low * (1 + NEAR):
        middle = (low + high) / 2
        low, high = (low, middle) if accepts(middle) else (middle, high)
    return low, high


# --- [Norm] ---------------------------------------------------------------------------------

Pays = Callable[[bool, Fraction, Fraction, Fraction, Fraction], bool]
"""Of: on integers?, scale, distance, ε, δ.  Whether the kernel takes (ε, δ) for draws so far apart."""


def _normal_pays(
    integral: bool, sigma: Fraction, within: Fraction, epsilon: Fraction, delta: Fraction
) -> bool:
    """[Norm] of numbers."""
    terms = (number(sigma, REAL), number(within, REAL), number(epsilon, REAL), number(delta, REAL))
    return (not within and not integral) or _normal_asks(integral, *terms) == ["true"]


def _normal_pays_in_closed_form(
    integral: bool, sigma: Fraction, within: Fraction, epsilon: Fraction, delta: Fraction
) -> bool:
    """[Norm] of parameters, for which numbers are put in afterwards."""
    names = ("|sigma<>|", "|within<>|", "|epsilon<>|", "|delta<>|")
    values = dict(zip(names, (sigma, within, epsilon, delta), strict=True))
    return (not within and not integral) or shown(conjunction(_normal_asks(integral, *names)), values)


def _normal_asks(integral: bool, sigma: Term, within: Term, epsilon: Term, delta: Term) -> list[Term]:
    """[Norm]: of a single draw; on the reals, where it is moved."""
    if integral:
        return enough_of_integers(sigma, within, epsilon, delta)
    return enough(("/", ("*", within, within), ("*", sigma, sigma)), epsilon, delta)


EXACT: dict[str, Pays] = {"gaussian": _normal_pays}
CLOSED: dict[str, Pays] = {"gaussian": _normal_pays_in_closed_form}
"""The kernel's answer by template, for numbers and for parameters."""

DELTAS = tuple(Fraction(1, size) for size in (1, 2, 8, 64, 1024))
BEYOND, FARTHEST = (Fraction(0), Fraction(3, 2)), 2
"""How far beyond the centre the densities differ by exp(ε), and the largest distance."""

Price = tuple[Fraction, Fraction, Fraction, list[Use]]


def _prices(case: Case) -> Iterator[Price]:
    """A scale, a distance, an ε, and uses that move by at most that distance.

    ε is such that the densities differ by exp(ε) at the end of a cell: there, merged values lose nothing.
    """
    one = {(use.scale, use.distance): use for use in allowed(case)}
    for scale, within in one:
        near = [use for (other, length), use in one.items() if other == scale and length <= within]
        for beyond in BEYOND if within <= FARTHEST else ():
            yield scale, within, within * (beyond + within / 2) / scale**2, near


@by_lemma
def test_every_lemma_is_known_here(case: Case) -> None:
    assert case[0].name in EXACT.keys() & CLOSED.keys()


@by_lemma
def test_what_moves_nothing_is_free(case: Case) -> None:
    assert all(use.holds(Fraction(0)) for use in allowed(case) if not use.distance)


@by_lemma
def test_the_kernels_least_delta_is_enough_and_no_less_is(case: Case) -> None:
    accepts, integral = EXACT[case[0].name], case[2] is ir.Sort.INT
    for scale, within, epsilon, near in _prices(case):
        low, high = bracket(partial(accepts, integral, scale, within, epsilon))
        for use in near:
            assert use.holds(epsilon, high), (use, epsilon)
            if use.distance == within > 0:
                assert use.fails(epsilon, TIGHT * low), (use, epsilon)


@by_lemma
def test_what_the_closed_form_accepts_is_enough(case: Case) -> None:
    accepts, integral = CLOSED[case[0].name], case[2] is ir.Sort.INT
    accepted = 0
    for scale, within, epsilon, near in _prices(case):
        pays = list(takewhile(partial(accepts, integral, scale, within, epsilon), DELTAS))
        accepted += len(pays)
        for use in near if pays else ():
            assert use.holds(epsilon, pays[-1]), (use, epsilon)
    assert accepted or not case[1].free


@pytest.mark.parametrize("case", wrong_cases(lemma=True))
def test_a_wrong_template_has_no_lifting(case: Case) -> None:
    assert any(_fails_at_its_price(case, price) for price in _prices(case))


def _fails_at_its_price(case: Case, price: Price) -> bool:
    scale, within, epsilon, near = price
    _, delta = bracket(partial(EXACT[case[0].name], case[2] is ir.Sort.INT, scale, within, epsilon))
    return any(use.fails(epsilon, delta) for use in near)


# --- a fixed price --------------------------------------------------------------------------


@cache
def _price_of_a_shift(distribution: str, sort: ir.Sort) -> Term:
    """The kernel's side condition: that e nats pay for noise of scale s that is moved by d."""
    (name,) = (
        name for name, (of, _, fields) in COUPLINGS.items() if of == distribution and "given" in fields
    )
    return _condition(
        f"""
        @mechanism(adjacent={{"x": absolute_distance(1)}}, requires="s > 0 and d >= 0 and e >= 0")
        def moved(x: {KINDS[sort]}, s: float, d: float, e: float) -> {KINDS[sort]}:
            y = {distribution}(x, s)
            return y
        """,
        rule(name, k=number(0, SORTS[sort]), within="|d<>|", cost="cost#0", amount="1"),
        {"sort": "Int", "weight": "|e<>|", "bound": "1"},
        Code.DISTANCE_NOT_PAID,
    )


def _shifts() -> list[object]:
    """Couplings with a shift, of noise that the kernel has a rule about."""
    known = {of for of, _, _ in COUPLINGS.values()}
    return [item for item in cases(lemma=False) if item.values[0][1].free and item.values[0][0].name in known]


@pytest.mark.parametrize("case", _shifts())
def test_the_kernel_asks_for_what_the_template_says(case: Case) -> None:
    """The template's cost is what the flow finds: tests/soundness/couplings/test_templates_by_lifting.py."""
    goal = _price_of_a_shift(case[0].name, case[2])
    for scale, distance in {(use.scale, use.distance): None for use in allowed(case) if use.distance}:
        values = {"|s<>|": scale, "|d<>|": distance}
        assert shown(goal, {**values, "|e<>|": distance / scale})
        assert not shown(goal, {**values, "|e<>|": TIGHT * distance / scale})


# --- tails ----------------------------------------------------------------------------------

LIMITS = {
    ir.Sort.INT: (Fraction(0), Fraction(1), Fraction(5, 2)),
    ir.Sort.REAL: (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(2)),
}


@cache
def _price_of_a_tail(side: str, sort: ir.Sort) -> Term:
    """The kernel's side condition: that d pays for noise of scale s that is t or more."""
    return _condition(
        f"""
        @mechanism(adjacent={{"x": absolute_distance(1)}}, requires="s > 0 and d >= 0")
        def cut(x: {KINDS[sort]}, s: float, t: float, d: float) -> {KINDS[sort]}:
            y = laplace(x, scale=s)
            return y
        """,
        rule("LapGen", k="null", tail=[side, "|t<>|", "cost#0"]),
        {"sort": "Int", "weight": "0.0", "bound": "1", "delta": "|d<>|"},
        Code.TAIL_NOT_PAID,
    )


def _pays(side: str, sort: ir.Sort, scale: Fraction, limit: Fraction, delta: Fraction) -> bool:
    return shown(_price_of_a_tail(side, sort), {"|s<>|": scale, "|t<>|": limit, "|d<>|": delta})


def _inside(use: Use, side: str, limit: Fraction) -> frozenset[Pair]:
    """The related cells in which run 1's noise is not given up; limits are ends of cells."""
    step = Fraction(width(use.sort))
    place = step / 2 if use.sort is ir.Sort.REAL else 0

    def kept(cell: int) -> bool:
        noise = cell * step + place - use.centers[0]
        return noise < limit and (side == "above" or -noise < limit)

    return frozenset(pair for pair in use.pairs if kept(pair[0]))


@pytest.mark.parametrize("side", ["above", "both"])
def test_no_tail_of_integers_begins_below_0(side: str) -> None:
    """On the reals one may, at a mass that is more than 1/2, or than 1."""
    below = Fraction(-1)
    assert not _pays(side, ir.Sort.INT, Fraction(1), below, Fraction(100))
    assert not _pays(side, ir.Sort.REAL, Fraction(1), below, Fraction(1))
    assert _pays(side, ir.Sort.REAL, Fraction(1), below, Fraction(100))


@pytest.mark.parametrize(("side", "sort"), list(product(("above", "both"), (ir.Sort.INT, ir.Sort.REAL))))
def test_a_tail_is_given_up_for_its_mass(side: str, sort: ir.Sort) -> None:
    """What is left is related, and is no tail.

    The mass is exact from 0 on; on the integers where the limit is one, and noise of 0 is not in both tails.
    """
    template = TEMPLATES["laplace"]
    one = {(use.scale, use.distance): use for use in uses(template, template.free_coupling(), sort)}
    for limit, scale in product(LIMITS[sort], SCALES[sort]):
        low, high = bracket(partial(_pays, side, sort, scale, limit))
        for use in (one[scale, Fraction(length)] for length in (0, width(sort))):
            pairs = _inside(use, side, limit)
            assert use.surely(Answer.YES, pairs, use.cost, use.truncation(high)), (use, limit)
            exact = limit.denominator == 1 and (side, limit) != ("both", 0)
            if limit >= 0 and (sort is ir.Sort.REAL or exact):
                assert use.surely(Answer.NO, pairs, use.cost, use.truncation(TIGHT * low)), (use, limit)
