"""Episodes in the forms that other projects' viewers read: logs of Inspect, session traces of the Hugging Face Hub.

Belongs here: the messages of an episode, and both forms. Does not: our own pages (`site`), and rows for training
(`datasets`).

    NAME.eval      one environment and one model: every task is a sample, every episode of it an epoch (`inspect view`)
    NAME.jsonl     one episode: a line for the session, and one for each message
"""

import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Observation, ToolRequest, Trajectory
from envfactory_dagster.datasets.rows import begun
from envfactory_dagster.rollouts.tools import tool_message
from envfactory_dagster.viewing.folders import replacing
from envfactory_dagster.viewing.gathering import SiteEpisode, SiteWorld, by_model

Form = Literal["inspect", "traces"]

_HARNESS = "envfactory"
_SCORER = "verifier"


@dataclass(frozen=True, slots=True)
class TranscriptMessage:
    role: Literal["system", "user", "assistant", "tool"]
    text: str
    reasoning: str = ""
    calls: list[ToolRequest] = field(default_factory=list)
    answers: ToolRequest | None = None
    """The call that a message of a tool answers."""
    error: str = ""


def write_transcripts(worlds: Iterable[SiteWorld], form: Form, out: Path, today: date) -> tuple[int, int]:
    """Write the episodes of these environments. Returns how many files there are, and how many episodes in them."""
    files = episodes = 0
    with replacing(out) as folder:
        for world in worlds:
            episodes += len(world.episodes)
            files += _write_logs(world, folder, today) if form == "inspect" else _write_traces(world, folder)
    return files, episodes


def messages(world: SiteWorld, task: Task, episode: SiteEpisode) -> Iterator[TranscriptMessage]:
    """What was said and called, with what the agent was shown before it said anything."""
    one, rollout = episode.rollout.trajectory, episode.rollout
    reports = task.id in world.bundle.answer_forms
    for opening in begun(world.bundle, task, one.protocol, rollout.setting, one.opening or task.text, reports=reports):
        yield TranscriptMessage("system" if opening["role"] == "system" else "user", str(opening["content"]))
    for step in one.steps:
        seen = {observation.call: observation for observation in step.observations}
        own = [call for call in step.calls if call.principal == "assistant"]
        if step.text or step.reasoning or own:
            yield TranscriptMessage("assistant", step.text, step.reasoning, own)
        for call in own:
            answer = seen.get(call.id, Observation(call=call.id, outcome="infrastructure", error="no answer"))
            yield TranscriptMessage(
                "tool", str(tool_message(call, answer)["content"]), answers=call, error=answer.error or ""
            )
        told = [f"({call.name} {_arguments(call)})" for call in step.calls if call.principal == "user"]
        said = "\n\n".join(filter(None, [*told, step.reply, step.notice]))
        if said:
            yield TranscriptMessage("user", said)


def _arguments(call: ToolRequest) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)


def _played(world: SiteWorld) -> Iterator[tuple[Task, SiteEpisode]]:
    tasks = {task.id: task for task in world.bundle.tasks}
    for episode in world.episodes:
        yield tasks[episode.rollout.trajectory.task], episode


def _facts(world: SiteWorld, episode: SiteEpisode) -> dict[str, Json]:
    """What is known of an episode beside what was said in it."""
    one, rollout = episode.rollout.trajectory, episode.rollout
    return {
        "environment": world.key,
        "version": world.bundle.version,
        "task": one.task,
        "seed": one.seed,
        "protocol": one.protocol,
        "setting": rollout.setting,
        "outcome": one.outcome,
        "score": one.verdict.score if one.verdict else None,
        "reward": one.reward.total if one.reward else None,
        "reasons": list(one.verdict.reasons) if one.verdict else [],
        "report": one.report.model_dump(mode="json") if one.report else None,
        "ended": rollout.cause,
        "detail": rollout.detail,
        "remarks": list(rollout.remarks),
    }


# -- session traces ----------------------------------------------------------------------------------------------------


def _write_traces(world: SiteWorld, folder: Path) -> int:
    for task, episode in _played(world):
        one = episode.rollout.trajectory
        title = f"{task.id.replace('_', ' ')}: {one.outcome or 'not judged'}"
        lines: list[dict[str, Any]] = [
            {"type": "session", "harness": _HARNESS, "id": episode.name, "name": title, **_facts(world, episode)}
        ]
        lines += [{"type": "message", "message": _traced(said, one)} for said in messages(world, task, episode)]
        place = folder / world.key / f"{episode.name}.jsonl"
        place.parent.mkdir(exist_ok=True)
        place.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
    return len(world.episodes)


