"""``raise`` and ``isinstance``: public data make preconditions, all else is refused."""

from __future__ import annotations

import itertools
import traceback
from typing import Any

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source, read_what_can_be
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text
from tests.support.typed_runs import Run, Stuck, run_python
from tests.support.well_formed import check

HEADER = "from synth.lang import *\nfrom typing import *\n\n"
MECHANISM = "@mechanism(adjacent={'x': absolute_distance(1)})\n"
HEAD = MECHANISM + "def f(x: int, n: int, eps: float):\n"


def read(body: str, head: str = HEAD) -> ir.Mechanism:
    lines = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    (mechanism,) = read_source(HEADER + head + lines, "p.py")
    check(mechanism)
    return mechanism


PRECONDITIONS = {
    "one": ("if eps <= 0:\n    raise ValueError('eps')\nreturn laplace(x, 1 / eps)", "0 < eps"),
    "assert": ("assert eps > 0, 'eps'\nreturn laplace(x, 1 / eps)", "0 < eps"),
    "two at once": ("if eps <= 0 or n < 3:\n    raise ValueError\nreturn x", "0 < eps and 3 <= n"),
    "one after the other": (
        "if eps <= 0:\n    raise ValueError\nelif n < 3:\n    raise TypeError\nreturn x",
        "0 < eps and 3 <= n",
    ),
    "in the other branch": (
        "if n > 2:\n    x += 1\nelse:\n    raise ValueError(unheard(of), f'{x}') from None\nreturn x",
        "2 < n",
    ),
    "behind a draw": ("y = laplace(x, 2)\nif n < 3:\n    raise ValueError\nreturn y", "3 <= n"),
    "behind a branch": ("if x > 2:\n    x = 1\nif n < 3:\n    raise ValueError\nreturn x", "3 <= n"),
    "behind a return": ("if n == 7:\n    return x\nif n < 3:\n    raise ValueError\nreturn x", "True"),
    "in a loop": ("for i in range(n):\n    if i > 3:\n        raise ValueError\nreturn x", "True"),
    "types": (
        "if not isinstance(eps, (int, float)) or isinstance(n, (bool, list)):\n    raise TypeError\nreturn x",
        "True",
    ),
    "of a local variable": ("k = n + 1\nif k < 3:\n    raise ValueError\nreturn x", "True"),
}


@pytest.mark.parametrize(("body", "expected"), PRECONDITIONS.values(), ids=PRECONDITIONS)
def test_what_is_decided_by_parameters_is_a_precondition(body: str, expected: str) -> None:
    mechanism = read(body)
    assert text(mechanism.requires) == expected
    assert [item.span.line for item in mechanism.preconditions] == sorted(
        {item.span.line for item in mechanism.preconditions}
    )


PROGRAMS = {
    "returns before": """
if n == 1:
    return x
if n == 2:
    return x + 1
raise ValueError
""",
    "in a loop": """
for i in range(n):
    if i > 2:
        return x + i
    if i + n == 4:
        raise ValueError
raise ValueError
""",
    "while True": """
while True:
    n += 1
    if n > 3:
        x += n
        if n > 4:
            raise ValueError
        else:
            return x
""",
    "after statements": """
if n < 2:
    x += 1
    n = 7
    raise ValueError
return x + n
""",
    "after a return on one side": """
if n < 2:
    if eps > 1:
        return x
    raise ValueError
return x + n
""",
}


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_other_runs_are_python_s(body: str) -> None:
    mechanism = read(body)
    lines = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    returned = 0
    for n, eps in itertools.product(range(-1, 6), (1, 2)):
        inputs: dict[str, Any] = {"x": 5, "n": n, "eps": eps}
        run = Run(mechanism, inputs, iter(()))
        try:
            expected = run_python(HEADER + HEAD + lines, "f", inputs, iter(()))
        except ValueError:
            if run.at(mechanism.requires):
                with pytest.raises(Stuck):
                    run.output()
        else:
            assert run.at(mechanism.requires)
            assert run.output() == (expected,)
            returned += 1
    assert returned


