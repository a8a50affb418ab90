"""Certificates: whatever is changed about a rule's nodes, a lie stays a lie, and the kernel says so.

A case takes a rule of the kernel, a certificate in which it is applied, makes a lie of it (:mod:`.lies`), and
changes the rule's nodes and tables at random.  If the kernel calls the result valid, it is unsound: no oracle
is needed beyond that the lie is one.  Mutants that the kernel rejects before it comes to the changed node are
counted apart.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import synth.trusted.kernel.check as kernel
from synth.prover.normal_form.pipeline import canonical
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel import solvers
from synth.trusted.kernel.certificate import COMPOSE, Node
from synth.trusted.kernel.check import VALID, Unreadable, check
from synth.trusted.kernel.rules import structural, whole
from synth.trusted.kernel.rules.laplace import COUPLINGS
from synth.trusted.kernel.rules.lifting import LIFT
from synth.trusted.kernel.rules.safety import SAFE
from synth.trusted.logic.terms import BadTerm, Term, read, symbols, write
from synth.trusted.program import syntax as ir
from tests.support.handmade import Data
from tests.support.mutator import Mutant, changed, changes, term_changes
from tests.support.oracle import SUITE, judged, proof

from .hunting import Broken, Try, about
from .lies import BASES, Base

Path = tuple[str | int, ...]
GONE = object()
EACH = 10
"""Mutants of a case."""

ATTACK = 0.3
"""Seconds to refute what is valid of a changed program."""

MILLISECONDS = 500
"""For one side condition: what takes longer is not accepted."""

ROOT_RULES = ("Forall-Eq", "Conseq", COMPOSE, LIFT, SAFE)
STRUCTURE = ("Seq", "Cond-R")
"""Rules that are not in the kernel's table: about the whole, and about the shape of a derivation."""


_SORTS = {ir.Sort.INT: "Int", ir.Sort.REAL: "Real", ir.Sort.BOOL: "Bool"}


def all_rules() -> list[str]:
    """Every rule of the kernel."""
    return sorted({*structural.RULES, *COUPLINGS, *ROOT_RULES, *STRUCTURE})


# --- what a document has --------------------------------------------------------------------


def nodes(data: Data) -> Iterator[tuple[Path, Data]]:
    """All nodes of the derivations, with their paths."""
    if "parts" in data:
        for place, part in enumerate(data["parts"]):
            yield from _below(part["derivation"], ("parts", place, "derivation"))
    else:
        yield from _below(data["derivation"], ("derivation",))


def _below(node: Data, path: Path) -> Iterator[tuple[Path, Data]]:
    yield path, node
    for place, premise in enumerate(node.get("premises", ())):
        yield from _below(premise, (*path, "premises", place))


def rules_of(data: Data) -> set[str]:
    """The rules that are applied in a document; those about the whole, where there is something to change."""
    found = {node["rule"] for _, node in nodes(data)} | {SAFE}
    if "parts" in data:
        found.add(COMPOSE)
    if any(part.get("costs") for part in (data, *data.get("parts", ()))):
        found |= {"Forall-Eq", "Conseq"}
    return found


@cache
def bases_of(rule: str) -> tuple[Base, ...]:
    """The certificates in which a rule is applied."""
    return tuple(base for base in BASES if rule in rules_of(base.data))


@dataclass(frozen=True)
class Vocabulary:
    """What formulas about a program may speak of, and the names of its invariants and lists."""

    symbols: tuple[str, ...]
    invariants: tuple[str, ...]
    lists: tuple[str, ...]
    public: tuple[str, ...]
    monotone: tuple[str, ...]
    events: Mapping[str, str]


