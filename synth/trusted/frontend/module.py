"""The module level of a program file: imports, constants and function definitions."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import classes, stubs, vocabulary
from synth.trusted.frontend.class_changes import ClassChanges
from synth.trusted.frontend.classes import Class, Kind
from synth.trusted.frontend.other_files import Files
from synth.trusted.frontend.source import Located, Source
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import Specification


@dataclass(frozen=True)
class Function:
    """A function definition of a ``module``; ``decorator`` is that of a mechanism.

    ``assigned`` has all local names, with the number of assignments that aren't augmented ones.
    ``marks`` are the decorators of a function of a stub, ``wrappers`` those that leave any function as it is.
    """

    name: str
    node: ast.FunctionDef
    decorator: ast.expr | None
    assigned: Counter[str]
    module: Module = field(repr=False, compare=False)
    marks: frozenset[str] = frozenset()
    wrappers: tuple[Function, ...] = field(default=(), repr=False, compare=False)

    @property
    def parameters(self) -> tuple[ast.arg, ...]:
        """All parameters in order."""
        arguments = self.node.args
        return (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)

    @property
    def defaults(self) -> tuple[tuple[ast.arg, ast.expr], ...]:
        """The parameters that may be left out, each with its default."""
        given = self.node.args
        positional = [*given.posonlyargs, *given.args]
        late = positional[len(positional) - len(given.defaults) :]
        named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
        by_name = ((argument, default) for argument, default in named if default is not None)
        return (*zip(late, given.defaults, strict=True), *by_name)


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

    def functions_of(self, module: str) -> frozenset[str]:
        """The functions in the stub of that module, and perhaps more names; the stub isn't read."""
        stub = self.texts.get(module)
        return frozenset() if stub is None else stubs.functions_in(stub.text)

    def has_of_user(self, top: str) -> bool:
        """Whether the user has a stub of a module of that name, or of one inside of it."""
        return any(stub.own and stub.module.partition(".")[0] == top for stub in self.texts.values())

    def member(self, module: str, name: str, kind: str = "module") -> Known | None:
        """What ``module.name`` stands for, or a method of a source of a kind, if the library has it.

        What stubs import, and names of their own that the library lacks, are not there.
        """
        known, stub = self.inside(module, name), self.module(module)
        if known is None or stub is None or stub.stub is None or known.role in SOURCES:
            return known
        marks = stub.functions[name].marks if name in stub.functions else ()
        if kind == vocabulary.BITS or any(kind not in vocabulary.HAVING.get(mark, (kind,)) for mark in marks):
            return None
        if stub.stub.own:
            return None if "__" in name or vocabulary.is_of_synth(known) else known
        of_library = known.name == f"{module}.{name}" or known.name.startswith(f"{module}._")
        return known if of_library and not name.startswith("_") and "__" not in name else None

    def inside(self, module: str, name: str) -> Known | None:
        """What ``module.name`` stands for in stubs."""
        if self.has(f"{module}.{name}"):
            return Known(Role.MODULE, f"{module}.{name}")
        stub = self.module(module)
        if stub is None:
            return None
        if name in stub.functions:
            return Known(Role.STUB, f"{module}.{name}")
        if name in stub.classes:
            return Known(Role.STUB_CLASS, f"{module}.{name}")
        known = stub.names.get(name)
        return known if known is not None and (name in stub.imported or known.role in SOURCES) else None

    def only_reads(self, name: str) -> bool:
        """Whether a function of a stub leaves lists as they are: synth's do, the user's need not."""
        if name.startswith(f"{stubs.BUILTINS}."):
            return True
        own = any(stub.own for stub in self.texts.values())
        return not own and vocabulary.IN_PLACE not in self.function(name).marks

    def function(self, name: str) -> Function:
        """The function of a stub, by its name with the module's.  Raises KeyError if there is none."""
        module, _, own = name.rpartition(".")
        known = self.inside(module, own)
        if known is not None and known.name != name:
            return self.function(known.name)
        stub = self.module(module)
        if stub is None:
            raise KeyError(name)
        return stub.functions[own]

    def class_of(self, name: str) -> Class:
        """The class of a stub, by its name with the module's.  Raises KeyError if there is none."""
        module, _, own = name.rpartition(".")
        stub = self.module(module)
        if stub is None:
            raise KeyError(name)
        return stub.classes[own]

    def method(self, node: ast.FunctionDef) -> Function | None:
        """The function that a method of a stub's class is, if it is one."""
        return next((item.methods[node] for item in self.modules.values() if node in item.methods), None)


