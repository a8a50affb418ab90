"""What runs under ``synth.lang`` against the typed program: the same draws, in order, and the same output.

The samplers are replaced by a tape.  All else is as it is for a user: sums and centres are compiled again,
what is given is converted, the arguments of draws are checked.
"""

from __future__ import annotations

import linecache
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from unittest.mock import patch

from synth.lang import runtime, samplers
from synth.trusted.core.exponential_numbers import Number, divide, exponential
from synth.trusted.core.expressions import Value
from synth.trusted.core.interpreter import Ended, Outcome, OutOfFuel, Output, Violated, outcome
from synth.trusted.core.laws import Law, Noise
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

from .hunting import Broken, Try, about
from .inputs import inputs_of
from .sampled_programs import sampled_program

BATCH = 4
"""Programs of a case."""

RUNS = 5
MAX_DRAWS = 100
NOISES = ("laplace", "exponential", "gaussian")


class TooLong(Exception):
    """A run that draws for ever."""


# --- the tape -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chosen:
    """A draw of finitely many values, by their chances."""

    chances: Mapping[Value, Number]
    value: Value


@dataclass(frozen=True)
class Shifted:
    """A draw of noise: its law, and how far from the centre it is."""

    law: Noise
    offset: Fraction | int


@dataclass
class Tape:
    """In place of the samplers of ``synth.lang``, and what they drew."""

    rng: random.Random
    drawn: list[Chosen | Shifted] = field(default_factory=list)
    center: Any = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let draws come from here; a warning is an error."""
        replaced: dict[str, Any] = {
            "coin": lambda p: self._one_of({True: p, False: 1 - p}),
            "uniform": lambda low, high: self._one_of(
                dict.fromkeys(range(low, high + 1), Fraction(1, high - low + 1))
            ),
            "weighted_index": self._weighted_index,
        }
        for name in NOISES:
            replaced[f"integer_{name}"] = self._integer(name)
            replaced[f"real_{name}"] = self._real(name)
        with ExitStack() as stack:
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("error")
            stack.enter_context(patch.multiple(samplers, **replaced))
            stack.enter_context(patch.object(runtime, "_around", self._around(runtime._around)))
            yield

    def _kept(self, draw: Chosen | Shifted) -> None:
        if len(self.drawn) >= MAX_DRAWS:
            raise TooLong
        self.drawn.append(draw)

    def _around(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """The samplers of integers aren't told the centre: it is noted on the way to them."""

        def around(center: Any, one: Callable[[Any], Any]) -> Any:
            def noted(entry: Any) -> Any:
                self.center = entry
                return one(entry)

            return original(center, noted)

        return around

    def _integer(self, name: str) -> Callable[[Fraction], int]:
        def draw(scale: Fraction) -> int:
            offset = self.rng.randint(0 if name == "exponential" else -2, 2)
            self._kept(Shifted(Noise(name, ir.Sort.INT, int(self.center), scale), offset))
            return offset

        return draw

    def _real(self, name: str) -> Callable[[float, float], float]:
        def draw(center: float, scale: float) -> float:
            offset = self.rng.randint(0 if name == "exponential" else -16, 16) / 8
            law = Noise(name, ir.Sort.REAL, Fraction(center), Fraction(scale))
            self._kept(Shifted(law, Fraction(offset)))
            return center + offset

        return draw

    def _one_of(self, chances: dict[Any, Number]) -> Any:
        value = self.rng.choice([value for value, chance in chances.items() if chance > 0])
        self._kept(Chosen(chances, value))
        return value

    def _weighted_index(self, log_weights: Sequence[Fraction]) -> int:
        weights = [exponential(item) for item in log_weights]
        index: int = self._one_of({place: divide(item, sum(weights)) for place, item in enumerate(weights)})
        return index


def replayed(
    of: ir.Mechanism, inputs: Mapping[str, Any], drawn: Sequence[Chosen | Shifted]
) -> Outcome | OutOfFuel:
    """What the typed program does on those draws, which must be of its own laws.  Raises AssertionError."""
    rest = list(drawn)

    def noise(site: int, law: Law) -> Value:
        assert rest, f"the run draws no more, not from {_shown(law)}"
        match rest.pop(0):
            case Shifted(law=ran, offset=offset):
                assert ran == law, f"the run draws from {ran}, not from {_shown(law)}"
                return ran.center + offset
            case Chosen(chances=chances, value=value):
                assert not isinstance(law, Noise), f"the run draws from {chances}, not from {law}"
                assert all(law.chance(item) == chance for item, chance in chances.items()), (
                    f"the run draws from {chances}, not by {law.choice.distribution}"
                )
                return value

    found = outcome(of, inputs, noise)
    assert not rest or not isinstance(found, Output), f"only the run draws {rest}"
    return found


