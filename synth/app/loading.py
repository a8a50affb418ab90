"""What a proof imports, loaded ahead: once for many processes, or before there is anything to prove.

That starts no solver, and so no thread that a fork would lose.
"""

from __future__ import annotations

import gc
import sys
from contextlib import suppress
from importlib import import_module

from synth.support.imports import quickly

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


def load_proof() -> None:
    """Import what a proof needs."""
    _load(_PROOF)


def load_prover() -> None:
    """Import what a proof needs, in a process that only proves: what is there now is not collected."""
    if any(name not in sys.modules for name in _PROOF):
        load_proof()
        gc.freeze()


def load_command() -> None:
    """Import what ``synth prove`` needs from its arguments to its result, and read what it is itself."""
    _load((*_COMMAND, *_PROOF))
    from synth.app.cache import sources

    with suppress(OSError):
        sources()


def _load(names: tuple[str, ...]) -> None:
    with quickly():
        for name in names:
            import_module(name)
