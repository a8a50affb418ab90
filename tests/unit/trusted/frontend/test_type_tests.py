"""``isinstance`` and ``type(x) is int``: decided where the declared type decides, and refused elsewhere."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from synth.trusted.core.interpreter import Output, outcome
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.typed_runs import ObligationFailed, Run

HEADER = (
    "import numbers\nimport numpy as np\nfrom collections.abc import Sequence\nfrom synth.lang import *\n\n\n"
)
SIGNATURE = (
    "@mechanism(adjacent={'q': linf_distance(1), 'x': absolute_distance(1)}, requires='0 <= x < n')\n"
    "def f(q: list[int], x: int, n: int, eps: float, on: bool):\n"
)


def text_of(body: str) -> str:
    return HEADER + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


def value_of(body: str) -> object:
    (mechanism,) = read_source(text_of(body), "p.py")
    (returned,) = [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Return)]
    (value,) = returned.values
    assert isinstance(value, ir.Constant)
    return bool(value.value)


DECIDED = {
    "isinstance(n, int)": True,
    "isinstance(x, int)": True,
    "isinstance(n, (float, np.integer))": False,
    "isinstance(n, numbers.Integral) and isinstance(eps, numbers.Real)": True,
    "isinstance(eps, numbers.Integral)": False,
    "isinstance(on, int) and isinstance(on, bool)": True,
    "isinstance(n, bool)": False,
    "isinstance(q, (list, tuple))": True,
    "isinstance(q, Sequence) and not isinstance(q, np.ndarray)": True,
    "isinstance(n, str) or isinstance(q, dict)": False,
    "type(n) is int and type(eps) == float": True,
    "type(on) is int": False,
    "type(on) in (int, bool)": True,
    "type(n) not in (int, float)": False,
    "n is True or eps is False": False,
    "n is not True and eps is not False and None is not True": True,
    "isinstance(np.array(q), np.ndarray)": True,
    "isinstance(np.array(q), list | tuple)": False,
}


@pytest.mark.parametrize("test", DECIDED)
def test_the_declared_type_decides(test: str) -> None:
    assert value_of(f"return {test}") is DECIDED[test]


def test_a_helper_is_given_the_parameter_itself() -> None:
    helper = "def whole(v):\n    return isinstance(v, int)\n\n\n"
    (mechanism,) = read_source(HEADER + helper + SIGNATURE + "    return whole(n)\n", "p.py")
    assert Run(mechanism, {"q": [], "x": 0, "n": 1, "eps": 1, "on": True}, iter(())).output()


def test_an_annotation_leaves_it_the_parameter() -> None:
    """An integer that it makes a real is another value."""
    helper = "def real(v: float):\n    return isinstance(v, float)\n\n\n"
    body = "    y = np.array(q)\n    return real(eps)\n"
    (mechanism,) = read_source(HEADER + helper + SIGNATURE + body, "p.py")
    assert Run(mechanism, {"q": [], "x": 0, "n": 1, "eps": 1, "on": True}, iter(())).output()
    with pytest.raises(ProgramError, match="is not known"):
        read_source(HEADER + helper + SIGNATURE + body.replace("real(eps)", "real(n)"), "p.py")


ENTRIES = {
    "all": "if not all(isinstance(v, (int, float)) for v in q):\n    raise TypeError('numbers')\nreturn n",
    "any": "if any(not isinstance(v, int) for v in q):\n    raise TypeError('numbers')\nreturn n",
    "a loop that checks": "for v in q:\n    if not isinstance(v, int):\n        raise TypeError()\nreturn n",
    "two loops": "for v in q:\n    assert isinstance(v, int)\n"
    "assert all(isinstance(v, int) for v in q)\nreturn n",
    "a helper": "return whole(q, n)",
}
HELPER = (
    "def whole(values, n):\n    for v in values:\n        if not isinstance(v, (int, float)):\n"
    "            raise TypeError('numbers')\n    return n\n\n\n"
)


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_of_a_given_list_has_the_declared_type(name: str) -> None:
    body = text_of(ENTRIES[name]).removeprefix(HEADER)
    (mechanism,) = read_source(HEADER + HELPER + body, "p.py")
    assert Run(mechanism, {"q": [1, 2], "x": 0, "n": 3, "eps": 1, "on": True}, iter(())).output() == (3,)


OPEN = {
    "an entry that may be a truth value": "return any(isinstance(v, bool) for v in q)",
    "an entry of an array": "a = np.array(q)\nreturn all(isinstance(v, int) for v in a)",
    "an entry of what the list became": "q = np.array(q)\nreturn all(isinstance(v, int) for v in q)",
    "an entry of a new list": "p = [np.sum(np.array(q)) for _ in q]\n"
    "return all(isinstance(v, int) for v in p)",
    "an entry that is changed": "for v in q:\n    v = np.sum(np.array(q))\n"
    "    assert isinstance(v, int)\nreturn n",
    "a name for both": "for v in q:\n    n = 1\nfor v in np.array(q):\n"
    "    assert isinstance(v, int)\nreturn n",
    "an entry at an index": "a = np.array(q)\nreturn isinstance(a[0], int)",
    "what Python may make of either type": "return isinstance(n + 1, int) and isinstance(n + 1, bool)",
    "a number behind numpy": "y = np.sum(np.array(q))\nreturn isinstance(y, int)",
    "a real of numpy may have 32 bits": "y = np.mean(np.array([1.0])) * eps\nreturn isinstance(y, float)",
    "another value that is as large": "y = min(max(x, 0), n - 1)\nreturn isinstance(y, bool)",
    "a parameter that is reassigned": "n = n + 1\nreturn isinstance(n, bool)",
    "an exact type of a number": "return type(n * 2) is int",
    "a truth value of numpy is another one": "y = np.any(np.array(q) > 0)\nreturn y is True",
    "a number that may be a truth value": "y = min(max(x, 0), n - 1)\nreturn y is True",
}


@pytest.mark.parametrize("name", OPEN)
def test_what_python_decides_by_the_value_is_refused(name: str) -> None:
    with pytest.raises(ProgramError, match="is not known"):
        read_source(text_of(OPEN[name]), "p.py")


def test_a_name_that_the_file_binds_is_no_type_of_python() -> None:
    with pytest.raises(ProgramError, match="'isinstance' with 'dict' is not supported"):
        read_source("dict = 3\n" + text_of("return isinstance(n, dict)"), "p.py")
    with pytest.raises(ProgramError, match="'is' is only supported with None"):
        read_source("def type(x):\n    return 1\n\n" + text_of("return type(n) is int"), "p.py")


SAME = [
    "return flag is True",
    "return flag is not False",
    "return (n > 1) is True is flag",
    "y = flag and n > 2\nreturn y is True or y is False",
    "y = None\nif n > 1:\n    y = flag\nreturn (y is True, y is False, y is not True)",
    "return True is (not flag)",
]


@pytest.mark.parametrize("body", SAME)
def test_a_truth_value_is_the_one_of_python(body: str) -> None:
    """Outcomes are compared with CPython, which has one object for each truth value."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"def f(flag: bool, n: int):\n{lines}"
    names: dict[str, Any] = {}
    exec(compile(text, "p.py", "exec"), names)
    (read,) = read_source(f"from synth.lang import *\n\n\n@mechanism()\n{text}", "p.py")
    for flag, n in product((False, True), (1, 2, 3)):
        found = names["f"](flag, n)
        expected = list(found) if isinstance(found, tuple) else [found]
        ended = outcome(read, {"flag": flag, "n": n}, lambda site, law: 0)
        assert isinstance(ended, Output) and list(ended.values) == expected, (flag, n)


