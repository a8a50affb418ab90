"""What the library's functions have done in a process of their own: from plain arguments to results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from synth.app import (
    couplings,
    exporting,
    finite_precision,
    liftings,
    limited_check,
    probabilities,
    proving,
    refuting,
)
from synth.app.asker import Asker
from synth.app.checking import Question, Row, checked, mechanism_in
from synth.app.document_files import read_document
from synth.app.jobs import Options
from synth.app.library import conversion
from synth.app.library.arguments import Document, ImplementationArguments
from synth.app.library.results import (
    Checked,
    FinitePrecision,
    Lifting,
    Mechanism,
    OutputProbability,
    Probabilities,
    Proved,
    Refuted,
    Repair,
    Template,
    Unknown,
)
from synth.app.limited import Limits
from synth.app.limited_check import read_program
from synth.app.proving import Answer
from synth.app.rocq import accepted_text
from synth.app.stated import Stated
from synth.app.targets import Programs, parse_target, read_mechanism, read_target
from synth.app.variants import Variant
from synth.liftings.distributions import Distributions
from synth.trusted.errors import CertificateError, SynthError, UsageError
from synth.trusted.program import syntax as ir

Verdict = Proved | Refuted | Unknown


def mechanisms(target: str, seconds: float) -> Iterator[tuple[Mechanism, ...]]:
    """The mechanisms of a target.  Raises ProgramError, UsageError."""
    programs = read_target(parse_target(target), seconds)
    _require_readable(programs)
    yield tuple(map(conversion.mechanism_of, programs.mechanisms))


def proofs(target: str, options: Options, several: bool) -> Iterator[Verdict]:
    """What becomes of the mechanisms of a target; with ``several`` errors come after all results.

    Raises ProgramError, TemplateError, UsageError, InternalError.
    """
    claimed = proving.read_claimed([target], options)
    _require_readable(claimed.programs)
    if not several:
        _require_one(target, claimed.programs, "prove_all")
    with closing(proving.answers(claimed, options)) as answers:
        yield from _results(claimed.mechanisms, answers)


def witnesses(target: str, stated: Stated, values: Mapping[str, object], seconds: float) -> Iterator[Verdict]:
    """A witness against the claim of a target's mechanism, or why there is none.

    Raises ProgramError, UsageError, InternalError.
    """
    programs = refuting.read_claimed(target, stated, seconds)
    _require_readable(programs)
    _require_one(target, programs)
    search = refuting.search(
        programs.mechanisms,
        values,
        seconds,
        option="parameters",
        stated=stated,
    )
    with closing(refuting.answers(search)) as answers:
        yield from _results(programs.mechanisms, answers)


def repairs(target: str, options: Options) -> Iterator[Repair]:
    """What makes the claim of a target's mechanism provable.

    Raises ProgramError, UsageError, InternalError.
    """
    from synth.app.repair.repairing import repaired

    found = repaired(target, options)
    if len(found.mechanisms) > 1:
        names = ", ".join(item.name for item in found.mechanisms)
        raise UsageError(f"which mechanism? {target}::NAME, with one of {names}")
    (item,) = found.mechanisms
    proof = None
    if item.private and item.result is not None:
        mechanism = Variant(found.path, found.after, item.name, stated=options.stated).mechanism()
        proof = conversion.result_of(mechanism, item.result)
    yield conversion.repair_of(found, item, proof)


def _results(mechanisms: tuple[ir.Mechanism, ...], answers: Iterator[Answer]) -> Iterator[Verdict]:
    """The results, then the first error with the others as its notes."""
    errors: list[SynthError] = []
    for mechanism, answer in zip(mechanisms, answers, strict=True):
        if answer.error is not None:
            errors.append(answer.error)
        elif answer.result is not None:
            yield conversion.result_of(mechanism, answer.result)
    _raise_first(errors)


def _raise_first(errors: list[SynthError]) -> None:
    if errors:
        first, *others = errors
        for other in others:
            first.add_note(str(other))
        raise first


def _require_readable(programs: Programs) -> None:
    """Raises ProgramError."""
    _raise_first(list(programs.errors))


def _require_one(target: str, programs: Programs, otherwise: str | None = None) -> None:
    """Raises UsageError."""
    if len(programs.mechanisms) <= 1:
        return
    names = ", ".join(item.name for item in programs.mechanisms)
    hint = f"; {otherwise} is for all of them" if otherwise else ""
    raise UsageError(f"which mechanism? {target}::NAME, with one of {names}{hint}")


# --- documents ------------------------------------------------------------------------------


def checks(
    document: Document,
    program: str | None,
    solvers: tuple[str, ...],
    stated: Stated,
    limits: Limits,
) -> Iterator[Checked]:
    """The verdict on a document.  Raises CertificateError, ProgramError, UsageError, InternalError."""
    expected_program = None if program is None else read_program(program, Asker.CALL)
    question = Question(solvers, stated, expected_program)
    text = _text(document)

    def work() -> Checked:
        row = checked(document.path, text, question)
        return conversion.checked_of(mechanism_in(text), row)

    found = limited_check.within(limits, document.path, text, question, work)
    yield conversion.checked_of(None, found) if isinstance(found, Row) else found


def exports(document: Document, form: str, proofs: bool, limits: Limits) -> Iterator[str | dict[str, str]]:
    """A proof in another form.  Raises CertificateError, UnfinishedError."""
    text = _text(document)
    if form == exporting.SMTLIB:
        yield exporting.scripts(document.path, text, proofs, limits).files
    elif form == exporting.ROCQ:
        yield accepted_text(document.path, text, limits)
    else:
        yield exporting.document(document.path, text, form, limits)


def _text(document: Document) -> str:
    return read_document(document.path) if document.text is None else document.text


# --- probabilities and templates ------------------------------------------------------------


def distributions(
    target: str, values: Mapping[str, object], changes: Mapping[str, object] | None, seconds: float
) -> Iterator[Probabilities]:
    """The probabilities of a mechanism's outputs.  Raises SynthErrors as the command does."""
    from synth.app.assignments import complete_inputs
    from synth.refuter.exact.label_texts import with_texts

    mechanism = read_mechanism(target, seconds)
    inputs = complete_inputs(mechanism, values, changes, Asker.CALL)
    table = probabilities.computed(mechanism, inputs, seconds)
    plain = [with_texts(mechanism, item) for item in inputs]
    yield Probabilities(
        mechanism=mechanism.name,
        inputs=tuple(map(conversion.values, plain)),
        adjacent=table.adjacent,
        outputs=tuple(
            OutputProbability(
                conversion.output_of(line.output), line.probabilities, probabilities.loss_ends(line)
            )
            for line in table.lines
        ),
        rest=tuple(probabilities.rest(table)),
    )


