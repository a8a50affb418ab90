"""Small inputs of a mechanism: as its text takes them, and as its core program does."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from typing import Any

from synth.trusted.core.expressions import Given
from synth.trusted.program import syntax as ir
from synth.validation import arrays, numpy_samplers, samplers
from synth.validation.admitted import Admission
from synth.validation.descent import Descent, Move
from synth.validation.moves import Core, core_moves
from synth.validation.runs import Run
from synth.validation.values import (
    Array,
    ClassValue,
    Namespace,
    Native,
    NotComputed,
    Raised,
    Scope,
    Value,
)

_INTEGERS = (0, 1, 2, 1, -1, 3)
_REALS = (*map(Fraction, (0, 1, 2, -1)), Fraction(1, 2), Fraction(3, 2))
_POSITIVE = (*map(Fraction, (1, 2)), Fraction(1, 2), Fraction(1, 4))
_WIDER = (*_INTEGERS, 5, 8, 12)
_WIDER_REALS = (*_REALS, *map(Fraction, (3, 6, 16)), Fraction(1, 8), Fraction(1, 128))
_TRIES = 90
_SMALL = 45
"""So many tries are of short inputs and small numbers."""

_LENGTHS, _LONGER = (2, 3, 1, 3, 0), tuple(range(8))
_MOST = 30
"""Entries of a list."""

_NEAR, _LARGEST, _OFTEN, _AGAIN = 6, 120, 24, 8
"""So many inputs have numbers of the text, up to that size; among others they stand so often.

So often one is made of a number until the mechanism admits it.
"""


_FEW, _LOOKS, _SLOPES = 3, 400, (1.0, 0.25, 4.0)
"""Where fewer are admitted, so many are looked for, each in so many tries.

Conditions count alike, or earlier or later ones count more.
"""


class _First(random.Random):
    """Chooses what stands first: 0, False, two entries."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def random(self) -> float:
        return 0.9


@dataclass(frozen=True)
class Input:
    """One input: what core parameters stand for, and how to make the arguments of the function in a run.

    Noise falls so much farther from 0 than its scale.
    """

    core: Mapping[str, Given]
    arguments: Callable[[Run, Scope], dict[str, Value]]
    far: int = 0


@dataclass(frozen=True)
class Inputs:
    """The inputs of a mechanism whose function has these parameters."""

    mechanism: ir.Mechanism
    parameters: ast.arguments

    @cached_property
    def admission(self) -> Admission:
        """What is asked of them."""
        return Admission(self.mechanism)

    def made(self, core: Core, far: int = 0) -> Input | None:
        """The input for which core parameters stand; None where the mechanism doesn't admit it.

        Raises NotComputed for parameters of which the values are not known here.
        """
        core = self._together(core)
        if self.admission.violation(core) > 0:
            return None
        return Input(core, _arguments(self.mechanism, self.parameters, core), far)

    def moves(self) -> list[Move[Input]]:
        """Give the numbers of an input that can be changed; lengths are first."""
        return [*(partial(self._moved, move) for move in core_moves(self.mechanism)), _farther]

    def small(self, tree: ast.Module, count: int) -> Iterator[Input]:
        """Give up to so many inputs, the same in each process.

        Besides there are some with numbers of the text, or what is next to them.  Raises NotComputed.
        """
        mechanism = self.mechanism
        rng, others = random.Random(mechanism.name), random.Random(mechanism.name)
        numbers = islice(_written_numbers(tree), _NEAR)
        found, refused = 0, list[Core]()
        for place in range(_TRIES):
            core = _core(mechanism, _First() if place == 0 else rng, (), wide=place >= _SMALL)
            item = self.made(core) if found < count else None
            if item is None:
                refused.append(core)
                continue
            found += 1
            yield item
            for near in islice(numbers, 1):
                tried = (self.made(_core(mechanism, others, (near,), wide=False)) for _ in range(_AGAIN))
                yield from islice((item for item in tried if item is not None), 1)
        if found < _FEW:
            yield from self._admitted(refused)

    def _admitted(self, refused: list[Core]) -> Iterator[Input]:
        """Give inputs that are admitted, from ones that aren't on."""

        def distance(slope: float, core: Core) -> float:
            return self.admission.violation(self._together(core), slope)

        for core in sorted(refused, key=partial(distance, 1.0))[:_FEW]:
            for missing in (partial(distance, slope) for slope in _SLOPES):
                descent = Descent(core_moves(self.mechanism), missing, core, missing(core), _LOOKS)
                item = self.made(descent.at) if descent.is_met() else None
                if item is not None:
                    yield item
                    break

    def _together(self, core: Core) -> dict[str, Given]:
        """What some parameters are by others."""
        changed = dict(core)
        for records in self.mechanism.records:
            changed |= _of_records(records, changed)
        return changed

    def _moved(self, move: Move[Core], item: Input, by: int) -> Input | None:
        core = move(item.core, by)
        return None if core is None else self.made(core, item.far)


