"""Formulas of a certificate as terms of the theories."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from synth.rocq.refusal import Inexpressible
from synth.rocq.statement import FUNCTIONS, INFIX, event_text, integer_term, names_of, real_term, rocq_name
from synth.trusted.logic.encoding import list_length
from synth.trusted.logic.terms import BOOL, INT, REAL, Term, value, write
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import read_event

_SORTS = {ir.Sort.INT: INT, ir.Sort.REAL: REAL, ir.Sort.BOOL: BOOL}
_GETTERS = {INT: "as_int", REAL: "as_real", BOOL: "as_bool"}
_READ_AT = {ir.Sort.INT: "entry", ir.Sort.BOOL: "truth", ir.Sort.REAL: "real_entry"}
_BEFORE = {ir.Sort.INT: "before", ir.Sort.BOOL: "before_truths", ir.Sort.REAL: "before_reals"}
_VARIABLE = re.compile(r"\|(.+)<([12])>\|", re.DOTALL)
_START = re.compile(r"\|(.+)#start<([12])>\|", re.DOTALL)
_PUBLIC = re.compile(r"\|([\w.]+)<>\|")
_LENGTH = re.compile(r"\|len\(([\w.]+)\)\|")
_ENTRIES = re.compile(r"\|([\w.]+)\[\]<([12]?)>\|")
_HIDDEN = re.compile(r"\|([\w.]+)#(upward|changed|change)\|")
_ITEM = re.compile(r"\|([\w.%]+)\[(\d+)\]<([12])>\|")
_INDEX = re.compile(r"\|([\w.%]+)#index\|")
_SPENT, _LATEST = re.compile(r"\|([\w.]+)#spent\|"), re.compile(r"\|([\w.]+)#latest\|")
_COMPARED = {"<=": ("<=", "<=?"), "<": ("<", "<?"), ">=": (">=", ">=?"), ">": (">", ">?")}
_PRODUCT = "|*:Int,Int|"


@dataclass(frozen=True)
class Formulas:
    """Writes formulas about the memories ``m1`` and ``m2``, the log ``L`` and the counters.

    ``counters`` says what stands for a cost, ``sums`` which add up reals; ``read`` up to which index a
    private list has been read.
    """

    mechanism: ir.Mechanism
    events: Mapping[str, str]
    counters: Mapping[str, str]
    sums: frozenset[str] = frozenset()
    read: Mapping[str, Term] = field(default_factory=dict)

    def reading(self, invariant: Sequence[Term]) -> Formulas:
        """The same where an invariant says up to which index each list has been read."""
        found = {item[0]: item[1] for term in invariant if (item := _read_below(term)) is not None}
        return replace(self, read=found)

    def integer(self, term: Term) -> str:
        """An integer.  Raises Inexpressible."""
        constant = value(term)
        if constant is not None and constant.denominator == 1:
            return str(constant.numerator) if constant >= 0 else f"({constant.numerator})"
        match term:
            case str():
                return self._symbol(term, INT)
            case ("to_real", inner):
                return self.integer(inner)
            case ("-", inner):
                return f"(- {self.integer(inner)})"
            case (("+" | "-" | "*") as operator, first, *rest) if rest:
                text = self.integer(first)
                for item in rest:
                    text = f"({text} {operator} {self.integer(item)})"
                return text
            case (head, first, second) if head == _PRODUCT:
                return f"({self.integer(first)} * {self.integer(second)})"
            case ("ite", condition, then, otherwise):
                sides = self.truth(condition), self.integer(then), self.integer(otherwise)
                return f"(if {sides[0]} then {sides[1]} else {sides[2]})"
            case (str(head), *indices) if (found := _ENTRIES.fullmatch(head)) is not None:
                return self._entry(found[1], found[2], " ".join(map(self.integer, indices)))
        raise Inexpressible(f"the term {write(term)} of the proof has no form in Rocq yet")

    def truth(self, term: Term) -> str:
        """A truth value that is computed.  Raises Inexpressible."""
        match term:
            case "true" | "false":
                return str(term)
            case str():
                return self._symbol(term, BOOL)
            case ("not", inner):
                return f"(negb {self.truth(inner)})"
            case (("and" | "or") as operator, first, *rest):
                text = self.truth(first)
                for item in rest:
                    text = f"({text} {'&&' if operator == 'and' else '||'} {self.truth(item)})"
                return text
            case ("=>", first, second):
                return f"(implb {self.truth(first)} {self.truth(second)})"
            case ("=", first, second) if self.is_truth(first):
                return f"(Bool.eqb {self.truth(first)} {self.truth(second)})"
            case (("<=" | "<" | ">=" | ">" | "=") as operator, first, second) if self._are_reals(
                first, second
            ):
                return self._compared(operator, self.real_value(first), self.real_value(second))
            case ("=", first, second):
                return f"({self.integer(first)} =? {self.integer(second)})%Z"
            case (str(operator), first, second) if operator in _COMPARED:
                return f"({self.integer(first)} {_COMPARED[operator][1]} {self.integer(second)})%Z"
            case ("ite", condition, then, otherwise):
                sides = self.truth(condition), self.truth(then), self.truth(otherwise)
                return f"(if {sides[0]} then {sides[1]} else {sides[2]})"
            case (str(head), index) if (found := _ENTRIES.fullmatch(head)) is not None:
                return self._entry(found[1], found[2], self.integer(index))
        raise Inexpressible(f"the formula {write(term)} of the proof has no form in Rocq yet")

    def proposition(self, term: Term) -> str:
        """A formula that is shown.  Raises Inexpressible."""
        match term:
            case "true" | "false":
                return str(term).title()
            case str():
                return f"({self.truth(term)} = true)"
            case ("not", inner):
                return f"(~ {self.proposition(inner)})"
            case (("and" | "or") as operator, first, *rest):
                text, sign = self.proposition(first), "/\\" if operator == "and" else "\\/"
                for item in rest:
                    text = f"({text} {sign} {self.proposition(item)})"
                return text
            case ("=>", first, second):
                return f"({self.proposition(first)} -> {self.proposition(second)})"
            case ("=", first, second) if self.is_truth(first):
                return f"({self.proposition(first)} <-> {self.proposition(second)})"
            case (("<=" | "<" | ">=" | ">" | "="), first, second) if self._are_reals(first, second):
                return f"({self.truth(term)} = true)"
            case ("=", first, second):
                return f"({self.integer(first)} = {self.integer(second)})%Z"
            case (str(operator), first, second) if operator in _COMPARED:
                return f"({self.integer(first)} {operator} {self.integer(second)})%Z"
        return f"({self.truth(term)} = true)"

    def is_truth(self, term: Term) -> bool:
        """Whether a term is a truth value."""
        match term:
            case str():
                return term in ("true", "false") or self._sort(term) == BOOL
            case ("ite", _, then, _):
                return self.is_truth(then)
            case (str(head), _) if (found := _ENTRIES.fullmatch(head)) is not None:
                return self.mechanism.parameter(found[1]).sort is ir.Sort.BOOL
            case (head, *_):
                return head in ("not", "and", "or", "=>", "=", *_COMPARED)
        return False

    def real_value(self, term: Term) -> str:
        """A real, as it is in the memories.  Raises Inexpressible."""
        constant = value(term)
        if constant is not None:
            return f"{real_term(term)}%R"
        match term:
            case str():
                return self._symbol(term, REAL)
            case ("to_real", inner):
                return f"(IZR {self.integer(inner)})"
            case ("-", inner):
                return f"(- {self.real_value(inner)})%R"
            case (str(operator), first, *rest) if operator in INFIX and rest:
                text = self.real_value(first)
                for item in rest:
                    text = f"({text} {INFIX[operator]} {self.real_value(item)})%R"
                return text
            case (str(head), inner) if head in FUNCTIONS:
                return f"({FUNCTIONS[head]} {self.real_value(inner)})%R"
            case ("ite", condition, then, otherwise):
                sides = self.truth(condition), self.real_value(then), self.real_value(otherwise)
                return f"(if {sides[0]} then {sides[1]} else {sides[2]})%R"
            case (str(head), index) if (found := _ENTRIES.fullmatch(head)) is not None:
                return self._entry(found[1], found[2], self.integer(index))
        raise Inexpressible(f"the term {write(term)} of the proof has no form in Rocq yet")

    def _are_reals(self, *terms: Term) -> bool:
        """Whether two terms are compared as reals: a variable or an entry among them is one."""
        return any(map(self._is_real, terms))

    def _is_real(self, term: Term) -> bool:
        match term:
            case str():
                return self._sort(term) == REAL
            case (str(head), _) if (found := _ENTRIES.fullmatch(head)) is not None:
                return self.mechanism.parameter(found[1]).sort is ir.Sort.REAL
            case (str(head), *_) if head in FUNCTIONS:
                return True
            case ("ite", _, *sides):
                return self._are_reals(*sides)
            case (str(operator), *operands) if operator in INFIX:
                return operator in ("|*:Real,Real|", "|/:Real,Real|") or self._are_reals(*operands)
        return False

    def _compared(self, operator: str, first: str, second: str) -> str:
        match operator:
            case "=":
                return f"(Reqb {first} {second})"
            case "<=" | "<":
                return f"({'Rleb' if operator == '<=' else 'Rltb'} {first} {second})"
        return self._compared("<=" if operator == ">=" else "<", second, first)

    def distance(self, term: Term, times: Fraction = Fraction(1)) -> str:
        """A number times a real, if that is an integer for all public inputs.  Raises Inexpressible."""
        constant = value(term)
        if constant is not None and (constant * times).denominator == 1:
            return self.integer(constant_text((constant * times).numerator))
        match term:
            case ("to_real", inner) if times.denominator == 1:
                return self.integer(inner) if times == 1 else f"({times} * {self.integer(inner)})"
            case ("to_real", (operator, factor, inner)) if operator in ("*", _PRODUCT):
                return self.distance(("*", factor, ("to_real", inner)), times)
            case ("-", inner):
                return f"(- {self.distance(inner, times)})"
            case (("+" | "-") as operator, first, *rest) if rest:
                return f"({f' {operator} '.join(self.distance(item, times) for item in (first, *rest))})"
            case ("*", first, second) if (number := value(first)) is not None:
                return self.distance(second, number * times)
            case ("*", first, *rest) if rest:
                text = self.distance(first, times)
                return f"({text} * {' * '.join(map(self.distance, rest))})"
        raise Inexpressible(f"the distance {write(term)} is no integer")

    def real(self, term: Term) -> str:
        """A real over public inputs.  Raises Inexpressible."""
        return real_term(term, self._public)

    def of_entries(self, name: str, term: Term) -> str:
        """What holds of each pair of entries of a private list.  Raises Inexpressible."""
        inside = f'(0 <= index < length_of (m1 "{name}"))%Z'
        return f"(forall index : Z, {inside} -> {self.proposition(term)})"

    def count(self, term: Term) -> str:
        """An integer over public inputs.  Raises Inexpressible."""
        return integer_term(
            term[1] if isinstance(term, tuple) and term[0] == "to_real" else term, self._public
        )

    # --- symbols ----------------------------------------------------------------------------

    def _public(self, name: str) -> str:
        return self._symbol(name, "")

    def _sort(self, name: str) -> str:
        bare = name.strip("|")
        if bare in self.events:
            return self.events[bare]
        if bare in self.sums:
            return REAL
        if (spent := _SPENT.fullmatch(name)) is not None:
            return _SORTS[self.mechanism.parameter(spent[1]).sort]
        if (hidden := _HIDDEN.fullmatch(name)) is not None:
            return self._sort_of_difference(hidden[1], hidden[2])
        if (found := _ITEM.fullmatch(name)) is not None:
            return self._sort_of_item(found[1], int(found[2]))
        for pattern in (_START, _VARIABLE, _PUBLIC):
            if (found := pattern.fullmatch(name)) is not None:
                return self._sort_of_variable(found[1])
        return INT

    def _sort_of_difference(self, name: str, what: str) -> str:
        """Of what says how a private list differs."""
        if what == "upward":
            return BOOL
        return _SORTS[self.mechanism.parameter(name).sort] if what == "change" else INT

    def _sort_of_item(self, name: str, component: int) -> str:
        if name not in self.mechanism.lists:
            raise Inexpressible("a proof about a variable that a step makes has no form in Rocq yet")
        return _SORTS[self.mechanism.lists[name].components[component]]

    def _sort_of_variable(self, name: str) -> str:
        if name in self.mechanism.variables:
            return _SORTS[self.mechanism.variables[name]]
        scalars = {item.name: item.sort for item in self.mechanism.parameters}
        return _SORTS[scalars[name]] if name in scalars else INT

    def _symbol(self, name: str, sort: str) -> str:
        bare = name.strip("|")
        if bare in self.events and (event := read_event(bare)) is not None:
            kind = "int" if self.events[bare] == INT else "bool"
            return f"(next_{kind} {event_text(event)} L)"
        if bare in self.counters:
            return self.counters[bare]
        if (found := _SPENT.fullmatch(name)) is not None and found[1] in self.read:
            differing = self.mechanism.parameter(found[1])
            runs, index = " ".join(names_of(differing)), self.integer(self.read[found[1]])
            return f"({_BEFORE[differing.sort]} {runs} {index})"
        if _INDEX.fullmatch(name) is not None:
            return "index"
        if (found := _ITEM.fullmatch(name)) is not None:
            getter = _GETTERS[self._sort_of_item(found[1], int(found[2]))]
            return f'({getter} (component (as_rows (m{found[3]} "{found[1]}")) index {found[2]}))'
        if (found := _START.fullmatch(name)) is not None:
            return f"{rocq_name(found[1])}_{found[2]}"
        if (found := _HIDDEN.fullmatch(name)) is not None:
            return f"{found[2]}_{rocq_name(found[1])}"
        if (found := _LENGTH.fullmatch(name)) is not None:
            return f"(Z.of_nat (Datatypes.length {self._input(found[1], 1)}))"
        if (found := _PUBLIC.fullmatch(name)) is not None and found[1] in self.mechanism.variables:
            return self._symbol(f"|{found[1]}<1>|", sort)  # a part before it published that
        if (found := _PUBLIC.fullmatch(name)) is not None:
            return f"{rocq_name(found[1])}_"
        if (found := _VARIABLE.fullmatch(name)) is not None:
            for item in self.mechanism.lists:
                if found[1] == list_length(item):
                    return f'(length_of (m{found[2]} "{item}"))'
            parameters = {item.name for item in self.mechanism.parameters}
            if found[1] not in self.mechanism.variables and found[1] not in parameters:
                raise Inexpressible("a proof about a variable that a step makes has no form in Rocq yet")
            getter = _GETTERS[self._sort_of_variable(found[1])]
            return f'({getter} (m{found[2]} "{found[1]}"))'
        raise Inexpressible(f"{name} has no form in a proof in Rocq yet")

    def _entry(self, source: str, run: str, index: str) -> str:
        item = self.mechanism.parameter(source)
        name = self._input(source, int(run or 1))
        if item.kind is ir.ParameterKind.FUNCTION:
            return f"({name} {index})"
        return f"({_READ_AT[item.sort]} {name} {index})"

    def _input(self, name: str, run: int) -> str:
        item = self.mechanism.parameter(name)
        return names_of(item)[0 if is_same(item) else run - 1]


def is_same(item: ir.Parameter) -> bool:
    """Whether a private list is the same in both runs: nothing of it may differ."""
    metric = item.metric
    return (
        item.kind is ir.ParameterKind.SEQUENCE
        and metric is not None
        and (metric.kind, metric.monotone) == (ir.MetricKind.LINF, False)
        and isinstance(metric.bound, ir.Constant)
        and metric.bound.value == 0
    )


def is_reading(term: Term) -> bool:
    """Whether an invariant only says up to which index a list has been read."""
    return _read_below(term) is not None


def _read_below(term: Term) -> tuple[str, Term] | None:
    """The list, and the variable that the latest index is below."""
    match term:
        case (
            ("<", str(latest), index)
            | ("not", ("<=", "0", ("+", str(latest), ("*", ("-", "1"), index))))
            | ("not", ("<=", ("+", index, ("*", ("-", "1"), str(latest))), "0"))
        ) if (found := _LATEST.fullmatch(latest)) is not None:
            return found[1], index
    return None


def constant_text(number: int) -> Term:
    """An integer as a term."""
    return str(number) if number >= 0 else ("-", str(-number))
