"""Nearby programs and claims that were tried, and are proved: hints for whoever wrote the program.

Each is the program's own text with one change, read and proved like any other: what is said was accepted by
the kernel.  Few are tried, and only for programs of a moderate size.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from synth.app.overspending import draws_at, largest_cost
from synth.bounds.rational import Rational
from synth.bounds.rational_text import text as rational_text
from synth.bounds.scales import NotConstant, Scales, rational
from synth.prover.codes import Code
from synth.prover.obligations.observations import observations
from synth.trusted.errors import ProgramError, SynthError
from synth.trusted.frontend.claim import Claim, read_bound, with_claim
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification
from synth.views.results import Result, Site

MAX_TRIED = 4
MAX_DRAWS = 6
"""Beyond, a proof may take long, and several of them longer."""

_NOISE = ("laplace", "exponential", "gaussian")
_TOLD = (Code.BOUND_MISSES_CLAIM.id, Code.PAID_IN_EACH_ITERATION.id)
_UNBOUNDED = (Code.DISTANCE_UNBOUNDED.id, Code.NOT_SHOWN_FOR_ALL.id, Code.SHIFT_NOT_PAID.id)

Edit = tuple[ast.expr, str]
Place = tuple[int, int]
Proves = Callable[[ir.Mechanism], bool]


@dataclass(frozen=True)
class Variant:
    """A changed program, or what else is stated beside it, and what to say of that if it is proved."""

    text: str
    says: str
    beside: Specification | None = None


def advised(mechanism: ir.Mechanism, result: Result, proves: Proves) -> Iterator[Result]:
    """Give a result without a proof with what catches the eye, what it lacks, and what was tried nearby.

    Each has one hint more than the one before, as soon as that is known.
    """
    found = dict.fromkeys((*observations(mechanism, result.code, result.reason_line), *result.hints))
    yield replace(result, hints=tuple(found))
    for hint in hints(mechanism, result, proves):
        found[hint] = None
        yield replace(result, hints=tuple(found))


def hints(mechanism: ir.Mechanism, result: Result, proves: Proves) -> Iterator[str]:
    """Give what would be provable instead; ``proves`` is asked whether a mechanism is proved as claimed."""
    draws = sum(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(mechanism.body))
    if mechanism.epsilon is None or draws > MAX_DRAWS:
        return
    yield from _claims(mechanism, result)
    for item in islice(_variants(mechanism, result), MAX_TRIED):
        if _holds(mechanism, item, proves):
            yield item.says


def _claims(mechanism: ir.Mechanism, result: Result) -> Iterator[str]:
    """The bound that was proved, as a claim; that proof was accepted already."""
    if result.code in _TOLD and result.epsilon is not None:
        delta = "" if result.delta in (None, "0") else f', delta="{result.delta}"'
        try:
            read_bound(mechanism, result.epsilon)
        except (ProgramError, RecursionError):
            return
        yield f'provable with epsilon="{result.epsilon}"{delta}'


def _holds(mechanism: ir.Mechanism, variant: Variant, proves: Proves) -> bool:
    beside = variant.beside or mechanism.specification
    specified = {} if beside is None else {mechanism.name: beside}
    try:
        programs = read_source(variant.text, mechanism.path, mechanism.lines, specified)
        found = next(item for item in programs if item.name == mechanism.name)
        return proves(with_claim(found, Claim.of(mechanism)))
    except (SynthError, StopIteration):
        return False


def _variants(mechanism: ir.Mechanism, result: Result) -> Iterator[Variant]:
    """What may be provable, the most likely first."""
    try:
        calls = _calls(mechanism)
    except (SyntaxError, ValueError, RecursionError):
        return
    if result.code in _TOLD:
        for edits in _scales(mechanism, result, calls):
            changed = " and ".join(f"scale {new} in {_where(mechanism, old, calls)}" for old, new in edits)
            yield Variant(_edited(mechanism.source, edits), f"provable with {changed}")
        yield from _conditions(mechanism, result)
    if result.code in _UNBOUNDED:
        yield from _products(mechanism, result, calls)
    if result.code in (*_TOLD, *_UNBOUNDED):
        yield from _metrics(mechanism)


# --- scales ---------------------------------------------------------------------------------


def _scales(mechanism: ir.Mechanism, result: Result, calls: Sequence[ast.Call]) -> Iterator[list[Edit]]:
    """More noise: so much at one draw that the others may stay, or in proportion at all that cost."""
    known = _bound_and_claim(mechanism, result)
    if known is None:
        return
    bound, claim = known
    factors: dict[Place, tuple[Rational, Rational]] = {}
    for place, site in _places(result):
        cost = largest_cost(mechanism, site)
        if cost is not None and not cost.is_zero():
            left = claim - (bound - cost)
            alone = cost / left if _is_positive(left, cost) else cost - cost
            factors[place] = alone, bound / claim
    if len(factors) > 1:
        for place, (alone, _) in factors.items():
            if not alone.is_zero() and (edits := _scaled(mechanism, calls, {place: alone})):
                yield edits
    if edits := _scaled(mechanism, calls, {place: both for place, (_, both) in factors.items()}):
        yield edits


def _bound_and_claim(mechanism: ir.Mechanism, result: Result) -> tuple[Rational, Rational] | None:
    """What is proved and what is claimed, which isn't 0."""
    assert mechanism.epsilon is not None and result.epsilon is not None
    try:
        bound, claim = rational(read_bound(mechanism, result.epsilon)), rational(mechanism.epsilon)
    except (ProgramError, RecursionError):
        return None
    return None if claim.is_zero() else (bound, claim)


