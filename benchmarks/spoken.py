"""What verdicts are worth on ends that a language model wrote, labelled by two others before any verdict was seen.

    python -m benchmarks.spoken --json

Belongs here: the hut network and the recorded worlds, the ends kept beside this module, and how often the verdict is
the label. Does not: writing or labelling ends. An end is `deeds` (all that the reference did, or nothing) and a report;
its writer saw the task and the truth, its readers saw the same and the end, and neither saw a verifier. What cannot be
read as a report is sent back to an agent, which may hand in another: those ends are counted apart. Without a judge the
words of a message are not held against anything: `wrong_by_message_alone` are ends whose report is right; with one,
`with_words` are the verdicts on these and on the ends whose texts are read.
`text_right_read` and `text_wrong_paid`: of the same ends, were their messages all there is, as in a transcript from
elsewhere: which right ones are read and accepted, and which wrong ones. A model of the role `judge` reads them where an
endpoint is set (`ENVFACTORY_LLM_BASE_URL`), otherwise nobody does. `--texts N`: only of N ends drawn by chance, the
same ones every time.
"""

import argparse
import asyncio
import gzip
import json
import math
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from envfactory_dagster import examples
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.truth import SolutionSet, VerifierSet
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.runtime.reports import UnreadableReport, read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from envfactory_dagster.truth.free_messages import as_episode
from envfactory_dagster.truth.judging import Judge
from envfactory_dagster.truth.message_words import judge_words
from envfactory_dagster.truth.reports import same_report
from envfactory_dagster.truth.text_reading import read_text
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from tests.authoring.line_kit import line
from tests.support.recorded_author import Recording, recorded_author, recordings

ENDS = Path(__file__).parent / "spoken_ends"
_CONFIDENCE = 1.96


@dataclass(frozen=True, slots=True)
class Judged:
    """One end: what two readers say of it, and what the verdict says."""

    id: str
    label: str
    """`right`, `wrong`, or `disputed` where the readers differ."""
    readable: bool
    passed: bool
    by_message_alone: bool
    """Whether its report is the true one, message aside, after all was done."""
    reasons: str
    text_passed: bool | None = None
    """Whether its message alone was read, and accepted; None where it was given to nobody to read."""
    with_words: bool | None = None
    """Whether it passed when a judge read the words of its message as well; None where none did."""


@asynccontextmanager
async def world(name: str, runtime: Runtime) -> AsyncIterator[Bundle]:
    """A bundle with solutions, verifiers and answer forms: the huts, or a recorded world through today's gates."""
    if name == "huts":
        yield examples.load("alpine_huts")
        return
    path = next(path for path in recordings() if path.name.startswith(name))
    recording = Recording.read(path)
    with tempfile.TemporaryDirectory() as folder:
        settings = AuthoringSettings(size=recording.size)
        async with line(recorded_author(recording), runtime, Path(folder), settings) as stages:
            made = await stages.run(recording.proposal, until="verifiers")
            bundle = stages.bundle(recording.proposal.key)
            solved = SolutionSet.model_validate(made["reference_solutions"].artifact).solutions
            verified = VerifierSet.model_validate(made["verifiers"].artifact).verifiers
            yield replace(
                bundle,
                solutions={one.task: one.source for one in solved},
                answer_forms={one.task: one.form for one in solved},
                verifiers={one.verifier.task: one.verifier.source for one in verified},
            )


def ends_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(text) for text in gzip.decompress((ENDS / f"{name}.jsonl.gz").read_bytes()).splitlines()]


async def judged(name: str, runtime: Runtime, reader: Judge | None, to_read: Collection[str]) -> list[Judged]:
    """`to_read`: the ends whose messages are read by themselves."""
    async with world(name, runtime) as bundle:
        gold = {
            task.id: await run_solution(runtime, bundle, task, bundle.solutions[task.id], bundle.answer_forms[task.id])
            for task in bundle.tasks
            if task.id in bundle.verifiers
        }
        ends = [end for end in ends_of(name) if end["task"] in gold]
        reading = [_read(reader, bundle, end) for end in ends if reader is not None and end["id"] in to_read]
        read = dict(await asyncio.gather(*reading))
        return await asyncio.gather(*(_judged(runtime, bundle, gold, end, read, reader) for end in ends))


def _checks(bundle: Bundle, end: Mapping[str, Any]) -> TaskChecks:
    task = next(task for task in bundle.tasks if task.id == end["task"])
    return TaskChecks(task, bundle.verifiers[task.id], bundle.answer_forms[task.id])


async def _read(reader: Judge, bundle: Bundle, end: Mapping[str, Any]) -> tuple[str, Report | None]:
    told = str(end["report"].get("message"))
    return end["id"], await read_text(reader, _checks(bundle, end), bundle.theme.rules, told)


