"""``isinstance`` and ``type(x) is int``: decided where the declared type decides, and refused elsewhere."""

from __future__ import annotations

import pytest

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


OPEN = {
    "what Python may make of either type": "return isinstance(n + 1, int) and isinstance(n + 1, bool)",
    "a number behind numpy": "y = np.sum(np.array(q))\nreturn isinstance(y, int)",
    "a real of numpy may have 32 bits": "y = np.mean(np.array([1.0])) * eps\nreturn isinstance(y, float)",
    "another value that is as large": "y = min(max(x, 0), n - 1)\nreturn isinstance(y, bool)",
    "a parameter that is reassigned": "n = n + 1\nreturn isinstance(n, bool)",
    "an exact type of a number": "return type(n * 2) is int",
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
