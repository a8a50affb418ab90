"""cvc5's proof objects, in its format CPC, of what it can prove without trusted steps."""

from __future__ import annotations

import re

from synth.trusted.kernel.solvers import MILLISECONDS

_OPTIONS = {
    "produce-proofs": "true",
    "proof-format-mode": "cpc",
    "proof-granularity": "dsl-rewrite",
    "tlimit-per": str(MILLISECONDS),
}
_TRUSTED = re.compile(r":rule \S*(?:trust|hole)", re.IGNORECASE)


def proof_object(script: str) -> str | None:
    """A proof that the script is unsatisfiable; None if cvc5 finds none, or has to be believed a step."""
    import cvc5

    manager = cvc5.TermManager()
    solver, names = cvc5.Solver(manager), cvc5.SymbolManager(manager)
    for name, setting in _OPTIONS.items():
        solver.setOption(name, setting)
    parser = cvc5.InputParser(solver, names)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "condition")
    answers = []
    try:
        while not (command := parser.nextCommand()).isNull():
            answers.append(str(command.invoke(solver, names)))
        if "".join(answers).strip() != "unsat":
            return None
        proof = b"".join(solver.proofToString(part) for part in solver.getProof()).decode()
    except RuntimeError:
        return None
    return None if _TRUSTED.search(proof) else proof
