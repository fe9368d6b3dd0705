"""Arguments that several commands share, so that they mean and say the same everywhere."""

from typing import Annotated

import typer

from envfactory_dagster.contracts.tools import Principal

KEY_HELP = "A bundle's folder, a key under ENVFACTORY_HOME, or the name of an example."

LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""Hosts that no other machine can reach."""

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
StateName = Annotated[str, typer.Option("--state", help="The initial state to start from.")]
PrincipalName = Annotated[Principal, typer.Option("--principal", help="Whose tools: the assistant's or the user's.")]
AllowUnsandboxed = Annotated[
    bool,
    typer.Option(
        "--allow-unsandboxed",
        help="Run tools with all your rights where this machine offers no sandbox. Only for code you wrote yourself.",
    ),
]
