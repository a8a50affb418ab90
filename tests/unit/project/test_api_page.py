"""docs/api.md: its examples work, and it names all that is public."""

from __future__ import annotations

import doctest
import inspect
import re
from functools import cached_property
from typing import Any

import pytest

import synth
from tests import ROOT

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
ERRORS = {name for name in synth.__all__ if name.endswith("Error")}
CLASSES = {name for name in synth.__all__ if inspect.isclass(getattr(synth, name))} - ERRORS
FUNCTIONS = set(synth.__all__) - CLASSES - ERRORS


def test_the_examples_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```", PAGE, re.S | re.M))
    test = doctest.DocTestParser().get_doctest(examples, {}, "api.md", "docs/api.md", 0)
    said: list[str] = []
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert result.attempted > 30 and not result.failed, "".join(said)


def _table(title: str) -> dict[str, set[str]]:
    """The names in backticks in the cells of a table below a heading, by the first of each row."""
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [re.findall(r"`(\w+)`", line) for line in section.splitlines() if line.startswith("| `")]
    return {row[0]: set(row[1:]) for row in rows}


def _public(kind: Any) -> set[str]:
    fields = set(getattr(kind, "__dataclass_fields__", {}))
    described = {
        name
        for base in kind.__mro__
        for name, value in vars(base).items()
        if isinstance(value, property | cached_property) or name == "verdict"
    }
    methods = {
        name for base in kind.__mro__[:-1] for name, value in vars(base).items() if inspect.isfunction(value)
    }
    return {name for name in fields | described | methods if not name.startswith("_")}


def test_results_have_the_attributes_that_are_named() -> None:
    assert _table("Results") == {name: _public(getattr(synth, name)) for name in CLASSES}


def test_errors_say_what_to_do() -> None:
    assert set(_table("Errors")) == ERRORS - {"SynthError"}
    assert all(len((getattr(synth, name).__doc__ or "").split("\n\n")) > 1 for name in ERRORS)


def test_all_names_are_there() -> None:
    names = PAGE.split("## All names\n")[1]
    assert set(re.findall(r"`synth\.(\w+)`", names)) - {"lang"} == FUNCTIONS
    assert dir(synth) == sorted(synth.__all__)
    with pytest.raises(AttributeError, match="no attribute 'proof'"):
        _ = synth.proof


def test_options_are_keyword_only() -> None:
    for name in FUNCTIONS:
        parameters = list(inspect.signature(getattr(synth, name)).parameters.values())
        most = 2 if name in ("probability", "lifting") else 1
        assert all(item.kind is item.KEYWORD_ONLY for item in parameters[most:]), name
