"""Make plain Python run what the language means where the two differ.

``e + laplace(0, s)`` means ``laplace(e, s)``.  Left to Python, a float ``e`` would get *integer*
noise, and its fraction, which nothing hides, would be published.  An integer draw that turned
itself into a real one when a float is added could not tell this from ``noise = laplace(0, s)``
and ``q + noise``, where the integer may have been published already; only the source tells them
apart.  So the function is compiled again with such sums moved into the centre, as the reader of
:mod:`synth.trusted.frontend.sampling` does.

The reader gives every variable one type, Python gives every value its own: ``max(0, v)`` is real to
the reader, an ``int`` to Python where v is negative, and the noise would tell which.  So a centre
that the reader calls real is made a ``float``.  A helper whose draws are real in some calls and
integer in others is compiled apart for each of its calls.  In a file that the reader refuses, which
nothing is proved about, at least what is declared ``float`` becomes one.
"""

from __future__ import annotations

import ast
import copy
import inspect
import warnings
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from numbers import Integral
from threading import RLock
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from synth.lang.definition_text import text_of
from synth.lang.real_sites import Reading, copied, copy_name, reading_of

Sampler = Callable[..., Any]

_preparing = RLock()
_prepared: WeakSet[FunctionType] = WeakSet()
_trees: WeakKeyDictionary[FunctionType, ast.FunctionDef | None] = WeakKeyDictionary()


@dataclass(frozen=True)
class Samplers:
    """All samplers; those that have a centre to add to, and whose noise is symmetric."""

    every: frozenset[Sampler]
    centred: frozenset[Sampler]
    symmetric: frozenset[Sampler]


def prepare(function: FunctionType, samplers: Samplers, above: frozenset[FunctionType] = frozenset()) -> None:
    """Recompile a function, and those of its file that it calls, once; ``above`` are those that call it.

    Without source (a program typed at a prompt, say) it stays as it is; a RuntimeWarning says so
    if it draws noise.  Where anything is raised, on a full stack, say, it is done again the next time.
    """
    with _preparing:  # no other thread may run it unchanged meanwhile
        if function not in above and function not in _prepared:
            _rewrite(function, samplers, above | {function})
            _prepared.add(function)


def _rewrite(function: FunctionType, samplers: Samplers, above: frozenset[FunctionType]) -> None:
    names = _Names(function, samplers)
    tree = copy.deepcopy(_tree(function))
    reading = reading_of(function) if tree else None
    if tree and reading and reading.apart:
        _call_copies(names, tree)
    for helper in names.helpers(tree) if tree else names.named_helpers():
        prepare(helper, samplers, above)
    for method in _methods(function.__globals__):
        prepare(method, samplers, above)
    code = _compiled(function, _Centres(names, reading).visit(tree)) if tree else None
    if code is not None:
        function.__globals__.update(_CONVERSIONS)
        function.__code__ = code
    elif names.may_sample():
        warnings.warn(
            f"the source of {function.__name__} is not available: an integer draw added to a "
            "float stays an integer draw",
            RuntimeWarning,
            stacklevel=4,
        )


def _class_names(function: FunctionType) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the classes and methods of a function's file."""
    try:
        return _class_names_in(text_of(function))
    except (OSError, TypeError, ValueError, SyntaxError):
        return frozenset(), frozenset()


@lru_cache(maxsize=64)
def _class_names_in(text: str) -> tuple[frozenset[str], frozenset[str]]:
    from synth.trusted.frontend import private_names
    from synth.trusted.frontend.classes import names_in

    tree = ast.parse(text)
    private_names.expand(tree)
    return names_in(tree)


def _methods(names: Mapping[str, Any]) -> Iterator[FunctionType]:
    """The functions of the classes of a file."""
    for item in list(names.values()):
        if not isinstance(item, type) or item.__module__ != names.get("__name__"):
            continue
        for member in list(vars(item).values()):
            function = member.fget if isinstance(member, property) else member
            function = function.__func__ if isinstance(function, staticmethod | classmethod) else function
            if isinstance(function, FunctionType) and function.__globals__ is names and _tree(function):
                yield function


