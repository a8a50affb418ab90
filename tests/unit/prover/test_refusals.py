"""What the search refuses for reasons that programs seldom reach: forged strategies and accounts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from pysmt.environment import pop_env, push_env
from pysmt.typing import REAL

from synth.prover import invariant_proof
from synth.prover.acceptance import Unknown
from synth.prover.attempt import Attempt
from synth.prover.bounded_proof import BoundedProof
from synth.prover.certificate.formulas import Inexpressible
from synth.prover.codes import Code
from synth.prover.costs.accounting import Account, Accounting
from synth.prover.costs.accounting_plans import GaussianUses
from synth.prover.costs.cases import Share
from synth.prover.costs.costs import Costs
from synth.prover.coupling_proof import CouplingSearch
from synth.prover.horn.horn import HornSystem
from synth.prover.horn.solvers import GaveUp
from synth.prover.invariant_proof import InvariantProof
from synth.prover.lifting_proof import lifted
from synth.prover.normal_form.pipeline import canonical
from synth.prover.normal_form.recording import Rewriting
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.single_run import discharge
from synth.prover.problem import MAX_DRAWS, Problem
from synth.prover.product.clause_builder import Unsupported
from synth.prover.product.product import Product
from synth.prover.product.strategy import Case, Condition, GuardPredicate, Interval, Shift, Strategy
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.kernel.check import check
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.symbols import Cost, Event, Kind
from tests.support.proving import from_text

HEAD = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
ONE = ir.Constant(Fraction(1), ir.Sort.REAL)
UNIT = (Fraction(1), ONE)
PRIVATE, LATER = (ir.Variable(name, ir.Sort.INT) for name in ("x", "later"))
RELEASE = canonical(
    from_text(
        HEAD
        + """def f(x: int, n: int, eps: float) -> int:
    y = laplace(x, 1 / eps)
    later = y + n
    return later"""
    )
)
LOOP = canonical(
    from_text(
        HEAD
        + """def f(x: int, n: int, eps: float) -> int:
    s = 0
    for i in range(n):
        s = s + laplace(x, 1 / eps)
    return s"""
    )
)


@pytest.fixture(autouse=True)
def _own_terms() -> Iterator[None]:
    push_env()
    yield
    pop_env()


def refused(
    *cases: Case,
    accounts: dict[tuple[int, int | Share], Account] | None = None,
    against: dict[Cost, str] | None = None,
    mechanism: ir.Mechanism = RELEASE,
    observed: bool = True,
) -> Code:
    """Why there are no clauses for a program with one draw, coupled like that."""
    accounting = Accounting(accounts or {}, {}, {Cost(0): REAL}, against or {})
    branches = frozenset(Analysis(mechanism).branches if observed else ())
    strategy = Strategy(branches, {0: cases})
    with pytest.raises(Unsupported) as raised:
        Product(mechanism, Analysis(mechanism), strategy, load_templates(), accounting).system()
    assert isinstance(raised.value.why.code, Code)
    return raised.value.why.code


def test_a_guard_is_the_same_in_both_runs() -> None:
    asked = Condition(GuardPredicate(Event(Kind.RETURN, "", 0), PRIVATE), 0)
    cases = [Case((asked,), Shift(), None), Case((), Shift(null=True), None)]
    assert refused(*cases) is Code.GUARD_DIFFERS


def test_a_coupling_speaks_of_what_has_a_value() -> None:
    case = Case((), Shift(differences=((1, LATER),)), UNIT)
    assert refused(case, accounts={(0, 0): Account(Cost(0), 1)}) is Code.COUPLED_BEFORE_ASSIGNED


@pytest.mark.parametrize(
    ("expression", "code"),
    [(LATER, Code.BUDGET_TOO_LATE), (PRIVATE, Code.BUDGET_DIFFERS)],
    ids=["budget-too-late", "budget-differs"],
)
def test_what_is_spent_is_known_and_alike(expression: ir.Expression, code: Code) -> None:
    account = Account(Cost(0), (Fraction(1), expression))
    assert refused(Case((), Shift(), UNIT), accounts={(0, 0): account}) is code


def test_no_block_is_left_where_the_runs_part() -> None:
    """The canonical form has no such exits."""
    text = """
