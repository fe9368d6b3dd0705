"""Whether verdicts are right on what a language model does with released tasks of which it sees the words alone.

    python -m benchmarks.blind prepare HOME FOLDER --count 100 --seed 1   tasks for players, of all worlds and sources
    python -m benchmarks.blind cases HOME FOLDER                          what was played, for readers with all files
    python -m benchmarks.blind keep HOME FOLDER NAME                      ends and labels as data: benchmarks/blind_ends
    python -m benchmarks.blind judge HOME --json                          how often a verdict is the label

Between the first two, `envfactory serve KEY… --port 8200` runs below that home and `benchmarks/blind_play.py` plays.
Two readers then write `FOLDER/labels/READER.jsonl`, a line an end: `{"number": "001", "label": "right", "why": ""}`;
they saw neither solutions, verifiers nor verdicts. Where they differ, a third one decides, and the end is disputed
where nobody did. Disputed ends stay in the denominator, as misjudged. Tasks in which the person has to do something are
left out: nobody is there who could.

Belongs here: sampling, laying out, counting. Does not: playing and labelling.
"""

import argparse
import asyncio
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.spoken import share
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.finish_tool import finish_name, report_schema
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.rollouts.prompts import for_agent
from envfactory_dagster.rollouts.signatures import signature
from envfactory_dagster.runtime.reports import UnreadableReport, read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.proof_of_words import setting_of, words_of
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from envfactory_dagster.truth.withholding import tools_left

ENDS = Path(__file__).parent / "blind_ends"


@dataclass(frozen=True, slots=True)
class Released:
    """A released task with its environment."""

    bundle: Bundle
    made: MadeTask

    @property
    def report_schema(self) -> dict[str, Any]:
        fields = [field.model_dump(mode="json") for field in self.made.solution.form.fields]
        return report_schema(fields, [rule.id for rule in self.bundle.theme.rules])


def released(home: Path) -> dict[tuple[str, str], Released]:
    """Environment and task → the task, of all that are released below a home and can be played alone."""
    store = StoreResource(home=str(home))
    found = {}
    for key in sorted(path.name for path in (home / "bundles").iterdir()):
        record = store.records().latest("release", key)
        if record is None or record.artifact is None:
            continue
        bundle = store.bundles().load(key)
        for made in Release.model_validate(record.artifact).tasks:
            if setting_of(made) == "single":
                found[key, made.task.id] = Released(bundle, made)
    return found


def chosen(tasks: Mapping[tuple[str, str], Released], count: int, seed: int) -> list[Released]:
    """From every environment and every source in turn, drawn by a seed."""
    groups = defaultdict[tuple[str, str], list[Released]](list)
    for (key, _), one in tasks.items():
        groups[one.made.source, key].append(one)
    draw = random.Random(seed)
    for group in groups.values():
        draw.shuffle(group)
    order = sorted(groups)
    draw.shuffle(order)
    taken = list[Released]()
    while len(taken) < count and any(groups.values()):
        taken += [groups[name].pop() for name in order if groups[name]][: count - len(taken)]
    return taken


def prepare(home: Path, folder: Path, count: int, seed: int) -> None:
    (folder / "tasks").mkdir(parents=True)
    for name in ("logs", "labels"):
        (folder / name).mkdir()
    hidden = {}
    for number, one in enumerate(chosen(released(home), count, seed), 1):
        hidden[f"{number:03}"] = {"environment": one.bundle.key, "task": one.made.task.id}
        (folder / "tasks" / f"{number:03}.md").write_text(shown(one))
    (folder / "hidden.json").write_text(json.dumps(hidden, indent=1))


def shown(one: Released) -> str:
    """The task as a player reads it."""
    tools = tools_left(one.bundle.tools_of("assistant"), one.made.task)
    functions = [{"name": tool.name, "description": tool.description, "parameters": tool.inputSchema} for tool in tools]
    signatures = "\n".join(map(signature, functions))
    finish = finish_name({tool.name for tool in one.bundle.tools})
    return (
        f"{for_agent(one.bundle, one.made.task, 'native', 'single')}\n\n# Tools\n{signatures}\n\n"
        f"`{finish}` takes the report: {json.dumps(one.report_schema, ensure_ascii=False)}\n\n"
        f"# What the person says\n{words_of(one.made)}\n"
    )


async def played(runtime: Runtime, one: Released, end: Mapping[str, Any]) -> Run:
    """The end that was reached, made once more."""
    report = None
    if end["report"] is not None:
        read = read_report(end["report"], one.made.solution.form, [rule.id for rule in one.bundle.theme.rules])
        report = None if isinstance(read, UnreadableReport) else read
    steps = [
        TracedStep(tool=call["tool"], principal="assistant", arguments=call["arguments"], outcome="ok")
        for call in end["calls"]
    ]
    return await run_calls(runtime, one.bundle, one.made.task, steps, report)


