"""The page of a mechanism, from its result and what was found beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.views.assumptions import specification_text
from synth.views.certificate.couplings import SQUARES
from synth.views.console.results import claim_text
from synth.views.console.witness import lower_bound_lines
from synth.views.html import model
from synth.views.html.words import case_words, invariant_words
from synth.views.results import COMMAND_LINE, PROVED, REFUTED, UNKNOWN, Result, Site

CHECKED = "The proof was checked by the kernel just now."
WITNESS_CHECKED = "The witness was checked just now, by a second method."
NOT_CHECKED = "This page shows a document as it is. Whether it is valid says synth check, not this page."
UNCHECKED = "not checked"


@dataclass(frozen=True)
class Program:
    """The text of a program, and the number in its file of each line."""

    text: str
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Extras:
    """What was found beside a result: two coupled runs, the derivation, the distributions of a witness."""

    runs: tuple[model.PairOfRuns, ...] = ()
    without_runs: str = ""
    unit: str = "nats"
    derivation: str = ""
    refutation: model.Refutation | None = None
    distributions: model.Distributions | None = None


def page(result: Result, program: Program, extras: Extras, standing: str, index: str = "") -> model.Page:
    """Return the page; ``standing`` says who checked what, ``index`` is a link to the list of all."""
    sites = tuple(_site(site, place) for place, site in enumerate(result.sites))
    return model.Page(
        name=result.mechanism,
        file=result.file,
        line=result.line,
        verdict=result.verdict,
        badge=UNCHECKED if standing == NOT_CHECKED else result.verdict,
        headline=_headline(result, standing != NOT_CHECKED),
        standing=standing,
        facts=tuple(_facts(result)),
        source=tuple(_source(result, program)),
        sites=sites,
        argument=tuple(_argument(result)),
        runs=extras.runs,
        without_runs=extras.without_runs,
        unit=extras.unit,
        invariants=tuple(_invariants(result)),
        notes=result.notes,
        assumptions=(result.assumptions,) if result.assumptions else (),
        derivation=extras.derivation,
        refutation=extras.refutation,
        distributions=extras.distributions,
        obstacle=_obstacle(result),
        advice=tuple(_advice(result)),
        hints=result.hints,
        necessary=tuple(lower_bound_lines(result.lower_bound or {})),
        index=index,
    )


def index_row(result: Result, href: str) -> model.IndexRow:
    """Return the mechanism's row in the list of all."""
    said = result.reason or (f"claimed: {claim_text(result.claim)}" if result.claim else "")
    return model.IndexRow(
        result.mechanism, result.file, result.line, result.verdict, _proved(result), said, href
    )


def index(title: str, rows: Sequence[model.IndexRow]) -> model.Index:
    """Return the list of all mechanisms."""
    order = (REFUTED, UNKNOWN, UNREAD, PROVED)
    counts = [(verdict, sum(row.verdict == verdict for row in rows)) for verdict in order]
    return model.Index(title, tuple(rows), tuple(item for item in counts if item[1]))


UNREAD = "not read"
"""What stands in place of a verdict where a function can't be read."""


# --- the head -------------------------------------------------------------------------------


def _proved(result: Result) -> str:
    return _bound(result) if result.verdict == PROVED else ""


def _bound(result: Result) -> str:
    if result.bound.notion is not None:
        return str(result.bound)
    return f"ε = {result.epsilon}" + ("" if result.delta in (None, "0") else f", δ = {result.delta}")


def _headline(result: Result, checked: bool) -> str:
    if not checked:
        return f"A document that says: {_verdict(result)}"
    return _verdict(result)


def _verdict(result: Result) -> str:
    match result.verdict:
        case "proved":
            return f"Proved: differentially private with {_bound(result)}."
        case "refuted":
            return f"Refuted: not differentially private with {_claimed(result)}."
    if result.claim.epsilon is None and result.claim.notion is None:
        return "Unknown: no bound was proved."
    return f"Unknown: neither proved nor refuted with {_claimed(result)}."


def _claimed(result: Result) -> str:
    if result.claim.notion is not None:
        return str(result.claim)
    return f"{'ε' if result.claim.delta is None else '(ε, δ)'} = {claim_text(result.claim)}"


def _facts(result: Result) -> Iterator[tuple[str, str]]:
    if result.claim:
        whose = " (of the command line)" if result.claim_of == COMMAND_LINE else ""
        yield "Claim", f"{claim_text(result.claim)}{whose}"
    if result.verdict == PROVED:
        yield (
            "Proved bound",
            _bound(result) + (" (less than what is claimed)" if result.claim_is_loose else ""),
        )
    if result.specification:
        yield "Stated beside the code", specification_text(result.specification)
    if result.termination is not None:
        seen = "the same bound" if result.termination.observable else f"δ becomes {result.termination.delta}"
        yield "If it is observed whether a run ends", f"{seen}: {result.termination.reason}"
    if result.code is not None:
        yield "Code", result.code
    if result.seconds:
        yield (
            "Time",
            f"{result.seconds:.1f} s" + (" (from the cache, checked again)" if result.cached else ""),
        )


def _obstacle(result: Result) -> tuple[str, ...]:
    if result.reason is None:
        return ()
    place = "" if result.reason_line is None else f"Line {result.reason_line}: "
    found = [f"{place}{result.reason}"]
    if result.verdict == UNKNOWN and result.bound:
        found.append(f"The best bound that was proved is {_bound(result)}.")
    return tuple(found)


def _advice(result: Result) -> Iterator[tuple[str, str]]:
    if result.matters is not None:
        yield "Why it matters", result.matters
    if result.advice is not None:
        yield "What to do", result.advice


