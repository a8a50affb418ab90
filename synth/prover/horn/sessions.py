"""Solvers behind pysmt's interface, opened without a search for those that aren't installed.

pysmt looks for all that it knows, by importing their modules, once for each of its environments.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from pysmt.environment import get_env
from pysmt.logics import Logic, get_closer_logic
from pysmt.solvers.solver import Solver


def opened(solver: str, logic: Logic, options: Mapping[str, object]) -> Solver:
    """A session with z3 or cvc5, for formulas of that logic."""
    module, name = _KINDS[solver]
    kind: type[Solver] = getattr(import_module(f"pysmt.solvers.{module}"), name)
    return kind(get_env(), get_closer_logic(kind.LOGICS, logic), solver_options=dict(options))


_KINDS = {"cvc5": ("cvcfive", "CVC5Solver"), "z3": ("z3", "Z3Solver")}
"""The modules of pysmt's classes, and their names."""
