"""The module level of a program file, read statement by statement."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import classes, enumerations, evaluated, stubs, vocabulary
from synth.trusted.frontend.bindings import check_new, is_imported, note_names
from synth.trusted.frontend.class_changes import class_changes
from synth.trusted.frontend.constructs import name_of
from synth.trusted.frontend.definitions import names_at_definition, read_class, read_function
from synth.trusted.frontend.imports import note_unread, read_each_name, read_import, read_import_from
from synth.trusted.frontend.module import Library, Module, Others
from synth.trusted.frontend.module_literals import note_changeable, note_changeable_members, note_mentioned
from synth.trusted.frontend.named_tuples import read_named_tuple
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.other_files import hidden_by_modules, imported, run_by
from synth.trusted.frontend.rebinding import at_import, changes_below, names_of_module, path_changed
from synth.trusted.frontend.scripts import is_main_guard
from synth.trusted.frontend.seeding import read_seeding, read_source_of_noise
from synth.trusted.frontend.source import Source, parse_module
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program.beside import Specification


def read_module(
    source: Source,
    tree: ast.Module,
    library: Library,
    stub: stubs.Stub | None = None,
    *,
    complete: bool = True,
    specified: Mapping[str, Specification] | None = None,
    others: Others | None = None,
    place: str = "",
) -> Module:
    """Collect the definitions of a program file, or of a stub; ``specified`` is stated beside it.

    ``others`` are the user's other files.
    If it has to be ``complete``, raises ProgramError for the first statement that isn't read.
    """
    names = classes.names_in(tree)
    changes = class_changes(tree, names[0])
    module = Module(
        source,
        vocabulary.builtin_names(),
        {},
        {},
        library,
        stub,
        class_names=names,
        class_changes=changes,
        path_changed=path_changed(tree),
        complete=complete,
    )
    module.specified.update(specified or {})
    module = replace(module, others=others, place=place)
    if others is not None and place == others.main:
        others.modules[place] = module
    for node in tree.body:
        try:
            if isinstance(node, ast.If) and is_main_guard(node.test) and node is not tree.body[-1]:
                message = "the '__main__' guard must be the last statement"
                raise source.error(node, Refusal.UNSUPPORTED_AT_MODULE_LEVEL, message)
            _read_statement(module, node)
        except ProgramError as error:
            _leave(module, node, error)
    _note_inner_imports(module, tree)
    read_seeding(module, tree)
    _hide(module, tree)
    _settle(module, tree)
    note_changeable(module, tree)
    note_changeable_members(module, tree)
    return module


def _leave(module: Module, node: ast.stmt, error: ProgramError) -> None:
    """Don't read a statement; nothing may use what it may bind."""
    module.leave(node, error)
    for name in names_of_module(node):
        if name == "*":
            module.hindrances.append(error)
        else:
            module.block(name, error)


def _note_inner_imports(module: Module, tree: ast.Module) -> None:
    """Note what files of the user may change that are imported within a statement or a function.

    Of a package that the program is in, what functions do is left to the assumption that is listed.
    """
    if module.others is None:
        return
    ran = at_import(tree) if module.others.files.module else tree
    for statement in ran.body:
        if isinstance(statement, ast.Import | ast.ImportFrom) or _is_guard(statement):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Import | ast.ImportFrom):
                message = "an import within a statement or a function may run anything"
                error = module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
                for alias in node.names:
                    note_unread(module, node, alias, error)


def _is_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and is_main_guard(node.test) and not node.orelse


def _hide(module: Module, tree: ast.Module) -> None:
    """Let nothing use what a package's file calls as one of its modules is called."""
    if module.others is None:
        return
    path = module.place
    if path == module.others.main:
        path = PurePath(module.source.path).name
    for name, node in hidden_by_modules(module.others.files, path, tree):
        message = f"'{name}' is a module of this package, too: an import of that binds it anew"
        module.block(name, module.source.error(node, Refusal.DEFINED_TWICE, message))


