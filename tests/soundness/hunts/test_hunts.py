"""A few cases of each hunt, the same in every run; and that the hunts would find what they look for."""

from __future__ import annotations

import operator
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from synth.lang import idealized_source, runtime
from synth.refuter.search.search import refute
from synth.trusted.core import expressions
from synth.trusted.frontend import array_types, lists, other_files, prints
from synth.trusted.frontend.claim import read_claim
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.reader import read_source, read_what_can_be
from synth.trusted.kernel import proof_state
from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.check import VALID, check
from synth.trusted.kernel.proof_state import Proof
from synth.trusted.kernel.rules import structural
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.logic.codes import Code
from synth.trusted.logic.terms import TRUE, Term, read
from synth.trusted.normal_form import sampling
from synth.trusted.normal_form.output_distribution import output_law
from synth.trusted.normal_form.sequential_parts import parts
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.reasons import Reason
from synth.trusted.steps import deferral, lingering, streaming
from synth.trusted.witness import boxes
from synth.trusted.witness.backward import Backward
from synth.trusted.witness.check import Verdict
from synth.trusted.witness.values import Infinity, Truth, Value, hull
from synth.validation.comparison import Kind, compare
from tests.support.finite_programs import TooLong, exact_loss
from tests.support.oracle import _python
from tests.support.proving import Outcome
from tests.support.real_programs.whole import program

from . import bounds, defined_laws, derivations, documents, laws, rewritings, runs, witnesses
from .certificates import FIELDS, all_rules, bases_of, fields_of, tries
from .hunting import Broken, Count, Hunt, Try, attempt, report, run, written
from .hunts import HUNTS
from .lies import ALL, BASES, Base

CASES = {
    "reader": 6,
    "real_python": 4,
    "shown": 6,
    "files": 4,
    "runs": 10,
    "rewritings": 12,
    "steps": 8,
    "bounds": 3,
    "certificates": 2,
    "cores": 20,
    "coupled": 6,
    "derivations": 2,
    "documents": 4,
    "answers": 2,
    "witnesses": 3,
    "laws": 8,
}
"""How many of each the default run takes."""

FEW, MANY, LEAST = 12, 250, 80
"""Mutants about each rule: in the default run, in the slow run, and how many of those come to the rule."""

ASKING = (
    "Append",
    "Assert",
    "Chance",
    "Choice",
    "Compose",
    "Cond",
    "Conseq",
    "Forall-Eq",
    "LapGen",
    "LapInt",
    "Lift",
    "Norm",
    "OneLapGen",
    "Return",
    "Safe",
    "Weigh",
    "While",
)
"""Rules that ask for something without which lies are valid."""


@pytest.mark.parametrize(
    "case", [f"0/{name}/{number}" for name, count in CASES.items() for number in range(count)]
)
def test_case(case: str) -> None:
    broken = attempt(HUNTS[case.split("/")[1]], case, Count())
    assert broken is None, str(broken)


# --- every rule -----------------------------------------------------------------------------


@pytest.mark.parametrize("rule", all_rules())
def test_each_rule_is_attacked(rule: str) -> None:
    """Some certificate applies it, each of its fields has a way of being changed, and mutants come to it."""
    assert bases_of(rule), "add a certificate to lies.py"
    assert fields_of(rule) <= FIELDS.keys(), "say how the field is changed"
    assert any(found.reached for found in tries(random.Random(rule), rule, FEW))


@pytest.mark.slow
@pytest.mark.parametrize("rule", all_rules())
def test_hundreds_of_lies_about_each_rule(rule: str) -> None:
    found = list(tries(random.Random(f"many {rule}"), rule, MANY))
    assert sum(item.reached for item in found) >= LEAST


@contextmanager
def blind(rule: str) -> Iterator[None]:
    """A kernel that takes for granted what one rule asks for."""
    require, require_public = Proof.require, Proof.require_public

    def granted(proof: Proof, node: Node, state: State, says: Reason, goal: Term) -> State:
        asked = len(proof.conditions)
        state = require(proof, node, state, says, goal)
        if proof._name(node.rule) == rule:
            del proof.conditions[asked:]
        return state

    def granted_of_public(proof: Proof, node: Node, *rest: Any) -> None:
        if proof._name(node.rule) != rule:
            require_public(proof, node, *rest)

    with (
        patch.object(Proof, "require", granted),
        patch.object(Proof, "require_public", granted_of_public),
    ):
        yield


