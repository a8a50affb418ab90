"""An editor that opens and saves a program file is told what ``synth prove`` says of it."""

import asyncio
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from synth.integrations.language_server import Server

T = TypeVar("T")

HEAD = "from synth.lang import *\n\n\n"
PROGRAM = """\
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy(x: int, eps: float) -> int:
    return laplace(x, 1 / eps)
"""
SAFETY_S = 120


class Editor(LanguageClient):
    """A client that keeps the diagnostics of each publication."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda said: self.published.put_nowait(said))
        self.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(lambda _: None)
        self.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda _: None)

    async def diagnostics(self) -> list[types.Diagnostic]:
        return list((await soon(self.published.get())).diagnostics)


async def soon(result: Awaitable[T]) -> T:
    return await asyncio.wait_for(result, SAFETY_S)


async def opened(path: Path) -> Editor:
    editor = Editor()
    await editor.start_io(sys.executable, "-m", "synth.integrations.serving")
    await soon(editor.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities())))
    editor.initialized(types.InitializedParams())
    item = types.TextDocumentItem(path.as_uri(), types.LanguageKind.Python, 1, path.read_text())
    editor.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return editor


def saved(editor: Editor, path: Path, text: str) -> None:
    path.write_text(text)
    document = types.TextDocumentIdentifier(path.as_uri())
    editor.text_document_did_save(types.DidSaveTextDocumentParams(document))


async def closed(editor: Editor) -> None:
    await soon(editor.shutdown_async(None))
    editor.exit(None)
    await soon(editor.stop())


def test_verdicts_couplings_and_refusals_follow_what_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + PROGRAM)
    document = types.TextDocumentIdentifier(path.as_uri())
    everywhere = types.Range(types.Position(0, 0), types.Position(100, 0))

    async def session() -> None:
        editor = await opened(path)
        assert await editor.diagnostics() == []
        lenses = await soon(editor.text_document_code_lens_async(types.CodeLensParams(document)))
        assert lenses is not None
        assert [lens.command and lens.command.title for lens in lenses] == ["proved, epsilon = eps"]
        hints = await soon(editor.text_document_inlay_hint_async(types.InlayHintParams(document, everywhere)))
        assert hints is not None
        assert [(hint.position.line, hint.label) for hint in hints] == [(5, "shift 0, costs eps")]

        saved(editor, path, HEAD + PROGRAM.replace("1 / eps", "1 / (2 * eps)"))
        (refuted,) = await editor.diagnostics()
        assert refuted.severity == types.DiagnosticSeverity.Error
        assert refuted.message.startswith("refuted, epsilon = eps\n")

        saved(editor, path, HEAD + PROGRAM.replace("laplace(x", "laplce(x"))
        (misspelt,) = await editor.diagnostics()
        assert (misspelt.range.start.line, misspelt.range.start.character) == (5, 11)
        assert "laplce" in misspelt.message
        await closed(editor)

    asyncio.run(session())


def test_a_text_that_has_changed_has_no_verdict(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEAD + PROGRAM)
    document = types.TextDocumentIdentifier(path.as_uri())

    async def session() -> None:
        editor = await opened(path)
        assert await editor.diagnostics() == []
        change = types.TextDocumentContentChangeWholeDocument(HEAD + PROGRAM.replace("1 / eps", "0.1 / eps"))
        newer = types.VersionedTextDocumentIdentifier(2, path.as_uri())
        editor.text_document_did_change(types.DidChangeTextDocumentParams(newer, [change]))
        lenses = await soon(editor.text_document_code_lens_async(types.CodeLensParams(document)))
        assert not lenses
        await closed(editor)

    asyncio.run(session())


def test_a_file_is_proved_again_when_what_it_imports_is_saved(tmp_path: Path) -> None:
    helper, path = tmp_path / "helper.py", tmp_path / "program.py"
    helper.write_text("FACTOR = 1\n")
    path.write_text(HEAD + "from helper import FACTOR\n" + PROGRAM.replace("1 / eps", "FACTOR / eps"))

    async def session() -> None:
        editor = await opened(path)
        assert await editor.diagnostics() == []
        saved(editor, helper, "FACTOR = 0.5\n")
        found = await editor.diagnostics() + await editor.diagnostics()
        assert "refuted, epsilon = eps" in [item.message.partition("\n")[0] for item in found]
        await closed(editor)

    asyncio.run(session())


class Recorded(Server):
    """A server that only notes what it would prove."""

    def __init__(self) -> None:
        super().__init__()
        self.proved: list[str] = []

    def prove(self, uri: str) -> None:
        self.proved.append(uri)


def test_a_file_with_changes_that_are_not_saved_is_not_proved_when_another_one_is_saved(
    tmp_path: Path,
) -> None:
    """What is on the disk would be proved, and shown beside the changed text."""
    uris = []
    for name in ("one.py", "other.py"):
        (tmp_path / name).write_text(PROGRAM)
        uris.append((tmp_path / name).as_uri())
    made = Recorded()
    for uri in uris:
        made.open(uri, PROGRAM.replace("\n", "\r\n"))
    made.change(uris[0])
    made.save(uris[1])
    assert made.proved == [*uris, uris[1]]
    made.save(uris[0])
    assert made.proved[3:] == uris


def test_a_file_that_is_opened_with_changes_is_not_proved(tmp_path: Path) -> None:
    """An editor may have kept them from the session before."""
    (tmp_path / "p.py").write_text(PROGRAM)
    uri = (tmp_path / "p.py").as_uri()
    made = Recorded()
    made.open(uri, PROGRAM.replace("1 / eps", "0.1 / eps"))
    assert made.proved == []
    made.save(uri)
    assert made.proved == [uri]
