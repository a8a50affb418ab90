"""What a run shows beside its output, against CPython: it tells no more than the output and public data do.

Runs with the same public parameters, as many entries in their lists and equal outputs show equal texts,
however their draws fall.  Where it is an output that an exception is raised, it has no more messages than
there are such outputs; where what is shown is part of the output, no more is observed than there are outputs.
"""

from __future__ import annotations

import io
import logging
import random
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from typing import Any

from synth.trusted.core.expressions import Inexact
from synth.trusted.program import syntax as ir
from tests.support.few_draws import TooManyError
from tests.support.real_runs import ERRORS, RAISED, UNDEFINED, Program, canonical, core_inputs, law_of, read
from tests.support.shown_programs import inputs, program

from .hunting import Broken, Try

BATCH, GROUPS, EACH = 4, 3, 4
"""Programs of a case; values of public parameters, and inputs with each of them."""

Shown = tuple[Any, str]
"""What is observed of a run: its output, and the text."""


def attempt(case: str) -> Iterator[Try]:
    """Some programs, each on some inputs that are public alike."""
    rng = random.Random(case)
    for _ in range(BATCH):
        yield compared(program(rng), rng)


def compared(text: str, rng: random.Random, run: str | None = None) -> Try:
    """One program, with another text to ``run`` if there is one.  Raises Broken."""
    mechanism = read(text)
    if mechanism is None:
        return Try("refused", reached=False)
    runs = Program(run or text)
    kinds = {_told(mechanism, runs, list(inputs(text, rng, EACH)), rng, text) for _ in range(GROUPS)}
    return Try("same" if "same" in kinds else "not computed", reached="same" in kinds)


def _told(
    mechanism: ir.Mechanism, runs: Program, alike: list[dict[str, Any]], rng: random.Random, text: str
) -> str:
    shown: dict[Any, dict[Any, Mapping[str, Any]]] = defaultdict(dict)
    raised, outputs = set[Any](), set[Any]()
    for given in alike:
        try:
            law = law_of(mechanism, core_inputs(mechanism, given, rng))
            seen = runs.law("f", given, observed)
        except (TooManyError, Inexact):
            return "not computed"
        if UNDEFINED in law:
            return "not computed"
        outputs |= law.keys()
        if mechanism.shown and len(seen) > len(law):
            raise Broken(f"{len(seen)} observations for {law} on {given}", text)
        raised |= {key for key in law if key == RAISED or key[:2] == ("tuple", 1.0)} if _tells(law) else set()
        for output, told in seen:
            shown[output].setdefault(told, given)
    if mechanism.shown:
        if sum(map(len, shown.values())) > len(outputs):
            raise Broken(f"{dict(shown)} for outputs {outputs}", text)
        return "same"
    for output, texts in shown.items():
        if output != RAISED and len(texts) > 1:
            raise Broken(f"outputs {output!r} with {dict(texts)}", text)
    if raised and RAISED not in raised and len(shown[RAISED]) > len(raised):
        raise Broken(f"{dict(shown[RAISED])} where an output tells {raised}", text)
    return "same"


def _tells(law: Mapping[Any, float]) -> bool:
    """Whether outputs say if an exception is raised."""
    return any(isinstance(key, tuple) and key[:2] == ("tuple", 1.0) for key in law)


def observed(call: Callable[[], Any]) -> Shown:
    """The output of a run and what it shows, with the text of an exception."""
    texts, handler = io.StringIO(), _Handler()
    logging.getLogger().addHandler(handler)
    try:
        with redirect_stdout(texts), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            output = RAISED
            try:
                output = canonical(call())
            except ERRORS as error:
                texts.write(f"{type(error).__name__}: {error}")
    finally:
        logging.getLogger().removeHandler(handler)
    told = [str(item.message) for item in warned if item.category is UserWarning]
    return output, "\n".join([texts.getvalue(), *handler.texts, *told])


class _Handler(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())
