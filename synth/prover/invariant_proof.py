"""The proof of a strategy by invariants: plans of costs, until the kernel accepts a certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice

from synth.bounds.rational import Rational
from synth.bounds.scales import rational
from synth.prover.acceptance import (
    CheckedCertificate,
    Unknown,
    check_squares,
    check_within_claim,
)
from synth.prover.attempt import Attempt
from synth.prover.certificate.formulas import Inexpressible
from synth.prover.certificate.writing import certificate_text
from synth.prover.codes import Code
from synth.prover.costs.accounting import Accounting
from synth.prover.costs.accounting_plans import (
    Noise,
    Plan,
)
from synth.prover.costs.indexed_prices import aware
from synth.prover.horn.horn import HornSystem
from synth.prover.horn.solvers import GaveUp, Solution, solve_horn
from synth.prover.horn.terms import TRUE, all_of
from synth.prover.obstacles import unshown
from synth.prover.product.folds import Fold, folds
from synth.prover.product.product import Product
from synth.prover.product.strategy import Strategy
from synth.prover.search.centre_distances import centre_distances
from synth.prover.search.entry_differences import given_differences
from synth.prover.search.invariant_shrinking import shrunk
from synth.prover.search.outer_invariants import given_invariants
from synth.prover.search.usual_facts import facts_of_rounds, kept_facts, knowing
from synth.prover.testing.valuations import Valuation
from synth.trusted.frontend.claim import Claim
from synth.trusted.program import syntax as ir

HORN_MILLISECONDS = 5000
FEW_SUMS = 2
"""What a loop may add up without need of a summary."""

MORE_PLANS = 2
"""That meet the claim, after one that is proved and doesn't."""

_NO_SQUARE = Rational.number(0)


@dataclass(frozen=True)
class Derived:
    """A coupling proof: the least bound found, and the strategy.

    ``epsilon`` is in nats, and holds with ``delta``; ``opaque_definitions`` are the parts of it that are no
    rational function, ``noise`` what real Gaussian noise comes to.  It is the ``cheapest`` if no strategy
    that the tests leave costs less on their largest inputs.  If it is ``retried``, the proof is about
    one round.
    """

    epsilon: Rational
    delta: Rational
    strategy: Strategy
    opaque_definitions: Mapping[str, ir.Expression]
    noise: Noise | None
    checked: CheckedCertificate
    cheapest: bool = False
    retried: bool = False


def lowest(attempt: Attempt, bounds: Sequence[Derived], reference: Valuation) -> Derived | None:
    """The bound that is the least at a valuation."""

    def cost(bound: Derived) -> float:
        return attempt.cost_at(bound.epsilon, bound.opaque_definitions, reference)

    return min(bounds, key=cost, default=None)


