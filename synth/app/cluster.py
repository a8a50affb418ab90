"""Mechanisms proved on the machines of a Dask cluster, one task for each, or more if there are few.

On a Dask worker the task starts a Python process, and there the proof runs as on this machine: in a
process that is killed when its time is up.  So no solver can block or crash a Dask worker.  The
scheduler runs a task again if its worker is lost.

No worker is believed.  It answers with JSON: a document (a certificate or a witness), or a sentence why
there is none.  The document is checked on this machine, and what is shown is what it was accepted for.
"""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import re
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any, NoReturn
from uuid import uuid4

from synth.app.cache import sources, versions
from synth.app.jobs import Order, OrderedJob, judgment_of, least_of
from synth.app.loading import load_models, load_proof
from synth.app.servants import Servant, serve
from synth.app.shards import Rivals, settled, shards_for
from synth.app.unpickling import Guard, only_data
from synth.app.workers import (
    POLL_INTERVAL_S,
    STARTING,
    Cause,
    Failed,
    Finished,
    Job,
    JobCrashed,
    Outcome,
    Pool,
    dying_cleanly,
)
from synth.trusted.errors import ProgramError, Refusal, SynthError, TemplateError, UsageError
from synth.views.results import PROVED, REFUTED, Result

CONNECT_TIMEOUT_S = 10.0
"""Seconds in which a scheduler must answer."""

NO_WORKER_TIMEOUT_S = 60.0
"""Seconds to wait for a cluster that has no worker, or doesn't answer."""

RESTART_TIMEOUT_S = 60.0
"""Seconds in which a scheduler that was lost must be back."""

WORKER_POLL_INTERVAL_S = 2.0
"""Seconds between two questions for the number of workers."""

ANSWER_TIMEOUT_S = 60.0
"""Seconds past the time limit of a proof in which the worker that has begun must answer."""

IDLE_TIMEOUT_S = 600.0
"""Seconds past that limit in which some worker must begin or answer, for a cluster that others use, too."""

_MAX_BEGINS = 8
"""How often a task may begin on another worker, with all its time."""

_MAX_SUBMITS = 4
"""How often a task is submitted, where a scheduler is restarted."""

_MAX_NEWS = 1000
"""Messages that are read before anything else is done."""

_MANY_TASKS = 1000
"""Tasks that a cluster has are enough: more are looked through at each step, and help nobody."""

_RESULT_TIMEOUT_S = 10.0
"""Seconds to wait for a result that is there; it is computed again if its worker is lost."""

_MAX_ANSWER_BYTES = 64_000_000
"""Bytes of what a worker sends."""

_MAX_LINE_LETTERS = 500
_CODE = re.compile("[a-z0-9]+(-[a-z0-9]+){0,9}")
"""Letters of what a worker says."""

WAITING, CHECKING = "waiting for a worker", "checking here what the worker sent"


# --- on the client --------------------------------------------------------------------------


