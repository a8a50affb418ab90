"""The declaration of a mechanism: its parameters, adjacency, precondition and claim."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import metrics, specification
from synth.trusted.frontend.arguments import bind
from synth.trusted.frontend.facts import read_facts, read_ghosts
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.parameters import is_array, read_parameters
from synth.trusted.frontend.specification import Public
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

ARGUMENTS = ("adjacent", "requires", "epsilon", "delta", "facts", "ghosts")


@dataclass(frozen=True)
class Declaration:
    """What the head of a mechanism says; ``arrays`` are the sequences that are arrays of numpy."""

    parameters: tuple[ir.Parameter, ...]
    requires: ir.Expression
    epsilon: ir.Expression | None
    delta: ir.Expression | None
    facts: tuple[ir.Fact, ...]
    ghosts: tuple[ir.Parameter, ...]
    arrays: frozenset[str] = frozenset()


def read_declaration(module: Module, function: Function) -> Declaration:
    """Read decorator and parameters of a mechanism.  Raises ProgramError."""
    given = _decorator_arguments(module, function)
    parameters = read_parameters(module, function)
    nodes = metrics.adjacency(module, given.get("adjacent"), parameters)
    public = Public(parameters, frozenset(nodes))
    parameters = tuple(
        replace(parameter, metric=metrics.read_metric(module, nodes[parameter.name], parameter, public))
        if parameter.name in nodes
        else parameter
        for parameter in parameters
    )
    requires: ir.Expression = builders.TRUE
    if "requires" in given:
        requires = specification.condition(module, given["requires"], public)
    epsilon = _claim(module, given.get("epsilon"), "epsilon", public)
    delta = _claim(module, given.get("delta"), "delta", public)
    ghosts = read_ghosts(module, given.get("ghosts"), parameters)
    facts = read_facts(module, given.get("facts"), (*parameters, *ghosts))
    arrays = (
        item.arg for item in function.parameters if item.annotation and is_array(module, item.annotation)
    )
    return Declaration(parameters, requires, epsilon, delta, facts, ghosts, frozenset(arrays))


def _decorator_arguments(module: Module, function: Function) -> dict[str, ast.expr]:
    decorator = function.decorator
    if not isinstance(decorator, ast.Call):
        return {}
    if decorator.args:
        message = "'mechanism' takes named arguments only"
        raise module.source.error(decorator.args[0], Refusal.WRONG_CALL, message)
    return bind(module.source, decorator, "'mechanism'", ARGUMENTS, ARGUMENTS, ARGUMENTS)


def _claim(module: Module, node: ast.expr | None, what: str, public: Public) -> ir.Expression | None:
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return None
    return specification.claim(module, node, what, public)
