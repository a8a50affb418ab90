"""The statement of a Rocq file: the core program as a term, its inputs, and that it is private.

It is made of the core program and the proved ε and δ alone, and where noise is real of the events that runs
tell; ``statement_reader`` reads it back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from synth.rocq.refusal import Inexpressible
from synth.trusted.logic.terms import Term, value
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Event, Kind

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*")
_SCALARS = {ir.Sort.INT: ("Z", "Int"), ir.Sort.REAL: ("R", "Real"), ir.Sort.BOOL: ("bool", "Bool")}
_COLLECTIONS = {
    (ir.ParameterKind.SEQUENCE, ir.Sort.INT, 1): ("list Z", "Ints"),
    (ir.ParameterKind.SEQUENCE, ir.Sort.BOOL, 1): ("list bool", "Truths"),
    (ir.ParameterKind.SEQUENCE, ir.Sort.REAL, 1): ("list R", "Reals"),
    (ir.ParameterKind.FUNCTION, ir.Sort.INT, 1): ("Z -> Z", "Table"),
    (ir.ParameterKind.FUNCTION, ir.Sort.INT, 2): ("Z -> Z -> Z", "Table2"),
    (ir.ParameterKind.FUNCTION, ir.Sort.REAL, 1): ("Z -> R", "RealTable"),
}
"""By kind, sort and number of indices: the type, and the constructor of values."""

_WITHIN, _RISING, _ANY = (True, False), (True, True), (False, False)
"""Distances with a bound, also in one direction, and without a bound."""

_DISTANCES = {
    (ir.MetricKind.ABSOLUTE, ir.ParameterKind.SCALAR, ir.Sort.INT, 0): {_WITHIN: "absolute"},
    (ir.MetricKind.ABSOLUTE, ir.ParameterKind.SCALAR, ir.Sort.REAL, 0): {_WITHIN: "absolute_real"},
    (ir.MetricKind.LINF, ir.ParameterKind.SEQUENCE, ir.Sort.INT, 1): {
        _WITHIN: "linf",
        _RISING: "linf_monotone",
    },
    (ir.MetricKind.LINF, ir.ParameterKind.SEQUENCE, ir.Sort.REAL, 1): {
        _WITHIN: "linf_reals",
        _RISING: "linf_monotone_reals",
    },
    (ir.MetricKind.LINF, ir.ParameterKind.FUNCTION, ir.Sort.INT, 1): {
        _WITHIN: "linf_table",
        _RISING: "linf_monotone_table",
    },
    (ir.MetricKind.LINF, ir.ParameterKind.FUNCTION, ir.Sort.INT, 2): {_WITHIN: "linf_table2"},
    (ir.MetricKind.LINF, ir.ParameterKind.FUNCTION, ir.Sort.REAL, 1): {_WITHIN: "linf_real_table"},
    (ir.MetricKind.L1, ir.ParameterKind.SEQUENCE, ir.Sort.INT, 1): {_WITHIN: "l1"},
    (ir.MetricKind.L1, ir.ParameterKind.SEQUENCE, ir.Sort.REAL, 1): {_WITHIN: "l1_reals"},
    (ir.MetricKind.L1, ir.ParameterKind.SEQUENCE, ir.Sort.BOOL, 1): {_WITHIN: "l1_truths"},
    (ir.MetricKind.CHANGE_ONE, ir.ParameterKind.SEQUENCE, ir.Sort.INT, 1): {
        _WITHIN: "change_one",
        _ANY: "change_one_any",
    },
    (ir.MetricKind.CHANGE_ONE, ir.ParameterKind.SEQUENCE, ir.Sort.REAL, 1): {
        _WITHIN: "change_one_reals",
        _ANY: "change_one_any_reals",
    },
    (ir.MetricKind.CHANGE_ONE, ir.ParameterKind.SEQUENCE, ir.Sort.BOOL, 1): {_ANY: "change_one_truth"},
}
"""By metric, kind, sort and number of indices: the hypothesis, by whether it has a bound and an order."""

_VARIABLES = {ir.Sort.INT: "IntVar", ir.Sort.REAL: "RealVar", ir.Sort.BOOL: "BoolVar"}
_READS = {ir.Sort.INT: "Read", ir.Sort.REAL: "ReadReal", ir.Sort.BOOL: "ReadTruth"}
_ELEMENTS = {ir.Sort.INT: "IntElement", ir.Sort.REAL: "RealElement", ir.Sort.BOOL: "BoolElement"}
_NUMBERS = {
    ir.Operator.ADD: "Add",
    ir.Operator.SUBTRACT: "Sub",
    ir.Operator.MULTIPLY: "Mul",
    ir.Operator.NEGATE: "Neg",
    ir.Operator.ABSOLUTE: "Abs",
    ir.Operator.MINIMUM: "Min",
    ir.Operator.MAXIMUM: "Max",
}
_ON_INTEGERS = {
    **_NUMBERS,
    ir.Operator.FLOOR_DIVIDE: "FloorDiv",
    ir.Operator.MODULO: "Modulo",
    ir.Operator.EQUAL: "Eq",
    ir.Operator.LESS: "Lt",
    ir.Operator.LESS_EQUAL: "Le",
    ir.Operator.TO_REAL: "ToReal",
}
_ON_REALS = {
    **{operator: f"R{name}" for operator, name in _NUMBERS.items()},
    ir.Operator.DIVIDE: "RDiv",
    ir.Operator.EXPONENTIAL: "Exp",
    ir.Operator.LOGARITHM: "Ln",
    ir.Operator.SQUARE_ROOT: "Sqrt",
    ir.Operator.EQUAL: "REq",
    ir.Operator.LESS: "RLt",
    ir.Operator.LESS_EQUAL: "RLe",
}
_ON_TRUTH = {
    ir.Operator.EQUAL: "BEq",
    ir.Operator.AND: "And",
    ir.Operator.OR: "Or",
    ir.Operator.NOT: "Not",
}
_CONSTRUCTORS = {ir.Sort.INT: _ON_INTEGERS, ir.Sort.REAL: _ON_REALS, ir.Sort.BOOL: _ON_TRUTH}
"""By the sort of the operands."""

_LAWS = ("laplace", "exponential")


def write_statement(
    mechanism: ir.Mechanism, epsilon: Term, delta: Term = "0", told: Sequence[Event] = ()
) -> str:
    """``program``, ``input`` and ``statement``.  Raises Inexpressible."""
    _check_whole(mechanism)
    parameters = mechanism.parameters
    typed = " ".join(f"({rocq_name(item.name)}_ : {type_of(item)})" for item in parameters)
    both = " ".join(f"({' '.join(dict.fromkeys(names_of(item)))} : {type_of(item)})" for item in parameters)
    names = " ".join(name for item in parameters for name in dict.fromkeys(names_of(item)))
    return "\n".join(
        [
            *program_text("program", mechanism),
            f"Definition input {typed} : memory :=",
            f"  {_memory(parameters)}.",
            "",
            f"Definition claim {both} : Prop :=",
            *(f"  {line}" for line in _claim(mechanism, epsilon, delta, told)),
            "  .",
            "",
            f"Definition statement : Prop := forall {both}, claim {names}.",
            "",
        ]
    )


def program_text(name: str, mechanism: ir.Mechanism) -> Iterator[str]:
    """The definition of a program.  Raises Inexpressible."""
    yield f"Definition {name} : code :="
    yield from _body(mechanism.body, "  ")
    yield "  ."
    yield ""


def draws_reals(mechanism: ir.Mechanism) -> bool:
    """Whether noise is real."""
    return any(
        isinstance(item, ir.Draw) and item.sort is ir.Sort.REAL for item in ir.statements(mechanism.body)
    )


def event_list(events: Sequence[Event]) -> str:
    """What may be told."""
    return f"[{'; '.join(map(event_text, events))}]"


def event_text(event: Event) -> str:
    """One that may be told."""
    match event.kind:
        case Kind.BRANCH:
            return f"(Branch {event.source})"
        case Kind.APPEND:
            return f"(Appended {_quoted(event.source)} {event.component})"
        case Kind.RETURN:
            return f"(Returned {event.component})"


def rocq_name(name: str) -> str:
    """A parameter's name in Rocq: in place of a dot, which only the reader of Python makes, an apostrophe."""
    return name.replace(".", "'")


