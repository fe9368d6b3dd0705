"""How long the texts of a bundle may be, so that a folder from a stranger is parsed within bounds.

Belongs here: which files are parsed in this process, and how much of each. Does not: what the files say (`bundle`), or
how long a text may be that is parsed at once (`text_bounds`).
"""

from collections.abc import Mapping
from typing import Any

import orjson

from envfactory_dagster.contracts.text_bounds import beyond_bounds

_MOST_LINES_BYTES = 16 << 20
"""How large a file may be of which every line is parsed by itself."""
_TIMES_A_TEXT = 4
"""How much more a file of JSON may hold than one answer of a model: it was put together from many."""
_NOT_PARSED = frozenset({"server.py", "judge.py", "seed.sql"})
_FOLDERS_NOT_PARSED = ("states/", "servers/")
"""Files of states are read by sandboxed workers; those of a server are looked at where its folder is read."""


def check_texts(data: Mapping[str, bytes]) -> None:
    """Whether every text among the files, by path, is short enough to be parsed. Raises ValueError."""
    for path, content in data.items():
        if path in _NOT_PARSED or path.startswith(_FOLDERS_NOT_PARSED):
            continue
        if path.endswith(".jsonl"):
            if len(content) > _MOST_LINES_BYTES:
                raise ValueError(f"{path}: it has more than {_MOST_LINES_BYTES >> 20} MiB")
            parsed_at_once = content.splitlines()
        else:
            parsed_at_once = [content] if path.endswith((".json", ".py", ".sql")) else []
        for part in parsed_at_once:
            if (too_much := beyond_bounds(part.decode(), _TIMES_A_TEXT if path.endswith(".json") else 1)) is not None:
                raise ValueError(f"{path}: {too_much}")


def json_object(data: Mapping[str, bytes], path: str) -> dict[str, Any]:
    """What a file of JSON holds. Raises ValueError where it is no object."""
    found = orjson.loads(data[path])
    if not isinstance(found, dict):
        raise ValueError(f"{path}: it holds no JSON object")
    return found
