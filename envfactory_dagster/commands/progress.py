"""Progress of a run on the terminal: one bar for every asset, and what was spent of what was expected.

Belongs here: drawing. Does not: knowing what happens (`runs`). Bars go to stderr, so that stdout can be piped.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from envfactory_dagster.commands.console import Console
from envfactory_dagster.commands.estimates import Estimate
from envfactory_dagster.language.prices import dollars

_PERCENT = 100


class Bars:
    """A `Watcher` that draws. `totals`: how many partitions each asset has. `expected`: None, where nothing is paid."""

    def __init__(self, progress: Progress, totals: Mapping[str, int], expected: Estimate | None) -> None:
        self._progress = progress
        self._tasks = {
            asset: progress.add_task(asset, total=total, note="", start=False) for asset, total in totals.items()
        }
        self._rejected: Counter[str] = Counter()
        self._expected = expected
        self._tokens, self._usd = 0, 0.0
        self._unpriced_tokens = 0
        self._money = None if expected is None else progress.add_task(self.spent, total=_PERCENT, note="", start=False)

    @property
    def spent(self) -> str:
        """In dollars as far as prices are known, in tokens otherwise."""
        if self._expected is None:
            return ""
        if self._expected.cost_usd is None:
            return f"spent {self._tokens:,} of about {self._expected.tokens:,} tokens"
        unpriced = f" and {self._unpriced_tokens:,} tokens of unknown price" if self._unpriced_tokens else ""
        return f"spent {dollars(self._usd)}{unpriced} of about {dollars(self._expected.cost_usd)}"

    def done(self, asset: str, status: str) -> None:
        if asset not in self._tasks:
            return  # nothing that anybody waits for
        self._rejected[asset] += status == "rejected"
        note = f"{self._rejected[asset]} rejected" if self._rejected[asset] else ""
        self._progress.start_task(self._tasks[asset])
        self._progress.update(self._tasks[asset], advance=1, note=note)

    def paid(self, tokens: int, usd: float | None) -> None:
        self._tokens += tokens
        self._usd += usd or 0.0
        self._unpriced_tokens += tokens if usd is None else 0
        if self._expected is None or self._money is None:
            return
        expected = self._expected.cost_usd
        share = self._tokens / max(1, self._expected.tokens) if not expected else self._usd / expected
        self._progress.start_task(self._money)
        self._progress.update(self._money, description=self.spent, completed=min(_PERCENT, round(_PERCENT * share)))

    def retrying(self, asset: str, reason: str, seconds: float) -> None:
        self._progress.console.print(f"[yellow]{asset}: {escape(reason)} Trying again in {seconds:.0f} s.[/]")

    def waiting(self, asset: str, pool: str) -> None:
        self._progress.console.print(f"[yellow]{asset} waits for a place in the pool {pool}.[/]")


@contextmanager
def bars(totals: Mapping[str, int], *, hidden: bool, expected: Estimate | None = None) -> Iterator[Bars]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("[red]{task.fields[note]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=hidden) as progress:
        yield Bars(progress, totals, expected)
