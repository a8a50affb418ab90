"""``synth export --to smtlib``: one script per side condition, each unsatisfiable iff the condition holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from synth.support.display import shown
from synth.trusted.kernel.check import side_conditions
from synth.trusted.kernel.solvers import script
from synth.trusted.logic.arithmetic.polynomials import public_signatures
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.terms import symbols, write
from synth.views.certificate.infix import Infix
from synth.views.certificate.steps import Reading

INDEX, READABLE = "index.json", "INDEX.md"

Prover = Callable[[str], str | None]


@dataclass(frozen=True)
class Evidence:
    """A proof object in the folder, and the hash of its text."""

    file: str
    sha256: str
    format: str = "CPC"


@dataclass(frozen=True)
class Query:
    """A script in the folder: which rule needs it, at which place of the certificate, and what it says.

    ``line`` is the line of the program that the rule is about, if it is about one; ``goal`` is what
    has to be shown.
    """

    file: str
    sha256: str
    rule: str
    place: str
    line: int | None
    says: str
    goal: str
    proof: Evidence | None = None


def smtlib_files(reading: Reading, prover: Prover | None = None) -> dict[str, str]:
    """The files of the folder by their names; ``prover`` gives proofs of scripts, where it has complete ones.

    Raises Rejected for a derivation that isn't one.
    """
    conditions = side_conditions(reading.certificate)
    width = max(3, len(str(len(conditions))))
    files: dict[str, str] = {}
    queries: list[Query] = []
    for number, condition in enumerate(conditions, 1):
        stem, line = f"{number:0{width}}-{condition.rule}", _line(reading, condition.place)
        text = _commented(condition, line)
        proof = prover(text) if prover is not None else None
        evidence = None
        if proof is not None:
            files[f"{stem}.cpc"] = proof
            evidence = Evidence(f"{stem}.cpc", _hash(proof))
        files[f"{stem}.smt2"] = text
        queries.append(
            Query(
                f"{stem}.smt2",
                _hash(text),
                condition.rule,
                shown(condition.place),
                line,
                shown(str(condition.says)),
                _goal(reading, condition),
                evidence,
            )
        )
    files[INDEX] = json.dumps(_index(reading, queries), indent=1, ensure_ascii=False) + "\n"
    files[READABLE] = "\n".join(_readable(reading, queries, prover is not None)) + "\n"
    return files


def _commented(condition: Condition, line: int | None) -> str:
    where = condition.place if line is None else f"{condition.place}, line {line}"
    head = (f"[{condition.rule}] at {where}", str(condition.says))
    return "".join(f"; {shown(item)}\n" for item in head) + script(condition)


def _line(reading: Reading, place: str) -> int | None:
    """The line of the statement whose rule stands at that place, or around it."""
    lines = {step.node.place: step.line for step in reading.all_steps()}
    while place and place not in lines:
        place = place.rpartition(".")[0]
    return lines.get(place)


def _goal(reading: Reading, condition: Condition) -> str:
    """What has to be shown, as mathematics where that is clear: two constants may have one name."""
    known = public_signatures((condition.goal,)) if condition.known is None else condition.known
    constants = {name for name in symbols(condition.goal) if not known[name][0]}
    names = reading.around(condition.place).names
    written = Infix(names, known).formula(condition.goal)
    ambiguous = len({names.symbol(name, frozenset()) for name in constants}) < len(constants)
    # Constants named after the draw hold what is said of an outcome there.
    ambiguous |= condition.rule in ("Chance", "Choice") and any("!" in name for name in constants)
    return shown(write(condition.goal) if ambiguous or written == "⊤" else written)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# --- the index ------------------------------------------------------------------------------


def _index(reading: Reading, queries: Sequence[Query]) -> Mapping[str, object]:
    return {
        "format": "synth side conditions",
        "version": 1,
        "mechanism": reading.mechanism.name,
        "program_sha256": reading.certificate.program.sha256,
        "conditions": [asdict(query) for query in queries],
    }


def _readable(reading: Reading, queries: Sequence[Query], with_proofs: bool) -> Iterator[str]:
    yield f"# Side conditions of {reading.mechanism.name}"
    yield ""
    yield "Each script is unsatisfiable iff its side condition holds, under any solver. That the rules"
    yield "ask for these conditions, and for nothing else, is what `synth check` sees to."
    yield f"The program has the SHA-256 `{reading.certificate.program.sha256}`."
    if with_proofs:
        proved = sum(query.proof is not None for query in queries)
        yield ""
        yield f"{proved} of {len(queries)} have a proof object of cvc5 (format CPC, no trusted steps);"
        yield f"`{INDEX}` binds each to its query by their SHA-256."
    yield ""
    yield "| script | rule | line | place in the certificate | says | goal | proof |"
    yield "|---|---|---|---|---|---|---|"
    for query in queries:
        line = "" if query.line is None else str(query.line)
        proof = query.proof.file if query.proof is not None else ""
        cells = (query.file, f"[{query.rule}]", line, f"`{query.place}`", query.says, query.goal, proof)
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"