def _settle(module: Module, tree: ast.Module) -> None:
    """Take out all names that other code than their definition may change."""
    source = module.source
    changes = changes_below(source, tree)
    _join_others(module)
    for error in changes.anything:
        if module.complete:
            raise error
        module.hindrances.append(error)
    for name, node in changes.names.items():
        message = f"'{name}' is declared global here, and may be bound anew"
        module.block(name, source.error(node, Refusal.DEFINED_TWICE, message))
    for name, node in changes.attributes.items():
        message = f"an assignment to the attribute '{name}' may change what is used"
        module.attributes[name] = source.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
    _block_changed(module)
    files = _files(module, tree)
    for other in _others(module):
        note_mentioned(other, [item for place, item in files.items() if place != other.place])
        for name, error in module.attributes.items():
            other.attributes.setdefault(name, error)
        for name in _own_names(other) & other.attributes.keys():
            other.blocked.setdefault(name, other.attributes[name])
        other.seeding.update(
            {key: error for key, error in module.seeding.items() if key not in other.seeding}
        )
        _block_changed(other)
        _take_out(other)
    if _may_import_itself(module, tree):
        note_mentioned(module, [tree])
        for name, error in module.attributes.items():
            module.block(name, error)
    if any(_may_import_itself(module, ast.parse(other.source.text)) for other in _others(module)):
        for name in (_own_names(module) | module.constant_nodes.keys()) & module.attributes.keys():
            module.block(name, module.attributes[name])
    for name, used in module.made_of.items():
        bound = {*module.functions, *module.constant_nodes, *module.classes, *module.blocked}
        for hidden in sorted(used & evaluated.WRAPPERS & bound):
            message = f"'{hidden}' is bound in the file, and is another one than Python's"
            module.block(name, source.error(tree.body[0], Refusal.DEFINED_TWICE, message))
    _take_out(module)


def _own_names(module: Module) -> set[str]:
    """What the file itself defines."""
    return {*module.functions, *module.constants, *module.literals, *module.classes}


def _take_out(module: Module) -> None:
    """Let nothing find what is blocked, nor what is made of that where it stands."""
    for bound, known in module.names.items():
        if known.role in (Role.OWN, Role.OWN_CLASS) and module.others is not None:
            home, own = module.others.definition(known)
            if own in home.blocked:
                module.block(bound, home.blocked[own])
    for name in (*module.constants, *module.literals):  # those of the program file are worked out later
        for part in ast.walk(module.constant_nodes[name]):
            hidden = _hidden(module, part) if isinstance(part, ast.Name | ast.Attribute) else None
            if hidden is not None:
                module.block(name, hidden)
    for name, used in module.made_of.items():  # bases stand above their classes
        for hidden_base in sorted(used & module.blocked.keys()):
            module.block(name, module.blocked[hidden_base])
    for name in module.blocked:
        for table in (module.names, module.functions, module.classes):
            table.pop(name, None)
        for expressions in (module.constant_nodes, module.constants, module.literals):
            expressions.pop(name, None)


def _hidden(module: Module, node: ast.Name | ast.Attribute) -> ProgramError | None:
    """Why a name, or what another file defines, can't be used."""
    owner = module.known(node.value) if isinstance(node, ast.Attribute) else None
    if isinstance(node, ast.Attribute) and owner is not None and owner.role is Role.OWN_MODULE:
        assert module.others is not None
        home = module.others.module(owner.name)
        if home is not None and node.attr in home.blocked:
            return home.blocked[node.attr]
    return module.obstacle(node)


def _block_changed(module: Module) -> None:
    """Let no import be used of what some code assigns as an attribute."""
    for bound, known in module.names.items():
        parts = (*known.name.split("."), *module.asked.get(bound, ()))
        for part in parts if is_imported(module, bound) else ():
            if part in module.attributes:
                module.block(bound, module.attributes[part])


def _others(module: Module) -> list[Module]:
    """The user's other files that are read."""
    if module.others is None or module.place != module.others.main:
        return []
    return [item for item in module.others.modules.values() if item is not None and item is not module]


def _files(module: Module, tree: ast.Module) -> dict[str, ast.Module]:
    """The program file, and all files of the user that it imports, as they do, by their names."""
    others = module.others
    run = {module.place: tree} | {item.place: parse_module(item.source) for item in _others(module)}
    for node in nodes(tree) if others is not None else ():
        assert others is not None
        try:
            for name in imported(others.files, module.place, node):
                run.update(run_by(others.files, name))
        except (LookupError, ProgramError):
            continue  # the import is not read
    return run


def _join_others(module: Module) -> None:
    """What other files may change and seed, they may for this one, too."""
    for other in _others(module):
        for name, error in other.attributes.items():
            module.attributes.setdefault(name, error)
        module.hindrances.extend(other.hindrances)
        for key, error in other.seeding.items():
            module.seeding.setdefault(key, error)


def _may_import_itself(module: Module, tree: ast.Module) -> bool:
    """Whether an import may be of this file."""
    own = re.split(r"[/\\]", module.source.path)[-1].removesuffix(".py")
    for node in nodes(tree):
        match node:
            case ast.Import(names=names):
                if any(own in item.name.split(".") for item in names):
                    return True
            case ast.ImportFrom(module=origin, names=names):
                if own in (origin or "").split(".") or any(item.name == own for item in names):
                    return True
    return False


