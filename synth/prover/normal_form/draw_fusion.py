"""Draws that only serve to compute one value become one draw of that value.

``uniform_int(0, k - 1) if bernoulli(p) else x`` gives y with the probability p/k + (1 - p)*[x == y]:
no coupling of the coin alone shows what this mixture hides.  The probability of an outcome is the
weakest pre-expectation of "the value is the outcome" (McIver & Morgan 2005), computed backwards over
statements that neither loop nor append nor return.  A private branch with draws is a mixture, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count

from synth.prover.normal_form.draw_hoisting import Hoister
from synth.prover.normal_form.fusion_steps import sums_of, sums_of_law
from synth.prover.normal_form.known_names import public_names
from synth.prover.normal_form.scores import rated
from synth.trusted.normal_form.decision_trees import (
    ONE,
    ZERO,
    Fork,
    Intractable,
    Leaf,
    Tree,
    combined,
    fork,
    given,
    leaves,
    sum_over,
    times,
    tree_of,
)
from synth.trusted.normal_form.pre_expectations import before, chance_of, outcomes_of
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    NO_EXITS,
    Analysis,
    Body,
    Live,
    assigned,
    expressions,
    is_made_of,
    names,
    target,
    with_blocks,
)
from synth.trusted.program.fused_draws import Rated, Sums, Window
from synth.trusted.program.laws import MIXTURE

MAX_OUTCOMES = 12


Step = Callable[[], Window | Rated]
"""A step, made when it is asked for; then it raises Intractable if a closed form is not found."""


@dataclass(frozen=True)
class Fusion:
    """How draws became one.

    ``weighed`` are steps from the mechanism to ``plain``; then values get names, which gives ``named``;
    ``windows`` are steps from there to ``mixed``, the last place first.
    """

    weighed: tuple[Step, ...]
    plain: ir.Mechanism
    named: ir.Mechanism
    windows: tuple[Step, ...]
    mixed: ir.Mechanism


def mixed(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with as few draws of finitely many values as this takes."""
    return fusion(mechanism).mixed


def fusion(mechanism: ir.Mechanism) -> Fusion:
    """The same, with the steps that lead there."""
    if not any(isinstance(item, ir.Choose) for item in ir.statements(mechanism.body)):
        return Fusion((), mechanism, mechanism, (), mechanism)
    mixer = _Mixer(mechanism)
    plain = replace(mechanism, body=mixer.explicit(mechanism.body))
    weighed, mixer.steps = tuple(mixer.steps), []
    body = mixer.named(plain.body)
    named = replace(plain, body=body, variables={**mechanism.variables, **mixer.variables})
    mixer.mentioned = _mentioned(body)
    obligations = tuple(item for item in ir.statements(body) if isinstance(item, ir.Obligation))
    mixer.liveness = Analysis(replace(mechanism, body=body), obligations)
    body = mixer.body(body, frozenset(), NO_EXITS)
    return Fusion(weighed, plain, named, tuple(reversed(mixer.steps)), replace(named, body=body))


