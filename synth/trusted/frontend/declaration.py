"""The declaration of a mechanism: its parameters, adjacency, precondition and claim."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import left_out, metrics, sources, specification, specified, vocabulary
from synth.trusted.frontend.arguments import bind
from synth.trusted.frontend.domains import domains_of_types, read_required
from synth.trusted.frontend.facts import read_facts, read_ghosts
from synth.trusted.frontend.inputs import name_inputs, read_inputs, with_domains
from synth.trusted.frontend.labels import Codes, LabelType
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.parameters import Declared, is_array, is_open_array, is_union, read_parameters
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.specification import Public
from synth.trusted.frontend.values import (
    FunctionValue,
    LabelValue,
    ListLiteral,
    NoneValue,
    RecordsValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification

NOTIONS = {notion.value: notion for notion in ir.Notion}
"""Notions of privacy other than (ε, δ), by what claims of them are called."""

ARGUMENTS = ("adjacent", "requires", "epsilon", "delta", *NOTIONS, "facts", "ghosts")


@dataclass(frozen=True)
class Declaration:
    """What the head of a mechanism says.

    ``lists`` are the lists of records, by their names; ``arrays`` are the sequences that are arrays of numpy,
    ``open_arrays`` those whose type doesn't say of what, ``sources`` the parameters that draw, ``left_out``
    those that have their default values, ``unions`` those of which the type allows numbers of several types,
    ``kinds`` the types of parameters that are labels, ``objects`` the parameters that are objects,
    ``codes`` those of strings.  Parameters that are ``fixed`` have these values; those that are new lists
    have ``displays``.
    """

    parameters: tuple[ir.Parameter, ...]
    requires: ir.Expression
    epsilon: ir.Expression | None
    delta: ir.Expression | None
    divergence: ir.Divergence | None
    facts: tuple[ir.Fact, ...]
    ghosts: tuple[ir.Parameter, ...]
    lists: Mapping[str, RecordsValue]
    domains: Mapping[str, ir.Domain]
    codes: Codes
    kinds: Mapping[str, LabelType]
    objects: tuple[Declared, ...] = ()
    arrays: frozenset[str] = frozenset()
    open_arrays: tuple[str, ...] = ()
    unions: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    fixed: dict[str, Value] = field(default_factory=dict)
    displays: dict[str, ast.List] = field(default_factory=dict)


def read_declaration(module: Module, function: Function) -> Declaration:
    """Read parameters of a mechanism, and its decorator or what is stated beside it.  Raises ProgramError."""
    beside = module.specified.get(function.name)
    annotated = {item.arg: item.annotation for item in function.parameters if item.annotation is not None}
    if beside is None:
        typed = {name: (module, node) for name, node in annotated.items()}
        absent = left_out.values_of(module, function, ())
        parameters = read_parameters(module, function, left_out=absent)
        typed = {name: item for name, item in typed.items() if name not in absent}
        annotated = {name: node for name, node in annotated.items() if name not in absent}
        declared = _declared(module, _decorator_arguments(module, function), parameters, typed)
        drawing = dict(sources.of_parameters(function, module, annotated))
        fixed = {**drawing, **absent}
        return replace(declared, fixed=fixed, sources=tuple(drawing), left_out=tuple(absent))
    _check_parameters(function, beside)
    names = specified.module_for(module, beside)
    types = {name: specified.type_of(names, beside, name, text) for name, text in beside.types}
    absent = left_out.values_of(module, function, {*types, *dict(beside.fixed)})
    unread = {*dict(beside.fixed), *absent}
    parameters = read_parameters(module, function, names, types, unread)
    typed = {
        name: (names if name in types else module, node)
        for name, node in {**annotated, **types}.items()
        if name not in unread
    }
    declared = _declared(names, specified.arguments(names, beside), parameters, typed)
    given = {name: _fixed(names, beside, name, text, declared.codes) for name, text in beside.fixed}
    fixed = {name: value for name, value in given.items() if not isinstance(value, ast.List)}
    displays = {name: value for name, value in given.items() if isinstance(value, ast.List)}
    kept = {name: node for name, node in {**annotated, **types}.items() if name not in absent}
    drawing = dict(sources.of_parameters(function, module, kept))
    undrawn = tuple(name for name in drawing if name not in given)
    fixed = {**drawing, **absent, **fixed}
    return replace(declared, fixed=fixed, displays=displays, sources=undrawn, left_out=tuple(absent))


def _check_parameters(function: Function, beside: Specification) -> None:
    """Refuse names that are no parameters.  Raises ProgramError."""
    names = [item.arg for item in function.parameters]
    private = [name.strip() for names, _ in beside.adjacent for name in names.split(",")]
    for key, pairs in (("types", beside.types), ("adjacent", beside.adjacent), ("fixed", beside.fixed)):
        for stated, name in _single_names(pairs):
            if name not in names:
                message = f"'{key}' names an unknown parameter '{name}'{vocabulary.suggestion(name, names)}"
            elif key == "fixed" and name in private:
                message = f"the private parameter '{name}' can't be fixed"
            else:
                continue
            place = beside.place(key, stated)
            raise ProgramError(message, beside.path, *place, code=Refusal.WRONG_ADJACENCY)


def _single_names(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Give the keys, each with every name in it: of lists that belong together there are several."""
    return ((key, name.strip()) for key, _ in pairs for name in key.split(","))


