"""Domains of private inputs in ``requires``: ``0 <= x < k``, ``all(0 <= v <= b for v in data)``.

Of a list or an array, ``0 <= x < k`` says so of each entry, as numpy does.  The entries of public lists have
domains, too: positions, say, that are inside of another list.

What is stated of each run's private data is no precondition of the core program: where the data are read,
they are moved to the nearest value inside.  Why that is the same claim: docs/certificates.md ("Domains").
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import specification
from synth.trusted.frontend.labels import Codes, LabelType, consecutive
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.parameters import Declared
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.specification import Public
from synth.trusted.frontend.values import LabelValue, ListLiteral, TupleValue
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_BOUND_PARTS = (
    ast.Name,
    ast.Constant,
    ast.BinOp,
    ast.UnaryOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.USub,
    ast.Load,
)
"""What a bound is made of: sums and products have a value whatever the parameters are."""


@dataclass(frozen=True)
class Required:
    """What ``requires`` says of public parameters, and by columns what it says of private data.

    ``requires`` also says that there is a value inside of each domain of a number.
    """

    requires: ir.Expression
    domains: Mapping[str, ir.Domain]


@dataclass(frozen=True)
class _Reading:
    module: Module
    source: Source
    public: Public
    columns: Mapping[str, ir.Parameter]
    kinds: Mapping[str, LabelType]
    """By their names: private numbers, and lists of which each entry is meant; in ``all`` the components."""


def read_required(module: Module, node: ast.expr, public: Public, declared: Sequence[Declared]) -> Required:
    """Read ``requires``.  Raises ProgramError."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip()):
        return Required(specification.condition(module, node, public), {})
    source = module.source.embedded(node, node.value)
    limited = {item.name: item for item in declared if item.name in public.private or item.is_list}
    single = {
        name: item.columns[0]
        for name, item in limited.items()
        if not item.is_tuple
        and item.columns[0].kind is not ir.ParameterKind.FUNCTION
        and item.columns[0].sort is not ir.Sort.BOOL
    }
    reading = _Reading(module, source, public, single, public.kinds)
    domains: dict[str, ir.Domain] = {}
    rest: list[ir.Expression] = []
    for part in _conjuncts(specification.parse_over(source, public)):
        found = list(_domains(reading, part, limited))
        for domain in found:
            _add(reading, part, domains, domain)
        if not found:
            rest.append(specification.required(module, source, part, public))
    inside = [_has_values(reading, node, domain, public) for domain in domains.values()]
    return Required(builders.both(*rest, *inside), domains)


def _conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for part in node.values:
            yield from _conjuncts(part)
    else:
        yield node


def _domains(reading: _Reading, node: ast.expr, limited: Mapping[str, Declared]) -> Iterator[ir.Domain]:
    """What a part says of private data and of entries; nothing if it is about other parameters."""
    match node:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.In()]) if (
            name in limited and limited[name].is_list and name not in reading.kinds
        ):
            message = f"of each entry 'in' is stated so: all(v in ... for v in {name})"
            raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)
        case ast.Compare():
            yield from _compared(reading, node, ast.unparse(node))
        case ast.Call(
            func=ast.Name(id="all"),
            args=[
                ast.GeneratorExp(
                    elt=elt,
                    generators=[ast.comprehension(target=target, iter=ast.Name(id=name), ifs=[], is_async=0)],
                )
            ],
            keywords=[],
        ) if name in limited and limited[name].is_list and _is_builtin(reading.module, "all"):
            inner = replace(reading, columns=_components(limited[name], target))
            for part in _conjuncts(elt):
                found = list(_compared(inner, part, ast.unparse(node)))
                if not found:
                    message = "of each entry only 'low <= v <= high' can be stated, with public bounds"
                    raise reading.source.error(part, Refusal.WRONG_REQUIRES, message)
                yield from found


def _is_builtin(module: Module, name: str) -> bool:
    return name not in module.functions and name not in module.constant_nodes


