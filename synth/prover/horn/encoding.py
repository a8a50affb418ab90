"""Expressions of the program as terms, one run at a time.

A :class:`PathFragment` holds what one loop-free stretch of the two runs knows: the entries read, the
values of operations that are left uninterpreted, and the assumptions made about them.  Entries of
private sequences are fresh symbols related by the adjacency; an operation outside linear
arithmetic gives a fresh symbol, with equal results for equal operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count, product

from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT, REAL, PySMTType

from synth.prover.horn.computed import Computed, changed_entry, is_of_change, lasting_name, lasts
from synth.prover.horn.terms import (
    SORTS,
    absolute,
    add,
    all_of,
    any_of,
    choose,
    constant,
    equal,
    implies,
    less,
    less_equal,
    negate,
    number_value,
    scaled,
    sort_of,
    subtract,
    symbol,
    to_real,
    within,
)
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, names
from synth.trusted.program.symbols import Name

LEFT, RIGHT = 0, 1
MAX_BITS = 4096
"""Of a number that a factor is found to be: certificates have no larger ones."""
Environment = dict[Name, FNode]


@dataclass
class Names:
    """Fresh symbols of one proof; the numbers make them distinct.

    ``factors`` are numbers that a factor or divisor was found to be which the program doesn't write as one.
    ``reals`` are sequences of integers whose entries are taken for reals; ``magnitudes`` are public
    numbers with which the sizes of factors are compared.  ``computed`` are operations on entries where the
    runs may differ.
    """

    counter: count[int] = field(default_factory=count)
    factors: set[Fraction] = field(default_factory=set)
    reals: frozenset[str] = frozenset()
    magnitudes: tuple[ir.Expression, ...] = ()
    computed: dict[tuple[object, tuple[FNode, ...]], Computed] = field(default_factory=dict)

    def fresh(self, hint: str, like: FNode | PySMTType) -> FNode:
        """A symbol of that sort, or of the sort of that term."""
        kind = sort_of(like) if isinstance(like, FNode) else like
        return symbol(f"{hint}!{next(self.counter)}", kind)


@dataclass(frozen=True)
class Globals:
    """Symbols that mean the same throughout a proof: public parameters, logical constants."""

    mechanism: ir.Mechanism

    def scalar(self, name: str) -> FNode:
        return symbol(name, SORTS[self.mechanism.parameter(name).sort])

    def length(self, sequence: str) -> FNode:
        return symbol(f"len({sequence})", INT)

    def changed_index(self, sequence: str) -> FNode:
        """For change_one_distance: the only index at which the runs may differ."""
        return symbol(f"{sequence}#changed", INT)

    def change(self, sequence: str) -> FNode:
        """For change_one_distance: by how much run 2's entry at that index is larger."""
        kind = self.mechanism.parameter(sequence).sort
        return symbol(f"{sequence}#change", REAL if kind is ir.Sort.REAL else INT)

    def upward(self, sequence: str) -> FNode:
        """For monotone metrics, and where one entry changes: whether run 2's entries are the larger ones."""
        if sequence in self.changing():
            change = self.change(sequence)
            return less(constant(0, sort_of(change)), change)
        return symbol(f"{sequence}#upward", BOOL)

    def changing(self) -> Iterator[str]:
        """The sequences of which one entry may differ."""
        for item in self.mechanism.parameters:
            if item.metric is not None and item.metric.kind is ir.MetricKind.CHANGE_ONE:
                yield item.name

    def names(self) -> Environment:
        """All that a user would recognize, by name."""
        return {item.name: self.scalar(item.name) for item in self.mechanism.parameters if item.arity == 0}


