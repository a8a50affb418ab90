"""An earlier proof of a mechanism whose text has changed: the kernel says whether it still is one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pysmt.environment import reset_env

from synth.prover.certificate.writing import transferred, with_names
from synth.prover.normal_form.recording import Rewriting
from synth.prover.problem import CHECK_MILLISECONDS, ill_stated, in_form, stated_facts
from synth.prover.rewritings import Told, recorded, recorded_lingering, recorded_of_every_record
from synth.support.statistics import count_calls
from synth.trusted.core.reader import read_core
from synth.trusted.core.writer import write_core
from synth.trusted.frontend.claim import Claim
from synth.trusted.kernel.certificate import Certificate
from synth.trusted.kernel.check import VALID, Verdict, check
from synth.trusted.program import syntax as ir
from synth.trusted.steps.rewriting import Linger


@dataclass(frozen=True)
class StillProved:
    """A certificate of the mechanism as it is now, its text, and the seconds that its check took.

    ``same_core`` says that the core program is what it was, but for names.
    """

    certificate: Certificate
    text: str
    seconds: float
    same_core: bool


def _check(text: str) -> Verdict:
    return check(text, milliseconds=CHECK_MILLISECONDS)


def proved_as_before(
    mechanism: ir.Mechanism, earlier: str, verdict_of: Callable[[str], Verdict] = _check
) -> StillProved | None:
    """Return the proof of an earlier certificate as one of this mechanism; None where it is none.

    ``earlier`` is not believed: what is written anew is the program and the claim, and the kernel checks all
    of it.  Where no ε is claimed the least one is wanted, so there it counts for the same core program only.
    Raises ProgramError, Unwritable and NotSampled as the search for a proof does, and ValueError, TypeError,
    KeyError or AttributeError for a text that is no certificate.
    """
    reset_env()
    data = json.loads(earlier)
    form = _rewriting(data, Told.of(mechanism))
    names = _other_names(read_core(data["core"]), form.core)
    same_core = with_names(data["core"], names) == write_core(form.core)
    claim = _claim(mechanism, Claim(**data["claim"]), same_core)
    if claim is None:
        return None
    stated = in_form(mechanism, form)
    if ill_stated(stated, stated_facts(stated)) is not None:
        return None
    text = transferred(data, mechanism, form, claim, names)
    started = time.monotonic()
    verdict = verdict_of(text)
    count_calls(verdict.calls)
    if verdict.verdict != VALID or verdict.certificate is None:
        return None
    return StillProved(verdict.certificate, text, time.monotonic() - started, same_core)


def _rewriting(data: Mapping[str, Any], told: Told) -> Rewriting:
    """The rewriting that an earlier certificate has used.  Raises NotSampled, Unwritable, ProgramError."""
    if "sampled" in data:
        return recorded_of_every_record(told).rewriting
    lingers = any(item["step"] == Linger.rule for item in data.get("steps", ()))
    return (lingers and recorded_lingering(told)) or recorded(told)


def _other_names(before: ir.Mechanism, now: ir.Mechanism) -> dict[str, str]:
    """Names of parameters and variables, with those that stand in their place now."""
    old, new = (
        [name.partition("%")[0] for name in (*(item.name for item in core.parameters), *core.variables)]
        for core in (before, now)
    )
    if len(old) != len(new):
        return {}
    return {one: other for one, other in zip(old, new, strict=True) if one != other}


def _claim(mechanism: ir.Mechanism, before: Claim, same_core: bool) -> Claim | None:
    """What the certificate is to claim; None where a lower bound than the earlier one may be proved."""
    own = Claim.of(mechanism)
    if mechanism.is_claimed:
        return own
    found_in_its_notion = not own and before.notion is not None
    return before if same_core and (before == own or found_in_its_notion) else None
