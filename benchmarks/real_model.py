"""What an environment takes of a language model, stage by stage: calls, tokens in and out, dollars.

    python -m benchmarks.real_model [--json] [--worlds 8]

The recorded worlds go through the line again, without a network: what a language model once answered is answered for
theme to verifiers, and in the stages after them the library answers. Only worlds that it has up to their release are
measured. A token is four characters of the messages, tools and response format of a request, or of an answer.
`prefix`: the share of the characters of a stage's prompts that stand at the beginning of a prompt of the same stage and
environment before it, which is what an endpoint may have cached. Dollars are at the list prices of gpt-5, as if nothing
were cached; AWM's are those of its Table 1, for one environment. `first_accepted`: of the things asked for (rows of a
state, a batch of code, a solution, a verifier), the share whose first answer was accepted; `dropped`: tasks given up.
"""

import argparse
import asyncio
import json
import re
import tempfile
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

import orjson
from pydantic import SecretStr

from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.discovery.pool import proposal_record
from envfactory_dagster.authoring.line import environment_stages
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.prices import load_prices
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.library.collection import Library
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.conversations.settings import ConversationSettings
from envfactory_dagster.tasks.graph_tasks.stage import GraphTaskSettings
from envfactory_dagster.tasks.line import TaskSettings, task_stages
from envfactory_dagster.tasks.program_tasks.settings import ProgramTaskSettings
from envfactory_dagster.truth.line import truth_stages
from tests.support.model import library_model
from tests.support.recorded_author import Recording, recorded_author, recordings

PRICE = load_prices(None)["gpt-5"]
CHARS_OF_A_TOKEN = 4
AWM = {
    "task_set": 0.006,
    "database_schema": 0.036,
    "seed_rows": 0.138,
    "tool_spec": 0.237,
    "server_code": 0.128,
    "verifiers": 0.022,
}
"""Dollars for one environment (Agent World Model, Table 1), by the stage here that does the same."""
RECORDED = (
    "theme",
    "task_set",
    "database_schema",
    "seed_rows",
    "tool_spec",
    "server_code",
    "reference_solutions",
    "verifiers",
)

Figures = dict[str, Any]