@dataclass
class PathFragment:
    """One loop-free stretch: assumptions so far, entries read, opaque values.

    ``stated`` are facts about functions that the user assumes.
    """

    mechanism: ir.Mechanism
    names: Names
    stated: tuple[ir.Fact, ...] = ()
    assumptions: list[FNode] = field(default_factory=list)
    reads: dict[tuple[str, int], dict[tuple[FNode, ...], FNode]] = field(default_factory=dict)
    opaque: dict[str, dict[tuple[FNode, ...], FNode]] = field(default_factory=dict)
    recalled: set[tuple[ir.Fact, tuple[FNode, ...]]] = field(default_factory=set)
    products: dict[tuple[ir.Operator, int], dict[tuple[FNode, ...], FNode]] = field(default_factory=dict)

    def assume(self, formula: FNode) -> None:
        if not formula.is_true():
            self.assumptions.append(formula)

    def opaque_value(
        self, name: str, operands: tuple[FNode, ...], kind: PySMTType, computed: Computed | None = None
    ) -> FNode:
        """The value of a function of which nothing else is known than that it is one."""
        known = self.opaque.setdefault(name, {})
        if operands not in known:
            computed = computed or self.names.computed.get((name, operands))
            result = self.names.fresh(name, kind) if computed is None else symbol(computed.name, kind)
            for other, value in known.items():
                if len(other) == len(operands) and all(
                    sort_of(first) == sort_of(second) for first, second in zip(other, operands, strict=True)
                ):
                    self.assume(implies(_same(other, operands), equal(value, result)))
            known[operands] = result
        return known[operands]


