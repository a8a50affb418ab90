"""[Mix]: a sample of the records costs less than all, if a coin decides of each whether it is taken."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from textwrap import indent
from typing import Any

import pytest

from synth.prover.acceptance import Unknown
from synth.prover.codes import Code
from synth.prover.prove import prove
from synth.prover.templates.loading import load_templates
from synth.trusted.kernel.check import INVALID, VALID, Verdict, check
from synth.trusted.normal_form.sampling import NotSampled, every_record
from tests.soundness.hunts.defined_laws import law
from tests.support.cores import with_program
from tests.support.handmade import program
from tests.support.proving import from_text, proof_of

Json = dict[str, Any]
REQUIRES = 'requires="eps > 0 and 0 <= p and p <= 1 and 0 <= c and c <= 1"'
HEAD = (
    f'@mechanism(adjacent={{"data": add_remove_distance()}}, {REQUIRES})\n'
    "def f(data: list[int], p: float, c: float, t: int, eps: float):\n"
)
COUNT = """
n = 0
for v in data:
    if bernoulli(p) and v > t:
        n += 1
return laplace(n, 1 / eps)
"""
SAMPLE = f"""from synth.lang import *

{HEAD}    n = 0
    for v in data:
        if bernoulli(p):
            n += 1
    return laplace(n, 1 / eps)
"""
MEAN = """
n = 0
total = 0
for v in data:
    if not bernoulli(p):
        continue
    total += min(max(v, 0), 1)
    n += 1
return laplace(n, 1 / eps), laplace(total, 1 / eps)
"""
DELTA = """@mechanism(
    adjacent={"data": add_remove_distance()}, epsilon="log((9 + exp(1))/10)", delta="1/1000"
)
def f(data: list[int]):
    n = 0
    for v in data:
        if bernoulli(0.1):
            n += 1
    return gaussian(n, sqrt(2 * log(125)))
"""


def _text(body: str, head: str = HEAD) -> str:
    return "from synth.lang import *\n\n" + head + indent(body.strip("\n"), "    ") + "\n"


def _data(text: str) -> Json:
    found: Json = json.loads(proof_of(text))
    return found


def _verdict(data: Json) -> Verdict:
    return check(json.dumps(data))


COMPUTED = """
q = p / 2
n = 0
for v in data:
    w = 1 - q
    if bernoulli(1 - w):
        n += 1
