"""Whether the text of a mechanism and its core program do the same on small inputs."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from typing import Any

from synth.trusted.core.expressions import Given, Inexact
from synth.trusted.program import syntax as ir
from synth.validation import ways
from synth.validation.approximations import GIVEN, approximated
from synth.validation.branches import Branches
from synth.validation.core_laws import followed_core
from synth.validation.guided import Search
from synth.validation.inputs import Input, Inputs
from synth.validation.interpreter import Interpreter
from synth.validation.outputs import RAISED, UNDEFINED, canonical
from synth.validation.runs import Place
from synth.validation.scopes import parsed
from synth.validation.targets import Target, target
from synth.validation.values import NotComputed, Raised
from synth.validation.ways import STILL, Falling, Followed, Law

_INPUTS = 8
_WAYS = 32
_STEPS = 30_000
"""Of Python's text, for all inputs together."""

_ENOUGH, _LEAST = 3_000, 3
"""After so many steps, so many inputs are enough."""

_FURTHER, _FEW_WAYS = 30_000, 4
"""So many steps are for inputs that go other ways, which are looked for by so many ways of draws."""


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
    """Run the text of a mechanism and its core program on small inputs, with the same draws.

    Then on inputs by which the text goes ways that it hasn't gone so far.
    """
    if mechanism.output is None:
        return Comparison(Kind.NOT_COMPUTED, why="no output")
    try:
        tree = parsed(mechanism.source)
        called = target(tree, mechanism.name)
        inputs = Inputs(mechanism, called.parameters)
        small = list(inputs.small(tree, _INPUTS))
        files = _files(mechanism)
    except (NotComputed, RecursionError) as error:
        return Comparison(Kind.NOT_COMPUTED, why=str(error))
    runs = _Runs(mechanism, _Text(tree, called, _real_draws(mechanism), files))
    search = Search(inputs.moves(), runs.branches)
    for item in chain(runs.enough_of(small), search.inputs()):
        different = runs.difference(item)
        if different:
            return Comparison(Kind.DIFFERENT, runs.seen, different)
        if runs.is_computed:
            search.note(item, runs.text.branches)
    if runs.seen:
        return Comparison(Kind.SAME, runs.seen)
    return Comparison(Kind.NOT_COMPUTED, why=runs.reasons[0] if runs.reasons else "no inputs")


class _ShowsNothingError(Exception):
    """Runs aren't computed, or may differ though the programs don't; the text says why."""


@dataclass
class _Runs:
    """The runs of a text and of what is read of it, and why some showed nothing."""

    mechanism: ir.Mechanism
    text: _Text
    seen: int = 0
    reasons: list[str] = field(default_factory=list)
    is_computed: bool = False

    def enough_of(self, inputs: Iterable[Input]) -> Iterator[Input]:
        """Give inputs until enough has been run; from then on, there are so many steps for others."""
        for item in inputs:
            if self.text.used > _ENOUGH and (self.seen >= _LEAST or len(self.reasons) >= _LEAST):
                break
            yield item
        self.text.left = _FURTHER

    def difference(self, item: Input) -> str:
        """What differs on an input; "" if nothing does, or if that isn't computed."""
        self.is_computed = False
        try:
            run, read = self._followed(item, Falling(far=item.far))
            if self._are_alike(run, read):
                self.seen += 1
                self.is_computed = True
                return ""
            if run.is_by_turns or read.is_by_turns:
                return self._differs_without_noise(item)
        except _ShowsNothingError as error:
            self.reasons.append(str(error))
            return ""
        return _shown(item, run.law, read.law)

    def _differs_without_noise(self, item: Input) -> str:
        """What differs where all noise is 0: draws may be read in another order, or with other signs.

        Raises _ShowsNothingError if nothing does.
        """
        run, read = self._followed(item, STILL)
        if self._are_alike(run, read):
            raise _ShowsNothingError("draws in another order")
        return _shown(item, run.law, read.law)

    def _are_alike(self, run: Followed, read: Followed) -> bool:
        """Whether two laws are the same, also of a program that says first whether it raises."""
        given = _without_shown(read.law) if self.mechanism.shown else read.law
        return any(not ways.differ(_flat(law), _flat(run.law)) for law in (given, _without_raises(given)))

    def _followed(self, item: Input, falling: Falling) -> tuple[Followed, Followed]:
        """The laws of the text and of what is read.  Raises _ShowsNothingError."""
        try:
            run = self.text.followed(item, 2 * _WAYS, falling)
            read = _read(self.mechanism, item, falling)
        except ways.TooManyError:
            raise _ShowsNothingError("too many ways") from None
        except Exception as error:  # whatever happens in a run, no verdict rests on it
            raise _ShowsNothingError(str(error)) from None
        if UNDEFINED in read.law:
            raise _ShowsNothingError("undefined")
        if _is_made_of(read, run):
            raise _ShowsNothingError("noise that is made of draws")
        return run, read

    def branches(self, item: Input) -> Branches | None:
        """Which ways the text goes on an input; None when enough was run."""
        if self.text.left <= 0:
            return None
        with suppress(Exception):
            self.text.followed(item, _FEW_WAYS, Falling(far=item.far))
        return self.text.branches


def _read(mechanism: ir.Mechanism, item: Input, falling: Falling) -> Followed:
    """The law of what the core program gives on an input.  Raises TooManyError, NotComputed, Inexact."""
    try:
        return followed_core(mechanism, item.core, _WAYS, falling)
    except Inexact:
        return followed_core(approximated(mechanism), {**item.core, **GIVEN}, _WAYS, falling)


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
    """The text of a mechanism; all of its runs together take at most so many steps.

    ``branches`` are the ways of the last input.
    """

    tree: ast.Module
    target: Target
    reals: Mapping[Place, bool | None]
    files: Mapping[str, ast.Module]
    left: int = _STEPS
    branches: Branches = field(default_factory=Branches)

    @property
    def used(self) -> int:
        """Steps of the runs so far."""
        return _STEPS - self.left

    def followed(self, item: Input, most: int, falling: Falling) -> Followed:
        """The law of what it gives on an input, over so many ways.  Raises TooManyError, NotComputed."""
        self.branches = Branches()

        def run(draw: ways.Draw) -> Any:
            interpreter = Interpreter(draw, self.left, self.reals, self.files)
            interpreter.branches = self.branches
            try:
                return self._output(interpreter, item)
            finally:
                self.left = interpreter.steps

        return ways.followed(run, most, falling)

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


def _without_shown(law: Law) -> Law:
    """The law of what the text gives, where each output has what was shown beside it."""
    found: Law = defaultdict(float)
    for key, chance in law.items():
        match key:
            case ("tuple", value, _):
                found[value] += chance
            case _:
                found[key] += chance
    return found


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
