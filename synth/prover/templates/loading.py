"""Templates of noise distributions: read from TOML files; those of users are verified before they are used.

A file of the folder ``templates`` declares one distribution and its couplings as formulas (see
:mod:`synth.prover.templates.formula`); a user's file declares a new distribution, or with ``extends``
further couplings of one that is there already.
"""

from __future__ import annotations

import keyword
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NoReturn

from synth.prover.templates.formula import Formula, FormulaError, Kind, parse
from synth.prover.templates.template import SHIFT, Coupling, Template
from synth.prover.templates.verification import CouplingVerdict, verify
from synth.support.files import read_bounded
from synth.trusted.errors import TemplateError
from synth.trusted.program import syntax as ir

__all__ = [
    "Coupling",
    "CouplingVerdict",
    "Template",
    "bundled_folder",
    "load_templates",
    "read_template",
    "verify",
]

MAX_FILE_BYTES = 20_000
"""Bytes; more dotted keys, and reading TOML takes many seconds."""

_SORTS = {"integer": ir.Sort.INT, "real": ir.Sort.REAL}
_EXTENSION_FIELDS = ("extends", "couplings")
_TEMPLATE_FIELDS = (
    "name",
    "parameters",
    "sorts",
    "log_density",
    "support",
    "requirement",
    "symmetric",
    "source",
    "couplings",
)
_COUPLING_FIELDS = ("name", "k", "relation", "requirement", "distance", "source")
_RESERVED = {"v", "v1", "v2", "k", "t", "u", "true", "false", "abs", "min", "max"}


def bundled_folder() -> Traversable:
    """The folder of the templates that come with synth: ``synth/templates`` where installed,
    the root folder ``templates`` in a checkout.  Raises TemplateError if there is neither.
    """
    package = resources.files("synth")
    candidates: list[Traversable] = [package / "templates"]
    if isinstance(package, Path):
        candidates.append(package.parent / "templates")
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise TemplateError("synth's own templates are missing: reinstall synth")


def load_templates(extra: Sequence[Path] = ()) -> dict[str, Template]:
    """The bundled templates and those of the user's files, by name of the distribution.

    The user's are verified; the bundled ones are by the tests, and no proof rests on either: the kernel
    has its own rules.  Raises TemplateError, naming file and field, for a file that can't be read or is
    malformed, a distribution or coupling that exists already, and an unsound coupling (with the
    counterexample).
    """
    templates = {template.name: template for template in _bundled()}
    for path in extra:
        template = read_template(path, templates)
        _require_sound(template, str(path), known=templates.get(template.name))
        templates[template.name] = template
    return templates


@cache
def _bundled() -> tuple[Template, ...]:
    """The bundled templates, which are read once in a process."""
    files = sorted(bundled_folder().iterdir(), key=lambda item: item.name)
    templates: dict[str, Template] = {}
    for path in (item for item in files if item.name.endswith(".toml")):
        template = read_template(path, templates)
        templates[template.name] = template
    return tuple(templates.values())


def read_template(path: Traversable, known: Mapping[str, Template]) -> Template:
    """What a file declares, not yet verified; with ``extends``, the known template and the new
    couplings.  Raises TemplateError, naming file and field.
    """
    table = _Table(str(path), "", _toml(path))
    if "extends" in table.content:
        table.require_fields(_EXTENSION_FIELDS)
        base = known.get(table.text("extends"))
        if base is not None and base.lemma is not None:
            table.fail("extends", f"the couplings of {base.name} rest on a lemma, others can't be verified")
        if base is None:
            table.fail("extends", f"there is no distribution {table.text('extends')!r}")
        return replace(base, couplings=_couplings(table, base.parameters, base.couplings))
    table.require_fields(_TEMPLATE_FIELDS, ("lemma",))
    if "lemma" in table.content and str(path) != str(bundled_folder().joinpath(path.name)):
        table.fail("lemma", "only synth's own templates may rest on a lemma")
    name = table.identifier("name")
    if name in known:
        table.fail("name", f"{name} is declared in {known[name].path} already; use extends")
    parameters = _parameters(table)
    center, scale = parameters
    return Template(
        name=name,
        parameters=parameters,
        sorts=_sorts(table),
        log_density=table.formula("log_density", Kind.NUMBER, ("v", center, scale), scale),
        support=table.formula("support", Kind.TRUTH, ("v", center)),
        requirement=table.formula("requirement", Kind.TRUTH, parameters, scale),
        symmetric=table.truth("symmetric"),
        couplings=_couplings(table, parameters, ()),
        source=table.text("source"),
        path=str(path),
        lemma=table.text("lemma") if "lemma" in table.content else None,
    )


def _require_sound(template: Template, path: str, known: Template | None) -> None:
    trusted = known.couplings if known else ()
    checked = replace(template, couplings=template.couplings[len(trusted) :])
    for verdict in verify(checked):
        if not verdict.sound:
            sort = next(word for word, sort in _SORTS.items() if sort is verdict.sort)
            values = (verdict.counterexample or {}).items()
            found = ", ".join(f"{name} = {value}" for name, value in values)
            raise TemplateError(
                f"{path}: coupling {verdict.coupling} of {template.name} is not sound on {sort} "
                f"draws: can't prove that {verdict.violated}" + (f"; it fails for {found}" if found else "")
            )


