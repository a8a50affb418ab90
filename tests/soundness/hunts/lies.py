"""Certificates that are valid, and what makes a lie of each: no mutant of a lie may be valid.

A lie keeps the shape of the document: the program gets another number, or reads private data where it
read public ones; or it is undefined on some input; or all prices and the bound shrink by one factor, where
the bound is (nearly) the least.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from tests import ROOT
from tests.soundness.kernel.test_rules_branches import APART, NOISY_BRANCH, PUBLIC_BRANCH
from tests.soundness.kernel.test_rules_divergence import BOTH as NORMAL_AND_LAPLACE
from tests.soundness.kernel.test_rules_divergence import (
    CHOICE,
    GAUSSIAN,
    LAPLACE,
    RELEASED,
    coin_beside_squares,
    document,
    tail_beside_squares,
)
from tests.soundness.kernel.test_rules_divergence import INTEGER as NORMAL_ON_INTEGERS
from tests.soundness.kernel.test_rules_divergence import TWICE as NORMAL_TWICE
from tests.soundness.kernel.test_rules_draws import ONE_SIDED, ONE_SIDED_ALONE, SIGN
from tests.soundness.kernel.test_rules_finite import BEST, INTEGER, NORMAL, ONE_BIT, RESPONSE
from tests.soundness.kernel.test_rules_gaussian import COIN, LOOP, PAIRS, PARTS
from tests.soundness.kernel.test_rules_indexed import FALLING
from tests.soundness.kernel.test_rules_intervals import DISCRETE, INSIDE
from tests.soundness.kernel.test_rules_laplace import NOISE_ALONE
from tests.soundness.kernel.test_rules_lifting import BOTH, LEAK, TWICE, UNIFORM
from tests.soundness.kernel.test_rules_lists import EMPTIED, KEPT, PUBLISHED
from tests.soundness.kernel.test_rules_loops import COUNTED, REPEATED, TOTAL
from tests.soundness.kernel.test_rules_parts import HELD
from tests.soundness.kernel.test_rules_program import SCALED
from tests.soundness.kernel.test_rules_reals import LOGISTIC, MEAN
from tests.soundness.kernel.test_rules_retries import HEAD as RETRIED_HEAD
from tests.soundness.kernel.test_rules_retries import LOOP as RETRIED
from tests.soundness.kernel.test_rules_root import INDEXED
from tests.soundness.kernel.test_rules_samples import SAMPLE as SAMPLED
from tests.soundness.kernel.test_rules_shares import SUM, VECTOR
from tests.soundness.kernel.test_rules_statements import ASSERTED, HALVED
from tests.soundness.kernel.test_rules_tails import HISTOGRAM
from tests.soundness.kernel.test_rules_weights import COVER
from tests.support.cores import with_core, with_program
from tests.support.handmade import NOISY, Data, certificate, rule
from tests.support.proving import proof_of

Lie = Callable[[Data], Data]
ALL = "all"
TIGHT = "claims that are false by little; `least_delta` of tests/support/claimed_programs.py has the numbers"
GOLDEN = ROOT / "tests" / "soundness" / "kernel" / "golden"


@dataclass(frozen=True)
class Base:
    """A valid certificate by a name, and its lies.

    ``argued`` says of lies why they are, where the refuter doesn't show it; ``ALL`` of them.
    """

    name: str
    document: Callable[[], Data]
    lies: Mapping[str, Lie]
    argued: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The certificate."""
        return _text(self.document)

    @property
    def data(self) -> Data:
        """The certificate, for whoever wants to change it."""
        found: Data = json.loads(self.text)
        return found


@cache
def _text(of: Callable[[], Data]) -> str:
    return json.dumps(with_core(of()))


# --- lies -----------------------------------------------------------------------------------


def leak(old: str, new: str) -> Lie:
    """Another program."""

    def change(data: Data) -> Data:
        text = data["program"]["text"]
        assert old in text, (old, text)
        other = text.replace(old, new)
        digest = hashlib.sha256(other.encode()).hexdigest()
        program = {**data["program"], "text": other, "sha256": digest}
        return with_program(data, program)

    return change


