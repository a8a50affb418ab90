"""SMT-LIB terms as nested tuples: read, checked for sorts, substituted, written.

An atom is a string: a symbol (always between bars), a literal, or an operator.  All symbols hold a
character that no operator or literal has, so a program can't name an operator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Union

Term = Union[str, "tuple[Term, ...]"]
Signature = tuple[tuple[str, ...], str]

INT, REAL, BOOL = "Int", "Real", "Bool"
TRUE, FALSE = "true", "false"
DEEPEST, LONGEST = 150, 200_000

_TOKEN = re.compile(
    r"\s*(?:([()])|(\|[^|\\\s]+\|)|([0-9]{1,60}(?:\.[0-9]{1,60})?)(?![0-9.])|([a-z_]+|[-+*/<>=]+))"
)


class BadTerm(Exception):
    """A text or term that is none, or not of the sort that it must have; the message says why."""


def read(text: str) -> Term:
    """The one term that a text stands for.  Raises BadTerm."""
    if len(text) > LONGEST:
        raise BadTerm("the term is too long")
    stack: list[list[Term]] = [[]]
    place, end = 0, len(text.rstrip())
    while place < end:
        found = _TOKEN.match(text, place)
        if found is None:
            raise BadTerm(f"'{text[place : place + 20].strip()}' is no SMT-LIB")
        place = found.end()
        if found[1] == "(":
            stack.append([])
        elif found[1] == ")":
            if len(stack) == 1 or not stack[-1]:
                raise BadTerm("a parenthesis too many, or an empty pair")
            inner = tuple(stack.pop())
            stack[-1].append(inner)
        else:
            stack[-1].append(found[0].strip())
        if len(stack) > DEEPEST:
            raise BadTerm("the term is nested too deeply")
    if len(stack) != 1 or len(stack[0]) != 1:
        raise BadTerm("not one whole term")
    return stack[0][0]


def write(term: Term) -> str:
    """The term as SMT-LIB text."""
    return term if isinstance(term, str) else f"({' '.join(map(write, term))})"


def symbols(term: Term) -> Iterator[str]:
    """The symbols in a term, with repetition."""
    if isinstance(term, str):
        if term.startswith("|"):
            yield term
    else:
        for part in term:
            yield from symbols(part)


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with symbols replaced."""
    if isinstance(term, str):
        return values.get(term, term)
    return tuple(substitute(part, values) for part in term)


def size(term: Term) -> int:
    """How many atoms it has."""
    return 1 if isinstance(term, str) else sum(map(size, term))


def number(value: Fraction | int, sort: str) -> Term:
    """A numeral; negative ones and fractions are operations in SMT-LIB."""
    exact = Fraction(value)
    dot = ".0" if sort == REAL else ""
    size: Term = f"{abs(exact.numerator)}{dot}"
    if exact.denominator != 1:
        size = ("/", size, f"{exact.denominator}.0")
    return ("-", size) if exact < 0 else size


def value(term: Term) -> Fraction | None:
    """The value of a numeral, None for any other term."""
    match term:
        case str() if term[0].isdigit():
            return Fraction(term)
        case ("-", inner):
            found = value(inner)
            return None if found is None else -found
        case ("/", top, bottom):
            first, second = value(top), value(bottom)
            return first / second if first is not None and second else None
        case _:
            return None


def conjunction(parts: Sequence[Term]) -> Term:
    return ("and", *parts) if len(parts) > 1 else parts[0] if parts else TRUE


def disjunction(parts: Sequence[Term]) -> Term:
    return ("or", *parts) if len(parts) > 1 else parts[0] if parts else FALSE


def absolute(term: Term, sort: str) -> Term:
    return ("ite", ("<=", number(0, sort), term), term, ("-", term))


def extreme(terms: Sequence[Term], least: bool) -> Term:
    """The minimum or maximum."""
    best = terms[0]
    for other in terms[1:]:
        best = ("ite", ("<=", best, other), *((best, other) if least else (other, best)))
    return best


def negation(term: Term) -> Term:
    return term[1] if isinstance(term, tuple) and term[0] == "not" else ("not", term)


def sort_of(term: Term, known: Mapping[str, Signature]) -> str:
    """The sort of a term.  Raises BadTerm for a symbol that isn't known, or where sorts don't fit."""
    if isinstance(term, str):
        if term in (TRUE, FALSE):
            return BOOL
        if term[0].isdigit():
            return REAL if "." in term else INT
        arguments, result = _signature(term, known)
        if arguments:
            raise BadTerm(f"{term} without arguments")
        return result
    head, *rest = term
    if not isinstance(head, str) or not rest:
        raise BadTerm("an application of no function")
    sorts = tuple(sort_of(part, known) for part in rest)
    if head.startswith("|"):
        arguments, result = _signature(head, known)
        if sorts != arguments:
            raise BadTerm(f"{head} takes {' '.join(arguments) or 'no arguments'}, not {' '.join(sorts)}")
        return result
    found = _operator(head, sorts)
    if found is None:
        raise BadTerm(f"'{head}' can't be applied to {' '.join(sorts)}")
    return found


def _signature(name: str, known: Mapping[str, Signature]) -> Signature:
    if name not in known:
        raise BadTerm(f"{name} means nothing here")
    return known[name]


def _operator(head: str, sorts: tuple[str, ...]) -> str | None:
    alike = len(set(sorts)) == 1
    numbers = alike and sorts[0] in (INT, REAL)
    match head, len(sorts):
        case "not", 1:
            return BOOL if sorts[0] == BOOL else None
        case "and" | "or" | "=>", count if count > 1:
            return BOOL if alike and sorts[0] == BOOL else None
        case "=", 2:
            return BOOL if alike else None
        case "<" | "<=" | ">" | ">=", 2:
            return BOOL if numbers else None
        case "+" | "*", count if count > 1:
            return sorts[0] if numbers else None
        case "-", 1 | 2:
            return sorts[0] if numbers else None
        case "/", 2:
            return REAL if sorts == (REAL, REAL) else None
        case "div" | "mod", 2:
            return INT if sorts == (INT, INT) else None
        case "to_real", 1:
            return REAL if sorts == (INT,) else None
        case "to_int", 1:
            return INT if sorts == (REAL,) else None
        case "ite", 3:
            return sorts[1] if sorts[0] == BOOL and sorts[1] == sorts[2] else None
        case _:
            return None
