"""What each code means, why it matters for privacy, and what to do: the one table that ``explain`` reads."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from synth.trusted.reasons import Coded


@dataclass(frozen=True)
class Explanation:
    """A code: where it is said, its text, why it matters, what to do, and a program before and after."""

    code: str
    said: str
    means: str
    why: str
    do: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True)
class _Table:
    said: str
    why: str
    do: str


_REFUSED = _Table(
    "a program is refused, by all commands",
    "What isn't understood isn't guessed: a wrong guess could call a program private that leaks.",
    "see docs/language.md",
)
_UNKNOWN = _Table(
    "there is no proof, by synth prove",
    "Nothing is known: only what the kernel has checked is called proved.",
    "see docs/limits.md",
)
_ENDED = _Table(
    "the work ended before a verdict", "Nothing is known: the work was not completed.", "see docs/limits.md"
)
_COMMANDS = _Table(
    "a command says it of its own",
    "A verdict must be about the program and the claim that are meant.",
    "see docs/codes.md",
)
_WITNESS = _Table(
    "a witness is refused, by synth check",
    "The witness shows nothing: whether the claim holds is not known by it.",
    "make the witness anew with synth refute; if synth wrote it and nobody changed it, report that",
)
_CERTIFICATE = _Table(
    "a certificate is refused, by synth check",
    "The certificate shows nothing: only what the kernel accepts is a proof.",
    "make the certificate anew with synth prove; if synth wrote it and nobody changed it, report that",
)


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return all codes, in the order of docs/codes.md."""
    import synth.app.codes
    import synth.prover.codes
    import synth.trusted.logic.codes
    import synth.trusted.steps.equivalence_codes
    import synth.trusted.steps.fusion_codes
    import synth.trusted.witness.codes
    from synth.app.workers import Cause
    from synth.trusted.errors import Refusal

    written = tomllib.loads(files("synth.app").joinpath("explanations.toml").read_text(encoding="utf-8"))
    tables: tuple[tuple[type[Coded], _Table], ...] = (
        (Refusal, _REFUSED),
        (synth.prover.codes.Code, _UNKNOWN),
        (synth.app.codes.Code, _COMMANDS),
        (synth.trusted.witness.codes.Code, _WITNESS),
        (synth.trusted.logic.codes.Code, _CERTIFICATE),
        (synth.trusted.steps.equivalence_codes.Code, _CERTIFICATE),
        (synth.trusted.steps.fusion_codes.FusionCode, _CERTIFICATE),
    )
    named = [(code.id, str(code.value), table) for codes, table in tables for code in codes]
    named += [(str(cause.value), "", _ENDED) for cause in Cause]
    return {code: _explanation(code, text, table, written.get(code, {})) for code, text, table in named}


def _explanation(code: str, text: str, table: _Table, written: Mapping[str, str]) -> Explanation:
    return Explanation(
        code,
        table.said,
        written.get("means", text),
        written.get("why", table.why),
        written.get("do", table.do),
        written.get("before"),
        written.get("after"),
    )
