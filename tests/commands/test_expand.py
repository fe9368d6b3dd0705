"""`envfactory expand`: themes become environments to build."""

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import dagster as dg
import pytest

from envfactory_dagster.assets.retrying import MODEL_CALLS
from envfactory_dagster.authoring.discovery.source_folders import FOLDERS
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import variable
from envfactory_dagster.sources.snapshots import Snapshot
from tests.commands.terminal import ENVFACTORY, PATIENCE_S, Said, Terminal, said
from tests.language.played_endpoint import PlayedEndpoint, says, served
from tests.support.held_model import HeldModel
from tests.support.proposer import MODEL, proposer


def test_what_is_taken_becomes_an_environment_to_build(proposed: Terminal) -> None:
    listed = proposed.factory("list", "--json").json()["environments"]
    assert [one["status"] for one in listed] == ["unfinished", "unfinished"]
    assert proposed.factory("list").out.count("unfinished, proposal is made") == 2


@pytest.fixture
def proposing() -> Iterator[dict[str, str]]:
    """The settings of whoever has a model that proposes worlds."""
    with served(proposer()) as url:
        yield {"ENVFACTORY_LLM_BASE_URL": url, "ENVFACTORY_MODEL": MODEL}


def test_a_world_in_ones_own_words_and_one_that_is_there_already(fresh: Terminal, proposing: dict[str, str]) -> None:
    words = "Cello workshop: customers book repairs, reserve rental cellos and pay invoices."
    first = fresh.factory("expand", "--theme", words, "--json", **proposing)
    (accepted,) = first.json()["accepted"]
    assert accepted["source"]["kind"] == "user"
    again = fresh.factory("expand", "--theme", words, "--json", **proposing)
    assert again.status == 1, "nothing was taken"
    assert [one["reason"] for one in again.json()["rejected"]] == ["duplicate"]


CELLOS = ("expand", "--theme", "Cello workshop: customers book repairs, reserve rental cellos and pay invoices.")


