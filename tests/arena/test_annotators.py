"""Who names clusters and sorts labels: what is accepted of models, and what people say in files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from envfactory_dagster.arena.taxonomy.annotations import sorting
from envfactory_dagster.arena.taxonomy.described import DescribedEnvironment
from envfactory_dagster.arena.taxonomy.labels import LIKENESS, problems_of_label
from envfactory_dagster.arena.taxonomy.merging import problems_of_annotation
from envfactory_dagster.arena.taxonomy.stage import latest_taxonomy, make_taxonomy
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.taxonomy import Taxonomy, TaxonomySettings
from envfactory_dagster.contracts.taxonomy_requests import (
    CategoryOfLabels,
    ClusterLabelAnswer,
    TaxonomyAnnotationAnswer,
)
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.arena import taxonomy_kit as kit
from tests.arena.taxonomy_kit import WITHOUT, annotate, csv_of, make
from tests.support.model import library_gateway


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.resolve(tmp_path / "home")


# -- models ------------------------------------------------------------------------------------------------------------


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


async def test_a_home_in_an_object_store_has_a_taxonomy_and_annotations_too(bucket: str, tmp_path: Path) -> None:
    home = Home.resolve(bucket)
    kit.release(home, kit.trades(6))

    async def made() -> Taxonomy:
        async with library_gateway(tmp_path) as gateway:
            return (await make_taxonomy(home, gateway, WITHOUT, TaxonomySettings())).taxonomy

    labels = [one.name for one in (await made()).labels]
    said = {label: f"Field {place}" for place, label in enumerate(labels)}
    open_files(home.root / "taxonomy").replace("annotations/ada.csv", csv_of(said).encode())
    found = await made()
    assert sorted(one.name for one in found.categories) == sorted(said.values())
