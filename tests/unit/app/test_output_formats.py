"""What ``--output-format`` prints can be read by those it is for, and nothing in a program forges it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner

from synth.app.cli import main
from synth.views.formats.run import NAMES
from tests.unit.app.invocation import FALSE, PROVED, UNKNOWN, UNREADABLE, Run, Write, invoke_apart

SCHEMA = json.loads((files("synth.views.formats") / "schema.json").read_text())
NOTHING = "def helper(x):\n    return x\n"


def validate(content: Any, definition: str) -> None:
    schema = {"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{definition}"}
    jsonschema.validate(content, schema, cls=jsonschema.Draft202012Validator)


@pytest.fixture
def run() -> Run:
    """Nothing but the folder is changed here."""
    return invoke_apart


@pytest.fixture
def folder(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"a": PROVED, "b": FALSE, "c": UNREADABLE, "d": UNKNOWN}.items():
        write(f"in/{name}.py", text)
    monkeypatch.chdir(tmp_path)
    return Path("in")


def test_json_follows_its_schema(run: Run, write: Write, folder: Path) -> None:
    done = run("prove", folder, "--json")
    content = json.loads(done.out)
    validate(content, "prove")
    assert content["exit_status"] == done.status == 4
    assert [item["verdict"] for item in content["results"]] == ["proved", "refuted", "unknown"]
    ((error,), document) = content["errors"], folder.parent / "proof.json"
    assert (error["file"], error["line"], error["column"], error["mechanism"]) == ("in/c.py", 6, 33, "wrong")
    validate(json.loads(run("refute", folder / "b.py", "--json").out), "prove")
    assert run("prove", folder / "a.py", "--certificate", document).status == 0
    validate(json.loads(run("check", document, "--json").out), "check")
    with pytest.raises(jsonschema.ValidationError):
        validate({**content, "results": [{}]}, "prove")


def test_a_wrong_use_is_an_object_too(run: Run) -> None:
    done = run("prove", "nowhere.py", "--json", "--epsilon", "1", "--adjacent", "x")
    assert json.loads(done.out)["exit_status"] == done.status == 2
    assert "doesn't go with sarif" in run("prove", "p.py", "--json", "--output-format", "sarif").err


def test_lines_of_json(run: Run, folder: Path) -> None:
    done = run("prove", folder, "--output-format", "jsonl")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [line["type"] for line in lines] == ["error", "result", "result", "result", "end"]
    assert lines[-1]["exit_status"] == done.status == 4
    for line in lines[1:4]:
        validate(line, "result")


def test_a_folder_has_one_line_for_each_mechanism(run: Run, folder: Path) -> None:
    done = run("prove", folder)
    assert done.out.splitlines() == [
        "in/a.py:5: noisy: proved, epsilon = eps",
        "in/b.py:6:12: too_little: refuted, the claim eps/2 is false [bound-misses-claim]",
        *(line for line in done.out.splitlines() if line.startswith("in/d.py:6:5: bare: unknown, ")),
        "3 mechanisms: 1 proved, 1 refuted, 1 unknown; 1 can't be read",
    ]
    assert "in/c.py:6:33: " in done.err


def test_github_gets_a_command_for_what_is_not_proved(run: Run, folder: Path) -> None:
    done = run("prove", folder, "--output-format", "github")
    commands = [line.split("::")[1] for line in done.out.splitlines() if line.startswith("::")]
    assert commands == [
        "error file=in/c.py,line=6,col=33,title=synth unknown-name",
        "error file=in/b.py,line=6,title=synth",
        "warning file=in/d.py,line=6,title=synth",
    ]


def test_junit_fails_what_is_not_proved(run: Run, folder: Path) -> None:
    suite = ElementTree.fromstring(run("prove", folder, "--output-format", "junit").out)[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "2", "1")
    found = {case.get("name"): [child.tag for child in case] for case in suite}
    assert found == {"noisy": [], "too_little": ["failure"], "bare": ["failure"], "wrong": ["error"]}


def test_sarif_has_stable_rules_and_places(run: Run, folder: Path) -> None:
    done = run("prove", folder, "--output-format", "sarif")
    ((log,), found) = json.loads(done.out)["runs"], json.loads(done.out)["runs"][0]["results"]
    levels = [(item["ruleId"], item["level"], item.get("kind")) for item in found]
    assert levels == [
        ("proved", "none", "pass"),
        ("bound-misses-claim", "error", "fail"),
        (found[2]["ruleId"], "warning", None),
        ("unknown-name", "error", None),
    ]
    place = found[3]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "in/c.py"}, "region": {"startLine": 6, "startColumn": 33}}
    assert {item["id"] for item in log["tool"]["driver"]["rules"]} == {item["ruleId"] for item in found}


def test_markdown_is_a_table(run: Run, folder: Path) -> None:
    lines = run("prove", folder, "--output-format", "markdown").out.splitlines()
    assert lines[2:4] == ["| mechanism | verdict | claim | what is known | place |", "|---|---|---|---|---|"]
    assert [line.split(" | ")[1] for line in lines[4:]] == ["refuted", "unknown", "proved", "can't be read"]


OPEN = """
import numpy as np
from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def first(q: np.ndarray, eps: float) -> float:
    return laplace(q[0], 1 / eps) if len(q) > 0 else 0.0