def _read_statement(module: Module, node: ast.stmt) -> None:
    match node:
        case ast.Import():
            read_each_name(module, node, read_import)
        case ast.ImportFrom():
            read_each_name(module, node, read_import_from)
        case ast.FunctionDef():
            read_function(module, node)
        case ast.Assign(targets=targets, value=ast.Call(func=called, args=kinds)) if (
            module.stub is not None and module.known(called) == vocabulary.stub_names()[vocabulary.GENERATOR]
        ):
            _read_generators(module, targets, [ast.literal_eval(item) for item in kinds])
        case ast.ClassDef():
            read_class(module, node)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            _read_constant(module, node, name, value)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
            evaluated.check_annotation(module.source, annotation)
            _read_constant(module, node, name, value)
        case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
            pass
        case ast.If(test=test) if is_main_guard(test):
            names = {*module.names, *module.constant_nodes, *module.functions, *module.classes}
            names |= _builtins(module)
            evaluated.check_guard(module.source, node, names)
        case _:
            message = f"{name_of(node)} is not supported at module level"
            raise module.source.error(node, Refusal.UNSUPPORTED_AT_MODULE_LEVEL, message)


def _read_generators(module: Module, targets: list[ast.expr], kinds: list[str]) -> None:
    """Types of sources whose methods are the functions of this stub: their kind, and what they take."""
    assert module.stub is not None
    for target in targets:
        assert isinstance(target, ast.Name)
        kind, *takes = kinds or [target.id, "None"]
        module.names[target.id] = Known(Role.GENERATOR, module.stub.module, kind, tuple(takes))


def _builtins(module: Module) -> set[str]:
    """The functions of Python that a stub describes."""
    stub = module.library.module(stubs.BUILTINS)
    return set() if stub is None else {name for name in stub.functions if not name.startswith("_")}


def _is_type(module: Module, node: ast.expr) -> bool:
    """Whether an expression makes a type of types, and runs nothing else."""
    match node:
        case ast.Subscript(value=head, slice=inner):
            known = module.known(head)
            typed = known is not None and known.role is Role.TYPE
            own = (
                isinstance(head, ast.Name)
                and head.id in ("list", "tuple", "dict")
                and _is_python(module, head)
            )
            return (typed or own) and _is_type(module, inner)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(_is_type(module, part) for part in parts)
        case ast.Name(id=name) if name in module.classes or _is_python(module, node):
            return True
        case ast.Name() | ast.Attribute():
            known = module.known(node)
            return known is not None and known.role is Role.TYPE
        case _:
            return isinstance(node, ast.Constant)


def _is_python(module: Module, node: ast.Name) -> bool:
    """Whether a name is one of Python's own, which the file has for nothing else."""
    bound = (module.functions, module.classes, module.constant_nodes, module.blocked)
    own = vocabulary.is_python_builtin(node.id) and not any(node.id in names for names in bound)
    return own and not is_imported(module, node.id)


def _read_constant(module: Module, node: ast.Assign | ast.AnnAssign, name: str, value: ast.expr) -> None:
    if evaluated.is_special(name):
        evaluated.check_metadata(module.source, name, node, value)
        return
    if isinstance(value, ast.Subscript) and _is_type(module, value):
        check_new(module, node, name, "constant")
        module.names[name] = vocabulary.ALIAS
        module.aliases[name] = value
        return
    note_names(module, value)
    made = module.known(value.func) if isinstance(value, ast.Call) else None
    if made is not None and made.role is Role.LOGGER and isinstance(value, ast.Call):
        if not all(isinstance(item, ast.Constant | ast.Name) for item in value.args) or value.keywords:
            raise module.source.error(value, Refusal.UNSUPPORTED_CALL, "this logger is not supported")
        check_new(module, node, name, "constant")
        module.names[name] = vocabulary.LOGGER
        return
    if made is not None and made.role is Role.GENERATOR:
        assert isinstance(value, ast.Call)
        read_source_of_noise(module, node, name, value, made)
        return
    for hidden in names_of_module(value):
        message = f"the value of '{name}' binds '{hidden}'"
        module.block(hidden, module.source.error(node, Refusal.DEFINED_TWICE, message))
    if isinstance(value, ast.Call):
        named = read_named_tuple(module.source, name, value, module.known)
        named = named or enumerations.read_call(module.source, name, value, module.known)
        if named is not None:
            module.made_of[name] = frozenset(names_at_definition(value))
            check_new(module, node, name, "class")
            module.classes[name] = named
            return
    for part in ast.walk(value) if not module.complete else ():
        known = module.known(part.func) if isinstance(part, ast.Call) else None
        if isinstance(part, ast.Call) and (
            known is None or known.role in (Role.SHOWING, Role.OWN, Role.OWN_CLASS)
        ):
            called = ast.unparse(part.func)
            message = f"a call of '{called}' in the constant '{name}' is not supported"
            raise module.source.error(part, Refusal.UNSUPPORTED_CALL, message)
    check_new(module, node, name, "constant")
    module.constant_nodes[name] = value
