"""Mechanisms proved on the machines of a Dask cluster, one task for each.

On a Dask worker the task starts a Python process, and there the proof runs as on this machine: in a
process that is killed when its time is up.  So no solver can block or crash a Dask worker.  The
scheduler runs a task again if its worker is lost.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NoReturn, cast
from uuid import uuid4

from synth.cache import sources, versions
from synth.errors import TemplateError, UsageError
from synth.results import Result
from synth.workers import (
    TICK,
    Failed,
    Finished,
    Lost,
    Outcome,
    Pool,
    die_with_parent,
    dying_cleanly,
)

if TYPE_CHECKING:
    from synth.commands.prove import Options

CONNECTING = 10.0
"""Seconds in which a scheduler must answer."""

PATIENCE = 60.0
"""Seconds to wait for a cluster that has no worker, or doesn't answer."""

ASKING = 2.0
"""Seconds between two questions for the number of workers."""

_GATHERING = 10.0
"""Seconds to wait for a result that is there; it is computed again if its worker is lost."""

_RETRIES = 2
"""How often a task is run again that couldn't start its process."""

WAITING = "waiting for a worker"


@dataclass(frozen=True)
class SentFile:
    """A template file by its content; it is read like the :class:`~pathlib.Path` that it was."""

    path: str
    content: bytes

    @staticmethod
    def of(path: Path) -> SentFile:
        """Raises TemplateError for a file that can't be read, as the proof would."""
        try:
            return SentFile(str(path), path.read_bytes())
        except OSError as error:
            raise TemplateError(f"{path}: can't be read: {error.strerror or error}") from None

    def __str__(self) -> str:
        return self.path

    @property
    def name(self) -> str:
        """The last part of the path."""
        return Path(self.path).name

    def read_text(self, encoding: str) -> str:
        """The content.  Raises UnicodeDecodeError."""
        return self.content.decode(encoding).replace("\r\n", "\n")


@dataclass(frozen=True)
class Order:
    """What is to be proved: a mechanism by the text of its file and its name.

    ``path`` is for messages only; ``options`` name no file of the client's but for ``templates``.
    """

    text: str
    path: str
    name: str
    options: Options
    templates: tuple[SentFile, ...] = ()


# --- on the client --------------------------------------------------------------------------


