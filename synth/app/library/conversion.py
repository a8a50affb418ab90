"""From what the commands show to what the library returns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any, cast

from synth.app.checking import COMMAND_LINE, Row
from synth.app.couplings import Row as TemplateRow
from synth.app.finite_precision import Answer
from synth.app.library import results
from synth.app.library.results import (
    Bound,
    Checked,
    Condition,
    CoupledPair,
    FinitePrecision,
    Formula,
    Lifting,
    LowerBound,
    Output,
    Proved,
    Range,
    Reason,
    Recomputed,
    Refuted,
    SeparatingSet,
    Template,
    Unknown,
    Value,
    Witness,
)
from synth.app.repair.repairing import Repair, Repaired
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import Claim, read_bound
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text
from synth.views.expressions import assumptions
from synth.views.results import PROVED, REFUTED, Result

_CALL = "call"
_DEEPEST = 100


def mechanism_of(item: ir.Mechanism) -> results.Mechanism:
    """A mechanism as users see it."""
    parameters = tuple(
        results.Parameter(each.name, each.kind.value, each.sort.value, _adjacent(each.metric))
        for each in item.visible
    )
    return results.Mechanism(
        name=item.name,
        file=item.path,
        line=item.span.line,
        parameters=parameters,
        requires=text(item.requires),
        claim=claim_of(item),
        facts=tuple(dict.fromkeys(fact.text for fact in item.facts)),
    )


def _adjacent(metric: ir.Metric | None) -> str | None:
    if metric is None:
        return None
    bound = [] if metric.bound is None else [text(metric.bound)]
    return f"{metric.kind.value}({', '.join([*bound, *(['monotone=True'] if metric.monotone else [])])})"


# --- bounds ---------------------------------------------------------------------------------


def claim_of(mechanism: ir.Mechanism) -> Bound | None:
    """What is claimed of a mechanism."""
    return bound_of(mechanism, Claim.of(mechanism))


def bound_of(mechanism: ir.Mechanism, bound: Claim) -> Bound | None:
    """A bound that is written in synth's notation; None if there is none."""
    if not bound:
        return None
    found = {name: _formula(mechanism, written) for name, written in bound.stated.items()}
    if bound.notion is None:
        found.setdefault("delta", _ZERO)
    known = tuple(assumptions(mechanism).items())
    return Bound(found.get("epsilon"), found.get("delta"), known, found.get("gdp"), found.get("zcdp"))


_ZERO = Formula("0", ir.Constant(Fraction(0), ir.Sort.REAL))


def _formula(mechanism: ir.Mechanism, written: str) -> Formula:
    try:
        return _typed(written, read_bound(mechanism, written))
    except (ProgramError, RecursionError):
        return Formula(written, None)


def _typed(written: str, item: ir.Expression) -> Formula:
    """Expressions that are nested too deeply for sympy are text only."""
    return Formula(written, item if _depth(item) <= _DEEPEST else None)


def _depth(item: ir.Expression) -> int:
    return 1 + max(map(_depth, ir.children(item)), default=0)


# --- results --------------------------------------------------------------------------------


def result_of(mechanism: ir.Mechanism, result: Result) -> Proved | Refuted | Unknown:
    """A result about a mechanism; its claim is the one that was meant."""
    about: dict[str, Any] = {
        "mechanism": result.mechanism,
        "file": result.file,
        "line": result.line,
        "claim": claim_of(mechanism),
        "claim_of": _whose(result.claim_of),
        "seconds": result.seconds,
        "cached": result.cached,
    }
    bound = bound_of(mechanism, result.bound)
    said, line, column = result.reason, result.reason_line, result.reason_column
    reason = None if said is None else Reason(said, line, result.code, result.hints, column)
    if result.verdict == PROVED:
        assert bound is not None and result.proof is not None
        return Proved(
            **about,
            bound=bound,
            certificate=result.proof,
            sites=result.sites,
            invariants=result.loops,
            notes=result.notes,
            assumptions=result.assumptions or "",
            claim_is_loose=result.claim_is_loose,
            termination=result.termination,
            lower_bound=None if result.lower_bound is None else _lower_bound(result.lower_bound),
        )
    if result.verdict == REFUTED:
        assert result.witness is not None and result.proof is not None
        witness = _witness(result.witness)
        return Refuted(
            **about,
            witness=witness,
            certificate=result.proof,
            bound=bound,
            reason=reason,
            sites=result.sites,
            invariants=result.loops,
        )
    return Unknown(**about, reason=reason, bound=bound, sites=result.sites, invariants=result.loops)


def repair_of(found: Repaired, item: Repair, proof: Proved | Refuted | Unknown | None) -> results.Repair:
    """What became of the only mechanism that was to be repaired."""
    return results.Repair(
        verdict="proved" if item.private else "unknown",
        mechanism=item.name,
        file=str(found.path),
        before=cast(Any, item.before),
        changes=tuple(results.Change(each.line, each.before, each.after) for each in item.changes),
        least_noise=item.least,
        proof=proof if isinstance(proof, Proved) else None,
        text=found.after,
        patch=found.patch,
        reason=item.reason,
    )


def _whose(claim_of: str | None) -> str | None:
    return _CALL if claim_of == COMMAND_LINE else claim_of


