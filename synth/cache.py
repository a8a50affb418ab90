"""Verdicts of earlier runs, in the user's cache folder; none is believed before it is checked again.

An entry is one file: a line with the SHA-256 of the rest, and the rest as JSON.  It is named after all
that its verdict depends on (:meth:`Cache.key`).  Whatever is wrong with an entry, it is as if it weren't
there.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.files import write_atomically
from synth.report.blank import blank
from synth.results import PROVED, REFUTED, Invariant, Result, Site, SiteCase

if TYPE_CHECKING:
    from synth.kernel.certificate import Certificate
    from synth.language.syntax import Mechanism

FOLDER_VARIABLE = "SYNTH_CACHE"
"""The environment variable that names another folder, or none (empty) for no cache."""

LARGEST = 200_000_000
"""Bytes of all entries together, at the most."""

_FORMAT = 1
_LARGEST_ENTRY = 32_000_000
_SECONDS_FOR_WITNESS = 10.0
_TOOLS = ("synth", "z3-solver", "cvc5", "pysmt", "python-flint")
_NAME = re.compile(r"\.?[0-9a-f]{64}\.json(\.\d+\.tmp)?")
_KEPT = (
    "verdict",
    "epsilon",
    "delta",
    "sites",
    "loops",
    "notes",
    "spare",
    "assumptions",
    "reason",
    "reason_line",
    "proof",
)
"""The fields of a result that an entry has; the others come from the mechanism, or from the check."""


@dataclass(frozen=True)
class Cache:
    """A folder of entries; ``surroundings`` stands for all that isn't the mechanism's."""

    folder: Path
    surroundings: str

    @staticmethod
    def of_user(templates: Sequence[Path] = ()) -> Cache | None:
        """The user's cache, for proofs with these template files; None if there can't be one."""
        try:
            folder = _folder()
            return None if folder is None else Cache(folder / "verdicts", _surroundings(templates))
        except (OSError, RuntimeError, PackageNotFoundError):  # no home, a template that can't be read
            return None

    def key(self, mechanism: Mechanism) -> str:
        """The hash of all that a verdict depends on: the file's text, the name, the claim, the tools."""
        claim = blank(mechanism).claim
        parts = [self.surroundings, mechanism.source, mechanism.name, claim.epsilon, claim.delta]
        return _digest(json.dumps(parts).encode())

    def stored(self, mechanism: Mechanism) -> Result | None:
        """What is kept about a mechanism, not to be believed yet; None if nothing is, or it is damaged."""
        key = self.key(mechanism)
        try:
            with self._path(key).open("rb") as file:
                digest, _, body = file.read(_LARGEST_ENTRY).partition(b"\n")
            if digest.decode() != _digest(body):
                return None
            content = json.loads(body)
            return _result(mechanism, content["result"]) if content["key"] == key else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def keep(self, mechanism: Mechanism, result: Result) -> None:
        """Keep a result that can be checked again; nothing happens if the folder can't be written."""
        if not _can_be_checked(result):
            return
        key, fields = self.key(mechanism), asdict(result)
        body = json.dumps({"key": key, "result": {name: fields[name] for name in _KEPT}})
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(self._path(key), f"{_digest(body.encode())}\n{body}")

    def used(self, mechanism: Mechanism) -> None:
        """Note that an entry was of use just now, so that others are removed first."""
        with suppress(OSError):
            os.utime(self._path(self.key(mechanism)))

    def trim(self, limit: int = LARGEST) -> None:
        """Remove the entries that were used longest ago, until the others fit."""
        with suppress(OSError), os.scandir(self.folder) as found:
            entries = [(item.stat(), item.path) for item in found if _NAME.fullmatch(item.name)]
            total = sum(stat.st_size for stat, _ in entries)
            for stat, path in sorted(entries, key=lambda entry: entry[0].st_mtime_ns):
                if total <= limit:
                    return
                Path(path).unlink(missing_ok=True)
                total -= stat.st_size

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


# --- what a verdict depends on --------------------------------------------------------------


def _folder() -> Path | None:
    """Where the user wants it.  Raises RuntimeError if the user has no home."""
    given = os.environ.get(FOLDER_VARIABLE)
    if given is not None:
        return Path(given).absolute() if given else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "synth"


def _surroundings(templates: Sequence[Path]) -> str:
    """The hash of versions, synth's own files, and the user's templates.  Raises OSError."""
    parts = [
        str(_FORMAT),
        sys.version,
        *(f"{name} {number}" for name, number in versions().items()),
        sources(),
        *(_digest(path.read_bytes()) for path in templates),
    ]
    return _digest("\n".join(parts).encode())


