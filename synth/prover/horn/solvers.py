"""The solvers behind one small interface: validity with cvc5 or z3, invariants with Spacer."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import z3
from pysmt.environment import get_env
from pysmt.exceptions import ConvertExpressionError
from pysmt.fnode import FNode
from pysmt.logics import QF_LIRA, Logic
from pysmt.solvers.z3 import Z3Converter
from pysmt.typing import BOOL

from synth.prover.horn.horn import Application, Clause, HornSystem
from synth.prover.horn.sessions import opened
from synth.prover.horn.terms import FALSE, TRUE, all_of, free_symbols, implies, negate, sort_of
from synth.support.collection import no_collection
from synth.support.statistics import asked

warnings.filterwarnings("ignore", category=UserWarning, module="pysmt")


class GaveUp(Exception):
    """A solver neither proved nor refuted what it was asked."""


class _Converter(Z3Converter):  # type: ignore[misc]
    """Also reads integer division, rounded as SMT-LIB does it, and the remainder: a - n * (a div n)."""

    def __init__(self) -> None:
        """In a context of its own: what z3 solved before must not change what it finds."""
        super().__init__(get_env(), z3.Context())
        self._back_fun[z3.Z3_OP_IDIV] = lambda args, expr: self.mgr.Div(*args)
        self._back_fun[z3.Z3_OP_MOD] = lambda args, expr: self._remainder(*args)

    def _remainder(self, dividend: FNode, divisor: FNode) -> FNode:
        whole = self.mgr.Times(divisor, self.mgr.Div(dividend, divisor))
        return self.mgr.Minus(dividend, whole)


@dataclass(frozen=True)
class Refuted:
    """Values that make a formula false."""

    values: dict[str, str]


def counterexample(
    formula: FNode, solver: str = "cvc5", logic: Logic = QF_LIRA, milliseconds: int = 20000
) -> Refuted | None:
    """None when the formula is valid, else values that falsify it.

    Raises GaveUp when the solver neither proves nor refutes it in the time.
    """
    if formula.is_true():
        return None
    asked(solver)
    options = {"tlimit-per": str(milliseconds)} if solver == "cvc5" else _limits(milliseconds)
    with opened(solver, logic, options) as chosen:
        chosen.add_assertion(negate(formula))
        try:
            if not chosen.solve():
                return None
            model = chosen.get_model()
        except Exception as error:
            raise GaveUp(f"{solver} gave up: {error}") from error
        return Refuted({str(item): str(model.get_value(item)) for item in free_symbols([formula])})


Solution = dict[str, FNode]


def solve_horn(system: HornSystem, milliseconds: int) -> Solution | None:
    """Formulas for the predicates, by Spacer; None when the system has no solution.

    The formulas are a proposal, to be checked clause by clause.  Raises GaveUp.

    Where Spacer does not come back soon, it has mostly lost its way, and from another seed it finds
    a solution at once; so the time is split over a few seeds.
    """
    try:
        for seed, share in enumerate(_SHARES[:-1]):
            try:
                return _spacer(system, milliseconds * share // 100, seed)
            except GaveUp:
                continue
        return _spacer(system, milliseconds * _SHARES[-1] // 100, len(_SHARES))
    except z3.Z3Exception:
        # Spacer refuses systems with a goal that holds by itself.
        clauses = tuple(clause for clause in system.clauses if not _holds_alone(clause))
        if len(clauses) == len(system.clauses):
            raise GaveUp("Spacer refuses the clauses") from None
        return solve_horn(HornSystem(system.predicates, clauses), milliseconds)


def _holds_alone(clause: Clause) -> bool:
    if isinstance(clause.conclusion, Application):
        return False
    formula = implies(all_of(clause.assumptions), clause.conclusion)
    return counterexample(formula, "z3", milliseconds=2000) is None


STEPS_PER_MILLISECOND = 2500
"""z3's resource units in a millisecond, on an idle core.

