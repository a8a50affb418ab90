"""Statements for Rocq: they are read back as the core program, and each lie about it is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.rocq.document import rocq_file
from synth.rocq.refusal import Inexpressible
from synth.rocq.statement import write_statement
from synth.rocq.statement_reader import Different, check_statement
from synth.trusted.core.reader import read_core
from synth.trusted.kernel.certificate import Claim
from synth.trusted.kernel.check import parse
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Event, Kind
from tests.unit.views.exporting import golden

LIES = {
    "a test": ("(Le (IntVar", "(Lt (IntVar"),
    "a rate": ("(RDiv (RealConst 4)", "(RDiv (RealConst 2)"),
    "a start": ('Assign "result" (Length "q")', 'Assign "result" (IntConst 0)'),
    "a name": ('(Read "q" (IntVar "i"))', '(Read "q" (IntVar "t"))'),
    "a law": ("Draw 0 laplace", "Draw 0 exponential"),
    "a draw that is left out": ('Draw 1 laplace "answer"', 'Assign "answer"'),
    "what is returned": ('Return [Item (IntVar "result")] []', "Return [] []"),
    "what must hold": ("Ensure (Not", "Assume (Not"),
    "an input": ('"t" (Int t_)', '"t" (Int 0)'),
    "a type": ("(eps_ : R)", "(eps_ : Z)"),
    "a distance": (
        "linf (eval (input q_1 t_ eps_) (RealConst 1))",
        "linf (eval (input q_1 t_ eps_) (RealConst 0))",
    ),
    "one input twice": (
        "program (input q_1 t_ eps_) (input q_2 t_ eps_)",
        "program (input q_1 t_ eps_) (input q_1 t_ eps_)",
    ),
    "epsilon": ("private_on eps_", "private_on (2 * eps_)"),
    "a premise more": ("  private_on", "  0 = 1 ->\n  private_on"),
    "a claim about fewer inputs": ("claim q_1 q_2 t_ eps_.", "claim q_1 q_1 t_ eps_."),
    "another program": ("private_on eps_ program", "private_on eps_ Skip"),
    "a definition more": ("Definition claim", "Definition private_on := 0.\n\nDefinition claim"),
}


def above_threshold() -> str:
    certificate = parse(golden("above_threshold"))
    return write_statement(read_core(certificate.core), certificate.proved.epsilon)


def test_a_statement_is_read_back_as_the_program() -> None:
    certificate = parse(golden("above_threshold"))
    mechanism = read_core(certificate.core)
    check_statement(above_threshold(), mechanism, certificate.proved.epsilon)


@pytest.mark.parametrize("lie", LIES)
def test_each_lie_about_the_program_is_noticed(lie: str) -> None:
    certificate = parse(golden("above_threshold"))
    true, false = LIES[lie]
    text = above_threshold()
    assert true in text
    with pytest.raises(Different):
        check_statement(text.replace(true, false, 1), read_core(certificate.core), certificate.proved.epsilon)


def test_an_epsilon_is_no_statement_of_zcdp() -> None:
    """A proof of ε may stand for a ρ: what Rocq would accept is another statement than the claim."""
    certificate = parse(golden("rappor"))
    assert rocq_file(certificate)
    with pytest.raises(Inexpressible, match="zCDP"):
        rocq_file(replace(certificate, claim=Claim(None, None, zcdp="eps*eps/2")))


def test_what_has_no_form_is_refused_with_its_reason() -> None:
    with pytest.raises(Inexpressible, match="gaussian noise"):
        rocq_file(parse(golden("gaussian_twice")))


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ('(Not (BoolVar "draw', '((BoolVar "draw'),
        ("(RealConst 1) (RDiv", "(RealConst 2) (RDiv"),
        ("Exp (", "RNeg ("),
        ("BOOL", "INT"),
    ],
)
def test_each_lie_about_chances_is_noticed(true: str, false: str) -> None:
    certificate = parse(golden("rappor"))
    mechanism = read_core(certificate.core)
    text = write_statement(mechanism, certificate.proved.epsilon)
    check_statement(text, mechanism, certificate.proved.epsilon)
    assert true in text
    with pytest.raises(Different):
        check_statement(text.replace(true, false, 1), mechanism, certificate.proved.epsilon)


def test_a_distance_that_has_no_form_is_refused() -> None:
    certificate = parse(golden("above_threshold"))
    mechanism = read_core(certificate.core)
    first, *others = mechanism.parameters
    assert first.metric is not None
    summed = replace(first, metric=replace(first.metric, kind=ir.MetricKind.L2))
    with pytest.raises(Inexpressible, match="the distance of 'q'"):
        write_statement(replace(mechanism, parameters=(summed, *others)), certificate.proved.epsilon)


def test_names_that_rocq_has_not_are_refused() -> None:
    certificate = parse(golden("above_threshold"))
    mechanism = read_core(certificate.core)
    odd = replace(
        mechanism, parameters=(replace(mechanism.parameters[0], name="größe"), *mechanism.parameters[1:])
    )
    with pytest.raises(Inexpressible, match="größe"):
        write_statement(odd, certificate.proved.epsilon)


COUNT = """@adjacent(x=linf_distance(0.0), x·present=change_one_distance(1.0))
@requires(0.0 < eps and len(x·present) == len(x))
def count(x: sequence(int), x·present: sequence(bool), eps: real) -> output(int):
    n: int
    i: int
    noisy: int
    n = 0
    i = 0
    with block(end):
        while True:
            if len(x·present) <= i:
                leave(end)
            n = n + (1 if x·present[i] else 0)
            i = i + 1
    ensure(not eps == 0.0, "divisor")
    noisy = laplace(n, 1.0 / eps)
    return noisy
