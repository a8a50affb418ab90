"""The rules, one function each, named as in the paper, the certificate and the messages.

A rule takes the node that applies it, the statement that it is about and a precondition; it gives
the postconditions, by the label of the block that control leaves (None: it goes on).  What it
needs beyond that it asks for as side conditions.  docs/certificates.md argues that each is sound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from synth.kernel.certificate import NO_MASS, Cost, Node
from synth.kernel.exponentials import power_of_e
from synth.kernel.expressions import entry_name, expressions_of, index_name, list_length
from synth.kernel.gaussian import enough
from synth.kernel.inputs import SORTS, real
from synth.kernel.proof import NOWHERE, RETURN_EVENT, Proof, assigned
from synth.kernel.public import at_most, is_rational
from synth.kernel.states import Pair, State
from synth.kernel.terms import (
    BOOL,
    REAL,
    TRUE,
    BadTerm,
    Term,
    absolute,
    conjunction,
    negation,
    number,
    read,
    sort_of,
    substitute,
    value,
)
from synth.language.syntax import (
    Append,
    Assign,
    Assume,
    Block,
    Chances,
    Choose,
    Constant,
    Draw,
    Exit,
    Expression,
    If,
    Loop,
    NewList,
    Obligation,
    Operation,
    Operator,
    Read,
    Return,
    Sort,
    Statement,
    Weights,
    statements,
    subexpressions,
)

Outcomes = dict[str | None, tuple[State, ...]]
RETURNED = "%return"
S = TypeVar("S")


def judged(proof: Proof, node: Node, statement: Statement, state: State) -> Outcomes:
    """What the rule of the node says of the statement.  Raises Rejected if it is not about it."""
    if node.rule not in RULES:
        raise node.reject("no such rule")
    kind, rule, fields = RULES[node.rule]
    if not isinstance(statement, kind):
        raise node.reject(f"the program has a {type(statement).__name__} here")
    node.only(fields)
    if node.premises and node.rule not in _WITH_PREMISES:
        raise node.reject("takes no premises")
    try:
        return rule(proof, node, statement, state)
    except KeyError as error:
        raise node.reject(f"{error} has no value here") from None
    except BadTerm as error:
        raise node.reject(str(error)) from None


def seq(proof: Proof, node: Node, body: tuple[Statement, ...], state: State) -> Outcomes:
    """[Seq]: one premise per statement, each from what holds after the one before."""
    if node.rule != "Seq" or len(node.premises) != len(body) or node.fields:
        raise node.reject(f"a sequence of {len(body)} statements needs [Seq] with as many premises")
    outcomes: Outcomes = {None: (state,)}
    for premise, statement in zip(node.premises, body, strict=True):
        for current in outcomes.pop(None, ()):
            _add(outcomes, judged(proof, premise, statement, current))
        if None not in outcomes:
            break
        outcomes[None] = proof.merged(outcomes[None])
    return outcomes


def skip(proof: Proof, node: Node, statement: Obligation, state: State) -> Outcomes:
    """[Skip]: obligations hold in each run by itself, which [Safe] shows."""
    return {None: (_shown(proof, node, state, statement, statement.condition, statement.reason),)}


def _shown(
    proof: Proof, node: Node, state: State, statement: Obligation | Draw, condition: Expression, reason: str
) -> State:
    """Ask, of a single run, that a condition holds here."""
    if not proof.single:
        return state
    says = f"line {statement.span.line}: {reason}"
    public = proof.public(state, condition)
    if public is not None and is_rational(public):
        proof.require_public(node.rule, node.place, says, public, *state.public_path)
        return state
    state, (pair,) = proof.both(state, condition)
    return proof.require(node, state, says, pair[0])


def assn(proof: Proof, node: Node, statement: Assign, state: State) -> Outcomes:
    """[Assn]; ``facts`` may recall how a public value compares with others."""
    public = proof.public(state, statement.value)
    state, (pair,) = proof.both(state, statement.value)
    state = _bound(proof, state, statement.target, pair, public)
    for fact in node.terms("facts"):
        instance, _ = proof.instance(node, fact, state, BOOL)
        proof.require_public(
            node.rule, node.place, "a fact about public values", proof.as_public(node, fact, state)
        )
        state = state.knowing([instance])
    return {None: (state,)}


def new(proof: Proof, node: Node, statement: NewList, state: State) -> Outcomes:
    """[New]: both lists become empty."""
    state = state.binding(list_length(statement.target), ("0", "0"))
    return {None: (replace(state, versions={**state.versions, statement.target: next(proof.numbers)}),)}


def append(proof: Proof, node: Node, statement: Append, state: State) -> Outcomes:
    """[Append]: entries of a returned list are published; of others the entry invariant holds."""
    name = list_length(statement.target)
    state, entries = proof.both(state, *statement.values)
    left, right = state.values[name]
    if statement.target in proof.published:
        for component, pair in enumerate(entries):
            event = f"next#append.{statement.target}.{component}"
            state = _publish(proof, node, state, event, pair)
    else:
        state = proof.require(node, state, "lists grow alike", ("=", left, right))
        if statement.target in proof.certificate.entries:
            values: dict[str, Term] = {index_name(statement.target): left}
            for component, pair in enumerate(entries):
                values |= {entry_name(statement.target, component, run): pair[run - 1] for run in (1, 2)}
            goal = substitute(proof.entries(state)[statement.target], values)
            state = proof.require(node, state, "the invariant of the list's entries", goal)
    longer: Pair = ("+", left, "1"), ("+", right, "1")
    return {None: (_bound(proof, state, name, longer),)}


def cond(proof: Proof, node: Node, statement: If, state: State) -> Outcomes:
    """[Cond]: both runs go the same way, which is shown; ``publish`` makes it part of the output."""
    publish = node.fields.get("publish", False)
    if not isinstance(publish, bool) or len(node.premises) != 2:
        raise node.reject("needs two premises, and true or false for 'publish'")
    public = proof.public(state, statement.condition)
    state, (pair,) = proof.both(state, statement.condition)
    state, pair = proof.constants(state, f"if{statement.branch}", pair)
    if publish:
        state = _publish(proof, node, state, f"next#branch.{statement.branch}.0", pair)
    else:
        state = proof.require(node, state, "both runs go the same way", ("=", *pair))
    below = state.under(pair[0], public), state.under(negation(pair[0]), public and negation(public))
    outcomes: Outcomes = {}
    for premise, body, side in zip(node.premises, (statement.then, statement.otherwise), below, strict=True):
        _add(outcomes, seq(proof, premise, body, side))
    return {label: proof.merged(states) for label, states in outcomes.items()}


def cond_l(proof: Proof, node: Node, statement: If, state: State) -> Outcomes:
    """[Cond-L], and then [Cond-R] on each side: a branch that only computes, each run its own way."""
    if [premise.rule for premise in node.premises] != ["Cond-R"] or node.premises[0].premises:
        raise node.reject("needs [Cond-R] as its one premise, for run 2's branch")
    results = []
    for run in (1, 2):
        values = {name: pair[run - 1] for name, pair in state.values.items()}
        state, values = _alone(proof, node, state, run, (statement,), values)
        results.append(values)
    changed = assigned((statement,))
    for name in sorted(changed & results[0].keys() & results[1].keys()):
        state = state.binding(name, (results[0][name], results[1][name]))
    return {None: (state,)}


def case(proof: Proof, node: Node, statement: Draw, state: State) -> Outcomes:
    """[Case]: the first case whose ``when`` holds says how the draws are coupled; the last has none.

    Every choice depends only on what is known before the draw, and on b.
    """
    if node.rule == "Case" and statement.distribution == "gaussian":
        raise node.reject("a Gaussian draw has one coupling: what is lost must not depend on the output")
    alone = replace(node, fields={key: item for key, item in node.fields.items() if key != "tail"})
    leaves = node.premises if node.rule == "Case" else (alone,)
    whens = node.terms("when") if node.rule == "Case" else ()
    if len(leaves) != len(whens) + 1:
        raise node.reject("needs a coupling for each 'when', and one for the rest")
    scale = proof.public(state, statement.arguments[1])
    if scale is None:
        raise node.reject("the scale is no function of the public inputs")
    positive = Operation(Operator.LESS, (Constant(0, Sort.REAL), statement.arguments[1]), Sort.BOOL)
    state = _shown(proof, node, state, statement, positive, "the scale is positive")
    before, (centers,) = proof.both(state, statement.arguments[0])
    state, centers = proof.constants(before, "center", centers)
    state, inside = _given_up(proof, node, statement, state, centers[0], scale)
    rest: list[Term] = []
    shifts: list[tuple[Term, Term]] = []
    for place, leaf in enumerate(leaves):
        guard = list(rest)
        if place < len(whens):
            when, facts = proof.instance(node, whens[place], before, BOOL, statement.target)
            state, when = proof.constant(state.knowing(facts), "when", when)
            guard.append(when)
            rest.append(negation(when))
        here = conjunction(guard)
        state, k, paid = _coupled(proof, leaf, statement, state, here, centers, scale)
        shifts.append((here, k))
        state = _paid(proof, state, here, paid)
    return _drawn(proof, statement, state, shifts, centers[0], inside)


def _coupled(
    proof: Proof, leaf: Node, statement: Draw, state: State, here: Term, centers: Pair, scale: Term
) -> tuple[State, Term, Mapping[str, Term]]:
    """The coupling of one case: the state that knows its side conditions, k, and what it costs."""
    if leaf.rule not in COUPLINGS or COUPLINGS[leaf.rule][0] != statement.distribution or leaf.premises:
        raise leaf.reject(f"no coupling of two draws from {statement.distribution}")
    _, coupling, fields = COUPLINGS[leaf.rule]
    leaf.only(fields)
    path = state.path
    state = state if here == TRUE else state.under(here)
    state, k, distance = coupling(proof, leaf, statement, state, centers)
    paid: Mapping[str, Term] = {}
    if distance is not None and leaf.rule == "Norm":
        state, paid = _norm_price(proof, leaf, statement, state, distance, scale)
    elif distance is not None:
        state, paid = _price(proof, leaf, state, distance, scale)
    return replace(state, path=path), k, paid


def lap_null(
    proof: Proof, leaf: Node, statement: Draw, state: State, centers: Pair
) -> tuple[State, Term, Term | None]:
    """[LapNull], [OneLapNull]: the same noise, y⟨2⟩ − y⟨1⟩ = e⟨2⟩ − e⟨1⟩, free (Props. 9 and 11)."""
    same = centers[0] == centers[1]
    return state, number(0, SORTS[statement.sort]) if same else ("-", centers[1], centers[0]), None


def lap_gen(
    proof: Proof, leaf: Node, statement: Draw, state: State, centers: Pair
) -> tuple[State, Term, Term | None]:
    """[LapGen]: y⟨1⟩ + k = y⟨2⟩ at |k + e⟨1⟩ − e⟨2⟩| / scale, for any k known before the draw (Prop. 8)."""
    sort = SORTS[statement.sort]
    k, facts = proof.instance(leaf, leaf.term("k"), state, sort, statement.target)
    state, (k, moved) = proof.constants(
        state.knowing(facts), "k", (k, ("-", ("+", k, centers[0]), centers[1]))
    )
    return state, k, moved


def one_lap_gen(
    proof: Proof, leaf: Node, statement: Draw, state: State, centers: Pair
) -> tuple[State, Term, Term | None]:
    """[OneLapGen]: as [LapGen], where run 2's draw stays in its support (Prop. 10)."""
    state, k, moved = lap_gen(proof, leaf, statement, state, centers)
    assert moved is not None
    zero = number(0, SORTS[statement.sort])
    return proof.require(leaf, state, "0 <= k + e<1> - e<2>", ("<=", zero, moved)), k, moved


