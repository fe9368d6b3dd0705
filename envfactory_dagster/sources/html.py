"""The words and tables of an HTML page, as a reader sees them.

Belongs here: taking a page apart. Scripts, styles and comments say nothing. Does not: other forms (`tables`).
"""

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin

_UNSEEN = frozenset(("script", "style", "template", "noscript", "iframe", "object", "svg", "textarea"))
_BLOCKS = frozenset(
    ("p", "div", "br", "li", "ul", "ol", "tr", "table", "section", "article", "h1", "h2", "h3", "h4", "h5", "h6", "dt")
)


class _Forgiving(HTMLParser):
    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """A section such as `<![odd[` is of no known kind. The parser of Python stops there; here it says nothing."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i)


class HtmlPage(_Forgiving):
    """Fed with a page, holds its lines and its tables; of tables within tables only the outer ones."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.tables: list[list[list[str]]] = []
        self._line: list[str] = []
        self._cell: list[str] | None = None
        self._unseen: list[str] = []
        self._depth = 0
        self.feed(text)
        if not self.rawdata.startswith("<"):  # a tag without end shows nothing, and would be looked at for hours
            self.close()
        self._end_line()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen.append(tag)
        elif tag == "table":
            self._depth += 1
            if self._depth == 1:
                self.tables.append([])
        elif self._depth == 1 and tag == "tr":
            self._end_cell()
            self.tables[-1].append([])
        elif self._depth == 1 and tag in ("td", "th"):
            self._end_cell()
            if not self.tables[-1]:
                self.tables[-1].append([])
            self._cell = []
        if tag in _BLOCKS:
            self._end_line()

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        elif tag == "table" and self._depth:
            self._end_cell()
            self._depth -= 1
        elif self._depth == 1 and tag in ("td", "th", "tr"):
            self._end_cell()
        if tag in _BLOCKS:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        self._line.append(data)
        if self._cell is not None:
            self._cell.append(data)

    def _end_cell(self) -> None:
        if self._cell is not None:
            self.tables[-1][-1].append(_tidied(self._cell))
            self._cell = None
            self._line.append(" | ")

    def _end_line(self) -> None:
        line = _tidied(self._line).strip("| ")
        if line:
            self.lines.append(line)
        self._line = []


def _tidied(parts: list[str]) -> str:
    return " ".join("".join(parts).split())


def links(text: str, address: str) -> Iterator[str]:
    """The addresses that a page at an address leads to."""
    found = _Links()
    found.feed(text)
    for link in found.hrefs:
        try:
            yield urljoin(address, link)
        except ValueError:
            continue


class _Links(_Forgiving):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.hrefs += [value for name, value in attrs if name == "href" and value]
