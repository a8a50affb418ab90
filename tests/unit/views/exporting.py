"""Certificates for the tests of exports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from synth.trusted.kernel.check import parse
from synth.views.certificate.steps import Reading, reading
from tests.support.cores import with_core

GOLDEN = Path(__file__).parent / "golden"
MECHANISMS = (
    "above_threshold",
    "exponential_by_noise",
    "gaussian_integers",
    "gaussian_twice",
    "k_rr",
    "rappor",
    "stable_count",
    "told_or_noisy",
    "walk",
)

ODD_NAMES = """from synth.lang import *


@mechanism(adjacent={"größe_1": absolute_distance(1)}, requires="ε_0 > 0", epsilon="ε_0")
def läuft_100(größe_1: int, ε_0: float) -> int:
    for _ in range(3):  # 50% of $5 & #1 {^_^} \\\\ ~
        pass
    return laplace(größe_1, scale=1 / ε_0)
"""

Json = dict[str, Any]


def golden(name: str) -> str:
    """The text of a golden certificate."""
    return (GOLDEN / f"{name}.json").read_text(encoding="utf-8")


def golden_reading(name: str) -> Reading:
    """A golden certificate with its program."""
    return reading(parse(golden(name)))


def edited(name: str, edit: Callable[[Json], object]) -> str:
    """A golden certificate with a change."""
    data: Json = json.loads(golden(name))
    edit(data)
    return json.dumps(data)


def odd_names() -> str:
    """A certificate full of letters that TeX takes for itself, or does not have."""
    skip: list[Json] = [{"rule": "Skip"}]
    nothing: Json = {"rule": "Seq", "premises": []}
    leave: Json = {"rule": "Seq", "premises": [{"rule": "Exit"}]}
    body = [{"rule": "Cond", "premises": [leave, nothing]}, {"rule": "Assn"}, {"rule": "Assn"}]
    loop: Json = {"rule": "While", "invariant": [], "equal": [], "premises": [_seq(body)]}
    draw: Json = {"rule": "LapGen", "k": "0", "within": "1.0", "cost": "cost#0", "amount": "1"}
    start: list[Json] = [{"rule": "Assn"}, {"rule": "Block", "premises": [_seq([loop])]}]
    return json.dumps(
        with_core(
            {
                "format": "synth coupling proof",
                "version": 2,
                "tools": {"synth": "\\input{/etc/passwd} % ⟨ł"},
                "program": {
                    "text": ODD_NAMES,
                    "sha256": hashlib.sha256(ODD_NAMES.encode()).hexdigest(),
                    "mechanism": "läuft_100",
                },
                "claim": {"epsilon": "ε_0", "delta": None},
                "proved": {"epsilon": "|ε_0<>|", "delta": "0"},
                "costs": {"cost#0": {"sort": "Int", "weight": "|ε_0<>|", "bound": "1"}},
                "events": {},
                "entries": {},
                "safety": {},
                "derivation": _seq([*start, *skip, *skip, draw, {"rule": "Return"}]),
            }
        )
    )


def _seq(premises: list[Json]) -> Json:
    return {"rule": "Seq", "premises": premises}
