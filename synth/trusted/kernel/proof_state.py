"""What the rules share: the vocabulary, fresh constants, and the side conditions that they collect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from synth.trusted.kernel.certificate import Certificate, Node, at
from synth.trusted.kernel.symbolic_state import Pair, State
from synth.trusted.logic.arithmetic.polynomials import (
    divisors,
    over_reals,
    public_signatures,
)
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.definite_assignment import check_definite_assignment
from synth.trusted.logic.encoding import (
    Evaluation,
    Reading,
    differences,
    entry_name,
    index_name,
    list_length,
    opaque_signatures,
    public_term,
    signs_in,
)
from synth.trusted.logic.inputs import (
    SORTS,
    Inputs,
    entries_name,
    length_of,
    public_name,
    share_name,
    start_name,
)
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import (
    BOOL,
    INT,
    REAL,
    TRUE,
    BadTerm,
    Signature,
    Term,
    absolute,
    app,
    applications,
    number,
    shared,
    size,
    sort_of,
    substitute,
    symbols,
    value,
    write,
)
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import returned_lists
from synth.trusted.program.symbols import (
    Event,
    Ghost,
    Kind,
    Latest,
    Spent,
    is_return,
    read_cost,
    read_event,
)
from synth.trusted.reasons import Reason

OF_COSTS: dict[str, Signature] = {
    **{f"|{name}:Real|": ((REAL,), REAL) for name in ("log", "exp", "sqrt")},
    **{f"|{name}:Real,Real|": ((REAL, REAL), REAL) for name in ("*", "/")},
}
"""A cost may be the logarithm of a ratio of chances, or a root, whether the program takes one or not."""

MAX_ATOMS = 2000
"""Atoms in a public value, at the most: it is written out wherever it is used."""


def is_indexed(term: Term) -> bool:
    """Whether a term over public inputs also speaks of a constant of some loop's head."""
    return any("!" in name for name in symbols(term))


def check_sort(node: Node, term: Term, known: Mapping[str, Signature], sort: str) -> None:
    """Check that a term is well-sorted, and of that sort.  Raises Rejected."""
    try:
        found = sort_of(term, known)
    except BadTerm as error:
        raise node.reject(error.why) from None
    if found != sort:
        wrong = Code.NOT_A_FORMULA() if sort == BOOL else Code.WRONG_SORT(found=found, needed=sort)
        raise node.reject(wrong)


NOWHERE = State(-1, (), (), {}, {}, {}, {})
"""A state in which only the inputs have values."""


