"""A certificate as what people and other tools read; nothing is checked."""

from __future__ import annotations

from pathlib import Path

from synth.app.alone import alone
from synth.app.workers import Channel
from synth.trusted.errors import CertificateError
from synth.trusted.kernel.check import Unreadable, parse
from synth.trusted.kernel.rejection import Rejected
from synth.trusted.kernel.terms import BadTerm
from synth.views.certificate.graph import graphs_text
from synth.views.certificate.latex import latex
from synth.views.certificate.smtlib import smtlib_files
from synth.views.certificate.steps import Reading, reading
from synth.views.certificate.text import text

TEXT, LATEX, GRAPH, SMTLIB = "text", "latex", "graph", "smtlib"
"""Formats; SMT-LIB is a folder of files."""

_DOCUMENTS = {TEXT: text, LATEX: latex, GRAPH: graphs_text}
_SECONDS = 3600.0


def read_certificate(path: Path, content: str) -> Reading:
    """The certificate with its program, valid or not; ``path`` is for messages.  Raises CertificateError."""
    try:
        return reading(parse(content))
    except Unreadable as error:
        raise CertificateError(f"{path}: no certificate: {error.message}") from None
    except (Rejected, BadTerm) as error:
        raise _refused(path, error) from None


def document(path: Path, source: Reading, form: str) -> str:
    """The certificate as text or LaTeX, or as the graphs of its program.  Raises CertificateError."""
    try:
        return _DOCUMENTS[form](source)
    except (Rejected, BadTerm) as error:
        raise _refused(path, error) from None


def scripts(path: Path, source: Reading, proofs: bool) -> dict[str, str]:
    """The side conditions as SMT-LIB files by name, with ``proofs`` also cvc5's proof objects.

    Raises CertificateError, and UnfinishedError where the solver takes too long.
    """
    return _from_worker(path, source) if proofs else _files(path, source, proofs)


def _files(path: Path, source: Reading, proofs: bool) -> dict[str, str]:
    from synth.views.certificate.proof_objects import proof_object

    try:
        return smtlib_files(source, proof_object if proofs else None)
    except (Rejected, BadTerm) as error:
        raise _refused(path, error) from None


def _from_worker(path: Path, source: Reading) -> dict[str, str]:
    """The files with proof objects, with solvers at work where they can be killed."""

    def work(channel: Channel) -> dict[str, str]:
        channel.stage("proving the side conditions")
        return _files(path, source, True)

    return alone(work, path.name, _SECONDS)


def _refused(path: Path, error: Rejected | BadTerm) -> CertificateError:
    return CertificateError(f"{path}: no certificate that can be exported: {error}")
