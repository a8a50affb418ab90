"""Lies about mu, rho, and pairs of epsilon and delta: each field that has to do with them is changed, to each
of many values, and none of the documents is valid.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

import pytest

from synth.trusted.kernel import solvers
from synth.trusted.kernel.check import VALID, check
from synth.trusted.kernel.rules import finite_draws, laplace, whole
from tests.soundness.hunts.certificates import nodes
from tests.soundness.hunts.lies import BASES, Base
from tests.support.mutator import GONE, Path, changed

Data = dict[str, Any]

NUMBERS = ("0.0", "1.0", "(- 1.0)", "(/ 1.0 1000000.0)", "1000000.0", "(/ 1.0 0.0)")
COUNTS = ("0", "1", "(- 1)", "1000000")
FIELDS: dict[str, tuple[Any, ...]] = {
    "gaussian": (
        GONE,
        {"square": "0.0"},
        {"square": "0.0", "notion": "gdp"},
        {"square": "0.0", "notion": "zcdp"},
    ),
    "notion": (GONE, "gdp", "zcdp", "", "rdp", None, ["gdp"]),
    "square": (GONE, *NUMBERS, "(- OLD)", "(* 0.5 OLD)", "(* OLD OLD)"),
    "bound": (*COUNTS, "(- OLD)", "(- OLD 1)", "|cost#0|"),
    "sort": ("Int", "Real", "Bool"),
    "weight": (GONE, *NUMBERS, "(* 0.5 OLD)", "(- OLD)"),
    "delta": (GONE, "0", *NUMBERS, "(* 0.5 OLD)", "(- OLD)"),
    "epsilon": ("0", *NUMBERS, "(* 0.5 OLD)", "(- OLD)"),
    "order": (["x", True], ["x", False]),
    "k": ("null", "0", "1", "0.0", "1.0", "(- |x<1>| |x<2>|)", "(- |x#start<2>| |x#start<1>|)"),
    "within": (*NUMBERS, "(* 0.5 OLD)", "(- OLD)"),
    "cost": (GONE, "cost#0", "cost#1", "cost#2"),
    "of": (GONE, ["q", "0"], ["q", "|q#latest|"], ["q", "(+ 1 |q#latest|)"], ["x", "0"], ["out", "0"]),
    "amount": (GONE, "distance", "share", *COUNTS, "0.0", "1.0", "|cost#0|"),
}
"""What each field is changed to; OLD is what it was."""

OF_COSTS = ("sort", "square", "weight", "bound", "delta", "order")
OF_NODES = ("k", "within", "cost", "amount", "of")
FEW = 6
MILLISECONDS = 500
"""For one side condition: what takes longer is not accepted."""


NAMES = (
    "two coins",
    "uniform",
    "square",
    "histogram",
    "normal",
    "normal, integers",
    "normal twice",
    "normal parts",
    "normal and coins",
    "normal pairs",
    "mu",
    "mu twice",
    "rho of Laplace noise",
    "rho on integers",
    "rho of both",
    "rho of a choice",
    "rho of ten",
    "shares",
    "distances",
    "tail beside squares",
    "coin beside squares",
    "tail",
)
"""Certificates with squares, or with a delta that uses of noise pay."""


def base_of(name: str) -> Base:
    """The certificate of that name."""
    (found,) = (base for base in BASES if base.name == name)
    return found


@pytest.mark.slow
def test_all_of_them_are_tried() -> None:
    found = [base.name for base in BASES if '"square"' in base.text or '"delta": "(' in base.text]
    assert found == list(NAMES)


def fields(data: Data) -> Iterator[tuple[Path, str]]:
    """The places of the fields, those that are missing included.

    Where nothing is claimed, a document that says that it proves more is no lie any more.
    """
    claims = any(value is not None for value in data["claim"].values())
    for place in [(), *(("parts", number) for number in range(len(data.get("parts", ()))))]:
        part = data if not place else data["parts"][place[1]]
        yield (*place, "gaussian"), "gaussian"
        for name in ("square", "notion", *(() if place else ("epsilon", "delta"))):
            if "gaussian" in part:
                yield (*place, "gaussian", name), name
        for name in ("epsilon", "delta") if place or claims else ():
            yield (*place, "proved", name), name
        for cost in part.get("costs", {}):
            yield from (((*place, "costs", cost, name), name) for name in OF_COSTS)
    for path, node in nodes(data):
        if node["rule"] in ("Norm", "LapGen", "Choice"):
            yield from (((*path, name), name) for name in OF_NODES)


def at(data: Data, path: Path) -> Any:
    """What is there; GONE for nothing."""
    found: Any = data
    for key in path:
        if isinstance(found, dict) and key not in found:
            return GONE
        found = found[key]
    return found


def mutants(base: Base) -> Iterator[tuple[str, Data]]:
    """Each lie with one field changed, by a name."""
    for name, lie in base.lies.items():
        data = lie(base.data)
        for path, field in fields(data):
            old = at(data, path)
            for value in FIELDS[field]:
                new = value.replace("OLD", old) if isinstance(value, str) and isinstance(old, str) else value
                if new != old and not (isinstance(new, str) and "OLD" in new):
                    yield f"{name}, {path}: {new}", changed(data, path, new)


def refused(of: Iterator[tuple[str, Data]]) -> int:
    """How many there are; none is valid."""
    number = 0
    for name, data in of:
        number += 1
        assert check(json.dumps(data), milliseconds=MILLISECONDS).verdict != VALID, name
    return number


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "MILLISECONDS", MILLISECONDS)


def spread(of: list[tuple[str, Data]], number: int) -> Iterator[tuple[str, Data]]:
    """About so many of them, from all over."""
    return islice(of, len(of) // number // 2, None, max(1, len(of) // number))


@pytest.mark.parametrize("name", NAMES)
def test_some_lies_with_a_changed_field_are_refused(name: str) -> None:
    found = list(mutants(base_of(name)))
    assert refused(spread(found, FEW)) >= FEW


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_lies_with_a_changed_field_are_refused(name: str) -> None:
    assert refused(mutants(base_of(name))) >= FEW


def _any_noise(*_: object) -> bool:
    return True


def _nothing(*_: object) -> list[str]:
    return []


@pytest.mark.parametrize(
    ("module", "name", "wrong", "of"),
    [
        (laplace, "_sums_squares", _any_noise, "rho of Laplace noise"),
        (laplace, "square_at_most", lambda *_: "true", "rho of ten"),
        (finite_draws, "sums_squares", _any_noise, "rho of a choice"),
        (finite_draws, "_range_covered", lambda *_: "true", "rho of a choice"),
        (whole, "enough_of_concentrated", _nothing, "rho of ten"),
        (whole, "enough", _nothing, "mu"),
        (whole, "_summed", lambda *_: None, "rho of both"),
    ],
)
def test_a_hole_is_found(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, wrong: Callable[..., object], of: str
) -> None:
    """Without what is asked for some of them would be valid."""
    monkeypatch.setattr(module, name, wrong)
    base = base_of(of)
    lies = ((lie, base.lies[lie](base.data)) for lie in base.lies)
    assert any(
        check(json.dumps(data), milliseconds=MILLISECONDS).verdict == VALID
        for _, data in chain(lies, mutants(base))
    )