@dataclass(frozen=True)
class Unread:
    """A statement of the module that isn't read, or a value, with its first and last line, and why."""

    first: int
    last: int
    error: ProgramError


@dataclass(frozen=True)
class Others:
    """The user's other files that a program file imports, by name; ``read`` makes a module of one.

    ``main`` is the name of the program file itself; ``modules`` are in the order in which Python runs them.
    """

    files: Files
    read: Callable[[Others, str], Module]
    main: str
    library: Library
    modules: dict[str, Module | None] = field(default_factory=dict)

    def module(self, name: str) -> Module | None:
        """The module of that name; None if it is being read.  Raises ProgramError if it can't be read."""
        if name not in self.modules:
            self.modules[name] = None
            made = self.read(self, name)
            del self.modules[name]
            self.modules[name] = made
        return self.modules[name]

    def class_of(self, known: Known) -> Class | None:
        """The class that a name stands for; None if it can't be used."""
        module, own = self.definition(known)
        return module.classes.get(own)

    def definition(self, known: Known) -> tuple[Module, str]:
        """The module that has what a name stands for, and its name there."""
        name, _, own = known.name.rpartition(".")
        module = self.modules[name]
        assert module is not None
        return module, own


SOURCES = (Role.GENERATOR, Role.SOURCE)
OF_OTHERS = (Role.OWN, Role.OWN_CLASS, Role.OWN_MODULE)


