"""Steps that fuse draws: some to begin with, ways to spoil them, and the law of a window by enumeration."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from textwrap import dedent, indent
from typing import Any

from synth.prover.normal_form.draw_fusion import fusion
from synth.prover.normal_form.pipeline import PASSES
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.solvers import GaveUp, holds, script
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, names
from synth.trusted.program.fused_draws import Rated, Sums, Total, Window
from synth.trusted.program.substitution import mapped
from synth.trusted.steps.fusion import fused, rated
from tests.support.typed_runs import ObligationFailed, Run

Step = Window | Rated

HEAD = """
@mechanism(adjacent={"b": discrete_distance(), "x": absolute_distance(1), "q": linf_distance(1)}, requires="eps > 0")
def f(b: bool, x: int, q: list[int], w: list[float], k: int, n: int, eps: float):
"""  # noqa: E501
PROGRAMS = {
    "replaced now and then": """
        return uniform_int(0, k - 1) if bernoulli(1 / 4) else x
    """,
    "the value from before": """
        y = x
        if bernoulli(exp(eps) / (1 + exp(eps))):
            y = 1 if b else 2
        return y
    """,
    "two coins": """
        c = bernoulli(1 / 3)
        d = randomized_response(b, eps)
        return d if c else not d
    """,
    "a chance that depends on private data": """
        c = bernoulli(1 / 4 if b else 1 / 3)
        return 5 if c else x
    """,
    "a chance that depends on a draw": """
        d = uniform_int(0, 2)
        return bernoulli(1 / 2 if d == 1 else 1 / 8)
    """,
    "sums of two draws": """
        return uniform_int(0, 1) + uniform_int(0, 2)
    """,
    "ranges of unlike lengths": """
        m = n if b else k
        a = uniform_int(0, n)
        return a if b else uniform_int(0, k)
    """,
    "a range that a draw decides": """
        c = bernoulli(1 / 2)
        d = uniform_int(0, 2)
        return (d if c else 1) == x
    """,
    "a guarded division": """
        y = 0
        c = bernoulli(1 / 4)
        if c and n > 0:
            y = 6 // n
        return y if bernoulli(1 / 2) else 7
    """,
    "weights with a closed form": """
        return choice(k, lambda r: eps if r == n else 0)
    """,
    "weights that keep their rate": """
        return exponential_mechanism(len(q), lambda r: -0.5 * (q[r] * eps), eps, 1)
    """,
    "weights, then a coin": """
        c = choice(3, lambda r: eps * r)
        return c == 1 if bernoulli(1 / 4) else b
    """,
    "a base measure": """
        return choice(3, lambda r: eps * (x * r) / 2 - r)
    """,
    "in a loop": """
        y = 0
        for i in range(n):
            if uniform_int(0, 1) == 0:
                y = uniform_int(i, i + 2)
            if y > 3:
                return y
        return -1
    """,
    "in a private branch": """
        y = 3
        if b:
            c = bernoulli(1 / 4)
            y = 1 if c else uniform_int(0, 2)
        return y
    """,
    "read of an entry": """
        c = bernoulli(1 / 4)
        y = 0
        if len(w) > 2:
            y = uniform_int(0, 1) if w[2] > 0.5 and c else 2
        return y
    """,
    "a public chance of a parameter": """
        c = bernoulli(eps / (1 + eps))
        d = bernoulli(1 / (n * n + 1))
        return c and d
    """,
}


def mechanism(name: str) -> ir.Mechanism:
    """A program as the reader makes it, in the form before draws become one."""
    (found,) = read_source(
        f"from synth.lang import *\n{HEAD}{indent(dedent(PROGRAMS[name]), '    ')}", "test.py"
    )
    for rewrite in PASSES[:-1]:
        found = rewrite(found)
    return found


@dataclass(frozen=True)
class Use:
    """A step, and the program that it starts from."""

    before: ir.Mechanism
    step: Step


def uses(of: ir.Mechanism) -> Iterator[Use]:
    """The steps that make draws one, in their order."""
    found = fusion(of)
    for at, steps in ((of, found.weighed), (found.named, found.windows)):
        for make in steps:
            step = make()
            yield Use(at, step)
            at, _ = applied(Use(at, step))


def applied(use: Use) -> tuple[ir.Mechanism, tuple[Condition, ...]]:
    """The program behind a step, and its side conditions.  Raises Rejected."""
    return fused(use.before, use.step) if isinstance(use.step, Window) else rated(use.before, use.step)


def is_shown(condition: Condition) -> bool:
    """Whether a solver shows a side condition."""
    order = ("z3", "cvc5") if condition.known is None else ("cvc5", "z3")
    for solver in order:
        try:
            return holds(script(condition), solver)
        except GaveUp:
            continue
    return False


def accepted(use: Use) -> bool:
    """Whether a step is checked, and all of its side conditions are shown."""
    try:
        return all(map(is_shown, applied(use)[1]))
    except (Rejected, BadTerm):
        return False


# --- laws by enumeration --------------------------------------------------------------------------

REACH = 9
"""Integers beyond this are not drawn in the small states that are tried."""

STATES = 10
State = dict[str, Any]


def replaced_by(use: Use) -> tuple[Body, Body]:
    """The window, and what stands in its place."""
    body = use.before.body
    *path, start = use.step.place
    for number, side in zip(path[::2], path[1::2], strict=True):
        body = ir.blocks(body[number])[side]
    if isinstance(use.step, Rated):
        choice = body[start]
        assert isinstance(choice, ir.Choose)
        law = replace(choice.law, score=use.step.score, rate=use.step.rate)
        return (choice,), (replace(choice, law=law),)
    return body[start : start + use.step.length], (*use.step.obligations, use.step.draw)


def keeps_the_law(use: Use, seed: int = 0) -> bool:
    """Whether, from small states, both have one law of all that the rest of the program may read.

    A state counts where what replaces the window meets its obligations; then the window has to, too.
    """
    old, new = replaced_by(use)
    rng, met = random.Random(seed), 0
    read = _read_outside(use, old) | assigned(new)
    for _ in range(20 * STATES):
        state, inputs = _state(use.before, rng), _inputs(rng)
        try:
            after = _law(use.before, new, state, inputs, read)
        except ObligationFailed:
            continue
        met += 1
        try:
            before = _law(use.before, old, state, inputs, read)
        except ObligationFailed:
            return False
        if any(abs(before[key] - after[key]) > 1e-9 for key in before.keys() | after.keys()):
            return False
        if met == STATES:
            break
    return True


def _read_outside(use: Use, old: Body) -> set[str]:
    """Variables that are mentioned oftener in the program than in the window."""
    whole, inside = _mentions(use.before.body), _mentions(old)
    return {name for name in whole if whole[name] > inside[name] and name in use.before.variables}


def _mentions(body: Body) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in ir.statements(body):
        for expression in expressions_of(item):
            found.update(names(expression))
    return found


def _law(
    of: ir.Mechanism, body: Body, state: State, inputs: State, read: set[str]
) -> Counter[tuple[tuple[str, Any], ...]]:
    law: Counter[Any] = Counter()
    for end, weight in _ways(Run(of, inputs, iter(())), body, state):
        law[tuple(sorted((name, end[name]) for name in read))] += weight
    return law


def _ways(run: Run, body: Sequence[ir.Statement], state: State) -> Iterator[tuple[State, Fraction]]:
    """The states that a body may end in, each with a weight.  Raises ObligationFailed."""
    if not body:
        yield state, Fraction(1)
        return
    run.variables = state
    match body[0]:
        case ir.Assign(target, value):
            yield from _ways(run, body[1:], {**state, target: run.at(value)})
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            yield from _ways(run, (*(then if run.at(condition) else otherwise), *body[1:]), state)
        case ir.Obligation(condition=condition, kind=kind):
            if not run.at(condition):
                raise ObligationFailed(kind)
            yield from _ways(run, body[1:], state)
        case ir.Choose(target=target) as choice:
            for value, chance in chances(run, choice):
                for end, weight in _ways(run, body[1:], {**state, target: value}):
                    yield end, chance * weight
        case other:
            raise AssertionError(other)


def chances(run: Run, choice: ir.Choose) -> list[tuple[Any, Fraction]]:
    """The values of a draw, each with its chance."""
    match choice.law:
        case ir.Chances(outcomes=outcomes):
            values = (True, False) if choice.sort is ir.Sort.BOOL else range(-REACH, REACH + 1)
            held = [
                (value, run.at(chance, **{choice.index: value}))
                for value in values
                for condition, chance in outcomes
                if run.at(condition, **{choice.index: value})
            ]
            return [(value, Fraction(chance)) for value, chance in held if chance]
        case ir.Weights(count=count, score=score, rate=rate):
            exponents = [
                run.at(score, **{choice.index: value}) * run.at(rate) for value in range(run.at(count))
            ]
            power = builders.convert(ir.Variable("exponent", ir.Sort.REAL), ir.Sort.REAL)
            exp = ir.Operation(ir.Operator.EXPONENTIAL, (power,), ir.Sort.REAL)
            weights = [Fraction(run.at(exp, exponent=item)) for item in exponents]
            return [(value, weight / sum(weights)) for value, weight in enumerate(weights)]


def _state(of: ir.Mechanism, rng: random.Random) -> State:
    return {name: _value(sort, rng) for name, sort in of.variables.items()}


def _inputs(rng: random.Random) -> State:
    return {
        "b": rng.random() < 0.5,
        "x": rng.randint(-1, 3),
        "q": [rng.randint(-1, 2) for _ in range(rng.randint(0, 3))],
        "w": [Fraction(rng.randint(0, 2), 2) for _ in range(rng.randint(0, 4))],
        "k": rng.randint(-1, 4),
        "n": rng.randint(-1, 4),
        "eps": Fraction(rng.randint(1, 5), 2),
    }


def _value(sort: ir.Sort, rng: random.Random) -> Any:
    match sort:
        case ir.Sort.BOOL:
            return rng.random() < 0.5
        case ir.Sort.INT:
            return rng.randint(-1, 3)
        case ir.Sort.REAL:
            return Fraction(rng.randint(-2, 4), 2)


# --- spoiling -------------------------------------------------------------------------------------


def expressions_of(statement: ir.Statement) -> list[ir.Expression]:
    """The expressions of a statement, without those inside of nested ones."""
    found: list[ir.Expression] = []

    def note(expression: ir.Expression) -> ir.Expression:
        found.append(expression)
        return expression

    _with_expressions(statement, note)
    return found


def _with_expressions(statement: Any, change: Any) -> Any:
    match statement:
        case ir.Assign(value=value):
            return replace(statement, value=change(value))
        case ir.If(condition=condition) | ir.Obligation(condition=condition) | ir.Assume(condition=condition):
            return replace(statement, condition=change(condition))
        case ir.Draw(arguments=arguments):
            return replace(statement, arguments=tuple(map(change, arguments)))
        case ir.Append(values=values) | ir.Return(values=values):
            return replace(statement, values=tuple(map(change, values)))
        case ir.Choose(law=ir.Chances(outcomes=outcomes)):
            law = ir.Chances(tuple((change(one), change(other)) for one, other in outcomes))
            return replace(statement, law=law)
        case ir.Choose(law=ir.Weights(count=count, score=score, rate=rate) as weights):
            law = replace(weights, count=change(count), score=change(score), rate=change(rate))
            return replace(statement, law=law)
        case _:
            return statement


def spoiled(expression: ir.Expression, of: ir.Mechanism, rng: random.Random) -> ir.Expression:
    """The expression with one part of it changed, most often to another value."""
    parts = list(ir.subexpressions(expression))
    rng.shuffle(parts)
    for part in parts:
        other = _other(part, of, rng)
        if other is not None and other != part:
            return _put(expression, part, other)
    return expression


def _put(expression: ir.Expression, old: ir.Expression, new: ir.Expression) -> ir.Expression:
    return mapped(expression, lambda item: new if item is old else None)


_TURNED = {
    ir.Operator.LESS: ir.Operator.LESS_EQUAL,
    ir.Operator.LESS_EQUAL: ir.Operator.LESS,
    ir.Operator.AND: ir.Operator.OR,
    ir.Operator.OR: ir.Operator.AND,
    ir.Operator.ADD: ir.Operator.SUBTRACT,
    ir.Operator.SUBTRACT: ir.Operator.ADD,
    ir.Operator.MULTIPLY: ir.Operator.ADD,
    ir.Operator.EQUAL: ir.Operator.LESS_EQUAL,
}


def _other(part: ir.Expression, of: ir.Mechanism, rng: random.Random) -> ir.Expression | None:
    match part:
        case ir.Constant(value=bool() as truth):
            return replace(part, value=not truth)
        case ir.Constant(value=value, sort=ir.Sort.INT):
            return replace(part, value=value + rng.choice((-1, 1)))
        case ir.Constant(value=value):
            return replace(part, value=Fraction(value) + rng.choice((Fraction(1, 1000), Fraction(-1, 8), 1)))
        case ir.Variable(sort=sort):
            names_ = [name for name, other in of.variables.items() if other is sort]
            names_ += [item.name for item in of.parameters if item.arity == 0 and item.sort is sort]
            return ir.Variable(rng.choice(names_), sort) if names_ else None
        case ir.Operation(operator=ir.Operator.IF, operands=(condition, then, otherwise)):
            return replace(part, operands=(condition, otherwise, then))
        case ir.Operation(operator=ir.Operator.NOT, operands=(inner,)):
            return inner
        case ir.Operation(operator=operator, operands=operands) if operator in _TURNED:
            if operator is ir.Operator.EQUAL and operands[0].sort is ir.Sort.BOOL:
                return builders.negate(part)
            if rng.random() < 0.3 and operator in (ir.Operator.LESS, ir.Operator.SUBTRACT):
                return replace(part, operands=operands[::-1])
            return replace(part, operator=_TURNED[operator])
        case _:
            return None


def mutants(use: Use, rng: random.Random) -> Iterator[tuple[str, Use]]:
    """The step, or its program, with one thing changed: what was changed, and the result."""
    of, step = use.before, use.step
    yield "window of the program", Use(_with_window_spoiled(use, rng), step)
    if isinstance(step, Rated):
        yield "score", Use(of, replace(step, score=spoiled(step.score, of, rng)))
        yield "rate", Use(of, replace(step, rate=spoiled(step.rate, of, rng)))
        return
    law = step.draw.law
    assert isinstance(law, ir.Chances)
    outcomes = list(law.outcomes)
    place = rng.randrange(len(outcomes))
    condition, chance = outcomes[place]

    def listed(kind: str, *changed: tuple[ir.Expression, ir.Expression]) -> tuple[str, Use]:
        draw = replace(step.draw, law=ir.Chances(changed))
        return kind, Use(of, replace(step, draw=draw))

    others = outcomes[:place] + outcomes[place + 1 :]
    yield listed("chance", *others, (condition, spoiled(chance, of, rng)))
    yield listed("chance a little", *others, (condition, builders.add(chance, _THOUSANDTH)))
    yield listed("condition", *others, (spoiled(condition, of, rng), chance))
    yield listed("outcome dropped", *others)
    yield listed("outcome twice", *outcomes, (condition, chance))
    if len(outcomes) > 1:
        (first, one), (second, other), *rest = rng.sample(outcomes, len(outcomes))
        yield listed("outcomes swapped", (first, other), (second, one), *rest)
    for number, item in enumerate(step.obligations):
        rest_ = (*step.obligations[:number], *step.obligations[number + 1 :])
        yield "obligation dropped", Use(of, replace(step, obligations=rest_))
        weaker = replace(item, condition=spoiled(item.condition, of, rng))
        yield "obligation changed", Use(of, replace(step, obligations=(*rest_, weaker)))
    for by in (-1, 1):
        yield "length", Use(of, replace(step, length=step.length + by))
        yield "place", Use(of, replace(step, place=(*step.place[:-1], step.place[-1] + by)))
    for name in sorted(assigned(replaced_by(use)[0]) - {step.draw.target}):
        draw = replace(step.draw, target=name, sort=of.variables[name])
        yield "another target", Use(of, replace(step, draw=draw))
    yield "sums turned round", Use(of, replace(step, sums=step.sums[::-1]))
    yield "sums left out", Use(of, replace(step, sums=(Sums(),) * len(step.sums)))
    for number, sums in enumerate(step.sums):
        for field in ("expected", "mass"):
            total = getattr(sums, field)
            if total is not None:
                yield from _other_totals(use, number, sums, field, total, rng)


_THOUSANDTH = ir.Constant(Fraction(1, 1000), ir.Sort.REAL)


def _other_totals(
    use: Use, number: int, sums: Sums, field: str, total: Total, rng: random.Random
) -> Iterator[tuple[str, Use]]:
    of, step = use.before, use.step
    assert isinstance(step, Window)

    def with_total(other: Total) -> Use:
        changed: Mapping[str, Total] = {field: other}
        listed = (*step.sums[:number], replace(sums, **changed), *step.sums[number + 1 :])
        return Use(of, replace(step, sums=listed))

    yield "sum below", with_total(replace(total, below=spoiled(total.below, of, rng)))
    yield "sum", with_total(replace(total, value=spoiled(total.value, of, rng)))
    more = builders.add(total.value, _THOUSANDTH), builders.add(total.below, _THOUSANDTH)
    yield "both sums", with_total(replace(total, value=more[0], below=more[1]))
    yield "bounds dropped", with_total(replace(total, bounds=total.bounds[1:]))


def _with_window_spoiled(use: Use, rng: random.Random) -> ir.Mechanism:
    """The program with one expression of the window changed."""
    old, _ = replaced_by(use)
    inside = {id(item) for item in ir.statements(old)}
    total = sum(len(expressions_of(item)) for item in ir.statements(old))
    chosen, count = rng.randrange(total), iter(range(total))

    def body(statements: Body) -> Body:
        return tuple(statement(item) for item in statements)

    def statement(item: Any) -> Any:
        if id(item) in inside:
            changed = _with_expressions(
                item, lambda part: spoiled(part, use.before, rng) if next(count) == chosen else part
            )
        else:
            changed = item
        match changed:
            case ir.If(then=then, otherwise=otherwise):
                return replace(changed, then=body(then), otherwise=body(otherwise))
            case ir.Block(body=inner) | ir.Loop(body=inner):
                return replace(changed, body=body(inner))
            case _:
                return changed

    return replace(use.before, body=body(use.before.body))
