"""Whether the text of a mechanism and its core program do the same on small inputs."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from synth.trusted.core.expressions import Given, Inexact
from synth.trusted.program import syntax as ir
from synth.validation import ways
from synth.validation.approximations import approximated
from synth.validation.core_laws import followed_core
from synth.validation.inputs import Input, small_inputs
from synth.validation.interpreter import Interpreter
from synth.validation.outputs import RAISED, UNDEFINED, canonical
from synth.validation.runs import Place
from synth.validation.scopes import parsed
from synth.validation.targets import Target, target
from synth.validation.values import NotComputed, Raised
from synth.validation.ways import Followed, Law

_INPUTS = 8
_WAYS = 32
_STEPS = 30_000
"""Of Python's text, for all inputs together."""

_ENOUGH, _LEAST = 3_000, 3
"""After so many steps, so many inputs are enough."""


class Kind(Enum):
    """What became of a comparison."""

    SAME = "same"
    DIFFERENT = "different"
    NOT_COMPUTED = "not computed"


@dataclass(frozen=True)
class Comparison:
    """What became of a comparison: on how many inputs both were run, and what differs or isn't computed."""

    kind: Kind
    inputs: int = 0
    why: str = ""


def compare(mechanism: ir.Mechanism) -> Comparison:
    """Run the text of a mechanism and its core program on small inputs, with the same draws."""
    if mechanism.output is None:
        return Comparison(Kind.NOT_COMPUTED, why="no output")
    try:
        tree = parsed(mechanism.source)
        called = target(tree, mechanism.name)
        inputs = list(small_inputs(mechanism, tree, called.parameters, _INPUTS))
        files = _files(mechanism)
    except (NotComputed, RecursionError) as error:
        return Comparison(Kind.NOT_COMPUTED, why=str(error))
    seen, reasons, text = 0, list[str](), _Text(tree, called, _real_draws(mechanism), files)
    for item in inputs:
        if text.used > _ENOUGH and (seen >= _LEAST or len(reasons) >= _LEAST):
            break
        try:
            run = text.followed(item)
            read = _read(mechanism, item)
        except ways.TooManyError:
            reasons.append("too many ways")
            continue
        except (NotComputed, Inexact, RecursionError) as error:
            reasons.append(str(error))
            continue
        if UNDEFINED in read.law or _is_made_of(read, run):
            reasons.append("undefined" if UNDEFINED in read.law else "noise that is made of draws")
            continue
        if all(ways.differ(_flat(one), _flat(run.law)) for one in (read.law, _without_raises(read.law))):
            return Comparison(Kind.DIFFERENT, seen, _shown(item, run.law, read.law))
        seen += 1
    if seen:
        return Comparison(Kind.SAME, seen)
    return Comparison(Kind.NOT_COMPUTED, why=reasons[0] if reasons else "no inputs")


def _read(mechanism: ir.Mechanism, item: Input) -> Followed:
    """The law of what the core program gives on an input.  Raises TooManyError, NotComputed, Inexact."""
    try:
        return followed_core(mechanism, item.core, _WAYS)
    except Inexact:
        return followed_core(*approximated(mechanism, item.core), _WAYS)


def _is_made_of(read: Followed, run: Followed) -> bool:
    """Whether noise may be read of several draws that make up its law: on few values they don't."""
    return read.names != run.names and read.draws < run.draws


def _shown(item: Input, run: Law, read: Law) -> str:
    """The input, and an outcome whose chances differ."""
    outcome = max(
        run.keys() | read.keys(), key=lambda key: (abs(run.get(key, 0) - read.get(key, 0)), repr(key))
    )
    given = ", ".join(f"{name} = {_written(value)}" for name, value in item.core.items())
    chances = f"{run.get(outcome, 0):.3g} by Python's rules, {read.get(outcome, 0):.3g} as it is read"
    return f"on {given}, where noise is one of two values, the chance of {outcome!r} is {chances}"


def _written(value: Given) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    return "a function" if callable(value) else str(value)


def _files(mechanism: ir.Mechanism) -> Mapping[str, ast.Module]:
    """The user's other files, where all are below the folder of the program, which is no module itself."""
    given = mechanism.specification
    if given is None or not given.files:
        return {}
    if given.module or any(".." in name for name, _ in given.files):
        raise NotComputed("files of a package")
    return {name: parsed(text) for name, text in given.files}


def _real_draws(mechanism: ir.Mechanism) -> dict[Place, bool | None]:
    """Whether noise that is drawn at a place is real: that doesn't depend on the values of a run.

    None of a place in a helper that is called for noise of both sorts.
    """
    found: dict[Place, bool | None] = {}
    for item in ir.statements(mechanism.body):
        if isinstance(item, ir.Draw):
            place = mechanism.line_of_source(item.span.line), item.span.column
            real = item.sort is ir.Sort.REAL
            found[place] = real if found.get(place, real) == real else None
    return found


@dataclass
class _Text:
    """The text of a mechanism; all of its runs together take at most so many steps."""

    tree: ast.Module
    target: Target
    reals: Mapping[Place, bool | None]
    files: Mapping[str, ast.Module]
    left: int = _STEPS

    @property
    def used(self) -> int:
        """Steps of the runs so far."""
        return _STEPS - self.left

    def followed(self, item: Input) -> Followed:
        """The law of what it gives on an input.  Raises TooManyError, NotComputed."""

        def run(draw: ways.Draw) -> Any:
            interpreter = Interpreter(draw, self.left, self.reals, self.files)
            try:
                return self._output(interpreter, item)
            finally:
                self.left = interpreter.steps

        return ways.followed(run, 2 * _WAYS)

    def _output(self, run: Interpreter, item: Input) -> Any:
        try:
            scope = run.module(self.tree)
        except Raised as error:
            raise NotComputed(f"the module raises {error.value.type}") from None
        try:
            output = self.target.call(run, scope, item.arguments(run, scope))
            return canonical(list(run.each(output)) if isinstance(output, Iterator) else output)
        except Raised:
            return RAISED


def _flat(law: Law) -> Law:
    """The law where a tuple is no other output than a list: the reader takes short arrays for tuples."""
    found: Law = defaultdict(float)
    for key, chance in law.items():
        found[_as_list(key)] += chance
    return found


def _as_list(key: Any) -> Any:
    if not isinstance(key, tuple):
        return "list" if key == "tuple" else key
    return tuple(map(_as_list, key))


def _without_raises(law: Law) -> Law:
    """The law of a program that says first whether it raises."""
    found: Law = defaultdict(float)
    for key, chance in law.items():
        match key:
            case ("tuple", 1.0, _):
                found[RAISED] += chance
            case ("tuple", 0.0, value):
                found[value] += chance
            case _:
                found[key] += chance
    return found
