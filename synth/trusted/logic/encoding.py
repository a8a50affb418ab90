"""Expressions of the program in one run as terms; multiplication of variables and the like stay opaque.

An opaque operation is a function symbol: equal operands, equal results, and nothing else but what
:func:`_opaque_facts` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from synth.trusted.logic.arithmetic.polynomials import over_reals
from synth.trusted.logic.inputs import PLAIN, SORTS, Inputs, entries_name, length_of
from synth.trusted.logic.terms import (
    INT,
    REAL,
    Signature,
    Term,
    absolute,
    app,
    applications,
    extreme,
    number,
    shared,
    substitute,
    value,
)
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions


def list_length(name: str) -> str:
    """The name under which a local list's length is kept among the variables."""
    return f"len({name})"


def entry_name(name: str, component: int, run: int) -> str:
    """A component of an entry in what a certificate says of a list's entries."""
    return f"|{name}[{component}]<{run}>|"


def index_name(name: str) -> str:
    """The index of that entry."""
    return f"|{name}#index|"


Reading = tuple[str, tuple[Term, ...]]
"""An input that was read, and at which index."""


@dataclass
class Evaluation:
    """Evaluates expressions of one run.

    ``facts`` collects what holds of the terms that were made, ``here`` what holds of them where
    control is here, ``reads`` the entries of inputs that were read, ``opaque`` the opaque operations in
    their order, ``known`` function symbols.
    ``entries`` says what holds of each pair of entries of a private list; the entries of a list in
    ``published`` are the same in both runs.  ``stated`` are the user's facts about functions, ``factors``
    numbers at which products and quotients are known, ``magnitudes`` numbers and parameters with which the
    sizes of operands are compared.
    """

    inputs: Inputs
    run: int
    values: Mapping[str, Term]
    versions: Mapping[str, int] = field(default_factory=dict)
    entries: Mapping[str, Term] = field(default_factory=dict)
    published: frozenset[str] = frozenset()
    known: dict[str, Signature] = field(default_factory=dict)
    stated: tuple[ir.Fact, ...] = ()
    factors: tuple[Fraction, ...] = ()
    magnitudes: tuple[Term, ...] = ()
    facts: list[Term] = field(default_factory=list)
    here: list[Term] = field(default_factory=list)
    reads: list[Reading] = field(default_factory=list)
    opaque: list[Term] = field(default_factory=list)

    def term(self, expression: ir.Expression) -> Term:
        """The value of the expression.  Raises KeyError for a variable without a value."""
        match expression:
            case ir.Constant(value=bool() as truth):
                return "true" if truth else "false"
            case ir.Constant(value=exact, sort=sort):
                return number(exact, SORTS[sort])
            case ir.Variable(name=name):
                return self.values[name]
            case ir.Length(sequence=sequence):
                local = sequence in self.inputs.mechanism.lists
                return self.values[list_length(sequence)] if local else length_of(sequence)
            case ir.Read(source=source, index=index):
                return self._read(source, tuple(self.term(item) for item in index))
            case ir.Element(source=source, component=component, index=index):
                return self._element(source, component, self.term(index))
            case ir.Operation():
                return self._operation(expression)

    def _read(self, source: str, index: tuple[Term, ...]) -> Term:
        name, run = ir.without_run(source)
        self.facts += self._assumed(name, index)
        if self.inputs.mechanism.parameter(name).metric is None:
            return app(entries_name(name, None), *index)
        adjacent = self.inputs.adjacent(name, index)
        if adjacent is not None:
            self.facts.append(adjacent)
        self.reads.append((name, index))
        return app(entries_name(name, run or self.run), *index)

    def _assumed(self, name: str, index: tuple[Term, ...]) -> Iterator[Term]:
        """What the user states of a function at these arguments; of what that mentions nothing more."""
        for fact in self.stated:
            if ir.without_run(fact.trigger.source)[0] == name:
                variables = [item.name for item in fact.trigger.index if isinstance(item, ir.Variable)]
                values = {**self.inputs.scalars(), **dict(zip(variables, index, strict=True))}
                inner = Evaluation(self.inputs, self.run, values, known=self.known, factors=self.factors)
                yield inner.term(fact.condition)
                yield from inner.facts

    def _element(self, source: str, component: int, index: Term) -> Term:
        """An entry of a local list, as a function of the index, another one whenever the list grows.

        What is read outside of it, where the program has no value, must tell nothing of an entry to come.
        """
        version = self.versions.get(source, 0)
        sorts = [SORTS[item] for item in self.inputs.mechanism.lists[source].components]
        runs = (1, 2) if source not in self.published else (1, 1)
        names = {
            (place, run): f"|{source}!{version}[{place}]<{runs[run - 1]}>|"
            for place in range(len(sorts))
            for run in (1, 2)
        }
        self.known.update({name: ((INT,), sorts[place]) for (place, _), name in names.items()})
        if source in self.entries:
            given: dict[str, Term] = {entry_name(source, *key): (name, index) for key, name in names.items()}
            holds = substitute(self.entries[source], {**given, index_name(source): index})
            inside = ("and", ("<=", "0", index), ("<", index, self.values[list_length(source)]))
            self.here.append(("=>", inside, holds))
        return app(names[component, self.run], index)

    # --- operations -------------------------------------------------------------------------

    def _operation(self, item: ir.Operation) -> Term:
        operands = [self.term(operand) for operand in item.operands]
        sorts = [SORTS[operand.sort] for operand in item.operands]
        linear = self._linear(item.operator, operands, sorts)
        if linear is not None:
            return shared(linear)
        result = app(_opaque(item), *operands)
        self.opaque.append(result)
        self.facts += _opaque_facts(item.operator, operands, sorts, result)
        self.facts += _at_numbers(item.operator, operands, sorts, result, self.factors)
        self.facts += sizes(result, self.magnitudes)
        return result

    def _linear(self, operator: ir.Operator, operands: list[Term], sorts: list[str]) -> Term | None:
        if operator in PLAIN:
            return (PLAIN[operator], *operands) if len(operands) > 1 or operator is ir.Operator.NOT else None
        numbers = [value(item) for item in operands]
        match operator, operands:
            case ir.Operator.NEGATE, [only]:
                return number(-numbers[0], sorts[0]) if numbers[0] is not None else ("-", only)
            case ir.Operator.TO_REAL, [only]:
                return number(numbers[0], REAL) if numbers[0] is not None else ("to_real", only)
            case ir.Operator.MULTIPLY, [first, second]:
                if numbers[0] is not None and numbers[1] is not None:
                    return number(numbers[0] * numbers[1], sorts[0])
                return ("*", first, second) if numbers[0] is not None or numbers[1] is not None else None
            case ir.Operator.DIVIDE, [first, second] if numbers[1]:
                if numbers[0] is not None:
                    return number(numbers[0] / numbers[1], REAL)
                return ("*", number(1 / numbers[1], REAL), first)
            case ir.Operator.FLOOR_DIVIDE | ir.Operator.MODULO, [_, second] if (
                sorts[0] == INT and (numbers[1] or 0) > 0
            ):
                return ("div" if operator is ir.Operator.FLOOR_DIVIDE else "mod", *operands)
            case ir.Operator.FLOOR, [only] if sorts[0] == REAL:
                return ("to_int", only)
            case ir.Operator.CEILING, [only] if sorts[0] == REAL:
                return ("-", ("to_int", ("-", only)))
            case ir.Operator.TRUNCATE, [only] if sorts[0] == REAL:
                return ("ite", ("<=", "0.0", only), ("to_int", only), ("-", ("to_int", ("-", only))))
            case ir.Operator.ABSOLUTE, [only]:
                return absolute(only, sorts[0])
            case ir.Operator.MINIMUM | ir.Operator.MAXIMUM, _:
                return extreme(operands, operator is ir.Operator.MINIMUM)
            case _:
                return None


