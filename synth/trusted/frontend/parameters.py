"""Parameter annotations of mechanisms."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import sources
from synth.trusted.frontend.classes import Class, Kind
from synth.trusted.frontend.evaluated import check_annotation
from synth.trusted.frontend.labels import STRINGS, LabelType
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.source import parse_expression
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import INIT

_SORTS = {"int": ir.Sort.INT, "float": ir.Sort.REAL, "bool": ir.Sort.BOOL}
_WIDER = ("bool", "int", "float")
_SEQUENCES = ("list", "List", "Sequence")
_ARRAYS = ("NDArray", "ndarray")
_ENTRIES = {
    "float": ir.Sort.REAL,
    "float64": ir.Sort.REAL,
    "float32": ir.Sort.REAL,
    "floating": ir.Sort.REAL,
    "double": ir.Sort.REAL,
    "int": ir.Sort.INT,
    "int64": ir.Sort.INT,
    "int32": ir.Sort.INT,
    "int_": ir.Sort.INT,
    "integer": ir.Sort.INT,
    "bool": ir.Sort.BOOL,
    "bool_": ir.Sort.BOOL,
}
"""What the entries of an array are, by the last name of their type."""
_TUPLES = ("tuple", "Tuple")
_MAPPINGS = ("dict", "Dict", "Mapping")
_OF_OBJECTS = ("__post_init__", "__repr__", "__str__")
"""Special methods that matter only where an object is made or shown, not where it is a parameter."""


@dataclass(frozen=True)
class Declared:
    """A parameter of a Python function, by the parameters of the core program that hold its components.

    ``is_tuple`` says of a list that its entries are tuples, also of one component; else that it is a tuple.
    ``kinds`` are the types of the components that are labels, and ``literals`` the strings that ``Literal``
    allows.  ``named`` is the class of entries, or of the parameter, that are named tuples or objects.
    """

    name: str
    columns: tuple[ir.Parameter, ...]
    is_tuple: bool = False
    kinds: tuple[LabelType | None, ...] = ()
    literals: tuple[tuple[str, ...], ...] = ()
    named: Class | None = None

    @property
    def labels(self) -> dict[str, LabelType]:
        """The types of the columns that hold labels."""
        pairs = zip(self.columns, self.kinds, strict=False)
        return {column.name: kind for column, kind in pairs if kind is not None}

    @property
    def allowed(self) -> dict[str, tuple[str, ...]]:
        """The strings that a column may have, where its type lists them."""
        pairs = zip(self.columns, self.literals, strict=False)
        return {column.name: texts for column, texts in pairs if texts}

    @property
    def is_record(self) -> bool:
        """Whether it is a list of tuples."""
        return self.is_tuple and self.is_list

    @property
    def is_list(self) -> bool:
        """Whether it is a list."""
        return self.columns[0].kind is ir.ParameterKind.SEQUENCE


def read_parameters(
    module: Module,
    function: Function,
    beside: Module | None = None,
    types: Mapping[str, ast.expr] | None = None,
    left_out: Collection[str] = (),
) -> tuple[Declared, ...]:
    """The parameters of a mechanism; their metrics are still missing.

    ``types`` are stated ``beside`` the file, and take the place of annotations; some parameters are left out.
    Raises ProgramError.
    """
    stated = types if types and beside else {}
    kept = [argument for argument in function.parameters if argument.arg not in left_out]
    typed = [(argument, stated.get(argument.arg) or argument.annotation) for argument in kept]
    bare = [argument for argument, node in typed if node is None]
    if bare:
        raise module.source.error(bare[0], Refusal.MISSING_ANNOTATION, _lack(bare))
    return tuple(
        _declared(
            beside if beside and argument.arg in stated else module,
            node,
            argument.arg,
            module.source.span(argument),
        )
        for argument, node in typed
        if node is not None and sources.of_type(module, node) is None
    )


def _lack(bare: Sequence[ast.arg]) -> str:
    """All parameters without a type, and how to say it without a change of the file."""
    names = ", ".join(f"'{item.arg}'" for item in bare)
    options = " ".join(f"--type {item.arg}=TYPE" for item in bare)
    lack = (
        f"parameter {names} lacks a type annotation" if len(bare) == 1 else f"parameters {names} lack types"
    )
    return f"the {lack}; beside the code: {options}, where TYPE is float, int, bool, str, 'list[float]', …"


def _declared(module: Module, node: ast.expr, name: str, span: ir.Span) -> Declared:
    """The parameter of that type.  Raises ProgramError."""
    items = _tuple(module, node)
    if items:
        scalars = (
            ir.Parameter(f"{name}[{place}]", ir.ParameterKind.SCALAR, sort, 0, None, span)
            for place, sort in enumerate(items)
        )
        return Declared(name, tuple(scalars), is_tuple=True)
    found = _object(module, node)
    if found is not None:
        return _of_object(module, node, found, name, span)
    components = _record(module, node)
    if components:
        columns = tuple(
            ir.Parameter(f"{name}.{place}", ir.ParameterKind.SEQUENCE, item.sort, 1, None, span)
            for place, item in enumerate(components)
        )
        declared = Declared(name, columns, is_tuple=True, named=_named(module, _spelled(module, node)))
        return _labelled(declared, components)
    labels = _labels(module, _spelled(module, node), name, span)
    if labels is not None:
        return labels
    kind, sort, arity = read_type(module, node, name)
    return Declared(name, (ir.Parameter(name, kind, sort, arity, None, span),))


def _tuple(module: Module, node: ast.expr) -> tuple[ir.Sort, ...]:
    """The sorts of the items of a tuple of numbers; none of another type.  Raises ProgramError."""
    check_annotation(module.source, node)
    match _spelled(module, node):
        case ast.Subscript(value=head, slice=ast.Tuple(elts=[_, *_] as parts)) if _last_name(head) in _TUPLES:
            sorts = [_sort(_spelled(module, part)) for part in parts]
            return tuple(sort for sort in sorts if sort is not None) if None not in sorts else ()
        case _:
            return ()


@dataclass(frozen=True)
class _Component:
    """The type of a scalar: a sort, and of labels their type and the strings that are allowed."""

    sort: ir.Sort
    kind: LabelType | None = None
    texts: tuple[str, ...] = ()


def _labelled(declared: Declared, components: Sequence[_Component]) -> Declared:
    """The parameter, with what its types say of labels."""
    kinds, texts = (item.kind for item in components), (item.texts for item in components)
    return replace(declared, kinds=tuple(kinds), literals=tuple(texts))


def _labels(module: Module, node: ast.expr, name: str, span: ir.Span) -> Declared | None:
    """A parameter that is a label, or a list of labels; None for another type."""
    kind, arity = ir.ParameterKind.SCALAR, 0
    match node:
        case ast.Subscript(value=head, slice=inner) if _last_name(head) in _SEQUENCES:
            kind, arity, node = ir.ParameterKind.SEQUENCE, 1, inner
        case ast.Subscript(value=head, slice=ast.Tuple(elts=[inner, ast.Constant(value=value)])) if (
            _last_name(head) in _TUPLES and value is ...
        ):
            kind, arity, node = ir.ParameterKind.SEQUENCE, 1, inner
    found = _component(module, node)
    if found is None or found.kind is None:
        return None
    column = ir.Parameter(name, kind, found.sort, arity, None, span)
    return _labelled(Declared(name, (column,)), (found,))


def _component(module: Module, node: ast.expr) -> _Component | None:
    """The type of a scalar, or of an entry; None if it is another type.  Raises ProgramError."""
    node = _spelled(module, node)
    match node:
        case ast.Name(id="str"):
            _check_own(module, node)
            return _Component(ir.Sort.INT, STRINGS)
        case ast.Name(id=name) if name in module.classes and module.classes[name].labels is not None:
            return _Component(ir.Sort.INT, module.classes[name].labels)
        case ast.Subscript(value=head, slice=inner) if _last_name(head) == "Literal":
            items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            texts = [item.value for item in items if isinstance(item, ast.Constant)]
            strings = tuple(text for text in texts if isinstance(text, str))
            return _Component(ir.Sort.INT, STRINGS, strings) if len(strings) == len(items) else None
        case _:
            sort = _sort(node)
            return None if sort is None else _Component(sort)


def _record(module: Module, node: ast.expr) -> tuple[_Component, ...]:
    """The types of the components of a list of tuples; none of another type.  Raises ProgramError."""
    check_annotation(module.source, node)
    match _spelled(module, node):
        case ast.Subscript(
            value=head, slice=ast.Subscript(value=inner, slice=ast.Tuple(elts=[_, *_] as parts))
        ) if _last_name(head) in _SEQUENCES and _last_name(inner) in _TUPLES:
            found = [_component(module, part) for part in parts]
            return tuple(item for item in found if item is not None) if None not in found else ()
        case ast.Subscript(value=head, slice=ast.Subscript(value=inner, slice=ast.Name() as only)) if (
            _last_name(head) in _SEQUENCES and _last_name(inner) in _TUPLES
        ):
            single = _component(module, only)
            return () if single is None else (single,)
        case spelled if (named := _named(module, spelled)) is not None:
            return _fields(module, node, named)
        case _:
            return ()


def _named(module: Module, node: ast.expr) -> Class | None:
    """The named tuple or dataclass of the file of which a type is a list; None for another type."""
    match node:
        case ast.Subscript(value=head, slice=ast.Name(id=name)) if _last_name(head) in _SEQUENCES:
            found = module.classes.get(name)
            return found if found is not None and found.kind in (Kind.TUPLE, Kind.DATA) else None
        case _:
            return None


def _object(module: Module, node: ast.expr) -> Class | None:
    """The named tuple or dataclass of the file that a type is; None for another type."""
    match _spelled(module, node):
        case ast.Name(id=name):
            found = module.classes.get(name)
            return found if found is not None and found.kind in (Kind.TUPLE, Kind.DATA) else None
        case _:
            return None


def _of_object(module: Module, node: ast.expr, named: Class, name: str, span: ir.Span) -> Declared:
    """A parameter that is an object: a scalar stands for each field.  Raises ProgramError."""
    components = () if name == INIT else _fields(module, node, named, allowed=_OF_OBJECTS)
    if not components:
        message = (
            f"the type '{named.name}' of '{name}' is not supported: its fields must be numbers or labels"
        )
        raise module.source.error(node, Refusal.UNSUPPORTED_TYPE, message)
    columns = tuple(
        ir.Parameter(f"{name}.{item.name}", ir.ParameterKind.SCALAR, part.sort, 0, None, span)
        for item, part in zip(named.fields, components, strict=True)
    )
    return _labelled(Declared(name, columns, is_tuple=True, named=named), components)


def _fields(
    module: Module, node: ast.expr, named: Class, allowed: Collection[str] = ()
) -> tuple[_Component, ...]:
    """The types of the fields of a record or object; none if one isn't read.

    Raises ProgramError, also for special methods that are not allowed.
    """
    if named.flaw is not None:
        raise named.flaw
    own = {name for each in named.line for name in (*each.methods, *each.values, *each.unread)}
    if any(name.startswith("__") for name in own.difference(allowed)):
        message = f"'{named.name}' is not supported as the type of a parameter, since it has special methods"
        raise module.source.error(node, Refusal.UNSUPPORTED_TYPE, message)
    found = []
    for item in named.fields:
        if item.annotation is None:
            return ()
        _check_own(module, item.annotation)
        found.append(_component(module, item.annotation))
    return tuple(item for item in found if item is not None) if None not in found else ()


def read_type(module: Module, node: ast.expr, name: str) -> tuple[ir.ParameterKind, ir.Sort, int]:
    """Kind, sort and number of indices that a type stands for.  Raises ProgramError."""
    check_annotation(module.source, node)
    node = _spelled(module, node)
    _check_own(module, node)
    sort = _sort(node)
    if sort is not None:
        return ir.ParameterKind.SCALAR, sort, 0
    match node:
        case ast.Subscript(value=head, slice=inner) if _last_name(head) in _SEQUENCES:
            sort = _sort(inner)
            if sort is not None:
                return ir.ParameterKind.SEQUENCE, sort, 1
        case ast.Subscript(value=head, slice=ast.Tuple(elts=[ast.List(elts=inputs), result])) if (
            _last_name(head) == "Callable"
        ):
            sort = _sort(result)
            if inputs and sort is not None and all(_sort(i) is ir.Sort.INT for i in inputs):
                return ir.ParameterKind.FUNCTION, sort, len(inputs)
    entries = _array(node)
    if entries is not None:
        return ir.ParameterKind.SEQUENCE, entries, 1
    message = f"the type '{ast.unparse(node)}' of '{name}' is not supported"
    head = node.value if isinstance(node, ast.Subscript) else node
    if _last_name(head) in _MAPPINGS:
        message += ": pass its values as a list, in a public order of the keys"
    if any(isinstance(part, ast.expr) and _last_name(part) == "Callable" for part in ast.walk(node)):
        message += (
            ": pass what is computed, as list[float], or a function of indices, as Callable[[int], float]; "
            "of all data, pass the result, with how far it moves: absolute_distance(c)"
        )
    raise module.source.error(node, Refusal.UNSUPPORTED_TYPE, message)


def _check_own(module: Module, node: ast.expr) -> None:
    """Refuse Python's types where the file gives their names another meaning.  Raises ProgramError."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in (*_WIDER, "list", "str"):
            bound = part.id in module.functions or part.id in module.constant_nodes
            hidden = module.obstacle(part)
            if bound or hidden is not None:
                message = f"'{part.id}' is bound in the file, and is another type than Python's"
                raise hidden or module.source.error(node, Refusal.UNSUPPORTED_TYPE, message)


