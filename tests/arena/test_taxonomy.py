"""The taxonomy: every environment is in one place, whoever names the places, and it grows without being made anew."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.arena.taxonomy.described import DescribedEnvironment
from envfactory_dagster.arena.taxonomy.labels import computed_name
from envfactory_dagster.arena.taxonomy.stage import latest_taxonomy, make_taxonomy
from envfactory_dagster.contracts.errors import BudgetExceeded, EnvFactoryError, UsageError
from envfactory_dagster.contracts.taxonomy import TaxonomySettings
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.arena import taxonomy_kit as kit
from tests.arena.taxonomy_kit import authors, make


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.resolve(tmp_path / "home")


# -- with nobody to ask ------------------------------------------------------------------------------------------------


async def test_without_a_model_names_are_computed_and_say_so(home: Home) -> None:
    keys = kit.release(home, kit.trades(40))
    made = await make(home)
    found = made.taxonomy
    assert [one.environment for one in found.placed] == sorted(keys)
    assert (len(found.labels), len(found.categories)) == (20, 8)
    assert authors(found) == {"computed"}
    assert found.agreement.annotators == [] and found.agreement.fleiss_kappa is None
    assert made.record.attempts == [], "a question that nobody can answer is no attempt"
    assert all(one.keywords for one in found.labels)


async def test_the_same_environments_have_the_same_taxonomy_to_the_byte(home: Home, tmp_path: Path) -> None:
    other = Home.resolve(tmp_path / "other")
    kit.release(home, kit.trades(30))
    kit.release(other, kit.trades(30)[::-1])
    one, two = await make(home), await make(other)
    assert one.record.artifact == two.record.artifact
    assert one.record.version == two.record.version


async def test_a_second_run_makes_nothing(home: Home) -> None:
    kit.release(home, kit.trades(12))
    first, again = await make(home), await make(home)
    assert not first.reused and again.reused
    assert again.record == first.record
    assert (await make(home, anew=True)).reused, "from the same environments the same comes out"


@pytest.mark.parametrize(("environments", "labels", "categories"), [(2, 2, 2), (3, 2, 2), (5, 3, 2), (11, 6, 2)])
async def test_few_environments_have_a_small_taxonomy(
    home: Home, environments: int, labels: int, categories: int
) -> None:
    kit.release(home, kit.trades(environments))
    found = (await make(home)).taxonomy
    assert (len(found.labels), len(found.categories)) == (labels, categories)


@pytest.mark.parametrize("environments", [0, 1])
async def test_one_environment_has_no_taxonomy(home: Home, environments: int) -> None:
    keys = kit.release(home, kit.trades(environments))
    with pytest.raises(UsageError, match=f"at least 2 released environments, and there is {(keys or ['none'])[0]}"):
        await make(home)


async def test_a_damaged_bundle_is_named_and_left_out(home: Home) -> None:
    keys = kit.release(home, kit.trades(6))
    (theme,) = (home.local / "bundles" / keys[2]).glob("*/theme.json")
    theme.write_text("{}")
    made = await make(home)
    assert made.unreadable.keys() == {keys[2]}
    assert {one.environment for one in made.taxonomy.placed} == {*keys} - {keys[2]}


def test_computed_names_differ_whatever_the_environments_are_called() -> None:
    same = [DescribedEnvironment(f"w{n}", "Desk", "Retail", "A desk.") for n in range(4)]
    taken = set[str]()
    for one in same:
        name = computed_name([one], [other for other in same if other is not one], taken).name
        assert name.casefold().replace(",", "") not in taken
        taken.add(name.casefold().replace(",", ""))


def test_a_computed_name_is_of_the_categories_that_most_are_in() -> None:
    def named(*categories: str) -> str:
        worlds = [DescribedEnvironment(f"w{n}", "Desk", name, "A desk.", ["kiln"]) for n, name in enumerate(categories)]
        return computed_name(worlds, [], {"legal"}).name

    assert named("Retail", "Retail", "Legal") == "Retail"
    assert named("Retail", "Legal") == "Legal; Retail"
    assert named("Retail", "Arts", "Legal", "Arts") == "Arts; Legal"
    assert named("Legal") == "Legal, desk"


# -- with a model ------------------------------------------------------------------------------------------------------


async def test_a_model_names_clusters_and_three_of_them_sort(home: Home) -> None:
    kit.release(home, kit.trades(40))
    model = kit.scripted()
    found = (await make(home, model)).taxonomy
    assert authors(found) == {"model"}
    assert found.agreement.annotators == ["model 1", "model 2", "model 3"]
    assert (found.agreement.fleiss_kappa, found.agreement.adjusted_rand) == (1.0, 1.0)
    assert found.agreement.contested == []
    assert {one.name for one in found.categories} == {f"Field g{n:02d}" for n in range(1, 9)}
    calls = model.calls
    assert (await make(home, model, anew=True)).reused and model.calls == calls


async def test_annotators_who_disagree_on_everything_end_in_a_partition(home: Home) -> None:
    kit.release(home, kit.trades(40))
    found = (await make(home, kit.scripted(taxonomy_annotation=kit.sort_labels_differently))).taxonomy
    assert len(found.categories) == 8
    assert found.agreement.adjusted_rand is not None and found.agreement.adjusted_rand < 0.3
    assert found.agreement.contested
    assert {one.category for one in found.labels} == {one.id for one in found.categories}


async def test_a_model_that_talks_nonsense_is_asked_again_and_then_done_without(home: Home) -> None:
    kit.release(home, kit.trades(8))

    def nonsense(context: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"label": "Various other things", "sentence": "Things.", "keywords": ["thing"]}

    def half(context: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"categories": [{"name": "Some", "labels": [context["labels"][0]["label"]]}]}

    made = await make(home, kit.scripted(cluster_label=nonsense, taxonomy_annotation=half))
    assert authors(made.taxonomy) == {"computed"}
    assert len(made.record.attempts) == 3 * (4 + 3), "every answer that was paid for is kept"
    assert any("leave out 'Various'" in one.message for attempt in made.record.attempts for one in attempt.problems)


async def test_a_spent_budget_stores_nothing_and_loses_nothing(home: Home) -> None:
    kit.release(home, kit.trades(8))
    before = await make(home, kit.scripted())
    kit.release(home, kit.trades(12)[8:])
    settings = kit.sorter_settings()
    poor = LanguageSettings.model_validate(settings.model_dump() | {"budget": {"tokens": 1}})
    async with Gateway(poor, home.local, app=kit.scripted().app()) as gateway:
        with pytest.raises(BudgetExceeded):
            await make_taxonomy(home, gateway, kit.MODELS, TaxonomySettings())
    kept = latest_taxonomy(RecordStore(home))
    assert kept is not None and kept.version == before.record.version


# -- growing -----------------------------------------------------------------------------------------------------------


async def test_a_new_environment_is_placed_and_nothing_else_moves(home: Home) -> None:
    kit.release(home, kit.trades(40))
    before = (await make(home, labels=8)).taxonomy
    (new,) = kit.release(home, [kit.trades(1)[0] | {"name": "Cheese cellar"}])
    after = (await make(home, labels=8)).taxonomy
    (placed,) = [one for one in after.placed if one.environment == new]
    assert placed.later
    twin = next(one for one in before.placed if one.environment == "cheese-cave")
    assert placed.label == twin.label
    assert [one for one in after.placed if one is not placed] == before.placed
    assert after.labels == before.labels and after.built_of == 40
    assert after.category_of(new) == before.category_of("cheese-cave")
    kept = latest_taxonomy(RecordStore(home))
    assert kept is not None and kept.taxonomy == after


async def test_one_that_is_unlike_all_is_provisional(home: Home) -> None:
    kit.release(home, kit.trades(40))
    await make(home, labels=8)
    odd = {"name": "Zyx", "description": "Qwv klm brrt.", "entities": ["vvv"], "category": "Odd"}
    (new,) = kit.release(home, [odd])
    after = (await make(home, labels=8)).taxonomy
    assert [one.environment for one in after.placed if one.provisional] == [new]


async def test_many_new_ones_have_it_made_anew(home: Home) -> None:
    kit.release(home, kit.trades(40))
    await make(home, labels=8)
    twins = [one | {"name": f"{one['name']} by the sea"} for one in kit.trades(40)]
    kit.release(home, twins[:7])
    few = (await make(home, labels=8)).taxonomy
    assert (few.built_of, sum(one.later for one in few.placed)) == (40, 7)
    kit.release(home, twins[7:8])
    many = (await make(home, labels=8)).taxonomy
    assert (many.built_of, sum(one.later for one in many.placed)) == (48, 0)


async def test_too_many_provisional_ones_have_it_made_anew(home: Home) -> None:
    kit.release(home, kit.trades(40))
    await make(home, labels=8)
    kit.release(
        home,
        [
            {"name": f"Zyx {word}", "description": f"{word} " * 9, "entities": [word], "category": "Odd"}
            for word in ("qwvq", "jjkl", "mmnp", "xxyt", "zbbd")
        ],
    )
    assert (await make(home, labels=8)).taxonomy.built_of == 45


async def test_what_is_no_longer_released_is_no_longer_there(home: Home) -> None:
    keys = kit.release(home, kit.trades(40))
    await make(home, labels=4)
    kit.withdraw(home, keys[5])
    after = (await make(home, labels=4)).taxonomy
    assert {one.environment for one in after.placed} == {*keys} - {keys[5]}
    assert after.built_of == 40


async def test_other_settings_are_another_taxonomy_and_going_back_is_free(home: Home) -> None:
    kit.release(home, kit.trades(12))
    model = kit.scripted()
    first = await make(home, model)
    other = await make(home, model, labels=3)
    assert len(other.taxonomy.labels) == 3
    calls = model.calls
    assert (await make(home, model)).record == first.record
    assert model.calls == calls


async def test_two_runs_at_once_make_one_taxonomy(home: Home) -> None:
    kit.release(home, kit.trades(12))
    model = kit.scripted()
    one, two = await asyncio.gather(make(home, model), make(home, model))
    assert one.record == two.record
    assert model.calls == 6 + 3 + 1


async def test_who_is_stopped_in_the_middle_pays_for_nothing_twice(home: Home) -> None:
    kit.release(home, kit.trades(12))
    asked = list[str]()

    def stops(context: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append("settle")
        raise KeyError("the endpoint breaks down")

    model = kit.scripted(taxonomy_merge=stops)
    with pytest.raises(EnvFactoryError):
        await make(home, model)
    assert asked and latest_taxonomy(RecordStore(home)) is None
    again = kit.scripted()
    await make(home, again)
    assert again.calls == 1


async def test_environments_that_say_the_same_are_no_trouble(home: Home) -> None:
    same = {"description": "A desk.", "entities": ["desk"], "category": "Retail"}
    kit.release(home, [same | {"name": f"{'Desk ' * number}"} for number in range(1, 7)])
    found = (await make(home)).taxonomy
    assert len(found.labels) == 3 and len(found.placed) == 6


async def test_seed_labels_of_ones_own_are_shown(home: Home) -> None:
    kit.release(home, kit.trades(4))
    (home.local / "taxonomy").mkdir()
    (home.local / "taxonomy" / "seed_labels.txt").write_text("# known\nCellars\n\nCellars\nPresses\n")
    model = kit.scripted()
    await make(home, model)
    assert '"seed_labels":["Cellars","Presses"]' in model.bodies[0]["messages"][1]["content"].replace(" ", "")
