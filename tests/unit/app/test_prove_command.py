"""``synth prove``: verdicts, exit statuses, JSON and the report for people."""

from __future__ import annotations

from math import exp
from pathlib import Path

import pytest

from tests import ROOT
from tests.unit.app.invocation import CONTRADICTION, FALSE, NORMAL, PROVED, UNKNOWN, UNREADABLE, Run, Write

SUITE = ROOT / "benchmarks" / "programs"

FIELDS = {
    "mechanism",
    "verdict",
    "epsilon",
    "delta",
    "claim",
    "seconds",
    "sites",
    "invariants",
    "witness",
    "reason",
    "certificate",
}


def test_json_of_a_proof(run: Run) -> None:
    done = run("prove", f"{SUITE / 'above_threshold.py'}::above_threshold", "--json")
    assert (done.status, done.err) == (0, "")
    (result,) = done.results()
    assert set(result) >= FIELDS
    assert result["mechanism"] == "above_threshold"
    assert result["verdict"] == "proved"
    assert (result["epsilon"], result["delta"]) == ("eps", "0")
    assert result["claim"] == {"epsilon": None, "delta": None}
    assert 0 < result["seconds"] < 60
    assert (result["witness"], result["reason"], result["certificate"]) == (None, None, None)
    assert [site["line"] for site in result["sites"]] == [12, 15]
    assert {site["distribution"] for site in result["sites"]} == {"laplace"}
    for site in result["sites"]:
        for case in site["cases"]:
            assert set(case) == {"when", "coupling", "k", "cost"}
            assert case["coupling"] in ("null", "shift")
    first, second = result["sites"]
    assert first["cases"] == [{"when": "always", "coupling": "shift", "k": "1", "cost": "eps/2"}]
    free = [case for case in second["cases"] if case["coupling"] == "null"]
    assert [(case["k"], case["cost"]) for case in free] == [("q[i]⟨2⟩ - q[i]⟨1⟩", "0")]
    (invariant,) = result["invariants"]
    assert "threshold⟨2⟩ == threshold⟨1⟩ + 1" in invariant
    assert "@" not in invariant and "#" not in invariant and "%" not in invariant


def test_report_for_people(run: Run, write: Write) -> None:
    path = write("noisy.py", PROVED)
    done = run("prove", path)
    assert (done.status, done.err) == (0, "")
    first, *rest = done.out.splitlines()
    assert first.startswith("noisy: proved, epsilon = eps (")
    assert rest == [
        "  claim 3*eps: proved; eps would do",
        "  line  draw               when    coupling  k  cost",
        "     6  laplace(x, 1/eps)  always  shift     0  eps",
        "",
        "  The proof assumes exact arithmetic (ideal reals, unbounded integers) and exact sampling.",
    ]
    assert "\x1b" not in done.out


def test_a_delta_is_shown_where_it_is_not_0(run: Run, write: Write) -> None:
    done = run("prove", write("normal.py", NORMAL))
    first, claim, _, site, *_ = done.out.splitlines()
    assert first.startswith("normal: proved, epsilon = 1, delta = 1/100000 (")
    assert claim == "  claim (1, 1/100000): proved"
    assert site.split() == ["6", "gaussian(x,", "4)", "always", "shift", "0", "1/16", "in", "mu**2"]
    assert "is at most 1/16; that costs (1, 1/100000)" in done.out


def test_a_program_without_private_parameters_says_so(run: Run, write: Write) -> None:
    path = write("p.py", "from synth.lang import *\n\n\n@mechanism()\ndef f(x: int):\n    return x\n")
    done = run("prove", path)
    assert done.status == 0
    assert (
        "\n  no parameter is private, since 'adjacent' names none: adjacent inputs are the same\n" in done.out
    )


def test_no_colour_and_no_blanks_at_line_ends(run: Run) -> None:
    done = run("prove", f"{SUITE / 'sums.py'}::smart_sum")
    assert done.status == 0
    assert all(line == line.rstrip() for line in done.out.splitlines())
    assert "\x1b" not in done.out
    assert "q.changed is the index at which q differs" in done.out


def test_a_bound_that_misses_the_claim_is_given(run: Run, write: Write) -> None:
    done = run("prove", write("p.py", FALSE), "--json")
    assert done.status == 1
    (result,) = done.results()
    assert (result["verdict"], result["epsilon"], result["delta"]) == ("refuted", "eps", "0")
    assert result["claim"] == {"epsilon": "eps/2", "delta": None}
    assert result["reason"] == "what is proved is eps, which is not shown to be at most the claim eps/2"
    (site,) = result["sites"]
    assert [(case["coupling"], case["cost"]) for case in site["cases"]] == [("shift", "eps")]
    witness = result["witness"]
    assert abs(witness["left"]["x"] - witness["right"]["x"]) == 1
    low, high = witness["probability_left"][0], witness["probability_right"][1]
    assert low > exp(witness["epsilon"]) * high and witness["epsilon_at_least"] > witness["epsilon"]


def test_the_claim_of_the_command_line_counts(run: Run, write: Write) -> None:
    path = write("p.py", FALSE)
    done = run("prove", path, "--epsilon", "2*eps", "--delta", "0.25", "--json")
    assert done.status == 0
    (result,) = done.results()
    assert result["claim"] == {"epsilon": "2*eps", "delta": "1/4"}
    assert result["spare"] is True


