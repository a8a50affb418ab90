"""Theories that Rocq compiled in an earlier run, in the user's cache folder.

They are believed as far as the folder is: it is the user's, and nobody else may write to it or to what it
lies in.  What was compiled from other sources or by another compiler has another name.  Whatever is wrong
with it, it is as if it weren't there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from synth.app.cache import require_own, user_folder
from synth.support.files import read_regular

_LIST = "sha256.json"
_MAX_BYTES = 64_000_000
_MAX_KEPT = 4
"""Folders of compiled theories, at the most."""


@dataclass(frozen=True)
class CompiledTheories:
    """Where the theories of just these sources, compiled by just this compiler, are kept."""

    folder: Path

    @staticmethod
    def of_user(compiler: str, sources: Mapping[str, str]) -> CompiledTheories | None:
        """Of what the compiler says of itself, and of the sources; None if there can't be a cache."""
        try:
            base = user_folder()
        except RuntimeError:  # no home
            return None
        key = _digest(json.dumps([compiler, dict(sources)]).encode())
        return None if base is None else CompiledTheories(base / "rocq" / key)

    def copy_to(self, target: Path) -> bool:
        """Whether all of them were there as they were kept, and are in the target folder now."""
        try:
            for folder in (self.folder.parents[1], self.folder.parent, self.folder):
                require_own(folder)
            listed = json.loads(read_regular(self.folder / _LIST, _MAX_BYTES, follow=False))
            found = {
                str(name): read_regular(self.folder / str(name), _MAX_BYTES, follow=False) for name in listed
            }
            if not found or any(_digest(data) != listed[name] or "/" in name for name, data in found.items()):
                return False
            target.mkdir()
            for name, data in found.items():
                (target / name).write_bytes(data)
        except (OSError, ValueError, TypeError):
            shutil.rmtree(target, ignore_errors=True)
            return False
        return True

    def keep(self, source: Path) -> None:
        """Keep what was compiled in a folder; nothing happens if the user's can't be used."""
        with suppress(OSError):
            above = self.folder.parent
            above.mkdir(mode=0o700, parents=True, exist_ok=True)
            require_own(above.parent)
            require_own(above)
            made = Path(mkdtemp(dir=above))
            compiled = {path.name: path.read_bytes() for path in sorted(source.glob("*.vo"))}
            for name, data in compiled.items():
                (made / name).write_bytes(data)
            listed = {name: _digest(data) for name, data in compiled.items()}
            (made / _LIST).write_text(json.dumps(listed), encoding="utf-8")
            shutil.rmtree(self.folder, ignore_errors=True)
            os.rename(made, self.folder)
            self._trim()

    def _trim(self) -> None:
        """Remove what was kept longest ago."""
        kept = sorted(self.folder.parent.iterdir(), key=lambda item: item.lstat().st_mtime_ns)
        for old in kept[:-_MAX_KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
