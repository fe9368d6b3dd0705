"""Whether what is measured is among what the policies of a home learn from.

Belongs here: comparing the words of tasks with the rows of `sft_dataset` and `rl_dataset`. Does not: keeping benchmarks
out of datasets when they are made (`datasets.duplicates`).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from envfactory_dagster.contracts.benchmarks import Contamination
from envfactory_dagster.datasets.duplicates import RUN, SHORTEST, runs, words
from envfactory_dagster.datasets.splits import TRAINING
from envfactory_dagster.datasets.versions import latest
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home

_DATASETS = ("sft", "rl")


def contamination(home: Home, texts: Mapping[str, str]) -> Contamination:
    """`texts`: task → everything that a person says in it. A run of 13 of its words in a row for training is too much;
    of a shorter text, the whole of it."""
    tasks_with: defaultdict[int, defaultdict[tuple[str, ...], list[str]]] = defaultdict(lambda: defaultdict(list))
    for task, text in texts.items():
        if (length := min(RUN, len(words(text)))) >= SHORTEST:
            for run in runs(text, length):
                tasks_with[length][run].append(task)
    versions = {name: version for name in _DATASETS if (version := latest(home, name))}
    found: dict[str, str] = {}
    for dataset, version in versions.items():
        for row, said in _training_texts(home, dataset, version):
            for length, known in tasks_with.items():
                for run in runs(said, length) & known.keys():
                    for task in known[run]:
                        found.setdefault(task, f"{dataset} {row}")
    return Contamination(compared_with=versions, tasks=dict(sorted(found.items())))


def _training_texts(home: Home, dataset: str, version: str) -> Iterator[tuple[str, str]]:
    """Row → what the person says in it."""
    files, folder = open_files(home.datasets), f"{dataset}/{version}/rows"
    for name in files.names(folder):
        if name.endswith(".jsonl"):
            for row in map(orjson.loads, (files.read(f"{folder}/{name}") or b"").splitlines()):
                if row["trace"]["split"] in TRAINING:
                    yield str(row["id"]), _said(row)


def _said(row: Mapping[str, Any]) -> str:
    return "\n".join(str(one["content"]) for one in row["messages"] if one["role"] == "user")
