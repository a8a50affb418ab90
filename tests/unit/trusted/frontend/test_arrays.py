"""Arrays: what is read is what numpy computes, on the same inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.views.assumptions import assumptions
from tests.support.printed import lines
from tests.support.typed_runs import ObligationFailed, Run, run_python
from tests.support.well_formed import check

HEAD = "from synth.lang import *\nimport math\nimport numpy as np\nimport numpy.typing as npt\n\n"
SIGNATURE = (
    "def f(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], k: npt.NDArray[np.int64], xs: list[float]"
)
SIGNATURE += ", n: int, t: float):\n    "

INPUTS: list[dict[str, Any]] = [
    {"a": [1.5, -2.0, 0.25], "b": [2.0, 4.0, -0.5], "k": [3, -1, 2], "xs": [1.0, 2.5, 3.0], "n": 2, "t": 0.5},
    {"a": [4.0], "b": [1.0], "k": [2], "xs": [-3.0], "n": 1, "t": -1.5},
    {"a": [0.5, 0.5], "b": [8.0, -1.0], "k": [0, 5], "xs": [2.0, 2.0], "n": 0, "t": 2.0},
]


def read(text: str) -> ir.Mechanism:
    (mechanism,) = read_source(f"{HEAD}@mechanism\n{SIGNATURE}{text}\n", "p.py")
    check(mechanism)
    return mechanism


def exact(value: Any) -> Any:
    """A number of Python or numpy as an exact one."""
    if isinstance(value, bool | int | np.bool_ | np.integer):
        return value.item() if isinstance(value, np.generic) else value
    return Fraction(float(value))


def flat(value: Any) -> list[float]:
    """What is returned, as numbers one after the other."""
    if isinstance(value, np.ndarray | list | tuple):
        return [number for item in value for number in flat(item)]
    return [float(value)]


def noise() -> Iterator[int]:
    return iter(range(1, 1000))


def assert_same(text: str, samplers: dict[str, Callable[..., Any]] | None = None) -> None:
    """Run what is read, and the same text under numpy."""
    mechanism = read(text)
    for inputs in INPUTS:
        typed = {
            name: [exact(item) for item in value] if isinstance(value, list) else exact(value)
            for name, value in inputs.items()
        }
        found = flat(Run(mechanism, typed, noise()).output())
        given = {
            name: np.array(value) if name in ("a", "b", "k") else value for name, value in inputs.items()
        }
        expected = flat(
            run_python(f"{HEAD}@mechanism\n{SIGNATURE}{text}\n", "f", given, noise(), samplers or {})
        )
        assert found == pytest.approx(expected), inputs


@pytest.mark.parametrize(
    "expression",
    [
        *("a + b", "a - b", "a * b", "a / b", "a + 1", "2 - a", "t * a", "a / 4", "-a", "+a", "abs(a)"),
        *("k + 1", "k * k", "k / 2", "k // 2", "k % 3", "k ** 2", "a ** 2", "a // b", "a % b", "k - a"),
        *("a > t", "a <= b", "k == 2", "k != 2", "(a > 0) & (b > 0)", "(a > 0) | (b > 0)", "~(a > t)"),
        *("(a > 0) ^ (b > 0)", "(a > 0) * b", "(a > 0) + k", "a + xs", "xs * a", "a[::-1]", "a[1:]", "a[:2]"),
        *("a[-1:]", "a[:-1]", "a[n:]", "a[:n]", "a[-n:]", "a[n - 1:]", "a[1:2] + b[1:2]", "a[a > t]"),
        *("a[(k > 0) & (b > 0)]", "(a + b * t) * 2 - a", "a[0]", "a[-1]", "a[len(a) - 1] + k[0]", "a.size"),
        *("a.shape[0]", "a.T", "len(a[a > 0])", "(a[a > 0] * 2)", "a * (b[0] + n)"),
    ],
)
def test_operators_are_those_of_numpy(expression: str) -> None:
    assert_same(f"return {expression}")


@pytest.mark.parametrize(
    "expression",
    [
        *("np.exp(a)", "np.sqrt(np.abs(a))", "np.clip(a, 0, t + 3)", "a.clip(-1, 1)", "np.maximum(a, b)"),
        *(
            "np.minimum(a, 1)",
            "np.where(a > b, a, 0)",
            "np.where(k > 0, k, -k)",
            "np.square(a)",
            "np.sign(a)",
        ),
        *("np.floor(a)", "np.ceil(b)", "np.rint(a)", "np.round(a)", "a.round()", "np.log(np.exp(a))"),
        *("a.sum()", "np.sum(a)", "np.sum(xs)", "(a > 0).sum()", "a[a > 0].sum()", "np.mean(a)", "a.mean()"),
        *(
            "a.max()",
            "np.min(b)",
            "k.max()",
            "np.argmax(a)",
            "int(np.argmin(b))",
            "a.argmax()",
            "np.cumsum(a)",
        ),
        *("int(2 in k)", "sum(x in a for x in xs)", "t not in a", "n in k[k > 0]"),
        *("k.cumsum()", "np.any(a > 0)", "(a > 0).all()", "np.dot(a, b)", "a.dot(b)", "np.var(a)", "a.std()"),
        *(
            "np.zeros(n)",
            "np.ones(3)",
            "np.full(n, t)",
            "np.arange(n)",
            "np.arange(1, n + 2)",
            "len(np.zeros(n))",
        ),
        *("np.arange(0, 7, 2)", "np.zeros_like(a)", "np.ones_like(k) / 2", "np.zeros(2, dtype=int)", "a.T"),
        *("np.array(xs) + a", "np.asarray(xs) * 2", "np.array([1, t, 3])", "np.array([1, 2]) + [3, 4]"),
        *("a.astype(int)", "k.astype(float) / 2", "(a > 0).astype(int) + k", "a.astype(bool)", "a.copy()"),
        *(
            "a.tolist()",
            "np.flip(a)",
            "np.diff(a)",
            "np.prod(b)",
            "np.count_nonzero(k)",
            "np.nonzero(k)[0]",
            "np.nonzero(a > t)[0] + 0.5",
            "np.around(a, 1)",
            "np.around(t)",
            "np.shape(a)",
            "np.shape(t) == (), np.shape(xs)[0]",
            "np.zeros(np.shape(k))",
            "np.array(xs).sum()",
        ),
        *("a + np.array([t])", "np.array([t]) * a", "a > np.full(1, t)", "np.maximum(np.array([t]), a)"),
        *("np.linspace(0, 1, 5)", "np.sum(k > 0) / len(k)", "np.mean(np.clip(a, -1, 1))", "a @ b"),
        *("np.float64(n) / 2", "np.int64(t)", "np.full_like(k, 2.5)", "np.logical_xor(a > 0, b > 0)"),
        *("np.logical_and(a > 0, b > 0)",),
        *("np.array(a, dtype=int)", "np.zeros(n, int)", "np.expm1(a)", "sum(a)", "np.sum((a - b) ** 2)"),
        *(
            "np.clip(a, None, t)",
            "np.clip(a, -1, None)",
            "a.clip(t, None)",
            "np.isinf(a).any()",
            "np.isinf(t)",
        ),
        *(
            "np.isclose(a, b)",
            "np.isclose(a, 0.5).astype(float)",
            "np.allclose(a, a + 1e-9)",
            "np.isclose(t, 1)",
        ),
        *(
            "np.tile(a, 2)",
            "np.tile(xs, n)",
            "np.ravel(np.tile(a, (n, 2)))",
            "np.log2(np.exp(a))",
            "np.log10(np.exp(a))",
        ),
        *("math.log(n + 2, 2)", "math.log(np.exp(t), 10)", "a.astype(float, copy=False) + 1", "a[:0][k[:0]]"),
        *("a[np.arange(len(a))[::-1]]", "a[[0, 0]]", "(a * 2)[k * 0]", "k[[len(a) - 1]]"),
        *("np.histogram(a, 3, (-2, 2))[0]", "np.histogram(xs, bins=2, range=(1, 3))"),
        *("np.histogram(k, n + 1, range=(0, 3))", "np.histogram(a, 4, (-8.0, 1.5))[0].sum()"),
        *("np.histogram(a, [-1, 0.5, 2])", "np.histogram(xs, bins=np.array([0, 0, 1, 3, 3]))[0]"),
        *("np.histogram(a, np.sort([2, -1, 0]))[0].sum()", "np.histogram(k, bins=[1, 2])"),
        *("np.abs(a - np.mean(a)).max()", "np.where(a > 0, 1, b)", "np.average(a)", "np.size(a)"),
    ],
)
def test_functions_are_those_of_numpy(expression: str) -> None:
    assert_same(f"return {expression}")


@pytest.mark.parametrize(
    "body",
    [
        "c = a * 2\n    c = c + b\n    return c",
        "c = a * 2\n    d = 0.0\n    for v in c:\n        d += v\n    return d",
        "c = a\n    s = t\n    d = c * s\n    s = 7.0\n    return d",
        "a += 1\n    return a",
        "c = b * a\n    c *= 3\n    c -= t\n    return c, a",
        "a = a - 1\n    d = 0\n    for i, v in enumerate(a):\n        d += i * v\n    return d",
        "s = 0.0\n    for v in a[a > t]:\n        s += v\n    return s",
        "if n > 1:\n        c = a + 1\n        s = c[0]\n    else:\n        s = 0.0\n    return s",
        "s = t\n    for i in range(n):\n        c = a * i\n        s += c[0]\n    return s",
        "s = [1.0, t]\n    c = a[:1] * s[1]\n    s.append(2.0)\n    return c[0], len(s)",
        "c, d = a + 1, b + 1\n    return d, c",
        "c = a + 1\n    c = c[0]\n    c = c * 2\n    return c",
        "s = [1.0, t]\n    c = np.array(s) * 2\n    s.append(2.0)\n    return len(c), len(s), c",
        "s = [1.0, t]\n    c = np.asarray(s)\n    s.append(2.0)\n    return c.sum(), len(c)",
        "x = t\n    c = np.full(2, x)\n    x = 7.0\n    return x, c",
        "x = n\n    c = np.zeros(x)\n    x = 7\n    return x, len(c), c",
        "x = t\n    c = np.where(a > x, x, a)\n    x = 7.0\n    return x, c",
        "s = [1.0, t]\n    c = np.array(s)[:1]\n    s.append(2.0)\n    s = [9.0]\n    return c, s",
        "c = xs + a\n    return c",
        "return np.argmax(np.array([1.0, 3.0, 3.0])), np.argmin(np.array([2, 1, 1]))",
        "xs = np.array(xs)\n    xs -= max(xs)\n    return xs * 2",
        "xs = np.array(xs) - max(xs)\n    s = xs.sum()\n    return s, xs.max(), xs.size, xs.shape[0]",
        "c = xs[0]\n    xs = np.asarray(xs)\n    xs[0] = c + t\n    return c, xs",
        "c = np.exp(xs)\n    c /= c.sum()\n    d = np.log1p(np.abs(a))\n    d -= 0.5\n    return c, d",
        "s = 0\n    for i in range(0, 2 * n + 1, abs(n) + 1):\n        s = 3 * s + i\n    return s",
        "c = [math.exp(v) for v in a]\n    c = c / np.sum(c)\n    return c * 2",
        "c = [math.exp(v) for v in a]\n    s = np.linalg.norm(c, ord=1)\n    d = c / s\n    return s, d + 1",
        "return np.sum(range(1, 4)), np.mean(range(3)), np.array(range(n)) * 2",
        "c = np.bincount(np.abs(k), minlength=9)\n    c = np.asarray(c, dtype=np.float32)\n"
        "    for i in range(len(c)):\n        c[i] += t\n    return c",
        "c = np.array([n, 1])\n    c = c / 2\n    c += t\n    return c",
        "c = np.array(k)\n    c = c.astype(float)\n    c[0] = 0.5\n    c *= 0.5\n    return c",
        "return np.argmax(-a * 0), np.max(-np.abs(a)), np.min(np.abs(a))",
    ],
)
def test_a_name_stands_for_what_it_was_assigned_last(body: str) -> None:
    assert_same(body)


HELPER = """def chosen(v, way):
    p = np.exp(v)
    if way == 1:
        p = np.exp(v - 1)
        p += 1
    else:
        p = np.exp(v * 2)
    p *= 3
    return p


