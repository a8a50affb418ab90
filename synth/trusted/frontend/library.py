"""The stubs that a reading uses, as modules: read when a program names them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from synth.trusted.frontend import stubs
from synth.trusted.frontend.module import Library, Module
from synth.trusted.frontend.module_reading import read_module
from synth.trusted.frontend.source import make_source, parse_module
from synth.trusted.frontend.specification import read_constants


@cache
def bundled() -> Library:
    """Return the stubs that come with synth."""
    return Library({stub.module: stub for stub in stubs.bundled()}, _read)


def with_stubs(own: Iterable[stubs.Stub]) -> Library:
    """Return the stubs that come with synth, and those of the user, which come first."""
    own = tuple(own)
    if not own:
        return bundled()
    texts = {stub.module: stub for stub in (*stubs.bundled(), *own)}
    return Library(texts, _read)


def _read(stub: stubs.Stub, library: Library) -> Module:
    source = replace(make_source(stub.text, stub.path), stub=stub.path)
    module = read_module(source, parse_module(source), library, stub)
    read_constants(module)
    return module
