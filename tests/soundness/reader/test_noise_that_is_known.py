"""What tells a library which noise comes next, or changes what it does: draws beside it are refused."""

from __future__ import annotations

import pytest

from synth.trusted.frontend.reader import read_program, read_what_can_be
from synth.trusted.program.beside import Specification

IMPORTS = """import random
import secrets
import numpy as np
from scipy.stats import geom, laplace
from sklearn.utils import check_random_state
from diffprivlib import mechanisms
from synth.lang import discrete_distance, mechanism
"""
OF_NUMPY = "np.random.laplace(x, 2.0)"
OF_SCIPY = "laplace.rvs(x, 2.0)"

KNOWN = {
    "scipy draws from the source of numpy": ("np.random.seed(0)", OF_SCIPY),
    "so do frozen laws": ("np.random.seed(0)", "laplace(x, 2.0).rvs()"),
    "and laws on integers": ("np.random.seed(0)", "x + geom.rvs(0.5)"),
    "the module that has numpy's source": ("np.random.mtrand.seed(0)", OF_NUMPY),
    "that module by its name": ("from numpy.random import mtrand\nmtrand.seed(0)", OF_NUMPY),
    "another bit generator": ("np.random.set_bit_generator(np.random.MT19937(0))", OF_NUMPY),
    "the state of the bit generator": ("np.random.get_bit_generator().state = {'a': 1}", OF_NUMPY),
    "the bit generator in a variable": ("bits = np.random.get_bit_generator()\nbits.state = 3", OF_NUMPY),
    "a function that says that it seeds": (
        "from lightning import seed_everything\nseed_everything(0)",
        OF_NUMPY,
    ),
    "a method that does so": ("import tensorflow as tf\ntf.keras.utils.set_random_seed(0)", OF_NUMPY),
    "what randint calls": ("random.Random.getrandbits = lambda s, k: 0", "random.randint(0, 1)"),
    "what secrets calls": ("random.SystemRandom.getrandbits = lambda s, k: 0", "secrets.randbelow(2)"),
    "a class by another name": (
        "Q = random.Random\nQ.getrandbits = lambda s, k: 0",
        "random.randint(0, 1)",
    ),
    "a class that is given to a function": (
        "def put(c):\n    c.getrandbits = lambda s, k: 0\nput(random.Random)",
        "random.randint(0, 1)",
    ),
    "the type of a source": (
        "type(random.Random()).randrange = lambda s, *ends: 0",
        "random.randint(0, 1)",
    ),
    "what is set by name": (
        "setattr(random.Random, 'getrandbits', lambda s, k: 0)",
        "random.choice([0, 1])",
    ),
    "an attribute of a law": ("laplace.__setattr__('random_state', 1)", OF_SCIPY),
    "a module below a library's": (
        "mechanisms.laplace.secrets = None",
        "mechanisms.Laplace(epsilon=1, sensitivity=1).randomise(x)",
    ),
}

UNKNOWN = {
    "another library's seed": ("random.seed(0)", OF_NUMPY),
    "a function of the file": ("def seed_nothing():\n    return 1\nseed_nothing()", OF_NUMPY),
    "what only asks for a seed": ("def show():\n    return get_seed(0)", OF_NUMPY),
}

MAIN = 'if __name__ == "__main__":\n    '
SCRIPT = "def main():\n    np.random.seed(0)\n    print(f(1.0))\n"

OF_A_SCRIPT = {
    "in the guard's block": MAIN + "np.random.seed(0)\n    print(f(1.0))",
    "in a function that the block calls": SCRIPT + MAIN + "main()",
    "in one that such a function calls": "def start():\n    np.random.seed(0)\n"
    + "def main():\n    'The main part.'\n    start()\n"
    + MAIN
    + "main()",
    "behind a condition": MAIN + "import sys\n    if sys.argv:\n        np.random.seed(0)",
}
"""Seeds that are set only where the file is a script: then the script is who calls the mechanism."""

