"""What notebooks show: escaped tables, formulas, plots, data frames."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import synth
from tests import ROOT
from tests.unit.app.invocation import FALSE, PROVED, UNKNOWN, Write

COIN = """
from synth.lang import *


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def coin(bit: bool, eps: float) -> bool:
    return randomized_response(bit, eps)
"""


TWO = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def two(x: int, n: int, eps: float) -> int:
    return laplace(x, scale=(1 + n * n) / eps)
"""


def table(write: Write, **options: Any) -> synth.Probabilities:
    """The probabilities of a coin."""
    return synth.probability(write("coin.py", COIN), {"bit": True, "eps": 1}, **options)


def test_a_proof_is_a_table_and_a_formula(write: Write) -> None:
    proof = synth.prove(write("proved.py", PROVED))
    assert isinstance(proof, synth.Proved)
    shown = proof._repr_html_()
    root = ElementTree.fromstring(shown)
    assert [item.text for item in root.iter("caption")] == ["couplings"]
    assert "laplace(x, 1/eps)" in shown and "script" not in shown
    formula = r"$\displaystyle \varepsilon = \mathit{eps}, \delta = 0$"
    assert proof._repr_latex_() == proof.bound._repr_latex_() == formula


def test_other_verdicts_are_shown(write: Write) -> None:
    assert "what is returned differs" in synth.prove(write("unknown.py", UNKNOWN))._repr_html_()
    refuted = synth.prove(write("false.py", FALSE))
    assert isinstance(refuted, synth.Refuted)
    assert "epsilon_at_least" in refuted._repr_html_()
    assert "valid" in synth.check(refuted.certificate)._repr_html_()
    assert "exponential" in synth.templates()[0]._repr_html_()


def test_what_others_wrote_is_escaped() -> None:
    reason = synth.Reason("<script>alert(1)</script>\u202e", 1, None, ("<i>",))
    found = synth.Unknown("<b>", "f.py", 1, None, None, 0.0, False, reason, None)
    shown = found._repr_html_()
    assert "<script" not in shown and "<b>" not in shown and "<i>" not in shown and "\u202e" not in shown
    assert "&lt;script&gt;" in shown


def test_a_plot_of_a_bound(write: Write) -> None:
    pytest.importorskip("matplotlib")
    proof = synth.prove(ROOT / "benchmarks/programs/above_threshold.py::above_threshold", epsilon="2*eps")
    assert isinstance(proof, synth.Proved)
    plot = proof.plot_bound("eps", between=(0.5, 2))
    titles = [
        item.text for item in ElementTree.fromstring(plot.svg).iter("{http://www.w3.org/2000/svg}title")
    ]
    assert titles == ["proved", "claimed"]
    assert plot._repr_svg_() == plot.svg
    for wrong in (("t", (2, 1)), ("nobody", (1, 2)), ("eps", (1, "x")), ("eps", (1, 2, 3))):
        with pytest.raises(synth.UsageError):
            proof.plot_bound(wrong[0], between=wrong[1])  # type: ignore[arg-type]


def test_a_parameter_needs_a_value(write: Write) -> None:
    pytest.importorskip("matplotlib")
    proof = synth.prove(write("two.py", TWO))
    assert isinstance(proof, synth.Proved)
    with pytest.raises(synth.UsageError, match="needs values of eps"):
        proof.plot_bound("n", between=(0, 3))
    with pytest.raises(synth.UsageError, match="no public parameter"):
        proof.plot_bound("n", between=(0, 3), values={"eps": 1, "x": 2})
    assert proof.plot_bound("n", between=(0, 3), values={"eps": 0.5}).svg


def test_probabilities_as_a_frame(write: Write) -> None:
    pytest.importorskip("pandas")
    frame = table(write, neighbour={"bit": False}).to_frame()
    assert list(frame["output"]) == [True, False]
    assert (frame["probability_left_at_least"] <= frame["probability_left_at_most"]).all()
    assert abs(frame["loss_at_most"][0] - 1) < 1e-9
    assert list(table(write).to_frame()) == ["output", "probability_at_least", "probability_at_most"]


def test_probabilities_as_a_plot_and_a_table(write: Write) -> None:
    pytest.importorskip("matplotlib")
    found = table(write, neighbour={"bit": False})
    assert ElementTree.fromstring(found.plot().svg) is not None
    rows = list(ElementTree.fromstring(found._repr_html_()).iter("tr"))
    assert len(rows) == 3


@pytest.mark.parametrize("module, call", [("pandas", "to_frame"), ("matplotlib.figure", "plot")])
def test_what_is_missing_is_said(
    write: Write, monkeypatch: pytest.MonkeyPatch, module: str, call: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(synth.UsageError, match="pip install "):
        getattr(table(write), call)()


@pytest.mark.slow
def test_a_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells of docs/notebooks.md, by a kernel."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, sys.path)]))
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    cells = [part.split("\n```")[0] for part in page.split("```python\n")[1:]]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    kinds = [set(output.get("data", {})) for cell in notebook.cells for output in cell.outputs]
    assert any({"text/html", "text/latex"} <= kind for kind in kinds)
    assert any("image/svg+xml" in kind for kind in kinds)
