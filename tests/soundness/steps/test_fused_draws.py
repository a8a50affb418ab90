"""Steps that fuse draws: what the search makes is accepted, and what is accepted keeps the law."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from synth.prover.normal_form.draw_fusion import fusion, mixed
from synth.prover.normal_form.pipeline import PASSES
from synth.trusted.core.expressions import Given
from synth.trusted.core.interpreter import Output, distribution
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.fused_draws import Rated, Sums, Total, Window
from synth.trusted.program.substitution import replaced
from synth.trusted.steps.fusion_codes import FusionCode
from tests.support.finite_programs import any_program
from tests.support.fused_windows import (
    PROGRAMS,
    Use,
    accepted,
    applied,
    keeps_the_law,
    mechanism,
    mutants,
    uses,
)

A_HALF = Fraction(1, 2)

# --- what is accepted -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_steps_are_accepted_and_lead_to_what_the_rewriting_makes(name: str) -> None:
    of = mechanism(name)
    found = fusion(of)
    for at, steps, end in (
        (of, found.weighed, found.plain),
        (found.named, found.windows, found.mixed),
    ):
        for make in steps:
            use = Use(at, make())
            assert accepted(use)
            assert keeps_the_law(use)
            at, _ = applied(use)
        assert at == end
    assert found.mixed == mixed(of)


def _keeps_the_exact_distribution(name: str, k: int, n: int, b: bool) -> None:
    inputs: dict[str, Given] = {
        "b": b, "x": n, "q": [1, 0], "w": [A_HALF, A_HALF, 1], "k": k, "n": n, "eps": 1
    }  # fmt: skip
    for use in uses(mechanism(name)):
        one, other = (distribution(of, inputs, 0).outcomes for of in (use.before, applied(use)[0]))
        assert one == other
        assert all(isinstance(outcome, Output) for outcome in one)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_steps_keep_the_exact_distribution_of_the_output(name: str) -> None:
    _keeps_the_exact_distribution(name, 2, 1, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_steps_keep_the_exact_distribution_on_more_inputs(name: str) -> None:
    for k, n, b in product((1, 3), (0, 2), (True, False)):
        _keeps_the_exact_distribution(name, k, n, b)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_the_steps_of_random_programs_are_accepted(seed: int) -> None:
    try:
        (of,) = read_source(any_program(random.Random(seed)), "random.py")
    except ProgramError:
        return
    for rewrite in PASSES[:-1]:
        of = rewrite(of)
    assert all(accepted(use) for use in uses(of))


# --- mutants --------------------------------------------------------------------------------------

QUICK = (
    "replaced now and then",
    "the value from before",
    "two coins",
    "a guarded division",
    "weights, then a coin",
)
HARMLESS = ("bounds dropped", "obligation changed", "obligation dropped")
"""A bound that says nothing new, and an obligation that a step doesn't need, make no difference."""


def _mutants(name: str, seeds: range) -> Counter[tuple[str, bool]]:
    """How many mutants of each kind are accepted, and how many not; each that is keeps the law."""
    found: Counter[tuple[str, bool]] = Counter()
    for number, use in enumerate(uses(mechanism(name))):
        for seed in seeds:
            for kind, mutant in mutants(use, random.Random(f"{name} {number} {seed}")):
                if mutant != use:
                    is_accepted = accepted(mutant)
                    assert not is_accepted or keeps_the_law(mutant), (name, number, seed, kind)
                    found[kind, is_accepted] += 1
    return found


@pytest.mark.parametrize("name", QUICK)
def test_mutants_that_are_accepted_keep_the_law(name: str) -> None:
    found = _mutants(name, range(1))
    careless = {kind for (kind, is_accepted), count in found.items() if is_accepted and count > 2}
    assert careless <= set(HARMLESS)
    assert sum(count for (_, is_accepted), count in found.items() if not is_accepted) > 12


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_many_mutants(name: str) -> None:
    assert _mutants(name, range(1, 4))


