"""The functions of the library; docs/api.md shows them at work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, overload

from synth.app.asker import Asker
from synth.app.jobs import Options
from synth.app.library import arguments
from synth.app.library.arguments import Datum, ImplementationArguments, Mass, Number, Target
from synth.app.library.host import given_out
from synth.app.library.results import (
    Checked,
    FinitePrecision,
    Lifting,
    Mechanism,
    Probabilities,
    Proved,
    Refuted,
    Repair,
    Template,
    Unknown,
)
from synth.trusted.errors import UsageError

if TYPE_CHECKING:
    from synth.app.library.arguments import Expression
    from synth.app.limited import Limits
    from synth.app.stated import Stated

_SOLVERS = {"either": ("either",), "cvc5": ("cvc5",), "z3": ("z3",), "both": ("cvc5", "z3")}


def read(path: Target, *, timeout: float = 60.0) -> tuple[Mechanism, ...]:
    """The mechanisms of a program file or a folder, in order; each file is read within so many seconds.

    Raises ProgramError and UsageError.
    """
    found: tuple[Mechanism, ...] = _only("mechanisms", arguments.target(path), arguments.seconds(timeout))
    return found


def prove(
    target: Target,
    *,
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    gdp: Expression | None = None,
    zcdp: Expression | None = None,
    timeout: float = 60.0,
    templates: Iterable[str | os.PathLike[str]] = (),
    bracket: bool = False,
    cache: bool = False,
) -> Proved | Refuted | Unknown:
    """A proof of the target's one mechanism, with the least ε that is found, or of its claim.

    ``epsilon`` and ``delta``, or ``gdp``, or ``zcdp``, are claimed instead of what the program claims.
    ``timeout`` is in seconds, ``templates`` are files with couplings of your own.  With ``bracket`` an ε that
    is necessary is looked for, too.  With ``cache`` documents are kept in the user's cache folder, and
    checked again the next time.

    Raises ProgramError, TemplateError, UsageError and InternalError.
    """
    stated = arguments.stated(epsilon, delta, gdp, zcdp)
    options = _options(stated, timeout=timeout, templates=templates, bracket=bracket, cache=cache)
    found: Proved | Refuted | Unknown = _only("proofs", arguments.target(target), options, False)
    return found


def prove_all(
    path: Target,
    *,
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    gdp: Expression | None = None,
    zcdp: Expression | None = None,
    timeout: float = 60.0,
    templates: Iterable[str | os.PathLike[str]] = (),
    bracket: bool = False,
    cache: bool = False,
    workers: int | None = None,
) -> Iterator[Proved | Refuted | Unknown]:
    """The results of all mechanisms of a file or folder, in order, each as soon as it is there.

    ``workers`` mechanisms are proved at a time; left out, as many as there are cores, at most 4.  The work
    begins with the first result that is asked for, and ends with the iterator.

    Raises as :func:`prove` does: before the first result if a file can't be read, and what concerns one
    mechanism after the last one (of several errors the first, with the others as notes).
    """
    options = _options(
        arguments.stated(epsilon, delta, gdp, zcdp),
        timeout=timeout,
        templates=templates,
        bracket=bracket,
        cache=cache,
        workers=workers,
    )
    return _stream("proofs", arguments.target(path), options, True)


def _options(
    stated: Stated,
    *,
    timeout: float,
    templates: Iterable[str | os.PathLike[str]],
    bracket: bool,
    cache: bool,
    workers: int | None = None,
) -> Options:
    return Options(
        stated,
        timeout=arguments.seconds(timeout),
        templates=arguments.paths(templates, "templates"),
        bracket=arguments.flag(bracket, "bracket"),
        workers=arguments.whole(workers, "workers"),
        cache=arguments.flag(cache, "cache"),
    )


def refute(
    target: Target,
    *,
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    gdp: Expression | None = None,
    zcdp: Expression | None = None,
    parameters: Mapping[str, Datum] | None = None,
    timeout: float = 60.0,
) -> Refuted | Unknown:
    """A witness against the claim of the target's one mechanism, if one is found.

    ``epsilon`` and ``delta``, or ``gdp``, or ``zcdp``, are refuted instead of what the program claims;
    ``parameters`` fixes public parameters.

    Raises ProgramError, UsageError and InternalError.
    """
    values = arguments.values(parameters or {}, "parameters")
    stated = arguments.stated(epsilon, delta, gdp, zcdp)
    found: Refuted | Unknown = _only(
        "witnesses", arguments.target(target), stated, values, arguments.seconds(timeout)
    )
    return found


def repair(
    target: Target,
    *,
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    gdp: Expression | None = None,
    zcdp: Expression | None = None,
    timeout: float = 60.0,
) -> Repair:
    """Scales with which the claim of the target's one mechanism is proved; no file is changed.

    A scale may be left open, as in ``laplace(x, ...)``: then the noise is divided so that it is least.  Else
    as few scales as possible are changed.  ``epsilon`` and ``delta``, or ``gdp``, or ``zcdp``, are claimed
    instead of what the program claims, ``timeout`` is in seconds for each proof that is tried.

    Raises ProgramError, UsageError and InternalError.
    """
    options = Options(arguments.stated(epsilon, delta, gdp, zcdp), arguments.seconds(timeout))
    found: Repair = _only("repairs", arguments.target(target), options)
    return found


def check(
    certificate: str | os.PathLike[str],
    *,
    program: Target | None = None,
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    gdp: Expression | None = None,
    zcdp: Expression | None = None,
    solver: str = "either",
    timeout: float | None = None,
    memory: int = 1024,
) -> Checked:
    """The kernel's verdict on a proof, or that of a second method on a witness.

    ``certificate`` is the document's text, or the :class:`pathlib.Path` of its file.  With ``program`` it
    must be about what that file says of that mechanism; without it, look at the result's ``header``.
    ``epsilon`` and ``delta``, or ``gdp``, or ``zcdp``, are held against it instead of the program's claim.
    ``solver`` is ``either``, ``both``, ``cvc5`` or ``z3``.  ``timeout`` is in seconds by the clock (left out:
    processor time that grows with the document), ``memory`` in MiB.

    Raises CertificateError for what is no certificate, ProgramError, UsageError and InternalError.
    """
    limits = _limits(timeout, memory)
    found: Checked = _only(
        "checks",
        arguments.document(certificate),
        None if program is None else arguments.target(program),
        _SOLVERS[arguments.one_of(solver, "solver", _SOLVERS)],
        arguments.stated(epsilon, delta, gdp, zcdp),
        limits,
    )
    return found


def _limits(timeout: float | None, memory: int) -> Limits:
    from synth.app.limited import Limits

    seconds = None if timeout is None else arguments.seconds(timeout)
    return Limits(seconds, arguments.memory(memory), Asker.CALL)


def probability(
    target: Target,
    input: Mapping[str, Datum],
    *,
    neighbour: Mapping[str, Datum] | None = None,
    timeout: float = 60.0,
) -> Probabilities:
    """The probability of each output on an input, or also on a neighbour, with the loss.

    ``input`` has a value for every parameter, ``neighbour`` what differs in the second input.  A float stands
    for the decimal number that Python writes: 0.1 is 1/10.

    Raises ProgramError, UsageError, UnfinishedError, InternalError, and SynthError for a program whose
    probabilities can't be computed.
    """
    changes = None if neighbour is None else arguments.values(neighbour, "neighbour")
    values = arguments.values(input, "input")
    found: Probabilities = _only(
        "distributions", arguments.target(target), values, changes, arguments.seconds(timeout)
    )
    return found


@overload
def lifting(
    target: Target,
    /,
    *,
    input: Mapping[str, Datum],
    neighbour: Mapping[str, Datum],
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    timeout: float = 60.0,
) -> Lifting: ...
@overload
def lifting(
    left: Mapping[Any, Mass],
    right: Mapping[Any, Mass],
    /,
    *,
    epsilon: Expression,
    relation: str | Iterable[tuple[Any, Any]] = "equality",
    delta: Expression | None = None,
    timeout: float = 60.0,
) -> Lifting: ...
def lifting(
    given: Any,
    other: Any = None,
    /,
    *,
    input: Mapping[str, Datum] | None = None,
    neighbour: Mapping[str, Datum] | None = None,
    relation: Any = "equality",
    epsilon: Expression | None = None,
    delta: Expression | None = None,
    timeout: float = 60.0,
) -> Lifting:
    """Whether two finite distributions are related by an (ε, δ)-lifting; ``epsilon`` is in nats.

    They are the outputs of a mechanism on an ``input`` and its ``neighbour``, with equality and what the
    program claims unless the call says otherwise; or two mappings from values to probabilities (fractions,
    numbers, texts like ``1/3``; a float stands for the decimal number that Python writes), with ``relation``
    ``equality`` or pairs of values.

    Raises ProgramError, UsageError, UnfinishedError, InternalError, and SynthError for a program whose
    probabilities can't be computed.
    """
    claim = arguments.stated(epsilon, delta)
    seconds = arguments.seconds(timeout)
    found: Lifting
    if other is None:
        if input is None or neighbour is None or relation != "equality":
            raise UsageError("a mechanism needs input and neighbour, and its relation is equality")
        inputs = arguments.values(input, "input"), arguments.values(neighbour, "neighbour")
        found = _only("liftings_of_outputs", arguments.target(given), *inputs, claim, seconds)
        return found
    if input is not None or neighbour is not None:
        raise UsageError("input and neighbour are for mechanisms")
    numbered = arguments.distributions(given, other, relation)
    found = _only("liftings_of_distributions", numbered, claim, seconds)
    return _with_values(found, tuple(given), tuple(other))


def _with_values(found: Lifting, left: Sequence[Any], right: Sequence[Any]) -> Lifting:
    """The lifting with the values instead of their numbers."""
    coupling, cut = found.coupling, found.separating_set
    return replace(
        found,
        coupling=coupling
        and tuple(replace(pair, left=left[pair.left], right=right[pair.right]) for pair in coupling),
        separating_set=None
        if cut is None
        else replace(
            cut, left=tuple(left[item] for item in cut.left), right=tuple(right[item] for item in cut.right)
        ),
    )


def finite_precision(
    certificate: str | os.PathLike[str],
    *,
    range: tuple[Number, Number],
    parameters: Mapping[str, Datum] | None = None,
    grid: Number | None = None,
    format: str = "float64",
    sensitivity: Number | None = None,
    query_error: Number = 0,
    uniform_bias: Number | None = None,
    noise_error: Number | None = None,
    log_error: Number = 1,
    planar: bool = False,
    timeout: float | None = None,
    memory: int = 1024,
) -> FinitePrecision:
    """What a proved ε becomes when Laplace noise is computed in a ``format`` (docs/precision.md).

    ``certificate`` is the document's text, or the :class:`pathlib.Path` of its file; it is checked first.
    ``parameters`` are the values of its program's public parameters.  Results outside of ``range`` become ∞,
    the others are rounded to cells as wide as ``grid``.  The rest is named as the options of
    ``synth precision`` are.  Numbers are exact: texts like ``1/64`` and ``2^-53`` are read, and a float
    stands for the decimal number that Python writes.  ``timeout`` and ``memory`` are as in :func:`check`.

    Raises CertificateError for what is not proved or not covered, UsageError, UnfinishedError and
    InternalError.
    """
    optional = {"sensitivity": sensitivity, "uniform_bias": uniform_bias, "noise_error": noise_error}
    implementation = ImplementationArguments(
        format=arguments.text(format, "format"),
        range=arguments.ends(range, "range"),
        grid=None if grid is None else arguments.number(grid, "grid"),
        query_error=arguments.number(query_error, "query_error"),
        log_error=arguments.number(log_error, "log_error"),
        planar=arguments.flag(planar, "planar"),
        **{name: None if item is None else arguments.number(item, name) for name, item in optional.items()},
    )
    found: FinitePrecision = _only(
        "finite_precisions",
        arguments.document(certificate),
        arguments.values(parameters or {}, "parameters"),
        implementation,
        _limits(timeout, memory),
    )
    return found


def templates(files: Iterable[str | os.PathLike[str]] = ()) -> tuple[Template, ...]:
    """The couplings of noise that proofs may use, and those of files, each with a solver's verdict.

    Raises TemplateError, UnfinishedError, InternalError.
    """
    found: tuple[Template, ...] = _only("templates", arguments.paths(files, "files"))
    return found


@overload
def export(
    certificate: str | os.PathLike[str],
    *,
    to: Literal["text", "latex", "html", "graph", "rocq"],
    timeout: float | None = None,
    memory: int = 1024,
) -> str: ...
@overload
def export(
    certificate: str | os.PathLike[str],
    *,
    to: Literal["smtlib"],
    proofs: bool = False,
    timeout: float | None = None,
    memory: int = 1024,
) -> dict[str, str]: ...
def export(
    certificate: str | os.PathLike[str],
    *,
    to: str,
    proofs: bool = False,
    timeout: float | None = None,
    memory: int = 1024,
) -> str | dict[str, str]:
    """A proof's certificate as people (``text``, ``latex``) and other tools read it, unchecked.

    ``certificate`` is the document's text, or the :class:`pathlib.Path` of its file.  ``html`` is a page
    that needs no network, also of a witness.  ``graph`` is JSON with the graphs of its program, ``rocq``
    a file that Rocq compiles.  ``smtlib`` is a mapping from names of files to their content, with
    ``proofs`` also cvc5's proof objects.  ``timeout`` is in seconds by the clock (left out: processor
    time that grows with the document, and an hour by the clock for proof objects), ``memory`` in MiB.

    Raises CertificateError, UsageError, UnfinishedError, InternalError.
    """
    limits = _limits(timeout, memory)
    form = arguments.one_of(to, "to", ("text", "latex", "html", "graph", "smtlib", "rocq"))
    if arguments.flag(proofs, "proofs") and form != "smtlib":
        raise UsageError("proofs goes with smtlib: only solvers' queries have proof objects")
    found: str | dict[str, str] = _only("exports", arguments.document(certificate), form, proofs, limits)
    return found


# --- in a process of its own ----------------------------------------------------------------


def _stream(work: str, *given: object) -> Iterator[Any]:
    return given_out(work, *given)


def _only(work: str, *given: object) -> Any:
    with closing(given_out(work, *given)) as found:
        return next(found)