return laplace(n, 1 / eps)
"""


@pytest.mark.parametrize(
    ("body", "every"), [(COUNT, "|eps<>|"), (MEAN, "(* 2.0 |eps<>|)"), (COMPUTED, "|eps<>|")]
)
def test_a_sample_costs_less_than_all_records(body: str, every: str) -> None:
    data = _data(_text(body))
    assert data["sampled"] == {"epsilon": every, "delta": "0"}
    assert "log" in data["proved"]["epsilon"]
    assert _verdict(data).verdict == VALID


def test_what_all_records_lose_is_lost_with_the_chance_of_one() -> None:
    data = _data("from synth.lang import *\n\n" + DELTA)
    assert data["sampled"]["delta"] != data["proved"]["delta"]
    assert _verdict(data).verdict == VALID


def _set(*place: str, value: object) -> Callable[[Json], None]:
    def change(data: Json) -> None:
        found: Any = data
        for part in place[:-1]:
            found = found[part]
        found[place[-1]] = value

    return change


LIES: dict[str, Callable[[Json], None]] = {
    "not said": lambda data: data.pop("sampled"),
    "true": _set("sampled", value=True),
    "all records for less": _set("sampled", "epsilon", value="(/ |eps<>| 2.0)"),
    "all records for less than nothing": _set("sampled", "epsilon", value="(- |eps<>|)"),
    "a smaller chance": _set("proved", "epsilon", value="(* |p<>| |eps<>|)"),
    "nothing": _set("proved", "epsilon", value="0.0"),
    "the data's coin": _set("sampled", "epsilon", value="|n<1>|"),
    "a claim of p*eps": _set("claim", "epsilon", value="p*eps"),
    "a notion": _set("gaussian", value={"square": "0.0", "epsilon": "0", "delta": "0", "notion": "gdp"}),
}


@pytest.mark.parametrize("name", LIES)
def test_lies_are_refused(name: str) -> None:
    data = _data(_text(COUNT))
    LIES[name](data)
    assert _verdict(data).verdict == INVALID


@pytest.mark.parametrize("delta", ["(* 0.99 (/ 1.0 1000.0))", "0.0"])
def test_a_mass_that_is_too_small(delta: str) -> None:
    data = _data("from synth.lang import *\n\n" + DELTA)
    data["proved"]["delta"] = delta
    assert _verdict(data).verdict == INVALID


def _of_another(data: Json, text: str) -> Verdict:
    """What the kernel says of a certificate that is said to be about another program."""
    return _verdict(with_program(data, program(text)))


def test_a_chance_that_may_be_above_1() -> None:
    """[Safe] asks that of a coin where it is tossed only."""
    body = f"\nif p <= 1:\n{indent(COUNT.strip(), '    ')}\nreturn 0\n"
    data = {**_data(_text(body)), "by_state": [0]}
    assert _verdict(data).verdict == VALID
    found = _of_another(data, _text(body, HEAD.replace(" and p <= 1", "")))
    assert (found.verdict, found.rule, found.place) == (INVALID, "Mix", "sampled")


def test_a_bound_that_misses_the_claim_is_told() -> None:
    head = HEAD.replace("requires=", 'epsilon="p*eps", requires=')
    found = prove(from_text(head + indent(COUNT.strip("\n"), "    ") + "\n"), load_templates())
    assert isinstance(found, Unknown)
    assert found.why.code is Code.BOUND_MISSES_CLAIM and "exp" in found.reason


OTHERS = {
    "all records are counted, too": """
n = 0
m = 0
for v in data:
    m += 1
    if bernoulli(p):
        n += v
return laplace(n, 1), laplace(m, 1)""",
    "all records in a loop of their own": """
n = len(data)
for v in data:
    if bernoulli(p):
        n += 1
return laplace(n, 1)""",
    "one coin for all": """
n = 0
b = bernoulli(p)
for v in data:
    if b:
        n += 1
return laplace(n, 1)""",
    "the coin of the last one": """
n = 0
b = False
for v in data:
    b = bernoulli(p)
    if b:
        n += 1
return laplace(n, 1), b""",
    "a coin that tails change": """
n = 0
for v in data:
    if bernoulli(p):
        n += 1
    else:
        n -= 1
return laplace(n, 1)""",
    "a coin of the record": """
n = 0
for v in data:
    if bernoulli(p if v > 0 else 1):
        n += 1
return laplace(n, 1)""",
    "a chance that grows": """
n = 0
q = p
for v in data:
    if bernoulli(min(q, 1)):
        n += 1
        q = 1
return laplace(n, 1)""",
    "a chance that a branch chooses": """
n = 0
q = p
if t > 0:
    q = c
for v in data:
    if bernoulli(q):
        n += 1
return laplace(n, 1)""",
    "a chance that noise chooses": """
n = 0
q = 1 / (1 + abs(laplace(0, 1)))
for v in data:
    if bernoulli(q):
        n += 1
return laplace(n, 1)""",
    "a chance that the records choose": """
n = 0
for v in data:
    q = 1 / (1 + abs(n))
    if bernoulli(q):
        n += 1
return laplace(n, 1)""",
    "each record twice": """
n = 0
for k in range(2):
    for v in data:
        if bernoulli(p):
            n += 1
return laplace(n, 1)""",
    "two samples": """
n = 0
for v in data:
    if bernoulli(p):
        n += 1
for v in data:
    if bernoulli(p):
        n += 1
return laplace(n, 1)""",
    "what is known before the coin": """
n = 0
last = 0
for v in data:
    last = v
    if bernoulli(p):
        n += 1
