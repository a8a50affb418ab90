"""Ctrl-C, and a reader that goes away, keep what is finished; odd names of files are names."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests import ROOT
from tests.unit.app.invocation import FALSE, PROVED, Run, Write

STUCK_AT_THE_SECOND = """
import sys, time
import synth.prover.prove

real = synth.prover.prove.prove

def prove(mechanism, templates, progress, shard):
    if mechanism.name == "too_little":
        time.sleep(600)
    return real(mechanism, templates, progress)

synth.prover.prove.prove = prove
from synth.app.cli import main
main(["prove", "--workers=1", "--output-format=" + sys.argv[1], *sys.argv[2:]])
"""


def started(form: str, *paths: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", STUCK_AT_THE_SECOND, form, *map(str, paths)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests
    )


def test_ctrl_c_keeps_what_is_finished(write: Write) -> None:
    with started("jsonl", write("a.py", PROVED), write("b.py", FALSE)) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=120)  # the second proof would take 600 s
        finally:
            process.kill()
    assert (first["verdict"], process.returncode) == ("proved", 130)
    assert json.loads(out.splitlines()[-1]) == {"type": "end", "schema_version": 1, "exit_status": 130}
    assert err == "synth: interrupted: 1 of 2 mechanisms are done\n"


def test_a_reader_that_goes_away_ends_the_run_quietly(write: Write) -> None:
    command = [sys.executable, "-m", "synth", "prove", "--output-format=jsonl"]
    paths = [write("a.py", PROVED), write("b.py", FALSE)]
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run([*command, *paths], stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    os.close(writing)
    assert process.stderr == "" and process.returncode != 0


@pytest.mark.parametrize("name", ["a b.py", "ü.py", "-x.py", "it's.py", "a::b.py", "a%0Ab.py", "a,b:c.py"])
def test_odd_names_of_files_are_names(write: Write, run: Run, name: str, tmp_path: Path) -> None:
    write(name, PROVED)
    for form in ("jsonl", "github", "concise"):
        assert run("prove", "--output-format", form, tmp_path / name).status == 0
    assert run("prove", "--output-format", "jsonl", tmp_path).out.count('"proved"') == 1
