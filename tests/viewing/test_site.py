"""The folder: every link leads somewhere, every text is only text, and the rows stand beside the calls."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args
from urllib.parse import unquote

import pytest

from envfactory_dagster import examples
from envfactory_dagster.contracts.domain import ThemeOrigin, ThemeSource
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.records import Spent, StageRecord
from envfactory_dagster.contracts.sources import NamedThing
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.viewing.diagram import diagram
from envfactory_dagster.viewing.gathering import SiteWorld, Unfinished, episodes_in, stores_below, world_of
from envfactory_dagster.viewing.site import ORIGIN_WORDS, write_site
from tests.commands.terminal import Terminal
from tests.support.tiny import tiny
from tests.viewing.conftest import BUY, REFUND, TODAY, Ground

OURS = """
html head meta title link script body header nav a div input ul button main h1 h2 h3 p article span svg rect g path text
table thead tr th tbody td ol li code details summary br pre blockquote dl dt dd aside section b del ins form label
select option noscript small
"""


class Read(HTMLParser):
    """Render a page as a browser does."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def all(self, name: str) -> list[str]:
        return [value for given, value in self.attributes if given == name]


def pages(site: Path) -> Iterator[tuple[Path, Read]]:
    for path in sorted(site.rglob("*.html")):
        yield path, Read(path)


def episode_pages(site: Path, task: str) -> list[Read]:
    return [Read(path) for path in sorted(site.rglob(f"episodes/{task}-*.html"))]


def test_every_link_leads_to_a_page_and_to_a_place_on_it(site: Path) -> None:
    found = dict(pages(site))
    assert len(found) == 2 + 2 + 2 + 4
    for path, read in found.items():
        for link in read.all("href") + read.all("src"):
            if link.startswith("http://127.0.0.1:8000/"):
                continue  # the same page, where a server runs the environment
            target, _, place = link.partition("#")
            there = (path.parent / unquote(target)).resolve() if target else path
            assert there.is_file(), f"{path} links to {link}"
            if place and there.suffix == ".html" and "=" not in place:  # what is chosen on a page is no place
                assert unquote(place) in found[there].all("id"), f"{path} links to {link}"


async def test_the_page_of_an_environment_says_where_it_came_from(runtime: Runtime, tmp_path: Path) -> None:
    assert set(ORIGIN_WORDS) == set(get_args(ThemeOrigin))
    bundle = tiny()
    theme = bundle.theme.model_copy(update={"source": ThemeSource(kind="data", reference="ferries")})
    provenance = bundle.provenance.model_copy(update={"parents": {"database_schema": "5ea1", "tool_spec": "b0a7"}})
    world = SiteWorld(replace(bundle, theme=theme, provenance=provenance))
    written = await write_site([world], [], tmp_path / "site", runtime, TODAY)
    page = Read(written.folder / "environments" / bundle.key / "index.html")
    assert "Mined from documents (ferries)." in page.text
    assert all(told in page.text for told in ("Made from 2 artifacts", "database schema 5ea1", "tool spec b0a7"))


async def test_the_page_of_an_environment_says_what_of_its_description_is_there_and_what_is_not(
    runtime: Runtime, tmp_path: Path
) -> None:
    bundle = tiny()
    named = [
        NamedThing(words="orders", tables=["orders"], tools=["place_order"]),
        NamedThing(words="<b>gift wrap", left_out="no_table"),
    ]
    provenance = bundle.provenance.model_copy(update={"named": named})
    written = await write_site(
        [SiteWorld(replace(bundle, provenance=provenance))], [], tmp_path / "site", runtime, TODAY
    )
    page = Read(written.folder / "environments" / bundle.key / "index.html").text
    assert "2 things named in the description, 1 of them left out" in page
    assert "“<b>gift wrap” left out , no table" in page and "“orders” orders , place_order" in page


async def test_a_stage_that_asks_no_model_leaves_the_price_of_making_known(runtime: Runtime, tmp_path: Path) -> None:
    asked = StageRecord(stage="theme", partition="tiny-shop", status="ok", inputs="", version="", spent=Spent(calls=2))
    proposed = asked.model_copy(update={"stage": "proposal", "spent": None})
    bundle = tiny()
    written = await write_site([SiteWorld(bundle, records=[proposed, asked])], [], tmp_path / "site", runtime, TODAY)
    assert "making it cost $0.00" in Read(written.folder / "environments" / bundle.key / "index.html").text


