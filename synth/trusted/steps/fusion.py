"""Fused draws: statements that compute one value from draws of finitely many values become one draw of it.

Theorem.  Let P' be P with a window replaced as :func:`fused` does, and let its side conditions hold.  If all
runs of P' meet their obligations, then so do all runs of P, and for each input both have the same law of the
output.  The proof is in docs/certificates.md, "Fused draws"; in short:

- For a state s let T(s, o) be the chance that the window, started in s, ends with the target o.  Backwards
  over the window, T is the weakest pre-expectation of "the target is o" (McIver & Morgan 2005): x := e puts e
  for x; a branch chooses; a draw of a truth value sums over two values; a draw of an integer sums over all
  integers, which is shown by the closed form S of the sums below j: S(j+1) - S(j) is the term at j, and S is
  0 below all bounds, and the stated value above them.
- T is compared with the law of the draw for all s in which the obligations of P' hold, and for all o.  On the
  way through the window only those count that are about what the window does not assign.
- Of what the window assigns, P' reads nothing but the target.  So the states of the two programs agree on all
  that P' reads, and go on alike.
- The obligations of the window are about what it does not assign, and follow from those of P' and from the
  conditions of the branches around them that are about such values, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from synth.trusted.logic.codes import Code
from synth.trusted.logic.conditions import Condition
from synth.trusted.logic.encoding import Evaluation, list_length, signatures
from synth.trusted.logic.inputs import SORTS, Inputs, public_name
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import (
    BOOL,
    INT,
    REAL,
    TRUE,
    BadTerm,
    Term,
    app,
    conjunction,
    disjunction,
    negation,
    size,
    sort_of,
    substitute,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, expressions, names, with_blocks
from synth.trusted.program.fused_draws import Rated, Sums, Total, Window
from synth.trusted.program.substitution import replaced
from synth.trusted.reasons import Reason
from synth.trusted.steps.case_splits import Splitter
from synth.trusted.steps.fusion_codes import FusionCode

RULE = "Fuse"
OUTCOME = "|outcome#|"
"""The value that the window ends with.  No variable has such a symbol."""

DRAWN = {INT: "|drawn#Int|", BOOL: "|drawn#Bool|"}
"""The value of the draw that is looked at, by its sort."""

MAX_ATOMS = 50_000
"""Atoms of an expectation, at the most, as often as they occur."""

EXPONENTIAL, PRODUCT = "|exp:Real|", "|*:Real,Real|"
NO_INDEX: Mapping[str, Term] = {}


def fused(mechanism: ir.Mechanism, window: Window) -> tuple[ir.Mechanism, tuple[Condition, ...]]:
    """The program with one draw in place of the window, and the side conditions of that.  Raises Rejected."""
    found: list[Body] = []

    def change(body: Body, start: int) -> Body:
        stop = start + window.length
        if not 0 <= start < stop <= len(body):
            raise Rejected(RULE, "window", FusionCode.NO_SUCH_PLACE())
        found.append(body[start:stop])
        return (*body[:start], *window.obligations, window.draw, *body[stop:])

    after = replace(mechanism, body=changed_at(mechanism.body, window.place, change))
    check = _Check(mechanism)
    try:
        check.window(found[0], window, after)
    except BadTerm as error:
        raise Rejected(RULE, "window", error.why) from None
    return after, tuple(check.conditions)


def rated(mechanism: ir.Mechanism, step: Rated) -> tuple[ir.Mechanism, tuple[Condition, ...]]:
    """The program with another score and rate for a draw, and the side conditions.  Raises Rejected.

    The products are compared where ``requires`` holds, as far as it speaks of what the program never assigns.
    """
    check = _Check(mechanism)
    written = assigned(mechanism.body)
    kept = (item for item in builders.conjuncts(mechanism.requires) if not names(item) & written)

    def change(body: Body, start: int) -> Body:
        choice = body[start] if 0 <= start < len(body) else None
        if not isinstance(choice, ir.Choose) or not isinstance(choice.law, ir.Weights):
            raise Rejected(RULE, "rated", Code.CHOOSES_BY_CHANCES())
        score = replaced(step.score, {step.index: ir.Variable(choice.index, choice.sort)})
        law = replace(choice.law, score=score, rate=step.rate)
        (inside, old), (_, new) = (check.product(choice, item) for item in (choice.law, law))
        check.same(FusionCode.PRODUCT_CHANGED(), old, new, inside)
        return (*body[:start], replace(choice, law=law), *body[start + 1 :])

    try:
        check.known = conjunction([check.term(item, BOOL) for item in kept])
        after = replace(mechanism, body=changed_at(mechanism.body, step.place, change))
    except BadTerm as error:
        raise Rejected(RULE, "rated", error.why) from None
    return after, tuple(check.conditions)


def changed_at(body: Body, place: tuple[int, ...], change: Callable[[Body, int], Body]) -> Body:
    """The body with what is at a place changed.  Raises Rejected."""
    match place:
        case (start,):
            return change(body, start)
        case (number, side, *rest) if 0 <= number < len(body) and 0 <= side < len(ir.blocks(body[number])):
            sides = iter(range(len(ir.blocks(body[number]))))
            inner = with_blocks(
                body[number],
                lambda part: changed_at(part, tuple(rest), change) if next(sides) == side else part,
            )
            return (*body[:number], inner, *body[number + 1 :])
        case _:
            raise Rejected(RULE, "window", FusionCode.NO_SUCH_PLACE())


@dataclass
class _Check:
    """Collects the side conditions of one step, in any state of one run of a program."""

    mechanism: ir.Mechanism
    known: Term = TRUE
    outcome: Mapping[str, Term] = field(default_factory=dict)
    sums: list[Sums] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)

    def __post_init__(self) -> None:
        visible = tuple(replace(item, metric=None) for item in self.mechanism.visible)
        inputs = Inputs(replace(self.mechanism, parameters=visible, facts=()), {})
        scalars = {item.name: item.sort for item in visible if item.kind is ir.ParameterKind.SCALAR}
        sorts = {name: SORTS[sort] for name, sort in {**scalars, **self.mechanism.variables}.items()}
        sorts |= {list_length(name): INT for name in self.mechanism.lists}
        self.values: dict[str, Term] = {name: public_name(name) for name in sorts}
        self.symbols = {**inputs.signatures(), EXPONENTIAL: ((REAL,), REAL), PRODUCT: ((REAL, REAL), REAL)}
        self.symbols |= {public_name(name): ((), sort) for name, sort in sorts.items()}
        self.symbols |= {symbol: ((), sort) for sort, symbol in DRAWN.items()}
        self.evaluation = Evaluation(inputs, 1, self.values, known=self.symbols)
        self.evaluation.facts += inputs.facts()
        self.splitter = Splitter(self.symbols)

    # --- the window -------------------------------------------------------------------------

    def window(self, body: Body, window: Window, after: ir.Mechanism) -> None:
        """Ask for all that makes the window and what replaces it alike."""
        draw, written = window.draw, assigned(body)
        for name in written - {draw.target}:
            if any(name in names(item) for part in ir.statements(after.body) for item in expressions(part)):
                raise Rejected(RULE, "window", FusionCode.STILL_READ(name=name))
        self._named(draw)
        if not isinstance(draw.law, ir.Chances):
            raise Rejected(RULE, "window", Code.CHOOSES_BY_WEIGHTS())
        draws = [item for item in ir.statements(body) if isinstance(item, ir.Choose)]
        if len(draws) != len(window.sums):
            raise Rejected(RULE, "window", FusionCode.NOT_THE_SUMS(given=len(window.sums), needed=len(draws)))
        self.sums = list(window.sums)
        kept = (item.condition for item in window.obligations)
        asked = [(self.term(item, BOOL), names(item) & written) for item in kept]
        self.known = conjunction([term for term, changed in asked if not changed])
        self._safe(body, written, ())
        self.symbols |= {OUTCOME: ((), SORTS[draw.sort])}
        law = self._chance(draw, draw.law, OUTCOME)
        self.outcome = {draw.index: OUTCOME}
        final = app("ite", app("=", public_name(draw.target), OUTCOME), "1.0", "0.0")
        self.same(FusionCode.CHANCES_CHANGED(), self._before(body, final), law)

    def _safe(self, body: Body, written: set[str], guards: tuple[Term, ...]) -> None:
        """Each obligation follows from those that are kept, and from the branches around it."""
        for item in body:
            match item:
                case ir.Obligation(condition=condition):
                    if names(condition) & written:
                        raise Rejected(RULE, "window", FusionCode.ASKS_OF_ASSIGNED(line=item.span.line))
                    says = FusionCode.OBLIGATION_DROPPED(line=item.span.line)
                    holds = app("ite", self.term(condition, BOOL), "1.0", "0.0")
                    self.same(says, holds, "1.0", *guards)
                case ir.If(condition=condition, then=then, otherwise=otherwise):
                    for test, side in ((condition, then), (builders.negate(condition), otherwise)):
                        parts = (part for part in builders.conjuncts(test) if not names(part) & written)
                        self._safe(side, written, (*guards, *(self.term(part, BOOL) for part in parts)))
                case _:
                    pass

    # --- expectations -----------------------------------------------------------------------

    def _before(self, body: Body, after: Term) -> Term:
        """The weakest pre-expectation; the sums are used up from the last draw to the first one."""
        for statement in reversed(body):
            match statement:
                case ir.Assign(target=name, value=value):
                    symbol = public_name(name)
                    after = substitute(after, {symbol: self.term(value, sort_of(symbol, self.symbols))})
                case ir.If(condition=condition, then=then, otherwise=otherwise):
                    other = self._before(otherwise, after)
                    after = app("ite", self.term(condition, BOOL), self._before(then, after), other)
                case ir.Choose():
                    after = self._drawn(statement, after, self.sums.pop())
                case ir.Obligation():
                    pass
                case _:
                    raise Rejected(RULE, "window", FusionCode.MORE_THAN_DRAWS())
            if size(after) > MAX_ATOMS:
                raise BadTerm(Code.TERM_TOO_LONG())
        return after

    def _drawn(self, choice: ir.Choose, after: Term, sums: Sums) -> Term:
        """The expectation before a draw: the sum over its values."""
        self._named(choice)
        drawn = DRAWN[SORTS[choice.sort]]
        if isinstance(choice.law, ir.Chances):
            chance = self._chance(choice, choice.law, drawn)
        elif choice.law.demands:
            raise Rejected(RULE, "window", FusionCode.ASKS_OF_ASSIGNED(line=choice.span.line))
        else:
            inside, exponent = self.product(choice, choice.law)
            weight = app("ite", inside, app(EXPONENTIAL, exponent), "0.0")
            mass = self._total(choice, sums.mass, weight)
            chance = app("ite", inside, app("/", app(EXPONENTIAL, exponent), mass), "0.0")
        term = app("*", chance, substitute(after, {public_name(choice.target): drawn}))
        if choice.sort is ir.Sort.BOOL:
            return app("+", *(substitute(term, {drawn: truth}) for truth in ("true", "false")))
        return self._total(choice, sums.expected, term)

    def _named(self, choice: ir.Choose) -> None:
        """Refuse a draw whose index is a variable, or into a variable of another sort."""
        if choice.index in self.values:
            raise Rejected(RULE, "window", FusionCode.NAME_TAKEN(name=choice.index))
        if self.mechanism.variables.get(choice.target) is not choice.sort or choice.sort is ir.Sort.REAL:
            raise Rejected(RULE, "window", FusionCode.NOT_OF_THE_SORT(name=choice.target))

    def _chance(self, choice: ir.Choose, law: ir.Chances, value: Term) -> Term:
        """The chance of a value; no value has two outcomes."""
        index = {choice.index: value}
        outcomes = [
            (self.term(one, BOOL, index), self.term(other, REAL, index)) for one, other in law.outcomes
        ]
        number = app("+", "0.0", *(app("ite", here, "1.0", "0.0") for here, _ in outcomes))
        some = disjunction([here for here, _ in outcomes])
        self.same(FusionCode.LAW_OVERLAPS(line=choice.span.line), number, app("ite", some, "1.0", "0.0"))
        chance: Term = "0.0"
        for here, probability in reversed(outcomes):
            chance = app("ite", here, probability, chance)
        return chance

    def product(self, choice: ir.Choose, law: ir.Weights) -> tuple[Term, Term]:
        """Where the index of a draw by weights is one, with what is asked of it there; and the exponent."""
        index = {choice.index: DRAWN[INT]}
        demands = [self.term(item.condition, BOOL, index) for item in law.demands]
        inside = [app("<=", "0", DRAWN[INT]), app("<", DRAWN[INT], self.term(law.count, INT)), *demands]
        return conjunction(inside), app(PRODUCT, self.term(law.score, REAL, index), self.term(law.rate, REAL))

    def _total(self, choice: ir.Choose, total: Total | None, term: Term) -> Term:
        """The sum of a term over all integers, after asking for all that makes it the stated one."""
        line = choice.span.line
        if total is None:
            raise Rejected(RULE, "window", FusionCode.NO_SUM(line=line))
        below = self.term(total.below, REAL, {**self.outcome, total.index: DRAWN[INT]})
        whole = self.term(total.value, REAL, self.outcome)
        bounds = [self.term(item, INT, self.outcome) for item in total.bounds]
        next_ = substitute(below, {DRAWN[INT]: app("+", DRAWN[INT], "1")})
        self.same(FusionCode.SUM_GROWS_OTHERWISE(line=line), next_, app("+", below, term))
        below_all = [app("<", DRAWN[INT], item) for item in bounds]
        above_all = [app("<", item, DRAWN[INT]) for item in bounds]
        self.same(FusionCode.SUM_STARTS_OTHERWISE(line=line), below, "0.0", *below_all)
        self.same(FusionCode.SUM_ENDS_OTHERWISE(line=line), below, whole, *above_all)
        return whole

    # --- side conditions --------------------------------------------------------------------

    def term(self, expression: ir.Expression, sort: str, index: Mapping[str, Term] = NO_INDEX) -> Term:
        """An expression in the state before its statement.  Raises BadTerm for one of another sort."""
        self.symbols |= signatures([expression])
        try:
            found = replace(self.evaluation, values={**self.values, **index}).term(expression)
        except KeyError as error:
            raise BadTerm(Code.UNKNOWN_SYMBOL(name=str(error.args[0]))) from None
        if sort_of(found, self.symbols) != sort:
            raise BadTerm(Code.WRONG_SORT(found=sort_of(found, self.symbols), needed=sort))
        return found

    def same(self, says: Reason, left: Term, right: Term, *premises: Term) -> None:
        """Ask that two numbers are equal in all states where the kept obligations and the premises hold."""
        impossible: list[Term] = []
        nonzero: dict[Term, list[Term]] = {}
        guarded = app("ite", conjunction([self.known, *premises]), left, right)
        for case, divisors in self.splitter.differing(guarded, right):
            if divisors is None:
                impossible.append(negation(conjunction(case.path)))
            for divisor in divisors or ():
                path, holds = conjunction([*self.splitter.real_path(case)]), negation(("=", divisor, "0.0"))
                nonzero.setdefault(divisor, []).append(app("=>", path, holds))
        facts = tuple(dict.fromkeys(self.evaluation.facts))
        if impossible:
            goal = conjunction(impossible)
            self.conditions.append(Condition(RULE, "window", says, facts, goal, self.symbols))
        for goals in nonzero.values():
            goal = conjunction(goals)
            self.conditions.append(Condition(RULE, "window", FusionCode.DIVISOR_ZERO(), (), goal, None))