NOT_OF_A_SCRIPT = {
    "the other condition": 'if __name__ != "__main__":\n    np.random.seed(0)',
    "another condition beside it": 'if __name__ == "__main__" or True:\n    np.random.seed(0)',
    "the other branch": MAIN + "pass\nelse:\n    np.random.seed(0)",
    "behind another condition": "if True:\n    pass\nelif __name__ == '__main__':\n    np.random.seed(0)",
    "a name of the file's own": "__name__ = '__main__'\n" + MAIN + "np.random.seed(0)",
    "a name that a loop gives": "for __name__ in ['__main__']:\n    pass\n" + MAIN + "np.random.seed(0)",
    "a name that is declared": "def g():\n    global __name__\n    __name__ = '__main__'\ng()\n"
    + MAIN
    + "np.random.seed(0)",
    "a function that the file calls, too": SCRIPT + "main()\n" + MAIN + "main()",
    "one that it names": SCRIPT + "HOOKS = [main]\nHOOKS[0]()\n" + MAIN + "main()",
    "one that a text names": SCRIPT + "import me\ngetattr(me, 'main')()\n" + MAIN + "main()",
    "one that an attribute names": SCRIPT + "import me\nme.main()\n" + MAIN + "main()",
    "one that is imported by its name": SCRIPT + "from me import main as g\ng()\n" + MAIN + "main()",
    "one that a class calls": SCRIPT + "class C:\n    x = main()\n" + MAIN + "main()",
    "one that another function calls": SCRIPT + "def g():\n    main()\ng()\n" + MAIN + "main()",
    "one with a decorator": "import atexit\n@atexit.register\n" + SCRIPT + MAIN + "main()",
    "what its default value does": "def main(x=np.random.seed(0)):\n    pass\n" + MAIN + "main()",
    "one that is defined twice": SCRIPT + "def main():\n    pass\nmain()\n" + MAIN + "main()",
    "one that the block doesn't call": SCRIPT + MAIN + "pass",
    "one of a name that Python asks for": "def __getattr__(name):\n    np.random.seed(0)\n"
    + MAIN
    + "__getattr__('x')",
}


def _program(before: str, drawn: str) -> str:
    return f"{IMPORTS}{before}\n{_mechanism(drawn)}"


def _mechanism(drawn: str) -> str:
    return f"@mechanism(adjacent={{'x': discrete_distance()}})\ndef f(x: float):\n    return {drawn}\n"


def _is_read(before: str, drawn: str) -> bool:
    mechanisms, _ = read_what_can_be(_program(before, drawn), "p.py")
    return bool(mechanisms)


@pytest.mark.parametrize("name", KNOWN)
def test_a_draw_beside_it_is_refused(name: str) -> None:
    _, drawn = KNOWN[name]
    assert _is_read("", drawn)
    assert not _is_read(*KNOWN[name])


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_tells_nothing_is_read(name: str) -> None:
    assert _is_read(*UNKNOWN[name])


@pytest.mark.parametrize("name", OF_A_SCRIPT)
def test_a_seed_of_the_script_is_no_part_of_what_is_claimed(name: str) -> None:
    text = f"{IMPORTS}{_mechanism(OF_NUMPY)}{OF_A_SCRIPT[name]}\n"
    seeds = [number for number, line in enumerate(text.splitlines(), 1) if "seed(0)" in line]
    mechanisms = read_program("p.py", data=text.encode()).mechanisms
    assert [item.unread for item in mechanisms] == [tuple(seeds)]


@pytest.mark.parametrize("name", NOT_OF_A_SCRIPT)
def test_what_may_run_elsewhere_is_none(name: str) -> None:
    mechanisms, _ = read_what_can_be(f"{IMPORTS}{_mechanism(OF_NUMPY)}{NOT_OF_A_SCRIPT[name]}\n", "p.py")
    assert not mechanisms


def test_a_mechanism_is_no_function_of_the_script() -> None:
    """Its own seed counts where only the script calls it, and it is stated beside the file."""
    stated = Specification(types=(("x", "float"),), adjacent=(("x", "discrete_distance()"),))

    def is_read(text: str) -> bool:
        return bool(read_program("p.py", {"f": stated}, text.encode()).mechanisms)

    plain = f"{IMPORTS}def f(x):\n    return {OF_NUMPY}\n{MAIN}print(f(1.0))\n"
    assert is_read(plain)
    assert not is_read(plain.replace("return", "np.random.seed(0)\n    return"))
    start = "def start():\n    np.random.seed(0)\n"
    for called in ("start()", "print(start())", "if start():\n        pass"):
        helped = plain.replace("return", f"{called}\n    return").replace("def f", f"{start}def f")
        assert not is_read(f"{helped}    start()\n")
