"""One proof of a mechanism of finitely many outcomes, by the chances of its output in the two runs.

No draw is coupled: equality of the outputs is lifted as a whole (Barthe, Köpf, Olmedo & Zanella Béguelin
2013, section 7).  So the bound is the least one, where its parts can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from synth.bounds.logarithms import ZERO_COST, is_logarithm, loss
from synth.bounds.rational import Rational
from synth.bounds.scales import opaque_parts, rational
from synth.prover.acceptance import CheckedCertificate, Unknown, check_within_claim
from synth.prover.attempt import Attempt, is_zero
from synth.prover.certificate.formulas import ProgramTerms
from synth.prover.certificate.writing import lifting_text
from synth.prover.codes import Code as ProverCode
from synth.prover.costs.likelihood_ratios import exclude
from synth.prover.normal_form.known_names import public_names
from synth.support.statistics import asked
from synth.trusted.frontend.claim import NO_CLAIM, Claim
from synth.trusted.json_reader import Json
from synth.trusted.kernel.check import parse
from synth.trusted.kernel.proof_state import Proof, begin
from synth.trusted.kernel.rules.lifting import Outcome, outcomes_in, paid
from synth.trusted.kernel.solvers import GaveUp, holds, script
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.logic.arithmetic.polynomials import at_most
from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm, Term, conjunction, negation, write
from synth.trusted.normal_form.decision_trees import ONE, Intractable
from synth.trusted.normal_form.decision_trees import product as multiplied
from synth.trusted.normal_form.output_distribution import OutputLaw, counts, losses, lost, output_law
from synth.trusted.normal_form.pre_expectations import outcomes_of
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import is_made_of
from synth.trusted.program.substitution import mapped, replaced

Pair = tuple[int, int]

MAX_TRIED_LEVELS = 6
"""Levels that the kernel is asked about."""

_MILLISECONDS = 1000


@dataclass(frozen=True)
class Lifted:
    """A proof by the chances of the output: ``epsilon``, in nats, holds with ``delta``.

    ``opaque_definitions`` are the parts of it that are no rational function.  If it is ``retried``, the proof
    is about one round.
    """

    epsilon: Rational
    delta: Rational
    opaque_definitions: Mapping[str, ir.Expression]
    checked: CheckedCertificate
    retried: bool = False


@dataclass(frozen=True)
class _Level:
    """An ε to try, and e^ε, with what their parts mean that are no rational functions."""

    epsilon: ir.Expression
    power: ir.Expression
    opaque_definitions: Mapping[str, ir.Expression]


_FREE = _Level(ZERO_COST, ONE.value, {})


def lifted(attempt: Attempt) -> Lifted | Unknown:
    """The proof with the least ε that is found; of those that miss the claim the first."""
    span = attempt.mechanism.span
    try:
        law = output_law(attempt.mechanism)
        attempt.progress("chances")
        search = _Search(attempt, law)
        results = []
        for level in search.levels():
            found = search.check_level(level)
            if isinstance(found, Lifted) and found.checked.within_claim:
                return found
            results.append(found)
    except (Intractable, Rejected, BadTerm):
        return Unknown(ProverCode.OUTPUT_CHANCES_UNKNOWN(), span)
    proofs = [item for item in results if isinstance(item, Lifted)]
    return next(iter([*proofs, *results]), Unknown(ProverCode.OUTPUT_CHANCES_INCOMPARABLE(), span))


@dataclass(frozen=True)
class _Search:
    """``paid`` are the pairs for which levels are known to be enough, or not."""

    attempt: Attempt
    law: OutputLaw
    paid: dict[tuple[ir.Expression, Pair], bool] = field(default_factory=dict)

    @property
    def mechanism(self) -> ir.Mechanism:
        return self.attempt.mechanism

    @cached_property
    def chances(self) -> list[ir.Expression]:
        return [chance for _, chance in self.law.outcomes]

    @cached_property
    def costs(self) -> dict[Pair, ir.Expression | None]:
        """The pairs of outcomes that may occur, and what each costs; None if nothing is enough."""
        last = len(self.chances)
        found: dict[Pair, ir.Expression | None] = {}
        for i, j in product(range(last), range(last + 1)):
            if i == j:
                found[i, j] = ZERO_COST
            elif self._occurs((i, j)):
                found[i, j] = self._cost((i, j))
        return found

    def _cost(self, pair: Pair) -> ir.Expression | None:
        first, second = pair
        if second == len(self.chances) or rational(self.chances[second]).is_zero():
            return None
        return ZERO_COST if self._is_enough(_FREE, pair) else loss(self.chances[first], self.chances[second])

    @cached_property
    def _shared(self) -> list[ir.Expression]:
        """What the outcomes' conditions say of outputs and public inputs alone: that holds in both runs."""
        known = self._public | {item.name for item in self.law.values}
        return [
            builders.both(*(item for item in builders.conjuncts(condition) if is_made_of(item, known)))
            for condition, _ in self.law.outcomes
        ]

    def _occurs(self, pair: Pair) -> bool:
        """Whether some adjacent inputs are not seen to be without an output of these two outcomes."""
        if pair[1] < len(self.chances) and exclude(self._shared[pair[0]], self._shared[pair[1]]):
            return False
        proof, (state, outcomes) = self._proof
        right = [item.here[1] for item in outcomes]
        none = conjunction([negation(item) for item in right])
        here = outcomes[pair[0]].here[0], right[pair[1]] if pair[1] < len(right) else none
        says = Code.PAIR_OCCURS(first=pair[0], second=pair[1])
        proof.require(proof.certificate.derivation, state, says, negation(conjunction(here)))
        return not self._shown()

    @cached_property
    def _proof(self) -> tuple[Proof, tuple[State, list[Outcome]]]:
        certificate = parse(self._written(NO_CLAIM, ("0.0", "0.0"), {}))
        proof = begin(self.mechanism, certificate)
        found = outcomes_in(proof, certificate.derivation, self.law)
        proof.conditions.clear()
        return proof, found

    # --- levels -----------------------------------------------------------------------------

    def levels(self) -> Iterator[_Level]:
        """The costs that occur, lowest first, and the claim; without a delta what is enough for all."""
        found = dict.fromkeys([ZERO_COST, *(item for item in self.costs.values() if item is not None)])
        known = sorted(map(self._level, found), key=lambda level: len(self._free(level)))
        claim = None if self.mechanism.epsilon is None else self._level(self.mechanism.epsilon)
        if is_zero(self.mechanism.delta):
            known = [level for level in known if not self._excess_pairs(level)][:1]
        elif claim is not None:
            known = [level for level in known if self._free(level) <= self._free(claim)]
        yield from known[:MAX_TRIED_LEVELS]
        if claim is not None and claim not in known:
            yield claim

    def _level(self, epsilon: ir.Expression) -> _Level:
        if epsilon == ZERO_COST:
            return _FREE
        power: ir.Expression
        if is_logarithm(epsilon):
            (power,) = ir.children(epsilon)
        else:
            power = ir.Operation(
                ir.Operator.EXPONENTIAL, (builders.convert(epsilon, ir.Sort.REAL),), ir.Sort.REAL
            )
        opaque_definitions = {**opaque_parts(epsilon), **opaque_parts(power)}
        return _Level(epsilon, power, opaque_definitions)

    def _free(self, level: _Level) -> frozenset[Pair]:
        """The pairs for which a level is enough."""
        return frozenset(
            pair
            for pair, cost in self.costs.items()
            if cost is not None and (cost in (ZERO_COST, level.epsilon) or self._is_enough(level, pair))
        )

    def _is_enough(self, level: _Level, pair: Pair) -> bool:
        if (level.epsilon, pair) not in self.paid:
            first, second = (self._proof[1][1][place] for place in pair)
            self.paid[level.epsilon, pair] = self._asked(
                lambda: paid(first, second, self._public_term(rational(level.epsilon), level))
            )
        return self.paid[level.epsilon, pair]

    def _asked(self, made: Callable[[], tuple[Term, Sequence[Term]]]) -> bool:
        """Whether a goal over public inputs follows from premises, by the kernel's arithmetic."""
        proof, _ = self._proof
        node = proof.certificate.derivation
        try:
            goal, known = made()
            proof.require_public(node, Code.BOUND_ABOVE_CLAIM(), goal, *known)
        except (Rejected, BadTerm):
            return False
        return self._shown()

    def _public_term(self, number: Rational, level: _Level) -> Term:
        proof, _ = self._proof
        return proof.public_number(proof.certificate.derivation, self._term(number, level))

    def _term(self, number: Rational, level: _Level) -> Term:
        return ProgramTerms(self.mechanism).rational(number, {**self._meant, **level.opaque_definitions})

    def _shown(self) -> bool:
        """Whether what was asked for holds: the one side condition, if there is one."""
        proof, _ = self._proof
        if not proof.conditions:
            return True
        _, condition = proof.conditions.pop()
        try:
            asked("z3")
            return holds(script(condition), "z3", _MILLISECONDS)
        except (GaveUp, BadTerm):
            return False

    def _excess_pairs(self, level: _Level) -> frozenset[Pair]:
        return frozenset(self.costs) - self._free(level)

    # --- proofs -----------------------------------------------------------------------------

    def check_level(self, level: _Level) -> Lifted | Unknown:
        """What the kernel says of a proof at a level.  Raises Intractable."""
        free, gone = self._free(level), self._excess_pairs(level)
        reached, delta = self._delta(level, gone)
        total = rational(level.epsilon)
        bounds = self._term(total, level), self._term(delta, level)
        pairs: dict[str, Json] = {
            "free": [list(pair) for pair in sorted(free)],
            "lost": [list(pair) for pair in sorted(gone)],
            "reached": [[place, *map(write, most)] for place, most in reached.items()],
        }
        found = check_within_claim(
            self.mechanism,
            (total, level.opaque_definitions),
            self.attempt.facts,
            lambda claim: [self._written(claim, bounds, pairs)],
            self.attempt.verdict_of,
        )
        if isinstance(found, Unknown):
            return found
        return Lifted(total, delta, level.opaque_definitions, found)

    def _excess(self, level: _Level, pair: Pair) -> ir.Expression:
        """By how much run 1's chance is larger than e^ε times run 2's."""
        first, second = pair
        if second == len(self.chances):
            return self.chances[first]
        return builders.subtract(self.chances[first], multiplied(level.power, self.chances[second]))

    def _delta(self, level: _Level, gone: frozenset[Pair]) -> tuple[dict[int, tuple[Term, ...]], Rational]:
        """The sums that the claimed delta is enough for, with bounds of their counts, and what they need.

        Raises Intractable.
        """
        claim = self.mechanism.delta
        if claim is None or not gone:
            return {}, Rational.number(0)
        values = {lost(pair): self._excess(level, pair) for pair in gone}
        allowed = rational(claim)
        reached: dict[int, tuple[Term, ...]] = {}
        needed: set[Rational] = set()
        for place, (_, value) in enumerate(outcomes_of(losses(self.law, self.mechanism, gone).tree)):
            for most in self._bounds(counts(value)):
                known = dict(zip(counts(value), most, strict=True))
                total = rational(replaced(mapped(value, known.get), values))
                if place not in reached and self._is_at_most(total, allowed, level):
                    reached[place] = tuple(map(ProgramTerms(self.mechanism).public, most))
                    needed.add(total)
        return reached, needed.pop() if len(needed) == 1 else allowed

    def _is_at_most(self, low: Rational, high: Rational, level: _Level) -> bool:
        return self._asked(
            lambda: (at_most(self._public_term(low, level), self._public_term(high, level)), ())
        )

    def _bounds(self, numbers: Sequence[ir.Expression]) -> Iterator[tuple[ir.Expression, ...]]:
        """Bounds to try for how many values lose alike: a stated distance, or themselves."""
        if all(is_made_of(number, self._public) for number in numbers):
            yield tuple(numbers)
        for item in self.mechanism.parameters:
            if numbers and item.metric is not None and item.metric.bound is not None:
                yield (item.metric.bound,) * len(numbers)

    @cached_property
    def _public(self) -> frozenset[str]:
        return frozenset(public_names(self.mechanism))

    @cached_property
    def _meant(self) -> dict[str, ir.Expression]:
        """What the parts of chances, and of the claimed delta, mean that are no rational functions."""
        delta = [] if self.mechanism.delta is None else [self.mechanism.delta]
        return {name: item for whole in (*self.chances, *delta) for name, item in opaque_parts(whole).items()}

    def _written(self, claim: Claim, bounds: tuple[Term, Term], pairs: Mapping[str, Json]) -> str:
        rewriting, safety = self.attempt.rewriting, self.attempt.safety
        return lifting_text(self.mechanism, rewriting, claim, bounds, pairs, safety)
