"""The module level of a program file: imports, constants and function definitions."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import classes, draws, evaluated, stubs, vocabulary
from synth.trusted.frontend.classes import Class
from synth.trusted.frontend.constructs import name_of
from synth.trusted.frontend.rebinding import changes_below, names_of_module
from synth.trusted.frontend.source import Source
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification

_IMPORTED = f"; only {vocabulary.LANGUAGE}, {vocabulary.MATH}, typing and stubs are"


@dataclass(frozen=True)
class Function:
    """A function definition of a ``module``; ``decorator`` is that of a mechanism.

    ``assigned`` has all local names, with the number of assignments that aren't augmented ones.
    ``marks`` are the decorators of a function of a stub.
    """

    name: str
    node: ast.FunctionDef
    decorator: ast.expr | None
    assigned: Counter[str]
    module: Module = field(repr=False, compare=False)
    marks: frozenset[str] = frozenset()

    @property
    def parameters(self) -> tuple[ast.arg, ...]:
        """All parameters in order."""
        arguments = self.node.args
        return (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)


@dataclass(frozen=True)
class Library:
    """The stubs that a reading may use, by module; ``read`` makes a module of one, when it is needed."""

    texts: dict[str, stubs.Stub]
    read: Callable[[stubs.Stub, Library], Module]
    modules: dict[str, Module] = field(default_factory=dict)

    def module(self, name: str) -> Module | None:
        """The stub of that module, if there is one.  Raises ProgramError if it can't be read."""
        if name not in self.modules and name in self.texts:
            self.modules[name] = self.read(self.texts[name], self)
        return self.modules.get(name)

    def has(self, name: str) -> bool:
        """Whether there is a stub of that module or of one inside of it."""
        return any(module == name or module.startswith(f"{name}.") for module in self.texts)

    def member(self, module: str, name: str) -> Known | None:
        """What ``module.name`` stands for, if a stub says it."""
        if self.has(f"{module}.{name}"):
            return Known(Role.MODULE, f"{module}.{name}")
        stub = self.module(module)
        if stub is None:
            return None
        if name in stub.functions:
            return Known(Role.STUB, f"{module}.{name}")
        known = stub.names.get(name)
        return known if known is not None and (name in stub.imported or known.role in SOURCES) else None

    def function(self, name: str) -> Function:
        """The function of a stub, by its name with the module's.  Raises KeyError if there is none."""
        module, _, own = name.rpartition(".")
        known = self.member(module, own)
        if known is not None and known.name != name:
            return self.function(known.name)
        stub = self.module(module)
        if stub is None:
            raise KeyError(name)
        return stub.functions[own]


@dataclass(frozen=True)
class Unread:
    """A statement of the module that isn't read, or a value, with its first and last line, and why."""

    first: int
    last: int
    error: ProgramError


