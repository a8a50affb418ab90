"""``synth probability --plot``: an SVG that XML parsers read, with every output and its loss."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from synth.views.plots import Bar, Plot, svg
from tests.unit.app.invocation import Run, Write

pytest.importorskip("matplotlib")

SVG = "{http://www.w3.org/2000/svg}"

COIN = """
from synth.lang import *


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0", epsilon="eps")
def coin(bit: bool, eps: float) -> bool:
    return randomized_response(bit, 2 * eps)


@mechanism(adjacent={"x": absolute_distance(8)}, requires="eps > 0", epsilon="eps")
def scaled(x: int, eps: float) -> int:
    return x + 8 * laplace(0, 1 / eps)


@mechanism(epsilon="0")
def wide(n: int) -> int:
    return uniform_int(0, n)
"""


def texts(content: str) -> list[str]:
    """What the plot says: labels, and the titles of its parts."""
    root = ElementTree.fromstring(content)
    return [item.text or "" for item in root.iter() if item.tag in (f"{SVG}text", f"{SVG}title")]


def outputs(content: str) -> list[str]:
    """The names of the outputs, from left to right."""
    ticks = [
        part for part in ElementTree.fromstring(content).iter(f"{SVG}g") if "xtick_" in part.get("id", "")
    ]
    return [item.text or "" for part in ticks for item in part.iter(f"{SVG}text")]


def bars(content: str, group: str) -> list[tuple[float, float]]:
    """Height on the page and width of each bar of a group, in the order of outputs and inputs."""
    found = []
    for part in ElementTree.fromstring(content).iter(f"{SVG}g"):
        if part.get("id", "").partition(".")[0] == group:
            (path,) = part.iter(f"{SVG}path")
            xs, ys = ([float(item) for item in re.findall(r"[\d.]+", path.attrib["d"])][i::2] for i in (0, 1))
            found.append((max(ys) - min(ys), max(xs) - min(xs)))
    return found


def test_two_inputs_side_by_side(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "coin.svg"
    program = f"{write('coin.py', COIN)}::coin"
    given = ("--input", "bit=True", "--input", "eps=1", "--neighbour", "bit=False")
    shown = run("probability", program, *given, "--plot", target)
    assert shown.status == 0 and shown.out == run("probability", program, *given).out
    said = texts(target.read_text(encoding="utf-8"))
    assert "coin, eps = 1" in said and "left: bit = True" in said and "right: bit = False" in said
    assert "left: bit = True: True: 0.880797" in said and "True: loss 2" in said and "False: loss -2" in said
    assert "claimed ε" in said and "ε = 1" in said


def test_one_input(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "coin.svg"
    program = f"{write('coin.py', COIN)}::coin"
    outcome = run(
        "probability", program, "--input", "bit=True", "--input", "eps=1", "--plot", target, "--json"
    )
    assert outcome.status == 0 and outcome.results()[0]["mechanism"] == "coin"
    said = texts(target.read_text(encoding="utf-8"))
    assert "probability: False: 0.119203" in said
    assert not any("loss" in item or "claimed" in item for item in said)


def test_impossible_outputs_have_an_infinite_loss(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "scaled.svg"
    program = f"{write('coin.py', COIN)}::scaled"
    given = ("--input", "x=1", "--input", "eps=1", "--neighbour", "x=2")
    outcome = run("probability", program, *given, "--plot", target)
    assert outcome.out.splitlines()[1].split() == ["1", "0.462117", "0", "inf"]
    said = texts(target.read_text(encoding="utf-8"))
    assert "1: loss inf" in said and "2: loss -inf" in said and "∞" in said and "−∞" in said
    labels = outputs(target.read_text(encoding="utf-8"))
    assert labels.index("-7") < labels.index("1") < labels.index("9")  # by number, not by probability


def test_where_no_plot_can_be_written(run: Run, write: Write, tmp_path: Path) -> None:
    command = ("probability", f"{write('coin.py', COIN)}::coin", "--input", "bit=True", "--input", "eps=1")
    outcome = run(*command, "--plot", tmp_path / "coin.png")
    assert outcome.status == 2 and outcome.err.startswith("synth: error: --plot ") and outcome.out == ""
    assert not (tmp_path / "coin.png").exists()
    target = tmp_path / "missing" / "coin.svg"
    outcome = run(*command, "--plot", target)
    assert outcome.status == 74 and outcome.out == run(*command).out
    assert outcome.err == f"synth: error: {target}: can't be written: there is no folder {target.parent}\n"


def test_a_folder_is_no_plot(run: Run, write: Write, tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()
    program = f"{write('coin.py', COIN)}::coin"
    outcome = run(
        "probability", program, "--input", "bit=True", "--input", "eps=1", "--plot", tmp_path / "folder.svg"
    )
    assert outcome.status == 2 and "it is a folder" in outcome.err


def test_many_outputs_are_cut_off(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "wide.svg"
    program = f"{write('coin.py', COIN)}::wide"
    assert run("probability", program, "--input", "n=99", "--plot", target).status == 0
    assert "and 60 less likely outputs" in texts(target.read_text(encoding="utf-8"))


def test_too_many_outcomes_are_refused(run: Run, write: Write) -> None:
    outcome = run("probability", f"{write('coin.py', COIN)}::wide", "--input", "n=1000000")
    assert outcome.status == 4 and "is not supported" in outcome.err


def test_labels_are_escaped() -> None:
    nasty = '<script>&"\x00\n\ud800'
    bars = (Bar(nasty, ((0.1, 0.2), (0.0, 1.0)), (-math.inf, math.inf)),)
    content = svg(Plot(nasty, (nasty, nasty), bars, nasty, claim=math.inf))
    assert "<script>" not in content and content.encode("utf-8")
    assert any(item.startswith('<script>&"') for item in texts(content))


def test_dollars_and_backslashes_are_letters() -> None:
    content = svg(Plot(r"$\frac{1}{2}$", ("$x_1$",), (Bar("$", ((1.0, 1.0),)),)))
    assert {r"$\frac{1}{2}$", "$x_1$", "$"} <= set(texts(content))


def test_one_text_for_the_same_data(monkeypatch: pytest.MonkeyPatch) -> None:
    plot = Plot("t", ("left", "right"), (Bar("a", ((0.5, 0.6), (1, 1)), (-1, 1)),), "r", 1.0)
    once = svg(plot)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert svg(plot) == once and "<dc:date>" not in once


def test_without_matplotlib(run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    program = f"{write('coin.py', COIN)}::coin"
    given = ("probability", program, "--input", "bit=True", "--input", "eps=1")
    outcome = run(*given, "--plot", tmp_path / "coin.svg")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.splitlines()[0] == "synth: error: --plot needs matplotlib: pip install matplotlib"
    assert run(*given).status == 0 and not (tmp_path / "coin.svg").exists()


@pytest.mark.parametrize(
    "bars", [(), (Bar("0", ((0.0, 0.0),)),), (Bar("0", ((1e-300, 1e-300),) * 2, (0, 0)),)]
)
def test_degenerate_plots_are_drawn(bars: tuple[Bar, ...]) -> None:
    content = svg(Plot("nothing", ("left", "right")[: len(bars[0].probabilities) if bars else 2], bars))
    assert "nan" not in content and "inf" not in content
    ElementTree.fromstring(content)


def test_heights_are_in_proportion() -> None:
    columns = tuple(Bar(str(p), ((p, p), (p / 2, p / 2)), (math.log(2),) * 2) for p in (0.1, 0.2, 0.7))
    content = svg(Plot("t", ("left", "right"), columns, claim=1.0))
    heights = [height for height, _ in bars(content, "probability")]
    left, right = heights[:3], heights[3:]
    assert left[2] / left[0] == pytest.approx(7, rel=0.001) and right[2] == pytest.approx(
        left[2] / 2, abs=0.1
    )
    assert len({round(height, 3) for height, _ in bars(content, "loss")}) == 1
    assert [item for item in texts(content) if "ε = " in item] == ["ε = 1", "-ε = -1"]


def test_what_is_uncertain_is_seen() -> None:
    sure = svg(Plot("t", ("p",), (Bar("a", ((0.5, 0.5),)),)))
    unsure = svg(Plot("t", ("p",), (Bar("a", ((0.4, 0.6),)),)))
    assert "LineCollection" not in sure and "LineCollection" in unsure
    assert "p: a: 0.4 to 0.6" in texts(unsure)
