"""Facts read off a program's text: what is assigned, what is live at a loop, what stays quiet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from synth.trusted.program import syntax as ir

Body = tuple[ir.Statement, ...]

Live = frozenset[str]
"""Variables, and lengths of lists, that may still be read before they are assigned."""

Some = TypeVar("Some", bound=ir.Statement)

NO_EXITS: Mapping[str, Live] = {}


def length_name(sequence: str) -> str:
    """The name under which the length of a local list is kept."""
    return f"{sequence}#len"


def expressions(statement: ir.Statement) -> tuple[ir.Expression, ...]:
    """The expressions that a statement itself evaluates (nested statements left out)."""
    match statement:
        case ir.Assign(value=value):
            return (value,)
        case ir.Draw(arguments=arguments):
            return arguments
        case ir.Choose(law=ir.Chances(outcomes=outcomes)):
            return tuple(item for outcome in outcomes for item in outcome)
        case ir.Choose(law=ir.Weights(count=count, score=score, rate=rate, demands=demands)):
            return (count, score, rate, *(item.condition for item in demands))
        case ir.Append(values=values) | ir.Return(values=values):
            return values
        case ir.If(condition=condition) | ir.Obligation(condition=condition) | ir.Assume(condition=condition):
            return (condition,)
        case _:
            return ()


def with_expressions(choice: ir.Choose, change: Callable[[ir.Expression], ir.Expression]) -> ir.Choose:
    """The same choice, with each of its expressions changed."""
    match choice.law:
        case ir.Chances(outcomes=outcomes):
            return replace(
                choice, law=ir.Chances(tuple((change(one), change(other)) for one, other in outcomes))
            )
        case ir.Weights(count=count, score=score, rate=rate, demands=demands):
            wanted = tuple(replace(item, condition=change(item.condition)) for item in demands)
            return replace(choice, law=ir.Weights(change(count), change(score), change(rate), wanted))


def changed(
    statement: ir.Statement, change: Callable[[ir.Expression], ir.Expression], inside: Callable[[Body], Body]
) -> ir.Statement:
    """The same statement, with each of its own expressions changed, and the bodies inside of it."""
    match statement:
        case ir.Assign(value=value):
            return replace(statement, value=change(value))
        case ir.Draw(arguments=arguments):
            return replace(statement, arguments=tuple(map(change, arguments)))
        case ir.Choose():
            return with_expressions(statement, change)
        case ir.Append(values=values) | ir.Return(values=values):
            return replace(statement, values=tuple(map(change, values)))
        case ir.Obligation(condition=condition) | ir.Assume(condition=condition):
            return replace(statement, condition=change(condition))
        case ir.If(condition=condition):
            return with_blocks(replace(statement, condition=change(condition)), inside)
        case ir.Loop(count=count):
            return with_blocks(replace(statement, count=None if count is None else change(count)), inside)
        case _:
            return with_blocks(statement, inside)


def with_blocks(statement: Some, change: Callable[[Body], Body]) -> Some:
    """The same statement, with each body directly inside of it changed."""
    match statement:
        case ir.If(then=then, otherwise=otherwise):
            return replace(statement, then=change(then), otherwise=change(otherwise))
        case ir.Block(body=body) | ir.Loop(body=body):
            return replace(statement, body=change(body))
        case _:
            return statement


def names(expression: ir.Expression) -> set[str]:
    """Variables, and lengths of lists or sequences, that an expression mentions."""
    found = set()
    for part in ir.subexpressions(expression):
        match part:
            case ir.Variable(name=name):
                found.add(name)
            case ir.Length(sequence=sequence):
                found.add(length_name(sequence))
            case ir.Element(source=source):
                found |= {source, length_name(source)}
    return found


def mentioned(expression: ir.Expression) -> set[str]:
    """Variables, lists and sequences that an expression mentions, but for inputs whose entries it reads."""
    found = set()
    for part in ir.subexpressions(expression):
        match part:
            case ir.Variable(name=name) | ir.Length(sequence=name) | ir.Element(source=name):
                found.add(name)
    return found


def is_made_of(expression: ir.Expression, known: Collection[str]) -> bool:
    """Whether an expression mentions those variables and lengths only, and reads no entry."""
    reads = any(isinstance(part, ir.Read) for part in ir.subexpressions(expression))
    return not reads and names(expression) <= set(known)


def target(statement: ir.Statement) -> str | None:
    """The scalar (or length) that a statement assigns."""
    match statement:
        case ir.Assign(target=name) | ir.Draw(target=name) | ir.Choose(target=name):
            return name
        case ir.NewList(target=name) | ir.Append(target=name):
            return length_name(name)
        case _:
            return None


def assigned(body: Iterable[ir.Statement]) -> set[str]:
    """All that a body assigns, nested statements included."""
    return {name for inner in ir.statements(tuple(body)) if (name := target(inner)) is not None}


def declared_names(mechanism: ir.Mechanism) -> frozenset[str]:
    """Parameters, variables and lists of a program."""
    return frozenset((*(item.name for item in mechanism.parameters), *mechanism.variables, *mechanism.lists))


def names_in_use(mechanism: ir.Mechanism) -> frozenset[str]:
    """These, and the outcomes of draws: what nothing new may be called."""
    draws = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose))
    return declared_names(mechanism) | {item.index for item in draws}


def returned_lists(mechanism: ir.Mechanism) -> frozenset[str]:
    """Local lists that are part of the output."""
    returns = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Return))
    return frozenset(name for item in returns for name in item.lists)


def without_obligations(body: Body) -> Body:
    """The body without its obligations, for a run that is known to meet them."""
    result: list[ir.Statement] = []
    for statement in body:
        match statement:
            case ir.Obligation():
                continue
            case ir.If(then=then, otherwise=otherwise):
                parts = without_obligations(then), without_obligations(otherwise)
                result.append(replace(statement, then=parts[0], otherwise=parts[1]))
            case ir.Block(body=inner) | ir.Loop(body=inner):
                result.append(replace(statement, body=without_obligations(inner)))
            case _:
                result.append(statement)
    return tuple(result)


def exited(body: Body) -> set[str]:
    """The labels of blocks around a body that its exits leave."""
    inside = {item.label for item in ir.statements(body) if isinstance(item, ir.Block)}
    return {item.label for item in ir.statements(body) if isinstance(item, ir.Exit)} - inside


def is_pure(body: Body) -> bool:
    """Whether a body only computes: no draw, loop, list, return, nor exit from outside it."""
    more = ir.Draw | ir.Choose | ir.Loop | ir.Append | ir.NewList | ir.Return | ir.Assume
    return not any(isinstance(inner, more) for inner in ir.statements(body)) and not exited(body)


@dataclass(frozen=True)
class Analysis:
    """Liveness and structure of one mechanism; ``obligations`` are those that count as reads.

    ``asked`` gives variables that count as read at a sampling site, since couplings speak of them there.
    A list in ``kept`` is live under its name until it is returned.
    """

    mechanism: ir.Mechanism
    obligations: tuple[ir.Obligation, ...] = ()
    asked: Mapping[int, frozenset[str]] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()

    @cached_property
    def live_at_merges(self) -> dict[int, Live]:
        """What may be read behind a branch or a block, and at the head of a loop, by ids of statements."""
        found: dict[int, Live] = {}
        self._live(self.mechanism.body, frozenset(), {}, found)
        return found

    @cached_property
    def live_at_loop(self) -> dict[int, Live]:
        """Per loop, what may still be read once control is at its head."""
        loops = (item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Loop))
        return {item.loop: self.live_at_merges[id(item)] for item in loops}

    def live_before(
        self, body: Body, after: Live = frozenset(), exits: Mapping[str, Live] = NO_EXITS
    ) -> Live:
        """Variables, and lengths of lists, that may be read before that body assigns them.

        ``after`` are those that may be read behind it, ``exits`` those where exits of a label lead; left out,
        the body is the end of the program.
        """
        return self._live(body, after, dict(exits), {})

    def _live(self, body: Body, after: Live, exits: dict[str, Live], found: dict[int, Live]) -> Live:
        live = after
        for statement in reversed(body):
            live = self._live_before(statement, live, exits, found)
        return live

    def _live_before(
        self, statement: ir.Statement, after: Live, exits: dict[str, Live], found: dict[int, Live]
    ) -> Live:
        used: set[str] = set()
        for expression in expressions(statement):
            used |= names(expression)
        match statement:
            case ir.Return(lists=lists):
                return frozenset(used) | {length_name(name) for name in lists} | (self.kept & set(lists))
            case ir.Exit(label=label):
                return exits[label]
            case ir.Obligation():
                return after | used if statement in self.obligations else after
            case ir.NewList(target=name):
                return after - {length_name(name), name}
            case ir.Append(target=name):
                return after | used | {length_name(name)}
            case ir.If(then=then, otherwise=otherwise):
                found[id(statement)] = after
                return (
                    self._live(then, after, exits, found) | self._live(otherwise, after, exits, found) | used
                )
            case ir.Block(label=label, body=body):
                found[id(statement)] = after
                return self._live(body, after, {**exits, label: after}, found)
            case ir.Loop(body=body):
                head = found.get(id(statement), frozenset())
                while True:
                    grown = head | self._live(body, head, exits, found)
                    found[id(statement)] = grown
                    if grown == head:
                        return head
                    head = grown
            case _:
                if isinstance(statement, ir.Choose):
                    used.discard(statement.index)
                if isinstance(statement, ir.Draw | ir.Choose):
                    used |= self.asked.get(statement.site, frozenset())
                written = target(statement)
                return (after - {written} if written else after) | used

    @cached_property
    def site_loops(self) -> dict[int, tuple[int, ...]]:
        """Per sampling site, the loops around it, outermost first."""
        found: dict[int, tuple[int, ...]] = {}
        _enclosing(self.mechanism.body, (), found)
        return found

    @cached_property
    def branches(self) -> dict[int, ir.If]:
        """All branches by number."""
        return {item.branch: item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.If)}

    @cached_property
    def sites(self) -> dict[int, ir.Draw | ir.Choose]:
        """All sampling sites by number."""
        found = ir.statements(self.mechanism.body)
        return {item.site: item for item in found if isinstance(item, ir.Draw | ir.Choose)}

    @cached_property
    def quiet_branches(self) -> frozenset[int]:
        """Branches that only compute: the two runs may part there and meet again."""
        return frozenset(
            number
            for number, branch in self.branches.items()
            if is_pure(branch.then) and is_pure(branch.otherwise)
        )

    @cached_property
    def returned_lists(self) -> frozenset[str]:
        """Local lists that are part of the output."""
        return returned_lists(self.mechanism)

    def tainted(self, published: frozenset[int]) -> frozenset[str]:
        """Variables that may differ between the runs, once the branches ``published`` agree."""
        found = set(private_parameters(self.mechanism))
        while True:
            before = len(found)
            self._taint(self.mechanism.body, published, False, found)
            if len(found) == before:
                return frozenset(found)

    def _taint(self, body: Body, published: frozenset[int], under: bool, found: set[str]) -> None:
        for statement in body:
            name = target(statement)
            spoiled = under or any(self.is_tainted(item, found) for item in expressions(statement))
            if name is not None and (isinstance(statement, ir.Draw | ir.Choose) or spoiled):
                if isinstance(statement, ir.Append):
                    if statement.target not in self.returned_lists:
                        found.add(statement.target)
                else:
                    found.add(name)
            parted = isinstance(statement, ir.If) and statement.branch in self.quiet_branches
            for inner in ir.blocks(statement):
                self._taint(
                    inner,
                    published,
                    under or (parted and spoiled and statement.branch not in published),  # type: ignore[union-attr]
                    found,
                )

    def is_tainted(self, expression: ir.Expression, tainted: Iterable[str]) -> bool:
        """Whether an expression may differ between the runs."""
        bad = set(tainted)
        return any(
            (isinstance(part, ir.Read) and part.source in bad)
            or (
                isinstance(part, (ir.Variable, ir.Element))
                and (part.name if isinstance(part, ir.Variable) else part.source) in bad
            )
            for part in ir.subexpressions(expression)
        )


def _enclosing(body: Body, loops: tuple[int, ...], found: dict[int, tuple[int, ...]]) -> None:
    for statement in body:
        if isinstance(statement, ir.Draw | ir.Choose):
            found[statement.site] = loops
        inner_loops = (*loops, statement.loop) if isinstance(statement, ir.Loop) else loops
        for inner in ir.blocks(statement):
            _enclosing(inner, inner_loops, found)


def private_parameters(mechanism: ir.Mechanism) -> frozenset[str]:
    """The parameters that may differ between the runs."""
    return frozenset(item.name for item in mechanism.parameters if item.metric is not None)


def public_parameters(mechanism: ir.Mechanism) -> frozenset[str]:
    """Public scalar parameters, and the lengths of all sequences."""
    lengths = (length_name(i.name) for i in mechanism.parameters if i.kind is ir.ParameterKind.SEQUENCE)
    scalars = (i for i in mechanism.parameters if i.kind is ir.ParameterKind.SCALAR)
    return frozenset((*lengths, *(item.name for item in scalars if item.metric is None)))
