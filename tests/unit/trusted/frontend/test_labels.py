"""Strings and Enums: they mean what CPython makes of them, and only labels of one type are equal."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

from synth.refuter.exact.inputs import read_datum
from synth.refuter.exact.label_texts import code_of, text_of, with_codes
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.table_runs import assert_as_python, frozen
from tests.support.typed_runs import Run, run_python

HEADER = """
import random
from enum import Enum, auto, unique
from typing import Literal
from synth.lang import *

NORTH = "north"
BRANCHES = ("north", "south", "east")
SIZES = [1, 2, 4]
WORDS = ["no", "yes"]
Smokes = Enum("Smokes", "YES NO")

@unique
class Colour(Enum):
    RED = 1
    GREEN = 2
    BLUE = 4

class Answer(Enum):
    YES = "yes"
    NO = "no"
    ASKED = auto

class Level(Enum):
    LOW = auto()
    HIGH = auto()

class Rate(Enum):
    HALF = 0.5
    PAIR = (-2.5, "a", True)

""".replace("    ASKED = auto\n", "")
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "labels": "return 'many' if len(q) > 2 else 'few'",
    "decimal numbers of members": "return Rate.HALF.value + n, Rate.PAIR.value, Rate(0.5)",
    "labels and numbers": (
        "if len(q) > 2:\n    return n\nif n > 1:\n    return 'few'\nif n:\n    return None\nreturn 0"
    ),
    "labels of two types": (
        "if len(q) > 2:\n    return Smokes.YES\nif n > 1:\n    return Colour.RED\n"
        "if n:\n    return 'Smokes.YES'\nreturn 1"
    ),
    "lists of two types": (
        "xs = [n, 1]\nif n:\n    xs.append('a')\nif n > 1:\n    xs.append(Colour.RED)\n"
        "xs.append(Smokes.YES)\nreturn xs"
    ),
    "no label is a number": (
        "w = 'a' if n > 1 else 'b'\nreturn w == 0, w == 1, w == False, w == None, w != 0, 0 == w, w"
    ),
    "no member is its value": (
        "c = Colour.RED if n > 1 else Colour.BLUE\nreturn c == 1, c == c.value, c.value == 1, c"
    ),
    "no member is a string": (
        "a = Answer.YES if n > 1 else Answer.NO\nreturn a == 'yes', a.value == 'yes', a.name == 'YES', a"
    ),
    "no member of another": (
        "a = Smokes.YES if n > 1 else Smokes.NO\nreturn a == Answer.YES, a != Answer.NO, a"
    ),
    "truth": (
        "w = '' if n > 1 else 'x'\nc = Colour.RED if n else Colour.BLUE\n"
        "return bool(w), not w, bool(c), 3 if w else 4"
    ),
    "in": "w = 'north' if n > 1 else 'west'\nreturn w in BRANCHES, w not in ('west', 'x'), w in [NORTH], w",
    "identity": (
        "c = Colour.RED if n > 1 else Colour.GREEN\n"
        "return c is Colour.RED, c is not Colour.GREEN, c in Colour, c"
    ),
    "lists": (
        "out = []\nfor v in q:\n    out.append('above' if v > n else 'below')\n"
        "return out, out.count('above'), 'below' in out"
    ),
    "lists of labels and None": "return [None if v > n else 'x' if v else 'y' for v in q], len(q)",
    "lists read again": (
        "out = ['a' if v > n else None for v in q]\nreturn [w == 'a' for w in out], [w is None for w in out]"
    ),
    "module": (
        "return [b == NORTH for b in BRANCHES], SIZES[n] if 0 <= n < 3 else 0, WORDS[n > 1], "
        "sum(SIZES), len(q)"
    ),
    "module by a loop": (
        "s = 0\nfor i, b in enumerate(BRANCHES):\n    if b != NORTH:\n        s += i * n\n"
        "return s, len(WORDS)"
    ),
    "iteration": (
        "return [c.value * n for c in Colour], [c.name for c in Colour], list(Smokes), len(Colour), n"
    ),
    "values": (
        "c = Colour.RED if n > 1 else Colour.BLUE\nl = Level.LOW if n else Level.HIGH\n"
        "return c.value + n, l.value, l.name"
    ),
    "look-up": (
        "return Colour(4) if n > 1 else Colour['RED'], Answer('yes'), Level(n) if 1 <= n <= 2 else None"
    ),
    "no such member": "return Colour(n), len(q)",
    "variables": (
        "w = None\nif n > 1:\n    w = 'a'\nelif n:\n    w = 'b'\nt = (w, n)\nreturn w, t[0] == 'a', w is None"
    ),
    "functions": "return named(n, 'big'), named(len(q)), named(n, small=''), named(n, 'big') == 'big'",
    "while": (
        "w = 'go'\ns = 0\nwhile w == 'go':\n    s += n\n    if s > 3 or n <= 0:\n        w = 'stop'\n"
        "return s, w"
    ),
    "tuples": "return ('a', n) == ('a', 2), ('a', n) == (n, 'a'), ('a', n)",
    "isinstance": (
        "w = 'a' if n > 1 else 'b'\n"
        "return isinstance(w, str), isinstance(w, int), isinstance(n, str), isinstance(w, (str, "
        "int)), w"
    ),
}

HELPERS = """
def named(k, large="large", small="small"):
    if k > 2:
        return large
    return small

