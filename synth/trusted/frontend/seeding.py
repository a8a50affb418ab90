"""Sources of noise that the file makes, and what may tell them what to draw next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from synth.trusted.errors import Refusal
from synth.trusted.frontend.bindings import check_new
from synth.trusted.frontend.classes import receiver
from synth.trusted.frontend.evaluated import is_special
from synth.trusted.frontend.given_seeds import where_a_seed_is_given
from synth.trusted.frontend.module import SOURCES, Module, Unread
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.rebinding import set_on
from synth.trusted.frontend.scripts import main_guard, of_script
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.vocabulary import Known, Role

SEEDING = ("seed", "set_state", "setstate", "set_bit_generator")
"""Functions and methods that say what comes next of a source."""

_STATES = ("bit_generator", "_bit_generator", "_inst", "_rand", "get_bit_generator")
"""Attributes of sources by which they can be told what comes next."""


_GLOBAL = "numpy.random"
"""The module whose functions draw from the source ``numpy.random.mtrand._rand``."""

_OF_OTHERS = (Role.OWN, Role.OWN_CLASS, Role.OWN_MODULE)

_SET = ("random_state",)
"""Attributes of sources that may be assigned."""

_TELLING = frozenset({*SEEDING, *_STATES, *_SET})

_CALLED = ("_randbelow", "_rvs", "gauss_next", "getrandbits", "random", "randrange")
"""Attributes that samplers of libraries written in Python look up while they draw."""

_BY_NAME = ("getattr", "attrgetter", "methodcaller")


def read_source_of_noise(module: Module, node: ast.stmt, name: str, value: ast.Call, made: Known) -> None:
    """A source of the module, which all functions share."""
    seeds = [item for item in (*value.args, *(word.value for word in value.keywords)) if not _is_none(item)]
    if seeds:
        shown = ast.unparse(seeds[0])[:40]
        message = f"with the seed {shown} the noise is the same in each run and can be subtracted"
        raise module.source.error(seeds[0], Refusal.KNOWN_SEED, message)
    check_new(module, node, name, "constant")
    module.names[name] = Known(Role.SOURCE, made.name, made.kind)


def may_seed(tree: ast.Module) -> bool:
    """Whether an imported file may tell a source what to draw next, as far as names and texts say."""
    if names_seeding(tree):
        return True
    texts = {node.value for node in _imported(tree) if isinstance(node, ast.Constant)}
    return not texts.isdisjoint(_TELLING)


def names_seeding(tree: ast.Module) -> bool:
    """Whether a file that is imported names something that tells a source what to draw next."""
    for node in _imported(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self")):
                pass
            case ast.Attribute(attr=name) | ast.alias(name=name) if name in _TELLING:
                return True
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if _says_that_it_seeds(name):
                return True
    return False


def _imported(tree: ast.Module) -> Iterator[ast.AST]:
    """Give the nodes of a file but for those behind its ``__main__`` guard, where an import doesn't come."""
    guard = main_guard(tree)
    asleep = {id(node) for node in ast.walk(guard)} if guard else set()
    return (node for node in nodes(tree) if id(node) not in asleep)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def read_seeding(module: Module, tree: ast.Module) -> None:
    """Note where a source may be told what to draw next, wherever in the file that is mentioned."""
    for name, place in module.class_changes.foreign.items():
        if name.startswith("_") and not is_special(name):
            _note_change(module, place, f"an assignment to '{name}' may change what a library does")
    for name in _CALLED:
        changing = module.class_changes.outside.get(name) or module.class_changes.on_variables.get(name)
        if changing is not None:
            _note_change(module, changing, f"an assignment to '{name}' may change what a library does")
    for changed in set_on(tree, module.library.has):
        _note_change(module, changed, f"'{ast.unparse(changed)[:40]}' may change what a library does")
    for used in _modules_as_values(module, tree):
        _note_change(module, used, f"'{ast.unparse(used)}' is used as a value, and may be changed")
    own = {id(part) for part in _stored_by_objects(tree)} | where_a_seed_is_given(module, tree)
    script = _in_script(module, tree)
    for node in nodes(tree):
        if not isinstance(node, ast.expr | ast.stmt) or id(node) in own:
            continue
        for owner in _seeded(module, node):
            message = "a seed that is known: the noise is the same in each run and can be subtracted"
            error = module.source.error(node, Refusal.KNOWN_SEED, message)
            if id(node) in script and not module.source.other:
                module.unread.append(Unread(node.lineno, node.end_lineno or node.lineno, error))
            elif id(node) not in script:
                module.seeding[owner] = error


def _in_script(module: Module, tree: ast.Module) -> set[int]:
    """The nodes that run only where the program is a script, which is then a caller with a seed of its own.

    In another file it is the ``__main__`` guard alone: what else the file has the program may call.
    """
    guard = main_guard(tree)
    body = of_script(tree, module.specified) if not module.source.other else guard.body if guard else []
    return {id(node) for statement in body for node in ast.walk(statement)}


