"""A number that its own size clips is clipped: of ``g / max(1, abs(g) / c)`` the solvers know nothing.

With c above 0 that is at most c in size (:mod:`synth.trusted.steps.sizes`), so it is its own clipping,
``max(-c, min(e, c))``.
"""

from __future__ import annotations

from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, changed, names, public_parameters
from synth.trusted.program.substitution import mapped, replaced
from synth.trusted.steps.equivalence_codes import Different
from synth.trusted.steps.expressions import term_of
from synth.trusted.steps.sizes import bounds
from synth.trusted.steps.terms import Terms

_DEEPEST = 4
"""How often names are replaced by what they stand for."""


def clipped_by_size(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with such numbers clipped."""
    meanings = _meanings(mechanism)
    public = public_parameters(mechanism)

    def change(value: ir.Expression) -> ir.Expression | None:
        bound = _bound(mechanism, _meant(value, meanings)) if _is_quotient(value) else None
        if bound is None or not names(bound) <= public:
            return None
        inside = builders.arithmetic(ir.Operator.MINIMUM, value, bound)
        inside = builders.arithmetic(ir.Operator.MAXIMUM, builders.opposite(bound), inside)
        return builders.choose(builders.less(builders.zero(ir.Sort.REAL), bound), inside, value)

    def within(body: Body) -> Body:
        return tuple(changed(item, lambda value: mapped(value, change), within) for item in body)

    return replace(mechanism, body=within(mechanism.body))


def _is_quotient(value: ir.Expression) -> bool:
    return (
        isinstance(value, ir.Operation)
        and value.operator in (ir.Operator.DIVIDE, ir.Operator.MULTIPLY)
        and value.sort is ir.Sort.REAL
    )


def _meanings(mechanism: ir.Mechanism) -> dict[str, ir.Expression]:
    """What variables stand for that are assigned in one place."""
    values: dict[str, list[ir.Expression | None]] = {}
    for item in ir.statements(mechanism.body):
        if isinstance(item, ir.Assign | ir.Draw | ir.Choose):
            values.setdefault(item.target, []).append(item.value if isinstance(item, ir.Assign) else None)
    return {name: found[0] for name, found in values.items() if len(found) == 1 and found[0] is not None}


def _meant(value: ir.Expression, meanings: dict[str, ir.Expression]) -> ir.Expression:
    for _ in range(_DEEPEST):
        value = replaced(value, meanings)
    return value


def _bound(mechanism: ir.Mechanism, value: ir.Expression) -> ir.Expression | None:
    """The number that a value is at most in size; None if none is evident."""
    terms = Terms()
    known = {*mechanism.variables, *mechanism.lists, *(item.name for item in mechanism.parameters)}
    values = {name: terms.make(("input", name)) for name in known}
    try:
        found = list(bounds(term_of(value, values, terms)))
        parts = {term_of(part, values, terms): part for part in ir.subexpressions(value)}
    except Different:
        return None
    return next((parts[bound] for bound in found if bound in parts), None)
