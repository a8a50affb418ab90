"""``synth export``: a certificate as what people and other tools read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from synth.app.commands.alone import alone
from synth.app.commands.check import read_proof
from synth.app.workers import Channel
from synth.support.display import shown
from synth.support.files import unwritten, write_output
from synth.trusted.errors import CertificateError, UsageError
from synth.trusted.kernel.check import Unreadable, parse
from synth.trusted.kernel.rejection import Rejected
from synth.trusted.kernel.terms import BadTerm
from synth.views.certificate.graph import graphs_text
from synth.views.certificate.latex import latex
from synth.views.certificate.smtlib import INDEX, smtlib_files
from synth.views.certificate.steps import Reading, reading
from synth.views.certificate.text import text

FOLDER = "smtlib"

_DOCUMENTS = {"text": text, "latex": latex, "graph": graphs_text}
_SECONDS = 3600.0


@dataclass(frozen=True)
class Options:
    """What was asked for; ``proofs`` is about cvc5's proof objects."""

    certificate: Path
    format: str
    output: Path | None
    proofs: bool


def run(options: Options) -> int:
    """Export; the exit status.  Raises CertificateError and UsageError."""
    if options.proofs and options.format != FOLDER:
        raise UsageError(f"--proofs goes with --to {FOLDER}: only solvers' queries have proof objects")
    content = read_proof(options.certificate)
    if options.format == FOLDER:
        _export_folder(options, content)
    else:
        _export_document(options, content)
    return 0


def _read(path: Path, content: str) -> Reading:
    """The certificate with its program, valid or not.  Raises CertificateError."""
    try:
        return reading(parse(content))
    except Unreadable as error:
        raise CertificateError(f"{path}: no certificate: {error.message}") from None
    except (Rejected, BadTerm) as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: Rejected | BadTerm) -> CertificateError:
    return CertificateError(f"{path}: no certificate that can be exported: {error}")


# --- documents ------------------------------------------------------------------------------


def _export_document(options: Options, content: str) -> None:
    source = _read(options.certificate, content)
    try:
        document = _DOCUMENTS[options.format](source)
    except (Rejected, BadTerm) as error:
        raise _refused(options.certificate, error) from None
    if options.output is None:
        sys.stdout.write(document)
    elif os.path.isdir(options.output):
        raise UsageError(f"{options.output} is a folder, and --to {options.format} writes a file")
    else:
        write_output(options.output, document)


# --- folders --------------------------------------------------------------------------------


def _export_folder(options: Options, content: str) -> None:
    source = _read(options.certificate, content)
    target = options.output or Path(f"{source.mechanism.name}.{FOLDER}")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} exists already: name an empty or a new folder with --output")
    files = _from_worker(options, source) if options.proofs else _files(options, source)
    try:
        _write_folder(target, files)
    except OSError as error:
        raise unwritten(target, error) from None
    scripts = sum(name.endswith(".smt2") for name in files)
    proofs = f" and {sum(name.endswith('.cpc') for name in files)} proofs" if options.proofs else ""
    print(shown(f"{target}: {scripts} side conditions{proofs}, listed in {INDEX}"))


def _files(options: Options, source: Reading) -> dict[str, str]:
    from synth.views.certificate.proof_objects import proof_object

    try:
        return smtlib_files(source, proof_object if options.proofs else None)
    except (Rejected, BadTerm) as error:
        raise _refused(options.certificate, error) from None


def _from_worker(options: Options, source: Reading) -> dict[str, str]:
    """The files, with solvers at work where they can be killed."""

    def work(channel: Channel) -> dict[str, str]:
        channel.stage("proving the side conditions")
        return _files(options, source)

    return alone(work, options.certificate.name, _SECONDS)


def _write_folder(target: Path, files: Mapping[str, str]) -> None:
    """All files in a folder of that name, or no folder.  Raises OSError."""
    with TemporaryDirectory(prefix=f".{target.name}.", dir=target.absolute().parent) as temporary:
        folder = Path(temporary) / target.name
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
        folder.replace(target)
