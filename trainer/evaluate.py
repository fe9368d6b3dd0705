"""Evaluation: a policy, or any endpoint, at tasks it has not trained on.

Belongs here: playing them greedily and at a temperature, and keeping the results. Does not: the figures
(`envfactory_dagster.rollouts.results`), tables and pictures (`tables`, `charts`), comparisons (`comparing`).

    FOLDER/results.json     the summary, by split and way of writing
    FOLDER/tasks.jsonl      one line for each task: what comparisons are paired by, and who played the user
    FOLDER/episodes/        every episode; one that is there is not played again
"""

import asyncio
import hashlib
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.datasets.splits import HELD_OUT
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.reference import Player, player
from envfactory_dagster.rollouts.results import About, summary, task_results
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.store import Key, TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.judging import Judge

from .charts import pass_rates
from .comparing import TASKS
from .failures import RecipeError
from .people import judge_of, require_judge
from .playing import check_played, rollout_settings
from .policies import LoadedPolicy, load
from .recipe import Recipe
from .reporting import Reporter
from .sampling import PolicyModel, sampling_of
from .tables import evaluation_table, user_in_words

GREEDY, SAMPLED = "greedy", "sampled"
_CALLER = "policy_evaluation"
_WEIGHTS = ("*.safetensors", "*.bin", "tokenizer.json", "*.jinja", "tokenizer_config.json")


@dataclass(frozen=True, slots=True)
class Way:
    """How the policy writes its messages, and how often each task is played so."""

    name: str
    temperature: float
    times: int


@dataclass(frozen=True, slots=True)
class Exam:
    """What is played, by whom, and where it is kept. `policy` None: the endpoint of the environment's variables."""

    recipe: Recipe
    policy: Path | None
    tasks: dict[Setting, list[Assignment]]
    ways: tuple[Way, ...]
    home: Home
    """Models at endpoints are paid from its budget, and it keeps what they answered."""
    out: Path
    say: Callable[[str], object]

    def settings(self, setting: Setting, way: Way) -> RolloutSettings:
        settings = rollout_settings(self.recipe.grpo, self.recipe.grpo.steps)
        seconds = settings.step_seconds if self.policy is not None else RolloutSettings().step_seconds
        return replace(
            settings, setting=setting, candidates=way.times, temperature=way.temperature, step_seconds=seconds
        )

    def seeds(self, way: Way) -> range:
        return range(self.recipe.seed, self.recipe.seed + way.times)

    def user(self, setting: Setting) -> str | None:
        """Who plays the user: a model, or `reference`, which is a script. None where nobody does."""
        return LanguageSettings.from_environment().model(Role.USER) if setting == "conversation" else None

    def store(self, way: Way, asked: str, setting: Setting) -> TrajectoryStore:
        """Apart for all that decides what is written and what it earns, so that nothing else is taken for it. `asked`:
        which endpoint."""
        grpo = self.recipe.grpo
        reward = self.settings("single", way).reward.model_dump(mode="json")
        how = [way.temperature, grpo.window, grpo.most_turns, grpo.most_new_tokens, grpo.longest, asked, reward]
        how += [{"top_p": grpo.top_p, "top_k": grpo.top_k}] if (grpo.top_p, grpo.top_k) != (1.0, None) else []
        if self.policy is not None:
            how += [self.recipe.policy.thinking, self.recipe.precision]
            how += filter(None, [self.recipe.policy.chat_template])
        if (user := self.user(setting)) is not None:
            how.append(f"user: {user}")
        return TrajectoryStore(Home.resolve(self.out / "episodes" / f"{way.name}-{content_hash(how)[:8]}"))


