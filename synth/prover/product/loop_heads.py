"""What the invariant of a loop speaks of: variables of both runs, ghosts, and functions at variables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from pysmt.fnode import FNode
from pysmt.typing import INT, PySMTType

from synth.prover.costs.weights import functions_in_facts
from synth.prover.horn.horn import Predicate
from synth.prover.horn.terms import SORTS, free_symbols, number_value, sort_of, symbol
from synth.prover.product.clause_builder import ClauseBuilder, Head
from synth.prover.product.observables import is_event
from synth.prover.product.run_states import State
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, expressions, length_name
from synth.trusted.program.symbols import Cost, Event, Latest, Name, Spent, Version

Carried = tuple[tuple[Name, tuple[FNode, FNode]], ...]


def new_head(builder: ClauseBuilder, state: State, loop: ir.Loop) -> Head:
    """The head of a loop that is first reached in this state."""
    carried = tuple(_carried(builder, state, loop))
    reads = tuple(_reads(builder, loop, carried))
    formals = tuple(item for _, pair in carried for item in dict.fromkeys(pair))
    formals += tuple(formal for _, formal in reads)
    predicate = Predicate(f"loop {loop.loop}", formals)
    kept = {
        name: state.pair(name)
        for name in state.names()
        if name not in dict(carried) and _is_kept(builder, state, loop, name)
    }
    return Head(predicate, carried, kept, reads, tuple(_counted(builder, state, loop)))


def _counted(builder: ClauseBuilder, state: State, loop: ir.Loop) -> Iterator[str]:
    """The lists that get one entry in each iteration of a ``for`` loop, and have none before it."""
    if not builder.problem.folds or loop.counter is None or number_value(state.value(loop.counter)) != 0:
        return
    grown = [item.target for item in loop.body if isinstance(item, ir.Append)]
    inside = list(ir.statements(loop.body))
    for name in grown:
        changes = [
            item for item in inside if isinstance(item, ir.Append | ir.NewList) and item.target == name
        ]
        if len(changes) == 1 and number_value(state.value(length_name(name))) == 0:
            yield name


def _carried(
    builder: ClauseBuilder, state: State, loop: ir.Loop
) -> Iterator[tuple[Name, tuple[FNode, FNode]]]:
    """What the invariant speaks of: name, and its symbols in the two runs (one if shared)."""
    duplicated = builder.differences.duplicated[loop.loop]
    for name in state.names():
        if _is_kept(builder, state, loop, name) or not _keeps_its_value(builder, loop, name):
            continue
        left, right = state.pair(name)
        if left is not right:
            duplicated.add(name)
        yield name, _formals(builder, loop, name, sort_of(left), name in duplicated)


def _formals(
    builder: ClauseBuilder, loop: ir.Loop, name: Name, kind: PySMTType, two: bool
) -> tuple[FNode, FNode]:
    kept = builder.problem.accounting.against.get(name) if isinstance(name, Cost) else None
    title = f"{name}@{loop.loop}" if kept is None else f"({kept} - paid)@{loop.loop}"
    if two:
        return symbol(f"{title}<1>", kind), symbol(f"{title}<2>", kind)
    return symbol(title, kind), symbol(title, kind)


def _reads(builder: ClauseBuilder, loop: ir.Loop, carried: Carried) -> Iterator[tuple[ir.Read, FNode]]:
    """Functions of one argument that facts speak of, at variables that agree, as symbols."""
    wanted = functions_in_facts(builder.problem.mechanism)
    arguments = {
        part.name
        for item in ir.statements(loop.body)
        for whole in expressions(item)
        for read in ir.subexpressions(whole)
        if isinstance(read, ir.Read)
        for part in read.index
        if isinstance(part, ir.Variable)
    }
    for name, (left, right) in carried:
        if left is right and name in arguments and sort_of(left) == INT:
            for item in wanted:
                title = f"{item.name}({name})@{loop.loop}"
                read = ir.Read(item.name, (ir.Variable(name, ir.Sort.INT),), item.sort)
                yield read, symbol(title, SORTS[item.sort])


def _keeps_its_value(builder: ClauseBuilder, loop: ir.Loop, name: Name) -> bool:
    """Whether the variable's value matters in the loop or behind it."""
    match name:
        case Cost() | Spent() | Latest():
            return True
        case Event():
            return _is_foreseen(builder, loop, name)
    return name in builder.problem.live_at_loop[loop.loop]


def _is_foreseen(builder: ClauseBuilder, loop: ir.Loop, event: Event) -> bool:
    """Whether the event's next value must be remembered at the loop's head: a draw asked for it before."""
    inside = list(ir.statements(loop.body))
    if not any(is_event(item, event) for item in inside):
        return True
    asking = {
        site
        for site, cases in builder.problem.strategy.cases.items()
        if any(condition.predicate.event == event for case in cases for condition in case.conditions)
    }
    before = takewhile(lambda item: item is not loop, ir.statements(builder.problem.mechanism.body))
    if any(isinstance(item, ir.Draw) and item.site in asking for item in before):
        return True
    inner = frozenset(item.label for item in inside if isinstance(item, ir.Block))
    return _is_left_open(loop.body, event, asking, inner)


def _is_left_open(body: Body, event: Event, asking: set[int], inner: frozenset[str]) -> bool:
    """Whether some draw asks for the event, and the body may be over before that happens."""
    for place, statement in enumerate(body):
        if any(_settles(item, event, inner) for item in body[place + 1 :]):
            continue
        if isinstance(statement, ir.Draw) and statement.site in asking:
            return True
        if any(_is_left_open(part, event, asking, inner) for part in ir.blocks(statement)):
            return True
    return False


def _settles(statement: ir.Statement, event: Event, inner: frozenset[str]) -> bool:
    """Whether the event happens here, or nothing after it does; a loop that may come to it is taken to.

    Exits from ``inner`` blocks leave what may follow open.
    """
    match statement:
        case ir.Exit(label=label):
            return label not in inner
        case ir.Return():
            return True
        case _ if is_event(statement, event):
            return True
        case ir.If(then=then, otherwise=otherwise):
            return all(any(_settles(item, event, inner) for item in part) for part in (then, otherwise))
        case _:
            return any(_settles(item, event, inner) for part in ir.blocks(statement) for item in part)


def _is_kept(builder: ClauseBuilder, state: State, loop: ir.Loop, name: Name) -> bool:
    """Whether the variable has one constant value in the loop, and so needs no place in the invariant."""
    left, right = state.pair(name)
    if left is not right or name in builder.differences.varying[loop.loop]:
        return False
    if not _is_global(builder, left):
        return False
    match name:
        case Cost() | Spent() | Latest() | Version():
            return False
        case Event():
            return bool(left.is_symbol())
    return name in builder.problem.live_at_loop[loop.loop] and name not in assigned(loop.body)


def _is_global(builder: ClauseBuilder, term: FNode) -> bool:
    known = set(builder.globals.names().values())
    return all(item in known or _is_constant_symbol(item) for item in free_symbols([term]))


def _is_constant_symbol(term: FNode) -> bool:
    """Symbols that stand for one value throughout: lengths, logical constants, the returned value."""
    name: str = term.symbol_name()
    return name.startswith(("len(", "next#return")) or name.endswith(("#changed", "#change", "#upward"))
