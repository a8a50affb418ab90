"""Proofs begin while files are read; what is shown, and in which order, depends on no time of either."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from synth.app.jobs import Options
from synth.app.streaming import Proofs
from synth.app.targets import Programs
from synth.app.workers import Channel, Finished, Job, Pool
from synth.trusted.errors import UsageError
from synth.trusted.frontend import reader
from synth.trusted.program import syntax as ir
from tests.unit.app.invocation import Run, Write

PUBLIC = """
@mechanism(adjacent={{"x": absolute_distance(1)}})
def {name}(x: int, t: int) -> int:
    return {value}
"""


def _program(*names: str, wrong: str = "") -> str:
    """Mechanisms of these names, of which one can't be read."""
    found = (PUBLIC.format(name=item, value="unknown(t)" if item == wrong else "t") for item in names)
    return "from synth.lang import *\n" + "".join(found)


def _waiting(flag: Path, known: int) -> Callable[..., reader.File]:
    """The reader, which goes on after so many mechanisms only when there is a file."""
    read_program = reader.read_program

    def read(path: Path, specified: Any, data: Any, only: Any, each: reader.Each) -> reader.File:
        told: list[ir.Mechanism] = []

        def tell(mechanism: ir.Mechanism) -> ir.Mechanism:
            while len(told) == known and not flag.exists():
                time.sleep(0.01)
            told.append(mechanism)
            return each(mechanism)

        return read_program(path, specified, data, only, tell)

    return read


def test_results_come_while_the_file_is_read(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, read = list("abcdefg"), list[tuple[Programs, bool]]()
    monkeypatch.setattr(reader, "read_program", _waiting(tmp_path / "flag", 5))
    proofs = Proofs([str(write("p.py", _program(*names)))], Options(), lambda *said: read.append(said))
    with closing(proofs.found()) as found:
        mechanism, answer = next(found)
        assert mechanism.name == "a" and answer.result is not None and answer.result.verdict == "proved"
        assert not read
        (tmp_path / "flag").touch()
        assert [item.name for item, _ in found] == names[1:]
    ((programs, begun),) = read
    assert begun and [item.name for item in programs.mechanisms] == names


def test_of_few_mechanisms_all_are_read_first(write: Write) -> None:
    read: list[bool] = []
    path = write("p.py", _program(*"abcd"))
    with closing(Proofs([str(path)], Options(), lambda _, begun: read.append(begun)).found()) as found:
        assert [item.name for item, _ in found] == list("abcd")
    assert read == [False]


def test_a_certificate_is_written_when_it_is_known_where_it_goes(
    run: Run, write: Write, tmp_path: Path
) -> None:
    path = write("p.py", _program(*"abcdef"))
    done = run("prove", path, "--certificate", tmp_path / "one.json")
    assert done.status == 2 and not done.out and "must be a folder" not in done.err
    assert "name one as FILE::NAME" in done.err
    assert run("prove", path, "--certificate", tmp_path / "all").status == 0
    assert sorted(item.name for item in (tmp_path / "all").iterdir()) == [f"{name}.json" for name in "abcdef"]


@pytest.mark.parametrize("names", ["abc", "abcdef"])
def test_what_cannot_be_read_comes_first_of_few_and_last_of_many(run: Run, write: Write, names: str) -> None:
    done = run("prove", write("p.py", _program(*names, wrong="b")), "--output-format", "jsonl")
    kinds = [json.loads(line)["type"] for line in done.out.splitlines()]
    results = ["result"] * (len(names) - 1)
    assert kinds == (["error", *results, "end"] if len(names) <= 4 else [*results, "error", "end"])
    assert done.status == 4


def test_results_stand_in_the_order_of_files_and_none_comes_twice(run: Run, write: Write) -> None:
    one, other = write("one.py", _program(*"abc")), write("other.py", _program(*"def"))
    targets = [f"{other}::e", one, other, f"{one}::b", other]
    done = run("prove", *targets, "--output-format", "jsonl")
    found = [json.loads(line).get("mechanism") for line in done.out.splitlines()[:-1]]
    assert found == ["e", "a", "b", "c", "d", "f"]


def test_a_name_that_is_nowhere_is_said_before_anything_is_proved(write: Write) -> None:
    proofs = Proofs([f"{write('p.py', _program(*'abcdef'))}::g"], Options(), lambda *said: None)
    with pytest.raises(UsageError, match="no mechanism 'g'"):
        next(proofs.found())


def test_jobs_that_a_job_finds_are_done_by_processes_that_know_them() -> None:
    jobs: list[Job[tuple[int, int]]] = []

    def find(channel: Channel) -> tuple[int, int]:
        for part in range(20):
            channel.part(part)
        return -1, os.getpid()

    def take(number: int, part: int) -> None:
        jobs.append(lambda channel: (part, os.getpid()))

    jobs.append(find)
    pool = Pool(jobs, 2, 60, jobs_each=50, before=1, on_part=take)
    found = {number: item.value for number, item in pool.ended() if isinstance(item, Finished)}
    assert [found[number][0] for number in range(21)] == [-1, *range(20)]
    assert found[0][1] not in {process for number, (_, process) in found.items() if number}
