"""The program that a certificate is about, and the schema of certificates."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.support.handmade import (
    DROPPED,
    SCALED,
    Data,
    accepted,
    check_text,
    edited,
    refusals,
    rejected,
)

TEXT = SCALED["program"]["text"]


def test_schema_accepts_any_tools() -> None:
    accepted(edited(SCALED, "", tools={"hand": "1"}))


def with_text(text: str) -> Data:
    """The certificate with another program, and the hash of that."""
    return edited(SCALED, "program", text=text, sha256=sha256(text.encode()).hexdigest())


@refusals(
    SCALED,
    {
        "a changed text": ("program", {"text": TEXT + "\n"}, "Program", "program.sha256", "not the hash"),
        "another hash": ("program", {"sha256": "0" * 64}, "Program", "program.sha256", "not the hash"),
        "an upper-case hash": (
            "program",
            {"sha256": SCALED["program"]["sha256"].upper()},
            "Program",
            "program.sha256",
            "not the hash",
        ),
        "an unknown mechanism": (
            "program",
            {"mechanism": "other"},
            "Program",
            "program.mechanism",
            "'other'",
        ),
    },
)
def test_program_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty"),
        ("def noisy(:", "syntax error"),
        (TEXT.replace("laplace(x", "laplace(z"), "unknown name 'z'"),
        (TEXT + "\0", "null bytes"),
        ("(" * 10_000, ""),
        (TEXT.replace("(x, scale", f"({'+'.join(['x'] * 5_000)}, scale"), "nested too deeply"),
    ],
    ids=["empty", "no Python", "no program", "a null byte", "parentheses", "too deep"],
)
def test_program_refuses_text(text: str, reason: str) -> None:
    rejected(with_text(text), "Program", "program.text", reason)


@pytest.mark.parametrize(
    ("old", "new", "name", "reason"),
    [
        ("c / eps + 1 / eps", "c / eps", "Seq", "as many premises"),
        ("1 / eps", "1 / (2 * eps)", "Conseq", ""),
        ("laplace", "exponential", "LapGen", "no coupling of two draws from exponential"),
        ('absolute_distance("c")', 'absolute_distance("2 * c")', "LapGen", "the distance stays within"),
        ("return y", "return x", "Return", "both runs publish the same"),
        ("return y", "return y - x", "Return", "both runs publish the same"),
        ("x: int", "x: float", "LapGen", "a term of sort Int where Real is needed"),
    ],
)
def test_program_edits_reach_the_rules(old: str, new: str, name: str, reason: str) -> None:
    found = check_text(with_text(TEXT.replace(old, new)))
    if name == "Conseq":
        assert found.verdict == "valid", "c / eps + 1 / (2 * eps) is still more than c / eps"
    else:
        assert (found.verdict, found.rule) == ("invalid", name)
        assert reason in (found.reason or "")


@refusals(
    SCALED,
    {
        "another format": ("", {"format": "proof"}, "Schema", "format", "not a 'synth coupling proof'"),
        "another version": ("", {"version": 3}, "Schema", "format", "of version 2"),
        "an old version": (
            "",
            {"version": 1},
            "Schema",
            "format",
            "prove the program again",
        ),
        "a version as text": ("", {"version": "2"}, "Schema", "version", "not a number"),
        "a missing part": ("", {"safety": DROPPED}, "Schema", "certificate", "safety"),
        "an unknown part": ("", {"comment": "sound"}, "Schema", "certificate", "comment"),
        "a missing part of the program": ("program", {"sha256": DROPPED}, "Schema", "program", "sha256"),
        "an unknown part of the claim": ("claim", {"unit": "nats"}, "Schema", "claim", "unit"),
        "a delta that is a number": ("proved", {"delta": 1}, "Schema", "proved.delta", "not a string"),
        "a claim that is a number": ("claim", {"epsilon": 1}, "Schema", "claim.epsilon", "not a string"),
        "a term that is a number": ("proved", {"epsilon": 1}, "Schema", "proved.epsilon", "not a string"),
        "a term that is none": (
            "proved",
            {"epsilon": "(+ 1"},
            "Schema",
            "proved.epsilon",
            "not one whole term",
        ),
        "a command": (
            "proved",
            {"epsilon": "1.0) (exit"},
            "Schema",
            "proved.epsilon",
            "a parenthesis too many",
        ),
        "a cost without bound": ("costs.cost#0", {"bound": DROPPED}, "Schema", "costs.cost#0", "bound"),
        "a cost of another sort": (
            "costs.cost#0",
            {"sort": "Bool"},
            "Schema",
            "costs.cost#0",
            "an Int or a Real",
        ),
        "costs in a list": ("", {"costs": []}, "Schema", "costs", "not an object"),
        "an event without sort": (
            "events",
            {"next#return..0": None},
            "Schema",
            "events.next#return..0",
            "string",
        ),
        "no rule": ("derivation.1", {"rule": DROPPED}, "Schema", "derivation.1.rule", "no name of a rule"),
        "a rule that is no name": (
            "derivation.1",
            {"rule": 1},
            "Schema",
            "derivation.1.rule",
            "no name of a rule",
        ),
        "an unknown rule": ("derivation.1", {"rule": "Magic"}, "Magic", "derivation.1", "no such rule"),
        "a rule in lower case": ("derivation.1", {"rule": "skip"}, "skip", "derivation.1", "no such rule"),
        "premises in no list": (
            "derivation",
            {"premises": {}},
            "Schema",
            "derivation.premises",
            "not a list",
        ),
        "a premise that is none": (
            "derivation",
            {"premises": [None]},
            "Schema",
            "derivation.0",
            "not an object",
        ),
        "a derivation that is none": ("", {"derivation": None}, "Schema", "derivation", "not an object"),
    },
)
def test_schema_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)