def less(factor: str, *fields: str) -> Lie:
    """Bounds and prices shrink by a factor: those in nats (``epsilon``), in mass (``delta``) or both."""

    def change(data: Data) -> Data:
        result = copy.deepcopy(data)
        for part in (result, *result.get("parts", ())):
            tables = [part["proved"], *part.get("costs", {}).values()]
            tables += [part["gaussian"]] if "gaussian" in part else []
            for table in tables:
                for name in (*fields, *(["weight"] if "epsilon" in fields else [])):
                    if table.get(name, "0") not in ("0", "0.0"):
                        table[name] = f"(* {factor} {table[name]})"
        result["claim"] = {"epsilon": None, "delta": None}
        return result

    return change


def stated(place: str, **fields: str) -> Lie:
    """The document says less than what it derives: ``proved`` or ``claim``."""

    def change(data: Data) -> Data:
        return {**data, place: {**data[place], **fields}}

    return change


def claiming(**claim: str) -> Lie:
    """Another claim, of any notion."""
    return lambda data: {**data, "claim": {"epsilon": None, "delta": None, **claim}}


def null(place: int) -> Lie:
    """A draw is coupled with itself, for nothing."""

    def change(data: Data) -> Data:
        result = {**copy.deepcopy(data), "costs": {}, "proved": {"epsilon": "0.0", "delta": "0"}}
        result["derivation"]["premises"][place] = rule("LapGen", k="null")
        return result

    return change


LESS_STATED = stated("proved", epsilon="(* 0.5 |eps<>|)")
LESS_CLAIMED = stated("claim", epsilon="eps / 2")
HALF, NEARLY = less("0.5", "epsilon"), less("0.9", "epsilon")
LESS_MASS = less("0.9", "delta")
ANYTHING = leak("return ", "return x + ")
"""The private number itself is returned."""


# --- certificates ---------------------------------------------------------------------------

SAMPLED_COSTS = "(|log:Real| (+ (- (|*:Real,Real| (|exp:Real| |eps<>|) |p<>|) |p<>|) 1.0))"

NORMAL_ALONE = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def normal_alone(x: float, t: float) -> float:
        y = gaussian(t, 1)
        return y
    """,
    rule("Norm", k="null"),
    rule("Return"),
)
PASSED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def passed(x: int, eps: float) -> int:
        y = laplace(x, scale=1 / eps)
        assert y > 0
        return 7
    """,
    rule("Skip"),
    rule("Skip"),
    rule("LapGen", k="0", within="1.0", cost="cost#0", amount="1"),
    rule("Assert"),
    rule("Return"),
    epsilon="|eps<>|",
    costs={"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "1"}},
)
TAIL = """
@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1", delta="0.00002")
def rarely(x: int) -> int:
    y = laplace(x, 1)
    if x > 0 and y > 11:
        return y
    return 0
"""

SQUARE = """
from synth.lang import *

@mechanism(adjacent={"x": discrete_distance()}, requires="c > 0 and eps > 0")
def square(x: float, c: float, eps: float) -> float:
    u = min(max(x, -c), c)
    return laplace(u * u, c * c / eps)
"""

WEIGHTED = """
from synth.lang import *

@mechanism(adjacent={"q": linf_distance(1)}, requires="0 < w <= 1 and len(q) == 2 and eps > 0")
def weighted(q: list[float], w: float, eps: float) -> float:
    return laplace(w * q[0] + (1 - w) * q[1], 1 / eps)
"""


def _of(data: Data) -> Callable[[], Data]:
    return lambda: data


def _proved(text: str) -> Callable[[], Data]:
    return lambda: json.loads(proof_of(text))


def _golden(name: str) -> Callable[[], Data]:
    return lambda: json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