def _fixed(module: Module, beside: Specification, name: str, text: str, codes: Codes) -> Value | ast.List:
    """The value for which the claim is; of a new list its display.  Raises ProgramError."""
    source, node = specified.parsed(module, beside, text, "fixed", name)
    named = _named(module, node)
    if named is not None:
        return named
    value = specification.value(module, source, node, f"the value of '{name}'", codes)
    if isinstance(value, ListLiteral) and all(map(_is_fixed, value.items)):
        if isinstance(node, ast.List) and all(isinstance(part, _WRITTEN_OUT) for part in ast.walk(node)):
            return ast.List([_WithoutDecimals(source).visit(item) for item in node.elts], ast.Load())
    if not _is_fixed(value):
        kinds = "a number, truth value, string, None, or a tuple or list of these"
        message = f"the value of '{name}' must be {kinds}"
        raise source.error(node, Refusal.WRONG_TYPE, message)
    return value


class _WithoutDecimals(ast.NodeTransformer):
    """Decimals as fractions: they are read where they stand, which is not in the file."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, float):
            return node
        number = Fraction(self.source.number(node))
        return ast.BinOp(ast.Constant(number.numerator), ast.Div(), ast.Constant(number.denominator))


_WRITTEN_OUT = (ast.List, ast.Tuple, ast.Constant, ast.UnaryOp, ast.unaryop, ast.expr_context)


def _named(module: Module, node: ast.expr) -> Value | None:
    """The function of the file or of a library, or the module of one that draws, that a name stands for."""
    if isinstance(node, ast.Name) and node.id in module.functions:
        function = module.functions[node.id]
        return FunctionValue(function, source=function.module.source)
    known = module.known(node)
    if known is not None and known.role is vocabulary.Role.STUB:
        return FunctionValue(module.library.function(known.name))
    return sources.of_module(module, known)


def _is_fixed(value: Value) -> bool:
    if isinstance(value, TupleValue):
        return all(map(_is_fixed, value.items))
    return isinstance(value, ScalarValue | LabelValue | NoneValue)


def _declared(
    module: Module,
    given: dict[str, ast.expr],
    named: tuple[Declared, ...],
    typed: Mapping[str, tuple[Module, ast.expr]],
) -> Declaration:
    adjacent = metrics.adjacency(module, given.get("adjacent"), named)
    codes = Codes()
    public, lists = name_inputs(module, named, adjacent, codes)
    inputs = read_inputs(module, named, adjacent, public, lists)
    parameters = inputs.parameters
    requires: ir.Expression = builders.TRUE
    domains: Mapping[str, ir.Domain] = {}
    if "requires" in given:
        required = read_required(module, given["requires"], public, named)
        requires, domains = required.requires, required.domains
    domains = domains_of_types(module, named, codes, domains)
    lists = with_domains(named, inputs.lists, domains)
    requires = builders.both(requires, inputs.lengths)
    epsilon = _claim(module, given.get("epsilon"), "epsilon", public)
    delta = _claim(module, given.get("delta"), "delta", public)
    divergence = _divergence(module, given, public)
    if public.kinds and given.get("facts") is not None:
        message = "facts beside parameters that are labels are not supported"
        raise module.source.error(given["facts"], Refusal.WRONG_FACTS, message)
    ghosts = read_ghosts(module, given.get("ghosts"), parameters)
    facts = read_facts(module, given.get("facts"), (*parameters, *ghosts))
    kinds = {name: kind for item in named if not item.is_list for name, kind in item.labels.items()}
    arrays = frozenset(name for name, (where, node) in typed.items() if is_array(where, node))
    open_arrays = tuple(name for name, (where, node) in typed.items() if is_open_array(where, node))
    unions = frozenset(name for name, (where, node) in typed.items() if is_union(where, node))
    return Declaration(
        parameters,
        requires,
        epsilon,
        delta,
        divergence,
        facts,
        ghosts,
        lists,
        domains,
        codes,
        kinds,
        tuple(item for item in named if item.named is not None and not item.is_list),
        arrays,
        open_arrays,
        unions,
    )


def _decorator_arguments(module: Module, function: Function) -> dict[str, ast.expr]:
    decorator = function.decorator
    if not isinstance(decorator, ast.Call):
        return {}
    if decorator.args:
        message = "'mechanism' takes named arguments only"
        raise module.source.error(decorator.args[0], Refusal.WRONG_CALL, message)
    return bind(module.source, decorator, "'mechanism'", ARGUMENTS, ARGUMENTS, ARGUMENTS)


def _claim(module: Module, node: ast.expr | None, what: str, public: Public) -> ir.Expression | None:
    if node is None or not _is_claimed(node):
        return None
    return specification.claim(module, node, what, public)


def _divergence(module: Module, given: dict[str, ast.expr], public: Public) -> ir.Divergence | None:
    claims = {name: _claim(module, given.get(name), name, public) for name in NOTIONS}
    found = [ir.Divergence(NOTIONS[name], bound) for name, bound in claims.items() if bound is not None]
    if not found:
        return None
    stated = [name for name in ("epsilon", "delta", *NOTIONS) if _is_claimed(given.get(name))]
    if len(stated) > 1:
        message = f"claims of {' and '.join(map(repr, stated))} in one mechanism are not supported"
        raise module.source.error(given[stated[1]], Refusal.WRONG_CLAIM, message)
    return found[0]


def _is_claimed(node: ast.expr | None) -> bool:
    return node is not None and not (isinstance(node, ast.Constant) and node.value is None)
