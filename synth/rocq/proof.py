"""The proof of a Rocq file: invariants, shifts and costs of a certificate, for the tactics of the theories.

Nobody has to believe it: Rocq checks it against the statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil
from operator import itemgetter

from synth.rocq.formulas import Formulas, constant_text, is_reading
from synth.rocq.lifting import lifted
from synth.rocq.moved_noise import Noise, noise_as
from synth.rocq.places import Judged, judged
from synth.rocq.refusal import Inexpressible
from synth.rocq.run_conditions import run_condition
from synth.rocq.statement import draws_reals, event_list, expression, is_zero, program_text
from synth.rocq.theorem import Theorem
from synth.trusted.kernel.certificate import Bounds, Certificate, Cost, Node
from synth.trusted.kernel.decoding import Formula
from synth.trusted.kernel.proof_state import assigned
from synth.trusted.kernel.rules.laplace import NULL
from synth.trusted.kernel.rules.lifting import LIFT
from synth.trusted.logic.encoding import list_length
from synth.trusted.logic.terms import REAL, TRUE, Term, symbols, value
from synth.trusted.normal_form.sequential_parts import parts
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names as mentioned
from synth.trusted.program.dataflow import returned_lists
from synth.trusted.program.symbols import Event, Kind, read_event

_KINDS = {ir.Sort.INT: "OfInt", ir.Sort.REAL: "OfReal", ir.Sort.BOOL: "OfBool"}
_EQUAL = {ir.Sort.INT: "as_int", ir.Sort.REAL: "as_real", ir.Sort.BOOL: "as_bool"}
_SHIFTS = ("LapGen", "OneLapGen")


def write_proof(mechanism: ir.Mechanism, certificate: Certificate) -> str:
    """``Theorem private : statement`` with what it rests on.  Raises Inexpressible, Rejected."""
    _check_supported(certificate)
    if certificate.derivation is not None and certificate.derivation.rule == LIFT:
        return "\n".join(lifted(mechanism, certificate.proved, certificate.derivation))
    found = judged(mechanism, certificate.steps)
    _check_told(found.later, found.mechanism, certificate)
    proof = _Proof(
        mechanism,
        found.later,
        certificate.proved,
        _costs(certificate),
        _losses(certificate),
        found,
        events_of(certificate),
    )
    if not certificate.parts:
        proof.part(certificate, found.mechanism)
    else:
        cut = parts(found.mechanism, certificate.cuts)
        for part, between in zip(certificate.parts, cut, strict=True):
            proof.part(part, between)
    proof.check_all_drawn()
    return "\n".join(proof.lines())


def _check_supported(certificate: Certificate) -> None:
    if certificate.claim.gdp is not None or certificate.claim.zcdp is not None:
        raise Inexpressible("a claim of GDP or zCDP has no form in Rocq yet")
    if certificate.sampled is not None:
        raise Inexpressible("a sample of the records has no form in Rocq yet")
    for part in (certificate, *certificate.parts):
        if part.retried:
            raise Inexpressible("a loop that is retried until it is left has no form in Rocq yet")
        if part.gaussian is not None or any(cost.square is not None for cost in part.costs.values()):
            raise Inexpressible("Gaussian noise has no form in Rocq yet")
        if any(not is_zero(cost.delta) and not is_zero(cost.weight) for cost in part.costs.values()):
            raise Inexpressible("a δ that is not lost at tails of noise has no form in Rocq yet")
        if not part.parts and part.derivation.rule not in ("Seq", *(() if certificate.parts else (LIFT,))):
            raise Inexpressible(f"[{part.derivation.rule}] has no form in Rocq yet")
        if part.given:
            raise Inexpressible("facts about what earlier parts published have no form in Rocq yet")
    for part in certificate.parts[:-1]:
        if any(found.kind is Kind.RETURN for name in part.events if (found := read_event(name))):
            raise Inexpressible("a part that knows what it will publish has no form in Rocq yet")


def _check_told(core: ir.Mechanism, judged: ir.Mechanism, certificate: Certificate) -> None:
    """Raises Inexpressible where the proof asks in advance about a branch that the core program has not."""
    own, theirs = _conditions(core), _conditions(judged)
    events = (read_event(name) for part in (certificate, *certificate.parts) for name in part.events)
    asked = {int(event.source) for event in events if event is not None and event.kind is Kind.BRANCH}
    if not all(_is_test_of(own.get(branch), theirs[branch]) for branch in asked):
        raise Inexpressible(
            "a proof that asks in advance about a test that a step makes a branch has no form in Rocq yet"
        )


def _is_test_of(own: ir.Expression | None, other: ir.Expression) -> bool:
    """Whether a branch tells what another one does, or a truth value that was computed before."""
    return own == other or isinstance(own, ir.Variable)


def events_of(certificate: Certificate) -> list[Event]:
    """What the proof asks about in advance."""
    found = (read_event(name) for part in _parts(certificate) for name in part.events)
    return list(dict.fromkeys(event for event in found if event is not None))


def _conditions(mechanism: ir.Mechanism) -> dict[int, ir.Expression]:
    return {item.branch: item.condition for item in ir.statements(mechanism.body) if isinstance(item, ir.If)}


def _costs(certificate: Certificate) -> tuple[Cost, ...]:
    """What is paid for in ε, of all parts, one after the other."""
    return tuple(cost for part in _parts(certificate) for cost in part.costs.values() if is_zero(cost.delta))


def _losses(certificate: Certificate) -> tuple[Cost, ...]:
    """What is lost at tails, alike."""
    return tuple(
        cost for part in _parts(certificate) for cost in part.costs.values() if not is_zero(cost.delta)
    )


def _parts(certificate: Certificate) -> tuple[Certificate, ...]:
    return certificate.parts or (certificate,)


@dataclass(frozen=True)
class _Head:
    """A loop: the variables it changes, with their kinds, whether it draws, and what holds at its head.

    Without draws nothing is paid, and the counters are those of before the loop.
    """

    changed: str
    draws: bool
    facts: tuple[str, ...]


@dataclass(frozen=True)
class _Tail:
    """Noise of run 1 that is given up at a draw: where, on both sides or above, how far, as which loss."""

    when: str
    both: bool
    far: str
    loss: int


@dataclass
class _Proof:
    """What is found on a walk through the derivation, or those of all parts.

    It is about ``mechanism``, which has the chances of the ``core`` program.
    """

    core: ir.Mechanism
    mechanism: ir.Mechanism
    proved: Bounds
    costs: Sequence[Cost]
    losses: Sequence[Cost]
    judged: Judged
    events: Sequence[Event]
    places: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    first: int = 0
    real: bool = field(init=False)
    formulas: Formulas = field(init=False)
    heads: dict[int, _Head] = field(default_factory=dict)
    draws: dict[int, str] = field(default_factory=dict)
    tails: dict[int, _Tail] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    entries: Mapping[str, Term] = field(default_factory=dict)
    published: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.formulas = Formulas(self.mechanism, {}, {})
        self.real = draws_reals(self.mechanism)

    def part(self, part: Certificate, between: ir.Mechanism) -> None:
        """Look at a part and its derivation; its costs come behind those of parts before it."""
        self.first += len(self.places)
        self.places = _numbered(
            [name for name, cost in part.costs.items() if is_zero(cost.delta)], self.first
        )
        losses = [name for name, cost in part.costs.items() if not is_zero(cost.delta)]
        self.lost = _numbered(losses, max(self.lost.values(), default=-1) + 1)
        self.entries = part.entries
        self.published = returned_lists(between)
        counters = {name: f"cost'{place}" for name, place in self.places.items()}
        counters |= {name: f'(as_int (m1 "{_loss(place)}"))' for name, place in self.lost.items()}
        reals = frozenset(name for name, cost in part.costs.items() if self._is_sum(cost))
        self.formulas = Formulas(self.mechanism, part.events, counters, reals)
        self.walk(part.derivation, between.body)

    def check_all_drawn(self) -> None:
        """Raises Inexpressible where a draw of the core program has no coupling, or one somewhere else."""
        drawn = {
            item.site for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Draw | ir.Choose)
        }
        own, moved = (dict(_branches_around(item.body)) for item in (self.mechanism, self.judged.mechanism))
        before = any(moved[new] < own[old] for new, old in self.judged.sites.items() if new in moved)
        if before or not drawn <= set(self.draws):
            raise Inexpressible("noise that a step draws before a branch has no form in Rocq yet")

    @property
    def sums(self) -> list[int]:
        """The costs that add up reals."""
        return [place for place, cost in enumerate(self.costs) if self._is_sum(cost)]

    # --- the walk ---------------------------------------------------------------------------

    def walk(self, node: Node, body: Sequence[ir.Statement]) -> None:
        """Look at a sequence and its derivation.  Raises Inexpressible."""
        for premise, statement in zip(node.premises, body, strict=True):
            self._statement(premise, statement)

    def _statement(self, node: Node, statement: ir.Statement) -> None:
        match statement:
            case ir.Draw(site=site, target=target):
                self._give_up(node, statement)
                self.draws[self._site(site)] = self._draw(node, statement)
                self.known.add(target)
            case ir.Choose(target=target):
                site, text = self._site(statement.site), self._choice(node, statement)
                self.draws |= dict.fromkeys(self.judged.together(site), text)
                self.known.add(target)
            case ir.Loop():
                self._loop(node, statement)
            case ir.If(then=then, otherwise=otherwise) if node.rule == "Cond":
                for premise, side in zip(node.premises, (then, otherwise), strict=True):
                    self.walk(premise, side)
            case ir.Block(body=body):
                self.walk(node.premises[0], body)
            case ir.Assign(target=target) | ir.NewList(target=target):
                self.known.add(target)

    def _site(self, site: int) -> int:
        """The site in the core program."""
        if site not in self.judged.sites:
            raise Inexpressible("a step that makes new draws has no form in Rocq yet")
        return self.judged.sites[site]

    def _give_up(self, node: Node, draw: ir.Draw) -> None:
        """The tail of run 1's noise, if one is given up; the program may not assign what it is centred at."""
        if "apart" in node.fields:
            raise Inexpressible("noise that is equal to nothing known before has no form in Rocq yet")
        nodes = [leaf for leaf in (node, *node.premises) if "tail" in leaf.fields]
        if not nodes:
            return
        if draw.distribution != "laplace":
            raise Inexpressible("a tail of noise with one side has no form in Rocq yet")
        tails = {(leaf.value(tuple[str, Formula, str], "tail"), _when(leaf)) for leaf in nodes}
        (((side, far, cost), when),) = tails
        if any(draw.target in mentioned(item) for item in draw.arguments) or draw.target in _of_run_1(when):
            raise Inexpressible(
                "a tail of noise around the variable that it is assigned to has no form in Rocq yet"
            )
        condition = run_condition(self.formulas, when)
        text = self.formulas.real(_whole_distance(far))
        self.tails[self._site(draw.site)] = _Tail(condition, side == "both", text, self.lost[cost])

    def _draw(self, node: Node, draw: ir.Draw) -> str:
        couple = self._real_coupling if draw.sort is ir.Sort.REAL else self._coupling
        noise = self._noise(draw)

        def coupling(leaf: Node) -> str:
            return couple(leaf, noise)

        if node.rule != "Case":
            return coupling(node)
        last = coupling(node.premises[-1])
        cases = zip(map(coupling, node.premises), node.terms("when"), strict=False)
        for text, alike in reversed([(text, list(of)) for text, of in groupby(cases, key=itemgetter(0))]):
            when = " || ".join(self.formulas.truth(term) for _, term in alike)
            case = f"let when := value_of constr:({when}) in destruct when eqn:?"
            last = f"({case}; [ {text} | {last} ])"
        return "".join(map(self._room, node.premises)) + last

    def _noise(self, draw: ir.Draw) -> Noise:
        """The noise of a draw of the judged program, as it is in the program that the proof is about."""
        site = self._site(draw.site)
        own = next(
            item
            for item in ir.statements(self.mechanism.body)
            if isinstance(item, ir.Draw) and item.site == site
        )
        known = {*self.mechanism.variables, *(item.name for item in self.mechanism.parameters)}
        return noise_as(draw, own, known)

    def _coupling(self, leaf: Node, noise: Noise) -> str:
        if leaf.rule == "LapInt":
            return self._interval(leaf)
        if leaf.rule not in _SHIFTS:
            raise Inexpressible(f"[{leaf.rule}] has no form in Rocq yet")
        if leaf.fields.get("k") == NULL:
            return "same"
        shift = f"({noise.moved(self.formulas.integer(leaf.term('k')))})%Z"
        if "cost" not in leaf.fields:
            return f"free {shift}"
        place, weight = self._paid(str(leaf.fields["cost"]))
        if leaf.fields.get("amount") == "distance":
            return f"shift_distance {place}%nat {weight}%R {shift}"
        within = self.formulas.distance(leaf.term("within"))
        amount = self.formulas.count(leaf.term("amount"))
        return f"shift {place}%nat {weight}%R ({within})%Z ({amount})%Z {shift}"

    def _real_coupling(self, leaf: Node, noise: Noise) -> str:
        """The same of noise on the reals."""
        if leaf.rule not in _SHIFTS:
            raise Inexpressible(f"[{leaf.rule}] of real noise has no form in Rocq yet")
        if leaf.fields.get("k") == NULL:
            return "same"
        shift = f"({noise.moved(self.formulas.real_value(leaf.term('k')))})%R"
        if "cost" not in leaf.fields:
            return f"free_real {shift}"
        name = str(leaf.fields["cost"])
        if self._is_sum(self.costs[self.places[name]]):
            return self._real_payment(leaf, name, shift)
        place, weight = self._paid(name)
        within = noise.apart(self.formulas.real_value(leaf.term("within")))
        amount = self.formulas.count(leaf.term("amount"))
        return f"shift_real {place}%nat {weight}%R ({within})%R ({amount})%Z {shift}"

    def _real_payment(self, leaf: Node, name: str, shift: str) -> str:
        """The same where a cost adds up reals."""
        place = self.places[name]
        paid = f"{self._index(place)}%nat {self.formulas.real(self.costs[place].weight)}%R"
        if leaf.fields.get("amount") == "distance":
            return f"shift_real_distance {paid} {shift}"
        within, amount = (self.formulas.real_value(leaf.term(item)) for item in ("within", "amount"))
        return f"shift_real_at {paid} ({within})%R ({amount})%R {shift}"

    def _index(self, place: int) -> int:
        """Where a cost is among those that add up numbers of its sort."""
        return sum(self._is_sum(cost) == self._is_sum(self.costs[place]) for cost in self.costs[:place])

    def _is_sum(self, cost: Cost) -> bool:
        """Whether a cost adds up reals."""
        return cost.sort == REAL and self.real

    def _paid(self, name: str) -> tuple[int, str]:
        """Where a cost is that counts, and what one of it costs.  Raises Inexpressible."""
        place = self.places[name]
        if self._is_sum(self.costs[place]):
            raise Inexpressible("costs that add up reals have no form in Rocq yet")
        return self._index(place), self.formulas.real(self.costs[place].weight)

    def _interval(self, leaf: Node) -> str:
        """[LapInt]."""
        paid = []
        for field_ in ("moved", "squeezed"):
            cost, amount = leaf.payment(field_)
            place, weight = self._paid(cost)
            paid.append(f"{place}%nat {weight}%R ({self.formulas.count(amount)})%Z")
        within = self.formulas.distance(leaf.term("within"))
        narrowed, gap = (self.formulas.real(leaf.term(name)) for name in ("narrowed", "gap"))
        ends = " ".join(
            f"({self.formulas.integer(end)})%Z" for end in (*leaf.interval("from"), *leaf.interval("to"))
        )
        return f"interval {' '.join(paid)} ({within})%Z {narrowed}%R {gap}%R {ends}"

    def _room(self, leaf: Node) -> str:
        """What [LapInt] knows in all cases of a draw."""
        if leaf.rule != "LapInt":
            return ""
        low, high = (f"({self.formulas.integer(end)})%Z" for end in leaf.interval("to"))
        return f"room {self.formulas.real(leaf.term('gap'))}%R {low} {high}; "

    def _choice(self, node: Node, choice: ir.Choose) -> str:
        """[Chance] for a truth value; what an outcome costs is looked for by the tactic."""
        if node.rule == "Choice":
            whole = next(item for item in _choices(self.judged.mechanism) if item.site == choice.site)
            return self._weighed(node, whole)
        site = self._site(choice.site)
        summed = site in self.judged.summed
        if node.rule != "Chance" or not (summed or choice.sort is ir.Sort.BOOL):
            raise Inexpressible("a draw of one of several numbers has no form in a proof in Rocq yet")
        if "times" in node.fields or "given" in node.fields:
            raise Inexpressible("chances that are private numbers have no form in a proof in Rocq yet")
        paid = node.listed(tuple[int, int, str, Formula], "pays")
        costs = {(cost, self.formulas.count(amount)) for _, _, cost, amount in paid}
        if len(costs) > 1:
            raise Inexpressible("a draw that pays in several ways has no form in a proof in Rocq yet")
        place, weight, amount = 0, "0", "0"
        for cost, each in costs:
            place, weight = self._paid(cost)
            amount = each
        if summed:
            return f"sums {place}%nat {weight}%R ({amount})%Z {self._made_of_all(site)}"
        drawn_as = next(item for item in _choices(self.mechanism) if item.site == site).target
        made = expression(self.judged.made.get(site, ir.Variable(drawn_as, choice.sort)))
        drawn = [f'constr:(eval (upd m{run} "{drawn_as}" (Bool true)) {made})' for run in (1, 2)]
        return f"choose {place}%nat {weight}%R ({amount})%Z {' '.join(drawn)}"

    def _made_of_all(self, site: int) -> str:
        """The variable of the core program that is made of several draws, or ``tt``."""
        _, name = self.judged.summed[site]
        if name not in self.mechanism.variables:
            return "tt"
        return expression(ir.Variable(name, self.mechanism.variables[name]))

    def _weighed(self, leaf: Node, choice: ir.Choose) -> str:
        """[Choice]."""
        assert isinstance(choice.law, ir.Weights)
        score, rate = expression(choice.law.score), expression(choice.law.rate)
        index = f'(fun i : Z => eval (upd m{{run}} "{choice.index}" (Int i)) {score})'
        found = " ".join([f"(eval m1 {rate})", *(index.format(run=run) for run in (1, 2))])
        if "cost" not in leaf.fields:
            return f"weigh_free {found}"
        place, weight = self._paid(str(leaf.fields["cost"]))
        within = self.formulas.real(leaf.term("within"))
        amount = self.formulas.count(leaf.term("amount"))
        return f"weigh {place}%nat {weight}%R {within}%R ({amount})%Z {found}"

    def _loop(self, node: Node, loop: ir.Loop) -> None:
        equal = set(node.names("equal"))
        names = [*self.mechanism.variables, *self.mechanism.lists]
        own = self.judged.loops[loop.loop]
        body = _loop_of(self.mechanism, own).body
        inside = assigned(body)
        changed = [name for name in names if name in inside or list_length(name) in inside]
        kinds = [f'("{name}", {self._kind(name)})' for name in changed]
        kinds += [f'("{_loss(place)}", OfInt)' for name, place in self.lost.items() if name in _counted(node)]
        facts = []
        for name in changed:
            if name in self.mechanism.variables and name in equal:
                getter = _EQUAL[self.mechanism.variables[name]]
                facts.append(f'{getter} (m2 "{name}") = {getter} (m1 "{name}")')
            elif name in self.mechanism.lists and list_length(name) in equal:
                getter = "as_rows" if name in self.published else "length_of"
                facts.append(f'{getter} (m2 "{name}") = {getter} (m1 "{name}")')
        formulas = self.formulas.reading(node.terms("invariant"))
        facts += [formulas.proposition(term) for term in node.terms("invariant") if not is_reading(term)]
        facts += [
            formulas.of_entries(name, term)
            for name, term in self.entries.items()
            if name in changed and name in self.known
        ]
        draws = any(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(body))
        if draws:
            facts += [f"(cost'{place} <= {self._bound(self.costs[place])})%Z" for place in range(self.first)]
            behind = range(self.first + len(self.places), len(self.costs))
            facts += [f"(cost'{place} = 0)%Z" for place in behind]
            if self.sums and (self.first or behind):
                raise Inexpressible("parts with costs that add up reals have no form in Rocq yet")
        self.heads[own] = _Head("; ".join(kinds), draws, tuple(facts))
        known = set(self.known)
        self.walk(node.premises[0], loop.body)
        self.known = known

    def _kind(self, name: str) -> str:
        if name in self.mechanism.lists:
            return "OfRows" if name in self.known else "Any"
        sort = self.mechanism.variables[name]
        return _KINDS[sort] if sort is ir.Sort.INT or name in self.known else "Any"

    # --- the text ---------------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """The lines of the proof."""
        theorem = Theorem(self.mechanism)
        yield from theorem.beginning()
        weights = (self.formulas.real(cost.weight) for cost in self.costs if not self._is_sum(cost))
        yield f"Definition events : list event := {event_list(self.events)}."
        yield f"Definition weights : list R := [{'; '.join(weights)}]."
        if self.sums:
            reals = (self.formulas.real(self.costs[place].weight) for place in self.sums)
            yield f"Definition weights_of_sums : list R := [{'; '.join(reals)}]."
        yield f"Definition total : R := {self.formulas.real(self.proved.epsilon)}."
        for number, head in self.heads.items():
            yield from self._head(number, head)
        yield ""
        yield "Ltac loop n := lazymatch n with"
        for number, head in self.heads.items():
            rule = "while" if head.draws else "while_kept"
            yield f"  | {number}%nat => {rule} [{head.changed}] head_{number}"
        yield '  | _ => fail 1000 "there is no coupling for loop" n end.'
        yield "Ltac draw n := at_memories ltac:(fun L m1 m2 => lazymatch n with"
        for site, text in self.draws.items():
            yield f"  | {site}%nat => {text}"
        yield '  | _ => fail 1000 "there is no coupling for draw" n end).'
        bounds = "; ".join(self._bound(cost) for cost in self.costs if not self._is_sum(cost))
        if self.tails:
            yield from self._kept()
        within = f"[{bounds}]%Z" if bounds else "(@nil Z)"
        if self.sums:
            tops = "; ".join(self.formulas.real(self.costs[place].bound) for place in self.sums)
            within = f"_reals [{tops}]%R {within}"
        yield f"Ltac finish n := within{'' if self.sums else ' '}{within}."
        yield ""
        walk = ["repeat walk draw loop finish.", "all: stuck."]
        if self.core == self.mechanism:
            unfolded = f"unfold program{', kept' if self.tails else ''}."
            yield from theorem.proof([self._begin(), unfolded, *walk])
            return
        yield from program_text("drawn_later", self.mechanism)
        if self.tails:
            raise Inexpressible("a δ where draws are deferred has no form in Rocq yet")
        same = "unfold program, drawn_later; same_programs"
        later = f"apply (private_after events program drawn_later); [ {same} |]."
        if not self.real:
            later = f"apply (private_as program drawn_later); [ {same} | reflexivity | reflexivity |]."
        yield from theorem.proof([later, self._begin(), "unfold drawn_later.", *walk])

    def _kept(self) -> Iterator[str]:
        """The program whose run 1 ends where its noise is given up."""
        losses = [(self.formulas.count(loss.bound), self.formulas.real(loss.delta)) for loss in self.losses]
        yield "Definition tails (n : nat) : option tail := match n with"
        for site, tail in self.tails.items():
            most, lost = losses[tail.loss]
            both = "true" if tail.both else "false"
            yield f"  | {site}%nat => Some (Tail {tail.when}"
            yield f'      {both} {tail.far}%R "{_loss(tail.loss)}" ({most})%Z {lost}%R)'
        yield "  | _ => None end."
        text = "; ".join(
            f'("{_loss(place)}", (({most})%Z, {lost}%R))' for place, (most, lost) in enumerate(losses)
        )
        yield f"Definition lost_at_tails : counters := [{text}]."
        yield "Definition kept : code := Eval cbv [trim tails program] in trim tails program."

    def _bound(self, cost: Cost) -> str:
        bound = self.formulas.count(cost.bound)
        if cost.order is None:
            return bound
        upward = f"upward_{cost.order.source}"
        return f"(if {upward if cost.order.upward else f'negb {upward}'} then {bound} else 0)"

    def _head(self, number: int, head: _Head) -> Iterator[str]:
        names = [f"cost'{place}" for place, cost in enumerate(self.costs) if not self._is_sum(cost)]
        sums = [f"cost'{place}" for place in self.sums]
        costs = "".join(f" ({' '.join(of)} : {sort})" for of, sort in ((names, "Z"), (sums, "R")) if of)
        kept = costs if not head.draws else ""
        exists = f"exists{costs}, " if costs and head.draws else ""
        total = f"(total - spent_reals weights_of_sums [{'; '.join(sums)}])" if sums else "total"
        yield f"Definition head_{number}{kept} (L : log) (e : R) (m1 m2 : memory) : Prop :="
        yield f"  {exists}affordable {total} weights [{'; '.join(names)}] e"
        yield from (f"  /\\ {fact}" for fact in head.facts)
        yield "  ."

    def _begin(self) -> str:
        """The tactic that goes from what is claimed to couplings."""
        zeros = ["0%Z" for cost in self.costs if not self._is_sum(cost)]
        counts = f"[{'; '.join(zeros)}]" if zeros else "(@nil Z)"
        if self.sums:
            sums = "; ".join("0%R" for _ in self.sums)
            return f"begin_reals events total weights_of_sums [{sums}] weights {counts}."
        if is_zero(self.proved.delta):
            return f"begin_with events total weights {counts}."
        delta = self.formulas.real(self.proved.delta)
        return f"begin_kept events total weights {counts} {delta}%R lost_at_tails tails program kept input."