# --- the program ----------------------------------------------------------------------------


def _source(result: Result, program: Program) -> Iterator[model.SourceLine]:
    lines = program.text.rstrip("\n").split("\n")
    numbers = program.numbers or range(1, len(lines) + 1)
    before = 0
    for number, text in zip(numbers, lines, strict=False):
        margin = tuple(_margin(result, number))
        blamed = number == result.reason_line and result.verdict != PROVED
        yield model.SourceLine(number, text, margin, blamed, before > 0 and number > before + 1)
        before = number


def _margin(result: Result, line: int) -> Iterator[model.Margin]:
    for place, site in enumerate(result.sites):
        if site.line == line:
            for case in site.cases:
                yield model.Margin(_short(site, case.when, case.coupling, case.k, case.cost), place)
    if line == result.reason_line and result.verdict == UNKNOWN:
        yield model.Margin(result.reason or "")


def _short(site: Site, when: str, coupling: str, k: str, cost: str) -> str:
    how = {"null": "same noise", "equal": "same value", "given up": "given up"}.get(coupling, f"k = {k}")
    if coupling == "interval":
        how = "interval"
    price = "free" if cost == "0" else f"costs {cost}"
    return f"{how}, {price}" if when == "always" else f"{how}, {price} — {when}"


# --- the proof ------------------------------------------------------------------------------


def _site(site: Site, place: int) -> model.SiteRow:
    cases = tuple(
        model.CaseRow(case.when, case.k, case.cost, case.coupling, case_words(case)) for case in site.cases
    )
    return model.SiteRow(site.line, site.draw, place, cases)


def _argument(result: Result) -> Iterator[str]:
    """Why the coupling is a proof."""
    if result.verdict != PROVED or not result.sites:
        return
    if result.of_every_record is not None:
        yield (
            "A coin decides of each record whether it is taken. What follows is about the program that takes"
            " every record; that a record may be left out makes its ε and δ less (see the notes below)."
        )
        result = replace(result.bounded_by(result.of_every_record), of_every_record=None)
    if any(site.draw == "the output" for site in result.sites):
        yield (
            "There are few enough outputs to compute the probability of each of them, on both inputs."
            " The table compares the two: a probability is never more than e^ε times the other one"
            f"{'' if result.delta in (None, '0') else f', but for {result.delta} in all'}."
        )
        return
    moves = any(case.coupling in ("shift", "interval") for site in result.sites for case in site.cases)
    yield (
        "Run the program on two adjacent inputs: run 1 and run 2. Take any output b, and any noise with which"
        " run 1 returns b. The proof names noise for run 2 with which run 2 returns b, too."
    )
    if moves:
        yield (
            "Draw by draw, run 2's draw is run 1's plus k. Where k only follows the centre, the noise is the"
            " same, and that is free. Where the noise itself moves, it becomes less likely, by a factor of at"
            " most e to the power of distance/scale: that is the cost."
        )
    if any(case.coupling == "equal" and case.cost != "0" for site in result.sites for case in site.cases):
        yield (
            "Where both runs draw the same value, but with different probabilities, the logarithm of their"
            " ratio is the cost."
        )
    if any(case.cost.endswith(SQUARES) for site in result.sites for case in site.cases):
        yield (
            "Gaussian noise is paid for at once: each draw adds (distance/sigma)² to a sum, μ². Noise"
            " that moves by μ sigmas in all costs ε, but for a probability of δ (see the notes below)."
        )
    bound = result.epsilon or ""
    bound = bound if len(bound) <= _LONG else "ε"
    lost = "" if result.delta in (None, "0") else f" What is given up has probability {result.delta} at most."
    yield (
        f"On the way to b the costs add up to at most {bound}. So run 1 returns b at most"
        f" e^{_power(bound)} times as often as run 2, for every b.{lost}"
    )
    if any("next" in case.when or " b" in f" {case.when}" for site in result.sites for case in site.cases):
        yield (
            "The coupling may depend on b, because b is fixed before the runs begin: it says which way the"
            " branches go and what is returned. So a cost is paid where b needs it, not in every iteration."
        )


def _power(bound: str) -> str:
    return bound if bound.isidentifier() else f"({bound})"


def _invariants(result: Result) -> Iterator[model.InvariantRow]:
    for item in result.loops:
        facts = tuple(model.Fact(text, _sentence(invariant_words(text))) for text in item.conjuncts)
        yield model.InvariantRow(item.line, item.about, facts)


def _sentence(text: str) -> str:
    """The text, where it doesn't begin with a name of the program, as a sentence."""
    return text[:1].upper() + text[1:] if text.startswith(_OWN_WORDS) else text


_LONG = 40
"""A longer bound is called ε."""
_OWN_WORDS = ("if ", "what ", "nothing ", "in run ")


# --- the witness ----------------------------------------------------------------------------


def witness_inputs(witness: Mapping[str, Any]) -> tuple[model.InputRow, ...]:
    """Return the two inputs of a witness, those that differ first."""
    given = witness.get("inputs") or witness
    left, right = given["left"], given["right"]
    rows = []
    for name in left:
        one, two = left[name], right.get(name)
        several = isinstance(one, list) and isinstance(two, list) and len(one) == len(two)
        pairs = list(zip(one, two, strict=True)) if several else [(one, two)]
        rows.append(model.InputRow(name, tuple(model.Entry(str(a), str(b)) for a, b in pairs), several))
    return tuple(sorted(rows, key=lambda row: not row.differs))
