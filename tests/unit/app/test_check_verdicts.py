"""What a verdict of ``check`` is about: whose claim, whose program; a document's word shows nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synth.trusted.frontend.reader import read_source
from synth.views.stated_names import decorator_text
from tests.support.cores import fields_of
from tests.support.proving import proof_of
from tests.unit.app.invocation import Invocation, invoke_apart

SOURCE = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="3*eps")
def noisy(x: int, eps: float) -> int:
    return laplace(x, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps / 2")
def too_little(x: int, eps: float) -> int:
    return laplace(x, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def claimless(x: int, eps: float) -> int:
    return laplace(x, scale=1 / eps)
"""

FACTS = """from synth.lang import *


@mechanism(
    adjacent={"f": linf_distance(1)}, facts=["one(f(i)) == two(f(i))"], requires="eps > 0", epsilon="eps/2"
)
def too_little(f: Callable[[int], int], eps: float) -> int:
    return laplace(f(0), scale=1 / eps)
"""

SAMPLE = """from synth.lang import *


@mechanism(adjacent={"data": add_remove_distance()})
def sample(data: list[int]) -> int:
    n = 0
    for v in data:
        if bernoulli(0.5):
            n += 1
    return laplace(n, 1)
"""

Check = Callable[..., Invocation]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, with proofs and witnesses of its mechanisms."""
    folder = tmp_path_factory.mktemp("documents")
    program = folder / "p.py"
    program.write_text(SOURCE)
    for name, document in (("noisy", "proof"), ("too_little", "witness")):
        invoke_apart(
            "prove", f"{program}::{name}", "--certificate", folder / f"{document}.json", "--no-cache"
        )
    proof, witness = (json.loads((folder / f"{name}.json").read_text()) for name in ("proof", "witness"))
    about = {"text": SOURCE, "sha256": hashlib.sha256(SOURCE.encode()).hexdigest()}
    witness_of_all = {key: item for key, item in witness.items() if key != "lines"} | {"program": SOURCE}
    documents = {
        "weak": proof
        | {"program": about | {"mechanism": "too_little"}, "claim": proof["claim"] | {"epsilon": "2*eps"}},
        "bare": proof
        | {"program": about | {"mechanism": "claimless"}, "claim": {"epsilon": None, "delta": None}},
        "foreign": witness_of_all | {"mechanism": "noisy"},
        "own": witness_of_all | {"mechanism": "claimless"},
    }
    for name, content in documents.items():
        if name in ("weak", "bare"):
            content |= fields_of(content["program"])
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


@pytest.fixture
def check(folder: Path) -> Check:
    def run(document: str, *arguments: str | Path) -> Invocation:
        return invoke_apart("check", folder / f"{document}.json", *arguments)

    return run


@pytest.fixture
def edited(folder: Path) -> Callable[..., Invocation]:
    """The check of a document after a change."""

    def run(document: str, change: Callable[[Any], object], *arguments: str) -> Invocation:
        data = json.loads((folder / f"{document}.json").read_text())
        change(data)
        target = folder / "edited.json"
        target.write_text(json.dumps(data, ensure_ascii=False))
        return invoke_apart("check", target, *arguments)

    return run


def row(done: Invocation) -> dict[str, Any]:
    (found,) = done.results()
    return found


# --- claims ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "claim", "status", "of", "note", "says"),
    [
        ("proof", None, 0, "program", None, "  claimed: epsilon = 3*eps"),
        ("proof", "eps", 0, "command line", "not", "line (not the program's claim): epsilon = eps"),
        ("proof", "3*eps", 0, "command line", None, "the claim of the command line: epsilon = 3*eps"),
        (
            "proof",
            "eps/2",
            1,
            "command line",
            "not",
            "[Conseq] at claim: not shown: the claim of the command",
        ),
        ("weak", None, 1, "program", None, "not shown: the program's claim, epsilon = eps/2"),
        ("weak", "eps", 0, "command line", "not", "too_little is (eps, 0)-differentially private"),
        ("bare", None, 0, None, None, "claimless is (eps, 0)-differentially private"),
        ("witness", None, 0, "program", None, "refuted: the program's claim, epsilon = eps/2"),
        (
            "witness",
            "eps/3",
            0,
            "command line",
            "not",
            "refuted: the claim of the command line (not the program's",
        ),
        ("witness", "2*eps", 1, "command line", "not", "the probabilities do not violate the claim"),
        ("foreign", None, 1, "document", "not", "that is not the program's claim (epsilon = 3*eps)"),
        ("foreign", "eps/2", 0, "command line", "not", "(not the program's claim), epsilon = eps/2"),
        ("own", None, 1, "document", "not", "that is not the program's claim (there is none)"),
    ],
)
def test_whose_claim_it_is(
    check: Check, document: str, claim: str | None, status: int, of: str | None, note: str | None, says: str
) -> None:
    arguments = () if claim is None else ("--epsilon", claim)
    done = check(document, *arguments)
    assert done.status == status and says in done.out
    if document != "proof" and claim is not None:
        return
    found = row(check(document, *arguments, "--json"))
    assert found["verdict"] == ("valid" if status == 0 else "invalid")
    assert (found["claim_of"], found["claim"] is None) == (of, of is None)
    assert found["claim_note"] == (note and "not the program's claim")


@pytest.mark.parametrize("stated", ["eps/3", "eps * 0.4", "0.1*eps"])
def test_a_document_chooses_no_claim(edited: Callable[..., Invocation], stated: str) -> None:
    done = edited("witness", lambda data: data.update(epsilon=stated))
    assert done.status == 1 and "not the program's claim" in done.out and "refuted:" not in done.out
    done = edited("witness", lambda data: data.update(delta="1/1000"))
    assert done.status == 1 and "not the program's claim" in done.out


def test_the_programs_own_claim_may_be_left_out_or_written_otherwise(
    edited: Callable[..., Invocation],
) -> None:
    assert edited("witness", lambda data: data.update(epsilon="")).status == 1
    for stated in (None, "eps / 2", "(eps)/2"):
        done = edited("witness", lambda data, stated=stated: data.update(epsilon=stated), "--json")
        assert (done.status, row(done)["claim_of"]) == (0, "program")


def test_a_proof_that_states_nothing_still_has_to_show_the_programs_claim(
    edited: Callable[..., Invocation],
) -> None:
    done = edited("proof", lambda data: data["claim"].update(epsilon=None))
    assert done.status == 0 and "  claimed: epsilon = 3*eps\n" in done.out
    done = edited("weak", lambda data: data["claim"].update(epsilon=None))
    assert done.status == 1 and "not shown: the program's claim" in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--epsilon", "x"),
        ("--epsilon", "-1"),
        ("--epsilon", ""),
        ("--delta", "1/8"),
        ("--epsilon", "\x1b[2K"),
    ],
)
def test_a_claim_that_is_none(check: Check, arguments: tuple[str, str]) -> None:
    done = check("bare", *arguments)
    assert done.status == 2 and done.err.startswith("synth: error: ") and done.out == ""


# --- programs -------------------------------------------------------------------------------


@pytest.mark.parametrize(("document", "name", "line"), [("proof", "noisy", 5), ("witness", "too_little", 10)])
def test_a_verdict_is_about_a_text(check: Check, folder: Path, document: str, name: str, line: int) -> None:
    """What the mechanism needs of its file, with its line there."""
    found = row(check(document, "--json"))
    lines = SOURCE.split("\n")
    text = "\n".join([lines[0], *lines[line - 2 : line + 1], ""])
    digest, header = hashlib.sha256(text.encode()).hexdigest(), f"def {name}(x: int, eps: float) -> int:"
    assert (found["sha256"], found["line"], found["header"]) == (digest, line, header)
    assert (found["file"], found["file_sha256"]) == (None, None)
    out = check(document).out
    assert digest in out and f"  line {line}: {header}\n" in out


@pytest.mark.parametrize(
    ("document", "name", "other"), [("proof", "noisy", "claimless"), ("witness", "too_little", "noisy")]
)
def test_the_program_is_compared(check: Check, folder: Path, document: str, name: str, other: str) -> None:
    program = folder / "p.py"
    for target in (program, f"{program}::{name}"):
        assert check(document, "--program", target).status == 0
    wrong = check(document, "--program", f"{program}::{other}")
    assert wrong.status == 1 and f"the certificate is about {name}, not about {other}" in wrong.out
    changed = folder / "changed.py"
    changed.write_text(SOURCE.replace("scale=1 / eps", "scale=1 /  eps"))
    done = check(document, "--program", changed, "--json")
    assert done.status == 1 and row(done)["rule"] == "Program" and row(done)["file"] is None
    changed.write_text(SOURCE.replace(f"def {name}", "def renamed"))
    done = check(document, "--program", changed)
    assert done.status == 1 and f"{changed} has no mechanism {name}" in done.out
    assert check(document, "--program", folder / "none.py").status == 4
    assert check(document, "--program", folder).status == 2


@pytest.mark.parametrize(("document", "name", "line"), [("proof", "noisy", 7), ("witness", "too_little", 14)])
def test_what_a_mechanism_does_not_need_may_change(
    check: Check, folder: Path, document: str, name: str, line: int
) -> None:
    """The lines shown are those of the file that is given."""
    changed = folder / "above.py"
    one, *others = SOURCE.split("\n\n\n")
    changed.write_text("\n\n\n# a remark\n\n".join([one, *others]))
    done = check(document, "--program", changed, "--json")
    digest = hashlib.sha256(changed.read_bytes()).hexdigest()
    assert done.status == 0
    found = row(done)
    assert (found["line"], found["file"], found["file_sha256"]) == (line, str(changed), digest)
    assert found["header"] == f"def {name}(x: int, eps: float) -> int:"
    out = check(document, "--program", changed).out
    assert f"  line {line}: def {name}" in out and f"{changed} holds, whose SHA-256 is {digest}\n" in out


def test_the_whole_file_is_read(check: Check, folder: Path) -> None:
    """What it holds beside the mechanism could change what a name stands for."""
    changed = folder / "whole.py"
    for more in ("def laplace(x, scale):\n    return x\n", "noisy = 3\n", "x = (\n"):
        changed.write_text(f"{SOURCE}\n\n{more}")
        done = check("proof", "--program", changed)
        assert done.status == 4 and str(changed) in done.err and done.out == ""
    changed.write_text(f"{SOURCE}\n\nimport os\n")
    done = check("proof", "--program", changed)
    assert done.status == 0 and "is not read: it is assumed to change nothing that is used" in done.out


def test_a_certificate_of_a_whole_file(check: Check, edited: Callable[..., Invocation], folder: Path) -> None:
    """As they were once made: the text is that of the file."""

    def whole(data: Any) -> None:
        del data["program"]["lines"]
        data["program"] |= {"text": SOURCE, "sha256": hashlib.sha256(SOURCE.encode()).hexdigest()}

    found = row(edited("proof", whole, "--program", folder / "p.py", "--json"))
    assert (found["verdict"], found["line"]) == ("valid", 5)
    assert found["sha256"] == found["file_sha256"]


@pytest.mark.parametrize(
    "lines",
    [
        *([], [[1, 1], [4, 5]], [[1, 1], [4, 7]], [[1, 1], [1, 3]], [[4, 6], [1, 1]], [[0, 0], [4, 6]]),
        *(
            [[1, 1], [4, 10**9]],
            [[True, 1], [4, 6]],
            [["1", 1], [4, 6]],
            [[1], [4, 6]],
            [1, 4, 5, 6],
            "1-4",
            None,
        ),
    ],
)
@pytest.mark.parametrize("document", ["proof", "witness"])
def test_lines_that_are_none(edited: Callable[..., Invocation], document: str, lines: Any) -> None:
    def moved(data: Any) -> None:
        (data if document == "witness" else data["program"])["lines"] = lines

    done = edited(document, moved)
    assert done.status == (1 if document == "witness" else 4) and "lines" in done.out + done.err


def test_lines_are_only_shown(check: Check, edited: Callable[..., Invocation], folder: Path) -> None:
    """Whoever wrote the document may lie about them; where the file is given, its own are shown."""

    def moved(data: Any) -> None:
        data["program"]["lines"] = [[1, 1], [77, 79]]

    assert row(edited("proof", moved, "--json"))["line"] == 78
    assert row(edited("proof", moved, "--program", folder / "p.py", "--json"))["line"] == 5


def test_names_of_a_claim_are_those_of_the_file(check: Check, folder: Path) -> None:
    other = folder / "named.py"
    other.write_text(f"{SOURCE}\n\nTWICE = 2\n")
    assert check("proof", "--program", other, "--epsilon", "TWICE * eps").status == 0
    done = check("proof", "--epsilon", "TWICE * eps")
    assert done.status == 2 and "unknown name 'TWICE'" in done.err


def test_line_ends_of_the_program_are_those_that_the_reader_takes(check: Check, folder: Path) -> None:
    other = folder / "windows.py"
    other.write_bytes(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode())
    assert check("proof", "--program", other).status == 0


# --- numbers --------------------------------------------------------------------------------


def test_numbers_of_a_witness_are_computed_again(check: Check, edited: Callable[..., Invocation]) -> None:
    def loose(data: Any) -> None:
        data["witness"] |= {"probability_left": [0.0, 1.0], "probability_right": [0, 1], "output": "\\u202e"}
        data["witness"] |= {"epsilon": 99, "epsilon_at_least": 0.5}

    honest, loosely = check("witness", "--json"), edited("witness", loose, "--json")
    assert row(loosely)["found"] == row(honest)["found"]
    low, high = row(honest)["found"]["probability_left"]
    assert 0.4 < low <= high < 0.5 and 0.99 < row(honest)["found"]["epsilon_at_least"] < 1


@pytest.mark.parametrize(
    "change",
    [
        {"probability_left": [0.5, 0.6]},
        {"probability_right": [0.0, 0.1]},
        {"epsilon_at_least": 1.5},
        {"epsilon_at_least": None},
        {"probability_left": "0.46"},
        {"left": {"x": [0]}},
        {"left": {"x": "a\nb"}},
    ],
)
def test_wrong_numbers_of_a_witness(edited: Callable[..., Invocation], change: dict[str, Any]) -> None:
    done = edited("witness", lambda data: data["witness"].update(change))
    assert done.status == 1 and "[Witness]" in done.out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"kind": "witness"', '"kind": "proof", "kind": "witness"'),
        ('"epsilon_at_least":', '"epsilon_at_least": 9, "epsilon_at_least":'),
        ('"delta": null', '"delta": NaN'),
        ('"delta": null', '"delta": -Infinity'),
        ('"delta": null', '"delta": 1e99999'),
    ],
)
def test_witnesses_are_read_strictly(folder: Path, old: str, new: str) -> None:
    text = (folder / "witness.json").read_text()
    assert old in text
    (folder / "strict.json").write_text(text.replace(old, new, 1))
    done = invoke_apart("check", folder / "strict.json")
    assert (done.status, done.out) == (4, "") and "no certificate" in done.err


@pytest.mark.parametrize(
    "bound", ["(/ 1.0 0.0)", "(/ |eps<>| (- |eps<>| |eps<>|))", "(|/:Real,Real| 1.0 0.0)"]
)
@pytest.mark.parametrize("field", ["epsilon", "delta"])
def test_a_bound_divides_by_something(edited: Callable[..., Invocation], bound: str, field: str) -> None:
    done = edited("proof", lambda data: data["proved"].update({field: bound}))
    assert (done.status, done.err) == (1, "") and "a division by 0" in done.out


# --- other commands -------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("export", "--to", "text"), ("precision", "--range", "-8", "8")])
def test_a_witness_is_no_proof(folder: Path, command: tuple[str, ...]) -> None:
    done = invoke_apart(command[0], folder / "witness.json", *command[1:])
    assert (done.status, done.out) == (4, "") and "a witness against a claim, and no proof" in done.err


def test_a_mechanism_with_facts_has_no_witness(edited: Callable[..., Invocation]) -> None:
    def change(data: Any) -> None:
        data["program"], data["lines"] = FACTS, [[1, len(FACTS.splitlines())]]
        data["witness"]["left"], data["witness"]["right"] = {"f": [0]}, {"f": [1]}

    done = edited("witness", change)
    assert done.status == 1 and "states facts" in done.out


def test_prove_and_refute_say_whose_claim_it_is(folder: Path) -> None:
    for command, status in (("prove", 1), ("refute", 0)):
        target = (command, f"{folder / 'p.py'}::too_little")
        done = invoke_apart(*target)
        assert done.status == status and "\n  claim eps/2: refuted\n" in done.out
        done = invoke_apart(*target, "--epsilon", "eps/3")
        assert done.status == status and "\n  claim eps/3 (of the command line): refuted\n" in done.out
        found = row(invoke_apart(*target, "--epsilon", "eps/3", "--json"))
        assert (found["claim"]["epsilon"], found["claim_of"]) == ("eps/3", "command line")


NOTHING = """from synth.lang import *