"""


def text_of_body(body: str) -> str:
    return HEADER + HELPERS + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_it_is_what_python_computes(name: str) -> None:
    assert_as_python(text_of_body(BODIES[name]), outputs=2)


REFUSED = {
    "a method": "return 'a'.upper()",
    "an order": "return 'a' < 'b'",
    "a sum": "return 'a' + 'b'",
    "a product": "return 'a' * 2",
    "a length": "return len('abc')",
    "an entry": "return 'abc'[0]",
    "a substring": "return 'a' in 'abc'",
    "identity of strings": "w = 'a' if n else 'b'\nreturn w is 'a'",
    "a loop": "return [c for c in 'abc']",
    "as a number": "return 'a' - n",
    "as an index": "return q['a']",
    "as a scale": "return laplace(n, 'a')",
    "as a centre": "return laplace('a', 1)",
    "as a range": "return [i for i in range('a')]",
    "one variable": "w = 'a'\nif n:\n    w = 1\nreturn w",
    "two Enums in a variable": "w = Smokes.YES\nif n:\n    w = Colour.RED\nreturn w",
    "a member as a number": "return Colour.RED + 1",
    "an order of members": "return Colour.RED < Colour.BLUE",
    "no member": "return Colour.PINK",
    "an attribute": "return Colour.RED.hex",
    "sorting": "return sorted(['b', 'a'])",
    "an extreme": "return max(['b', 'a'])",
    "the Enum": "return Colour",
    "the Enum in a variable": "x = Colour\nreturn x.RED",
    "an entry of the Enum": "return Colour[0]",
    "a number in the Enum": "return 1 in Colour",
    "abs": "return abs('a')",
    "float": "return float('1')",
    "int": "return int('1')",
    "a changed list": "WORDS.append('x')\nreturn len(WORDS)",
    "a changed entry": "SIZES[0] = n\nreturn SIZES[0]",
    "another name": "x = WORDS\nx.append('y')\nreturn len(WORDS)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_comparison_of_labels_is_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text_of_body(REFUSED[name]), "p.py")


def test_a_list_that_another_function_changes_is_refused() -> None:
    text = HEADER + "def g():\n    WORDS.append('x')\n\n" + SIGNATURE + "    return len(WORDS)\n"
    with pytest.raises(ProgramError, match="may be changed"):
        read_source(text, "p.py")


SHADOWED = {
    "a nested definition": "def sum(v):\n    v.append('x')\n    return 0\nsum(WORDS)",
    "a lambda": "sum = lambda v: changed(v)\nsum(WORDS)",
    "a function with another name": "sum = changed\nsum(WORDS)",
    "a parameter": "given(changed)",
    "an object": "np = Changing()\nnp.mean(WORDS)",
}


@pytest.mark.parametrize("name", SHADOWED)
def test_a_function_with_the_name_of_one_that_only_reads_may_change_a_list(name: str) -> None:
    header = (
        "import numpy as np\n"
        "class Changing:\n    def mean(self, v):\n        v.append('x')\n        return 0\n"
        "def changed(v):\n    v.append('x')\n    return 0\n"
        "def given(max):\n    return max(WORDS)\n"
    )
    body = "".join(f"    {line}\n" for line in SHADOWED[name].splitlines())
    with pytest.raises(ProgramError, match="may be changed"):
        read_source(HEADER + header + SIGNATURE + body + "    return len(WORDS)\n", "p.py")


CLASSES = {
    "equal values": "class E(Enum):\n    A = 1\n    B = 1\n",
    "equal values of two types": "class E(Enum):\n    A = 1\n    B = True\n",
    "a method": "class E(Enum):\n    A = 1\n    def __eq__(self, other):\n        return True\n",
    "a mixed base": "class E(str, Enum):\n    A = 'a'\n",
    "IntEnum": "from enum import IntEnum\nclass E(IntEnum):\n    A = 1\n",
    "an infinite value": "inf = 3\nclass E(Enum):\n    A = 1e999\n",
    "a computed value": "class E(Enum):\n    A = len('abc')\n",
    "an earlier member": "class E(Enum):\n    A = 1\n    B = A\n",
    "a private name": "class E(Enum):\n    A = 1\n    _x = 2\n",
    "auto behind a smaller one": "class E(Enum):\n    Z = 9\n    Y = 2\n    A = auto()\n",
    "an extension": "class D(Enum):\n    A = 1\nclass E(D):\n    pass\n",
    "a setter": "class E(Enum):\n    A = 1\nE.A = 2\n",
    "a keyword": "E = Enum('E', 'A B', start=0)\n",
    "a name that is given twice": "E = Enum('E', ['A', 'B', 'A'])\n",
    "no members": "class E(Enum):\n    pass\n",
    "no members in a list": "E = Enum('E', [])\n",
}


@pytest.mark.parametrize("name", CLASSES)
def test_enums_that_mean_more_than_labels_are_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(HEADER + CLASSES[name] + SIGNATURE + "    return E.A\n", "p.py")


def test_the_value_of_a_member_stands_where_it_is_written() -> None:
    text = "'9.5'; from enum import Enum\nfrom synth.lang import *\nclass E(Enum):\n    A = 2.5\n"
    (mechanism,) = read_source(text + SIGNATURE + "    return E.A.value\n", "p.py")
    assert Run(mechanism, {"q": (), "r": (), "n": 0}, iter(())).output() == (Fraction(5, 2),)


TYPES = {
    "str": ("str", ["north", "", "zebra"]),
    "Literal": ('Literal["b", "a"]', ["a", "b"]),
    "Enum": ("Colour", ["Colour.RED", "Colour.BLUE"]),
}
OF_A_LABEL = "return x == 'north', x == 'a', x == Colour.RED, x == 1, x in ('a', ''), x"
OF_LABELS = "return [v == 'north' for v in x], x.count('a'), [v for v in x if v != Colour.RED], 'b' in x"


def _python(text: str, values: dict[str, Any]) -> Any:
    place: dict[str, Any] = {}
    exec("from enum import Enum\nclass Colour(Enum):\n    RED = 1\n    GREEN = 2\n    BLUE = 4\n", place)

    def member(value: Any) -> Any:
        if isinstance(value, list):
            return list(map(member, value))
        return place["Colour"][value[7:]] if value.startswith("Colour.") else value

    namespaced = text.replace("@unique\nclass Colour(Enum):", "class Other(Enum):")
    import builtins

    builtins.Colour = place["Colour"]  # type: ignore[attr-defined]
    try:
        return run_python(namespaced, "f", {name: member(value) for name, value in values.items()}, iter(()))
    finally:
        del builtins.Colour  # type: ignore[attr-defined]


def _read_alike(text: str, inputs: list[dict[str, Any]]) -> None:
    (mechanism,) = read_source(text, "p.py")
    forward: dict[Any, Any] = {}
    backward: dict[Any, Any] = {}
    for values in inputs:
        coded = with_codes(mechanism, values)
        data = {item.name: read_datum(item, coded[item.name]) for item in mechanism.parameters}
        output = Run(mechanism, data, iter(())).output()
        expected = frozen(_python(text, values))
        assert forward.setdefault(expected, output) == output
        assert backward.setdefault(output, expected) == expected
    assert len(forward) > 1


@pytest.mark.parametrize("name", TYPES)
def test_a_parameter_is_the_label(name: str) -> None:
    kind, labels = TYPES[name]
    text = f"{HEADER}@mechanism(adjacent={{'x': discrete_distance()}})\ndef f(x: {kind}):\n    {OF_A_LABEL}\n"
    _read_alike(text, [{"x": label} for label in labels])


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("private", [True, False])
def test_a_parameter_is_a_list_of_labels(name: str, private: bool) -> None:
    kind, labels = TYPES[name]
    adjacent = "adjacent={'x': change_one_distance()}" if private else ""
    text = f"{HEADER}@mechanism({adjacent})\ndef f(x: list[{kind}]):\n    {OF_LABELS}\n"
    _read_alike(text, [{"x": list(pair)} for pair in itertools.product(labels, repeat=2)])


WRONG = {
    "a distance of strings": ("x: str", "'x': absolute_distance(1)", ""),
    "a distance of members": ("x: Colour", "'x': absolute_distance(1)", ""),
    "a distance of entries": ("x: list[str]", "'x': linf_distance(1)", ""),
    "a bounded change": ("x: list[str]", "'x': change_one_distance(1)", ""),
    "bounds of a string": ("x: str", "'x': discrete_distance()", "x <= 3"),
    "bounds of a member": ("x: Colour", "'x': discrete_distance()", "0 <= x < 2"),
    "bounds of entries": ("x: list[str]", "'x': change_one_distance()", "all(0 <= v <= 2 for v in x)"),
    "numbers as labels": ("x: str", "'x': discrete_distance()", "x in (1, 2)"),
    "members of another": ("x: Colour", "'x': discrete_distance()", "x in (Smokes.YES, Smokes.NO)"),
    "one label": ("x: str", "'x': discrete_distance()", "x in ('a',)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_labels_have_no_distance_and_no_order(name: str) -> None:
    parameter, adjacent, requires = WRONG[name]
    head = f"@mechanism(adjacent={{{adjacent}}}, requires='''{requires or 'True'}''')\ndef f({parameter}):\n"
    with pytest.raises(ProgramError):
        read_source(f"{HEADER}{head}    return 1\n", "p.py")


def test_a_string_may_be_any_unless_required() -> None:
    head = "@mechanism(adjacent={{'x': discrete_distance()}}{})\ndef f(x: str):\n    return x in ('a', 'b')\n"
    (free,) = read_source(HEADER + head.format(""), "p.py")
    (bound,) = read_source(HEADER + head.format(", requires=\"x in ('b', 'a')\""), "p.py")
    assert {Run(free, {"x": code}, iter(())).output() for code in range(-2, 4)} == {
        Run(free, {"x": 0}, iter(())).output(),
        Run(free, {"x": 9}, iter(())).output(),
    }
    assert len({Run(bound, {"x": code}, iter(())).output() for code in range(-2, 4)}) == 1


def test_facts_are_not_about_labels() -> None:
    head = (
        "@mechanism(adjacent={'g': linf_distance(1)}, facts=['g(v) >= x'])\n"
        "def f(g: Callable[[int], int], x: str):\n    return 1\n"
    )
    with pytest.raises(ProgramError, match="facts"):
        read_source(HEADER + head, "p.py")


def test_codes_and_texts_are_one_to_one() -> None:
    texts = ("yes", "other 5", "")
    codes = [*range(-3, 12), *(code_of(texts, text) for text in ("no", "other 7", "other 5", "x" * 40))]
    shown = [text_of(texts, code) for code in codes]
    assert len(set(shown)) == len(set(codes))
    for text in ("yes", "no", "", "ä", "other 7", "other 99", "x" * 40):
        assert text_of(texts, code_of(texts, text)) == text


def test_outputs_have_the_texts() -> None:
    (mechanism,) = read_source(text_of_body("if n:\n    return 'a'\nreturn Colour.RED"), "p.py")
    assert mechanism.output is not None
    shapes = [shape for shape in mechanism.output.values if isinstance(shape, ir.LabelShape)]
    assert {(shape.type, shape.texts) for shape in shapes} == {
        ("str", ("a",)),
        ("Colour", ("Colour.RED", "Colour.GREEN", "Colour.BLUE")),
    }