@dataclass(frozen=True)
class InvariantProof:
    """The search for invariants of one mechanism."""

    attempt: Attempt

    def solve(
        self, strategy: Strategy, plans: Iterator[Plan], facts: tuple[ir.Expression, ...] = ()
    ) -> Derived | Unknown:
        unknown = Unknown(Code.NO_BOUND(), self.attempt.mechanism.span)
        sound = False
        priced = (aware(item, self.attempt.prices) for item in plans)
        for number, plan in enumerate(priced):
            if number == 0:
                unknown = replace(unknown, span=self._place(plan))
            self.attempt.progress("invariants")
            found = self._with_plan(strategy, plan, facts)
            if isinstance(found, Derived):
                return found if meets_claim(found) else self._claimed(strategy, priced, facts) or found
            if found is None and not sound:
                try:
                    sound = self._sound(strategy, plan.accounting, facts)
                except GaveUp as error:
                    found = self._gave_up(error, plan)
                else:
                    if not sound:
                        free = self._free(strategy, plan.accounting, facts)
                        why = Code.NO_STRATEGY_FOR_ALL()
                        return Unknown(why, self.attempt.mechanism.span, locate=partial(unshown, free))
            if found is not None:
                unknown = unknown if gave_up(unknown) and gave_up(found) else found
                if self.attempt.weary:
                    return unknown
        return unknown

    def _claimed(
        self, strategy: Strategy, plans: Iterator[Plan], facts: tuple[ir.Expression, ...]
    ) -> Derived | None:
        """The proof with bounds that meet the claim, where those that tests liked better don't.

        Tests can't tell bounds apart that are equal at small parameters.
        """
        if self.attempt.mechanism.epsilon is None:
            return None
        claim = rational(self.attempt.mechanism.epsilon)
        opaque = strategy.opaque_definitions()
        wanted = (
            plan
            for plan in plans
            if self.attempt.facts.at_most(
                plan.total, claim, {**plan.accounting.opaque_definitions(), **opaque}
            )
        )
        results = (self._with_plan(strategy, plan, facts) for plan in islice(wanted, MORE_PLANS))
        return next((item for item in results if isinstance(item, Derived) and meets_claim(item)), None)

    def _with_plan(
        self, strategy: Strategy, plan: Plan, facts: tuple[ir.Expression, ...]
    ) -> Derived | Unknown | None:
        """The proof with these bounds on the costs; None if they are too low."""
        unknown: Unknown | None = None
        too_low = False
        for product in self._products(strategy, plan.accounting, facts):
            system = product.system()
            try:
                solution = _solved(product, plan.accounting, system)
            except GaveUp as error:
                unknown = unknown or self._gave_up(error, plan)
                continue
            if solution is None:
                too_low = too_low or not product.apart
                continue
            self.attempt.progress("check")
            checked = self._check_certificate(product, plan, system, solution)
            if isinstance(checked, Derived):
                return checked
            unknown = checked
        return None if too_low else unknown

    def _gave_up(self, error: GaveUp, plan: Plan) -> Unknown:
        self.attempt.timeouts.append(str(error))
        likely = f"on small inputs two runs come to the same at a cost of {plan.total}; that is no proof"
        return Unknown(Code.SOLVER_GAVE_UP(problem=str(error)), self._place(plan), hints=(likely,))

    def _place(self, plan: Plan) -> ir.Span:
        """Where what costs something begins."""
        return self.attempt.loop_around(self.attempt.first_draw(site for site, _ in plan.accounting.accounts))

    def _check_certificate(
        self, product: Product, plan: Plan, system: HornSystem, solution: Solution
    ) -> Derived | Unknown:
        """The proof, if the kernel accepts its certificate, which has short invariants if possible."""
        short = shrunk(system, solution)

        rewriting, safety = self.attempt.rewriting, self.attempt.safety

        def write_documents(claim: Claim) -> Iterator[str]:
            yield certificate_text(product, rewriting, plan, claim, short, safety)
            if short != solution:
                yield certificate_text(product, rewriting, plan, claim, solution, safety)

        opaque_definitions = {
            **plan.accounting.opaque_definitions(),
            **product.strategy.opaque_definitions(),
        }
        try:
            if self.attempt.notion is not None and not self.attempt.part:
                square = _NO_SQUARE if plan.noise is None else plan.noise.square
                found = check_squares(
                    self.attempt.mechanism,
                    self.attempt.notion,
                    square,
                    write_documents,
                    self.attempt.verdict_of,
                )
            else:
                found = check_within_claim(
                    self.attempt.mechanism,
                    (plan.total, opaque_definitions),
                    self.attempt.facts,
                    write_documents,
                    self.attempt.verdict_of,
                )
        except Inexpressible as error:
            return Unknown(Code.NOT_CERTIFIABLE(what=str(error)), self.attempt.mechanism.span)
        if isinstance(found, Unknown):
            return found
        return Derived(plan.total, plan.delta, product.strategy, opaque_definitions, plan.noise, found)

    def _products(
        self, strategy: Strategy, accounting: Accounting, facts: tuple[ir.Expression, ...]
    ) -> Iterator[Product]:
        """The product, with and without summaries of loops that add up: first what is likely to be solved.

        Then, of centres that take cases to compute, with the distance alone.
        """
        plain = Product(
            self.attempt.mechanism,
            self.attempt.analysis,
            strategy,
            self.attempt.templates,
            accounting,
            facts,
            self.attempt.ratios,
        )
        summarized = replace(plain, folds=self._folds)
        ways = [plain, *([summarized] if summarized.summed else [])]
        distant = replace(ways[-1], apart=centre_distances(strategy))
        first, *others = reversed(ways) if self._needs_summaries else ways
        yield first
        if distant.distant:
            yield distant
        yield from others

    @cached_property
    def _folds(self) -> Mapping[int, Fold]:
        return folds(self.attempt.analysis)

    @cached_property
    def _needs_summaries(self) -> bool:
        """Whether loops that add up are inside of others, or add up much: that is hard for solvers."""
        loops = [item for item in ir.statements(self.attempt.mechanism.body) if isinstance(item, ir.Loop)]
        inner = {
            item.loop for loop in loops for item in ir.statements(loop.body) if isinstance(item, ir.Loop)
        }
        return any(number in inner or len(fold.increments) > FEW_SUMS for number, fold in self._folds.items())

    def _sound(self, strategy: Strategy, accounting: Accounting, facts: tuple[ir.Expression, ...]) -> bool:
        """Whether the coupling holds at all, whatever it costs."""
        free = self._free(strategy, accounting, facts)
        return solve_horn(free.system(), HORN_MILLISECONDS) is not None

    def _free(self, strategy: Strategy, accounting: Accounting, facts: tuple[ir.Expression, ...]) -> Product:
        """The product of a coupling that may cost whatever it does."""
        return next(self._products(strategy, replace(accounting, bounds={}), facts))


def _solved(product: Product, accounting: Accounting, system: HornSystem) -> Solution | None:
    """Invariants, if there are any; with those of the outer loops given if possible.  Raises GaveUp."""
    facts = kept_facts(product, system)
    return (
        _solved_with(system, given_invariants(product, accounting))
        or (_solved_with(system, given_differences(system)) if product.summed else None)
        or (_solved_knowing(system, facts) if facts else _solved_alone(product, system))
    )


def _solved_alone(product: Product, system: HornSystem) -> Solution | None:
    """Invariants; where none are found, with facts about rounds that one of them pays.  Raises GaveUp."""
    try:
        return solve_horn(system, HORN_MILLISECONDS)
    except GaveUp:
        facts = facts_of_rounds(product, system)
        if not facts:
            raise
        return _solved_knowing(system, facts)


def _solved_with(system: HornSystem, given: Solution) -> Solution | None:
    """A solution in which some predicates are given; None if there is none."""
    if not given:
        return None
    try:
        rest = solve_horn(system.under(given), HORN_MILLISECONDS)
    except GaveUp:
        return None
    return None if rest is None else {**rest, **given}


def _solved_knowing(system: HornSystem, facts: Solution) -> Solution | None:
    """A solution that extends facts which hold by themselves; None if there is none.  Raises GaveUp."""
    rest = solve_horn(knowing(system, facts), HORN_MILLISECONDS)
    if rest is None:
        return None
    return {name: all_of((facts.get(name, TRUE()), found)) for name, found in rest.items()}


def gave_up(result: Unknown) -> bool:
    """Whether solvers didn't find an invariant in their number of steps."""
    return result.why.code is Code.SOLVER_GAVE_UP


def meets_claim(result: Derived | Unknown) -> bool:
    return isinstance(result, Derived) and result.checked.within_claim
