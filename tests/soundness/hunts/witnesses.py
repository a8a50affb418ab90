"""Witnesses: their probabilities recomputed by running the program on all draws; no false mutant is valid."""

from __future__ import annotations

import copy
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from synth.refuter.search.search import refute
from synth.refuter.witness import document_of
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import Claim, read_claim
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.witness.backward import Backward, Fineness, TargetOutput
from synth.trusted.witness.boxes import Incomplete
from synth.trusted.witness.check import INVALID, VALID, check_witness
from tests.support.finite_programs import (
    Distribution,
    TooLong,
    Undefined,
    any_program,
    are_near,
    exact_loss,
    loaded,
    random_program,
)
from tests.support.noise_programs import random_mechanism
from tests.support.oracle import known
from tests.support.refuting import for_check

from . import mixtures
from .hunting import Broken, Try, about

Data = dict[str, Any]
EACH = 15
"""Mutants of one witness."""

SEARCH, CHECK = 2.0, 2.0
ROUNDING = 1e-9
SUITE = ("laplace_vector", "prefix_sum", "response", "noisy_and_sum", "k_rr", "report_noisy_max", "svt_1")
"""Mechanisms with a known bound, of which half of it is refuted."""


def attempt(case: str) -> Iterator[Try]:
    """One witness, and mutants of it."""
    rng = random.Random(case)
    roll = rng.random()
    if roll < 0.3:
        yield from _mixture(rng)
    elif roll < 0.7:
        yield from _finite(rng)
    elif roll < 0.85:
        yield from _noise(rng)
    else:
        yield from _of_suite(rng)


# --- draws of finitely many values ----------------------------------------------------------


def _finite(rng: random.Random) -> Iterator[Try]:
    """A claim below the exact loss is refuted, and what the witness says is true."""
    text = rng.choice((random_program, any_program))(rng)
    try:
        (of,) = read_source(text, "hunt.py")
        loss = exact_loss(text)
    except (ProgramError, Undefined):
        yield Try("finite: refused, or undefined", reached=False)
        return
    except TooLong:
        yield Try("finite: too many runs", reached=False)
        return
    if loss is None or loss.epsilon < 0.01:
        yield Try("finite: no loss", reached=False)
        return
    claim = f"{min(loss.epsilon, 5.0) * rng.choice((0.3, 0.7, 0.95)):.6f}"
    document = _document(text, of, claim)
    if document is None:
        yield Try("finite: no witness found", reached=False)
        return
    try:
        _recomputed(text, document)
    except TooLong:
        yield Try("finite: witness of too many runs", reached=False)
        return
    yield Try("finite: witness recomputed")
    for _ in range(EACH):
        mutant = _mutated(rng, document, [f"{loss.epsilon + 1e-6:.6f}", "9", claim])
        try:
            yield Try(f"finite: mutant {_judged(mutant, text)}")
        except TooLong:
            yield Try("finite: mutant of too many runs", reached=False)


def _document(text: str, of: ir.Mechanism, claim: str) -> Data | None:
    """A witness against the claim, which the second method does not contradict."""
    with about(text):
        witness = refute(replace(of, epsilon=read_claim(of, claim)), seconds=SEARCH)
        if witness is None:
            return None
        found: Data = json.loads(json.dumps(document_of(of, witness, Claim(claim))))
        verdict = check_witness(found, seconds=CHECK)
    if verdict.verdict == INVALID:
        raise Broken(f"our own witness is invalid: {verdict.reason}", json.dumps(found, indent=1))
    return found


def _recomputed(text: str, document: Data) -> None:
    """The inputs are adjacent, the probabilities are those of all runs, and they violate the claim."""
    program, witness, shown = loaded(text), document["witness"], json.dumps(document, indent=1)
    sides = [{**witness["parameters"], **witness[side]} for side in ("left", "right")]
    inputs = [_given(side) for side in sides]
    if not are_near(program.adjacent, *inputs):
        raise Broken("the inputs of a witness are not adjacent", shown)
    outputs = {_plain(item) for item in _outputs(witness["output"])}
    found = []
    for side, arguments in zip(("left", "right"), inputs, strict=True):
        chance = sum(
            mass for output, mass in program.distribution(arguments).items() if _plain(output) in outputs
        )
        low, high = witness[f"probability_{side}"]
        if not low - ROUNDING <= chance <= high + ROUNDING:
            raise Broken(f"the probability on the {side} is {chance}", shown)
        found.append(chance)
    if found[0] <= math.exp(float(document["epsilon"])) * found[1]:
        raise Broken(f"the probabilities {found} do not violate the claim", shown)


