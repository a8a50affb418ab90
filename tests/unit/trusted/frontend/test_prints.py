"""What is printed or logged is public, or returned anyway; else it is part of the output, or refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source, read_what_can_be
from synth.trusted.program import syntax as ir
from synth.validation.comparison import Kind, compare
from synth.validation.core_laws import followed_core
from synth.validation.ways import STILL

HEADER = (
    "import logging\nimport warnings\nimport numpy as np\nfrom synth.lang import *\n\n"
    "logger = logging.getLogger(__name__)\n\n\n"
    "def tell(v):\n    print('value', v)\n    return v\n\n\n"
    "def told(v):\n    print((v, 1))\n\n\n"
    "def heard(log):\n    log.info('here')\n\n\n"
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


PUBLISHED = {
    "private data": "print(x)\nreturn noisy",
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
    "what a text of it shows": "print(str(x), flush=True)\nreturn noisy",
    "a draw": "print(np.random.laplace(x, 2))\nreturn noisy",
    "an integer in a form": "print(f'{x:>4d}')\nlogger.info('%d of %s', x, n)\nreturn noisy",
    "texts beside numbers": (
        "print('a')\nif noisy > 0:\n    print('large', noisy)\nprint('a')\nprint('b', n, noisy)\nreturn 1"
    ),
    "a public number": "m = eps - 1.5\nprint('m', m)\nif noisy > 0:\n    logger.info('large')\nreturn 1",
    "what depends on public data, too": "m = 1 / eps\nprint(m, noisy)\nreturn 1",
    "before what public data raise": "print(noisy)\nif n < 0:\n    raise ValueError('n')\nreturn 1",
    "beside what is raised": "print(x)\nif noisy > 0:\n    raise ValueError('large')\nreturn 1",
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_tells_more_is_part_of_the_output(name: str) -> None:
    (mechanism,) = read_source(text_of(PUBLISHED[name]), "p.py")
    assert mechanism.shown and mechanism.output is not None and mechanism.output.lists
    compared = compare(mechanism)
    assert compared.kind is Kind.SAME, compared


REFUSED = {
    "a private list": "print(q)\nreturn noisy",
    "a form that shows less": "print(f'{noisy:.1f}')\nreturn 1",
    "another form that shows less": "logger.info('%.1f', noisy)\nreturn 1",
    "a real in a form of integers": "logger.info('%d', noisy)\nreturn 1",
    "what a format shows": "print('{}'.format(x))\nreturn noisy",
    "a name of the argument": "print('v', sep=f'{x}')\nreturn noisy",
    "a real that may be 0": "print(max(0.0, noisy))\nreturn 1",
    "before an assertion": "print(noisy)\nassert n > 0\nreturn 1",
    "in a loop that may not end": "while noisy > 0:\n    noisy = noisy + n\n    print(noisy)\nreturn 1",
    "a log of either of two loggers": (
        "if x > 0:\n    heard(logger)\nelse:\n    heard(logging.getLogger('b'))\nreturn 1"
    ),
    "a log of one text in two lines": (
        "if x > 0:\n    logger.info('a')\nelse:\n    logger.info('a')\nreturn 1"
    ),
    "a warning": "if x > 0:\n    warnings.warn('positive')\nreturn 1",
    "zeros of either sign": "if x > 0:\n    print(-0.0)\nelse:\n    print(0.0)\nreturn 1",
    "a public zero that changes": (
        "for i in range(2):\n    v = 0.0 if i > 0 else -0.0\n    if i == 0 and x > 0 or i == 1 and x <= 0:\n"
        "        print(v)\nreturn 1"
    ),
    "a text as an integer": "if x > 0:\n    print('%d' % str(n))\nelse:\n    print('%d' % n)\nreturn 1",
    "a text that is written out as an integer": "if x > 0:\n    logger.info('%d', '3')\nreturn 1",
    "a truth value as an integer": "if x > 0:\n    print('%d' % True)\nreturn 1",
    "a form as an integer": "if x > 0:\n    print('%d' % f'{n}')\nreturn 1",
    "two numbers that touch": "print(f'{x}{n}')\nreturn 1",
    "a number beside a digit": "print(f'{x}5')\nreturn 1",
    "two lines": "if x > 0:\n    print('a\\nb')\nreturn 1",
    "what numpy rounds": "print(np.ceil((x - 1) * 0.5))\nreturn 1",
    "a traceback": "if x > 0:\n    logger.exception('a')\nreturn 1",
    "a zero": "print(0.0)\nprint(x)\nreturn 1",
    "by a generator": "print(noisy)\nyield 1",
    "a text that may be None": "a = 'b' if x > 0 else None\nprint(a)\nreturn noisy",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_can_not_be_part_of_the_output_is_refused(name: str) -> None:
    with pytest.raises(ProgramError, match=r"printed|printing|what is shown may be"):
        read_source(text_of(REFUSED[name]), "p.py")


def test_the_form_is_told_and_not_the_prints_beside_it() -> None:
    body = "print(noisy)\nlogger.info('%.2f', noisy)\nprint(noisy)\nreturn 1"
    _, refused = read_what_can_be(text_of(body), "p.py")
    assert [(item.line, "as by '%s'" in item.message) for item in refused] == [(26, True)]


def outcomes(body: str) -> set[str]:
    """What is output where x is 0, 1 or 2, and no noise is drawn."""
    (mechanism,) = read_source(text_of(body), "p.py")
    found = set()
    for x in range(3):
        given = {"q": (), "x": x, "n": 3, "on": True, "eps": Fraction(1)}
        law = followed_core(mechanism, given, 8, STILL).law
        found.add(str(sorted(law, key=str)))
    return found


ORDERS = {
    "equal texts": ("if x > 0:\n    print('a')\nelse:\n    print('a')\nreturn 1", 1),
    "equal texts in other forms": (
        "if x > 0:\n    print(f'a {x * 0}')\nelse:\n    print('a %s' % (x * 0))\nreturn 1",
        1,
    ),
    "other texts": ("if x > 0:\n    print('a')\nelse:\n    print('b')\nreturn 1", 2),
    "a number that is written out": (
        "m = 3\nif x > 0:\n    print('n', m)\nelse:\n    print('n', 3)\nreturn 1",
        1,
    ),
    "a number in a text": ("m = 3\nif x > 0:\n    print(f'n {m}')\nelse:\n    print('n 3')\nreturn 1", 1),
    "integers in the same form": ("if x > 0:\n    print('%d' % n)\nelse:\n    print(n)\nreturn 1", 1),
    "integers in other forms": (
        "if x > 0:\n    print('%d>3d' % n)\nelse:\n    print(f'{n:>3d}')\nreturn 1",
        2,
    ),
    "zeros before a number": ("if x > 0:\n    print('007')\nelse:\n    print('7')\nreturn 1", 2),
    "other functions": ("if x > 0:\n    print('a')\nelse:\n    logger.info('a')\nreturn 1", 2),
    "other types": ("if x > 0:\n    print(x * 0)\nelse:\n    print(x * 0 == 0)\nreturn 1", 2),
    "an order": ("if x > 0:\n    print('a')\nprint('b')\nif x <= 0:\n    print('a')\nreturn 1", 2),
    "a place among public texts": (
        "for i in range(3):\n    print('round')\n    if x == i:\n        print('hit')\nreturn 1",
        3,
    ),
    "a place among public numbers": ("for i in range(3):\n    if x == i:\n        print(i)\nreturn 1", 3),
    "a helper that is called twice": ("if x > 0:\n    tell(1)\nelse:\n    tell(1)\nreturn 1", 1),
}


@pytest.mark.parametrize("name", ORDERS)
def test_outputs_differ_just_if_what_is_shown_does(name: str) -> None:
    body, count = ORDERS[name]
    assert len(outcomes(body)) == count


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
