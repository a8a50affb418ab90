"""The soundness fuzz for as long as you like: ``python -m tests.soundness.mechanisms.fuzz --seed 1``.

Random programs are proved, each in a process of its own.  What is proved is attacked by the refuter, or
compared with the exact privacy loss; what is not proved, or with a large bound, is compared with the least
claim that withstands.  A proof that is refuted ends the run, with exit status 1.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from synth.refuter.search.search import refute
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import read_claim
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.claimed_programs import claimed_mechanism
from tests.support.finite_programs import TOLERANCE, TooLong, Undefined, exact_loss, random_program, violation
from tests.support.noise_programs import random_mechanism
from tests.support.proving import Outcome, prove_apart

GENERATORS: dict[str, Callable[[random.Random], str]] = {
    "noise": random_mechanism,
    "finite": random_program,
    "claimed": claimed_mechanism,
}
CLAIMS = (0.25, 0.5, 1, 2, 3, 4)
"""Candidate bounds of programs with noise, as multiples of eps."""

FALSE, REFUSED, REFUTED, UNKNOWN = "false proof", "refused", "refuted", "unknown though not refuted"
LEAST, LARGER = "proved, no smaller bound withstands", "proved, larger than what withstands"
PROVING, ATTACK, TRY = 10.0, 2.0, 1.0
"""Seconds to prove a program, to refute what is proved, and to refute one candidate."""

_LONG = 24
"""What lengths and sizes count as where bounds are compared."""


@dataclass(frozen=True)
class Program:
    """A program by its place in a run; ``of`` is None where the reader refuses it."""

    generator: str
    name: str
    text: str
    of: ir.Mechanism | None


@dataclass(frozen=True)
class Result:
    """What was found: ``bound`` was proved, ``needed`` is the least candidate that withstands (in nats,
    at eps = 1; None if none does)."""

    kind: str
    bound: str | None = None
    needed: float | None = None
    reason: str = ""


def program(generator: str, seed: int, number: int) -> Program:
    """The program of that number in the run of that seed."""
    name = f"{seed}/{generator}/{number}"
    text = GENERATORS[generator](random.Random(name))
    if not text.startswith("from"):
        text = f"from synth.lang import *\n\n\n{text}"
    try:
        (of,) = read_source(text, "fuzz.py")
    except ProgramError:
        return Program(generator, name, text, None)
    return Program(generator, name, text, of)


def objection(item: Program, of: ir.Mechanism, outcome: Outcome, seconds: float) -> str | None:
    """What speaks against the bound that was proved, with or without being what was claimed."""
    if outcome.epsilon is None:
        return None
    if item.generator == "finite":
        try:
            found = violation(item.text, outcome.epsilon)
        except Undefined as error:
            return f"an obligation is broken: {error}"
        except TooLong:
            return None
        return None if found is None else str(found)
    delta = of.delta if outcome.verdict == "unknown" else read_claim(of, outcome.delta, "delta")
    claim = replace(of, epsilon=read_claim(of, outcome.epsilon), delta=delta)
    witness = refute(claim, seconds=seconds)
    return None if witness is None else str(witness)


def study(item: Program) -> Result:
    """The verdict on a program, and whether less would do."""
    if item.of is None:
        return Result(REFUSED)
    outcome = prove_apart(item.of, PROVING)
    against = objection(item, item.of, outcome, ATTACK)
    if against is not None:
        return Result(FALSE, outcome.epsilon, reason=against)
    proved = outcome.verdict == "proved"
    needed = _needed(item, item.of, _at_one(outcome.epsilon) if proved else math.inf)
    if proved and outcome.epsilon is not None:
        larger = needed is not None and needed < _at_one(outcome.epsilon) - TOLERANCE
        return Result(LARGER if larger else LEAST, outcome.epsilon, needed)
    kind = REFUTED if needed is None else UNKNOWN
    return Result(kind, outcome.epsilon, needed, f"{outcome.verdict}: {outcome.reason}")


def _needed(item: Program, of: ir.Mechanism, most: float) -> float | None:
    """The least candidate below ``most`` that withstands, a claim that does, the loss of a finite program.

    None if there is none, or if the program is not defined on all inputs.
    """
    if item.generator == "finite":
        try:
            loss = exact_loss(item.text)
        except (Undefined, TooLong):
            return None
        return None if loss is None or math.isinf(loss.epsilon) else loss.epsilon
    if of.epsilon is not None:
        claim = float(of.epsilon.value) if isinstance(of.epsilon, ir.Constant) else math.nan
        return claim if most < math.inf or refute(of, seconds=ATTACK) is None else None
    for claim in CLAIMS:
        if claim > most - TOLERANCE:
            return None
        if refute(of, epsilon=read_claim(of, f"{claim} * eps"), seconds=TRY) is None:
            return claim
    return None


def _at_one(bound: str | None) -> float:
    """A bound at eps = 1, and long inputs."""
    if bound is None:
        return math.inf
    functions = {name: getattr(math, name) for name in ("exp", "log", "sqrt")}
    return float(eval(bound, {**functions, "len": lambda q: _LONG, "q": None, "n": _LONG, "eps": 1, "t": 1}))


def run(seconds: float, seed: int, output: Path) -> bool:
    """Whether all went well; one JSON line per program goes to ``output``."""
    counts: Counter[tuple[str, str]] = Counter()
    end, number = time.monotonic() + seconds, 0
    with output.open("w", encoding="utf-8") as lines:
        while time.monotonic() < end and not any(kind == FALSE for _, kind in counts):
            for generator in GENERATORS:
                item, started = program(generator, seed, number), time.monotonic()
                result = study(item)
                counts[generator, result.kind] += 1
                line = {"program": item.name, "seconds": round(time.monotonic() - started, 2)}
                lines.write(json.dumps({**line, **asdict(result), "text": item.text}) + "\n")
                lines.flush()
                if result.kind == FALSE:
                    print(f"{item.name}: {result.bound} is proved\n{item.text}\n{result.reason}")
            number += 1
    for (generator, kind), count in sorted(counts.items()):
        print(f"{count:6} {generator:8} {kind}")
    return not any(kind == FALSE for _, kind in counts)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--output", type=Path, default=Path("fuzz.jsonl"))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    return 0 if run(arguments.seconds, arguments.seed, arguments.output) else 1


if __name__ == "__main__":
    sys.exit(main())
