"""Messages in a model's own words: what code accepts is a variant, and of what it refuses a judge has the last word;
a message that lies in words is the judge's to find."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.truth import Trial, VerifierSet
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.free_messages import Told, try_free_messages
from envfactory_dagster.truth.reported import lying_in_words
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from tests.support.alpine_author import Answer, Asked, alpine_author
from tests.support.reports import report
from tests.truth.test_judging import gold_of, judging
from tests.truth.test_stages import truth, with_tasks

RIGHT = (
    "All cancelled: you get €435 back.",
    "I cancelled the hut and the three places on the course, and Marek is off your list. Together that is 435.00 euros"
    " for you.",
    "Sorry to hear about the weekend! Four hundred and thirty-five euros are on their way back to you.",
)
LIE = "All cancelled: you get 436.00 euros back."
LIES_IN_WORDS = {lying_in_words(report(outcome))[1].message for outcome in ("done", "impossible")}
TASK = "call_it_off"
Asking = tuple[Bundle, Task, Run, Path]


@pytest.fixture
def asking(huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path) -> Asking:
    return huts, tasks[TASK], gold[TASK], tmp_path


async def tried(
    asking: Asking, messages: list[str], agrees: bool | None, task: str = TASK, lie_agrees: bool | None = None
) -> tuple[Told, list[str]]:
    """What came of these messages, and the schemas of what was asked. `agrees`: what the judge says of each;
    `lie_agrees`: what it says of the one that lies in words."""
    huts, about, run, folder = asking

    def written(asked: Asked) -> Answer:
        if asked.schema == "free_messages":
            return {"tasks": [{"task": task, "messages": messages}]}
        message = asked.context["episode"]["report"]["message"]
        said = lie_agrees if message in LIES_IN_WORDS else agrees
        found: list[dict[str, Any]] = [{"quote": message, "against": "the answer"}] if said is False else []
        return {"agrees": said, "contradictions": found}

    app = alpine_author(instead=written)
    async with judging(folder, app) as judge:
        told = await try_free_messages(judge.gateway, huts, "verifiers", [(about, gold_of(huts, about, run))], 2)
    return told, [one.schema for one in app.state.asked]


def trials_of(told: Told) -> list[Trial]:
    return told.trials.get(TASK, [])


async def test_right_messages_in_other_words_are_variants(asking: Asking) -> None:
    told, asked = await tried(asking, list(RIGHT), None)
    found = [(one.kind, one.expected, one.score, one.right) for one in trials_of(told)]
    assert found == [("variant", "accept", 1.0, True)] * 3
    assert [RIGHT[n] in one.what for n, one in enumerate(trials_of(told))] == [True] * 3
    assert not told.dropped and asked == ["free_messages", "judge_message"], (
        "a judge reads the lie, and nothing that code accepts"
    )


@pytest.mark.parametrize("agrees", [False, None])
async def test_a_message_that_is_wrong_itself_is_no_variant(asking: Asking, agrees: bool | None) -> None:
    told, asked = await tried(asking, [RIGHT[0], LIE], agrees)
    assert not told.dropped and [RIGHT[0] in one.what for one in trials_of(told)] == [True]
    assert asked == ["free_messages", *["judge_message"] * 2]


async def test_a_task_that_would_pay_nothing_for_a_right_message_is_dropped(asking: Asking) -> None:
    told, _ = await tried(asking, [LIE], True)
    (dropped,) = told.dropped
    assert (dropped.task, dropped.stage) == (TASK, "verifiers")
    assert LIE in dropped.reason and "where the answer money_back is 43500" in dropped.reason


async def test_messages_for_a_task_that_is_not_there_are_asked_for_again_and_then_left_out(asking: Asking) -> None:
    told, asked = await tried(asking, [LIE], True, task="nobody")
    assert not told.trials and not told.dropped and asked == ["free_messages"] * 2 + ["judge_message"]


async def test_a_lie_in_words_is_killed_where_the_judge_finds_it(asking: Asking) -> None:
    told, _ = await tried(asking, [RIGHT[0]], None, lie_agrees=False)
    found = [(one.kind, one.operator, one.expected, one.score, one.right) for one in trials_of(told)]
    assert found[1:] == [("mutant", "lying_words", "reject", 0.0, True)] and not told.dropped


async def test_a_task_of_which_the_judge_believes_a_lie_is_dropped(asking: Asking) -> None:
    told, _ = await tried(asking, [RIGHT[0]], None, lie_agrees=True)
    (dropped,) = told.dropped
    assert dropped.task == TASK and "tells the person that it is refused" in dropped.reason


async def test_a_lie_that_nobody_can_read_counts_neither_as_killed_nor_as_missed(asking: Asking) -> None:
    told, _ = await tried(asking, [RIGHT[0]], None, lie_agrees=None)
    assert [one.kind for one in trials_of(told)] == ["variant"]
    huts, about, run, folder = asking
    async with judging(folder / "built-in", alpine_author()) as judge:  # writes no messages
        told = await try_free_messages(judge.gateway, huts, "verifiers", [(about, gold_of(huts, about, run))], 2)
    assert not told.trials and not told.dropped


@pytest.mark.parametrize("task", [TASK, "sprained_ankle"])
async def test_without_a_judge_the_verdict_on_a_lie_in_words_says_that_only_values_were_checked(
    runtime: Runtime, gold: dict[str, Run], checks: dict[str, TaskChecks], task: str
) -> None:
    right = gold[task].report
    assert right is not None
    lied = await judge(runtime, checks[task], replace(gold[task], report=lying_in_words(right)[1]))
    assert (lied.score, lied.message) == (1.0, "values_only")


async def test_verifiers_are_kept_with_these_trials_and_dropped_for_them(
    runtime: Runtime, huts: Bundle, tmp_path: Path
) -> None:
    """The nephew is told the age; that he is told another one is taken for right by this judge."""

    def written(asked: Asked) -> Answer | None:
        if asked.schema == "free_messages":
            told = {"nephew_alone": "He would have to be nineteen.", "accounts_of_2026": "813 euros, 423 of it there."}
            return {"tasks": [{"task": task, "messages": [text]} for task, text in told.items()]}
        if asked.schema != "judge_message":
            return None
        message = asked.context["episode"]["report"]["message"]
        against = [{"quote": message, "against": "the outcome"}] if message in LIES_IN_WORDS else []
        return {"agrees": not against, "contradictions": against}

    bundle = with_tasks(huts, "nephew_alone", "accounts_of_2026")
    async with truth(alpine_author(instead=written), runtime, tmp_path, bundle, least_tasks=1) as running:
        _, verified = await running.run()
    kept = VerifierSet.model_validate(verified.artifact)
    assert [one.task for one in kept.dropped] == ["nephew_alone"]
    (gated,) = kept.verifiers
    trials = {t.operator: t.right for t in gated.gate.trials if t.operator in ("free_message", "lying_words")}
    assert trials == {"free_message": True, "lying_words": True}
