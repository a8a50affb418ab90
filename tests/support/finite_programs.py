"""Random small programs with draws of finitely many values, and their exact privacy loss.

The loss is computed without the prover's reader: the text is run as plain Python once per sequence of
outcomes, on all small inputs.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

TOLERANCE = 1e-6
MAX_STEPS = 100_000
"""Outcomes of draws that all runs on one input may have together."""

Output = Any
Distribution = dict[Output, float]
Metric = tuple[str, float, bool]


# --- programs -------------------------------------------------------------------------------

_FLIP = """
def flip(b: bool, p: float) -> bool:
    if bernoulli(p):
        return not b
    return b
"""
_SPIN = """
def spin(b: bool) -> bool:
    c = bernoulli(0.5)
    d = bernoulli(0.25)
    return b if c else d
"""
_HELPERS = {"flip": _FLIP, "spin": _SPIN}
_CHANCES = ("0.5", "0.25", "3 / 4", "1 / 3", "exp(1) / (1 + exp(1))", "0.1")
_SEQUENCES = (
    "linf_distance(1)",
    "linf_distance(1, monotone=True)",
    "l1_distance(1)",
    "change_one_distance(1)",
)


@dataclass
class _Writer:
    """Writes one program; ``index`` is the loop's variable, ``last`` are the locals written last."""

    rng: random.Random
    private: frozenset[str]
    output: str
    helpers: set[str] = field(default_factory=set)
    draws: int = 0
    index: str | None = None
    looped: int = 1
    last: dict[bool, str] = field(default_factory=lambda: {True: "u", False: "k"})

    # --- expressions ------------------------------------------------------------------------

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def secret(self) -> str:
        """A private truth value."""
        options = []
        if "a" in self.private:
            options += ["a", "a", "not a"]
        if "b" in self.private:
            options += ["b", "a != b" if "a" in self.private else "b"]
        if "x" in self.private:
            options += ["x > 0", "x == 1", f"x <= {self.pick('k', 'm', '0')}", "x == k"]
        if "q" in self.private:
            place = self.index if self.index is not None else "0"
            options += [f"q[{place}] > 0", f"q[{place}] == {self.pick('0', 'k')}"]
        return self.rng.choice(options)

    def bit(self) -> str:
        """A truth value computed from what was drawn."""
        options = ["u", "v", "not u", "u and v", "u or v", "u != v", "k > 0", "k == m", "k < m", "m <= 1"]
        if self.index is not None:
            options += [f"{self.index} == 0", f"k == {self.index}"]
        return self.rng.choice(options)

    def any_bit(self, secrets: float = 0.08) -> str:
        """A truth value that is private with the probability ``secrets``, or a little more."""
        roll = self.rng.random()
        if roll < secrets:
            return self.secret()
        if roll < 1.2 * secrets:
            return f"({self.secret()}) {self.pick('and', 'or', '!=')} ({self.bit()})"
        return self.bit()

    def hidden(self) -> str:
        """A truth value for a draw to hide."""
        return self.any_bit(0.6)

    def chance(self) -> str:
        roll = self.rng.random()
        if roll < 0.45:
            return self.pick(*_CHANCES)
        if roll < 0.8:
            return f"{self.pick(*_CHANCES)} if {self.hidden()} else {self.pick(*_CHANCES)}"
        if roll < 0.9:
            return f"0.25 + 0.5 * ({self.hidden()})"
        return f"({self.pick(*_CHANCES)}) * ({self.pick(*_CHANCES)})"

    def draw_bit(self) -> str:
        self.draws += self.looped
        roll = self.rng.random()
        if roll < 0.5:
            return f"bernoulli({self.chance()})"
        if roll < 0.75:
            return f"randomized_response({self.hidden()}, {self.pick('1', '0.5', 'log(3)')})"
        if roll < 0.87:
            self.helpers.add("flip")
            return f"flip({self.hidden()}, {self.chance()})"
        self.helpers.add("spin")
        self.draws += self.looped
        return f"spin({self.hidden()})"

    def weight(self) -> str:
        options = [
            f"1 if r == {self.pick('k', 'm', '0', '1')} else 0",
            "0.5 * r",
            f"log(2) if {self.hidden()} else 0",
            f"r if {self.hidden()} else 0",
            f"{self.pick('0.5', '1')} if r {self.pick('==', '<', '<=')} k else 0",
        ]
        if "x" in self.private:
            options += ["-0.5 * abs(x - r)", "x - r", "log(3) if r == x else 0"]
        return self.rng.choice(options)

    def draw_number(self) -> str:
        self.draws += self.looped
        roll = self.rng.random()
        if roll < 0.35:
            low, high = self.pick("0", "0", "1", "-1"), self.pick("1", "2", "2", "3")
            return f"uniform_int({low}, {high})"
        if roll < 0.45:
            return f"uniform_int({self.pick('0', '-1', '-k')}, {self.pick('k', 'k + 1', 'm')})"
        if "q" in self.private and roll < 0.65:
            scores = self.pick("q[r]", "-q[r]", "q[r] + r", f"q[r] if {self.bit()} else 0", "q[r] * 2")
            if self.rng.random() < 0.5:
                return f"choice(len(q), lambda r: {scores})"
            return f"exponential_mechanism(len(q), lambda r: {scores}, {self.pick('1', '0.5')}, 1)"
        if roll < 0.85:
            return f"choice({self.pick('2', '3', '3')}, lambda r: {self.weight()})"
        return f"exponential_mechanism(3, lambda r: {self.weight()}, {self.pick('1', '2')}, 1)"

    def number(self) -> str:
        options = [
            "k",
            "m",
            "0",
            "1",
            "2",
            "k + m",
            "k - 1",
            "m + 1",
            "2 - k",
            f"k if {self.bit()} else m",
            "2 * k",
        ]
        if self.index is not None:
            options += [self.index, f"k + {self.index}"]
        return self.rng.choice(options)

    def any_number(self, secrets: float = 0.08) -> str:
        """An integer that is private with the probability ``secrets``."""
        if self.rng.random() < secrets:
            options = [f"1 if {self.secret()} else {self.pick('0', 'k')}"]
            if "x" in self.private:
                options += ["min(max(x, 0), 2)", "x"]
            return self.rng.choice(options)
        return self.number()

    def mixture(self) -> list[str]:
        """A private value that a draw replaces now and then."""
        truth = self.rng.random() < 0.6
        name = self.pick("u", "v") if truth else self.pick("k", "m")
        self.last[truth] = name
        value = self.any_bit(0.7) if truth else self.any_number(0.7)
        form = self.rng.randrange(4)
        if form == 0:
            coin = self.draw_bit()
            other = self.draw_bit() if truth else self.draw_number()
            return [f"{name} = ({value}) if {coin} else {other}"]
        other = self.draw_bit() if truth else self.draw_number()
        if form == 1:
            return [f"{name} = {value}", f"if {self.draw_bit()}:", f"    {name} = {other}"]
        if form == 2:
            return [f"if {self.draw_bit()}:", f"    {name} = {other}", "else:", f"    {name} = {value}"]
        coin = "v" if name == "u" else "u"
        return [
            f"{coin} = {self.draw_bit()}",
            f"if {coin}:",
            f"    {name} = {value}",
            "else:",
            f"    {name} = {other}",
        ]

    # --- statements -------------------------------------------------------------------------

    def simple(self) -> str:
        roll = self.rng.random()
        name = self.pick("u", "v") if self.rng.random() < 0.55 else self.pick("k", "m")
        truth = name in "uv"
        self.last[truth] = name
        if roll < 0.55 and self.draws < 5:
            return f"{name} = {self.draw_bit() if truth else self.draw_number()}"
        if roll < 0.65 and self.draws < 5:
            first, condition = (self.draw_bit() if truth else self.draw_number()), self.any_bit()
            other = self.any_bit() if truth else self.any_number()
            return f"{name} = {first} if {condition} else {other}"
        if roll < 0.75 and self.draws < 5:
            coin = self.draw_bit()
            one, other = (
                (self.any_bit(0.4), self.any_bit(0.4))
                if truth
                else (self.any_number(0.4), self.any_number(0.4))
            )
            return f"{name} = ({one}) if {coin} else ({other})"
        if not truth and self.rng.random() < 0.3:
            return f"{name} += {self.any_number()}"
        return f"{name} = {self.any_bit() if truth else self.any_number()}"

    def result(self) -> str:
        bit, number = self.last[True], self.last[False]
        if self.output == "bit":
            return self.pick(bit, bit, bit, self.bit())
        if self.output == "number":
            return self.pick(number, number, number, self.number())
        if self.output == "pair":
            return f"({self.pick(bit, bit, 'u', 'v')}, {self.pick(number, number, 'k', 'm')})"
        return "out"

    def block(self, size: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(size):
            roll = self.rng.random()
            if roll < 0.25 and self.draws < 4:
                lines += self.mixture()
            elif roll < 0.6 or depth > 1:
                lines.append(self.simple())
            elif roll < 0.8:
                condition = self.any_bit() if self.rng.random() < 0.7 or self.draws > 3 else self.draw_bit()
                lines.append(f"if {condition}:")
                lines += _indented(self.block(self.rng.randint(1, 2), depth + 1))
                if self.rng.random() < 0.6:
                    lines.append("else:")
                    lines += _indented(self.block(self.rng.randint(1, 2), depth + 1))
            elif self.output == "list" and roll < 0.92:
                lines.append(f"out.append({self.pick('k', 'm', self.number())})")
            elif roll < 0.95:
                lines += [f"if {self.bit()}:", f"    return {self.result()}"]
            else:
                lines.append(self.simple())
        return lines

    def loop(self) -> list[str]:
        self.index = "i"
        if "q" in self.private:
            head, self.looped = "for i in range(len(q)):", 2
        else:
            head, self.looped = f"for i in range({self.pick('2', '2', '3')}):", 2
        lines = self.block(self.rng.randint(1, 3), 0)
        if self.output == "list" and self.rng.random() < 0.7:
            lines.append(f"out.append({self.pick('k', 'm', self.number())})")
        if self.rng.random() < 0.1:
            lines += [f"if {self.bit()}:", f"    {self.pick('break', 'continue')}"]
        self.index, self.looped = None, 1
        return [head, *_indented(lines)]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def random_program(rng: random.Random) -> str:
    """A program with one mechanism, ``m``, that draws at most a handful of times and claims nothing.

    Most of them have a loss that is neither 0 nor infinite.
    """
    while True:
        text = any_program(rng)
        if rng.random() < 0.1 or _is_telling(text):
            return text


def _is_telling(text: str) -> bool:
    try:
        loss = exact_loss(text)
    except Undefined:
        return True
    except TooLong:
        return False
    return loss is not None and TOLERANCE < loss.epsilon < math.inf


def any_program(rng: random.Random) -> str:
    """The same, with any loss."""
    private = frozenset(rng.choice((("a",), ("a",), ("x",), ("q",), ("a", "b"), ("a", "x"))))
    output = rng.choice(("bit", "number", "pair", "list"))
    writer = _Writer(rng, private, output)
    lines = ["u = False", "v = True", "k = 0", "m = 1", *(["out = []"] if output == "list" else [])]
    lines += writer.block(rng.randint(1, 3), 0)
    if rng.random() < 0.4:
        lines += writer.loop()
        lines += writer.block(rng.randint(0, 1), 0)
    if output == "list" and not any(".append(" in line for line in lines):
        lines.append(f"out.append({writer.number()})")
    lines.append(f"return {writer.result()}")
    metrics = {
        "a": "discrete_distance()",
        "b": "discrete_distance()",
        "x": rng.choice(("absolute_distance(1)", "absolute_distance(1)", "discrete_distance()")),
        "q": rng.choice(_SEQUENCES),
    }
    sorts = {"a": "bool", "b": "bool", "x": "int", "q": "list[int]"}
    types = {"bit": "bool", "number": "int", "pair": "tuple[bool, int]", "list": "list[int]"}
    names = sorted(private)
    declared = [f'"{name}": {metrics[name]}' for name in names]
    return "".join(
        (
            "from synth.lang import *\n",
            *(_HELPERS[name] + "\n" for name in sorted(writer.helpers)),
            f"@mechanism(adjacent={{{', '.join(declared)}}}",
            ', requires="len(q) > 0")\n' if "q" in private else ")\n",
            f"def m({', '.join(f'{name}: {sorts[name]}' for name in names)}) -> {types[output]}:\n",
            *(f"    {line}\n" for line in lines),
        )
    )


# --- running --------------------------------------------------------------------------------


class Undefined(Exception):
    """The program breaks an obligation on some input."""


class TooLong(Exception):
    """The program has too many runs to go through all of them."""


@dataclass
class _Oracle:
    """Answers draws along one path: ``taken`` are the places of the outcomes, of ``widths`` each.

    ``steps`` counts the outcomes that there were to choose from, on all paths.
    """

    taken: list[int] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    place: int = 0
    weight: float = 1.0
    steps: int = 0

    def spend(self, steps: int) -> None:
        """Count outcomes.  Raises TooLong."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise TooLong

    def draw(self, outcomes: Sequence[tuple[Any, float]]) -> Any:
        possible = [item for item in outcomes if item[1] > 0]
        if self.place == len(self.taken):
            self.taken.append(0)
            self.widths.append(len(possible))
        value, probability = possible[self.taken[self.place]]
        self.place += 1
        self.weight *= probability
        return value

    def advance(self) -> bool:
        """Go to the next path; False after the last one."""
        while self.taken and self.taken[-1] + 1 == self.widths[-1]:
            self.taken.pop()
            self.widths.pop()
        if not self.taken:
            return False
        self.taken[-1] += 1
        self.place, self.weight = 0, 1.0
        return True


@dataclass
class Program:
    """A program's text as a function, with what it declares."""

    run: Callable[..., Any]
    adjacent: dict[str, Metric]
    requires: str
    sorts: dict[str, str]
    oracle: list[_Oracle]

    def distribution(self, arguments: dict[str, Any]) -> Distribution:
        """The exact law of the output.  Raises Undefined, TooLong."""
        self.oracle[0] = _Oracle()
        found: Distribution = {}
        while True:
            copies = {
                name: _Entries(value) if isinstance(value, tuple) else value
                for name, value in arguments.items()
            }
            try:
                output = _frozen(self.run(**copies))
            except (ZeroDivisionError, IndexError, ValueError, OverflowError) as error:
                raise Undefined(str(error)) from None
            found[output] = found.get(output, 0.0) + self.oracle[0].weight
            if not self.oracle[0].advance():
                return found


def _frozen(value: Any) -> Output:
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    return int(value) if isinstance(value, bool) else value


class _Entries(list[Any]):
    """A list without Python's negative indices, which the language refuses."""

    def __getitem__(self, place: Any) -> Any:
        if place < 0:
            raise IndexError("negative index")
        return super().__getitem__(place)


def loaded(text: str) -> Program:
    """A program's text, ready to run."""
    oracle = [_Oracle()]
    declared: dict[str, Any] = {}

    def mechanism(**fields: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def keep(function: Callable[..., Any]) -> Callable[..., Any]:
            declared.update(fields, run=function)
            return function

        return keep

    def draw(outcomes: Sequence[tuple[Any, float]]) -> Any:
        return oracle[0].draw(outcomes)

    def bernoulli(p: float) -> bool:
        oracle[0].spend(2)
        if not 0 <= p <= 1:
            raise Undefined("a probability outside of [0, 1]")
        return bool(draw([(True, p), (False, 1 - p)]))

    def randomized_response(bit: Any, epsilon: float) -> bool:
        if epsilon < 0:
            raise Undefined("a negative epsilon")
        oracle[0].spend(2)
        kept = math.exp(epsilon) / (1 + math.exp(epsilon))
        return bool(draw([(bool(bit), kept), (not bit, 1 - kept)]))

    def uniform_int(lo: int, hi: int) -> int:
        if lo > hi:
            raise Undefined("nothing to draw from")
        oracle[0].spend(hi - lo + 1)
        return int(draw([(value, 1 / (hi - lo + 1)) for value in range(lo, hi + 1)]))

    def choice(n: int, log_weight: Callable[[int], float]) -> int:
        if n < 1:
            raise Undefined("no candidate")
        oracle[0].spend(n)
        weights = [math.exp(log_weight(r)) for r in range(n)]
        return int(draw([(r, weight / sum(weights)) for r, weight in enumerate(weights)]))

    def exponential_mechanism(
        n: int, score: Callable[[int], float], epsilon: float, sensitivity: float
    ) -> int:
        if epsilon <= 0 or sensitivity <= 0:
            raise Undefined("an epsilon or sensitivity that is not positive")
        return choice(n, lambda r: epsilon * score(r) / (2 * sensitivity))

    def metric(name: str) -> Callable[..., Metric]:
        return lambda bound=math.inf, monotone=False: (name, float(bound), bool(monotone))

    names: dict[str, Any] = {
        "mechanism": mechanism,
        "bernoulli": bernoulli,
        "randomized_response": randomized_response,
        "uniform_int": uniform_int,
        "choice": choice,
        "exponential_mechanism": exponential_mechanism,
        "exp": math.exp,
        "log": math.log,
        "sqrt": math.sqrt,
    }
    for name in ("absolute", "linf", "l1", "change_one", "discrete"):
        names[f"{name}_distance"] = metric(name)
    body = "\n".join(line for line in text.splitlines() if not line.startswith(("from ", "import ")))
    exec(compile(body, "program", "exec", dont_inherit=True), names)  # our own generator's text
    run = declared["run"]
    sorts = {name: str(sort) for name, sort in run.__annotations__.items() if name != "return"}
    sorts = {name: sort.removeprefix("<class '").removesuffix("'>") for name, sort in sorts.items()}
    return Program(run, declared.get("adjacent", {}), declared.get("requires", "True"), sorts, oracle)


# --- inputs ---------------------------------------------------------------------------------

_VALUES: dict[str, Sequence[Any]] = {
    "bool": (False, True),
    "int": (-2, -1, 0, 1, 2, 3),
    "list[int]": [
        entries for size in (1, 2, 3) for entries in product((-1, 0, 1, 2)[: 5 - size], repeat=size)
    ],
}


def _near(metric: Metric, left: Any, right: Any) -> bool:
    name, bound, monotone = metric
    if name == "discrete":
        return True
    if name == "absolute":
        return bool(abs(left - right) <= bound)
    if len(left) != len(right):
        return False
    changes = [one - other for one, other in zip(left, right, strict=True)]
    if name == "l1":
        return bool(sum(map(abs, changes)) <= bound)
    if any(abs(change) > bound for change in changes):
        return False
    if name == "change_one":
        return sum(map(bool, changes)) <= 1
    return not monotone or min(changes, default=0) >= 0 or max(changes, default=0) <= 0


def are_near(adjacent: dict[str, Metric], left: dict[str, Any], right: dict[str, Any]) -> bool:
    """Whether two inputs are adjacent; what is public is the same in both."""
    return all(
        _near(adjacent[name], left[name], right[name]) if name in adjacent else left[name] == right[name]
        for name in left
    )


# --- losses ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Loss:
    """What two adjacent inputs show: log of the largest ratio of an output's probabilities."""

    epsilon: float
    left: dict[str, Any]
    right: dict[str, Any]
    output: Output


def losses(text: str) -> Iterator[Loss]:
    """The loss at each pair of small adjacent inputs.  Raises Undefined, TooLong."""
    program = loaded(text)
    names = list(program.sorts)
    laws: list[tuple[dict[str, Any], Distribution]] = []
    for values in product(*(_VALUES[program.sorts[name]] for name in names)):
        arguments = dict(zip(names, values, strict=True))
        if eval(program.requires, {"len": len, **arguments}):
            laws.append((arguments, program.distribution(arguments)))
    for left, first in laws:
        for right, second in laws:
            if are_near(program.adjacent, left, right) and left != right:
                output = max(first, key=lambda item: first[item] / second.get(item, 1e-300))
                if output in second:
                    yield Loss(math.log(first[output] / second[output]), left, right, output)
                else:
                    yield Loss(math.inf, left, right, output)


def exact_loss(text: str) -> Loss | None:
    """The largest loss on small inputs, of ``random_program``'s text.  Raises Undefined, TooLong."""
    return max(losses(text), key=lambda loss: loss.epsilon, default=None)


def violation(text: str, bound: str) -> Loss | None:
    """A pair of small inputs whose loss is above a bound that was proved; an expression over lengths too.

    Raises Undefined where the program breaks an obligation, which a proof rules out, and TooLong.
    """
    for loss in losses(text):
        names = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt, "len": len, **loss.left}
        if loss.epsilon > float(eval(bound, names)) + TOLERANCE:
            return loss
    return None
