"""Lists of records: the core program is that of the Python lists, and its adjacency is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from textwrap import dedent
from typing import Any

import pytest

from synth.refuter.exact.inputs import is_adjacent
from synth.refuter.record_lists import python_inputs
from synth.trusted.core.interpreter import Output, outcome
from synth.trusted.core.reader import read_core
from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.reading import is_reading

Columns = dict[str, tuple[Any, ...]]


def text(body: str, adjacent: str, parameters: str) -> str:
    """A program whose mechanism has this body, and a helper."""
    return (
        "from synth.lang import *\n\n\n"
        "def above(rows: list[int], least: int) -> int:\n"
        "    n = 0\n    for r in rows:\n        if r > least:\n            n += 1\n    return n\n\n\n"
        f"@mechanism(adjacent={adjacent}, epsilon=0)\n"
        f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in dedent(body).strip().split("\n"))
    )


def mechanism(of: str) -> ir.Mechanism:
    """The mechanism of a text."""
    (found,) = read_source(of, "test.py")
    return found


def run(of: str, inputs: dict[str, Any]) -> Any:
    """What plain Python returns."""
    names: dict[str, Any] = {}
    exec(compile(of, "test.py", "exec"), names)
    return names["f"].__wrapped__(**inputs)


def flat(value: Any) -> tuple[list[Any], list[list[Any]]]:
    """Values and lists of an output, as the core program has them."""
    match value:
        case tuple():
            parts = [flat(item) for item in value]
            return [x for one, _ in parts for x in one], [x for _, more in parts for x in more]
        case list():
            return [], [value]
        case _:
            return [value], []


def columns(of: ir.Mechanism, length: int, entries: tuple[int, ...] = (0, 1, 5)) -> Iterator[Columns]:
    """All inputs of that length."""
    names = [item.name for item in of.parameters]
    sorts = [item.sort for item in of.parameters]
    ranges = [(False, True) if sort is ir.Sort.BOOL else entries for sort in sorts]
    for rows in product(*(product(values, repeat=length) for values in ranges)):
        yield dict(zip(names, rows, strict=True))


ADD_REMOVE = '{"x": add_remove_distance()}'

BODIES = {
    "a loop": """
        s = 0
        for v in x:
            s += v
        return s
    """,
    "continue and break": """
        s = 0
        for v in x:
            if v == 1:
                continue
            s = 2 * s + 1
            if v == 5:
                break
        return s
    """,
    "else": """
        s = 0
        for v in x:
            if v == 5:
                break
            s += 1
        else:
            s += 10
        return s
    """,
    "a return inside": """
        for v in x:
            if v > 0:
                return v
        return -1
    """,
    "the last one": """
        last = -1
        for v in x:
            last = v
        return last
    """,
    "positions": """
        s = 0
        for i, v in enumerate(x):
            if v == 0:
                continue
            s += i * v
        return s
    """,
    "positions from a start": """
        s = 0
        for i, v in enumerate(x, start=2):
            s = 10 * s + i
        return s
    """,
    "the length": "return len(x) + 2 * len(x)",
    "the length in a loop": """
        n = 0
        for v in x:
            n += len(x)
        return n
    """,
    "empty or not": "return (1 if x else 2) + (10 if not x else 20)",
    "empty and more": """
        if x and len(x) > 1 or not x:
            return 1
        return 0
    """,
    "loops in a loop": """
        s = 0
        for v in x:
            for w in x:
                if v < w:
                    s += 1
        return s
    """,
    "a helper": "return above(x, 0) + above(least=1, rows=x)",
    "a local list": """
        seen = []
        for v in x:
            seen.append(v + 1)
        return seen
    """,
    "a sum": "return sum(x)",
    "a sum of some": "return sum(v + 1 for v in x if v > 0)",
    "a comprehension": "return [2 * v for v in x]",
    "a sum of a comprehension": "return sum([v + 1 for v in x])",
    "a copy": "return list(x)",
    "any": "return any(v == 5 for v in x)",
    "all": "return all(v > 0 for v in x)",
    "the largest": "return max(x, default=7)",
    "sorted": "return sorted(x)",
    "a histogram": """
        cells = [0, 0]
        for v in x:
            cells[min(v, 1)] += 1
        return cells
    """,
    "counted": "return sum(1 for i, v in enumerate(x) if v > i)",
    "an empty body": """
        for v in x:
            pass
        return 3
    """,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_records_that_are_missing_do_nothing(body: str) -> None:
    """The core program on columns and flags does what Python does on the list of those that are there."""
    of = text(body, ADD_REMOVE, "x: list[int]")
    read = mechanism(of)
    for length in range(4):
        for inputs in columns(read, length, (0, 1, 5) if length < 3 else (1, 5)):
            expected = flat(run(of, python_inputs(read, inputs)))
            found = outcome(read, inputs, lambda site, law: 0)
            assert isinstance(found, Output)
            lists = [[row[0] for row in rows] for rows in found.lists]
            assert (list(found.values), lists) == expected, inputs


def test_records_are_tuples() -> None:
    body = """
        s = 0
        for g, a in rows:
            if g > 0:
                s = 7 * s + a
        for r in rows:
            s = 3 * s + r[0] - r[1]
        return s + len(rows)
    """
    for adjacent in ("add_remove_distance()", "change_one_distance()"):
        of = text(body, f'{{"rows": {adjacent}}}', "rows: list[tuple[int, int]]")
        read = mechanism(of)
        for length in range(3):
            for inputs in columns(read, length, (0, 2)):
                found = outcome(read, inputs, lambda site, law: 0)
                assert isinstance(found, Output)
                assert list(found.values) == [run(of, python_inputs(read, inputs))], inputs


def test_lists_of_one_table() -> None:
    """Lists that change together are indexed by their places if none is missing."""
    of = text(
        """
        s = 0
        for i in range(len(x)):
            s = 5 * s + x[i] - y[i]
        return s + len(y)
        """,
        '{"x, y": change_one_distance()}',
        "x: list[int], y: list[int]",
    )
    read = mechanism(of)
    for length in range(3):
        for inputs in columns(read, length, (0, 2)):
            found = outcome(read, inputs, lambda site, law: 0)
            assert isinstance(found, Output)
            assert list(found.values) == [run(of, python_inputs(read, inputs))], inputs


@pytest.mark.parametrize(
    "body",
    [
        "return sum(5 * a - b for a, b in zip(x, y))",
        "s = 0\nfor p in zip(y, x, x):\n    s = 7 * s + p[0] - p[2]\n    if s > 9:\n        break\nreturn s",
        "s = 0\nfor i, (a, b) in enumerate(zip(x, y, strict=True)):\n    s = 3 * s + i * a - b\nreturn s",
        "return [a for (a,) in zip(x)]",
        "return [a + b for a, b in zip(x, y) if a > 0]",
        "s = 0\nfor a, b in zip(x, y):\n    for c, d in zip(y, x):\n        s += a * c - d\nreturn s",
    ],
)
def test_lists_that_lose_records_together_are_run_over_together(body: str) -> None:
    of = text(body, '{"x, y": add_remove_distance()}', "x: list[int], y: list[int]")
    read = mechanism(of)
    for length in range(4):
        for inputs in columns(read, length, (0, 2)):
            found = outcome(read, inputs, lambda site, law: 0)
            assert isinstance(found, Output)
            expected = flat(run(of, python_inputs(read, inputs)))
            assert [list(found.values), [[row[0] for row in rows] for rows in found.lists]] == list(expected)


def test_lists_that_lose_records_by_themselves_are_not_run_over_together() -> None:
    """Their entries would not belong together any more: one record moves all pairs behind it."""
    adjacent = '{"x": add_remove_distance(), "y": add_remove_distance()}'
    of = text("return sum(a * b for a, b in zip(x, y))", adjacent, "x: list[int], y: list[int]")
    assert refused(of).code is Refusal.UNSUPPORTED_LOOP


# --- adjacency ------------------------------------------------------------------------------------


def is_subsequence_but(k: int, one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether at most k insertions and deletions lead from one list to the other."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, j in product(range(len(one) + 1), range(len(other) + 1)):
        if not i or not j:
            table[i][j] = i + j
        elif one[i - 1] == other[j - 1]:
            table[i][j] = table[i - 1][j - 1]
        else:
            table[i][j] = 1 + min(table[i - 1][j], table[i][j - 1])
    return table[-1][-1] <= k


def differ_in_one(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) <= 1


def adjacent_pairs(of: ir.Mechanism, length: int, entries: tuple[int, ...]) -> set[tuple[Any, Any]]:
    """The pairs of inputs of the core program that are adjacent, as Python has them."""
    every = list(columns(of, length, entries))
    pairs = ((one, other) for one in every for other in every if is_adjacent(of, one, other))
    return {tuple(frozen(python_inputs(of, side)) for side in pair) for pair in pairs}  # type: ignore[misc]


def frozen(inputs: dict[str, Any]) -> tuple[Any, ...]:
    lists = [tuple(inputs[name]) for name in sorted(inputs)]
    assert len({len(item) for item in lists}) == 1
    return tuple(zip(*lists, strict=True)) if len(lists) > 1 else lists[0]


@pytest.mark.parametrize(("k", "length"), [(1, 3), (2, 3)])
def test_lists_with_a_record_more_or_less(k: int, length: int) -> None:
    """Adjacent are just those lists that few insertions and deletions lead to."""
    of = mechanism(text("return 0", f'{{"x": add_remove_distance({k})}}', "x: list[int]"))
    lists = [row for size in range(length + 1) for row in product((0, 1), repeat=size)]
    found = adjacent_pairs(of, length, (0, 1))
    near = {(one, other) for one in lists for other in lists if is_subsequence_but(k, one, other)}
    assert found <= near
    merged = {(one, other) for one, other in near if (len(one) + len(other) + k) // 2 <= length}
    assert merged <= found


@pytest.mark.parametrize(
    ("adjacent", "parameters"),
    [
        ('{"rows": change_one_distance()}', "rows: list[tuple[int, int]]"),
        ('{"x, y": change_one_distance()}', "x: list[int], y: list[int]"),
    ],
)
def test_lists_of_which_one_record_is_another(adjacent: str, parameters: str) -> None:
    """Adjacent are just those lists of tuples that differ in at most one place."""
    of = mechanism(text("return 0", adjacent, parameters))
    for length in (1, 2):
        entries = (0, 1) if length == 1 else (0,)
        tables = list(product(product(entries, repeat=2), repeat=length))
        near = {(one, other) for one in tables for other in tables if differ_in_one(one, other)}
        assert adjacent_pairs(of, length, entries) == near


def test_columns_that_lose_a_record_together() -> None:
    of = mechanism(text("return 0", '{"x, y": add_remove_distance()}', "x: list[int], y: list[bool]"))
    assert [item.name for item in of.parameters] == ["x", "x.present", "y"]
    for one, other in adjacent_pairs(of, 2, (0, 1)):
        assert is_subsequence_but(1, one, other)


def test_core_text_is_read_back() -> None:
    of = mechanism(
        text("return len(rows)", '{"rows": add_remove_distance()}', "rows: list[tuple[int, bool]]")
    )
    assert is_reading(read_core(write_core(of)), of)


def test_lists_of_tuples_may_be_public() -> None:
    of = mechanism(text("return rows[1][0] + len(rows)", "{}", "rows: list[tuple[int, bool]]"))
    assert [(item.name, item.metric) for item in of.parameters] == [("rows.0", None), ("rows.1", None)]
    found = outcome(of, {"rows.0": (3, 4), "rows.1": (True, False)}, lambda site, law: 0)
    assert isinstance(found, Output) and found.values == (6,)


# --- refusals -------------------------------------------------------------------------------------


def refused(of: str) -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        read_source(of, "test.py")
    return caught.value


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("return x[0]", Refusal.PRIVATE_POSITION, "positions move"),
        ("return x[-1]", Refusal.PRIVATE_POSITION, "positions move"),
        ("return x[len(x) - 1]", Refusal.PRIVATE_POSITION, "positions move"),
        ("return x", Refusal.UNSUPPORTED_OUTPUT, "records is returned"),
        ("return laplace(x, 2)", Refusal.NOISE_AROUND_LIST, "number of draws"),
        ("y = x\nreturn 0", Refusal.ALIASING, "'x'"),
        ("x = [1]\nreturn 0", Refusal.PARAMETER_REASSIGNED, "'x'"),
        ("return (x, 1)[1]", Refusal.UNSUPPORTED_LIST, "'x'"),
        ("return 1 if x == [1] else 0", Refusal.WRONG_TYPE, "list of records"),
        ("s = 0\nfor i in range(len(x) + 1):\n    s += 1\nreturn s", Refusal.PRIVATE_LOOP_BOUND, "private"),
        ("assert len(x) > 0\nreturn 0", Refusal.PRIVATE_ASSERTION, "private data"),
        ("assert x\nreturn 0", Refusal.PRIVATE_ASSERTION, "private data"),
        ("return x + 1", Refusal.WRONG_TYPE, "list of records"),
        ("return sum(a * b for a, b in zip(x, [1, 2]))", Refusal.UNSUPPORTED_LOOP, "'zip'"),
        ("return sum(a * b for a, b in zip(x, x[1:]))", Refusal.UNSUPPORTED_LOOP, "'zip'"),
        ("return [v for v in reversed(x)]", Refusal.UNSUPPORTED_LOOP, "'reversed'"),
        ("return x[1:]", Refusal.WRONG_TYPE, "list of records"),
        ("x.append(1)\nreturn 0", Refusal.UNSUPPORTED_CALL, "list of records"),
    ],
)
def test_positions_and_lengths_are_private(body: str, code: Refusal, words: str) -> None:
    error = refused(text(body, ADD_REMOVE, "x: list[int]"))
    assert (error.code, words in error.message) == (code, True), error.message


@pytest.mark.parametrize(
    ("adjacent", "parameters", "words"),
    [
        ('{"x": add_remove_distance()}', "x: int", "'x' is not"),
        ('{"x": add_remove_distance()}', "x: Callable[[int], int]", "'x' is not"),
        ('{"x": add_remove_distance(0.5)}', "x: list[int]", "integer"),
        ('{"x": add_remove_distance(-1)}', "x: list[int]", "negative"),
        ('{"x": add_remove_distance("len(x)")}', "x: list[int]", "length of 'x' is private"),
        ('{"x": add_remove_distance}', "x: list[int]", "must be called"),
        ('{"x, y": add_remove_distance()}', "x: list[int], y: int", "'y' is not"),
        ('{"x, z": add_remove_distance()}', "x: list[int], y: int", "unknown parameter 'z'"),
        ('{"x, x": add_remove_distance()}', "x: list[int]", "'x' twice"),
        ('{"x, y": add_remove_distance(), "y": linf_distance(1)}', "x: list[int], y: list[int]", "twice"),
        ('{"x, y": linf_distance(1)}', "x: list[int], y: list[int]", "several lists"),
        ('{"x": linf_distance(1)}', "x: list[tuple[int, int]]", "list of tuples"),
        ('{"x": change_one_distance(1)}', "x: list[tuple[int, int]]", "list of tuples"),
    ],
)
def test_what_is_stated_of_records(adjacent: str, parameters: str, words: str) -> None:
    error = refused(text("return 0", adjacent, parameters))
    assert words in error.message, error.message


@pytest.mark.parametrize("stated", ['requires="len(x) > 0"', 'epsilon="len(x)"', 'requires="not x"'])
def test_no_length_in_what_is_stated(stated: str) -> None:
    head = f"@mechanism(adjacent={ADD_REMOVE}, {stated})"
    of = f"from synth.lang import *\n\n\n{head}\ndef f(x: list[int]): return 0\n"
    assert refused(of).code is Refusal.PRIVATE_SPECIFICATION
