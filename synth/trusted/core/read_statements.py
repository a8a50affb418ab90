"""Statements of core text; they are numbered by their positions."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from synth.trusted.core import names
from synth.trusted.core.demands import REASON
from synth.trusted.core.read_expressions import BOOL, INT, REAL, ExpressionReader, Node, Scope
from synth.trusted.program import laws
from synth.trusted.program import syntax as ir

REASONS = {
    "index": "index out of range",
    "divisor": "division by zero",
    "scale": REASON,
    "domain": "an operation is not defined",
}
"""Kinds of obligations, with what is said of one that is not shown."""

_LAWS: dict[str, tuple[Callable[..., ir.Chances], ir.Sort, tuple[ir.Sort, ...]]] = {
    "bernoulli": (laws.bernoulli, BOOL, (REAL,)),
    "randomized_response": (laws.randomized_response, BOOL, (BOOL, REAL)),
    "uniform_int": (laws.uniform_int, INT, (INT, INT)),
}

Output = tuple[tuple[ir.Sort, ...], tuple[ir.ListType, ...]]


@dataclass(frozen=True)
class StatementReader(ExpressionReader):
    """The lines of a core text, how much of each kind was read, and what the returns give out."""

    numbers: Counter[str] = field(default_factory=Counter)
    outputs: list[Output] = field(default_factory=list)

    def body(
        self, nodes: Sequence[ast.stmt], scope: Scope, labels: tuple[str, ...]
    ) -> tuple[ir.Statement, ...]:
        """Return the statements inside of the blocks of these labels.  Raises CoreError."""
        if any(isinstance(node, ast.Pass) for node in nodes[:1]) and len(nodes) == 1:
            return ()
        return tuple(self._statement(node, scope, labels) for node in nodes)

    def function(self, node: ast.expr, taken: Collection[str]) -> tuple[list[str], ast.expr]:
        """Return the variables of a lambda, which are not taken, and its value.  Raises CoreError."""
        if not isinstance(node, ast.Lambda):
            raise self.unknown(node, "a lambda")
        found: list[str] = []
        for item in self.plain(node, node.args):
            found.append(self.name(item, {*taken, *found}))
        return found, node.body

    def plain(self, node: Node, given: ast.arguments) -> list[ast.arg]:
        """Return parameters that are names, and nothing else.  Raises CoreError."""
        if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
            raise self.refuse(node, "parameters with defaults or stars")
        return given.args

    def _statement(self, node: ast.stmt, scope: Scope, labels: tuple[str, ...]) -> ir.Statement:
        span = self.span(node)
        match node:
            case ast.Assign(targets=[target], value=value):
                return self._assignment(node, self.name(target), value, scope)
            case ast.If(test=test, body=then, orelse=otherwise):
                branch, condition = self._number("branch"), self.value(test, BOOL, scope)
                sides = self.body(then, scope, labels), self.body(otherwise, scope, labels)
                return ir.If(branch, condition, *sides, span)
            case ast.While(test=ast.Constant(value=True), body=body, orelse=[]):
                return ir.Loop(self._number("loop"), self.body(body, scope, labels), span)
            case ast.With(
                items=[
                    ast.withitem(
                        context_expr=ast.Call(func=ast.Name(id="block"), args=[label], keywords=[]),
                        optional_vars=None,
                    )
                ],
                body=body,
            ):
                name = self.name(label, labels)
                return ir.Block(name, self.body(body, scope, (*labels, name)))
            case ast.Assert(test=test, msg=None):
                return ir.Assume(self.value(test, BOOL, scope), span)
            case ast.Return(value=returned):
                return self._returned(node, returned, scope)
            case ast.Expr(value=ast.Call(func=ast.Name(id="leave"), args=[label], keywords=[])):
                if self.name(label) not in labels:
                    raise self.refuse(label, "no block of that label is around this")
                return ir.Exit(self.name(label), span)
            case ast.Expr(value=ast.Call(func=ast.Name(id="ensure")) as call):
                return self._obligation(call, scope)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name() as of, attr="append"), args=args, keywords=[]
                )
            ) if self.name(of) in scope.lists:
                name = self.name(of)
                return ir.Append(name, self.values(node, args, scope.lists[name].components, scope), span)
        raise self.unknown(node, "a statement of the core")

    def _number(self, kind: str) -> int:
        self.numbers[kind] += 1
        return self.numbers[kind] - 1

    def _obligation(self, node: ast.expr, scope: Scope) -> ir.Obligation:
        match node:
            case ast.Call(
                func=ast.Name(id="ensure"), args=[test, ast.Constant(value=str(kind))], keywords=[]
            ) if kind in REASONS:
                return ir.Obligation(kind, self.value(test, BOOL, scope), REASONS[kind], self.span(node))
        raise self.refuse(node, f"no 'ensure' with a condition, and one of {', '.join(REASONS)}")

    def _returned(self, node: ast.stmt, returned: ast.expr | None, scope: Scope) -> ir.Return:
        """Values, then local lists; of the same sorts as in each other return."""
        items = [] if returned is None else returned.elts if isinstance(returned, ast.Tuple) else [returned]
        count = len(items)
        while count and isinstance(items[count - 1], ast.Name) and self.name(items[count - 1]) in scope.lists:
            count -= 1
        values = tuple(self.expression(item, scope) for item in items[:count])
        lists = tuple(self.name(item) for item in items[count:])
        self.outputs.append((tuple(item.sort for item in values), tuple(scope.lists[name] for name in lists)))
        if self.outputs[-1] != self.outputs[0]:
            raise self.refuse(node, "other sorts than those of another return")
        return ir.Return(values, lists, self.span(node))

    # --- assignments and draws ------------------------------------------------------------------

    def _assignment(self, node: ast.stmt, target: str, value: ast.expr, scope: Scope) -> ir.Statement:
        span = self.span(node)
        if target in scope.lists and isinstance(value, ast.List) and not value.elts:
            return ir.NewList(target, span)
        if target not in scope.assigned:
            raise self.refuse(node, f"'{names.written(target)}' is no scalar variable")
        sort = scope.scalars[target]
        match value:
            case ast.Call(func=ast.Name(id=law), args=args, keywords=[]) if law in laws.NOISES:
                center, scale = self.values(value, args, (sort, REAL), scope)
                if sort is BOOL:
                    raise self.refuse(node, f"a truth value from {law}")
                return ir.Draw(self._number("site"), target, law, (center, scale), sort, span)
            case ast.Call(func=ast.Name(id=law), args=args, keywords=[]) if law in _LAWS:
                make, drawn, sorts = _LAWS[law]
                index = ir.Variable(f"{target}.outcome", drawn)
                chances = make(index, *self.values(value, args, sorts, scope))
                return self._choice(node, target, law, index, chances, scope)
            case ast.Call(
                func=ast.Name(id="outcomes"), args=[ast.Constant(value=str(law)), table], keywords=[]
            ):
                index, inside, listed = self._of_outcome(table, sort, scope)
                return self._choice(node, target, law, index, self._chances(listed, inside), scope)
            case ast.Call(
                func=ast.Name(id="weights"),
                args=[ast.Constant(value=str(law)), count, score, rate, *demands],
                keywords=[],
            ):
                index, inside, weight = self._of_outcome(score, INT, scope)
                weights = ir.Weights(
                    self.value(count, INT, scope),
                    self.value(weight, REAL, inside),
                    self.value(rate, REAL, scope),
                    tuple(self._demands(demands, index, scope)),
                )
                return self._choice(node, target, law, index, weights, scope)
        return ir.Assign(target, self.value(value, sort, scope), span)

    def _choice(
        self,
        node: ast.stmt,
        target: str,
        called: str,
        index: ir.Variable,
        law: ir.Chances | ir.Weights,
        scope: Scope,
    ) -> ir.Choose:
        sort = scope.scalars[target]
        taken = index.name in {*scope.scalars, *scope.arrays, *scope.lists}
        if index.sort is not sort or sort is REAL or called not in laws.FINITE or taken:
            raise self.refuse(node, f"'{names.written(target)}' can't be drawn so")
        return ir.Choose(self._number("site"), target, called, index.name, law, sort, self.span(node))

    def _of_outcome(self, node: ast.expr, sort: ir.Sort, scope: Scope) -> tuple[ir.Variable, Scope, ast.expr]:
        """A function of the outcome: its variable, what names mean in it, and its value."""
        found, value = self.function(node, {*scope.scalars, *scope.arrays, *scope.lists})
        if len(found) != 1:
            raise self.refuse(node, "a function of something else than the outcome")
        return ir.Variable(found[0], sort), scope.knowing({found[0]: sort}), value

    def _chances(self, node: ast.expr, scope: Scope) -> ir.Chances:
        if not isinstance(node, ast.Dict):
            raise self.unknown(node, "a table of chances")
        found = []
        for outcome, chance in zip(node.keys, node.values, strict=True):
            if outcome is None:
                raise self.refuse(chance, "a chance of no outcome")
            found.append((self.value(outcome, BOOL, scope), self.value(chance, REAL, scope)))
        return ir.Chances(tuple(found))

    def _demands(
        self, nodes: Sequence[ast.expr], index: ir.Variable, scope: Scope
    ) -> Iterator[ir.Obligation]:
        for node in nodes:
            other, inside, asked = self._of_outcome(node, INT, scope)
            if other != index:
                raise self.refuse(node, "another name for the outcome")
            yield self._obligation(asked, inside)
