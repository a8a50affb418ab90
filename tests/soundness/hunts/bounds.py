"""Bounds that are proved against exact losses: mutants of mechanisms, random programs, Gaussian noise."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source, read_what_can_be
from synth.trusted.program import syntax as ir
from tests import ROOT
from tests.soundness.mechanisms.fuzz import GENERATORS, Program, objection
from tests.support.claimed_programs import least_delta, least_sigma
from tests.support.enumeration import loss_is_more
from tests.support.mutator import program_changes
from tests.support.proving import Outcome, prove_apart
from tests.support.real_programs.responses import responses
from tests.support.sized_programs import sized_program

from .hunting import Broken, Try, about

PROVING, ATTACK = 8.0, 1.0
"""Seconds to prove a program, and to refute what is proved."""

HEAD = "from synth.lang import *\n\n\n"
FOLDERS = ("benchmarks/programs", "tests/completeness/programs/heldout")
FACTORS = (0.9, 0.99, 0.999, 1.001, 1.01, 1.1)
"""What the sigma that is needed is multiplied by."""

REACH = 40
"""How many sigmas the sums over integers go out."""


def attempt(case: str) -> Iterator[Try]:
    """One program: proved, and what is proved attacked."""
    rng = random.Random(case)
    kind = rng.choice(list(KINDS))
    yield KINDS[kind](rng)


def _read(text: str) -> ir.Mechanism | None:
    try:
        (of,) = read_source(text, "hunt.py")
    except ProgramError:
        return None
    return of


def _proved(text: str, of: ir.Mechanism) -> Outcome:
    with about(text):
        outcome = prove_apart(of, PROVING)
    if outcome.verdict == "crash":
        raise Broken(f"internal error of the prover: {outcome.reason}", text)
    return outcome


def _kind(name: str, outcome: Outcome) -> Try:
    return Try(f"{name}: {outcome.verdict}", outcome.epsilon is not None)


# --- random programs, and mutants -----------------------------------------------------------


def _random(rng: random.Random) -> Try:
    """A program of one of the grammars."""
    name = rng.choice([*GENERATORS, "sized"])
    text = sized_program(rng) if name == "sized" else GENERATORS[name](rng)
    return attacked(name, text if text.startswith("from") else HEAD + text)


def attacked(name: str, text: str) -> Try:
    """Prove a program, and attack what is proved.  Raises Broken."""
    of = _read(text)
    if of is None:
        return Try(f"{name}: refused", reached=False)
    outcome = _proved(text, of)
    with about(text):
        against = objection(Program(name, "hunt", text, of), of, outcome, ATTACK)
    if against is not None:
        raise Broken(f"{outcome.epsilon} with delta {outcome.delta} is proved, but {against}", text)
    return _kind(name, outcome)


@cache
def mechanisms() -> tuple[str, ...]:
    """The true mechanisms, each in a text of its own."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.py"))]
    return tuple(text for path in files for text in _each(path))


def _each(path: Path) -> Iterator[str]:
    module = ast.parse(path.read_text(encoding="utf-8"))
    for function in module.body:
        if isinstance(function, ast.FunctionDef) and function.decorator_list:
            kept = [
                item
                for item in module.body
                if item is function or not (isinstance(item, ast.FunctionDef) and item.decorator_list)
            ]
            yield ast.unparse(ast.fix_missing_locations(ast.Module(kept, []))) + "\n"


def _mutant(rng: random.Random) -> Try:
    """A true mechanism with one or two changes."""
    text = rng.choice(mechanisms())
    for _ in range(rng.choice((1, 1, 2))):
        text = rng.choice(program_changes(text) or (("", text),))[1]
    return attacked("mutant", text)


# --- Gaussian noise -------------------------------------------------------------------------


def _normal(rng: random.Random) -> Try:
    """Releases on the reals with nearly the least sigma: together they are one of distance sqrt(uses)."""
    uses, distance = rng.choice((1, 1, 2, 3)), rng.choice((1, 2))
    epsilon, delta = rng.choice((0.3, 0.5, 1.0, 2.0, 4.0)), rng.choice((0.1, 0.01, 0.001, 0.00001))
    moved = distance * math.sqrt(uses)
    sigma = round(least_sigma(epsilon, delta, moved) * rng.choice(FACTORS), 6)
    needed = least_delta(sigma, epsilon, moved)
    return _claimed(rng, "float", uses, distance, (sigma, epsilon, delta), needed)


