"""Invariants as a person would write them: x⟨1⟩ and x⟨2⟩, ``max⟨2⟩ - max⟨1⟩ <= 1``."""

from __future__ import annotations

import re
from fractions import Fraction

from pysmt.fnode import FNode

from synth.logic.terms import linear_parts

_SIDES = {"<1>": "⟨1⟩", "<2>": "⟨2⟩"}
_EVENT = re.compile(r"next\.(branch|append|return)\.(.*)\.(\d+)")


def symbol_text(name: str) -> str:
    """A symbol of the product by the user's name for it."""
    side = ""
    for mark, written in _SIDES.items():
        if name.endswith(mark):
            name, side = name[: -len(mark)], written
    name = name.split("@")[0].split("!")[0]
    event = _EVENT.fullmatch(name)
    if event:
        kind, source, _ = event.groups()
        return {"return": "b", "append": f"next entry of {source}"}.get(kind, f"outcome of branch {source}")
    return name.replace("%n", "n").removesuffix("%local") + side


def conjuncts(formula: FNode) -> tuple[str, ...]:
    """The conjuncts of an invariant, each as text; two bounds that meet become an equation."""
    parts = formula.args() if formula.is_and() else (formula,)
    written = [text(part) for part in parts if not part.is_true()]
    return tuple(_joined(dict.fromkeys(written)))


def _joined(written: dict[str, None]) -> list[str]:
    result: list[str] = []
    for item in written:
        match = re.fullmatch(r"(.*) (<=|>=) (.*)", item)
        if match and " or " not in item:
            left, order, right = match.groups()
            other = f"{left} {'>=' if order == '<=' else '<='} {right}"
            if other in written:
                equation = f"{left} == {right}"
                if equation not in result:
                    result.append(equation)
                continue
        result.append(item)
    return result


def text(formula: FNode) -> str:
    """A formula as text."""
    return _text(formula, True)


def _text(formula: FNode, positive: bool) -> str:
    if formula.is_not():
        return _text(formula.arg(0), not positive)
    if formula.is_and() or formula.is_or():
        word = " and " if formula.is_and() == positive else " or "
        parts = [_text(part, positive) for part in formula.args()]
        return word.join(f"({part})" if " or " in part or " and " in part else part for part in parts)
    if formula.is_implies():
        left, right = _text(formula.arg(0), True), _text(formula.arg(1), positive)
        if positive:
            return f"{_text(formula.arg(0), False)} or {right}"
        return f"{left} and {right}"
    if formula.is_iff():
        order = "==" if positive else "!="
        return f"({text(formula.arg(0))}) {order} ({text(formula.arg(1))})"
    if formula.is_le() or formula.is_lt() or formula.is_equals():
        return _comparison(formula, positive)
    written = _term(formula)
    return written if positive else f"not {written}"


def _comparison(formula: FNode, positive: bool) -> str:
    """left <= right with positive coefficients on both sides and symbols first."""
    left, first = linear_parts(formula.arg(0))
    right, second = linear_parts(formula.arg(1))
    total = dict(left)
    for atom, factor in right.items():
        total[atom] = total.get(atom, Fraction(0)) - factor
    offset = second - first
    order = "<=" if formula.is_le() else "<" if formula.is_lt() else "=="
    if not positive:
        order = {"<=": ">", "<": ">=", "==": "!="}[order]
    integers = all(atom.get_type().is_int_type() for atom in total if atom.is_symbol())
    items = sorted(((factor, _term(atom)) for atom, factor in total.items() if factor), key=_rank)
    if items and items[0][0] < 0:
        items = [(-factor, name) for factor, name in items]
        offset = -offset
        order = {"<=": ">=", "<": ">", ">": "<", ">=": "<="}.get(order, order)
    if integers and offset.denominator == 1 and order in ("<", ">"):
        offset += -1 if order == "<" else 1
        order += "="
    return _sides(items, order, offset)


def _rank(item: tuple[Fraction, str]) -> tuple[bool, bool, str]:
    return "⟨2⟩" not in item[1], "⟨1⟩" not in item[1], item[1]


def _sides(items: list[tuple[Fraction, str]], order: str, offset: Fraction) -> str:
    if len(items) == 2 and items[1][0] == -items[0][0]:
        factor = items[0][0]
        shift = offset / factor
        right = items[1][1]
        if shift:
            right += f" {'+' if shift > 0 else '-'} {abs(shift)}"
        return f"{items[0][1]} {order} {right}"
    left = ""
    for factor, name in items:
        size = name if abs(factor) == 1 else f"{abs(factor)}*{name}"
        sign = "-" if factor < 0 else "+"
        left += f" {sign} {size}" if left else (f"-{size}" if factor < 0 else size)
    return f"{left or '0'} {order} {offset}"


def _term(term: FNode) -> str:
    if term.is_symbol():
        return symbol_text(term.symbol_name())
    if term.is_toreal():
        return _term(term.arg(0))
    if term.is_int_constant() or term.is_real_constant() or term.is_bool_constant():
        return str(term.constant_value())
    if term.is_ite():
        return f"({_term(term.arg(1))} if {text(term.arg(0))} else {_term(term.arg(2))})"
    parts, offset = linear_parts(term)
    if list(parts) != [term]:
        items = [(factor, _term(atom)) for atom, factor in parts.items()]
        return _sides(items, "+", offset).replace(" + 0", "")
    return str(term.serialize())
