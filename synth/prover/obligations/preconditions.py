"""Preconditions under which obligations hold that don't hold as the mechanism stands: for its author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.single_run import discharge
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_MILLISECONDS = 1000
_MAX_CANDIDATES = 8


def sufficient_precondition(mechanism: ir.Mechanism, missing: Sequence[ir.Obligation]) -> str | None:
    """Find what ``requires`` lacks, as text: parameters that are positive, sequences that aren't empty.

    Each is tried with the solvers, and so are all that seem to be needed; None if nothing that was tried
    shows all of the obligations.
    """
    tried = dict(islice(_candidates(mechanism, missing), _MAX_CANDIDATES))
    choices = [{text: condition} for text, condition in tried.items()]
    if len(tried) > 1:
        choices.append(tried)
    return next((" and ".join(choice) for choice in choices if _suffices(mechanism, choice)), None)


def _suffices(mechanism: ir.Mechanism, choice: dict[str, ir.Expression]) -> bool:
    requires = builders.both(mechanism.requires, *choice.values())
    if not PublicFacts(requires).satisfiable():
        return False
    return not discharge(replace(mechanism, requires=requires), _MILLISECONDS).missing


def _candidates(
    mechanism: ir.Mechanism, missing: Sequence[ir.Obligation]
) -> Iterator[tuple[str, ir.Expression]]:
    """Conditions on parameters that the obligations and the arguments of draws mention, with their texts."""
    draws = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw))
    stated = [item.condition for item in missing] + [part for item in draws for part in item.arguments]
    mentioned = {part for item in stated for part in ir.subexpressions(item)}
    for parameter in mechanism.parameters:
        name, sort = parameter.name, parameter.sort
        if ir.Length(name) in mentioned:
            yield f"len({name}) >= 1", builders.less_equal(builders.ONE, ir.Length(name))
        elif parameter.metric is None and sort is not ir.Sort.BOOL and ir.Variable(name, sort) in mentioned:
            yield f"{name} > 0", builders.less(builders.zero(sort), ir.Variable(name, sort))
