"""Functions without a decorator: specifications in a file, or in options, for all commands."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from synth.app.specifications import Beside, aim
from synth.app.targets import read_target
from tests.unit.app.invocation import Run, Write

PLAIN = """
import numpy as np
import pandas

def release(value, scale, eps):
    return np.random.laplace(value, scale / eps)

def other(value):
    return pandas.thing(value)
"""
SPEC = """
[[mechanism]]
function = "p.py::release"
types = { value = "float", scale = "float", eps = "float" }
adjacent = { value = "absolute_distance('scale')" }
requires = "eps > 0 and scale > 0"
epsilon = "eps"
"""
STATED = {
    "types": {"value": "float", "scale": "float", "eps": "float"},
    "adjacent": {"value": "absolute_distance('scale')"},
    "requires": "eps > 0 and scale > 0",
    "epsilon": "eps",
}
OPTIONS = (
    *(item for name in ("value", "scale", "eps") for item in ("--type", f"{name}=float")),
    *("--adjacent", "value=absolute_distance('scale')", "--requires", "eps > 0 and scale > 0"),
)


@pytest.fixture
def certificate(run: Run, write: Write, tmp_path: Path) -> Path:
    write("p.py", PLAIN)
    done = run("prove", "--spec", write("privacy.toml", SPEC), "--certificate", tmp_path / "c.json", "--json")
    (result,) = done.results()
    assert (done.status, result["verdict"], result["epsilon"]) == (0, "proved", "eps")
    assert (result["specification"], result["unread"]) == (STATED, [2])
    assert "Line 2 is not read: it is assumed to change nothing that is used." in result["assumptions"]
    return tmp_path / "c.json"


def test_the_document_holds_what_is_stated(run: Run, certificate: Path, write: Write, tmp_path: Path) -> None:
    program = json.loads(certificate.read_text())["program"]
    assert (program["specification"], program["unread"]) == (STATED, [[2, 2]])
    (row,) = run("check", certificate, "--json").results()
    assert (row["verdict"], row["specification"], row["unread"]) == ("valid", STATED, [2])
    done = run("check", certificate, "--program", tmp_path / "p.py", "--spec", tmp_path / "privacy.toml")
    assert done.status == 0
    assert "stated beside it: types = value: float" in done.out
    assert "line 2 is not read: it is assumed to change nothing that is used" in done.out


METHOD = """
import numpy as np

class Base:
    def __init__(self, eps, scale=1.0):
        if eps <= 0:
            raise ValueError("eps")
        self.eps = eps
        self.scale = scale

class Laplace(Base):
    def release(self, value, eps):
        return np.random.laplace(value, eps * self.scale / self.eps)
