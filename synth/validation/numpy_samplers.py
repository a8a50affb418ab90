"""Samplers of ``numpy.random``."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from synth.validation import arrays, laws
from synth.validation.runs import Run
from synth.validation.values import Array, NotComputed, NumpyNumber, Value, is_number, plain


def of_numpy() -> dict[str, Value]:
    """The samplers of ``numpy.random``."""

    def law(distribution: str, center: str, scale: str) -> Callable[..., Value]:
        def one(run: Run, loc: Value, width: Value) -> Value:
            return laws.noisy(run, distribution, loc, width, real=True)

        def found(run: Run, *given: Value, **named: Value) -> Value:
            names = (center, scale, "size")[not center :]
            values = {**dict(zip(names, given, strict=False)), **named}
            if set(values) - set(names) or len(given) > len(names):
                raise NotComputed("arguments of a sampler")
            loc = values.get(center, Fraction(0)) if center else Fraction(0)
            return laws.many(run, one, (loc, values.get(scale, Fraction(1))), values.get("size"))

        return found

    def standard(distribution: str) -> Callable[..., Value]:
        def one(run: Run) -> Value:
            return laws.noisy(run, distribution, Fraction(0), Fraction(1), real=True)

        return lambda run, size=None: laws.many(run, one, (), size)

    def integers(
        run: Run, low: Any, high: Any = None, size: Value = None, *, endpoint: bool = False
    ) -> Value:
        if isinstance(low, Array) or isinstance(high, Array):
            raise NotComputed("ranges by entry")
        first, last = (0, low) if high is None else (low, high)

        def one(run: Run) -> Value:
            return laws.one_of(run, range(first, last + endpoint))

        return laws.many(run, one, (), size)

    def uniform(run: Run, low: Value = Fraction(0), high: Value = Fraction(1), size: Value = None) -> Value:
        return laws.many(run, laws.uniform, (low, high), size)

    def binomial(run: Run, n: Value, p: Value, size: Value = None) -> Value:
        if n != 1:
            raise NotComputed("a binomial draw")
        return laws.many(run, lambda run, chance: int(laws.coin(run, chance)), (p,), size)

    def choice(run: Run, a: Any, size: Value = None, replace: bool = True, p: Any = None) -> Value:
        if is_number(a):
            a = [NumpyNumber(item) for item in laws.few(range(plain(a)))]
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
            return arrays.as_array(run, laws.different(run, entries, size))
        return laws.many(run, lambda run: entries[laws.index(run, shares)], (), size)

    def permutation(run: Run, x: Any) -> Value:
        entries = laws.few(range(plain(x)) if is_number(x) else list(run.entries(x)))
        return arrays.as_array(run, laws.different(run, entries, len(entries)))

    def shuffle(run: Run, x: Any) -> None:
        entries = x.entries if isinstance(x, Array) else x
        if (isinstance(x, Array) and x.seen) or not isinstance(entries, list):
            raise NotComputed("shuffle")
        entries[:] = laws.different(run, entries, len(entries))

    return laws.natives(
        {
            "laplace": law("laplace", "loc", "scale"),
            "normal": law("gaussian", "loc", "scale"),
            "exponential": law("exponential", "", "scale"),
            "standard_normal": standard("gaussian"),
            "standard_exponential": standard("exponential"),
            "integers": lambda run, *given, **named: _of_array(integers(run, *given, **named)),
            "randint": lambda run, low, high=None, size=None: integers(run, low, high, size),
            "geometric": lambda run, p, size=None: laws.many(run, geometric, (p,), size),
            "binomial": binomial,
            "choice": choice,
            "permutation": permutation,
            "shuffle": shuffle,
            "random": lambda run, size=None: laws.many(run, laws.uniform, (), size),
            "rand": lambda run, *sizes: laws.many(run, laws.uniform, (), sizes or None),
            "random_sample": lambda run, size=None: laws.many(run, laws.uniform, (), size),
            "uniform": uniform,
        }
    )


def geometric(run: Run, p: Value) -> Value:
    """How many tries there are until one succeeds, which has that chance.  Raises NotComputed."""
    chance = plain(p)
    if not 0 < chance < 1:
        raise NotComputed("a chance of 1")
    return 1 + run.draw(laws.noise("exponential", True, -1 / math.log1p(-float(chance))), "exponential")


def _of_array(value: Value) -> Value:
    return value if isinstance(value, Array) else NumpyNumber(value)