"""


def test_what_is_assumed_beside_the_usual_is_said_in_each_format(run: Run, write: Write) -> None:
    path = write("p.py", OPEN)
    lines = run("prove", path, "--output-format", "concise").out.splitlines()
    assert lines[0].endswith(" *") and lines[-1].startswith("* what else is assumed")
    for form in set(NAMES) - {"concise", "github"}:
        assert "one dimension" in run("prove", path, "--output-format", form).out, form


def test_that_nothing_is_private_is_said_in_each_format(run: Run, write: Write) -> None:
    """Otherwise a mechanism of which somebody forgot to say what is private looks like one that is proved."""
    path = write("p.py", "from synth.lang import *\n\n\n@mechanism\ndef tells(x: float):\n    return x\n")
    lines = run("prove", path, "--output-format", "concise").out.splitlines()
    assert lines[0].endswith("epsilon = 0 *") and lines[-1].startswith("* what else is assumed")
    for form in set(NAMES) - {"concise", "github"}:
        assert "o parameter is private" in run("prove", path, "--output-format", form).out, form


# --- several paths --------------------------------------------------------------------------


def test_several_files_some_without_a_mechanism(run: Run, write: Write, folder: Path) -> None:
    helper = write("helper.py", "x = 1\n")
    done = run("prove", folder / "a.py", helper, f"{folder / 'a.py'}::noisy")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "1 mechanism: 1 proved; 1 file without a mechanism"
    assert run("prove", helper).status == run("prove", helper, helper).status == 4


def test_nothing_to_prove_is_right_for_a_hook(run: Run, write: Write) -> None:
    helper = write("helper.py", "x = 1\n")
    for paths in ([helper], [helper, write("other.py", "y = 1\n")]):
        done = run("prove", *paths, "--if-any")
        assert (done.status, done.err) == (0, "")
    assert run("prove", helper, "gone.py", "--if-any").status == 4


@pytest.mark.parametrize(("text", "status"), [(PROVED, 0), (PROVED + FALSE, 1), ("x = (", 4)])
def test_standard_input(text: str, status: int) -> None:
    done = CliRunner().invoke(main, ["prove", "-", "--json"], input=text)
    content = json.loads(done.stdout)
    assert done.exit_code == content["exit_status"] == status
    assert {item["file"] for item in content["results"] + content["errors"]} == {"<stdin>"}


# --- what others wrote ----------------------------------------------------------------------

NAMES_OF_FILES = [
    "a,b:c.py",
    "100%25.py",
    "in\n::error::.py",
    "<script>.py",
    "a|b`c`.py",
    '"&".py',
    "::warning::x.py",
]


@pytest.mark.parametrize("form", [name for name in NAMES if name != "full"])
def test_names_of_files_forge_nothing(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in NAMES_OF_FILES:
        write(name, FALSE)
    done = run("prove", *NAMES_OF_FILES, "--output-format", form)
    assert done.status == 1
    check_form(form, done.out, NAMES_OF_FILES)


def check_form(form: str, out: str, names: Sequence[str]) -> None:
    lines = out.splitlines()
    match form:
        case "json":
            assert [item["file"] for item in json.loads(out)["results"]] == list(names)
        case "jsonl":
            assert [item["file"] for item in map(json.loads, lines[:-1])] == list(names)
        case "sarif":
            assert len(json.loads(out)["runs"][0]["results"]) == len(names)
        case "junit":
            assert len(ElementTree.fromstring(out)[0]) == len(names)
        case "github":
            assert sum(line.startswith("::error file=") for line in lines) == len(lines) - 1 == len(names)
            assert "file=a%2Cb%3Ac.py,line=" in out and "file=100%2525.py" in out
        case "concise":
            assert len(lines) == len(names) + 1
            assert not any(line.startswith("::") for line in lines)
        case "markdown":
            assert len(lines) == len(names) + 4 and "<script>" not in out
            assert all(line.replace("\\|", "").count("|") == 6 for line in lines[4:])