@pytest.fixture
def at_work(fresh: Terminal, proposing: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """A command that waits for a model, with the only place in the pool of those who ask one."""
    settings = fresh.home / "dagster" / "dagster.yaml"
    settings.write_text(settings.read_text().replace("default_limit: 8", "default_limit: 1"))
    held = HeldModel(proposer(), 0)
    with served(held) as url:
        process = fresh.start(*ENVFACTORY, *CELLOS, **proposing | {"ENVFACTORY_LLM_BASE_URL": url})
        try:
            assert held.holds.wait(PATIENCE_S)
            yield process
        finally:
            process.kill()
            process.communicate()
            held.let_go()


@contextmanager
def waiting(terminal: Terminal, settings: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """A command that has said that it waits for a place."""
    process = terminal.start(*ENVFACTORY, *CELLOS, **settings)
    patience = Timer(PATIENCE_S, process.kill)
    patience.start()
    try:
        assert process.stderr is not None
        told = iter(process.stderr.readline, "")
        assert any("theme_pool waits for a place in the pool model_calls." in line for line in told)
        yield process
    finally:
        patience.cancel()
        process.kill()
        process.communicate()


def test_a_killed_command_has_failed_and_holds_no_place_in_a_pool(
    fresh: Terminal,
    proposing: dict[str, str],
    at_work: "subprocess.Popen[str]",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = fresh.home / "dagster" / "running" / "a-run-that-was-never-created"
    with waiting(fresh, proposing) as waits:
        begun.touch()
        at_work.kill()
        assert said(waits).status == 0
    assert list(begun.parent.iterdir()) == []
    monkeypatch.setenv("DAGSTER_HOME", str(fresh.home / "dagster"))
    with dg.DagsterInstance.get() as instance:
        last, before, *_ = instance.get_runs()
        assert (last.status, before.status) == (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE)
        assert instance.event_log_storage.get_concurrency_info(MODEL_CALLS).active_slot_count == 0


def test_ctrl_c_ends_a_command_that_waits_for_a_place_in_a_pool(
    fresh: Terminal, proposing: dict[str, str], at_work: "subprocess.Popen[str]"
) -> None:
    with waiting(fresh, proposing) as waits:
        waits.send_signal(signal.SIGINT)
        ended = said(waits)
    assert (ended.status, at_work.poll()) == (130, None), ended.err
    assert "Stopped. What was finished is kept" in ended.err


def test_a_world_of_files_in_ones_own_words(fresh: Terminal, proposing: dict[str, str]) -> None:
    words = "Cello workshop: customers book repairs, reserve rental cellos and pay invoices."
    said = fresh.factory("expand", "--theme", words, "--storage", "files", "--json", **proposing)
    (accepted,) = said.json()["accepted"]
    kept = fresh.store().latest("proposal", accepted["key"])
    assert accepted["storage"] == "files"
    assert kept is not None and kept.artifact is not None and kept.artifact["storage"] == "files"


def test_without_a_model_a_world_in_ones_own_words_is_refused_with_what_to_do(fresh: Terminal) -> None:
    said = fresh.factory("expand", "--theme", "A workshop that repairs cellos")
    assert said.status == 1
    assert "cannot make one from a description" in said.out
    assert "set a language model: ENVFACTORY_LLM_BASE_URL" in said.out


def test_broken_sources_are_reported_and_the_others_read(tmp_path: Path, proposing: dict[str, str]) -> None:
    terminal = Terminal(tmp_path / "home")
    for folder in FOLDERS.values():
        (terminal.home / "sources" / folder).mkdir(parents=True)
    sources = terminal.home / "sources"
    (sources / "name_seeds" / "binary.csv").write_bytes(b"\0\1\2")
    (sources / "name_seeds" / "good.csv").write_text("Bicycle rental shop with bookings and repairs, Retail\n")
    said = terminal.factory("expand", "--count", "1", "--json", **proposing).json()
    assert [one["proposal"]["name"] for one in said["accepted"]] == ["Bicycle rental shop with bookings and repairs"]
    assert [one["name"] for one in said["rejected"] if one["reason"] == "unreadable"] == ["binary.csv"]


def test_a_service_is_mirrored_and_what_it_lacks_is_told(tmp_path: Path) -> None:
    good = {"name": "bookStay", "inputSchema": {"type": "object", "properties": {"dogId": {"type": "integer"}}}}
    (tmp_path / "kennel.json").write_text(json.dumps({"name": "Kennel", "tools": [good, good | {"name": "book-stay"}]}))
    proposal = {"name": "Boarding kennel", "category": "Pets", "description": "Stays of dogs.", "entities": ["stay"]}
    answer = says(json.dumps({"proposals": [proposal | {"reference": "kennel.json"}]}))
    terminal, endpoint = Terminal(tmp_path / "home"), PlayedEndpoint(always=answer)
    with served(endpoint.app()) as url:
        models = {variable(role): "played" for role in Role}
        done = terminal.factory(
            "expand", "--mirror", str(tmp_path / "kennel.json"), ENVFACTORY_LLM_BASE_URL=url, **models
        )
    assert done.status == 0, done.err
    assert "+ boarding-kennel: Boarding kennel (Pets)\n    mirrors 1 of 2 tools of Kennel\n" in done.out
    assert "    not book-stay (name): 'book-stay' cannot be the name of a function\n" in done.out
    assert endpoint.calls == 1, "it is neither scored nor compared"
    kept = terminal.store().latest("source_document", "boarding-kennel")
    assert kept is not None and kept.artifact is not None and kept.artifact["tools"][0]["name"] == "bookStay"
    assert kept.artifact["reference"] == "kennel.json", "a bundle does not tell in which folder its source lay"


def test_documents_are_copied_and_their_world_is_proposed(tmp_path: Path) -> None:
    folder = tmp_path / "river-ferries"
    folder.mkdir()
    (folder / "piers.csv").write_text("pier,depth\nSkarn,2.8\n")
    (folder / "bomb.zip").write_bytes(b"PK")
    proposal = {"name": "Ferry desk", "category": "Travel", "description": "Places on boats.", "entities": ["pier"]}
    answer = says(json.dumps({"proposals": [proposal | {"reference": "river-ferries"}]}))
    terminal, endpoint = Terminal(tmp_path / "home"), PlayedEndpoint(always=answer)
    with served(endpoint.app()) as url:
        models = {"ENVFACTORY_LLM_BASE_URL": url} | {variable(role): "played" for role in Role}
        done = terminal.factory("expand", "--data", str(folder), **models)
        again = terminal.factory("expand", "--data", str(folder), **models)
    assert done.status == 0, done.err
    assert "    not bomb.zip: it has an unknown ending" in done.out
    assert "+ ferry-desk: Ferry desk (Travel)\n" in done.out
    assert "There is a world of it already, ferry-desk." in again.out
    assert endpoint.calls == 1, "it is neither scored nor compared, and asked once"
    asked = json.dumps(endpoint.bodies[0])
    assert "Skarn,2.8" in asked
    kept = terminal.store().latest("source_document", "ferry-desk")
    assert kept is not None and kept.artifact is not None and kept.artifact["kind"] == "data"
    snapshot = Snapshot(tmp_path / "home" / "snapshots", kept.artifact["snapshot"])
    assert [one.id for one in snapshot.documents()] == ["piers.csv"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Say how many themes are wanted"),
        (["--theme", "x" * 10_000], "describe it in at most 4,000"),
        (["--theme", "A shed", "--storage", "files"], "A world of files needs a language model"),
        (["--count", "2", "--storage", "files"], "describe one with --theme"),
        (["--mirror", "spec.json"], "A mirror needs a language model: set ENVFACTORY_LLM_BASE_URL"),
        (["--data", "ferries"], "Mining needs a language model: set ENVFACTORY_LLM_BASE_URL"),
    ],
    ids=[
        "nothing",
        "too much",
        "files without a model",
        "files of no theme",
        "a mirror without a model",
        "documents without a model",
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(
    type_here: Callable[..., Said], tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    done = type_here(tmp_path, "expand", *arguments)
    assert done.status == 2
    assert done.err.splitlines()[-1].startswith("envfactory: ")
    assert sentence in done.err
    assert "Traceback" not in done.err
