"""Random programs of a typed grammar: loops, lists, helpers, early returns, facts, and noise of each kind.

Most of them are no sensible mechanisms; what is asked of a prover is an answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from textwrap import indent

INT, REAL, BOOL = "int", "float", "bool"
METRICS = (
    "linf_distance(1)",
    "linf_distance(1)",
    "l1_distance(1)",
    "change_one_distance(1)",
    "linf_distance(2)",
)
HELPERS = """def larger(a, b):
    if a > b:
        return a
    return b


def noisy(v, scale):
    return laplace(v, scale)
"""
FACTS = ("count(d) >= 0", "count(d + 1) <= count(d)", "count(d) == count(d - 1) or count(d) > 1")


@dataclass
class Scope:
    """What can be named here, by sort; ``indices`` are known to be inside of q, ``lists`` local ones."""

    names: dict[str, list[str]] = field(default_factory=lambda: {INT: [], REAL: [], BOOL: []})
    indices: list[str] = field(default_factory=list)
    loops: int = 0

    def inner(self, loops: int = 0) -> Scope:
        """What can be named in a block."""
        names = {sort: list(known) for sort, known in self.names.items()}
        return Scope(names, list(self.indices), self.loops + loops)


class Writer:
    """Writes one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.number = 0
        self.entry = rng.choice((INT, INT, REAL))
        self.scalar = rng.choice((INT, REAL, BOOL))
        self.metric = rng.choice(METRICS)
        self.counted = rng.random() < 0.2
        self.gaussian = rng.random() < 0.2
        self.listed = rng.random() < 0.4
        self.facts = [fact for fact in FACTS if self.counted and rng.random() < 0.4]
        self.results = rng.choice((1, 1, 2))

    def text(self) -> str:
        """The program."""
        rng = self.rng
        adjacent = [f'"q": {self.metric}']
        parameters = [f"q: list[{self.entry}]", f"x: {self.scalar}"]
        adjacent.append(f'"x": {"discrete_distance()" if self.scalar == BOOL else "absolute_distance(1)"}')
        if self.counted:
            parameters.append("count: Callable[[int], int]")
            adjacent.append('"count": linf_distance(1)')
        parameters += ["n: int", "t: float", "eps: float"]
        requires = ["eps > 0", *(item for item in ("n >= 1", "len(q) > 0", "t > 0") if rng.random() < 0.4)]
        claim = (
            ', epsilon="1", delta="0.0001"' if self.gaussian else rng.choice(("", "", ', epsilon="2*eps"'))
        )
        facts = f", facts={self.facts!r}" if self.facts else ""
        scope = Scope()
        scope.names[INT] += ["n", "len(q)"]
        scope.names[REAL] += ["t", "eps"]
        scope.names[self.scalar].append("x")
        body = ["out = []"] if self.listed else []
        body += self.block(scope, rng.randint(1, 4), 0)
        body.append(self.result(scope))
        lines = indent("\n".join(body), "    ")
        stated = f'adjacent={{{", ".join(adjacent)}}}, requires="{" and ".join(requires)}"'
        head = f"@mechanism({stated}{claim}{facts})"
        return (
            f"from synth.lang import *\n\n\n{HELPERS}\n\n{head}\ndef f({', '.join(parameters)}):\n{lines}\n"
        )

    def fresh(self) -> str:
        """A new name."""
        self.number += 1
        return f"v{self.number}"

    def result(self, scope: Scope) -> str:
        """A return of the program's one shape."""
        parts = [self.atom(scope, self.rng.choice((INT, REAL, BOOL))) for _ in range(self.results)]
        return f"return {', '.join([*parts, *(['out'] if self.listed else [])])}"

    # --- statements -------------------------------------------------------------------------

    def block(self, scope: Scope, size: int, depth: int) -> list[str]:
        """Some statements; the names that they bind are added to the scope."""
        lines: list[str] = []
        for _ in range(size):
            ways: list[Callable[[Scope, int], list[str]]] = [self.assigned, self.drawn, self.updated]
            ways += [self.drawn, self.chosen] + [self.appended] * self.listed
            if depth < 3:
                ways += [self.branch, self.branch, self.early] + [self.loop, self.repeat] * (scope.loops < 2)
            lines += self.rng.choice(ways)(scope, depth)
        return lines or ["pass"]

    def assigned(self, scope: Scope, depth: int) -> list[str]:
        """A new local."""
        sort, name = self.rng.choice((INT, REAL, BOOL)), self.fresh()
        value = self.value(scope, sort)
        scope.names[sort].append(name)
        return [f"{name} = {value}"]

    def updated(self, scope: Scope, depth: int) -> list[str]:
        """A local gets another value."""
        sort = self.rng.choice((INT, REAL, BOOL))
        known = [name for name in scope.names[sort] if name.startswith("v")]
        if not known:
            return self.assigned(scope, depth)
        return [f"{self.rng.choice(known)} = {self.value(scope, sort)}"]

    def drawn(self, scope: Scope, depth: int) -> list[str]:
        """Noise."""
        rng, name = self.rng, self.fresh()
        sort = rng.choice((INT, REAL))
        scale = rng.choice(("1 / eps", "2 / eps", "4 / eps", "n / eps", "len(q) / eps", "t", "1"))
        kinds = ["laplace", "laplace", "laplace", "noisy", "exponential"] + ["gaussian"] * 3 * self.gaussian
        kind = rng.choice(kinds)
        scale = rng.choice(("4", "sqrt(len(q)) * 4", "8")) if kind == "gaussian" else scale
        center = self.value(scope, sort)
        scope.names[sort].append(name)
        return [f"{name} = {kind}({center}, {scale})"]

    def chosen(self, scope: Scope, depth: int) -> list[str]:
        """A draw of finitely many values."""
        rng, name = self.rng, self.fresh()
        whole = (
            "uniform_int(0, len(q) - 1)",
            f"uniform_int(0, {rng.randint(1, 3)})",
            "choice(len(q), lambda r: eps * q[r])",
            "exponential_mechanism(len(q), lambda r: q[r], eps, 1)",
        )
        truth = (f"randomized_response({self.atom(scope, BOOL)}, eps)", "bernoulli(1 / 3)")
        sort = rng.choice((INT, BOOL))
        scope.names[sort].append(name)
        return [f"{name} = {rng.choice(whole if sort == INT else truth)}"]

    def appended(self, scope: Scope, depth: int) -> list[str]:
        """An entry of the list that is returned."""
        return [f"out.append({self.atom(scope, self.entry)})"]

    def branch(self, scope: Scope, depth: int) -> list[str]:
        """A branch; what it binds is forgotten."""
        lines = [f"if {self.value(scope, BOOL)}:", *self.inside(scope.inner(), depth)]
        if self.rng.random() < 0.5:
            lines += ["else:", *self.inside(scope.inner(), depth)]
        return lines

    def early(self, scope: Scope, depth: int) -> list[str]:
        """An early return, or an exit of a loop, where the data are too few or noise says so."""
        rng = self.rng
        condition = rng.choice(("len(q) == 0", "not len(q)", "n < 1", self.value(scope, BOOL)))
        ends = [self.result(scope)] + ["break", "continue"] * (scope.loops > 0)
        return [f"if {condition}:", indent(rng.choice(ends), "    ")]

    def loop(self, scope: Scope, depth: int) -> list[str]:
        """A ``for`` loop."""
        rng, inner, name = self.rng, scope.inner(1), self.fresh()
        kind = rng.randrange(6)
        if kind == 0:
            inner.names[self.entry].append(name)
            return [f"for {name} in q:", *self.inside(inner, depth)]
        inner.names[INT].append(name)
        if kind < 4:
            inner.indices.append(name)
        ranges = ("", "len(q)", "len(q)", "0, len(q), 2", "n", str(rng.randint(1, 3)))
        return [f"for {name} in range({ranges[kind]}):", *self.inside(inner, depth)]

    def repeat(self, scope: Scope, depth: int) -> list[str]:
        """A ``while`` loop that counts."""
        rng, inner, name = self.rng, scope.inner(1), self.fresh()
        factor, most = rng.choice((1, 1, 2, 11)), rng.choice(("len(q)", "n", "3"))
        inner.names[INT].append(name)
        if most == "len(q)":
            inner.indices.append(name)
        also = f" and {self.value(scope, BOOL)}" if rng.random() < 0.2 else ""
        head = (
            f"while {factor} * {name} + {factor} <= {most}{also}:"
            if factor > 1
            else f"while {name} < {most}{also}:"
        )
        inside = self.inside(inner, depth)
        scope.names[INT].append(name)
        return [f"{name} = 0", head, *inside, f"    {name} += 1"]

    def inside(self, scope: Scope, depth: int) -> list[str]:
        """An indented block."""
        return indent("\n".join(self.block(scope, self.rng.randint(1, 3), depth + 1)), "    ").split("\n")

    # --- expressions ------------------------------------------------------------------------

    def atom(self, scope: Scope, sort: str) -> str:
        """A name, an entry or a number."""
        rng = self.rng
        known = list(scope.names[sort])
        if sort == self.entry:
            known += [f"q[{index}]" for index in scope.indices]
        if sort == INT and self.counted:
            known += ["count(0)", *(f"count({index})" for index in scope.indices)]
        literals = {INT: ("0", "1", "2"), REAL: ("0.0", "0.5", "1.0"), BOOL: ("True", "False")}
        return rng.choice(known) if known and rng.random() < 0.8 else rng.choice(literals[sort])

    def value(self, scope: Scope, sort: str) -> str:
        """An expression."""
        rng = self.rng
        one, two = self.atom(scope, sort), self.atom(scope, sort)
        if sort == BOOL:
            kind = rng.choice((INT, REAL))
            left, right = self.atom(scope, kind), self.atom(scope, kind)
            order = rng.choice(("<", "<=", ">", ">=", "=="))
            return rng.choice(
                (
                    f"{left} {order} {right}",
                    f"{left} {order} {right}",
                    f"not {one}",
                    f"{one} and {two}",
                    f"{one} or {two}",
                )
            )
        shared = (
            one,
            one,
            f"{one} + {two}",
            f"{one} - {two}",
            f"2 * {one}",
            f"max({one}, {two})",
            f"abs({one})",
        )
        test = self.atom(scope, BOOL)
        shared += (
            f"({one} if {test} else {two})",
            f"larger({one}, {two})",
            f"{one} * {two}",
            f"{one} * ({two} >= {two})",
        )
        if sort == INT:
            return rng.choice((*shared, f"{one} // 2", f"{one} % 3", f"{one} // n"))
        return rng.choice((*shared, f"{one} / 2", f"{one} / len(q)", f"{one} / t", f"sqrt(abs({one}))"))


def typed_program(rng: random.Random) -> str:
    """The text of a program with one mechanism, ``f``."""
    return Writer(rng).text()
