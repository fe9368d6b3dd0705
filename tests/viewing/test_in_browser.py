"""The site as a person sees it, in Chromium: wide and on a phone, dark and light."""

from pathlib import Path

import pytest

from tests.viewing.browser import PHONE, WIDE, Page
from tests.viewing.conftest import BUY, REFUND


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_and_runs_nothing_but_ours(site: Path, page: Page, size: tuple[int, int], scheme: str) -> None:
    for path in sorted(site.rglob("*.html")):
        page.open(path.as_uri(), size, scheme)
        assert page.value("document.documentElement.scrollWidth") <= size[0], path
        assert page.value("document.title") != "taken"
        assert page.value("document.images.length") == 0
    assert page.complaints == []


def test_dark_and_light_are_remembered(site: Path, page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page.open((site / "index.html").as_uri(), scheme="light")
    light = page.value(ground)
    page.value("document.getElementById('theme').click()")
    dark = page.value(ground)
    assert light != dark
    page.open((site / "episodes.html").as_uri(), scheme="light")
    assert page.value(ground) == dark
    page.value("document.getElementById('theme').click()")
    assert page.value(ground) == light


def test_the_search_finds_tools_and_tasks(site: Path, page: Page) -> None:
    page.open((site / "environments/tiny-shop/index.html").as_uri())
    page.value("document.getElementById('search').focus()")
    page.value("new Promise((done) => { const wait = () => viewer.found ? done() : setTimeout(wait, 5); wait(); })")
    typed = "search.value = '{}'; search.dispatchEvent(new Event('input'))"
    page.value(typed.format("two of item"))
    assert "Order two of Item 3." in page.text("#found")
    page.value(typed.format("cancel_order"))
    assert page.value("document.querySelector('#found a').href").endswith("index.html#tool-cancel_order")
    page.value(typed.format("onerror"))
    assert page.value("document.images.length") == 0 and "onerror" in page.text("#found")
    page.value(typed.format("zzz"))
    assert "Nothing here has these words." in page.text("#found")


def test_failures_are_filtered_and_the_address_says_how(site: Path, page: Page) -> None:
    page.open((site / "episodes.html").as_uri())
    assert page.text("#how-many") == "4 of 4 episodes, 2 of them passed"
    page.value("const form = document.getElementById('filters'); form.outcome.value = 'agent_error';"
               "form.dispatchEvent(new Event('input'))")  # fmt: skip
    assert page.text("#how-many") == "2 of 4 episodes, 0 of them passed"
    assert "has ordered" in page.text("#episodes tbody") and BUY.replace("_", " ") not in page.text("#episodes tbody")
    page.open(page.value("location.href"))
    assert page.text("#how-many") == "2 of 4 episodes, 0 of them passed"
    page.open((site / "episodes.html").as_uri() + "#words=cancel&failed_calls=yes")
    assert page.text("#how-many") == "2 of 4 episodes, 0 of them passed"
    assert REFUND in page.value("document.querySelector('#episodes tbody a').href")
