"""What a hunt is, and how hunts take turns until their time is up."""

from __future__ import annotations

import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

LONGEST = 60.0
"""Seconds of processor time for one case, without what other processes do for it."""

AGAIN = 1.0
"""The alarm rings once more after so many seconds: where an object is cleaned up, it isn't heard."""


@dataclass(eq=False)
class Broken(Exception):
    """A guarantee does not hold; ``document`` is the program, certificate or witness that shows it."""

    message: str
    document: str = ""

    def __str__(self) -> str:
        return f"{self.message}\n{self.document}"


@contextmanager
def about(document: str) -> Iterator[None]:
    """An exception that nothing expects breaks a guarantee, and this document shows it."""
    try:
        yield
    except Broken:
        raise
    except Exception:
        raise Broken(f"internal error\n{traceback.format_exc()}", document) from None


class OutOfTime(BaseException):
    """The processor time is up.  Nothing takes it for an error of what is tried."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """No more than so much processor time, of this process.  Raises OutOfTime."""

    def ring(*_: object) -> None:
        raise OutOfTime

    handler = signal.signal(signal.SIGPROF, ring)
    timer = signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        signal.setitimer(signal.ITIMER_PROF, *timer)


@dataclass(frozen=True)
class Try:
    """One try: what became of it, and whether it came to where the guarantee was at stake."""

    kind: str
    reached: bool = True


@dataclass(frozen=True)
class Hunt:
    """``attempt`` is given the name of a case, which is its seed, and makes some tries.  Raises Broken."""

    name: str
    guarantee: str
    attempt: Callable[[str], Iterable[Try]]


@dataclass
class Count:
    """What one hunt has done."""

    seconds: float = 0.0
    cases: int = 0
    tried: int = 0
    reached: int = 0
    failures: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, found: Try) -> None:
        self.tried += 1
        self.reached += found.reached
        self.kinds[found.kind] += 1


def attempt(hunt: Hunt, case: str, count: Count, seconds: float = LONGEST) -> Broken | None:
    """Make the tries of one case, as many as there is time for; what was broken."""
    started = time.monotonic()
    try:
        with limited(seconds), about(""):
            for found in hunt.attempt(case):
                count.add(found)
    except OutOfTime:
        count.add(Try("out of time", reached=False))
    except Broken as error:
        count.failures.append(case)
        return error
    finally:
        count.cases += 1
        count.seconds += time.monotonic() - started
    return None


def run(
    hunts: Sequence[Hunt], seed: int, seconds: float, failed: Callable[[str, Broken], None]
) -> dict[str, Count]:
    """Hunt in turns, for that long or until Ctrl-C; whoever has had the least time is next."""
    counts = {hunt.name: Count() for hunt in hunts}
    end = time.monotonic() + seconds
    with suppress(KeyboardInterrupt):
        while time.monotonic() < end:
            hunt = min(hunts, key=lambda item: counts[item.name].seconds)
            count = counts[hunt.name]
            case = f"{seed}/{hunt.name}/{count.cases}"
            broken = attempt(hunt, case, count)
            if broken is not None:
                failed(case, broken)
    return counts


def written(case: str, broken: Broken, folder: Path) -> Path:
    """A file that tells how to see it again."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{case.replace('/', '-')}.txt"
    path.write_text(f"python -m tests.soundness --case {case}\n\n{broken}\n", encoding="utf-8")
    return path


def report(counts: dict[str, Count]) -> str:
    """The counts of each hunt, and below them what became of its tries."""
    lines = []
    for name, count in counts.items():
        lines.append(
            f"{name}: tried {count.tried}, reached {count.reached}, failures {len(count.failures)}"
            f" ({count.cases} cases, {count.seconds:.0f} s)"
        )
        lines += [f"  {number:7} {kind}" for kind, number in count.kinds.most_common()]
        lines += [f"  FAILED  --case {case}" for case in count.failures]
    return "\n".join(lines)
