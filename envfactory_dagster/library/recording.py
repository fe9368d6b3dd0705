"""Making a world of the library out of a home in which a model made it, as far as it has got.

What was accepted is taken from the answers that the home keeps with their questions; what was refused, and why, from
the records. Recording again brings what has come since, and changes nothing when nothing has.
Belongs here: which answers count. Does not: judging them, or writing folders (`folders`).
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envfactory_dagster.contracts.base import Contract, content_hash
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.judge_requests import InspectionRevisionAnswer
from envfactory_dagster.contracts.mining import WholeSnapshot
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.requests import SeedRowsAnswer, ToolSpecAnswer
from envfactory_dagster.contracts.stages import MINED_DATA
from envfactory_dagster.contracts.text_bounds import TextRefused, python_tree
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.language.questions import AnsweredQuestion, answered_questions
from envfactory_dagster.language.structured import read_object
from envfactory_dagster.library.folders import CARD, read_world, tidied, write_world
from envfactory_dagster.library.parts import WHOLE, Part, kind_of, step_name
from envfactory_dagster.library.taking_out import taken_out
from envfactory_dagster.library.world import (
    LibraryWorld,
    PartName,
    PartOrigin,
    RefusedAnswer,
    StageOrigin,
    WorldCard,
    WorldProvenance,
    part_hash,
)
from envfactory_dagster.sources.snapshots import Snapshot
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

LINE = (
    "theme",
    MINED_DATA,
    "task_set",
    "database_schema",
    "seed_rows",
    "tool_spec",
    "server_code",
    "environment",
    "reference_solutions",
    "verifiers",
    "inspection",
    "tool_graph",
    "phrasebook",
    "graph_tasks",
    "program_tasks",
    "task_families",
    "conversations",
    "release",
)
"""The stages in the order in which they are made, which is the order of a world's provenance."""
REVISION = "inspection_revision"
_REPAIRS = ("server_code_impasse", REVISION)
"""Questions whose answers change what was answered before: the change is recorded, not the answer."""
_REVIEWED: Mapping[str, type[Contract]] = {"seed_rows": SeedRowsAnswer, "tool_spec": ToolSpecAnswer}
"""Stages that ask once more after an answer was accepted, and the answer to their question."""


@dataclass(frozen=True, slots=True)
class Recorded:
    world: LibraryWorld
    changed: bool
    """Whether the folder was not so before."""
    left_out: list[str]
    """Stages that were not accepted, or that are older than what they were made from, and why."""


@dataclass(frozen=True, slots=True)
class _Given:
    part: Part
    origin: PartOrigin


def record_world(home: Home, key: str, library: Path) -> Recorded:
    """Make or bring up to date the folder of an environment in a library. Stages that the home has nothing of stay as
    they are in the folder."""
    records = RecordStore(home)
    proposed = records.latest("proposal", key)
    if proposed is None or proposed.artifact is None:
        raise UsageError(f"There is no environment {key!r} in {home.root}.")
    proposal = PooledProposal.model_validate(proposed.artifact)
    folder = library / key
    before = read_world(folder) if (folder / CARD).is_file() else None
    if before is not None and before.card.proposal.subject != proposal.subject:
        raise UsageError(f"{folder} holds another world of the same name; record this one under another key.")

    found = {stage: record for stage in LINE if (record := records.latest(stage, key)) is not None}
    if (documents := _documents(home, proposal)) is None:
        found.pop(MINED_DATA, None)
    left_out = {stage: why for stage, record in found.items() if (why := _why_left_out(record, found))}
    accepted = {stage: record for stage, record in found.items() if stage not in left_out}
    given = _basis(list(answered_questions(home.root, key)), accepted)
    given = {name: one for name, one in given.items() if not taken_out(before, one.origin)}
    if "theme" not in accepted and before is None:
        raise UsageError(f"Nothing of {key!r} was accepted yet: {left_out.get('theme', 'it has no theme')}.")
    if documents is not None and documents.index.licence is None and documents.index.documents[0].licence:
        left_out["documents/LICENSE"] = "the home kept but its first line; name the folder once more with expand --data"
    world = _merged(before, proposal, accepted, found, given, documents)
    return Recorded(world, write_world(world, folder), [f"{stage}: {why}" for stage, why in left_out.items()])


