"""Samplers of ``synth.lang``, ``random`` and ``secrets``."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from synth.validation import laws
from synth.validation.operators import binary
from synth.validation.runs import NOWHERE, Run
from synth.validation.values import Array, Namespace, Native, NotComputed, Value, plain


def of_language() -> dict[str, Value]:
    """The samplers of ``synth.lang``."""

    def named(distribution: str) -> Callable[..., Value]:
        def found(run: Run, center: Value, width: Value) -> Value:
            if isinstance(center, list):
                return [found(run, entry, width) for entry in center]
            real = None if run.place == NOWHERE else run.reals.get(run.place, False)
            if real is None and isinstance(plain(center), int):
                raise NotComputed("noise around an integer, of a sort that isn't known")
            return laws.noisy(run, distribution, center, width, real=bool(real))

        if distribution == "gaussian":
            return lambda run, center, sigma: found(run, center, sigma)
        return lambda run, center, scale: found(run, center, scale)

    def chosen(run: Run, n: Value, weight: Value) -> int:
        scores = [float(plain(run.call(weight, [place]))) for place in laws.few(range(n))]
        if not scores:
            raise ValueError("nothing to draw from")
        return laws.index(run, [math.exp(score - max(scores)) for score in scores])

    def integer(run: Run, lo: Value, hi: Value) -> int:
        return int(laws.one_of(run, range(lo, hi + 1)))

    def mechanism(run: Run, n: Any, score: Value, epsilon: Any, sensitivity: Any) -> int:
        rate = binary(run, "/", epsilon, binary(run, "*", 2, sensitivity))

        def weight(run: Run, place: Value) -> Value:
            return binary(run, "*", rate, run.call(score, [place]))

        return chosen(run, n, Native("weight", weight))

    def response(run: Run, bit: Value, epsilon: Value) -> bool:
        return run.truth(bit) == laws.coin(run, 1 / (1 + math.exp(-plain(epsilon))))

    return laws.natives(
        {
            "exponential_mechanism": mechanism,
            "randomized_response": response,
            **{name: named(name) for name in ("laplace", "exponential", "gaussian")},
            "bernoulli": lambda run, p: laws.coin(run, p),
            "uniform_int": integer,
            "choice": chosen,
        }
    )


def of_random() -> dict[str, Value]:
    """The samplers of ``random``."""

    def gauss(run: Run, mu: Value = Fraction(0), sigma: Value = Fraction(1)) -> Value:
        return laws.noisy(run, "gaussian", mu, sigma, real=True)

    def expovariate(run: Run, lambd: Value = Fraction(1)) -> Value:
        rate = plain(lambd)
        return laws.noisy(
            run, "exponential", 0, 1 / Fraction(rate) if not isinstance(rate, float) else 1 / rate, real=True
        )

    def choices(run: Run, population: Any, weights: Any = None, *, k: int = 1) -> list[Value]:
        if isinstance(population, Array) or (weights is not None and len(weights) != len(population)):
            raise NotComputed("choices")
        shares = weights if weights is not None else [1] * len(population)
        return [population[laws.index(run, shares)] for _ in range(k)]

    def shuffle(run: Run, x: Any) -> None:
        if not isinstance(x, list):
            raise NotComputed("shuffle")
        x[:] = laws.different(run, x, len(x))

    def integer(run: Run, a: Any, b: Any) -> Value:
        return laws.one_of(run, range(a, b + 1))

    def below(run: Run, *ends: Any) -> Value:
        return laws.one_of(run, range(*ends))

    return {
        **laws.natives(
            {
                "gauss": gauss,
                "normalvariate": gauss,
                "expovariate": expovariate,
                "random": lambda run: laws.uniform(run),
                "uniform": laws.uniform,
                "randint": integer,
                "randrange": below,
                "getrandbits": lambda run, k: laws.one_of(run, range(2**k)),
                "choice": lambda run, seq: _one_entry(run, seq),
                "choices": choices,
                "sample": lambda run, population, k: laws.different(run, run.entries(population), k),
                "shuffle": shuffle,
            }
        ),
    }


def _one_entry(run: Run, entries: Any) -> Value:
    if isinstance(entries, Array | dict | set):
        raise NotComputed("a choice of something else")
    if not len(entries):
        raise IndexError("nothing to draw from")
    return entries[laws.one_of(run, range(len(entries)))]


def of_secrets() -> dict[str, Value]:
    """The samplers of ``secrets``."""
    return laws.natives(
        {
            "randbelow": lambda run, exclusive_upper_bound: laws.one_of(run, range(exclusive_upper_bound)),
            "randbits": lambda run, k: laws.one_of(run, range(2**k)),
            "choice": lambda run, seq: _one_entry(run, seq),
        }
    )


def source(name: str, members: dict[str, Value]) -> Namespace:
    """A source of draws."""
    return Namespace(name, members)