@dataclass
class Evaluator:
    """Evaluates expressions of one run in a fragment.

    ``on_pair`` is told when both runs have read one entry at the same index, so that budgets can
    be kept; ``element`` gives the components of an entry of a local list.  ``recalls`` says whether what is
    stated of a function is assumed where it is read.
    """

    fragment: PathFragment
    side: int
    values: Environment
    on_pair: Callable[[str, FNode, FNode, FNode], None]
    element: Callable[[int, ir.Element, FNode], FNode]
    recalls: bool = True

    @property
    def globals(self) -> Globals:
        return Globals(self.fragment.mechanism)

    def term(self, expression: ir.Expression) -> FNode:
        """The value of the expression in this run."""
        match expression:
            case ir.Constant(value=value, sort=sort):
                return constant(value, SORTS[sort])
            case ir.Variable(name=name):
                return self.values[name]
            case ir.Length(sequence=sequence):
                local = self.values.get(f"{sequence}#len")
                return local if local is not None else self._length(sequence)
            case ir.Read(source=source, index=index):
                operands = tuple(self.term(item) for item in index)
                public = self.fragment.mechanism.parameter(ir.without_run(source)[0]).metric is None
                kept = self._kept(source, operands, expression) if public else None
                return self._read(source, operands, kept)
            case ir.Element(index=index):
                return self.element(self.side, expression, self.term(index))
            case ir.Operation():
                return self._operation(expression)

    def _length(self, sequence: str) -> FNode:
        term = self.globals.length(sequence)
        self.fragment.assume(less_equal(constant(0, INT), term))
        return term

    # --- entries ----------------------------------------------------------------------------

    def entry(self, source: str, index: FNode) -> FNode:
        """An entry of a sequence of the input."""
        return self._read(source, (index,))

    def _read(self, name: str, index: tuple[FNode, ...], computed: Computed | None = None) -> FNode:
        source, run = ir.without_run(name)
        if run is not None and run != self.side + 1:
            return replace(self, side=run - 1)._read(source, index)
        if self.recalls:
            self._recall(source, index)
        parameter = self.fragment.mechanism.parameter(source)
        if parameter.metric is None:
            return self.fragment.opaque_value(source, index, SORTS[parameter.sort], computed)
        known = self.fragment.reads.setdefault((source, self.side), {})
        if index not in known:
            entry = self._entry(source, index)
            for other, value in known.items():
                self.fragment.assume(implies(_same(other, index), equal(value, entry)))
            known[index] = entry
            for other, value in self.fragment.reads.get((source, 1 - self.side), {}).items():
                pair = (entry, value) if self.side == LEFT else (value, entry)
                adjacent = self._adjacent(source, parameter.metric, index, *pair)
                self.fragment.assume(implies(_same(other, index), adjacent))
        left = self.fragment.reads.get((source, LEFT), {})
        if self.side == RIGHT and index in left and parameter.kind is ir.ParameterKind.SEQUENCE:
            self.on_pair(source, index[0], left[index], known[index])
        return known[index]

    def _entry(self, source: str, index: tuple[FNode, ...]) -> FNode:
        """A symbol for an entry, which means the same throughout where the index does."""
        sort = self.fragment.mechanism.parameter(source).sort
        kind = REAL if source in self.fragment.names.reals else SORTS[sort]
        for name in self.globals.changing():
            if index == (self.globals.changed_index(name),):
                return symbol(changed_entry(source, name, self.side), kind)
        return self.fragment.names.fresh(f"{source}<{self.side + 1}>", kind)

    def _recall(self, source: str, index: tuple[FNode, ...]) -> None:
        """Assume what is stated of a function at these arguments; of what that mentions nothing more."""
        for fact in self.fragment.stated:
            if (
                ir.without_run(fact.trigger.source)[0] == source
                and (fact, index) not in self.fragment.recalled
            ):
                self.fragment.recalled.add((fact, index))
                variables = [item.name for item in fact.trigger.index if isinstance(item, ir.Variable)]
                values = self.globals.names() | dict(zip(variables, index, strict=True))
                inner = replace(self, values=values, recalls=False)
                self.fragment.assume(inner.term(fact.condition))

    def _adjacent(
        self, source: str, metric: ir.Metric, index: tuple[FNode, ...], left: FNode, right: FNode
    ) -> FNode:
        if metric.kind is ir.MetricKind.CHANGE_ONE:
            return self._changed(source, metric, index[0], left, right)
        bound = self._bound(metric)
        change = subtract(as_real(right), as_real(left))
        if metric.monotone:
            zero = constant(0, REAL)
            up = self.globals.upward(source)
            return choose(
                up,
                all_of((less_equal(zero, change), less_equal(change, bound))),
                all_of((less_equal(change, zero), less_equal(scaled(-1, change), bound))),
            )
        return within(change, bound)

    def _changed(self, source: str, metric: ir.Metric, index: FNode, left: FNode, right: FNode) -> FNode:
        """The entries differ at one index only, by a constant; nowhere if that is no index."""
        place, change = self.globals.changed_index(source), self.globals.change(source)
        zero = constant(0, sort_of(change))
        inside = all_of((less_equal(constant(0, INT), place), less(place, self._length(source))))
        if metric.bound is not None:
            self.fragment.assume(within(to_real(change), self._bound(metric)))
        self.fragment.assume(implies(negate(inside), equal(change, zero)))
        step = choose(equal(index, place), change, zero)
        first, second = (as_integer(item) if sort_of(item) == BOOL else item for item in (left, right))
        return equal(second, add(first, to_real(step) if sort_of(first) == REAL else step))

    def _bound(self, metric: ir.Metric) -> FNode:
        assert metric.bound is not None
        return public_term(self.fragment, metric.bound)

    # --- operations -------------------------------------------------------------------------

    def _operation(self, expression: ir.Operation) -> FNode:
        operands = tuple(self.term(item) for item in expression.operands)
        linear = _LINEAR.get(expression.operator)
        if linear is not None:
            return linear(operands)
        special = self._special(expression, operands)
        if special is not None:
            return special
        kind = SORTS[expression.sort]
        name = f"{expression.operator.value}:{kind}"
        result = self.fragment.opaque_value(name, operands, kind, self._kept(name, operands, expression))
        for fact in _facts(expression.operator, operands, result):
            self.fragment.assume(fact)
        if expression.operator in (ir.Operator.MULTIPLY, ir.Operator.DIVIDE) and kind == REAL:
            self._compare_sizes(expression.operator, operands, result)
        if expression.operator is ir.Operator.FLOOR_DIVIDE:
            self._number(expression.operands[1], operands[1])
        return result

    def _compare_sizes(self, operator: ir.Operator, operands: tuple[FNode, ...], result: FNode) -> None:
        """Assume how large a product or quotient is, where its operands are compared with public numbers."""
        first, second = operands
        zero, multiplies = constant(0, REAL), operator is ir.Operator.MULTIPLY
        sizes = [self._public_size(item) for item in self.fragment.names.magnitudes]
        if sizes and multiplies and first == second:
            self.fragment.assume(less_equal(zero, result))
        self._compare(operator, (first, second), result, sizes)
        known = self.fragment.products.setdefault((operator, self.side), {})
        if sizes and operands not in known:
            known[operands] = result
            for others, value in self.fragment.products.get((operator, 1 - self.side), {}).items():
                self._compare_differences(operator, (operands, others), subtract(result, value), sizes)

    def _compare(
        self, operator: ir.Operator, operands: tuple[FNode, FNode], result: FNode, sizes: Sequence[FNode]
    ) -> None:
        """Assume how large the result is, a product or quotient of the operands."""
        first, second = operands
        zero, multiplies = constant(0, REAL), operator is ir.Operator.MULTIPLY
        for one, other in product(sizes, repeat=2):
            most = self._size_of(operator, one, other)
            if most is not None:
                above = all_of((less(zero, other), less_equal(other, second)))
                sized = within(second, other) if multiplies else above
                self.fragment.assume(implies(all_of((within(first, one), sized)), within(result, most)))
        for most in () if multiplies else sizes:
            if (number := number_value(most)) is not None:
                under = all_of((less(zero, second), within(first, scaled(number, second))))
                self.fragment.assume(implies(under, within(result, most)))

    def _compare_differences(
        self,
        operator: ir.Operator,
        operands: tuple[tuple[FNode, ...], tuple[FNode, ...]],
        result: FNode,
        sizes: Sequence[FNode],
    ) -> None:
        """Assume what the difference of two products is that have a factor in common, or of two quotients."""
        one, other = operands
        multiplies = operator is ir.Operator.MULTIPLY
        for place in (0, 1) if multiplies else (1,):
            if one[place] != other[place] or one == other:
                continue
            common, apart = one[place], subtract(one[1 - place], other[1 - place])
            for side, total in (apart, result), (scaled(-1, apart), scaled(-1, result)):
                for fact in _facts(operator, (side, common), total):
                    self.fragment.assume(fact)
            self._compare(operator, (apart, common), result, sizes)
            for most in sizes if multiplies else ():
                if (number := number_value(most)) is not None:
                    larger = choose(less_equal(constant(0, REAL), common), common, scaled(-1, common))
                    self.fragment.assume(implies(within(apart, most), within(result, scaled(number, larger))))
                    for step in (number, -number):
                        same = equal(result, scaled(step, common))
                        self.fragment.assume(implies(equal(apart, constant(step, REAL)), same))

    def _public_size(self, magnitude: ir.Expression) -> FNode:
        return replace(self, values=self.globals.names(), recalls=False).term(magnitude)

    def _size_of(self, operator: ir.Operator, one: FNode, other: FNode) -> FNode | None:
        """A product or quotient of public numbers; None if that isn't defined."""
        left, right = number_value(one), number_value(other)
        if operator is ir.Operator.DIVIDE and right is not None:
            return scaled(1 / right, one) if right else None
        if operator is ir.Operator.MULTIPLY and (left is not None or right is not None):
            return scaled(left, other) if left is not None else scaled(right or Fraction(0), one)
        kind = f"{operator.value}:{REAL}"
        return self._opaque(kind, (one, other), REAL)

    def _special(self, expression: ir.Operation, operands: tuple[FNode, ...]) -> FNode | None:
        if expression.operator is ir.Operator.MULTIPLY:
            for place, other in ((0, operands[1]), (1, operands[0])):
                value = self._number(expression.operands[place], operands[place])
                if value is not None:
                    return scaled(value, other)
        if expression.operator is ir.Operator.DIVIDE:
            value = self._number(expression.operands[1], operands[1])
            if value:
                return scaled(1 / value, operands[0])
        return None

    def _number(self, expression: ir.Expression, term: FNode) -> Fraction | None:
        """The number that a factor is, if it is one."""
        value = number_value(term)
        if value is None or _is_literal(expression):
            return value
        if max(map(abs, value.as_integer_ratio())).bit_length() > MAX_BITS:
            return None
        self.fragment.names.factors.add(value)
        return value

    def _kept(self, name: str, operands: tuple[FNode, ...], expression: ir.Expression) -> Computed | None:
        """What is computed of an entry where the runs may differ: it is the same throughout."""
        used = {item: self.values[item] for item in sorted(names(expression) & self.values.keys())}
        if lasts(operands):
            key: tuple[object, tuple[FNode, ...]] = name, operands
        elif used.keys() >= names(expression) and is_of_change(tuple(used.values())):
            key = (expression, self.side), tuple(used.values())
        else:
            return None
        computed = self.fragment.names.computed
        return computed.setdefault(key, Computed(lasting_name(len(computed)), expression, self.side, used))

    def _opaque(self, name: str, operands: tuple[FNode, ...], kind: PySMTType) -> FNode:
        return self.fragment.opaque_value(name, operands, kind)


