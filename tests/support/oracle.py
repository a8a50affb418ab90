"""Whether what the kernel accepted is true: known bounds, and searches for counterexamples."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from synth.prover.normal_form.pipeline import canonical
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.refuter.search.search import refute
from synth.trusted.frontend.claim import read_claim
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.check import INVALID, VALID, Unreadable, check
from synth.trusted.logic.terms import Term, read
from synth.trusted.program import syntax as ir
from tests import ROOT
from tests.support.enumeration import loss_is_more
from tests.support.mutator import Mutant
from tests.support.once import once_in_a_run

POINTS = 12
SUITE = (
    "above_threshold",
    "exponential_by_noise",
    "numeric_svt",
    "prefix_sum",
    "laplace_vector",
    "report_noisy_max",
    "report_noisy_max_monotone",
    "sparse_vector_sequence",
    "svt_1",
    "partial_sum",
    "running_sum",
    "smart_sum",
    "svt_2",
    "svt_4",
    "above_threshold_fresh",
)
"""Mechanisms whose certificates are changed."""

VALUES = {ir.Sort.INT: (1, 2, 5), ir.Sort.REAL: (Fraction(1, 3), Fraction(1), Fraction(3))}
Point = Mapping[str, Any]


@dataclass(frozen=True)
class Known:
    """A mechanism by itself: its text, the least bound, and parameters that satisfy ``requires``."""

    text: str
    least: str
    points: tuple[Point, ...]

    @property
    def mechanism(self) -> ir.Mechanism:
        return read_source(self.text, "known")[0]


@cache
def known(name: str) -> Known:
    """What benchmarks/expected.toml says of a mechanism."""
    listed = tomllib.loads((ROOT / "benchmarks" / "expected.toml").read_text(encoding="utf-8"))
    (item,) = (item for item in listed["mechanism"] if item["name"] == name)
    module = ast.parse((ROOT / "benchmarks" / item["file"]).read_text(encoding="utf-8"))
    function = next(part for part in module.body if isinstance(part, ast.FunctionDef) and part.name == name)
    text = f"from synth.lang import *\n\n{ast.unparse(function)}\n"
    return Known(text, item["epsilon"], _points(read_source(text, name)[0], function))


@once_in_a_run
def proof(name: str) -> str:
    """The certificate of a mechanism."""
    found = prove(known(name).mechanism, load_templates())
    assert isinstance(found, Proved), name
    return found.certificate


def _points(mechanism: ir.Mechanism, function: ast.FunctionDef) -> tuple[Point, ...]:
    """Some parameters; sequences stand for their lengths."""
    (decorator,) = function.decorator_list
    assert isinstance(decorator, ast.Call)
    requires = next(
        (item.value for item in decorator.keywords if item.arg == "requires"), ast.Constant("True")
    )
    assert isinstance(requires, ast.Constant)
    ranges: dict[str, tuple[Any, ...]] = {}
    for item in mechanism.parameters:
        if item.kind is ir.ParameterKind.SEQUENCE:
            ranges[item.name] = (1, 2, 5)
        elif item.kind is ir.ParameterKind.SCALAR and item.metric is None and item.sort in VALUES:
            ranges[item.name] = VALUES[item.sort]
    found = [dict(zip(ranges, values, strict=True)) for values in product(*ranges.values())]
    found = [point for point in found if at(str(requires.value), point)]
    return tuple(found[:: max(1, len(found) // POINTS)])


def at(expression: str, point: Point) -> Any:
    """The value of an expression in Python's syntax, exact."""
    return eval(expression, {"__builtins__": {}, "len": lambda length: length, **point})


def value(term: Term, point: Point) -> Any:
    """The value of a term over public inputs, exact."""
    if isinstance(term, tuple):
        head, *parts = term[0], *(value(part, point) for part in term[1:])
        return OPERATIONS[str(head)](*parts)
    if term.startswith("|"):
        return point[term.strip("|").removesuffix("<>").removeprefix("len(").removesuffix(")")]
    return Fraction(term)


OPERATIONS = {
    "+": lambda *parts: sum(parts),
    "-": lambda first, *rest: first - sum(rest) if rest else -first,
    "*": lambda first, *rest: first * (OPERATIONS["*"](*rest) if rest else 1),
    "/": lambda first, second: first / second,
    "to_real": lambda only: only,
}


def is_bound(name: str, term: str) -> bool:
    """Whether the bound is nowhere below the least one."""
    return all(value(read(term), point) >= at(known(name).least, point) for point in known(name).points)


@cache
def is_refuted(text: str, epsilon: str, seconds: float) -> bool:
    """Whether there is a witness that a program costs more than a bound."""
    (mechanism,) = read_source(text, "mutant")
    term = read(epsilon)
    if loss_is_more(text, lambda point: value(term, point), seconds):
        return True
    claim = read_claim(mechanism, _python(term))
    return refute(replace(mechanism, delta=None), seconds=seconds, epsilon=claim) is not None


def same_program(text: str, other: str) -> bool:
    """Whether the prover reads the same mechanism from two texts."""
    one, two = (_bare(canonical(read_source(item, "mutant")[0])) for item in (text, other))
    return one == two


def _bare(mechanism: ir.Mechanism) -> str:
    """A mechanism but for places and text."""
    return re.sub(r"Span\(line=\d+, column=\d+\)", "", repr(mechanism))


def _python(term: Term) -> str:
    """A term over public inputs in Python's syntax."""
    if isinstance(term, tuple):
        head, *parts = (str(term[0]), *map(_python, term[1:]))
        return (
            parts[0]
            if head == "to_real"
            else f"(-{parts[0]})"
            if len(parts) == 1
            else f"({f' {head} '.join(parts)})"
        )
    return term.strip("|").removesuffix("<>")


def judged(name: str, mutant: Mutant, seconds: float) -> str:
    """What the kernel says of a mutant; fails if it accepts a wrong one."""
    try:
        found = check(json.dumps(mutant.data))
    except Unreadable:
        return "unreadable"
    if found.verdict != VALID:
        return f"rejected by [{found.rule}]" if found.verdict == INVALID else "a solver gave up"
    return f"accepted, {mutant.kind}: {justified(name, mutant, seconds)}"


def justified(name: str, mutant: Mutant, seconds: float) -> str:
    """Why an accepted mutant is right."""
    bound = mutant.data["proved"]["epsilon"]
    if mutant.of_program:
        text = mutant.data["program"]["text"]
        if same_program(text, known(name).text):
            return "the same program"
        assert not is_refuted(text, bound, seconds), mutant
        return "no witness against the bound"
    assert is_bound(name, bound), mutant
    claim = mutant.data["claim"]["epsilon"]
    if claim is not None:
        least = known(name)
        assert all(at(claim, point) >= at(least.least, point) for point in least.points), mutant
    return "a larger bound" if mutant.path[0] == "proved" else "another proof of the same bound"
