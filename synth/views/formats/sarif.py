"""SARIF 2.1.0, which code hosts show beside the lines of a change."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from synth.support.display import json_text, shown
from synth.trusted.errors import ProgramError
from synth.views.formats.concise import assumed, summed_up
from synth.views.formats.run import AtTheEnd, Run
from synth.views.results import PROVED, REFUTED, UNKNOWN, Result

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {PROVED: "none", REFUTED: "error", UNKNOWN: "warning"}
_KINDS = {PROVED: "pass", REFUTED: "fail", UNKNOWN: "open"}


class Shown(AtTheEnd):
    """The document."""

    def end(self, run: Run) -> None:
        """Print it."""
        print(json_text(log(run)), flush=True)


def log(run: Run) -> dict[str, Any]:
    """Return the log: the rules are the stable codes of docs/codes.md, and the verdicts."""
    found = [*map(_of_result, run.results), *map(_of_refusal, run.refused)]
    rules = sorted({str(item["ruleId"]) for item in found})
    driver = {"name": "synth", "version": version("synth"), "rules": [{"id": item} for item in rules]}
    invocation = {"executionSuccessful": not run.refused, "exitCode": run.status}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "invocations": [invocation], "results": found}],
    }


def _of_result(item: Result) -> Mapping[str, Any]:
    text = " ".join([f"{item.mechanism}: {item.verdict}{summed_up(item)}", assumed(item)]).rstrip()
    kind = {"kind": _KINDS[item.verdict]} if item.verdict != UNKNOWN else {}  # a level goes with "fail" only
    place = _place(item.file, item.reason_line or item.line, item.reason_column)
    return _result(item.code or item.verdict, _LEVELS[item.verdict], text, place, item.mechanism) | kind


def _of_refusal(error: ProgramError) -> Mapping[str, Any]:
    place = _place(error.path, error.line, error.column)
    return _result(error.code.id, "error", error.message, place, error.function or "")


def _result(rule: str, level: str, text: str, place: Mapping[str, Any], mechanism: str) -> dict[str, Any]:
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": shown(text)},
        "locations": [place],
        "partialFingerprints": {"mechanism/v1": f"{uri}::{mechanism}:{rule}"},
    }


def _place(path: str, line: int | None, column: int | None) -> Mapping[str, Any]:
    region = {"startLine": line or 1} | ({} if column is None else {"startColumn": column})
    return {"physicalLocation": {"artifactLocation": {"uri": quote(path)}, "region": region}}
