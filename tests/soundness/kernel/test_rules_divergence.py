"""Claims of GDP and zCDP: the squares of all that is moved are within the claim, and nothing else is paid."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from synth.trusted.frontend.claim import Claim
from synth.trusted.kernel.check import INVALID, VALID, Verdict, check, follows, parse
from tests.support.proving import proof_of

Json = dict[str, Any]
HEAD = "from synth.lang import *\n\n"


def _program(body: str, claim: str) -> str:
    requires = "s > 0 and b > 0 and n >= 1" if "n: int" in body else "s > 0 and b > 0"
    stated = f'adjacent={{"x": absolute_distance(1)}}, requires="{requires}", {claim}'
    return f"{HEAD}@mechanism({stated})\n{body}"


GAUSSIAN = "def f(x: float, s: float, b: float) -> float:\n    return gaussian(x, s)\n"
LAPLACE = "def f(x: float, s: float, b: float) -> float:\n    return laplace(x, b)\n"
INTEGER = GAUSSIAN.replace("x: float", "x: int").replace("-> float", "-> int")
BOTH = (
    "def f(x: float, s: float, b: float) -> tuple[float, float]:\n"
    "    y = gaussian(x, s)\n"
    "    z = laplace(x, b)\n"
    "    return y, z\n"
)
CHOICE = (
    "def f(x: float, s: float, b: float, n: int) -> int:\n"
    "    return choice(n, lambda r: b * (x if r == 0 else -x))\n"
)
CHOICE_AND_LAPLACE = (
    "def f(x: float, s: float, b: float, n: int) -> list[float]:\n"
    "    out = []\n"
    "    for i in range(2):\n"
    "        r = choice(n, lambda r: b * (x if r == i else 0))\n"
    "        out.append(laplace(x - r, s))\n"
    "    return out\n"
)
OFTEN_SILENT = (
    "def f(x: int, s: float, b: float) -> list[bool]:\n"
    "    out = []\n"
    "    for i in range(1):\n"
    "        answer = randomized_response(x > 0, b)\n"
    "        assert answer\n"
    "        out.append(answer)\n"
    "    return out\n"
)
RESPONSE = "def f(x: int, s: float, b: float) -> bool:\n    return randomized_response(x > 0, b)\n"
RESPONSE_AND_NOISE = (
    "def f(x: int, s: float, b: float) -> tuple[bool, int]:\n"
    "    answer = randomized_response(x > 0, b)\n"
    "    return answer, gaussian(x, s)\n"
)
TWO_RESPONSES = (
    "def f(x: int, s: float, b: float) -> tuple[bool, bool]:\n"
    "    answer = randomized_response(x > 0, b)\n"
    "    other = randomized_response(x > 0, b)\n"
    "    return answer, other\n"
)
TWICE = (
    "def f(x: float, s: float, b: float) -> list[float]:\n"
    "    out = []\n"
    "    for i in range(2):\n"
    "        out.append(gaussian(x, s))\n"
    "    return out\n"
)


def _data(body: str, claim: str) -> Json:
    found: Json = json.loads(proof_of(_program(body, claim)))
    return found


def _verdict(data: Json) -> Verdict:
    return check(json.dumps(data))


@pytest.mark.parametrize(
    ("body", "claim"),
    [
        (GAUSSIAN, 'gdp="1 / s"'),
        (GAUSSIAN, 'zcdp="1 / (2 * s**2)"'),
        (INTEGER, 'zcdp="1 / (2 * s**2)"'),
        (LAPLACE, 'zcdp="1 / (2 * b**2)"'),
        (BOTH, 'zcdp="1 / (2 * b**2) + 1 / (2 * s**2)"'),
        (TWICE, 'gdp="sqrt(2) / s"'),
        (TWICE, 'zcdp="1 / s**2"'),
        (CHOICE, 'zcdp="b**2 / 2"'),
        (CHOICE_AND_LAPLACE, 'zcdp="b**2 / 4 + 1 / s**2"'),
        (RESPONSE, 'zcdp="b**2 / 2"'),
    ],
    ids=[
        *("normal", "normal, rho", "integers", "laplace", "both", "twice", "twice, rho", "choice", "choices"),
        "response",
    ],
)
def test_the_least_bound_is_valid_and_less_is_not(body: str, claim: str) -> None:
    data = _data(body, claim)
    assert _verdict(data).verdict == VALID
    (name,) = data["claim"].keys() - {"epsilon", "delta"}
    data["claim"][name] = f"99/100*({data['claim'][name]})"
    found = _verdict(data)
    assert (found.verdict, found.rule) == (INVALID, "Conseq")


def _as(notion: str, claim: str) -> Callable[[Json], None]:
    def change(data: Json) -> None:
        data["gaussian"]["notion"] = notion
        data["claim"] = {"epsilon": None, "delta": None, notion: claim}

    return change


def _claiming(claim: Json) -> Callable[[Json], None]:
    return lambda data: data.update(claim={"epsilon": None, "delta": None, **claim})


def _unpaid(data: Json) -> None:
    del data["gaussian"]["notion"]


def _paid(data: Json) -> None:
    data["gaussian"] |= {"epsilon": "0.0", "delta": "0.5"}


FORGED: dict[str, tuple[str, str, Callable[[Json], None]]] = {
    "Laplace noise is no Gaussian noise": (LAPLACE, 'zcdp="1 / (2 * b**2)"', _as("gdp", "1 / b")),
    "Laplace noise beside Gaussian noise": (
        BOTH,
        'zcdp="1 / (2 * b**2) + 1 / (2 * s**2)"',
        _as("gdp", "1 / b + 1 / s"),
    ),
    "on integers no law is normal": (INTEGER, 'zcdp="1 / (2 * s**2)"', _as("gdp", "1 / s")),
    "squares are no epsilon": (LAPLACE, 'zcdp="1 / (2 * b**2)"', _claiming({"epsilon": "0"})),
    "squares are no epsilon without a claim": (LAPLACE, 'zcdp="1 / (2 * b**2)"', _claiming({})),
    "squares are no epsilon with a delta": (
        GAUSSIAN,
        'gdp="1 / s"',
        _claiming({"epsilon": "1", "delta": "0.5"}),
    ),
    "nobody pays": (GAUSSIAN, 'gdp="1 / s"', _unpaid),
    "nobody pays for Laplace noise": (LAPLACE, 'zcdp="1 / (2 * b**2)"', _unpaid),
    "something is paid as well": (GAUSSIAN, 'gdp="1 / s"', _paid),
    "no such notion": (GAUSSIAN, 'gdp="1 / s"', lambda data: data["gaussian"].update(notion="rdp")),
    "a negative claim": (GAUSSIAN, 'gdp="1 / s"', _claiming({"gdp": "-1 / s"})),
    "two claims": (GAUSSIAN, 'gdp="1 / s"', _claiming({"gdp": "1 / s", "zcdp": "1"})),
    "an epsilon beside it": (GAUSSIAN, 'gdp="1 / s"', _claiming({"gdp": "1 / s", "epsilon": "1"})),
    "a smaller sum": (GAUSSIAN, 'gdp="1 / s"', lambda data: data["gaussian"].update(square="0.0")),
    "free squares": (LAPLACE, 'zcdp="1 / (2 * b**2)"', lambda data: _cost(data).update(square="0.0")),
    "nats beside the squares": (
        LAPLACE,
        'zcdp="1 / (2 * b**2)"',
        lambda data: (_in_nats(data), data["proved"].update(epsilon="(/ 1.0 |b<>|)")),
    ),
    "an epsilon is no mu": (RESPONSE, 'zcdp="b**2 / 2"', _claiming({"gdp": "b"})),
    "an epsilon that is too small": (
        RESPONSE,
        'zcdp="b**2 / 2"',
        lambda data: data["proved"].update(epsilon="(* 0.5 |b<>|)"),
    ),
    "a negative epsilon": (
        RESPONSE,
        'zcdp="b**2 / 2"',
        lambda data: data["proved"].update(epsilon="(- |b<>|)"),
    ),
    "an epsilon with a delta": (
        RESPONSE,
        'zcdp="b**2 / 2"',
        lambda data: data["proved"].update(delta="(/ 1.0 1000.0)"),
    ),
    "an epsilon of a part that is not summed up": (
        RESPONSE_AND_NOISE,
        'zcdp="b**2 / 2 + 1 / (2 * s**2)"',
        lambda data: data["gaussian"].update(square=data["parts"][1]["gaussian"]["square"]),
    ),
    "an epsilon of a part, in mu": (
        RESPONSE_AND_NOISE,
        'zcdp="b**2 / 2 + 1 / (2 * s**2)"',
        _as("gdp", "b + 1 / s"),
    ),
    "a choice is no Gaussian noise": (CHOICE, 'zcdp="b**2 / 2"', _as("gdp", "b")),
    "nobody pays for a choice": (CHOICE, 'zcdp="b**2 / 2"', _unpaid),
    "a choice with free squares": (CHOICE, 'zcdp="b**2 / 2"', lambda data: _cost(data).update(square="0.0")),
    "a narrow choice": (CHOICE, 'zcdp="b**2 / 2"', lambda data: _chosen(data).update(within="1.0")),
    "a choice that is not paid": (CHOICE, 'zcdp="b**2 / 2"', lambda data: _chosen(data).pop("cost")),
    "a choice, by half of its square": (
        CHOICE,
        'zcdp="b**2 / 2"',
        lambda data: _cost(data).update(square=f"(* 0.5 {_cost(data)['square']})"),
    ),
    "a choice in nats": (
        CHOICE,
        'zcdp="b**2 / 2"',
        lambda data: (_in_nats(data), _cost(data).update(weight="(* 2.0 |b<>|)")),
    ),
    "a choice beside events": (
        CHOICE,
        'zcdp="b**2 / 2"',
        lambda data: data["events"].update({"return.0": "Int"}),
    ),
    "nats that are not counted": (LAPLACE, 'zcdp="1 / (2 * b**2)"', lambda data: _in_nats(data)),
}


def _cost(data: Json) -> Json:
    cost: Json
    (cost,) = data["costs"].values()
    return cost


def _chosen(data: Json) -> Json:
    found: Json = next(node for node in data["derivation"]["premises"] if node["rule"] == "Choice")
    return found


def _in_nats(data: Json) -> None:
    cost = _cost(data)
    del cost["square"]
    cost["weight"] = "(/ 1.0 |b<>|)"


@pytest.mark.parametrize(("body", "claim", "change"), FORGED.values(), ids=FORGED)
def test_a_forged_certificate_is_refused(body: str, claim: str, change: Callable[[Json], None]) -> None:
    data = _data(body, claim)
    assert _verdict(data).verdict == VALID
    change(data)
    assert _verdict(data).verdict == INVALID


def test_a_normal_law_is_concentrated_and_nothing_else_follows() -> None:
    certificate = parse(proof_of(_program(GAUSSIAN, 'gdp="1 / s"')))
    assert follows(certificate, Claim(zcdp="1 / (2 * s**2)"))
    assert not follows(certificate, Claim(zcdp="1 / (3 * s**2)"))
    assert not follows(certificate, Claim(epsilon="1 / s"))
    assert not follows(certificate, Claim(epsilon="1", delta="0.9"))
    concentrated = parse(proof_of(_program(LAPLACE, 'zcdp="1 / (2 * b**2)"')))
    assert not follows(concentrated, Claim(gdp="1 / b"))
    assert not follows(concentrated, Claim(epsilon="0"))
    assert not follows(concentrated, Claim(epsilon="1 / b"))


RELEASES = (
    "def f(x: int, s: float, b: float) -> list[int]:\n"
    "    out = []\n"
    "    for i in range(10):\n"
    "        out.append(NOISE)\n"
    "    return out\n"
)
RELEASED = RELEASES.replace("NOISE", "gaussian(x, 10)")
TAIL = f"""{HEAD}@mechanism(adjacent={{"x": absolute_distance(1)}}, epsilon="2", delta="0.001")
def f(x: int) -> tuple[list[int], int]:
    out = []
    for i in range(100):
        out.append(laplace(x, 100))
    y = laplace(x, 1)
    if x > 0 and y > 8:
        return out, y
    return out, 0
