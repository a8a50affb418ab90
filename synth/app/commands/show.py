"""``synth show``: prints a mechanism's text and the core program that the reader makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from synth.app.targets import Target, read_mechanism
from synth.support.display import shown
from synth.trusted.core.writer import write_core
from synth.views.formats.json_object import print_results


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str | Target
    timeout: float
    json: bool


def run(options: Options) -> int:
    """Read and print; the exit status.  Raises UsageError, ProgramError, Unwritable."""
    mechanism = read_mechanism(options.target, options.timeout)
    core = write_core(mechanism)
    if options.json:
        row = {
            "mechanism": mechanism.name,
            "file": mechanism.path,
            "program": mechanism.source,
            "lines": list(mechanism.lines),
            "core": core,
        }
        print_results([row], 0)
        return 0
    from synth.views.console.programs import numbered, write_compared
    from synth.views.console.results import console

    headings = shown(f"{mechanism.path}::{mechanism.name}"), "core program"
    write_compared(console(), headings, numbered(mechanism.source, mechanism.lines), numbered(core))
    return 0
