"""Templates: what is bundled is sound, what a user adds is checked, what is wrong is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from pysmt.shortcuts import GT, INT, LE, LT, REAL, And, Iff, Int, Or, Real, Symbol, is_valid

from synth.prover.horn import terms
from synth.prover.templates import loading
from synth.prover.templates.formula import FormulaError, Kind, parse
from synth.prover.templates.loading import bundled_folder, load_templates, read_template, verify
from synth.trusted.errors import TemplateError
from synth.trusted.program import syntax as ir

LAPLACE = bundled_folder().joinpath("laplace.toml").read_text(encoding="utf-8")
EXPONENTIAL = bundled_folder().joinpath("exponential.toml").read_text(encoding="utf-8")

SKEWED = """
name = "skewed"
parameters = ["mu", "b"]
sorts = ["real", "integer"]
log_density = "-max(2 * (v - mu), (mu - v) / 2) / b"
support = "true"
requirement = "b >= 1 and mu == mu"
symmetric = false
source = "a slope of 2 above, of 1/2 below"

[[couplings]]
name = "shift"
k = "k"
relation = "v2 - k == v1"
requirement = "true"
distance = "max(2 * (k + mu1 - mu2), -(k + mu1 - mu2) / 2)"
source = "by hand"
"""

DOWNWARD = """
extends = "exponential"

