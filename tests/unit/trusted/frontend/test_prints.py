"""What is printed or logged is public, or returned anyway; else it is an output that nobody accounts for."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEADER = (
    "import logging\nimport warnings\nimport numpy as np\nfrom synth.lang import *\n\n"
    "logger = logging.getLogger(__name__)\n\n\n"
    "def tell(v):\n    print('value', v)\n    return v\n\n\n"
    "def told(v):\n    print((v, 1))\n\n\n"
)
SIGNATURE = (
    "@mechanism(adjacent={'q': linf_distance(1), 'x': absolute_distance(1)})\n"
    "def f(q: list[int], x: int, n: int, on: bool, eps: float):\n"
    "    noisy = x + np.random.laplace(0, 2)\n"
)


def text_of(body: str) -> str:
    return HEADER + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


DROPPED = {
    "public": "print('n', n, f'{n:.2f} {len(q)!r}', sep='')\nreturn noisy",
    "a logger": "logger.info('%s of %d', n, len(q))\nlogging.warning('%s' % n)\nreturn noisy",
    "a warning": "if n < 0:\n    warnings.warn('n is negative: {}'.format(n))\nreturn noisy",
    "what is returned": "print(f'noisy: {noisy}')\nreturn noisy, n",
    "what each return gives out": "if on:\n    print(noisy)\n    return noisy, 1\nreturn noisy, 2",
    "in a loop": "for i in range(n):\n    print(i)\nreturn noisy",
    "in a helper": "tell(n)\nreturn noisy",
    "a parameter where types are mixed": "told(eps)\nreturn noisy, max(0, eps)",
}


@pytest.mark.parametrize("name", DROPPED)
def test_it_is_dropped(name: str) -> None:
    (mechanism,) = read_source(text_of(DROPPED[name]), "p.py")
    assert not any(isinstance(item, ir.Assume) for item in ir.statements(mechanism.body))
    assert sum(isinstance(item, ir.Draw) for item in ir.statements(mechanism.body)) == 1


SHOWN = {
    "private data": "print(x)\nreturn noisy",
    "a private list": "print(q)\nreturn noisy",
    "an entry": "if n > 0 and len(q) > n:\n    print(f'{q[n]}')\nreturn noisy",
    "noise that is not returned": "print(noisy)\nreturn 1",
    "noise that one return leaves out": "print(noisy)\nif on:\n    return noisy\nreturn 0.5",
    "what is returned in another form": "print(noisy)\nreturn max(noisy, 0)",
    "what is assigned again": "print(noisy)\nnoisy = noisy + 1\nreturn noisy",
    "that it is printed": "if x > 0:\n    print('positive')\nreturn noisy",
    "that noise is large": "if noisy > 0:\n    logger.debug('positive')\nreturn 1",
    "how often": "for v in q:\n    if v > 0:\n        break\n    print('not yet')\nreturn noisy",
    "in a helper": "tell(x)\nreturn noisy",
    "behind a private return": "if x > 0:\n    return noisy\nprint('here')\nreturn noisy",
    "what a format shows": "print('{}'.format(x))\nreturn noisy",
    "what a text of it shows": "print(str(x))\nreturn noisy",
    "a draw": "print(np.random.laplace(x, 2))\nreturn noisy",
    "a name of the argument": "print('v', sep=f'{x}')\nreturn noisy",
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_tells_more_is_refused(name: str) -> None:
    with pytest.raises(ProgramError, match="private data or noise are printed"):
        read_source(text_of(SHOWN[name]), "p.py")


UNLIKE = {
    "one of two numbers": "told(1 if n > 0 else 0.5)",
    "another value under its name": "if n > 0:\n    eps = 3\ntold(eps)",
    "a copy that is another one": "m = eps\nif n > 0:\n    m = 3\ntold(m)",
    "the larger one": "told(max(n, eps))",
}


@pytest.mark.parametrize("name", UNLIKE)
def test_numbers_of_either_type_are_not_shown(name: str) -> None:
    with pytest.raises(ProgramError, match="a number of either of two types"):
        read_source(text_of(f"{UNLIKE[name]}\nreturn noisy"), "p.py")


def test_a_print_of_the_file_is_another_one() -> None:
    own = "def print(v):\n    return v\n\n\n"
    with pytest.raises(ProgramError, match="takes 1 argument, not 2"):
        read_source(own + text_of("print(n, n)\nreturn noisy"), "p.py")


@pytest.mark.parametrize("name", ["str", "repr"])
def test_a_text_function_of_the_file_is_another_one(name: str) -> None:
    own = f"def {name}(v):\n    v.append(1)\n    return 0\n\n\n"
    body = f"ys = []\nprint({name}(ys))\nif len(ys) > 0:\n    return 1.5\nreturn noisy"
    (mechanism,) = read_source(own + text_of(body), "p.py")
    assert any(
        isinstance(item, ir.Append) or (isinstance(item, ir.Assign) and item.target.endswith(".len"))
        for item in ir.statements(mechanism.body)
    )
