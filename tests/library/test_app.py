"""The library as a model: asked through the real client, by the real line."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import openai
import orjson
import pytest
from fastapi import FastAPI, Request, Response
from pydantic import SecretStr

from envfactory_dagster.contracts.judge_requests import InspectionTestsAnswer
from envfactory_dagster.contracts.pool import Subject
from envfactory_dagster.contracts.requests import SeedRowsAnswer, ServerCodeAnswer, TaskSetAnswer, ThemeAnswer
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import AnswerUnusable, Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.language.wire import AsgiApp
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.folders import write_world
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line
from tests.library.library_kit import SMALL, settings_of, with_parts

CALLER = Caller("test", "some-key", Role.AUTHOR)
SHIPPED = Library()
WORLD = SHIPPED.world(SMALL)
SUBJECT = WORLD.card.proposal.subject


class Asking:
    """A gateway to an app, which asks about a world."""

    def __init__(self, home: Path, app: AsgiApp, subject: Subject | None = SUBJECT) -> None:
        settings = LanguageSettings(
            base_url="http://model/v1", api_key=SecretStr("a-key"), models=dict.fromkeys(Role, "any")
        )
        self.gateway = Gateway(settings, home, app=app)
        self.subject = subject

    async def ask(self, schema: str, answer: Any, context: Mapping[str, Any], *, again: bool = False) -> Any:
        told = [{"role": "assistant", "content": "{}"}, {"role": "user", "content": "That is wrong."}]
        async with self.gateway as gateway:
            if self.subject is not None:
                gateway.about(CALLER.partition, self.subject)
            asked = await gateway.ask(
                caller=CALLER,
                schema_name=schema,
                answer=answer,
                instructions="Whatever the prompt of the day is.",
                context=context,
                conversation=told if again else (),
            )
        return asked.value


async def test_functions_are_given_in_whatever_batch_they_are_asked_for(tmp_path: Path) -> None:
    tools = [name for question, name in WORLD.parts if question == "server_code"]
    asking = Asking(tmp_path, LibraryApp(SHIPPED))

    given = await asking.ask("server_code", ServerCodeAnswer, {"wanted": tools[3:1:-1]})

    assert [function.name for function in given.functions] == tools[3:1:-1]
    assert given.functions[0].source == WORLD.parts["server_code", tools[3]]["source"]


async def test_fewer_tasks_are_as_varied_as_all(tmp_path: Path) -> None:
    asking = Asking(tmp_path, LibraryApp(SHIPPED))

    given = await asking.ask("task_set", TaskSetAnswer, {"count": 6, "states": ["initial", "second"]})

    assert len(given.tasks) == 6
    assert {task.state for task in given.tasks} == {"initial", "second"}
    assert {task.kind for task in given.tasks} == {"action", "information", "refusal"}


@pytest.mark.parametrize(
    ("schema", "answer", "context", "again", "told"),
    [
        ("theme", ThemeAnswer, {}, True, "no other answer to theme for the world"),
        (
            "seed_rows",
            SeedRowsAnswer,
            {"state": "fourth"},
            False,
            r"no other answers to seed_rows .*\(asked for: fourth",
        ),
        ("server_code", ServerCodeAnswer, {"wanted": ["fly"]}, False, r"no other answers .*\(asked for: fly\)"),
        ("inspection_tests", InspectionTestsAnswer, {"tools": []}, False, "no answer to inspection_tests"),
        (
            "task_set",
            TaskSetAnswer,
            {"count": 99, "states": ["initial"]},
            False,
            "tasks in these states .* 99 are asked",
        ),
    ],
)
async def test_what_the_library_has_not_is_said_once_and_for_all(
    schema: str, answer: Any, context: Mapping[str, Any], again: bool, told: str, tmp_path: Path
) -> None:
    with pytest.raises(AnswerUnusable, match=told) as refused:
        await Asking(tmp_path, LibraryApp(SHIPPED)).ask(schema, answer, context, again=again)

    assert refused.value.final
    assert "set a language model: ENVFACTORY_LLM_BASE_URL" in refused.value.problem


async def test_a_world_that_it_does_not_know_is_left_to_others(tmp_path: Path) -> None:
    heard: list[Any] = []
    unknown = Subject(title=SUBJECT.title, source="0" * 64)
    app = LibraryApp(SHIPPED, _answering_model(heard))

    await Asking(tmp_path, app, unknown).ask("theme", ThemeAnswer, {"key": "k"})
    await Asking(tmp_path, app, None).ask("theme", ThemeAnswer, {"key": "k"})

    assert [question["context"].get("subject", {}).get("source") for question in heard] == ["0" * 64, None]
    with pytest.raises(AnswerUnusable, match="this is about none of them"):
        await Asking(tmp_path / "alone", LibraryApp(SHIPPED), unknown).ask("theme", ThemeAnswer, {"key": "k"})


async def test_a_world_is_continued_by_a_model_where_the_library_ends(tmp_path: Path) -> None:
    heard: list[Any] = []
    app = LibraryApp(SHIPPED, _answering_model(heard))

    known = await Asking(tmp_path, app).ask("theme", ThemeAnswer, {"key": "k"})
    mended = await Asking(tmp_path, app).ask("theme", ThemeAnswer, {"key": "k"}, again=True)

    assert known.name == WORLD.title
    assert mended.name == "Somewhere else"
    assert len(heard) == 1


def _client(app: AsgiApp) -> openai.AsyncOpenAI:
    http = openai.DefaultAsyncHttpxClient(transport=httpx2.ASGITransport(app=app))
    return openai.AsyncOpenAI(api_key="none", base_url="http://library/v1", http_client=http, max_retries=0)


def _theme_question() -> list[Any]:
    question = {"schema": "theme", "context": {"size": WORLD.card.size, "subject": SUBJECT.model_dump(mode="json")}}
    asked = f"```json\n{orjson.dumps(question).decode()}\n```"
    return [{"role": "system", "content": "Write a theme."}, {"role": "user", "content": asked}]


async def test_the_models_of_others_are_listed_after_the_library() -> None:
    without_a_list = FastAPI()
    for others, listed in ((None, []), (without_a_list, []), (create_app(), ["built-in"])):
        models = _client(LibraryApp(SHIPPED, others)).models.list()
        assert [model.id async for model in models] == ["library", *listed]


async def test_a_streamed_answer_is_the_plain_answer_in_pieces() -> None:
    model = _client(LibraryApp(SHIPPED))
    plain = await model.chat.completions.create(model="library", messages=_theme_question())
    stream = await model.chat.completions.create(
        model="library", messages=_theme_question(), stream=True, stream_options={"include_usage": True}
    )
    chunks = [chunk async for chunk in stream]

    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == plain.choices[0].message.content
    assert ThemeAnswer.model_validate_json(text).name == WORLD.title
    assert chunks[-1].usage == plain.usage

    unasked = await model.chat.completions.create(model="library", messages=_theme_question(), stream=True)
    assert [chunk.usage async for chunk in unasked if chunk.usage is not None] == []


async def test_several_answers_are_given_where_several_are_asked_for() -> None:
    model = _client(LibraryApp(SHIPPED))
    many = await model.chat.completions.create(model="library", messages=_theme_question(), n=3)

    assert [choice.index for choice in many.choices] == [0, 1, 2]
    assert len({choice.message.content for choice in many.choices}) == 1
    with pytest.raises(openai.BadRequestError, match="This is no chat request: n: Input should be less than"):
        await model.chat.completions.create(model="library", messages=_theme_question(), n=1_000)


def _answering_model(heard: list[Any]) -> FastAPI:
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        asked = (await request.json())["messages"][1]["content"]
        heard.append(orjson.loads(asked.removeprefix("```json\n").removesuffix("\n```")))
        theme = WORLD.parts["theme", "whole"] | {"name": "Somewhere else"}
        message = {"role": "assistant", "content": orjson.dumps(theme).decode()}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        body = {"id": "x", "object": "chat.completion", "created": 0, "model": "other", "choices": choices}
        return Response(orjson.dumps(body), media_type="application/json")

    return app


async def test_a_stage_that_is_not_in_the_library_is_rejected_after_one_attempt(
    runtime: Runtime, tmp_path: Path
) -> None:
    shorter = settings_of(WORLD)
    other = WORLD.card.proposal.model_copy(update={"key": "the-same-under-another-key"})
    asked_for_more = type(shorter)(size="small", tasks=40, rules_asked=shorter.rules_asked)

    async with line(LibraryApp(SHIPPED), runtime, tmp_path, asked_for_more) as stages:
        made = await stages.run(other, until="task_set")

    assert made["theme"].status == "ok"
    assert made["task_set"].status == "rejected"
    assert made["task_set"].reason.startswith("not accepted after 1 attempt; answer: The library has 10 tasks")
    assert "ENVFACTORY_MODEL" in made["task_set"].reason
    ledger = read_ledger(tmp_path)
    assert set(ledger["subject"]) == {WORLD.title}
    assert set(ledger["source"]) == {SUBJECT.source}
    assert len(ledger) == 2


async def test_an_answer_that_a_gate_refuses_is_refused_after_one_attempt(runtime: Runtime, tmp_path: Path) -> None:
    settings = type(settings_of(WORLD))(size="small", rules_asked=9)

    async with line(LibraryApp(SHIPPED), runtime, tmp_path, settings) as stages:
        made = await stages.run(WORLD.card.proposal, until="theme")

    assert made["theme"].status == "rejected"
    assert len(made["theme"].attempts) == 1
    assert made["theme"].reason.startswith("not accepted after 1 attempt; answer: 9 rules were asked for, there are 4.")
    assert "The library has no other answer to theme" in made["theme"].reason


async def test_a_world_of_another_size_names_the_setting(runtime: Runtime, tmp_path: Path) -> None:
    settings = type(settings_of(WORLD))(size="full")

    async with line(LibraryApp(SHIPPED), runtime, tmp_path, settings) as stages:
        made = await stages.run(WORLD.card.proposal, until="theme")

    assert made["theme"].status == "rejected"
    assert "is a small one: set ENVFACTORY_SIZE=small." in made["theme"].reason


async def test_a_solution_that_is_refused_loses_its_task_and_no_other(runtime: Runtime, tmp_path: Path) -> None:
    name = next(name for name in WORLD.parts if name[0] == "reference_solution")
    parts = WORLD.parts | {name: WORLD.parts[name] | {"source": "def solve(tools):\n    pass"}}
    write_world(with_parts(WORLD, parts), tmp_path / "library" / SMALL)

    async with line(LibraryApp(Library(tmp_path / "library")), runtime, tmp_path, settings_of(WORLD)) as stages:
        made = (await stages.run(WORLD.card.proposal, until="reference_solutions"))["reference_solutions"]

    assert made.artifact is not None
    assert len(made.artifact["solutions"]) == 9
    (dropped,) = made.artifact["dropped"]
    assert dropped["task"] == name[1]
    assert dropped["reason"].startswith("not accepted after 1 attempt; ")
    assert "no other answer to reference_solutions" in dropped["reason"]
    assert len(made.attempts) == 2 + 1, "the last one is the review of the tasks, of which the library knows nothing"