def _price(
    proof: Proof, leaf: Node, state: State, moved: Term, scale: Term
) -> tuple[State, Mapping[str, Term]]:
    """What a shifted coupling adds to its cost; in nats it is at least distance / scale."""
    sort = sort_of(moved, proof.known)
    zero = number(0, sort)
    if "cost" not in leaf.fields:
        return proof.require(leaf, state, "a coupling without cost moves nothing", ("=", moved, zero)), {}
    name, amount = str(leaf.fields["cost"]), leaf.fields.get("amount")
    if name not in proof.certificate.costs:
        raise leaf.reject(f"no cost is called '{name}'")
    cost = _in_nats(proof, leaf, name)
    state, length = proof.constant(state, "distance", real(absolute(moved, sort), sort))
    premises: list[Term] = [("<", "0.0", scale), *state.public_path]
    if amount == "distance":
        if cost.sort != REAL:
            raise leaf.reject("a cost that sums distances is a Real")
        says = "one unit of distance costs at most the weight"
        goal = at_most(("/", "1.0", scale), proof.public_number(leaf, cost.weight))
        proof.require_public(leaf.rule, leaf.place, says, goal, *premises)
        return state, {name: length}
    within, _ = proof.instance(leaf, leaf.term("within"), state, REAL)
    added, _ = proof.instance(leaf, leaf.term("amount"), state, cost.sort)
    state = proof.require(leaf, state, "the distance stays within what is paid for", ("<=", length, within))
    price = ("/", proof.as_public(leaf, leaf.term("within"), state), scale)
    pays = ("*", proof.as_public(leaf, leaf.term("amount"), state), proof.public_number(leaf, cost.weight))
    proof.require_public(
        leaf.rule, leaf.place, "the amount pays for the distance", at_most(price, pays), *premises
    )
    return state, {name: ("ite", ("=", length, "0.0"), number(0, cost.sort), added)}


