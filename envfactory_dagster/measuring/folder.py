"""What a measurement leaves on disk, and goes on from.

Belongs here: the layout of its folder. Does not: measuring (`measurement`).

    FOLDER/setup.json     how the model is asked; the folder is named after it
    FOLDER/tries.jsonl    every try as soon as it is made: one that is there is not made again
    FOLDER/tasks.jsonl    every task with all its tries
    FOLDER/result.json    the figures. These two are written when the last try is made, and not before
"""

import os
import re
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import ValidationError
from upath import UPath

from envfactory_dagster.contracts.base import Contract, content_hash
from envfactory_dagster.contracts.benchmarks import BenchmarkResult, BenchmarkSetup, MeasuredTask, Try
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.files import explained, open_files

_TRIES = "tries.jsonl"


@dataclass(frozen=True, slots=True)
class MeasurementFolder:
    """Of one setup. Several processes may want the same one: the second waits for the first."""

    path: Path
    setup: BenchmarkSetup

    @classmethod
    def of(cls, root: Path, setup: BenchmarkSetup) -> "MeasurementFolder":
        model = re.sub(r"[^A-Za-z0-9.]+", "-", setup.model).strip("-.")
        name = f"{setup.benchmark}-{model}-{content_hash(setup.model_dump(mode='json'))[:8]}"
        return cls(root / "measurements" / name, setup)

    @property
    def name(self) -> str:
        return self.path.name

    def alone(self) -> AbstractAsyncContextManager[None]:
        """Be the only process of this machine that measures this."""
        return open_files(UPath(self.path)).locked("")

    def open(self) -> list[Try]:
        """The tries that were made. What a process that was killed left of a line is taken away."""
        self._write("setup.json", self.setup)
        with explained(self.path):
            file = self.path / _TRIES
            data = file.read_bytes() if file.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]
            if whole != data:
                os.truncate(file, len(whole))  # not written anew: who is killed there would lose every try
        try:
            return [Try.model_validate(orjson.loads(line)) for line in whole.splitlines()]
        except (orjson.JSONDecodeError, ValidationError) as error:
            raise UsageError(
                f"{file} holds a line that is no try: {error}. Remove the folder to begin anew."
            ) from error

    def add(self, one: Try) -> None:
        with explained(self.path), (self.path / _TRIES).open("ab") as file:
            file.write(orjson.dumps(one.model_dump(mode="json")) + b"\n")

    def finish(self, tasks: Sequence[MeasuredTask], result: BenchmarkResult) -> None:
        lines = b"".join(orjson.dumps(one.model_dump(mode="json")) + b"\n" for one in tasks)
        open_files(UPath(self.path)).replace("tasks.jsonl", lines)
        self._write("result.json", result)

    def _write(self, name: str, what: Contract) -> None:
        open_files(UPath(self.path)).replace(name, what.model_dump_json(indent=2).encode())