def versions() -> dict[str, str]:
    """Of synth and of the tools that a verdict depends on.  Raises PackageNotFoundError."""
    return {name: version(name) for name in _TOOLS}


def sources() -> str:
    """The hash of synth's own sources and templates.  Raises OSError."""
    files = (f"{path.name} {_digest(path.read_bytes())}" for path in _own_files())
    return _digest("\n".join(files).encode())


def _own_files() -> Iterator[Path]:
    """synth's sources and templates; those lie beside the package in a checkout."""
    package = Path(__file__).parent
    yield from sorted(package.rglob("*.py"))
    folders = (package / "templates", package.parent / "templates")
    yield from sorted(next(filter(Path.is_dir, folders), package).glob("*.toml"))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# --- entries --------------------------------------------------------------------------------


def _can_be_checked(result: Result) -> bool:
    """Whether the result's document shows all that it states: no witness shows a bound."""
    if result.proof is None:
        return False
    return result.verdict == PROVED or (result.verdict == REFUTED and result.epsilon is None)


def _result(mechanism: Mechanism, fields: Mapping[str, Any]) -> Result:
    """A result from its fields.  Raises KeyError, TypeError for fields that are missing or wrong."""
    kept = {name: fields[name] for name in _KEPT}
    kept["sites"] = tuple(map(_site, kept["sites"]))
    kept["loops"] = tuple(map(_invariant, kept["loops"]))
    kept["notes"] = tuple(kept["notes"])
    return replace(blank(mechanism), **kept, cached=True)


def _site(fields: Mapping[str, Any]) -> Site:
    cases = tuple(SiteCase(**case) for case in fields["cases"])
    return Site(fields["line"], fields["distribution"], fields["draw"], cases)


def _invariant(fields: Mapping[str, Any]) -> Invariant:
    return Invariant(fields["line"], fields["about"], tuple(fields["conjuncts"]))


# --- checking again -------------------------------------------------------------------------


def checked_again(mechanism: Mechanism, stored: Result) -> Result | None:
    """The stored result if its document, checked anew, shows it for this mechanism and claim.

    This imports a solver, and takes as long as the check takes.
    """
    try:
        checked = {PROVED: _proved_again, REFUTED: _refuted_again}.get(stored.verdict)
        return checked and checked(mechanism, stored)
    except Exception:  # whatever a damaged entry leads to, it is no verdict
        return None


def _proved_again(mechanism: Mechanism, stored: Result) -> Result | None:
    """With the kernel."""
    from synth.kernel.check import VALID, check

    started = time.monotonic()
    verdict = check(stored.proof or "")
    seconds = round(time.monotonic() - started, 3)
    found = verdict.certificate
    if verdict.verdict != VALID or found is None or not _is_about(found, mechanism, stored):
        return None
    return replace(stored, seconds_checking=seconds) if _is_bound(stored, found, mechanism) else None


def _is_about(found: Certificate, mechanism: Mechanism, stored: Result) -> bool:
    about = found.text, found.mechanism, found.claim_epsilon, found.claim_delta
    return about == (mechanism.source, mechanism.name, stored.claim.epsilon, stored.claim.delta)


def _is_bound(stored: Result, found: Certificate, mechanism: Mechanism) -> bool:
    """Whether the ε and δ that will be shown are those that the certificate proves.

    One with a logarithm, say, has no normal form: then the kernel shows that it is no lower.
    """
    from synth.kernel.check import side_conditions
    from synth.kernel.solvers import holds, script
    from synth.language.analysis import Analysis
    from synth.report.bounds import bound_text
    from synth.report.names import Names

    budgets = Names(Analysis(mechanism)).budgets()
    shown = stored.epsilon, stored.delta
    proved = [bound_text(term, budgets) for term in (found.epsilon, found.delta)]
    differing = [text for text, other in zip(proved, shown, strict=True) if text != other]
    if None in shown or any("|" not in text for text in differing):
        return False
    claimed = replace(found, claim_epsilon=stored.epsilon, claim_delta=stored.delta)
    public = [item for item in side_conditions(claimed) if item.known is None] if differing else []
    return all(holds(script(item), "cvc5") for item in public)


def _refuted_again(mechanism: Mechanism, stored: Result) -> Result | None:
    """With the second way to compute probabilities."""
    from synth.refute.check.witness import VALID, check_witness

    document = json.loads(stored.proof or "")
    about = [document[name] for name in ("kind", "program", "mechanism", "epsilon", "delta")]
    claim = stored.claim
    if about != ["witness", mechanism.source, mechanism.name, claim.epsilon, claim.delta]:
        return None
    if check_witness(document, seconds=_SECONDS_FOR_WITNESS).verdict != VALID:
        return None
    return replace(stored, epsilon=None, delta=None, witness=document["witness"])
