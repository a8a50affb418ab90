"""The user's other files: found by their paths as Python finds them, read and never run.

The name of a file is its path from the folder of the program, as ``noise.py`` or ``../common/noise.py``.
Documents hold the texts by these names, so that a check needs no file.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.rebinding import changes_below, names_of_module
from synth.trusted.frontend.source import MAX_TEXT_BYTES, make_source, parse_module

MOST_LEVELS = 8
"""How many folders above the program a package may begin."""


PYTHONS_OWN = sys.stdlib_module_names | frozenset(sys.builtin_module_names)

BELOW_OTHERS = frozenset({"numpy", "scipy"})
"""Libraries that others import."""

_OF_LIBRARIES = ("site-packages", "dist-packages")
"""Folders of what is installed: a library there is the one that is meant, and hides no module of Python."""

_MODULES = (".py", ".pyc", ".so", ".pyd")


@dataclass(frozen=True)
class Files:
    """Texts by name: those that are known, and those in a ``folder``, which are read when asked for.

    ``first`` are all folders where Python may look first, by how the program is run, ``neighbours`` are the
    modules there, which may hide others.  ``module`` is the name by which the program is imported, if it is
    meant as a module of a package; ``aside`` are the modules in its folder, which hide nothing then.
    ``runs`` has what importing a package runs, as far as that has been looked for.
    """

    texts: dict[str, str] = field(default_factory=dict)
    folder: Path | None = None
    used: set[str] = field(default_factory=set)
    first: tuple[Path, ...] = ()
    neighbours: frozenset[str] = frozenset()
    module: str = ""
    aside: frozenset[str] = frozenset()
    runs: dict[str, tuple[tuple[str, ast.Module], ...]] = field(default_factory=dict)

    @property
    def packages(self) -> tuple[str, ...]:
        """The names of the packages that the program is in, from the outermost one inwards."""
        return tuple(self.module.split(".")[:-1])

    @property
    def needs_module(self) -> bool:
        """Whether what is read depends on the name by which the program is imported."""
        return bool(self.folder is None or self.used or self.aside & (PYTHONS_OWN | BELOW_OTHERS))

    def is_own(self, top: str) -> bool:
        """Whether a name is that of the package that the program is in."""
        return self.packages[:1] == (top,)

    def is_program(self, name: str) -> bool:
        """Whether a file is the program's own, as a module of its package."""
        return bool(self.module) and name == self.module.rpartition(".")[2] + ".py"

    def text(self, name: str) -> str | None:
        """The text of a file; None if there is none.  Raises ProgramError if it can't be read."""
        if name not in self.texts and self.folder is not None:
            path = self.folder / name
            if path.is_file():
                self.texts[name] = _read(path)
        if name in self.texts:
            self.used.add(name)
        return self.texts.get(name)

    def has(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return name in self.texts or (self.folder is not None and (self.folder / name).is_file())

    def is_top(self, above: str) -> bool:
        """Whether a folder is the outermost one of a package, as far as its files tell."""
        return self.folder is None or not (self.folder / above / "__init__.py").is_file()


def found(files: Files, importer: str, origin: str, level: int) -> str | None:
    """The name of the file that an import in a file means; None if it is none of the user's.

    Raises LookupError where Python may find another one.
    """
    parts = origin.split(".") if origin else []
    folder = PurePosixPath(importer).parent
    if level:
        bases = [_above(str(folder), level - 1)]
    elif files.packages:
        bases = [_above(".", len(files.packages))]
    else:
        bases = [_above(".", count) for count in range(MOST_LEVELS)]
    names = [
        name
        for base in bases
        for name in _modules_of(files.packages, base, parts)
        if parts and files.has(name) and (level or base == "." or _is_package_above(files, base, parts[0]))
    ]
    if len(names) > 1:
        raise LookupError(f"'{origin}' may be {' or '.join(names)}")
    if names and not level and parts[0] in PYTHONS_OWN:
        raise LookupError(f"'{parts[0]}' is a module of Python, too")
    if names and files.folder is not None:
        if not level:
            _check_only_one(files, Path(os.path.normpath(files.folder / names[0])), parts)
        _check_native(files.folder / names[0])
        _check_only_name(files, files.folder, names[0])
    return names[0] if names else None


def _modules_of(packages: tuple[str, ...], base: str, parts: Sequence[str]) -> tuple[str, str]:
    """The names of the files that a module may be, by the shortest path from the program's folder."""
    steps = [*PurePosixPath(_joined(base, *parts)).parts]
    above = steps.count("..")
    while 0 < above <= len(packages) and steps[above : above + 1] == [packages[-above]]:
        del steps[above], steps[0]
        above -= 1
    return "/".join(steps) + ".py", _joined(*steps, "__init__.py")


def _above(folder: str, count: int) -> str:
    return _joined(folder, *[".."] * count)


def _joined(*parts: str) -> str:
    return os.path.normpath("/".join(parts)).replace(os.sep, "/")


def _is_package_above(files: Files, base: str, first: str) -> bool:
    """Whether the program is in the package of that name, which lies in a folder above."""
    if files.folder is None:
        return True
    count = base.count("..")
    here = files.folder.resolve()
    chain = [here, *here.parents][:count]
    inside = len(chain) == count and all((each / "__init__.py").is_file() for each in chain)
    return inside and chain[-1].name == first and files.is_top(base)


def _check_only_one(files: Files, path: Path, parts: Sequence[str]) -> None:
    """Refuse a file whose name another folder on Python's path may have, too.  Raises LookupError."""
    assert files.folder is not None
    own = {files.folder.resolve(), *files.folder.resolve().parents}
    steps = len(parts) + (path.name == "__init__.py")
    others = {each.resolve() for each in files.first} - {path.parents[steps - 1].resolve()}
    others |= {Path(entry or ".").resolve() for entry in sys.path} - own
    for folder in sorted(others):
        if any((folder / name).exists() for name in (parts[0], f"{parts[0]}.py")):
            raise LookupError(f"'{parts[0]}' may be another one, in {folder}")


def _check_only_name(files: Files, folder: Path, name: str) -> None:
    """Refuse a file that has been read under another name: it is one module.  Raises LookupError."""
    same = [other for other in files.used if (folder / other).resolve() == (folder / name).resolve()]
    if same and same != [name]:
        raise LookupError(f"'{name}' is read as '{same[0]}', too")


def _check_native(path: Path) -> None:
    """Refuse a file beside which there is a compiled one: Python takes that first.  Raises LookupError."""
    stem = path.parent.name if path.name == "__init__.py" else path.stem
    folder = path.parent.parent if path.name == "__init__.py" else path.parent
    alike = (*folder.glob(f"{stem}.*"), *folder.glob(f"{stem}/__init__.*"))
    if any(item.suffix in (".so", ".pyd") for item in alike):
        raise LookupError(f"'{stem}' may be a compiled module")


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
        if len(data) > MAX_TEXT_BYTES:
            raise ValueError("the file is too large")
        return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise ProgramError(
            f"the file can't be read: {error}", str(path), code=Refusal.FILE_UNREADABLE
        ) from None


def beside(path: str) -> Files:
    """Return the files around a program file.

    One in a package is meant as a module of it, unless it imports modules of its folder by their names alone.
    """
    folder, linked = Path(path).absolute().parent, Path(path).resolve().parent
    chain = (folder, *folder.parents)
    outermost = next((each for each in chain if not (each / "__init__.py").is_file()), folder)
    first = (folder, linked, *((outermost,) if outermost.name not in _OF_LIBRARIES else ()))
    module = _name_in_package(Path(path), outermost)
    aside = frozenset(_modules(folder)) if module else frozenset[str]()
    if (
        module
        and linked == folder
        and not _imports_any(Path(path), aside - PYTHONS_OWN - {module.split(".")[0]})
    ):
        first = first[2:]
    else:
        module, aside = "", frozenset[str]()
    neighbours = frozenset(name for each in dict.fromkeys(first) for name in _modules(each))
    return Files(folder=folder, first=first, neighbours=neighbours, module=module, aside=aside - neighbours)


def _name_in_package(path: Path, outermost: Path) -> str:
    """The name by which a file of a package is imported; empty if it is in none, or runs by its path."""
    parts = path.absolute().parent.relative_to(outermost).parts
    if (
        not parts
        or path.name == "__main__.py"
        or not all(part.isidentifier() for part in (*parts, path.stem))
    ):
        return ""
    return ".".join((*parts, path.stem))


def _imports_any(path: Path, names: frozenset[str]) -> bool:
    """Whether a file imports one of these modules by its name alone, wherever it does; that can be read."""
    try:
        tree = ast.parse(_read(path))
    except (ProgramError, SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=items) if any(item.name.partition(".")[0] in names for item in items):
                return True
            case ast.ImportFrom(module=str(origin), level=0) if origin.partition(".")[0] in names:
                return True
    return False


def _modules(folder: Path) -> Iterator[str]:
    """The modules in a folder, by their files' names."""
    try:
        with os.scandir(folder) as items:
            yield from (item.name.partition(".")[0] for item in items if _is_module(item))
    except OSError:
        return


def _is_module(item: os.DirEntry[str]) -> bool:
    if item.name.endswith(_MODULES):
        return True
    return item.is_dir() and os.path.exists(os.path.join(item.path, "__init__.py"))


def held(texts: Mapping[str, str], module: str = "") -> Files:
    """Return the files that a document holds, around a program that is imported by that name, if by any."""
    return Files(dict(texts), module=module)


def packages(name: str) -> list[str]:
    """The names of what Python runs before a file of packages, as far as the path in its name tells."""
    folders = [part for part in PurePosixPath(name).parents if str(part) != "." or name.startswith("..")]
    return [_joined(str(folder), "__init__.py") for folder in folders]


def member_asked(package: str, name: str, step_by_step: bool) -> str:
    """The member that a package is asked for, to come to a module in it; empty if it is asked for none.

    ``import a.b.c as d`` asks ``a`` for ``b``, step by step; ``from a.b import c`` only asks ``a.b``.
    """
    inner = PurePosixPath(name.removesuffix("/__init__.py").removesuffix(".py"))
    steps = (inner, *inner.parents) if step_by_step else (inner,)
    return next((part.name for part in steps if part.parent == PurePosixPath(package).parent), "")


def check_package(files: Files, name: str, asked: str) -> None:
    """Refuse a package whose own file may change what is used, or what it has as the module ``asked``.

    Raises LookupError.
    """
    used = set(files.used)
    text = files.text(name) if files.folder is not None and files.has(name) else None
    if text is None:
        return
    files.used.intersection_update(used)
    source = make_source(text, name)
    tree = parse_module(source)
    changes = changes_below(source, tree)
    if changes.anything or changes.attributes:
        raise LookupError(f"'{name}' may change what is used")
    if asked and (asked in changes.names or any(_binds_anew(node, asked) for node in tree.body)):
        raise LookupError(f"'{name}' may have something else as '{asked}'")


def _binds_anew(node: ast.stmt, name: str) -> bool:
    """Whether the name of a module of a package is something else after a statement of the package's file."""
    match node:
        case ast.ImportFrom(module=None, level=1, names=names):
            return any((item.asname or item.name) == name != item.name for item in names)
        case _:
            return not {name, "*"}.isdisjoint(names_of_module(node))


def hidden_by_modules(files: Files, path: str, tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Give the names of a package's own file that an import of one of its modules binds anew, at any time.

    Not those that come by that import.
    """
    folder = PurePosixPath(path).parent
    for node in tree.body if PurePosixPath(path).name == "__init__.py" else ():
        own = node.module if isinstance(node, ast.ImportFrom) and node.level == 1 else None
        for name in set(names_of_module(node)) - {own}:
            modules = (_joined(str(folder), f"{name}.py"), _joined(str(folder), name, "__init__.py"))
            if any(map(files.has, modules)) and _binds_anew(node, name):
                yield name, node


def run_by(files: Files, package: str) -> Sequence[tuple[str, ast.Module]]:
    """The file of a package, and the user's files that it imports, as they do: an import runs them all.

    A document doesn't hold them.  Raises LookupError.
    """
    if package not in files.runs:
        used = set(files.used)
        files.runs[package] = tuple(_run_by(files, package))
        files.used.intersection_update(used)
    return files.runs[package]


def _run_by(files: Files, package: str) -> Iterator[tuple[str, ast.Module]]:
    pending, seen = [package], set[str]()
    while pending and files.folder is not None:
        name = pending.pop()
        text = files.text(name) if name not in seen and files.has(name) else None
        seen.add(name)
        if text is not None:
            tree = _parsed(text, name)
            pending += (item for part in ast.walk(tree) for item in imported(files, name, part))
            yield name, tree


@lru_cache(maxsize=512)
def _parsed(text: str, name: str) -> ast.Module:
    return parse_module(make_source(text, name))


def imported(files: Files, importer: str, node: ast.AST) -> Iterator[str]:
    """Give the user's files that an import runs, if a node is one.  Raises LookupError."""
    match node:
        case ast.Import(names=names):
            origins = [(item.name, 0) for item in names]
        case ast.ImportFrom(module=origin, names=names, level=level):
            inner = [f"{origin or ''}.{item.name}".lstrip(".") for item in names]
            origins = [(item, level) for item in (*inner, origin or "")]
        case _:
            return
    for origin, level in origins:
        name = found(files, importer, origin, level)
        if name is not None:
            yield from (name, *packages(name))
