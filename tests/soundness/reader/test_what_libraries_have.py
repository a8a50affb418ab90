"""What a library lacks is not read, whatever its stub says: names, methods of sources, names of arguments."""

from __future__ import annotations

import ast
import importlib
import random
import secrets
from collections.abc import Iterator

import numpy as np
import pytest

from synth.trusted.frontend.library import bundled
from synth.trusted.frontend.reader import read_what_can_be
from tests.support.real_runs import UNDEFINED, compare, core_inputs, law_of

HEAD = """import itertools
import math
import operator
import random
import secrets
import statistics
from functools import partial
import numpy as np
import numpy.typing as npt
from synth.lang import *
@mechanism()
def f(x: int, y: float, xs: list[int], a: npt.NDArray[np.int64]):
"""

MODULES = ("itertools", "math", "operator", "random", "secrets", "statistics")
NUMPYS = ("numpy", "numpy.linalg", "numpy.random", "numpy.random.mtrand")


def is_read(body: str) -> bool:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    found, _ = read_what_can_be(HEAD + lines, "p.py")
    return bool(found)


@pytest.mark.parametrize("module", (*MODULES, *NUMPYS))
def test_what_a_stub_shows_is_in_the_library(module: str) -> None:
    library = bundled()
    stub, real = library.module(module), importlib.import_module(module)
    assert stub is not None
    below = {name.removeprefix(f"{module}.").partition(".")[0] for name in library.texts}
    names = {*stub.functions, *stub.classes, *stub.names, *below}
    found = {name for name in names if library.member(module, name) is not None}
    assert found
    assert not {name for name in found if not hasattr(real, name)}


OF_STUBS = (
    "np.shown(True)",
    "np.lang.laplace(0.0, 1.0)",
    "np._by_entry.exp(1.0)",
    "np.linalg.sum(a)",
    "np.linalg._root(2.0)",
    "np.random.laplace__sized(0.0, 1.0, 2)",
    "np.random._one_of([1, 2], None)",
    "np.random.unit() < 0.5",
    "np.random.default_rng()._index(2, None)",
    "np.item",
    "np.tolist(a)",
    "random._drawn._drawn_from([1, 2], 1)",
    "random.lang.uniform_int(0, 1)",
    "statistics.shown(True)",
    "math.lang.exp(1)",
)


@pytest.mark.parametrize("called", OF_STUBS)
def test_names_of_stubs_are_no_names_of_the_library(called: str) -> None:
    assert not is_read(f"v = {called}\nreturn 0")


SOURCES = {
    "np.random": np.random,
    "np.random.default_rng()": np.random.default_rng(),
    "np.random.Generator(np.random.PCG64())": np.random.default_rng(),
    "np.random.RandomState()": np.random.RandomState(),
    "np.random.PCG64()": np.random.PCG64(),
    "random.Random()": random.Random(),
    "random.SystemRandom()": random.SystemRandom(),
}


def methods() -> Iterator[tuple[str, str]]:
    for source in SOURCES:
        names = {name for module in ("random", "numpy.random") for name in public_functions(module)}
        yield from ((source, name) for name in sorted(names))


def public_functions(module: str) -> Iterator[str]:
    stub = bundled().module(module)
    assert stub is not None
    yield from (name for name in stub.functions if not name.startswith("_") and "__" not in name)


def test_sources_have_the_methods_that_the_library_gives_them() -> None:
    for source, name in methods():
        own = f"s = {source}\ng = s.{name}" if "(" in source else f"g = {source}.{name}"
        if is_read(f"{own}\nreturn 0"):
            assert hasattr(SOURCES[source], name), f"{source} has no {name}"
        else:
            stub = bundled().module("random" if source.startswith("random") else "numpy.random")
            assert stub is not None
            assert name not in stub.functions or not hasattr(SOURCES[source], name), f"{source}.{name}"


