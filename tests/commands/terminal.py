"""A terminal in which `envfactory` and `dagster` are typed, each in a process of its own."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

PATIENCE_S = 120.0
ENVFACTORY = [sys.executable, "-c", "from envfactory_dagster.cli import main; main()"]


@dataclass(frozen=True)
class Said:
    status: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Terminal:
    home: Path
    settings: dict[str, str] = field(default_factory=dict)

    def start(self, *command: str, **settings: str) -> "subprocess.Popen[str]":
        known = {name: value for name, value in os.environ.items() if not name.startswith(("ENVFACTORY_", "DAGSTER_"))}
        ours = {"ENVFACTORY_HOME": str(self.home), "ENVFACTORY_SIZE": "small", "COLUMNS": "200"}
        chosen = self.settings | settings
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command,
            stdout=pipe,
            stderr=pipe,
            text=True,
            env=known | ours | chosen,
            cwd=self.home.parent,
            start_new_session=True,
        )

    def factory(self, *arguments: str, **settings: str) -> Said:
        """Type `envfactory …` and wait for its end."""
        return said(self.start(*ENVFACTORY, *arguments, **settings))

    def store(self) -> RecordStore:
        return RecordStore(Home.resolve(self.home))

    def tokens(self) -> int:
        """How many were ever spent."""
        rows = read_ledger(self.home)
        return int(rows["tokens_in"].sum() + rows["tokens_out"].sum())

    def outcomes(self) -> Counter[str]:
        return Counter(read_ledger(self.home)["outcome"])

    def paid(self) -> Counter[tuple[str, str, str]]:
        """How many answers were paid for, by asset, partition and kind of question."""
        rows = read_ledger(self.home).rows(named=True)
        answered = [row for row in rows if row["outcome"] == "answered" and not row["cached"]]
        return Counter((row["asset"], row["partition"], row["schema_name"]) for row in answered)


def said(process: "subprocess.Popen[str]") -> Said:
    out, err = process.communicate(timeout=900)
    return Said(process.returncode, out, err)