def _farther(item: Input, by: int) -> Input | None:
    return None if item.far + by < 0 else replace(item, far=item.far + by)


# --- core -----------------------------------------------------------------------------------------


def _written_numbers(tree: ast.Module) -> Iterator[Fraction]:
    """Give what is next to numbers that a text has, but for small integers, and these."""
    numbers = (item.value for item in ast.walk(tree) if isinstance(item, ast.Constant))
    known = {
        Fraction(item): None for item in numbers if isinstance(item, int | float) and 3 < item <= _LARGEST
    }
    for change in (1, 0, -1):
        yield from (value + change for value in known)
    yield from (-value for value in known)


def _core(
    mechanism: ir.Mechanism, rng: random.Random, near: tuple[Fraction, ...], *, wide: bool
) -> dict[str, Given]:
    length = rng.choice((*_LONGER, *_numbers(mechanism)) if wide else _LENGTHS)
    codes = {name: labels for labels in mechanism.labels for name in labels.parameters}
    found: dict[str, Given] = {}
    for item in mechanism.parameters:
        entry = _entries(item, codes.get(item.name), rng, near, wide=wide)
        if item.kind is ir.ParameterKind.SCALAR:
            found[item.name] = entry()
        elif item.kind is ir.ParameterKind.SEQUENCE:
            found[item.name] = tuple(entry() for _ in range(length))
        else:
            found[item.name] = _table(entry)
    return found


def _numbers(mechanism: ir.Mechanism) -> tuple[int, ...]:
    """Small numbers that the precondition names: lists may have to be as long."""
    found = {
        int(item.value)
        for item in ir.subexpressions(mechanism.requires)
        if isinstance(item, ir.Constant) and item.sort is ir.Sort.INT
    }
    return tuple(sorted(number for number in found if max(_LONGER) < number <= _MOST))


def _entries(
    item: ir.Parameter,
    labels: ir.Labels | None,
    rng: random.Random,
    near: tuple[Fraction, ...],
    *,
    wide: bool,
) -> Callable[[], Any]:
    if labels is not None:
        return lambda: rng.randrange(len(labels.texts) + (not labels.closed))
    match item.sort:
        case ir.Sort.BOOL:
            return lambda: rng.random() < 0.5
        case ir.Sort.INT:
            whole = [int(number) for number in near if number.denominator == 1]
            if whole and item.kind is ir.ParameterKind.SCALAR:
                return lambda: whole[0]
            integers = (*(_WIDER if wide else _INTEGERS), *whole * _OFTEN)
            return lambda: rng.choice(integers)
    if wide:
        return lambda: rng.choice(_WIDER_REALS)
    reals = (*_REALS, *near * _OFTEN)
    return lambda: rng.choice(_POSITIVE if item.metric is None and rng.random() < 0.7 else reals)


def _table(entry: Callable[[], Any]) -> Callable[..., Any]:
    known: dict[tuple[Any, ...], Any] = {}

    def value(*places: Any) -> Any:
        return known.setdefault(places, entry())

    return value


def _of_records(records: ir.Records, given: Mapping[str, Given]) -> dict[str, Given]:
    """Where others must be near to the columns, they are the columns."""
    if records.reach is None:
        return {}
    return {other: given[name] for other, name in zip(records.others, records.columns, strict=True)}


# --- Python ---------------------------------------------------------------------------------------


def _arguments(
    mechanism: ir.Mechanism, args: ast.arguments, core: Mapping[str, Given]
) -> Callable[[Run, Scope], dict[str, Value]]:
    types = dict(mechanism.specification.types) if mechanism.specification is not None else {}
    fixed = dict(mechanism.specification.fixed) if mechanism.specification is not None else {}
    makers: dict[str, Callable[[Run, Scope], Value]] = {}
    positional = [*args.posonlyargs, *args.args]
    optional = {item.arg for item in positional[len(positional) - len(args.defaults) :]}
    optional |= {item.arg for item, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value}
    if args.vararg is not None or args.kwarg is not None:
        raise NotComputed("parameters")
    for item in (*positional, *args.kwonlyargs):
        annotation = "" if item.annotation is None else ast.unparse(item.annotation)
        if item.arg in fixed:
            makers[item.arg] = _fixed(fixed[item.arg])
            continue
        maker = _argument(mechanism, item.arg, types.get(item.arg, annotation), core)
        if maker is not None:
            makers[item.arg] = maker
        elif item.arg not in optional:
            raise NotComputed(f"the parameter {item.arg}")
    if set(core) - _used(mechanism, set(makers)):
        raise NotComputed("other parameters")
    return lambda run, scope: {name: maker(run, scope) for name, maker in makers.items()}


