"""Pages as HTML by templates that escape whatever they show."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from synth.support.display import visible
from synth.views.html import model

if TYPE_CHECKING:
    from jinja2 import Environment


def render_page(page: model.Page) -> str:
    """Return the document of one mechanism."""
    return _rendered("page.html", page=page)


def render_index(index: model.Index) -> str:
    """Return the document that lists all."""
    return _rendered("index.html", index=index)


def render_fragment(fragment: model.Fragment) -> str:
    """Return a part of somebody else's page, without style, script and ids."""
    return str(_environment().get_template("fragment.html").render(fragment=fragment))


def _rendered(name: str, **values: object) -> str:
    style, script = _asset("report.css"), _asset("report.js")
    return str(
        _environment()
        .get_template(name)
        .render(style=style, script=script, style_hash=_digest(style), script_hash=_digest(script), **values)
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("synth.views.html", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    environment.filters["letter"] = _letter
    return environment


def _letter(place: int) -> str:
    """A, B, …, Z, AA, …"""
    return (_letter(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _visible(value: object) -> object:
    """Texts with their invisible letters written out, so that none can turn a line around or hide."""
    return visible(value) if type(value) is str else value


@cache
def _asset(name: str) -> str:
    return files("synth.views.html").joinpath("templates", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The hash by which the page's policy knows its own style and script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
