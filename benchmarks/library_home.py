"""Homes in which worlds of the library wait to be built, as many as a benchmark needs.

Belongs here: the same few subjects under as many keys as are asked for. Does not: building them.
"""

from pathlib import Path

from envfactory_dagster.authoring.discovery import ThemePool
from envfactory_dagster.authoring.discovery.pool import Round
from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.library.collection import Library
from envfactory_dagster.store.home import Home


def propose(folder: Path, count: int, size: Size | None = None) -> list[str]:
    """Keys of so many environments to be made there. Beyond the number of worlds each is made several times."""
    library, home = Library(), Home.resolve(folder)
    cards = [card for card in library.cards.values() if size in (None, card.size)]
    taken = []
    for number in range(count):
        turn, place = divmod(number, len(cards))
        proposal = cards[place].proposal
        library.copy_documents(proposal.key, home.snapshots)
        key = f"{proposal.key}-{turn + 1}" if turn else proposal.key
        taken.append(proposal.model_copy(update={"key": key}))
    pool = ThemePool(home)
    pool.refresh()
    pool.commit(Round(taken=taken))
    return [one.key for one in taken]
