"""Sources of independent draws: generator objects of libraries, whose methods are functions of a stub.

What a source drew before is no part of what a program publishes, so all sources of one kind are alike.  One
with a seed that is known, or that is the same in each run, is none.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.seeding import SEEDING
from synth.trusted.frontend.values import NoneValue, SourceValue, Value
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_OF_ITS_OWN = ("numpy", "opendp")
"""Libraries that draw from no source of another one."""


def make(context: Context, node: ast.Call, kind: Known) -> Value:
    """A call that makes a source.  Raises ProgramError for a seed."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    made: Value = NoneValue()
    for argument in given:
        made = context.expression(context, argument)
        if not isinstance(made, NoneValue | SourceValue):
            raise context.error(argument, Refusal.KNOWN_SEED, seeded(argument))
    kinds = {made.kind} if isinstance(made, SourceValue) else {"None"}
    if isinstance(made, SourceValue) and made.none != builders.FALSE:
        kinds.add("None")
    kinds |= {f"{keyword.arg}=" for keyword in node.keywords}
    if len(given) > 1 or not kinds.issubset(kind.takes):
        message = f"a source of draws is not made so: {ast.unparse(node)[:40]}"
        raise context.error(node, Refusal.WRONG_CALL, message)
    return SourceValue(kind.name, kind=kind.kind)


def of_module(module: Module, known: Known | None) -> SourceValue | None:
    """The module of a library as a source: its functions draw."""
    if known is None or known.role is not Role.MODULE:
        return None
    found = module.library.module(known.name)
    draws = found is not None and any(item.role is Role.GENERATOR for item in found.names.values())
    return SourceValue(known.name, kind="module") if draws else None


def method(context: Context, node: ast.expr, owner: SourceValue, name: str) -> Function:
    """The function that a method of a source is.  Raises ProgramError if no stub has it."""
    if owner.none == builders.TRUE:
        raise context.error(node, Refusal.WRONG_TYPE, f"None has no method '{name}'")
    context.require("domain", builders.negate(owner.none), f"None has no method '{name}'", node)
    known = context.module.library.member(owner.methods, name, owner.kind)
    if known is None or known.role is not Role.STUB:
        raise context.error(node, Refusal.UNSUPPORTED_NAME, no_model(f"{owner.methods}.{name}"))
    return context.module.library.function(known.name)


def are_one(context: Context, node: ast.expr, left: SourceValue, right: SourceValue) -> ir.Expression:
    """``left is right``, where their types show it.  Raises ProgramError."""
    known = left.kind and right.kind and (left.methods, left.kind) != (right.methods, right.kind)
    if left.methods == right.methods and not known:
        message = "whether two sources of random numbers are one is not known"
        raise context.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    return builders.both(left.none, right.none)


def of_type(module: Module, annotation: ast.expr | None) -> Known | None:
    """What a type is, if it is one of sources.

    A type that is stated beside a file may have the name of its module, whatever the file imports.
    """
    if annotation is None:
        return None
    known = module.known(annotation)
    if known is None:
        owner, _, name = ast.unparse(annotation).rpartition(".")
        known = module.library.member(owner, name) if owner in module.library.texts else None
    return known if known is not None and known.role is Role.GENERATOR else None


def of_parameters(
    function: Function, module: Module, types: Mapping[str, ast.expr]
) -> Iterator[tuple[str, SourceValue]]:
    """The parameters of a mechanism that are sources.

    Raises ProgramError for one with a default value, unless its type is stated beside the file: a call that
    leaves it out may do something else.
    """
    optional = [argument for argument, _ in function.defaults]
    for argument in function.parameters:
        annotation = types.get(argument.arg)
        kind = of_type(module, annotation)
        if kind is None:
            continue
        if annotation is argument.annotation and argument in optional:
            message = f"'{argument.arg}' has a default value: leave it out, or state its type beside the file"
            raise module.source.error(argument, Refusal.UNSUPPORTED_TYPE, message)
        yield argument.arg, SourceValue(kind.name, kind=kind.kind)


def no_model(name: str) -> str:
    """What is said of a function that no stub has."""
    if name.rpartition(".")[2] in SEEDING:
        return "a seed that is known: the noise is the same in each run and can be subtracted"
    return f"there is no model of '{name}'"


def seeded(seed: ast.expr) -> str:
    """What is said of a source with a seed."""
    return f"with the seed {ast.unparse(seed)[:40]} the noise is the same in each run and can be subtracted"


def check_unseeded(module: Module, methods: str, node: ast.expr, user: Context) -> None:
    """Refuse a draw from a source that some code of the file seeds.  Raises ProgramError."""
    seeding: ProgramError | None = module.seeding.get(methods) or module.seeding.get("")
    top = methods.partition(".")[0]
    if top not in _OF_ITS_OWN and top not in sys.stdlib_module_names:  # scipy draws from the source of numpy
        seeding = seeding or next(iter(module.seeding.values()), None)
    if seeding is not None:
        message = f"{seeding.message} (line {seeding.line})"
        raise user.error(node, Refusal.KNOWN_SEED, message)
