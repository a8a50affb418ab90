"""Adjacent inputs to look for a witness on: patterns known to be worst, and small changes of good ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from math import isqrt, prod

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.forms import Exact
from synth.refuter.exact.inputs import Datum, Inputs, Pair, indices, is_adjacent, is_admissible, public_value
from synth.refuter.exact.laws import Enclosure
from synth.refuter.search.arbitrary import (
    MAX_VALUES,
    entry_pairs,
    entry_values,
    extremes_first,
    is_arbitrary,
    numbers_of,
)
from synth.refuter.search.patterns import ENDS, PROBES_OF_INTEGERS, PROBES_OF_REALS, Sign, signs
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, exited, expressions, names

LENGTHS = (2, 1, 3, 4, 6, 8, 10, 12, 16, 24, 40, 60, 80, 120)
_REALS: tuple[Exact, ...] = (0, 1, 4, Fraction(1, 2), 2, 8)
_MORE_REALS: tuple[Exact, ...] = (Fraction(3, 4), Fraction(1, 4), Fraction(1, 10))
_NEAR_AN_END = Fraction(1, 100)
_DELTAS: tuple[Exact, ...] = (Fraction(1, 100), Fraction(1, 2), Fraction(1, 10**5), 0, 1)
"""Values of what a claimed δ mentions."""

_INTEGERS = (0, 1, 2, 3)
_ROUNDS = (0, 1, 3, 10, 2, 30)
"""Numbers of rounds that the claim doesn't mention: what each costs adds up."""

_LARGE: dict[ir.Sort, tuple[Exact, ...]] = {ir.Sort.INT: (32, 0, 1), ir.Sort.REAL: (8, 0, 1)}
_OTHERS: tuple[Exact, ...] = (0, 1, 32)
_SHORT = {ir.Sort.INT: (4, 10, 6), ir.Sort.REAL: (10, 20)}
_PROBED = 3
"""Probes, on integers and on reals: values of what the claim mentions, of other public reals, lengths; how
many values of public scalars."""

_MAX_PUBLIC, _MAX_TRIED_LEVELS = 12, 2000
_APART = (1, 8)
"""How far entries of public lists are apart, where they are not all the same."""

_COSTS = (2, 2, 1, 1)
_COSTS_OF_ARBITRARY = (4, 6, 6, 1)
"""How much a step to the next public scalars, level, pattern, jump costs, and where only values matter."""

_COSTS_OF_PROBES = (2, 2, 1)
"""How much a step to the next pattern, public scalars, length costs."""

_MAX_JUMPS = 120


@dataclass(frozen=True)
class Shape:
    """What a candidate is made from: one length for all, public scalars, where inputs lie, a pattern.

    If ``opposed``, every second private parameter moves the other way.  ``jump`` counts the pairs of
    values where any two are neighbours.
    """

    length: int
    public: Mapping[str, Datum]
    level: int
    sign: Sign
    opposed: bool
    jump: int = 0


