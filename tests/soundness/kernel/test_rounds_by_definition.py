"""One round of a loop that is retried ([Until]) against the definition: what it returns, given that it is the
last one, is what the loop returns.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from synth.trusted.core.interpreter import Distribution, Output
from synth.trusted.errors import ProgramError
from synth.trusted.normal_form import retries
from synth.trusted.normal_form.retries import NoRound, one_round
from synth.trusted.normal_form.sequential_parts import NoCut, parts
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from tests.soundness.hunts.defined_laws import law
from tests.soundness.hunts.inputs import inputs_of
from tests.support.refuting import mechanism
from tests.support.retried_programs import retried_program

PROGRAMS, INPUTS = 24, 1
NEARLY = 1e-9
Chances = dict[tuple[Any, ...], float]


def rounds(seed: str, number: int) -> Iterator[tuple[str, ir.Mechanism, ir.Mechanism]]:
    """Programs of the grammar, as parts, with their rounds."""
    for place in range(number):
        text = retried_program(random.Random(f"{seed} {place}"))
        try:
            of = mechanism(text)
            (part,) = parts(replace(of, body=renumber(of.body)), ())
            yield text, part, one_round(part)
        except (ProgramError, NoCut, NoRound):
            continue


def chances(found: Distribution) -> Chances:
    """Of outputs, by values and lists."""
    return {
        (*item.values, item.lists): float(chance)
        for item, chance in found.outcomes.items()
        if isinstance(item, Output)
    }


def compared(part: ir.Mechanism, once: ir.Mechanism, inputs: Mapping[str, Any]) -> bool | None:
    """Whether both say the same of an input, but for runs that were not followed to their end."""
    whole, last = law(part, inputs), law(once, inputs)
    if whole is None or last is None:
        return None
    left = float(whole.beyond + whole.unfinished)
    known, of_round = chances(whole), chances(last)
    ends = {output[1:]: chance for output, chance in of_round.items() if output[0]}
    total = sum(ends.values())
    expected = {output: chance / total for output, chance in ends.items() if chance}
    return all(
        known.get(output, 0) - NEARLY <= expected.get(output, 0) <= known.get(output, 0) + left + NEARLY
        for output in known.keys() | expected.keys()
    )


def surveyed(seed: str, number: int) -> tuple[int, list[str]]:
    """How many inputs were compared, and the programs of which the round says something else."""
    count, wrong = 0, []
    for text, part, once in rounds(seed, number):
        rng = random.Random(text)
        for _ in range(INPUTS):
            inputs = inputs_of(part, rng, 2, tables=True)
            same = None if inputs is None else compared(part, once, inputs)
            count += same is not None
            wrong += [] if same is not False else [text]
    return count, wrong


def test_a_round_says_what_the_loop_returns() -> None:
    count, wrong = surveyed("rounds", PROGRAMS)
    assert not wrong, wrong[0]
    assert count > PROGRAMS / 8


@pytest.mark.slow
def test_many_rounds_say_what_their_loops_return() -> None:
    count, wrong = surveyed("many rounds", 30 * PROGRAMS)
    assert not wrong, wrong[0]
    assert count > 3 * PROGRAMS


HEAD = "@mechanism(adjacent={'x': absolute_distance(1)})\ndef m(x: int):\n"
CARRIED = (
    HEAD + "    n = 0\n    while True:\n        n = n + 1\n        if bernoulli(1/2):\n            return n\n"
)
DRAWN = (
    HEAD + "    t = bernoulli(1/2)\n    while True:\n        u = bernoulli(1/3)\n"
    "        if t or u:\n            return t\n"
)
ALIKE = HEAD + "    while True:\n        n = uniform_int(0, 3)\n        if n > 1:\n            return n\n"


@pytest.mark.parametrize(
    ("name", "wrong", "text"),
    [
        ("assigned", lambda _: set(), CARRIED),
        ("_draws", lambda body: any(isinstance(i, ir.If) for i in body), DRAWN),
    ],
    ids=["what is carried", "what is drawn before"],
)
def test_a_condition_that_is_left_out(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: Callable[..., object], text: str
) -> None:
    """What the loop carries, and what is drawn before it, makes rounds unlike each other."""
    (part,) = parts(mechanism(text), ())
    with pytest.raises(NoRound):
        one_round(part)
    monkeypatch.setattr(retries, name, wrong)
    assert compared(part, one_round(part), {"x": 1}) is False


def test_a_round_like_all_others() -> None:
    (part,) = parts(mechanism(ALIKE), ())
    assert compared(part, one_round(part), {"x": 1}) is True
