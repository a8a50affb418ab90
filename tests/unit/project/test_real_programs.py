"""The programs under ``benchmarks/real``: each has a specification, an origin, a truth, and runs."""

from __future__ import annotations

import ast
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[3] / "benchmarks" / "real"
SPECIFICATIONS: list[dict[str, Any]] = tomllib.loads((FOLDER / "privacy.toml").read_text())["mechanism"]
TRUTH: dict[str, Any] = tomllib.loads((FOLDER / "truth.toml").read_text())
RECORDS: dict[str, dict[str, Any]] = {entry["function"]: entry for entry in TRUTH["mechanism"]}


def test_each_mechanism_has_one_specification_and_one_truth() -> None:
    named = [entry["function"] for entry in SPECIFICATIONS]
    assert len(set(named)) == len(named)
    assert len(RECORDS) == len(TRUTH["mechanism"])
    assert set(named) == set(RECORDS)


def test_each_origin_is_stated_and_used() -> None:
    assert {entry["origin"] for entry in RECORDS.values()} == set(TRUTH["origin"])
    for origin in TRUTH["origin"].values():
        assert set(origin) == {"repository", "version", "licence"}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_a_truth_is_complete(record: dict[str, Any]) -> None:
    assert record["path"] and record["why"]
    assert len(record["shown"]) >= 2
    assert record["holds"] in (True, False)
    least = record.get("least", "0")
    assert least != "none" or not record["holds"]
    ast.parse(least, mode="eval")


@pytest.mark.parametrize("entry", SPECIFICATIONS, ids=[entry["function"] for entry in SPECIFICATIONS])
def test_a_specification_names_parameters_of_its_function(entry: dict[str, Any]) -> None:
    file, _, name = entry["function"].partition("::")
    parameters = _parameters(ast.parse((FOLDER / file).read_text()), name)
    stated = {*entry["types"], *entry.get("fixed", {})}
    assert {item.removeprefix("init.") for item in stated} <= parameters
    private = {name.strip() for names in entry["adjacent"] for name in names.split(",")}
    assert private <= set(entry["types"])


@pytest.mark.parametrize("function", RECORDS)
def test_it_runs(function: str) -> None:
    file = FOLDER / function.partition("::")[0]
    for library in ("numpy", "opendp"):
        if f"import {library}" in file.read_text():
            pytest.importorskip(library)
    namespace = runpy.run_path(str(file))
    eval(RECORDS[function]["run"], {"np": pytest.importorskip("numpy"), **namespace})


def _parameters(tree: ast.Module, name: str) -> set[str]:
    """All parameters of a function, or of a method and the ``__init__`` of its class or of a base class."""
    owner, _, method = name.rpartition(".")
    if not owner:
        return _names(
            next(item for item in tree.body if isinstance(item, ast.FunctionDef) and item.name == name)
        )
    classes = {item.name: item for item in tree.body if isinstance(item, ast.ClassDef)}
    found: set[str] = set()
    waiting = [owner]
    while waiting:
        item = classes[waiting.pop()]
        waiting += [base.id for base in item.bases if isinstance(base, ast.Name) and base.id in classes]
        for part in item.body:
            if isinstance(part, ast.FunctionDef) and part.name in ("__init__", method):
                found |= _names(part)
            elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                found.add(part.target.id)
    return found


def _names(node: ast.FunctionDef) -> set[str]:
    arguments = node.args
    return {item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