def _documents(home: Home, proposal: PooledProposal) -> WholeSnapshot | None:
    """What the world is mined from, where it is."""
    snapshot = proposal.document.snapshot if proposal.document is not None else ""
    return Snapshot(home.snapshots, snapshot).whole() if snapshot else None


def _why_left_out(record: StageRecord, found: Mapping[str, StageRecord]) -> str:
    if record.status != "ok":
        return f"{record.status}, {record.reason}"
    for parent, version in record.parents.items():
        if parent in found and found[parent].version != version:
            return f"{parent} was made anew since; make this again"
    return ""


def _basis(questions: list[AnsweredQuestion], accepted: Mapping[str, StageRecord]) -> dict[PartName, _Given]:
    """Of every part the last answer, in the stages that were accepted. What was given after the answer that a stage
    has in the end was refused: after a review its author is asked once more."""
    given: dict[PartName, _Given] = {}
    answers = Counter[PartName]()
    for question in questions:
        if question.stage not in accepted or not _counts(question):
            continue
        for name, part in _parts_of(question):
            answers[name] += 1
            if name in given and _stands(name, given[name].part, accepted):
                continue
            origin = PartOrigin(
                question=name[0],
                part=name[1],
                stage=question.stage,
                hash=part_hash(part),
                answer=content_hash(question.text),
                prompt=question.prompt,
                model=question.model,
                answers=answers[name],
            )
            given[name] = _Given(part, origin)
    mended = ((("server_code", tool), {"source": source}) for tool, source in revised_tools(questions, accepted))
    for name, change in (*_amended(accepted), *mended):
        if name not in given:
            continue
        part = given[name].part | change
        if given[name].part != part:
            origin = given[name].origin.model_copy(update={"hash": part_hash(part), "answer": None})
            given[name] = _Given(part, origin)
    dropped = {stage: {one.task for one in _dropped(record) or []} for stage, record in accepted.items()}
    known = _known_names(given) | _known_to_mining(accepted)
    return {
        name: one
        for name, one in given.items()
        if _named(name) not in dropped[one.origin.stage] and name[1] in known.get(name[0], {name[1]})
    }


def _counts(question: AnsweredQuestion) -> bool:
    """Whether an accepted answer to it is a part of the world."""
    mends_rows = question.schema_name == "seed_rows" and question.stage != "seed_rows"
    return question.schema_name not in _REPAIRS and not mends_rows


def _parts_of(question: AnsweredQuestion) -> Iterator[tuple[PartName, Part]]:
    try:
        kind = kind_of(question.schema_name)
        parts = kind.cut.cut(question.context, read_object(question.text))
    except (ValueError, KeyError, TypeError):
        return  # it could not be used then either
    for name, part in parts.items():
        yield (kind.question, name), tidied(part)


def _stands(name: PartName, part: Part, accepted: Mapping[str, StageRecord]) -> bool:
    """Whether it is what a stage that has a review has in the end."""
    form, record = _REVIEWED.get(name[0]), accepted.get(name[0])
    if form is None or record is None:
        return False
    standing = dict(_parts_in({name[0]: record.artifact or {}}, accepted))
    read = [{field: one.get(field) for field in form.model_fields} for one in (part, standing.get(name, {}))]
    try:
        return form.model_validate(read[0]) == form.model_validate(read[1])
    except ValueError:
        return False  # it could not be used then either


def _amended(accepted: Mapping[str, StageRecord]) -> Iterator[tuple[PartName, Part]]:
    """What the code had changed of that on which it rests."""
    code = accepted.get("server_code")
    yield from _parts_in((code.artifact or {}).get("amended", {}) if code is not None else {}, accepted)


