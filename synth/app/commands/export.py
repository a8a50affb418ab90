"""``synth export``: writes a certificate as what people and other tools read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from synth.app.document_files import read_document
from synth.app.exporting import LATEX, ROCQ, SMTLIB, TEXT, document, scripts
from synth.app.limited import Limits
from synth.support.display import shown
from synth.support.files import unwritten, write_output
from synth.trusted.errors import UsageError
from synth.views.certificate.smtlib import INDEX


@dataclass(frozen=True)
class Options:
    """What was asked for; ``proofs`` is about cvc5's proof objects, ``brief`` leaves the derivation out."""

    certificate: Path
    format: str
    output: Path | None
    proofs: bool
    limits: Limits
    brief: bool = False


def run(options: Options) -> int:
    """Export; the exit status.  Raises CertificateError, UsageError, UnfinishedError."""
    if options.proofs and options.format != SMTLIB:
        raise UsageError(f"--proofs goes with --to {SMTLIB}: only solvers' queries have proof objects")
    if options.brief and options.format not in (TEXT, LATEX):
        raise UsageError(f"--brief goes with --to {TEXT} or {LATEX}: it leaves out the derivation")
    content = read_document(options.certificate)
    if options.format == SMTLIB:
        _export_folder(options, content)
    else:
        _export_document(options, content)
    return 0


def _export_document(options: Options, content: str) -> None:
    if options.format == ROCQ:
        written = _for_rocq(options, content)
    else:
        written = document(options.certificate, content, options.format, options.limits, options.brief)
    if options.output is None:
        sys.stdout.write(written)
    elif os.path.isdir(options.output):
        raise UsageError(f"{options.output} is a folder, and --to {options.format} writes a file")
    else:
        write_output(options.output, written)


def _for_rocq(options: Options, content: str) -> str:
    """The file, which Rocq accepts.  Without a compiler nobody knows, and that is said."""
    from synth.app.rocq import accepted_text, has_compiler

    written = accepted_text(options.certificate, content, options.limits)
    if not has_compiler():
        unknown = "not compiled, since there is no coqc here: whether Rocq accepts the proof is not known"
        print(shown(f"{options.certificate}: {unknown}"), file=sys.stderr)
    return written


def _export_folder(options: Options, content: str) -> None:
    if options.output is not None:
        _require_free(options.output)
    found = scripts(options.certificate, content, options.proofs, options.limits)
    target = options.output or Path(f"{found.mechanism}.{SMTLIB}")
    _require_free(target)
    try:
        _write_folder(target, found.files)
    except OSError as error:
        raise unwritten(target, error) from None
    count = sum(name.endswith(".smt2") for name in found.files)
    proofs = f" and {sum(name.endswith('.cpc') for name in found.files)} proofs" if options.proofs else ""
    print(shown(f"{target}: {count} side conditions{proofs}, listed in {INDEX}"))


def _require_free(target: Path) -> None:
    """Raises UsageError where something would be overwritten."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} exists already: name an empty or a new folder with --output")


def _write_folder(target: Path, files: Mapping[str, str]) -> None:
    """All files in a folder of that name, or no folder.  Raises OSError."""
    with TemporaryDirectory(prefix=f".{target.name}.", dir=target.absolute().parent) as temporary:
        folder = Path(temporary) / target.name
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
        folder.replace(target)
