"""Valid certificates with one thing changed: in a term, in the derivation, in a table or in the program."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from synth.trusted.kernel.rules.laplace import COUPLINGS
from synth.trusted.kernel.rules.structural import RULES
from synth.trusted.logic.terms import Term, read, symbols, write

Path = tuple[str | int, ...]
Terms = Iterator[tuple[str, Term]]
Changes = Iterator[tuple[str, Path, Any]]
GONE = object()
"""As the new value at a path: what is there goes."""

TERM_FIELDS = ("k", "within", "narrowed", "gap", "amount", "weight", "square", "bound", "epsilon")
TERM_LISTS = ("invariant", "when", "facts", "from", "to")
OTHER = {
    "<": ("<=", ">"),
    "<=": ("<", ">=", "="),
    "=": ("<=",),
    "+": ("-", "*"),
    "-": ("+",),
    "*": ("+",),
    "/": ("*",),
    "and": ("or",),
    "or": ("and",),
}


@dataclass(frozen=True)
class Mutant:
    """``kind`` says what was changed, ``path`` where, ``new`` to what."""

    kind: str
    path: Path
    new: Any
    data: dict[str, Any]

    @property
    def of_program(self) -> bool:
        return self.path[0] == "program"

    def __repr__(self) -> str:
        new = "gone" if self.new is GONE else repr(self.new)
        return f"{self.kind} at {'.'.join(map(str, self.path))}: {new}"


@st.composite
def mutants(draw: DrawFn, data: dict[str, Any]) -> Mutant:
    """One of the changes, of a kind that is chosen first."""
    by_kind: dict[str, list[tuple[Path, Any]]] = {}
    for kind, path, new in changes(data):
        by_kind.setdefault(kind, []).append((path, new))
    kind = draw(st.sampled_from(sorted(by_kind)))
    path, new = draw(st.sampled_from(by_kind[kind]))
    return Mutant(kind, path, new, changed(data, path, new))


def changed(data: dict[str, Any], path: Path, new: Any) -> dict[str, Any]:
    """A copy with another value at a path; the hash is that of the program."""
    result = copy.deepcopy(data)
    *above, last = path
    found: Any = result
    for key in above:
        found = found[key]
    if new is GONE:
        del found[last]
    else:
        found[last] = new
    if path[0] == "program":
        result["program"]["sha256"] = hashlib.sha256(result["program"]["text"].encode()).hexdigest()
    return result


def changes(data: dict[str, Any]) -> Changes:
    """All changes: their kind, the path and the new value."""
    names = sorted({name for _, text in _texts(data, ()) for name in symbols(read(text))})
    for path, text in _texts(data, ()):
        for kind, term in term_changes(read(text), names):
            yield kind, path, write(term)
    for name in data["safety"]:
        yield "safety: dropped", ("safety", name), GONE
    for claim in ("0", "eps", "eps/2", "2*eps", "eps - 1", "eps*eps"):
        yield "claim", ("claim", "epsilon"), claim
    if "parts" not in data:
        yield from _derived(data, ())
    for number, part in enumerate(data.get("parts", ())):
        yield from _derived(part, ("parts", number))
    for kind, text in program_changes(data["program"]["text"]):
        yield kind, ("program", "text"), text


def _derived(data: dict[str, Any], path: Path) -> Changes:
    """Changes of a derivation, and of its tables, in the whole or in a part."""
    for table in ("costs", "events", "entries"):
        for name in data[table]:
            yield f"{table}: dropped", (*path, table, name), GONE
    for name, sort in data["events"].items():
        yield "sort", (*path, "events", name), "Int" if sort == "Bool" else "Bool"
    for name, cost in data["costs"].items():
        yield "sort", (*path, "costs", name, "sort"), "Int" if cost["sort"] == "Real" else "Real"
    yield from _derivation(data["derivation"], (*path, "derivation"))


# --- terms ------------------------------------------------------------------------------------


def _texts(item: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """All terms of a certificate."""
    for key, value in item.items():
        here = (*path, key)
        if key in ("program", "claim", "tools"):
            continue
        if (key in TERM_FIELDS or path[-1:] in (("entries",), ("safety",))) and value != "distance":
            yield here, value
        elif key in TERM_LISTS:
            yield from (((*here, number), text) for number, text in enumerate(value))
        elif key in ("premises", "parts"):
            for number, inner in enumerate(value):
                yield from _texts(inner, (*here, number))
        elif isinstance(value, dict):
            yield from _texts(value, here)


def term_changes(term: Term, names: list[str]) -> Terms:
    """The term with one change in it."""
    yield from _here(term, names)
    if isinstance(term, tuple):
        for place in range(1, len(term)):
            for kind, inner in term_changes(term[place], names):
                yield kind, (*term[:place], inner, *term[place + 1 :])


def _here(term: Term, names: list[str]) -> Terms:
    """The term changed at its root."""
    if isinstance(term, str):
        yield from _atom(term, names)
        return
    head, *rest = term
    yield "negated", ("not", term) if head in ("not", "or", "and", "=", "<", "<=") else ("-", term)
    if len(rest) == 1:
        yield "sign", rest[0]
    else:
        yield from (("dropped part", part) for part in rest)
        yield "swapped parts", (head, *rest[::-1])
        yield from (("operator", (other, *rest)) for other in OTHER.get(str(head), ()))


def _atom(term: str, names: list[str]) -> Terms:
    if term[0].isdigit():
        whole, dot, _ = term.partition(".")
        size = int(whole)
        for other in sorted({0, size + 1, max(size - 1, 0), 2 * size, size + 10} - {size}):
            yield "number", f"{other}.0" if dot else str(other)
        yield "sign", ("-", term)
    elif term.startswith("|"):
        for run, other in ("<1>|", "<2>|"), ("<2>|", "<1>|"):
            if term.endswith(run):
                yield "side", term.removesuffix(run) + other
        yield from (("variable", name) for name in names if name != term)
        yield "number", "0"


# --- derivations ------------------------------------------------------------------------------


def _derivation(node: dict[str, Any], path: Path) -> Changes:
    """Changes of rules, their fields and premises."""
    couplings = node["rule"] in COUPLINGS
    for rule in sorted(COUPLINGS if couplings else RULES.keys() - COUPLINGS.keys()):
        if rule != node["rule"]:
            yield "rule", (*path, "rule"), rule
    for name, value in node.items():
        if name not in ("rule", "premises", "line"):
            yield f"{name}: dropped", (*path, name), GONE
        if isinstance(value, list) and name != "premises":
            yield from ((f"{name}: one dropped", (*path, name, place), GONE) for place in range(len(value)))
    if node["rule"] == "Cond":
        yield "publish", (*path, "publish"), not node.get("publish", False)
    if "amount" in node:
        yield "amount", (*path, "amount"), "1" if node["amount"] == "distance" else "distance"
    yield from _premises(node.get("premises", []), (*path, "premises"))


def _premises(premises: list[dict[str, Any]], path: Path) -> Changes:
    for place, premise in enumerate(premises):
        yield "premise dropped", (*path, place), GONE
        yield "premise doubled", path, [*premises[: place + 1], *premises[place:]]
        yield from _derivation(premise, (*path, place))
        if premises[place : place + 2] != premises[place : place + 2][::-1]:
            swapped = premises[place : place + 2][::-1]
            yield "premises swapped", path, [*premises[:place], *swapped, *premises[place + 2 :]]


# --- programs ---------------------------------------------------------------------------------


@cache
def program_changes(text: str) -> tuple[tuple[str, str], ...]:
    """The program with one node of its syntax tree changed, each text once."""
    found: dict[str, str] = {}
    count = sum(1 for _ in ast.walk(ast.parse(text)))
    for place in range(count):
        option = 0
        while True:
            tree = ast.parse(text)
            node = [*ast.walk(tree)][place]
            options = _edits(node)
            if option == len(options):
                break
            kind, values = options[option]
            for name, value in values.items():
                setattr(node, name, value)
            found.setdefault(ast.unparse(ast.fix_missing_locations(tree)) + "\n", kind)
            option += 1
    found.pop(text, None)
    return tuple((f"program: {kind}", edited) for edited, kind in found.items())


def _edits(node: ast.AST) -> list[tuple[str, dict[str, Any]]]:
    """What becomes of the fields of a node."""
    match node:
        case ast.Constant(value=bool() as truth):
            return [("truth value", {"value": not truth})]
        case ast.Constant(value=int() | float() as number):
            return [
                ("number", {"value": other}) for other in (number + 1, number - 1, 2 * number, number / 2)
            ]
        case ast.Constant(value=str() as text) if ">" in text:
            return [("requires", {"value": text.replace(">", sign)}) for sign in (">=", "<")]
        case ast.Compare(ops=[operator]):
            signs = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
            return [("comparison", {"ops": [sign()]}) for sign in signs if not isinstance(operator, sign)]
        case ast.BinOp(op=operator, left=left, right=right):
            signs = (ast.Add, ast.Sub, ast.Mult, ast.Div)
            changed = [("operator", {"op": sign()}) for sign in signs if not isinstance(operator, sign)]
            return [*changed, ("swapped operands", {"left": right, "right": left})]
        case ast.BoolOp(op=operator):
            return [("connective", {"op": ast.Or() if isinstance(operator, ast.And) else ast.And()})]
        case ast.If(body=then, orelse=[_, *_] as otherwise):
            return [("swapped branches", {"body": otherwise, "orelse": then})]
        case ast.If(test=test):
            return [
                ("guard", {"test": ast.UnaryOp(ast.Not(), test)}),
                ("guard", {"test": ast.Constant(True)}),
            ]
        case ast.keyword(arg="scale", value=scale):
            return [
                ("scale", {"value": ast.BinOp(ast.Constant(factor), ast.Mult(), scale)})
                for factor in (0.5, 0.9, 2)
            ]
        case ast.Assign(value=value):
            return [("assignment", {"value": ast.BinOp(value, ast.Add(), ast.Constant(1))})]
        case ast.Return(value=ast.Tuple(elts=[first, *_])):
            return [("returned", {"value": first})]
        case ast.FunctionDef(body=[*body]):
            return [("statement dropped", {"body": [*body[:at], *body[at + 1 :]]}) for at in range(len(body))]
        case ast.For(body=[_, _, *_] as body):
            return [("statement dropped", {"body": [*body[:at], *body[at + 1 :]]}) for at in range(len(body))]
        case _:
            return []