def _witness(found: Mapping[str, Any]) -> Witness:
    return Witness(
        **_inputs(found),
        probability_left=tuple(found["probability_left"]),
        probability_right=tuple(found["probability_right"]),
        epsilon=found["epsilon"],
        delta=found["delta"],
        epsilon_at_least=_least(found["epsilon_at_least"]),
    )


def _lower_bound(found: Mapping[str, Any]) -> LowerBound:
    return LowerBound(epsilon_at_least=_least(found["epsilon_at_least"]), **_inputs(found))


def _inputs(found: Mapping[str, Any]) -> dict[str, Any]:
    sides = {side: values(found[side]) for side in ("parameters", "left", "right")}
    return {**sides, "outputs": _outputs(found["output"])}


def _least(epsilon: float | None) -> float:
    return math.inf if epsilon is None else epsilon


# --- values ---------------------------------------------------------------------------------


def values(written: Mapping[str, Any]) -> dict[str, Value]:
    """Values of parameters, exactly: a float stands for the decimal number that it is written as."""
    return {name: cast(Value, output_of(value)) for name, value in written.items()}


def _outputs(written: Any) -> tuple[Output, ...]:
    match written:
        case {"any of": items}:
            return tuple(map(output_of, items))
    return (output_of(written),)


def output_of(written: Any) -> Output:
    """An output, exactly."""
    match written:
        case None | bool() | int():
            return written
        case {"from": low, "to": high}:
            return Range(cast(Any, output_of(low)), cast(Any, output_of(high)))
        case {"values": flat, "lists": lists}:
            return output_of([*flat, *lists])
        case list() | tuple():
            return tuple(map(output_of, written))
    number = Fraction(str(written))
    return int(number) if number.denominator == 1 else number


# --- checks and templates -------------------------------------------------------------------


def checked_of(mechanism: ir.Mechanism | None, row: Row) -> Checked:
    """A verdict on a document about a mechanism (None if it holds none that can be read)."""
    bound = claim = None
    if mechanism is not None:
        bound = bound_of(mechanism, Claim(row.epsilon, row.delta, row.gdp, row.zcdp))
        claim = bound_of(mechanism, Claim(**row.claim)) if row.claim else None
    return Checked(
        verdict=cast(Any, row.verdict),
        kind=cast(Any, row.kind),
        mechanism=row.mechanism,
        line=row.line,
        header=row.header,
        stated=row.stated,
        inputs=row.inputs,
        models=row.models,
        sha256=row.sha256,
        file=row.file,
        file_sha256=row.file_sha256,
        bound=bound,
        claim=claim,
        claim_of=_whose(row.claim_of),
        rule=row.rule,
        place=row.place,
        reason=row.reason,
        code=row.code,
        conditions=row.conditions,
        solvers=row.solvers,
        facts=row.facts,
        recomputed=None if row.found is None else _recomputed(row.found),
        seconds=row.seconds,
    )


def _recomputed(found: Mapping[str, Any]) -> Recomputed:
    left, right = (tuple(found[f"probability_{side}"]) for side in ("left", "right"))
    return Recomputed(left, right, _least(found["epsilon_at_least"]))


def template_of(row: TemplateRow) -> Template:
    """A coupling with the verdict on it."""
    return Template(**asdict(row))


# --- liftings -------------------------------------------------------------------------------


def lifting_of(
    mechanism: ir.Mechanism, found: Mapping[str, Any], left: Callable[[Any], Any], right: Callable[[Any], Any]
) -> Lifting:
    """A decision; ``left`` and ``right`` give the values that are meant."""
    bound = bound_of(mechanism, Claim(found["epsilon"], found["delta"]))
    assert bound is not None
    coupling, cut = found["coupling"], found["cut"]
    inputs = (values(found[side]) for side in ("input", "neighbour")) if "input" in found else None
    return Lifting(
        verdict=found["verdict"],
        mechanism=found.get("mechanism"),
        inputs=None if inputs is None else tuple(inputs),
        adjacent=found.get("adjacent"),
        bound=bound,
        coupling=None
        if coupling is None
        else tuple(
            CoupledPair(
                left(pair["left"]), right(pair["right"]), _mass(pair["mass_left"]), _mass(pair["mass_right"])
            )
            for pair in coupling
        ),
        separating_set=None
        if cut is None
        else SeparatingSet(
            tuple(map(left, cut["left"])),
            tuple(map(right, cut["right"])),
            *(_mass(cut[name]) for name in ("mass_left", "mass_right", "allowed")),
        ),
        missing=None if found["missing"] is None else _mass(found["missing"]),
    )


def finite_precision_of(found: Answer) -> FinitePrecision:
    """What the theorem says of one implementation."""
    bound = found.bound
    return FinitePrecision(
        verdict=cast(Any, found.verdict),
        mechanism=found.mechanism,
        epsilon=None if bound.epsilon is None else bound.epsilon.floats(),
        exact_epsilon=bound.exact_epsilon,
        sensitivity=bound.sensitivity,
        scale=found.noise.scale,
        error=None if bound.shift is None else bound.shift.total.floats(),
        robustness=None if bound.robustness is None else bound.robustness.floats(),
        conditions=tuple(
            Condition(item.name, cast(Any, item.status), item.says) for item in bound.conditions
        ),
        reason=bound.reason,
    )


def _mass(number: str | list[float]) -> Fraction | tuple[float, float]:
    return Fraction(number) if isinstance(number, str) else (number[0], number[1])
