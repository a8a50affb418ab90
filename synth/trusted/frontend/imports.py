"""The imports of a program file."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import classes, vocabulary
from synth.trusted.frontend.bindings import check_unused, is_imported
from synth.trusted.frontend.class_changes import class_changes
from synth.trusted.frontend.module import Module, Others, module_member
from synth.trusted.frontend.other_files import (
    BELOW_OTHERS,
    PYTHONS_OWN,
    check_package,
    found,
    imported,
    member_asked,
    packages,
    run_by,
)
from synth.trusted.frontend.rebinding import at_import, changes_below, path_changed, set_on
from synth.trusted.frontend.seeding import may_seed, names_seeding
from synth.trusted.frontend.source import make_source
from synth.trusted.frontend.vocabulary import Known, Role

_IMPORTED = f"; only {vocabulary.LANGUAGE}, {vocabulary.MATH}, typing and stubs are"


_Import = TypeVar("_Import", ast.Import, ast.ImportFrom)


def read_each_name(module: Module, node: _Import, read: Callable[[Module, _Import, ast.alias], None]) -> None:
    """Read what an import binds, each name by itself."""
    for alias in node.names:
        try:
            _check_path(module, node, alias)
            if _read_other(module, node, alias):
                continue
            _check_neighbours(module, node, alias)
            read(module, node, alias)
        except ProgramError as error:
            module.leave(node, error)
            note_unread(module, node, alias, error)
            name = alias.asname or alias.name.partition(".")[0]
            if name == "*":
                module.hindrances.append(error)
            else:
                module.block(name, error)


def _read_other(module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    """Read an import of another file of the user, if it is one.  Raises ProgramError."""
    others = module.others
    if others is None or alias.name == "*":
        return False
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    origin = alias.name if isinstance(node, ast.Import) else node.module or ""
    top = origin.partition(".")[0]
    own = others.files.is_own(top) and not module.library.has_of_user(top)
    if not level and (top == "synth" or top in _KNOWN or (module.library.has(top) and not own)):
        return False
    try:
        return _bind_other(module, others, node, alias, origin, level)
    except LookupError as error:
        message = f"the import may be of another module: {error.args[0]}"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message) from None
    except RecursionError:
        raise
    except ProgramError as error:
        if error.path == module.source.path:
            raise
        message = f"{error.path}:{error.line or 1}: {error.message}"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message) from None


def _bind_other(
    module: Module,
    others: Others,
    node: ast.Import | ast.ImportFrom,
    alias: ast.alias,
    origin: str,
    level: int,
) -> bool:
    bound = alias.asname or alias.name
    module.unclear.add(bound)
    inner = f"{origin}.{alias.name}".lstrip(".") if isinstance(node, ast.ImportFrom) else ""
    submodule = found(others.files, module.place, inner, level) if inner else None
    name = submodule or found(others.files, module.place, origin, level)
    if name is None:
        module.unclear.discard(bound)
        return False
    above = dict.fromkeys([*packages(name), *(["__init__.py"] if level else [])])
    for package in above:
        if package != name:
            module_asked = submodule is not None or isinstance(node, ast.Import)
            asked = member_asked(package, name, isinstance(node, ast.Import)) if module_asked else ""
            check_package(others.files, package, asked)
            _note_run(module, others, node, package, asked)
    home = None if others.files.is_program(name) else others.module(name)
    if home is None:
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, f"'{name}' imports this file, too")
    if submodule is not None or isinstance(node, ast.Import):
        if "." in bound:
            message = "an import of a module of a package needs a name: 'import a.b as c'"
            raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
        known = Known(Role.OWN_MODULE, name)
    else:
        member = module.member_of_other(name, alias.name)
        if member is None and alias.name in home.blocked:
            raise home.blocked[alias.name]
        if member is None:
            message = f"'{name}' has no function or constant '{alias.name}' that is read"
            raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
        known = member
    _bind(module, node, bound, known)
    module.asked[bound] = {*alias.name.split("."), *home.asked.get(alias.name, ())}
    module.imported.add(bound)
    module.unclear.discard(bound)
    made = others.class_of(known) if known.role is Role.OWN_CLASS else None
    module.of_objects.update(() if made is None else made.attributes)
    return True


def _note_run(module: Module, others: Others, node: ast.stmt, package: str, asked: str) -> None:
    """Note what a package may change and seed by the user's files that it imports.

    Of a package that the program is in, what functions do that are not read is left to the assumption that
    is listed.  Raises LookupError for what may change anything, or the member that the package is asked for.
    """
    for name, tree in run_by(others.files, package):
        own = bool(others.files.module)
        reaching, attributes, seeds = _effects(tree, own)
        seeds = seeds or any(set_on(at_import(tree) if own else tree, module.library.has))
        if reaching or asked in attributes:
            raise LookupError(f"'{name}' may change what is used")
        for attribute in attributes:
            message = f"'{name}', which '{package}' runs, may assign the attribute '{attribute}'"
            error = module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
            module.attributes.setdefault(attribute, error)
        if seeds:
            message = f"'{name}', which '{package}' runs, may set a seed that is known"
            module.seeding.setdefault("", module.source.error(node, Refusal.KNOWN_SEED, message))


def note_unread(
    module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias, error: ProgramError
) -> None:
    """Note what files of the user may change and seed that an import runs which isn't read itself."""
    others = module.others
    if others is None:
        return
    own = bool(others.files.module)
    only: ast.stmt = ast.Import([alias])
    if isinstance(node, ast.ImportFrom):
        only = ast.ImportFrom(node.module, [alias], node.level)
    try:
        run = [
            item for name in imported(others.files, module.place, only) for item in run_by(others.files, name)
        ]
    except (LookupError, ProgramError):
        _note_hiding(module, node, alias.name)
        module.hindrances.append(error)
        return
    for name, tree in run:
        if others.files.is_program(name):
            continue
        reaching, _, seeds = _effects(tree, own)
        ran = at_import(tree) if own else tree
        if reaching:
            module.hindrances.append(error)
        if seeds or any(set_on(ran, module.library.has)):
            message = f"'{name}', which is run here, may set a seed that is known"
            module.seeding.setdefault("", module.source.error(node, Refusal.KNOWN_SEED, message))
        changes = class_changes(ran, classes.names_in(tree)[0])
        passed = changes.all_classes or changes.unbound or changes.told or changes.caught
        reached = changes.on_self if passed else ()
        for attribute in (*changes.outside, *changes.on_variables, *reached):
            module.class_changes.outside.setdefault(attribute, node)
            module.class_changes.foreign.setdefault(attribute, node)
        for attribute in changes.on_self:
            module.class_changes.on_self.setdefault(attribute, node)
        for attribute in (*changes.outside, *changes.on_variables, *changes.on_self):
            message = f"'{name}', which is run here, may assign the attribute '{attribute}'"
            changed = module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
            module.attributes.setdefault(attribute, changed)


