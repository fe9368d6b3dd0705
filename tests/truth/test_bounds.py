"""What names and words suggest of a bound is put before the author of the tools, and costs no tool by itself."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Rule
from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.language.built_in.conversation import ParsedQuestion
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection import bounds, revision
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.examination import examine
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.inspector import InspectionSettings, inspect_bundle
from tests.authoring.line_kit import line
from tests.library.library_kit import settings_of
from tests.support.judges import judge, judged_by
from tests.support.tiny import INTEGER, STRING, schema, tiny, tool

ORDERING = "order_meal"
BOUND = '    if portions > guests["n"]:'
SAME = '    most = guests["n"] + 1\n    if portions >= most:'
"""The names suggest that `most` portions are allowed."""
WRONG = '    most = guests["n"]\n    if portions >= most:'
GUESS = f"{ORDERING}: it refuses when portions >= most, where its words mean portions > most."


def bounded(huts: Bundle, bound: str) -> Bundle:
    assert huts.tools_source.count(BOUND) == 1
    return replace(huts, tools_source=huts.tools_source.replace(BOUND, bound))


@pytest.mark.parametrize(
    ("key", "suspected"),
    [
        ("kestrel-ridge-volunteer-mountain-rescue-post", {"take_shift_place"}),
        ("skarvoy-harbour-berth-and-winter-storage-office", {"search_berths", "pay_invoice", "cancel_guest_stay"}),
    ],
)
async def test_right_tools_of_recorded_worlds_do_not_fail_for_their_names(
    runtime: Runtime, tmp_path: Path, key: str, suspected: set[str]
) -> None:
    world = Library().world(key)
    async with line(LibraryApp(Library()), runtime, tmp_path, settings_of(world)) as stages:
        await stages.run(world.card.proposal, until="environment")
        found = await examine(runtime, stages.bundle(key))
    assert found.failures == []
    assert {one.tool for one in found.warnings} == suspected


async def test_what_the_author_leaves_as_it_is_stays_a_warning_and_is_asked_about_once(
    runtime: Runtime, huts: Bundle, tmp_path: Path
) -> None:
    asked = list[list[Finding]]()

    def leave_it(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        if question.schema != "inspection_revision":
            return answer
        asked.append([Finding.model_validate(one) for one in question.context["report"]])
        return {"tools": []}

    async with judged_by(judge(leave_it), tmp_path) as gateway:
        settings = InspectionSettings(rounds=1, revisions=2)
        found = (await inspect_bundle(gateway, runtime, bounded(huts, SAME), settings)).report
    assert [[(one.tool, one.severity, one.message) for one in report] for report in asked] == [
        [(ORDERING, "warning", GUESS)]
    ]
    assert (found.passed, found.dropped_tools, found.revised_source) == (True, [], None)
    assert (ORDERING, "warning", GUESS) in [(one.tool, one.severity, one.message) for one in found.findings]
    assert next(one for one in found.tools if one.tool == ORDERING).kept


async def test_a_wrong_bound_is_mended_by_its_author(runtime: Runtime, huts: Bundle, tmp_path: Path) -> None:
    def mend(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        (source,) = question.context["sources"]
        return {"tools": [source | {"source": source["source"].replace("portions >= most", "portions > most")}]}

    wrong = bounded(huts, WRONG)
    before = await examine(runtime, wrong)
    async with judged_by(judge(mend), tmp_path) as gateway:
        author = Asking(gateway, Caller("inspection", huts.key, Role.AUTHOR))
        mended = await revision.revise(author, runtime, wrong, before, 1)
    assert GUESS in [one.message for one in before.warnings]
    assert [one.kept for one in mended.rounds] == [True]
    assert "portions > most" in mended.bundle.tools_source
    assert (mended.examined.failures, mended.examined.warnings) == ([], [])


async def test_an_author_who_changes_nothing_is_not_asked_again(runtime: Runtime, tmp_path: Path) -> None:
    asked = list[ParsedQuestion]()

    def leave_it(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        asked.append(question)
        return {"tools": []}

    shop = tiny()
    wrong = replace(shop, tools_source=shop.tools_source.replace("max(stock - ?, 0)", "stock + ?"))
    before = await examine(runtime, wrong)
    assert before.failures
    async with judged_by(judge(leave_it), tmp_path) as gateway:
        author = Asking(gateway, Caller("inspection", shop.key, Role.AUTHOR))
        left = await revision.revise(author, runtime, wrong, before, 2)
    assert len(asked) == len(left.rounds) == 1
    assert left.examined is before


async def test_what_the_author_takes_for_mistaken_is_not_asked_again_beside_other_things(
    runtime: Runtime, tmp_path: Path
) -> None:
    """It mends one tool and leaves another one alone; then tests find something else. What no single tool is to blame
    for could have been mended anywhere, so it is asked about until nothing changes."""
    shop = tiny()
    source = shop.tools_source.replace("max(stock - ?, 0)", "stock + ?").replace('{"items": sql', '{"things": sql')
    wrong = replace(shop, tools_source=source)
    asked = list[list[Finding]]()

    def mend(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        asked.append([Finding.model_validate(one) for one in question.context["report"]])
        sources = [one for one in question.context["sources"] if '"things"' in one["source"]]
        return {"tools": [one | {"source": one["source"].replace('"things"', '"items"')} for one in sources]}

    before = await examine(runtime, wrong)
    of_all, listing, ordering = before.failures
    assert (of_all.of_all, listing.tool, ordering.tool) == (True, "list_items", "place_order")
    shown = Finding(tool="cancel_order", criterion="results", severity="fail", message="cancel_order: it does nothing.")
    async with judged_by(judge(mend), tmp_path) as gateway:
        author = Asking(gateway, Caller("inspection", shop.key, Role.AUTHOR))
        mended = await revision.revise(author, runtime, wrong, before, 3)
        await revision.revise_by_tests(author, runtime, mended, [shown])
    assert [one.kept for one in mended.rounds] == [True, False]
    assert mended.examined.failures == [of_all, ordering]
    assert asked == [[of_all, listing, ordering], [of_all], [shown]]


async def test_what_a_call_shows_is_a_failure(runtime: Runtime) -> None:
    """An order that asks whether there is enough in stock, and then fills it up."""
    shop = tiny()
    taken, added = "stock = max(stock - ?, 0)", "stock = stock + ?"
    assert shop.tools_source.count(taken) == 1
    found = await examine(runtime, replace(shop, tools_source=shop.tools_source.replace(taken, added)))
    assert "place_order: it asks that there is enough stock, and then adds to it." in [
        one.message for one in found.failures
    ]


@pytest.mark.parametrize(("condition", "alarm"), [("day.weekday() > 4", False), ("day.day > 4", True)])
async def test_a_number_beside_that_of_a_rule_is_an_alarm_unless_it_is_a_day_of_the_week(
    runtime: Runtime, huts: Bundle, condition: str, alarm: bool
) -> None:
    first = next(line for line in huts.tools_source.splitlines() if line.startswith("    hut = _hut(env, hut_id)"))
    checked = (
        f"{first}\n    day = datetime.fromisoformat(env.now)\n    if {condition}:\n        raise env.Error('too late')"
    )
    rule = huts.theme.rules[0].model_copy(update={"id": "five_days", "text": "It is possible for 5 days, not later."})
    theme = huts.theme.model_copy(update={"rules": [*huts.theme.rules, rule]})
    bundle = replace(huts, theme=theme, tools_source=huts.tools_source.replace(first, checked, 1))
    said = [finding.message for finding in bounds.findings(await Inspected.of(runtime, bundle))]
    assert any(f"{condition} stands where a rule says 5 days" in message for message in said) is alarm


@pytest.mark.parametrize(
    ("condition", "alarm"), [("age < 15", False), ("{'age': age}['age'] < 15", False), ("len(name) < 15", True)]
)
async def test_an_age_is_no_number_of_days(runtime: Runtime, condition: str, alarm: bool) -> None:
    source = f"""