@mechanism
"""

DECIDED = [
    "return chosen(a, 1)",
    "return chosen(a, 2)",
    "return chosen(a, 1).sum(), chosen(b, n).sum(), chosen(a, 2).sum()",
    "return chosen(a, n).sum(), chosen(b, 1).sum(), chosen(a, n + 1).sum()",
    "h = [0, 0, 0]\n    s = 0.0\n    for w in range(3):\n        h[w] += 1\n        p = a * 1\n"
    "        if w == 1:\n            p = a + 5\n        s = 2 * s + p.sum()\n    return s, h[0]",
    "h = [0, 0, 0]\n    s = 0.0\n    for w in range(3):\n        h[w] += 1\n        p = a * 1\n"
    "        if w == 1 or (w == 2 and n > 1):\n            p = a + 5\n        s += p[0]\n    return s",
]


@pytest.mark.parametrize("text", DECIDED)
def test_branches_of_which_one_side_is_taken(text: str) -> None:
    """What the reader takes for one block in one call isn't one in another."""
    head = HEAD.rstrip() + "\n\n" + HELPER
    whole = f"{head}{SIGNATURE}{text}\n"
    try:
        (mechanism,) = read_source(whole, "p.py")
    except ProgramError as error:
        assert "not always taken alike" in error.message
        return
    check(mechanism)
    for inputs in INPUTS:
        typed = {
            name: [exact(v) for v in x] if isinstance(x, list) else exact(x) for name, x in inputs.items()
        }
        given = {name: np.array(x) if name in ("a", "b", "k") else x for name, x in inputs.items()}
        found = flat(Run(mechanism, typed, noise()).output())
        assert found == pytest.approx(flat(run_python(whole, "f", given, noise())))