WITHIN = {
    "if x < 0 or x >= n:\n    raise IndexError\nreturn 1": False,
    "if not 0 <= x < n:\n    raise IndexError(x)\nreturn 1": False,
    "assert 0 <= x < n\nreturn 1": False,
    "if x < 0:\n    raise IndexError\nelif x < n:\n    return 1\nelse:\n    raise IndexError": False,
    "if x == 0:\n    raise IndexError\nreturn 1": True,
    "assert x > 0\nreturn 1": True,
    "for v in q:\n    if x == v:\n        raise ValueError\nreturn 1": True,
    "if laplace(x, 1) < 0:\n    raise ValueError\nreturn 1": True,
}


@pytest.mark.parametrize("body", WITHIN)
def test_what_a_domain_excludes_is_to_be_shown(body: str) -> None:
    """A run that raises is seen, so that it doesn't is an obligation: it fails where Python raises."""
    (mechanism,) = read_source(text_of(body), "p.py")
    run = Run(mechanism, {"q": [0], "x": 0, "n": 3, "eps": 1, "on": True}, iter([-1]))
    if WITHIN[body]:
        with pytest.raises(ObligationFailed):
            run.output()
    else:
        assert run.output() == (1,)
        assert not any(isinstance(item, ir.Assume) for item in ir.statements(mechanism.body))


