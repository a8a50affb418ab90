"""An object may hold the records that a mechanism is given: they are what they are by their own name."""

from __future__ import annotations

from random import Random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import numpy as np
from dataclasses import dataclass
from synth.lang import *


class Dataset:
    def __init__(self, data, low):
        self._data = data
        self._low = low

    def count(self):
        return len(self._data)

    def total(self):
        return sum(max(v, self._low) for v in self._data)

    def large(self, least):
        found = 0
        for i, v in enumerate(self._data):
            if v > least and i >= 0:
                found += 1
        return found

    def grow(self):
        self._data.append(1)

    def change(self):
        self._data[0] = 5

    def give(self):
        return self._data


@dataclass
class Query:
    data: list[int]
    least: int

    def answer(self):
        return len([v for v in self.data if v >= self.least])


@mechanism(adjacent={"data": METRIC})
def f(data: list[int], n: int):
"""
METRICS = ("add_remove_distance()", "change_one_distance()")
READ = [
    "d = Dataset(data, n)\nreturn d.count(), d.total()",
    "d = Dataset(data, 0)\nreturn d.large(n), len(data)",
    "q = Query(data, n)\nreturn q.answer()",
    "d = Dataset(data, n)\ne = Dataset(data, 1)\nreturn d.total() - e.total()",
    "return float(np.sum(np.clip(Dataset(data, n).give(), 0, 3)))",
]
REFUSED = [
    "d = Dataset(data, n)\nd.grow()\nreturn d.count()",
    "d = Dataset(data, n)\nd.change()\nreturn d.total()",
    "d = Dataset(data, n)\nd._data = [1]\nreturn d.count()",
    "return Dataset(data, n).give()",
]


def text(metric: str, body: str) -> str:
    return HEAD.replace("METRIC", metric) + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", READ)
@pytest.mark.parametrize("metric", METRICS)
def test_what_is_read_is_what_runs(metric: str, body: str) -> None:
    assert read_source(text(metric, body), "p.py")
    assert compare(text(metric, body), Random(body), 6) == "same"


@pytest.mark.parametrize("body", REFUSED)
@pytest.mark.parametrize("metric", METRICS)
def test_they_are_not_changed_nor_returned(metric: str, body: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(metric, body), "p.py")