"""
COIN = f"""{HEAD}@mechanism(adjacent={{"x": discrete_distance()}}, epsilon="2", delta="0.001")
def f(x: bool) -> tuple[bool, int, int]:
    r = randomized_response(x, 1)
    n = 1 if x else 0
    a = gaussian(n, 20)
    b = gaussian(n, 20)
    return r, a, b
"""


def document(body: str, claim: str) -> Callable[[], Json]:
    """A proof of a claim of another notion than (epsilon, delta)."""
    return lambda: _data(body, claim)


def tail_beside_squares() -> Json:
    """A hundred times Laplace noise by its squares, and behind a cut some that loses a tail."""
    return _by_squares(TAIL, 0, "(/ 1.0 10000.0)", "100", "0.9")


def coin_beside_squares() -> Json:
    """A truth value by its chances, and behind a cut Gaussian noise on integers by its squares."""
    return _by_squares(COIN, 1, "(/ 1.0 400.0)", "2", "0.0")


def _by_squares(text: str, part: int, each: str, bound: str, mass: str) -> Json:
    """A proof of (2, 1/1000) in two parts, one of them by squares; ``mass`` thousandths are lost beside."""
    data: Json = json.loads(proof_of(text))
    noise = {"square": f"(* {each} {bound}.0)", "notion": "zcdp"}
    cost = {"cost#0": {"sort": "Int", "square": each, "bound": bound}}
    lost = {"epsilon": "1.0", "delta": f"(/ {mass} 1000.0)"}
    data["parts"][part] |= {"costs": cost, "gaussian": noise, "proved": {"epsilon": "0.0", "delta": "0"}}
    data["parts"][1 - part]["proved"] = lost
    for other in data["parts"][1 - part]["costs"].values():
        if "delta" in other:
            other["delta"] = lost["delta"]
    return data | {"gaussian": noise, "proved": lost}


@pytest.mark.parametrize("noise", ["gaussian(x, 10)", "laplace(x, 10)"])
def test_a_sum_of_squares_is_worth_an_epsilon_and_a_delta(noise: str) -> None:
    certificate = parse(proof_of(_program(RELEASES.replace("NOISE", noise), "zcdp=0.05")))
    assert certificate.gaussian is not None
    assert follows(certificate, Claim("1", "0.000386"))
    assert not follows(certificate, Claim("1", "0.000385"))
    assert not follows(certificate, Claim("1", None)) and not follows(certificate, Claim(None, "0.9"))
    assert not follows(certificate, Claim("0.01", "0.1"))


def test_advanced_composition() -> None:
    """Dwork, Rothblum & Vadhan 2010, as Bun & Steinke 2016, Prop. 1.3 have it."""
    body = RELEASES.replace("range(10)", "range(k)").replace("s: float", "k: int")
    body = body.replace("NOISE", "laplace(x, b)").replace("b: float", "b: float, d: float")
    stated = 'adjacent={"x": absolute_distance(1)}, requires="b > 0 and k > 0 and 0 < d and d < 1"'
    head = f'from math import log, sqrt\n{HEAD}@mechanism({stated}, zcdp="k / (2 * b**2)")\n'
    certificate = parse(proof_of(head + body))
    enough = "k / (2 * b**2) + sqrt(2 * k * log(1 / d)) / b"
    assert follows(certificate, Claim(enough, "d"))
    assert not follows(certificate, Claim(f"{enough} - k / (4 * b**2)", "d"))


def test_an_epsilon_is_no_rho_where_a_run_may_end_without_output() -> None:
    """There the chances don't add up to 1: of 1 and exp(-ε) the divergence of order near 1 is ε, not ε²/2."""
    data: Json = json.loads(proof_of(_program(OFTEN_SILENT, 'epsilon="b"')))
    assert _verdict(data).verdict == VALID
    data["claim"] = {"epsilon": None, "delta": None, "zcdp": "b**2 / 2"}
    found = _verdict(data)
    assert (found.verdict, found.rule) == (INVALID, "Conseq")


