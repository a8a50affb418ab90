"""Definite assignment: every local variable has a value wherever it is used."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from synth.trusted.errors import Refusal
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.scoping import free_names, own_nodes
from synth.trusted.frontend.source import Source

State = frozenset[str] | None
"""The variables that are assigned for sure; None where control can't come."""


def check(source: Source, function: Function) -> None:
    """Refuse a use of a variable that may be unassigned.  Raises ProgramError."""
    parameters = frozenset(argument.arg for argument in function.parameters)
    deleted = _deleted(own_nodes(function.node))
    names = (frozenset(function.assigned) - parameters) | deleted
    _Flow(source, names).block(function.node.body, parameters & deleted)


@dataclass
class _Flow:
    source: Source
    names: frozenset[str]
    breaks: list[list[State]] = field(default_factory=list)

    def block(self, body: list[ast.stmt], state: State) -> State:
        """The state after the statements."""
        for statement in body:
            if state is None:
                return None
            state = self._statement(statement, state)
        return state

    def _statement(self, node: ast.stmt, state: frozenset[str]) -> State:
        match node:
            case ast.If(test=test):
                state = self._use(test, state)
                return _meet((self.block(node.body, state), self.block(node.orelse, state)))
            case ast.While(test=test):
                state = self._use(test, state - _deleted(ast.walk(node)))
                endless = isinstance(test, ast.Constant) and bool(test.value)
                return self._loop(node, state, None if endless else state)
            case ast.For():
                state = self._use(node.iter, state) - _deleted(ast.walk(node))
                return self._loop(node, state | _stores(node.target), state)
            case ast.Break():
                if self.breaks:
                    self.breaks[-1].append(state)
                return None
            case ast.Return() | ast.Continue():
                self._use(node, state)
                return None
            case ast.Raise():
                self._use(node, state)
                return None
            case ast.FunctionDef(name=name):
                defaults = [*node.args.defaults, *(item for item in node.args.kw_defaults if item)]
                state = self._in_turn(defaults, state, self.names)
                for free in sorted(free_names(node) & self.names - state - {name}):
                    raise self._unassigned(node, free)
                return state | {name}
            case ast.AnnAssign(target=target, value=value):
                return state if value is None else self._store([target], self._use(value, state))
            case ast.Delete(targets=targets):
                return self._forgotten(targets, state)
            case ast.Assign(targets=targets, value=value):
                return self._store(targets, self._use(value, state))
            case ast.AugAssign(target=target, value=value):
                if isinstance(target, ast.Name) and target.id in self.names and target.id not in state:
                    raise self._unassigned(target, target.id)
                return self._store([target], self._use(value, state))
        return self._use(node, state)

    def _forgotten(self, targets: list[ast.expr], state: frozenset[str]) -> frozenset[str]:
        for target in targets:
            if not isinstance(target, ast.Name):
                state = self._use(target, state)
            elif target.id not in state:
                raise self._unassigned(target, target.id)
            else:
                state = state - {target.id}
        return state

    def _loop(self, node: ast.For | ast.While, inside: frozenset[str], end: State) -> State:
        self.breaks.append([])
        self.block(node.body, inside)
        left = self.breaks.pop()
        if end is not None and node.orelse:
            end = self.block(node.orelse, end)
        return _meet((end, *left))

    def _store(self, targets: list[ast.expr], state: frozenset[str]) -> frozenset[str]:
        for target in targets:
            state = self._use(target, state) | _stores(target)
        return state

    # --- expressions ------------------------------------------------------------------------

    def _use(
        self, node: ast.AST, state: frozenset[str], names: frozenset[str] | None = None
    ) -> frozenset[str]:
        """The state after an expression; ``names`` are the variables, if a lambda or comprehension is around.

        What is only sometimes evaluated assigns nothing for sure.
        """
        names = self.names if names is None else names
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                if name in names and name not in state:
                    raise self._unassigned(node, name)
                return state
            case ast.NamedExpr(target=target, value=value):
                return self._use(value, state, names) | {target.id}
            case ast.Lambda():
                defaults = [*node.args.defaults, *(item for item in node.args.kw_defaults if item)]
                state = self._in_turn(defaults, state, names)
                for free in sorted(free_names(node) & names - state):
                    raise self._unassigned(node, free)
                return state
            case ast.IfExp(test=test, body=body, orelse=orelse):
                state = self._use(test, state, names)
                return self._use(body, state, names) & self._use(orelse, state, names)
            case ast.BoolOp(values=[first, *rest]):
                state = self._use(first, state, names)
                self._in_turn(rest, state, names)
                return state
            case ast.Compare(left=left, comparators=[first, *rest]):
                state = self._in_turn([left, first], state, names)
                self._in_turn(rest, state, names)
                return state
            case (
                ast.ListComp(elt=part, generators=generators)
                | ast.GeneratorExp(elt=part, generators=generators)
            ):
                return self._comprehension([part], generators, state, names)
            case ast.DictComp(key=key, value=value, generators=generators):
                return self._comprehension([key, value], generators, state, names)
            case _:
                return self._in_turn(list(ast.iter_child_nodes(node)), state, names)

    def _in_turn(
        self, nodes: Sequence[ast.AST], state: frozenset[str], names: frozenset[str]
    ) -> frozenset[str]:
        for node in nodes:
            state = self._use(node, state, names)
        return state

    def _comprehension(
        self,
        parts: list[ast.expr],
        generators: list[ast.comprehension],
        state: frozenset[str],
        names: frozenset[str],
    ) -> frozenset[str]:
        """Only what the first loop runs over is evaluated for sure, and that outside of the new variables."""
        state = self._use(generators[0].iter, state, names)
        own = frozenset[str]().union(*(_stores(generator.target) for generator in generators))
        inside, names = state - own, names | own
        for place, generator in enumerate(generators):
            if place:
                inside = self._use(generator.iter, inside, names)
            inside = self._in_turn(generator.ifs, inside | _stores(generator.target), names)
        self._in_turn(parts, inside, names)
        return state

    def _unassigned(self, node: ast.expr | ast.stmt, name: str) -> Exception:
        return self.source.error(
            node, Refusal.NOT_ASSIGNED, f"variable '{name}' may be used before it is assigned"
        )


def _meet(states: Iterable[State]) -> State:
    result: State = None
    for state in states:
        if state is not None:
            result = state if result is None else result & state
    return result


def _deleted(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that are deleted there; where that is in a loop, an earlier round may have done it."""
    return frozenset(
        part.id for part in nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Del)
    )


def _stores(target: ast.AST) -> frozenset[str]:
    """The names that a target of assignments, or a statement of another kind, binds."""
    return frozenset(
        child.id
        for child in ast.walk(target)
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)
    )