@dataclass
class Proof:
    """One derivation being checked.  Rules read it, and add side conditions, matches and symbols.

    ``known`` are the symbols that queries may hold, ``vocabulary`` those of the certificate's formulas,
    ``fixed`` those of them that are inputs, functions, or run 1's variables: no output b decides about them;
    ``public_start`` are the public numbers and ``requires`` is the precondition, over real inputs.

    ``matches`` are facts about run 1, by segment: that it publishes what b says.  Only such runs
    matter ([Forall-Eq]), so they may be used in the whole segment, earlier, too: they and the definitions
    that come with them mention nothing of run 2, so no coupling of a later draw is among them.  With
    ``single`` the proof is about one run: two of the same input and noise.  ``by_state`` are conditions, also
    on public inputs, that it shows of the state, ``by_reals`` those that it shows over the reals, from what
    is given; ``magnitudes`` are what factors are compared with.  ``operations`` are the symbols of opaque
    operations, ``unknowns`` the numbers that stand for entries over the reals.
    """

    mechanism: ir.Mechanism
    certificate: Certificate
    inputs: Inputs
    start_facts: tuple[Term, ...]
    public_start: Mapping[str, Term]
    requires: Term
    ghosts: Mapping[Ghost, str]
    known: dict[str, Signature]
    vocabulary: Mapping[str, Signature]
    published: frozenset[str]
    single: bool
    fixed: frozenset[str]
    by_state: frozenset[ir.Expression] = frozenset()
    by_reals: Mapping[ir.Expression, tuple[Term, ...]] = field(default_factory=dict)
    magnitudes: tuple[Term, ...] = ()
    operations: frozenset[str] = frozenset(OF_COSTS)
    unknowns: dict[Term, Term] = field(default_factory=dict)
    conditions: list[tuple[int, Condition]] = field(default_factory=list)
    matches: list[tuple[int, Term]] = field(default_factory=list)
    definitions: dict[str, Term] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=count)

    # --- constants --------------------------------------------------------------------------

    def fresh(self, hint: str, sort: str) -> Term:
        """A constant that occurs nowhere else."""
        name, mark, run = hint.partition("<")
        atom = f"|{name}!{next(self.numbers)}{mark}{run}|"
        self.known[atom] = (), sort
        return atom

    def named(self, hint: str, term: Term) -> tuple[Term, Term]:
        """A constant for a term, and the fact that they are equal; literals and constants stay."""
        term = shared(term)
        if isinstance(term, str) or value(term) is not None:
            return term, TRUE
        constant = self.fresh(hint, sort_of(term, self.known))
        fact: Term = app("=", constant, term)
        self.definitions[str(constant)] = fact
        return constant, fact

    def constant(self, state: State, hint: str, term: Term) -> tuple[State, Term]:
        """A constant for a term, in a state that knows that they are equal."""
        constant, fact = self.named(hint, term)
        return state if fact == TRUE else state.knowing([fact]), constant

    def constants(self, state: State, hint: str, pair: Pair) -> tuple[State, Pair]:
        """Constants for two terms, one if they are the same term."""
        if pair[0] == pair[1]:
            state, both = self.constant(state, hint, pair[0])
            return state, (both, both)
        state, left = self.constant(state, f"{hint}<1>", pair[0])
        state, right = self.constant(state, f"{hint}<2>", pair[1])
        return state, (left, right)

    def sort(self, variable: str) -> str:
        """The sort of a variable, or of the length of a list."""
        return variables(self.mechanism)[variable]

    def fresh_pair(self, name: str, shared: bool) -> Pair:
        """Constants for a variable in the two runs, one if they are known to agree."""
        left = self.fresh(name if shared else f"{name}<1>", self.sort(name))
        return left, left if shared else self.fresh(f"{name}<2>", self.sort(name))

    def start(self) -> State:
        """Before the first statement: adjacent inputs, no cost, and some output b to come.

        A local has any value in each of the two runs; nothing says that the values agree.
        """
        values = {name: self.fresh_pair(name, self.single) for name in variables(self.mechanism)}
        for item in self.mechanism.parameters:
            if item.kind is ir.ParameterKind.SCALAR:
                runs = (start_name(item.name, run) for run in self.runs)
                left, right = runs if item.metric is not None else (public_name(item.name),) * 2
                values[item.name] = left, right
        versions = {name: next(self.numbers) for name in self.mechanism.lists}
        ghosts = {ghost: self._first(ghost, sort) for ghost, sort in self.ghosts.items()}
        facts = (*self.start_facts, *self.inputs.facts())
        return State(next(self.numbers), facts, (), values, ghosts, self.public_start, versions)

    @property
    def runs(self) -> tuple[int, int]:
        """Whose input each of the two runs reads."""
        return (1, 1) if self.single else (1, 2)

    def _first(self, ghost: Ghost, sort: str) -> Term:
        if isinstance(ghost, Event):
            return self.fresh(str(ghost), sort)
        return number(-1 if isinstance(ghost, Latest) else 0, sort)

    # --- side conditions --------------------------------------------------------------------

    def require(self, node: Node, state: State, says: Reason, goal: Term) -> State:
        """Ask for a goal to be shown here; from here on it is known."""
        goal = shared(goal)
        if _is_evident(goal):
            return state
        assumptions = (*state.facts, *state.path)
        self.conditions.append(
            (state.segment, Condition(self._name(node.rule), node.place, says, assumptions, goal, self.known))
        )
        return state.learning([goal])

    def require_public(self, node: Node, says: Reason, goal: Term, *premises: Term) -> None:
        """Ask for a goal over public inputs, for all of them that satisfy ``requires``."""
        check_sort(node, goal, public_signatures((goal,)), BOOL)
        if _is_evident(goal):
            return
        known = (self.requires, *map(shared, premises))
        rule = self._name(node.rule)
        self.conditions.append((-1, Condition(rule, node.place, says, known, shared(goal), None)))

    def _name(self, rule: str) -> str:
        return "Safe" if self.single else rule

    def all_conditions(self) -> list[Condition]:
        """The side conditions, each with what run 1 is known to publish in its segment."""
        by_segment: dict[int, dict[Term, None]] = {}
        for segment, match in self.matches:
            facts = by_segment.setdefault(segment, {})
            self._define(match, facts)
            facts[match] = None
        return [
            replace(item, assumptions=tuple(dict.fromkeys((*item.assumptions, *by_segment.get(segment, ())))))
            for segment, item in self.conditions
        ]

    def _define(self, term: Term, facts: dict[Term, None]) -> None:
        """Add the definitions of the constants in a term, and of those in these, to the facts.

        A match may be about constants that a condition does not know yet, as it is asked for earlier.
        """
        waiting = [symbols(term)]
        while waiting:
            name = next(waiting[-1], None)
            if name is None:
                waiting.pop()
                continue
            if name.endswith("<2>|"):
                raise Rejected("Forall-Eq", "events", Code.EVENT_OF_RUN_2(name=name))
            definition = self.definitions.get(name)
            if definition is not None and definition not in facts:
                facts[definition] = None
                waiting.append(symbols(definition[2]))

    # --- terms ------------------------------------------------------------------------------

    def both(self, state: State, *expressions: ir.Expression) -> tuple[State, list[Pair]]:
        """Values of expressions in both runs, and the state that knows what was read."""
        evaluations = [self.evaluation(state, run) for run in (1, 2)]
        pairs = [(evaluations[0].term(item), evaluations[1].term(item)) for item in expressions]
        for one, other in zip(*(item.opaque for item in evaluations), strict=False):
            evaluations[1].facts += differences(one, other, self.magnitudes)
        state = self.informed(state, *evaluations)
        return self.spent(state, *(item.reads for item in evaluations)), pairs

    def spent(self, state: State, one: Sequence[Reading], two: Sequence[Reading]) -> State:
        """The state that has counted the entries that both runs have read."""
        for source, index in dict.fromkeys(one):
            if (source, index) in two and Spent(source) in state.ghosts:
                state = self._spend(state, source, index[0])
        return state

    def evaluation(self, state: State, run: int) -> Evaluation:
        values = {name: pair[run - 1] for name, pair in state.values.items()}
        reads, entries = self.runs[run - 1], self.entries(state)
        stated = tuple(fact for fact in self.mechanism.facts if fact.each or not self.single)
        about = (state.versions, entries, self.published, self.known, stated, self.certificate.factors)
        return Evaluation(self.inputs, reads, values, *about, self.magnitudes)

    def entries(self, state: State) -> dict[str, Term]:
        """What holds of each pair of entries of a private list; what is returned is the same everywhere."""
        returned: dict[str, Term] = {
            f"|{ghost}|": term for ghost, term in state.ghosts.items() if is_return(ghost)
        }
        return {name: substitute(term, returned) for name, term in self.certificate.entries.items()}

    def informed(self, state: State, *evaluations: Evaluation) -> State:
        """The state that knows what evaluations found out."""
        for item in evaluations:
            state = state.knowing(fact for fact in dict.fromkeys(item.facts) if fact not in state.facts)
            state = state.learning(dict.fromkeys(item.here))
        return state

    def _spend(self, state: State, source: str, index: Term) -> State:
        """l1_distance as a budget: entries read at increasing indices differ by at most the bound in sum.

        So do, under l2_distance, the parts of its square that they differ by, by at most 1 in sum.
        """
        budget, last_read = Spent(source), Latest(source)
        spent, latest = state.ghosts[budget], state.ghosts[last_read]
        change, most = absolute(self.inputs.change(source, (index,)), REAL), self.inputs.bounds[source]
        if self.is_squared(source):
            change, most = (share_name(source), index), "1.0"
            state = state.learning([("<=", "0.0", change)])
        new: Term = ("<", latest, index)
        state, total = self.constant(state, str(budget), ("+", spent, change))
        state, after = self.constant(state, str(budget), ("ite", new, total, spent))
        state, last = self.constant(state, str(last_read), ("ite", new, index, latest))
        state = state.learning([("=>", new, ("<=", total, most))])
        return state.marking({budget: after, last_read: last})

    def is_squared(self, source: str) -> bool:
        """Whether a sequence is under l2_distance."""
        metric = self.mechanism.parameter(source).metric
        return metric is not None and metric.kind is ir.MetricKind.L2

    def public(self, state: State, expression: ir.Expression) -> Term | None:
        """The expression as a function of the public inputs, if it is one, and not too large."""
        found = self.indexed(state, expression)
        return found if found is not None and not is_indexed(found) else None

    def indexed(self, state: State, expression: ir.Expression) -> Term | None:
        """The expression as a function of the public inputs and of what loops count, alike in both runs."""
        found = public_term(expression, state.public, self.inputs)
        return found if found is not None and size(found) <= MAX_ATOMS else None

    def instance(
        self, node: Node, term: Term, state: State, sort: str, forbidden: str = ""
    ) -> tuple[Term, list[Term]]:
        """A term of the certificate at a state, with what holds of the entries that it mentions.

        Raises Rejected for what isn't of that sort, has no value here, or mentions ``forbidden``, a variable.
        """
        check_sort(node, term, self.vocabulary, sort)
        values = self._assignment(state)
        for name in symbols(term):
            if forbidden and name in (f"|{forbidden}<1>|", f"|{forbidden}<2>|"):
                raise node.reject(Code.MENTIONS_THE_DRAW(name=name))
            if name not in values and name not in self.known:
                raise node.reject(Code.NO_VALUE(name=name))
        instance = substitute(term, values)
        return instance, [*self._adjacencies(instance), *dict.fromkeys(signs_in(instance, self.magnitudes))]

    def _assignment(self, state: State) -> dict[str, Term]:
        values: dict[str, Term] = {f"|{ghost}|": term for ghost, term in state.ghosts.items()}
        for name, pair in state.values.items():
            values[f"|{name}<1>|"], values[f"|{name}<2>|"] = pair
        return values

    def _adjacencies(self, term: Term) -> list[Term]:
        read = {
            entries_name(item.name, run): item.name
            for item in self.mechanism.parameters
            if item.metric is not None
            for run in (1, 2)
        }
        whole = (item for item in applications(term) if item[0] in read)
        found = (self.inputs.adjacent(read[str(item[0])], item[1:]) for item in whole)
        return [fact for fact in found if fact is not None]

    def as_public(self, node: Node, term: Term, state: State) -> Term:
        """A term of the certificate as a function of the public inputs.  Raises Rejected if it is none."""
        found = self.as_indexed(node, term, state)
        if is_indexed(found):
            raise node.reject(Code.NOT_PUBLIC(term=write(term)))
        return found

    def given(self, node: Node, state: State) -> tuple[State, list[Term]]:
        """``given``: what is shown here of public inputs and of what loops count; and that over reals."""
        premises = []
        for term in node.terms("given"):
            instance, facts = self.instance(node, term, state, BOOL)
            state = self.require(node, state.knowing(facts), Code.GIVEN_NOT_SHOWN(), instance)
            premises.append(self.as_indexed(node, term, state))
            check_sort(node, premises[-1], public_signatures((premises[-1],)), BOOL)
        return state, premises

    def given_reals(self, node: Node, terms: Sequence[Term], state: State) -> tuple[State, list[Term]]:
        """What is said to be given is shown here, of the values of both runs; and what that says of reals."""
        premises = []
        for term in terms:
            instance, facts = self.instance(node, term, state, BOOL)
            state = self.require(node, state.knowing(facts), Code.GIVEN_NOT_SHOWN(), instance)
            premises.append(self.reals(instance))
            check_sort(node, premises[-1], public_signatures((premises[-1],)), BOOL)
        return state, premises

    def reals(self, term: Term) -> Term:
        """A term over a state's constants as one over the reals, in which entries are any numbers.

        What holds of all real values of these constants and numbers holds of those that they have.
        """

        def unknown(application: Term) -> Term | None:
            head = str(application[0])
            if not head.startswith("|") or head in self.operations:
                return None
            return self.unknowns.setdefault(application, f"|entry#{len(self.unknowns)}|")

        return over_reals(term, unknown=unknown)

    def as_indexed(self, node: Node, term: Term, state: State) -> Term:
        """As :meth:`as_public`, also of what loops count."""
        public = self.public_inputs()

        def symbol(name: str) -> Term:
            variable = name[1:-4] if name.endswith(("<1>|", "<2>|")) else None
            if variable is not None and variable in state.public:
                return state.public[variable]
            if name in public:
                return name
            raise node.reject(Code.NOT_PUBLIC(term=name))

        return over_reals(term, symbol)

    def public_number(self, node: Node, term: Term, sort: str = REAL) -> Term:
        """A number of the certificate over public inputs alone.  Raises Rejected."""
        self.instance(node, term, NOWHERE, sort)
        found = self.as_public(node, term, NOWHERE)
        if "0.0" in divisors(found):
            raise node.reject(Code.DIVISION_BY_ZERO())
        return found

    def public_inputs(self) -> set[str]:
        """The symbols that a cost may depend on."""
        names = {
            name
            for item in self.mechanism.parameters
            if item.name not in self.mechanism.ghosts
            for name in (public_name(item.name), length_of(item.name))
        }
        return {name for name in names if name in self.known and self.known[name][1] != BOOL}