def _parts_in(artifacts: Mapping[str, Any], accepted: Mapping[str, StageRecord]) -> Iterator[tuple[PartName, Part]]:
    """Tools and rows of artifacts. Rows that were mined are no part of an answer."""
    mined = accepted[MINED_DATA].artifact if MINED_DATA in accepted else None
    tables_mined = [one["name"] for one in (mined or {}).get("collections", [])]
    if "tool_spec" in artifacts:
        yield ("tool_spec", WHOLE), {"tools": artifacts["tool_spec"]["tools"]}
    for state in artifacts.get("seed_rows", {}).get("states", []):
        tables = [table for table in state["tables"] if table["table"] not in tables_mined]
        yield ("seed_rows", state["name"]), {"clock": state["clock"], "tables": tables}


def revised_tools(
    questions: Sequence[AnsweredQuestion], accepted: Mapping[str, StageRecord]
) -> Iterator[tuple[str, str]]:
    """The tools whose code was rewritten because of the inspection's findings, with the code that they have now. It is
    recorded with the tool: as an answer to the findings it would be found only where they have the same words. The
    author saw functions without the rest of their module; what a tool uses of it goes with it."""
    inspection = accepted.get("inspection")
    module = (inspection.artifact or {}).get("revised_source") or "" if inspection is not None else ""
    standing = _functions(module)
    for question in questions:
        if question.schema_name == REVISION and standing:
            try:
                answer = InspectionRevisionAnswer.model_validate(read_object(question.text))
            except ValueError:
                continue  # it could not be used then either
            for one in answer.tools:
                if one.tool in standing and _functions(one.source).get(one.tool) == standing[one.tool]:
                    yield one.tool, "\n".join([*_missing_from(one.source, module), one.source])


def _missing_from(source: str, module: str) -> list[str]:
    """What a tool uses of its module and does not bring itself: imports, constants and helpers, and what these use. In
    the order of the module, in which each constant comes after those that it is made of."""
    module_body, whole = python_tree(module).body, python_tree(source).body
    bound = {name: node for node in module_body for name in _names_bound(node)}
    brought: list[ast.stmt] = []
    while missing := _used(whole) & bound.keys() - {name for node in whole for name in _names_bound(node)}:
        found = [bound[name] for name in missing]
        brought += found
        whole += found
    return [ast.unparse(node) for node in module_body if node in brought]


_IMPORTS = (ast.Import, ast.ImportFrom)


def _names_bound(node: ast.stmt) -> list[str]:
    """Names that a statement of a module binds; of functions only helpers', since tools have parts of their own."""
    if isinstance(node, _IMPORTS):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, ast.FunctionDef):
        return [node.name] if node.name.startswith("_") else []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _used(body: Sequence[ast.stmt]) -> set[str]:
    return {one.id for node in body for one in ast.walk(node) if isinstance(one, ast.Name)}


def _functions(module: str) -> dict[str, str]:
    try:
        tree = python_tree(module)
    except TextRefused:
        return {}
    return {node.name: ast.dump(node) for node in tree.body if isinstance(node, ast.FunctionDef)}


def _named(name: PartName) -> str:
    """The name that a stage uses for a part. Families are stored as `NUMBER.NAME`; their stage calls them `NAME`."""
    question, part = name
    return part.partition(".")[2] if question == "task_families" else part


def _dropped(record: StageRecord) -> list[Dropped] | None:
    """The tasks and families that are given up by now, in whichever stage; None where a stage does not say."""
    if record.artifact is None or "dropped" not in record.artifact:
        return None
    return [Dropped.model_validate(one) for one in record.artifact["dropped"]]


def _known_names(given: Mapping[PartName, _Given]) -> dict[str, set[str]]:
    """Of some questions, the parts that the world still has a use for: an older tool set may have had other tools."""
    known = {}
    if tools := given.get(("tool_spec", WHOLE)):
        known["server_code"] = {tool["name"] for tool in tools.part["tools"]}
    if mirrored := [one.part for (question, _), one in given.items() if question == "mirrored_tools"]:
        known["server_code"] = {tool["name"] for part in mirrored for tool in part["tools"]}
    if tasks := given.get(("task_set", WHOLE)):
        ids = {task["id"] for task in tasks.part["tasks"]}
        known |= {"reference_solution": ids, "verifier": ids}
    return known