def _norm_price(
    proof: Proof, leaf: Node, statement: Draw, state: State, moved: Term, sigma: Term
) -> tuple[State, Mapping[str, Term]]:
    """[Norm]: a use that moves the noise counts 1, each at (weight, delta) of its cost.

    The count stays within its bound wherever it grows, so that the masses lost sum up on all runs, also on
    those that don't end.
    """
    sort = sort_of(moved, proof.known)
    if "cost" not in leaf.fields:
        return proof.require(
            leaf, state, "a coupling without cost moves nothing", ("=", moved, number(0, sort))
        ), {}
    if proof.certificate.events:
        raise leaf.reject("what Gaussian noise loses must not depend on the output: no events beside it")
    name = str(leaf.fields["cost"])
    cost = proof.certificate.costs.get(name)
    if cost is None or cost.sort != "Int" or leaf.term("amount") != "1":
        raise leaf.reject("a Gaussian draw counts 1 in a cost that is an Int")
    state, length = proof.constant(state, "distance", real(absolute(moved, sort), sort))
    within, _ = proof.instance(leaf, leaf.term("within"), state, REAL)
    state = proof.require(leaf, state, "the distance stays within what is paid for", ("<=", length, within))
    goals = enough(
        sigma,
        proof.as_public(leaf, leaf.term("within"), state),
        proof.public_number(leaf, cost.weight),
        proof.public_number(leaf, cost.delta),
        statement.sort is Sort.INT,
    )
    says = "weight and delta pay for the distance"
    for goal in goals:
        proof.require_public(leaf.rule, leaf.place, says, goal, ("<", "0.0", sigma), *state.public_path)
    state = _room(proof, leaf, state, name, ("<", "0.0", length))
    return state, {name: ("ite", ("=", length, "0.0"), "0", "1")}


