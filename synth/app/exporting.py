"""A certificate as what people and other tools read; nothing is checked.

Documents are read, and what is made of them is written, in a process with limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from synth.app.document_files import refuse_witness
from synth.app.limited import Limits, limited
from synth.trusted.errors import CertificateError, UnfinishedError

TEXT, LATEX, HTML, GRAPH, SMTLIB, ROCQ = "text", "latex", "html", "graph", "smtlib", "rocq"
"""Formats; SMT-LIB is a folder of files."""

_MAX_LETTERS = 100_000_000
"""Letters of all that is written."""

_PROVING_S = 3600.0
"""Seconds by the clock for proof objects, where none are given."""

T = TypeVar("T")


@dataclass(frozen=True)
class Scripts:
    """The side conditions of a mechanism's proof as files by name."""

    mechanism: str
    files: dict[str, str]


def document(path: Path, content: str, form: str, limits: Limits, brief: bool = False) -> str:
    """The certificate as text, LaTeX or a page, or the graphs of its program; ``path`` is for messages.

    A page is also made of a witness. ``brief`` leaves the derivation out of text and LaTeX.

    Raises CertificateError, and UnfinishedError where a limit is reached.
    """
    if form == HTML:
        return _exported_page(path, content, limits)
    return exported(path, content, limits, "exporting it", lambda: _document(content, form, brief))


def scripts(path: Path, content: str, proofs: bool, limits: Limits) -> Scripts:
    """The side conditions as SMT-LIB files, with ``proofs`` also cvc5's proof objects.

    Raises CertificateError, and UnfinishedError where a limit is reached.
    """
    if not proofs:
        return exported(path, content, limits, "exporting it", lambda: _scripts(content, False))
    longer = replace(limits, timeout=limits.timeout or _PROVING_S)
    return exported(path, content, longer, "proving the side conditions", lambda: _scripts(content, True))


def _exported_page(path: Path, content: str, limits: Limits) -> str:
    """The page; one with less on it where all takes too long.  Raises as :func:`document`."""

    def export(full: bool) -> str:
        return exported(
            path, content, limits, "exporting it", lambda: _page(path, content, full), of_proof=False
        )

    try:
        return export(full=True)
    except UnfinishedError:
        return export(full=False)


def exported(
    path: Path, content: str, limits: Limits, stage: str, export: Callable[[], T], *, of_proof: bool = True
) -> T:
    """What is made of a document, in a process with limits.  Raises as :func:`document`."""

    def work() -> T:
        if of_proof:
            refuse_witness(path, content)
        with _refusals(path):
            found = export()
        size = len(found) if isinstance(found, str) else 0
        if isinstance(found, Scripts):
            size = sum(map(len, found.files.values()))
        if size > _MAX_LETTERS:
            raise UnfinishedError(
                f"{path}: the export has more than {_MAX_LETTERS:,} letters, the most allowed"
            )
        return found

    return limited(limits, path, len(content), stage, work)


# --- in the worker --------------------------------------------------------------------------


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Turns what is wrong with a certificate into CertificateError."""
    from synth.trusted.kernel.check import Unreadable
    from synth.trusted.logic.rejection import Rejected
    from synth.trusted.logic.terms import BadTerm

    try:
        yield
    except Unreadable as error:
        raise CertificateError(f"{path}: no certificate: {error.message}") from None
    except (Rejected, BadTerm) as error:
        raise CertificateError(f"{path}: no certificate that can be exported: {error}") from None


def _document(content: str, form: str, brief: bool) -> str:
    from synth.trusted.kernel.check import parse
    from synth.views.certificate.graph import graphs_text
    from synth.views.certificate.latex import latex
    from synth.views.certificate.steps import reading
    from synth.views.certificate.text import text

    source = reading(parse(content))
    return (
        graphs_text(source.of_every_record())
        if form == GRAPH
        else {TEXT: text, LATEX: latex}[form](source, brief)
    )


def _page(path: Path, content: str, full: bool) -> str:
    from synth.app.reports import page_of_document

    return page_of_document(content, lambda why: CertificateError(f"{path}: no document: {why}"), full)


def _scripts(content: str, proofs: bool) -> Scripts:
    from synth.trusted.kernel.check import parse
    from synth.views.certificate.proof_objects import proof_object
    from synth.views.certificate.smtlib import smtlib_files
    from synth.views.certificate.steps import reading

    source = reading(parse(content))
    return Scripts(source.mechanism.name, smtlib_files(source, proof_object if proofs else None))