NOISE_GROWS = "as s or b becomes small nothing of it is private: no delta below 1 is enough for any epsilon"
DIVERGENCES: tuple[tuple[str, str, str, dict[str, Lie], str], ...] = (
    (
        "mu",
        GAUSSIAN,
        'gdp="1 / s"',
        {
            "less": claiming(gdp="99/100/s"),
            "rho": claiming(zcdp="99/200/s**2"),
            "pair": claiming(epsilon="1", delta="1/2"),
            "leak": leak("gaussian(x, s)", "gaussian(x + x, s)"),
        },
        f"Gaussian noise has just this mu and rho; {NOISE_GROWS}",
    ),
    (
        "mu twice",
        NORMAL_TWICE,
        'gdp="sqrt(2) / s"',
        {
            "less": claiming(gdp="1.41/s"),
            "rho": claiming(zcdp="99/100/s**2"),
            "more": leak("range(2)", "range(3)"),
        },
        "two releases are one of the distance sqrt(2)",
    ),
    (
        "rho of Laplace noise",
        LAPLACE,
        'zcdp="1 / (2 * b**2)"',
        {
            "mu": claiming(gdp="1/b"),
            "less": claiming(zcdp="99/200/b**2"),
            "pair": claiming(epsilon="1", delta="1/2"),
            "leak": leak("laplace(x, b)", "laplace(x + x, b)"),
        },
        "for large b it is nearly as much, and the two laws differ by a mass of 1/(2*b), normal ones by "
        f"0.4/b; {NOISE_GROWS}",
    ),
    (
        "rho on integers",
        NORMAL_ON_INTEGERS,
        'zcdp="1 / (2 * s**2)"',
        {
            "mu": claiming(gdp="1/s"),
            "less": claiming(zcdp="99/200/s**2"),
            "pair": claiming(epsilon="1", delta="1/2"),
            "leak": leak("gaussian(x, s)", "gaussian(x + x, s)"),
        },
        f"on integers it is just as much, but of another law; {NOISE_GROWS}",
    ),
    (
        "rho of both",
        NORMAL_AND_LAPLACE,
        'zcdp="1 / (2 * b**2) + 1 / (2 * s**2)"',
        {
            "one": claiming(zcdp="1 / (2 * s**2)"),
            "other": claiming(zcdp="1 / (2 * b**2)"),
            "mu": claiming(gdp="sqrt(1/b**2 + 1/s**2)"),
            "leak": leak("laplace(x, b)", "laplace(x + x, b)"),
        },
        "each of them has its own, and they are independent",
    ),
    (
        "rho of a choice",
        CHOICE,
        'zcdp="b**2 / 2"',
        {
            "mu": claiming(gdp="b"),
            "less": claiming(zcdp="99/200*b**2"),
            "pair": claiming(epsilon="b", delta="0"),
            "leak": leak("b * (x", "b * (x + x"),
        },
        "of two candidates and small b the divergence is nearly as much; they differ by a mass of b/2, "
        "normal laws by 0.4*b, and one is up to exp(2*b) times as likely",
    ),
    (
        "rho of ten",
        RELEASED,
        "zcdp=0.05",
        {
            "less": claiming(zcdp="499/10000"),
            "pair": claiming(epsilon="1/2", delta="9/1000"),
            "leak": leak("gaussian(x, 10)", "gaussian(x, 9)"),
        },
        "ten are one normal law at the distance sqrt(10)/10, nearly, and lose 0.0098 at 1/2",
    ),
)
"""Proofs of other notions: a name, a body, its claim, lies, and why they are."""

