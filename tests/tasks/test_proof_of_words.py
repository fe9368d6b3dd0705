"""Words are proved before they are released: by a model that sees nothing else, behind an endpoint like any other."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio
from fastapi import FastAPI, Request, Response
from pydantic import SecretStr

from envfactory_dagster import examples
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import (
    Conversation,
    MadeTask,
    MadeTasks,
    ProofOfWords,
    Release,
    Turn,
    WordsStanding,
)
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.rollouts.settings import LEAST_STEPS
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.tasks.naming import renamed
from envfactory_dagster.tasks.proof_of_words import ProofSettings, WordsProver
from envfactory_dagster.tasks.release import ReleaseStage
from tests.rollouts.scripted import Line, calls, finishes, followed, says
from tests.support.reports import report
from tests.tasks.huts_kit import Golds, Standing, golds_of, made_tasks

ACTION, QUESTION, REFUSAL = "call_it_off", "best_hut_in_reach", "nephew_alone"
Lines = Sequence[Line]
NOWHERE: Lines = [calls(("call_nobody_has", {}))]
"""A run that breaks off."""
ByRun = Callable[[int], Lines]
"""What is said in a run, by its seed."""


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest_asyncio.fixture(scope="session")
async def golds(runtime: Runtime, huts: Bundle) -> Golds:
    """An action, a question, and a request to be refused."""
    return await golds_of(runtime, huts)


@dataclass
class Solver:
    """A model behind an endpoint: it plays each task as a test has written down, by the words it is shown."""

    lines: dict[str, ByRun]
    person: Lines = ()
    """What it says where it plays the person."""
    answers_left: int | None = None
    """After so many it is down; None: never."""
    hangs_on: str = ""
    """The words of a task to which it gives no answer."""
    hiccups: int = 0
    """So many questions about a task are refused at first, as by an endpoint that is overloaded."""
    patience_s: float = 300.0
    """How long an answer is waited for."""
    begun: list[tuple[str, int]] = field(default_factory=list)
    answered: int = 0
    hung: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/v1/chat/completions")
        async def chat(request: Request) -> Response:
            asked = await request.json()
            about_a_task = len(asked["messages"]) > 1
            if about_a_task and asked["messages"][1]["content"] == self.hangs_on:
                self.hung += 1
                await asyncio.sleep(60 * self.patience_s)
            if about_a_task and self.hiccups > 0:
                self.hiccups -= 1
                return Response("one moment", status_code=503)
            if self.answers_left is not None and self.answered >= self.answers_left:
                return Response("down for repairs", status_code=503)
            self.answered += 1
            self.shown.append(asked)
            messages, seed = asked["messages"], asked["seed"]
            place = sum(message["role"] == "assistant" for message in messages)
            if not about_a_task:
                line = says("Yes.")
            elif messages[0]["content"].startswith("You play a person"):
                line = self.person[place]
            else:
                if not place:
                    self.begun.append((messages[1]["content"], seed))
                lines = self.lines[messages[1]["content"]](seed)
                line = by_call_tool(lines[min(place, len(lines) - 1)])
            choice = {"index": 0, "finish_reason": "stop", "message": line}
            usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
            completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "solver", "usage": usage}
            return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

        return app

    def runs(self, text: str) -> int:
        return len({seed for words, seed in self.begun if words == text})


def by_call_tool(line: Line) -> Line:
    """With its calls as a model makes them that was told the tools as signatures."""
    assert isinstance(line, dict)
    wrapped = []
    for call in line.get("tool_calls", []):
        if not call or not call["function"]:
            return line
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        if name not in ("finish", "call_tool"):
            inner = json.dumps({"tool": name, "arguments": json.loads(arguments)})
            call = call | {"function": {"name": "call_tool", "arguments": inner}}
        wrapped.append(call)
    return line | {"tool_calls": wrapped} if wrapped else line


class Desk:
    """Where the words of the huts' tasks are played, and from where they are released."""

    def __init__(self, runtime: Runtime, folder: Path, huts: Bundle, golds: Golds) -> None:
        self.runtime, self.folder, self.huts, self.golds = runtime, folder, huts, golds
        self.made = made_tasks(huts, golds)
        self.rightly: dict[str, ByRun] = {one.task.text: always(right(one)) for one in self.made.values()}
        self.standing = Standing(Home.resolve(folder), replace(huts, solutions={}), golds)

    @asynccontextmanager
    async def prover(self, solver: Solver, settings: ProofSettings | None = None) -> AsyncIterator[WordsProver]:
        models = LanguageSettings(
            base_url="http://model/v1",
            api_key=SecretStr("none"),
            default_model="solver",
            limits=LimitSettings(attempts=1, timeout_s=solver.patience_s),
        )
        store = TrajectoryStore(Home.resolve(self.folder / "proof_of_words"))
        async with Gateway(models, self.folder, app=solver.app()) as gateway:
            yield WordsProver(gateway, self.runtime, store, "solver", "solver", settings or ProofSettings())

    async def proofs(self, solver: Solver, *made: MadeTask) -> dict[str, ProofOfWords]:
        """Of these tasks; of all of them where none is named."""
        made = made or tuple(self.made.values())
        async with self.prover(solver) as prover:
            found = await prover.prove("release", self.huts, made)
        return {one.task.id: proof for one, proof in zip(made, found, strict=True)}

    async def proof(self, task: str, lines: ByRun) -> ProofOfWords:
        """Of this task, played with these lines."""
        self.solver = Solver({self.text(task): lines})
        return (await self.proofs(self.solver, self.made[task]))[task]

    async def record(
        self, lines: dict[str, ByRun], settings: ProofSettings | None = None, *, redo: bool = False
    ) -> StageRecord:
        """Of the release, with these lines for some tasks."""
        self.solver = Solver(self.rightly | {self.text(task): runs for task, runs in lines.items()})
        return await self.record_of(self.solver, settings, redo=redo)

    async def record_of(
        self, solver: Solver, settings: ProofSettings | None = None, *, redo: bool = False
    ) -> StageRecord:
        async with self.prover(solver, settings) as prover:
            stage = ReleaseStage(self.runtime, AuthoringSettings(), self.standing.bundles, prover)
            return await run_stage(self.standing.records, stage, self.huts.key, redo=redo)

    def text(self, task: str) -> str:
        return self.made[task].task.text

    def bundle(self) -> Bundle:
        return self.standing.bundles.load(self.huts.key)