def candidates(
    mechanism: ir.Mechanism,
    fixed: Mapping[str, Datum],
    at_one: bool = False,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[Pair]:
    """Adjacent pairs, the simplest and most promising first; finitely many, and none when ``is_over``.

    ``fixed`` gives values to public parameters; ``at_one`` makes all other real scalars 1.  Short and long
    inputs take turns, by the work that they make.
    """
    listed = any(item.arity for item in mechanism.parameters)
    lengths = tuple(dict.fromkeys((*LENGTHS, *_stated_lengths(mechanism)))) if listed else (1,)
    waiting = {length: _of_length(mechanism, length, fixed, at_one, is_over) for length in lengths}
    work = {length: 4 * length for length in lengths}
    while waiting:
        length = min(waiting, key=lambda item: work[item])
        work[length] += 3 + length
        pair = next(waiting[length], None)
        if pair is None:
            del waiting[length]
        else:
            yield pair


def probes(mechanism: ir.Mechanism, fixed: Mapping[str, Datum]) -> Iterator[Pair]:
    """Entries that all move, in one direction or two, under a large ε: noise is then next to nothing.

    What is paid for again and again adds up over a few entries, and runs are fast.
    """
    private = [item for item in mechanism.parameters if item.metric is not None]
    sorts = {item.sort for item in private if item.arity and _all_move(item)} - {ir.Sort.BOOL}
    if not sorts:
        return
    sort = ir.Sort.INT if ir.Sort.INT in sorts else ir.Sort.REAL
    publics = {
        length: _public_scalars(mechanism, length, fixed, _LARGE[sort], True)[:_PROBED]
        for length in _SHORT[sort]
    }
    shapes = PROBES_OF_INTEGERS if sort is ir.Sort.INT else PROBES_OF_REALS
    lengths = tuple(publics)
    for kind, rank, place in _by_cost((len(shapes), _PROBED, len(lengths)), _COSTS_OF_PROBES):
        public = publics[lengths[place]]
        if rank < len(public):
            shape = Shape(lengths[place], public[rank], 0, shapes[kind], False)
            pair = _pair(mechanism, shape, fixed)
            if pair is not None:
                yield pair


def _all_move(parameter: ir.Parameter) -> bool:
    """Whether all entries may move, each in its own direction."""
    metric = parameter.metric
    return (
        metric is not None
        and metric.kind is ir.MetricKind.LINF
        and not metric.monotone
        and not is_arbitrary(parameter)
    )


def _stated_lengths(mechanism: ir.Mechanism) -> Iterator[int]:
    """Lengths that ``requires`` compares with, and the next ones."""
    for part in ir.subexpressions(mechanism.requires):
        match part:
            case (
                ir.Operation(operands=(ir.Length(), ir.Constant(value=int(number))))
                | ir.Operation(operands=(ir.Constant(value=int(number)), ir.Length()))
            ):
                yield from (length for length in (number, number + 1) if 0 < length <= LENGTHS[-1])


def _of_length(
    mechanism: ir.Mechanism,
    length: int,
    fixed: Mapping[str, Datum],
    at_one: bool,
    is_over: Callable[[], bool],
) -> Iterator[Pair]:
    public = _public_scalars(mechanism, length, fixed, (1,) if at_one else _REALS)
    private = [item for item in mechanism.parameters if item.metric is not None]
    jumps = min(_MAX_JUMPS, prod(_jumps(item) for item in private))
    levels, shapes, costs = _levels(mechanism), signs(length), _COSTS
    if all(map(_is_free, private)):
        levels, shapes = [0], shapes[:1]
    elif any(map(is_arbitrary, private)) and all(is_arbitrary(item) or _is_flag(item) for item in private):
        shapes, costs = ENDS, _COSTS_OF_ARBITRARY
    patterns = [(sign, opposed) for sign in shapes for opposed in ((False, True)[: 1 + (len(private) > 1)])]
    seen = set()
    sizes = (len(public), len(levels), len(patterns), jumps)
    for first, second, third, jump in _by_cost(sizes, costs):
        shape = Shape(length, public[first], levels[second], *patterns[third], jump)
        if is_over():
            return
        pair = _unchecked(mechanism, shape, fixed)
        key = repr(pair)
        if pair is not None and key not in seen:
            seen.add(key)
            if is_adjacent(mechanism, pair.left, pair.right):
                yield pair


def _is_free(parameter: ir.Parameter) -> bool:
    """Whether any two values of a parameter are neighbours."""
    return parameter.metric is not None and parameter.metric.kind is ir.MetricKind.DISCRETE


def _is_flag(parameter: ir.Parameter) -> bool:
    """Whether one entry at the most is the other truth value."""
    metric = parameter.metric
    changes = metric is not None and metric.kind is ir.MetricKind.CHANGE_ONE
    return changes and parameter.sort is ir.Sort.BOOL


def _public_scalars(
    mechanism: ir.Mechanism,
    length: int,
    fixed: Mapping[str, Datum],
    reals: tuple[Exact, ...],
    is_probe: bool = False,
) -> list[dict[str, Datum]]:
    """Values for all public scalars, the first ones first, as far as ``requires`` allows them.

    Of a probe ``reals`` are for what the claim mentions.
    """
    free = [
        item
        for item in mechanism.parameters
        if item.metric is None and item.kind is ir.ParameterKind.SCALAR and item.name not in fixed
    ]
    claimed = names(mechanism.epsilon) if mechanism.epsilon is not None else set()
    free.sort(key=lambda item: (item.sort is not ir.Sort.REAL, item.name not in claimed))
    choices = [
        _choices(mechanism, item, length, reals if item.name in claimed or not is_probe else _OTHERS)
        for item in free
    ]
    found: list[dict[str, Datum]] = []
    lists = _public_lists(mechanism, length, fixed)
    sizes = [*map(len, choices), len(lists)]
    for *ranks, filled in islice(_by_cost(sizes, [1] * len(sizes)), _MAX_TRIED_LEVELS):
        values: dict[str, Datum] = {
            item.name: choice[rank] for item, choice, rank in zip(free, choices, ranks, strict=True)
        }
        values |= lists[filled]
        if is_admissible(mechanism, _with_zeros(mechanism, {**fixed, **values}, length)):
            found.append(values)
        if len(found) == _MAX_PUBLIC:
            break
    return found


def _public_lists(mechanism: ir.Mechanism, length: int, fixed: Mapping[str, Datum]) -> list[dict[str, Datum]]:
    """Entries of public lists: all the same, or candidates and thresholds in order, near and far apart."""
    free = [
        item
        for item in mechanism.parameters
        if item.metric is None and item.kind is ir.ParameterKind.SEQUENCE and item.name not in fixed
    ]
    if not any(item.sort is not ir.Sort.BOOL for item in free):
        return [{}]

    def filled(step: int) -> dict[str, Datum]:
        return {
            item.name: _table(item, length, lambda place: step * place)
            for item in free
            if item.sort is not ir.Sort.BOOL
        }

    return [{}, *map(filled, _APART)]


def _choices(
    mechanism: ir.Mechanism, parameter: ir.Parameter, length: int, reals: tuple[Exact, ...]
) -> tuple[Exact, ...]:
    if parameter.sort is ir.Sort.REAL:
        return _DELTAS if _is_delta(mechanism, parameter) else _reals(mechanism, reals)
    if parameter.sort is ir.Sort.BOOL:
        return (False, True)
    counts = {name for item in ir.statements(mechanism.body) for name in _limits(item)}
    functions = any(item.kind is ir.ParameterKind.FUNCTION for item in mechanism.parameters)
    if functions and parameter.name in counts:
        return (length, length - 1, *_INTEGERS)
    claimed = names(mechanism.epsilon) if mechanism.epsilon is not None else set()
    return _ROUNDS if parameter.name in counts - claimed else _INTEGERS


def _reals(mechanism: ir.Mechanism, reals: tuple[Exact, ...]) -> tuple[Exact, ...]:
    """The reals that are asked for, and, of plain ones, more: those beside the numbers of ``requires``."""
    if reals is not _REALS:
        return reals
    ends = numbers_of([mechanism.requires])
    beside = [end + step for end in ends for step in (-_NEAR_AN_END, _NEAR_AN_END)]
    return tuple(dict.fromkeys((*reals, *beside, *_MORE_REALS)))


def _is_delta(mechanism: ir.Mechanism, parameter: ir.Parameter) -> bool:
    """Whether a parameter is in the δ that is claimed, and not in the ε."""
    inside, outside = (names(claim) if claim else set() for claim in (mechanism.delta, mechanism.epsilon))
    return parameter.name in inside and parameter.name not in outside


def _limits(statement: ir.Statement) -> set[str]:
    """What says up to where functions are read, and what is compared where a loop is left."""
    match statement:
        case ir.Loop(count=count) if count is not None:
            return names(count)
        case ir.If(condition=condition) if exited((statement,)):
            return names(condition)
        case ir.Choose(law=ir.Weights(count=count)):
            return names(count)
    return set()


def _with_zeros(mechanism: ir.Mechanism, public: Inputs, length: int) -> Inputs:
    """An input that is 0 where nothing is known, to evaluate public expressions on."""
    known = dict(public)
    for item in mechanism.parameters:
        if item.name not in known:
            known[item.name] = _zeros(item, length)
    return known


def _by_cost(sizes: Sequence[int], costs: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All tuples of ranks below the sizes, those with the smallest sum of rank times cost first."""
    for total in range(1 + sum(size * cost for size, cost in zip(sizes, costs, strict=True))):
        yield from _at_cost(sizes, costs, total)


def _at_cost(sizes: Sequence[int], costs: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    if not sizes:
        if total == 0:
            yield ()
        return
    for first in range(min(sizes[0] - 1, total // costs[0]), -1, -1):
        for rest in _at_cost(sizes[1:], costs[1:], total - first * costs[0]):
            yield (first, *rest)


def _levels(mechanism: ir.Mechanism) -> list[int]:
    """Where inputs lie: at 0, at numbers that the program mentions, far above and far below."""
    mentioned: set[int] = {
        int(part.value) + near
        for statement in ir.statements(mechanism.body)
        for expression in expressions(statement)
        for part in ir.subexpressions(expression)
        if isinstance(part, ir.Constant) and part.sort is not ir.Sort.BOOL and not -1 <= part.value <= 1
        for near in (0, -1)
    }
    levels: list[int] = [0, *sorted(mentioned, key=abs), -1, 1, -5, 5, -20, 20]
    return list(dict.fromkeys(levels))


def _zeros(parameter: ir.Parameter, length: int) -> Datum:
    zero = False if parameter.sort is ir.Sort.BOOL else 0
    return _table(parameter, length, lambda place: zero) if parameter.arity else zero


def _telling_apart(mechanism: ir.Mechanism, length: int) -> dict[str, Datum]:
    """Public functions of private numbers, as hash functions are: what they are called with last counts."""
    public = {
        item.name: item
        for item in mechanism.parameters
        if item.metric is None and item.kind is ir.ParameterKind.FUNCTION
    }
    if not public:
        return {}
    analysis = Analysis(mechanism)
    private = analysis.tainted(frozenset(analysis.branches))
    called = {
        part.source
        for item in ir.statements(mechanism.body)
        for whole in expressions(item)
        for part in ir.subexpressions(whole)
        if isinstance(part, ir.Read) and any(analysis.is_tainted(index, private) for index in part.index)
    }

    def value(parameter: ir.Parameter, place: int) -> Exact:
        return bool(place % 2) if parameter.sort is ir.Sort.BOOL else place

    return {
        name: _table(item, length, partial(value, item)) for name, item in public.items() if name in called
    }


def _pair(mechanism: ir.Mechanism, shape: Shape, fixed: Mapping[str, Datum]) -> Pair | None:
    pair = _unchecked(mechanism, shape, fixed)
    return pair if pair is not None and is_adjacent(mechanism, pair.left, pair.right) else None


def _unchecked(mechanism: ir.Mechanism, shape: Shape, fixed: Mapping[str, Datum]) -> Pair | None:
    """The pair of a shape, which may not be one of neighbours."""
    known = {**_telling_apart(mechanism, shape.length), **fixed, **shape.public}
    public = _with_zeros(mechanism, known, shape.length)
    left, right = dict(public), dict(public)
    private = [item for item in mechanism.parameters if item.metric is not None]
    for number, item in enumerate(private):
        made = _private(mechanism, item, shape, public)
        if made is None:
            return None
        if shape.opposed and number % 2:
            made = made[1], made[0]
        left[item.name], right[item.name] = made
    return Pair(left, right)


def _table(parameter: ir.Parameter, length: int, entry: Callable[[int], Exact]) -> Datum:
    """A sequence or function with that entry at each place (of several indices, the last counts)."""
    sizes = (length,) * parameter.arity
    flat = {index: entry(index[-1]) for index in indices(sizes)}

    def build(place: tuple[int, ...]) -> Datum:
        if len(place) == parameter.arity:
            return flat[place]
        return tuple(build((*place, number)) for number in range(length))

    return build(())


def _bound(mechanism: ir.Mechanism, parameter: ir.Parameter, public: Inputs) -> Exact | None:
    """The distance that the metric allows, an integer for integers; None if it makes no sense."""
    assert parameter.metric is not None and parameter.metric.bound is not None
    try:
        bound = public_value(mechanism, parameter.metric.bound, public)
    except UndefinedError:
        return None
    if isinstance(bound, Enclosure) or bound < 0:
        return None
    return bound if parameter.sort is ir.Sort.REAL else int(bound)


def _private(
    mechanism: ir.Mechanism, parameter: ir.Parameter, shape: Shape, public: Inputs
) -> tuple[Datum, Datum] | None:
    if _is_free(parameter):
        return _jump(mechanism, parameter, shape, public)
    if is_arbitrary(parameter):
        return _arbitrary(mechanism, parameter, shape, public)
    bound = _bound(mechanism, parameter, public)
    if bound is None or parameter.metric is None:
        return None
    # A function has to be known at one more place than a loop up to the length reads.
    length = shape.length + 1 if parameter.kind is ir.ParameterKind.FUNCTION else shape.length
    moving = _moving(parameter, shape, bound, length)
    if parameter.metric.kind is ir.MetricKind.L2 and parameter.sort is ir.Sort.REAL:
        bound = Fraction(bound) / (isqrt(max(length - 1, 0)) + 1)

    def entry(place: int, moved: bool) -> Exact:
        base, direction = shape.sign(place, length)
        if place not in moving:
            direction = 0
        if parameter.sort is ir.Sort.BOOL:
            return bool(base % 2) != (moved and direction != 0)
        return shape.level + base * bound + (direction * bound if moved else 0)

    if parameter.kind is ir.ParameterKind.SCALAR:
        return entry(0, False), entry(0, True)
    return (
        _table(parameter, length, lambda place: entry(place, False)),
        _table(parameter, length, lambda place: entry(place, True)),
    )


def _arbitrary(
    mechanism: ir.Mechanism, parameter: ir.Parameter, shape: Shape, public: Inputs
) -> tuple[Datum, Datum] | None:
    """Entries at the level of the shape, but for one: it has any value, or any two."""
    assert parameter.metric is not None
    if parameter.metric.kind is ir.MetricKind.CHANGE_ONE:
        pairs = entry_pairs(mechanism, parameter, public)
        if shape.jump >= len(pairs):
            return None
        one, two = pairs[shape.jump]
    else:
        entry = next(islice(_alike_entries(mechanism, public), shape.jump, None), None)
        if entry is None:
            return None
        one = two = entry[parameter.name]
    special = 0 if shape.sign(0, shape.length)[1] >= 0 else shape.length - 1
    level: Exact = bool(shape.level % 2) if parameter.sort is ir.Sort.BOOL else shape.level

    everywhere = one == two and any(map(_has_several_flags, mechanism.parameters))

    def side(number: int) -> Datum:
        value = (one, two)[number]
        return _table(
            parameter, shape.length, lambda place: value if everywhere or place == special else level
        )

    return side(0), side(1)


def _alike_entries(mechanism: ir.Mechanism, public: Inputs) -> Iterator[dict[str, Exact]]:
    """The values of one entry of each list that is the same in both runs.

    A condition on a record is mostly one on each of its columns: all but one have a large value at first, and
    that one has any.  The records that others are changed into come later.
    """
    alike = [item for item in mechanism.parameters if _is_alike(item)]
    values = [extremes_first(entry_values(mechanism, item, public)) for item in alike]
    others = {name for records in mechanism.records for name in records.others}
    own = [number for number, item in enumerate(alike) if item.name not in others]
    large = [int(number in own) for number in range(len(alike))]
    single = (
        (*large[:number], rank, *large[number + 1 :])
        for rank in range(MAX_VALUES)
        for number in own
        if rank < len(values[number])
    )
    opposite = (
        tuple((1 + int(number == place)) % len(values[place]) for place in range(len(alike)))
        for number in range(len(alike))
        if number not in own
    )
    every = _by_cost([*map(len, values)], [1] * len(values))
    for ranks in dict.fromkeys(chain([(0,) * len(alike)], opposite, single, islice(every, _MAX_JUMPS))):
        yield {item.name: values[number][ranks[number]] for number, item in enumerate(alike)}


def _is_alike(parameter: ir.Parameter) -> bool:
    """Whether entries may be of any size, but are the same in both runs."""
    return (
        is_arbitrary(parameter)
        and parameter.metric is not None
        and parameter.metric.kind is ir.MetricKind.LINF
    )


def _jumps(parameter: ir.Parameter) -> int:
    """How many values, or pairs of them, a parameter may have."""
    if _is_free(parameter):
        return _MAX_JUMPS
    if not is_arbitrary(parameter):
        return 1
    return MAX_VALUES if _is_alike(parameter) else _MAX_JUMPS


def _has_several_flags(parameter: ir.Parameter) -> bool:
    """Whether a number of flags may differ."""
    metric = parameter.metric
    return metric is not None and metric.kind is ir.MetricKind.L1 and parameter.sort is ir.Sort.BOOL


def _moving(parameter: ir.Parameter, shape: Shape, bound: Exact, length: int) -> range:
    """The places whose entries may move: all, or as many as the metric allows, at one end."""
    assert parameter.metric is not None
    spread = parameter.metric.kind is ir.MetricKind.L2 and parameter.sort is ir.Sort.REAL
    few = (ir.MetricKind.CHANGE_ONE, ir.MetricKind.L1, ir.MetricKind.L2)
    if parameter.metric.kind not in few or spread:
        return range(length)
    most = min(int(bound), length) if _has_several_flags(parameter) else 1
    return range(most) if shape.sign(0, length)[1] >= 0 else range(length - most, length)


def _jump(
    mechanism: ir.Mechanism, parameter: ir.Parameter, shape: Shape, public: Inputs
) -> tuple[Datum, Datum] | None:
    """Two values of a parameter that may have any: small ones, and those about public integers."""
    if parameter.sort is ir.Sort.BOOL:
        return (False, True) if shape.jump == 0 else None
    limits = [
        public[item.name]
        for item in mechanism.parameters
        if item.metric is None and item.kind is ir.ParameterKind.SCALAR and item.sort is ir.Sort.INT
    ]
    about = [limit + near for limit in limits for near in (-1, 0, 1) if not isinstance(limit, tuple)]
    values = list(dict.fromkeys([0, 1, *about, 2, 3, *_levels(mechanism)]))
    pairs = [(low, high) for place, high in enumerate(values) for low in values[:place]]
    return pairs[shape.jump] if shape.jump < len(pairs) else None
