"""Which law is drawn from when a program is run: the reader's, never one that the data decides."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest

from synth.lang import idealized_source, samplers
from synth.trusted.frontend.reader import read_source

HEAD = "from typing import List, Sequence\nfrom synth.lang import *\n\n\n"


@pytest.fixture(autouse=True)
def fallback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The samplers without OpenDP, which starts faster; no warning goes unnoticed."""
    monkeypatch.setattr(samplers, "_opendp", lambda: None)
    samplers._measurement.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    samplers._measurement.cache_clear()


def program(folder: Path, text: str, read: bool = True) -> ModuleType:
    """A program file as a module; unless told otherwise, one that the reader reads."""
    path = folder / "program.py"
    path.write_text(HEAD + text, encoding="utf-8")
    if read:
        read_source(HEAD + text, str(path))
    spec = importlib.util.spec_from_file_location("program", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def assert_real(value: object) -> None:
    """Integer noise around 0, 1, 2 or a half would have such a fraction; real noise hardly has."""
    assert type(value) is float
    assert value % 0.5 != 0


REAL = {
    "extreme": ("v: float", "return laplace(max(0, v), scale=1)"),
    "keyword": ("v: float", "return laplace(scale=1, center=max(0, v))"),
    "one-sided": ("v: float", "return exponential(min(v, 2), 1)"),
    "later": ("v: int", "y = v\n    z = laplace(y, 1)\n    y = 0.5\n    return z"),
    "choice": ("v: float", "return laplace(v if v > 0 else 0, 1)"),
    "tuple": ("v: int", "y: float = 0.0\n    y, k = v, 1\n    return laplace(y, 1)"),
    "annotated": ("v: int", "y: float = v\n    return laplace(y, 1)"),
    "list": ("v: int", "a = [v, 0.5]\n    return laplace(a[0], 1)"),
    "loop": ("v: int", "a = [v, 0.5]\n    for x in a:\n        return laplace(x, 1)"),
    "branch": ("v: float", "y = 0\n    if v > 0:\n        y = v\n    return laplace(y, 1)"),
    "merged": ("v: float", "y = max(0, v)\n    return y + laplace(0, 1)"),
    "subtracted": ("v: float", "return max(0, v) - laplace(center=0, scale=1)"),
    "augmented": ("v: float", "y = max(0, v)\n    y += laplace(0, 1)\n    return y"),
    "several": ("v: float", "y = max(0, v)\n    return y + 1 + (laplace(0, 1) + laplace(0, 1))"),
    "nested": ("v: float", "return laplace(laplace(max(0, v), 1), 1)"),
    "column": ("v: float", "é = 1; return laplace(max(0, v), 1)"),
}


@pytest.mark.parametrize("case", REAL)
def test_what_the_reader_calls_real_is(case: str, tmp_path: Path) -> None:
    parameters, body = REAL[case]
    head = f'@mechanism(adjacent={{"v": absolute_distance(1)}})\ndef draw({parameters}):\n    '
    draw = program(tmp_path, head + body).draw
    given = (0, -1, 1, 2) if parameters == "v: int" else (-0.5, 0, 0.0, 1, 0.5, 1.5)
    for value in given:
        assert_real(draw(value))


DEEP = {
    "body": ("", "max(0, " * 40 + "v" + ")" * 40),
    "claim": (", requires='" + "not " * 80 + "v2 > 0'", "max(0, v)"),
}


@pytest.mark.parametrize("case", DEEP)
def test_a_deep_stack_changes_no_law(case: str, tmp_path: Path) -> None:
    requires, center = DEEP[case]
    head = f'@mechanism(adjacent={{"v": absolute_distance(1)}}{requires})\n'
    text = f"{head}def draw(v: float, v2: float = 1):\n    return laplace({center}, 1)"
    draw = program(tmp_path, text).draw

    def below(depth: int) -> object:
        return below(depth - 1) if depth else draw(-1)

    for depth in range(
        sys.getrecursionlimit(), 0, -1
    ):  # where there is no room to read the file, nothing runs
        try:
            drawn = below(depth)
        except RecursionError:
            continue
        assert_real(drawn)
        return


EDITED = """
WIDTH = 1


@mechanism(adjacent={"q": absolute_distance(1)})
def draw(q: int, by: int):
    return noisy(q / by)


def noisy(x):
    return laplace(x, WIDTH)
"""


@pytest.mark.parametrize("edit", [("/ by", "// by"), ("laplace(x, WIDTH)", "laplace(x, WIDTH - 1)")])
def test_what_was_imported_runs(edit: tuple[str, str], tmp_path: Path) -> None:
    module = program(tmp_path, EDITED)
    path = tmp_path / "program.py"
    path.write_text(path.read_text(encoding="utf-8").replace(*edit).replace("WIDTH = 1", "WIDTH = 2"))
    assert_real(module.draw(4, 2))


SUMS = """
@mechanism(adjacent={"x": absolute_distance(1)})
def several(x: int):
    return laplace(x, 2) + laplace(0, 1) + 0.25


@mechanism()
def several_lines(x: int):
    return (
        laplace(x, 2)
        + laplace(0, 1)
        - 0.25
    )


@mechanism(adjacent={"v": absolute_distance(1)})
def around_a_helper(v: float):
    return laplace(noisy(0), 1) + v


@mechanism()
def beside_a_helper(v: float):
    return v + (laplace(0, 1) + same(gaussian(2, 1)))


@mechanism()
def in_order(x: int):
    xs = []
    y = laplace(push(xs), 0.001) + len(xs)
    z = len(xs) + laplace(0, 0.001 * push(xs)) + len(xs)
    return y, z


@mechanism()
def hidden(x: int, laplace: Callable[[int], float]):
    return x + laplace(0) + gaussian(0, 1)


@mechanism()
def named(list: list[float], map: float, float: Callable[[int], float]):
    return laplace(list[0], 1), laplace(map, 1), laplace(float(0), 1)


def noisy(c):
    return laplace(c, 1)


def same(c):
    return c


def push(xs):
    xs.append(1)
    return len(xs)
"""


def test_sums_with_several_draws(tmp_path: Path) -> None:
    module = program(tmp_path, SUMS)
    assert_real(module.several(1))
    assert_real(module.several_lines(1))
    assert_real(module.several(1))


def test_calls_in_a_sum(tmp_path: Path) -> None:
    """A centre may call functions of the file; the other terms may not, or nothing is moved."""
    module = program(tmp_path, SUMS)
    assert_real(module.around_a_helper(0.5))
    assert module.beside_a_helper(0.5) % 1 == 0.5
    assert module.in_order(0) == (2, 3)


def test_names_that_hide_others(tmp_path: Path) -> None:
    module = program(tmp_path, SUMS)
    assert module.hidden(1, lambda index: 0.25) % 1 == 0.25
    for drawn in module.named([1], 1, lambda index: 1):
        assert_real(drawn)


def test_a_function_that_can_t_be_rewritten_never_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = program(tmp_path, SUMS)
    with monkeypatch.context() as patch:
        patch.setattr(idealized_source, "_compiled", lambda *_: 1 / 0)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                module.several(1)
    assert_real(module.several(1))


@pytest.mark.parametrize("kind", ["list", "List", "Sequence"])
def test_sequences_of_floats(kind: str, tmp_path: Path) -> None:
    text = f"""
@mechanism()
def entry(q: {kind}[float]):
    return laplace(q[0], 1) if len(q) > 0 else 0.25


@mechanism()
def total(q: {kind}[float]):
    s = 0
    for x in q:
        s = s + x
    return laplace(s, 1)


@mechanism()
def plain(q: {kind}[float]):
    return abs(q[0]) if len(q) > 0 else 0.0
"""
    module = program(tmp_path, text)
    assert_real(module.entry([1, 2]))
    for given in ([], [1], [0.5], [1, 0.5]):
        assert_real(module.total(given))
    assert type(module.plain([1])) is float


def test_helpers(tmp_path: Path) -> None:
    text = """
@mechanism()
def two_types(v: float):
    return laplace(positive(v), 1)


@mechanism()
def inside(v: float):
    return noisy(max(0, v))


@mechanism()
def annotated(v: int):
    return declared(v)


def positive(v):
    if v > 0:
        return v
    return 0


def noisy(center):
    return laplace(center, 1)


def declared(center: float):
    return center + laplace(0, 1)
"""
    module = program(tmp_path, text)
    for value in (-0.5, 0, 1, 0.5):
        assert_real(module.two_types(value))
        assert_real(module.inside(value))
    assert_real(module.annotated(1))


SHARED = """
STEP = 1


@mechanism()
def whole(v: int):
    return noisy(v)


@mechanism()
def real(v: float):
    return noisy(max(0, v))


@mechanism()
def both(v: float, k: int):
    first = noisy(max(0, v), step=0)
    return first, noisy(k), through(k), through(max(0, v)), through(0) + noisy(max(v, 0))


@mechanism()
def calling(k: int, v: float):
    return whole(k), real(v), real(k)


@mechanism()
def hidden(k: int, noisy: Callable[[int], int]):
    return laplace(noisy(k), 1)


def through(center):
    return noisy(center) + 1


def noisy(center, step=STEP):
    return center + step + laplace(0, 1)
"""


def test_a_helper_may_draw_integers_here_and_reals_there(tmp_path: Path) -> None:
    module = program(tmp_path, SHARED)
    for value in (-0.5, 0, 1, 0.5):
        assert type(module.whole(3)) is int
        assert_real(module.real(value))
        first, *others = module.both(value, 3)
        assert_real(first)
        assert [type(other) for other in others] == [int, int, float, float]
        for other in others[2:]:
            assert_real(other)
        assert [type(drawn) for drawn in module.calling(3, value)] == [int, float, float]
    assert type(module.hidden(3, lambda index: index)) is int


def test_copies_of_helpers_keep_their_lines_and_names(tmp_path: Path) -> None:
    text = SHARED + "\n\ndef fail(n):\n    return laplace(n, 1) / 0\n"
    text = text.replace("return noisy(v)", "return fail(v)").replace("return noisy(center) + 1", "return 1")
    module = program(tmp_path, text + "\n\n@mechanism()\ndef f(v: float):\n    return fail(v)\n")
    with pytest.raises(ZeroDivisionError) as caught:
        module.whole(1)
    frame = caught.traceback[-1]
    assert frame.name == "fail" and "/ 0" in str(frame.statement)


@pytest.mark.parametrize(
    "more",
    [
        'if __name__ == "__main__":\n    print(whole(1))\n',
        "@mechanism()\ndef index(v: float):\n    return noisy(max(0, v)) + choice(2, lambda noisy: 0)\n",
    ],
    ids=["a main guard", "a function of an index whose parameter is called like a helper"],
)
def test_draws_are_told_apart_whatever_else_is_there(more: str, tmp_path: Path) -> None:
    module = program(tmp_path, f"{SHARED}\n\n{more}")
    assert type(module.whole(3)) is int
    assert_real(module.real(-0.5))
    if hasattr(module, "index"):
        assert_real(module.index(-0.5))


def test_a_mechanism_makes_no_floats_of_what_another_one_gives_it(tmp_path: Path) -> None:
    text = """
@mechanism()
def first(v: list[float]):
    return v[0]


@mechanism()
def f(n: int):
    return laplace(first([n]), 1)
"""
    module = program(tmp_path, text)
    assert type(module.f(3)) is int
    assert type(module.first([3])) is float
    assert type(module.f(3)) is int


def test_nothing_runs_unchanged_while_another_thread_prepares_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = program(tmp_path, SUMS)
    drawn: list[float] = []
    other = Thread(target=lambda: drawn.append(module.several(1)))
    compiled = idealized_source._compiled

    def slowly(*given: Any) -> Any:
        if not other.is_alive() and not drawn:
            other.start()
            other.join(0.1)  # enough to run if nothing stops it
        return compiled(*given)

    monkeypatch.setattr(idealized_source, "_compiled", slowly)
    module.several(1)
    other.join()
    assert (drawn[0] - 0.25) % 1 != 0


APART = "def noisy(center):\n{body}\n\n\n@mechanism()\ndef f(v: int):\n{calls}    return noisy(v)\n"
MIXED = "    noisy(0)\n    noisy(0.5)\n"


@pytest.mark.parametrize(
    "text",
    [
        # The reader's limit is 500,000 characters; that of its own copies is reached sooner.
        APART.format(body=f'    """{"x" * 1000}"""\n    return laplace(center, 1)', calls=MIXED * 300),
        APART.format(body="    return laplace(center, 1)\n    return noisy(center)", calls=MIXED),
    ],
    ids=["too large", "calls that never end, where control never comes"],
)
def test_with_draws_that_can_t_be_told_apart_nothing_runs(text: str, tmp_path: Path) -> None:
    module = program(tmp_path, text)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="which draws are real can't be told apart"):
            module.f(0)