def names_of(parameter: ir.Parameter) -> tuple[str, str]:
    """What stands for it in the two runs."""
    name = rocq_name(parameter.name)
    return (f"{name}_", f"{name}_") if parameter.metric is None else (f"{name}_1", f"{name}_2")


def _check_whole(mechanism: ir.Mechanism) -> None:
    if mechanism.facts or mechanism.ghosts:
        raise Inexpressible("facts about functions and ghosts have no form in Rocq yet")
    if any(item.published for item in mechanism.parameters):
        raise Inexpressible("a part of a program has no statement of its own")
    for item in mechanism.parameters:
        if _IDENTIFIER.fullmatch(item.name) is None:
            raise Inexpressible(f"the parameter '{item.name}' has no name in Rocq")


# --- inputs ---------------------------------------------------------------------------------


def _form(parameter: ir.Parameter) -> tuple[str, str]:
    """Its type, and the constructor of its value."""
    if parameter.kind is ir.ParameterKind.SCALAR:
        return _SCALARS[parameter.sort]
    found = _COLLECTIONS.get((parameter.kind, parameter.sort, parameter.arity))
    if found is None:
        raise Inexpressible(
            f"the parameter '{parameter.name}' is no number, list, or function of few indices"
        )
    return found


def type_of(parameter: ir.Parameter) -> str:
    """Its type in Rocq.  Raises Inexpressible."""
    return _form(parameter)[0]