def liftings_of_outputs(
    target: str,
    values: Mapping[str, object],
    changes: Mapping[str, object],
    stated: Stated,
    seconds: float,
) -> Iterator[Lifting]:
    """Whether a mechanism's outputs on two inputs are related.  Raises SynthErrors as the command does."""
    from synth.app.assignments import complete_inputs

    mechanism = read_mechanism(target, seconds, stated)
    found = liftings.of_mechanism(
        mechanism, lambda: complete_inputs(mechanism, values, changes, Asker.CALL), seconds, Asker.CALL
    )
    yield conversion.lifting_of(mechanism, found, conversion.output_of, conversion.output_of)


def liftings_of_distributions(given: Distributions[int], stated: Stated, seconds: float) -> Iterator[Lifting]:
    """Whether two distributions, of numbered values, are related.  Raises UsageError, UnfinishedError."""
    found = liftings.of_distributions(
        lambda: given, "lifting", stated.epsilon, stated.delta, seconds, stated.asker
    )
    yield conversion.lifting_of(liftings.nobody(), found, int, int)


def finite_precisions(
    document: Document, values: Mapping[str, object], given: ImplementationArguments, limits: Limits
) -> Iterator[FinitePrecision]:
    """What a proved ε becomes.  Raises CertificateError, UsageError, UnfinishedError."""
    from synth.precision import Format, Implementation

    text = _text(document)
    form = Format.read(given.format)
    implementation = Implementation(
        form,
        *given.range,
        cell=given.grid,
        bias=given.uniform_bias,
        noise_error=given.noise_error,
        log_error=given.log_error,
        query_error=given.query_error,
        planar=given.planar,
    ).checked()
    cells = () if given.grid is None else (given.grid,)
    request = finite_precision.Request(
        text, values, given.sensitivity, implementation, cells, (form.bits,), Asker.CALL
    )
    found = finite_precision.answer(document.path, request, limits)
    if isinstance(found, finite_precision.NotProved):
        said = f"{found.verdict}: [{found.rule}] at {found.place}: {found.reason}"
        raise CertificateError(f"{document.path}: the kernel finds it {said}")
    yield conversion.finite_precision_of(found)


def templates(files: tuple[Path, ...]) -> Iterator[tuple[Template, ...]]:
    """The couplings of the bundled files and of these.  Raises TemplateError."""
    yield tuple(map(conversion.template_of, couplings.verified(files)))