@dataclass(slots=True)
class Counted:
    """What one stage of one environment took."""

    calls: int = 0
    chars_in: int = 0
    chars_out: int = 0
    prompts: list[str] = field(default_factory=list)
    questions: dict[str, list[int]] = field(default_factory=dict)
    """By schema, the characters that went in with each call."""

    def count(self, asked: Mapping[str, Any]) -> None:
        prompt = "".join(message["content"] for message in asked["messages"])
        declared = {name: asked[name] for name in ("tools", "response_format") if name in asked}
        chars = len(prompt) + len(orjson.dumps(declared).decode())
        named = re.search(r'"schema":"(\w+)"', prompt)
        self.calls, self.chars_in = self.calls + 1, self.chars_in + chars
        self.prompts.append(prompt)
        self.questions.setdefault(named[1] if named else "other", []).append(chars)

    def figures(self) -> Figures:
        tokens_in, tokens_out = self.chars_in // CHARS_OF_A_TOKEN, self.chars_out // CHARS_OF_A_TOKEN
        return {
            "calls": self.calls,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "dollars": round(PRICE.cost(tokens_in, tokens_out), 4),
            "prefix": round(self._repeated() / max(1, sum(map(len, self.prompts))), 3),
            "questions": {
                schema: {"calls": len(chars), "tokens_in": sum(chars) // CHARS_OF_A_TOKEN}
                for schema, chars in self.questions.items()
            },
        }

    def _repeated(self) -> int:
        """Characters at the beginning of a prompt that were the beginning of an earlier one."""
        return sum(
            max((_common(prompt, other) for other in self.prompts[:place]), default=0)
            for place, prompt in enumerate(self.prompts)
        )


def _common(one: str, other: str) -> int:
    """Characters with which both begin."""
    length = min(len(one), len(other))
    return bisect_left(range(1, length + 1), 1, key=lambda count: one[:count] != other[:count])


class Meter:
    """An app between the gateway and whoever answers, which counts what goes by."""

    def __init__(self, recording: Recording) -> None:
        self.counted: dict[str, Counted] = defaultdict(Counted)
        self.stage = ""
        self._recorded, self._library = recorded_author(recording), library_model()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        app = self._recorded if self.stage in RECORDED else self._library
        if scope["type"] != "http" or not scope["path"].endswith("/chat/completions"):
            await app(scope, receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        self.counted[self.stage].count(orjson.loads(body))
        answered = b""

        async def again() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def passed_on(message: Any) -> None:
            nonlocal answered
            answered += message.get("body", b"")
            await send(message)

        await app(scope, again, passed_on)
        self.counted[self.stage].chars_out += _length(answered)


def _length(body: bytes) -> int:
    try:
        return len(orjson.loads(body)["choices"][0]["message"]["content"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return 0


async def measure(path: Path, runtime: Runtime, folder: Path) -> Figures:
    recording = Recording.read(path)
    meter, home = Meter(recording), Home.resolve(folder)
    language = LanguageSettings(
        base_url="http://model/v1",
        api_key=SecretStr("none"),
        limits=LimitSettings(backoff_s=0.001),
        models=dict.fromkeys(Role, "author"),
    )
    settings, once = AuthoringSettings(size=recording.size), AuthoringSettings(size=recording.size, attempts=1)
    tasks = TaskSettings("author", GraphTaskSettings(), ProgramTaskSettings(), ConversationSettings())
    records, made = RecordStore(home), dict[str, StageRecord]()
    records.keep(proposal_record(recording.proposal))
    async with Gateway(language, folder, app=meter) as gateway:
        parts = (gateway, runtime, settings, BundleStore(home))
        later = task_stages(gateway, runtime, once, BundleStore(home), home, tasks)
        for stage in (*environment_stages(*parts), *truth_stages(*parts), *later):
            meter.stage = stage.name
            accounted = AccountedStage(stage, gateway, records)
            made[stage.name] = await run_stage(records, accounted, recording.proposal.key)
    return {
        "size": recording.size,
        "not_ok": {name: record.reason for name, record in made.items() if record.status != "ok"},
        "dropped": sum(len(made[name].metadata.get("dropped", [])) for name in RECORDED if name in made),
        "first_accepted": {name: _first_accepted(made[name]) for name in RECORDED},
        "stages": {name: counted.figures() for name, counted in meter.counted.items() if counted.calls},
    }


def _is_whole(path: Path) -> bool:
    return Library().world(Recording.read(path).proposal.key).until == "release"


def _first_accepted(record: StageRecord) -> float:
    answers_of = record.metadata.get("answers_of_a_task")
    if isinstance(answers_of, dict):
        dropped = {one["task"] for one in record.metadata["dropped"]}
        return round(mean(answers == 1 and task not in dropped for task, answers in answers_of.items()), 3)
    first = [attempt for attempt in record.attempts if attempt.number == 1]
    return round(mean(not attempt.problems for attempt in first), 3) if first else 0.0


def summary(worlds: Mapping[str, Figures]) -> Figures:
    """The means over the worlds of a size."""
    told: Figures = {}
    for size in ("small", "full"):
        stages = [world["stages"] for world in worlds.values() if world["size"] == size]
        if not stages:
            continue
        names = list(dict.fromkeys(name for one in stages for name in one))
        by_stage = {name: _mean([one[name] for one in stages if name in one], len(stages)) for name in names}
        for name, figures in by_stage.items():
            figures["answered_by"] = "recorded" if name in RECORDED else "library"
            figures["awm_dollars"] = AWM.get(name)
        told[size] = {
            "worlds": len(stages),
            **{what: _rounded(sum(one[what] for one in by_stage.values())) for what in _SUMMED},
            "stages": by_stage,
        }
    return told


_SUMMED = ("calls", "tokens_in", "tokens_out", "dollars")


def _mean(figures: Sequence[Figures], worlds: int) -> Figures:
    told: Figures = {what: _rounded(sum(one[what] for one in figures) / worlds) for what in _SUMMED}
    return told | {"prefix": round(mean(one["prefix"] for one in figures), 3)}


def _rounded(number: float) -> float:
    return round(number, 3) if number < 100 else round(number)


async def measured(paths: Sequence[Path]) -> Figures:
    worlds = {}
    async with Runtime() as runtime:
        for path in paths:
            with tempfile.TemporaryDirectory() as folder:
                worlds[path.name.removesuffix(".json.gz")] = await measure(path, runtime, Path(folder))
    return {**summary(worlds), "worlds": worlds}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--worlds", type=int, default=8)
    chosen = arguments.parse_args()
    found = asyncio.run(measured([path for path in recordings() if _is_whole(path)][: chosen.worlds]))
    if chosen.json:
        print(json.dumps(found, indent=2))
        return
    for size in (size for size in ("small", "full") if size in found):
        print(f"{size}: " + ", ".join(f"{what} {found[size][what]:,}" for what in _SUMMED))
        for name, one in found[size]["stages"].items():
            print(f"  {name:22}" + "".join(f"{one[what]:>12,}" for what in _SUMMED) + f"  {one['answered_by']}")


if __name__ == "__main__":
    main()
