"""Files that are whole or not there, and reading that ends."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO

from synth.trusted.errors import OutputError

MAX_TEXT_BYTES = 1_000_000
"""Bytes of a file that a person wrote beside programs, as templates."""

_MAX_NAME_LETTERS = 200
_FREE = re.compile(r"[^\w-]")


def write_atomically(path: Path, content: str) -> None:
    """The content in the file, or the file as it was, whoever else writes it.  Raises OSError.

    Only the file of that name is touched: a link to a file is refused, and so is one that is read-only.
    Permissions are kept.  What is no file, as ``/dev/null`` or a pipe, is written to and not replaced.
    """
    with suppress(FileNotFoundError):
        if _is_open_ended(path.stat().st_mode):
            _write_into(path, content)
            return
    mode = _mode(path)
    prefix = f".{_cut(path.name, _MAX_NAME_LETTERS)}."
    descriptor, temporary = mkstemp(prefix=prefix, suffix=".tmp", dir=path.parent)
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
            os.fchmod(descriptor, mode)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def write_output(path: Path, content: str) -> None:
    """Write a file that was asked for, whole or not at all.  Raises OutputError."""
    try:
        write_atomically(path, content)
    except OSError as error:
        raise unwritten(path, error) from None


def unwritten(path: Path, error: OSError) -> OutputError:
    """Why a file or folder can't be written."""
    folder = path.parent
    missing = isinstance(error, FileNotFoundError) and not os.path.isdir(folder)
    reason = f"there is no folder {folder}" if missing else error.strerror or error
    return OutputError(f"{path}: can't be written: {reason}")


def _is_open_ended(mode: int) -> bool:
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _write_into(path: Path, content: str) -> None:
    """Raises OSError, also if there is a file by now."""
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    with open(descriptor, "w", encoding="utf-8") as stream:
        if not _is_open_ended(os.fstat(descriptor).st_mode):
            raise OSError(errno.EEXIST, "it has become another file meanwhile")
        stream.write(content)


def _mode(path: Path) -> int:
    """The permissions that a file has, or that a new one gets.  Raises OSError if it may not be replaced."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return 0o666 & ~_umask()
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, "it is a link; name the file itself")
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no file")
    if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only")
    return stat.S_IMODE(status.st_mode) & 0o777


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def file_name(text: str) -> str:
    """A name from a text that somebody else wrote: letters, digits, ``_`` and ``-``, and not too many."""
    return _cut(_FREE.sub("_", text), _MAX_NAME_LETTERS) or "_"


def _cut(text: str, size: int) -> str:
    """The text as far as that many bytes go."""
    return text.encode(errors="replace")[:size].decode(errors="ignore")


# --- reading --------------------------------------------------------------------------------


class TooLarge(OSError):
    """A file that has more bytes than anybody needs."""


def read_bounded(path: Path, limit: int) -> bytes:
    """All bytes.  Raises OSError, TooLarge if there are more than ``limit``."""
    with open(path, "rb") as file:
        return _bounded(file.read(limit + 1), limit)


def read_regular(path: Path, limit: int, follow: bool = True) -> bytes:
    """All bytes of a regular file.  Raises OSError as :func:`open_regular`, TooLarge."""
    with open_regular(path, follow) as file:
        return _bounded(file.read(limit + 1), limit)


def open_regular(path: Path, follow: bool = True) -> BinaryIO:
    """A regular file, to be read; a pipe or a device is not waited for.

    Without ``follow`` a link is none.  Raises OSError.
    """
    if not stat.S_ISREG(os.stat(path, follow_symlinks=follow).st_mode):
        raise OSError(errno.EINVAL, "it is no file")
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | (0 if follow else os.O_NOFOLLOW))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it has become another file meanwhile")
    return open(descriptor, "rb")


def _bounded(data: bytes, limit: int) -> bytes:
    if len(data) > limit:
        size = f"{limit // 1_000_000} MB" if limit >= 1_000_000 else f"{limit} bytes"
        raise TooLarge(errno.EFBIG, f"larger than {size}")
    return data