def _memory(parameters: Sequence[ir.Parameter]) -> str:
    text = "empty"
    for item in parameters:
        text = f'(upd {text} "{item.name}" ({_form(item)[1]} {rocq_name(item.name)}_))'
    return text


def _claim(mechanism: ir.Mechanism, epsilon: Term, delta: Term, told: Sequence[Event]) -> Iterator[str]:
    runs = [" ".join(names_of(item)[run] for item in mechanism.parameters) for run in (0, 1)]
    for item in mechanism.parameters:
        if item.metric is not None:
            yield from _adjacent(item, item.metric, runs[0])
    yield f"eval (input {runs[0]}) {expression(mechanism.requires)} = true ->"
    bounds = f"private_on {real_term(epsilon)}"
    if draws_reals(mechanism):
        if not is_zero(delta):
            raise Inexpressible("a δ has no form in Rocq yet where noise is real")
        bounds = f"told_private_on {event_list(told)} {real_term(epsilon)}"
    elif not is_zero(delta):
        bounds = f"private_within {real_term(epsilon)} {real_term(delta)}"
    yield f"{bounds} program (input {runs[0]}) (input {runs[1]})"


def _adjacent(parameter: ir.Parameter, metric: ir.Metric, run: str) -> Iterator[str]:
    if metric.kind is ir.MetricKind.DISCRETE:
        return
    change_of_truth = metric.kind is ir.MetricKind.CHANGE_ONE and parameter.sort is ir.Sort.BOOL
    limit = None if change_of_truth and _is_one(metric.bound) else metric.bound
    where = metric.kind, parameter.kind, parameter.sort, parameter.arity
    name = _DISTANCES.get(where, {}).get((limit is not None, metric.monotone))
    if name is None:
        raise Inexpressible(f"the distance of '{parameter.name}' has no form in Rocq yet")
    one, two = names_of(parameter)
    bound = "" if limit is None else f" (eval (input {run}) {expression(limit)})"
    yield f"{name}{bound} {one} {two} ->"


def _is_one(bound: ir.Expression | None) -> bool:
    """Whether that lets a truth value change."""
    return isinstance(bound, ir.Constant) and bound.value == 1


# --- the program ----------------------------------------------------------------------------


def _body(body: Sequence[ir.Statement], margin: str) -> Iterator[str]:
    """The lines of a sequence, in parentheses where it is empty or ends in the middle of something."""
    if not body:
        yield f"{margin}Skip"
    for place, item in enumerate(body):
        *first, last = _lines(item)
        yield from (f"{margin}{line}" for line in first)
        yield f"{margin}{last}{';;' if place < len(body) - 1 else ''}"


