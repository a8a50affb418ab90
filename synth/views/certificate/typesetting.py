"""Mathematics, code and prose of an exported proof in LaTeX, in ASCII only; all user text is escaped."""

from __future__ import annotations

import re
import unicodedata

from synth.views.certificate.phrases import Code, Math, Phrase

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "^": r"\^{}",
    "~": r"\~{}",
    "←": r"$\leftarrow$",
    "′": "'",
    **{letter: f"\\{letter}" for letter in "{}$&#_%"},
}
_ROMAN = {letter: f"${letter}$" for letter in "<>|"}
_MATH = {
    "⟨": r"\langle ",
    "⟩": r"\rangle ",
    "≤": r"\le ",
    "≥": r"\ge ",
    "≠": r"\ne ",
    "∧": r"\wedge ",
    "∨": r"\vee ",
    "¬": r"\neg ",
    "⇒": r"\Rightarrow ",
    "→": r"\to ",
    "⊢": r"\vdash ",
    "⊤": r"\top ",
    "⊥": r"\bot ",
    "~": r"\sim ",
    "·": r"\cdot ",
    "−": "-",
    "′": "'",
    "°": r"^{\circ}",
    "%": r"\mathbin{\%}",
    **{letter: letter for letter in "+-*/=<>()[]|,.:;"},
}
_WORDS = ("if", "else", "mod", "div")
_GREEK = {letter: unicodedata.name(letter).split()[-1].lower() for letter in "αβγδεζηθικμνξπρστυφχψω"} | {
    "λ": "lambda"
}
_SMALL = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_TOKEN = re.compile(
    r"(?P<small>[₀-₉]+)|\^(?P<power>[0-9]+)|(?P<name>(?:(?![₀-₉])\w)+)|(?P<other>.)", re.DOTALL
)


def prose(text: str) -> str:
    """A text in the body of the document."""
    return "".join(_ROMAN.get(letter) or _letter(letter) for letter in text)


def code(text: str) -> str:
    """A piece of a program."""
    return rf"\texttt{{{re.sub('[₀-₉]+', _small, ''.join(map(_letter, text)))}}}"


def math(text: str) -> str:
    """A formula of :mod:`synth.views.certificate.infix`, in math mode."""
    return "".join(map(_token, _TOKEN.finditer(text))).strip()


def typeset(phrase: Phrase) -> str:
    """A sentence."""
    return "".join(map(_part, phrase))


def _part(part: str | Math | Code) -> str:
    match part:
        case Math(text=text):
            return f"${math(text)}$"
        case Code(text=text):
            return code(text)
        case _:
            return prose(part)


def _small(found: re.Match[str]) -> str:
    return f"$_{{{found[0].translate(_SMALL)}}}$"


def _letter(letter: str) -> str:
    if letter in _ESCAPED:
        return _ESCAPED[letter]
    if letter in _GREEK:
        return rf"$\{_GREEK[letter]}$"
    shown = (letter.isascii() and letter.isprintable()) or letter in "₀₁₂₃₄₅₆₇₈₉"
    return letter if shown else f"[U+{ord(letter):04X}]"


def _token(found: re.Match[str]) -> str:
    kind, text = str(found.lastgroup), str(found[str(found.lastgroup)])
    match kind:
        case "small":
            return f"_{{{text.translate(_SMALL)}}}"
        case "power":
            return f"^{{{text}}}"
        case "name" if text in _WORDS:
            return rf"\;\mathsf{{{text}}}\;"
        case "name":
            return _name(text)
        case _:
            return "" if text.isspace() else _MATH.get(text, rf"\text{{{prose(text)}}}")


def _name(text: str) -> str:
    if text.isascii() and text.isdigit():
        return text
    if text in _GREEK:
        return rf"\{_GREEK[text]} "
    if len(text) == 1 and text.isascii() and text.isalpha():
        return text
    return rf"\mathit{{{''.join(_letter(letter).strip('$') + _gap(letter) for letter in text)}}}"


def _gap(letter: str) -> str:
    """What ends a command before a letter."""
    return " " if letter in _GREEK else ""
