"""When the cases of a draw apply, merged where they are coupled alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from synth.trusted.logic.terms import Term, value
from synth.views.certificate.plain import Plain

Values = frozenset[bool | int]
Coupling = tuple[str, str, str]
Point = tuple[bool | int, ...]

_COMPARISON = {
    frozenset({-1}): "<",
    frozenset({0}): "=",
    frozenset({1}): ">",
    frozenset({-1, 0}): "<=",
    frozenset({0, 1}): ">=",
    frozenset({-1, 1}): "!=",
}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_MAX_POINTS = 64
"""Answers to all questions of a draw; with more its conditions are written as they are."""


@dataclass(frozen=True)
class Question:
    """What a condition asks: a truth that run 1 will publish, or how ``here`` compares with a number."""

    event: str
    here: Term | None = None

    @property
    def domain(self) -> tuple[bool | int, ...]:
        """The answers: true or false, or the sign of ``here`` less the number."""
        return (True, False) if self.here is None else (-1, 0, 1)


@dataclass(frozen=True)
class Row:
    """When draws are coupled how."""

    when: str
    coupling: Coupling


@dataclass(frozen=True)
class _Box:
    """Some cases that are coupled alike: per question, the answers that it may have."""

    values: tuple[Values, ...]
    coupling: Coupling

    def merged(self, other: _Box) -> _Box | None:
        """Both in one, if they differ in one question only."""
        different = [place for place, value in enumerate(self.values) if value != other.values[place]]
        if self.coupling != other.coupling or len(different) != 1:
            return None
        place = different[0]
        union = self.values[place] | other.values[place]
        return _Box((*self.values[:place], union, *self.values[place + 1 :]), self.coupling)


@dataclass(frozen=True)
class Guards:
    """The conditions of a draw's cases but for the last, which applies elsewhere.

    The first that holds counts.
    """

    whens: tuple[Term, ...]
    writer: Plain

    def events(self) -> Iterator[str]:
        """The events that are asked about."""
        for when in self.whens:
            for part in _conjuncts(when):
                question = _question(part)
                if question is not None and question[0].event.startswith("|next#"):
                    yield question[0].event.strip("|")

    def rows(self, couplings: Iterable[Coupling]) -> list[Row]:
        """When which of the cases' couplings is used, in as few rows as joining in pairs gives."""
        listed = list(couplings)
        if self._answers is None:
            return self._as_written(listed)
        boxes: list[_Box] = []
        for number, coupling in enumerate(listed):
            boxes += [
                _Box(tuple(frozenset({value}) for value in point), coupling)
                for point in self._points
                if self._case(point) == number
            ]
        return [Row(self._when(box), box.coupling) for box in _merged(boxes)]

    def _as_written(self, couplings: list[Coupling]) -> list[Row]:
        whens = [*map(self.writer.formula, self.whens), "otherwise" if self.whens else "always"]
        return [Row(when, coupling) for when, coupling in zip(whens, couplings, strict=True)]

    @cached_property
    def _answers(self) -> tuple[Mapping[Question, bool | int], ...] | None:
        """What each condition asks for; None if one is more than questions and answers."""
        found = []
        for when in self.whens:
            parts = [_question(part) for part in _conjuncts(when)]
            given = dict(part for part in parts if part is not None)
            if None in parts or len(given) < len(parts):
                return None
            found.append(given)
        questions = dict.fromkeys(question for given in found for question in given)
        size = 1
        for question in questions:
            size *= len(question.domain)
        return tuple(found) if size <= _MAX_POINTS else None

    @cached_property
    def _questions(self) -> tuple[Question, ...]:
        return tuple(dict.fromkeys(question for given in self._answers or () for question in given))

    @cached_property
    def _points(self) -> list[Point]:
        return list(product(*(question.domain for question in self._questions)))

    def _case(self, point: Point) -> int:
        """The case that applies."""
        known = dict(zip(self._questions, point, strict=True))
        for number, given in enumerate(self._answers or ()):
            if all(known[question] == value for question, value in given.items()):
                return number
        return len(self.whens)

    def _when(self, box: _Box) -> str:
        parts = [
            self._condition(question, values)
            for question, values in zip(self._questions, box.values, strict=True)
            if values != frozenset(question.domain)
        ]
        return " and ".join(parts) or "always"

    def _condition(self, question: Question, values: Values) -> str:
        if question.here is None:
            (truth,) = values
            return self.writer.names.truth(question.event, bool(truth), self.writer.shared)
        left, right = self.writer.term(question.here), self.writer.term(question.event)
        order = _COMPARISON[values]
        if value(question.here) is not None:
            return f"{right} {_MIRRORED.get(order, order)} {left}"
        return f"{left} {order} {right}"


def _conjuncts(when: Term) -> tuple[Term, ...]:
    match when:
        case ("and", *parts):
            return tuple(parts)
        case "true":
            return ()
        case _:
            return (when,)


def _question(part: Term) -> tuple[Question, bool | int] | None:
    match part:
        case str() if _is_event(part):
            return Question(part), True
        case ("not", str() as event) if _is_event(event):
            return Question(event), False
        case ("=", here, str() as event) if _is_event(event):
            return Question(event, here), 0
        case ("<", here, str() as event) if _is_event(event):
            return Question(event, here), -1
        case ("<", str() as event, here) if _is_event(event):
            return Question(event, here), 1
        case _:
            return None


def _is_event(term: str) -> bool:
    return term.startswith("|next#") or term.endswith("#upward|")


def _merged(boxes: list[_Box]) -> list[_Box]:
    """As few boxes as joining in pairs gives, in the order of the first case of each."""
    while True:
        for first, second in combinations(boxes, 2):
            joint = first.merged(second)
            if joint is not None:
                boxes = [joint if box is first else box for box in boxes if box is not second]
                break
        else:
            return boxes