@pytest.fixture
def desk(runtime: Runtime, tmp_path: Path, huts: Bundle, golds: Golds) -> Desk:
    return Desk(runtime, tmp_path, huts, golds)


def always(lines: Lines) -> ByRun:
    return lambda seed: lines


def in_turn(*runs: Lines) -> ByRun:
    return lambda seed: runs[seed]


def right(one: MadeTask) -> Lines:
    return followed(one.solution.calls, one.solution.report)


def costing(dinner: Json, message: str = "That is what I found.", best_hut: str = "Falkenrast Hut") -> Lines:
    """An answer to the question that is wrong; what else is asked is not answered."""
    return [finishes(report(message=message, best_hut=best_hut, vegetarian_dinner=dinner, last_reviewer=None))]


def without(one: MadeTask, tool: str, reported: Report | None = None) -> Lines:
    """Everything but one call, and the report nevertheless."""
    return followed([call for call in one.solution.calls if call.tool != tool], reported or one.solution.report)


# -- what runs say about a task ---------------------------------------------------------------------------------------


async def test_words_that_lead_to_the_end_of_the_solution_twice_are_accepted(desk: Desk) -> None:
    solver = Solver(desk.rightly)
    found = await desk.proofs(solver)
    assert {(one.verdict, one.solver, one.runs, one.at_gold, one.pass_rate) for one in found.values()} == {
        ("accepted", "solver", 2, 2, 1.0)
    }
    assert {solver.runs(words) for words in desk.rightly} == {2}
    steps = 1 + len(desk.made[ACTION].solution.calls)
    shown = [sum(message["role"] == "assistant" for message in asked["messages"]) for asked in solver.shown]
    assert max(shown) == steps - 1 > 5, "it sees all that it has done"


def of_a_family(one: MadeTask, number: int) -> MadeTask:
    return renamed(one.model_copy(update={"source": "family"}), f"dinners_s0_{number}")


