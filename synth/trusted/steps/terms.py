"""Values as shared terms over the inputs, the draws and the unknowns of a run.

Each operation is read as a total function, whatever it gives where Python would raise, and x/0 as x·(1/0):
terms that are built alike have one value.  They are simplified by identities that hold of all values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.steps.equivalence_codes import Code, Different

MAX_STEPS = 2_000_000
"""Visits to statements and to parts of terms, in one comparison of two programs."""

NOT = (ir.Operator.NOT, ir.Sort.BOOL)
AND = (ir.Operator.AND, ir.Sort.BOOL)
EQUAL = (ir.Operator.EQUAL, ir.Sort.BOOL)
IF = (ir.Operator.IF, None)
UNKNOWN = "unknown"
_DIVIDE = (ir.Operator.DIVIDE, ir.Sort.REAL)
_ARITHMETIC = (
    ir.Operator.NEGATE,
    ir.Operator.ADD,
    ir.Operator.SUBTRACT,
    ir.Operator.MULTIPLY,
    ir.Operator.DIVIDE,
)


@dataclass(frozen=True, eq=False, repr=False)
class Term:
    """A head applied to terms; of equal terms of one :class:`Terms` there is one object.

    A head is a constant, an operator with the sort of its result, or a name for something else.  ``given``
    says that no value of which nothing is known is in it.
    """

    head: Hashable
    arguments: tuple[Term, ...]
    number: int
    given: bool

    @property
    def truth(self) -> bool | None:
        """The truth value that it is written as."""
        return bool(self.head.value) if isinstance(self.head, ir.Constant) else None


@dataclass
class Terms:
    """Makes the terms of one comparison, and counts its steps."""

    made: dict[tuple[Hashable, tuple[Term, ...]], Term] = field(default_factory=dict)
    steps: int = 0

    def __post_init__(self) -> None:
        self.true = self.make(ir.Constant(True, ir.Sort.BOOL))
        self.false = self.make(ir.Constant(False, ir.Sort.BOOL))

    def step(self) -> None:
        """Count one step.  Raises Different where there are too many."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Different(Code.TOO_MANY_STEPS(most=MAX_STEPS))

    def make(self, head: Hashable, *arguments: Term) -> Term:
        """The one term of a head and arguments, as it is."""
        found = self.made.get((head, arguments))
        if found is None:
            self.step()
            unknown = isinstance(head, tuple) and head[0] == UNKNOWN
            given = not unknown and all(item.given for item in arguments)
            found = self.made[head, arguments] = Term(head, arguments, len(self.made), given)
        return found

    def fresh(self) -> Term:
        """A value of which nothing is known."""
        return self.make((UNKNOWN, len(self.made)))

    def apply(self, head: Hashable, arguments: Sequence[Term]) -> Term:
        """A head applied to arguments, simplified.  The connectives that are left are not, and, if."""
        match head, tuple(arguments):
            case (ir.Operator.NOT, _), (only,):
                return self.negation(only)
            case (ir.Operator.AND, _), parts:
                return self.both(*parts)
            case (ir.Operator.OR, _), parts:
                return self.either(*parts)
            case (ir.Operator.LESS_EQUAL, sort), (left, right):
                return self.negation(self.apply((ir.Operator.LESS, sort), (right, left)))
            case (ir.Operator.LESS | ir.Operator.EQUAL as operator, _), (left, right):
                return self._compared(operator, left, right)
            case (ir.Operator.IF, _), (condition, then, otherwise):
                return self.choice(condition, then, otherwise)
            case (ir.Operator.TO_REAL, _), (Term(head=ir.Constant(value=value, sort=ir.Sort.INT)),):
                return self.make(ir.Constant(Fraction(value), ir.Sort.REAL))
            case (operator, _), parts if operator in _ARITHMETIC:
                return self._signed(head, parts) or self.make(head, *parts)
            case _, parts:
                return self.make(head, *parts)

    def _signed(self, head: Hashable, parts: tuple[Term, ...]) -> Term | None:
        """What is left of signs and of sums and products of numbers; None where nothing is simpler."""
        match head, parts:
            case (ir.Operator.NEGATE, _), (Term(head=(ir.Operator.NEGATE, _), arguments=(inner,)),):
                return inner
            case (ir.Operator.NEGATE, _), (Term(head=ir.Constant() as number),):
                return self.make(builders.opposite(number))
            case (ir.Operator.ADD | ir.Operator.SUBTRACT | ir.Operator.MULTIPLY as operator, _), (
                Term(head=ir.Constant() as one),
                Term(head=ir.Constant() as other),
            ):
                found = builders.arithmetic(operator, one, other)
                return self.make(found) if isinstance(found, ir.Constant) else None
            case (ir.Operator.ADD, sort), (left, right):
                for part, value in ((right, left), (left, right)):
                    if isinstance(part.head, ir.Constant) and part.head.value == 0:
                        return value
                    if part.head == (ir.Operator.NEGATE, sort):
                        return self.apply((ir.Operator.SUBTRACT, sort), (value, part.arguments[0]))
                return self.make(head, *sorted(parts, key=lambda part: part.number))
            case (ir.Operator.SUBTRACT, sort), (left, Term(head=(ir.Operator.NEGATE, _), arguments=(right,))):
                return self.apply((ir.Operator.ADD, sort), (left, right))
            case (ir.Operator.DIVIDE, sort), (Term(head=(ir.Operator.NEGATE, _), arguments=(top,)), divisor):
                return self.apply((ir.Operator.NEGATE, sort), (self.apply(head, (top, divisor)),))
            case (ir.Operator.MULTIPLY, sort), (left, right):
                opposite = (ir.Operator.NEGATE, sort)
                for factor, value in ((left, right), (right, left)):
                    if isinstance(factor.head, ir.Constant) and factor.head.value == 0:
                        return factor
                    if isinstance(factor.head, ir.Constant) and abs(factor.head.value) == 1:
                        return value if factor.head.value == 1 else self.apply(opposite, (value,))
                    if factor.head == _DIVIDE:
                        top, divisor = factor.arguments
                        return self.apply(_DIVIDE, (self.apply(head, (value, top)), divisor))
                    if factor.head == opposite:
                        product = self.apply(head, (factor.arguments[0], value))
                        return self.apply(opposite, (product,))
                return self.make(head, *sorted(parts, key=lambda part: part.number))
        return None

    def _compared(self, operator: ir.Operator, left: Term, right: Term) -> Term:
        if left is right:
            return self.true if operator is ir.Operator.EQUAL else self.false
        match left.head, right.head:
            case ir.Constant(value=one), ir.Constant(value=other):
                return (
                    self.true
                    if (one < other if operator is ir.Operator.LESS else one == other)
                    else self.false
                )
        for choice, number in ((left, right), (right, left)):
            if choice.head == IF and all(
                isinstance(item.head, ir.Constant) for item in (number, *choice.arguments[1:])
            ):
                condition, *sides = choice.arguments
                pairs = ((side, number) if choice is left else (number, side) for side in sides)
                return self.choice(condition, *(self._compared(operator, *pair) for pair in pairs))
        parts = (left, right)
        if operator is ir.Operator.EQUAL:
            parts = (left, right) if left.number < right.number else (right, left)
        return self.make((operator, ir.Sort.BOOL), *parts)

    def negation(self, term: Term) -> Term:
        """Not."""
        if term.truth is not None:
            return self.false if term.truth else self.true
        return term.arguments[0] if term.head == NOT else self.make(NOT, term)

    def both(self, *parts: Term) -> Term:
        """And, of parts in one order, each once."""
        found: dict[Term, None] = {}
        for part in parts:
            if part is self.false:
                return self.false
            if part is not self.true:
                found |= dict.fromkeys(part.arguments if part.head == AND else (part,))
        if any(part.head == NOT and part.arguments[0] in found for part in found):
            return self.false
        if len(found) < 2:
            return next(iter(found), self.true)
        return self.make(AND, *sorted(found, key=lambda part: part.number))

    def either(self, *parts: Term) -> Term:
        """Or."""
        return self.negation(self.both(*map(self.negation, parts)))

    def choice(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """``then`` where the condition holds, otherwise the other; a conjunction if it can be."""
        if condition.truth is not None:
            return then if condition.truth else otherwise
        if condition.head == NOT:
            return self.choice(condition.arguments[0], otherwise, then)
        then = then.arguments[1] if then.head == IF and then.arguments[0] is condition else then
        if otherwise.head == IF and otherwise.arguments[0] is condition:
            otherwise = otherwise.arguments[2]
        if then is otherwise:
            return then
        if then is self.true:
            return self.either(condition, otherwise)
        if then is self.false:
            return self.both(self.negation(condition), otherwise)
        if otherwise is self.true:
            return self.either(self.negation(condition), then)
        if otherwise is self.false:
            return self.both(condition, then)
        return self.make(IF, condition, then, otherwise)

    def rebuilt(self, term: Term, known: Callable[[Term], Term | None], done: dict[Term, Term]) -> Term:
        """The term with what is known in place of parts of it; ``done`` holds what parts became."""
        stack = [term]
        while stack:
            item = stack[-1]
            if item in done:
                stack.pop()
                continue
            self.step()
            value, parts = known(item), _deciding(item, done)
            waiting = [part for part in parts if part not in done]
            if value is None and waiting:
                stack += waiting
                continue
            if value is None and item.arguments:
                changed = [done[part] for part in parts]
                found = (
                    changed[0] if item.head == IF and len(changed) == 1 else self.apply(item.head, changed)
                )
                value = known(found) or found
            done[item] = item if value is None else value
        return done[term]


def _deciding(term: Term, done: dict[Term, Term]) -> tuple[Term, ...]:
    """The arguments that the value depends on: of a choice the condition, then one side if that is known."""
    if term.head != IF:
        return term.arguments
    condition = done.get(term.arguments[0])
    if condition is None:
        return term.arguments[:1]
    return term.arguments if condition.truth is None else (term.arguments[1 if condition.truth else 2],)