async def _judged(
    runtime: Runtime,
    bundle: Bundle,
    gold: Mapping[str, Run],
    end: Mapping[str, Any],
    read: Mapping[str, Report | None],
    reader: Judge | None,
) -> Judged:
    checks = _checks(bundle, end)
    task, form, rules = checks.task, checks.form, [rule.id for rule in bundle.theme.rules]
    label = end["labels"][0] if len(set(end["labels"])) == 1 else "disputed"
    done = end["deeds"] == "reference"
    run = gold[task.id] if done else await run_calls(runtime, bundle, task, [], None)
    text_passed = False if end["id"] in read else None
    if (by_text := read.get(end["id"])) is not None:
        text_passed = (await judge(runtime, checks, replace(run, report=by_text))).score == 1.0
        text_passed = text_passed and await _words_agree(reader, bundle, task, run, by_text)
    report = read_report(end["report"], form, rules)
    if isinstance(report, UnreadableReport):
        return Judged(end["id"], label, False, False, False, report.problem, text_passed, None)
    verdict = await judge(runtime, checks, replace(run, report=report))
    true_report = done and same_report(_in_order(form), report, gold[task.id].report)
    passed, by_message_alone = verdict.score == 1.0, true_report and label != "right"
    with_words = None
    if reader is not None and (end["id"] in read or by_message_alone):
        with_words = passed and await _words_agree(reader, bundle, task, run, report)
    return Judged(end["id"], label, True, passed, true_report, "; ".join(verdict.reasons), text_passed, with_words)


async def _words_agree(reader: Judge | None, bundle: Bundle, task: Task, run: Run, report: Report) -> bool:
    """What no judge can tell, or nobody is asked, is held against nobody."""
    if reader is None:
        return True
    episode = as_episode(bundle, task, run.calls, run.row_changes, run.state_hash, report)
    return (await judge_words(reader, episode)).agrees is not False


def _in_order(form: AnswerForm) -> AnswerForm:
    """The form with every list in its order: lists that belong together are right only as they belong together."""
    return AnswerForm(fields=[field.model_copy(update={"ordered": field.many}) for field in form.fields])


def figures(ends: list[Judged]) -> dict[str, Any]:
    """Disputed ends stay in the denominators, as misjudged."""
    readable, texts = [end for end in ends if end.readable], [end for end in ends if end.text_passed is not None]
    words = [end for end in ends if end.with_words is not None]
    right = [end for end in readable if end.label != "wrong"]
    wrong = [end for end in readable if end.label != "right"]
    by_report = [end for end in wrong if not end.by_message_alone]
    return {
        "ends": len(ends),
        "labels": dict(Counter(end.label for end in ends)),
        "sent_back": {"right": _count(ends, "right"), "wrong": _count(ends, "wrong")},
        "spoken_right_accepted": share([end.label == "right" and end.passed for end in right]),
        "spoken_wrong_rejected": share([end.label == "wrong" and not end.passed for end in by_report]),
        "wrong_by_message_alone_rejected": share([not end.passed for end in wrong if end.by_message_alone]),
        "with_words_right_accepted": share([end.with_words is True for end in words if end.label == "right"]),
        "with_words_wrong_rejected": share([not end.with_words for end in words if end.label != "right"]),
        "with_words_misjudged": [[end.id, end.label] for end in words if end.with_words != (end.label == "right")],
        "text_right_read": share([end.text_passed is True for end in texts if end.label == "right"]),
        "text_wrong_paid": share([end.text_passed is True for end in texts if end.label != "right"]),
        "text_misjudged": [[end.id, end.label] for end in texts if end.text_passed != (end.label == "right")],
        "misjudged": [[end.id, end.label, end.reasons] for end in readable if _is_misjudged(end)],
    }


def _is_misjudged(end: Judged) -> bool:
    return not end.passed if end.label == "right" else end.passed and not end.by_message_alone


def _count(ends: list[Judged], label: str) -> int:
    return sum(end.label == label and not end.readable for end in ends)


def share(holds: list[bool]) -> dict[str, Any] | None:
    """With its 95 % interval by Wilson's score."""
    if not holds:
        return None
    n, share, z = len(holds), sum(holds) / len(holds), _CONFIDENCE
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return {"share": round(share, 4), "of": n, "interval": [round(max(0.0, middle - half), 4), round(middle + half, 4)]}


async def measure(names: list[str], texts: int | None) -> dict[str, Any]:
    found: dict[str, list[Judged]] = {}
    language = LanguageSettings.from_environment()
    to_read = [end["id"] for name in names for end in ends_of(name)]
    if texts is not None:
        to_read = Random(0).sample(to_read, min(texts, len(to_read)))
    with tempfile.TemporaryDirectory() as folder:
        async with Runtime() as runtime, Gateway(language, Path(folder)) as gateway:
            reader = Judge(gateway, "trajectories", "") if language.base_url is not None else None
            for name in names:
                found[name] = await judged(name, runtime, reader, to_read)
    everything = [end for ends in found.values() for end in ends]
    read_by = language.model(Role.JUDGE) if language.base_url is not None else "nobody"
    all_of_them = {"texts_read_by": read_by, **figures(everything)}
    return {"all": all_of_them, **{name: figures(ends) for name, ends in found.items()}}


def main() -> None:
    known = sorted(path.name.removesuffix(".jsonl.gz") for path in ENDS.glob("*.jsonl.gz"))
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--worlds", nargs="*", default=known, choices=known)
    parser.add_argument("--texts", type=int, help="read the messages of so many ends only")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    print(
        json.dumps(
            asyncio.run(measure(given.worlds, given.texts)), indent=None if given.json else 2, ensure_ascii=False
        )
    )


if __name__ == "__main__":
    main()
