"""What pages show is what commands print; programs of the gallery have the verdicts that are meant."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from tests import ROOT
from tests.unit.app.invocation import invoke

DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
GALLERY = sorted((ROOT / "examples" / "gallery").glob("*.py"))


@pytest.fixture(scope="module")
def shown() -> ModuleType:
    """The module ``docs/shown_commands.py``."""
    return _module()


def _module() -> ModuleType:
    spec = spec_from_file_location("shown_commands", DOCS / "shown_commands.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("page", _module().pages(), ids=lambda page: page.stem)
def test_what_a_page_shows_is_printed(shown: ModuleType, page: Path) -> None:
    _, problems = shown.run(page)
    assert not problems, "\n".join([f"python docs/shown_commands.py --write {page}", *problems])


def test_times_and_what_is_left_out_are_not_compared(shown: ModuleType) -> None:
    printed = ["noisy: proved (1.2 s)", "  line 1", "  line 2", "  assumes this and that"]
    assert shown.matches(("noisy: proved (0.3 s)", "  …", "  assumes … that"), printed)
    assert shown.matches(tuple(printed), printed)
    assert not shown.matches(("noisy: refuted (0.3 s)", "  …"), printed)
    assert not shown.matches(("noisy: proved (0.3 s)", "  line 1"), printed)
    assert not shown.matches(("noisy: proved (0.3 s)", "  line 2", "  …"), printed)


def test_commands_of_a_block(shown: ModuleType) -> None:
    commands = list(shown.commands("$ one --more\nline\n\n$ two\n"))
    assert [(item.line, item.shown) for item in commands] == [("one --more", ("line",)), ("two", ())]


def test_a_file_of_a_page_is_that_of_the_examples(
    shown: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "a.txt").write_text("one\n", encoding="utf-8")
    monkeypatch.setattr(shown, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\nThis is `a.txt`:\n\n```text\ntwo\n```\n\n```console\n$ cat a.txt\nthree\n```\n", "utf-8"
    )
    text, problems = shown.run(page)
    assert problems == ["a.txt differs from the file in examples/", "$ cat a.txt\ntwo"]
    assert text.endswith("$ cat a.txt\ntwo\n```\n")


@pytest.mark.slow
@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_programs_of_the_gallery(path: Path) -> None:
    done = invoke("prove", path, "--timeout", "200")
    assert (done.status, "broken" in path.stem) in ((0, False), (1, True)), done.out


def test_the_gallery_shows_all_its_programs() -> None:
    shown = re.findall(
        r"literalinclude. \.\./examples/gallery/(.*)", (DOCS / "gallery.md").read_text("utf-8")
    )
    assert sorted(shown) == [path.name for path in GALLERY]


def test_links_of_the_readme_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(targets) > 20
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.slow
def test_the_readme_shows_what_its_first_command_prints(
    shown: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    printed = (
        invoke("prove", "benchmarks/programs/above_threshold.py::above_threshold").out.rstrip().split("\n")
    )
    (block,) = re.findall(r"^```\n(above_threshold: .*?)\n```", README, re.S | re.M)
    assert shown.matches(tuple(block.split("\n")), printed)
