"""From a program file to the same file with scales that are proved to keep the claim."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from synth.app.jobs import Options
from synth.app.repair.problems import Cost
from synth.app.repair.sites import functions, is_hole, parsed
from synth.app.repair.symbolic import Unknowns, fresh_names, with_unknowns
from synth.app.repair.writing import Change, Rewritten, Unwritable, patch, rewritten
from synth.app.stated import NOTHING, Stated
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
from synth.prover.codes import Code
from synth.support.files import MAX_TEXT_BYTES, read_regular
from synth.trusted.errors import ProgramError, Refusal, UsageError
from synth.views.results import COMMAND_LINE, PROGRAM, PROVED, UNKNOWN, Result

GAUSSIAN_WITHOUT_CLAIM = Code.GAUSSIAN_WITHOUT_CLAIM.id
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
    cost = _cost(unknowns, replace(options, beside=True))
    if isinstance(cost, str):
        said = f"where each scale is a parameter there is no proof: {cost}"
        return Repair(variant.name, before, reason=said), variant.text
    candidates = _one(_limited(lambda: tuple(_candidates(unknowns, cost))), options.timeout)
    for candidate in candidates:
        try:
            result = _tried(_with(variant, candidate), options)
        except ProgramError:
            continue
        if isinstance(result, Result) and result.verdict == PROVED:
            text, new = candidate.rewritten.text, candidate.rewritten
            repair = Repair(variant.name, before, new.changes, new.ratios, candidate.least, result)
            return repair, text
    said = f"no scales that were tried are proved, though with scales of their own the bound is {cost}"
    if not candidates:
        said = f"the bound {cost} has no scales in closed form that come to the claim"
    return Repair(variant.name, before, reason=said), variant.text


def _cost(unknowns: Unknowns, options: Options) -> Cost | str:
    """What the mechanism costs where each scale is a parameter; or why that isn't known.

    Where Gaussian noise has no ε of its own, the squares of what is moved are what a δ pays for.
    """
    program, why = unknowns.program, ""
    tried = [program]
    if unknowns.claim.epsilon is not None:
        tried += [replace(program, stated=Stated(gdp="1")), replace(program, stated=Stated(zcdp="1"))]
    for each in tried:
        found = _tried(each, options)
        if isinstance(found, str):
            return found
        name = "epsilon" if found.bound.notion is None else found.bound.notion.value
        wanted = found.verdict == PROVED if name == "epsilon" else name in each.stated.bounds
        if wanted and name in found.bound.stated:
            return Cost(name, found.bound.stated[name])
        why = why or str(found.reason)
        if found.code != GAUSSIAN_WITHOUT_CLAIM and each is program:
            break
    return why


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


def _candidates(unknowns: Unknowns, cost: Cost) -> Iterator[Candidate]:
    """New texts whose costs come to the claim, the best first."""
    from synth.app.repair.allocation import allocations
    from synth.app.repair.problems import problems

    original = unknowns.original
    tree = parsed(original.text, str(original.path))
    names = fresh_names(tree, "ratio", len(unknowns.sites))
    number = 0
    posed = problems(unknowns, cost)
    for found in (each for problem in posed for each in allocations(problem, names)):
        try:
            new = rewritten(original.text, str(original.path), original.name, unknowns.sites, found)
        except Unwritable:
            continue
        yield Candidate(new, found.least)
        number += 1
        if number == _MAX_PROOFS:
            return


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
