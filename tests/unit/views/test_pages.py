"""Pages hold what results say, escape whatever others wrote, and need no network."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from synth.app.page_extras import BY_CHANCES, of_proof, of_witness
from synth.trusted.frontend.claim import Claim
from synth.views.certificate.report import proved, with_table
from synth.views.html.model import IndexRow, Page
from synth.views.html.pages import CHECKED, UNREAD, Extras, Program, index, index_row, page
from synth.views.html.rendering import render_index, render_page
from synth.views.results import REFUTED, UNKNOWN, Result
from tests.unit.views.exporting import MECHANISMS, golden, golden_reading, parse

HOSTILE = '<script>alert("x")</script>\u202e</style>\'"&'
WITNESS = {
    "parameters": {"eps": 1},
    "left": {"x": [1, 0], HOSTILE: 1},
    "right": {"x": [0, 0], HOSTILE: 1},
    "output": [1, {"from": None, "to": "1/2"}],
    "epsilon": 1.0,
    "delta": 0.0,
    "probability_left": (0.75, 0.76),
    "probability_right": (0.10, 0.11),
    "epsilon_at_least": 1.9199999999,
}


@cache
def proof_page(name: str) -> Page:
    """The page of a golden certificate."""
    source, text = golden_reading(name), golden(name)
    result = with_table(proved(source.mechanism, parse(text), text), parse(text))
    program = Program(source.mechanism.source, source.mechanism.lines)
    return page(result, program, of_proof(text, result.sites), CHECKED, "index.html")


def unknown(reason: str = "no proof") -> Result:
    """A result that says nothing."""
    return Result(
        "mystery",
        UNKNOWN,
        None,
        None,
        Claim("eps", None),
        1.0,
        reason=reason,
        reason_line=2,
        file="a.py",
        line=1,
    )


def refuted_page() -> Page:
    """The page of a witness."""
    return page(replace(unknown(), verdict=REFUTED), Program("a"), of_witness(None, WITNESS), "")


class Outline(HTMLParser):
    """The headings, ids, labels and links of a document."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.ids: list[str] = []
        self.labelled: list[str] = []
        self.unnamed: list[str] = []
        self.links: list[str] = []
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        self.ids += [given["id"] or ""] if "id" in given else []
        self.labelled += [given["aria-labelledby"] or ""] if "aria-labelledby" in given else []
        if (tag == "svg" and not given.get("aria-label")) or (tag == "img" and not given.get("alt")):
            self.unnamed.append(tag)
        self.links += [str(given[name]) for name in ("src", "href", "action", "style") if name in given]
        self.links += [name for name in given if name.startswith("on")]
        self.scripts += tag == "script"


DOCUMENTS = {
    **{name: lambda name=name: render_page(proof_page(name)) for name in MECHANISMS},
    "unknown": lambda: render_page(page(unknown(), Program("a\nb\n"), Extras(), "")),
    "refuted": lambda: render_page(refuted_page()),
    "index": lambda: render_index(index("all", [index_row(unknown(), "mystery.html")])),
}


QUICK = ("above_threshold", "refuted", "unknown", "index")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in DOCUMENTS]
)
def test_a_document_stands_alone_and_has_an_outline(name: str) -> None:
    text = DOCUMENTS[name]()
    outline = Outline(text)
    assert outline.levels[0] == 1 and outline.levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(outline.levels, outline.levels[1:], strict=False))
    assert len(outline.ids) == len(set(outline.ids))
    assert set(outline.labelled) <= set(outline.ids)
    assert not outline.unnamed
    assert outline.scripts == 1
    assert all(re.fullmatch(r"data:image/svg\+xml;base64,.*|#\w+|\w+\.html", link) for link in outline.links)
    assert "http:" not in text and "https:" not in text and "url(" not in text


