"""The step "same noise": two core programs that, run side by side with the same noise, end alike.

*Theorem.* Read each operation as any total function, on a fixed input that satisfies ``requires``.  If
:func:`check_equivalent` accepts two programs, and no run of the second violates an obligation, then no run of
the first does, and both have the same distribution of outputs (a sub-distribution, where runs may end without
output or never).

The proof is in ``docs/certificates.md``, "Same noise"; in short: the walk below is a coupling of the two
programs.  At each moment it lets one program do what doesn't need the other, or both draw one value from one
law.  What it does depends on nothing but what has been drawn before, so each program for itself runs as it
does alone.  Both loops go round together, so that a joint run never ends just if both runs never do.  Where
both return, they return the same; where one ends otherwise, so does the other.

The numbers of draws say only which draws are meant to be one.  The step's verdict may depend on them, its
truth does not.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, fields, replace

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned, mentioned, target
from synth.trusted.steps.control import Flow, Point, Stop
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.expressions import APPENDED, EMPTY, demands_of, law_of, term_of, value_of
from synth.trusted.steps.facts import Facts, Logic
from synth.trusted.steps.joint_states import State, Values, merge
from synth.trusted.steps.terms import Term, Terms

_REAL_NOISE = tuple((name, ir.Sort.REAL) for name in ("laplace", "exponential", "gaussian"))
"""Kinds of laws D(center, scale) with n·D(c, s) = D(n·c, n·s) for n > 0."""

_NOISE = (*_REAL_NOISE, *((name, ir.Sort.INT) for name, _ in _REAL_NOISE))
"""Kinds of laws with D(c, s) + d = D(d + c, s), for d of their sort."""

UNCHECKED = frozenset(
    {"body", "variables", "span", "path", "source", "lines", "preconditions", "specification", "unread"}
)
"""What two equivalent programs may have of their own."""

Noise = ir.Draw | ir.Choose
Factor = tuple[Hashable, int, Term]
Factors = tuple[Factor, ...]
"""Products and quotients to be made one after the other: head, place of the value, factor or divisor."""
Names = dict[tuple[int, str], object]
"""Per variable or list, of which class it is: those of one class have one value."""


def check_equivalent(first: ir.Mechanism, second: ir.Mechanism) -> None:
    """Check the step from the first program to the second.  Raises Different where it isn't shown."""
    for item in fields(ir.Mechanism):
        if item.name not in UNCHECKED and getattr(first, item.name) != getattr(second, item.name):
            raise Different(Code.DECLARATIONS_DIFFER(field=item.name))
    terms = Terms()
    walk = _Walk(terms, Logic(terms), first, second, (Flow(first.body), Flow(second.body)))
    inputs: Values = {item.name: terms.make(("input", item.name)) for item in first.visible}
    facts = walk.logic.assume(Facts(), term_of(first.requires, inputs, terms))
    if facts is not None:
        walk.run(State((walk.flows[0].entry, walk.flows[1].entry), (inputs, inputs), facts=facts), (-1, -1))


