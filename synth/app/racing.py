"""A proof and a counterexample, looked for beside each other: the first that is found is the answer."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from synth.app.cache import Cache
from synth.app.jobs import Options, job, seconds_to_refute, steps_to_refute
from synth.app.witnesses import Found, find, refuted
from synth.app.workers import Cause, Channel, Failed, Finished, Job, JobCrashed, Outcome, Pool, RelayedError
from synth.support.statistics import REFUTATION, Effort
from synth.trusted.errors import InternalError
from synth.views.blank import blank
from synth.views.results import PROVED, REFUTED, Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir

_PROOF, _REFUTATION = 0, 1

_HEAD_START_S, _HEAD_START_SHARE = 1.0, 1 / 6
"""Seconds of processor time that a proof has for itself, as half of them take no longer. Where others keep
the processor busy it has at the most this share of the time limit, by the clock.
"""

_LEAST_S = 5.0
"""Seconds for a counterexample after a proof that gave up, at the least."""

_BOUND_SHARE, _BOUND_LEAST_S, _HINTS_TIMEOUT_S = 0.25, 3.0, 4.0
"""Once a claim is refuted: how much longer the reason and a bound that can be proved are looked for, as a
share of the time that this took, and at the least; and seconds for what holds nearby."""


def is_refutable(mechanism: ir.Mechanism) -> bool:
    """Whether a mechanism claims something, and inputs can be looked for."""
    return mechanism.is_claimed and not mechanism.facts


def raced(mechanism: ir.Mechanism, options: Options, cache: Cache | None = None) -> Job[Result]:
    """The work on one mechanism that claims something, in two processes."""

    def prove(channel: Channel) -> Result:
        return job(mechanism, replace(options, beside=True), cache)(channel)

    def refute(channel: Channel) -> Found | None:
        return find(mechanism, options.timeout, steps=steps_to_refute(options.timeout))

    def work(channel: Channel) -> Result:
        def report(number: int, stage: str) -> None:
            if number == _PROOF:
                channel.stage(stage)

        pool: Pool[Result | Found | None] = Pool([prove, refute], 1, options.timeout, report)
        proof, witness = _ended(pool)
        if witness is None:
            return _value(proof)
        result = _with_effort(refuted(mechanism, _base(mechanism, proof), witness.value), witness.seconds)
        if cache is not None:
            cache.keep(mechanism, result)
        return result

    return work


def _ended(pool: Pool[Result | Found | None]) -> tuple[Outcome[Result], Finished[Found] | None]:
    """What became of the proof, and the witness, if there is one.

    Raises InternalError where there are both: one of them is wrong.  Raises RelayedError where the search
    for a witness has a defect, and there is no proof.
    """
    started, timeout = time.monotonic(), pool.timeout
    alone_until = started + _HEAD_START_SHARE * timeout
    proof: Outcome[Result] | None = None
    witness: Finished[Found] | None = None
    defect: JobCrashed | None = None

    def give_room() -> None:
        nonlocal alone_until
        now = time.monotonic()
        if now < alone_until and (pool.effort(_PROOF) >= _HEAD_START_S or pool.is_improving(_PROOF)):
            alone_until = now
        if now >= alone_until:
            pool.workers = 2

    pool.on_tick = give_room
    with closing(pool.ended()) as ended:
        for number, outcome in ended:
            if number == _PROOF:
                proof = cast(Outcome[Result], outcome)
                if not isinstance(proof, Finished) or proof.value.verdict in (PROVED, REFUTED):
                    break
                had = max(time.monotonic() - alone_until, 0.0)
                most = seconds_to_refute(timeout, hinted=bool(proof.value.hints))
                pool.timeout = max(most - had, _LEAST_S)
                pool.hasten(_REFUTATION, pool.timeout)
            elif isinstance(outcome, Finished) and outcome.value is not None:
                witness = cast(Finished[Found], outcome)
                more = max(_BOUND_SHARE * (time.monotonic() - started), _BOUND_LEAST_S)
                pool.hasten(_PROOF, more, _HINTS_TIMEOUT_S)
            elif isinstance(outcome, JobCrashed) and outcome.cause is Cause.DEFECT:
                defect = outcome
    assert proof is not None
    if defect is not None and not (isinstance(proof, Finished) and proof.value.verdict == PROVED):
        raise RelayedError(defect)
    if witness is not None and isinstance(proof, Finished) and proof.value.verdict == PROVED:
        raise InternalError("the claim was proved and refuted", "")
    return proof, witness


def _value(proof: Outcome[Result]) -> Result:
    """Raises the error of a proof that failed, and RelayedError."""
    match proof:
        case Finished(result):
            return result
        case Failed(error):
            raise error
        case crash:
            raise RelayedError(crash)


def _base(mechanism: ir.Mechanism, proof: Outcome[Result]) -> Result:
    """What is known beside the witness."""
    return proof.value if isinstance(proof, Finished) else blank(mechanism)


def _with_effort(result: Result, seconds: float) -> Result:
    """The result with the time that the witness took."""
    effort = result.effort or Effort({}, {})
    return replace(result, effort=replace(effort, phases={**effort.phases, REFUTATION: round(seconds, 4)}))