EITHER = "n if n > 1 else t"
UNSURE = [
    f"c = np.zeros(3)\n    c = np.array([{EITHER}, 1])\n    c += t\n    return c",
    f"y = 1\n    y += ({EITHER})\n    c = np.array([y, 2])\n    c += t\n    return c",
    f"c = np.zeros(3)\n    if n > 1:\n        c = np.array([{EITHER}, 1])\n    c += t\n    return c",
    f"y = [0.5]\n    y = [1]\n    y.append({EITHER})\n    c = np.array(y)\n    c += t\n    return c",
    f"c, y = np.zeros(3), ({EITHER})\n    c = np.array([y, y])\n    c += t\n    return c",
    f"y = 0.5\n    g = lambda: np.array([y])\n    y = ({EITHER})\n    c = g()\n    c += t\n    return c",
]


@pytest.mark.parametrize("text", UNSURE)
def test_what_numpy_may_take_for_integers_is_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read(text)
    assert "depends on the data" in caught.value.message


def test_lengths_have_to_be_equal() -> None:
    mechanism = read("return a + b")
    inputs = {"a": [1.0], "b": [1.0, 2.0], "k": [], "xs": [], "n": 0, "t": 0.0}
    with pytest.raises(ObligationFailed):
        Run(mechanism, inputs, noise()).output()


