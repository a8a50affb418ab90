"""Side conditions as SMT-LIB scripts, decided by cvc5 or z3.  A solver's word is all that is trusted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from synth.effort import asked
from synth.kernel.exponentials import without_exponentials
from synth.kernel.proof import Condition
from synth.kernel.public import lengths, public_signatures, roots
from synth.kernel.terms import BOOL, TRUE, BadTerm, Signature, Term, sort_of, symbols, write

SOLVERS = ("cvc5", "z3")
MILLISECONDS = 20_000
SYMBOL = re.compile(r"\|[^|\\\s\"]+\|")
"""What may stand in a script as a name; anything else could end the name and go on with commands."""


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
    if any(sort_of(item, known) != BOOL for item in formulas):
        raise BadTerm("not a formula")
    lines += [f"(assert {write(item)})" for item in formulas]
    return "\n".join([*lines, "(check-sat)", ""])


def _declarations(formulas: list[Term], known: dict[str, Signature]) -> Iterator[str]:
    for name in dict.fromkeys(name for item in formulas for name in symbols(item)):
        if SYMBOL.fullmatch(name) is None:
            raise GaveUp("script", f"{name} is no symbol")
        arguments, sort = known[name]
        yield f"(declare-fun {name} ({' '.join(arguments)}) {sort})"


def holds(text: str, solver: str, milliseconds: int = MILLISECONDS) -> bool:
    """Whether a script is unsatisfiable.  Raises GaveUp."""
    asked(solver)
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


def versions() -> dict[str, str]:
    """The solvers' versions."""
    import cvc5
    import z3

    return {"cvc5": cvc5.__version__, "z3": z3.get_version_string()}
