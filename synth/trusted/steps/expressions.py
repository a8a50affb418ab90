"""Expressions of core programs as terms."""

from __future__ import annotations

from collections.abc import Iterator

from synth.trusted.program import syntax as ir
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.joint_states import Values
from synth.trusted.steps.sizes import unclipped
from synth.trusted.steps.terms import Term, Terms

EMPTY = "empty list"
APPENDED = "list and entry"

_LENGTH = "length"
_OUTCOME = "outcome"


def value_of(name: str, values: Values) -> Term:
    """What a name stands for.  Raises Different."""
    if name not in values:
        raise Different(Code.NAME_WITHOUT_VALUE(name=name))
    return values[name]


def term_of(expression: ir.Expression, values: Values, terms: Terms) -> Term:
    """The value of an expression.  Raises Different."""
    terms.step()
    parts = [term_of(item, values, terms) for item in ir.children(expression)]
    match expression:
        case ir.Constant():
            return terms.make(expression)
        case ir.Variable(name=name):
            return value_of(name, values)
        case ir.Length(sequence=name):
            return terms.make(_LENGTH, value_of(name, values))
        case ir.Read(source=source, sort=sort):
            return terms.make(("entry", source, sort), *parts)
        case ir.Element(source=source, component=component, sort=sort):
            return terms.make(("component", component, sort), value_of(source, values), *parts)
        case ir.Operation(operator=operator, sort=sort):
            return unclipped(terms.apply((operator, sort), parts), terms)


def law_of(draw: ir.Draw | ir.Choose, values: Values, terms: Terms) -> tuple[object, tuple[Term, ...]]:
    """What kind of law a draw has, and the terms that it is made of.  Equal ones are the same law."""
    match draw:
        case ir.Draw(distribution=name, arguments=arguments, sort=sort):
            return (name, sort), tuple(term_of(item, values, terms) for item in arguments)
        case ir.Choose(law=ir.Chances(outcomes=outcomes), sort=sort):
            parts = tuple(part for outcome in outcomes for part in outcome)
        case ir.Choose(law=ir.Weights(count=count, score=score, rate=rate), sort=sort):
            parts = (count, score, rate)
    inside = with_outcome(draw, values, terms)
    return (type(draw.law), sort), tuple(term_of(item, inside, terms) for item in parts)


def with_outcome(draw: ir.Choose, values: Values, terms: Terms) -> Values:
    """The values for the expressions of a law, which speak of the outcome."""
    return {**values, draw.index: terms.make(_OUTCOME)}


def demands_of(draw: ir.Choose, values: Values, terms: Terms) -> Iterator[tuple[Term, ir.Obligation]]:
    """What must hold of each index that may be drawn."""
    if isinstance(draw.law, ir.Weights):
        inside = with_outcome(draw, values, terms)
        yield from ((term_of(item.condition, inside, terms), item) for item in draw.law.demands)