@pytest.mark.parametrize(
    "text",
    [
        "c = a[k]\n    return 0",
        "c = a[[0, 7]]\n    return 0",
        "s = 0\n    for i in range(0, 5, n - 3):\n        s += i\n    return s",
        "return np.histogram(a, 2, (t, t - 1))[0]",
        "return np.histogram(a, [0, 2, 1])[0]",
        "return math.log(2.0, t * 0 + 1)",
    ],
)
def test_what_numpy_or_python_refuses_is_not_shown(text: str) -> None:
    inputs = {"a": [1.0], "b": [1.0], "k": [1], "xs": [], "n": 0, "t": 0.0}
    with pytest.raises(ObligationFailed):
        Run(read(text), inputs, noise()).output()


def test_an_array_that_is_only_summed_has_no_list() -> None:
    text = "s = 0.0\n    for v in (a + b) * 2:\n        s += v\n    return s"
    assert not any("[]" in line for line in lines(read(text).body))


AS_NUMBER = "a truth value, which may be numpy's, is not supported as a number: use int(...)"
REFUSED = {
    "c = a\n    c += 1\n    return a": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = a[1:]\n    a += 1\n    return c": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = d = a + 1\n    return c": ("aliasing", "two names for an array are not supported: use copy()"),
    "k += 0.5\n    return k": ("wrong-type", "an array of integers can't hold reals: use astype"),
    "k /= 2\n    return k": ("wrong-type", "an array of integers can't hold reals: use astype"),
    "m = a > 0\n    return m + m": (
        "unsupported-array",
        "arithmetic of arrays of truth values is not supported: use '&', '|', '^', or astype(int)",
    ),
    "return -(a > 0)": ("wrong-type", "'-' of an array of truth values: use '~'"),
    "return a & b": ("wrong-type", "'&', '|' and '^' are only supported of truth values"),
    "return ~k": ("wrong-type", "'~' is only supported of truth values"),
    "if a:\n        return 1\n    return 0": (
        "wrong-type",
        "an array has no truth value: use any() or all()",
    ),
    "return not a": ("wrong-type", "an array has no truth value: use any() or all()"),
    "return 0 < a < 1": ("unsupported-array", "a chained comparison of arrays has no value: use '&'"),
    "return k ** k": (
        "unsupported-array",
        "an integer power of integers is only supported if it is constant and not negative",
    ),
    "c = np.asarray(a, dtype=float)\n    c += 1\n    return a": (
        "aliasing",
        "'c' and 'a' are one array: use 'a.copy()'",
    ),
    "c = np.ravel(a)\n    a += 1\n    return c": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "c = np.flip(a)\n    a += 1\n    return c": ("aliasing", "'c' and 'a' are one array: use 'a.copy()'"),
    "return (a[0] > 0) + (b[0] > 0)": (
        "unsupported-array",
        "arithmetic of two truth values, which may be numpy's, is not supported: use int(...)",
    ),
    "return np.any(a > 0) + np.any(b > 0)": (
        "unsupported-array",
        "arithmetic of two truth values, which may be numpy's, is not supported: use int(...)",
    ),
    "return -np.any(a > 0)": (
        "unsupported-array",
        AS_NUMBER,
    ),
    "return np.sum(a, dtype=int)": ("wrong-call", "'sum' has no argument 'dtype'"),
    "f = a > 0\n    return max(f[0], f[1])": (
        "unsupported-array",
        AS_NUMBER,
    ),
    "f = a > 0\n    return abs(f[0])": (
        "unsupported-array",
        AS_NUMBER,
    ),
    "f = a > 0\n    d: float = f[0]\n    return d": (
        "unsupported-array",
        AS_NUMBER,
    ),
    "f = a > 0\n    d = 0\n    if n > 2:\n        d = f[0]\n    return d + d": (
        "mixed-types",
        "variable 'd' is both a number and a truth value",
    ),
    "f = a > 0\n    d = f[0] if n > 2 else 0\n    return d + d": (
        "mixed-types",
        "a value that is a truth value or a number is not supported",
    ),
    "f = a > 0\n    out = [0]\n    out.append(f[0])\n    return out[1] + out[1]": (
        "mixed-types",
        "appending a truth value to this list is not supported",
    ),
    "return ((a > 0) ** 2)[0]": (
        "unsupported-array",
        "arithmetic of two truth values, which may be numpy's, is not supported: use int(...)",
    ),
    "return 1 if isinstance(k[0], int) else 0": (
        "unsupported-type",
        "whether a number is an instance here is not known; test a parameter's type",
    ),
    "return 1 if isinstance(a[0] > 0, bool) else 0": (
        "unsupported-type",
        "whether a truth value is an instance here is not known; test a parameter's type",
    ),
    "return 2 ** k[0]": (
        "unsupported-array",
        "an integer power of integers is only supported if it is constant and not negative",
    ),
    "return np.exp(a > 0)": (
        "unsupported-array",
        "'exp' of truth values is not supported: use astype(int)",
    ),
    "return np.max(a > 0)": (
        "unsupported-array",
        "this of truth values is not supported: use any(), all() or astype(int)",
    ),
    "return np.zeros((2, 3, 4))": ("unsupported-array", "an array of several dimensions is not supported"),
    "return np.zeros(2, dtype='u1')": (
        "unsupported-type",
        "the dtype ''u1'' is not supported: int, float or bool are",
    ),
    "return np.zeros(2, dtype=np.float16)": (
        "unsupported-type",
        "the dtype 'np.float16' is not supported: int, float or bool are",
    ),
    "if n > 1:\n        xs = np.array(xs)\n    return xs[0]": (
        "parameter-reassigned",
        "the parameter 'xs' can't be reassigned",
    ),
    "xs += 1\n    return 0": ("parameter-reassigned", "the parameter 'xs' can't be reassigned"),
    "c = a.astype(float, copy=False)\n    c += 1\n    return a": (
        "aliasing",
        "'c' and 'a' are one array: use 'a.copy()'",
    ),
    "return a[a]": ("unsupported-array", "an array of reals is not supported as an index"),
    "c = [1.0, t]\n    s = sum(c)\n    return c / s": ("unsupported-list", "a list is used as a number"),
    "c = [1.0, t]\n    s = np.sum(c)\n    s = 2.0\n    return c / s": (
        "unsupported-list",
        "a list is used as a number",
    ),
    "return np.exp(None)": ("unsupported-array", "'exp' of None is not supported"),
    "return a[::2]": ("unsupported-array", "a slice with a step is not supported, save '[::-1]'"),
    "return n & 5": ("unsupported-construct", "the operator '&' is not supported"),
    "return (a,) == (b,)": ("wrong-type", "a comparison of an array is not supported"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str) -> None:
    code, message = REFUSED[text]
    with pytest.raises(ProgramError) as caught:
        read(text)
    shown = caught.value.message.partition(" (stub ")[0]
    assert (caught.value.code.id, shown) == (code, message)


def test_a_truth_value_that_is_assigned_a_number_is_refused() -> None:
    text = f"{HEAD}@mechanism\ndef f(x: int, b: bool):\n    b = x + int(np.sum([1.0]))\n    return b\n"
    with pytest.raises(ProgramError, match="variable 'b' is both a number and a truth value"):
        read_source(text, "p.py")


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ("np.ndarray[int]", "the type 'np.ndarray[int]' of 'q' is not supported"),
        ("npt.NDArray[np.float16]", "the type 'npt.NDArray[np.float16]' of 'q' is not supported"),
    ],
)
def test_entries_that_are_not_supported(annotation: str, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(f"{HEAD}@mechanism\ndef f(q: {annotation}):\n    return 0\n", "p.py")
    assert caught.value.message == message


@pytest.mark.parametrize("annotation", ["np.ndarray", "npt.NDArray", "'np.ndarray'"])
def test_an_array_of_no_type_is_one_of_float64_and_that_is_assumed(annotation: str) -> None:
    text = '@mechanism(adjacent={"q": linf_distance(1)})\ndef f(q: %s, r: list[float]):\n    return q.sum()\n'
    (open_, stated) = (
        read_source(HEAD + text % item, "p.py")[0] for item in (annotation, "npt.NDArray[np.float64]")
    )
    assert (open_.body, open_.parameters[0].sort) == (stated.body, ir.Sort.REAL)
    assert (open_.open_arrays, stated.open_arrays) == (("q",), ())
    assert "that 'q' has one dimension and entries of float64" in assumptions(open_)
    assert "one dimension" not in assumptions(stated)


NOISY = """s = [1.0, 2.0]
    noise = np.random.laplace(np.array(s), t)
    s = [5.0, 6.0]
    return noise + 0"""


def centers(text: str) -> list[ir.Expression]:
    statements = ir.statements(read(text).body)
    return [item.arguments[0] for item in statements if isinstance(item, ir.Draw)]


def test_noise_is_drawn_around_what_it_is_added_to() -> None:
    for text in (
        "return a + np.random.laplace(scale=1, size=len(a))",
        "return a - np.random.laplace(scale=1, size=len(a))",
        "noise = np.random.laplace(scale=1, size=len(a))\n    noisy = a + noise\n    return noisy",
        "return int(np.argmax(a + np.random.laplace(scale=1, size=len(a))))",
    ):
        (center,) = centers(text)
        assert "Read(source='a'" in repr(center)


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        ("[x + n for x, n in zip(a, noise)]", 1),
        ("[n for n in noise]", 1),
        ("[x + n for x, n in zip(a, noise) for _ in range(2)]", 2),
        ("[x + n for _ in range(2) for x, n in zip(a, noise)]", 3),
        ("[[n for n in noise][0] for _ in range(2)]", 3),
        ("[x + noise[i] for i, x in enumerate(a)]", 2),
        ("[x + n for x, n in zip(a, noise)], len(noise)", 1),
        ("[x + n for x, n in zip(a, noise)], noise[0]", 2),
    ],
)
def test_noise_is_drawn_where_a_comprehension_runs_over_it_once(body: str, loops: int) -> None:
    """Each entry is drawn once, in a loop of its own where it may be asked for again."""
    mechanism = read(f"noise = np.random.laplace(scale=1, size=len(a))\n    return {body}")
    statements = list(ir.statements(mechanism.body))
    assert sum(isinstance(item, ir.Draw) for item in statements) == 1
    assert sum(isinstance(item, ir.Loop) for item in statements) == loops


