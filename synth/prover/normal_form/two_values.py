"""A number that coins choose between two constants is a truth value, and then one of the two numbers.

``y = 0.0`` and then ``if c: y = 1.0``, with coins among the conditions, is ``b = False``, then
``if c: b = True``, and then ``y = 1.0 if b else 0.0``.  So the coins can become one coin.  So it is with
a real number that is computed at once: ``1.0 - y if c else y``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import count

from synth.trusted.normal_form.decision_trees import Fork, Intractable, Leaf, Tree, combined, fork, leaves
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, changed, expressions, names, with_blocks


def two_valued(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with truth values in place of such numbers."""
    finder = _Finder(mechanism)
    body = finder.body(mechanism.body)
    return replace(mechanism, body=body, variables={**mechanism.variables, **finder.variables})


@dataclass
class _Finder:
    mechanism: ir.Mechanism
    variables: dict[str, ir.Sort] = field(default_factory=dict)
    numbers: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        everything = list(ir.statements(self.mechanism.body))
        self.drawn = {item.target for item in everything if isinstance(item, ir.Choose)}
        computed = [item for item in everything if isinstance(item, ir.Assign)]
        while more := {item.target for item in computed if names(item.value) & self.drawn} - self.drawn:
            self.drawn |= more

    def body(self, body: Body) -> Body:
        result: list[ir.Statement] = []
        rest = list(_obligations_first(body))
        coins = False
        while rest:
            used = 1
            match rest[:2]:
                case ir.Assign(value=ir.Constant()) as start, ir.If() as branch:
                    found = self._chosen(branch, coins, start)
                    used = 2 if found else 1
                case ir.If() as branch, *_:
                    found = self._chosen(branch, coins)
                case ir.Assign() | ir.Append() as statement, *_:
                    found = self._told(statement)
                case _:
                    found = ()
            result += found or (with_blocks(rest[0], self.body),)
            coins |= any(isinstance(item, ir.Choose) for item in ir.statements(tuple(rest[:used])))
            del rest[:used]
        return tuple(result)

    def _told(self, statement: ir.Assign | ir.Append) -> Body:
        """The statement with real numbers chosen by truth values that have names; empty if there are none."""
        flags: list[ir.Statement] = []

        def chosen(value: ir.Expression) -> ir.Expression:
            if value.sort is not ir.Sort.REAL or not names(value) & self.drawn:
                return value
            found = _constants(value)
            if len(found) != 2 or _is_told(value):
                return value
            flag = self._new()
            flags.append(ir.Assign(flag.name, _is_other(value, found[0]), statement.span))
            return builders.choose(flag, found[1], found[0])

        after = changed(statement, chosen, self.body)
        return (*flags, after) if flags else ()

    def _new(self) -> ir.Variable:
        flag = ir.Variable(f"is_other%new{next(self.numbers)}", ir.Sort.BOOL)
        self.variables[flag.name] = flag.sort
        return flag

    def _chosen(self, branch: ir.If, coins: bool, start: ir.Assign | None = None) -> Body:
        """The branch with a truth value in place of a number, and what sets both; empty if there is none."""
        inside = list(ir.statements((branch,)))
        if not all(map(_is_simple, inside)):
            return ()
        assigned = [item for item in inside if isinstance(item, ir.Assign)]
        name = start.target if start else next((item.target for item in assigned if _is_number(item)), "")
        chosen = [_constants(item.value) for item in (start, *assigned) if item and item.target == name]
        read = any(name in names(value) for item in inside for value in expressions(item))
        drawn = [item.target for item in inside if isinstance(item, ir.Choose)]
        values = [value for part in chosen for value in part]
        low, *others = dict.fromkeys(values) or (builders.TRUE,)
        if not (coins or drawn) or read or name in drawn or not (start or _always((branch,), name)):
            return ()
        if len(others) != 1 or not all(chosen):
            return ()
        if low.sort is ir.Sort.BOOL:
            return ()
        flag = self._new()

        def told(inner: Body) -> Body:
            return tuple(
                replace(item, target=flag.name, value=_is_other(item.value, low))
                if isinstance(item, ir.Assign) and item.target == name
                else with_blocks(item, told)
                for item in inner
            )

        value = builders.choose(flag, others[0], low)
        return (*told((start, branch) if start else (branch,)), ir.Assign(name, value, branch.span))


