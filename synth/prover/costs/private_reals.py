"""What holds of private values over the reals: of which limits and distances it follows, and what it costs.

Programs are compared in linear arithmetic, where a product of private data and exp(eps) is opaque.  So a
statement about such values is cut in two: linear facts about the private parts that it is made of, which hold
where control is, and a question about all reals of which these hold.  It is asked as the kernel asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations, product

from synth.bounds.logarithms import loss
from synth.bounds.scales import NotConstant, Scales, rational
from synth.trusted.kernel.rules.finite_draws import within_factor
from synth.trusted.kernel.solvers import GaveUp, script
from synth.trusted.kernel.solvers import holds as is_unsatisfiable
from synth.trusted.logic.arithmetic.polynomials import at_most, over_reals
from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.encoding import Evaluation, public_term
from synth.trusted.logic.inputs import Inputs, within
from synth.trusted.logic.terms import TRUE, BadTerm, Term
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.substitution import mapped

Range = tuple[ir.Expression | None, ir.Expression | None]
"""The lowest and the highest value, over public parameters; None where none is known."""

MILLISECONDS = 2000
MAX_LEAVES = 3
MAX_PRICES = 16
"""A statement about more private parts, or prices beyond, are not looked at."""

_ANY: Range = (None, None)
_ARITHMETIC = frozenset(
    {
        ir.Operator.ADD,
        ir.Operator.SUBTRACT,
        ir.Operator.MULTIPLY,
        ir.Operator.DIVIDE,
        ir.Operator.NEGATE,
        ir.Operator.TO_REAL,
        ir.Operator.EXPONENTIAL,
        ir.Operator.LOGARITHM,
        ir.Operator.SQUARE_ROOT,
        ir.Operator.AND,
        ir.Operator.LESS,
        ir.Operator.LESS_EQUAL,
    }
)
"""What a question about reals takes apart; all else is one number."""


@dataclass(frozen=True)
class Grounds:
    """Of what a statement about private values follows over the reals.

    ``leaves`` are the private numbers that it is about, ``definitions`` say what variables between them and
    it are, ``limits`` in which range leaves lie, ``apart`` how far from each other in the two runs.
    ``marks`` are exponentials to compare those of the statement with: that they are positive is always true.
    """

    leaves: tuple[ir.Expression, ...] = ()
    definitions: tuple[ir.Expression, ...] = ()
    limits: tuple[ir.Expression, ...] = ()
    apart: tuple[tuple[ir.Expression, ir.Expression], ...] = ()
    marks: tuple[ir.Expression, ...] = ()

    @property
    def of_one_run(self) -> tuple[ir.Expression, ...]:
        """What is said of each run by itself."""
        return (*self.definitions, *self.limits, *self.marks)


@dataclass(frozen=True)
class Price:
    """What it costs that run 1's outcome has one private chance and run 2's another, and why."""

    first: ir.Expression
    second: ir.Expression
    cost: ir.Expression
    grounds: Grounds


def given(mechanism: ir.Mechanism, grounds: Grounds, *, single: bool) -> Iterator[Term]:
    """Return the grounds in the words of a certificate, over the state of both runs."""
    names = [*mechanism.variables, *(item.name for item in mechanism.parameters)]
    inputs = Inputs(mechanism, {})

    def term(expression: ir.Expression, run: int) -> Term:
        values: dict[str, Term] = {name: f"|{name}<{run}>|" for name in names}
        values |= {f"len({name})": f"|len({name})<{run}>|" for name in mechanism.lists}
        return Evaluation(inputs, run, values).term(expression)

    for run in (1,) if single else (1, 2):
        yield from (term(item, run) for item in grounds.of_one_run)
    for leaf, distance in () if single else grounds.apart:
        number = builders.convert(leaf, ir.Sort.REAL)
        yield within(("-", term(number, 1), term(number, 2)), term(distance, 1))


@dataclass(frozen=True)
class PrivateReals:
    """Asks questions about the private values of one mechanism; ``holds`` answers those about public ones."""

    mechanism: ir.Mechanism
    holds: Callable[[ir.Expression], bool]
    unknowns: dict[Term, Term] = field(default_factory=dict)

    @cached_property
    def scales(self) -> Scales:
        """What is public."""
        return Scales(self.mechanism)

    def nonnegative(self, item: ir.Expression) -> bool:
        """Whether a public number is shown to be at least 0."""
        return self.holds(builders.less_equal(builders.zero(item.sort), item))

    @cached_property
    def values(self) -> Mapping[str, Sequence[ir.Expression]]:
        """All that each variable is assigned, of those that no draw assigns."""
        found: dict[str, list[ir.Expression]] = {}
        drawn: set[str] = set()
        for item in ir.statements(self.mechanism.body):
            match item:
                case ir.Assign(target=name, value=assigned):
                    found.setdefault(name, []).append(assigned)
                case ir.Draw(target=name) | ir.Choose(target=name):
                    drawn.add(name)
        return {name: items for name, items in found.items() if name not in drawn}

    # --- of what a statement is made ----------------------------------------------------------

    def grounds(self, *statements: ir.Expression) -> Grounds | None:
        """Return what is known of the private parts of statements; None if there are none, or too many."""
        leaves: dict[ir.Expression, None] = {}
        definitions: dict[str, ir.Expression] = {}
        for item in statements:
            self._take_apart(item, leaves, definitions)
        if not 0 < len(leaves) <= MAX_LEAVES or any(leaf.sort is ir.Sort.BOOL for leaf in leaves):
            return None
        equations = tuple(
            builders.equal(ir.Variable(name, defined.sort), defined) for name, defined in definitions.items()
        )
        limits = [limit for leaf in leaves for limit in self._limits(leaf)]
        limits += dict.fromkeys(limit for item in statements for limit in self._divisors(item))
        apart = [(leaf, distance) for leaf in leaves if (distance := self.distance(leaf)) is not None]
        return Grounds(tuple(leaves), equations, tuple(limits), tuple(apart))

    def _take_apart(
        self, item: ir.Expression, leaves: dict[ir.Expression, None], definitions: dict[str, ir.Expression]
    ) -> None:
        match item:
            case ir.Operation(operator=operator, operands=operands) if operator in _ARITHMETIC:
                for operand in operands:
                    self._take_apart(operand, leaves, definitions)
            case ir.Variable(name=name) if name in self.scales.public or name in definitions:
                pass
            case ir.Variable(name=name) if (inner := self._inner(item)) is not None:
                definitions[name] = inner
                self._take_apart(inner, leaves, definitions)
            case _ if self.public(item) is None:
                leaves[item] = None

    def _inner(self, variable: ir.Variable) -> ir.Expression | None:
        """What the one assignment of a variable computes, in arithmetic; None if it isn't so."""
        defined = self.scales.definitions.get(variable.name)
        defined = None if defined is None else mapped(defined, self._constant)
        match defined:
            case ir.Variable():
                return defined
            case ir.Operation(operator=operator) if operator in _ARITHMETIC:
                return defined
            case _ if defined is not None and self.public(defined) is not None:
                return defined
        return None

    def _constant(self, part: ir.Expression) -> ir.Expression | None:
        """The number that a variable stands for; None if it isn't one: the kernel multiplies by numbers."""
        found = self.public(part) if isinstance(part, ir.Variable) else None
        return found if isinstance(found, ir.Constant) else None

    def written_out(self, item: ir.Expression) -> ir.Expression:
        """Return an expression over leaves, without the variables between."""
        return mapped(
            item,
            lambda part: (
                self.written_out(inner)
                if isinstance(part, ir.Variable)
                and part.name not in self.scales.public
                and (inner := self._inner(part)) is not None
                else None
            ),
        )

    def public(self, item: ir.Expression) -> ir.Expression | None:
        """Return an expression over public parameters; None if it is none."""
        try:
            return self.scales.resolve(item, self.mechanism.span)
        except NotConstant:
            return None

    def _limits(self, leaf: ir.Expression) -> Iterator[ir.Expression]:
        low, high = self.range(leaf)
        number = builders.convert(leaf, ir.Sort.REAL)
        if low is not None:
            yield builders.less_equal(low, number)
        if high is not None:
            yield builders.less_equal(number, high)

    def _divisors(self, item: ir.Expression) -> Iterator[ir.Expression]:
        """That parameters aren't 0 by which is divided: where control is, more may be known than of all."""
        for part in ir.subexpressions(self.written_out(item)):
            match part:
                case ir.Operation(ir.Operator.DIVIDE, (_, ir.Variable() as divisor)):
                    nonzero = builders.negate(builders.equal(divisor, builders.zero(ir.Sort.REAL)))
                    if self.public(divisor) is not None and not self.holds(nonzero):
                        yield nonzero

    # --- ranges -------------------------------------------------------------------------------

    def range(self, item: ir.Expression, inside: frozenset[str] = frozenset()) -> Range:
        """Return between what an expression lies, as far as clipping tells."""
        known = self.public(item)
        if known is not None:
            real = builders.convert(known, ir.Sort.REAL)
            return real, real
        match item:
            case ir.Variable(name=name) if name in self.values and name not in inside:
                found = self._hull([self.range(value, inside | {name}) for value in self.values[name]])
                return found if found != _ANY else self._assigned(name)
            case ir.Operation(ir.Operator.IF, (_, *sides)):
                return self._hull([self.range(side, inside) for side in sides])
            case ir.Operation(operator, operands):
                return self._applied(operator, [self.range(operand, inside) for operand in operands])
        return _ANY

    def _assigned(self, name: str) -> Range:
        """The least and the greatest public number that a variable is assigned: it may be clipped to it."""
        known = (self.public(item) for item in self.values[name])
        ends = [builders.convert(end, ir.Sort.REAL) for end in known if end is not None]
        low, high = (self._extreme(ends, least=least) for least in (True, False))
        return _ANY if low == high else (low, high)

    def _applied(self, operator: ir.Operator, items: Sequence[Range]) -> Range:
        match operator, items:
            case ir.Operator.TO_REAL, [only]:
                return only
            case ir.Operator.NEGATE, [(low, high)]:
                return _opposite(high), _opposite(low)
            case ir.Operator.ADD, [(low, high), (other_low, other_high)]:
                return _sum(low, other_low), _sum(high, other_high)
            case ir.Operator.SUBTRACT, [first, (low, high)]:
                return self._applied(ir.Operator.ADD, [first, (_opposite(high), _opposite(low))])
            case ir.Operator.MAXIMUM, _:
                return self._extreme([low for low, _ in items if low], least=False), self._hull(items)[1]
            case ir.Operator.MINIMUM, _:
                return self._hull(items)[0], self._extreme([high for _, high in items if high], least=True)
        return _ANY

    def _hull(self, items: Sequence[Range]) -> Range:
        lows, highs = [low for low, _ in items if low], [high for _, high in items if high]
        return (
            self._extreme(lows, least=True) if len(lows) == len(items) else None,
            self._extreme(highs, least=False) if len(highs) == len(items) else None,
        )

    def _extreme(self, items: Sequence[ir.Expression], *, least: bool) -> ir.Expression | None:
        """The least or the greatest of public numbers; None if it isn't known which that is."""
        for item in items:
            apart = [builders.subtract(*((other, item) if least else (item, other))) for other in items]
            if all(map(self.nonnegative, apart)):
                return item
        return None

    # --- distances ----------------------------------------------------------------------------

    def distance(self, item: ir.Expression) -> ir.Expression | None:
        """Return by how much an expression may differ between the runs, over public parameters."""
        if self.public(item) is not None:
            return builders.zero(ir.Sort.REAL)
        match item:
            case ir.Variable(name=name) if name in self.scales.definitions:
                return self.distance(self.scales.definitions[name])
            case ir.Variable(name=source) | ir.Read(source=source):
                found = [part for part in self.mechanism.parameters if part.name == source]
                return found[0].metric.bound if found and found[0].metric is not None else None
            case ir.Operation(ir.Operator.TO_REAL | ir.Operator.NEGATE | ir.Operator.ABSOLUTE, (inner,)):
                return self.distance(inner)
            case ir.Operation(ir.Operator.ADD | ir.Operator.SUBTRACT, (first, second)):
                return _sum(self.distance(first), self.distance(second))
            case ir.Operation(ir.Operator.MINIMUM | ir.Operator.MAXIMUM, operands):
                each = [self.distance(operand) for operand in operands]
                known = [item for item in each if item is not None]
                return self._extreme(known, least=False) if len(known) == len(each) else None
            case ir.Operation(ir.Operator.MULTIPLY | ir.Operator.DIVIDE as operator, (first, second)):
                if operator is ir.Operator.MULTIPLY and self.public(second) is None:
                    first, second = second, first
                return self._scaled(operator, self.distance(first), self.public(second))
        return None

    def _scaled(
        self, operator: ir.Operator, distance: ir.Expression | None, factor: ir.Expression | None
    ) -> ir.Expression | None:
        """A distance times the size of a public factor, or divided by it."""
        if distance is None or factor is None:
            return None
        size = next((item for item in (factor, _opposite(factor)) if item and self.nonnegative(item)), None)
        if size is None:
            return None
        if operator is ir.Operator.DIVIDE:
            return builders.divide(distance, builders.convert(size, ir.Sort.REAL))
        return builders.arithmetic(operator, distance, size)

    # --- questions ----------------------------------------------------------------------------

    def shows(self, condition: ir.Expression) -> Grounds | None:
        """Return of what a condition on one run follows, if it is about private reals and does."""
        grounds = self.grounds(condition)
        if grounds is None or not _is_nonlinear(self, condition):
            return None
        return grounds if self._follows(lambda: self._real(condition, 1), grounds, single=True) else None

    def price(
        self, first: ir.Expression, second: ir.Expression, likely: Sequence[ir.Expression]
    ) -> Price | None:
        """Return the least cost that is found to pay for one chance in run 1 and the other in run 2."""
        known = self.grounds(first, second)
        if known is None:
            return None
        marks, sums = self._marks(first, second, *known.definitions)
        grounds = replace(known, marks=marks)
        corners = list(self._corners(self.written_out(first), self.written_out(second), known))
        tried = [Price(first, second, cost, grounds) for cost in corners[:MAX_PRICES]]
        enough = next(filter(self.pays, tried), None)
        if enough is not None:
            return self._shortened(enough)
        found = [cost for cost in (*likely, *sums) if self.pays(Price(first, second, cost, grounds))]
        least = self._extreme(found, least=True) if found else None
        return self._shortened(Price(first, second, least or found[0], grounds)) if found else None

    def _shortened(self, price: Price) -> Price:
        """The price without the limits, or the distances, if it follows without them."""
        for shorter in (replace(price.grounds, limits=()), replace(price.grounds, apart=())):
            if self.pays(replace(price, grounds=shorter)):
                return replace(price, grounds=shorter)
        return price

    def in_common(self, prices: Sequence[Price]) -> ir.Expression | None:
        """Return the highest of some costs, if one of them pays for all: one draw has one outcome."""
        costs = dict.fromkeys(item.cost for item in prices)
        return next(
            (cost for cost in costs if all(self.pays(replace(item, cost=cost)) for item in prices)), None
        )

    def _marks(self, *items: ir.Expression) -> tuple[tuple[ir.Expression, ...], list[ir.Expression]]:
        """Exponentials larger by as much as those in the items may change, and what these changes come to."""
        changes: dict[ir.Expression, ir.Expression] = {}
        for item in items:
            for part in ir.subexpressions(item):
                match part:
                    case ir.Operation(ir.Operator.EXPONENTIAL, (exponent,)) if self.public(exponent) is None:
                        distance = self.distance(exponent)
                        if distance is not None:
                            changes[exponent] = distance
        total: ir.Expression = builders.zero(ir.Sort.REAL)
        larger = (builders.add(most, item) for item, most in changes.items())
        marks = tuple(
            builders.less(total, ir.Operation(ir.Operator.EXPONENTIAL, (item,), ir.Sort.REAL))
            for item in larger
        )
        for most in changes.values():
            total = builders.add(total, most)
        return marks, list(dict.fromkeys((*changes.values(), total))) if changes else []

    def _corners(
        self, first: ir.Expression, second: ir.Expression, grounds: Grounds
    ) -> Iterator[ir.Expression]:
        """The logarithms of ratios of the chances where leaves are at the ends of their ranges."""
        seen: set[ir.Expression] = set()
        for one, other in self._ends(grounds):
            try:
                values = [self.public(_at(item, at)) for item, at in ((first, one), (second, other))]
                if values[0] is None or values[1] is None or rational(values[1]).is_zero():
                    continue
                if rational(values[0]).is_zero():
                    continue
                cost = loss(values[0], values[1])
            except ZeroDivisionError:
                continue
            if cost not in seen:
                seen.add(cost)
                yield cost

    def _ends(self, grounds: Grounds) -> Iterator[tuple[Mapping[ir.Expression, ir.Expression], ...]]:
        distances = dict(grounds.apart)
        ranges = [self.range(leaf) for leaf in grounds.leaves]
        if any(end is None for ends in ranges for end in ends):
            return
        if len(grounds.leaves) == 1 and grounds.leaves[0] in distances:
            (leaf,), ((low, high),) = grounds.leaves, ranges
            assert low is not None and high is not None
            most = distances[leaf]
            if self.nonnegative(builders.subtract(builders.subtract(high, low), most)):
                for ends in (low, builders.add(low, most)), (builders.subtract(high, most), high):
                    yield from permutations([{leaf: end} for end in ends], 2)
        corners = [dict(zip(grounds.leaves, ends, strict=True)) for ends in product(*ranges)]
        yield from permutations(corners, 2)

    def pays(self, price: Price) -> bool:
        """Whether the price is shown to be enough."""
        worth = public_term(price.cost, self._scalars, self._inputs)
        if worth is None:
            return False

        def goal() -> Term:
            enough = within_factor(self._real(price.first, 1), self._real(price.second, 2), worth)
            return ("and", at_most("0.0", worth), enough)

        return self._follows(goal, price.grounds, single=False)

    def _follows(self, goal: Callable[[], Term], grounds: Grounds, *, single: bool) -> bool:
        requires = public_term(self.mechanism.requires, self._scalars, self._inputs) or TRUE
        try:
            premises = [self._over_reals(item) for item in given(self.mechanism, grounds, single=single)]
            says = Code.GIVEN_NOT_SHOWN()
            text = script(Condition("", "", says, (requires, *premises), goal(), None))
            return is_unsatisfiable(text, "z3", MILLISECONDS)
        except (GaveUp, BadTerm, KeyError):
            return False

    @cached_property
    def _inputs(self) -> Inputs:
        return Inputs(self.mechanism, {})

    @cached_property
    def _scalars(self) -> Mapping[str, Term]:
        return self._inputs.scalars()

    def _real(self, expression: ir.Expression, run: int) -> Term:
        """An expression in one run over the reals."""
        names = [*self.mechanism.variables, *(item.name for item in self.mechanism.parameters)]
        values: dict[str, Term] = {name: f"|{name}<{run}>|" for name in names}
        return self._over_reals(Evaluation(self._inputs, run, values).term(expression))

    def _over_reals(self, term: Term) -> Term:
        public = {f"|{name}<{run}>|": self._scalars[name] for name in self._scalars for run in (1, 2)}

        def unknown(application: Term) -> Term | None:
            head = str(application[0])
            if not head.startswith("|") or ":" in head:
                return None
            return self.unknowns.setdefault(application, f"|entry#{len(self.unknowns)}|")

        return over_reals(term, lambda name: public.get(name, name), unknown)


