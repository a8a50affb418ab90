"""The coupled product: two runs in lockstep, one shift per draw, a ghost cost per class of payments.

Executes both runs symbolically from one loop head to the next and collects Horn clauses over the
loops' unknown relational invariants.  Branches that steer draws or control are published: the two
runs must take them alike.  Branches that only compute may part; each run then goes its own way
([Cond-L], [Cond-R]) and they meet again behind it.

What the clauses say, all together: whenever run 1 publishes what b says, so does run 2, each
coupling is applied as its template allows, and the costs stay within the bounds.  By the
pointwise rule [Forall-Eq] (Barthe et al. 2016, Prop. 6) that is privacy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT, REAL, PySMTType

from synth.couplings.distribution import Template
from synth.couplings.evaluation import (
    LEFT,
    RIGHT,
    Environment,
    Evaluator,
    Globals,
    Names,
    Scene,
    as_real,
    public_term,
)
from synth.couplings.odds import FREE, Odds
from synth.couplings.potentials import Indexed, Rise
from synth.couplings.scales import opaque_parts
from synth.couplings.strategy import TAIL, Case, Event, Feature, Offset, Strategy, Tail
from synth.couplings.weighing import OWN, TOTAL, Weighing, functions_in_facts, only_few
from synth.language.analysis import Analysis, Body, assigned, expressions, is_quiet, length_name, names
from synth.language.syntax import (
    Append,
    Assign,
    Assume,
    Block,
    Chances,
    Choose,
    Draw,
    Element,
    Exit,
    Expression,
    If,
    Loop,
    Mechanism,
    MetricKind,
    NewList,
    Obligation,
    ParameterKind,
    Read,
    Return,
    Sort,
    Span,
    Statement,
    Variable,
    Weights,
    statements,
    subexpressions,
)
from synth.logic.horn import Application, Clause, HornSystem, Predicate, Purpose
from synth.logic.paths import joined, meet
from synth.logic.terms import (
    SORTS,
    TRUE,
    absolute,
    add,
    all_of,
    any_of,
    choose,
    constant,
    equal,
    free_symbols,
    implies,
    less,
    less_equal,
    linear_combination,
    negate,
    scaled,
    sort_of,
    subtract,
    symbol,
    to_real,
    within,
)


@dataclass(frozen=True)
class Account:
    """Where the payments of one case go: a ghost counter, and how much one use adds to it.

    An integer counts uses, in units of the counter.  A factor and a public expression of the
    program add their product, in nats.  With None the distance itself is added (costs that are
    summed up as they come).  A rise adds what its potential rises by in this iteration.
    """

    ghost: str
    amount: int | tuple[Fraction, Expression] | Rise | None


@dataclass(frozen=True)
class Accounting:
    """Accounts per site and case, and the bounds to prove: public expressions of sort int or real.

    ``against`` names, for a counter, a variable of the program that keeps the same account; at
    loop heads the invariant then speaks of what that variable is ahead by.

    ``rises`` are counters that a potential bounds, whatever the runs do: their invariants are known, and
    no clause is about them.  ``indexed`` are the sites whose prices depend on what a loop counts,
    ``weighings`` the draws whose weights differ.  ``orders`` are counters that count in one order of the
    entries of a monotone parameter only, in the other one they stay 0.  ``prices`` names the parts of prices
    that are no rational functions.
    """

    accounts: Mapping[tuple[int, int], Account]
    bounds: Mapping[str, Expression]
    sorts: Mapping[str, PySMTType]
    against: Mapping[str, str] = field(default_factory=dict)
    rises: Mapping[str, Rise] = field(default_factory=dict)
    indexed: Mapping[int, Indexed] = field(default_factory=dict)
    weighings: Mapping[int, Weighing] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    prices: Mapping[str, Expression] = field(default_factory=dict)

    def meant(self) -> dict[str, Expression]:
        """What the variables of prices mean that are no parameters, apart from public scales."""
        found = dict(self.prices)
        for rise in self.rises.values():
            found |= {**opaque_parts(rise.weight), **opaque_parts(rise.potential.bound())}
        return found


class _Restart(Exception):
    """A variable was taken to be shared between the runs at a loop, and is not: begin again, knowing that.

    Nothing of the failed attempt may stay: its clauses would be missing, or its assumptions too many.
    """


@dataclass
class _State:
    """Both runs at one program point, reached from ``origin`` under ``path``."""

    scene: _Scene
    path: FNode
    values: tuple[Environment, Environment]

    def fork(self, condition: FNode) -> _State:
        left, right = self.values
        return _State(self.scene, all_of((self.path, condition)), (dict(left), dict(right)))

    def set(self, name: str, left: FNode, right: FNode) -> None:
        self.values[LEFT][name], self.values[RIGHT][name] = left, right

    def pair(self, name: str) -> tuple[FNode, FNode]:
        return self.values[LEFT][name], self.values[RIGHT][name]


@dataclass
class _Scene(Scene):
    """A scene with the predicates it starts from, and what run 1 publishes in it."""

    premises: list[Application] = field(default_factory=list)
    matches: list[FNode] = field(default_factory=list)
    elements: dict[tuple[str, FNode, FNode], tuple[tuple[FNode, ...], tuple[FNode, ...]]] = field(
        default_factory=dict
    )


Outcomes = dict[str | None, list[_State]]


@dataclass
class Product:
    """Builds the Horn system of a mechanism under a strategy.

    Afterwards ``heads`` tell what each invariant speaks of, ``shared`` on which variables the runs
    agree at the loops that have none, ``parted`` the branches where the runs may part.  ``facts``
    are known of locals that are functions of the public parameters, wherever they have been
    assigned; they have been shown in polynomial arithmetic (synth.proof.public_facts).
    """

    mechanism: Mechanism
    analysis: Analysis
    strategy: Strategy
    templates: Mapping[str, Template]
    accounting: Accounting
    facts: tuple[Expression, ...] = ()
    odds: Mapping[int, Odds] = field(default_factory=dict)
    duplicated: dict[int, set[str]] = field(default_factory=dict)
    varying: dict[int, set[str]] = field(default_factory=dict)
    not_public: set[int] = field(default_factory=set)

    def system(self) -> HornSystem:
        """The clauses; the sharing of variables between the runs is found on the way."""
        while True:
            try:
                return self._attempt()
            except _Restart:
                continue

    def _attempt(self) -> HornSystem:
        self.names = Names()
        self.globals = Globals(self.mechanism)
        self.drafts: list[tuple[_Scene | None, Clause]] = []
        self.predicates: dict[str, Predicate] = {}
        self.heads: dict[int, Head] = {}
        self.parted: set[int] = set()
        self.shared: dict[int, tuple[str, ...]] = {}
        self.used_events = {
            condition.feature.event: BOOL if condition.feature.expression is None else INT
            for cases in self.strategy.cases.values()
            for case in cases
            for condition in case.conditions
            if condition.feature.event.kind != "upward"
        }
        start = self._entry()
        outcomes = self._body(self.mechanism.body, start)
        assert set(outcomes) <= {_RETURNED}, "a mechanism ends by return"
        return _with_globals(HornSystem(tuple(self.predicates.values()), self._finished()))

    # --- the beginning ----------------------------------------------------------------------

    def _entry(self) -> _State:
        scene = self._scene([])
        state = _State(scene, TRUE(), ({}, {}))
        for parameter in self.mechanism.parameters:
            if parameter.kind is not ParameterKind.SCALAR:
                continue
            if parameter.metric is None:
                term = self.globals.scalar(parameter.name)
                state.set(parameter.name, term, term)
                continue
            pair = [symbol(f"{parameter.name}<{side}>", SORTS[parameter.sort]) for side in (1, 2)]
            state.set(parameter.name, *pair)
            if parameter.metric.bound is not None:
                change = subtract(as_real(pair[0]), as_real(pair[1]))
                scene.assume(within(change, public_term(scene, parameter.metric.bound)))
        for parameter in self.mechanism.parameters:
            if parameter.metric is not None and parameter.metric.kind is MetricKind.L1:
                state.set(_spent(parameter.name), *[constant(0, REAL)] * 2)
                state.set(_latest(parameter.name), *[constant(-1, INT)] * 2)
        for ghost, sort in self.accounting.sorts.items():
            state.set(ghost, *[constant(0, sort)] * 2)
        self._foresee(state)
        return state

    def _scene(self, premises: list[Application]) -> _Scene:
        scene = _Scene(self.mechanism, self.names, self.mechanism.facts, premises=premises)
        scene.assume(public_term(scene, self.mechanism.requires))
        return scene

    # --- clauses ----------------------------------------------------------------------------

    def _clause(self, state: _State, conclusion: Application | FNode, purpose: Purpose) -> None:
        if isinstance(conclusion, FNode) and (conclusion.is_true() or state.path.is_false()):
            return
        scene = state.scene
        clause = Clause(tuple(scene.premises), (*scene.assumptions, state.path), conclusion, purpose)
        self.drafts.append((scene, clause))

    def _finished(self) -> tuple[Clause, ...]:
        """The clauses, each for runs 1 that publish what b says, also later in the same scene.

        What run 1 publishes later may be used from the start: only runs 1 that end with output b
        matter.  It is no fact about run 2, so nothing is used before it is shown.
        """
        return tuple(
            replace(clause, assumptions=(*clause.assumptions, *(scene.matches if scene else ())))
            for scene, clause in self.drafts
        )

    def _require(self, state: _State, goal: FNode, purpose: Purpose) -> None:
        """Show ``goal`` here, and use it from here on."""
        self._clause(state, goal, purpose)
        state.scene.assume(implies(state.path, goal))

    # --- expressions ------------------------------------------------------------------------

    def _both(self, state: _State, expression: Expression) -> tuple[FNode, FNode]:
        return self._one(state, LEFT, expression), self._one(state, RIGHT, expression)

    def _one(
        self, state: _State, side: int, expression: Expression, values: Environment | None = None
    ) -> FNode:
        def on_pair(source: str, index: FNode, left: FNode, right: FNode) -> None:
            if _spent(source) in state.values[LEFT]:
                self._spend(state, source, index, left, right)

        def element(which: int, expression: Element, index: FNode) -> FNode:
            return self._element(state, which, expression, index)

        chosen = state.values[side] if values is None else values
        return Evaluator(state.scene, side, chosen, on_pair, element).term(expression)

    def _spend(self, state: _State, source: str, index: FNode, left: FNode, right: FNode) -> None:
        """l1_distance as a budget: entries read in increasing order differ by at most the bound in sum."""
        metric = self.mechanism.parameter(source).metric
        assert metric is not None and metric.bound is not None
        spent, latest = state.values[LEFT][_spent(source)], state.values[LEFT][_latest(source)]
        new = less(latest, index)
        total = add(spent, absolute(subtract(as_real(right), as_real(left))))
        bound = public_term(state.scene, metric.bound)
        state.scene.assume(implies(all_of((state.path, new)), less_equal(total, bound)))
        for name, value in (
            (_spent(source), choose(new, total, spent)),
            (_latest(source), choose(new, index, latest)),
        ):
            state.set(name, value, value)

    # --- local lists ------------------------------------------------------------------------

    def _element(self, state: _State, side: int, element: Element, index: FNode) -> FNode:
        """An entry of a local list: published ones agree; of others the element predicate tells."""
        sorts = self.mechanism.lists[element.source].components
        version = state.values[LEFT][_version(element.source)]
        key = (element.source, version, index)
        known = state.scene.elements
        if key not in known:
            if element.source in self.analysis.returned_lists:
                entry = tuple(self.names.fresh(element.source, SORTS[sort]) for sort in sorts)
                known[key] = entry, entry
            else:
                pair = tuple(
                    tuple(self.names.fresh(f"{element.source}<{run}>", SORTS[sort]) for sort in sorts)
                    for run in (1, 2)
                )
                known[key] = pair[0], pair[1]
                predicate = self._element_predicate(element.source)
                arguments = (self._is_entry(state, element.source, index), index, *pair[0], *pair[1])
                state.scene.premises.append(Application(predicate, arguments))
        return known[key][side][element.component]

    def _is_entry(self, state: _State, name: str, index: FNode) -> FNode:
        """Whether control is here and the list has that entry; else nothing may be said of it."""
        length = state.values[LEFT][length_name(name)]
        inside = (less_equal(constant(0, INT), index), less(index, length))
        return all_of((state.path, *inside))

    def _element_predicate(self, name: str) -> Predicate:
        """What is known of a pair of entries: it holds trivially where ``real`` is false."""
        title = f"entries of {name}"
        if title not in self.predicates:
            sorts = [SORTS[sort] for sort in self.mechanism.lists[name].components]
            pair = [
                symbol(f"{name}[{place}]<{run}>", sort) for run in (1, 2) for place, sort in enumerate(sorts)
            ]
            formals = (symbol(f"{name}#real", BOOL), symbol(f"{name}#index", INT), *pair)
            predicate = self.predicates[title] = Predicate(title, formals)
            purpose = Purpose("entries", self.mechanism.span, "no entry is read")
            idle = (constant(False, BOOL), *formals[1:])
            self.drafts.append((None, Clause((), (), Application(predicate, idle), purpose)))
        return self.predicates[title]

    def _append(self, state: _State, statement: Append) -> None:
        name = length_name(statement.target)
        length, other = state.pair(name)
        entries = [self._both(state, value) for value in statement.values]
        if statement.target in self.analysis.returned_lists:
            for component, pair in enumerate(entries):
                event = Event("append", statement.target, component)
                self._publish(state, event, pair, statement.span)
        else:
            self._require(
                state, equal(length, other), _purpose("entries", statement.span, "lists grow alike")
            )
            arguments = (state.path, length, *(pair[0] for pair in entries), *(pair[1] for pair in entries))
            predicate = self._element_predicate(statement.target)
            purpose = _purpose("entries", statement.span, f"entries of {statement.target}")
            self._clause(state, Application(predicate, arguments), purpose)
        one = constant(1, INT)
        state.set(name, add(length, one), add(other, one))

    # --- events -----------------------------------------------------------------------------

    def _foresee(self, state: _State) -> None:
        """Give every event that a guard asks about a next value, which b determines."""
        for event, kind in self.used_events.items():
            if event.name not in state.values[LEFT]:
                once = event.kind == "return"
                value = symbol(event.name, kind) if once else self.names.fresh(event.name, kind)
                state.set(event.name, value, value)

    def _publish(self, state: _State, event: Event, pair: tuple[FNode, FNode], span: Span) -> None:
        left, right = pair
        text = f"both runs publish the same at this {event.kind}"
        if event in self.used_events:
            value, _ = state.pair(event.name)
            state.scene.matches.append(implies(state.path, equal(left, value)))
            for side in (LEFT, RIGHT):
                del state.values[side][event.name]
            self._foresee(state)
        self._require(state, equal(left, right), _purpose("publish", span, text))

    # --- statements -------------------------------------------------------------------------

    def _body(self, body: Body, state: _State) -> Outcomes:
        outcomes: Outcomes = {None: [state]}
        for statement in body:
            states = outcomes.pop(None, [])
            for current in states:
                for label, more in self._statement(statement, current).items():
                    outcomes.setdefault(label, []).extend(more)
            if None in outcomes:
                outcomes[None] = _merged(outcomes[None])
            else:
                break
        return outcomes

    def _statement(self, statement: Statement, state: _State) -> Outcomes:
        match statement:
            case Assign(target=target, value=value):
                state.set(target, *self._both(state, value))
                if any(target in names(fact) for fact in self.facts):
                    self._assume_facts(state)
            case Draw():
                self._draw(state, statement)
            case Choose(law=Chances() as law):
                self._chances(state, statement, law)
            case Choose(law=Weights() as law) if statement.site in self.accounting.weighings:
                self._weigh(state, statement, law, self.accounting.weighings[statement.site])
            case Choose(law=Weights() as law):
                self._weights(state, statement, law)
            case NewList(target=target):
                state.set(length_name(target), *[constant(0, INT)] * 2)
                state.set(_version(target), *[self.names.fresh(_version(target), INT)] * 2)
            case Append():
                self._append(state, statement)
            case If():
                return self._if(state, statement)
            case Block(label=label, body=body):
                outcomes = self._body(body, state)
                rest = _merged([*outcomes.pop(None, []), *outcomes.pop(label, [])])
                return {**outcomes, None: rest} if rest else outcomes
            case Loop():
                return self._loop(state, statement)
            case Exit(label=label):
                return {label: [state]}
            case Return():
                self._return(state, statement)
                return {_RETURNED: [state]}
            case Obligation():
                pass  # shown for each run by itself: synth.proof.obligations
            case Assume(condition=condition, span=span):
                left, right = self._both(state, condition)
                same = _purpose("lockstep", span, "the assertion is about public facts")
                self._require(state, equal(left, right), same)
                state.path = all_of((state.path, left))
        return {None: [state]}

    def _return(self, state: _State, statement: Return) -> None:
        for component, value in enumerate(statement.values):
            event = Event("return", "", component)
            self._publish(state, event, self._both(state, value), statement.span)
        for name in statement.lists:
            lengths = state.pair(length_name(name))
            self._require(
                state, equal(*lengths), _purpose("publish", statement.span, "lists have one length")
            )
        for ghost, limit in self.accounting.bounds.items():
            total, bound = state.values[LEFT][ghost], public_term(state.scene, limit)
            if sort_of(bound) != sort_of(total):
                total, bound = to_real(total), to_real(bound)
            if ghost in self.accounting.orders:
                source, up = self.accounting.orders[ghost]
                upward, zero = self.globals.upward(source), constant(0, sort_of(bound))
                bound = choose(upward, bound, zero) if up else choose(upward, zero, bound)
            self._clause(state, less_equal(total, bound), _purpose("cost", statement.span, ghost))

    def _if(self, state: _State, statement: If) -> Outcomes:
        left, right = self._both(state, statement.condition)
        quiet = statement.branch in self.analysis.quiet_branches
        if statement.branch in self.strategy.published:
            event = Event("branch", str(statement.branch))
            self._publish(state, event, (left, right), statement.span)
        elif left is not right:
            assert quiet, "a branch that steers draws or control is published"
            self._part(state, statement, left, right)
            return {None: [state]}
        outcomes: Outcomes = {}
        for condition, body in ((left, statement.then), (negate(left), statement.otherwise)):
            for label, states in self._body(body, state.fork(condition)).items():
                outcomes.setdefault(label, []).extend(states)
        return {label: _merged(states) for label, states in outcomes.items()}

    def _part(self, state: _State, statement: If, left: FNode, right: FNode) -> None:
        self.parted.add(statement.branch)
        for side, condition in ((LEFT, left), (RIGHT, right)):
            results = [
                self._quiet(state, side, body, dict(state.values[side]))
                for body in (statement.then, statement.otherwise)
            ]
            state.values[side].update(joined(condition, *results))

    def _quiet(self, state: _State, side: int, body: Body, values: Environment) -> Environment:
        """A quiet body in one run: nothing but assignments and branches."""
        for statement in body:
            match statement:
                case Assign(target=target, value=value):
                    values[target] = self._one(state, side, value, values)
                case If(condition=condition, then=then, otherwise=otherwise):
                    test = self._one(state, side, condition, values)
                    results = [self._quiet(state, side, part, dict(values)) for part in (then, otherwise)]
                    values.update(joined(test, *results))
                case Block(body=inner) if is_quiet(inner) and not _exits(inner):
                    values = self._quiet(state, side, inner, values)
                case Obligation():
                    pass
                case _:
                    raise Unsupported("an exit inside a branch where the runs may part", _span(statement))
        return values

    # --- draws ------------------------------------------------------------------------------

    def _draw(self, state: _State, statement: Draw) -> None:
        center = self._both(state, statement.arguments[0])
        kind = SORTS[statement.sort]
        template = self.templates[statement.distribution]
        cases = self.strategy.cases[statement.site]
        guards = self._guards(state, cases)
        shifts = [self._shift(state, case.offset, center, kind) for case in cases]
        shift = shifts[-1]
        for guard, other in zip(guards[-2::-1], shifts[-2::-1], strict=True):
            shift = choose(guard, other, shift)
        left = self.names.fresh(f"{statement.target}<1>", kind)
        state.scene.assume(implies(state.path, template.support_at(left, center[0])))
        tail = self.strategy.tails.get(statement.site)
        if tail is not None:
            self._give_up(state, statement, tail, subtract(as_real(left), as_real(center[0])))
        for number, (guard, case, chosen) in enumerate(zip(guards, cases, shifts, strict=True)):
            self._pay(state.fork(guard), state, statement, number, case, center, chosen, guard)
        state.set(statement.target, left, add(left, shift))

    def _give_up(self, state: _State, statement: Draw, tail: Tail, noise: FNode) -> None:
        """Run 1's noise is inside; that is counted, and the count is within its bound on all runs."""
        limit = public_term(state.scene, tail.limit)
        inside = all_of((less(noise, limit), *([less(scaled(-1, noise), limit)] * tail.both)))
        state.scene.assume(implies(state.path, inside))
        ghost = self.accounting.accounts[statement.site, TAIL].ghost
        raised = add(state.values[LEFT][ghost], constant(1, INT))
        state.set(ghost, raised, raised)
        if ghost in self.accounting.bounds:
            most = public_term(state.scene, self.accounting.bounds[ghost])
            purpose = _purpose("cost", statement.span, f"{ghost} wherever it grows")
            self._clause(state, less_equal(raised, most), purpose)

    def _guards(self, state: _State, cases: tuple[Case, ...]) -> list[FNode]:
        """Per case, when it applies: its conditions hold and no earlier case does; the last is the rest."""
        guards: list[FNode] = []
        earlier: list[FNode] = []
        for case in cases[:-1]:
            wanted = all_of(
                self._condition(state, condition.feature, condition.value) for condition in case.conditions
            )
            guards.append(all_of((wanted, *map(negate, earlier))))
            earlier.append(wanted)
        guards.append(all_of(map(negate, earlier)))
        return guards

    def _condition(self, state: _State, feature: Feature, value: bool | int) -> FNode:
        if feature.event.kind == "upward":
            upward = self.globals.upward(feature.event.source)
            return upward if value else negate(upward)
        if feature.expression is None:
            upcoming, _ = state.pair(feature.event.name)
            return upcoming if value else negate(upcoming)
        here = self._one(state, LEFT, feature.expression)
        if here is not self._one(state, RIGHT, feature.expression):
            raise Unsupported("a guard that differs between the runs", self.mechanism.span)
        upcoming, _ = state.pair(feature.event.name)
        match value:
            case 0:
                return equal(here, upcoming)
            case -1:
                return less(here, upcoming)
            case _:
                return less(upcoming, here)

    def _shift(self, state: _State, offset: Offset, center: tuple[FNode, FNode], kind: PySMTType) -> FNode:
        parts: list[tuple[Fraction | int, FNode]] = [(1, center[1]), (-1, center[0])] if offset.null else []
        for sign, expression in offset.differences:
            left, right = self._both(state, expression)
            parts += [(sign, right), (-sign, left)]
        parts += [(sign, self._change(state, name)) for sign, name in offset.changes]
        for factor, unit in offset.units:
            term = public_term(state.scene, unit)
            parts.append((factor, to_real(term) if kind == REAL else term))
        return linear_combination(parts, kind)

    def _change(self, state: _State, name: str) -> FNode:
        """The change of the one entry that differs, with what is known of it."""
        metric = self.mechanism.parameter(name).metric
        assert metric is not None and metric.bound is not None and metric.kind is MetricKind.CHANGE_ONE
        change = self.globals.change(name)
        state.scene.assume(within(to_real(change), public_term(state.scene, metric.bound)))
        return change

    def _pay(
        self,
        here: _State,
        state: _State,
        statement: Draw,
        number: int,
        case: Case,
        center: tuple[FNode, FNode],
        shift: FNode,
        guard: FNode,
    ) -> None:
        """The template's requirement, the distance within the case's bound, the ghost raised.

        The null coupling is the shift by e⟨2⟩ − e⟨1⟩, at distance 0.
        """
        coupling = self.templates[statement.distribution].free_coupling()
        requirement = coupling.requirement(center[0], center[1], shift)
        self._require(here, requirement, _purpose("support", statement.span, "the draw stays in the support"))
        distance = coupling.distance(center[0], center[1], shift)
        account = self.accounting.accounts.get((statement.site, number))
        zero = constant(0, sort_of(distance))
        if account is None:
            self._require(
                here, equal(distance, zero), _purpose("cost", statement.span, "the coupling is free")
            )
            return
        if account.amount is None:
            step = to_real(distance)
        else:
            assert case.bound is not None
            factor, unit = case.bound
            bound = scaled(factor, to_real(public_term(state.scene, unit)))
            text = "the shift stays within its bound"
            self._require(here, less_equal(to_real(distance), bound), _purpose("cost", statement.span, text))
            if isinstance(account.amount, Rise):
                return
            amount = self._amount(state, account.amount)
            step = choose(equal(distance, zero), constant(0, sort_of(amount)), amount)
        ghost = state.values[LEFT][account.ghost]
        raised = choose(guard, add(ghost, step), ghost)
        state.set(account.ghost, raised, raised)
        lossy = statement.distribution == "gaussian" and statement.sort is Sort.INT
        if lossy and account.ghost in self.accounting.bounds:
            limit = public_term(state.scene, self.accounting.bounds[account.ghost])
            purpose = _purpose("cost", statement.span, f"{account.ghost} wherever it grows")
            self._clause(here, less_equal(raised, limit), purpose)

    # --- draws of finitely many values --------------------------------------------------------

    def _chances(self, state: _State, statement: Choose, law: Chances) -> None:
        """Run 2 draws the same value; the ghost is raised by what the pair of outcomes costs."""
        odds = self.odds[statement.site]
        value = self.names.fresh(statement.target, SORTS[statement.sort])
        sides = [
            [self._at(state, side, statement, value, condition) for condition, _ in law.outcomes]
            for side in (LEFT, RIGHT)
        ]
        state.scene.assume(implies(state.path, any_of(sides[LEFT])))
        for i, left in enumerate(sides[LEFT]):
            for j, right in enumerate([*sides[RIGHT], negate(any_of(sides[RIGHT]))]):
                here = state.fork(all_of((left, right)))
                if i == j and i in odds.changing:
                    pair = self._both(here, law.outcomes[i][1])
                    text = "both runs give the value one probability"
                    self._require(here, equal(*pair), _purpose("cost", statement.span, text))
                elif odds.costs.get((i, j)) != FREE:
                    self._pay_pair(here, state, statement, odds.number(i, j), all_of((left, right)))
        state.set(statement.target, value, value)

    def _at(self, state: _State, side: int, statement: Choose, value: FNode, expression: Expression) -> FNode:
        """An expression about the outcome, for one value of it."""
        return self._one(state, side, expression, {**state.values[side], statement.index: value})

    def _pay_pair(self, here: _State, state: _State, statement: Choose, number: int, pair: FNode) -> None:
        account = self.accounting.accounts.get((statement.site, number))
        if account is None:
            text = "run 2 draws this as likely as run 1"
            self._require(here, constant(False, BOOL), _purpose("cost", statement.span, text))
            return
        ghost = state.values[LEFT][account.ghost]
        assert not isinstance(account.amount, Rise)
        step = constant(1, REAL) if account.amount is None else self._amount(state, account.amount)
        raised = choose(pair, add(ghost, step), ghost)
        state.set(account.ghost, raised, raised)

    def _weights(self, state: _State, statement: Choose, law: Weights) -> None:
        """Run 2 draws the same index, at the most that the change of a score exceeds that of another."""
        counts = self._both(state, law.count)
        text = "both runs choose from as many, by weights alike"
        self._require(state, equal(*counts), _purpose("publish", statement.span, text))
        self._require(state, equal(*self._both(state, law.rate)), _purpose("publish", statement.span, text))
        value, other = (self.names.fresh(name, INT) for name in (statement.target, statement.index))
        zero = constant(0, INT)
        for item in (value, other):
            inside = all_of((less_equal(zero, item), less(item, counts[LEFT])))
            state.scene.assume(implies(state.path, inside))
        gaps = []
        for item in (value, other):
            left, right = (self._at(state, side, statement, item, law.score) for side in (LEFT, RIGHT))
            gaps.append(subtract(left, right))
        distance = subtract(gaps[0], gaps[1])
        account = self.accounting.accounts.get((statement.site, 0))
        (case,) = self.strategy.cases[statement.site]
        text = "the scores differ by no more than what is paid for"
        if account is None or case.bound is None:
            bound = constant(0, REAL)
        else:
            factor, unit = case.bound
            bound = scaled(factor, to_real(public_term(state.scene, unit)))
            assert account.amount is not None and not isinstance(account.amount, Rise)
            ghost = state.values[LEFT][account.ghost]
            raised = add(ghost, self._amount(state, account.amount))
            state.set(account.ghost, raised, raised)
        self._require(state, within(distance, bound), _purpose("cost", statement.span, text))
        state.set(statement.target, value, value)

    def _weigh(self, state: _State, statement: Choose, law: Weights, weighing: Weighing) -> None:
        """Run 2 draws the same index; its weight may be larger in run 1, and the sum of all in run 2."""
        counts = self._both(state, law.count)
        self._require(
            state, equal(*counts), _purpose("publish", statement.span, "both runs choose from as many")
        )
        floor = self._both(state, weighing.floor)

        def candidate() -> tuple[FNode, tuple[FNode, FNode]]:
            index = self.names.fresh(statement.index, INT)
            inside = all_of((less_equal(constant(0, INT), index), less(index, counts[LEFT])))
            state.scene.assume(implies(state.path, inside))
            left, right = (self._at(state, side, statement, index, weighing.weight) for side in (LEFT, RIGHT))
            return index, (left, right)

        value, own = candidate()
        _, any_ = candidate()
        above = all_of((equal(*floor), *(less_equal(floor[LEFT], side) for side in any_)))
        self._require(state, above, _purpose("cost", statement.span, "no weight is below the floor"))
        gain = public_term(state.scene, weighing.gain)
        falls, grows = less(own[RIGHT], own[LEFT]), self._grows(weighing)
        text = "weights differ by no more than what is paid for"
        within_gain = less_equal(subtract(*own), gain)
        self._require(state, within_gain, _purpose("cost", statement.span, text))
        small, none = less_equal(subtract(any_[RIGHT], any_[LEFT]), gain), less_equal(any_[RIGHT], any_[LEFT])
        bounded = any_of((all_of((grows, small)), none))
        self._require(state, bounded, _purpose("cost", statement.span, text))
        picked = [candidate() for _ in range(weighing.few + 1)]
        self._require(state, only_few(picked), _purpose("cost", statement.span, "only few weights grow"))
        for number, here in ((OWN, falls), (TOTAL, grows)):
            self._count(state, statement, number, here)
        state.set(statement.target, value, value)

    def _grows(self, weighing: Weighing) -> FNode:
        return self.globals.upward(weighing.source) if weighing.monotone else TRUE()

    def _count(self, state: _State, statement: Choose, number: int, here: FNode) -> None:
        """The ghost of a part of the price is raised where it is due."""
        account = self.accounting.accounts.get((statement.site, number))
        if account is None:
            purpose = _purpose("cost", statement.span, "the draw is free")
            self._require(state, negate(here), purpose)
        elif not isinstance(account.amount, Rise):
            assert account.amount is not None
            ghost = state.values[LEFT][account.ghost]
            raised = choose(here, add(ghost, self._amount(state, account.amount)), ghost)
            state.set(account.ghost, raised, raised)

    def _amount(self, state: _State, amount: int | tuple[Fraction, Expression]) -> FNode:
        if isinstance(amount, int):
            return constant(amount, INT)
        factor, expression = amount
        if not names(expression) <= state.values[LEFT].keys():
            raise Unsupported("a budget that is computed after it is spent", self.mechanism.span)
        left, right = self._both(state, expression)
        if left is not right:
            raise Unsupported("a budget that differs between the runs", self.mechanism.span)
        return scaled(factor, to_real(left))

    # --- loops ------------------------------------------------------------------------------

    def _loop(self, state: _State, statement: Loop) -> Outcomes:
        known = self.heads.get(statement.loop)
        if known is not None:
            self._enter(state, statement, known)
            return {}
        if self._only_public(statement):
            outcomes = self._public_loop(state, statement)
            if outcomes is not None:
                return outcomes
        carried = self._carried(state, statement)
        reads = tuple(self._read_at_heads(statement, carried))
        formals = tuple(item for _, pair in carried for item in dict.fromkeys(pair))
        formals += tuple(formal for _, formal in reads)
        predicate = Predicate(f"loop {statement.loop}", formals)
        self.predicates[predicate.name] = predicate
        kept = {
            name: state.pair(name)
            for name in state.values[LEFT]
            if name not in dict(carried) and self._kept(state, statement, name)
        }
        head = self.heads[statement.loop] = Head(predicate, tuple(carried), kept, reads)
        self._enter(state, statement, head)
        outcomes = self._body(statement.body, self._at_head(head))
        for back in outcomes.pop(None, []):
            self._enter(back, statement, head)
        return outcomes

    def _only_public(self, loop: Loop) -> bool:
        """Whether the loop only computes, from values on which the runs may be expected to agree."""
        inside = list(statements(loop.body))
        if loop.loop in self.not_public:
            return False
        if any(_is_event(item, event) for item in inside for event in self.used_events):
            return False
        tainted = self.analysis.tainted(self.strategy.published)
        return all(
            not isinstance(item, (Draw, Choose, Append, NewList, Return, Assume))
            and not any(self.analysis.is_tainted(part, tainted) for part in expressions(item))
            for item in inside
        )

    def _public_loop(self, state: _State, loop: Loop) -> Outcomes | None:
        """A loop that both runs execute alike needs no invariant: what it assigns is some shared value.

        By induction over the iterations: shared at the head and, checked here, shared after one
        more.  Everything else keeps its value.  None if some value is not shared.
        """
        names = sorted(assigned(loop.body) & self.analysis.live_at_loop[loop.loop])
        if any(left is not right for left, right in map(state.pair, names)):
            return None
        head = state.fork(TRUE())
        for name in names:
            value = self.names.fresh(name, state.values[LEFT][name])
            head.set(name, value, value)
        drafts = len(self.drafts)
        outcomes = self._body(loop.body, head)
        reached = [item for states in outcomes.values() for item in states]
        shared = all(
            left is right
            for item in reached
            for left, right in (item.pair(name) for name in assigned(loop.body) if name in item.values[LEFT])
        )
        same_scene = all(item.scene is state.scene for item in reached)
        if not shared or not same_scene or len(self.drafts) != drafts:
            self.not_public.add(loop.loop)
            raise _Restart
        self.shared[loop.loop] = tuple(names)
        outcomes.pop(None, None)
        return outcomes

    def _carried(self, state: _State, loop: Loop) -> list[tuple[str, tuple[FNode, FNode]]]:
        """What the invariant speaks of: name, and its symbols in the two runs (one if shared)."""
        duplicated = self.duplicated.setdefault(loop.loop, set())
        carried = []
        for name in state.values[LEFT]:
            if self._kept(state, loop, name) or not self._remembered(name, loop):
                continue
            left, right = state.pair(name)
            if left is not right:
                duplicated.add(name)
            carried.append((name, self._formals(loop, name, sort_of(left), name in duplicated)))
        return carried

    def _read_at_heads(
        self, loop: Loop, carried: list[tuple[str, tuple[FNode, FNode]]]
    ) -> Iterator[tuple[Read, FNode]]:
        """Functions of one argument that facts speak of, at variables that agree, as symbols."""
        wanted = functions_in_facts(self.mechanism)
        arguments = {
            part.name
            for item in statements(loop.body)
            for whole in expressions(item)
            for read in subexpressions(whole)
            if isinstance(read, Read)
            for part in read.index
            if isinstance(part, Variable)
        }
        for name, (left, right) in carried:
            if left is right and name in arguments and sort_of(left) == INT:
                for item in wanted:
                    title = f"{item.name}({name})@{loop.loop}"
                    read = Read(item.name, (Variable(name, Sort.INT),), item.sort)
                    yield read, symbol(title, SORTS[item.sort])

    def _remembered(self, name: str, loop: Loop) -> bool:
        if name in self.accounting.sorts or name.endswith(("#spent", "#latest")):
            return True
        if name.startswith("next#"):
            return self._event_carried(name, loop)
        return name in self.analysis.live_at_loop[loop.loop]

    def _formals(self, loop: Loop, name: str, kind: PySMTType, two: bool) -> tuple[FNode, FNode]:
        kept = self.accounting.against.get(name)
        title = f"{name}@{loop.loop}" if kept is None else f"({kept} - paid)@{loop.loop}"
        if two:
            return symbol(f"{title}<1>", kind), symbol(f"{title}<2>", kind)
        return symbol(title, kind), symbol(title, kind)

    def _is_global(self, term: FNode) -> bool:
        known = set(self.globals.names().values())
        return all(item in known or _is_constant_symbol(item) for item in free_symbols([term]))

    def _event_carried(self, name: str, loop: Loop) -> bool:
        """Whether the event's next value must be remembered at the loop's head."""
        event = next(item for item in self.used_events if item.name == name)
        inside = list(statements(loop.body))
        happens = next((place for place, item in enumerate(inside) if _is_event(item, event)), None)
        asks = [
            place
            for place, item in enumerate(inside)
            if isinstance(item, Draw)
            and any(
                condition.feature.event == event
                for case in self.strategy.cases[item.site]
                for condition in case.conditions
            )
        ]
        if happens is None:
            return True
        return any(place > happens for place in asks)

    def _kept(self, state: _State, loop: Loop, name: str) -> bool:
        """Whether the variable has one constant value in the loop, and so needs no place in the invariant."""
        left, right = state.pair(name)
        if left is not right or name in self.varying.setdefault(loop.loop, set()):
            return False
        if not self._is_global(left) or name.endswith(("#version", "#spent", "#latest")):
            return False
        if name in self.accounting.sorts:
            return False
        if name.startswith("next#"):
            return bool(left.is_symbol())
        return name in self.analysis.live_at_loop[loop.loop] and name not in assigned(loop.body)

    def _at_head(self, head: Head) -> _State:
        scene = self._scene([Application(head.predicate, head.predicate.formals)])
        state = _State(scene, TRUE(), ({}, {}))
        for name, pair in (*head.kept.items(), *head.carried):
            state.set(name, *pair)
        for ghost in self.accounting.against:
            value = self._ahead(state, ghost)
            state.set(ghost, value, value)
        for read, formal in head.reads:
            scene.assume(equal(self._one(state, LEFT, read), formal))
        for name in self.mechanism.lists:
            state.set(_version(name), *[self.names.fresh(_version(name), INT)] * 2)
        self._foresee(state)
        self._assume_facts(state)
        return state

    def _ahead(self, state: _State, ghost: str) -> FNode:
        """The program's account minus the counter; and so also the counter from that difference."""
        name = self.accounting.against[ghost]
        if name not in state.values[LEFT]:
            raise Unsupported("a budget that is not kept in every loop", self.mechanism.span)
        kept, other = state.pair(name)
        if kept is not other:
            raise Unsupported("a budget that differs between the runs", self.mechanism.span)
        return subtract(kept, state.values[LEFT][ghost])

    def _assume_facts(self, state: _State) -> None:
        for fact in self.facts:
            if names(fact) <= state.values[LEFT].keys():
                state.scene.assume(self._one(state, LEFT, fact))

    def _enter(self, state: _State, loop: Loop, head: Head) -> None:
        """The loop's invariant holds here: on entry, or after an iteration."""
        for name, pair in head.kept.items():
            if name in state.values[LEFT] and state.pair(name) != pair:
                self.varying[loop.loop].add(name)
                raise _Restart
        arguments: list[FNode] = []
        for name, (first, second) in head.carried:
            if name not in state.values[LEFT]:
                value = self.names.fresh(name, first)
                state.set(name, value, value)
            left, right = state.pair(name)
            if name in self.accounting.against:
                left = right = self._ahead(state, name)
            if first is second and left is not right:
                self.duplicated[loop.loop].add(name)
                raise _Restart
            arguments += [left] if first is second else [left, right]
        arguments += [self._one(state, LEFT, read) for read, _ in head.reads]
        application = Application(head.predicate, tuple(arguments))
        purpose = _purpose("invariant", loop.span, head.predicate.name)
        self._clause(state, application, purpose)


