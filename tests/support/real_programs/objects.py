"""Classes, dataclasses and named tuples, and their objects."""

from __future__ import annotations

from tests.support.real_programs.writing import NUMBER, Grammar, Writer

OBJECT, RECORD, PAIR = "object", "object of a dataclass", "named tuple"

_CLASSES = """class Base:
    STEP = 2
    def __init__(self, at):
        self.at = at
    @property
    def double(self):
        return self.at * 2
    @staticmethod
    def of(a):
        return a + 1
class Count(Base):
    def __init__(self, at, xs):
        super().__init__({start})
        self.xs = xs
        self.own = []
        self.on = False
    def go(self, by=1):
        self.at {change} by * self.STEP
        self.on = {test}
        self.own.append(by)
        return {result}
    def put(self, v):
        self.xs.append(v)
        return len(self.xs)
    def turn(self):
        self.at += 1
        return self
    def listed(self):
        return self.xs
@dataclass{frozen}
class Item:
    K: ClassVar[int] = 3
    a: int = 0
    b: int = {default}
    def total(self):
        return self.a * self.K + self.b
class Pair(NamedTuple):
    a: int
    b: int = {default}
    def swapped(self):
        return Pair(self.b, self.a)
"""


def _classes(w: Writer) -> None:
    text = _CLASSES.format(
        start=w.rng.choice(["at", "at + 1", "Base.of(at)", "max(at, 0)"]),
        change=w.rng.choice(["+=", "-="]),
        test=w.rng.choice(["self.at > 2", "not self.on", "by != 0"]),
        result=w.rng.choice(["self.at", "self.double", "len(self.own)", "self.at + len(self.xs)"]),
        frozen=w.rng.choice(["", "(frozen=True)", "(order=True)"]),
        default=w.rng.randint(-1, 2),
    )
    w.lines += text.rstrip().split("\n")
    w.names["class"] = ["Count"]


def _object(w: Writer) -> None:
    w.known("class")
    value = w.number()
    xs = w.known("own list") if w.names.get("own list") and w.rng.random() < 0.7 else "[1]"
    w.line(f"{w.new(OBJECT, 'o')} = Count({value}, {xs})")


def _record(w: Writer) -> None:
    w.known("class")
    a, b = w.number(), w.simple()
    given = w.rng.choice([f"{a}, {b}", f"b={a}, a={b}", f"{a}", ""])
    w.line(f"{w.new(RECORD, 'item')} = Item({given})")


def _pair(w: Writer) -> None:
    w.known("class")
    a, b = w.number(), w.simple()
    given = w.rng.choice([f"{a}, {b}", f"b={a}, a={b}", f"{a}"])
    w.line(f"{w.new(PAIR, 'p')} = Pair({given})")


def _method(w: Writer) -> str:
    o = w.known(OBJECT)
    return w.rng.choice([f"{o}.go()", f"{o}.go({w.simple()})", f"{o}.put({w.simple()})"])


def _attribute(w: Writer) -> str:
    o = w.known(OBJECT)
    parts = ["at", "double", "STEP", "xs[0]", "own[-1]", "of(3)"]
    part = w.rng.choice(parts)
    return f"({o}.{part} if {o}.{part[:-3].rstrip('[')} else 0)" if "[" in part else f"{o}.{part}"


def _in_order(w: Writer) -> str:
    o = w.known(OBJECT)
    parts = [f"{o}.at", f"{o}.go()", f"len({o}.own)", f"{o}.double", f"int({o}.on)"]
    one, other = w.rng.sample(parts, 2)
    forms = ["({} - {})", "max({}, {})", "int({} < {})", "sum([{}, {}])", "Pair({}, {}).a", "[{}, {}][0]"]
    return w.rng.choice(forms).format(one, other)


def _of_record(w: Writer) -> str:
    item = w.known(RECORD)
    return w.rng.choice([f"{item}.a", f"{item}.b", f"{item}.total()", f"{item}.K", "Item.K"])


def _of_pair(w: Writer) -> str:
    p = w.known(PAIR)
    forms = [
        "{p}.a",
        "{p}[1]",
        "{p}[-2]",
        "len({p})",
        "{p}.swapped().a",
        "int({p} == (1, {n}))",
        "{p}.swapped()[0]",
    ]
    return w.rng.choice(forms).format(p=p, n=w.simple())


def _asked(w: Writer) -> None:
    w.line(f"{w.new(NUMBER, 'n')} = {w.rng.choice([_in_order, _attribute, _of_record, _of_pair])(w)}")


def _unpack(w: Writer) -> None:
    p = w.known(PAIR)
    w.line(f"{w.new(NUMBER, 'a')}, {w.new(NUMBER, 'b')} = {w.rng.choice([p, f'{p}.swapped()'])}")


def _set(w: Writer) -> None:
    o = w.known(OBJECT)
    w.line(
        w.rng.choice([f"{o}.at = {w.number()}", f"{o}.at += {w.number()}", f"{o}.own.append({w.simple()})"])
    )


def _entry(w: Writer) -> None:
    """An entry of a list that an attribute holds, also of an object that a method gives back."""
    o = w.known(OBJECT)
    owner, part = w.rng.choice([o, o, f"{o}.turn()"]), w.rng.choice(["xs", "own"])
    place = w.rng.choice(["0", "-1", f"{o}.at - {o}.at"])
    w.line(f"if {o}.{part}:")
    w.line(f"    {owner}.{part}[{place}] {w.rng.choice(['=', '+=', '-='])} {w.number()}")


def _second_name(w: Writer) -> None:
    """A second name of a list, by which it is changed."""
    w.known("own list")
    o = w.known(OBJECT)
    first = w.rng.choice([w.known("own list"), f"{o}.listed()", f"{o}.own"])
    name = w.new("own list", "named")
    w.line(f"{name} = {first}")
    w.line(
        w.rng.choice([f"{name}.append({w.simple()})", f"{name}.clear()", f"{o}.put({w.simple()})", "pass"])
    )
    w.line(f"{w.new(NUMBER, 'n')} = len({first}) + sum({name})")


def _again(w: Writer) -> None:
    o = w.known(OBJECT)
    w.line(f"if {w.condition()}:")
    w.line(f"    {o}.__init__({w.simple()}, {w.rng.choice([w.known('own list'), '[2]'])})")


def _held(w: Writer) -> str:
    return f"{w.known(OBJECT)}.{w.rng.choice(['xs', 'own'])}"


OBJECTS = Grammar(
    numbers=[_method, _attribute, _in_order, _in_order, _of_record, _of_pair],
    iterables=[_held],
    starts=[_object],
    statements=[_asked, _asked, _object, _record, _pair, _unpack, _set, _again, _entry, _entry, _second_name],
    definitions=[_classes],
)