"""

LIES_ABOUT_RECORDS = {
    "what is read": ('(ReadTruth "x.present" (IntVar "i"))', "(BoolConst true)"),
    "which list is read": ('ReadTruth "x.present"', 'ReadTruth "x"'),
    "an entry that may change": ("change_one_truth x'present_1", "change_one_any x'present_1"),
    "which list changes": (
        "change_one_truth x'present_1 x'present_2",
        "change_one_truth x'present_2 x'present_2",
    ),
    "which list is the input": ("(Truths x'present_)", "(Ints x_)"),
    "the type of a list": ("x'present_ : list bool", "x'present_ : list Z"),
    "entries that are the same": ("linf (eval", "l1 (eval"),
}


def test_lists_of_truth_values_are_read_back() -> None:
    mechanism = read_core(COUNT)
    check_statement(write_statement(mechanism, "|eps<>|"), mechanism, "|eps<>|")


@pytest.mark.parametrize("lie", LIES_ABOUT_RECORDS)
def test_each_lie_about_lists_of_truth_values_is_noticed(lie: str) -> None:
    true, false = LIES_ABOUT_RECORDS[lie]
    mechanism = read_core(COUNT)
    text = write_statement(mechanism, "|eps<>|")
    assert true in text
    with pytest.raises(Different):
        check_statement(text.replace(true, false, 1), mechanism, "|eps<>|")


@pytest.mark.parametrize("metric", ["change_one_distance(0.5)", "linf_distance(0.0)"])
def test_a_distance_of_truth_values_that_has_no_form_is_refused(metric: str) -> None:
    mechanism = read_core(COUNT.replace("change_one_distance(1.0)", metric))
    with pytest.raises(Inexpressible, match=r"x\.present"):
        write_statement(mechanism, "|eps<>|")


BLOOM_FILTER = """@adjacent(filled=l1_distance(real(2 * k)))
@requires(0.0 < eps)
def said(filled: sequence(bool), k: int, eps: real) -> output(int):
    noisy: int
    noisy = laplace(1 if filled[0] else 0, 1.0 / eps)
    return noisy
"""

LIES_ABOUT_TRUTH_VALUES_THAT_DIFFER = {
    "more of them": ("(Mul (IntConst 2)", "(Mul (IntConst 3)"),
    "one of them": (
        "l1_truths (eval (input filled_1 k_ eps_) ",
        "change_one_truth (eval (input filled_1 k_ eps_) ",
    ),
    "the distance of numbers": ("l1_truths", "l1"),
    "the distance in the other run": ("(input filled_1 k_ eps_) (ToReal", "(input filled_2 k_ eps_) (ToReal"),
    "one input twice": ("filled_1 filled_2 ->", "filled_1 filled_1 ->"),
}


def test_truth_values_of_which_several_differ_are_read_back() -> None:
    mechanism = read_core(BLOOM_FILTER)
    check_statement(write_statement(mechanism, "|eps<>|"), mechanism, "|eps<>|")


@pytest.mark.parametrize("lie", LIES_ABOUT_TRUTH_VALUES_THAT_DIFFER)
def test_each_lie_about_truth_values_that_differ_is_noticed(lie: str) -> None:
    true, false = LIES_ABOUT_TRUTH_VALUES_THAT_DIFFER[lie]
    mechanism = read_core(BLOOM_FILTER)
    text = write_statement(mechanism, "|eps<>|")
    assert true in text
    with pytest.raises(Different):
        check_statement(text.replace(true, false, 1), mechanism, "|eps<>|")


CHOICE = """\
@adjacent(cost=linf_distance(Delta), weight=linf_distance(1.0, monotone=True))
@requires(0.0 < eps and 1 <= n)
def chosen(cost: function(int, real), weight: sequence(real), swap: function(int, int, int), n: int, \
Delta: real, eps: real) -> output(int):
    drawn: int
    drawn = weights("choice", n, lambda i: cost[swap[n, i]] + weight[i], eps, \
lambda i: ensure(0 <= i, "index"))
    return drawn
