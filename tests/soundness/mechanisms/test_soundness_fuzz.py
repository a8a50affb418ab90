"""The soundness fuzz: no bound that is proved lies below what rigorous probabilities show to be necessary.

``FUZZ_SEED`` and ``FUZZ_COUNT`` in the environment give another seed and more programs; ``fuzz.py`` runs
for as long as you like.
"""

from __future__ import annotations

import os
import random

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.inputs import Inputs
from synth.refuter.output_table import distribution
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.frontend.vocabulary import CHOICES, NOISES
from synth.trusted.program import syntax as ir
from tests.soundness.mechanisms.fuzz import GENERATORS, Program, objection, program
from tests.support.finite_programs import any_program
from tests.support.proving import Outcome, prove_apart

SEED = int(os.environ.get("FUZZ_SEED", "0"))
COUNT = int(os.environ.get("FUZZ_COUNT", "30"))
"""Programs of each kind that are proved."""

FORMS = 67 * COUNT
"""Programs whose canonical form is compared, which is cheap."""

PROVING, ATTACK = 5.0, 0.5
"""Seconds to prove a program, and to refute what is proved."""


DEFAULT_SHARE = 6
"""The default run takes one in so many programs; the others are marked slow."""


def marks(number: int) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow] if number % DEFAULT_SHARE else []


CASES = [
    pytest.param(generator, number, id=f"{SEED}/{generator}/{number}", marks=marks(number))
    for generator in GENERATORS
    for number in range(COUNT)
]


@pytest.mark.parametrize(("generator", "number"), CASES)
def test_no_proved_bound_is_too_small(generator: str, number: int) -> None:
    item = program(generator, SEED, number)
    if item.of is None:
        return
    outcome = prove_apart(item.of, PROVING)
    found = objection(item, item.of, outcome, ATTACK)
    assert found is None, f"{item.name}: {outcome.epsilon} is proved\n{item.text}\n{found}"


WRONG = {
    "noise": ("(x: int, eps: float)", "laplace(x, 1 / eps)", Outcome("proved", "99*eps/100")),
    "finite": ("(x: bool)", "bernoulli(3 / 4 if x else 1 / 4)", Outcome("proved", "99*log(3)/100")),
    "claimed": ("(x: float)", "gaussian(x, 3.73)", Outcome("proved", "1", delta="1/110000")),
}


@pytest.mark.parametrize("generator", WRONG)
def test_wrong_bounds_are_objected_to(generator: str) -> None:
    parameters, result, outcome = WRONG[generator]
    metric = "discrete_distance()" if generator == "finite" else "absolute_distance(1)"
    requires = "eps > 0" if "eps" in parameters else "True"
    text = (
        "from synth.lang import *\n"
        f'@mechanism(adjacent={{"x": {metric}}}, requires="{requires}", epsilon="1", delta="1/100000")\n'
        f"def m{parameters}:\n    return {result}\n"
    )
    (of,) = read_source(text, "fuzz.py")
    assert objection(Program(generator, "wrong", text, of), of, outcome, 10) is not None


def test_all_distributions_are_drawn_from() -> None:
    texts = " ".join(
        program(generator, SEED, number).text for generator in GENERATORS for number in range(40)
    )
    assert all(f"{name}(" in texts for name in (*NOISES, *CHOICES))


@pytest.mark.parametrize(
    "seed", [pytest.param(SEED + number, marks=marks(number)) for number in range(FORMS)]
)
def test_the_canonical_form_has_the_same_distribution(seed: int) -> None:
    """Draws that are put together give each output the probability that they gave it one by one."""
    text = any_program(random.Random(seed))
    try:
        (of,) = read_source(text, "fuzz.py")
    except ProgramError:
        return
    form = canonical(of)
    if not any(isinstance(item, ir.Choose) for item in ir.statements(form.body)):
        return
    for inputs in _inputs(of):
        try:
            before, after = (_points(item, inputs) for item in (of, form))
        except UndefinedError:
            continue
        for output in before.keys() | after.keys():
            low, high = before.get(output, (0.0, 0.0)), after.get(output, (0.0, 0.0))
            assert low[0] <= high[1] + 1e-9 and high[0] <= low[1] + 1e-9, (text, inputs, output, low, high)


def _inputs(of: ir.Mechanism) -> list[Inputs]:
    rng = random.Random(0)
    values = {"int": (-1, 0, 1, 2), "bool": (False, True)}
    return [
        {
            item.name: tuple(rng.choice(values[item.sort.value]) for _ in range(2))
            if item.arity
            else rng.choice(values[item.sort.value])
            for item in of.parameters
        }
        for _ in range(2)
    ]


def _points(of: ir.Mechanism, inputs: Inputs) -> dict[str, tuple[float, float]]:
    return {repr(line.output): line.probabilities[0] for line in distribution(of, [inputs])}
