"""Facts that a user states about opaque functions: assumptions of the proof, in Python's syntax.

``facts`` of the decorator lists strings.  Names that are neither parameters nor ghosts range over all
integers.  A private function is read in one of the two runs, ``one(f(x))`` or ``two(f(x))``; a fact without
these holds in each run by itself.  ``ghosts`` declares unknowns, by name and type: for any two adjacent
inputs there are some of which the facts hold.  The program can't see them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend import expressions, shapes
from synth.trusted.frontend.checks import check_expression
from synth.trusted.frontend.context import Context, Scope
from synth.trusted.frontend.inference import Inference, UnresolvedError
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.parameters import read_type
from synth.trusted.frontend.source import Source, parse_expression
from synth.trusted.frontend.values import ParameterValue, ScalarValue, Value
from synth.trusted.program import syntax as ir

_RUNS = {"one": 1, "two": 2}


def read_ghosts(
    module: Module, node: ast.expr | None, parameters: tuple[ir.Parameter, ...]
) -> tuple[ir.Parameter, ...]:
    """The unknowns that facts may speak of.  Raises ProgramError."""
    if node is None:
        return ()
    if not isinstance(node, ast.Dict):
        raise module.source.error(
            node, Refusal.WRONG_FACTS, "'ghosts' must be a dict that maps names to types"
        )
    taken = {item.name for item in parameters}
    found = []
    for key, value in zip(node.keys, node.values, strict=True):
        if (
            not isinstance(key, ast.Constant)
            or not isinstance(key.value, str)
            or not key.value.isidentifier()
        ):
            raise module.source.error(
                key or value, Refusal.WRONG_FACTS, "a key of 'ghosts' must be a name, as a string"
            )
        if key.value in taken | _RUNS.keys():
            raise module.source.error(key, Refusal.WRONG_FACTS, f"the name '{key.value}' is taken")
        taken.add(key.value)
        kind, sort, arity = read_type(module, value, key.value)
        if kind is ir.ParameterKind.SEQUENCE:
            raise module.source.error(value, Refusal.WRONG_FACTS, "a ghost is a scalar or a function")
        found.append(ir.Parameter(key.value, kind, sort, arity, None, module.source.span(key)))
    return tuple(found)


def read_facts(
    module: Module, node: ast.expr | None, parameters: tuple[ir.Parameter, ...]
) -> tuple[ir.Fact, ...]:
    """The facts; ``parameters`` are those of the mechanism with the ghosts.  Raises ProgramError."""
    if node is None:
        return ()
    for item in parameters:
        if item.name in _RUNS:
            raise module.source.error(
                item.span, Refusal.WRONG_FACTS, f"with facts, no parameter may be called '{item.name}'"
            )
    for name in _RUNS:
        if name in module.functions or name in module.constants or name in module.blocked:
            raise module.source.error(
                node, Refusal.WRONG_FACTS, f"with facts, nothing in the file may be called '{name}'"
            )
    if not isinstance(node, ast.List | ast.Tuple):
        raise module.source.error(node, Refusal.WRONG_FACTS, "'facts' must be a list of strings")
    return tuple(fact for item in node.elts for fact in _facts(module, item, parameters))


def _facts(module: Module, node: ast.expr, parameters: tuple[ir.Parameter, ...]) -> Iterator[ir.Fact]:
    """The fact that a string states; one for each run, if it names none."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or not node.value.strip():
        raise module.source.error(
            node, Refusal.WRONG_FACTS, "a fact must be a string that holds an expression"
        )
    source = module.source.embedded(node, node.value)
    private = {item.name for item in parameters if item.metric is not None}
    marking = _Marking(private)
    parsed = marking.visit(parse_expression(source))
    if marking.idle is not None:
        raise source.error(
            marking.idle, Refusal.WRONG_FACTS, "one(…) and two(…) are for reads of private functions"
        )
    marked = {name.id for name in ast.walk(parsed) if isinstance(name, ast.Name)}
    plain = marked & private
    apart = any(ir.in_run(name, run) in marked for name in private for run in (1, 2))
    if plain and apart:
        name = min(plain)
        raise source.error(
            parsed,
            Refusal.WRONG_FACTS,
            f"'{name}' is read in neither run: write one({name}(…)) or two({name}(…))",
        )
    runs = (1, 2) if plain else (None,)
    for run in runs:
        condition = _condition(module, source, parsed, parameters, run)
        found = {item.name for item in ir.subexpressions(condition) if isinstance(item, ir.Variable)}
        variables = found - {item.name for item in parameters}
        trigger = _trigger(condition, variables)
        if trigger is None:
            message = "a fact must hold a function of exactly the names that are no parameters"
            raise source.error(parsed, Refusal.WRONG_FACTS, message)
        text = " ".join(node.value.split())
        yield ir.Fact(text, condition, trigger, not apart, module.source.span(node))