@dataclass
class _Mixer:
    mechanism: ir.Mechanism
    variables: dict[str, ir.Sort] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=count)
    mentioned: Counter[str] = field(default_factory=Counter)
    liveness: Analysis = field(init=False)
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.liveness = Analysis(self.mechanism)
        self.public = public_names(self.mechanism)
        self.hoister = Hoister(self.mechanism)

    # --- weights ----------------------------------------------------------------------------

    def explicit(self, body: Body, at: tuple[int, ...] = ()) -> Body:
        """Weights as chances where their sum has a closed form; else with a public factor as the rate."""
        result: list[ir.Statement] = []
        for number, item in enumerate(body):
            if isinstance(item, ir.Choose):
                result.append(self._explicit(item, body[:number], (*at, number)))
            else:
                places = ((*at, number, side) for side in count())
                result.append(with_blocks(item, partial(self._explicit_inside, places)))
        return tuple(result)

    def _explicit_inside(self, places: Iterator[tuple[int, ...]], body: Body) -> Body:
        return self.explicit(body, next(places))

    def _explicit(self, choice: ir.Choose, earlier: Body, place: tuple[int, ...]) -> ir.Choose:
        law = choice.law
        try:
            if isinstance(law, ir.Chances):
                mass, exact = None, _outcomes(chance_of(law))
            else:
                mass, exact = self._chances(choice, law)
        except Intractable:
            if isinstance(law, ir.Chances):
                return choice
            other = rated(law, self._is_public, partial(self._is_alike, index=choice.index))
            if other != law:
                self.steps.append(partial(Rated, place, choice.index, other.score, other.rate))
            return replace(choice, law=other)
        one = replace(choice, law=exact)
        if one != choice:
            self._note(lambda: (sums_of_law(one, mass),), (choice,), earlier, place, (), one)
        return one

    def _chances(self, choice: ir.Choose, law: ir.Weights) -> tuple[Tree, ir.Chances]:
        """The weights of all integers, and the chances that they make.  Raises Intractable."""
        if law.demands:
            raise Intractable
        index = ir.Variable(choice.index, ir.Sort.INT)
        exponent = times(tree_of(law.score), tree_of(law.rate))
        masses = _exponentials(exponent)
        if not all(self._is_public(value) for _, value in leaves(masses)):
            raise Intractable
        inside = fork(
            builders.less(index, builders.ZERO), ZERO, fork(builders.less(index, law.count), masses, ZERO)
        )
        some = builders.less_equal(builders.ONE, law.count)  # an obligation of the draw
        return inside, _outcomes(given(some, _divided(inside, sum_over(inside, index))))

    def _note(
        self,
        sums: Callable[[], tuple[Sums, ...]],
        window: Body,
        earlier: Body,
        place: tuple[int, ...],
        demands: tuple[ir.Obligation, ...],
        one: ir.Choose,
    ) -> None:
        """Note the step; it begins with the obligations before it, so that they are known in it."""
        written, before = assigned(window), []
        for item in reversed(earlier):
            if not isinstance(item, ir.Obligation) or names(item.condition) & written:
                break
            before.append(item)
        start = (*place[:-1], place[-1] - len(before))
        kept = (*reversed(before), *demands)
        self.steps.append(lambda: Window(start, len(before) + len(window), kept, one, sums()))

    def _is_alike(self, expression: ir.Expression, index: str) -> bool:
        """Whether an expression about an index is the same in both runs."""
        reads = {part.source for part in ir.subexpressions(expression) if isinstance(part, ir.Read)}
        private = any(self.mechanism.parameter(name).metric is not None for name in reads)
        return not private and names(expression) <= {*self.public, index}

    def _is_public(self, expression: ir.Expression) -> bool:
        return is_made_of(expression, self.public)

    # --- windows ----------------------------------------------------------------------------

    def named(self, body: Body) -> Body:
        """Computed values that are returned or appended after a draw get a name."""
        result: list[ir.Statement] = []
        drawn: set[str] = set()
        for statement in body:
            statement = with_blocks(statement, self.named)
            if isinstance(statement, ir.Return | ir.Append):
                values = tuple(self._named(value, drawn, statement, result) for value in statement.values)
                statement = replace(statement, values=values)
            if drawn or any(isinstance(item, ir.Choose) for item in ir.statements((statement,))):
                drawn |= assigned((statement,))
            result.append(statement)
        return tuple(result)

    def _named(
        self,
        value: ir.Expression,
        drawn: set[str],
        statement: ir.Return | ir.Append,
        result: list[ir.Statement],
    ) -> ir.Expression:
        if (
            isinstance(value, ir.Variable | ir.Constant)
            or value.sort is ir.Sort.REAL
            or not names(value) & drawn
        ):
            return value
        name = f"computed%new{next(self.numbers)}"
        self.variables[name] = value.sort
        result.append(ir.Assign(name, value, statement.span))
        return ir.Variable(name, value.sort)

    def body(self, body: Body, after: Live, exits: Mapping[str, Live], at: tuple[int, ...] = ()) -> Body:
        """Each longest stretch that computes one value from draws becomes one draw.

        ``after`` is live behind the body, ``exits`` where exits of a label lead; ``at`` is where it stands.
        """
        live = [after]
        for statement in reversed(body):
            live.append(self.liveness.live_before((statement,), live[-1], exits))
        live.reverse()
        result: list[ir.Statement] = []
        place = 0
        while place < len(body):
            window = self._window(body, place, live)
            if window is None:
                result.append(self._inside(body[place], live[place + 1], exits, (*at, place)))
                place += 1
            else:
                length, demands, one = window
                stretch = body[place : place + length]
                self._note(partial(sums_of, stretch, one), stretch, body[:place], (*at, place), demands, one)
                result.extend((*demands, one))
                place += length
        return tuple(result)

    def _inside(
        self, statement: ir.Statement, after: Live, exits: Mapping[str, Live], at: tuple[int, ...]
    ) -> ir.Statement:
        match statement:
            case ir.If(then=then, otherwise=otherwise):
                first = self.body(then, after, exits, (*at, 0))
                return replace(statement, then=first, otherwise=self.body(otherwise, after, exits, (*at, 1)))
            case ir.Block(label=label, body=inner):
                return replace(statement, body=self.body(inner, after, {**exits, label: after}, (*at, 0)))
            case ir.Loop(loop=loop, body=inner):
                head = self.liveness.live_at_loop[loop]
                return replace(statement, body=self.body(inner, head, exits, (*at, 0)))
            case _:
                return statement

    def _window(
        self, body: Body, start: int, live: Sequence[Live]
    ) -> tuple[int, tuple[ir.Obligation, ...], ir.Choose] | None:
        begin = start + _leads(body[start:])
        parted = begin < len(body) and self._parts(body[begin])
        if not parted and not isinstance(body[start], ir.Choose):
            return None
        end = begin
        while end < len(body) and _computes(body[end]):
            end += 1
        for stop in range(end, begin if parted else start + 1, -1):
            replacement = self._as_one(body[start:stop], live[stop])
            if replacement is not None:
                return stop - start, *replacement
        return None

    def _parts(self, statement: ir.Statement) -> bool:
        """Whether private data alone decide which draws of finitely many values are made."""
        draws = any(isinstance(item, ir.Choose) for item in ir.statements((statement,)))
        return isinstance(statement, ir.If) and draws and self.hoister.parts(statement.condition)

    def _as_one(self, window: Body, after: Live) -> tuple[tuple[ir.Obligation, ...], ir.Choose] | None:
        """The window as obligations and one draw, if it computes one value that is used elsewhere.

        The value may be the one from before, where some way through the window doesn't assign it.  As it is
        read behind the window (it is in ``after``), there is one.
        """
        written = assigned(window)
        inside = _mentioned(window)
        used = {name for name in written if self.mentioned[name] > inside[name]}
        used |= written & _exposed(window, set())
        if len(used) != 1 or not used <= after:
            return None
        demands = tuple(self._demands(window, written))
        if any(names(item.condition) & written for item in demands):
            return None
        (name,) = used
        sort = self.variables.get(name) or self.mechanism.variables[name]
        if sort is ir.Sort.REAL:
            return None
        draws = [item for item in ir.statements(window) if isinstance(item, ir.Choose)]
        index = ir.Variable(f"outcome%new{next(self.numbers)}", sort)
        try:
            chance = before(window, fork(builders.equal(ir.Variable(name, sort), index), ONE, ZERO))
            sure = (item.condition for item in demands if len(builders.disjuncts(item.condition)) == 1)
            known = builders.both(*sure)
            law = _outcomes(given(known, chance))
        except Intractable:
            return None
        called = draws[0].distribution if len(draws) == 1 else MIXTURE
        one = replace(draws[0], target=name, distribution=called, index=index.name, law=law, sort=sort)
        return demands, one

    def _demands(
        self, body: Body, written: Set[str], guards: tuple[ir.Expression, ...] = ()
    ) -> Iterator[ir.Obligation]:
        """The obligations, each under what is known before the window of the branches that lead to it.

        A public one is left under public guards alone, so that it can be shown of the parameters.
        """
        for item in body:
            match item:
                case ir.Obligation(condition=condition):
                    public = self._is_public(condition)
                    kept = (guard for guard in guards if not public or self._is_public(guard))
                    yield replace(item, condition=builders.either(*map(builders.negate, kept), condition))
                case ir.If(condition=condition, then=then, otherwise=otherwise):
                    for test, side in ((condition, then), (builders.negate(condition), otherwise)):
                        known = (part for part in builders.conjuncts(test) if not names(part) & written)
                        yield from self._demands(side, written, (*guards, *known))
                case _:
                    pass