def test_noise_that_is_used_twice_is_drawn_once() -> None:
    (center,) = centers(
        "noise = np.random.laplace(scale=1, size=len(a))\n    return a + noise, b + noise, len(noise)"
    )
    assert isinstance(center, ir.Constant)


def test_noise_keeps_its_centres_when_the_list_changes() -> None:
    mechanism = read(NOISY)
    inputs = {"a": [], "b": [], "k": [], "xs": [], "n": 0, "t": Fraction(1)}
    assert flat(Run(mechanism, inputs, iter([0, 0])).output()) == [1.0, 2.0]


def weights(text: str) -> tuple[ir.Weights, list[str]]:
    (mechanism,) = read_source(f"{HEAD}@mechanism\n{SIGNATURE}{text}\n", "p.py")
    statements = list(ir.statements(mechanism.body))
    (law,) = [item.law for item in statements if isinstance(item, ir.Choose)]
    assert isinstance(law, ir.Weights)
    return law, [item.reason for item in statements if isinstance(item, ir.Obligation)]


def test_what_is_divided_by_its_sum_sums_up_to_one() -> None:
    law, _ = weights("w = np.exp(t * a / 2)\n    return np.random.choice(len(w), p=w / w.sum())")
    assert "Operator.EXPONENTIAL" not in repr(law.score)
    assert "Operator.DIVIDE" in repr(law.score)
    assert "held" not in repr(law.score)