"""

LIES_ABOUT_WEIGHTS = {
    "how many there are": ('Weigh 0 "drawn" "i" (IntVar "n")', 'Weigh 0 "drawn" "i" (IntConst 2)'),
    "what is drawn": ('Weigh 0 "drawn" "i"', 'Weigh 0 "drawn" "n"'),
    "where it is put": ('Weigh 0 "drawn"', 'Weigh 0 "n"'),
    "the score": ('(RAdd (ReadReal "cost"', '(RSub (ReadReal "cost"'),
    "the rate": ('(RealVar "eps")\n', '(RealVar "Delta")\n'),
    "what must hold of each": ('[(Le (IntConst 0) (IntVar "i"))]', "[]"),
    "indices of a function": (
        'Read2 "swap" (IntVar "n") (IntVar "i")',
        'Read2 "swap" (IntVar "i") (IntVar "n")',
    ),
    "the distance of a function": ("linf_real_table", "linf_reals"),
    "the distance of a list": ("linf_monotone_reals", "linf_reals"),
    "the type of a function": ("cost_1 cost_2 : Z -> R", "cost_1 cost_2 : Z -> Z"),
    "the kind of an input": ("(RealTable cost_)", "(Table cost_)"),
}


def test_draws_by_weights_and_inputs_with_reals_are_read_back() -> None:
    mechanism = read_core(CHOICE)
    check_statement(write_statement(mechanism, "|eps<>|"), mechanism, "|eps<>|")


@pytest.mark.parametrize("lie", LIES_ABOUT_WEIGHTS)
def test_each_lie_about_weights_is_noticed(lie: str) -> None:
    true, false = LIES_ABOUT_WEIGHTS[lie]
    mechanism = read_core(CHOICE)
    text = write_statement(mechanism, "|eps<>|")
    assert true in text
    with pytest.raises(Different):
        check_statement(text.replace(true, false), mechanism, "|eps<>|")


SCORES = """\
@adjacent(score=linf_distance(1.0))
@requires(0.0 < eps)
def best(score: function(int, int, int), n: int, eps: real) -> output(int):
    noisy: int
    noisy = laplace(score[n, 0], 1.0 / eps)
    return noisy
"""

LIES_ABOUT_TWO_INDICES = {
    "a larger distance": ("(RealConst 1)) score_1 score_2", "(RealConst 2)) score_1 score_2"),
    "the distance of functions of one index": ("linf_table2", "linf_table"),
    "one input twice": ("score_1 score_2 ->", "score_1 score_1 ->"),
    "functions of one index": ("score_1 score_2 : Z -> Z -> Z", "score_1 score_2 : Z -> Z"),
}


def test_a_function_of_two_indices_is_read_back() -> None:
    mechanism = read_core(SCORES)
    check_statement(write_statement(mechanism, "|eps<>|"), mechanism, "|eps<>|")


@pytest.mark.parametrize("lie", LIES_ABOUT_TWO_INDICES)
def test_each_lie_about_a_function_of_two_indices_is_noticed(lie: str) -> None:
    true, false = LIES_ABOUT_TWO_INDICES[lie]
    mechanism = read_core(SCORES)
    text = write_statement(mechanism, "|eps<>|")
    assert true in text
    with pytest.raises(Different):
        check_statement(text.replace(true, false, 1), mechanism, "|eps<>|")


def test_an_order_of_functions_of_one_index_is_read_back() -> None:
    ordered = SCORES.replace("linf_distance(1.0)", "linf_distance(1.0, monotone=True)")
    mechanism = read_core(
        ordered.replace("function(int, int, int)", "function(int, int)").replace("[n, 0]", "[n]")
    )
    text = write_statement(mechanism, "|eps<>|")
    check_statement(text, mechanism, "|eps<>|")
    with pytest.raises(Different, match="a distance"):
        check_statement(text.replace("linf_monotone_table", "linf_table"), mechanism, "|eps<>|")


def test_an_order_of_functions_of_two_indices_is_refused() -> None:
    ordered = SCORES.replace("linf_distance(1.0)", "linf_distance(1.0, monotone=True)")
    with pytest.raises(Inexpressible, match="the distance of 'score'"):
        write_statement(read_core(ordered), "|eps<>|")


LIES_ABOUT_DELTA = {
    "a δ that is left out": ("private_within eps_ delta_", "private_on eps_"),
    "a smaller δ": ("private_within eps_ delta_", "private_within eps_ (delta_ / 2)"),
    "another ε": ("private_within eps_", "private_within 0"),
    "the logarithm": ("(Ln (RDiv", "(Exp (RDiv"),
    "one input twice": ("(input count_2 eps_ delta_)", "(input count_1 eps_ delta_)"),
}


@pytest.mark.parametrize("lie", LIES_ABOUT_DELTA)
def test_each_lie_about_delta_is_noticed(lie: str) -> None:
    certificate = parse(golden("stable_count"))
    mechanism, bounds = read_core(certificate.core), certificate.proved
    text = write_statement(mechanism, bounds.epsilon, bounds.delta)
    check_statement(text, mechanism, bounds.epsilon, bounds.delta)
    true, false = LIES_ABOUT_DELTA[lie]
    assert true in text
    with pytest.raises(Different):
        check_statement(text.replace(true, false), mechanism, bounds.epsilon, bounds.delta)


def test_a_delta_that_is_made_up_is_noticed() -> None:
    certificate = parse(golden("above_threshold"))
    mechanism, epsilon = read_core(certificate.core), certificate.proved.epsilon
    text = write_statement(mechanism, epsilon, "|eps<>|")
    with pytest.raises(Different, match="δ"):
        check_statement(text, mechanism, epsilon, "0")


REAL_NOISE = """@adjacent(x=change_one_distance(b), y=absolute_distance(b), z=l1_distance(sqrt(b)))
@requires(0.0 < eps and 0.0 < b)
def sums(x: sequence(real), y: real, z: sequence(real), b: real, eps: real) -> output(real, bool):
    first: real
    second: real
    above: bool
    out: list(real)
    first = laplace(x[0], b / eps)
    out = []
    out.append(first + z[0])
    second = exponential(max(abs(y), min(b, first)), b / eps)
    above = second < out[0]
    return (first, above)
