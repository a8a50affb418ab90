"""A claim from outside of the program file, read like one in the decorator."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from synth.language import specification
from synth.language.module import read_module
from synth.language.printing import text as printed
from synth.language.source import make_source, parse_module
from synth.language.specification import Public
from synth.language.syntax import Expression, Mechanism, Span


@dataclass(frozen=True)
class Claim:
    """ε and δ in Python's syntax; None where nothing is claimed of them."""

    epsilon: str | None = None
    delta: str | None = None

    @staticmethod
    def of(mechanism: Mechanism) -> Claim:
        """What is claimed of a mechanism."""
        bounds = (mechanism.epsilon, mechanism.delta)
        return Claim(*(None if bound is None else printed(bound) for bound in bounds))

    def filled(self, other: Claim) -> Claim:
        """The claim, with what another one says of what this one doesn't."""
        epsilon = other.epsilon if self.epsilon is None else self.epsilon
        return Claim(epsilon, other.delta if self.delta is None else self.delta)

    def __bool__(self) -> bool:
        return self != NO_CLAIM

    def __str__(self) -> str:
        items = {"epsilon": self.epsilon, "delta": self.delta}.items()
        return ", ".join(f"{name} = {bound}" for name, bound in items if bound is not None) or "nothing"


NO_CLAIM = Claim()


def with_claim(mechanism: Mechanism, claim: Claim) -> Mechanism:
    """The mechanism with what a claim says in the place of its own.  Raises ProgramError."""
    if claim.epsilon is not None:
        mechanism = replace(mechanism, epsilon=read_claim(mechanism, claim.epsilon))
    if claim.delta is not None:
        mechanism = replace(mechanism, delta=read_claim(mechanism, claim.delta, "delta"))
    return mechanism


def read_claim(mechanism: Mechanism, text: str, what: str = "epsilon") -> Expression:
    """The bound that ``text`` states for a mechanism.  Raises ProgramError.

    It may mention the public parameters and the constants of the mechanism's file.
    """
    source = make_source(mechanism.source, mechanism.path)
    module = read_module(source, parse_module(source))
    specification.read_constants(module)
    private = frozenset(item.name for item in mechanism.parameters if item.metric is not None)
    node = _string(text, mechanism.span)
    return specification.claim(module, node, what, Public(mechanism.visible, private))


def _string(text: str, place: Span) -> ast.Constant:
    """A string literal with a place that errors may name."""
    node = ast.Constant(text)
    node.lineno = node.end_lineno = place.line
    node.col_offset = node.end_col_offset = 0
    return node