def _spelled(module: Module, node: ast.expr) -> ast.expr:
    """A type without quotes, ``Annotated``, and unions of numbers: these are of the widest type in them."""
    match node:
        case ast.Constant(value=str(text)):
            source = module.source.embedded(node, text)
            inner = parse_expression(source)
            check_annotation(source, inner)
            for part in ast.walk(inner):
                ast.copy_location(part, node)
            return _spelled(module, inner)
        case ast.Subscript(value=head, slice=ast.Tuple(elts=[first, *_])) if _last_name(head) == "Annotated":
            return _spelled(module, first)
        case ast.Subscript(value=head, slice=ast.Tuple(elts=parts)) if _last_name(head) == "Union":
            return _widest(module, node, parts)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _widest(module, node, [left, right])
        case ast.Name(id=name) if name in module.aliases:
            return _spelled(module, module.aliases[name])
        case ast.Subscript(value=head, slice=inner) if _last_name(head) in _SEQUENCES:
            return ast.copy_location(ast.Subscript(head, _spelled(module, inner), ast.Load()), node)
        case _:
            return node


def _widest(module: Module, node: ast.expr, parts: list[ast.expr]) -> ast.expr:
    spelled = [_spelled(module, part) for part in parts]
    names = [part.id if isinstance(part, ast.Name) else "" for part in spelled]
    if not set(names) <= _SORTS.keys():
        return node
    return spelled[max(range(len(names)), key=lambda place: _WIDER.index(names[place]))]


