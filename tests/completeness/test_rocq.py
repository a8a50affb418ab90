"""Mechanisms of the suite from the program's text to a theorem of Rocq, on the axioms of its real numbers."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from synth.app.rocq import ALLOWED, MISSING, compile_proof, compile_theories
from synth.rocq.document import rocq_file
from synth.rocq.refusal import Inexpressible
from synth.trusted.errors import UnfinishedError
from synth.trusted.kernel.check import parse
from tests import ROOT

COVERED = {
    "benchmarks/public/clutch_dp": (
        "above_threshold",
        "report_noisy_max",
        "sparse_vector",
    ),
    "benchmarks/public/opendp": (
        "bounded_geometric",
        "geometric_vector",
        "laplace_threshold",
        "laplace_vector",
        "noisy_top_1",
        "quantile",
        "randomized_response_bool",
        "sequential_composition",
    ),
    "benchmarks/public/sampcert": (
        "above_thresh",
        "max_bin_above_threshold",
        "noised_bin_count",
        "noised_bounded_mean",
        "noised_bounded_sum",
        "noised_count",
        "noised_histogram",
        "sparse",
    ),
    "benchmarks/programs/above_threshold": (
        "above_threshold",
        "above_threshold_fresh",
        "above_threshold_fresh_real",
        "above_threshold_real",
    ),
    "benchmarks/programs/between_thresholds": ("between_thresholds_discrete",),
    "benchmarks/programs/finite": (
        "best_candidate",
        "k_median",
        "k_rr",
        "rappor",
        "response",
    ),
    "benchmarks/programs/noisy_max": (
        "exponential_by_noise",
        "exponential_by_noise_real",
        "report_noisy_max",
        "report_noisy_max_monotone",
        "report_noisy_max_real",
    ),
    "benchmarks/programs/noninterference": (
        "branches_agree",
        "length_only",
        "public_answer",
        "public_answer_real",
    ),
    "benchmarks/programs/numeric_sparse_vector": (
        "numeric_svt",
        "numeric_svt_real",
    ),
    "benchmarks/programs/sparse_vector": (
        "sparse_vector_sequence",
        "sparse_vector_sequence_real",
        "svt_1",
        "svt_1_real",
        "svt_2",
        "svt_2_real",
        "svt_4",
        "svt_4_real",
    ),
    "benchmarks/programs/sums": (
        "partial_sum",
        "partial_sum_real",
        "prefix_sum",
        "prefix_sum_real",
        "running_sum",
        "running_sum_real",
        "smart_sum",
    ),
    "benchmarks/programs/vectors": (
        "laplace_vector",
        "laplace_vector_real",
        "noisy_and_sum",
        "vector_noise",
        "vector_noise_real",
    ),
    "tests/completeness/programs/heldout/delta": (
        "clamped",
        "stable_count",
        "stable_histogram",
        "stable_mode",
        "thresholded_histogram",
        "uniform_noise",
        "uniform_noise_for_a_distance",
    ),
    "tests/completeness/programs/textbook/private_data_in_rounds": (
        "counts_per_cell",
        "quantile_by_bisection",
        "quantile_with_the_whole_budget",
        "quantile_with_while",
    ),
    "tests/completeness/programs/textbook/selection_and_streams": (
        "above_threshold_by_the_last_draw",
        "last_below_by_the_last_draw",
        "score_with_a_prior",
        "shorter_is_better",
    ),
    "tests/completeness/programs/textbook/streams_and_budgets": (
        "average_between_bounds",
        "budget_in_a_variable",
        "decayed_sum_above_threshold",
        "monitor_that_restarts",
        "sums_of_three",
    ),
    "tests/completeness/programs/adjacency/vectors": ("flips_where_two_vectors_differ",),
    "tests/completeness/programs/heldout/finite": (
        "coin3",
        "dithered",
        "each_person",
        "em_T",
        "em_list",
        "em_many",
        "em_median",
        "em_monotone",
        "em_near",
        "em_one",
        "flip_p",
        "flip_p_infer",
        "helper",
        "k_rr_flat",
        "k_rr_others",
        "krr_everybody",
        "krr_in_list",
        "local",
        "n_times",
        "pad",
        "rappor_vec",
        "rr_and_laplace",
        "rr_coin",
        "twice",
        "two_coins",
        "two_coins_num",
    ),
    "tests/completeness/programs/heldout/budgets": (
        "count_then_sum",
        "release_first_k",
        "release_until",
        "repeated_release",
        "two_numbers",
        "two_releases",
    ),
    "tests/completeness/programs/heldout/chances": (
        "both_responses",
        "coin_by_secret",
        "early_return",
        "leak",
        "leak_of_two",
        "majority_in_a_loop",
        "majority_of_three",
        "shifted",
        "two_in_a_list",
        "two_responses",
        "until_it_falls",
    ),
    "tests/completeness/programs/heldout/first_index": (
        "above_threshold_two_budgets",
        "all_above_exact",
        "any_above",
        "below_threshold",
        "first_in_band",
        "last_above",
        "low_and_high",
    ),
    "tests/completeness/programs/heldout/scalars": (
        "distance_from",
        "exactly_or_noisily_public",
        "median_of_three",
        "noisy_bit",
        "noisy_sign",
        "only_the_noise",
        "public_walk",
        "released_then_used",
        "scaled_number",
    ),
    "tests/completeness/programs/heldout/selection": (
        "largest_change",
        "max_mixed_noise",
        "max_rounds",
    ),
    "tests/completeness/programs/heldout/sparse_vector": (
        "adaptive_svt",
        "adaptive_svt_gap_real",
        "anchored_threshold",
        "band_alert",
        "first_gap",
        "numeric_svt_three_budgets",
        "svt_below",
        "svt_cooldown",
        "svt_gap",
        "svt_gap_real",
        "svt_monotone_gap_real",
        "svt_one_sided",
    ),
    "tests/completeness/programs/heldout/styles": (
        "accumulates",
        "bools_until",
        "either_way",
        "svt_2_flag",
    ),
    "tests/completeness/programs/heldout/sums": (
        "clipped_sum",
        "count_rises",
        "count_yes",
        "differences",
        "every_mth",
        "histogram",
        "histogram_replace",
        "largest_value",
        "mean",
        "rounded_sum",
        "spread",
    ),
    "tests/completeness/programs/practice/local": (
        "k_ary",
        "k_ary_with_itself",
        "laplace_of_a_bounded_value",
        "laplace_of_a_clipped_value",
        "permanent_response",
        "survey",
        "two_coins",
        "warner",
        "warner_by_randint",
    ),
    "tests/completeness/programs/practice/noise_first": (
        "counted_behind",
        "counted_behind_on_integers",
        "mean_of_changed",
        "sum_in_one_expression",
    ),
    "tests/completeness/programs/practice/selection": (
        "noisy_max_and_its_value",
        "stable_exponential_mechanism",
    ),
    "tests/completeness/programs/practice/small_programs": (
        "first_busy_day",
        "mean_rating",
        "pick_slot",
        "release_salary",
        "report_city",
        "survey_of_smokers",
        "totals_of_any_length",
        "weekly_totals",
    ),
    "benchmarks/public/checkdp": (
        "gap_sparse_vector",
        "noisy_max",
        "partial_sum",
        "smart_sum",
        "sparse_vector",
        "svt_monotone",
    ),
    "benchmarks/public/dipapprox": (
        "below_threshold_laplace_1",
        "below_threshold_laplace_2",
    ),
    "benchmarks/public/dp_sniper": (
        "laplace_parallel",
        "noisy_hist_1",
        "numerical_svt",
        "one_time_rappor",
        "prefix_sum",
        "rappor",
        "svt_1",
        "svt_4_right",
    ),
    "benchmarks/public/dpgen": (
        "adaptive_sparse_vector",
        "gap_sparse_vector",
        "noisy_max",
        "num_sparse_vector",
        "partial_sum",
        "smart_sum",
        "sparse_vector",
        "sparse_vector_inverse",
    ),
    "benchmarks/public/shadowdp": (
        "num_sparse_vector",
        "prefix_sum",
        "sparse_vector",
    ),
    "benchmarks/public/statdp": (
        "histogram",
        "noisy_max_v1a",
        "noisy_max_v2a",
        "svt",
    ),
    "tests/completeness/programs/practice/budgets": (
        "average_of_two",
        "each_round_its_share",
        "each_round_the_whole_budget",
        "session",
        "test_and_release",
    ),
    "tests/completeness/programs/practice/aggregates": (
        "bounded_sum_of_signed",
        "count_adults",
        "count_with_the_scale_inverted",
        "histogram_of_counts",
        "mean_of_clipped",
        "share_of_flags",
    ),
    "tests/completeness/programs/practice/sparse": (
        "above_threshold",
        "above_threshold_without_an_answer",
        "lyu_1",
        "lyu_3",
        "lyu_4",
        "lyu_6",
        "numeric_above_threshold",
        "sparse_by_restarts",
        "sparse_that_counts_too_late",
        "threshold_without_noise",
    ),
    "tests/completeness/programs/textbook/carried_budgets": ("shares_and_the_rest",),
    "tests/completeness/programs/textbook/local_and_fading": (
        "decayed_sums",
        "decayed_sums_in_a_while",
        "exponential_moving_average",
    ),
}
MECHANISMS = [f"{file}.py::{name}" for file, names in COVERED.items() for name in names]
SECONDS = 900

LIES = {
    "half of the noise": (
        "benchmarks/programs/vectors.py::noisy_and_sum",
        '(RDiv (RealConst 2) (RealVar "eps"))',
        '(RDiv (RealConst 1) (RealVar "eps"))',
    ),
    "entries of a list that differ by less": (
        "benchmarks/programs/vectors.py::noisy_and_sum",
        "+ (2 * change_q)",
        "+ (1 * change_q)",
    ),
    "weights of twice the rate": (
        "benchmarks/programs/finite.py::best_candidate",
        '(RMul (RealConst 2) (RealVar "Delta"))',
        '(RealVar "Delta")',
    ),
    "scores within half of their distance": (
        "benchmarks/programs/finite.py::best_candidate",
        "(2 * Delta_)%R (1)%Z",
        "Delta_%R (1)%Z",
    ),
    "one choice that is not paid": (
        "benchmarks/programs/finite.py::k_median",
        "((((2 * Delta_) * (IZR T_)) * eps_) + ((2 * Delta_) * eps_))",
        "(((2 * Delta_) * (IZR T_)) * eps_)",
    ),
    "a true answer that is told more often": (
        "benchmarks/programs/finite.py::k_rr",
        '(RDiv (ToReal (IntVar "k"))',
        "(RDiv (RealConst 1)",
    ),
    "another value that costs nothing": (
        "benchmarks/programs/finite.py::k_rr",
        "sums 0%nat eps_%R (1)%Z",
        "sums 0%nat eps_%R (0)%Z",
    ),
    "a smaller δ": (
        "tests/completeness/programs/heldout/delta.py::stable_count",
        "private_within eps_ delta_",
        "private_within eps_ (delta_ / 2)",
    ),
    "a tail with a smaller chance than it has": (
        "tests/completeness/programs/heldout/delta.py::stable_count",
        '"lost#0" (1)%Z delta_%R',
        '"lost#0" (1)%Z (delta_ / 2)%R',
    ),
    "a threshold that is nearer": (
        "tests/completeness/programs/heldout/delta.py::stable_count",
        "(RAdd (RealConst 1) (RDiv (Ln",
        "(RAdd (RealConst 0) (RDiv (Ln",
    ),
    "tails of all draws at the price of one": (
        "tests/completeness/programs/heldout/delta.py::stable_histogram",
        'Tail (Eq (IntVar "c%2") (IntConst changed_counts))',
        "Tail (BoolConst true)",
    ),
    "a tail on one side only": (
        "tests/completeness/programs/heldout/delta.py::clamped",
        "      true ((1 + ",
        "      false ((1 + ",
    ),
    "a lead that is let through earlier": (
        "tests/completeness/programs/heldout/delta.py::stable_mode",
        "(IntConst 20)",
        "(IntConst 10)",
    ),
    "half of the noise on a count of reals": (
        "tests/completeness/programs/textbook/private_data_in_rounds.py::quantile_by_bisection",
        '(RDiv (ToReal (IntVar "rounds")) (RealVar "eps"))',
        '(RDiv (RealConst 1) (RealVar "eps"))',
    ),
    "a coin that tells more": (
        "tests/completeness/programs/heldout/finite.py::coin3",
        "(RealConst (3 / 4))",
        "(RealConst (7 / 8))",
    ),
    "two responses at the price of one": (
        "tests/completeness/programs/heldout/finite.py::twice",
        "(2 * eps_)",
        "eps_",
    ),
    "two responses that tell more": (
        "tests/completeness/programs/heldout/finite.py::twice",
        '(Exp (RealVar "eps"))',
        '(Exp (RMul (RealConst 2) (RealVar "eps")))',
    ),
    "a leak that is lost less often": (
        "tests/completeness/programs/heldout/chances.py::leak_of_two",
        "(d_ * d_)",
        "(d_ * (d_ * d_))",
    ),
    "a number that is kept more often": (
        "tests/completeness/programs/heldout/finite.py::k_rr_flat",
        '(RSub (Exp (RealVar "eps")) (RealConst 1))',
        '(RSub (Exp (RMul (RealConst 2) (RealVar "eps"))) (RealConst 1))',
    ),
    "a number that is drawn from fewer": (
        "tests/completeness/programs/heldout/finite.py::k_rr_others",
        '(IntVar "other.outcome") (Sub (IntVar "k") (IntConst 2))',
        '(IntVar "other.outcome") (Sub (IntVar "k") (IntConst 3))',
    ),
    "a die that tells more": (
        "tests/completeness/programs/practice/local.py::warner_by_randint",
        "(ln 5)",
        "(ln 4)",
    ),
    "a survey that tells less than it does": (
        "tests/completeness/programs/practice/local.py::survey",
        "(ln 3)",
        "(ln 2)",
    ),
    "a secret that chooses between unlike coins": (
        "tests/completeness/programs/heldout/chances.py::coin_by_secret",
        '((BoolVar "draw%4.outcome"), (RealConst (3 / 4)))',
        '((BoolVar "draw%4.outcome"), (RealConst (7 / 8)))',
    ),
    "an interval that is squeezed for nothing": (
        "benchmarks/programs/between_thresholds.py::between_thresholds_discrete",
        "(1)%Z (2)%Z (2 * 1)%R",
        "(0)%Z (2)%Z (2 * 1)%R",
    ),
    "an interval that is squeezed by less": (
        "benchmarks/programs/between_thresholds.py::between_thresholds_discrete",
        "(2)%Z (2 * 1)%R",
        "(2)%Z 1%R",
    ),
    "thresholds that are nearer to each other": (
        "benchmarks/programs/between_thresholds.py::between_thresholds_discrete",
        '(RDiv (RealConst 12) (RealVar "eps"))',
        '(RDiv (RealConst 3) (RealVar "eps"))',
    ),
    "half of the noise on counts of records in a loop": (
        "tests/completeness/programs/textbook/private_data_in_rounds.py::counts_per_cell",
        '(RDiv (RealConst 2) (RealVar "eps"))',
        '(RDiv (RealConst 1) (RealVar "eps"))',
    ),
    "numbers of which fewer are lost": (
        "tests/completeness/programs/heldout/delta.py::uniform_noise_for_a_distance",
        "(d_)%Z program",
        "(d_ - 1)%Z program",
    ),
    "numbers that are twice as likely": (
        "tests/completeness/programs/heldout/delta.py::uniform_noise_for_a_distance",
        "(RDiv (RealConst 1) (ToReal",
        "(RDiv (RealConst 2) (ToReal",
    ),
    "records that change nothing": (
        "benchmarks/public/sampcert.py::noised_count",
        "(1)%Z (1)%Z (0)%Z",
        "(0)%Z (1)%Z (0)%Z",
    ),
    "counts of records that are the same": (
        "benchmarks/public/sampcert.py::noised_count",
        '(~ (2 <= ((as_int (m1 "count%1"))',
        '(~ (1 <= ((as_int (m1 "count%1"))',
    ),
    "a record that changes before it is read": (
        "benchmarks/public/sampcert.py::noised_count",
        "changed_x'present)) <= 0)%Z) \\/ (~ (1 <= ",
        "changed_x'present)) <= 1)%Z) \\/ (~ (1 <= ",
    ),
    "half of the noise on a real": (
        "benchmarks/programs/above_threshold.py::above_threshold_real",
        '(RDiv (RealConst 2) (RealVar "eps"))',
        '(RDiv (RealConst 1) (RealVar "eps"))',
    ),
    "real noise that is moved for less": (
        "benchmarks/programs/above_threshold.py::above_threshold_real",
        "(2%R * 1%R)%R",
        "(1%R * 1%R)%R",
    ),
    "real noise that is moved less far": (
        "benchmarks/programs/above_threshold.py::above_threshold_real",
        "(1%R)%R (1)%Z (1%R)%R",
        "(1%R)%R (1)%Z (0%R)%R",
    ),
    "a branch that is asked about and not told": (
        "benchmarks/programs/above_threshold.py::above_threshold_real",
        "told_private_on [(Branch 1)] eps_",
        "told_private_on [] eps_",
    ),
    "a smaller epsilon where noise is real": (
        "benchmarks/programs/sums.py::partial_sum_real",
        "told_private_on [] eps_",
        "told_private_on [] (eps_ / 2)",
    ),
    "a program that draws reals as one that draws none": (
        "benchmarks/programs/sums.py::partial_sum_real",
        "told_private_on [] eps_",
        "private_on eps_",
    ),
    "a real that changes by more": (
        "benchmarks/programs/sums.py::partial_sum_real",
        'change_one_reals (eval (input q_1 b_ eps_) (RealVar "b"))',
        'change_one_reals (eval (input q_1 b_ eps_) (RMul (RealConst 2) (RealVar "b")))',
    ),
    "a function of two indices that differs by more": (
        "tests/completeness/programs/heldout/selection.py::max_rounds",
        "linf_table2 (eval (input score_1 n_ m_ eps_) (RealConst 1))",
        "linf_table2 (eval (input score_1 n_ m_ eps_) (RealConst 2))",
    ),
    "entries of reals that differ by twice as much": (
        "benchmarks/programs/vectors.py::laplace_vector_real",
        'l1_reals (eval (input x_1 Delta_ eps_) (RealVar "Delta"))',
        'l1_reals (eval (input x_1 Delta_ eps_) (RMul (RealConst 2) (RealVar "Delta")))',
    ),
    "a Bloom filter of which more bits differ": (
        "tests/completeness/programs/heldout/finite.py::rappor_vec",
        "l1_truths (eval (input bits_1 eps_) (RealConst 2))",
        "l1_truths (eval (input bits_1 eps_) (RealConst 3))",
    ),
    "half of the chance of another bit": (
        "tests/completeness/programs/heldout/finite.py::rappor_vec",
        '(RDiv (RealVar "eps") (RealConst 2))',
        '(RDiv (RealVar "eps") (RealConst 1))',
    ),
    "half of the noise on a share": (
        "tests/completeness/programs/practice/aggregates.py::share_of_flags",
        '(RMul (ToReal (IntVar "n")) (RealVar "eps"))',
        '(RMul (ToReal (Mul (IntConst 2) (IntVar "n"))) (RealVar "eps"))',
    ),
    "half of the noise where it is drawn first": (
        "tests/completeness/programs/practice/noise_first.py::counted_behind",
        '(RDiv (RealConst 1) (RealVar "eps"));;\n  Assign "matches"',
        '(RDiv (RealConst 1) (RMul (RealConst 2) (RealVar "eps")));;\n  Assign "matches"',
    ),
    "noise that is read before it is drawn": (
        "tests/completeness/programs/practice/noise_first.py::counted_behind",
        'If 1 (Lt (IntConst 3) (IntVar "x"))',
        'If 1 (RLt (RealConst 3) (RealVar "noise"))',
    ),
    "noise that is drawn first and moved less far": (
        "tests/completeness/programs/practice/noise_first.py::counted_behind",
        '(0%R + (eval m1 (ToReal (IntVar "matches"))',
        '(1%R + (eval m1 (ToReal (IntVar "matches"))',
    ),
    "half of the noise on integers where it is drawn first": (
        "tests/completeness/programs/practice/noise_first.py::counted_behind_on_integers",
        '(RDiv (RealConst 1) (RealVar "eps"))',
        '(RDiv (RealConst 1) (RMul (RealConst 2) (RealVar "eps")))',
    ),
    "noise on integers that is read before it is drawn": (
        "tests/completeness/programs/practice/noise_first.py::counted_behind_on_integers",
        'If 1 (Lt (IntConst 3) (IntVar "x"))',
        'If 1 (Lt (IntConst 3) (IntVar "noise"))',
    ),
    "a smaller epsilon where noise is drawn first": (
        "tests/completeness/programs/practice/noise_first.py::sum_in_one_expression",
        "told_private_on [] eps_",
        "told_private_on [] (eps_ / 2)",
    ),
    "real noise that is free": (
        "benchmarks/programs/sums.py::partial_sum_real",
        "shift_real 0%nat eps_%R (b_)%R (1)%Z",
        "shift_real 0%nat eps_%R (b_)%R (0)%Z",
    ),
}
"""Mechanisms, and what is put in place of what in their files: in what is stated, or in the proof."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """The theories, compiled."""
    if shutil.which("coqc") is None:
        pytest.fail(MISSING)
    with TemporaryDirectory() as made:
        compile_theories(Path("theories"), Path(made), time.monotonic() + SECONDS)
        yield Path(made)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_rocq_accepts_the_proof(folder: Path, tmp_path: Path, mechanism: str) -> None:
    document, text = emitted(tmp_path, mechanism)
    assert set(compile_proof(document, folder, text, time.monotonic() + SECONDS).axioms) <= ALLOWED


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_rocq_accepts_no_lie(folder: Path, tmp_path: Path, lie: str) -> None:
    mechanism, true, false = LIES[lie]
    document, text = emitted(tmp_path, mechanism)
    assert true in text
    with pytest.raises(UnfinishedError, match="Rocq does not accept"):
        compile_proof(document, folder, text.replace(true, false), time.monotonic() + SECONDS)


REFUSED = {
    "tests/completeness/programs/heldout/styles.py::int_flag": "a test that a step makes a branch",
    "tests/completeness/programs/heldout/styles.py::argmax_list": "a variable that a step makes",
    "tests/completeness/programs/heldout/scalars.py::noise_in_both_branches": "noise that a step draws",
    "tests/completeness/programs/textbook/local_and_fading.py::counts_above_a_bar": "noise that a step draws",
    "tests/completeness/programs/practice/noise_first.py::left_early": "past a return",
}
"""Mechanisms whose proofs have no form yet, and why."""


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", REFUSED)
def test_what_has_no_form_is_refused_with_its_reason(tmp_path: Path, mechanism: str) -> None:
    with pytest.raises(Inexpressible, match=REFUSED[mechanism]):
        emitted(tmp_path, mechanism)


def emitted(folder: Path, mechanism: str) -> tuple[Path, str]:
    """The certificate of a mechanism, and its file for Rocq."""
    document = folder / "proof.json"
    prove = [sys.executable, "-m", "synth", "prove", f"{ROOT}/{mechanism}", "--timeout", "3000"]
    done = subprocess.run([*prove, "--certificate", str(document)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return document, rocq_file(parse(document.read_text(encoding="utf-8")))