@pytest.mark.parametrize(("lines", "verdicts"), [(None, ["accepted", "not_played"]), (700, ["disputed", "disputed"])])
async def test_of_a_family_one_task_is_played_for_all(desk: Desk, lines: Json, verdicts: list[str]) -> None:
    one = desk.made[QUESTION]
    solver = Solver(desk.rightly | ({desk.text(QUESTION): always(costing(lines))} if lines else {}))
    found = await desk.proofs(solver, of_a_family(one, 1), of_a_family(one, 2), desk.made[REFUSAL])
    assert [proof.verdict for proof in found.values()] == [*verdicts, "accepted"]
    assert solver.runs(desk.text(QUESTION)) == (2 if lines is None else 5)


async def test_two_of_five_at_the_end_of_the_solution_are_enough(desk: Desk) -> None:
    correct = right(desk.made[QUESTION])
    proof = await desk.proof(QUESTION, in_turn(costing(101), costing(202), correct, costing(303), correct))
    assert (proof.verdict, proof.runs, proof.at_gold, proof.pass_rate) == ("accepted", 5, 2, 0.4)
    assert sorted(end.seeds for end in proof.ends) == [[0], [1], [3]]


async def test_only_what_is_not_clear_is_played_more_often(desk: Desk) -> None:
    solver = Solver(desk.rightly | {desk.text(QUESTION): always(costing(700))})
    await desk.proofs(solver, desk.made[QUESTION], desk.made[REFUSAL])
    assert (solver.runs(desk.text(QUESTION)), solver.runs(desk.text(REFUSAL))) == (5, 2)


async def test_nobody_plays_on_when_two_have_come_to_the_end(desk: Desk) -> None:
    correct = right(desk.made[QUESTION])
    proof = await desk.proof(QUESTION, in_turn(correct, costing(101), correct))
    assert (proof.verdict, proof.runs, desk.solver.runs(desk.text(QUESTION))) == ("accepted", 3, 3)


async def test_words_on_which_no_two_runs_agree_are_unproven(desk: Desk) -> None:
    wrong = (costing(number) for number in (101, 202, 303, 404))
    proof = await desk.proof(QUESTION, in_turn(right(desk.made[QUESTION]), *wrong))
    assert (proof.verdict, proof.runs, proof.at_gold) == ("unproven", 5, 1)


async def test_runs_that_agree_on_another_report_dispute_the_solution(desk: Desk) -> None:
    """The same values, in whatever form and words."""
    worded = [
        costing(700, message="It costs 7 euros."),
        costing("7.00", message="Seven euros, as far as I see."),
        costing("7 euros", best_hut="the falkenrast hut"),
    ]
    proof = await desk.proof(QUESTION, lambda seed: worded[seed % 3])
    assert (proof.verdict, proof.at_gold) == ("disputed", 0)
    assert [end.seeds for end in proof.ends] == [[0, 1, 2, 3, 4]]


async def test_an_end_is_what_was_changed_as_well_as_what_was_reported(desk: Desk) -> None:
    """The reports are equal in all runs. In two of them the same is left undone."""
    action = desk.made[ACTION]
    forgets, keeps = without(action, "remove_companion"), without(action, "cancel_tour_signup")
    nothing: Lines = [finishes(action.solution.report)]
    proof = await desk.proof(ACTION, in_turn(forgets, keeps, nothing, forgets, right(action)))
    assert (proof.verdict, proof.at_gold) == ("disputed", 1)
    assert [end.seeds for end in proof.ends] == [[0, 3], [1], [2]]
    assert proof.ends[2].changed == 0 < proof.ends[0].changed


async def test_words_that_mean_two_things_are_disputed(desk: Desk) -> None:
    """As many runs come to another end as to that of the solution."""
    correct = right(desk.made[QUESTION])
    proof = await desk.proof(QUESTION, in_turn(costing(700), correct, costing(700), correct, costing(101)))
    assert (proof.verdict, proof.at_gold) == ("disputed", 2)


async def test_a_call_of_a_wrong_form_is_told_and_says_nothing_about_the_words(desk: Desk) -> None:
    malformed = calls(("list_bookings", {"no_such_argument": True}))
    proof = await desk.proof(QUESTION, always([malformed, *right(desk.made[QUESTION])]))
    assert (proof.verdict, proof.runs) == ("accepted", 2)


async def test_runs_that_end_nowhere_agree_on_nothing(desk: Desk) -> None:
    proof = await desk.proof(ACTION, always(NOWHERE))
    assert (proof.verdict, proof.at_gold, proof.ends) == ("unproven", 0, [])