@cache
def vocabulary(text: str, name: str) -> Vocabulary:
    """That of a mechanism."""
    of = canonical(next(item for item in read_source(text, "lie.py") if item.name == name))
    found = [f"|{variable}<{run}>|" for variable in of.variables for run in (1, 2)]
    found += [f"|len({each})<{run}>|" for each in of.lists for run in (1, 2)]
    scalars = [item for item in of.parameters if item.kind is ir.ParameterKind.SCALAR]
    for item in scalars:
        private = [f"|{item.name}#start<{run}>|" for run in (1, 2)]
        found += private if item.metric is not None else [f"|{item.name}<>|"]
    loops = [str(item.loop) for item in ir.statements(of.body) if isinstance(item, ir.Loop)]
    public = tuple(item.name for item in scalars if item.metric is None and item.sort is not ir.Sort.BOOL)
    monotone = tuple(item.name for item in of.parameters if item.metric is not None and item.metric.monotone)
    returned = {each for item in ir.statements(of.body) if isinstance(item, ir.Return) for each in item.lists}
    kept = tuple(each for each in of.lists if each not in returned)
    return Vocabulary(
        tuple(found), (*loops, *of.lists), kept, public, monotone, dict(event_sorts(of, returned))
    )


def event_sorts(of: ir.Mechanism, returned: Collection[str]) -> Iterator[tuple[str, str]]:
    """What the program may publish, with its sort."""
    for item in ir.statements(of.body):
        match item:
            case ir.If(branch=number):
                yield f"next#branch.{number}.0", "Bool"
            case ir.Append(target=name, values=values) if name in returned:
                yield from (
                    (f"next#append.{name}.{place}", _SORTS[part.sort]) for place, part in enumerate(values)
                )
            case ir.Return(values=values):
                yield from ((f"next#return..{place}", _SORTS[part.sort]) for place, part in enumerate(values))


class Pool:
    """What changes of one document are made of."""

    def __init__(self, rng: random.Random, base: Base, data: Data) -> None:
        self.rng, self.base, self.data = rng, base, data
        program = base.data["program"]
        self.known = vocabulary(program["text"], program["mechanism"])
        self.names = [*self.known.symbols]
        for part in (data, *data.get("parts", ())):
            self.names += [f"|{name}|" for table in ("costs", "events") for name in part.get(table, {})]
        self.costs = [name for part in (data, *data.get("parts", ())) for name in part.get("costs", {})]

    def term(self, old: Any = None) -> str:
        """A term: a change of the old one, or another one."""
        rng = self.rng
        if isinstance(old, str) and rng.random() < 0.6:
            options = list(_changes(old, tuple(self.names)))
            if options:
                return rng.choice(options)
        simple = rng.choice(
            ("0", "1", "2", "0.0", "1.0", "2.0", "(- 1)", "(- 1.0)", "100", "100.0", *self.names)
        )
        roll = rng.random()
        if isinstance(old, str) and roll < 0.3:
            return rng.choice(
                (
                    f"(- {old})",
                    f"(* 2.0 {old})",
                    f"(+ {old} {simple})",
                    f"(- {old} {simple})",
                    f"(* 0.5 {old})",
                )
            )
        if roll < 0.4:
            return f"(to_real {simple})"
        return simple

    def formula(self, old: Any = None) -> str:
        """A truth value."""
        rng = self.rng
        if isinstance(old, str) and rng.random() < 0.4:
            options = list(_changes(old, tuple(self.names)))
            if options:
                return rng.choice(options)
        roll, one, other = rng.random(), self.term(), self.term()
        if roll < 0.15:
            return rng.choice(("false", "true"))
        if roll < 0.45:
            run_1 = [name for name in self.names if "<1>" in name]
            if run_1:
                name = rng.choice(run_1)
                return f"(= {name} {name.replace('<1>', '<2>')})"
        text = f"({rng.choice(('=', '<', '<='))} {one} {other})"
        return f"(not {text})" if rng.random() < 0.2 else text

    def listed(self, old: Any, one: Callable[[Any], Any]) -> list[Any]:
        """A list with an item changed, dropped, doubled or added."""
        rng, items = self.rng, list(old) if isinstance(old, list) else []
        roll, place = rng.random(), rng.randrange(max(1, len(items)))
        if items and roll < 0.35:
            items[place] = one(items[place])
        elif items and roll < 0.55:
            del items[place]
        elif items and roll < 0.65:
            items.reverse()
        else:
            items.insert(place, one(items[place] if items else None))
        return items

    def cost(self, _: Any = None) -> str:
        return self.rng.choice([*self.costs, "cost#0", "cost#1"])

    def payment(self, old: Any = None) -> list[str]:
        name, amount = old if isinstance(old, list) and len(old) == 2 else (self.cost(), "1")
        return [self.cost(), amount] if self.rng.random() < 0.3 else [name, self.term(amount)]

    def pair(self, old: Any = None) -> list[int]:
        most = self.rng.choice((2, 4, 9))
        return [self.rng.randrange(most), self.rng.randrange(most)]

    def paying_pair(self, old: Any = None) -> list[Any]:
        if isinstance(old, list) and len(old) == 4 and self.rng.random() < 0.6:
            return [*old[:2], *self.payment(old[2:])]
        return [*self.pair(), *self.payment()]

    def times_as_likely(self, old: Any = None) -> list[Any]:
        pair, most = (old[:2], old[2]) if isinstance(old, list) and len(old) == 3 else (self.pair(), "1.0")
        if self.rng.random() < 0.3:
            return [*self.pair(), most]
        return [*pair, self.term(most)]

    def obligation(self, old: Any = None) -> list[Any]:
        number, facts = old if isinstance(old, list) and len(old) == 2 else (self.rng.randrange(3), [])
        return [number, self.listed(facts, self.formula)]

    def sum_of(self, old: Any = None) -> list[Any]:
        bounds = [self.term(item) for item in (old[1:] if isinstance(old, list) else [])]
        return [self.rng.randrange(6), *bounds, *([self.term()] if self.rng.random() < 0.2 else [])]

    def tail(self, old: Any = None) -> list[str]:
        kind, bound, name = old if isinstance(old, list) and len(old) == 3 else ("above", "0.0", self.cost())
        kind = self.rng.choice((kind, kind, "above", "both"))
        return [kind, self.term(bound), self.cost() if self.rng.random() < 0.2 else name]

    def entry(self, old: Any = None) -> list[str]:
        source, place = old if isinstance(old, list) and len(old) == 2 else ("q", "0")
        return [self.rng.choice((source, source, "x", "out")), self.term(place)]

    def equal(self, _: Any = None) -> str:
        names = [name[1:-4] for name in self.names if name.endswith("<1>|")]
        return self.rng.choice(names or ["i"])


