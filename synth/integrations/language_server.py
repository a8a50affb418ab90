"""A language server: verdicts, bounds and couplings beside the lines of a program, each time it is saved.

It shows what ``synth prove --json`` says of the file; that runs beside it, and a newer save ends it.  What
was said of a text is not shown beside another one: it is gone with the first change, and with each save,
since the file may import what was saved.  Of a file with changes that aren't saved nothing is said.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from synth.integrations.annotations import Annotations, Label, Remark, Title, annotations_of

_SOURCE = "synth"
_END_OF_LINE = 10_000
"""A column behind every line: editors take the end of the line."""


@dataclass(frozen=True)
class Ready:
    """A process that loads what a proof needs, waits for what to prove, and writes down what it accepts."""

    process: asyncio.subprocess.Process
    written: IO[bytes]

    @staticmethod
    async def started() -> Ready:
        """Start it.  Nobody else can open the file that it writes."""
        written = TemporaryFile()  # noqa: SIM115, it is open as long as the process is
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "synth.app.ready", str(written.fileno())),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            pass_fds=[written.fileno()],
        )
        return Ready(process, written)

    def accepted(self) -> frozenset[str]:
        """The digests of documents that the kernel has accepted, once it has ended."""
        with self.written as file:
            file.seek(0)
            found = file.read()
        return frozenset(json.loads(found)) if found else frozenset()


class Server(LanguageServer):
    """The server, with what it has found out about each file, by its URI."""

    def __init__(self) -> None:
        super().__init__(_SOURCE, "1")
        self.found: dict[str, Annotations] = {}
        self.opened: set[str] = set()
        self.unsaved: set[str] = set()
        self.running: dict[str, asyncio.Task[None]] = {}
        self.ready: Ready | None = None
        self.accepted: frozenset[str] = frozenset()

    def prove(self, uri: str) -> None:
        """Begin to prove what is in a file, and end what is still at work on it."""
        self.outdate(uri)
        self.running[uri] = asyncio.create_task(self._prove(uri))

    def open(self, uri: str, text: str) -> None:
        """Begin to prove a file that is opened, unless the editor has another text of it than the disk."""
        self.opened.add(uri)
        if _is_text_of(uri, text):
            self.prove(uri)
        else:
            self.unsaved.add(uri)

    def change(self, uri: str) -> None:
        """Show nothing of a file until it is saved."""
        self.unsaved.add(uri)
        self.outdate(uri)

    def save(self, saved: str) -> None:
        """Begin to prove a file that was saved, and the others that are open: they may import it."""
        self.opened.add(saved)
        self.unsaved.discard(saved)
        for uri in sorted(self.opened - self.unsaved, key=lambda uri: (uri != saved, uri)):
            self.prove(uri)

    def outdate(self, uri: str) -> None:
        """Show no verdict about a text that is no longer that of the file."""
        if (task := self.running.pop(uri, None)) is not None:
            task.cancel()
        if self.found.pop(uri, None) is not None:
            self._refresh()

    def forget(self, uri: str) -> None:
        """Show nothing more of a file."""
        self.opened.discard(uri)
        self.unsaved.discard(uri)
        self.outdate(uri)
        self._publish(uri, ())

    async def _prove(self, uri: str) -> None:
        path = uris.to_fs_path(uri)
        if path is None:
            return
        said = await self._said_of(path, await self._taken())
        self.found[uri] = annotations_of(said, path)
        self._publish(uri, self.found[uri].remarks)
        self._refresh()
        if self.ready is None:
            made = await Ready.started()
            if self.ready is None:
                self.ready = made
            else:  # another save was quicker
                await made.process.communicate()

    async def _taken(self) -> Ready:
        """A process for the next proof: the one that is ready, if it still waits."""
        ready, self.ready = self.ready, None
        return ready if ready is not None and ready.process.returncode is None else await Ready.started()

    async def _said_of(self, path: str, ready: Ready) -> dict[str, Any]:
        """What ``synth prove`` says of a file, in a process that is ready for it."""
        told = json.dumps({"arguments": ["--json", path], "accepted": sorted(self.accepted)})
        try:
            output, _ = await ready.process.communicate(f"{told}\n".encode())
        except asyncio.CancelledError:
            with suppress(ProcessLookupError):
                ready.process.terminate()
            await ready.process.wait()
            raise
        self.accepted |= ready.accepted()
        try:
            said: dict[str, Any] = json.loads(output)
        except ValueError:
            return {"results": []}
        return said

    def _refresh(self) -> None:
        self.workspace_inlay_hint_refresh(None)
        self.workspace_code_lens_refresh(None)

    def _publish(self, uri: str, remarks: tuple[Remark, ...]) -> None:
        shown = [_diagnostic(item) for item in remarks]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown))


def _is_text_of(uri: str, text: str) -> bool:
    """Whether a file holds a text, but for how lines end."""
    path = uris.to_fs_path(uri)
    try:
        held = Path(path or "").read_bytes().decode("utf-8-sig")
    except (OSError, ValueError):
        return False
    return held.replace("\r\n", "\n") == text.removeprefix("\ufeff").replace("\r\n", "\n")


# --- in the words of the protocol -----------------------------------------------------------


def _diagnostic(remark: Remark) -> types.Diagnostic:
    start = types.Position(remark.line - 1, max(remark.column - 1, 0))
    return types.Diagnostic(
        range=types.Range(start, types.Position(remark.line - 1, _END_OF_LINE)),
        message=remark.text,
        severity=types.DiagnosticSeverity(remark.severity.value),
        code=remark.code,
        source=_SOURCE,
    )


def _hint(label: Label) -> types.InlayHint:
    return types.InlayHint(
        position=types.Position(label.line - 1, _END_OF_LINE),
        label=label.text,
        tooltip=label.more,
        padding_left=True,
    )


def _lens(title: Title) -> types.CodeLens:
    start = types.Position(title.line - 1, 0)
    return types.CodeLens(types.Range(start, start), types.Command(title.text, ""))


def server() -> Server:
    """Return a server that knows its features."""
    made = Server()

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.open(params.text_document.uri, params.text_document.text)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.change(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.save(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.forget(params.text_document.uri)

    @made.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        lines = range(params.range.start.line, params.range.end.line + 1)
        labels = ls.found.get(params.text_document.uri, Annotations()).labels
        return [_hint(label) for label in labels if label.line - 1 in lines]

    @made.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        return [_lens(title) for title in ls.found.get(params.text_document.uri, Annotations()).titles]

    return made