async def test_who_never_comes_to_an_end_is_stopped_and_proves_nothing(desk: Desk) -> None:
    proof = await desk.proof(QUESTION, always([calls(("list_huts", {}))]))
    assert (proof.verdict, proof.runs, proof.ends) == ("unproven", 5, [])
    asked_for_the_report = 1
    assert desk.solver.answered == 5 * (LEAST_STEPS + asked_for_the_report)


GARBAGE: list[Lines] = [
    [says("")],
    [{"role": "assistant", "content": "", "tool_calls": [None, {"function": None}, {"id": 7, "function": {}}]}],
    [
        calls(("call_tool", '{"tool": "list_huts", "argu')),
        calls(("call_tool", "[1, 2]")),
        calls(("call_tool", '{"tool": 3}')),
        calls(("call_tool", '{"tool": "list_huts", "arguments": ' + "[" * 300 + "]" * 300 + "}")),
        calls(("call_tool", '{"tool": "list_huts", "arguments": "all of them"}')),
        finishes("the report"),
        finishes({"outcome": "perhaps", "message": None}),
    ],
]


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_garbage_says_nothing_about_the_words_and_breaks_nothing(desk: Desk, garbage: Lines) -> None:
    proof = await desk.proof(QUESTION, always(garbage))
    assert (proof.verdict, proof.runs, proof.at_gold, proof.ends) == ("unproven", 5, 0, [])
    for asked in desk.solver.shown:  # an endpoint may refuse to read what is no JSON object
        written = [call for message in asked["messages"] for call in message.get("tool_calls") or []]
        assert all(isinstance(json.loads(call["function"]["arguments"]), dict) for call in written)


async def test_who_cannot_be_read_is_told_what_a_call_looks_like_and_goes_on(desk: Desk) -> None:
    one = desk.made[QUESTION]
    solver = Solver({one.task.text: always([calls(("call_tool", '{"tool": "list_hu')), *right(one)])})
    assert (await desk.proofs(solver, one))[QUESTION].verdict == "accepted"
    told = {m["content"] for asked in solver.shown for m in asked["messages"][3:4]}
    assert len(told) == 1 and '{"tool": NAME, "arguments": {…}}' in json.loads(told.pop())["error"]


async def test_a_conversation_is_played_in_its_own_words_with_what_is_said_when_asked_and_without_insisting(
    desk: Desk,
) -> None:
    plain = desk.made[ACTION]
    spoken = Conversation(
        scenario="At the kitchen table.",
        persona="A hiker.",
        turns=[
            Turn(goal="Cancel it", request="Marek is leaving, so our weekend is off.", calls=len(plain.solution.calls)),
            Turn(goal="Hear what comes back", request="What do I get back?", calls=0),
            Turn(kind="insist", goal="Get all of it back", request="There must be a way!", calls=0),
        ],
        answers=["The Schneelahn Hut from 5 February."],
    )
    talk = renamed(plain, "spoken").model_copy(update={"source": "conversation", "conversation": spoken})
    words = "Marek is leaving, so our weekend is off. What do I get back? The Schneelahn Hut from 5 February."
    forgetful = Solver(desk.rightly | {words: always(without(plain, "remove_companion"))})
    assert (await desk.proofs(forgetful, talk))["spoken"].verdict == "disputed"


def test_one_run_proves_nothing() -> None:
    with pytest.raises(UsageError, match="proved by 2 runs at least"):
        ProofSettings(most_runs=1)


# -- who plays, and what it costs --------------------------------------------------------------------------------------


async def test_the_solver_sees_the_words_and_nothing_of_the_solution(desk: Desk) -> None:
    solver = Solver(desk.rightly)
    await desk.proofs(solver, desk.made[QUESTION], desk.made[REFUSAL])
    for asked in solver.shown:
        assert asked["messages"][1]["content"] in desk.rightly
        assert "def solve" not in json.dumps(asked)


async def test_the_tools_are_told_once_in_front_of_everything_else_and_alike_in_all_tasks(desk: Desk) -> None:
    solver = Solver(desk.rightly)
    await desk.proofs(solver, desk.made[QUESTION], desk.made[REFUSAL])
    tools = desk.huts.tools_of("assistant")
    beginnings = set()
    for asked in solver.shown:
        assert [tool["function"]["name"] for tool in asked["tools"]] == ["call_tool", "finish"]
        system = asked["messages"][0]["content"]
        told = [line.partition("(")[0] for line in system.splitlines() if "(" in line]
        assert [name for name in told if name in {tool.name for tool in tools}] == [tool.name for tool in tools]
        beginnings.add(system[: system.index("You are the assistant")])
    assert len(beginnings) == 1


