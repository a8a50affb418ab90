"""Expressions outside functions: constants of the module, and formulas over public parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import expressions, module_literals, shapes
from synth.trusted.frontend.checks import check_expression
from synth.trusted.frontend.context import Context, Scope
from synth.trusted.frontend.evaluated import is_literal
from synth.trusted.frontend.inference import Inference, UnresolvedError
from synth.trusted.frontend.labels import Codes, LabelType
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.source import Source, parse_expression
from synth.trusted.frontend.values import (
    LabelValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

MAX_CONSTANT = 200


@dataclass(frozen=True)
class Public:
    """The parameters, with the names of the private ones, and lists that several of them stand for.

    ``kinds`` are the types of those that are labels, ``codes`` those of strings.
    """

    parameters: tuple[ir.Parameter, ...]
    private: frozenset[str]
    lists: Mapping[str, RecordsValue] = field(default_factory=dict)
    kinds: Mapping[str, LabelType] = field(default_factory=dict)
    codes: Codes = field(default_factory=Codes)


def read_constants(module: Module) -> None:
    """Work out the constants of a module, in order.

    If all of it has to be read, raises ProgramError for the first that can't be.
    """
    for name, node in list(module.constant_nodes.items()):
        try:
            _read_constant(module, name, node)
        except ProgramError as error:
            module.block(name, error)
            del module.constant_nodes[name]
            if not is_literal(node):
                module.leave(node, error)


def _read_constant(module: Module, name: str, node: ast.expr) -> None:
    if isinstance(node, ast.Dict):
        _check_entries(module, name, node)
        module.literals[name] = node
        return
    value = _evaluate(module, module.source, node, f"the constant '{name}'")
    if module_literals.is_literal(value):
        module.literals[name] = node
        return
    expression = _scalar(module.source, node, value, f"the constant '{name}'")
    if not builders.is_small(expression, MAX_CONSTANT):
        raise module.source.error(node, Refusal.PROGRAM_TOO_LARGE, f"the constant '{name}' is too large")
    module.constants[name] = expression


def _check_entries(module: Module, name: str, node: ast.Dict) -> None:
    """Refuse a dict whose keys and values aren't written out.  Raises ProgramError."""
    what = f"the constant '{name}'"
    for key, entry in zip(node.keys, node.values, strict=True):
        if key is None:
            raise module.source.error(entry, Refusal.UNSUPPORTED_DICT, "'**' in a dict is not supported")
        for part in (key, entry):
            value = _evaluate(module, module.source, part, what)
            if not isinstance(value, ScalarValue) and not module_literals.is_literal(value):
                kind = shapes.describe_value(value)
                message = f"{kind} in the constant '{name}' is not supported"
                raise module.source.error(part, Refusal.UNSUPPORTED_DICT, message)


def condition(module: Module, node: ast.expr, public: Public) -> ir.Expression:
    """The precondition."""
    expression = _formula(module, node, "requires", public)
    if expression.sort is not ir.Sort.BOOL:
        raise module.source.error(
            node, Refusal.WRONG_REQUIRES, "requires must be a truth value, not a number"
        )
    return expression


def required(module: Module, source: Source, node: ast.expr, public: Public) -> ir.Expression:
    """A part of the precondition, which stands in a string.  Raises ProgramError."""
    expression = _scalar(source, node, _evaluate(module, source, node, "requires", public), "requires")
    if expression.sort is not ir.Sort.BOOL:
        raise source.error(node, Refusal.WRONG_REQUIRES, "requires must be a truth value, not a number")
    return expression


def number_in(module: Module, source: Source, node: ast.expr, what: str, public: Public) -> ir.Expression:
    """A number that stands in a string.  Raises ProgramError."""
    return builders.numeric(_scalar(source, node, _evaluate(module, source, node, what, public), what))


def number(module: Module, node: ast.expr, what: str, public: Public) -> ir.Expression:
    """A bound or claim."""
    expression = _formula(module, node, what, public)
    if expression.sort is ir.Sort.BOOL:
        raise module.source.error(node, Refusal.WRONG_CLAIM, f"{what} must be a number, not a truth value")
    return expression


