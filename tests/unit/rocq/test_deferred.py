"""Noise that steps move: which program a proof in Rocq is about, and how far its noise is moved."""

from __future__ import annotations

import pytest

from synth.rocq.moved_noise import noise_as
from synth.rocq.places import judged
from synth.rocq.refusal import Inexpressible
from synth.trusted.core.writer import write_as_written
from synth.trusted.program import syntax as ir
from synth.trusted.steps.rewriting import Defer, SameNoise
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: TYPE, c: bool, n: float, eps: float):
"""


def read(text: str, sort: str = "float") -> ir.Mechanism:
    lines = [f"    {line}" for line in text.split("; ")]
    return mechanism("\n".join([HEAD.replace("TYPE", sort), *lines]))


def step(program: ir.Mechanism, length: int) -> Defer:
    place = next(place for place, item in enumerate(program.body) if isinstance(item, ir.Draw | ir.Choose))
    return Defer((place,), length)


def noise(text: str) -> ir.Draw:
    return next(item for item in ir.statements(read(text).body) if isinstance(item, ir.Draw))


def order(program: ir.Mechanism) -> list[str]:
    return [item.target for item in program.body if isinstance(item, ir.Assign | ir.Draw | ir.Choose)]


def test_the_proof_is_about_the_program_behind_what_is_deferred_first() -> None:
    program = read("z = laplace(0.0, 1 / eps); y = x + 1; v = x + 2; return y + z + v")
    assert order(judged(program, [step(program, 1)]).later) == ["y", "z", "v"]


def test_without_such_a_step_it_is_about_the_core_program() -> None:
    program = read("z = laplace(0.0, 1 / eps); y = x + 1; return y + z")
    assert judged(program, []).later == program


def test_noise_on_the_integers_may_pass_other_draws_and_keeps_its_site() -> None:
    program = read("z = laplace(0, 1 / eps); w = laplace(x, 1 / eps); return w + z", "int")
    found = judged(program, [step(program, 3)])
    assert order(found.later) == ["w", "z"]
    assert {
        item.target: item.site for item in ir.statements(found.later.body) if isinstance(item, ir.Draw)
    } == {
        "z": 0,
        "w": 1,
    }
    assert dict(found.sites) == {0: 1, 1: 0}


def test_a_coin_may_be_deferred() -> None:
    program = read("z = bernoulli(0.5); y = x + 1; return y + (1 if z else 0)", "int")
    assert order(judged(program, [step(program, 1)]).later)[:2] == ["y", "z"]


def test_behind_another_step_it_is_drawn_as_late_as_may_be() -> None:
    program = read("z = laplace(0, 1 / eps); y = x + 1; v = x + 2; return y + z + v", "int")
    same = SameNoise(write_as_written(program), (0,), (1,) * len(list(ir.statements(program.body))))
    assert order(judged(program, [same, step(program, 1)]).later) == ["y", "v", "z"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("z = laplace(0.0, 1 / eps); w = laplace(x, 1 / eps); return w + z", "another draw"),
        (
            "z = laplace(0.0, 1 / eps); y = x; v = x\n    if c:\n        return n\n    return y + z",
            "a return",
        ),
    ],
)
def test_real_noise_past_a_draw_or_a_return_has_no_form(text: str, reason: str) -> None:
    program = read(text)
    with pytest.raises(Inexpressible, match=reason):
        judged(program, [step(program, 3)])


def test_noise_around_the_same_is_moved_alike() -> None:
    here = noise("z = laplace(x, 1 / eps); return z")
    assert noise_as(here, here, {"x"}).moved("1") == "1"
    assert noise_as(here, here, {"x"}).apart("2") == "2"


def test_what_noise_is_drawn_around_there_is_added_here() -> None:
    there, here = noise("z = laplace(x, 1 / eps); return z"), noise("z = laplace(0.0, 1 / eps); return z")
    moved = noise_as(there, here, {"x"})
    added = '(eval m1 (RealVar "x") - eval m2 (RealVar "x"))'
    assert moved.moved("1") == f"1 + {added} - (eval m1 (RealConst 0) - eval m2 (RealConst 0))"
    assert moved.apart("2") == "2"


def test_what_is_divided_later_there_is_moved_by_a_quotient_here() -> None:
    there = noise("z = laplace(x, 1 / eps); return z")
    here = noise("z = laplace(0.0, 1 / eps / n); return z")
    moved = noise_as(there, here, {"x"})
    assert '/ eval m1 (RealVar "n") -' in moved.moved("1")
    assert moved.apart("2") == '2 / eval m1 (RealVar "n")'


def test_a_quotient_that_noise_is_drawn_around_is_none_of_another_noise() -> None:
    there = noise("z = laplace(x, 1 / eps); return z")
    here = noise("z = laplace(x / n, 1 / eps / n); return z")
    assert noise_as(there, here, {"x"}).moved("1") == "1"


def test_what_the_program_does_not_have_is_not_added() -> None:
    there, here = noise("z = laplace(x, 1 / eps); return z"), noise("z = laplace(0.0, 1 / eps); return z")
    assert noise_as(there, here, ()).moved("1") == "1"
