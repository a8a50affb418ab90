"""Real Python programs under CPython, and what is read of them: the laws of their outputs on an input.

Both are run for each way in which the draws may fall (:mod:`tests.support.few_draws`).
"""

from __future__ import annotations

import ast
import inspect
import random
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np

from synth.trusted.core.exponential_numbers import Number, enclosure
from synth.trusted.core.expressions import Inexact, Value
from synth.trusted.core.interpreter import Ended, OutOfFuel, Output, outcome
from synth.trusted.core.laws import Law, Listed, Noise
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_what_can_be
from synth.trusted.program import syntax as ir
from tests.support import few_draws
from tests.support.few_draws import Draw, Samplers
from tests.support.real_inputs import small_inputs

RAISED = "raised"
"""The outcome of a run that ends without output."""

UNDEFINED = "undefined"
"""The outcome of a run that is not shown to have a value: no verdict says anything of it."""

LARGEST = 2.0**31

_NAME = "hunted"
_FUEL = 20_000
_DIGITS = 7

Outcomes = dict[Any, float]


@dataclass(frozen=True)
class Label:
    """A string, or a member of an Enum, as it is written."""

    text: str


def differ(one: Outcomes, other: Outcomes) -> bool:
    """Whether two laws are not the same, up to rounding."""
    return any(abs(one.get(key, 0) - other.get(key, 0)) > 1e-6 for key in one.keys() | other.keys())


def canonical(value: Any) -> Any:
    """An output as Python compares it, dicts with their order: lists and tuples are told apart, True is 1."""
    match value:
        case np.ndarray():
            return ("list", *map(canonical, value.tolist()))
        case np.generic():
            return canonical(value.item())
        case Label():
            return value
        case list():
            return ("list", *map(canonical, value))
        case tuple():
            return ("tuple", *map(canonical, value))
        case dict():
            return ("dict", *((canonical(key), canonical(item)) for key, item in value.items()))
        case Enum():
            return Label(f"{type(value).__name__}.{value.name}")
        case str():
            return Label(value)
        case bool() | int() | float() | Fraction():
            return round(float(value), _DIGITS) + 0.0
        case _:
            return value


# --- Python -------------------------------------------------------------------------------------

ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, TypeError, ValueError)
"""What a run may raise."""


def returned(call: Callable[[], Any]) -> Any:
    """What a call gives, as Python compares it, or that it raises an exception."""
    try:
        return canonical(call())
    except ERRORS:
        return RAISED


class Program:
    """A program text that CPython has run; its draws are those of ``samplers``."""

    def __init__(self, text: str) -> None:
        self.samplers = Samplers()
        self.module = types.ModuleType(_NAME)
        with self._in_place():
            exec(compile(text, f"<{_NAME}>", "exec", dont_inherit=True), vars(self.module))

    def law(
        self, name: str, inputs: Mapping[str, Any], observed: Callable[[Callable[[], Any]], Any] = returned
    ) -> Outcomes:
        """The chances of what is observed of a call, as what it gives.  Raises TooManyError."""

        def run(draw: Draw) -> Any:
            self.samplers.draw = draw
            return observed(lambda: _called(vars(self.module)[name], _copied(inputs)))

        with self._in_place():
            return few_draws.law(run)

    def _in_place(self) -> Any:
        stack = patch.multiple("numpy.random", **self.samplers.of_numpy(), create=True)
        modules = patch.dict(sys.modules, {**self.samplers.modules(), _NAME: self.module})
        return _Both(stack, modules)


class _Both:
    """Two context managers."""

    def __init__(self, *managers: Any) -> None:
        self.managers = managers

    def __enter__(self) -> None:
        for manager in self.managers:
            manager.__enter__()

    def __exit__(self, *error: Any) -> None:
        for manager in reversed(self.managers):
            manager.__exit__(*error)


