"""Each sampler of a stub takes what the library's function takes, in the same places, with the same defaults.

A stub may lack what a library has, save in places before something that it has.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import random
from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Any

import pytest

from synth.trusted.frontend.library import bundled
from synth.trusted.frontend.module import Function

MODULES = {
    "random": ("random", ("", "Random", "SystemRandom")),
    "secrets": ("secrets", ("",)),
    "numpy.random": ("numpy.random", ("", "Generator", "RandomState")),
}
LACKING = {"random.expovariate"}
"""Functions of which a default came in a later version of Python."""


def samplers() -> Iterator[tuple[str, str, Function]]:
    for module in MODULES:
        stub = bundled().module(module)
        assert stub is not None
        for name, function in stub.functions.items():
            if not name.startswith("_") and "__" not in name:
                yield module, name, function


def real(module: str, name: str) -> list[Callable[..., Any]]:
    """The library's functions of that name: of the module, and the methods of its sources."""
    place, owners = MODULES[module]
    library = pytest.importorskip(place)
    found = []
    for owner in owners:
        function = getattr(getattr(library, owner) if owner else library, name, None)
        if function is not None:
            found.append(function)
    return found


def documented(function: Callable[..., Any]) -> list[tuple[str, object]] | None:
    """The parameters with their defaults, as the function or the first line about it says."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        line = (function.__doc__ or "").strip().split("\n")[0]
        try:
            head = ast.parse(f"def {line}: pass").body[0]
        except SyntaxError:
            return None
        assert isinstance(head, ast.FunctionDef)
        return [item for item in _parameters(head.args) if item[0] != "self"]
    return [(item.name, item.default) for item in signature.parameters.values() if item.name != "self"]


def _parameters(arguments: ast.arguments) -> list[tuple[str, object]]:
    names = [item.arg for item in (*arguments.posonlyargs, *arguments.args)]
    required: list[object] = [inspect.Parameter.empty] * (len(names) - len(arguments.defaults))
    defaults = [*required, *map(_default, arguments.defaults)]
    by_name = [
        (item.arg, inspect.Parameter.empty if node is None else _default(node))
        for item, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return [*zip(names, defaults, strict=True), *by_name]


def _default(node: ast.expr) -> object:
    """A literal; the names of types stand for None: a stub leaves them open."""
    return node.value if isinstance(node, ast.Constant) else None


CASES = list(samplers())


@pytest.mark.parametrize(("module", "name", "function"), CASES, ids=[f"{m}.{n}" for m, n, _ in CASES])
def test_a_stub_has_the_signature_of_the_library(module: str, name: str, function: Function) -> None:
    found = real(module, name)
    assert found, "the library has no such function"
    own = _parameters(function.node.args)
    for other in found:
        theirs = documented(other)
        if theirs is None or name in ("randn", "rand"):
            continue
        names = [item for item, _ in theirs]
        assert set(dict(own)) <= set(names), f"{module}.{name}"
        places = [item.arg for item in (*function.node.args.posonlyargs, *function.node.args.args)]
        assert places == names[: len(places)], f"{module}.{name}: {names}"
        for parameter, default in own:
            theirs_default = dict(theirs)[parameter]
            if f"{module}.{name}" in LACKING or isinstance(theirs_default, type):
                continue
            assert default == theirs_default, f"{module}.{name}: {parameter}"


LAWS: dict[str, tuple[Callable[[random.Random], float], float, float]] = {
    "gauss": (lambda source: abs(source.gauss(0.0, 2.0)), 2 * 0.7978845608, 0.03),
    "normalvariate": (lambda source: abs(source.normalvariate(0.0, 2.0)), 2 * 0.7978845608, 0.03),
    "expovariate": (lambda source: source.expovariate(2.0), 0.5, 0.02),
    "randint": (lambda source: source.randint(1, 6), 3.5, 0.05),
    "randrange": (lambda source: source.randrange(1, 6), 3.0, 0.05),
    "randrange to": (lambda source: source.randrange(6), 2.5, 0.05),
    "random": (lambda source: float(source.random() < 0.3), 0.3, 0.02),
    "uniform": (lambda source: source.uniform(-1, 3), 1.0, 0.04),
    "choices": (lambda source: source.choices([0, 1], weights=[1, 3])[0], 0.75, 0.02),
}


@pytest.mark.parametrize(("draw", "mean", "within"), LAWS.values(), ids=LAWS.keys())
def test_the_mean_of_draws_is_that_of_the_law(
    draw: Callable[[random.Random], float], mean: float, within: float
) -> None:
    source = random.Random(20)
    assert fmean(draw(source) for _ in range(20_000)) == pytest.approx(mean, abs=within)


NUMPY = {
    "laplace": (lambda source: abs(source.laplace(0.0, 2.0)), 2.0, 0.06),
    "normal": (lambda source: abs(source.normal(0.0, 2.0)), 2 * 0.7978845608, 0.04),
    "standard_normal": (lambda source: abs(source.standard_normal()), 0.7978845608, 0.02),
    "exponential": (lambda source: source.exponential(2.0), 2.0, 0.06),
    "geometric": (lambda source: source.geometric(0.25), 4.0, 0.1),
    "geometric's least": (lambda source: float(source.geometric(0.25) == 1), 0.25, 0.02),
    "integers": (lambda source: source.integers(1, 6), 3.0, 0.05),
    "integers, endpoint": (lambda source: source.integers(1, 6, endpoint=True), 3.5, 0.05),
    "random": (lambda source: float(source.random() < 0.3), 0.3, 0.02),
    "uniform": (lambda source: source.uniform(-1, 3), 1.0, 0.04),
    "binomial": (lambda source: source.binomial(1, 0.3), 0.3, 0.02),
    "choice": (lambda source: source.choice(2, p=[0.25, 0.75]), 0.75, 0.02),
}


@pytest.mark.parametrize(("draw", "mean", "within"), NUMPY.values(), ids=NUMPY.keys())
def test_the_mean_of_numpys_draws_is_that_of_the_law(
    draw: Callable[[Any], float], mean: float, within: float
) -> None:
    pytest.importorskip("numpy")
    source = importlib.import_module("numpy.random").default_rng(20)
    assert fmean(float(draw(source)) for _ in range(8_000)) == pytest.approx(mean, abs=2 * within)