def _is_evident(goal: Term) -> bool:
    """Whether a goal holds whatever its symbols are: there is nothing to ask a solver."""
    return goal == TRUE or (isinstance(goal, tuple) and goal[0] in ("=", "<=") and goal[1] == goal[2])


def begin(mechanism: ir.Mechanism, certificate: Certificate, single: bool = False) -> Proof:
    """The vocabulary of a derivation, and what is known at its start.  Raises Rejected."""
    check_definite_assignment(mechanism)
    loops = {str(item.loop) for item in ir.statements(mechanism.body) if isinstance(item, ir.Loop)}
    if certificate.safety.keys() - loops - mechanism.lists.keys():
        raise Rejected("Safe", "safety", Code.NO_SUCH_INVARIANT())
    published = returned_lists(mechanism)
    if single:
        known_entries = {name: term for name, term in certificate.safety.items() if name in mechanism.lists}
        certificate = replace(certificate, costs={}, events={}, entries=known_entries)
        published = frozenset(mechanism.lists)
    inputs = Inputs(mechanism, {})
    public = {name: term for name, term in inputs.scalars().items() if name not in mechanism.ghosts}
    evaluation = Evaluation(inputs, 1, public, factors=certificate.factors)
    for item in mechanism.parameters:
        if item.metric is not None and item.metric.bound is not None:
            inputs.bounds[item.name] = evaluation.term(item.metric.bound)
    facts = (evaluation.term(mechanism.requires), *evaluation.facts)
    numbers: dict[str, Term] = {
        name: term for name, term in public.items() if mechanism.parameter(name).sort is not ir.Sort.BOOL
    }
    known = {**inputs.signatures(), **opaque_signatures(mechanism), **OF_COSTS}
    facts = (*facts, *_given(certificate, mechanism, known))
    magnitudes = tuple(item for item in certificate.magnitudes if set(symbols(item)) <= set(public.values()))
    for magnitude in magnitudes:
        check_sort(at("Safe", "magnitudes"), magnitude, known, REAL)
    ghosts = ghost_sorts(mechanism, certificate)
    names = {f"|{name}<{run}>|": ((), sort) for name, sort in variables(mechanism).items() for run in (1, 2)}
    vocabulary: dict[str, Signature] = {
        **known,
        **names,
        **{f"|{ghost}|": ((), sort) for ghost, sort in ghosts.items()},
    }
    for name, entries in certificate.entries.items():
        if name not in mechanism.lists or (not single and name in published):
            raise Rejected("Append", f"entries.{name}", Code.NO_PRIVATE_LIST())
        _check_entries(certificate, mechanism, name, entries, known)
    return Proof(
        mechanism=mechanism,
        certificate=certificate,
        inputs=inputs,
        start_facts=facts,
        public_start=numbers,
        requires=public_term(mechanism.requires, numbers, inputs) or TRUE,
        ghosts=ghosts,
        known=known,
        vocabulary=vocabulary,
        published=published,
        single=single,
        fixed=frozenset({*known, *(name for name in names if name.endswith("<1>|"))}),
        by_state=frozenset(_numbered(mechanism, certificate.by_state, "by_state")) if single else frozenset(),
        by_reals=_by_reals(mechanism, certificate) if single else {},
        magnitudes=magnitudes,
        operations=frozenset({*opaque_signatures(mechanism), *OF_COSTS}),
    )


