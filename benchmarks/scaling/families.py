"""Program text that grows with a size: one family per way in which users write long programs.

Sizes that double make a straight line on log axes.  The text depends on family and size alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

NAME = "subject"
"""The mechanism that is proved; in a file of many, the first."""


@dataclass(frozen=True)
class Family:
    """Programs of one shape.

    ``text`` gives the mechanisms and ``epsilon`` the least bound of ``NAME``, both by size.
    ``target`` is the largest exponent that is wanted, None where only exponential growth would be wrong.
    ``whole_file`` says that all mechanisms of the file are proved, not only ``NAME``.
    """

    name: str
    unit: str
    about: str
    sizes: tuple[int, ...]
    text: Callable[[int], str]
    epsilon: Callable[[int], str]
    target: float | None = None
    whole_file: bool = False


def program(family: Family, size: int) -> str:
    """The source file of a member.  Raises ValueError for a size below 1."""
    if size < 1:
        raise ValueError(f"the size of a program must be at least 1, not {size}")
    return (
        f'"""{family.about} ({size} {family.unit})."""\n\nfrom synth.lang import *\n\n\n{family.text(size)}'
    )


def find(name: str) -> Family:
    """The family of that name.  Raises KeyError."""
    return next((item for item in FAMILIES if item.name == name), None) or _missing(name)


def _missing(name: str) -> Family:
    raise KeyError(f"no family '{name}'; there are {', '.join(item.name for item in FAMILIES)}")


# --- parts of programs ----------------------------------------------------------------------

_LINF = '"q": linf_distance(1)'
_CHANGE_ONE = '"q": change_one_distance(1)'
_SCALAR = '"x": absolute_distance(1)'


def _mechanism(
    adjacent: str,
    parameters: str,
    body: Sequence[str],
    requires: str = "eps > 0",
    name: str = NAME,
) -> str:
    head = [f'@mechanism(adjacent={{{adjacent}}}, requires="{requires}")', f"def {name}({parameters}):"]
    return "\n".join([*head, *_under(body), ""])


def _under(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _numbered(letter: str, size: int, separator: str = ", ") -> str:
    return separator.join(f"{letter}{number}" for number in range(size))


def _returned(letter: str, size: int) -> str:
    return f"return ({_numbered(letter, size)},)"


def _times(size: int) -> str:
    return "eps" if size == 1 else f"{size}*eps"


def _once(size: int) -> str:
    return "eps"


# --- the families ---------------------------------------------------------------------------


def _releases(size: int) -> str:
    draws = [f"y{number} = laplace(x, scale=1 / eps)" for number in range(size)]
    return _mechanism(_SCALAR, "x: int, eps: float", [*draws, _returned("y", size)])


def _sums(size: int) -> str:
    body = []
    for number in range(size):
        body += [
            f"s{number} = 0",
            f"for x{number} in q:",
            f"    s{number} += x{number}",
            f"y{number} = laplace(s{number}, scale=1 / eps)",
        ]
    return _mechanism(_CHANGE_ONE, "q: list[int], eps: float", [*body, _returned("y", size)])


def _sequence(size: int) -> str:
    body = []
    for number in range(size):
        body += [
            f"t{number} = laplace(t, scale=2 / eps)",
            f"r{number} = len(q)",
            f"for i{number} in range(len(q)):",
            f"    a{number} = laplace(q[i{number}], scale=4 / eps)",
            f"    if a{number} >= t{number} and r{number} == len(q):",
            f"        r{number} = i{number}",
        ]
    return _mechanism(_LINF, "q: list[int], t: int, eps: float", [*body, _returned("r", size)])


def _sites(size: int) -> str:
    draws = ["out.append(laplace(x, scale=1 / eps))"] * size
    lines = ["out = []", "for x in q:", *_under(draws), "return out"]
    return _mechanism(_CHANGE_ONE, "q: list[int], eps: float", lines)


def _columns(size: int) -> str:
    draws = [f"y{number} = laplace(x, scale=1 / eps)" for number in range(size)]
    lines = [
        "out = []",
        "for x in q:",
        *_under([*draws, f"out.append(({_numbered('y', size)},))"]),
        "return out",
    ]
    return _mechanism(_CHANGE_ONE, "q: list[int], eps: float", lines)


def _nested(size: int) -> str:
    lines = ["out.append(laplace(q[i], scale=1 / eps))", "i += 1"]
    if size > 1:
        lines = ["if i < len(q):", *_under(lines)]
    for level in range(size - 1):
        lines = [f"for j{level} in range(m):", *_under(lines)]
    lines = ["out = []", "i = 0", "while i < len(q):", *_under(lines), "return out"]
    return _mechanism(_CHANGE_ONE, "q: list[int], m: int, eps: float", lines, "eps > 0 and m >= 1")


_COUNTS = ("k", "2", "2")


def _rounds(size: int) -> str:
    lines = [
        "winner = 0",
        "best = 0",
        "for i in range(len(q)):",
        "    noisy = laplace(q[i], scale=2 / eps)",
        "    if i == 0 or noisy > best:",
        "        winner = i",
        "        best = noisy",
        "out.append(winner)",
    ]
    for level in range(size - 1):
        lines = [f"for j{level} in range({_COUNTS[min(level, 1)]}):", *_under(lines)]
    lines = ["out = []", *lines, "return out"]
    return _mechanism(_LINF, "q: list[int], k: int, eps: float", lines, "eps > 0 and k >= 0")


def _rounds_bound(size: int) -> str:
    return {1: "eps", 2: "k*eps"}.get(size) or f"{2 ** (size - 2)}*k*eps"


def _parameters(size: int) -> str:
    lines = [
        f"threshold = laplace({_numbered('t', size, ' + ')}, scale=2 / eps)",
        "result = len(q)",
        "for i in range(len(q)):",
        "    answer = laplace(q[i], scale=4 / eps)",
        "    if answer >= threshold and result == len(q):",
        "        result = i",
        "return result",
    ]
    listed = ", ".join(f"t{number}: int" for number in range(size))
    required = " and ".join(["eps > 0", *(f"t{number} >= 0" for number in range(size))])
    return _mechanism(_LINF, f"q: list[int], {listed}, eps: float", lines, required)


def _chain(conditions: Sequence[str], actions: Sequence[str], otherwise: str) -> list[str]:
    lines = []
    for place, (condition, action) in enumerate(zip(conditions, actions, strict=True)):
        lines += [f"{'elif' if place else 'if'} {condition}:", f"    {action}"]
    return [*lines, "else:", f"    {otherwise}"]


def _branches(size: int) -> str:
    conditions = [f"y >= {size - number}" for number in range(size)]
    actions = [f"out.append({number})" for number in range(size)]
    chain = _chain(conditions, actions, f"out.append({size})")
    lines = ["out = []", "for x in q:", *_under(["y = laplace(x, scale=1 / eps)", *chain]), "return out"]
    return _mechanism(_CHANGE_ONE, "q: list[int], eps: float", lines)


def _levels(size: int) -> str:
    steps = [line for number in range(size) for line in (f"if y >= {number}:", f"    level += {number + 1}")]
    inside = ["y = laplace(x, scale=1 / eps)", "level = 0", *steps, "out.append(level)"]
    lines = ["out = []", "for x in q:", *_under(inside), "return out"]
    return _mechanism(_CHANGE_ONE, "q: list[int], eps: float", lines)


def _modes(size: int) -> str:
    conditions = [f"m{number}" for number in range(size)]
    chain = _chain(conditions, ["out.append(laplace(x, scale=1 / eps))"] * size, "out.append(0)")
    listed = ", ".join(f"m{number}: bool" for number in range(size))
    lines = ["out = []", "for x in q:", *_under(chain), "return out"]
    return _mechanism(_CHANGE_ONE, f"q: list[int], {listed}, eps: float", lines)


def _limited(limit: str, declared: str, requires: str) -> str:
    lines = [
        "threshold = laplace(t, scale=2 / eps)",
        "count = 0",
        "out = []",
        "for x in q:",
        f"    answer = laplace(x, scale=4 * {limit} / eps)",
        "    if answer >= threshold:",
        "        out.append(True)",
        "        count += 1",
        f"        if count >= {limit}:",
        "            break",
        "    else:",
        "        out.append(False)",
        "return out",
    ]
    return _mechanism(_LINF, f"q: list[int], t: int, {declared}eps: float", lines, requires)


def _answers(size: int) -> str:
    return _limited(str(size), "", "eps > 0")


def _any_answers(size: int) -> str:
    return _limited("c", "c: int, ", "eps > 0 and c > 0")


def _file(size: int) -> str:
    """Mechanisms that differ in a constant, so that no two are the same."""
    names = [NAME, *(f"other{number}" for number in range(1, size))]
    texts = [
        _mechanism(
            _SCALAR, "x: int, eps: float", [f"return laplace({place} * x, scale={place} / eps)"], name=name
        )
        for place, name in enumerate(names, start=1)
    ]
    return "\n\n".join(texts)


_TO_16 = (1, 2, 4, 8, 16)
_TO_32 = (*_TO_16, 32)
_THOUSAND = (1, 10, 100, 1000)

FAMILIES = (
    Family("releases", "draws", "One number released again and again", _TO_32, _releases, _times, 1),
    Family("sums", "mechanisms", "Noisy sums in sequence, a loop each", _TO_32, _sums, _times, 1),
    Family("sequence", "mechanisms", "Above threshold in sequence", _TO_32, _sequence, _times, 1),
    Family("sites", "draws", "Sampling sites in one loop body, one list", _TO_16, _sites, _times, 2),
    Family("columns", "draws", "Sampling sites in one loop body, one tuple", _TO_16, _columns, _times, 2),
    Family("nested", "loops", "A stream read by nested loops", (1, 2, 3), _nested, _once),
    Family("rounds", "loops", "Noisy max in rounds of rounds", (1, 2, 3), _rounds, _rounds_bound),
    Family("parameters", "parameters", "A threshold of many public parameters", _TO_32, _parameters, _once),
    Family("branches", "branches", "A chain of branches on a noisy answer", _TO_16, _branches, _once, 2),
    Family("levels", "branches", "Branches one after another on a noisy answer", _TO_16, _levels, _once, 2),
    Family("modes", "branches", "A chain of public switches, a draw each", _TO_16, _modes, _once, 2),
    Family("answers", "answers", "Sparse vector with a number as its limit", _TO_32, _answers, _once),
    Family("any_answers", "answers", "Sparse vector with a symbolic limit", (1,), _any_answers, _once),
    Family("reading", "mechanisms", "One mechanism in a long file", _THOUSAND, _file, _once, 1),
    Family("files", "mechanisms", "All mechanisms of a file", _THOUSAND, _file, _once, 1, whole_file=True),
)