def _traced(said: TranscriptMessage, one: Trajectory) -> dict[str, Any]:
    message: dict[str, Any] = {"role": said.role, "content": said.text}
    if said.role == "assistant":
        message["model"] = one.model
    if said.reasoning:
        message["reasoningContent"] = said.reasoning
    if said.calls:
        message["toolCalls"] = [
            {"id": call.id, "function": {"name": call.name, "arguments": _arguments(call)}} for call in said.calls
        ]
    if said.answers is not None:
        message["toolCallId"] = said.answers.id
    return message


# -- logs of Inspect ---------------------------------------------------------------------------------------------------


def _write_logs(world: SiteWorld, folder: Path, today: date) -> int:
    models = by_model(world.episodes)
    for model, episodes in models.items():
        part = SiteWorld(world.bundle, episodes=episodes)
        samples = _samples(part)
        log = _log(part, model, samples, today)
        name = re.sub(r"[^A-Za-z0-9.]+", "-", model).strip("-.")[:60]
        place = folder / f"{world.key}_{name}-{content_hash(model)[:6]}.eval"
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as packed:
            start = {name: log[name] for name in ("version", "eval", "plan")}
            packed.writestr("_journal/start.json", _text(start))
            for sample in samples:
                packed.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", _text(sample))
            packed.writestr("summaries.json", _text([_summary(sample) for sample in samples]))
            packed.writestr("header.json", _text(log))
    return len(models)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _samples(world: SiteWorld) -> list[dict[str, Any]]:
    epochs: dict[str, int] = {}
    samples = []
    for task, episode in _played(world):
        epochs[task.id] = epochs.get(task.id, 0) + 1
        one = episode.rollout.trajectory
        seconds = sum(step.timing.model_s + step.timing.tools_s for step in one.steps if step.timing)
        sample = {
            "id": task.id,
            "epoch": epochs[task.id],
            "uuid": episode.name,
            "input": one.opening or task.text,
            "target": "",
            "messages": [_logged(said, one) for said in messages(world, task, episode)],
            "output": {"model": one.model, "choices": [], "completion": one.answer},
            "scores": {_SCORER: _scored(one)} if one.verdict else {},
            "metadata": _facts(world, episode),
            "total_time": seconds,
        }
        samples.append(sample)
    return samples


def _scored(one: Trajectory) -> dict[str, Any]:
    assert one.verdict is not None
    return {"value": one.verdict.score, "answer": one.answer, "explanation": "\n".join(one.verdict.reasons)}


def _summary(sample: dict[str, Any]) -> dict[str, Any]:
    names = ("id", "epoch", "uuid", "input", "target", "scores", "total_time")
    return {name: sample[name] for name in names} | {"completed": True, "message_count": len(sample["messages"])}


def _logged(said: TranscriptMessage, one: Trajectory) -> dict[str, Any]:
    message: dict[str, Any] = {"role": said.role, "content": said.text}
    if said.role == "assistant":
        message["model"] = one.model
        if said.reasoning:
            thought = {"type": "reasoning", "reasoning": said.reasoning}
            message["content"] = [thought, {"type": "text", "text": said.text}]
        message["tool_calls"] = [_logged_call(call) for call in said.calls]
    if said.answers is not None:
        message |= {"tool_call_id": said.answers.id, "function": said.answers.name}
        message |= {"error": {"type": "unknown", "message": said.error}} if said.error else {}
    return message


def _logged_call(call: ToolRequest) -> dict[str, Any]:
    made: dict[str, Any] = {"id": call.id, "type": "function", "function": call.name}
    if isinstance(call.arguments, str):
        return made | {"arguments": {}, "parse_error": call.arguments}
    return made | {"arguments": call.arguments}


def _log(world: SiteWorld, model: str, samples: list[dict[str, Any]], today: date) -> dict[str, Any]:
    created = f"{today.isoformat()}T00:00:00+00:00"
    scored = [sample["scores"][_SCORER]["value"] for sample in samples if sample["scores"]]
    ids = list(dict.fromkeys(sample["id"] for sample in samples))
    named = content_hash([world.bundle.version, model])[:22]
    mean = {"mean": {"name": "mean", "value": sum(scored) / len(scored)}} if scored else {}
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": named,
            "run_id": named,
            "created": created,
            "task": f"{_HARNESS}/{world.key}",
            "task_id": named,
            "task_version": world.bundle.version,
            "dataset": {"name": world.key, "samples": len(ids), "sample_ids": ids},
            "model": model,
            "config": {"epochs": max((sample["epoch"] for sample in samples), default=1)},
            "metadata": {"name": world.bundle.theme.name, "description": world.bundle.theme.description},
        },
        "plan": {"name": "plan", "steps": []},
        "results": {
            "total_samples": len(samples),
            "completed_samples": len(samples),
            "scores": [{"name": _SCORER, "scorer": _SCORER, "scored_samples": len(scored), "metrics": mean}],
        },
        "stats": {"started_at": created, "completed_at": created},
    }