"""

TOLD = (Event(Kind.RETURN, "", 1), Event(Kind.BRANCH, "0"), Event(Kind.APPEND, "out", 0))

LIES_ABOUT_REAL_NOISE = {
    "noise on the integers": ('DrawReal 0 laplace "first"', 'Draw 0 laplace "first"'),
    "a law": ("DrawReal 1 exponential", "DrawReal 1 laplace"),
    "a scale": (
        '(ReadReal "x" (IntConst 0)) (RDiv (RealVar "b") (RealVar "eps"))',
        '(ReadReal "x" (IntConst 0)) (RealVar "b")',
    ),
    "the larger of two": ("(RMax ", "(RMin "),
    "the smaller of two": ("(RMin ", "(RMax "),
    "an absolute value": ("(RAbs ", "(RNeg "),
    "a change by less": (
        'change_one_reals (eval (input x_1 y_1 z_1 b_ eps_) (RealVar "b"))',
        "change_one_reals (eval (input x_1 y_1 z_1 b_ eps_) (RealConst 0))",
    ),
    "another distance": ("change_one_reals", "linf_reals"),
    "another sum of distances": ("l1_reals", "linf_reals"),
    "a root that is left out": ('(Sqrt (RealVar "b"))', '(RealVar "b")'),
    "an entry": ('(RealElement "out" (IntConst 0) 0)', '(RealElement "out" (IntConst 0) 1)'),
    "another distance of a number": ("absolute_real", "absolute"),
    "the privacy of programs that draw integers": (
        'told_private_on [(Returned 1); (Branch 0); (Appended "out" 0)] eps_',
        "private_on eps_",
    ),
    "a smaller epsilon": ("] eps_ program", "] (eps_ / 2) program"),
    "something else that is told": ("(Branch 0)", "(Branches 0)"),
    "no list of what is told": ("[(Returned 1); (Branch 0); ", "Told [(Branch 0); "),
}


def real_noise() -> str:
    return write_statement(read_core(REAL_NOISE), "|eps<>|", told=TOLD)


def test_real_noise_is_read_back() -> None:
    check_statement(real_noise(), read_core(REAL_NOISE), "|eps<>|")


@pytest.mark.parametrize("lie", LIES_ABOUT_REAL_NOISE)
def test_each_lie_about_real_noise_is_noticed(lie: str) -> None:
    true, false = LIES_ABOUT_REAL_NOISE[lie]
    text = real_noise()
    assert true in text
    with pytest.raises(Different):
        check_statement(text.replace(true, false), read_core(REAL_NOISE), "|eps<>|")


def test_integer_noise_has_no_statement_of_real_noise() -> None:
    certificate = parse(golden("above_threshold"))
    text = above_threshold().replace("private_on eps_", "told_private_on [] eps_")
    with pytest.raises(Different, match="the noise"):
        check_statement(text, read_core(certificate.core), certificate.proved.epsilon)


def test_a_delta_where_noise_is_real_is_refused() -> None:
    with pytest.raises(Inexpressible, match="a δ"):
        write_statement(read_core(REAL_NOISE), "|eps<>|", "|eps<>|")