def _fixed(text: str) -> Callable[[Run, Scope], Value]:
    """What a text says that an argument is."""
    node = ast.parse(text, mode="eval").body

    def made(run: Run, scope: Scope) -> Value:
        try:
            return run.value(node, scope)
        except Raised as error:
            raise NotComputed(f"{text} raises {error.value.type}") from None

    return made


def _used(mechanism: ir.Mechanism, names: set[str]) -> set[str]:
    """The core parameters that arguments of these names have."""
    found = names | mechanism.ghosts
    for item in mechanism.records:
        if item.name in names:
            found |= {*item.columns, *item.others, item.present or "", item.chosen or ""}
    return found


def _argument(
    mechanism: ir.Mechanism, name: str, annotation: str, core: Mapping[str, Given]
) -> Callable[[Run, Scope], Value] | None:
    codes = {item: labels for labels in mechanism.labels for item in labels.parameters}
    for records in mechanism.records:
        if records.name == name:
            return lambda run, scope: _of_kind(annotation, _rows(records, core, codes, run, scope), run)
    if name in mechanism.sources:
        return _source(annotation)
    found = next((item for item in mechanism.visible if item.name == name), None)
    if found is None:
        return None
    value = core[name]
    match found.kind:
        case ir.ParameterKind.SCALAR:
            return lambda run, scope: _labelled(value, codes.get(name), scope)
        case ir.ParameterKind.SEQUENCE:
            assert isinstance(value, Sequence)
            return lambda run, scope: _of_kind(
                annotation, [_labelled(item, codes.get(name), scope) for item in value], run
            )
    return lambda run, scope: Native(name, lambda run, *places: value(*places))  # type: ignore[operator]


def _source(annotation: str) -> Callable[[Run, Scope], Value]:
    if "np" in annotation or "numpy" in annotation:
        return lambda run, scope: Namespace("numpy.random.Generator", numpy_samplers.of_numpy())
    if "andom" in annotation:
        return lambda run, scope: Namespace("random.Random", samplers.of_random())
    raise NotComputed("a source of draws")


def _of_kind(annotation: str, values: list[Value], run: Run) -> Value:
    """The sequence that the annotation of a parameter says."""
    if "ndarray" in annotation or "NDArray" in annotation:
        if not values and "int" not in annotation and "bool" not in annotation:
            return Array([], "f")
        array = arrays.as_array(run, values)
        if array.kind == "i" and "int" not in annotation:
            raise NotComputed("an array of integers")
        return array
    first = annotation.partition("[")[0].rpartition(".")[2].lower()
    if first in ("list", "sequence", "iterable", "collection"):
        return values
    if first == "tuple":
        return tuple(values)
    raise NotComputed(f"a parameter of type {annotation}")


def _rows(
    records: ir.Records, core: Mapping[str, Any], codes: Mapping[str, ir.Labels], run: Run, scope: Scope
) -> list[Value]:
    columns = [core[name] for name in records.columns]
    others = [core[name] for name in records.others]
    found = []
    for place in range(len(columns[0])):
        if records.present is not None and not core[records.present][place]:
            continue
        source = others if records.chosen is not None and core[records.chosen][place] else columns
        names = records.others if source is others else records.columns
        parts = [
            _labelled(column[place], codes.get(name), scope)
            for name, column in zip(names, source, strict=True)
        ]
        found.append(_record(records, parts, run, scope))
    return found


def _record(records: ir.Records, parts: list[Value], run: Run, scope: Scope) -> Value:
    if records.fields:
        name, *fields = records.fields
        return run.call(scope.module[name], [], dict(zip(fields, parts, strict=True)))
    if records.is_tuple:
        return tuple(parts)
    (part,) = parts
    return part


def _labelled(value: Any, labels: ir.Labels | None, scope: Scope) -> Value:
    if labels is None:
        return value
    if not 0 <= value < len(labels.texts):
        return f"other {value}"
    text = labels.texts[value]
    if not labels.closed:
        return str(ast.literal_eval(text)) if text[:1] in ("'", '"') else text
    name, _, member = text.partition(".")
    kind = scope.module.get(name)
    if not isinstance(kind, ClassValue) or not kind.is_enum:
        raise NotComputed("a label")
    return kind.names[member]
