"""What coqchk prints is read as it is meant: nothing unsafe, and no axioms but those of the reals."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from synth.app import rocq
from synth.trusted.errors import UnfinishedError

PRINTED = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative

* Axioms:
    Coq.Logic.FunctionalExtensionality.functional_extensionality_dep
    Coq.Reals.ClassicalDedekindReals.sig_not_dec
    Coq.Logic.Classical_Prop.classic

* Constants/Inductives relying on type-in-type: <none>

* Constants/Inductives relying on unsafe (co)fixpoints: <none>

* Inductives whose positivity is assumed: <none>
"""


def recheck(monkeypatch: pytest.MonkeyPatch, printed: str, status: int = 0) -> None:
    done = subprocess.CompletedProcess([], status, printed.encode(), b"")
    monkeypatch.setattr(rocq, "_run", lambda *_: done)
    rocq._recheck(Path("proof.json"), Path(), 0.0)


def test_the_axioms_of_the_reals_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    recheck(monkeypatch, PRINTED)


@pytest.mark.parametrize(
    ("true", "false", "why"),
    [
        ("Coq.Logic.Classical_Prop.classic", "mechanism.Proof.private", "axioms"),
        ("type-in-type: <none>", "type-in-type:\n    mechanism.Proof.program", "type-in-type"),
        ("(co)fixpoints: <none>", "(co)fixpoints: synth.Core.exec", "fixpoints"),
        ("positivity is assumed: <none>", "positivity is assumed: synth.Core.code", "positivity"),
        ("* Axioms:", "* Others:", "axioms"),
    ],
)
def test_anything_else_is_not(monkeypatch: pytest.MonkeyPatch, true: str, false: str, why: str) -> None:
    assert true in PRINTED
    with pytest.raises(UnfinishedError, match=f"coqchk says of .*{why}"):
        recheck(monkeypatch, PRINTED.replace(true, false))


def test_neither_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnfinishedError, match="does not accept"):
        recheck(monkeypatch, PRINTED, status=1)
