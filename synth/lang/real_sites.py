"""Which draws of a program file are real, as the prover's reader has it.

Python may leave an ``int`` where the reader knows a real centre (``max(0, v)``, an empty sum); which law
is drawn from must not depend on that.  Where a helper draws around integers for one caller and
around reals for another, each call is taken to be one of a copy of the helper.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING

from synth.lang.definition_text import text_of

if TYPE_CHECKING:
    from synth.trusted.frontend.source import Source
    from synth.trusted.program import syntax as ir

MAX_COPIES = 10_000


@dataclass(frozen=True)
class Reading:
    """The draws of a file that are real, by the name of the function and the place of the call.

    The names count only if all calls of a function go to copies of their own (``apart``).  It speaks of the
    functions in ``read`` alone, those that mechanisms lead to which aren't refused.
    """

    source: Source
    real: frozenset[tuple[str, ir.Span]]
    apart: bool = False
    read: frozenset[str] = frozenset()

    def is_real(self, function: str, call: ast.Call) -> bool:
        """Whether a sampler's call, in that function, draws a real number."""
        return (function if self.apart else "", self.source.span(call)) in self.real


def reading_of(function: FunctionType) -> Reading | None:
    """What the reader says of the file of a function, None if it refuses the file or the function.

    Raises RuntimeError for a file that it takes, but not with all the copies that tell draws apart, and
    RecursionError or MemoryError where there is no room to read it: that says nothing about the file.
    """
    try:
        text = text_of(function)
    except (OSError, TypeError):
        return None
    reading = _read(text, function.__code__.co_filename)
    return reading if reading is not None and function.__code__.co_qualname in reading.read else None


@lru_cache(maxsize=64)
def _read(text: str, path: str) -> Reading | None:
    # Programs import this module: they shall not wait for the reader before they draw.
    from synth.trusted.errors import ProgramError
    from synth.trusted.frontend.reader import read_what_can_be
    from synth.trusted.frontend.source import make_source

    source = make_source(text, path)
    try:
        mechanisms, errors = read_what_can_be(text, path)
    except ProgramError as error:
        if isinstance(error.__cause__, RecursionError | MemoryError):
            raise error.__cause__ from None
        return None
    real, others = _places(mechanisms)
    tree = ast.parse(text)
    refused = {error.function for error in errors}
    read = _reached(tree, {item.name for item in mechanisms})
    if real & others or _calls_mechanism(tree):
        try:
            return _read_apart(source, refused, read)
        except ProgramError as error:
            # What was proved is about the reader's draws; others may tell what these hide.
            raise RuntimeError(f"{path}: which draws are real can't be told apart: {error}") from None
    return Reading(source, frozenset(("", span) for span in real), read=read)


def _reached(tree: ast.Module, mechanisms: Collection[str]) -> frozenset[str]:
    """The functions that these mechanisms lead to, which are among them."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    methods = _methods(tree) if mechanisms else []
    reached = [name for name in functions if name in mechanisms]
    named = {node.id for _, method in methods for node in ast.walk(method) if isinstance(node, ast.Name)}
    reached += [name for name in functions if name in named and name not in reached]
    for name in reached:  # grows
        named = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)}
        reached += [other for other in functions if other in named and other not in reached]
    return frozenset([*reached, *(name for name, _ in methods)])


def _methods(tree: ast.Module) -> list[tuple[str, ast.FunctionDef]]:
    """The functions of the classes of a file, by their names with that of the class."""
    return [
        (f"{node.name}.{item.name}", item)
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.FunctionDef)
    ]


def _calls_mechanism(tree: ast.Module) -> bool:
    """Whether a function calls a mechanism: called by users only, it makes floats of what is given."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = {node.name for node in functions if node.decorator_list}
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
        for function in functions
        for node in ast.walk(function)
    )


def _places(mechanisms: tuple[ir.Mechanism, ...]) -> tuple[set[ir.Span], set[ir.Span]]:
    """Where draws are real, and where they aren't; the draws of a helper may be both."""
    from synth.trusted.program import syntax as ir

    draws = [item for one in mechanisms for item in ir.statements(one.body) if isinstance(item, ir.Draw)]
    real = {draw.span for draw in draws if draw.sort is ir.Sort.REAL}
    return real, {draw.span for draw in draws if draw.sort is not ir.Sort.REAL}


def _read_apart(source: Source, refused: Collection[str | None], read: frozenset[str]) -> Reading:
    """What the reader says where each call of a function is one of a copy of its own.

    Raises ProgramError for a mechanism that is refused then, and isn't one of ``refused``.
    """
    from synth.trusted.errors import ProgramError, Refusal
    from synth.trusted.frontend.reader import read_what_can_be
    from synth.trusted.frontend.source import make_source

    parsed = ast.parse(source.text)
    if any(isinstance(node, ast.ClassDef) for node in parsed.body):
        message = "methods are not copied for each of their calls"
        raise ProgramError(message, source.path, code=Refusal.PROGRAM_TOO_LARGE)
    tree = _with_copies(parsed, source.path)
    text = ast.unparse(tree)
    rewritten = make_source(text, source.path)
    mechanisms, errors = read_what_can_be(text, source.path, rewritten=True)
    for error in errors:
        if error.function not in refused:
            raise error
    real, _ = _places(mechanisms)
    found = set()
    for old, new in zip(tree.body, ast.parse(text).body, strict=True):
        for call, shown in zip(ast.walk(old), ast.walk(new), strict=True):
            if isinstance(old, ast.FunctionDef) and isinstance(call, ast.Call):
                assert isinstance(shown, ast.Call)
                if rewritten.span(shown) in real:
                    found.add((old.name, source.span(call)))
    return Reading(source, frozenset(found), apart=True, read=read)


def _with_copies(tree: ast.Module, path: str) -> ast.Module:
    """The file without its main guard, with a copy of a function for each call that a mechanism leads to.

    Raises ProgramError for too many copies: calls where control never comes may go round in circles.
    """
    from synth.trusted.errors import ProgramError, Refusal

    tree.body = [node for node in tree.body if not isinstance(node, ast.If)]
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    originals = copy.deepcopy(functions)
    callers = [node for node in functions.values() if node.decorator_list]
    for caller in callers:  # grows
        if len(callers) > MAX_COPIES:
            message = f"more than {MAX_COPIES} calls of functions"
            raise ProgramError(message, path, code=Refusal.PROGRAM_TOO_LARGE)
        local = set(_local_names(caller))
        for node in ast.walk(caller):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in originals and name not in local:
                    callers.append(copied(originals[name], copy_name(caller.name, node)))
                    node.func = ast.copy_location(ast.Name(callers[-1].name, ast.Load()), node.func)
                    tree.body.append(callers[-1])
    return tree


def _local_names(tree: ast.FunctionDef) -> Iterator[str]:
    """The parameters and variables of a function, as Python has it: not those of what is defined in it."""
    yield from (item.arg for item in ast.iter_child_nodes(tree.args) if isinstance(item, ast.arg))
    loops = (node for node in ast.walk(tree) if isinstance(node, ast.comprehension))
    inner = {id(node) for loop in loops for node in ast.walk(loop.target)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in inner:
            yield node.id


def copied(tree: ast.FunctionDef, name: str) -> ast.FunctionDef:
    """The same function under another name, without decorators."""
    tree = copy.deepcopy(tree)
    tree.name, tree.decorator_list = name, []
    return tree


def copy_name(caller: str, call: ast.Call) -> str:
    """A name for what is called there, which a program will hardly have."""
    return f"{caller}·{call.lineno}·{call.col_offset}"
