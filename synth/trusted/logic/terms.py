"""SMT-LIB terms as nested tuples: read, checked for sorts, substituted, written.

An atom is a string: a symbol (always between bars), a literal, or an operator.  All symbols hold a
character that no operator or literal has, so a program can't name an operator.

Terms are shared (hash-consed): of equal applications there is one object, which knows its hash, and walks go
through each once.  So what is done to a term is linear in the number of its distinct parts.  Sharing decides
nothing: terms are equal if they are equal as nested tuples of strings, whatever objects they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Union

from synth.trusted.logic.codes import Code
from synth.trusted.reasons import Reason

Term = Union[str, "tuple[Term, ...]"]
Signature = tuple[tuple[str, ...], str]

INT, REAL, BOOL = "Int", "Real", "Bool"
TRUE, FALSE = "true", "false"
DEEPEST, LONGEST = 150, 200_000

MAX_BITS = 8192
"""Bits of a numerator or denominator, at the most; Python prints numbers of up to 14,000."""

MAX_NUMERAL = 20
"""Atoms of a numeral, with its signs and fractions."""

MAX_SIZE = 1 << 40
"""From here on sizes are not told apart."""

MAX_REMEMBERED = 200_000
"""Applications that are kept from one certificate to the next."""

WRITTEN_OUT = 500
"""Terms are ordered by their text up to so many atoms, larger ones by a hash of it."""

_TOKEN = re.compile(
    r"\s*(?:([()])|(\|[^|\\\s]+\|)|([0-9]{1,1300}(?:\.[0-9]{1,60})?)(?![0-9.])|([a-z_]+|[-+*/<>=]+))"
)


@dataclass
class BadTerm(Exception):
    """A text or term that is none, or not of the sort that it must have; and why."""

    why: Reason

    def __str__(self) -> str:
        return str(self.why)


class Application(tuple[Term, ...]):
    """An operator or function symbol with its arguments; made by :func:`app` alone.

    ``size`` counts its atoms, as often as they occur.
    """

    size: int
    _hash: int
    _text: str | None

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Application) and self._hash != other._hash:
            return False
        return tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __repr__(self) -> str:
        """The nested tuple, or a hash of it where that is long; the same in each process."""
        if self._text is None:
            for item in applications(self):
                plain = tuple.__repr__(item)
                short = size(item) <= WRITTEN_OUT
                text = plain if short else f"({sha256(plain.encode()).hexdigest()})"
                vars(item)["_text"] = text
        return str(self._text)

    def __reduce__(self) -> tuple[Callable[..., Application], tuple[Term, ...]]:
        """Hashes differ between processes."""
        return app, tuple(self)


_made: dict[tuple[Term, ...], Application] = {}


def app(*parts: Term) -> Application:
    """The one application of the first part to the others."""
    found = _made.get(parts)
    if found is None:
        inner = tuple(shared(part) for part in parts)
        found = Application(inner)
        found.size = min(MAX_SIZE, sum(map(size, inner)))
        found._hash = hash(inner)
        found._text = None
        _made[inner] = found
    return found


def shared(term: Term) -> Term:
    """The term with one object for equal parts."""
    return term if isinstance(term, str | Application) else app(*term)


def forget() -> None:
    """Let go of the terms, if they are many.

    Those that somebody has stay equal to what is made of the same parts later.
    """
    if len(_made) > MAX_REMEMBERED:
        _made.clear()


def applications(*terms: Term) -> Iterator[tuple[Term, ...]]:
    """The applications in terms, each once, inner ones first."""
    done: set[Term] = set()
    stack = [shared(term) for term in reversed(terms)]
    while stack:
        term = stack[-1]
        if isinstance(term, str) or term in done:
            stack.pop()
            continue
        waiting = [part for part in term if not isinstance(part, str) and part not in done]
        if waiting:
            stack.extend(reversed(waiting))
        else:
            stack.pop()
            done.add(term)
            yield term


def distinct(*terms: Term) -> Iterator[Term]:
    """All that terms consist of, each once, outer ones first, from left to right."""
    seen: set[Term] = set()
    stack = list(reversed(terms))
    while stack:
        term = stack.pop()
        if term not in seen:
            seen.add(term)
            yield term
            if not isinstance(term, str):
                stack.extend(reversed(term))


def rebuilt(
    term: Term, atom: Callable[[str], Term], change: Callable[[Term, tuple[Term, ...]], Term] | None = None
) -> Term:
    """The term with its atoms changed, and each head applied to what its arguments became; heads stay."""
    done: dict[Term, Term] = {}

    def of(part: Term) -> Term:
        return atom(part) if isinstance(part, str) else done[part]

    for item in applications(term):
        head, arguments = item[0], tuple(map(of, item[1:]))
        done[item] = app(head, *arguments) if change is None else change(head, arguments)
    return of(shared(term))


def read(text: str) -> Term:
    """The one term that a text stands for.  Raises BadTerm."""
    if len(text) > LONGEST:
        raise BadTerm(Code.TERM_TOO_LONG())
    stack: list[list[Term]] = [[]]
    place, end = 0, len(text.rstrip())
    while place < end:
        found = _TOKEN.match(text, place)
        if found is None:
            raise BadTerm(Code.NOT_SMT_LIB(text=text[place : place + 20].strip()))
        place = found.end()
        if found[1] == "(":
            stack.append([])
        elif found[1] == ")":
            if len(stack) == 1 or not stack[-1]:
                raise BadTerm(Code.WRONG_PARENTHESES())
            inner = app(*stack.pop())
            stack[-1].append(inner)
        else:
            stack[-1].append(found[0].strip())
        if len(stack) > DEEPEST:
            raise BadTerm(Code.TERM_TOO_DEEP())
    if len(stack) != 1 or len(stack[0]) != 1:
        raise BadTerm(Code.NOT_ONE_TERM())
    return stack[0][0]


def write(term: Term) -> str:
    """The term as SMT-LIB text, every part as often as it occurs."""
    return written(term, {})


def written(term: Term, names: Mapping[Term, str]) -> str:
    """The term as SMT-LIB text, with names for parts of it."""
    pieces: list[str] = []
    stack: list[Term | None] = [term]
    while stack:
        part = stack.pop()
        if part is None:
            pieces.append(")")
            continue
        name = part if isinstance(part, str) else names.get(part)
        if pieces and pieces[-1] != "(" and part is not None:
            pieces.append(" ")
        if name is not None:
            pieces.append(name)
        else:
            pieces.append("(")
            stack += [None, *reversed(part)]
    return "".join(pieces)


def symbols(*terms: Term) -> Iterator[str]:
    """The symbols in terms, each once, in their order."""
    return (part for part in distinct(*terms) if isinstance(part, str) and part.startswith("|"))


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with symbols replaced."""
    return rebuilt(term, lambda atom: values.get(atom, atom))


