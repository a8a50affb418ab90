"""A claim from outside of the program file, read like one in the decorator."""

from __future__ import annotations

import ast

from synth.language import specification
from synth.language.module import read_module
from synth.language.source import make_source, parse_module
from synth.language.specification import Public
from synth.language.syntax import Expression, Mechanism, Span


def read_claim(mechanism: Mechanism, text: str, what: str = "epsilon") -> Expression:
    """The bound that ``text`` states for a mechanism.  Raises ProgramError.

    It may mention the public parameters and the constants of the mechanism's file.
    """
    source = make_source(mechanism.source, mechanism.path)
    module = read_module(source, parse_module(source))
    specification.read_constants(module)
    private = frozenset(item.name for item in mechanism.parameters if item.metric is not None)
    node = _string(text, mechanism.span)
    return specification.claim(module, node, what, Public(mechanism.visible, private))


def _string(text: str, place: Span) -> ast.Constant:
    """A string literal with a place that errors may name."""
    node = ast.Constant(text)
    node.lineno = node.end_lineno = place.line
    node.col_offset = node.end_col_offset = 0
    return node
