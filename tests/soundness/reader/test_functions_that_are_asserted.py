"""What is asserted of a function is about what runs when it is called, not about what it wraps."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import synth
from synth.app.library.arguments import target

TEXT = """from synth.lang import *
@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1)
def f(x: int):
    return laplace(x, 1)
def g(x: int):
    return x
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    (tmp_path / "asserted.py").write_text(TEXT)
    spec = importlib.util.spec_from_file_location("asserted", tmp_path / "asserted.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


class Leaking:
    def __init__(self, wrapped: Any) -> None:
        functools.update_wrapper(self, wrapped)

    def __call__(self, x: int) -> int:
        return x


def leaking(wrapped: Any) -> Any:
    return functools.wraps(wrapped)(lambda x: x)


@pytest.mark.parametrize("wrap", [leaking, Leaking, functools.lru_cache])
@pytest.mark.parametrize(("name", "stated"), [("f", False), ("g", True)])
def test_a_function_that_was_wrapped_where_it_stands(
    module: ModuleType, wrap: Any, name: str, stated: bool
) -> None:
    assert target(vars(module)[name], stated) == f"{module.__file__}::{name}"
    vars(module)[name] = wrap(vars(module)[name])
    with pytest.raises(synth.UsageError):
        target(vars(module)[name], stated)