@pytest.mark.parametrize("rule", [rule if rule in ("LapGen", "Weigh", "Lift") else
                                  pytest.param(rule, marks=pytest.mark.slow) for rule in ASKING])  # fmt: skip
def test_a_hole_in_a_rule_is_found(rule: str) -> None:
    with blind(rule), pytest.raises(Broken, match="a lie is valid"):
        list(tries(random.Random(f"blind {rule}"), rule, 3 * MANY))


# --- the others find what they look for ------------------------------------------------------


def found_in(name: str, cases: int, first: int = 0) -> Broken | None:
    """What the first of so many cases finds that finds something."""
    numbers = range(first, first + cases)
    tried = (attempt(HUNTS[name], f"0/{name}/{number}", Count()) for number in numbers)
    return next((broken for broken in tried if broken is not None), None)


@pytest.mark.parametrize(
    ("code", "case"),
    [(Code.COST_ABOVE_BOUND, "p7"), pytest.param(Code.OUTPUTS_DIFFER, "p17", marks=pytest.mark.slow)],
)
def test_a_derivation_that_need_not_show_something_is_found(
    monkeypatch: pytest.MonkeyPatch, code: Code, case: str
) -> None:
    def require(proof: Proof, node: Node, state: State, says: Reason, goal: Term) -> State:
        return state.learning([goal]) if says.code is code else asked(proof, node, state, says, goal)

    asked = Proof.require
    monkeypatch.setattr(Proof, "require", require)
    monkeypatch.setattr(derivations, "MILLISECONDS", 60_000)
    with pytest.raises(Broken, match="is proved, and"):
        list(HUNTS["derivations"].attempt(case))


_renewed = structural._renewed


def _renewed_by_new(proof: Proof, state: State, statement: ir.NewList | ir.Append) -> State:
    """As if a list that grows stayed the same one."""
    return state if isinstance(statement, ir.Append) else _renewed(proof, state, statement)


@pytest.mark.parametrize(
    ("where", "name", "wrong", "case"),
    [
        (structural, "_renewed", _renewed_by_new, "0/33"),
        (structural, "conjunction", lambda _: TRUE, "0/44"),
        (proof_state, "returned_lists", lambda of: frozenset(of.lists), "0/42"),
    ],
)
def test_what_the_kernel_knows_wrongly_is_found(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, wrong: Callable[..., Any], case: str
) -> None:
    """What is read outside of a list, what another way publishes, and entries of lists that nobody sees."""
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises(Broken, match="nothing that is known at"):
        list(HUNTS["coupled"].attempt(case))


def test_a_wrong_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builders, "less_equal", builders.less)
    broken = found_in("reader", 20)
    assert broken is not None and "internal error" not in str(broken)


def test_a_module_that_is_taken_for_another_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_files, "_binds_anew", lambda node, name: False)
    assert attempt(HUNTS["files"], "0/files/13", Count()) is not None


def test_a_wrong_order_of_evaluation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Context, "_save_before", lambda self, start, value, changed, node: value)
    broken = found_in("real_python", 12)
    assert broken is not None and "under Python" in str(broken)


def test_a_wrong_order_of_evaluation_is_found_before_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Context, "_save_before", lambda self, start, value, changed, node: value)
    texts = (program(random.Random(f"order{seed}")) for seed in range(3, 40))
    found = (item for text in texts for item in read_what_can_be(text, "hunted.py")[0])
    assert any(compare(item).kind is Kind.DIFFERENT for item in found)


def _is_told(*_: object) -> bool:
    return True


def _nothing_is_undecided(*_: object) -> list[object]:
    return []


@pytest.mark.parametrize(
    ("module", "name", "wrong", "case"),
    [(array_types, "is_told", _is_told, 16), (prints, "undecided", _nothing_is_undecided, 60)],
)
def test_what_is_shown_wrongly_is_found(
    module: ModuleType, name: str, wrong: object, case: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, wrong)
    broken = attempt(HUNTS["shown"], f"0/shown/{case}", Count())
    assert broken is not None and "internal error" not in str(broken)


def test_a_wrong_definition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(expressions._MEANING, ir.Operator.LESS_EQUAL, operator.lt)
    broken = found_in("reader", 20)
    assert broken is not None and "by definition" in str(broken)


_CONVERTING_REALS_ONLY = {
    **idealized_source._CONVERSIONS,
    **dict.fromkeys(("synth·int", "synth·ints"), lambda value: value),
}


