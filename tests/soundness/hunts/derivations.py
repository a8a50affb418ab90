"""Derivations at random, of random programs: what the kernel accepts is held against the exact loss.

A certificate that a search has found couples draws as one would.  Here rules, couplings, cases, events and
parts are chosen by chance; of many invariants those are kept that the kernel shows, and the bounds of costs
become the least that it accepts.  So each proof that comes out says as much as the rules allow, and is
compared with the law of the outputs, and with runs that it couples.  Losses are claimed in nats, with tails
given up, or as zCDP.  Some programs are followed by a step that reads outside of lists what no run needs.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from unittest.mock import patch

from synth.trusted.core.expressions import Inexact
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.certificate import Node, read_certificate
from synth.trusted.kernel.proof_state import Proof, assigned, begin
from synth.trusted.kernel.rules import structural
from synth.trusted.kernel.rules.structural import ONLY_RULE
from synth.trusted.kernel.rules.whole import composed, conseq, derived, noise_paid
from synth.trusted.kernel.solvers import GaveUp, holds, script
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BOOL, BadTerm
from synth.trusted.normal_form.retries import NoRound, one_round
from synth.trusted.normal_form.sequential_parts import NoCut, parts
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import is_pure, returned_lists
from tests.support import idle_reads
from tests.support.coupled_programs import TooLong, adjacent_pairs, coupled_program, output_law
from tests.support.handmade import Data, certificate
from tests.support.idle_reads import with_idle_reads
from tests.support.joint_runs import States, contradiction, recorded

from .certificates import event_sorts
from .hunting import Broken, Try, about

TRIES = 4
"""Derivations of one program."""

PAIRS, STATES, MILLISECONDS = 40, 4000, 300
"""Adjacent inputs that are looked at, states of a law, and the time for one side condition."""

JOINT = 6
"""Pairs of runs of one derivation."""

MOST = 16
"""Bounds of costs that are tried, in units."""

HUGE = "100000.0"
"""A bound that anything is below, until the least one is known."""

NATS, TAILS, ZCDP = "nats", "tails", "zcdp"
ORDERS = (1.05, 1.5, 2, 3, 5, 9, 17)
WORTH = {"0.5": 0.5, "(|log:Real| 2.0)": math.log(2), "0.0": 0.0}
"""What one unit of a cost is worth."""


def attempt(case: str) -> Iterator[Try]:
    """Some derivations of one program.  Raises Broken."""
    rng = random.Random(case)
    text = coupled_program(rng, reads=rng.random() < 0.3)
    try:
        (of,) = read_source(text, "hunt.py")
    except ProgramError:
        yield Try("refused", reached=False)
        return
    idle = with_idle_reads(of, rng) if rng.random() < 0.3 else None
    form = of if idle is None else idle[0]
    for _ in range(TRIES):
        kind = rng.choice((NATS, NATS, TAILS, ZCDP))
        with about(text):
            found = _proof(rng, text, form, kind)
            against = None if found is None else objection(of, kind, found, rng)
            if found is not None and against is None:
                against = _coupled(of, form, kind, found, rng)
        if found is None:
            yield Try(f"{kind}: not proved", reached=False)
            continue
        if against is not None:
            shown = text if idle is None else idle[1].program
            raise Broken(f"{kind}: {against}\n{shown}", json.dumps(found.data, indent=1))
        yield Try(f"{kind}: proved, {found.shape}")


# --- what is proposed -----------------------------------------------------------------------


def _amount(units: Fraction) -> str:
    """An integer, rounded up, as a term."""
    number = math.ceil(units)
    return str(number) if number >= 0 else f"(- {-number})"


@dataclass
class Proposal:
    """Costs, events and a derivation for one program, or for a part."""

    rng: random.Random
    of: ir.Mechanism
    kind: str
    events: dict[str, str] = field(default_factory=dict)
    costs: dict[str, Data] = field(default_factory=dict)
    drawn: str = ""

    def __post_init__(self) -> None:
        if self.kind != ZCDP and self.rng.random() < 0.5:
            found = event_sorts(self.of, returned_lists(self.of))
            self.events = {name: sort for name, sort in found if self.rng.random() < 0.7}
        square: Data = {"square": "0.25"} if self.kind == ZCDP else {"weight": "0.5"}
        self.costs = {
            "cost#0": {"sort": "Int", **square},
            "cost#1": {"sort": "Int", "weight": "(|log:Real| 2.0)"},
            "cost#2": {"sort": "Real", **square},
        }

    def part(self, retried: bool = False) -> Data:
        """The proposal as a part of a document, with bounds that all is below."""
        derivation = self.sequence(self.of.body)
        costs = {name: {**cost, "bound": _bound(cost, 80)} for name, cost in self.costs.items()}
        proved = {"epsilon": "1000.0", "delta": "100.0" if self.kind == TAILS else "0"}
        found: Data = {"proved": proved, "costs": costs, "events": self.events, "entries": self.entries()}
        found |= {"retried": True} if retried else {}
        found |= {"gaussian": {"square": HUGE, "notion": "zcdp"}} if self.kind == ZCDP else {}
        return {**found, "derivation": derivation}

    def entries(self) -> dict[str, str]:
        """What may hold of the entries of lists that are not returned."""
        found = {}
        for name in sorted(self.of.lists.keys() - returned_lists(self.of)):
            one, two, index = (f"|{name}{part}|" for part in ("[0]<1>", "[0]<2>", "#index"))
            options = [f"(= {one} {two})", f"(<= {one} {two})", f"(<= {two} {one})", f"(<= {index} {one})"]
            options += [f"(< (- {a} {b}) 2)" for a, b in ((one, two), (two, one))]
            if self.rng.random() < 0.6:
                held = self.rng.sample(options, self.rng.choice((1, 2)))
                found[name] = f"(and true true {' '.join(held)})"
        return found

    def numbers(self) -> list[str]:
        """Integers of the program that are known before a draw."""
        known = ("a", "b", *idle_reads.NAMES)
        return [name for name in known if self.of.variables.get(name) is ir.Sort.INT and name != self.drawn]

    def condition(self) -> str:
        """What a case may ask for."""
        options = ["(< |x#start<1>| |x#start<2>|)", "(= |x#start<1>| |x#start<2>|)"]
        options += [f"(= |{name}<1>| |{name}<2>|)" for name in self.numbers()]
        for name, sort in self.events.items():
            options += [f"|{name}|", f"(not |{name}|)"] if sort == BOOL else []
            options += [f"(= |{name}| {i})" for i in range(3) if sort != BOOL]
            options += [f"(< |{name}| |x#start<1>|)"] if sort != BOOL else []
        return self.rng.choice(options)

    def shift(self) -> str:
        options = ["0"] * 6 + ["1", "(- 1)", "2"]
        for name in ("x#start", *self.numbers()):
            options += [f"(- |{name}<2>| |{name}<1>|)", f"(- |{name}<1>| |{name}<2>|)"]
        one, other = self.rng.choice(options), self.rng.choice(options)
        return f"(ite {self.condition()} {one} {other})" if self.rng.random() < 0.15 else one

    def coupling(self, draw: ir.Draw) -> Data:
        """One case of a draw of noise."""
        rng, rule = self.rng, {"laplace": "LapGen", "exponential": "OneLapGen"}[draw.distribution]
        roll, within = rng.random(), rng.choice((1, 1, 1, 2, 3))
        scale = draw.arguments[1].value if isinstance(draw.arguments[1], ir.Constant) else 1
        if roll < 0.15:
            return {"rule": rule, "k": "null"}
        if roll < 0.2 or (self.kind == ZCDP and rule == "OneLapGen"):
            return {"rule": rule, "k": self.shift()}
        if roll < 0.3 and rule == "LapGen" and self.kind != ZCDP:
            return self.interval()
        moved: Data = {"rule": rule, "k": self.shift(), "within": f"{within}.0", "cost": "cost#0"}
        if self.kind == ZCDP:
            units = Fraction(4 * within**2) / Fraction(scale) ** 2
        else:
            units = Fraction(2 * within) / Fraction(scale)
        if roll < 0.45:
            return {**moved, "cost": "cost#2", "amount": rng.choice((f"{math.ceil(units)}.0", "distance"))}
        return {**moved, "amount": _amount(units)}

    def interval(self) -> Data:
        rng = self.rng
        low = rng.choice(("0", "1", "|x#start<1>|"))
        other = rng.choice((low, "1", "|x#start<2>|", "(+ |x#start<2>| 1)"))
        high = f"(+ {rng.choice((low, '1', '|x#start<2>|'))} {rng.choice('123')})"
        return {
            "rule": "LapInt",
            "from": [low, f"(+ {low} {rng.choice('123')})"],
            "to": [other, high],
            "within": rng.choice(("1.0", "2.0")),
            "narrowed": rng.choice(("0.0", "1.0")),
            "gap": rng.choice(("1.0", "2.0", "3.0")),
            "moved": ["cost#0", rng.choice("24")],
            "squeezed": ["cost#0", rng.choice("0124")],
        }

    def noise(self, draw: ir.Draw) -> Data:
        self.drawn = draw.target
        if self.rng.random() < 0.3:
            whens = [self.condition() for _ in range(self.rng.choice((1, 1, 2)))]
            found: Data = {"rule": "Case", "when": whens}
            found["premises"] = [self.coupling(draw) for _ in range(len(whens) + 1)]
        else:
            found = self.coupling(draw)
        if self.kind == TAILS and draw.distribution != "gaussian" and self.rng.random() < 0.7:
            found |= self.tail(draw)
        return found

    def tail(self, draw: ir.Draw) -> Data:
        rng, first = self.rng, self.rng.choice((1, 2, 3))
        scale = draw.arguments[1].value if isinstance(draw.arguments[1], ir.Constant) else 1
        side = rng.choice(("above", "both"))
        two_sided = draw.distribution == "laplace"
        mass = math.exp(-first / scale) * (2 if side == "both" else 1)
        mass /= 1 + math.exp(-1 / scale) if two_sided else 1
        name = f"cost#{10 + 8 * first + 4 * two_sided + 2 * (scale == 2) + (side == 'both')}"
        self.costs[name] = {"sort": "Int", "weight": "0.0", "delta": f"{mass * 1.00001:.9f}"}
        found: Data = {"tail": [side, f"{first}.0", name]}
        if rng.random() < 0.4:
            options = ["(not (= |x#start<1>| |x#start<2>|))", "(< 0 |x#start<1>|)"]
            found["tail_when"] = rng.choice([*options, *(f"(< |{item}<1>| 1)" for item in self.numbers())])
        return found

    def choice(self, statement: ir.Choose) -> Data:
        rng, within = self.rng, self.rng.choice((1, 1, 2))
        score = statement.law.score if isinstance(statement.law, ir.Weights) else None
        if isinstance(score, ir.Operation) and score.operator is ir.Operator.LOGARITHM and self.kind != ZCDP:
            found: Data = {"rule": "Weigh", "floor": rng.choice(("1.0", "1.0", "0.5"))}
            if rng.random() < 0.8:
                found |= {"gain": rng.choice(("1.0", "2.0")), "own": ["cost#0", rng.choice("124")]}
            if rng.random() < 0.8:
                found |= {"few": rng.choice((0, 1, 2, 3)), "step": rng.choice(("0.0", "1.0", "2.0"))}
                found["total"] = ["cost#0", rng.choice("0123")]
                found |= {"grows": self.condition()} if rng.random() < 0.5 else {}
            return found
        distance = rng.choice((f"{within / 2}", f"{within}.0"))
        return {"rule": "Choice", "within": distance, "cost": "cost#0", "amount": rng.choice("1224")}

    def chances(self, law: ir.Chances) -> Data:
        """Each pair of outcomes costs what its chances say, or a number of times if they are private."""
        free, pays, times = [], [], []
        known = [_number(chance) for _, chance in law.outcomes]
        for i, one in enumerate(known):
            for j, other in enumerate(known):
                if one is None or other is None:
                    if i == j and self.rng.random() < 0.3:
                        free.append([i, i])
                    elif i == j:
                        most = self.rng.choice((2, 3, 3, 4))
                        times.append([i, i, f"{most}.0"])
                        pays.append([i, i, "cost#1", str(math.ceil(math.log2(most)))])
                elif one <= other and self.rng.random() < 0.5:
                    free.append([i, j])
                else:
                    in_bits = self.kind == ZCDP or self.rng.random() < 0.5
                    unit = math.log(2) if in_bits else 0.5
                    units = Fraction(math.log(one / other) / unit - 1e-12)
                    pays.append([i, j, "cost#1" if in_bits else "cost#0", _amount(units)])
        return {"rule": "Chance", "free": free, "pays": pays, "times": times}

    def loop(self, statement: ir.Loop) -> Data:
        """A loop with all invariants that one may think of."""
        names = sorted(assigned(statement.body))
        numbers = [name for name in names if self.of.variables.get(name) is ir.Sort.INT]
        spent = [f"|{item.name}#spent|" for item in self.of.parameters if _is_budget(item)]
        found = [f"(<= |{cost}| {most})" for cost in ("cost#0", "cost#1") for most in (0, 1, 2, 4, 8)]
        found += [f"(<= |cost#2| {most}.0)" for most in (0, 1, 2, 4)]
        found += [f"(<= |cost#2| (* {each} {budget}))" for each in ("1.0", "2.0") for budget in spent]
        for name in numbers:
            found += [f"(<= (- |{name}<{one}>| |{name}<{3 - one}>|) 1)" for one in (1, 2)]
            found += [f"(<= 0 |{name}<1>|)", f"(<= |{name}<1>| 2)"]
            found += [f"(< {budget.replace('spent', 'latest')} |{name}<1>|)" for budget in spent]
            if name not in "abd":
                found += [f"(<= |cost#0| (* {each} |{name}<1>|))" for each in (1, 2, 4)]
        body = [self.sequence(statement.body)]
        return {"rule": "While", "invariant": found, "equal": names, "premises": body}

    def node(self, statement: ir.Statement) -> Data:
        match statement:
            case ir.Draw():
                return self.noise(statement)
            case ir.Choose(law=ir.Chances() as law):
                return self.chances(law)
            case ir.Choose():
                return self.choice(statement)
            case ir.If(then=then, otherwise=otherwise):
                if is_pure(then) and is_pure(otherwise) and self.rng.random() < 0.6:
                    return {"rule": "Cond-L", "premises": [{"rule": "Cond-R"}]}
                publish = f"next#branch.{statement.branch}.0" in self.events or self.rng.random() < 0.2
                sides = [self.sequence(then), self.sequence(otherwise)]
                return {"rule": "Cond", "publish": publish, "premises": sides}
            case ir.Block(body=body):
                return {"rule": "Block", "premises": [self.sequence(body)]}
            case ir.Loop():
                return self.loop(statement)
        return {"rule": ONLY_RULE[type(statement)]}

    def sequence(self, body: tuple[ir.Statement, ...]) -> Data:
        return {"rule": "Seq", "premises": [self.node(item) for item in body]}


def _is_budget(item: ir.Parameter) -> bool:
    return item.metric is not None and item.metric.kind is ir.MetricKind.L1


def _bound(cost: Data, units: int) -> str:
    return f"{units}.0" if cost["sort"] == "Real" else str(units)


def _number(chance: ir.Expression) -> float | None:
    """A chance that is one number."""
    match chance:
        case ir.Constant(value=value):
            return float(value)
        case ir.Operation(operator=operator, operands=operands) if operator in _OPERATIONS:
            parts = [_number(item) for item in operands]
            known = [part for part in parts if part is not None]
            return _OPERATIONS[operator](*known) if len(known) == len(parts) else None
    return None


_OPERATIONS: dict[ir.Operator, Callable[..., float]] = {
    ir.Operator.ADD: lambda one, other: one + other,
    ir.Operator.SUBTRACT: lambda one, other: one - other,
    ir.Operator.DIVIDE: lambda one, other: one / other,
    ir.Operator.EXPONENTIAL: math.exp,
    ir.Operator.TO_REAL: float,
}


def _document(rng: random.Random, text: str, of: ir.Mechanism, kind: str) -> Data | None:
    """A certificate of the whole, or of parts; None where the program can't be cut so."""
    whole = certificate(text.partition("\n\n\n")[2])
    whole |= {"core": "", "proved": {"epsilon": HUGE, "delta": HUGE if kind == TAILS else "0"}}
    if kind == ZCDP:
        whole["gaussian"] = {"square": HUGE, "notion": "zcdp"}
    if rng.random() < 0.7:
        return whole | {**Proposal(rng, of, kind).part(), "proved": whole["proved"]}
    count = min(rng.choice((0, 1, 1, 2)), len(of.body) - 1)
    cuts = sorted(rng.sample(range(1, len(of.body)), count))
    try:
        pieces = parts(of, cuts)
    except NoCut:
        return None
    found = []
    for piece in pieces:
        paid = NATS if kind == ZCDP and rng.random() < 0.4 else kind
        try:
            one = one_round(piece) if paid == NATS and rng.random() < 0.6 else None
        except NoRound:
            one = None
        found.append(Proposal(rng, one or piece, paid).part(one is not None))
    for name in ("costs", "events", "entries", "derivation"):
        del whole[name]
    return {**whole, "cuts": cuts, "parts": found}


