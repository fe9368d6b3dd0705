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
from envfactory_dagster.contracts.conversations import (
    ChosenWishes,
    FurtherWishesAnswer,
    RulesQuestionAnswer,
    RulesQuestionContext,
    ToldTask,
    TurnShown,
)
from envfactory_dagster.contracts.domain import Rule, Task
from envfactory_dagster.contracts.graph import GraphEdge, ParameterLink, ToolGraph
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.requests import CallShown
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask, MadeTasks, Refinement, Turn
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution, SolutionSet, TracedStep, VerifierSet
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.prompts import STOP
from envfactory_dagster.rollouts.reference import Player, ReferencePolicy
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.conversations.cuts import MOST_TOOLS, cuts
from envfactory_dagster.tasks.conversations.expanding import Expanded, Expander, problems_of_choice
from envfactory_dagster.tasks.conversations.identifiers import Internals, Secrets, scalars
from envfactory_dagster.tasks.conversations.impossible import WithoutTools, without_tools
from envfactory_dagster.tasks.conversations.maker import ConversationMaker
from envfactory_dagster.tasks.conversations.making import Talk
from envfactory_dagster.tasks.conversations.planning import Planned, instructions, planned, problems_of
from envfactory_dagster.tasks.conversations.refinements import Wording, made_of, said_with
from envfactory_dagster.tasks.conversations.settings import ALL_REFINEMENTS, ConversationSettings
from envfactory_dagster.tasks.conversations.stage import ConversationsStage
from envfactory_dagster.tasks.conversations.variants import problems_of_question, reporting
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.messages import states
from envfactory_dagster.truth.replay import replay
from envfactory_dagster.truth.reward_basis import RewardBasis
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.telling import single_answers
from envfactory_dagster.truth.verdicts import Checks
from tests.rollouts.scripted import Scripted, calls, finishes, followed, says
from tests.support.reports import RETURNED, report
from tests.tasks.conversation_kit import (
    TURNS,
    Answer,
    Author,
    detail,
    gateway_to,
    graph_of,
    ground_of,
    insist,
    maker,
    parents_of,
    record_of,
    told,
    wish,
)

PARENTS = ("last_morning", "call_it_off", "nephew_alone")


@pytest.fixture(scope="module")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest_asyncio.fixture(scope="module")
async def parents(runtime: Runtime, huts: Bundle) -> list[MadeTask]:
    return await parents_of(runtime, huts, *PARENTS)


@dataclass(frozen=True)
class Made:
    shop: ConversationMaker
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
        shop = maker(gateway, runtime, huts, missing_parameter=1, missing_function=2, no_tool=1)
        await shop.work(parents)
        yield Made(shop, author)


# -- turns -------------------------------------------------------------------------------------------------------------


def test_a_turn_never_ends_between_a_call_and_the_one_that_uses_its_answer(huts: Bundle, parents: list[MadeTask]):
    spoken = ground_of(huts)
    for parent in parents:
        steps = parent.solution.calls
        places = cuts(steps, spoken.internals, spoken.facts)
        assert places[-1] == len(steps)
        for user, step in enumerate(steps):
            for value in spoken.internals.of(step):
                tellers = [place for place in range(user) if value in scalars(steps[place].value)]
                assert not any(tellers[-1] < place <= user for place in places if tellers)
    calls_off = next(one for one in parents if one.task.id == "call_it_off").solution.calls
    assert cuts(calls_off, spoken.internals, spoken.facts) == [1, 5, 6, 8, 9, 10]


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
        assert [turn.request for turn in conversation.turns] == [turn["request"] for turn in TURNS[parent.task.id]]
        assert sum(turn.calls for turn in conversation.turns) == len(parent.solution.calls)
        assert talk.difficulty.pass_rate is None, "in these words nobody has played it"
        assert talk.task.text == "\n".join(turn.request for turn in conversation.turns)
        assert conversation.variant == ("refusal" if parent.task.kind == "refusal" else "plain")


def test_several_conversations_are_asked_for_in_one_question(made: Made):
    asked = [context["tasks"] for schema, context in made.author.asked if schema == "conversation"]
    assert [[one["task"] for one in tasks] for tasks in asked] == [list(PARENTS)]
    assert {schema for schema, _ in made.author.asked} == {"conversation", "missing_parameter", "rules_question"}


