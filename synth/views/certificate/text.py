"""``synth export --to text``: the derivation in the paper's notation, to be read beside the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from synth.support.display import shown
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import returned_lists
from synth.views.certificate.argument import argument, invariant
from synth.views.certificate.draws import Coupled, coupled, tail, ties
from synth.views.certificate.explaining import adjacency, claim, composition, judgment, notes, rewritten
from synth.views.certificate.outcomes import chanced, relation, remark, weighing, weighted
from synth.views.certificate.output_chances import chances
from synth.views.certificate.phrases import Math, Phrase, plain
from synth.views.certificate.steps import Reading, Step
from synth.views.certificate.wording import statement_text

_INDENT = "  "
_NAMES, _WIDTH = 12, 100


def text(reading: Reading, brief: bool = False) -> str:
    """The proof for a terminal, with ``brief`` without the derivation.

    Raises Rejected where the certificate doesn't say what a rule needs.
    """
    lines = [f"Coupling proof of {reading.mechanism.name}", *_header(reading), ""]
    lines += ["Judgment", "", f"  {judgment(reading).text}", ""]
    lines += _listed("claimed", map(plain, claim(reading)))
    lines += _listed("rewritten", map(plain, rewritten(reading)))
    lines += _listed("adjacent", map(plain, adjacency(reading)))
    lines += _composed(reading, brief) if reading.parts else _body(reading.of_every_record(), brief)
    lines += () if brief else _safety(reading)
    return "\n".join(shown(line.rstrip()) for line in lines) + "\n"


def _composed(reading: Reading, brief: bool) -> Iterator[str]:
    yield ""
    yield from _wrapped(composition(reading))
    for part in reading.parts:
        yield from ("", f"Part {part.mechanism.name}", "", f"  {judgment(part).text}", "")
        yield from _body(part, brief)


def _body(reading: Reading, brief: bool) -> Iterator[str]:
    """The names, the argument, and the rules, if it isn't brief."""
    for name, meaning in notes(reading):
        yield from _listed(name.text, [plain(meaning)])
    sentences = argument(reading) if reading.law is None else chances(reading, reading.law)
    yield from ("", "The argument", "")
    for sentence in sentences:
        yield from _wrapped(sentence)
    if not brief:
        yield from ("", "Derivation", "", *_derivation(reading))


def _header(reading: Reading) -> Iterator[str]:
    certificate = reading.certificate
    tools = ", ".join(f"{name} {version}" for name, version in certificate.tools.items())
    yield ""
    yield "  For reading, and not checked: `synth check` says whether the certificate is a proof."
    yield f"  Made by {tools}; line numbers are those of the program's file."
    yield f"  The program has the SHA-256 {certificate.program.sha256}."


def _listed(name: str, items: Iterable[str]) -> Iterator[str]:
    for item in items:
        yield f"  {f'{name}  ':<{_NAMES}}{item}"
        name = ""


def _wrapped(sentence: Phrase) -> Iterator[str]:
    """A sentence as an item of a list; lines don't break inside of formulas."""
    whole = tuple(
        Math(part.text.replace(" ", "\xa0")) if isinstance(part, Math) else part for part in sentence
    )
    lines = wrap(
        plain(whole), _WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False
    )
    for line in lines:
        yield line.replace("\xa0", " ")


# --- the derivation -------------------------------------------------------------------------


def _derivation(reading: Reading) -> Iterator[str]:
    name = reading.mechanism.name
    output = reading.names.output
    if reading.law is not None:
        yield "      [Lift] by the chances above:"
        yield f"      ⊢ {name} ~⟨{', '.join(reading.index())}⟩ {name} : adjacent ⇒ out⟨1⟩ = out⟨2⟩"
        return
    goal = f"out⟨1⟩ = {output} ⇒ out⟨2⟩ = {output}"
    yield f"      [Forall-Eq] for all {output}{' at once' if reading.at_once() else ''}:"
    yield f"      ⊢ {name} ~⟨{', '.join(reading.index())}⟩ {name} : adjacent ⇒ ({goal})"
    if (paid := reading.noise_paid()) is not None:
        yield f"      [Norm] all Gaussian noise at once: μ^2 = {reading.squares()}, cost ({', '.join(paid)})"
    yield from _sequence(reading, reading.steps, 1)


def _sequence(reading: Reading, steps: tuple[Step, ...], depth: int) -> Iterator[str]:
    if not steps:
        yield _line(None, depth, "[Seq] nothing to do")
    for step in steps:
        yield from _step(reading, step, depth)


def _step(reading: Reading, step: Step, depth: int) -> Iterator[str]:
    rule = step.node.rule
    yield _line(step.line, depth, f"[{rule}] {statement_text(reading.names, step.statement)}")
    for detail in _details(reading, step):
        yield _line(None, depth, _INDENT * 2 + detail)
    if isinstance(step.statement, ir.If) and step.bodies:
        for side, body in zip(("then", "else"), step.bodies, strict=True):
            yield _line(None, depth, f"{_INDENT}{side}")
            yield from _sequence(reading, body, depth + 2)
    else:
        for body in step.bodies:
            yield from _sequence(reading, body, depth + 1)


