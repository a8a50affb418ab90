"""What a mechanism writes into an array that it is given is seen by who calls it."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source

HEADER = """import numpy as np
import numpy.typing as npt
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and len(out) >= 1", epsilon="0")
def f(x: float, out: npt.NDArray[np.float64], eps: float):
"""

LEAKING = {
    "an entry": "out[0] = x\nreturn 0",
    "all entries": "out[:] = x\nreturn 0",
    "a sum": "out += x\nreturn 0",
    "a method": "out.fill(x)\nreturn 0",
    "a loop": "for i in range(len(out)):\n    out[i] = x\nreturn 0",
    "an order": "out.sort()\nreturn 0",
    "a function": "np.random.default_rng().shuffle(out)\nreturn 0",
    "without a return": "out[0] = x",
    "behind the same array": "out = np.asarray(out)\nout[0] = x\nreturn 0",
    "behind a copy that isn't always made": "if eps > 1:\n    out = out.copy()\nout[0] = x\nreturn 0",
    "before a copy": "out[0] = x\nout = out.copy()\nreturn 0",
    "before a copy that is returned": "out[0] = x\nout = out + 1\nreturn 0, out.sum()",
    "returned on one side only": "out[0] = x\nif eps > 1:\n    return out\nreturn 0",
    "another array is returned": "out[0] = x\nout = np.zeros(len(out))\nreturn out",
    "a copy is returned that is changed": "out += x\nout = out.copy()\nout[:] = 0\nreturn out, 1",
    "another one on one side": "out[0] = x\nif eps > 1:\n    out = out * 0\nreturn out",
}


def read(body: str) -> None:
    read_source(HEADER + "".join(f"    {line}\n" for line in body.split("\n")), "p.py")


@pytest.mark.parametrize("body", LEAKING.values(), ids=LEAKING)
def test_what_is_written_there_is_refused(body: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read(body)
    assert caught.value.code is Refusal.ALIASING, caught.value.message


FINE = {
    "a copy": "out = out.copy()\nout[0] = x\nreturn 0",
    "a new array": "out = np.clip(out, 0, 1)\nout += x\nreturn 0",
    "computed": "out = out * 2\nout[0] = x\nreturn 0",
    "returned": "out += x\nreturn out",
    "returned with more": "out[0] = x\nreturn out, 1",
    "under another name": "new = out.copy()\nnew[0] = x\nreturn 0",
}


@pytest.mark.parametrize("body", FINE.values(), ids=FINE)
def test_a_new_array_and_what_is_returned_may_be_changed(body: str) -> None:
    read(body)
