"""The parameters of the core program that a mechanism's parameters and ``adjacent`` make.

A list of records becomes its columns, and flags where records may be missing, or be others, in one run.
Why that states just the same adjacency is in docs/certificates.md ("Lists of records").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import metrics
from synth.trusted.frontend.labels import Codes
from synth.trusted.frontend.metrics import Stated
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.parameters import Declared
from synth.trusted.frontend.specification import Public
from synth.trusted.frontend.values import RecordsValue
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class Inputs:
    """The parameters of the core program; for ``lists`` of the Python program several stand.

    ``lengths`` says which of them are equally long, and that distances within them aren't negative.
    """

    parameters: tuple[ir.Parameter, ...]
    lists: Mapping[str, RecordsValue]
    lengths: ir.Expression


def name_inputs(
    module: Module, declared: Sequence[Declared], adjacent: Sequence[Stated], codes: Codes
) -> tuple[Public, Mapping[str, RecordsValue]]:
    """Return what formulas may speak of, and the lists of records; metrics are not read yet.

    Raises ProgramError.
    """
    lists = dict(_lists(module, declared, adjacent))
    private = frozenset(name for stated in adjacent for name in stated.names)
    columns = tuple(column for item in declared for column in item.columns)
    kinds = {name: kind for item in declared for name, kind in item.labels.items()}
    return Public(columns, private, lists, kinds, codes), lists


def with_domains(
    declared: Sequence[Declared], lists: Mapping[str, RecordsValue], domains: Mapping[str, ir.Domain]
) -> Mapping[str, RecordsValue]:
    """Return the lists of records, and those lists of which the entries have a domain, or are labels."""
    found = dict(lists)
    for item in declared:
        own = tuple(domains.get(column.name) for column in item.columns)
        if item.is_list and (item.labels or any(domain is not None for domain in own)):
            found[item.name] = replace(lists.get(item.name) or _columns(item), domains=own)
    return found


def _lists(
    module: Module, declared: Sequence[Declared], adjacent: Sequence[Stated]
) -> Iterator[tuple[str, RecordsValue]]:
    known = {item.name: item for item in declared}
    for stated in adjacent:
        group = [known[name] for name in stated.names]
        if metrics.is_add_remove(module, stated):
            flags = _flags(module, stated, group, "present")
            yield from ((item.name, _columns(item, present=flags)) for item in group)
        elif metrics.replaces_some(module, stated, several=len(group) > 1 or group[0].is_record):
            flags = _flags(module, stated, group, "chosen")
            for item in group:
                others = tuple(replace(column, name=f"{column.name}.other") for column in item.columns)
                yield item.name, _columns(item, chosen=flags, others=others)
        elif len(group) > 1:
            message = "only records are added, removed or replaced in several lists at once"
            raise module.source.error(stated.node, Refusal.WRONG_ADJACENCY, message)
        elif group[0].is_tuple and not group[0].is_list:
            message = f"a private tuple, as '{group[0].name}' is, is not supported: state its items"
            raise module.source.error(stated.node, Refusal.WRONG_ADJACENCY, message)
        elif group[0].is_tuple:
            message = f"this metric is not for a list of tuples, as '{group[0].name}' is"
            raise module.source.error(stated.node, Refusal.WRONG_ADJACENCY, message)
    named = {name for stated in adjacent for name in stated.names}
    yield from ((item.name, _columns(item)) for item in declared if item.is_record and item.name not in named)


def _columns(
    item: Declared,
    present: ir.Parameter | None = None,
    chosen: ir.Parameter | None = None,
    others: tuple[ir.Parameter, ...] = (),
) -> RecordsValue:
    made = RecordsValue(item.name, item.columns, item.is_tuple, present, chosen, others, kinds=item.kinds)
    return replace(made, named=item.named)


def _flags(module: Module, stated: Stated, group: Sequence[Declared], what: str) -> ir.Parameter:
    for item in group:
        if not item.is_list:
            message = f"this metric is for lists, which '{item.name}' is not"
            raise module.source.error(stated.node, Refusal.WRONG_ADJACENCY, message)
    first = group[0].columns[0]
    return replace(first, name=f"{group[0].name}.{what}", sort=ir.Sort.BOOL)


def read_inputs(
    module: Module,
    declared: Sequence[Declared],
    adjacent: Sequence[Stated],
    public: Public,
    lists: Mapping[str, RecordsValue],
) -> Inputs:
    """Return all parameters of the core program with their metrics.  Raises ProgramError."""
    stated = {name: item for item in adjacent for name in item.names}
    parameters: list[ir.Parameter] = []
    limits: list[ir.Expression] = []
    for item in declared:
        if item.name in lists:
            reach = metrics.read_reach(module, stated.get(item.name), item, public)
            if reach is not None:
                lists = {**lists, item.name: replace(lists[item.name], reach=reach)}
                limits.append(builders.less_equal(builders.zero(reach.sort), reach))
            parameters += _of_list(module, lists[item.name], stated.get(item.name), public)
        elif item.is_tuple:
            parameters += item.columns
        else:
            (column,) = item.columns
            if item.name in stated:
                metric = metrics.read_metric(module, stated[item.name].node, column, public)
                column = replace(column, metric=metric)
            parameters.append(column)
    return Inputs(tuple(parameters), lists, builders.both(*_equal_lengths(lists.values()), *limits))


def _of_list(
    module: Module, records: RecordsValue, stated: Stated | None, public: Public
) -> Iterator[ir.Parameter]:
    metric = None if stated is None else metrics.SAME
    yield from (replace(column, metric=metric) for column in (*records.columns, *records.others))
    if stated is None or records.name != stated.names[0]:
        return
    if records.present is not None:
        yield replace(records.present, metric=metrics.read_contribution(module, stated, public))
    if records.chosen is not None:
        yield replace(records.chosen, metric=metrics.read_contribution(module, stated, public))


def _equal_lengths(lists: Iterable[RecordsValue]) -> Iterator[ir.Expression]:
    for records in lists:
        flags = records.present or records.chosen
        first, *rest = [*([flags] if flags else []), *records.columns, *records.others]
        yield from (builders.equal(ir.Length(first.name), ir.Length(item.name)) for item in rest)
