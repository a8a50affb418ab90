"""How Sphinx builds the site: ``sphinx-build -W --keep-going -n docs docs/_build``."""

from __future__ import annotations

from importlib.metadata import version as installed_version

project = "synth"
author = "The synth authors"
copyright = f"2026, {author}. Apache License 2.0"
release = installed_version("synth")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click"]
exclude_patterns = ["_build", "man"]
suppress_warnings = ["myst.header"]  # a page of codes has tables below headings of unlike levels
nitpick_ignore_regex = [
    ("py:.*", ".*")
]  # types of arguments have no page here; links between pages are checked

myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
myst_url_schemes = {
    "http": None,
    "https": None,
    "mailto": None,
}

autodoc_typehints = "description"
autodoc_member_order = "bysource"

smartquotes = False  # options begin with two hyphens

html_theme = "furo"
html_title = f"synth {release}"
html_static_path = ["_static"]
html_show_sourcelink = False