@pytest.mark.parametrize("other", ["b", "a[:2]", "(a + 0.5)"])
def test_what_is_divided_by_another_sum_may_not_sum_up_to_one(other: str) -> None:
    law, _ = weights(f"return np.random.choice(len(a), p=a / {other}.sum())")
    assert "held" in repr(law.score)


def test_an_array_that_is_no_quotient_any_more_may_not_sum_up_to_one() -> None:
    law, _ = weights("p = a / a.sum()\n    p = p * p\n    return np.random.choice(len(p), p=p)")
    assert "held" in repr(law.score)


def test_quotients_keep_the_entries_of_lists_that_change() -> None:
    law, _ = weights(
        "s = [1.0, t]\n    p = np.array(s) / np.array(s).sum()\n    s.append(2.0)\n"
        "    return np.random.choice(len(p), p=p)"
    )
    assert "source='s'" not in repr(law.score)


@pytest.mark.parametrize(
    "text",
    [
        "return int(np.argmax(a + np.random.gumbel(scale=t, size=len(a))))",
        "return (a + np.random.gumbel(0, t, a.shape)).argmax()",
        "noise = np.random.gumbel(scale=t, size=len(a))\n    noisy = a + noise\n    return np.argmax(noisy)",
    ],
)
def test_the_largest_entry_with_gumbel_noise_is_a_choice(text: str) -> None:
    law, reasons = weights(text)
    assert "Read(source='a'" in repr(law.score) and "Operator.DIVIDE" in repr(law.score)
    assert any("scale > 0" in reason for reason in reasons)


