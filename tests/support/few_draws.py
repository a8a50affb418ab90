"""Draws that fall on one of few values: samplers for Python, and the laws of what runs come to.

Noise is its scale above or below its centre, each as likely (``exponential``: at the centre or above); a
uniform draw is one of four.  What is done with draws has a law then that can be listed, whatever their order
is.
"""

from __future__ import annotations

import math
import types
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

MOST = 600
"""Ways that are followed."""

Shares = list[tuple[Any, float]]
Draw = Callable[[Shares], Any]
"""One of some values, each with its chance."""

_Outcome = TypeVar("_Outcome", bound=Hashable)


class TooManyError(Exception):
    """There are too many ways in which draws may fall."""


def law(run: Callable[[Draw], _Outcome]) -> dict[_Outcome, float]:
    """The chance of each outcome.  Raises TooManyError."""
    found: dict[_Outcome, float] = defaultdict(float)
    waiting: list[tuple[int, ...]] = [()]
    for _ in range(MOST):
        if not waiting:
            return dict(found)
        way = _Way(waiting.pop(), waiting)
        outcome = run(way.draw)
        found[outcome] += way.chance
    raise TooManyError


class _Way:
    """One way in which draws fall: as said at first, then on the first value, while the others are noted."""

    def __init__(self, said: tuple[int, ...], others: list[tuple[int, ...]]) -> None:
        self.said = said
        self.others = others
        self.fallen: tuple[int, ...] = ()
        self.chance = 1.0

    def draw(self, shares: Shares) -> Any:
        count = len(self.fallen)
        if count < len(self.said):
            place = self.said[count]
        else:
            place = 0
            self.others.extend((*self.fallen, other) for other in range(1, len(shares)))
        value, share = shares[place]
        self.fallen += (place,)
        self.chance *= share
        return value


def noise(distribution: str, on_integers: bool, scale: float) -> Shares:
    """What noise adds to its centre."""
    width = math.ceil(scale) if on_integers else scale
    return [(0 if distribution == "exponential" else -width, 0.5), (width, 0.5)]


UNIFORM: Shares = [(place / 8, 0.25) for place in (1, 3, 5, 7)]


def weighted(weights: Iterable[float]) -> Shares:
    """Indices, in proportion to weights."""
    found = list(weights)
    return [(place, weight / sum(found)) for place, weight in enumerate(found) if weight > 0]


# --- samplers -------------------------------------------------------------------------------


