"""``synth explain``: prints what a code means, why it matters for privacy, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from textwrap import indent

from synth.app.explanations import Explanation, explanations
from synth.support.display import shown
from synth.trusted.errors import UsageError
from synth.trusted.frontend.vocabulary import suggestion
from synth.views.formats.json_object import print_results


def run(code: str | None, as_json: bool) -> int:
    """Print one code, or the list of all; the exit status.  Raises UsageError for what is no code."""
    known = explanations()
    if code is not None and code not in known:
        raise UsageError(f"no code '{shown(code)}'{suggestion(code, known)} (synth explain lists all)")
    found = list(known.values()) if code is None else [known[code]]
    if as_json:
        print_results([asdict(item) for item in found], 0)
    elif code is None:
        for line in _list(found):
            print(line)
    else:
        print("\n".join(_lines(known[code])))
    return 0


def _list(found: list[Explanation]) -> Iterator[str]:
    said = ""
    width = max(len(item.code) for item in found)
    for item in found:
        if item.said != said:
            yield f"{'' if not said else chr(10)}When {item.said}:"
            said = item.said
        yield f"  {item.code:{width}}  {_text(item)}"


def _text(item: Explanation) -> str:
    """What it means, with dots for what a message names."""
    return re.sub(r"\{[^}]*\}", "…", item.means)


def _lines(item: Explanation) -> Iterator[str]:
    yield f"{item.code}: {_text(item)}"
    yield f"  said when   {item.said}"
    yield f"  it matters  {item.why}"
    yield f"  what to do  {item.do}"
    if item.before is not None and item.after is not None:
        yield f"\nA program of which it is said:\n\n{indent(item.before, '    ')}"
        yield f"One that is proved:\n\n{indent(item.after, '    ').rstrip()}"
