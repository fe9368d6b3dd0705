"""Tasks as conversations: turns, wording, refinements and their gates, variants with their truth, and playing them."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.task_set import problems_of as problems_of_task_set
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import RulesQuestionAnswer, RulesQuestionContext, TurnShown
from envfactory_dagster.contracts.domain import Rule, Task
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.requests import CallShown
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask, MadeTasks, Turn
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution, SolutionSet, TracedStep, VerifierSet
from envfactory_dagster.language.embedded.roles.user import speak
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.prompts import STOP
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.conversations.cuts import MOST_TOOLS, cuts
from envfactory_dagster.tasks.conversations.identifiers import Internals, Secrets, scalars
from envfactory_dagster.tasks.conversations.impossible import WithoutTools, without_tools
from envfactory_dagster.tasks.conversations.making import Talk
from envfactory_dagster.tasks.conversations.refinements import Wording
from envfactory_dagster.tasks.conversations.settings import ALL_REFINEMENTS, ConversationSettings
from envfactory_dagster.tasks.conversations.stage import ConversationsStage
from envfactory_dagster.tasks.conversations.variants import problems_of_question, reporting
from envfactory_dagster.tasks.conversations.workshop import Workshop
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.messages import states
from envfactory_dagster.truth.replay import replay
from envfactory_dagster.truth.telling import single_answers
from envfactory_dagster.truth.verdicts import Checks
from envfactory_dagster.truth.yardstick import Yardstick
from tests.rollouts.scripted import Scripted, calls, finishes, followed, says
from tests.support.reports import RETURNED, report
from tests.tasks.conversation_kit import (
    PLANS,
    Answer,
    Author,
    gateway_to,
    graph_of,
    ground_of,
    parents_of,
    record_of,
    workshop,
)

PARENTS = ("call_it_off", "last_morning", "nephew_alone")


@pytest.fixture(scope="module")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest_asyncio.fixture(scope="module")
async def parents(runtime: Runtime, huts: Bundle) -> list[MadeTask]:
    return await parents_of(runtime, huts, *PARENTS)


@dataclass(frozen=True)
class Made:
    shop: Workshop
    author: Author

    def __getitem__(self, name: str) -> MadeTask:
        return next(made for made in self.shop.made if made.task.id == name)

    def conversation(self, name: str) -> Conversation:
        found = self[name].conversation
        assert found is not None
        return found


@pytest_asyncio.fixture(scope="module")
async def made(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Made]:
    """Everything that becomes of three hand-written tasks."""
    author = Author()
    async with gateway_to(author, tmp_path_factory.mktemp("made")) as gateway:
        shop = workshop(gateway, runtime, huts, missing_parameter=1, missing_function=2, no_tool=1)
        await shop.work(parents)
        yield Made(shop, author)


# -- turns -------------------------------------------------------------------------------------------------------------


def test_a_turn_never_ends_between_a_call_and_the_one_that_uses_its_answer(huts: Bundle, parents: list[MadeTask]):
    ground = ground_of(huts)
    for parent in parents:
        steps = parent.solution.calls
        places = cuts(steps, ground.internals, ground.facts)
        assert places[-1] == len(steps)
        for user, step in enumerate(steps):
            for value in ground.internals.of(step):
                tellers = [place for place in range(user) if value in scalars(steps[place].value)]
                assert not any(tellers[-1] < place <= user for place in places if tellers)
    calls_off = next(one for one in parents if one.task.id == "call_it_off").solution.calls
    assert cuts(calls_off, ground.internals, ground.facts) == [1, 5, 6, 8, 9, 10]


def test_what_is_too_long_for_one_turn_may_be_torn_anywhere(huts: Bundle):
    facts = ground_of(huts).facts
    chain = [TracedStep(tool=f"step_{n}", arguments={"thing_id": 7}, value={"id": 7}) for n in range(MOST_TOOLS + 1)]
    assert cuts(chain[:-1], Internals(), facts) == [MOST_TOOLS]
    assert cuts(chain, Internals(), facts) == list(range(1, MOST_TOOLS + 2))


# -- conversations -----------------------------------------------------------------------------------------------------


def test_a_conversation_has_the_truth_of_its_task_under_other_words(made: Made, parents: list[MadeTask]):
    assert made.shop.dropped == []
    for parent in parents:
        talk = made[f"{parent.task.id}_talk"]
        conversation = made.conversation(talk.task.id)
        assert (talk.source, talk.parent) == ("conversation", parent.task.id)
        assert talk.solution.state_hash == parent.solution.state_hash
        assert talk.verifier.gate.passed and talk.verifier.gate.trials == parent.verifier.gate.trials
        assert talk.verifier.verifier.source == parent.verifier.verifier.source
        assert [turn.calls for turn in conversation.turns] == [calls for _, calls in PLANS[parent.task.id]]
        assert talk.task.text == "\n".join(turn.request for turn in conversation.turns)
        assert conversation.variant == ("refusal" if parent.task.kind == "refusal" else "plain")


def test_the_refinements_are_made_one_after_the_other(made: Made):
    asked = [schema for schema, context in made.author.asked if "Lisbon" in str(context) and schema in ALL_REFINEMENTS]
    assert asked == list(ALL_REFINEMENTS)
    assert made.conversation("call_it_off_talk").refinements == list(ALL_REFINEMENTS)


async def test_a_model_that_gives_identifiers_away_for_ever_loses_the_task_and_no_other(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    def gives_away(schema: str, context: Answer, right: Answer) -> Answer:
        leaks = schema in ("articulation", *PLANS) or schema == "implicit_reference"
        if leaks and "Marek" in str(context):
            shown = right["requests"][:-1]
            return right | {"requests": [*shown, f"{right['requests'][-1]} Signup 4."]}
        return right

    author = Author(gives_away)
    async with gateway_to(author, tmp_path) as gateway:
        shop = workshop(gateway, runtime, huts, missing_parameter=0, missing_function=0, no_tool=0,
                        refinements=("implicit_reference",))  # fmt: skip
        await shop.work([one for one in parents if one.task.id != "last_morning"])
    assert [one.task.id for one in shop.made] == ["nephew_alone_talk"]
    [dropped] = shop.dropped
    assert dropped.task == "call_it_off_talk" and "4 is known to the service alone" in dropped.reason
    assert {schema for schema, _ in author.asked} == {"conversation_plan", "articulation", "implicit_reference"}


async def test_turns_that_tear_things_apart_are_sent_back(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    def tears(schema: str, context: Answer, right: Answer) -> Answer:
        if schema != "conversation_plan":
            return right
        turns = [turn | {"calls": calls} for turn, calls in zip(right["turns"], (3, 5, 2), strict=True)]
        return right | {"turns": turns}

    async with gateway_to(Author(tears), tmp_path) as gateway:
        shop = workshop(gateway, runtime, huts, missing_parameter=0, missing_function=0, no_tool=0)
        await shop.work([one for one in parents if one.task.id == "call_it_off"])
    assert shop.made == [] and "Turn 1 ends after 3 calls" in shop.dropped[0].reason


# -- variants ----------------------------------------------------------------------------------------------------------


def test_a_missing_parameter_is_said_only_when_asked(made: Made):
    left_out, talk = made.conversation("last_morning_left_out"), made.conversation("last_morning_talk")
    assert left_out.variant == "missing_parameter"
    assert any("five stars" in turn.request for turn in talk.turns)
    assert not any("five" in turn.request for turn in left_out.turns)
    assert left_out.answers == [*talk.answers, "It is five."]
    assert made["last_morning_left_out"].solution.state_hash == made["last_morning_talk"].solution.state_hash


def test_what_no_tool_can_do_changes_nothing_and_is_said(made: Made):
    unable = made["call_it_off_unable"]
    assert unable.task.kind == "unable" and "remove_companion" in unable.task.withheld
    assert (unable.solution.calls, unable.solution.changes) == ([], [])
    assert unable.solution.report.outcome == "impossible"
    assert len(unable.verifier.gate.of("mutant")) >= 6 and unable.verifier.gate.kill_rate == 1.0
    assert made.conversation("call_it_off_unable").variant == "missing_function"


def test_a_question_about_the_rules_needs_no_tool(made: Made):
    question = made["rules_question_1"]
    assert question.task.kind == "no_tool" and question.solution.calls == []
    assert question.verifier.gate.passed and question.verifier.gate.kill_rate == 1.0
    report, form = question.solution.report, question.solution.form
    assert report.outcome == "done" and report.answers.keys() == {field.name for field in form.fields}
    for field, value in single_answers(form, report):
        assert not states(field, value, question.task.text) and states(field, value, report.message)


async def test_no_program_uses_what_is_withheld(runtime: Runtime, huts: Bundle, made: Made):
    source = f"def solve(tools):\n    tools.remove_companion(person_id=4)\n    return {RETURNED}\n"
    [problem] = await proving.solve(runtime, huts, made["call_it_off_unable"].task, source, AnswerForm())
    assert "remove_companion, which is not there for this task" in problem.message


def test_the_authors_own_list_has_none_of_these(huts: Bundle):
    settings = AuthoringSettings(tasks=2, states=("initial",))
    tasks = [
        Task(id="a", text="Which rule is it that says something about dogs in huts?", kind="no_tool"),
        Task(id="b", text="Please cancel our stay at the hut.", kind="action", withheld=["cancel_booking"]),
    ]
    found = " ".join(problem.message for problem in problems_of_task_set(tasks, huts.theme, settings))
    assert "of kind 'no_tool'; the kinds are action, information, refusal" in found
    assert "Task b withholds tools" in found


async def test_the_stage_stores_what_it_made_where_the_other_sources_have_nothing(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    home = Home.resolve(tmp_path / "home")
    BundleStore(home).keep(huts)
    chosen = [one for one in parents if one.task.id == "nephew_alone"]
    artifacts = {
        "environment": {"version": huts.version},
        "reference_solutions": SolutionSet(solutions=[one.solution for one in chosen]).model_dump(mode="json"),
        "verifiers": VerifierSet(verifiers=[one.verifier for one in chosen]).model_dump(mode="json"),
        "tool_graph": graph_of(huts).model_dump(mode="json"),
        "graph_tasks": MadeTasks(tasks=[]).model_dump(mode="json"),
        "program_tasks": MadeTasks(tasks=[]).model_dump(mode="json"),
    }
    records = {name: record_of(name, huts.key, artifact) for name, artifact in artifacts.items()}
    async with gateway_to(Author(), tmp_path) as gateway:
        settings = ConversationSettings(refinements=("implicit_reference",), no_tool=0)
        stage = ConversationsStage(gateway, runtime, AuthoringSettings(), BundleStore(home), settings)
        assert set(stage.upstream) == records.keys()
        outcome = await stage.make(StageInput(huts.key, records))
    [talk] = MadeTasks.model_validate(outcome.artifact).tasks
    assert talk.conversation is not None and talk.conversation.refinements == ["implicit_reference"]
    assert (talk.task.id, outcome.metadata["turns"]) == ("nephew_alone_talk", 1)
    assert (
        stage.settings_hash()
        != ConversationsStage(gateway, runtime, AuthoringSettings(), BundleStore(home)).settings_hash()
    )


# -- playing -----------------------------------------------------------------------------------------------------------


async def play(
    runtime: Runtime, bundle: Bundle, one: MadeTask, agent: Model, user: Model | None, folder: Path, **settings: Any
) -> Rollout:
    """The only episode of a made task; it replays."""
    source, form = one.verifier.verifier.source, one.solution.form
    bundle = replace(bundle, tasks=[one.task], verifiers={one.task.id: source}, answer_forms={one.task.id: form})
    chosen = RolloutSettings(**settings)
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    yardstick = Yardstick(bundle, one.task, one.solution, facts, chosen.reward)
    work = Assignment(bundle, one.task, Checks(one.task, source, form), yardstick, one.conversation)
    engine = Engine(runtime, agent, chosen, TrajectoryStore(Home.resolve(folder)), user)
    [rollout] = [rollout async for rollout in engine.roll([work])]
    assert (await replay(runtime, bundle, rollout.trajectory)).reproduced
    return rollout


async def test_a_person_knows_its_requests_and_answers_and_nothing_else(
    runtime: Runtime, huts: Bundle, made: Made, tmp_path: Path
):
    one = made["last_morning_left_out"]
    user = Scripted([says("Hello!"), says(STOP)], name="user")
    await play(runtime, huts, one, Scripted([says("Yes?")]), user, tmp_path, setting="conversation")
    told = str(user.shown[0][0]["content"])
    conversation = made.conversation(one.task.id)
    assert all(turn.request in told for turn in conversation.turns) and conversation.persona in told
    assert conversation.answers[-1] in told
    assert "goal" not in told and "write_review" not in told


async def test_turns_are_brought_up_one_by_one_and_the_answers_of_all_of_them_count(
    runtime: Runtime, huts: Bundle, made: Made, tmp_path: Path
):
    one = made["call_it_off_talk"]
    agent, begin = list[Any](), 0
    for number, turn in enumerate(made.conversation(one.task.id).turns):
        steps = one.solution.calls[begin : begin + turn.calls]
        agent += [*(calls((step.tool, step.arguments)) for step in steps), says(f"Done with {number}.")]
        begin += turn.calls
    agent.append(finishes(one.solution.report))
    lines = [says(turn.request) for turn in made.conversation(one.task.id).turns]
    user = Scripted([*lines, says(STOP)], name="user")
    rollout = await play(runtime, huts, one, Scripted(agent), user, tmp_path, setting="conversation")
    assert rollout.trajectory.outcome == "completed"
    assert rollout.trajectory.opening == made.conversation(one.task.id).turns[0].request
    assert rollout.trajectory.answer.startswith("Done with 0.\nDone with 1.\n")


async def test_said_at_once_a_conversation_is_its_text(runtime: Runtime, huts: Bundle, made: Made, tmp_path: Path):
    one = made["call_it_off_talk"]
    agent = Scripted(followed(one.solution.calls, one.solution.report))
    rollout = await play(runtime, huts, one, agent, None, tmp_path, setting="single")
    assert (rollout.trajectory.opening, rollout.trajectory.outcome) == (one.task.text, "completed")


@pytest.mark.parametrize("protocol", ["native", "meta_tools"])
async def test_a_withheld_tool_is_as_unknown_as_one_that_never_was(
    runtime: Runtime, huts: Bundle, made: Made, tmp_path: Path, protocol: Any
):
    one, thinking = made["call_it_off_unable"], {"reasoning_content": "Hm."}
    wanted: Any = ("remove_companion", {"person_id": 4})
    lines = [calls(wanted)]
    if protocol == "meta_tools":
        wrapped = ("call_tool", {"tool_name": wanted[0], "arguments": wanted[1]})
        lines = [calls(("list_tools", {}), **thinking), calls(wrapped, **thinking)]
    agent = Scripted([*lines, says("Done.", **thinking)])
    rollout = await play(runtime, huts, one, agent, None, tmp_path, protocol=protocol)
    assert not any("remove_companion" in str(tools) for tools in agent.tools)
    assert rollout.cause == "format"
    last = rollout.trajectory.steps[-1].observations[-1]
    assert last.outcome == "agent" and "there is no tool called 'remove_companion'" in str(last.error)
    listed = [o.value for step in rollout.trajectory.steps[:-1] for o in step.observations]
    assert "remove_companion" not in str(listed)


@pytest.mark.parametrize(
    ("reported", "outcome"),
    [
        (report("impossible", "I cannot take anybody off: there is no tool for it."), "completed"),
        (report("impossible", "I don't have a tool for that, sorry."), "completed"),
        (report("impossible", "Marek remains on your list."), "completed"),
        (report("done", "Marek is off the list."), "agent_error"),
        (report("needs_information", "Which Marek do you mean?"), "agent_error"),
        (report("refused", "The rules forbid it.", reason="minors_with_guardian"), "agent_error"),
    ],
)
async def test_who_cannot_do_it_reports_it(
    runtime: Runtime, huts: Bundle, made: Made, tmp_path: Path, reported: Report, outcome: str
):
    rollout = await play(runtime, huts, made["call_it_off_unable"], Scripted([finishes(reported)]), None, tmp_path)
    assert rollout.trajectory.outcome == outcome
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.total == (outcome == "completed")


async def test_a_question_about_the_rules_is_answered_in_its_fields_in_whatever_words(
    runtime: Runtime, huts: Bundle, made: Made, tmp_path: Path
):
    question = made["rules_question_1"]
    [(field, value)] = single_answers(question.solution.form, question.solution.report)
    rules = " ".join(rule.text for rule in huts.theme.rules)
    right = report(message=f"Gladly. The rules say: {rules}", **{field.name: str(value)})
    wrong = report(message=f"Gladly. The rules say: {rules}", **{field.name: 987})
    nothing = report(message=f"Gladly. The rules say: {rules}", **{field.name: None})
    for number, (reported, outcome) in enumerate(
        [(right, "completed"), (wrong, "agent_error"), (nothing, "agent_error")]
    ):
        agent = Scripted([finishes(reported)])
        rollout = await play(runtime, huts, question, agent, None, tmp_path / str(number))
        assert rollout.trajectory.outcome == outcome


def without(talk: Talk, made: Made) -> list[WithoutTools]:
    return list(without_tools(made.shop.ground, talk))


def talk_about(parent: MadeTask, turns: list[tuple[str, int]]) -> Talk:
    """A task whose calls are divided among these requests."""
    steps = iter(parent.solution.calls)
    shown = tuple(
        TurnShown(
            goal=request,
            calls=[
                CallShown(tool=step.tool, arguments=step.arguments, outcome=step.outcome, result="{}")
                for _, step in zip(range(calls), steps, strict=False)
            ],
        )
        for request, calls in turns
    )
    secrets = Secrets.of([], Internals(), "", frozenset())
    wording = Wording(tuple(request for request, _ in turns))
    return Talk(parent, "2026-06-01T09:00:00", "At home.", "Somebody brief.", shown, wording, secrets)


ASKED = "Which hut near the Steinkar Hut is best, what does a vegetarian dinner cost, and who was the last reviewer?"


@pytest_asyncio.fixture(scope="module")
async def question(runtime: Runtime, huts: Bundle) -> MadeTask:
    [found] = await parents_of(runtime, huts, "best_hut_in_reach")
    return found


def test_without_the_tools_that_tell_it_a_question_is_impossible_and_keeps_its_form(made: Made, question: MadeTask):
    [found] = without(talk_about(question, [(ASKED, len(question.solution.calls))]), made)
    assert found.form == question.solution.form
    assert {"search_huts", "list_meals", "list_reviews"} <= set(found.withheld)
    assert found.report.outcome == "impossible"
    assert found.report.answers == dict.fromkeys(field.name for field in question.solution.form.fields)


def test_a_request_that_asks_for_nothing_that_was_found_out_is_left_as_it_is(made: Made, question: MadeTask):
    assert without(talk_about(question, [("Please look around a little.", 4)]), made) == []


def test_a_turn_is_left_as_it_is_where_nobody_knows_what_it_asks_to_be_told(
    made: Made, parents: list[MadeTask], question: MadeTask
):
    """An answer that was worked out belongs to no turn in particular."""
    report, form = question.solution.report, question.solution.form
    summed = report.model_copy(update={"answers": report.answers | {"vegetarian_dinner": 987_654}})
    other = question.model_copy(update={"solution": question.solution.model_copy(update={"report": summed})})
    assert without(talk_about(other, [(ASKED, len(form.fields) + 1)]), made) == []
    many = "Tell me which hut is best. Tell me who reviewed last. Tell me the price of a dinner. Tell me my own name."
    assert without(talk_about(question, [(many, 4)]), made) == []
    calls_off = next(one for one in parents if one.task.id == "call_it_off")
    turns = [("Please cancel our stay in February.", 6), ("Take Marek off my list. How much comes back?", 4)]
    assert all(not found.form.fields for found in without(talk_about(calls_off, turns), made))


async def test_what_is_impossible_stands_its_trials_with_a_form(
    runtime: Runtime, huts: Bundle, made: Made, question: MadeTask
):
    [found] = without(talk_about(question, [(ASKED, len(question.solution.calls))]), made)
    task = Task(id="which_hut", text=ASKED, kind="unable", withheld=found.withheld)
    gold = await proving.solve(runtime, huts, task, reporting(found.report), found.form)
    assert isinstance(gold, ReferenceSolution), gold
    source = write_verifier(gold, load_schema(huts.schema_sql), huts.states["initial"].clock)
    gated = await proving.verify(runtime, huts, task, gold, source)
    assert isinstance(gated, GatedVerifier), gated
    assert "every_answer" in {trial.operator for trial in gated.gate.of("mutant")}


# -- questions about the rules -----------------------------------------------------------------------------------------

RULES = [Rule(id="cancelling", text="A stay can be called off without charge up to 24 hours before it begins.")]
HOURS = {"name": "hours", "type": "duration", "unit": "hours", "description": "How long before it begins"}
RIGHT: dict[str, Any] = {
    "scenario": "Plans may change.",
    "persona": "Somebody careful.",
    "rule": "cancelling",
    "request": "Until when may I call a stay off without paying?",
    "answer_form": [HOURS],
    "answers": {"hours": 24},
    "message": "You may do that up to 24 hours before it begins.",
}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, None),
        ({"answers": {"hours": "24 hours"}}, None),
        ({"rule": "dogs"}, "There is no rule 'dogs'"),
        ({"answers": {"hours": 48}, "message": "Up to 48 hours."}, "The rule does not say 48"),
        ({"request": "May I call a stay off 24 hours before?"}, "The request says 24 itself"),
        ({"message": "You may do that in time."}, "The message does not say 24"),
        ({"message": "Up to 24 hours, and it costs 12 euros later."}, "The message says 12 besides"),
        ({"answers": {"hours": None}}, "nothing is answered in hours"),
        ({"answers": {}}, "'hours'"),
        ({"answers": {"hours": "in time"}}, "cannot be read"),
        ({"answer_form": [HOURS, HOURS]}, "must be unique"),
        ({"request": "What does the booking_code say?"}, "a name inside the service"),
    ],
)
def test_a_question_about_the_rules_is_answered_by_its_rule_and_not_by_itself(
    changed: dict[str, Any], told: str | None
):
    context = RulesQuestionContext(name="Huts", clock="2026-06-01T09:00:00", rules=RULES, asked=[])
    answer = RulesQuestionAnswer.model_validate(RIGHT | changed)
    found = [problem.message for problem in problems_of_question(context, frozenset({"booking_code"}), answer)]
    assert found == [] if told is None else any(told in message for message in found), found


# -- forms tell no outcome ---------------------------------------------------------------------------------------------


def test_the_form_of_what_is_impossible_or_refused_is_that_of_what_can_be_done(made: Made, parents: list[MadeTask]):
    """Of a conversation that keeps its task, the form is the task's; of what is impossible it is a part of it."""
    forms = {parent.task.id: parent.solution.form for parent in parents}
    for one in made.shop.made:
        if one.parent is None:
            continue
        whole = forms[one.parent]
        if one.task.kind == "unable":
            assert all(field in whole.fields for field in one.solution.form.fields)
        else:
            assert one.solution.form == whole


