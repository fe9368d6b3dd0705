"""The site as a person sees it, in Chromium: wide and on a phone, dark and light."""

import json
from pathlib import Path

import pytest

from tests.gateway.process import started
from tests.viewing.browser import PHONE, WIDE, Page
from tests.viewing.conftest import BUY, REFUND, Ground


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


def test_two_episodes_stand_side_by_side_and_where_they_differ_is_marked(site: Path, page: Page) -> None:
    page.open((site / f"environments/tiny-shop/tasks/{REFUND}.html").as_uri())
    sides = page.value("[...document.querySelectorAll('#compared .side')].map((one) => [one.className, one.innerText])")
    assert len(sides) % 2 == 0 and "the reference solution" in sides[0][1] and "has ordered" in sides[1][1]
    pairs = list(zip(sides[2:-2:2], sides[3:-2:2], strict=True))
    by_class = [(one[0].split()[1], other[0].split()[1]) for one, other in pairs]
    assert sorted(by_class) == [("differs", "differs"), *[("none", "alone")] * (len(pairs) - 1)]
    ordered = next(pair for pair in pairs if pair[0][0] == "side differs")
    assert '"quantity": 2' in ordered[0][1] and '"quantity": 1' in ordered[1][1]
    assert "orders 1: new" in ordered[0][1] and "items 3: stock 10000 → 9999" in ordered[1][1]
    page.value("const pair = document.getElementById('pair'); pair.left.value = pair.right.value")
    page.value("pair.dispatchEvent(new Event('input'))")
    same = page.value("document.querySelectorAll('#compared .side.differs, #compared .side.alone').length")
    assert same == 0
    page.open(page.value("location.href"))
    assert page.value("pair.left.value === pair.right.value")
    assert page.complaints == []


PUT = """
for (const [name, value] of Object.entries(GIVEN)) {
    const input = [...document.querySelectorAll("#arguments label")].find((one) => one.textContent.startsWith(name));
    input.querySelector("input, select, textarea").value = value;
}
"""


def test_a_person_plays_a_task_to_its_report(ground: Ground, site: Path, page: Page) -> None:
    def until(condition: str) -> None:
        page.value(
            f"new Promise((done) => {{ const wait = () => {condition} ? done() : setTimeout(wait, 5); wait(); }})"
        )

    def call(tool: str, number: int, **given: str) -> str:
        page.value(f"document.getElementById('tool').value = '{tool}'; choose()")
        page.value("{" + PUT.replace("GIVEN", json.dumps(given)) + "}")
        page.value("document.querySelector('#call button').click()")
        until(f"document.querySelectorAll('#log .call').length === {number}")
        return page.text("#log .call:last-of-type")

    with started("tiny-shop", "--site", site, ENVFACTORY_HOME=str(ground.home.root)) as (_, said):
        page.open(f"{said['url']}/site/environments/tiny-shop/play.html#task={BUY}")
        until("!document.getElementById('game').hidden")
        page.value("document.querySelector('#start button').click()")
        until("document.querySelectorAll('#tool option').length")
        assert page.text("#asked") == "Order two of Item 3."
        assert "confirm_order (the person's)" in page.text("#tool")
        assert '"stock": 10000' in call("get_item", 1, item_id="3")
        assert "there is no item 999" in call("get_item", 2, item_id="999")
        assert "ORD" in call("place_order", 3, item_id="3", quantity="2")
        call("finish", 4, outcome='"done"', reason="null", message="It is done.")
        until("document.getElementById('call').hidden")
        assert "Your report is handed in." in page.text("#log")
        page.open(f"{said['url']}/site/environments/tiny-shop/tasks/{BUY}.html", PHONE)
    assert page.complaints == []


def test_a_table_that_is_pointed_at_shows_what_it_refers_to(site: Path, page: Page) -> None:
    page.open((site / "environments/tiny-shop/index.html").as_uri())
    page.value("document.querySelector('[data-table=items]').dispatchEvent(new PointerEvent('pointerenter'))")
    assert page.value("[...document.querySelectorAll('path.near title')].map((one) => one.textContent)") == [
        "orders.item_id → items"
    ]
    page.value("document.querySelector('[data-table=items]').dispatchEvent(new PointerEvent('pointerleave'))")
    assert page.value("document.querySelectorAll('path.near').length") == 0