@dataclass(frozen=True)
class _Walk:
    terms: Terms
    logic: Logic
    first: ir.Mechanism
    second: ir.Mechanism
    flows: tuple[Flow, Flow]

    def run(self, start: State, end: tuple[int, int]) -> tuple[list[State], State | None]:
        """Follow a state to where both programs have left the loops that end at ``end``, and to that end."""
        waiting = {start.places: start}
        order = [(-sum(start.places), start.places)]
        left: list[State] = []
        back: State | None = None
        while order:
            _, places = heapq.heappop(order)
            state = waiting.pop(places)
            self.terms.step()
            if places == end:
                back = state
            elif places[0] < end[0] and places[1] < end[1]:
                left.append(state)
            else:
                for item in self._next(state):
                    met = waiting.get(item.places)
                    if met is None:
                        heapq.heappush(order, (-sum(item.places), item.places))
                    waiting[item.places] = item if met is None else merge(met, item, self.logic)
        return left, back

    def _next(self, state: State) -> list[State]:
        first, second = (self._point(state, side) for side in (0, 1))
        if isinstance(second.statement, ir.Draw) and not self._is_awaited(second.statement, first):
            return [self._alone(state, 1, second.statement)]
        behind = sorted((1, 0), key=lambda side: -state.places[side] / len(self.flows[side].points))
        found = [self._quiet(state, side) for side in behind]
        for moved in sorted((item for item in found if item is not None), key=len):
            return moved
        match first.statement, second.statement:
            case (ir.Draw(), ir.Draw()) | (ir.Choose(), ir.Choose()) if joint := self._together(state):
                return [joint]
            case _, ir.Draw() as draw:
                return [self._alone(state, 1, draw)]
            case ir.Draw() as draw, _:
                return [self._alone(state, 0, draw)]
            case ir.Loop(), ir.Loop():
                return self._loops(state)
            case ir.Return() as one, ir.Return() as other:
                self._settle(state)
                self._compare(one, other, state)
                return []
            case Stop(), Stop():
                self._settle(state)
                return []
        raise Different(Code.COURSES_DIFFER(first=first.described, second=second.described))

    # --- statements of one program ----------------------------------------------------------------

    def _quiet(self, state: State, side: int) -> list[State] | None:
        """What comes of a statement that draws nothing: two states where a branch is open."""
        point, values = self._point(state, side), state.values[side]
        after = state.at(side, point.following[0]) if point.following else state
        match point.statement:
            case ir.Assign(target=name, value=value):
                return [after.assign(side, name, self._term(value, values))]
            case ir.NewList(target=name):
                return [after.assign(side, name, self.terms.make(EMPTY))]
            case ir.Append(target=name, values=entry):
                parts = (value_of(name, values), *(self._term(item, values) for item in entry))
                return [after.assign(side, name, self.terms.make(APPENDED, *parts))]
            case ir.Obligation(condition=condition) as obligation:
                return self._obliged(after, side, self._term(condition, values), obligation)
            case ir.If(condition=condition) | ir.Assume(condition=condition):
                return list(self._forked(state, side, self._term(condition, values)))
        return None

    def _obliged(self, state: State, side: int, condition: Term, obligation: ir.Obligation) -> list[State]:
        """An obligation of the second program holds, as that is safe; one of the first is to be shown."""
        if side == 0:
            (new,) = state.owing(((condition, obligation),), self.logic).owed or (None,)
            return [replace(state, owed=(*state.owed, new)) if new else state]
        facts = self.logic.assume(state.facts, condition)
        return [] if facts is None else [replace(state, facts=facts).owing(state.owed, self.logic)]

    def _forked(self, state: State, side: int, condition: Term) -> Iterator[State]:
        condition = self.logic.simplified(condition, state.facts)
        ways = tuple(
            zip((condition, self.terms.negation(condition)), self._point(state, side).following, strict=True)
        )
        for decision, place in ways:
            if self.logic.holds(decision, state.facts):
                yield state.at(side, place)
                return
        for decision, place in ways:
            facts = self.logic.assume(state.facts, decision)
            if facts is not None:
                yield replace(state.at(side, place), path=(*state.path, decision), facts=facts)

    def _alone(self, state: State, side: int, draw: ir.Draw) -> State:
        """A draw of one program that the other does not make."""
        law_of(draw, state.values[side], self.terms)  # all that it reads has a value
        if side == 1:
            self._demand_scale(state, draw)
        return state.at(side, self._point(state, side).following[0]).assign(
            side, draw.target, self.terms.fresh()
        )

    # --- both programs ----------------------------------------------------------------------------

    def _is_awaited(self, draw: ir.Draw, first: Point) -> bool:
        """Whether the first program may yet come to a draw that this one of the second stands for."""
        known = self.flows[1].points[self.flows[1].entry].sites
        own = self.flows[0].points[self.flows[0].entry].sites
        return draw.site in first.sites or draw.site not in own or not first.sites <= known

    def _together(self, state: State) -> State | None:
        """One draw of both programs, if it is shown to be one."""
        one, other = (self._point(state, side).statement for side in (0, 1))
        assert isinstance(one, Noise) and isinstance(other, Noise)
        entries = [flow.points[flow.entry].sites for flow in self.flows]
        if one.site != other.site and one.site in entries[1] and other.site in entries[0]:
            return None
        kind, law = law_of(one, state.values[0], self.terms)
        other_kind, other_law = law_of(other, state.values[1], self.terms)
        drawn = self.terms.fresh()
        if kind != other_kind:
            return None
        if self.logic.all_equal(law, other_law, state.facts):
            value = other_value = drawn
        elif kind in _REAL_NOISE and self._is_multiple(law, other_law, state.facts):
            value, other_value = self.terms.make(_DIVIDE, drawn, law[0].arguments[1]), drawn
        elif kind in _REAL_NOISE and (factor := self._factor(law, other_law, state.facts)) is not None:
            value, other_value = self._times(drawn, (factor,)), drawn
        elif kind in _REAL_NOISE and (size := self._size(law, other_law, state.facts)) is not None:
            value, other_value = drawn, self._times(drawn, size)
        elif kind in _NOISE and (distance := self._distance(law, other_law, state.facts)) is not None:
            value, other_value = self.terms.apply((ir.Operator.SUBTRACT, one.sort), (drawn, distance)), drawn
        else:
            return None
        if isinstance(one, ir.Choose) and isinstance(other, ir.Choose):
            self._demand(one, other, state)
        if isinstance(other, ir.Draw):
            self._demand_scale(state, other)
        for side, place in enumerate(state.places):
            state = state.at(side, self.flows[side].points[place].following[0])
        return state.assign(0, one.target, value).assign(1, other.target, other_value)

    def _is_multiple(self, law: tuple[Term, ...], other: tuple[Term, ...], facts: Facts) -> bool:
        """Whether the laws are D(c/n, s) and D(c, s·n), where both scales are known to be positive."""
        (center, scale), (top, wide) = law, other
        if center.head != _DIVIDE:
            return False
        product = self.terms.apply(_MULTIPLY, (scale, center.arguments[1]))
        return self.logic.all_equal((center.arguments[0], product), (top, wide), facts) and all(
            self.logic.holds(self._positive(item), facts) for item in (scale, product)
        )

    def _factor(self, law: tuple[Term, ...], other: tuple[Term, ...], facts: Facts) -> Factor | None:
        """The factor n with which the laws are D(n·c, s) and D(c, s/n), where n is known to be positive."""
        (center, scale), (inner, narrow) = law, other
        if center.head != _MULTIPLY:
            return None
        for place, known in enumerate(center.arguments):
            laws = center.arguments[1 - place], self.terms.make(_DIVIDE, scale, known)
            if self.logic.all_equal(laws, (inner, narrow), facts) and self.logic.holds(
                self._positive(known), facts
            ):
                return _MULTIPLY, 1 - place, known
        return None

    def _size(self, law: tuple[Term, ...], other: tuple[Term, ...], facts: Facts) -> Factors | None:
        """Positive factors f with which the laws are D(c, s) and D(f(c), f(s))."""
        found = self._factors(law[1], other[1], facts)
        equal = self.logic.all_equal
        return next((f for f in found if equal(other[:1], (self._times(law[0], f),), facts)), None)

    def _distance(self, law: tuple[Term, ...], other: tuple[Term, ...], facts: Facts) -> Term | None:
        """The term d with which the laws are D(c, s) and D(d + c, s); c or d + c may be written as 0."""
        (center, scale), (moved, same) = law, other
        if not self.logic.equal(scale, same, facts):
            return None
        if isinstance(center.head, ir.Constant) and center.head.value == 0:
            return moved
        if isinstance(moved.head, ir.Constant) and moved.head.value == 0:
            return self.terms.apply((ir.Operator.NEGATE, moved.head.sort), (center,))
        if moved.head in (_ADD_INT, _ADD_REAL) and center in moved.arguments:
            return moved.arguments[1 - moved.arguments.index(center)]
        return None

    def _factors(self, value: Term, multiple: Term, facts: Facts) -> Iterator[Factors]:
        """Give the ways to make a term from a value by factors and divisors that are known to be positive."""
        if multiple is value:
            yield ()
        if value.head == ir.Constant(1, ir.Sort.REAL) and self.logic.holds(self._positive(multiple), facts):
            yield ((_MULTIPLY, 0, multiple),)
        if multiple.head in (_MULTIPLY, _DIVIDE):
            first, second = multiple.arguments
            places = ((0, first, second), (1, second, first))[: 2 if multiple.head == _MULTIPLY else 1]
            for place, inner, factor in places:
                if self.logic.holds(self._positive(factor), facts):
                    for found in self._factors(value, inner, facts):
                        yield (*found, (multiple.head, place, factor))

    def _times(self, term: Term, factors: Factors) -> Term:
        """The multiple of a term; 0 stays as it is."""
        if term.head == ir.Constant(0, ir.Sort.REAL):
            return term
        for head, place, factor in factors:
            term = self.terms.apply(head, (term, factor) if place == 0 else (factor, term))
        return term

    def _positive(self, scale: Term) -> Term:
        zero = self.terms.make(ir.Constant(0, ir.Sort.REAL))
        return self.terms.apply((ir.Operator.LESS, ir.Sort.BOOL), (zero, scale))

    def _demand_scale(self, state: State, draw: ir.Draw) -> None:
        scale = self._term(draw.arguments[1], state.values[1])
        if not self.logic.holds(self._positive(scale), state.facts):
            raise Different(Code.SCALE_NOT_KNOWN(line=draw.span.line))

    def _demand(self, one: ir.Choose, other: ir.Choose, state: State) -> None:
        """What the first program asks of each index follows from what the second asks of it."""
        asked = tuple(demands_of(one, state.values[0], self.terms))
        met = (condition for condition, _ in demands_of(other, state.values[1], self.terms))
        facts = self.logic.assume(state.facts, *met)
        if facts is not None:
            self._settle(replace(state, facts=facts, owed=asked))

    def _settle(self, state: State) -> None:
        """Raises Different where an obligation of the first program is still owed."""
        for _, obligation in state.owing(state.owed, self.logic).owed:
            raise Different(Code.OBLIGATION_LOST(line=obligation.span.line, reason=obligation.reason))

    def _compare(self, one: ir.Return, other: ir.Return, state: State) -> None:
        """What the programs return."""
        first, second = state.values
        ones = [self._term(item, first) for item in one.values]
        others = [self._term(item, second) for item in other.values]
        lists = (
            [value_of(name, first) for name in one.lists],
            [value_of(name, second) for name in other.lists],
        )
        if not self.logic.all_equal(ones, others, state.facts) or not self.logic.all_equal(
            *lists, state.facts
        ):
            raise Different(Code.RESULTS_DIFFER(line=one.span.line))

    # --- loops ------------------------------------------------------------------------------------

    def _loops(self, state: State) -> list[State]:
        """Both loops, iteration by iteration, from any state in which names of one class have one value.

        At first these are the names with one value on entry, which flags have, if it is a constant; where an
        iteration does not keep that, classes are split, or their value is unknown, until it does.
        """
        self._settle(state)
        points = [self._point(state, side) for side in (0, 1)]
        (first, first_end), (second, second_end) = (point.following for point in points)
        changed = {
            (side, name)
            for side, point in enumerate(points)
            for name in _changed(point.statement) & state.values[side].keys()
        }
        classes: Names = {item: state.values[item[0]][item[1]] for item in changed}
        flags = {(side, name) for side, point in enumerate(points) for name in _flags(point.statement)}
        constants: dict[object, Term] = {
            item: item
            for name, item in classes.items()
            if name in flags and isinstance(item, Term) and isinstance(item.head, ir.Constant)
        }
        kept = {
            name: value for name, value in self._definitions(points[1]) if self._holds(name, value, state)
        }
        while True:
            known = {
                item: constants.get(item) or self.terms.fresh() for item in dict.fromkeys(classes.values())
            }
            heads = [dict(values) for values in state.values]
            for side, name in changed:
                del heads[side][name]
            for (side, name), item in classes.items():
                heads[side][name] = known[item]
            for name, value in kept.items():
                heads[1][name] = self._term(value, heads[1])
            begin = replace(state, places=(first, second), values=(heads[0], heads[1]), owed=())
            left, back = self.run(begin, (first_end, second_end))
            if back is None:
                return left
            self._settle(back)
            finer = {name: (known[classes[name]], term) for name, term in self._grouped(classes, back)}
            fixed: dict[object, Term] = {
                item: item[0]
                for name, item in finer.items()
                if classes[name] in constants and self.logic.equal(*item, back.facts)
            }
            still = {name: value for name, value in kept.items() if self._holds(name, value, back)}
            sizes = [len(finer), len(set(finer.values())), len(fixed)]
            if sizes == [len(classes), len(known), len(constants)] and still == kept:
                return left
            classes, constants, kept = dict(finer), fixed, still

    def _grouped(self, classes: Names, back: State) -> Iterator[tuple[tuple[int, str], Term]]:
        """Per name a term for its value; names of one class have one term only if their values are equal."""
        groups: dict[object, list[Term]] = {}
        for (side, name), item in classes.items():
            if name in back.values[side]:
                value, group = back.values[side][name], groups.setdefault(item, [])
                alike = next((term for term in group if self.logic.equal(term, value, back.facts)), None)
                if alike is None:
                    group.append(value)
                yield (side, name), alike or value

    def _definitions(self, loop: Point) -> Iterator[tuple[str, ir.Expression]]:
        """Variables that only the second program has, and that it sets to one expression wherever it does."""
        found: dict[str, list[ir.Expression | None]] = {}
        for item in ir.statements(loop.statement.body if isinstance(loop.statement, ir.Loop) else ()):
            if isinstance(item, ir.Assign | ir.Draw | ir.Choose) and item.target not in self.first.variables:
                found.setdefault(item.target, []).append(item.value if isinstance(item, ir.Assign) else None)
        for name, (value, *others) in found.items():
            if value is not None and all(other == value for other in others):
                if not any(
                    isinstance(part, ir.Variable) and part.name in found for part in ir.subexpressions(value)
                ):
                    yield name, value

    def _holds(self, name: str, value: ir.Expression, state: State) -> bool:
        """Whether a variable of the second program has the value of an expression."""
        values = state.values[1]
        if name not in values or not mentioned(value) <= values.keys():
            return False
        return self.logic.equal(values[name], self._term(value, values), state.facts)

    # --- shorthands -------------------------------------------------------------------------------

    def _point(self, state: State, side: int) -> Point:
        return self.flows[side].points[state.places[side]]

    def _term(self, expression: ir.Expression, values: Values) -> Term:
        return term_of(expression, values, self.terms)


def _changed(statement: object) -> set[str]:
    assert isinstance(statement, ir.Loop)
    changes = ir.Assign | ir.Draw | ir.Choose | ir.NewList | ir.Append
    return {item.target for item in ir.statements(statement.body) if isinstance(item, changes)}


def _flags(statement: object) -> set[str]:
    """Variables that a loop sets to constants only."""
    assert isinstance(statement, ir.Loop)
    sets = {
        id(item)
        for item in ir.statements(statement.body)
        if isinstance(item, ir.Assign) and isinstance(item.value, ir.Constant)
    }
    others = (item for item in ir.statements(statement.body) if id(item) not in sets)
    return assigned(statement.body) - {name for item in others if (name := target(item)) is not None}


_DIVIDE = (ir.Operator.DIVIDE, ir.Sort.REAL)
_MULTIPLY = (ir.Operator.MULTIPLY, ir.Sort.REAL)
_ADD_INT, _ADD_REAL = ((ir.Operator.ADD, sort) for sort in (ir.Sort.INT, ir.Sort.REAL))
