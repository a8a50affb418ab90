"""The files that hold certificates and witnesses."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from synth.trusted.errors import CertificateError

_MAX_FILE_BYTES = 32_000_000


def read_document(path: Path) -> str:
    """The text of a file that may hold a document.  Raises CertificateError."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CertificateError(f"{path}: can't be read: {error.strerror or error}") from None
    if len(data) > _MAX_FILE_BYTES:
        raise CertificateError(f"{path}: larger than {_MAX_FILE_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CertificateError(f"{path}: not UTF-8 text") from None


def refuse_witness(path: Path, text: str) -> None:
    """Raises CertificateError for a document that is a witness; ``path`` is for messages.

    Documents are untrusted, so this belongs into a process with limits.
    """
    from synth.trusted.json_reader import JsonError
    from synth.trusted.witness.check import read_witness

    with suppress(JsonError):
        if read_witness(text) is not None:
            raise CertificateError(f"{path}: a witness against a claim, and no proof (see synth check)")
