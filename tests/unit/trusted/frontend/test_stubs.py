"""Functions of libraries are read of their stubs, as helpers of the file would be."""

from __future__ import annotations

import ast

import pytest

from synth.trusted.core.comparison import same_program
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import stubs
from synth.trusted.frontend.library import bundled
from synth.trusted.frontend.module import Library, Module
from synth.trusted.frontend.module_reading import read_module
from synth.trusted.frontend.reader import read_source
from synth.trusted.frontend.source import make_source, parse_module
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import syntax as ir
from synth.views.assumptions import assumptions, assumptions_of_witness, models

HEAD = """\
import numpy
import numpy as np
import numpy.random as npr
from numpy import random as gen
from numpy.random import laplace as lap
import synth.lang as lang
from synth.lang import mechanism, absolute_distance, linf_distance


"""
DECORATOR = (
    '@mechanism(adjacent={"x": absolute_distance(1), "xs": linf_distance(1)}, requires="eps > 0", '
    'epsilon="eps")\n'
)


def mechanism(body: str, before: str = "", parameters: str = "x: float, xs: list[float], eps: float") -> str:
    return f"{HEAD}{before}{DECORATOR}def f({parameters}):\n    {body}\n"


def reading(text: str) -> ir.Mechanism:
    (found,) = read_source(text, "p.py")
    return found


def refusal(text: str) -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        read_source(text, "p.py")
    return caught.value


@pytest.mark.parametrize(
    "call",
    [
        "numpy.random.laplace(x, 1 / eps)",
        "np.random.laplace(loc=x, scale=1 / eps)",
        "npr.laplace(x, scale=1 / eps)",
        "gen.laplace(x, 1 / eps)",
        "lap(x, 1 / eps)",
        "x + lap(scale=1 / eps)",
        "lap(0, 1 / eps) + x",
        "x - np.random.laplace(scale=1 / eps)",
    ],
)
def test_each_way_to_call_a_sampler_is_the_plain_program(call: str) -> None:
    plain = reading(mechanism("return lang.laplace(x, 1 / eps)"))
    assert same_program(plain, reading(mechanism(f"return {call}")))


def test_a_real_sampler_draws_reals_around_integers() -> None:
    integer = "x: int, xs: list[float], eps: float"
    found = reading(mechanism("return lap(x, 1 / eps)", parameters=integer))
    assert [draw.sort for draw in ir.statements(found.body) if isinstance(draw, ir.Draw)] == [ir.Sort.REAL]
    added = reading(mechanism("return x + lap(0, 1 / eps)", parameters=integer))
    assert same_program(found, added)


def test_a_builtin_function_is_a_helper_function() -> None:
    helper = (
        "def add(iterable, start):\n    total = start\n    for item in iterable:\n        total += item\n"
        "    return total\n\n\n"
    )
    own = reading(mechanism("return lang.laplace(add(xs, 0), 1 / eps)", helper))
    stub = reading(mechanism("return lang.laplace(sum(xs), 1 / eps)"))
    kinds = [[type(item) for item in ir.statements(found.body)] for found in (own, stub)]
    assert kinds[0] == kinds[1]


def test_what_a_stub_demands_is_shown_at_the_call() -> None:
    found = reading(mechanism("y = 3\n    return np.random.laplace(x, 1 / eps)"))
    demands = [item for item in ir.statements(found.body) if isinstance(item, ir.Obligation)]
    assert {item.span.line for item in demands} == {13}
    assert any("the scale of laplace must be positive" in item.reason for item in demands)


@pytest.mark.parametrize(
    ("body", "where", "says"),
    [
        ("return np.random.randint(x)", (12, 12), "stub numpy/random.py:"),
        ("return np.random.laplace(x, 1 / eps, 1, 2, 3, 4)", (12, 12), "'laplace' takes"),
        ("return np.random.weird(x)", (12, 12), "there is no model of 'numpy.random.weird'"),
        ("np.random.weird(x)\n    return x", (12, 5), "there is no model of 'numpy.random.weird'"),
        ("return sum(x)", (12, 12), "stub builtins.py:"),
        ("return sum + 1", (12, 12), "a function"),
    ],
)
def test_an_error_inside_of_a_stub_is_at_the_call(body: str, where: tuple[int, int], says: str) -> None:
    error = refusal(mechanism(body))
    assert (error.path, error.line, error.column) == ("p.py", *where)
    assert says in error.message


def test_the_files_own_names_come_first() -> None:
    own = "def sum(xs):\n    return 7.0\n\n\n"
    found = reading(mechanism("return lang.laplace(sum(xs), 1 / eps)", own))
    assert not any(isinstance(item, ir.Loop) for item in ir.statements(found.body))