@pytest.mark.parametrize(
    ("where", "name", "wrong", "case"),
    [
        pytest.param(runtime, "prepare", lambda *_: None, 0, id="nothing is recompiled"),
        pytest.param(idealized_source._Centres, "_merged", lambda *_: None, 2, id="sums are left alone"),
        pytest.param(idealized_source._Centres, "_settle", lambda *_: None, 0, id="centres stay integers"),
        pytest.param(idealized_source, "_call_copies", lambda *_: None, 1, id="helpers are shared"),
        pytest.param(idealized_source, "_position", lambda _: 0, 12, id="arguments change places"),
        pytest.param(idealized_source, "_CONVERSIONS", _CONVERTING_REALS_ONLY, 12, id="integers wrap around"),
        pytest.param(lists, "NOISES", (), 22, id="noise around a list is appended"),
    ],
)
def test_a_wrong_run_is_found(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, wrong: Any, case: int
) -> None:
    """By the first case, of some dozens, that finds it."""
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises(Broken, match="the run differs"):
        list(runs.attempt(f"0/runs/{case}"))


def test_asserts_that_are_left_out_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled(*given: Any, **options: Any) -> Any:
        return compile(*given, **{**options, "optimize": 1})

    monkeypatch.setattr(idealized_source, "compile", compiled, raising=False)
    with pytest.raises(Broken, match="the run differs"):
        list(runs.attempt("0/runs/0"))


def other_side(of: ir.Mechanism) -> ir.Mechanism:
    """The branches of the body with their sides exchanged."""
    body = [
        replace(item, then=item.otherwise, otherwise=item.then) if isinstance(item, ir.If) else item
        for item in of.body
    ]
    return replace(of, body=tuple(body))


@pytest.mark.parametrize("by_definition", [False, True])
def test_a_wrong_rewriting_is_found(monkeypatch: pytest.MonkeyPatch, by_definition: bool) -> None:
    monkeypatch.setattr(rewritings, "PASSES", (other_side,))
    switched_off = (rewritings, "_points") if by_definition else (defined_laws, "law")
    monkeypatch.setattr(*switched_off, lambda *_: None)
    broken = found_in("rewritings", 40)
    assert broken is not None and "has the chance" in str(broken)
    assert ("by definition" in str(broken)) == by_definition


@pytest.mark.parametrize(
    ("what", "wrong", "message"),
    [
        ("Backward", lambda of, *rest: Backward(other_side(of), *rest), "and is in"),
        ("output_law", lambda of: output_law(other_side(of)), ", not "),
        ("parts", lambda of, cuts: (*parts(of, cuts)[:-1], other_side(parts(of, cuts)[-1])), "cut at"),
    ],
)
def test_a_wrong_law_is_found(
    monkeypatch: pytest.MonkeyPatch, what: str, wrong: Callable[..., Any], message: str
) -> None:
    monkeypatch.setattr(laws, what, wrong)
    broken = found_in("laws", 80)
    assert broken is not None and message in str(broken)


@pytest.mark.parametrize(
    ("where", "name", "wrong", "message", "first"),
    [
        (sampling, "_check_unread", lambda *_: None, "is no mixture", 0),
        (deferral, "_check_apart", lambda *_: None, "behind ", 0),
        (streaming, "mentions", lambda _: set(), "behind ", 570),
        (lingering, "mentions", lambda _: set(), "behind ", 690),
    ],
)
def test_what_is_not_asked_of_core_programs_is_found(
    monkeypatch: pytest.MonkeyPatch,
    where: Any,
    name: str,
    wrong: Callable[..., Any],
    message: str,
    first: int,
) -> None:
    monkeypatch.setattr(where, name, wrong)
    broken = found_in("cores", 400, first)
    assert broken is not None and message in str(broken)


