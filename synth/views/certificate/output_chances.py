"""A proof by the chances of the output, in sentences: the outcomes, and what their pairs come to."""

from __future__ import annotations

from collections.abc import Iterator

from synth.trusted.kernel.rules.lifting import pairs_of
from synth.trusted.normal_form.output_distribution import OutputLaw
from synth.trusted.program import syntax as ir
from synth.trusted.program.substitution import replaced
from synth.views.certificate.phrases import Code, Math, Phrase
from synth.views.certificate.steps import Reading


def chances(reading: Reading, law: OutputLaw) -> Iterator[Phrase]:
    """What [Lift] says.  Raises Rejected where the certificate doesn't say what the rule needs."""
    node, last = reading.certificate.derivation, len(law.outcomes)
    free, gone = (sorted(pairs_of(node, field, last)) for field in ("free", "lost"))
    epsilon, delta = reading.bounds()
    output = reading.names.output
    yield "No draw is coupled: the chances of each output ", Math(output), " in the two runs are compared."
    for place, (condition, chance) in enumerate(law.outcomes):
        yield (
            f"Outcome {place}: ",
            Code(_code(reading, law, condition)),
            ", with chance ",
            Code(_short(chance)),
        )
    factor: Phrase = () if epsilon == "0" else (Math(f"exp({epsilon})"), " times ")
    yield from _said("run 1's chance is at most ", factor, "run 2's", free)
    yield from _said("what run 1's chance is beyond ", factor, "run 2's is lost", gone)
    if gone:
        yield "What is lost is in all, over all outputs, at most ", Math(delta)
    yield (f"No other pair of outcomes occurs, where outcome {last} is none of these.",)


def _short(chance: ir.Expression) -> str:
    from synth.bounds.rational_text import text as rational_text
    from synth.bounds.scales import rational  # loads FLINT, which other certificates don't need

    return rational_text(rational(chance))


def _said(before: str, factor: Phrase, after: str, pairs: list[tuple[int, int]]) -> Iterator[Phrase]:
    if pairs:
        listed = ", ".join(map(str, pairs))
        yield f"For the outcomes of run 1 and run 2 {listed} {before}", *factor, after


def _code(reading: Reading, law: OutputLaw, expression: ir.Expression) -> str:
    """An expression in the program's names; the parts of the output are numbered if there are several."""
    output = reading.names.output
    several = len(law.values) > 1
    shown = {
        item.name: ir.Variable(f"{output}.{place}" if several else output, item.sort)
        for place, item in enumerate(law.values)
    }
    return reading.names.code(replaced(expression, shown))