def clipped(v: int) -> int:
    if v > 1:
        return 1
    return v


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: int, eps: float) -> int:
    k = 0
    if x > 0:
        k = clipped(x)
    return laplace(k, 1 / eps)"""
    case = Case((), Shift(), None)
    assert refused(case, mechanism=from_text(text), observed=False) is Code.EXIT_WHERE_RUNS_PART


def test_a_budget_is_kept_in_every_loop() -> None:
    account = Account(Cost(0), (Fraction(1), ONE))
    case = Case((), Shift(), UNIT)
    assert (
        refused(case, accounts={(0, 0): account}, against={Cost(0): "later"}, mechanism=LOOP)
        is Code.BUDGET_NOT_KEPT
    )


@pytest.mark.parametrize(
    ("bound", "code"),
    [(None, Code.INTERVALS_UNBOUNDED), (UNIT, Code.INTERVAL_NOT_COUNTED)],
    ids=["intervals-unbounded", "interval-not-counted"],
)
def test_an_interval_has_a_bound_and_an_account(
    bound: tuple[Fraction, ir.Expression] | None, code: Code
) -> None:
    interval = Interval(ir.Constant(0, ir.Sort.INT), ir.Constant(9, ir.Sort.INT), ONE)
    mechanism = RELEASE
    strategy = Strategy(
        frozenset(), {0: (Case((), interval, bound),)}, contraction={0: UNIT} if bound else {}
    )
    with pytest.raises(Unsupported) as raised:
        Product(mechanism, Analysis(mechanism), strategy, load_templates(), Accounting({}, {}, {})).system()
    assert raised.value.why.code is code


def attempt(mechanism: ir.Mechanism) -> Attempt:
    """What the search for a proof of a mechanism begins with."""
    return Attempt(
        mechanism,
        Rewriting(mechanism, mechanism),
        load_templates(),
        PublicFacts(mechanism.requires),
        discharge(mechanism),
        check,
        lambda stage, bound=None: None,
    )


def code_of(found: object) -> object:
    assert isinstance(found, Unknown)
    return found.why.code


def test_intervals_of_one_draw_are_alike() -> None:
    ends = ir.Constant(0, ir.Sort.INT), ir.Constant(9, ir.Sort.INT)
    gaps = (ONE, ir.Constant(Fraction(2), ir.Sort.REAL))
    strategy = Strategy(frozenset(), {0: tuple(Case((), Interval(*ends, gap), UNIT) for gap in gaps)})
    with pytest.raises(Unsupported) as raised:
        BoundedProof(attempt(RELEASE))._rate((0, Share.CONTRACTION), strategy)
    assert raised.value.why.code is Code.INTERVALS_UNLIKE


def test_noise_that_is_never_inside_is_no_test() -> None:
    given = attempt(RELEASE)
    found, reference = CouplingSearch(given), given.admissible[0]
    assert code_of(found._with_truncated_tails([], reference, {})) is Code.NOISE_NEVER_INSIDE


def test_tails_are_not_given_up_beside_gaussian_noise() -> None:
    mechanism = canonical(
        from_text(
            '@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=0.001)\n'
            "def f(x: int) -> int:\n    y = gaussian(x, 4)\n    return y"
        )
    )
    found = BoundedProof(attempt(mechanism))
    strategy = Strategy(frozenset(), {0: (Case((), Shift(), UNIT),)})
    uses = GaussianUses((), [(0, 0)])
    costs: Costs = None  # type: ignore[assignment]
    assert code_of(found._lossy(strategy, costs, [], [(0, Share.TAIL)], uses)) is Code.TAILS_BESIDE_GAUSSIAN


def test_a_solver_that_gives_up_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(system: HornSystem, milliseconds: int) -> None:
        raise GaveUp("out of steps")

    monkeypatch.setattr(invariant_proof, "solve_horn", gives_up)
    assert code_of(prove(RELEASE, load_templates())) is Code.SOLVER_GAVE_UP


@pytest.mark.parametrize(("mechanism", "line"), [(RELEASE, 3), (LOOP, 4)], ids=["the draw", "its loop"])
def test_where_no_invariant_is_found_the_first_draw_that_pays_is_blamed(
    monkeypatch: pytest.MonkeyPatch, mechanism: ir.Mechanism, line: int
) -> None:
    def gives_up(system: HornSystem, milliseconds: int) -> None:
        raise GaveUp("out of steps")

    monkeypatch.setattr(invariant_proof, "solve_horn", gives_up)
    found = prove(mechanism, load_templates())
    assert isinstance(found, Unknown)
    assert found.span is not None and found.span.line - mechanism.span.line == line - 2
    assert any("at a cost of" in hint for hint in found.hints)


def test_a_price_without_a_sign_is_that_of_a_draw() -> None:
    mechanism = canonical(
        from_text(
            '@mechanism(adjacent={"x": absolute_distance(1)})\n'
            "def f(x: int, b: float) -> int:\n"
            "    y = 0\n"
            "    if b > 0:\n"
            "        y = laplace(x, b)\n"
            "    return y"
        )
    )
    found = prove(mechanism, load_templates())
    assert isinstance(found, Unknown) and found.why.code is Code.PRICE_NEGATIVE
    assert found.span is not None and found.span.line - mechanism.span.line == 3


def test_what_has_no_words_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    def wordless(*arguments: object) -> str:
        raise Inexpressible("a formula")

    monkeypatch.setattr(invariant_proof, "certificate_text", wordless)
    assert code_of(prove(RELEASE, load_templates())) is Code.NOT_CERTIFIABLE


def test_chances_that_no_bound_compares() -> None:
    """What can't be drawn in one run can be in the other."""
    mechanism = canonical(
        from_text(
            '@mechanism(adjacent={"x": absolute_distance(1)}, requires="0 < p and p < 1")\n'
            "def f(x: int, p: float) -> bool:\n    return bernoulli(p if x > 0 else 0)"
        )
    )
    assert code_of(lifted(attempt(mechanism))) is Code.OUTPUT_CHANCES_INCOMPARABLE


