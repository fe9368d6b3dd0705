"""How far every environment has come, read from the store.

Belongs here: the summary that several commands show, as data and as text. Does not: running anything (`runs`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from envfactory_dagster.contracts.domain import INITIAL_STATE

if TYPE_CHECKING:
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import Head, RecordStore

Status = Literal["accepted", "rejected", "unfinished"]

PROPOSAL = "proposal"
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


def line() -> tuple[str, ...]:
    """Names of the stages from a theme to an environment with verified tasks, in order."""
    from envfactory_dagster.assets import environment, inspection, tasks, truth

    assets = (*environment.LINE, *truth.LINE, inspection.inspection, *tasks.LINE)
    return tuple(asset.key.to_user_string() for asset in assets)


def standings(home: "Home", keys: Iterable[str]) -> list[Standing]:
    stages = line()
    return [_standing(home, key, stages) for key in keys]


def _standing(home: "Home", key: str, stages: Sequence[str]) -> Standing:
    from envfactory_dagster.authoring.environment import BuiltEnvironment
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.records import RecordStore

    records = RecordStore(home)
    proposed = records.latest(PROPOSAL, key)
    proposal = (proposed.artifact if proposed else None) or {"proposal": {"name": key, "category": ""}}
    named = {"key": key, "name": proposal["proposal"]["name"], "category": proposal["proposal"]["category"]}
    heads = {stage: head for stage in stages if (head := records.head(stage, key)) is not None}
    refused = next((stage for stage, head in heads.items() if head.status == "rejected"), None)
    if refused is not None:
        record = records.latest(refused, key)
        return Standing(**named, status="rejected", stage=refused, reason=record.reason if record else "")
    done = [stage for stage, head in heads.items() if head.status == "ok"]
    if done != list(stages):
        return Standing(**named, status="unfinished", stage=done[-1] if done else PROPOSAL)
    built = BuiltEnvironment.model_validate(_artifact(records, "environment", key))
    verified = (_artifact(records, "verifiers", key) or {"verifiers": []})["verifiers"]
    sealed = _sealed(records, key, heads)
    version = sealed["version"] if sealed is not None else built.version
    return Standing(
        **named,
        status="accepted",
        stage=stages[-1],
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


def _sealed(records: "RecordStore", key: str, heads: "Mapping[str, Head]") -> dict[str, Any] | None:
    """The release of the environment as it stands; None before there is one."""
    record = records.latest("release", key)
    stands = record is not None and record.parents.get("environment") == heads["environment"].version
    return record.artifact if record is not None and stands else None


def _artifact(records: "RecordStore", stage: str, key: str) -> dict[str, Any] | None:
    record = records.latest(stage, key)
    return None if record is None else record.artifact


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
