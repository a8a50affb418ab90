"""Pages in a real browser: they step, filter and print, fit their window, and ask nobody for anything."""

from __future__ import annotations

import base64
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from synth.views.html.model import IndexRow
from synth.views.html.pages import UNREAD, Extras, Program, index, page
from synth.views.html.rendering import render_index, render_page
from synth.views.results import PROVED, REFUTED, UNKNOWN
from tests.unit.views.exporting import MECHANISMS
from tests.unit.views.test_pages import HOSTILE, proof_page, refuted_page, unknown

PHONE, DESKTOP = 360, 1280
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb",
)  # fmt: skip
MISSING = "these tests need Chromium and its driver: apt-get install chromium chromium-driver"
Browser = Any


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium, with all messages of pages and all that they ask for on record."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.fail(MISSING)
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    yield opened
    opened.quit()


def show(browser: Browser, folder: Path, text: str, width: int, scheme: str = "light") -> None:
    """Open a document in a window of that width."""
    (folder / "page.html").write_text(text, encoding="utf-8")
    browser.get_log("performance")
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": features})
    browser.get((folder / "page.html").as_uri())


def quiet(browser: Browser) -> None:
    """Nothing is on the console, and the page asked for nothing but itself and what is written in it."""
    assert browser.get_log("browser") == []
    messages = (json.loads(item["message"])["message"] for item in browser.get_log("performance"))
    sent = [item["params"] for item in messages if item["method"] == "Network.requestWillBeSent"]
    asked = {item["request"]["url"] for item in sent if item["documentURL"].startswith("file:")}
    assert browser.current_url in asked
    assert all(url == browser.current_url or url.startswith("data:") for url in asked), asked


def overflow(browser: Browser) -> int:
    """By how much the page is wider than the window."""
    return int(browser.execute_script("return document.documentElement.scrollWidth - window.innerWidth"))


def shown(browser: Browser, selector: str) -> list[Any]:
    """The elements that can be seen."""
    return [item for item in browser.find_elements("css selector", selector) if item.is_displayed()]


def press(browser: Browser, key: str) -> None:
    """A key, wherever the focus is."""
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(key).perform()


@pytest.mark.slow
def test_stepping_through_the_draws(browser: Browser, tmp_path: Path) -> None:
    """The quick one: buttons and keys, the line of the program, another output."""
    from selenium.webdriver.common.keys import Keys

    found = proof_page("above_threshold")
    show(browser, tmp_path, render_page(found), PHONE)
    (moment,) = shown(browser, ".moment")
    assert moment.get_attribute("data-number") == "1"
    assert shown(browser, ".previous")[0].get_attribute("aria-disabled") == "true"
    shown(browser, ".next")[0].click()
    (moment,) = shown(browser, ".moment")
    assert moment.get_attribute("data-number") == "2"
    (line,) = browser.find_elements("css selector", ".source .current")
    assert line.get_attribute("data-line") == moment.get_attribute("data-line")
    press(browser, Keys.ARROW_LEFT)
    assert shown(browser, ".moment")[0].get_attribute("data-number") == "1"
    for _ in range(20):
        press(browser, Keys.ARROW_RIGHT)
    assert shown(browser, ".moment")[0].get_attribute("data-number") == str(len(found.runs[0].moments))
    at = next(item for item in shown(browser, "button.phase") if item.get_attribute("data-phase") == "at")
    at.click()
    assert shown(browser, ".moment")[0].get_attribute("data-phase") == "at"
    shown(browser, "button.choose")[1].click()
    (run,) = shown(browser, "article.run")
    assert run.get_attribute("data-run") == "1"
    assert overflow(browser) <= 0
    quiet(browser)


INDEX_ROWS = [
    IndexRow("noisy_max", "a/max.py", 3, PROVED, "ε = eps", "", "noisy_max.html"),
    IndexRow("noisy_sum", "a/sum.py", 5, REFUTED, "", "too little noise", "noisy_sum.html"),
    IndexRow("mystery", "b/max.py", 9, UNKNOWN, "", "no proof", "mystery.html"),
    IndexRow(HOSTILE, f"{HOSTILE}.py", 9, UNREAD, "", HOSTILE, ""),
]


@pytest.mark.slow
def test_the_list_filters_by_verdict_and_words(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, render_index(index("all", INDEX_ROWS)), PHONE)
    rows = "table.index tbody tr"
    assert len(shown(browser, rows)) == 4
    (field,) = shown(browser, "#search")
    field.send_keys("max")
    assert len(shown(browser, rows)) == 2
    assert shown(browser, ".found")[0].text == "2 of 4 shown"
    shown(browser, 'button[data-verdict="unknown"]')[0].click()
    (row,) = shown(browser, rows)
    assert "mystery" in row.text
    field.clear()
    field.send_keys("NOISY a/")
    assert not shown(browser, rows)
    shown(browser, 'button[data-verdict=""]')[0].click()
    assert len(shown(browser, rows)) == 2
    assert overflow(browser) <= 0
    quiet(browser)