def claim(module: Module, node: ast.expr, what: str, public: Public) -> ir.Expression:
    """A claimed ε or δ, a real number."""
    found = number(module, node, what, public)
    if isinstance(found, ir.Constant) and found.value < 0:
        raise module.source.error(node, Refusal.WRONG_CLAIM, f"{what} is negative")
    if what == "delta" and isinstance(found, ir.Constant) and found.value >= 1:
        raise module.source.error(
            node, Refusal.WRONG_CLAIM, "delta is at least 1, with which every program is private"
        )
    return builders.convert(found, ir.Sort.REAL)


def _formula(module: Module, node: ast.expr, what: str, public: Public) -> ir.Expression:
    """A string over public parameters, or an expression of constants."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        source = module.source.embedded(node, node.value)
        if not node.value.strip():
            raise source.error(node, Refusal.WRONG_CLAIM, f"{what} is an empty string")
        parsed = parse_over(source, public)
        value = _evaluate(module, source, parsed, what, public)
        return _scalar(source, parsed, value, what)
    value = _evaluate(module, module.source, node, what)
    return _scalar(module.source, node, value, what)


def value(module: Module, source: Source, node: ast.expr, what: str, codes: Codes) -> Value:
    """The value of an expression of constants.  Raises ProgramError."""
    return _evaluate(module, source, node, what, codes=codes)


def parse_over(source: Source, public: Public) -> ast.expr:
    """The expression over parameters that a text is; ``init.NAME``, or that of a field, is one name.

    Raises ProgramError.
    """
    names = {item.name.partition("[")[0] for item in public.parameters} | public.lists.keys()
    node: ast.expr = _OfInit(names).visit(parse_expression(source))
    return node


@dataclass
class _OfInit(ast.NodeTransformer):
    names: Set[str]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=own) if f"{owner}.{own}" in self.names:
                return ast.copy_location(ast.Name(f"{owner}.{own}", node.ctx), node)
        return ast.copy_location(ast.Attribute(self.visit(node.value), node.attr, node.ctx), node)


def _evaluate(
    module: Module,
    source: Source,
    node: ast.expr,
    what: str,
    public: Public | None = None,
    codes: Codes | None = None,
) -> Value:
    check_expression(node, source)
    context = Context(
        module,
        source,
        Inference(),
        Scope(None, bindings=_bindings(public) if public else {}),
        expressions.evaluate,
        lambda context, body: None,
        where=what,
        hidden=public.private if public else frozenset(),
        labels=codes or (public.codes if public else Codes()),
    )
    try:
        value = expressions.evaluate(context, node)
    except UnresolvedError as unresolved:
        raise unresolved.error from None
    for item in context.body:
        if isinstance(item, ir.Obligation) and item.condition == builders.FALSE:
            raise context.error(item.span, Refusal.UNDEFINED_SPECIFICATION, f"{item.reason}, in {what}")
    return value


def _bindings(public: Public) -> dict[str, Value]:
    bindings: dict[str, Value] = {}
    for parameter in public.parameters:
        kind, is_scalar = public.kinds.get(parameter.name), parameter.kind is ir.ParameterKind.SCALAR
        if kind is not None and not is_scalar:
            bindings[parameter.name] = RecordsValue(parameter.name, (parameter,), kinds=(kind,))
        elif kind is not None and parameter.name not in public.private:
            bindings[parameter.name] = LabelValue(kind, ir.Variable(parameter.name, parameter.sort))
        elif kind is not None:
            pass
        elif not is_scalar:
            bindings[parameter.name] = ParameterValue(parameter)
        elif parameter.name not in public.private:
            bindings[parameter.name] = ScalarValue(ir.Variable(parameter.name, parameter.sort))
    bindings.update(public.lists)
    bindings.update(tuples(item for item in public.parameters if item.name not in public.private))
    return bindings


def tuples(parameters: Iterable[ir.Parameter]) -> dict[str, Value]:
    """The parameters that are tuples: a scalar stands for each item, ``name[0]``, ``name[1]`` and so on."""
    found: dict[str, list[Value]] = {}
    for item in parameters:
        name, bracket, _ = item.name.partition("[")
        if bracket and item.kind is ir.ParameterKind.SCALAR:
            found.setdefault(name, []).append(ScalarValue(ir.Variable(item.name, item.sort)))
    return {name: TupleValue(tuple(items)) for name, items in found.items()}


def _scalar(source: Source, node: ast.expr, value: Value, what: str) -> ir.Expression:
    if not isinstance(value, ScalarValue):
        kind = shapes.describe_value(value)
        raise source.error(node, Refusal.WRONG_TYPE, f"{what} must be a number or a truth value, not {kind}")
    return value.expression
