"""Processes that are forked from a small one that has loaded the prover, and no test."""

from __future__ import annotations

import multiprocessing
from functools import cache

LOADED = ["tests.support.loaded", "tests.support.proving", "tests.unit.app.invocation"]
"""What it has loaded."""


@cache
def small_processes() -> multiprocessing.context.ForkServerContext:
    """Not forked from pytest itself: that may have solver threads, and memory that takes long to fork."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context
