"""[Lift]: a mechanism of finitely many outcomes, by the chances of its outputs in the two runs.

The (ε, δ)-lifting of equality exists if and only if Σ_b max(0, P1(b) - e^ε·P2(b)) ≤ δ: all that the flow
from P1 to e^ε·P2 can't carry (Barthe, Köpf, Olmedo & Zanella Béguelin 2013, section 7).  The chances
come from :mod:`synth.trusted.normal_form.output_distribution`, which is trusted as the other rewritings
of programs are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synth.trusted.kernel.certificate import Node, at
from synth.trusted.kernel.proof_state import NOWHERE, Proof
from synth.trusted.kernel.rules.finite_draws import exclude_each_other, within_factor
from synth.trusted.kernel.symbolic_state import Pair, State
from synth.trusted.logic.arithmetic.exponentials import power_of_e
from synth.trusted.logic.arithmetic.polynomials import at_most, nonnegative
from synth.trusted.logic.codes import Code
from synth.trusted.logic.encoding import signatures
from synth.trusted.logic.inputs import SORTS
from synth.trusted.logic.terms import REAL, Term, conjunction, disjunction, negation, read
from synth.trusted.normal_form.decision_trees import Intractable, Tree
from synth.trusted.normal_form.output_distribution import OutputLaw, counted, counts, losses, lost, output_law
from synth.trusted.normal_form.pre_expectations import outcomes_of
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.substitution import mapped

LIFT = "Lift"


@dataclass(frozen=True)
class Outcome:
    """An outcome: whether it has the returned values, in the two runs, and its chance.

    ``public`` is what its condition says of public inputs.
    """

    here: Pair
    chance: Term
    public: tuple[Term, ...]


def lift(proof: Proof, node: Node, epsilon: Term, delta: Term) -> None:
    """Pairs of outcomes, run 1's and run 2's, that the same values may have, are ``free`` or ``lost``.

    Where a pair is free, run 1's chance is at most e^ε times run 2's.  Where it is lost, the difference
    counts towards δ, once for each value; ``reached`` are the sums of what is lost that may occur, with
    bounds for the numbers of values in them.  Raises Rejected.
    """
    node.only(frozenset({"free", "lost", "reached"}))
    certificate = proof.certificate
    if node.premises or certificate.costs or certificate.events or certificate.entries:
        raise node.reject(Code.LIFTED_WITH_MORE())
    if certificate.gaussian is not None:
        raise node.reject(Code.LIFTED_GAUSSIAN())
    try:
        law = output_law(proof.mechanism)
    except Intractable:
        raise node.reject(Code.NO_OUTPUT_CHANCES()) from None
    proof.known.update(signatures(condition for condition, _ in law.outcomes))
    state, outcomes = outcomes_in(proof, node, law)
    free, gone = pairs_of(node, "free", len(outcomes)), pairs_of(node, "lost", len(outcomes))
    if any(j == len(outcomes) for _, j in free):
        raise node.reject(Code.IMPOSSIBLE_FOR_FREE())
    for place, outcome in enumerate(outcomes):
        _apart(proof, node, state, outcomes, place, {j for i, j in free | gone if i == place})
        for other in sorted(j for i, j in free if i == place):
            says = Code.OUTPUT_TOO_LIKELY(first=place, second=other)
            goal, known = paid(outcome, outcomes[other], epsilon)
            proof.require_public(node, says, goal, *known)
    proof.require_public(at(LIFT, "proved.delta"), Code.DELTA_NEGATIVE(), nonnegative(delta))
    if gone:
        _lost(proof, node, law, outcomes, (epsilon, delta))


def paid(first: Outcome, second: Outcome, epsilon: Term) -> tuple[Term, tuple[Term, ...]]:
    """That the chance of an outcome is at most e^ε times another's, and what is known of public inputs."""
    return within_factor(first.chance, second.chance, epsilon), (*first.public, *second.public)


def outcomes_in(proof: Proof, node: Node, law: OutputLaw) -> tuple[State, list[Outcome]]:
    """The outcomes of one output, the same in both runs.  Raises Rejected for chances that aren't public."""
    state = start = proof.start()
    for item in law.values:
        returned = proof.fresh(item.name, SORTS[item.sort])
        state = state.binding(item.name, (returned, returned))
    state, found = proof.both(state, *(condition for condition, _ in law.outcomes))
    for run in (0, 1):
        exclude_each_other(proof, node, state, [pair[run] for pair in found])
    outcomes = []
    for (condition, expression), pair in zip(law.outcomes, found, strict=True):
        state, here = proof.constants(state, "outcome", pair)
        chance = proof.public(start, expression)
        if chance is None:
            raise node.reject(Code.OUTPUT_CHANCE_NOT_PUBLIC())
        outcomes.append(Outcome(here, chance, tuple(_public(proof, start, condition))))
    return state, outcomes


