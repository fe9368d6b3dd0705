"""Task sets in the forms in which they are published: what was asked, with the tools that were given for it."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import Response
from fastapi.responses import JSONResponse

from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool, expand_pool
from envfactory_dagster.authoring.discovery.source_folders import FOLDERS
from envfactory_dagster.authoring.discovery.sources import SourceEntry, read_sources
from envfactory_dagster.contracts.sources import SourceDocument
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.store.home import Home
from tests.language.language_kit import settings_for
from tests.language.played_endpoint import PlayedEndpoint, says

SCHEMA = {"type": "dict", "properties": {"table": {"type": "string"}}, "required": ["table"]}
BOOK = {"name": "book_table", "description": "Books.", "parameters": SCHEMA}
OPENAI = {"type": "function", "function": BOOK | {"parameters": SCHEMA | {"type": "object"}}}
ASKED = "Book table four for Friday."
TOOLACE = {
    "system": f"You compose functions [of tools]. Here they are:\n{json.dumps([BOOK])}\nAnswer with calls.",
    "conversations": [
        {"from": "user", "value": ASKED},
        {"from": "assistant", "value": "[book_table(table='4')]"},
        {"from": "tool", "value": "ok"},
        {"from": "user", "value": "And five for Saturday."},
    ],
}
CHAT = {"messages": [{"role": "system", "content": "Help."}, {"role": "user", "content": ASKED}], "tools": [OPENAI]}
PARTS = {"messages": [{"role": "user", "content": [{"type": "text", "text": ASKED}]}]}
DIALOGUE = [
    {"role": "User", "text": ASKED},
    {"role": "AI", "text": "For how many?"},
    {"role": "User", "text": "For three."},
    {"role": "API", "api_name": "BookTable", "param_dict": {"table": "4"}, "result": {"output": "ok"}},
]
SHARED = {"instruction": "Generate an API request.", "input": f"User: {ASKED}\nGenerate API Request:", "output": "…"}


def lines(*values: object) -> str:
    return "\n".join(json.dumps(value) for value in values)


def documents(folder: Path) -> list[SourceDocument]:
    found = [entry for entry in read_sources("task_set", folder) if isinstance(entry, SourceEntry)]
    return [entry.document for entry in found if entry.document is not None]


@pytest.mark.parametrize(
    ("name", "text", "asked"),
    [
        ("toolace.json", json.dumps([TOOLACE]), [f"{ASKED}\nAnd five for Saturday."]),
        ("toolace.jsonl", lines(TOOLACE), [f"{ASKED}\nAnd five for Saturday."]),
        ("chat.jsonl", lines(CHAT, CHAT | {"id": 2}), [ASKED, ASKED]),
        ("parts.json", json.dumps({"data": [PARTS]}), [ASKED]),
        ("AddAgenda-level-1-1.jsonl", lines(*DIALOGUE), [f"{ASKED}\nFor three."]),
        ("dialogue.json", json.dumps(DIALOGUE), [f"{ASKED}\nFor three."]),
        ("level-1-api.json", json.dumps([SHARED]), [ASKED]),
        ("list.json", json.dumps([ASKED, {"task": "Cancel it."}]), [ASKED, "Cancel it."]),
        (
            "paragraphs.jsonl",
            '{"task": "Book it.\u2028Or not."}\n{"task": "Cancel it."}',
            ["Book it.\u2028Or not.", "Cancel it."],
        ),
        ("lines.jsonl", lines({"instruction": "Sum up.", "input": "My bookings."}), ["Sum up.\nMy bookings."]),
    ],
    ids=lambda value: value if isinstance(value, str) and value.count(".") == 1 else "",
)
def test_what_was_asked_is_read_in_every_form(tmp_path: Path, name: str, text: str, asked: list[str]) -> None:
    (tmp_path / name).write_text(text)
    assert [task.text for document in documents(tmp_path) for task in document.tasks] == asked


AS_TEXT = {"task": ASKED, "tools": json.dumps([BOOK])}


@pytest.mark.parametrize("given", [TOOLACE, CHAT, {"task": ASKED, "tools": [BOOK]}, AS_TEXT])
def test_the_tools_that_were_given_for_a_task_go_with_it(tmp_path: Path, given: dict[str, Any]) -> None:
    (tmp_path / "tasks.jsonl").write_text(lines(given))
    (document,) = documents(tmp_path)
    (tool,) = document.tools
    assert (tool.name, tool.inputSchema["required"]) == ("book_table", ["table"])
    assert document.tasks[0].place["tools"] == "book_table"


def test_the_names_of_apis_that_a_dialogue_calls_tell_where_it_belongs(tmp_path: Path) -> None:
    (tmp_path / "dialogue.jsonl").write_text(lines(*DIALOGUE))
    assert documents(tmp_path)[0].tasks[0].place == {"apis": "BookTable"}


ODD_TOOL = BOOK | {"parameters": {"type": "object", "properties": {"table": {"type": {}}}}}
ODD_TURN = {"role": "API", "api_name": ["BookTable"], "text": "Done."}


def test_an_odd_task_takes_no_other_with_it(tmp_path: Path) -> None:
    odd = [{"task": "Book it.", "tools": [ODD_TOOL]}, {"messages": [{"role": "user", "content": "Go."}, ODD_TURN]}]
    (tmp_path / "tasks.jsonl").write_text(lines({"task": ASKED}, *odd, {"task": ASKED}))
    assert [task.text for one in documents(tmp_path) for task in one.tasks] == [ASKED, "Book it.", "Go.", ASKED]
    assert [one.reason for document in documents(tmp_path) for one in document.unusable] == ["schema"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"messages": []}', "task 1 holds no task: it needs a text under one of task, instruction"),
        ("7", "is no list of tasks"),
        ('["Book a boat.", {"id": 3}]', "task 2 holds no task"),
    ],
)
def test_what_holds_no_task_is_told_of(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "tasks.json").write_text(text)
    details = [one.rejection.detail for one in read_sources("task_set", tmp_path) if not isinstance(one, SourceEntry)]
    assert [said in detail for detail in details] == [True]


async def test_a_world_brings_all_its_tasks_along(gateway: Gateway, pool: ThemePool) -> None:
    sources = Path(str(pool.home.root)) / "sources"
    for folder in FOLDERS.values():
        (sources / folder).mkdir(parents=True)
    asked = ["Book table four for Friday.", "Cancel my order of two cakes.", "Move my booking to Sunday."]
    tasks = [{"task": text, "domain": "restaurant with bookings"} for text in asked]
    (sources / "task_sets" / "tasks.json").write_text(json.dumps([tasks[0] | {"tools": [BOOK]}, *tasks[1:]]))
    report = await expand_pool(gateway, pool, 1, DiscoverySettings())
    (taken,) = report.taken
    assert taken.document is not None
    assert [task.text for task in taken.document.tasks] == asked
    assert [tool.name for tool in taken.document.tools] == ["book_table"]


SCORES = {"ferry line with cabins": (6, 7), "ferry line and its cabins": (9, 9), "fortune teller": (8, 2)}


async def test_worlds_are_scored_and_of_duplicates_the_best_is_kept(home: Home) -> None:
    def plays(body: dict[str, Any]) -> Response:
        if "input" in body:
            vectors = [[1.0, 0.0] if "ferry" in text else [0.0, 1.0] for text in body["input"]]
            data = [{"index": i, "object": "embedding", "embedding": vector} for i, vector in enumerate(vectors)]
            return JSONResponse({"object": "list", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}})
        question = json.loads(body["messages"][1]["content"].partition("```json\n")[2].partition("\n```")[0])
        return says(json.dumps(_answer(question["schema"], question["context"])))(body)  # type: ignore[return-value]

    sources = Path(str(home.root)) / "sources"
    for folder in FOLDERS.values():
        (sources / folder).mkdir(parents=True)
    tasks = [{"task": f"Book me in at the {name}.", "service": name} for name in SCORES]
    (sources / "task_sets" / "tasks.json").write_text(json.dumps(tasks))
    endpoint, pool = PlayedEndpoint(always=plays), ThemePool(home)
    async with Gateway(settings_for("http://played/v1"), home.local, app=endpoint.app()) as gateway:
        report = await expand_pool(gateway, pool, 1, DiscoverySettings())
    assert [one.proposal.name for one in report.taken] == ["ferry line and its cabins"]
    assert [(one.name, one.reason) for one in report.rejected] == [
        ("Book me in at the fortune teller.", "unsuitable"),
        ("ferry line with cabins", "duplicate"),
    ]
    assert report.rejected[0].detail.startswith("Scored 8 for usefulness and 2 for modelability; 5 of 10 is needed")


def _answer(schema: str, context: dict[str, Any]) -> dict[str, Any]:
    """Every task belongs to a service of its own, and every service is a good world."""
    if schema == "task_filter":
        names = [task["text"].partition("service: ")[2] for task in context["tasks"]]
        scored = [
            {"environment": name, "usefulness": SCORES[name][0], "modelability": SCORES[name][1]} for name in names
        ]
        verdict = {"stateful": True, "domain_specific": True}
        return {
            "tasks": [
                verdict | one | {"reference": task["reference"]}
                for task, one in zip(context["tasks"], scored, strict=True)
            ]
        }
    if schema == "theme_proposals":
        worlds = [(one["text"].splitlines()[0].removeprefix("name: "), one["reference"]) for one in context["sources"]]
        told = {"category": "Travel", "description": "A service.", "entities": ["booking"]}
        return {"proposals": [told | {"name": name, "reference": reference} for name, reference in worlds]}
    scores = [{"name": one["name"], "score": 0.9, "reason": "Good."} for one in context["proposals"]]
    return {"scores": scores}
