"""Names and texts of others, as commands show them: no line, escape sequence or command to a CI gets out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from synth.support.display import is_plain
from tests.unit.app.invocation import FALSE, PROVED, UNREADABLE, Invocation, Run, Write, invoke_apart

NAMES = (
    "a\n::error::forged\n",
    "\x1b[2K\x1b[1A\r",
    "\u202edilav\u2066",
    "[red]x[/red]",
    "::error::",
    "\x9b1A\u200b",
    "##[error]",
    "\n::error::",
)
"""Of files and folders."""


def clean(done: Invocation) -> Invocation:
    """The invocation, if each of its lines is visible and of its own."""
    for line in (*done.out.split("\n"), *done.err.split("\n")):
        assert is_plain(line), line
    assert "Traceback" not in done.err and "internal error" not in done.err
    return done


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("proof")
    (folder / "p.py").write_text(PROVED.lstrip())
    invoke_apart("prove", folder / "p.py", "--certificate", folder / "c.json", "--no-cache")
    found: dict[str, Any] = json.loads((folder / "c.json").read_text())
    return found


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files(write: Write, proof: dict[str, Any], tmp_path: Path, name: str) -> None:
    for program in (UNREADABLE, "x = ("):
        done = clean(invoke_apart("prove", write(f"{name}.py", program), "--no-cache"))
        assert done.status == 4 and done.err.startswith("synth: error: ")
    missing = tmp_path / f"{name}.json"
    for arguments in (
        ("check",),
        ("export", "--to", "text"),
        ("precision", "--range", "-1", "1"),
        ("templates",),
    ):
        assert clean(invoke_apart(*arguments, missing)).status == 4
    missing.write_text(json.dumps(proof | {"format": "none"}))
    assert clean(invoke_apart("check", missing)).status == 4
    assert clean(invoke_apart("prove", tmp_path / "none" / name)).status in (2, 4)
    assert clean(invoke_apart("prove", f"{write('p.py', PROVED)}::{name}")).status in (2, 4)
    assert clean(invoke_apart("probability", f"{write('p.py', PROVED)}", "--input", name)).status == 2


def test_names_beside_verdicts(
    write: Write, proof: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(NAMES[:3]):
        write(f"in/{name}.py", FALSE.replace("too_little", f"f{number}"))
    for name in NAMES[4:5]:
        write(f"{name}.py", FALSE)
    done = clean(invoke_apart("prove", "in", "--no-cache", "--json", "--certificate", "\x1b[2K"))
    assert done.status == 1 and {Path(row["file"]).stem for row in done.results()} == set(NAMES[:3])
    write("f.py", FALSE)
    done = clean(invoke_apart("prove", ".", "--no-cache"))
    assert (
        done.status == 1
        and done.out.count(": refuted, ") == 5
        and "\n" + r"\x3a:error::.py:6:12: too_little: refuted" in "\n" + done.out
    )
    target = tmp_path / "\n::error::.json"
    target.write_text(json.dumps(proof))
    done = clean(invoke_apart("check", target))
    assert done.status == 0 and len(done.out.splitlines()) == 10
    done = clean(invoke_apart("precision", target, "--range", "-8", "8", "--grid", "1/64", "--set", "eps=1"))
    assert done.status == 4 and "doesn't cover noisy" in done.err


TEXTS = ("\x1b[2K\x1b[1A", "\u202e", "\u200b", "\n  valid", "\x9b", "\r")


@pytest.mark.parametrize("text", TEXTS)
def test_texts_of_a_document_are_refused(write: Write, proof: dict[str, Any], text: str) -> None:
    changed = [
        proof | {f"a{text}": 1},
        proof | {"tools": {f"synth{text}": "1"}},
        proof | {"tools": {"synth": text}},
        proof | {"program": proof["program"] | {"mechanism": f"noisy{text}"}},
        proof | {"safety": {f"0{text}": "true"}},
        proof | {"proved": {"epsilon": f"|eps{text}<>|", "delta": "0"}},
        {"kind": "witness", "mechanism": text, "program": "", text: text},
    ]
    for number, content in enumerate(changed):
        path = write(f"{number}.json", json.dumps(content))
        for arguments in (
            ("check", path),
            ("export", path, "--to", "text"),
            ("export", path, "--to", "latex"),
        ):
            done = clean(invoke_apart(*arguments))
            assert (done.status, done.out) == (4, "")


@pytest.mark.parametrize("text", TEXTS[:4])
def test_texts_of_the_program_are_escaped(write: Write, proof: dict[str, Any], text: str) -> None:
    import hashlib

    source = (
        proof["program"]["text"].replace("    return", f"    # {text}: valid\n    return")
        + f'\n# {text}\n"""{text}"""\n'
    )
    about = proof["program"] | {"text": source, "sha256": hashlib.sha256(source.encode()).hexdigest()}
    path = write("c.json", json.dumps(proof | {"program": about}))
    for arguments in (("check", path), ("check", path, "--json"), ("export", path, "--to", "text")):
        clean(invoke_apart(*arguments))


def test_texts_of_a_witness(write: Write) -> None:
    document = {
        "kind": "witness",
        "program": FALSE.lstrip(),
        "mechanism": "too_little",
        "epsilon": None,
        "delta": None,
        "witness": {"parameters": {"eps": 1}, "left": {"x": "a b ##[error]"}, "right": {"x": "::error::"}},
    }
    done = clean(invoke_apart("check", write("w.json", json.dumps(document))))
    assert done.status == 1 and "[Witness] at witness: " in done.out
    document["mechanism"] = "##[error]forged"
    done = clean(invoke_apart("check", write("w.json", json.dumps(document))))
    assert done.status == 1 and r"no mechanism '#\x23[error]forged' in the program" in done.out


@pytest.mark.parametrize(
    "program",
    [
        PROVED.replace('epsilon="3*eps"', 'epsilon="eps \\x1b[2K"'),
        PROVED.replace('epsilon="3*eps"', 'epsilon="\\u202eeps"'),
        PROVED.replace("laplace(", "lap\u202elace("),
        PROVED.replace("return", "\x1b[2K return"),
        PROVED.replace("1 / eps", '"\\n::error::"'),
        PROVED.replace("1 / eps", "1 / eps  # \x1b[2K") + "\nx = 1 +\n",
    ],
)
def test_programs_of_others(run: Run, write: Write, program: str) -> None:
    for command in ("prove", "refute"):
        done = clean(run(command, write("p.py", program)))
        assert done.status == 4 and len(done.err) > 20


def test_templates_of_others(run: Run, write: Write) -> None:
    done = clean(run("templates", write("t.toml", 'distribution = "\\u001b[2K\\u202e"\n')))
    assert done.status == 4
    done = clean(run("templates", write("t.toml", "x = \x1b[2K")))
    assert done.status == 4