# --- what is proved -------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """A document that the kernel accepts, and what it proves."""

    data: Data
    epsilon: float
    delta: float
    rho: float

    @property
    def shape(self) -> str:
        return "in parts" if "parts" in self.data else "as a whole"


Mark = tuple[int, Node, str, int]
"""A condition's number, the loop, which field it is about, and the number of the item there."""


@contextmanager
def _marking(marks: dict[int, list[Mark]]) -> Iterator[None]:
    """Which conditions are about which invariants, by the proof."""

    def marked(
        proof: Proof, node: Node, state: State, equal: tuple[str, ...], differ: Code, broken: Code
    ) -> None:
        for kind, count in (("equal", len(equal)), ("invariant", len(node.terms("invariant")))):
            for number in range(count):
                only = [item for place, item in enumerate(node.fields.get(kind, [])) if place == number]  # type: ignore[arg-type]
                other = "invariant" if kind == "equal" else "equal"
                single = Node(node.rule, {kind: only, other: []}, node.premises, node.place)
                before = len(proof.conditions)
                names = (equal[number],) if kind == "equal" else ()
                invariant(proof, single, state, names, differ, broken)
                if len(proof.conditions) > before:
                    marks.setdefault(id(proof), []).append((before, node, kind, number))

    invariant = structural._invariant
    with patch.object(structural, "_invariant", marked):
        yield