def ends(folder: Path) -> Iterator[dict[str, Any]]:
    """The calls and the report of each logged episode, by its number."""
    hidden = json.loads((folder / "hidden.json").read_text())
    for log in sorted((folder / "logs").glob("*.jsonl")):
        calls = [json.loads(line) for line in log.read_text().splitlines()[1:]]
        taken = [call["arguments"] for call in calls if _is_report(call) and call["result"].get("outcome") == "ok"]
        deeds = [{"tool": call["tool"], "arguments": call["arguments"]} for call in calls if not _is_report(call)]
        yield {"number": log.stem, **hidden[log.stem], "calls": deeds, "report": taken[-1] if taken else None}


def _is_report(call: Mapping[str, Any]) -> bool:
    return set(call["arguments"]) == {"outcome", "answers", "reason", "message"}


async def cases(home: Path, folder: Path) -> None:
    """For each end what was asked, done, changed and said; beside it the database before and the tools' code."""
    tasks = released(home)
    (folder / "cases").mkdir(exist_ok=True)
    async with Runtime() as runtime:
        for end in ends(folder):
            one = tasks[end["environment"], end["task"]]
            run = await played(runtime, one, end)
            place = folder / "cases" / one.bundle.key
            place.mkdir(exist_ok=True)
            (place / "tools.py").write_text(one.bundle.tools_source)
            database = place / f"{one.made.task.state}.sqlite"
            database.write_bytes(one.bundle.states[one.made.task.state].image)
            calls = [
                f"{call.tool}({json.dumps(call.arguments, ensure_ascii=False)})\n    → "
                + (call.error or json.dumps(call.value, ensure_ascii=False))
                for call in run.calls
            ]
            changes = [change.model_dump_json() for change in run.row_changes]
            (folder / "cases" / f"{end['number']}.md").write_text(
                f"{shown(one)}\n# Before\n{database}; the code of the tools is beside it.\n\n# What was called\n"
                + "\n".join(calls)
                + "\n\n# Rows that are different in the end\n"
                + ("\n".join(changes) or "none")
                + f"\n\n# The report\n{json.dumps(end['report'], indent=1, ensure_ascii=False)}\n"
            )


def keep(home: Path, folder: Path, name: str) -> None:
    """Only ends with a label; the words go along, so that a task that is another one today is noticed."""
    tasks, labels = released(home), defaultdict[str, list[str]](list)
    for path in sorted((folder / "labels").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            said = json.loads(line)
            labels[said["number"]].append(said["label"])
    kept = [
        {**end, "words": words_of(tasks[end["environment"], end["task"]].made), "labels": labels[end["number"]]}
        for end in ends(folder)
        if labels[end["number"]]
    ]
    ENDS.mkdir(exist_ok=True)
    lines = "".join(json.dumps(end, ensure_ascii=False) + "\n" for end in kept)
    (ENDS / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))


def label_of(labels: list[str]) -> str:
    """The label that most readers gave."""
    [(label, most), *others] = Counter(labels).most_common()
    return "disputed" if others and others[0][1] == most else label


async def judged(home: Path) -> dict[str, Any]:
    tasks, found, gone = released(home), list[dict[str, Any]](), 0
    texts = [text for path in sorted(ENDS.glob("*.gz")) for text in gzip.decompress(path.read_bytes()).splitlines()]
    async with Runtime() as runtime:
        for end in map(json.loads, texts):
            one = tasks.get((end["environment"], end["task"]))
            if one is None or words_of(one.made) != end["words"]:
                gone += 1
                continue
            run = await played(runtime, one, end)
            checks = TaskChecks(one.made.task, one.made.verifier.verifier.source, one.made.solution.form)
            verdict = await judge(runtime, checks, run)
            difficulty = one.made.difficulty
            found.append(
                {
                    "end": f"{end['environment']}/{end['task']}",
                    "source": one.made.source,
                    "level": difficulty.level,
                    "label": label_of(end["labels"]),
                    "passed": verdict.score == 1.0,
                    "reasons": verdict.reasons,
                }
            )
    return {"gone": gone, **figures(found)}


def figures(found: list[dict[str, Any]]) -> dict[str, Any]:
    def by(name: str) -> dict[str, Any]:
        groups = sorted({one[name] for one in found})
        return {str(group): share([one["passed"] for one in found if one[name] == group]) for group in groups}

    return {
        "ends": len(found),
        "worlds": len({one["end"].partition("/")[0] for one in found}),
        "labels": dict(Counter(one["label"] for one in found)),
        "verdict_is_the_label": share([one["label"] == ("right" if one["passed"] else "wrong") for one in found]),
        "right_accepted": share([one["passed"] for one in found if one["label"] == "right"]),
        "wrong_rejected": share([not one["passed"] for one in found if one["label"] == "wrong"]),
        "passed_by_source": by("source"),
        "passed_by_level": by("level"),
        "misjudged": [
            [one["end"], one["label"], one["reasons"]]
            for one in found
            if one["label"] != ("right" if one["passed"] else "wrong")
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("prepare", "cases", "keep", "judge"))
    parser.add_argument("home", type=Path)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("name", nargs="?")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.what == "prepare":
        prepare(asked.home, asked.folder, asked.count, asked.seed)
    elif asked.what == "cases":
        asyncio.run(cases(asked.home, asked.folder))
    elif asked.what == "keep":
        keep(asked.home, asked.folder, asked.name)
    else:
        found = asyncio.run(judged(asked.home))
        print(json.dumps(found) if asked.json else json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