def test_an_epsilon_of_a_part_is_no_square_of_gaussian_noise() -> None:
    """Two responses that cost b each are b²-zCDP, but at b = 1 they aren't even 1.5-GDP."""
    data = _data(TWO_RESPONSES, 'zcdp="b**2"')
    assert _verdict(data).verdict == VALID
    assert not follows(parse(json.dumps(data)), Claim(gdp="1.5 * b"))
    data["gaussian"]["notion"] = "gdp"
    assert _verdict(data).verdict == INVALID


def test_no_squares_beside_events() -> None:
    """What a coupling may know of the output decides the map: for each output another one."""
    data = _data(LAPLACE, 'zcdp="1 / (2 * b**2)"')
    data["events"] = {"return.0": "Real"}
    assert _verdict(data).verdict == INVALID


def test_each_part_sums_up_for_the_notion_of_the_whole() -> None:
    text = _program(BOTH, 'zcdp="1 / (2 * b**2) + 1 / (2 * s**2)"')
    data: Json = json.loads(proof_of(text))
    assert len(data["parts"]) == 2
    for part in data["parts"]:
        changed = json.loads(json.dumps(data))
        changed["parts"][data["parts"].index(part)]["gaussian"]["notion"] = "gdp"
        assert _verdict(changed).verdict == INVALID
        changed = json.loads(json.dumps(data))
        del changed["parts"][data["parts"].index(part)]["gaussian"]["notion"]
        assert _verdict(changed).verdict == INVALID
    less = json.loads(json.dumps(data))
    less["gaussian"]["square"] = less["parts"][0]["gaussian"]["square"]
    less["claim"]["zcdp"] = "1 / (2 * b**2) + 1 / (2 * s**2)"
    assert _verdict(less).verdict == INVALID


@pytest.mark.parametrize("of", [tail_beside_squares, coin_beside_squares])
def test_squares_stand_beside_what_costs_nats_and_mass(of: Callable[[], Json]) -> None:
    data = of()
    assert _verdict(data).verdict == VALID
    less = data | {"claim": {"epsilon": "1", "delta": "1/1000"}}
    found = _verdict(less)
    assert (found.verdict, found.rule) == (INVALID, "Conseq")
