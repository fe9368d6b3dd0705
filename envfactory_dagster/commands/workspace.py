"""`envfactory workspace`: two or three environments in one episode, with tasks that need more than one of them.

Belongs here: finding the environments of a workspace, and saying what came of it. Does not: making it
(`tasks.workspaces`).
"""

import asyncio
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.library import joint_worlds
from envfactory_dagster.loading import load_bundle

if TYPE_CHECKING:
    from envfactory_dagster.contracts.records import StageRecord


def workspace(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A workspace of the library, or a folder with a workspace.json."),
    ] = None,
    instances: Annotated[int, typer.Option(help="How many tasks of each family are tried.", min=8)] = 30,
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Put built environments beside each other as one, and release it with tasks across them. Without a NAME: list the
    workspaces of the library."""
    if name is None:
        _list(as_json)
        return
    record = asyncio.run(_release(joint_worlds.read(name), instances, allow_unsandboxed))
    if as_json:
        found = {"key": record.partition, "status": record.status, "reason": record.reason, **record.metadata}
        say(orjson.dumps(found).decode())
    elif record.artifact is None:
        say(f"{record.partition} is not released: {record.reason}")
    else:
        for family in record.metadata["families"]:
            say(f"+ {family['family']}: {family['accepted']} of {family['tried']} tasks stood the gate")
        for one in record.metadata["dropped"]:
            say(f"- {one['task']}: {one['reason']}")
        say(f"{record.partition} has {record.metadata['tasks']} tasks: `envfactory serve {record.partition}`.")
    if record.artifact is None:
        raise typer.Exit(1)


def _list(as_json: bool) -> None:
    found = [joint_worlds.read(name).workspace for name in joint_worlds.names()]
    if as_json:
        say(orjson.dumps({"workspaces": [one.model_dump(mode="json") for one in found]}).decode())
        return
    for one in found:
        say(f"{one.key}: {one.name}")
        for server in one.servers:
            say(f"    {server.prefix}: {server.environment}, in state {server.state}")


async def _release(joint: joint_worlds.JointWorld, instances: int, allow_unsandboxed: bool) -> "StageRecord":
    from envfactory_dagster.authoring.accounts import AccountedStage
    from envfactory_dagster.resources.authoring import AuthoringResource
    from envfactory_dagster.resources.store import StoreResource
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.store.memo import run_stage
    from envfactory_dagster.tasks.line import prover_of
    from envfactory_dagster.tasks.workspaces import WorkspaceGraph, WorkspaceRelease

    workspace, store, authoring = joint.workspace, StoreResource(), AuthoringResource()
    environments = {server.environment: load_bundle(server.environment) for server in workspace.servers}
    home, records, bundles = store.resolved(), store.records(), store.bundles()
    if bundles.latest(workspace.key) is not None and bundles.load(workspace.key).storage != "workspace":
        raise UsageError(f"There is another environment {workspace.key!r} already, which is left alone.")
    settings = RuntimeSettings(allow_unsandboxed=allow_unsandboxed)
    async with authoring.gateway(store) as gateway, Runtime(settings) as runtime:
        prover = prover_of(gateway, runtime, home, authoring.task_settings())
        stage = WorkspaceRelease(runtime, bundles, workspace, joint.families, environments, instances, prover)
        record = await run_stage(records, AccountedStage(stage, gateway, records), workspace.key)
    await run_stage(records, WorkspaceGraph(bundles), workspace.key)
    return record