@dataclass
class Cluster:
    """Runs orders on a Dask cluster; tells what :class:`~synth.app.workers.Pool` tells.

    A task is suspected if too many workers were lost that had it.  Suspects are run again when all
    others are done, one at a time, so that none pays for another one's crash.

    Tasks are numbered; each order has as many as there are shards of its search, one after the other.
    """

    address: str
    orders: Sequence[Order]
    workers: int
    on_stage: Callable[[int, str], None] = lambda number, stage: None
    on_tick: Callable[[], None] = lambda: None
    _run: str = field(default_factory=lambda: f"synth-{uuid4().hex}")
    _needed: dict[str, str] = field(default_factory=lambda: identity())
    _shards: int = 1
    _given: int = 0
    _futures: dict[int, Any] = field(default_factory=dict)
    _documents: dict[int, str] = field(default_factory=dict)
    _partial: set[int] = field(default_factory=set)
    _checks: dict[int, Servant] = field(default_factory=dict)
    _comparisons: dict[int, tuple[Rivals, Servant]] = field(default_factory=dict)
    _judges: list[Servant] = field(default_factory=list)
    _begun: dict[int, list[float]] = field(default_factory=dict)
    _submits: Counter[int] = field(default_factory=Counter)
    _ended: dict[int, dict[int, Outcome[Result]]] = field(default_factory=dict)
    _done: dict[int, Outcome[Result]] = field(default_factory=dict)
    _suspects: list[int] = field(default_factory=list)
    _alone: int | None = None
    _news: SimpleQueue[object] = field(default_factory=SimpleQueue)
    _started: float = field(default_factory=time.monotonic)
    _progress: float = field(default_factory=time.monotonic)
    _asked: float = 0.0
    _workers_seen: float | None = None

    def outcomes(self) -> Generator[Outcome[Result]]:
        """What became of the orders, in their order, each as soon as it and those before are done.

        Raises UsageError if there is no cluster, or one with another synth.
        """
        with dying_cleanly(), only_data() as guard, _connected(self.address) as client:
            client.subscribe_topic(self._run, lambda event: self._news.put(event[1]))
            self._started = self._progress = time.monotonic()
            with suppress(Exception):  # no answer is as good as no worker
                threads = client.nthreads(callback_timeout=_RESULT_TIMEOUT_S)
                self._shards = shards_for(len(self.orders), int(sum(threads.values())))
            self.on_stage(0, WAITING)
            try:
                for place in range(len(self.orders)):
                    while place not in self._done:
                        self._step(client, guard)
                    yield self._done.pop(place)
            finally:
                comparing = [judge for _, judge in self._comparisons.values()]
                for judge in (*self._checks.values(), *comparing, *self._judges):
                    judge.kill()

    def _give(self, client: Any) -> None:
        """Submit the tasks of the next orders, if there are not many already."""
        while self._given < len(self.orders) and len(self._futures) < _MANY_TASKS:
            for shard in range(self._shards):
                self._submit(client, self._given * self._shards + shard)
            self._given += 1

    def _submit(self, client: Any, number: int) -> None:
        place, shard = divmod(number, self._shards)
        order = replace(self.orders[place], shard=shard, shards=self._shards)
        self._submits[number] += 1
        self._futures[number] = client.submit(
            _task,
            number,
            self._run,
            self._needed,
            pickle.dumps(order),
            key=f"{self._run}-{number}-{self._submits[number]}-{order.path}::{order.name}",
            pure=False,
        )

    def _step(self, client: Any, guard: Guard) -> None:
        """Wait for news, and take the outcomes of the tasks that have ended."""
        self._give(client)
        self._listen()
        self.on_tick()
        if guard.refused is not None:
            what = f"a pickled {guard.refused}, which is not loaded"
            raise UsageError(f"the cluster at {self.address} sent {what}: is the same synth on all workers?")
        for number, future in list(self._futures.items()):
            if number not in self._futures:  # dropped meanwhile
                continue
            if future.status in ("finished", "error"):
                self._collect(number, future)
            elif future.status == "cancelled":
                self._submit_again(client, number)
        self._give_up()
        self._check()
        if not self._futures and self._suspects and self._given == len(self.orders):
            self._alone = self._suspects.pop(0)
            self._begun.pop(self._alone, None)
            self._progress = time.monotonic()
            self._submit(client, self._alone)
        self._require_workers(client)

    def _listen(self) -> None:
        with suppress(Empty):
            news = self._news.get(timeout=POLL_INTERVAL_S)
            for _ in range(_MAX_NEWS):
                match news:
                    case (int(number), str(stage)) if number in self._futures:
                        self._begin(number, stage)
                        self.on_stage(number // self._shards, _line(stage))
                news = self._news.get_nowait()

    def _begin(self, number: int, stage: str) -> None:
        """Note when workers begin with a task: with the first message, and where it starts again."""
        begun = self._begun.setdefault(number, [])
        if not begun or (stage == STARTING and len(begun) < _MAX_BEGINS):
            self._progress = time.monotonic()
            begun.append(self._progress)

    def _give_up(self) -> None:
        """Wait no longer for what should have been answered by now; dropping it ends it on its worker."""
        now = time.monotonic()
        for number in list(self._futures):
            limit = self._order(number).options.timeout
            begun = self._begun.get(number)
            if begun and now - begun[-1] > limit + ANSWER_TIMEOUT_S:
                reason = f"its worker gave no answer within {limit + ANSWER_TIMEOUT_S:g} s"
            elif not begun and now - self._progress > limit + IDLE_TIMEOUT_S:
                reason = f"no worker began with it or answered anything within {limit + IDLE_TIMEOUT_S:g} s"
            else:
                continue
            self._end(number, JobCrashed(reason, self._seconds(number), Cause.UNANSWERED))

    def _submit_again(self, client: Any, number: int) -> None:
        """Give to a scheduler again what it dropped, or the one before it did, which has been restarted."""
        if client.status == "connecting":
            return
        if client.status == "running" and self._submits[number] < _MAX_SUBMITS:
            self._begun.pop(number, None)
            self._progress = time.monotonic()
            self._submit(client, number)
        else:
            self._end(number, self._lost("the cluster dropped the task, or its scheduler was lost"))

    def _collect(self, number: int, future: Any) -> None:
        from distributed import CancelledError

        try:
            outcome = self._outcome(number, future)
        except UsageError:
            raise
        except TimeoutError:
            self._begin(number, "")  # from now on at the latest
            return
        except CancelledError:  # its status says so
            return
        except Exception as error:
            outcome = self._lost(f"the result didn't come from the worker ({_reason(error)})")
        del self._futures[number]
        self._progress = time.monotonic()
        if outcome is not None:
            self._end(number, outcome)

    def _order(self, number: int) -> Order:
        """What a task is about."""
        return self.orders[number // self._shards]

    def _end(self, number: int, outcome: Outcome[Result]) -> None:
        """Take what has become of a task, and drop others if that settles what they are about."""
        place, shard = divmod(number, self._shards)
        self._drop(number)
        self._ended.setdefault(place, {})[shard] = outcome
        match settled(self._ended[place], self._shards):
            case None:
                return
            case Rivals() as rivals:
                self._comparisons[place] = rivals, self._judge((self.orders[place], rivals.bounds))
            case found:
                self._done[place] = found
        del self._ended[place]
        for other in range(place * self._shards, (place + 1) * self._shards):
            self._drop(other)

    def _drop(self, number: int) -> None:
        """Have a task done no more; Dask ends it."""
        self._futures.pop(number, None)
        self._documents.pop(number, None)
        if number in self._checks:
            self._checks.pop(number).kill()
        if number in self._suspects:
            self._suspects.remove(number)

    def _outcome(self, number: int, future: Any) -> Outcome[Result] | None:
        """None for a suspect, and for a document that is to be checked.

        Raises TimeoutError, CancelledError, UsageError, ValueError.
        """
        if future.status == "error":
            return self._failure(number, future.exception(timeout=_RESULT_TIMEOUT_S))
        answer = future.result(timeout=_RESULT_TIMEOUT_S)
        if not isinstance(answer, bytes) or len(answer) > _MAX_ANSWER_BYTES:
            raise ValueError("not what a worker of synth answers")
        match json.loads(answer):
            case {"refused": str(text)}:
                raise UsageError(_line(text))
            case {"document": str(document), **rest}:
                self._documents[number] = document
                if rest.get("of_shard") is True:
                    self._partial.add(number)
                return None
            case {"lost": str(reason), "line": int() | None as line, **rest}:
                place = "" if line is None else f"line {line}: "
                said, code = f"the worker says: {place}{_line(reason)}", rest.get("code")
                stated = code if isinstance(code, str) and _CODE.fullmatch(code) else None
                return JobCrashed(said, self._seconds(number), Cause.CLUSTER, stated=stated)
            case {"error": str(kind), "message": str(text), "code": code, "line": line, "column": column}:
                error = _error(kind, text, code, self._order(number).path, line, column)
                return Failed(error, self._seconds(number))
        raise ValueError("not what a worker of synth answers")

    def _check(self) -> None:
        """Have documents checked, some at a time, in processes that can be killed."""
        for number, judge in list(self._checks.items()):
            outcome = judge.news() if number in self._checks else None  # else it was dropped meanwhile
            if outcome is not None:
                del self._checks[number]
                self._release(judge)
                self._end(number, self._checked(number, outcome))
        while self._documents and len(self._checks) < self.workers:
            number, document = self._documents.popitem()
            self.on_stage(number // self._shards, CHECKING)
            self._checks[number] = self._judge((self._order(number), document))
        for place, (rivals, judge) in list(self._comparisons.items()):
            outcome = judge.news()
            if outcome is not None:
                del self._comparisons[place]
                self._release(judge)
                self._done[place] = rivals.least(outcome.value if isinstance(outcome, Finished) else None)

    def _release(self, judge: Servant) -> None:
        """Keep a process for more work, if it can do some."""
        if judge.has_ended():
            judge.kill()
        else:
            self._judges.append(judge)

    def _judge(self, work: tuple[Order, str | tuple[str, ...]]) -> Servant:
        """A process that checks a document, or compares bounds."""
        while self._judges:
            judge = self._judges.pop()
            if judge.takes(work):
                return judge
            judge.kill()
        judge = Servant.start(_JUDGE)
        judge.connection.send(work)
        return judge

    def _checked(self, number: int, outcome: Outcome[Result | None]) -> Outcome[Result]:
        seconds = self._seconds(number)
        match outcome:
            case Finished(Result() as found):
                return Finished(replace(found, of_shard=number in self._partial), seconds)
            case JobCrashed():
                return replace(outcome, seconds=seconds)
        said = "what the worker sent is no proof of this mechanism, and no witness"
        return JobCrashed(said, seconds, Cause.CLUSTER)

    def _seconds(self, number: int) -> float:
        """Since a worker began, by the clock of this machine."""
        return time.monotonic() - self._begun.get(number, [self._started])[0]

    def _failure(self, number: int, error: BaseException) -> Outcome[Result] | None:
        """Of the task itself: its process would have told what is wrong with the proof."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            if self._alone != number:
                self._suspects.append(number)
                return None
            return self._lost("the worker was lost, too, that worked on it alone")
        return self._lost(f"the worker failed ({_reason(error)})")

    def _require_workers(self, client: Any) -> None:
        """Give up if there has been no worker for long.  Raises UsageError if there never was one."""
        now = time.monotonic()
        if not self._futures or now - self._asked < WORKER_POLL_INTERVAL_S:
            return
        self._asked = now
        with suppress(Exception):  # no answer is as good as no worker
            if client.nthreads(callback_timeout=_RESULT_TIMEOUT_S):
                self._workers_seen = now
        since = self._started if self._workers_seen is None else self._workers_seen
        if now - since < NO_WORKER_TIMEOUT_S:
            return
        if self._workers_seen is None:
            raise UsageError(f"the cluster at {self.address} has no worker")
        gone = self._lost(f"the cluster had no worker for {NO_WORKER_TIMEOUT_S:g} s")
        while left := [*self._futures, *self._suspects]:
            self._end(left[0], gone)
        self._done.update((place, gone) for place in range(self._given, len(self.orders)))
        self._given = len(self.orders)

    def _lost(self, reason: str) -> JobCrashed:
        return JobCrashed(reason, time.monotonic() - self._started, Cause.CLUSTER)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """A client, which drops its tasks at the end.  Raises UsageError."""
    try:
        import distributed
    except ImportError:
        raise UsageError("--cluster needs Dask: pip install distributed") from None
    logging.disable(logging.CRITICAL)  # Dask writes to standard error what is a row or a message here
    warnings.simplefilter("ignore")
    try:
        with ThreadPoolExecutor(1) as thread:  # not in this one, which may unpickle
            thread.submit(asyncio.run, _require_scheduler(address)).result()
        client = distributed.Client(address, timeout=RESTART_TIMEOUT_S, set_as_default=False)
    except Exception as error:  # also of another Dask, or without the keys of TLS
        raise UsageError(f"--cluster {address}: no Dask scheduler answers there ({_reason(error)})") from None
    try:
        yield client
    finally:
        with suppress(Exception):
            client.close(timeout=POLL_INTERVAL_S * 10)


async def _require_scheduler(address: str) -> None:
    """Connect once, for a client that can't connect takes long to end.  Raises Dask's errors."""
    from distributed.comm import connect
    from distributed.security import Security

    arguments = Security().get_connection_args("client")
    # Dask's own limit ends before the other side has introduced itself.
    comm = await asyncio.wait_for(connect(address, CONNECT_TIMEOUT_S, **arguments), CONNECT_TIMEOUT_S)
    await comm.close()


def _reason(error: BaseException) -> str:
    return _line(str(error)) or type(error).__name__


def _line(text: str) -> str:
    """What somebody else says, in one line that isn't too long."""
    return " ".join(text[: 2 * _MAX_LINE_LETTERS].split())[:_MAX_LINE_LETTERS]


def _error(kind: str, text: str, code: object, path: str, line: object, column: object) -> SynthError:
    """What a worker says is wrong with a program or a template."""
    message = f"the worker says: {_line(text)}"
    if kind == TemplateError.__name__:
        return TemplateError(message)
    places = [item if isinstance(item, int) else None for item in (line, column)]
    known = next((item for item in Refusal if item.id == code), Refusal.FILE_UNREADABLE)
    return ProgramError(message, path, *places, code=known)


# --- the same synth on both sides ------------------------------------------------------------


def identity() -> dict[str, str]:
    """What must be the same on all machines: of Python, synth and the solvers."""
    python = ".".join(map(str, sys.version_info[:2]))
    try:
        tools = versions()
    except ModuleNotFoundError as error:
        tools = {str(error.name): "not installed"}
    return {"Python": python, **tools, "source": sources()[:12]}


def difference(here: Mapping[str, str], needed: Mapping[str, str]) -> str | None:
    """What differs between two machines, in words; None if nothing does."""
    for name in (*needed, *here):
        if here.get(name) != needed.get(name):
            return f"{name} {here.get(name, 'none')}, not {needed.get(name, 'none')}"
    return None


# --- on a Dask worker -------------------------------------------------------------------------

_SERVE, _JUDGE = "synth.app.cluster.serve_orders", "synth.app.cluster.serve_judgments"


class _Kept(threading.local):
    """The servant of a thread of a Dask worker, and which synth it was started for."""

    servant: Servant | None = None
    needed: Mapping[str, str] | None = None

    def begun(self, needed: Mapping[str, str], order: bytes, address: str) -> Servant:
        """A servant that works on an order.  Raises OSError."""
        work, servant = (needed, order, address), self.servant
        self.servant = None
        if servant is not None:
            if self.needed == needed and servant.takes(work):
                return servant
            servant.kill()
        servant = Servant.start(_SERVE)
        servant.connection.send(work)
        return servant

    def keep(self, needed: Mapping[str, str], servant: Servant) -> None:
        """What has answered may work on the next order."""
        self.servant, self.needed = servant, needed


_kept = _Kept()


def _task(number: int, topic: str, needed: dict[str, str], order: bytes) -> bytes:
    """The answer, as JSON, of a process that works on the order; that ends if the task is dropped."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()
    try:
        servant = _kept.begun(needed, order, worker.address)
    except OSError as error:
        return _lost_answer(f"it can't start a process: {error.strerror}", Cause.CLUSTER.value)
    answered = False
    try:
        while True:
            if servant.connection.poll(POLL_INTERVAL_S):
                match servant.news():
                    case ("stage", stage):
                        worker.log_event(topic, (number, stage))
                    case bytes(answer):
                        answered = True
                        return answer
                    case JobCrashed() as lost:
                        return _lost_answer(lost.reason, lost.code)
            elif _is_dropped(worker, key):
                raise RuntimeError("the task was dropped")
    finally:
        if answered:
            _kept.keep(needed, servant)
        else:
            servant.kill()


def _is_dropped(worker: Any, key: str) -> bool:
    """Whether nobody waits for the task any more: the client has gone."""
    task = worker.state.tasks.get(key)
    return task is None or task.state == "cancelled"


_ORDERS_EACH = 50
"""Orders that one process works on, if it answers them all."""


class _Prover:
    """Works on orders one after the other, in a process that is killed when the time of one is up."""

    def __init__(self) -> None:
        self._jobs: list[OrderedJob] = []
        self._pool = Pool(self._jobs, 1, 0.0, jobs_each=_ORDERS_EACH, portable=True)
        self._ended = self._pool.ended()

    def outcome(self, order: Order, on_stage: Callable[[str], None]) -> Outcome[Result]:
        """What becomes of an order."""
        self._pool.timeout = order.options.timeout
        self._pool.on_stage = lambda number, stage: on_stage(stage)
        self._jobs.append(OrderedJob(order))
        _, outcome = next(self._ended)
        return outcome


def serve_orders(descriptor: int, parent: int) -> NoReturn:
    """Work on the orders that come by a connection, in the process that :func:`_task` starts."""
    load_proof()
    serve(descriptor, parent, partial(_answered, _Prover()))


def _answered(prover: _Prover, work: tuple[dict[str, str], bytes, str], connection: Connection) -> bytes:
    needed, order, address = work
    sources.cache_clear()  # a checkout may have changed since the last order
    differing = difference(identity(), needed)
    if differing:
        text = f"the worker at {address} has {differing}: install the same there as here"
        return json.dumps({"refused": text}).encode()
    return _answer(prover.outcome(pickle.loads(order), lambda stage: connection.send(("stage", stage))))


def _answer(outcome: Outcome[Result]) -> bytes:
    match outcome:
        case Failed(error):
            where = {name: getattr(error, name, None) for name in ("line", "column")}
            code = error.code.id if isinstance(error, ProgramError) else None
            content = {"error": type(error).__name__, "message": error.message, "code": code, **where}
            return json.dumps(content).encode()
        case Finished(found) if found.verdict in (PROVED, REFUTED) and found.proof is not None:
            return json.dumps({"document": found.proof, "of_shard": found.of_shard}).encode()
        case Finished(found):
            return _lost_answer(found.reason or "no reason is known", found.code, found.reason_line)
        case JobCrashed() as lost:
            return _lost_answer(lost.reason, lost.code)
    raise AssertionError


def _lost_answer(reason: str, code: str | None, line: int | None = None) -> bytes:
    return json.dumps({"lost": reason, "code": code, "line": line}).encode()


# --- beside the client ------------------------------------------------------------------------


def serve_judgments(descriptor: int, parent: int) -> NoReturn:
    """Check documents and compare bounds that come by a connection, in a process of the client's.

    Each has a process of its own: anybody may have made it.
    """
    load_proof()
    load_models()
    serve(descriptor, parent, _judged)


def _judged(work: tuple[Order, str | tuple[str, ...]], connection: Connection) -> Outcome[Any]:
    order, sent = work
    job: Job[Any] = judgment_of(order, sent) if isinstance(sent, str) else least_of(order, sent)
    with closing(Pool([job], 1, order.options.timeout).outcomes()) as outcomes:
        outcome = next(outcomes)
    if isinstance(outcome, Failed):  # its exception can't be pickled
        return JobCrashed(str(outcome.error), outcome.seconds)
    return outcome
