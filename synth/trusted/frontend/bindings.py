"""What a name of the module is bound to: once, and before it is used."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import evaluated, vocabulary
from synth.trusted.frontend.module import Module


def check_new(module: Module, node: ast.stmt, name: str, what: str) -> None:
    if name in module.functions:
        raise module.source.error(node, Refusal.DEFINED_TWICE, f"function '{name}' is defined twice")
    if name in module.constant_nodes:
        raise module.source.error(node, Refusal.DEFINED_TWICE, f"constant '{name}' is defined twice")
    if name in module.classes:
        raise module.source.error(node, Refusal.DEFINED_TWICE, f"class '{name}' is defined twice")
    if is_imported(module, name):
        raise module.source.error(
            node, Refusal.DEFINED_TWICE, f"a definition of '{name}' would hide the imported one"
        )
    check_unused(module, node, name, what)
    module.names.pop(name, None)


def check_unused(module: Module, node: ast.stmt, name: str, what: str) -> None:
    if evaluated.is_special(name):
        raise module.source.error(
            node, Refusal.UNSUPPORTED_AT_MODULE_LEVEL, f"an assignment to '{name}' is not supported"
        )
    if name in module.evaluated:
        raise module.source.error(
            module.evaluated[name],
            Refusal.USED_BEFORE_DEFINED,
            f"{what} '{name}' is used before it is defined",
        )
    if vocabulary.is_python_builtin(name):
        for item in module.unread:
            if item.error.code is not Refusal.UNSUPPORTED_IMPORT:
                message = (
                    f"{what} '{name}' is defined below code that is not read, and that may have used Python's"
                )
                raise module.source.error(node, Refusal.USED_BEFORE_DEFINED, message)


def is_imported(module: Module, name: str) -> bool:
    known = module.names.get(name)
    return known is not None and known != vocabulary.builtin_names().get(name)


def note_names(module: Module, node: ast.expr) -> None:
    """Remember the names in what Python evaluates where it stands."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            module.evaluated.setdefault(part.id, part)
