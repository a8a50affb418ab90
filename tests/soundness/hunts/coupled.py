"""What the kernel knows without asking is true of all runs that a derivation couples.

Derivations at random, of random programs, with what no run needs put into them.  Nothing need be shown, and
what would be is not taken for known: what is left are definitions, adjacency, laws of arithmetic, what is
read, what is lost, and what run 1 will publish.  All else follows from these, so a proof is right about each
pair of runs of which they are true.  That a program leaks needs no luck here.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from synth.trusted.core.reader import read_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.certificate import read_certificate
from synth.trusted.kernel.proof_state import begin
from synth.trusted.kernel.rules.whole import derived
from synth.trusted.logic.definite_assignment import check_definite_assignment
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from tests.support.core_programs import core_text
from tests.support.coupled_programs import Inputs, adjacent_pairs, coupled_program
from tests.support.handmade import Data, certificate
from tests.support.idle_reads import with_idle_reads
from tests.support.joint_runs import States, contradiction, nothing_asked, recorded

from .derivations import NATS, TAILS, ZCDP, Proposal
from .hunting import Broken, Try, about

ANY = '@mechanism(adjacent={"x": absolute_distance(1)})\ndef f(x: int):\n    return 0\n'
"""A program for a certificate of which only the derivation is looked at."""

Pairs = list[tuple[Inputs, Inputs]]

TRIES, PAIRS = 2, 2
"""Derivations of one program, and pairs of runs of one derivation."""


class _Bare(Proposal):
    """A derivation of which no invariant has to be shown, and that moves noise by what is known before."""

    def entries(self) -> dict[str, str]:
        return {}

    def interval(self) -> Data:
        return {"rule": "LapGen", "k": self.shift(), "within": "1.0", "cost": "cost#0", "amount": "2"}

    def loop(self, statement: ir.Loop) -> Data:
        return {"rule": "While", "invariant": [], "equal": [], "premises": [self.sequence(statement.body)]}


def attempt(case: str) -> Iterator[Try]:
    """Some derivations of one program.  Raises Broken."""
    rng = random.Random(case)
    text, of, pairs = _of_core(rng) if rng.random() < 0.25 else _of_python(rng)
    if of is None:
        yield Try("refused", reached=False)
        return
    with about(text):
        idle = with_idle_reads(of, rng) if rng.random() < 0.8 else None
        form, shown = (of, text) if idle is None else (idle[0], idle[1].program)
        for _ in range(TRIES):
            data = {**certificate(ANY), "core": ""}
            data |= _Bare(rng, form, rng.choice((NATS, NATS, TAILS, ZCDP))).part()
            yield _tried(pairs, form, data, rng, shown)


def _of_python(rng: random.Random) -> tuple[str, ir.Mechanism | None, Pairs]:
    text = coupled_program(rng, reads=True)
    try:
        (of,) = read_source(text, "hunt.py")
    except ProgramError:
        return text, None, []
    return text, of, list(adjacent_pairs(of))


def _of_core(rng: random.Random) -> tuple[str, ir.Mechanism | None, Pairs]:
    """A program that no reader makes: blocks that are left, early returns, lists of two components."""
    text = core_text(rng)
    of = read_core(text)
    try:
        check_definite_assignment(of)
    except Rejected:
        return text, None, []
    return text, of, [_adjacent(rng) for _ in range(PAIRS)]


def _adjacent(rng: random.Random) -> tuple[Inputs, Inputs]:
    q = tuple(rng.choice((-1, 0, 1, 2)) for _ in range(rng.randint(0, 2)))
    one: Inputs = {
        "x": rng.choice((-1, 0, 1, 2)),
        "p": rng.choice((0, 1, 2)),
        "c": rng.random() < 0.5,
        "q": q,
    }
    moved = tuple(entry + rng.choice((-1, 0, 1)) for entry in q)
    return one, {**one, "x": one["x"] + rng.choice((-1, 0, 1)), "q": moved}


def _tried(pairs: Pairs, form: ir.Mechanism, data: Data, rng: random.Random, shown: str) -> Try:
    found: dict[int, States] = {}
    try:
        with recorded(found), nothing_asked():
            proof = derived(begin(form, read_certificate(data)))
    except Rejected:
        return Try("refused", reached=False)
    reached = False
    for inputs in rng.choices(pairs, k=PAIRS):
        wrong, coupled = contradiction(proof, found[id(proof)], inputs, rng, is_shown=False)
        if wrong is not None:
            raise Broken(f"{wrong}\n{shown}", json.dumps(data, indent=1))
        reached = reached or coupled
    return Try("coupled" if reached else "no pair of runs", reached)
