"""Laws of ``scipy.stats``, by what its manual says of them.

Source: SciPy Reference, ``scipy.stats.rv_continuous``, ``rv_discrete`` and the pages of the laws:
``law.rvs(shapes…, loc=0, scale=1, size=None, random_state=None)``; a law that is called is frozen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from synth.validation import laws
from synth.validation.numpy_samplers import geometric
from synth.validation.runs import Run
from synth.validation.values import (
    LibraryObject,
    Namespace,
    Native,
    NotComputed,
    NumpyNumber,
    Value,
    is_number,
    plain,
)

_DEFAULTS: Mapping[str, Value] = {"loc": 0, "scale": 1}


@dataclass(frozen=True)
class _Law:
    """A law with parameters in their order; ``one`` draws from it, given these."""

    name: str
    parameters: tuple[str, ...]
    one: Callable[..., Value]


def _noise(distribution: str) -> Callable[..., Value]:
    def one(run: Run, loc: Value, scale: Value) -> Value:
        _check_scale(scale)
        return NumpyNumber(laws.noisy(run, distribution, loc, scale, real=True))

    return one


def _uniform(run: Run, loc: Value, scale: Value) -> Value:
    _check_scale(scale)
    return laws.uniform(run, plain(loc), plain(loc) + plain(scale))


def _check_scale(scale: Value) -> None:
    if is_number(scale) and plain(scale) == 0:
        raise NotComputed("a law of one value")


def _dlaplace(run: Run, a: Value, loc: Value) -> Value:
    """``tanh(a/2) exp(-a |k|)`` is the chance of k."""
    rate = plain(a)
    if rate <= 0:
        raise ValueError("a")
    width = 1 / rate if isinstance(rate, float) else 1 / Fraction(rate)
    return laws.noisy(run, "laplace", _integer(loc), width, real=False)


def _geom(run: Run, p: Value, loc: Value) -> Value:
    """``(1 - p)**(k - 1) p`` is the chance of k, from 1 on."""
    return _integer(loc) + geometric(run, p)


def _bernoulli(run: Run, p: Value, loc: Value) -> Value:
    return _integer(loc) + laws.coin(run, p)


def _binom(run: Run, n: Value, p: Value, loc: Value) -> Value:
    if plain(n) != 1:
        raise NotComputed("a binomial draw")
    return _bernoulli(run, p, loc)


def _randint(run: Run, low: Value, high: Value, loc: Value) -> Value:
    return _integer(loc) + laws.one_of(run, range(_integer(low), _integer(high)))


def _integer(value: Value) -> int:
    number = plain(value)
    if not isinstance(number, int):
        raise NotComputed("a place that is no integer")
    return number


_CONTINUOUS = ("loc", "scale")
_LAWS = (
    _Law("expon", _CONTINUOUS, _noise("exponential")),
    _Law("laplace", _CONTINUOUS, _noise("laplace")),
    _Law("norm", _CONTINUOUS, _noise("gaussian")),
    _Law("uniform", _CONTINUOUS, _uniform),
    _Law("bernoulli", ("p", "loc"), _bernoulli),
    _Law("binom", ("n", "p", "loc"), _binom),
    _Law("dlaplace", ("a", "loc"), _dlaplace),
    _Law("geom", ("p", "loc"), _geom),
    _Law("randint", ("low", "high", "loc"), _randint),
)


def of_stats() -> dict[str, Value]:
    """The laws by their names."""
    return {law.name: _object(law) for law in _LAWS}


def _object(law: _Law) -> LibraryObject:
    def rvs(run: Run, *given: Value, random_state: Value = None, **named: Value) -> Value:
        values = _bound((*law.parameters, "size"), given, named)
        return _drawn(run, law, values, values.get("size"), random_state)

    def frozen(run: Run, *given: Value, **named: Value) -> Value:
        values = _bound(law.parameters, given, named)

        def own_rvs(run: Run, size: Value = None, random_state: Value = None) -> Value:
            return _drawn(run, law, values, size, random_state)

        return LibraryObject(f"frozen {law.name}", _members(own_rvs))

    return LibraryObject(f"scipy.stats.{law.name}", _members(rvs), frozen)


def _members(rvs: Callable[..., Value]) -> dict[str, Value]:
    return {"rvs": Native("rvs", rvs, is_library=True)}


def _bound(names: Sequence[str], given: Sequence[Value], named: Mapping[str, Value]) -> Mapping[str, Value]:
    """Arguments by their names.  Raises NotComputed."""
    first = dict(zip(names, given, strict=False))
    if len(given) > len(names) or first.keys() & named.keys() or named.keys() - set(names):
        raise NotComputed("arguments of a law")
    return {**_DEFAULTS, **first, **named}


def _drawn(run: Run, law: _Law, values: Mapping[str, Value], size: Value, random_state: Value) -> Value:
    if not (random_state is None or isinstance(random_state, Namespace)):
        raise NotComputed("a source of draws")
    if any(name not in values for name in law.parameters):
        raise NotComputed("a law without its shape")
    return laws.many(run, law.one, tuple(values[name] for name in law.parameters), size)
