"""Showing tables and colours on a terminal without letting their text control it.

Belongs here: the one console that commands use. Does not: plain lines (`terminal`), which need no Rich.
"""

from collections.abc import Iterable

import rich.console
from rich.segment import Segment

from envfactory_dagster.contracts.printable import printable


class Console(rich.console.Console):
    """Writes out control characters in whatever text it is given; its own colours and bars remain."""

    def render(
        self, renderable: rich.console.RenderableType, options: rich.console.ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))