@lru_cache(maxsize=512)
def _effects(tree: ast.Module, own: bool) -> tuple[bool, tuple[str, ...], bool]:
    """Whether a file may change anything when it runs, the attributes that it may set, and whether it seeds.

    Of a package that the program is in only what an import runs counts.
    """
    ran = at_import(tree) if own else tree
    changes = changes_below(make_source("", ""), ran)
    reaching = bool(changes.anything) or path_changed(ran) is not None
    return reaching, tuple(changes.attributes), names_seeding(ran) if own else may_seed(ran)


_KNOWN = (
    vocabulary.MATH,
    *vocabulary.TYPING_MODULES,
    *vocabulary.CLASS_TOOLS,
    *vocabulary.OTHERS,
    "collections",
    "numpy",
)
"""Modules that the reader knows: a file of that name in the folder hides them, which is refused."""


def _check_neighbours(module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> None:
    """Refuse an import that may be of a file in the program's folder: Python looks there first.

    It does so for all that the modules of a library import: such a file may change anything.  Raises
    ProgramError.
    """
    if module.others is None or (isinstance(node, ast.ImportFrom) and node.level):
        return
    origin = alias.name if isinstance(node, ast.Import) else node.module or ""
    top = origin.partition(".")[0]
    neighbours = module.others.files.neighbours - {"synth", "__future__"}
    if top in neighbours:
        message = f"the module '{top}' in the folder of the program may be imported instead of another one"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
    _note_hiding(module, node, top)


def _note_hiding(module: Module, node: ast.Import | ast.ImportFrom, top: str) -> None:
    """Note that what is imported may import a file in the program's folder instead of another module."""
    assert module.others is not None
    hiding = sorted(module.others.files.neighbours & (PYTHONS_OWN | BELOW_OTHERS) - {"synth", "__future__"})
    if hiding and top != "__future__" and not module.hindrances:
        message = f"'{top}' may import '{hiding[0]}' of the program's folder instead of another module"
        module.hindrances.append(module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message))