@cache
def _changes(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    try:
        term: Term = read(text)
    except BadTerm:
        return ()
    known = sorted({*names, *symbols(term)})
    return tuple({write(changed): None for _, changed in term_changes(term, known)})


FIELDS: dict[str, Callable[[Pool, Any], Any]] = {
    **dict.fromkeys(
        ("k", "within", "narrowed", "gap", "amount", "floor", "gain", "step"),
        lambda pool, old: pool.term(old),
    ),
    **dict.fromkeys(("grows", "tail_when"), lambda pool, old: pool.formula(old)),
    **dict.fromkeys(
        ("invariant", "when", "facts", "given"), lambda pool, old: pool.listed(old, pool.formula)
    ),
    **dict.fromkeys(("from", "to", "apart"), lambda pool, old: pool.listed(old, pool.term)),
    "equal": lambda pool, old: pool.listed(old, pool.equal),
    "publish": lambda pool, old: not old,
    **dict.fromkeys(("free", "lost"), lambda pool, old: pool.listed(old, pool.pair)),
    "pays": lambda pool, old: pool.listed(old, pool.paying_pair),
    "times": lambda pool, old: pool.listed(old, pool.times_as_likely),
    "reached": lambda pool, old: pool.listed(old, pool.sum_of),
    **dict.fromkeys(("own", "total", "moved", "squeezed"), lambda pool, old: pool.payment(old)),
    "cost": lambda pool, old: pool.cost(),
    "few": lambda pool, old: pool.rng.randrange(9),
    "of": lambda pool, old: pool.entry(old),
    "tail": lambda pool, old: pool.tail(old),
}
"""How each field of a node is changed."""


def fields_of(rule: str) -> frozenset[str]:
    """The fields of a rule's nodes."""
    if rule == LIFT:
        return frozenset({"free", "lost", "reached"})
    found = structural.RULES[rule][2] if rule in structural.RULES else frozenset()
    return frozenset(found | (COUPLINGS[rule][2] if rule in COUPLINGS else frozenset()))


# --- changes --------------------------------------------------------------------------------


def mutate(pool: Pool, rule: str) -> Path | None:
    """Change a node of that rule, or, for a rule about the whole, the tables; the node's path."""
    if rule in ROOT_RULES and rule != LIFT:
        _change_table(pool, rule)
        return ()
    found = [(path, node) for path, node in nodes(pool.data) if node["rule"] == rule]
    if not found:
        return None
    path, node = pool.rng.choice(found)
    _change_node(pool, node, rule)
    return path


def _change_node(pool: Pool, node: Data, rule: str) -> None:
    rng, fields = pool.rng, sorted(fields_of(rule))
    roll = rng.random()
    if fields and roll < 0.8:
        present = [field for field in fields if field in node]
        field = rng.choice(present if present and rng.random() < 0.75 else fields)
        if field in node and rng.random() < 0.12:
            del node[field]
        else:
            node[field] = FIELDS[field](pool, node.get(field))
    elif roll < 0.9 or rule not in structural.RULES:
        premises = node.get("premises")
        if premises:
            place = rng.randrange(len(premises))
            rng.choice(
                (
                    lambda: premises.pop(place),
                    lambda: premises.insert(place, copy.deepcopy(premises[place])),
                    lambda: premises.reverse(),
                )
            )()
        else:
            field = rng.choice(sorted(FIELDS))
            node[field] = FIELDS[field](pool, None)
    else:
        kind = structural.RULES[rule][0]
        node["rule"] = rng.choice([name for name, (other, _, _) in structural.RULES.items() if other is kind])


def _change_table(pool: Pool, rule: str) -> None:
    """One change of what is not in the derivation."""
    rng, data = pool.rng, pool.data
    part = rng.choice([data, *data.get("parts", ())])
    options: list[Callable[[], None]] = []
    if rule == SAFE:
        options = [lambda: _in_table(pool, data["safety"], pool.formula, pool.known.invariants)]
    elif rule == "Conseq":
        options = [lambda: data["claim"].update(epsilon=_claim(pool))]
        options += [lambda: data["claim"].update(delta=_claim(pool))]
        if "notion" in pool.base.data.get("gaussian", {}):
            options = [lambda: data.update(claim=_smaller(pool, data["claim"]))] * 2
        options += [lambda: data["proved"].update(epsilon=pool.term(data["proved"]["epsilon"]))]
        options += [lambda: _sampled(pool)]
    elif rule == COMPOSE:
        options = [
            lambda: data.update(cuts=pool.listed(data["cuts"], lambda old: rng.randrange(9))),
            lambda: rng.choice(data["parts"])["proved"].update(epsilon=pool.term("0.0")),
            lambda: rng.choice(data["parts"])["proved"].update(delta=pool.term("0.0")),
            lambda: _given(pool),
            lambda: _retried(pool),
            lambda: data["parts"].append(copy.deepcopy(data["parts"][-1])),
            lambda: data["parts"].reverse(),
        ]
    if rule in ("Forall-Eq", COMPOSE) or not options:
        options += [lambda: _change_costs(pool, part)] * 4
        options += [
            lambda: _change_events(pool, part),
            lambda: _entries(pool, part),
            lambda: part.update(by_reals=pool.listed(part.get("by_reals", []), pool.obligation)),
            lambda: part.update(magnitudes=pool.listed(part.get("magnitudes", []), pool.term)),
            lambda: _gaussian(pool, part),
        ]
    rng.choice(options)()


def _claim(pool: Pool) -> str:
    simple = pool.rng.choice(("0", "1", "1/2", *pool.known.public * 2))
    return pool.rng.choice((simple, f"{simple}/2", f"-{simple}", f"{simple}*{simple}", f"0.9*{simple}"))


def _smaller(pool: Pool, claim: Data) -> Data:
    """A claim that is false if this one is, which is all that a proof of a notion proves."""
    stated = {name: value for name, value in claim.items() if value is not None}
    options = [{"epsilon": "0"}, {"epsilon": "0", "delta": "0"}, {"gdp": "0"}, {"zcdp": "0"}]
    for name, value in stated.items():
        options += [{**stated, name: f"{factor}*({value})"} for factor in ("0.99", "0.5", "0.001")]
    if "zcdp" in stated:
        options.append({"gdp": f"sqrt(2*({stated['zcdp']}))"})
    return {"epsilon": None, "delta": None, **pool.rng.choice(options)}


def _given(pool: Pool) -> None:
    part = pool.rng.choice(pool.data["parts"])
    part["given"] = pool.listed(part.get("given"), pool.formula)


def _retried(pool: Pool) -> None:
    part = pool.rng.choice(pool.data["parts"])
    if part.pop("retried", None) is None:
        part["retried"] = True


def _sampled(pool: Pool) -> None:
    """What is proved of every record becomes another bound, or there is no sample, or one all of a sudden."""
    sampled = pool.data.get("sampled", {"epsilon": "0.0", "delta": "0"})
    bound = pool.rng.choice(("epsilon", "delta", None))
    if bound is None and "sampled" in pool.data:
        del pool.data["sampled"]
    else:
        pool.data["sampled"] = {**sampled, bound or "epsilon": pool.term(sampled["epsilon"])}


def _in_table(pool: Pool, table: dict[str, Any], new: Callable[[Any], Any], names: tuple[str, ...]) -> None:
    if not table and not names:
        return
    name = pool.rng.choice([*table, *names])
    if name in table and pool.rng.random() < 0.2:
        del table[name]
    else:
        table[name] = new(table.get(name))


def _change_costs(pool: Pool, part: Data) -> None:
    """A cost gets another sort, weight, bound, delta, order or square; or there is one more."""
    rng, costs = pool.rng, part.get("costs")
    if not costs:
        return
    name = rng.choice(list(costs))
    if rng.random() < 0.15:
        costs["cost#1" if name == "cost#0" else "cost#0"] = dict(costs[name])
        return
    cost = costs[name]
    field = rng.choice(("weight", "bound", "weight", "bound", "delta", "order", "square", "sort"))
    if field in ("delta", "order") and field in cost and rng.random() < 0.3:
        del cost[field]
    elif field == "sort":
        cost["sort"] = "Real" if cost["sort"] == "Int" else "Int"
    elif field == "order":
        if pool.known.monotone:
            cost["order"] = [rng.choice(pool.known.monotone), rng.random() < 0.5]
    elif field == "square" and rng.random() < 0.8:
        _change_costs(pool, part)
    elif field != "bound" and rng.random() < 0.6:
        old = cost.get(field, "1.0")
        cost[field] = rng.choice(("0.0", "0.001", "1.0", f"(* 0.5 {old})", f"(- {old})", f"(- {old} 1.0)"))
    else:
        cost[field] = pool.term(cost.get(field))


def _change_events(pool: Pool, part: Data) -> None:
    """One more event, or one less."""
    events = part.get("events")
    if events is not None and pool.known.events:
        name = pool.rng.choice(sorted(pool.known.events))
        if name in events:
            del events[name]
        else:
            events[name] = pool.known.events[name]


def _entries(pool: Pool, part: Data) -> None:
    if "entries" in part:
        _in_table(pool, part["entries"], pool.formula, pool.known.lists)


def _gaussian(pool: Pool, part: Data) -> None:
    table = part.setdefault("gaussian", {"square": "0.0"})
    named = "notion" in pool.base.data.get("gaussian", {})
    field = pool.rng.choice(("square", "epsilon", "delta", *(["notion"] * 2 if named else [])))
    if field == "notion":
        table["notion"] = pool.rng.choice(("gdp", "zcdp"))
        if pool.rng.random() < 0.3:
            del table["notion"]
        return
    table[field] = pool.term(table.get(field, "0.0"))


# --- judging --------------------------------------------------------------------------------


@contextmanager
def watched() -> Iterator[set[str]]:
    """The places of nodes, and the names of rules about the whole, that the kernel comes to."""
    entered: set[str] = set()
    only = Node.only

    def seen(node: Node, fields: frozenset[str]) -> None:
        entered.add(node.place)
        only(node, fields)

    def marking(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            entered.add(name)
            return function(*arguments, **named)

        return call

    def sequence(proof: Any, node: Node, *rest: Any) -> Any:
        entered.add(node.place)
        return seq(proof, node, *rest)

    seq = structural.seq
    about_the_whole = {"conseq": "Conseq", "composed": COMPOSE, "safe": SAFE}
    with (
        patch.object(Node, "only", seen),
        patch.object(structural, "seq", sequence),
        patch.object(whole, "seq", sequence),
        patch.object(whole, "_totals", marking("Forall-Eq", whole._totals)),
        patch.multiple(
            kernel, **{at: marking(name, getattr(kernel, at)) for at, name in about_the_whole.items()}
        ),
    ):
        yield entered


def _place(path: Path) -> str:
    return ".".join(str(part) for part in path if part != "premises")


def attempt(case: str) -> Iterator[Try]:
    """Some mutants of lies, about one rule, or of a true certificate.  Raises Broken."""
    rng = random.Random(case)
    if rng.random() < 0.8:
        yield from tries(rng, rng.choice(all_rules()), EACH)
    else:
        yield from _of_suite(rng)


def _of_suite(rng: random.Random) -> Iterator[Try]:
    """A certificate of the suite with one change: what is valid then has a bound that is none too small."""
    name = rng.choice(SUITE)
    for _ in range(EACH):
        kind, path, new = rng.choice(_changes_of(name))
        mutant = Mutant(kind, path, new, changed(json.loads(proof(name)), path, new))
        with patch.object(solvers, "MILLISECONDS", MILLISECONDS), about(f"{name}: {mutant}"):
            said = judged(name, mutant, ATTACK)
        yield Try(f"of the suite: {said.split(',')[0]}", said.startswith(("rejected", "accepted")))


@cache
def _changes_of(name: str) -> tuple[tuple[str, Path, Any], ...]:
    return tuple(changes(json.loads(proof(name))))


def tries(rng: random.Random, rule: str, number: int) -> Iterator[Try]:
    """So many mutants about a rule."""
    for _ in range(number):
        base = rng.choice(bases_of(rule))
        lie = rng.choice(sorted(base.lies))
        pool = Pool(rng, base, base.lies[lie](base.data))
        paths = [mutate(pool, rule) for _ in range(rng.choice((1, 1, 2, 3)))]
        if rng.random() < 0.3:
            mutate(pool, rng.choice(("Forall-Eq", *sorted(rules_of(base.data)))))
        text = json.dumps(pool.data, indent=1)
        with about(text):
            entered, verdict = _judged(text)
        if verdict == VALID:
            raise Broken(f"a lie is valid: {base.name}, {lie}, changed about [{rule}]", text)
        root = rule in ROOT_RULES and rule != LIFT
        places = {rule} if root else {_place(path) for path in paths if path is not None}
        if rule == "Cond-R":
            places = {place.rpartition(".")[0] for place in places}
        reached = bool(places & entered)
        yield Try(f"[{rule}]" if reached else f"[{rule}] not reached", reached)


def _judged(text: str) -> tuple[set[str], str]:
    with watched() as entered, patch.object(solvers, "MILLISECONDS", MILLISECONDS):
        try:
            return entered, check(text, milliseconds=MILLISECONDS).verdict
        except Unreadable:
            return entered, "unreadable"