@pytest.mark.slow
def test_a_draw_is_not_fused_twice() -> None:
    """Behind the step the window is another one; where it may be fused again, it has the same law."""
    for name in PROGRAMS:
        for use in uses(mechanism(name)):
            again = Use(applied(use)[0], use.step)
            assert not accepted(again) or keeps_the_law(again)


def test_windows_that_overlap_are_refused() -> None:
    (of,) = (use for use in uses(mechanism("sums of two draws")) if _length(use) == 3)
    assert isinstance(of.step, Window)
    shorter = replace(of.step, length=2, place=(of.step.place[0] + 1,))
    assert not accepted(Use(applied(of)[0], of.step))
    assert not accepted(Use(applied(of)[0], shorter))


def _length(use: Use) -> int:
    return use.step.length if isinstance(use.step, Window) else 1


# --- one refusal each -----------------------------------------------------------------------------

SPAN = ir.Span(1, 1)
INT, REAL, BOOL = ir.Sort.INT, ir.Sort.REAL, ir.Sort.BOOL
X, Y, K, O = (ir.Variable(name, INT) for name in ("x", "y", "k", "o"))  # noqa: E741
C = ir.Variable("c", BOOL)
HALF = builders.divide(builders.ONE, builders.integer(2))
ONE = builders.convert(builders.ONE, REAL)
NOTHING = builders.zero(REAL)


def _program(*body: ir.Statement) -> ir.Mechanism:
    parameter = ir.Parameter("k", ir.ParameterKind.SCALAR, INT, 0, None, SPAN)
    variables = {"x": INT, "y": INT, "c": BOOL, "r": REAL}
    return ir.Mechanism("f", (parameter,), builders.TRUE, None, None, body, variables, {}, SPAN, "f.py", "")


def _coin(target: str = "c", chance: ir.Expression = HALF) -> ir.Choose:
    index = ir.Variable("i", BOOL)
    law = ir.Chances(((index, chance), (builders.negate(index), builders.subtract(ONE, chance))))
    return ir.Choose(0, target, "bernoulli", "i", law, BOOL, SPAN)


def _one(*outcomes: tuple[ir.Expression, ir.Expression], target: str = "y", index: str = "o") -> ir.Choose:
    return ir.Choose(0, target, "mixture", index, ir.Chances(outcomes), INT, SPAN)


def _assign(target: str, value: ir.Expression) -> ir.Assign:
    return ir.Assign(target, value, SPAN)


def _asks(condition: ir.Expression) -> ir.Obligation:
    return ir.Obligation("scale", condition, "asked", SPAN)


def _return(value: ir.Expression = Y) -> ir.Return:
    return ir.Return((value,), (), SPAN)


TOSSED = (_coin(), _assign("y", builders.choose(C, builders.ONE, K)))
ONE_OR_K = (builders.equal(O, builders.ONE), HALF), (builders.equal(O, K), HALF)
TOGETHER = (
    (builders.both(builders.equal(O, builders.ONE), builders.equal(O, K)), ONE),
    (builders.both(builders.equal(O, builders.ONE), builders.negate(builders.equal(O, K))), HALF),
    (builders.both(builders.equal(O, K), builders.negate(builders.equal(O, builders.ONE))), HALF),
)
FUSED = Window((0,), 2, (), _one(*TOGETHER), (Sums(),))


def _code(of: ir.Mechanism, step: Window | Rated) -> object:
    with pytest.raises(Rejected) as refused:
        applied(Use(of, step))
    return refused.value.why.code


def test_the_step_that_the_following_spoil_is_accepted() -> None:
    assert accepted(Use(_program(*TOSSED, _return()), FUSED))


def test_outcomes_that_may_coincide_are_told_apart() -> None:
    step = replace(FUSED, draw=_one(*ONE_OR_K))
    assert not accepted(Use(_program(*TOSSED, _return()), step))
    apart = replace(step, obligations=(_asks(builders.less(builders.ONE, K)),))
    assert accepted(Use(_program(apart.obligations[0], *TOSSED, _return()), replace(apart, length=3)))
    assert not accepted(Use(_program(apart.obligations[0], *TOSSED, _return()), replace(step, length=3)))


