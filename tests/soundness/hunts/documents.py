"""Documents: each gets a verdict in time, no lie is valid, and nothing of one acts on a terminal."""

from __future__ import annotations

import hashlib
import inspect
import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from synth.refuter.search.search import refute
from synth.trusted.frontend.claim import read_bound
from synth.trusted.kernel.check import VALID, Unreadable, check, judged_mechanism, parse
from synth.views.certificate.report import shown_bounds
from tests import ROOT
from tests.support import hostile_documents, hostile_witnesses
from tests.support.cores import with_core, with_program
from tests.support.handmade import Data

from .hunting import Broken, OutOfTime, Try, about, limited
from .lies import BASES

EACH = 10
MILLISECONDS = 500
ATTACK = 20.0
"""Seconds for a witness against what a damaged lie says."""
TIMEOUT, PATIENCE, HUNG = 10, 40.0, 300.0
"""The limit that the command is given; too much processor time; seconds by the clock, however loaded."""

STATUSES = {"0": "valid", "1": "invalid", "3": "incomplete", "4": "no certificate"}
HEAD = "from synth.lang import *\n\n\n"
CONTROLS = (
    "\x1b[2K",
    "\x1b]0;x\x07",
    "\r",
    "\n::error::",
    "\x00",
    "\x7f",
    "\u202e",
    "\x9b1A",
    "|",
    '"',
    "\\",
    "é",
)
NUMBERS = ("0", "-1", "1e999", "1E-99999", "9" * 400, "NaN", "true", "null", "0.1e20000000", "1" + "0" * 5000)

Damage = Callable[[random.Random, str], str]


def attempt(case: str) -> Iterator[Try]:
    """Some documents."""
    rng = random.Random(case)
    if rng.random() < 0.6:
        yield from _damaged(rng)
    else:
        yield _checked(rng)


def _lie(rng: random.Random) -> str:
    base = rng.choice(BASES)
    return json.dumps(base.lies[rng.choice(sorted(base.lies))](base.data), indent=rng.choice((None, 1)))


# --- damaged texts, judged by the kernel ----------------------------------------------------


def _damaged(rng: random.Random) -> Iterator[Try]:
    """Lies whose text was changed: never valid, and always judged."""
    for _ in range(EACH):
        text = _lie(rng)
        for _ in range(rng.randint(1, 4)):
            damage = rng.choice(DAMAGES)
            text = damage(rng, text) if rng.random() < 0.2 else _within(rng, text, damage)
        with about(text):
            verdict = _verdict(text)
        if verdict == VALID and _is_refuted(text):
            raise Broken("a lie is valid once its text is damaged", text)
        yield Try(f"damaged: {verdict}", verdict != "unreadable")


def _is_refuted(text: str) -> bool:
    """Whether what a valid document says is false: damage may make another, true claim of a lie."""
    certificate = parse(text)
    mechanism = judged_mechanism(certificate)
    epsilon, delta = shown_bounds(certificate, mechanism)
    claim = replace(
        mechanism, epsilon=read_bound(mechanism, epsilon), delta=read_bound(mechanism, delta, "delta")
    )
    return refute(claim, seconds=ATTACK) is not None


def _verdict(text: str) -> str:
    """The kernel's verdict.  Raises Broken where there is none in time."""
    try:
        with limited(PATIENCE):
            try:
                return check(text, milliseconds=MILLISECONDS).verdict
            except Unreadable:
                return "unreadable"
    except OutOfTime:
        raise Broken("no verdict in time", text) from None