PAGES = {
    **{name: lambda name=name: render_page(proof_page(name)) for name in MECHANISMS},
    "refuted": lambda: render_page(refuted_page()),
    "unknown": lambda: render_page(page(unknown(), Program("def f():\n    return x\n"), Extras(), "")),
    "hostile": lambda: render_page(page(unknown(HOSTILE * 9), Program(HOSTILE * 9), Extras(), HOSTILE)),
    "index": lambda: render_index(index("all", INDEX_ROWS)),
}


@pytest.mark.slow
@pytest.mark.parametrize("width", [PHONE, 820, DESKTOP])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_its_window(browser: Browser, tmp_path: Path, name: str, width: int) -> None:
    show(browser, tmp_path, PAGES[name](), width, "dark")
    assert overflow(browser) <= 0
    cut = """return Array.from(document.querySelectorAll("h1, h2, h3, p, td, th, dd, button, .line")).filter(
        (item) => item.offsetParent && !item.closest(".scroll, .plot") &&
        item.getBoundingClientRect().right > window.innerWidth + 1).length"""
    assert browser.execute_script(cut) == 0
    assert browser.title
    quiet(browser)


@pytest.mark.slow
def test_beside_the_runs_the_program_stands_on_a_wide_screen(browser: Browser, tmp_path: Path) -> None:
    places = """return ["#program", "#runs"].map((id) => {
        const box = document.querySelector(id).getBoundingClientRect(); return [box.left, box.top]; })"""
    show(browser, tmp_path, render_page(proof_page("above_threshold")), DESKTOP)
    (left, top), (left_2, top_2) = browser.execute_script(places)
    assert left_2 > left + 300 and abs(top - top_2) < 2
    show(browser, tmp_path, render_page(proof_page("above_threshold")), PHONE)
    (left, top), (left_2, top_2) = browser.execute_script(places)
    assert left == left_2 and top_2 > top


@pytest.mark.slow
def test_on_paper_all_draws_are_there(browser: Browser, tmp_path: Path) -> None:
    found = proof_page("above_threshold")
    show(browser, tmp_path, render_page(found), DESKTOP)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert len(shown(browser, ".moment")) == sum(len(run.moments) for run in found.runs)
    assert not shown(browser, "button")


@pytest.mark.slow
def test_everything_can_be_reached_by_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    show(browser, tmp_path, render_page(proof_page("above_threshold")), DESKTOP)
    reached = set()
    for _ in range(40):
        press(browser, Keys.TAB)
        reached.add(browser.switch_to.active_element.get_attribute("class"))
    assert {"skip", "choose", "next", "phase", "scroll"} <= reached
    quiet(browser)


# --- how it looks ---------------------------------------------------------------------------

EXPECTED = Path(__file__).parent / "golden" / "pages"
_CELLS = 24
_CLOSE, _FAR_AWAY = 22, 0.04


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")])
def test_the_picture_of_two_runs_looks_as_expected(
    browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    """Letters differ between machines, so the pictures are compared without them, and roughly: by the mean
    colours of a grid of cells.  To renew a picture, delete it.
    """
    show(browser, tmp_path, render_page(proof_page("above_threshold")), width, scheme)
    style = "document.querySelectorAll('svg text').forEach((item) => { item.remove(); })"
    browser.execute_script(style)
    shown(browser, ".next")[0].click()
    (picture,) = shown(browser, ".moment .densities")
    box = browser.execute_script(
        "const box = arguments[0].getBoundingClientRect();"
        "return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height, scale: 0.5}",
        picture,
    )
    answer = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": box, "captureBeyondViewport": True})
    data = base64.b64decode(answer["data"])
    expected = EXPECTED / f"densities-{width}-{scheme}.png"
    if not expected.exists():
        expected.parent.mkdir(exist_ok=True)
        expected.write_bytes(data)
        pytest.fail(f"{expected} was not there: look at it, and keep it")
    cells = list(zip(_cells(data), _cells(expected.read_bytes()), strict=True))
    differing = sum(max(abs(a - b) for a, b in zip(*pair, strict=True)) > _CLOSE for pair in cells)
    assert differing <= _FAR_AWAY * len(cells)


def _cells(data: bytes) -> list[tuple[float, ...]]:
    """The mean colours of a grid of cells."""
    from matplotlib.image import imread

    image = imread(io.BytesIO(data), format="png")[:, :, :3] * 255
    height, width = image.shape[:2]
    rows = [(height * i // _CELLS, height * (i + 1) // _CELLS) for i in range(_CELLS)]
    columns = [(width * i // _CELLS, width * (i + 1) // _CELLS) for i in range(_CELLS)]
    return [
        tuple(float(part) for part in image[top:bottom, left:right].mean(axis=(0, 1)))
        for top, bottom in rows
        for left, right in columns
    ]
