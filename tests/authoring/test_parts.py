"""Several things asked for at once: each is judged, mended and given up by itself."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import Response

from envfactory_dagster.authoring.loop import Authored, Question
from envfactory_dagster.authoring.parts import MOST_PARTS, Parts, author_parts, batched
from envfactory_dagster.contracts.base import Contract
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.requests import VerifierOfTask, VerifiersAnswer
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from tests.language.played_endpoint import PlayedEndpoint, Scene, says

CALLER = Caller("verifiers", "a", Role.AUTHOR)


class Wanted(Contract):
    world: str
    tasks: list[str]


async def _is_good(answer: VerifierOfTask) -> list[Problem]:
    return [] if answer.source == "good" else [Problem(fault="verifier", message=f"{answer.source} is not good.")]


async def _cannot_be(answer: VerifierOfTask) -> list[Problem]:
    return [Problem(fault="tasks", message="It cannot be.", mendable=False)]


def _ask(names: Sequence[str]) -> Question[VerifiersAnswer]:
    return Question("verifiers", VerifiersAnswer, "Write them.", Wanted(world="w" * 500, tasks=list(names)))


async def authored(
    endpoint: PlayedEndpoint, home: Path, *names: str, hopeless: str = "", attempts: int = 3
) -> tuple[dict[str, Authored[VerifierOfTask]], list[Attempt]]:
    settings = LanguageSettings(
        base_url="http://played/v1", models=dict.fromkeys(Role, "played"), limits=LimitSettings(backoff_s=0.001)
    )
    parts = Parts(
        part=VerifierOfTask,
        ask=_ask,
        given=lambda answer: answer.verifiers,
        answer=lambda given: VerifiersAnswer(verifiers=given),
        gates={name: _cannot_be if name == hopeless else _is_good for name in names},
    )
    async with Gateway(settings, home, app=endpoint.app()) as gateway:
        return await author_parts(gateway, CALLER, parts, attempts=attempts)


def gives(**sources: object) -> Scene:
    return says(json.dumps({"verifiers": [{"task": task, "source": source} for task, source in sources.items()]}))


def asked_for(body: dict[str, Any]) -> list[str]:
    question = json.loads(body["messages"][1]["content"].removeprefix("```json\n").removesuffix("\n```"))
    return list(question["context"]["tasks"])


async def test_what_is_refused_is_asked_for_again_and_nothing_else(tmp_path: Path) -> None:
    endpoint = PlayedEndpoint(always=gives(b="good", c="good"))
    endpoint.stage.append(gives(a="good", b="weak", c="poor"))
    done, attempts = await authored(endpoint, tmp_path, "a", "b", "c")
    assert [asked_for(body) for body in endpoint.bodies] == [["a", "b", "c"], ["b", "c"]]
    shown, told = (message["content"] for message in endpoint.bodies[1]["messages"][2:])
    assert [part["task"] for part in json.loads(shown)["verifiers"]] == ["b", "c"], "nothing of what was accepted"
    assert "b: weak is not good." in told and "c: poor is not good." in told
    assert {name: one.value is not None for name, one in done.items()} == dict.fromkeys("abc", True)
    assert {name: len(one.attempts) for name, one in done.items()} == {"a": 1, "b": 2, "c": 2}
    assert [(one.number, len(one.problems), one.tokens_in) for one in attempts] == [(1, 2, 100), (2, 0, 100)]


async def test_a_part_of_another_form_leaves_the_others_standing(tmp_path: Path) -> None:
    endpoint = PlayedEndpoint(always=gives(b="good", c="good"))
    endpoint.stage.append(gives(a="good", b=7))
    done, _ = await authored(endpoint, tmp_path, "a", "b", "c")
    told = endpoint.bodies[1]["messages"][-1]["content"]
    assert "[answer] b: " in told and "source: Input should be a valid string, got 7" in told
    assert "c: The answer has nothing for this task." in told
    assert all(one.value is not None for one in done.values())


async def test_attempts_are_counted_for_each_part(tmp_path: Path) -> None:
    endpoint = PlayedEndpoint(always=gives(a="good", b="weak", c="good"))
    done, attempts = await authored(endpoint, tmp_path, "a", "b", "c", hopeless="c")
    assert {name: len(one.attempts) for name, one in done.items()} == {"a": 1, "b": 3, "c": 1}
    assert done["b"].rejection() == "not accepted after 3 attempts; verifier: weak is not good."
    assert done["c"].rejection() == "not accepted after 1 attempt; tasks: It cannot be."
    assert [asked_for(body) for body in endpoint.bodies] == [["a", "b", "c"], ["b"], ["b"]]
    assert len(attempts) == 3, "one for each answer"


async def test_where_there_is_no_answer_about_so_many_each_half_is_asked_for(tmp_path: Path) -> None:
    """An endpoint whose longest answer holds two parts."""

    def holds_two(body: dict[str, Any]) -> Response:
        names = asked_for(body)
        scene = says('{"verifiers": [{', finish="length") if len(names) > 2 else gives(**dict.fromkeys(names, "good"))
        played = scene(body)
        assert isinstance(played, Response)
        return played

    endpoint = PlayedEndpoint(always=holds_two)
    done, attempts = await authored(endpoint, tmp_path, *"abcd")
    assert all(one.value is not None and len(one.attempts) == 1 for one in done.values())
    assert Counter(len(asked_for(body)) for body in endpoint.bodies) == {4: 2, 2: 2}
    assert sum(one.tokens_in for one in attempts) == 400, "what was paid for in vain is counted"
    assert sum("cut off" in problem.message for one in attempts for problem in one.unusable) == 2


async def test_questions_of_one_round_begin_alike(tmp_path: Path) -> None:
    names = [f"task_{number}" for number in range(20)]

    def good(body: dict[str, Any]) -> Response:
        played = gives(**dict.fromkeys(asked_for(body), "good"))(body)
        assert isinstance(played, Response)
        return played

    endpoint = PlayedEndpoint(always=good)
    done, _ = await authored(endpoint, tmp_path, *names)
    assert list(done) == names
    asked = [asked_for(body) for body in endpoint.bodies]
    assert sorted(len(one) for one in asked) == [6, 7, 7]
    assert len({body["messages"][0]["content"] for body in endpoint.bodies}) == 1
    shared = {body["messages"][1]["content"].partition('"tasks"')[0] for body in endpoint.bodies}
    assert len(shared) == 1


def test_batches_are_as_few_as_can_be_and_even() -> None:
    assert batched([]) == []
    assert [len(one) for one in batched(["x"] * (MOST_PARTS + 1))] in ([4, 5], [5, 4])
