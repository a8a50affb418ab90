"""What must hold in every single run: positive scales, divisors, indices inside their sequence.

One run is executed symbolically, loop by loop, with all draws arbitrary; its Horn clauses say that
control never reaches an obligation that fails.  Of the entries of a local list is known what held of each
when it was appended.  Obligations over public parameters alone are
shown first, in polynomial arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT

from synth.bounds.scales import NotConstant, Scales
from synth.prover.costs.private_reals import Grounds, PrivateReals
from synth.prover.horn.encoding import LEFT, Environment, Evaluator, Globals, Names, PathFragment, public_term
from synth.prover.horn.horn import Application, Clause, HornSystem, Predicate, Purpose
from synth.prover.horn.paths import joined, meet
from synth.prover.horn.solvers import GaveUp, Solution, solve_horn
from synth.prover.horn.terms import (
    SORTS,
    TRUE,
    add,
    all_of,
    any_of,
    constant,
    less,
    less_equal,
    negate,
    sort_of,
    symbol,
)
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.simple_invariants import solve_from_lengths, solve_from_simple
from synth.prover.product.control_flow import RETURNED, Outcomes, behind, either, through
from synth.prover.product.magnitudes import magnitudes
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Analysis,
    Body,
    assigned,
    expressions,
    length_name,
    with_blocks,
)


@dataclass(frozen=True)
class Discharged:
    """The clauses of single runs, and the invariants with which they reach no failing obligation.

    ``factors`` are numbers that factors were found to be which the program doesn't write as numbers,
    ``magnitudes`` are public numbers with which the sizes of factors are compared.
    """

    system: HornSystem
    solution: Solution
    factors: frozenset[Fraction] = frozenset()
    magnitudes: tuple[ir.Expression, ...] = ()


@dataclass(frozen=True)
class Discharge:
    """The obligations of a mechanism that could not be shown, in program order, and proofs of the others.

    ``by_state`` numbers the statements among them that don't follow from ``requires`` alone, ``by_reals``
    those that follow over the reals from what is known there of private numbers.
    """

    missing: tuple[ir.Obligation, ...]
    shown: tuple[Discharged, ...]
    by_state: tuple[int, ...] = ()
    by_reals: Mapping[int, Grounds] = field(default_factory=dict)


def discharge(mechanism: ir.Mechanism, milliseconds: int = 5000) -> Discharge:
    """Show the obligations of the mechanism, all together if possible."""
    wanted = list(_obligations(mechanism.body))
    facts, scales = PublicFacts(mechanism.requires), Scales(mechanism)
    left = [item for item in wanted if not _public(item, facts, scales)]
    if not left:
        return Discharge((), ())
    stated = [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Obligation)]
    reals = PrivateReals(mechanism, facts.holds)
    by_reals = {
        number: grounds
        for number, item in enumerate(stated)
        if item in left and (grounds := reals.shows(item.condition)) is not None
    }
    by_state = tuple(n for n, item in enumerate(stated) if item in left and n not in by_reals)
    asked = {id(stated[n]): _limited(stated[n], grounds) for n, grounds in by_reals.items()}
    whole = replace(mechanism, body=_asking(mechanism.body, asked))
    left = [asked.get(id(item), item) for item in left]
    together = shown_together(whole, left, milliseconds)
    if together is not None:
        return Discharge((), (together,), by_state, by_reals)
    alone = [(item, _shown_alone(whole, item, milliseconds)) for item in left]
    return Discharge(
        tuple(item for item, found in alone if found is None),
        tuple(found for _, found in alone if found is not None),
        by_state,
        by_reals,
    )


def _shown_alone(mechanism: ir.Mechanism, item: ir.Obligation, milliseconds: int) -> Discharged | None:
    """The proof of one obligation, by signs of products, or else by their sizes: squares aren't negative."""
    found = shown_together(mechanism, [item], milliseconds)
    sizes = magnitudes(Analysis(mechanism)) if found is None else ()
    return shown_together(mechanism, [item], milliseconds, sizes) if sizes else found


def _limited(item: ir.Obligation, grounds: Grounds) -> ir.Obligation:
    """The obligation that the private numbers of another one are within their limits, which is enough."""
    return replace(item, condition=builders.both(*grounds.limits))


def _asking(body: Body, asked: Mapping[int, ir.Obligation]) -> Body:
    """A body with other obligations in the place of some, which are told by their identity."""
    return tuple(
        asked[id(item)] if id(item) in asked else with_blocks(item, lambda inner: _asking(inner, asked))
        for item in body
    )


def _obligations(body: Body) -> Iterator[ir.Obligation]:
    for item in ir.statements(body):
        match item:
            case ir.Obligation():
                yield item
            case ir.Choose(law=ir.Weights(demands=demands)):
                yield from demands


def _public(item: ir.Obligation, facts: PublicFacts, scales: Scales) -> bool:
    try:
        return facts.holds(scales.resolve(item.condition, item.span))
    except NotConstant:
        return False


