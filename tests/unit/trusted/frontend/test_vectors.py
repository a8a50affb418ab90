"""Noise around a whole list: how it is read, run, proved and refuted."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from synth.lang import exponential, gaussian, laplace, samplers
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.printed import lines
from tests.support.proving import assert_bound, from_text, prove_apart
from tests.support.well_formed import check

HEAD = "from synth.lang import *\n\n@mechanism\n"
SIGNATURE = "def f(q: list[int], r: list[float], n: int, b: bool, bits: list[bool]):\n    "
ANY: Any = None  # for what type checkers would refuse


def read(text: str) -> ir.Mechanism:
    (mechanism,) = read_source(f"{HEAD}{SIGNATURE}{text}\n", "p.py")
    check(mechanism)
    return mechanism


def body(text: str) -> str:
    return "\n".join(lines(read(text).body))


# --- reading --------------------------------------------------------------------------------

LOOP = """{list} = []
loop%3 = 0
block break%2:
  loop loop%3 <= len({center}): #0
    if (len({center}) <= loop%3): #0
      exit break%2
    draw%4 ~ {law} #0
    {list} += [draw%4]
    loop%3 = (loop%3 + 1)
"""


def test_it_is_a_loop_that_appends_one_draw_per_entry() -> None:
    drawn = LOOP.format(list="y", center="q", law="laplace(q[loop%3], 2.) int")
    assert body("y = laplace(q, 2)\n    return y") == drawn + "return y"
    assert body("y: list[int] = laplace(scale=2, center=q)\n    return y") == drawn + "return y"


def test_in_a_return_and_in_a_tuple() -> None:
    drawn = LOOP.format(list="vector%1", center="r", law="gaussian(r[loop%3], 2.) real")
    assert body("return gaussian(r, sigma=2)") == drawn + "return vector%1"
    assert body("return (gaussian(r, 2), n)") == drawn + "return n, vector%1"


def test_the_entries_decide_the_law() -> None:
    assert read("h = [n, 0.5]\n    return laplace(h, 1)").lists["vector%1"].components[0].value == "real"
    assert "laplace(to_real(n), 1.) real" in body("return laplace([n, 0.5], 1)")
    assert "laplace(n, 1.) int" in body("return laplace([n, 1], 1)")


def test_each_branch_may_draw_the_list() -> None:
    text = body("if b:\n        y = laplace(q, 1)\n    else:\n        y = exponential(r, 1)\n    return y")
    assert text.count("y = []") == 2 and "y += [to_real(draw%" in text and "return y" in text


def test_a_list_in_a_tuple_keeps_its_name() -> None:
    assert "return vector%1" in body("t = (laplace(q, 1),)\n    y = t[0]\n    return y")
    assert "return vector%1" in body("t = (laplace(q, 1),)\n    return t[0]")


def test_the_scale_is_positive_also_around_nothing() -> None:
    for center in ("[]", "q"):
        text = body(f"return laplace({center}, n)")
        assert text.startswith("require (0. < to_real(n)) [scale]\n")


REFUSED = {
    "truth values": ("y = laplace(bits, 1)", "5:17: noise around a list of truth values is not supported"),
    "list of lists": ("y = laplace([[1]], 1)", "5:17: a list of lists is not supported"),
    "list in a list": ("y = laplace([laplace(q, 1)], 1)", "5:17: a list of lists is not supported"),
    "tuples": ("h = [(1, 2)]\n    y = laplace(h, 1)", "6:17: noise around a list of tuples is not supported"),
    "display of tuples": ("y = laplace([(1, 2)], 1)", "5:17: noise around a list of tuples is not"),
    "mixed": (
        "h = [(1, 2), 3]\n    y = laplace(h, 1)",
        "6:17: noise around a list of entries of several shapes",
    ),
    "perhaps None": (
        "h = []\n    h.append(None if b else n)\n    y = laplace(h, 1)",
        "7:17: noise around a list of entries that may be None is not supported",
    ),
    "never filled": ("h = []\n    y = laplace(h, 1)", "6:17: nothing is ever appended to this list"),
    "list as scale": ("y = laplace(q, r)", "5:20: a sequence is used as a number"),
    "display as scale": ("y = laplace(1, [1, 2])", "5:20: a list is used as a number"),
    "tuple": ("y = laplace((1, 2), 1)", "5:17: a tuple of 2 is used as a number"),
    "sum": ("y = 1 + laplace(q, 1)", "5:13: noise around a list can't be part of a sum"),
    # Run, a sum with noise is the noise around the sum: the entries that y has would get noise, too.
    "extension": ("y = [5]\n    y += laplace([n], 1)", "6:10: noise around a list can't be part of a sum"),
    "addition": ("y = [5]\n    y = y + laplace([n], 1)", "6:13: noise around a list can't be part of a sum"),
    "around itself": (
        "y = laplace(q, 1)\n    for i in q:\n        y = laplace(y, 1)",
        "7:9: a list can't be replaced by noise around it; use another name",
    ),
    "while it is read": (
        "y = laplace(q, 1)\n    for v in y:\n        y = laplace(q, 1)",
        "7:9: the list is reassigned while a loop runs over it",
    ),
    "parameter": ("if b:\n        q = laplace(q, 1)", "6:9: the parameter 'q' can't be reassigned"),
    "coin": ("y = bernoulli(r)", "5:19: a sequence is used as a number"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_anything_else_is_refused_in_words(case: str) -> None:
    text, message = REFUSED[case]
    with pytest.raises(ProgramError) as caught:
        read(text)
    assert str(caught.value).startswith(f"p.py:{message}")


# --- running --------------------------------------------------------------------------------


@pytest.fixture
def fallback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The samplers without OpenDP, which starts faster."""
    monkeypatch.setattr(samplers, "_opendp", lambda: None)
    samplers._measurement.cache_clear()
    yield
    samplers._measurement.cache_clear()