def enrol(env, *, name: str, age: int) -> dict:
    if {condition}:
        raise env.Error("not now")
    return {{"name": name}}
"""
    definition = tool("enrol", schema({"name": STRING, "age": INTEGER}), schema({"name": STRING}))
    bundle = tiny(source=source, definitions=[definition])
    rule = Rule(id="pause", text="A pause lasts at least 14 days.")
    bundle = replace(bundle, theme=bundle.theme.model_copy(update={"rules": [rule]}))
    said = [finding.message for finding in bounds.findings(await Inspected.of(runtime, bundle))]
    assert any("stands where a rule says 14 days" in message for message in said) is alarm


@pytest.mark.parametrize(
    ("text", "alarm"),
    [("Points lapse on 1 March.", False), ("Points lapse on March 1, 2027.", False), ("It takes 1 point.", True)],
)
async def test_a_day_of_the_calendar_is_no_number_of_points(runtime: Runtime, text: str, alarm: bool) -> None:
    source = """
def use_points(env, *, points: int) -> dict:
    if points <= 0:
        raise env.Error("not so few")
    return {"points": points}
"""
    definition = tool("use_points", schema({"points": INTEGER}), schema({"points": INTEGER}))
    bundle = tiny(source=source, definitions=[definition])
    bundle = replace(bundle, theme=bundle.theme.model_copy(update={"rules": [Rule(id="points", text=text)]}))
    said = [finding.message for finding in bounds.findings(await Inspected.of(runtime, bundle))]
    assert any("points <= 0 stands where a rule says 1" in message for message in said) is alarm, said
