"""A list of the module may be shown, drawn and written down; what may change it is still refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.frontend.reader import read_program

HEAD = """\
import json
from collections import Counter

import matplotlib.pyplot as plt
import pandas as pd
from synth.lang import absolute_distance, mechanism

NAMES = ["a", "b", "c"]


"""
MECHANISM = (
    '\n\n@mechanism(adjacent={"x": absolute_distance(1)})\n'
    "def f(x: int):\n    return NAMES[2] if x > 10 else NAMES[0]\n"
)


def is_read(tmp_path: Path, before: str, head: str = HEAD, **others: str) -> bool:
    for name, other in others.items():
        (tmp_path / f"{name}.py").write_text(other)
    path = tmp_path / "p.py"
    path.write_text(f"{head}{before}{MECHANISM}")
    return bool(read_program(path).mechanisms)


READS = (
    "print(NAMES)",
    "print('of', NAMES)",
    "return str(NAMES) + repr(NAMES)",
    "return f'{NAMES}'",
    "return ', '.join(NAMES)",
    "return isinstance(NAMES, list)",
    "return dict.fromkeys(NAMES, 0)",
    "return Counter(NAMES)",
    "return [*NAMES]",
    "return json.dumps(NAMES)",
    "return pd.DataFrame(NAMES), pd.Series(data=NAMES)",
    "plt.bar(NAMES, [1, 2, 3])",
    "plt.xticks(range(3), labels=NAMES)",
)


@pytest.mark.parametrize("line", READS)
def test_what_only_reads(line: str, tmp_path: Path) -> None:
    assert is_read(tmp_path, f"def g():\n    {line}\n")


CHANGES = {
    "appended": "def g():\n    NAMES.append('d')\n",
    "given back": "def g():\n    names = plt.sorted(NAMES)\n    names.append('d')\n",
    "of an object": "def g(ax):\n    ax.bar(NAMES)\n",
    "an own library": "class Own:\n    def bar(self, x):\n        x.clear()\n\n\nplt = Own()\n\n\n"
    "def g():\n    plt.bar(NAMES)\n",
    "a library that is an argument": "def g(plt):\n    plt.bar(NAMES)\n",
    "a function put into a library": "def clear(x):\n    x.clear()\n\n\nplt.bar = clear\n\n\n"
    "def g():\n    plt.bar(NAMES)\n",
    "an own encoder": "class Own(json.JSONEncoder):\n    def encode(self, o):\n        o.clear()\n\n\n"
    "def g():\n    return json.dumps(NAMES, cls=Own)\n",
    "an own print": "def print(x):\n    x.clear()\n\n\ndef g():\n    print(NAMES)\n",
    "an own str": "class str:\n    def __init__(self, x):\n        x.clear()\n\n\ndef g():\n    str(NAMES)\n",
    "an own dict": "class dict:\n    @staticmethod\n    def fromkeys(x):\n        x.clear()\n\n\n"
    "def g():\n    dict.fromkeys(NAMES)\n",
    "an own Counter": "def Counter(x):\n    x.clear()\n\n\ndef g():\n    Counter(NAMES)\n",
    "an own library that is a class": "class json:\n    @staticmethod\n    def dumps(x):\n"
    "        x.clear()\n\n\ndef g():\n    return json.dumps(NAMES)\n",
    "an own encoder among other words": "class Own(json.JSONEncoder):\n    def encode(self, o):\n"
    "        o.clear()\n\n\ndef g():\n    return json.dumps(NAMES, **{'cls': Own})\n",
    "what all keys have": "def g():\n    dict.fromkeys([0], NAMES)[0].clear()\n",
    "where a sum begins": "def g():\n    names = sum([], NAMES)\n    names.clear()\n",
    "the larger one": "def g():\n    names = max(NAMES, ['a'])\n    names.clear()\n",
    "a handler of what is logged": "import logging\n\n\nclass Own(logging.Handler):\n"
    "    def emit(self, record):\n        record.args[0].clear()\n\n\n"
    "def g():\n    logging.warning('%s %s', NAMES, 1)\n",
    "an own check of types": "class M(type):\n    def __instancecheck__(cls, x):\n        x.clear()\n\n\n"
    "class A(metaclass=M):\n    pass\n\n\ndef g():\n    return isinstance(NAMES, A)\n",
}


@pytest.mark.parametrize("before", CHANGES.values(), ids=CHANGES.keys())
def test_what_may_change_it(before: str, tmp_path: Path) -> None:
    assert not is_read(tmp_path, before)


def test_a_print_of_an_unknown_library(tmp_path: Path) -> None:
    head = HEAD.replace("import pandas as pd", "from somewhere import print")
    assert not is_read(tmp_path, "def g():\n    print(NAMES)\n", head)


def test_a_library_of_the_user(tmp_path: Path) -> None:
    other = "def bar(x):\n    x.clear()\n"
    head = HEAD.replace("import matplotlib.pyplot as plt", "import seaborn as plt")
    assert not is_read(tmp_path, "def g():\n    plt.bar(NAMES)\n", head, seaborn=other)


def test_two_imports_of_one_name(tmp_path: Path) -> None:
    head = HEAD.replace("import pandas as pd", "import somewhere as plt")
    assert not is_read(tmp_path, "def g():\n    plt.bar(NAMES)\n", head)