def test_without_a_plan_there_is_no_bound() -> None:
    strategy = Strategy(frozenset(), {0: (Case((), Shift(), UNIT),)})
    assert code_of(InvariantProof(attempt(RELEASE)).solve(strategy, iter(()))) is Code.NO_BOUND


def test_a_shift_without_a_unit_has_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Costs, "_fits", lambda costs, case: [])
    assert code_of(prove(RELEASE, load_templates())) is Code.SHIFT_UNBOUNDED


def test_a_part_that_costs_more_than_the_claim_is_told() -> None:
    found = prove(RELEASE, load_templates())
    assert isinstance(found, Proved)
    claimed = replace(RELEASE, epsilon=ir.Constant(Fraction(0), ir.Sort.REAL))
    given = attempt(claimed)
    whole = Problem(
        claimed, given.rewriting, given.templates, given.facts, given.safety, given.progress, check
    )
    assert code_of(whole.missed_by_part(found.parts[0])) is Code.PART_MISSES_CLAIM


def test_no_core_program() -> None:
    mechanism = replace(from_text(f"{HEAD}def f(x: int, eps: float) -> int:\n    return 0"), name="g")
    assert code_of(prove(mechanism, load_templates())) is Code.NO_CORE_PROGRAM


def test_more_draws_than_the_search_is_made_for() -> None:
    draws = "    s = s + laplace(x, 1 / eps)\n" * (MAX_DRAWS + 1)
    mechanism = from_text(f"{HEAD}def f(x: int, eps: float) -> int:\n    s = 0\n{draws}    return s")
    assert code_of(prove(mechanism, load_templates())) is Code.TOO_MANY_DRAWS