# --- chances -----------------------------------------------------------------------------


def _outcomes(tree: Tree) -> ir.Chances:
    """Raises Intractable for too many outcomes."""
    found = outcomes_of(tree)
    if len(found) > MAX_OUTCOMES:
        raise Intractable
    return ir.Chances(found)


def _exponentials(tree: Tree) -> Tree:
    match tree:
        case Leaf(value=value) if value == ZERO.value:
            return ONE
        case Leaf(value=value):
            return Leaf(ir.Operation(ir.Operator.EXPONENTIAL, (value,), ir.Sort.REAL))
        case Fork(atom=atom, then=then, otherwise=otherwise):
            return Fork(atom, _exponentials(then), _exponentials(otherwise))


# --- what a body does -----------------------------------------------------------------------


def computes(body: Body) -> bool:
    """Whether a body only computes and draws values of known chances."""
    return all(_computes(item) for item in body)


def _leads(body: Body) -> int:
    """1 if a body begins with a constant that the branch behind it may change, else 0."""
    match body[:2]:
        case ir.Assign(target=name, value=ir.Constant()), ir.If() as branch if name in assigned((branch,)):
            return 1
    return 0


def _computes(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign() | ir.Obligation() | ir.Choose(law=ir.Chances()):
            return True
        case ir.If(then=then, otherwise=otherwise):
            return computes(then) and computes(otherwise)
        case _:
            return False


def _mentioned(body: Body) -> Counter[str]:
    """How often each variable is mentioned."""
    found: Counter[str] = Counter()
    for item in ir.statements(body):
        extra = (item.count,) if isinstance(item, ir.Loop) and item.count is not None else ()
        for expression in (*expressions(item), *extra):
            found.update(names(expression))
    return found


def _exposed(body: Body, known: set[str]) -> set[str]:
    """Variables whose value from before the body may be read in it; ``known`` grows by what is assigned."""
    found: set[str] = set()
    for statement in body:
        for expression in expressions(statement):
            found |= names(expression) - known
        if isinstance(statement, ir.If):
            sides = set(known), set(known)
            found |= _exposed(statement.then, sides[0]) | _exposed(statement.otherwise, sides[1])
            known |= sides[0] & sides[1]
        written = target(statement)
        if written is not None:
            known.add(written)
    return found


def _divided(first: Tree, second: Tree) -> Tree:
    """The quotient.  Raises Intractable."""
    return combined(_quotient, first, second)


def _quotient(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    return left if left == ZERO.value else builders.divide(left, right)
