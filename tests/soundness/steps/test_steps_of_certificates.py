"""Steps in certificates: what the kernel says of documents whose steps are changed in one place."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from synth.prover.certificate.writing import with_lines
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.core.comparison import same_program
from synth.trusted.kernel.check import INVALID, VALID, check, judged_mechanism, parse
from synth.trusted.program import syntax as ir
from synth.trusted.steps import case_splits
from tests.support.refuting import mechanism

Data = dict[str, Any]
SPAN = ir.Span(0, 0)

PROGRAMS = {
    "k_rr": """
        @mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0 and k >= 2", epsilon="eps")
        def f(x: int, k: int, eps: float) -> int:
            p = k / (k - 1 + exp(eps))
            if bernoulli(p):
                return uniform_int(0, k - 1)
            return x % k
    """,
    "divided": """
        @mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0")
        def f(x: bool, eps: float) -> bool:
            z = 1 + exp(eps)
            y = x
            if bernoulli(1 / z):
                y = not y
            return y
    """,
    "late": """
        @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
        def f(x: float, eps: float) -> float:
            z = laplace(0.0, 1 / eps)
            y = x
            if x > 3:
                y = 3.0
            return y + z
    """,
    "pair": """
        @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
        def f(x: int, eps: float) -> int:
            a = exponential(0, 1 / eps)
            b = exponential(0, 1 / eps)
            return x + a - b
    """,
    "sign": """
        @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
        def f(x: float, eps: float) -> float:
            e = exponential(0.0, 1 / eps)
            return x + (e if bernoulli(0.5) else -e)
    """,
    "rated": """
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1")
        def f(q: Callable[[int], int], n: int, eps: float) -> int:
            return choice(n, lambda r: eps * q(r) / 2)
    """,
    "leak": """
        @mechanism(adjacent={"x": absolute_distance(1)}, requires="0 < p < 1", epsilon=0, delta="p")
        def f(x: float, p: float) -> float:
            return x if bernoulli(p) else 0.0
    """,
    "pad": """
        @mechanism(adjacent={"x": discrete_distance()}, requires="n >= 1")
        def f(x: int, n: int) -> int:
            return (x + uniform_int(0, n - 1)) % n
    """,
    "clip": """
        @mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
        def f(x: list[float], eps: float) -> float:
            xs = [min(max(v, 0), 1) for v in x]
            return sum(xs) + len(xs) + laplace(0, 2 / eps)
    """,
    "clean": """
        @mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
        def f(x: list[int], eps: float) -> list[float]:
            clean = [v for v in x if v >= 0]
            counts = []
            for cell in range(4):
                counts.append(sum(1 for v in clean if v == cell) + laplace(0, 1 / eps))
            return counts
    """,
    "guard": """
        @mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
        def f(x: list[float], eps: float) -> float:
            if len(x) == 0:
                return laplace(0.0, 1 / eps)
            return sum(min(max(v, 0), 1) for v in x) + laplace(0, 1 / eps)
    """,
    "any": """
        @mechanism(adjacent={"x": linf_distance(1)}, requires="eps > 0")
        def f(x: list[float], t: float, eps: float) -> bool:
            bar = laplace(t, 1 / eps)
            return any(laplace(v, 1 / eps) > bar for v in x)
    """,
}


def _lines(text: str) -> str:
    rows = text.strip("\n").splitlines()
    return "\n".join(row[8:] for row in rows).rstrip() + "\n"


@cache
def _text(name: str) -> str:
    found = prove(mechanism(_lines(PROGRAMS[name])), load_templates())
    assert isinstance(found, Proved), found
    return found.certificate


def _document(name: str) -> Data:
    found: Data = json.loads(_text(name))
    return found


def _step(data: Data, kind: str) -> Data:
    """The last step of that kind."""
    found: Data = [item for item in data["steps"] if item["step"] == kind][-1]
    return found


def _put(kind: str, field: str, old: str, new: str) -> Callable[[Data], object]:
    def edit(data: Data) -> None:
        step = _step(data, kind)
        assert old in step[field], step[field]
        step[field] = step[field].replace(old, new, 1)

    return edit


def _set(kind: str, **fields: object) -> Callable[[Data], object]:
    return lambda data: _step(data, kind).update(fields)


def _sums(old: str, new: str) -> Callable[[Data], object]:
    def edit(data: Data) -> None:
        sums = _step(data, "Fuse")["sums"]
        place = next(place for place, (one, _) in enumerate(sums) if one is not None)
        assert old in sums[place][0], sums[place][0]
        sums[place][0] = sums[place][0].replace(old, new, 1)

    return edit


def _raise_sums(data: Data) -> None:
    """The sum below any number, and the whole sum, are larger by one."""
    step = _step(data, "Fuse")
    head, inner = step["sums"][1][0].split(": (", 1)
    below, value, *bounds = inner.removesuffix(")").split(", ")
    step["sums"][1][0] = f"{head}: ({', '.join((f'1.0 + ({below})', f'1.0 + ({value})', *bounds))})"


def _leave_out_an_obligation(data: Data) -> None:
    """The window begins behind the obligation that the divisor is not 0, and the chances rest on it."""
    step = _step(data, "Fuse")
    text = step["text"].split("\n", 1)[1].replace("1.0 - 1.0 / z", "(z - 1.0) / z")
    step.update(place=[3], length=3, text=text, lines=step["lines"][1:])


SPOILED: dict[str, tuple[str, str, Callable[[Data], object]]] = {
    "no step": ("k_rr", "not-a-step", lambda data: data["steps"].append({"step": "Other"})),
    "a sum that is none": ("k_rr", "not-a-string", _set("Fuse", sums=[[0, None]])),
    "a field too many": ("k_rr", "wrong-fields", _set("Fuse", also=1)),
    "no place": ("k_rr", "not-a-natural", _set("Fuse", place=[-1])),
    "another name": ("k_rr", "declarations-differ", _put("SameNoise", "program", "def f", "def g")),
    "another precondition": ("k_rr", "declarations-differ", _put("SameNoise", "program", "2 <= k", "3 <= k")),
    "another claim": ("k_rr", "declarations-differ", _put("SameNoise", "program", "=eps", "=2.0")),
    "too few draws": ("k_rr", "hints-do-not-fit", _set("SameNoise", draws=[0])),
    "too few lines": ("k_rr", "hints-do-not-fit", _set("Fuse", lines=[])),
    "not Python": ("k_rr", "core-refused", _set("Fuse", text="1 +")),
    "a sum that is not Python": ("k_rr", "core-refused", _sums("lambda", "")),
    "no draw": ("k_rr", "not-one-draw", _set("Fuse", text="pass", lines=[])),
    "two draws": (
        "k_rr",
        "not-one-draw",
        _set("Fuse", text="draw‿2 = bernoulli(p)\ndraw‿2 = bernoulli(p)", lines=[1, 1]),
    ),
    "one value": (
        "k_rr",
        "not-the-values",
        _set("Fuse", sums=[[None, None], ["lambda o, i: 1.0", None]]),
    ),
    "another value": ("k_rr", "results-differ", _put("SameNoise", "program", "x % k", "x % (k + 1)")),
    "another law": ("k_rr", "courses-differ", _put("SameNoise", "program", "(0, k - 1)", "(0, k)")),
    "without an obligation": (
        "k_rr",
        "obligation-lost",
        _put("SameNoise", "program", 'ensure(not k == 0, "divisor")', "p = p"),
    ),
    "a name without a value": (
        "k_rr",
        "name-without-value",
        _put("SameNoise", "program", "p = real(k) / (real(k - 1) + exp(eps))", "returned‿new0·0 = 0"),
    ),
    "another chance": ("k_rr", "chances-changed", _put("Fuse", "text", "p * (1.0", "p * (1.5")),
    "outcomes that overlap": (
        "k_rr",
        "law-overlaps",
        _put("Fuse", "text", "and not x % k == outcome‿new0", ""),
    ),
    "an obligation less": (
        "k_rr",
        "obligation-dropped",
        _put("Fuse", "text", "0.0 <= p and p <= 1.0", "0.0 <= p"),
    ),
    "a sum that grows otherwise": (
        "k_rr",
        "sum-grows-otherwise",
        _sums("else 1.0 / real", "else 2.0 / real"),
    ),
    "a sum that starts otherwise": ("k_rr", "sum-starts-otherwise", _raise_sums),
    "a sum that ends otherwise": ("k_rr", "sum-ends-otherwise", _sums(", 0.0 if", ", 1.0 if")),
    "a place that is not there": ("k_rr", "no-such-place", _set("Fuse", place=[9])),
    "more statements": ("k_rr", "still-read", _set("Fuse", place=[1], length=4)),
    "no noise": ("late", "not-noise-and-more", _set("Defer", place=[0])),
    "noise behind its use": ("late", "not-apart", _set("Defer", length=3)),
    "no pair": ("pair", "no-pair", _set("Pair", place=[0])),
    "no sign": ("sign", "not-signed", _set("Sign", place=[0])),
    "no coin": ("leak", "no-coin", _set("Cross", place=[9])),
    "no permutation": ("pad", "not-permuted", _set("Permute", place=[0])),
    "no loop over a list": ("clip", "not-streamed", _set("Stream", place=[2])),
    "no list": ("clip", "not-counted", _set("Count", place=[1])),
    "nothing to repeat": ("clean", "not-repeated", _set("Repeat", length=9)),
    "repeated where it is not": ("clean", "not-repeated", _set("Repeat", before=[[0]])),
    "a branch that begins with less": ("guard", "not-advanced", _set("Advance", length=99)),
    "another side": ("guard", "not-advanced", _set("Advance", side=2)),
    "no loop to join": ("guard", "not-joined", _set("Join", place=[0])),
    "no loop that goes on": ("any", "not-lingering", _set("Linger", place=[0])),
    "another score": ("rated", "product-changed", _put("Rate", "law", "0.5 * eps", "0.25 * eps")),
    "a divisor that may be 0": ("divided", "divisor-zero", _leave_out_an_obligation),
}


def _checked(name: str, edit: Callable[[Data], object]) -> tuple[str, str | None]:
    data = _document(name)
    edit(data)
    found = check(json.dumps(data))
    return found.verdict, None if found.code is None else found.code.id


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_documents_that_are_spoiled_are_valid(name: str) -> None:
    assert "steps" in _document(name)
    assert check(_text(name)).verdict == VALID


def test_lines_that_are_shown_move_with_the_text() -> None:
    data = _document("k_rr")
    count = len(data["program"]["text"].splitlines())
    moved = parse(with_lines(_text("k_rr"), tuple(range(41, 41 + count)), ()))
    before, after = judged_mechanism(parse(_text("k_rr"))), judged_mechanism(moved)
    assert same_program(before, after)
    shown = [[getattr(item, "span", SPAN).line for item in ir.statements(of.body)] for of in (before, after)]
    assert [line + 40 for line in shown[0]] == shown[1]


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_step_is_refused(name: str) -> None:
    program, code, edit = SPOILED[name]
    assert _checked(program, edit) == (INVALID, code)


def test_a_limit_of_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _text("k_rr")
    monkeypatch.setattr(case_splits, "MAX_CASES", 2)
    found = check(text)
    assert found.code is not None and (found.verdict, found.code.id) == (INVALID, "too-many-cases")
