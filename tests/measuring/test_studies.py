"""Studies: nested subsets, halves by likeness, what a study may say, and two cells that are trained and evaluated."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.studies import LevelResult, SeedResult, Study, StudyResult
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.measuring.studies.cells import cells_of
from envfactory_dagster.measuring.studies.picture import plot
from envfactory_dagster.measuring.studies.running import read_study
from envfactory_dagster.measuring.studies.subsets import HeldOutLikeness, half, nested
from envfactory_dagster.store.home import Home
from tests.commands.evolving_shop import build
from tests.commands.terminal import Terminal
from tests.measuring.shop_kit import write_rows
from tests.support.tiny import tiny
from tests.trainer.shop import Shop, save_policy
from tests.trainer.training import RECIPE

KEYS = [f"world-{number}" for number in range(9)]


@pytest.mark.parametrize("seed", range(3))
def test_fewer_environments_are_among_more(seed: int):
    subsets = [nested(KEYS, count, seed) for count in (1, 3, 9)]
    assert [len(one) for one in subsets] == [1, 3, 9]
    assert set(subsets[0]) < set(subsets[1]) < set(subsets[2]) == set(KEYS)
    assert nested(list(reversed(KEYS)), 3, seed) == subsets[1]


def test_other_seeds_choose_others():
    assert len({tuple(nested(KEYS, 3, seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize("count", [0, 10])
def test_no_level_asks_for_more_than_there_are(count: int):
    with pytest.raises(UsageError, match="There are 9 environments"):
        nested(KEYS, count, 0)


def test_halves_are_equal_and_have_nothing_in_common():
    likeness = {key: float(number) for number, key in enumerate(KEYS)}
    top, bottom, some = (half(likeness, which, 0) for which in ("top", "bottom", "random"))
    assert set(top) == set(KEYS[5:]) and set(bottom) == set(KEYS[:4]) and len(some) == 4
    with pytest.raises(UsageError, match="no halves"):
        half({"one": 1.0}, "top", 0)


async def test_what_is_like_the_held_out_ones_is_more_like_them(tmp_path: Path):
    shop = tiny("shop")
    other = tiny("bakery")
    theme = other.theme.model_copy(update={"name": "Weather service", "description": "Forecasts of wind and rain."})
    weather = replace(other, theme=theme, tools=[])
    async with Gateway(LanguageSettings(), tmp_path) as gateway:
        likeness = await HeldOutLikeness(gateway).of([shop, weather], [tiny("kiosk")])
    assert likeness["shop"] > likeness["bakery"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"levels": [1]}, "at least 2"),
        ({"levels": [1, 1]}, "labels must be unique"),
        ({"labels": ["one"]}, "1 labels for 2 levels"),
        ({"seeds": [1, 1]}, "seeds must be unique"),
        ({"name": "Not A Slug"}, "name"),
        ({"cells": 3}, "cells"),
        ({"way": "often"}, "way"),
    ],
)
def test_what_is_no_study_is_said(tmp_path: Path, changed: dict[str, Any], told: str):
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump({"name": "s", "recipe": "r", "varies": "environments", "levels": [1, 2], **changed}))
    with pytest.raises(UsageError, match=told):
        read_study(path)


@pytest.mark.parametrize("text", [None, "[", "- 1"])
def test_what_cannot_be_read_is_said(tmp_path: Path, text: str | None):
    path = tmp_path / "study.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError, match=r"study\.yaml"):
        read_study(path)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One environment that is trained on, one that is held out, and a policy that has learned nothing."""
    folder = tmp_path_factory.mktemp("study")
    save_policy(folder / "base")
    short = {**RECIPE["grpo"], "tasks": 1, "group": 2, "steps": 1, "most_new_tokens": 8}
    whole = {**RECIPE, "policy": {"base": str(folder / "base")}, "grpo": short}
    (folder / "recipe.yaml").write_text(yaml.safe_dump(whole))
    return build(folder / "home")


def study_of(home: Path, **said: Any) -> Study:
    given = {"name": "some", "recipe": str(home.parent / "recipe.yaml"), "seeds": [4], "k": 1, **said}
    return Study.model_validate(given)


async def test_cells_differ_in_what_varies_and_in_nothing_else(home: Path):
    study = study_of(home, varies="grpo.window", levels=[2, None], labels=["short", "whole"], seeds=[4, 5])
    cells = await cells_of(Home.resolve(home), study, Path(study.recipe), _rows(home))
    recipes = {(cell.label, cell.seed): yaml.safe_load(cell.recipe) for of in cells.values() for cell in of}
    assert recipes["short", 4]["grpo"].pop("window") == 2 and recipes["whole", 4]["grpo"].pop("window") is None
    assert recipes["short", 4] == recipes["whole", 4]
    assert {seed for _, seed in recipes} == {recipe["seed"] for recipe in recipes.values()} == {4, 5}
    assert len({cell.name for of in cells.values() for cell in of}) == 4
    assert cells["short"][0].curriculum == cells["whole"][0].curriculum != cells["short"][1].curriculum


