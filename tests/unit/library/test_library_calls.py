"""The library's functions: targets, options, results, errors."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy

import synth
from tests import ROOT
from tests.unit.app.invocation import (
    CONTRADICTION,
    FALSE,
    NORMAL,
    PROVED,
    UNKNOWN,
    UNREADABLE,
    Run,
    Write,
    invoke_apart,
)

PROGRAMS = ROOT / "benchmarks" / "programs"
TWO = PROVED + FALSE.replace("from synth.lang import *", "").replace('"eps / 2"', '"eps"')


pytestmark = pytest.mark.usefixtures("loaded_hosts")


@pytest.fixture
def run() -> Run:
    """Run the command line."""
    return invoke_apart


def proved(path: Path, **options: Any) -> synth.Proved:
    found = synth.prove(path, **options)
    assert isinstance(found, synth.Proved)
    return found


def test_a_proof_says_what_the_command_says(write: Write, run: Run) -> None:
    path = write("p.py", PROVED)
    found, (row,) = proved(path), run("prove", path, "--json").results()
    assert (found.verdict, found.mechanism, found.file, found.line) == (
        "proved",
        "noisy",
        str(path),
        row["line"],
    )
    assert str(found.bound) == f"({row['epsilon']}, {row['delta']})" == "(eps, 0)"
    assert str(found.claim) == "(3*eps, 0)" and found.claim_of == "program" and found.claim_is_loose
    assert [site.draw for site in found.sites] == [site["draw"] for site in row["sites"]]
    assert [item.formula for item in found.invariants] == row["invariants"]
    assert (found.assumptions, list(found.notes)) == (row["assumptions"], row["notes"])
    assert len(found.certificate.encode()) == row["certificate_bytes"]
    assert pickle.loads(pickle.dumps(found)) == found
    assert repr(found) == "Proved(mechanism='noisy', claim=Bound(3*eps, 0), bound=Bound(eps, 0))"


def test_bounds_are_expressions(write: Write) -> None:
    found = proved(write("p.py", PROVED))
    eps = found.bound.symbols["eps"]
    assert found.epsilon == eps and found.delta == 0 and eps.is_positive
    assert found.claim is not None and found.claim.epsilon == 3 * eps


def test_gaussian_noise_needs_and_has_a_claim(write: Write) -> None:
    found = proved(write("p.py", NORMAL))
    assert (found.epsilon, found.delta) == (1, sympy.Rational(1, 100000))


@pytest.mark.parametrize("claim", ["2*eps", 2 * sympy.Symbol("eps")])
def test_a_claim_of_the_call(write: Write, claim: Any) -> None:
    found = proved(write("p.py", PROVED), epsilon=claim)
    assert (str(found.claim), found.claim_of) == ("(2*eps, 0)", "call")


def test_a_false_claim_is_refuted_with_exact_values(write: Write) -> None:
    found = synth.prove(write("p.py", FALSE))
    assert isinstance(found, synth.Refuted)
    witness = found.witness
    assert {*witness.parameters, *witness.left, *witness.right} == {"eps", "x"}
    assert all(isinstance(item, int | Fraction) for item in (*witness.left.values(), *witness.right.values()))
    (low, high), (small, large) = witness.probability_left, witness.probability_right
    assert 0 < small <= large < low <= high < 1
    assert low > math.exp(witness.epsilon) * large + witness.delta
    assert synth.check(found.certificate).verdict == "valid"


def test_what_is_unknown_says_where(write: Write) -> None:
    found = synth.prove(write("p.py", UNKNOWN))
    assert isinstance(found, synth.Unknown)
    assert found.reason is not None and str(found.reason).startswith(f"line {found.reason.line}: ")
    assert found.reason.code == "private-output"
    assert found.bound is None


def test_refute(write: Write) -> None:
    path = write("p.py", FALSE)
    found = synth.refute(path, parameters={"eps": 0.5})
    assert isinstance(found, synth.Refuted) and found.witness.parameters == {"eps": Fraction(1, 2)}
    checked = synth.check(found.certificate, program=path)
    assert (checked.verdict, checked.kind) == ("valid", "witness") and checked.recomputed is not None
    assert checked.recomputed.epsilon_at_least > 0.25
    with pytest.raises(synth.UsageError, match="parameters: 'x' is private"):
        synth.refute(path, parameters={"x": 1})
    nothing = synth.refute(write("q.py", UNKNOWN))
    assert str(nothing.reason) == "nothing is claimed; give a claim with epsilon"


def test_check(write: Write) -> None:
    path = write("p.py", PROVED)
    document = proved(path).certificate
    checked = synth.check(document, program=f"{path}::noisy", solver="both")
    assert (checked.verdict, checked.kind, checked.mechanism) == ("valid", "proof", "noisy")
    assert (checked.solvers, str(checked.bound), str(checked.claim)) == (
        ("cvc5", "z3"),
        "(eps, 0)",
        "(3*eps, 0)",
    )
    assert (checked.file, checked.line) == (str(path), 5) and checked.file_sha256 != checked.sha256
    places = {FALSE: "program.mechanism", PROVED.replace("1 / eps", "1/eps"): "program.text"}
    for (text, place), code in zip(places.items(), ("not-in-file", "other-text"), strict=True):
        other = synth.check(document, program=write("q.py", text))
        assert (other.verdict, other.rule, other.place) == ("invalid", "Program", place)
        assert (other.code, other.file, other.file_sha256) == (code, None, None)
    stricter = synth.check(document, epsilon="eps/2")
    assert (stricter.verdict, stricter.claim_of) == ("invalid", "call")
    file = path.with_suffix(".json")
    file.write_text(document)
    assert synth.check(file).verdict == "valid"
    for bad in ("{}", str(file), file.with_name("none.json")):
        with pytest.raises(synth.CertificateError):
            synth.check(bad)


def test_limits_of_a_check_hold(write: Write) -> None:
    document = proved(write("p.py", PROVED)).certificate
    checked = synth.check(document, timeout=0.01)
    assert (checked.verdict, checked.rule) == ("incomplete", "Limits")
    assert "the limit of time (timeout)" in (checked.reason or "")


def test_the_limit_of_a_proof_holds() -> None:
    found = synth.prove(PROGRAMS / "vertex_cover.py", timeout=2.5, epsilon="eps/1000")
    assert isinstance(found, synth.Unknown) and found.seconds < 2.5 + 10


@pytest.mark.parametrize("found", ["prove", "check"])
def test_results_are_neither_true_nor_false(write: Write, found: str) -> None:
    result: Any = proved(write("p.py", PROVED))
    if found == "check":
        result = synth.check(result.certificate)
    with pytest.raises(TypeError, match="verdict"):
        bool(result)


def test_export(write: Write, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    path = write("p.py", PROVED)
    document = proved(path).certificate
    file = write("p.json", document)
    assert synth.export(document, to="text") == run("export", file, "--to", "text").out
    assert synth.export(file, to="latex") == run("export", file, "--to", "latex").out
    for form in ("html", "rocq"):
        assert synth.export(document, to=form) == run("export", file, "--to", form).out
    scripts = synth.export(document, to="smtlib")
    assert any(name.endswith(".smt2") for name in scripts)
    with pytest.raises(synth.UsageError, match="proofs goes with smtlib"):
        synth.export(document, to="text", proofs=True)  # type: ignore[call-overload]


def test_probability(write: Write) -> None:
    path = write("p.py", PROVED)
    table = synth.probability(path, {"x": 0, "eps": 1}, neighbour={"x": 1})
    assert table.inputs == ({"x": 0, "eps": 1}, {"x": 1, "eps": 1}) and table.adjacent
    first = next(line for line in table.outputs if line.output == 0)
    low, high = first.probabilities[0]
    assert low <= (math.e - 1) / (math.e + 1) <= high
    assert first.loss is not None and first.loss[0] <= 1 <= first.loss[1] + 1e-12
    assert any(isinstance(line.output, synth.Range) for line in table.outputs)
    with pytest.raises(synth.UsageError, match=r"^input: no value for eps$"):
        synth.probability(path, {"x": 0})


def test_templates(tmp_path: Path) -> None:
    found = synth.templates()
    assert {item.distribution for item in found} >= {"laplace", "exponential", "gaussian"}
    assert all(item.sound for item in found)
    with pytest.raises(synth.TemplateError):
        synth.templates([tmp_path / "none.toml"])


# --- targets --------------------------------------------------------------------------------


def test_reading(write: Write) -> None:
    path = write("p.py", TWO)
    noisy, other = synth.read(path)
    assert (noisy.name, noisy.file, noisy.requires, str(noisy.claim)) == (
        "noisy",
        str(path),
        "0 < eps",
        "(3*eps, 0)",
    )
    assert [(item.name, item.sort, item.adjacent) for item in noisy.parameters] == [
        ("x", "int", "absolute_distance(1)"),
        ("eps", "real", None),
    ]
    assert proved(other).mechanism == other.name == "too_little"  # type: ignore[arg-type]


def test_several_mechanisms_need_a_name(write: Write) -> None:
    path = write("p.py", TWO)
    for call in (synth.prove, synth.refute):
        with pytest.raises(synth.UsageError, match=r"which mechanism.*::NAME, with one of noisy, too_little"):
            call(path)
    found = list(synth.prove_all(path))
    assert [item.mechanism for item in found] == ["noisy", "too_little"]
    assert proved(f"{path}::too_little").mechanism == "too_little"  # type: ignore[arg-type]
    with pytest.raises(synth.UsageError, match=r"no mechanism 'nosy' in .*did you mean 'noisy'"):
        synth.prove(f"{path}::nosy")


def test_functions_stand_for_their_files() -> None:
    from benchmarks.programs.noninterference import length_only

    assert synth.prove(length_only).mechanism == "length_only"


def test_functions_that_have_no_place(write: Write) -> None:
    from synth.lang import mechanism

    def inner() -> int:
        return 0

    exec(compile("def typed() -> int:\n    return 0", "<prompt>", "exec"), names := {})
    for function, says in [
        (inner, "without the decorator"),
        (mechanism()(inner), "not at the top level"),
        (mechanism()(names["typed"]), "in no file"),
        (synth.prove, "without the decorator"),
    ]:
        with pytest.raises(synth.UsageError, match=says):
            synth.prove(function)


def test_programs_are_not_run(write: Write) -> None:
    path = write("p.py", PROVED + "\nraise SystemExit\n")
    assert synth.prove(path).verdict == "proved"


def test_errors_of_files_come_first_and_of_mechanisms_last(write: Write, tmp_path: Path) -> None:
    write("a.py", CONTRADICTION)
    write("b.py", PROVED)
    results = synth.prove_all(tmp_path)
    assert next(results).mechanism == "noisy"
    with pytest.raises(synth.ProgramError, match="requires"):
        next(results)
    write("c.py", UNREADABLE)
    with pytest.raises(synth.ProgramError, match="epsilon") as caught:
        next(synth.prove_all(tmp_path))
    assert (Path(caught.value.path).name, caught.value.line, caught.value.code.id) == (
        "c.py",
        6,
        "unknown-name",
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"timeout": 0}, "timeout is a positive number of seconds, not 0"),
        ({"timeout": math.inf}, "timeout is a positive number"),
        ({"timeout": "60"}, "timeout is a positive number"),
        ({"timeout": True}, "timeout is a positive number"),
        ({"epsilon": True}, "epsilon is a number, or an expression"),
        ({"epsilon": math.nan}, "epsilon is a number, or an expression"),
        ({"epsilon": "x"}, "epsilon for noisy: "),
        ({"delta": object()}, "delta is a number, or an expression over public parameters, not a value"),
        ({"templates": "t.toml"}, "templates is a list of files, not one"),
        ({"templates": [1]}, "each of templates is a path, not 1"),
        ({"bracket": 1}, "bracket is True or False, not 1"),
        ({"bracket": 10**5000}, "bracket is True or False, not a number of 16,610 bits"),
    ],
)
def test_options_are_checked(write: Write, options: dict[str, Any], says: str) -> None:
    with pytest.raises(synth.UsageError, match=f"^{says}"):
        synth.prove(write("p.py", PROVED), **options)


def test_options_of_the_other_functions_are_checked(write: Write) -> None:
    path = write("p.py", PROVED)
    calls: list[Any] = [
        lambda: synth.prove_all(path, workers=0),
        lambda: synth.check("{}", solver="yices"),
        lambda: synth.check("{}", memory=1),
        lambda: synth.check(1),  # type: ignore[arg-type]
        lambda: synth.prove(3),  # type: ignore[arg-type]
        lambda: synth.probability(path, {"x": None, "eps": 1}),
        lambda: synth.probability(path, [1]),  # type: ignore[arg-type]
        lambda: synth.export("{}", to="pdf"),  # type: ignore[call-overload]
    ]
    for call in calls:
        with pytest.raises(synth.UsageError):
            call()


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(synth.ProgramError, match="no such file"):
        synth.prove(tmp_path / "none.py")