def _given(arguments: Data) -> Data:
    return {name: tuple(item) if isinstance(item, list) else item for name, item in arguments.items()}


def _outputs(output: Any) -> list[Any]:
    return output["any of"] if isinstance(output, dict) and set(output) == {"any of"} else [output]


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value))
    return int(value) if isinstance(value, bool) else value


def _judged(document: Data, text: str) -> str:
    """The verdict on a mutant.  Raises Broken where it is falsely valid."""
    shown = json.dumps(document, indent=1)
    with about(shown):
        verdict = check_witness(document, seconds=CHECK).verdict
    if verdict == VALID and not _violates(document, text):
        raise Broken("a false witness is valid", shown)
    return verdict


def _violates(document: Data, text: str) -> bool:
    """Whether the inputs are adjacent, and some set of outputs violates the claim on them."""
    program, witness = loaded(text), document["witness"]
    parameters = witness["parameters"] if isinstance(witness["parameters"], dict) else {}
    inputs = [_given({**parameters, **witness[side]}) for side in ("left", "right")]
    if not are_near(program.adjacent, *inputs) or not eval(program.requires, {"len": len, **inputs[0]}):
        return False
    one, two = (program.distribution(arguments) for arguments in inputs)
    claim = document["epsilon"]
    return claim is not None and _excess(one, two, float(claim)) > float(document["delta"] or 0)


def _excess(one: Distribution, two: Distribution, epsilon: float) -> float:
    return math.fsum(
        max(0.0, mass - math.exp(epsilon) * two.get(output, 0.0)) for output, mass in one.items()
    )


# --- noise ----------------------------------------------------------------------------------


def _noise(rng: random.Random) -> Iterator[Try]:
    """What the search finds the second method does not contradict."""
    text = f"from synth.lang import *\n\n\n{random_mechanism(rng)}"
    try:
        (of,) = read_source(text, "hunt.py")
    except ProgramError:
        return
    found = _document(text, of, rng.choice(("eps / 4", "eps / 2", "eps", "2 * eps")))
    yield Try("noise: no witness found" if found is None else "noise: witness", found is not None)


# --- mixtures -------------------------------------------------------------------------------

TRIES = 5
"""Programs of which one should depend on its input."""

EXACT, CUT = 1e-4, 0.04
"""How far the chances that are added up may be off: with noise on integers alone, and on the reals."""


def _mixture(rng: random.Random) -> Iterator[Try]:
    """Claims a little above and below the true loss of a program of mixtures."""
    for _ in range(TRIES):
        writer = mixtures.Writer(rng)
        text = writer.text()
        (of,) = read_source(text, "hunt.py")
        public: Data = {name: rng.choice(mixtures.SIZES) for name in ("c", "d")}
        public |= {"n": rng.choice((0, 3, -1)), "b": rng.random() < 0.5}
        sides = rng.choice(((0, 1), (0, -1), (1, 0), (-1, 0), (2, 1), (3, 4)))
        exact = {**public, **{name: Fraction(public[name]) for name in ("c", "d")}}
        chances = [mixtures.chance(of, {**exact, "x": side}, writer.draws) for side in sides]
        off = CUT * writer.reals or EXACT
        for side, added in zip(sides, chances, strict=True):
            yield Try(f"mixture: {_enclosed(of, text, {**exact, 'x': side}, added, off)}")
        if chances[0] != chances[1]:
            break
    epsilon = rng.choice((0.0, 0.5))
    for value, sign in product((True, False), (1, -1)):
        one, two = chances if value else [1 - item for item in chances]
        factor = math.exp(epsilon)
        delta = one - factor * two + sign * off * (1 + factor)
        if delta < 1 and (delta > 0 or sign > 0):
            document = _forged(text, public, sides, value, (f"{epsilon}", f"{max(delta, 0):.9f}"))
            yield Try(f"mixture: {_judged_mixture(document, sign > 0)}")


