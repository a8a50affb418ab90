"""Work in processes that can be killed: each job with a time limit, so many at a time.

The parent never waits for a solver: a job that takes too long is killed, and nothing survives
Ctrl-C, SIGTERM or the death of the parent.
"""

from __future__ import annotations

import ctypes
import gc
import math
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Any, Generic, TypeVar

from synth.app.defects import defect
from synth.trusted.errors import InternalError, SynthError, UnfinishedError

POLL_INTERVAL_S = 0.2
"""Seconds between two looks at the clock, for those who show progress."""

IMPROVEMENT_TIMEOUT_S = 2.0
"""Seconds that a job may spend on improving a result that it has given."""

MAX_MEMORY_BYTES = 2 << 30
"""Bytes for work that loads solvers or libraries of its own, beyond what a process has at its start."""

STARTING = "starting"
"""The stage of a job that has not said anything yet."""

_DEEPEST, _STACK = 20_000, 120 << 20
"""Calls within calls, and the bytes for them: Linux keeps 128 MB free for the stack of a process."""

_KEPT, _AHEAD = 1 << 30, 16 << 20
"""Bytes that are kept when they are freed, and that are asked for at a time."""

T = TypeVar("T")


@dataclass(frozen=True)
class Channel:
    """What a job tells its parent while it works."""

    connection: Connection

    def stage(self, name: str) -> None:
        """Say what is being done now, as it would follow ``while``."""
        self.connection.send(("stage", name))

    def preliminary(self, result: object, seconds: float = IMPROVEMENT_TIMEOUT_S) -> None:
        """Give a result that stands unless a better one follows within so many seconds."""
        self.connection.send(("preliminary", result, seconds))

    def part(self, item: object) -> None:
        """Give a part of what is found before all of it is."""
        self.connection.send(("part", item))


Job = Callable[[Channel], T]


@dataclass(frozen=True)
class Finished(Generic[T]):
    """The job's result."""

    value: T
    seconds: float


@dataclass(frozen=True)
class Failed:
    """The job ended with an error for the user."""

    error: SynthError
    seconds: float


class Cause(Enum):
    """Why a job gave no result; the values are stable codes (docs/codes.md)."""

    TIME = "timed-out"
    MEMORY = "out-of-memory"
    DEPTH = "nested-too-deeply"
    SIGNAL = "ended-by-system"
    CLUSTER = "lost-on-cluster"
    UNANSWERED = "no-answer-from-cluster"
    DEFECT = "prover-failed"


@dataclass(frozen=True)
class JobCrashed:
    """The job gave no result: it was too slow, or crashed; ``reason`` is a sentence.

    ``stated`` is the code that another machine gave.
    """

    reason: str
    seconds: float
    cause: Cause = Cause.SIGNAL
    traceback: str = ""
    stated: str | None = None

    @property
    def code(self) -> str:
        """The stable code."""
        return self.stated or self.cause.value

    def error(self) -> SynthError:
        """What went wrong, for who can't go on without a result."""
        if self.cause is Cause.DEFECT:
            return InternalError(self.reason, self.traceback)
        return UnfinishedError(self.reason)


Outcome = Finished[T] | Failed | JobCrashed


class RelayedError(Exception):
    """What a job raises to say that work of its own crashed."""

    def __init__(self, crash: JobCrashed) -> None:
        self.crash = crash


_FINAL = ("result", "error")
"""The answers of a job after which its process is as it was before."""


@dataclass(frozen=True)
class _Worker:
    """A process, how many more jobs it may do, and how many there were at its start: it knows no others."""

    process: BaseProcess
    connection: Connection
    jobs_left: int
    known: int

    def end(self, *, gently: bool = False) -> None:
        """Kill it; ``gently`` if it ends by itself, and is killed only if that takes long."""
        if not gently:
            self.process.kill()
        self.process.join(1)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.connection.close()


