"""``synth export``: writes a certificate as what people and other tools read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from synth.app.exporting import SMTLIB, document, read_certificate, scripts
from synth.app.limited_check import read_proof
from synth.support.display import shown
from synth.support.files import unwritten, write_output
from synth.trusted.errors import UsageError
from synth.views.certificate.smtlib import INDEX
from synth.views.certificate.steps import Reading


@dataclass(frozen=True)
class Options:
    """What was asked for; ``proofs`` is about cvc5's proof objects."""

    certificate: Path
    format: str
    output: Path | None
    proofs: bool


def run(options: Options) -> int:
    """Export; the exit status.  Raises CertificateError and UsageError."""
    if options.proofs and options.format != SMTLIB:
        raise UsageError(f"--proofs goes with --to {SMTLIB}: only solvers' queries have proof objects")
    source = read_certificate(options.certificate, read_proof(options.certificate))
    if options.format == SMTLIB:
        _export_folder(options, source)
    else:
        _export_document(options, source)
    return 0


def _export_document(options: Options, source: Reading) -> None:
    content = document(options.certificate, source, options.format)
    if options.output is None:
        sys.stdout.write(content)
    elif os.path.isdir(options.output):
        raise UsageError(f"{options.output} is a folder, and --to {options.format} writes a file")
    else:
        write_output(options.output, content)


def _export_folder(options: Options, source: Reading) -> None:
    target = options.output or Path(f"{source.mechanism.name}.{SMTLIB}")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} exists already: name an empty or a new folder with --output")
    files = scripts(options.certificate, source, options.proofs)
    try:
        _write_folder(target, files)
    except OSError as error:
        raise unwritten(target, error) from None
    count = sum(name.endswith(".smt2") for name in files)
    proofs = f" and {sum(name.endswith('.cpc') for name in files)} proofs" if options.proofs else ""
    print(shown(f"{target}: {count} side conditions{proofs}, listed in {INDEX}"))


def _write_folder(target: Path, files: Mapping[str, str]) -> None:
    """All files in a folder of that name, or no folder.  Raises OSError."""
    with TemporaryDirectory(prefix=f".{target.name}.", dir=target.absolute().parent) as temporary:
        folder = Path(temporary) / target.name
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
        folder.replace(target)
