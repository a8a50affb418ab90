"""A witness against a claim, and how it is confirmed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.distribution import Enclosed
from synth.refuter.exact.events import Event
from synth.refuter.exact.inputs import Inputs, Pair, public_value, written
from synth.refuter.exact.laws import Enclosure, to_arb
from synth.refuter.exact.outputs import readable
from synth.refuter.implied import Implied, implied_pairs, nearest_pair
from synth.refuter.record_lists import inside, python_inputs
from synth.trusted.frontend.claim import NO_CLAIM, Claim
from synth.trusted.program import syntax as ir
from synth.trusted.program.line_numbers import runs_of

_MAX_EPSILON = 700.0
"""An ε whose exponential is still a float."""


@dataclass(frozen=True)
class Witness:
    """Adjacent inputs and outputs on which a claim fails; all fields are plain data.

    ``parameters`` are the public ones; ``left`` and ``right`` the private ones of the two runs.  ``output``
    is the set of outputs as a user would write it, ``events`` the same in the flat form of the reader.
    Probabilities are enclosed; ``epsilon`` (in nats), ``delta`` are the values of the claim at these
    parameters, rounded up, and ``epsilon_at_least`` is what the ε of any true claim with this δ must be.
    Where GDP or zCDP is claimed, ``notion`` says so, and they are a pair that follows from it, of zCDP at the
    ``order`` α.  ``inputs`` has the private parameters of the two runs as the Python program has them, where
    it has lists of records: these are several parameters in ``left`` and ``right``.
    """

    parameters: dict[str, Any]
    left: dict[str, Any]
    right: dict[str, Any]
    output: Any
    epsilon: float
    delta: float
    probability_left: tuple[float, float]
    probability_right: tuple[float, float]
    epsilon_at_least: float | None
    events: tuple[dict[str, Any], ...]
    inputs: dict[str, dict[str, Any]] | None = None
    notion: str | None = None
    order: float | None = None

    def json(self) -> dict[str, Any]:
        """The witness as the reference has it; ``epsilon_at_least`` is None where no ε is enough."""
        missing = {name for name in ("inputs", "notion", "order") if getattr(self, name) is None}
        return {name: value for name, value in asdict(self).items() if name not in missing}


@dataclass(frozen=True)
class Claimed:
    """The values of ε and δ at some parameters, enclosed.

    Of a claim of GDP or zCDP they are a pair that follows from it, of zCDP at the ``order`` α.
    """

    epsilon: arb
    delta: arb
    order: float | None = None

    @staticmethod
    def of(pair: Implied) -> Claimed:
        """From a pair that follows from a claim."""
        return Claimed(_ball(Fraction(repr(pair.epsilon))), pair.delta, pair.order)


def claims_at(mechanism: ir.Mechanism, inputs: Inputs) -> tuple[Claimed, ...]:
    """The claim at these parameters; of another notion, pairs that follow from it.  Raises UndefinedError."""
    if mechanism.divergence is None:
        return (claim_at(mechanism, inputs),)
    pairs = implied_pairs(
        mechanism.divergence.notion, _divergence_at(mechanism.divergence, mechanism, inputs)
    )
    return tuple(map(Claimed.of, pairs))


def claim_against(mechanism: ir.Mechanism, inputs: Inputs, likely: tuple[float, float]) -> Claimed:
    """The claim at these parameters; of another notion, the pair that these probabilities violate most.

    Raises UndefinedError.
    """
    if mechanism.divergence is None:
        return claim_at(mechanism, inputs)
    bound = _divergence_at(mechanism.divergence, mechanism, inputs)
    return Claimed.of(nearest_pair(mechanism.divergence.notion, bound, likely))


def _divergence_at(claim: ir.Divergence, mechanism: ir.Mechanism, inputs: Inputs) -> arb:
    bound = _ball(public_value(mechanism, claim.bound, inputs))
    if not bound > 0:
        raise UndefinedError("a claim that is not positive")
    return bound


def claim_at(mechanism: ir.Mechanism, inputs: Inputs) -> Claimed:
    """The mechanism's claim (which must have an ε) at these parameters.  Raises UndefinedError."""
    assert mechanism.epsilon is not None
    epsilon = public_value(mechanism, mechanism.epsilon, inputs)
    delta = Fraction(0) if mechanism.delta is None else public_value(mechanism, mechanism.delta, inputs)
    return Claimed(_ball(epsilon), _ball(delta))


