"""Program files run by plain Python: what they import, and what the samplers draw."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import math
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable as PlainCallable
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from synth import lang
from synth.lang import (
    absolute_distance,
    bernoulli,
    choice,
    exponential,
    exponential_mechanism,
    gaussian,
    laplace,
    linf_distance,
    mechanism,
    randomized_response,
    samplers,
    uniform_int,
)
from synth.trusted.frontend.vocabulary import language_names

ANY: Any = None  # for what type checkers would refuse
HALF: Any = Fraction(1, 2)
TEXT: Any = "1"

DRAWS = 6000
DRAWS_OF_OPENDP = 800  # slower, and tested by its authors


def close(draws: int = DRAWS) -> float:
    """Hoeffding: a mean of so many values in [0, 1] is farther off with a chance below 1e-12."""
    return math.sqrt(math.log(2e12) / (2 * draws))


HAS_OPENDP = importlib.util.find_spec("opendp") is not None


@pytest.fixture(params=["opendp", "fallback"])
def sampler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Both ways to sample, OpenDP only where it is installed; gives the number of draws."""
    if request.param == "opendp" and not HAS_OPENDP:
        pytest.skip("OpenDP is not installed")
    if request.param == "fallback":
        monkeypatch.setattr(samplers, "_opendp", lambda: None)
    samplers._measurement.cache_clear()
    yield DRAWS if request.param == "fallback" else DRAWS_OF_OPENDP
    samplers._measurement.cache_clear()


