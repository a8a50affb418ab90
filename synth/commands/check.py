"""``synth check``: a verdict on a proof (by the kernel) or on a witness, in a process that can be killed."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.commands.alone import ended
from synth.errors import CertificateError
from synth.workers import Cause, Channel, Failed, Finished, Lost, restrict

if TYPE_CHECKING:
    from synth.kernel.certificate import Certificate
    from synth.kernel.terms import Term

STATUS = {"valid": 0, "invalid": 1, "incomplete": 3}
"""Exit statuses by verdict."""

_LARGEST_FILE = 32_000_000

LIMITS = "Limits"
"""What is named instead of a rule where the check was ended."""


@dataclass(frozen=True)
class Limits:
    """What a check may take: seconds by the clock, MiB of memory beyond the checker's own.

    Without ``timeout`` it is processor time that counts: 10 s, and 1 s for each kB of the document past 10.
    """

    timeout: float | None = None
    memory: int = 1024

    def processor(self, size: int) -> float:
        """Seconds of processor time for a document of that size."""
        return self.timeout or min(max(10.0, size / 1000), 3600.0)

    def clock(self, size: int) -> float:
        """Seconds by the clock; more where others keep the processor busy."""
        return self.timeout or 6 * self.processor(size)

    def exceeded(self, lost: Lost, size: int) -> str:
        """Which limit ended the check.  Raises InternalError if it was none."""
        match lost.cause:
            case Cause.TIME:
                return f"no verdict within {self.processor(size):g} s, the limit of time (--timeout)"
            case Cause.MEMORY:
                return f"needs more than {self.memory:,} MiB, the limit of memory (--memory)"
            case Cause.DEPTH:
                return "nested too deeply for the checker, the limit of depth"
            case Cause.SIGNAL:
                return f"ended by the system; it may need more than {self.memory:,} MiB (--memory)"
        raise lost.error()


@dataclass(frozen=True)
class Row:
    """What was found out about one certificate; ``rule`` and ``place`` say where it fails.

    ``facts`` are what the program's author assumes of its functions.
    """

    certificate: str
    verdict: str
    mechanism: str | None
    epsilon: str | None
    delta: str | None
    claim: dict[str, str | None] | None
    rule: str | None
    place: str | None
    reason: str | None
    conditions: int
    solvers: tuple[str, ...]
    seconds: float
    facts: tuple[str, ...] = ()


def run(path: Path, solvers: tuple[str, ...], as_json: bool, limits: Limits) -> int:
    """Check and print; the exit status.  Raises CertificateError."""
    row = _checked(path, read_file(path), solvers, limits)
    if as_json:
        print(json.dumps({"results": [asdict(row)]}, indent=2))
    else:
        _print(row)
    return STATUS[row.verdict]


def read_file(path: Path) -> str:
    """The text of a certificate file.  Raises CertificateError."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise CertificateError(f"{path}: can't be read: {error.strerror or error}") from None
    if len(data) > _LARGEST_FILE:
        raise CertificateError(f"{path}: larger than {_LARGEST_FILE // 1_000_000} MB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CertificateError(f"{path}: not UTF-8 text") from None


def _checked(path: Path, text: str, solvers: tuple[str, ...], limits: Limits) -> Row:
    size = len(text)

    def work(channel: Channel) -> Row:
        channel.stage("checking the certificate")
        _load()
        restrict(limits.processor(size), limits.memory << 20)
        return _row(path, text, solvers)

    match ended(work, path.name, limits.clock(size)):
        case Finished(row):
            return row
        case Failed(error):
            raise error
        case lost:
            return _unfinished(path, solvers, limits.exceeded(lost, size), lost.seconds)


def _load() -> None:
    """Import what a check needs, so that the limit of memory is about the document alone."""
    import cvc5  # noqa: F401
    import flint  # noqa: F401
    import z3  # noqa: F401

    import synth.kernel.check
    import synth.refute.check.witness  # noqa: F401


def _unfinished(path: Path, solvers: tuple[str, ...], reason: str, seconds: float) -> Row:
    return Row(
        certificate=str(path),
        verdict="incomplete",
        mechanism=None,
        epsilon=None,
        delta=None,
        claim=None,
        rule=LIMITS,
        place="document",
        reason=reason,
        conditions=0,
        solvers=solvers,
        seconds=round(seconds, 3),
    )


def _row(path: Path, text: str, solvers: tuple[str, ...]) -> Row:
    """In the worker: the verdict of the kernel, or of the second method if it is a witness."""
    from synth.kernel.certificate import SCHEMA
    from synth.kernel.check import Unreadable, check

    witness = _witness(text)
    if witness is not None:
        return _row_of_witness(path, witness)
    started = time.monotonic()
    try:
        verdict = check(text, solvers)
    except Unreadable as error:
        raise CertificateError(f"{path}: no certificate: {error.message}") from None
    if verdict.rule == SCHEMA:
        raise CertificateError(f"{path}: no certificate: {verdict.place}: {verdict.reason}")
    found = verdict.certificate
    return Row(
        certificate=str(path),
        verdict=verdict.verdict,
        mechanism=found.mechanism if found else None,
        epsilon=_bound(found, found.epsilon) if found else None,
        delta=_bound(found, found.delta) if found else None,
        claim={"epsilon": found.claim_epsilon, "delta": found.claim_delta} if found else None,
        rule=verdict.rule,
        place=verdict.place,
        reason=verdict.reason,
        conditions=verdict.conditions,
        solvers=solvers,
        seconds=round(time.monotonic() - started, 3),
        facts=_facts(found) if found else (),
    )


def _facts(certificate: Certificate) -> tuple[str, ...]:
    from synth.kernel.check import read_mechanism

    return tuple(dict.fromkeys(fact.text for fact in read_mechanism(certificate).facts))


def _witness(text: str) -> dict[str, Any] | None:
    """The document if it is a witness against a claim; of anything else the kernel says what is wrong."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) and document.get("kind") == "witness" else None


def _row_of_witness(path: Path, document: dict[str, Any]) -> Row:
    from synth.refute.check.witness import VALID, check_witness

    started = time.monotonic()
    verdict = check_witness(document)
    return Row(
        certificate=str(path),
        verdict=verdict.verdict,
        mechanism=str(document.get("mechanism")),
        epsilon=None,
        delta=None,
        claim=None,
        rule=None if verdict.verdict == VALID else "Witness",
        place="witness",
        reason=verdict.reason,
        conditions=0,
        solvers=(),
        seconds=round(time.monotonic() - started, 3),
    )


def _bound(certificate: Certificate, term: Term) -> str:
    from synth.kernel.check import read_mechanism
    from synth.language.analysis import Analysis
    from synth.report.bounds import bound_text
    from synth.report.names import Names

    return bound_text(term, Names(Analysis(read_mechanism(certificate))).budgets())


def _print(row: Row) -> None:
    print(f"{row.certificate}: {row.verdict} ({row.seconds:.1f} s)")
    if row.rule is not None:
        print(f"  [{row.rule}] at {row.place}: {row.reason}")
        return
    if row.epsilon is None:
        print(f"  the witness refutes the claim of {row.mechanism}; the probabilities were computed again")
        return
    print(f"  {row.mechanism} is ({row.epsilon}, {row.delta})-differentially private")
    claimed = [f"{name} = {text}" for name, text in (row.claim or {}).items() if text is not None]
    if claimed:
        print(f"  claimed: {', '.join(claimed)}")
    if row.facts:
        print(f"  assumed of its functions, for all integers: {'; '.join(row.facts)}")
    print(f"  {row.conditions} side conditions, shown by {_named(row.solvers)}")


def _named(solvers: tuple[str, ...]) -> str:
    return "z3 or cvc5" if solvers == ("either",) else " and ".join(solvers)
