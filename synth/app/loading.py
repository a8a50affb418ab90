"""What a proof imports, loaded ahead: once for many processes, or before there is anything to prove.

That starts no solver, and so no thread that a fork would lose.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module

from synth.support.imports import quickly
from synth.trusted.errors import TemplateError

_PROOF = (
    "synth.prover.prove",
    "synth.prover.templates.loading",
    "synth.views.certificate.report",
    "synth.app.explanations",
    "pysmt.solvers.cvcfive",
    "pysmt.solvers.eager",
    "z3",
    "cvc5",
)
"""What a process imports that proves a mechanism."""

_COMMAND = (
    "synth.app.cli",
    "synth.app.commands.prove",
    "synth.app.specifications",
    "synth.app.configuration",
    "synth.trusted.frontend.reader",
    "synth.views.formats.full",
    "synth.views.formats.json_lines",
    "synth.views.formats.json_object",
    "synth.views.formats.concise",
    "synth.validation.comparison",
    "synth.trusted.frontend.specification_file",
    "multiprocessing.popen_fork",
    "encodings.utf_8_sig",
)
"""What ``synth prove`` itself imports beside that."""


_MODELS = ("builtins", "math", "random", "numpy", "numpy.random")
"""The libraries whose functions most programs call."""


def load_models(names: Iterable[str] = _MODELS) -> None:
    """Read the models of libraries, once for all processes that are forked from this one."""
    from synth.trusted.frontend.library import bundled

    for name in names:
        bundled().module(name)


def load_proof() -> None:
    """Import what a proof needs, and read synth's own templates."""
    _load(_PROOF)
    from synth.prover.templates.loading import load_templates

    with suppress(TemplateError):  # it is raised where a proof needs them
        load_templates()


def load_prover() -> None:
    """Import what a proof needs, in a process that only proves: what is there now is not collected."""
    if any(name not in sys.modules for name in _PROOF):
        load_proof()
        gc.freeze()


def load_command() -> None:
    """Import what ``synth prove`` needs from its arguments to its result, and read what it is itself."""
    _load(_COMMAND)
    load_proof()
    from synth.app.cache import sources

    with suppress(OSError):
        sources()


def _load(names: tuple[str, ...]) -> None:
    with quickly():
        for name in names:
            import_module(name)