def test_integers_stay_integers(tmp_path: Path) -> None:
    text = """
@mechanism()
def whole(v: int, q: list[int]) -> int:
    y: int = max(0, v)
    total = sum_of(q)
    return laplace(y, 1), exponential(total, 1), y + laplace(0, 1), laplace(v > 0, 1), laplace(round(0.5), 1)


def sum_of(q: list[float]):
    total = 0
    for x in q:
        total += x
    return total
"""
    for drawn in program(tmp_path, text).whole(-1, [1, 2]):
        assert type(drawn) is int


def test_lists_of_helpers_are_those_of_the_caller(tmp_path: Path) -> None:
    text = """
@mechanism()
def grown(v: float):
    xs = [v]
    extend(xs)
    return len(xs)


def extend(xs: list[float]):
    xs.append(laplace(xs[0], 1))
"""
    assert program(tmp_path, text).grown(1) == 2


def test_a_file_that_the_reader_refuses_runs(tmp_path: Path) -> None:
    text = """
@mechanism()
def draws(v: float, q: List[float], k: int):
    y: float = 0
    y = k
    rest = {}
    return gaussian(v, 1), laplace(q[0], 1), laplace(y, 1), v + laplace(0, 1), laplace(k, 1)
"""
    *real, whole = program(tmp_path, text, read=False).draws(1, [2], 3)
    for drawn in real:
        assert_real(drawn)
    assert type(whole) is int


