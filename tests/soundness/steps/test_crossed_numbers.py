"""A coin becomes noise that crosses a number with just the chance of the coin, or stays a coin.

Laws are compared on cells: noise falls on the middles, by chance, of equally likely intervals.  The numbers
are between them, so chances that are multiples of a cell are met.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from synth.prover.normal_form.recording import crossing
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.core import expressions
from synth.trusted.core.expressions import Number, Value, start
from synth.trusted.core.interpreter import Drawing, Outcome, OutOfFuel, to_next_draw
from synth.trusted.core.laws import Law, Listed, Noise
from synth.trusted.kernel.check import VALID, check
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.laws import bernoulli
from synth.trusted.program.numbering import renumber
from synth.trusted.steps import crossing as trusted
from synth.trusted.steps.rewriting import Cross, taken
from tests.support.refuting import mechanism

CELLS = 8
HEAD = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="0 < p <= 1", epsilon=0, delta="p")
def f(x: int, p: float):
"""


def read(body: str) -> ir.Mechanism:
    rows = "\n".join(f"    {row}" for row in body.strip("\n").split("\n"))
    of = mechanism(f"{HEAD}{rows}\n")
    return replace(of, body=renumber(of.body))


def law(of: ir.Mechanism, p: Fraction) -> Counter[Outcome | OutOfFuel]:
    """The chances of the outcomes, with noise on the cells."""
    found: Counter[Outcome | OutOfFuel] = Counter()
    waiting = [(start(of, {"x": 7, "p": p}), Fraction(1))]
    while waiting:
        state, share = waiting.pop()
        reached, _ = to_next_draw(state, 1000)
        if isinstance(reached, Drawing):
            waiting += [(reached.drawn(value), share * part) for value, part in _values(reached.law)]
        else:
            found[reached] += share  # type: ignore[assignment]
    return Counter({outcome: share for outcome, share in found.items() if share})


def _values(of: Law) -> Iterator[tuple[Value, Fraction]]:
    match of:
        case Listed():
            for value in (False, True) if of.choice.sort is ir.Sort.BOOL else range(4):
                yield value, Fraction(of.chance(value))
        case Noise(distribution="exponential"):
            yield from ((of.center + of.scale * size, Fraction(1, CELLS)) for size in _sizes())
        case _:
            raise AssertionError(of)


def _sizes() -> tuple[Number, ...]:
    """The quantiles of the exponential law in the middles of equally likely parts."""
    return tuple(Fraction(-math.log(1 - (2 * cell + 1) / (2 * CELLS))) for cell in range(CELLS))


@pytest.fixture(autouse=True)
def rounded_logarithms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of core programs are exact, and log(2) has no value in them."""

    def rounded(value: Number) -> Number:
        assert isinstance(value, Fraction)
        return Fraction(math.log(value))

    monkeypatch.setitem(expressions._MEANING, ir.Operator.LOGARITHM, rounded)


CROSSED = {
    "a parameter": "return x if bernoulli(p) else 0",
    "what is left of one": "return x if bernoulli(1 - p) else 0",
    "a number": "return x if bernoulli(1/4) else 0",
    "a large number": "return x if bernoulli(7/8) else 0",
    "a half": "return bernoulli(0.5), x",
    "one": "return x if bernoulli(1.0) else 0",
    "a half of a parameter": "return x if bernoulli(p / 2) else 0",
    "a coin by data": "return bernoulli(p if x > 0 else p / 2)",
    "in a branch": "if x > 3:\n    b = bernoulli(p)\nelse:\n    b = False\nreturn b",
    "in a loop": "n = 0\nfor i in range(2):\n    n += bernoulli(p)\nreturn n",
    "beside others": "b = bernoulli(p)\nc = bernoulli(1 - p)\nreturn b and c, uniform_int(0, 1)",
}


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 4), Fraction(1)])
@pytest.mark.parametrize("name", CROSSED)
def test_the_law_stays_the_same(name: str, p: Fraction) -> None:
    of = read(CROSSED[name])
    form = of
    for place in _coins(of):
        form, _ = taken(form, Cross(place))
        assert law(form, p) == law(of, p)
    drawn = [item for item in ir.statements(form.body) if isinstance(item, ir.Draw)]
    assert len(drawn) == len({item.target for item in drawn}) >= 1


def _coins(of: ir.Mechanism) -> list[tuple[int, ...]]:
    """The places of all coins, the last ones first."""
    return list(reversed(list(_places(of.body, ()))))


def _places(body: tuple[ir.Statement, ...], place: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for number, item in enumerate(body):
        if isinstance(item, ir.Choose) and item.distribution == "bernoulli":
            yield (*place, number)
        for side, inner in enumerate(ir.blocks(item)):
            yield from _places(inner, (*place, number, side))


LEAK = """
@mechanism(adjacent={{"x": absolute_distance(1)}}, requires="0 < p < 1/2", epsilon=0, delta="p")
def f(x: float, p: float) -> float:
    return x if {} else 0.0
