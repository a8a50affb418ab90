"""synth.finite_precision: what the command says, as values."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import synth
from tests import ROOT
from tests.unit.app.invocation import invoke_apart

pytestmark = pytest.mark.usefixtures("loaded_hosts")

LAPLACE = f"{ROOT / 'benchmarks/refuted/laplace.py'}::laplace_half_real"
USUAL: dict[str, Any] = {"parameters": {"eps": Fraction(1, 2)}, "range": (-8, 8), "grid": "1/64"}


@pytest.fixture(scope="module")
def certificate() -> str:
    """Of a real with noise of scale 1/(2·eps), which is 2·eps-private."""
    found = synth.prove(LAPLACE, epsilon="2*eps")
    assert isinstance(found, synth.Proved)
    return found.certificate


def test_it_is_what_the_command_says(certificate: str, tmp_path: Path) -> None:
    path = tmp_path / "laplace.json"
    path.write_text(certificate, encoding="utf-8")
    usual = ("--set", "eps=1/2", "--range", "-8", "8", "--grid", "1/64", "--json")
    (row,) = invoke_apart("precision", path, *usual).results()
    found = synth.finite_precision(path, **USUAL)
    assert (found.verdict, found.mechanism) == (row["verdict"], row["mechanism"])
    assert list(found.epsilon or ()) == row["bound"]["epsilon_prime"]
    assert (found.exact_epsilon, found.sensitivity, found.scale) == (1, 1, 1)
    assert [item.name for item in found.conditions] == [item["name"] for item in row["bound"]["conditions"]]
    assert pickle.loads(pickle.dumps(found)) == found


def test_without_a_bound(certificate: str) -> None:
    wide = synth.finite_precision(certificate, **{**USUAL, "range": (-99, 99)})
    assert (wide.verdict, wide.epsilon) == ("unknown", None) and "Condition 3" in (wide.reason or "")
    unrounded = synth.finite_precision(certificate, **{**USUAL, "grid": None})
    assert (unrounded.verdict, unrounded.epsilon) == ("unbounded", None)


def test_what_is_not_proved_has_no_bound(certificate: str) -> None:
    data = json.loads(certificate)
    data["proved"]["epsilon"] = "0.0"
    with pytest.raises(synth.CertificateError, match="invalid"):
        synth.finite_precision(json.dumps(data), **USUAL)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"parameters": {"x": 1}}, "parameters: 'x' is private"),
        ({"parameters": {}}, "no value for eps"),
        ({"range": 8}, "range is a pair of numbers"),
        ({"grid": "wide"}, "grid: 'wide' is no number"),
        ({"format": "decimal"}, "no number format"),
        ({"format": 64}, "format is a text"),
        ({"query_error": True}, "query_error is a number"),
    ],
)
def test_arguments_are_checked(certificate: str, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(synth.UsageError, match=said):
        synth.finite_precision(certificate, **{**USUAL, **changed})