def _in_nats(proof: Proof, node: Node, name: str) -> Cost:
    """A cost that amounts may be paid into; one with a delta only counts, so that it never falls."""
    cost = proof.certificate.costs[name]
    if cost.delta != NO_MASS:
        raise node.reject(f"the cost {name} counts what is lost, and takes no amounts")
    return cost


def _room(proof: Proof, node: Node, state: State, name: str, here: Term) -> State:
    """Where a cost is about to grow by 1 it is below its bound: on all runs, also endless ones."""
    cost = proof.certificate.costs[name]
    bound, _ = proof.instance(node, cost.bound, NOWHERE, cost.sort)
    below: Term = ("=>", here, ("<", state.ghosts[name], bound))
    return proof.require(node, state, f"the cost {name} is within its bound", below)


def _given_up(
    proof: Proof, node: Node, statement: Draw, state: State, center: Term, scale: Term
) -> tuple[State, tuple[Callable[[Term], Term], ...]]:
    """``tail``: which noise of run 1 is lost, as a fact about what is left; each draw counts 1 in its cost.

    Laplace noise is t or more with probability at most exp(-t/scale)/2 on the reals, exp(-t/scale) on the
    integers, for t >= 0.  What is lost is an event of run 1's noise alone, so it is lost once, whatever
    the output is.
    """
    if "tail" not in node.fields:
        return state, ()
    match node.fields["tail"]:
        case ["above" | "both" as side, str(limit), str(name)] if statement.distribution == "laplace":
            pass
        case _:
            raise node.reject("malformed 'tail', or no Laplace noise")
    cost = proof.certificate.costs.get(name)
    if cost is None or cost.sort != "Int":
        raise node.reject("a tail counts 1 in a cost that is an Int")
    most = read(limit)
    t = proof.public_number(node, most)
    decay, positive = power_of_e(("-", ("/", t, scale)))
    times = (2 if side == "both" else 1) * (Fraction(1) if statement.sort is Sort.INT else Fraction(1, 2))
    mass = ("*", number(times, REAL), decay)
    enough = conjunction([*positive, at_most("0.0", t), at_most(mass, proof.public_number(node, cost.delta))])
    says = "the mass pays for the tail"
    proof.require_public(node.rule, node.place, says, enough, ("<", "0.0", scale), *state.public_path)
    state = _room(proof, node, state, name, TRUE)
    state = _paid(proof, state, TRUE, {name: "1"})
    limit_here, _ = proof.instance(node, most, NOWHERE, REAL)
    sort = SORTS[statement.sort]

    def above(left: Term) -> Term:
        return ("<", real(("-", left, center), sort), limit_here)

    def below(left: Term) -> Term:
        return ("<", real(("-", center, left), sort), limit_here)

    return state, (above, below) if side == "both" else (above,)


