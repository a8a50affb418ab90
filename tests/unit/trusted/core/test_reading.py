"""Core text means what it says, and what it can't mean is refused with its place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synth.trusted.core.comparison import same_program
from synth.trusted.core.read_expressions import CoreError
from synth.trusted.core.reader import read_core
from synth.trusted.core.writer import Unwritable, write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

INT, REAL, BOOL = ir.Sort.INT, ir.Sort.REAL, ir.Sort.BOOL


def mechanism(*lines: str, head: str = "") -> str:
    """The text of a program with these statements."""
    parameters = "x: real, n: int, eps: real, q: sequence(real), f: function(int, int, real), b: bool"
    declared = ["y: real", "i: int", "c: bool", "out: list(int)", "pairs: list(int, real)"]
    metrics = "@adjacent(x=absolute_distance(1.0), q=linf_distance(1.0), f=linf_distance(1.0))"
    rows = [f"    {line}" for line in (*declared, *lines)]
    return "\n".join([*head.splitlines(), metrics, f"def m({parameters}):", *rows]) + "\n"


def body(*lines: str) -> tuple[ir.Statement, ...]:
    """The statements of such a program."""
    return read_core(mechanism(*lines)).body


def value(text: str) -> ir.Expression:
    """A real expression."""
    match body(f"y = {text}"):
        case (ir.Assign(value=found),):
            return found
    raise AssertionError(text)


def refused(text: str) -> CoreError:
    """Why a text is refused."""
    with pytest.raises(CoreError) as caught:
        read_core(text)
    return caught.value


@pytest.mark.parametrize("law", ["laplace", "exponential", "gaussian"])
def test_noise_never_stands_without_its_scale(law: str) -> None:
    obligation, draw = body(f"y = {law}(x, 2.0 / eps)")
    scale = ir.Operation(ir.Operator.DIVIDE, (ir.Constant(Fraction(2), REAL), ir.Variable("eps", REAL)), REAL)
    assert isinstance(obligation, ir.Obligation) and isinstance(draw, ir.Draw)
    assert obligation.condition == builders.less(builders.zero(REAL), scale)


@pytest.mark.parametrize(
    ("line", "demand"),
    [
        ("c = bernoulli(eps)", "0.0 <= eps and eps <= 1.0"),
        ("i = uniform_int(n, 2 * n)", "n <= 2 * n"),
        ('i = weights("choice", n, lambda j: f[j, j], eps)', "1 <= n"),
        ("y = laplace(x, eps)", "0.0 < eps"),
    ],
)
def test_a_demand_stands_directly_before_its_draw(line: str, demand: str) -> None:
    written = body(f'ensure({demand}, "scale")', line)
    assert [type(item) for item in body(line)] == [type(item) for item in written]
    assert isinstance(body(line)[0], ir.Obligation)
    elsewhere = body(f'ensure({demand}, "scale")', "y = 1.0", line)
    assert len([item for item in elsewhere if isinstance(item, ir.Obligation)]) == 2


def test_a_scale_that_is_never_positive_is_demanded_nevertheless() -> None:
    obligation, _ = body("y = laplace(x, 0.0)")
    assert isinstance(obligation, ir.Obligation) and obligation.condition == builders.FALSE


def test_chances_without_a_known_sum_demand_nothing_that_could_be_shown() -> None:
    (draw,) = body('i = outcomes("mixture", lambda o: {o == 0: 5.0})')
    assert isinstance(draw, ir.Choose)


def test_literals_are_exact() -> None:
    assert value("0.1") == ir.Constant(Fraction(1, 10), REAL)
    assert value("ratio(1, 3)") == ir.Constant(Fraction(1, 3), REAL)
    assert value("-0.5") == ir.Constant(Fraction(-1, 2), REAL)
    assert value("neg(0.5)") == ir.Operation(ir.Operator.NEGATE, (ir.Constant(Fraction(1, 2), REAL),), REAL)


@pytest.mark.parametrize(
    "literal",
    [
        "0.1000000000000000055511151231257827",
        "1e999",
        "1E2",
        "1_0.5",
        "ratio(1, 0)",
        "ratio(1, True)",
        "ratio(1.0, 2)",
        "1j",
        "-True",
        "'1'",
        "real(" + "9" * 4000 + ")",
        "real(" + "9" * 5000 + ")",
        f"ratio(1, {'9' * 2000})",
    ],
)
def test_other_literals_are_refused(literal: str) -> None:
    refused(mechanism(f"y = {literal}"))


def test_operands_keep_their_order_and_nesting() -> None:
    for text in (
        "(x - eps) - y",
        "x - (eps - y)",
        "x / eps / y",
        "x / (eps / y)",
        "(x ** eps) ** y",
        "x ** eps ** y",
        "-x ** eps",
        "(-x) ** eps",
        "(-2.0) ** eps",
        "x if b else eps if c else y",
        "(x if b else eps) if c else y",
        "min(x, max(eps, y)) + abs(-x)",
    ):
        first = mechanism(f"y = {text}")
        assert same_program(read_core(write_core(read_core(first))), read_core(first))
    assert value("x - (eps - y)") != value("(x - eps) - y")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["y = z"], "'z' is no number"),
        (["z = 1.0"], "'z' is no scalar variable"),
        (["x = 1.0"], "'x' is no scalar variable"),
        (["y = n"], "int, where real is needed"),
        (["y = x + n"], "int, where real is needed"),
        (["y = n / n"], "'/' takes no int"),
        (["i = n // 2.0"], "real, where int is needed"),
        (["c = 0 < i < n"], "'Compare'"),
        (["c = i > n"], "'Compare'"),
        (["c = i != n"], "'Compare'"),
        (["y = q[0][0]"], "'Subscript'"),
        (["y = q[x]"], "real, where int is needed"),
        (["y = f[1]"], "1 values, where 2 are needed"),
        (["y = f.one[1, 1]"], "can't be read so"),
        (["y = f(1, 1)"], "'Call'"),
        (["y = out[0][1]"], "components"),
        (["i = pairs[0]"], "components"),
        (["i = pairs[0][2]"], "components"),
        (["i = pairs[0][-1]"], "components"),
        (["i = pairs[0][True]"], "components"),
        (["out = [1]"], "no scalar variable"),
        (["out.append(1, 2)"], "2 values"),
        (["out.append(x)"], "real, where int"),
        (["out.extend(1)"], "'Expr'"),
        (["q.append(x)"], "'Expr'"),
        (["y = i = 1.0"], "'Assign'"),
        (["y += 1.0"], "'AugAssign'"),
        (["y, i = 1.0, 2"], "'Tuple'"),
        (["while b:", "    pass"], "'While'"),
        (["while 1:", "    pass"], "'While'"),
        (["while True:", "    pass", "else:", "    pass"], "'While'"),
        (["for i in q:", "    pass"], "'For'"),
        (["leave(done)"], "no block of that label"),
        (["with block(a):", "    with block(a):", "        pass"], "is taken"),
        (["with block(a), block(b):", "    pass"], "'With'"),
        (["with block(a) as y:", "    pass"], "'With'"),
        (["with open(a):", "    pass"], "'With'"),
        (["ensure(c)"], "no 'ensure'"),
        (['ensure(c, "other")'], "no 'ensure'"),
        (["assert c, 'why'"], "'Assert'"),
        (["import os"], "'Import'"),
        (["y = __import__('os')"], "'Call'"),
        (["y = laplace(x)"], "1 values, where 2 are needed"),
        (["y = laplace(x, scale=1.0)"], "'Call'"),
        (["c = laplace(c, 1.0)"], "a truth value from laplace"),
        (["i = bernoulli(eps)"], "can't be drawn so"),
        (["y = cauchy(x, 1.0)"], "'Call'"),
        (['i = outcomes("other", lambda o: {o == 0: 1.0})'], "can't be drawn so"),
        (['y = outcomes("mixture", lambda o: {o == 0.0: 1.0})'], "can't be drawn so"),
        (['i = outcomes("mixture", lambda n: {n == 0: 1.0})'], "is taken"),
        (['i = outcomes("mixture", lambda o: {**o})'], "no outcome"),
        (['i = outcomes("mixture", lambda o, p: {o == 0: 1.0})'], "something else than the outcome"),
        (['i = outcomes("mixture", lambda o=1: {o == 0: 1.0})'], "defaults"),
        (['i = outcomes("mixture", 1.0)'], "'Constant'"),
        (['i = weights("choice", n, lambda o: x, 1.0, lambda p: ensure(p < n, "index"))'], "another name"),
        (["return 1", "return 1.0"], "other sorts"),
        (["return out, 1"], "'out' is no number"),
        (["return y", "return y, out"], "other sorts"),
        (["i: int"], "is taken"),
        (["y = 1.0", "z: int"], "'AnnAssign'"),
        (["x‿1 = 1.0"], "no scalar variable"),
        (["⁔ = 1.0"], ""),
        (["y = x⁔1"], "stands for no name"),
    ],
)
def test_what_has_no_meaning_is_refused_with_its_place(lines: list[str], says: str) -> None:
    error = refused(mechanism(*lines))
    assert says in error.message
    assert error.line >= 1 and error.column >= 1
    assert str(error).startswith(f"line {error.line}, column {error.column}: ")


def test_a_place_counts_characters() -> None:
    error = refused(mechanism("with block(ab‿1): y = 1.0 + unknown"))
    assert (error.line, error.column) == (8, 33)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "something else than one function"),
        ("x = 1", "something else than one function"),
        ("def m(): pass\ndef n(): pass", "something else than one function"),
        ("async def m(): pass", "something else than one function"),
        ("class m: pass", "something else than one function"),
        ("def m(:", "not Python's syntax"),
        ("def m(x): pass", "without a type"),
        ("def m(x: float): pass", "int, real or bool"),
        ("def m(x: int, x: real): pass", "is taken"),
        ("def m(x: int = 1): pass", "defaults or stars"),
        ("def m(*x: int): pass", "defaults or stars"),
        ("def m(x: function()): pass", ""),
        ("def m(x: function(real, int)): pass", ""),
        ("@cached\ndef m(): pass", "one of adjacent"),
        ("@requires(True)\n@requires(True)\ndef m(): pass", "one of adjacent"),
        ("@claims(epsilon=1.0, epsilon=2.0)\ndef m(): pass", "is taken"),
        ("@claims(gamma=1.0)\ndef m(): pass", "neither 'epsilon' nor 'delta'"),
        ("@claims(1.0)\ndef m(): pass", "one of adjacent"),
        ("@claims(**1.0)\ndef m(): pass", "stands for no name"),
        ("@requires(1)\ndef m(): pass", "int, where bool"),
        ("@adjacent(x=absolute_distance(1.0))\ndef m(): pass", "no parameter is called 'x'"),
        ("@adjacent(x=absolute_distance(1))\ndef m(x: int): pass", "int, where real"),
        ("@adjacent(x=l1_distance(1.0))\ndef m(x: int): pass", "no metric for 'x'"),
        ("@adjacent(x=absolute_distance(1.0))\ndef m(x: bool): pass", "no metric for 'x'"),
        ("@adjacent(x=discrete_distance(1.0))\ndef m(x: bool): pass", "1 values"),
        ("@adjacent(x=linf_distance())\ndef m(x: sequence(int)): pass", "0 values"),
        ("@adjacent(x=change_one_distance(1.0, 2.0))\ndef m(x: sequence(int)): pass", "2 values"),
        ("@adjacent(x=linf_distance(1.0, monotone=False))\ndef m(x: sequence(int)): pass", "monotone=True"),
        ("@adjacent(x=l1_distance(1.0, monotone=True))\ndef m(x: sequence(int)): pass", "no metric for 'x'"),
        ("@adjacent(x=absolute_distance(1.0))\ndef m(x: published(int)): pass", "no metric for 'x'"),
        ("@adjacent(x=absolute_distance(real(x)))\ndef m(x: int): pass", "'x' is no number"),
        ("@adjacent(x=absolute_distance(1.0))\n@requires(0 < x)\ndef m(x: int): pass", "'x' is no number"),
        (
            "@adjacent(x=linf_distance(1.0))\n@requires(0 < x[0])\ndef m(x: sequence(int)): pass",
            "can't be read",
        ),
        ("@claims(epsilon=z)\ndef m(z: ghost(real)): pass", "'z' is no number"),
        ("def m(z: ghost(real)):\n    return z", "'z' is no number"),
        ('@fact("t", lambda v: f[v], lambda w: 0 < w)\ndef m(f: function(int, int)): pass', "no text"),
        ('@fact("t", lambda v: f[v + 1], lambda v: 0 < v)\ndef m(f: function(int, int)): pass', "no text"),
        ('@fact("t", lambda v: v, lambda v: 0 < v)\ndef m(f: function(int, int)): pass', "no text"),
        ('@fact("t", lambda v, v: f[v], lambda v, v: 0 < v)\ndef m(f: function(int, int)): pass', "is taken"),
        ("def m() -> int: pass", "an output"),
        ("def m() -> output(float): pass", "int, real or bool"),
        ("def m():\n    x: str\n    return", "int, real or bool"),
        ("def m():\n    x: int = 1\n    return", "'AnnAssign'"),
        ("def m(): pass\t", "can't be printed"),
        ("def m(): pass\r\n", "can't be printed"),
        ("def m(): pass\x00", "can't be printed"),
        ("def m(): pass  # \u202e", "can't be printed"),
    ],
)
def test_other_heads_are_refused(text: str, says: str) -> None:
    assert says in refused(text).message


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 150 + "x" + ")" * 150 + "+ -" + "-" * 400 + "x",
        "-" * 100_000 + "x",
        "(" * 5000 + "x" + ")" * 5000,
        "x + " * 50_000 + "x",
        "not " * 2000 + "b",
        "[" * 300,
        "q[" * 190 + "0" + "]" * 190,
        "x.a" + ".a" * 20_000,
        "f" + "()" * 20_000,
        "x ** " * 3000 + "x",
        "x if b else " * 3000 + "x",
        "lambda: " * 3000 + "x",
    ],
)
def test_deep_texts_end_in_one_message(expression: str) -> None:
    refused(mechanism(f"y = {expression}"))


@pytest.mark.parametrize("line", ["if b:", "while True:", "with block(a{}):"])
def test_deep_statements_end_in_one_message(line: str) -> None:
    for depth in (90, 120, 5000):
        lines = [" " * place + line.format(place) for place in range(depth)] + [" " * depth + "pass"]
        if depth == 90:
            read_core(mechanism(*lines))
        else:
            refused(mechanism(*lines))


def test_huge_texts_are_refused() -> None:
    assert "characters" in refused("#" * 5_000_000).message


def test_names_that_core_programs_need_are_refused_in_programs() -> None:
    text = "from synth.lang import *\n\n@mechanism()\ndef m(a{0}: int):\n    return a{0}\n"
    assert read_source(text.format("1"), "program")
    for mark in "·‿⁔⁀":
        with pytest.raises(ProgramError, match="a name with"):
            read_source(text.format(f"{mark}1"), "program")


def test_what_no_reader_makes_is_not_written() -> None:
    found = read_core(mechanism("return y"))
    odd = ir.Operation(ir.Operator.AND, (builders.TRUE,), BOOL)
    with pytest.raises(Unwritable):
        write_core(ir.Mechanism(**{**vars(found), "requires": odd}))
    with pytest.raises(Unwritable):
        write_core(ir.Mechanism(**{**vars(found), "name": "a|b"}))
