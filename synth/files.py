"""Files that are whole or not there."""

from __future__ import annotations

from pathlib import Path


def write_atomically(path: Path, content: str) -> None:
    """The content in the file, or the file as it was.  Raises OSError."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(content, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
