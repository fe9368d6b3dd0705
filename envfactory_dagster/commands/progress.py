"""Progress of a run on the terminal: one bar for every asset.

Belongs here: drawing. Does not: knowing what happens (`runs`). Bars go to stderr, so that stdout can be piped.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from envfactory_dagster.commands.console import Console


class Bars:
    """A `Watcher` that draws. `totals`: how many partitions each asset has."""

    def __init__(self, progress: Progress, totals: Mapping[str, int]) -> None:
        self._progress = progress
        self._tasks = {
            asset: progress.add_task(asset, total=total, note="", start=False) for asset, total in totals.items()
        }
        self._rejected: Counter[str] = Counter()

    def done(self, asset: str, status: str) -> None:
        if asset not in self._tasks:
            return  # nothing that anybody waits for
        self._rejected[asset] += status == "rejected"
        note = f"{self._rejected[asset]} rejected" if self._rejected[asset] else ""
        self._progress.start_task(self._tasks[asset])
        self._progress.update(self._tasks[asset], advance=1, note=note)

    def retrying(self, asset: str, reason: str, seconds: float) -> None:
        self._progress.console.print(f"[yellow]{asset}: {escape(reason)} Trying again in {seconds:.0f} s.[/]")


@contextmanager
def bars(totals: Mapping[str, int], *, hidden: bool) -> Iterator[Bars]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("[red]{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=hidden) as progress:
        yield Bars(progress, totals)
