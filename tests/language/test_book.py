"""What is written down survives: killed processes, several writers, full disks, damaged files."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap

import duckdb
import pytest
from language_kit import ask, settings_for

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language import ledger
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger


def start(script, *arguments, **options):
    """A Python process that knows the test helpers."""
    paths = [os.path.dirname(__file__), *sys.path]
    code = "import asyncio, os, sys, pathlib\nfrom language_kit import ask, home_at, settings_for\n" + textwrap.dedent(
        script
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


ASK_FOREVER = """
    from envfactory_dagster.language.gateway import Gateway
    async def main():
        settings = settings_for(sys.argv[1], limits={"concurrency": 4})
        async with Gateway(settings, home_at(sys.argv[2])) as gateway:
            await asyncio.gather(*(ask(gateway, f"dish {i}") for i in range(200)))
    asyncio.run(main())
"""


async def test_kill_9_loses_neither_a_paid_answer_nor_its_row(endpoint, url, home):
    """The endpoint kills its client in the middle of answering the 31st question."""
    client = start(ASK_FOREVER, url, home)
    good, count = endpoint.always, 0

    def answer_thirty(body):
        nonlocal count
        count += 1
        if count > 30:
            client.send_signal(signal.SIGKILL)
        return good(body)

    endpoint.always = answer_thirty
    await asyncio.to_thread(client.communicate)
    assert client.returncode == -signal.SIGKILL
    asked_before, endpoint.always = endpoint.calls, good

    async with Gateway(settings_for(url), home) as gateway:
        await asyncio.gather(*(ask(gateway, f"dish {i}") for i in range(200)))
    rows = read_ledger(home)
    paid = rows.filter((rows["outcome"] == "answered") & ~rows["cached"])
    interrupted = rows.filter(rows["outcome"] == "interrupted")
    assert len(paid) == 200
    assert 30 <= asked_before <= 34
    # What was in the air is in the ledger as interrupted, and is all that was asked again.
    assert len(interrupted) >= asked_before - 30
    assert endpoint.calls <= 200 + len(interrupted)
    assert rows.filter(rows["cached"]).height == 200 - (endpoint.calls - asked_before)
    assert paid["partition"].unique().to_list() == ["corner-cafe"]


ASK_TWENTY = """
    from envfactory_dagster.language.gateway import Gateway
    async def main():
        budget = {"tokens": int(sys.argv[3])}
        settings = settings_for(sys.argv[1], budget=budget, limits={"max_output_tokens": 50, "concurrency": 4})
        async with Gateway(settings, home_at(sys.argv[2])) as gateway:
            calls = (ask(gateway, f"dish {i}") for i in range(20))
            results = await asyncio.gather(*calls, return_exceptions=True)
            print(" ".join({type(result).__name__ for result in results}))
    asyncio.run(main())