def public_term(expression: ir.Expression, values: Mapping[str, Term], inputs: Inputs) -> Term | None:
    """The expression over public inputs, in real arithmetic: what :class:`Evaluation` gives, over the reals.

    None if it needs more than ``values`` tells of variables.
    """
    if any(isinstance(part, ir.Read | ir.Element) for part in ir.subexpressions(expression)):
        return None
    try:
        return over_reals(Evaluation(inputs, 1, values).term(_weak(expression)))
    except KeyError:
        return None


def _weak(expression: ir.Expression) -> ir.Expression:
    """The expression with a < b of integers as a + 1 ≤ b: the same of them, and more of reals."""
    match expression:
        case ir.Operation(
            operator=ir.Operator.NOT,
            operands=(ir.Operation(operator=ir.Operator.LESS_EQUAL, operands=(low, high)),),
        ):
            return _weak(replace(expression, operator=ir.Operator.LESS, operands=(high, low)))
        case ir.Operation(operator=ir.Operator.LESS, operands=(low, high)) if low.sort is ir.Sort.INT:
            above = ir.Operation(ir.Operator.ADD, (_weak(low), ir.Constant(1, ir.Sort.INT)), ir.Sort.INT)
            return replace(expression, operator=ir.Operator.LESS_EQUAL, operands=(above, _weak(high)))
        case ir.Operation(operands=operands):
            return replace(expression, operands=tuple(map(_weak, operands)))
        case _:
            return expression


