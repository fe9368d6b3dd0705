"""Whether a bundle judges alone as the runtime judges it, and what writing it in other forms takes, a site among them.

    python -m benchmarks.exchange [--json] [--home HOME] [--worlds N] [--published DIR]

Belongs here, of the hut network and of N worlds of the library: every trial of the gate on every task, once more
through the bundle's own `judge.py` in a Python without packages; every form written, and every task of it played with
its reference solution and by an idle agent, where that needs no package of the other project (`exported_forms`); and
the site of `envfactory view` with those worlds and some 150 episodes in each. The worlds are released ones below HOME;
where these are too few, more are built there. All worlds of the library take a night. `without_verdict`: trials in
which a check said neither yes nor no; `judge.py` gives no verdict there, and the runtime 0. `site_first_page_bytes`:
what a browser loads to show the index. `published`: of what others published in DIR, in folders named like their forms,
how many environments are imported, how many tasks the audit looks at, and in how many it finds what. Does not: other
projects' own tools (`make test-peers`).
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

from benchmarks.exported_forms import WITHOUT_THEIR_PACKAGES, Valid, means, valid
from benchmarks.worlds import built
from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Size, Task
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.contracts.truth import ReferenceSolution, Verdict, Verifier
from envfactory_dagster.exchange.exporting import export, exportable
from envfactory_dagster.exchange.forms import FORMS
from envfactory_dagster.exchange.importing.building import Imported, build
from envfactory_dagster.exchange.importing.forms import READERS
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.checks import defect_of
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.playing import Players, PlayPlan, chosen
from envfactory_dagster.truth import gate
from envfactory_dagster.truth.audit import audit
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.verdicts import TaskChecks, judge_many
from envfactory_dagster.viewing.gathering import world_of
from envfactory_dagster.viewing.site import write_site
from tests.truth.references import reference

AGENT, EPISODES_OF_EACH = "reference:competence=0.7", 150
Subject = tuple[Bundle, list[tuple[Task, ReferenceSolution]]]


async def measure(home: Path, worlds: int, published: Path | None) -> dict[str, Any]:
    where = Home.resolve(home)
    keys = await released(where, worlds)
    async with Runtime() as runtime:
        subjects = [await example(runtime), *(world(where, key) for key in keys)]
        judged = [await judged_twice(runtime, *subject) for subject in subjects]
    trials = sum(len(one) for one in judged)
    return {
        "worlds": keys,
        "trials": trials,
        "judge_agrees": sum(agrees for one in judged for agrees, _ in one) / trials,
        "without_verdict": sum(undecided for one in judged for _, undecided in one),
        **exports([bundle for bundle, _ in subjects]),
        **await site(where, keys),
        "published": {} if published is None else await audits(published),
    }


async def released(home: Home, number: int) -> list[str]:
    """The keys of so many worlds that have a release; small ones are built first where there are too few."""
    for size in get_args(Size):
        missing = number - len(RecordStore(home).partitions("release"))
        if missing > 0:
            await built(Path(str(home.root)), size, number)
    return sorted(RecordStore(home).partitions("release"))[:number]


async def example(runtime: Runtime) -> Subject:
    bundle = examples.load("alpine_huts")
    return bundle, [(task, await reference(runtime, bundle, task)) for task in bundle.tasks]


def world(home: Home, key: str) -> Subject:
    record = RecordStore(home).latest("release", key)
    assert record is not None
    release = Release.model_validate(record.artifact)
    return BundleStore(home).load(key, release.version), [(made.task, made.solution) for made in release.tasks]


async def judged_twice(
    runtime: Runtime, bundle: Bundle, golds: Sequence[tuple[Task, ReferenceSolution]]
) -> list[tuple[bool, bool]]:
    """Of every trial, whether `judge.py` says what the runtime says, and whether a check was undecided."""
    judged: list[tuple[str, Run, Verdict]] = []

    async def remembering(runtime: Runtime, checks: TaskChecks, runs: Sequence[Run]) -> list[Verdict]:
        verdicts = await judge_many(runtime, checks, runs)
        judged.extend((checks.task.id, run, verdict) for run, verdict in zip(runs, verdicts, strict=True))
        return verdicts

    setattr(gate, "judge_many", remembering)  # noqa: B010
    try:
        for task, gold in golds:
            verifier = Verifier(task=task.id, source=bundle.verifiers[task.id])
            await gate.try_verifier(runtime, bundle, task, gold, verifier)
    finally:
        setattr(gate, "judge_many", judge_many)  # noqa: B010
    with tempfile.TemporaryDirectory() as scratch:
        folder = bundle.write(Path(scratch) / bundle.key)
        both = asyncio.Semaphore(2)

        async def agrees(number: int, task: str, end: Run, verdict: Verdict) -> tuple[bool, bool]:
            async with both:
                left = Path(scratch) / str(number)
                alone = await asyncio.to_thread(judged_alone, folder, left, task, end)
            if not verdict.signals or any(defect_of(signal) for signal in verdict.signals):
                return alone["status"] == "invalid", True
            return alone == {"status": "judged", "score": verdict.score, "reasons": verdict.reasons}, False

        return await asyncio.gather(*(agrees(number, *one) for number, one in enumerate(judged)))


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


def exports(bundles: Sequence[Bundle]) -> dict[str, Any]:
    """`export_seconds`: of the slowest environment."""
    seconds: dict[str, float] = {}
    found: list[tuple[int, dict[str, Valid]]] = []
    for bundle in bundles:
        subject = exportable(bundle)
        with tempfile.TemporaryDirectory() as scratch:
            for name, form in FORMS.items():
                began = time.perf_counter()
                export(bundle, form, Path(scratch) / name)
                seconds[name] = max(seconds.get(name, 0.0), round(time.perf_counter() - began, 3))
            played = {name: valid(subject, name, Path(scratch) / name) for name in WITHOUT_THEIR_PACKAGES}
        found.append((len(subject.tasks), played))
    return {"tasks_exported": sum(number for number, _ in found), **means(found), "export_seconds": seconds}


async def site(home: Home, keys: Sequence[str]) -> dict[str, Any]:
    """These worlds, and so many episodes of the reference policy, with mistakes."""
    await play(home, keys)
    stores = {"": TrajectoryStore(home)}
    with tempfile.TemporaryDirectory() as scratch:
        began = time.perf_counter()
        async with Runtime() as runtime:
            worlds = (world_of(home, key, stores) for key in keys)
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


async def play(home: Home, keys: Sequence[str]) -> None:
    if not keys:
        return
    tasks = sum(len(release.tasks) for _, release in chosen(RecordStore(home), list(keys)))
    models = LanguageSettings.from_environment({"ENVFACTORY_SOLVER_MODEL": AGENT, "ENVFACTORY_USER_MODEL": "reference"})
    plan = PlayPlan(environments=keys, candidates=math.ceil(EPISODES_OF_EACH * len(keys) / tasks))
    async with Gateway(models, home.local) as gateway, Runtime() as runtime:
        async for _ in Players(home, gateway, runtime, models).play(plan):
            pass


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
    parser.add_argument("--worlds", type=int, default=2, help="how many worlds of the library")
    parser.add_argument("--published", type=Path, help="a folder with what others published, by form")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        figures = asyncio.run(measure(options.home or Path(scratch), options.worlds, options.published))
    print(json.dumps(figures) if options.json else "\n".join(f"{name}: {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
