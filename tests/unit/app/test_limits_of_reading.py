"""Every command that reads a document ends within limits: one message, its exit status, no traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import synth
from synth.app import limited
from tests import ROOT
from tests.support import hostile_documents as hostile
from tests.support.cores import with_core
from tests.unit.app.invocation import Run

GOLDEN = ROOT / "tests" / "soundness" / "kernel" / "golden" / "above_threshold.json"

EXPORTS = [("export", "--to", form) for form in ("text", "latex", "graph", "smtlib")]
PRECISION = ("precision", "--range", "-8", "8", "--grid", "1/64")
READERS = [*EXPORTS, PRECISION]

SLOW = json.dumps(with_core(hostile.many_cases(3000)))


def refused(run: Run, path: Path, command: tuple[str, ...], *options: str) -> tuple[int, str]:
    """The exit status, and the only line that is printed, without what begins all of them."""
    name, *others = command
    done = run(name, path, *others, *options)
    (line,) = done.err.splitlines()
    assert done.out == "" and line.startswith(f"synth: error: {path}: ")
    return done.status, line.removeprefix(f"synth: error: {path}: ")


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_past_the_limit_of_time_nothing_is_said_of_the_document(run: Run, command: tuple[str, ...]) -> None:
    status, message = refused(run, GOLDEN, command, "--timeout", "0.001")
    assert (status, message) == (3, "not done within 0.001 s by the clock, the limit of time (--timeout)")


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_memory_is_limited(run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.setattr("synth.trusted.witness.check.read_witness", lambda text: bytes(1 << 28))
    status, message = refused(run, GOLDEN, command, "--memory", "64")
    assert (status, message) == (3, "needs more than 64 MiB, the limit of memory (--memory)")


@pytest.mark.parametrize("command", [EXPORTS[0], PRECISION], ids=" ".join)
def test_processor_time_is_limited(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """The system ends it, however it is occupied."""
    monkeypatch.setattr(limited.Limits, "processor", lambda limits, size: 0.2)
    monkeypatch.setattr(limited.Limits, "clock", lambda limits, size: 600.0)
    (tmp_path / "slow.json").write_text(SLOW)
    status, message = refused(run, tmp_path / "slow.json", command)
    assert (status, message) == (3, "not done within 0.2 s of processor time, the limit of time (--timeout)")


DOCUMENTS: list[Callable[[], object]] = [
    lambda: hostile.nested_extremes(40, "max(x, {})"),
    lambda: hostile.extremes_in_a_scale(12),
    lambda: hostile.extremes_in_a_term(30),
    lambda: hostile.many_orders(9),
    lambda: hostile.payments_behind_loops(3, 3),
    lambda: hostile.squares(60),
    lambda: hostile.squares_in_public(14),
    lambda: hostile.squares_in_a_term(200),
    lambda: hostile.power_in_the_program("10 ** 9"),
    lambda: hostile.large_exponent("1" + "0" * 200 + ".0"),
    lambda: hostile.large_logarithm("1" + "0" * 200 + ".0"),
    lambda: hostile.powers_of_sums(20),
    lambda: hostile.given_of_a_column(1),
]


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_hostile_documents_are_exported_or_refused(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Nothing but one line of error, or an output; a defect would have the status 70."""
    name, *options = command
    for number, document in enumerate(DOCUMENTS):
        path, folder = tmp_path / f"{number}.json", tmp_path / str(number)
        path.write_text(json.dumps(with_core(document())))
        output = () if name == "precision" else ("--output", folder)
        done = run(name, path, *options, *output)
        assert done.status in (0, 1, 2, 3, 4), (number, done.err)
        assert len(done.err.splitlines()) == (done.status in (2, 3, 4) and "  [" not in done.out), done.err
        assert "Traceback" not in done.err + done.out
        assert folder.exists() == (done.status == 0 and name == "export")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 1_000_000, "nested more than 420 deep"),
        ('{"format": ' + "9" * 1_000_000 + "}", "no token of strict JSON"),
        ("[" + "1," * 4_000_001 + "1]", "more than 8,000,000 characters"),
        (json.dumps({"kind": "witness", "witness": {}}), "a witness against a claim, and no proof"),
        ("\0", "no certificate"),
    ],
)
@pytest.mark.parametrize("command", [EXPORTS[0], PRECISION], ids=" ".join)
def test_what_is_no_proof_is_refused(
    run: Run, tmp_path: Path, command: tuple[str, ...], text: str, message: str
) -> None:
    (tmp_path / "none.json").write_text(text)
    status, said = refused(run, tmp_path / "none.json", command)
    assert status == 4 and message in said


def test_an_export_without_end_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("synth.app.exporting._MAX_LETTERS", 1000)
    for command in EXPORTS:
        status, message = refused(run, GOLDEN, command, "--output", str(tmp_path / "out"))
        assert (status, message) == (3, "the export has more than 1,000 letters, the most allowed")
    assert not (tmp_path / "out").exists()


def test_the_library_has_the_same_limits() -> None:
    with pytest.raises(synth.UnfinishedError, match=r"the limit of time \(timeout\)"):
        synth.export(GOLDEN.read_text(), to="smtlib", proofs=True, timeout=0.001)


# --- distributions --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 900_000, "nested"),
        ('{"left": ' + "9" * 900_000 + "}", "no token"),
        (json.dumps({"left": {"a": "1e-999999999"}, "right": {"a": 1}, "relation": "equality"}), "left"),
        (
            json.dumps({"left": {"a": "1/" + "3" * 300_000}, "right": {"a": 1}, "relation": "equality"}),
            "left",
        ),
        ("x" * 1_000_001, "larger than 1 MB"),
        (b"\xff", "UTF-8"),
    ],
)
def test_hostile_distributions_are_refused(run: Run, tmp_path: Path, text: str | bytes, message: str) -> None:
    path = tmp_path / "d.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    status, said = refused(run, path, ("lifting", "--epsilon", "1"))
    assert status == 4 and message in said


def test_a_large_flow_ends_at_the_limit(run: Run, tmp_path: Path) -> None:
    """Half a megabyte of pairs, each of another small mass."""
    names = [f"v{number}" for number in range(3000)]
    masses = {name: f"1/{len(names)}" for name in names}
    pairs = [[one, two] for one in names[:150] for two in names[:150]]
    path = tmp_path / "d.json"
    path.write_text(json.dumps({"left": masses, "right": masses, "relation": pairs}))
    done = run("lifting", path, "--epsilon", "1", "--timeout", "0.5")
    assert done.status == 3 and len(done.err.splitlines()) == 1
    assert done.err.startswith("synth: error: timed out after 0.5 s while ")