WIDER = leak("1 / eps", "1 / (3 * eps)")
BASES = (
    Base("passed", _of(PASSED), {"half": HALF, "null": null(2), "leak": WIDER}),
    Base(
        "noisy",
        _of(NOISY),
        {
            "half": HALF,
            "nearly": NEARLY,
            "leak": WIDER,
            "undefined": leak("eps > 0", "eps > -1"),
            "stated": LESS_STATED,
            "claimed": LESS_CLAIMED,
            "null": null(2),
        },
    ),
    Base(
        "scaled",
        _of(SCALED),
        {"half": HALF, "nearly": NEARLY},
        {"nearly": "the loss is c*eps/(c + 1), for large c more than 0.9*eps"},
    ),
    Base(
        "one sided",
        _of(ONE_SIDED),
        {"told": leak("return 0", "return y"), "sign": leak("return 0", "return 1 if y > 0 else 0")},
    ),
    Base("one sided alone", _of(ONE_SIDED_ALONE), {"told": leak("y >= x", "y >= 0")}),
    Base(
        "sign",
        _of(SIGN),
        {
            "less": less("0.4", "epsilon"),
            "leak": leak("2 / eps", "1 / (3 * eps)"),
            "undefined": leak("eps > 0", "eps > -1"),
        },
    ),
    Base(
        "noisy branch",
        _of(NOISY_BRANCH),
        {
            "less": less("0.4", "epsilon"),
            "leak": leak("2 / eps", "1 / (3 * eps)"),
            "told": leak("z = 0", "z = x"),
            "drawn around it": leak("laplace(0, scale=1)", "laplace(9 * x, scale=1)"),
        },
    ),
    Base(
        "noise alone",
        _of(NOISE_ALONE),
        {
            "told": leak("return y - x", "return y"),
            "anything": ANYTHING,
            "undefined": leak("eps > 0", "eps >= 0"),
        },
    ),
    Base(
        "public branch",
        _of(PUBLIC_BRANCH),
        {"guard": leak("if n < 3", "if x < 3"), "side": leak("y = 2", "y = x"), "anything": ANYTHING},
    ),
    Base("apart", _of(APART), {"sides": leak("x + 1", "x + 2"), "output": leak("y - x == 1", "y == 1")}),
    Base("published", _of(PUBLISHED), {"entry": leak("append(n)", "append(x)")}),
    Base(
        "kept",
        _of(KEPT),
        {
            "output": leak("y - x == 0", "y == 0"),
            "entry": leak("append(x)", "append(n)"),
            "undefined": leak("kept[0]", "kept[1]"),
        },
    ),
    Base(
        "emptied",
        _of(EMPTIED),
        {
            "told": leak("kept = []\n    return", "kept = [x]\n    return"),
            "product": leak("kept = []\n    return", "kept = [x * n]\n    return"),
        },
    ),
    Base(
        "counted", _of(COUNTED), {"guard": leak("i < n", "i < x"), "told": leak("return i", "return i + x")}
    ),
    Base(
        "repeated",
        _of(REPEATED),
        {
            "half": HALF,
            "nearly": NEARLY,
            "leak": WIDER,
            "center": leak("laplace(x,", "laplace(2 * x,"),
            "more": leak("range(n)", "range(n + 1)"),
        },
    ),
    Base(
        "total",
        _of(TOTAL),
        {
            "half": HALF,
            "leak": WIDER,
            "distance": leak("l1_distance(1)", "l1_distance(2)"),
            "all": leak("l1_distance(1)", "linf_distance(1)"),
            "twice": leak("laplace(q[i],", "laplace(q[i] * 2,"),
        },
    ),
    Base(
        "indexed",
        _of(INDEXED),
        {"told": leak("last = q[i]", "last = q[i] + x"), "undefined": leak("q[i]", "q[i + 1]")},
    ),
    Base(
        "halved",
        _of(HALVED),
        {
            "told": leak("return half", "return half + other"),
            "undefined": leak("n >= 2", "n >= 0"),
        },
    ),
    Base(
        "asserted",
        _of(ASSERTED),
        {"told": leak("10 // m", "10 // m + x"), "undefined": leak("m > 0", "m >= 0")},
    ),
    Base(
        "falling",
        _of(FALLING),
        {
            "nearly": NEARLY,
            "leak": leak("sqrt(n - i) / eps", "sqrt(n - i) / (2 * eps)"),
            "one scale": leak("sqrt(n - i) / eps", "sqrt(n - 0) / (9 * eps)"),
        },
        {ALL: "the loss is eps times the sum of 1/sqrt(k) for k up to n, which comes near to 2*sqrt(n)"},
    ),
    Base(
        "inside",
        _of(INSIDE),
        {"half": HALF, "leak": WIDER, "ends": leak("min(x, 1.0)", "min(x * 9.0, 9.0)")},
        {ALL: "for large w the loss is that of one end, which moves by 1 (or 9): eps (3*eps, 9*eps)"},
    ),
    Base(
        "inside, integers",
        _of(DISCRETE),
        {"half": HALF, "leak": WIDER, "ends": leak("min(x, 1)", "min(x * 9, 9)")},
        {ALL: "as on the reals"},
    ),
    Base(
        "between thresholds",
        _golden("between_thresholds_discrete"),
        {
            "distance": leak("linf_distance(1", "linf_distance(9"),
            "tenth": less("0.1", "epsilon"),
        },
        {ALL: "one answer alone costs more"},
    ),
    Base(
        "two parts",
        _of(HELD),
        {"half": HALF, "nearly": NEARLY, "leak": WIDER, "stated": LESS_STATED, "claimed": LESS_CLAIMED},
        {"nearly": "y and z - y far out in both runs: exactly 2*eps"},
    ),
    Base(
        "told by chance",
        _of(LEAK),
        {
            "mass": LESS_MASS,
            "half": less("0.5", "delta"),
            "told": leak("return False, False", "return False, b"),
        },
    ),
    Base(
        "two coins",
        _of(BOTH),
        {"half": HALF, "mass": LESS_MASS, "leak": leak("3 / 4 if", "7 / 8 if")},
        {ALL: "9/16 - 2 * 1/16 is lost at log(2), and more with 7/8"},
    ),
    Base(
        "twice",
        _of(TWICE),
        {
            "stated": LESS_STATED,
            "claimed": LESS_CLAIMED,
            "half": HALF,
            "nearly": NEARLY,
            "more": leak("range(2)", "range(3)"),
        },
    ),
    Base(
        "uniform", _of(UNIFORM), {"mass": LESS_MASS, "leak": leak("x + uniform_int", "2 * x + uniform_int")}
    ),
    Base(
        "vertex cover",
        _of(COVER),
        {"weights": leak("w = 4 / eps", "w = 1 / (20 * eps)"), "hundredth": less("0.01", "epsilon")},
        {ALL: "with n = 3 and one edge, one vertex has the chance 1/3 or w/(2 + 3*w)"},
    ),
    Base(
        "response",
        _proved(RESPONSE),
        {"half": HALF, "nearly": NEARLY, "leak": leak("(bit, eps)", "(bit, 2 * eps)")},
    ),
    Base(
        "one bit",
        _proved(ONE_BIT),
        {"half": HALF, "nearly": NEARLY, "leak": leak("(2 + u) / 4", "(3 + 2 * u) / 6")},
        {ALL: "at -1 and 1 the chances are 1/4 and 3/4, or 1/6 and 5/6: exactly log(3), or log(5)"},
    ),
    Base(
        "bit of a mean",
        _proved(MEAN),
        {"half": HALF, "nearly": NEARLY, "leak": leak("(2 * (exp(eps) + 1))", "(2 * exp(eps) + 1)")},
        {ALL: "at -1 and 1 the chances are 1/(exp(eps) + 1) and its complement: exactly eps, or more"},
    ),
    Base(
        "logistic",
        _proved(LOGISTIC),
        {"half": HALF, "nearly": NEARLY, "leak": leak("-eps * x", "-2 * eps * x")},
        {ALL: "where x is far below 0 the chances are nearly as exp(eps*x), or exp(2*eps*x)"},
    ),
    Base(
        "square",
        _proved(SQUARE),
        {
            "half": HALF,
            "nearly": NEARLY,
            "leak": leak("c * c / eps", "c / eps"),
            "ends": leak("max(x, -c), c)", "max(x, -2 * c), 2 * c)"),
        },
    ),
    Base(
        "weighted",
        _proved(WEIGHTED),
        {
            "half": HALF,
            "nearly": NEARLY,
            "more": leak("w <= 1", "w <= 2"),
            "either": leak("(1 - w) *", "(1 + w) *"),
        },
    ),
    Base(
        "histogram",
        _of(HISTOGRAM),
        {"threshold": leak("y > 11", "y > 5"), "half": HALF, "mass": less("0.1", "delta")},
        {ALL: "an entry of 1 is told with chance exp(-4)/2 or exp(-10)/2; one of 99 loses exactly 1"},
    ),
    Base(
        "best",
        _proved(BEST),
        {"less": less("0.4", "epsilon"), "leak": leak("n, q, eps, 1", "n, q, 3 * eps, 1")},
    ),
    Base("normal", _proved(NORMAL), {"half": HALF, "leak": leak("gaussian(x, 4)", "gaussian(x, 3)")}),
    Base(
        "normal, integers", _proved(INTEGER), {"half": HALF, "leak": leak("gaussian(x, 4)", "gaussian(x, 3)")}
    ),
    Base(
        "normal twice",
        _proved(LOOP),
        {"leak": leak("5.28", "5.27"), "half": HALF, "mass": LESS_MASS},
        {ALL: TIGHT},
    ),
    Base("normal parts", _proved(PARTS), {"leak": leak("5.28", "5.27"), "half": HALF}, {ALL: TIGHT}),
    Base("normal and coins", _proved(COIN), {"leak": leak("5.28", "2.2")}, {ALL: TIGHT}),
    Base("normal pairs", _proved(PAIRS), {"leak": leak(")) / a", ")) / (9 * a)")}),
    Base("normal alone", _of(NORMAL_ALONE), {"told": leak("gaussian(t,", "gaussian(x,")}),
    *(Base(name, document(body, claim), lies, {ALL: why}) for name, body, claim, lies, why in DIVERGENCES),
    Base(
        "shares",
        _proved(VECTOR),
        {
            "less": claiming(gdp="24/100"),
            "rho": claiming(zcdp="31/1000"),
            "pair": claiming(epsilon="1/4", delta="1/1000"),
            "leak": leak("4 * c", "3.9 * c"),
            "twice": leak("gaussian(v,", "gaussian(2 * v,"),
        },
        {ALL: "a vector of one entry has mu = 1/4, and loses 0.0235 at 1/4"},
    ),
    Base(
        "distances",
        _proved(SUM),
        {
            "less": claiming(gdp="24/100"),
            "rho": claiming(zcdp="31/1000"),
            "leak": leak("4 * c", "3.9 * c"),
            "more": leak("l1_distance", "linf_distance"),
        },
        {ALL: "as with shares, or more with each entry"},
    ),
    Base(
        "retried",
        _proved(RETRIED_HEAD + RETRIED),
        {
            "less": less("0.4", "epsilon"),
            "leak": leak("2 / eps", "1 / (3 * eps)"),
            "told": leak("return y", "return x"),
        },
        {ALL: "noise far above 3 costs eps/2 by itself, and 3 times eps with less of it"},
    ),
    Base(
        "sample",
        _proved(SAMPLED),
        {
            "less": stated("proved", epsilon=f"(* 0.9 {SAMPLED_COSTS})"),
            "linear": claiming(epsilon="p*eps"),
            "leak": leak("1 / eps", "9 / (10 * eps)"),
            "all": leak("if bernoulli(p):", "if bernoulli(p) or v > 3:"),
        },
        {ALL: "one record is counted with the chance p; above 3 always"},
    ),
    Base(
        "tail beside squares",
        tail_beside_squares,
        {
            "mass": claiming(epsilon="2", delta="1/5000"),
            "nats": claiming(epsilon="1/2", delta="1/5000"),
            "threshold": leak("y > 8", "y > 5"),
        },
        {ALL: "y is told where x is 1, and not 0, with the chance 0.000245, and 0.0049 if above 5"},
    ),
    Base(
        "coin beside squares",
        coin_beside_squares,
        {
            "nats": claiming(epsilon="9/10", delta="1/10000"),
            "none": claiming(epsilon="1"),
            "leak": leak("(x, 1)", "(x, 3)"),
        },
        {ALL: "the coin alone loses 0.069 at 9/10, and 0.6 at 2 if it costs 3; the rest is not free"},
    ),
    Base(
        "tail",
        _proved("from synth.lang import *\n" + TAIL),
        {"threshold": leak("y > 11", "y > 8"), "mass": less("0.1", "delta"), "half": HALF},
    ),
    Base(
        "above threshold",
        _golden("above_threshold"),
        {"half": HALF, "leak": leak("scale=2 / eps", "scale=1 / (9 * eps)")},
        {ALL: "with many queries the loss comes near to eps, or to that of a threshold of little noise"},
    ),
    Base(
        "noisy max",
        _golden("exponential_by_noise"),
        {"less": less("0.4", "epsilon"), "leak": leak("2 / eps", "1 / (2 * eps)")},
    ),
)
