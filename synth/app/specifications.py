"""What the command line states of functions beside their code: a TOML file, or options for one function."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.stated import NOTHING, Stated
from synth.app.targets import Target, parse_target
from synth.support.files import MAX_TEXT_BYTES, read_bounded
from synth.trusted.errors import ProgramError, Refusal, UsageError
from synth.trusted.program.beside import is_parameter

if TYPE_CHECKING:
    from synth.trusted.frontend.specification_file import Specifications

OPTIONS = "the command line"
"""Where options stand, for messages."""


@dataclass(frozen=True)
class Beside:
    """What the options say: a TOML file, or the parts of one specification."""

    file: Path | None = None
    types: tuple[str, ...] = ()
    adjacent: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    requires: str | None = None
    facts: tuple[str, ...] = ()

    @property
    def states(self) -> bool:
        """Whether a specification is in the options themselves."""
        return bool(self.types or self.adjacent or self.fixed or self.requires or self.facts)


def aim_at_all(
    targets: Sequence[str], beside: Beside, stated: Stated = NOTHING
) -> tuple[tuple[Target, ...], Stated]:
    """The targets, as :func:`aim` has each.  Raises as that does, and UsageError."""
    if len(targets) > 1 and beside.states:
        raise UsageError("--type, --adjacent, --requires and the like are about one function: FILE::NAME")
    aimed = [aim(item, beside, stated) for item in targets or (None,)]
    return tuple(target for target, _ in aimed), aimed[0][1]


def aim(target: str | None, beside: Beside, stated: Stated = NOTHING) -> tuple[Target, Stated]:
    """The target with what is stated beside it, and what is then still claimed instead of it.

    Raises UsageError, and ProgramError for a file that can't be read.
    """
    if beside.states:
        if beside.file is not None:
            raise UsageError(
                "--spec states it already: --type, --adjacent, --requires and the like don't go with it"
            )
        return _specified(target, beside, stated), NOTHING
    if beside.file is None:
        return parse_target(_needed(target)), stated
    found = read_specifications(beside.file)
    if target is None:
        return Target(beside.file, None, tuple(found.of_files), found), stated
    return replace(parse_target(target), beside=found), stated


def _needed(target: str | None) -> str:
    if target is None:
        raise UsageError("missing argument 'FILE|DIR[::NAME]'")
    return target


def _specified(target: str | None, beside: Beside, stated: Stated) -> Target:
    from synth.trusted.frontend.specification_file import Specifications
    from synth.trusted.program.beside import Specification

    found = parse_target(_needed(target))
    if found.name is None:
        raise UsageError("of which function is that stated? FILE::NAME is needed")
    specification = Specification(
        types=_pairs("--type", beside.types),
        adjacent=_pairs("--adjacent", beside.adjacent),
        fixed=_pairs("--fixed", beside.fixed),
        requires=beside.requires,
        epsilon=stated.epsilon,
        delta=stated.delta,
        gdp=stated.gdp,
        zcdp=stated.zcdp,
        facts=beside.facts,
        path=OPTIONS,
    )
    return replace(found, beside=Specifications({found.path.resolve(): {found.name: specification}}))


def _pairs(option: str, texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not is_parameter(name) or not value:
            raise UsageError(f"{option} '{text}': it must be NAME=…")
        if name in found:
            raise UsageError(f"{option} names '{name}' twice")
        found[name] = value
    return tuple(found.items())


def read_specifications(path: Path) -> Specifications:
    """What a TOML file states; modules are looked for beside it, and on Python's path.

    Raises ProgramError.
    """
    from synth.trusted.frontend.specification_file import parse_specifications

    try:
        text = read_bounded(path, MAX_TEXT_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"
        message = f"the file can't be read: {reason}"
        raise ProgramError(message, str(path), code=Refusal.FILE_UNREADABLE) from None
    folders = [path.parent, *(Path(item) for item in sys.path if item), Path.cwd()]
    return parse_specifications(text.replace("\r\n", "\n"), path, folders)
