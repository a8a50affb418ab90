"""Classes of libraries are read as their stubs say: laws, arguments, and what may not be changed."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = """\
import diffprivlib as dp
import opendp.prelude as odp
import diffprivlib.tools as tools
from diffprivlib import mechanisms
from diffprivlib.mechanisms import Exponential, Gaussian, Geometric, GeometricTruncated
from diffprivlib.mechanisms import Laplace, LaplaceTruncated
import synth.lang as lang
from synth.lang import absolute_distance, linf_distance, mechanism


"""
DECORATOR = """\
@mechanism(
    adjacent={"x": absolute_distance(1), "n": absolute_distance(1), "xs": linf_distance(1)},
    requires="eps > 0",
)
def f(x: float, n: int, xs: list[float], eps: float):
"""


def reading(body: str, before: str = "") -> ir.Mechanism:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (found,) = read_source(f"{HEAD}{before}{DECORATOR}{lines}", "p.py")
    return found


def refusal(body: str, before: str = "") -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        reading(body, before)
    return caught.value


def law(body: str) -> list[tuple[str, ir.Sort]]:
    """The kinds of the draws."""
    draws = (item for item in ir.statements(reading(body).body) if isinstance(item, ir.Draw | ir.Choose))
    return [(item.distribution, item.sort) for item in draws]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return Laplace(epsilon=eps, sensitivity=1).randomise(x)", ("laplace", ir.Sort.REAL)),
        ("return Laplace(epsilon=eps, sensitivity=1).randomise(n)", ("laplace", ir.Sort.REAL)),
        ("return dp.mechanisms.Laplace(epsilon=eps, sensitivity=1).randomise(x)", ("laplace", ir.Sort.REAL)),
        ("m = mechanisms.Geometric(epsilon=eps)\nreturn m.randomise(n)", ("laplace", ir.Sort.INT)),
        (
            "return LaplaceTruncated(epsilon=eps, sensitivity=1, lower=0, upper=9).randomise(x)",
            ("laplace", ir.Sort.REAL),
        ),
        (
            "return GeometricTruncated(epsilon=eps, lower=0, upper=9).randomise(n)",
            ("laplace", ir.Sort.INT),
        ),
        (
            "return Gaussian(epsilon=1.0, delta=0.1, sensitivity=1).randomise(x)",
            ("gaussian", ir.Sort.REAL),
        ),
        (
            "return Exponential(epsilon=eps, sensitivity=1, utility=xs).randomise()",
            ("choice", ir.Sort.INT),
        ),
    ],
)
def test_the_law_of_a_mechanism(body: str, expected: tuple[str, ir.Sort]) -> None:
    assert law(body) == [expected]


INTEGERS = "odp.atom_domain(T=int), odp.absolute_distance(T=int)"
REALS = "odp.atom_domain(T=float, nan=False), odp.absolute_distance(T=float)"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"return odp.m.make_laplace({INTEGERS}, scale=1.0 / eps)(n)", ("laplace", ir.Sort.INT)),
        (f"return odp.m.make_laplace({REALS}, scale=1.0 / eps)(n)", ("laplace", ir.Sort.REAL)),
        (f"m = odp.m.make_laplace({REALS}, 1.0 / eps)\nreturn m(x)", ("laplace", ir.Sort.REAL)),
        (f"m = odp.m.make_gaussian({REALS}, 4.0)\nreturn m(x)", ("gaussian", ir.Sort.REAL)),
        (f"m = odp.m.make_gaussian({INTEGERS}, 4.0)\nreturn m(n)", ("gaussian", ir.Sort.INT)),
    ],
)
def test_the_law_of_a_measurement(body: str, expected: tuple[str, ir.Sort]) -> None:
    assert law(body) == [expected]


def test_what_is_assumed_is_named() -> None:
    (model,) = reading("return Laplace(epsilon=eps, sensitivity=1).randomise(x)").models
    assert model.function == "diffprivlib.mechanisms.Laplace.randomise" and model.floating


def test_the_utility_is_what_it_was_when_the_object_was_made() -> None:
    body = "\n".join(
        (
            "u = [y for y in xs]",
            "m = Exponential(epsilon=eps, sensitivity=1, utility=u)",
            "u.append(0.0)",
            "return m.randomise()",
        )
    )
    (draw,) = (item for item in ir.statements(reading(body).body) if isinstance(item, ir.Choose))
    assert isinstance(draw.law, ir.Weights)
    read = {part.source for part in ir.subexpressions(draw.law.score) if isinstance(part, ir.Element)}
    assert "u" not in read


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            "return Laplace(epsilon=eps, sensitivity=1, random_state=7).randomise(x)",
            Refusal.KNOWN_SEED,
        ),
        ("return Geometric(epsilon=eps).randomise(x)", Refusal.WRONG_TYPE),
        ("return Laplace(eps, 0.0, 1).randomise(x)", Refusal.WRONG_CALL),
        ("m = Laplace(epsilon=eps, sensitivity=1)\nm._scale = 0.1\nreturn m.randomise(x)", None),
        ("m = Laplace(epsilon=eps, sensitivity=1)\nm.sensitivity = 0.1\nreturn m.randomise(x)", None),
        ("return mechanisms.Snapping(epsilon=eps, sensitivity=1).randomise(x)", None),
        ("return tools.mean(xs, epsilon=eps)", None),
        (f"return odp.m.make_laplace({REALS}, scale=1.0, output=7)(x)", Refusal.WRONG_CALL),
        ("return odp.m.make_randomized_response_bool(0.75)(n > 0)", None),
        (f"m = odp.m.make_laplace({REALS}, 1.0)\nm._scale = 0.1\nreturn m(x)", None),
        ("return Laplace(epsilon=eps, sensitivity=1)", None),
    ],
)
def test_refused(body: str, code: Refusal | None) -> None:
    found = refusal(body)
    assert code is None or found.code is code


@pytest.mark.parametrize(
    "before",
    [
        "Laplace.randomise = lambda self, value: value\n",
        "def change(m):\n    m.randomise = abs\n",
        "setattr(Laplace, 'randomise', abs)\n",
        "class Laplace:\n    pass\n",
    ],
)
def test_a_class_that_code_of_the_file_changes(before: str) -> None:
    refusal("return Laplace(epsilon=eps, sensitivity=1).randomise(x)", before)


def test_a_class_of_the_file_has_no_base_of_a_stub() -> None:
    before = "class Quiet(Laplace):\n    def randomise(self, value):\n        return value\n"
    refusal("return Quiet(epsilon=eps, sensitivity=1).randomise(x)", before)
