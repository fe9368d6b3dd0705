"""Two rounds of co-evolution over worlds of the library: killed after every stage, gone on with, and run again.

Belongs here: that home, and comparing what killed rounds left with what undisturbed ones do. Does not: the rounds
(`arena`, `assets.evolution`).

Six small worlds of the library are built once, each is released under four keys, and the keys are shared out among the
splits. A simulated learner plays, which learns nothing: no figure here says that anything was learned.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import orjson

from benchmarks.planted_mistakes import copied
from benchmarks.worlds import built
from envfactory_dagster.arena.training_home import keep_rows
from envfactory_dagster.assets.arena import ROUND
from envfactory_dagster.assets.evolution import EVOLUTION
from envfactory_dagster.contracts.evolution import RoundEvaluation, RoundPractice
from envfactory_dagster.datasets.gathering import GatherSettings, placed
from envfactory_dagster.datasets.rows import RlSettings, Source, rl_rows
from envfactory_dagster.datasets.splits import Shares
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

WORLDS = 6
EXPERIMENT, ROUNDS = "planted", 2
LEARNER = "simulated_learner:competence=0.4,mistakes=stops_early+wrong_entity"
STAGES = tuple(asset.key.to_user_string() for asset in (*ROUND, *EVOLUTION))
"""After each of which a process is killed, in each round."""
LAST = STAGES[-1]
_SPLITS = ("rl", "held_out")

Figures = dict[str, float]


async def rounds(folder: Path) -> Figures:
    await built(folder, "small", WORLDS)
    home = copied(folder)
    await _with_dataset(home)
    return await asyncio.to_thread(_compared, Path(str(home.root)))


async def _with_dataset(home: Home) -> None:
    everything = await placed(home, GatherSettings(shares=Shares(0, 0.2, 0.6, 0.2, 0)))
    rows = {}
    for key, (bundle, tasks) in everything.released.items():
        split = everything.plan.split_of[key]
        if split in _SPLITS:
            withheld = everything.plan.withheld.get(key, [])
            rows[key] = rl_rows(Source(bundle, tasks, split, withheld), RlSettings())[0]
    keep_rows(home, rows)


def _compared(undisturbed: Path) -> Figures:
    killed = Path(shutil.copytree(undisturbed, undisturbed.with_name("killed")))
    began = time.monotonic()
    _ended(_started(undisturbed))
    seconds = time.monotonic() - began
    kills = sum(_killed_after(killed, stage, f"{EXPERIMENT}-r{number:02d}") for number, stage in _points())
    _ended(_started(killed))
    left, before = _versions(killed), _standing(killed)
    _ended(_started(killed))
    evaluations = [_evaluation(undisturbed, number) for number in range(ROUNDS)]
    last = {one.arm: one.rates[0] for one in evaluations[-1].arms}
    [against] = [one for one in evaluations[-1].differences if one.compared_with == "untargeted"]
    practice = RoundPractice.model_validate(_artifact(undisturbed, "round_practice", ROUNDS - 1))
    return {
        "rounds": float(len(evaluations)),
        "rounds_seconds": round(seconds, 1),
        "rounds_kills": float(kills),
        "rounds_same_after_kills": float(left == _versions(undisturbed)),
        "rounds_files_touched_by_another_run": float(len(set(_standing(killed).items()) ^ set(before.items()))),
        "rounds_practised_by_each_arm": float(min(len(one.tasks) for one in practice.arms)),
        "rounds_tasks_too_few": float(sum(practice.short.values())),
        "simulated_learner_held_out_tasks": float(last["before"].tasks),
        **{f"simulated_learner_passed_{arm}": round(rate.value, 4) for arm, rate in last.items()},
        "simulated_learner_targeted_minus_untargeted": round(against.difference, 4),
        "simulated_learner_targeted_minus_untargeted_low": round(against.low, 4),
        "simulated_learner_targeted_minus_untargeted_high": round(against.high, 4),
    }


def _points() -> list[tuple[int, str]]:
    return [(number, stage) for number in range(ROUNDS) for stage in STAGES]


def _started(home: Path) -> "subprocess.Popen[bytes]":
    program = "from envfactory_dagster.cli import main; main()"
    asked = ["evolve", EXPERIMENT, "--rounds", str(ROUNDS), "--policy", LEARNER, "--json"]
    ours = {"ENVFACTORY_HOME": str(home), "ENVFACTORY_SIZE": "small", "DAGSTER_HOME": ""}
    return subprocess.Popen(
        [sys.executable, "-c", program, *asked],
        env=os.environ | ours,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _ended(process: "subprocess.Popen[bytes]") -> None:
    _, told = process.communicate()
    if process.returncode:
        raise RuntimeError(told.decode())


def _killed_after(home: Path, stage: str, key: str) -> bool:
    """Whether it was: a process that came to its end before had nothing left to be killed at."""
    process, head = _started(home), home / "records" / stage / key / "head.json"
    while process.poll() is None and not head.exists():
        time.sleep(0.02)
    if process.poll() is not None:
        _ended(process)
        return False
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return True


def _artifact(home: Path, stage: str, number: int) -> object:
    record = RecordStore(Home.resolve(home)).latest(stage, f"{EXPERIMENT}-r{number:02d}")
    assert record is not None, f"{stage} of round {number} is not there"
    return record.artifact


def _evaluation(home: Path, number: int) -> RoundEvaluation:
    return RoundEvaluation.model_validate(_artifact(home, LAST, number))


def _versions(home: Path) -> dict[str, str]:
    """Of every record of a round: its content."""
    heads = (home / "records").glob(f"*/{EXPERIMENT}-r*/head.json")
    return {str(path.relative_to(home)): orjson.loads(path.read_bytes())["version"] for path in heads}


def _standing(home: Path) -> dict[str, int]:
    """Whatever was drawn, played, or recorded."""
    files = [path for room in ("records", "arena") for path in (home / room).rglob("*") if path.is_file()]
    return {str(path): path.stat().st_mtime_ns for path in files}
