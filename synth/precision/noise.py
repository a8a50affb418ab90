"""From a certificate to what the theorem is about: one released real, its noise, and the ε proved of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from synth.precision.valuation import NoValueError, Number, rational, term_value, value
from synth.trusted.errors import CertificateError, UsageError
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.certificate import Certificate
from synth.trusted.kernel.check import VALID, Unreadable, check
from synth.trusted.kernel.decoding import SCHEMA
from synth.trusted.logic.terms import value as exact
from synth.trusted.program import syntax as ir


@dataclass
class NotProvedError(Exception):
    """The kernel doesn't accept the certificate: ``invalid``, or ``incomplete`` when a solver gave up."""

    verdict: str
    rule: str | None
    place: str | None
    reason: str | None


@dataclass(frozen=True)
class NoisedReal:
    """A mechanism proved to be ε-private that releases one real with Laplace noise of scale b.

    ``sensitivity`` is Δ, in the unit of the released value, as ``scale`` is; ``epsilon`` is in nats;
    ``sensitivity_source`` says how Δ is known, ``stated`` that it is the user's word.
    """

    mechanism: str
    epsilon: Fraction
    scale: Fraction
    sensitivity: Fraction
    sensitivity_source: str
    stated: bool = False


def checked_certificate(text: str, solvers: Sequence[str] = ("cvc5",)) -> Certificate:
    """The certificate in a text, once the kernel has accepted it.

    Raises NotProvedError, and CertificateError for a text that is no certificate.
    """
    try:
        verdict = check(text, solvers)
    except Unreadable as error:
        raise CertificateError(f"no certificate: {error.message}") from None
    if verdict.rule == SCHEMA:
        raise CertificateError(f"no certificate: {verdict.place}: {verdict.reason}")
    if verdict.verdict != VALID or verdict.certificate is None:
        raise NotProvedError(verdict.verdict, verdict.rule, verdict.place, verdict.reason)
    return verdict.certificate


def noised_real(
    certificate: Certificate, values: Mapping[str, Number], sensitivity: Fraction | None = None
) -> NoisedReal:
    """What the theorem needs to know about a certified mechanism, at these values of public parameters.

    Raises CertificateError for a mechanism that the theorem doesn't cover, UsageError for values.
    """
    if certificate.gaussian is not None or exact(certificate.proved.delta) != 0:
        raise CertificateError("the theorem is about proofs of a single epsilon")
    if certificate.sampled is not None:
        raise CertificateError("the theorem doesn't cover proofs about a sample of the records")
    mechanism = _program(certificate)
    values = {name: item if isinstance(item, bool) else Fraction(item) for name, item in values.items()}
    _check_values(mechanism, values)
    release = _release(mechanism, values)
    try:
        epsilon = term_value(certificate.proved.epsilon, values)
    except NoValueError:
        raise UsageError("the bound proved has no rational value for these parameters") from None
    if epsilon <= 0:
        raise UsageError(f"the bound proved is {epsilon} for these parameters; it must be positive")
    return _with_sensitivity(mechanism, release, epsilon, values, sensitivity)


# --- values of the public parameters --------------------------------------------------------


def _check_values(mechanism: ir.Mechanism, values: Mapping[str, Number]) -> None:
    missing = [
        item.name
        for item in mechanism.parameters
        if item.metric is None and item.kind is ir.ParameterKind.SCALAR and item.name not in values
    ]
    if missing:
        raise UsageError(f"no value for {', '.join(missing)} (--set, parameters=)")
    try:
        holds = value(mechanism.requires, values)
    except NoValueError:
        raise UsageError("whether these values satisfy 'requires' can't be computed exactly") from None
    if not holds:
        raise UsageError(f"--set: the values don't satisfy what {mechanism.name} requires")


# --- the release ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Release:
    """The scale of the noise, and the private parameter that it is added to (None for any other centre)."""

    scale: Fraction
    private: str | None


_Known = dict[str, Number | str]
"""What variables hold: a public value, or the name of the private parameter they are a shift of."""


def _program(certificate: Certificate) -> ir.Mechanism:
    """The program as it was written, without the rewritings that help proofs."""
    given = certificate.program.specification
    specified = {} if given is None else {certificate.program.mechanism: given}
    mechanisms = read_source(certificate.program.text, "program", certificate.program.lines, specified)
    return next(item for item in mechanisms if item.name == certificate.program.mechanism)