def _called(function: Callable[..., Any], inputs: Mapping[str, Any]) -> Any:
    """What a function gives, with arguments by position where they can't be named."""
    given = inspect.signature(function).parameters.values()
    by_position = [item.name for item in given if item.kind is item.POSITIONAL_ONLY]
    named = {name: value for name, value in inputs.items() if name not in by_position}
    return function(*(inputs[name] for name in by_position), **named)


def _copied(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: item.copy() if isinstance(item, list | np.ndarray) else item for name, item in inputs.items()
    }


# --- what is read -------------------------------------------------------------------------------


def law_of(mechanism: ir.Mechanism, inputs: Mapping[str, Any]) -> Outcomes:
    """The chances of outputs of a core program.  Raises TooManyError, Inexact."""

    def run(draw: Draw) -> Any:
        found = outcome(mechanism, inputs, lambda site, law: _drawn(law, draw), _FUEL)
        match found:
            case Output():
                return canonical(_value(mechanism.output, found))
            case Ended():
                return RAISED
            case OutOfFuel():
                raise few_draws.TooManyError
            case _:
                return UNDEFINED

    return few_draws.law(run)


def _drawn(law: Law, draw: Draw) -> Value:
    if isinstance(law, Noise):
        on_integers = law.sort is ir.Sort.INT
        offset = draw(few_draws.noise(law.distribution, on_integers, _rounded(law.scale)))
        value = law.center + Fraction(offset)
        return int(value) if on_integers and isinstance(value, Fraction) else value
    if isinstance(law, Listed):
        chances = ((value, _rounded(law.chance(value))) for value in _candidates(law))
        return draw([(value, chance) for value, chance in chances if chance > 0])  # type: ignore[no-any-return]
    return draw(few_draws.weighted(map(_rounded, law.weights)))  # type: ignore[no-any-return]


def _candidates(law: Listed) -> Sequence[Value]:
    return (False, True) if law.choice.sort is ir.Sort.BOOL else range(-40, 41)


def _rounded(number: Number) -> float:
    return float(number) if isinstance(number, int | Fraction) else float(enclosure(number, 30)[0])


def _value(layout: ir.Layout, found: Output) -> Any:
    """The Python value that a flat output stands for."""
    lists = iter(
        [_entry(alternatives, iter(row), iter(())) for row in rows]
        for rows, alternatives in zip(found.lists, layout.lists, strict=True)
    )
    return _entry(layout.values, iter(found.values), lists)


def _entry(alternatives: ir.Alternatives, scalars: Iterator[Any], lists: Iterator[Any]) -> Any:
    shape = alternatives[0] if len(alternatives) == 1 else alternatives[int(next(scalars))]
    return _of_shape(shape, scalars, lists)


def _of_shape(shape: ir.Shape, scalars: Iterator[Any], lists: Iterator[Any]) -> Any:
    match shape:
        case ir.ScalarShape():
            return next(scalars)
        case ir.DictShape(items, keys):
            return {_key(key): _of_shape(item, scalars, lists) for key, item in zip(keys, items, strict=True)}
        case ir.TupleShape(items):
            return tuple([_of_shape(item, scalars, lists) for item in items])
        case ir.ListShape():
            return next(lists)
        case ir.LabelShape(texts=texts):
            text = texts[int(next(scalars))]
            return Label(ast.literal_eval(text) if text.startswith("'") else text)
        case _:
            return None


def _key(text: str) -> Any:
    """What the text of a key says: a member of an Enum, a fraction, or what it is in Python."""
    try:
        return Fraction(text) if "/" in text and "'" not in text else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return Label(text)


# --- inputs -------------------------------------------------------------------------------------