def _components(item: Declared, target: ast.expr) -> dict[str, ir.Parameter]:
    match target:
        case ast.Name(id=name) if not item.is_tuple:
            names = [name]
        case ast.Tuple(elts=elts) if item.is_tuple and all(isinstance(part, ast.Name) for part in elts):
            names = [part.id for part in elts if isinstance(part, ast.Name)]
        case _:
            return {}
    if len(names) != len(item.columns) or len(set(names)) < len(names):
        return {}
    return dict(zip(names, item.columns, strict=True))


def _compared(reading: _Reading, node: ast.expr, shown: str) -> Iterator[ir.Domain]:
    """The domain that a comparison states: of one private number, between public ones."""
    if not isinstance(node, ast.Compare) or len(node.ops) > 2:
        return
    operands = [node.left, *node.comparators]
    places = [
        place
        for place, item in enumerate(operands)
        if isinstance(item, ast.Name) and item.id in reading.columns
    ]
    if len(places) != 1 or (len(operands) == 3 and places != [1]):
        return
    (place,) = places
    named = operands[place]
    assert isinstance(named, ast.Name)
    column = reading.columns[named.id]
    if column.name in reading.kinds:
        yield _of_labels(reading, node, column, shown)
        return
    if column.sort is ir.Sort.BOOL:
        return
    if isinstance(node.ops[0], ast.In) and place == 0 and len(operands) == 2:
        yield ir.Domain(column.name, *_members(reading, operands[1], column), shown)
        return
    low = high = None
    for number, operator in enumerate(node.ops):
        before = number + 1 == place
        bound = _bound(reading, operands[number if before else number + 1], column)
        match operator:
            case ast.LtE() | ast.Lt() if before:
                low = _inside(reading, node, bound, operator, column, 1)
            case ast.LtE() | ast.Lt():
                high = _inside(reading, node, bound, operator, column, -1)
            case ast.GtE() | ast.Gt() if before:
                high = _inside(reading, node, bound, operator, column, -1)
            case ast.GtE() | ast.Gt():
                low = _inside(reading, node, bound, operator, column, 1)
            case _:
                message = "of private data only '<', '<=', '>' and '>=' can be stated"
                raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)
    yield ir.Domain(column.name, low, high, shown)


