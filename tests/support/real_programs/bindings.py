"""Names and attributes that stand for something else than before, or for nothing yet."""

from __future__ import annotations

from tests.support.real_programs.writing import NUMBER, Grammar, Writer

OBJECT, VALUE = "object with an attribute that may be missing", "value of some kind"

KINDS = {
    "3": ("{} + 1", "{} == 3"),
    "None": ("{} is None", "not {}"),
    "True": ("{} is None", "int({})"),
    "(1, 2)": ("len({})", "{}[0]"),
    "[5, 6]": ("{}[0]", "len({})"),
    "list((5, 6))": ("{}[1]", "sum({})"),
    "[v for v in range(3)]": ("{}[-1]", "len({})"),
    "{0: 7}": ("{}[0]", "len({})"),
    "(lambda v: v + 1)": ("{}(1)", "{}(2)"),
    "np.array([1, 2])": ("{}[0]", "len({})"),
    "np.zeros((2, 2))": ("{}.shape[0]", "{}.sum()"),
    "'a'": ("{} == 'a'", "{} is None"),
    "[(1, [2])]": ("len({})", "{}[0][0]"),
    "Kept(1)": ("{}.get()", "{}.v"),
}
"""Values of many kinds, and what may be asked of each."""

_ASKED = ("{} is None", "isinstance({}, int)", "int(({}, 1)[1])", "len([{}])")
"""What may be asked of a value of any kind."""


def _asked(w: Writer, value: str, name: str) -> str:
    return w.rng.choice([*KINDS[value], *KINDS[value], *_ASKED]).format(name)


def _value(w: Writer) -> str:
    return w.rng.choice(list(KINDS))


def _other(w: Writer, value: str) -> str:
    """Another value, mostly one that may have the same name."""
    return w.rng.choice([value, value, value, "3", "None", _value(w)])


def _kept(w: Writer) -> None:
    value = _value(w)
    start = w.rng.choice(["pass", "self.v = None", *[f"self.v = {value}"] * 4])
    w.line("class Kept:")
    with w.block():
        w.line("def __init__(self, x):")
        w.line(f"    {start}")
        w.line("    if x > 0:")
        w.line(f"        {w.rng.choice(['pass', 'pass', f'self.v = {_other(w, value)}'])}")
        w.line("def put(self, x):")
        w.line("    if x > 1:")
        w.line(f"        {w.rng.choice(['pass', f'self.v = {_other(w, value)}'])}")
        w.line("def get(self):")
        w.line(f"    return {_asked(w, value, 'self.v')}")
    w.names[OBJECT] = []


def _again(w: Writer) -> None:
    value = _value(w)
    w.line("def again(g, x):")
    w.line(f"    {w.rng.choice(['if x > 0', 'for _ in range(x)', 'if x == 0', 'while x > 0'])}:")
    w.line(f"        g = {_other(w, value)}")
    w.line("        x -= 1")
    w.line(f"    return {_asked(w, value, 'g')}")
    w.names[VALUE] = [value]


def _called(w: Writer) -> str:
    return f"again({w.known(VALUE)}, {w.simple()})"


def _object(w: Writer) -> None:
    w.line(f"{w.new(OBJECT, 'kept')} = Kept({w.number()})")
    if w.rng.random() < 0.5:
        w.line(f"{w.known(OBJECT)}.put({w.simple()})")


def _of_object(w: Writer) -> str:
    return f"{w.known(OBJECT)}.get()"


def _anew(w: Writer) -> None:
    value = _value(w)
    other = _other(w, value)
    name = f"it{len(w.lines)}"
    w.line(f"{name} = {value}")
    w.line(w.rng.choice([f"if {w.condition()}:", "for _ in range(2):", "if True:"]))
    w.line(f"    {name} = {other}")
    w.line(f"{w.new(NUMBER, 'n')} = {_asked(w, value, name)}")


def _handled(w: Writer) -> None:
    name = w.known(NUMBER)
    w.line("try:")
    w.line(f"    {w.new(NUMBER, 'n')} = {w.number()}")
    w.line(w.rng.choice([f"except OSError as {name}:", "except OSError:"]))
    w.line(w.rng.choice(["    pass", f"    {name} = 3", f"    del {name}"]))


BINDINGS = Grammar(
    numbers=[_called, _of_object],
    statements=[_object, _anew, _anew, _handled],
    definitions=[_kept, _again],
)
