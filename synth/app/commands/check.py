"""``synth check``: a verdict on a proof (by the kernel) or on a witness, in a process that can be killed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from synth.app.commands.alone import ended
from synth.app.commands.checking import PROGRAM, PROOF, WHOSE, WITNESS, Program, Question, Row, checked
from synth.app.targets import parse_target
from synth.app.workers import Cause, Channel, Failed, Finished, Lost, restrict
from synth.support.display import LONGEST, json_text, shown
from synth.trusted.errors import CertificateError, UsageError
from synth.trusted.frontend.claim import Claim

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
                what = "of processor time" if self.timeout is None else "by the clock"
                return f"no verdict within {self.processor(size):g} s {what}, the limit of time (--timeout)"
            case Cause.MEMORY:
                return f"needs more than {self.memory:,} MiB, the limit of memory (--memory)"
            case Cause.DEPTH:
                return "nested too deeply for the checker, the limit of depth"
            case Cause.SIGNAL:
                return f"ended by the system; it may need more than {self.memory:,} MiB (--memory)"
        raise lost.error()


def run(path: Path, question: Question, as_json: bool, limits: Limits) -> int:
    """Check and print; the exit status.  Raises CertificateError, UsageError."""
    row = _checked(path, read_file(path), question, limits)
    if as_json:
        print(json_text({"results": [asdict(row)]}))
    else:
        _print(row)
    return STATUS[row.verdict]


def read_program(target: str) -> Program:
    """What a certificate must be about: ``FILE`` or ``FILE::NAME``.  Raises ProgramError, UsageError."""
    from synth.trusted.frontend.reader import read_text

    found = parse_target(target)
    if found.path.is_dir():
        raise UsageError(f"--program {found.path}: it is a folder")
    return Program(found.path, read_text(found.path), found.name)


def read_proof(path: Path) -> str:
    """The text of a file that may hold a proof.  Raises CertificateError, also for a witness."""
    from synth.trusted.json_reader import JsonError
    from synth.trusted.witness.check import read_witness

    text = read_file(path)
    with suppress(JsonError):
        if read_witness(text) is not None:
            raise CertificateError(f"{path}: a witness against a claim, and no proof (see synth check)")
    return text


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


def _checked(path: Path, text: str, question: Question, limits: Limits) -> Row:
    size = len(text)

    def work(channel: Channel) -> Row:
        channel.stage("checking the certificate")
        _load()
        restrict(limits.processor(size), limits.memory << 20)
        return checked(path, text, question)

    match ended(work, path.name, limits.clock(size)):
        case Finished(row):
            return row
        case Failed(error):
            raise error
        case lost:
            return Row(
                certificate=str(path),
                verdict="incomplete",
                rule=LIMITS,
                place="document",
                reason=limits.exceeded(lost, size),
                solvers=question.solvers,
                seconds=round(lost.seconds, 3),
            )


def _load() -> None:
    """Import what a check needs, so that the limit of memory is about the document alone."""
    import cvc5  # noqa: F401
    import flint  # noqa: F401
    import z3  # noqa: F401

    import synth.trusted.kernel.check
    import synth.trusted.witness.check  # noqa: F401


# --- for people -----------------------------------------------------------------------------


def _print(row: Row) -> None:
    print(shown(f"{row.certificate}: {row.verdict} ({row.seconds:.1f} s)"))
    if row.rule is not None:
        print(shown(f"  [{row.rule}] at {row.place}: {row.reason}", LONGEST))
    elif row.kind == PROOF:
        print(shown(f"  {row.mechanism} is ({row.epsilon}, {row.delta})-differentially private"))
    for line in (*_claim(row), *_program(row), *_evidence(row)):
        print(shown(f"  {line}", LONGEST))


def _claim(row: Row) -> Iterator[str]:
    """Which claim was compared with, and whose it is."""
    if row.claim_of is None or row.claim is None:
        return
    claim, whose = Claim(**row.claim), WHOSE[row.claim_of]
    whose += f" ({row.claim_note})" if row.claim_note else ""
    if row.rule is None and row.kind == WITNESS:
        yield f"refuted: {whose}, {claim}"
    else:
        yield f"{'claimed' if row.rule is None and row.claim_of == PROGRAM else whose}: {claim}"


def _program(row: Row) -> Iterator[str]:
    if row.sha256 is not None:
        yield f"line {row.line}: {row.header}"
        yield f"the program's SHA-256 is {row.sha256}"


def _evidence(row: Row) -> Iterator[str]:
    if row.facts:
        yield f"assumed of its functions, for all integers: {'; '.join(row.facts)}"
    if row.found is not None:
        yield from _recomputed(row.found)
    elif row.rule is None:
        yield f"{row.conditions} side conditions, shown by {_named(row.solvers)}"


def _recomputed(found: Mapping[str, Any]) -> Iterator[str]:
    yield "the probabilities were computed again:"
    for side, end in (("left", "probability_left"), ("right", "probability_right")):
        yield f"  on the {side} {found[end][0]} to {found[end][1]}"
    least = found["epsilon_at_least"]
    yield "no epsilon is enough" if least is None else f"epsilon must be at least {least}"


def _named(solvers: tuple[str, ...]) -> str:
    return "z3 or cvc5" if solvers == ("either",) else " and ".join(solvers)
