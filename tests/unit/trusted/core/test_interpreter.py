"""The definition of the core language, construct by construct: small programs, and what they do."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synth.trusted.core.exponential_numbers import divide, exponential
from synth.trusted.core.expressions import Inexact, Malformed, NoValue, State, evaluate
from synth.trusted.core.interpreter import Ended, OutOfFuel, Output, Undefined, Violated, outcome
from synth.trusted.core.laws import Listed, Noise, Weighted
from synth.trusted.program import syntax as ir
from synth.trusted.program.builders import FALSE, TRUE

BOOL, INT, REAL = ir.Sort.BOOL, ir.Sort.INT, ir.Sort.REAL
HERE = ir.Span(7, 1)
N, X, B = ir.Variable("i", INT), ir.Variable("x", REAL), ir.Variable("b", BOOL)
Op = ir.Operator


def number(value):
    if isinstance(value, bool):
        return TRUE if value else FALSE
    return ir.Constant(value, INT if isinstance(value, int) else REAL)


def apply(operator, *operands, sort=None):
    parts = tuple(item if isinstance(item, ir.Expression) else number(item) for item in operands)
    return ir.Operation(operator, parts, sort or parts[-1].sort)


def less(one, other):
    return apply(Op.LESS, one, other, sort=BOOL)


def assign(target, value):
    return ir.Assign(target.name, value if isinstance(value, ir.Expression) else number(value), HERE)


def returned(*values, lists=()):
    return ir.Return(tuple(values), tuple(lists), HERE)


def branch(condition, then, otherwise=()):
    return ir.If(0, condition, tuple(then), tuple(otherwise), HERE)


def loop(*body):
    return ir.Loop(0, body, HERE)


def leave(label):
    return ir.Exit(label, HERE)


def program(*body, parameters=()):
    return ir.Mechanism("m", tuple(parameters), TRUE, None, None, body, {}, {}, HERE, "m.py", "")


def parameter(name, sort=INT, kind=ir.ParameterKind.SCALAR, arity=0):
    return ir.Parameter(name, kind, sort, arity, None, HERE)


def tape(*values):
    rest = iter(values)
    return lambda site, law: next(rest)


def run(*body, noise=(), fuel=1000, **inputs):
    kinds = {tuple: (ir.ParameterKind.SEQUENCE, 1), int: (ir.ParameterKind.SCALAR, 0)}
    parameters = [
        parameter(name, INT, *kinds.get(type(value), (ir.ParameterKind.FUNCTION, 1)))
        for name, value in inputs.items()
    ]
    return outcome(program(*body, parameters=parameters), inputs, tape(*noise), fuel)


def value_of(expression, **values):
    return evaluate(expression, State((), values, {}, {}))


# --- expressions ----------------------------------------------------------------------------

HALF, E = Fraction(1, 2), exponential(1)


@pytest.mark.parametrize(
    ("operator", "operands", "value"),
    [
        (Op.ADD, (2, 3), 5),
        (Op.SUBTRACT, (2, 3), -1),
        (Op.MULTIPLY, (HALF, Fraction(3)), Fraction(3, 2)),
        (Op.DIVIDE, (Fraction(1), Fraction(3)), Fraction(1, 3)),
        (Op.FLOOR_DIVIDE, (-7, 2), -4),
        (Op.FLOOR_DIVIDE, (7, -2), -4),
        (Op.MODULO, (-7, 2), 1),
        (Op.MODULO, (7, -2), -1),
        (Op.NEGATE, (2,), -2),
        (Op.POWER, (2, 10), 1024),
        (Op.POWER, (0, 0), 1),
        (Op.POWER, (Fraction(2), Fraction(-3)), Fraction(1, 8)),
        (Op.POWER, (Fraction(0), HALF), 0),
        (Op.POWER, (Fraction(1), HALF), 1),
        (Op.EQUAL, (2, 2), True),
        (Op.EQUAL, (True, False), False),
        (Op.LESS, (2, 2), False),
        (Op.LESS_EQUAL, (2, 2), True),
        (Op.AND, (True, True, False), False),
        (Op.AND, (), True),
        (Op.OR, (False, False, True), True),
        (Op.OR, (), False),
        (Op.NOT, (True,), False),
        (Op.IF, (True, 1, 2), 1),
        (Op.IF, (False, 1, 2), 2),
        (Op.TO_REAL, (3,), Fraction(3)),
        (Op.ABSOLUTE, (-3,), 3),
        (Op.MINIMUM, (3, 1, 2), 1),
        (Op.MAXIMUM, (3, 1), 3),
        (Op.EXPONENTIAL, (Fraction(0),), 1),
        (Op.EXPONENTIAL, (Fraction(1),), E),
        (Op.LOGARITHM, (Fraction(1),), 0),
        (Op.SQUARE_ROOT, (Fraction(9, 4),), Fraction(3, 2)),
        (Op.SQUARE_ROOT, (Fraction(0),), 0),
        (Op.ROUND, (Fraction(5, 2),), 2),
        (Op.ROUND, (Fraction(7, 2),), 4),
        (Op.ROUND, (Fraction(-1, 2),), 0),
        (Op.FLOOR, (Fraction(-1, 2),), -1),
        (Op.CEILING, (Fraction(-1, 2),), 0),
        (Op.TRUNCATE, (Fraction(-3, 2),), -1),
        (Op.TRUNCATE, (Fraction(3, 2),), 1),
    ],
    ids=lambda item: getattr(item, "name", None),
)
def test_operators(operator, operands, value):
    found = value_of(apply(operator, *operands, sort=INT))
    assert found == value and isinstance(found, bool) == isinstance(value, bool)


def test_every_operator_has_a_meaning():
    for operator in Op:
        operands = {Op.IF: (True, 1, 2), Op.NOT: (True,)}.get(operator, (Fraction(1), Fraction(1)))
        for count in (1, 2):
            try:
                value_of(apply(operator, *operands[: count if operator is not Op.IF else 3], sort=INT))
                break
            except TypeError:
                assert count == 1, operator


def test_exponentials_are_computed_with():
    odds = apply(Op.EXPONENTIAL, Fraction(2))
    share = apply(Op.DIVIDE, odds, apply(Op.ADD, Fraction(1), odds))
    assert value_of(share) == divide(exponential(2), 1 + exponential(2))
    assert value_of(less(share, Fraction(88079708, 100000000))) is True
    assert value_of(less(share, Fraction(88079707, 100000000))) is False
    assert value_of(apply(Op.FLOOR, apply(Op.MULTIPLY, share, Fraction(10)), sort=INT)) == 8
    assert value_of(apply(Op.LOGARITHM, odds)) == 2


@pytest.mark.parametrize(
    "expression",
    [
        apply(Op.LOGARITHM, Fraction(2)),
        apply(Op.SQUARE_ROOT, Fraction(2)),
        apply(Op.POWER, Fraction(2), HALF),
        apply(Op.EXPONENTIAL, apply(Op.EXPONENTIAL, Fraction(1))),
    ],
)
def test_other_reals_are_not_computed_with(expression):
    with pytest.raises(Inexact):
        value_of(expression)


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        (apply(Op.DIVIDE, Fraction(1), Fraction(0)), "divisor"),
        (apply(Op.FLOOR_DIVIDE, 1, 0), "divisor"),
        (apply(Op.MODULO, 1, 0), "divisor"),
        (apply(Op.POWER, Fraction(0), Fraction(-1)), "domain"),
        (apply(Op.POWER, Fraction(-1), HALF), "domain"),
        (apply(Op.LOGARITHM, Fraction(0)), "domain"),
        (apply(Op.SQUARE_ROOT, Fraction(-1)), "domain"),
    ],
)
def test_partial_operators(expression, kind):
    with pytest.raises(NoValue) as found:
        value_of(expression)
    assert found.value.kind == kind
    nothing = {INT: 0, REAL: Fraction(0)}[expression.sort]
    assert value_of(apply(Op.IF, True, nothing, expression)) == 0, "what is not chosen is not evaluated"
    condition = apply(Op.EQUAL, expression, nothing, sort=BOOL)
    assert value_of(apply(Op.AND, False, condition)) is False
    assert value_of(apply(Op.OR, True, condition)) is True
    with pytest.raises(NoValue):
        value_of(apply(Op.AND, condition, False))
    assert run(assign(N, expression), returned(N)) == Undefined(kind, HERE)


def test_names_without_a_value_are_no_program():
    for statement in (
        assign(N, X),
        returned(lists=("ys",)),
        ir.Append("ys", (), HERE),
        assign(N, ir.Length("ys")),
    ):
        with pytest.raises(Malformed):
            run(statement)
    with pytest.raises(Malformed):
        outcome(program(returned(N), parameters=[parameter("i")]), {}, tape())


@pytest.mark.parametrize(("sort", "value"), [(INT, HALF), (INT, True), (BOOL, 1), (REAL, 0.5), (REAL, True)])
def test_inputs_have_their_sorts(sort, value):
    with pytest.raises(Malformed):
        outcome(program(returned(), parameters=[parameter("i", sort)]), {"i": value}, tape())


# --- inputs and lists -----------------------------------------------------------------------


def read(source, *index, sort=INT):
    return ir.Read(source, tuple(map(number, index)), sort)


def test_inputs_are_read():
    found = run(
        returned(N, read("q", 1), ir.Length("q"), read("f", 5)), i=3, q=(10, 20, 30), f=lambda place: -place
    )
    assert found == Output((3, 20, 3, -5), ())


@pytest.mark.parametrize("index", [-1, 3])
def test_entries_outside_have_no_value(index):
    assert run(returned(read("q", index)), q=(1, 2, 3)) == Undefined("index", HERE)
    element = ir.Element("ys", number(index), 0, INT)
    assert run(ir.NewList("ys", HERE), returned(element)) == Undefined("index", HERE)


def test_lists_grow_and_become_empty():
    append = [ir.Append("ys", (number(k), number(k > 1)), HERE) for k in (1, 2)]
    entry = ir.Element("ys", number(1), 0, INT)
    new = ir.NewList("ys", HERE)
    assert run(new, *append, returned(entry, ir.Length("ys"), lists=("ys",))) == Output(
        (2, 2), (((1, False), (2, True)),)
    )
    assert run(new, *append, new, append[0], returned(lists=("ys", "ys"))) == Output(
        (), (((1, False),), ((1, False),))
    )


# --- control --------------------------------------------------------------------------------


def test_assignments_come_one_after_the_other():
    assert run(assign(N, 1), assign(N, apply(Op.ADD, N, 1)), returned(N, N)) == Output((2, 2), ())


@pytest.mark.parametrize(("i", "result"), [(0, 1), (5, 2)])
def test_branches(i, result):
    test = branch(less(N, number(3)), [assign(N, 1)], [assign(N, 2)])
    assert run(test, returned(N), i=i) == Output((result,), ())


def test_return_ends_the_run_from_inside():
    inner = branch(less(N, number(3)), [loop(ir.Block("a", (returned(number(1)),)))])
    assert run(inner, returned(number(2)), i=0) == Output((1,), ())
    assert run(inner, returned(number(2)), i=3) == Output((2,), ())


def counting(most, *inside):
    stop = branch(less(N, number(most)), [], [leave("out")])
    return ir.Block("out", (loop(stop, *inside, assign(N, apply(Op.ADD, N, 1))),))


def test_loops_repeat_until_an_exit():
    assert run(assign(N, 0), counting(4), returned(N)) == Output((4,), ())


def test_exits_leave_the_named_block_only():
    inner = ir.Block("in", (assign(N, 1), leave("in"), assign(N, 2)))
    outer = ir.Block("out", (inner, assign(X, Fraction(3)), leave("out"), assign(X, Fraction(4))))
    assert run(outer, returned(N, X)) == Output((1, 3), ())
    both = ir.Block("out", (ir.Block("in", (assign(N, 1), leave("out"))), assign(N, 2)))
    assert run(both, returned(N)) == Output((1,), ())


def test_the_innermost_block_of_a_name_is_left():
    nested = ir.Block("a", (ir.Block("a", (leave("a"),)), assign(N, 1)))
    assert run(assign(N, 0), nested, returned(N)) == Output((1,), ())


def test_an_exit_of_an_inner_loop_goes_on_in_the_outer():
    inner = ir.Block("in", (loop(leave("in")),))
    assert run(assign(N, 0), counting(3, inner), returned(N)) == Output((3,), ())


def test_hints_of_loops_mean_nothing():
    hinted = ir.Loop(3, (leave("out"),), HERE, counter="none", count=number(-1))
    assert run(ir.Block("out", (hinted,)), returned()) == Output((), ())


@pytest.mark.parametrize("body", [(), (assign(N, 1),), (leave("none"),), (ir.Block("a", ()),)])
def test_what_is_no_program(body):
    with pytest.raises(Malformed):
        run(*body)


def test_endless_runs_are_out_of_fuel():
    assert run(loop()) == OutOfFuel()
    assert run(assign(N, 0), counting(10**9), returned(N)) == OutOfFuel()


def test_obligations_and_assumptions():
    owed = ir.Obligation("divisor", less(N, number(3)), "why", HERE)
    assumed = ir.Assume(less(N, number(3)), HERE)
    assert run(owed, assumed, returned(N), i=2) == Output((2,), ())
    assert run(owed, assumed, returned(N), i=3) == Violated("divisor", HERE)
    assert run(assumed, owed, returned(N), i=3) == Ended(HERE)


# --- draws ----------------------------------------------------------------------------------


def draw(target, distribution, center, scale):
    return ir.Draw(4, target.name, distribution, (number(center), number(scale)), target.sort, HERE)


def test_a_draw_is_what_the_noise_gives():
    seen = []

    def noise(site, law):
        seen.append((site, law))
        return 12

    of = program(draw(N, "laplace", 10, Fraction(2)), returned(N))
    assert outcome(of, {}, noise) == Output((12,), ())
    assert seen == [(4, Noise("laplace", INT, 10, Fraction(2)))]


def test_exponential_noise_is_not_below_its_center():
    found = draw(X, "exponential", Fraction(1), Fraction(2)), returned(X)
    assert run(*found, noise=[Fraction(3, 2)]) == Output((Fraction(3, 2),), ())
    with pytest.raises(Malformed):
        run(*found, noise=[HALF])


@pytest.mark.parametrize("scale", [Fraction(0), Fraction(-1)])
def test_a_scale_that_is_not_positive_gives_no_law(scale):
    assert run(draw(N, "laplace", 0, scale), returned(N), noise=[0]) == Undefined("scale", HERE)


def listed(target, *outcomes):
    return ir.Choose(4, target.name, "bernoulli", "o", ir.Chances(outcomes), target.sort, HERE)


OUT = ir.Variable("o", INT)


def test_a_coin_is_what_the_noise_gives():
    out = ir.Variable("o", BOOL)
    coin = listed(B, (out, number(HALF)), (apply(Op.NOT, out), number(HALF)))
    assert [run(coin, returned(B), noise=[side]) for side in (True, False)] == [
        Output((True,), ()),
        Output((False,), ()),
    ]


def test_only_listed_outcomes_are_drawn():
    found = listed(N, (less(OUT, number(3)), number(HALF))), returned(N)
    assert run(*found, noise=[2]) == Output((2,), ())
    with pytest.raises(Malformed):
        run(*found, noise=[3])


def weighted(count, score, rate=Fraction(1), demands=()):
    law = ir.Weights(number(count), score, number(rate), demands)
    return ir.Choose(4, "i", "choice", "o", law, INT, HERE)


def test_indices_are_drawn_by_weights():
    found = weighted(2, apply(Op.TO_REAL, OUT, sort=REAL)), returned(N)
    assert run(*found, noise=[1]) == Output((1,), ())
    with pytest.raises(Malformed):
        run(*found, noise=[2])


def test_demands_hold_for_every_index():
    demand = ir.Obligation("index", less(OUT, number(2)), "why", ir.Span(9, 9))
    for count, expected in ((2, Output((0,), ())), (3, Violated("index", ir.Span(9, 9)))):
        assert run(weighted(count, number(HALF), demands=(demand,)), returned(N), noise=[0]) == expected


def test_there_must_be_an_index():
    assert run(weighted(0, number(HALF)), returned(N), noise=[0]) == Undefined("scale", HERE)


@pytest.mark.parametrize("law", [Noise, Listed, Weighted])
def test_noise_sees_the_law(law):
    draws = {
        Noise: draw(N, "laplace", 0, Fraction(1)),
        Listed: listed(N, (less(OUT, number(3)), number(HALF))),
        Weighted: weighted(2, number(HALF)),
    }
    seen = []
    outcome(program(draws[law], returned(N)), {}, lambda site, given: seen.append(given) or 0)
    assert [type(item) for item in seen] == [law]