def test_what_the_window_assigns_may_not_be_read_behind_it() -> None:
    of = _program(*TOSSED, _return(builders.choose(C, Y, X)))
    assert _code(of, FUSED) is FusionCode.STILL_READ
    before = _program(_assign("c", builders.TRUE), ir.If(0, C, (), (), SPAN), *TOSSED, _return())
    assert _code(before, replace(FUSED, place=(2,))) is FusionCode.STILL_READ


def test_a_value_for_the_next_iteration_is_still_read() -> None:
    inside = (ir.If(0, C, (_return(),), (), SPAN), *TOSSED)
    of = _program(_assign("c", builders.FALSE), _assign("y", K), ir.Loop(0, inside, SPAN))
    assert _code(of, replace(FUSED, place=(2, 0, 1))) is FusionCode.STILL_READ
    law = _one((builders.equal(O, Y), HALF), (builders.equal(O, C), HALF))
    assert _code(of, replace(FUSED, place=(2, 0, 1), draw=law)) is FusionCode.STILL_READ


@pytest.mark.parametrize(
    "statement",
    [
        ir.Draw(1, "r", "laplace", (NOTHING, ONE), REAL, SPAN),
        ir.NewList("out", SPAN),
        ir.Append("out", (Y,), SPAN),
        ir.Return((Y,), (), SPAN),
        ir.Block("out", ()),
        ir.Exit("out", SPAN),
        ir.Loop(0, (_assign("y", Y),), SPAN),
        ir.Assume(builders.TRUE, SPAN),
        ir.If(0, builders.TRUE, (), (ir.Exit("out", SPAN),), SPAN),
    ],
)
def test_windows_only_compute_and_draw(statement: ir.Statement) -> None:
    of = _program(ir.Block("out", (*TOSSED, statement)), _return())
    assert _code(of, replace(FUSED, place=(0, 0, 0), length=3)) is FusionCode.MORE_THAN_DRAWS
    of = _program(ir.Block("out", (statement, *TOSSED)), _return())
    assert _code(of, replace(FUSED, place=(0, 0, 0), length=3)) is FusionCode.MORE_THAN_DRAWS


@pytest.mark.parametrize("place", [(), (-1,), (2,), (9,), (0, 0), (0, 0, 0), (2, 0, 0, 0), (0, -1, 0)])
def test_places_that_are_not_there(place: tuple[int, ...]) -> None:
    assert _code(_program(*TOSSED, _return()), replace(FUSED, place=place)) is FusionCode.NO_SUCH_PLACE


@pytest.mark.parametrize("length", [-1, 0, 4])
def test_lengths_that_are_not_there(length: int) -> None:
    assert _code(_program(*TOSSED, _return()), replace(FUSED, length=length)) is FusionCode.NO_SUCH_PLACE


def test_names_and_sorts() -> None:
    of = _program(*TOSSED, _return())
    for name in ("x", "y", "c", "k"):
        assert _code(of, replace(FUSED, draw=_one(*TOGETHER, index=name))) is FusionCode.NAME_TAKEN
    for target in ("r", "c", "k", "nowhere"):
        draw = replace(_one(*TOGETHER), target=target)
        assert _code(_program(*TOSSED, _return(X)), replace(FUSED, draw=draw)) in (
            FusionCode.NOT_OF_THE_SORT,
            FusionCode.STILL_READ,
        )
    weights = ir.Weights(builders.ONE, NOTHING, ONE)
    assert _code(of, replace(FUSED, draw=replace(FUSED.draw, law=weights))) is Code.CHOOSES_BY_WEIGHTS
    ill_sorted = _one((O, ONE))
    assert _code(of, replace(FUSED, draw=ill_sorted)) is Code.WRONG_SORT
    unknown = _one((builders.equal(O, ir.Variable("nowhere", INT)), ONE))
    assert _code(of, replace(FUSED, draw=unknown)) is Code.UNKNOWN_SYMBOL
    stray = _program(_coin(), _assign("y", builders.choose(C, builders.ONE, O)), _return())
    assert _code(stray, FUSED) is Code.UNKNOWN_SYMBOL


