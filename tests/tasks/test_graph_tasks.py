"""Tasks along the tool graph: from a chain to a task that stood its trials, and the verifier that is written for it."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster import examples
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Artifact, Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.graph import ToolGraph
from envfactory_dagster.contracts.graph_tasks import GraphTaskWordingAnswer, GraphTaskWordingContext
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.synthesis import MadeTasks
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.graph.evidence import by_facts
from envfactory_dagster.tasks.graph.lineage import Lineage
from envfactory_dagster.tasks.graph_tasks.choosing import choose, meant
from envfactory_dagster.tasks.graph_tasks.describing import context_of
from envfactory_dagster.tasks.graph_tasks.fields import AskedField, currency_of, fields_of, form_of
from envfactory_dagster.tasks.graph_tasks.making import Maker, Wanted
from envfactory_dagster.tasks.graph_tasks.program import program
from envfactory_dagster.tasks.graph_tasks.reading import forms, mentions
from envfactory_dagster.tasks.graph_tasks.stage import GraphTaskSettings, GraphTasksStage
from envfactory_dagster.tasks.graph_tasks.steps import Item, Sign, Step, Telling, Walked
from envfactory_dagster.tasks.graph_tasks.wording import problems_of
from envfactory_dagster.tasks.proving import solve, verify
from envfactory_dagster.tasks.verifier_writing import Fact, write_verifier
from envfactory_dagster.truth.execution import run_calls, run_solution
from envfactory_dagster.truth.messages import states
from envfactory_dagster.truth.start_rows import StartRows, schema_of
from envfactory_dagster.truth.telling import single_answers
from envfactory_dagster.truth.verdicts import Checks, judge, judge_many
from tests.support.alpine_author import Answer, Asked
from tests.support.reports import report
from tests.support.tiny import tiny
from tests.tasks.program_kit import gateway_of
from tests.tasks.wording_kit import plain_words


def graph_of(bundle: Bundle) -> ToolGraph:
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    return by_facts(bundle.tools, Lineage(bundle.tools, facts, load_schema(bundle.schema_sql))).graph()


def record_of(stage: str, artifact: Artifact | dict[str, Json]) -> StageRecord:
    dumped = artifact.model_dump(mode="json") if isinstance(artifact, Artifact) else artifact
    return StageRecord(stage=stage, partition="x", status="ok", inputs="", version="1", artifact=dumped)


@pytest_asyncio.fixture(scope="module")
async def gateway(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Gateway]:
    async with gateway_of(tmp_path_factory.mktemp("home"), plain_words) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest.fixture(scope="module")
def tasks(huts: Bundle) -> dict[str, Task]:
    return {task.id: task for task in huts.tasks}


@pytest.fixture(scope="module")
def maker(gateway: Gateway, runtime: Runtime, huts: Bundle) -> Maker:
    """Shared by tests that draft tasks of different names, or with different seeds."""
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    return Maker(gateway, runtime, AuthoringSettings(), huts, graph_of(huts).seen_by("assistant"), facts)


def stage_over(bundle: Bundle, gateway: Gateway, runtime: Runtime, home: Path, **wanted: object) -> GraphTasksStage:
    store = BundleStore(Home.resolve(home))
    store.keep(bundle)
    settings = replace(GraphTaskSettings(), **wanted)  # type: ignore[arg-type]
    return GraphTasksStage(gateway, runtime, AuthoringSettings(), store, settings)


async def made_by(stage: GraphTasksStage, bundle: Bundle) -> MadeTasks:
    parents = {
        "environment": record_of("environment", {"version": bundle.version}),
        "tool_graph": record_of("tool_graph", graph_of(bundle)),
    }
    outcome = await stage.make(StageInput(bundle.key, parents))
    return MadeTasks.model_validate(outcome.artifact)


@pytest_asyncio.fixture(scope="module")
async def made(huts: Bundle, gateway: Gateway, runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> MadeTasks:
    """An easy, a middling and a hard task of the alpine huts."""
    home = tmp_path_factory.mktemp("bundles")
    return await made_by(stage_over(huts, gateway, runtime, home, count=3, levels=(1, 3, 5)), huts)


# -- what is made ------------------------------------------------------------------------------------------------------


def test_an_environment_gets_a_task_of_each_level(made: MadeTasks) -> None:
    assert [one.difficulty.level for one in made.tasks] == [1, 3, 5]
    assert {one.source for one in made.tasks} == {"graph"}


async def test_steps_that_serve_no_common_purpose_are_dropped(
    huts: Bundle, runtime: Runtime, tmp_path: Path, made: MadeTasks
) -> None:
    asked = list[dict[str, Any]]()

    def review(question: Asked) -> Answer:
        asked.append(question.context)
        first, *others = (one["task"] for one in question.context["tasks"])
        rest = [{"task": name, "purposes": ["a weekend", "a bill"]} for name in others]
        return {"tasks": [{"task": first, "verdict": "drop", "why": "Two errands."}, *rest]}

    store, wanted = BundleStore(Home.resolve(tmp_path)), GraphTaskSettings(count=3, levels=(1, 3, 5))
    store.keep(huts)
    async with gateway_of(tmp_path, plain_words, review) as gateway:
        found = await made_by(GraphTasksStage(gateway, runtime, AuthoringSettings(), store, wanted), huts)
    assert len(asked) == 1 and len(asked[0]["tasks"]) == 3
    assert [one.task.id for one in found.tasks] == [one.task.id for one in made.tasks[1:]]
    (dropped,) = [one for one in found.dropped if one.task == made.tasks[0].task.id]
    assert dropped.reason == "its steps serve no common purpose: Two errands."


def test_every_task_stood_the_trials_of_the_truth(made: MadeTasks) -> None:
    for one in made.tasks:
        assert one.verifier.gate.passed
        assert one.verifier.gate.kill_rate == one.verifier.gate.acceptance_rate == 1.0


def test_the_dial_makes_longer_chains_of_more_tools(made: MadeTasks) -> None:
    calls = {one.difficulty.level: one.difficulty.calls for one in made.tasks}
    assert calls[1] <= 2 < calls[3] <= calls[5]
    assert [one.difficulty.obscured for one in made.tasks] == [False, False, True]
    assert all(one.difficulty.tools == len({call.tool for call in one.solution.calls}) for one in made.tasks)


def test_nobody_speaks_of_tools_or_of_names_in_the_code(made: MadeTasks, huts: Bundle) -> None:
    names = {tool.name for tool in huts.tools}
    for one in made.tasks:
        assert not re.search(r"[a-z]_[a-z]", one.task.text)
        assert not any(mentions(one.task.text, name) for name in names if "_" in name)


def test_programs_look_things_up_instead_of_knowing_their_numbers(made: MadeTasks) -> None:
    for one in made.tasks:
        assert not re.search(r"\b\w*_id=\d", one.solution.source)


def test_nothing_is_claimed_of_words_that_nobody_has_played(made: MadeTasks) -> None:
    assert {one.difficulty.pass_rate for one in made.tasks} == {None}


def test_each_wish_has_its_criterion(made: MadeTasks) -> None:
    for one in made.tasks:
        assert len(one.rubric) >= 2
        assert one.rubric[-1].id == "nothing_else"


async def test_doing_nothing_earns_nothing_and_each_write_counts(
    made: MadeTasks, huts: Bundle, runtime: Runtime
) -> None:
    acting = next(one for one in made.tasks if one.task.kind == "action")
    checks = Checks(acting.task, acting.verifier.verifier.source, acting.solution.form)
    nothing = await run_calls(runtime, huts, acting.task, [], None)
    assert (await judge(runtime, checks, nothing)).score == 0.0
    reading = {tool.name for tool in huts.tools if tool.annotations.readOnlyHint}
    read = [call for call in acting.solution.calls if call.tool in reading]
    only_read = await run_calls(runtime, huts, acting.task, read, acting.solution.report)
    assert (await judge(runtime, checks, only_read)).score < 1.0


async def test_a_seed_gives_its_tasks_again_and_another_gives_others(maker: Maker, huts: Bundle) -> None:
    async def drafts(seed: int) -> list[Walked]:
        afresh = Maker(maker.gateway, maker.runtime, maker.settings, huts, maker.graph, maker.facts)
        return await afresh.drafts(Wanted("one", 2, "initial"), seed)

    assert await drafts(0) == await drafts(0)
    assert await drafts(0) != await drafts(1)


async def test_what_is_nearly_the_same_is_made_once(maker: Maker) -> None:
    wanted = [Wanted(f"task_{number}", 1, "initial") for number in range(4)]
    gists = [repr(walked.gist()) for one in wanted for walked in await maker.drafts(one, 0)]
    assert len(gists) == len(set(gists))


async def test_an_environment_whose_tools_show_nothing_gets_no_tasks_and_a_reason(
    gateway: Gateway, runtime: Runtime, tmp_path: Path
) -> None:
    shop = tiny("empty-shop", items=0)
    empty = replace(shop, states={"initial": shop.states["initial"]})
    found = await made_by(stage_over(empty, gateway, runtime, tmp_path, count=2), empty)
    assert found.tasks == []
    assert {one.reason for one in found.dropped} == {
        f"no chain of {least} or more calls with one purpose does or tells anything new" for least in (1, 2)
    }


def test_the_settings_are_part_of_the_memo(huts: Bundle, gateway: Gateway, runtime: Runtime, tmp_path: Path) -> None:
    hashes = {
        stage_over(huts, gateway, runtime, tmp_path, **wanted).settings_hash()
        for wanted in ({}, {"count": 3}, {"levels": (1,)}, {"seed": 1})
    }
    assert len(hashes) == 4


# -- the words ---------------------------------------------------------------------------------------------------------


@pytest_asyncio.fixture(scope="module")
async def drafted(maker: Maker, huts: Bundle) -> tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer]:
    """A draft in which something is said and something told, with plain words for it."""
    for level in (3, 4, 5):
        for walked in await maker.drafts(Wanted(f"draft_{level}", level, "initial"), 7):
            context = context_of(huts, walked, "initial", obscured=False)
            if walked.changes and walked.tellings and any(wish.values for wish in context.wishes):
                words = plain_words(Asked("graph_task_wording", context.model_dump(mode="json"), []))
                return walked, context, GraphTaskWordingAnswer.model_validate(words)
    raise AssertionError("no draft says and tells anything")


def said_of(drafted: tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer], **changed: object) -> list[str]:
    walked, context, answer = drafted
    worded = answer.model_copy(update=changed)
    return [problem.message for problem in problems_of(context, walked, worded, "")]


def test_a_text_that_says_all_that_is_wanted_is_taken(
    drafted: tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer],
) -> None:
    assert said_of(drafted) == []


def test_a_text_that_leaves_something_out_is_sent_back(
    drafted: tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer],
) -> None:
    missing = said_of(drafted, text="Please do as usual, and tell me what is wanted.")
    assert any("does not say" in sentence for sentence in missing)


def test_a_text_must_ask_for_what_it_wants_to_know(
    drafted: tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer],
) -> None:
    assert any("tell me" in sentence for sentence in said_of(drafted, text="Do it all."))


def test_names_of_the_code_and_numbers_of_rows_are_sent_back(
    drafted: tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer],
) -> None:
    walked, context, answer = drafted
    spoken = said_of(drafted, text=f"{answer.text} Use {context.unspeakable[0]} and list_all_of_it.")
    assert sum("No person would say" in sentence for sentence in spoken) == 2
    [number, *_] = [
        source.value
        for step in walked.steps
        for name, source in step.arguments.items()
        if name.endswith("_id") and isinstance(source.value, int)
    ]
    assert any("number of a row" in one for one in said_of(drafted, text=f"{answer.text} I mean id {number}."))


def test_a_text_that_gives_the_answer_away_is_sent_back(
    drafted: tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer],
) -> None:
    walked, context, answer = drafted
    telling = walked.tellings[0].__class__(walked.steps[0].number, "value", "name", "", None, "Nebelhorn refuge")
    giving = replace(walked, tellings=(telling,))
    told = said_of((giving, context, answer), text=f"{answer.text} It is the Nebelhorn refuge.")
    assert any("gives away 'Nebelhorn refuge'" in sentence for sentence in told)


def test_a_rubric_speaks_of_every_wish(
    drafted: tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer],
) -> None:
    assert any("one for each wish" in one for one in said_of(drafted, rubric=drafted[2].rubric[:1]))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("price_cents", 4500, ["45.00", "45", "4500 cents"]),
        ("ends_on", "2026-07-16", ["16 July 2026", "July 16, 2026", "2026-07-16"]),
        ("starts_at", "2026-07-16T09:30:00", ["16 July 2026 at 09:30", "2026-07-16T09:30:00"]),
        ("people", 3, ["3", "three"]),
        ("status", "in_review", ["in review"]),
    ],
)
def test_values_may_be_said_as_people_say_them(field: str, value: Json, said: list[str]) -> None:
    assert set(said) <= set(forms(field, value))


def test_a_number_within_another_is_not_said() -> None:
    assert mentions("for 45 people", "45")
    assert not mentions("for 45.50", "45")
    assert not mentions("for 145 people", "45")


# -- which one is meant ------------------------------------------------------------------------------------------------

ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["Alma", "Berta", "Clara"]),
            "beds": st.integers(2, 5),
            "opens_on": st.sampled_from(["2026-05-01", "2026-06-01"]),
        }
    ),
    min_size=1,
    max_size=8,
).map(lambda rows: [{"id": number, **row} for number, row in enumerate(rows)])


@given(ROWS, st.booleans(), st.randoms(use_true_random=False))
def test_signs_fit_the_chosen_item_and_no_other(rows: list[dict[str, Json]], obscured: bool, chance: Random) -> None:
    chosen = choose(rows, obscured, chance)
    if chosen is not None:
        row, signs = chosen
        assert meant(Item(1, "rows", signs), rows) == [row]
        assert all(sign.field != "id" for sign in signs)


@given(ROWS, st.randoms(use_true_random=False))
def test_an_item_that_has_a_twin_is_not_chosen(rows: list[dict[str, Json]], chance: Random) -> None:
    twins = [row for row in rows for _ in range(2)]
    assert choose(twins, False, chance) is None


def test_an_obscured_item_is_known_by_what_it_is_like() -> None:
    rows: list[dict[str, Json]] = [{"id": 1, "name": "Alma", "beds": 4}, {"id": 2, "name": "Berta", "beds": 9}]
    for seed in range(5):
        chosen = choose(rows, True, Random(seed))
        assert chosen is not None
        assert [sign.field for sign in chosen[1]] == ["beds"]


# -- what is to be told, as fields -------------------------------------------------------------------------------------


def test_what_is_told_stands_in_typed_fields_and_in_the_message(made: MadeTasks) -> None:
    for one in made.tasks:
        form, report = one.solution.form, one.solution.report
        assert report.outcome == "done" and report.answers.keys() == {field.name for field in form.fields}
        assert all(value is not None for value in report.answers.values())
        for field, value in single_answers(form, report):
            assert states(field, value, report.message), (field, report)
    assert any(one.solution.form.fields for one in made.tasks)


def the_field(huts: Bundle, shown: Json, path: str, field: str, value: Json, tool: str = "search_huts") -> AskedField:
    """The fields of a value that a hut is asked for, or that stands in no list."""
    item = Item(1, path, (Sign("name", "is", "Nebelhorn refuge"),)) if field else None
    telling = Telling(1, "value", path, field, item, value)
    walked = Walked((Step(1, tool, {}, shown, False, shown),), (telling,))
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    ground = StartRows(schema_of(huts.schema_sql), huts.states["initial"].image)
    [found] = fields_of(walked, huts, facts, ground)
    return found


@pytest.mark.parametrize(
    ("field", "value", "kind", "unit"),
    [
        ("price_cents", 4500, "money", "EUR"),
        ("opens_on", "2026-07-16", "date", ""),
        ("beds", 12, "integer", ""),
        ("rating", 4.5, "number", ""),
        ("altitude_m", 2100, "integer", "metres"),
        ("walk_minutes", 90, "duration", "minutes"),
        ("warden", "Ida Moser", "text", ""),
        ("heated", True, "yes_no", ""),
    ],
)
def test_a_value_gives_its_field_a_type(huts: Bundle, field: str, value: Json, kind: str, unit: str) -> None:
    shown: Json = {"huts": [{"hut_id": 3, "name": "Nebelhorn refuge", field: value}]}
    asked = the_field(huts, shown, "huts", field, value)
    assert (asked.field.type, asked.field.unit, asked.value) == (kind, unit, value)
    assert asked.field.name.startswith("hut_")
    assert "Nebelhorn refuge" in asked.field.description and "_" not in asked.field.description


def test_what_is_one_of_a_few_is_chosen_among_all_of_them_in_plain_words(huts: Bundle) -> None:
    column = "kind"
    ground = StartRows(schema_of(huts.schema_sql), huts.states["initial"].image)
    kinds = {str(row[column]) for row in ground.rows["huts"]}
    value = sorted(kinds)[0]
    shown: Json = {"huts": [{"hut_id": 3, "name": "Nebelhorn refuge", column: value}]}
    asked = the_field(huts, shown, "huts", column, value)
    assert asked.field.type == "choice"
    assert kinds <= {choice.replace(" ", "_") for choice in asked.field.choices} | set(asked.field.choices)


def test_a_moment_is_a_day_and_a_time(huts: Bundle) -> None:
    telling = Telling(1, "value", "booking.starts_at", "", None, "2026-07-16T09:30:00")
    shown: Json = {"booking": {"starts_at": telling.value}}
    walked = Walked((Step(1, "search_huts", {}, shown, False, shown),), (telling,))
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    ground = StartRows(schema_of(huts.schema_sql), huts.states["initial"].image)
    fields = fields_of(walked, huts, facts, ground)
    assert [(one.field.name, one.field.type, one.value) for one in fields] == [
        ("booking_starts_date", "date", "2026-07-16"),
        ("booking_starts_time", "time", "09:30"),
    ]


def test_two_values_of_one_kind_have_names_of_their_own(huts: Bundle) -> None:
    tellings = tuple(Telling(number, "count", "huts", "", None, number) for number in (2, 3))
    steps = tuple(Step(number, "search_huts", {}, {"huts": []}, False) for number in (2, 3))
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    ground = StartRows(schema_of(huts.schema_sql), huts.states["initial"].image)
    fields = fields_of(Walked(steps, tellings), huts, facts, ground)
    assert [(one.field.name, one.field.type, one.field.unit) for one in fields] == [
        ("number_of_huts", "integer", "huts"),
        ("number_of_huts_2", "integer", "huts"),
    ]


@pytest.mark.parametrize(
    ("words", "currency"),
    [("A club.", "EUR"), ("A night costs $30.", "USD"), ("It takes 20 francs, and 3 francs more.", "CHF")],
)
def test_money_is_in_the_currency_that_the_environment_speaks_of(words: str, currency: str) -> None:
    shop = tiny()
    told = replace(shop, theme=shop.theme.model_copy(update={"description": words}))
    assert currency_of(told, StartRows(schema_of(shop.schema_sql), shop.states["initial"].image)) == currency


# -- the verifier that is written --------------------------------------------------------------------------------------


async def proven(
    runtime: Runtime, huts: Bundle, task: Task, source: str, form: AnswerForm
) -> tuple[ReferenceSolution, GatedVerifier | list[str]]:
    gold = await solve(runtime, huts, task, source, form)
    assert isinstance(gold, ReferenceSolution), gold
    written = write_verifier(gold, load_schema(huts.schema_sql), huts.states[task.state].clock)
    gated = await verify(runtime, huts, task, gold, written)
    return gold, gated if isinstance(gated, GatedVerifier) else [problem.snippet for problem in gated]


@pytest.mark.parametrize("name", ["sister_joins", "tour_with_ida", "last_morning", "call_it_off"])
async def test_what_hand_written_solutions_do_is_told_from_all_that_is_nearly_it(
    name: str, runtime: Runtime, huts: Bundle, tasks: dict[str, Task]
) -> None:
    """New rows that refer to each other, codes in their texts, rows changed and paid for, amounts that are told: gold
    1, nothing 0, gold without any one write and every mutant less than 1."""
    _, gated = await proven(runtime, huts, tasks[name], huts.solutions[name], huts.answer_forms[name])
    assert isinstance(gated, GatedVerifier), gated
    assert gated.gate.of("minus_write")
    assert gated.gate.kill_rate == gated.gate.acceptance_rate == 1.0


ASKED = Task(id="asked", text="Tell me.", kind="information")
PRICE = AnswerForm(fields=[AnswerField(name="price", type="money", description="What it costs", unit="EUR")])


def telling(outcome: str = "done", reason: str | None = None, **answers: Json) -> str:
    """A program that only reports."""
    told = {"outcome": outcome, "answers": answers, "reason": reason, "message": "This is what I can tell you."}
    return f"def solve(tools):\n    tools.search_huts()\n    return {told!r}\n"


async def scores(
    runtime: Runtime, huts: Bundle, task: Task, form: AnswerForm, gold: str, reports: list[Report], *facts: Fact
) -> list[float]:
    """What a written verifier gives these reports, beside the calls of gold."""
    solution = await solve(runtime, huts, task, gold, form)
    assert isinstance(solution, ReferenceSolution), solution
    source = write_verifier(solution, load_schema(huts.schema_sql), huts.states["initial"].clock, facts)
    run = await run_solution(runtime, huts, task, gold, form)
    cases = [replace(run, report=one) for one in reports]
    return [verdict.score for verdict in await judge_many(runtime, Checks(task, source, form), cases)]


async def test_an_answer_is_right_in_any_usual_form_and_wrong_beside_another(runtime: Runtime, huts: Bundle) -> None:
    right = [report(price=value) for value in (4500, "45.00", "45 euros", "forty-five", "€45")]
    wrong = [report(price=value) for value in (4510, "450", None)]
    found = await scores(runtime, huts, ASKED, PRICE, telling(price=4500), [*right, *wrong])
    assert found == [1.0] * len(right) + [0.0] * len(wrong)


async def test_an_answer_is_computed_from_the_start_where_a_query_gives_it(runtime: Runtime, huts: Bundle) -> None:
    query = "SELECT 100 * count(*) AS value FROM huts WHERE id < ?"
    fact = Fact("price", query, (4,))
    found = await scores(runtime, huts, ASKED, PRICE, telling(price=300), [report(price=300), report(price=400)], fact)
    assert found == [1.0, 0.0]


async def test_a_field_that_is_not_due_has_to_be_left_out(runtime: Runtime, huts: Bundle) -> None:
    both = AnswerForm(fields=[*PRICE.fields, AnswerField(name="day", type="date", description="The first free day")])
    found = await scores(
        runtime,
        huts,
        ASKED,
        both,
        telling(price=300, day=None),
        [report(price=300, day=None), report(price=300, day="2026-07-16"), report(price=None, day=None)],
    )
    assert found == [1.0, 0.0, 0.0]


async def test_who_reports_another_outcome_or_rule_earns_nothing(runtime: Runtime, huts: Bundle) -> None:
    one, other = [rule.id for rule in huts.theme.rules[:2]]
    refused = Task(id="refused", text="Tell me.", kind="refusal", rule=one)
    found = await scores(
        runtime,
        huts,
        refused,
        PRICE,
        telling("refused", one, price=None),
        [
            report("refused", reason=one, price=None),
            report("refused", reason=other, price=None),
            report("refused", reason=one, price=100),
            report("impossible", price=None),
            report("done", price=None),
        ],
    )
    assert found == [1.0, 0.0, 0.0, 0.0, 0.0]


async def test_the_program_of_a_walk_comes_to_what_was_walked(maker: Maker, huts: Bundle, runtime: Runtime) -> None:
    state = sorted(huts.states)[-1]
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    ground = StartRows(schema_of(huts.schema_sql), huts.states[state].image)
    for walked in await maker.drafts(Wanted("walked", 4, state), 3):
        fields, task = fields_of(walked, huts, facts, ground), Task(id="w", text="w", kind="action", state=state)
        run = await run_solution(runtime, huts, task, program(walked, fields), form_of(fields))
        assert run.error is None and run.report is not None
        assert run.report.answers == {one.field.name: one.value for one in fields}
        assert [call.tool for call in run.calls] == [step.tool for step in walked.steps]
        assert [call.arguments for call in run.calls if call.outcome != "ok"] == []