@dataclass(frozen=True)
class Module:
    """The definitions of a program file.  Each name is bound once, by something that is read.

    ``imported`` has the names that imports call something, save types; ``evaluated`` those that Python looks
    up while it reads the file, each with its first place.  ``stub`` is what it was read of, for a stub.

    Of what isn't read, ``unread`` has the statements, ``blocked`` the names that can't be used for it, and
    why, ``attributes`` those that some code sets, ``hindrances`` what may change anything.  ``flaws`` are
    what is wrong with the definition of a function, and ``mechanisms`` the functions that shall be ones.
    ``seeding`` are the places that say what a source draws next, by the module that has its methods; empty
    for one that isn't known.  ``specified`` is what is stated beside the file, ``neighbours`` are the modules
    in its folder, which may hide others.  ``made_of`` has the names that classes need.  ``complete``
    says that all of the file has to be read: the first thing that isn't is raised.
    """

    source: Source
    names: dict[str, Known]
    constant_nodes: dict[str, ast.expr]
    functions: dict[str, Function]
    library: Library
    stub: stubs.Stub | None = None
    classes: dict[str, Class] = field(default_factory=dict)
    of_objects: set[str] = field(default_factory=set)
    methods: dict[ast.FunctionDef, Function] = field(default_factory=dict)
    constants: dict[str, ir.Expression] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
    evaluated: dict[str, ast.expr] = field(default_factory=dict)
    checked: set[str] = field(default_factory=set)
    sampling: dict[ast.AST, bool] = field(default_factory=dict)
    augmented: dict[ast.AST, ast.BinOp] = field(default_factory=dict)
    applied: dict[ast.AST, ast.Call] = field(default_factory=dict)
    fixed_lists: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    blocked: dict[str, ProgramError] = field(default_factory=dict)
    attributes: dict[str, ProgramError] = field(default_factory=dict)
    hindrances: list[ProgramError] = field(default_factory=list)
    flaws: dict[str, list[ProgramError]] = field(default_factory=dict)
    mechanisms: list[Function] = field(default_factory=list)
    specified: dict[str, Specification] = field(default_factory=dict)
    neighbours: frozenset[str] = frozenset()
    made_of: dict[str, frozenset[str]] = field(default_factory=dict)
    seeding: dict[str, ProgramError] = field(default_factory=dict)
    class_names: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    complete: bool = True

    def block(self, name: str, error: ProgramError) -> None:
        """Let nothing use a name of the module, for that reason.  Raises it if all has to be read."""
        if self.complete:
            raise error
        self.blocked.setdefault(name, error)

    def leave(self, node: ast.stmt | ast.expr, error: ProgramError) -> None:
        """Don't read a statement or a value, for that reason.  Raises it if all has to be read."""
        if self.complete:
            raise error
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
        self.unread.append(Unread(first, node.end_lineno or node.lineno, error))

    def obstacle(self, node: ast.expr) -> ProgramError | None:
        """Why a name, or ``module.name``, can't be used, if code that isn't read is the reason."""
        while isinstance(node, ast.Attribute):
            if node.attr in self.attributes:
                return self.attributes[node.attr]
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.blocked:
            return None
        error = self.blocked[node.id]
        if error.code is not Refusal.UNSUPPORTED_IMPORT:
            return error
        message = f"{error.message} (line {error.line})"
        return self.source.error(node, error.code, message)

    def known(self, node: ast.expr) -> Known | None:
        """What a name or ``module.name`` stands for, if an import or Python defines it."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id) or self._builtin(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
            owner = self.known(node.value)
            if owner is None or node.attr in self.attributes:
                return None
            if owner.role is Role.SOURCE:
                method = self.library.member(owner.name, node.attr)
                return method if method is not None and method.role is Role.STUB else None
            return module_member(self, owner.name, node.attr) if owner.role is Role.MODULE else None
        return None

    def _builtin(self, name: str) -> Known | None:
        """What Python itself has under a name that the file doesn't bind, if a stub says what it is."""
        if name in self.functions or name in self.constant_nodes or name in self.classes:
            return None
        if name in self.blocked:
            return None
        if name.startswith("_"):  # models of what has no name of its own
            return None
        if self.stub is not None and self.stub.module == stubs.BUILTINS:
            return None
        known = self.library.member(stubs.BUILTINS, name)
        return known if known is not None and known.role is Role.STUB else None

    @cached_property
    def assigned_on_others(self) -> Counter[str]:
        """How often each attribute is assigned, but by methods on the object that they are called on."""
        nodes = [*(item.node for item in self.functions.values()), *self.methods]
        found = Counter(
            part.attr
            for node in nodes
            for part in ast.walk(node)
            if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
        )
        for item in self.classes.values():
            found.subtract(item.stored)
        return found

    def samples(self, node: ast.AST) -> bool:
        """Whether evaluating a node draws a sample, here or in a function that it calls."""
        cached = self.sampling.get(node)
        if cached is None:
            # A recursive function doesn't count as sampling while it is being looked at.
            self.sampling[node] = False
            cached = self._samples(node)
            self.sampling[node] = cached
        return cached

    def _samples(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call):
            known = self.known(node.func)
            if known is not None and known.role is Role.DISTRIBUTION:
                return True
            function = self.called(node)
            if function is not None and any(function.module.samples(s) for s in function.node.body):
                return True
        return any(self.samples(child) for child in ast.iter_child_nodes(node))

    def calls(self, node: ast.AST) -> bool:
        """Whether a function, class or method of this file is called in a node, or a function of a stub.

        Python's own change nothing.
        """
        parts = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
        if any(classes.is_of_class(part, *self.class_names) for part in parts):
            return True
        called = filter(None, map(self.called, parts))
        return any(
            function.module.stub is None or function.module.stub.module != stubs.BUILTINS
            for function in called
        )

    def called(self, node: ast.Call) -> Function | None:
        """The function of this file or of a stub that a call is of."""
        if isinstance(node.func, ast.Name) and node.func.id in self.functions:
            return self.functions[node.func.id]
        known = self.known(node.func)
        if known is None or known.role is not Role.STUB:
            return None
        return self.library.function(known.name)


