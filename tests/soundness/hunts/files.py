"""Programs of several files against what is read of them: which definition each name stands for.

The same few names are defined in all files, and imported under each other, and one file may change what
others define; nothing is drawn.
"""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from synth.trusted.frontend.reader import read_program
from tests.support.real_runs import RAISED, UNDEFINED, Outcomes, canonical, differ, law_of

from .hunting import Broken, Try
from .validated import hold_against_text

BATCH = 8
"""Programs of a case."""

INPUTS = (-2, 0, 3)

_CHANGED = 0.3
"""How often a file changes what others define."""

_ORDER = ("low", "pkg.s", "pkg.t", "pkg", "high", "main")
"""Modules, each of which imports from those before it."""

_FUNCTIONS, _CONSTANTS, _CLASSES = ("g", "h", "abs", "s"), ("J", "K"), ("A", "B")


@dataclass
class _File:
    """A file while it is written, with the names that it has by now."""

    module: str
    rng: random.Random
    lines: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    modules: dict[str, _File] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return "pkg/__init__.py" if self.module == "pkg" else f"{self.module.replace('.', '/')}.py"

    def is_new(self, name: str) -> bool:
        return name not in (*self.functions, *self.constants, *self.classes, *self.modules)

    def known_constants(self) -> list[str]:
        return [*self.constants, *(f"{n}.{c}" for n, other in self.modules.items() for c in other.constants)]

    def known_classes(self) -> list[str]:
        return [*self.classes, *(f"{n}.{c}" for n, other in self.modules.items() for c in other.classes)]

    def number(self, known: tuple[str, ...] = (), depth: int = 2) -> str:
        one = [str(self.rng.randint(-3, 5)), *known, *known, *self.known_constants()]
        if depth == 0:
            return self.rng.choice(one)
        a, b = self.number(known, depth - 1), self.number(known, depth - 1)
        called = [*self.functions, *(f"{n}.{f}" for n, o in self.modules.items() for f in o.functions)]
        for kind in self.known_classes():
            one += [f"{kind}({a}).{self.rng.choice(['m()', 'p', 'v', 'LIMIT'])}", f"{kind}.LIMIT"]
            other = self.rng.choice(self.known_classes())
            one.append(f"({b} if isinstance({kind}({a}), {other}) else {self.rng.randint(-9, 9)})")
        one += [f"{name}({a})" for name in called] + [f"abs({a})", f"({a} + {b})", f"({a} - {b}) * 2"]
        return self.rng.choice(one)


def _write(file: _File, others: list[_File]) -> None:
    for _ in range(file.rng.randint(0, 4)):
        if others:
            _import(file, file.rng.choice(others))
    for _ in range(file.rng.randint(1, 4)):
        file.rng.choice([_constant, _function, _class])(file)


def _import(file: _File, other: _File) -> None:
    package, _, last = other.module.rpartition(".")
    inside = bool(package) and file.module.startswith("pkg")
    groups = [
        (file.functions, other.functions, _FUNCTIONS),
        (file.constants, other.constants, _CONSTANTS),
        (file.classes, other.classes, _CLASSES),
    ]
    own, theirs, names = file.rng.choice(groups)
    name = file.rng.choice([last, "q", "s", "t", "g", "A"])
    if file.rng.random() < 0.5 and file.is_new(name):
        called = "" if name == last else f" as {name}"
        forms = [f"import {other.module}{called or (f' as {name}' if package else '')}"]
        forms += [f"from {'.' if inside else package} import {last}{called}"] if package else []
        file.lines.append(file.rng.choice(forms))
        file.modules[name] = other
    elif theirs:
        found, name = file.rng.choice(theirs), file.rng.choice(names)
        if file.is_new(name):
            file.lines.append(f"from {f'.{last}' if inside else other.module} import {found} as {name}")
            own.append(name)


def _aside(rng: random.Random, files: list[_File]) -> _File:
    """A file that only changes what others define, as it is or within a statement."""
    file = _File("aside", rng)
    while not file.modules:
        _import(file, rng.choice(files))
    owners = [(name, other.constants + other.functions) for name, other in file.modules.items()]
    owners += [(kind, ["LIMIT", "m", "p"]) for kind in file.known_classes()]
    for owner, names in owners:
        if names:
            changed = f"{owner}.{rng.choice(names)}"
            value = rng.choice(["7", "lambda *given: 7"])
            form = rng.choice(["{} = {}", "if True:\n    {} = {}", "def change():\n    {} = {}\nchange()"])
            file.lines.append(form.format(changed, value))
    return file


