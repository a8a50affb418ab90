"""Whole programs: which kinds of constructs they have, the function ``f``, and what it returns."""

from __future__ import annotations

import random

from tests.support.real_programs.arrays import ARRAYS
from tests.support.real_programs.bindings import BINDINGS
from tests.support.real_programs.functions import FUNCTIONS
from tests.support.real_programs.labels import LABELS, TABLE
from tests.support.real_programs.objects import OBJECTS
from tests.support.real_programs.plain import PLAIN
from tests.support.real_programs.samplers import SAMPLERS
from tests.support.real_programs.turns import TURNS
from tests.support.real_programs.writing import ARRAY, LIST, NUMBER, Grammar, Writer

HEAD = """import random
import secrets
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NamedTuple
import numpy as np
import numpy.typing as npt
from synth.lang import *
"""

_PARAMETERS = (("x", "int", NUMBER), ("y", "float", NUMBER), ("q", "list[int]", LIST))
_ARRAY = ("d", "npt.NDArray[np.float64]", ARRAY)
_LONGEST = 5

_OF_A_DICT = 0.2
"""How often the output is a dict."""

_KEYS = ("'a'", "'b'", "'total'", "0", "2", "-1", "0.5", "('a', 1)")


def program(rng: random.Random) -> str:
    """A program; ``f`` is a mechanism of which nothing is private, or a list of records."""
    others = rng.sample([FUNCTIONS, OBJECTS, ARRAYS, SAMPLERS, LABELS, BINDINGS, TURNS], rng.randint(1, 2))
    w = Writer(rng, _joined(PLAIN, *others))
    w.definitions()
    parameters = list(rng.sample(_PARAMETERS, rng.randint(1, 3)))
    if ARRAYS in others:
        parameters.append(_ARRAY)
    for name, _, kind in parameters:
        w.names.setdefault(kind, []).append(name)
    lists = [name for name, _, kind in parameters if kind == LIST]
    metric = rng.choice(["add_remove_distance()", "change_one_distance()"])
    private = f"adjacent={{'{lists[0]}': {metric}}}" if lists and rng.random() < 0.4 else ""
    w.line(f"@mechanism({private})")
    w.line(f"def f({', '.join(f'{name}: {kind}' for name, kind, _ in parameters)}):")
    with w.block():
        w.starts()
        w.statements(rng.randint(2, _LONGEST))
        w.line(f"return {_result(w)}")
    return HEAD + "\n".join(w.lines) + "\n"


def _result(w: Writer) -> str:
    found = [w.number(), *w.names.get(NUMBER, [])[-4:]]
    found += w.names.get("own list", [])[-2:]
    found += w.names.get(ARRAY, [])[-2:] if w.rng.random() < 0.7 else []
    found += w.names.get(TABLE, [])[-1:]
    own = random.Random("".join(found))  # whatever it gives, the other choices stay what they were
    if own.random() < _OF_A_DICT:
        keys = own.sample(_KEYS, len(_KEYS))
        return f"{{{', '.join(f'{key}: {value}' for key, value in zip(keys, found, strict=False))}}}"
    return f"({', '.join(found)})"


def _joined(*grammars: Grammar) -> Grammar:
    """The productions of all; those that come later are taken more often than among the first ones."""
    first, *others = grammars
    return Grammar(
        [*first.numbers, *(item for each in others for item in each.numbers)],
        [*first.iterables, *(item for each in others for item in each.iterables)],
        [*first.statements, *(item for each in others for item in each.statements)],
        [item for each in grammars for item in each.definitions],
        [item for each in grammars for item in each.starts],
    )
