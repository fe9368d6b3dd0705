"""Growing the pool with a scripted proposer: gates, caps, resuming, two runs at once, themes somebody typed."""

import asyncio
import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool, add_theme, expand_pool
from envfactory_dagster.authoring.discovery.pool import STAGE, Round
from envfactory_dagster.authoring.discovery.source_folders import FOLDERS, KINDS
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.pool import PooledProposal, RejectedProposal
from envfactory_dagster.contracts.sources import SourceDocument
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.support.proposer import proposer, proposer_settings

ROOT = Path(__file__).parents[3]
SETTINGS = DiscoverySettings()
FERRY = "# Island ferry\nIslanders book sailings, cabins and vehicle deck places, and move or cancel what they booked."


def folder_of(home: Home, kind: str) -> Path:
    folder = Path(str(home.root)) / "sources" / kind
    folder.mkdir(parents=True)
    return folder


def only_sources(home: Home, **files: str) -> None:
    """A home whose only source is one PRD folder with these files."""
    folders = {kind: folder_of(home, name) for kind, name in FOLDERS.items()}
    for name, text in files.items():
        (folders["prd"] / f"{name}.md").write_text(text)


def paid(home: Home, kind: str = "ask") -> int:
    """How many questions of a kind were answered by the model and not from the cache."""
    calls = read_ledger(Path(str(home.root)))
    return calls.filter(~calls["cached"] & (calls["kind"] == kind) & (calls["outcome"] == "answered")).height


def reasons(rejected: list[RejectedProposal]) -> dict[str, str]:
    return {rejection.name: rejection.reason for rejection in rejected}


