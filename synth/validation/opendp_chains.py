"""Domains, transformations and measurements of OpenDP, by what its manual says of them.

What it raises when a chain is put together, whatever the data are, is not computed.  Its noise is on a grid
that is finer than what is told apart here.
Source: OpenDP Documentation, ``opendp.measurements``, ``opendp.transformations``, and "Chaining".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from synth.validation import laws
from synth.validation.runs import Run
from synth.validation.values import (
    LibraryObject,
    Namespace,
    Native,
    NotComputed,
    NumpyNumber,
    Uniform,
    Value,
    is_number,
    plain,
    raised,
)

_TYPES = {"int": "i", "i32": "i", "i64": "i", "float": "f", "f64": "f"}


@dataclass(frozen=True)
class _Domain:
    """Numbers of a kind ("i" or "f"), or lists of them; they may have bounds, and be none at all."""

    kind: str
    is_list: bool = False
    bounded: bool = False
    nan: bool = False


@dataclass(frozen=True, eq=False)
class _Space(LibraryObject):
    """A domain as a value of the program."""

    domain: _Domain = _Domain("i")


_Inner = Callable[[Run, Value], Value]
"""What is done with a number or list of a domain."""

_Step = Callable[[_Domain], tuple["_Domain | None", _Inner]]
"""What is done on a domain, and the domain of what that gives: none of a release."""


@dataclass(frozen=True, eq=False)
class _Function(LibraryObject):
    """A transformation, or a measurement, which has no domain of what it gives."""

    takes: _Domain = _Domain("i")
    gives: _Domain | None = None
    inner: _Inner = lambda _, value: value


# --- domains and metrics ------------------------------------------------------------------------


def _atom_domain(run: Run, *, T: Value, nan: Value = None) -> Value:
    name = T.name if isinstance(T, Native) else T
    kind = _TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise NotComputed("a domain")
    return _Space("AtomDomain", domain=_Domain(kind, nan=kind == "f" and nan is not False))


def _vector_domain(run: Run, atom_domain: Value) -> Value:
    if not isinstance(atom_domain, _Space) or atom_domain.domain.is_list:
        raise NotComputed("a domain")
    return replace(atom_domain, name="VectorDomain", domain=replace(atom_domain.domain, is_list=True))


def _metric(name: str, *parameters: str) -> Callable[..., Value]:
    def made(run: Run, **given: Value) -> Value:
        if set(given) - set(parameters):
            raise NotComputed("a metric")
        return LibraryObject(name)

    return made


# --- what is done -------------------------------------------------------------------------------


def _noise(distribution: str) -> Callable[..., _Step]:
    def made(scale: Value) -> _Step:
        if not is_number(scale) or plain(scale) <= 0:
            raise NotComputed("a scale")

        def inner(run: Run, value: Value) -> Value:
            if isinstance(value, list):
                return [inner(run, item) for item in value]
            return laws.noisy(run, distribution, value, scale, real=False)

        def step(domain: _Domain) -> tuple[None, _Inner]:
            if domain.nan:
                raise NotComputed("noise on what may be no number")
            return None, inner

        return step

    return made


def _clamp(bounds: Value) -> _Step:
    def step(domain: _Domain) -> tuple[_Domain, _Inner]:
        if not domain.is_list or domain.nan or not isinstance(bounds, tuple) or len(bounds) != 2:
            raise NotComputed("bounds")
        low, high = (_number(domain, item) for item in bounds)
        if low > high:
            raise NotComputed("bounds")
        return replace(domain, bounded=True), lambda _, value: [min(max(item, low), high) for item in value]

    return step


def _sum() -> _Step:
    def step(domain: _Domain) -> tuple[_Domain, _Inner]:
        if not domain.is_list or not domain.bounded:
            raise NotComputed("a sum without bounds")
        nothing = 0 if domain.kind == "i" else Fraction(0)
        return _Domain(domain.kind), lambda _, value: sum(value, nothing)

    return step


def _count() -> _Step:
    def step(domain: _Domain) -> tuple[_Domain, _Inner]:
        if not domain.is_list:
            raise NotComputed("a count of something else")
        return _Domain("i"), lambda _, value: len(value)

    return step


# --- chains -------------------------------------------------------------------------------------


def _number(domain: _Domain, value: Value) -> Value:
    """A number of a domain, from one of Python's.  Raises Raised, NotComputed."""
    if isinstance(value, NumpyNumber | Uniform):
        raise NotComputed("a number of numpy")
    if domain.kind == "f" and is_number(value) and not isinstance(value, bool):
        return value if isinstance(value, float) else Fraction(value)
    if domain.kind == "i" and isinstance(value, int) and not isinstance(value, bool):
        return value
    raise raised(TypeError, "inferred type is another one")


