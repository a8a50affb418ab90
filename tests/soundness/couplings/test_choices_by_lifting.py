"""Draws of finitely many values against the definition of a lifting, which a maximum flow decides.

Run 2 draws the value that run 1 draws.  What is proved of the draw pays for equality.  Of a law with chances
each value v has a price of its own, that of the relation "run 1 draws v ⇒ run 2 draws v".  The laws are those
that the reader gives, at small inputs.  Nothing is cut off; irrational chances are rounded to the side that
makes the answer sure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest
from flint import arb

from synth.bounds.scales import Scales
from synth.liftings.flow import Answer, decide
from synth.prover.costs.likelihood_ratios import Pricing
from synth.prover.normal_form.pipeline import canonical
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.prove import Proved, prove
from synth.refuter.exact.choosing import distribution_of
from synth.refuter.exact.evaluation import Compiler
from synth.refuter.exact.forms import Exact, Form, Value
from synth.refuter.exact.inputs import Datum, Inputs, families, is_adjacent, lengths, public_value, scalars
from synth.refuter.exact.laws import Enclosure, to_arb
from synth.refuter.exact.states import State
from synth.trusted.frontend.claim import read_claim
from synth.trusted.frontend.vocabulary import CHOICES
from synth.trusted.program import syntax as ir
from tests.support.proving import from_text
from tests.support.truncated import ROUNDING, TEMPLATES

Law = Mapping[Exact, arb]
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Program:
    """A mechanism that returns a draw, and values of its parameters.

    At ``part`` of the bound that is proved, some neighbours are not related.
    """

    text: str
    values: Mapping[str, tuple[Datum, ...]]
    part: Fraction = Fraction(999, 1000)


def _functions(values: tuple[Fraction | int, ...], size: int) -> tuple[Datum, ...]:
    return tuple(product(values, repeat=size))


SCORES = _functions((0, 1, 60, 61), 2)
PROGRAMS = {
    "response": Program(
        """
        @mechanism(adjacent={"bit": discrete_distance()}, requires="eps >= 0")
        def response(bit: bool, eps: float) -> bool:
            return randomized_response(bit, eps)
        """,
        {"bit": (False, True), "eps": (0, HALF, 2)},
    ),
    "coin": Program(
        """
        @mechanism(adjacent={"bit": discrete_distance()})
        def coin(bit: bool) -> bool:
            return bernoulli(3/4 if bit else 1/5)
        """,
        {"bit": (False, True)},
        part=HALF,  # the prices of True and False are added up, though only one of them is paid
    ),
    "one of k": Program(
        """
        @mechanism(adjacent={"x": discrete_distance()}, requires="k >= 2 and 0 < p and p <= 1")
        def one_of(x: int, k: int, p: float) -> int:
            return uniform_int(0, k - 1) if bernoulli(p) else x % k
        """,
        {"x": (0, 1, 2), "k": (2, 3), "p": (Fraction(1, 10), 1)},
    ),
    "uniform": Program(
        """
        @mechanism(adjacent={"x": discrete_distance()}, requires="k >= 1")
        def uniform(x: int, k: int) -> int:
            return uniform_int(2, k + 1)
        """,
        {"x": (0, 5), "k": (1, 4)},
    ),
    "scores": Program(
        """
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1")
        def scores(q: Callable[[int], int], n: int, eps: float) -> int:
            return exponential_mechanism(n, q, eps, 1)
        """,
        {"q": SCORES, "n": (2,), "eps": (HALF, 1)},
    ),
    "monotone scores": Program(
        """
        @mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0 and n >= 1")
        def monotone(q: Callable[[int], int], n: int, eps: float) -> int:
            return exponential_mechanism(n, q, eps, 1)
        """,
        {"q": SCORES, "n": (2,), "eps": (HALF, 1)},
    ),
    "logarithms": Program(
        """
        @mechanism(adjacent={"q": linf_distance("c")}, requires="n >= 1 and c > 0")
        def logarithms(q: Callable[[int], float], n: int, c: float) -> int:
            return choice(n, lambda r: 1 - q(r))
        """,
        {"q": _functions((0, HALF, 1, 20, 21), 2), "n": (2,), "c": (HALF, 1)},
    ),
    "weights": Program(
        """
        @mechanism(
            adjacent={"degree": linf_distance(1)},
            requires="n >= 1 and w > 0",
            ghosts={"t": int, "u": int},
            facts=["degree(v) >= 0", "one(degree(v)) == two(degree(v)) or v == t or v == u"],
        )
        def weights(degree: Callable[[int], int], n: int, w: float) -> int:
            return choice(n, lambda v: log(degree(v) + w))
        """,
        {
            "degree": tuple((*pair, 1) for pair in product((0, 1, 2), repeat=2)),
            "n": (3,),
            "w": (1, 4),
            "t": (0,),
            "u": (1,),
        },
        part=HALF,  # ln(1 + x) is paid as x, and a weight falls where another rises
    ),
}


CANDIDATES: dict[ir.Sort, tuple[Exact, ...]] = {ir.Sort.BOOL: (False, True), ir.Sort.INT: tuple(range(-2, 8))}
"""Of draws with chances: all values that can be drawn here."""


def _ball(value: Value) -> arb:
    assert not isinstance(value, Form)
    return to_arb(value)


@dataclass(frozen=True)
class Drawn:
    """The draw of a program, with its laws on two adjacent inputs."""

    mechanism: ir.Mechanism
    choice: ir.Choose
    inputs: tuple[Inputs, Inputs]

    def laws(self) -> tuple[Law, Law]:
        """The values' chances in run 1 and in run 2."""
        first, second = map(self._law, self.inputs)
        return first, second

    def _law(self, inputs: Inputs) -> Law:
        if not isinstance(self.choice.law, ir.Chances):
            return dict(distribution_of(self.choice, self._compiler(inputs).compile)(self._state(inputs)))
        chances = [self._compiler(inputs).compile(chance) for _, chance in self.choice.law.outcomes]
        places = {drawn: self._outcome(inputs, drawn) for drawn in CANDIDATES[self.choice.sort]}
        found = {
            drawn: _ball(chances[place](self._state(inputs)))
            for drawn, place in places.items()
            if place < len(chances)
        }
        assert sum(found.values(), arb(0)).overlaps(arb(1)), "some value is missing"
        return found

    def _compiler(self, inputs: Inputs) -> Compiler:
        return Compiler((families(self.mechanism, inputs),), lengths(self.mechanism, inputs))

    def _state(self, inputs: Inputs) -> State:
        return State(0, dict(scalars(self.mechanism, inputs)), arb(1))

    def outcomes(self, drawn: Exact) -> tuple[int, int]:
        """The numbers of the law's conditions that a value satisfies in the two runs, or the next number."""
        first, second = (self._outcome(inputs, drawn) for inputs in self.inputs)
        return first, second

    def _outcome(self, inputs: Inputs, drawn: Exact) -> int:
        assert isinstance(self.choice.law, ir.Chances)
        state, compiler = self._state(inputs), self._compiler(inputs)
        state.values[self.choice.index] = drawn
        held = [bool(compiler.compile(condition)(state)) for condition, _ in self.choice.law.outcomes]
        assert sum(held) <= 1, "the outcomes exclude each other"
        return [*held, True].index(True)

    def nats(self, price: ir.Expression) -> Enclosure:
        """A price at these inputs."""
        found = public_value(self.mechanism, price, self.inputs[0])
        return found if isinstance(found, Enclosure) else Enclosure(Fraction(found), Fraction(found))


