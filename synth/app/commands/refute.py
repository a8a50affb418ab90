"""``synth refute``: a witness against each claim of the target, each looked for in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from synth.app.commands.prove import print_json
from synth.app.statuses import status_of, worst
from synth.app.targets import parse_target, read_target
from synth.app.workers import Cause, Channel, Failed, Finished, Job, Lost, Outcome, Pool
from synth.trusted.errors import ProgramError, SynthError, UsageError
from synth.views.console.errors import error_text
from synth.views.console.progress import Progress
from synth.views.results import COMMAND_LINE, PROGRAM, REFUTED, Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir

FOUND, NONE = 0, 3
_GRACE = 10.0


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str
    epsilon: str | None
    settings: tuple[str, ...]
    timeout: float
    json: bool


def run(options: Options) -> int:
    """Look for witnesses and print; the exit status.  Raises UsageError."""
    programs = read_target(parse_target(options.target), options.timeout)
    mechanisms = [_with_claim(item, options.epsilon) for item in programs.mechanisms]
    jobs = list(_jobs(mechanisms, options))
    statuses = [_said(error, options) for error in programs.errors]
    progress = Progress.on_terminal([item.name for item in mechanisms])
    pool = Pool(jobs, 1, options.timeout + _GRACE, progress.stage, progress.draw)
    results: list[Result] = []
    with closing(pool.outcomes()) as outcomes:
        try:
            for number, (mechanism, outcome) in enumerate(zip(mechanisms, outcomes, strict=True)):
                progress.done(number)
                progress.clear()
                if isinstance(outcome, Failed):
                    statuses.append(_said(outcome.error, options))
                    continue
                result = _result(mechanism, outcome, options.timeout)
                result = result.claimed_by(PROGRAM if options.epsilon is None else COMMAND_LINE)
                results.append(result)
                statuses.append(FOUND if result.verdict == REFUTED else NONE)
                if not options.json:
                    people(result)
                if isinstance(outcome, Lost) and outcome.cause is Cause.DEFECT:
                    statuses.append(_said(outcome.error(), options))
        finally:
            progress.clear()
    if options.json:
        print_json(results)
    return worst(statuses)


def _said(error: SynthError, options: Options) -> int:
    """Print an error; the exit status that it stands for."""
    print(error_text(error, with_source=not options.json), file=sys.stderr, flush=True)
    return status_of(error)


def _with_claim(mechanism: ir.Mechanism, epsilon: str | None) -> ir.Mechanism:
    from synth.trusted.frontend.claim import read_claim

    if epsilon is None:
        return mechanism
    try:
        return replace(mechanism, epsilon=read_claim(mechanism, epsilon))
    except ProgramError as error:
        raise UsageError(f"--epsilon for {mechanism.name}: {error.message}") from None


def _jobs(mechanisms: Sequence[ir.Mechanism], options: Options) -> Iterator[Job[dict[str, Any] | None]]:
    from synth.app.assignments import check_names, data_of, read_assignments
    from synth.refuter.exact.inputs import is_excluded

    values = read_assignments(options.settings, "--set")
    public = [item for mechanism in mechanisms for item in mechanism.parameters if item.metric is None]
    private = {item.name for mechanism in mechanisms for item in mechanism.parameters} - {
        item.name for item in public
    }
    for name in values:
        if name in private:
            raise UsageError(f"--set: '{name}' is private; only public parameters can be set")
    if mechanisms:
        check_names(values, public, "--set")
    for mechanism in mechanisms:
        own = [item for item in mechanism.parameters if item.metric is None]
        fixed = data_of(own, values)
        if is_excluded(mechanism, fixed):
            raise UsageError(f"--set: 'requires' of {mechanism.name} does not hold for these values")
        yield _job(mechanism, fixed, options.timeout)


def _job(mechanism: ir.Mechanism, fixed: Mapping[str, Any], seconds: float) -> Job[dict[str, Any] | None]:
    def work(channel: Channel) -> dict[str, Any] | None:
        channel.stage("searching for a witness")
        from synth.bounds.scales import check_defined
        from synth.refuter.search.search import refute

        check_defined(mechanism)
        witness = refute(mechanism, seconds=seconds, fixed=fixed)
        return None if witness is None else witness.json()

    return work


def _result(mechanism: ir.Mechanism, outcome: Outcome[dict[str, Any] | None], seconds: float) -> Result:
    from synth.views.blank import blank

    match outcome:
        case Finished(None, spent):
            reason = f"no witness was found within {seconds:g} s"
            if mechanism.epsilon is None:
                reason = "nothing is claimed; give a claim with --epsilon"
            return blank(mechanism, reason, spent)
        case Finished(witness, spent):
            return replace(blank(mechanism, None, spent), verdict=REFUTED, witness=witness)
    assert not isinstance(outcome, (Finished, Failed))
    return blank(mechanism, outcome.reason, outcome.seconds)


def people(result: Result) -> None:
    """Print for people."""
    from synth.views.console.results import Report, console

    Report(console()).result(result)
    sys.stdout.flush()
