"""Small programs at which the search and the kernel once disagreed, or one of them stopped.

Each is proved with its bound, or refused at the line that is marked, for a reason that is about the program.
"""

from __future__ import annotations

import pytest

from synth.trusted.frontend.reader import read_file
from tests import ROOT
from tests.support.proving import assert_bound, from_file, prove_apart

FILE = ROOT / "tests/completeness/programs/corners/programs.py"
PROVED = {
    "every_second": "eps",
    "every_third_in_a_while": "eps",
    "squares": "2*eps",
    "gaussian_sum_l1": "eps",
    "gaussian_beside_laplace_l1": "eps + 1",
    "score_and_noise_l1": "2*eps",
    "division_by_the_length": "eps*len(q)",
    "length_minus_one": "eps",
    "choice_among_entries": "eps",
    "empty_in_an_else": "eps",
    "times_true": "eps",
    "reciprocal_of_a_local": "eps",
    "reciprocal_in_a_loop": "eps*len(q)",
    "cancelled": "eps",
    "sum_of_positive_entries": "eps",
    "sum_of_sizes": "eps",
    "read_where_the_runs_part": "eps",
    "private_part_added_later": "eps*n",
    "private_part_added_later_in_nested_loops": "4*eps",
    "last_of_each_eleven": "eps",
    "counts_that_fall": "eps*n",
    "between_its_neighbours": "2*eps",
    "one_side_assigned_and_overwritten": "0",
    "one_side_assigned": "log(3)",
    "in_a_noisy_range": "eps",
    "up_to_a_real_time": "2*eps",
    "bound_in_a_flag": "eps",
}
REFUSED = {
    "drawn_scale": "the scale k is no",
    "drawn_rate": "the scale k is no",
    "facts_without_a_function": "no run on small inputs comes to an end",
    "without_an_end": "no run on small inputs comes to an end",
    "drawn_scale_in_a_loop": "the scale k is no",
}
"""Words of the reason."""


@pytest.mark.parametrize("name", PROVED)
def test_proved(name: str) -> None:
    mechanism = from_file(FILE, name)
    assert_bound(mechanism, prove_apart(mechanism), PROVED[name])


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    mechanism = from_file(FILE, name)
    outcome = prove_apart(mechanism)
    assert outcome.verdict == "unknown", str(outcome)
    assert REFUSED[name] in outcome.reason
    assert outcome.line == _marked_line(mechanism.span.line)


def _marked_line(first: int) -> int:
    """The first marked line from there on."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return next(
        number for number, line in enumerate(lines, 1) if number >= first and line.endswith("# refused")
    )


def test_each_program_is_expected() -> None:
    assert {item.name for item in read_file(FILE)} == PROVED.keys() | REFUSED.keys()