_WAYS = ((solve_horn, 4), (solve_from_simple, 2), (solve_from_lengths, 2), (solve_horn, 1))
"""How invariants are found, and which part of the time each has."""


def shown_together(
    mechanism: ir.Mechanism,
    wanted: list[ir.Obligation],
    milliseconds: int,
    sizes: tuple[ir.Expression, ...] = (),
) -> Discharged | None:
    """The proof that no run violates these obligations of the mechanism; None if none is found.

    Factors are compared with ``sizes``.
    """
    run = SingleRun(mechanism, wanted, Names(magnitudes=sizes))
    system = run.system()
    for solve, share in _WAYS:
        try:
            solution = solve(system, milliseconds // share)
        except GaveUp:
            continue
        return None if solution is None else Discharged(system, solution, frozenset(run.names.factors), sizes)
    return None


@dataclass
class _State:
    fragment: PathFragment
    premises: list[Application]
    path: FNode
    values: Environment

    def merge(self, other: _State) -> _State:
        """Both states in one; what is known of entries holds only where they were read."""
        here, path = meet(self.path, other.path)
        premises = list(dict.fromkeys([*self.premises, *other.premises]))
        return replace(self, premises=premises, path=path, values=joined(here, self.values, other.values))


@dataclass
class SingleRun:
    """Builds the Horn system of one run, with the wanted obligations as goals."""

    mechanism: ir.Mechanism
    wanted: list[ir.Obligation]
    names: Names = field(default_factory=Names)
    clauses: list[Clause] = field(default_factory=list)
    heads: dict[int, tuple[Predicate, tuple[str, ...]]] = field(default_factory=dict)
    entries: dict[str, Predicate] = field(default_factory=dict)

    def system(self) -> HornSystem:
        """The clauses; solvable if no run reaches a wanted obligation that fails."""
        self.live = Analysis(self.mechanism, tuple(self.wanted)).live_at_loop
        for name in sorted(self._read_lists()):
            self._entry_predicate(name)
        values: Environment = {}
        for item in self.mechanism.parameters:
            if item.kind is ir.ParameterKind.SCALAR:
                values[item.name] = symbol(item.name, SORTS[item.sort])
        state = _State(self._fragment(), [], TRUE(), values)
        self._body(self.mechanism.body, state)
        predicates = (*(predicate for predicate, _ in self.heads.values()), *self.entries.values())
        return HornSystem(predicates, tuple(self.clauses))

    def _read_lists(self) -> set[str]:
        return {
            part.source
            for statement in ir.statements(self.mechanism.body)
            for expression in expressions(statement)
            for part in ir.subexpressions(expression)
            if isinstance(part, ir.Element)
        }

    def _entry_predicate(self, name: str) -> None:
        """What is known of an entry: it holds trivially where ``real`` is false."""
        sorts = [SORTS[sort] for sort in self.mechanism.lists[name].components]
        entry = [symbol(f"{name}[{place}]<1>", sort) for place, sort in enumerate(sorts)]
        formals = (symbol(f"{name}#real", BOOL), symbol(f"{name}#index", INT), *entry, *self._inputs())
        predicate = self.entries[name] = Predicate(f"entries of {name}", formals)
        purpose = Purpose("entries", self.mechanism.span, "no entry is read")
        idle = (constant(False, BOOL), *formals[1:])
        self.clauses.append(Clause((), (), Application(predicate, idle), purpose))

    def _fragment(self) -> PathFragment:
        fragment = PathFragment(
            self.mechanism, self.names, tuple(item for item in self.mechanism.facts if item.alone)
        )
        fragment.assume(public_term(fragment, self.mechanism.requires))
        return fragment

    def _body(self, body: Body, state: _State) -> Outcomes[_State]:
        return through(body, state, self._statement)

    def _statement(self, statement: ir.Statement, state: _State) -> Outcomes[_State]:
        match statement:
            case ir.Assign(target=target, value=value):
                state.values[target] = self._term(state, value)
            case ir.Draw(target=target, sort=sort):
                state.values[target] = self.names.fresh(target, SORTS[sort])
            case ir.Choose():
                self._choose(statement, state)
            case ir.NewList(target=target):
                state.values[length_name(target)] = constant(0, INT)
            case ir.Append(target=target):
                self._append(statement, state)
                name = length_name(target)
                state.values[name] = add(state.values[name], constant(1, INT))
            case ir.If():
                return self._if(statement, state)
            case ir.Block(label=label, body=body):
                return behind(label, self._body(body, state))
            case ir.Loop():
                return self._loop(statement, state)
            case ir.Exit(label=label):
                return {label: [state]}
            case ir.Return():
                return {RETURNED: []}
            case ir.Obligation():
                self._obligation(statement, state)
            case ir.Assume(condition=condition):
                state.path = all_of((state.path, self._term(state, condition)))
        return {None: [state]}

    def _append(self, statement: ir.Append, state: _State) -> None:
        if statement.target not in self.entries:
            return
        predicate = self.entries[statement.target]
        entry = [self._term(state, value) for value in statement.values]
        index = state.values[length_name(statement.target)]
        application = Application(predicate, (TRUE(), index, *entry, *self._inputs()))
        purpose = Purpose("entries", statement.span, predicate.name)
        assumptions = (*state.fragment.assumptions, state.path)
        self.clauses.append(Clause(tuple(state.premises), assumptions, application, purpose))

    def _term(self, state: _State, expression: object) -> FNode:
        def element(side: int, element: ir.Element, index: FNode) -> FNode:
            """An entry of which is known what held when it was appended; it is inside of its list."""
            sorts = self.mechanism.lists[element.source].components
            entry = [self.names.fresh(element.source, SORTS[sort]) for sort in sorts]
            length = state.values[length_name(element.source)]
            inside = (state.path, less_equal(constant(0, INT), index), less(index, length))
            arguments = (all_of(inside), index, *entry, *self._inputs())
            premise = Application(self.entries[element.source], arguments)
            state.premises = [*state.premises, premise]
            return entry[element.component]

        evaluator = Evaluator(state.fragment, LEFT, state.values, lambda *_: None, element)
        return evaluator.term(expression)  # type: ignore[arg-type]

    def _choose(self, statement: ir.Choose, state: _State) -> None:
        """Any value that has a chance; what is demanded of every index is shown of any one."""
        value = self.names.fresh(statement.target, SORTS[statement.sort])
        state.values[statement.index] = value
        match statement.law:
            case ir.Chances(outcomes=outcomes):
                chance = any_of(self._term(state, condition) for condition, _ in outcomes)
                state.path = all_of((state.path, chance))
            case ir.Weights(count=count, demands=demands):
                inside = less_equal(constant(0, INT), value), less(value, self._term(state, count))
                state.path = all_of((state.path, *inside))
                for demand in demands:
                    self._obligation(demand, state)
        del state.values[statement.index]
        state.values[statement.target] = value

    def _obligation(self, statement: ir.Obligation, state: _State) -> None:
        if not any(item is statement for item in self.wanted):
            return
        condition = self._term(state, statement.condition)
        purpose = Purpose(statement.kind, statement.span, statement.reason)
        assumptions = (*state.fragment.assumptions, state.path)
        self.clauses.append(Clause(tuple(state.premises), assumptions, condition, purpose))

    def _if(self, statement: ir.If, state: _State) -> Outcomes[_State]:
        condition = self._term(state, statement.condition)
        sides = (condition, statement.then), (negate(condition), statement.otherwise)
        return either(
            self._body(body, replace(state, path=all_of((state.path, test)), values=dict(state.values)))
            for test, body in sides
        )

    def _loop(self, statement: ir.Loop, state: _State) -> Outcomes[_State]:
        if statement.loop in self.heads:
            self._enter(statement, state)
            return {}
        changed = assigned(statement.body)
        known = Globals(self.mechanism)
        fixed = {name for name, term in known.names().items() if state.values.get(name) is term}
        names = tuple(
            name
            for name in state.values
            if name in self.live[statement.loop] and not (name in fixed and name not in changed)
        )
        formals = tuple(symbol(f"{name}@{statement.loop}", sort_of(state.values[name])) for name in names)
        extra = self._inputs()
        predicate = Predicate(f"loop {statement.loop}", (*formals, *extra))
        self.heads[statement.loop] = predicate, names
        self._enter(statement, state)
        values: Environment = {name: known.names()[name] for name in fixed if name not in changed}
        values.update(zip(names, formals, strict=True))
        premises = [Application(predicate, predicate.formals)]
        outcomes = self._body(statement.body, _State(self._fragment(), premises, TRUE(), values))
        for back in outcomes.pop(None, []):
            self._enter(statement, back)
        return outcomes

    def _inputs(self) -> tuple[FNode, ...]:
        """Inputs that never change, and lengths."""
        known = Globals(self.mechanism)
        lengths = [
            known.length(item.name)
            for item in self.mechanism.parameters
            if item.kind is ir.ParameterKind.SEQUENCE
        ]
        return tuple(sorted((*known.names().values(), *lengths), key=lambda item: item.symbol_name()))

    def _enter(self, statement: ir.Loop, state: _State) -> None:
        predicate, names = self.heads[statement.loop]
        extra = predicate.formals[len(names) :]
        arguments = tuple(
            state.values[name] if name in state.values else self.names.fresh(name, formal)
            for name, formal in zip(names, predicate.formals, strict=False)
        )
        purpose = Purpose("invariant", statement.span, predicate.name)
        application = Application(predicate, (*arguments, *extra))
        assumptions = (*state.fragment.assumptions, state.path)
        self.clauses.append(Clause(tuple(state.premises), assumptions, application, purpose))
