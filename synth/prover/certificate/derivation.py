"""The derivation of a coupling proof: one rule per statement of the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pysmt.fnode import FNode

from synth.bounds.logarithms import ZERO_COST
from synth.prover.certificate.formulas import ProgramTerms, Writer
from synth.prover.costs.accounting import Account, Shared
from synth.prover.costs.cases import Share
from synth.prover.costs.potentials import PotentialCost
from synth.prover.costs.private_reals import given
from synth.prover.costs.weights import OWN, TOTAL, Weighing
from synth.prover.horn.computed import changed_entry
from synth.prover.horn.encoding import LEFT, RIGHT, used_as_reals
from synth.prover.product.clause_builder import Head
from synth.prover.product.constants import constants
from synth.prover.product.folds import Fold
from synth.prover.product.product import Product
from synth.prover.product.strategy import Case, Condition, Interval, Shift
from synth.trusted.json_reader import Json
from synth.trusted.kernel.rules.laplace import DISTANCE, NULL, SHARE, SHIFTS
from synth.trusted.kernel.rules.structural import ONLY_RULE
from synth.trusted.logic.inputs import SORTS, entries_name, length_of, public_name, start_name
from synth.trusted.logic.terms import INT, REAL, Term, conjunction, number, write
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned, names
from synth.trusted.program.symbols import Cost, Latest, Name, Upward

Rules = dict[str, Json]


@dataclass(frozen=True)
class Derivation:
    """Writes the rules that a product stands for, once its predicates are known.

    All methods raise Inexpressible where certificates have no words.
    """

    product: Product
    solution: Mapping[str, FNode]

    @property
    def terms(self) -> ProgramTerms:
        return ProgramTerms(self.product.mechanism)

    def sequence(self, body: tuple[ir.Statement, ...]) -> Rules:
        """[Seq] over the rules of the statements."""
        return {"rule": "Seq", "premises": [self._statement(item) for item in body]}

    def _statement(self, statement: ir.Statement) -> Rules:
        match statement:
            case ir.Assign():
                return self._assign(statement)
            case ir.Draw():
                return self._draw(statement)
            case ir.Choose(law=ir.Chances()):
                return self._chances(statement)
            case ir.Choose() if statement.site in self.product.accounting.weighings:
                return self._weigh(statement, self.product.accounting.weighings[statement.site])
            case ir.Choose(law=ir.Weights()):
                return self._weights(statement)
            case ir.If(branch=number, then=then, otherwise=otherwise):
                if number in self.product.diverging:
                    return {
                        "rule": "Cond-L",
                        "line": self._line(statement.span),
                        "premises": [{"rule": "Cond-R"}],
                    }
                observable: Rules = (
                    {"publish": True} if number in self.product.strategy.observable_branches else {}
                )
                sides: list[Json] = [self.sequence(then), self.sequence(otherwise)]
                return {
                    "rule": "Cond",
                    "line": self._line(statement.span),
                    **observable,
                    "premises": sides,
                }
            case ir.Loop():
                return self._loop(statement)
            case ir.Block(body=body):
                return {"rule": "Block", "premises": [self.sequence(body)]}
            case _:
                return {"rule": ONLY_RULE[type(statement)]}

    def _line(self, span: ir.Span) -> int:
        """The line in the text that the certificate holds, wherever that is in a file."""
        return self.product.mechanism.line_of_source(span.line)

    def _assign(self, statement: ir.Assign) -> Rules:
        """[Assn]; what a loop counts with recalls how the potentials of the loop go on."""
        target, accounting = statement.target, self.product.accounting
        facts = [write(self.terms.state(fact, 1)) for fact in self.product.facts if target in names(fact)]
        potential_costs = [
            item for item in accounting.potential_costs.values() if item.indexed.variable.name == target
        ]
        again = target in names(statement.value)
        if not potential_costs or not (again or potential_costs[0].indexed.counts):
            return {"rule": "Assn", **({"facts": list(facts)} if facts else {})}
        progression = potential_costs[0].indexed.progression
        for potential_cost in potential_costs:
            moved = potential_cost.potential.grew() if again else potential_cost.potential.started()
            recalled = [*potential_cost.potential.limits(), moved]
            facts += [write(self.terms.state(item, 1)) for item in recalled]
        return {"rule": "Assn", "facts": list(facts), "given": self._given(progression.at_head(again))}

    def _given(self, conditions: Iterable[ir.Expression]) -> list[Json]:
        return [write(self.terms.state(item, 1)) for item in conditions]

    # --- draws ------------------------------------------------------------------------------

    def _draw(self, statement: ir.Draw) -> Rules:
        cases = self.product.strategy.cases[statement.site]
        leaves: list[Rules] = [self._leaf(statement, number, case) for number, case in enumerate(cases)]
        line: Rules = {"line": self._line(statement.span), **self._tail(statement), **self._apart(statement)}
        if len(leaves) == 1:
            return {**leaves[0], **line}
        whens: list[Json] = [
            write(conjunction([self._condition(item) for item in case.conditions])) for case in cases[:-1]
        ]
        return {"rule": "Case", **line, "when": whens, "premises": list(leaves)}

    def _tail(self, statement: ir.Draw) -> Rules:
        """What is given up of the noise, and the cost that counts it."""
        tail = self.product.strategy.tails.get(statement.site)
        if tail is None:
            return {}
        ghost = self.product.accounting.accounts[statement.site, Share.TAIL].ghost
        found: Rules = {
            "tail": ["both" if tail.both else "above", write(self.terms.public(tail.limit)), str(ghost)]
        }
        if tail.changed is not None:
            here = self.terms.state(tail.changed.index[0], 1)
            found["tail_when"] = write(("=", here, f"|{tail.changed.source}#changed|"))
        if tail.added is not None:
            added = self.terms.added_at(tail.added.increment, tail.added.counter, tail.added.source)
            found["tail_when"] = write(("not", ("=", *added)))
        return found

    def _apart(self, statement: ir.Draw) -> Rules:
        """What the noise is not equal to."""
        others = self.product.strategy.apart.get(statement.site, ())
        return {"apart": [write(self.terms.state(item, 1)) for item in others]} if others else {}

    def _leaf(self, statement: ir.Draw, number: int, case: Case) -> Rules:
        if isinstance(case.coupling, Interval):
            return self._interval(statement, number, case, case.coupling)
        if case.coupling.is_null:
            return {"rule": SHIFTS[statement.distribution], "k": NULL}
        leaf: Rules = {
            "rule": SHIFTS[statement.distribution],
            "k": write(self._shift(statement, case.coupling)),
        }
        account = self.product.accounting.accounts.get((statement.site, number))
        if account is None:
            return leaf
        if account.amount is None:
            within = {} if case.bound is None else {"within": write(self._number(case.bound))}
            where = self._where(statement)
            return {**leaf, **where, **within, "cost": str(account.ghost), "amount": DISTANCE}
        assert case.bound is not None
        if isinstance(account.amount, Shared):
            source = account.amount.source
            return {
                **leaf,
                "within": write(self._number(case.bound)),
                "cost": str(account.ghost),
                "amount": SHARE,
                "of": [source, f"|{Latest(source)}|"],
            }
        return {
            **leaf,
            **(self._where(statement) or self._left(account)),
            "within": write(self._number(case.bound)),
            "cost": str(account.ghost),
            "amount": write(self._amount(account)),
        }

    def _interval(self, statement: ir.Draw, number: int, case: Case, interval: Interval) -> Rules:
        """[LapInt]."""
        strategy, accounts = self.product.strategy, self.product.accounting.accounts
        gap = strategy.gap(statement.site)
        assert case.bound is not None and gap is not None
        ends = [
            [write(self.terms.state(end, run)) for end in (interval.low, interval.high)] for run in (1, 2)
        ]
        moved, contracted = accounts[statement.site, number], accounts[statement.site, Share.CONTRACTION]
        return {
            "rule": "LapInt",
            "from": list(ends[0]),
            "to": list(ends[1]),
            "within": write(self._number(case.bound)),
            "moved": self._paid(moved),
            "narrowed": write(self._number(strategy.contraction[statement.site])),
            "gap": write(self.terms.public(gap)),
            "squeezed": self._paid(contracted),
        }

    def _number(self, unit: tuple[Fraction, ir.Expression]) -> Term:
        return _scaled(unit[0], self.terms.public(unit[1]))

    def _where(self, statement: ir.Draw | ir.Choose) -> Rules:
        """Between what the counter lies that the scale depends on."""
        indexed = self.product.accounting.indexed.get(statement.site)
        return {} if indexed is None else {"given": self._given(indexed.progression.inside())}

    def _left(self, account: Account) -> Rules:
        """That something is left of the budget that is paid from, if the program carries that along."""
        match account.amount:
            case (_, ir.Variable(name=name) as budget) if name in self.product.mechanism.variables:
                return {"given": self._given((builders.less(builders.zero(ir.Sort.REAL), budget),))}
            case _:
                return {}

    def _chances(self, statement: ir.Choose) -> Rules:
        """[Chance]; ``pays`` lists pairs of outcomes with their amounts, ``free`` those that cost nothing."""
        ratios = self.product.ratios[statement.site]
        free: list[Json] = []
        pays: list[Json] = []
        times: list[Json] = []
        known: dict[str, None] = {}
        for i, j in sorted(ratios.costs):
            account = self.product.accounting.accounts.get((statement.site, ratios.number(i, j)))
            if account is not None:
                amount = "1.0" if account.amount is None else write(self._amount(account))
                pays.append([i, j, str(account.ghost), amount])
                if (i, j) in ratios.grounds:
                    grounds = ratios.grounds[i, j]
                    known |= dict.fromkeys(map(write, given(self.product.mechanism, grounds, single=False)))
                elif (i, j) in ratios.factors:
                    times.append([i, j, write(number(ratios.factors[i, j], REAL))])
            elif ratios.costs[i, j] == ZERO_COST or (i == j and i in ratios.changing):
                free.append([i, j])
        node: Rules = {"rule": "Chance", "line": self._line(statement.span), "free": free, "pays": pays}
        if times:
            node["times"] = times
        return {**node, "given": list(known)} if ratios.grounds else node

    def _weights(self, statement: ir.Choose) -> Rules:
        """[Choice]."""
        node: Rules = {"rule": "Choice", "line": self._line(statement.span)}
        account = self.product.accounting.accounts.get((statement.site, 0))
        (case,) = self.product.strategy.cases[statement.site]
        if account is None or case.bound is None:
            return node
        within = write(self._number(case.bound))
        return {**node, "within": within, "cost": str(account.ghost), "amount": write(self._amount(account))}

    def _weigh(self, statement: ir.Choose, weighing: Weighing) -> Rules:
        """[Weigh]."""
        node: Rules = {
            "rule": "Weigh",
            "line": self._line(statement.span),
            "floor": write(self.terms.state(weighing.floor, 1)),
            **self._where(statement),
        }
        gain = write(self.terms.public(weighing.gain))
        own, total = (self.product.accounting.accounts.get((statement.site, part)) for part in (OWN, TOTAL))
        if own is not None:
            node |= {"gain": gain, "own": self._paid(own)}
        if total is not None:
            node |= {
                "few": weighing.few,
                "step": gain,
                "total": self._paid(total),
            }
            if weighing.monotone:
                node["grows"] = f"|{weighing.source}#upward|"
        return node

    def _paid(self, account: Account) -> Json:
        return [str(account.ghost), write(self._amount(account))]

    def _amount(self, account: Account) -> Term:
        if isinstance(account.amount, PotentialCost):
            return self.terms.state(account.amount.potential.step(), 1)
        if isinstance(account.amount, tuple):
            factor, expression = account.amount
            return _scaled(factor, self.terms.state(expression, 1))
        assert isinstance(account.amount, int)
        return number(account.amount, INT)

    def _condition(self, condition: Condition) -> Term:
        event, expression = condition.predicate.event, condition.predicate.expression
        upcoming = self._upward(event.sequence) if isinstance(event, Upward) else f"|{event}|"
        if expression is None:
            return upcoming if condition.value else ("not", upcoming)
        here = self.terms.state(expression, 1)
        match condition.value:
            case 0:
                return ("=", here, upcoming)
            case -1:
                return ("<", here, upcoming)
            case _:
                return ("<", upcoming, here)

    def _upward(self, sequence: str) -> Term:
        """Whether run 2 has the larger entries: of a metric that says so, or by how the one entry changes."""
        item = self.product.mechanism.parameter(sequence)
        if item.metric is not None and item.metric.monotone:
            return f"|{sequence}#upward|"
        sort = REAL if item.sort is ir.Sort.REAL else INT
        return ("<", number(0, sort), f"|{sequence}#change|")

    def _shift(self, statement: ir.Draw, coupling: Shift) -> Term:
        sort = SORTS[statement.sort]
        parts: list[Term] = []
        if coupling.null:
            parts += self._difference(1, statement.arguments[0])
        for sign, expression in coupling.differences:
            parts += self._difference(sign, expression)
        parts += [_signed(sign, self._change(name, sort)) for sign, name in coupling.changes]
        parts += [_scaled(factor, self.terms.public(unit), sort) for factor, unit in coupling.units]
        return ("+", *parts) if len(parts) > 1 else parts[0] if parts else number(0, sort)

    def _change(self, name: str, sort: str) -> Term:
        change = f"|{name}#change|"
        integral = self.product.mechanism.parameter(name).sort is not ir.Sort.REAL
        return ("to_real", change) if integral and sort == REAL else change

    def _difference(self, sign: int, expression: ir.Expression) -> list[Term]:
        change: Term = ("-", self.terms.state(expression, 2), self.terms.state(expression, 1))
        return [_signed(sign, change)]

    # --- loops ------------------------------------------------------------------------------

    def _loop(self, loop: ir.Loop) -> Rules:
        node: Rules = {"rule": "While", "line": self._line(loop.span)}
        changed = assigned(loop.body)
        head, fold = self.product.heads.get(loop.loop), self.product.summed.get(loop.loop)
        if fold is not None:
            equal = [fold.counter.name]
            node["invariant"] = [write(item) for item in self._sums(fold)]
        elif head is None:
            equal = list(self.product.shared.get(loop.loop, ()))
        else:
            equal = [name for name, (left, right) in head.carried if left is right and name in changed]
            known = [*self._counted(loop), *self._lengths(loop, head), *self._invariant(head)]
            node["invariant"] = [write(item) for item in known]
        node["equal"] = [variable_name(name) for name in sorted(equal)]
        return {**node, "premises": [self.sequence(loop.body)]}

    def _sums(self, fold: Fold) -> Iterator[Term]:
        """By how much each sum differs between the runs."""
        place = f"|{fold.source}#changed|"
        reached: Term = ("and", ("<=", "0", place), ("<", place, f"|{fold.counter.name}<1>|"))
        for name, increment in fold.increments.items():
            sides = [self.terms.state(increment, run, {fold.counter.name: place}) for run in (1, 2)]
            moved: Term = ("ite", reached, ("-", sides[1], sides[0]), number(0, SORTS[increment.sort]))
            yield ("=", ("-", f"|{name}<2>|", f"|{name}<1>|"), moved)

    def _counted(self, loop: ir.Loop) -> Iterator[Term]:
        """Between what the counter lies, where a price depends on it; and how far potentials have come."""
        accounting = self.product.accounting
        here = dict.fromkeys(
            item.progression for item in accounting.indexed.values() if item.loop == loop.loop
        )
        for progression in here:
            yield from (self.terms.state(item, 1) for item in progression.at_head(False))
        if any(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(loop.body)):
            for ghost, potential_cost in accounting.potential_costs.items():
                yield ("<=", f"|{ghost}|", self._so_far(ghost, potential_cost, loop))
                if potential_cost.indexed.loop == loop.loop:
                    yield from (self.terms.state(item, 1) for item in potential_cost.potential.limits())

    def _lengths(self, loop: ir.Loop, head: Head) -> Iterator[Term]:
        """How long the lists are that get an entry in each iteration."""
        for name in head.counted:
            yield ("=", f"|len({name})<1>|", f"|{loop.counter}<1>|")

    def _so_far(self, ghost: Cost, potential_cost: PotentialCost, loop: ir.Loop) -> Term:
        """At the head of a loop: nothing before the potential's own loop, all of it behind."""
        order = [
            item.loop for item in ir.statements(self.product.mechanism.body) if isinstance(item, ir.Loop)
        ]
        zero = number(0, REAL)
        if order.index(loop.loop) < order.index(potential_cost.indexed.loop):
            return zero
        here = loop.loop == potential_cost.indexed.loop
        far = (
            self.terms.state(potential_cost.potential.accumulated(), 1)
            if here
            else self.terms.public(potential_cost.potential.bound())
        )
        if ghost not in self.product.accounting.orders:
            return far
        source, upward = self.product.accounting.orders[ghost]
        return ("ite", f"|{source}#upward|", *((far, zero) if upward else (zero, far)))

    def _invariant(self, head: Head) -> Iterator[Term]:
        called = global_names(self.product)
        for name, (left, right) in head.carried:
            called |= self._called(name, left, right)
        for read, formal in head.reads:
            called[formal.symbol_name()] = self.terms.state(read, 1)
        for item in _conjuncts(self.solution[head.predicate.name]):
            yield Writer(called).term(item)

    def _called(self, name: Name, left: FNode, right: FNode) -> dict[str, Term]:
        """What an invariant's symbols for a variable or ghost are called in the certificate."""
        if isinstance(name, str):
            shown = variable_name(name)
            return {right.symbol_name(): f"|{shown}<2>|", left.symbol_name(): f"|{shown}<1>|"}
        kept = self.product.accounting.against.get(name) if isinstance(name, Cost) else None
        ahead: Term = f"|{name}|" if kept is None else ("-", f"|{kept}<1>|", f"|{name}|")
        return {left.symbol_name(): ahead}