def _paid(proof: Proof, state: State, here: Term, paid: Mapping[str, Term]) -> State:
    for name, amount in paid.items():
        before = state.ghosts[name]
        added: Term = ("+", before, amount)
        state, after = proof.constant(state, name, added if here == TRUE else ("ite", here, added, before))
        state = state.marking({name: after})
    return state


def _drawn(
    proof: Proof,
    statement: Draw,
    state: State,
    shifts: list[tuple[Term, Term]],
    center: Term,
    inside: tuple[Callable[[Term], Term], ...],
) -> Outcomes:
    """Run 1's draw is any value in the support, run 2's is moved by the k of the case that applies."""
    left = proof.fresh(f"{statement.target}<1>", SORTS[statement.sort])
    if statement.distribution == "exponential":
        state = state.knowing([("=>", conjunction(state.path), ("<=", center, left))])
    state = state.knowing(("=>", conjunction(state.path), fact(left)) for fact in inside)
    shift = shifts[-1][1]
    for here, k in reversed(shifts[:-1]):
        shift = ("ite", here, k, shift)
    right: Term = left if value(shift) == 0 else ("+", left, shift)
    return {None: (_bound(proof, state, statement.target, (left, right)),)}


# --- draws of finitely many values ------------------------------------------------------------


def chance(proof: Proof, node: Node, statement: Choose, state: State) -> Outcomes:
    """[Chance]: run 2 draws the same value; what that costs depends on its chances in the two runs.

    ``free`` lists pairs of outcomes, run 1's and run 2's, that cost nothing, ``pays`` pairs with a cost and
    an amount of it.  All others must not occur together.  Whatever the value is, run 1's probability of it
    is at most exp(cost) times run 2's.
    """
    if not isinstance(statement.law, Chances):
        raise node.reject("the program chooses by weights here")
    free, pays = _pairs(proof, node)
    drawn = proof.fresh(statement.target, SORTS[statement.sort])
    conditions = [condition for condition, _ in statement.law.outcomes]
    state, found = _about(proof, statement, state, drawn, *conditions)
    state = state.knowing([("=>", conjunction(state.path), ("or", *(left for left, _ in found), "false"))])
    if proof.single:
        return {None: (_bound(proof, state, statement.target, (drawn, drawn)),)}
    nothing = conjunction([negation(right) for _, right in found])
    rights = [*(right for _, right in found), nothing]
    for i, (left, _) in enumerate(found):
        for j, right in enumerate(rights):
            here = conjunction([left, right])
            if (i, j) in free:
                state = _as_likely(proof, node, statement, state, (i, j), here)
            elif (i, j) in pays and j < len(found):
                state = _less_likely(proof, node, statement, state, (i, j), here, *pays[i, j])
            else:
                says = f"run 2 has outcome {j} where run 1 has outcome {i}: does not occur"
                state = proof.require(node, state, says, negation(here))
    return {None: (_bound(proof, state, statement.target, (drawn, drawn)),)}


def _pairs(proof: Proof, node: Node) -> tuple[set[tuple[int, int]], dict[tuple[int, int], tuple[str, Term]]]:
    """The fields ``free`` and ``pays``.  Raises Rejected for another form."""
    free: set[tuple[int, int]] = set()
    pays: dict[tuple[int, int], tuple[str, Term]] = {}
    for name, known in (("free", free), ("pays", pays)):
        listed = node.fields.get(name, [])
        if not isinstance(listed, list):
            raise node.reject(f"'{name}' is no list")
        for item in listed:
            match item:
                case [int(i), int(j)] if (
                    known is free and not isinstance(i, bool) and not isinstance(j, bool)
                ):
                    free.add((i, j))
                case [int(i), int(j), str(cost), str(amount)] if known is pays and (i, j) not in pays:
                    if cost not in proof.certificate.costs:
                        raise node.reject(f"no cost is called '{cost}'")
                    pays[i, j] = cost, read(amount)
                case _:
                    raise node.reject(f"an entry of '{name}' is malformed")
    return free, pays


def _about(
    proof: Proof, statement: Choose, state: State, index: Term, *expressions: Expression
) -> tuple[State, list[Pair]]:
    """Expressions about the outcome, for one value of it, in both runs; and constants for them."""
    known, found = proof.both(state.binding(statement.index, (index, index)), *expressions)
    state = replace(known, values=state.values, public=state.public)
    named = []
    for pair in found:
        state, pair = proof.constants(state, statement.target, pair)
        named.append(pair)
    return state, named


