"""What synth writes of a claim is read as it is meant, whatever the file calls its imports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.prover.acceptance import Unknown
from synth.prover.prove import prove
from synth.prover.templates.loading import load_templates
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import Claim, read_bound, read_claim, with_claim, with_stated
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.check import parse
from synth.trusted.program import syntax as ir
from synth.views.certificate.report import shown_bounds
from tests.support.proving import prove_apart

HEADER = "from synth.lang import Callable, absolute_distance, laplace, mechanism\n{imports}\n\n\n"
NOISY = """@mechanism(adjacent={{"x": absolute_distance(1)}}, requires="n > 1"{claim})
def noisy(x: int, n: float) -> int:
    return laplace(x, scale=1 / {log}(n))
"""
IMPORTS = {
    "import math": "math.log",
    "import math as m": "m.log",
    "from math import log": "log",
    "from math import log as ln": "ln",
    "import math\nfrom math import exp as log": "math.log",
    "import math\nfrom math import exp as floor": "math.log",
}


def noisy(imports: str, claim: str = "") -> ir.Mechanism:
    stated = f', epsilon="{claim}"' if claim else ""
    text = HEADER.format(imports=imports) + NOISY.format(claim=stated, log=IMPORTS[imports])
    return read_source(text, "noisy.py")[0]


@pytest.mark.parametrize("imports", IMPORTS)
def test_a_written_claim_is_read_as_it_is_meant(imports: str) -> None:
    log = IMPORTS[imports]
    of = noisy(imports, f"{log}(n)")
    assert Claim.of(of).epsilon == "log(n)"
    assert read_bound(of, "log(n)") == of.epsilon == with_claim(of, Claim.of(of)).epsilon
    assert read_claim(noisy(imports), f"{log}(n)") == of.epsilon


@pytest.mark.parametrize("imports", IMPORTS)
def test_a_claim_is_proved_under_any_name_of_its_functions(imports: str) -> None:
    assert prove_apart(noisy(imports, f"{IMPORTS[imports]}(n)")).verdict == "proved"


def test_a_name_of_the_file_does_not_change_what_is_judged() -> None:
    """It was printed as floor(-1/2), which is -1, and read again as exp(-1/2), with which it is true."""
    of = noisy("import math\nfrom math import exp as floor", "math.log(n) + math.floor(-1/2)")
    assert Claim.of(of).epsilon == "log(n) + floor(-1/2)"
    assert with_claim(replace(of, epsilon=None), Claim.of(of)).epsilon == of.epsilon
    assert prove_apart(of).verdict == "unknown"


def test_a_function_of_the_program_takes_no_place_of_pythons() -> None:
    text = HEADER.format(imports="import math") + (
        '@mechanism(adjacent={"x": absolute_distance(1)}, requires="n > 1")\n'
        "def noisy(x: int, log: Callable[[int], float], n: float) -> int:\n"
        "    return laplace(x, scale=1)\n"
    )
    (of,) = read_source(text, "noisy.py")
    found = read_bound(of, "log(n)")
    assert isinstance(found, ir.Operation) and found.operator is ir.Operator.LOGARITHM


def test_constants_of_the_file_are_for_users() -> None:
    text = HEADER.format(imports="C = 3") + (
        '@mechanism(adjacent={"x": absolute_distance(1)})\ndef noisy(x: int) -> int:\n'
        "    return laplace(x, scale=1)\n"
    )
    (of,) = read_source(text, "noisy.py")
    assert Claim.of(with_stated(of, "epsilon", "C")).epsilon == "3"
    with pytest.raises(ProgramError):
        read_bound(of, "C")


DIVERGENT = (
    "from synth.lang import *\n\n"
    '@mechanism(adjacent={"x": absolute_distance(1)}, requires="mu > 0", gdp="mu")\n'
    "def f(x: float, mu: float) -> float:\n"
    "    return gaussian(x, 1 / mu)\n"
)


def test_a_stated_epsilon_takes_the_place_of_another_notion() -> None:
    (mechanism,) = read_source(DIVERGENT, "f.py")
    private = with_stated(mechanism, "epsilon", "mu")
    assert Claim.of(with_stated(private, "delta", "1/10")) == Claim("mu", "1/10")


@pytest.mark.parametrize("notion", ["gdp", "zcdp"])
def test_a_stated_notion_takes_the_place_of_all_that_is_claimed(notion: str) -> None:
    (mechanism,) = read_source(DIVERGENT, "f.py")
    private = with_stated(with_stated(mechanism, "epsilon", "mu"), "delta", "1/10")
    assert Claim.of(with_stated(private, notion, "2 * mu")) == Claim(**{notion: "2*mu"})


def test_a_stated_delta_has_no_place_beside_another_notion() -> None:
    (mechanism,) = read_source(DIVERGENT, "f.py")
    with pytest.raises(ProgramError, match="goes with an epsilon, and gdp is claimed"):
        with_stated(mechanism, "delta", "1/10")


PAIRS = """from synth.lang import *

@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="len(bins) * eps")
def f(x: int, bins: list[tuple[int, float]], eps: float):
    return [laplace(x, 1 / eps) for low, high in bins]
"""


def test_the_length_of_a_list_of_tuples_is_that_of_the_list() -> None:
    (mechanism,) = read_source(PAIRS, "f.py")
    claim = Claim.of(mechanism).epsilon
    assert claim == "len(bins)*eps"
    assert read_bound(mechanism, claim) == read_claim(mechanism, claim) == mechanism.epsilon


def test_a_bound_over_the_length_of_a_list_of_tuples_is_shown_by_its_name() -> None:
    (mechanism,) = read_source(PAIRS.replace(', epsilon="len(bins) * eps"', ""), "f.py")
    found = prove(mechanism, load_templates())
    assert not isinstance(found, Unknown)
    assert shown_bounds(parse(found.certificate), mechanism).epsilon == "len(bins)*eps"


def test_entries_of_private_tuples_are_in_no_claim() -> None:
    text = PAIRS.replace('"x": absolute_distance(1)', '"bins": change_one_distance()')
    (mechanism,) = read_source(text, "f.py")
    with pytest.raises(ProgramError):
        read_claim(mechanism, "bins[0][0]")