def _check_path(module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> None:
    """Refuse an import below a change of ``sys.path``: it may be of another module.  Raises ProgramError."""
    origin = alias.name if isinstance(node, ast.Import) else node.module or ""
    relative = isinstance(node, ast.ImportFrom) and node.level > 0
    if relative or origin.partition(".")[0] in ("synth", "__future__"):
        return
    own = module.path_changed
    above = own is not None and own.lineno <= node.lineno
    places = [f"line {module.source.line(own.lineno)}"] if own is not None and above else []
    places += [item.place for item in module.of_user if item is not module and item.path_changed is not None]
    if places:
        message = f"'{origin}' may be another module: 'sys.path' may be changed in {places[0]}"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)


def read_import(module: Module, node: ast.Import, alias: ast.alias) -> None:
    bound = alias.asname or alias.name.partition(".")[0]
    if alias.name == vocabulary.LANGUAGE:
        target = alias.name if alias.asname else "synth"
        _bind(module, node, bound, Known(Role.MODULE, target))
    elif alias.name in (
        vocabulary.MATH,
        *vocabulary.TYPING_MODULES,
        *vocabulary.CLASS_TOOLS,
        *vocabulary.OTHERS,
    ):
        _bind(module, node, bound, Known(Role.MODULE, alias.name))
    elif module.library.has(alias.name):
        _bind(module, node, bound, Known(Role.MODULE, alias.name if alias.asname else bound))
    else:
        message = f"an import of '{alias.name}' is not supported{_IMPORTED}"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
    if alias.asname:
        module.imported.add(bound)


def read_import_from(module: Module, node: ast.ImportFrom, alias: ast.alias) -> None:
    origin = "." * node.level + (node.module or "")
    allowed = [vocabulary.LANGUAGE, vocabulary.MATH, "synth"]
    allowed += [*vocabulary.TYPING_MODULES, *vocabulary.CLASS_TOOLS, *vocabulary.OTHERS]
    if module.stub is not None:
        allowed.append(vocabulary.STUBS)
    if origin not in allowed and not module.library.has(origin):
        message = f"an import from '{origin}' is not supported{_IMPORTED}"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
    if alias.name == "*":
        _read_star(module, node, origin)
        return
    member = module_member(module, origin, alias.name)
    if member is None:
        hint = _hint(module, origin, alias.name)
        raise module.source.error(
            alias, Refusal.UNSUPPORTED_IMPORT, f"'{origin}' has no '{alias.name}'{hint}"
        )
    bound = alias.asname or alias.name
    _bind(module, node, bound, member)
    if member.role is not Role.TYPE:
        module.imported.add(bound)


def _hint(module: Module, origin: str, name: str) -> str:
    stub = module.library.module(origin)
    if stub is None:
        return vocabulary.suggestion(name, vocabulary.language_names())
    return vocabulary.suggestion(name, stub.functions) or " of which there is a model"


def _read_star(module: Module, node: ast.ImportFrom, origin: str) -> None:
    """Only those of ``synth.lang`` are known to bind nothing else: others may hide nothing."""
    if origin not in (vocabulary.LANGUAGE, vocabulary.MATH, *vocabulary.TYPING_MODULES[:2]):
        raise module.source.error(
            node, Refusal.UNSUPPORTED_IMPORT, f"a star import from '{origin}' is not supported"
        )
    bound = (*module.functions, *module.constant_nodes, *module.classes, *module.imported)
    if origin != vocabulary.LANGUAGE and bound:
        message = f"a star import from '{origin}' must stand before all other imports and definitions"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
    for name, known in _star(origin).items():
        _bind(module, node, name, known)


def _bind(module: Module, node: ast.stmt, name: str, known: Known) -> None:
    if name in module.functions or name in module.constant_nodes or name in module.classes:
        raise module.source.error(
            node, Refusal.DEFINED_TWICE, f"the import would hide the definition of '{name}'"
        )
    if module.names.get(name) == known:
        return
    if is_imported(module, name):
        raise module.source.error(
            node, Refusal.DEFINED_TWICE, f"the import would hide another one of '{name}'"
        )
    check_unused(module, node, name, "the import")
    module.names[name] = known


def _star(origin: str) -> dict[str, Known]:
    if origin == vocabulary.LANGUAGE:
        return vocabulary.language_names()
    if origin == vocabulary.MATH:
        return {name: vocabulary.math_name(name) for name in vocabulary.MATH_FUNCTIONS}
    return {}
