"""Whether a bundle judges alone as the runtime judges it, and what writing it in other forms takes, a site among them.

    python -m benchmarks.exchange [--json] [--home HOME] [--published DIR]

Belongs here: every trial of the gate on every task of the hut network, once more through the bundle's own `judge.py` in
a Python without packages; every form written once, and the episode that most of them carry, played with each reference
solution and with nothing; the site of `envfactory view` of all worlds of the library and some 2,000 episodes in them,
which are built and played below HOME unless they are there. `site_first_page_bytes`: what a browser loads to show the
index. `published`: of what others published in DIR, in folders named like their forms, how many environments are
imported, how many tasks the audit looks at, and in how many it finds what. Does not: other projects' own tools
(`make test-peers`).
"""

import argparse
import asyncio
import contextlib
import json
import math
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, get_args

from benchmarks.worlds import built
from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.truth import Verdict, Verifier
from envfactory_dagster.exchange.exporting import export, exportable
from envfactory_dagster.exchange.forms import FORMS
from envfactory_dagster.exchange.importing.building import Imported, build
from envfactory_dagster.exchange.importing.forms import READERS
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.playing import Plan, Players, chosen
from envfactory_dagster.truth import gate
from envfactory_dagster.truth.audit import audit
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.verdicts import Checks, judge_many
from envfactory_dagster.viewing.gathering import world_of
from envfactory_dagster.viewing.site import write_site
from tests.truth.references import reference

AGENT, EPISODES = "reference:competence=0.7", 2_000


async def measure(home: Path, published: Path | None) -> dict[str, Any]:
    bundle = examples.load("alpine_huts")
    judged: list[tuple[str, Run, Verdict]] = []

    async def remembering(runtime: Runtime, checks: Checks, runs: Sequence[Run]) -> list[Verdict]:
        verdicts = await judge_many(runtime, checks, runs)
        judged.extend((checks.task.id, run, verdict) for run, verdict in zip(runs, verdicts, strict=True))
        return verdicts

    setattr(gate, "judge_many", remembering)  # noqa: B010
    async with Runtime() as runtime:
        for task in bundle.tasks:
            gold = await reference(runtime, bundle, task)
            await gate.try_verifier(
                runtime, bundle, task, gold, Verifier(task=task.id, source=bundle.verifiers[task.id])
            )
    with tempfile.TemporaryDirectory() as scratch:
        folder = bundle.write(Path(scratch) / bundle.key)
        both = asyncio.Semaphore(2)

        async def agrees(number: int, task: str, end: Run, verdict: Verdict) -> bool:
            async with both:
                left = Path(scratch) / str(number)
                alone = await asyncio.to_thread(judged_alone, folder, left, task, end)
            return alone == {"status": "judged", "score": verdict.score, "reasons": verdict.reasons}

        same = await asyncio.gather(*(agrees(number, *one) for number, one in enumerate(judged)))
    return {
        "trials": len(judged),
        "judge_agrees": sum(same) / len(same),
        **exports(bundle),
        **await site(home),
        "published": {} if published is None else await audits(published),
    }


async def audits(published: Path) -> dict[str, Any]:
    """By form."""
    return {form: await audited(published / form, form) for form in READERS if (published / form).is_dir()}


async def audited(folder: Path, form: str) -> dict[str, Any]:
    began = time.perf_counter()
    offered = READERS[form](folder)
    made: list[Imported] = []
    findings, tasks, trials, clean = Counter[str](), 0, 0, 0
    async with Runtime() as runtime:
        for read in offered.values():
            with contextlib.suppress(EnvironmentFault, UsageError):
                made.append(await build(runtime, read()))
        for one in made:
            found = await audit(runtime, one.bundle, one.bundle.tasks)
            findings.update(found.counts())
            tasks += len(found.tasks)
            trials += sum(task.trials for task in found.tasks)
            clean += sum(not task.findings for task in found.tasks)
            runtime.retire(one.bundle)
    return {
        "offered": len(offered),
        "imported": len(made),
        "calls": sum(one.calls for one in made),
        "audited": tasks,
        "trials": trials,
        "without_findings": clean,
        "findings": dict(findings),
        "seconds": round(time.perf_counter() - began, 1),
    }


