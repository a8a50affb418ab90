"""What the commands give out about a mechanism: plain data, ready for JSON or a table."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from synth.support.statistics import Effort

if TYPE_CHECKING:
    from synth.trusted.frontend.claim import Claim

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"

STATUS = {PROVED: 0, REFUTED: 1, UNKNOWN: 3}
"""Exit statuses by verdict."""

PROGRAM, COMMAND_LINE = "program", "command line"
"""Whose claim it is."""


def claim_json(claim: Claim) -> dict[str, str | None]:
    """A claim as documents and JSON have it: ε and δ always, another notion where it is claimed."""
    return {"epsilon": claim.epsilon, "delta": claim.delta, **claim.stated}


@dataclass(frozen=True)
class SiteCase:
    """When (run 1's coming outputs may tell) a draw is coupled how, at what cost.

    Run 2's draw is run 1's plus ``k``.
    """

    when: str
    coupling: str
    k: str
    cost: str


@dataclass(frozen=True)
class Site:
    """A sampling site: its line, the statement in short, and how its draws are coupled."""

    line: int
    distribution: str
    draw: str
    cases: tuple[SiteCase, ...]


@dataclass(frozen=True)
class Invariant:
    """What holds whenever control is at the head of a loop, or of a list's entries."""

    line: int
    about: str
    conjuncts: tuple[str, ...]

    @property
    def formula(self) -> str:
        """The conjunction."""
        if len(self.conjuncts) == 1:
            return self.conjuncts[0]
        parts = (f"({part})" if " or " in part else part for part in self.conjuncts)
        return " and ".join(parts) or "True"


@dataclass(frozen=True)
class TerminationSensitive:
    """The bound where an observer sees that a run does not end: the same ε, with ``delta``.

    ``observable`` says that the delta is that of the proof, shown by ``reason``.  Otherwise it is larger by
    an unknown, and ``line`` is where a run may go on for ever, or fail an assertion.
    """

    observable: bool
    reason: str
    line: int | None
    delta: str


@dataclass(frozen=True)
class Result:
    """What was found out about one mechanism.

    ``reason`` says why there is no proof, ``code`` is the stable name of that (docs/codes.md);
    ``reason_line`` and ``reason_column`` are the place in the program that it is about.  ``matters`` and
    ``advice`` say of that code why it matters for privacy and what to do; ``hints`` say of this program what
    catches the eye, and what would help, after it was tried.  Without a proof within the claim ``epsilon``,
    ``sites`` and ``loops`` are those of the best bound that was proved, if one was.
    ``certificate`` is where the certificate was written; ``proof`` is its text (of a proof, or of a
    witness), for whoever writes it.
    ``seconds_checking`` is what the kernel took, ``lower_bound`` an ε that is necessary, and why.
    ``gdp`` and ``zcdp`` are the bound where that is no ε.  ``effort`` says where the time went, ``cached``
    that it is from an earlier run, and was checked again.  Where a sample of the records is taken, ``sites``
    and ``loops`` are of the program that takes every record, whose bound is ``of_every_record``.
    ``of_shard`` says that only a shard of the search was made, so that others may have found less.
    """

    mechanism: str
    verdict: str
    epsilon: str | None
    delta: str | None
    claim: Claim
    seconds: float
    claim_of: str | None = None
    sites: tuple[Site, ...] = ()
    loops: tuple[Invariant, ...] = ()
    witness: dict[str, Any] | None = None
    reason: str | None = None
    code: str | None = None
    certificate: str | None = None
    file: str = ""
    line: int = 0
    reason_line: int | None = None
    reason_column: int | None = None
    hints: tuple[str, ...] = ()
    matters: str | None = None
    advice: str | None = None
    claim_is_loose: bool = False
    notes: tuple[str, ...] = ()
    assumptions: str | None = None
    specification: dict[str, object] | None = None
    unread: tuple[int, ...] = ()
    seconds_checking: float | None = None
    lower_bound: dict[str, Any] | None = None
    proof: str | None = None
    cached: bool = False
    termination: TerminationSensitive | None = None
    effort: Effort | None = None
    gdp: str | None = None
    zcdp: str | None = None
    of_every_record: Claim | None = None
    of_shard: bool = False

    def claimed_by(self, of: str) -> Result:
        """The result that says whose claim it is held against, if there is one."""
        return replace(self, claim_of=of) if self.claim else self

    def bounded_by(self, bound: Claim) -> Result:
        """The result with what was proved, as a claim would say it."""
        return replace(self, **vars(bound))

    @property
    def bound(self) -> Claim:
        """What was proved, as a claim would say it; δ only where there is one."""
        from synth.trusted.frontend.claim import Claim

        return Claim(self.epsilon, None if self.delta == "0" else self.delta, self.gdp, self.zcdp)

    @property
    def hint(self) -> str | None:
        """The first of the hints."""
        return self.hints[0] if self.hints else None

    @property
    def status(self) -> int:
        """The exit status that this result stands for."""
        return STATUS[self.verdict]

    @property
    def invariants(self) -> tuple[str, ...]:
        """The invariants as formulas."""
        return tuple(item.formula for item in self.loops)

    def json(self) -> dict[str, Any]:
        """The fields of the reference, and some more."""
        fields = {**asdict(self), "spare": self.claim_is_loose, "hint": self.hint}
        fields["claim"] = claim_json(self.claim)
        fields["certificate_bytes"] = None if self.proof is None else len(self.proof.encode())
        fields["seconds"] = round(self.seconds, 3)
        fields["invariants"] = list(self.invariants)
        return {name: fields[name] for name in _FIELDS}


_FIELDS = (
    "mechanism",
    "verdict",
    "epsilon",
    "delta",
    "gdp",
    "zcdp",
    "claim",
    "claim_of",
    "seconds",
    "sites",
    "invariants",
    "witness",
    "reason",
    "code",
    "certificate",
    "file",
    "line",
    "reason_line",
    "reason_column",
    "hint",
    "hints",
    "matters",
    "advice",
    "spare",
    "loops",
    "notes",
    "assumptions",
    "specification",
    "unread",
    "termination",
    "seconds_checking",
    "lower_bound",
    "cached",
    "effort",
    "certificate_bytes",
)
