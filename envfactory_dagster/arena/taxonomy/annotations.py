"""What people bring to the taxonomy: labels that are known, and which labels they put into which category.

Belongs here: reading and checking their files. Does not: what becomes of them (`merging`).

    taxonomy/seed_labels.txt      known labels, one a line; without it, the categories of discovery
    taxonomy/annotations/*.csv    one file for each person, with the columns `label` and `category`, and every label
                                  once; where there is one such file, no model sorts labels
"""

import csv
import io
from collections.abc import Mapping, Sequence

from envfactory_dagster.authoring.discovery.names import plain
from envfactory_dagster.authoring.discovery.settings import CATEGORIES
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home

FOLDER = "taxonomy"
_SEED_LABELS, _ANNOTATIONS = "seed_labels.txt", "annotations"
_COLUMNS = ["label", "category"]
_NAMED = 5

Sorting = Mapping[str, str]
"""Label → category."""


def seed_labels(home: Home) -> list[str]:
    data = open_files(home.root / FOLDER).read(_SEED_LABELS)
    if data is None:
        return list(CATEGORIES)
    lines = [line.strip() for line in _text(data, _SEED_LABELS).splitlines()]
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


def annotations(home: Home) -> dict[str, str]:
    """Every file by its name, as it is."""
    files, found = open_files(home.root / FOLDER), dict[str, str]()
    for name in files.names(_ANNOTATIONS):
        data = files.read(f"{_ANNOTATIONS}/{name}") if name.lower().endswith(".csv") else None
        if data is not None:
            found[name] = _text(data, name)
    return found


def sorting(name: str, text: str, labels: Sequence[str]) -> Sorting:
    """What one file says of these labels. A file that speaks of other labels, or not of all, is refused."""
    rows = csv.reader(io.StringIO(text))
    try:
        if [cell.strip().lower() for cell in next(rows, [])] != _COLUMNS:
            raise UsageError(f"{_place(name)}: the first line has to be `{','.join(_COLUMNS)}`.")
        found, spelled = dict[str, str](), dict[str, str]()
        for cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != 2 or not all(plain(cell) for cell in cells):
                raise UsageError(f"{_place(name)}, line {rows.line_num}: a label and a category are expected.")
            label, category = cells[0].strip(), plain(cells[1])
            category = spelled.setdefault(category.casefold(), category)
            if label not in labels:
                known = f"The labels are: {'; '.join(labels)}."
                raise UsageError(f"{_place(name)}, line {rows.line_num}: there is no label {label!r}. {known}")
            if found.setdefault(label, category) != category:
                raise UsageError(f"{_place(name)}, line {rows.line_num}: {label!r} is in two categories.")
    except csv.Error as error:
        raise UsageError(f"{_place(name)}, line {rows.line_num}: {error}.") from error
    missing = [label for label in labels if label not in found]
    if missing:
        more = ", …" if len(missing) > _NAMED else ""
        raise UsageError(
            f"{_place(name)} says nothing of: {'; '.join(missing[:_NAMED])}{more}. Every label needs a line."
        )
    return found


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{_place(name)} is no UTF-8 text.") from error


def _place(name: str) -> str:
    return f"{FOLDER}/{name}" if name == _SEED_LABELS else f"{FOLDER}/{_ANNOTATIONS}/{name}"
