"""A mechanism whose scales are parameters of their own: what its proof costs, as a function of them."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth.app.repair.sites import Site, Sketch, extent, functions, is_hole, line_starts, sketch
from synth.app.stated import Stated
from synth.app.variants import Variant
from synth.trusted.errors import ProgramError, Refusal, UsageError

if TYPE_CHECKING:
    from synth.trusted.program.beside import Specification


@dataclass(frozen=True)
class Unknowns:
    """A mechanism with parameters ``names`` for its sites: a hole's scale, or the factor of a scale.

    ``claim`` is what the mechanism is to be private with.  ``program`` claims no ε; GDP and zCDP as meant.
    """

    original: Variant
    sites: tuple[Site, ...]
    has_holes: bool
    names: tuple[str, ...]
    claim: Stated
    program: Variant

    @property
    def claiming(self) -> Variant:
        """The program with the claim."""
        return replace(self.program, stated=self.claim)


def with_unknowns(variant: Variant) -> Unknowns:
    """Return a mechanism with parameters for its scales.

    Raises ProgramError, and UsageError without a claim.
    """
    drawn = sketch(variant.text, str(variant.path), variant.name)
    if not drawn.sites:
        message = "no scale of noise is found in the function itself"
        line, code = drawn.function.lineno, Refusal.UNSUPPORTED_CONSTRUCT
        raise ProgramError(message, str(variant.path), line, code=code)
    names = fresh_names(drawn.tree, "scale" if drawn.has_holes else "factor", len(drawn.sites))
    claim = _claim(variant, drawn)
    tree = _with_parameters(drawn, names)
    specification = variant.specification and _beside(variant.specification, names)
    if specification is None:
        _state(tree, variant, names)
    text = ast.unparse(ast.fix_missing_locations(tree))
    meant = replace(variant.stated, epsilon=None) if claim.epsilon is not None else claim
    program = replace(variant, text=text, specification=specification, stated=meant)
    return Unknowns(variant, drawn.sites, drawn.has_holes, names, claim, program)


def fresh_names(tree: ast.AST, stem: str, number: int) -> tuple[str, ...]:
    """Return names that occur nowhere in a file, not even in its strings."""
    text = ast.unparse(tree)
    found: list[str] = []
    counter = 1
    while len(found) < number:
        name = stem if counter == 1 else f"{stem}_{counter}"
        if name not in text:
            found.append(name)
        counter += 1
    return tuple(found)


def _with_parameters(drawn: Sketch, names: tuple[str, ...]) -> ast.Module:
    """The tree with a parameter in each hole, and one as a factor of each scale."""
    tree = copy.deepcopy(drawn.tree)
    function = next(
        item
        for item in ast.walk(tree)
        if isinstance(item, ast.FunctionDef) and item.lineno == drawn.function.lineno
    )
    extents = {(site.start, site.end): name for site, name in zip(drawn.sites, names, strict=True)}
    put = _Put(extents, line_starts(drawn.text))
    put.generic_visit(ast.Module(function.body, []))
    function.args.kwonlyargs += [ast.arg(name, ast.Name("float")) for name in names]
    function.args.kw_defaults += [None] * len(names)
    return tree


class _Put(ast.NodeTransformer):
    """Puts names into the holes of an extent, and as factors to other expressions."""

    def __init__(self, names: dict[tuple[int, int], str], starts: list[int]) -> None:
        self.names, self.starts = names, starts

    def visit(self, node: ast.AST) -> ast.AST:
        """The node, or what stands for it."""
        name = self.names.get(extent(node, self.starts)) if isinstance(node, ast.expr) else None
        if name is None:
            return self.generic_visit(node)
        assert isinstance(node, ast.expr)
        return ast.Name(name) if is_hole(node) else ast.BinOp(node, ast.Mult(), ast.Name(name))


# --- what is stated -------------------------------------------------------------------------


def _claim(variant: Variant, drawn: Sketch) -> Stated:
    """What is claimed, but for a δ that the program states.  Raises UsageError where it is nothing."""
    stated = variant.stated
    if stated.bounds.keys() - {"delta"}:
        return stated
    own = {name: _own(variant, drawn, name) for name in ("epsilon", "gdp", "zcdp")}
    if not any(own.values()):
        option = stated.asker.option("epsilon")
        raise UsageError(f"what is {variant.name} to be private with? state epsilon, or give {option}")
    return replace(stated, epsilon=own["epsilon"], gdp=own["gdp"], zcdp=own["zcdp"])


def _own(variant: Variant, drawn: Sketch, name: str) -> str | None:
    """The text of a bound that the program claims, or what is stated beside it."""
    if variant.specification is not None:
        found: str | None = getattr(variant.specification, name)
        return found
    keyword = _keyword(_decorator(drawn.function, variant), name)
    return None if keyword is None else _text(keyword.value)


def _beside(specification: Specification, names: tuple[str, ...]) -> Specification:
    requires = _positive(specification.requires, names)
    return replace(specification, requires=requires, epsilon=None)


def _state(tree: ast.Module, variant: Variant, names: tuple[str, ...]) -> None:
    """Put the signs of the parameters into the decorator, and take the claim out."""
    decorator = _decorator(functions(tree)[variant.name], variant)
    keyword = _keyword(decorator, "requires")
    said = None if keyword is None else _text(keyword.value)
    decorator.keywords = [item for item in decorator.keywords if item.arg not in ("requires", "epsilon")]
    decorator.keywords.append(ast.keyword("requires", ast.Constant(_positive(said, names))))


def _positive(said: str | None, names: tuple[str, ...]) -> str:
    signs = " and ".join(f"{name} > 0" for name in names)
    return signs if said is None else f"({said}) and {signs}"


def _decorator(function: ast.FunctionDef, variant: Variant) -> ast.Call:
    for item in function.decorator_list:
        if isinstance(item, ast.Call) and ast.unparse(item.func).rpartition(".")[2] == "mechanism":
            return item
    message = "the function has no decorator 'mechanism(...)', and nothing is stated beside it"
    raise ProgramError(message, str(variant.path), function.lineno, code=Refusal.NO_MECHANISM)


def _keyword(call: ast.Call, name: str) -> ast.keyword | None:
    return next((item for item in call.keywords if item.arg == name), None)


def _text(value: ast.expr) -> str:
    """What a keyword says: the content of a string, or the text of a number."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    return ast.unparse(value)