def size(term: Term) -> int:
    """How many atoms it has, as often as they occur."""
    if isinstance(term, str):
        return 1
    return term.size if isinstance(term, Application) else sum(map(size, term))


def number(value: Fraction | int, sort: str) -> Term:
    """A numeral; negative ones and fractions are operations in SMT-LIB.  Raises BadTerm for one too large."""
    exact = Fraction(value)
    if not is_small(exact):
        raise BadTerm(Code.NUMBER_TOO_LARGE(bits=MAX_BITS))
    dot = ".0" if sort == REAL else ""
    size: Term = f"{abs(exact.numerator)}{dot}"
    if exact.denominator != 1:
        size = app("/", size, f"{exact.denominator}.0")
    return app("-", size) if exact < 0 else size


def is_small(value: Fraction) -> bool:
    """Whether a number may be computed with."""
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_BITS


def value(term: Term) -> Fraction | None:
    """The value of a numeral, None for any other term."""
    if isinstance(term, str):
        return Fraction(term) if term[0].isdigit() else None
    if size(term) > MAX_NUMERAL:
        return None
    match term:
        case ("-", inner):
            found = value(inner)
            return None if found is None else -found
        case ("/", top, bottom):
            first, second = value(top), value(bottom)
            return first / second if first is not None and second else None
        case _:
            return None


def conjunction(parts: Sequence[Term]) -> Term:
    return app("and", *parts) if len(parts) > 1 else parts[0] if parts else TRUE


def disjunction(parts: Sequence[Term]) -> Term:
    return app("or", *parts) if len(parts) > 1 else parts[0] if parts else FALSE


def absolute(term: Term, sort: str) -> Term:
    return app("ite", ("<=", number(0, sort), term), term, ("-", term))


def extreme(terms: Sequence[Term], least: bool) -> Term:
    """The minimum or maximum."""
    best = terms[0]
    for other in terms[1:]:
        best = app("ite", ("<=", best, other), *((best, other) if least else (other, best)))
    return best


def negation(term: Term) -> Term:
    return term[1] if isinstance(term, tuple) and term[0] == "not" else app("not", term)


def sort_of(term: Term, known: Mapping[str, Signature]) -> str:
    """The sort of a term.  Raises BadTerm for a symbol that isn't known, or where sorts don't fit."""
    return sorts_of((term,), known)[0]


def sorts_of(terms: Iterable[Term], known: Mapping[str, Signature]) -> list[str]:
    """The sorts of terms, as :func:`sort_of`."""
    done: dict[Term, str] = {}
    roots = [shared(term) for term in terms]

    def of(part: Term) -> str:
        return _sort_of_atom(part, known) if isinstance(part, str) else done[part]

    for item in applications(*roots):
        head, *rest = item
        if not isinstance(head, str) or not rest:
            raise BadTerm(Code.NOT_A_FUNCTION())
        done[item] = _sort_of_application(head, tuple(map(of, rest)), known)
    return [of(root) for root in roots]


def _sort_of_atom(term: str, known: Mapping[str, Signature]) -> str:
    if term in (TRUE, FALSE):
        return BOOL
    if term[0].isdigit():
        return REAL if "." in term else INT
    arguments, result = _signature(term, known)
    if arguments:
        raise BadTerm(Code.NO_ARGUMENTS(name=term))
    return result


def _sort_of_application(head: str, sorts: tuple[str, ...], known: Mapping[str, Signature]) -> str:
    if head.startswith("|"):
        arguments, result = _signature(head, known)
        if sorts != arguments:
            takes = " ".join(arguments) or "no arguments"
            raise BadTerm(Code.WRONG_ARGUMENTS(name=head, takes=takes, given=" ".join(sorts)))
        return result
    found = _operator(head, sorts)
    if found is None:
        raise BadTerm(Code.WRONG_OPERANDS(operator=head, sorts=" ".join(sorts)))
    return found


def _signature(name: str, known: Mapping[str, Signature]) -> Signature:
    if name not in known:
        raise BadTerm(Code.UNKNOWN_SYMBOL(name=name))
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