def _within(rng: random.Random, text: str, damage: Damage) -> str:
    """The document with one of its texts damaged; what is no JSON is damaged as a whole."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return damage(rng, text)
    places = [path for path in _texts(data, ()) if "program" not in path or rng.random() < 0.1]
    if not places:
        return damage(rng, text)
    *above, last = rng.choice(places)
    found = data
    for key in above:
        found = found[key]
    found[last] = damage(rng, found[last])
    if "sha256" in data.get("program", {}):
        data["program"]["sha256"] = hashlib.sha256(str(data["program"].get("text")).encode()).hexdigest()
    return json.dumps(data)


def _texts(item: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(item, str) and item:
        yield path
    elif isinstance(item, dict | list):
        for key, value in item.items() if isinstance(item, dict) else enumerate(item):
            yield from _texts(value, (*path, key))


def _cut(rng: random.Random, text: str) -> str:
    start = rng.randrange(len(text))
    return text[:start] + text[start + rng.randint(1, min(20, len(text))) :] or "0"


def _doubled(rng: random.Random, text: str) -> str:
    start = rng.randrange(len(text))
    return text[:start] + text[start : start + rng.randint(1, 80)] + text[start:]


def _inserted(rng: random.Random, text: str) -> str:
    start = rng.randrange(len(text))
    escaped = json.dumps(rng.choice(CONTROLS))[1:-1]
    return text[:start] + rng.choice((*NUMBERS, escaped, "(", ")", " ", "|x<1>|", "false")) + text[start:]


def _number(rng: random.Random, text: str) -> str:
    """A number in place of another one."""
    places = [place for place, sign in enumerate(text) if sign.isdigit()] or [0]
    place = rng.choice(places)
    return text[:place] + rng.choice((*NUMBERS, "2", "1", "3", "0.5")) + text[place + 1 :]


def _key(rng: random.Random, text: str) -> str:
    """A key twice: the value again, or another one."""
    place = text.find('"', rng.randrange(len(text)))
    end = text.find(",", place)
    return text if min(place, end) < 0 else text[:place] + text[place : end + 1] + text[place:]


def _swapped(rng: random.Random, text: str) -> str:
    words = (
        "LapGen",
        "OneLapGen",
        "Assn",
        "Skip",
        "Return",
        "<1>",
        "<2>",
        "Int",
        "Real",
        "<=",
        "<",
        "and",
        "or",
    )
    one, two = rng.sample(words, 2)
    return text.replace(one, two, rng.choice((1, -1)))


DAMAGES: tuple[Damage, ...] = (
    _cut,
    _doubled,
    _inserted,
    _number,
    _key,
    _swapped,
)


# --- forged and oversized documents, judged by the command ----------------------------------


def _checked(rng: random.Random) -> Try:
    """One document through `synth check`: its verdict comes in time, and what is printed is harmless."""
    documents = FORGERIES if rng.random() < 0.5 else HOSTILE
    kind = rng.choice(list(documents))
    text = documents[kind](rng)
    status, printed, seconds = command(text)
    if status not in STATUSES:
        raise Broken(f"{kind}: exit status {status}\n{printed[-2000:]}", text)
    if status == "0" and kind in FORGERIES:
        raise Broken(f"{kind}: valid", text)
    if "Traceback" in printed or "internal error" in printed:
        raise Broken(f"{kind}: an internal error\n{printed[-2000:]}", text)
    odd = {sign for sign in printed if not sign.isprintable() and sign != "\n"}
    if odd:
        raise Broken(f"{kind}: {odd} is printed\n{printed!r}", text)
    if any(line.startswith("::") for line in printed.splitlines()):
        raise Broken(f"{kind}: a workflow command is printed", text)
    if seconds > PATIENCE:
        raise Broken(f"{kind}: took {seconds:.0f} s", text)
    return Try(f"{kind}: {STATUSES[status]}")


def command(text: str) -> tuple[str, str, float]:
    """Exit status, output and processor time of `synth check`; ``-`` if it never ends."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forged.json"
        path.write_text(text, encoding="utf-8")
        arguments = [sys.executable, "-m", "synth", "check", "--timeout", str(TIMEOUT), str(path)]
        before = _children_seconds()
        try:
            done = subprocess.run(arguments, cwd=ROOT, capture_output=True, timeout=HUNG, check=False)
        except subprocess.TimeoutExpired:
            return "-", "", HUNG
    printed = (done.stdout + done.stderr).decode("utf-8", "replace")
    return str(done.returncode), printed, _children_seconds() - before


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _named(rng: random.Random) -> Data:
    """Control characters in keys, names, symbols and texts."""
    data: Data = json.loads(_lie(rng))
    sign = rng.choice(CONTROLS)
    part = data["parts"][0] if "parts" in data else data
    rng.choice(
        (
            lambda: data["program"].update(mechanism=data["program"]["mechanism"] + sign),
            lambda: data["tools"].update({f"z3{sign}": f"4{sign}"}),
            lambda: data["claim"].update(epsilon=f"eps{sign}"),
            lambda: part["costs"].update({f"cost{sign}": {"sort": "Int", "weight": "0.0", "bound": "1"}}),
            lambda: part["events"].update({f"next#return..0{sign}": "Int"}),
            lambda: part["derivation"].update(rule=f"Seq{sign}"),
            lambda: part["derivation"].update({f"when{sign}": []}),
            lambda: data["proved"].update(epsilon=f"|eps{sign}<>|"),
            lambda: data.update({f"format{sign}": 1}),
            lambda: data["program"].update(text=data["program"]["text"] + f"\nx = '{sign}'\n"),
        )
    )()
    return data


def _nested_term(rng: random.Random) -> Data:
    """A term that doubles at each level, or is deep."""
    data: Data = json.loads(_lie(rng))
    term, leaf = "|eps<>|", rng.choice(("|eps<>|", "1.0"))
    depth = rng.choice((10, 25, 60, 1000, 5000))
    form = rng.choice(("(+ {} {})", "(* {0} {1})", "(- {0})", "(ite (< {0} {1}) {0} {1})", "(/ {0} {1})"))
    for _ in range(depth if "{0} {1}) {0}" not in form else min(depth, 15)):
        term = form.format(term, leaf)
    data["proved"]["epsilon"] = term
    return data