def used_as_reals(mechanism: ir.Mechanism) -> frozenset[str]:
    """Private sequences of integers that are read as reals only.

    Their entries are taken for any reals: what holds for those holds for integers, and Spacer, which has to
    find invariants over integers and reals at once otherwise, finds more of it.
    """
    whole = [item for statement in ir.statements(mechanism.body) for item in expressions(statement)]
    parts = [part for item in whole for part in ir.subexpressions(item)]
    converted = {
        id(part.operands[0])
        for part in parts
        if isinstance(part, ir.Operation) and part.operator is ir.Operator.TO_REAL
    }
    others = {part.source for part in parts if isinstance(part, ir.Read) and id(part) not in converted}
    return frozenset(
        item.name
        for item in mechanism.parameters
        if item.kind is ir.ParameterKind.SEQUENCE
        and item.sort is ir.Sort.INT
        and item.metric is not None
        and item.name not in others
    )


def _is_literal(expression: ir.Expression) -> bool:
    match expression:
        case ir.Constant():
            return True
        case ir.Operation(operator=ir.Operator.NEGATE | ir.Operator.TO_REAL, operands=(only,)):
            return _is_literal(only)
        case _:
            return False


def public_term(fragment: PathFragment, expression: ir.Expression) -> FNode:
    """An expression over public parameters as a term; the same in both runs."""
    values = Globals(fragment.mechanism).names()
    return Evaluator(fragment, LEFT, values, lambda *_: None, no_element).term(expression)


