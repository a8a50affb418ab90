"""JUnit's XML: a test case for each mechanism, which fails unless it is proved."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree as xml

from synth.support.display import shown
from synth.views.formats.concise import assumed, summed_up
from synth.views.formats.run import AtTheEnd, Run
from synth.views.results import PROVED, Result


class Shown(AtTheEnd):
    """The document."""

    def end(self, run: Run) -> None:
        """Print it."""
        top = suites(run)
        xml.indent(top)
        print(xml.tostring(top, encoding="unicode", xml_declaration=True), flush=True)


def suites(run: Run) -> xml.Element:
    """Return a suite of the run's mechanisms, with what can't be read as errors."""
    failed = sum(item.verdict != PROVED for item in run.results)
    unread = defaultdict(list)
    for error in run.refused:
        unread[error.path, error.function or ""].append(error)
    counts = {"tests": len(run.results) + len(unread), "failures": failed, "errors": len(unread)}
    seconds = f"{sum(item.seconds for item in run.results):.3f}"
    top = xml.Element("testsuites")
    suite = _add(top, "testsuite", name="synth", time=seconds, **{key: str(n) for key, n in counts.items()})
    for item in run.results:
        _case(suite, item)
    for (path, name), errors in unread.items():
        case = _add(suite, "testcase", classname=path, name=name or path, time="0")
        for error in errors:
            _add(case, "error", type=error.code.id, message=str(error))
    return top


def _case(suite: xml.Element, item: Result) -> None:
    place = {"classname": item.file, "file": item.file, "line": str(item.line)}
    case = _add(suite, "testcase", name=item.mechanism, time=f"{item.seconds:.3f}", **place)
    if assumed(item):
        _add(case, "system-out").text = shown(assumed(item))
    if item.verdict != PROVED:
        message = f"{item.verdict}{summed_up(item)}"
        failure = _add(case, "failure", type=item.code or item.verdict, message=message)
        failure.text = shown("; ".join(part for part in (item.reason, item.hint) if part))


def _add(parent: xml.Element, tag: str, **attributes: str) -> xml.Element:
    return xml.SubElement(parent, tag, {name: shown(value) for name, value in attributes.items()})
