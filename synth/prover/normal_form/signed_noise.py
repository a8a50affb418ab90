"""A fair coin that is the sign of one-sided noise, to be drawn as noise with two sides.

``s = 1 if random() < 0.5 else -1`` and ``x + s * exponential(0, b)`` become ``x + laplace(0, b)``.  Here are
the programs between: the noise around 0, before the branches of the coin, and with its sign; and the last, in
which what depends on the sign alone is simplified.  All is checked as steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from synth.prover.normal_form.draw_hoisting import Hoister
from synth.prover.normal_form.late_draws import times_assigned, uses_of
from synth.prover.normal_form.one_sided_noise import fresh_name, is_one_sided
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Body,
    assigned,
    changed,
    expressions,
    names,
    with_blocks,
)
from synth.trusted.program.substitution import replaced

_ZERO = builders.zero(ir.Sort.REAL)


@dataclass(frozen=True)
class Signed:
    """The places of a coin and of noise in one body, in the order in which they are drawn."""

    place: tuple[int, ...]
    between: int

    @property
    def together(self) -> tuple[int, ...]:
        """The place of the first draw when it is behind those statements."""
        return (*self.place[:-1], self.place[-1] + self.between)


def may_be_signed(mechanism: ir.Mechanism) -> bool:
    """Whether a program has coins and real noise with one side."""
    found = list(ir.statements(mechanism.body))
    return any(map(is_one_sided, found)) and any(isinstance(item, ir.Choose) for item in found)


def centered(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The program with one-sided noise around 0, to which its centre is added."""
    variables = dict(mechanism.variables)

    def inside(body: Body) -> Body:
        found: list[ir.Statement] = []
        for item in body:
            if isinstance(item, ir.Draw) and is_one_sided(item) and item.arguments[0] != _ZERO:
                name = fresh_name("noise", variables)
                variables[name] = ir.Sort.REAL
                total = builders.add(ir.Variable(name, ir.Sort.REAL), item.arguments[0])
                found += (
                    replace(item, target=name, arguments=(_ZERO, item.arguments[1])),
                    ir.Assign(item.target, total, item.span),
                )
            else:
                found.append(with_blocks(item, inside))
        return tuple(found)

    body = inside(mechanism.body)
    return replace(mechanism, body=body, variables=variables)


def before_branches(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The program with one-sided noise that both sides of a branch draw drawn before it, if coins decide."""
    hoister = _BeforeCoins(mechanism)
    body = hoister.body(mechanism.body)
    return replace(mechanism, body=body, variables={**mechanism.variables, **hoister.variables})


class _BeforeCoins(Hoister):
    """Finds the branches that coins decide."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.coins = _computed_from(
            mechanism := self.mechanism,
            {item.target for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose)},
        )

    def parts(self, condition: ir.Expression) -> bool:
        """Whether coins decide."""
        return bool(names(condition)) and names(condition) <= self.coins


