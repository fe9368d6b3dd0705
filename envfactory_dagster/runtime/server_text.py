"""The text of a bundle's `server.py`: four modules of this room in one file, so that nothing is written twice.

Belongs here: the putting together. Does not: any of the code that is put together.
"""

from functools import cache
from pathlib import Path

_PARTS = ("standalone", "patterns", "json_schema", "facade")
_OURS = "from envfactory_dagster."


@cache
def server_source() -> str:
    """One file that needs nothing but Python 3.11: the server's own docstring, the modules it uses, then itself."""
    folder = Path(__file__).parent
    server, *used = (folder.joinpath(f"{name}.py").read_text("utf-8") for name in _PARTS)
    docstring, rest = _split_docstring(server)
    parts = [docstring, *(_without_our_imports(_split_docstring(text)[1]) for text in used), _without_our_imports(rest)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _split_docstring(text: str) -> tuple[str, str]:
    end = text.index('"""', 3) + 3
    return text[:end], text[end:]


def _without_our_imports(text: str) -> str:
    kept, skipping = [], False
    for line in text.splitlines():
        if line.startswith(_OURS):
            skipping = line.endswith("(")
        elif skipping:
            skipping = line != ")"
        else:
            kept.append(line)
    return "\n".join(kept)
