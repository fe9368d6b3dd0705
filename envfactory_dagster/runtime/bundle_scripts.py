"""The text of a bundle's `server.py` and `judge.py`: modules of this house in one file each, so that nothing is written
twice.

Belongs here: the putting together. Does not: any of the code that is put together.
"""

from functools import cache
from pathlib import Path

_SHARED = (
    "runtime/oldest_sqlite",
    "runtime/patterns",
    "runtime/json_schema",
    "contracts/parameter_names",
    "runtime/facade",
    "runtime/amounts",
    "runtime/moments",
    "runtime/answer_values",
    "contracts/finish_tool",
    "runtime/report_reading",
)
_FILES = (
    "contracts/file_paths",
    "runtime/file_text",
    "runtime/file_records",
    "runtime/env_files",
    "runtime/virtual_files",
)
_WORKSPACE = ("runtime/prefixes", "runtime/copied_tables", "runtime/standalone_workspace")
_OBJECTS = (
    "runtime/published_modules",
    "runtime/object_state",
    "runtime/stored_json",
    "runtime/object_tools",
    "runtime/standalone",
)
_JUDGING = ("runtime/table_contents", "runtime/message_values", "runtime/check_screen", "runtime/checks")
_OURS = "from envfactory_dagster."
_RUN = '\n\nif __name__ == "__main__":'


def server_source() -> str:
    """Serves the environment, and takes reports."""
    return _script("runtime/standalone", *_SHARED, *_FILES, *_WORKSPACE)


def object_server_source() -> str:
    """Serves an environment that stores an object, through code that others published."""
    return _script("runtime/standalone_object", *_SHARED, *_FILES, *_WORKSPACE, *_OBJECTS)


def judge_source() -> str:
    """Judges episodes."""
    return _script("runtime/standalone_judge", *_SHARED, *_JUDGING)


@cache
def _script(main: str, *used: str) -> str:
    """One file that needs nothing but Python 3.11 and SQLite 3.40: the main module's docstring, the modules it uses,
    then itself."""
    folder = Path(__file__).parents[1]
    text, *others = (folder.joinpath(f"{name}.py").read_text("utf-8") for name in (main, *used))
    docstring, rest = _split_docstring(text)
    parts = [docstring, *(_without_our_imports(_split_docstring(other)[1].partition(_RUN)[0]) for other in others)]
    return "\n\n".join(part.strip("\n") for part in [*parts, _without_our_imports(rest)]) + "\n"


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
