"""Make plain Python run what the language means where the two differ.

``e + laplace(0, s)`` means ``laplace(e, s)``.  Left to Python, a float ``e`` would get *integer*
noise, and its fraction, which nothing hides, would be published.  An integer draw that turned
itself into a real one when a float is added could not tell this from ``noise = laplace(0, s)``
and ``q + noise``, where the integer may have been published already; only the source tells them
apart.  So the function is compiled again with such sums moved into the centre, as the reader of
:mod:`synth.language.sampling` does.

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
import textwrap
import warnings
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from synth.real_draws import Reading, copied, copy_name, reading_of

Sampler = Callable[..., Any]

_prepared: WeakSet[FunctionType] = WeakSet()
_trees: WeakKeyDictionary[FunctionType, ast.FunctionDef | None] = WeakKeyDictionary()


@dataclass(frozen=True)
class Samplers:
    """All samplers; those that have a centre to add to, and whose noise is symmetric."""

    every: frozenset[Sampler]
    centred: frozenset[Sampler]
    symmetric: frozenset[Sampler]


def prepare(function: FunctionType, samplers: Samplers) -> None:
    """Recompile a function, and those of its file that it calls, once.

    Without source (a program typed at a prompt, say) it stays as it is; a RuntimeWarning says so
    if it draws noise.
    """
    if function in _prepared:
        return
    _prepared.add(function)
    names = _Names(function, samplers)
    tree = copy.deepcopy(_tree(function))
    reading = reading_of(function) if tree else None
    if tree and reading and reading.apart:
        _call_copies(names, tree)
    for helper in names.helpers(tree) if tree else ():
        prepare(helper, samplers)
    code = _compiled(function, _Centres(names, reading).visit(tree)) if tree else None
    if code is not None:
        function.__code__ = code
    elif names.may_sample():
        warnings.warn(
            f"the source of {function.__name__} is not available: an integer draw added to a "
            "float stays an integer draw",
            RuntimeWarning,
            stacklevel=3,
        )


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
        return self._value(node.func) if isinstance(node, ast.Call) else None

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name) if name not in self.local:
                return self.scope.get(name)
            case ast.Attribute(value=owner, attr=name):
                module = self._value(owner)
                return getattr(module, name, None) if isinstance(module, ModuleType) else None
        return None

    def helper(self, node: ast.AST) -> FunctionType | None:
        """The function of the same file that a call is of."""
        target = inspect.unwrap(self.target(node)) if callable(self.target(node)) else None
        same = getattr(target, "__globals__", None) is self.function.__globals__
        return target if same and isinstance(target, FunctionType) else None

    def helpers(self, tree: ast.AST) -> list[FunctionType]:
        """The functions of the same file that are called."""
        return [found for node in ast.walk(tree) if (found := self.helper(node)) is not None]

    def draws(self, node: ast.AST, kinds: frozenset[Sampler]) -> bool:
        """Whether ``node`` is a call of one of those samplers."""
        target = self.target(node)
        return isinstance(target, FunctionType) and target in kinds

    def may_sample(self) -> bool:
        """Whether the compiled code names a sampler that has a centre."""
        values = (self.scope.get(name) for name in self.function.__code__.co_names)
        return any(isinstance(value, FunctionType) and value in self.samplers.centred for value in values)

    def samples(self, tree: ast.AST) -> bool:
        """Whether a sample is drawn in ``tree``, here or in a function that it calls."""
        here = any(self.draws(node, self.samplers.every) for node in ast.walk(tree))
        return here or self.calls_sampler(tree)

    def calls_sampler(self, tree: ast.AST, above: frozenset[FunctionType] = frozenset()) -> bool:
        """Whether a function of the same file that samples is called in ``tree``."""
        for helper in set(self.helpers(tree)) - above:
            names, inner = _Names(helper, self.samplers), _tree(helper)
            if inner is None:
                continue
            if any(names.draws(node, self.samplers.every) for node in ast.walk(inner)):
                return True
            if names.calls_sampler(inner, above | {helper}):
                return True
        return False


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

_Term = tuple[bool, ast.expr]  # whether it is subtracted, and what


class _Centres(ast.NodeTransformer):
    """Moves what is added to a draw into its centre, and makes floats of centres that are real.

    Without a reading of the file, of what is declared so instead.
    """

    def __init__(self, names: _Names, reading: Reading | None) -> None:
        self.names = names
        self.reading = reading
        self.real: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A parameter of type float is real, whatever number is given."""
        given: tuple[ast.arg, ...] = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if self.reading is None:
            self.real = _declared_real(node)
        elif not node.decorator_list:
            # The lists of a helper have the types of what is given; its draws are known anyway.
            given = ()
        self.generic_visit(node)
        node.decorator_list = []
        prelude = [line for argument in given for line in _as_real(argument)]
        for line in prelude:
            ast.copy_location(line, node)
        node.body = [*prelude, *node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        """A variable of type float is real."""
        self.generic_visit(node)
        if node.value is not None and self._is_real(node.target):
            node.value = _float(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        """A variable of type float is real."""
        self.generic_visit(node)
        if all(map(self._is_real, node.targets)):
            node.value = _float(node.value)
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
        center = _center(draw)
        if center is not None and self.reading is not None:
            if self.reading.is_real(self.names.function.__name__, draw):
                _set_center(draw, _floats(center))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """A sum."""
        merged = self._merged(node)
        if merged is not None:
            return ast.copy_location(merged, node)
        self.generic_visit(node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """``x += laplace(0, s)`` is ``x = x + laplace(0, s)``."""
        if isinstance(node.target, ast.Name):
            old = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            merged = self._merged(ast.BinOp(old, node.op, node.value))
            if merged is not None:
                return ast.copy_location(ast.Assign([node.target], merged), node)
        self.generic_visit(node)
        return node

    def _merged(self, node: ast.BinOp) -> ast.expr | None:
        """The sum with the terms that draw nothing in the centre of its first draw."""
        terms = list(self._terms(node, False))
        plain = [term for term in terms if not self.names.samples(term[1])]
        if not plain or any(self.names.calls_sampler(term) for _, term in terms):
            return None
        chosen = next((term for term in terms if self._takes(term)), None)
        if chosen is None or len(terms) == 1:
            return None
        draw = self.generic_visit(chosen[1])
        assert isinstance(draw, ast.Call)
        others = [term for term in terms if term is not chosen and term not in plain]
        _add_to_center(draw, [self._visited(term) for term in plain], chosen[0])
        self._settle(draw)
        return _sum([(False, draw), *map(self._visited, others)])

    def _visited(self, term: _Term) -> _Term:
        return term[0], self.visit(term[1])

    def _takes(self, term: _Term) -> bool:
        samplers = self.names.samplers
        kinds = samplers.symmetric if term[0] else samplers.centred
        return self.names.draws(term[1], kinds) and _center(term[1]) is not None

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
        yield negative, node


def _center(call: ast.expr) -> ast.expr | None:
    """The centre of a sampler's call."""
    assert isinstance(call, ast.Call)
    if call.args:
        return None if isinstance(call.args[0], ast.Starred) else call.args[0]
    return next((item.value for item in call.keywords if item.arg == "center"), None)


def _add_to_center(call: ast.Call, terms: list[_Term], negative: bool) -> None:
    center = _center(call)
    assert center is not None
    _set_center(call, _sum([*terms, (negative, center)]))


def _set_center(call: ast.Call, center: ast.expr) -> None:
    if call.args:
        call.args[0] = center
    else:
        next(item for item in call.keywords if item.arg == "center").value = center


def _sum(terms: list[_Term]) -> ast.expr:
    (negative, total), *rest = terms
    if negative:
        total = ast.UnaryOp(ast.USub(), total)
    for subtracted, term in rest:
        total = ast.BinOp(total, ast.Sub() if subtracted else ast.Add(), term)
    return total


# --- types ----------------------------------------------------------------------------------

_SEQUENCES = ("list", "List", "Sequence")  # as in synth.language.parameters


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


def _float(value: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name("float", ast.Load()), [value], []), value)


def _floats(center: ast.expr) -> ast.expr:
    """A centre as a float, or as a list of floats if it is a list."""
    text = "(lambda c: list(map(float, c)) if hasattr(c, '__iter__') else float(c))()"
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    call.args = [center]
    for node in ast.walk(call):
        ast.copy_location(node, center)
    return call


def _as_real(argument: ast.arg) -> list[ast.stmt]:
    name, kind = argument.arg, _type(argument.annotation).replace(" ", "")
    if kind == "float":
        return ast.parse(f"{name} = float({name})").body
    if kind.endswith("[float]") and kind[: -len("[float]")].split(".")[-1] in _SEQUENCES:
        return ast.parse(f"{name} = list(map(float, {name}))").body
    if kind.partition("[")[0].split(".")[-1] == "Callable" and kind.endswith(",float]"):
        return ast.parse(f"{name} = (lambda f: lambda *i: float(f(*i)))({name})").body
    return []


# --- code -----------------------------------------------------------------------------------


def _tree(function: FunctionType) -> ast.FunctionDef | None:
    """The definition of a function, None if its source is not what it was compiled from."""
    if function not in _trees:
        _trees[function] = _parsed(function)
    return _trees[function]


def _parsed(function: FunctionType) -> ast.FunctionDef | None:
    try:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    except (OSError, TypeError, ValueError, SyntaxError):
        return None
    code = function.__code__
    if not isinstance(node, ast.FunctionDef) or node.name != function.__name__:
        return None
    given = [item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    if given != list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]):
        return None
    ast.increment_lineno(node, code.co_firstlineno - 1)
    return node


def _compiled(function: FunctionType, tree: ast.FunctionDef) -> CodeType | None:
    """Code that can take the place of the function's, from its changed definition."""
    old = function.__code__
    around = ast.parse(f"def around({', '.join(old.co_freevars)}): pass")
    assert isinstance(around.body[0], ast.FunctionDef)
    around.body[0].body = [tree]
    compiled = compile(ast.fix_missing_locations(around), old.co_filename, "exec", dont_inherit=True)
    new = _inner(_inner(compiled, "around"), function.__name__)
    same = new.co_freevars == old.co_freevars
    return new.replace(co_name=old.co_name, co_qualname=old.co_qualname) if same else None


def _inner(code: CodeType, name: str) -> CodeType:
    return next(item for item in code.co_consts if isinstance(item, CodeType) and item.co_name == name)
