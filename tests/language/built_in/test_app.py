"""The built-in model as clients of the OpenAI API see it."""

from typing import Any

import httpx2
import openai
import orjson
import pytest

from envfactory_dagster.contracts.judge_requests import ClerkReviewContext
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.language.settings import BUILT_IN_MODEL

REVIEW = {
    "schema": "clerk_review",
    "context": ClerkReviewContext(service="A climbing gym.", rules=[], tools=[], calls=[]).model_dump(mode="json"),
}


def messages(question: dict[str, Any]) -> list[dict[str, str]]:
    block = orjson.dumps(question).decode()
    return [{"role": "user", "content": f"Go.\n```json\n{block}\n```"}]


def client() -> openai.AsyncOpenAI:
    http = openai.DefaultAsyncHttpxClient(transport=httpx2.ASGITransport(app=create_app()))
    return openai.AsyncOpenAI(api_key="none", base_url="http://built-in/v1", http_client=http, max_retries=0)


async def test_a_streamed_answer_is_the_plain_answer_in_pieces() -> None:
    model = client()
    plain = await model.chat.completions.create(model=BUILT_IN_MODEL, messages=messages(REVIEW))
    stream = await model.chat.completions.create(
        model=BUILT_IN_MODEL, messages=messages(REVIEW), stream=True, stream_options={"include_usage": True}
    )
    chunks = [chunk async for chunk in stream]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == (
        plain.choices[0].message.content
    )
    assert chunks[-1].usage == plain.usage
    assert plain.usage.prompt_tokens > 20


async def test_several_answers_are_given_where_several_are_asked_for() -> None:
    model = client()
    one = await model.chat.completions.create(model=BUILT_IN_MODEL, messages=messages(REVIEW), n=None)
    many = await model.chat.completions.create(model=BUILT_IN_MODEL, messages=messages(REVIEW), n=3)
    assert [choice.message.content for choice in many.choices] == 3 * [one.choices[0].message.content]
    assert many.usage.completion_tokens == 3 * one.usage.completion_tokens
    for n in (0, 129):
        with pytest.raises(openai.UnprocessableEntityError):
            await model.chat.completions.create(model=BUILT_IN_MODEL, messages=messages(REVIEW), n=n)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no block here", "no fenced json block"),
        ('```json\n{"schema": "clerk_review", "context": {"calls": 1}}\n```', "does not fit the schema 'clerk_review'"),
        ("```json\n{broken\n```", "is not JSON"),
    ],
)
async def test_a_question_it_cannot_read_is_refused_with_a_sentence(content: str, said: str) -> None:
    with pytest.raises(openai.BadRequestError, match=said):
        await client().chat.completions.create(model=BUILT_IN_MODEL, messages=[{"role": "user", "content": content}])


async def test_what_takes_an_author_is_refused_with_what_to_do() -> None:
    asked = messages({"schema": "theme", "context": {}})
    with pytest.raises(openai.UnprocessableEntityError, match=r"cannot answer theme.*ENVFACTORY_MODEL") as refused:
        await client().chat.completions.create(model=BUILT_IN_MODEL, messages=asked)
    assert refused.value.code == "no_other_answer"


async def test_near_duplicates_embed_closely_and_different_themes_do_not() -> None:
    texts = [
        "A climbing gym where members book wall sessions",
        "A climbing gym where the members book a wall session",
        "Freight brokers track containers across ports",
    ]
    answer = await client().embeddings.create(model=BUILT_IN_MODEL, input=texts, encoding_format="float")
    first, near, far = (row.embedding for row in answer.data)
    assert sum(a * b for a, b in zip(first, near, strict=True)) > 0.85
    assert sum(a * b for a, b in zip(first, far, strict=True)) < 0.3


async def test_it_lists_itself() -> None:
    assert [model.id async for model in client().models.list()] == [BUILT_IN_MODEL]