async def test_only_what_was_refused_is_asked_for_again(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    asked = 0

    def forgets_and_leaks(schema: str, context: Answer, right: Answer) -> Answer:
        nonlocal asked
        if schema == "conversation":
            asked += 1
            given = [one for one in right["conversations"] if one["task"] != "last_morning" or asked == 3]
            for one in given:
                if one["task"] == "call_it_off" and asked == 1:
                    turns = one["turns"]
                    one["turns"] = [*turns[:-1], turns[-1] | {"request": "How much comes back? It is signup 4."}]
            return {"conversations": given}
        return right

    author = Author(forgets_and_leaks)
    async with gateway_to(author, tmp_path) as gateway:
        shop = maker(gateway, runtime, huts, attempts=3, missing_parameter=0, missing_function=0, no_tool=0)
        await shop.work(parents)
    assert [[one["task"] for one in context["tasks"]] for _, context in author.asked] == [
        list(PARENTS),
        ["last_morning", "call_it_off"],
        ["last_morning"],
    ]
    assert len(shop.made) == 3 and shop.dropped == []
    problems = [problem.message for attempt in shop.attempts for problem in attempt.problems]
    assert any("call_it_off: 4 is known to the service alone" in one for one in problems)
    assert any("last_morning: Its conversation is missing" in one for one in problems)


async def test_a_model_that_gives_identifiers_away_for_ever_loses_the_task_and_no_other(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    def gives_away(schema: str, context: Answer, right: Answer) -> Answer:
        if schema != "conversation":
            return right
        told_so = right["conversations"]
        leaky = [one | {"answers": ["It is signup 4."]} for one in told_so if one["task"] == "call_it_off"]
        return {"conversations": [*leaky, *(one for one in told_so if one["task"] != "call_it_off")]}

    author = Author(gives_away)
    async with gateway_to(author, tmp_path) as gateway:
        shop = maker(gateway, runtime, huts, missing_parameter=0, missing_function=0, no_tool=0)
        await shop.work([one for one in parents if one.task.id != "last_morning"])
    assert [one.task.id for one in shop.made] == ["nephew_alone_talk"]
    [dropped] = shop.dropped
    assert dropped.task == "call_it_off_talk" and "comes from nowhere" in dropped.reason


async def test_a_task_with_too_little_to_it_becomes_no_conversation_and_costs_nothing(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    short = the(parents, "call_it_off")
    solution = short.solution.model_copy(update={"calls": short.solution.calls[:2]})
    author = Author()
    async with gateway_to(author, tmp_path) as gateway:
        shop = maker(gateway, runtime, huts, missing_parameter=0, missing_function=0, no_tool=0)
        await shop.work([short.model_copy(update={"solution": solution})])
    assert (author.asked, shop.made) == ([], [])
    [dropped] = shop.dropped
    assert dropped.reason == "there is not enough to it for 3 turns"


# -- what a conversation must be ---------------------------------------------------------------------------------------


def plan_of(huts: Bundle, parent: MadeTask, *wanted: Refinement) -> Planned:
    spoken, refinements = ground_of(huts), wanted or ALL_REFINEMENTS
    expanded = Expanded(parent, parent)
    return planned(spoken.bundle, spoken.internals, spoken.facts, spoken.names, expanded, refinements)


def the(parents: list[MadeTask], name: str) -> MadeTask:
    return next(one for one in parents if one.task.id == name)


def found_in(huts: Bundle, parent: MadeTask, turns: list[Answer], *answers: str) -> str:
    given = ToldTask.model_validate(told(parent.task.id, turns, *answers))
    return " ".join(problem.message for problem in problems_of(plan_of(huts, parent), given))


def changed(task: str, number: int, **fields: Any) -> list[Answer]:
    """The hand-written turns, one of them with other fields."""
    return [turn | fields if place == number else turn for place, turn in enumerate(TURNS[task], 1)]


@pytest.mark.parametrize(
    ("turns", "problem"),
    [
        (changed("call_it_off", 4, parts=1), "The turns take 7 parts; there are 8"),
        (TURNS["call_it_off"][:2], "There are 2 turns; there must be 3 to 8"),
        ([wish(8, "all", "All of it.")], "There are 1 turns"),
        ([wish(1, "more", "More.") for _ in range(9)], "There are 9 turns"),
        (changed("call_it_off", 4, kind="detail"), "Turn 4 is a detail and takes 2 parts"),
        (changed("call_it_off", 4, parts=0), "The turns take 6 parts; there are 8"),
        (changed("call_it_off", 1, request="Our weekend is off."), "is said in no request and in no answer"),
        (changed("call_it_off", 1, goal="learn what is booked in February"), "is in no goal and in no answer"),
        (changed("call_it_off", 1, goal="booking 4; Schneelahn Hut, Lisbon, 5 February"), "4 is known to the service"),
        (changed("call_it_off", 4, request="How much of the 88 euros comes back?"), "'88' comes from nowhere"),
        (changed("call_it_off", 4, request="Tell me total_cents of it."), "a name inside the service"),
        (changed("call_it_off", 4, request=f"How much? {'Please. ' * 200}"), "Request 4 has 202 words"),
        (changed("call_it_off", 4, instead_of="five"), "only in a detail somebody has changed their mind"),
        ([wish(4, "a", "Do it."), wish(1, "b", "And that."), wish(3, "c", "How much?")], None),
        ([wish(6, "a", "Do it."), wish(1, "b", "And that."), wish(1, "c", "How much?")], "Turn 1 takes 6 different"),
    ],
)
def test_what_is_wrong_with_a_conversation_is_said(
    huts: Bundle, parents: list[MadeTask], turns: list[Answer], problem: str | None
):
    found = found_in(huts, the(parents, "call_it_off"), turns)
    assert problem in found if problem is not None else "different tools" not in found


def test_what_was_written_by_hand_passes(huts: Bundle, parents: list[MadeTask]):
    assert {task: found_in(huts, the(parents, task), turns) for task, turns in TURNS.items()} == dict.fromkeys(
        TURNS, ""
    )


@pytest.mark.parametrize(
    "torn",
    [
        "Otherwise tell me how old he would have to be.",
        "Please, otherwise book nothing.",
        "If not, book nothing and tell me how old he must be.",
        "Should it not; and how many clinics there are.",
        "Please tell me both; and if the first one is larger;",
        "And if the club doesn't take him alone.",
    ],
)
def test_a_condition_that_is_cut_in_two_is_sent_back(huts: Bundle, parents: list[MadeTask], torn: str):
    turns = TURNS["nephew_alone"]
    last = turns[2]["request"].partition(". If")[0]
    split = [turns[1], turns[2] | {"request": f"{last}."}, turns[2] | {"request": torn}]
    assert "tears a condition apart" in found_in(huts, the(parents, "nephew_alone"), split)


@pytest.mark.parametrize(
    "whole",
    [
        "If the club takes him alone, sign him up; otherwise tell me how old he must be.",
        "Please sign him up on his own if they take him alone.",
        "Should they refuse, book nothing.",
        "Sign him up for both now, or else book nothing.",
        "Tell me if he may go alone.",
        "Sign him up on the outings where he is taken alone, otherwise book nothing.",
    ],
)
def test_a_condition_that_is_whole_passes(huts: Bundle, parents: list[MadeTask], whole: str):
    turns = changed("nephew_alone", 3, request=whole, goal=whole)
    assert "tears a condition apart" not in found_in(huts, the(parents, "nephew_alone"), turns)


REVIEW = (
    "Check us out, the via ferrata sets are back on the hook, and write that the kitchen and the sunrise were worth"
    " every step."
)


def asked_back(detail_turn: Answer, request: str = REVIEW, goal: str = "check out and write a review") -> list[Answer]:
    turns = TURNS["last_morning"]
    return [*turns[:2], wish(2, goal, request), detail_turn, turns[3]]


def test_a_value_may_be_kept_until_the_assistant_asks_for_it(huts: Bundle, parents: list[MadeTask]):
    morning = the(parents, "last_morning")
    [held] = plan_of(huts, morning).shown.held_back
    assert (held.part, held.written) == (7, ["five"])
    assert found_in(huts, morning, asked_back(detail("five stars", "Five stars."))) == ""
    nothing = found_in(huts, morning, asked_back(detail("stars", "Good ones.")))
    assert "must say a value that `held_back` lists" in nothing
    late = asked_back(detail("five stars", "Five stars."))
    assert "follow the turn" in found_in(huts, morning, [*late[:3], late[4], late[3]])
    said = asked_back(detail("five stars", "Five stars."), f"{REVIEW} Five stars.")
    assert "which was said before: nobody has to ask for it" in found_in(huts, morning, said)
    in_the_goal = asked_back(detail("five stars", "Five stars."), goal="a review with five stars")
    assert "which was said before" in found_in(huts, morning, in_the_goal)


async def test_who_has_to_be_asked_has_a_turn_for_it(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    turns = asked_back(detail("five stars", "Five stars."))
    author = Author(
        lambda schema, _, right: {"conversations": [told("last_morning", turns)]} if schema == "conversation" else right
    )
    async with gateway_to(author, tmp_path) as gateway:
        shop = maker(gateway, runtime, huts, missing_parameter=1, missing_function=0, no_tool=0)
        await shop.work([the(parents, "last_morning")])
    [talk] = shop.made
    assert talk.conversation is not None and talk.conversation.variant == "missing_parameter"
    assert [(turn.kind, turn.calls) for turn in talk.conversation.turns][2:4] == [("wish", 2), ("detail", 0)]
    assert [schema for schema, _ in author.asked] == ["conversation"], "one that asks back is there already"


NO_WAY = insist("beg for an exception", "Oh please, he has been looking forward to it all year.")

WITH_OTHERWISE = insist("beg for an exception", "Please, he would be so sad otherwise.")


@pytest.mark.parametrize(
    ("task", "turns", "problem"),
    [
        ("nephew_alone", [wish(3, "", ""), NO_WAY, NO_WAY], ""),
        ("nephew_alone", [*TURNS["nephew_alone"], NO_WAY], ""),
        ("nephew_alone", [*TURNS["nephew_alone"], WITH_OTHERWISE], ""),
        ("nephew_alone", [*TURNS["nephew_alone"][:2], NO_WAY, TURNS["nephew_alone"][2]], "Turn 3 insists"),
        ("nephew_alone", [*TURNS["nephew_alone"], NO_WAY, NO_WAY, NO_WAY], "More than 2 turns insist"),
        ("nephew_alone", [NO_WAY, *TURNS["nephew_alone"]], "The first turn is of kind 'insist'"),
        ("call_it_off", [*TURNS["call_it_off"], NO_WAY], "only who has been refused does"),
    ],
)
def test_who_is_refused_may_insist(huts: Bundle, parents: list[MadeTask], task: str, turns: list[Answer], problem: str):
    whole = the(parents, task).task.text
    said = [one | {field: one[field] or whole for field in ("goal", "request")} for one in turns]
    found = found_in(huts, the(parents, task), said)
    assert problem in found if problem else found == ""


async def test_a_task_that_is_refused_at_once_becomes_a_conversation(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path: Path
):
    """Its few calls are one part or two, and the person takes no first no for an answer."""
    [ankle] = await parents_of(runtime, huts, "sprained_ankle")
    turns = [wish(2, ankle.task.text, ankle.task.text), NO_WAY, NO_WAY]
    author = Author(lambda schema, _, right: {"conversations": [told("sprained_ankle", turns)]})
    async with gateway_to(author, tmp_path) as gateway:
        shop = maker(gateway, runtime, huts, missing_parameter=0, missing_function=0, no_tool=0)
        await shop.work([ankle])
    [talk] = shop.made
    assert talk.conversation is not None and talk.conversation.variant == "refusal"
    assert [turn.kind for turn in talk.conversation.turns] == ["wish", "insist", "insist"]
    assert talk.task.text == ankle.task.text, "said at once, nobody pleads before they have been refused"
    agent = Scripted([*(calls((one.tool, one.arguments)) for one in ankle.solution.calls),
                      says("That cannot be done any more."), says("No, I am sorry."), says("No."),
                      finishes(ankle.solution.report)])  # fmt: skip
    user = Scripted([says("Call it off?"), says("Please!"), says("Really not?"), says(STOP)], name="user")
    rollout = await play(runtime, huts, talk, agent, user, tmp_path, setting="conversation")
    assert rollout.trajectory.outcome == "completed"
    assert str(user.shown[0][0]["content"]).count('"when":"refused"') == 2


SISTER = "Please add my sister Vroni to the people I travel with."
CORRECTED = "She was born on 14 March 1996. And put her down as Valerie Brandstätter instead."


@pytest.mark.parametrize(
    ("asking", "corrected", "instead_of", "problem"),
    [
        (SISTER, CORRECTED, "Vroni", ""),
        ("Please add my sister.", CORRECTED, "Vroni", "takes 'Vroni' back, which the request before does not say"),
        (SISTER, "She was born on 14 March 1996.", "Vroni", "says none of ['Valerie Brandstätter'] in its place"),
        (f"{SISTER} Valerie Brandstätter.", CORRECTED, "Valerie Brandstätter", "is what the task wants"),
    ],
)
async def test_a_person_may_change_their_mind_while_nothing_can_be_done_yet(
    runtime: Runtime, huts: Bundle, asking: str, corrected: str, instead_of: str, problem: str
):
    [sister] = await parents_of(runtime, huts, "sister_joins")
    rest = (
        "Make her a club member from today, on whatever plan fits her age and includes mountain rescue.",
        "Then book us in for Saturday, 20 February, in any hut of the Weißkogel region with a drying room, as long as"
        " we pay no more than 60 euros together. I'll accept the house rules; leave the bills open.",
    )
    turns = [
        wish(2, "add a sister, under the name Vroni", asking),
        detail("born on 14 March 1996, and her name is Valerie Brandstätter", corrected, instead_of),
        wish(2, rest[0], rest[0]),
        wish(5, rest[1], rest[1]),
    ]
    found = found_in(huts, sister, turns)
    assert problem in found if problem else found == ""


# -- refinements -------------------------------------------------------------------------------------------------------


def test_a_refinement_is_recorded_only_where_the_words_changed(made: Made):
    """What is claimed to stand in place of something that nobody wrote is not counted."""
    assert made.conversation("call_it_off_talk").refinements == ["implicit_reference"]
    assert made.conversation("last_morning_talk").refinements == []


@pytest.mark.parametrize(
    ("place", "answers", "recorded"),
    [
        (("implicit_reference", "the stay at the Schneelahn Hut", "that one"), [], ["implicit_reference"]),
        (("implicit_reference", "booking BK-7", "that one"), [], ["implicit_reference"]),
        (("implicit_reference", "the one", "that one"), [], []),
        (("implicit_reference", "the stay at the Schneelahn Hut", "another one"), [], []),
        (("implicit_reference", "Move that one", "Move that one"), [], []),
        (("action_compression", "look it up, then move that one", "move that one"), [], ["action_compression"]),
        (("action_compression", "move", "move that one"), [], []),
        (("ambiguity", "the stay of 5 February", "that one"), ["I mean the one of 5 February."], ["ambiguity"]),
        (("ambiguity", "the stay of 5 February", "that one"), [], []),
        (("ambiguity", "the stay", "that one"), [], []),
    ],
)
def test_what_counts_as_a_refinement(place: tuple[str, str, str], answers: list[str], recorded: list[str]):
    turn = wish(1, "move it", "Move that one to 6 March.", place)
    given = ToldTask.model_validate(told("move", [turn], *answers))
    assert made_of(given, ALL_REFINEMENTS) == recorded
    assert made_of(given, []) == []
    before = said_with(given.turns[0], answers, ())
    assert (before != turn["request"]) == bool(recorded)
    assert said_with(given.turns[0], answers, recorded) == turn["request"]


def test_a_refinement_that_has_nothing_to_do_is_not_asked_for(huts: Bundle, parents: list[MadeTask]):
    calls_off = the(parents, "call_it_off")
    assert plan_of(huts, calls_off, "action_compression").shown.refinements == ["action_compression"]
    assert plan_of(huts, calls_off).shown.refinements == ["implicit_reference", "action_compression", "ambiguity"]
    one_call = calls_off.solution.model_copy(update={"calls": calls_off.solution.calls[4:5]})
    alone = plan_of(huts, calls_off.model_copy(update={"solution": one_call}))
    assert alone.shown.refinements == ["implicit_reference"]
    assert "ambiguity" not in instructions(alone.wanted) and "action_compression" not in instructions(alone.wanted)


# -- goal expansion ----------------------------------------------------------------------------------------------------


def leading_from(huts: Bundle, source: str, output: str, target: str, parameter: str) -> ToolGraph:
    """The graph of the huts with one edge."""
    tools = {tool.name: tool for tool in graph_of(huts).tools}
    needed = [one.model_copy(update={"required": one.name == parameter}) for one in tools[target].parameters]
    tools[target] = tools[target].model_copy(update={"parameters": needed})
    tools[source] = tools[source].model_copy(update={"outputs": [output]})
    link = ParameterLink(output=output, parameter=parameter, evidence="lineage")
    edge = GraphEdge(source=source, target=target, weight=3, links=[link])
    return ToolGraph(tools=list(tools.values()), edges=[edge])


async def test_a_second_wish_is_in_the_program_before_the_truth_is_made(
    runtime: Runtime, huts: Bundle, question: MadeTask
):
    graph = leading_from(huts, "search_huts", "huts[].hut_id", "get_hut", "hut_id")
    expander = Expander(runtime, huts, graph, ground_of(huts).facts)
    offered = await expander.to_expand(question, 1)
    expanded = await expander.expanded(question, offered.wishes[:1])
    [also] = expanded.also
    solution, before = expanded.made.solution, question.solution
    assert [call.tool for call in solution.calls] == [*(call.tool for call in before.calls), "get_hut"]
    assert solution.calls[-1].arguments["hut_id"] in {call.arguments.get("hut_id") for call in before.calls}
    assert solution.form.fields[: len(before.form.fields)] == before.form.fields
    added = solution.form.fields[len(before.form.fields) :]
    assert tuple(field.description for field in added) == also
    assert all(solution.report.answers[field.name] is not None for field in added)
    assert solution.state_hash == before.state_hash
    assert expanded.made.verifier.gate.passed and expanded.made.verifier.gate.kill_rate == 1.0
    assert all(f"goal_says_{field.name}" in expanded.made.verifier.verifier.source for field in added)


async def test_what_a_second_wish_tells_is_as_true_after_the_task_and_not_known_before(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask]
):
    """The task cancels the booking: its status and what it owes are others then."""
    graph = leading_from(huts, "list_bookings", "bookings[].booking_code", "get_booking", "booking_code")
    calls_off = the(parents, "call_it_off")
    offered = await Expander(runtime, huts, graph, ground_of(huts).facts).to_expand(calls_off, 2)
    assert {one.step.tool for one in offered.wishes} == {"get_booking"}
    for one in offered.wishes:
        before, after = one.step.result, one.step.afterwards
        assert isinstance(before, dict) and isinstance(after, dict) and before["status"] != after["status"]
        assert not any("status of the booking" in what or what == "The status" for what in one.tells)
        assert not any(str(field.value) in calls_off.task.text for field in one.fields)


async def test_what_is_refused_gets_no_second_wish(runtime: Runtime, huts: Bundle, parents: list[MadeTask]):
    graph = leading_from(huts, "search_tours", "tour_dates[].tour_date_id", "get_tour_date", "tour_date_id")
    offered = await Expander(runtime, huts, graph, ground_of(huts).facts).to_expand(the(parents, "nephew_alone"), 2)
    assert offered.wishes == ()


@pytest.mark.parametrize(
    ("chosen", "problem"),
    [
        ({"best_hut_in_reach": [1]}, ""),
        ({"best_hut_in_reach": []}, ""),
        ({}, ""),
        ({"best_hut_in_reach": [0]}, "has no wish 0"),
        ({"best_hut_in_reach": [99]}, "has no wish 99"),
        ({"best_hut_in_reach": [1, 2]}, "gets two wishes of one tool"),
        ({"best_hut_in_reach": [1, 2, 1]}, "gets 3 further wishes; at most 2"),
        ({"another": [1]}, "no task 'another'"),
    ],
)
async def test_further_wishes_are_chosen_among_those_that_are_offered(
    runtime: Runtime, huts: Bundle, question: MadeTask, chosen: dict[str, list[int]], problem: str
):
    graph = leading_from(huts, "search_huts", "huts[].hut_id", "get_hut", "hut_id")
    offered = await Expander(runtime, huts, graph, ground_of(huts).facts).to_expand(question, 2)
    answer = FurtherWishesAnswer(tasks=[ChosenWishes(task=task, wishes=numbers) for task, numbers in chosen.items()])
    found = " ".join(one.message for one in problems_of_choice([offered], answer))
    assert problem in found if problem else found == ""


async def test_the_author_says_which_further_wishes_there_are(runtime: Runtime, huts: Bundle, tmp_path: Path):
    """Of a task that gets one, what it asks besides is shown as a part; where nobody would ask, there is none."""
    graph = leading_from(huts, "list_bookings", "bookings[].booking_code", "get_booking", "booking_code")
    [accounts] = await parents_of(runtime, huts, "accounts_of_2026")
    again = accounts.model_copy(update={"task": accounts.task.model_copy(update={"id": "again"})})

    def only_for_one(schema: str, context: Answer, right: Answer) -> Answer:
        if schema != "further_wishes":
            return right
        return {"tasks": [{"task": "accounts_of_2026", "wishes": [2]}, {"task": "again", "wishes": []}]}

    author = Author(only_for_one)
    async with gateway_to(author, tmp_path) as gateway:
        settings = ConversationSettings(missing_parameter=0, missing_function=0, no_tool=0)
        shop = ConversationMaker(gateway, runtime, ground_of(huts), graph, 1, settings)
        await shop.work([accounts, again])
    wishes = next(context for schema, context in author.asked if schema == "further_wishes")["tasks"]
    shown = {one["task"]: one for one in next(c for s, c in author.asked if s == "conversation")["tasks"]}
    besides = [part["besides"] for part in shown["accounts_of_2026"]["parts"]]
    assert besides[-1] == wishes[0]["wishes"][1]["tells"] and not any(besides[:-1])
    assert not any(part["besides"] for part in shown["again"]["parts"])


# -- requests that leave something out, where nobody can be asked ------------------------------------------------------

ADD_SISTER = "Please add my sister Valerie Brandstätter to the people I travel with."
BIRTHDAY = detail("born on 14 March 1996", "She was born on 14 March 1996.")


async def of_the_sister(
    runtime: Runtime, huts: Bundle, folder: Path, first: str, second: Answer, **settings: int
) -> list[MadeTask]:
    parents = await parents_of(runtime, huts, "sister_joins")
    rest = (
        "Make her a club member from today, on whatever plan fits her age and includes mountain rescue.",
        "Then book us in for Saturday, 20 February, in any hut of the Weißkogel region with a drying room, as long as"
        " we pay no more than 60 euros together. I'll accept the house rules; leave the bills open.",
    )
    turns = [wish(2, first, first), second, wish(2, rest[0], rest[0]), wish(5, rest[1], rest[1])]
    author = Author(
        lambda schema, _, right: {"conversations": [told("sister_joins", turns)]} if schema == "conversation" else right
    )
    async with gateway_to(author, folder) as gateway:
        shop = maker(
            gateway, runtime, huts, **{"missing_function": 0, "no_tool": 0, "missing_parameter": 1, **settings}
        )
        await shop.work(parents)
    assert [one.task for one in shop.dropped] == []
    return shop.made


async def test_a_first_message_that_lacks_a_value_is_a_task_for_who_cannot_ask(
    runtime: Runtime, huts: Bundle, tmp_path: Path
):
    talk, twin = await of_the_sister(runtime, huts, tmp_path, ADD_SISTER, BIRTHDAY)
    assert talk.conversation is not None and talk.conversation.turns[0].request == ADD_SISTER
    assert (twin.task.text, twin.task.kind, twin.parent) == (ADD_SISTER, "underspecified", "sister_joins")
    assert (twin.conversation, twin.setting, twin.task.withheld) == (None, "single", [])
    assert (twin.solution.report.outcome, twin.solution.changes) == ("needs_information", [])
    gate = twin.verifier.gate
    assert gate.passed and gate.kill_rate == 1.0 and len(gate.of("mutant")) >= 6
    guessing = [trial for trial in gate.of("mutant") if trial.operator == "extra_write"]
    assert guessing and {trial.score for trial in guessing} == {0.0}, "whoever does something all the same"


async def test_who_reports_that_something_is_missing_completes_it_and_who_guesses_does_not(
    runtime: Runtime, huts: Bundle, tmp_path: Path
):
    _, twin = await of_the_sister(runtime, huts, tmp_path, ADD_SISTER, BIRTHDAY)
    person = {"name": "Valerie Brandstätter", "birth_date": "1990-01-01"}
    ends = [
        ([finishes(twin.solution.report)], "completed"),
        ([calls(("add_companion", person)), finishes(report(message="She is added."))], "agent_error"),
        ([finishes(report("impossible", "I cannot do that."))], "agent_error"),
    ]
    for place, (lines, outcome) in enumerate(ends):
        rollout = await play(runtime, huts, twin, Scripted(lines), None, tmp_path / str(place))
        assert rollout.trajectory.outcome == outcome


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Please add my sister Vroni to the people I travel with.", detail(
            "born on 14 March 1996, and her name is Valerie Brandstätter", CORRECTED, "Vroni"
        )),
        (f"{ADD_SISTER} And tell me how many they are then.", BIRTHDAY),
    ],
    ids=["another value is said first", "it asks to be told something as well"],
)  # fmt: skip
async def test_what_may_mean_something_else_becomes_no_such_task(
    runtime: Runtime, huts: Bundle, tmp_path: Path, first: str, second: Answer
):
    [talk] = await of_the_sister(runtime, huts, tmp_path, first, second)
    assert talk.conversation is not None


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
    assert talk.conversation is not None and talk.conversation.refinements == []
    assert (talk.task.id, outcome.metadata["turns"]) == ("nephew_alone_talk", 3)
    assert (
        stage.settings_hash()
        != ConversationsStage(gateway, runtime, AuthoringSettings(), BundleStore(home)).settings_hash()
    )