def _numbered(mechanism: ir.Mechanism, numbers: Sequence[int], place: str) -> list[ir.Expression]:
    """The conditions of the obligations that a certificate numbers.  Raises Rejected."""
    conditions = [item.condition for item in ir.statements(mechanism.body) if isinstance(item, ir.Obligation)]
    if not set(numbers) <= set(range(len(conditions))):
        raise Rejected("Safe", place, Code.NO_SUCH_OBLIGATION())
    return [conditions[number] for number in numbers]


def _by_reals(mechanism: ir.Mechanism, certificate: Certificate) -> Mapping[ir.Expression, tuple[Term, ...]]:
    """What is given to the obligations that are shown over the reals.  Raises Rejected."""
    numbers = [number for number, _ in certificate.by_reals]
    found = zip(_numbered(mechanism, numbers, "by_reals"), certificate.by_reals, strict=True)
    return {condition: given for condition, (_, given) in found}


def _given(
    certificate: Certificate, mechanism: ir.Mechanism, known: Mapping[str, Signature]
) -> tuple[Term, ...]:
    """Facts about public inputs: what [Compose] shows of what was published before.  Raises Rejected."""
    scalars = {public_name(item.name) for item in mechanism.parameters if item.metric is None}
    lengths = {length_of(item.name) for item in mechanism.parameters}
    for term in certificate.given:
        if not set(symbols(term)) <= scalars | lengths:
            raise Rejected("Compose", "parts.given", Code.GIVEN_NOT_PUBLIC())
        check_sort(at("Compose", "parts.given"), term, known, BOOL)
    return certificate.given