def _release(mechanism: ir.Mechanism, values: Mapping[str, Number]) -> _Release:
    draw, before = _only_draw(mechanism.name, mechanism.body)
    known: _Known = {**values}
    known |= {
        item.name: item.name
        for item in mechanism.parameters
        if item.metric is not None and item.kind is ir.ParameterKind.SCALAR and item.sort is not ir.Sort.BOOL
    }
    for assignment in before:
        found = _content(assignment.value, known)
        known.pop(assignment.target, None)
        if found is not None:
            known[assignment.target] = found
    center, scale = draw.arguments
    size = _content(scale, known)
    if size is None or isinstance(size, (str, bool)):
        raise _not_covered(mechanism.name, "its scale has no rational value for these parameters")
    private = _content(center, known)
    return _Release(size, private if isinstance(private, str) else None)


def _only_draw(name: str, body: Sequence[ir.Statement]) -> tuple[ir.Draw, list[ir.Assign]]:
    """The draw that is the output, and the assignments before it.  Raises CertificateError."""
    others = [item for item in body if not isinstance(item, (ir.Assign, ir.Draw, ir.Obligation, ir.Return))]
    draws = [item for item in body if isinstance(item, ir.Draw)]
    if others:
        raise _not_covered(name, "the theorem is about one draw, not about branches and loops")
    if len(draws) != 1:
        raise _not_covered(name, f"it draws {len(draws)} times, and the theorem is about one draw")
    (draw,) = draws
    if draw.distribution != "laplace":
        raise _not_covered(name, f"its noise is {draw.distribution}, not Laplace")
    if draw.sort is not ir.Sort.REAL:
        raise _not_covered(name, "its noise is on the integers, and can be drawn without any rounding")
    before = [item for item in body[: body.index(draw)] if isinstance(item, ir.Assign)]
    if not _returns(body[body.index(draw) + 1 :], draw.target):
        raise _not_covered(name, "it doesn't return just the noised real")
    return draw, before


def _returns(rest: Sequence[ir.Statement], target: str) -> bool:
    """Whether what follows copies the draw, at most, and returns it alone."""
    copies = {target}
    for item in rest:
        match item:
            case ir.Assign(target=name, value=ir.Variable(name=source)) if source in copies:
                copies.add(name)
            case ir.Assign(target=name):
                copies.discard(name)
            case ir.Return(values=(ir.Variable(name=name),), lists=()):
                return name in copies
            case ir.Return():
                return False
    return False


def _content(expression: ir.Expression, known: _Known) -> Number | str | None:
    """A public value, the private parameter that this is a shift of, or None."""
    try:
        return value(expression, {name: item for name, item in known.items() if not isinstance(item, str)})
    except NoValueError:
        pass
    match expression:
        case ir.Variable(name=name):
            return known.get(name)
        case ir.Operation(operator=ir.Operator.TO_REAL | ir.Operator.NEGATE, operands=(inner,)):
            return _content(inner, known)
        case ir.Operation(operator=ir.Operator.ADD | ir.Operator.SUBTRACT, operands=(left, right)):
            parts = _content(left, known), _content(right, known)
            names = [item for item in parts if isinstance(item, str)]
            return names[0] if len(names) == 1 and None not in parts else None
    return None


def _not_covered(name: str, reason: str) -> CertificateError:
    return CertificateError(f"Theorem 4.5 doesn't cover {name}: {reason}")


# --- sensitivity ----------------------------------------------------------------------------


def _with_sensitivity(
    mechanism: ir.Mechanism,
    release: _Release,
    epsilon: Fraction,
    values: Mapping[str, Number],
    stated: Fraction | None,
) -> NoisedReal:
    """Δ as stated, or from the adjacency, or the largest that the proof allows: ε·b (Thm. 3.2)."""
    if stated is not None:
        found, source = stated, "as stated"
    elif (bound := _adjacency(mechanism, release.private, values)) is not None:
        found, source = bound, f"the adjacency of {release.private}"
    else:
        found, source = epsilon * release.scale, "at most ε·b, as Laplace noise of scale b is ε-private"
    if found <= 0:
        raise UsageError(f"the sensitivity is {found}; it must be positive")
    return NoisedReal(mechanism.name, epsilon, release.scale, found, source, stated is not None)


def _adjacency(mechanism: ir.Mechanism, private: str | None, values: Mapping[str, Number]) -> Fraction | None:
    if private is None:
        return None
    metric = mechanism.parameter(private).metric
    if metric is None or metric.bound is None or metric.kind is not ir.MetricKind.ABSOLUTE:
        return None
    try:
        return rational(metric.bound, values)
    except NoValueError:
        return None