def _is_positive(left: Rational, cost: Rational) -> bool:
    ratio = (left / cost).constant_value()
    return ratio is not None and ratio > 0


def _scaled(mechanism: ir.Mechanism, calls: Sequence[ast.Call], factors: dict[Place, Rational]) -> list[Edit]:
    """Each draw at a scale that is larger by its factor; nothing if one can't be written."""
    found: list[Edit] = []
    for (line, number), factor in factors.items():
        nodes = sorted((call for call in calls if _line(mechanism, call) == line), key=_start)
        draws = sorted(draws_at(mechanism, line), key=lambda draw: draw.span)
        if not number < len(nodes) == len(draws):
            return []
        scale, draw = _scale_of(nodes[number]), draws[number]
        try:
            known = Scales(mechanism).rational(draw.arguments[1], draw.span)
        except NotConstant:
            return []
        if scale is None:
            return []
        found.append((scale, rational_text(known * factor)))
    return found


def _places(result: Result) -> Iterator[tuple[Place, Site]]:
    """The sites of a result, each with its line and its number there."""
    numbers: Counter[int] = Counter()
    for site in result.sites:
        yield (site.line, numbers[site.line]), site
        numbers[site.line] += 1


def _where(mechanism: ir.Mechanism, node: ast.expr, calls: Sequence[ast.Call]) -> str:
    """The line, and the column where several draws stand in it."""
    line = _line(mechanism, node)
    if sum(_line(mechanism, call) == line for call in calls) < 2:
        return f"line {line}"
    before = mechanism.source.split("\n")[node.lineno - 1].encode()[: node.col_offset]
    return f"line {line}, column {len(before.decode()) + 1}"


