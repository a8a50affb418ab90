"""[LapInt]: where run 1 draws from an interval, run 2 draws from another, which may be narrower.

Barthe et al. 2016, *Advanced probabilistic couplings for differential privacy*, [LapInt]; here with a map
that is piecewise affine, so that it says something of all draws.
"""

from __future__ import annotations

from dataclasses import dataclass

from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.proof_state import Proof, is_indexed
from synth.trusted.kernel.rules.payments import Paid, pay, price, size
from synth.trusted.kernel.symbolic_state import Pair, State
from synth.trusted.logic.arithmetic.polynomials import at_most
from synth.trusted.logic.codes import Code
from synth.trusted.logic.inputs import SORTS, real
from synth.trusted.logic.terms import INT, REAL, Term, absolute
from synth.trusted.program import syntax as ir

FIELDS = frozenset({"from", "to", "within", "moved", "narrowed", "gap", "squeezed"})


@dataclass(frozen=True)
class Noise:
    """A draw of noise: its centres in the two runs, run 1's value, and the scale."""

    statement: ir.Draw
    centers: Pair
    left: Term
    scale: Term


def lap_int(proof: Proof, leaf: Node, noise: Noise, state: State) -> tuple[State, Term, Paid]:
    """Run 1's interval ``from`` is mapped onto run 2's ``to``; what lies beside it is moved along.

    Returns the state, run 2's draw less run 1's, and the costs.  The noise is moved by at most ``within``;
    intervals are squeezed by at most ``narrowed`` to a width of at least ``gap``, so that densities grow by
    the factor 1 + narrowed/gap at most.
    """
    if is_indexed(noise.scale):
        raise leaf.reject(Code.SCALE_NOT_PUBLIC())
    sort = SORTS[noise.statement.sort]
    state, (low, high) = _ends(proof, leaf, state, sort, noise.statement.target)
    state, paid = _paid(proof, leaf, state, noise.scale)
    state = proof.require(leaf, state, Code.INTERVAL_EMPTY(), ("<=", low[0], high[0]))
    state = _moved_within(proof, leaf, state, sort, noise.centers, (low, high))
    right = proof.fresh(f"{noise.statement.target}<2>", sort)
    mapped = _mapped(sort, (noise.left, right), low, high)
    return state.learning(mapped), ("-", right, noise.left), paid


def gap_known(proof: Proof, leaf: Node, noise: Noise, state: State) -> State:
    """The gap is positive: that is about public inputs, and so known in all cases of the draw."""
    room, gap = size(proof, leaf, "gap", state)
    known = ("<", "0.0", noise.scale), *state.public_path
    proof.require_public(leaf, Code.GAP_NOT_POSITIVE(), ("<", "0.0", gap), *known)
    return state.learning([("<", "0.0", room)])


def _ends(proof: Proof, leaf: Node, state: State, sort: str, target: str) -> tuple[State, tuple[Pair, Pair]]:
    """The lower and the upper ends in the two runs, known before the draw."""
    ends = {}
    for field in ("from", "to"):
        found = []
        for term in leaf.interval(field):
            instance, facts = proof.instance(leaf, term, state, sort, target)
            state, constant = proof.constant(state.knowing(facts), "end", instance)
            found.append(constant)
        ends[field] = found
    return state, ((ends["from"][0], ends["to"][0]), (ends["from"][1], ends["to"][1]))


def _moved_within(
    proof: Proof, leaf: Node, state: State, sort: str, centers: Pair, ends: tuple[Pair, Pair]
) -> State:
    """How far the ends are moved against the centres, and how wide the intervals are."""
    within, narrowed, gap = (
        proof.instance(leaf, leaf.term(field), state, REAL)[0] for field in ("within", "narrowed", "gap")
    )
    (low_1, low_2), (high_1, high_2) = ends
    apart: Term = ("-", centers[1], centers[0])
    for code, one, two in ((Code.LOWER_END_MOVES, low_1, low_2), (Code.UPPER_END_MOVES, high_1, high_2)):
        moved: Term = ("-", ("-", two, one), apart)
        goal: Term = ("<=", real(absolute(moved, sort), sort), within)
        state = proof.require(leaf, state, code(), goal)
    width: Term = ("-", high_2, low_2)
    many: Term = ("+", width, "1") if sort == INT else width
    state = proof.require(leaf, state, Code.INTERVAL_TOO_NARROW(), ("<=", gap, real(many, sort)))
    lost: Term = ("-", ("-", high_1, low_1), width)
    return proof.require(leaf, state, Code.INTERVAL_NARROWED(), ("<=", real(lost, sort), narrowed))


def _paid(proof: Proof, leaf: Node, state: State, scale: Term) -> tuple[State, Paid]:
    """within/scale for what is moved, and narrowed/gap for what is squeezed, since log(1 + x) <= x."""
    within, narrowed, gap = (size(proof, leaf, field, state)[1] for field in ("within", "narrowed", "gap"))
    known = ("<", "0.0", scale), *state.public_path, ("<", "0.0", gap)
    goal = at_most("0.0", narrowed)
    proof.require_public(leaf, Code.INTERVAL_GROWS(), goal, *known)
    total: dict[str, Term] = {}
    for field, due in (("moved", ("/", within, scale)), ("squeezed", ("/", narrowed, gap))):
        says = Code.AMOUNT_NOT_PAID(field=field)
        state, paid = pay(proof, leaf, state, leaf.payment(field), says, price(due), known)
        for name, amount in paid.items():
            total[name] = ("+", total[name], amount) if name in total else amount
    return state, total


def _mapped(sort: str, draws: Pair, low: Pair, high: Pair) -> list[Term]:
    """Where run 2's draw lies, given where run 1's does."""
    one, two = draws
    inside = "<=" if sort == INT else "<"
    facts: list[Term] = [
        ("=>", ("<", one, low[0]), ("=", ("-", two, one), ("-", low[1], low[0]))),
        ("=>", ("<", high[0], one), ("=", ("-", two, one), ("-", high[1], high[0]))),
        (
            "=>",
            ("and", (inside, low[0], one), (inside, one, high[0])),
            ("and", (inside, low[1], two), (inside, two, high[1])),
        ),
    ]
    if sort == REAL:
        facts += [("=>", ("=", one, end[0]), ("=", two, end[1])) for end in (low, high)]
    return facts
