"""The stages of the truth: solutions that run, verifiers that stood their gate, and what becomes of the rest."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fastapi import FastAPI
from pydantic import SecretStr

from envfactory_dagster.assets.metadata import record_metadata
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Contract, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.truth import SolutionSet, VerifierSet
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.line import truth_stages
from tests.support import alpine_author as alpine
from tests.support.alpine_author import Answer, Asked, alpine_author
from tests.support.reports import report

KEY = "alpine-huts"
FEW = ("nephew_alone", "sprained_ankle", "accounts_of_2026", "call_it_off")
"""One task that is refused, one that changes a row, one that only asks, and one that changes several."""


@dataclass(frozen=True)
class Truth:
    """The two stages over a home in which an environment is built already."""

    stages: dict[str, Any]
    records: RecordStore

    async def run(self) -> tuple[StageRecord, StageRecord]:
        return await self.stage("reference_solutions"), await self.stage("verifiers")

    async def stage(self, name: str) -> StageRecord:
        return await run_stage(self.records, self.stages[name], KEY)


@asynccontextmanager
async def truth(app: FastAPI, runtime: Runtime, folder: Path, bundle: Bundle, **settings: Any) -> AsyncIterator[Truth]:
    home = Home.resolve(folder)
    bundles, records = BundleStore(home), RecordStore(home)
    bundles.keep(bundle)
    records.keep(_made("seed_rows", alpine.seed()))
    records.keep(_made("database_schema", DatabaseSchema(tables=alpine.tables())))
    records.keep(_made("environment", {"version": bundle.version}))
    language = LanguageSettings(
        base_url="http://model/v1",
        api_key=SecretStr("none"),
        limits=LimitSettings(backoff_s=0.001),
        models=dict.fromkeys(Role, "author"),
    )
    async with Gateway(language, folder, app=app) as gateway:
        chosen = AuthoringSettings(states=alpine.STATES, rules_asked=alpine.RULES, **settings)
        stages = truth_stages(gateway, runtime, chosen, bundles)
        yield Truth({stage.name: stage for stage in stages}, records)


def _made(stage: str, made: Contract | dict[str, str]) -> StageRecord:
    artifact = made.model_dump(mode="json") if isinstance(made, Contract) else made
    version = content_hash(artifact)
    return StageRecord(stage=stage, partition=KEY, status="ok", inputs=version, version=version, artifact=artifact)


def with_tasks(huts: Bundle, *names: str) -> Bundle:
    return replace(huts, tasks=[task for task in huts.tasks if task.id in names])


class Spoiled:
    """An author who answers for one task wrongly until it was told so often; `schema` names the question."""

    def __init__(self, schema: str, task: str, wrong: Callable[[Answer], Answer | None], times: int = 1) -> None:
        self.reports: list[str] = []
        self._schema, self._task, self._wrong, self._times = schema, task, wrong, times

    def __call__(self, asked: Asked, answer: Answer) -> Answer:
        if asked.schema != self._schema or self._task not in asked_for(asked):
            return answer
        self.reports += asked.reports
        if len(self.reports) >= self._times:
            return answer
        ((name, parts),) = answer.items()
        given = [self._wrong(part) if part["task"] == self._task else part for part in parts]
        return {name: [part for part in given if part is not None]}


def asked_for(asked: Asked) -> list[str]:
    """The tasks that a question is about."""
    return [one["id"] if "id" in one else one["task"]["id"] for one in asked.context["tasks"]]


# -- all goes well -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finished:
    asked: list[Asked]
    solved: StageRecord
    verified: StageRecord

    @property
    def solutions(self) -> SolutionSet:
        return SolutionSet.model_validate(self.solved.artifact)

    @property
    def verifiers(self) -> VerifierSet:
        return VerifierSet.model_validate(self.verified.artifact)


@pytest_asyncio.fixture(scope="module")
async def finished(runtime: Runtime, huts: Bundle, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Finished]:
    app = alpine_author()
    async with truth(app, runtime, tmp_path_factory.mktemp("truth"), with_tasks(huts, *FEW)) as running:
        solved, verified = await running.run()
        asked = list(app.state.asked)
        assert (solved, verified) == await running.run()
        assert app.state.asked == asked, "what was made is not asked for again"
        yield Finished(asked, solved, verified)


def test_every_task_is_solved_and_verified(finished: Finished) -> None:
    assert {solution.task for solution in finished.solutions.solutions} == set(FEW)
    assert {gated.verifier.task for gated in finished.verifiers.verifiers} == set(FEW)
    assert all(gated.gate.passed for gated in finished.verifiers.verifiers)
    assert not finished.solutions.dropped and not finished.verifiers.dropped


def test_a_solution_is_kept_with_what_came_of_it(finished: Finished) -> None:
    kept = {solution.task: solution for solution in finished.solutions.solutions}
    refused, read, done = kept["nephew_alone"], kept["accounts_of_2026"], kept["call_it_off"]
    assert refused.calls[-1].outcome == "agent" and refused.changes == []
    assert (refused.report.outcome, refused.report.reason) == ("refused", "minors_with_guardian")
    assert "euros" in read.report.message and read.changes == []
    assert set(read.report.answers) == {field.name for field in read.form.fields}
    assert None not in read.report.answers.values()
    assert done.changes and {change.table for change in done.changes} >= {"bookings"}


def test_the_author_of_a_verifier_is_shown_what_the_solution_did(finished: Finished) -> None:
    about = next(a.context for a in finished.asked if a.schema == "verifiers" and FEW[0] in asked_for(a))
    shown = next(one for one in about["tasks"] if one["task"]["id"] == FEW[0])
    assert [call["tool"] for call in shown["calls"]][-1] == "sign_up_for_tour"
    assert "18" in shown["calls"][-1]["result"]
    assert about["clock"].startswith("2027"), "the rows and the time are those of the state the task starts in"


def test_the_tasks_of_a_state_are_asked_for_together_after_what_all_questions_share(finished: Finished) -> None:
    for stage in ("reference_solutions", "verifiers"):
        contexts = [asked.context for asked in finished.asked if asked.schema == stage]
        assert len(contexts) == len({context["clock"] for context in contexts}) == len(alpine.STATES)
        assert {next(reversed(context)) for context in contexts} == {"tasks"}
        shared = [dict(list(context.items())[:4]) for context in contexts]
        assert shared[0] == shared[1] and {"theme", "states"} < shared[0].keys()


async def test_a_wrong_answer_about_one_task_costs_the_others_nothing(
    runtime: Runtime, huts: Bundle, tmp_path: Path
) -> None:
    """One is wrong, one is missing, and one is of another form."""
    kinds: dict[str, Callable[[Answer], Answer | None]] = {
        "sprained_ankle": _program("pass", CANCELLED),
        "accounts_of_2026": lambda answer: None,
        "call_it_off": lambda answer: {"task": answer["task"], "sources": [answer["source"]]},
    }
    spoiled = [Spoiled("reference_solutions", task, wrong) for task, wrong in kinds.items()]

    def spoil(asked: Asked, answer: Answer) -> Answer:
        for one in spoiled:
            answer = one(asked, answer)
        return answer

    app = alpine_author(spoil)
    async with truth(app, runtime, tmp_path, with_tasks(huts, *FEW, "tour_with_ida")) as running:
        solved = await running.stage("reference_solutions")
    tries = solved.metadata["answers_of_a_task"]
    assert solved.status == "ok" and set(tries) == {*FEW, "tour_with_ida"}
    assert {task for task, answers in tries.items() if answers == 2} == set(kinds)
    solutions = [asked for asked in app.state.asked if asked.schema == "reference_solutions"]
    first, again = ([a for a in solutions if bool(a.reports) is told] for told in (False, True))
    assert {task for asked in again for task in asked_for(asked)} == set(kinds)
    assert len(first) == len({huts_task.state for huts_task in huts.tasks})


def test_a_person_sees_the_kill_matrix(finished: Finished) -> None:
    matrix = finished.verified.metadata["kill_matrix"]
    assert [row["task"] for row in matrix] == [solution.task for solution in finished.solutions.solutions]
    assert {row["noop"] for row in matrix} == {"1/1"}
    assert any(column.startswith("mutant: ") for column in matrix[0])
    assert finished.verified.metadata["kill_rate"] == 1.0
    assert "kill_matrix" in record_metadata(finished.verified, "home", reused=False)
    assert "def solve(tools)" in finished.solved.metadata["solutions.py"]


# -- what goes wrong is told, and mended ------------------------------------------------------------------------------


def _program(body: str, reported: Report | None = None) -> Callable[[Answer], Answer]:
    """A program that does this and then, where it comes so far, reports."""
    ending = "" if reported is None else f"    return {reported.model_dump(mode='json')!r}\n"
    return lambda answer: answer | {"source": f"def solve(tools):\n    {body}\n{ending}"}


def _attempt(call: str) -> Callable[[Answer], Answer]:
    return _program(f"try:\n        tools.{call}\n    except tools.Error:\n        pass", REFUSED)


CANCELLED = report(message="It is cancelled.", money_back=12_00)
NOTHING_FOUND = report(message="I found nothing.", paid_in_2026=None, of_it_for_murmelgrund=None)
PAID = report(paid_in_2026=1, of_it_for_murmelgrund=1)
REFUSED = report("refused", "He is too young to go alone.", "minors_with_guardian", age_to_go_alone=18)


WRONG_SOLUTIONS = [
    ("call_it_off", _program('return {}["booking"]'), "The program stopped: KeyError"),
    ("call_it_off", _program("pass", CANCELLED), "The program calls no tool"),
    ("call_it_off", _program("tools.list_bookings()"), "The program stopped: solve returned"),
    ("call_it_off", _program("tools.list_bookings()", CANCELLED), "changes nothing, and the task asks for a change"),
    ("call_it_off", _program("tools.cancel_everything()"), "The program stopped: "),
    (
        "call_it_off",
        lambda answer: answer | {"answer_form": answer["answer_form"] * 2},
        "The answer form is none: Value error, answer fields must be unique; repeated: money_back",
    ),
    ("accounts_of_2026", _program("tools.list_charges()", NOTHING_FOUND), "answers nothing"),
    ("accounts_of_2026", _program('tools.update_contact(phone="+43 660 1234567")', PAID), "changes people"),
    ("nephew_alone", _attempt('sign_up_for_tour(tour_date_id="the loop", person_ids=[1])'), "does not fit: arguments"),
    ("nephew_alone", _attempt("sign_up_alone()"), "does not fit: there is no such tool"),
    (
        "nephew_alone",
        _program("tools.get_my_profile()", report(age_to_go_alone=18)),
        "reports the outcome done; that of a task of kind refusal is refused",
    ),
    (
        "nephew_alone",
        _program("tools.get_my_profile()", REFUSED.model_copy(update={"reason": "members_first"})),
        "gives members_first as reason; the task rests on minors_with_guardian",
    ),
    (
        "nephew_alone",
        _program("tools.get_my_profile()", REFUSED.model_copy(update={"message": "He would have to be 21."})),
        "The message says 21 where the answer age_to_go_alone is 18",
    ),
    (
        "call_it_off",
        _program(
            "tools.sign_up_for_tour(tour_date_id=2, person_ids=[1]); tools.cancel_tour_signup(tour_signup_id=12)",
            CANCELLED,
        ),
        "Where new rows get other ids: The program stopped",
    ),
    (
        "call_it_off",
        lambda answer: answer | {"alternatives": [_program("tools.list_bookings()", CANCELLED)({})["source"]]},
        "Alternative 1: The program changes nothing",
    ),
]


@pytest.mark.parametrize(("task", "wrong", "told"), WRONG_SOLUTIONS, ids=[told for _, _, told in WRONG_SOLUTIONS])
async def test_a_wrong_solution_is_told_so_and_mended(
    runtime: Runtime, huts: Bundle, tmp_path: Path, task: str, wrong: Callable[[Answer], Answer], told: str
) -> None:
    spoiled = Spoiled("reference_solutions", task, wrong)
    async with truth(alpine_author(spoiled), runtime, tmp_path, with_tasks(huts, task)) as running:
        solved = await running.stage("reference_solutions")
    assert solved.status == "ok"
    assert [attempt.number for attempt in solved.attempts][:2] == [1, 2], "a review may follow"
    assert len(spoiled.reports) == 1 and told.lower() in spoiled.reports[0].lower()
    assert "[solution]" in spoiled.reports[0]


def _weaker(text: str) -> Callable[[Answer], Answer]:
    """A verifier that checks nothing but what is said here."""
    return lambda answer: answer | {"source": text}


WRONG_VERIFIERS = [
    (_weaker("def goal_done(world):\n    return True"), "nothing done and nothing said"),
    (_weaker("def goal_done(world):\n    return world.report.says('money_back', 1)"), "the reference solution"),
    (_weaker("def goal_done(world):\n    return bool(world.changes)"), "the reference solution with a mistake"),
    (_weaker("def goal_done(world):\n    raise ValueError('no')"), "the reference solution"),
    (_weaker("def goal_done(world):\n    return getattr(world, 'x')"), "line 2: getattr is not for checks"),
]


@pytest.mark.parametrize(("wrong", "told"), WRONG_VERIFIERS)
async def test_a_wrong_verifier_is_shown_what_it_let_pass(
    runtime: Runtime, huts: Bundle, tmp_path: Path, wrong: Callable[[Answer], Answer], told: str
) -> None:
    spoiled = Spoiled("verifiers", "call_it_off", wrong)
    async with truth(alpine_author(spoiled), runtime, tmp_path, with_tasks(huts, "call_it_off")) as running:
        _, verified = await running.run()
    assert verified.status == "ok"
    assert len(spoiled.reports) == 1 and told in spoiled.reports[0]
    assert "[verifier]" in spoiled.reports[0]


# -- what cannot be mended is dropped ---------------------------------------------------------------------------------


async def test_a_task_without_a_solution_is_dropped_with_its_reason(
    runtime: Runtime, huts: Bundle, tmp_path: Path
) -> None:
    hopeless = Spoiled("reference_solutions", "call_it_off", _program("pass", CANCELLED), times=99)
    app = alpine_author(hopeless)
    async with truth(app, runtime, tmp_path, with_tasks(huts, *FEW), attempts=2, least_tasks=3) as running:
        solved, verified = await running.run()
    solutions, verifiers = SolutionSet.model_validate(solved.artifact), VerifierSet.model_validate(verified.artifact)
    (dropped,) = solutions.dropped
    assert (dropped.task, dropped.stage) == ("call_it_off", "reference_solutions")
    assert dropped.reason == "not accepted after 2 attempts; solution: The program calls no tool."
    assert len(solutions.solutions) == len(verifiers.verifiers) == 3
    assert verifiers.dropped == [dropped], "the set of verifiers accounts for every task"
    assert any(p.message.startswith("call_it_off: ") for attempt in solved.attempts for p in attempt.problems)


async def test_a_task_whose_words_mean_two_things_is_dropped_before_its_verifier_is_written(
    runtime: Runtime, huts: Bundle, tmp_path: Path
) -> None:
    def reader(asked: Asked, answer: Answer) -> Answer:
        if asked.schema != "task_review":
            return answer
        money = {"wish": "the money that comes back", "tools": ["list_refunds", "list_charges"]}
        return {"tasks": [one | {"wishes": [money] * (one["task"] == "call_it_off")} for one in answer["tasks"]]}

    app = alpine_author(reader)
    async with truth(app, runtime, tmp_path, with_tasks(huts, *FEW), least_tasks=3) as running:
        solved, verified = await running.run()
    (review,) = [asked.context for asked in app.state.asked if asked.schema == "task_review"]
    assert {one["task"] for one in review["tasks"]} == {"call_it_off", "accounts_of_2026"}, "nobody reads a refusal"
    (dropped,) = SolutionSet.model_validate(solved.artifact).dropped
    assert (dropped.task, dropped.stage) == ("call_it_off", "reference_solutions")
    assert dropped.reason.startswith("its words fit list_refunds and list_charges alike")
    assert solved.metadata["dropped"] == [dropped.model_dump(mode="json")]
    assert VerifierSet.model_validate(verified.artifact).dropped == [dropped]
    assert "call_it_off" not in {a.context["task"]["id"] for a in app.state.asked if a.schema == "verifier"}


async def test_an_environment_with_too_few_tasks_left_is_rejected(
    runtime: Runtime, huts: Bundle, tmp_path: Path
) -> None:
    hopeless = Spoiled("verifiers", "nephew_alone", _weaker("def goal_done(world):\n    return True"), times=99)
    app = alpine_author(hopeless)
    bundle = with_tasks(huts, "nephew_alone", "accounts_of_2026")
    async with truth(app, runtime, tmp_path, bundle, attempts=2) as running:
        solved, verified = await running.run()
    assert solved.status == "ok" and verified.status == "rejected" and verified.artifact is None
    assert verified.reason.startswith("only 1 of 2 tasks are left, 2 are the least (nephew_alone: not accepted after 2")
    assert verified.metadata["dropped"][0]["task"] == "nephew_alone"


def test_how_many_tasks_must_be_left_concerns_no_stage_before() -> None:
    few, many = AuthoringSettings(least_tasks=1), AuthoringSettings(least_tasks=9)
    assert few.hash_for("theme") == many.hash_for("theme")
    assert few.hash_for("verifiers", drops_tasks=True) != many.hash_for("verifiers", drops_tasks=True)