SOURCES = (Role.GENERATOR, Role.SOURCE)


def module_member(reader: Module, module: str, name: str) -> Known | None:
    """What ``module.name`` stands for in a file."""
    if module == vocabulary.MATH:
        return vocabulary.math_name(name)
    if module == vocabulary.LANGUAGE:
        return vocabulary.language_names().get(name)
    if module == vocabulary.STUBS and reader.stub is not None:
        return vocabulary.stub_names().get(name)
    if f"{module}.{name}" == vocabulary.LANGUAGE:
        return Known(Role.MODULE, vocabulary.LANGUAGE)
    if module in vocabulary.TYPING_MODULES:
        return Known(Role.TYPE, name)
    if name in vocabulary.CLASS_TOOLS.get(module, ()):
        return Known(Role.CLASS_TOOL, name)
    if f"{module}.{name}" in vocabulary.ARRAY_TYPES:
        return Known(Role.TYPE, name)
    return reader.library.member(module, name)


def read_module(
    source: Source,
    tree: ast.Module,
    library: Library,
    stub: stubs.Stub | None = None,
    *,
    complete: bool = True,
    specified: Mapping[str, Specification] | None = None,
    neighbours: frozenset[str] = frozenset(),
) -> Module:
    """Collect the definitions of a program file, or of a stub; ``specified`` is stated beside it.

    ``neighbours`` are the modules in the folder of the file.
    If it has to be ``complete``, raises ProgramError for the first statement that isn't read.
    """
    names = classes.names_in(tree)
    module = Module(
        source, vocabulary.builtin_names(), {}, {}, library, stub, class_names=names, complete=complete
    )
    module.specified.update(specified or {})
    module = replace(module, neighbours=neighbours)
    for node in tree.body:
        try:
            if isinstance(node, ast.If) and _is_main_guard(node.test) and node is not tree.body[-1]:
                message = "the '__main__' guard must be the last statement"
                raise source.error(node, Refusal.UNSUPPORTED_AT_MODULE_LEVEL, message)
            _read_statement(module, node)
        except ProgramError as error:
            _leave(module, node, error)
    _read_seeding(module, tree)
    _settle(module, tree)
    return module


def _leave(module: Module, node: ast.stmt, error: ProgramError) -> None:
    """Don't read a statement; nothing may use what it may bind."""
    module.leave(node, error)
    for name in names_of_module(node):
        if name == "*":
            module.hindrances.append(error)
        else:
            module.block(name, error)


def _settle(module: Module, tree: ast.Module) -> None:
    """Take out all names that other code than their definition may change."""
    source = module.source
    changes = changes_below(source, tree)
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
    for bound, known in module.names.items():
        for part in known.name.split(".") if _is_imported(module, bound) else ():
            if part in module.attributes:
                module.block(bound, module.attributes[part])
    if _may_import_itself(module, tree):
        for name, error in module.attributes.items():
            module.block(name, error)
    for name, used in module.made_of.items():  # bases stand above their classes
        for hidden in sorted(used & module.blocked.keys()):
            module.block(name, module.blocked[hidden])
        for hidden in sorted(used & evaluated.WRAPPERS & (module.functions | module.constant_nodes).keys()):
            message = f"'{hidden}' is bound in the file, and is another one than Python's"
            module.block(name, source.error(tree.body[0], Refusal.DEFINED_TWICE, message))
    for table in (module.names, module.constant_nodes, module.functions, module.classes):
        for name in module.blocked:
            table.pop(name, None)


