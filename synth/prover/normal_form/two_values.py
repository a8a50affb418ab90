"""A number that coins choose between two constants is a truth value, and then one of the two numbers.

``y = 0.0`` and then ``if c: y = 1.0``, with coins among the conditions, is ``b = False``, then
``if c: b = True``, and then ``y = 1.0 if b else 0.0``.  So the coins can become one coin.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, expressions, names, with_blocks


def two_valued(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with truth values in place of such numbers."""
    finder = _Finder(mechanism)
    body = finder.body(mechanism.body)
    return replace(mechanism, body=body, variables={**mechanism.variables, **finder.variables})


@dataclass
class _Finder:
    mechanism: ir.Mechanism
    variables: dict[str, ir.Sort] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=count)

    def body(self, body: Body) -> Body:
        result: list[ir.Statement] = []
        rest = list(body)
        while rest:
            found = self._chosen(rest[0], rest[1]) if len(rest) > 1 else None
            if found is None:
                result.append(with_blocks(rest.pop(0), self.body))
            else:
                result += found
                del rest[:2]
        return tuple(result)

    def _chosen(self, first: ir.Statement, branch: ir.Statement) -> Body | None:
        match first, branch:
            case ir.Assign(target=name, value=ir.Constant(sort=sort) as low), ir.If() if (
                sort is not ir.Sort.BOOL
            ):
                pass
            case _:
                return None
        inside = list(ir.statements((branch,)))
        coins = any(isinstance(item, ir.Choose) for item in inside)
        read = any(name in names(value) for item in inside for value in expressions(item))
        values = [item.value for item in inside if isinstance(item, ir.Assign) and item.target == name]
        written = [item for item in inside if isinstance(item, ir.Draw | ir.Choose) and item.target == name]
        if not coins or read or written or not all(map(_is_simple, inside)) or not values:
            return None
        high = next((value for value in values if value != low), None)
        if not isinstance(high, ir.Constant) or any(value not in (low, high) for value in values):
            return None
        flag = f"is_other%new{next(self.numbers)}"
        self.variables[flag] = ir.Sort.BOOL

        def told(inner: Body) -> Body:
            return tuple(
                replace(item, target=flag, value=_truth(item.value == high))
                if isinstance(item, ir.Assign) and item.target == name
                else with_blocks(item, told)
                for item in inner
            )

        value = builders.choose(ir.Variable(flag, ir.Sort.BOOL), high, low)
        (changed,) = told((branch,))
        start = ir.Assign(flag, builders.FALSE, first.span)
        return (start, changed, ir.Assign(name, value, first.span))


def _is_simple(statement: ir.Statement) -> bool:
    """Whether it computes or tosses a coin; nothing leaves it."""
    return isinstance(statement, ir.If | ir.Assign | ir.Obligation | ir.Choose)


def _truth(value: bool) -> ir.Expression:
    return builders.TRUE if value else builders.FALSE