@dataclass(frozen=True)
class Asked:
    """What a document asks for, but for what single runs must meet: by part, and the conditions on loops."""

    parts: list[list[Condition]]
    loops: list[tuple[int, Condition, Node, str, int]]


def _asked(of: ir.Mechanism, data: Data) -> Asked:
    """Raises Rejected, BadTerm."""
    found, marks = read_certificate(data), dict[int, list[Mark]]()
    with _marking(marks):
        whole = begin(of, found)
        proofs = [*composed(whole), whole] if found.parts else [derived(whole)]
        noise_paid(whole)
    conditions = [proof.all_conditions() for proof in proofs]
    loops = [
        (number, conditions[number][place], *rest)
        for number, proof in enumerate(proofs)
        for place, *rest in marks.get(id(proof), [])
    ]
    return Asked(conditions, loops)


def _holds(item: Condition) -> bool:
    try:
        text = script(item)
    except (BadTerm, GaveUp):
        return False
    for solver in ("z3", "cvc5") if item.known is None else ("cvc5", "z3"):
        try:
            return holds(text, solver, MILLISECONDS)
        except GaveUp:
            continue
    return False


_KNOWN: dict[object, bool] = {}
"""Which conditions of a program hold, since most of them come again with the next bound."""


def _shown(conditions: Iterable[Condition]) -> bool:
    for item in conditions:
        key = item.assumptions, item.goal, item.known is None
        if key not in _KNOWN:
            _KNOWN[key] = _holds(item)
        if not _KNOWN[key]:
            return False
    return True