"""
METHOD_SPEC = """
[[mechanism]]
function = "p.py::Laplace.release"
types = { value = "float", scale = "float", eps = "float", "init.eps" = "float" }
adjacent = { value = "absolute_distance('scale')" }
requires = "eps >= 1 and scale > 0"
epsilon = "init.eps/eps"
"""
METHOD_OPTIONS = (
    *(item for name in ("value", "scale", "eps", "init.eps") for item in ("--type", f"{name}=float")),
    *("--adjacent", "value=absolute_distance('scale')", "--requires", "eps >= 1 and scale > 0"),
)


def test_a_method_and_its_document(run: Run, write: Write, tmp_path: Path) -> None:
    write("p.py", METHOD)
    spec = write("privacy.toml", METHOD_SPEC)
    document = tmp_path / "c.json"
    (result,) = run("prove", "--spec", spec, "--certificate", document, "--json").results()
    assert (result["mechanism"], result["verdict"], result["epsilon"]) == (
        "Laplace.release",
        "proved",
        "init.eps/eps",
    )
    done = run("check", document, "--program", tmp_path / "p.py", "--spec", spec, "--json")
    assert [row["verdict"] for row in done.results()] == ["valid"]
    other = write("q.py", METHOD.replace("eps * self", "self"))
    assert run("check", document, "--program", other, "--spec", spec).status != 0


def test_a_method_on_the_command_line(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("p.py", METHOD)
    monkeypatch.syspath_prepend(tmp_path)
    for target in (f"{tmp_path / 'p.py'}::Laplace.release", "p::Laplace.release"):
        (row,) = run("prove", target, *METHOD_OPTIONS, "--epsilon", "init.eps/eps", "--json").results()
        assert (row["verdict"], row["claim"]["epsilon"]) == ("proved", "init.eps/eps")
    (row,) = run("refute", target, *METHOD_OPTIONS, "--epsilon", "init.eps/eps/2", "--json").results()
    assert row["verdict"] == "refuted"
    done = run("prove", "p::Laplace.releas", *METHOD_OPTIONS)
    assert done.status == 4 and "did you mean 'release'?" in done.err


def test_a_check_against_another_specification(
    run: Run, certificate: Path, write: Write, tmp_path: Path
) -> None:
    other = write("other.toml", SPEC.replace("eps > 0 and", "eps > 0.1 and"))
    (row,) = run("check", certificate, "--program", tmp_path / "p.py", "--spec", other, "--json").results()
    assert (row["verdict"], row["code"]) == ("invalid", "other-specification")


def test_a_specification_that_is_changed_in_a_document(run: Run, certificate: Path, tmp_path: Path) -> None:
    """The core program is then not what is read."""
    data = json.loads(certificate.read_text())
    forged = [
        {"adjacent": {"value": "absolute_distance('2*scale')"}},
        {"adjacent": {}},
        {"requires": "eps > 0 and scale > 1"},
        {"types": {"value": "int", "scale": "float", "eps": "float"}},
        {"fixed": {"eps": "1.0"}},
    ]
    for change in forged:
        program = {**data["program"], "specification": {**STATED, **change}}
        path = tmp_path / "forged.json"
        path.write_text(json.dumps({**data, "program": program}))
        (row,) = run("check", path, "--json").results()
        assert (row["verdict"], row["rule"]) == ("invalid", "Program"), change


def test_it_is_stated_by_options(run: Run, write: Write) -> None:
    target = f"{write('p.py', PLAIN)}::release"
    (result,) = run("refute", target, *OPTIONS, "--epsilon", "eps/2", "--json").results()
    assert (result["verdict"], result["claim"]["epsilon"]) == ("refuted", "eps/2")
    assert result["specification"] == {**STATED, "epsilon": "eps/2"}
    done = run("show", target, *OPTIONS, "--json")
    assert "@adjacent(value=absolute_distance(scale))" in done.results()[0]["core"]
    whole = "def f(n: int):\n    return n + 1\n"
    target = f"{write('q.py', whole)}::f"
    assert run("probability", target, "--adjacent", "n=absolute_distance(1)", "--input", "n=1").status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prove"], "missing argument 'FILE|DIR[::NAME]'"),
        (["prove", "P", "--requires", "eps > 0"], "of which function is that stated? FILE::NAME is needed"),
        (["prove", "P::release", "--type", "value"], "--type 'value': it must be NAME=…"),
        (["prove", "P::release", "--type", "x=int", "--type", "x=int"], "--type names 'x' twice"),
        (["prove", "P::release", "--spec", "P", "--type", "x=int"], "--spec states it already"),
        (["check", "P", "--spec", "P"], "--spec goes with --program"),
    ],
)
def test_wrong_usage(run: Run, write: Write, arguments: list[str], message: str) -> None:
    path = str(write("p.py", PLAIN))
    done = run(*(item.replace("P", path) if item.startswith("P") else item for item in arguments))
    assert done.status == 2 and done.err.startswith(f"synth: error: {message}")


def test_a_file_that_can_t_be_read(run: Run, write: Write, tmp_path: Path) -> None:
    done = run("prove", "--spec", tmp_path / "none.toml")
    assert done.status == 4 and "the file can't be read" in done.err
    write("p.py", PLAIN)
    wrong = write("privacy.toml", SPEC.replace('eps = "float"', 'eps = "bytes"'))
    done = run("prove", "--spec", wrong)
    assert done.status == 4 and f"{wrong}:3:52: the type 'bytes' of 'eps' is not supported" in done.err
    assert done.err.splitlines()[1:3] == [
        '  types = { value = "float", scale = "float", eps = "bytes" }',
        f"  {' ' * 51}^",
    ]


def test_functions_without_a_specification_are_listed(run: Run, write: Write) -> None:
    """They are no errors; where there is nothing else, nothing is known."""
    path = write("p.py", PLAIN)
    done = run("prove", path)
    says = "not looked at: no specification. Add @mechanism(adjacent=…), or an entry in a file for --spec"
    assert (done.status, done.err) == (3, "")
    assert done.out.splitlines() == [
        f"{path}::{name} (line {n}) {says}" for name, n in (("release", 4), ("other", 7))
    ]
    done = run("prove", f"{path}::other", "--json")
    assert (done.status, done.results()) == (3, [])
    assert json.loads(done.out)["not_looked_at"] == [{"function": "other", "file": str(path), "line": 7}]
    done = run("refute", f"{path}::other")
    assert done.status == 4 and ":7:1: no specification. Add @mechanism" in done.err


def test_what_mechanisms_call_is_not_listed(run: Run, write: Write) -> None:
    text = """
    from synth.lang import *
    def half(x):
        return x / 2
    def unused():
        return 1
    @mechanism(adjacent={"x": absolute_distance(1)})
    def f(x: float):
        y = unknown(half(x))
        return others(x)
    """
    path = write("p.py", text)
    done = run("prove", path)
    assert done.status == 4 and done.out.startswith(f"{path}::unused (line 4) not looked at")
    assert len(done.out.splitlines()) == 1
    first, second, *_ = done.err.splitlines()
    assert first == f"{path}::f can't be read: 2 obstacles"
    assert second.startswith(f"synth: error: {path}:8:9: unknown function 'unknown'")


def test_a_folder_with_functions_of_which_something_is_stated(write: Write, tmp_path: Path) -> None:
    """Nothing in their files tells that they are mechanisms."""
    write("programs/p.py", PLAIN)
    write("programs/q.py", PLAIN)
    spec = write("privacy.toml", SPEC.replace("p.py", "programs/p.py"))
    programs = read_target(aim(str(tmp_path / "programs"), Beside(spec))[0])
    assert [(item.name, Path(item.path).name) for item in programs.mechanisms] == [("release", "p.py")]
    assert not programs.errors


def test_a_document_leaves_members_out_that_are_not_read(run: Run, write: Write, tmp_path: Path) -> None:
    text = METHOD.replace(
        "class Laplace(Base):\n", "class Laplace(Base):\n    TABLE = {n: n for n in range(3)}\n"
    )
    text += "    @unknown(1)\n    def other(self):\n        return self.__v\n"
    text += "    def __repr__(self):\n        return f'{self.__v}'\n"
    write("p.py", text)
    spec = write("privacy.toml", METHOD_SPEC)
    document = tmp_path / "c.json"
    (result,) = run("prove", "--spec", spec, "--certificate", document, "--json").results()
    assert result["verdict"] == "proved" and len(result["unread"]) == 4
    (row,) = run("check", document, "--program", tmp_path / "p.py", "--spec", spec, "--json").results()
    assert row["verdict"] == "valid"


def test_a_check_names_the_other_files_by_their_hashes(run: Run, write: Write, tmp_path: Path) -> None:
    noise = "import random\n\n\ndef noisy(x):\n    return x + random.gauss(0, 10)\n"
    write("noise.py", noise)
    head = "from synth.lang import *\nfrom noise import noisy\n\n\n"
    about = "@mechanism(adjacent={'x': absolute_distance(1)}, epsilon='1', delta='1/10')\n"
    path = write("q.py", f"{head}{about}def f(x: float) -> float:\n    return noisy(x)\n")
    run("prove", path, "--certificate", tmp_path / "q.json")
    done = run("check", tmp_path / "q.json")
    assert f"the SHA-256 of noise.py is {hashlib.sha256(noise.encode()).hexdigest()}" in done.out