def _as_likely(
    proof: Proof, node: Node, statement: Choose, state: State, pair: tuple[int, int], here: Term
) -> State:
    """Run 1's outcome is at most as likely as run 2's."""
    assert isinstance(statement.law, Chances)
    if pair[1] >= len(statement.law.outcomes):
        raise node.reject("an outcome that can't be drawn is not free")
    left, right = (statement.law.outcomes[place][1] for place in pair)
    chances = proof.public(state, left), proof.public(state, right)
    if chances[0] is not None and chances[1] is not None:
        if chances[0] != chances[1]:
            goal = at_most(chances[0], chances[1])
            says = f"outcome {pair[0]} is at most as likely as outcome {pair[1]}"
            proof.require_public(node.rule, node.place, says, goal, *state.public_path)
        return state
    if pair[0] != pair[1]:
        raise node.reject("chances that are no functions of the public inputs can't be compared")
    state, (values,) = proof.both(state, left)
    goal = ("=>", here, ("=", *values))
    return proof.require(node, state, f"outcome {pair[0]} is as likely in both runs", goal)


def _less_likely(
    proof: Proof,
    node: Node,
    statement: Choose,
    state: State,
    pair: tuple[int, int],
    here: Term,
    name: str,
    amount: Term,
) -> State:
    """Run 1's outcome is at most exp(amount * weight) times as likely as run 2's; that is paid."""
    assert isinstance(statement.law, Chances)
    cost = _in_nats(proof, node, name)
    added, _ = proof.instance(node, amount, state, cost.sort)
    chances = [proof.public(state, statement.law.outcomes[place][1]) for place in pair]
    if chances[0] is None or chances[1] is None:
        raise node.reject("chances that are no functions of the public inputs can't be compared")
    price = ("*", proof.as_public(node, amount, state), proof.public_number(node, cost.weight))
    times, defined = power_of_e(price)
    goal = conjunction([*defined, at_most(chances[0], ("*", times, chances[1]))])
    says = f"the amount pays for outcome {pair[0]} of run 1 and {pair[1]} of run 2"
    proof.require_public(node.rule, node.place, says, goal, *state.public_path)
    return _paid(proof, state, here, {name: added})


def choice(proof: Proof, node: Node, statement: Choose, state: State) -> Outcomes:
    """[Choice]: run 2 draws the same index.

    Where the change of the drawn index's score is within d of every other's, the logarithm of the ratio of
    the index's probabilities is at most d times the size of the rate: its own weights differ by
    exp(change * rate), and the sums of all weights by no more than the largest factor of them all (McSherry
    & Talwar 2007, Thm. 6).  Both directions are shown, as a negative rate turns them round.
    """
    law = statement.law
    if not isinstance(law, Weights):
        raise node.reject("the program gives chances here")
    state, (counts,) = proof.both(state, law.count)
    if not proof.single:
        state = proof.require(node, state, "both runs choose from as many", ("=", *counts))
    drawn, other = (proof.fresh(name, "Int") for name in (statement.target, statement.index))
    path = conjunction(state.path)
    for index in (drawn, other):
        inside = ("and", ("<=", "0", index), ("<", index, counts[0]))
        state = state.knowing([("=>", path, inside)])
    if proof.single:
        for demand in law.demands:
            state, ((holds, _),) = _about(proof, statement, state, other, demand.condition)
            state = proof.require(node, state, f"line {demand.span.line}: {demand.reason}", holds)
        return {None: (_bound(proof, state, statement.target, (drawn, drawn)),)}
    rate = proof.public(state, law.rate)
    if rate is None:
        state, (rates,) = proof.both(state, law.rate)
        state = proof.require(node, state, "both runs weigh the scores alike", ("=", *rates))
    state, (own,) = _about(proof, statement, state, drawn, law.score)
    state, (any_,) = _about(proof, statement, state, other, law.score)
    distance: Term = ("-", ("-", *own), ("-", *any_))
    if "cost" not in node.fields:
        state = proof.require(node, state, "all scores change alike", ("=", distance, "0.0"))
        return {None: (_bound(proof, state, statement.target, (drawn, drawn)),)}
    name = str(node.fields["cost"])
    if rate is None or name not in proof.certificate.costs:
        raise node.reject("the rate is no function of the public inputs, or there is no such cost")
    cost = _in_nats(proof, node, name)
    within, _ = proof.instance(node, node.term("within"), state, REAL)
    added, _ = proof.instance(node, node.term("amount"), state, cost.sort)
    close: Term = ("and", ("<=", distance, within), ("<=", ("-", distance), within))
    state = proof.require(node, state, "the scores' changes stay within what is paid for", close)
    price: Term = ("*", proof.as_public(node, node.term("within"), state), rate)
    pays = ("*", proof.as_public(node, node.term("amount"), state), proof.public_number(node, cost.weight))
    for size in (price, ("-", price)):
        says = "the amount pays for the change of the scores"
        proof.require_public(node.rule, node.place, says, at_most(size, pays), *state.public_path)
    state = _paid(proof, state, TRUE, {name: added})
    return {None: (_bound(proof, state, statement.target, (drawn, drawn)),)}


