"""Sums of entries, and entries divided by their sum: such probabilities add up to 1.

``w = [exp(s) for s in xs]; t = sum(w); choice(n, p=[v / t for v in w])`` asks that t is not 0, that each
probability is positive, and that they add up to 1.  All of this holds if there is an entry.  What a list or a
sum is made of is known from :mod:`~synth.trusted.frontend.known_entries`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from synth.trusted.frontend import logarithms, redraws, written_weights
from synth.trusted.frontend.known_entries import Known, about_one, is_number
from synth.trusted.frontend.written_weights import Bounds, Cases
from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import changed, names, with_blocks
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import replaced

Body = tuple[ir.Statement, ...]


_ONE = builders.convert(builders.ONE, ir.Sort.REAL)


def simplified(body: Body, requires: ir.Expression = builders.TRUE) -> Body:
    """The body with draws by simpler weights, and with conditions that imply those of the body.

    ``requires`` holds of parameters.
    """
    drawn = {item.target for item in ir.statements(body) if isinstance(item, ir.Choose)}
    known = Known(bounds=Bounds(builders.conjuncts(requires)), drawn=frozenset(drawn))
    return _simplified(known, body) if drawn else body


def with_public_sums(body: Body, requires: ir.Expression) -> Body:
    """The body with assertions that a sum is about 1 as ones about what it is the sum of.

    Weights that only private data tell apart have a sum that is public; and shares of a sum add up to 1 if
    there are any.
    """
    return _with_sums(Known(bounds=Bounds(builders.conjuncts(requires))), body)


def _with_sums(known: Known, body: Body) -> Body:
    result: list[ir.Statement] = []
    for statement in body:
        match statement:
            case ir.Assume(condition=condition):
                parts = list(builders.conjuncts(condition))
                stated = [_of_sum(part, known) for part in parts]
                kept = stated == parts  # what is printed is asserted in a form of its own
                result.append(statement if kept else replace(statement, condition=builders.both(*stated)))
            case ir.Loop(body=again):
                result.append(with_blocks(statement, partial(_with_sums, known.without(again))))
            case _:
                result.append(with_blocks(statement, partial(_with_sums, known)))
        known = known.and_then(statement)
    return tuple(result)


def _of_sum(condition: ir.Expression, known: Known) -> ir.Expression:
    """The condition; if it asks that a sum is about 1, the same of what it is the sum of."""
    said = about_one(condition)
    if said is None:
        return condition
    name, by = said
    whole, cases = known.is_whole(name), known.cases_of_sum(name)
    if cases is not None:
        return replaced(condition, {name: cases.total()})
    count = known.sums[name].count if name in known.sums else builders.ZERO
    if whole is not None and known.positive(whole) == frozenset({count}) and by < 1:
        return builders.less(builders.ZERO, count)
    return condition


def _simplified(known: Known, body: Body) -> Body:
    result: list[ir.Statement] = []
    for statement in body:
        draws = redraws.found(statement)
        once = None if draws is None else _drawn_once(draws, known, result)
        if once is not None:
            result += once
            for item in once:
                known = known.and_then(item)
            continue
        match statement:
            case ir.Obligation(kind="scale"):
                condition = _demand(known.written(statement.condition))
                result += () if condition == builders.TRUE else (replace(statement, condition=condition),)
            case ir.Obligation():
                result += _asked(replace(statement, condition=known.written(statement.condition)), known)
            case ir.Choose(law=ir.Weights() as law):
                law = replace(_weights(law, statement.index, known), count=known.written(law.count))
                result += _drawn(replace(statement, law=law), known)
            case ir.Choose(law=ir.Chances()):
                result.append(_with_arguments(statement, known))
            case ir.Loop(body=again):
                inside = known.without(again)
                result.append(changed(statement, known.written, partial(_simplified, inside)))
            case _:
                result.append(changed(statement, known.written, partial(_simplified, known)))
        known = known.and_then(statement)
    return tuple(result)


def _drawn_once(draws: redraws.Redraws, known: Known, before: list[ir.Statement]) -> Body | None:
    """One draw for draws until one is another one; takes the first one from the statements before."""
    once = draws.once(known.bounds, known.resolved)
    if once is None or not draws.before:
        return once
    match before[-1:], _with_arguments(draws.draw, known):
        case [ir.Choose(target=name) as first], ir.Choose() as again if name == again.target:
            if laws.arguments_of(first) == laws.arguments_of(again):
                before.pop()
                return once
    start = known.values.get(draws.draw.target)
    return once if start is not None and start == known.resolved(draws.value) else None


def _demand(condition: ir.Expression) -> ir.Expression:
    """What a draw demands, with comparisons as they are made for a draw."""
    made = {ir.Operator.LESS: builders.less, ir.Operator.LESS_EQUAL: builders.less_equal}

    def one(part: ir.Expression) -> ir.Expression:
        match part:
            case ir.Operation(operator, (left, right)) if operator in made:
                return made[operator](left, right)
            case _:
                return part

    return builders.both(*map(one, builders.conjuncts(condition)))


def _with_arguments(choice: ir.Choose, known: Known) -> ir.Statement:
    """The draw, with entries of lists written out in its arguments."""
    index = ir.Variable(choice.index, choice.sort)
    match laws.arguments_of(choice):
        case "bernoulli", (p,):
            return replace(choice, law=laws.bernoulli(index, known.written(p)))
        case "uniform_int", (low, high):
            return replace(choice, law=laws.uniform_int(index, known.written(low), known.written(high)))
        case _:
            return choice


def _asked(obligation: ir.Obligation, known: Known) -> tuple[ir.Obligation, ...]:
    """The obligation with a condition that implies its own; none where that holds anyway."""
    parts = map(builders.disjuncts, builders.conjuncts(obligation.condition))
    condition = builders.both(*(builders.either(*(_condition(one, known) for one in part)) for part in parts))
    return () if condition == builders.TRUE else (replace(obligation, condition=condition),)


def _condition(condition: ir.Expression, known: Known) -> ir.Expression:
    """The condition, or one that implies it."""
    needed: frozenset[ir.Expression] | None = None
    match condition:
        case ir.Operation(ir.Operator.NOT, (ir.Operation(ir.Operator.EQUAL, (number, zero)),)) | ir.Operation(
            ir.Operator.LESS, (zero, number)
        ) if is_number(zero, 0):
            found = known.resolved(number)
            needed = known.positive(found)
            if needed is None and condition.operator is ir.Operator.LESS:
                sides = _sides(found)
                return builders.both(*(builders.less(zero, side) for side in sides)) if sides else condition
        case _ if (said := about_one(condition)) is not None:
            whole, cases = known.is_whole(said[0]), known.cases_of_sum(said[0])
            needed = None if whole is None else known.positive(whole)
            if needed is None and cases is not None:
                return builders.equal(cases.total(), _ONE)
            if any(known.sums.get(said[0]) == of and by <= said[1] for of, by in known.near):
                return builders.TRUE
        case ir.Operation(ir.Operator.EQUAL, (ir.Length() as one, other)):
            return (
                builders.TRUE if linear(known.resolved(one)) == linear(known.resolved(other)) else condition
            )
        case ir.Operation(ir.Operator.LESS_EQUAL, (zero, number)) if (
            is_number(zero, 0) and zero.sort is ir.Sort.INT
        ):
            drawn = isinstance(number, ir.Variable) and number.name in known.indices
            sure = drawn or known.bounds.above_zero(known.resolved(number))
            return builders.TRUE if sure else condition
        case ir.Operation(ir.Operator.LESS, (one, other)) if one.sort is ir.Sort.INT:
            if isinstance(one, ir.Variable) and known.indices.get(one.name) == known.resolved(other):
                return builders.TRUE
        case _:
            pass
    if needed is None:
        return condition
    return builders.both(*(builders.less(builders.ZERO, count) for count in sorted(needed, key=repr)))


def _sides(number: ir.Expression) -> tuple[ir.Expression, ...]:
    """The numbers of which one is chosen by an equation of integers; none if it is not chosen so."""
    match number:
        case ir.Operation(ir.Operator.IF, (condition, *sides)):
            if isinstance(condition, ir.Operation) and condition.operator is ir.Operator.NOT:
                condition = condition.operands[0]
            match condition:
                case ir.Operation(ir.Operator.EQUAL, (one, _)) if one.sort is ir.Sort.INT:
                    return tuple(part for side in sides for part in _sides(side) or (side,))
    return ()


def _weights(law: ir.Weights, index: str, known: Known) -> ir.Weights:
    demands = tuple(part for item in law.demands for part in _asked(item, known))
    score = law.score
    match known.resolved(score):
        case ir.Operation(ir.Operator.LOGARITHM, (weight,)) if known.positive(weight) is not None:
            score = _logarithm(weight, index) or score
    return replace(law, demands=demands, score=_moving(_spread(score, index, known), index) or score)


def _spread(score: ir.Expression, index: str, known: Known) -> ir.Expression:
    """The score, with an entry of a list written out if it has a part that is the same for all indices."""
    entry = known.resolved(score)
    return entry if isinstance(score, ir.Element) and _moving(entry, index) not in (None, entry) else score


def _drawn(choice: ir.Choose, known: Known) -> Body:
    """The draw by weights, as coins and a uniform draw if few of them are different."""
    law = choice.law
    index = ir.Variable(choice.index, ir.Sort.INT)
    score = known.resolved(law.score) if isinstance(law, ir.Weights) and is_number(law.rate, 1) else None
    match law, score:
        case ir.Weights(), ir.Operation(ir.Operator.LOGARITHM, (weight,)):
            count = known.resolved(law.count)
            cases = written_weights.cases(weight, index, count, known.bounds)
            asked = tuple(builders.conjuncts(builders.both(*(item.condition for item in law.demands))))
            if cases is None or not cases.leave_one_chance():
                return (choice,)
            if all(_is_known(part, index, count, weight, known) for part in asked):
                total = _ONE if cases in known.whole else cases.total()
                return (*_positive(cases, choice, known), *written_weights.drawn(choice, cases, total))
    return (choice,)


def _is_known(
    condition: ir.Expression, index: ir.Variable, count: ir.Expression, weight: ir.Expression, known: Known
) -> bool:
    """Whether a condition says no more than that the index is one, and that its weight is positive."""
    match condition:
        case ir.Operation(ir.Operator.LESS_EQUAL, (low, place)) if place == index:
            return is_number(low, 0)
        case ir.Operation(ir.Operator.LESS, (place, end)) if place == index:
            return known.resolved(end) == count
        case ir.Operation(ir.Operator.LESS, (zero, number)) if is_number(zero, 0):
            parts = _sides(weight)
            return known.resolved(number) == weight or number in parts
        case _:
            return False


def _positive(cases: Cases, choice: ir.Choose, known: Known) -> Iterator[ir.Obligation]:
    for number in dict.fromkeys(cases.leaves()):
        condition = _condition(builders.less(builders.zero(ir.Sort.REAL), number), known)
        if condition != builders.TRUE:
            yield ir.Obligation("domain", condition, "weights must be positive", choice.span)


def _logarithm(weight: ir.Expression, index: str) -> ir.Expression | None:
    """The logarithm of a positive weight, but for a number that is the same for all indices."""
    match weight:
        case ir.Operation(ir.Operator.DIVIDE, (part, whole)) if index not in names(whole):
            return _logarithm(part, index)
        case ir.Operation(ir.Operator.MULTIPLY, (part, factor)) if index not in names(factor):
            return _logarithm(part, index)
        case ir.Operation(ir.Operator.MULTIPLY, (factor, part)) if index not in names(factor):
            return _logarithm(part, index)
        case ir.Operation(ir.Operator.IF, (condition, left, right)):
            one, other = (logarithms.exponent(side) for side in (left, right))
            return builders.choose(condition, one, other) if one is not None and other is not None else None
        case _:
            return logarithms.exponent(weight)


def _moving(score: ir.Expression, index: str) -> ir.Expression | None:
    """The score but for a number that is the same for all indices; None if nothing is left."""
    if index not in names(score):
        return None
    match score:
        case ir.Operation(ir.Operator.ADD, (left, right)):
            one, other = _moving(left, index), _moving(right, index)
            return builders.add(one, other) if one and other else one or other
        case ir.Operation(ir.Operator.SUBTRACT, (left, right)):
            one, other = _moving(left, index), _moving(right, index)
            if one and other:
                return builders.subtract(one, other)
            return one or (None if other is None else builders.opposite(other))
        case ir.Operation(ir.Operator.NEGATE, (part,)):
            moving = _moving(part, index)
            return None if moving is None else builders.opposite(moving)
        case ir.Operation(ir.Operator.DIVIDE, (part, divisor)) if index not in names(divisor):
            moving = _moving(part, index)
            return None if moving is None else builders.divide(moving, divisor)
        case ir.Operation(ir.Operator.MULTIPLY, (factor, part)) if index not in names(factor):
            moving = _moving(part, index)
            return None if moving is None else builders.arithmetic(ir.Operator.MULTIPLY, factor, moving)
        case ir.Operation(ir.Operator.MULTIPLY, (part, factor)) if index not in names(factor):
            moving = _moving(part, index)
            return None if moving is None else builders.arithmetic(ir.Operator.MULTIPLY, moving, factor)
        case _:
            return score