def coins_in_place(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The program with what is computed from coins alone where it is read."""
    times = times_assigned(mechanism.body)
    coins = {item.target for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose)}
    values: dict[str, ir.Expression] = {}
    for item in ir.statements(mechanism.body):
        if isinstance(item, ir.Assign) and times[item.target] == 1:
            value = replaced(item.value, values)
            if names(value) and names(value) <= coins and all(times[name] == 1 for name in names(value)):
                values[item.target] = value

    def inside(body: Body) -> Body:
        return tuple(changed(item, lambda value: replaced(value, values), inside) for item in body)

    return replace(mechanism, body=_without_unread(inside(mechanism.body)))


def signs(mechanism: ir.Mechanism) -> Iterator[Signed]:
    """Where a coin and one-sided noise are drawn in one body and read in one expression."""
    yield from _signs(mechanism.body, (), _known_by_name(mechanism))


def _signs(body: Body, place: tuple[int, ...], known: Mapping[str, ir.Expression]) -> Iterator[Signed]:
    noises = [number for number, item in enumerate(body) if is_one_sided(item)]
    coins = [number for number, item in enumerate(body) if isinstance(item, ir.Choose)]
    together = [_reads(item, known) for item in ir.statements(body)]
    for noise in noises:
        for coin in sorted(coins, key=lambda number: abs(number - noise)):
            pair = {getattr(body[number], "target", "") for number in (noise, coin)}
            if any(pair <= read for read in together):
                first, second = sorted((noise, coin))
                yield Signed((*place, first), second - first - 1)
    for number, item in enumerate(body):
        for side, inner in enumerate(ir.blocks(item)):
            yield from _signs(inner, (*place, number, side), known)


def _reads(statement: ir.Statement, known: Mapping[str, ir.Expression]) -> set[str]:
    """What a statement reads, by what names stand for, or decides and assigns within."""
    found = {name for value in expressions(statement) for name in names(value)}
    if isinstance(statement, ir.If):
        for item in ir.statements((*statement.then, *statement.otherwise)):
            found |= {name for value in expressions(item) for name in names(value)}
    waiting = list(found)
    while waiting:
        value = known.get(waiting.pop())
        more = (names(value) if value is not None else set()) - found
        found |= more
        waiting += more
    return found


def _known_by_name(mechanism: ir.Mechanism) -> Mapping[str, ir.Expression]:
    times = times_assigned(mechanism.body)
    found = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Assign))
    return {item.target: item.value for item in found if times[item.target] == 1}


# --- without the sign ------------------------------------------------------------------------


def without_signs(mechanism: ir.Mechanism, drawn: Collection[str]) -> ir.Mechanism:
    """The program with what depends on the signs of these draws, and needn't, as simple as it can be."""
    body = _Simplifier(frozenset(drawn), uses_of(mechanism.body)).body(mechanism.body, {})
    return replace(mechanism, body=_without_unread(body))


@dataclass(frozen=True)
class _Simplifier:
    drawn: frozenset[str]
    uses: Mapping[str, int]

    def body(self, body: Body, known: Mapping[str, ir.Expression]) -> Body:
        """The body, where names have these values."""
        found: list[ir.Statement] = []
        values = dict(known)
        for item in body:
            for statement in self._merged(item, values):
                found.append(self._statement(statement, values))
                values = _without(values, assigned((statement,)))
                match found[-1]:
                    case ir.Assign(target=name, value=value) if self._is_known(value, name):
                        values[name] = value
        return tuple(found)

    def _statement(self, statement: ir.Statement, values: Mapping[str, ir.Expression]) -> ir.Statement:
        inner = _without(values, assigned((statement,)))
        return changed(
            statement,
            lambda value: self.simplified(replaced(value, values)),
            lambda part: self.body(part, inner),
        )

    def _merged(self, item: ir.Statement, values: Mapping[str, ir.Expression]) -> Body:
        """A branch that a sign decides and that assigns only, as assignments of what is chosen."""
        if not isinstance(item, ir.If) or not names(replaced(item.condition, values)) & self.drawn:
            return (item,)
        asked = tuple(each for side in ir.blocks(item) for each in side if isinstance(each, ir.Obligation))
        sides = [_assignments(side) for side in (item.then, item.otherwise)]
        if sides[0] is None or sides[1] is None:
            return (item,)
        inside = uses_of((item,))
        made = []
        for name in dict.fromkeys((*sides[0], *sides[1])):
            values_of = [side.get(name) for side in sides if side is not None]
            sort = next(value.sort for value in values_of if value is not None)
            one, other = (ir.Variable(name, sort) if value is None else value for value in values_of)
            if None not in values_of or self.uses.get(name, 0) > inside.get(name, 0):
                made.append(ir.Assign(name, builders.choose(item.condition, one, other), item.span))
        read = {name for each in made for name in names(each.value)} & {each.target for each in made}
        return (*asked, *made) if len(made) == 1 or not read else (item,)

    def _is_known(self, value: ir.Expression, name: str) -> bool:
        return bool(names(value)) and names(value) <= self.drawn and name not in self.drawn

    def simplified(self, value: ir.Expression) -> ir.Expression:
        """The expression without conditions on signs that nothing depends on."""
        for name in sorted(names(value) & self.drawn):
            value = self._without(value, ir.Variable(name, ir.Sort.REAL))
        return value

    def _without(self, value: ir.Expression, drawn: ir.Variable) -> ir.Expression:
        if drawn.name not in names(value) or not isinstance(value, ir.Operation):
            return value
        above, below = (_where(value, drawn, positive) for positive in (True, False))
        if above == below or (value.sort is not ir.Sort.BOOL and _terms(above) == _terms(below)):
            return _in_order(above)
        return replace(value, operands=tuple(self._without(item, drawn) for item in value.operands))


def _where(value: ir.Expression, drawn: ir.Variable, positive: bool) -> ir.Expression:
    """An expression where a draw is above 0, or below it or 0."""
    above = builders.less(_ZERO, drawn)
    known = {above: positive, builders.negate(above): not positive}
    if value in known:
        return builders.TRUE if known[value] else builders.FALSE
    if not isinstance(value, ir.Operation):
        return value
    return _made(value, tuple(_where(item, drawn, positive) for item in value.operands))


def _made(value: ir.Operation, operands: tuple[ir.Expression, ...]) -> ir.Expression:
    """The operation on these operands, with what is known of numbers and truth values."""
    match value.operator, operands:
        case ir.Operator.IF, (condition, then, otherwise):
            return builders.choose(condition, then, otherwise)
        case ir.Operator.NOT, (only,):
            return builders.negate(only)
        case ir.Operator.AND, _:
            return builders.both(*operands)
        case ir.Operator.OR, _:
            return builders.either(*operands)
        case ir.Operator.EQUAL, (left, right):
            return builders.equal(left, right)
        case ir.Operator.LESS, (left, right):
            return builders.less(left, right)
        case ir.Operator.LESS_EQUAL, (left, right):
            return builders.less_equal(left, right)
        case ir.Operator.TO_REAL, (only,):
            return builders.convert(only, ir.Sort.REAL)
        case ir.Operator.NEGATE, (only,):
            return builders.opposite(only)
        case ir.Operator.ADD | ir.Operator.SUBTRACT | ir.Operator.MULTIPLY, (left, right):
            return builders.arithmetic(value.operator, left, right)
        case _:
            return replace(value, operands=operands)


def _in_order(value: ir.Expression) -> ir.Expression:
    """A sum with its terms once each, in the order in which they come; other expressions as they are."""
    if value.sort is ir.Sort.BOOL:
        return value
    terms = _terms(value)
    total: ir.Expression | None = None
    for part, factor in terms.items():
        size = ir.Constant(abs(factor) if value.sort is ir.Sort.REAL else int(abs(factor)), value.sort)
        term = part if abs(factor) == 1 else builders.arithmetic(ir.Operator.MULTIPLY, size, part)
        if total is None:
            total = term if factor > 0 else builders.opposite(term)
        else:
            total = builders.add(total, term) if factor > 0 else builders.subtract(total, term)
    return builders.zero(value.sort) if total is None else total


def _terms(value: ir.Expression) -> dict[ir.Expression, Fraction]:
    """The terms of a number with their factors, none of which is 0."""
    terms: dict[ir.Expression, Fraction] = {}
    _add_terms(value, Fraction(1), terms)
    return {part: factor for part, factor in terms.items() if factor}


def _add_terms(value: ir.Expression, factor: Fraction, terms: dict[ir.Expression, Fraction]) -> None:
    match value:
        case ir.Constant(value=number):
            one = ir.Constant(1 if value.sort is ir.Sort.INT else Fraction(1), value.sort)
            terms[one] = terms.get(one, Fraction(0)) + factor * Fraction(number)
        case ir.Operation(ir.Operator.ADD, (left, right)):
            _add_terms(left, factor, terms)
            _add_terms(right, factor, terms)
        case ir.Operation(ir.Operator.SUBTRACT, (left, right)):
            _add_terms(left, factor, terms)
            _add_terms(right, -factor, terms)
        case ir.Operation(ir.Operator.NEGATE, (only,)):
            _add_terms(only, -factor, terms)
        case ir.Operation(ir.Operator.MULTIPLY, (left, right)):
            numbers = [_number(item) for item in (left, right)]
            if numbers[0] is not None:
                _add_terms(right, factor * numbers[0], terms)
            elif numbers[1] is not None:
                _add_terms(left, factor * numbers[1], terms)
            else:
                terms[value] = terms.get(value, Fraction(0)) + factor
        case _:
            terms[value] = terms.get(value, Fraction(0)) + factor


def _number(value: ir.Expression) -> Fraction | None:
    """The number that an expression of numbers alone is."""
    terms: dict[ir.Expression, Fraction] = {}
    if names(value) or any(isinstance(part, ir.Read) for part in ir.subexpressions(value)):
        return None
    _add_terms(value, Fraction(1), terms)
    if all(isinstance(part, ir.Constant) for part in terms):
        return sum(terms.values(), Fraction(0))
    return None


# --- programs ----------------------------------------------------------------------------------


def _computed_from(mechanism: ir.Mechanism, found: set[str]) -> set[str]:
    """Variables that are computed from these alone, too."""
    found = set(found)
    while True:
        more = {
            item.target
            for item in ir.statements(mechanism.body)
            if isinstance(item, ir.Assign) and names(item.value) and names(item.value) <= found
        }
        if more <= found:
            return found
        found |= more


def _assignments(body: Body) -> dict[str, ir.Expression] | None:
    """What a body assigns, each once, beside what it asks for; None where it does something else."""
    found: dict[str, ir.Expression] = {}
    for item in body:
        if isinstance(item, ir.Obligation) and not names(item.condition) & found.keys():
            continue
        if not isinstance(item, ir.Assign) or item.target in found:
            return None
        found[item.target] = replaced(item.value, found)
    return found


def _without(values: Mapping[str, ir.Expression], gone: Collection[str]) -> dict[str, ir.Expression]:
    return {
        name: value for name, value in values.items() if name not in gone and not names(value) & set(gone)
    }


def _without_unread(body: Body) -> Body:
    """The body without assignments of what is read nowhere."""
    counts = (
        item.count for item in ir.statements(body) if isinstance(item, ir.Loop) and item.count is not None
    )
    read = {name for item in ir.statements(body) for value in expressions(item) for name in names(value)}
    read |= {name for value in counts for name in names(value)}

    def inside(part: Body) -> Body:
        kept = (item for item in part if not (isinstance(item, ir.Assign) and item.target not in read))
        return tuple(with_blocks(item, inside) for item in kept)

    shorter = inside(body)
    return shorter if shorter == body else _without_unread(shorter)
