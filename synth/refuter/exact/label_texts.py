"""Labels as a user writes them: strings and members of Enums, for the codes that the core program has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from synth.refuter.exact.inputs import Datum, written
from synth.trusted.errors import UsageError
from synth.trusted.program import syntax as ir

_OTHER = re.compile(r"other (-?\d+)")
"""A string that a mechanism doesn't mention, by its code."""


def text_of(texts: Sequence[str], code: int) -> str:
    """The label of a code; no two codes have the same one."""
    if 0 <= code < len(texts):
        return texts[code]
    data = max(code - len(texts), 0)
    found = data.to_bytes((data.bit_length() + 7) // 8, "big").decode("utf-8", errors="replace")
    if found.startswith(_FIRST) and found[1:] not in texts and code_of(texts, found[1:]) == code:
        return found[1:]
    other = f"other {code}"
    while other in texts:
        other += "'"
    return other


_FIRST = "\x01"


def code_of(texts: Sequence[str], text: str) -> int:
    """The code of a string: those that aren't mentioned have codes of their own."""
    if text in texts:
        return texts.index(text)
    named = _OTHER.fullmatch(text)
    if named is not None and not 0 <= int(named[1]) < len(texts) and int(named[1]) < len(texts) + 256:
        return int(named[1])
    return len(texts) + int.from_bytes((_FIRST + text).encode("utf-8", errors="surrogatepass"), "big")


def with_texts(mechanism: ir.Mechanism, inputs: Mapping[str, Datum]) -> dict[str, Any]:
    """Inputs as JSON, with labels in the place of their codes."""
    found = {name: written(value) for name, value in inputs.items()}
    for labels in mechanism.labels:
        for name in labels.parameters:
            if name in found:
                found[name] = shown(labels, found[name])
    return found


def shown(labels: ir.Labels, value: Any) -> Any:
    """A code, or a list of codes, as labels."""
    if isinstance(value, (list, tuple)):
        return [shown(labels, item) for item in value]
    return text_of(labels.texts, value)


def with_codes(mechanism: ir.Mechanism, values: Mapping[str, object]) -> dict[str, object]:
    """Values of parameters, with codes in the place of labels.  Raises UsageError."""
    found = dict(values)
    for labels in mechanism.labels:
        for name in labels.parameters:
            if name in found:
                found[name] = _code(labels, name, found[name])
    return found


def _code(labels: ir.Labels, name: str, value: object) -> object:
    match value:
        case list() | tuple():
            return [_code(labels, name, item) for item in value]
        case str() if value in labels.texts or not labels.closed:
            return code_of(labels.texts, value)
    what = f"one of {', '.join(labels.texts)}" if labels.closed else "a string"
    raise UsageError(f"{name}: {what} is needed, not {value!r}")
