"""Programs as numbered instructions with jumps, and what is live before each."""

from __future__ import annotations

from dataclasses import dataclass

from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions


@dataclass(frozen=True)
class Branch:
    """Go on if the condition holds, else at ``otherwise``; without a condition always there."""

    condition: ir.Expression | None
    otherwise: int


Instruction = (
    ir.Assign | ir.Draw | ir.Choose | ir.NewList | ir.Append | ir.Return | ir.Assume | ir.Obligation | Branch
)


@dataclass(frozen=True)
class Flat:
    """The instructions, and what may be read from each on (of a list its ``name`` and its ``name#len``)."""

    code: tuple[Instruction, ...]
    live: tuple[frozenset[str], ...]


def flatten(body: tuple[ir.Statement, ...], kept: frozenset[str]) -> Flat:
    """The program flat; ``kept`` are the lists whose entries count when they are returned."""
    code: list[Instruction] = []
    _emit(body, code, {})
    return Flat(tuple(code), _live(code, kept))


def _emit(body: tuple[ir.Statement, ...], code: list[Instruction], leaving: dict[str, list[int]]) -> None:
    for statement in body:
        match statement:
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                first = len(code)
                code.append(Branch(condition, 0))
                _emit(then, code, leaving)
                second = len(code)
                code.append(Branch(None, 0))
                code[first] = Branch(condition, len(code))
                _emit(otherwise, code, leaving)
                code[second] = Branch(None, len(code))
            case ir.Loop(body=inner):
                head = len(code)
                _emit(inner, code, leaving)
                code.append(Branch(None, head))
            case ir.Block(label=label, body=inner):
                jumps: list[int] = []
                _emit(inner, code, {**leaving, label: jumps})
                for place in jumps:
                    code[place] = Branch(None, len(code))
            case ir.Exit(label=label):
                leaving[label].append(len(code))
                code.append(Branch(None, 0))
            case _:
                code.append(statement)


def _live(code: list[Instruction], kept: frozenset[str]) -> tuple[frozenset[str], ...]:
    """The usual backward analysis, repeated until nothing changes."""
    live: list[frozenset[str]] = [frozenset()] * (len(code) + 1)
    changed = True
    while changed:
        changed = False
        for place in range(len(code) - 1, -1, -1):
            found = _before(code[place], live, place, kept)
            if found != live[place]:
                live[place], changed = found, True
    return tuple(live)


def _before(
    item: Instruction, live: list[frozenset[str]], place: int, kept: frozenset[str]
) -> frozenset[str]:
    after = live[place + 1]
    match item:
        case ir.Return(values=values, lists=lists):
            return _read(*values) | {f"{name}#len" for name in lists} | (kept & set(lists))
        case Branch(condition=None, otherwise=there):
            return live[there]
        case Branch(condition=condition, otherwise=there):
            assert condition is not None
            return after | live[there] | _read(condition)
        case ir.Assign(target=target, value=value):
            return (after - {target}) | _read(value)
        case ir.Draw(target=target, arguments=arguments):
            return (after - {target}) | _read(*arguments)
        case ir.Choose(target=target, index=index):
            return (after - {target}) | (_read(*expressions(item)) - {index})
        case ir.NewList(target=target):
            return after - {target, f"{target}#len"}
        case ir.Append(target=target, values=values):
            return after | _read(*values) | {f"{target}#len"}
        case ir.Assume(condition=condition) | ir.Obligation(condition=condition):
            return after | _read(condition)
    raise AssertionError(item)


def _read(*parts: ir.Expression) -> frozenset[str]:
    found = set()
    for expression in parts:
        for part in ir.subexpressions(expression):
            match part:
                case ir.Variable(name=name):
                    found.add(name)
                case ir.Length(sequence=sequence):
                    found.add(f"{sequence}#len")
                case ir.Element(source=source):
                    found |= {source, f"{source}#len"}
    return frozenset(found)