def _stored_by_objects(tree: ast.Module) -> Iterator[ast.Attribute]:
    """Give the attributes that ``__init__`` of a class of the file assigns to the object itself."""
    for kind in nodes(tree):
        for item in kind.body if isinstance(kind, ast.ClassDef) else ():
            if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                for part in ast.walk(item):
                    match part:
                        case ast.Attribute(value=ast.Name(id=own), ctx=ast.Store()) if own == receiver(item):
                            yield part


def _note_change(module: Module, node: Located, message: str) -> None:
    module.seeding.setdefault("", module.source.error(node, Refusal.UNSUPPORTED_NAME, message))


def _modules_as_values(module: Module, tree: ast.Module) -> Iterator[ast.expr]:
    """Give the places where a library is more than called, or asked for a member."""
    owners = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Attribute)}
    owners |= {id(node.func) for node in nodes(tree) if isinstance(node, ast.Call)}
    if not module.source.other and not any(item.role in _OF_OTHERS for item in module.names.values()):
        owners |= {id(node) for node in _defaults_to_draw_from(tree)}
    for node in nodes(tree):
        match node:
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[owner, *_]):
                owners.add(id(owner))
            case ast.Name() | ast.Attribute() if id(node) not in owners:
                known = module.known(node)
                library = known is not None and known.role is Role.MODULE and module.library.has(known.name)
                if library:
                    yield node


def _defaults_to_draw_from(tree: ast.Module) -> Iterator[ast.expr]:
    """Give the defaults of parameters that are only asked for members, or kept in attributes that are."""
    loads = [node for node in nodes(tree) if isinstance(getattr(node, "ctx", None), ast.Load)]
    asked = {id(node.value) for node in loads if isinstance(node, ast.Attribute)}
    others = {node.attr for node in loads if isinstance(node, ast.Attribute) and id(node) not in asked}
    others |= {name for node in nodes(tree) for name in _bound_or_read(node)}
    if "__setattr__" in others:
        return
    for function in nodes(tree):
        if isinstance(function, ast.FunctionDef):
            kept = set(asked)
            for part in ast.walk(function):
                match part:
                    case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Name() as value):
                        kept |= set() if name in others else {id(value)}
            for name, default in _defaults(function.args):
                if all(id(part) in kept for part in ast.walk(function) if _loads(part, name)):
                    yield default


def _bound_or_read(node: ast.AST) -> Iterator[str]:
    """Give the names that something has that Python may find in an attribute's place, or that read one."""
    match node:
        case ast.FunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Constant(value=str(name)):
            yield name
        case ast.MatchClass(kwd_attrs=names):
            yield from names


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    for item, default in zip(positional[::-1], arguments.defaults[::-1], strict=False):
        yield item.arg, default
    for item, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if given is not None:
            yield item.arg, given


def _loads(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _seeded(module: Module, node: ast.expr | ast.stmt) -> Iterator[str]:
    """Give the modules or classes whose sources a node may be about, "" for any."""
    match node:
        case ast.Attribute(attr="_rand") if module.known(node) == Known(Role.SOURCE, _GLOBAL):
            return
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if name in (*SEEDING, *_STATES):
            owner = module.known(value)
            known = owner is not None and owner.role in (Role.MODULE, *SOURCES)
            yield owner.name.removesuffix(".mtrand") if owner is not None and known else ""
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) if name in _SET:
            yield ""
        case ast.Call(func=ast.Attribute(value=value, attr="__init__"), args=given) if not _is_own(
            value, given
        ):
            owner = module.known(value)
            yield owner.name if owner is not None and owner.role in SOURCES else ""
        case ast.Call(func=ast.Name(id=name)) if name in SEEDING:
            yield ""
        case ast.ImportFrom(module=origin, names=names) if any(item.name in SEEDING for item in names):
            yield (origin or "").removesuffix(".mtrand")
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if _says_that_it_seeds(
            called
        ) and not _is_of_user(module, node.func):
            yield ""  # what it is called says what it does: `seed_everything(0)`
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=arguments):
            named = (item.value for item in arguments if isinstance(item, ast.Constant))
            if called in _BY_NAME and any(name in (*SEEDING, *_STATES) for name in named):
                yield ""


def _says_that_it_seeds(name: str) -> bool:
    return "seed" in name.replace("get_seed", "") and name not in SEEDING


def _is_of_user(module: Module, node: ast.expr) -> bool:
    """Whether a function or method is one of the user's files, which say themselves whether it seeds."""
    called = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    known = module.known(node)
    own = {name for kind in module.classes.values() for name in kind.methods}
    return called in module.functions or called in own or (known is not None and known.role in _OF_OTHERS)


def _is_own(owner: ast.expr, given: list[ast.expr]) -> bool:
    """Whether ``__init__`` is that of a base, for the object that a method is called on."""
    match owner, given:
        case ast.Call(func=ast.Name(id="super")), _:
            return True
        case _, [ast.Name(id="self"), *_]:
            return True
        case _:
            return False