def _lines(statement: ir.Statement) -> Iterator[str]:
    match statement:
        case ir.Assign(target=target, value=expressed):
            yield f"Assign {_quoted(target)} {expression(expressed)}"
        case ir.Draw(distribution=law) if law not in _LAWS:
            raise Inexpressible(f"{law} noise has no form in Rocq yet")
        case ir.Draw(site=site, target=target, distribution=law, arguments=(center, scale), sort=ir.Sort.INT):
            yield f"Draw {site} {law} {_quoted(target)} {expression(center)} {expression(scale)}"
        case ir.Draw(site=site, target=target, distribution=law, arguments=(center, scale)):
            yield f"DrawReal {site} {law} {_quoted(target)} {expression(center)} {expression(scale)}"
        case ir.Choose(target=target, index=index, law=ir.Chances(outcomes=outcomes), sort=sort) if (
            sort is not ir.Sort.REAL
        ):
            yield f"Choose {statement.site} {sort.name} {_quoted(target)} {_quoted(index)} ["
            yield from (f"  {line}" for line in _chances(outcomes))
            yield "]"
        case ir.Choose(target=target, index=index, law=ir.Weights() as weights, sort=ir.Sort.INT):
            yield f"Weigh {statement.site} {_quoted(target)} {_quoted(index)} {expression(weights.count)}"
            yield f"  {expression(weights.score)} {expression(weights.rate)}"
            yield f"  [{'; '.join(expression(item.condition) for item in weights.demands)}]"
        case ir.Choose(distribution=law):
            raise Inexpressible(f"a draw from {law} has no form in Rocq yet")
        case ir.NewList(target=target):
            yield f"NewList {_quoted(target)}"
        case ir.Append(target=target, values=values):
            yield f"Append {_quoted(target)} {_items(values)}"
        case ir.If(branch=number, condition=condition, then=then, otherwise=otherwise):
            yield f"If {number} {expression(condition)} ("
            yield from _body(then, "  ")
            yield ") ("
            yield from _body(otherwise, "  ")
            yield ")"
        case ir.Block(label=label, body=body):
            yield f"Block {_quoted(label)} ("
            yield from _body(body, "  ")
            yield ")"
        case ir.Loop(loop=number, body=body):
            yield f"Loop {number} ("
            yield from _body(body, "  ")
            yield ")"
        case ir.Exit(label=label):
            yield f"Leave {_quoted(label)}"
        case ir.Return(values=values, lists=lists):
            yield f"Return {_items(values)} [{'; '.join(map(_quoted, lists))}]"
        case ir.Obligation(condition=condition):
            yield f"Ensure {expression(condition)}"
        case ir.Assume(condition=condition):
            yield f"Assume {expression(condition)}"


def _chances(outcomes: Sequence[tuple[ir.Expression, ir.Expression]]) -> Iterator[str]:
    for place, (condition, chance) in enumerate(outcomes):
        yield f"({expression(condition)}, {expression(chance)}){';' if place < len(outcomes) - 1 else ''}"


def _items(values: Sequence[ir.Expression]) -> str:
    return f"[{'; '.join(f'Item {expression(item)}' for item in values)}]"


def _quoted(name: str) -> str:
    if '"' in name or not name.isascii() or not name.isprintable():
        raise Inexpressible(f"the name '{name}' has no form in Rocq")
    return f'"{name}"'