def _taken(domain: _Domain, value: Value) -> Value:
    """What is given to a function, as a value of its domain.  Raises Raised, NotComputed."""
    if not domain.is_list:
        return _number(domain, value)
    if not isinstance(value, list):
        raise NotComputed("numbers that are in no list")
    return [_number(domain, item) for item in value]


def _applied(step: _Step, domain: _Domain) -> _Function:
    """A step on a domain."""
    gives, inner = step(domain)
    return _function(domain, gives, inner)


def _function(takes: _Domain, gives: _Domain | None, inner: _Inner) -> _Function:
    def call(run: Run, arg: Value) -> Value:
        return inner(run, _taken(takes, arg))

    return _Function("a function of OpenDP", {}, call, _chained, takes, gives, inner)


def _chained(run: Run, before: Value, then: Value) -> Value:
    """``before >> then`` for functions.  Raises NotComputed."""
    if not isinstance(before, _Function) or before.gives is None or before.gives.kind != then.takes.kind:
        raise NotComputed("a chain")
    return _function(before.takes, then.gives, lambda run, value: then.inner(run, before.inner(run, value)))


def _partial(step: _Step) -> LibraryObject:
    """What ``then_…`` gives: it waits for a domain."""

    def after(run: Run, before: Value, then: Value) -> Value:
        match before:
            case _Function(gives=_Domain() as gives):
                return _chained(run, before, _applied(step, gives))
            case (_Space(domain=domain), LibraryObject()):
                return _applied(step, domain)
        raise NotComputed("a chain")

    return LibraryObject("a partial constructor of OpenDP", after=after)


def _constructors(name: str, step: Callable[..., _Step], *parameters: str) -> dict[str, Value]:
    """``make_…`` and ``then_…``."""

    def bound(given: tuple[Value, ...], named: dict[str, Value]) -> _Step:
        values = {**dict(zip(parameters, given, strict=False)), **named}
        if len(given) > len(parameters) or values.keys() != set(parameters):
            raise NotComputed("arguments of a constructor")
        return step(**values)

    def make(run: Run, input_domain: Value, input_metric: Value, *given: Value, **named: Value) -> Value:
        if not isinstance(input_domain, _Space) or not isinstance(input_metric, LibraryObject):
            raise NotComputed("a space")
        return _applied(bound(given, named), input_domain.domain)

    def then(run: Run, *given: Value, **named: Value) -> Value:
        return _partial(bound(given, named))

    return laws.natives({f"make_{name}": make, f"then_{name}": then})


def of_prelude() -> dict[str, Value]:
    """The names of ``opendp.prelude``."""
    measurements = {
        **_constructors("laplace", _noise("laplace"), "scale"),
        **_constructors("gaussian", _noise("gaussian"), "scale"),
    }
    transformations = {
        **_constructors("clamp", _clamp, "bounds"),
        **_constructors("sum", _sum),
        **_constructors("count", _count),
    }
    return {
        "m": Namespace("opendp.measurements", measurements),
        "t": Namespace("opendp.transformations", transformations),
        **laws.natives(
            {
                "enable_features": lambda run, *_: None,
                "atom_domain": _atom_domain,
                "vector_domain": _vector_domain,
                "absolute_distance": _metric("AbsoluteDistance", "T"),
                "l1_distance": _metric("L1Distance", "T"),
                "l2_distance": _metric("L2Distance", "T"),
                "symmetric_distance": _metric("SymmetricDistance"),
                "discrete_distance": _metric("DiscreteDistance"),
            }
        ),
    }
