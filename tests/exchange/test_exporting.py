"""What is written for other projects: whole, playable with nothing of ours, and silent about what is right."""

import ast
import json
import os
import signal
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.synthesis import Conversation, Turn
from envfactory_dagster.exchange.exporting import export, exportable
from envfactory_dagster.exchange.forms import FORMS
from tests.exchange.wheels import installed

Folder = Callable[[str], Path]
NEEDS_THE_PERSON = {"sister_joins", "tour_with_ida", "last_morning", "arrival_on_skis"}


@pytest.mark.parametrize("form", FORMS)
def test_nothing_of_ours_is_imported(exported: Folder, form: str) -> None:
    for text in {path.read_text() for path in exported(form).rglob("*.py")}:
        tree = ast.parse(text)
        names = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        names |= {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert not any(name.startswith(("envfactory_dagster", "trainer")) for name in names), text[:500]


@pytest.mark.parametrize("form", FORMS)
def test_the_readme_says_what_is_left_out_and_why(exported: Folder, huts: Bundle, form: str) -> None:
    text = (exported(form) / "README.md").read_text()
    assert huts.theme.name in text and "$" not in text
    told = [line for line in text.splitlines() if line.startswith("- the person has to call ")]
    assert all(any(f"`{task}`" in line for line in told) for task in NEEDS_THE_PERSON)
    assert not NEEDS_THE_PERSON & {task.id for task in exportable(huts).tasks}


def test_a_conversation_is_left_out_unless_it_is_one_message(huts: Bundle) -> None:
    task = next(task for task in exportable(huts).tasks)
    said = Turn(goal=task.text, request=task.text, calls=0)
    for turns, answers, played in (([said], [], True), ([said, said], [], False), ([said], ["On Friday."], False)):
        talk = Conversation(scenario="A call", persona="Somebody", turns=turns, answers=answers)
        subject = exportable(replace(huts, conversations={task.id: talk}))
        assert (task in subject.tasks) is played
        assert (subject.left_out.get(task.id) == "a person brings them up turn by turn") is not played


def test_a_folder_that_is_there_is_left_alone(huts: Bundle, tmp_path: Path) -> None:
    (tmp_path / "huts").mkdir()
    (tmp_path / "huts" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="exists"):
        export(huts, FORMS["trl"], tmp_path / "huts")
    assert [path.name for path in tmp_path.iterdir()] == ["huts"]
    assert (tmp_path / "huts" / "mine.txt").read_text() == "mine"


def test_an_environment_that_is_not_released_is_refused(huts: Bundle, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not released"):
        export(replace(huts, verifiers={}), FORMS["trl"], tmp_path / "huts")
    assert not list(tmp_path.iterdir())


def test_an_environment_of_which_nothing_can_be_exported_is_refused(huts: Bundle, tmp_path: Path) -> None:
    with_the_person = replace(huts, tasks=[task for task in huts.tasks if task.id in NEEDS_THE_PERSON])
    with pytest.raises(UsageError, match="no task that can be exported: the person has to call"):
        export(with_the_person, FORMS["trl"], tmp_path / "huts")


def test_an_unwritable_place_leaves_nothing_behind(huts: Bundle, tmp_path: Path) -> None:
    def breaks(_: Any) -> dict[str, bytes]:
        return {"a/b": b"", "a": b""}

    with pytest.raises(OSError):
        export(huts, breaks, tmp_path / "huts")
    assert not list(tmp_path.iterdir())


# -- what all forms play through -----------------------------------------------------------------------------------


def test_the_episode_judges_solutions_right_and_an_idle_agent_wrong(
    exported: Folder, episodes: ModuleType, solutions: Path
) -> None:
    bundle = exported("trl") / "bundle"
    for path in solutions.glob("*.py"):
        assert episodes.solve(bundle, path.stem, path.read_text())["score"] == 1.0, path.stem
        assert episodes.replay(bundle, path.stem, [])["score"] == 0.0, path.stem


def test_an_episode_that_cannot_be_judged_is_no_zero(exported: Folder, episodes: ModuleType, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    subprocess.run(["cp", "-r", str(exported("trl") / "bundle"), str(bundle)], check=True)
    (bundle / "judge.py").write_text("raise SystemExit('broken')")
    verdict = episodes.replay(bundle, "call_it_off", [])
    assert verdict["status"] == episodes.INVALID and "broken" in verdict["reason"]


def test_no_argument_keeps_an_episode_from_its_verdict(exported: Folder, episodes: ModuleType, solutions: Path) -> None:
    nested: list[Any] = []
    for _ in range(3_000):
        nested = [nested]
    calls: list[tuple[Any, Any]] = [
        ("search_huts", {"region": "\ud800"}),
        ("search_huts", {"region": nested}),
        ("search_huts", []),
        ("no_such_tool", {}),
    ]
    with episodes.Episode(exported("trl") / "bundle", "call_it_off") as episode:
        for name, arguments in calls:
            assert episode.call(name, arguments)["isError"]
    assert episode.verdict["status"] == "judged" and episode.verdict["score"] == 0.0


def test_two_who_call_at_once_get_their_own_answers(exported: Folder, episodes: ModuleType) -> None:
    with episodes.Episode(exported("trl") / "bundle", "call_it_off") as episode, ThreadPoolExecutor(4) as pool:
        names = [f"no_such_tool_{number}" for number in range(20)]
        answers = list(pool.map(lambda name: episode.call(name, {}), names))
    assert all(name in answer["content"][0]["text"] for name, answer in zip(names, answers, strict=True))


def test_any_name_of_a_theme_is_written_as_it_is(huts: Bundle, tmp_path: Path) -> None:
    title = 'Huts "above" the \N{MOUNTAIN} \\ tree line'
    named = replace(huts, theme=huts.theme.model_copy(update={"name": title}))
    export(named, FORMS["harbor"], tmp_path / "harbor")
    export(named, FORMS["openenv"], tmp_path / "openenv")
    task = tomllib.loads((tmp_path / "harbor" / "call_it_off" / "task.toml").read_text())
    project = tomllib.loads((tmp_path / "openenv" / "pyproject.toml").read_text())
    assert task["task"]["description"] == project["project"]["description"] == title
    front_matter = (tmp_path / "openenv" / "README.md").read_text().split("---")[1]
    assert yaml.safe_load(front_matter)["title"] == title


def test_the_text_of_a_task_may_hold_any_separator(huts: Bundle, tmp_path: Path) -> None:
    text = "Call my booking off.\N{LINE SEPARATOR}And tell me what\x85I get back."
    tasks = [task.model_copy(update={"text": text}) for task in exportable(huts).tasks]
    folder = export(replace(huts, tasks=tasks), FORMS["trl"], tmp_path / "trl").folder
    play = (
        "import json, environment; from episode import replay; rows = environment.rows(); "
        "print(replay(environment.BUNDLE, 'call_it_off', [])['status'], json.dumps(rows[0]['prompt'][1]['content']))"
    )
    done = subprocess.run([sys.executable, "-c", play], cwd=folder, capture_output=True, text=True, check=True)
    status, _, asked = done.stdout.partition(" ")
    assert (status, json.loads(asked)) == ("judged", text)


# -- TRL -----------------------------------------------------------------------------------------------------------

PLAY_TRL = """
import json, sys
sys.path.insert(0, sys.argv[1])
import environment
from transformers.utils import get_json_schema
calls = json.load(open(sys.argv[2]))
found = {}
for row in environment.rows():
    world, idle = (environment.worlds()[row["environment"]]() for _ in range(2))
    asked = world.reset(**row)
    idle.reset(**row)
    for call in calls[row["task"]]:
        given = {name: value for name, value in call["arguments"].items() if value is not None}
        getattr(world, call["name"])(**given)
    found[row["task"]] = [asked, *environment.verdicts([], [world, idle])]
schema = get_json_schema(world.search_huts)["function"]
print(json.dumps({"found": found, "schema": schema, "finish": get_json_schema(world.finish)["function"]}))
"""


def test_trl_reads_the_tools_and_gets_the_verdicts(exported: Folder, calls: Path) -> None:
    command = [sys.executable, "-c", PLAY_TRL, str(exported("trl")), str(calls)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    played = json.loads(done.stdout.splitlines()[-1])
    assert len(played["found"]) == 6
    assert all(verdicts == [1.0, 0.0] for _, *verdicts in played["found"].values())
    assert "money_back" in played["found"]["call_it_off"][0]
    assert played["schema"]["parameters"]["properties"]["region"]["description"] == "Name of the region"
    assert played["finish"]["parameters"]["required"] == ["outcome", "answers", "message"]


def test_trl_calls_a_word_of_python_with_an_underscore(exported: Folder, tmp_path: Path) -> None:
    folder = tmp_path / "trl"
    subprocess.run(["cp", "-r", str(exported("trl")), str(folder)], check=True)
    tools, code = folder / "bundle" / "tools.json", folder / "bundle" / "tools.py"
    listed = json.loads(tools.read_text())
    (get_hut,) = (one for one in listed if one["name"] == "get_hut")
    get_hut["inputSchema"] = json.loads(json.dumps(get_hut["inputSchema"]).replace('"hut_id"', '"from"'))
    tools.write_text(json.dumps(listed))
    ours, theirs = "def get_hut(env, *, hut_id: int) -> dict:", "def get_hut(env, *, from_: int) -> dict:"
    assert ours in code.read_text()
    code.write_text(code.read_text().replace(ours, f"{theirs}\n    hut_id = from_"))
    play = (
        "import inspect, environment; row = environment.rows()[0]; "
        "world = environment.worlds()[row['environment']](); world.reset(**row); "
        "print(inspect.signature(world.get_hut)); print(world.get_hut(from_=4))"
    )
    done = subprocess.run([sys.executable, "-c", play], cwd=folder, capture_output=True, text=True, check=True)
    signature, answer = done.stdout.splitlines()
    assert signature == "(*, from_: int) -> str"
    assert json.loads(answer)["amenities"]


def test_a_tool_that_a_task_withholds_is_no_method_there(huts: Bundle, tmp_path: Path) -> None:
    less = [
        task.model_copy(update={"withheld": ["search_huts"] if task.id == "call_it_off" else []})
        for task in exportable(huts).tasks
    ]
    folder = export(replace(huts, tasks=less), FORMS["trl"], tmp_path / "trl").folder
    play = (
        "import json, environment; worlds = environment.worlds(); "
        "print(json.dumps({row['task']: hasattr(worlds[row['environment']], 'search_huts') "
        "for row in environment.rows()}), list(worlds))"
    )
    done = subprocess.run([sys.executable, "-c", play], cwd=folder, capture_output=True, text=True, check=True)
    has, _, worlds = done.stdout.partition("} ")
    assert json.loads(has + "}") == {task.id: task.id != "call_it_off" for task in less}
    assert worlds.strip() == "['all tools', 'without search_huts']"


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("trl", "reset"),
        ("trl", "get_reward"),
        *(("nemo-gym", name) for name in ("verify", "seed_session", "close_session", "aggregate_metrics", "mcp")),
    ],
)
def test_a_tool_whose_name_is_taken_there_is_refused_by_name(
    huts: Bundle, tmp_path: Path, form: str, name: str
) -> None:
    tools = [tool.model_copy(update={"name": name}) if tool.name == "search_huts" else tool for tool in huts.tools]
    with pytest.raises(UsageError, match=f"alpine-huts has a tool called {name}, which .* Choose another form: "):
        export(replace(huts, tools=tools), FORMS[form], tmp_path / form)
    assert not list(tmp_path.iterdir())


# -- OpenEnv -------------------------------------------------------------------------------------------------------


def test_openenvs_manifest_declares_what_a_validator_asks_for(exported: Folder, huts: Bundle) -> None:
    validation = yaml.safe_load((exported("openenv") / "openenv.yaml").read_text())["validation"]
    capabilities = validation["capabilities"]
    assert validation["network"] == {"mode": "no-network"}
    assert (capabilities["set_state"], capabilities["declared_task_count"]) == (False, {"all": 6})
    assert capabilities["declared_tools"] == [*(tool.name for tool in huts.tools_of("assistant")), "finish"]
    assert capabilities["oracle"] == {"form": "script", "location": "validation/oracle.py"}
    assert (exported("openenv") / capabilities["oracle"]["location"]).is_file()


def test_openenvs_canaries_earn_nothing(exported: Folder, episodes: ModuleType) -> None:
    capabilities = yaml.safe_load((exported("openenv") / "openenv.yaml").read_text())["validation"]["capabilities"]
    lines = (exported("openenv") / capabilities["canaries"]).read_bytes().splitlines()
    assert len(lines) == 6
    for canary in map(json.loads, lines):
        verdict = episodes.replay(exported("openenv") / "bundle", canary["task"], canary["calls"])
        assert verdict["status"] == "judged" and verdict["score"] < canary["below"], canary


def test_openenvs_package_plays_when_it_is_installed(exported: Folder, tmp_path: Path) -> None:
    package = installed(exported("openenv"), tmp_path)
    oracle = [sys.executable, str(package / "validation" / "oracle.py"), "call_it_off", "best_hut_in_reach"]
    done = subprocess.run(oracle, capture_output=True, check=True)
    assert {task: one["score"] for task, one in json.loads(done.stdout).items()} == {
        "best_hut_in_reach": 1.0,
        "call_it_off": 1.0,
    }


# -- the Hub ---------------------------------------------------------------------------------------------------------


def test_the_hubs_rows_load_and_hold_the_tools_that_a_task_leaves(exported: Folder) -> None:
    from datasets import load_dataset

    rows = load_dataset("json", data_files=str(exported("hub") / "data" / "train.jsonl"), split="train")
    assert len(rows) == 6 and {row["environment"] for row in rows} == {"alpine-huts"}
    assert "search_huts" in {tool["name"] for tool in json.loads(rows[0]["tools"])}
    card = (exported("hub") / "README.md").read_text()
    assert card.startswith("---\n") and "rl-environment" in card
    assert "How the verifiers were tried is not recorded here." in card and "was tried before" not in card


def test_no_form_claims_a_licence(exported: Folder) -> None:
    card = (exported("hub") / "README.md").read_text()
    assert yaml.safe_load(card.split("---")[1])["license"] == "unknown" and "No licence is set yet" in card
    [config] = (exported("nemo-gym") / "configs").iterdir()
    agent = yaml.safe_load(config.read_text())["envfactory_alpine_huts_agent"]["responses_api_agents"]["simple_agent"]
    assert [one.get("license") for one in agent["datasets"]] == ["TBD", None]


# -- Harbor: its containers are folders and processes here -----------------------------------------------------------


@contextmanager
def world_of(task: Path, episode: Path) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    command = [sys.executable, str(task / "environment" / "world" / "world.py"), task.name, str(episode), "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = process.stdout.readline().split()[-1]
    try:
        yield f"http://127.0.0.1:{port}/mcp", process
    finally:
        process.kill()
        process.wait()


def ended(process: "subprocess.Popen[str]", episode: Path) -> None:
    """What end.sh does in the world's container."""
    process.send_signal(signal.SIGUSR1)
    until = "import os, sys, time\nwhile not all(map(os.path.exists, sys.argv[1:])): time.sleep(0.05)"
    files = [str(episode / name) for name in ("final.sqlite", "episode.json")]
    subprocess.run([sys.executable, "-c", until, *files], timeout=60, check=True)


def reward(task: Path, episode: Path, logs: Path) -> float:
    environment = os.environ | {"EPISODE": str(episode), "LOGS": str(logs)}
    subprocess.run(["sh", str(task / "tests" / "test.sh")], env=environment, check=True)
    return float(json.loads((logs / "reward.json").read_text())["reward"])


@pytest.mark.parametrize("play", [True, False], ids=["gold", "noop"])
def test_harbors_oracle_gets_everything_and_an_idle_agent_nothing(exported: Folder, tmp_path: Path, play: bool) -> None:
    tasks = [path for path in exported("harbor").iterdir() if path.is_dir()]
    assert len(tasks) == 6
    for task in tasks:
        episode = tmp_path / task.name
        episode.mkdir()
        with world_of(task, episode) as (url, process):
            if play:
                solve = ["sh", str(task / "solution" / "solve.sh")]
                subprocess.run(solve, env=os.environ | {"WORLD": url}, check=True)
            ended(process, episode)
        assert reward(task, episode, tmp_path / f"{task.name}-logs") == float(play), task.name


def test_harbors_world_outlives_any_message(exported: Folder, tmp_path: Path) -> None:
    odd: list[Any] = [
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": ["ping"]},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": ["search_huts"], "arguments": {}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    with world_of(exported("harbor") / "call_it_off", tmp_path) as (url, _):
        for message in [*odd, {"jsonrpc": "2.0", "id": "last", "method": "ping"}]:
            request = urllib.request.Request(url, json.dumps(message).encode())
            with urllib.request.urlopen(request, timeout=10) as answer:
                told = answer.read()
        assert json.loads(told) == {"jsonrpc": "2.0", "id": "last", "result": {}}


async def test_harbors_world_speaks_mcp_over_http(exported: Folder, tmp_path: Path) -> None:
    with world_of(exported("harbor") / "call_it_off", tmp_path) as (url, _):
        async with streamable_http_client(url) as streams, ClientSession(streams[0], streams[1]) as client:
            await client.initialize()
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert names[-1] == "finish" and "search_huts" in names
            found = await client.call_tool("search_huts", {})
            assert not found.is_error and found.structured_content


def test_where_harbors_agent_works_nothing_says_what_is_right(exported: Folder, huts: Bundle) -> None:
    for task in [path for path in exported("harbor").iterdir() if path.is_dir()]:
        held = {path.name.split(".")[0] for path in (task / "environment").rglob("*")}
        assert not held & {"judge", "verifiers", "solutions", "inspection", "conversations", "families", "words"}
        text = b"".join(path.read_bytes() for path in (task / "environment").rglob("*.py"))
        assert not any(source.encode() in text for source in huts.verifiers.values())
