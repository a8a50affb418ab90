"""Bounds of certificates as `prove` writes them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce
from operator import add, mul, sub, truediv

from synth.bounds.rational import Rational
from synth.bounds.rational_text import text
from synth.trusted.frontend.claim import Claim
from synth.trusted.kernel.certificate import Certificate
from synth.trusted.kernel.check import EITHER, follows
from synth.trusted.kernel.rejection import Rejected
from synth.trusted.kernel.solvers import GaveUp
from synth.trusted.kernel.terms import BadTerm, Term, value, write
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.views.proof.names import Names

_OPERATORS = {
    "+": add, "*": mul, "-": sub, "/": truediv, "|*:Real,Real|": mul, "|/:Real,Real|": truediv,
}  # fmt: skip
"""Those of SMT-LIB, and those that stand for products and quotients in linear arithmetic."""

_FUNCTIONS = {f"|{name}:Real|": name for name in ("log", "exp", "sqrt")}


def shown_bounds(
    certificate: Certificate, mechanism: ir.Mechanism, solvers: Sequence[str] = (EITHER,)
) -> tuple[str, str]:
    """ε and δ of a valid certificate as people write them, if the kernel shows that; else its own terms."""
    terms = certificate.epsilon, certificate.delta
    budgets = Names(Analysis(mechanism)).budgets()
    epsilon, delta = (bound_text(term, budgets) for term in terms)
    try:
        if follows(certificate, Claim(epsilon, delta), solvers):
            return epsilon, delta
    except (Rejected, GaveUp, BadTerm):
        pass
    return write(terms[0]), write(terms[1])


def bound_text(term: Term, budgets: Collection[str] = ()) -> str:
    """A term over public inputs in Python's syntax."""
    return text(_rational(term), budgets)


def _rational(term: Term) -> Rational:
    exact = value(term)
    if exact is not None:
        return Rational.number(exact)
    match term:
        case ("to_real", inner):
            return _rational(inner)
        case ("-", inner):
            return -_rational(inner)
        case (str() as head, *parts) if head in _OPERATORS:
            return reduce(_OPERATORS[head], map(_rational, parts))
        case (str() as head, inner) if head in _FUNCTIONS:
            return Rational.variable(f"{_FUNCTIONS[head]}({_rational(inner)})")
        case _:
            return Rational.variable(write(term).strip("|").removesuffix("<>"))