@dataclass
class _Running(Generic[T]):
    """A process at work, and what it has said so far."""

    number: int
    worker: _Worker
    started: float
    deadline: float
    latest: float
    stage: str = STARTING
    answer: tuple[Any, ...] | None = None
    improvement: float = math.inf
    closed: bool = False

    def improved_until(self, seconds: float) -> float:
        """When this ends, if an answer that it has given may be improved for so long."""
        if self.answer is None:
            return self.latest
        return min(self.latest, time.monotonic() + min(seconds, self.improvement))

    def seconds(self) -> float:
        return time.monotonic() - self.started

    def is_over(self) -> bool:
        """Whether there is nothing to wait for."""
        has_ended = self.answer is not None and self.answer[0] in _FINAL
        return self.closed or has_ended or time.monotonic() >= self.deadline

    def may_go_on(self) -> bool:
        """Whether the process can do another job."""
        is_sound = self.answer is not None and self.answer[0] in _FINAL and not self.closed
        return is_sound and self.worker.jobs_left > 0


@dataclass
class Pool(Generic[T]):
    """Runs jobs in processes, ``workers`` at a time, each for at most ``timeout`` seconds behind a part.

    Jobs that keep this limit themselves have ``ending`` seconds more.
    A process does up to ``jobs_each``, one after the other, but none after one that crashed or was ended,
    and none that was added after its start, but where jobs are ``portable``: where they can be pickled.
    ``on_stage`` is told a job's number and stage, ``on_part`` its number and a part of what it finds;
    ``on_tick`` is called several times a second.  While the pool works, jobs may be added to its list.
    The first ``before`` jobs find out what others there are: each has a process of its own, and waits for
    others to be done, but one of them is always at work, beside ``workers`` others.
    """

    jobs: Sequence[Job[T]]
    workers: int
    timeout: float
    on_stage: Callable[[int, str], None] = lambda number, stage: None
    on_tick: Callable[[], None] = lambda: None
    running: list[_Running[T]] = field(default_factory=list)
    ending: float = 0.0
    jobs_each: int = 1
    portable: bool = False
    idle: list[_Worker] = field(default_factory=list)
    on_part: Callable[[int, Any], object] = lambda number, part: None
    before: int = 0
    first_begun: int = 0
    others_begun: int = 0

    def outcomes(self) -> Generator[Outcome[T]]:
        """What became of the jobs, in their order, each as soon as it and those before are done."""
        done: dict[int, Outcome[T]] = {}
        with closing(self.ended()) as ended:
            for number in range(len(self.jobs)):
                while number not in done:
                    done.update([next(ended)])
                yield done.pop(number)

    def ended(self) -> Generator[tuple[int, Outcome[T]]]:
        """What became of the jobs, by number, each as soon as it is done."""
        with dying_cleanly():
            try:
                self._fill()
                while self.running:
                    yield from self._step().items()
                    self._fill()
            finally:
                self._kill_all()

    def hasten(self, number: int, seconds: float, improvement: float = math.inf) -> None:
        """Give a job that runs so many more seconds at the most, and so many to improve an answer."""
        for item in self.running:
            if item.number == number:
                item.latest = min(item.latest, time.monotonic() + seconds)
                item.improvement = improvement
                item.deadline = min(item.deadline, item.improved_until(improvement))

    def effort(self, number: int) -> float:
        """Seconds of processor time of a job that runs, else 0; by the clock where that isn't told."""
        for item in self.running:
            if item.number == number:
                used = _processor_time(item.worker.process.pid)
                return item.seconds() if used is None else used
        return 0.0

    def is_improving(self, number: int) -> bool:
        """Whether a job that runs has given an answer that it tries to improve."""
        return any(
            item.number == number and item.answer is not None and item.answer[0] == "preliminary"
            for item in self.running
        )

    def _next(self) -> int | None:
        """The number of a job that may be begun now."""
        first = sum(item.number < self.before for item in self.running)
        other = self.before + self.others_begun
        if len(self.running) - first < self.workers and other < len(self.jobs):
            self.others_begun += 1
            return other
        if self.first_begun < self.before and (not first or len(self.running) < self.workers):
            self.first_begun += 1
            return self.first_begun - 1
        return None

    def _fill(self) -> None:
        while (number := self._next()) is not None:
            with _signals_blocked():  # whoever is started is known before a signal can end this
                worker = self._again(number) or self._start(number)
                self.running.append(self._begun(number, worker))

    def _begun(self, number: int, worker: _Worker) -> _Running[T]:
        now = time.monotonic()
        self.on_stage(number, STARTING)
        deadline = now + self.timeout + self.ending
        return _Running(number, worker, now, deadline, deadline)

    def _start(self, number: int) -> _Worker:
        """A new process, at work on a job."""
        context = multiprocessing.get_context("fork")
        connection, other = context.Pipe()
        process = context.Process(target=_work, args=(self.jobs, number, other, os.getpid()), daemon=False)
        process.start()
        other.close()
        jobs_left = 0 if number < self.before else self.jobs_each - 1
        return _Worker(process, connection, jobs_left, len(self.jobs))

    def _again(self, number: int) -> _Worker | None:
        """A process that has done other jobs, at work on this one; None if there is none."""
        while self.idle and number >= self.before:
            worker = self.idle.pop()
            is_known = number < worker.known
            if not is_known and not self.portable:
                worker.end()
                continue
            try:
                worker.connection.send(number if is_known else self.jobs[number])
            except OSError:
                worker.end()
                continue
            return replace(worker, jobs_left=worker.jobs_left - 1)
        return None

    def _step(self) -> dict[int, Outcome[T]]:
        """Wait for news, and give the outcomes of the jobs that have ended."""
        nearest = min(item.deadline for item in self.running) - time.monotonic()
        open_ = [item.worker.connection for item in self.running if not item.closed]
        news = wait(open_, max(0.0, min(nearest, POLL_INTERVAL_S)))
        for item in self.running:
            if item.worker.connection in news:
                self._listen(item)
        self.on_tick()
        ended = [item for item in self.running if item.is_over()]
        outcomes = {item.number: self._outcome(item) for item in ended}
        self.running = [item for item in self.running if item not in ended]
        return outcomes

    def _listen(self, item: _Running[T]) -> None:
        parts: list[Any] = []
        try:
            while item.worker.connection.poll():
                kind, *content = item.worker.connection.recv()
                if kind == "stage":
                    item.stage = content[0]
                    self.on_stage(item.number, item.stage)
                elif kind == "part":
                    parts.append(content[0])
                    item.deadline = item.latest = time.monotonic() + self.timeout + self.ending
                elif kind != "crash" or item.answer is None:
                    item.answer = (kind, *content)
                if kind == "preliminary":
                    item.deadline = item.improved_until(content[1])
        except Exception:  # the pipe is closed, or broken off in the middle of a message
            item.closed = True
        for part in parts:
            self.on_part(item.number, part)

    def _outcome(self, item: _Running[T]) -> Outcome[T]:
        seconds = item.seconds()
        late = not item.closed
        if item.may_go_on():
            self.idle.append(item.worker)
        else:
            item.worker.end(gently=item.closed)
        match item.answer:
            case ("result", value) | ("preliminary", value, _):
                return Finished(value, seconds)
            case ("error", kind, fields):
                return Failed(kind(**fields), seconds)
            case ("relayed", JobCrashed() as crash):
                return replace(crash, seconds=seconds)
            case ("crash", reason, cause, *trace):
                return JobCrashed(f"{reason} while {item.stage}", seconds, cause, *trace)
        if late:
            return JobCrashed(f"timed out after {self.timeout:g} s while {item.stage}", seconds, Cause.TIME)
        code = item.worker.process.exitcode
        return JobCrashed(f"{_death(code)} while {item.stage}", seconds, _cause(code))

    def _kill_all(self) -> None:
        for worker in (*self.idle, *(item.worker for item in self.running)):
            worker.end()
        self.running.clear()
        self.idle.clear()


