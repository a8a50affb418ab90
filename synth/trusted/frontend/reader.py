"""The reader: Python source text to typed programs.  The program is parsed, never executed."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import other_files, user_stubs
from synth.trusted.frontend.caught import write_out
from synth.trusted.frontend.checks import obstacles
from synth.trusted.frontend.declaration import Declaration, read_declaration
from synth.trusted.frontend.library import with_stubs
from synth.trusted.frontend.lowering import lower
from synth.trusted.frontend.methods import add_methods, decorated_inside, missing
from synth.trusted.frontend.module import Function, Module, Others
from synth.trusted.frontend.module_reading import read_module
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.obstacles import ObstructedError
from synth.trusted.frontend.other_files import Files
from synth.trusted.frontend.outside_functions import check_outside
from synth.trusted.frontend.slicing import Slice, Slicer
from synth.trusted.frontend.source import MAX_TEXT_BYTES, Source, make_source, parse_module
from synth.trusted.frontend.specification import read_constants
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import STUB, Specification

Found = tuple[tuple[ir.Mechanism, ...], tuple[ProgramError, ...]]
"""The mechanisms of a text, and the obstacles of those that can't be read."""

Each = Callable[[ir.Mechanism], ir.Mechanism]

NOT_LOOKED_AT = "no specification. Add @mechanism(adjacent=…), or an entry in a file for --spec"
"""Why a function has no verdict."""

MARK = "·"
"""What names have that :mod:`synth.lang` makes, and in core programs the reader."""

MARKS = f"{MARK}‿⁔⁀"
"""What no name of a program may have; the last three are in names of core programs
(:mod:`synth.trusted.core.names`).
"""

_ENCODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_BLANK = re.compile(r"[ \t\f]*(#.*)?", re.ASCII)


@dataclass(frozen=True)
class File:
    """A program file: its text as the reader takes it, the SHA-256 of its bytes, its mechanisms in order.

    The source of each mechanism is only what it needs of the text; from that alone it is read as the same.
    ``refused`` are the obstacles of those that can't be read, each with the name of its function, ``unread``
    the numbers of the lines outside of functions that aren't read.  ``plain`` has an error for each function
    of which nothing is stated, and which no mechanism calls.
    """

    path: str
    text: str
    sha256: str
    mechanisms: tuple[ir.Mechanism, ...]
    refused: tuple[ProgramError, ...] = ()
    unread: tuple[int, ...] = ()
    plain: tuple[ProgramError, ...] = ()

    def mechanism(self, name: str) -> ir.Mechanism | None:
        """The mechanism of that name, if there is one."""
        return next((item for item in self.mechanisms if item.name == name), None)


def read_program(
    path: str | Path,
    specified: Mapping[str, Specification] | None = None,
    data: bytes | None = None,
    only: str | None = None,
    each: Each = lambda item: item,
) -> File:
    """A program file, with all of its mechanisms; one that can't be read costs only itself.

    ``specified`` is what is stated of functions beside the file, ``data`` what is to be read in its place.
    With ``only`` no other mechanism is read, if there is one of that name.  ``each`` is called with each
    mechanism as soon as it has been read, and gives what is kept of it.
    Raises :class:`~synth.trusted.errors.ProgramError` if the file itself can't be read, with the place.
    """
    name = str(path)
    data = _read_bytes(name) if data is None else data
    text = _decode(data, name)
    source = make_source(text, name)
    files = other_files.beside(name)
    module, tree = _guarded(text, source, complete=False, specified=specified, files=files)
    unread = tuple(sorted({line for item in module.unread for line in range(item.first, item.last + 1)}))
    slicer = Slicer(source, tree, module.blocked)
    mechanisms, refused = _found(module, only, lambda item: each(_sliced(item, slicer, unread)))
    refused = (*refused, *decorated_inside(module, tree))
    plain = tuple(_plain(module))
    if not plain:
        _require_some(module, (mechanisms, refused))
    return File(name, source.text, hashlib.sha256(data).hexdigest(), mechanisms, refused, unread, plain)