def program(folder: Path, text: str) -> ModuleType:
    path = folder / "program.py"
    path.write_text(f"from synth.lang import *\n\n\n{text}", encoding="utf-8")
    read_source(path.read_text(encoding="utf-8"), str(path))
    spec = importlib.util.spec_from_file_location("program", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.usefixtures("fallback")
@pytest.mark.parametrize("sampler", [laplace, exponential, gaussian])
def test_a_list_gives_a_list(sampler: Any) -> None:
    assert sampler([], 1) == []
    integers, reals = sampler([0] * 50, 5), sampler([0.0] * 50, 5)
    assert len(integers) == len(reals) == 50
    assert all(type(value) is int for value in integers) and len(set(integers)) > 1
    assert all(type(value) is float for value in reals) and len(set(reals)) == 50


@pytest.mark.usefixtures("fallback")
def test_entries_are_independent_and_around_their_centres() -> None:
    pairs = Counter(tuple(laplace([0, 100], 0.5)) for _ in range(4000))
    first, second = Counter[int](), Counter[int]()
    for (one, other), count in pairs.items():
        first[one] += count
        second[other - 100] += count
    for value in (-1, 0, 1):
        assert abs(first[value] - second[value]) < 300  # 4 standard deviations are below 180
    expected = first[0] * second[0] / 4000
    assert abs(pairs[0, 100] - expected) < 200


@pytest.mark.usefixtures("fallback")
def test_what_is_no_list_of_numbers_is_refused_at_run_time() -> None:
    with pytest.raises(ValueError, match="the centre of laplace must be a finite number, but is \\[1\\]"):
        laplace(ANY or [[1]], 1)
    with pytest.raises(ValueError, match="the scale of laplace must be a finite number, but is \\[1\\]"):
        laplace([1], ANY or [1])


@pytest.mark.usefixtures("fallback")
def test_the_law_is_the_readers(tmp_path: Path) -> None:
    module = program(
        tmp_path,
        "@mechanism()\ndef real(v: float):\n    h = [0, 1]\n    h.append(max(0, v))\n"
        "    y = laplace(h, 1)\n    return y, laplace([0, v], 1), exponential([max(0, v)], 1)\n\n\n"
        "@mechanism()\ndef given(r: list[float]):\n    return laplace(r, 1)\n\n\n"
        "def helper(v, s):\n    return laplace(v, s)\n\n\n"
        "@mechanism()\ndef both(q: list[int], r: list[float]):\n"
        "    a = helper(q, 1)\n    return a, helper(r, 1)\n",
    )
    for part in (*module.real(-1), module.given([0, 1]), module.both([0, 1], [0, 1])[1]):
        assert part and all(type(value) is float and value % 0.5 != 0 for value in part)
    assert all(type(value) is int for value in module.both([0, 1], [0, 1])[0])


# --- proofs ---------------------------------------------------------------------------------

VECTOR = """
@mechanism(adjacent={{"q": {metric}}}, requires="eps > 0")
def f(q: list[{sort}], eps: float):
    return {law}(q, {scale})
"""


@pytest.mark.parametrize(
    ("metric", "sort", "bound"),
    [
        ("l1_distance(1)", "int", "eps"),
        ("l1_distance(1)", "float", "eps"),
        ("change_one_distance(1)", "int", "eps"),
        ("change_one_distance(1)", "float", "eps"),
        ("linf_distance(1)", "int", "len(q)*eps"),
    ],
)
def test_the_least_bound_is_proved(metric: str, sort: str, bound: str) -> None:
    mechanism = from_text(VECTOR.format(metric=metric, sort=sort, law="laplace", scale="1/eps"))
    assert_bound(mechanism, prove_apart(mechanism), bound)


PROVED = {
    "one value released beside it": (
        "y = laplace(q, 1/eps)\n    return y, laplace(len(q), 1/eps)",
        "eps",
    ),
    "post-processing": (
        "best = 0\n    for v in laplace(q, 1/eps):\n        best = max(best, v)\n    return best",
        "eps",
    ),
    "in a loop": (
        "out = []\n    for i in range(3):\n        y = laplace(q, 1/eps)\n        out.append(len(y))\n"
        "        for v in y:\n            out.append(v)\n    return out",
        "3*eps",
    ),
    "only its length": ("return len(laplace(q, 1/eps))", "0"),
}


@pytest.mark.parametrize("case", PROVED)
def test_programs_with_vectors_are_proved(case: str) -> None:
    text, bound = PROVED[case]
    mechanism = from_text(
        '@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")\n'
        f"def f(q: list[int], eps: float):\n    {text}\n"
    )
    assert_bound(mechanism, prove_apart(mechanism), bound)
