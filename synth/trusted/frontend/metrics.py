"""Adjacency: what ``adjacent`` says about each private parameter."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from synth.trusted.errors import Refusal
from synth.trusted.frontend import specification
from synth.trusted.frontend.arguments import bind
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.parameters import Declared
from synth.trusted.frontend.specification import Public
from synth.trusted.frontend.vocabulary import METRICS, Role, suggestion
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

ADD_REMOVE = "add_remove_distance"
HAMMING = "hamming_distance"
SPARSE = "sparse_distance"
_SAME = {"insert_delete_distance": ADD_REMOVE}
"""Names that OpenDP has for what has a name here."""

_ELSEWHERE = {
    "symmetric_distance": "it compares lists in any order; where order is irrelevant, state"
    " 'insert_delete_distance(k)'",
    "l0_distance": "it says how many entries differ, and not how far: state 'sparse_distance(k, each)'",
    "l0inf_distance": "state 'sparse_distance(k, each)'",
    "l01inf_distance": "state 'sparse_distance(k, each)'",
    "l02inf_distance": "state 'sparse_distance(k, each)'",
}
"""Metrics of OpenDP that mean something else than any of these, or have another form."""


@dataclass(frozen=True)
class Stated:
    """An entry of ``adjacent``: the parameters that it names, and their metric, still unread."""

    names: tuple[str, ...]
    node: ast.expr


def adjacency(module: Module, node: ast.expr | None, parameters: Sequence[Declared]) -> tuple[Stated, ...]:
    """Read what ``adjacent`` names; each private parameter stands in one entry.  Raises ProgramError."""
    if node is None:
        return ()
    if not isinstance(node, ast.Dict):
        message = "'adjacent' must be a dict, such as {\"q\": linf_distance(1)}"
        raise module.source.error(node, Refusal.WRONG_ADJACENCY, message)
    known = [parameter.name for parameter in parameters]
    result: list[Stated] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            message = "a key of 'adjacent' must be the name of a parameter, as a string"
            raise module.source.error(key or value, Refusal.WRONG_ADJACENCY, message)
        names = tuple(name.strip() for name in key.value.split(","))
        for place, name in enumerate(names):
            if name not in known:
                hint = suggestion(name, known)
                message = f"'adjacent' names an unknown parameter '{name}'{hint}"
                raise module.source.error(key, Refusal.WRONG_ADJACENCY, message)
            if name in names[:place] or any(name in stated.names for stated in result):
                raise module.source.error(key, Refusal.WRONG_ADJACENCY, f"'adjacent' names '{name}' twice")
        result.append(Stated(names, value))
    return tuple(result)


def is_add_remove(module: Module, stated: Stated) -> bool:
    """Whether records may be missing in one of the runs.  Raises ProgramError for what is no metric."""
    return _name(module, stated.node) == ADD_REMOVE


def replaces_some(module: Module, stated: Stated, several: bool) -> bool:
    """Whether records may be replaced by others: flags then say which.

    One number that may be replaced is an entry that changes, unless there are ``several`` columns.  Raises
    ProgramError for what is no metric.
    """
    name, called = _name(module, stated.node), stated.node
    bare = isinstance(called, ast.Call) and not called.args and not called.keywords
    if name in (ir.MetricKind.CHANGE_ONE.value, HAMMING):
        return (several and bare) or (name == HAMMING and not bare)
    return name == SPARSE


def read_contribution(module: Module, stated: Stated, public: Public) -> ir.Metric:
    """The metric of the flags that say which records are there, or are others.  Raises ProgramError."""
    name, node = _name(module, stated.node), stated.node
    assert isinstance(node, ast.Call)
    bound = _bound(module, name, node)
    if "k" not in bound:
        return ONE_FLAG
    number = _not_negative(module, bound["k"], name, public)
    if number.sort is not ir.Sort.INT:
        message = f"the bound of {name} must be an integer: a number of records"
        raise module.source.error(bound["k"], Refusal.WRONG_ADJACENCY, message)
    if number == builders.ONE:
        return ONE_FLAG
    return ir.Metric(ir.MetricKind.L1, builders.convert(number, ir.Sort.REAL))


def read_reach(module: Module, stated: Stated | None, item: Declared, public: Public) -> ir.Expression | None:
    """How far entries of the two runs may be apart; None for any distance.  Raises ProgramError."""
    if stated is None or _name(module, stated.node) != SPARSE:
        return None
    assert isinstance(stated.node, ast.Call)
    node = _bound(module, SPARSE, stated.node)["each"]
    sort = item.columns[0].sort
    if len(item.columns) > 1 or len(stated.names) > 1 or sort is ir.Sort.BOOL or item.labels:
        message = f"'{SPARSE}' is for a list of numbers, which '{item.name}' is not"
        raise module.source.error(stated.node, Refusal.WRONG_ADJACENCY, message)
    reach = _not_negative(module, node, SPARSE, public)
    if sort is ir.Sort.INT and reach.sort is not ir.Sort.INT:
        message = f"the entries of '{item.name}' are integers: 'each' must be one, too"
        raise module.source.error(node, Refusal.WRONG_ADJACENCY, message)
    return builders.convert(reach, sort)


def _bound(module: Module, name: str, node: ast.Call) -> dict[str, ast.expr]:
    if name == SPARSE:
        return bind(module.source, node, f"'{name}'", ("k", "each"))
    if name in (ADD_REMOVE, HAMMING):
        return bind(module.source, node, f"'{name}'", ("k",), optional=("k",))
    return {}


def _not_negative(module: Module, node: ast.expr, name: str, public: Public) -> ir.Expression:
    """A distance, or a number of records.  Raises ProgramError."""
    found = specification.number(module, node, f"the bound of {name}", public)
    if isinstance(found, ir.Constant) and found.value < 0:
        raise module.source.error(node, Refusal.WRONG_ADJACENCY, f"the bound of {name} is negative")
    return found


SAME = ir.Metric(ir.MetricKind.LINF, builders.zero(ir.Sort.REAL))
"""Of entries that are equal in both runs, and private all the same."""

ONE_FLAG = ir.Metric(ir.MetricKind.CHANGE_ONE, builders.convert(builders.ONE, ir.Sort.REAL))
"""Of flags of which one differs."""


_OF_LABELS = (ir.MetricKind.DISCRETE, ir.MetricKind.CHANGE_ONE)
"""Without a bound these relate any two values."""


def read_metric(module: Module, node: ast.expr, parameter: ir.Parameter, public: Public) -> ir.Metric:
    """The metric of a private parameter.  Raises ProgramError."""
    name = _name(module, node)
    kind = ir.MetricKind.CHANGE_ONE if name == HAMMING else ir.MetricKind(name)
    assert isinstance(node, ast.Call)
    _check_fit(module, node, kind, parameter)
    if parameter.name in public.kinds and (kind not in _OF_LABELS or node.args or node.keywords):
        message = f"labels are equal or not: '{parameter.name}' is no number, and has no distance"
        raise module.source.error(node, Refusal.WRONG_ADJACENCY, message)
    names = _argument_names(kind)
    optional = ("monotone", "c") if kind is ir.MetricKind.CHANGE_ONE else ("monotone",)
    bound = bind(module.source, node, f"'{kind.value}'", names, optional=optional)
    if "c" not in bound:
        return ir.Metric(kind, None)
    distance = _not_negative(module, bound["c"], kind.value, public)
    monotone = _monotone(module, bound.get("monotone"))
    return ir.Metric(kind, builders.convert(distance, ir.Sort.REAL), monotone)


def _name(module: Module, node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    known = module.known(called)
    hidden = module.obstacle(called)
    if hidden is not None:
        raise hidden
    if known is None or known.role is not Role.METRIC:
        name = ast.unparse(called)
        hint = suggestion(name, METRICS)
        if name in METRICS:
            hint = "; add 'from synth.lang import *'"
        hint = f": {_ELSEWHERE[name]}" if name in _ELSEWHERE else hint
        raise module.source.error(node, Refusal.WRONG_ADJACENCY, f"unknown metric '{name}'{hint}")
    if not isinstance(node, ast.Call):
        raise module.source.error(node, Refusal.WRONG_ADJACENCY, f"the metric '{known.name}' must be called")
    return _SAME.get(known.name, known.name)


def _argument_names(kind: ir.MetricKind) -> tuple[str, ...]:
    if kind is ir.MetricKind.DISCRETE:
        return ()
    return ("c", "monotone") if kind is ir.MetricKind.LINF else ("c",)


def _check_fit(module: Module, node: ast.Call, kind: ir.MetricKind, parameter: ir.Parameter) -> None:
    scalar = parameter.kind is ir.ParameterKind.SCALAR
    fits, needed = {
        ir.MetricKind.ABSOLUTE: (scalar and parameter.sort is not ir.Sort.BOOL, "a number"),
        ir.MetricKind.DISCRETE: (scalar, "a number or a truth value"),
        ir.MetricKind.LINF: (not scalar, "a sequence or a function"),
        ir.MetricKind.L2: (parameter.kind is ir.ParameterKind.SEQUENCE, "a sequence"),
        ir.MetricKind.L1: (parameter.kind is ir.ParameterKind.SEQUENCE, "a sequence"),
        ir.MetricKind.CHANGE_ONE: (parameter.kind is ir.ParameterKind.SEQUENCE, "a sequence"),
    }[kind]
    if not fits:
        usual = (
            "a number has 'absolute_distance', a truth value 'discrete_distance', others have 'linf_distance'"
        )
        message = f"'{kind.value}' is for {needed}, which '{parameter.name}' is not; {usual}"
        raise module.source.error(node, Refusal.WRONG_ADJACENCY, message)


def _monotone(module: Module, node: ast.expr | None) -> bool:
    if node is None:
        return False
    if not isinstance(node, ast.Constant) or not isinstance(node.value, bool):
        raise module.source.error(node, Refusal.WRONG_ADJACENCY, "'monotone' must be True or False")
    return node.value
