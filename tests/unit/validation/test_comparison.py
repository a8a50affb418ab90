"""A program that is read as another one is told apart by small inputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_file, read_program, read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification
from synth.validation.comparison import Comparison, Kind, compare
from tests import ROOT

HEAD = """import random
import numpy as np
from synth.lang import *

@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def f(q: list[int], n: int, eps: float):
"""

MISREADINGS = {
    "an index": ("return q[0]", "return q[len(q) - 1]"),
    "a bound": ("return sum(1 for v in q if v > 0)", "return sum(1 for v in q if v >= 0)"),
    "another scale": ("return exponential(n, 2 / eps)", "return exponential(n, 3 / eps)"),
    "a scale": ("return laplace(n, 2 / eps)", "return laplace(n, 1 / eps)"),
    "a logarithm": ("return laplace(n, log(2 + n * n))", "return laplace(n, log(3 + n * n))"),
    "a root": ("return gaussian(n, sqrt(2 * eps))", "return gaussian(n, 2 * sqrt(eps))"),
    "another law of noise": ("return gaussian(n, 2 / eps)", "return laplace(n, 2 / eps)"),
    "another law of real noise": (
        "return random.gauss(n, 2 / eps)",
        "return np.random.laplace(n, 2 / eps)",
    ),
    "a scale of a library": (
        "return np.random.laplace(0, 1 / eps) + n",
        "return np.random.laplace(0, 1 / (2 * eps)) + n",
    ),
    "a chance": ("return random.random() < 0.25", "return random.random() < 0.75"),
    "a side of a chance": (
        "return n if bernoulli(1 / (1 + exp(eps))) else 0",
        "return 0 if bernoulli(1 / (1 + exp(eps))) else n",
    ),
    "a draw that is used twice": (
        "v = bernoulli(0.5)\n    return (v, v)",
        "v = bernoulli(0.5)\n    w = bernoulli(0.5)\n    return (v, w)",
    ),
    "a law": ("return exponential(n, 1 / eps)", "return laplace(n, 1 / eps)"),
    "weights": ("return choice(2, lambda r: r * eps)", "return choice(2, lambda r: -r * eps)"),
    "an end": ("return uniform_int(0, 3)", "return uniform_int(0, 2)"),
    "an order": (
        "out = []\n    for v in q: out.append(v)\n    return out",
        "out = []\n    for i in range(len(q)): out.append(q[len(q) - 1 - i])\n    return out",
    ),
    "a run that raises": ("return 10 // n", "return 10 // n if n != 0 else 0"),
    "a case": ("return None if n > 0 else n", "return n"),
    "a rounding": ("return n // 2", "return -(-n // 2)"),
    "a label": ("return 'a' if n > 0 else 'b'", "return 'b' if n > 0 else 'a'"),
    "a key that is a fraction": ("return {0.5: n, -1.5: 1}", "return {0.5: n, -2.5: 1}"),
    "a key that is a tuple": ("return {('a', 1): n, ('b',): 1}", "return {('a', 2): n, ('b',): 1}"),
    "an entry of a dict": ("return {'a': n, 'b': 1}", "return {'a': 1, 'b': n}"),
    "what a number of the text decides": ("return n > 77", "return n > 77 and n < 78"),
    "a number of the text": ("return n == -50 or q[0] == 0", "return q[0] == 0"),
    "an exit": (
        "for v in q:\n        if v > 0: return v\n    return -1",
        "r = -1\n    for v in q:\n        if v > 0: r = v\n    return r",
    ),
}


GUARDS = {
    "a power": "if n * n * n < 5000000: return 0",
    "one number": "if n != 987654: return 0",
    "a rest": "if n % 1000 != 7: return 0",
    "a private value": "if q[0] < 123456: return 0",
    "a length": "if len(q) < 300: return 0",
    "a real number": "if eps * eps < 500: return 0",
    "noise": "if laplace(0, 1 / eps) < 5000: return 0",
    "noise that is counted": "if exponential(0, 1 / eps) + gaussian(0, 1) < 700: return 0",
    "a sum": "m = sum(q) + n\n    if m * m < 1000000: return 0",
    "one in the other": "if n < 1000 or q[0] < 2000:\n        return 0\n    if q[len(q) - 1] > -70: return 0",
    "a flag": "seen = n > 1000 and len(q) > 8\n    if not seen: return 0",
    "a loop": "k = 0\n    while k * k < n: k += 1\n    if k < 40: return 0",
    "a condition of two lines": "m = 3 * n if n > 500 else 0\n    if m < 4000: return 0",
    "a filter": "if len([v for v in q if v > 3000]) < 2: return 0",
    "a place in a range": "if n not in range(1000, 2000): return 0",
    "one of some numbers": "if n not in (1234, 5678): return 0",
    "a loop that begins late": "k = 0\n    for i in range(3000, n): k = 1\n    if k < 1: return 0",
    "a helper": "def far(v): return v > 2000\n    if not far(n): return 0",
}


def read(body: str) -> ir.Mechanism:
    (found,) = read_source(f"{HEAD}    {body}\n", "tried.py")
    return found


def misread(text: str, other: str) -> Comparison:
    """What is said of a text that would be read as another one."""
    one, two = read(text), read(other)
    return compare(replace(two, source=one.source, span=one.span))


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misreading_is_found(name: str) -> None:
    text, other = MISREADINGS[name]
    assert misread(text, other).kind is Kind.DIFFERENT


@pytest.mark.parametrize("name", MISREADINGS)
def test_what_is_read_as_it_is_runs_as_it_is(name: str) -> None:
    for body in MISREADINGS[name]:
        assert compare(read(body)).kind is Kind.SAME, body


@pytest.mark.parametrize("name", GUARDS)
def test_a_misreading_is_found_behind_a_guard(name: str) -> None:
    found = misread(f"{GUARDS[name]}\n    return q[0]", f"{GUARDS[name]}\n    return q[0] + 1")
    assert found.kind is Kind.DIFFERENT


BEFORE = {
    "noise until it is not large": "x = laplace(0, 1 / eps)\n    while x > 0: x = laplace(0, 1 / eps)",
    "noise of many draws": "x = 0.0\n    for i in range(9): x += laplace(0, 1 / eps)",
    "an entry of many": "x = [v + laplace(0, 1 / eps) for v in q]\n    if len(q) < 9: return 0",
}


@pytest.mark.parametrize("name", BEFORE)
def test_a_misreading_is_found_behind_many_draws(name: str) -> None:
    found = misread(f"{BEFORE[name]}\n    return q[0]", f"{BEFORE[name]}\n    return q[0] + 1")
    assert found.kind is Kind.DIFFERENT


@pytest.mark.parametrize(
    "requires",
    [
        "n == 7919",
        "n * n > 10**9 and len(q) == n % 7 + 3",
        "eps > 20 and log(n) > 8",
        "n > 40 or eps < -3 or len(q) > 60",
    ],
)
def test_a_misreading_is_found_where_a_precondition_admits_little(requires: str) -> None:
    head = HEAD.replace("eps > 0", requires)
    (one,) = read_source(f"{head}    return n\n", "tried.py")
    (two,) = read_source(f"{head}    return n + 1\n", "tried.py")
    assert compare(one).kind is Kind.SAME
    assert compare(replace(two, source=one.source, span=one.span)).kind is Kind.DIFFERENT


ALRIGHT = {
    "a chance that is nearly 1": (
        "if eps > 1000: return randomized_response(n > 0, eps)\n"
        "    return randomized_response(n > 0, eps / 2)"
    ),
    "a power that is too large for a float": (
        "if eps > 1000: return bernoulli(1 / (1 + exp(-eps)))\n    return 0"
    ),
    "a large exponential that goes again": "return laplace(0.5 * n, 1) + exp(40) - exp(40)",
    "small digits of a root": "return (sqrt(2.0) * sqrt(2.0) - 2) * 1000000000",
    "more candidates than can be run": (
        "if n > 10**8: return 0\n    return choice(n, lambda r: r) if n > 0 else 0"
    ),
    "more numbers than can be run": "if n > 10**9: return 0\n    return uniform_int(0, n) if n > 0 else 0",
    "many numbers": "return random.randint(0, 10**9)",
    "many bits": "return random.getrandbits(64)",
    "much noise": (
        "if n > 10**9: return 0\n    return np.random.laplace(0, 1 / eps, size=n)[0] if n > 0 else 0"
    ),
    "noise of either sign": (
        "x = [3.0 * random.gauss(0, 1) for i in range(3) if i - np.random.laplace(scale=2.0) == 2]\n"
        "    return len(x) + sum(x)"
    ),
    "noise in rows": "return list(np.random.laplace(0, 1, size=3) + np.random.laplace(0, 1, size=3))",
    "an integer without end": "return n < 10**400",
}


@pytest.mark.parametrize("name", ALRIGHT)
def test_nothing_is_said_of_what_is_read_as_it_is(name: str) -> None:
    assert compare(read(ALRIGHT[name])).kind is not Kind.DIFFERENT


def test_the_input_is_told() -> None:
    why = misread("return n", "return n + 1").why
    assert why.startswith("on q = [") and "by Python's rules" in why


@pytest.mark.parametrize(
    "body",
    [
        "while laplace(0, 1 / eps) < 10**6: pass\n    return n",
    ],
)
def test_what_is_not_computed_shows_nothing(body: str) -> None:
    found = compare(read(body))
    assert found.kind is Kind.NOT_COMPUTED and found.why


SUITE = sorted((ROOT / "benchmarks" / "programs").glob("*.py"))
ALL = sorted(
    path
    for folder in ("benchmarks", "examples", "tests/completeness/programs")
    for path in (ROOT / folder).rglob("*.py")
)


def kinds(paths: list[Path]) -> list[Kind]:
    """What is said of the mechanisms of files that can be read."""
    found = []
    for path in paths:
        try:
            mechanisms = read_file(path)
        except ProgramError:
            continue
        for mechanism in mechanisms:
            result = compare(mechanism)
            assert result.kind is not Kind.DIFFERENT, (path, mechanism.name, result.why)
            found.append(result.kind)
    return found


def test_nearly_all_mechanisms_of_the_suite_are_compared() -> None:
    found = kinds(SUITE)
    assert found.count(Kind.SAME) >= 0.9 * len(found)


@pytest.mark.slow
def test_nearly_all_mechanisms_are_compared() -> None:
    found = kinds(ALL)
    assert len(found) > 700 and found.count(Kind.SAME) >= 0.88 * len(found)


def test_noise_that_is_made_of_draws_is_not_compared_on_few_values() -> None:
    """A random sign of exponential noise is Laplace noise, though not if each falls on two values."""
    text = "v = exponential(0, 1 / eps)\n    return n + (v if bernoulli(0.5) else -v)"
    assert misread(text, "return laplace(n, 1 / eps)").kind is Kind.NOT_COMPUTED


CLASS = """
import random
from dataclasses import dataclass