def _start(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _scale_of(call: ast.Call) -> ast.expr | None:
    named = [item.value for item in call.keywords if item.arg in ("scale", "sigma")]
    return call.args[1] if len(call.args) == 2 else named[0] if named else None


# --- other parameters -----------------------------------------------------------------------


def _conditions(mechanism: ir.Mechanism, result: Result) -> Iterator[Variant]:
    """Parameters of which the claim would be true: the bound that is proved is at most the claim."""
    known = _bound_and_claim(mechanism, result)
    ratio = None if known is None else known[0] / known[1]
    if ratio is None or ratio.constant_value() is not None:
        return
    condition = " <= ".join(map(rational_text, ratio.parts()))
    says = f"provable if requires says {condition}"
    beside = mechanism.specification
    if beside is not None:
        requires = _both(beside.requires, condition)
        yield Variant(mechanism.source, says, replace(beside, requires=requires))
        return
    for call in _calls_of(mechanism.source, ("mechanism",)):
        for keyword in call.keywords:
            match keyword:
                case ast.keyword(arg="requires", value=ast.Constant(value=str(said)) as place):
                    edit = place, repr(_both(said, condition))
                    yield Variant(_edited(mechanism.source, [edit]), says)


def _both(said: str | None, condition: str) -> str:
    return condition if said is None else f"({said}) and {condition}"


# --- other programs -------------------------------------------------------------------------


def _products(mechanism: ir.Mechanism, result: Result, calls: Sequence[ast.Call]) -> Iterator[Variant]:
    """Noise around ``w * x``, drawn around x and multiplied by w afterwards."""
    for call in calls:
        if _line(mechanism, call) != result.reason_line or len(call.args) != 2 or call.keywords:
            continue
        match call.args[0]:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                for factor, rest in ((left, right), (right, left)):
                    around = ast.unparse(ast.Call(func=call.func, args=[rest, call.args[1]], keywords=[]))
                    new = f"{_factor(factor)} * {around}"
                    says = f"provable with {new} in line {result.reason_line}"
                    yield Variant(_edited(mechanism.source, [(call, f"({new})")]), says)


def _factor(node: ast.expr) -> str:
    written = ast.unparse(node)
    return written if isinstance(node, ast.Name | ast.Constant | ast.Call) else f"({written})"


def _metrics(mechanism: ir.Mechanism) -> Iterator[Variant]:
    """Inputs that differ less: in one entry, or all entries in one direction."""
    for call in _calls_of(mechanism.source, ("linf_distance",)):
        said, name = ast.unparse(call), _private(mechanism, ir.MetricKind.LINF)
        if len(call.args) != 1 or call.keywords or name is None:
            continue
        bound = ast.unparse(call.args[0])
        one, alike = f"change_one_distance({bound})", f"linf_distance({bound}, monotone=True)"
        for new, when in (
            (one, f"if at most one entry of {name} differs"),
            (alike, f"if {name} is monotone: all entries that differ do so in one direction"),
        ):
            says = f"provable {when} ({new} in place of {said})"
            yield Variant(_edited(mechanism.source, [(call, new)]), says)


def _private(mechanism: ir.Mechanism, kind: ir.MetricKind) -> str | None:
    """The only parameter with a metric of that kind."""
    found = [
        item.name
        for item in mechanism.parameters
        if item.metric is not None and item.metric.kind is kind and not item.metric.monotone
    ]
    return found[0] if len(found) == 1 else None


# --- the text -------------------------------------------------------------------------------


def _calls(mechanism: ir.Mechanism) -> list[ast.Call]:
    """The calls in the program's text that draw noise by a name of the language."""
    return list(_calls_of(mechanism.source, _NOISE))


def _calls_of(text: str, names: Sequence[str]) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def _line(mechanism: ir.Mechanism, node: ast.expr) -> int:
    """The line of the file that a part of the text begins in."""
    return mechanism.lines[node.lineno - 1] if mechanism.lines else node.lineno


def _edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with expressions, none inside of another, replaced; columns count bytes of UTF-8."""
    lines = text.encode().split(b"\n")
    for node, new in sorted(edits, key=lambda item: (item[0].lineno, item[0].col_offset), reverse=True):
        assert node.end_lineno is not None and node.end_col_offset is not None
        first, last = node.lineno - 1, node.end_lineno - 1
        joined = lines[first][: node.col_offset] + new.encode() + lines[last][node.end_col_offset :]
        lines[first : last + 1] = [joined, *[b""] * (last - first)]
    return b"\n".join(lines).decode()
