"""Functions of the file, nested functions and lambdas."""

from __future__ import annotations

from tests.support.real_programs.writing import LIST, NUMBER, Grammar, Writer

FUNCTION, CHANGING, LOOKING = "function", "function that changes a list", "function that uses an iterator up"


def _helper(w: Writer) -> None:
    w.line("def g(a, b=2, *, c=0):")
    with w.block():
        w.names = {**w.names, NUMBER: ["a", "b", "c"], LIST: [], "variable": ["a"], "own list": []}
        w.statements(w.rng.randint(0, 2))
        w.line(f"return {w.number()}")
    w.names[FUNCTION] = ["g"]


def _changing(w: Writer) -> None:
    name = w.new(CHANGING, "put")
    w.line(f"def {name}(ys, v):")
    w.line(f"    ys.append({w.rng.choice(['v', 'v + len(ys)', 'v * 2'])})")
    w.line(f"    return {w.rng.choice(['len(ys)', 'v', 'sum(ys)'])}")


def _looking(w: Writer) -> None:
    name = w.new(LOOKING, "first")
    w.line(f"def {name}(them, gone):")
    w.line("    s = 0")
    w.line("    for v in them:")
    w.line("        s = s * 2 + v")
    w.line(f"        if s > {w.rng.choice(['3', 'gone', '100'])}:")
    w.line("            break")
    w.line("    return s")


def _called(w: Writer) -> str:
    g, one, other = w.known(FUNCTION), w.number(), w.simple()
    return w.rng.choice(
        [f"{g}({one})", f"{g}({one}, {other})", f"{g}(b={one}, a={other})", f"{g}({one}, c={other})"]
    )


def _changed(w: Writer) -> str:
    return f"{w.known(CHANGING)}({w.known('own list')}, {w.simple()})"


def _twice(w: Writer) -> str:
    xs = w.known("own list")
    parts = [f"{w.known(CHANGING)}({xs}, {w.simple()})", f"len({xs})", f"sum({xs})"]
    w.rng.shuffle(parts)
    return f"({parts[0]} - {parts[1]})"


def _looked(w: Writer) -> str:
    first, xs = w.known(LOOKING), w.known(LIST)
    them = w.rng.choice([xs, f"(v + 1 for v in {xs})", f"reversed({xs})", f"(v for v in {xs} if v > 0)"])
    gone = (
        w.rng.choice([w.simple(), _changed(w)]) if w.names.get(CHANGING) and w.names.get("own list") else "0"
    )
    return f"{first}({them}, {gone})"


def _sorted(w: Writer) -> str:
    xs = w.known(LIST)
    key = w.rng.choice([f"lambda v: v * {w.simple()}", "lambda v: -v", "abs"])
    return w.rng.choice([f"sum(sorted({xs}, key={key})[:1])", f"max({xs}, key={key}, default=0)"])


def _looked_at(w: Writer) -> None:
    w.line(f"{w.new(NUMBER, 'n')} = {w.rng.choice([_twice, _looked])(w)}")


def _nested(w: Writer) -> None:
    value = w.number()
    name = w.new(FUNCTION, "h")
    if w.rng.random() < 0.5:
        w.line(f"{name} = lambda a, b=2, *, c=0: {w.rng.choice(['a + b', 'a * c', 'b'])} + {value}")
    else:
        w.line(f"def {name}(a, b={w.simple()}, *, c=0):")
        w.line(f"    return a * b + c - {value}")


FUNCTIONS = Grammar(
    numbers=[_called, _changed, _twice, _looked, _sorted],
    statements=[_nested, _looked_at],
    definitions=[_helper, _changing, _looking],
)