def _may_import_itself(module: Module, tree: ast.Module) -> bool:
    """Whether an import may be of this file."""
    own = re.split(r"[/\\]", module.source.path)[-1].removesuffix(".py")
    for node in ast.walk(tree):
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
            _each_name(module, node, _read_import)
        case ast.ImportFrom():
            _each_name(module, node, _read_import_from)
        case ast.FunctionDef():
            _read_function(module, node)
        case ast.Assign(targets=targets, value=ast.Call(func=called)) if (
            module.stub is not None and module.known(called) == vocabulary.stub_names()[vocabulary.GENERATOR]
        ):
            _read_generators(module, targets)
        case ast.ClassDef():
            _read_class(module, node)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            _read_constant(module, node, name, value)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
            evaluated.check_annotation(module.source, annotation)
            _read_constant(module, node, name, value)
        case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
            pass
        case ast.If(test=test) if _is_main_guard(test):
            names = {*module.names, *module.constant_nodes, *module.functions, *module.classes}
            names |= _builtins(module)
            evaluated.check_guard(module.source, node, names)
        case _:
            message = f"{name_of(node)} is not supported at module level"
            raise module.source.error(node, Refusal.UNSUPPORTED_AT_MODULE_LEVEL, message)


def _read_generators(module: Module, targets: list[ast.expr]) -> None:
    """Types of sources whose methods are the functions of this stub."""
    assert module.stub is not None
    for target in targets:
        assert isinstance(target, ast.Name)
        module.names[target.id] = Known(Role.GENERATOR, module.stub.module)


def _builtins(module: Module) -> set[str]:
    """The functions of Python that a stub describes."""
    stub = module.library.module(stubs.BUILTINS)
    return set() if stub is None else {name for name in stub.functions if not name.startswith("_")}


_Import = TypeVar("_Import", ast.Import, ast.ImportFrom)


def _each_name(module: Module, node: _Import, read: Callable[[Module, _Import, ast.alias], None]) -> None:
    """Read what an import binds, each name by itself."""
    for alias in node.names:
        try:
            _check_neighbours(module, node, alias)
            read(module, node, alias)
        except ProgramError as error:
            module.leave(node, error)
            name = alias.asname or alias.name.partition(".")[0]
            if name == "*":
                module.hindrances.append(error)
            else:
                module.block(name, error)


def _check_neighbours(module: Module, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> None:
    """Refuse an import that may be of a file in the same folder: Python looks there first.

    Raises ProgramError.
    """
    if isinstance(node, ast.ImportFrom) and node.level:
        return
    origin = alias.name if isinstance(node, ast.Import) else node.module or ""
    top = origin.partition(".")[0]
    if top in module.neighbours - {"synth", "__future__"}:
        message = f"the module '{top}' in the folder of this file may be imported instead of another one"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)


def _read_import(module: Module, node: ast.Import, alias: ast.alias) -> None:
    bound = alias.asname or alias.name.partition(".")[0]
    if alias.name == vocabulary.LANGUAGE:
        target = alias.name if alias.asname else "synth"
        _bind(module, node, bound, Known(Role.MODULE, target))
    elif alias.name in (vocabulary.MATH, *vocabulary.TYPING_MODULES, *vocabulary.CLASS_TOOLS):
        _bind(module, node, bound, Known(Role.MODULE, alias.name))
    elif module.library.has(alias.name):
        _bind(module, node, bound, Known(Role.MODULE, alias.name if alias.asname else bound))
    else:
        message = f"an import of '{alias.name}' is not supported{_IMPORTED}"
        raise module.source.error(node, Refusal.UNSUPPORTED_IMPORT, message)
    if alias.asname:
        module.imported.add(bound)


