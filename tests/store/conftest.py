"""What the tests of the store share: homes of both kinds, and a real stage to run in them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from envfactory_dagster.contracts.records import Attempt
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore


@pytest.fixture(params=["folder", "object store"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    if request.param == "folder":
        return Home.resolve(tmp_path / "home")
    return Home.resolve(f"{request.getfixturevalue('bucket')}/home")


@pytest.fixture
def store(home: Home) -> RecordStore:
    return RecordStore(home)


@dataclass
class Words:
    """A stage without parents: counts the words of a text it finds under the partition's key."""

    texts: dict[str, str]
    name: str = "words"
    upstream: tuple[str, ...] = ()
    code_version: str = "1"
    settings: str = "default"
    made: list[str] = field(default_factory=list)

    def settings_hash(self) -> str:
        return self.settings

    async def make(self, stage_input: StageInput) -> StageOutcome:
        self.made.append(stage_input.partition)
        text = self.texts[stage_input.partition]
        attempts = [Attempt(number=1, tokens_in=len(text), tokens_out=1)]
        if not text:
            return StageOutcome(None, attempts, reason="there is no word in the text")
        return StageOutcome({"count": len(text.split())}, attempts, metadata={"first": text.split()[0]})


@dataclass
class Parity:
    """A stage on top of it: is the number of words even?"""

    name: str = "parity"
    upstream: tuple[str, ...] = ("words",)
    code_version: str = "1"
    made: list[str] = field(default_factory=list)

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        self.made.append(stage_input.partition)
        return StageOutcome({"even": stage_input.artifact("words")["count"] % 2 == 0})


@pytest.fixture
def words() -> Callable[..., Words]:
    return Words


@pytest.fixture
def parity() -> Parity:
    return Parity()
