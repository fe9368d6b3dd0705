"""With nothing set, the built-in model answers, in this process, through the same gateway."""

from envfactory_dagster.contracts.task_reading import TaskReviewAnswer
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings

ENDPOINT = "http://127.0.0.1:9/v1"
CALLER = Caller(asset="verifiers", partition="", role=Role.JUDGE)
REVIEW = {"service": "a bakery", "tools": [], "tasks": [{"task": "rolls", "text": "Order two rolls.", "steps": []}]}


async def test_it_answers_costs_nothing_and_is_cached_like_any_other(tmp_path):
    settings = LanguageSettings.from_environment({"ENVFACTORY_BUDGET_USD": "0"})
    async with Gateway(settings, tmp_path) as gateway:
        answers = [
            await gateway.ask(
                caller=CALLER,
                schema_name="task_review",
                answer=TaskReviewAnswer,
                instructions="Review tasks.",
                context=REVIEW,
            )
            for _ in range(2)
        ]
        (vector,) = await gateway.embed(caller=CALLER, texts=["a bakery"])
    assert [one.task for one in answers[0].value.tasks] == ["rolls"]
    assert answers[0].value == answers[1].value
    assert [answer.cached for answer in answers] == [False, True]
    assert len(vector) > 10
    rows = read_ledger(tmp_path)
    assert rows["cost_usd"].to_list() == [0.0, 0.0, 0.0]
    assert rows["model"].unique().to_list() == ["built-in"]


async def test_it_embeds_beside_an_endpoint_that_is_only_asked_to_chat(tmp_path):
    texts = ["a bakery", "a bank"]
    vectors = []
    for environ in ({}, {"ENVFACTORY_LLM_BASE_URL": ENDPOINT, "ENVFACTORY_MODEL": "big", "ENVFACTORY_BUDGET_USD": "0"}):
        async with Gateway(LanguageSettings.from_environment(environ), tmp_path) as gateway:
            vectors.append(await gateway.embed(caller=CALLER, texts=texts))
    assert vectors[0] == vectors[1]
    assert read_ledger(tmp_path)["cost_usd"].to_list() == [0.0, 0.0]