def _discrete(rng: random.Random) -> Try:
    """One release on the integers; what is lost is a sum."""
    distance, sigma = rng.choice((1, 1, 2)), round(rng.uniform(0.4, 6), 3)
    epsilon = round(rng.choice((0.5, 1.0, 2.0, 4.0)), 3)
    needed = discrete_delta(sigma, epsilon, distance)
    delta = round(needed * rng.choice(FACTORS), 15)
    if not 1e-9 < delta < 0.9:
        return Try("discrete: too small or large", reached=False)
    return _claimed(rng, "int", 1, distance, (sigma, epsilon, delta), needed)


def discrete_delta(sigma: float, epsilon: float, distance: int) -> float:
    """The δ that one discrete release of this distance, or of a smaller one, needs."""
    reach = math.ceil(REACH * sigma) + distance
    law = {x: math.exp(-(x**2) / (2 * sigma**2)) for x in range(-reach, reach + 1)}
    total = math.fsum(law.values())
    return max(
        math.fsum(max(0.0, mass - math.exp(epsilon) * law.get(x - moved, 0.0)) for x, mass in law.items())
        / total
        for moved in range(1, distance + 1)
    )


def _claimed(
    rng: random.Random,
    sort: str,
    uses: int,
    distance: int,
    claim: tuple[float, float, float],
    needed: float,
) -> Try:
    sigma, epsilon, delta = claim
    noise = f"gaussian(x, {sigma:f})"
    bodies = [f"    return ({', '.join([noise] * uses)}{',' if uses == 1 else ''})\n"]
    loop = f"    out = []\n    for i in range({uses}):\n        out.append({noise})\n    return out\n"
    text = (
        f'{HEAD}@mechanism(adjacent={{"x": absolute_distance({distance})}}, '
        f'epsilon="{epsilon:f}", delta="{delta:.15f}")\ndef m(x: {sort}):\n{rng.choice([*bodies, loop])}'
    )
    of = _read(text)
    assert of is not None, text
    outcome = _proved(text, of)
    if outcome.verdict == "proved" and delta < needed * (1 - 1e-9):
        raise Broken(f"delta {delta} is proved, {needed} is needed", text)
    true = "true" if delta >= needed else "false"
    return Try(f"{'normal' if sort == 'float' else 'discrete'}: {true} claim {outcome.verdict}")


# --- noise whose squares are summed up --------------------------------------------------------

NOISES = {
    "gaussian(float)": lambda moved, scale, order: order * moved**2 / (2 * scale**2),
    "gaussian(int)": lambda moved, scale, order: order * moved**2 / (2 * scale**2),
    "laplace(float)": lambda moved, scale, order: _of_laplace(moved / scale, order),
    "laplace(int)": lambda moved, scale, order: _of_geometric(moved, scale, order),
}
"""The Rényi divergence of an order > 1 of noise that is moved; that of discrete Gaussian noise comes near it,
and is just that where order * moved is an integer.
"""

ORDERS = tuple(1 + 2.0**power for power in range(-12, 7))


def _of_laplace(moved: float, order: float) -> float:
    """Mironov 2017, Prop. 6."""
    up, down = math.exp((order - 1) * moved), math.exp(-order * moved)
    return math.log((order * up + (order - 1) * down) / (2 * order - 1)) / (order - 1)


def _of_geometric(moved: int, scale: float, order: float) -> float:
    reach = math.ceil(60 * scale) + moved
    law = {x: math.exp(-abs(x) / scale) for x in range(-reach - moved, reach + moved + 1)}
    total = (1 + math.exp(-1 / scale)) / (1 - math.exp(-1 / scale))
    ratios = (law[x] / total * (law[x] / law[x - moved]) ** (order - 1) for x in range(-reach, reach + 1))
    return math.log(math.fsum(ratios)) / (order - 1)