def _ball(value: bool | int | Fraction | Enclosure) -> arb:
    return to_arb(value if isinstance(value, Enclosure) else Fraction(value))


def violates(claim: Claimed, left: Enclosed, right: Enclosed) -> bool:
    """Whether the probabilities surely violate the claim, also when they are rounded to floats."""
    if not left.low > claim.epsilon.exp() * right.high + claim.delta:
        return False
    epsilon = _upper(claim.epsilon)
    if epsilon > _MAX_EPSILON:
        return False
    return left.floats()[0] > math.exp(epsilon) * right.floats()[1] + _upper(claim.delta)


def least_epsilon(left: Enclosed, right: Enclosed, delta: arb) -> float:
    """A lower bound on the ε that these probabilities allow, in nats; infinite if no ε does.

    Minus infinity if they say nothing.
    """
    rest = left.low - delta
    if not rest > 0:
        return -math.inf
    if right.high == 0:
        return math.inf
    loss = (rest / right.high).log()
    return math.nextafter(float(loss.lower()), -math.inf) if loss.is_finite() else -math.inf


def make_witness(
    mechanism: ir.Mechanism, pair: Pair, events: Sequence[Event], left: Enclosed, right: Enclosed
) -> Witness:
    """The witness as data."""
    claim = claim_against(mechanism, pair.left, (left.middle(), right.middle()))
    least = least_epsilon(left, right, claim.delta)
    outputs = [readable(mechanism, event) for event in events]
    return Witness(
        parameters=_named(mechanism, pair.left, private=False),
        left=_named(mechanism, pair.left, private=True),
        right=_named(mechanism, pair.right, private=True),
        output=outputs[0] if len(outputs) == 1 else {"any of": outputs},
        epsilon=_upper(claim.epsilon),
        delta=_upper(claim.delta),
        probability_left=left.floats(),
        probability_right=right.floats(),
        epsilon_at_least=None if math.isinf(least) else least,
        events=tuple(event.json() for event in events),
        inputs=_python_inputs(mechanism, pair),
        notion=None if mechanism.divergence is None else mechanism.divergence.notion.value,
        order=claim.order,
    )


def _python_inputs(mechanism: ir.Mechanism, pair: Pair) -> dict[str, dict[str, Any]] | None:
    if not mechanism.records and not mechanism.domains and not mechanism.labels:
        return None
    return {"left": python_inputs(mechanism, pair.left), "right": python_inputs(mechanism, pair.right)}


def lower_bound_json(
    mechanism: ir.Mechanism, epsilon: float, pair: Pair, events: Sequence[Event]
) -> dict[str, Any]:
    """An ε that is necessary (None if none is enough), with the inputs and outputs that show it."""
    outputs = [readable(mechanism, event) for event in events]
    return {
        "epsilon_at_least": None if math.isinf(epsilon) else epsilon,
        "parameters": _named(mechanism, pair.left, private=False),
        "left": _named(mechanism, pair.left, private=True),
        "right": _named(mechanism, pair.right, private=True),
        **({"inputs": shown} if (shown := _python_inputs(mechanism, pair)) else {}),
        "output": outputs[0] if len(outputs) == 1 else {"any of": outputs},
    }


def document_of(mechanism: ir.Mechanism, witness: Witness, claim: Claim = NO_CLAIM) -> dict[str, Any]:
    """What ``synth check`` reads; ``claim`` where it isn't the program's own."""
    divergence = {} if claim.notion is None else claim.stated
    return {
        "kind": "witness",
        "program": mechanism.source,
        **({"lines": runs_of(mechanism.lines)} if mechanism.lines else {}),
        **({} if mechanism.specification is None else {"specification": mechanism.specification.json()}),
        **({"unread": runs_of(mechanism.unread)} if mechanism.unread else {}),
        "mechanism": mechanism.name,
        "epsilon": claim.epsilon,
        "delta": claim.delta,
        **divergence,
        "witness": witness.json(),
    }


def _upper(ball: arb) -> float:
    value = float(ball.mid())
    return value if ball.is_exact() and arb(value) == ball else math.nextafter(float(ball.upper()), math.inf)


def _named(mechanism: ir.Mechanism, inputs: Mapping[str, Any], private: bool) -> dict[str, Any]:
    given = inputs if private else inside(mechanism, inputs)
    return {
        item.name: written(given[item.name])
        for item in mechanism.parameters
        if (item.metric is not None) == private
    }
