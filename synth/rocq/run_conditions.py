"""Formulas about the inputs and one run's variables as conditions that the run itself can look at."""

from __future__ import annotations

import re

from synth.rocq.formulas import Formulas
from synth.rocq.refusal import Inexpressible
from synth.rocq.statement import variable
from synth.trusted.logic.encoding import list_length
from synth.trusted.logic.terms import Term, symbols, write
from synth.trusted.program import syntax as ir

_VARIABLE = re.compile(r"\|(.+)<1>\|", re.DOTALL)
_ENTRIES = re.compile(r"\|([\w.]+)\[\]<1?>\|")
_NUMBERS = {"+": "Add", "-": "Sub", "*": "Mul", "|*:Int,Int|": "Mul"}
_COMPARED = {"<=": ("Le", False), "<": ("Lt", False), ">=": ("Le", True), ">": ("Lt", True)}
"""The constructor, and whether the operands are exchanged."""


def run_condition(formulas: Formulas, term: Term) -> str:
    """A truth value over run 1's memory; other symbols are constants.  Raises Inexpressible."""
    if _is_constant(formulas, term):
        return f"(BoolConst {formulas.truth(term)})"
    match term:
        case ("not", inner):
            return f"(Not {run_condition(formulas, inner)})"
        case (("and" | "or") as operator, first, *rest):
            text = run_condition(formulas, first)
            for item in rest:
                text = f"({operator.title()} {text} {run_condition(formulas, item)})"
            return text
        case ("=>", first, second):
            return f"(Or (Not {run_condition(formulas, first)}) {run_condition(formulas, second)})"
        case ("=", first, second):
            read = run_condition if formulas.is_truth(first) else run_number
            name = "BEq" if formulas.is_truth(first) else "Eq"
            return f"({name} {read(formulas, first)} {read(formulas, second)})"
        case (str(operator), first, second) if operator in _COMPARED:
            name, exchanged = _COMPARED[operator]
            one, two = (second, first) if exchanged else (first, second)
            return f"({name} {run_number(formulas, one)} {run_number(formulas, two)})"
        case ("ite", condition, then, otherwise):
            sides = (run_condition(formulas, item) for item in (condition, then, otherwise))
            return f"(Cond {' '.join(sides)})"
        case (str(head), index) if (found := _ENTRIES.fullmatch(head)) is not None:
            return f'(ReadTruth "{found[1]}" {run_number(formulas, index)})'
        case str() if (found := _VARIABLE.fullmatch(term)) is not None:
            return variable(found[1], ir.Sort.BOOL)
    raise Inexpressible(f"the condition {write(term)} of a tail has no form in Rocq yet")


def run_number(formulas: Formulas, term: Term) -> str:
    """An integer as such an expression.  Raises Inexpressible."""
    if _is_constant(formulas, term):
        return f"(IntConst {formulas.integer(term)})"
    match term:
        case (("+" | "-" | "*" | "|*:Int,Int|") as operator, first, *rest) if rest:
            text = run_number(formulas, first)
            for item in rest:
                text = f"({_NUMBERS[operator]} {text} {run_number(formulas, item)})"
            return text
        case ("-", inner):
            return f"(Neg {run_number(formulas, inner)})"
        case ("ite", condition, then, otherwise):
            sides = run_number(formulas, then), run_number(formulas, otherwise)
            return f"(Cond {run_condition(formulas, condition)} {' '.join(sides)})"
        case (str(head), index) if (found := _ENTRIES.fullmatch(head)) is not None:
            return f'(Read "{found[1]}" {run_number(formulas, index)})'
        case str() if (found := _VARIABLE.fullmatch(term)) is not None:
            for name in formulas.mechanism.lists:
                if found[1] == list_length(name):
                    return f'(Length "{name}")'
            return variable(found[1], ir.Sort.INT)
    raise Inexpressible(f"the number {write(term)} of a tail has no form in Rocq yet")


def _is_constant(formulas: Formulas, term: Term) -> bool:
    """Whether a term is about the inputs alone."""
    own = (*formulas.mechanism.variables, *map(list_length, formulas.mechanism.lists))
    return not any((found := _VARIABLE.fullmatch(name)) and found[1] in own for name in symbols(term))