def expression(expressed: ir.Expression) -> str:
    """An expression as a term of the theories, in parentheses.  Raises Inexpressible."""
    match expressed:
        case ir.Constant(value=constant, sort=ir.Sort.BOOL):
            return f"(BoolConst {'true' if constant else 'false'})"
        case ir.Constant(value=constant, sort=ir.Sort.INT):
            return f"(IntConst {_integer(int(constant))})"
        case ir.Constant(value=constant):
            return f"(RealConst {_fraction(Fraction(constant))})"
        case ir.Variable(name=name, sort=sort):
            return variable(name, sort)
        case ir.Length(sequence=name):
            return f"(Length {_quoted(name)})"
        case ir.Read(source=name, index=(index,), sort=sort):
            return f"({_READS[sort]} {_quoted(name)} {expression(index)})"
        case ir.Read(source=name, index=(first, second), sort=ir.Sort.INT):
            return f"(Read2 {_quoted(name)} {expression(first)} {expression(second)})"
        case ir.Element(source=name, index=index, component=component, sort=sort):
            return f"({_ELEMENTS[sort]} {_quoted(name)} {expression(index)} {component})"
        case ir.Operation(operator=ir.Operator.IF, operands=operands):
            return f"(Cond {' '.join(map(expression, operands))})"
        case ir.Operation(operator=operator, operands=operands):
            constructor = _CONSTRUCTORS[operands[0].sort].get(operator)
            if constructor is not None:
                return _applied(constructor, [expression(item) for item in operands])
            raise Inexpressible(f"'{operator.value}' of these operands has no form in Rocq yet")
    raise Inexpressible("an entry of a function of many indices has no form in Rocq yet")


def variable(name: str, sort: ir.Sort) -> str:
    """A variable as an expression.  Raises Inexpressible."""
    return f"({_VARIABLES[sort]} {_quoted(name)})"


def _applied(name: str, operands: list[str]) -> str:
    """Of more than two operands the last are taken together first."""
    if len(operands) <= 2:
        return f"({name} {' '.join(operands)})"
    return f"({name} {operands[0]} {_applied(name, operands[1:])})"


def _integer(number: int) -> str:
    return str(number) if number >= 0 else f"({number})"


def _fraction(number: Fraction) -> str:
    if number.denominator == 1:
        return _integer(number.numerator)
    return f"({_integer(number.numerator)} / {number.denominator})"


# --- numbers over public inputs -------------------------------------------------------------

INFIX = {"+": "+", "-": "-", "*": "*", "/": "/", "|/:Real,Real|": "/", "|*:Real,Real|": "*"}
FUNCTIONS = {"|log:Real|": "ln", "|exp:Real|": "exp", "|sqrt:Real|": "sqrt"}


def is_zero(term: Term) -> bool:
    """Whether a bound is 0."""
    return value(term) == 0


def real_term(term: Term, symbol: Callable[[str], str] | None = None) -> str:
    """A term over public inputs as a real, with all parentheses.  Raises Inexpressible."""
    constant = value(term)
    if constant is not None:
        return _fraction(constant)
    find = symbol or public_symbol
    match term:
        case str():
            return find(term)
        case ("to_real", inner):
            return f"(IZR {integer_term(inner, find)})"
        case ("-", inner):
            return f"(- {real_term(inner, find)})"
        case (str(operator), first, *rest) if operator in INFIX and rest:
            text = real_term(first, find)
            for item in rest:
                text = f"({text} {INFIX[operator]} {real_term(item, find)})"
            return text
        case (str(head), inner) if head in FUNCTIONS:
            return f"({FUNCTIONS[head]} {real_term(inner, find)})"
    raise Inexpressible("a bound with roots or cases has no form in Rocq yet")


def integer_term(term: Term, symbol: Callable[[str], str]) -> str:
    """A term as an integer, with all parentheses.  Raises Inexpressible."""
    constant = value(term)
    if constant is not None and constant.denominator == 1:
        return f"{_integer(constant.numerator)}"
    match term:
        case str():
            return symbol(term)
        case ("-", inner):
            return f"(- {integer_term(inner, symbol)})"
        case (("+" | "-" | "*") as operator, first, *rest) if rest:
            text = integer_term(first, symbol)
            for item in rest:
                text = f"({text} {operator} {integer_term(item, symbol)})"
            return text
    raise Inexpressible("a count that is no sum or product has no form in Rocq yet")


def public_symbol(name: str) -> str:
    """A public scalar, or the length of a parameter."""
    if (found := re.fullmatch(r"\|([\w.]+)<>\|", name)) is not None:
        return f"{rocq_name(found[1])}_"
    if (found := re.fullmatch(r"\|len\(([\w.]+)\)\|", name)) is not None:
        return f"(Z.of_nat (Datatypes.length {rocq_name(found[1])}_1))"
    raise Inexpressible(f"{name} has no form in a bound in Rocq yet")