return laplace(n, 1), last""",
    "what the record before left": """
n = 0
last = 0
for v in data:
    w = last
    last = v
    if bernoulli(p) and w > 0:
        n += 1
return laplace(n, 1)""",
    "either of two coins": """
n = 0
for v in data:
    if bernoulli(p) or bernoulli(p):
        n += 1
return laplace(n, 1)""",
    "a list that grows in any case": """
xs = []
for v in data:
    xs.append(v)
    if bernoulli(p):
        xs.append(v)
return [laplace(x, 1) for x in xs]""",
    "what is computed behind the coin": """
n = 0
last = 0
for v in data:
    b = bernoulli(p)
    last = v
    if b:
        n += last
return laplace(n, 1), last""",
    "what is computed behind the coin, for the next record": """
n = 0
last = 0
for v in data:
    b = bernoulli(p)
    n += last
    last = v
    if b:
        n += 1
return laplace(n, 1)""",
    "a coin that is turned": """
n = 0
for v in data:
    b = bernoulli(p)
    b = not b
    if b:
        n += 1
return laplace(n, 1)""",
    "a coin that is forgotten": """
n = 0
for v in data:
    b = bernoulli(p)
    b = v > 0
    if b:
        n += 1
return laplace(n, 1)""",
    "a coin that its first use changes": """
n = 0
m = 0
for v in data:
    b = bernoulli(p)
    if b:
        n += 1
        b = False
    if b:
        m += 1
return laplace(n, 1), laplace(m, 1)""",
    "a coin that is read": """
n = 0
for v in data:
    b = bernoulli(p)
    w = 1 if b else 0
    if b:
        n += w
return laplace(n, 1)""",
    "something else is added": """
n = 0
for v in data:
    n = n + (v if bernoulli(p) else 1)
return laplace(n, 1)""",
    "something is subtracted for tails": """
n = 0
for v in data:
    n = n + (0 if bernoulli(p) else v)
return laplace(n, 1)""",
    "a sum begins anew": """
n = 0
m = 0
for v in data:
    n = m + (v if bernoulli(p) else 0)
return laplace(n, 1)""",
    "a number that is counted in any case, and told": """
n = 0
m = 0
for v in data:
    b = bernoulli(p)
    m = m + 1
    if b:
        n += 1
return laplace(n, 1), m""",
    "a branch for tails": """
n = 0
m = 0
for v in data:
    b = bernoulli(p)
    if b:
        n += 1
    if not b:
        m += 1
return laplace(n, 1), m""",
    "an end before the coin": """
n = 0
for v in data:
    if v > 5:
        break
    if bernoulli(p):
        n += 1