OUTCOMES = {
    "private data": "if x > 4:\n    raise ValueError\nreturn 1",
    "noise": "y = laplace(x, 2)\nif y > 4:\n    raise ValueError('large')\nreturn y",
    "a flag": "k = 0\nif x > 4:\n    k = 1\nif k == 1:\n    raise ValueError\nreturn 1",
    "behind a private return": "if x > 4:\n    return 1\nif n == 3:\n    raise ValueError\nreturn 2, x",
    "behind a private end of a loop": (
        "for i in range(n):\n    if i > x:\n        break\nelse:\n    raise ValueError\nreturn [1, x]"
    ),
    "in the next iteration": (
        "k = 0\nfor i in range(n):\n    if k:\n        raise ValueError\n"
        "    k = max(k, min(x, 1))\nreturn True, (0,)"
    ),
    "the length of a list": (
        "a = []\nif x > 4:\n    a.append(1)\nif len(a) == 1:\n    raise ValueError\nreturn a"
    ),
    "numbers": "if x > 4:\n    raise ValueError(x, 'and', n)\nreturn None",
    "a number in a text": "if x > 4:\n    raise ValueError(f'no {x}')\nreturn None",
    "a number that a method puts into a text": (
        "if x > 4:\n    raise ValueError('no {}!'.format(x))\n"
        "if x > 2:\n    raise ValueError(f'no {x}!')\nreturn x"
    ),
    "two exceptions": "if x > 4:\n    raise ValueError('a')\nif x > 2:\n    raise TypeError('a')\nreturn x",
    "two texts": "if x > 4:\n    raise ValueError('a')\nif x > 2:\n    raise ValueError('b')\nreturn x",
    "one text twice": "if x > 4:\n    raise ValueError('a')\nif x > 2:\n    raise ValueError('a')\nreturn x",
    "the text of a number": (
        "if x > 4:\n    raise ValueError(5)\nif x > 3:\n    raise ValueError('5')\nreturn x"
    ),
    "true and one": (
        "if x > 4:\n    raise ValueError(f'{x > 0}')\nif x > 3:\n    raise ValueError(f'{1}')\nreturn x"
    ),
}


@pytest.mark.parametrize("body", OUTCOMES.values(), ids=OUTCOMES)
def test_raises_that_private_data_decide_are_outputs(body: str) -> None:
    mechanism = read(body)
    lines = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    outcomes: dict[Any, set[Any]] = {}
    for x, n in itertools.product(range(2, 8), range(1, 5)):
        inputs: dict[str, Any] = {"x": x, "n": n, "eps": 1}
        shown = Run(mechanism, inputs, iter([x])).output()
        try:
            expected = run_python(HEADER + HEAD + lines, "f", inputs, iter([x]))
        except (ValueError, TypeError) as error:
            place = error.__traceback__ and traceback.extract_tb(error.__traceback__)[-1].lineno
            seen = (type(error), repr(error.args), place)
        else:
            seen = ("returned", repr(expected), None)
        outcomes.setdefault(repr(shown), set()).add(seen)
    assert len(outcomes) > 1
    assert all(len(seen) == 1 for seen in outcomes.values())
    assert len({item for seen in outcomes.values() for item in seen}) == len(outcomes)


REFUSED = {
    "another exception of many names": (
        "if x > 0:\n    raise IOError\nreturn 1",
        "6:11",
        Refusal.PRIVATE_RAISE,
    ),
    "an exception in a variable": (
        "e = n\nif x > 0:\n    raise e\nreturn 1",
        "7:11",
        Refusal.PRIVATE_RAISE,
    ),
    "two numbers in a text": (
        "if x > 0:\n    raise ValueError(f'{x}{n}')\nreturn 1",
        "6:22",
        Refusal.PRIVATE_RAISE,
    ),
    "two numbers that a method puts into a text": (
        "if x > 0:\n    raise ValueError('{}{}'.format(x, n))\nreturn 1",
        "6:22",
        None,
    ),
    "a number of two types in a text": (
        "if x > 0:\n    raise ValueError(f'{1 if x > 3 else True}')\nreturn 1",
        "6:25",
        Refusal.PRIVATE_RAISE,
    ),
    "a number of two types": (
        "y = 1\nif x > 3:\n    y = 1.0\nif x > 0:\n    raise ValueError(y)\nreturn 1",
        "9:22",
        Refusal.PRIVATE_RAISE,
    ),
    "the larger of two types": (
        "if x > 0:\n    raise ValueError(max(x, 1.0))\nreturn 1",
        "6:22",
        Refusal.PRIVATE_RAISE,
    ),
    "a text with another place": (
        "if x > 0:\n    raise ValueError('{0}'.format(x))\nreturn 1",
        "6:22",
        Refusal.PRIVATE_RAISE,
    ),
    "a text with too many places": (
        "if x > 0:\n    raise ValueError('{} {}'.format(x))\nreturn 1",
        "6:22",
        Refusal.PRIVATE_RAISE,
    ),
    "a cause": ("if x > 0:\n    raise ValueError from x\nreturn 1", "6:27", Refusal.PRIVATE_RAISE),
    "the end of an iteration": (
        "def g(v):\n    if n > 2:\n        raise StopIteration\n    return v\nreturn sum(map(g, [n, n]))",
        "7:9",
        None,
    ),
    "always": ("raise NotImplementedError", "5:1", Refusal.UNSUPPORTED_OUTPUT),
    "the type of a variable": (
        "y = 1 if n > 2 else 2.5\nif isinstance(y, int):\n    return 1\nreturn 2",
        "6:4",
        Refusal.UNSUPPORTED_TYPE,
    ),
    "a bool as a number": ("y = n\ny = n > 2\nif isinstance(y, bool):\n    return 1\nreturn 2", "7:4", None),
    "an unknown type": (
        "if isinstance(n, Exception):\n    return 1\nreturn 2",
        "5:18",
        Refusal.UNSUPPORTED_TYPE,
    ),
    "a type by a local name": ("int = n\nif isinstance(n, int):\n    return 1\nreturn 2", "6:18", None),
}