def _read_import_from(module: Module, node: ast.ImportFrom, alias: ast.alias) -> None:
    origin = "." * node.level + (node.module or "")
    allowed = [vocabulary.LANGUAGE, vocabulary.MATH, "synth"]
    allowed += [*vocabulary.TYPING_MODULES, *vocabulary.CLASS_TOOLS]
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
    return vocabulary.suggestion(name, stub.functions) or " that there is a model o"


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
    if _is_imported(module, name):
        raise module.source.error(
            node, Refusal.DEFINED_TWICE, f"the import would hide another one of '{name}'"
        )
    _check_unused(module, node, name, "the import")
    module.names[name] = known


def _star(origin: str) -> dict[str, Known]:
    if origin == vocabulary.LANGUAGE:
        return vocabulary.language_names()
    if origin == vocabulary.MATH:
        return {name: vocabulary.math_name(name) for name in vocabulary.MATH_FUNCTIONS}
    return {}


def _read_constant(module: Module, node: ast.Assign | ast.AnnAssign, name: str, value: ast.expr) -> None:
    if evaluated.is_special(name):
        evaluated.check_metadata(module.source, name, node, value)
        return
    _evaluate(module, value)
    made = module.known(value.func) if isinstance(value, ast.Call) else None
    if made is not None and made.role is Role.GENERATOR:
        assert isinstance(value, ast.Call)
        _read_source(module, node, name, value, made.name)
        return
    for hidden in names_of_module(value):
        message = f"the value of '{name}' binds '{hidden}'"
        module.block(hidden, module.source.error(node, Refusal.DEFINED_TWICE, message))
    if isinstance(value, ast.Call):
        named = classes.read_named_tuple(module.source, name, value, module.known)
        if named is not None:
            module.made_of[name] = frozenset(_names_at_definition(value))
            _check_new(module, node, name, "class")
            module.classes[name] = named
            return
    for part in ast.walk(value) if not module.complete else ():
        if isinstance(part, ast.Call) and module.known(part.func) is None:
            called = ast.unparse(part.func)
            message = f"a call of '{called}' in the constant '{name}' is not supported"
            raise module.source.error(part, Refusal.UNSUPPORTED_CALL, message)
    _check_new(module, node, name, "constant")
    module.constant_nodes[name] = value


def _read_source(module: Module, node: ast.stmt, name: str, value: ast.Call, methods: str) -> None:
    """A source of the module, which all functions share."""
    seeds = [item for item in (*value.args, *(word.value for word in value.keywords)) if not _is_none(item)]
    if seeds:
        shown = ast.unparse(seeds[0])[:40]
        message = f"with the seed {shown} the noise is the same in each run and can be subtracted"
        raise module.source.error(seeds[0], Refusal.KNOWN_SEED, message)
    _check_new(module, node, name, "constant")
    module.names[name] = Known(Role.SOURCE, methods)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _read_seeding(module: Module, tree: ast.Module) -> None:
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


_STATES = ("bit_generator", "_bit_generator", "_inst", "_rand")
"""Attributes of sources by which they can be told what comes next."""

_BY_NAME = ("getattr", "attrgetter", "methodcaller")

SEEDING = ("seed", "set_state", "setstate")
"""Functions and methods that say what comes next of a source."""


def _read_function(module: Module, node: ast.FunctionDef) -> None:
    """A function that Python may replace, or that may reach beyond itself, stays one; nothing may use it."""
    marks = _marks(module, node)
    if vocabulary.DRAWS in marks:
        node = draws.with_size(node)
    decorator, errors = _decorators(module, node) if module.stub is None else (None, [])
    function = Function(node.name, node, decorator, _assigned(node), module, marks)
    beside = module.specified.get(node.name)
    if decorator is not None or beside is not None:
        module.mechanisms.append(function)
    if decorator is not None and beside is not None:
        place = ":".join(map(str, (beside.path, *beside.place(""))))
        message = f"'{node.name}' has two specifications: this one, and that in {place}"
        errors.append(module.source.error(decorator, Refusal.DEFINED_TWICE, message))
    try:
        evaluated.check_head(module.source, node)
    except ProgramError as error:
        errors.append(error)
    if errors:
        module.leave(node, errors[0])
    for part in (*node.decorator_list, *evaluated.defaults(node)):
        _evaluate(module, part)
    try:
        evaluated.check_function(module.source, node, module.of_objects)
    except ProgramError as error:
        if module.complete:
            raise
        errors.append(error)
    module.flaws.setdefault(node.name, []).extend(errors)
    for name in names_of_module(node):
        if name != node.name:
            message = f"the definition of '{node.name}' binds '{name}'"
            module.block(name, module.source.error(node, Refusal.DEFINED_TWICE, message))
    _check_new(module, node, node.name, "function")
    module.functions[node.name] = function
    for form in draws.forms(node) if vocabulary.DRAWS in marks else ():
        module.functions[form.name] = Function(form.name, form, None, _assigned(form), module)