def no_element(side: int, element: ir.Element, index: FNode) -> FNode:
    """For expressions that read no local list.  Raises KeyError."""
    raise KeyError(element.source)


def as_real(term: FNode) -> FNode:
    """A number or truth value as a real; true counts 1."""
    if sort_of(term) == BOOL:
        return choose(term, constant(1, REAL), constant(0, REAL))
    return to_real(term)


def as_integer(term: FNode) -> FNode:
    """A truth value as an integer; true counts 1."""
    return choose(term, constant(1, INT), constant(0, INT))


def _same(left: tuple[FNode, ...], right: tuple[FNode, ...]) -> FNode:
    return all_of(equal(first, second) for first, second in zip(left, right, strict=True))


def _minimum(operands: tuple[FNode, ...]) -> FNode:
    result = operands[0]
    for other in operands[1:]:
        result = choose(less_equal(result, other), result, other)
    return result


def _maximum(operands: tuple[FNode, ...]) -> FNode:
    result = operands[0]
    for other in operands[1:]:
        result = choose(less_equal(other, result), result, other)
    return result


_LINEAR: dict[ir.Operator, Callable[[tuple[FNode, ...]], FNode]] = {
    ir.Operator.ADD: lambda terms: add(*terms),
    ir.Operator.SUBTRACT: lambda terms: subtract(terms[0], terms[1]),
    ir.Operator.NEGATE: lambda terms: scaled(-1, terms[0]),
    ir.Operator.EQUAL: lambda terms: equal(terms[0], terms[1]),
    ir.Operator.LESS: lambda terms: less(terms[0], terms[1]),
    ir.Operator.LESS_EQUAL: lambda terms: less_equal(terms[0], terms[1]),
    ir.Operator.AND: all_of,
    ir.Operator.OR: any_of,
    ir.Operator.NOT: lambda terms: negate(terms[0]),
    ir.Operator.IF: lambda terms: choose(terms[0], terms[1], terms[2]),
    ir.Operator.TO_REAL: lambda terms: to_real(terms[0]),
    ir.Operator.ABSOLUTE: lambda terms: absolute(terms[0]),
    ir.Operator.MINIMUM: _minimum,
    ir.Operator.MAXIMUM: _maximum,
}


