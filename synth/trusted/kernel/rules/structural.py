"""The rules, one function each, named as in the paper, the certificate and the messages.

A rule takes the node that applies it, the statement that it is about and a precondition; it gives
the postconditions, by the label of the block that control leaves (None: it goes on).  What it
needs beyond that it asks for as side conditions.  docs/certificates.md argues that each is sound.
The rules about draws are in :mod:`synth.trusted.kernel.rules.laplace` and
:mod:`synth.trusted.kernel.rules.finite_draws`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.proof_state import NOWHERE, Proof, assigned, is_indexed
from synth.trusted.kernel.rules.finite_draws import chance, choice
from synth.trusted.kernel.rules.laplace import COUPLINGS, LOST, case
from synth.trusted.kernel.rules.shared import Outcomes, bound, shown
from synth.trusted.kernel.rules.weights import FIELDS, weigh
from synth.trusted.kernel.symbolic_state import Pair, State, joined, merged
from synth.trusted.logic.codes import Code
from synth.trusted.logic.encoding import Reading, entry_name, index_name, list_length
from synth.trusted.logic.terms import BOOL, BadTerm, Term, conjunction, negation, substitute
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions
from synth.trusted.program.symbols import Cost, Event, Ghost, Kind, Latest, Name, Spent, is_return, named_cost

Some = TypeVar("Some", bound=Name)

RETURNED = "%return"
MAX_WAYS = 16
"""Ways that lead to one place and are not merged: all that follows is judged for each of them.

