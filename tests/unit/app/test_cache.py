"""The cache of verdicts: what hits and what misses, and that no damaged entry is believed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from tempfile import NamedTemporaryFile
from textwrap import dedent
from typing import Any

import pytest

import synth.app.cache
from synth.app import jobs
from synth.app.benchmark import measuring
from synth.app.benchmark.expectations import Expectation
from synth.app.cache import Cache
from synth.app.documents import shown_by
from synth.trusted.frontend.reader import read_file
from synth.trusted.kernel.check import check
from synth.trusted.program import syntax as ir
from synth.views.blank import blank
from synth.views.results import PROVED, REFUTED, UNKNOWN, Result
from tests import ROOT
from tests.unit.app.invocation import Run, invoke, invoke_apart

NOISY = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="3*eps")
def noisy(x: int, eps: float) -> int:
    return laplace(x, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="3*eps")
def noisier(x: int, eps: float) -> int:
    return laplace(x, scale=2 / eps)
"""

COIN = """
from synth.lang import *


@mechanism(requires="0 < p and p <= 0.5", adjacent={"bit": discrete_distance()})
def coin(bit: bool, p: float) -> bool:
    flip = bernoulli(p)
    return not bit if flip else bit
"""

NO_NOISE = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def bare(x: int, eps: float) -> int:
    return x
"""

TEMPLATE = """
extends = "laplace"

[[couplings]]
name = "mirror"
k = "k"
relation = "v2 == v1 + k"
requirement = "true"
distance = "abs(k + center1 - center2)"
source = "test"
"""


@dataclass(frozen=True)
class Desk:
    """A folder with a program and a cache of its own."""

    folder: Path
    run: Run

    @property
    def cache(self) -> Path:
        return self.folder / "cache" / "verdicts"

    def write(self, text: str, name: str = "p.py") -> Path:
        path = self.folder / name
        path.write_text(dedent(text).lstrip(), encoding="utf-8")
        return path

    def prove(self, target: str | Path, *options: str | Path) -> dict[str, Any]:
        """The only result."""
        done = self.run("prove", target, "--json", *options)
        assert done.err == ""
        (result,) = done.results()
        return result

    def entry(self) -> Path:
        """The only entry."""
        (path,) = self.cache.iterdir()
        return path


@pytest.fixture
def desk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Commands run in this process if the test changes something here."""
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path / "cache"))
    changing = "monkeypatch" in signature(request.function).parameters
    return Desk(tmp_path, invoke if changing else invoke_apart)


def _same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """In all that a document shows."""
    changing = {"seconds", "seconds_checking", "cached", "file", "certificate", "effort"}
    changing |= {"reason", "reason_line", "reason_column", "code", "hint", "hints", "matters", "advice"}
    return all(first[name] == second[name] for name in first.keys() - changing)


# --- hits and misses ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        ROOT / "benchmarks" / "programs" / "above_threshold.py::above_threshold",
        ROOT / "benchmarks" / "programs" / "sums.py::smart_sum",
        COIN,
        NO_NOISE,
    ],
)
def test_a_second_run_says_the_same(desk: Desk, program: str | Path) -> None:
    target = program if isinstance(program, Path) else desk.write(program)
    first, second = desk.prove(target), desk.prove(target)
    assert (first["cached"], second["cached"]) == (False, True)
    assert first["verdict"] == (REFUTED if program is NO_NOISE else PROVED)
    assert _same(first, second)


def test_the_report_says_so(desk: Desk) -> None:
    path = desk.write(NOISY)
    first, second = (desk.run("prove", f"{path}::noisy").out for _ in range(2))
    assert "cache" not in first
    assert second.startswith("noisy: proved, epsilon = eps (") and " s, checked again from cache)" in second
    assert second.splitlines()[1:] == first.splitlines()[1:]
    assert second.splitlines()[1] == "  claim 3*eps: proved; eps would do"


def test_the_certificate_of_a_hit_is_written(desk: Desk) -> None:
    path = desk.write(NOISY)
    for name in ("first.json", "second.json"):
        result = desk.prove(f"{path}::noisy", "--certificate", desk.folder / name)
        assert result["certificate"] == str(desk.folder / name)
    assert (desk.folder / "first.json").read_bytes() == (desk.folder / "second.json").read_bytes()


