"""Runs before a verdict know the samplers of libraries by themselves: a stub that is wrong is told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from synth.trusted.frontend import library, stubs
from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.frontend.specification_file import parse_specifications
from synth.trusted.program import syntax as ir
from synth.validation.comparison import Kind, compare

HEAD = """import scipy.stats
import opendp.prelude as dp
from diffprivlib import mechanisms, tools
from scipy import stats
from synth.lang import *



@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0")
def f(q: list[int], n: int, x: float, eps: float):
"""

NUMPY = "import numpy as np\nrng = np.random.default_rng()\n"
"""Numbers in a program with numpy may be numpy's, for which OpenDP raises."""

LAPLACE = "mechanisms.Laplace(epsilon=eps, delta={}, sensitivity=2).randomise(x)"
CUT = "mechanisms.LaplaceTruncated(epsilon=eps, sensitivity=1, lower=0, upper=2).randomise(x)"
GEOMETRIC = "mechanisms.Geometric(epsilon=eps, sensitivity=3).randomise(n)"
GEOMETRIC_CUT = "mechanisms.GeometricTruncated(epsilon=eps, lower=0, upper=2).randomise(n)"
GAUSSIAN = "mechanisms.Gaussian(epsilon=0.5, delta=0.1, sensitivity=1).randomise(x)"
CHOSEN = "mechanisms.Exponential(epsilon=eps, sensitivity=1, utility=[v for v in q]{}).randomise()"
NUMBER = "dp.atom_domain(T=int), dp.absolute_distance(T=int)"
REAL = "dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)"
LIST = "dp.vector_domain(dp.atom_domain(T=int)), dp.{}"
ROWS = f"space = {LIST.format('symmetric_distance()')}\nreturn (space >> "

SCIPY, PRIVATE, CHAINS = "scipy/stats/", "diffprivlib/", "opendp/prelude/"

WRONG: dict[str, tuple[str, str, str, str]] = {
    "a scale": (
        "return stats.laplace.rvs(x, 1 / eps)",
        f"{SCIPY}laplace.py",
        "laplace(loc, scale)",
        "laplace(loc, 2 * scale)",
    ),
    "another law": (
        "return stats.norm.rvs(loc=x, scale=1 / eps)",
        f"{SCIPY}norm.py",
        "lang.gaussian",
        "lang.laplace",
    ),
    "a place": (
        "return stats.expon(x, 1 / eps).rvs(random_state=rng)",
        f"{SCIPY}expon.py",
        "(loc, scale)",
        "(-loc, scale)",
    ),
    "a rate": ("return stats.dlaplace.rvs(eps)", f"{SCIPY}dlaplace.py", "1 / a", "a"),
    "a default": (
        "return scipy.stats.laplace.rvs(scale=2) + x",
        f"{SCIPY}laplace.py",
        "loc: float = 0.0",
        "loc: float = 1.0",
    ),
    "where it begins": ("return stats.geom.rvs(0.25) + n", f"{SCIPY}geom.py", "loc + 1", "loc"),
    "several draws": (
        "return x + stats.laplace.rvs(0, 1 / eps, 2).sum()",
        f"{SCIPY}laplace.py",
        "laplace(loc, scale)",
        "laplace(loc, 2 * scale)",
    ),
    "a scale with delta": (
        f"return {LAPLACE.format('0.5')}",
        f"{PRIVATE}mechanisms.py",
        "epsilon - lang.log(1 - delta)",
        "epsilon + lang.log(1 - delta)",
    ),
    "a sensitivity": (
        f"return {LAPLACE.format('0')}",
        f"{PRIVATE}mechanisms.py",
        "self._scale = sensitivity / epsilon if",
        "self._scale = 1 / epsilon if",
    ),
    "ends": (f"return {CUT}", f"{PRIVATE}mechanisms.py", "min(max(noisy", "max(min(noisy"),
    "a sensitivity of integers": (
        f"return {GEOMETRIC}",
        f"{PRIVATE}mechanisms.py",
        "self._scale = sensitivity / epsilon\n",
        "self._scale = 1 / epsilon\n",
    ),
    "ends of integers": (
        f"return {GEOMETRIC_CUT}",
        f"{PRIVATE}mechanisms.py",
        "self._upper = upper",
        "self._upper = upper + 1",
    ),
    "a deviation": (f"return {GAUSSIAN}", f"{PRIVATE}mechanisms.py", "1.25 / delta", "2.5 / delta"),
    "a weight": (
        f"return {CHOSEN.format('')}",
        f"{PRIVATE}mechanisms.py",
        "epsilon / (2 * sensitivity)",
        "epsilon / sensitivity",
    ),
    "a monotonic weight": (
        f"return {CHOSEN.format(', monotonic=True')}",
        f"{PRIVATE}mechanisms.py",
        "epsilon / sensitivity if monotonic else",
        "epsilon / (2 * sensitivity) if monotonic else",
    ),
    "a mean": (
        "return tools.mean(np.array(q, dtype=float), epsilon=eps, bounds=(0.0, 1.0))",
        f"{PRIVATE}tools.py",
        "np.mean(clipped)",
        "np.mean(array)",
    ),
    "the sensitivity of a mean": (
        "return tools.mean(np.array(q, dtype=float), epsilon=eps, bounds=(0.0, 2.0))",
        f"{PRIVATE}tools.py",
        "(upper - lower) / len(clipped)",
        "(upper - lower) / len(clipped) / 2",
    ),
    "a count": (
        "return tools.count_nonzero(np.array(q), epsilon=eps)",
        f"{PRIVATE}tools.py",
        "np.count_nonzero(array)",
        "len(array)",
    ),
    "a measurement": (
        f"return dp.m.make_laplace({NUMBER}, scale=1 / eps)(n)",
        f"{CHAINS}m.py",
        "lang.laplace(arg, self._scale)",
        "lang.laplace(arg, 2 * self._scale)",
    ),
    "another measurement": (
        f"return dp.m.make_gaussian({REAL}, 1 / eps)(x)",
        f"{CHAINS}m.py",
        "lang.gaussian(arg, self._scale)",
        "lang.laplace(arg, self._scale)",
    ),
    "noise of integers": (
        f"return dp.m.make_laplace({NUMBER}, scale=1 / eps)(n)",
        f"{CHAINS}m.py",
        "lang.laplace(arg, self._scale)",
        "lang.laplace(arg + 0.0, self._scale)",
    ),
    "noise of a list": (
        f"return (({LIST.format('l1_distance(T=int)')}) >> dp.m.then_laplace(1 / eps))(q)",
        f"{CHAINS}m.py",
        "lang.laplace(entry, self._scale)",
        "lang.laplace(0 * entry, self._scale)",
    ),
    "bounds": (
        f"{ROWS}dp.t.then_clamp((0, 2)) >> dp.t.then_sum() >> dp.m.then_laplace(1 / eps))(q)",
        f"{CHAINS}t.py",
        "min(max(entry, self._lower), self._upper)",
        "max(min(entry, self._lower), self._upper)",
    ),
    "a sum": (
        f"{ROWS}dp.t.then_clamp((0, 2)) >> dp.t.then_sum() >> dp.m.then_laplace(1 / eps))(q)",
        f"{CHAINS}t.py",
        "return sum(arg)",
        "return sum(arg) + 1",
    ),
    "how many": (
        f"{ROWS}dp.t.then_count() >> dp.m.then_laplace(1 / eps))(q)",
        f"{CHAINS}t.py",
        "return len(arg)",
        "return sum(arg)",
    ),
}
"""What a program does, a stub, and what is put in the place of a part of its text."""