# -- playing -----------------------------------------------------------------------------------------------------------


async def play(
    runtime: Runtime, bundle: Bundle, one: MadeTask, agent: Player, user: Player | None, folder: Path, **settings: Any
) -> Rollout:
    """The only episode of a made task; it replays."""
    source, form = one.verifier.verifier.source, one.solution.form
    bundle = replace(bundle, tasks=[one.task], verifiers={one.task.id: source}, answer_forms={one.task.id: form})
    chosen = RolloutSettings(**settings)
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    basis = RewardBasis(bundle, one.task, one.solution, facts, chosen.reward)
    work = Assignment(bundle, one.task, Checks(one.task, source, form), basis, one.conversation)
    engine = Engine(runtime, agent, chosen, TrajectoryStore(Home.resolve(folder)), user)
    [rollout] = [rollout async for rollout in engine.roll([work])]
    assert (await replay(runtime, bundle, rollout.trajectory)).reproduced
    return rollout


async def test_a_person_knows_its_goals_and_answers_and_neither_the_wording_nor_anything_else(
    runtime: Runtime, huts: Bundle, made: Made, tmp_path: Path
):
    one = made["last_morning_left_out"]
    user = Scripted([says("Hello!"), says(STOP)], name="user")
    await play(runtime, huts, one, Scripted([says("Yes?")]), user, tmp_path, setting="conversation")
    told = str(user.shown[0][0]["content"])
    conversation = made.conversation(one.task.id)
    assert all(turn.goal in told for turn in conversation.turns) and conversation.persona in told
    assert not any(turn.request in told for turn in conversation.turns)
    assert conversation.answers[-1] in told and told.count('"when":"next"') == len(conversation.turns)
    assert "write_review" not in told


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
    lines = [says(f"I would like to {turn.goal}.") for turn in made.conversation(one.task.id).turns]
    user = Scripted([*lines, says(STOP)], name="user")
    rollout = await play(runtime, huts, one, Scripted(agent), user, tmp_path, setting="conversation")
    assert rollout.trajectory.outcome == "completed"
    assert rollout.trajectory.opening.startswith("I would like to learn what is booked at the Schneelahn Hut")
    assert rollout.remarks == []
    assert rollout.trajectory.answer.startswith("Done with 0.\nDone with 1.\n")


