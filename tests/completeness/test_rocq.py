"""Mechanisms of the suite from the program's text to a theorem of Rocq, on the axioms of its real numbers."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from synth.app.rocq import ALLOWED, MISSING, compile_proof, compile_theories
from synth.rocq.document import rocq_file
from synth.trusted.kernel.check import parse
from tests import ROOT

COVERED = {
    "public/clutch_dp": ("above_threshold", "report_noisy_max", "sparse_vector"),
    "public/opendp": ("bounded_geometric", "geometric_vector", "sequential_composition"),
    "public/sampcert": (
        "above_thresh",
        "max_bin_above_threshold",
        "noised_bin_count",
        "noised_bounded_mean",
        "noised_bounded_sum",
        "noised_count",
        "noised_histogram",
        "sparse",
    ),
    "programs/above_threshold": ("above_threshold", "above_threshold_fresh"),
    "programs/finite": ("rappor", "response"),
    "programs/noisy_max": ("exponential_by_noise", "report_noisy_max", "report_noisy_max_monotone"),
    "programs/noninterference": ("branches_agree", "length_only", "public_answer"),
    "programs/numeric_sparse_vector": ("numeric_svt",),
    "programs/sparse_vector": ("sparse_vector_sequence", "svt_1", "svt_2", "svt_4"),
    "programs/sums": ("partial_sum", "prefix_sum", "running_sum", "smart_sum"),
    "programs/vectors": ("laplace_vector", "vector_noise"),
}
MECHANISMS = [f"{file}.py::{name}" for file, names in COVERED.items() for name in names]
SECONDS = 900


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """The theories, compiled."""
    if shutil.which("coqc") is None:
        pytest.fail(MISSING)
    with TemporaryDirectory() as made:
        compile_theories(Path("theories"), Path(made), time.monotonic() + SECONDS)
        yield Path(made)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_rocq_accepts_the_proof(folder: Path, tmp_path: Path, mechanism: str) -> None:
    document = tmp_path / "proof.json"
    target = f"{ROOT / 'benchmarks'}/{mechanism}"
    command = [sys.executable, "-m", "synth", "prove", target, "--certificate", str(document)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    text = rocq_file(parse(document.read_text(encoding="utf-8")))
    assert set(compile_proof(document, folder, text, time.monotonic() + SECONDS).axioms) <= ALLOWED
