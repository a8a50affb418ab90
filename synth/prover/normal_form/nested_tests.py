"""What a test of noise decides inside of a private branch is decided behind it.

``if n > 0: y = laplace(n, s); if y > t: out.append(y)`` becomes ``b = False``, ``if n > 0: y = laplace(n, s);
b = y > t``, and then ``if b: out.append(y)``; so does ``if n == 0: continue`` before the rest.  The private
branch only computes then, and the draw is made before it; whether something is appended is a test of noise
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from synth.prover.normal_form.draw_hoisting import Hoister
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, changed, expressions, is_pure, names, with_blocks
from synth.trusted.program.substitution import replaced


def tested_behind(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the same mechanism, with such tests behind the branches that they are in."""
    mover = _Mover(mechanism)
    body = mover.body(mechanism.body)
    return replace(mechanism, body=body, variables={**mechanism.variables, **mover.variables})


@dataclass
class _Mover:
    mechanism: ir.Mechanism
    variables: dict[str, ir.Sort] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hoister = Hoister(self.mechanism)
        branches = (item.branch for item in ir.statements(self.mechanism.body) if isinstance(item, ir.If))
        self.numbers = count(1 + max(branches, default=-1))

    def body(self, body: Body) -> Body:
        result: list[ir.Statement] = []
        for statement in body:
            result += self._moved(with_blocks(statement, self.body))
        return tuple(result)

    def _moved(self, statement: ir.Statement) -> Body:
        match _with_one_side(statement):
            case (
                ir.If(condition=outer, then=(*before, ir.If(otherwise=()) as test), otherwise=()) as branch
            ) if (
                before
                and self.hoister.parts(outer)
                and names(test.condition) & self.hoister.noisy
                and not is_pure((test,))
                and _only_draws(tuple(before))
            ):
                return self._behind(branch, tuple(before), test)
            case _:
                return (statement,)

    def _behind(self, branch: ir.If, before: Body, test: ir.If) -> Body:
        flag = self._new("tested", ir.Sort.BOOL)
        kept = {
            name: self._new(name, self.mechanism.variables[name])
            for name in sorted(assigned(before) & set(_read(test.then)) & self.mechanism.variables.keys())
        }
        values = {name: ir.Variable(new, self.variables[new]) for name, new in kept.items()}
        start = (ir.Assign(new, builders.zero(self.variables[new]), branch.span) for new in kept.values())
        copies = (
            ir.Assign(new, ir.Variable(name, self.variables[new]), test.span) for name, new in kept.items()
        )
        return (
            ir.Assign(flag, builders.FALSE, branch.span),
            *start,
            replace(branch, then=(*before, *copies, ir.Assign(flag, test.condition, test.span))),
            ir.If(
                next(self.numbers),
                ir.Variable(flag, ir.Sort.BOOL),
                _with_values(test.then, values),
                (),
                test.span,
            ),
        )

    def _new(self, name: str, sort: ir.Sort) -> str:
        new = f"{name}%kept{len(self.variables)}"
        self.variables[new] = sort
        return new


def _with_one_side(statement: ir.Statement) -> ir.Statement:
    """A branch that does something on its second side only, on its first one."""
    match statement:
        case ir.If(condition=condition, then=(), otherwise=rest):
            return replace(statement, condition=builders.negate(condition), then=rest, otherwise=())
        case _:
            return statement


def _only_draws(body: Body) -> bool:
    """Whether a body draws and computes, and nothing else."""
    return all(isinstance(item, ir.Draw | ir.Obligation) or is_pure((item,)) for item in body) and any(
        isinstance(item, ir.Draw) for item in body
    )


def _read(body: Body) -> Iterator[str]:
    for item in ir.statements(body):
        for value in expressions(item):
            yield from names(value)


def _with_values(body: Body, values: Mapping[str, ir.Expression]) -> Body:
    """The body with other variables for those whose values it finds."""
    return tuple(
        changed(item, lambda value: replaced(value, values), lambda inner: _with_values(inner, values))
        for item in body
    )
