"""The books of a home in an object store: what a process that is gone has left is done by another, and never twice."""

import asyncio

import pytest
from language_kit import CALLER, ask, home_at, settings_for

from envfactory_dagster.contracts.errors import BudgetExceeded, StorageFault, UsageError
from envfactory_dagster.language import ledger, shared_account, shared_books
from envfactory_dagster.language.books import BookEntry
from envfactory_dagster.language.budget import Allowance, Flight
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import LedgerRow, read_ledger
from envfactory_dagster.language.messages import Usage
from envfactory_dagster.language.questions import AskedQuestion, answered_questions
from envfactory_dagster.language.settings import BudgetSettings
from envfactory_dagster.language.shared_account import AccountState
from envfactory_dagster.language.shared_books import SharedBooks
from envfactory_dagster.store.objects import Objects


@pytest.fixture
def root(bucket, monkeypatch):
    monkeypatch.setattr(shared_account, "BEAT_S", 0.1)
    monkeypatch.setattr(shared_account, "LAPSES_AFTER_S", 1.0)
    return home_at(bucket)


@pytest.fixture
def objects(root):
    return Objects(root / "language")


def books_of(objects, **budget):
    return SharedBooks(objects, Allowance(BudgetSettings(**budget)))


def flight(key="k" * 64, tokens=100):
    row = LedgerRow.of(CALLER, "ask", "dish", "http://played/v1", "played")
    return Flight(key, 0.5, tokens, row)


def answered(held, body=b"soup"):
    row = held.row.using(Usage(10, 5, cost_usd=0.25), estimated=False)
    return BookEntry(ledger.replace(row, outcome="answered"), {held.key: body})


def vanish(books):
    """What is left of a process that was killed: its thread says nothing more."""
    books._account._waiting.put(None)
    books._account._writer.join()


def spent(objects):
    return AccountState(objects.get("account.json").data).spent_since(0.0)


async def until(condition):
    while not await condition():  # noqa: ASYNC110
        await asyncio.sleep(0.05)  # others are to be waited for


@pytest.mark.parametrize("died", ["in the air", "before the answer had its key", "before the account knew"])
async def test_whoever_comes_next_does_what_a_dead_process_left(objects, root, died, monkeypatch):
    held = flight()
    dead = await books_of(objects).__aenter__()
    assert await dead.reserve(held)
    if died != "in the air":
        dies_in = "_write_rest" if died.startswith("before the answer") else "_pay"

        def die(*_):
            raise StorageFault("killed")

        with monkeypatch.context() as patch:
            patch.setattr(dead, dies_in, die)
            with pytest.raises(StorageFault):
                await dead.settle(held, answered(held), 0.25, 15)
    vanish(dead)
    async with books_of(objects, usd=1.0, since="2020-01-01T00:00:00Z") as books:
        same = flight()
        await until(lambda: books.reserve(same))
        known = await books.answers([same.key])
        await books.cancel(same)
        assert known == ({} if died == "in the air" else {same.key: b"soup"})
        assert await books.reserve(flight("l" * 64)) is True
        with pytest.raises(BudgetExceeded) if died != "in the air" else pytest.raises(AssertionError):
            too_much = flight("m" * 64)
            too_much = Flight(too_much.key, 0.8, 1, too_much.row)
            assert await books.reserve(too_much), "0.5 are in the air"
    (row,) = read_ledger(root).to_dicts()
    assert row["outcome"] == ("interrupted" if died == "in the air" else "answered")
    assert row["cost_usd"] == (None if died == "in the air" else 0.25)
    assert objects.all_below("calls") == []


@pytest.mark.parametrize("stopped", ["in the air", "before the account knew", "while it is buried"])
async def test_who_was_taken_for_dead_and_goes_on_pays_once(objects, root, stopped):
    async with books_of(objects) as one, books_of(objects) as other:
        held = flight()
        assert await one.reserve(held)
        change, seal_dead = one._change, other._seal_dead
        settling = one.settle(held, answered(held), 0.25, 15)

        async def change_late(wanted):
            one._change = change
            await other._bury(one._account.owner)
            return await change(wanted)

        def settle_first(owner):
            asyncio.run_coroutine_threadsafe(settling, loop).result(30)
            seal_dead(owner)

        loop = asyncio.get_running_loop()
        if stopped == "while it is buried":
            other._seal_dead = settle_first
            await other._bury(one._account.owner)
        else:
            if stopped == "in the air":
                await other._bury(one._account.owner)
            else:
                one._change = change_late
            await settling
        assert spent(objects) == (0.25, 15)
        assert await one.answers([held.key]) == {held.key: b"soup"}
    assert read_ledger(root)["outcome"].to_list() == ["answered"]


async def test_a_request_that_is_made_again_during_the_burial_of_the_first_stays_reserved(objects):
    async with books_of(objects) as one, books_of(objects) as other:
        first = flight()
        assert await one.reserve(first)
        loop, again = asyncio.get_running_loop(), flight()

        def ask_again(owner):
            for step in (one.waste(first, 0.1, 5), one.reserve(again)):
                asyncio.run_coroutine_threadsafe(step, loop).result(30)

        other._seal_dead = ask_again
        await other._bury(one._account.owner)
        assert AccountState(objects.get("account.json").data).flights[again.key].row["id"] == again.row.id
        assert spent(objects) == (0.1, 5)
        await one.cancel(again)


