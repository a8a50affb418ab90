"""CONTRIBUTING.md and docs/guides: the files and names that they mention exist, and so do linked pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.named import defined, file_of, spans

PAGES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
PATH = re.compile(r"[\w.-]+(?:/[\w.-]*)+|[\w-]+\.(?:md|toml)")
"""Paths with a folder, and names of docs and templates."""
ELSEWHERE = {"kernel/prices.py", "kernel/weights.py"}
"""Names of files as they were in a commit that a page quotes."""


def _references() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for span in spans(page.read_text(encoding="utf-8")):
            path = re.split(r"::?", span)[0]
            if PATH.fullmatch(path) and path not in ELSEWHERE:
                yield page.name, span


@pytest.mark.parametrize(("page", "span"), sorted(set(_references())))
def test_what_a_page_names_exists(page: str, span: str) -> None:
    path, _, names = span.partition("::") if "::" in span else span.partition(": ")
    file = file_of(path)
    assert file is not None, f"no file {path}"
    missing = [name for name in names.split(", ") if name and name not in defined(file)]
    assert not missing, f"{path} defines no {missing}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), target


def test_each_guide_is_linked() -> None:
    text = PAGES[0].read_text(encoding="utf-8")
    assert len(PAGES) > 1 and all(f"docs/guides/{page.name}" in text for page in PAGES[1:])
