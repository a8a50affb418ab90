"""Integer mechanisms run on all noise on small adjacent inputs: a lower bound on ε without a prover.

Draws far out are left out; their mass counts for whichever side makes the loss smaller.
"""

from __future__ import annotations

import ast
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text as written

SAMPLERS = ("laplace", "exponential")
REACH = 12
MAX_DRAWS = 6
SMALLEST = 1e-7
VALUES: dict[ir.Sort, Any] = {ir.Sort.INT: 1, ir.Sort.REAL: 3.0, ir.Sort.BOOL: True}
BASES = ((0,), (1,), (0, 0), (0, 1), (1, 0))


class Beyond(Exception):
    """Not a discrete mechanism, or not done in time."""


@dataclass(frozen=True)
class Needed(Exception):
    """The run comes to a draw that has no value yet."""

    distribution: str
    center: int
    scale: float


def loss_is_more(text: str, epsilon: Callable[[dict[str, Any]], Any], seconds: float) -> bool:
    """Whether on some pair of inputs the privacy loss is more than ``epsilon`` of the parameters."""
    deadline = time.monotonic() + seconds
    (mechanism,) = read_source(text, "mutant")
    if not all(_is_enumerated(item) for item in ir.statements(mechanism.body)):
        return False
    run, pairs = _function(text), _pairs(mechanism)
    try:
        for public, left, right in pairs:
            sides = [_outputs(run, {**public, **side}, deadline) for side in (left, right)]
            bound = float(epsilon(_lengths({**public, **left})))
            if _exceeds(sides[0], sides[1], bound) or _exceeds(sides[1], sides[0], bound):
                return True
    except Beyond:
        pass
    return False


def _is_enumerated(statement: ir.Statement) -> bool:
    if isinstance(statement, ir.Draw):
        return statement.sort is ir.Sort.INT and statement.distribution in SAMPLERS
    return not isinstance(statement, ir.Choose)


def _lengths(inputs: dict[str, Any]) -> dict[str, Any]:
    """The inputs with lengths instead of sequences."""
    return {name: len(item) if isinstance(item, tuple) else item for name, item in inputs.items()}


def _exceeds(one: Counter[Any], other: Counter[Any], epsilon: float) -> bool:
    factor = math.exp(min(epsilon, 500.0)) * (1 + 1e-6)
    return any(
        mass > factor * (other[output] + other[None]) for output, mass in one.items() if output is not None
    )


def _outputs(run: Callable[..., Any], inputs: dict[str, Any], deadline: float) -> Counter[Any]:
    """The outputs with their probabilities; None stands for what was left out."""
    found: Counter[Any] = Counter()
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while waiting:
        if time.monotonic() > deadline:
            raise Beyond
        draws, mass = waiting.pop()
        try:
            output = run(draws, inputs)
            found["output", repr(output)] += mass
        except Needed as draw:
            rest = mass
            for value, share in _law(draw):
                if mass * share > SMALLEST and len(draws) < MAX_DRAWS:
                    waiting.append(((*draws, value), mass * share))
                    rest -= mass * share
            found[None] += max(rest, 0.0)
    return found


def _law(draw: Needed) -> Iterator[tuple[int, float]]:
    ratio = math.exp(-1 / draw.scale)
    two_sided = draw.distribution == "laplace"
    first = (1 - ratio) / (1 + ratio) if two_sided else 1 - ratio
    for step in range(-REACH if two_sided else 0, REACH + 1):
        yield draw.center + step, first * ratio ** abs(step)


def _function(text: str) -> Callable[..., Any]:
    """The mechanism as a function of given draws and inputs."""
    definitions = [item for item in ast.parse(text).body if isinstance(item, ast.FunctionDef)]
    (name,) = (item.name for item in definitions if item.decorator_list)
    for item in definitions:
        item.decorator_list = []
        item.returns = None
        for argument in item.args.args:
            argument.annotation = None
    code = compile(ast.fix_missing_locations(ast.Module(list(definitions), [])), "mutant", "exec")

    def run(draws: tuple[int, ...], inputs: dict[str, Any]) -> Any:
        ready = iter(draws)

        def sampler(distribution: str) -> Callable[..., int]:
            def sample(center: int, scale: float) -> int:
                for value in ready:
                    return value
                if not isinstance(center, int):
                    raise Beyond
                raise Needed(distribution, center, float(scale))

            return sample

        names = {name: sampler(name) for name in SAMPLERS}
        space: dict[str, Any] = {**vars(math), **names}
        exec(code, space)
        arguments = {key: list(item) if isinstance(item, tuple) else item for key, item in inputs.items()}
        return space[name](**arguments)

    return run


def _pairs(mechanism: ir.Mechanism) -> Iterator[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Public parameters, and private ones of two adjacent runs."""
    private = [item for item in mechanism.parameters if item.metric is not None]
    for base in BASES:
        public = {item.name: _public(item, len(base)) for item in mechanism.parameters if item.metric is None}
        left = {item.name: _given(item, base) for item in private}
        if not eval(written(mechanism.requires), {"len": len}, {**public, **left}):
            continue
        moved = [list(_neighbours(item, base, public)) for item in private]
        for ends in product(*moved):
            right = {item.name: _given(item, end) for item, end in zip(private, ends, strict=True)}
            yield public, left, right


def _public(item: ir.Parameter, length: int) -> Any:
    zeros = VALUES[item.sort] if item.kind is ir.ParameterKind.SCALAR else (0,) * length
    return (lambda index: 0) if item.kind is ir.ParameterKind.FUNCTION else zeros


def _given(item: ir.Parameter, entries: tuple[int, ...]) -> Any:
    if item.kind is ir.ParameterKind.FUNCTION:
        return lambda index: entries[index % len(entries)]
    return entries if item.kind is ir.ParameterKind.SEQUENCE else entries[0]


def _neighbours(
    item: ir.Parameter, base: tuple[int, ...], public: dict[str, Any]
) -> Iterator[tuple[int, ...]]:
    assert item.metric is not None
    bound = 1 if item.metric.bound is None else eval(written(item.metric.bound), {}, public)
    for moves in product((-int(bound), 0, int(bound)), repeat=len(base)):
        single = sum(move != 0 for move in moves) == 1
        alone = item.metric.kind in (ir.MetricKind.L1, ir.MetricKind.CHANGE_ONE)
        alike = not item.metric.monotone or min(moves) >= 0 or max(moves) <= 0
        if any(moves) and alike and (single or not alone):
            yield tuple(value + move for value, move in zip(base, moves, strict=True))
