"""Noise that is drawn later: what may not be passed; what is accepted keeps the law of the output."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.equivalence import check_equivalent
from synth.trusted.steps.equivalence_codes import Different
from synth.trusted.steps.rewriting import Defer, rewritten, taken
from tests.soundness.hunts.defined_laws import compare, law
from tests.support.refuting import mechanism

ONE = Fraction(1)

HEAD = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: int, c: bool, k: int, eps: float):
"""

PASSED = {
    "a value that is returned": "z = laplace(0, 1); y = x + z; return y",
    "the noise is set again": "z = laplace(0, 1); z = x; return z",
    "the noise was 0 before": """
        z = 0
        for i in range(2):
            z = laplace(0, 1)
            if x > 0:
                break
            x2 = x
        return z
    """,
    "its scale is another one then": "k = 1; z = laplace(0, k); k = 9; return z",
    "its centre is another one then": "y = x; z = laplace(y, 1); y = 0; return z",
    "its centre is the length of a list that grows": (
        "xs = [1]; z = laplace(len(xs), 1); xs.append(x); return z"
    ),
    "a branch decides by it": """
        y = 0
        z = laplace(0, 1)
        if z > 0:
            y = x
        return y + z
    """,
    "a draw around it": "z = laplace(0, 1); y = laplace(z, 1); return y, z",
    "a list keeps it": "xs = []; z = laplace(0, 1); xs.append(z); return xs",
    "something is asked of it": "z = laplace(0, 1); assert z > 0; return x + z",
}


def read(text: str) -> ir.Mechanism:
    lines = [row.strip() for row in text.split(";")] if ";" in text else []
    body = "\n".join(f"    {row}" for row in lines) if lines else "\n".join(r[4:] for r in text.splitlines())
    of = mechanism(f"{HEAD}{body}\n")
    return replace(of, body=renumber(of.body))


def _draws(body: tuple[ir.Statement, ...], place: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    for number, item in enumerate(body):
        if isinstance(item, ir.Draw):
            yield (*place, number)
        for side, inner in enumerate(ir.blocks(item)):
            yield from _draws(inner, (*place, number, side))


@pytest.mark.parametrize("name", PASSED)
def test_what_has_to_do_with_the_noise_is_not_passed(name: str) -> None:
    of = read(PASSED[name])
    place = next(_draws(of.body))
    with pytest.raises(Rejected) as error:
        taken(of, Defer(place, 1))
    assert error.value.why.code.id == "not-apart"


@pytest.mark.parametrize("wrong", [(1, 1), (0, 0), (0, 9), (9, 1)])
def test_a_place_without_noise(wrong: tuple[int, int]) -> None:
    of = read("z = laplace(0, 1); y = x; return y + z")
    (start,) = next(_draws(of.body))
    assert taken(of, Defer((start,), 1))
    with pytest.raises(Rejected):
        taken(of, Defer((start + wrong[0],), wrong[1]))
    with pytest.raises(Rejected):
        taken(of, Defer((), 1))


def test_an_exit_to_a_block_of_the_same_label_inside() -> None:
    """``break`` in what is passed leaves the block around the draw; one of that label is inside, too."""
    span = ir.Span(1, 1)
    of = read("z = 5; z = laplace(0, 1); return z")
    first, asked, draw, last = of.body if len(of.body) == 4 else (*of.body[:1], None, *of.body[1:])
    inner = ir.If(0, ir.Constant(True, ir.Sort.BOOL), (ir.Block("b", ()), ir.Exit("b", span)), (), span)
    rows = tuple(item for item in (asked, draw, inner) if item is not None)
    forged = replace(of, body=(first, ir.Block("b", rows), last))
    place = next(_draws(forged.body))
    with pytest.raises(Rejected) as error:
        taken(forged, Defer(place, 1))
    assert error.value.why.code.id == "not-apart"


MOVED = {
    "a sum": """
        z = laplace(0, 1)
        y = 0
        if x > 0:
            y = x
        return y + z
    """,
    "a difference": """
        z = laplace(0, 1)
        y = x
        if c:
            y = y + 1
        return y - z, y > 2
    """,
    "a copy": """
        z = laplace(0, 2)
        w = z
        y = x + x
        v = w
        return 3 + (y + v)
    """,
    "another draw passed": """
        z = laplace(0, 1)
        u = laplace(x, 2)
        y = x if u > 0 else 0
        return x + z, u > 1
    """,
    "an early return": """
        z = laplace(0, 1)
        if c:
            return 0
        y = x + x
        return y + z
    """,
    "an asserted one": """
        z = exponential(0, 1)
        assert k > 0
        y = x + x
        return z + y
    """,
    "not its own centre": """
        z = laplace(k, 1)
        y = x
        return y + z
    """,
}


@pytest.mark.parametrize("name", MOVED)
def test_the_law_stays_the_same(name: str) -> None:
    of = read("\n".join(row for row in MOVED[name].splitlines()))
    found = rewriting(of)
    assert found.steps and any("around" in variable for variable in found.program.variables)
    form, _ = rewritten(of, found.steps)
    rng = random.Random(name)
    for _ in range(4):
        inputs = {
            "x": rng.randint(-2, 2),
            "c": rng.random() < 0.5,
            "k": rng.randint(0, 2),
            "eps": Fraction(1),
        }
        assert str(compare(law(of, inputs), law(form, inputs))).startswith("the same")


NOT_MOVED = {
    "another distance": ("z = laplace(0, 1); return z", "w = laplace(x, 1); z = w - k; return z"),
    "not moved back": ("z = laplace(0, 1); return z", "w = laplace(x, 1); return w"),
    "the wrong way": ("z = laplace(0, 1); return z", "w = laplace(x, 1); z = w + x; return z"),
    "another scale": ("z = laplace(0, 1); return z", "w = laplace(x, 2); z = w - x; return z"),
    "from another centre": ("z = laplace(k, 1); return z", "w = laplace(x, 1); z = w - x; return z"),
    "a real distance of integers": (
        "z = laplace(0, 1); return z",
        "w = laplace(x + 0.5, 1); z = w - (x + 0.5); return z",
    ),
}


@pytest.mark.parametrize("name", NOT_MOVED)
def test_noise_elsewhere_is_moved_back_by_just_that(name: str) -> None:
    with pytest.raises(Different):
        check_equivalent(*map(read, NOT_MOVED[name]))


def test_noise_elsewhere_that_is_moved_back() -> None:
    check_equivalent(*map(read, ("z = laplace(0, 1); return z", "w = laplace(x, 1); z = w - x; return z")))
