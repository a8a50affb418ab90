"""Template formulas on numbers, for the concrete runs of the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from synth.prover.templates.formula import Apply, Name, Number, Tree, Truth
from synth.prover.templates.template import Template

Value = bool | int | Fraction
Evaluate = Callable[[Mapping[str, Value]], Value]

_APPLY: dict[str, Callable[..., Value]] = {
    "+": lambda *values: sum(values),
    "-": lambda first, second: first - second,
    "*": lambda first, second: first * second,
    "/": lambda first, second: Fraction(first) / second,
    "neg": lambda value: -value,
    "abs": abs,
    "min": min,
    "max": max,
    "<": lambda first, second: first < second,
    "<=": lambda first, second: first <= second,
    "==": lambda first, second: first == second,
    "and": lambda *values: all(values),
    "or": lambda *values: any(values),
    "not": lambda value: not value,
}


def compile_tree(tree: Tree) -> Evaluate:
    """A closure that evaluates the formula at values of its names."""
    match tree:
        case Number(value=value):
            plain = int(value) if value.denominator == 1 else value
            return lambda values: plain
        case Truth(value=value):
            return lambda values: value
        case Name(name=name):
            return lambda values: values[name]
        case Apply(operator=operator, arguments=arguments):
            function = _APPLY[operator]
            parts = [compile_tree(argument) for argument in arguments]
            if len(parts) == 1:
                only = parts[0]
                return lambda values: function(only(values))
            if len(parts) == 2:
                first, second = parts
                return lambda values: function(first(values), second(values))
            return lambda values: function(*(part(values) for part in parts))


def concrete_coupling(template: Template) -> Callable[[Value, Value, Value], tuple[Value, bool]]:
    """The shift coupling on numbers: (center1, center2, k) to its distance and whether it may be used."""
    coupling = template.free_coupling()
    distance = compile_tree(coupling.distance_formula.tree)
    requirement = compile_tree(coupling.requirement_formula.tree)
    name = template.parameters[0]

    def couple(first: Value, second: Value, shift: Value) -> tuple[Value, bool]:
        values = {f"{name}1": first, f"{name}2": second, "k": shift}
        return distance(values), bool(requirement(values))

    return couple


def concrete_support(template: Template) -> Callable[[Value, Value], bool]:
    """(draw, center) to whether the draw is in the support."""
    inside = compile_tree(template.support.tree)
    center = template.parameters[0]
    return lambda draw, middle: bool(inside({"v": draw, center: middle}))