@pytest.mark.parametrize(
    ("programs", "status"),
    [
        ([PROVED], 0),
        ([PROVED, UNKNOWN], 3),
        ([UNKNOWN, FALSE, PROVED], 1),
        ([UNKNOWN, PROVED, UNREADABLE], 4),
        ([CONTRADICTION, PROVED], 4),
    ],
)
def test_the_worst_status_counts(
    run: Run, write: Write, tmp_path: Path, programs: list[str], status: int
) -> None:
    for number, text in enumerate(programs):
        write(f"folder/p{number}.py", text)
    done = run("prove", tmp_path / "folder", "--json")
    assert done.status == status
    unreadable = sum(text in (UNREADABLE, CONTRADICTION) for text in programs)
    assert len(done.results()) == len(programs) - unreadable
    assert len(done.err.splitlines()) == unreadable


def test_results_come_in_the_order_of_the_program(run: Run) -> None:
    path = SUITE / "noninterference.py"
    done = run("prove", path, "--workers", "3", "--json")
    names = [result["mechanism"] for result in done.results()]
    assert names == ["public_answer", "public_answer_real", "branches_agree", "length_only"]
    assert {result["epsilon"] for result in done.results()} == {"0"}
    assert {result["file"] for result in done.results()} == {str(path)}


@pytest.mark.slow
def test_what_is_assumed_of_while_loops(run: Run, write: Write) -> None:
    text = """
    from synth.lang import *


    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def waits(x: int, n: int, eps: float) -> int:
        y = laplace(x, scale=1 / eps)
        while y < n:
            pass
        return y
    """
    (result,) = run("prove", write("p.py", text), "--json").results()
    assert result["verdict"] == "proved"
    assert "terminates is not observed" in result["assumptions"]


def test_a_template_of_the_user_is_loaded(run: Run, write: Write) -> None:
    good = write(
        "good.toml",
        """
        extends = "laplace"

        [[couplings]]
        name = "mirror"
        k = "k"
        relation = "v2 == v1 + k"
        requirement = "true"
        distance = "abs(k + center1 - center2)"
        source = "test"
        """,
    )
    assert run("prove", write("p.py", PROVED), "--template", good).status == 0
    bad = write("bad.toml", good.read_text().replace('"abs(k + center1 - center2)"', '"0"'))
    done = run("prove", write("p.py", PROVED), "--template", bad, "--json")
    assert (done.status, done.results()) == (4, [])
    assert "coupling mirror of laplace is not sound" in done.err


def test_names_of_the_report_give_way_to_those_of_the_program(run: Run, write: Write) -> None:
    text = """
    from synth.lang import *


    @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
    def first_above(q: list[int], b: int, eps: float) -> int:
        cost = laplace(b, scale=2 / eps)
        result = len(q)
        for i in range(len(q)):
            result = i if laplace(q[i], scale=4 / eps) >= cost and result == len(q) else result
        return result
    """
    done = run("prove", write("p.py", text))
    assert done.status == 0
    assert "i = output" in done.out and "i = b" not in done.out
    assert "output is the output of run 1" in done.out
    assert "paid is what the couplings have cost so far" in done.out
    assert "paid <= eps" in done.out


def test_a_bound_with_alternatives_is_shown(write: Write, run: Run) -> None:
    path = write(
        "p.py",
        """
        from synth.lang import *


        @mechanism(adjacent={"x": absolute_distance(1)}, requires="s != 0")
        def noisy(x: int, s: int) -> int:
            return laplace(x, max(abs(s), abs(s)))
        """,
    )
    (row,) = run("prove", path, "--json").results()
    assert row["verdict"] == "proved" and "if s >= 0 else" in row["epsilon"]


UNREAD_DEFAULT = (
    "from synth.lang import *\nimport unheard_of\n\n\n"
    "def helper(x, y=unheard_of.K):\n    return x\n\n\n"
    '@mechanism(adjacent={"x": absolute_distance(1)})\n'
    "def f(x: int) -> int:\n    return laplace(helper(x), 1)\n"
)


def test_what_a_mechanism_needs_and_nobody_reads_has_its_place_in_the_file(run: Run, write: Write) -> None:
    path = write("p.py", UNREAD_DEFAULT)
    done = run("prove", path)
    assert (done.status, done.err.splitlines()[0]) == (
        4,
        f"synth: error: {path}:5:17: an import of 'unheard_of' is not supported; only synth.lang, math,"
        " typing and stubs are (line 2)",
    )


def test_what_nobody_reads_and_a_mechanism_does_not_need_is_told(run: Run, write: Write) -> None:
    done = run("prove", write("p.py", UNREAD_DEFAULT.replace("helper(x)", "helper(x, 1)")))
    assert done.status == 0
    assert "Line 2 is not read: it is assumed to change nothing that is used." in done.out


KEEPS = """
class Count:
    def __init__(self, eps: float):
        self.eps = eps
        self.last = 0.0

    def release(self, x: float) -> int:
        self.last = x
        return 0
"""


def test_what_an_object_holds_after_the_call_is_assumed_to_be_seen_by_nobody(run: Run, write: Write) -> None:
    """It may be the data: the claim is about what the method returns."""
    done = run("prove", f"{write('p.py', KEEPS)}::Count.release", "--adjacent", "x=absolute_distance(1)")
    assert "that nobody looks at what the object of 'Count' holds after this call" in done.out


def test_a_coin_that_is_tossed_as_noise_is_shown_so(run: Run) -> None:
    done = run("prove", f"{ROOT / 'tests/completeness/programs/textbook/seldom_leaks.py'}::name_and_shame")
    assert done.status == 0 and "%" not in done.out
    assert (
        "in line 11 a coin is tossed as noise: it shows its seldom side just if this noise is large"
        in done.out
    )
