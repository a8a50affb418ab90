"""Random small mechanisms that claim (epsilon, delta) in numbers: Gaussian noise, tails of Laplace noise.

About half of the claims are true; the others miss by a little or by much.
"""

from __future__ import annotations

import math
import random

_EPSILONS = (0.25, 0.5, 1.0, 2.0, 3.0)
_DELTAS = (0.1, 0.01, 0.001, 0.00001)
_FACTORS = (0.5, 0.8, 0.95, 0.99, 1.01, 1.05, 1.05, 1.3, 1.5, 2.0, 3.0)
"""What the sigma that is needed is multiplied by."""


def claimed_mechanism(rng: random.Random) -> str:
    """A mechanism ``m`` with a claim, without an import line."""
    return _tail(rng) if rng.random() < 0.35 else _gaussian(rng)


def _program(metric: str, epsilon: float, delta: float, parameters: str, body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return (
        f'@mechanism(adjacent={{"x": {metric}}}, epsilon="{epsilon:g}", delta="{delta:.6f}")\n'
        f"def m({parameters}):\n{lines}"
    )


# --- Gaussian noise -------------------------------------------------------------------------


def _normal(value: float) -> float:
    return math.erfc(-value / math.sqrt(2)) / 2


def least_delta(sigma: float, epsilon: float, distance: float) -> float:
    """What one real release needs (Balle & Wang 2018, Theorem 8)."""
    middle, shift = distance / (2 * sigma), epsilon * sigma / distance
    return _normal(middle - shift) - math.exp(epsilon) * _normal(-middle - shift)


def least_sigma(epsilon: float, delta: float, distance: float) -> float:
    """The noise that one real release needs."""
    low, high = 0.01, 1000.0
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if least_delta(middle, epsilon, distance) < delta else (middle, high)
    return high


def _gaussian(rng: random.Random) -> str:
    """One or two releases; where there are two, each may use half of the claim."""
    epsilon, delta = rng.choice(_EPSILONS), rng.choice(_DELTAS)
    sort, distance = rng.choice(("int", "float")), rng.choice((1, 1, 2))
    shape = rng.choice(("one", "two", "either", "maybe", "loop", "leaving", "entries", "beside"))
    uses = 2 if shape in ("two", "maybe", "loop", "leaving") else 1
    left = epsilon / 2 if shape == "beside" else epsilon
    item = "y" if shape == "entries" else "x"
    centers = (item, item, f"{item} + t", f"2 * {item}", f"abs({item})", f"min(max({item}, 0), 3)")
    center = rng.choice(centers)
    factor = 2 if center.startswith("2") else 1
    needed = least_sigma(left / uses, delta / uses, distance * factor)

    def noise() -> str:
        return f"gaussian({center}, {needed * rng.choice(_FACTORS):.3f})"

    bodies = {
        "one": f"return {rng.choice((noise(), noise() + ' > t'))}",
        "two": f"return ({noise()}, {noise()})",
        "either": f"if on:\n    return {noise()}\nreturn {noise()}",
        "maybe": f"y = {noise()}\nz = t\nif {rng.choice(('on', 'y > t'))}:\n    z = {noise()}\nreturn (y, z)",
        "loop": f"out = []\nfor i in range(2):\n    out.append({noise()})\nreturn out",
        "leaving": f"out = []\nfor i in range(2):\n    y = {noise()}\n    out.append(y)\n"
        "    if y > t:\n        break\nreturn out",
        "entries": f"out = []\nfor y in x:\n    out.append({noise()})\nreturn out",
        "beside": f"y = laplace(x, {2 * distance / epsilon:g})\nreturn (y, {noise()})",
    }
    metric = "change_one_distance" if shape == "entries" else "absolute_distance"
    sorts = f"list[{sort}]" if shape == "entries" else sort
    parameters = f"x: {sorts}, t: {sort}, on: bool"
    return _program(f"{metric}({distance})", epsilon, delta, parameters, bodies[shape])


# --- tails of Laplace noise -----------------------------------------------------------------


def _tail(rng: random.Random) -> str:
    """A count that is released only where it is noisily large; the threshold decides about the delta."""
    epsilon, delta = rng.choice(_EPSILONS), rng.choice(_DELTAS)
    sort, distance = rng.choice(("int", "int", "float")), rng.choice((1, 1, 2))
    scale = distance / epsilon * rng.choice((0.8, 1.0, 1.0, 1.0, 1.5))
    threshold = distance + scale * math.log(rng.choice((0.25, 0.5, 0.5, 1.0, 2.0, 4.0)) / delta)
    above = f"y {rng.choice(('>', '>='))} {threshold:.2f}"
    draw = f"y = laplace(x, {scale:g})"
    body = rng.choice(
        (
            f"{draw}\nif x > 0 and {above}:\n    return y\nreturn 0",
            f"if x <= 0:\n    return 0\n{draw}\nif {above}:\n    return y\nreturn 0",
            f"{draw}\nif x <= 0:\n    return 0\nreturn y if {above} else 0",
            f"{draw}\nkept = x > t and y - t > {threshold:.2f}\nreturn y if kept else t",
            f"{draw}\nif abs(y - x) > {threshold:.2f}:\n    return 0\nreturn y",
            f"{draw}\nreturn x > 0 and {above}",
        )
    )
    return _program(f"absolute_distance({distance})", epsilon, delta, f"x: {sort}, t: {sort}", body)
