"""A certificate is about the core program in it, and that is exactly what its text is read as."""

from __future__ import annotations

import pytest

from synth.trusted.core.reader import read_core
from synth.trusted.kernel import check as checking
from synth.trusted.logic.codes import Code
from synth.trusted.reading import program_in
from tests.support.cores import with_core
from tests.support.handmade import NOISY, Data, accepted, check_text

WHOLE: Data = with_core(NOISY)
DRAW = 'outcomes("mixture", lambda o: {o == 0: 5.0})'


def refused(data: Data, code: Code) -> None:
    """By that code, at the core program."""
    found = check_text(data)
    assert (found.verdict, found.rule, found.place, found.code) == ("invalid", "Program", "core", code)


def test_the_core_program_of_the_text_is_accepted() -> None:
    accepted(WHOLE)


def test_places_and_blanks_mean_nothing() -> None:
    accepted({**WHOLE, "core": "\n\n" + WHOLE["core"].replace(" = ", "  =  ") + "\n# a remark\n"})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1.0 / eps", "2.0 / eps"),
        ("absolute_distance(1.0)", "absolute_distance(0.5)"),
        ("@adjacent(x=absolute_distance(1.0))\n", ""),
        ("0.0 < eps", "1.0 < eps"),
        ("def noisy", "def other"),
        ("laplace", "exponential"),
        ('    ensure(not eps == 0.0, "divisor")\n', ""),
        ('"divisor"', '"domain"'),
        ("eps: real", "eps: ghost(real)"),
        ("x: int,", "x: published(int),"),
        ("output(int)", "output(None | int)"),
        ("@adjacent", "@claims(epsilon=eps)\n@adjacent"),
    ],
)
def test_another_core_program_is_refused(old: str, new: str) -> None:
    assert old in WHOLE["core"]
    found = check_text({**WHOLE, "core": WHOLE["core"].replace(old, new)})
    assert (found.verdict, found.rule, found.place) == ("invalid", "Program", "core")
    assert found.code in (Code.CORE_DIFFERS, Code.CORE_REFUSED)
    if (old, new) == ("1.0 / eps", "2.0 / eps"):
        assert found.code is Code.CORE_DIFFERS


@pytest.mark.parametrize(
    "core", ["", "import os", "def noisy(:", "def noisy(x: int): __import__('os')", "(" * 10_000, "x\x1b"]
)
def test_what_is_no_core_program_is_refused(core: str) -> None:
    refused({**WHOLE, "core": core}, Code.CORE_REFUSED)


def test_old_certificates_say_what_to_do() -> None:
    old = {key: item for key, item in WHOLE.items() if key != "core"} | {"version": 1}
    found = check_text({**old, "core": ""})
    assert (found.verdict, found.code) == ("invalid", Code.OLD_VERSION)
    assert "prove the program again with this version" in (found.reason or "")


def test_chances_that_may_not_sum_up_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the reader of Python made such a draw."""
    made = read_core(WHOLE["core"].replace("laplace(x, 1.0 / eps)", DRAW))
    monkeypatch.setattr(checking, "program_in", lambda *of: made)
    refused({**WHOLE, "core": WHOLE["core"].replace("laplace(x, 1.0 / eps)", DRAW)}, Code.LAW_NOT_SHOWN)


def test_what_is_done_to_a_program_that_was_read_changes_no_other_reading() -> None:
    text, name = WHOLE["program"]["text"], WHOLE["program"]["mechanism"]
    read = program_in(text, name)
    assert read is not None
    known = dict(read.variables), dict(read.lists)
    read.variables.clear()
    read.lists["forged"] = read.lists.get("q")  # type: ignore[assignment]
    again = program_in(text, name)
    assert again is not None
    assert (again.variables, again.lists) == known
    accepted(WHOLE)


def test_texts_that_differ_in_what_stands_beside_them_are_read_apart() -> None:
    text, name = WHOLE["program"]["text"], WHOLE["program"]["mechanism"]
    here, there = program_in(text, name), program_in(text, name, tuple(range(2, text.count("\n") + 3)))
    assert here is not None and there is not None
    assert there.span.line == here.span.line + 1
