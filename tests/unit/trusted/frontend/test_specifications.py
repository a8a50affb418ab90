"""A specification beside the code: the function is read as with the decorator that says the same."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from synth.trusted.core.comparison import same_program
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import File, read_program, read_source
from synth.trusted.frontend.specification_file import Specifications, parse_specifications
from synth.trusted.kernel.check import check
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification, specification_of

BODY = """    noisy = np.random.laplace(value, LIMIT * scale / eps)
    return noisy if flip is None else -noisy
"""
HEAD = "import numpy as np\nLIMIT = 1\n"
PLAIN = f"{HEAD}def release(value, scale, eps, flip=None):\n{BODY}"
DECORATED = f"""{HEAD}from synth.lang import *
@mechanism(
    adjacent={{"value": absolute_distance("scale")}}, requires="eps > 0 and scale > 0", epsilon="LIMIT*eps"
)
def release(value: float, scale: float, eps: float):
    flip = None
{BODY}"""
STATED = {
    "types": {"value": "float", "scale": "float", "eps": "float"},
    "adjacent": {"value": "absolute_distance('scale')"},
    "fixed": {"flip": "None"},
    "requires": "eps > 0 and scale > 0",
    "epsilon": "LIMIT*eps",
}
SPECIFICATION = specification_of(STATED)
TOML = """
[[mechanism]]
function = "p.py::release"
types = { value = "float", scale = "float", eps = "float" }
adjacent = { value = "absolute_distance('scale')" }
fixed = { flip = "None" }
requires = "eps > 0 and scale > 0"
epsilon = "LIMIT*eps"
"""


def read(tmp_path: Path, text: str, given: Specification, name: str = "release") -> File:
    path = tmp_path / "p.py"
    path.write_text(text)
    return read_program(path, {name: given})


def toml(text: str, folder: Path, *folders: Path) -> Specifications:
    return parse_specifications(text, folder / "privacy.toml", folders)


def test_it_is_read_as_with_a_decorator(tmp_path: Path) -> None:
    (found,) = read(tmp_path, PLAIN, SPECIFICATION).mechanisms
    (other,) = read_source(DECORATED, "p.py")
    assert [item.name for item in found.parameters] == ["value", "scale", "eps"]
    assert (found.requires, found.epsilon) == (other.requires, other.epsilon)
    assert same_program(replace(found, body=()), replace(other, body=(), variables=found.variables))
    assert found.specification == SPECIFICATION and other.specification is None


def test_the_slice_has_the_constants_that_are_stated(tmp_path: Path) -> None:
    text = f"BOUND = 3\nOTHER = 4\n{PLAIN}"
    (found,) = read(tmp_path, text, replace(SPECIFICATION, epsilon="BOUND*eps")).mechanisms
    assert found.source.startswith("BOUND = 3\nimport") and found.lines == (1, *range(3, 8))


def test_a_specification_is_written_and_read_again() -> None:
    assert specification_of(json.loads(json.dumps(SPECIFICATION.json()))) == SPECIFICATION


def test_a_file_of_specifications(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "inner.py").touch()
    (tmp_path / "package" / "__init__.py").touch()
    more = '[[mechanism]]\nfunction = "package.inner::f"\n[mechanism.adjacent]\nx = "discrete_distance()"\n'
    more += '[[mechanism]]\nfunction = "package::g"\nepsilon = 1\n'
    found = toml(TOML + more, tmp_path, tmp_path / "nowhere", tmp_path)
    assert found.of(tmp_path / "p.py")["release"] == SPECIFICATION
    assert found.of(tmp_path / "package" / "inner.py")["f"].adjacent == (("x", "discrete_distance()"),)
    assert found.of(tmp_path / "package" / "__init__.py")["g"].epsilon == "1"
    assert found.of(tmp_path / "q.py") == {}


WRONG_FILES = {
    "no TOML": ("[[mechanism]\n", "1:1: not a TOML file"),
    "nothing": ("\n", "1:1: each function has a table"),
    "another table": ("[tool]\nx = 1\n", "1:1: unknown key 'tool'"),
    "a key unlike any": (TOML + 'who = "1"\n', "9:8: unknown key 'who'; there are function, stubs, "),
    "unknown key": (TOML + 'epsillon = "1"\n', "9:13: unknown key 'epsillon'; did you mean 'epsilon'?"),
    "twice": (TOML + TOML, "10:1: 'release' has two specifications: this one, and that in"),
    "no function": ('[[mechanism]]\nepsilon = "1"\n', "1:1: a function is missing"),
    "no name": ('[[mechanism]]\nfunction = "p.py"\n', "2:13: 'p.py' must be FILE::NAME"),
    "no module": ('[[mechanism]]\nfunction = "no.where::f"\n', "2:13: no file of a module 'no.where'"),
    "no text": ('[[mechanism]]\nfunction = "p.py::f"\nrequires = ["x"]\n', "1:1: 'requires' is no string"),
    "no texts": ('[[mechanism]]\nfunction = "p.py::f"\nadjacent = "x"\n', "1:1: 'adjacent' doesn't map"),
}


@pytest.mark.parametrize(("text", "message"), WRONG_FILES.values(), ids=WRONG_FILES.keys())
def test_a_file_that_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        toml(text, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'privacy.toml'}:{message}")


WRONG_PARTS = {
    "unknown type": (("float", "complex"), "4:20: the type 'complex' of 'value' is not supported"),
    "unknown parameter": (
        ('{ value = "abs', '{ valu = "abs'),
        "5:22: 'adjacent' names an unknown parameter 'valu'",
    ),
    "unknown metric": (("absolute", "absolut"), "5:23: unknown metric 'absolut_distance'"),
    "private in requires": (
        ("eps > 0", "value > 0"),
        "7:13: of private reals a bound must be included",
    ),
    "unknown name": (("LIMIT*eps", "LIMT*eps"), "8:12: unknown name 'LIMT'"),
    "syntax": (("LIMIT*eps", "LIMIT*"), "8:12: syntax error"),
    "call": (("LIMIT*eps", "print()"), "8:12: 'print' is not supported"),
    "fixed to a list of lists": (("None", "[[1]]"), "6:19: a list of lists is not supported"),
    "fixed to a list of a constant": (("None", "[LIMIT]"), "6:19: the value of 'flip' must be a number"),
    "fixed to a parameter": (("None", "eps"), "6:19: unknown name 'eps'"),
    "private and fixed": (('{ flip = "None" }', '{ value = "1" }'), "6:20: the private parameter 'value'"),
}


@pytest.mark.parametrize(("change", "message"), WRONG_PARTS.values(), ids=WRONG_PARTS.keys())
def test_a_part_that_is_wrong_is_told_with_its_place(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    given = toml(TOML.replace(*change, 1), tmp_path).of(tmp_path / "p.py")["release"]
    file = read(tmp_path, PLAIN, given)
    assert not file.mechanisms and file.refused[0].function == "release"
    assert str(file.refused[0]).startswith(f"{tmp_path / 'privacy.toml'}:{message}"), file.refused[0]


def test_a_type_that_is_missing(tmp_path: Path) -> None:
    given = replace(SPECIFICATION, types=SPECIFICATION.types[1:])
    (error,) = read(tmp_path, PLAIN, given).refused
    assert (error.code, error.line, error.column) == (Refusal.MISSING_ANNOTATION, 3, 13)


def test_a_number_is_the_decimal_that_is_written(tmp_path: Path) -> None:
    """No float comes between: 0.1 is a tenth, and 1e-400 is not 0."""
    path = tmp_path / "p.py"
    path.write_text(PLAIN)
    for text in ("0.1", "1e-5", "0.00001", "1e-400"):
        stated = toml(TOML.replace('"LIMIT*eps"', text) + f"delta = {text}\n", tmp_path).of(path)
        (found,) = read_program(path, dict(stated)).mechanisms
        assert found.delta == found.epsilon == ir.Constant(Fraction(text), ir.Sort.REAL)
    for text in ("nan", "inf", "-0.5"):
        stated = toml(TOML + f"delta = {text}\n", tmp_path).of(path)
        assert read_program(path, dict(stated)).mechanisms == ()


def test_two_specifications_of_one_function(tmp_path: Path) -> None:
    (error,) = read(tmp_path, DECORATED, replace(SPECIFICATION, path="privacy.toml", fixed=())).refused
    assert error.code is Refusal.DEFINED_TWICE and error.line == 4
    assert "'release' has two specifications: this one, and that in privacy.toml:1:1" in error.message


def test_what_is_stated_is_not_changed_by_names_of_the_file(tmp_path: Path) -> None:
    """A metric is the language's, whatever the file calls so."""
    text = f"def absolute_distance(x):\n    return x\n{PLAIN}"
    (found,) = read(tmp_path, text, SPECIFICATION).mechanisms
    (other,) = read(tmp_path, PLAIN, SPECIFICATION).mechanisms
    assert found.parameters[0].metric == other.parameters[0].metric
    assert not read(tmp_path, f"{PLAIN}LIMIT = 2\n", SPECIFICATION).mechanisms