def test_the_path_does_not_count(desk: Desk) -> None:
    desk.prove(f"{desk.write(NOISY)}::noisy")
    moved = desk.write(NOISY, "moved.py")
    result = desk.prove(f"{moved}::noisy")
    assert result["cached"] and result["file"] == str(moved)


def test_a_lower_bound_is_looked_for_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"epsilon_at_least": 0.95}
    monkeypatch.setattr(jobs, "_bracketed", lambda _, result, *rest: replace(result, lower_bound=found))
    path = desk.write(NOISY)
    desk.prove(f"{path}::noisy")
    result = desk.prove(f"{path}::noisy", "--bracket")
    assert result["cached"] and result["lower_bound"] == found


def test_another_claim_is_a_miss(desk: Desk) -> None:
    path = desk.write(NOISY)
    desk.prove(f"{path}::noisy")
    result = desk.prove(f"{path}::noisy", "--epsilon", "2*eps")
    assert (result["cached"], result["claim"]["epsilon"]) == (False, "2*eps")
    assert not desk.prove(f"{path}::noisy", "--delta", "0.5")["cached"]
    assert desk.prove(f"{path}::noisy", "--epsilon", "3 * eps")["cached"]


def test_another_program_or_mechanism_is_a_miss(desk: Desk) -> None:
    desk.prove(f"{desk.write(NOISY)}::noisy")
    assert not desk.prove(f"{desk.folder / 'p.py'}::noisier")["cached"]
    changed = desk.prove(f"{desk.write(NOISY.replace('1 / eps', '1 / (2 * eps)'))}::noisy")
    assert (changed["cached"], changed["epsilon"]) == (False, "2*eps")


@pytest.mark.parametrize("program", [NOISY, NO_NOISE])
def test_what_a_mechanism_does_not_need_does_not_count(desk: Desk, program: str) -> None:
    """It is found again, and shown, and written, with its lines of now."""
    text = dedent(program).strip()
    name = "noisy" if program is NOISY else "bare"
    first = desk.prove(f"{desk.write(text)}::{name}")
    others = "\n\n# A remark.\nSEVEN = 7\n\n\n@mechanism(epsilon=0)\ndef nothing():\n    return SEVEN\n"
    head, _, rest = text.partition("\n")
    path = desk.write(f"{head}{others}\n{rest}\n\n\nEIGHT = 8\n")
    documents = [desk.folder / "cached.json", desk.folder / "new.json"]
    second = desk.prove(f"{path}::{name}", "--certificate", documents[0])
    assert (first["cached"], second["cached"]) == (False, True)
    assert second["line"] == first["line"] + others.count("\n")
    anew = desk.prove(f"{path}::{name}", "--certificate", documents[1], "--no-cache")
    assert _same(second, anew)
    assert documents[0].read_bytes() == documents[1].read_bytes()


def test_a_constant_that_it_uses_counts(desk: Desk) -> None:
    text = dedent(NOISY).replace("scale=1 /", "scale=SCALE /")
    results = [desk.prove(f"{desk.write(f'SCALE = {scale}{text}')}::noisy") for scale in (1, 2, 1)]
    assert [item["cached"] for item in results] == [False, False, True]
    assert [item["epsilon"] for item in results] == ["eps", "eps/2", "eps"]


CLAIMED = NOISY.replace("3*eps", "eps")


def test_another_text_is_proved_by_the_earlier_proof_if_that_comes_to_what_is_claimed(desk: Desk) -> None:
    first = desk.prove(f"{desk.write(CLAIMED)}::noisy")
    edited = CLAIMED.replace("scale=1 /", "scale=2 / 2 /", 1).replace("\ndef", "  # twice, and half\ndef", 1)
    second = desk.prove(f"{desk.write(edited)}::noisy")
    assert not second["cached"] and not second["effort"]["search"]
    assert first["effort"]["search"] and (second["verdict"], second["epsilon"]) == (PROVED, "eps")
    assert desk.prove(f"{desk.folder / 'p.py'}::noisy")["cached"]
    anew = desk.prove(f"{desk.folder / 'p.py'}::noisy", "--no-cache")
    assert anew["effort"]["search"] and _same(second, anew)


