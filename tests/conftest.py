"""All tests: the cache is off, and examples of properties are the same in every run.

``--slow-share 2/3`` takes the second third of the tests:
which ones, the hash of a test's name says, so no test changes its share unless it is renamed.
"""

import os

import pytest
from hypothesis import settings

from tests.support.shares import share, share_of

os.environ["SYNTH_CACHE"] = ""
settings.register_profile("the same in every run", derandomize=True, database=None, deadline=None)
settings.load_profile("the same in every run")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    parser.addoption(
        "--slow-share",
        type=share,
        metavar="K/N",
        help="only the K-th of N shares of the tests that were chosen",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests of the other shares."""
    chosen = config.getoption("--slow-share")
    if chosen is None:
        return
    which, of = chosen
    others = [item for item in items if share_of(item.nodeid, of) != which]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if share_of(item.nodeid, of) == which]