@dataclass(frozen=True)
class Head:
    """A loop's predicate, the variables it speaks of, and those that are constant in the loop.

    ``reads`` are functions at some of the variables, which it speaks of, too.
    """

    predicate: Predicate
    carried: tuple[tuple[str, tuple[FNode, FNode]], ...]
    kept: Mapping[str, tuple[FNode, FNode]]
    reads: tuple[tuple[Read, FNode], ...] = ()


_RETURNED = "%return"


class Unsupported(Exception):
    """The product can't be built for this program and strategy; says what and where."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.reason, self.span = reason, span


def _purpose(kind: str, span: Span, text: str) -> Purpose:
    return Purpose(kind, span, text)


def _spent(source: str) -> str:
    return f"{source}#spent"


def _latest(source: str) -> str:
    return f"{source}#latest"


def _version(name: str) -> str:
    return f"{name}#version"


def _span(statement: Statement) -> Span:
    return getattr(statement, "span", Span(1, 1))


def _exits(body: Body) -> bool:
    return any(isinstance(item, Exit) for item in statements(body))


def _is_event(statement: Statement, event: Event) -> bool:
    match statement:
        case If(branch=number):
            return event.kind == "branch" and event.source == str(number)
        case Append(target=target):
            return event.kind == "append" and event.source == target
        case Return():
            return event.kind == "return"
        case _:
            return False


def _is_constant_symbol(term: FNode) -> bool:
    """Symbols that stand for one value throughout: lengths, logical constants, the returned value."""
    name: str = term.symbol_name()
    return name.startswith(("len(", "next#return")) or name.endswith(("#changed", "#change", "#upward"))


def _merged(states: list[_State]) -> list[_State]:
    """States that stem from the same scene, merged into one."""
    result: list[_State] = []
    for state in states:
        for place, other in enumerate(result):
            if other.scene is state.scene:
                result[place] = _merge(other, state)
                break
        else:
            result.append(state)
    return result


def _merge(first: _State, second: _State) -> _State:
    here, path = meet(first.path, second.path)
    left, right = (joined(here, first.values[side], second.values[side]) for side in (LEFT, RIGHT))
    return _State(first.scene, path, (left, right))


def _with_globals(system: HornSystem) -> HornSystem:
    """Pass every constant symbol through every predicate; else it would be forgotten at a loop."""
    if not system.predicates:
        return system
    shared: dict[FNode, None] = {}
    for clause in system.clauses:
        for item in system.symbols(clause):
            name = item.symbol_name()
            if (
                "!" not in name
                and "@" not in name
                and "[" not in name
                and "#real" not in name
                and "#index" not in name
            ):
                shared[item] = None
    extra = tuple(sorted(shared, key=lambda item: item.symbol_name()))
    extended = {
        predicate.name: Predicate(predicate.name, (*predicate.formals, *extra))
        for predicate in system.predicates
    }

    def widen(application: Application) -> Application:
        return Application(extended[application.predicate.name], (*application.arguments, *extra))

    clauses = tuple(
        replace(
            clause,
            premises=tuple(widen(item) for item in clause.premises),
            conclusion=widen(clause.conclusion)
            if isinstance(clause.conclusion, Application)
            else clause.conclusion,
        )
        for clause in system.clauses
    )
    return HornSystem(tuple(extended.values()), clauses)


__all__ = ["Account", "Accounting", "Product", "Sort", "Unsupported"]