def default_workers(jobs: int) -> int:
    """As many as there are cores, but at most four, and no more than jobs."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, min(jobs, 4, cores))


def die_with_parent(parent: int) -> None:
    """Make the kernel kill this process when its parent dies, however that happens."""
    kill_on_parents_death = 1  # PR_SET_PDEATHSIG of Linux
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(kill_on_parents_death, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def restrict(seconds: float, memory: int) -> None:
    """End this process by the operating system past so much more processor time, and give it no more memory
    than so many bytes beyond what it has.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = math.ceil(used.ru_utime + used.ru_stime + seconds)
    _lower(resource.RLIMIT_CPU, until)
    _lower(resource.RLIMIT_AS, _address_space() + memory)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(limit: int, value: int) -> None:
    """A limit that is lower already stays."""
    _, hard = resource.getrlimit(limit)
    resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _address_space() -> int:
    """Bytes that this process has; 0 where the system doesn't tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _processor_time(process: int | None) -> float | None:
    """Seconds that a process has used; None where the system doesn't tell."""
    try:
        _, _, numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")
        user, system = numbers.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None


def _cause(code: int | None) -> Cause:
    if code == -signal.SIGXCPU:
        return Cause.TIME
    return Cause.SIGNAL if code is not None and code < 0 else Cause.DEFECT