@pytest.mark.parametrize("count", [0, 2])
def test_as_many_sums_as_draws(count: int) -> None:
    assert (
        _code(_program(*TOSSED, _return()), replace(FUSED, sums=(Sums(),) * count)) is FusionCode.NOT_THE_SUMS
    )


def test_obligations_stay() -> None:
    asked = _asks(builders.less(builders.ZERO, K))
    of = _program(TOSSED[0], asked, TOSSED[1], _return())
    assert not accepted(Use(of, replace(FUSED, length=3)))
    for kept in (asked, _asks(builders.less(builders.ONE, K)), _asks(builders.equal(K, builders.integer(7)))):
        assert accepted(Use(of, replace(FUSED, length=3, obligations=(kept,))))
    for lost in (_asks(builders.less_equal(builders.ZERO, K)), _asks(builders.less(K, builders.ZERO))):
        assert not accepted(Use(of, replace(FUSED, length=3, obligations=(lost,))))


def test_obligations_under_a_branch() -> None:
    asked = _asks(builders.less(builders.ZERO, K))
    some = builders.less(builders.integer(5), X)
    of = _program(TOSSED[0], ir.If(0, some, (asked,), (), SPAN), TOSSED[1], _return())
    assert not accepted(Use(of, replace(FUSED, length=3)))
    guarded = _asks(builders.either(builders.negate(some), asked.condition))
    other_side = _asks(builders.either(some, asked.condition))
    assert accepted(Use(of, replace(FUSED, length=3, obligations=(guarded,))))
    assert not accepted(Use(of, replace(FUSED, length=3, obligations=(other_side,))))
    drawn = _program(TOSSED[0], ir.If(0, C, (asked,), (), SPAN), TOSSED[1], _return())
    unless = _asks(builders.either(builders.negate(C), asked.condition))
    assert _code(drawn, replace(FUSED, length=3, obligations=(unless,))) is FusionCode.STILL_READ
    assert accepted(Use(drawn, replace(FUSED, length=3, obligations=(asked,))))


def test_obligations_are_not_about_what_the_window_assigns() -> None:
    asked = _asks(builders.less(builders.ZERO, Y))
    of = _program(*TOSSED, asked, _return())
    assert _code(of, replace(FUSED, length=3, obligations=(asked,))) is FusionCode.ASKS_OF_ASSIGNED


def test_an_obligation_is_not_known_of_values_that_the_window_changes() -> None:
    """y is 0 before the window, so the obligation holds; behind the assignment it says nothing of y."""
    asked = _asks(builders.equal(Y, builders.ZERO))
    of = _program(_coin(), _assign("y", K), _assign("y", builders.choose(C, Y, builders.ZERO)), _return())
    wrong = replace(FUSED, length=3, obligations=(asked,), draw=_one((builders.equal(O, builders.ZERO), ONE)))
    assert not accepted(Use(of, wrong))


def test_the_value_from_before() -> None:
    kept = ir.If(0, C, (_assign("y", builders.ONE),), (), SPAN)
    of = _program(_coin(), kept, _return())
    right = [(builders.both(*map(_of_y, parts.operands)), chance) for parts, chance in _parts()]
    assert accepted(Use(of, replace(FUSED, draw=_one(*right))))
    assert not accepted(Use(of, FUSED))


def _parts() -> list[tuple[ir.Operation, ir.Expression]]:
    return [(parts, chance) for parts, chance in TOGETHER if isinstance(parts, ir.Operation)]


def _of_y(condition: ir.Expression) -> ir.Expression:
    return replaced(condition, {"k": Y})


