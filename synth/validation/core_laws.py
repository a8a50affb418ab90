"""What a core program gives on an input, as Python would show it, with draws that fall on few values."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from synth.trusted.core.exponential_numbers import Number, enclosure
from synth.trusted.core.expressions import Given, NoValue, Value, of_sort, start
from synth.trusted.core.interpreter import Drawing, Ended, OutOfFuel, Output, to_next_draw
from synth.trusted.core.laws import Law, Listed, Noise
from synth.trusted.program import syntax as ir
from synth.validation import laws, ways
from synth.validation.outputs import RAISED, UNDEFINED, Label, canonical
from synth.validation.values import NotComputed
from synth.validation.ways import Draw, Falling, Followed

_FUEL = 20_000
"""Steps of all ways of an input together."""

_OUTCOMES = range(-40, 41)


def followed_core(
    mechanism: ir.Mechanism, inputs: Mapping[str, Given], most: int, falling: Falling
) -> Followed:
    """The law of its outputs, over at most so many ways.  Raises TooManyError, Inexact, NotComputed."""

    begin, left = start(mechanism, inputs), _FUEL

    def run(draw: Draw) -> Any:
        nonlocal left
        found, left = to_next_draw(begin, left)
        while isinstance(found, Drawing):
            try:
                value = of_sort(_drawn(found.law, draw), found.draw.sort)
            except NoValue:
                return UNDEFINED
            found, left = to_next_draw(found.drawn(value), left)
        match found:
            case Output():
                assert mechanism.output is not None
                return canonical(_value(mechanism.output, found))
            case Ended():
                return RAISED
            case OutOfFuel():
                raise NotComputed("a long run")
            case _:
                return UNDEFINED

    return ways.followed(run, most, falling)


def _drawn(law: Law, draw: Draw) -> Value:
    if isinstance(law, Noise):
        on_integers = law.sort is ir.Sort.INT
        offset = draw(laws.noise(law.distribution, on_integers, rounded(law.scale)), law.distribution)
        value = law.center + Fraction(offset)
        return int(value) if on_integers and isinstance(value, Fraction) else value
    if isinstance(law, Listed):
        found: Value = draw([(value, rounded(law.chance(value))) for value in _candidates(law)])
        return found
    drawn: Value = draw(laws.weighted(map(rounded, law.weights)))
    return drawn


def _candidates(law: Listed) -> Sequence[Value]:
    return (True, False) if law.choice.sort is ir.Sort.BOOL else _OUTCOMES


def rounded(number: Number) -> float:
    """The nearest float, about."""
    return float(number) if isinstance(number, int | Fraction) else float(enclosure(number, 30)[0])


def _value(layout: ir.Layout, found: Output) -> Any:
    """The Python value that a flat output stands for."""
    lists = iter(
        [_entry(alternatives, iter(row), iter(())) for row in rows]
        for rows, alternatives in zip(found.lists, layout.lists, strict=True)
    )
    return _entry(layout.values, iter(found.values), lists)


def _entry(alternatives: ir.Alternatives, scalars: Iterator[Any], lists: Iterator[Any]) -> Any:
    shape = alternatives[0] if len(alternatives) == 1 else alternatives[int(next(scalars))]
    return _of_shape(shape, scalars, lists)


def _of_shape(shape: ir.Shape, scalars: Iterator[Any], lists: Iterator[Any]) -> Any:
    match shape:
        case ir.ScalarShape():
            return next(scalars)
        case ir.DictShape(items, keys):
            values = [_of_shape(item, scalars, lists) for item in items]
            return {_key(key): value for key, value in zip(keys, values, strict=True)}
        case ir.TupleShape(items):
            return tuple([_of_shape(item, scalars, lists) for item in items])
        case ir.ListShape():
            return next(lists)
        case ir.LabelShape(texts=texts, optional=False):
            code = int(next(scalars))
            return _label(texts[code]) if 0 <= code < len(texts) else Label(f"other {code}")
        case ir.NoneShape():
            return None
    raise NotComputed("an output of another shape")


def _label(text: str) -> Label:
    """What the text of a label says: of a string with quotes, or without."""
    return Label(ast.literal_eval(text) if text[:1] in ("'", '"') else text)


def _key(text: str) -> Any:
    """What the text of a key says: a label, a number, or a tuple of these.  Raises NotComputed."""
    if "(" in text[1:] and text[:1] == "(":
        raise NotComputed("a key of tuples")
    node = ast.parse(text, mode="eval").body
    found = _part(node)
    return (found,) if text[:1] == "(" and not isinstance(node, ast.Tuple) else found


def _part(node: ast.expr) -> Any:
    match node:
        case ast.Tuple(elts=parts):
            return tuple(map(_part, parts))
        case ast.BinOp(left=above, op=ast.Div(), right=below):
            return Fraction(_part(above), _part(below))
        case ast.Constant(value=str(label)):
            return Label(label)
        case ast.Constant() | ast.UnaryOp():
            return ast.literal_eval(node)
    return Label(ast.unparse(node))