async def test_a_level_may_be_a_home_or_a_policy(home: Path, tmp_path: Path):
    other = Path(shutil.copytree(home, tmp_path / "other"))
    study = study_of(home, varies="home", levels=[str(home), str(other)], labels=["this", "other"])
    cells = await cells_of(Home.resolve(home), study, Path(study.recipe), _rows(home))
    assert [cells[label][0].data for label in ("this", "other")] == [_rows(home), _rows(other)]
    assert cells["this"][0].curriculum == cells["other"][0].curriculum

    begun = str(home.parent / "base")
    study = study_of(home, varies="policy", levels=[begun, str(other)], labels=["base", "other"])
    cells = await cells_of(Home.resolve(home), study, Path(study.recipe), _rows(home))
    assert cells["base"][0].policy == begun and cells["base"][0].recipe == cells["other"][0].recipe


@pytest.mark.parametrize("said", [{"varies": "policy"}, {"varies": "grpo.window", "levels": [2, 3]}])
async def test_another_policy_in_the_same_folder_makes_other_cells(
    home: Path, tmp_path: Path, said: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    """Whether a study names the folder or its recipe does."""
    begun = Path(shutil.copytree(home.parent / "base", tmp_path / "begun"))
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(yaml.safe_dump({**RECIPE, "policy": {"base": str(begun)}}))
    study = study_of(home, recipe=str(recipe), **{"levels": [str(begun), str(home)], **said})

    async def name() -> str:
        cells = await cells_of(Home.resolve(home), study, recipe, _rows(home))
        return cells[study.named[0]][0].name

    before = await name()
    assert await name() == before
    weights = begun / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"1")
    assert await name() != before
    other = await name()
    monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("ENVFACTORY_MODEL", "another")
    assert await name() != other, "and so do other models that play beside it"


async def test_a_home_that_trains_on_what_is_held_out_here_is_refused(home: Path, tmp_path: Path):
    other = Path(shutil.copytree(home, tmp_path / "other"))
    for file in _rows(other).glob("*.jsonl"):
        file.write_text(file.read_text().replace('"split":"held_out"', '"split":"rl"'))
    study = study_of(home, varies="home", levels=[str(other), str(home)])
    with pytest.raises(UsageError, match="trains on shop-island, which is held out here"):
        await cells_of(Home.resolve(home), study, Path(study.recipe), _rows(home))


def _rows(home: Path) -> Path:
    version = (home / "datasets" / "rl" / "LATEST").read_text()
    return home / "datasets" / "rl" / version / "rows"


@pytest.mark.parametrize(
    ("varies", "levels", "told"),
    [
        ("environments", [1, 2], "There are 1 environments"),
        ("environments", ["one", "two"], "is no number of environments"),
        ("similarity", ["top", "bottom"], "no halves"),
        ("similarity", ["top", "middle"], "no halves|is no half"),
        ("home", ["/nowhere", "/elsewhere"], "is no folder"),
        ("policy", ["/nowhere", "/elsewhere"], "is no folder"),
        ("colour", ["red", "blue"], "cannot vary 'colour'"),
        ("seed.x", [1, 2], "cannot vary 'seed.x'"),
    ],
)
async def test_a_level_that_cannot_be_is_told_of_before_anything_runs(
    home: Path, varies: str, levels: list[Any], told: str
):
    study = study_of(home, varies=varies, levels=levels)
    with pytest.raises(UsageError, match=told):
        await cells_of(Home.resolve(home), study, Path(study.recipe), _rows(home))
    assert not (home / "studies").exists()


@pytest.mark.long
def test_a_study_is_trained_evaluated_and_not_done_again(home: Path, tmp_path: Path):
    terminal = Terminal(
        Path(shutil.copytree(home, tmp_path / "home")),
        {"PYTHONPATH": str(Path(__file__).parents[2]), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
    )
    study = study_of(home, varies="grpo.learning_rate", levels=[0.0001, 0.001], labels=["slow", "fast"])
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(study.model_dump(mode="json")))
    done = terminal.factory("study", str(tmp_path / "study.yaml"), "--json")
    assert done.status == 0, done.err
    found = StudyResult.model_validate(done.json())
    assert [(one.label, one.trained_on, len(one.seeds)) for one in found.levels] == [("slow", 1, 1), ("fast", 1, 1)]
    assert all(one.seeds[0].tasks == 6 for one in found.levels)
    folder = terminal.home / "studies" / "some"
    assert orjson.loads((folder / "result.json").read_bytes()) == done.json()
    assert (folder / "plot.svg").read_text().startswith("<svg")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("result.json") if path.parent != folder}
    again = terminal.factory("study", str(tmp_path / "study.yaml"))
    assert again.status == 0 and "slow" in again.out and "training" not in again.err
    assert len(before) == 4 and {path: path.stat().st_mtime_ns for path in before} == before
    assert len([*folder.glob("*/train.log"), *folder.glob("*/evaluation-*.log")]) == 4
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(study.model_copy(update={"k": 2}).model_dump(mode="json")))
    oftener = terminal.factory("study", str(tmp_path / "study.yaml"))
    assert oftener.status == 0 and "evaluating slow" in oftener.err and "training" not in oftener.err
    assert len([path for path in folder.rglob("result.json") if path.parent != folder]) == 6


