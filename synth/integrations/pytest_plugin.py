"""``pytest --dp``: each mechanism is a test, which passes if a proof of what it claims is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

_MARK = "dp"
_STATED = pytest.StashKey[Mapping[Path, Iterable[str]]]()
"""The functions of files of which the project's specification states something."""


class NotProved(Exception):
    """A mechanism isn't proved to be as private as it claims; the text is what ``synth prove`` prints."""


class Mechanisms(pytest.File):
    """The mechanisms of a program file, which is neither imported nor run."""

    def collect(self) -> Iterator[pytest.Item]:
        """Collect a test for each mechanism, or one for a file that can't be read."""
        from synth.app.decorated import decorated, may_be_decorated, overlooked

        data = _content(self.path)
        names = None if data is None else decorated(data)
        if data is None or (names is None and may_be_decorated(data)):
            yield Private.from_parent(self, name="[file]", mechanism=None)
        others = () if data is None else (item.name for item in overlooked(data))
        for name in dict.fromkeys((*(names or ()), *others, *_stated(self.config, self.path))):
            yield Private.from_parent(self, name=name, mechanism=name)


class Private(pytest.Item):
    """A mechanism (None: all of the file) is as private as it claims."""

    def __init__(self, *, mechanism: str | None, **rest: Any) -> None:
        super().__init__(**rest)
        self.mechanism = mechanism
        self.add_marker(_MARK)

    def runtest(self) -> None:
        """Look for a proof.  Raises NotProved."""
        from synth.integrations.command import PROVED, proved

        target = str(self.path) if self.mechanism is None else f"{self.path}::{self.mechanism}"
        seconds = self.config.getoption("dp_timeout")
        said = proved(target, [f"--timeout={seconds}"] if seconds else [], self.config.rootpath)
        if said.status != PROVED:
            raise NotProved(said.text)
        self.add_report_section("call", "proof", said.text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what the command says, instead of a traceback."""
        if isinstance(excinfo.value, NotProved):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the file and the name."""
        return self.path, None, f"{_MARK}: {self.name}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("synth", "proofs of differential privacy")
    group.addoption("--dp", action="store_true", help="collect mechanisms, too: each passes if it is proved")
    group.addoption("--dp-timeout", type=float, metavar="S", help="seconds per mechanism")


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known; with ``--dp`` read what pyproject.toml says.  Raises UsageError."""
    config.addinivalue_line("markers", f"{_MARK}: a mechanism is as private as it claims (synth)")
    if config.getoption("dp"):
        config.stash[_STATED] = _specification(config.rootpath)


def _specification(folder: Path) -> Mapping[Path, Iterable[str]]:
    from synth.app.configuration import of_folder
    from synth.app.specifications import read_specifications
    from synth.trusted.errors import SynthError

    try:
        spec = of_folder(folder).get("spec")
        return {} if spec is None else read_specifications(folder / spec).of_files
    except SynthError as error:
        raise pytest.UsageError(str(error)) from None


def _stated(config: pytest.Config, path: Path) -> Iterable[str]:
    return config.stash[_STATED].get(path.resolve(), ())


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect program files, whatever their names, with ``--dp``."""
    if file_path.suffix != ".py" or not parent.config.getoption("dp"):
        return None
    if b"mechanism" not in (_content(file_path) or b"mechanism") and not _stated(parent.config, file_path):
        return None
    return Mechanisms.from_parent(parent, path=file_path)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
