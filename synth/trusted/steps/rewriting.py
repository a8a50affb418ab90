"""The steps of a certificate, one after the other: from the core program to the program that is judged.

Each step from P to P' says: if all runs of P' meet their obligations, then so do those of P, and for each
input that satisfies ``requires`` both have the same law of the output.  So do many steps in a row; the proof
is in ``docs/certificates.md``, "Steps".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from synth.trusted.core.comparison import bare
from synth.trusted.core.fragments import read_function, read_statements
from synth.trusted.core.read_expressions import CoreError
from synth.trusted.core.reader import read_as_written
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.definite_assignment import check_definite_assignment
from synth.trusted.logic.rejection import Rejected
from synth.trusted.normal_form.decision_trees import Intractable
from synth.trusted.normal_form.unrolling import written_out
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import with_blocks
from synth.trusted.program.fused_draws import Rated, Sums, Total, Window
from synth.trusted.program.numbering import renumber, with_sites
from synth.trusted.program.substitution import replaced
from synth.trusted.steps.advancing import advanced
from synth.trusted.steps.crossing import crossed
from synth.trusted.steps.deferral import deferred
from synth.trusted.steps.equivalence import check_equivalent
from synth.trusted.steps.equivalence_codes import Code as StepCode
from synth.trusted.steps.equivalence_codes import Different
from synth.trusted.steps.fusion import fused, rated
from synth.trusted.steps.fusion_codes import FusionCode
from synth.trusted.steps.joining import joined
from synth.trusted.steps.lingering import lingered
from synth.trusted.steps.pairing import paired
from synth.trusted.steps.permutation import permuted
from synth.trusted.steps.repetition import repeated
from synth.trusted.steps.signing import signed
from synth.trusted.steps.streaming import counted, streamed

Body = tuple[ir.Statement, ...]


@dataclass(frozen=True)
class SameNoise:
    """Another program, as core text with all obligations.

    ``draws`` has for each draw in it the number of the draw of the program before that is meant to be the
    same, or None; ``lines`` has for each of its statements but blocks the line of the source to show.
    Nothing but the verdict depends on the former, and nothing but what is shown on the latter.
    """

    program: str
    draws: tuple[int | None, ...]
    lines: tuple[int, ...]

    rule = "SameNoise"


@dataclass(frozen=True)
class Fuse:
    """``length`` statements from ``place`` on become what ``text`` says: obligations and one draw.

    ``sums`` has, per draw in the place of which that one stands, what :class:`Sums` says: each a function of
    the outcome and of the index, or None.
    """

    place: tuple[int, ...]
    length: int
    text: str
    sums: tuple[tuple[str | None, str | None], ...]
    lines: tuple[int, ...]

    rule = "Fuse"


@dataclass(frozen=True)
class Rate:
    """A draw by weights gets another score and another rate: ``law`` is a function of the outcome to both."""

    place: tuple[int, ...]
    law: str

    rule = "Rate"


@dataclass(frozen=True)
class Defer:
    """The noise or coin that is drawn at ``place`` is drawn behind the next ``length`` statements."""

    place: tuple[int, ...]
    length: int

    rule = "Defer"


@dataclass(frozen=True)
class Pair:
    """The one-sided noise drawn at ``place`` and by the next statement becomes one two-sided draw."""

    place: tuple[int, ...]

    rule = "Pair"


@dataclass(frozen=True)
class Sign:
    """The coin and the one-sided noise, drawn at ``place`` and by the next statement, become one draw."""

    place: tuple[int, ...]

    rule = "Sign"


@dataclass(frozen=True)
class Cross:
    """The coin tossed at ``place`` is whether one-sided noise crosses a number."""

    place: tuple[int, ...]

    rule = "Cross"


@dataclass(frozen=True)
class Permute:
    """The uniform draw at ``place`` is read without what is added to it modulo its size."""

    place: tuple[int, ...]

    rule = "Permute"


@dataclass(frozen=True)
class Stream:
    """What the loop at ``place`` does with each entry of a list is done where the entry is appended."""

    place: tuple[int, ...]

    rule = "Stream"


@dataclass(frozen=True)
class Count:
    """The length of the list that is made at ``place`` is a variable."""

    place: tuple[int, ...]

    rule = "Count"


@dataclass(frozen=True)
class Repeat:
    """The ``length`` statements from ``place`` on stand again ``before`` the statements at these places."""

    place: tuple[int, ...]
    length: int
    before: tuple[tuple[int, ...], ...]

    rule = "Repeat"


@dataclass(frozen=True)
class Advance:
    """The first ``length`` statements of a side (0 or 1) of the branch at ``place`` stand before it."""

    place: tuple[int, ...]
    side: int
    length: int

    rule = "Advance"


@dataclass(frozen=True)
class Join:
    """The loop in the block at ``place`` is part of the one in the last block before it."""

    place: tuple[int, ...]

    rule = "Join"


@dataclass(frozen=True)
class Linger:
    """The loop in the block at ``place`` counts on where a flag would leave it."""

    place: tuple[int, ...]

    rule = "Linger"


@dataclass(frozen=True)
class WriteOut:
    """The entries of these lists are variables, and loops that mention them are written out."""

    lists: tuple[str, ...]

    rule = "WriteOut"


Step = (
    SameNoise
    | Fuse
    | Rate
    | Defer
    | Pair
    | Sign
    | Cross
    | Permute
    | Stream
    | Count
    | Repeat
    | Advance
    | Join
    | Linger
    | WriteOut
)


def rewritten(core: ir.Mechanism, steps: Sequence[Step]) -> tuple[ir.Mechanism, tuple[Condition, ...]]:
    """Return the program after the steps from a core program, and what must hold.  Raises Rejected."""
    program = core
    conditions: list[Condition] = []
    for number, step in enumerate(steps):
        program, more = taken(program, step, f"steps.{number}")
        conditions += more
    return program, tuple(conditions)


def taken(
    before: ir.Mechanism, step: Step, place: str = "step"
) -> tuple[ir.Mechanism, tuple[Condition, ...]]:
    """Return the program after one step, numbered by position, and what must hold.  Raises Rejected."""
    conditions: tuple[Condition, ...] = ()
    try:
        match step:
            case SameNoise():
                after = _with_same_noise(before, step)
            case Fuse():
                after, conditions = fused(before, _window(before, step))
            case Rate():
                after, conditions = rated(before, _rated(before, step))
            case Defer(place=statement, length=length):
                after = deferred(before, statement, length)
            case Pair(place=statement):
                after = paired(before, statement)
            case Sign(place=statement):
                after = signed(before, statement)
            case Cross(place=statement):
                after = crossed(before, statement)
            case Permute(place=statement):
                after = permuted(before, statement)
            case Stream(place=statement):
                after = streamed(before, statement)
            case Count(place=statement):
                after = counted(before, statement)
            case Repeat(place=statement, length=length, before=places):
                after = repeated(before, statement, length, places)
            case Advance(place=statement, side=side, length=length):
                after = advanced(before, statement, side, length)
            case Join(place=statement):
                after = joined(before, statement)
            case Linger(place=statement):
                after = lingered(before, statement)
            case WriteOut(lists=lists):
                after = written_out(before, lists)
        after = replace(after, body=renumber(after.body))
        check_definite_assignment(after)
    except Different as error:
        raise Rejected(step.rule, place, error.why) from None
    except Intractable:
        raise Rejected(step.rule, place, StepCode.NOT_WRITTEN_OUT()) from None
    except CoreError as error:
        raise Rejected(step.rule, place, Code.CORE_REFUSED(error=str(error))) from None
    except Rejected as error:
        raise replace(error, rule=step.rule, place=place) from None
    return after, tuple(replace(item, rule=step.rule, place=place) for item in conditions)


def _with_same_noise(before: ir.Mechanism, step: SameNoise) -> ir.Mechanism:
    found = read_as_written(step.program)
    one, other = (bare(replace(item, body=(), variables={})) for item in (before, found))
    for item in fields(ir.Mechanism):
        if getattr(one, item.name) != getattr(other, item.name):
            raise Different(StepCode.DECLARATIONS_DIFFER(field=item.name))
    draws = [item for item in ir.statements(found.body) if isinstance(item, ir.Draw | ir.Choose)]
    if len(draws) != len(step.draws):
        raise Different(StepCode.HINTS_DO_NOT_FIT(given=len(step.draws), needed=len(draws)))
    own = sum(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(before.body))
    sites = (own + number if site is None else site for number, site in enumerate(step.draws))
    body = _shown_at(found.body, step.lines, before.body)
    after = replace(before, body=body, variables=found.variables)
    check_equivalent(before, replace(after, body=with_sites(after.body, sites)))
    return after


def _window(before: ir.Mechanism, step: Fuse) -> Window:
    match _shown_at(read_statements(step.text, before), step.lines, before.body):
        case (*obligations, ir.Choose() as draw):
            pass
        case _:
            raise Different(FusionCode.NOT_ONE_DRAW())
    asked = tuple(item for item in obligations if isinstance(item, ir.Obligation))
    if len(asked) != len(obligations):
        raise Different(FusionCode.NOT_ONE_DRAW())
    outcome = ir.Variable(draw.index, draw.sort)
    sums = tuple(Sums(*(_total(text, before, outcome) for text in pair)) for pair in step.sums)
    return Window(step.place, step.length, asked, draw, sums)


def _total(text: str | None, before: ir.Mechanism, outcome: ir.Variable) -> Total | None:
    if text is None:
        return None
    match read_function(text, before, (outcome.sort, ir.Sort.INT)):
        case (own, index), (below, value, *bounds):
            below, value, *bounds = (replaced(item, {own.name: outcome}) for item in (below, value, *bounds))
            return Total(index.name, below, value, tuple(bounds))
    raise Different(FusionCode.NOT_THE_VALUES())


def _rated(before: ir.Mechanism, step: Rate) -> Rated:
    match read_function(step.law, before, (ir.Sort.INT,)):
        case (index,), (score, rate):
            return Rated(step.place, index.name, score, rate)
    raise Different(FusionCode.NOT_THE_VALUES())


# --- what is shown --------------------------------------------------------------------------


def _shown_at(body: Body, lines: Sequence[int], before: Body) -> Body:
    """The statements as if they stood in these lines, with the reasons of obligations that did before.

    Raises Different for too few lines, or too many.
    """
    needed = sum(not isinstance(item, ir.Block) for item in ir.statements(body))
    if len(lines) != needed:
        raise Different(StepCode.HINTS_DO_NOT_FIT(given=len(lines), needed=needed))
    asked = (item for item in ir.statements(before) if isinstance(item, ir.Obligation))
    return tuple(_moved(body, iter(lines), {(item.span.line, item.kind): item.reason for item in asked}))


def _moved(
    body: Body, lines: Iterator[int], reasons: Mapping[tuple[int, str], str]
) -> Iterator[ir.Statement]:
    for statement in body:
        if not isinstance(statement, ir.Block):
            statement = replace(statement, span=ir.Span(next(lines), 1))
        if isinstance(statement, ir.Obligation):
            reason = reasons.get((statement.span.line, statement.kind), statement.reason)
            statement = replace(statement, reason=reason)
        yield with_blocks(statement, lambda inner: tuple(_moved(inner, lines, reasons)))
