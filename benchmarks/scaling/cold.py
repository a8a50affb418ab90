"""``synth prove`` in a cold process: what it says, and the time and memory that it takes."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

Results = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock, processor seconds with those of the workers, and megabytes at the most."""

    wall: float
    processor: float
    megabytes: float


def prove_cold(target: str, timeout: float, options: Sequence[str] = ()) -> tuple[Results, Cost]:
    """The results of one run, one worker, without a cache of verdicts, but with compiled bytecode."""
    command = [sys.executable, "-m", "synth", "prove", target, "--json", "--workers", "1"]
    command += ["--timeout", f"{timeout:g}", *_without_cache(), *options]
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, env=environment())
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        results = _results(output.read())
    unit = 1024 if sys.platform == "linux" else 1024 * 1024
    processor = usage.ru_utime + usage.ru_stime
    return results, Cost(round(wall, 3), round(processor, 3), round(usage.ru_maxrss / unit, 1))


@cache
def environment() -> dict[str, str]:
    """Bytecode is kept, as it is where synth is installed: else each run compiles the sources anew."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    folder = tempfile.mkdtemp(prefix="synth-bytecode-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    kept["PYTHONPYCACHEPREFIX"] = folder
    everything = "import synth.app.commands.prove, synth.prover.prove, synth.prover.templates.loading, synth.views.certificate.report"
    subprocess.run([sys.executable, "-c", everything], env=kept, check=True)
    return kept


@cache
def _without_cache() -> tuple[str, ...]:
    """The option that makes each run a fresh one, where there is one."""
    command = [sys.executable, "-m", "synth", "prove", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return ("--no-cache",) if "--no-cache" in shown else ()


def _results(output: bytes) -> Results:
    try:
        return list(json.loads(output)["results"])
    except (ValueError, KeyError, TypeError):
        return []