def read_file(path: str | Path) -> tuple[ir.Mechanism, ...]:
    """All mechanisms of a program file, in order, each with the part of the file that it needs.

    Raises :class:`~synth.trusted.errors.ProgramError` for the first thing that can't be read, with the place.
    """
    file = read_program(path)
    return _complete((file.mechanisms, file.refused))


def read_source(
    text: str,
    path: str,
    lines: tuple[int, ...] = (),
    specified: Mapping[str, Specification] | None = None,
    *,
    rewritten: bool = False,
) -> tuple[ir.Mechanism, ...]:
    """All mechanisms of a program text, in order; ``path`` is for messages.  All of the text has to be read.

    ``lines`` has the number in a file of each line of the text, rising: it is read as if the file's other
    lines were blank.  ``specified`` is what is stated of functions beside the text.  ``rewritten`` says that
    :mod:`synth.lang` has made names of its own in the text.

    Raises :class:`~synth.trusted.errors.ProgramError` for the first thing that can't be read, with the place.
    """
    source = make_source(text, path, numbers=lines)
    texts = {name: text for given in (specified or {}).values() for name, text in given.files}
    modules = {given.module for given in (specified or {}).values()}
    files = other_files.held(user_stubs.split(texts)[1], modules.pop() if len(modules) == 1 else "")
    module, _ = _guarded(text, source, complete=True, specified=specified, rewritten=rewritten, files=files)
    return _complete(_require_some(module, _found(module)))


def read_what_can_be(text: str, path: str, *, rewritten: bool = False) -> Found:
    """The mechanisms of a program text that can be read, and what keeps the others from it.

    Raises :class:`~synth.trusted.errors.ProgramError` if the text itself can't be read.
    """
    files = other_files.beside(path)
    module, _ = _guarded(text, make_source(text, path), complete=False, rewritten=rewritten, files=files)
    return _require_some(module, _found(module))


def _complete(found: Found) -> tuple[ir.Mechanism, ...]:
    mechanisms, refused = found
    for error in refused:
        raise error
    return mechanisms


def _guarded(
    text: str,
    source: Source,
    *,
    complete: bool,
    specified: Mapping[str, Specification] | None = None,
    rewritten: bool = False,
    files: Files,
) -> tuple[Module, ast.Module]:
    with _room(source):
        return _module(text, source, complete, specified, rewritten, files)


@contextmanager
def _room(source: Source) -> Iterator[None]:
    """Raises ProgramError where there is no room to read a text."""
    try:
        yield
    except (RecursionError, MemoryError) as error:
        raise ProgramError(
            "the program is nested too deeply", source.path, code=Refusal.PROGRAM_TOO_LARGE
        ) from error


def _read_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(4 * MAX_TEXT_BYTES + 1)
    except FileNotFoundError:
        raise ProgramError("no such file", path, code=Refusal.FILE_UNREADABLE) from None
    except IsADirectoryError:
        raise ProgramError("a directory, not a program file", path, code=Refusal.FILE_UNREADABLE) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ProgramError(f"the file can't be read: {reason}", path, code=Refusal.FILE_UNREADABLE) from None


