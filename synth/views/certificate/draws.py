"""How the draws of a site are coupled: per case the rule, k, its side conditions, cost and relation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.rules.laplace import NULL
from synth.trusted.logic.codes import Code
from synth.trusted.logic.terms import Term, read
from synth.trusted.program import syntax as ir
from synth.views.certificate.steps import Reading, Step
from synth.views.certificate.wording import in_run

LOSING = "Norm"
INTERVAL = "LapInt"
NOTHING = "0"


@dataclass(frozen=True)
class Coupled:
    """One case of a site, in mathematics.

    ``when`` is None for the last case; ``shift`` is k, None for a null coupling; ``distance`` is
    what the rule asks for, empty for a null coupling; ``relation`` is what holds of the draws.
    ``mass`` is what is lost; where it isn't 0, ``counted`` says that the counter stays within its bound.
    ``square`` is (distance/sigma)² of real Gaussian noise, which costs nothing by itself.  ``interval`` says
    which interval of run 1 is mapped onto which of run 2; then there is no k.
    """

    rule: str
    when: Term | None
    shift: str | None
    distance: str
    cost: str
    relation: str
    mass: str = NOTHING
    counted: str = ""
    square: str = ""
    interval: str = ""

    @property
    def price(self) -> str:
        """The cost, with what is lost."""
        return self.cost if self.mass == NOTHING else f"({self.cost}, {self.mass})"


def is_null(leaf: Node) -> bool:
    """Whether both runs draw the same noise."""
    return leaf.fields.get("k") == NULL


def coupled(reading: Reading, step: Step, centers: tuple[str, str] | None = None) -> Iterator[Coupled]:
    """The cases of a draw, in their order; ``centers`` may abbreviate the centres in the two runs.

    Raises Rejected for an incomplete rule.
    """
    assert isinstance(step.statement, ir.Draw)
    centers = centers or _centers(reading, step.statement)
    for when, leaf in step.couplings:
        if leaf.rule == INTERVAL:
            yield _mapped(reading, step.statement, when, leaf, centers)
        elif is_null(leaf):
            yield Coupled(leaf.rule, when, None, "", NOTHING, _same_noise(reading, step.statement, centers))
        else:
            yield _shifted(reading, step.statement, when, leaf, centers)


def tail(reading: Reading, step: Step) -> tuple[str, str] | None:
    """Which noise of run 1 is given up at a draw, and its mass; None for none."""
    match step.node.fields.get("tail"):
        case None:
            return None
        case ["above" | "both" as side, str(limit), str(name)] if name in reading.certificate.costs:
            assert isinstance(step.statement, ir.Draw)
            infix, edge = reading.infix(), "|" if side == "both" else ""
            center = _centers(reading, step.statement)[0]
            noise = f"{reading.names.variable(step.statement.target)}⟨1⟩ − {center}"
            mass = infix.term(reading.certificate.costs[name].delta)
            lost = f"{edge}{noise}{edge} ≥ {infix.term(read(limit))}"
            if "tail_when" in step.node.fields:
                lost = f"{infix.term(step.node.term('tail_when'))} ∧ {lost}"
            return lost, mass
        case _:
            raise step.node.reject(Code.MALFORMED_TAIL())


def ties(reading: Reading, step: Step) -> str:
    """What run 1's draw is unequal to, as runs in which it isn't have no mass; empty for nothing."""
    assert isinstance(step.statement, ir.Draw)
    drawn = f"{reading.names.variable(step.statement.target)}⟨1⟩"
    return ", ".join(f"{drawn} ≠ {reading.infix().term(other)}" for other in step.node.terms("apart"))


def _same_noise(reading: Reading, draw: ir.Draw, centers: tuple[str, str]) -> str:
    target = reading.names.variable(draw.target)
    first, second = centers
    if first == second:
        return f"{target}⟨1⟩ = {target}⟨2⟩"
    return f"{target}⟨1⟩ − {target}⟨2⟩ = {first} − {second}"


def _shifted(
    reading: Reading, draw: ir.Draw, when: Term | None, leaf: Node, centers: tuple[str, str]
) -> Coupled:
    infix, shift = reading.infix(), leaf.term("k")
    k, (first, second) = infix.term(shift), centers
    moved = k if first == second else f"{first} − {second}" if k == "0" else f"{k} + {first} − {second}"
    left, right = (f"|{draw.target}<{run}>|" for run in (1, 2))
    relation = infix.formula(("=", ("+", left, shift), right))
    found = Coupled(leaf.rule, when, k, _asked(reading, leaf, moved), _cost(reading, leaf, moved), relation)
    cost = reading.certificate.costs.get(str(leaf.fields.get("cost")))
    if leaf.rule != LOSING or cost is None:
        return found
    if cost.square is not None:
        return replace(found, square=_square(reading, leaf, moved, cost.square))
    counted = f"{reading.names.ghosts[str(leaf.fields['cost'])]} < {infix.term(cost.bound)}"
    moves = counted if moved == NOTHING else f"{moved} ≠ 0 ⇒ {counted}"
    return replace(found, mass=infix.term(cost.delta), counted=moves)


def _square(reading: Reading, leaf: Node, moved: str, square: Term) -> str:
    """What a use adds to the sum of squares."""
    infix = reading.infix()
    match leaf.fields.get("amount"):
        case "distance":
            return f"|{moved}|·{infix.term(square)}"
        case "share":
            source, _ = leaf.value(tuple[str, str], "of")
            return f"{source}.share·{infix.term(square)}"
        case _:
            return infix.term(("*", leaf.term("amount"), square))


def _mapped(
    reading: Reading, draw: ir.Draw, when: Term | None, leaf: Node, centers: tuple[str, str]
) -> Coupled:
    """[LapInt]: what is asked of the ends, what that costs, and where the draws lie."""
    infix, target = reading.infix(), reading.names.variable(draw.target)
    sides = [[infix.term(end) for end in leaf.interval(field)] for field in ("from", "to")]
    apart = "" if centers[0] == centers[1] else f" − ({centers[1]} − {centers[0]})"
    within, narrowed, gap = (infix.term(leaf.term(field)) for field in ("within", "narrowed", "gap"))
    (low, high), (low_2, high_2) = sides
    count = " + 1" if draw.sort is ir.Sort.INT else ""
    asked = [f"{low} ≤ {high}"]
    asked += [f"|{two} − {one}{apart}| ≤ {within}" for one, two in ((low, low_2), (high, high_2))]
    asked += [f"{gap} ≤ {high_2} − {low_2}{count}", f"{high} − {low} − ({high_2} − {low_2}) ≤ {narrowed}"]
    inside = " ⇒ ".join(f"{side[0]} ≤ {target}⟨{run}⟩ ≤ {side[1]}" for run, side in enumerate(sides, 1))
    cost = " + ".join(_payment(reading, leaf, field) for field in ("moved", "squeezed"))
    mapped = " → ".join(f"[{side[0]}, {side[1]}]" for side in sides)
    return Coupled(leaf.rule, when, None, " ∧ ".join(asked), cost, inside, interval=mapped)


def _payment(reading: Reading, leaf: Node, field: str) -> str:
    name, amount = leaf.payment(field)
    if name not in reading.certificate.costs:
        raise leaf.reject(Code.NO_SUCH_COST(name=name))
    return reading.infix().term(("*", amount, reading.certificate.costs[name].weight))


def _asked(reading: Reading, leaf: Node, moved: str) -> str:
    """The rule's precondition: how far run 2's draw may be moved against its centre."""
    one_sided = leaf.rule == "OneLapGen"
    if "cost" not in leaf.fields:
        return f"{moved} = 0"
    if leaf.fields.get("amount") == "distance" and "within" not in leaf.fields:
        return f"0 ≤ {moved}" if one_sided else ""
    within = reading.infix().term(leaf.term("within"))
    return f"0 ≤ {moved} ≤ {within}" if one_sided else f"|{moved}| ≤ {within}"


def _cost(reading: Reading, leaf: Node, moved: str) -> str:
    """What the shift costs at most, in nats."""
    infix = reading.infix()
    if "cost" not in leaf.fields:
        return NOTHING
    cost = reading.certificate.costs.get(str(leaf.fields["cost"]))
    if cost is None:
        raise leaf.reject(Code.NO_SUCH_COST(name=str(leaf.fields["cost"])))
    if cost.square is not None:
        return NOTHING
    if leaf.fields.get("amount") == "distance":
        return f"|{moved}|·{infix.term(cost.weight)}"
    return infix.term(("*", leaf.term("amount"), cost.weight))


def _centers(reading: Reading, draw: ir.Draw) -> tuple[str, str]:
    """The centre in run 1 and in run 2."""
    center = draw.arguments[0]
    return in_run(reading.names, center, "⟨1⟩"), in_run(reading.names, center, "⟨2⟩")