# --- control ----------------------------------------------------------------------------------


def while_(proof: Proof, node: Node, statement: Loop, state: State) -> Outcomes:
    """[While]: ``invariant`` and the equality of ``equal`` hold on entry and after each iteration.

    The costs are ghosts of the invariant, so iterations may cost what they like as long as the sum
    stays within the bounds ([WhileExt] is the instance where one of them pays).
    """
    if len(node.premises) != 1:
        raise node.reject("needs one premise, for the body")
    equal, changed = node.names("equal"), assigned(statement.body)
    if not set(equal) <= changed:
        raise node.reject("'equal' may only name what the loop changes")
    _invariant(proof, node, state, equal, "holds on entry")
    head = replace(state, segment=next(proof.numbers))
    for name in sorted(changed):
        head = head.binding(name, proof.fresh_pair(name, name in equal))
    head = head.marking(_forgotten(proof, statement))
    renewed = {
        item.target: next(proof.numbers) for item in statements(statement.body) if isinstance(item, NewList)
    }
    head = replace(head, versions={**head.versions, **renewed})
    for part in node.terms("invariant"):
        instance, _ = proof.instance(node, part, head, BOOL)
        head = head.knowing([instance])
    outcomes = seq(proof, node.premises[0], statement.body, head)
    for back in outcomes.pop(None, ()):
        _invariant(proof, node, back, equal, "is kept by an iteration")
    return outcomes


def _invariant(proof: Proof, node: Node, state: State, equal: tuple[str, ...], says: str) -> None:
    """What the loop's rule asks for where control comes to its head."""
    for name in equal:
        proof.require(node, state, f"{name} agrees in both runs: {says}", ("=", *state.values[name]))
    for part in node.terms("invariant"):
        instance, facts = proof.instance(node, part, state, BOOL)
        proof.require(node, state.knowing(facts), f"the invariant {says}", instance)


def _forgotten(proof: Proof, loop: Loop) -> dict[str, Term]:
    """New values for the ghosts that the loop may change."""
    inside = list(statements(loop.body))
    costly = any(isinstance(item, Draw | Choose) for item in inside)
    read = {
        f"{part.source}#{kind}"
        for item in inside
        for whole in expressions_of(item)
        for part in subexpressions(whole)
        if isinstance(part, Read)
        for kind in ("spent", "latest")
    }
    happens = tuple(
        f"next#branch.{item.branch}." if isinstance(item, If) else f"next#append.{item.target}."
        for item in inside
        if isinstance(item, (If, Append))
    )
    return {
        name: proof.fresh(name, sort)
        for name, sort in proof.ghosts.items()
        if name in read or name.startswith(happens) or (costly and name in proof.certificate.costs)
    }


def block(proof: Proof, node: Node, statement: Block, state: State) -> Outcomes:
    """[Block]: leaving the block by its label goes on behind it."""
    if len(node.premises) != 1:
        raise node.reject("needs one premise, for the body")
    outcomes = seq(proof, node.premises[0], statement.body, state)
    rest = proof.merged((*outcomes.pop(None, ()), *outcomes.pop(statement.label, ())))
    return {**outcomes, None: rest} if rest else outcomes


def exit_(proof: Proof, node: Node, statement: Exit, state: State) -> Outcomes:
    """[Exit]: control leaves the block of that label, in both runs."""
    return {statement.label: (state,)}


def assert_(proof: Proof, node: Node, statement: Assume, state: State) -> Outcomes:
    """[Assert]: both runs pass, or both end without output."""
    public = proof.public(state, statement.condition)
    state, (pair,) = proof.both(state, statement.condition)
    state = proof.require(node, state, "both runs pass the assertion or neither does", ("=", *pair))
    return {None: (state.under(pair[0], public),)}


def return_(proof: Proof, node: Node, statement: Return, state: State) -> Outcomes:
    """[Return]: what run 1 returns, run 2 returns; and the costs are within their bounds."""
    state, pairs = proof.both(state, *statement.values)
    for component, pair in enumerate(pairs):
        event = f"next#return..{component}"
        state = _publish(proof, node, state, event, pair)
    for name in statement.lists:
        state = proof.require(node, state, f"{name} has one length", ("=", *state.values[list_length(name)]))
    for name, cost in proof.certificate.costs.items():
        bound, _ = proof.instance(node, cost.bound, NOWHERE, cost.sort)
        proof.require(node, state, f"the cost {name} is within its bound", ("<=", state.ghosts[name], bound))
    return {RETURNED: (state,)}