@mechanism(requires="eps > 0")
def told(x: int, eps: float) -> int:
    if eps > 3:
        raise ValueError("too large")
    return x
"""


def test_what_is_private_and_assumed_is_said(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(NOTHING)
    document = tmp_path / "told.json"
    invoke_apart("prove", tmp_path / "p.py", "--certificate", document, "--no-cache")
    out = invoke_apart("check", document).out
    assert "  stated of it: @mechanism(requires='eps > 0')\n" in out
    assert "  no parameter is private" in out
    assert "  assumes that eps <= 3 (line 7 raises otherwise)\n" in out
    found = json.loads(invoke_apart("check", document, "--json").out)["results"][0]
    assert (found["stated"], len(found["inputs"])) == ("@mechanism(requires='eps > 0')", 2)


@pytest.mark.parametrize(
    ("bound", "metric", "where"),
    [
        ("l1_distance as linf_distance", "linf_distance(1)", "linf_distance is synth.lang.l1_distance"),
        ("linf_distance\none = 0", "linf_distance(one)", "one = 0"),
        ("linf_distance\none = 0", "linf_distance('2 * one')", "one = 0"),
        ("linf_distance\nother = 0", "linf_distance(1)", None),
    ],
)
def test_what_names_in_the_decorator_stand_for_is_said(bound: str, metric: str, where: str | None) -> None:
    """A document may call one distance like another one, and a small number a large one."""
    head = f"from synth.lang import mechanism, {bound}\n@mechanism(adjacent={{'q': {metric}}})\n"
    (mechanism,) = read_source(f"{head}def f(q: list[int]):\n    return 0\n", "p.py")
    stated = decorator_text(mechanism)
    assert stated is not None and stated.startswith("@mechanism(adjacent={'q': linf_distance(")
    assert (where is None) == (", where " not in stated) and stated.endswith(where or ")")


def test_the_judged_program_is_shown(run: Callable[..., Invocation]) -> None:
    """Where steps rewrite the core program, the one that they lead to is shown, too."""
    golden = Path(__file__).parents[1] / "views" / "golden" / "k_rr.json"
    (row,) = run("check", golden, "--show-program", "--json").results()
    assert "bernoulli(p)" in row["core"]
    assert row["steps"] == [step["step"] for step in json.loads(golden.read_text())["steps"]]
    assert "outcomes(" in row["judged"]
    (row,) = run("check", golden, "--json").results()
    assert row["core"] is row["judged"] is None


def test_the_program_of_every_record_is_shown(run: Callable[..., Invocation], tmp_path: Path) -> None:
    path = tmp_path / "sample.json"
    path.write_text(proof_of(SAMPLE), encoding="utf-8")
    (row,) = run("check", path, "--show-program", "--json").results()
    assert "bernoulli" in row["core"]
    assert row["steps"] == ["every record"]
    assert "laplace" in row["judged"] and "bernoulli" not in row["judged"]