def variable_name(name: str) -> str:
    """A variable, or the length of a local list, as certificates call it."""
    return f"len({name.removesuffix('#len')})" if name.endswith("#len") else name


def global_names(product: Product) -> dict[str, Term]:
    """Symbols that mean the same throughout a proof."""
    events: dict[str, Term] = {str(event): f"|{event}|" for event in product.used_events}
    terms = ProgramTerms(product.mechanism)
    numbers = {
        name: terms.public(part) for name, part in constants(product.mechanism, product.strategy).items()
    }
    return _with_computed(product, input_names(product.mechanism) | events | numbers)


def _with_computed(product: Product, called: Mapping[str, Term]) -> dict[str, Term]:
    """With what is computed of entries where the runs may differ.  Raises Inexpressible."""
    found = dict(called)
    for item in product.computed:
        values = {name: Writer(found).term(value) for name, value in item.values.items()}
        found[item.name] = ProgramTerms(product.mechanism).state(item.expression, item.side + 1, values)
    return found


def input_names(mechanism: ir.Mechanism) -> dict[str, Term]:
    """Symbols of the inputs."""
    found: dict[str, Term] = {}
    for item in mechanism.parameters:
        found[f"len({item.name})"] = length_of(item.name)
        if item.kind is ir.ParameterKind.SCALAR and item.metric is None:
            found[item.name] = public_name(item.name)
        elif item.kind is ir.ParameterKind.SCALAR:
            found |= {f"{item.name}<{run}>": start_name(item.name, run) for run in (1, 2)}
        if item.metric is not None and item.metric.kind is ir.MetricKind.CHANGE_ONE:
            found |= {f"{item.name}#{kind}": f"|{item.name}#{kind}|" for kind in ("changed", "change")}
            found |= dict(_entries_at(mechanism, item.name))
        if item.metric is not None and item.metric.monotone:
            found[f"{item.name}#upward"] = f"|{item.name}#upward|"
    return found