async def test_who_is_buried_twice_leaves_every_row(objects, root):
    async with books_of(objects) as other:
        one = await books_of(objects).__aenter__()
        for n in range(2):
            held = flight(f"{n:064d}")
            assert await one.reserve(held)
            await one.settle(held, answered(held), 0.25, 15)
            await other._bury(one._account.owner)
        vanish(one)
        assert objects.all_below("calls") == []
        assert read_ledger(root)["cost_usd"].to_list() == [0.25, 0.25]


async def test_a_change_whose_answer_was_lost_is_made_once(objects, monkeypatch):
    put_if, lost = Objects.put_if, []

    def lose(self, name, data, before):
        version = put_if(self, name, data, before)
        if lost or name != "account.json" or not AccountState(data)._spendings:
            return version
        lost.append(version)
        other._account.change(lambda state: None).result(30)
        return None  # as the request that is sent again finds it

    async with books_of(objects) as one, books_of(objects) as other:
        held = flight()
        assert await one.reserve(held)
        monkeypatch.setattr(Objects, "put_if", lose)
        await one.settle(held, answered(held), 0.25, 15)
        assert lost and spent(objects) == (0.25, 15)


async def test_a_change_that_fails_in_no_foreseen_way_fails_for_its_caller_only(objects):
    async with books_of(objects) as books:
        with pytest.raises(ZeroDivisionError):
            await asyncio.wait_for(books._change(lambda state: 1 // 0), 30)
        assert await asyncio.wait_for(books.reserve(flight()), 30)


async def test_one_that_lives_keeps_what_it_reserved_however_long_it_takes(objects, monkeypatch):
    monkeypatch.setattr(shared_account, "LAPSES_AFTER_S", 6.0)  # a busy machine does not keep it from being heard of
    async with books_of(objects) as one, books_of(objects) as other:
        assert await one.reserve(flight())
        for _ in range(90):  # longer than the dead are given
            assert not await other.reserve(flight())
            await asyncio.sleep(0.1)


async def test_who_is_cancelled_while_it_reserves_has_nothing_reserved(objects):
    async with books_of(objects) as one, books_of(objects) as other:
        asked = [asyncio.ensure_future(one.reserve(flight(f"{n:064d}"))) for n in range(20)]
        await asyncio.sleep(0)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert all([await other.reserve(flight(f"{n:064d}")) for n in range(20)])


async def test_who_is_cancelled_while_an_answer_is_written_down_has_it_written_down(objects, root):
    async with books_of(objects) as books:
        held = flight()
        await books.reserve(held)
        task = asyncio.ensure_future(books.settle(held, answered(held), 0.25, 15))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await books.interrupt(held)  # as the exchange does when its caller goes away
        assert await books.answers([held.key]) == {held.key: b"soup"}
    assert read_ledger(root)["outcome"].to_list() == ["answered"]


async def test_many_at_once_take_few_writes(objects, monkeypatch):
    written = 0
    put_if = Objects.put_if

    def counted(self, name, data, before):
        nonlocal written
        written += name == "account.json"
        return put_if(self, name, data, before)

    monkeypatch.setattr(shared_account, "BEAT_S", 60.0)
    async with books_of(objects) as books:
        monkeypatch.setattr(Objects, "put_if", counted)
        assert all(await asyncio.gather(*(books.reserve(flight(f"{n:064d}")) for n in range(100))))
        assert written <= 3


async def test_rows_are_sealed_on_the_way_and_calls_go(objects, root, endpoint, monkeypatch):
    monkeypatch.setattr(shared_books, "SEAL_AT_ROWS", 10)
    async with Gateway(settings_for(), root, app=endpoint.app()) as gateway:
        await asyncio.gather(*(ask(gateway, f"dish {n}") for n in range(25)))
        assert objects.names("ledger")
        assert len(read_ledger(root)) == 25
    assert objects.all_below("calls") == []
    assert len(read_ledger(root)) == 25


async def test_questions_come_out_in_the_order_they_were_asked_last(root, endpoint):
    async with Gateway(settings_for(), root, app=endpoint.app()) as gateway:
        for dish in ("soup " * 100, "salad", "soup " * 100):
            await ask(gateway, dish)
    asked = list(answered_questions(root, CALLER.partition))
    assert [one.context for one in asked] == [{"kind": "salad"}, {"kind": "soup " * 100}]
    assert asked[0].text == '{"name": "soup", "price": 4}'
    assert list(answered_questions(root, "elsewhere")) == []


async def test_a_question_about_nothing_in_particular_is_kept_too(objects, root):
    row = LedgerRow.of(CALLER, "ask", "dish", "e", "m")
    for partition in ("", "a/b c", ".."):
        entry = BookEntry(
            ledger.replace(row, partition=partition), {}, ("k" * 64, AskedQuestion("dish", "", {}, False))
        )
        async with books_of(objects) as books:
            await books.add(entry)
    assert len(objects.all_below("questions")) == 3


def test_old_spendings_are_added_up_and_none_is_lost():
    state = AccountState(None)
    for _ in range(2_000):
        state.spend(0.5, 3)
    assert state.spent_since(0.0) == (1_000.0, 6_000)
    again = AccountState(state.written())
    assert again.spent_since(0.0) == (1_000.0, 6_000)
    assert len(again.written()) < 60_000


async def test_an_account_of_another_version_is_refused(objects):
    objects.put("account.json", b'{"format": 2}')
    with pytest.raises(UsageError, match=r"another version \(format 2, this one reads 1\)"):
        async with books_of(objects):
            pass
