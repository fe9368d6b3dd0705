"""Tasks become conversations: where a turn may end, what the author is asked for, and what is kept of the task."""

from pathlib import Path

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.task_set import problems_of as problems_of_task_set
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import ToldConversation
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.synthesis import MadeTask, MadeTasks, Turn
from envfactory_dagster.contracts.truth import SolutionSet, TracedStep, VerifierSet
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.conversations.cuts import MOST_TOOLS, cuts
from envfactory_dagster.tasks.conversations.identifiers import Internals, scalars
from envfactory_dagster.tasks.conversations.planning import instructions
from envfactory_dagster.tasks.conversations.refinements import made_of, said_with
from envfactory_dagster.tasks.conversations.settings import ALL_REFINEMENTS, ConversationSettings
from envfactory_dagster.tasks.conversations.stage import ConversationsStage
from tests.tasks.conversation_kit import (
    PARENTS,
    TURNS,
    Answer,
    Author,
    Talks,
    gateway_to,
    graph_of,
    ground_of,
    maker,
    plan_of,
    record_of,
    the,
    told,
    wish,
)

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
    calls_off = the(parents, "call_it_off").solution.calls
    assert cuts(calls_off, spoken.internals, spoken.facts) == [1, 5, 6, 8, 9, 10]


def test_what_is_too_long_for_one_turn_may_be_torn_anywhere(huts: Bundle):
    facts = ground_of(huts).facts
    chain = [TracedStep(tool=f"step_{n}", arguments={"thing_id": 7}, value={"id": 7}) for n in range(MOST_TOOLS + 1)]
    assert cuts(chain[:-1], Internals(), facts) == [MOST_TOOLS]
    assert cuts(chain, Internals(), facts) == list(range(1, MOST_TOOLS + 2))


def test_turns_take_all_calls_of_the_solution(talks: Talks):
    one = talks["call_it_off_talk"]
    conversation = talks.conversation(one.task.id)
    fewer = conversation.model_copy(update={"turns": [Turn(goal="a", request="b", calls=1)]})
    with pytest.raises(ValueError, match="do not take all calls"):
        MadeTask.model_validate(one.model_dump() | {"conversation": fewer.model_dump()})


# -- conversations -----------------------------------------------------------------------------------------------------


def test_a_conversation_has_the_truth_of_its_task_under_other_words(talks: Talks, parents: list[MadeTask]):
    assert talks.shop.dropped == []
    for parent in parents:
        talk = talks[f"{parent.task.id}_talk"]
        conversation = talks.conversation(talk.task.id)
        assert (talk.source, talk.parent) == ("conversation", parent.task.id)
        assert talk.solution.state_hash == parent.solution.state_hash
        assert talk.verifier.gate.passed and talk.verifier.gate.trials == parent.verifier.gate.trials
        assert talk.verifier.verifier.source == parent.verifier.verifier.source
        assert [turn.request for turn in conversation.turns] == [turn["request"] for turn in TURNS[parent.task.id]]
        assert sum(turn.calls for turn in conversation.turns) == len(parent.solution.calls)
        assert talk.difficulty.pass_rate is None, "in these words nobody has played it"
        assert talk.task.text == "\n".join(turn.request for turn in conversation.turns)
        assert conversation.variant == ("refusal" if parent.task.kind == "refusal" else "plain")


def test_several_conversations_are_asked_for_in_one_question(talks: Talks):
    asked = [context["tasks"] for schema, context in talks.author.asked if schema == "conversation"]
    assert [[one["task"] for one in tasks] for tasks in asked] == [list(PARENTS)]
    assert {schema for schema, _ in talks.author.asked} == {"conversation", "missing_parameter", "rules_question"}


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


# -- refinements -------------------------------------------------------------------------------------------------------


def test_a_refinement_is_recorded_only_where_the_words_changed(talks: Talks):
    """What is claimed to stand in place of something that nobody wrote is not counted."""
    assert talks.conversation("call_it_off_talk").refinements == ["implicit_reference"]
    assert talks.conversation("last_morning_talk").refinements == []


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
    given = ToldConversation.model_validate(told("move", [turn], *answers))
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