class _Marking(ast.NodeTransformer):
    """Reads of private functions inside one(…) and two(…) get the name of the run."""

    def __init__(self, private: set[str]) -> None:
        self.private = private
        self.run: int | None = None
        self.idle: ast.Call | None = None

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _RUNS:
                outer, self.run = self.run, _RUNS[name]
                if not any(
                    isinstance(part, ast.Name) and part.id in self.private for part in ast.walk(inner)
                ):
                    self.idle = node
                found: ast.expr = self.visit(inner)
                self.run = outer
                return found
            case _:
                self.generic_visit(node)
                return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if self.run is not None and node.id in self.private:
            return ast.copy_location(ast.Name(ir.in_run(node.id, self.run), ast.Load()), node)
        return node


def _condition(
    module: Module, source: Source, node: ast.expr, parameters: tuple[ir.Parameter, ...], run: int | None
) -> ir.Expression:
    check_expression(node, source)
    bindings = dict(_bindings(module, node, parameters, run))
    context = Context(
        module,
        source,
        Inference(),
        Scope(None, bindings=bindings),
        expressions.evaluate,
        lambda context, body: None,
    )
    if module.samples(node):
        raise source.error(node, Refusal.WRONG_FACTS, "a fact draws nothing")
    if module.calls(node):
        raise source.error(node, Refusal.WRONG_FACTS, "a fact calls no function of the file")
    try:
        value = expressions.evaluate(context, node)
    except UnresolvedError as unresolved:
        raise unresolved.error from None
    if not isinstance(value, ScalarValue) or value.expression.sort is not ir.Sort.BOOL:
        raise source.error(
            node, Refusal.WRONG_FACTS, f"a fact must be a truth value, not {shapes.describe_value(value)}"
        )
    if context.body:
        raise source.error(
            node,
            Refusal.WRONG_FACTS,
            "a fact holds no division, root or other operation that may be undefined",
        )
    return value.expression


def _bindings(
    module: Module, node: ast.expr, parameters: tuple[ir.Parameter, ...], run: int | None
) -> Iterator[tuple[str, Value]]:
    for item in parameters:
        if item.metric is not None and item.kind is ir.ParameterKind.FUNCTION:
            for side in (1, 2):
                marked = ir.in_run(item.name, side)
                yield marked, ParameterValue(_renamed(item, marked))
            if run is not None:
                yield item.name, ParameterValue(_renamed(item, ir.in_run(item.name, run)))
        elif item.metric is None and item.kind is ir.ParameterKind.FUNCTION:
            yield item.name, ParameterValue(item)
        elif item.metric is None and item.kind is ir.ParameterKind.SCALAR:
            yield item.name, ScalarValue(ir.Variable(item.name, item.sort))
    known = {item.name for item in parameters}
    known |= module.constants.keys() | module.functions.keys() | module.blocked.keys()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and ir.without_run(part.id)[1] is None and part.id not in known:
            if module.known(part) is None:
                yield part.id, ScalarValue(ir.Variable(part.id, ir.Sort.INT))


def _renamed(item: ir.Parameter, name: str) -> ir.Parameter:
    return ir.Parameter(name, item.kind, item.sort, item.arity, item.metric, item.span)


def _trigger(condition: ir.Expression, variables: set[str]) -> ir.Read | None:
    """The first function whose arguments are all the variables, each once."""
    for part in ir.subexpressions(condition):
        if isinstance(part, ir.Read):
            names = [item.name for item in part.index if isinstance(item, ir.Variable)]
            if len(names) == len(part.index) == len(variables) and set(names) == variables:
                return part
    return None
