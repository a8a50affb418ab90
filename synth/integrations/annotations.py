"""What an editor shows beside the lines of a program: from the JSON of ``synth prove`` to plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

Said = Mapping[str, Any]
"""An object of the JSON."""


class Severity(Enum):
    """How bad a remark is; the values are those of the Language Server Protocol."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3


@dataclass(frozen=True)
class Remark:
    """A sentence about a place; lines count from 1, columns too, and 0 stands for the whole line."""

    line: int
    column: int
    severity: Severity
    code: str
    text: str


@dataclass(frozen=True)
class Label:
    """What stands at the end of a line, like a coupling and its cost; ``more`` is for who points at it."""

    line: int
    text: str
    more: str


@dataclass(frozen=True)
class Title:
    """What stands above the first line of a mechanism."""

    line: int
    text: str


@dataclass(frozen=True)
class Annotations:
    """All that is shown beside a file."""

    remarks: tuple[Remark, ...] = ()
    labels: tuple[Label, ...] = ()
    titles: tuple[Title, ...] = ()


_SEVERITIES = {"refuted": Severity.ERROR, "unknown": Severity.WARNING}


def annotations_of(said: Said, path: str) -> Annotations:
    """What to show of all that ``synth prove --json`` says of the file at a path."""
    results = said["results"]
    return Annotations(
        remarks=(
            *(_refusal(item, path) for item in said.get("errors", ())),
            *(remark for item in results for remark in _remarks(item)),
        ),
        labels=tuple(label for item in results for label in _labels(item)),
        titles=tuple(Title(item["line"], verdict(item)) for item in results),
    )


def verdict(result: Said) -> str:
    """The verdict with its bound: ``proved, epsilon = eps``."""
    found = str(result["verdict"])
    if found == "refuted":
        return f"refuted, {_bound(result['claim'])}"
    return f"{found}, {_bound(result)}" if found == "proved" else found


def _bound(item: Said) -> str:
    bounds = {name: item.get(name) for name in ("epsilon", "delta", "gdp", "zcdp")}
    some = (name for name, bound in bounds.items() if bound is not None and (name, bound) != ("delta", "0"))
    return ", ".join(f"{name} = {bounds[name]}" for name in some)


def _refusal(error: Said, path: str) -> Remark:
    """Why something can't be read; what is wrong in another file is shown in the first line."""
    message, line = error["message"], error.get("line") or 1
    if error.get("file", path) != path:
        return Remark(1, 0, Severity.ERROR, error["code"], f"{error['file']}:{line}: {message}")
    return Remark(line, error.get("column") or 0, Severity.ERROR, error["code"], message)


def _remarks(result: Said) -> Iterator[Remark]:
    """Why a mechanism is not proved."""
    severity = _SEVERITIES.get(result["verdict"])
    if severity is None:
        return
    sentences = [
        verdict(result),
        result["reason"],
        _after("why it matters: ", result["matters"]),
        _after("what to do: ", result["advice"]),
        *result["hints"],
        _witness(result["witness"]),
    ]
    line, column = result["reason_line"] or result["line"], result["reason_column"] or 0
    code = result["code"] or result["verdict"]
    yield Remark(line, column, severity, code, "\n".join(item for item in sentences if item))


def _after(what: str, text: str | None) -> str | None:
    return None if text is None else what + text


def _witness(witness: Said | None) -> str | None:
    if witness is None:
        return None
    left, right = (", ".join(f"{k} = {v}" for k, v in witness[side].items()) for side in ("left", "right"))
    return f"two adjacent inputs: {left}; {right}"


def _labels(result: Said) -> Iterator[Label]:
    for site in result["sites"]:
        cases = site["cases"]
        short = " | ".join(f"{item['coupling']} {item['k']}, costs {item['cost']}" for item in cases)
        more = "\n".join(
            f"{item['when']}: {item['coupling']}, k = {item['k']}, costs {item['cost']}" for item in cases
        )
        yield Label(site["line"], short, f"{site['draw']}\n{more}")
    for loop in result["loops"]:
        yield Label(loop["line"], "invariant", "\n".join(loop["conjuncts"]))