def _death(code: int | None) -> str:
    if code == -signal.SIGXCPU:
        return "the processor time was used up"
    if code is not None and code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        hint = " (out of memory?)" if -code == signal.SIGKILL else ""
        return f"the prover was ended by signal {name}{hint}"
    return f"the prover ended with status {code}"


# --- in the child ---------------------------------------------------------------------------


def _work(jobs: Sequence[Job[T]], asked: int | Job[T], connection: Connection, parent: int) -> None:
    """Do a job, and then those that the parent asks for, until it ends this process."""
    for ending in _ENDING:
        if not _is_ignored(ending):
            signal.signal(ending, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    die_with_parent(parent)
    _silence()
    deepen()
    keep_freed_memory()
    gc.freeze()  # what the parent has loaded stays
    with suppress(EOFError):
        while True:
            answer = _answer(jobs[asked] if isinstance(asked, int) else asked, Channel(connection))
            connection.send(answer)
            if answer[0] not in _FINAL:
                break
            asked = connection.recv()
    os._exit(0)  # solvers may take long to clean up


def _answer(job: Job[T], channel: Channel) -> tuple[Any, ...]:
    """What a job ends with, as its process tells the parent."""
    try:
        return "result", job(channel)
    except SynthError as error:
        return "error", type(error), dict(vars(error))
    except RelayedError as relayed:
        return "relayed", relayed.crash
    except MemoryError:
        return "crash", "the prover ran out of memory", Cause.MEMORY
    except RecursionError:
        return "crash", "the program is nested too deeply for the prover", Cause.DEPTH
    except Exception as error:
        found = defect(error)
        return "crash", found.message, Cause.DEFECT, found.traceback


def deepen() -> None:
    """Let recursion go as deep as programs may be nested, or long: twenty times as deep as Python has it."""
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (_STACK if hard == -1 else min(_STACK, hard), hard))
    sys.setrecursionlimit(_DEEPEST)


def keep_freed_memory() -> None:
    """Have the C library keep what solvers free, instead of giving it back and asking for it again."""
    trim_threshold, top_pad, mmap_threshold = -1, -2, -3  # parameters of glibc's mallopt
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(trim_threshold, _KEPT)
        mallopt(mmap_threshold, _KEPT)
        mallopt(top_pad, _AHEAD)


def _silence() -> None:
    """What a solver prints must not get between the results."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


# --- the end --------------------------------------------------------------------------------

_ENDING = (signal.SIGINT, signal.SIGTERM)


def _is_ignored(number: signal.Signals) -> bool:
    """Whether who started this process wants it to go on, as ``nohup`` does."""
    return signal.getsignal(number) is signal.SIG_IGN


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Between fork and the child's handlers no signal may reach it, nor a parent that does not know it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def dying_cleanly() -> Iterator[None]:
    """SIGTERM ends this process as an exception does, so that it takes its workers along."""
    if _is_ignored(signal.SIGTERM):
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