def test_a_wrong_bound_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of programs whose noise has a known loss."""
    monkeypatch.setattr(bounds, "prove_apart", lambda *_: Outcome("proved", "eps / 100", delta="0"))
    monkeypatch.setattr(bounds, "KINDS", {"enumerated": bounds.KINDS["enumerated"]})
    broken = found_in("bounds", 20)
    assert broken is not None and "by enumeration is more" in str(broken)


def test_a_witness_that_is_not_checked_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "check_witness", lambda *_, **__: Verdict(witnesses.VALID))
    broken = found_in("witnesses", 20)
    assert broken is not None and "internal error" not in str(broken)


def _of_one_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """An infinity times a negative number, as if the number were positive."""
    monkeypatch.setattr(Infinity, "__mul__", lambda infinity, other: infinity if other else 0)


def _taken_for_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """A truth value that noise chooses, as if it were true."""

    def one_of(one: Value, two: Value) -> Value:
        found = hull(one, two)
        return Truth.TRUE if found is Truth.UNKNOWN else found

    monkeypatch.setattr(boxes, "hull", one_of)


@pytest.mark.parametrize(("fault", "case"), [(_of_one_sign, 85), (_taken_for_true, 5)])
def test_a_wrong_enclosure_is_found(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[pytest.MonkeyPatch], None], case: int
) -> None:
    """By the first case, of some hundred, that finds it."""
    rng = random.Random(f"0/witnesses/{case}")
    fault(monkeypatch)
    with pytest.raises(Broken, match="is not enclosed by"):
        list(witnesses._mixture(rng))


# --- lies -----------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.name)
def test_the_certificate_is_valid(base: Base) -> None:
    found = check(base.text)
    assert found.verdict == VALID, (found.rule, found.place, found.reason)


LIES = [
    pytest.param(base, lie, id=f"{base.name}, {lie}")
    for base in BASES
    for lie in base.lies
    if lie != "undefined" and not {lie, ALL} & base.argued.keys()
]


@pytest.mark.slow
@pytest.mark.parametrize(("base", "lie"), LIES)
def test_lies_are_lies(base: Base, lie: str) -> None:
    """A witness speaks against what the document says."""
    data = base.lies[lie](base.data)
    program, proved = data["program"], data["proved"]
    of = next(item for item in read_source(program["text"], "lie.py") if item.name == program["mechanism"])
    stated = data["claim"]["epsilon"] if lie == "claimed" else None
    epsilon = read_claim(of, stated) if stated else claim_of(of, proved["epsilon"])
    delta = claim_of(of, proved["delta"])
    assert refute(replace(of, epsilon=epsilon, delta=delta), seconds=30) is not None


def claim_of(of: ir.Mechanism, term: str) -> ir.Expression:
    """A term over public inputs as a claim."""
    return read_claim(of, _python(read(term)).replace("|log:Real|", "log"))


# --- the machinery --------------------------------------------------------------------------


def _always(what: str) -> Hunt:
    def tried(case: str) -> Iterator[Try]:
        yield Try("tried")
        if what == "broken":
            raise Broken("it does not hold", "a program")
        if what == "error":
            raise KeyError("x")

    return Hunt(what, "nothing", tried)


def test_a_case_that_never_ends_is_given_up() -> None:
    def endless(case: str) -> Iterator[Try]:
        yield Try("tried")
        while True:
            try:
                sum(range(1000))
            except Exception:
                raise AssertionError(case) from None

    count = Count()
    assert attempt(Hunt("endless", "nothing", endless), "7/endless/0", count, 0.05) is None
    assert (count.tried, count.reached, count.kinds["out of time"]) == (2, 1, 1)
    assert attempt(_always("fine"), "7/fine/0", count) is None and count.reached == 2


def test_a_document_without_a_verdict_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: Any, **__: Any) -> None:
        while True:
            pass

    monkeypatch.setattr(documents, "check", endless)
    monkeypatch.setattr(documents, "PATIENCE", 0.05)
    with pytest.raises(Broken, match="no verdict in time"):
        list(documents._damaged(random.Random(0)))


@pytest.mark.parametrize("outcomes", ("10", "10**12"))
def test_programs_of_too_many_runs_are_not_reached(outcomes: str) -> None:
    draws = "".join(f"    k = uniform_int(0, {outcomes})\n" for _ in range(7))
    text = f'@mechanism(adjacent={{"a": discrete_distance()}})\ndef m(a: bool) -> int:\n{draws}    return k\n'
    with pytest.raises(TooLong):
        exact_loss(text)


def test_failures_are_counted_and_written(tmp_path: Path) -> None:
    failed: list[tuple[str, Broken]] = []
    counts = run(
        [_always("fine"), _always("broken"), _always("error")], 7, 0.05, lambda *it: failed.append(it)
    )
    assert counts["fine"].cases and not counts["fine"].failures
    assert counts["broken"].failures[0] == "7/broken/0" and counts["error"].failures[0] == "7/error/0"
    text = written(*failed[0], tmp_path).read_text()
    assert "--case 7/broken/0" in text and "a program" in text
    assert re.search(r"broken: tried \d+, reached \d+, failures [1-9]", report(counts))


def test_a_case_is_the_same_again() -> None:
    first, second = ([*HUNTS["reader"].attempt("3/reader/1")] for _ in range(2))
    assert first == second


def test_the_readme_lists_the_hunts() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}.py`" in text for name in HUNTS)
