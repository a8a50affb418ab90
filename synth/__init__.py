"""Coupling proofs of differential privacy for randomized programs.

Every program file imports ``synth.lang`` through this module, so all else is loaded when it is asked for.
docs/api.md has examples.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synth.app.library.calls import (
        check,
        export,
        finite_precision,
        lifting,
        probability,
        prove,
        prove_all,
        read,
        refute,
        repair,
        templates,
    )
    from synth.app.library.notebooks import Plot
    from synth.app.library.results import (
        Bound,
        Change,
        Checked,
        Condition,
        CoupledPair,
        FinitePrecision,
        Lifting,
        LowerBound,
        Mechanism,
        OutputProbability,
        Parameter,
        Probabilities,
        Proved,
        Range,
        Reason,
        Recomputed,
        Refuted,
        Repair,
        SeparatingSet,
        Template,
        Unknown,
        Witness,
    )
    from synth.integrations.assertions import assert_private
    from synth.trusted.errors import (
        CertificateError,
        InternalError,
        OutputError,
        ProgramError,
        SynthError,
        TemplateError,
        UnfinishedError,
        UsageError,
    )
    from synth.views.results import Invariant, Site, SiteCase, TerminationSensitive

__all__ = [
    "Bound",
    "CertificateError",
    "Change",
    "Checked",
    "Condition",
    "CoupledPair",
    "FinitePrecision",
    "InternalError",
    "Invariant",
    "Lifting",
    "LowerBound",
    "Mechanism",
    "OutputError",
    "OutputProbability",
    "Parameter",
    "Plot",
    "Probabilities",
    "ProgramError",
    "Proved",
    "Range",
    "Reason",
    "Recomputed",
    "Refuted",
    "Repair",
    "SeparatingSet",
    "Site",
    "SiteCase",
    "SynthError",
    "Template",
    "TemplateError",
    "TerminationSensitive",
    "UnfinishedError",
    "Unknown",
    "UsageError",
    "Witness",
    "assert_private",
    "check",
    "export",
    "finite_precision",
    "lifting",
    "probability",
    "prove",
    "prove_all",
    "read",
    "refute",
    "repair",
    "templates",
]

_PLACES = (
    "synth.trusted.errors",
    "synth.views.results",
    "synth.app.library.notebooks",
    "synth.app.library.results",
    "synth.app.library.calls",
    "synth.integrations.assertions",
)
"""Where they are, what takes longest to import at the end."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        for place in _PLACES:
            module = import_module(place)
            if getattr(getattr(module, name, None), "__module__", None) == place:
                globals()[name] = getattr(module, name)
                return globals()[name]
    raise AttributeError(f"module 'synth' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