@dataclass(frozen=True)
class Module:
    """The definitions of a program file.  Each name is bound once, by something that is read.

    ``imported`` has the names that imports call something, save types; ``evaluated`` those that Python looks
    up while it reads the file, each with its first place.  ``stub`` is what it was read of, for a stub.

    Of what isn't read, ``unread`` has the statements, ``blocked`` the names that can't be used for it, and
    why, ``attributes`` those that some code sets, ``hindrances`` what may change anything.  ``flaws`` are
    what is wrong with the definition of a function, and ``mechanisms`` the functions that shall be ones.
    ``seeding`` are the places that say what a source draws next, by the module that has its methods; empty
    for one that isn't known.  ``aliases`` are other names of types.  ``specified`` is what is stated beside
    the file; ``others`` are the user's other files, ``place`` is the name of this one among them, and
    ``unclear`` are names that may be what they define, and ``asked`` has what each import of theirs asks
    files for, one after the other.  ``literals`` are the constants that are no numbers, and ``changeable``
    has a place for each of which an entry may be changed somewhere, ``changeable_members`` for each list of
    a class.  ``inner`` are names that something in a function or class may have.  ``made_of`` has the names
    that classes need.  ``complete`` says that all of the file has to be read: what isn't is raised.
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
    literals: dict[str, ast.expr] = field(default_factory=dict)
    changeable: dict[str, ast.expr] = field(default_factory=dict)
    changeable_members: dict[str, ast.expr] = field(default_factory=dict)
    inner: set[str] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)
    evaluated: dict[str, ast.expr] = field(default_factory=dict)
    checked: set[ast.FunctionDef] = field(default_factory=set)
    lambdas: dict[ast.expr, ast.FunctionDef] = field(default_factory=dict)
    nested: dict[ast.FunctionDef, Function] = field(default_factory=dict)
    sampling: dict[ast.AST, bool] = field(default_factory=dict)
    augmented: dict[ast.AST, ast.BinOp] = field(default_factory=dict)
    applied: dict[ast.AST, ast.Call] = field(default_factory=dict)
    centers: dict[ast.AST, ast.ListComp] = field(default_factory=dict)
    spread: dict[tuple[ast.AST, tuple[str, ...]], ast.Call] = field(default_factory=dict)
    fixed_lists: dict[ast.AST, frozenset[str]] = field(default_factory=dict)
    tallied: dict[ast.FunctionDef, Function] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    blocked: dict[str, ProgramError] = field(default_factory=dict)
    attributes: dict[str, ProgramError] = field(default_factory=dict)
    hindrances: list[ProgramError] = field(default_factory=list)
    flaws: dict[str, list[ProgramError]] = field(default_factory=dict)
    mechanisms: list[Function] = field(default_factory=list)
    specified: dict[str, Specification] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)
    made_of: dict[str, frozenset[str]] = field(default_factory=dict)
    others: Others | None = None
    place: str = ""
    unclear: set[str] = field(default_factory=set)
    asked: dict[str, set[str]] = field(default_factory=dict)
    seeding: dict[str, ProgramError] = field(default_factory=dict)
    class_names: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    class_changes: ClassChanges = field(default_factory=ClassChanges)
    path_changed: ast.expr | ast.stmt | None = None
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
            if owner.role is Role.OWN_MODULE:
                return self.member_of_other(owner.name, node.attr)
            if owner == vocabulary.LOGGER:
                return vocabulary.tools().get(f"logging.{node.attr}") if node.attr != "getLogger" else None
            if owner.role is Role.SOURCE:
                method = self.library.member(owner.name, node.attr, owner.kind)
                return method if method is not None and method.role is Role.STUB else None
            return module_member(self, owner.name, node.attr) if owner.role is Role.MODULE else None
        return None

    def means_pythons(self, name: str) -> bool:
        """Whether a name means Python's own function: what an import calls so may be any other."""
        known = self.known(ast.Name(name, ast.Load()))
        return known is not None and (known == Known(Role.FUNCTION, name) or name not in self.names)

    def member_of_other(self, file: str, name: str) -> Known | None:
        """What a name stands for that another file of the user defines, or imports from a third one."""
        module = None if self.others is None else self.others.module(file)
        if module is None or name in module.blocked:
            return None
        if name in module.functions or name in module.constant_nodes:
            return Known(Role.OWN, f"{file}.{name}")
        if name in module.classes:
            plain = module.classes[name].kind in (Kind.PLAIN, Kind.DATA)
            return Known(Role.OWN_CLASS, f"{file}.{name}") if plain else None
        known = module.names.get(name)
        return known if known is not None and known.role in OF_OTHERS else None

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
        if name not in self.library.functions_of(stubs.BUILTINS):
            return None
        known = self.library.member(stubs.BUILTINS, name)
        return known if known is not None and known.role is Role.STUB else None

    @property
    def of_user(self) -> tuple[Module, ...]:
        """All files of the user that are read, this one among them."""
        others = () if self.others is None else self.others.modules.values()
        return tuple(item for item in others if item is not None) or (self,)

    def class_named(self, node: ast.expr) -> Class | None:
        """The class of the user that a name of the module, or ``module.name``, stands for."""
        if isinstance(node, ast.Name) and node.id in self.classes:
            return self.classes[node.id]
        known = self.known(node)
        if known is None or known.role is not Role.OWN_CLASS or self.others is None:
            return None
        return self.others.class_of(known)

    def home(self, kind: Class) -> Module | None:
        """The module that defines a class; None if nothing may use the class."""
        modules = (*self.of_user, self, *self.library.modules.values())
        return next((item for item in modules if any(kind is own for own in item.classes.values())), None)

    def method(self, node: ast.FunctionDef) -> Function | None:
        """The function that a method is."""
        found = (item.methods[node] for item in (self, *self.of_user) if node in item.methods)
        return next(found, None) or self.library.method(node)

    def names_of(self, kind: Class) -> set[str]:
        """The names that files of the user have for a class."""
        found = {kind.name}
        for item in self.of_user if self.others is not None else ():
            assert self.others is not None
            found |= {
                bound
                for bound, known in item.names.items()
                if known.role is Role.OWN_CLASS and self.others.class_of(known) is kind
            }
        return found

    def class_change(self, kind: Class, name: str) -> tuple[Module, Located] | None:
        """A place that may set an attribute on a class or one of its bases, with its module."""
        names = {given for each in kind.line for given in self.names_of(each)}
        files = self.of_user
        for item in files:
            place = item.class_changes.of(names, name)
            if place is not None:
                return item, place
        passed = (item.class_changes.may_be_value(names | item.unclear) for item in files)
        told = any(item.class_changes.told is not None for item in files)
        caught = any(item.class_changes.caught is not None for item in files)
        if len(files) > 1 and (any(passed) or (told and caught)):
            for item in files:
                changes = item.class_changes
                place = changes.on_variables.get(name) or changes.on_self.get(name)
                if place is not None:
                    return item, place
        return None

    def definitions(self, name: str) -> Iterator[ast.FunctionDef]:
        """Give the function of that name, or the methods of the class, with those of its bases."""
        if name in self.functions:
            yield self.functions[name].node
        if name in self.classes:
            yield from (item.node for each in self.classes[name].line for item in each.methods.values())

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
        if any(classes.is_of_class(part, *self._names_of_classes()) for part in parts):
            return True
        called = filter(None, map(self.called, parts))
        return any(
            function.module.stub is None or function.module.stub.module != stubs.BUILTINS
            for function in called
        )

    @property
    def has_named_tuples(self) -> bool:
        """Whether there are named tuples in the user's files."""
        return any(kind.kind is Kind.TUPLE for item in self.of_user for kind in item.classes.values())

    def is_property(self, node: ast.AST) -> bool:
        """Whether an attribute may be a property of a class of the user, which is as a call of it."""
        if not isinstance(node, ast.Attribute):
            return False
        kinds = (kind for item in self.of_user for kind in item.classes.values())
        methods = (kind.methods[node.attr] for kind in kinds if node.attr in kind.methods)
        return any(method.kind == classes.PROPERTY for method in methods)

    def _names_of_classes(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names of classes, and of methods, in all files of the user."""
        files = self.of_user
        if len(files) == 1:
            return self.class_names
        names = {name for item in files for name in item.class_names[0]}
        names |= {bound for bound, known in self.names.items() if known.role is Role.OWN_CLASS}
        methods = {name for item in files for name in item.class_names[1]}
        return frozenset(names), frozenset(methods | names)

    def called(self, node: ast.Call) -> Function | None:
        """The function of this file or of a stub that a call is of."""
        if isinstance(node.func, ast.Name) and node.func.id in self.functions:
            return self.functions[node.func.id]
        known = self.known(node.func)
        if known is not None and known.role is Role.OWN:
            return self.other_function(known)
        if known is None or known.role is not Role.STUB:
            return None
        return self.library.function(known.name)

    def other_function(self, known: Known) -> Function | None:
        """The function of another file of the user; None if it is none."""
        assert self.others is not None
        module, own = self.others.definition(known)
        return module.functions.get(own)

    def other_constant(self, known: Known) -> ir.Expression | None:
        """The number that is a constant of another file of the user; None if it is none."""
        assert self.others is not None
        module, own = self.others.definition(known)
        return module.constants.get(own)


def module_member(reader: Module, module: str, name: str) -> Known | None:
    """What ``module.name`` stands for in a file."""
    member = reader.library.member if reader.stub is None else reader.library.inside
    if module == vocabulary.MATH:
        known = vocabulary.math_name(name)
        return (member(module, name) or known) if known.role is Role.UNSUPPORTED else known
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
    if module == "numpy" and name in ("e", "pi", "inf", "Inf", "infty"):
        return vocabulary.math_name(name if name in ("e", "pi") else "inf")
    if f"{module}.{name}" in vocabulary.tools():
        return vocabulary.tools()[f"{module}.{name}"]
    if name in vocabulary.TYPES_OF_VALUES.get(module, ()):
        return Known(Role.TYPE, f"{module}.{name}")
    if f"{module}.{name}" in vocabulary.ARRAY_TYPES:
        return Known(Role.TYPE, name)
    return member(module, name)
