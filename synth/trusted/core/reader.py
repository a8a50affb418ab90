"""Core text to the typed program: each construct stands for one of :mod:`synth.trusted.program.syntax`.

Nothing is evaluated, folded or inferred.  Only two things are not written: the numbers of draws, branches
and loops, which are their positions in the text, and directly before a draw what must hold so that its law
is one.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from synth.trusted.core import names
from synth.trusted.core.demands import with_demands
from synth.trusted.core.parsing import read_tree
from synth.trusted.core.read_expressions import BOOL, INT, REAL, CoreError, Scope
from synth.trusted.core.read_statements import StatementReader
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_SCALAR, _SEQUENCE, _FUNCTION = ir.ParameterKind.SCALAR, ir.ParameterKind.SEQUENCE, ir.ParameterKind.FUNCTION
_FITS = {
    ir.MetricKind.ABSOLUTE: {(_SCALAR, INT), (_SCALAR, REAL)},
    ir.MetricKind.DISCRETE: {(_SCALAR, sort) for sort in ir.Sort},
    ir.MetricKind.LINF: {(kind, sort) for kind in (_SEQUENCE, _FUNCTION) for sort in ir.Sort},
    ir.MetricKind.L1: {(_SEQUENCE, sort) for sort in ir.Sort},
    ir.MetricKind.L2: {(_SEQUENCE, sort) for sort in ir.Sort},
    ir.MetricKind.CHANGE_ONE: {(_SEQUENCE, sort) for sort in ir.Sort},
}
"""What parameters a metric is for."""

T = TypeVar("T")


def read_core(text: str) -> ir.Mechanism:
    """Return the typed program that a core text stands for; its places are those of the text.

    Raises CoreError.
    """
    return with_demands(read_as_written(text))


def read_as_written(text: str) -> ir.Mechanism:
    """Return the same without what draws demand, but where the text says it.  Raises CoreError."""
    return read_tree(text, lambda lines, tree: _Reader(lines).mechanism(tree))


class _Reader(StatementReader):
    def mechanism(self, tree: ast.Module) -> ir.Mechanism:
        match tree.body:
            case [ast.FunctionDef(decorator_list=decorators, returns=returns) as node]:
                pass
            case _:
                raise CoreError("something else than one function", 1, 1)
        adjacent, claims, requires, facts = self._heads(decorators)
        known, ghosts = self._parameters(node)
        for name in adjacent.keys() - known.keys():
            raise self.refuse(adjacent[name], f"no parameter is called '{names.written(name)}'")
        notions = {notion.value: notion for notion in ir.Notion} if len(claims) == 1 else {}
        for name in claims.keys() - {"epsilon", "delta"} - notions.keys():
            raise self.refuse(claims[name], "neither 'epsilon' nor 'delta' is claimed")
        other = next((name for name in claims if name in notions), None)
        variables, lists, body = self._locals(node.body, known)
        scalars = {name: item.sort for name, item in known.items() if item.kind is _SCALAR}
        arrays = {name: item for name, item in known.items() if item.kind is not _SCALAR}
        public, seen = _without(scalars, adjacent), _without(arrays, ghosts)
        stated = Scope(_without(public, ghosts), seen, hidden=adjacent.keys())
        for name, metric in adjacent.items():
            known[name] = replace(known[name], metric=self._metric(metric, known[name], stated))
        functions = {name: item for name, item in known.items() if item.kind is _FUNCTION}
        local = {**_without(scalars, ghosts), **variables}
        return ir.Mechanism(
            name=self.name(node),
            parameters=tuple(known.values()),
            requires=self.values(node, requires, [BOOL], stated)[0] if requires else builders.TRUE,
            epsilon=self.value(claims["epsilon"], REAL, stated) if "epsilon" in claims else None,
            delta=self.value(claims["delta"], REAL, stated) if "delta" in claims else None,
            body=self.body(body, Scope(local, seen, lists, assigned=variables.keys()), ()),
            variables=variables,
            lists=lists,
            span=self.span(node),
            path="",
            source="",
            facts=tuple(self._fact(item, Scope(public, functions, in_fact=True)) for item in facts),
            ghosts=ghosts,
            divergence=None
            if other is None
            else ir.Divergence(notions[other], self.value(claims[other], REAL, stated)),
            output=None if returns is None else self._layout(returns),
        )

    # --- the head -------------------------------------------------------------------------------

    def _heads(
        self, nodes: Sequence[ast.expr]
    ) -> tuple[dict[str, ast.expr], dict[str, ast.expr], list[ast.expr], list[ast.Call]]:
        """What is adjacent, what is claimed, what is required, and the facts."""
        named: dict[str, dict[str, ast.expr]] = {}
        requires: list[ast.expr] = []
        facts: list[ast.Call] = []
        for node in nodes:
            match node:
                case ast.Call(func=ast.Name(id="fact")):
                    facts.append(node)
                case ast.Call(func=ast.Name(id="requires"), args=[condition], keywords=[]) if not requires:
                    requires.append(condition)
                case ast.Call(func=ast.Name(id="adjacent" | "claims" as head), args=[]) if head not in named:
                    named[head] = self._named(node)
                case _:
                    raise self.unknown(node, "one of adjacent, requires, claims (once each), and fact")
        return named.get("adjacent", {}), named.get("claims", {}), requires, facts

    def _named(self, node: ast.Call) -> dict[str, ast.expr]:
        """The arguments that have a name, each once."""
        found: dict[str, ast.expr] = {}
        for item in node.keywords:
            found[self.decoded(item.value, item.arg or "", found)] = item.value
        return found

    def _parameters(self, node: ast.FunctionDef) -> tuple[dict[str, ir.Parameter], frozenset[str]]:
        """The parameters, still without metrics, and which are ghosts."""
        known: dict[str, ir.Parameter] = {}
        ghosts = set()
        for item in self.plain(node, node.args):
            name = self.name(item, known)
            match item.annotation:
                case ast.Call(func=ast.Name(id="ghost"), args=[kind], keywords=[]):
                    known[name] = self._typed(item, name, kind)
                    ghosts.add(name)
                case ast.Call(func=ast.Name(id="published"), args=[kind], keywords=[]):
                    known[name] = replace(self._typed(item, name, kind), published=True)
                case kind:
                    known[name] = self._typed(item, name, kind)
        return known, frozenset(ghosts)

    def _typed(self, item: ast.arg, name: str, kind: ast.expr | None) -> ir.Parameter:
        span = self.span(item)
        match kind:
            case ast.Call(func=ast.Name(id="sequence"), args=[entry], keywords=[]):
                return ir.Parameter(name, _SEQUENCE, self._sort(entry), 1, None, span)
            case ast.Call(func=ast.Name(id="function"), args=[*places, result], keywords=[]) if all(
                self._sort(place) is INT for place in places
            ):
                return ir.Parameter(name, _FUNCTION, self._sort(result), len(places), None, span)
            case ast.expr():
                return ir.Parameter(name, _SCALAR, self._sort(kind), 0, None, span)
        raise self.refuse(item, "a parameter without a type")

    def _sort(self, node: ast.expr) -> ir.Sort:
        match node:
            case ast.Name(id="int" | "real" | "bool" as sort):
                return ir.Sort(sort)
        raise self.unknown(node, "int, real or bool")

    def _metric(self, node: ast.expr, about: ir.Parameter, scope: Scope) -> ir.Metric:
        kinds = {kind.value: kind for kind, fits in _FITS.items() if (about.kind, about.sort) in fits}
        match node:
            case ast.Call(func=ast.Name(id=called), args=args, keywords=given) if called in kinds:
                kind = kinds[called]
                bounded = kind is not ir.MetricKind.DISCRETE and (
                    bool(args) or kind is not ir.MetricKind.CHANGE_ONE
                )
                bounds = self.values(node, args, [REAL] if bounded else [], scope)
                monotone = self._flagged(given, "monotone")
                if (kind is ir.MetricKind.LINF or not monotone) and not about.published:
                    return ir.Metric(kind, bounds[0] if bounds else None, monotone)
        raise self.refuse(node, f"no metric for '{names.written(about.name)}'")

    def _flagged(self, given: Sequence[ast.keyword], flag: str) -> bool:
        """Whether ``flag=True`` is given, and nothing else; False if nothing is."""
        match given:
            case []:
                return False
            case [ast.keyword(arg=name, value=ast.Constant(value=True))] if name == flag:
                return True
        raise self.refuse(given[0].value, f"something else than {flag}=True")

    def _fact(self, node: ast.Call, scope: Scope) -> ir.Fact:
        match node.args:
            case [ast.Constant(value=str(text)), about, states]:
                variables, read = self.function(about, {*scope.scalars, *scope.arrays})
                others, condition = self.function(states, {*scope.scalars, *scope.arrays})
                inside = scope.knowing(dict.fromkeys(variables, INT))
                trigger, each = self.expression(read, inside), self._flagged(node.keywords, "each")
                if isinstance(trigger, ir.Read) and variables == others:
                    index = [item.name for item in trigger.index if isinstance(item, ir.Variable)]
                    if len(index) == len(trigger.index) and sorted(index) == sorted(variables):
                        return ir.Fact(
                            text, self.value(condition, BOOL, inside), trigger, each, self.span(node)
                        )
        raise self.refuse(node, "no text, function of variables, and condition on the same variables")

    # --- what is local, and the output ----------------------------------------------------------

    def _locals(
        self, nodes: Sequence[ast.stmt], known: Collection[str]
    ) -> tuple[dict[str, ir.Sort], dict[str, ir.ListType], Sequence[ast.stmt]]:
        """Variables and lists, which are declared first, and the rest of the body."""
        variables: dict[str, ir.Sort] = {}
        lists: dict[str, ir.ListType] = {}
        for place, node in enumerate(nodes):
            match node:
                case ast.AnnAssign(target=target, annotation=kind, value=None):
                    name = self.name(target, {*known, *variables, *lists})
                case _:
                    return variables, lists, nodes[place:]
            match kind:
                case ast.Call(func=ast.Name(id="list"), args=sorts, keywords=[]):
                    lists[name] = ir.ListType(tuple(self._sort(item) for item in sorts))
                case _:
                    variables[name] = self._sort(kind)
        return variables, lists, ()

    def _layout(self, node: ast.expr) -> ir.Layout:
        match node:
            case ast.Call(func=ast.Name(id="output"), args=[values, *lists], keywords=[]):
                return ir.Layout(self._shapes(values), tuple(self._shapes(item) for item in lists))
        raise self.unknown(node, "an output")

    def _shapes(self, node: ast.expr) -> tuple[ir.Shape, ...]:
        """Alternatives: ``None | real``; ``never`` for none."""
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return (*self._shapes(left), self._shape(right))
            case ast.Name(id="never"):
                return ()
        return (self._shape(node),)

    def _shape(self, node: ast.expr) -> ir.Shape:
        match node:
            case ast.Constant(value=None):
                return ir.NoneShape()
            case ast.Name(id="list"):
                return ir.ListShape()
            case ast.Call(func=ast.Name(id="label"), args=[name, *texts], keywords=[]):
                return ir.LabelShape(self._text(name), tuple(map(self._text, texts)))
            case ast.Call(func=ast.Name(id="dict"), args=[ast.Tuple(elts=items), *keys], keywords=[]):
                return ir.DictShape(tuple(map(self._shape, items)), tuple(map(self._text, keys)))
            case ast.Call(func=ast.Name(id="optional"), args=[sort], keywords=[]):
                return ir.OptionalShape(self._sort(sort))
            case ast.Tuple(elts=items):
                return ir.TupleShape(tuple(self._shape(item) for item in items))
        return ir.ScalarShape(self._sort(node))

    def _text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str(text)):
                return text
        raise self.unknown(node, "a label")


def _without(some: Mapping[str, T], others: Collection[str]) -> dict[str, T]:
    return {name: item for name, item in some.items() if name not in others}
