"""How draws of finitely many values are coupled: the outcomes with their chances, and what pairs cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synth.trusted.kernel.certificate import Node
from synth.trusted.logic.codes import Code
from synth.trusted.logic.terms import Term
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names
from synth.trusted.program.laws import MIXTURE
from synth.trusted.program.substitution import replaced
from synth.trusted.program.weights import weighed
from synth.views.certificate.phrases import Math, Phrase
from synth.views.certificate.steps import Pair, Reading, Step

_MADE_HERE = "%new"
"""In the names that joined draws give to their outcomes."""


@dataclass(frozen=True)
class Outcome:
    """A condition on the value that is drawn, and the probability of a value that meets it, in Python."""

    condition: str
    chance: str


@dataclass(frozen=True)
class Chanced:
    """[Chance] at one site; pairs are the places of run 1's outcome and of run 2's.

    ``paid`` holds the pairs that cost the same, by that cost in nats, and nothing that is free.
    """

    outcomes: tuple[Outcome, ...]
    free: tuple[Pair, ...]
    paid: dict[str, tuple[Pair, ...]]

    def possible(self) -> Iterator[tuple[str, tuple[Pair, ...]]]:
        """The pairs that may occur, by their cost: those that are free first."""
        yield from ([("0", self.free)] if self.free else [])
        yield from self.paid.items()


@dataclass(frozen=True)
class Weighted:
    """[Choice] at one site: how many indices, the score of the one that is drawn, and the rate, in Python.

    ``within`` is by how much a score may change more than another; ``cost`` is in nats.
    """

    count: str
    score: str
    rate: str
    within: str
    cost: str


def chanced(reading: Reading, step: Step) -> Chanced:
    """What [Chance] says.  Raises Rejected for an incomplete rule."""
    assert isinstance(step.statement, ir.Choose) and isinstance(step.statement.law, ir.Chances)
    draw, law = step.statement, step.statement.law
    shown = tuple(Outcome(_code(reading, draw, one), _code(reading, draw, two)) for one, two in law.outcomes)
    free, pays = step.pairs
    paid: dict[str, tuple[Pair, ...]] = {}
    for pair, (name, amount) in pays.items():
        if _occurs(pair, shown):
            cost = _cost(reading, step.node, name, amount)
            paid[cost] = (*paid.get(cost, ()), pair)
    return Chanced(shown, tuple(pair for pair in free if _occurs(pair, shown)), paid)


def _occurs(pair: Pair, outcomes: tuple[Outcome, ...]) -> bool:
    return all(0 <= place < len(outcomes) for place in pair)


def weighted(reading: Reading, step: Step) -> Weighted:
    """What [Choice] says.  Raises Rejected for an incomplete rule."""
    assert isinstance(step.statement, ir.Choose) and isinstance(step.statement.law, ir.Weights)
    draw, law, node = step.statement, step.statement.law, step.node
    count, score, rate = (_code(reading, draw, item) for item in (law.count, law.score, law.rate))
    if "cost" not in node.fields:
        return Weighted(count, score, rate, "0", "0")
    cost = _cost(reading, node, str(node.fields["cost"]), node.term("amount"))
    return Weighted(count, score, rate, reading.infix().term(node.term("within")), cost)


@dataclass(frozen=True)
class Weighed:
    """[Weigh] at one site: how many indices, the weight of the one that is drawn, in Python.

    ``prices`` are what is paid, each with when it is due; ``asked`` and ``few`` are what the rule asks for.
    """

    count: str
    weight: str
    prices: tuple[tuple[str, str], ...]
    asked: tuple[str, ...]
    few: str


def weighing(reading: Reading, step: Step) -> Weighed:
    """What [Weigh] says.  Raises Rejected for an incomplete rule."""
    assert isinstance(step.statement, ir.Choose) and isinstance(step.statement.law, ir.Weights)
    draw, law, node = step.statement, step.statement.law, step.node
    weight = weighed(law)
    if weight is None:
        raise node.reject(Code.CHOOSES_OTHERWISE())
    infix = reading.infix()
    asked, prices = [f"weight ≥ {infix.term(node.term('floor'))}"], []
    few = "no weight is larger in run 2"
    if "own" in node.fields:
        asked.append(f"weight⟨1⟩ − weight⟨2⟩ ≤ {infix.term(node.term('gain'))}")
        prices.append((_payment(reading, node, "own"), "weight⟨1⟩ > weight⟨2⟩"))
    if "total" in node.fields:
        asked.append(f"weight⟨2⟩ − weight⟨1⟩ ≤ {infix.term(node.term('step'))}")
        few = f"at most {node.fields.get('few')} weights are larger in run 2"
        where = infix.formula(node.term("grows")) if "grows" in node.fields else "true"
        prices.append((_payment(reading, node, "total"), where))
    count, shown = (_code(reading, draw, item) for item in (law.count, weight))
    return Weighed(count, shown, tuple(prices), tuple(asked), few)


def _payment(reading: Reading, node: Node, field: str) -> str:
    name, amount = node.payment(field)
    return _cost(reading, node, name, amount)


def relation(reading: Reading, draw: ir.Choose) -> Math:
    """What holds of the draws."""
    value = drawn(reading, draw)
    return Math(f"{value}⟨1⟩ = {value}⟨2⟩")


def drawn(reading: Reading, draw: ir.Choose) -> str:
    """What the value is called; not as the variable if what decides about it is about the old value."""
    name = reading.names.variable(draw.target)
    return f"{name}′" if draw.target in _mentioned(draw) else name


def remark(reading: Reading, draw: ir.Choose) -> Phrase:
    """What the program doesn't say of the draw: that it stands for several, or for more than the draw."""
    value = Math(drawn(reading, draw))
    if draw.distribution == MIXTURE:
        start = f"Draws from line {draw.span.line} on that only serve to compute "
        return start, value, " are seen as one draw of it, with the chances that they give together."
    if _MADE_HERE in draw.index:
        start = f"The draw in line {draw.span.line} and what is computed from it are seen as one draw of "
        return start, value, "."
    return ()


def renamed(reading: Reading, draw: ir.Choose) -> Iterator[tuple[Math, Phrase]]:
    """The value's name where it isn't the variable's."""
    value, old = drawn(reading, draw), reading.names.variable(draw.target)
    if value != old:
        yield Math(value), ("the new value of ", Math(old), f" that line {draw.span.line} draws")


def _mentioned(draw: ir.Choose) -> frozenset[str]:
    match draw.law:
        case ir.Chances(outcomes=outcomes):
            return frozenset[str]().union(*(names(part) for outcome in outcomes for part in outcome))
        case ir.Weights(score=score):
            return frozenset(names(score))


def _code(reading: Reading, draw: ir.Choose, expression: ir.Expression) -> str:
    """An expression about the outcome, under the name of what is drawn."""
    return reading.names.code(
        replaced(expression, {draw.index: ir.Variable(drawn(reading, draw), draw.sort)})
    )


def _cost(reading: Reading, node: Node, name: str, amount: Term) -> str:
    cost = reading.certificate.costs.get(name)
    if cost is None:
        raise node.reject(Code.NO_SUCH_COST(name=name))
    return reading.infix().term(("*", amount, cost.weight))
