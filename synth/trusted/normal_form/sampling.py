"""A program that takes each record with some chance, and the one that takes them all.

*Theorem.* Let :func:`every_record` make A of M, with the chance p, and A be (ε, δ)-private with ε ≥ 0.
Then M is (log(1 + p·(exp(ε) − 1)), p·δ)-private (amplification by Poisson sampling: Li, Qardaji & Su
2012).

A and M differ in one place, which is reached at most once for each index i: where M says "if record i is
there: toss a coin, and go on if it shows heads", A says "if record i is there: go on".  Nothing else asks
whether a record is there or how a coin fell, and what M computes before it asks for the coin is not read
any more behind that place, before it is assigned anew.  (Assignments that nothing reads are left out
before.)  So M on the records D, with coins c fixed, has the law of A on D ∩ c, those records of D whose
coins show heads: of a record with tails all that M has done is to assign what is not read.

Take adjacent inputs: D, and D with one record j more.  Fix all coins but that of j, and a set S of
outputs.  On D, M ends in S with the chance a that A has on D ∩ c.  On D with j it is (1 − p)·a + p·b,
where b is A's chance on D ∩ c with j.  Write u = exp(ε) ≥ 1.  By A's privacy b ≤ u·a + δ, so

    (1 − p)·a + p·b ≤ (1 + p·(u − 1))·a + p·δ.

And a ≤ u·b + δ, so (1 − p)·a + p·b ≥ (1 − p + p/u)·a − p·δ/u, and

    (1 + p·(u − 1))·((1 − p)·a + p·b) ≥ (1 − p + p·u)·(1 − p + p/u)·a − p·δ·(1 − p + p·u)/u ≥ a − p·δ,

as (1 − p + p·u)·(1 − p + p/u) = 1 + p·(1 − p)·(u + 1/u − 2) ≥ 1, and (1 − p + p·u)/u ≤ 1.  The mean over
the other coins keeps both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import counting
from synth.trusted.program.dataflow import (
    Analysis,
    Body,
    assigned,
    expressions,
    is_made_of,
    mentioned,
    public_parameters,
    target,
    with_blocks,
)
from synth.trusted.program.laws import arguments_of
from synth.trusted.program.numbering import renumber
from synth.trusted.program.substitution import replaced


class NotSampled(Exception):
    """The program takes no sample of records of which the theorem speaks; the message says why."""


@dataclass(frozen=True)
class Sampled:
    """The program that takes ``every`` record, and the ``chance`` with which the other one does, public."""

    every: ir.Mechanism
    chance: ir.Expression


@dataclass(frozen=True)
class _Coin:
    """``taken`` is what is done with a record if the coin of that name shows heads; ``before`` is what is
    computed and asked before it is tossed.
    """

    name: str
    chance: ir.Expression
    before: Body
    taken: Body


def every_record(mechanism: ir.Mechanism) -> Sampled:
    """Return the program without the coins that decide which records it takes.  Raises NotSampled."""
    present = _present(mechanism)
    mechanism = replace(mechanism, body=_without(mechanism.body, _unread(mechanism.body)))
    branch = _asking(mechanism, present)
    coin = _coin(branch.then)
    chance = _over_parameters(mechanism, coin.chance)
    taken = replace(branch, then=coin.taken)
    every = replace(mechanism, body=tuple(_with(mechanism.body, branch, taken)))
    _check_unread(coin, every, taken)
    return Sampled(replace(every, body=renumber(every.body)), chance)


def _unread(body: Body) -> set[str]:
    """Variables that are assigned, and read for nothing but such assignments."""
    statements = list(ir.statements(body))
    unread = {item.target for item in statements if isinstance(item, ir.Assign)}
    while True:
        others = (item for item in statements if not (isinstance(item, ir.Assign) and item.target in unread))
        fewer = unread.difference(*map(_read, others))
        if fewer == unread:
            return unread
        unread = fewer


def _without(body: Body, unread: set[str]) -> Body:
    kept = (item for item in body if not (isinstance(item, ir.Assign) and item.target in unread))
    return tuple(with_blocks(item, lambda inner: _without(inner, unread)) for item in kept)


def _present(mechanism: ir.Mechanism) -> str:
    """The list that says which records there are, of which one entry may differ, and nothing else.

    Raises NotSampled.
    """
    if mechanism.facts:
        raise NotSampled("facts are assumed")
    differing = [item for item in mechanism.parameters if item.metric is not None and not _stays(item.metric)]
    if len(differing) != 1:
        raise NotSampled("more may differ than which records there are")
    (present,) = differing
    metric = present.metric
    assert metric is not None
    if (
        present.sort is not ir.Sort.BOOL
        or present.kind is not ir.ParameterKind.SEQUENCE
        or metric.kind is not ir.MetricKind.CHANGE_ONE
        or metric.monotone
    ):
        raise NotSampled("inputs don't differ in one record that one of them has")
    if _reads(mechanism.requires, present.name):
        raise NotSampled("it is required which records there are")
    return present.name


def _stays(metric: ir.Metric) -> bool:
    return metric.bound == ir.Constant(0, ir.Sort.REAL)


def _reads(expression: ir.Expression, sequence: str) -> bool:
    return any(
        isinstance(part, ir.Read) and part.source == sequence for part in ir.subexpressions(expression)
    )


def _asking(mechanism: ir.Mechanism, present: str) -> ir.If:
    """The one branch that asks whether a record is there, in a loop over its index.  Raises NotSampled."""
    asking = [
        item
        for item in ir.statements(mechanism.body)
        if any(_reads(value, present) for value in expressions(item))
    ]
    if len(asking) != 1:
        raise NotSampled("several statements ask which records there are")
    for loop in _outermost_loops(mechanism.body):
        counted = counting(loop)
        for item in loop.body:
            if item is asking[0] and isinstance(item, ir.If) and counted is not None and not item.otherwise:
                index = ir.Variable(counted[0], ir.Sort.INT)
                if item.condition == ir.Read(present, (index,), ir.Sort.BOOL):
                    return item
    raise NotSampled("no loop asks once for each record whether it is there")


def _outermost_loops(body: Body) -> Iterator[ir.Loop]:
    """The loops that are begun once at the most."""
    for item in body:
        match item:
            case ir.Loop():
                yield item
            case ir.Block(body=inner):
                yield from _outermost_loops(inner)
            case ir.If(then=then, otherwise=otherwise):
                yield from _outermost_loops((*then, *otherwise))
            case _:
                pass


def _coin(body: Body) -> _Coin:
    """What a record's coin decides: all that comes after it.  Raises NotSampled."""
    before, rest = _computed(body)
    match rest:
        case (ir.Choose() as coin, *more):
            inside, asking = _computed(tuple(_branching(item, coin.target) for item in more))
            if not asking or coin.target in assigned(more):
                raise NotSampled("no coin decides whether a record is taken")
            kept = (part for item in asking for part in _with_heads(item, coin.target))
            return _Coin(coin.target, _chance(coin), (*before, *inside), (*before, *inside, *kept))
        case (ir.Block() as block,):
            inside, behind = _computed(block.body)
            match behind:
                case (ir.Choose() as coin, test, *more) if _leaves(test, block.label, coin.target):
                    known = (*before, *inside)
                    kept_block = replace(block, body=tuple(more))
                    return _Coin(coin.target, _chance(coin), known, (*known, kept_block))
        case (ir.If(otherwise=()) as branch,):
            inner = _coin(branch.then)
            taken = (*before, replace(branch, then=inner.taken))
            return replace(inner, before=(*before, branch, *inner.before), taken=taken)
    raise NotSampled("no coin decides whether a record is taken")