@pytest.fixture
def fallback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sampling without OpenDP, silently."""
    monkeypatch.setattr(samplers, "_opendp", lambda: None)
    samplers._measurement.cache_clear()
    yield
    samplers._measurement.cache_clear()


def frequencies(draw: PlainCallable[[], Any], draws: int = DRAWS) -> dict[Any, float]:
    counts = Counter(draw() for _ in range(draws))
    return {value: count / draws for value, count in counts.items()}


def assert_law(draw: PlainCallable[[], int], weight: PlainCallable[[int], float], n: int) -> None:
    """The draws follow the law with those weights, up to a chance of 1e-10."""
    found = frequencies(draw, n)
    total = sum(weight(v) for v in range(-80, 81))
    for v in range(-12, 13):
        assert abs(found.get(v, 0.0) - weight(v) / total) < close(n), v


def assert_masses(draw: PlainCallable[[], float], masses: dict[float, float], n: int) -> None:
    """The draws are at or below each bound with that probability."""
    values = [draw() for _ in range(n)]
    for bound, mass in masses.items():
        assert abs(sum(value <= bound for value in values) / n - mass) < close(n), bound


# --- samplers -------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [0.4, 1.5])
def test_integer_laplace(sampler: int, scale: float) -> None:
    assert_law(lambda: laplace(2, scale), lambda v: math.exp(-abs(v - 2) / scale), sampler)


@pytest.mark.parametrize("scale", [0.4, 1.5])
def test_integer_exponential(sampler: int, scale: float) -> None:
    def weight(v: int) -> float:
        return math.exp(-(v + 1) / scale) if v >= -1 else 0.0

    assert_law(lambda: exponential(-1, scale), weight, sampler)


@pytest.mark.parametrize("sigma", [0.6, 2.5])
def test_integer_gaussian(sampler: int, sigma: float) -> None:
    def weight(v: int) -> float:
        return math.exp(-((v - 1) ** 2) / (2 * sigma**2))

    assert_law(lambda: gaussian(1, sigma), weight, sampler)


def test_real_laplace(sampler: int) -> None:
    tail = math.exp(-1) / 2
    assert_masses(lambda: laplace(0.5, 2.0), {-1.5: tail, 0.5: 0.5, 2.5: 1 - tail}, sampler)


def test_real_exponential(sampler: int) -> None:
    masses = {0.499: 0.0, 2.5: 1 - math.exp(-1), 4.5: 1 - math.exp(-2)}
    assert_masses(lambda: exponential(0.5, 2.0), masses, sampler)


def test_real_gaussian(sampler: int) -> None:
    masses = {-3.5: 0.0227501, 0.5: 0.5, 2.5: 0.8413447}
    assert_masses(lambda: gaussian(0.5, 2.0), masses, sampler)


def test_the_type_of_a_draw_is_that_of_its_centre(sampler: int) -> None:
    for draw in (laplace, exponential, gaussian):
        assert type(draw(3, 0.5)) is int
        assert type(draw(True, 0.5)) is int
        assert type(draw(3.0, 0.5)) is float
        assert type(draw(HALF, 0.5)) is float


def test_integers_have_no_largest(sampler: int) -> None:
    large = 10**40
    assert abs(laplace(large, 1.0) - large) < 10**4
    assert max(abs(laplace(0, 1e30)) for _ in range(20)) > 10**25
    assert max(gaussian(0, 1e30) for _ in range(100)) > 10**25
    assert exponential(0, 1e30) > 10**15


def test_choices_are_exact(fallback: None) -> None:
    weights = (0.0, math.log(2), -1e300, math.log(5))
    found = frequencies(lambda: choice(4, weights.__getitem__))
    assert 2 not in found
    for index, share in ((0, 1 / 8), (1, 2 / 8), (3, 5 / 8)):
        assert abs(found[index] - share) < close()


def test_exponential_mechanism(fallback: None) -> None:
    found = frequencies(lambda: exponential_mechanism(3, lambda r: 2 * r, 1.5, 3))
    weights = [math.exp(1.5 * 2 * r / 6) for r in range(3)]
    for index, weight in enumerate(weights):
        assert abs(found[index] - weight / sum(weights)) < close()


def test_coins() -> None:
    assert bernoulli(1) is True and bernoulli(0) is False
    assert abs(frequencies(lambda: bernoulli(0.3))[True] - 0.3) < close()
    truthful = math.exp(0.7) / (1 + math.exp(0.7))
    for bit in (True, False):
        found = frequencies(functools.partial(randomized_response, bit, 0.7))
        assert abs(found[bit] - truthful) < close()
    assert randomized_response(False, 1e6) is False


def test_uniform_int() -> None:
    assert uniform_int(7, 7) == 7
    found = frequencies(lambda: uniform_int(-1, 2))
    assert set(found) == {-1, 0, 1, 2}
    assert all(abs(share - 0.25) < close() for share in found.values())


@pytest.mark.parametrize(
    "draw",
    [
        lambda: laplace(0, 0),
        lambda: laplace(0.0, -1),
        lambda: laplace(0, math.inf),
        lambda: laplace(0, math.nan),
        lambda: laplace(math.nan, 1),
        lambda: laplace(TEXT, 1),
        lambda: laplace(0, TEXT),
        lambda: exponential(0, 0.0),
        lambda: exponential(math.inf, 1.0),
        lambda: gaussian(0, 0.0),
        lambda: gaussian(0.0, -0.5),
        lambda: bernoulli(1.1),
        lambda: bernoulli(-0.1),
        lambda: bernoulli(math.nan),
        lambda: randomized_response(True, -1),
        lambda: randomized_response(True, math.inf),
        lambda: uniform_int(2, 1),
        lambda: uniform_int(HALF, 1),
        lambda: choice(0, lambda r: 0),
        lambda: choice(HALF, lambda r: 0),
        lambda: choice(2, lambda r: math.inf),
        lambda: choice(2, lambda r: ANY),
        lambda: exponential_mechanism(2, lambda r: 0, 0, 1),
        lambda: exponential_mechanism(2, lambda r: 0, 1, 0),
        lambda: exponential_mechanism(2, lambda r: math.nan, 1, 1),
        lambda: absolute_distance(-1),
        lambda: linf_distance(math.nan),
        lambda: linf_distance(" "),
    ],
)
def test_wrong_arguments(draw: PlainCallable[[], Any]) -> None:
    with pytest.raises(ValueError):
        draw()


HUGE: Any = 10**400
TINY: Any = Fraction(1, HUGE)


def test_integers_need_no_float(sampler: int) -> None:
    """Exact noise has any scale, around any integer."""
    assert abs(laplace(0, HUGE)) > HUGE // 10**30
    assert exponential(0, HUGE) > HUGE // 10**30
    assert abs(gaussian(0, HUGE)) > HUGE // 10**30
    assert abs(laplace(HUGE, 1.0) - HUGE) < 10**4
    assert [laplace(3, TINY), exponential(3, TINY), gaussian(3, TINY)] == [3, 3, 3]
    assert 0 <= uniform_int(0, HUGE) <= HUGE
    assert bernoulli(TINY) is False and bernoulli(1 - TINY) is True
    assert randomized_response(True, HUGE) is True
    assert exponential_mechanism(2, lambda r: r, HUGE, 1) == 1
    assert choice(2, lambda r: r * HUGE) == 1
    assert linf_distance(HUGE).bound == HUGE


@pytest.mark.parametrize("draw", [laplace, exponential, gaussian])
def test_real_noise_does(draw: Any, sampler: int) -> None:
    with pytest.raises(ValueError, match=r"^the scale of \w+ is larger than any float$"):
        draw(0.5, HUGE)
    with pytest.raises(ValueError, match=r"^the scale of \w+ is so small that its float is 0$"):
        draw(0.5, TINY)
    with pytest.raises(ValueError, match=r"^the centre of \w+ is larger than any float$"):
        draw(HUGE + HALF, 1)


def test_numbers_that_python_does_not_write() -> None:
    with pytest.raises(ValueError, match="must be positive, but is a number of thousands of digits"):
        laplace(0, -(10**5000))
    with pytest.raises(ValueError, match="a number of thousands of digits is above 0"):
        uniform_int(10**5000, 0)


def test_without_opendp_it_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    samplers._opendp.cache_clear()
    samplers._measurement.cache_clear()
    try:
        with pytest.warns(RuntimeWarning, match=r"pip install opendp") as caught:
            laplace(0, 1.0), exponential(0.0, 1.0), gaussian(0, 1.0)
        assert len(caught) == 1 and caught[0].filename == __file__
    finally:
        samplers._opendp.cache_clear()
        samplers._measurement.cache_clear()


# --- mechanisms -----------------------------------------------------------------------------


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def release(x: int, eps: float = 1.0) -> int:
    """The docstring."""
    return laplace(x, scale=1 / eps)


def test_a_mechanism_is_its_function_with_a_claim(fallback: None) -> None:
    assert release.__name__ == "release" and release.__doc__ == "The docstring."
    assert inspect.isfunction(release)
    assert list(inspect.signature(release).parameters) == ["x", "eps"]
    claim: lang.Claim = vars(release)["claim"]
    assert claim.adjacent == {"x": absolute_distance(1)}
    assert (claim.requires, claim.epsilon, claim.delta) == ("eps > 0", "eps", 0)
    assert abs(release(100, eps=50) - 100) < 3
    assert len({release(0) for _ in range(100)}) > 1


def test_a_claim_is_about_parameters() -> None:
    with pytest.raises(ValueError, match="'y', which is no parameter"):
        mechanism(adjacent={"y": absolute_distance(1)})(lambda x: x)
    with pytest.raises(ValueError, match="1 for 'x', which is no metric"):
        mechanism(adjacent={"x": 1})(lambda x: x)  # type: ignore[dict-item]


SUMS = '''
"""Sums with a draw, in all the ways to write them."""
from __future__ import annotations

import synth.lang as other
from synth.lang import *
from synth.lang import laplace as noise


@mechanism()
def sums(e: float, s: float) -> list[float]:
    x = e
    x += laplace(0, s)
    y = e
    y -= laplace(center=0, scale=s)
    z: float = 3
    z = 3
    return [
        e + laplace(0, s),
        laplace(0, s) + e,
        e - laplace(0, s),
        -laplace(0, s) + e,
        1 + e + laplace(scale=s, center=2) - 1,
        (e - laplace(0, s)) * 1,
        e + (1 - gaussian(0, s)),
        exponential(0, s) + e,
        other.laplace(0, s) + e,
        e + noise(0, s),
        e + laplace(0, s) + laplace(0, s),
        helper(e, s),
        x,
        y,
        laplace(z, s),
    ]


def helper(e: float, s: float) -> float:
    return e + laplace(0, s)


@mechanism()
def apart(e: float, s: float) -> list[float]:
    kept = laplace(0, s)
    return [
        e + kept,
        e + 2 * laplace(0, s),
        e - exponential(0, s),
        e + through(0, s),
        laplace(0, s) + laplace(0, s) + 0.5,
    ]


def through(c: int, s: float) -> int:
    return laplace(c, s)


@mechanism()
def alike(e: int, s: float) -> list[int]:
    return [e + laplace(0, s), e - laplace(1, s), laplace(0, s) - e]


@mechanism()
def hidden(e: float, laplace: Callable[[int, float], int]) -> float:
    return e + laplace(0, 1.0)


@mechanism()
def declared(x: float, q: list[float], score: Callable[[int], float], n: int) -> list[float]:
    return [laplace(x, 1.0), laplace(q[0], 1.0), laplace(score(0), 1.0), laplace(n, 1.0)]
'''


def program(folder: Path, text: str) -> ModuleType:
    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("program", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fractions(values: list[float]) -> list[float]:
    return [value % 1 for value in values]


def test_a_sum_with_a_draw_is_a_draw_around_the_sum(tmp_path: Path, fallback: None) -> None:
    for values in (program(tmp_path, SUMS).sums(0.5, 3.0) for _ in range(20)):
        assert all(type(value) is float for value in values)
        # Integer noise would keep the fraction of the centre, real noise has it with chance 0.
        assert all(fraction not in (0.0, 0.5) for fraction in fractions(values))


def test_the_moved_terms_keep_their_signs(tmp_path: Path, fallback: None) -> None:
    values = program(tmp_path, SUMS).sums(1000.5, 1e-3)
    centers = [1000.5] * 4 + [1002.5, 1000.5, 1001.5] + [1000.5] * 7 + [3.0]
    assert all(abs(value - center) < 0.1 for value, center in zip(values, centers, strict=True))
    assert program(tmp_path, SUMS).alike(1000, 1e-3) == [1000, 999, -1000]


def test_a_draw_of_its_own_stays_an_integer(tmp_path: Path, fallback: None) -> None:
    values = program(tmp_path, SUMS).apart(0.5, 3.0)
    assert fractions(values[:4]) == [0.5] * 4
    assert values[4] % 1 != 0.5


def test_integers_stay_integers(tmp_path: Path, fallback: None) -> None:
    assert all(type(value) is int for value in program(tmp_path, SUMS).alike(3, 1.0))


def test_a_parameter_may_hide_a_sampler(tmp_path: Path) -> None:
    assert program(tmp_path, SUMS).hidden(0.5, lambda center, scale: center) == 0.5


def test_an_argument_that_no_float_holds(tmp_path: Path) -> None:
    declared = program(tmp_path, SUMS).declared
    for given in ((HUGE, [2], lambda r: 3), (1, [HUGE], lambda r: 3), (1, [2], lambda r: HUGE)):
        with pytest.raises(ValueError, match="a number of type float is larger than any float"):
            declared(*given, 4)


def test_an_int_given_for_a_float_is_real(tmp_path: Path, fallback: None) -> None:
    drawn = program(tmp_path, SUMS).declared(1, [2], lambda r: 3, 4)
    assert [type(value) for value in drawn] == [float, float, float, int]


def test_local_mechanisms_keep_their_closure(fallback: None) -> None:
    width = 1e-3

    def shifted(x: float) -> float:
        return x + laplace(0, width)

    @mechanism()
    def local(x: float) -> tuple[float, float]:
        return shifted(x), x + laplace(0, scale=width)

    values = local(0.5)
    assert all(abs(value - 0.5) < 0.1 and value != 0.5 for value in values)


def test_tracebacks_keep_their_lines(tmp_path: Path) -> None:
    text = "from synth.lang import *\n\n\n@mechanism()\ndef f(x: float):\n\n    return 1 / x\n"
    with pytest.raises(ZeroDivisionError) as caught:
        program(tmp_path, text).f(0)
    assert caught.traceback[-1].lineno + 1 == 7
    assert str(caught.traceback[-1].path) == str(tmp_path / "program.py")


def test_without_source_it_is_said(fallback: None) -> None:
    names: dict[str, Any] = {}
    exec("from synth.lang import *\n@mechanism()\ndef f(x): return x + laplace(0, 3)", names)
    with pytest.warns(RuntimeWarning, match="the source of f is not available"):
        assert names["f"](0.5) % 1 == 0.5
    exec("from synth.lang import *\n@mechanism()\ndef g(x): return x + 1", names)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert names["g"](1) == 2


@pytest.mark.parametrize(
    "body", ["x + sl.laplace(0, 3)", "synth.lang.laplace(0, 3) + x", "noisy(x)", "outer(x)"]
)
def test_without_source_it_is_said_of_other_names_and_helpers(body: str, fallback: None) -> None:
    names: dict[str, Any] = {}
    helpers = "def noisy(x): return x + sl.laplace(0, 3)\ndef outer(x): return noisy(x) if x else outer(x)\n"
    exec(
        f"import synth.lang\nimport synth.lang as sl\n{helpers}@sl.mechanism()\ndef f(x): return {body}",
        names,
    )
    with pytest.warns(RuntimeWarning, match="the source of f is not available"):
        assert names["f"](0.5) % 1 == 0.5


# --- what is imported -----------------------------------------------------------------------


ASSERTING = """
from synth.lang import *