CLASSES = (
    "import secrets\n\n\n"
    "class Base:\n    def __init__(self, n):\n        self.n = n\n\n\n"
    "class Thing(Base):\n    def __init__(self, n):\n        super().__init__(n)\n\n\n"
    "class Other:\n    def __init__(self):\n        self.m = 1\n\n\n"
    "def state_of(seed):\n    if isinstance(seed, secrets.SystemRandom):\n        return seed\n"
    "    if seed is None:\n        return np.random.mtrand._rand\n"
    "    if isinstance(seed, np.random.RandomState):\n        return seed\n"
    "    return np.random.RandomState(seed)\n\n\n"
)
OF_CLASSES = {
    "t = Thing(n)\nreturn isinstance(t, Base) and isinstance(t, (Other, Thing))": True,
    "t = Base(n)\nreturn isinstance(t, Thing) or isinstance(t, Other) or isinstance(t, int)": False,
    "return isinstance(n, Thing) or isinstance(None, secrets.SystemRandom)": False,
    "return isinstance(eps, (np.random.RandomState, Base))": False,
    "r = secrets.SystemRandom()\nreturn isinstance(r, secrets.SystemRandom)": True,
    "return isinstance(np.random.mtrand._rand, np.random.RandomState)": True,
    "return isinstance(np.random.default_rng(), (np.random.RandomState, secrets.SystemRandom, int))": False,
    "return isinstance(np.random.default_rng(), np.random.Generator)": True,
    "r = None\nr = state_of(r)\nreturn isinstance(state_of(r), np.random.RandomState)": True,
}


@pytest.mark.parametrize("body", OF_CLASSES)
def test_classes_of_the_file(body: str) -> None:
    (mechanism,) = read_source(CLASSES + text_of(body), "p.py")
    run = Run(mechanism, {"q": [], "x": 0, "n": 1, "eps": 1, "on": True}, iter(()))
    assert run.output() == (OF_CLASSES[body],)


def test_of_one_of_several_sources_the_class_is_not_known() -> None:
    with pytest.raises(ProgramError, match="whether a source of random numbers is an instance"):
        made = "r = np.random.default_rng() if on else np.random.RandomState()"
        read_source(CLASSES + text_of(f"{made}\nreturn isinstance(r, np.random.Generator)"), "p.py")


def test_what_types_decide_is_not_read_further() -> None:
    body = "if isinstance(n, np.ndarray):\n    return n.weird()\nif eps is None:\n    eps.weird()\nreturn 1"
    (mechanism,) = read_source(text_of(body), "p.py")
    assert Run(mechanism, {"q": [], "x": 0, "n": 1, "eps": 1, "on": True}, iter(())).output() == (1,)


def test_a_source_that_a_library_shares() -> None:
    body = (
        "r = np.random.mtrand._rand if on is None else np.random.mtrand._rand\nreturn r.laplace(0, 1) * np.e"
    )
    with pytest.raises(ProgramError, match="a seed that is known"):
        read_source(text_of(body.replace("r.laplace", "np.random.mtrand._rand.seed")), "p.py")
    assert read_source(text_of("return np.random.mtrand._rand.laplace(0, 1)"), "p.py")


DELETED = {
    "del n\nreturn n": "may be used before it is assigned",
    "y = 1\ndel y\nreturn y": "may be used before it is assigned",
    "if on:\n    del n\nreturn n": "may be used before it is assigned",
    "y = 1\ng = lambda: y\ndel y\nreturn g()": "is deleted, and used in a nested function",
    "del np\nreturn 1": "may be used before it is assigned",
}


@pytest.mark.parametrize("body", DELETED)
def test_names_that_are_deleted_are_not_used(body: str) -> None:
    with pytest.raises(ProgramError, match=DELETED[body]):
        read_source(text_of(body), "p.py")


def test_a_name_is_deleted_and_assigned_again() -> None:
    (mechanism,) = read_source(text_of("del n, eps\nn = 3\nreturn n"), "p.py")
    assert Run(mechanism, {"q": [], "x": 0, "n": 1, "eps": 1, "on": True}, iter(())).output() == (3,)