def test_an_edit_that_breaks_privacy_is_refuted(desk: Desk) -> None:
    desk.prove(f"{desk.write(CLAIMED)}::noisy")
    broken = CLAIMED.replace("scale=1 / eps", "scale=1 / (2 * eps)", 1)
    assert desk.prove(f"{desk.write(broken)}::noisy")["verdict"] == REFUTED
    assert desk.prove(f"{desk.write(CLAIMED)}::noisy")["verdict"] == PROVED


@pytest.mark.parametrize("damage", [b"", b"x" * 69, b"../../p.py", b"0" * 64 + b".json", b"\xff" * 10])
def test_a_damaged_name_of_the_latest_entry_changes_nothing(desk: Desk, damage: bytes) -> None:
    desk.prove(f"{desk.write(CLAIMED)}::noisy")
    (name,) = (desk.cache.parent / "latest").iterdir()
    name.write_bytes(damage)
    edited = CLAIMED.replace("    return laplace(x,", "    # the answer\n    return laplace(x,", 1)
    second = desk.prove(f"{desk.write(edited)}::noisy")
    assert (second["verdict"], second["epsilon"]) == (PROVED, "eps") and second["effort"]["search"]


def test_another_template_is_a_miss(desk: Desk) -> None:
    path, template = desk.write(NOISY), desk.write(TEMPLATE, "t.toml")
    options = f"{path}::noisy", "--template", template
    desk.prove(f"{path}::noisy")
    assert not desk.prove(*options)["cached"]
    assert desk.prove(*options)["cached"]
    desk.write(TEMPLATE.replace('"test"', '"changed"'), "t.toml")
    assert not desk.prove(*options)["cached"]
    desk.write(TEMPLATE.replace('"abs(k + center1 - center2)"', '"0"'), "t.toml")
    done = desk.run("prove", path, "--template", template)
    assert done.status == 4 and "is not sound" in done.err


def test_other_tools_are_a_miss(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Cache.of_user()
    monkeypatch.setattr(synth.app.cache, "version", lambda name: "99")
    after = Cache.of_user()
    assert before is not None and after is not None
    assert before.surroundings != after.surroundings


def test_other_sources_are_a_miss(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    own = desk.write("print()", "synth.py")
    monkeypatch.setattr(synth.app.cache, "_own_files", lambda: [own])
    synth.app.cache.sources.cache_clear()
    caches = [Cache.of_user()]
    desk.write("print(1)", "synth.py")
    synth.app.cache.sources.cache_clear()
    caches.append(Cache.of_user())
    synth.app.cache.sources.cache_clear()
    assert caches[0] != caches[1]


def test_own_sources_and_templates_count() -> None:
    names = {path.name for path in synth.app.cache._own_files()}
    assert {"cache.py", "check.py", "product.py", "reader.py", "laplace.toml"} <= names


def test_no_cache(desk: Desk) -> None:
    path = desk.write(NOISY)
    desk.prove(f"{path}::noisy", "--no-cache")
    assert not desk.cache.exists()
    desk.prove(f"{path}::noisy")
    assert not desk.prove(f"{path}::noisy", "--no-cache")["cached"]


def test_benchmarks_are_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(measuring.subprocess, "Popen", lambda command, **_: commands.append(command))
    item = Expectation(Path("p.py"), "f", PROVED, "eps", None)
    measuring._start(0, item.command)
    assert "--no-cache" in commands[0]


def test_an_entry_that_takes_long_is_proved_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path = desk.write(NOISY)
    desk.prove(f"{path}::noisy")
    monkeypatch.setattr(jobs, "_RECHECKING", 0.2)
    monkeypatch.setattr(jobs, "shown_by", lambda *_: time.sleep(60))
    result = desk.prove(f"{path}::noisy")
    assert (result["verdict"], result["cached"]) == (PROVED, False)
    assert desk.entry().exists()


# --- what is kept ---------------------------------------------------------------------------


def _mechanism() -> ir.Mechanism:
    return _mechanisms(NOISY)[0]


def _mechanisms(text: str) -> tuple[ir.Mechanism, ...]:
    """As ``prove`` reads them from a file."""
    with NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return read_file(file.name)


def _result(**fields: Any) -> Result:
    return replace(blank(_mechanism()), **{"verdict": PROVED, "epsilon": "eps", "proof": "{}", **fields})


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({}, True),
        ({"proof": None}, False),
        ({"verdict": UNKNOWN, "proof": None}, False),
        ({"verdict": UNKNOWN}, False),
        ({"verdict": REFUTED, "epsilon": None}, True),
        ({"verdict": REFUTED}, False),  # the bound that missed the claim has no certificate
    ],
)
def test_only_what_can_be_checked_is_kept(tmp_path: Path, fields: dict[str, Any], kept: bool) -> None:
    cache = Cache(tmp_path, "")
    cache.keep(_mechanism(), _result(**fields))
    assert (cache.stored(_mechanism()) is not None) == kept == any(tmp_path.iterdir())


