"""What a strategy may choose from: the guard predicates its guards look at, and the shifts of each site.

Both are read off the program: guards ask about events that the program has, shifts are made of the
sensitivities that the adjacency states and of differences of the program's own variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import takewhile

from synth.bounds.scales import Scales
from synth.prover.normal_form.known_names import known_before
from synth.prover.normal_form.relative_noise import relative_draws
from synth.prover.product.strategy import GuardPredicate, Shift
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, Body, expressions, names, target
from synth.trusted.program.substitution import replaced
from synth.trusted.program.symbols import Event, Kind, Upward

MAX_CONSTANTS = 4

Cause = tuple[Event, ir.Span | None]
"""An event, and of appends the place in the program: each appends its own values."""


def _is_zero(bound: ir.Expression) -> bool:
    return isinstance(bound, ir.Constant) and bound.value == 0


def has_order(parameter: ir.Parameter) -> bool:
    """Whether one run has the larger entry, which of them being open."""
    return parameter.metric is not None and parameter.metric.kind is ir.MetricKind.CHANGE_ONE


class _Noise(Exception):
    """An output that carries noise or private data: no guard can ask for its value."""


@dataclass(frozen=True)
class Place:
    """Where a statement stands: its number in program order and the loops around it."""

    number: int
    loops: tuple[int, ...]


def _places(body: Body, loops: tuple[int, ...], found: dict[int, Place]) -> None:
    for statement in body:
        found[id(statement)] = Place(len(found), loops)
        inner = (*loops, statement.loop) if isinstance(statement, ir.Loop) else loops
        for part in ir.blocks(statement):
            _places(part, inner, found)


@dataclass(frozen=True)
class Choices:
    """The search space of one mechanism, once the published branches are fixed.

    Where it isn't ``guarded``, no coupling may depend on what is published.  If it is ``directed``, one may
    depend on whether the entry that changes grows.
    """

    mechanism: ir.Mechanism
    analysis: Analysis
    observable_branches: frozenset[int]
    guarded: bool = True
    directed: bool = False

    @cached_property
    def places(self) -> dict[int, Place]:
        found: dict[int, Place] = {}
        _places(self.mechanism.body, (), found)
        return found

    @cached_property
    def tainted(self) -> frozenset[str]:
        return self.analysis.tainted(self.observable_branches)

    # --- guards -----------------------------------------------------------------------------

    @cached_property
    def predicates(self) -> dict[int, tuple[GuardPredicate, ...]]:
        """Per sampling site, what its guard looks at."""
        sites = self.analysis.sites
        if not self.guarded or any(draw.distribution == "gaussian" for draw in sites.values()):
            return dict.fromkeys(sites, ())  # a delta is lost once, whatever the output: no guards
        return {
            site: tuple(self._predicates(draw)) if isinstance(draw, ir.Draw) else ()
            for site, draw in sites.items()
        }

    def _predicates(self, draw: ir.Draw) -> Iterator[GuardPredicate]:
        here = self.places[id(draw)]
        carried = self._redrawn(draw, here)
        influenced = self._influenced(draw)
        seen: set[GuardPredicate] = set()
        for statement in ir.statements(self.mechanism.body):
            there = self.places[id(statement)]
            for predicate in self._event_predicates(statement, draw, here, there, carried):
                if predicate not in seen and self._matters(statement, predicate, influenced):
                    seen.add(predicate)
                    yield predicate
        for parameter in self.mechanism.parameters:
            if parameter.metric is not None and (
                parameter.metric.monotone or (self.directed and has_order(parameter))
            ):
                yield GuardPredicate(Upward(parameter.name))

    def _redrawn(self, draw: ir.Draw, here: Place) -> bool:
        """Whether the draw serves later iterations, and does not just add to what it draws into."""
        if not here.loops or draw.target in names(draw.arguments[0]):
            return False
        return draw.target in self.analysis.live_at_loop[here.loops[-1]]

    @cached_property
    def influence(self) -> dict[int, frozenset[Cause]]:
        """Per sampling site, the events whose values the draw may change; appends by their places."""
        found = {}
        for site, draw in self.analysis.sites.items():
            touched = self._influenced(draw)
            events: set[Cause] = set()
            for statement in ir.statements(self.mechanism.body):
                match statement:
                    case ir.If(branch=number, condition=condition) if names(condition) & touched:
                        events.add((Event(Kind.BRANCH, str(number)), None))
                    case ir.Append(target=name, values=values, span=span):
                        events |= {
                            (Event(Kind.APPEND, name, place), span)
                            for place, value in enumerate(values)
                            if names(value) & touched
                        }
                    case ir.Return(values=values):
                        events |= {
                            (Event(Kind.RETURN, "", place), None)
                            for place, value in enumerate(values)
                            if names(value) & touched
                        }
            found[site] = frozenset(events)
        return found

    def _influenced(self, draw: ir.Draw | ir.Choose) -> frozenset[str]:
        """Variables whose values the draw may change, through data or branches."""
        found = {draw.target}
        while True:
            before = len(found)
            self._spread(self.mechanism.body, False, found)
            if len(found) == before:
                return frozenset(found)

    def _spread(self, body: Body, under: bool, found: set[str]) -> None:
        for statement in body:
            name = target(statement)
            touched = under or any(names(item) & found for item in expressions(statement))
            if touched and name is not None:
                found.add(name)
                if isinstance(statement, ir.Append):
                    found.add(statement.target)
            for inner in ir.blocks(statement):
                self._spread(inner, touched, found)

    def _matters(
        self, statement: ir.Statement, predicate: GuardPredicate, influenced: frozenset[str]
    ) -> bool:
        """Whether the draw has a say in the event; guards on other events are no use to it."""
        match statement:
            case ir.Append(values=values) | ir.Return(values=values):
                assert isinstance(predicate.event, Event)
                return bool(names(values[predicate.event.component]) & influenced)
            case ir.If(condition=condition) if self.analysis.is_tainted(condition, self.tainted):
                return bool(names(condition) & influenced)
            case _:
                return True

    def _event_predicates(
        self, statement: ir.Statement, draw: ir.Draw, here: Place, there: Place, carried: bool
    ) -> Iterator[GuardPredicate]:
        later = there.number > here.number
        carried = carried and (later or not self._under_tainted(statement))
        ahead = there.loops == here.loops and (later or carried)
        enters = later and there.loops[:-1] == here.loops
        match statement:
            case ir.If(branch=number, condition=condition) if number in self.observable_branches:
                tainted = self.analysis.is_tainted(condition, self.tainted)
                compares = tainted and draw.target in names(condition)
                asked = later or compares if tainted else carried or self._decides(statement)
                if (ahead and asked) or (enters and compares and self._is_drawn_again(draw, there)):
                    yield GuardPredicate(Event(Kind.BRANCH, str(number)))
            case ir.Append(target=name, values=values) if name in self.analysis.returned_lists:
                yield from self._value_predicates(
                    Kind.APPEND, name, values, draw, here=here, there=there, later=later
                )
            case ir.Return(values=values):
                yield from self._value_predicates(
                    Kind.RETURN, "", values, draw, here=here, there=there, later=later
                )

    def _is_drawn_again(self, draw: ir.Draw, there: Place) -> bool:
        """Whether what is drawn enters the loop there, and is replaced by another draw."""
        enters = draw.target in self.analysis.live_at_loop[there.loops[-1]]
        return enters and any(
            item is not draw and item.target == draw.target for item in self.analysis.sites.values()
        )

    def _under_tainted(self, statement: ir.Statement) -> bool:
        """Whether a tainted branch decides if the statement is reached in an iteration."""
        return any(
            item is statement
            for branch in self.analysis.branches.values()
            if branch is not statement and self.analysis.is_tainted(branch.condition, self.tainted)
            for item in ir.statements((*branch.then, *branch.otherwise))
        )

    def _decides(self, branch: ir.If) -> bool:
        """Whether a public branch says which tainted branch comes next."""
        return any(
            isinstance(item, ir.If) and self.analysis.is_tainted(item.condition, self.tainted)
            for item in ir.statements((*branch.then, *branch.otherwise))
        )

    def _value_predicates(
        self,
        kind: Kind,
        source: str,
        values: tuple[ir.Expression, ...],
        draw: ir.Draw,
        *,
        here: Place,
        there: Place,
        later: bool,
    ) -> Iterator[GuardPredicate]:
        if here.loops[: len(there.loops)] != there.loops or (not later and kind is Kind.APPEND):
            return
        for component, value in enumerate(values):
            if not self.analysis.is_tainted(value, self.tainted):
                continue
            event = Event(kind, source, component)
            if value.sort is ir.Sort.BOOL:
                yield GuardPredicate(event)
            elif value.sort is ir.Sort.INT:
                for expression in self._comparands(value, draw, here):
                    yield GuardPredicate(event, expression)

    def _comparands(self, value: ir.Expression, draw: ir.Draw, here: Place) -> list[ir.Expression]:
        """The public values that an integer output takes, as far as they are known at the draw."""
        try:
            flowing = list(dict.fromkeys(self._flow(value, set(), draw)))
        except _Noise:
            return []
        varying = [
            item
            for item in flowing
            if here.loops
            and names(item) & self._assigned_in(here.loops[-1])
            and names(item) <= known_before(self.mechanism, draw)
        ]
        if varying:
            return varying
        constants = [item for item in flowing if isinstance(item, ir.Constant)]
        found: list[ir.Expression] = list(constants) if len(constants) <= MAX_CONSTANTS else []
        if here.loops and self.is_collected(draw):
            found += self._counters(here.loops[-1])
        return found

    def is_collected(self, draw: ir.Draw | ir.Choose) -> bool:
        """Whether the draw goes into a local list, which is looked through later."""
        touched = self._influenced(draw)
        return any(
            isinstance(item, ir.Append)
            and item.target not in self.analysis.returned_lists
            and any(names(value) & touched for value in item.values)
            for item in ir.statements(self.mechanism.body)
        )

    def _counters(self, number: int) -> list[ir.Expression]:
        """What counts the iterations of a loop, for outputs that are indices into what it draws."""
        for statement in ir.statements(self.mechanism.body):
            if isinstance(statement, ir.Loop) and statement.loop == number and statement.counter:
                return [ir.Variable(statement.counter, ir.Sort.INT)]
        sorts = self.mechanism.variables
        return [
            ir.Variable(name, ir.Sort.INT)
            for name in sorted(self._assigned_in(number))
            if sorts[name] is ir.Sort.INT
        ]

    def _flow(self, value: ir.Expression, visited: set[str], draw: ir.Draw) -> Iterator[ir.Expression]:
        """Public expressions that may become ``value``.  Raises _Noise if others may."""
        if not self.analysis.is_tainted(value, self.tainted):
            if not any(isinstance(part, ir.Length) for part in ir.subexpressions(value)):
                yield value
            return
        match value:
            case ir.Variable(name=name) if name in visited:
                return
            case ir.Variable(name=name):
                sources = self._sources(name, draw)
                for source in sources:
                    yield from self._flow(source, visited | {name}, draw)
            case ir.Operation(operator=ir.Operator.IF, operands=(_, *sources)):
                for source in sources:
                    yield from self._flow(source, visited, draw)
            case ir.Operation(operator=ir.Operator.MINIMUM | ir.Operator.MAXIMUM, operands=sources):
                for source in sources:
                    yield from self._flow(source, visited, draw)
            case ir.Operation(operands=operands):
                bad = [self.analysis.is_tainted(item, self.tainted) for item in operands]
                if sum(bad) != 1:
                    raise _Noise
                place = bad.index(True)
                for inner in self._flow(operands[place], visited, draw):
                    yield replace(value, operands=(*operands[:place], inner, *operands[place + 1 :]))
            case _:
                raise _Noise

    def _sources(self, name: str, draw: ir.Draw) -> list[ir.Expression]:
        """What is assigned to a variable, in terms of the values at the draw where counters move in between.

        Raises _Noise for a draw or a private parameter.
        """
        found = []
        for item in ir.statements(self.mechanism.body):
            if isinstance(item, ir.Draw | ir.Choose) and item.target == name:
                raise _Noise
            if isinstance(item, ir.Assign) and item.target == name:
                found.append(self._as_at(draw, item))
        if not found:
            raise _Noise
        return found

    def _as_at(self, draw: ir.Draw, later: ir.Assign) -> ir.Expression:
        """The value of a later assignment, over the variables as they are at the draw."""
        value = later.value
        following = next((body[body.index(draw) + 1 :] for body in self._bodies if draw in body), ())
        between = list(takewhile(lambda item: later not in ir.statements((item,)), following))
        if len(between) == len(following):
            return value
        for item in reversed(between):
            if isinstance(item, ir.Assign) and item.target not in self.tainted:
                value = replaced(value, {item.target: item.value})
        return value

    @cached_property
    def _bodies(self) -> list[Body]:
        """All statement lists of the program."""
        nested = [part for item in ir.statements(self.mechanism.body) for part in ir.blocks(item)]
        return [self.mechanism.body, *nested]

    def _assigned_in(self, loop: int) -> set[str]:
        for statement in ir.statements(self.mechanism.body):
            if isinstance(statement, ir.Loop) and statement.loop == loop:
                return {
                    item.target
                    for item in ir.statements(statement.body)
                    if isinstance(item, ir.Assign) and item.target not in self.tainted
                }
        return set()

    # --- shifts -----------------------------------------------------------------------------

    @cached_property
    def units(self) -> tuple[ir.Expression, ...]:
        """The sensitivities of the adjacency, but 0; 1 where it states none.

        Where one entry changes, by any distance or by a number, also what values are clipped to if noise is
        calibrated to that; instead of numbers, if all noise is.  1, too, where data are divided by what they
        may differ by.
        """
        one = ir.Constant(Fraction(1), ir.Sort.REAL)
        metrics = [item.metric for item in self.mechanism.parameters if item.metric is not None]
        stated = dict.fromkeys(one if item.bound is None else item.bound for item in metrics)
        found = [item for item in stated if not _is_zero(item)] or [one]
        numbers = all(isinstance(item, ir.Constant) for item in found)
        if numbers and any(map(has_order, self.mechanism.parameters)):
            clipped = list(self._clipped_to)
            widths = dict.fromkeys(item for some in clipped for item in some)
            found = [*widths, *([] if clipped and all(clipped) else found)]
        if relative_draws(self.mechanism) and one not in found:
            found.append(one)
        return tuple(found)

    @property
    def _clipped_to(self) -> Iterator[list[ir.Expression]]:
        """Per draw of noise, the widths that values are clipped to and that it is calibrated to."""
        scales = Scales(self.mechanism)
        widths = set(scales.widths())
        for draw in self.analysis.sites.values():
            if isinstance(draw, ir.Draw):
                yield [item for item in scales.calibrated_to(draw) if item in widths]

    def candidate_shifts(self, site: int, *, wide: bool) -> list[Shift]:
        """The couplings to try at a site, simple and cheap ones first; ``wide`` adds the rare ones.

        Differences of variables matter mostly where the noise is drawn around something public and
        private data are added later.
        """
        draw = self.analysis.sites[site]
        if isinstance(draw, ir.Choose):
            return [Shift(null=True)]
        private = self.analysis.is_tainted(draw.arguments[0], self.tainted)
        if self._is_released(draw):
            return [Shift() if private else Shift(null=True)]
        shifts = list(self._shifts(draw.sort))
        partners = self._partners(draw)
        found = [Shift(null=True)]
        if private:
            found.append(Shift())
        found += [Shift(units=shift) for shift in shifts]
        if private:
            found += [Shift(null=True, units=shift) for shift in (shifts if wide else shifts[:2])]
        if wide or not private:
            found += [Shift(differences=(difference,)) for difference in partners]
        found += [Shift(changes=((sign, name),)) for name in self._changing(draw) for sign in (1, -1)]
        if wide:
            found += [
                Shift(differences=(difference,), units=shift)
                for difference in partners
                for shift in shifts[:4]
            ]
        return found

    def _is_released(self, draw: ir.Draw) -> bool:
        """Whether what is drawn is published as it is, wherever it is drawn: then it has to be the same."""
        following = next((body[body.index(draw) + 1 :] for body in self._bodies if draw in body), ())
        for statement in following:
            match statement:
                case ir.Append(target=name, values=values) if name in self.analysis.returned_lists:
                    if ir.Variable(draw.target, draw.sort) in values:
                        return True
                case ir.Return(values=values):
                    return ir.Variable(draw.target, draw.sort) in values
                case ir.Assign() | ir.Draw() | ir.Choose() | ir.NewList() | ir.Append() | ir.Obligation():
                    if target(statement) == draw.target:
                        return False
                case _:
                    return False
        return False

    def _changing(self, draw: ir.Draw) -> list[str]:
        """Sequences of which one entry differs, by an amount that fits the draw's sort."""
        return [
            item.name
            for item in self.mechanism.parameters
            if item.metric is not None
            and item.metric.kind is ir.MetricKind.CHANGE_ONE
            and item.sort in (draw.sort, ir.Sort.INT)
        ]

    def _shifts(self, sort: ir.Sort) -> Iterator[tuple[tuple[Fraction, ir.Expression], ...]]:
        units = [unit for item in self.units if (unit := _unit_of_sort(item, sort)) is not None]
        for factor in (1, 2):
            for unit in units:
                yield ((Fraction(factor), unit),)
                yield ((Fraction(-factor), unit),)
        for place, first in enumerate(units):
            for second in units[place + 1 :]:
                yield ((Fraction(1), first), (Fraction(1), second))

    def _partners(self, draw: ir.Draw) -> list[tuple[int, ir.Expression]]:
        """What differs between the runs and meets the drawn value in a sum or comparison.

        Variables count positively (the draw follows them), entries that are read only later
        with both signs (the draw makes up for them).
        """
        derived = {draw.target}
        found: dict[ir.Expression, None] = {}
        for statement in ir.statements(self.mechanism.body):
            for expression in expressions(statement):
                if statement is draw:
                    found.update(dict.fromkeys(_leaves(expression, ir.Variable)))
                    continue
                for atom in _atoms(expression):
                    if _variables(atom) & derived:
                        found.update(dict.fromkeys(_leaves(atom, (ir.Variable, ir.Read))))
                        if isinstance(statement, ir.Assign):
                            derived.add(statement.target)
        known = known_before(self.mechanism, draw)
        fitting = [
            item
            for item in found
            if (item.sort is draw.sort or (item.sort is ir.Sort.INT and draw.sort is ir.Sort.REAL))
            and names(item) <= known
            and item != ir.Variable(draw.target, draw.sort)
            and self.analysis.is_tainted(item, self.tainted)
        ]
        signs = {ir.Variable: (1, -1), ir.Read: (-1, 1)}
        return [(sign, builders.convert(item, draw.sort)) for item in fitting for sign in signs[type(item)]]


