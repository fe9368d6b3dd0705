"""What a policy from scratch learns from, and what it is examined on: environments, tasks, demonstrations.

Belongs here: making small environments with many short tasks each by the real stages, sharing them out, and writing the
rows. Does not: training, or any figure (`learning`). Stages that such tasks do not need are left out. Environments and
the words of their tasks are written by the model of the environment variables: the library has too few worlds.

    FOLDER/home/        environments, their releases, the demonstrations
    FOLDER/sft.jsonl    demonstrations in the environments of the split `sft`
    FOLDER/rl.jsonl     tasks of all other splits
    FOLDER/ground.json  how it came out: written when everything is there
"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from benchmarks.small_states import with_small_states
from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool, expand_pool
from envfactory_dagster.authoring.line import environment_stages
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Contract, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import RlRow, Split, SplitLedger
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.contracts.synthesis import MadeTask, MadeTasks, Release
from envfactory_dagster.datasets.bodies import bodies
from envfactory_dagster.datasets.rows import RlSettings, SftSettings, Source, rl_rows, sft_rows
from envfactory_dagster.datasets.splits import LEAST_ROOM, SMALLEST_GROUP, Shares, groups_of_tools, place, plan
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import ChatAnswer, Choice, Message, Usage
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Tools
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_partitions
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.graph.semantics import Likeness
from envfactory_dagster.tasks.graph.stage import ToolGraphStage
from envfactory_dagster.tasks.graph_tasks.stage import GraphTaskSettings, GraphTasksStage
from envfactory_dagster.tasks.released import released

CONCURRENCY = 3
SMALL = AuthoringSettings(size="small")
ALIKE = 2
"""At most this many tasks of an environment need the same tools."""
STATES = 4
"""Small states of each environment."""
SHARES = Shares(sft=0.72, rl=0.08, held_out=0.08, held_out_modules=0.12)


@dataclass(frozen=True, slots=True)
class GroundSettings:
    environments: int
    tasks: int
    """Wanted of each environment; some cannot be made."""
    seed: int
    """Another one gives other tasks, and other environments and modules to be examined on."""
    levels: tuple[int, ...] = (1,)


@dataclass(frozen=True, slots=True)
class Ground:
    """Where everything lies, and how it came out."""

    folder: Path
    figures: dict[str, Any]

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def sft(self) -> Path:
        return self.folder / "sft.jsonl"

    @property
    def rl(self) -> Path:
        return self.folder / "rl.jsonl"


@dataclass(frozen=True, slots=True)
class Demonstrator:
    """Makes the calls of a task's reference solution, one after the other, and hands in its report."""

    solutions: Mapping[str, MadeTask]
    """By the text of the task: of one environment in one state."""
    name: str = "demonstrator"

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        gold = self.solutions[str(messages[1]["content"])].solution
        place = sum(message["role"] == "assistant" for message in messages)
        if place < len(gold.calls):
            call = gold.calls[place]
            function = {"name": call.tool, "arguments": orjson.dumps(call.arguments).decode()}
        else:
            finish: Any = tools[-1]["function"]
            function = {"name": finish["name"], "arguments": gold.report.model_dump_json()}
        said: dict[str, Any] = {"role": "assistant", "content": None}
        said["tool_calls"] = [{"id": f"c{place}", "type": "function", "function": function}]
        return ChatAnswer((Choice(said, "stop", None, None),), None, Usage(), False, self.name)


async def prepare(folder: Path, settings: GroundSettings) -> Ground:
    """Everything, made or found. What the stages have finished in this folder is not done again."""
    started, finished = time.perf_counter(), folder / "ground.json"
    _same_settings(folder / "settings.json", settings)
    if finished.is_file():
        return Ground(folder, json.loads(finished.read_text()))
    models = LanguageSettings.from_environment()
    if models.base_url is None:
        raise SystemExit(
            "Set a language model that writes the environments: ENVFACTORY_LLM_BASE_URL and ENVFACTORY_MODEL."
        )
    home = Home.resolve(folder / "home")
    bundles, records = BundleStore(home), RecordStore(home)
    async with Runtime() as runtime:
        async with Gateway(models, folder / "home") as gateway:
            keys = await _environments(gateway, home, runtime, settings.environments)
            shared = _shared_out({key: bundles.load(key) for key in keys}, settings.seed)
            for key, (_, withheld) in shared.items():
                _leave_out(records, key, withheld)
            await _tasks(gateway, home, runtime, settings, keys)
        sealed = {key: one for key in keys if (one := _seal(bundles, records, key)) is not None}
        sources = [
            Source(bundle, {one.task.id: one for one in release.tasks}, *shared[key])
            for key, (bundle, release) in sealed.items()
        ]
        shown = [row for one in sources if one.split == "sft" for row in await _demonstrated(home, runtime, one)]
    played = [row for one in sources if one.split != "sft" for row in rl_rows(one, RlSettings(turns=False))[0]]
    ground = Ground(folder, _figures(sources, len(shown), played, time.perf_counter() - started))
    _write(ground.sft, shown)
    _write(ground.rl, played)
    finished.write_text(json.dumps(ground.figures))
    return ground


