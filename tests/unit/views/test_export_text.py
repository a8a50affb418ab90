"""``synth export --to text``: golden texts of the paper's two mechanisms, and what a terminal may show."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from synth.trusted.kernel.check import parse
from synth.trusted.logic.rejection import Rejected
from synth.views.certificate.steps import reading
from synth.views.certificate.text import text
from tests.soundness.kernel.test_rules_loops import COUNTED, LOOP
from tests.soundness.kernel.test_rules_ties import TIED
from tests.support import handmade
from tests.support.cores import with_core
from tests.unit.views.exporting import GOLDEN, MECHANISMS, Json, edited, golden_reading, odd_names


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_golden_derivations(name: str) -> None:
    assert text(golden_reading(name)) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_above_threshold_reads_like_the_paper() -> None:
    shown = text(golden_reading("above_threshold"))
    assert "⊢ above_threshold ~⟨eps, 0⟩ above_threshold : adjacent ⇒ out⟨1⟩ = out⟨2⟩" in shown
    assert "[LapGen] threshold ←$ laplace(t, 2/eps)" in shown
    assert "k = 1, |1 + t⟨1⟩ − t⟨2⟩| ≤ 1, cost eps/2" in shown
    assert "threshold⟨1⟩ + 1 = threshold⟨2⟩" in shown
    assert "couple null" in shown
    assert "`synth check`" in shown


def test_the_argument_tells_iterations_apart() -> None:
    shown = " ".join(text(golden_reading("exponential_by_noise")).split())
    assert "before iteration b (r⟨1⟩ < b), couple null (the same noise), free; at iteration b" in shown
    assert "shift by 1, so that noisy⟨1⟩ + 1 = noisy⟨2⟩, at cost eps; otherwise, couple null" in shown


def test_what_is_lost_goes_with_what_is_paid() -> None:
    shown = " ".join(text(golden_reading("gaussian_integers")).split())
    assert "[Forall-Eq] for all b at once: ⊢ gaussian_integers ~⟨1, 1/100000⟩ gaussian_integers" in shown
    assert "what is paid so far, in units of (1/2, 1/200000); wherever it grows at most 2" in shown
    assert "k = 0, |x⟨1⟩ − x⟨2⟩| ≤ 1, cost (1/2, 1/200000)" in shown
    assert "where it grows: x⟨1⟩ − x⟨2⟩ ≠ 0 ⇒ cost₀ < 2" in shown
    assert "at cost (1/2, 1/200000). - At a cost of two parts" in shown
    assert "except for a mass of at most the second, which is lost ([Norm]). No guard asks about b:" in shown
    assert "In all that is at most 2·1/2 ≤ 1, and what is lost sums up to at most 2·1/200000" in shown


def test_squares_are_summed_up_and_paid_for_at_once() -> None:
    shown = " ".join(text(golden_reading("gaussian_twice")).split())
    assert "⊢ gaussian_twice ~⟨eps, delta⟩ gaussian_twice : adjacent ⇒ out⟨1⟩ = out⟨2⟩" in shown
    assert "[Forall-Eq] for all b at once: ⊢ gaussian_twice ~⟨eps, delta⟩ gaussian_twice" in shown
    each, all_ = "eps^2/(4·log(((5/4)/delta)))", "eps^2/(2·log(((5/4)/delta)))"
    assert f"the sum of (distance/sigma)^2 of Gaussian noise so far, in units of {each}" in shown
    assert f"k = 0, |x⟨1⟩ − x⟨2⟩| ≤ 1, adds {each} to μ^2" in shown
    assert f"so that draw₃⟨1⟩ = draw₃⟨2⟩, which adds {each} to μ^2. - In every run" in shown
    assert f"[Norm] all Gaussian noise at once: μ^2 = {all_}, cost (eps, delta)" in shown
    assert (
        "That costs eps, except for a mass of at most delta, which is lost. No guard asks about b:" in shown
    )
    assert "In all that is at most eps, and what is lost sums up to at most delta." in shown


def test_normal_noise_without_a_cost_loses_nothing() -> None:
    def free(data: Json) -> None:
        for name in ("cost", "within", "amount"):
            at(data, NORMAL).pop(name)

    shown = " ".join(text(reading(parse(edited("gaussian_integers", free)))).split())
    assert "k = 0, x⟨1⟩ − x⟨2⟩ = 0, cost 0" in shown
    assert "so that draw₃⟨1⟩ = draw₃⟨2⟩, free." in shown
    assert "two parts" not in shown

    def null(data: Json) -> None:
        free(data)
        at(data, NORMAL)["k"] = "null"

    shown = " ".join(text(reading(parse(edited("gaussian_integers", null)))).split())
    assert "[Norm] draw₃ ←$ gaussian(x, 8) couple null, cost 0" in shown


def test_ties_that_have_chance_0() -> None:
    """Without them what the derivation says of the output would be wrong."""
    shown = " ".join(text(reading(parse(json.dumps(with_core(TIED))))).split())
    assert "couple null (the same noise), free. But for runs 1 of chance 0, y⟨1⟩ ≠ x⟨1⟩." in shown
    assert "but for a mass of 0: y⟨1⟩ ≠ x⟨1⟩" in shown
    assert shown.count("≠") == 2


def test_tails_that_are_given_up() -> None:
    shown = " ".join(text(golden_reading("stable_count")).split())
    assert "lost noisy⟨1⟩ − count⟨1⟩ ≥ (log((1/delta))/eps), of mass delta" in shown
    assert "(log((1/delta))/eps) are lost, a mass of at most delta." in shown
    assert "what is lost sums up to at most delta." in shown
    wrong = edited("stable_count", lambda data: at(data, (2,)).update(tail=["above"]))
    with pytest.raises(Rejected, match="tail"):
        text(reading(parse(wrong)))


def test_a_delta_of_nothing_known_is_refused() -> None:
    for edit in (
        lambda data: data["proved"].update(delta="|sigma<>|"),
        lambda data: data["costs"]["cost#0"].update(delta="|sigma<>|"),
    ):
        with pytest.raises(Rejected, match="means nothing here"):
            reading(parse(edited("gaussian_integers", edit)))


def test_a_square_of_nothing_known_is_refused() -> None:
    for edit in (
        lambda data: data["gaussian"].update(square="|sigma<>|"),
        lambda data: data["gaussian"].update(delta="|sigma<>|"),
        lambda data: data["costs"]["cost#0"].update(square="|sigma<>|"),
    ):
        with pytest.raises(Rejected, match="means nothing here"):
            reading(parse(edited("gaussian_twice", edit)))


def test_outcomes_have_chances_and_their_pairs_have_prices() -> None:
    shown = text(golden_reading("k_rr"))
    assert "[Chance] returned₀.0 ←$ mixture" in shown
    assert "outcome 3: 0 <= returned₀.0 and returned₀.0 + 1 <= k and not secret%k == returned₀.0" in shown
    assert "free for the outcomes of run 1 and run 2: (0, 0), (1, 1), (2, 2), (3, 2), (3, 3)" in shown
    assert "cost eps for the outcomes of run 1 and run 2: (2, 3)" in shown
    assert "returned₀.0  the draw in line 14" in shown


def test_draws_that_are_seen_as_one_are_explained() -> None:
    several, single = (" ".join(text(golden_reading(name)).split()) for name in ("k_rr", "rappor"))
    assert (
        "Draws from line 14 on that only serve to compute returned₀.0 are seen as one draw of it" in several
    )
    assert "The draw in line 16 and what is computed from it are seen as one draw of bit′." in single
    assert "bit′ the new value of bit that line 16 draws" in single


def test_scores_and_rates_of_a_choice() -> None:
    shown = text(golden_reading("walk"))
    assert "count n, score score(current + current′), rate eps/(2*Delta)" in shown
    assert "no score changes by more than 2·Delta more than another's, cost eps" in shown


def test_what_costs_nothing_is_free() -> None:
    def forget(data: Json) -> None:
        at(data).pop("cost")

    shown = text(reading(parse(edited("walk", forget))))
    assert "no score changes by more than another's, cost 0" in shown
    assert ", free, as no score changes by more than another's." in " ".join(shown.split())
    nothing = edited("rappor", lambda data: at(data).update(pays=[]))
    assert "free, as its chance is at most as large in run 1 as in run 2." in " ".join(
        text(reading(parse(nothing))).split()
    )


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("rappor", {"free": 7}),
        ("rappor", {"free": [[0, "0"]]}),
        ("rappor", {"pays": [[0, 1]]}),
        ("rappor", {"pays": [[0, 1, "cost#7", "1"]]}),
        ("rappor", {"pays": [[0, 1, "cost#0", "|sigma<>|"]]}),
        ("rappor", {"rule": "Choice"}),
        ("walk", {"rule": "Chance"}),
        ("walk", {"cost": "cost#7"}),
        ("walk", {"within": "|sigma<>|"}),
    ],
)
def test_rules_of_finite_draws_that_are_incomplete_are_refused(name: str, fields: Json) -> None:
    with pytest.raises(Rejected):
        text(reading(parse(edited(name, lambda data: at(data).update(fields)))))


def test_the_chances_of_outputs_are_compared() -> None:
    shown = " ".join(text(golden_reading("told_or_noisy")).split())
    assert "Outcome 2: not b.0 and bit and b.1, with chance (1 - d)*exp(eps)/(1 + exp(eps))" in shown
    assert "(0, 6), (1, 6) what run 1's chance is beyond exp(eps) times run 2's is lost" in shown
    assert "[Lift] by the chances above: ⊢ told_or_noisy ~⟨eps, d⟩ told_or_noisy" in shown


@pytest.mark.parametrize(
    "fields",
    [
        {"free": 7},
        {"free": [[0, "0"]]},
        {"lost": [[6, 0]]},
        {"lost": [[0, 7]]},
        {"free": [[0, 0, 0]]},
        {"rule": "Seq"},
        {"rule": "Lifted"},
    ],
)
def test_chances_that_do_not_fit_are_refused(fields: Json) -> None:
    with pytest.raises(Rejected):
        text(reading(parse(edited("told_or_noisy", lambda data: data["derivation"].update(fields)))))


def test_nothing_lost_and_nothing_paid() -> None:
    def free(data: Json) -> None:
        data["derivation"].update(lost=[])
        data["proved"].update(epsilon="0.0", delta="0.0")

    shown = " ".join(text(reading(parse(edited("told_or_noisy", free)))).split())
    assert "run 1's chance is at most run 2's" in shown
    assert "lost" not in shown


NORMAL = (2, 0, 0, 0, 2)
"""Where gaussian_integers draws."""


def at(data: Json, path: tuple[int, ...] = (2, 0, 0, 0, 5)) -> Json:
    """The rule of the draw in the loop of rappor, or of walk."""
    place = data["derivation"]
    for step in path:
        place = place["premises"][step]
    assert isinstance(place, dict)
    return place


def test_a_claim_is_shown() -> None:
    changed = edited("above_threshold", lambda data: data["claim"].update(epsilon="2*eps"))
    assert "claimed     epsilon 2*eps, by [Conseq]" in text(reading(parse(changed)))


def test_nothing_unprintable_reaches_the_terminal() -> None:
    shown = text(reading(parse(odd_names())))
    assert all(line.isprintable() for line in shown.split("\n"))
    assert "größe_1⟨1⟩" in shown


def test_no_solver_is_loaded() -> None:
    script = (
        "import sys; from synth.app.commands.export import run, Options; from pathlib import Path;"
        "from synth.app.limited_check import Limits;"
        f"path = Path({str(GOLDEN / 'above_threshold.json')!r});"
        "run(Options(path, 'text', None, False, Limits(None, 1024)));"
        "sys.exit(len({'z3', 'cvc5', 'pysmt', 'flint'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("rule", "edit"),
    [
        ("Seq", lambda data: data["derivation"]["premises"].pop()),
        (
            "LapGen",
            lambda data: data["derivation"]["premises"].insert(0, data["derivation"]["premises"].pop(2)),
        ),
        ("Guess", lambda data: data["derivation"]["premises"][0].update(rule="Guess")),
        ("Schema", lambda data: data["proved"].update(epsilon="|sigma<>|")),
        ("Schema", lambda data: data["safety"].update({"0": "(+ |i%2<1>| 1)"})),
        ("LapGen", lambda data: data["derivation"]["premises"][2].update(cost="cost#7")),
        ("LapGen", lambda data: data["derivation"]["premises"][2].pop("k")),
    ],
)
def test_what_does_not_fit_the_program_is_refused(rule: str, edit: object) -> None:
    assert callable(edit)
    with pytest.raises(Rejected) as refused:
        text(reading(parse(edited("above_threshold", edit))))
    assert refused.value.rule in (rule, "Schema")


def test_a_loop_without_its_body_is_refused() -> None:
    """A document that is exported is not checked before."""
    with pytest.raises(Rejected, match="needs 1 premises"):
        reading(parse(json.dumps(with_core(handmade.edited(COUNTED, LOOP, premises=[])))))


def test_what_holds_of_a_lists_entries_in_each_run_may_stand_in_a_certificate() -> None:
    def state(data: Json) -> None:
        data["safety"]["out"] = "|out[0]<1>|"

    assert text(reading(parse(edited("rappor", state))))
