"""Random core programs, also such as the reader never makes: what is trusted holds of each.

Steps are taken one after the other, at any places, and the law of the output must stay.  Where a program
takes a sample of its records, its law is a mixture of those of the program that takes them all.  Where [Safe]
is shown, no run violates an obligation.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from synth.trusted.core.exponential_numbers import Number
from synth.trusted.core.expressions import evaluate, start
from synth.trusted.core.interpreter import Output, Undefined, Violated
from synth.trusted.core.reader import read_core
from synth.trusted.kernel.certificate import read_certificate
from synth.trusted.kernel.proof_state import begin
from synth.trusted.kernel.rules.safety import safe
from synth.trusted.logic.definite_assignment import check_definite_assignment
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import read
from synth.trusted.normal_form.sampling import NotSampled, every_record
from synth.trusted.program import syntax as ir
from synth.trusted.steps.rewriting import (
    Advance,
    Count,
    Defer,
    Join,
    Linger,
    Pair,
    Permute,
    Repeat,
    Sign,
    Step,
    Stream,
    WriteOut,
    taken,
)
from tests.support.core_programs import core_text, safe_text, sample_text
from tests.support.fused_windows import is_shown
from tests.support.handmade import certificate

from . import defined_laws
from .hunting import Broken, Try, about

INPUTS = 2
STEPS, TRIES = 5, 40
"""Of one program: steps that are taken, at the most, and that are tried."""

ANY = '@mechanism(adjacent={"x": absolute_distance(1)})\ndef f(x: int):\n    return 0\n'
"""A program for a certificate of which only the invariants of single runs are looked at."""

Place = tuple[int, ...]
Inputs = dict[str, Any]


def attempt(case: str) -> Iterator[Try]:
    """One program of one kind."""
    rng = random.Random(case)
    write, attack = rng.choice(((core_text, _stepped), (safe_text, _safe), (sample_text, _sampled)))
    text = write(rng)
    of = read_core(text)
    with about(text):
        try:
            check_definite_assignment(of)
        except Rejected:
            yield Try("something has no value", reached=False)
            return
        yield attack(of, rng, text)


def _inputs(rng: random.Random) -> Inputs:
    found: Inputs = {"x": rng.choice((-1, 0, 1, 2)), "p": rng.choice((0, 1, 2)), "c": rng.random() < 0.5}
    return {**found, "q": tuple(rng.choice((-1, 0, 1, 2)) for _ in range(rng.randint(0, 2)))}


# --- steps ----------------------------------------------------------------------------------


def _stepped(of: ir.Mechanism, rng: random.Random, text: str) -> Try:
    form, done = of, list[Step]()
    for _ in range(TRIES):
        step = _step(form, rng)
        if step is not None and len(done) < STEPS:
            with suppress(Rejected):
                form, _ = taken(form, step)
                done.append(step)
    if not done:
        return Try("no steps", reached=False)
    for _ in range(INPUTS):
        inputs = _inputs(rng)
        laws = defined_laws.law(of, inputs), defined_laws.law(form, inputs)
        try:
            defined_laws.compare(*laws)
        except defined_laws.Differ as error:
            raise Broken(f"behind {done}, inputs {inputs}: {error}", text) from None
    return Try(f"steps: {', '.join(sorted({item.rule for item in done}))}")


def _step(of: ir.Mechanism, rng: random.Random) -> Step | None:
    """A step at one of the places where there may be one of its kind."""
    if of.lists and rng.random() < 0.2:
        return WriteOut(tuple(rng.sample([*of.lists], rng.randint(1, len(of.lists)))))
    kinds: tuple[tuple[Any, Callable[[Place], Step]], ...] = (
        (ir.Draw, lambda place: Defer(place, rng.randint(1, 3))),
        (ir.Draw, Pair),
        (ir.Draw, Sign),
        (ir.Choose, lambda place: Defer(place, rng.randint(1, 3))),
        (ir.Choose, Permute),
        (ir.Block, Stream),
        (ir.Block, Stream),
        (ir.NewList, Count),
        (ir.Block, Linger),
        (ir.Block, Join),
        (ir.If, lambda place: Advance(place, rng.randint(0, 1), rng.randint(1, 3))),
        (ir.Assign | ir.NewList | ir.If, lambda place: _repeat(of, place, rng)),
    )
    wanted, make = rng.choice(kinds)
    places = [place for place, item in _places(of.body, ()) if isinstance(item, wanted)]
    return make(rng.choice(places)) if places else None


def _repeat(of: ir.Mechanism, place: Place, rng: random.Random) -> Repeat:
    """What stands at a place, before one of the statements of its body or of bodies inside of that."""
    behind = [other for other, _ in _places(of.body, ()) if other[:-1] >= place[:-1] and other > place]
    return Repeat(place, rng.randint(1, 3), tuple(rng.sample(behind, min(len(behind), rng.randint(1, 2)))))


def _places(body: tuple[ir.Statement, ...], before: Place) -> Iterator[tuple[Place, ir.Statement]]:
    for number, item in enumerate(body):
        yield (*before, number), item
        for side, inner in enumerate(ir.blocks(item)):
            yield from _places(inner, (*before, number, side))


# --- single runs ----------------------------------------------------------------------------


def _safe(of: ir.Mechanism, rng: random.Random, text: str) -> Try:
    count = sum(isinstance(item, ir.Obligation) for item in ir.statements(of.body))
    if not count:
        return Try("nothing is asked", reached=False)
    by_state = tuple(number for number in range(count) if rng.random() < 0.8)
    bare = read_certificate({**certificate(ANY), "core": "", "derivation": {"rule": "Seq", "premises": []}})
    safety = {name: read(term) for name, term in _invariants(of, rng)}
    proof = begin(of, replace(bare, safety=safety, by_state=by_state), single=True)
    safe(proof)
    if not all(map(is_shown, proof.all_conditions())):
        return Try("not safe", reached=False)
    for _ in range(INPUTS):
        inputs = _inputs(rng)
        law = defined_laws.law(of, inputs)
        if law is not None and any(isinstance(item, Violated) for item in law.outcomes):
            raise Broken(f"an obligation is violated, inputs {inputs}", text)
    return Try("safe")


def _invariants(of: ir.Mechanism, rng: random.Random) -> Iterator[tuple[str, str]]:
    for loop in ir.statements(of.body):
        if isinstance(loop, ir.Loop):
            targets = {item.target for item in ir.statements(loop.body) if isinstance(item, ir.Assign)}
            numbers = sorted(name for name in targets if of.variables[name] is ir.Sort.INT)
            terms = [f"({' '.join(order)})" for name in numbers
                     for order in (("<=", "0", f"|{name}<1>|"), ("<=", f"|{name}<1>|", "2"))]  # fmt: skip
            yield str(loop.loop), f"(and true true {' '.join(item for item in terms if rng.random() < 0.3)})"
    if rng.random() < 0.2:
        yield "xs", "(<= 0 |xs[0]<1>|)"


# --- samples --------------------------------------------------------------------------------


def _sampled(of: ir.Mechanism, rng: random.Random, text: str) -> Try:
    try:
        found = every_record(of)
        check_definite_assignment(found.every)
    except (NotSampled, Rejected):
        return Try("no sample", reached=False)
    for _ in range(INPUTS):
        size = rng.randint(0, 2)
        present = tuple(rng.random() < 0.7 for _ in range(size))
        columns = {"col": tuple(rng.choice((-1, 0, 1, 2)) for _ in range(size)), "present": present}
        inputs = {**_inputs(rng), **columns, "r": rng.choice((Fraction(0), Fraction(1, 4), Fraction(1)))}
        law = defined_laws.law(of, inputs)
        mixture = _mixture(found.every, inputs, evaluate(found.chance, start(of, inputs)))
        if law is None or mixture is None or law.beyond + law.unfinished != 0:
            return Try("sample: no law", reached=False)
        if any(isinstance(item, Violated | Undefined) for item in law.outcomes):
            return Try("sample: an error", reached=False)
        if {key: item for key, item in law.outputs.items() if item != 0} != mixture:
            raise Broken(f"inputs {inputs}: {law.outputs} is no mixture, which is {mixture}", text)
    return Try("sample: a mixture")


def _mixture(every: ir.Mechanism, inputs: Inputs, chance: Any) -> dict[Output, Number] | None:
    """The chances of outputs, if each record is taken with that chance; None where there is no law."""
    there = [place for place, flag in enumerate(inputs["present"]) if flag]
    total: dict[Output, Number] = defaultdict(Fraction)
    for coins in product((False, True), repeat=len(there)):
        weight: Number = Fraction(1)
        present = list(inputs["present"])
        for place, heads in zip(there, coins, strict=True):
            weight, present[place] = weight * (chance if heads else 1 - chance), heads
        law = defined_laws.law(every, {**inputs, "present": tuple(present)})
        if law is None or law.beyond + law.unfinished != 0:
            return None
        for output, share in law.outputs.items():
            total[output] = total[output] + weight * share
    return {output: share for output, share in total.items() if share != 0}