"""


@pytest.mark.parametrize("coin", ["bernoulli(p)", "bernoulli(p / 2)", "not bernoulli(1 - p)"])
def test_what_shows_seldom_is_given_up(coin: str) -> None:
    found = prove(mechanism(LEAK.format(coin)), load_templates())
    assert isinstance(found, Proved)
    assert '"Cross"' in found.certificate
    assert check(found.certificate).verdict == VALID


@pytest.mark.parametrize("coin", ["bernoulli(2 * p)", "not bernoulli(p)", "bernoulli(p) or bernoulli(p)"])
def test_what_shows_more_often_is_not(coin: str) -> None:
    assert not isinstance(prove(mechanism(LEAK.format(coin)), load_templates()), Proved)


REFUSED = {
    "a response": "return randomized_response(x > 0, p)",
    "a uniform draw": "return uniform_int(0, 1)",
    "noise": "return exponential(0.0, 1.0)",
    "no draw": "return x",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_coin(name: str) -> None:
    of = _without_obligations(read(REFUSED[name]))
    with pytest.raises(Rejected) as error:
        taken(of, Cross((0,)))
    assert error.value.why.code.id == "no-coin"


@pytest.mark.parametrize("place", [(), (9,), (1,), (0, 0)])
def test_a_place_without_a_coin(place: tuple[int, ...]) -> None:
    of = _without_obligations(read("return bernoulli(p)"))
    assert taken(of, Cross((0,)))
    with pytest.raises(Rejected):
        taken(of, Cross(place))


def test_a_chance_that_speaks_of_the_outcome() -> None:
    """Of c true by 1/4 where it is true, and false by 3/4: no number is crossed so."""
    of = _without_obligations(read("return bernoulli(p)"))
    coin = of.body[0]
    assert isinstance(coin, ir.Choose)
    index = ir.Variable(coin.index, coin.sort)
    chance = builders.choose(
        index, ir.Constant(Fraction(1, 4), ir.Sort.REAL), ir.Constant(Fraction(1, 2), ir.Sort.REAL)
    )
    odd = replace(of, body=(replace(coin, law=bernoulli(index, chance)), *of.body[1:]))
    with pytest.raises(Rejected) as error:
        taken(odd, Cross((0,)))
    assert error.value.why.code.id == "no-coin"


def test_a_name_is_taken_once() -> None:
    of = _without_obligations(read("b = bernoulli(p)\nreturn b"))
    after, _ = taken(of, Cross((0,)))
    (name,) = after.variables.keys() - of.variables.keys()
    with pytest.raises(Rejected):
        taken(replace(of, variables={**of.variables, name: ir.Sort.REAL}), Cross((0,)))


def test_a_chance_of_zero_is_asked_not_to_be_there() -> None:
    """Without it the number that is to be crossed would be anybody's."""
    of = mechanism("""
@mechanism(adjacent={"x": absolute_distance(1)}, requires="0 <= p <= 1", epsilon=0, delta="p")
def f(x: float, p: float) -> float:
    return x if bernoulli(p) else 0.0
""")
    of = replace(of, body=renumber(of.body))
    found = crossing(of, lambda chance: True)
    assert found is not None
    asked = {item.condition for item in ir.statements(found.program.body) if isinstance(item, ir.Obligation)}
    zero, p = builders.zero(ir.Sort.REAL), ir.Variable("p", ir.Sort.REAL)
    assert any(builders.less(zero, p) in builders.conjuncts(item) for item in asked)
    assert not isinstance(prove(of, load_templates()), Proved)


def _without_obligations(of: ir.Mechanism) -> ir.Mechanism:
    kept = tuple(item for item in of.body if not isinstance(item, ir.Obligation))
    return replace(of, body=renumber(kept))


MUTANTS = {
    "the other side": lambda p: (p, False),
    "twice the chance": lambda p: (builders.add(p, p), True),
    "what is left": lambda p: (builders.subtract(ir.Constant(Fraction(1), ir.Sort.REAL), p), True),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_another_side_or_chance_has_another_law(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = read("return x if bernoulli(p) else 0")
    monkeypatch.setattr(trusted, "seldom", MUTANTS[name])
    form, _ = taken(of, Cross(_coins(of)[0]))
    assert law(form, Fraction(1, 4)) != law(of, Fraction(1, 4))
