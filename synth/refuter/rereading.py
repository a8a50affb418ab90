"""A witness that somebody else found: its inputs and outputs are read, all else is computed anew."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import arb

from synth.refuter.exact.distribution import Enclosed
from synth.refuter.exact.events import Event
from synth.refuter.exact.forms import Range, Wanted
from synth.refuter.exact.inputs import Inputs, Pair, read_datum
from synth.refuter.exact.work import Work
from synth.refuter.search.confirmation import confirmed
from synth.refuter.search.findings import Finding
from synth.refuter.witness import Witness, make_witness
from synth.trusted.program import syntax as ir

_NOTHING = Enclosed(arb(0), arb(1))


def recomputed(mechanism: ir.Mechanism, found: Mapping[str, Any], *, seconds: float) -> Witness | None:
    """The witness of these inputs and events against the mechanism's claim; None if they are none.

    Raises UsageError, KeyError, TypeError, ValueError for what has another form.
    """
    if not mechanism.is_claimed or mechanism.facts:
        return None
    pair = Pair(*(_inputs(mechanism, found["parameters"], found[side]) for side in ("left", "right")))
    events = tuple(map(_event, found["events"]))
    work = Work(time.monotonic() + seconds)
    finding = confirmed(mechanism, Finding(pair, events, _NOTHING, _NOTHING, (0.0, 0.0)), work)
    if finding is None:
        return None
    return make_witness(mechanism, pair, events, finding.left, finding.right)


def _inputs(mechanism: ir.Mechanism, public: Mapping[str, Any], private: Mapping[str, Any]) -> Inputs:
    return {
        item.name: read_datum(item, (public if item.metric is None else private)[item.name])
        for item in mechanism.parameters
    }


def _event(content: Mapping[str, Any]) -> Event:
    lists = (tuple(tuple(map(_wanted, row)) for row in rows) for rows in content["lists"])
    return Event(tuple(map(_wanted, content["values"])), tuple(lists))


def _wanted(content: Any) -> Wanted:
    if isinstance(content, bool):
        return content
    if not isinstance(content, Mapping):
        return _number(content)
    low, high = content["from"], content["to"]
    return Range(-math.inf if low is None else _number(low), math.inf if high is None else _number(high))


def _number(content: Any) -> int | Fraction:
    number = Fraction(str(content))
    return int(number) if number.denominator == 1 else number