def is_union(module: Module, node: ast.expr) -> bool:
    """Whether numbers of several types may be given, as for ``int | float``, also in a list or a field."""
    match node:
        case ast.Constant(value=str(text)):
            return is_union(module, parse_expression(module.source.embedded(node, text)))
        case ast.Subscript(value=head) if _last_name(head) == "Literal":
            return False
        case ast.Subscript(value=head, slice=ast.Tuple(elts=[first, *_])) if _last_name(head) == "Annotated":
            return is_union(module, first)
        case ast.Name(id=name) if name in module.aliases:
            return is_union(module, module.aliases[name])
        case ast.Name(id=name) if name in module.classes:
            fields = (item.annotation for item in module.classes[name].fields)
            return any(is_union(module, item) for item in fields if item is not None)
        case ast.BinOp(op=ast.BitOr()):
            return True
        case _:
            parts = (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
            return _last_name(node) == "Union" or any(is_union(module, part) for part in parts)


def is_array(module: Module, node: ast.expr) -> bool:
    """Whether a type is one of arrays."""
    return _array(_spelled(module, node)) is not None


def is_open_array(module: Module, node: ast.expr) -> bool:
    """Whether a type is one of arrays, and doesn't say of which entries: then they are numbers of float64."""
    return _last_name(_spelled(module, node)) in _ARRAYS


def _array(node: ast.expr) -> ir.Sort | None:
    """The entries of ``NDArray[np.float64]``, ``np.ndarray[Any, np.dtype[np.float64]]`` or ``np.ndarray``."""
    match node:
        case ast.Name() | ast.Attribute() if _last_name(node) in _ARRAYS:
            return ir.Sort.REAL
        case ast.Subscript(value=head, slice=inner) if _last_name(head) == _ARRAYS[0]:
            return _ENTRIES.get(_last_name(inner))
        case ast.Subscript(value=head, slice=ast.Tuple(elts=[_, ast.Subscript(value=kind, slice=inner)])) if (
            _last_name(head),
            _last_name(kind),
        ) == (_ARRAYS[1], "dtype"):
            return _ENTRIES.get(_last_name(inner))
        case _:
            return None


def _sort(node: ast.expr) -> ir.Sort | None:
    return _SORTS.get(node.id) if isinstance(node, ast.Name) else None


def _last_name(node: ast.expr) -> str:
    """The name, or what follows the last dot of ``typing.List``."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