def _opaque(item: ir.Operation) -> str:
    return f"|{item.operator.value}:{','.join(SORTS[operand.sort] for operand in item.operands)}|"


def opaque_signatures(mechanism: ir.Mechanism) -> dict[str, Signature]:
    """A function symbol for each operator at the sorts at which the program uses it."""
    return signatures(_expressions(mechanism))


def signatures(used: Iterable[ir.Expression]) -> dict[str, Signature]:
    """A function symbol for each operator at the sorts at which expressions use it."""
    found: dict[str, Signature] = {}
    for item in (part for whole in used for part in ir.subexpressions(whole)):
        if isinstance(item, ir.Operation):
            found[_opaque(item)] = tuple(SORTS[operand.sort] for operand in item.operands), SORTS[item.sort]
    return found


def _expressions(mechanism: ir.Mechanism) -> Iterator[ir.Expression]:
    yield mechanism.requires
    yield from (fact.condition for fact in mechanism.facts)
    yield from (item.metric.bound for item in mechanism.parameters if item.metric and item.metric.bound)
    for statement in ir.statements(mechanism.body):
        yield from expressions(statement)


def signs(head: str, operands: Sequence[Term], result: Term) -> list[Term]:
    """On which side of 0 an opaque product, quotient, root or power lies; ``head`` is its function symbol.

    A root is at least 0 wherever it is defined, and may be taken to be 0 elsewhere; a
    logarithm is at least 0 where its argument is at least 1.
    """
    name, _, listed = head.strip("|").rpartition(":")
    zeros = [number(0, sort) for sort in listed.split(",")]
    zero = zeros[0]
    match name:
        case "sqrt":
            above: Term = ("=>", ("<", zero, operands[0]), ("<", zero, result))
            return [("<=", zero, result), above]
        case "exp":
            return [("<", zero, result)]
        case "log":
            return [("=>", ("<=", "1.0", operands[0]), ("<=", zero, result))]
        case "**":
            return [("=>", ("<", zero, operands[0]), ("<", zero, result))]
        case "*" | "/":
            divides = name == "/"
            sides = [("<" if divides and place else "<=") for place in range(len(operands))]
            some: Term = ("and", *((side, zero, item) for side, item in zip(sides, operands, strict=True)))
            all_: Term = ("and", *(("<", zero, item) for item in operands))
            return [("=>", some, ("<=", zero, result)), ("=>", all_, ("<", zero, result))]
        case _:
            return []


def signs_in(term: Term, magnitudes: Sequence[Term] = ()) -> Iterator[Term]:
    """What :func:`signs` and :func:`sizes` say of the opaque operations in a term."""
    for item in applications(term):
        if isinstance(item[0], str) and item[0].startswith("|"):
            yield from signs(item[0], item[1:], item)
            yield from sizes(item, magnitudes)


def _at_numbers(
    operator: ir.Operator, operands: list[Term], sorts: list[str], result: Term, factors: Sequence[Fraction]
) -> Iterator[Term]:
    """What an opaque product or quotient is where a factor, or the divisor, is one of these numbers."""
    for exact in factors:
        if sorts[-1] == INT and exact.denominator != 1:
            continue
        literal = number(exact, sorts[-1])
        match operator, operands:
            case ir.Operator.MULTIPLY, [first, second]:
                for one, other in ((first, second), (second, first)):
                    yield app("=>", app("=", one, literal), app("=", result, app("*", literal, other)))
            case ir.Operator.DIVIDE, [first, second] if exact:
                whole = app("*", number(1 / exact, REAL), first)
                yield app("=>", app("=", second, literal), app("=", result, whole))
            case ir.Operator.FLOOR_DIVIDE, [first, second] if sorts[-1] == INT and exact > 0:
                yield app("=>", app("=", second, literal), app("=", result, app("div", first, literal)))


TIMES, OVER = f"|*:{REAL},{REAL}|", f"|/:{REAL},{REAL}|"


