"""Inputs as the Python program has them: lists of records, instead of columns and flags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.refuter.exact.inputs import Datum, Inputs, public_value, written
from synth.refuter.exact.label_texts import shown
from synth.support.records import Record
from synth.trusted.program import syntax as ir


def python_inputs(mechanism: ir.Mechanism, inputs: Inputs) -> dict[str, Any]:
    """Return the private inputs by the names of the Python program, with lists of records put together."""
    parts = {
        name
        for records in mechanism.records
        for name in (*records.columns, *records.others, records.present, records.chosen)
    }
    inputs = inside(mechanism, inputs)
    texts = {name: labels for labels in mechanism.labels for name in labels.parameters}
    found: dict[str, Any] = {}
    for item in mechanism.parameters:
        if item.metric is not None and item.name not in parts:
            value = written(inputs[item.name])
            found[item.name] = shown(texts[item.name], value) if item.name in texts else value
        for records in mechanism.records:
            if item.metric is not None and item.name == records.columns[0]:
                found[records.name] = _list(records, _reached(mechanism, records, inputs), texts)
    return found


def inside(mechanism: ir.Mechanism, inputs: Inputs) -> Inputs:
    """The inputs that the program sees: those outside of a domain count as the nearest inside."""
    found = dict(inputs)
    others = {
        column: other
        for records in mechanism.records
        for column, other in zip(records.columns, records.others, strict=False)
    }
    for domain in mechanism.domains:
        low, high = (
            None if bound is None else public_value(mechanism, bound, inputs)
            for bound in (domain.low, domain.high)
        )
        for name in (domain.parameter, others.get(domain.parameter)):
            if name is not None:
                found[name] = _moved(found[name], low, high)
    return found


def _reached(mechanism: ir.Mechanism, records: ir.Records, inputs: Inputs) -> Inputs:
    """The inputs with others no further away than the program sees them."""
    if records.reach is None:
        return inputs
    reach = public_value(mechanism, records.reach, inputs)
    found = dict(inputs)
    for column, other in zip(records.columns, records.others, strict=True):
        pairs = zip(_entries(inputs[column]), _entries(inputs[other]), strict=True)
        found[other] = tuple(min(max(two, one - reach), one + reach) for one, two in pairs)
    return found


def _moved(datum: Datum, low: Any, high: Any) -> Datum:
    if isinstance(datum, tuple):
        return tuple(_moved(item, low, high) for item in datum)
    datum = datum if low is None else max(datum, low)
    return datum if high is None else min(datum, high)


def _list(records: ir.Records, inputs: Mapping[str, Datum], texts: Mapping[str, ir.Labels]) -> list[Any]:
    columns = [_entries(inputs[name]) for name in records.columns]
    others = [_entries(inputs[name]) for name in records.others]
    present = None if records.present is None else _entries(inputs[records.present])
    chosen = None if records.chosen is None else _entries(inputs[records.chosen])
    found = []
    for place in range(len(columns[0])):
        if present is None or present[place]:
            source = others if chosen is not None and chosen[place] else columns
            entry = [written(column[place]) for column in source]
            entry = [
                shown(texts[name], part) if name in texts else part
                for name, part in zip(records.columns, entry, strict=True)
            ]
            found.append(Record(entry, records.fields) if records.is_tuple else entry[0])
    return found


def _entries(datum: Datum) -> tuple[Any, ...]:
    assert isinstance(datum, tuple)
    return datum
