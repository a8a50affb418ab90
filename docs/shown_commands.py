"""Runs the commands that pages show, and compares: ``python docs/shown_commands.py [--write] [PAGE]...``.

A page's blocks work in one folder, which begins as a copy of examples/. A block behind a line that ends in
`` `NAME`: `` is that file: one of examples/ has to be the same. Of a block ``console`` each line ``$ …`` is
run by bash, and what it prints is what must follow. Times don't count; ``…`` stands for what is left out in
a line, or for lines where it stands alone. With --write the pages get what is printed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = "…"
PROJECT = "/home/you/project"
"""What the folder is called in pages."""
_BLOCK = re.compile(r"(?:^[^\n]*`([\w./-]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.S | re.M)
_TIME = re.compile(r"\(\d+\.\d s\)|\d+\.\d+s")


@dataclass(frozen=True)
class Command:
    """A command of a page and what the page says that it prints."""

    line: str
    shown: tuple[str, ...]


def pages() -> list[Path]:
    """All pages that show commands with what they print."""
    return [
        page for page in sorted((ROOT / "docs").rglob("*.md")) if "```console\n" in page.read_text("utf-8")
    ]


def commands(block: str) -> Iterator[Command]:
    """The commands of a block."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        line, *shown = part.rstrip("\n").split("\n")
        yield Command(line, tuple(shown))


def run(page: Path) -> tuple[str, list[str]]:
    """The page with what its commands print now, and what is different."""
    text, problems = page.read_text("utf-8"), list[str]()
    with TemporaryDirectory() as name:
        folder = Path(name)
        copytree(ROOT / "examples", folder, dirs_exist_ok=True)

        def renewed(block: re.Match[str]) -> str:
            file, language, content = block.groups()
            if file is not None:
                problems.extend(_put(folder / file, content))
            if language != "console":
                return block[0]
            start = block.start(3) - block.start()
            return f"{block[0][:start]}{_renewed(content, folder, problems)}```"

        return _BLOCK.sub(renewed, text), problems


def _put(path: Path, content: str) -> Iterator[str]:
    if path.exists() and path.read_text("utf-8") != content:
        yield f"{path.name} differs from the file in examples/"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")


def _renewed(content: str, folder: Path, problems: list[str]) -> str:
    lines = list[str]()
    for command in commands(content):
        printed = _printed(command.line, folder)
        if not matches(command.shown, printed):
            problems.append("\n".join([f"$ {command.line}", *printed]))
        kept = matches(command.shown, printed)
        lines += [f"$ {command.line}", *(command.shown if kept else printed)]
    return "".join(f"{line}\n" for line in lines)


def _printed(line: str, folder: Path) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SYNTH_")}
    environment |= {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "PYTHONIOENCODING": "utf-8",
        "SYNTH_CACHE": "",
    }
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    printed = _folder_pattern(folder).sub(PROJECT, done.stdout).rstrip("\n")
    return printed.split("\n") if printed else []


def _folder_pattern(folder: Path) -> re.Pattern[str]:
    """The folder's path, also as Markdown escapes it: names of temporary folders may have an underscore."""
    return re.compile("".join(rf"\\?{re.escape(character)}" for character in str(folder)))


def matches(shown: tuple[str, ...], printed: list[str]) -> bool:
    """Whether a page shows what is printed, but for times and for what it leaves out."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == LEFT_OUT else _pattern(line) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{_TIME.sub('TIME', line)}\n" for line in printed)) is not None


def _pattern(line: str) -> str:
    return ".*".join(map(re.escape, _TIME.sub("TIME", line).split(LEFT_OUT)))


def main(arguments: list[str]) -> int:
    """Compare the pages, all if none is named, or write them; 1 if they differ."""
    write = "--write" in arguments
    named = [Path(item).resolve() for item in arguments if item != "--write"]
    found = 0
    for page in named or pages():
        text, problems = run(page)
        for problem in problems:
            print(f"{page.relative_to(ROOT)}: {problem}\n")
        if write and problems:
            page.write_text(text, "utf-8")
        found += len(problems)
    return 1 if found and not write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