@dataclass
class Cluster:
    """Runs orders on a Dask cluster; tells what :class:`~synth.workers.Pool` tells.

    A task is suspected if too many workers were lost that had it.  Suspects are run again when all
    others are done, one at a time, so that none pays for another one's crash.
    """

    address: str
    orders: Sequence[Order]
    on_stage: Callable[[int, str], None] = lambda number, stage: None
    on_tick: Callable[[], None] = lambda: None
    _run: str = field(default_factory=lambda: f"synth-{uuid4().hex}")
    _needed: dict[str, str] = field(default_factory=lambda: identity())
    _futures: dict[int, Any] = field(default_factory=dict)
    _done: dict[int, Outcome[Result]] = field(default_factory=dict)
    _suspects: list[int] = field(default_factory=list)
    _alone: int | None = None
    _news: SimpleQueue[tuple[int, str]] = field(default_factory=SimpleQueue)
    _started: float = field(default_factory=time.monotonic)
    _asked: float = 0.0
    _workers_seen: float | None = None

    def outcomes(self) -> Generator[Outcome[Result]]:
        """What became of the orders, in their order, each as soon as it and those before are done.

        Raises UsageError if there is no cluster, or one with another synth.
        """
        with dying_cleanly(), _connected(self.address) as client:
            client.subscribe_topic(self._run, lambda event: self._news.put(tuple(event[1])))
            self._started = time.monotonic()
            for number in range(len(self.orders)):
                self._submit(client, number)
            self.on_stage(0, WAITING)
            for number in range(len(self.orders)):
                while number not in self._done:
                    self._step(client)
                yield self._done.pop(number)

    def _submit(self, client: Any, number: int) -> None:
        order = self.orders[number]
        self._futures[number] = client.submit(
            _task,
            number,
            self._run,
            self._needed,
            pickle.dumps(order),
            key=f"{self._run}-{number}-{order.path}::{order.name}" + "-alone" * (self._alone == number),
            pure=False,
            retries=_RETRIES,
        )

    def _step(self, client: Any) -> None:
        """Wait for news, and take the outcomes of the tasks that have ended."""
        self._listen()
        self.on_tick()
        for number, future in list(self._futures.items()):
            if future.status in ("finished", "error", "cancelled"):
                self._collect(number, future)
        if not self._futures and self._suspects:
            self._alone = self._suspects.pop(0)
            self._submit(client, self._alone)
        self._require_workers(client)

    def _listen(self) -> None:
        with suppress(Empty):
            number, stage = self._news.get(timeout=TICK)
            while True:
                if number in self._futures:
                    self.on_stage(number, stage)
                number, stage = self._news.get_nowait()

    def _collect(self, number: int, future: Any) -> None:
        from distributed import CancelledError

        try:
            outcome = self._outcome(number, future)
        except UsageError:
            raise
        except TimeoutError:
            return
        except CancelledError:
            outcome = self._lost("the cluster dropped the task, or its scheduler was lost")
        except Exception as error:
            outcome = self._lost(f"the result didn't come from the worker ({_line(error)})")
        del self._futures[number]
        if outcome is not None:
            self._done[number] = outcome

    def _outcome(self, number: int, future: Any) -> Outcome[Result] | None:
        """None for a suspect.  Raises TimeoutError, CancelledError, UsageError."""
        if future.status == "error":
            return self._failure(number, future.exception(timeout=_GATHERING))
        match pickle.loads(future.result(timeout=_GATHERING)):
            case ("refused", text):
                raise UsageError(str(text))
            case ("failed", kind, fields, seconds):
                return Failed(kind(**fields), seconds)
            case outcome:
                return cast("Outcome[Result]", outcome)

    def _failure(self, number: int, error: BaseException) -> Outcome[Result] | None:
        """Of the task itself: its process would have told what is wrong with the proof."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            if self._alone != number:
                self._suspects.append(number)
                return None
            times = error.allowed_failures + 1
            return self._lost(
                f"the worker was lost {times} time{'s' * (times > 1)} while working on it alone"
            )
        if isinstance(error, (ImportError, AttributeError)):
            raise UsageError(f"a worker of the cluster has no such synth as this machine: {_line(error)}")
        return self._lost(f"the worker failed ({_line(error)})")

    def _require_workers(self, client: Any) -> None:
        """Give up if there has been no worker for long.  Raises UsageError if there never was one."""
        now = time.monotonic()
        if not self._futures or now - self._asked < ASKING:
            return
        self._asked = now
        with suppress(Exception):  # no answer is as good as no worker
            if client.nthreads(callback_timeout=_GATHERING):
                self._workers_seen = now
        since = self._started if self._workers_seen is None else self._workers_seen
        if now - since < PATIENCE:
            return
        if self._workers_seen is None:
            raise UsageError(f"the cluster at {self.address} has no worker")
        gone = self._lost(f"the cluster had no worker for {PATIENCE:g} s")
        self._done |= dict.fromkeys([*self._futures, *self._suspects], gone)
        self._futures.clear()
        self._suspects.clear()

    def _lost(self, reason: str) -> Lost:
        return Lost(reason, time.monotonic() - self._started)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """A client, which drops its tasks at the end.  Raises UsageError."""
    try:
        import distributed
    except ImportError:
        raise UsageError("--cluster needs Dask: pip install synth[cluster]") from None
    logging.disable(logging.CRITICAL)  # Dask logs to standard error what is a row or a message here
    try:
        asyncio.run(_require_scheduler(address))
        client = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
    except Exception as error:  # also of another Dask, or without the keys of TLS
        raise UsageError(f"--cluster {address}: no Dask scheduler answers there ({_line(error)})") from None
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=TICK * 10)


async def _require_scheduler(address: str) -> None:
    """Connect once, for a client that can't connect takes long to end.  Raises Dask's errors."""
    from distributed.comm import connect
    from distributed.security import Security

    comm = await connect(address, CONNECTING, **Security().get_connection_args("client"))
    await comm.close()


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


# --- the same synth on both sides ------------------------------------------------------------


def identity() -> dict[str, str]:
    """What must be the same on all machines: of Python, synth and the solvers."""
    python = ".".join(map(str, sys.version_info[:2]))
    try:
        tools = versions()
    except PackageNotFoundError as error:
        tools = {str(error.name): "not installed"}
    return {"Python": python, **tools, "source": sources()[:12]}


def difference(here: Mapping[str, str], needed: Mapping[str, str]) -> str | None:
    """What differs between two machines, in words; None if nothing does."""
    for name in (*needed, *here):
        if here.get(name) != needed.get(name):
            return f"{name} {here.get(name, 'none')}, not {needed.get(name, 'none')}"
    return None


# --- on a Dask worker -------------------------------------------------------------------------

_SERVE = "from sys import argv; from synth.cluster import serve; serve(int(argv[1]), int(argv[2]))"


def _task(number: int, topic: str, needed: dict[str, str], order: bytes) -> bytes:
    """The pickled answer of a process that works on the order; that ends if the task is dropped."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()
    connection, process = _process()
    with connection:
        try:
            connection.send((needed, order, worker.address))
            while True:
                if connection.poll(TICK):
                    kind, content = connection.recv()
                    if kind == "answer":
                        return bytes(content)
                    worker.log_event(topic, (number, content))
                elif _is_dropped(worker, key):
                    raise RuntimeError("the task was dropped")
        except (EOFError, ConnectionError):
            return pickle.dumps(Lost(f"the prover ended with status {process.wait()}", 0.0))
        finally:
            process.kill()
            process.wait()


def _is_dropped(worker: Any, key: str) -> bool:
    """Whether nobody waits for the task any more: the client has gone."""
    task = worker.state.tasks.get(key)
    return task is None or task.state == "cancelled"


def _process() -> tuple[Connection, subprocess.Popen[bytes]]:
    """Not by ``multiprocessing``: a Dask worker may have no such children, and has many threads."""
    ours, theirs = Pipe()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _SERVE, str(theirs.fileno()), str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            pass_fds=[theirs.fileno()],
        )
    return ours, process


def serve(descriptor: int, parent: int) -> NoReturn:
    """Work on the order that comes by a connection, in the process that :func:`_task` starts."""
    die_with_parent(parent)
    connection = Connection(descriptor)
    needed, order, address = connection.recv()
    differing = difference(identity(), needed)
    if differing:
        text = f"the worker at {address} has {differing}: install the same there as here"
        answer: object = ("refused", text)
    else:
        answer = _answer(pickle.loads(order), lambda stage: connection.send(("stage", stage)))
    connection.send(("answer", pickle.dumps(answer)))
    sys.exit(0)


def _answer(order: Order, on_stage: Callable[[str], None]) -> object:
    from synth.commands.prove import job_of

    pool = Pool([job_of(order)], 1, order.options.timeout, lambda number, stage: on_stage(stage))
    with closing(pool.outcomes()) as outcomes:
        match next(outcomes):
            case Failed(error, seconds):  # exceptions with fields can't be pickled
                return "failed", type(error), dict(vars(error)), seconds
            case Finished() | Lost() as outcome:
                return outcome
