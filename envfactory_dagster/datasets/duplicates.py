"""Tasks that are too much like another one, or like a text of a public benchmark.

Belongs here: what a task asks for as text, reading benchmark texts, and both kinds of likeness: shared runs of words,
and the cosine of embeddings. Does not: what becomes of such tasks (`building`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.language.embeddings import NearDuplicates
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller

RUN = 13
"""A run of this many equal words is no coincidence."""
SHORTEST = 5
"""A benchmark text of fewer words says nothing of its own."""
_BATCH = 1_024
_NEVER = 2.0
"""A cosine that none reaches: such a pool takes everything."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class LikenessThresholds:
    """From which cosine on two texts are the same."""

    among_tasks: float = 0.92
    to_benchmarks: float = 0.9


@dataclass(frozen=True, slots=True)
class PublicText:
    """A text of a benchmark. `name` is its file and line."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Twin:
    """What a text is too much like, and in which way."""

    name: str
    how: str


def asked(made: MadeTask) -> str:
    """Everything a person says who brings the task."""
    said = [turn.request for turn in made.conversation.turns] if made.conversation is not None else []
    return "\n".join(dict.fromkeys([made.task.text, *said]))


def roots(tasks: Mapping[str, MadeTask]) -> dict[str, str]:
    """Task → the one it was made from in the end. What was made from one task is meant to be like it."""
    return {name: _root(name, tasks) for name in tasks}


def _root(name: str, tasks: Mapping[str, MadeTask]) -> str:
    passed = {name}
    while (parent := tasks[name].parent) in tasks and parent not in passed:
        name = str(parent)
        passed.add(name)
    return name


def read_benchmarks(folder: Path) -> list[PublicText]:
    """Every line of every `.txt`, every text in every line of every `.jsonl`."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder} with benchmark texts; name one that holds .txt or .jsonl files.")
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".txt", ".jsonl"))
    if not files:
        raise UsageError(f"The folder {folder} holds no .txt and no .jsonl file, so there is nothing to compare with.")
    return [text for path in files for text in _texts_of(path, folder)]


def _texts_of(path: Path, folder: Path) -> Iterator[PublicText]:
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
        name = f"{path.relative_to(folder)} line {number}"
        try:
            found = _strings(orjson.loads(line)) if path.suffix == ".jsonl" and line.strip() else [line]
        except orjson.JSONDecodeError as error:
            raise UsageError(f"{name} in {folder} is no JSON: {error}") from error
        yield from (PublicText(name, text) for text in found if len(words(text)) >= SHORTEST)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def runs(text: str, length: int = RUN) -> set[tuple[str, ...]]:
    """Every `length` words in a row."""
    said = words(text)
    return {tuple(said[start : start + length]) for start in range(len(said) - length + 1)}


def overlapping(texts: Mapping[str, str], public: Sequence[PublicText]) -> dict[str, Twin]:
    """Texts that share a run of words with a public one. A public text that is shorter than a run counts where the
    whole of it is said."""
    known: dict[int, dict[tuple[str, ...], str]] = {}
    for one in public:
        length = min(RUN, len(words(one.text)))
        for run in runs(one.text, length):
            known.setdefault(length, {}).setdefault(run, one.name)
    found = {}
    for name, text in texts.items():
        shared = (
            known[length][run] for length in sorted(known) for run in sorted(runs(text, length) & known[length].keys())
        )
        twin = next(shared, None)
        if twin is not None:
            found[name] = Twin(twin, "a run of equal words")
    return found


async def resembling(
    gateway: Gateway, caller: Caller, texts: Mapping[str, str], public: Sequence[PublicText], threshold: float
) -> dict[str, Twin]:
    """Texts whose embedding is as good as that of a public one."""
    if not public or not texts:
        return {}
    pool = NearDuplicates(_NEVER)
    known = await gateway.embed(caller=caller, texts=[one.text for one in public])
    for start in range(0, len(public), _BATCH):
        batch = slice(start, start + _BATCH)
        pool.admit([one.name for one in public[batch]], known[batch])
    vectors = await gateway.embed(caller=caller, texts=list(texts.values()))
    found = {}
    for name, vector in zip(texts, vectors, strict=True):
        [nearest] = pool.nearest([vector])
        if nearest is not None and nearest.cosine >= threshold:
            found[name] = Twin(nearest.name, f"cosine {nearest.cosine:.2f}")
    return found


async def repeated(gateway: Gateway, caller: Caller, texts: Mapping[str, str], threshold: float) -> dict[str, Twin]:
    """Texts that say what an earlier one says: the same words, or as good as the same embedding."""
    first_with: dict[tuple[str, ...], str] = {}
    found = {}
    for name, text in texts.items():
        first = first_with.setdefault(tuple(words(text)), name)
        if first != name:
            found[name] = Twin(first, "the same words")
    left = [name for name in texts if name not in found]
    vectors = await gateway.embed(caller=caller, texts=[texts[name] for name in left])
    pool = NearDuplicates(threshold)
    for start in range(0, len(left), _BATCH):
        names = left[start : start + _BATCH]
        for name, near in zip(names, pool.admit(names, vectors[start : start + _BATCH]), strict=True):
            if near is not None:
                found[name] = Twin(near.name, f"cosine {near.cosine:.2f}")
    return found
