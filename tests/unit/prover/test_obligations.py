"""What must hold in every run beside privacy: without it there is no proof, and the line is named."""

from __future__ import annotations

import pytest

from tests.support.proving import from_text, prove_apart

HEAD = '@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0%s")\n'
LISTS = HEAD + "def f(q: list[int], t: int, n: int, eps: float) -> %s:\n"


def _text(body: str, *, requires: str = "", result: str = "int") -> str:
    text = LISTS % (requires and f" and {requires}", result)
    return text + "\n".join(f"    {line}" for line in body.strip("\n").splitlines())


MISSED = {
    "next entry": "a = 0\nfor i in range(len(q)):\n    a += q[i + 1]  # here\nreturn laplace(a, 1 / eps)",
    "first of none": "return laplace(q[0], 1 / eps)  # here",
    "last of none": "return laplace(q[-1], 1 / eps)  # here",
    "index of a parameter": "return laplace(q[n], 1 / eps)  # here",
    "index of a draw": "k = laplace(0, 1 / eps)\nreturn laplace(q[k], 1 / eps)  # here",
    "one too many": "for i in range(len(q) + 1):\n    t = laplace(q[i], 1 / eps)  # here\nreturn t",
    "local list": "xs = [1, 2]\nreturn laplace(0, 1 / eps) + xs[n]  # here",
    "empty local list": "xs = []\nfor x in q:\n    xs.append(1)\nreturn xs[0]  # here",
    "zero divisor": "return n // t  # here",
    "zero modulus": "return n % t  # here",
    "divisor in a loop": "a = 5\nfor x in q:\n    a -= 1\n    t = n // a  # here\nreturn t",
    "scale of unknown sign": "return laplace(q[0] if len(q) > 0 else 0, n)  # here",
    "negative scale": "return laplace(0, -1 / eps)  # here",
    "zero scale": "return laplace(0, eps - eps)  # here",
    "scale by a divisor that may be 0": "return laplace(0, 1 / n)  # here",
    "scale under the wrong branch": "if n < 0:\n    t = laplace(t, n)  # here\nreturn t",
}
MET = {
    "all entries": "a = 0\nfor i in range(len(q)):\n    a = max(a, q[i])\nreturn laplace(a, 1 / eps)",
    "first under a test": "if len(q) > 0:\n    return laplace(q[0], 1 / eps)\nreturn 0",
    "neighbours": "a = 0\nfor i in range(1, len(q)):\n    a = q[i] - q[i - 1]\nreturn laplace(a, 1 / eps)",
    "local list": "xs = [1, 2]\nreturn laplace(0, 1 / eps) + xs[1]",
    "as many as appended": "xs = []\nfor x in q:\n    xs.append(1)\nif len(q) > 0:\n    t = xs[0]\nreturn t",
    "divisor under a test": "if t != 0:\n    return n // t\nreturn 0",
    "divisor of data under a public test": """
a = 0
for x in q:
    a += 1 if x > 0 else 2
t = n // a if len(q) > 0 else 0
return 0
""",
    "counted divisor": "a = 0\nfor x in q:\n    a += 1\n    t = n // a\nreturn t",
    "drawn divisor": "k = uniform_int(0, 3)\nif bernoulli(0.5) and k > 0:\n    t = n // k\nreturn t",
    "scale under a test": "if n > 0:\n    t = laplace(t, n)\nreturn t",
}


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in MISSED.items()])
def test_missed(body: str) -> None:
    """Unknown, at the line that may fail."""
    mechanism = from_text(_text(body))
    line = next(number for number, text in enumerate(mechanism.source.splitlines(), 1) if "# here" in text)
    outcome = prove_apart(mechanism)
    assert outcome.verdict == "unknown", str(outcome)
    assert outcome.reason.startswith(("not shown: ", "not ruled out: "))
    assert outcome.line == line


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in MET.items()])
def test_met(body: str) -> None:
    """Nothing is missing that is there."""
    outcome = prove_apart(from_text(_text(body)))
    assert outcome.verdict == "proved", str(outcome)


SUM_OF_SQUARES = """\
@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def f(q: list[float], eps: float) -> float:
    total = 0.0
    for x in q:
        total += x * x
    part = 1 / (total%s)
    return laplace(0.0, 1 / eps)
"""


def test_squares_are_not_negative() -> None:
    assert prove_apart(from_text(SUM_OF_SQUARES % " + 1")).verdict == "proved"


def test_squares_may_be_0() -> None:
    outcome = prove_apart(from_text(SUM_OF_SQUARES % ""))
    assert (outcome.verdict, outcome.reason) == ("unknown", "not ruled out: division by zero")


@pytest.mark.parametrize(
    ("requires", "body"),
    [
        ("len(q) > 0", "return laplace(q[0], 1 / eps)"),
        ("0 <= n < len(q)", "return laplace(q[n], 1 / eps)"),
        ("t > 2", "return n // (t - 2)"),
        ("n >= 1", "return laplace(0, n / eps)"),
    ],
)
def test_met_by_requires(requires: str, body: str) -> None:
    assert prove_apart(from_text(_text(body, requires=requires))).verdict == "proved"


def test_requires_that_nothing_satisfies() -> None:
    """An error, not a vacuous proof."""
    outcome = prove_apart(from_text(_text("return q[0]", requires="eps < 0")))
    assert outcome.verdict == "error"
    assert "requires" in outcome.reason


def test_negative_distance() -> None:
    outcome = prove_apart(
        from_text(
            """
            @mechanism(adjacent={"x": absolute_distance("d")}, requires="eps > 0")
            def f(x: int, d: int, eps: float) -> int:
                return laplace(x, 1 / eps)
            """
        )
    )
    assert outcome.verdict == "unknown"
    assert "distance" in outcome.reason
