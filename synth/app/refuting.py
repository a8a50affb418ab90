"""From a target to the witnesses against its claims, each as soon as it and those before are there."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth.app.asker import Asker
from synth.app.codes import Code
from synth.app.proving import Answer
from synth.app.stated import NOTHING, Stated
from synth.app.targets import Programs, Target, parse_target, read_target
from synth.app.witnesses import Found, find, refuted
from synth.app.workers import Cause, Channel, Failed, Finished, Job, JobCrashed, Outcome, Pool
from synth.trusted.errors import UsageError
from synth.trusted.reasons import Reason
from synth.views.blank import blank
from synth.views.console.progress import Progress
from synth.views.results import COMMAND_LINE, PROGRAM

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir

_EXTENSION_S = 10.0


@dataclass(frozen=True)
class Search:
    """Mechanisms to refute, each with the work that it takes."""

    mechanisms: tuple[ir.Mechanism, ...]
    jobs: tuple[Job[Found | None], ...]
    claim_of: str
    timeout: float
    asker: Asker


def read_claimed(target: str | Target, stated: Stated, timeout: float) -> Programs:
    """Read the files of ``FILE|DIR[::NAME]``, with that claim if there is one.  Raises UsageError."""
    return read_target(parse_target(target), timeout, stated)


def search(
    mechanisms: Sequence[ir.Mechanism],
    values: Mapping[str, object],
    timeout: float,
    *,
    option: str,
    stated: Stated = NOTHING,
) -> Search:
    """The work on each mechanism, at these values of public parameters (what ``option`` gives).

    ``stated`` is what was claimed when they were read.  Raises UsageError.
    """
    jobs = tuple(_jobs(mechanisms, values, timeout, option))
    claim_of = PROGRAM if stated.nothing else COMMAND_LINE
    return Search(tuple(mechanisms), jobs, claim_of, timeout, stated.asker)


def answers(search: Search) -> Generator[Answer]:
    """What becomes of the mechanisms, in their order; nothing outlives the generator."""
    mechanisms = search.mechanisms
    progress = Progress.on_terminal([item.name for item in mechanisms])
    pool = Pool(search.jobs, 1, search.timeout + _EXTENSION_S, progress.stage, progress.draw)
    with closing(pool.outcomes()) as outcomes:
        try:
            for number, (mechanism, outcome) in enumerate(zip(mechanisms, outcomes, strict=True)):
                progress.done(number)
                progress.clear()
                yield _answer(mechanism, outcome, search)
        finally:
            progress.clear()


def _answer(mechanism: ir.Mechanism, outcome: Outcome[Found | None], search: Search) -> Answer:
    match outcome:
        case Failed(error):
            return Answer(None, error)
        case Finished(None, spent):
            why = _why(mechanism, search)
            return Answer(blank(mechanism, str(why), spent, why.code.id).claimed_by(search.claim_of))
        case Finished(found, spent):
            assert found is not None
            result = refuted(mechanism, blank(mechanism, None, spent), found)
            return Answer(result.claimed_by(search.claim_of))
        case JobCrashed(reason, spent):
            result = blank(mechanism, reason, spent, outcome.code).claimed_by(search.claim_of)
            return Answer(result, outcome.error() if outcome.cause is Cause.DEFECT else None)


def _why(mechanism: ir.Mechanism, search: Search) -> Reason:
    if not mechanism.is_claimed:
        return Code.NOTHING_CLAIMED(option=search.asker.option("epsilon"))
    return Code.NO_WITNESS_FOUND(seconds=f"{search.timeout:g}")


def _jobs(
    mechanisms: Sequence[ir.Mechanism], values: Mapping[str, object], timeout: float, option: str
) -> Iterator[Job[Found | None]]:
    from synth.app.assignments import check_names, data_of
    from synth.refuter.exact.inputs import is_excluded
    from synth.refuter.exact.label_texts import with_codes

    public = [item for mechanism in mechanisms for item in mechanism.parameters if item.metric is None]
    private = {item.name for mechanism in mechanisms for item in mechanism.parameters} - {
        item.name for item in public
    }
    for name in values:
        if name in private:
            raise UsageError(f"{option}: '{name}' is private; only public parameters can be set")
    if mechanisms:
        check_names(values, public, option)
    for mechanism in mechanisms:
        own = [item for item in mechanism.parameters if item.metric is None]
        fixed = data_of(own, with_codes(mechanism, values))
        if is_excluded(mechanism, fixed):
            raise UsageError(f"{option}: 'requires' of {mechanism.name} does not hold for these values")
        yield _job(mechanism, fixed, timeout)


def _job(mechanism: ir.Mechanism, fixed: Mapping[str, Any], seconds: float) -> Job[Found | None]:
    def work(channel: Channel) -> Found | None:
        channel.stage("searching for a witness")
        from synth.bounds.scales import check_defined

        check_defined(mechanism)
        return find(mechanism, seconds, fixed)

    return work