# --- names ----------------------------------------------------------------------------------


class _Names:
    """What the names in a function stand for while it runs."""

    def __init__(self, function: FunctionType, samplers: Samplers) -> None:
        self.samplers = samplers
        self.function = function
        code = function.__code__
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        outer = {name: cell.cell_contents for name, cell in cells if _is_filled(cell)}
        self.scope: Mapping[str, Any] = ChainMap(outer, function.__globals__)
        self.local = frozenset(code.co_varnames) | frozenset(code.co_cellvars)

    def target(self, node: ast.AST) -> Any:
        """What is called, None if ``node`` isn't a call of something global."""
        return None if self._is_hidden(node) else self._named(node)

    def _is_hidden(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.local

    def _named(self, node: ast.AST) -> Any:
        """What a call would be of if no local variable hid it."""
        return self._value(node.func) if isinstance(node, ast.Call) else None

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return self.scope.get(name)
            case ast.Attribute(value=ast.Name(id=owner)) if owner in self.local:
                return None
            case ast.Attribute(value=owner, attr=name):
                module = self._value(owner)
                return getattr(module, name, None) if isinstance(module, ModuleType) else None
        return None

    def helper(self, node: ast.AST) -> FunctionType | None:
        """The function of the same file that a call is of."""
        return self._of_file(self.target(node))

    def _of_file(self, target: Any) -> FunctionType | None:
        target = inspect.unwrap(target) if callable(target) else None
        same = getattr(target, "__globals__", None) is self.function.__globals__
        return target if same and isinstance(target, FunctionType) else None

    def helpers(self, tree: ast.AST) -> list[FunctionType]:
        """The functions of the same file that are called."""
        return [found for node in ast.walk(tree) if (found := self.helper(node)) is not None]

    def draws(self, node: ast.AST, kinds: frozenset[Sampler]) -> bool:
        """Whether ``node`` is a call of one of those samplers."""
        return _is_one_of(self.target(node), kinds)

    # Of a function without source there is the compiled code only.

    def named_helpers(self) -> list[FunctionType]:
        """The functions of the same file that the compiled code names."""
        named = (self._of_file(self.scope.get(name)) for name in _names_in(self.function.__code__))
        return [found for found in named if found is not None]

    def may_sample(self, above: frozenset[FunctionType] = frozenset()) -> bool:
        """Whether the compiled code, or that of a function that it names, names a sampler with a centre."""
        for name in _names_in(self.function.__code__):
            # What isn't global may be an attribute: `lang.laplace`.
            if name not in self.scope and any(made.__name__ == name for made in self.samplers.centred):
                return True
            if _is_one_of(self.scope.get(name), self.samplers.centred):
                return True
        known = above | {self.function}
        return any(
            _Names(helper, self.samplers).may_sample(known)
            for helper in self.named_helpers()
            if helper not in known
        )

    # Like the reader, these two take no notice of a local variable of the same name.

    def samples(self, tree: ast.AST, above: frozenset[FunctionType] = frozenset()) -> bool:
        """Whether a sample is drawn in ``tree``, here or in a function that it calls."""
        calls = [self._named(node) for node in ast.walk(tree)]
        if any(_is_one_of(target, self.samplers.every) for target in calls):
            return True
        for helper in {found for target in calls if (found := self._of_file(target)) is not None} - above:
            inner = _tree(helper)
            if inner is None:
                continue
            body = ast.Module(inner.body, [])
            if _Names(helper, self.samplers).samples(body, above | {helper}):
                return True
        return False

    def calls(self, tree: ast.AST) -> bool:
        """Whether a function of the same file is called in ``tree``."""
        from synth.trusted.frontend.classes import is_of_class

        of_classes = _class_names(self.function)
        return any(
            self._of_file(self._named(node)) is not None
            or (isinstance(node, ast.Call) and is_of_class(node, *of_classes))
            for node in ast.walk(tree)
        )


def _names_in(code: CodeType) -> Iterator[str]:
    """The globals and attributes that code names, functions in it included."""
    yield from (*code.co_names, *code.co_freevars)
    for item in code.co_consts:
        if isinstance(item, CodeType):
            yield from _names_in(item)


def _is_one_of(target: Any, kinds: frozenset[Sampler]) -> bool:
    return isinstance(target, FunctionType) and target in kinds


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018  (the only way to ask)
    except ValueError:
        return False
    return True


# --- copies of helpers ----------------------------------------------------------------------


def _call_copies(names: _Names, tree: ast.FunctionDef) -> None:
    """Let each call of a function of the same file be one of a copy of its own."""
    caller = names.function
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        helper = names.helper(call)
        inner = _tree(helper) if helper else None
        if helper is None or inner is None:
            continue
        name = copy_name(caller.__name__, call)
        made = FunctionType(
            helper.__code__, helper.__globals__, name, helper.__defaults__, helper.__closure__
        )
        made.__kwdefaults__ = helper.__kwdefaults__
        _trees[made] = copied(inner, name)
        caller.__globals__[name] = made
        call.func = ast.copy_location(ast.Name(name, ast.Load()), call.func)


# --- sums -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Term:
    """A term of a sum, with its sign."""

    negative: bool
    node: ast.expr


class _Centres(ast.NodeTransformer):
    """Moves what is added to a draw into its centre, and makes floats of centres that are real.

    Without a reading of the file, of what is declared so instead.
    """

    def __init__(self, names: _Names, reading: Reading | None) -> None:
        self.names = names
        self.reading = reading
        self.real: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A parameter of type float is real, whatever is given; those of a mechanism are Python's own."""
        kinds = tuple(_TYPES) if node.decorator_list else ("float",)
        given: tuple[ast.arg, ...] = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if self.reading is None:
            self.real = _declared_real(node)
        elif not node.decorator_list:
            # The lists of a helper have the types of what is given; its draws are known anyway.
            given = ()
        self.generic_visit(node)
        node.decorator_list = []
        prelude = [line for argument in given for line in _as_declared(argument, kinds)]
        node.body = [*prelude, *node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        """A variable of type float is real."""
        self.generic_visit(node)
        if node.value is not None and self._is_real(node.target):
            node.value = _converted("float", node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        """A variable of type float is real."""
        self.generic_visit(node)
        if all(map(self._is_real, node.targets)):
            node.value = _converted("float", node.value)
        return node

    def _is_real(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Name) and target.id in self.real

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """A draw, perhaps."""
        self.generic_visit(node)
        if self.names.draws(node, self.names.samplers.centred):
            self._settle(node)
        return node

    def _settle(self, draw: ast.Call) -> None:
        """Make a float of the centre if the draw is real."""
        if self.reading is not None and _has_center(draw):
            if self.reading.is_real(self.names.function.__name__, draw):
                _set_center(draw, _converted("floats", _center(draw)))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """A sum."""
        merged = self._merged(node)
        if merged is not None:
            return merged
        self.generic_visit(node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """``x += laplace(0, s)`` is ``x = x + laplace(0, s)``."""
        if isinstance(node.target, ast.Name):
            old = _placed(ast.Name(node.target.id, ast.Load()), node.target)
            merged = self._merged(_placed(ast.BinOp(old, node.op, node.value), node))
            if merged is not None:
                return _placed(ast.Assign([node.target], merged), node)
        self.generic_visit(node)
        return node

    def _merged(self, node: ast.BinOp) -> ast.expr | None:
        """The sum with the terms that draw nothing in the centre of its first draw."""
        terms = list(self._terms(node, False))
        chosen = next((term for term in terms if self._takes(term)), None)
        plain = [term for term in terms if not self.names.samples(term.node)]
        if chosen is None or not plain:
            return None
        if any(self.names.calls(term.node) for term in terms if term is not chosen):
            return None
        total: list[_Term] = []
        for term in terms:
            if term is chosen:
                total.append(_Term(False, self._around(chosen, plain, node)))
            elif term not in plain:
                total.append(_Term(term.negative, self.visit(term.node)))
        return _sum(total, node)

    def _around(self, chosen: _Term, plain: list[_Term], place: ast.BinOp) -> ast.expr:
        """The draw with those terms in its centre; all are evaluated in the order of the text."""
        draw = self.generic_visit(chosen.node)
        assert isinstance(draw, ast.Call)
        center = _center(draw)
        moved = [_Term(term.negative, self.visit(term.node)) for term in plain]
        terms = [*moved, _Term(chosen.negative, center)]
        values = sorted([*_arguments(draw), *(term.node for term in moved)], key=_position)
        names = {id(value): f"synth·{number}" for number, value in enumerate(values)}

        def named(value: ast.expr) -> ast.expr:
            return _placed(ast.Name(names[id(value)], ast.Load()), value)

        draw.args = list(map(named, draw.args))
        for item in draw.keywords:
            item.value = named(item.value)
        _set_center(draw, _sum([_Term(term.negative, named(term.node)) for term in terms], place))
        self._settle(draw)
        parameters = ast.arguments([], [ast.arg(name) for name in names.values()], None, [], [], None, [])
        return _placed(ast.Call(ast.Lambda(parameters, draw), values, []), place)

    def _takes(self, term: _Term) -> bool:
        samplers = self.names.samplers
        kinds = samplers.symmetric if term.negative else samplers.centred
        return self.names.draws(term.node, kinds) and _has_center(term.node)

    def _terms(self, node: ast.expr, negative: bool) -> Iterator[_Term]:
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
                if self.names.samples(node):
                    yield from self._terms(left, negative)
                    yield from self._terms(right, negative ^ isinstance(sign, ast.Sub))
                    return
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
                if self.names.samples(node):
                    yield from self._terms(operand, negative ^ isinstance(sign, ast.USub))
                    return
        yield _Term(negative, node)


def _has_center(call: ast.expr) -> bool:
    """Whether a sampler's call has a centre that can be told."""
    assert isinstance(call, ast.Call)
    if any(isinstance(item, ast.Starred) for item in call.args):
        return False
    names = [item.arg for item in call.keywords]
    return None not in names and (bool(call.args) or "center" in names)


def _center(call: ast.Call) -> ast.expr:
    if call.args:
        return call.args[0]
    return next(item.value for item in call.keywords if item.arg == "center")


def _set_center(call: ast.Call, center: ast.expr) -> None:
    if call.args:
        call.args[0] = center
    else:
        next(item for item in call.keywords if item.arg == "center").value = center


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(item.value for item in call.keywords)]


def _position(node: ast.expr) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def _sum(terms: list[_Term], place: ast.expr) -> ast.expr:
    """The sum of the terms, which tracebacks show at that place."""
    first, *rest = terms
    total = ast.UnaryOp(ast.USub(), first.node) if first.negative else first.node
    for term in rest:
        total = ast.BinOp(total, ast.Sub() if term.negative else ast.Add(), term.node)
    return _placed(total, place)


_Node = TypeVar("_Node", bound=ast.AST)


def _placed(made: _Node, place: ast.AST) -> _Node:
    """A node that was made, and those below it that have no place yet, at the place of what it stands for."""
    for node in ast.walk(made):
        if "lineno" in node._attributes and not hasattr(node, "lineno"):
            ast.copy_location(node, place)
    return made


# --- types ----------------------------------------------------------------------------------

_SEQUENCES = ("list", "List", "Sequence")  # as in synth.trusted.frontend.parameters


def _type(annotation: ast.expr | None) -> str:
    match annotation:
        case None:
            return ""
        case ast.Constant(value=str(text)):
            return text
    return ast.unparse(annotation)


def _declared_real(node: ast.FunctionDef) -> set[str]:
    """The parameters and variables of type float."""
    names = set()
    for item in ast.walk(node):
        match item:
            case ast.arg(arg=name, annotation=kind) if _type(kind) == "float":
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if _type(kind) == "float":
                names.add(name)
    return names


def _real(value: Any) -> float:
    """A number as a float."""
    try:
        return float(value)
    except OverflowError:
        raise ValueError("a number of type float is larger than any float") from None


def _integer(value: Any) -> Any:
    """An integer as one of Python's, which has no largest: those of arrays wrap around.  Others stay."""
    return int(value) if isinstance(value, Integral) else value


def _each(conversion: Callable[[Any], Any], values: Any) -> Any:
    """A value converted, or the values of a list."""
    return list(map(conversion, values)) if isinstance(values, Iterable) else conversion(values)


def _results(conversion: Callable[[Any], Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of which the results are converted."""
    return lambda *index: conversion(function(*index))


_TYPES: Mapping[str, Callable[[Any], Any]] = {"float": _real, "int": _integer, "bool": bool}
"""What makes a value of Python's own of what is given for a parameter of the type."""

_CONVERSIONS: Mapping[str, Callable[[Any], Any]] = {
    f"synth·{name}": made
    for kind, conversion in _TYPES.items()
    for name, made in (
        (kind, conversion),
        (f"{kind}s", partial(_each, conversion)),
        (f"{kind}_function", partial(_results, conversion)),
    )
}
"""What rewritten functions call, by names that hardly any program has."""


def _converted(name: str, value: ast.expr) -> ast.expr:
    return _placed(ast.Call(ast.Name(f"synth·{name}", ast.Load()), [value], []), value)


def _as_declared(argument: ast.arg, kinds: Iterable[str]) -> list[ast.stmt]:
    """What converts an argument whose declaration is of one of these types."""
    declared = _type(argument.annotation).replace(" ", "")
    head = declared.partition("[")[0].split(".")[-1]
    for kind in kinds:
        if declared == kind:
            name = kind
        elif head in _SEQUENCES and declared.endswith(f"[{kind}]"):
            name = f"{kind}s"
        elif head == "Callable" and declared.endswith(f",{kind}]"):
            name = f"{kind}_function"
        else:
            continue
        given = _placed(ast.Name(argument.arg, ast.Load()), argument)
        target = ast.Name(argument.arg, ast.Store())
        return [_placed(ast.Assign([target], _converted(name, given)), argument)]
    return []


# --- code -----------------------------------------------------------------------------------


def _tree(function: FunctionType) -> ast.FunctionDef | None:
    """The definition of a function, None if its source is not what it was compiled from."""
    if function not in _trees:
        _trees[function] = _parsed(function)
    return _trees[function]


def _parsed(function: FunctionType) -> ast.FunctionDef | None:
    code = function.__code__
    try:
        found = _definitions(text_of(function)).get((function.__name__, code.co_firstlineno))
    except (OSError, TypeError, ValueError, SyntaxError):
        return None
    if found is None:
        return None
    given = [item.arg for item in (*found.args.posonlyargs, *found.args.args, *found.args.kwonlyargs)]
    return found if given == list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]) else None


@lru_cache(maxsize=64)
def _definitions(text: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a file by name and first line, which compiled code has, too.

    Raises SyntaxError or ValueError for what is no file of Python.  Where a definition begins and ends only
    the parser knows: :func:`inspect.getsource` guesses.
    """
    from synth.trusted.frontend import private_names

    tree = ast.parse(text)
    named = [(node, node.name) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    private_names.expand(tree)
    for node, name in named:
        node.name = name  # code has the name that is written
    return {(name, _first_line(node)): node for node, name in named}


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(item.lineno for item in node.decorator_list)])


def _compiled(function: FunctionType, tree: ast.FunctionDef) -> CodeType | None:
    """Code that can take the place of the function's, from its changed definition."""
    old = function.__code__
    around = ast.parse(f"def around({', '.join(old.co_freevars)}): pass")
    assert isinstance(around.body[0], ast.FunctionDef)
    around.body[0].body = [tree]
    ast.fix_missing_locations(around)
    # Asserts are part of what is proved, also where `python -O` leaves those of other code out.
    compiled = compile(around, old.co_filename, "exec", dont_inherit=True, optimize=0)
    new = _inner(_inner(compiled, "around"), function.__name__)
    same = new.co_freevars == old.co_freevars
    return new.replace(co_name=old.co_name, co_qualname=old.co_qualname) if same else None


def _inner(code: CodeType, name: str) -> CodeType:
    return next(item for item in code.co_consts if isinstance(item, CodeType) and item.co_name == name)
