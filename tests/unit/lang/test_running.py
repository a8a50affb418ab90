"""Programs under plain Python draw what the reader says, in its order, and come to the same values.

All draws of a run are recorded; the typed program then has the same ones.
"""

from __future__ import annotations

import importlib.util
import inspect
import random
import tomllib
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from math import exp, log, sqrt
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_origin

import numpy as np
import pytest

from synth.lang import samplers
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests import ROOT
from tests.support.typed_runs import Run

FOLDERS = (
    "benchmarks",
    "tests/completeness/programs/variants",
    "tests/completeness/programs/heldout",
    "tests/completeness/programs/fuzzed",
    "tests/completeness/programs/adjacency",
    "tests/soundness/programs/broken",
)


@dataclass(frozen=True)
class Drawn:
    """A draw: its law, and what came out of it (of noise, without the centre)."""

    law: str
    value: Any


class Recorder:
    """Takes the place of all samplers: small numbers, eighths where the noise is real."""

    def __init__(self, rng: random.Random, patch: pytest.MonkeyPatch) -> None:
        self.rng = rng
        self.drawn: list[Drawn] = []
        for law in ("laplace", "exponential", "gaussian"):
            patch.setattr(samplers, f"integer_{law}", self._integer(law))
            patch.setattr(samplers, f"real_{law}", self._real(law))
        patch.setattr(samplers, "coin", lambda p: self._kept("finite", rng.random() < 0.5))
        patch.setattr(samplers, "uniform", lambda low, high: self._kept("finite", rng.randint(low, high)))
        patch.setattr(samplers, "weighted_index", lambda all_: self._kept("finite", rng.randrange(len(all_))))

    def _kept(self, law: str, value: Any) -> Any:
        self.drawn.append(Drawn(law, value))
        return value

    def _integer(self, law: str) -> Callable[..., int]:
        return lambda scale: self._kept(f"integer {law}", self.rng.randint(-5, 5))

    def _real(self, law: str) -> Callable[..., float]:
        return lambda center, scale: center + self._kept(f"real {law}", self.rng.randint(-40, 40) / 8)