def run_evaluate(
    recipe: Recipe,
    data: Path,
    home: Path | str | None,
    policy: Path | None,
    splits: Sequence[str],
    k: int,
    out: Path,
    told: Reporter,
) -> bool:
    """False when it was told to stop before the end."""
    try:
        found = evaluate(recipe, data, home, policy, splits or HELD_OUT, k, out, told.say)
    except asyncio.CancelledError:
        told.say("told to stop; episodes that are finished are kept, and not played again")
        return False
    rates = {
        f"{split} {way} pass@1": one["pass@1"]["mean"]
        for split, ways in found.items()
        for way, one in ways.items()
        if one["pass@1"] is not None
    }
    result = rates | {"results": str(out / "results.json"), "finished": True}
    told.tell(result, {"results": pass_rates(found)}, {"table": evaluation_table(found)})
    return True


def evaluate(
    recipe: Recipe,
    data: Path,
    home: Path | str | None,
    policy: Path | None,
    splits: Sequence[str],
    k: int,
    out: Path,
    say: Callable[[str], object] = lambda sentence: None,
) -> dict[str, dict[str, Any]]:
    """Split → way of writing → summary: greedily once, and k times at the recipe's temperature."""
    reward = rollout_settings(recipe.grpo, recipe.grpo.steps).reward
    require_judge(reward)
    out.mkdir(parents=True, exist_ok=True)
    rows = read_tasks(data, splits, recipe.grpo.protocol)
    ways = (Way(GREEDY, 0.0, 1), Way(SAMPLED, recipe.grpo.temperature, k))
    found = Home.resolve(home)
    tasks = load_tasks(rows, found, reward)
    _note_what_is_offered(out, tasks)
    exam = Exam(recipe, policy, _by_setting(rows, tasks), ways, found, out, say)
    return _kept(rows, exam, asyncio.run(_play(exam)))


