"""What a proved ε becomes in finite precision: from a certificate's text to the theorem's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.asker import Asker
from synth.app.document_files import refuse_witness
from synth.app.limited import Limits, limited
from synth.app.validated import misreading
from synth.trusted.errors import CertificateError, UsageError

if TYPE_CHECKING:
    from synth.precision import Bound, Implementation, NoisedReal, Scaling
    from synth.trusted.kernel.certificate import Certificate

BOUNDED, UNKNOWN, UNBOUNDED = "bounded", "unknown", "unbounded"


@dataclass(frozen=True)
class Request:
    """What is to be computed of a certificate, at ``values`` of its program's public parameters.

    ``implementation`` has the first of the grids, whose ``cells`` are tried with each number of ``bits``.
    """

    text: str
    values: Mapping[str, object]
    sensitivity: Fraction | None
    implementation: Implementation
    cells: tuple[Fraction, ...]
    bits: tuple[int, ...]
    asker: Asker = Asker.COMMAND_LINE


@dataclass(frozen=True)
class NotProved:
    """What the kernel said against the certificate."""

    verdict: str
    rule: str | None
    place: str | None
    reason: str | None


@dataclass(frozen=True)
class Answer:
    """What came out; without rounding there is an ``example`` and no table."""

    mechanism: str
    epsilon: str
    noise: NoisedReal
    bound: Bound
    table: tuple[Bound, ...]
    example: Scaling | None
    is_own_example: bool

    @property
    def verdict(self) -> str:
        """``bounded``, ``unknown`` (conditions fail), or ``unbounded`` (nothing is rounded)."""
        if self.example is not None:
            return UNBOUNDED
        return BOUNDED if any(item.epsilon is not None for item in self.table) else UNKNOWN


def answer(path: Path, request: Request, limits: Limits) -> Answer | NotProved:
    """What the theorem says, within limits; ``path`` is for messages.

    Raises CertificateError, UsageError, UnfinishedError and InternalError.
    """
    size = len(request.text)
    return limited(limits, path, size, "checking the certificate", lambda: _answer(path, request))


# --- in the worker --------------------------------------------------------------------------


def _answer(path: Path, request: Request) -> Answer | NotProved:
    from synth.precision import NotProvedError, bound, checked_certificate, noised_real, table

    refuse_witness(path, request.text)
    try:
        certificate = checked_certificate(request.text)
        _check_reading(request.text)
        values = _values(certificate, request)
        noise = noised_real(certificate, values, request.sensitivity)
    except NotProvedError as error:
        return NotProved(error.verdict, error.rule, error.place, error.reason)
    except CertificateError as error:
        raise CertificateError(f"{path}: {error.message}") from None
    main = bound(noise, request.implementation)
    entries = table(noise, request.implementation, request.cells, request.bits)
    example, own = (None, False) if request.cells else _example(noise, request.implementation)
    return Answer(certificate.program.mechanism, _symbolic(certificate), noise, main, entries, example, own)


def _check_reading(text: str) -> None:
    """Raises NotProvedError if a run of the program's text shows that it is read as another program."""
    from synth.app.checking import mechanism_in
    from synth.precision import NotProvedError

    mechanism = mechanism_in(text)
    error = None if mechanism is None else misreading(mechanism)
    if error is not None:
        raise NotProvedError("invalid", "Program", "program.text", error.message)


def _values(certificate: Certificate, request: Request) -> dict[str, Fraction | bool]:
    from synth.app.assignments import check_names, data_of
    from synth.trusted.kernel.check import judged_mechanism
    from synth.trusted.program import syntax as ir

    given = request.values
    option = "--set" if request.asker is Asker.COMMAND_LINE else "parameters"
    parameters = judged_mechanism(certificate).parameters
    public = [item for item in parameters if item.metric is None and item.kind is ir.ParameterKind.SCALAR]
    private = {item.name for item in parameters if item.metric is not None}
    for name in given:
        if name in private:
            raise UsageError(f"{option}: '{name}' is private; only public parameters can be set")
    check_names(given, public, option)
    return {
        name: item if isinstance(item, bool) else Fraction(item)
        for name, item in data_of(public, given).items()
        if not isinstance(item, tuple)
    }


def _symbolic(certificate: Certificate) -> str:
    from synth.trusted.kernel.check import judged_mechanism
    from synth.views.certificate.report import shown_bounds

    return str(shown_bounds(certificate, judged_mechanism(certificate)).epsilon)


def _example(noise: NoisedReal, implementation: Implementation) -> tuple[Scaling, bool]:
    from synth.precision import example_for, printed_example

    own = example_for(noise, implementation)
    return own or printed_example(), own is not None