def _known_to_mining(accepted: Mapping[str, StageRecord]) -> dict[str, set[str]]:
    """The steps that what stands was mined with, and the wishes that were accepted: an earlier run may have taken more
    steps, and another gate might keep the round that this one did not."""
    record = accepted.get(MINED_DATA)
    if record is None or record.artifact is None:
        return {}
    kept = {0} | {one["number"] for one in record.artifact["rounds"] if one["kept"]}
    steps = {step_name(step["round"], step["step"]) for step in record.metadata["steps"] if step["round"] in kept}
    wishes = {f"{one['number']}" for one in record.artifact["rounds"] if one["operations"]}
    return {"mining_step": steps, "complexify": wishes}


def _merged(
    before: LibraryWorld | None,
    proposal: PooledProposal,
    accepted: Mapping[str, StageRecord],
    found: Mapping[str, StageRecord],
    given: Mapping[PartName, _Given],
    documents: WholeSnapshot | None,
) -> LibraryWorld:
    """Add what is new to the world that was recorded before. Stages without an accepted answer in this home stay as
    they were. A part that did not change keeps its origin: the home may have got it from the library itself. A stage
    with another part, or without one that it had, was made anew, and the account of it is the new one."""
    new = {one.origin.stage for one in given.values()}
    known = {(one.question, one.part, one.hash): one for one in before.provenance.parts} if before is not None else {}
    origins = [known.get((*name, one.origin.hash), one.origin) for name, one in given.items()]
    parts = {name: one.part for name, one in given.items()}
    stages = {stage: _how_it_went(record) for stage, record in found.items()}
    if before is not None:
        for origin in before.provenance.parts:
            if origin.stage not in new:
                origins.append(origin)
                parts[_name(origin)] = before.parts[_name(origin)]
        anew = {one.origin.stage for name, one in given.items() if (*name, one.origin.hash) not in known}
        anew |= {one.stage for one in before.provenance.parts if one.stage in new and _name(one) not in given}
        kept = {origin.stage for origin in origins if origin.stage not in anew}
        stages |= {one.stage: one for one in before.provenance.stages if one.stage in kept or one.stage not in stages}
    origins.sort(key=lambda one: (_place(one.stage), one.question, one.part))
    size = before.card.size if before is not None else "full"
    # The nearest theme depends on the pool of a home, so a world does not record it.
    first = (
        before.card.proposal if before is not None else proposal.model_copy(update={"nearest": "", "similarity": 0.0})
    )
    if "theme" in accepted and accepted["theme"].artifact is not None:
        size = accepted["theme"].artifact["size"]
    ordered = sorted(stages.values(), key=lambda one: _place(one.stage))
    return LibraryWorld(
        WorldCard(size=size, proposal=first),
        WorldProvenance(stages=ordered, parts=origins),
        {_name(one): parts[_name(one)] for one in origins},
        documents,
    )


def _name(origin: PartOrigin) -> PartName:
    return origin.question, origin.part


def _place(stage: str) -> int:
    return LINE.index(stage) if stage in LINE else len(LINE)


def _how_it_went(record: StageRecord) -> StageOrigin:
    refused = [
        RefusedAnswer(attempt=one.number, problems=[f"{problem.fault}: {problem.message}" for problem in one.problems])
        for one in record.attempts
        if one.problems
    ]
    dropped = _dropped(record)
    if dropped is not None:  # what was given up before counts for the stage that gave it up
        dropped = [one for one in dropped if one.stage == record.stage]
    return StageOrigin(
        stage=record.stage,
        status=record.status,
        attempts=len(record.attempts),
        refused=refused,
        dropped=dropped,
        reason=record.reason,
    )