def _note_what_is_offered(out: Path, tasks: Sequence[Assignment]) -> None:
    """An episode that is there counts where the same tools are offered as when it was played. Which are withheld is a
    matter of the dataset, and not of an environment or a task."""
    path = out / "episodes" / "withheld.json"
    known: dict[str, list[str]] = orjson.loads(path.read_bytes()) if path.is_file() else {}
    now = {f"{one.bundle.version} {one.task.id}": sorted(one.task.withheld) for one in tasks}
    changed = [name for name, withheld in now.items() if known.get(name, withheld) != withheld]
    if changed:
        raise RecipeError(
            f"Of {len(now)} tasks {len(changed)} offer other tools than when they were played for {out}, as after a "
            "change of what there is to train on. Choose another --out."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(orjson.dumps(known | now))


def _by_setting(rows: Sequence[RlRow], tasks: Sequence[Assignment]) -> dict[Setting, list[Assignment]]:
    found: dict[Setting, list[Assignment]] = {}
    for row, task in zip(rows, tasks, strict=True):
        found.setdefault(row.setting, []).append(task)
    return found


def _kept(rows: Sequence[RlRow], exam: Exam, played: dict[str, list[Rollout]]) -> dict[str, dict[str, Any]]:
    """The results, written down."""
    about = {
        (row.trace.environment, row.trace.task): About(
            row.trace.kind, row.trace.difficulty.level, row.trace.source, row.trace.split
        )
        for row in rows
    }
    by_setting = {setting: exam.user(setting) for setting in exam.tasks}
    users = {(row.trace.environment, row.trace.task): by_setting[row.setting] for row in rows}
    found: dict[str, dict[str, Any]] = {split: {} for split in sorted({row.trace.split for row in rows})}
    lines = []
    for way in exam.ways:
        results = task_results(played[way.name], about)
        user = {one.name: users[one.environment, one.task] for one in results}
        lines += [orjson.dumps({"way": way.name, "user": user[one.name], **asdict(one)}) + b"\n" for one in results]
        for split, ways in found.items():
            of_split = [one for one in results if one.split == split]
            by = next((user[one.name] for one in of_split if user[one.name]), None)
            ways[way.name] = summary(of_split, way.times) | {"user": by}
    (exam.out / TASKS).write_bytes(b"".join(lines))
    (exam.out / "results.json").write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    return found


async def _play(exam: Exam) -> dict[str, list[Rollout]]:
    """Way → its episodes. Told to stop, it stores what is finished and is cancelled."""
    if threading.current_thread() is threading.main_thread():  # no other thread is told of signals
        task = asyncio.current_task()
        assert task is not None
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    async with AsyncExitStack() as opened:
        runtime = await opened.enter_async_context(Runtime())
        gateway = None
        if exam.policy is None or "conversation" in exam.tasks:
            gateway = await opened.enter_async_context(Gateway(LanguageSettings.from_environment(), exam.home.root))
        loaded = _loaded(exam)
        reward = rollout_settings(exam.recipe.grpo).reward
        judge = await judge_of(reward, _CALLER, exam.home, opened)
        found = {way.name: await _play_way(exam, way, runtime, gateway, loaded, judge) for way in exam.ways}
    check_played([one for rollouts in found.values() for one in rollouts])
    return found


def _loaded(exam: Exam) -> LoadedPolicy | None:
    if exam.policy is None:
        return None
    import torch

    policy = exam.recipe.policy.model_copy(update={"base": str(exam.policy), "lora": None})
    found = load(policy, exam.recipe.precision)
    found.model.to("cuda" if torch.cuda.is_available() else "cpu")
    return found


async def _play_way(
    exam: Exam,
    way: Way,
    runtime: Runtime,
    gateway: Gateway | None,
    loaded: LoadedPolicy | None,
    judge: Judge | None,
) -> list[Rollout]:
    model, asked = _model(exam, way, gateway, loaded)
    found = []
    try:
        for setting, tasks in exam.tasks.items():
            store, user, by = exam.store(way, asked, setting), None, ""
            if setting == "conversation":
                assert gateway is not None
                user = _player(gateway, Role.USER, None, token_ids=False)
                by = f"; {user_in_words(user.name)} plays the user"
            engine = Engine(runtime, model, exam.settings(setting, way), store, user, judge)
            new = len([rollout async for rollout in engine.roll(tasks, exam.recipe.seed)])
            exam.say(f"{way.name}: {len(tasks)} tasks ({setting}), {new} new episodes of {model.name}{by}")
            found += list(_read(exam, way, setting, model.name, store))
    finally:
        if isinstance(model, PolicyModel):
            await model.close()
    return found


def _model(exam: Exam, way: Way, gateway: Gateway | None, loaded: LoadedPolicy | None) -> tuple[Player, str]:
    """Who plays, and the address of the endpoint it is asked at; a policy in this process has none."""
    if loaded is not None:
        assert exam.policy is not None
        grpo = exam.recipe.grpo
        sampling = replace(sampling_of(grpo), temperature=way.temperature)
        return PolicyModel(loaded, sampling, identity(exam.policy)), ""
    assert gateway is not None
    address = LanguageSettings.from_environment().base_url or ""
    return _player(gateway, Role.SOLVER, way.temperature, token_ids=True), address


def _player(gateway: Gateway, role: Role, temperature: float | None, *, token_ids: bool) -> Player:
    name = LanguageSettings.from_environment().model(role)
    return player(gateway, Caller(_CALLER, "", role), name, temperature, token_ids)


def identity(policy: Path) -> str:
    """The name of a policy in the store: other weights, another name."""
    if not policy.is_dir():
        return str(policy)
    digest = hashlib.sha256()
    for path in sorted(path for pattern in _WEIGHTS for path in policy.glob(pattern)):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"policy-{digest.hexdigest()[:16]}"


def _read(exam: Exam, way: Way, setting: Setting, model: str, store: TrajectoryStore) -> Iterator[Rollout]:
    """What was asked for, out of all that the store holds."""
    tasks = exam.tasks[setting]
    protocol = exam.recipe.grpo.protocol
    wanted = {
        Key(one.bundle.version, one.task.id, setting, protocol, model, seed)
        for one in tasks
        for seed in exam.seeds(way)
    }
    for bundle in {one.bundle.version: one.bundle for one in tasks}.values():
        yield from (rollout for rollout in store.read(bundle) if Key.of(rollout) in wanted)