def _computed(body: Body) -> tuple[Body, Body]:
    """The statements that only compute, from the first on, and the others."""
    simple = (isinstance(item, ir.Assign | ir.Obligation) for item in body)
    place = next((number for number, item in enumerate(simple) if not item), len(body))
    return body[:place], body[place:]


def _branching(statement: ir.Statement, coin: str) -> ir.Statement:
    """What is added only if a coin shows heads, added in a branch."""
    match statement:
        case ir.Assign(
            target=name,
            value=ir.Operation(
                ir.Operator.ADD,
                (
                    ir.Variable(name=same) as sum_,
                    ir.Operation(ir.Operator.IF, (test, added, ir.Constant(value=0))),
                ),
            ),
        ) if same == name and ir.Variable(coin, ir.Sort.BOOL) in builders.conjuncts(test):
            then = (replace(statement, value=builders.add(sum_, added)),)
            return ir.If(0, test, then, (), statement.span)
        case _:
            return statement


def _with_heads(branch: ir.Statement, coin: str) -> Body:
    """What a branch does where a coin that it asks for shows heads, if it does nothing else.

    Raises NotSampled.
    """
    match branch:
        case ir.If(condition=condition, then=then, otherwise=()):
            others = _others(condition, coin)
            return then if others == builders.TRUE else (replace(branch, condition=others),)
        case _:
            raise NotSampled("no coin decides whether a record is taken")


