"""Inputs as the Python program has them: lists of records, instead of columns and flags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.refuter.exact.inputs import Datum, Inputs, written
from synth.trusted.program import syntax as ir


def python_inputs(mechanism: ir.Mechanism, inputs: Inputs) -> dict[str, Any]:
    """Return the private inputs by the names of the Python program, with lists of records put together."""
    parts = {
        name
        for records in mechanism.records
        for name in (*records.columns, *records.others, records.present, records.chosen)
    }
    found: dict[str, Any] = {}
    for item in mechanism.parameters:
        if item.metric is not None and item.name not in parts:
            found[item.name] = written(inputs[item.name])
        for records in mechanism.records:
            if item.metric is not None and item.name == records.columns[0]:
                found[records.name] = _list(records, inputs)
    return found


def _list(records: ir.Records, inputs: Mapping[str, Datum]) -> list[Any]:
    columns = [_entries(inputs[name]) for name in records.columns]
    others = [_entries(inputs[name]) for name in records.others]
    present = None if records.present is None else _entries(inputs[records.present])
    chosen = None if records.chosen is None else _entries(inputs[records.chosen])
    found = []
    for place in range(len(columns[0])):
        if present is None or present[place]:
            source = others if chosen is not None and chosen[place] else columns
            entry = [written(column[place]) for column in source]
            found.append(tuple(entry) if records.is_tuple else entry[0])
    return found


def _entries(datum: Datum) -> tuple[Any, ...]:
    assert isinstance(datum, tuple)
    return datum