def _public(proof: Proof, state: State, condition: ir.Expression) -> Iterator[Term]:
    """What a condition says of public inputs alone."""
    for item in builders.conjuncts(condition):
        found = proof.public(state, item)
        if found is not None:
            yield found


def pairs_of(node: Node, field: str, last: int) -> set[tuple[int, int]]:
    """A field that lists pairs of an outcome of run 1 and one of run 2, ``last`` if that has none.

    Raises Rejected.
    """
    found: set[tuple[int, int]] = set(node.listed(tuple[int, int], field))
    if any(i >= last or j > last for i, j in found):
        raise node.reject(Code.MALFORMED_PAIRS(field=field))
    return found


def _apart(
    proof: Proof, node: Node, state: State, outcomes: list[Outcome], place: int, known: set[int]
) -> None:
    """Where run 1 has an outcome, run 2 has none but those that are ``known``."""
    here = [item.here[1] for item in outcomes]
    others = [right for other, right in enumerate(here) if other not in known]
    if len(outcomes) not in known:
        others.append(conjunction([negation(right) for right in here]))
    if others:
        says = Code.OTHER_PAIR_OCCURS(place=place)
        goal = negation(conjunction([outcomes[place].here[0], disjunction(others)]))
        proof.require(node, state, says, goal)


def _lost(
    proof: Proof, node: Node, law: OutputLaw, outcomes: list[Outcome], bounds: tuple[Term, Term]
) -> None:
    """All that is lost is at most δ, whatever the inputs are."""
    epsilon, delta = bounds
    pairs = pairs_of(node, "lost", len(outcomes))
    try:
        found = losses(law, proof.mechanism, pairs)
    except Intractable:
        raise node.reject(Code.NO_SUM_OF_LOSSES()) from None
    state = proof.start()
    power, defined = power_of_e(epsilon)
    for i, j in sorted(pairs):
        value = outcomes[i].chance
        if j < len(outcomes):
            value = ("-", value, ("*", power, outcomes[j].chance))
            says = Code.LOSS_NEGATIVE(first=i, second=j)
            known = (*outcomes[i].public, *outcomes[j].public)
            proof.require_public(node, says, conjunction([*defined, nonnegative(value)]), *known)
        state = state.binding(lost((i, j)), (value, value), value)
    state, private = proof.both(state, *(item for item, _ in found.private))
    for (_, variables), pair in zip(found.private, private, strict=True):
        for variable, term in zip(variables, pair, strict=True):
            state = state.binding(variable.name, (term, term))
    _bounded(proof, node, state, found.tree, delta)


def _bounded(proof: Proof, node: Node, state: State, tree: Tree, delta: Term) -> None:
    """Each sum is at most δ, or does not occur; ``reached`` has bounds for how many values lose alike."""
    sums = outcomes_of(tree)
    reached = _reached(node, len(sums))
    for place, (condition, value) in enumerate(sums):
        numbers = counts(value)
        proof.known.update(signatures((condition, *numbers)))
        here, (holds, *found) = proof.both(state, condition, *numbers)
        if place not in reached:
            proof.require(node, here, Code.SUM_OCCURS(place=place), negation(holds[0]))
            continue
        if len(reached[place]) != len(numbers):
            raise node.reject(Code.LOSS_WITHOUT_BOUNDS(place=place, count=len(numbers)))
        here, known, total = here.under(holds[0]), list(_public(proof, state, condition)), state
        for number, (pair, most) in enumerate(zip(found, reached[place], strict=True)):
            least, facts = proof.instance(node, most, NOWHERE, REAL)
            inside = ("and", ("<=", "0.0", pair[0]), ("<=", pair[0], least))
            proof.require(node, here.knowing(facts), Code.SUM_OUTSIDE_BOUNDS(place=place), inside)
            symbol = f"|count#{number}|"
            known += [("<=", "0.0", symbol), ("<=", symbol, proof.public_number(node, most))]
            total = total.binding(counted(number).name, (symbol, symbol), symbol)
        names = {item: counted(number) for number, item in enumerate(numbers)}
        lost_here = proof.public(total, mapped(value, names.get))
        if lost_here is None:
            raise node.reject(Code.LOSS_NOT_PUBLIC())
        says = Code.SUM_ABOVE_DELTA(place=place)
        proof.require_public(node, says, at_most(lost_here, delta), *known)


def _reached(node: Node, sums: int) -> dict[int, tuple[Term, ...]]:
    """The sums that may occur, by number, with bounds of their counts."""
    found: dict[int, tuple[Term, ...]] = {}
    listed = node.fields.get("reached", [])
    for item in listed if isinstance(listed, list) else [listed]:
        match item:
            case [int(place), *bounds] if type(place) is int and 0 <= place < sums:
                found[place] = tuple(read(str(each)) for each in bounds)
            case _:
                raise node.reject(Code.MALFORMED_SUMS())
    return found
