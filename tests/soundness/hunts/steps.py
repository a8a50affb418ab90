"""Steps of certificates: whatever is changed about them, what is accepted keeps the law of the output.

Steps are left out, exchanged, taken twice; hints are exchanged; programs, windows, chances and sums are
changed in one place.  The laws of the core program and of the one behind the last step are compared, by
definition.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from synth.prover.normal_form.recording import lingering, rewriting
from synth.trusted.core.read_expressions import CoreError
from synth.trusted.core.reader import read_as_written
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.steps.rewriting import (
    Advance,
    Count,
    Cross,
    Defer,
    Fuse,
    Join,
    Linger,
    Pair,
    Permute,
    Rate,
    Repeat,
    SameNoise,
    Step,
    Stream,
    WriteOut,
    rewritten,
)
from tests.support.branching_programs import branching_program
from tests.support.finite_programs import any_program
from tests.support.fused_windows import is_shown
from tests.support.list_programs import list_program
from tests.support.looping_programs import looping_program
from tests.support.noise_programs import random_mechanism

from . import defined_laws
from .hunting import Broken, Try, about
from .inputs import inputs_of
from .random_texts import read_random

GRAMMARS = (
    branching_program,
    branching_program,
    looping_program,
    any_program,
    any_program,
    random_mechanism,
    list_program,
)
INPUTS = 3
MUTANTS = 12
"""Of one program."""

Steps = tuple[Step, ...]
_TOKEN = re.compile(r"[0-9]+\.[0-9]+|[0-9]+|<=|==|\b(?:and|or|not|True|False)\b|[<+*/-]|[^\W\d][\w·‿]*")
_OTHERS = {
    "<=": ("<", "=="),
    "<": ("<=", "=="),
    "==": ("<=",),
    "and": ("or",),
    "or": ("and",),
    "not": ("",),
    "True": ("False",),
    "False": ("True",),
    "+": ("-",),
    "-": ("+",),
    "*": ("/", "+"),
    "/": ("*",),
}


def attempt(case: str) -> Iterator[Try]:
    """One program, and changes of the steps that rewrite it."""
    rng = random.Random(case)
    read = read_random(rng, GRAMMARS)
    if read is None:
        yield Try("refused", reached=False)
        return
    text, core = read
    with about(text):
        found = lingering(core) or rewriting(core)
        if not found.steps:
            yield Try("no steps", reached=False)
            return
        places = [
            inputs for _ in range(INPUTS) if (inputs := inputs_of(core, rng, 2, tables=True)) is not None
        ]
        yield _compared("as they are", core, found.steps, places, text)
        for _ in range(MUTANTS):
            kind, change = rng.choice(CHANGES)
            steps = change(found.steps, rng)
            if steps is not None and steps != found.steps:
                yield _compared(kind, core, steps, places, text)


def _compared(kind: str, core: ir.Mechanism, steps: Steps, places: list[dict[str, Any]], text: str) -> Try:
    """Whether steps are accepted; then the laws are compared.  Raises Broken."""
    try:
        form, conditions = rewritten(core, steps)
    except Rejected:
        return Try(f"{kind}: refused")
    if not all(map(is_shown, conditions)):
        return Try(f"{kind}: not shown")
    compared = False
    for inputs in places:
        laws = defined_laws.law(core, inputs), defined_laws.law(form, inputs)
        try:
            compared |= defined_laws.compare(*laws) is not None
        except defined_laws.Differ as error:
            shown = "\n\n".join(map(str, steps))
            raise Broken(f"{kind}, inputs {inputs}: {error}", f"{text}\n\n{shown}") from None
    return Try(f"{kind}: accepted" if compared else f"{kind}: no law", compared)


# --- changes --------------------------------------------------------------------------------


def _left_out(steps: Steps, rng: random.Random) -> Steps | None:
    place = rng.randrange(len(steps))
    return (*steps[:place], *steps[place + 1 :])


def _exchanged(steps: Steps, rng: random.Random) -> Steps | None:
    found = list(steps)
    rng.shuffle(found)
    return tuple(found)


def _twice(steps: Steps, rng: random.Random) -> Steps | None:
    place = rng.randrange(len(steps))
    return (*steps[: place + 1], *steps[place:])


def _one(
    kinds: tuple[type[Step], ...], change: Callable[[Any, random.Random], Step | None]
) -> Callable[[Steps, random.Random], Steps | None]:
    """A change of one step of these kinds."""

    def changed(steps: Steps, rng: random.Random) -> Steps | None:
        places = [place for place, step in enumerate(steps) if isinstance(step, kinds)]
        if not places:
            return None
        place = rng.choice(places)
        step = change(steps[place], rng)
        return None if step is None else (*steps[:place], step, *steps[place + 1 :])

    return changed


def _hints(step: SameNoise, rng: random.Random) -> Step | None:
    draws = list(step.draws)
    if rng.random() < 0.5:
        rng.shuffle(draws)
    else:
        draws = [rng.choice((None, rng.randrange(len(draws) + 1))) for _ in draws]
    return replace(step, draws=tuple(draws))


def _program(step: SameNoise, rng: random.Random) -> Step | None:
    head, body = step.program.split("):\n", 1) if rng.random() < 0.97 else ("", step.program)
    whole = f"{head}):\n{_token(body, rng)}" if head else _token(body, rng)
    return replace(step, program=whole)


def _statement(step: SameNoise, rng: random.Random) -> Step | None:
    """A line is dropped, repeated, or exchanged with the next one; hints are made to fit."""
    lines = step.program.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("def "))
    place = rng.randrange(first + 1, len(lines))
    match rng.randrange(3):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, lines[place])
        case _:
            lines[place - 1 : place + 1] = lines[place - 1 : place + 1][::-1]
    program = "\n".join(lines) + "\n"
    try:
        everything = list(ir.statements(read_as_written(program).body))
    except CoreError:
        return None
    draws = sum(isinstance(item, ir.Draw | ir.Choose) for item in everything)
    lines_needed = sum(not isinstance(item, ir.Block) for item in everything)
    hints = (*step.draws, *(None,) * draws)[:draws]
    return SameNoise(program, hints, (1,) * lines_needed)


def _text(step: Fuse, rng: random.Random) -> Step | None:
    return replace(step, text=_token(step.text, rng))


def _obligation(step: Fuse, rng: random.Random) -> Step | None:
    lines = step.text.splitlines()
    if len(lines) < 2:
        return None
    place = rng.randrange(len(lines) - 1)
    rest = "\n".join((*lines[:place], *lines[place + 1 :])) + "\n"
    return replace(step, text=rest, lines=step.lines[1:])


def _sums(step: Fuse, rng: random.Random) -> Step | None:
    places = [(i, j) for i, pair in enumerate(step.sums) for j in (0, 1) if pair[j] is not None]
    if not places:
        return None
    i, j = rng.choice(places)
    pair = list(step.sums[i])
    pair[j] = None if rng.random() < 0.1 else _token(pair[j] or "", rng)
    return replace(step, sums=(*step.sums[:i], (pair[0], pair[1]), *step.sums[i + 1 :]))


def _window(step: Fuse, rng: random.Random) -> Step | None:
    if rng.random() < 0.5:
        return replace(step, length=max(0, step.length + rng.choice((-1, 1))))
    place = list(step.place)
    number = rng.randrange(len(place))
    place[number] = max(0, place[number] + rng.choice((-1, 1)))
    return replace(step, place=tuple(place))


def _law(step: Rate, rng: random.Random) -> Step | None:
    return replace(step, law=_token(step.law, rng))


def _deferred(step: Defer, rng: random.Random) -> Step | None:
    if rng.random() < 0.5:
        return replace(step, length=max(0, step.length + rng.choice((-1, 1))))
    return replace(step, place=(*step.place[:-1], max(0, step.place[-1] + rng.choice((-1, 1)))))


def _elsewhere(
    step: Pair | Cross | Permute | Stream | Count | Join | Linger, rng: random.Random
) -> Step | None:
    return replace(step, place=(*step.place[:-1], max(0, step.place[-1] + rng.choice((-1, 1)))))


def _repeated(step: Repeat, rng: random.Random) -> Step | None:
    if rng.random() < 0.5:
        return replace(step, length=max(0, step.length + rng.choice((-1, 1))))
    number = rng.randrange(len(step.before))
    place = step.before[number]
    moved = (*place[:-1], max(0, place[-1] + rng.choice((-1, 1))))
    return replace(step, before=(*step.before[:number], moved, *step.before[number + 1 :]))


def _advanced(step: Advance, rng: random.Random) -> Step | None:
    match rng.randrange(3):
        case 0:
            return replace(step, side=1 - step.side)
        case 1:
            return replace(step, length=max(0, step.length + rng.choice((-1, 1))))
        case _:
            return replace(step, place=(*step.place[:-1], max(0, step.place[-1] + rng.choice((-1, 1)))))


def _fewer(step: WriteOut, rng: random.Random) -> Step | None:
    return replace(step, lists=tuple(name for name in step.lists if rng.random() < 0.5))


def _token(text: str, rng: random.Random) -> str:
    """The text with one number, operator or name in place of another."""
    found = list(_TOKEN.finditer(text))
    names = sorted({item.group() for item in found if item.group()[0].isalpha()} - _OTHERS.keys())
    item = rng.choice(found)
    old = item.group()
    if old in _OTHERS:
        new = rng.choice(_OTHERS[old])
    elif old[0].isdigit():
        new = f"{float(old) + 0.5}" if "." in old else str(int(old) + 1)
    else:
        new = rng.choice(names) if names else old
    return text[: item.start()] + new + text[item.end() :]


CHANGES: tuple[tuple[str, Callable[[Steps, random.Random], Steps | None]], ...] = (
    ("left out", _left_out),
    ("exchanged", _exchanged),
    ("twice", _twice),
    ("hints", _one((SameNoise,), _hints)),
    ("a program", _one((SameNoise,), _program)),
    ("a program", _one((SameNoise,), _program)),
    ("a statement", _one((SameNoise,), _statement)),
    ("a statement", _one((SameNoise,), _statement)),
    ("a draw", _one((Fuse,), _text)),
    ("an obligation", _one((Fuse,), _obligation)),
    ("sums", _one((Fuse,), _sums)),
    ("a window", _one((Fuse,), _window)),
    ("a rate", _one((Rate,), _law)),
    ("noise that is drawn later", _one((Defer,), _deferred)),
    ("two draws that are one", _one((Pair,), _elsewhere)),
    ("a coin", _one((Cross,), _elsewhere)),
    ("a uniform draw", _one((Permute,), _elsewhere)),
    ("a list", _one((Stream, Count), _elsewhere)),
    ("a computation that is repeated", _one((Repeat,), _repeated)),
    ("a branch that begins later", _one((Advance,), _advanced)),
    ("two loops that are one", _one((Join,), _elsewhere)),
    ("a loop that goes on", _one((Linger,), _elsewhere)),
    ("lists that are written out", _one((WriteOut,), _fewer)),
)
