"""All tests: the cache is off, and examples of properties are the same in every run.

A file whose tests need a tool that is not installed is skipped; CI installs all of them.

``--slow-share 2/3`` takes the second third of the tests:
which ones, the hash of a test's name says, so no test changes its share unless it is renamed.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import settings

from synth.app.workers import keep_freed_memory
from tests.support.once import FOLDER
from tests.support.shares import share, share_of

os.environ["SYNTH_CACHE"] = ""
BYTECODE = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
"""Tests start thousands of processes, which compile synth again where no bytecode is kept."""
os.environ["PYTHONPYCACHEPREFIX"] = BYTECODE
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.pycache_prefix, sys.dont_write_bytecode = BYTECODE, False
settings.register_profile("the same in every run", derandomize=True, database=None, deadline=None)
settings.load_profile("the same in every run")
keep_freed_memory()  # as where mechanisms are proved: many tests ask solvers in this process


TOOLS = {
    "distributed",
    "grimp",
    "jsonschema",
    "lsprotocol",
    "matplotlib",
    "numpy",
    "opendp",
    "pandas",
    "psutil",
    "pygls",
    "selenium",
    "watchfiles",
    "yaml",
}
"""What only some tests need: of extras, and of what tests are compared with."""


HEAVY = frozenset(Path(__file__).with_name("heavy.txt").read_text(encoding="utf-8").splitlines()[1:])
"""Names of tests that are slow, and like others that are not."""

FORKING = ("tests/unit/app/", "tests/unit/library/", "tests/unit/integrations/")
"""Tests of what does its work in processes of its own."""


class Module(pytest.Module):
    """A file of tests, skipped where it imports a tool that is not installed."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Its tests."""
        try:
            return super().collect()
        except self.CollectError as error:
            missing = getattr(error.__cause__, "name", None)
            if not isinstance(error.__cause__, ModuleNotFoundError) or missing not in TOOLS:
                raise
            pytest.skip(f"{missing} is not installed", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Module:
    """Makes the files of tests such modules."""
    module: Module = Module.from_parent(parent, path=module_path)
    return module


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    parser.addoption(
        "--slow-share",
        type=share,
        metavar="K/N",
        help="only the K-th of N shares of the tests that were chosen",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait for processes of their own."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return cores + 1


def pytest_configure(config: pytest.Config) -> None:
    """Make a folder for what the processes of this run share."""
    if FOLDER not in os.environ:
        folder = tempfile.mkdtemp(prefix="synth-tests-")
        os.environ[FOLDER] = folder  # processes that are started have it, too
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        config.add_cleanup(lambda: os.environ.pop(FOLDER))


def pytest_collection_finish() -> None:
    """What was collected stays: Python's collector need not look through it."""
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts tests first that fork processes: that costs more the more memory a process has, and it only grows.

    Marks heavy ones slow.  Leaves out the tests of the other shares.
    """
    for item in items:
        if item.nodeid in HEAVY:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: not item.nodeid.startswith(FORKING))
    chosen = config.getoption("--slow-share")
    if chosen is None:
        return
    which, of = chosen
    others = [item for item in items if share_of(item.nodeid, of) != which]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if share_of(item.nodeid, of) == which]