def _line(number: int | None, depth: int, content: str) -> str:
    return f"{number or '':>4}  {_INDENT * depth}{content}"


def _details(reading: Reading, step: Step) -> Iterator[str]:
    node, infix = step.node, reading.infix()
    match step.statement:
        case ir.Draw():
            cases = list(coupled(reading, step))
            if lost := tail(reading, step):
                yield f"lost {lost[0]}, of mass {lost[1]}"
            if unequal := ties(reading, step):
                yield f"but for a mass of 0: {unequal}"
            for place, case in enumerate(cases):
                yield from _case(reading, case, place, len(cases))
        case ir.Choose() as draw:
            if said := remark(reading, draw):
                yield plain(said)
            yield from _BY_RULE[node.rule](reading, step)
            yield f"⇒ {relation(reading, draw).text}"
        case ir.If(then=then, otherwise=otherwise) if node.rule == "Cond-L":
            yield "[Cond-R] each run goes its own way"
            for side, body in (("then", then), ("else", otherwise)):
                shown = "; ".join(statement_text(reading.names, item) for item in ir.statements(body))
                yield f"{side}: {shown}"
        case ir.If():
            shown = "both runs go the same way"
            observable = node.fields.get("publish") is True
            yield f"published: {shown}, as {reading.names.output} says" if observable else shown
        case ir.Loop():
            yield from _marked("Θ  ", invariant(reading, step) or ("⊤",))
        case ir.Return():
            yield from _returned(reading)
        case ir.Append(target=target):
            yield from _appended(reading, target)
        case ir.Assume():
            yield "both runs pass, or neither does"
        case _:
            yield from (f"recall {infix.formula(fact)}" for fact in node.terms("facts"))


def _case(reading: Reading, case: Coupled, place: int, count: int) -> Iterator[str]:
    """One of the cases of a draw, the first that applies."""
    if count > 1:
        when = "" if case.when is None else f"{'else ' * (place > 0)}if {reading.infix().formula(case.when)}"
        yield f"{when or 'else'}: [{case.rule}]"
    indent = _INDENT * (count > 1)
    how = "couple null" if case.shift is None else f"k = {case.shift}"
    how = f"map {case.interval}" if case.interval else how
    price = f"adds {case.square} to μ^2" if case.square else f"cost {case.price}"
    yield indent + ", ".join(part for part in (how, case.distance, price) if part)
    if case.counted:
        yield f"{indent}where it grows: {case.counted}"
    yield f"{indent}⇒ {case.relation}"


def _chances(reading: Reading, step: Step) -> Iterator[str]:
    found = chanced(reading, step)
    for place, outcome in enumerate(found.outcomes):
        yield f"outcome {place}: {outcome.condition}, chance {outcome.chance}"
    for cost, pairs in found.possible():
        price = "free" if cost == "0" else f"cost {cost}"
        yield f"{price} for the outcomes of run 1 and run 2: {', '.join(map(str, pairs))}"
    yield "no other pair of outcomes occurs"


def _weights(reading: Reading, step: Step) -> Iterator[str]:
    found = weighted(reading, step)
    yield f"count {found.count}, score {found.score}, rate {found.rate}"
    more = "" if found.within == "0" else f"{found.within} more than "
    yield f"no score changes by more than {more}another's, cost {found.cost}"


def _weighing(reading: Reading, step: Step) -> Iterator[str]:
    found = weighing(reading, step)
    yield f"count {found.count}, weight {found.weight}"
    yield from found.asked
    yield found.few
    for cost, where in found.prices:
        yield f"cost {cost} if {where}"


_BY_RULE = {"Chance": _chances, "Choice": _weights, "Weigh": _weighing}


def _marked(mark: str, items: tuple[str, ...]) -> Iterator[str]:
    for item in items:
        yield mark + item
        mark = " " * len(mark)


def _returned(reading: Reading) -> Iterator[str]:
    output, infix = reading.names.output, reading.infix()
    yield f"out⟨1⟩ = {output} ⇒ out⟨2⟩ = {output}"
    for name, cost in reading.certificate.costs.items():
        yield f"{reading.names.ghosts[name]} ≤ {infix.term(cost.most)}"


def _appended(reading: Reading, target: str) -> Iterator[str]:
    if target in returned_lists(reading.mechanism):
        yield "published: both runs append the same"
    else:
        yield "both lists grow alike"
        if target in reading.certificate.entries:
            yield f"entry invariant: {reading.infix().formula(reading.certificate.entries[target])}"


# --- single runs ----------------------------------------------------------------------------


def _safety(reading: Reading) -> Iterator[str]:
    """What the certificate says for [Safe]: the obligations hold in each run by itself."""
    loops = {
        str(item.loop): item for item in ir.statements(reading.mechanism.body) if isinstance(item, ir.Loop)
    }
    infix = reading.infix(frozenset(reading.mechanism.variables))
    known = [(loops[number], term) for number, term in reading.certificate.safety.items() if number in loops]
    if known:
        yield ""
        yield "Each run by itself ([Safe])"
        yield ""
    for loop, term in known:
        yield from (_line(loop.span.line, 0, part) for part in infix.conjuncts((term,)))