def test_a_law_of_the_program_whose_outcomes_overlap_is_refused() -> None:
    index = ir.Variable("i", BOOL)
    overlapping = replace(_coin(), law=ir.Chances(((index, HALF), (builders.TRUE, HALF))))
    of = _program(overlapping, TOSSED[1], _return())
    assert not accepted(Use(of, FUSED))


def test_chances_are_compared_exactly() -> None:
    of = _program(_coin(chance=builders.add(HALF, _tiny())), TOSSED[1], _return())
    assert not accepted(Use(of, FUSED))


def _tiny() -> ir.Expression:
    return builders.divide(builders.ONE, builders.integer(10**40))


def test_expectations_have_a_largest_size() -> None:
    doubled = builders.choose(C, builders.add(Y, Y), builders.add(Y, builders.ONE))
    of = _program(*(_coin(), _assign("y", doubled)) * 40, _return())
    assert _code(of, replace(FUSED, length=80, sums=(Sums(),) * 40)) is Code.TERM_TOO_LONG


# --- sums -----------------------------------------------------------------------------------------


def _drawn(*outcomes: tuple[ir.Expression, ir.Expression]) -> ir.Choose:
    return replace(_one(*outcomes, index="i"), target="x")


I = ir.Variable("i", INT)  # noqa: E741
J = ir.Variable("j", INT)


def _all_of(low: ir.Expression, high: ir.Expression, index: ir.Expression) -> ir.Expression:
    return builders.both(builders.less_equal(low, index), builders.less_equal(index, high))


def _uniform() -> tuple[ir.Mechanism, Window]:
    """x from 0 to k, and whether it is k: a chance of 1/(k + 1), where k is not negative."""
    size = builders.convert(builders.add(K, builders.ONE), REAL)
    chance = builders.divide(ONE, size)
    asked = _asks(builders.less_equal(builders.ZERO, K))
    draw = _drawn((_all_of(builders.ZERO, K, I), chance))
    hit = _assign("y", builders.choose(builders.equal(ir.Variable("x", INT), K), builders.ONE, builders.ZERO))
    of = _program(asked, draw, hit, _return())
    rest = builders.subtract(ONE, chance)
    law = _one((builders.equal(O, builders.ONE), chance), (builders.equal(O, builders.ZERO), rest))
    is_one, is_zero = (builders.equal(O, item) for item in (builders.ONE, builders.ZERO))
    value = builders.choose(is_one, chance, builders.choose(is_zero, rest, NOTHING))
    early = builders.less_equal(J, builders.ZERO)
    late = builders.less(K, J)
    many = builders.arithmetic(ir.Operator.MULTIPLY, builders.convert(J, REAL), chance)
    on_the_way = builders.choose(is_zero, many, NOTHING)
    below = builders.choose(early, NOTHING, builders.choose(late, value, on_the_way))
    total = Total("j", below, value, (builders.ZERO, K))
    return of, Window((0,), 3, (asked,), law, (Sums(total),))


def test_a_sum_over_a_range() -> None:
    of, step = _uniform()
    assert accepted(Use(of, step))
    assert keeps_the_law(Use(of, step))


def test_an_empty_range_has_no_chances() -> None:
    """Without the obligation k may be -1, and nothing is drawn; the sum is 1 all the same."""
    of, step = _uniform()
    bare = replace(of, body=of.body[1:])
    assert not accepted(Use(bare, replace(step, length=2, obligations=())))


def test_a_sum_that_never_ends_is_refused() -> None:
    of, step = _uniform()
    endless = _drawn((builders.less_equal(builders.ZERO, I), HALF))
    of = replace(of, body=(of.body[0], endless, *of.body[2:]))
    total = step.sums[0].expected
    assert total is not None
    half = builders.arithmetic(ir.Operator.MULTIPLY, HALF, builders.convert(J, REAL))
    below = builders.choose(builders.less(J, builders.ZERO), NOTHING, half)
    for bounds in ((), (builders.ZERO,), (builders.ZERO, K), (builders.ZERO, J)):
        other = Total("j", below, half, bounds)
        with pytest.raises(Rejected) as refused:
            applied(Use(of, replace(step, sums=(Sums(other),))))
        assert refused.value.why.code is Code.UNKNOWN_SYMBOL
        constant = Total("j", below, ONE, bounds[:1])
        assert not accepted(Use(of, replace(step, sums=(Sums(constant),))))