async def test_as_many_as_wanted_are_taken_each_with_a_record_that_its_theme_is_made_from(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    report = await expand_pool(gateway, pool, 30, SETTINGS)
    keys = [pooled.key for pooled in report.taken]
    assert len(set(keys)) == 30
    assert [pooled.key for pooled in pool.taken] == keys, "in the order in which they were taken"
    records = {record.partition: record for record in RecordStore(home).records(STAGE)}
    assert set(records) == set(keys)
    assert all(PooledProposal.model_validate(records[p.key].artifact) == p for p in report.taken)


async def test_sources_of_every_kind_are_read_before_anything_is_invented(gateway: Gateway, pool: ThemePool) -> None:
    await expand_pool(gateway, pool, 20, SETTINGS)
    assert {pooled.source.kind for pooled in pool.taken} == set(KINDS)
    await expand_pool(gateway, pool, 120, SETTINGS)
    assert pool.taken[-1].source.kind == "expansion"


async def test_tasks_without_a_state_are_filtered_and_the_others_gathered_by_their_world(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    only_sources(home)
    tasks = [
        {"task": "Move my fitting of the winter tyres to Friday.", "domain": "tyre hotel"},
        {"task": "Cancel the storage contract of my old tyres.", "domain": "tyre hotel"},
        {"task": "Write a function that returns a Fibonacci number.", "domain": "coding"},
    ]
    lines = "\n".join(json.dumps(task) for task in tasks)
    (Path(str(home.root)) / "sources" / "task_sets" / "t.jsonl").write_text(lines)
    report = await expand_pool(gateway, pool, 1, SETTINGS)
    assert report.taken[0].proposal.name == "Tyre hotel"
    assert report.taken[0].source.reference.endswith("and 1 more")
    assert [(r.reason, r.detail) for r in report.rejected] == [
        ("not_stateful", "The task keeps and changes no records.")
    ]


async def test_a_near_duplicate_is_rejected_and_names_what_it_is_like(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    only_sources(home, a=FERRY, b=FERRY.replace("Island ferry", "Isle ferry"), c=FERRY + "\nAlso by night.")
    report = await expand_pool(gateway, pool, 3, SETTINGS)
    details = {rejection.detail for rejection in report.rejected}
    assert any(detail.startswith("Too much like island-ferry: cosine 0.") for detail in details)
    assert "A theme of this name was proposed already." in details


async def test_an_unsuitable_world_is_rejected_with_the_models_reason(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    only_sources(home, a="# Joke translation\nIt makes a poem of any joke that somebody types.")
    report = await expand_pool(gateway, pool, 1, SETTINGS)
    assert reasons(report.rejected) == {"Joke translation": "unsuitable"}
    assert "Scored" in report.rejected[0].detail and "It makes texts" in report.rejected[0].detail


async def test_unreadable_files_are_reported_once_and_read_when_they_are_mended(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    only_sources(home, a="")
    first = await expand_pool(gateway, pool, 1, SETTINGS)
    assert [(r.reason, r.detail) for r in first.rejected] == [("unreadable", "prds/a.md is empty")]
    assert not (await expand_pool(gateway, pool, 1, SETTINGS)).rejected
    (Path(str(home.root)) / "sources" / "prds" / "a.md").write_text(FERRY)
    mended = await expand_pool(gateway, pool, 3, SETTINGS)
    assert "Island ferry" in {pooled.proposal.name for pooled in mended.taken}


async def test_no_category_outgrows_its_share(gateway: Gateway, pool: ThemePool) -> None:
    await expand_pool(gateway, pool, 100, SETTINGS)
    assert max(pool.categories.values()) <= 0.08 * 100


async def test_what_finds_its_category_full_waits_and_comes_first_when_there_is_room(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    words = ["Pigeon race lofts", "Reptile terrarium permits", "Guide dog trainers", "Aquarium quarantine tanks"]
    only_sources(home)
    seeds = Path(str(home.root)) / "sources" / "name_seeds" / "s.txt"
    seeds.write_text("\n".join(f"{name}, Pets and veterinary" for name in words))
    narrow = DiscoverySettings(category_floor=1, categories=("Pets and veterinary",))
    report = await expand_pool(gateway, pool, 1, narrow)
    assert report.taken[0].proposal.name == words[0]
    assert set(reasons(report.rejected).values()) == {"category_full"}
    assert list(pool.reserve) == words[1:]
    questions = paid(home)
    assert questions > 0
    wider = DiscoverySettings(category_floor=3, categories=("Pets and veterinary",))
    more = await expand_pool(gateway, pool, 2, wider)
    assert [pooled.proposal.name for pooled in more.taken] == words[1:3]
    assert paid(home) == questions, "they had been proposed and judged already"


async def test_inventing_goes_to_the_categories_asked_for(gateway: Gateway, pool: ThemePool) -> None:
    report = await expand_pool(gateway, pool, 5, SETTINGS, categories=["Legal"])
    assert {pooled.proposal.category for pooled in report.taken} == {"Legal"}
    assert {pooled.source.kind for pooled in report.taken} == {"expansion"}


async def test_an_expansion_that_finds_nothing_more_says_so(gateway: Gateway, pool: ThemePool) -> None:
    report = await expand_pool(gateway, pool, 5, SETTINGS, categories=["Underwater basket weaving"])
    assert report.exhausted and report.taken == []


async def test_fewer_than_one_theme_cannot_be_wanted(gateway: Gateway, pool: ThemePool) -> None:
    with pytest.raises(UsageError, match="1 or more"):
        await expand_pool(gateway, pool, 0, SETTINGS)


class Stopped(Exception):
    pass


async def test_an_interrupted_order_is_completed_and_not_begun_anew(gateway: Gateway, home: Home) -> None:
    def stop(made: Round) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        await expand_pool(gateway, ThemePool(home), 50, SETTINGS, order="monday", on_round=stop)
    pool = ThemePool(home)
    report = await expand_pool(gateway, pool, 50, SETTINGS, order="monday")
    assert 0 < len(report.taken) < 50 == len(pool.taken)
    assert not (await expand_pool(gateway, pool, 50, SETTINGS, order="monday")).taken


async def test_a_round_that_was_not_written_is_not_paid_for_again(
    gateway: Gateway, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: ThemePool, made: Round) -> None:
        raise InfrastructureFault("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(ThemePool, "commit", full)
        with pytest.raises(InfrastructureFault):
            await expand_pool(gateway, ThemePool(home), 5, SETTINGS)
    before = paid(home), paid(home, "embed")
    assert min(before) > 0
    report = await expand_pool(gateway, ThemePool(home), 5, SETTINGS)
    assert len(report.taken) == 5
    assert (paid(home), paid(home, "embed")) == before


def start(home: Home) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.authoring.discovery.discovery_run", str(home.root), "50", "tonight"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


async def test_killed_in_the_middle_then_the_same_again(gateway: Gateway, home: Home, tmp_path: Path) -> None:
    killed_home = Home.resolve(tmp_path / "killed")
    killed = start(killed_home)
    assert killed.stdout is not None and killed.stdout.readline().startswith("round")
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    again = start(killed_home)
    undisturbed = await expand_pool(gateway, ThemePool(home), 50, SETTINGS, order="tonight")
    await asyncio.to_thread(again.communicate)
    assert again.returncode == 0
    pool = ThemePool(killed_home)
    pool.refresh()
    assert pool.taken == undisturbed.taken, "the same themes as if nothing had happened"
    assert 0 < paid(home) <= paid(killed_home) <= paid(home) + 5, (
        "at most what was on its way when the process died was asked again"
    )


async def test_records_that_a_killed_run_did_not_write_are_made_up_for(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    await expand_pool(gateway, pool, 3, SETTINGS)
    shutil.rmtree(Path(str(home.root)) / "records" / STAGE / pool.taken[-1].key)
    ThemePool(home).refresh()
    assert RecordStore(home).latest(STAGE, pool.taken[-1].key) is not None


async def test_two_runs_at_once_add_what_both_want_and_nothing_twice(gateway: Gateway, home: Home) -> None:
    pools = [ThemePool(home), ThemePool(home)]
    reports = await asyncio.gather(*(expand_pool(gateway, pool, 25, SETTINGS) for pool in pools))
    pool = ThemePool(home)
    pool.refresh()
    keys = [pooled.key for pooled in pool.taken]
    assert sorted(keys) == sorted(pooled.key for report in reports for pooled in report.taken)
    assert len(set(keys)) == 50


async def test_a_damaged_round_is_named_and_nothing_is_added_over_it(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    await expand_pool(gateway, pool, 3, SETTINGS)
    (Path(str(home.root)) / "pool" / "rounds" / "000001.json").write_text('{"taken": 3}')
    with pytest.raises(InfrastructureFault, match=r"000001.json is damaged"):
        await expand_pool(gateway, ThemePool(home), 3, SETTINGS)


async def test_a_round_of_another_format_is_refused_with_its_file(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    await expand_pool(gateway, pool, 3, SETTINGS)
    file = Path(str(home.root)) / "pool" / "rounds" / "000001.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"format": 2}))
    with pytest.raises(UsageError, match=rf"{re.escape(str(file))}: Round .* format 2"):
        ThemePool(home).refresh()


async def test_a_theme_somebody_typed_is_taken_even_when_its_category_is_full(
    gateway: Gateway, pool: ThemePool
) -> None:
    full = DiscoverySettings(category_floor=1)
    for text in ("Dog walkers who share keys", "A hospice for old parrots: beds, keepers and visiting hours"):
        taken = await add_theme(gateway, pool, text, full)
        assert isinstance(taken, PooledProposal)
        assert taken.source.kind == "user"


async def test_a_description_somebody_typed_is_kept_whole_for_everything_made_from_it(
    gateway: Gateway, pool: ThemePool, home: Home
) -> None:
    text = (
        "A workshop that repairs cellos. Bows are lent for three days while one is rehaired; a school pays half, and "
        "who brings one back late borrows none for a month."
    )
    taken = await add_theme(gateway, pool, text, SETTINGS)
    assert isinstance(taken, PooledProposal)
    kept = RecordStore(home).latest("source_document", taken.key)
    assert kept is not None and kept.artifact is not None
    document = SourceDocument.model_validate(kept.artifact)
    assert (document.kind, [section.text for section in document.sections]) == ("typed", [text])
    named = await add_theme(gateway, pool, "Dog walkers who share keys", SETTINGS)
    assert isinstance(named, PooledProposal) and named.document is None, "a name says no more than the proposal"


async def test_a_theme_typed_twice_is_refused_the_second_time(gateway: Gateway, pool: ThemePool) -> None:
    first = await add_theme(gateway, pool, "Tide mill with grinding days", SETTINGS)
    again = await add_theme(gateway, pool, "Tide mill with grinding days", SETTINGS)
    assert isinstance(first, PooledProposal) and isinstance(again, RejectedProposal)
    assert again.reason == "duplicate" and first.key in again.detail


async def test_typed_markup_and_commas_make_a_plain_name_and_key(gateway: Gateway, pool: ThemePool) -> None:
    taken = await add_theme(gateway, pool, "<h1>Wigs, masks & **hats** for hire</h1>", SETTINGS)
    assert isinstance(taken, PooledProposal)
    assert taken.key == "wigs-masks-hats-for-hire"
    assert not set("<>*") & set(taken.proposal.name)


@pytest.mark.parametrize(("text", "said"), [("  ", "empty"), ("x" * 10_000, "10,000 characters")])
async def test_no_text_and_ten_thousand_characters_are_refused(
    gateway: Gateway, pool: ThemePool, text: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        await add_theme(gateway, pool, text, SETTINGS)


async def test_a_model_that_only_talks_costs_entries_their_proposal_and_nothing_else(
    pool: ThemePool, home: Home
) -> None:
    only_sources(home, a=FERRY)
    async with Gateway(proposer_settings(), home.local, app=proposer("Ferries are lovely.")) as talker:
        report = await expand_pool(talker, pool, 1, SETTINGS)
    assert report.exhausted
    assert reasons(report.rejected) == {"Island ferry": "unreadable"}
    assert "5 answers in a row could not be used" in report.rejected[0].detail