def test_a_function_that_is_not_there(tmp_path: Path) -> None:
    (error,) = read(tmp_path, PLAIN, SPECIFICATION, "relase").refused
    assert (error.code, error.function) == (Refusal.NO_MECHANISM, "relase")
    assert "did you mean 'release'?" in error.message


NOISE = {
    "a function": ("def noise(b):\n    return laplace(0, b)\n", "noise(1 / eps)"),
    "a method": (
        "class Noise:\n    def draw(self, b):\n        return laplace(0, b)\n",
        "Noise().draw(1 / eps)",
    ),
    "a static method": (
        "class Noise:\n    @staticmethod\n    def draw(b):\n        return laplace(0, b)\n",
        "Noise.draw(1 / eps)",
    ),
    "a coin": ("def noise(b):\n    return bernoulli(0.5)\n", "noise(1)"),
}


@pytest.mark.parametrize("name", NOISE)
def test_draws_of_synth_lang_need_the_decorator(tmp_path: Path, name: str) -> None:
    """Only it makes Python draw what was read: real noise around a number of type float."""
    defined, called = NOISE[name]
    text = f"from synth.lang import laplace, bernoulli\n{defined}"
    text += f"def release(value, eps):\n    return value + {called}\n"
    given = Specification(
        (("value", "float"), ("eps", "float")), (("value", "absolute_distance(1)"),), requires="eps > 0"
    )
    (error,) = read(tmp_path, text, given).refused
    assert error.code is Refusal.UNSUPPORTED_CALL and "@mechanism" in error.message


