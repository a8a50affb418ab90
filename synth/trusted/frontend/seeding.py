"""Sources of noise that the file makes, and what may tell them what to draw next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend.bindings import check_new
from synth.trusted.frontend.module import SOURCES, Module
from synth.trusted.frontend.vocabulary import Known, Role

SEEDING = ("seed", "set_state", "setstate")
"""Functions and methods that say what comes next of a source."""


_STATES = ("bit_generator", "_bit_generator", "_inst", "_rand")
"""Attributes of sources by which they can be told what comes next."""


_BY_NAME = ("getattr", "attrgetter", "methodcaller")


def read_source_of_noise(module: Module, node: ast.stmt, name: str, value: ast.Call, methods: str) -> None:
    """A source of the module, which all functions share."""
    seeds = [item for item in (*value.args, *(word.value for word in value.keywords)) if not _is_none(item)]
    if seeds:
        shown = ast.unparse(seeds[0])[:40]
        message = f"with the seed {shown} the noise is the same in each run and can be subtracted"
        raise module.source.error(seeds[0], Refusal.KNOWN_SEED, message)
    check_new(module, node, name, "constant")
    module.names[name] = Known(Role.SOURCE, methods)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def read_seeding(module: Module, tree: ast.Module) -> None:
    """Note where a source may be told what to draw next, wherever in the file that is mentioned."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr | ast.stmt):
            continue
        for owner in _seeded(module, node):
            message = "a seed that is known: the noise is the same in each run and can be subtracted"
            module.seeding[owner] = module.source.error(node, Refusal.KNOWN_SEED, message)


def _seeded(module: Module, node: ast.expr | ast.stmt) -> Iterator[str]:
    """Give the modules or classes whose sources a node may be about, "" for any."""
    match node:
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if name in (*SEEDING, *_STATES):
            owner = module.known(value)
            yield owner.name if owner is not None and owner.role in (Role.MODULE, *SOURCES) else ""
        case ast.Call(func=ast.Name(id=name)) if name in SEEDING:
            yield ""
        case ast.ImportFrom(module=origin, names=names) if any(item.name in SEEDING for item in names):
            yield origin or ""
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=arguments):
            named = (item.value for item in arguments if isinstance(item, ast.Constant))
            if called in _BY_NAME and any(name in (*SEEDING, *_STATES) for name in named):
                yield ""
