"""Entries that may have any value: those that the program's own numbers tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from synth.refuter.exact.forms import Exact
from synth.refuter.exact.inputs import Inputs
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions

_FAR = (20, -20, 1000, -1000)
MAX_VALUES = 16


def is_arbitrary(parameter: ir.Parameter) -> bool:
    """Return whether the entries of a sequence, or the change of one, may be of any size."""
    metric = parameter.metric
    if metric is None or not parameter.arity:
        return False
    if metric.kind is ir.MetricKind.CHANGE_ONE:
        return metric.bound is None
    bound = metric.bound
    return metric.kind is ir.MetricKind.LINF and isinstance(bound, ir.Constant) and bound.value == 0


def entry_pairs(
    mechanism: ir.Mechanism, parameter: ir.Parameter, public: Inputs
) -> list[tuple[Exact, Exact]]:
    """Return values that the one entry may have in the two runs, the farthest apart early."""
    values = entry_values(mechanism, parameter, public)
    extremes = (min(values), max(values))
    return list(dict.fromkeys([(values[0], values[1]), extremes, *_by_rank(values)]))


def extremes_first(values: list[Exact]) -> list[Exact]:
    """Return the first value, the largest and the smallest, and then the others."""
    return list(dict.fromkeys((values[0], max(values), min(values), *values)))


def _by_rank(values: list[Exact]) -> Iterator[tuple[Exact, Exact]]:
    ranked = sorted(combinations(range(len(values)), 2), key=lambda pair: (sum(pair), pair))
    return ((values[low], values[high]) for low, high in ranked)


def entry_values(mechanism: ir.Mechanism, parameter: ir.Parameter, public: Inputs) -> list[Exact]:
    """Return values of an entry, simple ones first: at least two."""
    if parameter.sort is ir.Sort.BOOL:
        return [False, True]
    named = [*_constants(mechanism), *_public_numbers(mechanism, public)]
    near = [number + step for step in (0, 1, -1) for number in named]
    found = [item for item in (0, 1, *near, *_FAR) if _fits(parameter.sort, item)]
    return list(dict.fromkeys(found))[:MAX_VALUES]


def _fits(sort: ir.Sort, value: Exact) -> bool:
    return sort is ir.Sort.REAL or isinstance(value, int)


def _constants(mechanism: ir.Mechanism) -> list[Exact]:
    """Numbers that the program's text has, beside 0 and 1."""
    found = numbers_of(part for item in ir.statements(mechanism.body) for part in expressions(item))
    return [item for item in found if item not in (0, 1)]


def numbers_of(written: Iterable[ir.Expression]) -> list[Exact]:
    """Return the numbers in some expressions, each once."""
    parts = (part for expression in written for part in ir.subexpressions(expression))
    constants = [part for part in parts if isinstance(part, ir.Constant)]
    numbers = [item.value for item in constants if item.sort is not ir.Sort.BOOL]
    return list(dict.fromkeys(int(item) if item == int(item) else item for item in numbers))


def _public_numbers(mechanism: ir.Mechanism, public: Inputs) -> list[Exact]:
    numbers = [
        public[item.name]
        for item in mechanism.parameters
        if item.metric is None and item.kind is ir.ParameterKind.SCALAR and item.sort is not ir.Sort.BOOL
    ]
    return [item for item in numbers if not isinstance(item, tuple)]