@pytest.mark.parametrize(
    "data",
    [{"epsillon": "1"}, {"epsilon": 1}, {"adjacent": {"x": 1}}, {"facts": "x"}, [], {"types": ["x"]}],
    ids=["unknown key", "a number", "a metric", "a fact", "a list", "types"],
)
def test_what_is_no_specification_in_a_document(data: object) -> None:
    document = json.loads(
        (Path(__file__).parents[3] / "soundness/kernel/golden/above_threshold.json").read_text()
    )
    document["program"]["specification"] = data
    verdict = check(json.dumps(document))
    assert verdict.code is not None
    assert (verdict.verdict, verdict.place) == ("invalid", "program.specification")
    assert verdict.code.id == "no-specification"


def test_a_fixed_value_has_the_type_that_it_has(tmp_path: Path) -> None:
    """What is stated as its type doesn't decide a test of it: the claim is for this very value."""
    (tmp_path / "p.py").write_text(
        "import random\n\n\ndef f(x, k):\n    if isinstance(k, float):\n        return 1\n"
        "    return random.gauss(x, 1)\n"
    )
    table = (
        "[[mechanism]]\nfunction = 'p.py::f'\ntypes = { x = 'float', k = 'float' }\nfixed = { k = '3' }\n"
        "adjacent = { x = 'absolute_distance(1)' }\n"
    )
    given = parse_specifications(table, tmp_path / "privacy.toml", (tmp_path,))
    (found,) = read_program(tmp_path / "p.py", given.of(tmp_path / "p.py")).mechanisms
    assert any(isinstance(item, ir.Draw) for item in ir.statements(found.body))