def _enclosed(of: ir.Mechanism, text: str, inputs: Data, added: float, off: float) -> str:
    """Whether the check encloses the chance of True.  Raises Broken where it encloses another one."""
    shown = f"{text}\n{inputs}"
    fineness = Fineness(Fraction(1, 4), Decimal("1e-4"), time.monotonic() + CHECK)
    with about(shown):
        try:
            found = Backward(of, TargetOutput((1,), ()), {}, {}, fineness).chance(for_check(inputs))
        except Incomplete:
            return "incomplete"
    if not float(found.low) - off <= added <= float(found.high) + off:
        raise Broken(f"the chance {added} is not enclosed by {found}", shown)
    return "chance enclosed"


def _forged(text: str, public: Data, sides: Sequence[int], value: bool, claim: tuple[str, str]) -> Data:
    """A witness that states no more than it must."""
    witness = {
        "parameters": public,
        **{name: {"x": side} for name, side in zip(("left", "right"), sides, strict=True)},
        "events": [{"values": [value], "lists": []}],
        **{f"probability_{name}": [0, 1] for name in ("left", "right")},
        "epsilon_at_least": 0,
    }
    stated = dict(zip(("epsilon", "delta"), claim, strict=True))
    return {"kind": "witness", "program": text, "mechanism": "f", **stated, "witness": witness}


def _judged_mixture(document: Data, claim_holds: bool) -> str:
    """The verdict.  Raises Broken where it contradicts what is known of the claim."""
    shown = json.dumps(document, indent=1)
    with about(shown):
        verdict = check_witness(document, seconds=CHECK)
    if verdict.verdict == VALID and claim_holds:
        raise Broken("a false witness is valid", shown)
    if verdict.verdict == INVALID and not (claim_holds and "not violate" in str(verdict.reason)):
        raise Broken(f"a true witness is invalid: {verdict.reason}", shown)
    return f"{verdict.verdict}, against a {'true' if claim_holds else 'false'} claim"


@cache
def _suite_witness(name: str) -> str | None:
    """A witness that half of the least bound is not enough."""
    item = known(name)
    found = _document(item.text, item.mechanism, f"({item.least}) / 2")
    return None if found is None else json.dumps(found)


def _of_suite(rng: random.Random) -> Iterator[Try]:
    """No witness speaks against a bound that is proved."""
    name = rng.choice(SUITE)
    text = _suite_witness(name)
    if text is None:
        yield Try("suite: no witness found", reached=False)
        return
    for _ in range(EACH):
        document = _mutated(rng, json.loads(text), [])
        document["epsilon"] = known(name).least
        if document["program"] != known(name).text:
            continue
        shown = json.dumps(document, indent=1)
        with about(shown):
            verdict = check_witness(document, seconds=CHECK).verdict
        if verdict == VALID:
            raise Broken(f"a witness against a bound that is proved: {name}", shown)
        yield Try(f"suite: mutant {verdict}")


# --- mutants --------------------------------------------------------------------------------


def _mutated(rng: random.Random, document: Data, claims: list[str]) -> Data:
    """The document with some changes, perhaps with another claim."""
    result = copy.deepcopy(document)
    if claims:
        result["epsilon"] = rng.choice(claims)
    witness = result["witness"]
    if rng.random() < 0.2:
        for name in ("{}", "probability_{}"):
            one, two = (name.format(side) for side in ("left", "right"))
            witness[one], witness[two] = witness[two], witness[one]
    for _ in range(rng.randint(0, 3)):
        places = list(_leaves(witness, ()))
        path, old = rng.choice(places)
        target: Any = witness
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = _other(rng, old)
    if rng.random() < 0.1 and witness["events"]:
        witness["events"].append(copy.deepcopy(witness["events"][0]))
    if rng.random() < 0.2:
        witness["probability_left"], witness["probability_right"] = [0.0, 1.0], [0.0, 1.0]
    return result


def _leaves(item: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(item, dict | list) and item:
        for key, value in item.items() if isinstance(item, dict) else enumerate(item):
            yield from _leaves(value, (*path, key))
    elif path:
        yield path, item


def _other(rng: random.Random, old: Any) -> Any:
    if isinstance(old, bool):
        return rng.choice((not old, int(old)))
    if isinstance(old, int):
        return rng.choice((old + 1, old - 1, 0, -old, float(old), bool(old % 2), 10**6))
    if isinstance(old, float):
        return rng.choice(
            (old * 1.01, old * 0.99, 0.0, 1.0, -old, old / 2, float(Fraction(old).limit_denominator(9)))
        )
    return rng.choice((None, 0, True, "1/2", [], {}))
