"""Homes full of released environments, and a scripted model that names clusters and sorts labels.

The environments are the alpine huts under the themes of the scripted proposer's trades: the taxonomy reads what bundles
say of themselves, and plays none.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import orjson
from pydantic import SecretStr

from envfactory_dagster import examples
from envfactory_dagster.arena.taxonomy.stage import Made, make_taxonomy
from envfactory_dagster.authoring.discovery.names import key_for
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import Difficulty, MadeTask, Release
from envfactory_dagster.contracts.taxonomy import Taxonomy, TaxonomySettings
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.language.played_endpoint import PlayedEndpoint, says
from tests.support.model import library_gateway
from tests.support.proposer import inventions
from tests.tasks.huts_kit import gated

MODEL = "sorter"
MODELS = dict.fromkeys((Role.AUTHOR, Role.JUDGE), MODEL) | {Role.EMBEDDER: "built-in"}


@cache
def huts() -> Bundle:
    return examples.load("alpine_huts")


def release(home: Home, themes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Released environments of these themes; their keys in order."""
    bundles, records, keys = BundleStore(home), RecordStore(home), list[str]()
    for theme in themes:
        key = key_for(theme["name"], lambda _: False)
        about = huts().theme.model_copy(update={**theme, "key": key})
        bundle = replace(huts(), theme=about, tools=huts().tools[:1])
        bundles.keep(bundle)
        released = Release(version=bundle.version, tasks=[_task()])
        _keep(records, key, released.model_dump(mode="json"))
        keys.append(key)
    return keys


def withdraw(home: Home, key: str) -> None:
    """Its latest release was rejected."""
    _keep(RecordStore(home), key, None)


def trades(number: int) -> list[dict[str, Any]]:
    return inventions()[:number]


def _keep(records: RecordStore, key: str, artifact: dict[str, Any] | None) -> None:
    version = content_hash([key, artifact])
    status = "rejected" if artifact is None else "ok"
    records.keep(
        StageRecord(stage="release", partition=key, status=status, inputs=version, version=version, artifact=artifact)
    )


@cache
def _task() -> MadeTask:
    task = huts().tasks[0]
    solution = ReferenceSolution(
        task=task.id,
        source="def solve(tools):\n    return None\n",
        report=Report(outcome="done", answers={}, message="Done."),
        calls=[],
        changes=[],
        state_hash="0" * 64,
    )
    return MadeTask(
        task=task,
        source="task_set",
        solution=solution,
        verifier=gated(task.id, huts().verifiers[task.id]),
        difficulty=Difficulty(level=1, calls=0, tools=0),
    )


# -- a model -----------------------------------------------------------------------------------------------------------

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def name_cluster(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names of up to four of its representatives, of which none was used."""
    words = [one["name"].split()[-1].lower() for one in context["representatives"]]
    label = " ".join(dict.fromkeys(words))
    return {
        "label": " ".join(label.split()[:4]) if len(label.split()) > 1 else f"{label} desk",
        "sentence": "People ask for things and get them.",
        "keywords": words[:3],
        "seed_label": None,
        "outliers": [],
    }


def sort_labels(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """In alphabetical order, cut into as many runs as are asked for: all annotators agree."""
    labels, wanted = sorted(one["label"] for one in context["labels"]), context["categories"]
    return runs(labels, wanted, "Kind")


def sort_labels_differently(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """No two annotators have any two labels together, if that can be: each deals the labels out in another way."""
    labels, wanted = sorted(one["label"] for one in context["labels"]), context["categories"]
    step = context["annotator"]
    dealt = [label for start in range(step) for label in labels[start::step]]
    return runs(dealt, wanted, f"Kind of {step},")


def runs(labels: Sequence[str], wanted: int, called: str) -> Mapping[str, Any]:
    bounds = [round(number * len(labels) / wanted) for number in range(wanted + 1)]
    return {
        "categories": [
            {"name": f"{called} {number + 1}", "labels": list(labels[bounds[number] : bounds[number + 1]])}
            for number in range(wanted)
        ]
    }


def settle(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """Every contested label goes to the first group it may go to."""
    return {
        "groups": [
            {"group": one["group"], "name": f"Field {one['group']}", "sentence": "All of it."}
            for one in context["groups"]
        ],
        "settled": [{"label": one["label"], "group": one["groups"][0]} for one in context["contested"]],
    }


def scripted(**answers: Answer) -> PlayedEndpoint:
    """A model that answers the three questions, each as it is said here or as above."""
    known: dict[str, Answer] = {
        "cluster_label": name_cluster,
        "taxonomy_annotation": sort_labels,
        "taxonomy_merge": settle,
    } | answers
    return PlayedEndpoint(lambda body: _played(body, known))


def _played(body: dict[str, Any], answers: Mapping[str, Answer]) -> Any:
    question = orjson.loads(body["messages"][1]["content"].rpartition("```json\n")[2].partition("\n```")[0])
    return says(orjson.dumps(answers[question["schema"]](question["context"])).decode())(body)


def sorter_settings() -> LanguageSettings:
    return LanguageSettings(
        base_url="http://sorter/v1",
        api_key=SecretStr("none"),
        models={role: MODEL for role in Role if role is not Role.EMBEDDER},
        limits=LimitSettings(backoff_s=0.001),
    )


# -- making ------------------------------------------------------------------------------------------------------------


WITHOUT = {Role.AUTHOR: "library", Role.JUDGE: "built-in", Role.EMBEDDER: "built-in"}


@asynccontextmanager
async def asked(home: Home, model: PlayedEndpoint | None) -> AsyncIterator[Gateway]:
    gateway = library_gateway(home.local) if model is None else Gateway(sorter_settings(), home.local, app=model.app())
    async with gateway:
        yield gateway


async def make(home: Home, model: PlayedEndpoint | None = None, anew: bool = False, **settings: int) -> Made:
    models: Mapping[Role, str] = WITHOUT if model is None else MODELS
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
