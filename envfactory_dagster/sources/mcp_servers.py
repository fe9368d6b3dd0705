"""Asking an MCP server that runs at an address, or that a command starts.

Belongs here: telling these apart, what a target is called, and what is wrong with a server that dies or lies. Does not:
what is asked of it (`authoring.discovery.mirroring`, `fetching`).
"""

import logging
import os
import re
import shlex
from collections.abc import Awaitable, Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from envfactory_dagster.sources.parsing import UnreadableFile

if TYPE_CHECKING:
    from mcp import Client, StdioServerParameters

STDIO = "stdio:"
Answer = TypeVar("Answer")


def called(target: str) -> str:
    """What a target is called wherever it is told of: without passwords, queries and arguments, which may be secret."""
    if target.startswith(STDIO):
        words = shlex.split(target.removeprefix(STDIO)) if _is_quoted_well(target) else []
        return f"{STDIO}{PurePosixPath(words[0]).name}" if words else STDIO
    if "://" in target:
        scheme, _, rest = target.partition("://")
        host, slash, path = re.split("[?#]", rest, maxsplit=1)[0].partition("/")
        return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"
    return target


async def ask_server(target: str, ask: Callable[["Client"], Awaitable[Answer]], what: str) -> Answer:
    """What a server answers. `what` it is expected to do ("lists its tools") is told where it does not: whatever goes
    wrong with it becomes a sentence. Raises UnreadableFile."""
    from mcp import Client, MCPError

    server = _command(target) if target.startswith(STDIO) else target
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it would show a server's nonsense with a traceback
    try:
        async with Client(server) as client:
            return await ask(client)
    except UnreadableFile:
        raise
    except MCPError as error:
        raise UnreadableFile(f"is no MCP server that {what}: {sentence(error)}") from None
    except Exception as error:  # noqa: BLE001 - a process that cannot be started, a pipe that breaks, JSON that is none
        found = _first(error)
        if isinstance(found, UnreadableFile | TimeoutError):
            raise found from None
        raise UnreadableFile(f"is no MCP server that {what}: {sentence(found)}") from None


def _command(target: str) -> "StdioServerParameters":
    from mcp import StdioServerParameters

    if not _is_quoted_well(target) or not shlex.split(target.removeprefix(STDIO)):
        raise UnreadableFile("needs a command that starts the server: 'stdio:npx some-server'")
    program, *arguments = shlex.split(target.removeprefix(STDIO))
    # Its own keys are for the server; ours are for the language model.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ENVFACTORY_")}
    return StdioServerParameters(command=program, args=arguments, env=environment)


def _is_quoted_well(target: str) -> bool:
    try:
        shlex.split(target.removeprefix(STDIO))
    except ValueError:
        return False
    return True


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def sentence(error: BaseException) -> str:
    said = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