async def test_what_the_person_has_to_do_is_done_by_a_person_who_knows_the_words_alone(
    desk: Desk, runtime: Runtime, huts: Bundle
) -> None:
    name = "arrival_on_skis"
    gold = (await golds_of(runtime, huts, (name,)))[name]
    [made] = made_tasks(huts, {name: gold}).values()
    agent: list[Line] = []
    person: list[Line] = [says(made.task.text)]
    for principal, together in groupby(gold.calls, key=lambda call: call.principal):
        own = agent if principal == "assistant" else person
        own += [calls((call.tool, call.arguments)) for call in together]
        own.append(says("Please do your part." if principal == "assistant" else "I have done it."))
    assert gold.calls[-1].principal == "user"
    agent.append(says("All is done."))
    person.append(says("###STOP###"))
    solver = Solver({made.task.text: always([*agent, finishes(gold.report)])}, person=person)
    proof = (await desk.proofs(solver, made))[name]
    assert {call.principal for call in gold.calls} == {"assistant", "user"}
    assert (proof.verdict, proof.runs) == ("accepted", 2)


async def test_whoever_is_interrupted_pays_for_nothing_twice(desk: Desk, huts: Bundle, golds: Golds) -> None:
    made = (desk.made[QUESTION], desk.made[REFUSAL])
    whole = Solver(desk.rightly)
    expected = await desk.proofs(whole, *made)
    again = Desk(desk.runtime, desk.folder / "again", huts, golds)
    first, second, third = Solver(desk.rightly, answers_left=5), Solver(desk.rightly), Solver(desk.rightly)
    with pytest.raises(InfrastructureFault, match="could not be played to its end"):
        await again.proofs(first, *made)
    assert await again.proofs(second, *made) == expected
    assert first.answered + second.answered == whole.answered
    assert await again.proofs(third, *made) == expected and third.answered == 0


async def test_one_question_that_is_never_answered_costs_its_own_task_the_proof(desk: Desk) -> None:
    solver = Solver(desk.rightly, hangs_on=desk.text(QUESTION), patience_s=1.0)
    record = await desk.record_of(solver)
    found = Release.model_validate(record.artifact)
    assert [one.task.id for one in found.tasks] == [ACTION, REFUSAL]
    [kept] = found.held_back
    assert kept.words is not None and "did not answer within 1 seconds" in kept.words.unanswered
    assert (kept.task.id, kept.words.verdict, kept.words.runs, kept.words.at_gold) == (QUESTION, "unproven", 2, 0)
    assert solver.hung == 2 * 2, "two runs, each made twice"
    [told] = record.metadata["doubtful_words"]
    assert (told["task"], told["unanswered"]) == (QUESTION, kept.words.unanswered)


async def test_what_nobody_answers_is_held_against_no_task(desk: Desk) -> None:
    """One task is played to its end, then the endpoint is down."""
    await desk.proofs(Solver(desk.rightly), desk.made[REFUSAL])
    down = Solver(desk.rightly, answers_left=1)
    with pytest.raises(InfrastructureFault, match=f"the task {QUESTION} could not be played to its end.*503"):
        await desk.proofs(down, desk.made[REFUSAL], desk.made[QUESTION])


async def test_where_no_task_is_answered_it_is_not_the_tasks(desk: Desk) -> None:
    solver = Solver(desk.rightly, hangs_on=desk.text(QUESTION), patience_s=0.5)
    with pytest.raises(InfrastructureFault, match=f"the task {QUESTION} could not be played to its end"):
        await desk.proofs(solver, desk.made[QUESTION])


async def test_a_run_that_broke_off_is_made_again(desk: Desk) -> None:
    await desk.proofs(Solver(desk.rightly), desk.made[REFUSAL])
    found = await desk.proofs(Solver(desk.rightly, hiccups=2), desk.made[REFUSAL], desk.made[QUESTION])
    assert {(one.verdict, one.runs, one.unanswered) for one in found.values()} == {("accepted", 2, "")}


