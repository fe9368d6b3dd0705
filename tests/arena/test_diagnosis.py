"""Diagnosis: planted mistakes are found, and what a model says counts only where episodes show it."""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from envfactory_dagster.arena.diagnosis import computed
from envfactory_dagster.arena.diagnosis.asking import ask, context_of
from envfactory_dagster.arena.diagnosis.episodes import FailedEpisode, failed_episodes
from envfactory_dagster.arena.round_results import GROUPS, rate, rates
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.authoring.loop import Authored
from envfactory_dagster.contracts.arena import ArenaResults, ArenaTaskResult, ArenaTasks
from envfactory_dagster.contracts.diagnosis import Diagnosis, DiagnosisContext, DiagnosisWritten
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.language.built_in.conversation import read_question
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from tests.arena.conftest import EXAMINED, Ground
from tests.support.judges import judged_by

NAMED = {
    "wrong_entity": {"wrong_entity", "wrong_value", "answer_wrong"},
    "stops_early": {"stopped_early"},
    "hallucinated_tool": {"hallucinated_tool"},
    "malformed_arguments": {"bad_arguments"},
    "over_asking": {"over_asking"},
}


async def test_planted_mistakes_are_what_is_found(ground: Ground):
    await ground.run(ground.tasks(), "x-r00")
    for mistake, named in NAMED.items():
        made = await ground.played_by(f"reference:competence=0.5,mistakes={mistake}")
        assert made.author == "computed" and made.model == "built-in" and "cannot answer diagnosis" in made.refused
        assert made.failed >= 5
        found = {one.failure for one in made.failures}
        assert found <= named or mistake == "wrong_entity"  # which may be one that does not even fit the schema
        assert made.patterns[0].root_cause in named
        assert sum(one.share for one in made.patterns) == pytest.approx(1.0)


async def test_whoever_fails_nothing_has_no_weakness_and_nobody_is_asked(ground: Ground):
    made = await ground.played_by("reference")
    assert (made.failed, made.patterns, made.weak, made.guidelines) == (0, [], [], [])
    assert (made.author, made.model, made.pass_rate) == ("computed", None, 1.0)


async def test_guidelines_name_what_there_is(ground: Ground):
    made = await ground.played_by("reference:competence=0,mistakes=hallucinated_tool")
    assert made.weak and not made.clear
    for one in made.guidelines:
        assert len(one.practise) >= 2 and set(one.practise) <= {"list_items", "place_order"}


# -- which environments are weak ---------------------------------------------------------------------------------------


def results_of(passed: dict[str, list[int]], category_of: Callable[[str], str] = lambda key: "all") -> ArenaResults:
    """Of tasks that were played four times each and passed so many times."""
    tasks = [
        ArenaTaskResult(
            environment=key, category=category_of(key), task=f"task_{number}", source="family", kind="action", level=1,
            played=4, passed=count, environment_errors=0,
        )
        for key, counts in passed.items()
        for number, count in enumerate(counts)
    ]  # fmt: skip
    return ArenaResults(
        policy="p", candidates=4, episodes="", tasks=tasks, overall=rate("all", tasks),
        rates={name: rates(tasks, group) for name, group in GROUPS.items()},
    )  # fmt: skip


def test_only_clearly_weaker_environments_are_called_weak_where_there_are_any():
    good = {f"good-{number}": [4, 4, 4, 3, 4, 4, 4, 2] for number in range(6)}
    found = computed.weak_environments(results_of(good | {"bad": [1, 0, 2, 1, 4, 0, 1, 2]}), 3)
    assert ([one.group for one in found.rates], found.clear) == (["bad"], True)


def test_where_none_is_clearly_weaker_the_lowest_are_named_and_it_is_said():
    alike = {f"env-{number}": [4, 2, 4, 1 + number % 2, 4, 4] for number in range(8)}
    found = computed.weak_environments(results_of(alike), 2)
    assert len(found.rates) == 2 and not found.clear
    assert all(one.value < 0.8 for one in found.rates)


def test_an_environment_with_one_failed_task_is_not_weak():
    found = computed.weak_environments(results_of({"a": [4, 4, 0], "b": [4, 4, 4], "c": [4, 4, 4]}), 3)
    assert found.rates == []
    assert computed.may_be_weak(results_of({"a": [4, 4, 0], "b": [4, 4, 4]})) == set()


def test_a_single_environment_can_be_diagnosed():
    alone = results_of({"a": [4, 0, 0]})
    assert [one.group for one in computed.weak_environments(alone, computed.most_weak(alone, 0.25)).rates] == ["a"]


# -- what a model says -------------------------------------------------------------------------------------------------