def _derivations(data: Data) -> list[Data]:
    found: list[Data] = data.get("parts", [data])
    return found


def _proof(rng: random.Random, text: str, of: ir.Mechanism, kind: str) -> Found | None:
    """A proposal that the kernel accepts, with the least bounds; None for one that it doesn't."""
    _KNOWN.clear()
    data = _document(rng, text, of, kind)
    try:
        if data is None or not _with_invariants(of, data):
            return None
        for number, part in enumerate(_derivations(data)):
            for name in part["costs"]:
                _bounded(of, data, number, name)
        return _claimed(of, data, kind)
    except (Rejected, BadTerm):
        return None


def _with_invariants(of: ir.Mechanism, data: Data) -> bool:
    """Leave those invariants that hold; whether all else holds then, too."""
    while True:
        asked = _asked(of, data)
        wrong = {
            (number, node.place, kind, item)
            for number, condition, node, kind, item in asked.loops
            if not _shown([condition])
        }
        if not wrong:
            return all(map(_shown, asked.parts))
        for number, place, kind, item in sorted(wrong, reverse=True):
            node = _derivations(data)[number]["derivation"]
            for step in place.partition("derivation")[2].strip(".").split("."):
                node = node["premises"][int(step)]
            del node[kind][item]


def _bounded(of: ir.Mechanism, data: Data, number: int, name: str) -> None:
    """Give a cost the least bound within which it is at each return."""
    cost = _derivations(data)[number]["costs"][name]
    for units in range(MOST + 1):
        cost["bound"] = _bound(cost, units)
        asked = _asked(of, data).parts[number]
        if _shown(item for item in asked if item.says == Code.COST_ABOVE_BOUND(name=name)):
            return