def _shown(law: Law) -> str:
    return str(law) if isinstance(law, Noise) else law.choice.distribution


# --- inputs and outputs ---------------------------------------------------------------------


class Narrow(int):
    """An integer of three bits, as arrays have them of eight and more: sums wrap around."""

    def __add__(self, other: Any) -> Any:
        return _wrapped(int(self) + other)

    def __sub__(self, other: Any) -> Any:
        return _wrapped(int(self) - other)

    def __mul__(self, other: Any) -> Any:
        return _wrapped(int(self) * other)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Any) -> Any:
        return _wrapped(other - int(self))

    def __neg__(self) -> Any:
        return _wrapped(-int(self))


def _wrapped(number: Any) -> Any:
    return Narrow((number + 4) % 8 - 4) if isinstance(number, int) else number


def given(value: Any, rng: random.Random) -> Any:
    """A value as users may give it: integers for floats and truth values, those of an array, a tuple."""
    if isinstance(value, tuple):
        return rng.choice((list, tuple))(given(entry, rng) for entry in value)
    if isinstance(value, Fraction) and value.denominator > 1:
        return float(value)
    return rng.choice((Narrow, type(value) if not isinstance(value, Fraction) else float))(value)


def returned(layout: ir.Layout, output: Output) -> Any:
    """What Python would have returned, with fractions for floats."""
    lists = iter(zip(output.lists, layout.lists, strict=True))

    def value(alternatives: ir.Alternatives, flat: Iterator[Value]) -> Any:
        """One of several shapes begins with its number."""
        return shaped(alternatives[int(next(flat))] if len(alternatives) > 1 else alternatives[0], flat)

    def shaped(shape: ir.Shape, flat: Iterator[Value]) -> Any:
        match shape:
            case ir.ScalarShape():
                return next(flat)
            case ir.NoneShape():
                return None
            case ir.TupleShape(items=items):
                return tuple(shaped(item, flat) for item in items)
            case ir.ListShape():
                rows, alternatives = next(lists)
                return [value(alternatives, iter(row)) for row in rows]
        raise TypeError(shape)

    return value(layout.values, iter(output.values))


# --- comparison -----------------------------------------------------------------------------


def attempt(case: str) -> Iterator[Try]:
    """Some programs, each on some inputs."""
    rng = random.Random(case)
    for _ in range(BATCH):
        text = sampled_program(rng)
        with about(text):
            yield compared(text, rng)


def compared(text: str, rng: random.Random) -> Try:
    """One program as it runs and as it is read.  Raises Broken."""
    try:
        of = next(item for item in read_source(text, "hunt.py") if item.name == "f")
    except ProgramError:
        return Try("refused", reached=False)
    function = _imported(text, rng.choice((0, 1)))["f"]
    ended = 0
    for _ in range(RUNS):
        inputs = inputs_of(of, rng, longest=3)
        assert inputs is not None, "f requires nothing"
        arguments = {name: given(value, rng) for name, value in inputs.items()}
        try:
            ended += _alike(of, function, inputs, arguments, Tape(rng))
        except AssertionError as error:
            raise Broken(f"the run differs: {error}, inputs {arguments}", text) from None
    return Try("same" if ended else "no run ended", reached=bool(ended))


def _imported(text: str, optimize: int) -> dict[str, Any]:
    """The names of a file, imported by ``python``, or ``python -O``."""
    path = "<hunt>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, path, "exec", dont_inherit=True, optimize=optimize), names)
    return names


def _alike(
    of: ir.Mechanism,
    function: Callable[..., Any],
    inputs: Mapping[str, Any],
    arguments: dict[str, Any],
    tape: Tape,
) -> bool:
    """Whether both come to an output, which is the same.  Raises AssertionError if they differ."""
    value: Any = None
    failed: Exception | None = None
    try:
        with tape.running():
            value = function(**arguments)
    except TooLong:
        return False
    except (ArithmeticError, AssertionError, IndexError, TypeError, ValueError) as error:
        failed = error
    found = replayed(of, inputs, tape.drawn)
    match found:
        case Output() if failed is None:
            assert of.output is not None
            expected = returned(of.output, found)
            assert expected == value, f"it returns {value}, not {expected}"
            return True
        case Ended():
            assert isinstance(failed, AssertionError), f"{found}, but the run gives {failed or value}"
        case Violated():
            # A negative index is fine under Python; the language refuses it.
            assert failed is not None or found.kind == "index", f"{found}, but the run returns {value}"
        case _:
            raise AssertionError(f"{found}, but the run gives {failed or value}")
    return False
