"""Definite assignment: every local variable has a value wherever it is used."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from synth.trusted.errors import Refusal
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.source import Source

State = frozenset[str] | None
"""The variables that are assigned for sure; None where control can't come."""


def check(source: Source, function: Function) -> None:
    """Refuse a use of a variable that may be unassigned.  Raises ProgramError."""
    parameters = frozenset(argument.arg for argument in function.parameters)
    names = frozenset(function.assigned) - parameters
    _Flow(source, names).block(function.node.body, frozenset())


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
            case ast.If():
                self._use(node.test, state)
                return _meet((self.block(node.body, state), self.block(node.orelse, state)))
            case ast.While():
                self._use(node.test, state)
                endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
                return self._loop(node, state, None if endless else state)
            case ast.For():
                self._use(node.iter, state)
                return self._loop(node, state | _stores(node.target), state)
            case ast.Break():
                if self.breaks:
                    self.breaks[-1].append(state)
                return None
            case ast.Return() | ast.Continue():
                self._use(node, state)
                return None
            case ast.Raise():
                return None
            case ast.AnnAssign(value=value):
                if value is None:
                    return state
                self._use(value, state)
                return state | _stores(node.target)
            case ast.AugAssign(target=ast.Name(id=name)):
                if name in self.names and name not in state:
                    raise self._unassigned(node.target, name)
        self._use(node, state)
        return state | _stores(node)

    def _loop(self, node: ast.For | ast.While, inside: frozenset[str], end: State) -> State:
        self.breaks.append([])
        self.block(node.body, inside)
        left = self.breaks.pop()
        if end is not None and node.orelse:
            end = self.block(node.orelse, end)
        return _meet((end, *left))

    def _use(self, node: ast.AST, state: frozenset[str]) -> None:
        for child in _loads(node):
            if child.id in self.names and child.id not in state:
                raise self._unassigned(child, child.id)

    def _unassigned(self, node: ast.expr, name: str) -> Exception:
        return self.source.error(
            node, Refusal.NOT_ASSIGNED, f"variable '{name}' may be used before it is assigned"
        )


def _meet(states: Iterable[State]) -> State:
    result: State = None
    for state in states:
        if state is not None:
            result = state if result is None else result & state
    return result


def _stores(node: ast.AST) -> frozenset[str]:
    return frozenset(
        child.id
        for child in ast.walk(node)
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)
    )


def _loads(node: ast.AST) -> list[ast.Name]:
    return sorted(_free(node, frozenset()), key=lambda name: (name.lineno, name.col_offset))


def _free(node: ast.AST, bound: frozenset[str]) -> Iterator[ast.Name]:
    """The names that are read and that no lambda binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()) if name not in bound:
            yield node
        case ast.Lambda(args=ast.arguments(args=parameters), body=body):
            yield from _free(body, bound | {item.arg for item in parameters})
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _free(child, bound)