return laplace(n, 1)""",
}
HEADS = {
    "another distance": HEAD.replace("add_remove_distance()", "add_remove_distance(2)"),
    "changed records": HEAD.replace("add_remove_distance()", "change_one_distance()"),
    "something else differs": HEAD.replace("}, requires", ', "t": absolute_distance(1)}, requires'),
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_programs_that_take_no_sample(body: str) -> None:
    with pytest.raises(NotSampled):
        every_record(from_text(HEAD + indent(body.strip("\n"), "    ") + "\n"))


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_adjacencies_that_are_no_sample_s(head: str) -> None:
    with pytest.raises(NotSampled):
        every_record(from_text(head + indent(COUNT.strip("\n"), "    ") + "\n"))


def test_the_rule_is_refused_of_such_a_program() -> None:
    found = _of_another(_data(_text(COUNT)), _text(OTHERS["either of two coins"]))
    assert (found.verdict, found.rule, found.place) == (INVALID, "Mix", "sampled")


# --- by the definition ----------------------------------------------------------------------

SAMPLES = {
    "a count": "n = 0\nfor v in data:\n    if bernoulli(1/3):\n        n += 1\nreturn n",
    "a condition first": (
        "n = 0\nfor v in data:\n    w = v * 2\n    if bernoulli(1/3) and w > t:\n        n += w\nreturn n"
    ),
    "continue": (
        "n = 0\nfor v in data:\n    if not bernoulli(1/3):\n        continue\n    n = n * 2 + v\nreturn n"
    ),
    "a break": "n = 0\nfor v in data:\n    if bernoulli(1/3):\n        n = v\n        break\nreturn n",
    "a list": "xs = [v for v in data if bernoulli(1/3)]\nreturn xs, len(xs)",
    "computed behind the coin": (
        "n = 0\nfor v in data:\n    b = bernoulli(1/3)\n    w = v * 2\n    if b and w > t:\n"
        "        n += w\nreturn n"
    ),
    "two uses": (
        "n = 0\nm = 0\nfor v in data:\n    b = bernoulli(1/3)\n    if b:\n        n += v\n"
        "    if b and n > 3:\n        m += 1\nreturn n, m"
    ),
    "a sum of chosen values": (
        "n = 0\nfor v in data:\n    b = bernoulli(1/3)\n    n += v if b and v > t else 0\n"
        "    if b:\n        n += 1\nreturn n"
    ),
    "a name that is used again": (
        "xs = []\nfor v in data:\n    if bernoulli(1/3):\n        xs.append(v)\nn = 0\n"
        "for v in xs:\n    n += v\nreturn n"
    ),
    "numbers of records that nobody reads": (
        "n = 0\nk = 0\nj = 0\nfor v in data:\n    j = k + v\n    if bernoulli(1/3):\n        n += v\n"
        "    k = j + 1\nreturn n"
    ),
    "positions": (
        "n = 0\ni = 0\nwhile i < len(data):\n    v = data[i]\n    if bernoulli(1/3):\n        n += v\n"
        "    i += 1\nreturn n"
    ),
    "another coin inside": (
        "n = 0\nfor v in data:\n    if bernoulli(1/3):\n"
        "        if bernoulli(1/5):\n            n += v\nreturn n"
    ),
}


def _chances(mechanism: Any, data: tuple[int, ...], present: tuple[bool, ...]) -> dict[Any, Fraction]:
    inputs = {"data": data, "data.present": present, "t": 1, "p": Fraction(1, 3), "c": 0, "eps": Fraction(1)}
    found = law(mechanism, {item.name: inputs[item.name] for item in mechanism.visible})
    assert found is not None and not found.unfinished
    return dict(found.outputs)


def _subsets(present: tuple[bool, ...]) -> Iterator[tuple[Fraction, tuple[bool, ...]]]:
    for coins in product((False, True), repeat=len(present)):
        chance = Fraction(1)
        for coin in coins:
            chance *= Fraction(1, 3) if coin else Fraction(2, 3)
        yield chance, tuple(one and other for one, other in zip(present, coins, strict=True))


@pytest.mark.parametrize("body", SAMPLES.values(), ids=SAMPLES)
@pytest.mark.parametrize("present", list(product((False, True), repeat=3)))
def test_a_sample_is_the_mean_over_the_records_that_it_takes(body: str, present: tuple[bool, ...]) -> None:
    mechanism = from_text(HEAD + indent(body, "    ") + "\n")
    every = every_record(mechanism).every
    expected: dict[Any, Fraction] = {}
    for chance, taken in _subsets(present):
        for output, of_it in _chances(every, (3, 1, 2), taken).items():
            expected[output] = expected.get(output, Fraction(0)) + chance * of_it
    found = _chances(mechanism, (3, 1, 2), present)
    assert found == {output: chance for output, chance in expected.items() if chance}


def test_a_sample_of_nothing_costs_nothing() -> None:
    """What may be asked of all records isn't divided by the chance 0."""
    nothing = SAMPLE.replace("bernoulli(p)", "bernoulli(0)")
    data = _data(nothing.replace("@mechanism(", '@mechanism(epsilon="0", delta="1/1000", '))
    assert data["sampled"]["epsilon"] == "|eps<>|"
    assert _verdict(data).verdict == VALID