def _names_at_definition(node: ast.AST) -> Iterator[str]:
    """Give the names that Python looks up where a class is defined: not those in the bodies of methods."""
    if isinstance(node, ast.Name):
        yield node.id
    children = ast.iter_child_nodes(node)
    if isinstance(node, ast.FunctionDef):
        children = iter([*node.decorator_list, node.args, *([node.returns] if node.returns else [])])
    for child in children:
        yield from _names_at_definition(child)


def _read_class(module: Module, node: ast.ClassDef) -> None:
    made = classes.read_class(module.source, node, module.known, module.classes, module.of_objects)
    for part in classes.evaluated_in(node):
        _evaluate(module, part)
    module.made_of[node.name] = frozenset(_names_at_definition(node))
    _check_new(module, node, node.name, "class")
    module.classes[node.name] = made
    module.of_objects.update(made.attributes)
    for name, method in made.methods.items():
        function = Function(f"{made.name}.{name}", method.node, None, _assigned(method.node), module)
        module.methods[method.node] = function


def _evaluate(module: Module, node: ast.expr) -> None:
    """Remember the names in what Python evaluates where it stands."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            module.evaluated.setdefault(part.id, part)


def _check_new(module: Module, node: ast.stmt, name: str, what: str) -> None:
    if name in module.functions:
        raise module.source.error(node, Refusal.DEFINED_TWICE, f"function '{name}' is defined twice")
    if name in module.constant_nodes:
        raise module.source.error(node, Refusal.DEFINED_TWICE, f"constant '{name}' is defined twice")
    if name in module.classes:
        raise module.source.error(node, Refusal.DEFINED_TWICE, f"class '{name}' is defined twice")
    if _is_imported(module, name):
        raise module.source.error(
            node, Refusal.DEFINED_TWICE, f"a definition of '{name}' would hide the imported one"
        )
    _check_unused(module, node, name, what)
    module.names.pop(name, None)


def _check_unused(module: Module, node: ast.stmt, name: str, what: str) -> None:
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


def _is_imported(module: Module, name: str) -> bool:
    known = module.names.get(name)
    return known is not None and known != vocabulary.builtin_names().get(name)


def _decorators(module: Module, node: ast.FunctionDef) -> tuple[ast.expr | None, list[ProgramError]]:
    """The decorator of a mechanism, if there is one, and what is wrong with all of them."""
    found: ast.expr | None = None
    errors: list[ProgramError] = []
    for decorator in node.decorator_list:
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


def _marks(module: Module, node: ast.FunctionDef) -> frozenset[str]:
    """The decorators of a function of a stub.  Raises ProgramError."""
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


def _assigned(node: ast.FunctionDef) -> Counter[str]:
    counts: Counter[str] = Counter()
    inner = {id(name) for part in ast.walk(node) for name in own_names(part)}
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            if id(child) not in inner:
                counts[child.id] += 1
        elif isinstance(child, ast.AugAssign) and isinstance(child.target, ast.Name):
            counts[child.target.id] -= 1
    return counts


def own_names(node: ast.AST) -> Iterator[ast.Name]:
    """Give the variables that a comprehension has for itself, where it binds them."""
    if isinstance(node, ast.comprehension):
        for part in ast.walk(node.target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part


def _is_main_guard(test: ast.expr) -> bool:
    match test:
        case ast.Compare(
            left=ast.Name(id="__name__"),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value="__main__")],
        ):
            return True
        case _:
            return False