def read(body: str) -> ir.Mechanism:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    head = f"{NUMPY if 'np.' in body or 'rng' in body else ''}{HEAD}"
    (found,) = read_source(f"{head}{lines}", "tried.py")
    return found


@pytest.fixture
def own_stubs(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Stubs that may be changed while a test runs."""
    library.bundled.cache_clear()
    yield monkeypatch
    library.bundled.cache_clear()


@pytest.mark.parametrize("name", WRONG)
def test_what_a_stub_says_rightly_is_what_is_run(name: str) -> None:
    found = compare(read(WRONG[name][0]))
    assert found.kind is Kind.SAME, found.why


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_stub_is_found(name: str, own_stubs: pytest.MonkeyPatch) -> None:
    body, path, old, new = WRONG[name]
    own_stubs.setattr(stubs, "bundled", _changed(stubs.bundled(), path, old, new))
    assert compare(read(body)).kind is Kind.DIFFERENT


def _changed(texts: tuple[stubs.Stub, ...], path: str, old: str, new: str) -> object:
    (changed,) = (item for item in texts if item.path == path)
    assert old in changed.text
    others = tuple(item for item in texts if item is not changed)
    found = (*others, replace(changed, text=changed.text.replace(old, new)))
    return lambda: found


def test_what_the_user_says_of_a_library_is_believed(tmp_path: Path) -> None:
    stub = "import synth.lang as lang\ndef rvs(loc, scale):\n    return lang.laplace(loc, 2 * scale)\n"
    for name, text in {"p.py": PROGRAM, "stubs/scipy/stats/laplace.py": stub}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    given = parse_specifications(TABLE, tmp_path / "privacy.toml", (tmp_path,))
    (found,) = read_program(tmp_path / "p.py", given.of(tmp_path / "p.py")).mechanisms
    assert compare(found).kind is Kind.NOT_COMPUTED


PROGRAM = "from scipy.stats import laplace\n\n\ndef f(x, eps):\n    return laplace.rvs(x, 1 / eps)\n"
TABLE = (
    "[[mechanism]]\nfunction = 'p.py::f'\ntypes = { x = 'float', eps = 'float' }\n"
    "adjacent = { x = 'absolute_distance(1)' }\nrequires = 'eps > 0'\n"
)
