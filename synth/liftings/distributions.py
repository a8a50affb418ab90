"""Two finite distributions and a relation between their values, read from a JSON file that anybody wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Generic, TypeVar

from synth.trusted.errors import SynthError
from synth.trusted.json_reader import DECIMALS, Json, JsonError, read_json

A = TypeVar("A", str, int)

EQUALITY = "equality"
_FRACTION = re.compile(r"[0-9]{1,400}/[0-9]{1,400}")
_DECIMAL = re.compile(DECIMALS)


@dataclass(frozen=True)
class Distributions(Generic[A]):
    """Masses of the left and the right values, which sum to 1 at the most, and the related pairs.

    ``is_equality`` says that pairs are related that have one name.
    """

    left: dict[A, Fraction]
    right: dict[A, Fraction]
    pairs: tuple[tuple[A, A], ...]
    is_equality: bool


@dataclass
class DistributionsError(SynthError):
    """A file that holds no two distributions and a relation; the message says where."""


def read_distributions(text: str) -> Distributions[str]:
    """The distributions of a document.  Raises DistributionsError."""
    try:
        content = read_json(text, DECIMALS)
    except JsonError as error:
        raise DistributionsError(str(error)) from None
    if not isinstance(content, dict) or set(content) != {"left", "right", "relation"}:
        raise DistributionsError("an object with 'left', 'right' and 'relation' is needed, and nothing else")
    left, right = (_masses(content[side], side) for side in ("left", "right"))
    if content["relation"] == EQUALITY:
        return Distributions(left, right, tuple((name, name) for name in left if name in right), True)
    return Distributions(left, right, _pairs(content["relation"], left, right), False)


def _masses(content: Json, side: str) -> dict[str, Fraction]:
    if not isinstance(content, dict):
        raise DistributionsError(f"{side}: an object of values with their probabilities is needed")
    return checked({name: probability(item, f"{side}: '{name}'") for name, item in content.items()}, side)


def checked(masses: dict[A, Fraction], side: str) -> dict[A, Fraction]:
    """Masses that sum to 1 at the most.  Raises DistributionsError."""
    if sum(masses.values()) > 1:
        raise DistributionsError(f"{side}: the probabilities sum to more than 1")
    return masses


def probability(content: Json | Fraction, place: str) -> Fraction:
    """A number as JSON has it, or text as 1/3; exact in both cases.  Raises DistributionsError."""
    match content:
        case str() if _FRACTION.fullmatch(content) or _DECIMAL.fullmatch(content):
            written: str | int | Decimal | Fraction = content
        case int() | Decimal() | Fraction() if not isinstance(content, bool):
            written = content
        case _:
            raise DistributionsError(f'{place}: a probability is needed, as 0.25 or "1/3"')
    try:
        number = Fraction(written)
    except ZeroDivisionError:
        raise DistributionsError(f"{place}: a division by 0") from None
    if not 0 <= number <= 1:
        raise DistributionsError(f"{place}: a probability is between 0 and 1")
    return number


def _pairs(
    content: Json, left: dict[str, Fraction], right: dict[str, Fraction]
) -> tuple[tuple[str, str], ...]:
    if not isinstance(content, list):
        raise DistributionsError(f"relation: '{EQUALITY}' or a list of pairs is needed")
    found: dict[tuple[str, str], None] = {}
    for number, pair in enumerate(content, start=1):
        match pair:
            case [str() as one, str() as two] if one in left and two in right:
                found[one, two] = None
            case _:
                raise DistributionsError(
                    f"relation: pair {number}: a list of a value of 'left' and one of 'right' is needed"
                )
    return tuple(found)
