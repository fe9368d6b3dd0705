"""How far every environment has come, read from the store.

Belongs here: the summary that several commands show, as data and as text. Does not: running anything (`runs`).
"""

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import orjson

from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import EnvFactoryError
from envfactory_dagster.contracts.stages import LINE, PROPOSAL

if TYPE_CHECKING:
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import Head, RecordStore

Status = Literal["accepted", "rejected", "unfinished"]

_MEMORY = "standings.json"
_MEMORY_FORMAT = 3
_AT_ONCE = 16
_MARKS: dict[Status, tuple[str, str]] = {
    "accepted": ("+", "green"),
    "rejected": ("-", "red"),
    "unfinished": ("…", "yellow"),
}


@dataclass(frozen=True, slots=True)
class Standing:
    key: str
    name: str
    category: str
    status: Status
    stage: str
    """The last stage that was made, or the one that was rejected."""
    reason: str = ""
    version: str = ""
    folder: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


_NEWER = frozenset({"mined_data", "task_families"})
"""Stages that homes of earlier versions have no record of."""


def standings(home: "Home", keys: Iterable[str]) -> list[Standing]:
    """What was found the last time is remembered, and looked for again where a stage has another record since."""
    from envfactory_dagster.store.records import RecordStore

    marks = RecordStore(home).marks((PROPOSAL, *LINE), list(keys))
    remembered = _remembered(home)
    unknown = [key for key, found in marks.items() if key not in remembered or remembered[key][0] != found]
    # Of an object store each record is a request, most of which is waiting.
    with ThreadPoolExecutor(1 if home.is_local else _AT_ONCE) as pool:
        for key, standing in zip(unknown, pool.map(lambda key: _standing(home, key), unknown), strict=True):
            remembered[key] = (marks[key], standing.as_json())
    if unknown:
        _remember(home, remembered)
    return [Standing(**remembered[key][1]) for key in marks]


_Remembered = dict[str, tuple[list[str], dict[str, Any]]]
"""Key → the marks of its records, and its standing."""


def _remembered(home: "Home") -> _Remembered:
    """Nothing, where the file is of another version or of a home that was since moved or copied."""
    from envfactory_dagster.store.files import open_files

    try:
        found = orjson.loads(open_files(home.root).read(_MEMORY) or b"{}")
    except (OSError, EnvFactoryError, orjson.JSONDecodeError):
        found = {}
    if not isinstance(found, dict) or found.get("of") != [_MEMORY_FORMAT, str(home.root)]:
        return {}
    return {key: (marks, standing) for key, (marks, standing) in found["standings"].items()}


def _remember(home: "Home", remembered: _Remembered) -> None:
    from envfactory_dagster.store.files import open_files

    with contextlib.suppress(EnvFactoryError):  # a home that may only be read is listed all the same
        data = {"of": [_MEMORY_FORMAT, str(home.root)], "standings": remembered}
        open_files(home.root).replace(_MEMORY, orjson.dumps(data))


def _standing(home: "Home", key: str) -> Standing:
    from envfactory_dagster.authoring.environment import BuiltEnvironment
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.records import RecordStore

    records = RecordStore(home)
    proposed = records.latest(PROPOSAL, key)
    proposal = (proposed.artifact if proposed else None) or {"proposal": {"name": key, "category": ""}}
    named = {"key": key, "name": proposal["proposal"]["name"], "category": proposal["proposal"]["category"]}
    heads = {stage: head for stage in LINE if (head := records.head(stage, key)) is not None}
    refused = next((stage for stage, head in heads.items() if head.status == "rejected"), None)
    if refused is not None:
        record = records.latest(refused, key)
        return Standing(**named, status="rejected", stage=refused, reason=record.reason if record else "")
    done = [stage for stage, head in heads.items() if head.status == "ok"]
    if done != [stage for stage in LINE if stage in heads or stage not in _NEWER]:
        return Standing(**named, status="unfinished", stage=done[-1] if done else PROPOSAL)
    built = BuiltEnvironment.model_validate(_inspected(records, key, heads) or _artifact(records, "environment", key))
    verified = (_artifact(records, "verifiers", key) or {"verifiers": []})["verifiers"]
    sealed = _sealed(records, key, heads)
    version = sealed["version"] if sealed is not None else built.version
    return Standing(
        **named,
        status="accepted",
        stage=LINE[-1],
        version=version[:16],
        folder=str(BundleStore(home).folder(key, version)),
        counts={
            "tables": built.tables,
            "rows": built.rows[INITIAL_STATE],
            "tools": built.tools,
            "tasks": built.tasks,
            "verified": len(verified),
            **({"released": len(sealed["tasks"])} if sealed is not None else {}),
        },
    )


def _inspected(records: "RecordStore", key: str, heads: "Mapping[str, Head]") -> dict[str, Any] | None:
    """The environment as the inspection left it, without what it dropped; None where it dropped nothing."""
    record = records.latest("inspection", key)
    if record is None or record.artifact is None or record.parents.get("environment") != heads["environment"].version:
        return None
    amended: dict[str, Any] = record.artifact.get("amended", {})
    return amended.get("environment")


def _sealed(records: "RecordStore", key: str, heads: "Mapping[str, Head]") -> dict[str, Any] | None:
    """The release of the environment as it stands; None before there is one."""
    record = records.latest("release", key)
    stands = record is not None and record.parents.get("environment") == heads["environment"].version
    return record.artifact if record is not None and stands else None


def _artifact(records: "RecordStore", stage: str, key: str) -> dict[str, Any] | None:
    record = records.latest(stage, key)
    return None if record is None else record.artifact


def imported(home: "Home", made: Iterable[str]) -> list[Standing]:
    """The environments beside those that were made here."""
    from envfactory_dagster.store.bundles import BundleStore

    store = BundleStore(home)
    return [_imported(store, key) for key in sorted({*store.keys()} - {*made})]


def _imported(store: "BundleStore", key: str) -> Standing:
    bundle = store.load(key)
    counts = {"tools": len(bundle.tools), "tasks": len(bundle.tasks), "states": len(bundle.states)}
    return Standing(
        key=key,
        name=bundle.theme.name,
        category=bundle.theme.category,
        status="accepted",
        stage="import",
        version=bundle.version[:16],
        folder=str(store.folder(key)),
        counts=counts,
    )


def print_standings(found: Sequence[Standing]) -> None:
    """One line each, whatever the width of the terminal."""
    from envfactory_dagster.commands.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for one in found:
        mark, colour = _MARKS[one.status]
        console.print(f"{mark} {one.key}: {_in_words(one)}", style=colour, markup=False)


def _in_words(one: Standing) -> str:
    if one.status == "accepted":
        return ", ".join(f"{number} {name}" for name, number in one.counts.items()) + f" (version {one.version})"
    if one.status == "rejected":
        return f"{one.stage} was {one.reason}"
    return f"unfinished, {one.stage} is made"
