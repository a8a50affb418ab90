"""Facts about functions, and the ghosts that they speak of."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import read_claim
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text

PROGRAM = """from synth.lang import *

K = 3

def three():
    return 3

@mechanism(adjacent={"f": linf_distance(1), "x": absolute_distance(1)}, requires="n > 0", %s)
def m(f: Callable[[int, int], int], g: Callable[[int], int], q: list[int], x: int, n: int) -> int:
    return %s
"""


def read(arguments: str, result: str = "n") -> ir.Mechanism:
    (mechanism,) = read_source(PROGRAM % (arguments, result), "m.py")
    return mechanism


def stated(fact: str, ghosts: str = "{}") -> list[tuple[str, str, bool]]:
    facts = read(f"facts=[{fact!r}], ghosts={ghosts}").facts
    return [(text(item.condition), text(item.trigger), item.each) for item in facts]


def test_a_fact_about_each_run_is_one_about_either() -> None:
    assert stated("f(a, b) >= K") == [
        ("3 <= f<1>[a, b]", "f<1>[a, b]", True),
        ("3 <= f<2>[a, b]", "f<2>[a, b]", True),
    ]


def test_a_fact_about_both_runs() -> None:
    assert stated("one(f(a, g(b))) <= two(f(b, a))") == [("f<1>[a, g[b]] <= f<2>[b, a]", "f<2>[b, a]", False)]


def test_a_fact_about_public_functions_names_no_run() -> None:
    assert stated("h(g(a)) == a", "{'h': Callable[[int], int]}") == [("h[g[a]] == a", "g[a]", True)]


def test_ghosts_are_parameters_that_the_program_cannot_see() -> None:
    mechanism = read("ghosts={'t': int, 'near': Callable[[int], bool]}")
    assert mechanism.ghosts == {"t", "near"}
    assert {item.name for item in mechanism.visible} == {"f", "g", "q", "x", "n"}
    with pytest.raises(ProgramError):
        read("ghosts={'t': int}", "t")
    with pytest.raises(ProgramError):
        read("ghosts={'t': int}, epsilon='t'")
    with pytest.raises(ProgramError):
        read_claim(mechanism, "t")


@pytest.mark.parametrize(
    ("arguments", "words"),
    {
        "no list": ("facts='g(a) > 0'", "must be a list"),
        "no string": ("facts=[1]", "must be a string"),
        "an empty string": ("facts=['']", "must be a string"),
        "no truth value": ("facts=['g(a)']", "truth value"),
        "no function of the names": ("facts=['g(a) > b']", "exactly the names"),
        "no function at all": ("facts=['n > 1']", "exactly the names"),
        "one run and no run": ("facts=['one(f(a, b)) >= f(a, b)']", "neither run"),
        "a private scalar": ("facts=['g(a) > x']", "unknown name"),
        "a division": ("facts=['g(a) > 1 / n']", "undefined"),
        "a draw": ("facts=['g(a) > laplace(0, 1)']", "draws nothing"),
        "None as a number": ("facts=['g(a) > None']", "None is used as a number"),
        "a function of the file": ("facts=['g(a) > 0 or three() == 3']", "no function of the file"),
        "too many arguments": ("facts=['g(a, b) > 0']", "1 argument"),
        "ghosts in a list": ("ghosts=['t']", "must be a dict"),
        "a ghost that is a parameter": ("ghosts={'n': int}", "is taken"),
        "a ghost that is a run": ("ghosts={'one': int}", "is taken"),
        "a ghost without a type": ("ghosts={'t': 3}", "not supported"),
        "a run around no private function": ("facts=['one(g(a)) > 0']", "reads of private functions"),
        "a ghost that is a sequence": ("ghosts={'t': list[int]}", "a scalar or a function"),
    }.values(),
)
def test_what_is_no_fact(arguments: str, words: str) -> None:
    with pytest.raises(ProgramError, match=words):
        read(arguments)


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ("def one(x):\n    return x", "nothing in the file may be called 'one'"),
        ("two = 2", "nothing in the file may be called 'two'"),
    ],
)
def test_the_runs_names_are_taken(definition: str, words: str) -> None:
    """Else a marker of a run would be read as a call, or the other way round."""
    with pytest.raises(ProgramError, match=words):
        read_source((PROGRAM % ("facts=['g(a) > 0']", "n")).replace("K = 3", definition), "m.py")


@pytest.mark.parametrize("name", ["y", "ys", "pair"])
def test_no_ghost_is_called_like_a_variable(name: str) -> None:
    """The two may have different sorts."""
    text = (PROGRAM % (f"ghosts={{'{name}': int}}, facts=['g(a) > 0']", "n")).replace(
        "    return n", "    y = 0.5\n    ys = [1]\n    pair = (n, y)\n    return n"
    )
    with pytest.raises(ProgramError, match=f"a variable '{name}', too"):
        read_source(text, "m.py")


def test_a_program_with_facts_runs() -> None:
    scope: dict[str, object] = {"__name__": "m"}
    exec(PROGRAM % ("facts=['g(a) > 0'], ghosts={'t': int}", "n"), scope)
    assert scope["m"].claim.facts == ("g(a) > 0",)  # type: ignore[attr-defined]
