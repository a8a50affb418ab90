"""Without Rocq the command says what is missing and how to install it, and nothing is taken for compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.app.rocq import compiled
from synth.trusted.errors import UsageError


def test_who_has_no_rocq_is_told_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match="apt-get install --no-install-recommends coq"):
        compiled(Path("proof.json"), "")