def _summed(rng: random.Random) -> Try:
    """Some noise of several kinds, with a claim of zCDP, or of GDP, that is nearly the least."""
    sort = rng.choice(("int", "float"))
    draws = [
        (rng.choice(("gaussian", "laplace")), rng.choice((1, 1, 2)), round(rng.uniform(0.5, 20), 2))
        for _ in range(rng.choice((1, 2, 3)))
    ]
    laws = [(NOISES[f"{kind}({sort})"], moved, scale) for kind, moved, scale in draws]
    least = max(math.fsum(law(*at, order) for law, *at in laws) / order for order in ORDERS)
    notion, factor = rng.choice(("gdp", "zcdp", "zcdp")), rng.choice(FACTORS)
    needed = least if notion == "zcdp" else math.sqrt(2 * least)
    claim = round(needed * factor, 12)
    text = (
        f'{HEAD}@mechanism(adjacent={{"x": absolute_distance(1)}}, {notion}="{claim:.12f}")\n'
        f"def m(x: {sort}, t: {sort}):\n{_released(rng, draws)}"
    )
    of = _read(text)
    assert of is not None, text
    outcome = _proved(text, of)
    normal = sort == "float" and all(kind == "gaussian" for kind, *_ in draws)
    if outcome.within and (claim < needed * (1 - 1e-9) or not (normal or notion == "zcdp")):
        raise Broken(f"{notion} = {claim} is proved, and that is too little: {needed}", text)
    said = "proved" if outcome.within else "not proved"
    return Try(f"summed: {notion}, {'true' if factor > 1 else 'false'} claim {said}")


def _released(rng: random.Random, draws: list[tuple[str, int, float]]) -> str:
    """A body that gives out x with noise, so often."""
    noise = [f"{kind}({'x' if moved == 1 else f'{moved} * x'}, {scale:f})" for kind, moved, scale in draws]
    first, *rest = noise
    returned = f"return {', '.join(['y', *rest])},"
    bodies = (
        [f"return {', '.join(noise)},"],
        [f"y = {first}", returned],
        [f"y = {first}", "if y > t:", f"    {returned}", returned],
        ["out = []", *(f"out.append({each})" for each in noise), "return out"],
    )
    return "".join(f"    {row}\n" for row in rng.choice(bodies))


# --- exact losses of programs with integer noise --------------------------------------------


def _enumerated(rng: random.Random) -> Try:
    """A mutant or random program of integer noise, run on all noise on small inputs."""
    text = rng.choice(mechanisms()) if rng.random() < 0.5 else HEAD + GENERATORS["noise"](rng)
    if rng.random() < 0.7:
        text = rng.choice(program_changes(text) or (("", text),))[1]
    of = _read(text)
    if of is None:
        return Try("enumerated: refused", reached=False)
    outcome = _proved(text, of)
    if outcome.epsilon is None or outcome.delta != "0":
        return _kind("enumerated", outcome)
    bound = compile(outcome.epsilon, "bound", "eval")
    functions: dict[str, Any] = {name: getattr(math, name) for name in ("exp", "log", "sqrt")}

    def at(point: dict[str, Any]) -> Any:
        return eval(bound, {**functions, "len": lambda length: length}, point)

    with about(text):
        if loss_is_more(text, at, ATTACK):
            raise Broken(f"{outcome.epsilon} is proved, and the loss by enumeration is more", text)
    return _kind("enumerated", outcome)


# --- real Python ------------------------------------------------------------------------------


def _responses(rng: random.Random) -> Try:
    """Answers by samplers of libraries, of few values: the laws under CPython are exact."""
    program = responses(rng)
    mechanisms, _ = read_what_can_be(program.text, "hunt.py")
    if not mechanisms:
        return Try("responses: refused", reached=False)
    outcome = _proved(program.text, mechanisms[0])
    if outcome.epsilon is None or outcome.delta != "0":
        return _kind("responses", outcome)
    bound = compile(outcome.epsilon, "bound", "eval")
    known = {name: getattr(math, name) for name in ("exp", "log", "sqrt")}
    with about(program.text):
        against = program.violation(lambda inputs: float(eval(bound, known, inputs)))
    if against is not None:
        raise Broken(f"{outcome.epsilon} is proved, and {against}", program.text)
    return _kind("responses", outcome)


KINDS: dict[str, Callable[[random.Random], Try]] = {
    "random": _random,
    "mutant": _mutant,
    "enumerated": _enumerated,
    "normal": _normal,
    "discrete": _discrete,
    "summed": _summed,
    "responses": _responses,
}
