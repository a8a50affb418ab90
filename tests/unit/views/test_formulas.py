"""Formulas of certificates in reports: notation, joined bounds, costs in nats, names of what has none."""

from __future__ import annotations

from textwrap import dedent

import pytest

from synth.bounds.rational_reading import read_rational
from synth.prover.normal_form.structured_exits import normalize
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.certificate import FORMAT, VERSION, Bounds, Certificate, Claim, Cost, Node, Program
from synth.trusted.logic.terms import Signature, read
from synth.views.certificate.plain import Plain
from synth.views.certificate.plain_names import PlainNames

PROGRAM = """
from synth.lang import *

@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def f(q: list[int], n: int, eps: float) -> int:
    best = 0
    out = []
    pair = (0, 0)
    value = None
    for i in range(n):
        best = best + 1
        for x in q:
            best = best + laplace(x, 1 / eps)
        if best > n:
            value = best
        pair = (best, pair[0])
        out.append(pair[1])
    return best
"""

COST = Cost("Int", "|eps<>|", "1", "0.0")
TRUTHS = ("|a|", "|b|", "|value.none<1>|", "|next#branch.1.0|", "|q#upward|")
INTEGERS = (
    *(f"|{name}<{run}>|" for name in ("best", "pair.1", "i%2", "x%4", "len(out)") for run in (1, 2)),
    *("|n<>|", "|q#changed|", "|q#change|", "|cost#0|", "|next#return..0|"),
)
KNOWN: dict[str, Signature] = {
    **dict.fromkeys(TRUTHS, ((), "Bool")),
    **dict.fromkeys(INTEGERS, ((), "Int")),
    **dict.fromkeys(("|eps<>|", "|cost#1|", "|real<2>|"), ((), "Real")),
    "|*:Real,Real|": (("Real", "Real"), "Real"),
}


@pytest.fixture(scope="module")
def writer() -> Plain:
    (mechanism,) = read_source(dedent(PROGRAM), "f.py")
    certificate = Certificate(
        format=FORMAT,
        version=VERSION,
        tools={},
        program=Program(PROGRAM, "", "f"),
        core="",
        claim=Claim(None, None),
        proved=Bounds("1.0", "0.0"),
        costs={"cost#0": COST, "cost#1": COST},
        events={"next#branch.1.0": "Bool", "next#return..0": "Int"},
        entries={},
        safety={},
        derivation=Node("Seq", {}, (), "derivation"),
    )
    names = PlainNames(normalize(mechanism), certificate).inside_of([0])
    shared = frozenset({"i%2", "x%4", "len(out)"})
    return Plain(names, KNOWN, shared, units={"cost1": read_rational("eps/2"), "cost2": read_rational("1")})


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        # bounds that meet are an equation, also within alternatives
        (
            "(and (not (<= 0 (- |best<1>| |best<2>|))) (not (<= (- |best<1>| |best<2>|) (- 2))))",
            ("best⟨2⟩ == best⟨1⟩ + 1",),
        ),
        (
            "(and (or (< |n<>| |i%2<1>|) (<= |best<1>| |best<2>|))"
            " (or (<= |best<2>| |best<1>|) (< |n<>| |i%2<1>|)))",
            ("i > n or best⟨2⟩ == best⟨1⟩",),
        ),
        (
            "(and (<= (- |best<1>| |best<2>|) 1) (<= (- |best<2>| |best<1>|) 1))",
            ("abs(best⟨2⟩ - best⟨1⟩) <= 1",),
        ),
        # negations are pushed inwards
        ("(not (or |a| (not (not |b|))))", ("not a", "not b")),
        ("(not (and |a| |b|))", ("not a or not b",)),
        ("(=> |a| |b|)", ("b or not a",)),
        ("(or |a| (and |b| (not |a|)))", ("a or (b and not a)",)),
        # what others imply is dropped, and so is what is decided
        ("(and |a| (or |a| |b|))", ("a",)),
        ("(and |a| (<= 0 1))", ("a",)),
        ("(or (not true) (and |a| |b|))", ("a", "b")),
        ("(< 1 0)", ("False",)),
        # costs are in nats
        ("(not (<= 3 |cost#0|))", ("cost1 <= eps",)),
        ("(<= |cost#0| (+ (* 2 |n<>|) 1))", ("cost1 <= (1 + 2*n)*eps/2",)),
        ("(<= |cost#1| |eps<>|)", ("cost2 <= eps",)),
        ("(<= |cost#0| |best<1>|)", ("cost1 <= best⟨1⟩*eps/2",)),
        # strict bounds of integers
        ("(<= (+ |best<1>| 1) |n<>|)", ("best⟨1⟩ < n",)),
        ("(< |best<1>| |n<>|)", ("best⟨1⟩ < n",)),
        ("(< (* 2 |best<1>|) 5)", ("best⟨1⟩ <= 2",)),
        ("(< |real<2>| (+ |eps<>| 1.0))", ("real⟨2⟩ < eps + 1",)),
        # sums
        ("(<= (- |best<2>| |best<1>|) |q#change|)", ("best⟨2⟩ - best⟨1⟩ <= q.change",)),
        ("(>= (+ |best<1>| |best<2>|) 3)", ("best⟨2⟩ + best⟨1⟩ >= 3",)),
        ("(= |best<1>| (ite |a| 1 2))", ("best⟨1⟩ == (1 if a else 2)",)),
    ],
)
def test_formulas_as_people_write_them(writer: Plain, formula: str, shown: tuple[str, ...]) -> None:
    assert writer.conjuncts([read(formula)]) == shown


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("(<= 0 |i%2<1>|)", "i >= 0"),
        ("(<= 0 |x%4<1>|)", "iterations(12) >= 0"),
        ("(<= 0 |len(out)<1>|)", "len(out) >= 0"),
        ("(<= 0 |pair.1<2>|)", "pair[1]⟨2⟩ >= 0"),
        ("(<= 0 |q#changed|)", "q.changed >= 0"),
        ("(not |value.none<1>|)", "(value⟨1⟩ is not None)"),
        ("|value.none<1>|", "(value⟨1⟩ is None)"),
        ("|next#branch.1.0|", "line 12: condition true next"),
        ("(not |next#branch.1.0|)", "line 12: condition false next"),
        ("(not |q#upward|)", "q⟨1⟩ >= q⟨2⟩"),
        ("(= |next#return..0| 0)", "b == 0"),
    ],
)
def test_names(writer: Plain, formula: str, shown: str) -> None:
    assert writer.conjuncts([read(formula)]) == (shown,)


def test_conditions_within_terms_keep_their_sorts(writer: Plain) -> None:
    product = "(|*:Real,Real| (to_real |i%2<1>|) |eps<>|)"
    formula = read(f"(<= |best<1>| (ite (<= {product} |real<2>|) 1 0))")
    (written,) = writer.conjuncts([formula])
    assert "eps" in written and " if " in written
