"""Functions of numpy on lists of which records may be missing: what is read is what numpy computes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from synth.refuter.record_lists import python_inputs
from synth.trusted.core.interpreter import Output, outcome
from synth.trusted.program import syntax as ir
from tests.unit.trusted.frontend.test_records import columns, mechanism

HEAD = "import numpy as np\nimport numpy.typing as npt\nfrom synth.lang import *\n\n\n"

OF_ARRAYS = [
    "return np.clip(x, 1, 3).sum()",
    "return np.sum(x.clip(1, 3) * 2 - 1)",
    "return (x > 1).sum(), np.count_nonzero(x == 0), len(x)",
    "return len(x[x > 0]), x[x > 0].sum(), (x * x)[x > 0].sum()",
    "y = x[x > 0]\nreturn len(y), y.sum(), len(y[y > 1])",
    "y = x[x > 0]\nz = 0\nfor i in range(len(y)):\n    z = 10 * z + y[i]\nreturn z",
    "y = x[x > 0]\nz = 0\nfor v, w in zip(y, y * 2):\n    z = 10 * z + v + w\nreturn z",
    "x = x.copy()\ny = x[x > 0]\nx[x > 1] = 7\nreturn y.sum(), x.sum(), len(x)",
    "return np.where(x > 1, 1, 0).sum(), np.where(x > 1, x, -x).sum()",
    "return np.minimum(np.abs(x - 2), 1).sum(), np.maximum(x, x * x - 5).sum()",
    "return ((x > 0) & (x < 5)).sum(), (~(x > 0)).sum()",
    "y = x\ns = 0\nfor i, v in enumerate(y * 2):\n    s += i * v\nreturn s",
    "return x * 2",
    "return x[x > 0]",
    "x = x.copy()\nx += 1\nreturn x.sum()",
    "return np.cumsum(x)",
    "return x.size + x.shape[0], np.any(x > 1), np.all(x > 1)",
    "a = np.clip(x, 0, 1)\nt = 0\nif len(a) > 1:\n    a = a * 3\nt = a.sum()\nreturn t",
    "return x @ x, np.dot(x, x + 1)",
    "return (x[x > 0] * x[x > 0]).sum(), (x[x > 0] + 1)[x[x > 0] > 1].sum()",
]
OF_LISTS = [
    "return np.clip(x, 1, 3).sum()",
    "return np.sum(np.minimum(x, 2)), np.sum(x)",
    "y = np.array(x)\nreturn len(y[y > 1]), (y > 1).sum(), y.sum()",
    "y = np.asarray(x) * 2\nreturn y.sum(), len(x), sum(x)",
    "return np.where(np.array(x) > 1, 1, 0).sum()",
]


def _both(body: str, kind: str, adjacent: str) -> tuple[ir.Mechanism, Any]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = f'{HEAD}@mechanism(adjacent={{"x": {adjacent}}}, epsilon=0)\ndef f(x: {kind}):\n{lines}'
    names: dict[str, Any] = {}
    exec(compile(text, "test.py", "exec"), names)
    return mechanism(text), names["f"].__wrapped__


def _flat(value: Any) -> list[Any]:
    match value:
        case tuple() | list():
            return [item for part in value for item in _flat(part)]
        case np.ndarray():
            return [value.tolist()]
        case _:
            return [int(value)]


def _assert_same(body: str, kind: str, adjacent: str, longest: int) -> None:
    read, run = _both(body, kind, adjacent)
    for length in range(longest + 1):
        for inputs in columns(read, length, (0, 2, 5)):
            (given,) = python_inputs(read, inputs).values()
            expected = _flat(run(given if kind.startswith("list") else np.array(given, dtype=np.int64)))
            found = outcome(read, inputs, lambda site, law: 0)
            assert isinstance(found, Output), inputs
            numbers: list[Any] = [int(Fraction(value)) for value in found.values]
            numbers += [[row[0] for row in rows] for rows in found.lists]
            assert numbers == expected, inputs


@pytest.mark.parametrize("body", OF_ARRAYS)
def test_arrays_of_which_entries_are_missing(body: str) -> None:
    _assert_same(body, "npt.NDArray[np.int64]", "add_remove_distance()", 2)


@pytest.mark.parametrize("body", OF_LISTS)
def test_lists_of_which_records_are_missing(body: str) -> None:
    _assert_same(body, "list[int]", "add_remove_distance()", 2)


@pytest.mark.parametrize("body", OF_LISTS)
def test_lists_of_which_a_record_is_another(body: str) -> None:
    _assert_same(body, "list[int]", "change_one_distance()", 2)


@pytest.mark.parametrize("condition", ["1 / x > 1", "1 / x < 1", "np.log(x) > 0"])
@pytest.mark.parametrize("use", ["len(x[{}])", "x[{}].sum()", "(x + 1)[{}].sum()"])
def test_conditions_are_computed_of_all_entries(condition: str, use: str) -> None:
    """Also an entry that is left out then has to be one that the condition can be computed of."""
    read, _ = _both(f"return {use.format(condition)}", "npt.NDArray[np.int64]", "add_remove_distance()")
    for present, fails in ((True, True), (False, False)):
        inputs = {"x": (0,), "x.present": (present,)}
        assert isinstance(outcome(read, inputs, lambda site, law: 0), Output) is not fails
