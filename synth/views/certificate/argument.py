"""The coupling argument in sentences: "before iteration b, couple null; at b, shift by 1, at cost eps/2"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.trusted.logic.terms import Term
from synth.trusted.program import syntax as ir
from synth.views.certificate.draws import NOTHING, Coupled, coupled, tail, ties
from synth.views.certificate.explaining import SQUARES, in_lines, output
from synth.views.certificate.names import split
from synth.views.certificate.outcomes import (
    Chanced,
    Weighed,
    Weighted,
    chanced,
    drawn,
    relation,
    remark,
    weighing,
    weighted,
)
from synth.views.certificate.phrases import Code, Math, Phrase
from synth.views.certificate.steps import Reading, Step
from synth.views.certificate.wording import loop_variables


def argument(reading: Reading) -> Iterator[Phrase]:
    """The coupling argument, in sentences."""
    b = Math(reading.names.output)
    yield (
        "Fix ",
        b,
        ", ",
        *output(reading),
        ". It suffices that whenever run 1 publishes ",
        b,
        ", so does run 2 ([Forall-Eq]).",
    )
    for step in reading.all_steps():
        if isinstance(step.statement, ir.Draw):
            yield _draw(reading, step)
        elif isinstance(step.statement, ir.Choose):
            yield _choose(reading, step, step.statement)
        elif isinstance(step.statement, ir.Loop):
            yield from _loop(reading, step)
    apart = [step.line for step in reading.all_steps() if step.node.rule == "Cond-L" and step.line]
    if apart:
        yield (f"In {in_lines(apart)} each run may go its own way ([Cond-L], [Cond-R]).",)
    draws = [step for step in reading.all_steps() if isinstance(step.statement, ir.Draw)]
    if any(case.mass != NOTHING for step in draws for case in coupled(reading, step)):
        yield _lost(b)
    if reading.squares():
        yield _together(reading, b)
    yield _total(reading)


def _lost(b: Math) -> Phrase:
    """What a cost of two parts means."""
    return (
        "At a cost of two parts run 1's density is at most exp of the first times run 2's, except for a mass "
        "of at most the second, which is lost ([Norm]). No guard asks about ",
        b,
        ": one coupling serves every ",
        b,
        ", so what is lost is lost once, and not for each ",
        b,
        " anew.",
    )


def _together(reading: Reading, b: Math) -> Phrase:
    """What the squares of real Gaussian noise mean."""
    said: list[str | Math | Code] = ["In every run the sum of ", SQUARES]
    said += [" over the Gaussian noise that is moved is at most ", Math(f"μ^2 = {reading.squares()}")]
    said += [", so together it loses no more than one draw moved by ", Math("μ·sigma"), " ([Norm]; Dong, "]
    said += ["Roth & Su 2022, Cor. 3.3)"]
    if (paid := reading.noise_paid()) is not None:
        epsilon, delta = (Math(item) for item in paid)
        said += [". That costs ", epsilon, ", except for a mass of at most ", delta, ", which is lost"]
    return *said, ". No guard asks about ", b, ": one coupling serves every ", b, "."


def _loop(reading: Reading, step: Step) -> Iterator[Phrase]:
    """The sentences about what a loop keeps."""
    kept = invariant(reading, step)
    if kept:
        parts = [part for item in kept for part in ("; ", Math(item))][1:]
        yield f"Whenever control is at the head of the loop in line {step.line}: ", *parts, "."


def invariant(reading: Reading, step: Step) -> tuple[str, ...]:
    """The invariant of a loop, with the variables that agree."""
    equal = step.node.names("equal")
    agree = [f"{reading.names.variable(name)}⟨1⟩ = {reading.names.variable(name)}⟨2⟩" for name in equal]
    return *agree, *reading.infix(frozenset(equal)).conjuncts(step.node.terms("invariant"))


def _total(reading: Reading) -> Phrase:
    infix, costs = reading.infix(), reading.certificate.costs.values()
    epsilon, delta = reading.bounds()
    if not costs:
        return ("Nothing is paid.",)
    noise = reading.noise_paid() or (NOTHING, NOTHING)
    times = [*(infix.term(item.most) for item in costs), "1"]
    paid = _sum(times, [*(infix.term(item.weight) for item in costs), noise[0]], epsilon)
    masses = [*(infix.term(item.delta) for item in costs), noise[1]]
    if delta == NOTHING and not any(mass != NOTHING for mass in masses):
        return "In all that is at most ", paid, "."
    lost = _sum(times, masses, delta)
    return "In all that is at most ", paid, ", and what is lost sums up to at most ", lost, "."


def _sum(times: Sequence[str], prices: Sequence[str], bound: str) -> Math:
    """So many times the price each, which is at most the bound."""
    parts = [
        price if count == "1" else f"{_factor(count)}·{_factor(price)}"
        for count, price in zip(times, prices, strict=True)
        if price != NOTHING
    ]
    total = " + ".join(parts) or NOTHING
    return Math(total if total == bound else f"{total} ≤ {bound}")


def _factor(text: str) -> str:
    return f"({text})" if " " in text else text


def _draw(reading: Reading, step: Step) -> Phrase:
    assert isinstance(step.statement, ir.Draw)
    target = Math(reading.names.variable(step.statement.target))
    said: list[str | Math | Code] = [f"Line {step.line}, the draws of ", target, ": "]
    cases = list(coupled(reading, step))
    for place, case in enumerate(cases):
        if len(cases) > 1:
            said += [*when(reading, case.when), ", "]
        said += [*_coupling(case), "; " if place + 1 < len(cases) else "."]
    if lost := tail(reading, step):
        said += [" Runs 1 in which ", Math(lost[0]), " are lost, a mass of at most ", Math(lost[1]), "."]
    if unequal := ties(reading, step):
        said += [" But for runs 1 of chance 0, ", Math(unequal), "."]
    return tuple(said)


def _coupling(case: Coupled) -> Phrase:
    if case.interval:
        return "map ", Math(case.interval), ", so that ", Math(case.relation), ", at cost ", Math(case.price)
    if case.shift is None:
        return ("couple null (the same noise), free",)
    price: Phrase = (", free",) if case.price == NOTHING else (", at cost ", Math(case.price))
    if case.square:
        price = ", which adds ", Math(case.square), " to ", Math("μ^2")
    return "shift by ", Math(case.shift), ", so that ", Math(case.relation), *price


def _choose(reading: Reading, step: Step, draw: ir.Choose) -> Phrase:
    """How a draw of finitely many values is coupled, and what it stands for."""
    how = (
        _by_chance(chanced(reading, step))
        if step.node.rule == "Chance"
        else _by_weight(weighing(reading, step))
        if step.node.rule == "Weigh"
        else _by_score(weighted(reading, step))
    )
    aside = remark(reading, draw)
    return (
        f"Line {step.line}, the draws of ",
        Math(drawn(reading, draw)),
        ": run 2 draws the same value, so that ",
        relation(reading, draw),
        *how,
        *((" ", *aside) if aside else ()),
    )


def _by_chance(found: Chanced) -> Phrase:
    """What the value costs, by its chances in the two runs; a pair of chances is mentioned once."""
    said: list[str | Math | Code] = []
    for cost, pairs in found.paid.items():
        chances = dict.fromkeys(tuple(found.outcomes[place].chance for place in pair) for pair in pairs)
        for left, right in chances:
            said += [", at cost " if not said else "; at cost ", Math(cost), " where its chance is "]
            said += [Code(left), " in run 1 and ", Code(right), " in run 2"]
    if not said:
        return (", free, as its chance is at most as large in run 1 as in run 2.",)
    return *said, "; elsewhere its chance is at most as large in run 1 as in run 2, which is free."


def _by_score(found: Weighted) -> Phrase:
    """What an index costs, by how the scores change."""
    price: Phrase = (", free",) if found.cost == "0" else (", at cost ", Math(found.cost))
    more: Phrase = () if found.within == "0" else (Math(found.within), " more than ")
    weights: Phrase = (". It is one of ", Code(found.count), " indices, of the score ", Code(found.score))
    weights += (", and the rate is ", Code(found.rate))
    return *price, ", as no score changes by more than ", *more, "another's", *weights, "."


def _by_weight(found: Weighed) -> Phrase:
    """What an index costs, by how weights change."""
    said: list[str | Math | Code] = [". It is one of ", Code(found.count), " indices, of the weight "]
    said += [Code(found.weight)]
    for asked in found.asked:
        said += ["; ", Math(asked)]
    said += ["; ", found.few]
    for cost, where in found.prices:
        said += [". It costs ", Math(cost), " if ", Math(where)]
    return (*said, ".")


def when(reading: Reading, condition: Term | None) -> Phrase:
    """When a case applies; iterations are told apart as the paper does."""
    if condition is None:
        return ("otherwise",)
    written = Math(reading.infix().formula(condition))
    match condition:
        case ("<" | "=" as order, str() as left, str() as right) if right in _outputs(reading):
            if split(left)[0] in loop_variables(reading.names):
                which = "before" if order == "<" else "at"
                return (
                    f"{which} iteration ",
                    Math(reading.names.symbol(right, frozenset())),
                    " (",
                    written,
                    ")",
                )
        case str() if condition.startswith("|next#branch."):
            return "if run 1 is about to make the condition true (", written, ")"
    return "if ", written


def _outputs(reading: Reading) -> frozenset[str]:
    return frozenset(f"|{name}|" for name in reading.certificate.events if name.startswith("next#return."))