@pytest.mark.parametrize("above", ["", '"""\ndef noisy(c):\n    return round(c) + sl.laplace(0, 1)\n"""\n'])
def test_definitions_are_found_wherever_they_are(above: str, tmp_path: Path) -> None:
    text = f"""import synth.lang as sl
{above}
def\\
 noisy(c):
    return c + sl.laplace(0, 1)


@sl.mechanism(adjacent={{"v": sl.absolute_distance(1)}}, epsilon="1")
def f(v: float) -> float:
    return noisy(v)
"""
    assert_real(program(tmp_path, text).f(0.25))


def test_beside_a_mechanism_that_is_refused_what_is_read_runs_as_it_is_read(tmp_path: Path) -> None:
    text = """
def noisy(c):
    return laplace(c, 1)

@mechanism()
def read(v: float):
    return noisy(max(0, v))

@mechanism()
def refused(v: float):
    rest = {}
    return laplace(v, 1)
"""
    module = program(tmp_path, text, read=False)
    assert_real(module.read(-1.0))
    assert_real(module.refused(1))


FIXED_WIDTH = """
@mechanism(adjacent={"q": l1_distance(1)})
def total(q: list[int]):
    sum = 0
    for x in q:
        sum += x
    return laplace(sum, 0.001)


@mechanism(adjacent={"x": absolute_distance(1)})
def double(x: int, f: Callable[[int], int], b: bool):
    return laplace(x + x, 0.001), f(0) + f(0), b + b
"""


def test_integers_of_arrays_are_integers(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    module = program(tmp_path, FIXED_WIDTH)
    small = numpy.int8(100)
    assert module.total(numpy.array([100, 100], dtype=numpy.int8)) == 200
    assert module.double(small, lambda i: small, numpy.bool_(True)) == (200, 200, 2)


PRIVATE = """class Noise:
    def __init__(self, value):
        self.__value = value

    def __drawn(self, top):
        return laplace(max(0, self.__value), top)

    def get(self):
        return self.__drawn(1)


@mechanism(adjacent={"v": absolute_distance(1)})
def f(v: float):
    return Noise(v).get()
"""


def test_names_that_a_class_keeps_to_itself(tmp_path: Path) -> None:
    """Python puts the class's name before them, also in the text of which code is made again."""
    found = program(tmp_path, PRIVATE)
    for _ in range(20):
        assert_real(found.f(-3.0))