_NEAREST = {
    ir.Operator.FLOOR: ((less, Fraction(-1)), (less_equal, Fraction(0))),
    ir.Operator.CEILING: ((less_equal, Fraction(0)), (less, Fraction(1))),
    ir.Operator.ROUND: ((less_equal, Fraction(-1, 2)), (less_equal, Fraction(1, 2))),
}
"""By how much an integer differs at most from the real that it is made of."""


def _facts(operator: ir.Operator, operands: tuple[FNode, ...], result: FNode) -> list[FNode]:
    """What linear arithmetic can say about an operation outside of it."""
    if operator in _NEAREST and sort_of(operands[0]) == REAL:
        gap = subtract(to_real(result), operands[0])
        (above, low), (below, high) = _NEAREST[operator]
        return [above(constant(low, REAL), gap), below(gap, constant(high, REAL))]
    if operator is ir.Operator.TRUNCATE and sort_of(operands[0]) == REAL:
        zero, one, rest = constant(0, REAL), constant(1, REAL), subtract(operands[0], to_real(result))
        below = implies(less_equal(zero, operands[0]), all_of((less_equal(zero, rest), less(rest, one))))
        above = implies(
            less_equal(operands[0], zero), all_of((less(constant(-1, REAL), rest), less_equal(rest, zero)))
        )
        return [below, above]
    if operator in (ir.Operator.FLOOR_DIVIDE, ir.Operator.MODULO) and sort_of(operands[0]) == INT:
        return _division_facts(operator, operands, result)
    if operator in (ir.Operator.MULTIPLY, ir.Operator.DIVIDE, ir.Operator.SQUARE_ROOT):
        return _sign_facts(operator, operands, result)
    if operator is ir.Operator.EXPONENTIAL:
        return [less(constant(0, REAL), result)]
    if operator is ir.Operator.LOGARITHM and operands[0].is_toreal():  # of other logarithms nobody asked
        zero, one = constant(0, REAL), constant(1, REAL)
        return [implies(less_equal(one, operands[0]), less_equal(zero, result))]
    if operator is ir.Operator.POWER:
        zero = constant(0, sort_of(operands[0]))
        return [implies(less(zero, operands[0]), less(zero, result))]
    return []


def _sign_facts(operator: ir.Operator, operands: tuple[FNode, ...], result: FNode) -> list[FNode]:
    """On which side of 0 a product, quotient or root lies."""
    zero = constant(0, sort_of(result))
    positive = implies(all_of(less(zero, item) for item in operands), less(zero, result))
    if operator is ir.Operator.SQUARE_ROOT:
        return [less_equal(zero, result), positive]
    divides = operator is ir.Operator.DIVIDE
    sides = [less if divides and place else less_equal for place in range(len(operands))]
    some = all_of(side(zero, item) for side, item in zip(sides, operands, strict=True))
    return [implies(some, less_equal(zero, result)), positive]


def _division_facts(operator: ir.Operator, operands: tuple[FNode, ...], result: FNode) -> list[FNode]:
    dividend, divisor = operands
    zero = constant(0, INT)
    positive = less(zero, divisor)
    value = number_value(divisor)
    if operator is ir.Operator.MODULO:
        return [
            implies(positive, all_of((less_equal(zero, result), less(result, divisor)))),
            implies(all_of((positive, less_equal(zero, dividend))), less_equal(result, dividend)),
        ]
    if value is not None and value > 0:
        rest = subtract(dividend, scaled(value, result))
        return [less_equal(zero, rest), less(rest, divisor)]
    return [
        implies(
            all_of((positive, less_equal(zero, dividend))),
            all_of((less_equal(zero, result), less_equal(result, dividend))),
        )
    ]
