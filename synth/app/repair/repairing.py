"""From a program file to the same file with scales that are proved to keep the claim."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from synth.app.jobs import Options
from synth.app.repair.sites import functions, is_hole, parsed
from synth.app.repair.symbolic import Unknowns, fresh_names, with_unknowns
from synth.app.repair.writing import Change, Rewritten, Unwritable, expression_of, patch, rewritten
from synth.app.stated import NOTHING
from synth.app.targets import Target, parse_target
from synth.app.variants import Variant, proof_of
from synth.app.workers import (
    IMPROVEMENT_TIMEOUT_S,
    Cause,
    Channel,
    Failed,
    Finished,
    Job,
    JobCrashed,
    Outcome,
    Pool,
    restrict,
)
from synth.support.files import MAX_TEXT_BYTES, read_regular
from synth.trusted.errors import ProgramError, Refusal, UsageError
from synth.views.results import COMMAND_LINE, PROGRAM, PROVED, UNKNOWN, Result

if TYPE_CHECKING:
    from synth.app.repair.allocation import Problem

_MAX_MEMORY_BYTES = 2 << 30
_MAX_PROOFS = 6
"""Allocations that are tried to be proved."""

T = TypeVar("T")


@dataclass(frozen=True)
class Candidate:
    """A file's new text that might be provable; ``least`` is that of its allocation."""

    rewritten: Rewritten
    least: bool


@dataclass(frozen=True)
class Repair:
    """What became of one mechanism; ``result`` is the kernel's word on the text with the changes.

    Without ``changes`` it is about the text as it was.  ``reason`` says why there is no repair.
    ``before`` is the verdict on the text as it was, None for a text with holes.  ``least`` says that no
    other values of the changed scales have less noise, by the cost that is proved.
    """

    name: str
    before: str | None
    changes: tuple[Change, ...] = ()
    ratios: tuple[str, ...] = ()
    least: bool = False
    result: Result | None = None
    reason: str | None = None

    @property
    def private(self) -> bool:
        """Whether the claim is proved, with the changes if there are any."""
        return self.reason is None


@dataclass(frozen=True)
class Repaired:
    """The mechanisms of a file, its text before and after all proved changes."""

    path: Path
    before: str
    after: str
    mechanisms: tuple[Repair, ...]

    @property
    def patch(self) -> str:
        """The unified diff of the two texts; empty if nothing is changed."""
        return patch(self.before, self.after, self.path)


def repaired(target: str | Target, options: Options) -> Repaired:
    """Return the target's file with changed scales.  Raises ProgramError, TemplateError, UsageError."""
    aimed = parse_target(target)
    before = text = read_text(aimed)
    found: list[Repair] = []
    names = _one(_names_of(text, aimed), options.timeout)
    for name in names:
        specification = None if aimed.beside is None else aimed.beside.of(aimed.path).get(name)
        variant = Variant(aimed.path, text, name, specification, options.stated)
        repair, text = _repaired(variant, replace(options, stated=NOTHING))
        found.append(repair)
    return Repaired(aimed.path, before, text, tuple(found))


def read_text(target: Target) -> str:
    """Return the text of the target's file.  Raises ProgramError."""
    try:
        content = read_regular(target.path, MAX_TEXT_BYTES) if target.content is None else target.content
        return content.decode()
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"
        message = f"the file can't be read: {reason}"
        raise ProgramError(message, str(target.path), code=Refusal.FILE_UNREADABLE) from None


def _names_of(text: str, target: Target) -> Job[tuple[str, ...]]:
    """The mechanisms that are meant: the named one; else those with holes; else all."""

    def work(channel: Channel) -> tuple[str, ...]:
        tree = parsed(text, str(target.path))
        known = functions(tree)
        if target.name is not None:
            if target.name not in known:
                raise UsageError(f"no function '{target.name}' in {target.path}")
            return (target.name,)
        stated = () if target.beside is None else target.beside.of(target.path)
        mechanisms = [name for name, item in known.items() if name in stated or _is_mechanism(item)]
        holes = [name for name in mechanisms if any(map(is_hole, ast.walk(known[name])))]
        if not mechanisms:
            message = "no mechanism in the file: no function has '@mechanism'"
            raise ProgramError(message, str(target.path), code=Refusal.NO_MECHANISM)
        return tuple(holes or mechanisms)

    return work


def _is_mechanism(function: ast.FunctionDef) -> bool:
    called = (item.func for item in function.decorator_list if isinstance(item, ast.Call))
    return any(ast.unparse(item).rpartition(".")[2] == "mechanism" for item in called)


# --- one mechanism --------------------------------------------------------------------------


