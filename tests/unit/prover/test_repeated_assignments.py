"""What a variable holds already is assigned once; what has changed in between is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.prover.normal_form.repeated_assignments import (
    apart,
    apart_inside,
    apart_on_sides,
    once,
    without_lost_entries,
)
from synth.prover.normal_form.two_values import two_valued
from synth.prover.normal_form.whole_numbers import with_whole_numbers
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.equivalence import check_equivalent

HEAD = (
    "from synth.lang import absolute_distance, laplace, mechanism\n\n\n"
    "@mechanism(adjacent={'x': absolute_distance(1)})\ndef f(x: float, n: int, c: bool):\n"
)

CASES = {
    "the same again": ("k = n\n    m = k + 1\n    k = n\n    return laplace(x, 2) + k + m", 2),
    "what it is made of has changed": (
        "j = n\n    k = j\n    j = 2\n    k = j\n    return laplace(x, 2) + k",
        4,
    ),
    "it has changed": ("k = n\n    k = 3\n    k = n\n    return laplace(x, 2) + k", 3),
    "it may have changed": (
        "k = n\n    if c:\n        k = 3\n    k = n\n    return laplace(x, 2) + k",
        3,
    ),
    "it is changed in a loop": (
        "k = n\n    for i in range(n):\n        k += 3\n    k = n\n    return laplace(x, 2) + k",
        None,
    ),
    "made of itself": ("k = n\n    k = k + 1\n    k = k + 1\n    return laplace(x, 2) + k", 3),
    "a draw": ("k = x\n    k = laplace(x, 2)\n    k = x\n    return laplace(k, 2)", 2),
}


@pytest.mark.parametrize("name", CASES)
def test_which_assignments_stay(name: str) -> None:
    body, count = CASES[name]
    (found,) = read_source(f"{HEAD}    {body}\n", "p.py")
    form = once(found)
    stay = [item for item in ir.statements(form.body) if isinstance(item, ir.Assign)]
    before = [item for item in ir.statements(found.body) if isinstance(item, ir.Assign)]
    assert len(stay) == (len(before) if count is None else count)


def test_the_step_is_accepted() -> None:
    (found,) = read_source(f"{HEAD}    {CASES['the same again'][0]}\n", "p.py")
    steps = rewriting(replace(found, body=renumber(found.body)))
    assert steps.steps
    assert len([item for item in ir.statements(steps.program.body) if isinstance(item, ir.Assign)]) == 2


LOOP = "total = 0.0\n    for i in range(n):\n"
INSIDE = {
    "one value after the other": (
        f"{LOOP}        v = x + i\n        v = min(v, 1)\n        total += v",
        True,
    ),
    "it is kept for the next round": (f"{LOOP}        total += 1\n        total = total * 2", False),
    "it is read behind the loop": (
        f"v = 0.0\n    {LOOP}        v = x + i\n        v = min(v, 1)\n    total += v",
        False,
    ),
    "a branch assigns it, too": (
        f"{LOOP}        v = x\n        v = min(v, 1)\n        if c:\n            v = 2\n        total += v",
        False,
    ),
    "a draw": (
        f"{LOOP}        v = x + i\n        v = laplace(v, 2)\n        v = min(v, 1)\n        total += v",
        False,
    ),
    "it is read first": (
        f"v = x\n    {LOOP}        total += v\n        v = x + i\n        v = min(v, 1)",
        False,
    ),
}


@pytest.mark.parametrize("name", INSIDE)
def test_what_a_body_assigns_before_it_reads_are_several_variables(name: str) -> None:
    body, changes = INSIDE[name]
    (found,) = read_source(f"{HEAD}    {body}\n    return laplace(total, 2)\n", "p.py")
    found = replace(found, body=renumber(found.body))
    form = apart_inside(found)
    assert (form.body != found.body) == changes
    if changes:
        check_equivalent(found, form)


SIDES = {
    "each assigns it": (
        "if c:\n        s = n + 1\n        x += s\n    else:\n        s = 2\n        x -= s",
        True,
    ),
    "each of three": (
        "if c:\n        s = n + 1\n        x += s\n    elif n > 2:\n        s = 2\n        x -= s\n"
        "    else:\n        s = 3\n        x *= s",
        True,
    ),
    "in a loop": (
        "for i in range(n):\n        if i > 2:\n            s = i\n            x += s\n"
        "        else:\n            s = 2\n            x -= s",
        True,
    ),
    "it is read behind": ("if c:\n        s = n + 1\n    else:\n        s = 2\n    x += s", False),
    "it is read before": (
        "s = 0\n    x += s\n    if c:\n        s = n\n        x += s\n"
        "    else:\n        s = 2\n        x -= s",
        False,
    ),
    "one side alone": ("if c:\n        s = n + 1\n        x += s\n    else:\n        x -= 1", False),
}


@pytest.mark.parametrize("name", SIDES)
def test_what_both_sides_assign_before_they_read_is_two_variables(name: str) -> None:
    body, changes = SIDES[name]
    (found,) = read_source(f"{HEAD}    {body}\n    return laplace(x, 2)\n", "p.py")
    found = replace(found, body=renumber(found.body))
    form = apart_on_sides(found)
    assert (form.body != found.body) == changes
    if changes:
        check_equivalent(found, form)


APART = {
    "one value after the other": ("k = n\n    k = k + 1\n    k = k * 2\n    return laplace(x, 2) + k", 3),
    "also in a branch": ("k = n\n    k = k + 1\n    if c:\n        k = 2\n    return laplace(x, 2) + k", 1),
    "a draw": ("y = x\n    y = laplace(y, 2)\n    return y", 1),
    "read in a loop": (
        "k = n\n    k = k + 1\n    for i in range(n):\n        x += k\n    return laplace(x, 2)",
        2,
    ),
}


@pytest.mark.parametrize("name", APART)
def test_several_values_are_several_variables(name: str) -> None:
    body, count = APART[name]
    (found,) = read_source(f"{HEAD}    {body}\n", "p.py")
    form = apart(found)
    kept = [item.target for item in form.body if isinstance(item, ir.Assign) and item.target[0] in "ky"]
    assert len(set(kept)) == count
    check_equivalent(found, form)


TWO_VALUES = {
    "a coin in a branch": ("if n > 2:\n        if bernoulli(0.3):\n            y = 9.0", True),
    "set back": ("if n > 2:\n        y = 9.0\n        if bernoulli(0.3):\n            y = 7.0", True),
    "three values": ("if bernoulli(0.3):\n        y = 9.0\n    if n > 2:\n        y = 8.0", False),
    "three in one branch": ("if n > 2:\n        y = 8.0 if bernoulli(0.3) else 9.0", False),
    "read in the branch": ("if bernoulli(0.3):\n        z = y\n        y = 9.0", False),
    "it is left": ("if n > 2:\n        if bernoulli(0.3):\n            y = 9.0\n        return y", False),
    "behind a coin": ("k = bernoulli(0.3)\n    if n > 2:\n        y = 9.0 if k else 8.0", False),
    "on all ways, behind a coin": (
        "k = bernoulli(0.3)\n    if n > 2:\n        if k:\n            y = 9.0\n        else:\n"
        "            y = 8.0\n    else:\n        y = 8.0",
        True,
    ),
    "not on all ways": (
        "k = bernoulli(0.3)\n    if k:\n        y = 9.0\n    elif n > 2:\n        y = 8.0",
        False,
    ),
    "no coin": ("if n > 2:\n        y = 9.0", False),
}


@pytest.mark.parametrize("name", TWO_VALUES)
def test_a_number_of_two_values_is_a_truth_value(name: str) -> None:
    body, changed = TWO_VALUES[name]
    text = f"{HEAD}    y = 7.0\n    {body}\n    return y + laplace(x, 2)\n".replace(
        "laplace, mech", "bernoulli, laplace, mech"
    )
    (found,) = read_source(text, "p.py")
    form = two_valued(found)
    assert (form.variables != found.variables) == changed
    check_equivalent(found, form)


DECIDED = {
    "behind a coin": (
        "k = n\n    if bernoulli(0.3):\n        k = 3\n    m = k\n    k = 5\n"
        "    if bernoulli(0.3):\n        k = 4\n    return laplace(x, 2) + k + m",
        2,
    ),
    "inside of branches": (
        "m = 0\n    if bernoulli(0.3):\n        k = n\n        m = k * 2\n"
        "    if bernoulli(0.4):\n        k = 3\n        m = m + k\n    return laplace(x, 2) + m",
        2,
    ),
    "read behind a branch": (
        "k = 0\n    if bernoulli(0.3):\n        k = n\n    if bernoulli(0.4):\n        k = k + 3\n"
        "    return laplace(x, 2) + k",
        1,
    ),
    "in a loop": (
        "k = n\n    for i in range(n):\n        if bernoulli(0.3):\n            k = i\n    m = k\n    k = 5\n"
        "    return laplace(x, 2) + k + m",
        1,
    ),
}


@pytest.mark.parametrize("name", DECIDED)
def test_values_that_coins_decide_are_several_variables(name: str) -> None:
    body, count = DECIDED[name]
    head = HEAD.replace("laplace, mech", "bernoulli, laplace, mech")
    (found,) = read_source(f"{head}    {body}\n", "p.py")
    form = apart(found)
    stored = [item.target for item in ir.statements(form.body) if isinstance(item, ir.Assign)]
    assert len({item for item in stored if item[0] == "k"}) == count
    check_equivalent(found, form)


FILLED = "ys = []\n    for i in range(n):\n        ys.append(i)\n    "
LOST = {
    "emptied": (
        "ys = []\n    ys.append(2)\n    return ys",
        1,
    ),
    "read before": (
        "k = len(ys)\n    ys = []\n    ys.append(k)\n    return ys",
        2,
    ),
    "returned before": (
        "if c:\n        return ys\n    ys = []\n    ys.append(2)\n    return ys",
        2,
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_entries_that_nothing_reads_are_left_out(name: str) -> None:
    body, count = LOST[name]
    (found,) = read_source(f"{HEAD}    {FILLED}{body}\n", "p.py")
    form = without_lost_entries(found)
    assert sum(isinstance(item, ir.Append) for item in ir.statements(form.body)) == count
    check_equivalent(found, form)


WHOLE = {
    "coins as reals": ("y = float(n) * (1.0 if k else 0.0) + (1.0 - (1.0 if k else 0.0)) * 5.0", True),
    "no coin": ("y = float(n) * (1.0 if c else 0.0)", False),
    "not whole": ("y = float(n) * (1.0 if k else 0.5)", False),
    "no integer": ("y = x * (1.0 if k else 0.0)", False),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_real_that_coins_choose_between_whole_numbers_is_an_integer(name: str) -> None:
    body, changed = WHOLE[name]
    head = HEAD.replace("laplace, mech", "bernoulli, laplace, mech")
    text = f"{head}    k = bernoulli(0.3)\n    {body}\n    return y + laplace(x, 2)\n"
    (found,) = read_source(text, "p.py")
    form = with_whole_numbers(found)
    assert (form != found) == changed
    check_equivalent(found, form)