def _drawn(name: str) -> list[Drawn]:
    """The program's draw on all pairs of adjacent inputs."""
    mechanism = canonical(from_text(PROGRAMS[name].text))
    (choice,) = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose))
    values = PROGRAMS[name].values
    inputs: list[Inputs] = [dict(zip(values, items, strict=True)) for items in product(*values.values())]
    pairs = [pair for pair in product(inputs, inputs) if is_adjacent(mechanism, *pair)]
    assert pairs
    return [Drawn(mechanism, choice, pair) for pair in pairs]


Relation = Callable[[Exact, Exact], bool]


def _same(first: Exact, second: Exact) -> bool:
    return first == second


def _implied(drawn: Exact) -> Relation:
    return lambda first, second: first != drawn or second == drawn


def related(laws: tuple[Law, Law], relation: Relation, epsilon: Fraction) -> bool:
    """Whether the laws surely are, as they are if ``epsilon`` is enough."""
    first = {value: Enclosure.of(mass).high for value, mass in laws[0].items()}
    second = {value: Enclosure.of(mass).low for value, mass in laws[1].items()}
    return decide(first, second, relation, epsilon, ROUNDING).answer is Answer.YES


def unrelated(laws: tuple[Law, Law], relation: Relation, epsilon: Fraction) -> bool:
    """Whether the laws surely aren't."""
    first = {value: Enclosure.of(mass).low for value, mass in laws[0].items()}
    second = {value: Enclosure.of(mass).high for value, mass in laws[1].items()}
    return decide(first, second, relation, epsilon, ROUNDING).answer is Answer.NO


def test_every_draw_of_finitely_many_values_is_here() -> None:
    read = (from_text(program.text) for program in PROGRAMS.values())
    drawn = {
        item.distribution for one in read for item in ir.statements(one.body) if isinstance(item, ir.Choose)
    }
    assert drawn == set(CHOICES)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_proved_is_enough_and_hardly_less_is(name: str) -> None:
    draws, part = _drawn(name), PROGRAMS[name].part
    found = prove(from_text(PROGRAMS[name].text), TEMPLATES)
    assert isinstance(found, Proved)
    bound = read_claim(draws[0].mechanism, str(found.epsilon))
    assert all(related(item.laws(), _same, item.nats(bound).high) for item in draws)
    if not found.epsilon.is_zero():
        assert any(unrelated(item.laws(), _same, part * item.nats(bound).low) for item in draws)


def _priced(name: str) -> Iterator[tuple[Drawn, Exact, ir.Expression | None]]:
    """Draws with a value that run 1 may draw, and its price."""
    draws = _drawn(name)
    mechanism, choice = draws[0].mechanism, draws[0].choice
    assert isinstance(choice.law, ir.Chances)
    ratios = Pricing(Scales(mechanism), PublicFacts(mechanism.requires).at_most).ratios(choice, choice.law)
    for item in draws:
        for drawn in item.laws()[0]:
            yield item, drawn, ratios.costs.get(item.outcomes(drawn))


@pytest.mark.parametrize("name", ["response", "coin", "one of k", "uniform"])
def test_each_value_has_its_price(name: str) -> None:
    """Prices above 0 are the logarithms of the ratios: with a thousandth less there is no lifting."""
    tight = Fraction(999, 1000)
    for item, drawn, price in _priced(name):
        laws, relation = item.laws(), _implied(drawn)
        if price is None:
            assert drawn not in laws[1], "only what run 2 can't draw has no price"
            continue
        nats = item.nats(price)
        assert related(laws, relation, nats.high), (item.inputs, drawn)
        if nats.low > 0:
            assert unrelated(laws, relation, tight * nats.low), (item.inputs, drawn)
