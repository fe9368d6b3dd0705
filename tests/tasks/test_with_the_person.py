"""Tasks of which the person does a part: the huts' terms are accepted by nobody but the guest."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph import STRONG
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.rollouts.assignments import assignments
from envfactory_dagster.rollouts.prompts import STOP
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.graph_tasks.describing import context_of
from envfactory_dagster.tasks.graph_tasks.making import Maker, Wanted
from envfactory_dagster.tasks.graph_tasks.wanted_drafts import WalkDraft
from envfactory_dagster.tasks.playing import PlayPlan
from envfactory_dagster.truth.rewards import RewardSettings
from tests.rollouts.scripted import Scripted, calls, finishes, says
from tests.rollouts.stage import Stage
from tests.tasks.graph_kit import huts_graph
from tests.tasks.program_kit import gateway_of
from tests.tasks.wording_kit import plain_words

WANTED = Wanted("with_the_guest", 2, "winter", with_person=True)


@pytest_asyncio.fixture(scope="module")
async def maker(huts: Bundle, runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Maker]:
    async with gateway_of(tmp_path_factory.mktemp("author"), plain_words) as gateway:
        facts = analyze_tools(huts.tools_source, huts.schema_sql)
        yield Maker(gateway, runtime, AuthoringSettings(), huts, huts_graph(huts), facts)


@pytest_asyncio.fixture(scope="module")
async def made(maker: Maker) -> MadeTask:
    tried = await maker.make(WANTED, [WalkDraft(one) for one in await maker.drafts(WANTED, 0)])
    assert tried.made is not None, tried.dropped
    return tried.made


def test_the_graph_leads_from_what_the_person_does_to_what_waits_for_it(huts: Bundle) -> None:
    [edge] = [one for one in huts_graph(huts).edges if one.source == "accept_hut_terms"]
    assert (edge.target, edge.weight) == ("confirm_booking", STRONG)


def test_a_chain_takes_in_what_the_person_has_to_do(made: MadeTask) -> None:
    principals = {call.tool: call.principal for call in made.solution.calls}
    assert principals["accept_hut_terms"] == "user"
    assert [*principals].index("accept_hut_terms") + 1 == [*principals].index("confirm_booking")
    accepted, confirmed = (made.solution.calls[[*principals].index(name)].arguments for name in list(principals)[-2:])
    assert accepted == confirmed


def test_it_does_not_pass_without_the_persons_part(made: MadeTask) -> None:
    [trial] = made.verifier.gate.of("minus_person")
    assert trial.right
    assert trial.what == "without accept_hut_terms"


def test_it_is_played_where_there_is_a_person(made: MadeTask) -> None:
    assert made.needs_the_person
    assert PlayPlan().setting_of(made) == "conversation"
    alone = made.solution.model_copy(update={"calls": made.solution.calls[:1]})
    assert PlayPlan().setting_of(made.model_copy(update={"solution": alone})) == "single"


async def test_what_the_person_does_is_no_wish(maker: Maker, huts: Bundle) -> None:
    """The person asks for the booking to be confirmed; that terms have to be accepted they hear from the assistant."""
    afresh = replace(maker, _known=set())
    [walked, *_] = await afresh.drafts(WANTED, 0)
    [wish] = context_of(huts, walked, "winter", obscured=False).wishes
    assert wish.purpose.startswith("Turn bunks on hold into a booking")
    assert not wish.by_person


async def test_an_assistant_that_asks_the_person_solves_it_and_another_does_not(
    made: MadeTask, huts: Bundle, runtime: Runtime, tmp_path: Path
) -> None:
    task, gold = made.task, made.solution
    played = replace(
        huts,
        tasks=[task],
        verifiers={task.id: made.verifier.verifier.source},
        answer_forms={task.id: gold.form},
    )
    [assigned] = assignments(played, {task.id: gold}, played.verifiers, RewardSettings())
    stage = Stage(runtime, TrajectoryStore(Home.resolve(tmp_path)), assigned, gold)
    accepts, confirms = (calls((one.tool, one.arguments)) for one in gold.calls[-2:])
    user = Scripted([says("Please confirm it."), accepts, says("I accepted them."), says(STOP)], name="user")
    lines = [says("Please accept the terms of the hut."), confirms, says("It is confirmed."), finishes(gold.report)]

    done = await stage.one(Scripted(lines), user, setting="conversation")
    assert done.trajectory.verdict is not None and done.trajectory.verdict.score == 1.0

    silent = Scripted([says("Please confirm it."), says(STOP)], name="user")
    undone = await stage.one(Scripted(lines[1:], name="hasty"), silent, setting="conversation")
    assert undone.trajectory.verdict is not None and undone.trajectory.verdict.score < 1.0