async def test_the_first_page_of_a_thousand_environments_is_small(runtime: Runtime, tmp_path: Path) -> None:
    shop = tiny()
    description = "A shop that sells <bolts> & 'nuts' to people who repair " * 6 + ". More."
    worlds = [
        SiteWorld(
            replace(
                shop,
                theme=shop.theme.model_copy(
                    update={"key": f"shop-{n}", "name": f"Shop {n}", "description": description}
                ),
            )
        )
        for n in range(1, 1_001)
    ]
    unfinished = [Unfinished(f"lost-{n}", f"Lost {n}", "tool_spec", description) for n in range(1_000)]
    written = await write_site(worlds, unfinished, tmp_path / "site", runtime, TODAY)
    first_page = sum((written.folder / name).stat().st_size for name in ("index.html", "viewer.css", "viewer.js"))
    assert written.environments == 1_000 and first_page <= 300_000
    seen: list[str] = []
    first = Read(written.folder / "index.html")
    for path in ["index.html", *dict.fromkeys(link for link in first.all("href") if link.startswith("index-"))]:
        seen += [link for link in Read(written.folder / path).all("href") if link.startswith("environments/")]
    assert seen == [f"environments/shop-{n}/index.html" for n in range(1, 1_001)]
    assert "unfinished.html" in first.all("href") and "1,000 environments" in first.text


def test_what_models_wrote_is_text_wherever_it_stands(site: Path) -> None:
    for path, read in pages(site):
        assert set(read.tags) <= set(OURS.split()), path
        assert not [name for name, _ in read.attributes if name.startswith("on")]
        assert all(link.split("?")[0].startswith(("viewer.", "data/", "../")) for link in read.all("src"))
    for path in site.rglob("*.*"):
        hidden = re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]", path.read_text()
        )
        assert hidden is None, f"{path}: {hidden}"
    card = Read(site / "environments/tiny-shop/index.html")
    assert "document.title = 'taken'" in card.text and "{{ 7 * 7 }}" in card.text and "⟨U+202E⟩" in card.text


def test_data_that_scripts_read_is_data(site: Path) -> None:
    for path in (site / "data").iterdir():
        text = path.read_text()
        assert "<" not in text and ">" not in text
        json.loads(text.partition(" = ")[2].rstrip().removesuffix(";"))


def test_an_episode_shows_each_call_with_the_rows_it_changed_and_its_verdict_beside(site: Path) -> None:
    good, _ = episode_pages(site, BUY)
    assert "Two of Item 3 are ordered." in good.text and "✓" not in good.text
    assert "new orders 1" in good.text and "stock 10000 → 9998" in good.text
    assert good.text.count("stock 10000 → 9998") == 2, "once with the call, once in all"
    bad, _ = episode_pages(site, REFUND)
    assert "deleted orders 1" in bad.text and "goal not reached: has ordered" in bad.text
    assert "refused: there is no item 999" in bad.text
    assert [name for name in bad.all("class") if name == "call failed"] == ["call failed"] * 3


def test_a_task_shows_how_its_verifier_was_tried_and_who_did_what(site: Path) -> None:
    read = Read(site / f"environments/tiny-shop/tasks/{BUY}.html")
    assert "1 of 2 wrong ends refused, 1 of 1 right ends accepted" in read.text
    assert "no: it slept" in read.text and read.text.count("passed") == 2
    card = Read(site / "environments/tiny-shop/index.html").text
    assert "Order two of Item 3. action 2 2 – 3 100 % ✓ ✓" in card and "1 – 3 0 % ✗ ✗" in card


async def test_a_reference_solution_without_a_record_stands_under_its_heading(runtime: Runtime, tmp_path: Path) -> None:
    written = await write_site([SiteWorld(examples.load("alpine_huts"))], [], tmp_path / "site", runtime, TODAY)
    page = Read(written.folder / "environments/alpine-huts/tasks/nephew_alone.html")
    assert "The reference solution Its code " in page.text


async def test_an_episode_that_cannot_be_played_again_says_so(ground: Ground, runtime: Runtime, tmp_path: Path) -> None:
    """The recording says that the order was refused; it is not."""
    episodes = episodes_in(ground.bundle, {"": TrajectoryStore(ground.home)})
    one = next(one for one in episodes if one.rollout.trajectory.task == BUY)
    steps = list(one.rollout.trajectory.steps)
    told = steps[1].observations[0].model_copy(update={"outcome": "agent", "value": None, "error": "no"})
    steps[1] = steps[1].model_copy(update={"observations": [told]})
    lied = replace(one.rollout, trajectory=one.rollout.trajectory.model_copy(update={"steps": steps}))
    world = SiteWorld(ground.bundle, episodes=[replace(one, rollout=lied)])
    written = await write_site([world], [], tmp_path / "site", runtime, TODAY)
    (read,) = episode_pages(written.folder, BUY)
    assert "Not known to the end: made again, the call of place_order ends as ok, not as agent" in read.text


async def test_a_site_is_replaced_and_nothing_else_is(ground: Ground, runtime: Runtime, tmp_path: Path) -> None:
    out = tmp_path / "site"
    await ground.write(runtime, out)
    (out / "environments" / "gone.html").touch()
    written = await ground.write(runtime, out)
    assert not (out / "environments" / "gone.html").exists()
    assert written.bytes == sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").touch()
    for taken in ("other", "other/thesis.txt"):
        with pytest.raises(UsageError, match="--out"):
            await ground.write(runtime, tmp_path / taken)
    (tmp_path / "link").symlink_to(out)
    with pytest.raises(UsageError, match="no folder"):
        await ground.write(runtime, tmp_path / "link")