So what is known on each stays apart, as long as they are few.
"""

S = TypeVar("S")


def judged(proof: Proof, node: Node, statement: ir.Statement, state: State) -> Outcomes:
    """What the rule of the node says of the statement.  Raises Rejected if it is not about it."""
    if node.rule not in RULES:
        raise node.reject(Code.NO_SUCH_RULE())
    kind, rule, fields = RULES[node.rule]
    if not isinstance(statement, kind):
        raise node.reject(Code.WRONG_STATEMENT(statement=type(statement).__name__))
    node.only(fields)
    if node.premises and node.rule not in _WITH_PREMISES:
        raise node.reject(Code.TAKES_NO_PREMISES())
    try:
        return rule(proof, node, statement, state)
    except KeyError as error:
        raise node.reject(Code.NO_VALUE(name=str(error))) from None
    except BadTerm as error:
        raise node.reject(error.why) from None


def seq(proof: Proof, node: Node, body: tuple[ir.Statement, ...], state: State) -> Outcomes:
    """[Seq]: one premise per statement, each from what holds after the one before."""
    if node.rule != "Seq" or len(node.premises) != len(body) or node.fields:
        raise node.reject(Code.WRONG_SEQUENCE(count=len(body)))
    outcomes: Outcomes = {None: (state,)}
    for premise, statement in zip(node.premises, body, strict=True):
        for current in outcomes.pop(None, ()):
            _add(outcomes, judged(proof, premise, statement, current))
        if None not in outcomes:
            break
        outcomes[None] = merged(outcomes[None], proof)
        if len(outcomes[None]) > MAX_WAYS:
            outcomes[None] = joined(outcomes[None], proof)
        if len(outcomes[None]) > MAX_WAYS:
            raise premise.reject(Code.TOO_MANY_WAYS(most=MAX_WAYS))
    return outcomes


def skip(proof: Proof, node: Node, statement: ir.Obligation, state: State) -> Outcomes:
    """[Skip]: obligations hold in each run by itself, which [Safe] shows."""
    says = Code.OBLIGATION_NOT_SHOWN(line=statement.span.line, reason=statement.reason)
    return {None: (shown(proof, node, state, says, statement.condition),)}


def assn(proof: Proof, node: Node, statement: ir.Assign, state: State) -> Outcomes:
    """[Assn]; ``facts`` may recall how a value that is public, or counted, compares with others.

    A number that is read and is one constant in both runs is alike in them, as what a loop's head lists in
    ``equal``.
    """
    public = proof.indexed(state, statement.value)
    state, (pair,) = proof.both(state, statement.value)
    state, pair = proof.constants(state, statement.target, pair)
    if _reads(statement.value) and pair[0] == pair[1] and is_indexed(pair[0]):
        public = None if proof.sort(statement.target) == BOOL else pair[0]
    state = bound(proof, state, statement.target, pair, public)
    state, given = proof.given(node, state)
    for fact in node.terms("facts"):
        instance, _ = proof.instance(node, fact, state, BOOL)
        goal = proof.as_indexed(node, fact, state)
        proof.require_public(node, Code.FACT_NOT_SHOWN(), goal, *given)
        state = state.learning([instance]) if given else state.knowing([instance])
    return {None: (state,)}


def _reads(value: ir.Expression) -> bool:
    return any(isinstance(part, ir.Read) for part in ir.subexpressions(value))


def new(proof: Proof, node: Node, statement: ir.NewList, state: State) -> Outcomes:
    """[New]: both lists become empty."""
    return {None: (_renewed(proof, state.binding(list_length(statement.target), ("0", "0")), statement),)}


def append(proof: Proof, node: Node, statement: ir.Append, state: State) -> Outcomes:
    """[Append]: entries of a returned list are published; of others, and in single runs, the entry invariant
    holds.
    """
    name = list_length(statement.target)
    state, entries = proof.both(state, *statement.values)
    left, right = state.values[name]
    if statement.target in proof.published:
        for component, pair in enumerate(entries):
            event = Event(Kind.APPEND, statement.target, component)
            state = _publish(proof, node, state, event, pair)
    else:
        state = proof.require(node, state, Code.LISTS_DIFFER(), ("=", left, right))
    if statement.target in proof.certificate.entries:
        values: dict[str, Term] = {index_name(statement.target): left}
        for component, pair in enumerate(entries):
            values |= {entry_name(statement.target, component, run): pair[run - 1] for run in (1, 2)}
        goal = substitute(proof.entries(state)[statement.target], values)
        state = proof.require(node, state, Code.ENTRIES_NOT_INVARIANT(), goal)
    longer: Pair = ("+", left, "1"), ("+", right, "1")
    return {None: (_renewed(proof, bound(proof, state, name, longer), statement),)}


def _renewed(proof: Proof, state: State, statement: ir.NewList | ir.Append) -> State:
    """Where a list is another one: its entries have other names, and so has what is read outside of it."""
    return replace(state, versions={**state.versions, statement.target: next(proof.numbers)})


def cond(proof: Proof, node: Node, statement: ir.If, state: State) -> Outcomes:
    """[Cond]: both runs go the same way, which is shown; ``publish`` makes it part of the output."""
    publish = node.fields.get("publish", False)
    if not isinstance(publish, bool) or len(node.premises) != 2:
        raise node.reject(Code.NEEDS_BRANCHES())
    public = proof.public(state, statement.condition)
    state, (pair,) = proof.both(state, statement.condition)
    state, pair = proof.constants(state, f"if{statement.branch}", pair)
    if publish:
        state = _publish(proof, node, state, Event(Kind.BRANCH, str(statement.branch)), pair)
    else:
        state = proof.require(node, state, Code.BRANCHES_DIFFER(), ("=", *pair))
    below = state.under(pair[0], public), state.under(negation(pair[0]), public and negation(public))
    outcomes: Outcomes = {}
    for premise, body, side in zip(node.premises, (statement.then, statement.otherwise), below, strict=True):
        _add(outcomes, seq(proof, premise, body, side))
    return {label: merged(states, proof) for label, states in outcomes.items()}


def cond_l(proof: Proof, node: Node, statement: ir.If, state: State) -> Outcomes:
    """[Cond-L], and then [Cond-R] on each side: a branch that only computes, each run its own way."""
    if [premise.rule for premise in node.premises] != ["Cond-R"] or node.premises[0].premises:
        raise node.reject(Code.NEEDS_COND_R())
    results = []
    reads: tuple[list[Reading], list[Reading]] = ([], [])
    for run in (1, 2):
        values = {name: pair[run - 1] for name, pair in state.values.items()}
        state, values = _alone(proof, node, state, run, (statement,), values, reads[run - 1])
        results.append(values)
    state = proof.spent(state, *reads)
    for name in sorted(assigned((statement,))):
        state = state.binding(name, (results[0][name], results[1][name]))
    return {None: (state,)}


def while_(proof: Proof, node: Node, statement: ir.Loop, state: State) -> Outcomes:
    """[While]: ``invariant`` and the equality of ``equal`` hold on entry and after each iteration.

    The costs are ghosts of the invariant, so iterations may cost what they like as long as the sum
    stays within the bounds ([WhileExt] is the instance where one of them pays).
    """
    if len(node.premises) != 1:
        raise node.reject(Code.NEEDS_BODY())
    equal, changed = node.names("equal"), assigned(statement.body)
    if not set(equal) <= changed:
        raise node.reject(Code.NOT_CHANGED_BY_LOOP())
    _invariant(proof, node, state, equal, Code.VARIABLES_DIFFER_ON_ENTRY, Code.INVARIANT_NOT_ENTERED)
    head = replace(state, segment=next(proof.numbers))
    for name in sorted(changed):
        pair = proof.fresh_pair(name, name in equal)
        counted = name in equal and proof.sort(name) != BOOL
        head = head.binding(name, pair, pair[0] if counted else None)
    forgotten = _forgotten(proof, statement)
    head = head.marking(forgotten)
    renewed = {
        item.target: next(proof.numbers)
        for item in ir.statements(statement.body)
        if isinstance(item, ir.NewList | ir.Append)
    }
    head = replace(head, versions={**head.versions, **renewed})
    new_here = {*changed, *forgotten, *renewed}
    for part in node.terms("invariant"):
        instance, facts = proof.instance(node, part, head, BOOL)
        head = head.knowing(facts).learning([instance])
    outcomes = seq(proof, node.premises[0], statement.body, head)
    for back in outcomes.pop(None, ()):
        _check_kept(node, new_here, head, back)
        _invariant(proof, node, back, equal, Code.VARIABLES_DIFFER_AFTERWARDS, Code.INVARIANT_NOT_KEPT)
    return outcomes


def _invariant(
    proof: Proof, node: Node, state: State, equal: tuple[str, ...], differ: Code, broken: Code
) -> None:
    """What the loop's rule asks for where control comes to its head."""
    for name in equal:
        proof.require(node, state, differ(name=name), ("=", *state.values[name]))
    for part in node.terms("invariant"):
        instance, facts = proof.instance(node, part, state, BOOL)
        proof.require(node, state.knowing(facts), broken(), instance)


