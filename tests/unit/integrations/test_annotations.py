"""What an editor shows is what ``synth prove --json`` says, at its lines."""

from synth.integrations.annotations import Label, Remark, Severity, Title, annotations_of

SITE = {
    "line": 7,
    "draw": "y = laplace(x, 2/eps)",
    "cases": [
        {"when": "x", "coupling": "shift", "k": "1", "cost": "eps/2"},
        {"when": "else", "coupling": "null", "k": "0", "cost": "0"},
    ],
}
NOTHING = {"epsilon": None, "delta": None}
RESULT = {
    "mechanism": "f",
    "verdict": "proved",
    "epsilon": "eps",
    "delta": "0",
    "claim": NOTHING,
    "line": 5,
    "reason_line": None,
    "reason": None,
    "reason_column": None,
    "code": None,
    "matters": None,
    "advice": None,
    "hints": [],
    "witness": None,
    "sites": [SITE],
    "loops": [{"line": 6, "conjuncts": ["a", "b"]}],
}


def test_a_proof_has_a_title_and_a_label_for_each_draw_and_loop() -> None:
    found = annotations_of({"results": [RESULT]}, "p.py")
    assert found.titles == (Title(5, "proved, epsilon = eps"),)
    assert found.labels == (
        Label(
            7,
            "shift 1, costs eps/2 | null 0, costs 0",
            "y = laplace(x, 2/eps)\nx: shift, k = 1, costs eps/2\nelse: null, k = 0, costs 0",
        ),
        Label(6, "invariant", "a\nb"),
    )
    assert found.remarks == ()


def test_what_is_not_proved_is_remarked_where_its_reason_is() -> None:
    refuted = {
        **RESULT,
        "verdict": "refuted",
        "claim": {"epsilon": "eps/2", "delta": "1/10"},
        "reason": "because",
        "reason_line": 7,
        "reason_column": 9,
        "matters": "it leaks",
        "advice": "stop it",
        "code": "bound-misses-claim",
        "witness": {"left": {"x": 0}, "right": {"x": 1}},
        "sites": [],
        "loops": [],
    }
    unknown = {
        **RESULT,
        "reason": "because",
        "code": "bound-misses-claim",
        "sites": [],
        "loops": [],
        "verdict": "unknown",
        "hints": ["try eps > 0", "or eps > 1"],
    }
    found = annotations_of({"results": [refuted, unknown]}, "p.py")
    assert found.remarks == (
        Remark(
            7,
            9,
            Severity.ERROR,
            "bound-misses-claim",
            "refuted, epsilon = eps/2, delta = 1/10\nbecause\nwhy it matters: it leaks\nwhat to do: stop it"
            "\ntwo adjacent inputs: x = 0; x = 1",
        ),
        Remark(5, 0, Severity.WARNING, "bound-misses-claim", "unknown\nbecause\ntry eps > 0\nor eps > 1"),
    )


def test_refusals_are_remarked_at_their_place_those_of_other_files_in_the_first_line() -> None:
    here = {"code": "unknown-name", "message": "unknown 'g'", "file": "p.py", "line": 3, "column": 9}
    there = {"code": "syntax-error", "message": "no", "file": "q.py", "line": 4, "column": 1}
    nowhere = {"code": "file-unreadable", "message": "gone", "file": "p.py", "line": None, "column": None}
    found = annotations_of({"results": [], "errors": [here, there, nowhere]}, "p.py")
    assert found.remarks == (
        Remark(3, 9, Severity.ERROR, "unknown-name", "unknown 'g'"),
        Remark(1, 0, Severity.ERROR, "syntax-error", "q.py:4: no"),
        Remark(1, 0, Severity.ERROR, "file-unreadable", "gone"),
    )
