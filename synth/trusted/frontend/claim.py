"""Claims from outside of the program file: as users write them, and in synth's own notation.

A user's text has the names of the file, like a claim in the decorator.  What synth writes down, in documents
and on the screen, has one notation: the names of the parameters, and those of Python's functions.  It is
read as such, whatever the file calls its imports.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import specification
from synth.trusted.frontend.library import bundled
from synth.trusted.frontend.module import Module
from synth.trusted.frontend.module_reading import read_module
from synth.trusted.frontend.source import make_source, parse_module
from synth.trusted.frontend.specification import Public
from synth.trusted.frontend.values import RecordsValue
from synth.trusted.program import syntax as ir
from synth.trusted.program.printing import text as printed
from synth.trusted.program.substitution import mapped


@dataclass(frozen=True)
class Claim:
    """ε and δ, or μ of GDP, or ρ of zCDP, in synth's notation; None where nothing is claimed of them."""

    epsilon: str | None = None
    delta: str | None = None
    gdp: str | None = None
    zcdp: str | None = None

    @staticmethod
    def of(mechanism: ir.Mechanism) -> Claim:
        """What is claimed of a mechanism."""
        bounds = {"epsilon": mechanism.epsilon, "delta": mechanism.delta}
        if mechanism.divergence is not None:
            bounds[mechanism.divergence.notion.value] = mechanism.divergence.bound
        lengths: dict[ir.Expression, ir.Expression] = {
            ir.Length(column): ir.Length(item.name) for item in mechanism.records for column in item.columns
        }
        stated = {name: mapped(bound, lengths.get) for name, bound in bounds.items() if bound is not None}
        return Claim(**{name: printed(bound) for name, bound in stated.items()})

    def filled(self, other: Claim) -> Claim:
        """The claim, with what another one of the same notion says of what this one doesn't."""
        if not self or not other or self.notion is not None or other.notion is not None:
            return self or other
        epsilon = other.epsilon if self.epsilon is None else self.epsilon
        return Claim(epsilon, other.delta if self.delta is None else self.delta)

    @property
    def notion(self) -> ir.Notion | None:
        """What is claimed if not (ε, δ)."""
        return next((notion for notion in ir.Notion if getattr(self, notion.value) is not None), None)

    @property
    def stated(self) -> dict[str, str]:
        """What is claimed, by its name."""
        return {name: bound for name, bound in vars(self).items() if bound is not None}

    def __bool__(self) -> bool:
        return self != NO_CLAIM

    def __str__(self) -> str:
        return ", ".join(f"{name} = {bound}" for name, bound in self.stated.items()) or "nothing"


NO_CLAIM = Claim()
_VOCABULARY = "from math import ceil, exp, floor, log, sqrt\n"
"""The functions that :mod:`synth.trusted.program.printing` writes and that Python has no builtin for."""


def with_claim(mechanism: ir.Mechanism, claim: Claim) -> ir.Mechanism:
    """The mechanism with what a claim says in the place of its own.  Raises ProgramError.

    A claim of another notion takes the place of all that is claimed.
    """
    own = Claim.of(mechanism)
    if claim.notion is not None:
        if len(claim.stated) > 1:
            raise ProgramError(
                f"{' and '.join(claim.stated)} are claimed at once", mechanism.path, code=Refusal.WRONG_CLAIM
            )
        if claim == own:
            return mechanism
        bound = read_bound(mechanism, claim.stated[claim.notion.value], claim.notion.value)
        return replace(mechanism, epsilon=None, delta=None, divergence=ir.Divergence(claim.notion, bound))
    if claim:
        mechanism = replace(mechanism, divergence=None)
    if claim.epsilon not in (None, own.epsilon):
        mechanism = replace(mechanism, epsilon=read_bound(mechanism, claim.epsilon))
    if claim.delta not in (None, own.delta):
        mechanism = replace(mechanism, delta=read_bound(mechanism, claim.delta, "delta"))
    return mechanism


def with_stated(mechanism: ir.Mechanism, what: str, text: str, module: Module | None = None) -> ir.Mechanism:
    """The mechanism with what a user claims in the place of its own, as :func:`read_claim` reads it.

    ``what`` is the name of the bound, as in :class:`Claim`.  Raises ProgramError.
    """
    bound = read_claim(mechanism, text, what, module)
    if what == "epsilon":
        return replace(mechanism, epsilon=bound, divergence=None)
    if what != "delta":
        return replace(mechanism, epsilon=None, delta=None, divergence=ir.Divergence(ir.Notion(what), bound))
    if mechanism.divergence is not None:
        message = f"a delta goes with an epsilon, and {mechanism.divergence.notion.value} is claimed"
        raise ProgramError(message, mechanism.path, code=Refusal.WRONG_CLAIM)
    return replace(mechanism, delta=bound)


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
    columns = {item.name: item for item in known}
    lists = {
        item.name: RecordsValue(item.name, parts, item.is_tuple, columns.get(item.present or ""))
        for item in mechanism.records
        if (item.is_tuple or item.present) and columns.keys() >= set(item.columns)
        for parts in (tuple(columns[name] for name in item.columns),)
    }
    return specification.claim(module, _string(text, mechanism.span), what, Public(known, private, lists))


def _string(text: str, place: ir.Span) -> ast.Constant:
    """A string literal with a place that errors may name."""
    node = ast.Constant(text)
    node.lineno = node.end_lineno = place.line
    node.col_offset = node.end_col_offset = 0
    return node
