"""Samplers of libraries: noise falls on one of two values, other draws on each of theirs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from synth.validation import arrays
from synth.validation.operators import binary
from synth.validation.runs import NOWHERE, Run
from synth.validation.values import (
    Array,
    Namespace,
    Native,
    NotComputed,
    NumpyNumber,
    Source,
    Uniform,
    Value,
    is_number,
    plain,
)
from synth.validation.ways import Shares

_MOST = 64


def noise(distribution: str, on_integers: bool, scale: float) -> Shares:
    """What noise adds to its centre."""
    width: float | int | Fraction = math.ceil(scale - 1e-9) if on_integers else Fraction(scale)
    return [(0 if distribution == "exponential" else -width, 0.5), (width, 0.5)]


def weighted(weights: Iterable[float]) -> Shares:
    """Indices, in proportion to weights."""
    found = [float(weight) for weight in weights]
    total = sum(found)
    return [(place, weight / total) for place, weight in enumerate(found) if weight > 0]


# --- laws ---------------------------------------------------------------------------------------


def _noisy(run: Run, distribution: str, center: Any, scale: Any, *, real: bool) -> Value:
    if not is_number(center) or not is_number(scale):
        raise NotComputed("noise on something else")
    center, scale = plain(center), plain(scale)
    if scale <= 0:
        raise ValueError("scale")
    on_integers = not real and isinstance(center, int)
    offset = run.draw(noise(distribution, on_integers, float(scale)), distribution)
    if isinstance(center, float):
        return center + float(offset)
    return center + offset if on_integers else Fraction(center) + offset


def _one_of(run: Run, values: Iterable[Value]) -> Value:
    found = list(values)
    if not found:
        raise ValueError("nothing to draw from")
    if len(found) > _MOST:
        raise NotComputed("a draw of many values")
    return run.draw([(value, 1 / len(found)) for value in found])


def _coin(run: Run, chance: Any) -> bool:
    chance = float(plain(chance))
    if not -1e-12 <= chance <= 1 + 1e-12:
        raise ValueError("chance")
    return bool(run.draw([(True, chance), (False, 1 - chance)]))


def _different(run: Run, entries: Iterable[Value], count: Any) -> list[Value]:
    """So many of the entries, one after the other, each of those that are left."""
    left = list(entries)
    if not 0 <= count <= len(left):
        raise ValueError("more than there are")
    return [left.pop(_one_of(run, range(len(left)))) for _ in range(count)]


def _index(run: Run, weights: Iterable[Value]) -> int:
    found = [float(plain(weight)) for weight in weights]
    if not found or min(found) < 0 or sum(found) <= 0:
        raise ValueError("weights")
    return int(run.draw(weighted(found)))


def _uniform(run: Run, low: Any = Fraction(0), high: Any = Fraction(1)) -> Value:
    low, high = plain(low), plain(high)
    if low == high:
        raise NotComputed("an empty range")
    return Uniform(Source(), high - low, low)


# --- synth.lang, random, secrets --------------------------------------------------------------------


def of_language() -> dict[str, Value]:
    """The samplers of ``synth.lang``."""

    def named(distribution: str) -> Callable[..., Value]:
        def found(run: Run, center: Value, width: Value) -> Value:
            if isinstance(center, list):
                return [found(run, entry, width) for entry in center]
            real = None if run.place == NOWHERE else run.reals.get(run.place, False)
            if real is None and isinstance(plain(center), int):
                raise NotComputed("noise around an integer, of a sort that isn't known")
            return _noisy(run, distribution, center, width, real=bool(real))

        if distribution == "gaussian":
            return lambda run, center, sigma: found(run, center, sigma)
        return lambda run, center, scale: found(run, center, scale)

    def chosen(run: Run, n: Value, weight: Value) -> int:
        scores = [float(plain(run.call(weight, [place]))) for place in range(n)]
        if not scores:
            raise ValueError("nothing to draw from")
        return _index(run, [math.exp(score - max(scores)) for score in scores])

    def integer(run: Run, lo: Value, hi: Value) -> int:
        return int(_one_of(run, range(lo, hi + 1)))

    def mechanism(run: Run, n: Any, score: Value, epsilon: Any, sensitivity: Any) -> int:
        rate = binary(run, "/", epsilon, binary(run, "*", 2, sensitivity))

        def weight(run: Run, place: Value) -> Value:
            return binary(run, "*", rate, run.call(score, [place]))

        return chosen(run, n, Native("weight", weight))

    def response(run: Run, bit: Value, epsilon: Value) -> bool:
        odds = math.exp(plain(epsilon))
        return run.truth(bit) == _coin(run, odds / (1 + odds))

    return _natives(
        {
            "exponential_mechanism": mechanism,
            "randomized_response": response,
            **{name: named(name) for name in ("laplace", "exponential", "gaussian")},
            "bernoulli": lambda run, p: _coin(run, p),
            "uniform_int": integer,
            "choice": chosen,
        }
    )


def of_random() -> dict[str, Value]:
    """The samplers of ``random``."""

    def gauss(run: Run, mu: Value = Fraction(0), sigma: Value = Fraction(1)) -> Value:
        return _noisy(run, "gaussian", mu, sigma, real=True)

    def expovariate(run: Run, lambd: Value = Fraction(1)) -> Value:
        rate = plain(lambd)
        return _noisy(
            run, "exponential", 0, 1 / Fraction(rate) if not isinstance(rate, float) else 1 / rate, real=True
        )

    def choices(run: Run, population: Any, weights: Any = None, *, k: int = 1) -> list[Value]:
        if isinstance(population, Array) or (weights is not None and len(weights) != len(population)):
            raise NotComputed("choices")
        shares = weights if weights is not None else [1] * len(population)
        return [population[_index(run, shares)] for _ in range(k)]

    def shuffle(run: Run, x: Any) -> None:
        if not isinstance(x, list):
            raise NotComputed("shuffle")
        x[:] = _different(run, x, len(x))

    def integer(run: Run, a: Any, b: Any) -> Value:
        return _one_of(run, range(a, b + 1))

    def below(run: Run, *ends: Any) -> Value:
        return _one_of(run, range(*ends))

    return {
        **_natives(
            {
                "gauss": gauss,
                "normalvariate": gauss,
                "expovariate": expovariate,
                "random": lambda run: _uniform(run),
                "uniform": _uniform,
                "randint": integer,
                "randrange": below,
                "getrandbits": lambda run, k: _one_of(run, range(2**k)),
                "choice": lambda run, seq: _one_entry(run, seq),
                "choices": choices,
                "sample": lambda run, population, k: _different(run, run.entries(population), k),
                "shuffle": shuffle,
            }
        ),
    }


def _one_entry(run: Run, entries: Any) -> Value:
    if isinstance(entries, Array | dict | set):
        raise NotComputed("a choice of something else")
    if not len(entries):
        raise IndexError("nothing to draw from")
    return entries[_one_of(run, range(len(entries)))]


def of_secrets() -> dict[str, Value]:
    """The samplers of ``secrets``."""
    return _natives(
        {
            "randbelow": lambda run, exclusive_upper_bound: _one_of(run, range(exclusive_upper_bound)),
            "randbits": lambda run, k: _one_of(run, range(2**k)),
            "choice": lambda run, seq: _one_entry(run, seq),
        }
    )


# --- numpy ------------------------------------------------------------------------------------------


def of_numpy() -> dict[str, Value]:
    """The samplers of ``numpy.random``."""

    def law(distribution: str, center: str, scale: str) -> Callable[..., Value]:
        def one(run: Run, loc: Value, width: Value) -> Value:
            return _noisy(run, distribution, loc, width, real=True)

        def found(run: Run, *given: Value, **named: Value) -> Value:
            names = (center, scale, "size")[not center :]
            values = {**dict(zip(names, given, strict=False)), **named}
            if set(values) - set(names) or len(given) > len(names):
                raise NotComputed("arguments of a sampler")
            loc = values.get(center, Fraction(0)) if center else Fraction(0)
            return _many(run, one, (loc, values.get(scale, Fraction(1))), values.get("size"))

        return found

    def standard(distribution: str) -> Callable[..., Value]:
        def one(run: Run) -> Value:
            return _noisy(run, distribution, Fraction(0), Fraction(1), real=True)

        return lambda run, size=None: _many(run, one, (), size)

    def integers(
        run: Run, low: Any, high: Any = None, size: Value = None, *, endpoint: bool = False
    ) -> Value:
        if isinstance(low, Array) or isinstance(high, Array):
            raise NotComputed("ranges by entry")
        first, last = (0, low) if high is None else (low, high)

        def one(run: Run) -> Value:
            return _one_of(run, range(first, last + endpoint))

        return _many(run, one, (), size)

    def uniform(run: Run, low: Value = Fraction(0), high: Value = Fraction(1), size: Value = None) -> Value:
        return _many(run, _uniform, (low, high), size)

    def binomial(run: Run, n: Value, p: Value, size: Value = None) -> Value:
        if n != 1:
            raise NotComputed("a binomial draw")
        return _many(run, lambda run, chance: int(_coin(run, chance)), (p,), size)

    def choice(run: Run, a: Any, size: Value = None, replace: bool = True, p: Any = None) -> Value:
        if is_number(a):
            a = [NumpyNumber(item) for item in range(plain(a))]
        entries = a.entries if isinstance(a, Array) else a
        if not isinstance(entries, list | tuple) or any(
            isinstance(item, list | tuple | Array) for item in entries
        ):
            raise NotComputed("a choice of something else")
        shares = [1] * len(entries) if p is None else [plain(item) for item in run.entries(p)]
        if len(shares) != len(entries):
            raise ValueError("'a' and 'p' must have same size")
        if abs(sum(map(float, shares)) - (len(entries) if p is None else 1)) > 1e-8:
            raise ValueError("probabilities do not sum to 1")
        if not replace and size is not None:
            if p is not None or isinstance(size, tuple):
                raise NotComputed("a choice without replacement")
            return arrays.as_array(run, _different(run, entries, size))
        return _many(run, lambda run: entries[_index(run, shares)], (), size)

    def permutation(run: Run, x: Any) -> Value:
        entries = range(x) if is_number(x) else list(run.entries(x))
        return arrays.as_array(run, _different(run, entries, len(entries)))

    def shuffle(run: Run, x: Any) -> None:
        entries = x.entries if isinstance(x, Array) else x
        if (isinstance(x, Array) and x.seen) or not isinstance(entries, list):
            raise NotComputed("shuffle")
        entries[:] = _different(run, entries, len(entries))

    return _natives(
        {
            "laplace": law("laplace", "loc", "scale"),
            "normal": law("gaussian", "loc", "scale"),
            "exponential": law("exponential", "", "scale"),
            "standard_normal": standard("gaussian"),
            "standard_exponential": standard("exponential"),
            "integers": lambda run, *given, **named: _of_array(integers(run, *given, **named)),
            "randint": lambda run, low, high=None, size=None: integers(run, low, high, size),
            "geometric": lambda run, p, size=None: _many(run, _geometric, (p,), size),
            "binomial": binomial,
            "choice": choice,
            "permutation": permutation,
            "shuffle": shuffle,
            "random": lambda run, size=None: _many(run, _uniform, (), size),
            "rand": lambda run, *sizes: _many(run, _uniform, (), sizes or None),
            "random_sample": lambda run, size=None: _many(run, _uniform, (), size),
            "uniform": uniform,
        }
    )


def _geometric(run: Run, p: Value) -> Value:
    chance = plain(p)
    if not 0 < chance < 1:
        raise NotComputed("a chance of 1")
    return 1 + run.draw(noise("exponential", True, -1 / math.log1p(-float(chance))), "exponential")


def _of_array(value: Value) -> Value:
    return value if isinstance(value, Array) else NumpyNumber(value)


def _many(run: Run, one: Callable[..., Value], given: tuple[Value, ...], size: Value) -> Value:
    """One draw, or as many as a size or arrays ask for."""
    if isinstance(size, tuple) and len(size) == 1:
        (size,) = size
    if isinstance(size, tuple) or any(isinstance(item, list | tuple) for item in given):
        raise NotComputed("draws of a shape")
    several = [item for item in given if isinstance(item, Array)]
    if size is None and not several:
        return one(run, *given)
    lengths = {len(item.entries) for item in several}
    if size is not None:
        lengths.add(plain(size))
    if len(lengths) != 1:
        raise NotComputed("draws of unlike lengths")
    (count,) = lengths
    rows = [item.entries if isinstance(item, Array) else [item] * count for item in given]
    drawn = [one(run, *row) for row in zip(*rows, strict=True)] if rows else [one(run) for _ in range(count)]
    if any(isinstance(item, Uniform) for item in drawn):
        return Array(drawn, "f")
    return arrays.as_array(run, drawn)


def _natives(functions: dict[str, Callable[..., Value]]) -> dict[str, Value]:
    return {name: Native(name, function, is_library=True) for name, function in functions.items()}


def source(name: str, members: dict[str, Value]) -> Namespace:
    """A source of draws."""
    return Namespace(name, members)
