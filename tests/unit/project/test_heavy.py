"""tests/heavy.txt names tests that exist."""

from __future__ import annotations

import re

import pytest

from tests import ROOT
from tests.conftest import HEAVY


@pytest.mark.parametrize("name", sorted(HEAVY))
def test_the_test_exists(name: str) -> None:
    file, test = name.split("[")[0].split("::")
    assert re.search(rf"^def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.M)


def test_heavy_tests_are_slow(request: pytest.FixtureRequest) -> None:
    assert not HEAVY & {item.nodeid for item in request.session.items if not item.get_closest_marker("slow")}
