"""Programs that once had a false proof, or were written to get one: none is proved at its claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.prover.costs.accounting import Accounting
from synth.prover.horn.solvers import solve_horn
from synth.prover.normal_form.structured_exits import normalize
from synth.prover.product.product import Product
from synth.prover.product.strategy import Case, Shift, Strategy
from synth.prover.prove import Proved, Unknown, prove
from synth.prover.templates.loading import load_templates, read_template
from synth.trusted.frontend.reader import read_source
from synth.trusted.program.dataflow import Analysis
from tests import ROOT
from tests.support.proving import from_file, names_in

ATTACKS = ROOT / "tests" / "soundness" / "programs" / "attacks"
FORGED = """
name = "laplace"
parameters = ["center", "scale"]
sorts = ["integer", "real"]
log_density = "-abs(v - center) / scale"
support = "true"
requirement = "scale > 0"
symmetric = true
source = "x"

[[couplings]]
name = "shift"
k = "center2 - center1"
relation = "v2 == v1 + center2 - center1"
requirement = "true"
distance = "abs(k + center1 - center2)"
source = "x"
"""


HEAVY = frozenset(
    {
        "entry_in_a_computing_loop",
        "loop_in_a_computing_loop",
        "one_more_round",
        "tail_and_noise",
        "until_positive",
        "variable_named_cost",
    }
)
"""Mechanisms that take many seconds."""


def _mechanisms() -> list[object]:
    return [
        pytest.param(path, name, id=f"{path.name}::{name}", marks=[pytest.mark.slow] if name in HEAVY else [])
        for path in sorted(ATTACKS.glob("*.py"))
        for name in names_in(path)
    ]


@pytest.mark.parametrize(("path", "name"), _mechanisms())
def test_false_claim(path: Path, name: str) -> None:
    """The claim is false, so whatever else is said, it isn't proved."""
    result = prove(from_file(path, name), load_templates())
    assert isinstance(result, Unknown), f"proved with {result.epsilon}"


def test_no_bound_is_inferred_below_the_loss() -> None:
    """Without a claim the same programs get a true bound or none; this one has a price of either sign."""
    text = (
        "from synth.lang import *\n"
        '@mechanism(adjacent={"x": absolute_distance(1)}, requires="n != 2")\n'
        "def either_sign(x: int, n: int) -> int:\n"
        "    if n > 2:\n"
        "        return laplace(x, scale=n - 2)\n"
        "    return laplace(x, scale=(2 - n) / 1000)\n"
    )
    (mechanism,) = read_source(text, "either_sign.py")
    assert not isinstance(prove(mechanism, load_templates()), Proved)


def test_a_free_shift_needs_an_account(tmp_path: Path) -> None:
    """A template whose couplings fix their shift gives no free one: by 0, say, at no cost.

    True loss: 1 for inputs 1 apart; 0, were the template's distance taken at its own shift.
    """
    path = tmp_path / "laplace.toml"
    path.write_text(FORGED, encoding="utf-8")
    text = (
        "from synth.lang import *\n"
        '@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0")\n'
        "def once(x: int) -> int:\n"
        "    return laplace(x, 1)\n"
    )
    (mechanism,) = (normalize(item) for item in read_source(text, "once.py"))
    strategy = Strategy(frozenset(), {0: (Case((), Shift(), None),)})
    for template in (read_template(path, {}), load_templates()["laplace"]):
        product = Product(
            mechanism, Analysis(mechanism), strategy, {"laplace": template}, Accounting({}, {}, {})
        )
        try:
            assert solve_horn(product.system(), 5000) is None
        except KeyError:
            assert template.path == str(path)
