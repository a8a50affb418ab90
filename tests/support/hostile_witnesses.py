"""Small witnesses that take long: numbers that double their length in each step, large powers, endless runs.

Each function gives a document; the larger its number, the longer what is asked for.
"""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]


def witness(lines: list[str], value: object = 0, x: object = 0, result: str = "int") -> Document:
    """A document against a mechanism that runs these lines on two inputs and returns ``value``."""
    head = [
        "from synth.lang import *",
        "",
        "",
        '@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1)',
        f"def hostile(x: int) -> {result}:",
    ]
    event = {"values": [value], "lists": []}
    return {
        "kind": "witness",
        "program": "\n".join([*head, *(f"    {line}" for line in lines), ""]),
        "mechanism": "hostile",
        "epsilon": None,
        "delta": None,
        "witness": {
            "parameters": {},
            "left": {"x": x},
            "right": {"x": x},
            "events": [event],
            "probability_left": [0, 1],
            "probability_right": [0, 1],
            "epsilon_at_least": 0,
        },
    }


def squares(times: int) -> Document:
    """A number that is squared again and again."""
    return witness([*["y = x + 2"], *["y = y * y"] * times, "return y"])


def squares_in_a_loop(times: int) -> Document:
    """A number that is squared in a loop, with a fraction."""
    lines = ["y = 3 / 2", f"for i in range({times}):", "    y = y * y + x", "return y"]
    return witness(lines, 0, 0, "float")


def power(exponent: int) -> Document:
    """A large power."""
    return witness([f"y = (x + 3) ** {exponent}", "return y"])


def power_of_powers(levels: int) -> Document:
    """A power whose exponent is one."""
    return witness(["y = x + 7", *["y = 7 ** y"] * levels, "return y"])


def doubled(times: int) -> Document:
    """A number that is doubled in a loop, as long as the steps last."""
    return witness(["y = 1", f"for i in range({times}):", "    y = y + y", "return y"])


def numeral(text: str) -> Document:
    """An input that is a large number."""
    return witness(["return x"], 0, text)


def endless() -> Document:
    """A loop without end."""
    return witness(["y = 0", "while y <= 0:", "    y = y - 1", "return y"])


def draws_in_a_loop(times: int) -> Document:
    """Very many draws, one after the other, all of which matter."""
    lines = [
        "y = 0",
        f"for i in range({times}):",
        "    c = bernoulli(1 / 2)",
        "    if c:",
        "        y = 2 * y + 1",
    ]
    return witness([*lines, "    else:", "        y = 2 * y", "return y"])


def exponential(argument: str) -> Document:
    """exp of a large number, as a chance."""
    return witness([f"c = bernoulli(1 / (1 + exp({argument} + x)))", "return 1 if c else 0"])


def wide_noise(scale: str) -> Document:
    """Noise of a large scale."""
    return witness([f"y = laplace(x, scale={scale})", "return y"])


def wide_gaussian(sigma: str) -> Document:
    """Gaussian noise of a large scale."""
    return witness([f"y = gaussian(x, {sigma})", "return y"])


def choices(count: int) -> Document:
    """A choice among many, again and again."""
    lines = ["y = 0", "for i in range(50):", f"    c = choice({count}, lambda r: 0 * r)", "    y = y * 3 + c"]
    return witness([*lines, "return y"])
