"""Mechanisms that are methods are read as functions that make an object, and call its method once."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import Refusal
from synth.trusted.frontend.reader import File, read_program
from synth.trusted.frontend.specification_file import parse_specifications
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import specification_of
from synth.trusted.program.printing import text as printed
from tests.support.typed_runs import Run, Stuck, run_python
from tests.support.well_formed import check

CLASSES = """import numpy as np
from dataclasses import dataclass
from typing import NamedTuple
from nowhere import thing

LIMIT = 2

def helper(v):
    return v + 1

def unused(v):
    return thing(v)

class Base:
    def __init__(self, epsilon, delta=0):
        if epsilon <= 0:
            raise ValueError("epsilon must be positive")
        self.epsilon = epsilon
        self.delta = delta
    def kept(self, v):
        return helper(v) * self.epsilon - self.delta

class Mechanism(Base):
    def __init__(self, epsilon, /, k=3, *, delta=1):
        super().__init__(epsilon, delta)
        self.k = k
        self.calls = 0
    def release(self, v, k):
        self.calls += 1
        return (v + k) * self.epsilon + self.k * LIMIT + self.calls
    def __call__(self, v, *, delta=5):
        return self.release(v, delta) - self.delta
    @staticmethod
    def fixed(epsilon, v):
        return epsilon - v
    @property
    def scale(self):
        return self.k * 10 + self.delta

@dataclass
class Data(Base):
    pass

@dataclass
class Options:
    epsilon: int
    k: int = 4
    def release(self, v: int):
        return v * self.epsilon + self.k

class Pair(NamedTuple):
    epsilon: int
    k: int
    def release(self, v: int, k: int):
        return v * self.epsilon + self.k - k