def _members(reading: _Reading, node: ast.expr, column: ir.Parameter) -> tuple[ir.Expression, ir.Expression]:
    """The least and the largest number of ``range(k)``, ``range(low, end)`` or ``(0, 1)``, for integers."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[*low, end], keywords=[]) if (
            len(low) <= 1 and _is_builtin(reading.module, "range") and column.sort is ir.Sort.INT
        ):
            first = [_bound(reading, item, column) for item in low] or [builders.ZERO]
            return first[0], builders.subtract(_bound(reading, end, column), builders.ONE)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) if column.sort is ir.Sort.INT:
            numbers = [part.value if isinstance(part, ast.Constant) else None for part in parts]
            ends = consecutive(number for number in numbers if type(number) is int)
            if ends is not None and all(type(number) is int for number in numbers):
                return builders.integer(ends[0]), builders.integer(ends[1])
    message = "of private numbers only 'in' a range, or consecutive integers that are listed, can be stated"
    raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)


def _of_labels(reading: _Reading, node: ast.Compare, column: ir.Parameter, shown: str) -> ir.Domain:
    """The domain that ``x in ("yes", "no")`` states."""
    kind = reading.kinds[column.name]
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In) or not isinstance(node.left, ast.Name):
        message = f"of the labels '{column.name}' only 'in' a tuple of them can be stated"
        raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)
    value = specification.value(
        reading.module, reading.source, node.comparators[0], "requires", reading.public.codes
    )
    items = value.items if isinstance(value, TupleValue | ListLiteral) else ()
    codes = [
        int(item.code.value)
        for item in items
        if isinstance(item, LabelValue) and item.kind is kind and isinstance(item.code, ir.Constant)
    ]
    ends = consecutive(codes)
    if ends is None or len(codes) < len(items):
        message = "the labels in a domain must be listed, and in the order of their type or first mention"
        raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)
    return ir.Domain(column.name, builders.integer(ends[0]), builders.integer(ends[1]), shown)


def domains_of_types(
    module: Module, declared: Sequence[Declared], codes: Codes, stated: Mapping[str, ir.Domain]
) -> Mapping[str, ir.Domain]:
    """Return the domains, and those of Enums and literals unless a narrower one is stated.

    Raises ProgramError.
    """
    found = dict(stated)
    for item in declared:
        for column in item.columns:
            kind, texts = item.labels.get(column.name), item.allowed.get(column.name, ())
            if column.name in found or kind is None or not (kind.is_enumeration or texts):
                continue
            ends = consecutive([*range(len(kind.members)), *map(codes.code, texts)])
            if ends is None:
                message = f"the labels of '{item.name}' are mentioned in another order before"
                raise module.source.error(column.span, Refusal.WRONG_REQUIRES, message)
            of = f"{item.name} in {kind.name if kind.is_enumeration else repr(texts)}"
            low, high = map(builders.integer, ends)
            found[column.name] = ir.Domain(column.name, low, high, of)
    return found


def _bound(reading: _Reading, node: ast.expr, column: ir.Parameter) -> ir.Expression:
    parts = list(_parts(node))
    if not all(isinstance(part, _BOUND_PARTS) for part in parts) or any(
        isinstance(part, ast.Name) and part.id in reading.columns for part in parts
    ):
        message = "a bound of data must be a sum or product of public parameters, numbers and lengths"
        raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)
    bound = specification.number_in(
        reading.module, reading.source, node, "a bound in requires", reading.public
    )
    if column.sort is ir.Sort.INT and bound.sort is not ir.Sort.INT:
        raise reading.source.error(node, Refusal.WRONG_REQUIRES, "a bound of integers must be an integer")
    return builders.convert(bound, column.sort)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """What a bound is made of, but for the lists of which it has the lengths."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
            return
    yield node
    for part in ast.iter_child_nodes(node):
        yield from _parts(part)


def _inside(
    reading: _Reading,
    node: ast.expr,
    bound: ir.Expression,
    operator: ast.cmpop,
    column: ir.Parameter,
    step: int,
) -> ir.Expression:
    """The last value inside: of integers one further where the bound is left out."""
    if isinstance(operator, ast.LtE | ast.GtE):
        return bound
    if column.sort is not ir.Sort.INT:
        message = "of private reals a bound must be included: write '<=' or '>='"
        raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)
    return builders.add(bound, builders.integer(step))


def _add(reading: _Reading, node: ast.expr, domains: dict[str, ir.Domain], domain: ir.Domain) -> None:
    known = domains.get(domain.parameter)
    if known is None:
        domains[domain.parameter] = domain
        return
    if (known.low is not None and domain.low is not None) or (
        known.high is not None and domain.high is not None
    ):
        message = "two bounds of private data on one side: state the one that counts"
        raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)
    low = known.low if known.low is not None else domain.low
    high = known.high if known.high is not None else domain.high
    domains[domain.parameter] = ir.Domain(domain.parameter, low, high, f"{known.text} and {domain.text}")


def _has_values(reading: _Reading, node: ast.expr, domain: ir.Domain, public: Public) -> ir.Expression:
    """What says that there is a value inside, where there are some; nothing is said of private lists."""
    column = next(item for item in public.parameters if item.name == domain.parameter)
    is_private = not public.private.isdisjoint((column.name, column.name.rpartition(".")[0]))
    if domain.low is None or domain.high is None:
        return builders.TRUE
    if is_private and builders.less(domain.low, domain.high) == builders.FALSE:
        message = f"no two different inputs satisfy '{domain.text}'"
        raise reading.source.error(node, Refusal.WRONG_REQUIRES, message)
    some = builders.less_equal(domain.low, domain.high)
    if column.kind is ir.ParameterKind.SCALAR:
        return some
    none = builders.less_equal(ir.Length(column.name), builders.ZERO)
    return builders.TRUE if is_private else builders.either(none, some)
