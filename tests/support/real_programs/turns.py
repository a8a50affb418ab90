"""Lists that are asked for by another name, calls that change what they give, names that are deleted."""

from __future__ import annotations

from tests.support.real_programs.writing import Grammar, Writer

OBJECT, COUNTS, SHARED = "object that turns", "dict of counts", "list that functions give back"

_TURNING = """class Turning:
    def __init__(self, x, shared):
        self.n = 0
        self.x = x
        self.shared = shared
        self.source = random.Random()
        self.held = abs_of
    def turn(self):
        self.n = self.x - self.n
        return self
    def drawing(self):
        self.n += 1
        return self.source
    def key(self):
        self.n += 1
        return self.n % 2
    def size(self):
        return len(self.shared)
    @property
    def noted(self):
        self.shared.append(1)
        return self
    def items(self):
        return [1, self.n]"""


def _definitions(w: Writer) -> None:
    w.line("def abs_of(v):")
    w.line("    return abs(v)")
    for line in _TURNING.split("\n"):
        w.line(line)


def _starts(w: Writer) -> None:
    first = w.simple()
    shared, turning, counts = w.new(SHARED, "shared"), w.new(OBJECT, "turning"), w.new(COUNTS, "counts")
    w.names.setdefault("own list", []).append(shared)
    w.line(f"{shared} = [3, {first}]")
    w.line(f"{turning} = Turning({w.simple()}, {w.rng.choice([shared, '[2]'])})")
    w.line(f"{counts} = {{0: {first}, 1: 5}}")
    w.line(f"size = lambda: len({shared})")
    w.line(f"given = lambda: {shared}")
    w.line("def last():")
    w.line(f"    return {w.rng.choice([f'{shared}[-1]', f'{shared}.pop()', 'given()[0]', 'size()'])}")


def _asked(w: Writer) -> str:
    o, shared = w.known(OBJECT), w.known(SHARED)
    ways = ["size()", "last()", "sum(given())", "given()[0]", f"{o}.size()", f"{o}.key()", f"{o}.n"]
    ways += [f"{o}.turn().n", f"{o}.turn().held(2)", f"{o}.noted.n", f"sum({o}.items())"]
    return w.rng.choice([*ways, f"len({shared})", f"{w.known(COUNTS)}[{w.rng.choice('01')}]"])


def _in_turn(w: Writer) -> str:
    one, other = _asked(w), _asked(w)
    return w.rng.choice([f"({one} + {other})", f"(0 < {one} < {other})", f"[{one}, {other}, {one}][1]"])


def _made_anew(w: Writer) -> None:
    shared, asked = w.known(SHARED), _asked(w)
    made = w.rng.choice([f"[{asked} for _ in range(2)]", f"[v for v in range(4) if v < {asked}]"])
    made = w.rng.choice([made, f"[{asked}, {_asked(w)}]"])
    ways = ["{0} = {1}", "{0} += {1}", "{0} = {0} + {1}", "{0}.extend({1})"]
    w.line(w.rng.choice(ways).format(shared, made))


def _changed(w: Writer) -> None:
    ways = ["{}.append({})", "{}[0] = {}", "{}.insert(0, {})", "{}[0] += {}"]
    w.line(w.rng.choice(ways).format(w.known(SHARED), _asked(w)))


def _second_name(w: Writer) -> None:
    again = f"again{w.fresh}"
    w.fresh += 1
    if w.rng.random() < 0.4:
        w.line(f"{again} = [0, {w.simple()}]")
    w.line(f"{again} = {w.rng.choice(['given()', 'list(given())', 'sorted(given())', 'given()[:]'])}")
    ways = ["{}.append({})", "{}[0] = {}", "{}.sort()", "{}.pop()", "{} += [{}]"]
    w.line(w.rng.choice(ways).format(again, _asked(w)))


def _evaluated(w: Writer) -> None:
    o, counts = w.known(OBJECT), w.known(COUNTS)
    ways = [f"{o}.drawing().random()", f"{o}.turn().held(1)", f"{o}.turn()", f"{o}.noted.turn()"]
    ways += [f"{counts}[{_key(w)}] += {_asked(w)}", f"{counts}[{_key(w)}] = {_asked(w)}"]
    w.line(w.rng.choice(ways))


def _key(w: Writer) -> str:
    return w.rng.choice([f"{w.known(OBJECT)}.key()", "size() % 2", "0"])


def _run_over(w: Writer) -> None:
    o = w.known(OBJECT)
    w.line(f"for item in {w.rng.choice([f'{o}.noted.items()', f'{o}.turn().items()', 'given()'])}:")
    w.line(f"    {o}.n += item + {w.rng.choice(['size()', f'{o}.key()', '1'])}")


def _deleted(w: Writer) -> None:
    name = f"gone{w.fresh}"
    w.fresh += 1
    w.line(f"{name} = {w.number()}")
    w.line(f"for _ in range({w.rng.choice(['1', '2', 'size()'])}):")
    with w.block():
        if w.rng.random() < 0.4:
            w.line(f"{name} = {w.simple()}")
        if w.rng.random() < 0.5:
            w.line(f"if {w.condition()}:")
            w.line(f"    {w.rng.choice([f'del {name}', f'{name} = 1'])}")
        else:
            w.line(f"{w.known(OBJECT)}.n += {name}")
            w.line(f"del {name}")
    if w.rng.random() < 0.3:
        w.line(f"{w.known(OBJECT)}.n += {name}")


TURNS = Grammar(
    numbers=[_asked, _asked, _in_turn],
    statements=[_made_anew, _changed, _second_name, _evaluated, _run_over, _deleted],
    definitions=[_definitions],
    starts=[_starts],
)
"""Lists, dicts and objects that change while something asks for them."""
