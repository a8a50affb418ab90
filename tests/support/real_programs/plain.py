"""Numbers, branches, loops and lists."""

from __future__ import annotations

from tests.support.real_programs.writing import LIST, NUMBER, Grammar, NoneFits, Writer


def _arithmetic(w: Writer) -> str:
    return f"({w.number()} {w.rng.choice(['+', '-', '*'])} {w.simple()})"


def _call(w: Writer) -> str:
    one, other = w.number(), w.number()
    return w.rng.choice([f"max({one}, {other})", f"min({one}, {other})", f"abs({one})", f"-{w.simple()}"])


def _divided(w: Writer) -> str:
    return f"({w.simple()} {w.rng.choice(['// 2', '% 3', '/ 2'])})"


def _chosen(w: Writer) -> str:
    return f"({w.number()} if {w.condition()} else {w.simple()})"


def _counted(w: Writer) -> str:
    xs = w.known(LIST)
    return w.rng.choice([f"len({xs})", f"sum({xs})", f"max({xs}, default=0)", f"sum(sorted({xs})[:1])"])


def _looked_for(w: Writer) -> str:
    xs = w.known(LIST)
    return w.rng.choice([f"int({w.simple()} in {xs})", f"{xs}.count({w.simple()})", f"int(any({xs}))"])


def _reduced(w: Writer) -> str:
    of = w.rng.choice(["sum", "len", "any", "all"])
    inner = _comprehension(w)
    return f"int({of}({inner}))" if of == "len" else f"int({of}({inner[1:-1]}))"


def _comprehension(w: Writer) -> str:
    over = w.iterable()
    w.depth += 1
    with w.block():
        w.indent -= 1
        v = w.new(NUMBER, "v")
        test = f" if {w.condition()}" if w.rng.random() < 0.4 else ""
        text = f"[{w.number()} for {v} in {over}{test}]"
        w.indent += 1
    w.depth -= 1
    return text


def _list(w: Writer) -> str:
    return w.known(LIST)


def _slice(w: Writer) -> str:
    xs = w.known(LIST)
    return xs + w.rng.choice(["[1:]", "[:-1]", "[::-1]", "[:2]", f"[{w.rng.randint(-2, 2)}:]"])


def _turned(w: Writer) -> str:
    return f"reversed({w.known(LIST)})"


def _display(w: Writer) -> str:
    return f"[{w.number()}, {w.simple()}]"


def _range(w: Writer) -> str:
    return f"range({w.rng.randint(0, 3)})"


# --- statements -----------------------------------------------------------------------------


def _assign(w: Writer) -> None:
    value = w.number()
    w.line(f"{w.new(NUMBER, 'n')} = {value}")


def _augment(w: Writer) -> None:
    w.line(f"{w.known('variable')} {w.rng.choice(['+=', '-=', '*='])} {w.number()}")


def _variable(w: Writer) -> None:
    value = w.number()
    name = w.new(NUMBER, "t")
    w.names.setdefault("variable", []).append(name)
    w.line(f"{name} = {value}")


def _new_list(w: Writer) -> None:
    value = w.rng.choice([_comprehension, _display, _slice])(w)
    name = w.new(LIST, "xs")
    w.names.setdefault("own list", []).append(name)
    w.line(f"{name} = {value}")


def _change_list(w: Writer) -> None:
    xs = w.known("own list")
    ways = [
        f"{xs}.append({w.number()})",
        f"{xs}.extend({_display(w)})",
        f"{xs} += {_display(w)}",
        f"{xs}[0] = {w.number()}",
        f"{xs}[-1] += {w.simple()}",
        f"{xs}.insert({w.rng.randint(-1, 3)}, {w.number()})",
        f"{xs}.pop()",
        f"{xs} = {xs} + {_display(w)}",
        f"{xs} = {_comprehension(w)}",
    ]
    way = w.rng.choice(ways)
    if "[0]" in way or "[-1]" in way or "pop" in way:
        w.line(f"if {xs}:")
        way = f"    {way}"
    w.line(way)


def _popped(w: Writer) -> None:
    xs = w.known("own list")
    left, right = w.rng.sample([f"{xs}.pop()", f"len({xs})", f"sum({xs})"], 2)
    w.line(f"if {xs}:")
    w.line(f"    {w.known('variable')} = {left} + {right}")


def _if(w: Writer) -> None:
    w.line(f"if {w.condition()}:")
    with w.block():
        w.statements(w.rng.randint(1, 2))
    if w.rng.random() < 0.4:
        w.line("else:")
        with w.block():
            w.statements(1)


def _for(w: Writer) -> None:
    if w.indent > 2:
        raise NoneFits
    over = w.iterable()
    header = w.rng.choice(["{v} in {over}", "i, {v} in enumerate({over})", "{v}, i in zip({over}, range(2))"])
    with w.block():
        v = w.new(NUMBER, "v")
        w.lines.append("    " * (w.indent - 1) + f"for {header.format(v=v, over=over)}:")
        w.statements(w.rng.randint(1, 2))
        if w.rng.random() < 0.3:
            w.line(f"if {w.condition()}:")
            w.line(f"    {w.rng.choice(['break', 'continue'])}")
            w.statements(1)


def _leave(w: Writer) -> None:
    if w.indent != 1:
        raise NoneFits
    w.line(f"if {w.condition()}:")
    w.line(f"    return {w.simple()}")


PLAIN = Grammar(
    numbers=[_arithmetic, _arithmetic, _call, _divided, _chosen, _counted, _looked_for, _reduced],
    iterables=[_range, _list, _list, _slice, _turned, _display, _comprehension],
    starts=[_variable, _new_list],
    statements=[_assign, _variable, _augment, _new_list, _change_list, _popped, _if, _for, _for, _leave],
)
