"""The same verdict, bound and couplings in every process, whatever the order of its sets."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests import ROOT

NAMES = {
    "above_threshold.py": ("above_threshold", "above_threshold_fresh"),
    "noisy_max.py": ("report_noisy_max", "report_noisy_max_monotone"),
    "sparse_vector.py": ("sparse_vector_sequence", "svt_2"),
    "sums.py": ("smart_sum",),
    "vectors.py": ("laplace_vector",),
}
SCRIPT = """
import sys
from pathlib import Path
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_file
from synth.prover.prove import prove
for argument in sys.argv[1:]:
    path, _, wanted = argument.partition("::")
    for mechanism in read_file(Path(path)):
        if mechanism.name in wanted.split(","):
            found = prove(mechanism, load_templates())
            print(mechanism.name, found.epsilon)
            print(found.certificate)
"""


def _run(seed: int) -> str:
    programs = ROOT / "benchmarks" / "programs"
    arguments = [f"{programs / file}::{','.join(names)}" for file, names in NAMES.items()]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, *arguments]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_same_result_in_fresh_processes() -> None:
    first, second = _run(1), _run(4711)
    assert all(name in first for names in NAMES.values() for name in names)
    assert first.splitlines() == second.splitlines()