def _check_kept(node: Node, new: Collection[Name], head: State, back: State) -> None:
    """Check that an iteration changes only those variables, lists and ghosts that are ``new`` at the head."""
    before, after = (
        {*item.values.items(), *item.ghosts.items(), *item.versions.items()} for item in (head, back)
    )
    for name in sorted(str(name) for name, _ in before - after if name not in new):
        raise node.reject(Code.CHANGED_BY_LOOP(name=name))


def _forgotten(proof: Proof, loop: ir.Loop) -> dict[Ghost, Term]:
    """New values for the ghosts that the loop may change; what is returned is returned behind it."""
    inside = list(ir.statements(loop.body))
    draws = any(isinstance(item, ir.Draw | ir.Choose) for item in inside)
    parts = (part for item in inside for whole in expressions(item) for part in ir.subexpressions(whole))
    read = {part.source for part in parts if isinstance(part, ir.Read)}
    published = {(Kind.BRANCH, str(item.branch)) for item in inside if isinstance(item, ir.If)}
    published |= {(Kind.APPEND, item.target) for item in inside if isinstance(item, ir.Append)}

    def may_change(ghost: Ghost) -> bool:
        match ghost:
            case Cost():
                return draws
            case Spent(sequence) | Latest(sequence):
                return sequence in read
            case Event(kind, source):
                return (kind, source) in published
            case _:
                return True

    return {ghost: proof.fresh(str(ghost), sort) for ghost, sort in proof.ghosts.items() if may_change(ghost)}


def block(proof: Proof, node: Node, statement: ir.Block, state: State) -> Outcomes:
    """[Block]: leaving the block by its label goes on behind it."""
    if len(node.premises) != 1:
        raise node.reject(Code.NEEDS_BODY())
    outcomes = seq(proof, node.premises[0], statement.body, state)
    rest = merged((*outcomes.pop(None, ()), *outcomes.pop(statement.label, ())), proof)
    return {**outcomes, None: rest} if rest else outcomes


def exit_(proof: Proof, node: Node, statement: ir.Exit, state: State) -> Outcomes:
    """[Exit]: control leaves the block of that label, in both runs."""
    return {statement.label: (state,)}


def assert_(proof: Proof, node: Node, statement: ir.Assume, state: State) -> Outcomes:
    """[Assert]: both runs pass, or both end without output."""
    public = proof.public(state, statement.condition)
    state, (pair,) = proof.both(state, statement.condition)
    state = proof.require(node, state, Code.ASSERTIONS_DIFFER(), ("=", *pair))
    return {None: (state.under(pair[0], public),)}


def return_(proof: Proof, node: Node, statement: ir.Return, state: State) -> Outcomes:
    """[Return]: what run 1 returns, run 2 returns; and the costs are within their bounds."""
    state, pairs = proof.both(state, *statement.values)
    for component, pair in enumerate(pairs):
        event = Event(Kind.RETURN, "", component)
        state = _publish(proof, node, state, event, pair)
    for name in statement.lists:
        lengths = state.values[list_length(name)]
        state = proof.require(node, state, Code.LENGTHS_DIFFER(name=name), ("=", *lengths))
    for name, cost in proof.certificate.costs.items():
        bound, facts = proof.instance(node, cost.most, NOWHERE, cost.sort)
        within: Term = ("<=", state.ghosts[named_cost(name)], bound)
        proof.require(node, state.knowing(facts), Code.COST_ABOVE_BOUND(name=name), within)
    return {RETURNED: (state,)}