def _publish(proof: Proof, node: Node, state: State, event: str, pair: Pair) -> State:
    """Part of the output: run 1 publishes what b says, or the run doesn't matter; so must run 2."""
    if event in proof.certificate.events:
        match: Term = ("=>", conjunction(state.path), ("=", pair[0], state.ghosts[event]))
        proof.matches.append((state.segment, match))
        state = state.knowing([match])
        if not event.startswith(RETURN_EVENT):
            state = state.marking({event: proof.fresh(event, proof.ghosts[event])})
    return proof.require(node, state, "both runs publish the same", ("=", *pair))


def _alone(
    proof: Proof, node: Node, state: State, run: int, body: Iterable[Statement], values: Mapping[str, Term]
) -> tuple[State, dict[str, Term]]:
    """[Assn-L], [Cond-L] and their mirror images: one run computes by itself."""
    current = dict(values)
    for statement in body:
        match statement:
            case Assign(target=target, value=value):
                evaluation = replace(proof.evaluation(state, run), values=current)
                term = evaluation.term(value)
                state, current[target] = proof.constant(
                    proof.informed(state, evaluation), f"{target}<{run}>", term
                )
            case If(condition=condition, then=then, otherwise=otherwise):
                evaluation = replace(proof.evaluation(state, run), values=current)
                test = evaluation.term(condition)
                state, test = proof.constant(proof.informed(state, evaluation), f"if<{run}>", test)
                state, one = _alone(proof, node, state, run, then, current)
                state, other = _alone(proof, node, state, run, otherwise, current)
                for name in sorted(one.keys() & other.keys()):
                    if one[name] != other[name]:
                        chosen: Term = ("ite", test, one[name], other[name])
                        state, one[name] = proof.constant(state, f"{name}<{run}>", chosen)
                current = {name: one[name] for name in one.keys() & other.keys()}
            case Block(body=inner) if not any(isinstance(item, Exit) for item in statements(inner)):
                state, current = _alone(proof, node, state, run, inner, current)
            case Obligation():
                pass
            case _:
                raise node.reject(f"a {type(statement).__name__} where one run goes alone")
    return state, current


# --- helpers ----------------------------------------------------------------------------------


def _bound(proof: Proof, state: State, name: str, pair: Pair, public: Term | None = None) -> State:
    state, pair = proof.constants(state, name, pair)
    return state.binding(name, pair, public)


def _add(outcomes: Outcomes, more: Outcomes) -> None:
    for label, states in more.items():
        outcomes[label] = (*outcomes.get(label, ()), *states)


Rule = Callable[[Proof, Node, S, State], Outcomes]

_COUPLED = frozenset({"k", "within", "cost", "amount"})
COUPLINGS = {
    "LapGen": ("laplace", lap_gen, _COUPLED),
    "LapNull": ("laplace", lap_null, frozenset[str]()),
    "OneLapGen": ("exponential", one_lap_gen, _COUPLED),
    "OneLapNull": ("exponential", lap_null, frozenset[str]()),
    "Norm": ("gaussian", lap_gen, _COUPLED),
    "NormNull": ("gaussian", lap_null, frozenset[str]()),
}
_WITH_PREMISES = ("Cond", "Cond-L", "Case", "While", "Block")
ONLY_RULE: dict[type, str] = {
    Append: "Append",
    Assign: "Assn",
    Assume: "Assert",
    Exit: "Exit",
    NewList: "New",
    Obligation: "Skip",
    Return: "Return",
}
"""Statements about which there is one rule, without premises."""

RULES: dict[str, tuple[type, Rule[Any], frozenset[str]]] = {
    "Skip": (Obligation, skip, frozenset()),
    "Assn": (Assign, assn, frozenset({"facts"})),
    "New": (NewList, new, frozenset()),
    "Append": (Append, append, frozenset()),
    "Cond": (If, cond, frozenset({"publish"})),
    "Cond-L": (If, cond_l, frozenset()),
    "Case": (Draw, case, frozenset({"when", "tail"})),
    "Chance": (Choose, chance, frozenset({"free", "pays"})),
    "Choice": (Choose, choice, frozenset({"within", "cost", "amount"})),
    **{name: (Draw, case, fields | {"tail"}) for name, (_, _, fields) in COUPLINGS.items()},
    "While": (Loop, while_, frozenset({"invariant", "equal"})),
    "Block": (Block, block, frozenset()),
    "Exit": (Exit, exit_, frozenset()),
    "Assert": (Assume, assert_, frozenset()),
    "Return": (Return, return_, frozenset()),
}