def core_inputs(mechanism: ir.Mechanism, inputs: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Inputs of the core program that stand for those of the Python program; there are many."""
    found: dict[str, Any] = {}
    flags: dict[str, list[bool]] = {}
    several = {item.name: item for item in mechanism.records}
    for name, value in inputs.items():
        if name in several:
            _columns(several[name], value, flags, rng, found)
        else:
            found[name] = _exact(value)
    wanted = {item.name for item in mechanism.visible}
    return {name: value for name, value in found.items() if name in wanted}


def _columns(
    records: ir.Records,
    rows: list[Any],
    flags: dict[str, list[bool]],
    rng: random.Random,
    found: dict[str, Any],
) -> None:
    """The columns of a list of records, with missing records between, and others in the other columns."""
    entries = [row if isinstance(row, tuple) else (row,) for row in rows]
    if records.present is not None:
        there = flags.setdefault(records.present, _with_gaps(len(entries), rng))
        rest = iter(entries)
        entries = [next(rest) if here else _any_like(entries, rng) for here in there]
        found[records.present] = tuple(there)
    found |= _named(records.columns, entries)
    if records.chosen is not None:
        chosen = flags.setdefault(records.chosen, [rng.random() < 0.5 for _ in entries])
        unlike = [_any_like(entries, rng) for _ in entries]
        one = [other if flag else row for flag, row, other in zip(chosen, entries, unlike, strict=True)]
        two = [row if flag else other for flag, row, other in zip(chosen, entries, unlike, strict=True)]
        found |= {
            records.chosen: tuple(chosen),
            **_named(records.columns, one),
            **_named(records.others, two),
        }


def _with_gaps(count: int, rng: random.Random) -> list[bool]:
    found = [True] * count
    for _ in range(rng.randint(0, 2) if count else 0):
        found.insert(rng.randint(0, len(found)), False)
    return found


def _any_like(rows: list[tuple[Any, ...]], rng: random.Random) -> tuple[Any, ...]:
    return rng.choice(rows)


def _named(columns: Sequence[str], rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    return {name: tuple(_exact(row[place]) for row in rows) for place, name in enumerate(columns)}


def _exact(value: Any) -> Any:
    match value:
        case bool() | int():
            return value
        case float():
            return Fraction(value)
        case list():
            return tuple(map(_exact, value))
        case np.ndarray():
            return tuple(map(_exact, value.tolist()))
        case _:
            return value


# --- both -----------------------------------------------------------------------------------


class Misread(Exception):
    """What is read of a program is another one than Python runs."""


def read(text: str) -> ir.Mechanism | None:
    """What is read of the function ``f`` of a program; None if it is refused."""
    try:
        mechanisms, _ = read_what_can_be(text, "hunted.py")
    except ProgramError:
        return None
    return next((item for item in mechanisms if item.name == "f"), None)


def compare(text: str, rng: random.Random, tries: int = 12, run: str | None = None) -> str:
    """What becomes of a program whose function ``f`` is read and run on small inputs.  Raises Misread.

    It is refused, or has the same laws as under Python on so many inputs, where a verdict says anything.
    With another text to ``run``, that one is run.
    """
    mechanism = read(text)
    if mechanism is None:
        return "refused"
    program = Program(run or text)
    kinds = {_alike(mechanism, program, inputs, rng) for inputs in small_inputs(text, rng, tries)}
    return next((kind for kind in ("same", "undefined") if kind in kinds), "not computed")


def _is_large(value: Any) -> bool:
    """Whether there is a number in an output that integers of numpy may not be."""
    if isinstance(value, tuple):
        return any(map(_is_large, value))
    return isinstance(value, float) and abs(value) > LARGEST


def _alike(mechanism: ir.Mechanism, program: Program, inputs: dict[str, Any], rng: random.Random) -> str:
    try:
        law = law_of(mechanism, core_inputs(mechanism, inputs, rng))
        if UNDEFINED in law:
            return "undefined"
        if any(map(_is_large, law)):
            return "not computed"
        run = program.law("f", inputs)
    except (few_draws.TooManyError, Inexact):
        return "not computed"
    if differ(law, run):
        raise Misread(f"on {inputs}: {run} under Python, {law} as it is read")
    return "same"
