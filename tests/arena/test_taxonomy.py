"""The taxonomy: every environment is in one place, whoever names the places, and it grows without being made anew."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from envfactory_dagster.arena.taxonomy.annotations import sorting
from envfactory_dagster.arena.taxonomy.described import DescribedEnvironment
from envfactory_dagster.arena.taxonomy.labels import LIKENESS, computed_name, problems_of_label
from envfactory_dagster.arena.taxonomy.merging import problems_of_annotation
from envfactory_dagster.arena.taxonomy.stage import Made, latest_taxonomy, make_taxonomy
from envfactory_dagster.contracts.errors import BudgetExceeded, EnvFactoryError, UsageError
from envfactory_dagster.contracts.taxonomy import Taxonomy, TaxonomySettings
from envfactory_dagster.contracts.taxonomy_requests import (
    CategoryOfLabels,
    ClusterLabelAnswer,
    TaxonomyAnnotationAnswer,
)
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.arena import taxonomy_kit as kit
from tests.language.played_endpoint import PlayedEndpoint
from tests.support.model import library_gateway

WITHOUT = {Role.AUTHOR: "library", Role.JUDGE: "built-in", Role.EMBEDDER: "built-in"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.resolve(tmp_path / "home")


@asynccontextmanager
async def asked(home: Home, model: PlayedEndpoint | None) -> AsyncIterator[Gateway]:
    if model is None:
        gateway = library_gateway(home.local)
    else:
        gateway = Gateway(kit.sorter_settings(), home.local, app=model.app())
    async with gateway:
        yield gateway


async def make(home: Home, model: PlayedEndpoint | None = None, anew: bool = False, **settings: int) -> Made:
    models: Mapping[Role, str] = WITHOUT if model is None else kit.MODELS
    async with asked(home, model) as gateway:
        return await make_taxonomy(home, gateway, models, TaxonomySettings(**settings), anew=anew)


def authors(taxonomy: Taxonomy) -> set[str]:
    return {one.author for one in taxonomy.labels} | {taxonomy.agreement.author}


def annotate(home: Home, **files: str) -> None:
    folder = home.local / "taxonomy" / "annotations"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)


def csv_of(category_of: Mapping[str, str]) -> str:
    return "label,category\n" + "".join(f'"{label}","{category}"\n' for label, category in category_of.items())


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


def problems(label: str, taken: list[str] | None = None, **more: Any) -> list[str]:
    """What the gate says of a label for three bakeries."""
    bakeries = [
        DescribedEnvironment(f"b{n}", f"Bakery {n}", "Hospitality and food", "Bread is ordered.") for n in range(3)
    ]
    answer = ClusterLabelAnswer(label=label, sentence="Bread.", keywords=["bread"], **more)
    vectors = np.eye(1 + len(taken or [])).tolist()
    found = problems_of_label(answer, bakeries, ["Hospitality and food"], taken or [], vectors)
    return [one.message for one in found]


def test_the_gate_of_labels() -> None:
    assert problems("Bread and bakeries") == []
    assert problems("Hospitality and food", seed_label="Hospitality and food", outliers=["b1"]) == []
    assert "has 1 words" in problems("Bakeries")[0]
    assert "has no word in common with: b0, b1, b2" in problems("Pots and pans")[0]
    assert "leave out 'Other'" in problems("Other bakeries")[0]
    assert "none of the seed labels" in problems("Bread and bakeries", seed_label="Bakeries")[0]
    assert "'x' is no representative" in problems("Bread and bakeries", outliers=["x"])[0]
    assert "fits none of them" in problems("Bread and bakeries", outliers=["b0", "b1", "b2"])[0]
    assert "is no plain text" in problems("Bread\nand <b>bakeries</b>")[0]
    assert "is no plain text" in problems(f"Bread {'y' * 60}")[0]
    assert "which is taken" in problems("Bread and bakeries", ["bread and bakeries"])[0]


def test_names_that_are_too_much_alike_are_refused() -> None:
    answer = ClusterLabelAnswer(label="Bakery orders", sentence="Bread.", keywords=["bread"])
    bakery = DescribedEnvironment("b", "Bakery", "Food", "Bread is ordered.")
    vectors = [[LIKENESS + 0.01, (1 - (LIKENESS + 0.01) ** 2) ** 0.5], [1.0, 0.0]]
    (found,) = problems_of_label(answer, [bakery], [], ["Bakeries"], vectors)
    assert "'Bakeries'" in found.message


def test_the_gate_of_annotators() -> None:
    def found(*categories: tuple[str, list[str]]) -> list[str]:
        answer = TaxonomyAnnotationAnswer(
            categories=[CategoryOfLabels(name=name, labels=labels) for name, labels in categories]
        )
        return [one.message for one in problems_of_annotation(answer, ["a", "b", "c"], 2)]

    assert found(("X", ["a", "b"]), ("Y", ["c"])) == []
    assert found(("X", ["a", "b"]), ("Y", ["c", "a", "d"])) == [
        "'d' is no label; spell labels as they are given.",
        "'a' is in 2 categories.",
    ]
    assert "'c' is in no category." in found(("X", ["a"]), ("x", ["b"]))
    assert "2 categories are called 'x'." in found(("X", ["a"]), ("x", ["b"]))
    assert found(("X", ["a", "b", "c"])) == ["2 categories are asked for, there are 1."]


# -- people ------------------------------------------------------------------------------------------------------------


async def test_what_a_person_says_wins_over_a_model(home: Home) -> None:
    kit.release(home, kit.trades(12))
    model = kit.scripted()
    labels = [one.name for one in (await make(home, model)).taxonomy.labels]
    said = {label: ("Mine" if place % 2 else "Yours") for place, label in enumerate(labels)} | {labels[0]: "Theirs"}
    annotate(home, ada=csv_of(said))
    calls = model.calls
    found = (await make(home, model)).taxonomy
    assert model.calls == calls, "the labels were known, and nobody was asked to sort"
    name_of = {one.id: one.name for one in found.categories}
    assert {one.name: name_of[one.category] for one in found.labels} == said
    assert (found.agreement.author, found.agreement.annotators) == ("people", ["ada.csv"])


async def test_of_three_people_the_majority_decides(home: Home) -> None:
    kit.release(home, kit.trades(12))
    labels = [one.name for one in (await make(home)).taxonomy.labels]
    mostly = {label: ("Mine" if place < 3 else "Yours") for place, label in enumerate(labels)}
    annotate(home, ada=csv_of(mostly), ben=csv_of(mostly), cleo=csv_of(mostly | {labels[0]: "Yours"}))
    found = (await make(home)).taxonomy
    name_of = {one.id: one.name for one in found.categories}
    assert {one.name: name_of[one.category] for one in found.labels} == mostly
    assert found.agreement.fleiss_kappa is not None and 0 < found.agreement.fleiss_kappa < 1


async def test_annotations_of_other_labels_are_refused_and_what_was_stays(home: Home) -> None:
    kit.release(home, kit.trades(8))
    before = await make(home)
    annotate(home, ada="label,category\nNo such label,Mine\n")
    with pytest.raises(UsageError, match=r"taxonomy/annotations/ada\.csv, line 2: there is no label 'No such label'"):
        await make(home)
    kept = latest_taxonomy(RecordStore(home))
    assert kept is not None and kept.version == before.record.version


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "first line has to be `label,category`"),
        ("a,b\n", "first line has to be"),
        ("label,category\na\n", "line 2: a label and a category are expected"),
        ("label,category\na,\n", "line 2: a label and a category"),
        ("label,category\na,X\na,Y\nb,X\n", "line 3: 'a' is in two categories"),
        ("label,category\na,X\n", "says nothing of: b"),
        ('label,category\n"a,X\n', "line 2"),
    ],
)
def test_annotations_that_cannot_be_used_are_told_of(text: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        sorting("ada.csv", text, ["a", "b"])


def test_annotations_may_be_written_as_spreadsheets_write_them() -> None:
    assert sorting("ada.csv", 'Label,Category\r\n" a ",X\r\n\r\nb,"Y, or Z"\r\na,X\r\n', ["a", "b"]) == {
        "a": "X",
        "b": "Y, or Z",
    }


def test_a_category_is_the_same_however_it_is_spelled_and_holds_no_markup() -> None:
    said = sorting("ada.csv", "label,category\na,Health\nb,HEALTH\nc,<b>Art</b>\x00\n", ["a", "b", "c"])
    assert said == {"a": "Health", "b": "Health", "c": "Art"}


async def test_people_who_call_different_things_alike_get_names_that_differ(home: Home) -> None:
    kit.release(home, kit.trades(12))
    labels = [one.name for one in (await make(home)).taxonomy.labels]
    halves = {label: ("One" if place < 3 else "Two") for place, label in enumerate(labels)}
    turned = {label: ("Two" if place < 3 else "One") for place, label in enumerate(labels)}
    third = {label: ("One" if place % 2 else "Two") for place, label in enumerate(labels)}
    annotate(home, ada=csv_of(halves), ben=csv_of(turned), cleo=csv_of(third))
    found = (await make(home)).taxonomy
    assert {one.name for one in found.categories} == {"One", "Two"}
    assert len({one.category for one in found.labels[:3]}) == len({one.category for one in found.labels[3:]}) == 1


async def test_annotations_that_are_no_text_are_told_of(home: Home) -> None:
    kit.release(home, kit.trades(4))
    annotate(home)
    (home.local / "taxonomy" / "annotations" / "ada.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"ada\.csv is no UTF-8 text"):
        await make(home)


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
    assert kept.category_names()[new] == after.category_of(new).name


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
