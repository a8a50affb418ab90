"""Answers: of each program that the reader takes there is a verdict about the program.

An internal error is none, nor is a proof that our own kernel refuses.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from synth.prover.codes import Code
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.proving import prove_apart

from .hunting import Broken, Try, about
from .typed_programs import typed_program

SECONDS = 10.0
"""For one proof; no answer in that time is no failure."""


def attempt(case: str) -> Iterator[Try]:
    """What becomes of one program.  Raises Broken."""
    text = typed_program(random.Random(case))
    with about(text):
        try:
            (of,) = read_source(text, "hunt.py")
        except ProgramError:
            yield Try("refused", reached=False)
            return
        outcome = prove_apart(of, SECONDS, reported=True)
    if outcome.verdict == "crash" or outcome.code == Code.CERTIFICATE_REFUSED.id:
        raise Broken(f"{outcome.verdict}: {outcome.reason}", text)
    yield Try(outcome.verdict, reached=outcome.verdict != "timeout")