async def test_one_task_more_costs_only_its_own_runs(desk: Desk) -> None:
    await desk.proofs(Solver(desk.rightly), desk.made[QUESTION])
    twin = renamed(desk.made[REFUSAL], "twin")
    twin = twin.model_copy(update={"task": twin.task.model_copy(update={"text": "Please sign Felix up."})})
    solver = Solver(desk.rightly | {twin.task.text: always(right(twin))})
    assert (await desk.proofs(solver, desk.made[QUESTION], twin))["twin"].verdict == "accepted"
    assert {words for words, _ in solver.begun} == {twin.task.text}


# -- what is released --------------------------------------------------------------------------------------------------


async def test_what_is_not_proved_is_kept_and_not_released(desk: Desk) -> None:
    disputing = without(desk.made[ACTION], "remove_companion")
    record = await desk.record({ACTION: always(disputing), QUESTION: in_turn(*map(costing, (101, 202, 303, 404, 505)))})
    found = Release.model_validate(record.artifact)
    assert [one.task.id for one in found.tasks] == [task.id for task in desk.bundle().tasks] == [REFUSAL]
    assert (found.tasks[0].difficulty.pass_rate, found.tasks[0].difficulty.solver) == (1.0, "solver")
    assert desk.bundle().words == {REFUSAL: WordsStanding(verdict="accepted", solver="solver", runs=2, at_gold=2)}
    kept = {one.task.id: one for one in found.held_back}
    assert {task: one.words.verdict for task, one in kept.items() if one.words is not None} == {
        ACTION: "disputed",
        QUESTION: "unproven",
    }
    assert {(one.difficulty.pass_rate, one.difficulty.runs) for one in kept.values()} == {(0.0, 5)}
    told = {row["task"]: row for row in record.metadata["doubtful_words"]}
    assert told.keys() == {ACTION, QUESTION}
    assert told[ACTION]["words"] == desk.text(ACTION)
    assert (told[ACTION]["runs_there"], told[ACTION]["at_gold"]) == (5, "0 of 5 runs")
    assert "companions" in told[ACTION]["gold"] and "alone changes: nothing" in told[ACTION]["other_end"]
    assert "vegetarian_dinner = " in told[QUESTION]["other_end"] != told[QUESTION]["gold"]


async def test_unproven_words_are_released_where_that_is_wanted_and_disputed_ones_are_not(desk: Desk) -> None:
    record = await desk.record(
        {ACTION: always(NOWHERE), QUESTION: always(costing(700))}, ProofSettings(release_unproven=True)
    )
    assert {task: one.verdict for task, one in desk.bundle().words.items()} == {ACTION: "unproven", REFUSAL: "accepted"}
    assert [one.task.id for one in Release.model_validate(record.artifact).held_back] == [QUESTION]


async def test_without_proved_words_there_is_no_release_and_who_asks_again_has_them_played_afresh(
    runtime: Runtime, tmp_path: Path, huts: Bundle, golds: Golds
) -> None:
    desk = Desk(runtime, tmp_path, huts, {REFUSAL: golds[REFUSAL]})
    record = await desk.record({REFUSAL: always(NOWHERE)})
    assert (record.status, record.reason) == ("rejected", "no task is left whose words are proved")
    assert [row["task"] for row in record.metadata["doubtful_words"]] == [REFUSAL]
    before = set(desk.solver.begun)
    again = await desk.record({}, redo=True)
    assert (again.status, len(desk.solver.begun), before & set(desk.solver.begun)) == ("ok", 2, set())


async def test_where_nobody_can_play_tasks_are_released_as_not_played(desk: Desk) -> None:
    """Whatever was claimed of them before."""
    claimed = desk.made[REFUSAL].difficulty.model_copy(update={"pass_rate": 1.0, "solver": "somebody", "runs": 5})
    told = desk.made[REFUSAL].model_copy(update={"source": "graph", "difficulty": claimed})
    desk.standing.keep("graph_tasks", MadeTasks(tasks=[told]))
    stage = ReleaseStage(desk.runtime, AuthoringSettings(), desk.standing.bundles)
    record = await run_stage(desk.standing.records, stage, desk.huts.key)
    found = Release.model_validate(record.artifact)
    assert len(found.tasks) == 4 and found.held_back == []
    assert {(one.difficulty.pass_rate, one.difficulty.solver, one.difficulty.runs) for one in found.tasks} == {
        (None, None, 0)
    }
    assert record.metadata["words"] == [{"verdict": "not_played", "tasks": 4}]
    assert {one.verdict for one in desk.bundle().words.values()} == {"not_played"}