def _others(condition: ir.Expression, coin: str) -> ir.Expression:
    """The condition, where a coin that it asks for shows heads.  Raises NotSampled."""
    heads = ir.Variable(coin, ir.Sort.BOOL)
    asked = builders.conjuncts(condition)
    if heads not in asked:
        raise NotSampled("no coin decides whether a record is taken")
    return builders.both(*(item for item in asked if item != heads))


def _leaves(branch: ir.Statement, label: str, coin: str) -> bool:
    """Whether a branch leaves the block if the coin shows tails, and does nothing else."""
    tails = builders.negate(ir.Variable(coin, ir.Sort.BOOL))
    match branch:
        case ir.If(condition=condition, then=(ir.Exit(label=left),), otherwise=()):
            return left == label and condition == tails
        case _:
            return False


def _chance(coin: ir.Choose) -> ir.Expression:
    match arguments_of(coin):
        case "bernoulli", (chance,):
            return chance
        case _:
            raise NotSampled("what decides whether a record is taken is no coin")


def _over_parameters(mechanism: ir.Mechanism, chance: ir.Expression) -> ir.Expression:
    """The chance over public parameters, of which one statement each makes the locals in it.

    Raises NotSampled.
    """
    statements = list(ir.statements(mechanism.body))
    often = Counter(map(target, statements))
    once = {
        item.target: item.value
        for item in statements
        if isinstance(item, ir.Assign) and often[item.target] == 1
    }
    for _ in range(len(once) + 1):
        if is_made_of(chance, public_parameters(mechanism) - assigned(mechanism.body)):
            return chance
        chance = replaced(chance, once)
        if not builders.is_small(chance):
            break
    raise NotSampled("the chance of a record to be taken is made of more than public parameters")


def _check_unread(coin: _Coin, every: ir.Mechanism, taken: ir.If) -> None:
    """Nothing reads the coin, nor, behind what is done with a record, what is computed before it is tossed.

    Raises NotSampled.
    """
    statements = list(ir.statements(every.body))
    if any(coin.name in _read(item) for item in statements):
        raise NotSampled("a coin is read elsewhere")
    demands = tuple(item for item in statements if isinstance(item, ir.Obligation))
    computed = {item.target for item in coin.before if isinstance(item, ir.Assign)}
    if computed & Analysis(every, demands).live_at_merges[id(taken)]:
        raise NotSampled("what is computed before a coin is carried on")


def _read(statement: ir.Statement) -> set[str]:
    return {name for value in expressions(statement) for name in mentioned(value)}


def _with(body: Body, branch: ir.If, taken: ir.If) -> Iterator[ir.Statement]:
    for item in body:
        yield taken if item is branch else with_blocks(item, lambda inner: tuple(_with(inner, branch, taken)))