def _leaves(
    expression: ir.Expression, kinds: type[ir.Expression] | tuple[type[ir.Expression], ...]
) -> list[ir.Expression]:
    return [part for part in ir.subexpressions(expression) if isinstance(part, kinds)]


def _atoms(expression: ir.Expression) -> Iterator[ir.Expression]:
    """The comparisons and sums that an expression is made of."""
    if isinstance(expression, ir.Operation) and expression.operator in (
        ir.Operator.AND,
        ir.Operator.OR,
        ir.Operator.NOT,
        ir.Operator.IF,
    ):
        for operand in expression.operands:
            yield from _atoms(operand)
    else:
        yield expression


def _variables(expression: ir.Expression) -> set[str]:
    return {part.name for part in ir.subexpressions(expression) if isinstance(part, ir.Variable)}


def _unit_of_sort(unit: ir.Expression, sort: ir.Sort) -> ir.Expression | None:
    """The unit as an expression of the draw's sort; None where integers can't express it."""
    if sort is ir.Sort.REAL:
        return unit
    match unit:
        case ir.Operation(operator=ir.Operator.TO_REAL, operands=(inner,)):
            return inner
        case ir.Constant(value=value) if Fraction(value).denominator == 1:
            return ir.Constant(int(value), ir.Sort.INT)
        case _:
            return None


def observable_families(analysis: Analysis) -> Iterable[frozenset[int]]:
    """Sets of branches to publish: always those that steer draws or control; of the others all, none, or one.

    A branch inside an unpublished pure one stays unpublished.
    """
    control_relevant = frozenset(analysis.branches) - analysis.quiet_branches
    pure = sorted(analysis.quiet_branches)
    outer = [number for number in pure if not _nested_in_pure(analysis, number)]
    families = [control_relevant | frozenset(pure), control_relevant]
    if 1 < len(outer) <= 3:
        for number in outer:
            inside = {number} | {
                item.branch for item in ir.statements((analysis.branches[number],)) if isinstance(item, ir.If)
            }
            families.append(control_relevant | inside)
    return list(dict.fromkeys(families))


def _nested_in_pure(analysis: Analysis, number: int) -> bool:
    return any(
        isinstance(item, ir.If) and item.branch == number
        for other in analysis.quiet_branches
        if other != number
        for part in ir.blocks(analysis.branches[other])
        for item in ir.statements(part)
    )