@pytest.mark.parametrize(("body", "place", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(body: str, place: str, code: Refusal | None) -> None:
    with pytest.raises(ProgramError) as caught:
        read(body)
    assert code in (None, caught.value.code)
    assert f"{caught.value.line}:{caught.value.column}" == _shifted(place)


BEFORE = {
    "a name": ("from there import Stop", "Stop"),
    "an attribute": ("import there", "there.Stop(n)"),
    "an attribute of a module with a stub": ("import numpy", "numpy.Stop"),
    "a class on top of it": ("from there import Stop\nclass Mine(Stop):\n    pass", "Mine"),
    "two classes on top of it": (
        "from there import Stop\nclass Mine(Stop):\n    pass\nclass Last(Mine):\n    pass",
        "Last",
    ),
    "one by the name of one of Python's": (
        "from there import Stop as ValueError\nclass Mine(ValueError):\n    pass",
        "Mine",
    ),
    "a class that gets another meaning": (
        "from there import Stop\nclass Mine(ValueError):\n    pass\nMine = Stop",
        "Mine",
    ),
    "a class with a metaclass": (
        "from there import Stop\nclass Mine(ValueError, metaclass=Stop):\n    pass",
        "Mine",
    ),
}
RAISING = "def g(v):\n    if n > 2:\n        raise {}\n    return v\nreturn len(list({}))"


def _refused_beside(before: str, body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    _, refused = read_what_can_be(HEADER + before + "\n" + HEAD + lines, "p.py")
    return [str(error) for error in refused]


@pytest.mark.parametrize(("before", "name"), BEFORE.values(), ids=BEFORE)
def test_an_exception_that_is_not_read_may_end_an_iteration(before: str, name: str) -> None:
    (error,) = _refused_beside(before, RAISING.format(name, "map(g, [n, n])"))
    assert "StopIteration" in error


def test_exceptions_of_the_file_end_the_run() -> None:
    before = "class First(ValueError):\n    pass\nclass Mine(First):\n    pass"
    assert not _refused_beside(before, RAISING.format("Mine", "map(g, [n, n])"))


def test_without_an_iteration_of_python_what_is_not_read_ends_the_run() -> None:
    body = "def g(v):\n    if n > 2:\n        raise Stop\n    return v\nreturn g(n)"
    assert not _refused_beside("from there import Stop", body)


def _shifted(place: str) -> str:
    line, _, column = place.partition(":")
    return f"{int(line) + 1}:{int(column) + 4}"


def test_types_are_spelled_in_many_ways() -> None:
    head = (
        MECHANISM + "def f(x: 'int', a: Union[int, float], b: Annotated[float, 1], c: 'List[int | bool]', "
        "d: float | int, e: list['float']):\n"
    )
    mechanism = read("return x", head)
    assert [(item.kind.value, item.sort.value) for item in mechanism.parameters] == [
        ("scalar", "int"),
        ("scalar", "real"),
        ("scalar", "real"),
        ("sequence", "int"),
        ("scalar", "real"),
        ("sequence", "real"),
    ]


def test_a_union_may_be_of_either_type() -> None:
    head = MECHANISM + "def f(x: int, a: Union[int, float]):\n"
    with pytest.raises(ProgramError) as caught:
        read("if isinstance(a, int):\n    return x\nreturn 1", head)
    assert caught.value.code is Refusal.UNSUPPORTED_TYPE
