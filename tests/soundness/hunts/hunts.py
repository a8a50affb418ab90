"""The hunts, by name."""

from __future__ import annotations

from . import (
    answers,
    bounds,
    certificates,
    cores,
    coupled,
    derivations,
    documents,
    files,
    laws,
    reader,
    real_python,
    rewritings,
    runs,
    shown,
    steps,
    witnesses,
)
from .hunting import Hunt

_ALL = (
    Hunt("reader", "the typed program of a text does what the text does under CPython", reader.attempt),
    Hunt("real_python", "what is read of real Python has the law of its outputs", real_python.attempt),
    Hunt("shown", "what a run shows tells no more than output and public data", shown.attempt),
    Hunt("files", "a name of several files stands for what Python takes it for", files.attempt),
    Hunt("runs", "what runs under synth.lang draws and returns what the typed program does", runs.attempt),
    Hunt(
        "rewritings",
        "a rewriting keeps the law of the output, and reads what is assigned",
        rewritings.attempt,
    ),
    Hunt(
        "steps",
        "steps that are accepted keep the law of the output, whatever is changed about them",
        steps.attempt,
    ),
    Hunt("bounds", "a bound that is proved is at least the exact loss", bounds.attempt),
    Hunt(
        "certificates",
        "no false certificate is valid, whatever is changed about a rule",
        certificates.attempt,
    ),
    Hunt(
        "derivations",
        "what is accepted of a derivation made by chance is no more than the exact loss allows",
        derivations.attempt,
    ),
    Hunt("coupled", "what the kernel knows is true of all runs that a derivation couples", coupled.attempt),
    Hunt("cores", "what is trusted holds of core programs that no reader makes, too", cores.attempt),
    Hunt("documents", "each document gets a verdict in time, and does nothing but that", documents.attempt),
    Hunt("answers", "each program that the reader takes gets a verdict that is about it", answers.attempt),
    Hunt("laws", "chances that a check computes are those of the definition", laws.attempt),
    Hunt("witnesses", "a witness says the truth, and no false one is valid", witnesses.attempt),
)
HUNTS = {hunt.name: hunt for hunt in _ALL}