@pytest.mark.parametrize(
    ("body", "before", "parameters"),
    [
        ("return np.random.laplace(x, 1 / eps)", "", "x: float, xs: list[float], eps: float, np: float"),
        ("np = x\n    return np.random.laplace(x, 1 / eps)", "", "x: float, xs: list[float], eps: float"),
        ("return sum(xs)", "", "x: float, xs: list[float], eps: float, sum: float"),
        ("lap = x\n    return lap(x, 1 / eps)", "", "x: float, xs: list[float], eps: float"),
        ("return sum(xs)", "sum = 3\n\n\n", "x: float, xs: list[float], eps: float"),
    ],
)
def test_a_name_that_is_something_else_is_no_function_of_a_stub(
    body: str, before: str, parameters: str
) -> None:
    refusal(mechanism(body, before, parameters))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (mechanism("return x", "def lap(x):\n    return x\n\n\n"), Refusal.DEFINED_TWICE),
        (mechanism("return x", "np = 3\n"), Refusal.DEFINED_TWICE),
        (mechanism("return x") + "np.random.laplace = lap\n", Refusal.UNSUPPORTED_AT_MODULE_LEVEL),
        (mechanism("np.random.laplace = lap\n    return x"), Refusal.UNSUPPORTED_CONSTRUCT),
        (mechanism("return x") + "if __name__ == '__main__':\n    sum = 3\n", Refusal.DEFINED_TWICE),
        (
            mechanism("return x") + "if __name__ == '__main__':\n    np.random.laplace = 3\n",
            Refusal.UNSUPPORTED_CONSTRUCT,
        ),
        ("from numpy.random import *\n" + mechanism("return x"), Refusal.UNSUPPORTED_IMPORT),
        ("from synth.stubs import shown\n" + mechanism("return x"), Refusal.UNSUPPORTED_IMPORT),
    ],
)
def test_no_name_of_a_stub_is_bound_anew(text: str, code: Refusal) -> None:
    assert refusal(text).code is code


def test_a_draw_that_is_used_twice_stays_one_draw() -> None:
    found = reading(mechanism("y = lap(x, 1 / eps)\n    return y + (y + 1)"))
    (draw,) = [item for item in ir.statements(found.body) if isinstance(item, ir.Draw)]
    plain = reading(mechanism("y = lang.laplace(x, 1 / eps)\n    return y + (y + 1)"))
    assert same_program(found, plain)
    assert draw.target == "y"


def test_a_real_does_not_move_an_integer_draw() -> None:
    """``0.5 + laplace(0, s)`` of a helper is no real Laplace noise: its values are half an integer."""
    helper = "def noise(s):\n    return lang.laplace(0, s)\n\n\n"
    found = reading(mechanism("return x + noise(1 / eps)", helper))
    (draw,) = [item for item in ir.statements(found.body) if isinstance(item, ir.Draw)]
    assert draw.sort is ir.Sort.INT


def test_each_model_that_a_program_uses_is_an_assumption() -> None:
    found = reading(mechanism("return sum(xs) + np.random.laplace(x, 1 / eps)"))
    (model,) = found.models
    assert (model.function, model.says, model.floating) == (
        "numpy.random.laplace",
        "draws from the Laplace law",
        True,
    )
    assert model.stub.startswith("numpy/random.py:")
    (said,) = models(found)
    assert said.startswith("numpy.random.laplace draws from the Laplace law (stub numpy/random.py:")
    assert said.endswith("; the real one computes in floating point)")
    assert said in assumptions(found)
    assert said in (assumptions_of_witness(found) or "")
    assert reading(mechanism("return lang.laplace(x, 1 / eps)")).models == ()


COMPILED = """\
import numpy as np
from numba import jit, njit
from synth.lang import mechanism, absolute_distance


@{decorator}
def noise(eps):
    return np.random.laplace(0, 1 / eps)


@mechanism(adjacent={{"x": absolute_distance(1)}}, requires="eps > 0", epsilon="eps")
def f(x: float, eps: float):
    return x + noise(eps)
"""


@pytest.mark.parametrize("decorator", ["jit", "njit", "jit(nopython=True)", "njit(cache=True, nogil=False)"])
def test_compilers_leave_a_function_as_it_is(decorator: str) -> None:
    found = reading(COMPILED.format(decorator=decorator))
    assert any("compiles a function as it is written" in item for item in models(found))
    name = decorator.partition("(")[0]
    plain = COMPILED.replace("@{decorator}\n", "").replace("jit, njit", name)
    assert same_program(found, reading(plain.format()))


@pytest.mark.parametrize(
    "decorator",
    ["njit(fastmath=True)", "jit('float64(float64)')", "jit(**options)", "jit(nopython=flag)", "jit.twice"],
)
def test_compilers_that_may_change_a_function(decorator: str) -> None:
    assert refusal(COMPILED.format(decorator=decorator)).code is Refusal.UNSUPPORTED_DECORATOR


def test_a_decorator_is_what_its_name_is_bound_to() -> None:
    bound = "def jit(f):\n    return lambda eps: 0.0\n\n\n@{decorator}"
    text = COMPILED.replace("import jit, njit", "import njit").replace("@{decorator}", bound)
    refusal(text.format(decorator="jit"))


def test_no_stub_is_read_for_names_that_none_has() -> None:
    read: list[str] = []

    def note(stub: stubs.Stub, library: Library) -> Module:
        read.append(stub.module)
        return bundled().read(stub, library)

    source = make_source("total = 1\nlargest = total\n", "p.py")
    library = Library({stub.module: stub for stub in stubs.bundled()}, note)
    module = read_module(source, parse_module(source), library)
    assert module.known(ast.Name("laplace")) is None
    assert not read
    assert module.known(ast.Name("sorted")) == Known(Role.STUB, "builtins.sorted")
    assert read == [stubs.BUILTINS]
