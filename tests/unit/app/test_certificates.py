"""``prove --certificate``, ``check`` and ``prove --bracket``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synth.app import jobs
from tests import ROOT
from tests.support.refuting import SAFE, end_after_rounds
from tests.unit.app.invocation import FALSE, NORMAL, PROVED, UNKNOWN, Run, Write


def test_a_proof_is_written_and_valid(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    done = run("prove", write("p.py", PROVED), "--certificate", target, "--json")
    assert done.status == 0 and done.results()[0]["certificate"] == str(target)
    checked = run("check", target, "--solver", "both")
    assert (checked.status, checked.err) == (0, "")
    assert checked.out.splitlines()[1] == "  noisy is (eps, 0)-differentially private"
    assert [item.name for item in tmp_path.iterdir() if "tmp" in item.name] == []


def test_the_claim_is_shown_with_its_delta(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    run("prove", write("p.py", NORMAL), "--certificate", target)
    _, proved, claimed, *_ = run("check", target).out.splitlines()
    assert proved == "  normal is (1, 1/100000)-differentially private"
    assert claimed == "  claimed: epsilon = 1, delta = 1/100000"


def test_the_same_program_gives_the_same_bytes(run: Run, write: Write, tmp_path: Path) -> None:
    path = write("p.py", PROVED)
    for name in ("a.json", "b.json"):
        run("prove", path, "--certificate", tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_file_makes_no_certificate_larger(run: Run, write: Write, tmp_path: Path) -> None:
    """Where the mechanism stands in a file of many is all that differs."""
    others = "".join(PROVED.replace("noisy", f"other{number}").partition("\n\n\n")[2] for number in range(40))
    head, _, mechanism = PROVED.strip().partition("\n\n\n")
    texts = {"alone": f"{head}\n{mechanism}\n", "beside": f'"""Many."""\n{head}\n\n{others}\n\n{mechanism}\n'}
    found = []
    for name, text in texts.items():
        path, target = write(f"{name}.py", text), tmp_path / f"{name}.json"
        assert run("prove", f"{path}::noisy", "--certificate", target).status == 0
        assert run("check", target, "--program", path).status == 0
        document = json.loads(target.read_text())
        line = text[: text.index("def noisy")].count("\n") + 1
        assert document["program"].pop("lines")[-1][1] == line + 1
        found.append(document)
    assert found[0] == found[1]


def test_the_figures_of_an_export_have_the_lines_of_the_file(run: Run, write: Write, tmp_path: Path) -> None:
    source = (ROOT / "benchmarks" / "programs" / "above_threshold.py").read_text()
    path, target = write("p.py", "# above\n" * 30 + source), tmp_path / "p.json"
    run("prove", f"{path}::above_threshold", "--certificate", target)
    shown = run("export", target, "--to", "text").out
    loop = 31 + source[: source.index("for ")].count("\n")
    assert f"{loop}" in shown and "for " in shown


def test_a_witness_is_written_and_valid(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    done = run("prove", write("p.py", FALSE), "--certificate", target)
    assert done.status == 1 and "probability on the left" in done.out
    checked = run("check", target, "--json")
    (row,) = checked.results()
    assert (checked.status, row["verdict"], row["mechanism"]) == (0, "valid", "too_little")
    document = json.loads(target.read_text())
    document["witness"]["right"] = document["witness"]["left"]
    target.write_text(json.dumps(document))
    assert run("check", target).status == 1


def test_nothing_is_written_without_a_verdict(run: Run, write: Write, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    done = run("prove", write("p.py", UNKNOWN), "--certificate", target)
    assert done.status == 3 and not target.exists()


def test_several_mechanisms_go_into_a_folder(run: Run, write: Write, tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        write(f"programs/{name}", PROVED)
    refused = run("prove", tmp_path / "programs", "--certificate", tmp_path / "out.json")
    assert refused.status == 2 and "there are several mechanisms" in refused.err
    done = run("prove", tmp_path / "programs", "--certificate", tmp_path / "proofs")
    assert done.status == 0
    assert sorted(item.name for item in (tmp_path / "proofs").iterdir()) == ["noisy-2.json", "noisy.json"]


def test_a_verdict_stands_though_its_certificate_is_lost(run: Run, write: Write, tmp_path: Path) -> None:
    program, nowhere = write("p.py", PROVED), tmp_path / "none" / "out.json"
    done = run("prove", program, "--certificate", nowhere)
    assert done.status == 74 and done.out.startswith("noisy: proved, epsilon = eps")
    assert done.err == f"synth: error: {nowhere}: can't be written: there is no folder {nowhere.parent}\n"
    (tmp_path / "file").write_text("")
    write("programs/a.py", PROVED), write("programs/b.py", FALSE.replace("too_little", "low"))
    done = run("prove", tmp_path / "programs", "--certificate", tmp_path / "file" / "folder", "--json")
    assert done.status == 74 and len(done.err.splitlines()) == 2
    assert all("file/folder: can't be written: Not a directory" in line for line in done.err.splitlines())
    assert [(row["verdict"], row["certificate"]) for row in done.results()] == [
        ("proved", None),
        ("refuted", None),
    ]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("1 / eps", "2 / eps", "Program"),
        ('"k": "0"', '"k": "null"', "Return"),
        ('"amount": "1"', '"amount": "0"', "LapGen"),
        ('"epsilon": "|eps<>|"', '"epsilon": "(/ |eps<>| 2.0)"', "Forall-Eq"),
    ],
)
def test_a_changed_proof_is_invalid(
    run: Run, write: Write, tmp_path: Path, old: str, new: str, rule: str
) -> None:
    target = tmp_path / "out.json"
    run("prove", write("p.py", PROVED), "--certificate", target)
    text = target.read_text()
    assert old in text
    target.write_text(text.replace(old, new))
    checked = run("check", target)
    assert checked.status == 1 and f"[{rule}]" in checked.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text ends too early"),
        ("{", "the text ends too early"),
        ('{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        ('{"a": 1.5}', "no token of strict JSON"),
        ("{}", "missing or unknown"),
        ('{"kind": "proof"}', "missing or unknown"),
    ],
)
def test_what_is_no_certificate(run: Run, write: Write, text: str, message: str) -> None:
    checked = run("check", write("c.json", text))
    assert (checked.status, checked.out) == (4, "") and message in checked.err
    assert len(checked.err.splitlines()) == 1


def test_a_missing_file(run: Run, tmp_path: Path) -> None:
    assert run("check", tmp_path / "none.json").status == 4


def test_a_lower_bound_beside_the_proof(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    end_after_rounds(monkeypatch, 8)
    monkeypatch.setattr(jobs, "_BRACKETING", SAFE)
    done = run("prove", write("p.py", PROVED), "--bracket", "--timeout", "900", "--json")
    (result,) = done.results()
    assert result["verdict"] == "proved"
    assert 0.9 < result["lower_bound"]["epsilon_at_least"] <= result["lower_bound"]["parameters"]["eps"] == 1