def exports(bundle: Bundle) -> dict[str, Any]:
    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, form in FORMS.items():
            began = time.perf_counter()
            export(bundle, form, Path(scratch) / name)
            seconds[name] = round(time.perf_counter() - began, 3)
        tasks = [task.id for task in exportable(bundle).tasks]
        folder = Path(scratch) / "trl"
        gold = [played(folder, task, bundle.solutions[task]) == 1.0 for task in tasks]
        noop = [played(folder, task, None) == 0.0 for task in tasks]
    return {
        "tasks_exported": len(tasks),
        "gold_valid": sum(gold) / len(gold),
        "noop_valid": sum(noop) / len(noop),
        "export_seconds": seconds,
    }


async def site(home: Path) -> dict[str, Any]:
    """All worlds of the library that have a release, and so many episodes of the reference policy, with mistakes."""
    where = Home.resolve(home)
    if not RecordStore(where).partitions("release"):
        for size in get_args(Size):
            await built(home, size)
    await play(where)
    stores, keys = {"": TrajectoryStore(where)}, RecordStore(where).partitions("release")
    with tempfile.TemporaryDirectory() as scratch:
        began = time.perf_counter()
        async with Runtime() as runtime:
            worlds = (world_of(where, key, stores) for key in keys)
            written = await write_site(worlds, [], Path(scratch) / "site", runtime, date.today())
        seconds = time.perf_counter() - began
        first_page = sum((written.folder / name).stat().st_size for name in ("index.html", "viewer.css", "viewer.js"))
    return {
        "site_environments": written.environments,
        "site_episodes": written.episodes,
        "site_seconds": round(seconds, 1),
        "site_megabytes": round(written.bytes / 1e6, 1),
        "site_first_page_bytes": first_page,
    }


async def play(home: Home) -> None:
    tasks = sum(len(release.tasks) for _, release in chosen(RecordStore(home), []))
    models = LanguageSettings.from_environment({"ENVFACTORY_SOLVER_MODEL": AGENT, "ENVFACTORY_USER_MODEL": "reference"})
    async with Gateway(models, home.local) as gateway, Runtime() as runtime:
        async for _ in Players(home, gateway, runtime, models).play(Plan(candidates=math.ceil(EPISODES / tasks))):
            pass


PLAY = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import episode
bundle, source = Path(sys.argv[1]) / "bundle", sys.stdin.read()
verdict = episode.solve(bundle, sys.argv[2], source) if source else episode.replay(bundle, sys.argv[2], [])
print(json.dumps(verdict))
"""


def played(folder: Path, task: str, solution: str | None) -> float | None:
    command = [sys.executable, "-I", "-S", "-c", PLAY, str(folder), task]
    done = subprocess.run(command, input=solution or "", capture_output=True, text=True, timeout=60, check=True)
    score: float | None = json.loads(done.stdout).get("score")
    return score


def judged_alone(folder: Path, left: Path, task: str, end: Run) -> dict[str, Any]:
    left.mkdir()
    report = end.report.model_dump() if end.report is not None else None
    calls = [call.model_dump(mode="json") for call in end.calls]
    (left / "episode.json").write_text(json.dumps({"task": task, "report": report, "calls": calls}))
    (left / "final.sqlite").write_bytes(end.final)
    command = [sys.executable, "-I", "-S", str(folder / "judge.py"), "--episode", str(left)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    said: dict[str, Any] = json.loads(done.stdout)
    said.pop("checks", None)
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--home", type=Path, help="where the worlds of the library are, or are to be, built")
    parser.add_argument("--published", type=Path, help="a folder with what others published, by form")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        figures = asyncio.run(measure(options.home or Path(scratch), options.published))
    print(json.dumps(figures) if options.json else "\n".join(f"{name}: {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