class Samplers:
    """What modules have under Python while ``draw`` is the one of a run."""

    def __init__(self) -> None:
        self.draw: Draw = lambda shares: shares[0][0]

    def modules(self) -> dict[str, types.ModuleType]:
        """Modules in the place of others, by their names."""
        return {
            "synth.lang": _module("synth.lang", self._language()),
            "random": _module("random", self._random()),
            "secrets": _module("secrets", self._secrets()),
        }

    def of_numpy(self) -> dict[str, Any]:
        """What ``numpy.random`` has."""
        found = self._numpy()
        source = types.SimpleNamespace(**found)
        makers = ("default_rng", "RandomState", "Generator", "PCG64")
        return {**found, **dict.fromkeys(makers, lambda *_: source)}

    def source(self) -> Any:
        """A generator of numpy."""
        return types.SimpleNamespace(**self._numpy())

    # --- laws -------------------------------------------------------------------------------

    def _noise(self, distribution: str, center: Any, scale: float, real: bool) -> Any:
        if scale <= 0:
            raise ValueError("scale")
        if isinstance(center, list):
            return [self._noise(distribution, entry, scale, real) for entry in center]
        on_integers = not real and isinstance(center, int)
        return center + self.draw(noise(distribution, on_integers, scale))

    def _one(self, values: Iterable[Any]) -> Any:
        found = list(values)
        if not found:
            raise ValueError("nothing to draw from")
        return self.draw([(value, 1 / len(found)) for value in found])

    def _coin(self, chance: float) -> bool:
        if not 0 <= chance <= 1:
            raise ValueError("chance")
        return bool(self.draw([(True, chance), (False, 1 - chance)]))

    def _different(self, entries: Iterable[Any], count: int) -> list[Any]:
        """So many of the entries, one after the other, each of those that are left."""
        left = list(entries)
        if not 0 <= count <= len(left):
            raise ValueError("more than there are")
        return [left.pop(self._one(range(len(left)))) for _ in range(count)]

    def _shuffle(self, entries: Any) -> None:
        entries[:] = self._different(entries, len(entries))

    def _index(self, weights: Iterable[float]) -> int:
        return int(self.draw(weighted(weights)))

    # --- libraries --------------------------------------------------------------------------

    def _language(self) -> dict[str, Any]:
        metrics = ("absolute", "linf", "l1", "change_one", "add_remove", "discrete")

        def of(distribution: str) -> Callable[[Any, float], Any]:
            return lambda center, scale: self._noise(distribution, center, scale, False)

        return {
            **{name: getattr(math, name) for name in ("exp", "log", "sqrt", "floor", "ceil")},
            **{f"{name}_distance": lambda *_, **__: None for name in metrics},
            **{name: of(name) for name in ("laplace", "exponential", "gaussian")},
            "mechanism": lambda *given, **_: given[0] if given else lambda function: function,
            "bernoulli": self._coin,
            "uniform_int": lambda lo, hi: self._one(range(lo, hi + 1)),
            "choice": lambda n, weight: self._index(math.exp(weight(r)) for r in range(n)),
        }

    def _random(self) -> dict[str, Any]:
        def gauss(mu: float = 0.0, sigma: float = 1.0) -> Any:
            return self._noise("gaussian", float(mu), sigma, True)

        def choices(population: Any, weights: Any = None, *, k: int = 1) -> list[Any]:
            return [
                population[self._index(weights or [1.0] * len(population))] if population else population[0]
                for _ in range(k)
            ]

        found = {
            "gauss": gauss,
            "normalvariate": gauss,
            "expovariate": lambda lambd=1.0: self._noise("exponential", 0.0, 1 / lambd, True),
            "random": lambda: self.draw(UNIFORM),
            "uniform": lambda a, b: a + (b - a) * self.draw(UNIFORM),
            "randint": lambda a, b: self._one(range(a, b + 1)),
            "randrange": lambda *ends: self._one(range(*ends)),
            "getrandbits": lambda k: self._one(range(2**k)),
            "choice": lambda seq: seq[self._one(range(len(seq)))],
            "choices": choices,
            "sample": lambda population, k: self._different(population, k),
            "shuffle": self._shuffle,
        }
        source = types.SimpleNamespace(**found)
        return {**found, **dict.fromkeys(("Random", "SystemRandom"), lambda *_: source)}

    def _secrets(self) -> dict[str, Any]:
        return {
            "randbelow": lambda end: self._one(range(end)),
            "randbits": lambda k: self._one(range(2**k)),
            "choice": lambda seq: seq[self._one(range(len(seq)))],
        }

    def _numpy(self) -> dict[str, Any]:
        def many(one: Callable[..., Any]) -> Callable[..., Any]:
            """The sampler of one number, for numbers and arrays of them."""

            def several(*given: Any, size: Any = None, **named: Any) -> Any:
                names = one.__code__.co_varnames[: one.__code__.co_argcount]
                if len(given) > len(names):
                    given, size = given[: len(names)], given[len(names)]
                named = {**dict(zip(names, given, strict=False)), **named}
                if size is None and not any(map(_is_several, named.values())):
                    return one(**named)
                if size is None:
                    size = np.broadcast(*map(np.asarray, named.values())).shape
                rows = {name: np.broadcast_to(item, size) for name, item in named.items()}
                (count,) = size if isinstance(size, tuple) else (size,)
                return np.array(
                    [one(**{name: row[place] for name, row in rows.items()}) for place in range(count)]
                )

            return several

        def laplace(loc: float = 0.0, scale: float = 1.0) -> Any:
            return self._noise("laplace", float(loc), float(scale), True)

        def normal(loc: float = 0.0, scale: float = 1.0) -> Any:
            return self._noise("gaussian", float(loc), float(scale), True)

        def exponential(scale: float = 1.0) -> Any:
            return self._noise("exponential", 0.0, float(scale), True)

        def integers(low: int, high: int | None = None) -> Any:
            return self._one(range(low) if high is None else range(low, high))

        def index(a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
            entries = range(a) if isinstance(a, int | np.integer) else a
            if not replace and size is not None:
                return np.array(self._different(entries, size))
            chosen = many(lambda: entries[self._index([1.0] * len(entries) if p is None else p)])
            return chosen(size=size)

        def uniform() -> Any:
            return self.draw(UNIFORM)

        def between(low: float = 0.0, high: float = 1.0) -> Any:
            return low + (high - low) * self.draw(UNIFORM)

        def permutation(x: Any) -> Any:
            entries = range(x) if isinstance(x, int | np.integer) else x
            return np.array(self._different(entries, len(entries)))

        return {
            "permutation": permutation,
            "shuffle": self._shuffle,
            "laplace": many(laplace),
            "normal": many(normal),
            "standard_normal": many(lambda: normal()),
            "exponential": many(exponential),
            "randint": many(integers),
            "integers": many(integers),
            "binomial": many(lambda n, p: int(self._coin(p))),
            "choice": index,
            "random": many(uniform),
            "random_sample": many(uniform),
            "uniform": many(between),
        }


def _is_several(value: Any) -> bool:
    return isinstance(value, list | np.ndarray)


def _module(name: str, members: Mapping[str, Any]) -> types.ModuleType:
    made = types.ModuleType(name)
    vars(made).update(members)
    return made
