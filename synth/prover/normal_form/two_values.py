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
        coins = False
        while rest:
            match rest[:2]:
                case ir.Assign(value=ir.Constant()) as start, ir.If() as branch:
                    found = self._chosen(branch, coins, start)
                case ir.If() as branch, *_:
                    found = self._chosen(branch, coins)
                case _:
                    found = ()
            used = len(found) - 1 if found else 1
            result += found or (with_blocks(rest[0], self.body),)
            coins |= any(isinstance(item, ir.Choose) for item in ir.statements(tuple(rest[:used])))
            del rest[:used]
        return tuple(result)

    def _chosen(self, branch: ir.If, coins: bool, start: ir.Assign | None = None) -> Body:
        """The branch with a truth value in place of a number, and what sets both; empty if there is none."""
        inside = list(ir.statements((branch,)))
        if not all(map(_is_simple, inside)):
            return ()
        assigned = [item for item in inside if isinstance(item, ir.Assign)]
        name = start.target if start else next((item.target for item in assigned if _is_number(item)), "")
        chosen = [_constants(item.value) for item in (start, *assigned) if item and item.target == name]
        read = any(name in names(value) for item in inside for value in expressions(item))
        drawn = [item.target for item in inside if isinstance(item, ir.Choose)]
        values = [value for part in chosen for value in part]
        low, *others = dict.fromkeys(values) or (builders.TRUE,)
        if not (coins or drawn) or read or name in drawn or not (start or _always((branch,), name)):
            return ()
        if len(others) != 1 or not all(chosen):
            return ()
        if low.sort is ir.Sort.BOOL:
            return ()
        flag = f"is_other%new{next(self.numbers)}"
        self.variables[flag] = ir.Sort.BOOL

        def told(inner: Body) -> Body:
            return tuple(
                replace(item, target=flag, value=_is_other(item.value, low))
                if isinstance(item, ir.Assign) and item.target == name
                else with_blocks(item, told)
                for item in inner
            )

        value = builders.choose(ir.Variable(flag, ir.Sort.BOOL), others[0], low)
        return (*told((start, branch) if start else (branch,)), ir.Assign(name, value, branch.span))


def _is_number(statement: ir.Assign) -> bool:
    return bool(_constants(statement.value)) and statement.value.sort is not ir.Sort.BOOL


def _constants(value: ir.Expression) -> tuple[ir.Constant, ...]:
    """The constants between which a value is chosen; none where it may be something else."""
    match value:
        case ir.Constant():
            return (value,)
        case ir.Operation(ir.Operator.IF, (_, *sides)):
            found = [_constants(side) for side in sides]
            return tuple(constant for part in found for constant in part) if all(found) else ()
        case ir.Operation(ir.Operator.TO_REAL, (inner,)):
            reals = (builders.convert(constant, ir.Sort.REAL) for constant in _constants(inner))
            return tuple(item for item in reals if isinstance(item, ir.Constant))
        case _:
            return ()


def _is_other(value: ir.Expression, low: ir.Constant) -> ir.Expression:
    """Whether a value that is chosen between constants is another one than that."""
    match value:
        case ir.Operation(ir.Operator.IF, (condition, then, otherwise)):
            return builders.choose(condition, _is_other(then, low), _is_other(otherwise, low))
        case ir.Operation(ir.Operator.TO_REAL, (inner,)):
            return _is_other(inner, low)
        case _:
            return builders.negate(builders.equal(value, low))


def _always(body: Body, name: str) -> bool:
    """Whether a body that only computes assigns a variable, whichever way it goes."""
    return any(
        (isinstance(item, ir.Assign) and item.target == name)
        or (isinstance(item, ir.If) and _always(item.then, name) and _always(item.otherwise, name))
        for item in body
    )


def _is_simple(statement: ir.Statement) -> bool:
    """Whether it computes or tosses a coin; nothing leaves it."""
    return isinstance(statement, ir.If | ir.Assign | ir.Obligation | ir.Choose)