def _check_entries(
    certificate: Certificate, mechanism: ir.Mechanism, name: str, term: Term, known: Mapping[str, Signature]
) -> None:
    pairs = {
        entry_name(name, number, run): ((), SORTS[sort])
        for number, sort in enumerate(mechanism.lists[name].components)
        for run in (1, 2)
    }
    returned: dict[str, Signature] = {
        f"|{ghost}|": ((), sort)
        for ghost, sort in ghost_sorts(mechanism, certificate).items()
        if is_return(ghost)
    }
    words = {**known, **pairs, **returned, index_name(name): ((), INT)}
    check_sort(at("Append", f"entries.{name}"), term, words, BOOL)


def ghost_sorts(mechanism: ir.Mechanism, certificate: Certificate) -> dict[Ghost, str]:
    """Ghost variables and their sorts: costs, budgets of l1 and l2 distances, what run 1 publishes next."""
    sorts: dict[Ghost, str] = {}
    for item in mechanism.parameters:
        if item.metric is not None and item.metric.kind in (ir.MetricKind.L1, ir.MetricKind.L2):
            sorts |= {Spent(item.name): REAL, Latest(item.name): INT}
    for name, cost in certificate.costs.items():
        counter = read_cost(name)
        if counter is None:
            raise Rejected("Forall-Eq", f"costs.{name}", Code.NOT_A_COST_NAME())
        sorts[counter] = cost.sort
        if cost.order is not None and not _is_monotone(mechanism, cost.order.source):
            raise Rejected("Forall-Eq", f"costs.{name}", Code.NOT_MONOTONE())
    events = dict(_events(mechanism))
    for name, sort in certificate.events.items():
        event = read_event(name)
        if event is None or sort not in (INT, BOOL) or events.get(event) != sort:
            raise Rejected("Forall-Eq", f"events.{name}", Code.NO_SUCH_EVENT())
        sorts[event] = sort
    return sorts