def sizes(result: Term, magnitudes: Sequence[Term]) -> Iterator[Term]:
    """How large an opaque product or quotient of reals is, by how its operands compare with ``magnitudes``.

    |a| <= c and |b| <= d give |a * b| <= c * d, and |a| <= c and 0 < d <= b give |a / b| <= c / d, for all
    real c and d; 0 < b and |a| <= c * b give |a / b| <= c; and a square isn't negative.
    """
    if not isinstance(result, tuple) or result[0] not in (TIMES, OVER):
        return
    head, first, second = result
    if magnitudes and head == TIMES and first == second:
        yield app("<=", "0.0", result)
    yield from _bounded(str(head), first, second, result, magnitudes)


def _bounded(
    head: str, first: Term, second: Term, result: Term, magnitudes: Sequence[Term]
) -> Iterator[Term]:
    """How large a product or quotient of two operands is that is the result."""
    for one, other in product(magnitudes, repeat=2):
        positive = app("and", app("<", "0.0", other), app("<=", other, second))
        most = _times(one, other) if head == TIMES else _over(one, other)
        sized = _within(second, other) if head == TIMES else positive
        yield app("=>", app("and", _within(first, one), sized), _within(result, most))
    for most in magnitudes if head == OVER else ():
        if value(most) is not None:
            under = app("and", app("<", "0.0", second), _within(first, app("*", most, second)))
            yield app("=>", under, _within(result, most))


def differences(one: Term, other: Term, magnitudes: Sequence[Term]) -> Iterator[Term]:
    """What a*x - a*y and x/b - y/b are, by their signs and sizes: a*(x - y) and, for b > 0, (x - y)/b.

    Besides, |x - y| <= c gives |a*(x - y)| <= c * |a|, and x - y = c gives c * a: linear where c is a number.
    """
    match one, other:
        case (head, *_), (same, *_) if magnitudes and head == same and head in (TIMES, OVER) and one != other:
            pass
        case _:
            return
    for place in (1, 2) if head == TIMES else (2,):
        if one[place] == other[place]:
            common, apart = one[place], app("-", one[3 - place], other[3 - place])
            result = app("-", one, other)
            for operand, total in (apart, result), (app("-", apart), app("-", result)):
                yield from signs(str(head), (common, operand) if place == 1 else (operand, common), total)
            yield from _bounded(str(head), apart, common, result, magnitudes)
            exact = [size for item in magnitudes if head == TIMES and (size := value(item)) is not None]
            for size in exact:
                larger = app("*", number(size, REAL), absolute(common, REAL))
                yield app("=>", _within(apart, number(size, REAL)), _within(result, larger))
                for step in (number(size, REAL), number(-size, REAL)):
                    yield app("=>", app("=", apart, step), app("=", result, app("*", step, common)))


def _times(one: Term, other: Term) -> Term:
    """A product as an expression has it: one with a number is linear."""
    linear = value(one) is not None or value(other) is not None
    return app("*" if linear else TIMES, one, other)


def _over(one: Term, other: Term) -> Term:
    divisor = value(other)
    return app("*", number(1 / divisor, REAL), one) if divisor else app(OVER, one, other)


def _within(term: Term, most: Term) -> Term:
    return app("and", app("<=", app("-", most), term), app("<=", term, most))


_SIGNED = (
    ir.Operator.MULTIPLY,
    ir.Operator.DIVIDE,
    ir.Operator.SQUARE_ROOT,
    ir.Operator.EXPONENTIAL,
    ir.Operator.LOGARITHM,
    ir.Operator.POWER,
)


def _opaque_facts(operator: ir.Operator, operands: list[Term], sorts: list[str], result: Term) -> list[Term]:
    """What linear arithmetic can say of an operation outside of it."""
    if operator in _SIGNED:
        assert isinstance(result, tuple)
        return signs(str(result[0]), operands, result)
    if operator is ir.Operator.ROUND and sorts[0] == REAL:
        gap: Term = ("-", ("to_real", result), operands[0])
        half = number(1, REAL), "2.0"
        return [("<=", ("-", ("/", *half)), gap), ("<=", gap, ("/", *half))]
    if operator not in (ir.Operator.FLOOR_DIVIDE, ir.Operator.MODULO) or sorts[0] != INT:
        return []
    dividend, divisor = operands
    positive: Term = ("<", "0", divisor)
    small: Term = ("<=", result, dividend)
    if operator is ir.Operator.MODULO:
        return [
            ("=>", positive, ("and", ("<=", "0", result), ("<", result, divisor))),
            ("=>", ("and", positive, ("<=", "0", dividend)), small),
        ]
    return [("=>", ("and", positive, ("<=", "0", dividend)), ("and", ("<=", "0", result), small))]
