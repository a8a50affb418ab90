"""A file's text with other scales, and the patch that makes it of the old one."""

from __future__ import annotations

import ast
import difflib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.app.repair.allocation import Allocation
from synth.app.repair.sites import Site, functions, line_starts, parsed
from synth.support.display import shown

if TYPE_CHECKING:
    import sympy

_FUNCTIONS = ("exp", "log", "sqrt")
_BY_NAME = re.compile(r"(?<![\w.])(exp|log|sqrt)\(")


class Unwritable(Exception):
    """An expression that is none of the language of programs."""


@dataclass(frozen=True)
class Change:
    """What stands in the place of a scale or a hole."""

    line: int
    before: str
    after: str


@dataclass(frozen=True)
class Rewritten:
    """A file's new text, and what changed; ``ratios`` are the lines that it adds."""

    text: str
    changes: tuple[Change, ...]
    ratios: tuple[str, ...]


def rewritten(text: str, path: str, name: str, sites: tuple[Site, ...], found: Allocation) -> Rewritten:
    """Return a file's text with the scales of an allocation.  Raises Unwritable."""
    tree = parsed(text, path)
    words = _Words.of(tree)
    edits: list[tuple[int, int, str]] = []
    changes: list[Change] = []
    for number, value in sorted(found.values.items()):
        site = sites[number]
        after = words.written(value if site.text is None else _product(site.text, value))
        edits.append((site.start, site.end, after))
        changes.append(Change(site.line, site.text or "...", after))
    lines = tuple(f"{symbol.name} = {words.written(item)}" for symbol, item in found.ratios)
    starts = line_starts(text)
    end = "\r\n" if "\r\n" in text else "\n"
    if lines:
        first = _first_statement(functions(tree)[name])
        place, indent = starts[first.lineno - 1], " " * first.col_offset
        edits.append((place, place, "".join(f"{indent}{line}{end}" for line in lines)))
    if words.missing:
        place = starts[_after_imports(tree)]
        edits.append((place, place, f"from math import {', '.join(sorted(words.missing))}{end}"))
    data = text.encode()
    for start, stop, put in sorted(edits, reverse=True):
        data = data[:start] + put.encode() + data[stop:]
    return Rewritten(data.decode(), tuple(changes), lines)


def patch(before: str, after: str, path: Path) -> str:
    """Return a unified diff that ``git apply`` and ``patch -p1`` take, from the folder that we are in."""
    near = os.path.relpath(path)
    name = shown(os.path.abspath(path).lstrip("/") if near.startswith("..") else near)
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(_ended(line) for line in lines)


def _lines(text: str) -> list[str]:
    """Lines as git knows them: other line ends of Python's don't end one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


# --- places ---------------------------------------------------------------------------------


def _first_statement(function: ast.FunctionDef) -> ast.stmt:
    first, *others = function.body
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    if not (is_docstring and others):
        return first
    return others[0]


def _after_imports(tree: ast.Module) -> int:
    """The number of lines up to the last import at the top of the file."""
    found = 0
    for item in tree.body:
        is_text = isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
        if not isinstance(item, ast.Import | ast.ImportFrom) and not is_text:
            break
        found = item.end_lineno or found
    return found


# --- expressions ----------------------------------------------------------------------------


def expression_of(text: str) -> sympy.Expr:
    """Return a scale's text as an expression of its names, which are positive.  Raises Unwritable."""
    return _expression(ast.parse(text, mode="eval").body)


def _expression(node: ast.expr) -> Any:
    import sympy

    match node:
        case ast.Constant(value=bool() | complex()):
            pass
        case ast.Constant(value=int() | float() as value) if len(str(value)) < 30:
            return sympy.Rational(str(value))
        case ast.Name(id=name):
            return sympy.Symbol(name, positive=True)
        case ast.UnaryOp(ast.USub(), operand):
            return -_expression(operand)
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as operator, right):
            return _OPERATORS[type(operator)](_expression(left), _expression(right))
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]):
            return sympy.Symbol(f"len({name})", positive=True)
        case ast.Call(func=ast.Name(id="sqrt") | ast.Attribute(attr="sqrt"), args=[item], keywords=[]):
            return sympy.sqrt(_expression(item))
    raise Unwritable(ast.unparse(node))


_OPERATORS: Mapping[type[ast.operator], Any] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
}


def _product(text: str, factor: Any) -> Any:
    """A scale times a factor.  Raises Unwritable."""
    import sympy

    symbols = {symbol: sympy.Symbol(symbol.name, positive=True) for symbol in factor.free_symbols}
    return sympy.factor(sympy.cancel(expression_of(text) * factor.subs(symbols)))


@dataclass
class _Words:
    """How functions are called in a file; ``missing`` are those that it has yet to import.

    ``used`` are all names in it: an import of one of these could change what other functions mean.
    """

    known: Mapping[str, str]
    used: frozenset[str]
    missing: set[str]

    @staticmethod
    def of(tree: ast.Module) -> _Words:
        """What a file's imports at the top give names to."""
        known: dict[str, str] = {}
        for item in tree.body:
            match item:
                case ast.ImportFrom(module="synth.lang", names=[ast.alias(name="*")]):
                    known |= {name: name for name in _FUNCTIONS}
                case ast.ImportFrom(module="math" | "synth.lang", names=names):
                    wanted = (each for each in names if each.name in _FUNCTIONS)
                    known |= {each.name: each.asname or each.name for each in wanted}
                case ast.Import(names=names):
                    modules = [each.asname or each.name for each in names if each.name == "math"]
                    known |= {name: f"{module}.{name}" for module in modules for name in _FUNCTIONS}
        return _Words(known, frozenset(_names(tree)), set())

    def written(self, item: Any) -> str:
        """Return an expression in Python.  Raises Unwritable."""
        self._check(item)
        text = str(_with_one_root(item))
        self.missing |= {name for name in _BY_NAME.findall(text) if name not in self.known}
        if self.missing & self.used:
            raise Unwritable(text)
        text = _BY_NAME.sub(lambda found: f"{self.known.get(found[1], found[1])}(", text)
        return ast.unparse(ast.parse(text, mode="eval"))

    def _check(self, item: Any) -> None:
        import sympy

        for part in sympy.preorder_traversal(item):
            plain = part.is_Symbol or part.is_Rational or part.is_Add or part.is_Mul
            power = part.is_Pow and (part.exp.is_Integer or abs(part.exp) == sympy.Rational(1, 2))
            if not (plain or power or isinstance(part, sympy.exp | sympy.log)):
                raise Unwritable(str(item))


def _with_one_root(item: Any) -> Any:
    """A product with its square roots as one: sqrt(2*x)/y."""
    import sympy

    half = sympy.Rational(1, 2)
    parts = [part.as_base_exp() for part in sympy.Mul.make_args(item)]
    inside = sympy.Mul(*(base ** (2 * power) for base, power in parts if abs(power) == half))
    outside = sympy.Mul(*(base**power for base, power in parts if abs(power) != half))
    if inside == 1:
        return item
    number, rest = outside.as_coeff_Mul()
    if number > 0:
        inside, outside = inside * number**2, rest
    if outside == 1:
        return sympy.sqrt(inside, evaluate=False)
    return sympy.Mul(outside, sympy.sqrt(inside, evaluate=False), evaluate=False)


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.alias(asname=str(name)) | ast.alias(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