@pytest.mark.parametrize("kind", ["style", "script"])
def test_the_policy_allows_the_pages_own_style_and_script_alone(kind: str) -> None:
    text = render_page(proof_page("above_threshold"))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; ")
    (own,) = re.findall(rf"<{kind}>(.*?)</{kind}>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
    assert f"{kind}-src 'sha256-{digest}';" in policy
    assert "unsafe" not in policy


def test_what_others_wrote_stays_text() -> None:
    result = replace(
        unknown(HOSTILE),
        mechanism=HOSTILE,
        file=HOSTILE,
        hints=(HOSTILE,),
        matters=HOSTILE,
        advice=HOSTILE,
        notes=(HOSTILE,),
        claim=Claim(HOSTILE, None),
        specification={HOSTILE: HOSTILE},
        code=HOSTILE,
    )
    extras = replace(of_witness(None, WITNESS), derivation=HOSTILE)
    plain = (
        render_page(
            page(replace(result, verdict=REFUTED), Program(f"{HOSTILE}\n{HOSTILE}"), extras, HOSTILE)
        ),
        render_index(index(HOSTILE, [IndexRow(HOSTILE, HOSTILE, 1, UNREAD, HOSTILE, HOSTILE, "a.html")])),
    )
    for text in plain:
        assert Outline(text).scripts == 1
        assert "<script>alert" not in text and "\u202e" not in text
        assert text.count("</style>") == 1
        assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;\\u202e" in text


def test_the_page_of_a_proof_says_why_it_is_private() -> None:
    found = proof_page("above_threshold")
    assert found.headline == "Proved: differentially private with ε = eps."
    marked = {line.number: [note.text for note in line.margin] for line in found.source if line.margin}
    assert [note for notes in marked.values() for note in notes] == [
        "k = 1, costs eps/2",
        "k = 1, costs eps/2 — line 16: condition true next",
        "same noise, free — line 16: condition false next",
    ]
    assert next(case.words for site in found.sites for case in site.cases) == (
        "run 2's draw is run 1's plus 1. This costs eps/2."
    )
    assert found.assumptions and found.derivation
    run = found.runs[0]
    assert run.moments[0].phase == "before"
    assert {item.phase for item in run.moments} <= {"before", "at", "after"}
    (paying,) = (item for item in run.moments if item.phase == "at")
    assert paying.k == "+1" and paying.kind == "shift"
    assert paying.then == ("Line 16: the condition is true in both runs.",)
    assert any(row.differs for row in run.inputs)
    last = run.moments[-1].ledger
    assert last is not None and last.paid == last.bound == "1"
    assert sum(part.width for part in last.segments) == pytest.approx(last.limit)


def test_a_proof_by_chances_shows_the_laws_of_two_outputs() -> None:
    found = proof_page("told_or_noisy")
    assert not found.runs and found.without_runs == BY_CHANCES
    assert found.distributions is not None
    assert any(row.differs for row in found.distributions.inputs)
    assert len(found.distributions.table) >= 2


def test_the_page_of_a_witness_says_how_much_too_likely_the_output_is() -> None:
    found = refuted_page().refutation
    assert found is not None
    assert found.words == (
        "The output [1, [-inf, 1/2)] is at least 6.818 times as likely on the left input as on the right one."
        " The claim allows at most e^1 = 2.718 times."
    )
    assert found.loss == "at least 1.91999 nats" and found.claim == "ε = 1"
    assert [entry.differs for entry in found.inputs[0].entries] == [True, False]
    assert found.share == pytest.approx(52.08)


def test_an_unknown_says_what_stands_in_the_way() -> None:
    result = replace(unknown(), epsilon="2*eps", delta="0", hints=("add noise",), lower_bound=None)
    result = replace(result, matters="it leaks", advice="stop it")
    found = page(result, Program("def f():\n    x\n"), Extras(), "")
    assert found.obstacle == ("Line 2: no proof", "The best bound that was proved is ε = 2*eps.")
    assert [line.number for line in found.source if line.blamed] == [2]
    html = render_page(found)
    assert "Why it matters:</b> it leaks" in html and "What to do:</b> stop it" in html
    assert "What would help:</b> add noise" in html


@pytest.mark.parametrize("name", ["above_threshold", "rappor"])
def test_truth_values_stand_on_lines_of_their_own(name: str) -> None:
    runs = proof_page(name).runs
    assert runs
    for chart in (run.chart for run in runs):
        assert chart is not None
        lines = {text: y for y, text in chart.marks}
        places = {place for column in chart.columns for place in (column.left, column.right)}
        if name == "rappor":  # coins only
            assert lines.keys() == {"True", "False"} and places <= set(lines.values())
        else:
            assert not lines.keys() & {"True", "False"}
        assert all(0 < place < chart.height for place in (*lines.values(), *places))


def test_the_list_counts_verdicts() -> None:
    rows = [index_row(unknown(), "a.html"), index_row(replace(unknown(), verdict=REFUTED), "b.html")]
    found = index("all", [*rows, IndexRow("f", "x.py", 3, UNREAD, "", "why", "")])
    assert found.counts == ((REFUTED, 1), (UNKNOWN, 1), (UNREAD, 1))


# --- colours --------------------------------------------------------------------------------


def _luminance(colour: str) -> float:
    """As the guidelines for accessible content (WCAG 2.2) define it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    high, low = sorted(map(_luminance, (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _palettes() -> list[dict[str, str]]:
    text = files("synth.views.html").joinpath("templates", "report.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{([^}]*--paper: #[0-9a-f]{6}[^}]*)\}", text)
    return [dict(re.findall(r"--([\w]+): (#[0-9a-f]{6})", block)) for block in blocks[:2]]


@pytest.mark.parametrize("palette", _palettes(), ids=["light", "dark"])
def test_colours_are_legible(palette: dict[str, str]) -> None:
    """Level AA: 4.5 for text, 3 for what is only looked at."""
    for ground in ("paper", "card"):
        for ink in ("ink", "soft", "link", "run1", "run2", "good", "bad", "open"):
            assert _contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)
        for site in range(6):
            assert _contrast(palette[f"c{site}"], palette[ground]) >= 3, site
    for ground in ("mark", "now", "blame"):
        assert _contrast(palette["ink"], palette[ground]) >= 4.5, ground
    for site in range(6):
        assert _contrast(palette["chip"], palette[f"c{site}"]) >= 4.5, site
    assert _contrast(palette["soft"], palette["now"]) >= 4.5