class Kept:
    def __init__(self, x: float, /, k: int = 2):
        self.x = x
        self.k = k
    def added(self, x: float):
        return self.x - x
    @property
    def times(self):
        return self.x * self.k
    @staticmethod
    def twice(x: float):
        return 2 * x
    @classmethod
    def once(cls, x: float):
        return cls(x, 1).times
    def less(self, x: float, k: float = 3, /):
        return self.x - x * k
    @staticmethod
    def half(x: float, /, k: int = 2):
        return x / k
    def __call__(self, y: float, most):
        return y + self.x + random.randint(0, most)

@dataclass
class Pair:
    v: float
    w: float = 1
    def total(self):
        return self.v + self.w
"""

METHODS: dict[str, dict[str, str]] = {
    "Kept.added": {},
    "Kept.times": {},
    "Kept.twice": {},
    "Kept.once": {},
    "Kept.less": {},
    "Kept.half": {},
    "Kept.__call__": {"most": "3"},
    "Pair.total": {},
}


def specified(folder: Path, name: str, fixed: dict[str, str]) -> ir.Mechanism:
    """A method of the classes above, of which nothing is private."""
    path = folder / "kept.py"
    path.write_text(CLASS)
    given = Specification(requires="True", fixed=tuple(fixed.items()))
    (found,) = read_program(path, {name: given}).mechanisms
    return found


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_run_on_new_objects(tmp_path: Path, name: str) -> None:
    found = specified(tmp_path, name, METHODS[name])
    assert compare(found).kind is Kind.SAME
    changed = CLASS.replace("return", "return 1 +")
    assert compare(replace(found, source=changed)).kind is Kind.DIFFERENT


BY_POSITION = "def f(q: list[int], n: int, /, eps: float):"


def test_parameters_that_cannot_be_named_are_given_by_position() -> None:
    head = HEAD.replace("def f(q: list[int], n: int, eps: float):", BY_POSITION)
    (found,) = read_source(f"{head}    return q[n] if 0 <= n < len(q) else 0\n", "tried.py")
    assert compare(found).kind is Kind.SAME
    (other,) = read_source(f"{head}    return q[0] if 0 <= n < len(q) else 0\n", "tried.py")
    assert compare(replace(found, body=other.body)).kind is Kind.DIFFERENT


FILES = {
    "noise.py": "from pkg import low\nfrom pkg.low import g as h\n"
    "def shifted(x):\n    return low.g(x) + h(x) + 3\n",
    "pkg/__init__.py": "from .low import g\nfrom . import low as other\nM = other.L\n",
    "pkg/low.py": "import random\nL = 5\ndef g(x):\n    return x * random.choice([L, 1])\n",
}


def test_the_users_other_files_are_run(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    program = tmp_path / "main.py"
    program.write_text(
        "import noise as n\nimport pkg\nfrom synth.lang import *\n@mechanism()\n"
        "def f(x: int):\n    return n.shifted(x) - pkg.M\n"
    )
    (found,) = read_program(program).mechanisms
    assert compare(found).kind is Kind.SAME
    assert found.specification is not None
    for name, text in found.specification.files:
        others = tuple((other, text) for other, text in found.specification.files if other != name)
        changed = ((name, text.replace("return", "return 1 +").replace("L = 5", "L = 6")), *others)
        if changed[0][1] != text:
            given = replace(found.specification, files=changed)
            assert compare(replace(found, specification=given)).kind is Kind.DIFFERENT, name


def test_lists_are_as_long_as_a_precondition_says() -> None:
    text = HEAD.replace("eps > 0", "len(q) == 17") + "    return sum(q) + n\n"
    (found,) = read_source(text, "tried.py")
    assert compare(found).kind is Kind.SAME


def test_noise_of_a_helper_is_on_integers_here_and_real_there() -> None:
    text = HEAD.replace("@mech", "def noisy(v, scale):\n    return laplace(v, scale)\n@mech")
    (found,) = read_source(f"{text}    return noisy(n, 4 / eps), noisy(n / 3, 4 / eps)\n", "tried.py")
    assert compare(found).kind is Kind.NOT_COMPUTED
    (found,) = read_source(f"{text}    return noisy(n, 4 / eps), noisy(n // 3, 4 / eps)\n", "tried.py")
    assert compare(found).kind is Kind.SAME