# -- the embedded person -----------------------------------------------------------------------------------------------


def _speaks(*heard_and_said: str, **goal: Any) -> str:
    known = {"requests": ["Book a room.", "Cancel the tour."], "answers": ["It is for 3 nights."], "stop": STOP} | goal
    messages = [
        {"role": "user" if place % 2 == 0 else "assistant", "content": text}
        for place, text in enumerate(heard_and_said)
    ]
    return str(speak(messages, known)["content"])


def test_the_embedded_person_brings_up_one_request_after_the_other():
    assert _speaks("Hello, what can I do for you?") == "Book a room."
    assert _speaks("Hello?", "Book a room.", "Done.") == "Cancel the tour."
    assert _speaks("Hello?", "Book a room.", "Done.", "Cancel the tour.", "Done.") == STOP


def test_the_embedded_person_says_what_it_kept_back_only_when_asked():
    asked = ("Hello?", "Book a room.", "For how many nights?")
    assert _speaks(*asked) == "It is for 3 nights."
    assert _speaks(*asked, "It is for 3 nights.", "Done.") == "Cancel the tour."


def test_turns_take_all_calls_of_the_solution(made: Made):
    one = made["call_it_off_talk"]
    conversation = made.conversation(one.task.id)
    fewer = conversation.model_copy(update={"turns": [Turn(goal="a", request="b", calls=1)]})
    with pytest.raises(ValueError, match="do not take all calls"):
        MadeTask.model_validate(one.model_dump() | {"conversation": fewer.model_dump()})