def _branches_around(body: Sequence[ir.Statement], around: int = 0) -> Iterator[tuple[int, int]]:
    """Each draw of noise, by its site, with the number of branches that it is in."""
    for item in body:
        match item:
            case ir.Draw(site=site):
                yield site, around
            case ir.If(then=then, otherwise=otherwise):
                yield from _branches_around((*then, *otherwise), around + 1)
            case ir.Loop(body=inner) | ir.Block(body=inner):
                yield from _branches_around(inner, around)


def _numbered(names: Sequence[str], first: int) -> dict[str, int]:
    return {name: first + place for place, name in enumerate(names)}


def _loss(place: int) -> str:
    """The variable that counts at which draws of run 1 a tail is given up."""
    return f"lost#{place}"


def _counted(node: Node) -> set[str]:
    """The costs at which draws below a node count what they give up."""
    found = set().union(*map(_counted, node.premises))
    return found | {node.value(tuple[str, Formula, str], "tail")[2]} if "tail" in node.fields else found


def _when(leaf: Node) -> Term:
    return leaf.term("tail_when") if "tail_when" in leaf.fields else TRUE


def _of_run_1(term: Term) -> set[str]:
    """The variables of run 1 in a term."""
    return {name.strip("|").removesuffix("<1>") for name in symbols(term)}


def _whole_distance(far: Term) -> Term:
    """Noise on the integers is as far from its centre as the next integer, where a number says how far."""
    number = value(far)
    return far if number is None else constant_text(ceil(number))


def _loop_of(mechanism: ir.Mechanism, number: int) -> ir.Loop:
    return next(
        item for item in ir.statements(mechanism.body) if isinstance(item, ir.Loop) and item.loop == number
    )


def _choices(mechanism: ir.Mechanism) -> Iterator[ir.Choose]:
    return (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose))