def _is_monotone(mechanism: ir.Mechanism, name: str) -> bool:
    return any(
        item.name == name and item.metric is not None and item.metric.monotone
        for item in mechanism.parameters
    )


def _events(mechanism: ir.Mechanism) -> Iterator[tuple[Event, str]]:
    """What the program may publish, with its sort.  Of reals there are too many for [Forall-Eq]."""
    for item in ir.statements(mechanism.body):
        match item:
            case ir.If(branch=number):
                yield Event(Kind.BRANCH, str(number)), BOOL
            case ir.Append(target=name, values=values) if name in returned_lists(mechanism):
                yield from ((Event(Kind.APPEND, name, n), SORTS[part.sort]) for n, part in enumerate(values))
            case ir.Return(values=values):
                yield from ((Event(Kind.RETURN, "", n), SORTS[part.sort]) for n, part in enumerate(values))


def variables(mechanism: ir.Mechanism) -> dict[str, str]:
    """Variables, scalar parameters and the lengths of local lists, with their sorts."""
    found = {name: SORTS[sort] for name, sort in mechanism.variables.items()}
    found |= {i.name: SORTS[i.sort] for i in mechanism.parameters if i.kind is ir.ParameterKind.SCALAR}
    return found | {list_length(name): INT for name in mechanism.lists}


def assigned(body: Sequence[ir.Statement]) -> set[str]:
    """Variables and list lengths that a body may change."""
    inside = [*ir.statements(tuple(body))]
    scalars = {item.target for item in inside if isinstance(item, ir.Assign | ir.Draw | ir.Choose)}
    return scalars | {list_length(item.target) for item in inside if isinstance(item, ir.NewList | ir.Append)}