# --- fields ---------------------------------------------------------------------------------


def _toml(path: Traversable) -> dict[str, object]:
    try:
        data = read_bounded(path, MAX_FILE_BYTES) if isinstance(path, Path) else path.read_bytes()
    except OSError as error:
        raise TemplateError(f"{path}: can't be read: {error.strerror or error}") from error
    try:
        return tomllib.loads(data.decode())
    except RecursionError as error:
        raise TemplateError(f"{path}: not a TOML file: it is nested too deeply") from error
    except ValueError as error:  # also of integers with too many digits
        raise TemplateError(f"{path}: not a TOML file: {error}") from error


@dataclass(frozen=True)
class _Table:
    """A table of a file; ``place`` precedes the names of its fields in messages."""

    path: str
    place: str
    content: Mapping[str, object]

    def fail(self, field: str, problem: str) -> NoReturn:
        raise TemplateError(f"{self.path}: {self.place}{field}: {problem}")

    def require_fields(self, expected: Iterable[str], optional: Iterable[str] = ()) -> None:
        for field in self.content:
            if field not in (*expected, *optional):
                self.fail(field, f"unknown field; known here are {', '.join(expected)}")
        for field in expected:
            if field not in self.content:
                self.fail(field, "the field is missing")

    def text(self, field: str) -> str:
        value = self.content[field]
        if not isinstance(value, str) or not value.strip():
            self.fail(field, "must be a string, not empty")
        return value

    def truth(self, field: str) -> bool:
        value = self.content[field]
        if not isinstance(value, bool):
            self.fail(field, "must be true or false")
        return value

    def words(self, field: str) -> list[str]:
        value = self.content[field]
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            self.fail(field, "must be a list of strings")
        if not value or len(set(value)) != len(value):
            self.fail(field, "must have entries, all different")
        return value

    def identifier(self, field: str) -> str:
        name = self.text(field)
        if not _is_identifier(name):
            self.fail(field, f"{name!r} is not a name")
        return name

    def formula(self, field: str, kind: Kind, names: Iterable[str], scale: str | None = None) -> Formula:
        try:
            return parse(self.text(field), kind, tuple(names), scale)
        except FormulaError as error:
            self.fail(field, str(error))

    def tables(self, field: str) -> list[_Table]:
        value = self.content[field]
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.fail(field, f"must be tables [[{field}]]")
        if not value:
            self.fail(field, "must have entries")
        return [_Table(self.path, f"{field}[{number}].", item) for number, item in enumerate(value, start=1)]


def _is_identifier(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def _parameters(table: _Table) -> tuple[str, str]:
    words = table.words("parameters")
    if len(words) != 2:
        table.fail("parameters", "must be two names: the centre's and the scale's")
    for word in words:
        if not _is_identifier(word) or word in _RESERVED:
            table.fail("parameters", f"{word!r} can't name a parameter")
    if words[1] in (f"{words[0]}1", f"{words[0]}2"):
        table.fail("parameters", f"{words[1]} is the centre of one of the runs")
    return words[0], words[1]


def _sorts(table: _Table) -> tuple[ir.Sort, ...]:
    words = table.words("sorts")
    for word in words:
        if word not in _SORTS:
            table.fail("sorts", f"{word!r} is not a sort; there are {', '.join(_SORTS)}")
    return tuple(_SORTS[word] for word in words)


def _couplings(
    table: _Table, parameters: tuple[str, str], known: tuple[Coupling, ...]
) -> tuple[Coupling, ...]:
    couplings = {coupling.name: coupling for coupling in known}
    for entry in table.tables("couplings"):
        coupling = _coupling(entry, parameters)
        if coupling.name in couplings:
            entry.fail("name", f"there is a coupling {coupling.name!r} already")
        couplings[coupling.name] = coupling
    return tuple(couplings.values())


def _coupling(entry: _Table, parameters: tuple[str, str]) -> Coupling:
    entry.require_fields(_COUPLING_FIELDS)
    centers = f"{parameters[0]}1", f"{parameters[0]}2"
    before = (*centers, SHIFT)  # k is fixed before the draw: no formula but the relation sees v
    return Coupling(
        name=entry.identifier("name"),
        parameters=parameters,
        relation=entry.formula("relation", Kind.TRUTH, (*before, "v1", "v2")),
        shift_formula=_read_shift(entry, centers),
        requirement_formula=entry.formula("requirement", Kind.TRUTH, before),
        distance_formula=entry.formula("distance", Kind.NUMBER, before),
        source=entry.text("source"),
    )


def _read_shift(entry: _Table, centers: tuple[str, str]) -> Formula:
    free = entry.text("k").strip() == SHIFT
    return entry.formula("k", Kind.NUMBER, (SHIFT,) if free else centers)
