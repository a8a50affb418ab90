"""SVG documents by matplotlib: one text for the same data, on any day and in any place."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from io import StringIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from synth.support.display import shown
from synth.trusted.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colours that are told apart by all eyes (Okabe & Ito 2008)."""

_STYLE = {
    "svg.fonttype": "none",  # letters stay letters
    "svg.hashsalt": "synth",
    "text.parse_math": False,  # a dollar sign is one
    "axes.axisbelow": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
}
_POINTS = 72
_SVG = "http://www.w3.org/2000/svg"


class Tips(dict[str, str]):
    """What is shown where the mouse rests on a part of a figure, by the part's id in the document."""

    def add(self, part: Artist, group: str, text: str) -> None:
        """Show a text at a part, of which the id is ``group.number``."""
        name = f"{group}.{sum(item.partition('.')[0] == group for item in self)}"
        part.set_gid(name)
        self[name] = text


def check_can_draw(option: str) -> None:
    """Raises UsageError where matplotlib isn't installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise UsageError(f"{option} needs matplotlib: pip install matplotlib") from None


def svg(width: float, height: float, draw: Callable[[Figure, Tips], None]) -> str:
    """The document that ``draw`` draws, so many points wide and high."""
    from matplotlib import style
    from matplotlib.figure import Figure

    written, tips = StringIO(), Tips()
    with style.context(["default", _STYLE]), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # letters that matplotlib's font lacks
        figure = Figure(figsize=(width / _POINTS, height / _POINTS), layout="constrained")
        draw(figure, tips)
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return _with_tips(written.getvalue(), tips)


def label(text: str, longest: int | None = None) -> str:
    """A text that others may have written, in one line of visible letters, and not too long."""
    visible = shown(text)
    return visible if longest is None or len(visible) <= longest else f"{visible[: longest - 1]}…"


def _with_tips(document: str, tips: Mapping[str, str]) -> str:
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(document)
    for part in root.iter(f"{{{_SVG}}}g"):
        tip = tips.get(part.get("id", ""))
        if tip is not None:
            title = ElementTree.Element(f"{{{_SVG}}}title")
            title.text = label(tip)
            part.insert(0, title)
    return ElementTree.tostring(root, encoding="unicode") + "\n"