def _repaired(variant: Variant, options: Options) -> tuple[Repair, str]:
    """What becomes of a mechanism, and the file's text then."""
    unknowns = _one(_limited(lambda: with_unknowns(variant)), options.timeout)
    own = None if unknowns.has_holes else _tried(variant, options)
    before = None if unknowns.has_holes else own.verdict if isinstance(own, Result) else UNKNOWN
    if isinstance(own, Result) and own.verdict == PROVED:
        return Repair(variant.name, before, result=own), variant.text
    general = _tried(unknowns.program, options)
    why = general if isinstance(general, str) else general.reason
    if isinstance(general, str) or general.verdict != PROVED or general.epsilon is None:
        said = f"where each scale is a parameter there is no proof: {why}"
        return Repair(variant.name, before, reason=said), variant.text
    bound = general.epsilon
    candidates = _one(_limited(lambda: tuple(_candidates(unknowns, bound))), options.timeout)
    for candidate in candidates:
        try:
            result = _tried(_with(variant, candidate), options)
        except ProgramError:
            continue
        if isinstance(result, Result) and result.verdict == PROVED:
            text, new = candidate.rewritten.text, candidate.rewritten
            repair = Repair(variant.name, before, new.changes, new.ratios, candidate.least, result)
            return repair, text
    said = f"no scales that were tried are proved, though with scales of their own the bound is {bound}"
    if not candidates:
        said = f"the bound {bound} has no scales in closed form that come to the claim"
    return Repair(variant.name, before, reason=said), variant.text


def _with(variant: Variant, candidate: Candidate) -> Variant:
    return replace(variant, text=candidate.rewritten.text)


def _tried(variant: Variant, options: Options) -> Result | str:
    """The result, or why there is none.  Raises ProgramError, InternalError."""
    outcome = _outcome(proof_of(variant, options), options.timeout)
    match outcome:
        case Finished(result, seconds):
            claim_of = PROGRAM if variant.stated.nothing else COMMAND_LINE
            return replace(result, seconds=seconds).claimed_by(claim_of)
        case Failed(error):
            raise error
        case JobCrashed(reason, cause=cause) if cause is not Cause.DEFECT:
            return reason
    raise outcome.error()


# --- candidates -----------------------------------------------------------------------------


def _candidates(unknowns: Unknowns, bound: str) -> Iterator[Candidate]:
    """New texts whose costs come to the claim, the best first."""
    from synth.app.repair.allocation import allocations

    original = unknowns.original
    tree = parsed(original.text, str(original.path))
    names = fresh_names(tree, "ratio", len(unknowns.sites))
    number = 0
    for found in allocations(_problem(unknowns, bound), names):
        try:
            new = rewritten(original.text, str(original.path), original.name, unknowns.sites, found)
        except Unwritable:
            continue
        yield Candidate(new, found.least)
        number += 1
        if number == _MAX_PROOFS:
            return


def _problem(unknowns: Unknowns, bound: str) -> Problem:
    from synth.app.repair.allocation import Problem
    from synth.trusted.frontend.claim import read_bound
    from synth.views.expressions import assumptions, expression, symbols

    mechanism = unknowns.claiming.mechanism()
    known = assumptions(mechanism)
    assert mechanism.epsilon is not None
    named = symbols(known)
    return Problem(
        expression(read_bound(mechanism, bound), known),
        expression(mechanism.epsilon, known),
        tuple(named[name] for name in unknowns.names),
        tuple(_weights(unknowns, named)),
        unknowns.has_holes,
    )


def _weights(unknowns: Unknowns, named: dict[str, Any]) -> list[Any]:
    """The noise of an unknown that is 1; of factors, by the scales if all of them are of parameters."""
    import sympy

    plain = [sympy.Integer(site.variance) for site in unknowns.sites]
    if unknowns.has_holes:
        return plain
    try:
        scales = [expression_of(site.text or "1") for site in unknowns.sites]
    except Unwritable:
        return plain
    if any(symbol.name not in named for scale in scales for symbol in scale.free_symbols):
        return plain
    squares = [
        scale.subs({symbol: named[symbol.name] for symbol in scale.free_symbols}) ** 2 for scale in scales
    ]
    return [weight * square for weight, square in zip(plain, squares, strict=True)]


# --- in processes of their own --------------------------------------------------------------


def _limited(work: Any) -> Job[Any]:
    """Work on what others wrote, with bounded memory."""

    def job(channel: Channel) -> Any:
        restrict(IMPROVEMENT_TIMEOUT_S + 60, _MAX_MEMORY_BYTES)
        return work()

    return job


def _outcome(job: Job[T], seconds: float) -> Outcome[T]:
    with closing(Pool([job], 1, seconds).outcomes()) as outcomes:
        return next(outcomes)


def _one(job: Job[T], seconds: float) -> T:
    """What a job gives.  Raises its error, or why it ended."""
    outcome = _outcome(job, seconds)
    match outcome:
        case Finished(value):
            return value
        case Failed(error):
            raise error
    raise outcome.error()