def _same_settings(path: Path, settings: GroundSettings) -> None:
    """Runs in a folder have learned from its ground; they say nothing of another one."""
    known = json.dumps(asdict(settings), indent=1)
    if path.is_file() and path.read_text() != known:
        raise SystemExit(f"{path.parent} was begun with other settings ({path}). Choose another --folder.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(known)


async def _environments(gateway: Gateway, home: Home, runtime: Runtime, number: int) -> list[str]:
    """Those of so many themes that became environments with a tool graph."""
    pool, records, bundles = ThemePool(home), RecordStore(home), BundleStore(home)
    missing = number - len(list(pool.taken))
    if missing > 0:
        await expand_pool(gateway, pool, missing, DiscoverySettings())
    keys = sorted(one.key for one in pool.taken)[:number]
    for stage in environment_stages(gateway, runtime, SMALL, bundles):
        await _run(stage, gateway, records, keys)
    for key in keys:
        _make_small(bundles, records, key)
    await _run(ToolGraphStage(gateway, SMALL, Likeness()), gateway, records, keys)
    return [key for key in keys if (head := records.head("tool_graph", key)) is not None and head.status == "ok"]


async def _run(stage: Stage, gateway: Gateway, records: RecordStore, keys: Sequence[str]) -> None:
    async for _ in run_partitions(records, AccountedStage(stage, gateway, records), keys, CONCURRENCY):
        pass


def _make_small(bundles: BundleStore, records: RecordStore, key: str) -> None:
    """From here on the environment has small states only."""
    record = records.latest("environment", key)
    if record is None or record.artifact is None:
        return
    small = with_small_states(bundles.load(key, record.artifact["version"]), STATES)
    bundles.keep(small)
    artifact = record.artifact | {"version": small.version}
    inputs = content_hash([record.inputs, STATES])
    records.keep(record.model_copy(update={"inputs": inputs, "version": small.version, "artifact": artifact}))


def _leave_out(records: RecordStore, key: str, withheld: Sequence[str]) -> None:
    """From here on tasks are made along the other tools only."""
    record = records.latest("tool_graph", key)
    if record is None or record.artifact is None or not withheld:
        return
    graph = record.artifact
    tools = [tool for tool in graph["tools"] if tool["name"] not in withheld]
    edges = [edge for edge in graph["edges"] if not {edge["source"], edge["target"]} & set(withheld)]
    artifact = graph | {"tools": tools, "edges": edges}
    inputs = content_hash([record.inputs, sorted(withheld)])
    changed = {"inputs": inputs, "version": content_hash(artifact), "artifact": artifact}
    records.keep(record.model_copy(update=changed))


async def _tasks(gateway: Gateway, home: Home, runtime: Runtime, settings: GroundSettings, keys: Sequence[str]) -> None:
    wanted = GraphTaskSettings(settings.tasks, settings.levels, seed=settings.seed)
    stage = GraphTasksStage(gateway, runtime, SMALL, BundleStore(home), wanted)
    await _run(stage, gateway, RecordStore(home), keys)


def _various(made: Iterable[MadeTask]) -> list[MadeTask]:
    """Of tasks that need the same tools, the first two: else half of them were about one's own address."""
    alike: Counter[tuple[str, ...]] = Counter()
    kept = []
    for one in made:
        tools = tuple(call.tool for call in one.solution.calls)
        alike[tools] += 1
        kept += [one] if alike[tools] <= ALIKE else []
    return kept


def _seal(bundles: BundleStore, records: RecordStore, key: str) -> tuple[Bundle, Release] | None:
    """The environment with its tasks, kept as a release; None where it has none."""
    record = records.latest("graph_tasks", key)
    if record is None or record.artifact is None:
        return None
    made = _various(MadeTasks.model_validate(record.artifact).tasks)
    if not made:
        return None
    sealed = replace(
        bundles.load(key),
        tasks=[one.task for one in made],
        solutions={one.task.id: one.solution.source for one in made},
        verifiers={one.task.id: one.verifier.verifier.source for one in made},
        answer_forms={one.task.id: one.solution.form for one in made},
    )
    release = Release(version=sealed.version, tasks=made)
    bundles.keep(sealed)
    artifact = release.model_dump(mode="json")
    kept = StageRecord(
        stage="release", partition=key, status="ok", inputs=record.version, version=sealed.version, artifact=artifact
    )
    records.keep(kept)
    return sealed, release


def _shared_out(environments: Mapping[str, Bundle], seed: int) -> dict[str, tuple[Split, list[str]]]:
    """Environment → its split, and the tools that are not there in it because training has seen them."""
    fingerprints = {key: bodies(bundle) for key, bundle in environments.items()}
    drawn = SplitLedger(seed=seed, held_bodies=_module(fingerprints, seed))
    ledger = place(fingerprints, drawn, SHARES)
    meant = plan(fingerprints, ledger)
    return {key: (meant.split_of[key], meant.withheld.get(key, [])) for key in environments}


def _module(environments: Mapping[str, Mapping[str, str]], seed: int) -> list[str]:
    """Tools that the same environments have, as many of these as may be held out: by lot, since `place` on its own
    would hold out the same ones whatever the seed."""
    room = SHARES.held_out_modules * len(environments)
    if room < LEAST_ROOM:
        return []
    fitting = [
        found
        for keys, found in groups_of_tools(environments, set()).items()
        if room / 2 <= len(keys) <= room and len(found) >= SMALLEST_GROUP
    ]
    return sorted(min(fitting, key=lambda found: content_hash([seed, sorted(found)]), default=[]))


async def _demonstrated(home: Home, runtime: Runtime, source: Source) -> list[Contract]:
    """Every task played as its reference solution does it; what the verifier accepts becomes an example."""
    release = Release(version=source.bundle.version, tasks=list(source.tasks.values()))
    settings = RolloutSettings(window=None)
    work = released(source.bundle, release, settings.reward)
    store, rollouts = TrajectoryStore(home), list[Rollout]()
    for tasks in _by_state(work):
        teacher = Demonstrator({one.task.text: source.tasks[one.task.id] for one in tasks})
        async for _ in Engine(runtime, teacher, settings, store).roll(tasks):
            pass
    rollouts += store.read(source.bundle)
    rows, _ = sft_rows(source, rollouts, SftSettings(window=None))
    return list(rows)


def _by_state(work: Iterable[Assignment]) -> Iterator[list[Assignment]]:
    states: defaultdict[str, list[Assignment]] = defaultdict(list)
    for one in work:
        states[one.task.state].append(one)
    yield from states.values()


def _figures(sources: Sequence[Source], shown: int, played: Sequence[RlRow], seconds: float) -> dict[str, Any]:
    splits: defaultdict[str, int] = defaultdict(int)
    tasks: defaultdict[str, int] = defaultdict(int)
    for one in sources:
        splits[one.split] += 1
        tasks[one.split] += len(one.tasks)
    return {
        "environments": dict(splits),
        "tasks": dict(tasks),
        "played": dict(Counter(row.trace.split for row in played)),
        "demonstrations": shown,
        "generation_s": round(seconds, 1),
    }


def _write(path: Path, rows: Iterable[Contract]) -> None:
    path.write_bytes(b"".join(orjson.dumps(row.model_dump(mode="json")) + b"\n" for row in rows))


def examined(ground: Ground, most: int) -> Path:
    """The tasks with at most so many of each held-out split, taken evenly from all its environments."""
    rows = [orjson.loads(line) for line in ground.rl.read_bytes().splitlines()]
    by_split: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_split[row["trace"]["split"]].append(row)
    kept = list(by_split.pop("rl", []))
    for of_split in by_split.values():
        kept += evenly(of_split, most)
    path = ground.folder / f"exam-{most}.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in kept))
    return path


def evenly(rows: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """At most `most` rows, spread evenly over the list, because rows of one environment stand together."""
    number = min(most, len(rows))
    return [rows[place * len(rows) // number] for place in range(number)]


def some_environments(ground: Ground, number: int) -> Path | None:
    """The demonstrations of so many environments; None where there are fewer."""
    lines = ground.sft.read_bytes().splitlines()
    of = [orjson.loads(line)["trace"]["environment"] for line in lines]
    wanted = list(dict.fromkeys(of))[:number]
    if len(wanted) < number:
        return None
    path = ground.folder / f"sft-{number}.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line, key in zip(lines, of, strict=True) if key in wanted))
    return path