"""
METHODS = {
    "a method": ("Mechanism.release", ["epsilon", "init.k", "delta"], ["v", "k"]),
    "a call": ("Mechanism.__call__", ["epsilon", "k", "init.delta"], ["v", "delta"]),
    "a method of the base": ("Mechanism.kept", ["epsilon", "k", "delta"], ["v"]),
    "a method of a class that is a base": ("Base.kept", ["epsilon", "delta"], ["v"]),
    "a static method": ("Mechanism.fixed", [], ["epsilon", "v"]),
    "a property": ("Mechanism.scale", ["epsilon", "k", "delta"], []),
    "a method of a dataclass": ("Options.release", ["epsilon", "k"], ["v"]),
    "a method of a named tuple": ("Pair.release", ["epsilon", "init.k"], ["v", "k"]),
}


def stated(names: list[str], **more: Any) -> dict[str, Any]:
    return {"types": dict.fromkeys(names, "int"), **more}


def read(tmp_path: Path, name: str, given: dict[str, Any], text: str = CLASSES) -> File:
    path = tmp_path / "p.py"
    path.write_text(text)
    return read_program(path, {name: specification_of(given)})


def one(file: File) -> ir.Mechanism:
    (found,) = file.mechanisms
    check(found)
    return found


def wrapped(name: str, init: list[str], own: list[str]) -> str:
    """Return a function that does what the specification of the method is about."""
    kind, _, method = name.rpartition(".")
    parameters = ", ".join(item.replace(".", "_") for item in (*init, *own))
    by_name = [f"{item.removeprefix('init.')}={item.replace('.', '_')}" for item in init]
    made = f"{kind}({', '.join(by_name).replace('epsilon=epsilon', 'epsilon')})" if init else kind
    arguments = "" if method == "scale" else f"({', '.join(f'{item}={item}' for item in own)})"
    called = made if method == "__call__" else f"{made}.{method}"
    return f"def wrapped({parameters}):\n    return {called}{arguments}\n"


@pytest.mark.parametrize(("name", "init", "own"), METHODS.values(), ids=METHODS)
def test_it_is_read_as_the_function_that_calls_it(
    tmp_path: Path, name: str, init: list[str], own: list[str]
) -> None:
    found = one(read(tmp_path, name, stated([*init, *own])))
    names = [item.replace(".", "_") for item in (*init, *own)]
    text = CLASSES + wrapped(name, init, own)
    other = one(read(tmp_path, "wrapped", stated(names), text))
    assert [item.name for item in found.parameters] == [*init, *own]
    core = write_core(found).replace("init·", "init_").replace(name.replace(".", "·"), "wrapped")
    assert core == write_core(other)


@pytest.mark.parametrize(("name", "init", "own"), METHODS.values(), ids=METHODS)
def test_it_returns_what_python_does(tmp_path: Path, name: str, init: list[str], own: list[str]) -> None:
    found = one(read(tmp_path, name, stated([*init, *own])))
    text = CLASSES.replace("from nowhere import thing", "") + wrapped(name, init, own)
    for given in itertools.product((-2, 1, 5), repeat=len(found.parameters)):
        run = Run(found, dict(zip((item.name for item in found.parameters), given, strict=True)), iter(()))
        inputs = {item.replace(".", "_"): value for item, value in run.inputs.items()}
        try:
            expected = run_python(text, "wrapped", inputs, iter(()))
        except ValueError:
            if run.at(found.requires):
                with pytest.raises(Stuck):
                    run.output()
        else:
            assert run.at(found.requires) and run.output() == (expected,)


def test_what_is_stated_may_name_all_parameters(tmp_path: Path) -> None:
    given = stated(
        ["init.k", "delta", "v"],
        adjacent={"v": "absolute_distance('init.k')"},
        fixed={"epsilon": "LIMIT", "k": "3"},
        requires="init.k >= delta and 0 <= v <= init.k",
        epsilon="init.k*delta",
    )
    found = one(read(tmp_path, "Mechanism.release", given))
    assert [item.name for item in found.parameters] == ["init.k", "delta", "v"]
    private = found.parameters[-1]
    assert private.metric is not None and printed(private.metric.bound) == "init.k"
    assert found.epsilon is not None and "init.k" in printed(found.epsilon)


def test_private_parameters_of_the_object(tmp_path: Path) -> None:
    given = stated(["epsilon", "v"], adjacent={"init.k": "linf_distance(1)"}, fixed={"delta": "0"})
    types = {**given["types"], "init.k": "list[int]", "k": "int"}
    requires = "len(init.k) >= 1 and all(0 <= v <= 3 for v in init.k)"
    given |= {"types": types, "requires": requires}
    text = CLASSES.replace("self.k = k", "self.k = k[0]")
    found = one(read(tmp_path, "Mechanism.release", given, text))
    assert [item.parameter for item in found.domains] == ["init.k"]
    (error,) = read(tmp_path, "Mechanism.release", given | {"epsilon": "init.k[0]"}, text).refused
    assert error.code is Refusal.PRIVATE_SPECIFICATION


def test_the_slice_is_the_class_and_what_it_needs(tmp_path: Path) -> None:
    found = one(read(tmp_path, "Mechanism.release", stated(["epsilon", "init.k", "delta", "v", "k"])))
    assert "class Mechanism" in found.source and "class Base" in found.source
    assert "LIMIT = 2" in found.source and "def helper" not in found.source
    assert "def release" in found.source and "def scale" not in found.source
    assert "nowhere" not in found.source and "class Options" not in found.source


def test_its_place_is_that_of_the_method(tmp_path: Path) -> None:
    found = one(read(tmp_path, "Mechanism.release", stated(["epsilon", "init.k", "delta", "v", "k"])))
    assert CLASSES.split("\n")[found.span.line - 1] == "    def release(self, v, k):"


def test_functions_that_only_methods_call_are_looked_at(tmp_path: Path) -> None:
    file = read(tmp_path, "Mechanism.kept", stated(["epsilon", "k", "delta", "v"]))
    assert [item.function for item in file.plain] == ["unused"]


REFUSED = {
    "no such method": ("Mechanism.relase", Refusal.NO_MECHANISM, "did you mean 'release'?"),
    "no such class": ("Mechanis.release", Refusal.NO_MECHANISM, "did you mean 'Mechanism'?"),
    "a class in a class": ("Mechanism.Inner.release", Refusal.NO_MECHANISM, "no class 'Mechanism.Inner'"),
    "a class that can't be read": ("Hidden.release", Refusal.UNSUPPORTED_CONSTRUCT, "the base class 'thing'"),
    "a name that is bound twice": ("Twice.release", Refusal.DEFINED_TWICE, "'Twice'"),
    "a method that can't be read": ("Chosen.release", Refusal.UNSUPPORTED_CONSTRUCT, "an if statement"),
}
UNREAD = """class Hidden(thing):
    def release(self, v):
        return v
class Twice:
    def release(self, v):
        return v
Twice = thing
class Chosen:
    if LIMIT:
        def release(self, v):
            return v