LISTS = {
    "looked through": ("[1, -2, 5]", "return np.random.laplace(value, 1) if 5 in flip else 0.0"),
    "with decimals": (
        "[0.1, 2.50, -1e-3]",
        "return np.random.laplace(value + flip[0] * flip[1] + flip[2], 1)",
    ),
    "copied": (
        "[3, 4]",
        "own = list(flip)\n    own.append(5)\n    own[0] += 1\n"
        "    return np.random.laplace(value + sum(own), 1)",
    ),
    "bound anew": (
        "[3, 4]",
        "flip = [v + 1 for v in flip]\n    return np.random.laplace(value + flip[1], 1)",
    ),
    "of labels": ("['a', 'b']", "return np.random.laplace(value + flip.count('a'), 1)"),
    "of tuples": ("[(1, 2), (3, 4)]", "return np.random.laplace(value + sum(a * b for a, b in flip), 1)"),
    "empty": ("[]", "return np.random.laplace(value + len(flip), 1)"),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_parameter_may_be_fixed_to_a_new_list(tmp_path: Path, name: str) -> None:
    """It is read as the function that makes the list first."""
    display, body = LISTS[name]
    given = replace(SPECIFICATION, fixed=(("flip", display),))
    beside = read(tmp_path, f"{HEAD}\n\ndef release(value, scale, eps, flip=None):\n    {body}\n", given)
    head = DECORATED[: DECORATED.index("    flip = None")]
    (within,) = read_source(f"{head}    flip = {display}\n    {body}\n", "p.py")
    assert not beside.refused
    assert same_program(beside.mechanisms[0], within)


NOISY = (
    f"{HEAD}def release(value, scale, eps, flip=None):\n    return value + flip(0.0, LIMIT * scale / eps)\n"
)


def test_a_parameter_may_be_fixed_to_a_function_of_a_library(tmp_path: Path) -> None:
    given = replace(SPECIFICATION, fixed=(("flip", "np.random.laplace"),))
    (beside,) = read(tmp_path, NOISY, given).mechanisms
    (plain,) = read(tmp_path, NOISY.replace("flip(", "np.random.laplace("), SPECIFICATION).mechanisms
    assert [type(item) for item in ir.statements(beside.body)] == [
        type(item) for item in ir.statements(plain.body)
    ]


@pytest.mark.parametrize(
    ("function", "more"),
    [
        ("np.random.laplace", "np.random.laplace = release\n"),
        ("np.random.laplace", "np.random.seed(0)\n"),
        ("np.random.seed", ""),
        ("np.random.integers", ""),
        ("np.random._index", ""),
        ("print", ""),
    ],
)
def test_a_function_that_is_not_what_the_library_has_is_refused(
    tmp_path: Path, function: str, more: str
) -> None:
    given = replace(SPECIFICATION, fixed=(("flip", function),))
    assert read(tmp_path, NOISY + more, given).refused


def test_an_object_may_be_made_with_a_fixed_list(tmp_path: Path) -> None:
    text = (
        "import random\nclass Noise:\n    def __init__(self, answers, p):\n        self.answers = answers\n"
        "        self.p = p\n    def tell(self, x):\n"
        "        if random.random() < self.p:\n            return x\n"
        "        return random.choice(self.answers)\n"
    )
    given = specification_of(
        {
            "types": {"x": "int", "p": "float"},
            "adjacent": {"x": "discrete_distance()"},
            "fixed": {"answers": "[0, 1, 2]"},
            "requires": "0 <= x < 3 and 0 <= p and p <= 1",
        }
    )
    file = read(tmp_path, text, given, "Noise.tell")
    assert file.mechanisms and not file.refused