[[couplings]]
name = "up_one"
k = "max(center2 - center1, 0) + 1"
relation = "v2 == v1 + k"
requirement = "center1 <= center2"
distance = "1"
source = "by hand"
"""


def edited(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def renamed(text: str) -> str:
    """A bundled template as if a user had written it."""
    for name in ("laplace", "exponential"):
        text = text.replace(f'name = "{name}"', 'name = "mine"')
    return text


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> str:
    path = write(folder, text)
    with pytest.raises(TemplateError) as caught:
        load_templates([path])
    assert str(path) in str(caught.value)
    return str(caught.value)


# --- what is bundled ------------------------------------------------------------------------


def test_bundled_templates_are_sound_by_both_solvers() -> None:
    templates = load_templates()
    assert {"laplace", "exponential"} <= set(templates)
    for template in templates.values():
        assert set(template.sorts) == {ir.Sort.INT, ir.Sort.REAL}
        for solver in ("z3", "cvc5"):
            verdicts = verify(template, solver)
            assert [verdict.coupling for verdict in verdicts] == ["shift", "null"]
            assert all(verdict.sound and verdict.counterexample is None for verdict in verdicts)


def test_bundled_templates_are_read_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    load_templates()
    monkeypatch.setattr(loading, "read_template", None)
    first, second = load_templates(), load_templates()
    assert first == second and first is not second, "who changes one of them changes no other"


def test_which_parts_of_the_bundled_templates_are_what() -> None:
    laplace, exponential = load_templates()["laplace"], load_templates()["exponential"]
    assert laplace.symmetric and not exponential.symmetric
    assert laplace.coupling("shift").free and not laplace.coupling("null").free
    assert laplace.parameters == ("center", "scale")
    with pytest.raises(KeyError):
        laplace.coupling("none")


@pytest.mark.parametrize("sort", [INT, REAL])
def test_instances_have_the_sort_of_the_centres(sort: object) -> None:
    laplace = load_templates()["laplace"]
    center1, center2, k = (Symbol(f"{name}.{sort}", sort) for name in ("c1", "c2", "k"))
    shift, null = laplace.coupling("shift"), laplace.coupling("null")
    zero = Int(0) if sort == INT else Real(0)
    assert shift.shift(center1, center2, k) is k
    assert is_valid(terms.equal(null.shift(center1, center2), terms.subtract(center2, center1)))
    assert null.distance(center1, center2) is zero
    assert null.distance(center1, center2, k) is zero
    assert shift.requirement(center1, center2, k).is_true()
    assert is_valid(terms.less_equal(zero, shift.distance(center1, center2, k)))


def test_instances_of_the_one_sided_law() -> None:
    shift = load_templates()["exponential"].coupling("shift")
    assert shift.requirement(Int(0), Int(1), Int(1)).is_true()
    assert shift.requirement(Int(0), Int(1), Int(0)).is_false()
    assert shift.distance(Real(0), Real(Fraction(1, 2)), Real(1)) is Real(Fraction(1, 2))
    template = load_templates()["exponential"]
    assert template.support_at(Int(0), Int(1)).is_false()
    assert template.valid_parameters(Int(0), Real(2)).is_true()
    assert template.valid_parameters(Int(0), Real(0)).is_false()


# --- what a user adds -----------------------------------------------------------------------


def test_a_new_distribution_with_its_own_parameter_names(tmp_path: Path) -> None:
    templates = load_templates([write(tmp_path, SKEWED)])
    shift = templates["skewed"].coupling("shift")
    assert set(templates) == {"laplace", "exponential", "gaussian", "skewed"}
    assert shift.distance(Int(0), Int(0), Int(3)).constant_value() == 6
    assert shift.distance(Int(0), Int(0), Int(-3)).constant_value() == Fraction(3, 2)


def test_a_further_coupling_of_a_bundled_distribution(tmp_path: Path) -> None:
    exponential = load_templates([write(tmp_path, DOWNWARD)])["exponential"]
    assert [coupling.name for coupling in exponential.couplings] == ["shift", "null", "up_one"]
    added = exponential.coupling("up_one")
    assert not added.free
    assert added.shift(Int(2), Int(5)) is Int(4)
    assert added.distance(Symbol("r1", REAL), Symbol("r2", REAL)) is Real(1)


def test_an_additive_constant_of_the_log_density_is_harmless(tmp_path: Path) -> None:
    text = renamed(edited(LAPLACE, "abs(v - center) / scale", "abs(v - center) / scale + 7"))
    assert "mine" in load_templates([write(tmp_path, text)])


def test_nonlinear_scales_are_multiplied_out(tmp_path: Path) -> None:
    text = edited(LAPLACE, "-abs(v - center) / scale", "-abs((v - center) * scale) / (scale*scale)")
    assert "mine" in load_templates([write(tmp_path, renamed(text))])


# --- what is unsound ------------------------------------------------------------------------

UNSOUND = {
    "a cost that is too low": (LAPLACE, "abs(k + center1 - center2)", "abs(k)"),
    "half the cost": (
        LAPLACE,
        '= "abs(k + center1 - center2)"',
        '= "abs(k + center1 - center2) / 2"',
    ),
    "a negative cost": (
        EXPONENTIAL,
        (
            '"k + center1 - center2 >= 0"   # else run 2\'s draw could fall below its support\n'
            'distance = "abs(k + center1 - center2)"'
        ),
        '"true"\ndistance = "k + center1 - center2"',
    ),
    "a one-sided shift without its requirement": (
        EXPONENTIAL,
        "k + center1 - center2 >= 0",
        "true",
    ),
    "a requirement that is off by one": (
        EXPONENTIAL,
        "k + center1 - center2 >= 0",
        "k + center1 - center2 >= -1",
    ),
    "a free null": (LAPLACE, 'k = "center2 - center1"', 'k = "center1 - center2"'),
    "a relation that is not the map": (LAPLACE, "v2 == v1 + k", "v1 == v2 + k"),
    "a relation that says too much": (LAPLACE, "v2 == v1 + k", "v2 == v1 + k and k >= 0"),
    "a relation that says too little": (LAPLACE, "v2 == v1 + k", "v2 >= v1 + k"),
    "a support that stays in place": (EXPONENTIAL, "v >= center", "v >= 0"),
    "a bounded support": (LAPLACE, 'support = "true"', 'support = "abs(v - center) <= 9"'),
    "a support without mass": (EXPONENTIAL, "v >= center", "v == center"),
    "an empty support": (EXPONENTIAL, '"v >= center"', '"false"'),
    "the wrong slope": (LAPLACE, "-abs(v - center) / scale", "-2 * abs(v - center) / scale"),
    "a steeper scale": (LAPLACE, "-abs(v - center) / scale", "-abs(v - center) / (scale * scale)"),
    "no scale": (LAPLACE, "-abs(v - center) / scale", "-abs(v - center)"),
    "a slope that depends on the centre": (
        LAPLACE,
        "-abs(v - center) / scale",
        "-abs(v - center) / scale - center",
    ),
    "infinite mass": (LAPLACE, "-abs(v - center) / scale", "abs(v - center) / scale"),
    "a uniform law on all numbers": (LAPLACE, "-abs(v - center) / scale", "0"),
    "a normal law, which no shift relates at a fixed cost": (
        LAPLACE,
        "-abs(v - center) / scale",
        "-(v - center) * (v - center) / scale",
    ),
    "a scale that may be 0": (LAPLACE, "scale > 0", "scale >= 0"),
    "a false claim of symmetry": (EXPONENTIAL, "symmetric = false", "symmetric = true"),
    "a half shift on integers": (
        LAPLACE,
        'k = "center2 - center1"',
        'k = "(center2 - center1) / 2"',
    ),
}


@pytest.mark.parametrize("fault", UNSOUND)
def test_unsound_templates_are_refused(tmp_path: Path, fault: str) -> None:
    text, old, new = UNSOUND[fault]
    message = refusal(tmp_path, renamed(edited(text, old, new)))
    assert "is not sound on" in message
    if "integers" not in fault:
        assert "it fails for" in message


def test_the_counterexample_of_a_wrong_cost_is_one(tmp_path: Path) -> None:
    template = load_templates()["laplace"]
    wrong = edited(LAPLACE, "abs(k + center1 - center2)", "abs(k)")
    for number, sort in enumerate(("integer", "real")):
        text = edited(wrong, '["integer", "real"]', f'["{sort}"]')
        shift = verify(read_template(write(tmp_path, text), {}))[0]
        assert not shift.sound and shift.counterexample is not None
        assert shift.sort is template.sorts[number]
        values = {name: Fraction(value) for name, value in shift.counterexample.items()}
        assert set(values) == {"v1", "center1", "center2", "k", "scale"}
        start = abs(values["v1"] - values["center1"])
        end = abs(values["v1"] + values["k"] - values["center2"])
        assert values["scale"] > 0 and end - start > abs(values["k"])


def test_only_the_faulty_coupling_is_called_unsound(tmp_path: Path) -> None:
    text = edited(EXPONENTIAL, "k + center1 - center2 >= 0", "true")
    shift, null = verify(read_template(write(tmp_path, text), {}))
    assert not shift.sound and null.sound
    assert shift.violated is not None and "support" in shift.violated


def test_a_further_coupling_must_be_sound_too(tmp_path: Path) -> None:
    message = refusal(tmp_path, edited(DOWNWARD, 'distance = "1"', 'distance = "0"'))
    assert "coupling up_one of exponential is not sound on integer draws" in message
    assert "center1 = " in message


# --- what is malformed ----------------------------------------------------------------------

MALFORMED = {
    "broken TOML": ("[[couplings]]", "[[couplings", "not a TOML file"),
    "an unknown field": ("symmetric =", "mean = 0\nsymmetric =", "mean: unknown field"),
    "an unknown field of a coupling": (
        'k = "k"',
        'cost = "k"\nk = "k"',
        "couplings[1].cost: unknown",
    ),
    "a missing field": ("symmetric = true\n", "", "symmetric: the field is missing"),
    "a missing field of a coupling": ('k = "k"', "", "couplings[1].k: the field is missing"),
    "a number for a text": (
        'source = "Barthe et al. 2016, Def. 2"',
        "source = 2016",
        "source: must",
    ),
    "a text for a truth value": ("symmetric = true", 'symmetric = "true"', "symmetric: must be"),
    "an unknown sort": ('["integer", "real"]', '["integer", "complex"]', "'complex' is not a sort"),
    "no sort": ('["integer", "real"]', "[]", "sorts: must have entries"),
    "three parameters": ('["center", "scale"]', '["center", "scale", "shape"]', "parameters: must"),
    "a parameter named like the draw": ('["center", "scale"]', '["v", "scale"]', "parameters: 'v'"),
    "a name that is none": ('name = "mine"', 'name = "my own"', "name: 'my own' is not a name"),
    "two couplings of one name": ('name = "null"', 'name = "shift"', "couplings[2].name: there is"),
    "couplings that are no tables": ('k = "k"', '[couplings]\nk = "k"', "not a TOML file"),
    "k that looks at the draw": (
        'k = "center2 - center1"',
        'k = "v1"',
        "couplings[2].k: 'v1' is not",
    ),
    "k that depends on a choice": (
        'k = "center2 - center1"',
        'k = "k + center2 - center1"',
        "couplings[2].k: 'k' is not a name known here (center1, center2)",
    ),
    "a requirement on the draw": (
        'requirement = "true"',
        'requirement = "v1 >= 0"',
        "requirement: 'v1'",
    ),
    "a distance with the scale": (
        '"abs(k + center1 - center2)"',
        '"abs(k + center1 - center2) / scale"',
        "distance: 'scale' is not a name",
    ),
    "a call of Python": (
        'support = "true"',
        "support = \"__import__('os')\"",
        'support: "__import__',
    ),
    "a call of a method": (
        'support = "true"',
        'support = "v.real >= 0"',
        "'v.real' is not part of",
    ),
    "a lambda": ('support = "true"', 'support = "(lambda: true)()"', "is not part of the formula"),
    "a comprehension": (
        'support = "true"',
        'support = "[v for v in v]"',
        "is not part of the formula",
    ),
    "a power": (
        "-abs(v - center) / scale",
        "-(v - center) ** 2 / scale",
        "is not part of the formula",
    ),
    "a text in a formula": (
        'support = "true"',
        "support = \"v >= 'a'\"",
        "\"'a'\" is not a number",
    ),
    "a hexadecimal number": ('support = "true"', 'support = "v >= 0x1"', "not a decimal number"),
    "a complex number": ('support = "true"', 'support = "v >= 1j"', "is not a number"),
    "Python's True": ('support = "true"', 'support = "True"', "'True' is not a number"),
    "an assignment": (
        'support = "true"',
        'support = "(v := 1) >= 0"',
        "is not part of the formula",
    ),
    "two statements": ('support = "true"', 'support = "true; true"', "is not an expression"),
    "a number for a formula": (
        'support = "true"',
        'support = "v"',
        "is a number, not a truth value",
    ),
    "a truth value for a number": (
        '"-abs(v - center) / scale"',
        '"v < 0"',
        "is a truth value, not a",
    ),
    "a truth value in a sum": (
        'support = "true"',
        'support = "(v < 0) + 1 > 0"',
        "is a truth value",
    ),
    "an inequation": (
        'support = "true"',
        'support = "v != 0"',
        "compares by an operator other than",
    ),
    "a division by a variable": (
        "/ scale",
        "/ (v - center)",
        "does not divide: only a number other",
    ),
    "a division by 0": (
        "/ scale",
        "/ 0",
        "does not divide: only a number other than 0 and by scale",
    ),
    "abs of two": ("-abs(v - center)", "-abs(v, center)", "has the wrong number of arguments"),
    "max of one": ("-abs(v - center)", "-max(v)", "has the wrong number of arguments"),
    "a nest too deep": ("abs(v - center)", "(" * 400 + "v" + ")" * 400, "is not an expression"),
    "a formula too long": ("abs(v - center)", "v + " * 400 + "v", "at most 1000 characters"),
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_malformed_templates_are_refused(tmp_path: Path, fault: str) -> None:
    old, new, expected = MALFORMED[fault]
    assert expected in refusal(tmp_path, edited(renamed(LAPLACE), old, new))


HOSTILE = {
    "a large exponent": (
        "abs(k + center1 - center2)",
        "1e20000000",
        "'1e20000000' is refused: the number is too",
    ),
    "a small exponent": ("abs(k + center1 - center2)", "1e-20000000", "is refused: the number is too large"),
    "an infinite float": ("abs(k + center1 - center2)", "1e400", "is refused: the number is too large"),
    "a long formula": ("abs(k + center1 - center2)", "1e300*" * 170 + "1", "at most 1000 characters"),
    "a deep formula": ("abs(k + center1 - center2)", "-" * 900 + "1", "the program is nested too deeply"),
    "a null byte": ("abs(k + center1 - center2)", r"\u0000", "is not an expression"),
    "a long integer": ("symmetric = true", "symmetric = " + "9" * 5000, "not a TOML file"),
    "deep arrays": ("symmetric = true", "symmetric = " + "[" * 5000, "it is nested too deeply"),
    "deep tables": ("symmetric = true", "symmetric = " + "{a=" * 4000, "it is nested too deeply"),
    "a large file": ("symmetric = true", "#" * 100_000, "larger than 20000 bytes"),
    "a date": ("symmetric = true", "symmetric = 1979-05-27", "symmetric: must be true or false"),
}


@pytest.mark.parametrize("fault", HOSTILE)
def test_hostile_templates_are_refused(tmp_path: Path, fault: str) -> None:
    old, new, expected = HOSTILE[fault]
    assert expected in refusal(tmp_path, renamed(LAPLACE).replace(old, new, 1))


@pytest.mark.parametrize("number", ["1e300", "9" * 900, "1e-300", "*".join(["1e300"] * 20)])
def test_numbers_within_the_limits_are_exact(number: str) -> None:
    assert parse(number, Kind.NUMBER, ()).term({}) is not None


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"none\.toml: can't be read: No such file"):
        load_templates([tmp_path / "none.toml"])
    with pytest.raises(TemplateError, match="can't be read"):
        load_templates([tmp_path])


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TemplateError, match="not a TOML file"):
        load_templates([path])


def test_names_are_taken_only_once(tmp_path: Path) -> None:
    assert "laplace is declared in" in refusal(tmp_path, LAPLACE)
    again = edited(DOWNWARD, '"up_one"', '"shift"')
    assert "there is a coupling 'shift' already" in refusal(tmp_path, again)
    other = edited(DOWNWARD, '"exponential"', '"cauchy"')
    assert "there is no distribution 'cauchy'" in refusal(tmp_path, other)


# --- formulas -------------------------------------------------------------------------------


def test_formulas_are_exact_and_chained() -> None:
    x = Symbol("x.real", REAL)
    formula = parse("0.1 <= x < 1_0 or not x == min(1, x, 2e0)", Kind.TRUTH, ["x"])
    assert formula.names == {"x"}
    tenth = Real(Fraction(1, 10))
    expected = Or(And(LE(tenth, x), LT(x, Real(10))), GT(x, Real(1)))
    assert is_valid(Iff(formula.term({"x": x}), expected))


def test_formulas_mix_integers_and_reals() -> None:
    n, s = Symbol("n.int", INT), Symbol("s.real", REAL)
    half = parse("n / 2 + s", Kind.NUMBER, ["n", "s"]).term({"n": n, "s": s})
    assert half.substitute({n: Int(3), s: Real(1)}).simplify() is Real(Fraction(5, 2))


def test_a_quotient_has_no_term_and_a_name_needs_a_value() -> None:
    n, s = Symbol("n.int", INT), Symbol("s.real", REAL)
    with pytest.raises(FormulaError, match="quotient"):
        parse("n / s", Kind.NUMBER, ["n", "s"], "s").term({"n": n, "s": s}, "s")
    with pytest.raises(FormulaError, match="m has no value"):
        parse("m", Kind.NUMBER, ["m"]).term({})
    compared = parse("n / s <= 1 / (2 * s)", Kind.TRUTH, ["n", "s"], "s").term({"n": n, "s": s}, "s")
    assert is_valid(Iff(compared, LE(n, Int(0))))
