"""The embedded model as clients of the OpenAI API see it."""

from typing import Any

import openai
import orjson
import pytest

from envfactory_dagster.contracts.tool_signatures import ToolSignature
from envfactory_dagster.language.embedded.app import create_app
from envfactory_dagster.language.embedded.faults import Profile
from envfactory_dagster.language.embedded.mutations import kinds_for
from tests.language.embedded.artifacts import STATES, all_wanted, ask, author_environment, client, dump

PROPOSAL = {"name": "Oakridge climbing gym", "category": "Sports", "description": "A gym.", "entities": []}
CONTEXT: dict[str, Any] = {"key": "oakridge-climbing-gym", "proposal": PROPOSAL, "size": "full", "rules": 5}


def messages(schema: str, context: dict[str, Any]) -> list[dict[str, str]]:
    block = orjson.dumps({"schema": schema, "context": context}).decode()
    return [
        {"role": "system", "content": "You build worlds."},
        {"role": "user", "content": f"Go.\n```json\n{block}\n```"},
    ]


def openai_client(profile: Profile | None = None, retries: int = 0) -> openai.AsyncOpenAI:
    import httpx2

    transport = httpx2.ASGITransport(app=create_app(profile))
    http = openai.DefaultAsyncHttpxClient(transport=transport)
    return openai.AsyncOpenAI(api_key="none", base_url="http://embedded/v1", http_client=http, max_retries=retries)


async def test_the_same_question_gets_the_same_answer_and_usage_is_counted():
    model = openai_client()
    answers = [
        await model.chat.completions.create(model="embedded", messages=messages("theme", CONTEXT)) for _ in range(2)
    ]
    assert answers[0].choices[0].message.content == answers[1].choices[0].message.content
    assert answers[0].usage.completion_tokens > 20
    assert answers[0].usage.prompt_tokens > 20


async def test_a_streamed_answer_is_the_plain_answer_in_pieces():
    model = openai_client()
    plain = await model.chat.completions.create(model="embedded", messages=messages("theme", CONTEXT))
    stream = await model.chat.completions.create(
        model="embedded", messages=messages("theme", CONTEXT), stream=True, stream_options={"include_usage": True}
    )
    chunks = [chunk async for chunk in stream]
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == plain.choices[0].message.content
    assert chunks[-1].usage == plain.usage


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no block here", "no fenced json block"),
        ('```json\n{"schema": "horoscope", "context": {}}\n```', "knows no schema 'horoscope'"),
        ('```json\n{"schema": "theme", "context": {"key": 1}}\n```', "does not fit the schema 'theme'"),
        ("```json\n{broken\n```", "is not JSON"),
    ],
)
async def test_a_question_it_cannot_answer_is_refused_with_a_sentence(content: str, said: str):
    with pytest.raises(openai.BadRequestError, match=said):
        await openai_client().chat.completions.create(model="embedded", messages=[{"role": "user", "content": content}])


async def test_near_duplicates_embed_closely_and_different_themes_do_not():
    texts = [
        "A climbing gym where members book wall sessions",
        "A climbing gym where the members book a wall session",
        "Freight brokers track containers across ports",
    ]
    answer = await openai_client().embeddings.create(model="embedded", input=texts, encoding_format="float")
    first, near, far = (row.embedding for row in answer.data)
    assert sum(a * b for a, b in zip(first, near, strict=True)) > 0.85
    assert sum(a * b for a, b in zip(first, far, strict=True)) < 0.3


async def test_it_lists_itself():
    assert [model.id async for model in openai_client().models.list()] == ["embedded"]


async def test_a_typed_theme_keeps_the_nouns_of_its_author():
    environment = await author_environment(
        "Tool shed", "Community", "Neighbours book a workshop and order garden tools; pay a deposit.", "full"
    )
    assert "workshops" in [table.name for table in environment.tables]


async def test_a_small_environment_is_small():
    environment = await author_environment("Oakridge climbing gym", "Sports and fitness", "A gym.", "small")
    assert 3 <= len(environment.tables) <= 6
    assert 5 <= len(environment.tools) <= 10
    assert dump(environment.theme)["size"] == "small"


async def test_faults_are_listed_and_an_error_report_repairs_them():
    app = create_app(Profile(faults=1.0, repair=1.0, only="invalid_json"))
    import httpx2

    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://embedded") as model:
        asked = messages("theme", CONTEXT)
        first = (await model.post("/v1/chat/completions", json={"messages": asked})).json()
        broken = first["choices"][0]["message"]["content"]
        with pytest.raises(orjson.JSONDecodeError):
            orjson.loads(broken)
        told = [*asked, {"role": "assistant", "content": broken}, {"role": "user", "content": "That is not JSON."}]
        second = (await model.post("/v1/chat/completions", json={"messages": told})).json()
    assert orjson.loads(second["choices"][0]["message"]["content"])["name"] == PROPOSAL["name"]
    assert [(fault.kind, fault.theme) for fault in app.state.injected] == [("invalid_json", CONTEXT["key"])]


