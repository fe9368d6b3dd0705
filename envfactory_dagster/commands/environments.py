"""`envfactory list` and `envfactory show`: what has been made, and how.

Belongs here: reading the store for a person. Does not: making anything (`build`).
"""

from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.loading import load_bundle

if TYPE_CHECKING:
    from envfactory_dagster.contracts.bundle import Bundle
    from envfactory_dagster.contracts.records import StageRecord


def list_environments(as_json: AsJson = False) -> None:
    """List every environment under ENVFACTORY_HOME, with its size, or why it was rejected."""
    from envfactory_dagster.commands.standing import imported, print_standings, standings
    from envfactory_dagster.contracts.stages import PROPOSAL
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    home = Home.resolve()
    made = RecordStore(home).partitions(PROPOSAL)
    found = [*standings(home, made), *imported(home, made)]
    if as_json:
        say(orjson.dumps({"environments": [one.as_json() for one in found]}).decode())
    elif found:
        print_standings(found)
    else:
        say(f"There are no environments under {home.root} yet. `envfactory expand --count 3` proposes some.")


def show(
    key: Annotated[
        str,
        typer.Argument(
            metavar="KEY",
            help="A key under ENVFACTORY_HOME; with --tools or --tasks also a bundle's folder or an example's name.",
        ),
    ],
    stage: Annotated[
        str | None, typer.Option(metavar="STAGE", help="Show one stage: what it made, and every attempt at it.")
    ] = None,
    tools: Annotated[bool, typer.Option("--tools", help="List the tools of the environment.")] = False,
    tasks: Annotated[bool, typer.Option("--tasks", help="List the tasks of the environment.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show how an environment was made, stage by stage; or one stage of it, or its tools and tasks."""
    if stage is not None and (tools or tasks):
        raise UsageError(
            "--stage shows one stage; it excludes --tools and --tasks, which list what is in the environment."
        )
    if tools or tasks:
        _show_contents(load_bundle(key), tools, tasks, as_json)
        return
    from envfactory_dagster.contracts.stages import LINE, PROPOSAL, SOURCE_DOCUMENT
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    store = RecordStore(Home.resolve())
    stages = (PROPOSAL, SOURCE_DOCUMENT, *LINE)
    if stage is not None and stage not in stages:
        raise UsageError(f"There is no stage {stage!r}; there are: {', '.join(stages)}.")
    found = {name: record for name in stages if (record := store.latest(name, key)) is not None}
    if not found:
        raise UsageError(f"Nothing is known of {key!r}; `envfactory list` shows what there is.")
    if stage is None:
        _show_all(key, found, as_json)
    elif stage in found:
        _show_one(found[stage], as_json)
    else:
        raise UsageError(f"{stage} of {key!r} has not been made yet; `envfactory build {key}` makes it.")


def _show_all(key: str, found: "dict[str, StageRecord]", as_json: bool) -> None:
    from envfactory_dagster.contracts.records import Spent
    from envfactory_dagster.language.prices import cost_in_words

    total = Spent.together(record.spent for record in found.values() if record.spent is not None)
    rows = [_row(record) for record in found.values()]
    if as_json:
        said = {"key": key, "stages": rows, "spent": total.model_dump(mode="json"), **_named(found)}
        say(orjson.dumps(said).decode())
        return
    from rich.table import Table

    from envfactory_dagster.commands.console import Console

    table = Table(box=None, pad_edge=False)
    for column in rows[0]:
        table.add_column(column, overflow="fold", no_wrap=column != "reason")
    for record, row in zip(found.values(), rows, strict=True):
        unpriced = record.spending.calls and record.spending.cost_usd is None
        shown = row | {"version": row["version"][:8], "cost": "unknown" if unpriced else row["cost"]}
        table.add_row(*map(str, shown.values()))
    Console().print(table, markup=False)
    if total.calls:
        say(f"In all: {total.calls:,} calls, {total.tokens_in + total.tokens_out:,} tokens, {cost_in_words(total)}")
    _say_named(_named(found))
    say(f"All of a stage: envfactory show {key} --stage {rows[-1]['stage']}")


def _named(found: "dict[str, StageRecord]") -> dict[str, Any]:
    """What was named in the description that the world was made from, as the latest stage says that knows of it."""
    for record in reversed(found.values()):
        if named := {name: value for name, value in record.metadata.items() if name in ("named", "named_untold")}:
            return named
    return {}


def _say_named(told: dict[str, Any]) -> None:
    if "named_untold" in told:
        say(f"Whether all that the description names is there is not known: {told['named_untold']}")
    if "named" not in told:
        return
    missing = [one for one in told["named"] if one["left_out"]]
    say(f"Things that the description names: {len(told['named'])}; left out of the world: {len(missing) or 'none'}")
    for one in missing:
        say(f"    “{one['words']}”: {one['left_out']}")


def _show_contents(bundle: "Bundle", tools: bool, tasks: bool, as_json: bool) -> None:
    if as_json:
        shown = {"tools": [one.model_dump(mode="json") for one in bundle.tools]} if tools else {}
        shown |= {"tasks": [one.model_dump(mode="json") for one in bundle.tasks]} if tasks else {}
        say(orjson.dumps({"key": bundle.key, **shown}).decode())
        return
    for tool in bundle.tools if tools else []:
        parameters = ", ".join(tool.inputSchema.get("properties", {}))
        kind = "reads" if tool.annotations.readOnlyHint else "changes"
        by = "" if tool.principal == "assistant" else f", called by the {tool.principal}"
        say(f"{tool.name}({parameters}): {kind}{by}\n    {tool.description}")
    for task in bundle.tasks if tasks else []:
        say(f"{task.id}: {task.kind}, in state {task.state}\n    {task.text}")


def _row(record: "StageRecord") -> dict[str, Any]:
    from envfactory_dagster.language.prices import cost_in_words

    spent = record.spending
    return {
        "stage": record.stage,
        "status": record.status,
        "attempts": len(record.attempts),
        "calls": spent.calls,
        "tokens": spent.tokens_in + spent.tokens_out,
        "cost": cost_in_words(spent),
        "version": record.version[:16],
        "reason": record.reason,
    }


def _show_one(record: "StageRecord", as_json: bool) -> None:
    if as_json:
        say(orjson.dumps(record.model_dump(mode="json")).decode())
        return
    from envfactory_dagster.commands.console import Console

    console = Console(soft_wrap=True)
    console.print(f"{record.stage} of {record.partition}: {record.status} {record.reason}", style="bold", markup=False)
    for attempt in record.attempts:
        for unusable in attempt.unusable:
            console.print(f"an answer that could not be used: {unusable.message}\n{unusable.snippet}", markup=False)
        console.print(f"attempt {attempt.number}: {len(attempt.problems)} problems")
        for problem in attempt.problems:
            console.print(f"  [{problem.fault}] {problem.message}\n{problem.snippet}", markup=False)
    for name, value in record.metadata.items():
        console.print(name, style="bold", markup=False)
        if name == "dropped" and isinstance(value, list):
            for reason, dropped in _by_reason(value).items():
                console.print(f"{', '.join(dropped)}: {reason}", markup=False, highlight=False)
        elif isinstance(value, str):
            console.print(value, markup=False, highlight=False)
        else:
            console.print_json(orjson.dumps(value).decode())


def _by_reason(dropped: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The tasks that were given up, those with one reason together."""
    reasons: dict[str, list[str]] = {}
    for one in dropped:
        reasons.setdefault(str(one["reason"]), []).append(str(one["task"]))
    return reasons