MADE = {
    "np.random.Generator()": False,
    "np.random.Generator(None)": False,
    "np.random.Generator(np.random.RandomState())": False,
    "np.random.RandomState(np.random.default_rng())": False,
    "np.random.RandomState(None, None)": False,
    "np.random.PCG64(np.random.PCG64())": False,
    "random.Random(np.random.default_rng())": False,
    "random.Random(seed=None)": False,
    "np.random.default_rng(np.random.default_rng())": True,
    "np.random.default_rng(seed=None)": True,
    "np.random.RandomState(np.random.MT19937())": True,
    "random.Random(None)": True,
}


@pytest.mark.parametrize(("made", "works"), MADE.items(), ids=MADE)
def test_sources_are_made_as_the_library_makes_them(made: str, works: bool) -> None:
    if works:
        eval(made, {"np": np, "random": random})
    else:
        with pytest.raises((TypeError, ValueError, AttributeError)):
            eval(made, {"np": np, "random": random})
    assert is_read(f"s = {made}\nreturn 0") == works


RAISING = (
    "sum(iterable=xs)",
    "any(iterable=xs)",
    "sorted(iterable=xs)",
    "list(map(abs, iterable=xs))",
    "partial(abs)(x=x)",
    "math.pow(y, y=2)",
    "math.fsum(seq=xs)",
    "operator.add(x, b=2)",
    "list(itertools.pairwise(iterable=xs))",
    "np.exp(x=y)",
    "np.maximum(y, x2=1.0)",
    "np.where(a > 0, x=y, y=2)",
    "np.float64(x=y)",
    "np.arange(start=1)",
    "np.concatenate(arrays=[a, a])",
    "a.clip(a_min=0, a_max=1)",
    "a.item(index=0)",
    "a.item(None)",
    "np.random.randn(None)",
    "np.random.randn(d0=2)",
    "np.random.rand(None) < 0.5",
    "random.getrandbits(k=1)",
)


@pytest.mark.parametrize("called", RAISING)
def test_arguments_are_named_as_in_the_library(called: str) -> None:
    assert not is_read(f"return {called}")
    with pytest.raises(TypeError):
        inputs = {"x": 1, "y": 0.5, "xs": [1, 2], "a": np.array([2])}
        libraries = ("itertools", "math", "operator", "random")
        names = {name: importlib.import_module(name) for name in libraries}
        eval(called, {**names, "partial": importlib.import_module("functools").partial, "np": np}, inputs)


TAKEN_OTHERWISE = (
    "random.sample(a, 0)",
    "random.sample(np.array([1, 2, 3]), 2)",
    "np.random.default_rng().integers(3, dtype=bool)",
    "np.random.default_rng().integers(2, dtype=float)",
    "np.random.default_rng().uniform(1, 0) < 0.5",
    "secrets.randbelow(np.int64(2))",
    "np.random.permutation(np.any(a > 0))",
)


@pytest.mark.parametrize("called", TAKEN_OTHERWISE)
def test_nothing_is_said_of_values_for_which_a_sampler_raises(called: str) -> None:
    inputs = {"x": 1, "y": 0.5, "xs": [1, 2], "a": np.array([2])}
    with pytest.raises((TypeError, ValueError, AttributeError, IndexError)):
        eval(called, {"np": np, "random": random, "secrets": secrets}, inputs)
    found, _ = read_what_can_be(f"{HEAD}    return {called}\n", "p.py")
    for mechanism in found:
        assert UNDEFINED in law_of(mechanism, core_inputs(mechanism, inputs, random.Random(0)))


@pytest.mark.parametrize(
    "called", ["secrets.randbits(np.int64(63))", "random.SystemRandom().getrandbits(np.int64(63))"]
)
def test_bits_are_counted_by_no_number_of_numpy(called: str) -> None:
    """What is shifted by one is one, and half of the draws are too large for it: Python raises."""
    assert is_read(f"return {called.replace('np.int64(63)', '63')}")
    assert not is_read(f"return {called}")