"""


async def test_processes_share_answers_ledger_and_do_not_pay_twice(endpoint, url, home):
    clients = [start(ASK_TWENTY, url, home, 10**9) for _ in range(2)]
    for client in clients:
        out, errors = await asyncio.to_thread(client.communicate)
        assert (client.returncode, out.strip()) == (0, "Answer"), errors
    assert endpoint.calls == 20
    rows = read_ledger(home)
    assert (len(rows), rows["cached"].sum()) == (40, 20)
    assert rows["id"].n_unique() == 40


async def test_a_flight_of_a_dead_process_does_not_hold_the_budget(endpoint, url, home):
    """It reserved more than half the budget, and was killed: the next run may have all of it."""
    client = start(ASK_FOREVER, url, home)
    good = endpoint.always

    def kill(body):
        client.send_signal(signal.SIGKILL)
        return good(body)

    endpoint.always = kill
    await asyncio.to_thread(client.communicate)
    endpoint.always = good
    async with Gateway(settings_for(url, budget={"tokens": 35_000}), home) as gateway:
        assert (await ask(gateway)).value.name == "soup"


def files_of(home):
    return list((home / "language" / "ledger").glob("*.parquet"))


async def test_the_ledger_is_parquet_once_the_gateway_closed(gateway_to, tmp_path):
    for dish in ("soup", "salad"):
        async with gateway_to() as gateway:
            await ask(gateway, dish)
    sealed = duckdb.read_parquet(f"{tmp_path}/language/ledger/*.parquet")
    totals = sealed.aggregate("role, count(*), sum(tokens_in), min(started_at) < now()")
    assert totals.fetchall() == [("author", 2, 200, True)]


async def test_running_calls_are_seen_too(gateway_to, tmp_path):
    async with gateway_to() as gateway:
        await ask(gateway)
        assert len(read_ledger(tmp_path)) == 1


def test_a_home_without_calls_has_an_empty_ledger(tmp_path):
    assert read_ledger(tmp_path).is_empty()


async def test_rows_are_sealed_on_the_way_and_each_is_kept_once(gateway_to, tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "SEAL_AT_ROWS", 10)
    async with gateway_to() as one, gateway_to() as other:
        await asyncio.gather(*(ask(g, f"dish {i}") for i in range(25) for g in (one, other)))
    assert len(files_of(tmp_path)) > 2
    sealed = duckdb.read_parquet(f"{tmp_path}/language/ledger/*.parquet")
    assert sealed.aggregate("count(*), count(DISTINCT id)").fetchall() == [(50, 50)]


async def test_a_seal_that_died_half_way_is_made_again(gateway_to, tmp_path, monkeypatch):
    """The file is there, the rows are still in the book: as after a kill between the two."""

    def replace_and_die(source, target, replace=os.replace):
        replace(source, target)
        raise KeyboardInterrupt

    gateway = await gateway_to().__aenter__()
    await ask(gateway)
    with monkeypatch.context() as patch:
        patch.setattr(ledger.os, "replace", replace_and_die)
        with pytest.raises(KeyboardInterrupt):
            await gateway.__aexit__(None, None, None)
    assert len(files_of(tmp_path)) == 1 and len(read_ledger(tmp_path)) == 1
    async with gateway_to() as gateway:
        await ask(gateway, "salad")
    assert len(files_of(tmp_path)) == 1 and len(read_ledger(tmp_path)) == 2


async def test_a_home_that_cannot_be_written_is_told(tmp_path):
    home = tmp_path / "home"
    home.write_text("a file")
    with pytest.raises(UsageError, match=r"home/language cannot be written .* Set ENVFACTORY_HOME"):
        async with Gateway(settings_for(), home, app=lambda *_: None):
            pass


async def test_a_damaged_book_is_told(gateway_to, tmp_path):
    (tmp_path / "language").mkdir()
    (tmp_path / "language" / "book.sqlite").write_bytes(b"not a database" * 500)
    with pytest.raises(UsageError, match=r"book\.sqlite is damaged"):
        async with gateway_to():
            pass


FILL_THE_DISK = """
    import json, resource
    from envfactory_dagster.contracts.errors import InfrastructureFault
    from envfactory_dagster.language.gateway import Gateway
    async def main():
        async with Gateway(settings_for(sys.argv[1]), pathlib.Path(sys.argv[2])) as gateway:
            answered = 0
            hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, hard))
            try:
                for i in range(1000):
                    await ask(gateway, f"dish {i}")
                    answered += 1
            except InfrastructureFault as error:
                print(json.dumps([answered, str(error)]))
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    asyncio.run(main())
"""


async def test_a_full_disk_stops_before_the_next_call_is_paid(endpoint, url, tmp_path):
    """Files that may not grow stand for a disk that is full."""
    client = start(FILL_THE_DISK, url, tmp_path)
    out, errors = await asyncio.to_thread(client.communicate)
    assert client.returncode == 0, errors
    answered, message = json.loads(out)
    assert "cannot be written" in message
    assert 0 < answered < 1000
    assert endpoint.calls <= answered + 1
    assert len(read_ledger(tmp_path)) >= answered