def _obligations_first(body: Body) -> Body:
    """The body with each number behind the obligations that follow it, if a branch with draws comes next."""
    for place, item in enumerate(body):
        behind = body[place + 1 :]
        end = next((n for n, other in enumerate(behind) if not isinstance(other, ir.Obligation)), len(behind))
        if isinstance(item, ir.Assign) and isinstance(item.value, ir.Constant) and 0 < end < len(behind):
            asked = (names(value) for other in behind[:end] for value in expressions(other))
            draws = any(isinstance(part, ir.Choose) for part in ir.statements(behind[end : end + 1]))
            if draws and isinstance(behind[end], ir.If) and not any(item.target in part for part in asked):
                return (*body[:place], *behind[:end], item, *_obligations_first(behind[end:]))
    return body


def _is_number(statement: ir.Assign) -> bool:
    return bool(_constants(statement.value)) and statement.value.sort is not ir.Sort.BOOL


def _constants(value: ir.Expression) -> tuple[ir.Constant, ...]:
    """The constants between which a value is chosen; none where it may be something else."""
    try:
        found = dict.fromkeys(leaf for _, leaf in leaves(_tree(value)))
    except Intractable:
        return ()
    return tuple(item for item in found if isinstance(item, ir.Constant))


def _tree(value: ir.Expression) -> Tree:
    """The constants between which a value is chosen, and how.  Raises Intractable for another value."""
    match value:
        case ir.Constant():
            return Leaf(value)
        case ir.Operation(ir.Operator.IF, (condition, then, otherwise)):
            return fork(condition, _tree(then), _tree(otherwise))
        case ir.Operation(ir.Operator.TO_REAL, (inner,)):
            return _by_entry(_tree(inner), lambda constant: builders.convert(constant, ir.Sort.REAL))
        case ir.Operation(ir.Operator.ABSOLUTE, (inner,)):
            return _by_entry(_tree(inner), builders.magnitude)
        case ir.Operation(operator, (first, *others)) if operator in _FOLDED:
            return reduce(
                partial(combined, partial(builders.arithmetic, operator)), map(_tree, others), _tree(first)
            )
        case _:
            raise Intractable


_FOLDED = (
    ir.Operator.ADD,
    ir.Operator.SUBTRACT,
    ir.Operator.MULTIPLY,
    ir.Operator.MINIMUM,
    ir.Operator.MAXIMUM,
)


def _is_told(value: ir.Expression) -> bool:
    """Whether a variable says which of two constants a value is."""
    match value:
        case ir.Operation(ir.Operator.IF, (ir.Variable(), ir.Constant(), ir.Constant())):
            return True
        case _:
            return False


def _by_entry(tree: Tree, change: Callable[[ir.Constant], ir.Expression]) -> Tree:
    """The tree with its constants changed."""
    match tree:
        case Leaf(value=ir.Constant() as value):
            return Leaf(change(value))
        case Fork(atom=atom, then=then, otherwise=otherwise):
            return Fork(atom, _by_entry(then, change), _by_entry(otherwise, change))
        case _:
            raise Intractable


def _is_other(value: ir.Expression, low: ir.Constant) -> ir.Expression:
    """Whether a value that is chosen between constants is another one than that."""

    def told(tree: Tree) -> ir.Expression:
        if isinstance(tree, Fork):
            return builders.choose(tree.atom, told(tree.then), told(tree.otherwise))
        return builders.FALSE if tree.value == low else builders.TRUE

    return told(_tree(value))


def _always(body: Body, name: str) -> bool:
    """Whether a body that only computes assigns a variable, whichever way it goes."""
    return any(
        (isinstance(item, ir.Assign) and item.target == name)
        or (isinstance(item, ir.If) and _always(item.then, name) and _always(item.otherwise, name))
        for item in body
    )


def _is_simple(statement: ir.Statement) -> bool:
    """Whether it computes or tosses a coin; nothing leaves it."""
    return isinstance(statement, ir.If | ir.Assign | ir.Obligation | ir.Choose)
