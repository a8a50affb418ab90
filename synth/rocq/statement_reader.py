"""Reads a statement back, and compares it with the core program: a second reading by other means.

It shares nothing with what writes statements.  The text is parsed as a term of Rocq, with a grammar
of its own, and each part is compared with the part of the program that it must be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from synth.trusted.errors import InternalError
from synth.trusted.logic.terms import Term
from synth.trusted.program import syntax as ir

_TOKEN = re.compile(
    r'\s+|(;;|:=|->|[()\[\];:,.*/+=-])|([A-Za-z_][A-Za-z0-9_\']*(?:\.[a-z_]+)?)|([0-9]+)|("[^"]*")'
)

_INT, _REAL, _BOOL = ir.Sort.INT, ir.Sort.REAL, ir.Sort.BOOL
_MEANING: dict[str, tuple[ir.Operator, ir.Sort, ir.Sort]] = {
    "Add": (ir.Operator.ADD, _INT, _INT),
    "Sub": (ir.Operator.SUBTRACT, _INT, _INT),
    "Mul": (ir.Operator.MULTIPLY, _INT, _INT),
    "FloorDiv": (ir.Operator.FLOOR_DIVIDE, _INT, _INT),
    "Modulo": (ir.Operator.MODULO, _INT, _INT),
    "Neg": (ir.Operator.NEGATE, _INT, _INT),
    "Abs": (ir.Operator.ABSOLUTE, _INT, _INT),
    "Min": (ir.Operator.MINIMUM, _INT, _INT),
    "Max": (ir.Operator.MAXIMUM, _INT, _INT),
    "RAdd": (ir.Operator.ADD, _REAL, _REAL),
    "RSub": (ir.Operator.SUBTRACT, _REAL, _REAL),
    "RMul": (ir.Operator.MULTIPLY, _REAL, _REAL),
    "RDiv": (ir.Operator.DIVIDE, _REAL, _REAL),
    "RNeg": (ir.Operator.NEGATE, _REAL, _REAL),
    "RAbs": (ir.Operator.ABSOLUTE, _REAL, _REAL),
    "RMin": (ir.Operator.MINIMUM, _REAL, _REAL),
    "RMax": (ir.Operator.MAXIMUM, _REAL, _REAL),
    "Exp": (ir.Operator.EXPONENTIAL, _REAL, _REAL),
    "Ln": (ir.Operator.LOGARITHM, _REAL, _REAL),
    "Sqrt": (ir.Operator.SQUARE_ROOT, _REAL, _REAL),
    "ToReal": (ir.Operator.TO_REAL, _INT, _REAL),
    "Eq": (ir.Operator.EQUAL, _INT, _BOOL),
    "Lt": (ir.Operator.LESS, _INT, _BOOL),
    "Le": (ir.Operator.LESS_EQUAL, _INT, _BOOL),
    "REq": (ir.Operator.EQUAL, _REAL, _BOOL),
    "RLt": (ir.Operator.LESS, _REAL, _BOOL),
    "RLe": (ir.Operator.LESS_EQUAL, _REAL, _BOOL),
    "BEq": (ir.Operator.EQUAL, _BOOL, _BOOL),
    "And": (ir.Operator.AND, _BOOL, _BOOL),
    "Or": (ir.Operator.OR, _BOOL, _BOOL),
    "Not": (ir.Operator.NOT, _BOOL, _BOOL),
}
"""Operator, sort of the operands, sort of the value."""

_ASSOCIATIVE = (ir.Operator.AND, ir.Operator.OR, ir.Operator.MINIMUM, ir.Operator.MAXIMUM)
_VALUES = {
    "Z": "Int",
    "R": "Real",
    "bool": "Bool",
    "list Z": "Ints",
    "list bool": "Truths",
    "list R": "Reals",
    "Z -> Z": "Table",
    "Z -> Z -> Z": "Table2",
    "Z -> R": "RealTable",
}
_DISTANCES = {
    "linf": (ir.MetricKind.LINF, ir.ParameterKind.SEQUENCE, False),
    "linf_monotone": (ir.MetricKind.LINF, ir.ParameterKind.SEQUENCE, True),
    "l1": (ir.MetricKind.L1, ir.ParameterKind.SEQUENCE, False),
    "linf_table": (ir.MetricKind.LINF, ir.ParameterKind.FUNCTION, False),
    "linf_monotone_table": (ir.MetricKind.LINF, ir.ParameterKind.FUNCTION, True),
    "change_one": (ir.MetricKind.CHANGE_ONE, ir.ParameterKind.SEQUENCE, False),
    "absolute": (ir.MetricKind.ABSOLUTE, ir.ParameterKind.SCALAR, False),
}


_OF_REALS = {
    "linf_reals": (ir.MetricKind.LINF, ir.ParameterKind.SEQUENCE, False),
    "linf_monotone_reals": (ir.MetricKind.LINF, ir.ParameterKind.SEQUENCE, True),
    "linf_real_table": (ir.MetricKind.LINF, ir.ParameterKind.FUNCTION, False),
    "l1_reals": (ir.MetricKind.L1, ir.ParameterKind.SEQUENCE, False),
    "change_one_reals": (ir.MetricKind.CHANGE_ONE, ir.ParameterKind.SEQUENCE, False),
    "absolute_real": (ir.MetricKind.ABSOLUTE, ir.ParameterKind.SCALAR, False),
}
_ANY_CHANGE = {"change_one_any": _INT, "change_one_any_reals": _REAL}
_FUNCTIONS = {"ln": "|log:Real|", "exp": "|exp:Real|", "sqrt": "|sqrt:Real|"}


class Different(InternalError):
    """A statement is not about the program."""


def check_statement(text: str, mechanism: ir.Mechanism, epsilon: Term, delta: Term = "0") -> None:
    """Compare a statement with the program, ε and δ that it is to be about.  Raises Different."""
    definitions = _definitions(text)
    _same(list(definitions), ["program", "input", "claim", "statement"], "the definitions")
    (program,) = definitions["program"][1:]
    _same(definitions["program"][0], ("code",), "the type of the program")
    _body(program, mechanism.body)
    _input(definitions["input"], mechanism)
    _claim(definitions["claim"], mechanism, epsilon, delta)
    _statement(definitions["statement"], definitions["claim"][0], mechanism)


def _same(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise Different(f"the statement for Rocq differs from the core program in {what}: {found}")


# --- the grammar ----------------------------------------------------------------------------


def _definitions(text: str) -> dict[str, tuple[object, ...]]:
    """By name: what stands before the last colon, flat, and the term."""
    found: dict[str, tuple[object, ...]] = {}
    tokens = _tokens(text)
    while tokens:
        _same(tokens[:1], ["Definition"], "its form")
        end = tokens.index(".")
        name, *head = tokens[1 : tokens.index(":=")]
        parser = _Parser(tokens[tokens.index(":=") + 1 : end])
        found[name] = (tuple(head[1:] if head[:1] == [":"] else head), parser.sequence())
        _same(parser.rest, [], "its form")
        tokens = tokens[end + 1 :]
    return found


def _tokens(text: str) -> list[str]:
    found, place = [], 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise Different(f"the statement for Rocq has an odd letter: {text[place]!r}")
        found.append(token[0])
        place = token.end()
    return [token for token in found if not token.isspace()]


class _Parser:
    """Applications, lists and sequences; infix operators stand in applications like arguments."""

    def __init__(self, tokens: list[str]) -> None:
        self.rest = tokens

    def sequence(self) -> object:
        first = self._application()
        if self.rest[:1] == [";;"]:
            self.rest = self.rest[1:]
            return ("Seq", first, self.sequence())
        return first

    def _application(self) -> object:
        parts: list[object] = []
        while self.rest and self.rest[0] not in (")", "]", ";", ";;"):
            parts.append(self._atom())
        return parts[0] if len(parts) == 1 else tuple(parts)

    def _atom(self) -> object:
        token, self.rest = self.rest[0], self.rest[1:]
        if token == "(":
            inner = self.sequence()
            self._take(")")
            return inner
        if token == "[":
            items: list[object] = ["list"]
            while self.rest[:1] != ["]"]:
                items.append(self.sequence())
                if self.rest[:1] == [";"]:
                    self._take(";")
            self._take("]")
            return tuple(items)
        return token

    def _take(self, token: str) -> None:
        _same(self.rest[:1], [token], "its form")
        self.rest = self.rest[1:]


# --- the program ----------------------------------------------------------------------------


def _body(tree: object, body: Sequence[ir.Statement]) -> None:
    for statement in body[:-1]:
        match tree:
            case ("Seq", first, rest):
                _statement_of(first, statement)
                tree = rest
            case _:
                raise Different(f"the statement for Rocq lacks a statement behind {tree}")
    if body:
        _statement_of(tree, body[-1])
    else:
        _same(tree, "Skip", "an empty sequence")


def _statement_of(tree: object, statement: ir.Statement) -> None:
    match statement, tree:
        case ir.Assign(target=target, value=value), ("Assign", name, term):
            _same((name, _expression(term)), (_text(target), _binary(value)), "an assignment")
        case ir.Draw(), (("Draw" | "DrawReal") as kind, site, law, name, center, scale):
            drawn = (int(str(site)), law, name, _expression(center), _expression(scale))
            law_of = (statement.site, statement.distribution, _text(statement.target))
            _same(drawn, (*law_of, *map(_binary, statement.arguments)), "a draw")
            _same(kind, "Draw" if statement.sort is _INT else "DrawReal", "the sort of a draw")
        case ir.Choose(law=ir.Chances(outcomes=outcomes)), ("Choose", site, sort, *names, ("list", *pairs)):
            choice = (statement.site, statement.sort.name, [_text(statement.target), _text(statement.index)])
            _same((int(str(site)), sort, names), choice, "a draw")
            _same([_pair(pair) for pair in pairs], [(_binary(c), _binary(p)) for c, p in outcomes], "chances")
        case ir.Choose(law=ir.Weights() as law), (
            "Weigh",
            site,
            *names,
            count,
            score,
            rate,
            ("list", *demands),
        ):
            _same(statement.sort, _INT, "the sort of a draw")
            known = (statement.site, _text(statement.target), _text(statement.index))
            _same((int(str(site)), *names), known, "a draw")
            weighed = [law.count, law.score, law.rate, *(item.condition for item in law.demands)]
            found = [count, score, rate, *demands]
            _same(list(map(_expression, found)), list(map(_binary, weighed)), "weights")
        case ir.NewList(target=target), ("NewList", name):
            _same(name, _text(target), "a list")
        case ir.Append(target=target, values=values), ("Append", name, items):
            _same((name, _items(items)), (_text(target), list(map(_binary, values))), "an append")
        case ir.If(), ("If", number, condition, then, otherwise):
            _same(
                (int(str(number)), _expression(condition)),
                (statement.branch, _binary(statement.condition)),
                "a branch",
            )
            _body(then, statement.then)
            _body(otherwise, statement.otherwise)
        case ir.Block(label=label, body=body), ("Block", name, inner):
            _same(name, _text(label), "a block")
            _body(inner, body)
        case ir.Loop(loop=loop, body=body), ("Loop", number, inner):
            _same(int(str(number)), loop, "a loop")
            _body(inner, body)
        case ir.Exit(label=label), ("Leave", name):
            _same(name, _text(label), "an exit")
        case ir.Return(values=values, lists=lists), ("Return", items, ("list", *names)):
            _same((_items(items), names), (list(map(_binary, values)), list(map(_text, lists))), "a return")
        case (ir.Obligation(condition=condition), ("Ensure", term)) | (
            ir.Assume(condition=condition),
            ("Assume", term),
        ):
            _same(_expression(term), _binary(condition), "what must hold")
        case _:
            raise Different(f"the statement for Rocq has {tree} in place of {type(statement).__name__}")


def _items(tree: object) -> list[ir.Expression]:
    match tree:
        case ("list", *items):
            pairs = [item if isinstance(item, tuple) and len(item) == 2 else ("", item) for item in items]
            _same([head for head, _ in pairs], ["Item"] * len(pairs), "a list of values")
            return [_expression(item) for _, item in pairs]
    raise Different(f"the statement for Rocq has {tree} in place of a list")


def _pair(tree: object) -> tuple[ir.Expression, ir.Expression]:
    match tree:
        case (condition, ",", chance):
            return _expression(condition), _expression(chance)
    raise Different(f"the statement for Rocq has {tree} in place of a chance")


def _text(name: str) -> str:
    return f'"{name}"'


def _expression(tree: object) -> ir.Expression:
    match tree:
        case ("IntConst", number):
            return ir.Constant(_whole(number), _INT)
        case ("RealConst", number):
            return ir.Constant(_fraction(number), _REAL)
        case ("BoolConst", ("true" | "false") as truth):
            return ir.Constant(truth == "true", _BOOL)
        case (("IntVar" | "RealVar" | "BoolVar") as kind, name):
            return ir.Variable(_name(name), {"IntVar": _INT, "RealVar": _REAL, "BoolVar": _BOOL}[kind])
        case ("Length", name):
            return ir.Length(_name(name))
        case (("Read" | "ReadReal" | "ReadTruth") as kind, name, index):
            sort = {"Read": _INT, "ReadReal": _REAL, "ReadTruth": _BOOL}[kind]
            return ir.Read(_name(name), (_expression(index),), sort)
        case ("Read2", name, first, second):
            return ir.Read(_name(name), (_expression(first), _expression(second)), _INT)
        case (("IntElement" | "BoolElement" | "RealElement") as kind, name, index, component):
            sort = {"IntElement": _INT, "BoolElement": _BOOL, "RealElement": _REAL}[kind]
            return ir.Element(_name(name), _expression(index), _whole(component), sort)
        case ("Cond", condition, then, otherwise):
            sides = _expression(then), _expression(otherwise)
            return ir.Operation(ir.Operator.IF, (_expression(condition), *sides), sides[0].sort)
        case (str(name), *operands) if name in _MEANING:
            operator, taken, given = _MEANING[name]
            found = tuple(map(_expression, operands))
            _same([item.sort for item in found], [taken] * len(found), "the sorts of operands")
            return ir.Operation(operator, found, given)
    raise Different(f"the statement for Rocq has {tree} in place of an expression")


def _binary(expression: ir.Expression) -> ir.Expression:
    """The expression with associative operators on two operands each, and reals as fractions."""
    match expression:
        case ir.Constant(value=value, sort=ir.Sort.REAL):
            return ir.Constant(Fraction(value), _REAL)
        case ir.Read(source=source, index=index, sort=sort):
            return ir.Read(source, tuple(map(_binary, index)), sort)
        case ir.Element(source=source, index=index, component=component, sort=sort):
            return ir.Element(source, _binary(index), component, sort)
        case ir.Operation(operator=operator, operands=(first, *rest), sort=sort):
            if operator in _ASSOCIATIVE and len(rest) > 1:
                other = _binary(ir.Operation(operator, tuple(rest), sort))
                return ir.Operation(operator, (_binary(first), other), sort)
            return ir.Operation(operator, tuple(map(_binary, expression.operands)), sort)
    return expression


def _name(tree: object) -> str:
    if isinstance(tree, str) and len(tree) > 1 and tree[0] == tree[-1] == '"':
        return tree[1:-1]
    raise Different(f"the statement for Rocq has {tree} in place of a name")


def _whole(tree: object) -> int:
    found = _fraction(tree)
    _same(found.denominator, 1, "an integer")
    return found.numerator


def _fraction(tree: object) -> Fraction:
    match tree:
        case str() if tree.isdigit():
            return Fraction(int(tree))
        case ("-", inner):
            return -_fraction(inner)
        case (top, "/", bottom):
            return _fraction(top) / _fraction(bottom)
    raise Different(f"the statement for Rocq has {tree} in place of a number")


# --- inputs and the claim -------------------------------------------------------------------


def _groups(head: Sequence[object]) -> list[tuple[tuple[str, ...], str]]:
    """Names with their type, of each group in parentheses."""
    text = " ".join(map(str, head))
    groups = re.findall(r"\( ([^():]+) : ([^():]+) \)", text)
    return [(tuple(names.split()), kind) for names, kind in groups]


def _runs(item: ir.Parameter) -> tuple[str, ...]:
    return (_own(item),) if item.metric is None else (_own(item, "_1"), _own(item, "_2"))


def _own(item: ir.Parameter, end: str = "_") -> str:
    return "'".join(item.name.split(".")) + end


def _input(definition: tuple[object, ...], mechanism: ir.Mechanism) -> None:
    head, tree = definition
    assert isinstance(head, tuple)
    groups = _groups(head)
    _same([names for names, _ in groups], [(_own(item),) for item in mechanism.parameters], "its inputs")
    _same([kind for _, kind in groups], [_kind(item) for item in mechanism.parameters], "types of inputs")
    for item, (_, kind) in reversed(list(zip(mechanism.parameters, groups, strict=True))):
        match tree:
            case ("upd", inner, name, given):
                _same((name, given), (_text(item.name), (_VALUES[kind], _own(item))), "the memory")
                tree = inner
            case _:
                raise Different(f"the statement for Rocq has {tree} in place of a memory")
    _same(tree, "empty", "the memory")


def _kind(item: ir.Parameter) -> str:
    if item.kind is ir.ParameterKind.SCALAR:
        return {_INT: "Z", _REAL: "R", _BOOL: "bool"}[item.sort]
    entries = {_INT: "Z", _REAL: "R", _BOOL: "bool"}[item.sort]
    if item.kind is ir.ParameterKind.SEQUENCE:
        return f"list {entries}"
    return "Z -> " * item.arity + entries


def _claim(definition: tuple[object, ...], mechanism: ir.Mechanism, epsilon: Term, delta: Term) -> None:
    head, tree = definition
    assert isinstance(head, tuple) and isinstance(tree, tuple)
    _same(
        _groups(head),
        [(_runs(item), _kind(item)) for item in mechanism.parameters],
        "the inputs of the claim",
    )
    *premises, goal = _implications(tree)
    one, two = (tuple(_runs(item)[-1 if run else 0] for item in mechanism.parameters) for run in (0, 1))
    private = [item for item in mechanism.parameters if item.metric is not None]
    near = [item for item in private if item.metric and item.metric.kind is not ir.MetricKind.DISCRETE]
    _same(len(premises), len(near) + 1, "the number of premises")
    for premise, item in zip(premises, near, strict=False):
        _distance(premise, item, one)
    match premises[-1]:
        case ("eval", ("input", *inputs), condition, "=", "true"):
            _same(tuple(inputs), one, "the inputs of what is required")
            _same(_expression(condition), _binary(mechanism.requires), "what is required")
        case other:
            raise Different(f"the statement for Rocq requires {other}")
    match goal:
        case ("private_on", bound, "program", ("input", *left), ("input", *right)):
            _same(_draws_reals(mechanism), False, "the noise")
            _same((tuple(left), tuple(right)), (one, two), "the two inputs")
            _same(_bound(bound, mechanism), _plain(epsilon), "ε")
            _same(_plain(delta), Fraction(0), "δ")
        case ("private_within", bound, lost, "program", ("input", *left), ("input", *right)):
            _same((tuple(left), tuple(right)), (one, two), "the two inputs")
            _same(_bound(bound, mechanism), _plain(epsilon), "ε")
            _same(_bound(lost, mechanism), _plain(delta), "δ")
        case ("told_private_on", events, bound, "program", ("input", *left), ("input", *right)):
            _same(_draws_reals(mechanism), True, "the noise")
            _same((tuple(left), tuple(right)), (one, two), "the two inputs")
            _same(_bound(bound, mechanism), _plain(epsilon), "ε")
            _same(_plain(delta), Fraction(0), "δ")
            _events(events)
        case _:
            raise Different(f"the statement for Rocq says {goal}")


def _draws_reals(mechanism: ir.Mechanism) -> bool:
    drawn = [item.sort for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw)]
    return _REAL in drawn


def _events(listed: object) -> None:
    """Whichever are told, the probabilities are the same."""
    if not (isinstance(listed, tuple) and listed[:1] == ("list",)):
        raise Different(f"the statement for Rocq tells {listed}")
    for event in listed[1:]:
        match event:
            case (("Branch" | "Returned"), str(number)) if number.isdigit():
                pass
            case ("Appended", str(name), str(number)) if number.isdigit():
                _name(name)
            case _:
                raise Different(f"the statement for Rocq tells {event}")


def _implications(tree: tuple[object, ...]) -> list[tuple[object, ...]]:
    parts: list[list[object]] = [[]]
    for item in tree:
        if item == "->":
            parts.append([])
        else:
            parts[-1].append(item)
    return [tuple(part) for part in parts]


def _distance(premise: tuple[object, ...], item: ir.Parameter, run: tuple[str, ...]) -> None:
    metric = item.metric
    match premise:
        case ("change_one_truth", left, right) if metric is not None:
            one = ir.Constant(Fraction(1), _REAL)
            bound = one if metric.bound is None else _binary(metric.bound)
            kind = (metric.kind, item.kind, metric.monotone, item.sort, bound)
            _same(kind, (*_DISTANCES["change_one"], _BOOL, one), "a distance")
            _same((left, right), _runs(item), "a private input")
        case (str(name), ("eval", ("input", *inputs), bound), left, right) if (
            metric is not None and metric.bound is not None and name in (known := _distances(item))
        ):
            _same(known[name], (metric.kind, item.kind, metric.monotone), "a distance")
            _same(tuple(inputs), run, "the inputs of a distance")
            _same(_expression(bound), _binary(metric.bound), "a distance")
            _same((left, right), _runs(item), "a private input")
        case (("change_one_any" | "change_one_any_reals") as name, left, right) if (
            metric is not None and metric.bound is None and item.sort is _ANY_CHANGE[name]
        ):
            _same((metric.kind, item.kind, metric.monotone), _DISTANCES["change_one"], "a distance")
            _same((left, right), _runs(item), "a private input")
        case _:
            raise Different(f"the statement for Rocq assumes {premise} of '{item.name}'")


def _distances(item: ir.Parameter) -> dict[str, tuple[ir.MetricKind, ir.ParameterKind, bool]]:
    """Those of inputs of this type."""
    if item.sort is _REAL:
        return _OF_REALS
    if (item.sort, item.arity) == (_INT, 2):
        return {"linf_table2": (ir.MetricKind.LINF, ir.ParameterKind.FUNCTION, False)}
    if (item.sort, item.kind) == (_BOOL, ir.ParameterKind.SEQUENCE):
        return {"l1_truths": (ir.MetricKind.L1, ir.ParameterKind.SEQUENCE, False)}
    return _DISTANCES if item.arity < 2 and item.sort is _INT else {}


def _statement(definition: tuple[object, ...], claim: object, mechanism: ir.Mechanism) -> None:
    names = [name for item in mechanism.parameters for name in _runs(item)]
    assert isinstance(claim, tuple)
    _same(definition[0], ("Prop",), "the type of the statement")
    text = " ".join(str(item) for item in claim[:-2])
    flat = " ".join(_flat(definition[1]))
    _same(
        flat,
        " ".join(["forall", *text.replace("(", "").replace(")", "").split(), ",", "claim", *names]),
        "what it is about",
    )


def _flat(tree: object) -> list[str]:
    return [token for part in tree for token in _flat(part)] if isinstance(tree, tuple) else [str(tree)]


def _bound(tree: object, mechanism: ir.Mechanism) -> object:
    """A bound in the form of :func:`_plain`."""
    scalars = {_own(item): f"|{item.name}<>|" for item in mechanism.parameters if item.metric is None}
    lengths = {_runs(item)[0]: f"|len({item.name})|" for item in mechanism.parameters}
    match tree:
        case ("IZR", inner):
            return ("to_real", _bound(inner, mechanism))
        case (("ln" | "exp" | "sqrt") as function, inner):
            return (_FUNCTIONS[function], _bound(inner, mechanism))
        case ("Z.of_nat", ("Datatypes.length", str(name))):
            return lengths.get(name)
        case (left, ("+" | "-" | "*" | "/") as operator, right) if not _is_number(tree):
            return (operator, _bound(left, mechanism), _bound(right, mechanism))
        case ("-", inner) if not _is_number(tree):
            return ("-", _bound(inner, mechanism))
        case str() if tree in scalars:
            return scalars[tree]
    return _fraction(tree)


def _is_number(tree: object) -> bool:
    match tree:
        case str():
            return tree.isdigit()
        case ("-", inner):
            return _is_number(inner)
        case (top, "/", bottom):
            return _is_number(top) and _is_number(bottom)
    return False


def _plain(term: Term) -> object:
    """A term with operators on two operands, and numbers as fractions."""
    match term:
        case str() if not term.startswith("|"):
            return Fraction(term)
        case str():
            return term
        case ("-", inner):
            found = _plain(inner)
            return -found if isinstance(found, Fraction) else ("-", found)
        case (operator, *operands):
            first, *rest = map(_plain, operands)
            operator = {"|/:Real,Real|": "/", "|*:Real,Real|": "*"}.get(str(operator), operator)
            for item in rest:
                first = (
                    first / item
                    if isinstance(first, Fraction) and isinstance(item, Fraction) and operator == "/"
                    else (operator, first, item)
                )
            return (operator, first) if not rest else first
    raise Different(f"the bound {term} is no number")
