"""Short tasks of library worlds, to train a small policy on some worlds and to examine it in others.

    python -m benchmarks.evidence HOME OUT --held-out KEY [KEY ...] [--fresh N] [--json]

Belongs here: of every world that is released in HOME, N fresh tasks of its families and the graph tasks that it came
with, as far as their reference solution makes one to six calls and what an agent is shown at first is short; of the
worlds held out as rows of `rl_dataset`, of the others as rows of `sft_dataset`, played by the reference policy without
mistakes. Few families of library worlds make fewer calls, and the rules of a world with five tools take some 1,700
tokens. OUT gets a home with these tasks, `sft.jsonl` and `held_out.jsonl`. Does not: training and measuring, which
are the trainer's own commands:

    python -m trainer sft --recipe RECIPE --data OUT/sft.jsonl --out OUT/sft
    python -m trainer evaluate --recipe RECIPE --data OUT/held_out.jsonl --home OUT/home --out OUT/before --k 1
    python -m trainer evaluate ... --policy OUT/sft/policy --out OUT/after
    python -m trainer compare OUT/before OUT/after --way greedy
"""

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import RlRow, SftRow
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.rows import RlSettings, SftSettings, Source, rl_rows, sft_rows
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.reference import ReferencePolicy
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.families.sampling import fresh_tasks, playable
from envfactory_dagster.tasks.playing import chosen
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.withholding import beyond

PROTOCOL: Protocol = "compact"
MOST_TOOLS, MOST_CALLS = 5, 6
MOST_TOKENS = 2_000
"""Of what an agent is shown at first, at four characters each."""
RL = RlSettings(protocols=(PROTOCOL,), turns=False, most_tools=MOST_TOOLS)


async def make(home: Home, out: Path, held_out: Sequence[str], count: int) -> dict[str, Any]:
    made_home = Home.resolve(out / "home")
    learned: list[SftRow] = []
    examined: list[RlRow] = []
    worlds: dict[str, Any] = {}
    async with Runtime() as runtime:
        for key, release in chosen(RecordStore(home), ()):
            source = await short_tasks(runtime, BundleStore(home).load(key, release.version), release, count)
            if not source.tasks:
                worlds[key] = {"tasks": 0}
                continue
            source = replace(source, split="held_out" if key in held_out else "sft")
            keep(made_home, source)
            rows = rl_rows(source, RL)[0]
            if key in held_out:
                examined += rows
            else:
                learned += await shown_how(runtime, made_home, source)
            worlds[key] = {"split": source.split, "tasks": len(rows)}
            runtime.retire(source.bundle)
    write(out / "sft.jsonl", learned)
    write(out / "held_out.jsonl", examined)
    return {
        "worlds": worlds,
        "examples": len(learned),
        "example_tokens": sum(row.tokens for row in learned),
        "held_out_tasks": len(examined),
    }


async def short_tasks(runtime: Runtime, bundle: Bundle, release: Release, count: int) -> Source:
    fresh = await fresh_tasks(runtime, bundle, count) if bundle.families else None
    of_graph = [made for made in release.tasks if made.source == "graph" and made.setting == "single"]
    found = [*of_graph, *(fresh.tasks if fresh is not None else [])]
    bundle = bundle if fresh is None else fresh.bundle
    within = [made for made in found if 1 <= len(made.solution.calls) <= MOST_CALLS]
    source = Source(playable(bundle, within), {made.task.id: made for made in within}, "rl")
    short = {row.trace.task for row in rl_rows(source, RL)[0] if row.tokens <= MOST_TOKENS}
    kept = [made for made in within if made.task.id in short]
    return Source(playable(bundle, kept), {made.task.id: made for made in kept}, "rl")


def keep(home: Home, source: Source) -> None:
    bundle = source.bundle
    BundleStore(home).keep(bundle)
    release = Release(version=bundle.version, tasks=list(source.tasks.values()))
    record = StageRecord(
        stage="release",
        partition=bundle.key,
        status="ok",
        inputs=bundle.version,
        version=bundle.version,
        artifact=release.model_dump(mode="json"),
    )
    RecordStore(home).keep(record)


async def shown_how(runtime: Runtime, home: Home, source: Source) -> list[SftRow]:
    settings = RolloutSettings(protocol=PROTOCOL)
    release = Release(version=source.bundle.version, tasks=list(source.tasks.values()))
    tasks = [
        one.without(beyond(MOST_TOOLS, source.bundle, one.task, one.solution))
        for one in released(source.bundle, release, settings.reward)
    ]
    teacher = ReferencePolicy.of_name("reference:competence=1")
    engine = Engine(runtime, teacher, settings, TrajectoryStore(home))
    return sft_rows(source, [one async for one in engine.roll(tasks)], SftSettings())[0]


def write(path: Path, rows: Sequence[SftRow] | Sequence[RlRow]) -> None:
    path.write_bytes(b"".join(orjson.dumps(row.model_dump(mode="json")) + b"\n" for row in rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path, help="where the worlds are released")
    parser.add_argument("out", type=Path, help="a folder for what is made")
    parser.add_argument("--held-out", nargs="+", required=True, help="the worlds that nothing is trained on")
    parser.add_argument("--fresh", type=int, default=120, help="fresh tasks of each world")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    made = asyncio.run(make(Home.resolve(options.home), options.out, options.held_out, options.fresh))
    print(json.dumps(made) if options.json else "\n".join(f"{name}: {value}" for name, value in made.items()))


if __name__ == "__main__":
    main()
