"""A range has a length and entries; it may be what a draw chooses from."""

from __future__ import annotations

from random import Random

import pytest

from synth.trusted.core.interpreter import Output, Violated, outcome
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = "import random\nfrom synth.lang import *\n\n\n@mechanism(adjacent={'x': discrete_distance()})\n"
NUMBERS = range(-2, 4)
VALUES = [
    "len(range(n))",
    "len(range(n, 3))",
    "len(range(-1, 4))",
    "range(n, n + 3)[k]",
    "range(n)[k]",
    "range(5)[k]",
    "range(2, 5)[-1]",
    "range(n, 4)[-2]",
    "range(n, 4)[0] + len(range(k))",
]
REFUSED = {
    "range(0, 9, 2)[1]": Refusal.WRONG_TYPE,
    "len(range(0, 9, 2))": Refusal.WRONG_TYPE,
    "range(n)[0.5]": Refusal.WRONG_TYPE,
    "range(n)[x > 0]": Refusal.WRONG_TYPE,
    "len(iter(range(n)))": Refusal.UNSUPPORTED_NAME,
    "range(5)[1:3]": Refusal.WRONG_TYPE,
    "isinstance(range(n)[1:], list)": Refusal.WRONG_TYPE,
    "len(range(x))": Refusal.PRIVATE_LOOP_BOUND,
}


def text(value: str) -> str:
    return f"{HEAD}def f(x: int, n: int, k: int):\n    return {value}\n"


@pytest.mark.parametrize("value", VALUES)
def test_as_python_does(value: str) -> None:
    """A negative index that the text doesn't show is refused by the obligation."""
    (read,) = read_source(text(value), "test.py")
    for n in NUMBERS:
        for k in NUMBERS:
            found = outcome(read, {"x": 0, "n": n, "k": k}, lambda site, law: 0)
            try:
                expected = eval(value, {"n": n, "k": k})
            except IndexError:
                assert isinstance(found, Violated), (n, k)
                continue
            if not (k < 0 and "[k]" in value):
                assert isinstance(found, Output) and list(found.values) == [expected], (n, k)


@pytest.mark.parametrize("value", REFUSED)
def test_what_is_refused(value: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(text(value), "test.py")
    assert caught.value.code is REFUSED[value], caught.value


@pytest.mark.parametrize("drawn", ["random.choice(range(2, 5))", "random.choices(range(2, 5))[0]"])
def test_a_draw_from_a_range(drawn: str) -> None:
    (read,) = read_source(text(drawn), "test.py")
    for place in range(3):
        found = outcome(read, {"x": 0, "n": 1, "k": 1}, lambda site, law, place=place: place)  # type: ignore[misc]
        assert isinstance(found, Output) and list(found.values) == [2 + place]


NAMED = [
    "r = range(k)\n    return [n + v for v in r], len(r)",
    "r = range(1, 4)\n    return sum(v * w for v in r for w in r), r[1], k in r",
    "r = range(3)\n    return sum(r) + n",
    "r = range(n)\n    n = 1\n    return sum(1 for v in r if v >= 0)",
]


@pytest.mark.parametrize("body", NAMED)
def test_a_name_of_a_range(body: str) -> None:
    source = f"{HEAD}def f(x: int, n: int, k: int):\n    {body}\n"
    assert compare(source, Random(body), 6) == "same"


@pytest.mark.parametrize(
    "body", ["r = range(k)\n    r = range(n)\n    return len(r)", "r = iter(range(k))\n    return sum(r)"]
)
def test_what_is_no_name_of_one_range_is_refused(body: str) -> None:
    with pytest.raises(ProgramError):
        read_source(f"{HEAD}def f(x: int, n: int, k: int):\n    {body}\n", "test.py")
