"""Claims from outside of the program file: as users write them, and in synth's own notation.

A user's text has the names of the file, like a claim in the decorator.  What synth writes down, in documents
and on the screen, has one notation: the names of the parameters, and those of Python's functions.  It is
read as such, whatever the file calls its imports.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from synth.trusted.frontend import specification
from synth.trusted.frontend.library import bundled
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.module_reading import read_module
from synth.trusted.frontend.source import make_source, parse_module
from synth.trusted.frontend.specification import Public
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text as printed


@dataclass(frozen=True)
class Claim:
    """ε and δ in synth's notation; None where nothing is claimed of them."""

    epsilon: str | None = None
    delta: str | None = None

    @staticmethod
    def of(mechanism: ir.Mechanism) -> Claim:
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
_VOCABULARY = "from math import ceil, exp, floor, log, sqrt\n"
"""The functions that :mod:`synth.trusted.program.printing` writes and that Python has no builtin for."""


def with_claim(mechanism: ir.Mechanism, claim: Claim) -> ir.Mechanism:
    """The mechanism with what a claim says in the place of its own.  Raises ProgramError."""
    own = Claim.of(mechanism)
    if claim.epsilon not in (None, own.epsilon):
        mechanism = replace(mechanism, epsilon=read_bound(mechanism, claim.epsilon))
    if claim.delta not in (None, own.delta):
        mechanism = replace(mechanism, delta=read_bound(mechanism, claim.delta, "delta"))
    return mechanism


def with_stated(
    mechanism: ir.Mechanism, epsilon: str | None, delta: str | None, module: Module | None = None
) -> ir.Mechanism:
    """The mechanism with what a user claims in the place of its own, as :func:`read_claim` reads it.

    Raises ProgramError.
    """
    if epsilon is not None:
        mechanism = replace(mechanism, epsilon=read_claim(mechanism, epsilon, "epsilon", module))
    if delta is not None:
        mechanism = replace(mechanism, delta=read_claim(mechanism, delta, "delta", module))
    return mechanism


def read_claim(
    mechanism: ir.Mechanism, text: str, what: str = "epsilon", module: Module | None = None
) -> ir.Expression:
    """The bound that a user states for a mechanism.  Raises ProgramError.

    It may mention the public parameters, and the constants and imports of the module; left out, that is the
    source of the mechanism.
    """
    module = module or module_of(mechanism.source, mechanism.path)
    labels = {name for item in mechanism.labels for name in item.parameters}
    known = tuple(item for item in mechanism.visible if item.name not in labels)
    return _read(mechanism, module, known, text, what)


def module_of(text: str, path: str) -> Module:
    """The names of a program text, for claims.  Raises ProgramError."""
    source = make_source(text, path)
    module = read_module(source, parse_module(source), bundled(), complete=False)
    specification.read_constants(module)
    return module


def read_bound(mechanism: ir.Mechanism, text: str, what: str = "epsilon") -> ir.Expression:
    """The bound that a text in synth's notation states for a mechanism.  Raises ProgramError.

    No parameter is called in it: a function that is called like one of Python's doesn't take its place.
    """
    source = make_source(_VOCABULARY, mechanism.path)
    module = read_module(source, parse_module(source), bundled())
    known = tuple(item for item in mechanism.visible if item.kind is not ir.ParameterKind.FUNCTION)
    return _read(mechanism, module, known, text, what)


def _read(
    mechanism: ir.Mechanism, module: Module, known: tuple[ir.Parameter, ...], text: str, what: str
) -> ir.Expression:
    private = frozenset(item.name for item in mechanism.parameters if item.metric is not None)
    return specification.claim(module, _string(text, mechanism.span), what, Public(known, private))


def _string(text: str, place: ir.Span) -> ast.Constant:
    """A string literal with a place that errors may name."""
    node = ast.Constant(text)
    node.lineno = node.end_lineno = place.line
    node.col_offset = node.end_col_offset = 0
    return node
