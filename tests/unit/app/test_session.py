"""Documents that the kernel has accepted in a session are not checked again; others are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from synth.app.cli import main
from synth.app.session import Session, digest
from tests.unit.app.invocation import FALSE, PROVED, Write


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "verdicts"


def proved(path: Path, session: Session) -> dict[str, Any]:
    done = CliRunner().invoke(main, ["prove", str(path), "--json"], obj=session)
    (result,) = json.loads(done.stdout)["results"]
    found: dict[str, Any] = result
    return found


def accepted(path: Path) -> tuple[dict[str, Any], frozenset[str]]:
    told: list[frozenset[str]] = []
    return proved(path, Session(tell=told.append)), told[-1]


def test_what_was_accepted_is_shown_again_without_a_check(write: Write, cache: Path) -> None:
    path = write("p.py", PROVED)
    first, known = accepted(path)
    (entry,) = cache.iterdir()
    assert known == {digest(entry.read_text())}
    again, anew = proved(path, Session(known)), proved(path, Session())
    assert (again["seconds_checking"], again["cached"], anew["cached"]) == (0, False, True)
    taken = {"seconds", "seconds_checking", "effort", "cached"}
    assert {name: again[name] for name in again.keys() - taken} == {
        name: first[name] for name in first.keys() - taken
    }


def test_another_document_is_checked_whatever_was_accepted(write: Write, cache: Path) -> None:
    path = write("p.py", PROVED)
    _, known = accepted(path)
    (entry,) = cache.iterdir()
    entry.write_text(entry.read_text().replace('"epsilon": "|eps<>|"', '"epsilon": "0.0"'))
    found = proved(path, Session(known))
    assert (found["verdict"], found["epsilon"]) == ("proved", "eps") and found["seconds_checking"] > 0


def test_an_accepted_document_about_another_program_proves_nothing(write: Write, cache: Path) -> None:
    path = write("p.py", PROVED)
    _, known = accepted(path)
    (entry,) = cache.iterdir()
    document = entry.read_text()
    false = write("p.py", FALSE)
    proved(false, Session(known))
    for other in cache.iterdir():
        other.write_text(document)
    assert proved(false, Session(known))["verdict"] == "refuted"


def test_a_refutation_is_told_to_nobody(write: Write) -> None:
    assert accepted(write("p.py", FALSE))[1] == frozenset()
