"""Conditions, couplings and invariants of a result in words, for people who don't read formulas."""

from __future__ import annotations

import re

from synth.views.certificate.plain_names import FIRST, SECOND
from synth.views.results import SiteCase

_COMPARISON = re.compile(r"(?P<left>.+?) (?P<order>==|!=|<=|>=|<|>) (?P<right>.+)")
_SIZE = re.compile(r"abs\((?P<name>.+)⟨2⟩ - (?P=name)⟨1⟩\) (?P<order><=|==|<) (?P<bound>.+)")
_GAP = re.compile(r"(?P<name>[^\s]+)⟨2⟩ - (?P=name)⟨1⟩ (?P<order>==|<=|>=|<|>) (?P<bound>.+)")
_PAIR = re.compile(
    r"(?P<name>[^\s]+)⟨2⟩ (?P<order>==|!=|<=|>=|<|>) (?P=name)⟨1⟩(?: (?P<sign>[+-]) (?P<more>.+))?"
)
_COST = re.compile(r"(?P<name>(?:cost|paid)\d*) (?P<order><=|>) (?P<bound>.+)")
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SAID = {
    "==": "is",
    "!=": "is not",
    "<=": "is at most",
    ">=": "is at least",
    "<": "is below",
    ">": "is above",
}
_NEXT = re.compile(r"line (\d+): condition (true|false) next")


def invariant_words(formula: str) -> str:
    """Return a conjunct of an invariant as a sentence; the last of its alternatives is what it is about."""
    *others, last = formula.split(" or ")
    if not others:
        return f"{_fact(last)}."
    conditions = " and ".join(_fact(_negated(part)) for part in others)
    return f"if {conditions}, then {_fact(last)}."


def case_words(case: SiteCase) -> str:
    """Return how a draw is coupled as a sentence."""
    return f"{_when(case.when)}{_coupling(case)}{_price(case)}"


def when_words(when: str) -> str:
    """Return a condition on run 1's future in words."""
    return _NEXT.sub(lambda found: f"the condition in line {found[1]} comes out {found[2]} next", when)


def _when(when: str) -> str:
    match when:
        case "always":
            return ""
        case "otherwise":
            return "Otherwise: "
        case _:
            return f"If {when_words(when)}: "


def _coupling(case: SiteCase) -> str:
    match case.coupling:
        case "null":
            return "run 2 draws the same noise as run 1 around its own centre"
        case "shift" if case.k == "0":
            return "run 2 draws the same value as run 1, whatever the centres are"
        case "shift":
            return f"run 2's draw is run 1's plus {_bare(case.k)}"
        case "equal":
            return "both runs draw the same value"
        case "interval":
            return f"the draw is mapped {case.k}"
        case "given up":
            return "such draws are given up: their probability is paid for in δ"
        case _:
            return case.coupling


def _price(case: SiteCase) -> str:
    if case.cost == "0":
        return ". This costs nothing."
    return f". This costs {case.cost}."


def _bare(k: str) -> str:
    return f"({k})" if k.startswith("-") else k


# --- facts ----------------------------------------------------------------------------------


def _fact(literal: str) -> str:
    if found := _COST.fullmatch(literal):
        return _paid(found["name"], found["order"], found["bound"])
    if found := _SIZE.fullmatch(literal):
        return f"{found['name']} {_within(found['order'], found['bound'])} between the runs"
    if found := _GAP.fullmatch(literal):
        return _larger(found["name"], found["order"], found["bound"])
    if found := _PAIR.fullmatch(literal):
        return _compared(found)
    if found := _COMPARISON.fullmatch(literal):
        left, order, right = found["left"], found["order"], found["right"]
        for run, mark in ((1, FIRST), (2, SECOND)):
            if left.endswith(mark) and FIRST not in right and SECOND not in right and " " not in left:
                return f"in run {run} {left.removesuffix(mark)} {_SAID[order]} {right}"
        return f"{_sided(left)} {_SAID[order]} {_sided(right)}"
    return _sided(literal)


def _paid(name: str, order: str, bound: str) -> str:
    alone = name in ("cost", "paid")
    if bound == "0" and alone:
        return f"{'nothing' if order == '<=' else 'something'} has been paid so far"
    return f"{'what has been paid so far' if alone else f'{name} so far'} {_SAID[order]} {bound}"


def _within(order: str, bound: str) -> str:
    return {"<=": f"differs by at most {bound}", "<": f"differs by less than {bound}"}.get(
        order, f"differs by {bound}"
    )


def _larger(name: str, order: str, bound: str) -> str:
    if bound.startswith("-") and " " not in bound:
        return _smaller(name, order, bound.removeprefix("-"))
    how = {"==": "", "<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than "}[order]
    return f"{name} is {how}{bound} larger in run 2"


def _smaller(name: str, order: str, bound: str) -> str:
    how = {"==": "", "<=": "at least ", ">=": "at most ", "<": "more than ", ">": "less than "}[order]
    return f"{name} is {how}{bound} smaller in run 2"


def _compared(found: re.Match[str]) -> str:
    name, order, more = found["name"], found["order"], found["more"]
    if more is not None and order != "!=":
        return _larger(name, order, more) if found["sign"] == "+" else _smaller(name, order, more)
    if more is not None:
        return f"{name} is not {found['sign']}{more} away from run 1's in run 2"
    said = {
        "==": "is the same in both runs",
        "!=": "is not the same in both runs",
        "<=": "is not larger in run 2",
        ">=": "is not smaller in run 2",
        "<": "is smaller in run 2",
        ">": "is larger in run 2",
    }
    return f"{name} {said[order]}"


def _sided(text: str) -> str:
    return text.replace(FIRST, " (run 1)").replace(SECOND, " (run 2)")


def _negated(literal: str) -> str:
    found = _COMPARISON.fullmatch(literal)
    if found is not None and " and " not in literal and literal[:1] != "(":
        return f"{found['left']} {_OPPOSITE[found['order']]} {found['right']}"
    return literal.removeprefix("not ") if literal.startswith("not ") else f"not {literal}"