def test_an_entry_comes_back_as_it_was(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "")
    cache.keep(_mechanism(), _result(proof="é\n"))
    assert cache.stored(_mechanism()) == "é\n"
    cache.forget(_mechanism())
    assert cache.stored(_mechanism()) is None


def test_what_was_used_longest_ago_is_removed_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, "")
    names = [f"{number:064x}.json" for number in range(4)]
    for age, name in enumerate([*names, f".{'a' * 64}.json.x1_y.tmp", "notes.txt"]):
        (tmp_path / name).write_text("x" * 100)
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    cache.trim(500)
    assert len(list(tmp_path.iterdir())) == 6
    cache.trim(250)
    assert {item.name for item in tmp_path.iterdir()} == {names[0], names[1], "notes.txt"}
    Cache(tmp_path / "missing", "").trim(0)


def test_a_hit_keeps_an_entry_young(desk: Desk) -> None:
    path = desk.write(NOISY)
    desk.prove(f"{path}::noisy")
    os.utime(desk.entry(), (1000, 1000))
    assert desk.prove(f"{path}::noisy")["cached"]
    assert time.time() - desk.entry().stat().st_mtime < 600


# --- damage ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """A mechanism with the one entry about it."""

    mechanism: ir.Mechanism
    cache: Cache
    entry: Path

    def changed(self, tamper: Callable[[dict[str, Any]], None]) -> Known:
        """With another document, by somebody who knows how they are made."""
        content = json.loads(self.entry.read_text())
        tamper(content)
        self.entry.write_text(json.dumps(content))
        return self

    def believed(self) -> Result | None:
        stored = self.cache.stored(self.mechanism)
        return None if stored is None else shown_by(stored, self.mechanism)


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Per program, the entry that a run writes."""
    found = {}
    for text in (NOISY, COIN, NO_NOISE):
        folder = tmp_path_factory.mktemp("entries")
        path = folder / "p.py"
        path.write_text(text)
        name = _mechanisms(text)[0].name
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SYNTH_CACHE", str(folder))
            assert invoke_apart("prove", f"{path}::{name}").status in (0, 1)
        (entry,) = (folder / "verdicts").iterdir()
        found[text] = entry.read_text()
    return found


@pytest.fixture
def known(desk: Desk, entries: dict[str, str]) -> Callable[[str], Known]:
    def of(text: str) -> Known:
        cache, mechanism = Cache.of_user(), _mechanisms(text)[0]
        assert cache is not None
        desk.cache.mkdir(mode=0o700, parents=True)
        entry = desk.cache / f"{cache.key(mechanism)}.json"
        entry.write_text(entries[text])
        return Known(mechanism, cache, entry)

    return of


DAMAGES: list[Callable[[bytes], bytes]] = [
    lambda data: b"",
    lambda data: b"\0" + data,
    lambda data: b"\xff\xfe" + data,
    lambda data: data[: len(data) // 2],
    lambda data: data + b"x",
    lambda data: b"[1]",
    lambda data: b"{}",
    lambda data: b"[" * 100_000,
    lambda data: b"1" * 100_000,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_not_believed(
    known: Callable[[str], Known], damage: Callable[[bytes], bytes]
) -> None:
    noisy = known(NOISY)
    noisy.entry.write_bytes(damage(noisy.entry.read_bytes()))
    assert noisy.believed() is None


@pytest.mark.parametrize("text", ["", "half", "forged"])
def test_what_is_not_believed_is_replaced(desk: Desk, known: Callable[[str], Known], text: str) -> None:
    path, noisy = desk.write(NOISY), known(NOISY)
    if text == "forged":
        noisy.changed(_cheaper)
    else:
        noisy.entry.write_text(text)
    first, second = (desk.prove(f"{path}::noisy") for _ in range(2))
    assert (first["cached"], first["epsilon"]) == (False, "eps")
    assert second["cached"] and _same(first, second)


def test_an_entry_under_a_wrong_name_is_not_believed(known: Callable[[str], Known]) -> None:
    noisy, noisier = known(NOISY), _mechanisms(NOISY)[1]
    stored = noisy.cache.stored(noisy.mechanism)
    assert stored is not None and shown_by(stored, noisier) is None


def _of_another(document: dict[str, Any]) -> None:
    document["program"]["mechanism"] = "noisier"


def _cheaper(document: dict[str, Any]) -> None:
    document["proved"]["epsilon"] = "(* 0.5 |eps<>|)"


def _of_another_text(document: dict[str, Any]) -> None:
    """A valid certificate, but not of this text."""
    text = document["program"]["text"].replace("1 / eps", "1 / (eps)")
    document["program"] |= {"text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    assert check(json.dumps(document)).verdict == "valid"


def _of_another_claim(document: dict[str, Any]) -> None:
    """A valid certificate, but of a claim that is easier."""
    document["claim"]["epsilon"] = "4*eps"
    assert check(json.dumps(document)).verdict == "valid"


@pytest.mark.parametrize("forge", [_of_another, _of_another_text, _of_another_claim, _cheaper])
def test_a_forged_proof_is_not_believed(
    known: Callable[[str], Known], forge: Callable[[dict[str, Any]], None]
) -> None:
    assert known(NOISY).changed(forge).believed() is None


def test_what_is_shown_is_what_the_certificate_proves(known: Callable[[str], Known]) -> None:
    def dearer(document: dict[str, Any]) -> None:
        document["proved"]["epsilon"] = "(* 2.0 |eps<>|)"
        document["tools"] = {"nobody": "epsilon = 0"}

    found = known(NOISY).changed(dearer).believed()
    assert found is not None
    assert (found.verdict, found.epsilon, found.delta, found.claim_is_loose) == (PROVED, "2*eps", "0", True)


def test_a_logarithm_is_shown(known: Callable[[str], Known]) -> None:
    found = known(COIN).believed()
    assert found is not None and found.epsilon == "log((1 - p)/p)"


def _same_input(document: dict[str, Any]) -> None:
    document["witness"]["right"] = document["witness"]["left"]


def _of_another_program(document: dict[str, Any]) -> None:
    document["program"] = document["program"].replace("return x", "return eps")


def _of_an_easier_claim(document: dict[str, Any]) -> None:
    document["epsilon"] = "eps/2"


@pytest.mark.parametrize("forge", [_same_input, _of_another_program, _of_an_easier_claim])
def test_a_forged_witness_is_not_believed(
    known: Callable[[str], Known], forge: Callable[[dict[str, Any]], None]
) -> None:
    assert known(NO_NOISE).changed(forge).believed() is None


def test_nothing_of_a_witness_is_shown_that_is_not_computed_anew(
    known: Callable[[str], Known], entries: dict[str, str]
) -> None:
    def adorned(document: dict[str, Any]) -> None:
        document["witness"] |= {
            "epsilon": 77.0,
            "delta": 0.5,
            "epsilon_at_least": 99.0,
            "output": "nonsense",
            "probability_left": [0.0, 1.0],
            "more": "text",
        }

    original = json.loads(entries[NO_NOISE])
    found = known(NO_NOISE).changed(adorned).believed()
    assert found is not None and found.verdict == REFUTED
    assert json.loads(json.dumps(found.witness)) == original["witness"]
    assert json.loads(found.proof or "") == original


# --- folders --------------------------------------------------------------------------------


def test_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def folder() -> Path | None:
        cache = Cache.of_user()
        return cache and cache.folder

    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SYNTH_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert folder() == tmp_path / "home" / ".cache" / "synth" / "verdicts"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder() == tmp_path / "synth" / "verdicts"
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path / "own"))
    assert folder() == tmp_path / "own" / "verdicts"
    monkeypatch.setenv("SYNTH_CACHE", "")
    assert folder() is None


@pytest.mark.parametrize("obstacle", ["a file", "read-only"])
def test_a_folder_that_cannot_be_written(desk: Desk, monkeypatch: pytest.MonkeyPatch, obstacle: str) -> None:
    path = desk.write(NOISY)
    if obstacle == "a file":
        (desk.folder / "cache").write_text("")
    else:
        desk.prove(f"{path}::noisier")

        def refuse(path: Path, content: str) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(synth.app.cache, "write_atomically", refuse)
    for _ in range(2):
        result = desk.prove(f"{path}::noisy")
        assert (result["verdict"], result["cached"]) == (PROVED, False)


def test_a_folder_that_others_may_write_to_is_not_used(desk: Desk, tmp_path: Path) -> None:
    cache, elsewhere = Cache(desk.cache, ""), tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    desk.cache.parent.mkdir()
    desk.cache.symlink_to(elsewhere)
    cache.keep(_mechanism(), _result())
    assert cache.stored(_mechanism()) is None and not any(elsewhere.iterdir())
    desk.cache.unlink()
    cache.keep(_mechanism(), _result())
    for mode, kept in ((0o777, False), (0o770, False), (0o700, True)):
        desk.cache.chmod(mode)
        assert (cache.stored(_mechanism()) is not None) == kept


def test_a_folder_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "verdicts", "")
    cache.keep(_mechanism(), _result())
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert cache.stored(_mechanism()) is None


@pytest.mark.parametrize(
    "make",
    [
        lambda entry: entry.symlink_to(entry.with_name("copy")),
        lambda entry: entry.symlink_to("/dev/zero"),
        os.mkfifo,
        Path.mkdir,
    ],
)
def test_an_entry_that_is_no_file(tmp_path: Path, make: Callable[[Path], object]) -> None:
    cache = Cache(tmp_path / "verdicts", "")
    cache.keep(_mechanism(), _result())
    (entry,) = cache.folder.iterdir()
    entry.rename(entry.with_name("copy"))
    make(entry)
    assert cache.stored(_mechanism()) is None


def test_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("SYNTH_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert Cache.of_user() is None


# --- several processes ----------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from synth.app.cache import Cache
from tests.unit.app.test_cache import _mechanism, _result
cache = Cache(Path(sys.argv[1]), "")
big = _result(proof="x" * 1_000_000)
print("ready", flush=True)
for _ in range(int(sys.argv[2])):
    cache.keep(_mechanism(), big)
"""


