"""A function of what a loop leaves alone, ``h(j, d)``, is called before the loop.

Invariants know functions of one argument only.  What is in a variable they relate as any other value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, changed, expressions, names
from synth.trusted.program.substitution import mapped


def called_before(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The same mechanism, with a variable for each such call, outside of all loops that leave it alone."""
    caller = _Caller(mechanism)
    body = caller.body(mechanism.body)
    return replace(mechanism, body=body, variables={**mechanism.variables, **caller.variables})


@dataclass
class _Caller:
    mechanism: ir.Mechanism
    variables: dict[str, ir.Sort] = field(default_factory=dict)

    def body(self, body: Body) -> Body:
        result: list[ir.Statement] = []
        for statement in body:
            if isinstance(statement, ir.Loop):
                calls = {call: self._new(call) for call in self._calls(statement)}
                result += [ir.Assign(name, call, statement.span) for call, name in calls.items()]
                statement = replace(statement, body=_with_variables(statement.body, calls))
            result.append(changed(statement, lambda item: item, self.body))
        return tuple(result)

    def _calls(self, loop: ir.Loop) -> dict[ir.Read, None]:
        """The calls with several arguments that are the same in each iteration."""
        own = assigned(loop.body)
        return {
            part: None
            for part in _reads(loop)
            if self.mechanism.parameter(part.source).kind is ir.ParameterKind.FUNCTION
            and len(part.index) > 1
            and all(isinstance(item, ir.Variable | ir.Constant) for item in part.index)
            and not any(names(item) & own for item in part.index)
        }

    def _new(self, call: ir.Read) -> str:
        name = f"{call.source}%call{len(self.variables)}"
        self.variables[name] = call.sort
        return name


def _reads(loop: ir.Loop) -> Iterator[ir.Read]:
    for statement in ir.statements(loop.body):
        for whole in expressions(statement):
            yield from (part for part in ir.subexpressions(whole) if isinstance(part, ir.Read))


def _with_variables(body: Body, calls: dict[ir.Read, str]) -> Body:
    def variable(item: ir.Expression) -> ir.Expression | None:
        name = calls.get(item) if isinstance(item, ir.Read) else None
        return None if name is None else ir.Variable(name, item.sort)

    return tuple(
        changed(item, lambda value: mapped(value, variable), lambda inner: _with_variables(inner, calls))
        for item in body
    )
