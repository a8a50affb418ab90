"""The allow-list contract refuses each import that it doesn't name."""

from __future__ import annotations

from typing import Any

import pytest
from grimp import ImportGraph

from tests.import_contracts import AllowListContract


def _graph(*imports: tuple[str, str]) -> ImportGraph:
    graph = ImportGraph()
    for module in ("app", "app.low", "app.low.one", "app.low.two", "app.lower", "app.high", "app.high.one"):
        graph.add_module(module)
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    return graph


def _refused(*imports: tuple[str, str], **options: Any) -> list[tuple[str, str]]:
    chosen = {"importers": ["app.low"], **options}
    contract = AllowListContract("low", {"root_packages": ["app"]}, chosen)
    check = contract.check(_graph(*imports), verbose=False)
    assert check.kept is not bool(check.metadata["found"])
    return list(check.metadata["found"])


@pytest.mark.parametrize("imported", ["app.high", "app.high.one", "app.lower", "app", "numpy"])
def test_what_is_not_named_is_refused(imported: str) -> None:
    assert _refused(("app.low.one", imported)) == [("app.low.one", imported)]


@pytest.mark.parametrize("imported", ["app.low.two", "app.low", "json", "collections"])
def test_itself_and_the_standard_library_are_open(imported: str) -> None:
    assert _refused(("app.low.one", imported)) == []


def test_what_is_named_is_open() -> None:
    assert _refused(("app.low.one", "app.high.one"), allowed=["app.high"]) == []
    assert _refused(("app.low.one", "app.lower"), allowed=["app.high"]) == [("app.low.one", "app.lower")]
    assert _refused(("app.low", "numpy"), libraries=["numpy"]) == []
    assert _refused(("app.high.one", "app.low.one")) == []


def test_exceptions_are_single_imports() -> None:
    exception = ["app.low.one -> app.high"]
    assert _refused(("app.low.one", "app.high"), ignore_imports=exception) == []
    found = _refused(("app.low.one", "app.high"), ("app.low.two", "app.high"), ignore_imports=exception)
    assert found == [("app.low.two", "app.high")]


def test_a_package_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"app\.gone"):
        _refused(importers=["app.gone"])