@pytest.mark.parametrize(("name", "passes"), [("reference", True), ("reference:competence=0", False)])
async def test_the_reference_policy_and_its_person_come_to_the_end_of_every_conversation(
    runtime: Runtime, huts: Bundle, made: Made, tmp_path: Path, name: str, passes: bool
):
    agent, person = ReferencePolicy.of_name(name), ReferencePolicy.of_name("reference")
    for one in made.shop.made:
        rollout = await play(runtime, huts, one, agent, person, tmp_path / one.task.id, setting="conversation")
        assert (rollout.trajectory.outcome == "completed") == passes, (one.task.id, rollout)
        assert rollout.trajectory.model == name and "user_scripted" in rollout.remarks


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
    strict = RewardSettings(format_rules="all")
    rollout = await play(runtime, huts, one, agent, None, tmp_path, protocol=protocol, reward=strict)
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
    return list(without_tools(made.shop.spoken, talk))


def talk_about(parent: MadeTask, turns: list[tuple[str, int]]) -> Talk:
    """A task whose calls are divided among these requests."""
    steps = iter(parent.solution.calls)
    shown = tuple(
        TurnShown(
            goal=request,
            request=request,
            calls=[
                CallShown(tool=step.tool, arguments=step.arguments, outcome=step.outcome, result="{}")
                for _, step in zip(range(calls), steps, strict=False)
            ],
        )
        for request, calls in turns
    )
    secrets = Secrets.of([], Internals(), "", frozenset())
    requests = tuple(request for request, _ in turns)
    return Talk(
        parent, "2026-06-01T09:00:00", "At home.", "Somebody brief.", shown, Wording(requests), secrets, requests
    )


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


def test_turns_take_all_calls_of_the_solution(made: Made):
    one = made["call_it_off_talk"]
    conversation = made.conversation(one.task.id)
    fewer = conversation.model_copy(update={"turns": [Turn(goal="a", request="b", calls=1)]})
    with pytest.raises(ValueError, match="do not take all calls"):
        MadeTask.model_validate(one.model_dump() | {"conversation": fewer.model_dump()})