@pytest.fixture
def with_examples(home: Path, shop: Shop, tmp_path: Path) -> Path:
    """The home with rows to learn from, of two environments."""
    copy = Path(shutil.copytree(home, tmp_path / "home"))
    rows = [orjson.loads(line) for line in shop.sft.read_text().splitlines()]
    for row in rows[::2]:
        row["trace"]["environment"] = "tiny-dairy"
    write_rows(copy, "sft", rows)
    return copy


def _sft_study(folder: Path, home: Path, most_steps: int | None = 1) -> Study:
    """With a recipe of its own."""
    recipe = yaml.safe_load((home / "recipe.yaml").read_text())
    recipe["sft"] |= {"most_steps": most_steps}
    (folder / "sft.yaml").write_text(yaml.safe_dump(recipe))
    return study_of(home, recipe=str(folder / "sft.yaml"), trains="sft", varies="environments", levels=[1, 2])


async def test_sft_learns_from_rows_of_so_many_environments(home: Path, with_examples: Path, tmp_path: Path):
    study = _sft_study(tmp_path, home.parent)
    cells = await cells_of(Home.resolve(with_examples), study, Path(study.recipe), _rows(with_examples))
    [few], [many] = cells["1"], cells["2"]
    assert (few.environments, many.environments) == (1, 2)
    learned = [[orjson.loads(line) for line in cell.curriculum.splitlines()] for cell in (few, many)]
    assert len(learned[0]) < len(learned[1]) and all(row in learned[1] for row in learned[0])

    study = _sft_study(tmp_path, home.parent, most_steps=None)
    with pytest.raises(UsageError, match=r"sft\.most_steps"):
        await cells_of(Home.resolve(with_examples), study, Path(study.recipe), _rows(with_examples))


@pytest.mark.long
def test_a_study_of_sft_is_trained_and_evaluated(home: Path, with_examples: Path, tmp_path: Path):
    terminal = Terminal(
        with_examples, {"PYTHONPATH": str(Path(__file__).parents[2]), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    )
    study = _sft_study(tmp_path, home.parent)
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(study.model_dump(mode="json")))
    done = terminal.factory("study", str(tmp_path / "study.yaml"), "--json")
    assert done.status == 0, done.err
    found = StudyResult.model_validate(done.json())
    assert [(one.trained_on, one.seeds[0].tasks) for one in found.levels] == [(1, 6), (2, 6)]
    results = [orjson.loads(path.read_bytes()) for path in terminal.home.glob("studies/some/*/train/result.json")]
    assert len(results) == 2 and all(one["finished"] for one in results)


def test_a_trainer_that_fails_is_told_of_in_its_own_sentence(home: Path, tmp_path: Path):
    terminal = Terminal(Path(shutil.copytree(home, tmp_path / "home")), {"PYTHONPATH": str(Path(__file__).parents[2])})
    study = study_of(home, varies="grpo.colour", levels=["red", "blue"])
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(study.model_dump(mode="json")))
    failed = terminal.factory("study", str(tmp_path / "study.yaml"))
    assert failed.status == 2 and "grpo.colour" in failed.err
    (log,) = (terminal.home / "studies" / "some").glob("*/train.log")
    assert str(log) in "".join(failed.err.split("\n")), "it says where to read more, and so in which cell"


def test_the_plot_shows_every_level():
    levels = [
        LevelResult(
            label=name, trained_on=1, mean=mean, low=mean, high=mean,
            seeds=[SeedResult(seed=0, passed=mean, tasks=1, folder="x")],
        )
        for name, mean in (("<few>", 0.2), ("many", 0.6))
    ]  # fmt: skip
    study = Study(name="s", recipe="r", varies="environments", levels=[1, 2], labels=["<few>", "many"])
    picture = plot(StudyResult(study=study, recipe="r 1", levels=levels))
    assert "&lt;few&gt;" in picture and "many" in picture and picture.count("<circle") == 2
