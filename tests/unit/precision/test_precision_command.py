"""``synth precision``: output, files and exit statuses."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from synth.app.cli import main
from synth.app.numerals import read_number
from synth.trusted.errors import UsageError

USUAL = ("--set", "eps=1", "--range", "-8", "8", "--grid", "1/64")


def synth(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["precision", *map(str, arguments)])


def only(outcome: Result) -> dict[str, Any]:
    (result,) = json.loads(outcome.stdout)["results"]
    assert isinstance(result, dict)
    return result


def test_for_people(certificates: Path) -> None:
    outcome = synth(certificates / "noisy.json", *USUAL)
    assert outcome.exit_code == 0
    assert "noisy is eps-private in exact reals" in outcome.stdout
    assert "ε' = 1.00000052, in [1.0000005130738765, 1.0000005130738767]" in outcome.stdout
    assert "with a larger R: 1.70099046" in outcome.stdout
    assert "Condition 2  assumed" in outcome.stdout and "Condition 3  checked" in outcome.stdout


def test_for_machines(certificates: Path) -> None:
    outcome = synth(certificates / "noisy.json", *USUAL, "--json")
    result = only(outcome)
    assert (outcome.exit_code, result["verdict"], result["epsilon"]) == (0, "bounded", "eps")
    low, high = result["bound"]["epsilon_prime"]
    assert 1.000000513 < low < high < 1.000000514
    assert result["proved"]["sensitivity"] == 1
    assert result["bound"]["printed"]["epsilon_prime"][0] > 1.7
    assert {item["status"] for item in result["bound"]["conditions"]} == {"checked", "assumed"}


def test_the_plane(certificates: Path) -> None:
    outcome = synth(certificates / "noisy.json", *USUAL, "--planar", "--noise-error", "2^-40", "--json")
    result = only(outcome)
    assert outcome.exit_code == 0
    assert result["bound"]["k"] is None
    assert result["bound"]["epsilon_prime"][1] == pytest.approx(1.0000172431, abs=1e-10)
    assert any("planar" in item["name"].lower() for item in result["bound"]["conditions"])


def test_a_table_and_a_plot(certificates: Path, tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    more = ("--grid", "1/1024", "--format", "fixed:32", "--bits", "32", "--bits", "48", "--plot", plot)
    outcome = synth(certificates / "noisy.json", *USUAL, *more)
    assert outcome.exit_code == 0
    assert "ε' in fixed:32" in outcome.stdout and "–: L > 2·δt fails: L = 1/1024" in outcome.stdout
    root = ElementTree.parse(plot).getroot()
    assert root.tag.endswith("svg")
    tips = [item.text or "" for item in root.iter() if item.tag.endswith("title")]
    points = [item.rpartition(" = ")[0] for item in tips if "ε′ = " in item]
    assert points == [f"fixed:{place}, ε′" for place in ("32: L = 2^-6", "48: L = 2^-10", "48: L = 2^-6")]
    texts = [item.text for item in root.iter() if item.tag.endswith("text")]
    assert "ε′ − ε (nats), with ε = 1" in texts and "0.0001" in texts and "0.001" in texts
    entries = only(synth(certificates / "noisy.json", *USUAL, *more, "--json"))["table"]
    assert [item["epsilon_prime"] is None for item in entries] == [False, False, True, False]


def test_without_rounding(certificates: Path) -> None:
    usual = ("--set", "eps=1", "--range", "-8", "8")
    outcome = synth(certificates / "noisy.json", *usual)
    assert outcome.exit_code == 1
    assert "no ε': without rounding" in outcome.stdout and "no ε holds in general" in outcome.stdout


def test_errors_with_json(certificates: Path) -> None:
    outcome = synth(certificates / "noisy.json", *USUAL, "--set", "eps=1", "--json")
    assert outcome.exit_code == 2 and json.loads(outcome.stdout)["results"] == []
    assert "eps is given twice" in outcome.stderr


def test_without_rounding_the_mechanism_is_the_example(certificates: Path) -> None:
    usual = ("--set", "eps=1/4", "--range", "-8", "8", "--format", "fixed:6", "--json")
    result = only(synth(certificates / "noisy.json", *usual))
    assert (result["verdict"], result["bound"]["epsilon_prime"]) == ("unbounded", None)
    assert result["example_is_this_mechanism"]
    assert result["example"]["common_results"] == 0
    assert result["example"]["last_digits"] == ["00", "11"]
    assert (result["example"]["probability_left"], result["example"]["probability_right"]) == (1, 0)


def test_conditions_that_fail(certificates: Path) -> None:
    outcome = synth(certificates / "noisy.json", "--set", "eps=1", "--range", "-99", "99", "--grid", "1")
    assert outcome.exit_code == 3
    assert "no ε': Condition 3 fails" in outcome.stdout


def test_a_mechanism_that_is_not_covered(certificates: Path) -> None:
    outcome = synth(certificates / "counted.json", *USUAL)
    assert outcome.exit_code == 4
    assert "Theorem 4.5 doesn't cover counted: its noise is on the integers" in outcome.stderr


def test_an_invalid_certificate(certificates: Path, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    content = json.loads((certificates / "noisy.json").read_text())
    content["proved"]["epsilon"] = "(/ |eps<>| 2.0)"
    path.write_text(json.dumps(content))
    outcome = synth(path, *USUAL)
    assert outcome.exit_code == 1
    assert "invalid" in outcome.stdout and "not shown" in outcome.stdout
    assert only(synth(path, *USUAL, "--json"))["verdict"] == "invalid"


def test_no_certificate(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    assert synth(path, *USUAL).exit_code == 4
    path.write_text("{}")
    outcome = synth(path, *USUAL)
    assert outcome.exit_code == 4
    assert outcome.stderr.startswith(f"synth: error: {path}: no certificate: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--range", "-8", "8", "--grid", "1"), "no value for eps"),
        ((*USUAL, "--set", "x=1"), "'x' is private"),
        ((*USUAL, "--set", "epz=1"), "no such parameter 'epz'"),
        ((*USUAL, "--grid", "fine"), "'fine' is no number"),
        ((*USUAL, "--format", "float16"), "no number format"),
        ((*USUAL, "--bits", "-3"), "there must be 1 to"),
        ((*USUAL, "--planar"), "--noise-error"),
        ((*USUAL, "--uniform-bias", "1e-30"), "no generator of float64 numbers"),
        (("--set", "eps=1", "--range", "-8", "8", "--plot", "p.svg"), "--plot"),
        (("--set", "eps=-1", "--range", "-8", "8", "--grid", "1"), "don't satisfy"),
        (("--set", "eps=1", "--grid", "1"), "--range"),
    ],
)
def test_wrong_usage(certificates: Path, arguments: tuple[str, ...], message: str) -> None:
    outcome = synth(certificates / "noisy.json", *arguments)
    assert outcome.exit_code == 2
    assert message in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_a_plot_that_cannot_be_written(certificates: Path, tmp_path: Path) -> None:
    outcome = synth(certificates / "noisy.json", *USUAL, "--plot", tmp_path / "missing" / "p.svg")
    assert outcome.exit_code == 74 and "can't be written" in outcome.stderr
    assert "noisy is eps-private" in outcome.stdout


def test_numbers() -> None:
    for text, value in (("0.125", 0.125), ("1/8", 0.125), ("2^-3", 0.125), ("2**3", 8), ("1e-3", 0.001)):
        assert float(read_number(text, "--grid")) == value
    for text in ("", "1/0", "1e999999", "nan", "inf", "2^99999", "0x10", "1_0"):
        with pytest.raises(UsageError):
            read_number(text, "--grid")


def test_help_needs_no_arithmetic() -> None:
    assert "Theorem 4.5" in synth("--help").stdout
