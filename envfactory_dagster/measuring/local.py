"""A policy of this home behind an address, for as long as it is measured.

Belongs here: starting `python -m trainer serve` and ending it. Does not: what it does (the package `trainer`, which
nothing here imports).
"""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.measuring import trainer_program

_DOES_NOT_FIT = 2
"""The trainer's exit status where a recipe or a policy is to blame."""


@dataclass(frozen=True, slots=True)
class LocalEndpoint:
    url: str
    model: str


@contextmanager
def served_policy(recipe: Path, policy: Path, log: Path) -> Iterator[LocalEndpoint]:
    """`log`: where the process writes what it has to say."""
    command = trainer_program.command("serve", "--recipe", recipe, "--policy", policy, "--port", 0)
    # The key is for another endpoint.
    environ = {name: value for name, value in os.environ.items() if name != "ENVFACTORY_LLM_API_KEY"}
    environ |= trainer_program.environment()
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as told:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True, env=environ)
    try:
        assert process.stdout is not None
        ready = process.stdout.readline()
        if not ready:
            status, said = process.wait(), log.read_text().strip().splitlines()
            sentence = said[-1].removeprefix("trainer: ") if said else f"`trainer serve` ended with {status}."
            raise UsageError(sentence) if status == _DOES_NOT_FIT else InfrastructureFault(sentence)
        found = json.loads(ready)
        yield LocalEndpoint(found["url"], found["model"])
    finally:
        process.terminate()
        process.wait()
