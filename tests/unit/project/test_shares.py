"""``--slow-share``: shares are disjoint, and together they are all tests."""

from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

from tests import ROOT
from tests.support.shares import share, share_of


def test_a_share_is_a_part_of_a_whole() -> None:
    assert share("2/3") == (2, 3)
    for text in ("0/3", "4/3", "3", "a/b", "1/0", "-1/3", ""):
        with pytest.raises(argparse.ArgumentTypeError):
            share(text)


def test_a_test_belongs_to_one_share() -> None:
    shares = [share_of(f"tests/test_x.py::test_y[{place}]", 3) for place in range(3000)]
    assert set(shares) == {1, 2, 3}
    assert all(900 < shares.count(which) < 1100 for which in (1, 2, 3))


def test_the_shares_are_the_whole() -> None:
    def collected(*options: str) -> set[str]:
        command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "-q", "-q"]
        files = ["tests/unit/prover/test_rational.py", "tests/unit/prover/test_valuations.py"]
        done = subprocess.run([*command, *options, *files], cwd=ROOT, capture_output=True, text=True)
        return {line for line in done.stdout.splitlines() if line.startswith("tests/")}

    parts = [collected("--slow-share", f"{which}/2", "-o", "addopts=-v") for which in (1, 2)]
    assert all(parts) and not parts[0] & parts[1]
    assert parts[0] | parts[1] == collected("-o", "addopts=-v")