READ = (
    "sum(xs, start=1)",
    "np.clip(a, a_min=0, a_max=1)",
    "a.clip(0, 1)",
    "np.arange(1, stop=3)",
    "np.isclose(a, b=1)",
    "np.concatenate([a, a], axis=0)",
    "statistics.fmean(data=[x, 2])",
    "list(itertools.combinations(iterable=xs, r=2))",
    "math.prod(xs, start=2)",
)


@pytest.mark.parametrize("called", READ)
def test_what_the_library_takes_is_read(called: str) -> None:
    assert ast.parse(called)
    assert compare(f"{HEAD}    return {called}\n", random.Random(called)) == "same"


OF_DIFFPRIVLIB = (
    "Laplace(epsilon=1.0, sensitivity=1.0).randomise(a[0] > 0)",
    "Geometric(epsilon=1.0).randomise(a[0] > 0)",
    "Geometric(epsilon=1.0, sensitivity=a[0] > 0).randomise(x)",
    "Laplace(epsilon=1.0, sensitivity=1.0)._scale",
    "Laplace(epsilon=1.0, sensitivity=1.0, random_state=np.random.default_rng()).randomise(x)",
    "Laplace(epsilon=1.0, sensitivity=1.0, random_state=random.Random()).randomise(x)",
    "Exponential(epsilon=1.0, sensitivity=1.0, utility=a).randomise()",
    "Exponential(epsilon=1.0, sensitivity=1.0, utility=(x, 1)).randomise()",
    "Exponential(epsilon=1.0, sensitivity=1.0, utility=[v > 0 for v in xs]).randomise()",
    "tools.mean(xs, epsilon=1.0, bounds=[0, 1])",
    "tools.mean(xs, epsilon=1.0, bounds=(0, 1), random_state=random.SystemRandom())",
    "norm.rvs(0.0, 1.0, random_state=random.Random())",
    "norm.rvs(0.0, 1.0, random_state=np.random.PCG64())",
    "norm.rvs(0.0, 1.0, 2, np.random.RandomState())",
)
"""For each of these diffprivlib 0.6.6 or scipy 1.17.1 raises."""

IMPORTS = """from diffprivlib import tools
from diffprivlib.mechanisms import Exponential, Geometric, Laplace
from scipy.stats import norm
"""


@pytest.mark.parametrize("called", OF_DIFFPRIVLIB)
def test_nothing_is_said_of_values_for_which_a_library_raises(called: str) -> None:
    inputs = {"x": 1, "y": 0.5, "xs": [1, 2], "a": np.array([2, 0])}
    head = HEAD.replace("from synth.lang", f"{IMPORTS}from synth.lang")
    found, _ = read_what_can_be(f"{head}    v = {called}\n    return 0\n", "p.py")
    for mechanism in found:
        assert UNDEFINED in law_of(mechanism, core_inputs(mechanism, inputs, random.Random(0)))


TAKEN = (
    "Laplace(epsilon=1.0, sensitivity=1.0, random_state=random.SystemRandom()).randomise(x)",
    "Exponential(epsilon=1.0, sensitivity=1.0, utility=xs).randomise()",
    "tools.mean(xs, epsilon=1.0, bounds=(0, 1))",
    "norm.rvs(0.0, 1.0, random_state=np.random.default_rng())",
)


@pytest.mark.parametrize("called", TAKEN)
def test_what_such_a_library_takes_is_read(called: str) -> None:
    inputs = {"x": 1, "y": 0.5, "xs": [1, 2], "a": np.array([2, 0])}
    head = HEAD.replace("from synth.lang", f"{IMPORTS}from synth.lang")
    found, _ = read_what_can_be(f"{head}    v = {called}\n    return 0\n", "p.py")
    (mechanism,) = found
    assert UNDEFINED not in law_of(mechanism, core_inputs(mechanism, inputs, random.Random(0)))