class Replay(Run):
    """The typed program on the draws of a run under Python."""

    def _statement(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Draw(target=target, distribution=law, arguments=(center, _), sort=sort):
                drawn: Any = next(self.noise)
                assert drawn.law == f"{'integer' if sort is ir.Sort.INT else 'real'} {law}"
                self._set(target, self._value(center) + Fraction(drawn.value), sort)
            case ir.Choose(target=target, sort=sort):
                drawn = next(self.noise)
                assert drawn.law == "finite"
                self._set(target, drawn.value, sort)
            case _:
                super()._statement(statement)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """Samplers that are recorded; no warning goes unnoticed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield Recorder(random.Random(0), monkeypatch)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("program", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def assert_alike(recorder: Recorder, of: ir.Mechanism, module: ModuleType, inputs: dict[str, Any]) -> None:
    """The typed program makes the draws of the Python program, and returns its numbers."""
    recorder.drawn.clear()
    returned = vars(module)[of.name](**inputs)
    draws: Any = iter(recorder.drawn)
    output = Replay(of, inputs, draws).output()
    assert next(draws, None) is None
    flat = returned if isinstance(returned, tuple) else (returned,)
    if len(flat) == len(output):
        assert all(first == second for first, second in zip(flat, output, strict=True))


# --- random programs ------------------------------------------------------------------------

HEAD = """from synth.lang import *


def same(c):
    return c


def noisy(c, s=1):
    return c + laplace(0, s)


def twice(c):
    u = laplace(c, 1)
    return u + laplace(0, 1) + 0.5


def positive(c):
    if c > 0:
        return c
    return 0


def declared(c: float):
    return laplace(c, 1) - 1


def pair(c):
    return c, laplace(c, 1)


def push(out, c):
    out.append(c)
    return len(out)


def total(out):
    s = 0
    for o in out:
        s += o
    return s


@mechanism(adjacent={"x": absolute_distance(1)}, requires="len(q) > 0 and len(p) > 0")
def m(x: int, y: float, q: list[int], p: list[float], f: Callable[[int], int], g: Callable[[int], float]):
    xs = [0]
    ys = [0.5]
"""
ATOMS = ("x", "y", "0.25", "1", "0", "q[0]", "p[0]", "len(q)", "f(1)", "g(2)", "len(xs)", "xs[0]")
FINITE = ("uniform_int(0, len(xs))", "choice(3, f)", "(1 if bernoulli(0.5) else 0)", "total(xs)", "total(ys)")
SHAPES = (
    *("{} + {}", "{} + {}", "{} + {}", "{} + {}", "{} - ({})", "{} - ({})", "-({})", "2 * ({})", "({})"),
    *("laplace({}, 2)", "laplace(scale=1, center={})", "gaussian({}, 1)", "exponential({}, 1)"),
    *("laplace(0, 1) + {}", "max(0, {})", "(x if y > 0 else {})", "push(xs, {})", "push(ys, {})"),
    *("noisy({})", "twice({})", "positive({})", "declared({})", "same({})", "float({})", "round({})"),
)
BODIES = (
    *("{v} = {e}", "{v} = {e}", "{v}: float = {e}", "{v}, w = pair({e})", "xs.append({e})\n{v} = xs[0]"),
    *("{v} = {a}\n{v} += {e}", "{v} = {a}\n{v} -= {e}", "{v} = {e}\nif {v} > 0:\n    {v} = {a}"),
    *("{v} = 0\nfor j in range(2):\n    {v} += {e}", "{v} = 0\nwhile {e} > 0 and {v} < 3:\n    {v} += 1"),
)


def expression(rng: random.Random, depth: int) -> str:
    """A number, with draws in it."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(rng.choice((ATOMS, ATOMS, FINITE)))
    shape = rng.choice(SHAPES)
    return shape.format(*(expression(rng, depth - 1) for _ in range(shape.count("{}"))))


def random_program(rng: random.Random) -> str:
    """A mechanism of some sums of draws."""
    lines: list[str] = []
    values = []
    for place in range(rng.randint(1, 4)):
        sum_ = expression(rng, 3)
        if values and rng.random() < 0.6:
            sum_ = f"{rng.choice(values)} {rng.choice('+-')} ({sum_})"
        values.append(f"v{place}")
        body = rng.choice(BODIES).format(v=values[-1], e=sum_, a=expression(rng, 1))
        lines += body.split("\n")
    lines.append(f"return {', '.join(values)}, {expression(rng, 3)}")
    return HEAD + "".join(f"    {line}\n" for line in lines)


def some_inputs(rng: random.Random) -> dict[str, Any]:
    return {
        "x": rng.choice((0, 1, -2)),
        "y": rng.choice((0, 0.5, -1.25, 3)),
        "q": [rng.choice((1, 2, -3))],
        "p": [rng.choice((1, 0.25, -2))],
        "f": lambda index: index + 3,
        "g": lambda index: index - 1,
    }


@pytest.mark.parametrize("seed", range(6))
def test_random_sums_of_draws(seed: int, tmp_path: Path, recorder: Recorder) -> None:
    for number in range(20):
        rng = random.Random(f"{seed}/{number}")
        path = tmp_path / f"program{number}.py"
        path.write_text(random_program(rng), encoding="utf-8")
        (of,) = read_source(path.read_text(encoding="utf-8"), str(path))
        module = load(path)
        for _ in range(2):
            assert_alike(recorder, of, module, some_inputs(rng))


# --- the programs of the suite and of the tests ---------------------------------------------

OUT_OF_RANGE = {"growth_factor": "exp(1e5) is larger than any float", "vertex_cover": "its facts say more"}
"""Mechanisms that can't be run on any numbers that their ``requires`` allows."""


def proved() -> Iterator[Any]:
    for folder in FOLDERS:
        listed = tomllib.loads((ROOT / folder / "expected.toml").read_text(encoding="utf-8"))
        files: dict[str, set[str]] = {}
        for item in listed["mechanism"]:
            if item["verdict"] == "proved" and item["name"] not in OUT_OF_RANGE:
                files.setdefault(item["file"], set()).add(item["name"])
        for file, names in files.items():
            yield pytest.param(ROOT / folder / file, names, id=f"{Path(folder).name}/{file}")


def number(sort: ir.Sort, rng: random.Random) -> int | float | bool:
    if sort is ir.Sort.BOOL:
        return rng.random() < 0.5
    if sort is ir.Sort.INT:
        return rng.choice((0, 1, 2, 3, 4, 5, -1, -2, 200))
    return rng.choice((0, 0.5, 0.5, 1, 1, 2, 3, 0.125, -1.5, 200))


def value(parameter: ir.Parameter, rng: random.Random) -> Any:
    if parameter.kind is ir.ParameterKind.SCALAR:
        return number(parameter.sort, rng)
    if parameter.kind is ir.ParameterKind.SEQUENCE:
        return [number(parameter.sort, rng) for _ in range(rng.randrange(5))]
    known: dict[tuple[int, ...], Any] = {}
    return lambda *index: known.setdefault(index, number(parameter.sort, rng))


def python_inputs(of: ir.Mechanism, rng: random.Random) -> dict[str, Any]:
    """Random inputs, with a list of records for the parameters that stand for it."""
    inputs = {item.name: value(item, rng) for item in of.visible}
    lists = {}
    for records in of.records:
        size = rng.randrange(5)
        columns = [[number(of.parameter(name).sort, rng) for _ in range(size)] for name in records.columns]
        lists[records.name] = list(zip(*columns, strict=True)) if records.is_tuple else columns[0]
        for name in (*records.columns, *records.others, records.present, records.chosen):
            inputs.pop(name or "", None)
    sizes = min((len(item) for item in lists.values()), default=0)
    return {**inputs, **{name: item[:sizes] for name, item in lists.items()}}


def admissible(of: ir.Mechanism, module: ModuleType, rng: random.Random) -> dict[str, Any]:
    """Random inputs that satisfy ``requires``."""
    condition = vars(module)[of.name].claim.requires
    names = {"exp": exp, "log": log, "sqrt": sqrt, **vars(module)}
    for _ in range(5000):
        inputs = python_inputs(of, rng)
        try:
            if eval(condition, {**names, **inputs}):
                return inputs
        except (ZeroDivisionError, ValueError, IndexError):
            continue
    raise AssertionError(f"no inputs with {condition}")


def _as_annotated(function: Callable[..., Any], inputs: dict[str, Any]) -> dict[str, Any]:
    """Lists as arrays, and tuples as named ones or objects, where the function has them."""
    signature = inspect.signature(function, eval_str=True)
    hints = {name: item.annotation for name, item in signature.parameters.items()}
    return {name: _of_type(hints[name], value) for name, value in inputs.items()}


def _of_type(hint: Any, value: Any) -> Any:
    if get_origin(hint) is np.ndarray:
        return np.asarray(value, dtype=np.float64)
    match get_args(hint):
        case (type() as entry,) if hasattr(entry, "_fields") or is_dataclass(entry):
            return [entry(*item) for item in value]
    return value


@pytest.mark.parametrize(("path", "names"), list(proved()))
def test_what_is_proved_runs(path: Path, names: set[str], recorder: Recorder) -> None:
    module = load(path)
    for of in read_source(path.read_text(encoding="utf-8"), str(path)):
        if of.name in names:
            rng = random.Random(of.name)
            for _ in range(4):
                inputs = admissible(of, module, rng)
                try:
                    function = vars(module)[of.name]
                    function(**_as_annotated(function, inputs))
                except (AssertionError, ValueError) as error:
                    *_, last = traceback.walk_tb(error.__traceback__)
                    assert Path(last[0].f_code.co_filename).name == path.name, error
