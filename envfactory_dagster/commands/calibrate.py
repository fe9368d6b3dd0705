"""`envfactory calibrate`: how hard are the released tasks for your own model?

Belongs here: playing them with it, and showing and keeping what follows. Does not: what follows (`tasks.calibration`).

    FOLDER/tasks.jsonl        every task with its pass rates
    FOLDER/curriculum.jsonl   those it neither always nor never passes, the easiest first
    FOLDER/suspects.jsonl     verdicts to look at
    FOLDER/trajectories/      every episode; one that is there is not played again
"""

import asyncio
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.solver import settings_for
from envfactory_dagster.commands.terminal import how_many, say

if TYPE_CHECKING:
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.rollouts.results import TaskResult
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.tasks.calibration import Suspect

_CALLER = "calibration"
_SHOWN = 20
_NO_MODEL = (
    "this is no model but a policy that is given each solution and plays it, so its pass rates say nothing of how hard "
    "the tasks are. Name your model with --endpoint and --model."
)


@dataclass(slots=True)
class CalibrationResult:
    """What came of playing, environment by environment."""

    folder: Path
    k: int
    tasks: list["TaskResult"] = field(default_factory=list)
    suspects: list["Suspect"] = field(default_factory=list)
    unplayable: dict[str, str] = field(default_factory=dict)


def calibrate(
    endpoint: Annotated[
        str | None, typer.Option(help="Base URL of an OpenAI-compatible endpoint; by default ENVFACTORY_LLM_BASE_URL.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="The model to be calibrated; by default that of the role solver, without an endpoint the "
            "reference policy, which is given the solutions."
        ),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="A model of the endpoint that judges some episodes; without one none is judged.")
    ] = None,
    k: Annotated[int, typer.Option(min=1, help="How often each task is played.")] = 8,
    environments: Annotated[
        list[str] | None, typer.Option(help="Only this environment; may be repeated. By default all that are released.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for what is found; by default one below the home.")] = None,
    as_json: AsJson = False,
) -> None:
    """Play the released tasks with your own model: pass rates, a curriculum, and verdicts to look at."""
    from envfactory_dagster.contracts.errors import InfrastructureFault
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import is_reference
    from envfactory_dagster.store.home import Home

    settings, home = settings_for(endpoint, model, judge), Home.resolve()
    found = CalibrationResult(out or _folder(home, settings), k)
    if is_reference(settings.model(Role.SOLVER)):
        say(f"{settings.model(Role.SOLVER)}: {_NO_MODEL}", file=sys.stderr)
    asyncio.run(_play(home, settings, environments or [], found, judge is not None))
    if not any(one.played for one in found.tasks):
        raise InfrastructureFault("Not one episode could be played to its end; is the endpoint up?")
    report = _kept(found, settings)
    if as_json:
        say(orjson.dumps(report | {"suspects": [asdict(one) for one in found.suspects]}).decode())
    else:
        _print(report, found)


def _folder(home: "Home", settings: "LanguageSettings") -> Path:
    from envfactory_dagster.contracts.base import content_hash
    from envfactory_dagster.language.messages import Role

    model = settings.model(Role.SOLVER)
    name = re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")
    return home.local / "calibration" / f"{name}-{content_hash([model, settings.base_url])[:8]}"


async def _play(
    home: "Home", settings: "LanguageSettings", environments: Sequence[str], found: CalibrationResult, judged: bool
) -> None:
    from envfactory_dagster.language.gateway import Gateway
    from envfactory_dagster.rollouts.store import TrajectoryStore
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.tasks import calibration
    from envfactory_dagster.tasks.playing import Players, PlayPlan, Unplayable
    from envfactory_dagster.truth.judging import Judge

    async with Gateway(settings, home.root) as gateway, Runtime() as runtime:
        players = Players(home, gateway, runtime, settings)
        players.store = TrajectoryStore(Home.resolve(found.folder))  # these episodes are no examples to learn from
        async for played in players.play(PlayPlan(candidates=found.k, environments=tuple(environments))):
            if isinstance(played, Unplayable):
                found.unplayable[played.key] = played.reason
                continue
            tasks = calibration.results(played)
            found.tasks += tasks
            if not tasks:
                continue
            bundle = await asyncio.to_thread(BundleStore(home).load, tasks[0].environment, played.release.version)
            found.suspects += calibration.suspects(bundle, played, tasks)
            if judged:
                judge = Judge(gateway, _CALLER, bundle.key)
                found.suspects += await calibration.disagreements(runtime, judge, bundle, played)
                runtime.retire(bundle)
            say(f"{bundle.key}: {how_many(len(tasks), 'task')}, {how_many(played.new, 'new episode')}", file=sys.stderr)


def _kept(found: CalibrationResult, settings: "LanguageSettings") -> dict[str, Any]:
    """What was found, written down, and what there is to say of it."""
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.rollouts.results import summary
    from envfactory_dagster.tasks.calibration import curriculum, row

    chosen = curriculum(found.tasks)
    found.folder.mkdir(parents=True, exist_ok=True)
    _write(found.folder / "tasks.jsonl", [row(one, found.k) for one in found.tasks])
    _write(found.folder / "curriculum.jsonl", [row(one, found.k) for one in chosen])
    _write(found.folder / "suspects.jsonl", [asdict(one) for one in found.suspects])
    figures = summary(found.tasks, found.k)
    return {
        "model": settings.model(Role.SOLVER),
        "k": found.k,
        "folder": str(found.folder),
        **{
            name: figures[name]
            for name in ("environments", "tasks", "episodes", "environment_errors", "unplayed_tasks")
        },
        "pass@1": figures["pass@1"],
        f"pass@{found.k}": figures[f"pass@{found.k}"],
        "always_passed": sum(one.played > 0 and one.passed == one.played for one in found.tasks),
        "never_passed": sum(one.played > 0 and one.passed == 0 for one in found.tasks),
        "curriculum": len(chosen),
        "unplayable": found.unplayable,
    }


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))


def _print(report: Mapping[str, Any], found: CalibrationResult) -> None:
    from rich.table import Table

    from envfactory_dagster.commands.console import Console

    console = Console()
    rates = " and ".join(
        f"{name} {report[name]['mean']:.1%} ({report[name]['low']:.1%} to {report[name]['high']:.1%})"
        for name in dict.fromkeys(("pass@1", f"pass@{found.k}"))
        if report[name] is not None
    )
    played = f"{how_many(report['tasks'], 'task')} in {how_many(report['environments'], 'environment')}"
    console.print(
        f"{report['model']}, {played}: {rates}.\n"
        f"{report['always_passed']} are always passed, {report['never_passed']} never; {report['curriculum']} are left "
        f"to learn from: {report['folder']}/curriculum.jsonl",
        markup=False, highlight=False, soft_wrap=True,
    )  # fmt: skip
    for key, reason in found.unplayable.items():
        console.print(f"{key} could not be played: {reason}", markup=False, highlight=False, soft_wrap=True)
    if found.suspects:
        table = Table("environment", "task", "doubt", "what", title="Verdicts to look at")
        for one in found.suspects[:_SHOWN]:
            table.add_row(one.environment, one.task, one.doubt.replace("_", " "), one.detail)
        console.print(table, markup=False)
        if len(found.suspects) > _SHOWN:
            console.print(f"{len(found.suspects) - _SHOWN} more: {report['folder']}/suspects.jsonl", soft_wrap=True)