def test_the_command_writes_what_is_there_and_says_what_is_not(ground: Ground, tmp_path: Path) -> None:
    home = shutil.copytree(str(ground.home.root), tmp_path / "home")
    terminal = Terminal(home)
    said = terminal.factory("view", "--json").json()
    assert (said["environments"], said["episodes"], said["left_out"]) == (1, 4, {})
    assert Path(said["folder"]) == home / "site" and (home / "site" / "index.html").is_file()
    (tools,) = home.glob("bundles/tiny-shop/*/tools.py")
    tools.write_text("# another\n")
    said = terminal.factory("view", "--json", "tiny-shop", "alpine-huts").json()
    assert said["environments"] == 1 and "tools.py does not match" in said["left_out"]["tiny-shop"]
    assert "alpine" in Read(home / "site" / "index.html").text.lower()
    failed = terminal.factory("view", "no-such-thing")
    assert failed.status == 2 and "no environment 'no-such-thing'" in failed.err


def test_episodes_that_cannot_be_read_leave_their_environment_out(ground: Ground, tmp_path: Path) -> None:
    home = shutil.copytree(str(ground.home.root), tmp_path / "home")
    (file,) = home.glob("trajectories/*/*/*.jsonl")
    whole = file.read_text()
    for damaged in (whole[:-40], whole.replace('"setting"', '"place"'), "[]\n", "\x00" * 40):
        file.write_text(damaged)
        said = Terminal(home).factory("view", "--json").json()
        assert "its episodes in" in said["left_out"]["tiny-shop"], damaged[:40]


def test_the_episodes_of_an_evaluation_stand_in_place_of_those_of_the_home(ground: Ground, tmp_path: Path) -> None:
    for way in ("greedy", "sampled"):
        shutil.copytree(str(ground.home.root / "trajectories"), tmp_path / "run" / "episodes" / way / "trajectories")
    assert list(stores_below(tmp_path / "run")) == ["greedy", "sampled"]
    said = Terminal(Path(ground.home.root)).factory(
        "view", str(tmp_path / "run"), "--out", str(tmp_path / "site"), "--json"
    )
    assert said.json()["episodes"] == 8
    assert "greedy" in Read(tmp_path / f"site/environments/tiny-shop/tasks/{BUY}.html").text
    failed = Terminal(Path(ground.home.root)).factory("view", str(tmp_path / "site"))
    assert failed.status == 2 and "no folder `trajectories`" in failed.err


TANGLED = """
CREATE TABLE a (id INTEGER PRIMARY KEY, b_id INTEGER REFERENCES b (id)) STRICT;
CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), mother INTEGER REFERENCES b) STRICT;
CREATE TABLE c (x INTEGER, y INTEGER, PRIMARY KEY (x, y)) STRICT, WITHOUT ROWID;
CREATE TABLE d (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, FOREIGN KEY (x, y) REFERENCES c (x, y)) STRICT;
CREATE VIEW v AS SELECT * FROM a;
"""


def test_tables_stand_apart_however_they_refer_to_each_other() -> None:
    wide = ", ".join(f"column_{number} TEXT" for number in range(40))
    drawn = diagram(load_schema(f"{TANGLED} CREATE TABLE wide (id INTEGER PRIMARY KEY, {wide}) STRICT;"))
    assert [box.name for box in sorted(drawn.boxes, key=lambda box: box.name)] == ["a", "b", "c", "d", "wide"]
    assert len(drawn.edges) == 4
    assert next(box.left_out for box in drawn.boxes if box.name == "wide") == 41 - 16
    for one in drawn.boxes:
        assert one.x >= 0 and one.x + one.width <= drawn.width and one.y + one.height <= drawn.height
        for other in drawn.boxes:
            apart = one.x + one.width < other.x or other.x + other.width < one.x
            assert one is other or apart or one.y + one.height < other.y or other.y + other.height < one.y


async def test_the_reference_policy_counts_for_no_agent(ground: Ground, runtime: Runtime, tmp_path: Path) -> None:
    world = world_of(ground.home, ground.bundle.key, {"": TrajectoryStore(ground.home)})
    first, *others = world.episodes
    follows = first.rollout.trajectory.model_copy(update={"model": "reference:competence=0.7"})
    mixed = replace(world, episodes=[replace(first, rollout=replace(first.rollout, trajectory=follows)), *others])
    written = await write_site([mixed], [], tmp_path / "site", runtime, TODAY)
    shown = Read(written.folder / "index.html").text
    passed = sum(one.rollout.trajectory.outcome == "completed" for one in others)
    assert f"3 episodes of language models at work in them: {passed / 3:.0%} did what was asked" in shown.replace(
        " %", "%"
    )
    assert "and 1 episode of the reference policy, which is no model" in shown