def _power(rng: random.Random) -> Data:
    """Squares of squares, or a numeral without end."""
    data: Data = json.loads(_lie(rng))
    term = rng.choice(("(+ 1.0 |eps<>|)", "123456789.0", "(/ 1.0 3.0)"))
    for _ in range(rng.randint(3, 14)):
        term = f"(* {term} {term})"
    data["proved"]["epsilon"] = rng.choice((term, "9" * rng.choice((100, 5000, 200_000)) + ".0"))
    return data


def _deep(rng: random.Random) -> str:
    """A deep document."""
    data: Data = json.loads(_lie(rng))
    depth, rule = rng.choice((50, 150, 400, 3000, 100_000)), rng.choice(("Seq", "Block", "Case"))
    data["derivation"] = "HERE"
    inner = f'{{"rule": "{rule}", "premises": [' * depth + "]}" * depth
    return json.dumps(data).replace('"HERE"', inner)


def _many(rng: random.Random) -> Data:
    """Very many of something."""
    data: Data = json.loads(_lie(rng))
    number = rng.choice((100, 1000, 10_000))
    cost = {"sort": "Int", "weight": "0.0", "bound": "1"}
    if "costs" in data:
        data["costs"].update({f"cost#{place}": cost for place in range(number)})
    else:
        data["cuts"] = list(range(number))
    return data


def _program(rng: random.Random) -> Data:
    """A program text that is large when it is rewritten."""
    data: Data = json.loads(_lie(rng))
    depth = rng.choice((5, 15, 40, 200))
    flags = [f"b{place}" for place in range(depth)]
    nested = "x"
    for _ in range(depth):
        nested = rng.choice(
            ("min({0}, {0} + 1)", "abs({0} - {0})", "max({0}, 0)", "(1 if {0} > 0 else 2)")
        ).format(nested if len(nested) < 20_000 else "x")
    forms = (
        f"    return {nested}\n",
        f"    return {' == '.join(f'({flag} or x > {place})' for place, flag in enumerate(flags))}\n",
        "".join(f"    if {flag}:\n        x = x + 1\n" for flag in flags) + "    return x\n",
        f"    return x ** {rng.choice((10, 1000, 20_000_000))}\n",
        f"    return {'9' * 4000}\n",
        f"    y = laplace(x, {rng.choice(('1e20000000', '1e-20000000', '10 ** 400'))})\n    return y\n",
    )
    head = '@mechanism(adjacent={"x": absolute_distance(1)})\n'
    parameters = ", ".join(("x: int", *(f"{flag}: bool" for flag in flags)))
    text = f"{HEAD}{head}def f({parameters}):\n{rng.choice(forms)}"
    digest = hashlib.sha256(text.encode()).hexdigest()
    return with_program(data, {"text": text, "sha256": digest, "mechanism": "f"})


def _as_text(forge: Callable[[random.Random], Data]) -> Callable[[random.Random], str]:
    return lambda rng: json.dumps(with_core(forge(rng)))


FORGERIES: dict[str, Callable[[random.Random], str]] = {
    "control characters": _as_text(_named),
    "nested terms": _as_text(_nested_term),
    "powers": _as_text(_power),
    "a deep document": _deep,
    "a long document": _as_text(_many),
    "a large program": _as_text(_program),
}


# --- classes of hostile documents -----------------------------------------------------------

SIZES = (1, 3, 10, 40, 200, 1000)
NUMERALS = ("2", "1000", "20000000", "9" * 60, "1e20000000", "10**300", "1 / 10**300", "0.5")
TEXTS = {"call": ("max(x, {})", "abs({} - x)", "min({}, x + 1)", "max({0}, {0})"), "": NUMERALS}
"""What parameters that are texts may be, by name."""


def of_class(make: Callable[..., Data]) -> Callable[[random.Random], str]:
    """A document of the class, of some size, with a core program if it is a proof.  It may well be true."""

    def written(*given: object) -> str:
        data = make(*given)
        return json.dumps(data if data.get("kind") == "witness" else with_core(data))

    def forge(rng: random.Random) -> str:
        given = []
        for item in inspect.signature(make).parameters.values():
            if item.default is not item.empty:
                break
            texts = TEXTS.get(item.name, TEXTS[""])
            options = {"int": SIZES, "bool": (False, True), "str": texts}
            given.append(rng.choice(options[str(item.annotation)]))
        try:
            return written(*given)
        except RecursionError:
            return written(*[min(item, 10) if type(item) is int else item for item in given])

    return forge


HOSTILE: dict[str, Callable[[random.Random], str]] = {
    f"{module.__name__.rpartition('hostile_')[2]}: {name}": of_class(make)
    for module in (hostile_documents, hostile_witnesses)
    for name, make in vars(module).items()
    if inspect.isfunction(make) and make.__module__ == module.__name__ and not name.startswith("_")
    if name != "witness"
}
