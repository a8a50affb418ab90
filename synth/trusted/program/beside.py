"""What is stated of a function beside its text: the specification that makes it a mechanism.

All values are texts in Python's syntax, which the reader of programs parses.  Documents hold them as they
are, so that a check reads the function with the same specification.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_MAPPINGS = ("types", "adjacent", "fixed")
TEXTS = ("requires", "epsilon", "delta", "gdp", "zcdp")
KEYS = (*_MAPPINGS, *TEXTS, "facts")
"""What may be stated."""

_IN_DOCUMENTS = (*KEYS, "files", "module")

STUB = "stub "
"""How the names of the user's stubs begin, among the texts of other files."""

INIT = "init"
"""What a parameter of ``__init__`` is of, where the method has one of the same name."""


@dataclass(frozen=True)
class Specification:
    """Types of parameters, what is private, what is assumed and claimed, and values of other parameters.

    ``places`` has the line and the column of each part in the file at ``path``, for messages: a key alone, or
    a key and the name of a parameter.  ``files`` are the texts of the user's other files; ``module`` is the
    name by which the program is imported, if it is read as a module of a package.
    """

    types: tuple[tuple[str, str], ...] = ()
    adjacent: tuple[tuple[str, str], ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    requires: str | None = None
    epsilon: str | None = None
    delta: str | None = None
    gdp: str | None = None
    zcdp: str | None = None
    facts: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    module: str = ""
    path: str = field(default="specification", compare=False)
    places: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict, compare=False, hash=False)

    def place(self, key: str, name: str = "") -> tuple[int, int]:
        """The line and the column of a part; of all of it where that isn't known."""
        return self.places.get((key, name)) or self.places.get((key, "")) or self.places.get(("", ""), (1, 1))

    @property
    def states(self) -> bool:
        """Whether something is stated of the function itself."""
        return any(getattr(self, name) for name in KEYS)

    def texts(self) -> Iterator[str]:
        """All texts, in which names of the program may occur."""
        for pairs in (self.types, self.adjacent, self.fixed):
            yield from (text for _, text in pairs)
        yield from (text for name in TEXTS if (text := getattr(self, name)) is not None)
        yield from self.facts

    def json(self) -> dict[str, object]:
        """The specification as a document holds it, without what isn't stated."""
        found: dict[str, object] = {name: dict(getattr(self, name)) for name in _MAPPINGS}
        found |= {name: getattr(self, name) for name in TEXTS} | {"facts": list(self.facts)}
        found |= {"files": dict(self.files), "module": self.module}
        return {name: value for name, value in found.items() if value}


def is_parameter(name: str) -> bool:
    """Return whether a parameter may have the name."""
    return name.removeprefix(f"{INIT}.").isidentifier()


def specification_of(data: object) -> Specification:
    """The specification in a document.  Raises ValueError for what is none."""
    if not isinstance(data, Mapping) or not data.keys() <= set(_IN_DOCUMENTS):
        raise ValueError(f"a specification has the keys {', '.join(KEYS)} only")
    types, adjacent, fixed = (_pairs(name, data.get(name, {})) for name in _MAPPINGS)
    requires, epsilon, delta, gdp, zcdp = (_text(name, data.get(name)) for name in TEXTS)
    facts = data.get("facts", [])
    if not isinstance(facts, list) or not all(isinstance(item, str) for item in facts):
        raise ValueError("'facts' is no list of strings")
    files, module = _pairs("files", data.get("files", {})), data.get("module", "")
    if not isinstance(module, str) or not all(part.isidentifier() for part in module.split(".") if module):
        raise ValueError("'module' is no name of a module")
    return Specification(
        types, adjacent, fixed, requires, epsilon, delta, gdp, zcdp, tuple(facts), files, module
    )


def _pairs(name: str, data: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(data, Mapping) or not all(
        isinstance(item, str) for pair in data.items() for item in pair
    ):
        raise ValueError(f"'{name}' doesn't map names of parameters to strings")
    return tuple(data.items())


def _text(name: str, data: object) -> str | None:
    if data is not None and not isinstance(data, str):
        raise ValueError(f"'{name}' is no string")
    return data
