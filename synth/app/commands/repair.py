"""``synth repair``: prints the patch that makes a claim provable, and what is proved."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.app.commands.destination import Destination
from synth.app.jobs import Options as ProofOptions
from synth.app.repair.repairing import Repair, Repaired, read_text, repaired
from synth.app.statuses import UNFINISHED
from synth.app.targets import Target, parse_target
from synth.support.display import json_text, shown
from synth.support.files import write_output
from synth.trusted.errors import OutputError, UsageError


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str | Target
    proof: ProofOptions
    certificate: Path | None
    write: bool
    json: bool


def run(options: Options) -> int:
    """Search and print; the exit status.  Raises ProgramError, UsageError, OutputError."""
    target = parse_target(options.target)
    if options.write and target.content is not None:
        raise UsageError("standard input can't be changed: leave --write out, and take the patch")
    if options.write and os.path.islink(target.path):
        raise OutputError(f"{target.path}: can't be written: it is a link")
    found = repaired(target, options.proof)
    results = [item.result for item in found.mechanisms if item.private and item.result is not None]
    destination = Destination.of(options.certificate, len(found.mechanisms) > 1)
    written = {item.mechanism: destination.write(item) for item in results} if destination else {}
    if options.write and found.after != found.before:
        if read_text(target) != found.before:
            raise OutputError(f"{found.path}: can't be written: it was changed meanwhile")
        write_output(found.path, found.after)
    if options.json:
        rows = [row(item, written.get(item.name)) for item in found.mechanisms]
        print(json_text({"results": rows, "file": str(found.path), "patch": found.patch}), flush=True)
    else:
        _print(found, options.write)
    return 0 if all(item.private for item in found.mechanisms) else UNFINISHED


def row(item: Repair, certificate: Path | None = None) -> dict[str, Any]:
    """Return what became of a mechanism as plain data."""
    result = item.result
    return {
        "mechanism": item.name,
        "verdict": "proved" if item.private else "unknown",
        "before": item.before,
        "changes": [
            {"line": change.line, "before": change.before, "after": change.after} for change in item.changes
        ],
        "ratios": list(item.ratios),
        "least_noise": item.least,
        "epsilon": result.epsilon if item.private and result else None,
        "delta": result.delta if item.private and result else None,
        "gdp": result.gdp if item.private and result else None,
        "zcdp": result.zcdp if item.private and result else None,
        "reason": item.reason,
        "certificate": None if certificate is None else str(certificate),
    }


def _print(found: Repaired, written: bool) -> None:
    """The patch on standard output, so that it can be piped; the rest on standard error."""
    for item in found.mechanisms:
        for line in _lines(item):
            print(shown(line), file=sys.stderr)
    if written and found.patch:
        print(shown(f"written: {found.path}"), file=sys.stderr)
    if not sys.stdout.isatty():
        print(found.patch, end="", flush=True)
        return
    for line in found.patch.splitlines():
        print(shown(line))


def _lines(item: Repair) -> list[str]:
    result = item.result
    if not item.private or result is None:
        return [f"{item.name}: no repair: {item.reason}"]
    if not item.changes:
        return [f"{item.name}: proved as it is, {result.bound}"]
    least = "the least noise" if item.least else "not the least noise: a simpler form"
    lines = [f"{item.name}: proved with these scales, {result.bound} ({least})"]
    lines += [f"  {ratio}" for ratio in item.ratios]
    return lines + [f"  line {change.line}: {change.before} -> {change.after}" for change in item.changes]
