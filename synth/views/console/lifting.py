"""Whether two distributions are related, for people: the coupling, or the set of values that breaks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.console import RenderableType

from synth.precision.enclosures import decimal_text
from synth.views.console.results import console, line_of, plain_table, write
from synth.views.console.witness import output_text

_MAX_LINES = 40
_SHORT = 20
_STYLES = {"related": "bold green", "not related": "bold red", "undecided": "bold yellow"}


def print_lifting(document: Mapping[str, Any]) -> None:
    """Print what ``synth lifting --json`` gives."""
    write(console(), *_parts(document))


def _parts(document: Mapping[str, Any]) -> Iterator[RenderableType]:
    verdict = document["verdict"]
    lifting = f"({document['epsilon']}, {document['delta']})-lifting of {document['relation']}"
    yield line_of(
        f"{verdict} by the {lifting}" if verdict != "undecided" else f"{verdict}: the {lifting}",
        _STYLES[verdict],
    )
    if document.get("adjacent") is False:
        yield line_of("the two inputs are not adjacent")
    if document["coupling"] is not None:
        yield from _coupling(document["coupling"], document["missing"])
    elif document["cut"] is not None:
        yield from _cut(document["cut"])
    else:
        yield line_of("both sides are equal, as far as probabilities are computed")
        yield line_of(f"δ = {_number(document['missing'])} is enough")


def _coupling(pairs: Sequence[Mapping[str, Any]], missing: Any) -> Iterator[RenderableType]:
    table = plain_table("left", "right", "μL", "μR")
    for pair in pairs[:_MAX_LINES]:
        names = output_text(pair["left"]), output_text(pair["right"])
        table.add_row(*map(line_of, (*names, _number(pair["mass_left"]), _number(pair["mass_right"]))))
    yield table
    if len(pairs) > _MAX_LINES:
        yield line_of(f"and {len(pairs) - _MAX_LINES} more pairs (--json has them)")
    yield line_of(f"left over on the left, at most δ: {_number(missing)}")


def _cut(cut: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield line_of(f"X = {_set(cut['left'])}, related to {_set(cut['right'])}")
    yield line_of(f"μ1(X) = {_number(cut['mass_left'])}, μ2(R(X)) = {_number(cut['mass_right'])}")
    yield line_of(f"e^ε·μ2(R(X)) + δ = {_number(cut['allowed'])}, which is less than μ1(X)")


def _set(values: Sequence[Any]) -> str:
    more = ["…"] if len(values) > _MAX_LINES else []
    return f"{{{', '.join([*map(output_text, values[:_MAX_LINES]), *more])}}}"


def _number(number: str | Sequence[float]) -> str:
    """A fraction as it is while it is short; an interval as one number where six digits agree."""
    if isinstance(number, str):
        return number if len(number) <= _SHORT else decimal_text(Fraction(number), 6)
    low, high = (decimal_text(Fraction(end), 6) for end in number)
    return low if low == high else f"{low} to {high}"