def _claimed(of: ir.Mechanism, data: Data, kind: str) -> Found | None:
    """What the bounds prove, if the kernel accepts them."""
    epsilon = delta = square = 0.0
    for part in _derivations(data):
        costs = [(cost, float(cost["bound"])) for cost in part["costs"].values()]
        nats = math.fsum(WORTH[cost["weight"]] * bound for cost, bound in costs if "weight" in cost)
        own = math.fsum(0.25 * bound for cost, bound in costs if "square" in cost)
        delta += math.fsum(float(cost.get("delta", 0)) * bound for cost, bound in costs)
        epsilon += 2 * nats if part.get("retried") else nats
        square += own
        if kind == ZCDP and "parts" in data:
            part["proved"]["epsilon"] = f"{nats + (1e-9 if nats else 0):.12f}"
            if "gaussian" in part:
                part["gaussian"]["square"] = f"{own:.6f}"
                square += 1e-9 if own else 0
            else:
                square += (nats + 1e-9) ** 2
    judged = of
    if kind == ZCDP:
        square += 1e-9
        data["claim"] = {"epsilon": None, "delta": None, "zcdp": f"{square / 2:.12f}"}
        data["gaussian"]["square"] = f"{square:.12f}"
        data["proved"] = {"epsilon": "0.0", "delta": "0"}
        bound = ir.Constant(Fraction(f"{square / 2 + 1e-9:.12f}"), ir.Sort.REAL)
        judged = _claiming(of, bound)
    asked = _asked(judged, data)
    root = begin(judged, read_certificate(data))
    conseq(root)
    if not all(map(_shown, (*asked.parts, root.all_conditions()))):
        return None
    return Found(data, epsilon, delta, square / 2)


