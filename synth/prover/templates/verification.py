"""Soundness of templates, decided by a solver before anything relies on them.

Why the conditions suffice: the map v -> v + k, with k fixed before the draw, is injective and
keeps measure.  The density depends on v - center only, so its normalizing constant is the same
for both centres and cancels.  If moreover the support is carried into the support, and the log
density drops by at most ``distance / scale`` along the map, then the two draws are related by the
(distance / scale, 0)-lifting of ``v2 == v1 + k`` (Barthe et al. 2016, Def. 7 and Props. 8 to 11).

All conditions are formulas for all values, on each sort on which the distribution exists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pysmt.exceptions import PysmtException
from pysmt.shortcuts import Solver
from pysmt.typing import REAL

from synth.prover.horn import terms
from synth.prover.horn.terms import FNode
from synth.prover.templates.formula import Apply, Formula, Name, Number, Tree, replace_names, truth_term
from synth.prover.templates.template import SHIFT, Coupling, Template
from synth.support.statistics import asked
from synth.trusted.program import syntax as ir

DECAY = Fraction(1, 1024)
"""Beyond ``WIDTH`` the log density must fall by this much per unit, in units of 1/scale."""

WIDTH = Fraction(2**20)

_OPTIONS = {"z3": {"timeout": 2000}, "cvc5": {"tlimit-per": "2000"}}  # ms; nonlinear templates only


@dataclass(frozen=True)
class CouplingVerdict:
    """Whether a coupling is sound.

    If not: ``violated`` says which condition fails and ``sort`` on which sort of draws;
    ``counterexample`` maps names of the template to exact values that violate it, and is None
    where the solver gave none.
    """

    coupling: str
    sound: bool
    counterexample: dict[str, str] | None = None
    violated: str | None = None
    sort: ir.Sort | None = None


def verify(template: Template, solver: str = "z3") -> tuple[CouplingVerdict, ...]:
    """A verdict for each coupling of a template; ``solver`` is ``z3`` or ``cvc5``.

    A fault of the distribution itself (a density without finite mass, say) makes all its
    couplings unsound.
    """
    with Solver(name=solver, solver_options=_OPTIONS[solver]) as session:
        general = None if template.lemma else _violation(session, template, _of_distribution(template))
        return tuple(
            _verdict(coupling, general or _violation_of_coupling(session, template, coupling))
            for coupling in template.couplings
        )


# --- conditions -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Condition:
    """``premises`` imply ``conclusion`` for all values; ``shown`` is what to report if not."""

    text: str
    premises: tuple[Tree, ...]
    conclusion: Tree
    shown: Mapping[str, Tree]


@dataclass(frozen=True)
class _Violation:
    text: str
    sort: ir.Sort
    values: dict[str, str] | None


def _of_distribution(template: Template) -> list[_Condition]:
    """That such a distribution exists, and is the same one for all centres."""
    name, scale_name = template.parameters
    v, center, scale, t, u = (Name(item) for item in ("v1", f"{name}1", scale_name, "t", "u"))
    valid = _at(template, template.requirement, v, center)

    def log_density(draw: Tree, middle: Tree) -> Tree:
        return _at(template, template.log_density, draw, middle)

    def support(draw: Tree, middle: Tree) -> Tree:
        return _at(template, template.support, draw, middle)

    def condition(text: str, premises: Sequence[Tree], conclusion: Tree, *shown: Name) -> _Condition:
        return _Condition(text, (valid, *premises), conclusion, {item.name: item for item in shown})

    moved = _plus(v, t), _plus(center, t)
    mirrored = (_plus(center, t), center), (_minus(center, t), center)
    units = [_at_most(_ZERO, t), _at_most(t, _ONE), _at_most(_ZERO, u), _at_most(u, _ONE)]
    drop = _minus(log_density(v, center), log_density(center, center))
    tail = _over(_times(DECAY, _minus(Number(WIDTH), Apply("abs", (_minus(v, center),)))), scale)
    conditions = [
        condition(f"the requirement implies {scale.name} > 0", [], Apply("<", (_ZERO, scale)), scale),
        condition(
            f"the density depends on v - {name} only",
            [_at(template, template.requirement, v, moved[1])],
            _and(
                _equal(log_density(*moved), log_density(v, center)),
                _same(support(*moved), support(v, center)),
            ),
            *(v, center, scale, t),
        ),
        condition(
            "the log density falls off linearly, so that the mass is finite",
            [support(v, center)],
            _at_most(drop, tail),
            *(v, center, scale),
        ),
        condition(
            f"the support reaches from {name} one unit up, or one unit down",
            units,
            Apply("or", (support(_plus(center, t), center), support(_minus(center, u), center))),
            *(center, scale, t, u),
        ),
    ]
    if template.symmetric:
        alike = _and(
            _equal(log_density(*mirrored[0]), log_density(*mirrored[1])),
            _same(support(*mirrored[0]), support(*mirrored[1])),
        )
        text = f"the density is symmetric about {name}, as declared"
        conditions.append(condition(text, [], alike, center, scale, t))
    return conditions


def _of_coupling(template: Template, coupling: Coupling) -> list[_Condition]:
    """That the coupling relates two draws at the cost that it names."""
    name, scale_name = template.parameters
    v1, v2, center1, center2, scale = (
        Name(item) for item in ("v1", "v2", f"{name}1", f"{name}2", scale_name)
    )
    shift = coupling.shift_formula.tree
    image = _plus(v1, shift)
    distance = coupling.in_terms_of_centres(coupling.distance_formula)
    premises = (
        _at(template, template.requirement, v1, center1),
        _at(template, template.requirement, v1, center2),
        coupling.in_terms_of_centres(coupling.requirement_formula),
    )
    supported = _at(template, template.support, v1, center1)
    loss = _minus(
        _at(template, template.log_density, v1, center1),
        _at(template, template.log_density, image, center2),
    )
    shown = {item.name: item for item in (v1, center1, center2)}
    values = {**shown, SHIFT: shift, scale.name: scale}
    relation = coupling.in_terms_of_centres(coupling.relation)
    price = _Condition(
        f"the log density falls by at most distance / {scale.name}",
        (*premises, supported),
        _at_most(loss, _over(distance, scale)),
        values,
    )
    return [
        _Condition(
            "the relation says v2 == v1 + k, and no less or more",
            premises,
            _same(relation, _equal(v2, image)),
            {"v2": v2, **values},
        ),
        _Condition("the distance is at least 0", premises, _at_most(_ZERO, distance), values),
        _Condition(
            "run 2's draw v1 + k is in its support",
            (*premises, supported),
            _at(template, template.support, image, center2),
            values,
        ),
        *([] if template.lemma else [price]),
    ]


_ZERO, _ONE = Number(Fraction(0)), Number(Fraction(1))


def _at(template: Template, formula: Formula, draw: Tree, center: Tree) -> Tree:
    return replace_names(formula.tree, {"v": draw, template.parameters[0]: center})


def _plus(left: Tree, right: Tree) -> Tree:
    return Apply("+", (left, right))


def _minus(left: Tree, right: Tree) -> Tree:
    return Apply("-", (left, right))


def _times(factor: Fraction, tree: Tree) -> Tree:
    return Apply("*", (Number(factor), tree))


def _over(tree: Tree, scale: Tree) -> Tree:
    return Apply("/", (tree, scale))


def _at_most(left: Tree, right: Tree) -> Tree:
    return Apply("<=", (left, right))


def _equal(left: Tree, right: Tree) -> Tree:
    return Apply("==", (left, right))


def _and(left: Tree, right: Tree) -> Tree:
    return Apply("and", (left, right))


def _same(left: Tree, right: Tree) -> Tree:
    return Apply("or", (_and(left, right), Apply("not", (Apply("or", (left, right)),))))


# --- deciding -------------------------------------------------------------------------------


def _verdict(coupling: Coupling, violation: _Violation | None) -> CouplingVerdict:
    if violation is None:
        return CouplingVerdict(coupling.name, True)
    return CouplingVerdict(coupling.name, False, violation.values, violation.text, violation.sort)


def _violation_of_coupling(session: Solver, template: Template, coupling: Coupling) -> _Violation | None:
    if ir.Sort.INT in template.sorts:
        symbols = _symbols(template, ir.Sort.INT)
        if terms.sort_of(coupling.shift_formula.term(symbols)) != terms.SORTS[ir.Sort.INT]:
            return _Violation("k is an integer for integer centres", ir.Sort.INT, None)
    return _violation(session, template, _of_coupling(template, coupling))


def _violation(session: Solver, template: Template, conditions: Sequence[_Condition]) -> _Violation | None:
    """The first condition that fails.  One query for all of them if none does."""
    scale = template.parameters[1]
    for sort in template.sorts:
        symbols = _symbols(template, sort)
        failures = [terms.negate(_term(item, symbols, scale)) for item in conditions]
        if _ask(session, terms.any_of(failures), {}).holds:
            continue
        for condition, failure in zip(conditions, failures, strict=True):
            shown = {name: Formula("", tree).term(symbols, scale) for name, tree in condition.shown.items()}
            answer = _ask(session, failure, shown)
            if not answer.holds:
                return _Violation(condition.text, sort, answer.values)
    return None


def _symbols(template: Template, sort: ir.Sort) -> dict[str, FNode]:
    center, scale = template.parameters
    names = ("v1", "v2", f"{center}1", f"{center}2", SHIFT, "t", "u")
    symbols = {name: terms.symbol(f"{name}.{sort.value}", terms.SORTS[sort]) for name in names}
    return {**symbols, scale: terms.symbol(f"{scale}.scale", REAL)}


def _term(condition: _Condition, symbols: Mapping[str, FNode], scale: str) -> FNode:
    premises = (truth_term(item, symbols, scale) for item in condition.premises)
    return terms.implies(terms.all_of(premises), truth_term(condition.conclusion, symbols, scale))


@dataclass(frozen=True)
class _Answer:
    """Whether a failure is impossible; if not, values for it unless the solver gave up."""

    holds: bool
    values: dict[str, str] | None = None


def _ask(session: Solver, failure: FNode, shown: Mapping[str, FNode]) -> _Answer:
    session.push()
    try:
        session.add_assertion(failure)
        asked(type(session).__name__.removesuffix("Solver").lower())
        if not session.solve():
            return _Answer(True)
        values = {name: session.get_value(term) for name, term in shown.items()}
        return _Answer(False, {name: str(value.constant_value()) for name, value in values.items()})
    except PysmtException:
        return _Answer(False)
    finally:
        session.pop()