class Diagnoser:
    """A model that answers with what is computed, changed by a test; all else it leaves to the built-in model."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer, self.asked = answer, list[dict[str, Any]]()

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        async def chat(request: Request) -> JSONResponse:
            body = await request.json()
            self.asked.append(dict(read_question(body["messages"]).context))
            message = {"role": "assistant", "content": json.dumps(self.answer)}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            return JSONResponse(
                {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage}
            )

        app.mount("/", create_app())
        return app


@dataclass(frozen=True)
class Played:
    """A round in which one kind of mistake was made, and an answer about it that stands the gate."""

    results: ArenaResults
    episodes: list[FailedEpisode]
    context: DiagnosisContext
    right: dict[str, Any]

    async def asked(self, answer: dict[str, Any], folder: Path) -> Authored[DiagnosisWritten]:
        async with judged_by(Diagnoser(answer).app(), folder) as gateway:
            return await ask(gateway, Caller("diagnosis", "x-r00", Role.JUDGE), self.context, self.episodes)


@pytest_asyncio.fixture(scope="module")
async def played(runtime: Runtime, made: list[MadeTask], tmp_path_factory: pytest.TempPathFactory) -> Played:
    home = Home.resolve(tmp_path_factory.mktemp("played"))
    async with Gateway(LanguageSettings(), home.root) as gateway:
        ground = Ground(home, gateway, runtime, made)
        for key in EXAMINED:
            ground.release(key)
        tasks = ArenaTasks.model_validate((await ground.run(ground.tasks(), "x-r00")).artifact)
        policy = "reference:competence=0.3,mistakes=stops_early"
        results = ArenaResults.model_validate((await ground.run(ground.results(policy), "x-r00")).artifact)
    below = ArenaRound("x", 0).home(home)
    episodes = await failed_episodes(runtime, below, tasks, results)
    bundles = {one.key: BundleStore(below).load(one.key, one.version) for one in tasks.environments}
    right = computed.written(computed.weak_environments(results, 1), episodes, 12)
    context = context_of(results, episodes, bundles, 0.25)
    return Played(results, episodes, context, right.model_dump(mode="json"))


async def test_an_answer_that_rests_on_episodes_is_taken(played: Played, tmp_path: Path):
    found = await played.asked(played.right, tmp_path)
    assert found.value is not None and found.value.model_dump(mode="json") == played.right
    assert played.context.episodes and all(one.steps for one in played.context.episodes)
    assert "def solve" not in played.context.model_dump_json()


async def test_what_a_model_says_is_the_diagnosis_and_says_who_said_it(ground: Ground, tmp_path: Path):
    computed_one = await ground.played_by("reference:competence=0.3,mistakes=stops_early")
    answer = {name: computed_one.model_dump(mode="json")[name] for name in ("patterns", "weak", "guidelines")}
    answer["guidelines"][0]["missing_capability"] = "Orders are not placed after the item was found."
    async with judged_by(Diagnoser(answer).app(), tmp_path / "gateway") as gateway:
        stage = ground.diagnosis(gateway, share=0.26)  # other settings than those of the computed one
        made = Diagnosis.model_validate((await ground.run(stage, "x-r00")).artifact)
    assert (made.author, made.refused) == ("model", "")
    assert made.guidelines[0].missing_capability == "Orders are not placed after the item was found."


def changed(answer: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    wrong = copy.deepcopy(answer)
    place = wrong
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return wrong


NOT_THERE = {"environment": "shop-east", "task": "made_up", "seed": 0, "step": 0}


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        (("patterns", 0, "evidence", 0), NOT_THERE, "which is no failed episode"),
        (("patterns", 0, "evidence", 0, "step"), 99, "that episode has"),
        (("patterns", 0, "root_cause"), "loops", "that episode is of the class stopped_early"),
        (("patterns", 0, "share"), 0.3, "have a share of 0.30 together; it is 1.00"),
        (("patterns",), [], "There are failures, and no pattern"),
        (("weak", 0, "environment"), "shop-nowhere", "There is no environment shop-nowhere in the arena"),
        (("weak", 0, "rank"), 2, "ranked 1, 2, 3"),
        (("weak", 0, "pass_rate"), 0.99, "The pass rate of"),
        (("weak", 0, "patterns"), ["laziness"], "names the pattern laziness"),
        (("guidelines", 0, "practise"), ["place_order", "teleport"], "has no tool, table or rule teleport"),
        (("guidelines", 0, "practise"), ["place_order"], "names fewer than 2"),
        (("guidelines", 0, "environment"), "shop-nowhere", "which is not called weak"),
        (("guidelines",), [], "There is no guideline for"),
    ],
)
async def test_what_is_not_there_is_not_taken(played: Played, tmp_path: Path, path: tuple[Any, ...], to: Any, why: str):
    found = await played.asked(changed(played.right, *path, to=to), tmp_path)
    assert found.value is None and why in " ".join(one.message for one in found.problems)


async def test_two_guidelines_that_say_the_same_are_not_taken(played: Played, tmp_path: Path):
    twice = changed(played.right, "guidelines", to=played.right["guidelines"] * 2)
    found = await played.asked(twice, tmp_path)
    assert found.value is None and "says the same as guideline" in found.rejection()
