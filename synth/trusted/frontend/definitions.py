"""Functions and classes that a program file defines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import class_reading, draws, enumerations, evaluated, left_out, vocabulary
from synth.trusted.frontend.bindings import check_new, note_names
from synth.trusted.frontend.class_reading import Definition
from synth.trusted.frontend.decorators import LEAVING, look
from synth.trusted.frontend.field_types import names_quoted
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.rebinding import names_of_module
from synth.trusted.frontend.scoping import assigned
from synth.trusted.frontend.vocabulary import Role


def read_function(module: Module, node: ast.FunctionDef) -> None:
    """A function that Python may replace, or that may reach beyond itself, stays one; nothing may use it."""
    marks = _marks(module, node)
    if vocabulary.DRAWS in marks:
        node = draws.with_size(node)
    wrappers, others = _wrappers(module, node) if module.stub is None else ((), [])
    decorator, errors = _decorators(module, others)
    function = Function(node.name, node, decorator, assigned(node), module, marks, wrappers)
    beside = module.specified.get(node.name)
    if decorator is not None or beside is not None:
        module.mechanisms.append(function)
    if decorator is not None and beside is not None:
        place = ":".join(map(str, (beside.path, *beside.place(""))))
        message = f"'{node.name}' has two specifications: this one, and that in {place}"
        errors.append(module.source.error(decorator, Refusal.DEFINED_TWICE, message))
    is_source = partial(left_out.is_source, module.known)
    try:
        evaluated.check_head(module.source, node, is_source)
    except ProgramError as error:
        errors.append(error)
    if errors:
        module.leave(node, errors[0])
    for part in (*node.decorator_list, *evaluated.defaults(node)):
        note_names(module, part)
    try:
        evaluated.check_function(module.source, node, is_source, module.of_objects)
    except ProgramError as error:
        if module.complete:
            raise
        errors.append(error)
    module.flaws.setdefault(node.name, []).extend(errors)
    for name in names_of_module(node):
        if name != node.name:
            message = f"the definition of '{node.name}' binds '{name}'"
            module.block(name, module.source.error(node, Refusal.DEFINED_TWICE, message))
    check_new(module, node, node.name, "function")
    module.functions[node.name] = function
    leaving = [item for item in node.decorator_list if look(module, item) == LEAVING]
    if leaving:
        module.made_of[node.name] = frozenset(name for part in leaving for name in names_at_definition(part))
    for form in draws.forms(node) if vocabulary.DRAWS in marks else ():
        module.functions[form.name] = Function(form.name, form, None, assigned(form), module)


def _wrappers(module: Module, node: ast.FunctionDef) -> tuple[tuple[Function, ...], list[ast.expr]]:
    """The decorators that leave a function what it is, as a stub says; and all others."""
    found: list[Function] = []
    others: list[ast.expr] = []
    for decorator in node.decorator_list:
        if look(module, decorator) == LEAVING:
            continue
        wrapper = _wrapper(module, decorator)
        others += [decorator] if wrapper is None else []
        found += [] if wrapper is None else [wrapper]
    return tuple(found), others


def _wrapper(module: Module, decorator: ast.expr) -> Function | None:
    """The function of a stub that a decorator is, if its arguments are flags of that."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    known = module.known(called)
    if known is None or known.role is not Role.STUB:
        return None
    function = module.library.function(known.name)
    if vocabulary.LEAVING not in function.marks:
        return None
    if isinstance(decorator, ast.Call):
        flags = {item.arg for item in function.node.args.kwonlyargs}
        for item in decorator.keywords:
            flag = isinstance(item.value, ast.Constant) and isinstance(item.value.value, bool)
            if item.arg not in flags or not flag:
                return None
        if decorator.args:
            return None
    return function


def _decorators(module: Module, decorators: list[ast.expr]) -> tuple[ast.expr | None, list[ProgramError]]:
    """The decorator of a mechanism, if there is one, and what is wrong with all of them."""
    found: ast.expr | None = None
    errors: list[ProgramError] = []
    for decorator in decorators:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        known = module.known(called)
        is_mechanism = known is not None and known.role is Role.DECORATOR
        if not is_mechanism:
            code = Refusal.UNSUPPORTED_DECORATOR
            errors.append(module.source.error(decorator, code, _decorator_message(called)))
        elif found is not None:
            message = "a second decorator is not supported"
            errors.append(module.source.error(decorator, Refusal.UNSUPPORTED_DECORATOR, message))
        if is_mechanism or ast.unparse(called).rpartition(".")[2] == "mechanism":
            found = found or decorator
    return found, errors


def _marks(module: Module, node: ast.FunctionDef | ast.ClassDef) -> frozenset[str]:
    """The decorators of a function or class of a stub.  Raises ProgramError."""
    if module.stub is None:
        return frozenset()
    found: set[str] = set()
    for decorator in node.decorator_list:
        known = module.known(decorator)
        if known is None or known.role is not Role.MARK:
            shown = ast.unparse(decorator)
            raise module.source.error(
                decorator, Refusal.UNSUPPORTED_DECORATOR, f"the decorator '{shown}' is not supported"
            )
        found.add(known.name)
    return frozenset(found)


def _decorator_message(called: ast.expr) -> str:
    name = ast.unparse(called)
    if name == "mechanism":
        return "unknown decorator 'mechanism'; add 'from synth.lang import *'"
    return f"the decorator '{name}' is not supported{vocabulary.suggestion(name, ['mechanism'])}"


def read_class(module: Module, node: ast.ClassDef) -> None:
    evaluated.check_type_parameters(module.source, node)
    marks = _marks(module, node)
    if marks:
        node.decorator_list = []  # what they say is said of the methods
    labels = enumerations.read_class(module.source, node, module.known)
    if labels is not None:
        found = Definition(labels)
    else:
        for base in node.bases:
            own = isinstance(base, ast.Name) and base.id in module.unclear
            hidden = module.obstacle(base) if own else None
            if hidden is not None:
                raise hidden
        seen, find = partial(look, module), module.class_named
        found = class_reading.read_class(module.source, node, seen, find, module.of_objects)
    made = found.made
    for statement, error in found.left:
        module.leave(statement, error)
    for error in found.reaching if module.complete else ():
        raise error
    for part in class_reading.evaluated_in(node):
        note_names(module, part)
    left = [statement for statement, _ in found.left]
    above = [*node.decorator_list, *node.bases, *(item.value for item in node.keywords)]
    kept = [*above, *(item for item in node.body if item not in left)]
    module.made_of[node.name] = frozenset(name for part in kept for name in names_at_definition(part))
    check_new(module, node, node.name, "class")
    module.classes[node.name] = made
    module.of_objects.update(made.attributes)
    for name, method in made.methods.items():
        function = Function(f"{made.name}.{name}", method.node, None, assigned(method.node), module, marks)
        module.methods[method.node] = function


def names_at_definition(node: ast.AST) -> Iterator[str]:
    """Give the names that Python looks up where a class is defined: not those in the bodies of methods."""
    if isinstance(node, ast.Name):
        yield node.id
    if isinstance(node, ast.AnnAssign):
        yield from names_quoted(node.annotation)
    children = ast.iter_child_nodes(node)
    if isinstance(node, ast.FunctionDef):
        children = iter([*node.decorator_list, node.args, *([node.returns] if node.returns else [])])
    for child in children:
        yield from names_at_definition(child)