def _entries_at(mechanism: ir.Mechanism, changing: str) -> Iterator[tuple[str, Term]]:
    """Symbols of entries where a sequence may differ."""
    reals = used_as_reals(mechanism)
    for item in mechanism.parameters:
        if item.kind is ir.ParameterKind.SEQUENCE and item.metric is not None:
            for side in (LEFT, RIGHT):
                entry: Term = (entries_name(item.name, side + 1), f"|{changing}#changed|")
                title = changed_entry(item.name, changing, side)
                yield title, ("to_real", entry) if item.name in reals else entry


def entries(product: Product, solution: Mapping[str, FNode]) -> dict[str, Json]:
    """What holds of the entries of each private list that is read."""
    found: dict[str, Json] = {}
    for predicate in product.predicates.values():
        name = predicate.name.removeprefix("entries of ")
        if name in product.mechanism.lists:
            called = global_names(product)
            called |= {item.symbol_name(): f"|{item.symbol_name()}|" for item in predicate.formals}
            called[f"{name}#real"] = "true"
            found[name] = write(Writer(called).term(solution[predicate.name]))
    return found


def _conjuncts(formula: FNode) -> tuple[FNode, ...]:
    return tuple(formula.args()) if formula.is_and() else () if formula.is_true() else (formula,)


def _scaled(factor: Fraction, term: Term, sort: str = REAL) -> Term:
    return term if factor == 1 else ("*", number(factor, sort), term)


def _signed(sign: int, term: Term) -> Term:
    return term if sign == 1 else ("-", term)