def push(xs):
    xs.append(1)
    return len(xs)

@mechanism()
def sized(n: int):
    xs = []
    assert push(xs) == n
    return len(xs)

if __name__ == "__main__":
    print(sized(1))
    try:
        sized(2)
    except AssertionError:
        print("no output")
"""


@pytest.mark.parametrize("option", ["-B", "-O"])
def test_assertions_are_part_of_a_mechanism(option: str, tmp_path: Path) -> None:
    path = tmp_path / "asserting.py"
    path.write_text(ASSERTING)
    run = subprocess.run([sys.executable, option, path], capture_output=True, text=True, check=True)
    assert run.stdout == "1\nno output\n"


def test_what_the_star_brings() -> None:
    assert lang.__all__ == sorted(lang.__all__)
    assert lang.Callable is PlainCallable
    assert set(lang.__all__) == set(language_names())
    assert all(hasattr(lang, name) for name in lang.__all__)


def test_no_solver_is_imported() -> None:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import synth.lang"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(lang.__file__).parent.parent,
    )
    imported = {line.rpartition("|")[2].strip() for line in run.stderr.splitlines()}
    assert "synth.lang" in imported
    forbidden = ("pysmt", "z3", "cvc5", "sympy", "opendp", "numpy", "synth.trusted", "synth.prover")
    assert not [name for name in imported if name.startswith(forbidden)]
