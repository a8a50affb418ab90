"""Proofs in processes of their own, with a time limit, and their bounds as functions."""

from __future__ import annotations

import ast
import json
import math
import resource
import signal
from dataclasses import dataclass, replace
from io import StringIO
from multiprocessing.connection import Connection
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

from synth.bounds.rational import Rational
from synth.bounds.scales import rational
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import read_claim
from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.program import syntax as ir
from tests.support.once import once_in_a_run
from tests.support.processes import small_processes

if TYPE_CHECKING:
    from synth.prover.prove import Proved, Unknown

SECONDS = 60.0
"""What a proof takes at the most, in seconds of processor time on an idle machine that is no slow one;"""

CAP = 3 * SECONDS
"""so much it may take."""

LOAD = 5
"""How much longer than that it may take by the clock, on a machine that does other things."""


@dataclass(frozen=True)
class Outcome:
    """What became of a mechanism: ``proved``, ``unknown``, ``error`` (a wrong file) or ``timeout``.

    ``epsilon`` is the bound as it is printed, and holds with ``delta``; ``line`` is where an unknown or
    error points to, ``sites`` are the couplings per sampling site, as text, and
    ``code`` is the stable name of an unknown's reason.  ``within`` says that the claim is proved.
    """

    verdict: str
    epsilon: str | None = None
    reason: str = ""
    line: int | None = None
    sites: tuple[str, ...] = ()
    delta: str = "0"
    code: str | None = None
    within: bool = False

    def __str__(self) -> str:
        place = f" (line {self.line})" if self.line else ""
        return f"{self.verdict} {self.epsilon or ''} {self.reason}{place}".strip()


def _work(mechanism: ir.Mechanism, result: Connection, seconds: float, reported: bool) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), resource.RLIM_INFINITY))
    from synth.prover.prove import Derived, Proved, prove
    from synth.prover.templates.loading import load_templates

    try:
        found = prove(mechanism, load_templates())
        if reported:
            _report(mechanism, found)
    except ProgramError as error:
        result.send(Outcome("error", None, error.message, error.line))
        return
    except BaseException as error:
        result.send(Outcome("crash", None, f"{type(error).__name__}: {error}"))
        return
    if isinstance(found, Proved):
        coupled = [part for part in found.parts if isinstance(part, Derived)]
        cases = [item for part in coupled for item in sorted(part.strategy.cases.items())]
        sites = tuple(f"{site}: {choices}" for site, choices in cases)
        bounds = str(found.epsilon), str(found.delta)
        within = found.checked.within_claim
        result.send(Outcome("proved", bounds[0], sites=sites, delta=bounds[1], within=within))
    else:
        bound = None if found.epsilon is None else str(found.epsilon)
        line = None if found.span is None else found.span.line
        result.send(Outcome("unknown", bound, found.reason, line, code=found.why.code.id))


def _report(mechanism: ir.Mechanism, found: Proved | Unknown) -> None:
    """All that is shown of a verdict."""
    from rich.console import Console

    from synth.app.documents import bounds_of, unproved
    from synth.app.termination import with_termination
    from synth.prover.prove import Proved
    from synth.trusted.kernel.check import parse
    from synth.views.certificate.latex import latex
    from synth.views.certificate.report import with_table
    from synth.views.certificate.smtlib import smtlib_files
    from synth.views.certificate.steps import reading
    from synth.views.certificate.text import text
    from synth.views.console.results import Report

    if isinstance(found, Proved):
        certificate = parse(found.certificate)
        bounds = bounds_of(mechanism, certificate, found.certificate, found.checked.seconds)
        result = with_table(with_termination(mechanism, bounds), certificate)
        derivation = reading(certificate)
        text(derivation), latex(derivation), smtlib_files(derivation)
    else:
        result = unproved(mechanism, found)
    Report(Console(file=StringIO())).result(result)
    json.dumps(result.json())


def prove_apart(mechanism: ir.Mechanism, seconds: float = CAP, reported: bool = False) -> Outcome:
    """The outcome in a fresh process, which is killed when its processor time is up.

    Where it is ``reported``, a verdict counts only if it can be shown, and its certificate exported.
    """
    mine, theirs = small_processes().Pipe(duplex=False)
    process = small_processes().Process(
        target=_work, args=(mechanism, theirs, seconds, reported), daemon=True
    )
    process.start()
    theirs.close()
    try:
        if not mine.poll(LOAD * seconds):
            return Outcome("timeout", None, f"no answer in {LOAD * seconds:g} s")
        outcome = mine.recv()
        assert isinstance(outcome, Outcome)
        return outcome
    except EOFError:
        process.join()
        if process.exitcode == -signal.SIGXCPU:
            return Outcome("timeout", None, f"no answer in {seconds:g} s of processor time")
        return Outcome("crash", None, "the process died")
    finally:
        process.kill()
        process.join()


def claimed(mechanism: ir.Mechanism, claim: str | None) -> ir.Mechanism:
    """The mechanism with that claim instead of its own."""
    return replace(mechanism, epsilon=None if claim is None else read_claim(mechanism, claim))


def bound(mechanism: ir.Mechanism, text: str) -> Rational:
    """A bound over the mechanism's public parameters, as a function."""
    return rational(read_claim(mechanism, text))


def names_in(path: Path) -> list[str]:
    """The functions of a file that are marked as mechanisms: what is collected is not read."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(item).startswith("mechanism") for item in node.decorator_list)
    ]


def from_file(path: Path, name: str) -> ir.Mechanism:
    """The mechanism of that name; others of the file may be refused."""
    found = read_program(path, only=name).mechanism(name)
    assert found is not None, f"{path.name}::{name} is refused"
    return found


def from_text(text: str) -> ir.Mechanism:
    """The only mechanism of a text, which needs no import line."""
    (mechanism,) = read_source("from synth.lang import *\n\n" + dedent(text).lstrip("\n"), "test.py")
    return mechanism


def assert_bound(mechanism: ir.Mechanism, outcome: Outcome, expected: str) -> None:
    """Proved, with just this bound."""
    assert outcome.verdict == "proved", str(outcome)
    assert outcome.epsilon is not None
    found = bound(mechanism, outcome.epsilon)
    assert found == bound(mechanism, expected), f"{outcome.epsilon}, not {expected}"


@once_in_a_run
def proof_of(text: str) -> str:
    """The certificate of the only mechanism in a text, which is proved within its claim."""
    from synth.prover.prove import Proved, prove
    from synth.prover.templates.loading import load_templates

    (mechanism,) = read_source(text, "f.py")
    found = prove(mechanism, load_templates())
    assert isinstance(found, Proved) and found.checked.within_claim
    return found.certificate
