"""Side conditions as SMT-LIB scripts, decided by cvc5 or z3.  A solver's word is all that is trusted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from synth.trusted.logic.arithmetic.exponentials import without_exponentials
from synth.trusted.logic.arithmetic.polynomials import lengths, public_signatures, roots
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.terms import (
    BOOL,
    TRUE,
    BadTerm,
    Signature,
    Term,
    applications,
    shared,
    size,
    sorts_of,
    symbols,
    written,
)

MILLISECONDS = 20_000
SYMBOL = re.compile(r"\|[^|\\\s\"]+\|")
"""What may stand in a script as a name; anything else could end the name and go on with commands."""

MAX_ATOMS_IN_FULL = 20_000
"""Atoms that a script writes out as often as they occur; in longer ones parts get names."""

SHARED = "#shared"
"""How these names begin, and no symbol does."""


@dataclass
class GaveUp(Exception):
    """The solver neither proved nor refuted a side condition."""

    solver: str
    reason: str


def script(condition: Condition) -> str:
    """An SMT-LIB script that is unsatisfiable iff the side condition holds.

    Raises BadTerm where sorts don't fit: there solvers differ in what they make of it.
    """
    formulas = [item for item in dict.fromkeys(condition.assumptions) if item != TRUE]
    formulas.append(("not", condition.goal))
    if condition.known is None:
        formulas += dict.fromkeys(fact for item in tuple(formulas) for fact in roots(item))
        formulas += dict.fromkeys(fact for item in tuple(formulas) for fact in lengths(item))
        formulas = without_exponentials(formulas)
        known = public_signatures(tuple(formulas))
    else:
        known = dict(condition.known)
    lines = ["(set-logic ALL)", *_declarations(formulas, known)]
    if any(sort != BOOL for sort in sorts_of(formulas, known)):
        raise BadTerm(Code.NOT_A_FORMULA())
    lines += _assertions(formulas, known)
    return "\n".join([*lines, "(check-sat)", ""])


def _assertions(formulas: list[Term], known: Mapping[str, Signature]) -> Iterator[str]:
    """The formulas; if they are long, with names for parts that occur more than once."""
    names: dict[Term, str] = {}
    if sum(map(size, formulas)) > MAX_ATOMS_IN_FULL:
        whole = list(applications(*formulas))
        uses = Counter(part for item in whole for part in item if not isinstance(part, str))
        repeated = [item for item in whole if uses[item] > 1]
        for part, sort in zip(repeated, sorts_of(repeated, known), strict=True):
            text = written(part, names)
            names[part] = f"|{SHARED}{len(names)}|"
            yield f"(define-fun {names[part]} () {sort} {text})"
    yield from (f"(assert {written(shared(item), names)})" for item in formulas)


def _declarations(formulas: list[Term], known: Mapping[str, Signature]) -> Iterator[str]:
    for name in symbols(*formulas):
        if SYMBOL.fullmatch(name) is None or name.startswith(f"|{SHARED}"):
            raise GaveUp("script", f"{name} is no symbol")
        if name not in known:
            raise BadTerm(Code.UNKNOWN_SYMBOL(name=name))
        arguments, sort = known[name]
        yield f"(declare-fun {name} ({' '.join(arguments)}) {sort})"


@lru_cache(maxsize=64)
def holds(text: str, solver: str, milliseconds: int = MILLISECONDS) -> bool:
    """Whether a script is unsatisfiable, which is asked once as long as few others are.  Raises GaveUp."""
    answer = _cvc5(text, milliseconds) if solver == "cvc5" else _z3(text, milliseconds)
    if answer not in ("sat", "unsat"):
        raise GaveUp(solver, answer or "no answer")
    return answer == "unsat"


def _cvc5(text: str, milliseconds: int) -> str:
    import cvc5

    manager = cvc5.TermManager()
    solver, names = cvc5.Solver(manager), cvc5.SymbolManager(manager)
    solver.setOption("tlimit-per", str(milliseconds))
    parser = cvc5.InputParser(solver, names)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "condition")
    answers = []
    try:
        while not (command := parser.nextCommand()).isNull():
            answers.append(str(command.invoke(solver, names)))
    except RuntimeError as error:
        return f"error: {error}"
    return "".join(answers).strip()


def _z3(text: str, milliseconds: int) -> str:
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", milliseconds)
    try:
        solver.from_string(text)
        return str(solver.check())
    except z3.Z3Exception as error:
        return f"error: {error}"