def _is_nonlinear(reals: PrivateReals, condition: ir.Expression) -> bool:
    """Whether an expression has a product or quotient of private numbers with others that are no numbers."""
    for part in ir.subexpressions(reals.written_out(condition)):
        match part:
            case ir.Operation(ir.Operator.MULTIPLY | ir.Operator.DIVIDE, (first, second)):
                if reals.public(part) is None and not any(_is_number(item) for item in (first, second)):
                    return True
            case ir.Operation(ir.Operator.EXPONENTIAL | ir.Operator.LOGARITHM):
                if reals.public(part) is None:
                    return True
    return False


def _is_number(item: ir.Expression) -> bool:
    return rational(item).constant_value() is not None


def _at(item: ir.Expression, values: Mapping[ir.Expression, ir.Expression]) -> ir.Expression:
    """An expression with numbers in the place of leaves."""
    return mapped(item, values.get)


def _opposite(item: ir.Expression | None) -> ir.Expression | None:
    match item:
        case None:
            return None
        case ir.Operation(ir.Operator.NEGATE, (inner,)):
            return inner
        case _:
            return builders.opposite(item)


def _sum(one: ir.Expression | None, other: ir.Expression | None) -> ir.Expression | None:
    return None if one is None or other is None else builders.add(one, other)
