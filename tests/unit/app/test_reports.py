"""``synth prove --report`` and ``synth export --to html``: which pages are written, and which are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.app.invocation import FALSE, PROVED, UNKNOWN, UNREADABLE, Run, Write


def test_a_page_for_each_mechanism_and_a_list_of_all(run: Run, write: Write, tmp_path: Path) -> None:
    for name, text in (("p", PROVED), ("u", UNKNOWN), ("f", FALSE), ("w", UNREADABLE)):
        write(f"programs/{name}.py", text)
    done = run("prove", tmp_path / "programs", "--report", tmp_path / "pages")
    assert done.status == 4
    assert f"pages: {tmp_path}/pages/index.html" in done.out
    names = {item.name for item in (tmp_path / "pages").iterdir()}
    assert names == {"index.html", "noisy.html", "bare.html", "too_little.html"}
    listed = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    assert re.findall('<tr data-verdict="([^"]*)"', listed) == ["not read", "refuted", "proved", "unknown"]
    assert "epsilon" in listed
    proof = (tmp_path / "pages" / "noisy.html").read_text(encoding="utf-8")
    assert "The proof was checked by the kernel just now." in proof
    assert "less than what is claimed" in proof


def test_two_mechanisms_of_one_name_and_one_called_index(run: Run, write: Write, tmp_path: Path) -> None:
    for folder in "ab":
        write(f"programs/{folder}.py", PROVED.replace("noisy", "index"))
    run("prove", tmp_path / "programs", "--report", tmp_path / "pages")
    names = {item.name for item in (tmp_path / "pages").iterdir()}
    assert names == {"index.html", "index-2.html", "index-3.html"}


def test_a_file_in_the_place_of_the_folder(run: Run, write: Write, tmp_path: Path) -> None:
    program, taken = write("p.py", PROVED), write("taken", "mine")
    done = run("prove", program, "--report", taken)
    assert done.status == 2 and "pages go into a folder" in done.err
    assert taken.read_text(encoding="utf-8") == "mine"


def test_no_page_is_written_through_a_link(run: Run, write: Write, tmp_path: Path) -> None:
    program, other = write("p.py", PROVED), write("other.txt", "mine")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "noisy.html").symlink_to(other)
    done = run("prove", program, "--report", tmp_path / "pages")
    assert "it is a link" in done.err and done.status != 0
    assert other.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("text", "said"), [(PROVED, "Proved: differentially private"), (FALSE, "Refuted: not")]
)
def test_a_document_as_a_page(run: Run, write: Write, tmp_path: Path, text: str, said: str) -> None:
    run("prove", write("p.py", text), "--certificate", tmp_path / "document.json")
    done = run("export", tmp_path / "document.json", "--to", "html", "--output", tmp_path / "page.html")
    assert done.status == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert said in page
    assert "Whether it is valid says synth check, not this page." in page
    assert "checked by the kernel" not in page and "checked just now" not in page
    assert re.findall('<span class="badge [^>]*>([^<]*)<', page) == ["not checked"]
    assert "A document that says: " in page


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '{"kind": "witness"}',
        '{"kind": "witness", "witness": 1}',
        '{"kind": "witness", "witness": {}, "program": "def f(): pass", "mechanism": "f"}',
    ],
)
def test_what_is_no_document_has_no_page(run: Run, write: Write, text: str) -> None:
    done = run("export", write("document.json", text), "--to", "html")
    assert done.status == 4 and done.out == ""
    assert "no document" in done.err or "no certificate" in done.err


def test_a_witness_that_lacks_something_has_no_page(run: Run, write: Write, tmp_path: Path) -> None:
    run("prove", write("p.py", FALSE), "--certificate", tmp_path / "document.json")
    text = (tmp_path / "document.json").read_text(encoding="utf-8")
    for name in ("parameters", "left", "output", "epsilon", "probability_left"):
        done = run("export", write("broken.json", text.replace(f'"{name}"', '"other"')), "--to", "html")
        assert done.status == 4, name