@pytest.mark.parametrize(
    "text",
    [
        "return int(np.argmax([v + np.random.gumbel(0, t) for v in a]))",
        "z = [np.random.gumbel(scale=t) + 2 * v for v in xs]\n    return np.argmax(z)",
        "c = t + 1\n    z = [v + np.random.gumbel(scale=c) for v in a if v > 0]\n    return np.argmax(z)",
    ],
)
def test_a_list_with_gumbel_noise_is_ranked_by_a_choice(text: str) -> None:
    law, reasons = weights(text)
    assert "Operator.DIVIDE" in repr(law.score)
    assert any("scale > 0" in reason for reason in reasons)
    (mechanism,) = read_source(f"{HEAD}@mechanism\n{SIGNATURE}{text}\n", "p.py")
    assert not any(isinstance(item, ir.Draw) for item in ir.statements(mechanism.body))


@pytest.mark.parametrize(
    "text",
    [
        "z = a + np.random.gumbel(size=len(a))\n    return np.argmax(z), np.argmax(z)",
        "z = a + np.random.gumbel(size=len(a))\n    return np.argmax(z), np.max(z)",
        "return np.argmax(a - np.random.gumbel(size=len(a)))",
        "return np.argmin(a + np.random.gumbel(size=len(a)))",
        "return np.argmax(2 * (a + np.random.gumbel(size=len(a))))",
        "return a + np.random.gumbel(size=len(a))",
        "g = np.random.gumbel(size=len(a))\n    return np.argmax(a + g + g)",
        "z = [v + np.random.gumbel(0, t) for v in a]\n    return np.argmax(z), z[0]",
        "z = [v + np.random.gumbel(0, t) for v in a]\n    return max(z)",
        "z = [v + np.random.gumbel(0, v) for v in a]\n    return np.argmax(z)",
        "z = [v + np.random.gumbel(0, np.random.laplace(0, 1)) for v in a]\n    return np.argmax(z)",
        "z = [v - np.random.gumbel(0, t) for v in a]\n    return np.argmax(z)",
        "z = [v + np.random.gumbel() + np.random.gumbel() for v in a]\n    return np.argmax(z)",
        "z = [v + np.random.gumbel(0, t) for v in a]\n    return [np.argmax(z) for i in range(2)]",
        "z = [v + np.random.gumbel() for v in a]\n    s = 0\n    while s < 2:\n        s += np.argmax(z)\n"
        "    return s",
        "z = [v + np.random.gumbel(0, t) for v in a]\n    z.append(1.0)\n    return np.argmax(z)",
    ],
)
def test_other_gumbel_noise_is_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read(text)
    assert caught.value.message.startswith("Gumbel noise is only supported in argmax(x + noise), once")


def test_what_a_function_returns_may_be_one_array_twice() -> None:
    helper = "def two(v):\n    return v, v\n\n\n"
    text = "x, y = two(a * 1)\n    x += 1\n    return y"
    with pytest.raises(ProgramError) as caught:
        read_source(f"{HEAD}{helper}@mechanism\n{SIGNATURE}{text}\n", "p.py")
    assert caught.value.message == "'x' and 'v' are one array: use 'v.copy()'"


@pytest.mark.parametrize(
    ("helper", "text", "message"),
    [
        (
            "def g(v):\n    v += 1\n    return v",
            "w = g(a)\n    return a",
            "'g' changes the array that it is given",
        ),
        ("def g(v):\n    return v[1:]", "w = g(a)\n    a += 1\n    return w", "'w' and 'a' are one array"),
        ("def g(v):\n    return v", "w = g(a)\n    w += 1\n    return a", "'w' and 'a' are one array"),
    ],
)
def test_functions_change_no_arrays_of_others(helper: str, text: str, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(f"{HEAD}{helper}\n\n\n@mechanism\n{SIGNATURE}{text}\n", "p.py")
    assert caught.value.message.startswith(message)
