"""Binding the arguments of a call to parameter names, in the order of evaluation."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from synth.trusted.errors import Refusal
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.vocabulary import suggestion


def bind(
    source: Source,
    node: ast.Call,
    what: str,
    names: Sequence[str],
    optional: Sequence[str] = (),
    keyword_only: Sequence[str] = (),
    positional_only: Sequence[str] = (),
) -> dict[str, ast.expr]:
    """The argument of each name, in source order.  Raises ProgramError."""
    positions = [name for name in names if name not in keyword_only]
    bound: dict[str, ast.expr] = {}
    if len(node.args) > len(positions):
        expected = _count(len(positions))
        raise source.error(node, Refusal.WRONG_CALL, f"{what} takes {expected}, not {len(node.args)}")
    bound.update(zip(positions, node.args, strict=False))
    for keyword in node.keywords:
        if keyword.arg is None:
            raise source.error(keyword, Refusal.UNSUPPORTED_CONSTRUCT, "a star expression is not supported")
        if keyword.arg not in names:
            hint = suggestion(keyword.arg, names)
            raise source.error(keyword, Refusal.WRONG_CALL, f"{what} has no argument '{keyword.arg}'{hint}")
        if keyword.arg in positional_only:
            raise source.error(keyword, Refusal.WRONG_CALL, f"{what} takes '{keyword.arg}' by position only")
        if keyword.arg in bound:
            raise source.error(keyword, Refusal.WRONG_CALL, f"{what} has two arguments '{keyword.arg}'")
        bound[keyword.arg] = keyword.value
    for name in names:
        if name not in bound and name not in optional:
            raise source.error(node, Refusal.WRONG_CALL, f"{what} lacks the argument '{name}'")
    return bound


def positional(source: Source, node: ast.Call, what: str, least: int, most: int) -> list[ast.expr]:
    """The arguments of a call that takes no names.  Raises ProgramError."""
    if node.keywords:
        raise source.error(node.keywords[0], Refusal.WRONG_CALL, f"{what} takes no named arguments")
    if not least <= len(node.args) <= most:
        expected = _count(least) if least == most else f"{least} to {_count(most)}"
        if most > 1000:
            expected = f"at least {_count(least)}"
        raise source.error(node, Refusal.WRONG_CALL, f"{what} takes {expected}, not {len(node.args)}")
    return node.args


def _count(number: int) -> str:
    return "1 argument" if number == 1 else f"{number} arguments"
