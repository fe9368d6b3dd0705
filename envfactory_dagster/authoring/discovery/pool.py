"""The theme pool as it is stored: a diary of rounds, of which everything else is a projection.

Belongs here: the layout below `pool/`, what is in the pool, who may add to it. Does not: deciding what is taken
(`judging`), or asking models (`proposals`).

    pool/rounds/000001.json   what one round read, took, kept for later and rejected, and why; never changed
    records/proposal/KEY/     the record of every proposal taken, from which its theme is made

A round is written all at once, so one that was interrupted left nothing; the next run asks the same questions, whose
answers the language gateway still has. Rounds are numbered, so the pool grows at its end only.
"""

from collections import Counter
from contextlib import AbstractAsyncContextManager

import orjson
from pydantic import Field, ValidationError

from envfactory_dagster.authoring.discovery.names import folded
from envfactory_dagster.contracts.base import Artifact, Contract, found_in
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.pool import PooledProposal, RejectedProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.contracts.sources import SourceDocument
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

STAGE = "proposal"
_ROUNDS = "rounds"


class Candidate(Contract):
    """A proposal that was found good."""

    proposal: ThemeProposal
    source: ThemeSource
    suitability: float
    document: SourceDocument | None = None


class Round(Artifact):
    """What became of one round of proposals."""

    order: str = ""
    """For which order of themes it was made, so that an interrupted one can be completed."""
    read: list[str] = Field(default_factory=list)
    """Ids of the source entries that were used up."""
    taken: list[PooledProposal] = Field(default_factory=list)
    reserved: list[Candidate] = Field(default_factory=list)
    """Good ones for which there was no room: they come first as soon as there is."""
    rejected: list[RejectedProposal] = Field(default_factory=list)


class ThemePool:
    """The themes that a home has taken. Change the pool only while holding `locked`, after a `refresh`."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.taken: list[PooledProposal] = []
        """In the order in which they were taken."""
        self.rejected: list[RejectedProposal] = []
        self.reserve: dict[str, Candidate] = {}
        self.read: set[str] = set()
        self.rounds = 0
        self._by_name: dict[str, str] = {}
        self._keys: set[str] = set()
        self._by_order: Counter[str] = Counter()
        self._by_category: Counter[str] = Counter()
        self._files = open_files(home.root / "pool")
        self._records = RecordStore(home)

    def locked(self) -> AbstractAsyncContextManager[None]:
        """Be the only process of this machine that adds to the pool."""
        return self._files.locked(_ROUNDS)

    def refresh(self) -> None:
        """Take note of rounds that were written since; complete the last one if its writer was stopped."""
        last = None
        while (made := self._stored(self.rounds + 1)) is not None:
            self._note(made)
            last = made
        if last is not None:
            self._record(last)

    def commit(self, made: Round) -> None:
        """Write a round, and the records of what it took."""
        name, data = _file(self.rounds + 1), orjson.dumps(made.model_dump(mode="json"))
        if not self._files.create(name, data):
            if self._stored(self.rounds + 1) is not None:
                message = "another run added to the theme pool at the same time; run again, nothing is paid twice"
                raise InfrastructureFault(message)
            self._files.replace(name, data)
        self._note(made)
        self._record(made)

    def key_named(self, name: str) -> str | None:
        """The key of the theme with this name; "" for one in reserve."""
        return self._by_name.get(folded(name))

    def is_taken(self, key: str) -> bool:
        return key in self._keys

    def taken_for(self, order: str) -> int:
        return self._by_order[order]

    @property
    def categories(self) -> Counter[str]:
        """How many themes each category has."""
        return self._by_category

    def names(self, categories: set[str], most: int) -> list[str]:
        """Names of the newest themes, of these categories where any are named."""
        fitting = [p.proposal.name for p in self.taken if not categories or p.proposal.category in categories]
        return fitting[-most:]

    def _note(self, made: Round) -> None:
        self.rounds += 1
        self.read |= set(made.read)
        self.rejected += made.rejected
        for candidate in made.reserved:
            self.reserve[candidate.proposal.name] = candidate
            self._by_name[folded(candidate.proposal.name)] = ""
        for rejection in made.rejected:
            if rejection.reason != "category_full":
                self.reserve.pop(rejection.name, None)
        for pooled in made.taken:
            self.reserve.pop(pooled.proposal.name, None)
            self.taken.append(pooled)
            self._keys.add(pooled.key)
            self._by_name[folded(pooled.proposal.name)] = pooled.key
            self._by_category[pooled.proposal.category] += 1
            self._by_order[made.order] += 1

    def _stored(self, number: int) -> Round | None:
        data = self._files.read(_file(number))
        if not data:
            return None
        place = f"{self.home.root}/pool/{_file(number)}"
        try:
            with found_in(place):
                return Round.model_validate(orjson.loads(data))
        except (orjson.JSONDecodeError, ValidationError) as error:
            raise InfrastructureFault(f"{place} is damaged; restore it from a copy: {error}") from error

    def _record(self, made: Round) -> None:
        for pooled in made.taken:
            head = self._records.head(STAGE, pooled.key)
            if head is None or head.inputs != pooled.content_hash():
                self._records.keep(proposal_record(pooled))


def proposal_record(pooled: PooledProposal) -> StageRecord:
    """What an environment begins with: the record from which its theme is made."""
    version = pooled.content_hash()
    return StageRecord(
        stage=STAGE,
        partition=pooled.key,
        status="ok",
        inputs=version,
        version=version,
        artifact=pooled.model_dump(mode="json"),
        metadata={
            "source": f"{pooled.source.kind} {pooled.source.reference}".strip(),
            "suitability": pooled.suitability,
            "nearest": pooled.nearest,
            "similarity": pooled.similarity,
        },
    )


def _file(number: int) -> str:
    return f"{_ROUNDS}/{number:06d}.json"
