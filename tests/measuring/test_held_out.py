"""`envfactory measure --on held-out`: a model behind a real endpoint at tasks that nothing here is trained on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.rollouts.prompts import STOP
from tests.commands.terminal import Said, Terminal
from tests.language.played_endpoint import PlayedEndpoint, fails, says, served
from tests.measuring.shop_kit import write_rows
from tests.trainer.clerk import MODEL, answered, clerk
from tests.trainer.shop import Shop

pytestmark = pytest.mark.long


@pytest.fixture
def endpoint() -> Iterator[tuple[str, PlayedEndpoint]]:
    """Items 3 and 5 are ordered, 8 every other time, 9 never: two tasks of each."""
    with clerk(items=[3, 5], fickle=[8]) as found:
        yield found


def measured(terminal: Terminal, url: str, *more: str) -> Said:
    return terminal.factory("measure", "--endpoint", url, "--model", MODEL, "--on", "held-out", "--json", *more)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_model_is_measured(terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]) -> None:
    url, played = endpoint
    decoding = ("--temperature", "0.7", "--top-p", "0.9", "--top-k", "20")
    said = measured(terminal, url, "--k", "2", *decoding)
    assert said.status == 0, said.err
    found = said.json()
    assert found["setup"]["decoding"] == {"temperature": 0.7, "top_p": 0.9, "top_k": 20}
    assert (found["setup"]["version"], found["setup"]["endpoint"], found["setup"]["tries"]) == ("v1, native", url, 2)
    assert all((one["temperature"], one["top_p"], one["top_k"]) == (0.7, 0.9, 20) for one in played.bodies)
    scores = found["scores"]["all"]
    assert found["scores"].keys() == {"all", "held_out"}
    assert (scores["tasks"], scores["score"]["mean"]) == (8, 0.625)
    assert {k: one["mean"] for k, one in scores["pass_all"].items()} == {"1": 0.625, "2": 0.5}
    assert {k: one["mean"] for k, one in scores["best"].items()} == {"1": 0.625, "2": 0.75}
    assert found["spent"]["calls"] == played.calls and found["spent"]["tokens_out"] == 20 * played.calls
    assert found["spent"]["cost_usd"] is None, "nobody told the price"

    folder = Path(found.pop("folder"))
    assert json.loads((folder / "result.json").read_text()) == found
    tasks = {one["task"]: one for one in lines(folder / "tasks.jsonl")}
    assert tasks["tiny-shop/order_4_of_8"]["scores"] == [0.0, 1.0]
    assert tasks["tiny-shop/order_2_of_9"]["outcomes"] == {"agent_error": 2}
    assert len(lines(folder / "tries.jsonl")) == 16

    asked = played.calls
    again = measured(terminal, url, "--k", "2", *decoding).json()
    assert played.calls == asked, "nothing is played again"
    assert again["scores"] == found["scores"] and again["spent"] == found["spent"]


def test_an_endpoint_that_stops_in_the_middle_is_gone_on_with(
    terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]
) -> None:
    url, played = endpoint
    good, played.always = played.always, fails(500, "out of order")
    played.stage.extend([good] * 9)
    cut = measured(terminal, url)
    [folder] = (terminal.home / "measurements").iterdir()
    done = lines(folder / "tries.jsonl")
    assert 0 < len(done) < 8
    assert cut.status == 1 and cut.out == "", "no figure of a set that is not complete"
    assert f"Of 8 tries of held-out {8 - len(done)} are missing" in cut.err and "out of order" in cut.err
    assert not (folder / "result.json").exists() and not (folder / "tasks.jsonl").exists()

    played.always = good
    with (folder / "tries.jsonl").open("a") as file:
        file.write('{"task": "tiny-shop/ord')  # a process was killed while it wrote
    said = measured(terminal, url)
    assert said.status == 0, said.err
    assert said.json()["scores"]["all"]["tasks"] == 8
    tries = lines(folder / "tries.jsonl")
    assert tries[: len(done)] == done and len(tries) == 8
    assert said.json()["spent"]["calls"] == played.calls, "what was spent before the stop is counted"


def test_what_was_played_but_not_counted_is_counted(terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]) -> None:
    url, played = endpoint
    first = measured(terminal, url).json()
    folder = Path(first["folder"])
    (folder / "tries.jsonl").write_text("".join((folder / "tries.jsonl").read_text().splitlines(True)[:3]))
    asked = played.calls
    again = measured(terminal, url).json()
    assert (played.calls, again["scores"]) == (asked, first["scores"])


def test_what_the_simulated_person_spoils_is_tried_again_with_another_seed(
    terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]
) -> None:
    url, played = endpoint
    agent = played.always

    def both(body: dict[str, Any]) -> Any:
        if body["model"] == MODEL:
            return agent(body)
        [wish] = re.findall(r"Order \d of Item \d", json.dumps(body["messages"]))[:1]
        has_said = any(one["role"] == "assistant" for one in body["messages"])
        return says("" if body["seed"] == 0 else STOP if has_said else wish)(body)

    played.always = both
    path = terminal.home / "datasets" / "rl" / "v1" / "rows" / "tiny-shop.jsonl"
    rows = [row | {"setting": "conversation"} for row in lines(path)[:2]]
    write_rows(terminal.home, "rl", rows)
    given = ("--endpoint", url, "--model", MODEL, "--on", "held-out", "--k", "2", "--json")
    said = terminal.factory("measure", *given, ENVFACTORY_USER_MODEL="person")
    assert said.status == 0, said.err
    found = said.json()
    assert (found["setup"]["user_model"], found["scores"]["all"]["tasks"]) == ("person", 2)
    assert sorted(one["seed"] for one in lines(Path(found["folder"]) / "tries.jsonl")) == [1, 1, 2, 2]


def test_a_dataset_without_native_tasks_is_played_as_it_is(terminal: Terminal) -> None:
    path = terminal.home / "datasets" / "rl" / "v1" / "rows" / "tiny-shop.jsonl"
    write_rows(terminal.home, "rl", [row | {"protocol": "meta_tools"} for row in lines(path)[:1]])
    endpoint = PlayedEndpoint(always=says("I do not know."))
    with served(endpoint.app()) as url:
        found = measured(terminal, url).json()
    assert (found["setup"]["version"], found["scores"]["all"]["score"]["mean"]) == ("v1, meta_tools", 0.0)
    assert [one["function"]["name"] for one in endpoint.bodies[0]["tools"]][:2] == ["list_tools", "call_tool"]


def test_a_decoding_that_is_refused_has_no_figure(terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]) -> None:
    url, played = endpoint
    good = played.always

    def without_temperature(body: dict[str, Any]) -> Any:
        refusing = "temperature" in body
        return answered((fails(400, "temperature is not supported with this model") if refusing else good)(body))

    played.always = without_temperature
    for _ in range(2):
        said = measured(terminal, url, "--temperature", "0.5")
        assert (said.status, said.out) == (2, "")
        assert "temperature is not supported with this model" in said.err
        assert all("temperature" in one for one in played.bodies), "nothing is asked, and paid, for no figure"
    assert measured(terminal, url).status == 0


def test_tasks_that_were_learned_from_are_named_first(
    terminal: Terminal, endpoint: tuple[str, PlayedEndpoint], shop: Shop
) -> None:
    row = next(one for one in lines(shop.sft) if {"role": "user", "content": "Order 2 of Item 3."} in one["messages"])
    write_rows(terminal.home, "sft", [row])
    found = measured(terminal, endpoint[0])
    result = found.json()
    assert result["contamination"]["compared_with"] == {"sft": "v1", "rl": "v1"}
    assert result["contamination"]["tasks"] == {"tiny-shop/order_2_of_3": f"sft {row['id']}"}
    assert "Of 8 tasks 1 are among what policies of this home learn from" in found.err.splitlines()[0]
    assert (result["scores"]["uncontaminated"]["tasks"], result["scores"]["all"]["tasks"]) == (7, 8)


def test_a_person_is_shown_a_table(terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]) -> None:
    given = ("--endpoint", endpoint[0], "--model", MODEL, "--k", "2")
    said = terminal.factory("measure", "--on", "held-out", *given)
    assert "clerk on held-out v1, native, 2 tries of each task, decoding as the endpoint does" in said.out
    assert "pass^2" in said.out and "max@2" in said.out and "50.0%" in said.out


def test_what_cannot_be_measured(terminal: Terminal, endpoint: tuple[str, PlayedEndpoint]) -> None:
    nobody = terminal.factory("measure", "--on", "held-out")
    assert (nobody.status, "There is no model to measure" in nobody.err) == (2, True)
    unknown = measured(terminal, endpoint[0], "--category", "rl")
    assert (unknown.status, "no category 'rl' of held-out" in unknown.err) == (2, True)
    (terminal.home / "datasets" / "rl" / "LATEST").unlink()
    empty = measured(terminal, endpoint[0])
    assert (empty.status, "nothing is held out" in empty.err) == (2, True)