"""


@pytest.mark.parametrize(("name", "code", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_there(tmp_path: Path, name: str, code: Refusal, message: str) -> None:
    (error,) = read(tmp_path, name, stated(["v"]), CLASSES + UNREAD).refused
    assert (error.function, error.code) == (name, code) and message in error.message


def test_a_parameter_without_a_type(tmp_path: Path) -> None:
    (error,) = read(tmp_path, "Mechanism.release", stated(["epsilon", "delta", "v", "k"])).refused
    assert error.code is Refusal.MISSING_ANNOTATION and "'init.k'" in error.message
    assert error.line is not None and "/, k=3," in CLASSES.split("\n")[error.line - 1]


PRIVATE = """import numpy as np
class A:
    def __init__(self, eps, scale):
        self.eps = eps
        self.scale = scale
    def release(self, v):
        return v + np.random.laplace(scale=self.eps, size=self.scale)[0]
"""


def test_private_parameters_of_the_object_stay_private(tmp_path: Path) -> None:
    given = stated(["eps", "scale", "v"], adjacent={"scale": "absolute_distance(1)"}, epsilon="eps")
    (error,) = read(tmp_path, "A.release", given, PRIVATE).refused
    assert error.code is Refusal.PRIVATE_LOOP_BOUND


def test_draws_of_synth_lang_need_the_decorator(tmp_path: Path) -> None:
    text = PRIVATE.replace("import numpy as np", "from synth.lang import laplace")
    text = text.replace("np.random.laplace(scale=", "laplace(0, ")
    (error,) = read(tmp_path, "A.release", stated(["eps", "scale", "v"]), text).refused
    assert "@mechanism" in error.message


def test_a_file_of_specifications(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "inner.py").touch()
    text = '[[mechanism]]\nfunction = "package.inner::A.__call__"\ntypes = { "init.k" = "int" }\n'
    found = parse_specifications(text, tmp_path / "privacy.toml", (tmp_path,))
    given = found.of(tmp_path / "package" / "inner.py")["A.__call__"]
    assert given.types == (("init.k", "int"),) and given.place("types", "init.k") == (3, 23)


CALLS = """class Add:
    def __init__(self, step):
        self.step = step
        self.calls = 0
    def __call__(self, v=7):
        self.calls += 1
        return v + self.step * self.calls
class Both:
    def __init__(self, add, k):
        self.add = add
        self.other = Add(k)
    def release(self, v):
        return self.add(v) * 100 + self.other(v=v) * 10 + self.add() + Add(3)(v)
def f(k, v):
    add = Add(k)
    first = add(v)
    return first * 1000 + Both(add, 2).release(v) + add.calls
"""


def test_objects_are_called(tmp_path: Path) -> None:
    found = one(read(tmp_path, "f", stated(["k", "v"]), CALLS))
    for k, v in itertools.product((-2, 1, 5), repeat=2):
        inputs = {"k": k, "v": v}
        assert Run(found, inputs, iter(())).output() == (run_python(CALLS, "f", inputs, iter(())),)


NOT_CALLED = {
    "an object without the method": "class A:\n    pass\ndef f(v):\n    a = A()\n    return a(v)\n",
    "an attribute that is called so": "class A:\n    def __init__(self):\n        self.__call__ = 1\n"
    "def f(v):\n    a = A()\n    return a(v)\n",
}


@pytest.mark.parametrize("text", NOT_CALLED.values(), ids=NOT_CALLED)
def test_what_can_not_be_called(tmp_path: Path, text: str) -> None:
    assert not read(tmp_path, "f", stated(["v"]), text).mechanisms


def test_a_call_of_an_object_is_not_moved_behind_a_draw(tmp_path: Path) -> None:
    """A sum with a draw is the draw around the other terms only where these have no effects."""
    text = """from synth.lang import *
class A:
    def __init__(self, v):
        self.v = v
    def __call__(self):
        self.v += 10
        return self.v
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: int, eps: float):
    a = A(x)
    return a() + a.v + laplace(0, 1 / eps) + a.v
"""
    (tmp_path / "p.py").write_text(text)
    (found,) = read_program(tmp_path / "p.py").mechanisms
    inputs = {"x": 3, "eps": 1}
    assert Run(found, inputs, iter([1])).output() == (run_python(text, "f", inputs, iter([1])),)


def test_texts_that_name_no_parameter(tmp_path: Path) -> None:
    given = stated(["epsilon", "init.k", "delta", "v", "k"], requires="init.w > 0")
    (error,) = read(tmp_path, "Mechanism.release", given).refused
    assert error.code is Refusal.UNKNOWN_NAME and "did you mean 'init.k'?" in error.message


SOURCES = """import numpy as np
def double(v):
    return 2 * v