def _decode(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ProgramError("the file is not UTF-8 text", path, line, code=Refusal.FILE_UNREADABLE) from None


def _module(
    text: str,
    source: Source,
    complete: bool,
    specified: Mapping[str, Specification] | None,
    rewritten: bool,
    files: Files,
) -> tuple[Module, ast.Module]:
    if not text.strip():
        raise ProgramError("the file is empty", source.path, code=Refusal.FILE_UNREADABLE)
    for lines in (source.lines, text.split("\n")):  # tools differ in whether a lone \r ends a line
        _check_encoding(lines, source)
    tree = parse_module(source)
    if not rewritten:
        _check_names(source, tree)
    stated = {name: given for name, given in (specified or {}).items() if given.states}
    given, _ = user_stubs.split(
        {name: text for one in (specified or {}).values() for name, text in one.files}
    )
    library = with_stubs(user_stubs.stub_of(name, text) for name, text in given.items())
    others = Others(files, _read_other, MAIN, library)
    module = read_module(
        source,
        tree,
        library,
        complete=complete,
        specified=stated,
        others=others,
        place=MAIN,
    )
    write_out(tree)
    read_constants(module)
    add_methods(module)
    return module, tree


MAIN = "the program"
"""What a program file is called among the files that it imports."""


def _read_other(others: Others, name: str) -> Module:
    """Another file of the user, of which only what is used has to be read.  Raises ProgramError."""
    text = others.files.text(name)
    assert text is not None
    source = replace(make_source(text, name), other=name)
    for lines in (source.lines, text.split("\n")):
        _check_encoding(lines, source)
    tree = parse_module(source)
    _check_names(source, tree)
    module = read_module(source, tree, others.library, complete=False, others=others, place=name)
    check_outside(module, tree)
    write_out(tree)
    read_constants(module)
    return module


def _found(module: Module, only: str | None = None, each: Each = lambda item: item) -> Found:
    found: list[ir.Mechanism] = []
    refused: dict[str, tuple[ProgramError, ...]] = {}
    with _room(module.source):
        for function in [item for item in module.mechanisms if item.name == only] or module.mechanisms:
            try:
                found.append(each(_mechanism(module, function)))
            except ObstructedError as obstructed:
                refused.setdefault(function.name, obstructed.of(function.name))
    for name in module.specified.keys() - {item.name for item in module.mechanisms}:
        refused[name] = (missing(module, name),)
    return tuple(found), tuple(error for errors in refused.values() for error in errors)


def _require_some(module: Module, found: Found) -> Found:
    """Refuse a text without a mechanism.  Raises ProgramError."""
    if not any(found):
        raise ProgramError(
            "no mechanism in the file: no function has '@mechanism'",
            module.source.path,
            code=Refusal.NO_MECHANISM,
        )
    return found


def _plain(module: Module) -> Iterator[ProgramError]:
    """Give an error for each function that is no mechanism, and that none calls."""
    seen = {item.name for item in module.mechanisms}
    waiting: list[ast.AST] = [item.node for item in module.mechanisms]
    while waiting:
        for node in ast.walk(waiting.pop()):
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting += module.definitions(node.id)
    for name, function in module.functions.items():
        if name not in seen:
            error = module.source.error(function.node, Refusal.NO_MECHANISM, NOT_LOOKED_AT)
            yield replace(error, function=name)


def _sliced(mechanism: ir.Mechanism, slicer: Slicer, unread: tuple[int, ...]) -> ir.Mechanism:
    """The mechanism with what it needs as its source, if that alone is read as the same mechanism.

    It may need fewer of the user's other files.
    """
    given = mechanism.specification
    for narrow in (False, True):
        part = slicer.slice(mechanism.name, () if given is None else given.texts(), narrow=narrow)
        alone = replace(mechanism, source=part.text, lines=part.lines)
        for item in _mechanisms_of(part, alone):
            if replace(item, specification=given) == alone:
                return replace(item, unread=unread)
    return replace(mechanism, unread=unread)


def _mechanisms_of(part: Slice, like: ir.Mechanism) -> tuple[ir.Mechanism, ...]:
    """What is read of a slice by itself; nothing if it can't be read."""
    given = {} if like.specification is None else {like.name: like.specification}
    try:
        return read_source(part.text, like.path, part.lines, given)
    except ProgramError:
        return ()


def _check_encoding(lines: Sequence[str], source: Source) -> None:
    """Refuse a declaration (PEP 263) of another encoding: Python would run another text than this.

    Raises ProgramError.
    """
    for number, line in enumerate(lines[:2], start=1):
        declared = _ENCODING.match(line)
        if declared is not None and declared[1].lower().replace("_", "-") not in ("utf-8", "utf8"):
            raise ProgramError(
                f"the file declares another encoding than UTF-8: '{declared[1]}'",
                source.path,
                source.line(number),
                code=Refusal.FILE_UNREADABLE,
            )
        if _BLANK.fullmatch(line) is None:
            return


def _check_names(source: Source, tree: ast.Module) -> None:
    """Refuse names that :mod:`synth.lang` may give something else while the program runs, or core programs.

    Raises ProgramError.
    """
    for node in nodes(tree):
        if isinstance(node, ast.Constant):
            continue
        for _, name in ast.iter_fields(node):
            marks = [mark for mark in MARKS if isinstance(name, str) and mark in name]
            if marks:
                line = source.line(getattr(node, "lineno", 1))
                place = ir.Span(line, getattr(node, "col_offset", 0) + 1)
                raise source.error(
                    place, Refusal.UNSUPPORTED_NAME, f"a name with '{marks[0]}' is not supported: '{name}'"
                )


def _mechanism(module: Module, function: Function) -> ir.Mechanism:
    """The mechanism that a function is.

    Raises ObstructedError, and ProgramError where there is no room to read it: that says nothing about it.
    """
    try:
        return _lowered(module, function, read_declaration(module, function))
    except ProgramError as error:
        if isinstance(error.__cause__, RecursionError | MemoryError):
            raise
        raise ObstructedError([error, *(other for _, other in obstacles(module, function))]) from None


def _labels(declaration: Declaration) -> Iterator[ir.Labels]:
    """Give the parameters that are labels, with the texts of all that the mechanism mentions."""
    pairs = [(name, kind) for name, kind in declaration.kinds.items()]
    for item in declaration.lists.values():
        for group in (item.columns, item.others):
            pairs += [
                (column.name, kind)
                for column, kind in zip(group, item.kinds, strict=False)
                if kind is not None
            ]
    for kind in dict.fromkeys(kind for _, kind in pairs):
        names = tuple(name for name, other in pairs if other is kind)
        yield ir.Labels(names, declaration.codes.texts_of(kind), kind.is_enumeration)


def _beside(module: Module, function: Function) -> Specification | None:
    """What is stated beside the text, with the texts of the user's other files that it needs."""
    given = module.specified.get(function.name)
    files = module.others.files if module.others is not None else Files()
    stubs = {
        STUB + stub.path.partition("/")[2]: stub.text
        for stub in module.library.texts.values()
        if stub.own and stub.module in module.library.modules
    }
    texts = {**stubs, **{name: files.texts[name] for name in files.used}}
    name = files.module if files.needs_module else ""
    if given is None and not texts and not name:
        return None
    return replace(given or Specification(), files=tuple(sorted(texts.items())), module=name)


def _lowered(module: Module, function: Function, declaration: Declaration) -> ir.Mechanism:
    lowered = lower(module, function, declaration)
    taken = {name.partition(".")[0] for name in (*lowered.variables, *lowered.lists)}
    for ghost in declaration.ghosts:
        if ghost.name in taken:
            raise module.source.error(
                ghost.span, Refusal.DEFINED_TWICE, f"the program has a variable '{ghost.name}', too"
            )
    return ir.Mechanism(
        name=function.name,
        parameters=(*declaration.parameters, *declaration.ghosts),
        requires=builders.both(declaration.requires, *(item.condition for item in lowered.preconditions)),
        epsilon=declaration.epsilon,
        delta=declaration.delta,
        divergence=declaration.divergence,
        body=lowered.body,
        variables=lowered.variables,
        lists=lowered.lists,
        span=module.source.span(function.node),
        path=module.source.path,
        source=module.source.text,
        lines=module.source.numbers,
        facts=declaration.facts,
        ghosts=frozenset(item.name for item in declaration.ghosts),
        records=tuple(item.records for item in declaration.lists.values() if item.is_several),
        domains=tuple(declaration.domains.values()),
        open_arrays=declaration.open_arrays,
        sources=declaration.sources,
        left_out=declaration.left_out,
        shown=lowered.shown,
        labels=tuple(_labels(declaration)),
        output=lowered.output,
        specification=_beside(module, function),
        preconditions=lowered.preconditions,
        models=lowered.models,
    )