def _constant(file: _File) -> None:
    name = file.rng.choice(_CONSTANTS)
    if file.is_new(name):
        file.lines.append(f"{name} = {file.number(depth=0)} + {file.rng.randint(0, 3)}")
        file.constants.append(name)


def _function(file: _File) -> None:
    name = file.rng.choice(_FUNCTIONS)
    if file.is_new(name):
        default, value = file.number(depth=0), file.number(("x", "y"), 1)
        file.lines.append(f"def {name}(x, y={default}):\n    return x + y * {value}")
        file.functions.append(name)


def _class(file: _File) -> None:
    name, base = file.rng.choice(_CLASSES), file.rng.choice([*file.known_classes(), ""])
    if file.is_new(name):
        parts = [
            f"    LIMIT = {file.rng.randint(1, 9)}",
            f"    def __init__(self, v, w={file.number(depth=0)}):\n        self.v = v + w",
            f"    def m(self):\n        return self.v + {file.number(('self.v', 'self.LIMIT'), 1)}",
            f"    @property\n    def p(self):\n        return {file.number(('self.v',), 1)}",
        ]
        kept = file.rng.sample(parts, file.rng.randint(1, 3)) if base else parts
        file.lines.append("\n".join([f"class {name}({base}):" if base else f"class {name}:", *kept]))
        file.classes.append(name)


def program(rng: random.Random) -> dict[str, str]:
    """The texts of the files of a program, by their paths; ``f`` of ``main.py`` is its mechanism."""
    files: list[_File] = []
    for module in _ORDER:
        file = _File(module, rng)
        above = [other for other in files if not (module.startswith("pkg.") and other.module == "pkg")]
        _write(file, above)
        files.append(file)
    values = ", ".join(file.number(("x",)) for _ in range(5))
    if rng.random() < _CHANGED:
        files.append(_aside(rng, files[:-1]))
        form = rng.choice(["{}", "try:\n    {}\nfinally:\n    pass", "def load():\n    {}\nload()"])
        file.lines.insert(rng.randint(0, len(file.lines)), form.format("import aside"))
    file.lines.insert(0, "from synth.lang import *")
    file.lines.append(f"@mechanism()\ndef f(x: int):\n    return {values}")
    return {file.path: "\n".join([*file.lines, ""]) for file in files}


def attempt(case: str) -> Iterator[Try]:
    """Some programs, each on some inputs."""
    rng = random.Random(case)
    for _ in range(BATCH):
        yield compared(program(rng))


def compared(texts: dict[str, str]) -> Try:
    """One program.  Raises Broken."""
    with TemporaryDirectory() as folder:
        for name, text in texts.items():
            (Path(folder) / name).parent.mkdir(exist_ok=True)
            (Path(folder) / name).write_text(text)
        found = read_program(Path(folder) / "main.py").mechanism("f")
        runs = _runs(folder)
    if found is None or runs is None:
        return Try("refused" if runs is not None else "not imported", reached=False)
    document = "\n".join(f"# {name}\n{text}" for name, text in texts.items())
    for x, run in zip(INPUTS, runs, strict=True):
        read = law_of(found, {"x": x})
        if UNDEFINED not in read and differ(read, run):
            raise Broken(f"on {x}: {run} under Python, {read} as it is read", document)
    hold_against_text(found, document)
    return Try("same")


def _runs(folder: str) -> list[Outcomes] | None:
    """What the program gives under Python on each input; None if it can't be imported."""
    names = {module.partition(".")[0] for module in (*_ORDER, "aside")}
    with patch.object(sys, "path", [folder, *sys.path]), patch.dict(sys.modules):
        for loaded in [item for item in sys.modules if item.partition(".")[0] in names]:
            del sys.modules[loaded]
        importlib.invalidate_caches()
        try:
            function = importlib.import_module("main").f
        except Exception:
            return None
        return [{_output(function, x): 1.0} for x in INPUTS]


def _output(function: object, x: int) -> object:
    try:
        return canonical(function(x))  # type: ignore[operator]
    except Exception:
        return RAISED