Time is counted in them, so that what is found does not depend on the load of the machine.
"""

_PATIENCE = 20
"""How many times as long z3 may take by the clock: more than a busy machine is slower than an idle one."""


def _limits(milliseconds: int) -> dict[str, int]:
    """What z3 is told of the time that it has on an idle core."""
    return {"rlimit": milliseconds * STEPS_PER_MILLISECOND, "timeout": _PATIENCE * milliseconds}


_SHARES = (12, 12, 16, 20, 40)
"""Per cent of the time for each seed."""


def _spacer(system: HornSystem, milliseconds: int, seed: int) -> Solution | None:
    if all(isinstance(clause.conclusion, Application) for clause in system.clauses):
        return {predicate.name: TRUE() for predicate in system.predicates}
    with no_collection():  # when it runs depends on all else in the process, and z3 sees it
        return _solved(system, milliseconds, seed)


def _solved(system: HornSystem, milliseconds: int, seed: int) -> Solution | None:
    asked("spacer")
    converter = _Converter()
    context = converter.ctx
    functions = {
        predicate.name: z3.Function(
            predicate.name,
            *(_z3_sort(converter, formal) for formal in predicate.formals),
            z3.BoolSort(context),
        )
        for predicate in system.predicates
    }
    solver = z3.SolverFor("HORN", ctx=context)
    for name, limit in _limits(milliseconds).items():
        solver.set(name, limit)
    solver.set("fp.xform.inline_eager", False)
    solver.set("fp.spacer.random_seed", seed)
    solver.set("fp.spacer.order_children", seed % 3)
    for clause in system.clauses:
        solver.add(_z3_clause(converter, functions, system, clause))
    answer = solver.check()
    if answer == z3.unsat:
        return None
    if answer != z3.sat:
        raise GaveUp(f"Spacer gave up: {solver.reason_unknown()}")
    return _read_solution(converter, functions, system, solver.model())


def _z3_sort(converter: Z3Converter, formal: FNode) -> z3.SortRef:
    kind = sort_of(formal)
    if kind == BOOL:
        return z3.BoolSort(converter.ctx)
    return z3.IntSort(converter.ctx) if kind.is_int_type() else z3.RealSort(converter.ctx)


def _z3_clause(
    converter: Z3Converter,
    functions: Mapping[str, z3.FuncDeclRef],
    system: HornSystem,
    clause: Clause,
) -> z3.BoolRef:
    def application(item: Application) -> z3.BoolRef:
        arguments = [converter.convert(argument) for argument in item.arguments]
        return functions[item.predicate.name](*arguments)

    premises = [application(item) for item in clause.premises]
    premises += [converter.convert(item) for item in clause.assumptions]
    goal = clause.conclusion
    if isinstance(goal, Application):
        head = application(goal)
    else:
        premises.append(converter.convert(negate(goal)))
        head = z3.BoolVal(False, converter.ctx)
    body = z3.Implies(z3.And([z3.BoolVal(True, converter.ctx), *premises]), head)
    bound = [converter.convert(item) for item in system.symbols(clause)]
    return z3.ForAll(bound, body) if bound else body


def _read_solution(
    converter: Z3Converter,
    functions: Mapping[str, z3.FuncDeclRef],
    system: HornSystem,
    model: z3.ModelRef,
) -> Solution:
    solution: Solution = {}
    for predicate in system.predicates:
        formals = [converter.convert(formal) for formal in predicate.formals]
        meaning = model[functions[predicate.name]]
        if meaning is None:
            solution[predicate.name] = TRUE()
            continue
        value = z3.substitute_vars(meaning.else_value(), *formals)
        solution[predicate.name] = _back(converter, z3.simplify(value))
    return solution


def _back(converter: Z3Converter, value: z3.BoolRef) -> FNode:
    if z3.is_true(value):
        return TRUE()
    if z3.is_false(value):
        return FALSE()
    if z3.is_quantifier(value):
        raise GaveUp("Spacer proposed a quantified invariant")
    try:
        return converter.back(value)
    except ConvertExpressionError:
        raise GaveUp("Spacer proposed an invariant outside of linear arithmetic") from None


def check_solution(system: HornSystem, solution: Solution) -> Sequence[Clause]:
    """The clauses that a proposed solution does not make valid, by cvc5.  Raises GaveUp."""
    return list(failing_clauses(system.clauses, solution))


def failing_clauses(
    clauses: Sequence[Clause], solution: Solution, steps: int | None = None
) -> Iterator[Clause]:
    """Yield the clauses that a proposed solution does not make valid, by cvc5.

    Raises GaveUp, with ``steps`` after so many of cvc5's resource units for a clause.
    """
    options = {"tlimit-per": "20000", **({} if steps is None else {"rlimit-per": str(steps)})}
    with opened("cvc5", QF_LIRA, options) as solver:
        for clause in clauses:
            formula = clause.formula(solution)
            if formula.is_true():
                continue
            asked("cvc5")
            solver.push()
            solver.add_assertion(negate(formula))
            try:
                wrong = solver.solve()
            except Exception as error:
                raise GaveUp(f"cvc5 gave up: {error}") from error
            if wrong:
                yield clause
            solver.pop()
