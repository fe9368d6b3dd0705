"""The names of a server's tools in a workspace. Python's standard library only.

Belongs here: names in front and in texts. Does not: routing calls (`workspace_session`).
"""

import re
from collections.abc import Callable, Iterable
from typing import Any


def prefixed(prefix: str, name: str) -> str:
    return f"{prefix}_{name}"


def renaming(prefix: str, tools: Iterable[str]) -> Callable[[str], str]:
    """A function that names the server's tools in a text as the workspace calls them. A name that is one plain word
    (`search`) may just be meant as one, and stays."""
    names = [re.escape(name) for name in sorted(tools, key=len, reverse=True) if re.search(r"_|[a-z][A-Z]", name)]
    pattern = re.compile(rf"\b(?:{'|'.join(names)})\b") if names else None
    return lambda text: pattern.sub(lambda found: prefixed(prefix, found[0]), text) if pattern else text


def renamed_texts(schema: Any, rename: Callable[[str], str]) -> Any:
    """A JSON Schema with its descriptions renamed."""
    if isinstance(schema, dict):
        return {
            key: rename(value) if key == "description" and isinstance(value, str) else renamed_texts(value, rename)
            for key, value in schema.items()
        }
    return [renamed_texts(one, rename) for one in schema] if isinstance(schema, list) else schema