def _claiming(of: ir.Mechanism, rho: ir.Expression) -> ir.Mechanism:
    return ir.Mechanism(**{**vars(of), "divergence": ir.Divergence(ir.Notion.ZCDP, rho)})


# --- what is true ---------------------------------------------------------------------------


def objection(of: ir.Mechanism, kind: str, found: Found, rng: random.Random) -> str | None:
    """Two inputs on which the laws of the outputs differ by more than is proved; None if none is found."""
    pairs = list(adjacent_pairs(of))
    laws: dict[str, tuple[dict[Any, float], float]] = {}
    for one, other in rng.sample(pairs, min(PAIRS, len(pairs))):
        for inputs in (one, other):
            if repr(inputs) not in laws:
                try:
                    laws[repr(inputs)] = output_law(of, inputs, STATES)
                except (TooLong, Inexact):
                    return None
        (first, _), (second, rest) = laws[repr(one)], laws[repr(other)]
        if kind == ZCDP:
            for order in ORDERS:
                if _rho(first, second, rest, order) > found.rho * (1 + 1e-6) + 1e-6:
                    return f"rho = {found.rho} is proved, and {one}, {other} differ by more, of order {order}"
        else:
            factor = math.exp(found.epsilon)
            lost = math.fsum(
                max(0.0, chance - factor * second.get(each, 0.0)) for each, chance in first.items()
            )
            if lost - factor * rest > found.delta + 1e-7:
                return f"({found.epsilon}, {found.delta}) is proved, and of {one}, {other} {lost} is lost"
    return None


def _coupled(of: ir.Mechanism, form: ir.Mechanism, kind: str, found: Found, rng: random.Random) -> str | None:
    """What is false of some runs that a derivation couples; None if nothing is found, or in parts."""
    if "parts" in found.data:
        return None
    states: dict[int, States] = {}
    with recorded(states):
        proof = derived(begin(form, read_certificate(found.data)))
    epsilon = None if kind == ZCDP else found.epsilon
    for inputs in rng.choices(list(adjacent_pairs(of)), k=JOINT):
        wrong, _ = contradiction(proof, states[id(proof)], inputs, rng, epsilon)
        if wrong is not None:
            return wrong
    return None


def _rho(first: dict[Any, float], second: dict[Any, float], rest: float, order: float) -> float:
    """Rényi's divergence of an order divided by it, or a little less."""
    terms = (
        chance**order * (second.get(each, 0.0) + rest) ** (1 - order)
        for each, chance in first.items()
        if chance > 1e-7 and second.get(each, 0.0) + rest > 0
    )
    total = math.fsum(terms)
    return math.log(total) / (order * (order - 1)) if total > 0 else 0.0
