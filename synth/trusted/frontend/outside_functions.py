"""Code outside of functions in the user's other files: what isn't read may only define something."""

from __future__ import annotations

import ast
import builtins

from synth.trusted.frontend.evaluated import WRAPPERS
from synth.trusted.frontend.module import Module, Unread
from synth.trusted.frontend.vocabulary import Known, Role

_FILTERS = ("simplefilter", "filterwarnings")
_SHOWN = ("always", "default", "ignore", "module", "once")
"""What becomes of warnings: not that they are raised."""


def check_outside(module: Module, tree: ast.Module) -> None:
    """Refuse another file with code outside of functions that isn't read.  Raises ProgramError."""
    for item in module.unread:
        if not all(_only_defines(module, node, item) for node in tree.body if _overlap(node, item)):
            raise item.error


def _overlap(node: ast.stmt, item: Unread) -> bool:
    return node.lineno <= item.last and item.first <= (node.end_lineno or node.lineno)


def _only_defines(module: Module, node: ast.stmt, item: Unread) -> bool:
    """Whether a statement that isn't read, or some lines of it, runs nothing but what an import runs."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):  # of a library, as far as it isn't read
            return module.unclear.isdisjoint(part.asname or part.name for part in names)
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=called, args=[ast.Constant(value=action), *args], keywords=[])):
            plain = all(isinstance(item, ast.Constant | ast.Name) for item in args)
            return plain and _filters_warnings(module, called) and action in _SHOWN
        case ast.FunctionDef(decorator_list=marks, args=args, returns=returns):
            parts = [args, *([] if returns is None else [returns])]
            calls = any(isinstance(part, ast.Call) for item in parts for part in ast.walk(item))
            return not calls and all(_changes_only_what_is_seen(module, mark) for mark in marks)
        case ast.ClassDef(name=name, body=body) if name in module.classes:
            return all(_only_defines(module, part, item) for part in body if _overlap(part, item))
        case ast.ClassDef(decorator_list=[], keywords=[], bases=bases, body=body) if all(
            _is_pythons_class(module, base) for base in bases
        ):
            return all(_only_defines(module, part, item) for part in body)
        case _:
            return False


def _filters_warnings(module: Module, called: ast.expr) -> bool:
    match called:
        case ast.Attribute(value=owner, attr=name):
            return name in _FILTERS and module.known(owner) == Known(Role.MODULE, "warnings")
        case _:
            return False


def _changes_only_what_is_seen(module: Module, mark: ast.expr) -> bool:
    """Whether a decorator is Python's, or made by a function of the user's files that are read: what these
    change is noted.
    """
    match mark:
        case ast.Name(id=name):
            return name in WRAPPERS
        case ast.Call(func=ast.Name() | ast.Attribute() as called, args=args, keywords=[]):
            known = module.known(called)
            own = isinstance(called, ast.Name) and called.id in module.functions
            plain = all(isinstance(item, ast.Name | ast.Attribute | ast.Constant) for item in args)
            return plain and (own or (known is not None and known.role is Role.OWN))
        case _:
            return False


def _is_pythons_class(module: Module, base: ast.expr) -> bool:
    """Whether a class is one of Python's own, by its name, which nothing in the file binds."""
    if not isinstance(base, ast.Name) or not isinstance(getattr(builtins, base.id, None), type):
        return False
    bound = module.functions | module.constant_nodes | module.classes | module.blocked
    return base.id not in bound and base.id not in module.imported and base.id != "type"
