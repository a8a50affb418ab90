"""``synth check``: prints the verdict on a proof (by the kernel) or on a witness."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.app.checking import PROGRAM, PROOF, VALID, WHOSE, WITNESS, Question, Row
from synth.app.document_files import read_document
from synth.app.limited import Limits
from synth.app.limited_check import check
from synth.support.display import MAX_LETTERS, shown
from synth.trusted.frontend.claim import Claim
from synth.views.assumptions import specification_text, unread_text
from synth.views.formats.json_object import print_results

if TYPE_CHECKING:
    from synth.app.rocq import Accepted

STATUS = {"valid": 0, "invalid": 1, "incomplete": 3}
"""Exit statuses by verdict."""


@dataclass(frozen=True)
class ByRocq:
    """What Rocq is asked, beside the kernel: to compile it, and to have coqchk read what was compiled."""

    coqchk: bool


def run(path: Path, question: Question, as_json: bool, limits: Limits, rocq: ByRocq | None = None) -> int:
    """Check and print; the exit status.  Raises CertificateError, UsageError, UnfinishedError."""
    content = read_document(path)
    row = check(path, content, question, limits)
    if not as_json:
        _print(row)
    found = None
    if rocq is not None and row.verdict == VALID and row.kind == PROOF:
        found = _compiled(path, content, limits, rocq)
        if not as_json:
            _print_compiled(found)
    if as_json:
        result = asdict(row) | ({} if rocq is None else {"rocq": None if found is None else asdict(found)})
        print_results([result], STATUS[row.verdict])
    return STATUS[row.verdict]


def _compiled(path: Path, content: str, limits: Limits, rocq: ByRocq) -> Accepted:
    """Raises CertificateError, UsageError, UnfinishedError."""
    from synth.app.rocq import compiled, rocq_text

    return compiled(path, rocq_text(path, content, limits), limits.timeout, rocq.coqchk)


def _print_compiled(found: Accepted) -> None:
    checked = ", and coqchk what was compiled" if found.coqchk else ""
    print(shown(f"  Rocq accepts statement and proof{checked} ({found.seconds:.1f} s)"))
    for axiom in found.axioms:
        print(shown(f"    rests on {axiom}"))


# --- for people -----------------------------------------------------------------------------


def _print(row: Row) -> None:
    print(shown(f"{row.certificate}: {row.verdict} ({row.seconds:.1f} s)"))
    if row.rule is not None:
        print(shown(f"  [{row.rule}] at {row.place}: {row.reason}", MAX_LETTERS))
    elif row.kind == PROOF:
        print(shown(f"  {row.mechanism} is {_privacy(row)}"))
    for line in (*_claim(row), *_program(row), *_evidence(row)):
        print(shown(f"  {line}", MAX_LETTERS))
    if row.core is not None:
        from synth.views.console.programs import numbered, write_listing
        from synth.views.console.results import console

        write_listing(console(), "core program", numbered(row.core))
        if row.judged is not None:
            heading = f"program that is judged, after {', '.join(row.steps)}"
            write_listing(console(), heading, numbered(row.judged))


def _privacy(row: Row) -> str:
    if row.gdp is not None:
        return f"Gaussian differentially private (GDP), mu = {row.gdp}"
    if row.zcdp is not None:
        return f"zero-concentrated differentially private (zCDP), rho = {row.zcdp}"
    return f"({row.epsilon}, {row.delta})-differentially private"


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
        if row.stated is not None:
            yield f"stated of it: {row.stated}"
        yield f"the program's SHA-256 is {row.sha256}"
    if row.specification is not None:
        yield f"stated beside it: {specification_text(row.specification)}"
        yield from _other_files(row.specification)
    if row.unread and row.rule is None:
        says = "" if row.file is not None else ", as the document says"
        yield f"{unread_text(row.unread)}{says}"
    if row.file is not None:
        yield f"it is what {row.file} holds, whose SHA-256 is {row.file_sha256}"


def _other_files(stated: Mapping[str, object]) -> Iterator[str]:
    files = stated.get("files")
    for name, text in files.items() if isinstance(files, Mapping) else ():
        yield f"the SHA-256 of {name} is {hashlib.sha256(str(text).encode()).hexdigest()}"


def _evidence(row: Row) -> Iterator[str]:
    yield from row.inputs
    yield from (f"assumes that {item}" for item in row.models)
    if row.facts:
        yield f"assumed of its functions, for all integers: {'; '.join(row.facts)}"
    if row.found is not None:
        yield from _recomputed(row.found)
    elif row.rule is None:
        yield f"{row.conditions} side conditions, shown by {_named(row.solvers)}"
        yield from (f"rests on {item}" for item in row.rests_on)


def _recomputed(found: Mapping[str, Any]) -> Iterator[str]:
    if "epsilon" in found:
        pair = f"epsilon {found['epsilon']:.6g} and delta {found['delta']:.6g}"
        yield f"the claim implies {pair}, which these probabilities violate"
    yield "the probabilities were computed again:"
    for side, end in (("left", "probability_left"), ("right", "probability_right")):
        yield f"  on the {side} {found[end][0]} to {found[end][1]}"
    least = found["epsilon_at_least"]
    yield "no epsilon is enough" if least is None else f"epsilon must be at least {least}"


def _named(solvers: tuple[str, ...]) -> str:
    return "z3 or cvc5" if solvers == ("either",) else " and ".join(solvers)
