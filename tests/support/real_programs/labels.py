"""Strings, members of an Enum, and dicts."""

from __future__ import annotations

from tests.support.real_programs.writing import Grammar, Writer

LABEL, MEMBER, TABLE = "label", "member of an Enum", "dict"
_MEMBERS = ("Mode.UP", "Mode.DOWN", "Mode.OFF")


def _enum(w: Writer) -> None:
    w.lines += ["class Mode(Enum):", "    UP = 1", "    DOWN = 2", "    OFF = 5"]


def _label(w: Writer) -> None:
    condition = w.condition()
    one, other = w.rng.sample(['"a"', '"b"', '"c"'], 2)
    w.line(f"{w.new(LABEL, 's')} = {one} if {condition} else {other}")


def _member(w: Writer) -> None:
    condition = w.condition()
    one, other = w.rng.sample(_MEMBERS, 2)
    name = w.new(MEMBER, "m")
    w.line(f"{name} = {one}")
    w.line(f"if {condition}:")
    w.line(f"    {name} = {other}")


def _table(w: Writer) -> None:
    one, other = w.number(), w.simple()
    w.line(f"{w.new(TABLE, 'd')} = {{'a': {one}, 'b': {other}, 'c': 0}}")


def _put(w: Writer) -> None:
    d, key = w.known(TABLE), w.rng.choice(["'a'", "'c'", *w.names.get(LABEL, [])])
    w.line(f"{d}[{key}] {w.rng.choice(['=', '+='])} {w.number()}")


def _asked(w: Writer) -> str:
    s = w.known(LABEL)
    form = w.rng.choice(['({n} if {s} == "a" else 2)', 'int({s} in ("a", "z"))', 'int({s} != "b")'])
    return form.format(s=s, n=w.simple())


def _of_member(w: Writer) -> str:
    form = w.rng.choice(["int({m} is {k})", "({n} if {m} == {k} else 0)", "{m}.value", "int({m} in ({k},))"])
    return form.format(m=w.known(MEMBER), k=w.rng.choice(_MEMBERS), n=w.simple())


def _read(w: Writer) -> str:
    d = w.known(TABLE)
    forms = [f"{d}['b']", f"len({d})", f"sum({d}.values())", f"{d}.get('z', 3)", f"int('z' in {d})"]
    forms += [f"{d}[{s}]" for s in w.names.get(LABEL, [])]
    return w.rng.choice(forms)


LABELS = Grammar(
    numbers=[_asked, _of_member, _read, _read],
    statements=[_label, _member, _table, _put],
    definitions=[_enum],
    starts=[_label, _table],
)
