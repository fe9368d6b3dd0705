"""`envfactory serve`: environments for programs that are not ours, over HTTP or stdio."""

import os
from pathlib import Path
from typing import Annotated

import orjson
import typer

from envfactory_dagster.commands.options import KEY_HELP, LOOPBACK, AllowUnsandboxed, AsJson, PrincipalName, StateName
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.loading import load_bundle

TOKEN_VARIABLE = "ENVFACTORY_TOKEN"


def serve(
    keys: Annotated[list[str], typer.Argument(metavar="KEY…", help=KEY_HELP)],
    stdio: Annotated[bool, typer.Option("--stdio", help="Serve one environment over stdin and stdout (MCP).")] = False,
    state: StateName = INITIAL_STATE,
    task: Annotated[
        str | None, typer.Option(help="With --stdio: the task that is worked on; it sets the state and adds `finish`.")
    ] = None,
    principal: PrincipalName = "assistant",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8000,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A name, besides localhost, that clients may call this server by.")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(help=f"File with a token that every request must carry; else {TOKEN_VARIABLE}.")
    ] = None,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Serve other machines without a token: whoever reaches it can use it.")
    ] = False,
    max_sessions: Annotated[int, typer.Option(help="Sessions that may be open at once.")] = 1_000,
    idle_seconds: Annotated[float, typer.Option(help="Close a session that has heard nothing for so long.")] = 1_800.0,
    sessions_per_worker: Annotated[
        int, typer.Option(help="Sessions that share a process; 1 for code nobody vetted.", min=1)
    ] = 256,
    site: Annotated[
        Path | None, typer.Option(help="A folder of `envfactory view`, served at /site: its pages let you play.")
    ] = None,
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Serve environments over HTTP: REST, and MCP at /mcp/KEY. With --stdio, one of them as an MCP server.

    --state and --principal are for --stdio; HTTP clients choose them for every session.
    """
    from envfactory_dagster.runtime.settings import RuntimeSettings

    bundles = [load_bundle(key) for key in keys]
    runtime_settings = RuntimeSettings(
        sessions_per_worker=sessions_per_worker,
        most_sessions=max_sessions * max(len(bundle.servers) or 1 for bundle in bundles),
        allow_unsandboxed=allow_unsandboxed,
    )
    if stdio:
        from envfactory_dagster.runtime.gateway.mcp_stdio import serve_stdio

        if len(bundles) != 1:
            raise UsageError("One environment at a time can be served over stdio.")
        serve_stdio(bundles[0], None if task else state, task, principal, runtime_settings)
        return

    from envfactory_dagster.runtime.gateway.serving import listen, serve_http
    from envfactory_dagster.runtime.gateway.settings import GatewaySettings

    settings = GatewaySettings(
        max_sessions=max_sessions,
        idle_seconds=idle_seconds,
        token=_token(token_file),
        allowed_hosts=frozenset(allow_host or ()),
        site=site.expanduser() if site else None,
    )
    if host not in LOOPBACK and settings.token is None and not no_token:
        raise UsageError(
            f"Other machines can reach {host}. Set a token with --token-file or {TOKEN_VARIABLE}, or say --no-token."
        )
    listening = listen(host, port)
    url = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
    serve_http(bundles, listening, settings, runtime_settings, on_ready=lambda: _announce(url, bundles, site, as_json))


def _token(token_file: Path | None) -> str | None:
    if token_file is None:
        return os.environ.get(TOKEN_VARIABLE) or None
    try:
        return token_file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The token file {token_file} cannot be read: {error}.") from error


def _announce(url: str, bundles: list[Bundle], site: Path | None, as_json: bool) -> None:
    mcp = {bundle.key: f"{url}/mcp/{bundle.key}" for bundle in bundles}
    if as_json:
        say(orjson.dumps({"url": url, "pid": os.getpid(), "mcp": mcp}).decode(), flush=True)
        return
    say(f"REST: {url} (manual: {url}/docs)")
    for address in mcp.values():
        say(f"MCP:  {address}")
    if site is not None:
        say(f"Site: {url}/site/")
    say("Ctrl-C ends it.", flush=True)