def test_without_bounds_nothing_is_summed_up() -> None:
    of, step = _uniform()
    total = step.sums[0].expected
    assert total is not None
    for bounds in ((), (K,), (builders.ZERO,), (builders.integer(-5), builders.integer(5))):
        assert not accepted(Use(of, replace(step, sums=(Sums(replace(total, bounds=bounds)),))))
    more = (builders.integer(-5), builders.ZERO, K, X)
    assert accepted(Use(of, replace(step, sums=(Sums(replace(total, bounds=more)),))))


def test_a_draw_of_an_integer_needs_its_sum() -> None:
    of, step = _uniform()
    assert _code(of, replace(step, sums=(Sums(),))) is FusionCode.NO_SUM


# --- weights --------------------------------------------------------------------------------------


def test_weights_with_demands_are_not_fused() -> None:
    (use,) = uses(mechanism("weights with a closed form"))
    of, step = use.before, use.step
    assert isinstance(step, Window)
    (choice,) = (item for item in of.body if isinstance(item, ir.Choose))
    assert isinstance(choice.law, ir.Weights)
    asked = _asks(builders.less(builders.ZERO, ir.Variable("n", INT)))
    other = replace(choice, law=replace(choice.law, demands=(asked,)))
    body = tuple(other if item is choice else item for item in of.body)
    assert _code(replace(of, body=body), step) is FusionCode.ASKS_OF_ASSIGNED


def test_score_and_rate_keep_their_product() -> None:
    use = next(use for use in uses(mechanism("weights, then a coin")) if isinstance(use.step, Rated))
    step = use.step
    assert accepted(use)
    assert not accepted(Use(use.before, replace(step, rate=builders.opposite(step.rate))))
    assert not accepted(Use(use.before, replace(step, rate=ONE)))
    assert _code(use.before, replace(step, place=(99,))) is Code.CHOOSES_BY_CHANCES
    assert _code(use.before, replace(step, place=())) is FusionCode.NO_SUCH_PLACE


def _base_measure() -> tuple[ir.Mechanism, Rated]:
    """A draw whose base measure is divided by eps / 2, which ``requires`` says is positive."""
    use = next(use for use in uses(mechanism("a base measure")) if isinstance(use.step, Rated))
    return use.before, use.step


def test_a_base_measure_is_divided_by_a_rate_that_is_positive() -> None:
    before, step = _base_measure()
    assert accepted(Use(before, step))
    assert not accepted(Use(replace(before, requires=builders.TRUE), step))
    at_least_0 = builders.less_equal(builders.ZERO, ir.Variable("eps", ir.Sort.REAL))
    assert not accepted(Use(replace(before, requires=at_least_0), step))


def test_what_is_required_of_a_parameter_is_not_known_of_what_is_assigned_to_it() -> None:
    before, step = _base_measure()
    none = ir.Assign("eps", ir.Constant(Fraction(0), ir.Sort.REAL), before.span)
    body = (none, *before.body)
    moved = replace(step, place=(step.place[0] + 1, *step.place[1:]))
    assigned = replace(before, body=body, variables={**before.variables, "eps": ir.Sort.REAL})
    assert not accepted(Use(assigned, moved))


def test_a_rate_is_not_about_the_index() -> None:
    use = next(use for use in uses(mechanism("weights, then a coin")) if isinstance(use.step, Rated))
    assert (
        _code(use.before, Rated(use.step.place, use.step.index, use.step.rate, use.step.score))
        is Code.UNKNOWN_SYMBOL
    )