def _writer(folder: Path, times: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), str(times)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_writers_do_not_disturb_each_other(tmp_path: Path) -> None:
    cache, mechanism = Cache(tmp_path, ""), _mechanism()
    cache.keep(mechanism, _result())
    writers = [_writer(tmp_path, 10) for _ in range(2)]
    reads = 0
    while any(writer.poll() is None for writer in writers):
        assert cache.stored(mechanism) is not None
        reads += 1
        time.sleep(0.001)  # so that the writers have the processor
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    assert reads > 10 and cache.stored(mechanism) == "x" * 1_000_000
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("delay", [0.0, 0.013, 0.031])
def test_a_killed_writer_leaves_no_half_entry(tmp_path: Path, delay: float) -> None:
    cache, mechanism = Cache(tmp_path, ""), _mechanism()
    cache.keep(mechanism, _result())
    writer = _writer(tmp_path, 100_000)
    assert writer.stdout is not None
    writer.stdout.readline()
    time.sleep(delay)
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    assert cache.stored(mechanism) is not None
    cache.keep(mechanism, _result(proof="later"))
    assert cache.stored(mechanism) == "later"


def test_two_runs_at_once(desk: Desk) -> None:
    path = desk.write(NOISY)
    command = [sys.executable, "-m", "synth", "prove", str(path), "--json"]

    def prove(_: int) -> list[dict[str, Any]]:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        found: list[dict[str, Any]] = json.loads(done.stdout)["results"]
        return found

    with ThreadPoolExecutor(2) as pool:
        runs = [*pool.map(prove, range(2)), prove(2)]
    for results in runs:
        assert [(item["verdict"], item["epsilon"]) for item in results] == [
            (PROVED, "eps"),
            (PROVED, "eps/2"),
        ]
    assert all(item["cached"] for item in runs[-1])
    assert len(list(desk.cache.iterdir())) == 2