@pytest.mark.parametrize(("repair", "least", "most"), [(0.0, 60, 60), (0.7, 9, 27), (1.0, 0, 0)])
async def test_an_error_report_repairs_as_often_as_the_profile_says(repair: float, least: int, most: int):
    """Every attempt has a seed of its own, as the line asks."""
    app = create_app(Profile(faults=0.3, repair=repair, only="invalid_json"))
    import httpx2

    reports = [{"role": "assistant", "content": "?"}, {"role": "user", "content": "That is not JSON."}]
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://embedded") as model:
        for seed in range(2, 62):
            body = {"messages": [*messages("theme", CONTEXT), *reports], "seed": seed}
            assert (await model.post("/v1/chat/completions", json=body)).status_code == 200
    assert least <= len(app.state.injected) <= most


async def test_who_makes_no_faults_makes_none_when_told_of_one():
    app = create_app(Profile(faults=0.0, repair=0.0))
    import httpx2

    told = [*messages("theme", CONTEXT), {"role": "assistant", "content": "?"}, {"role": "user", "content": "No."}]
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://embedded") as model:
        answer = (await model.post("/v1/chat/completions", json={"messages": told})).json()
    assert orjson.loads(answer["choices"][0]["message"]["content"])["name"] == PROPOSAL["name"]


async def test_a_rate_limit_passes_when_tried_again():
    model = openai_client(Profile(faults=1.0, repair=1.0, only="http_429"), retries=1)
    answer = await model.chat.completions.create(model="embedded", messages=messages("theme", CONTEXT))
    assert orjson.loads(answer.choices[0].message.content)["name"] == PROPOSAL["name"]


async def test_every_fault_of_code_changes_some_function_that_was_right():
    environment = await author_environment("Oakridge climbing gym", "Sports and fitness", "A gym.", "full")
    tables, tools = ([dump(one) for one in part] for part in (environment.tables, environment.tools))
    context = {"theme": dump(environment.theme), "tables": tables, "row_counts": {}, "sample_rows": []}
    context |= all_wanted(tools)
    right = {function.name: function.source for function in environment.functions}
    for kind in kinds_for("server_code"):
        async with client() as model:
            body = {"model": f"embedded:faults=1,only={kind}", "messages": messages("server_code", context)}
            answer = (await model.post("/v1/chat/completions", json=body)).json()
        functions = orjson.loads(answer["choices"][0]["message"]["content"])["functions"]
        changed = [function["name"] for function in functions if function["source"] != right[function["name"]]]
        assert len(changed) == 1, kind


async def test_every_fault_of_a_solution_or_a_verifier_changes_it():
    environment = await author_environment("Oakridge climbing gym", "Sports and fitness", "A gym.", "full")
    changing = next(task for task in environment.tasks if task.kind == "action")
    telling = next(task for task in environment.tasks if task.kind == "information")
    tables, tools = map(dump, environment.tables), [dump(ToolSignature.of(tool)) for tool in environment.tools]
    told = {"answer_form": {"fields": []}, "report": {"outcome": "done", "message": "It is done."}}
    solved = {"calls": [], "changes": [], "alternatives": [], **told}
    own: dict[str, dict[str, Any]] = {"reference_solutions": {"tools": tools}, "verifiers": {"tables": list(tables)}}
    shared = {"theme": dump(environment.theme), "states": STATES, "task_count": 10, "sample_rows": []}
    for schema in own:
        for kind in kinds_for(schema):
            task = telling if kind in ("no_answer", "any_answer") else changing
            shown = dump(task) if schema == "reference_solutions" else {"task": dump(task), **solved}
            context = shared | own[schema] | {"tasks": [shown], "clock": environment.states[task.state].clock}
            async with client() as model:
                right = _program(await ask(model, schema, context))
                body = {"model": f"embedded:faults=1,only={kind}", "messages": messages(schema, context)}
                answer = (await model.post("/v1/chat/completions", json=body)).json()
            faulty = _program(orjson.loads(answer["choices"][0]["message"]["content"]))
            assert faulty != right, kind
            compile(faulty, kind, "exec")


def _program(answer: dict[str, Any]) -> str:
    ((program,),) = answer.values()
    return str(program["source"])
