"""Proofs that begin while files are still read: each result as soon as it and those before are there."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth.app.jobs import Options
from synth.app.proving import MOST_WORKERS, Answer, Work, answer_of, answers, read_claimed
from synth.app.targets import Programs, Reading, Target, parse_target
from synth.app.workers import Job, Outcome, Pool
from synth.views.console.progress import Progress

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir


Found = Generator[tuple["ir.Mechanism", Answer]]
"""Mechanisms, each with what becomes of it, in the order of their files."""


@dataclass(frozen=True)
class Proofs:
    """The proofs of some ``FILE|DIR[::NAME]``.

    ``on_read`` is told what the files have once all are read, and whether proofs have begun by then: they
    do if there are more than four mechanisms.
    """

    targets: Sequence[str | Target]
    options: Options
    on_read: Callable[[Programs, bool], None]

    def found(self, *, whole: bool = False) -> Found:
        """What becomes of the mechanisms; nothing outlives the generator.

        With ``whole`` none is given before all files are read.  Raises TemplateError, which concerns all of
        them, and UsageError for a target or a cluster that can't be used.
        """
        if self.options.cluster is None:
            yield from _Stream(self, whole).found()
            return
        claimed = read_claimed(self.targets, self.options)
        self.on_read(claimed.programs, len(claimed.mechanisms) > MOST_WORKERS)
        with closing(answers(claimed, self.options)) as given:
            yield from zip(claimed.mechanisms, given, strict=True)


class _Stream:
    """Proofs on this machine: the first jobs read the files, and others follow as mechanisms are told."""

    def __init__(self, proofs: Proofs, whole: bool) -> None:
        options = proofs.options
        targets = [parse_target(item) for item in proofs.targets]
        self.proofs, self.whole, self.started = proofs, whole, time.monotonic()
        self.work = Work.of(options)
        self.reading = Reading.of(targets, options.timeout, options.stated)
        self.told: list[tuple[ir.Mechanism, float]] = []
        self.of_files: list[list[int]] = [[] for _ in self.reading.jobs]
        self.done: dict[int, Outcome[Any]] = {}
        self.file = self.given = 0
        names: list[str] = []
        self.names, self.progress = names, Progress.on_terminal(names)
        self.jobs: list[Job[Any]] = [*self.reading.jobs]
        self.before = len(self.jobs)
        self.pool: Pool[Any] = self.work.pool(self.jobs, self._at, self.progress.draw)
        self.pool.before, self.pool.on_part = self.before, self._take

    def found(self) -> Found:
        """Raises TemplateError, UsageError."""
        self._read_on()
        with closing(self.pool.ended()) as ended:
            try:
                for number, outcome in ended:
                    self._note(number, outcome)
                    while (place := self._next()) is not None:
                        mechanism, seconds = self.told[place]
                        self.progress.clear()
                        yield mechanism, answer_of(mechanism, self.done.pop(place), self.work, seconds)
            finally:
                self.progress.clear()
        self.work.end()

    def _at(self, number: int, stage: str) -> None:
        if number >= self.before:
            self.progress.stage(number - self.before, stage)

    def _take(self, number: int, mechanism: ir.Mechanism) -> None:
        """A mechanism of a file has been read."""
        if self.reading.tell(number, mechanism):
            self.of_files[number].append(len(self.told))
            self.told.append((mechanism, time.monotonic() - self.started))
            self.names.append(mechanism.name)
            self._begin()

    def _note(self, number: int, outcome: Outcome[Any]) -> None:
        """A job has ended.  Raises UsageError."""
        if number >= self.before:
            self.done[number - self.before] = outcome
            self.progress.done(number - self.before)
            return
        self.reading.ended[number] = outcome
        self._read_on()

    def _read_on(self) -> None:
        """Say what there is if all is read.  Raises UsageError."""
        if self._is_read:
            self.proofs.on_read(self.reading.programs(), len(self.jobs) > self.before)
        self._begin()

    @property
    def _is_read(self) -> bool:
        return len(self.reading.ended) == self.before

    def _begin(self) -> None:
        """Have what was told be proved; of few mechanisms, once all is read."""
        begun = len(self.jobs) - self.before
        if not begun and not self._is_read and len(self.told) <= MOST_WORKERS:
            return
        if not begun:
            self.work.prepare(self.pool, len(self.told))
        self.jobs += [self.work.job(mechanism) for mechanism, _ in self.told[begun:]]

    def _next(self) -> int | None:
        """The place of the next mechanism in order, if it is done."""
        while self.file < self.before and (self._is_read or not self.whole):
            places = self.of_files[self.file]
            if self.given < len(places):
                if places[self.given] not in self.done:
                    return None
                self.given += 1
                return places[self.given - 1]
            if self.file not in self.reading.ended:
                return None
            self.file, self.given = self.file + 1, 0
        return None