class A:
    def __init__(self, eps, fun, rng):
        self.eps = eps
        self.fun = fun
        self.rng = rng
        self.own = np.random.default_rng()
    def release(self, x):
        return self.fun(x) + self.rng.laplace(0, 1 / self.eps) + self.own.laplace(0, 1)
"""


def test_functions_and_sources_may_be_fixed(tmp_path: Path) -> None:
    text = SOURCES + "def plain(eps, x):\n    return A(eps, double, np.random.RandomState()).release(x)\n"
    given = stated(["eps", "x"], adjacent={"x": "absolute_distance(1)"}, requires="eps > 0")
    fixed = {"fun": "double", "rng": "np.random"}
    found = one(read(tmp_path, "A.release", given | {"fixed": fixed}, text))
    other = one(read(tmp_path, "plain", given, text))
    draws = [
        [item.distribution for item in ir.statements(each.body) if isinstance(item, ir.Draw)]
        for each in (found, other)
    ]
    assert draws == [["laplace", "laplace"]] * 2


@pytest.mark.parametrize("fixed", ["nothing", "np", "np.linalg", "A", "x"])
def test_what_can_not_be_fixed(tmp_path: Path, fixed: str) -> None:
    given = stated(["eps", "x"], adjacent={"x": "absolute_distance(1)"}, requires="eps > 0")
    assert not read(
        tmp_path, "A.release", given | {"fixed": {"fun": "double", "rng": fixed}}, SOURCES
    ).mechanisms


@pytest.mark.parametrize(
    "line", ["A.laplace = 3", "np.random.default_rng().laplace = max", "def g(r):\n    r.laplace = max"]
)
def test_methods_of_sources_that_are_set(tmp_path: Path, line: str) -> None:
    given = stated(["eps", "x"], adjacent={"x": "absolute_distance(1)"}, requires="eps > 0")
    given |= {"fixed": {"fun": "double", "rng": "np.random"}}
    assert not read(tmp_path, "A.release", given, f"{SOURCES}{line}\n").mechanisms


INSIDE = {
    "a method": "class A:\n    @mechanism(epsilon=0)\n    def f(self, x: int) -> int:\n        return x\n",
    "a method of an inner class": (
        "class A:\n    class B:\n        @mechanism(epsilon=0)\n"
        "        def f(self, x: int) -> int:\n            return x\n"
    ),
    "a function in a function": (
        "def A(y):\n    @lang.mechanism(epsilon=0)\n"
        "    def f(x: int) -> int:\n        return x\n    return f\n"
    ),
    "a function in a branch of a function": (
        "def A(y):\n    try:\n        pass\n    except ValueError:\n"
        "        @mechanism(epsilon=0)\n        def f(x: int) -> int:\n            return x\n"
    ),
    "a coroutine": "class A:\n    @mechanism(epsilon=0)\n    async def f(self, x: int):\n        return x\n",
}


@pytest.mark.parametrize("inside", INSIDE.values(), ids=INSIDE.keys())
@pytest.mark.parametrize("beside", ["", "@mechanism(epsilon=0)\ndef g(x: int) -> int:\n    return 1\n"])
def test_a_mechanism_that_is_no_function_of_the_file_is_not_left_out(
    tmp_path: Path, inside: str, beside: str
) -> None:
    """Nobody may take it for proved: it is told why it isn't read."""
    path = tmp_path / "p.py"
    path.write_text(f"import synth.lang as lang\nfrom synth.lang import *\n\n{inside}\n{beside}")
    found = read_program(path)
    assert [item.name for item in found.mechanisms] == (["g"] if beside else [])
    told = [error for error in found.refused if error.code is Refusal.UNSUPPORTED_DECORATOR]
    assert any(
        "beside the code" in error.message and (error.function or "").startswith("A.") for error in told
    )


def test_a_function_of_the_file_is_a_mechanism_once(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text(
        "from synth.lang import *\n\n@mechanism(epsilon=0)\ndef g(x: int) -> int:\n"
        "    def h(v):\n        return v\n    return h(1)\n"
    )
    assert read_program(path).refused == ()


def test_a_parameter_called_as_what_stands_for_init_is_refused(tmp_path: Path) -> None:
    text = "class C:\n    def __init__(self, present: bool):\n        self.p = present\n\n"
    text += "    def m(self, init: list[float], present: float) -> int:\n        return 1 if self.p else 0\n"
    given = {"adjacent": {"init": "add_remove_distance()"}, "epsilon": "0"}
    (refused,) = read(tmp_path, "C.m", given, text).refused
    assert "'init' stands for '__init__'" in refused.message