def _publish(proof: Proof, node: Node, state: State, event: Event, pair: Pair) -> State:
    """Part of the output: run 1 publishes what b says, or the run doesn't matter; so must run 2."""
    if event in proof.ghosts:
        match: Term = ("=>", conjunction(state.path), ("=", pair[0], state.ghosts[event]))
        proof.matches.append((state.segment, match))
        state = state.knowing([match])
        if not is_return(event):
            state = state.marking({event: proof.fresh(str(event), proof.ghosts[event])})
    return proof.require(node, state, Code.OUTPUTS_DIFFER(), ("=", *pair))


def _alone(
    proof: Proof,
    node: Node,
    state: State,
    run: int,
    body: Iterable[ir.Statement],
    values: Mapping[str, Term],
    reads: list[Reading],
) -> tuple[State, dict[str, Term]]:
    """[Assn-L], [Cond-L] and their mirror images: one run computes by itself, and ``reads`` grows."""
    current = dict(values)
    for statement in body:
        match statement:
            case ir.Assign(target=target, value=value):
                evaluation = replace(proof.evaluation(state, run), values=current)
                term = evaluation.term(value)
                reads += evaluation.reads
                state, current[target] = proof.constant(
                    proof.informed(state, evaluation), f"{target}<{run}>", term
                )
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                evaluation = replace(proof.evaluation(state, run), values=current)
                test = evaluation.term(condition)
                reads += evaluation.reads
                state, test = proof.constant(proof.informed(state, evaluation), f"if<{run}>", test)
                state, one = _alone(proof, node, state, run, then, current, reads)
                state, other = _alone(proof, node, state, run, otherwise, current, reads)
                for name in sorted(one.keys() & other.keys()):
                    if one[name] != other[name]:
                        chosen: Term = ("ite", test, one[name], other[name])
                        state, one[name] = proof.constant(state, f"{name}<{run}>", chosen)
                current = {name: one[name] for name in one.keys() & other.keys()}
            case ir.Block(body=inner) if not any(isinstance(item, ir.Exit) for item in ir.statements(inner)):
                state, current = _alone(proof, node, state, run, inner, current, reads)
            case ir.Obligation():
                pass
            case _:
                raise node.reject(Code.NOT_COMPUTED_ALONE(statement=type(statement).__name__))
    return state, current


def _add(outcomes: Outcomes, more: Outcomes) -> None:
    for label, states in more.items():
        outcomes[label] = (*outcomes.get(label, ()), *states)


Rule = Callable[[Proof, Node, S, State], Outcomes]

_WITH_PREMISES = ("Cond", "Cond-L", "Case", "While", "Block")
ONLY_RULE: dict[type, str] = {
    ir.Append: "Append",
    ir.Assign: "Assn",
    ir.Assume: "Assert",
    ir.Exit: "Exit",
    ir.NewList: "New",
    ir.Obligation: "Skip",
    ir.Return: "Return",
}
"""Statements about which there is one rule, without premises."""

RULES: dict[str, tuple[type, Rule[Any], frozenset[str]]] = {
    "Skip": (ir.Obligation, skip, frozenset()),
    "Assn": (ir.Assign, assn, frozenset({"facts", "given"})),
    "New": (ir.NewList, new, frozenset()),
    "Append": (ir.Append, append, frozenset()),
    "Cond": (ir.If, cond, frozenset({"publish"})),
    "Cond-L": (ir.If, cond_l, frozenset()),
    "Case": (ir.Draw, case, LOST | {"when"}),
    "Chance": (ir.Choose, chance, frozenset({"free", "pays", "times", "given"})),
    "Choice": (ir.Choose, choice, frozenset({"within", "cost", "amount"})),
    "Weigh": (ir.Choose, weigh, FIELDS),
    **{name: (ir.Draw, case, fields | LOST) for name, (_, _, fields) in COUPLINGS.items()},
    "While": (ir.Loop, while_, frozenset({"invariant", "equal"})),
    "Block": (ir.Block, block, frozenset()),
    "Exit": (ir.Exit, exit_, frozenset()),
    "Assert": (ir.Assume, assert_, frozenset()),
    "Return": (ir.Return, return_, frozenset()),
}
