"""The scaling families: what they generate, that their smallest members are proved, and the fit."""

from __future__ import annotations

import ast
import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from benchmarks.scaling.families import FAMILIES, NAME, Family, find, program
from benchmarks.scaling.fitting import FLOOR, exponent, last_exponent
from benchmarks.scaling.plotting import Point, plot
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.proving import assert_bound, prove_apart


def named(family: Family) -> str:
    return family.name


def mechanisms(family: Family, size: int) -> tuple[ir.Mechanism, ...]:
    return tuple(read_source(program(family, size), f"{family.name}.py"))


@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_smallest_member_is_proved_with_the_bound_that_the_family_states(family: Family) -> None:
    size = family.sizes[0]
    subject = next(item for item in mechanisms(family, size) if item.name == NAME)
    assert_bound(subject, prove_apart(subject), family.epsilon(size))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["releases", "sites", "columns", "parameters", "branches", "levels", "modes"]
)
def test_long_programs_are_proved(name: str) -> None:
    """Whatever is exponential in what users write long would never end here."""
    family = find(name)
    (subject,) = mechanisms(family, family.sizes[-1])
    assert_bound(subject, prove_apart(subject), family.epsilon(family.sizes[-1]))


@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_generation_is_deterministic_and_sizes_differ(family: Family) -> None:
    texts = [program(family, size) for size in family.sizes]
    assert texts == [program(find(family.name), size) for size in family.sizes]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_text_grows_at_most_quadratically(family: Family) -> None:
    """Otherwise the exponent would measure the text."""
    small, large = (len(program(family, size)) for size in (family.sizes[0], family.sizes[-1]))
    assert large <= small * max(4, (family.sizes[-1] / family.sizes[0]) ** 2)


@pytest.mark.parametrize("family", FAMILIES, ids=named)
def test_members_can_be_read(family: Family) -> None:
    for size in [item for item in family.sizes if item <= 100]:
        assert any(item.name == NAME for item in mechanisms(family, size))


@pytest.mark.parametrize("name", ["reading", "files"])
def test_a_file_has_as_many_mechanisms_as_its_size_says(name: str) -> None:
    family = find(name)
    assert len(mechanisms(family, 10)) == 10
    functions = [item for item in ast.parse(program(family, 1000)).body if isinstance(item, ast.FunctionDef)]
    assert len({item.name for item in functions}) == 1000


def test_the_parts_are_as_many_as_the_size_says() -> None:
    assert program(find("sequence"), 7).count("laplace(") == 14
    assert program(find("sites"), 7).count("laplace(") == 7
    assert program(find("parameters"), 7).count(": int") == 7
    assert program(find("branches"), 7).count("if y") == 7
    assert program(find("levels"), 7).count("if y") == 7
    assert program(find("nested"), 3).count("for ") + program(find("nested"), 3).count("while ") == 3
    assert program(find("rounds"), 3).count("for ") == 3


def test_bounds_by_size() -> None:
    assert [find("rounds").epsilon(size) for size in (1, 2, 3)] == ["eps", "k*eps", "2*k*eps"]
    assert [find("sequence").epsilon(size) for size in (1, 4)] == ["eps", "4*eps"]


def test_unknown_families_and_sizes_are_refused() -> None:
    with pytest.raises(KeyError, match="no family 'square'"):
        find("square")
    with pytest.raises(ValueError, match="at least 1"):
        program(FAMILIES[0], 0)


# --- exponents ------------------------------------------------------------------------------


@pytest.mark.parametrize("power", [0.0, 1.0, 1.5, 3.0])
def test_exponent_of_a_power_is_found(power: float) -> None:
    measured = [(size, 0.3 * size**power) for size in (1, 2, 4, 8, 16)]
    assert exponent(measured) == pytest.approx(power)
    assert last_exponent(measured) == pytest.approx(power)


def test_exponent_with_noise_is_near() -> None:
    noise = (1.1, 0.9, 1.05, 0.95, 1.1)
    measured = [(2**place, 0.5 * 4**place * factor) for place, factor in enumerate(noise)]
    assert exponent(measured) == pytest.approx(2, abs=0.1)


def test_sizes_below_the_floor_do_not_count() -> None:
    high = [(4, 1.0), (8, 2.0), (16, 4.0)]
    assert exponent([(1, FLOOR / 2), (2, FLOOR / 2), *high]) == pytest.approx(1)
    assert exponent([(1, FLOOR / 2), (2, FLOOR / 2), (4, 1.0), (8, 2.0)]) is None
    assert last_exponent([(1, -0.01), (2, 1.0)]) is None


def test_the_least_of_several_times_at_one_size_counts() -> None:
    assert exponent([(1, 1.0), (2, 9.0), (2, 2.0), (4, 4.0)]) == pytest.approx(1)


def test_exponential_growth_shows_in_the_last_step() -> None:
    measured = [(size, 0.2 * 2.0**size) for size in (1, 2, 4, 8, 16)]
    last, whole = last_exponent(measured), exponent(measured)
    assert last is not None and whole is not None
    assert last == pytest.approx(8) and last > whole


# --- plots ----------------------------------------------------------------------------------

_SVG = "{http://www.w3.org/2000/svg}"


def _parts(content: str, group: str) -> list[tuple[str, ElementTree.Element]]:
    """The parts of a group of a plot, with what they say."""
    parts = ElementTree.fromstring(content).iter(f"{_SVG}g")
    own = [part for part in parts if part.get("id", "").partition(".")[0] == group]
    return [(part.findtext(f"{_SVG}title") or "", part) for part in own]


def test_plot_has_a_dot_per_member_and_a_line_through_the_proved_ones() -> None:
    points = [Point(1, 0.8, True), Point(2, 1.6, True), Point(4, 3.1, True), Point(8, 60.0, False)]
    content = plot("loops & branches", "loops", points, 1.0, 0.6)
    said = ["1: 0.80 s, proved", "2: 1.60 s, proved", "4: 3.10 s, proved"]
    assert [tip for tip, _ in _parts(content, "point")] == [
        *said,
        "8: 60.00 s, not proved with the least bound",
    ]
    ((_, line),) = _parts(content, "line")
    (path,) = line.iter(f"{_SVG}path")
    across = [float(item) for item in re.findall(r"[\d.]+", path.attrib["d"])][::2]
    steps = [second - first for first, second in pairwise(across)]
    assert len(steps) == 2 and math.isclose(*steps, abs_tol=0.2), "sizes that double are equally far apart"
    texts = [item.text for item in ElementTree.fromstring(content).iter(f"{_SVG}text")]
    assert {"loops & branches", "loops", "start-up", "exponent 1.00 (time beyond start-up)", "8"} <= set(
        texts
    )
    assert [tip for tip, _ in _parts(content, "start")] == ["0.60 s"]


def test_plot_of_one_point() -> None:
    content = plot("one", "answers", [Point(1, 0.8, True)], None, 0.6)
    assert len(_parts(content, "point")) == 1 and not _parts(content, "line")
