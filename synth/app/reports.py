"""Pages about mechanisms in a folder, one for each, with a list of all: ``index.html``."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.limited import Limits, outcome
from synth.app.workers import Finished
from synth.support.files import file_name, unwritten, write_output
from synth.trusted.errors import CertificateError, ProgramError, SynthError, UsageError
from synth.views.html.model import IndexRow
from synth.views.html.pages import (
    CHECKED,
    NOT_CHECKED,
    UNREAD,
    WITNESS_CHECKED,
    Extras,
    Program,
    index,
    index_row,
    page,
)
from synth.views.html.rendering import render_index, render_page
from synth.views.results import PROVED, REFUTED, UNKNOWN, Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir

INDEX = "index.html"
_STANDING = {PROVED: CHECKED, REFUTED: WITNESS_CHECKED, UNKNOWN: ""}
_NOTHING_MORE = "Nothing more is shown: it could not be worked out in time."


@dataclass
class Reports:
    """A folder that is being filled; ``title`` is what was asked for."""

    folder: Path
    title: str
    rows: list[IndexRow] = field(default_factory=list)
    taken: set[str] = field(default_factory=lambda: {INDEX})

    @staticmethod
    def into(folder: Path | None, title: str) -> Reports | None:
        """None if no pages are wanted.  Raises UsageError where there is a file of that name."""
        if folder is None:
            return None
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"--report {folder}: it is a file, and pages go into a folder")
        return Reports(folder, title)

    def add(self, mechanism: ir.Mechanism, result: Result) -> Path:
        """Write the page of a mechanism.  Raises OutputError."""
        name = self._free(result.mechanism)
        self.rows.append(index_row(result, name))
        text = _page_of_result(mechanism, result)
        return self._write(name, text)

    def refused(self, error: SynthError) -> None:
        """Note what can't be read; there is no page about it."""
        path, line, function = "", 0, ""
        if isinstance(error, ProgramError):
            path, line, function = error.path, error.line or 0, error.function or ""
        name = function or os.path.basename(path) or "?"
        self.rows.append(IndexRow(name, path, line, UNREAD, "", error.message, ""))

    def close(self) -> Path:
        """Write the list of all.  Raises OutputError."""
        return self._write(INDEX, render_index(index(self.title, self.rows)))

    def _write(self, name: str, text: str) -> Path:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritten(self.folder, error) from None
        write_output(self.folder / name, text)
        return self.folder / name

    def _free(self, name: str) -> str:
        """A file name that no other page of this call has, in whatever case of letters."""
        stem, number = file_name(name), 2
        found = f"{stem}.html"
        while found.casefold() in self.taken:
            found, number = f"{stem}-{number}.html", number + 1
        self.taken.add(found.casefold())
        return found


def _page_of_result(mechanism: ir.Mechanism, result: Result) -> str:
    """The page; one with less on it where something can't be worked out in time, or at all."""
    program = Program(mechanism.source, mechanism.lines)

    def rendered(extras: Extras) -> str:
        return render_page(page(result, program, extras, _STANDING[result.verdict], INDEX))

    size = len(result.proof or "")
    for full in (True, False):
        work = partial(lambda full: rendered(_extras(mechanism, result, full)), full)
        found = outcome(Limits(), result.mechanism, size, "writing its page", work)
        if isinstance(found, Finished):
            return found.value
    return rendered(Extras(without_runs=_NOTHING_MORE))


def _extras(mechanism: ir.Mechanism, result: Result, full: bool) -> Extras:
    from synth.app.page_extras import of_proof, of_witness

    if result.verdict == REFUTED and result.witness is not None:
        return of_witness(mechanism if full else None, result.witness)
    if result.verdict == PROVED and result.proof is not None:
        return of_proof(result.proof, result.sites, full)
    return Extras()


# --- a document -----------------------------------------------------------------------------


def page_of_document(content: str, refused: Callable[[str], CertificateError], full: bool = True) -> str:
    """The page of a certificate or a witness, which is not checked; ``full`` with what takes long.

    Raises what ``refused`` makes of what is wrong with it, and Rejected, Unreadable, BadTerm.
    """
    from synth.trusted.json_reader import JsonError
    from synth.trusted.witness.check import read_witness

    try:
        witness = read_witness(content)
    except JsonError as error:
        raise refused(str(error)) from None
    try:
        return _of_certificate(content, full) if witness is None else _of_witness(witness, full)
    except (ProgramError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise refused(f"something is missing, or has another form: {error}") from None


def _of_certificate(content: str, full: bool) -> str:
    from synth.app.checking import mechanism_in
    from synth.app.page_extras import of_proof
    from synth.trusted.kernel.check import parse
    from synth.views.certificate.report import proved, with_table

    certificate, mechanism = parse(content), mechanism_in(content)
    if mechanism is None:
        raise ValueError("its program can't be read")
    result = replace(with_table(proved(mechanism, certificate, content), certificate), file="")
    extras = of_proof(content, result.sites, full)
    return render_page(page(result, Program(mechanism.source, mechanism.lines), extras, NOT_CHECKED))


def _of_witness(document: dict[str, object], full: bool) -> str:
    from synth.app.page_extras import of_witness
    from synth.trusted.witness.check import mechanism_of
    from synth.views.assumptions import assumptions_of_witness
    from synth.views.blank import blank

    mechanism, witness = mechanism_of(document), document["witness"]
    if not isinstance(witness, dict):
        raise ValueError("'witness' is no object")
    result = replace(
        blank(mechanism),
        verdict=REFUTED,
        witness=witness,
        assumptions=assumptions_of_witness(mechanism),
        file="",
    )
    extras = of_witness(mechanism if full else None, witness)
    return render_page(page(result, Program(mechanism.source, mechanism.lines), extras, NOT_CHECKED))
