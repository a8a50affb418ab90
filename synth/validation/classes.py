"""Classes of the program: plain ones, dataclasses, Enums, named tuples, exceptions."""

from __future__ import annotations

from typing import Any

from synth.validation.runs import Run
from synth.validation.values import (
    ClassValue,
    ExceptionValue,
    Function,
    Instance,
    Marked,
    Member,
    NamedTuple,
    NamedTupleType,
    Native,
    NotComputed,
    Raised,
    Value,
)


class Base:
    """What a class inherits from, by the name of it."""


class EnumBase(Base):
    """``enum.Enum``."""


class NamedTupleBase(Base):
    """``typing.NamedTuple``."""


class Factory:
    """``dataclasses.field(default_factory=…)``."""

    def __init__(self, function: Value) -> None:
        self.function = function


def define(run: Run, name: str, bases: tuple[Value, ...], names: dict[str, Value]) -> Value:
    """The class of a class statement."""
    fields = names.pop("__fields__", [])
    if NamedTupleBase in bases:
        if any(item.startswith("__") for item in names):
            raise NotComputed("a special method")
        return NamedTupleType(name, tuple(fields), names)
    for base in bases:
        known = isinstance(base, ClassValue) or base in (EnumBase, object)
        if not known and not (isinstance(base, type) and issubclass(base, BaseException)):
            raise NotComputed(f"a class of {base}")
    if len(bases) > 1:
        raise NotComputed("several bases")
    if any(item.startswith("__") and item.endswith("__") and item not in _KNOWN for item in names):
        raise NotComputed("a special method")
    kept = () if bases in ((EnumBase,), (object,)) else bases
    found = ClassValue(name, kept, names, is_enum=EnumBase in bases)
    if any(isinstance(base, ClassValue) and base.is_enum for base in bases):
        raise NotComputed("an Enum of an Enum")
    if found.is_enum:
        _members(found)
    for item, value in list(names.items()):
        inner = value.function if isinstance(value, Marked) else value
        if isinstance(inner, Function):
            owned = Function(inner.node, inner.scope, inner.defaults, inner.keyword_defaults, found)
            names[item] = Marked(value.kind, owned) if isinstance(value, Marked) else owned
    found.names["__fields__"] = fields
    return found


def by_call(base: type[Base], given: list[Value], named: dict[str, Value]) -> Value:
    """The class of ``NamedTuple(…)`` or ``Enum(…)``, by its name and those of its parts."""
    match base, given:
        case _, _ if named:
            raise NotComputed("a class by a call")
        case type(), [str(name), [*pairs]] if base is NamedTupleBase:
            return NamedTupleType(name, tuple(part for part, _ in pairs))
        case type(), [str(name), str() | list() | tuple() as texts] if base is EnumBase:
            names = texts.replace(",", " ").split() if isinstance(texts, str) else texts
            made = ClassValue(name, (), {}, is_enum=True)
            made.names |= {
                item: Member(name, item, place, id(made)) for place, item in enumerate(names, start=1)
            }
            return made
    raise NotComputed("a class by a call")


_KNOWN = frozenset(
    [
        "__init__",
        "__call__",
        "__len__",
        "__getitem__",
        "__setitem__",
        "__eq__",
        "__bool__",
        "__add__",
        "__radd__",
        "__sub__",
        "__rsub__",
        "__mul__",
        "__rmul__",
        "__truediv__",
        "__lt__",
        "__le__",
        "__gt__",
        "__ge__",
        "__module__",
        "__doc__",
        "__post_init__",
        "__repr__",
        "__str__",
    ]
)


def _members(found: ClassValue) -> None:
    seen: list[tuple[Value, Member]] = []
    for name, value in list(found.names.items()):
        if isinstance(value, Function | Marked) or name.startswith("_"):
            continue
        if isinstance(value, Auto):
            value = len(seen) + 1
        same = [member for known, member in seen if known == value]
        member = same[0] if same else Member(found.name, name, value, id(found))
        seen.append((value, member))
        found.names[name] = member


class Auto:
    """``enum.auto()``."""


def make(run: Run, kind: ClassValue, given: list[Value], named: dict[str, Value]) -> Value:
    """An object of a class."""
    if kind.is_enum:
        for item in kind.names.values():
            if isinstance(item, Member) and item.value == given[0]:
                return item
        raise Raised(ExceptionValue(ValueError, ("no member",)))
    if kind.inherits(BaseException) or any(
        isinstance(item, type) and issubclass(item, BaseException) for item in kind.line()
    ):
        if kind.find("__init__") is not None or named:
            made = Instance(kind, {"args": tuple(given)})
            run.call(kind.find("__init__"), [made, *given], named)
            return ExceptionValue(kind, tuple(made.names["args"]))
        return ExceptionValue(kind, tuple(given))
    made = Instance(kind)
    init = kind.find("__init__")
    if init is not None:
        run.call(init, [made, *given], named)
    elif kind.fields is not None:
        _fill(run, made, given, named)
    elif given or named:
        raise Raised(ExceptionValue(TypeError, ("takes no arguments",)))
    return made


def dataclass(run: Run, kind: Value = None, /, **options: Value) -> Value:
    """The decorator of the standard library."""
    if kind is None:
        return Native("dataclass", lambda run, found: dataclass(run, found, **options))
    if not isinstance(kind, ClassValue) or set(options) - {"frozen", "eq", "repr", "order"}:
        raise NotComputed("a dataclass")
    if options.get("eq", True) is not True:
        raise NotComputed("a dataclass without eq")
    above = [base.fields or () for base in kind.bases if isinstance(base, ClassValue)]
    own = kind.names.get("__fields__", [])
    kind.fields = tuple(dict.fromkeys([*(name for names in above for name in names), *own]))
    if options.get("order"):
        kind.names["__ordered__"] = True
    if options.get("frozen") or any(
        isinstance(b, ClassValue) and b.names.get("__frozen__") for b in kind.bases
    ):
        kind.names["__frozen__"] = True
    return kind


def _fill(run: Run, made: Instance, given: list[Value], named: dict[str, Value]) -> None:
    fields = made.type.fields or ()
    values = dict(zip(fields, given, strict=False))
    if len(given) > len(fields) or any(name not in fields or name in values for name in named):
        raise Raised(ExceptionValue(TypeError, ("an argument",)))
    values.update(named)
    for name in fields:
        if name not in values:
            default = made.type.find(name)
            if not made.type.has(name):
                raise Raised(ExceptionValue(TypeError, ("an argument is missing",)))
            values[name] = run.call(default.function, []) if isinstance(default, Factory) else default
        made.names[name] = values[name]
    after = made.type.find("__post_init__")
    if after is not None:
        run.call(after, [made])


def named_tuple(kind: NamedTupleType, given: list[Value], named: dict[str, Any]) -> NamedTuple:
    """A tuple of a class with names."""
    values = dict(zip(kind.fields, given, strict=False))
    if len(given) > len(kind.fields) or any(name not in kind.fields or name in values for name in named):
        raise TypeError("an argument")
    values = {**kind.names, **values, **named}
    found = NamedTuple(values[name] if name in values else _absent() for name in kind.fields)
    found.type = kind
    return found


def _absent() -> Value:
    raise TypeError("an argument is missing")
